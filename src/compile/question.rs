//! What is known about questions before play, so that the next one can be predicted without running ahead.

use super::program::{Action, Answers, Code, OpKind, Program, Set};
use crate::base::Word;
use crate::ir::{ActionRef, BlockId, EndRule, Expr, ExprKind, Game, Order, Stmt, StmtKind, Value};

/// Determines for each statement that asks a seat to play whether the seat can.
pub(super) fn settle_answers<W: Word>(program: &mut Program<W>) {
    let mut found = Vec::new();
    for (block, code) in program.code.iter().enumerate() {
        for (number, op) in code.ops.iter().enumerate() {
            if let OpKind::Plays { may, groups, otherwise, .. } = &op.kind {
                let free = *may || groups.iter().flatten().any(|action| is_free(&program.actions, *action));
                let over = || otherwise.is_none_or(|block| is_final(&program.code, block));
                let at_once = || otherwise.is_none_or(|block| ends_at_once(&program.code, block));
                let answers = if free {
                    Answers::Always
                } else if over() {
                    Answers::OrOver { at_once: at_once() }
                } else {
                    Answers::Perhaps
                };
                found.push((block, number, answers));
            }
        }
    }
    for (block, number, settled) in found {
        if let Some(OpKind::Plays { answers, .. }) =
            program.code.get_mut(block).and_then(|code| code.ops.get_mut(number)).map(|op| &mut op.kind)
        {
            *answers = settled;
        }
    }
}

/// Whether an action is always legal.
fn is_free<W: Word>(actions: &[Action<W>], action: ActionRef) -> bool {
    match action {
        ActionRef::Pass | ActionRef::Decline => true,
        ActionRef::Action(number) => {
            let action = actions.get(usize::from(number));
            action.is_some_and(|action| action.head.is_empty() && action.ensure.is_empty())
        }
        ActionRef::Race(_) | ActionRef::Wait | ActionRef::Pick => false,
    }
}

/// Whether a block always ends the game before asking anything.
fn is_final<W: Word>(code: &[Code<W>], block: BlockId) -> bool {
    let Some(code_of) = code.get(usize::from(block)).filter(|code| !code.asks) else { return false };
    let stops = |kind: &OpKind<W>| matches!(kind, OpKind::Stop);
    let first = code_of.ops.iter().position(|op| ends(code, &op.kind, is_final));
    first.is_some_and(|first| !code_of.ops[..first].iter().any(|op| stops(&op.kind) || has_blocks(&op.kind)))
}

/// Whether a block always ends the game before doing anything else.
fn ends_at_once<W: Word>(code: &[Code<W>], block: BlockId) -> bool {
    let first = code.get(usize::from(block)).filter(|code| !code.asks).and_then(|code| code.ops.first());
    first.is_some_and(|op| ends(code, &op.kind, ends_at_once))
}

/// Whether a statement always ends the game; `inner` says so of the blocks in it.
fn ends<W: Word>(code: &[Code<W>], kind: &OpKind<W>, inner: fn(&[Code<W>], BlockId) -> bool) -> bool {
    // Procedures are not recursive.
    if let OpKind::Do(block) | OpKind::Call(_, block) = kind {
        return inner(code, *block);
    }
    if let OpKind::If(_, yes, no) = kind {
        return inner(code, *yes) && no.is_some_and(|no| inner(code, no));
    }
    if let OpKind::Decide(_, Set::Const(seats)) = kind {
        return !seats.is_empty();
    }
    matches!(kind, OpKind::Draw | OpKind::Rank(..) | OpKind::Decide(_, Set::One(_)))
}

/// Whether a statement contains others.
fn has_blocks<W: Word>(kind: &OpKind<W>) -> bool {
    matches!(
        kind,
        OpKind::Do(_) | OpKind::If(..) | OpKind::For(..) | OpKind::While(..) | OpKind::Repeat(..) | OpKind::Call(..)
    )
}

/// Whether an end condition changes nothing while the program runs ahead: it decides the game and no more, or holds only
/// once a position has recurred, which none does then.
pub(super) fn is_quiet_end(game: &Game, end: &EndRule) -> bool {
    is_quiet(game, end.body) || recurs(&end.when)
}

/// Whether a condition holds only if a position has occurred more than once.
fn recurs(when: &Expr) -> bool {
    if let ExprKind::And(a, b) = &when.kind {
        return recurs(a) || recurs(b);
    }
    let ExprKind::Compare(order, number, least) = &when.kind else { return false };
    let counted = matches!(number.kind, ExprKind::Occurrences | ExprKind::OccurrencesOf(_));
    let ExprKind::Const(Value::Int(least)) = least.kind else { return false };
    counted
        && match order {
            Order::Gt => least >= 1,
            Order::Ge => least >= 2,
            Order::Lt | Order::Le => false,
        }
}

/// Whether a block does nothing but decide the game or set records and local names.
fn is_quiet(game: &Game, block: BlockId) -> bool {
    let quiet = |stmt: &Stmt| {
        if let StmtKind::Assign(var, ..) = &stmt.kind {
            return game.vars.get(*var).is_some_and(|var| var.record);
        }
        if let StmtKind::If(_, yes, no) = &stmt.kind {
            return is_quiet(game, *yes) && no.is_none_or(|no| is_quiet(game, no));
        }
        let decides = matches!(stmt.kind, StmtKind::Win(_) | StmtKind::Lose(_) | StmtKind::Draw | StmtKind::Rank(..));
        decides || matches!(stmt.kind, StmtKind::Let(..))
    };
    game.blocks.get(block).is_some_and(|block| block.stmts.iter().all(quiet))
}
