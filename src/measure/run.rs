//! Many random games, in parallel; the result does not depend on the number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::notes::Notes;
use super::tally::{Tally, Uses, Violation};
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{Game, RuleId};
use crate::model::{Engine, Observation, Outcome, Position, Run, Violations};
use crate::notation::{print_move, print_position};
use crate::play::{Bot, Bots, Playout, RandomGame, Reactions, Stop, Stream, play_out};

/// The number of games in one task of a thread.
pub(super) const BATCH: u64 = 16;

/// How games are played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The maximum number of plies per game.
    pub cap: u32,
    /// The seed; game number n draws from stream n.
    pub seed: u64,
    /// Whether invariants are tested in every position.
    pub invariants: bool,
    /// For games below this number, the rules used by each answer and the leader are recorded; this takes the
    /// reference interpreter and time.
    pub traced: u64,
    /// How races are decided; without it, by a uniformly random legal act.
    pub reactions: Option<Reactions>,
}

/// Who plays the seats.
pub trait Seating: Sync + std::fmt::Debug {
    /// The bot of a seat for one game; none if the seat plays at random.
    fn bot<'a>(&'a self, engine: &'a dyn Engine, seat: usize, dice: Stream) -> Option<Box<dyn Bot + 'a>>;
}

/// All seats play at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtRandom;

impl Seating for AtRandom {
    fn bot<'a>(&'a self, _: &'a dyn Engine, _: usize, _: Stream) -> Option<Box<dyn Bot + 'a>> {
        None
    }
}

/// A game to be played many times: its interpreter, its first position, and who plays.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its interpreter.
    pub engine: &'a dyn Engine,
    /// Its first position.
    pub start: &'a Position,
    /// Who plays.
    pub seating: &'a dyn Seating,
}

impl<'a> Side<'a> {
    /// A game played at random.
    #[must_use]
    pub fn new(engine: &'a dyn Engine, start: &'a Position) -> Self {
        Self { engine, start, seating: &AtRandom }
    }

    /// The same with others at its seats.
    #[must_use]
    pub fn seated(self, seating: &'a dyn Seating) -> Self {
        Self { seating, ..self }
    }

    /// The bots of the game with this number; each draws from a stream of its own.
    pub(super) fn bots(self, seed: u64, stream: &str, number: u64) -> Bots<'a> {
        let seats = self.engine.game().seats.len() as u64;
        let dice = |seat| Stream::new(seed, stream, number.wrapping_mul(64).wrapping_add(seat));
        (0..seats).map(|seat| self.seating.bot(self.engine, usize::saturating_from(seat), dice(seat))).collect()
    }
}

/// A range of games split into tasks.
pub(super) fn tasks(games: &Range<u64>) -> impl IndexedParallelIterator<Item = Range<u64>> + use<> {
    let (start, end) = (games.start, games.end);
    let count = usize::saturating_from(end.saturating_sub(start).div_ceil(BATCH));
    (0..count).into_par_iter().map(move |task| {
        let from = start + task as u64 * BATCH;
        from..end.min(from + BATCH)
    })
}

/// Plays the games with these numbers at random from a position. `on_progress` receives the number of games done, from
/// several threads.
pub fn simulate(
    engine: &dyn Engine,
    start: &Position,
    plan: &Plan,
    games: Range<u64>,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Tally {
    simulate_seated(Side::new(engine, start), plan, games, on_progress)
}

/// The same with bots on some seats.
pub fn simulate_seated(side: Side<'_>, plan: &Plan, games: Range<u64>, on_progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let done = AtomicU64::new(0);
    let engine = side.engine;
    let ready = || (at_start(engine, side.start), Notes::new(engine));
    tasks(&games)
        .map_init(ready, |(run, notes), numbers| {
            let mut tally = Tally::new(engine.game());
            for number in numbers {
                play(side, run.as_mut(), plan, number, notes, &mut tally, &|| true);
                on_progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
            tally
        })
        .reduce(|| Tally::new(engine.game()), |one, other| one.merge(&other))
}

/// Plays the game with this number while `going`, asked before each answer, returns true; none if it was given up.
pub fn simulate_one(side: Side<'_>, plan: &Plan, number: u64, going: &dyn Fn() -> bool) -> Option<Tally> {
    let (mut run, mut notes) = (at_start(side.engine, side.start), Notes::new(side.engine));
    let mut tally = Tally::new(side.engine.game());
    play(side, run.as_mut(), plan, number, &mut notes, &mut tally, going).map(|_| tally)
}

/// One of many games.
#[derive(Clone, Debug)]
pub struct Each {
    /// The game.
    pub game: Playout,
    /// The number of turns in which a seat had something to decide.
    pub turns: u32,
    /// The values of each measure in the order they were read.
    pub measured: Vec<Vec<i64>>,
}

/// Plays the games with these numbers and returns each of them. `keep_going` receives the number of games done, from
/// several threads, and says whether to go on; if not, the result ends before the first game that was not played.
pub fn simulate_each(
    side: Side<'_>,
    plan: &Plan,
    games: Range<u64>,
    keep_going: &(dyn Fn(u64) -> bool + Sync),
) -> Vec<Each> {
    // What goes into totals alone is not worked out.
    let plan = Plan { invariants: false, traced: 0, ..plan.clone() };
    listed(side, &plan, games, keep_going).1
}

/// Plays the games with these numbers and returns each of them, and their totals.
pub fn simulate_listed(
    side: Side<'_>,
    plan: &Plan,
    games: Range<u64>,
    on_progress: &(dyn Fn(u64) + Sync),
) -> (Tally, Vec<Each>) {
    let told = |done| {
        on_progress(done);
        true
    };
    listed(side, plan, games, &told)
}

fn listed(
    side: Side<'_>,
    plan: &Plan,
    games: Range<u64>,
    keep_going: &(dyn Fn(u64) -> bool + Sync),
) -> (Tally, Vec<Each>) {
    let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let engine = side.engine;
    let ready = || (at_start(engine, side.start), Notes::new(engine));
    let one = |(run, notes): &mut (Box<dyn Run + '_>, Notes<'_>), tally: &mut Tally, number| {
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        let game = play(side, run.as_mut(), plan, number, notes, tally, &|| true)?;
        if !keep_going(done.fetch_add(1, Ordering::Relaxed) + 1) {
            stopped.store(true, Ordering::Relaxed);
        }
        Some(Each { game, turns: notes.turns, measured: notes.measured.clone() })
    };
    let parts = tasks(&games).map_init(ready, |state, numbers| {
        let mut tally = Tally::new(engine.game());
        let games: Vec<Option<Each>> = numbers.map(|number| one(state, &mut tally, number)).collect();
        (tally, games)
    });
    let parts: Vec<(Tally, Vec<Option<Each>>)> = parts.collect();
    let total = parts.iter().fold(Tally::new(engine.game()), |total, (tally, _)| total.merge(tally));
    (total, parts.into_iter().flat_map(|(_, games)| games).map_while(|game| game).collect())
}

/// A run at the first position, saved there.
pub(super) fn at_start<'a>(engine: &'a dyn Engine, start: &Position) -> Box<dyn Run + 'a> {
    let mut run = engine.run();
    run.load(start);
    run.save();
    run
}

/// The stream that bots draw from.
const BOT: &str = "bot";

/// The answers of the game with this number, as text.
#[must_use]
pub fn steps(side: Side<'_>, plan: &Plan, number: u64) -> Vec<String> {
    let (engine, mut run) = (side.engine, at_start(side.engine, side.start));
    let (mut dice, mut steps) = (Stream::new(plan.seed, "game", number), Vec::new());
    let course = RandomGame::new(engine, run.as_mut(), plan.cap, plan.reactions.as_ref());
    // The cards of a shuffle are written alike whatever lies where, so it is not looked at before each of thousands.
    let mut shuffled: Option<Position> = None;
    play_out(course.seated(side.bots(plan.seed, BOT, number)), &mut dice, &mut |run, chosen| {
        let position = match shuffled.take() {
            Some(position) if run.shuffles_on() => position,
            Some(_) | None => run.position(),
        };
        steps.extend(chosen.in_run(run).map(|mv| print_move(engine.game(), &position, &mv)));
        shuffled = run.shuffles_on().then_some(position);
        true
    });
    steps
}

/// Plays a game and adds it to the totals; nothing, if it is given up while it goes on.
fn play(
    side: Side<'_>,
    run: &mut dyn Run,
    plan: &Plan,
    number: u64,
    notes: &mut Notes<'_>,
    tally: &mut Tally,
    going: &dyn Fn() -> bool,
) -> Option<Playout> {
    let engine = side.engine;
    let mut dice = Stream::new(plan.seed, "game", number);
    let (mut violations, mut unread, mut example) = (0, 0, None);
    let mut test = |run: &mut dyn Run| {
        if !plan.invariants {
            return;
        }
        let Violations { broken, spent } = run.violations();
        violations += broken.len() as u64;
        unread += spent.len() as u64;
        if let (Some(&rule), None) = (broken.first(), &example) {
            let position = print_position(engine, &Observation::referee(&run.position()));
            example = Some(Violation { game: number, ply: run.ply(), rule, position });
        }
    };
    let mut look = (number < plan.traced).then(|| Look::new(engine));
    // What runs before the first question belongs to games that begin there; what chance answers in the setup is traced with
    // the others.
    if let Some(look) = look.as_mut().filter(|_| *side.start == engine.start()) {
        look.trace(&engine.explain().start_trace());
    }
    notes.clear();
    run.restore();
    let course = RandomGame::new(engine, run, plan.cap, plan.reactions.as_ref());
    let game = play_out(course.seated(side.bots(plan.seed, BOT, number)), &mut dice, &mut |run, chosen| {
        test(run);
        notes.take(run);
        // A shuffle is one deed, however many its cards.
        if let Some(look) = look.as_mut().filter(|_| !run.shuffles_on())
            && let Some(mv) = chosen.in_run(run)
        {
            let position = run.position();
            look.lead(&position);
            look.trace(&engine.explain().trace(&position, &mv));
        }
        going()
    });
    if game.stop == Stop::Watcher {
        return None;
    }
    test(run);
    notes.end(run);
    tally.add(number, &game, notes);
    tally.violations += violations;
    tally.unread += unread;
    tally.examples.extend(example);
    if let Some(mut look) = look {
        look.lead(&run.position());
        look.add_to(tally, &game);
    }
    Some(game)
}

/// The detailed record of one game.
struct Look<'a> {
    engine: &'a dyn Engine,
    rules: Vec<u64>,
    clauses: Vec<u64>,
    /// The leader at each question, if a single seat led.
    leaders: Option<Vec<Option<usize>>>,
}

impl<'a> Look<'a> {
    fn new(engine: &'a dyn Engine) -> Self {
        let game = engine.game();
        let (rules, clauses) = (vec![0; game.rules.len()], vec![0; game.clauses.clauses.len()]);
        Self { engine, rules, clauses, leaders: Some(Vec::new()) }
    }

    /// Counts the rules of one answer and the clauses they implement, each once.
    fn trace(&mut self, rules: &[RuleId]) {
        let game = self.engine.game();
        let (mut seen, mut cited) = (Bits::new(), Bits::new());
        for &rule in rules {
            if seen.insert(usize::from(rule)) {
                cited.unite(&clauses_of(game, rule));
            }
        }
        for (counts, numbers) in [(&mut self.rules, &seen), (&mut self.clauses, &cited)] {
            for at in numbers.iter() {
                if let Some(count) = counts.get_mut(at) {
                    *count += 1;
                }
            }
        }
    }

    fn lead(&mut self, position: &Position) {
        let Some(leaders) = &mut self.leaders else { return };
        if position.in_setup(self.engine.game()) {
            return;
        }
        match self.engine.explain().scores(position) {
            Some(scores) => leaders.push(leader(&scores)),
            None => self.leaders = None,
        }
    }

    fn add_to(self, tally: &mut Tally, game: &Playout) {
        tally.traced.games += 1;
        for (uses, counts) in [(&mut tally.traced.rules, &self.rules), (&mut tally.traced.clauses, &self.clauses)] {
            for (Uses { times, games }, &count) in uses.iter_mut().zip(counts) {
                *times += count;
                *games += u64::from(count > 0);
            }
        }
        let Some(leaders) = self.leaders else { return };
        tally.leads.games += 1;
        let alone: Vec<usize> = leaders.iter().copied().flatten().collect();
        tally.leads.changes.add(i64::saturating_from(alone.windows(2).filter(|pair| pair[0] != pair[1]).count()));
        let middle = leaders.get(leaders.len() / 2).copied().flatten();
        let winners: Vec<usize> = game.outcome.iter().flat_map(Outcome::winners).collect();
        if let (Some(leader), [winner]) = (middle, winners.as_slice()) {
            tally.leads.led += 1;
            tally.leads.kept += u64::from(leader == *winner);
        }
    }
}

/// The seat with the highest score, if it is the only one.
fn leader(scores: &[i64]) -> Option<usize> {
    let most = scores.iter().max()?;
    let mut first = scores.iter().enumerate().filter(|(_, score)| *score == most).map(|(seat, _)| seat);
    first.next().filter(|_| first.next().is_none())
}

/// The numbers of clauses that a rule implements.
fn clauses_of(game: &Game, rule: RuleId) -> Bits {
    let cited = game.rules.get(rule).into_iter().flat_map(|rule| &rule.clauses);
    cited.filter_map(|id| game.clauses.clauses.get_index_of(id)).collect()
}
