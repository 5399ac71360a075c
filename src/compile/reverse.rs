//! Which actions can be unmade change by change.

use super::program::{Code, OpKind, PieceLocation};
use crate::base::Word;
use crate::ir::BlockId;

/// The maximum depth of nested blocks.
const DEPTH: usize = 64;

/// What is found of each block, once: how deep the blocks in it are nested, or that it cannot be unmade.
pub(super) struct Reversible<'c, W: Word> {
    code: &'c [Code<W>],
    heights: Vec<Option<Option<usize>>>,
}

impl<'c, W: Word> Reversible<'c, W> {
    pub(super) fn new(code: &'c [Code<W>]) -> Self {
        Self { code, heights: vec![None; code.len()] }
    }

    /// Whether the journal records everything a block does to a position. It does not record questions, effects on zones,
    /// leaving turns, or changes of the mover or the seats that play; and statements that look at earlier positions need
    /// their place on the control stack.
    pub(super) fn contains(&mut self, block: BlockId) -> bool {
        self.height(block).is_some_and(|height| height <= DEPTH)
    }

    fn height(&mut self, block: BlockId) -> Option<usize> {
        let at = usize::from(block);
        if let Some(known) = self.heights.get(at)? {
            return *known;
        }
        let found = self.measured(block);
        self.heights[at] = Some(found);
        found
    }

    fn measured(&mut self, block: BlockId) -> Option<usize> {
        let code = self.code.get(usize::from(block)).filter(|block| !block.asks)?;
        let mut height = 0;
        for op in &code.ops {
            let inner = match &op.kind {
                OpKind::Nothing
                | OpKind::Let(..)
                | OpKind::Put(..)
                | OpKind::PutTokens(..)
                | OpKind::MoveTokens(..)
                | OpKind::MoveSite(..)
                | OpKind::Move(..)
                | OpKind::Remove(_)
                | OpKind::Swap(..)
                | OpKind::Rotate(..)
                | OpKind::Change(PieceLocation::Sites(_), _)
                | OpKind::Sow(_)
                | OpKind::AssignNumber(..)
                | OpKind::AssignSet(..)
                | OpKind::Decide(..)
                | OpKind::Draw => 0,
                OpKind::Do(body)
                | OpKind::While(_, body)
                | OpKind::Repeat(_, body)
                | OpKind::For(_, _, _, _, body)
                | OpKind::Call(_, body) => self.height(*body)?,
                OpKind::If(_, yes, no) => {
                    let no = if let Some(no) = no { self.height(*no)? } else { 0 };
                    self.height(*yes)?.max(no)
                }
                OpKind::Pick(..)
                | OpKind::Roll(_)
                | OpKind::Shuffle(_)
                | OpKind::PutIn(..)
                | OpKind::MovePieces(..)
                | OpKind::Change(PieceLocation::Zone(_), _)
                | OpKind::AssignList(..)
                | OpKind::Turns(..)
                | OpKind::Phase(..)
                | OpKind::Give(_)
                | OpKind::Rank(..)
                | OpKind::Place(..)
                | OpKind::Stop
                | OpKind::Plays { .. }
                | OpKind::Together(..)
                | OpKind::Race(_) => return None,
            };
            height = height.max(inner);
        }
        Some(height + 1)
    }
}
