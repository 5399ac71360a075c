//! Dealing hidden pieces into places that do not hold all of them.

use std::collections::BTreeSet;

use crate::base::Bits;
use crate::ir::{Game, Piece};
use crate::model::Position;

/// What a place may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Narrow {
    /// On a board, pieces that are hidden there.
    Board,
    /// In a zone, pieces of these kinds.
    Kinds(Bits),
}

impl Narrow {
    /// Whether a piece may lie there.
    pub(super) fn takes(&self, piece: &Piece, open_on_boards: &BTreeSet<Piece>) -> bool {
        match self {
            Self::Board => !open_on_boards.contains(piece),
            Self::Kinds(kinds) => kinds.contains(usize::from(piece.kind)),
        }
    }
}

/// Pieces with one kind of back while they are dealt. Those that do not fit into one sort of places are put aside, so that
/// they are not looked at for each place.
pub(super) struct Sorted<'a> {
    left: &'a mut Vec<Piece>,
    narrow: Option<&'a Narrow>,
    /// What does not fit, the last first.
    aside: Vec<Piece>,
    /// Whether nothing else is left that fits.
    barren: bool,
}

impl<'a> Sorted<'a> {
    /// All of them, in the order in which they are dealt from the end.
    pub(super) fn new(left: &'a mut Vec<Piece>) -> Self {
        Self { left, narrow: None, aside: Vec::new(), barren: false }
    }

    /// Puts back what was put aside, as it lay.
    pub(super) fn put_back(&mut self) {
        self.left.extend(self.aside.drain(..).rev());
    }

    /// Takes the last piece that fits into a place; if none does, the last one.
    pub(super) fn last_for(&mut self, narrow: Option<&'a Narrow>, open_on_boards: &BTreeSet<Piece>) -> Option<Piece> {
        if self.narrow != narrow {
            self.put_back();
            (self.narrow, self.barren) = (narrow, false);
        }
        if !self.barren {
            let fits = |piece: &Piece| narrow.is_none_or(|narrow| narrow.takes(piece, open_on_boards));
            while let Some(piece) = self.left.pop_if(|piece| !fits(piece)) {
                self.aside.push(piece);
            }
            self.barren = self.left.is_empty();
            if self.barren {
                self.put_back();
            }
        }
        self.left.pop()
    }
}

/// What the places may hold whose pieces an observation does not show.
pub(super) fn limits(game: &Game, seen: &Position, position: &Position) -> Vec<Option<Narrow>> {
    let differs = |(seen, piece): (&Piece, &Piece)| seen.is_hidden() || seen != piece;
    let sites = seen.sites.iter().zip(&position.sites);
    let sites = sites.filter(|(seen, piece)| seen.as_ref().zip(piece.as_ref()).is_some_and(differs));
    let mut found: Vec<Option<Narrow>> = sites.map(|_| Some(Narrow::Board)).collect();
    for (zone, (seen, lists)) in game.zones.iter().zip(seen.zones.iter().zip(&position.zones)) {
        let pieces = seen.iter().flatten().zip(lists.iter().flatten());
        found.extend(pieces.filter(|pair| differs(*pair)).map(|_| Some(Narrow::Kinds(zone.kinds.clone()))));
    }
    found
}
