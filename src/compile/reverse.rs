//! Which actions can be unmade change by change.

use super::program::{Code, OpKind, PieceLocation};
use crate::base::Word;
use crate::ir::BlockId;

/// The maximum depth of nested blocks.
const DEPTH: usize = 64;

/// Whether the journal records everything a block does to a position. It does not record questions, effects on zones,
/// leaving turns, or changes of the mover or the seats that play; and statements that look at earlier positions need
/// their place on the control stack.
pub(super) fn reversible<W: Word>(code: &[Code<W>], block: BlockId, depth: usize) -> bool {
    let inner = |block: &BlockId| reversible(code, *block, depth + 1);
    let Some(block) = code.get(usize::from(block)).filter(|block| !block.asks) else { return false };
    depth < DEPTH
        && block.ops.iter().all(|op| match &op.kind {
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
            | OpKind::Draw => true,
            OpKind::Do(body)
            | OpKind::While(_, body)
            | OpKind::Repeat(_, body)
            | OpKind::For(_, _, _, _, body)
            | OpKind::Call(_, body) => inner(body),
            OpKind::If(_, yes, no) => inner(yes) && no.as_ref().is_none_or(inner),
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
            | OpKind::Race(_) => false,
        })
}
