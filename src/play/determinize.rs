//! Determinization: sampling a position that looks the same to a viewer.

use super::seed::Stream;
use crate::ir::{Game, Piece, ZoneForm};
use crate::model::{Engine, Position, Viewer};

/// The pieces of which a viewer sees only the backs, and their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden {
    /// The pieces with each kind of back, in an order that does not reveal where they are.
    pieces: Vec<Vec<Piece>>,
    /// For each place, sites before zones, the kind of back there.
    backs: Vec<usize>,
    /// The places.
    seen: Option<Position>,
}

impl Hidden {
    /// What an observation leaves open.
    pub(super) fn of(game: &Game, seen: &Position, position: &Position) -> Self {
        let back = |piece: &Piece| (piece.owner, game.kinds.get(piece.kind).and_then(|k| k.class.clone()));
        let mut all: Vec<Piece> = Vec::new();
        for_hidden(seen, &mut position.clone(), &mut |piece| all.push(piece.clone()));
        let mut kinds: Vec<_> = all.iter().map(back).collect();
        kinds.sort();
        kinds.dedup();
        let number = |piece: &Piece| kinds.partition_point(|kind| *kind < back(piece));
        let backs: Vec<usize> = all.iter().map(number).collect();
        let mut pieces = vec![Vec::new(); kinds.len()];
        for (piece, &back) in all.into_iter().zip(&backs) {
            pieces[back].push(piece);
        }
        for list in &mut pieces {
            list.sort();
        }
        Self { pieces, backs, seen: Some(seen.clone()) }
    }

    /// One of the pieces, uniformly at random.
    pub(super) fn any(&self, dice: &mut Stream) -> Option<Piece> {
        let count = self.pieces.iter().map(Vec::len).sum();
        self.pieces.iter().flatten().nth(dice.below(count)).cloned()
    }
}

/// The position with its hidden pieces dealt again at random, each place keeping its kind of back.
pub(super) fn deal_hidden(game: &Game, position: &Position, hidden: &Hidden, dice: &mut Stream) -> Position {
    let mut drawn = position.clone();
    let Some(seen) = &hidden.seen else { return drawn };
    let mut left = hidden.pieces.clone();
    for list in &mut left {
        for end in (1..list.len()).rev() {
            list.swap(end, dice.below(end + 1));
        }
    }
    let mut next = hidden.backs.iter();
    for_hidden(seen, &mut drawn, &mut |piece| {
        if let Some(other) = next.next().and_then(|&back| left.get_mut(back)?.pop()) {
            *piece = other;
        }
    });
    for (zone, lists) in game.zones.iter().zip(&mut drawn.zones) {
        if zone.form == ZoneForm::Set {
            for list in lists {
                list.sort();
            }
        }
    }
    drawn
}

/// A position that the viewer cannot tell from this one by what it sees: the
/// pieces of which it sees the backs only have changed places, each such place
/// keeping its back. Whether the rules allow to come there is not asked. Where the
/// pieces lie in this one makes no difference.
#[must_use]
pub fn determinize(engine: &dyn Engine, position: &Position, viewer: Viewer, dice: &mut Stream) -> Position {
    let seen = engine.explain().observation(position, viewer);
    deal_hidden(engine.game(), position, &Hidden::of(engine.game(), &seen, position), dice)
}

/// Goes through the pieces of a position of which an observation shows the backs.
fn for_hidden(seen: &Position, position: &mut Position, each: &mut dyn FnMut(&mut Piece)) {
    for (seen, piece) in seen.sites.iter().zip(&mut position.sites) {
        if let (Some(seen), Some(piece)) = (seen, piece)
            && seen.is_hidden()
        {
            each(piece);
        }
    }
    for (seen, lists) in seen.zones.iter().flatten().zip(position.zones.iter_mut().flatten()) {
        for (seen, piece) in seen.iter().zip(lists) {
            if seen.is_hidden() {
                each(piece);
            }
        }
    }
}
