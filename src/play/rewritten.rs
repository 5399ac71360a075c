//! What was written on pieces where not everybody sees it. Which of them it was, and what it held before, is not known to who sees
//! nothing of them: such fields are drawn anew, each by itself.
//!
//! **Invariant:** what is drawn depends on the values that there are and were, not on which piece holds which.

use std::collections::BTreeSet;

use super::lost::Lasting;
use super::seed::Stream;
use crate::ir::{Field, Game, Piece, Ty};

/// A field by its name and type, with the values that it may hold.
type Written = (String, Ty, BTreeSet<i32>);

/// The fields that may have been written unseen.
#[derive(Clone, Debug, Default)]
pub(super) struct Rewritten {
    pub(super) lasting: Lasting,
    fields: Vec<Written>,
}

impl Rewritten {
    /// What these pieces hold, of which nothing is seen, or held before.
    pub(super) fn of<'p>(game: &Game, pieces: impl Iterator<Item = &'p Piece>) -> Self {
        let mut found = Self { lasting: Lasting::of(game), fields: Vec::new() };
        for piece in pieces {
            for &number in found.lasting.covered(piece.kind) {
                let Some((field, value)) = field_of(game, piece, number) else { continue };
                match found.fields.iter_mut().find(|(name, ty, _)| (name, ty) == (&field.name, &field.ty)) {
                    Some((_, _, values)) => drop(values.insert(value)),
                    None => found.fields.push((field.name.clone(), field.ty.clone(), BTreeSet::from([value]))),
                }
            }
        }
        found
    }

    /// A piece without what may have been written on it: by it pieces are ordered.
    pub(super) fn key(&self, piece: &Piece) -> Piece {
        let mut key = piece.clone();
        for &number in self.lasting.covered(piece.kind) {
            if let Some(value) = key.fields.get_mut(number) {
                *value = 0;
            }
        }
        key
    }

    /// Draws anew what may have been written on a piece of which nothing is seen.
    pub(super) fn draw(&self, game: &Game, piece: &mut Piece, dice: &mut Stream) {
        for &number in self.lasting.covered(piece.kind) {
            let Some((field, _)) = field_of(game, piece, number) else { continue };
            let written = self.fields.iter().find(|(name, ty, _)| (name, ty) == (&field.name, &field.ty));
            if let Some((_, _, values)) = written
                && let Some(value) = values.iter().nth(dice.below(values.len()))
                && let Some(place) = piece.fields.get_mut(number)
            {
                *place = *value;
            }
        }
    }
}

/// A field of a piece, and what it holds.
fn field_of<'g>(game: &'g Game, piece: &Piece, number: usize) -> Option<(&'g Field, i32)> {
    game.kinds.get(piece.kind)?.fields.get(number).zip(piece.fields.get(number).copied())
}
