//! The journal of changes by which a move is unmade.

use super::state::State;
use crate::base::{Word, get_or_default};
use crate::compile::program::Program;

/// The old value of what a change overwrote.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo<W> {
    /// The piece on a site.
    Piece(usize, u16),
    /// The tokens of a pool on a site.
    Tokens(usize, usize, u32),
    /// The number held by a variable.
    Number(usize, i64),
    /// The set held by a variable.
    Set(usize, W),
}

impl<W: Word> State<W> {
    /// Sets a variable that holds a number.
    #[inline]
    pub(super) fn set_var(&mut self, program: &Program<W>, place: usize, value: i64) {
        let Some(cell) = self.vars.get_mut(place) else { return };
        let before = std::mem::replace(cell, value);
        self.fresh &= !get_or_default(&program.stale.cells[0], place);
        self.write_down(|| Undo::Number(place, before));
    }

    /// Sets a variable that holds a set.
    #[inline]
    pub(super) fn set_var_set(&mut self, program: &Program<W>, place: usize, value: W) {
        let Some(cell) = self.var_sets.get_mut(place) else { return };
        let before = std::mem::replace(cell, value);
        self.fresh &= !get_or_default(&program.stale.cells[1], place);
        self.write_down(|| Undo::Set(place, before));
    }

    #[inline]
    pub(super) fn write_down(&mut self, undo: impl FnOnce() -> Undo<W>) {
        if let Some(journal) = &mut self.journal {
            journal.push(undo());
        }
    }

    /// Undoes all recorded changes, last first, and returns the buffer for reuse.
    pub(super) fn take_back(&mut self, program: &Program<W>) -> Vec<Undo<W>> {
        let Some(mut journal) = self.journal.take() else { return Vec::new() };
        while let Some(undo) = journal.pop() {
            match undo {
                Undo::Piece(site, piece) => self.put(program, site, piece),
                Undo::Tokens(pool, site, count) => self.set_tokens(program, pool, site, count),
                Undo::Number(place, value) => self.set_var(program, place, value),
                Undo::Set(place, value) => self.set_var_set(program, place, value),
            }
        }
        journal
    }
}
