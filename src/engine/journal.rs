//! Changes of a position that are written down, to be taken back.

use super::state::State;
use crate::base::{Word, entry};
use crate::compile::program::Program;

/// What was there before a change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo<W> {
    /// The piece on a site.
    Piece(usize, u16),
    /// The tokens of a pool on a site.
    Tokens(usize, usize, u32),
    /// The number a variable holds.
    Number(usize, i64),
    /// The set a variable holds.
    Set(usize, W),
}

impl<W: Word> State<W> {
    /// Sets a number that a variable holds.
    #[inline]
    pub(super) fn set_var(&mut self, program: &Program<W>, place: usize, value: i64) {
        let Some(cell) = self.vars.get_mut(place) else { return };
        let before = std::mem::replace(cell, value);
        self.fresh &= !entry(&program.stale.cells[0], place);
        self.write_down(|| Undo::Number(place, before));
    }

    /// Sets a set that a variable holds.
    #[inline]
    pub(super) fn set_var_set(&mut self, program: &Program<W>, place: usize, value: W) {
        let Some(cell) = self.var_sets.get_mut(place) else { return };
        let before = std::mem::replace(cell, value);
        self.fresh &= !entry(&program.stale.cells[1], place);
        self.write_down(|| Undo::Set(place, before));
    }

    #[inline]
    pub(super) fn write_down(&mut self, undo: impl FnOnce() -> Undo<W>) {
        if let Some(journal) = &mut self.journal {
            journal.push(undo());
        }
    }

    /// Takes back all that has been written down, the last first, in the memory to be used again.
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
