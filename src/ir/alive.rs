//! Which local names can still matter at a point of the program.
//!
//! A name that nothing reads any more is no part of what distinguishes two positions, even while
//! the block that binds it runs on.

use super::{BlockId, Expr, Game, Needs, Slot, StmtKind};

/// What is read from each point of the program on, of the names bound before it.
#[derive(Clone, Debug, Default)]
pub struct Alive {
    /// For each block, by its statements and behind the last one.
    blocks: Vec<Vec<Vec<Slot>>>,
    /// For each statement of a block, when it goes on: with another round, or with what it offers.
    again: Vec<Vec<Vec<Slot>>>,
}

impl Alive {
    /// Of a game whose blocks are settled.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let mut blocks = vec![Vec::new(); game.blocks.len()];
        for number in 0..game.blocks.len() {
            block(game, number, &mut blocks);
        }
        let again = |kind: &StmtKind| {
            let mut names = within(kind, &blocks);
            // What is settled once, such as the members of a `for`, is not read again.
            if kind.asks().is_some() || matches!(kind, StmtKind::While(..)) {
                kind.exprs(&mut |expr| names.extend(reads(game, expr)));
            }
            names
        };
        let again = game.blocks.iter().map(|block| block.stmts.iter().map(|stmt| again(&stmt.kind)).collect());
        let again = again.collect();
        Self { blocks, again }
    }

    /// The names that are read when a statement goes on: another round of a loop, a set that is
    /// offered.
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

/// Fills in a block and those that its statements run.
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
        stmt.kind.exprs(&mut |expr| reads(game, expr).into_iter().for_each(&mut add));
        stmt.kind.blocks().for_each(|inner| block(game, usize::from(inner), blocks));
        within(&stmt.kind, blocks).into_iter().for_each(&mut add);
        names.sort_unstable();
        alive[at] = names;
    }
    blocks[number] = alive;
}

/// The names that an expression reads.
fn reads(game: &Game, expr: &Expr) -> Vec<Slot> {
    let needs = Needs::of(game, expr);
    needs.slots.into_iter().chain(needs.pieces_at).collect()
}

impl StmtKind {
    /// The name that it binds for the statements behind it.
    fn binds(&self) -> Option<Slot> {
        if let Self::Let(slot, _) | Self::Pick(slot, ..) | Self::Roll(slot, ..) | Self::Sow { last: slot, .. } = self {
            return Some(*slot);
        }
        None
    }

    /// The names that it binds for the blocks it runs.
    fn names(&self) -> Vec<Slot> {
        if let Self::For(slot, ..) = self {
            return vec![*slot];
        }
        if let Self::Call(params, _) = self { params.iter().map(|(slot, _)| *slot).collect() } else { Vec::new() }
    }
}
