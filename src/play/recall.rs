//! Enacting a game again as a seat saw it: what others did in secret is done anew.
//!
//! What a hidden variable may hold is not always listed in the rules: a set of sites, a sum. But how it came about is
//! known: by moves of which the seat saw a part. So the game is played through once more, with moves that look the same.

use std::cell::{Cell, RefCell};

use super::matches::{Match, Step};
use super::random::random_move;
use super::seat::pending;
use super::seed::Stream;
use crate::ir::{ActionRef, Game, Header, Move, SeatId, Sight, Value};
use crate::model::{Ask, Engine, Frame, Position, Viewer};

/// Games longer than this are not enacted again.
const LONGEST: usize = 400;

/// How many enactments are tried until one comes out as it looks.
const TRIES: u32 = 12;

/// How many moves may be listed for all enactments of an information set together; for each step, what a position holds counts as well.
/// Once that is spent, what was enacted before is drawn from.
const LISTED: u64 = 4_000_000;

/// How many ends of enactments are kept to be drawn from, and bytes of all of them; one is kept in any case.
const KEPT: usize = 32;
const KEPT_BYTES: usize = 32 << 20;

/// A step as a seat saw it.
#[derive(Clone, Debug)]
enum Seen {
    /// A move, with whether each of its arguments was seen.
    Move(Move, Vec<bool>),
    /// A card of a shuffle.
    Shuffle,
    /// A choice that is not yet told, not even which action it was.
    Secret,
}

/// What a seat saw of a game so far.
#[derive(Clone, Debug)]
pub(super) struct Recall {
    start: Position,
    steps: Vec<Seen>,
    /// What a step takes beside the moves that are listed.
    weight: u64,
    /// How many moves may still be listed.
    left: Cell<u64>,
    /// The ends of enactments, and how many there were.
    ends: RefCell<(Vec<Position>, usize)>,
}

impl Recall {
    /// None if the game is too long, or if claims and offers were made, which are not enacted. None, too, unless it began
    /// with what looks like the beginning to the seat: what is hidden in another position did not come about by moves
    /// that could be done anew.
    pub(super) fn new(game: &Match<'_>, seat: SeatId) -> Option<Self> {
        if game.steps().len() > LONGEST {
            return None;
        }
        let untold = game.steps().len().saturating_sub(pending(game.engine().game(), game.position()));
        let steps = game.since(0).enumerate().map(|(number, (before, step))| {
            let secret = number >= untold && before.asked() != Some(seat);
            if secret { Some(Seen::Secret) } else { seen(game, number, (&before, step), seat) }
        });
        let steps = steps.collect::<Option<_>>()?;
        let (first, start) = (game.before(0)?, game.engine().start());
        let looks = |position: &Position| game.engine().explain().observation(position, Viewer::Seat(seat));
        if looks(&first) != looks(&start) {
            return None;
        }
        let values: usize = start.vars.iter().map(Vec::len).sum();
        let pieces: usize = start.zones.iter().flatten().map(|list| 1 + list.len()).sum();
        let weight = 1 + (start.sites.len() * (1 + start.tokens.len()) + values + pieces) as u64 / 8;
        Some(Self { start, steps, weight, left: Cell::new(LISTED), ends: RefCell::default() })
    }

    /// A game that looked the same to the seat, move by move; `alike` says whether its end looks like the position.
    /// If none of a few does, the last one that could be enacted at all; none if none could.
    pub(super) fn enacted(
        &self,
        engine: &dyn Engine,
        dice: &mut Stream,
        alike: impl Fn(&Position) -> bool,
    ) -> Option<Position> {
        let mut ends = self.ends.borrow_mut();
        let (ends, count) = &mut *ends;
        if self.left.get() == 0 {
            return ends.get(dice.below(ends.len().max(1))).cloned();
        }
        let mut last = None;
        for _ in 0..TRIES {
            let Some(end) = self.enact(engine, dice) else { continue };
            let fits = alike(&end);
            last = Some(end);
            if fits {
                break;
            }
        }
        if let Some(end) = &last {
            let kept = (KEPT_BYTES / end.bytes()).clamp(1, KEPT);
            match ends.get_mut(*count % kept) {
                Some(place) => place.clone_from(end),
                None => ends.push(end.clone()),
            }
            *count += 1;
        }
        last
    }

    /// Counts a step, and the moves that were listed for it; none once all that may be are spent.
    fn count(&self, listed: usize) -> Option<()> {
        let left = self.left.get().saturating_sub(self.weight + listed as u64);
        self.left.set(left);
        (left > 0).then_some(())
    }

    fn enact(&self, engine: &dyn Engine, dice: &mut Stream) -> Option<Position> {
        let mut position = self.start.clone();
        for step in &self.steps {
            self.count(0)?;
            let Seen::Move(mv, seen) = step else {
                let drawn = random_move(engine, &position, dice)?;
                position = engine.play_owned(position, &drawn);
                continue;
            };
            let is_race = matches!(mv.action, ActionRef::Race(_));
            // What was seen as a whole is that move, or none.
            if seen.len() == mv.args.len() && seen.iter().all(|seen| *seen) {
                // In a race, a later time may be legal without being listed.
                position = if is_race { engine.play_owned(position, mv) } else { engine.play(&position, mv).ok()? };
                continue;
            }
            let mut fitting = engine.legal(&position);
            self.count(fitting.len())?;
            let same = |other: &Move| {
                let mut args = other.args.iter().zip(&mv.args).zip(seen);
                other.args.len() == mv.args.len() && args.all(|((one, two), seen)| !seen || one == two)
            };
            if is_race {
                // What is listed is what can be done soonest; when it was done is known.
                for other in &mut fitting {
                    if let (Some(place), Some(time)) = (other.args.get_mut(1), mv.args.get(1)) {
                        place.clone_from(time);
                    }
                }
                fitting.retain(|other| other.racer() == mv.racer() && engine.play(&position, other).is_ok());
                fitting.dedup();
            }
            fitting.retain(|other| other.action == mv.action && same(other));
            if fitting.is_empty() {
                return None;
            }
            let chosen = fitting.swap_remove(dice.below(fitting.len()));
            position = engine.play_owned(position, &chosen);
        }
        Some(position)
    }
}

/// A step as a seat saw it; none for claims and offers.
fn seen(game: &Match<'_>, number: usize, (before, step): (&Position, &Step), seat: SeatId) -> Option<Seen> {
    let Step::Move(mv) = step else { return None };
    if matches!(before.control.last(), Some(Frame::Shuffle(..))) {
        return Some(Seen::Shuffle);
    }
    let by = before.asked().or(mv.racer());
    let known = if by == Some(seat) || !may_be_unseen(game.engine().game(), &before.ask, mv) {
        vec![true; mv.args.len()]
    } else {
        game.announcement(number)?.seen(game.engine().game(), Viewer::Seat(seat))
    };
    Some(Seen::Move(mv.clone(), known))
}

/// Whether an argument of a move may be hidden from somebody.
pub(super) fn may_be_unseen(game: &Game, asked: &Ask, mv: &Move) -> bool {
    if mv.args.iter().any(|value| matches!(value, Value::Piece(_))) {
        return true;
    }
    let hidden = |sight: &Sight| !matches!(sight, Sight::All);
    match (mv.action, asked) {
        (ActionRef::Action(number) | ActionRef::Race(number), _) => {
            let head = game.actions.get(number).map_or(&[][..], |action| &action.head);
            head.iter().any(|line| matches!(line, Header::Choose(choice) if hidden(&choice.sight)))
        }
        (ActionRef::Pick, Ask::Pick { at, .. } | Ask::Chance { at }) => {
            let stmt = game.blocks.get(at.0).and_then(|block| block.stmts.get(usize::from(at.1)));
            stmt.and_then(|stmt| stmt.kind.choice_or_roll()).is_some_and(|(_, _, sight)| hidden(sight))
        }
        (ActionRef::Pick | ActionRef::Wait | ActionRef::Pass | ActionRef::Decline, _) => false,
    }
}
