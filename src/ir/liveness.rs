//! Liveness: which local names can still matter at a point of the program.
//!
//! A dead name is no part of what distinguishes two positions, even while the block that binds it is still running.

use std::borrow::Cow;

use super::{BlockId, Dependencies, Expr, Game, Slot, StmtKind};

/// At each point of the program, the names bound before it that are read after it.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    /// For each block, before each statement and after the last.
    blocks: Vec<Vec<Vec<Slot>>>,
    /// For each statement of a block, when it resumes: for the next iteration, or to list what it offers.
    again: Vec<Vec<Vec<Slot>>>,
}

impl Game {
    /// The live names of the game: worked out in advance where earlier positions are remembered, here anywhere else.
    #[must_use]
    pub fn alive(&self) -> Cow<'_, Liveness> {
        if self.remembers { Cow::Borrowed(&self.liveness) } else { Cow::Owned(Liveness::of(self)) }
    }
}

impl Liveness {
    /// The live names of a game whose blocks are complete.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let mut blocks = vec![Vec::new(); game.blocks.len()];
        for number in 0..game.blocks.len() {
            block(game, number, &mut blocks);
        }
        let again = |kind: &StmtKind| {
            let mut names = within(kind, &blocks);
            // What is evaluated only once, such as the members of a `for`, is not read again.
            if kind.asks().is_some() || matches!(kind, StmtKind::While(..)) {
                kind.exprs(&mut |expr| names.extend(reads(game, expr)));
            }
            names
        };
        let again = game.blocks.iter().map(|block| block.stmts.iter().map(|stmt| again(&stmt.kind)).collect());
        let again = again.collect();
        Self { blocks, again }
    }

    /// The names read when a statement resumes: for another iteration of a loop, or for a set that is offered.
    #[must_use]
    pub fn again(&self, (block, number): (BlockId, u16)) -> &[Slot] {
        let names = self.again.get(usize::from(block)).and_then(|block| block.get(usize::from(number)));
        names.map_or(&[], Vec::as_slice)
    }

    /// The names that a block reads from a statement on.
    #[must_use]
    pub fn from(&self, block: BlockId, next: u16) -> &[Slot] {
        let names = self.blocks.get(usize::from(block)).and_then(|block| block.get(usize::from(next)));
        names.map_or(&[], Vec::as_slice)
    }
}

/// The names bound outside that the blocks of a statement read.
fn within(kind: &StmtKind, blocks: &[Vec<Vec<Slot>>]) -> Vec<Slot> {
    let bound = kind.names();
    let inner = kind.blocks().filter_map(|inner| blocks.get(usize::from(inner))?.first());
    inner.flatten().filter(|name| !bound.contains(name)).copied().collect()
}

/// Fills in a block and the blocks that its statements run.
fn block(game: &Game, number: usize, blocks: &mut Vec<Vec<Vec<Slot>>>) {
    let Some(stmts) = game.blocks.nth(number).map(|block| &block.stmts) else { return };
    if blocks.get(number).is_none_or(|known| !known.is_empty()) {
        return;
    }
    let mut alive = vec![Vec::new(); stmts.len() + 1];
    for (at, stmt) in stmts.iter().enumerate().rev() {
        let mut names: Vec<Slot> = alive[at + 1].clone();
        let bound = stmt.kind.binds();
        names.retain(|name| Some(*name) != bound);
        let mut add = |name: Slot| {
            if !names.contains(&name) {
                names.push(name);
            }
        };
        let itself = stmt.kind.binds_for_itself();
        stmt.kind
            .exprs(&mut |expr| reads(game, expr).into_iter().filter(|name| Some(*name) != itself).for_each(&mut add));
        stmt.kind.blocks().for_each(|inner| block(game, usize::from(inner), blocks));
        within(&stmt.kind, blocks).into_iter().for_each(&mut add);
        names.sort_unstable();
        alive[at] = names;
    }
    blocks[number] = alive;
}

/// The names that an expression reads.
fn reads(game: &Game, expr: &Expr) -> Vec<Slot> {
    let needs = Dependencies::of(game, expr);
    needs.slots.into_iter().chain(needs.pieces_at).collect()
}

impl StmtKind {
    /// The name it binds for the statements after it.
    fn binds(&self) -> Option<Slot> {
        if let Self::Let(slot, _) | Self::Pick(slot, ..) | Self::Roll(slot, ..) | Self::Sow { last: slot, .. } = self {
            return Some(*slot);
        }
        None
    }

    /// The name it binds for an expression of its own.
    fn binds_for_itself(&self) -> Option<Slot> {
        if let Self::Rank(slot, ..) = self { Some(*slot) } else { None }
    }

    /// The names it binds for the blocks it runs.
    fn names(&self) -> Vec<Slot> {
        if let Self::For(slot, ..) = self {
            return vec![*slot];
        }
        if let Self::Call(params, _) = self { params.iter().map(|(slot, _)| *slot).collect() } else { Vec::new() }
    }
}
