//! What a position takes, and the most that it may hold.

use super::run::Run;
use super::state::State;
use crate::base::Word;
use crate::model::HELD;

impl<W: Word> State<W> {
    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let sets = self.indexes.len() + self.graphs.len() + self.token_sites.len() + self.var_sets.len();
        let lists = self.var_lists.iter().chain(&self.local_lists).map(Vec::len).sum::<usize>();
        let numbers = self.vars.len() + self.locals.len() + self.members.len() + lists;
        let pieces = self.sites.len() + self.lists.iter().map(Vec::len).sum::<usize>();
        size_of::<Self>()
            + (sets + self.local_sets.len()) * size_of::<W>()
            + numbers * size_of::<i64>()
            + pieces * size_of::<u16>()
            + self.tokens.len() * size_of::<u32>()
    }
}

impl<W: Word> Run<'_, W> {
    /// Exhausts the budget where local names and the members left of loops are more than a position holds.
    pub(super) fn hold(&mut self) {
        let names: usize = self.state.local_lists.iter().map(Vec::len).sum();
        if names + self.state.members.len() > HELD {
            self.steps = 0;
        }
    }
}
