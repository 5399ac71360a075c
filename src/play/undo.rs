//! How far a game can be taken back. Nothing is declared for it: what was revealed, rolled or done by another seat stays.

use super::door::lies_open;
use super::information::{InformationSet, SAMPLES, sampling};
use super::lost::lost;
use super::matches::{Match, Step};
use super::seat::Announcement;
use super::seed::Stream;
use crate::ir::{Move, SeatId};
use crate::model::{Ask, Engine, Position, Viewer};

/// How many steps stay if a seat takes back its last move on its own. None unless the last step is that move, and nobody
/// found anything out by it.
pub(super) fn own(game: &Match<'_>, seat: SeatId) -> Option<usize> {
    let last = game.steps().len().checked_sub(1)?;
    let (before, step) = game.since(last).next()?;
    let before = &*before;
    let Step::Move(mv) = step else { return None };
    let decided = match before.ask {
        Ask::Choose { seat: asked, .. } | Ask::Pick { seat: asked, .. } => asked == seat,
        Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => false,
    };
    let silent = || !reveals(game, last, (before, game.position()), mv, seat);
    (decided && silent()).then_some(last)
}

/// Whether nothing was revealed or rolled from a step on, and where something is hidden, only one seat acted, which is
/// still the one to act: another seat that is asked now could take back what is not its own.
pub(super) fn is_silent(game: &Match<'_>, from: usize) -> bool {
    let engine = game.engine();
    let after = game.since(from + 1).map(|(before, _)| before).chain(game.before(game.steps().len()));
    let mut steps = game.since(from).zip(after).zip(from..);
    let first = game.since(from).next().and_then(|(before, step)| step.seat(&before));
    let own = match game.ask() {
        Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => Some(*seat) == first,
        Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => true,
    };
    let takes_back_own = own || engine.game().has_perfect_information();
    takes_back_own
        && steps.all(|(((before, step), after), number)| match (step, &before.ask) {
            (_, Ask::Chance { .. }) => false,
            _ if engine.game().has_perfect_information() => true,
            (Step::Move(mv), Ask::Choose { seat, .. } | Ask::Pick { seat, .. }) => {
                Some(*seat) == first && !reveals(game, number, (&before, &after), mv, *seat)
            }
            (Step::Move(_) | Step::Answer(_), _) => false,
        })
}

/// Whether anybody found something out by a move: the seat, since it could not foresee what it sees now, or trying that
/// takes more steps than one decision may; others, since they learned of a piece that they did not see.
fn reveals(game: &Match<'_>, number: usize, (before, after): (&Position, &Position), mv: &Move, seat: SeatId) -> bool {
    let engine = game.engine();
    if engine.game().has_perfect_information() {
        return false;
    }
    // Positions that look alike may all be alike in what they show, and the true one another.
    if engine.explain().lays_open(before, mv) {
        return true;
    }
    let me = Viewer::Seat(seat);
    let now = engine.explain().observation(after, me);
    let meter = sampling();
    let sampler = engine.within(&meter);
    let known = InformationSet::after(engine, before, seat, &lost(game, seat, number)).sampled_by(&*sampler);
    let mut dice = Stream::new(0, "foreseen", before.ply.into());
    let foreseen = (0..SAMPLES).all(|_| {
        let other = sampler.play_unchecked(&known.determinize(&mut dice), mv);
        sampler.explain().observation(&other, me) == now && !meter.is_spent()
    });
    if !foreseen {
        return true;
    }
    let made = Announcement::new(engine, before, mv, None, &|_| None);
    if made.is_kept() {
        return false;
    }
    // The last of several secret choices makes those of the others known.
    if made.lifts_secrets() {
        return true;
    }
    others(engine, seat).any(|viewer| learns(engine, before, (mv, &made), viewer))
}

fn others(engine: &dyn Engine, seat: SeatId) -> impl Iterator<Item = Viewer> {
    let seats = SeatId::all(engine.game().seats.len()).filter(move |other| *other != seat).map(Viewer::Seat);
    seats.chain([Viewer::Spectator])
}

/// Whether a viewer learns of a piece in a move that it did not see before.
fn learns(engine: &dyn Engine, before: &Position, (mv, made): (&Move, &Announcement), viewer: Viewer) -> bool {
    let seen = engine.explain().observation(before, viewer);
    let learned = made.seen(engine.game(), viewer);
    mv.args.iter().zip(learned).any(|(value, learned)| learned && !lies_open(&seen, value))
}
