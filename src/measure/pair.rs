//! Coupled play: two games with common random numbers.
//!
//! Paired games share their chance outcomes and decisions as far as possible: when both are asked the same, their
//! answers are drawn jointly so that they are equal as often as two uniform draws can be (a *maximal coupling*,
//! Lindvall 1992). Each game on its own is still uniformly random, so the coupling introduces no bias; but what the
//! two have in common cancels in their difference.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering as Memory};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::notes::{Notes, is_drawn, is_exhausted, is_open, number, verdict};
use super::run::{Plan, Side, at_start, tasks};
use super::statistics::PairedCounts;
use super::sums::Moments;
use crate::ir::{Game, Move};
use crate::model::{Ask, Run, Verdict};
use crate::play::{Chosen, Playout, Question, RandomGame, Stop, Stream};

/// How many questions per pair have their answers matched one by one. After that, games have long diverged and are
/// matched by list index.
const LISTINGS: u32 = 200;

/// Totals over pairs of games. Tallies of disjoint pairs are merged by adding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// The number of pairs.
    pub pairs: u64,
    /// Pairs whose courses differ: in an answer or a question.
    pub courses: u64,
    /// Pairs whose results differ: who won, drew, lost, or stopped undecided.
    pub results: u64,
    /// Pairs whose scores or ranks at the end differ.
    #[serde(default)]
    pub standings: u64,
    /// The numbers of the first game, then those of the second.
    pub numbers: Moments,
    /// By seat: whether it won.
    pub wins: Vec<PairedCounts>,
    /// For each place in the turn order: whether its seat won.
    pub places: Vec<PairedCounts>,
    /// Whether the game was drawn.
    pub draws: PairedCounts,
    /// Whether the game stopped undecided.
    pub open: PairedCounts,
    /// Games stopped by the step budget.
    pub exhausted: u64,
    /// Values of measures that took more steps than the step budget: none of them counts.
    #[serde(default)]
    pub unread: u64,
    /// How often each seat had the first turn in either game.
    pub openers: Vec<u64>,
}

impl Pairs {
    /// No pairs of a game and another with as many seats and the same measures.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let (seats, measures) = (game.seats.len(), game.measures.len());
        Self {
            numbers: Moments::new(2 * (number::COUNT + 2 * measures)),
            wins: vec![PairedCounts::default(); seats],
            places: vec![PairedCounts::default(); seats],
            openers: vec![0; seats],
            ..Self::default()
        }
    }

    /// Adds a pair; `theirs` says which seat of the second game each seat of the first is.
    fn add(&mut self, first: (&Playout, &Notes<'_>), second: (&Playout, &Notes<'_>), apart: bool, theirs: &[usize]) {
        let ((one, one_notes), (two, two_notes)) = (first, second);
        self.pairs += 1;
        self.courses += u64::from(apart);
        self.standings += u64::from(standing(one, None) != standing(two, Some(theirs)));
        self.numbers.add(&[one_notes.all_numbers(one), two_notes.all_numbers(two)].concat());
        let seats = self.wins.len();
        let mut same = true;
        for (seat, wins) in self.wins.iter_mut().enumerate() {
            let verdicts = (verdict(one, seat), verdict(two, get_or(theirs, seat)));
            same &= verdicts.0 == verdicts.1;
            wins.add(verdicts.0 == Verdict::Win, verdicts.1 == Verdict::Win);
        }
        self.results += u64::from(!same);
        if let (Some(one_order), Some(two_order)) = (one_notes.order(seats), two_notes.order(seats)) {
            for ((&a, &b), wins) in one_order.iter().zip(&two_order).zip(&mut self.places) {
                wins.add(verdict(one, a) == Verdict::Win, verdict(two, b) == Verdict::Win);
            }
            let ours = |seat: &usize| theirs.iter().position(|other| other == seat).unwrap_or(*seat);
            for first in [one_order.first().copied(), two_order.first().map(ours)].into_iter().flatten() {
                if let Some(count) = self.openers.get_mut(first) {
                    *count += 1;
                }
            }
        }
        self.draws.add(is_drawn(one), is_drawn(two));
        self.open.add(is_open(one), is_open(two));
        self.exhausted += [one, two].into_iter().map(|game| u64::from(is_exhausted(game))).sum::<u64>();
        self.unread += one_notes.unread + two_notes.unread;
    }

    /// Whether nothing is counted in more pairs than there are.
    pub(super) fn is_possible(&self) -> bool {
        let tables = self.wins.iter().chain(&self.places).chain([&self.draws, &self.open]);
        let counts = [self.courses, self.results, self.standings];
        tables.into_iter().all(|table| table.is_possible(self.pairs)) && counts.iter().all(|count| *count <= self.pairs)
    }

    /// Adds the totals of other pairs.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        self.pairs += other.pairs;
        self.courses += other.courses;
        self.results += other.results;
        self.standings += other.standings;
        self.numbers.merge(&other.numbers);
        for (mine, more) in self.wins.iter_mut().zip(&other.wins).chain(self.places.iter_mut().zip(&other.places)) {
            mine.merge(more);
        }
        self.draws.merge(&other.draws);
        self.open.merge(&other.open);
        self.exhausted += other.exhausted;
        self.unread += other.unread;
        for (mine, more) in self.openers.iter_mut().zip(&other.openers) {
            *mine += more;
        }
        self
    }
}

/// Plays the pairs with these numbers. `coupled` says whether the games of a pair share their random numbers as far
/// as possible; otherwise they are independent. `on_progress` receives the number of pairs done, from several threads.
pub fn play_pairs(
    sides: [Side<'_>; 2],
    plan: &Plan,
    coupled: bool,
    pairs: Range<u64>,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Pairs {
    let done = AtomicU64::new(0);
    let game = sides[0].engine.game();
    tasks(&pairs)
        .map_init(
            || ready(sides),
            |players, numbers| {
                let mut tally = Pairs::new(game);
                for number in numbers {
                    play_pair(sides, players, plan, coupled, number, &mut tally, &|| true);
                    on_progress(done.fetch_add(1, Memory::Relaxed) + 1);
                }
                tally
            },
        )
        .reduce(|| Pairs::new(game), |one, other| one.merge(&other))
}

/// Plays the pair with this number while `going`, asked before each answer, returns true; none if it was given up.
pub fn play_one_pair(
    sides: [Side<'_>; 2],
    plan: &Plan,
    coupled: bool,
    number: u64,
    going: &dyn Fn() -> bool,
) -> Option<Pairs> {
    let mut tally = Pairs::new(sides[0].engine.game());
    play_pair(sides, &mut ready(sides), plan, coupled, number, &mut tally, going).then_some(tally)
}

/// The runs of two games, each with its notes.
type Players<'a> = [(Box<dyn Run + 'a>, Notes<'a>); 2];

fn ready(sides: [Side<'_>; 2]) -> Players<'_> {
    sides.map(|side| (at_start(side.engine, side.start), Notes::new(side.engine)))
}

/// Plays a pair and adds it to the totals; false if it was given up.
fn play_pair(
    sides: [Side<'_>; 2],
    [(first, first_notes), (second, second_notes)]: &mut Players<'_>,
    plan: &Plan,
    coupled: bool,
    number: u64,
    tally: &mut Pairs,
    going: &dyn Fn() -> bool,
) -> bool {
    first.restore();
    second.restore();
    first_notes.clear();
    second_notes.clear();
    let reactions = plan.reactions.as_ref();
    // Bots that see the same decide the same, as long as the games are alike.
    let streams = if coupled { ["bot"; 2] } else { ["first bot", "second bot"] };
    let [bots, others] = [0, 1].map(|at| sides[at].bots(plan.seed, streams[at], number));
    let mut table = Table {
        first: RandomGame::new(sides[0].engine, first.as_mut(), plan.cap, reactions).seated(bots),
        second: RandomGame::new(sides[1].engine, second.as_mut(), plan.cap, reactions).seated(others),
        notes: [first_notes, second_notes],
        common: Stream::new(plan.seed, "pair", number),
        own: [Stream::new(plan.seed, "first", number), Stream::new(plan.seed, "second", number)],
        theirs: matched(sides[0].engine.game(), sides[1].engine.game()),
        apart: false,
        listings: 0,
    };
    let Some(stops) = table.play(coupled, going) else { return false };
    let theirs = std::mem::take(&mut table.theirs);
    let (one, two, apart) = table.end(stops);
    first_notes.end(first.as_ref());
    second_notes.end(second.as_ref());
    tally.add((&one, first_notes), (&two, second_notes), apart, &theirs);
    true
}

/// Two games in progress, side by side.
struct Table<'a, 'n, 'e> {
    first: RandomGame<'a>,
    second: RandomGame<'a>,
    notes: [&'n mut Notes<'e>; 2],
    /// The stream shared by both.
    common: Stream,
    /// The streams used by one game alone.
    own: [Stream; 2],
    /// Which seat of the second game each seat of the first is.
    theirs: Vec<usize>,
    /// Whether the courses differ.
    apart: bool,
    /// How many questions had their answers matched.
    listings: u32,
}

impl Table<'_, '_, '_> {
    /// Plays both to their ends; none if they are given up.
    fn play(&mut self, coupled: bool, going: &dyn Fn() -> bool) -> Option<[Stop; 2]> {
        let (mut first, mut second) = (self.first.question(), self.second.question());
        while going() {
            let order = self.first.plies().cmp(&self.second.plies());
            match (&first, &second) {
                (Err(one), Err(two)) => return Some([*one, *two]),
                (Ok(one), Ok(two)) if coupled && order == Ordering::Equal && one.ask_alike(two, &self.theirs) => {
                    self.both(one, two);
                    (first, second) = (self.first.question(), self.second.question());
                }
                (Ok(one), _) if second.is_err() || order != Ordering::Greater => {
                    let chosen = self.first.choose(one, &mut self.own[0]);
                    self.alone(0, &chosen);
                    first = self.first.question();
                }
                (_, Ok(two)) => {
                    let chosen = self.second.choose(two, &mut self.own[1]);
                    self.alone(1, &chosen);
                    second = self.second.question();
                }
                (Ok(_), Err(two)) => return Some([Stop::Watcher, *two]),
            }
        }
        None
    }

    /// The two games, and whether their courses differ.
    fn end(self, stops: [Stop; 2]) -> (Playout, Playout, bool) {
        (self.first.end(stops[0]), self.second.end(stops[1]), self.apart)
    }

    /// Only one game is asked this: the courses differ.
    fn alone(&mut self, which: usize, chosen: &Chosen) {
        self.apart = true;
        let course = if which == 0 { &mut self.first } else { &mut self.second };
        advance(course, self.notes[which], chosen);
    }

    /// Both games are asked the same.
    fn both(&mut self, one: &Question, two: &Question) {
        let (first, second) = if self.first.is_timed(one) || self.second.is_timed(two) {
            // The same reaction times, for as long as the same seats intend to act.
            let mut dice = self.common.fork("race");
            let mut same = dice.clone();
            (self.first.choose(one, &mut dice), self.second.choose(two, &mut same))
        } else if self.first.is_thought(one) || self.second.is_thought(two) {
            let [first, second] = &mut self.own;
            (self.first.choose(one, first), self.second.choose(two, second))
        } else {
            let (first, second) = self.draw(one.count, two.count);
            (Chosen::Legal(first), Chosen::Legal(second))
        };
        // Until the first difference all answers are compared, forced ones as well; after it, none need be.
        if !self.apart {
            self.apart = first.in_run(self.first.run()) != second.in_run(self.second.run());
        }
        advance(&mut self.first, self.notes[0], &first);
        advance(&mut self.second, self.notes[1], &second);
    }

    /// Draws an answer for each: each uniform, and equal as often as possible.
    fn draw(&mut self, many: usize, others: usize) -> (usize, usize) {
        if self.listings == LISTINGS {
            // The same relative position in both lists: uniform in each.
            let place = self.common.below(many.saturating_mul(others));
            return (place / others, place / many);
        }
        let first = self.common.below(many);
        let wanted = self.first.run().legal(first);
        if many == others && self.second.run().legal(first) == wanted {
            return (first, first);
        }
        self.listings += 1;
        let (ours, theirs) = (listed(self.first.run(), many), listed(self.second.run(), others));
        let same = theirs.iter().position(|mv| *mv == wanted);
        // A shared answer has probability 1/many in one game and 1/others in the other; it is kept with the smaller
        // of the two.
        if let Some(same) = same
            && (others <= many || self.common.below(others) < many)
        {
            return (first, same);
        }
        // The remaining probability mass of each answer, times many · others, has the same total in both games; it is
        // matched in the order of the answers.
        let lacking = |these: &[Option<Move>], those: &[Option<Move>], due: usize, other: usize| -> Vec<usize> {
            let those: HashSet<&Option<Move>> = those.iter().collect();
            these.iter().map(|mv| if those.contains(mv) { due.saturating_sub(other) } else { due }).collect()
        };
        let (lacks, others_lack) = (lacking(&ours, &theirs, others, many), lacking(&theirs, &ours, many, others));
        let mut place: usize = lacks[..first].iter().sum();
        place += self.common.below(lacks[first]);
        for (second, &lack) in others_lack.iter().enumerate() {
            if place < lack {
                return (first, second);
            }
            place -= lack;
        }
        (first, 0)
    }
}

impl Question {
    /// Whether another game is asked the same: the same seat, or chance. `theirs` says which seat of that game each of this one is.
    fn ask_alike(&self, other: &Self, theirs: &[usize]) -> bool {
        match (&self.ask, &other.ask) {
            (Ask::Choose { seat, .. }, Ask::Choose { seat: other, .. })
            | (Ask::Pick { seat, .. }, Ask::Pick { seat: other, .. }) => {
                get_or(theirs, usize::from(*seat)) == usize::from(*other)
            }
            (Ask::Race { .. }, Ask::Race { .. }) | (Ask::Chance { .. }, Ask::Chance { .. }) => true,
            (Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. } | Ask::Chance { .. } | Ask::Over, _) => false,
        }
    }
}

/// The scores and ranks at the end, in the order of other seats if one is given.
fn standing(game: &Playout, seats: Option<&[usize]>) -> Option<(Vec<i64>, Vec<u8>)> {
    let outcome = game.outcome.as_ref()?;
    Some(match seats {
        None => (outcome.scores.clone(), outcome.ranks.clone()),
        Some(seats) => (reordered(&outcome.scores, seats), reordered(&outcome.ranks, seats)),
    })
}

/// Values by seat in the order of other seats.
pub(super) fn reordered<T: Clone>(values: &[T], seats: &[usize]) -> Vec<T> {
    if values.len() < seats.len() { values.to_vec() } else { seats.iter().map(|&seat| values[seat].clone()).collect() }
}

fn get_or(seats: &[usize], seat: usize) -> usize {
    seats.get(seat).copied().unwrap_or(seat)
}

/// Which seat of another game each seat of a game is: the one of the same name, or, where the two have not the same names, the one
/// at the same place.
#[must_use]
pub fn matched(game: &Game, other: &Game) -> Vec<usize> {
    let by_name = |name: &str| other.seats.iter().position(|seat| seat.name == name);
    let found: Option<Vec<usize>> = game.seats.iter().map(|seat| by_name(&seat.name)).collect();
    found.filter(|seats| seats.len() == other.seats.len()).unwrap_or_else(|| (0..other.seats.len()).collect())
}

fn listed(run: &mut dyn Run, count: usize) -> Vec<Option<Move>> {
    (0..count).map(|n| run.legal(n)).collect()
}

fn advance(course: &mut RandomGame<'_>, notes: &mut Notes<'_>, chosen: &Chosen) {
    notes.take(course.run());
    course.play(chosen);
}
