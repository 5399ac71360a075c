//! What a seat may be told about a step: what holds throughout its information set.

use super::information::{InformationSet, SAMPLES, sampling};
use super::matches::{Match, Step};
use super::seed::Stream;
use crate::ir::{ActionRef, Game, HistoryUse, RuleId, SeatId};
use crate::model::{Answer, Engine, Grounds, Position, Refusal, Why};

/// How many samples have to be as the position is, legal or not, for what they share to be said: of one or two, it is chance.
const ENOUGH: usize = 8;

/// How many times as many samples are drawn for that at most.
const PATIENT: usize = 8;

/// About how many bytes of samples are drawn beyond the usual number.
const ROOM: usize = 64 << 20;

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
    // Samples are compared as they are drawn: each may hold tens of thousands of pieces.
    let (mut seen, mut unsighted, mut drawn, mut agreeing) = (Common::default(), Common::default(), 0, 0);
    // The information set of a seat that is not to act cannot be sampled, nor can earlier positions: only the rule itself is
    // named.
    if position.asked().is_none_or(|asked| asked == seat) && !looks_back(engine.game(), step) {
        let meter = sampling();
        let sampler = engine.within(&meter);
        let known = known(seat).sampled_by(&*sampler);
        // What is only guessed is not stated.
        let samples = if known.is_guess(legal) { 0 } else { SAMPLES };
        let mut dice = Stream::new(0, "grounds", u64::from(position.ply));
        let mut bytes = 0_usize;
        for _ in 0..samples * PATIENT {
            if drawn >= SAMPLES && (agreeing >= ENOUGH || bytes > ROOM) {
                break;
            }
            let sample = known.determinize(&mut dice);
            bytes = bytes.saturating_add(sample.bytes());
            let verdict = verdict(&*sampler, &sample, step);
            if meter.is_spent() {
                break;
            }
            agreeing += usize::from(verdict.is_ok() == legal);
            unsighted.add(blurred(&verdict), legal);
            seen.add(verdict, legal);
            drawn += 1;
        }
    }
    // Verdicts may differ only in pieces that stand in the way, of which a seat need not see more than that they do.
    let common = if seen.differ { unsighted } else { seen };
    let known = common.shared.filter(|_| agreeing >= ENOUGH);
    let veiled = drawn < SAMPLES || known.is_none() || common.differ;
    let mut shared = known.unwrap_or_else(|| Refusal::plain(Why::Unseen, Vec::new()));
    if drawn == 0 {
        shared.rules.extend(own_rule(engine.game(), step));
    }
    let verdict = if legal { Ok(shared.rules) } else { Err(shared) };
    Grounds { verdict, veiled }
}

/// The rules that a step relies on, or why it is refused.
type Verdict = Result<Vec<RuleId>, Refusal>;

/// What verdicts on positions that look the same have in common.
#[derive(Debug, Default)]
struct Common {
    first: Option<Verdict>,
    /// Whether another one differs from the first.
    differ: bool,
    /// What those share that find the step as legal as it is: the rules, in the order of the first of them, and the reason and
    /// what was found if they are the same in all.
    shared: Option<Refusal>,
}

impl Common {
    fn add(&mut self, verdict: Verdict, legal: bool) {
        if verdict.is_ok() == legal {
            let other = parts(&verdict);
            match &mut self.shared {
                None => self.shared = Some(other),
                Some(shared) => {
                    shared.rules.retain(|rule| other.rules.contains(rule));
                    if shared.found != other.found {
                        shared.found = None;
                    }
                    if shared.why != other.why {
                        (shared.why, shared.found) = (Why::Unseen, None);
                    }
                }
            }
        }
        match &self.first {
            None => self.first = Some(verdict),
            Some(first) => self.differ |= *first != verdict,
        }
    }
}

fn parts(verdict: &Verdict) -> Refusal {
    match verdict {
        Ok(rules) => Refusal::plain(Why::Unseen, rules.clone()),
        Err(refusal) => refusal.clone(),
    }
}

/// A verdict without the pieces that stand in the way.
fn blurred(verdict: &Verdict) -> Verdict {
    verdict.clone().map_err(|refusal| {
        let found = refusal.found.as_ref().map(|found| Box::new(found.unsighted()));
        Refusal { found, ..refusal }
    })
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

fn verdict(engine: &dyn Engine, position: &Position, step: &Step) -> Verdict {
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
