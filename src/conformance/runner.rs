//! Running a case on an interpreter.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::Sources;
use crate::engine::Fast;
use crate::ir::{Game, RuleId, Seat, SeatId};
use crate::model::{Engine, Observation, Position, Verdict, Viewer};
use crate::notation;
use crate::reference::Walker;
use crate::say::Lang;
use crate::view::{self, Look};

use super::case::Step;
use super::outcome::{Failure, Outcome};

/// A position of more bytes is not shown with a failure: nobody reads it, and a file may have thousands of failures.
const SHOWN: usize = 1 << 19;

/// How many moves a failure names.
const NAMED: usize = 64;

/// The first of several texts, in quotes, and how many more there are.
fn several<'t>(texts: impl Iterator<Item = &'t &'t String>) -> String {
    let mut texts = texts.copied();
    let first: Vec<&String> = texts.by_ref().take(NAMED).collect();
    match texts.count() {
        0 => format!("{first:?}"),
        more => format!("{first:?} and {more} more"),
    }
}

/// The interpreters on which cases run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpreters {
    /// On the reference alone.
    Reference,
    /// On both; they must agree.
    Both,
}

/// A running case.
pub(super) struct Run<'a> {
    pub(super) engine: &'a Walker,
    /// The interpreter that must agree with it.
    pub(super) fast: Option<&'a Fast>,
    pub(super) game: &'a Game,
    pub(super) sources: &'a Sources,
    pub(super) position: Position,
    pub(super) conditions: &'a [String],
    pub(super) outcome: Outcome,
    pub(super) step: usize,
    /// The rules that the current step has used.
    pub(super) trace: Vec<RuleId>,
    /// The rules that the case has used.
    pub(super) used: BTreeSet<RuleId>,
    /// The rules by which something was refused.
    pub(super) refusing: BTreeSet<RuleId>,
    /// What is legal in this position, once a step has asked for it.
    pub(super) listed: Option<Listed>,
}

/// What is legal in a position.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// The moves as text, in order.
    pub(super) moves: Arc<Vec<String>>,
    /// The rules that they rely on.
    pub(super) rules: Vec<RuleId>,
}

impl Run<'_> {
    pub(super) fn fail(&mut self, message: String) {
        let whole = Observation::referee(&self.position);
        let small = self.position.bytes() <= SHOWN;
        let position = small.then(|| notation::print_position(self.engine, &whole));
        let board = if small { view::position(self.game, &whole, &Look::default()) } else { String::new() };
        let trace = view::rules_list(Lang::En, self.game, self.sources, &self.trace);
        self.outcome.add(Failure { step: self.step, message, position, board, trace });
    }

    /// The legal moves as text; the rules that they rely on are recorded.
    pub(super) fn moves(&mut self) -> Arc<Vec<String>> {
        let listed = self.listed.take().unwrap_or_else(|| {
            let legal = self.engine.legal(&self.position);
            if self.fast.is_some_and(|fast| fast.legal(&self.position) != legal) {
                self.fail("the interpreters disagree on what is legal".to_owned());
            }
            Listed { moves: Arc::new(self.written(&legal)), rules: self.grounds(&legal) }
        });
        self.touch(&listed.rules);
        self.touch_ask();
        let moves = Arc::clone(&listed.moves);
        self.listed = Some(listed);
        moves
    }

    pub(super) fn carry_out(&mut self, step: &Step) {
        if step.names_nothing() {
            self.fail(
                "the step names nothing of the game, so it cannot fail: say what is to be played, legal, seen or true"
                    .to_owned(),
            );
            return;
        }
        match step {
            Step::Play(moves) => {
                for text in moves {
                    if !self.legal(text, true) {
                        return;
                    }
                }
            }
            Step::Legal(moves) => {
                for text in moves {
                    self.legal(text, false);
                }
            }
            Step::Illegal(text, by) => self.illegal(text, by, true),
            Step::IllegalAmong(text, by) => self.illegal(text, by, false),
            Step::Only(moves) => {
                let wanted = self.once(moves);
                let found = self.moves();
                self.same("the legal moves", &wanted, &found);
            }
            Step::From(start, ends) => self.moves_from(start, ends),
            Step::Count(count) => {
                let found = self.moves().len();
                if found != *count {
                    self.fail(format!("{count} legal moves expected, found {found}"));
                }
            }
            Step::Asked(seat) => {
                self.touch_ask();
                let asked = self.position.asked().and_then(|seat| self.game.seats.get(seat));
                let found = asked.map_or("nobody", |seat| seat.name.as_str()).to_owned();
                if found != *seat {
                    self.fail(format!("`{seat}` should be asked, but `{found}` is"));
                }
            }
            Step::Sees(viewer, segments) => self.sees(viewer, segments),
            Step::Holds(list) => self.test(list, true),
            Step::Fails(list) => self.test(list, false),
            Step::GoesOn => {
                if self.position.is_over() {
                    self.fail(format!("the game should go on, but is over: {}", self.result()));
                }
            }
            Step::Won(winners, by) => {
                let found: Vec<String> = self.named(|verdict| verdict == Verdict::Win);
                self.ended(by);
                self.same("the winners", winners, &found);
            }
            Step::Drawn(by) => {
                self.ended(by);
                let drawn = self.named(|verdict| verdict == Verdict::Draw);
                if drawn.is_empty() {
                    self.fail(format!("a draw was expected: {}", self.result()));
                }
            }
            Step::Ranks(ranks) => {
                for (seat, rank) in ranks {
                    if !self.is_seat(seat) {
                        continue;
                    }
                    let found = self.seat(seat).and_then(|seat| self.position.standing.get(seat).copied());
                    let found = match (found, &self.position.outcome) {
                        (_, Some(outcome)) => self.seat(seat).and_then(|seat| outcome.ranks.get(seat).copied()),
                        (Some(crate::model::Standing::Ranked(rank)), None) => Some(rank),
                        (Some(crate::model::Standing::Playing) | None, None) => None,
                    };
                    if found != Some(*rank) {
                        self.fail(format!("`{seat}` should have rank {rank}, but has {}", shown(found)));
                    }
                }
            }
            Step::Scores(scores) => {
                for (seat, score) in scores {
                    if !self.is_seat(seat) {
                        continue;
                    }
                    let outcome = self.position.outcome.as_ref();
                    let found = outcome.zip(self.seat(seat)).and_then(|(outcome, seat)| outcome.score(seat));
                    if found != Some(*score) {
                        self.fail(format!("`{seat}` should have {score} points, but has {}", shown(found)));
                    }
                }
            }
            Step::Granted(text) => self.answer(text, None),
            Step::Refused(text, by) => self.answer(text, Some(by)),
        }
    }

    fn seat(&self, name: &str) -> Option<usize> {
        self.game.seats.iter().position(|seat| seat.name == name)
    }

    /// Whether there is a seat of this name; else that is said.
    fn is_seat(&mut self, name: &str) -> bool {
        let found = self.seat(name).is_some();
        if !found {
            self.no_seat(name, "");
        }
        found
    }

    fn no_seat(&mut self, name: &str, besides: &str) {
        let seats: Vec<&str> = self.game.seats.iter().map(|seat| seat.name.as_str()).collect();
        self.fail(format!("there is no seat `{name}`: the seats are {}{besides}", seats.join(", ")));
    }

    /// A list in order, of which nothing may be named twice: it stands for what there is.
    pub(super) fn once(&mut self, texts: &[String]) -> Vec<String> {
        let mut sorted = texts.to_vec();
        sorted.sort();
        let twice: Vec<String> =
            sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect();
        for text in twice {
            self.fail(format!("`{text}` is named twice"));
        }
        sorted
    }

    pub(super) fn same(&mut self, what: &str, wanted: &[String], found: &[String]) {
        let [wanted, found] = [wanted, found].map(|list| list.iter().collect::<BTreeSet<&String>>());
        let (missing, extra) = (several(wanted.difference(&found)), several(found.difference(&wanted)));
        if wanted != found {
            self.fail(format!("{what}: missing {missing}, not expected {extra}"));
        }
    }

    fn legal(&mut self, text: &str, play: bool) -> bool {
        match notation::find_move(self.engine, &self.position, text) {
            Err(error) => self.fail(format!("`{text}` is not a move: {error}")),
            Ok(mv) => {
                if let Some(refusal) = self.engine.explain().refusal(&self.position, &mv) {
                    let why = view::refusal(Lang::En, self.game, self.sources, text, &refusal, view::Detail::Rules);
                    self.fail(format!("`{text}` should be legal: {why}"));
                } else {
                    if play {
                        self.trace.clear();
                    }
                    let trace = if play {
                        self.engine.explain().trace(&self.position, &mv)
                    } else {
                        self.engine.explain().legality(&self.position, &mv)
                    };
                    self.touch(&trace);
                    if play {
                        // A position made up for a case may violate invariants; a move must not introduce violations.
                        let before = self.engine.violations(&self.position).broken;
                        let next = self.engine.play_unchecked(&self.position, &mv);
                        if self.fast.is_some_and(|fast| fast.play_unchecked(&self.position, &mv) != next) {
                            self.fail(format!("`{text}`: the interpreters disagree on what follows"));
                        }
                        self.position = self.settled(next);
                        self.listed = None;
                        self.touch_kinds();
                        self.touch_invariants();
                        let found = self.engine.violations(&self.position);
                        let broken = found.broken.iter().filter(|rule| !before.contains(rule));
                        let broken = broken.map(|rule| (rule, "does not hold"));
                        let spent = found.spent.iter().map(|rule| (rule, "takes more steps than the step budget"));
                        let first = broken.chain(spent).next();
                        if let Some((rule, what)) =
                            first.and_then(|(rule, what)| Some((self.game.rules.get(*rule)?, what)))
                        {
                            let name = rule.name.clone();
                            self.fail(format!("after `{text}` the invariant `{name}` {what}"));
                            return false;
                        }
                    }
                    return true;
                }
            }
        }
        false
    }

    fn illegal(&mut self, text: &str, by: &[String], exactly: bool) {
        // A text that is no move of this game (a site that does not exist) is refused too, but by no rule.
        match notation::find_move(self.engine, &self.position, text) {
            Err(_) if by.is_empty() && self.stands(text) => {
                self.fail(format!("`{text}` should be refused, but is a claim or offer that is accepted"));
            }
            Err(_) if by.is_empty() => {}
            Err(error) => self.fail(format!("`{text}` should be refused by a rule, but is not a move: {error}")),
            Ok(mv) => match self.engine.explain().refusal(&self.position, &mv) {
                None => self.fail(format!("`{text}` should be refused, but is legal")),
                Some(_) if self.fast.is_some_and(|fast| fast.legal(&self.position).contains(&mv)) => {
                    self.fail(format!("`{text}`: the interpreters disagree on whether it is legal"));
                }
                Some(refusal) if exactly => self.blamed(text, by, &refusal.rules),
                Some(refusal) => self.blamed_among(text, by, &refusal.rules),
            },
        }
    }

    /// Checks that a refusal names these clauses and no others.
    pub(super) fn blamed(&mut self, text: &str, by: &[String], rules: &[RuleId]) {
        self.touch_refusal(rules);
        let mut wanted: Vec<&str> = by.iter().map(String::as_str).collect();
        let mut named = self.game.forbidding(rules);
        wanted.sort_unstable();
        named.sort_unstable();
        if wanted != named {
            self.fail(format!("`{text}`: the refusal should name {wanted:?}, but names {named:?}"));
        }
    }

    /// Checks that a refusal names these clauses, and perhaps others.
    fn blamed_among(&mut self, text: &str, by: &[String], rules: &[RuleId]) {
        self.touch_refusal(rules);
        let named = self.game.forbidding(rules);
        if by.is_empty() || !by.iter().all(|clause| named.contains(&clause.as_str())) {
            self.fail(format!("`{text}`: the refusal should name {by:?} among others, but names {named:?}"));
        }
    }

    fn ended(&mut self, by: &[String]) {
        if !self.position.is_over() {
            self.fail("the game should be over, but goes on".to_owned());
            return;
        }
        let rules = self.position.ended_by();
        self.touch(&rules);
        let mut named = self.position.outcome.as_ref().map(|outcome| outcome.clauses(self.game)).unwrap_or_default();
        let mut wanted: Vec<&str> = by.iter().map(String::as_str).collect();
        wanted.sort_unstable();
        named.sort_unstable();
        if wanted != named {
            self.fail(format!("the end should be by {wanted:?}, but is by {named:?}"));
        }
    }

    fn named(&self, wanted: impl Fn(Verdict) -> bool) -> Vec<String> {
        let Some(outcome) = &self.position.outcome else {
            return Vec::new();
        };
        let seats = outcome.verdicts.iter().zip(&self.game.seats);
        seats.filter(|(verdict, _)| wanted(**verdict)).map(|(_, seat)| seat.name.clone()).collect()
    }

    fn sees(&mut self, viewer: &str, segments: &[String]) {
        let viewer = match self.seat(viewer).map(SeatId::new) {
            Some(seat) => Viewer::Seat(seat),
            None if viewer == "-" => Viewer::Spectator,
            None => {
                self.no_seat(viewer, "; `-` is a spectator");
                return;
            }
        };
        let seen = self.engine.explain().observation(&self.position, viewer);
        let text = notation::print_position(self.engine, &seen);
        let found: Vec<&str> = text.split('|').map(str::trim).collect();
        for segment in segments.iter().filter(|segment| !found.contains(&segment.as_str())) {
            self.fail(format!("`{segment}` should be seen, but what is seen is {text}"));
        }
    }

    fn result(&self) -> String {
        let Some(outcome) = &self.position.outcome else { return "the game goes on".to_owned() };
        let became = |(seat, verdict): (&Seat, &Verdict)| {
            let verdict = match verdict {
                Verdict::Win => "has won",
                Verdict::Loss => "has lost",
                Verdict::Draw => "has a draw",
                Verdict::Open => "has no result",
            };
            format!("{} {verdict}", seat.name)
        };
        let seats: Vec<String> = self.game.seats.iter().zip(&outcome.verdicts).map(became).collect();
        seats.join(", ")
    }
}

fn shown<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}
