//! Which actions can be taken back step by step.

use super::program::{Code, OpKind, Spot};
use crate::base::Word;
use crate::ir::BlockId;

/// Blocks stand in each other so deeply.
const DEPTH: usize = 64;

/// Whether everything a block does to a position is written down as it is done. What asks,
/// touches zones, leaves the turns, or changes whose turn it is or who plays is not, and what looks
/// at earlier positions needs its place on the control stack.
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
            | OpKind::Change(Spot::Sites(_), _)
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
            | OpKind::Change(Spot::Zone(_), _)
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
