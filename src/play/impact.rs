//! How changed rules affect a recorded game.
//!
//! A record is replayed under both sets of rules side by side, and everything observable is compared at every step:
//! the position, the question, the legal moves, the outcome.

use std::collections::BTreeSet;

use super::matches::{Match, Step};
use super::record::{Record, ReplayError, read_step};
use crate::ir::{Game, Header, Kind, Move, RuleId, RuleKind, Ty};
use crate::model::{Ask, Engine, Observation, Outcome, Position, Refusal};
use crate::notation::{NotationError, find_move, parse_position, print_move, print_position};

/// How other rules affect a game.
#[derive(Clone, Debug)]
pub struct Impact {
    /// How many steps the record has.
    pub steps: usize,
    /// The first difference, if there is any.
    pub first: Option<Difference>,
    /// The first difference that changes the course of the game; different legal moves alone do not.
    pub breaks: Option<Difference>,
}

/// A difference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// How many steps agreed before it.
    pub step: usize,
    /// How many plies had been made by then.
    pub ply: u32,
    /// What differs.
    pub change: Change,
    /// The new rules it relies on, the most relevant first.
    pub new_rules: Vec<RuleId>,
    /// The old rules it relies on.
    pub old_rules: Vec<RuleId>,
}

/// What differs.
#[derive(Clone, Debug)]
pub enum Change {
    /// The position: the segments of its text that disappeared, and those that appeared.
    Position {
        /// Under the old rules only.
        gone: Vec<String>,
        /// Under the new rules only.
        come: Vec<String>,
    },
    /// Another seat is to act, or another kind of answer is expected.
    Asked {
        /// Under the old rules: the kind of question and the seat.
        old: String,
        /// Under the new rules.
        new: String,
    },
    /// The legal moves.
    Moves {
        /// Those that are no longer legal.
        gone: Vec<String>,
        /// Those that have become legal.
        come: Vec<String>,
    },
    /// The step that was taken is no longer legal.
    Refused {
        /// The step.
        text: String,
        /// The reason.
        refusal: Refusal,
    },
    /// The step that was taken can no longer be parsed.
    Unread {
        /// The step.
        text: String,
        /// The reason.
        error: NotationError,
    },
    /// The outcome, or whether there is one.
    Outcome {
        /// Under the old rules.
        old: Option<Outcome>,
        /// Under the new rules.
        new: Option<Outcome>,
    },
}

impl Change {
    /// As a word, for programs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Position { .. } => "position",
            Self::Asked { .. } => "asked",
            Self::Moves { .. } => "moves",
            Self::Refused { .. } => "refused",
            Self::Unread { .. } => "unread",
            Self::Outcome { .. } => "outcome",
        }
    }
}

/// How the new rules affect a game that was played under the old ones.
///
/// # Errors
/// If the record cannot be replayed under the old rules.
pub fn impact(old: &dyn Engine, new: &dyn Engine, record: &Record) -> Result<Impact, ReplayError> {
    let mut before = Match::new(old, record.start(old)?);
    let mut found = Impact { steps: record.steps.len(), first: None, breaks: None };
    let named = named_alike(old.game(), new.game());
    let mut after = match &record.position {
        None => Match::new(new, new.start()),
        Some(text) => match parse_position(new, &renamed(text, old, new)) {
            Ok(position) => Match::new(new, position),
            Err(error) => {
                let change = Change::Unread { text: text.clone(), error };
                note(&mut found, Difference { step: 0, ply: 0, change, new_rules: Vec::new(), old_rules: Vec::new() });
                return Ok(found);
            }
        },
    };
    compare(&before, &after, named, &mut found);
    for text in &record.steps {
        if found.breaks.is_some() {
            break;
        }
        let (step, ply) = (before.steps().len(), before.position().ply);
        let passing = before.is_shuffling() && after.is_shuffling();
        Record::play_next(&mut before, text)?;
        let at = |change, new_rules| Difference { step, ply, change, new_rules, old_rules: Vec::new() };
        let taken = match read_step(new, after.position(), text) {
            Ok(taken) => taken,
            Err(error) => {
                note(&mut found, at(Change::Unread { text: text.clone(), error }, Vec::new()));
                break;
            }
        };
        if let Err(refusal) = after.play(taken) {
            let rules = refusal.rules.clone();
            note(&mut found, at(Change::Refused { text: text.clone(), refusal }, rules));
            break;
        }
        // Between the cards of a shuffle no rule is used: what came before it and what it has come to is compared.
        if !(passing && before.position().shuffles_on() && after.position().shuffles_on()) {
            compare(&before, &after, named, &mut found);
        }
    }
    Ok(found)
}

/// A position's text with the name of the old game replaced by that of the new one, which is no difference.
fn renamed(text: &str, old: &dyn Engine, new: &dyn Engine) -> String {
    match text.strip_prefix(&old.game().name) {
        Some(rest) => format!("{}{rest}", new.game().name),
        None => text.to_owned(),
    }
}

fn note(found: &mut Impact, difference: Difference) {
    if !matches!(difference.change, Change::Moves { .. }) {
        found.breaks.get_or_insert_with(|| difference.clone());
    }
    found.first.get_or_insert(difference);
}

/// What is in the first list only, and what in the second only.
fn apart(old: &[String], new: &[String]) -> (Vec<String>, Vec<String>) {
    if old == new {
        return (Vec::new(), Vec::new());
    }
    let without = |list: &[String], other: &[String]| {
        let other: BTreeSet<&String> = other.iter().collect();
        list.iter().filter(|text| !other.contains(text)).cloned().collect()
    };
    (without(old, new), without(new, old))
}

/// Whether all that lies in a position, and all actions with what they choose, are called the same under both rules, so that
/// equal values are written alike.
fn named_alike(old: &Game, new: &Game) -> bool {
    let of_actions = |game: &Game| {
        let chosen = |line: &Header| {
            let Header::Choose(choice) = line else { return None };
            game.slots.get(choice.slot).map(|slot| slot.ty.clone())
        };
        let actions = game.actions.iter().map(|one| (one.name.clone(), one.head.iter().filter_map(chosen).collect()));
        actions.collect::<Vec<(String, Vec<Ty>)>>()
    };
    let of_kinds = |game: &Game| {
        let fields = |kind: &Kind| kind.fields.iter().map(|field| (field.name.clone(), field.ty.clone())).collect();
        let kinds = game.kinds.iter().map(|kind| (kind.name.clone(), kind.owned, fields(kind)));
        kinds.collect::<Vec<(String, bool, Vec<(String, Ty)>)>>()
    };
    old.seats.iter().map(|seat| &seat.name).eq(new.seats.iter().map(|seat| &seat.name))
        && old
            .enums
            .iter()
            .map(|one| (&one.name, &one.members))
            .eq(new.enums.iter().map(|one| (&one.name, &one.members)))
        && of_kinds(old) == of_kinds(new)
        && of_actions(old) == of_actions(new)
        && old.tokens.iter().map(|one| (&one.name, one.owned)).eq(new.tokens.iter().map(|one| (&one.name, one.owned)))
        && old.topology.sites.iter().map(|site| &site.name).eq(new.topology.sites.iter().map(|site| &site.name))
        && old.topology.directions.iter().map(|one| &one.name).eq(new.topology.directions.iter().map(|one| &one.name))
        && old
            .zones
            .iter()
            .map(|one| (&one.name, &one.indices))
            .eq(new.zones.iter().map(|one| (&one.name, &one.indices)))
        && (old.vars.iter().map(|one| (&one.name, &one.ty, &one.indices)))
            .eq(new.vars.iter().map(|one| (&one.name, &one.ty, &one.indices)))
        && old.phases.iter().eq(new.phases.iter())
        && old.offers.iter().map(|offer| &offer.name).eq(new.offers.iter().map(|offer| &offer.name))
}

/// Whether two positions under rules that name all alike have the same parts, without writing them out.
fn same_parts(was: &Position, is: &Position) -> bool {
    (was.mover, was.ply, was.turn, was.now) == (is.mover, is.ply, is.turn, is.now)
        && (was.next_mover, was.phase) == (is.next_mover, is.phase)
        && (&was.standing, &was.offers) == (&is.standing, &is.offers)
        && (&was.sites, &was.tokens) == (&is.sites, &is.tokens)
        && (&was.zones, &was.vars) == (&is.zones, &is.vars)
}

/// Compares two games after the same steps; `named` says whether equal values are written alike.
fn compare(before: &Match<'_>, after: &Match<'_>, named: bool, found: &mut Impact) {
    let (old, new) = (before.engine(), after.engine());
    let (was, is) = (before.position(), after.position());
    let steps = before.steps().len();
    // Under the same rules what is the same means the same, and need not be written out.
    if old.game().digest == new.game().digest && was == is {
        return;
    }
    let mut differs = |step: usize, change, old_rules, new_rules| {
        let ply = before.since(step).next().map_or(was.ply, |(position, _)| position.ply);
        note(found, Difference { step, ply, change, new_rules, old_rules });
    };
    // A different outcome belongs to the last step; any other difference comes after it.
    let last = steps.saturating_sub(1);
    let result =
        |outcome: &Option<Outcome>| outcome.clone().map(|outcome| (outcome.verdicts, outcome.ranks, outcome.scores));
    if result(&was.outcome) != result(&is.outcome) {
        let change = Change::Outcome { old: was.outcome.clone(), new: is.outcome.clone() };
        return differs(last, change, was.ended_by(), is.ended_by());
    }
    let asked = |engine: &dyn Engine, position: &Position| {
        let seat = position.asked().and_then(|seat| engine.game().seats.get(seat));
        format!("{} {}", position.ask.word(), seat.map_or("", |seat| &seat.name)).trim_end().to_owned()
    };
    if asked(old, was) != asked(new, is) {
        let (old_rules, new_rules) = by(before, after);
        return differs(last, Change::Asked { old: asked(old, was), new: asked(new, is) }, old_rules, new_rules);
    }
    let alike = named && same_parts(was, is);
    let (gone, come) = if alike { Default::default() } else { apart(&seen(old, was), &seen(new, is)) };
    if !gone.is_empty() || !come.is_empty() {
        let (old_rules, new_rules) = by(before, after);
        return differs(last, Change::Position { gone, come }, old_rules, new_rules);
    }
    let written = |engine: &dyn Engine, position: &Position, moves: &[Move]| {
        moves.iter().map(|mv| print_move(engine.game(), position, mv)).collect::<Vec<_>>()
    };
    let (may, can) = (old.legal(was), new.legal(is));
    // What is picked within an action may be of another type.
    let alike = named && may == can && !matches!(was.ask, Ask::Pick { .. } | Ask::Chance { .. });
    let (gone, come) =
        if alike { Default::default() } else { apart(&written(old, was, &may), &written(new, is, &can)) };
    if !gone.is_empty() || !come.is_empty() {
        let refused = |engine: &dyn Engine, position: &Position, texts: &[String]| {
            let mv = texts.first().and_then(|text| find_move(engine, position, text).ok());
            mv.and_then(|mv| engine.explain().refusal(position, &mv)).map_or_else(Vec::new, |refusal| refusal.rules)
        };
        let (old_rules, new_rules) = (refused(old, was, &come), refused(new, is, &gone));
        differs(steps, Change::Moves { gone, come }, old_rules, new_rules);
    }
}

/// The parts of a position's text that mean the same under any rules: without the control stack and the name of the
/// game.
fn seen(engine: &dyn Engine, position: &Position) -> Vec<String> {
    let text = print_position(engine, &Observation::referee(position));
    let inner = ["at=", "ask=", "actor=", "local.", "history=", "result="];
    let parts = text.split(" | ").skip(1).filter(|part| !inner.iter().any(|word| part.starts_with(word)));
    parts.map(str::to_owned).collect()
}

/// What identifies a rule across rule sets: its kind, name and clauses.
type RuleIdentity = (RuleKind, String, Vec<String>);

/// The rules that the last step relied on in only one of the two games; where there are none, the statements that
/// carried it out in only one.
fn by(before: &Match<'_>, after: &Match<'_>) -> (Vec<RuleId>, Vec<RuleId>) {
    let trace = |game: &Match<'_>| match game.steps().len().checked_sub(1).and_then(|last| game.since(last).next()) {
        Some((position, Step::Move(mv))) => game.engine().explain().trace(&position, mv),
        Some((position, Step::Answer(answer))) => game.engine().explain().answer_trace(&position, answer),
        None => game.engine().explain().first_trace(),
    };
    let face = |game: &Match<'_>, rule: RuleId| -> Option<RuleIdentity> {
        let rule = game.engine().game().rules.get(rule)?;
        Some((rule.kind, rule.name.clone(), rule.clauses.clone()))
    };
    let (old, new) = (trace(before), trace(after));
    let only = |these: &[RuleId], game: &Match<'_>, others: &[RuleId], other: &Match<'_>| -> Vec<RuleId> {
        let faces: Vec<Option<RuleIdentity>> = others.iter().map(|&rule| face(other, rule)).collect();
        these.iter().copied().filter(|&rule| !faces.contains(&face(game, rule))).collect()
    };
    let (gone, come) = (only(&old, before, &new, after), only(&new, after, &old, before));
    if !gone.is_empty() || !come.is_empty() {
        return (gone, come);
    }
    let rules = &after.engine().game().rules;
    let statement = |rule: &RuleId| rules.get(*rule).is_some_and(|rule| rule.kind == RuleKind::Statement);
    (Vec::new(), new.into_iter().filter(statement).collect())
}
