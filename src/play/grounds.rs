//! What a seat may be told about a step: what holds throughout its information set.

use super::information::{InformationSet, SAMPLES, sampling};
use super::matches::{Match, Step};
use super::seed::Stream;
use crate::ir::{ActionRef, Game, HistoryUse, RuleId, SeatId};
use crate::model::{Answer, Engine, Grounds, Position, Refusal, Why};

/// The rules that a step relies on, or why it is refused, as far as a seat can know. Whether the step is legal is
/// reported from the true position, since the seat would be told that anyway; everything else comes from
/// determinizations, among which the true position has no special place. Without a seat, and where nothing is hidden,
/// everything is reported from the true position. Determinizations are compared as far as the steps of one decision go, and
/// what they could not decide counts as what the seat does not know.
#[must_use]
pub fn grounds(engine: &dyn Engine, position: &Position, seat: Option<SeatId>, step: &Step) -> Grounds {
    grounds_by(engine, position, seat, step, |seat| InformationSet::new(engine, position, seat))
}

/// The same at the current position of a game, of which the seat knows what it saw.
pub(super) fn grounds_now(game: &Match<'_>, seat: Option<SeatId>, step: &Step) -> Grounds {
    let known = |seat| InformationSet::remembering(game, seat);
    grounds_by(game.engine(), game.position(), seat, step, known)
}

fn grounds_by<'a>(
    engine: &dyn Engine,
    position: &Position,
    seat: Option<SeatId>,
    step: &Step,
    known: impl FnOnce(SeatId) -> InformationSet<'a>,
) -> Grounds {
    let truth = verdict(engine, position, step);
    let Some(seat) = seat.filter(|_| !engine.game().has_perfect_information()) else {
        return Grounds { verdict: truth, veiled: false };
    };
    let legal = truth.is_ok();
    let found: Vec<_> = if position.asked().is_some_and(|asked| asked != seat) || looks_back(engine.game(), step) {
        // The information set of a seat that is not to act cannot be sampled, nor can earlier positions: only the rule itself
        // is named.
        Vec::new()
    } else {
        let meter = sampling();
        let sampler = engine.within(&meter);
        let known = known(seat).sampled_by(&*sampler);
        // What is only guessed is not stated.
        let samples = if known.is_guess(legal) { 0 } else { SAMPLES };
        let mut dice = Stream::new(0, "grounds", u64::from(position.ply));
        let verdicts = (0..samples).map(|_| verdict(&*sampler, &known.determinize(&mut dice), step));
        alike(verdicts.take_while(|_| !meter.is_spent()).collect())
    };
    let undecided = found.len() < SAMPLES;
    let agreeing = || found.iter().filter(|found| found.is_ok() == legal);
    let veiled = undecided || agreeing().next().is_none() || found.iter().any(|other| Some(other) != found.first());
    let mut shared = shared(agreeing());
    if found.is_empty() {
        shared.rules.extend(own_rule(engine.game(), step));
    }
    let verdict = if legal { Ok(shared.rules) } else { Err(shared) };
    Grounds { verdict, veiled }
}

/// Whether it depends on earlier positions whether a step is legal.
fn looks_back(game: &Game, step: &Step) -> bool {
    let action = match step {
        Step::Answer(Answer::Claim { claim, .. }) => game.claims.get(*claim).map(|claim| &claim.action),
        Step::Answer(Answer::Offer { .. }) => None,
        Step::Move(mv) => match mv.action {
            ActionRef::Action(action) | ActionRef::Race(action) => game.actions.get(action),
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
        },
    };
    action.is_some_and(|action| HistoryUse::of(game).legality(action))
}

/// The rule that declares the action, claim or offer.
fn own_rule(game: &Game, step: &Step) -> Option<RuleId> {
    match step {
        Step::Answer(Answer::Claim { claim, .. }) => game.claims.get(*claim).map(|claim| claim.action.rule),
        Step::Answer(Answer::Offer { offer, .. }) => game.offers.get(*offer).map(|offer| offer.rule),
        Step::Move(mv) => match mv.action {
            ActionRef::Action(action) | ActionRef::Race(action) => game.actions.get(action).map(|found| found.rule),
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
        },
    }
}

/// Verdicts that differ only in pieces that stand in the way, of which a seat need not see more than that they do, without
/// them.
fn alike(mut verdicts: Vec<Result<Vec<RuleId>, Refusal>>) -> Vec<Result<Vec<RuleId>, Refusal>> {
    if verdicts.iter().any(|other| Some(other) != verdicts.first()) {
        for refusal in verdicts.iter_mut().filter_map(|verdict| verdict.as_mut().err()) {
            refusal.found = refusal.found.as_ref().map(|found| Box::new(found.unsighted()));
        }
    }
    verdicts
}

/// What all verdicts share: the rules, in the order of the first verdict, and the reason and what was found if they are the
/// same in all.
fn shared<'v>(mut found: impl Iterator<Item = &'v Result<Vec<RuleId>, Refusal>>) -> Refusal {
    let parts = |verdict: &Result<Vec<RuleId>, Refusal>| match verdict {
        Ok(rules) => Refusal::plain(Why::Unseen, rules.clone()),
        Err(refusal) => refusal.clone(),
    };
    let Some(mut shared) = found.next().map(parts) else { return Refusal::plain(Why::Unseen, Vec::new()) };
    for other in found.map(parts) {
        shared.rules.retain(|rule| other.rules.contains(rule));
        shared.found = shared.found.filter(|found| Some(found) == other.found.as_ref());
        if shared.why != other.why {
            (shared.why, shared.found) = (Why::Unseen, None);
        }
    }
    shared
}

fn verdict(engine: &dyn Engine, position: &Position, step: &Step) -> Result<Vec<RuleId>, Refusal> {
    match step {
        Step::Move(mv) => match engine.refuses(position, mv) {
            // What explains counts steps in its own way: what would be played is legal.
            Some(Refusal { why: Why::Budget, .. }) => {
                engine.play(position, mv).map(|_| engine.explain().grounds(position, mv))
            }
            Some(refusal) => Err(refusal),
            None => Ok(engine.explain().grounds(position, mv)),
        },
        Step::Answer(answer) => {
            engine.answer(position, answer).map(|_| engine.explain().answer_trace(position, answer))
        }
    }
}
