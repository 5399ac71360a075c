//! Lints found by play: rules that no game uses, games that do not end, invariants that are violated, and legal moves
//! that reveal to a seat what it does not see. Also what makes a game slow because it is not lowered.
//!
//! Random games are played in every setup worth looking at, on the reference interpreter, whose trace names the rules
//! used. A rule that no game of any setup used is reported once, at the outermost construct that went unused. A
//! warning is not a proof: the more games, the stronger the evidence. An invariant is proved violated by the game
//! that violated it.
//!
//! **Invariant:** the same seed and budget give the same reports.

mod alike;
mod findings;
mod slow;

use alike::COMPARED;
pub use slow::unlowered;

use std::collections::BTreeMap;

use crate::base::{SaturatingFrom, Span};
use crate::ir::{ActionRef, Game, Header, Move, RuleId, RuleKind, SeatId, Stmt, StmtKind};
use crate::load::{Files, RuleFile, Setup};
use crate::model::{Ask, Ending, Engine, Meter, Position, StmtRef, Verdict};
use crate::play::{Reactions, Stream, random_move};
use crate::reference::Walker;
use crate::report::Reports;

/// How many games to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of games in each setup.
    pub games: u64,
    /// The maximum number of moves per game.
    pub cap: u32,
    /// The seed.
    pub seed: u64,
    /// The steps that all games may take together.
    pub steps: u64,
}

/// What random games found.
#[derive(Debug, Default)]
pub struct Found {
    /// What is reported.
    pub reports: Reports,
    /// Whether the steps were spent before all games were played. What was never used is then not known.
    pub unfinished: bool,
}

/// How far the games are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of games in each setup.
    pub games: usize,
    /// The games played in this setup.
    pub game: usize,
    /// The number of setups.
    pub setups: usize,
    /// The setups that are done.
    pub setup: usize,
}

/// What may never be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    /// A statement or a part of one.
    Rule,
    End,
    Action,
    Phase,
    Kind,
}

/// What happened to one rule, kind or other construct in all setups.
#[derive(Clone, Copy, Debug)]
struct Seen {
    thing: Thing,
    used: bool,
}

/// What all games together used. Setups number their rules differently, so constructs are identified by their places
/// in the source.
#[derive(Debug, Default)]
struct Tally {
    /// By place: the name, and whether it was used.
    things: BTreeMap<Span, (String, Seen)>,
    /// Games played, and games that ended.
    played: u64,
    ended: u64,
    /// Games that took too many steps.
    stopped: u64,
    /// The number of setups, and of those in which games ended but never with a result.
    setups: u64,
    hollow: u64,
    play: Option<Span>,
    /// By place: a construct whose legality depends on what its seat does not see, and the first game that showed it.
    telling: BTreeMap<Span, (String, String)>,
    /// By place: the name of a violated invariant, and the first game that violated it.
    broken: BTreeMap<Span, (String, String)>,
    /// The same of an invariant that takes too long to test.
    untested: BTreeMap<Span, (String, String)>,
}

/// Plays a rule file and warns about what was never used. The file must check; otherwise nothing is reported.
#[must_use]
pub fn lint(name: &str, text: &str, files: &dyn Files, budget: Budget, told: &dyn Fn(&Progress)) -> Found {
    let mut tally = Tally::default();
    let rules = RuleFile::read(name, text, files);
    let setups = rules.setups();
    let games = usize::saturating_from(budget.games);
    let meter = Meter::new(budget.steps);
    let mut seen = 0;
    for (done, (setup, loaded)) in rules.loads(&setups).enumerate() {
        seen += 1;
        let told = |game: usize| told(&Progress { games, game, setups: setups.len(), setup: done });
        if let Some(game) = loaded.game {
            tally.play_all(&Walker::new(game).metered(&meter), setup, budget, &told);
        }
        if meter.is_spent() {
            break;
        }
    }
    let unfinished = meter.is_spent() || seen < setups.len();
    if unfinished {
        tally.give_up();
    }
    let mut reports = tally.reports(budget);
    reports.append(unlowered(name, text, files));
    Found { reports, unfinished }
}

impl Tally {
    /// Keeps what is proved by a single game.
    fn give_up(&mut self) {
        let Self { telling, broken, untested, .. } = std::mem::take(self);
        *self = Self { telling, broken, untested, ..Self::default() };
    }

    fn play_all(&mut self, engine: &Walker, setup: &Setup, budget: Budget, progress: &dyn Fn(usize)) {
        let game = engine.game();
        let kinds = self.declare(game);
        self.note(game, &engine.explain().first_trace());
        let (mut ended, mut decided) = (0, 0);
        for number in 0..budget.games {
            // What is not played proves nothing.
            if is_spent(engine) {
                break;
            }
            progress(usize::saturating_from(number));
            let mut dice = Stream::new(budget.seed, "lint", number);
            let mut alike = Stream::new(budget.seed, "alike", number);
            let mut position = engine.start();
            let (mut moves, mut room) = (0, COMPARED);
            self.note_kinds(&kinds, &position);
            let occasion = |moves: u32| {
                let plural = if moves == 1 { "" } else { "s" };
                let Budget { games, seed, .. } = budget;
                let (game, setup) = (number.saturating_add(1), told(setup));
                format!("in game {game} of {games}, after {moves} move{plural} (seed {seed}{setup})")
            };
            self.test(engine, &position, || occasion(0));
            while !position.is_over() && moves < budget.cap {
                if room > 0 {
                    let listed = self.compare(engine, &position, &mut alike, || occasion(moves));
                    // What each of many seats has chosen in secret is drawn anew for each of the others.
                    room = room.saturating_sub(listed * game.seats.len());
                }
                let Some(mv) = any_move(engine, &position, &mut dice) else { break };
                let shuffles = position.shuffles_on();
                if !shuffles {
                    self.note(game, &engine.explain().trace(&position, &mv));
                }
                position = engine.play_owned(position, &mv);
                if !shuffles {
                    self.note_kinds(&kinds, &position);
                }
                moves += 1;
                self.test(engine, &position, || occasion(moves));
            }
            self.played += 1;
            ended += u64::from(position.is_over());
            let stopped =
                position.outcome.as_ref().map_or(moves < budget.cap, |end| matches!(end.ending, Ending::Budget(_)));
            self.stopped += u64::from(stopped);
            let told = |verdict: &Verdict| *verdict != Verdict::Open;
            decided += u64::from(position.outcome.is_some_and(|outcome| outcome.verdicts.iter().any(told)));
        }
        self.ended += ended;
        self.setups += 1;
        self.hollow += u64::from(ended > 0 && decided == 0);
    }

    /// Records the invariants that are violated.
    fn test(&mut self, engine: &Walker, position: &Position, occasion: impl Fn() -> String) {
        let found = engine.violations(position);
        if is_spent(engine) {
            return;
        }
        for (rules, known) in [(found.broken, &mut self.broken), (found.spent, &mut self.untested)] {
            for rule in rules.into_iter().filter_map(|rule| engine.game().rules.get(rule)) {
                known.entry(rule.span).or_insert_with(|| (rule.name.clone(), occasion()));
            }
        }
    }

    /// Declares what this game could use; returns the places of its kinds.
    fn declare(&mut self, game: &Game) -> Vec<Span> {
        let place = |rule: RuleId| game.rules.get(rule).map(|rule| rule.span);
        self.play = self.play.or_else(|| {
            game.rules.iter().find(|rule| rule.kind == RuleKind::Fact && rule.name == "play").map(|rule| rule.span)
        });
        // Claims and offers are not played at random.
        let beside: Vec<&str> = (game.claims.iter().map(|claim| claim.action.name.as_str()))
            .chain(game.offers.iter().map(|offer| offer.name.as_str()))
            .collect();
        for rule in &game.rules {
            let watched =
                matches!(rule.kind, RuleKind::Path | RuleKind::Guard | RuleKind::Choose | RuleKind::Statement);
            if watched && !beside.contains(&rule.name.as_str()) {
                self.add(Some(rule.span), Thing::Rule, &rule.name);
            }
        }
        for end in &game.ends {
            self.add(place(end.rule), Thing::End, &end.name);
        }
        for action in &game.actions {
            self.add(place(action.rule), Thing::Action, &action.name);
            for line in &action.head {
                // Parameters are chosen and guards hold whenever the action is played.
                if let Header::Choose(choice) = line {
                    self.drop(place(choice.rule));
                }
                if let Header::Let(_, _, rule)
                | Header::Late(_, _, rule)
                | Header::Require(_, rule)
                | Header::Prefer(_, rule) = line
                {
                    self.drop(place(*rule));
                }
            }
            for (_, rule) in &action.ensure {
                self.drop(place(*rule));
            }
        }
        for stmt in game.blocks.iter().flat_map(|block| &block.stmts) {
            if let StmtKind::Phase(number, _) = &stmt.kind {
                let name = game.phases.get(*number).map_or("", String::as_str);
                self.drop(place(stmt.rule));
                self.add(place(stmt.rule), Thing::Phase, name);
            }
        }
        let kinds: Vec<Span> = game.kinds.iter().filter_map(|kind| place(kind.rule)).collect();
        for (kind, span) in game.kinds.iter().zip(&kinds) {
            self.add(Some(*span), Thing::Kind, &kind.name);
        }
        kinds
    }

    fn add(&mut self, place: Option<Span>, thing: Thing, name: &str) {
        if let Some(span) = place.filter(|span| span.end > span.start) {
            self.things.entry(span).or_insert_with(|| (name.to_owned(), Seen { thing, used: false }));
        }
    }

    fn drop(&mut self, place: Option<Span>) {
        if let Some(span) = place
            && self.things.get(&span).is_some_and(|(_, seen)| seen.thing == Thing::Rule)
        {
            self.things.remove(&span);
        }
    }

    fn saw(&mut self, span: Span) {
        if let Some((_, seen)) = self.things.get_mut(&span) {
            seen.used = true;
        }
    }

    fn note(&mut self, game: &Game, rules: &[RuleId]) {
        for rule in rules {
            if let Some(rule) = game.rules.get(*rule) {
                self.saw(rule.span);
            }
        }
    }

    fn note_kinds(&mut self, kinds: &[Span], position: &Position) {
        let pieces = position.sites.iter().flatten().chain(position.zones.iter().flatten().flatten());
        for piece in pieces {
            if let Some(span) = kinds.get(usize::from(piece.kind)) {
                self.saw(*span);
            }
        }
    }
}

/// Whether the last answer may be cut short.
fn is_spent(engine: &Walker) -> bool {
    engine.meter().is_some_and(Meter::is_spent)
}

/// Any move; in two of three races what may be legal at some later time only: whatever its seats do first, or any act as soon as it
/// is legal. None if there is none, or if that takes too many steps to find out.
fn any_move(engine: &Walker, position: &Position, dice: &mut Stream) -> Option<Move> {
    if let Ask::Race { at } = position.ask {
        match dice.below(3) {
            0 if !engine.game().cues.is_empty() => return Reactions::default().first(engine, position, dice),
            1 => {
                if let Some(act) = soon(engine, position, at, dice)? {
                    return Some(act);
                }
            }
            _ => {}
        }
    }
    random_move(engine, position, dice)
}

/// Some act of some seat in a race, at the first moment at which it is legal; none if that is never, and an outer none if that takes
/// too many steps to find out.
fn soon(engine: &Walker, position: &Position, at: StmtRef, dice: &mut Stream) -> Option<Option<Move>> {
    let game = engine.game();
    let Some(StmtKind::Race { group, .. }) = stmt_at(game, at).map(|stmt| &stmt.kind) else { return Some(None) };
    let Some(ActionRef::Action(action) | ActionRef::Race(action)) = group.get(dice.below(group.len())) else {
        return Some(None);
    };
    let seat = SeatId::new(dice.below(game.seats.len()));
    let wanted = [(std::iter::once(usize::from(*action)).collect(), position.now.saturating_add(1))];
    let mut acts = engine.explain().first_acts(position, seat, &wanted, None).0?;
    if acts.is_empty() {
        return Some(None);
    }
    let act = acts.swap_remove(dice.below(acts.len()));
    Some(engine.explain().refusal(position, &act).is_none().then_some(act))
}

fn stmt_at(game: &Game, (block, number): StmtRef) -> Option<&Stmt> {
    game.blocks.get(block)?.stmts.get(usize::from(number))
}

/// A setup in words, to be appended to a sentence.
fn told(setup: &Setup) -> String {
    let players = setup.players.map(|players| format!(", {players} players"));
    let variants = setup.variants.iter().map(|variant| format!(", variant {variant}"));
    let readings = setup.readings.iter().map(|(name, value)| format!(", reading {name}={value}"));
    let options = setup.options.iter().map(|(name, value)| format!(", {name}={value}"));
    players.into_iter().chain(variants).chain(readings).chain(options).collect()
}
