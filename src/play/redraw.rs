//! Other positions that look the same to a viewer.

use super::seed::Stream;
use crate::ir::{Piece, ZoneForm};
use crate::model::{Engine, Position, Viewer};

/// A position that the viewer cannot tell from this one by what it sees: the
/// pieces of which it sees the backs only have changed places, each such place
/// keeping its back. Whether the rules allow to come there is not asked.
#[must_use]
pub fn redraw(engine: &dyn Engine, position: &Position, viewer: Viewer, dice: &mut Stream) -> Position {
    let game = engine.game();
    let seen = engine.observation(position, viewer);
    let mut drawn = position.clone();
    let back = |piece: &Piece| (piece.owner, game.kinds.get(usize::from(piece.kind)).and_then(|k| k.class.clone()));
    let mut hidden: Vec<Piece> = Vec::new();
    for_hidden(&seen, &mut drawn, &mut |piece| hidden.push(piece.clone()));
    let mut backs: Vec<_> = hidden.iter().map(back).collect();
    backs.sort();
    backs.dedup();
    for wanted in backs {
        let places: Vec<usize> = (0..hidden.len()).filter(|&at| back(&hidden[at]) == wanted).collect();
        for left in (1..places.len()).rev() {
            hidden.swap(places[left], places[dice.below(left + 1)]);
        }
    }
    let mut next = hidden.into_iter();
    for_hidden(&seen, &mut drawn, &mut |piece| {
        if let Some(other) = next.next() {
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
