//! Whether the entries of a control stack follow each other in a game: each construct is opened by the one beneath it, and
//! the innermost asks the question. An engine would go on from any stack, but from one that no game has, it would do what
//! no rule says.

use super::NotationError;
use super::control::{kind, print_ask, print_frame};
use crate::ir::{ActionRef, BlockId, Game, StmtKind};
use crate::model::{Ask, EndMoment, Frame, Position, StmtRef, TurnStage};

/// Refuses a position whose control stack no game has.
pub(super) fn stacked(game: &Game, position: &Position) -> Result<(), NotationError> {
    let control = &position.control;
    let misplaced = |found: String, below: &[Frame]| {
        let below = below.last().map(|frame| print_frame(game, frame));
        Err(NotationError::Misplaced { found, below })
    };
    for (at, frame) in control.iter().enumerate() {
        if !follows(game, &control[..at], frame) {
            return misplaced(print_frame(game, frame), &control[..at]);
        }
    }
    if asks(game, control, &position.ask) { Ok(()) } else { misplaced(print_ask(game, &position.ask), control) }
}

/// The statement that a block is at, as the one it is carrying out.
fn under_way<'g>(game: &'g Game, frame: Option<&Frame>) -> Option<&'g StmtKind> {
    let Some(Frame::Block(block, next)) = frame else { return None };
    kind(game, (*block, next.checked_sub(1)?))
}

/// Whether a block is carrying out this statement.
fn is_at(frame: Option<&Frame>, (block, number): StmtRef) -> bool {
    number.checked_add(1).is_some_and(|next| frame == Some(&Frame::Block(block, next)))
}

/// Whether a construct can be opened on top of others.
fn follows(game: &Game, below: &[Frame], frame: &Frame) -> bool {
    let last = below.last();
    match frame {
        Frame::Block(block, _) => begins(game, below, *block),
        Frame::While(at)
        | Frame::Repeat(at, _)
        | Frame::Each(at, _)
        | Frame::Turns(at, _)
        | Frame::Shuffle(at, _)
        | Frame::Together(at, ..) => is_at(last, *at),
        Frame::Phase(_) => matches!(under_way(game, last), Some(StmtKind::Phase(..))),
        Frame::Played(_) => is_asking(game, last) || matches!(last, Some(Frame::Together(..))),
        Frame::Actor(_) => is_asking(game, last) || matches!(last, Some(Frame::Together(..) | Frame::Ask(_))),
        Frame::Ends(EndMoment::AfterMove, _) => matches!(last, Some(Frame::Actor(_))),
        Frame::Ends(EndMoment::BeforeTurn, _) => matches!(last, Some(Frame::Turns(_, TurnStage::Body))),
        Frame::Ends(EndMoment::AfterTurn, _) => matches!(last, Some(Frame::Turns(_, TurnStage::Pass))),
        Frame::Ask(ask) => asks(game, below, ask),
    }
}

/// Whether a block asks a seat for a move, so that what is on top of it is the move.
fn is_asking(game: &Game, frame: Option<&Frame>) -> bool {
    matches!(under_way(game, frame), Some(StmtKind::Plays { .. } | StmtKind::Race { .. }))
}

/// Whether a block can begin on top of these.
fn begins(game: &Game, below: &[Frame], block: BlockId) -> bool {
    let Some((last, others)) = below.split_last() else { return block == game.play };
    let runs = |kind: Option<&StmtKind>| kind.is_some_and(|kind| kind.blocks().any(|inner| inner == block));
    match last {
        Frame::Block(outer, 0) => others.is_empty() && *outer == game.play && block == game.setup,
        Frame::Block(..) => {
            let stmt = under_way(game, Some(last));
            let at_once = stmt.is_some_and(|stmt| stmt.repeated().is_none() && !matches!(stmt, StmtKind::Phase(..)));
            at_once && runs(stmt)
        }
        Frame::While(at) | Frame::Repeat(at, _) | Frame::Each(at, _) | Frame::Turns(at, TurnStage::End) => {
            runs(kind(game, *at))
        }
        Frame::Phase(_) => runs(under_way(game, others.last())),
        Frame::Played(_) => {
            let stmt = match others.last() {
                Some(Frame::Together(at, ..)) => kind(game, *at),
                other => under_way(game, other),
            };
            let offered = stmt.map_or(&[][..], StmtKind::offered).iter().flatten();
            offered.filter_map(|action| body(game, *action)).any(|body| body == block)
        }
        Frame::Ends(_, next) => {
            let end = next.checked_sub(1).and_then(|number| game.ends.get(usize::from(number)));
            end.is_some_and(|end| end.body == block)
        }
        Frame::Actor(_) if matches!(others.last(), Some(Frame::Ask(_))) => {
            game.claims.iter().any(|claim| claim.action.body == block)
                || game.offers.iter().any(|offer| offer.body == block)
        }
        Frame::Actor(_) | Frame::Turns(..) | Frame::Together(..) | Frame::Shuffle(..) | Frame::Ask(_) => false,
    }
}

fn body(game: &Game, action: ActionRef) -> Option<BlockId> {
    match action {
        ActionRef::Action(number) | ActionRef::Race(number) => game.actions.get(number).map(|action| action.body),
        ActionRef::Pass | ActionRef::Decline | ActionRef::Pick | ActionRef::Wait => None,
    }
}

/// Whether the innermost construct asks this question.
fn asks(game: &Game, control: &[Frame], ask: &Ask) -> bool {
    let (last, others) = control.split_last().map_or((None, &[][..]), |(last, others)| (Some(last), others));
    match ask {
        Ask::Choose { at, .. } => match (last, others.last()) {
            (Some(Frame::Played(_)), below) => is_at(below, *at),
            (Some(Frame::Actor(_)), Some(Frame::Together(asking, ..))) => asking == at,
            _ => false,
        },
        Ask::Chance { at } if matches!(kind(game, *at), Some(StmtKind::Shuffle(_))) => {
            matches!(last, Some(Frame::Shuffle(asking, _)) if asking == at)
        }
        Ask::Pick { at, .. } | Ask::Chance { at } | Ask::Race { at } => is_at(last, *at),
        Ask::Over => true,
    }
}
