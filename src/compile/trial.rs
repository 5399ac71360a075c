//! What is carried out while a move is tried out: its effects without the assignments that no guard can notice.

use std::cell::Cell;

use super::program::{Action, Code, Op, OpKind};
use crate::base::Word;
use crate::ir::{self, BlockId, Dependencies, Expr, Game, HistoryUse, Id, Read, Stmt, StmtKind, VarId};

/// The maximum depth of nested blocks.
const DEPTH: usize = 64;

/// Leaves out of an action's trial what its guards cannot notice.
pub(super) fn shorten<W: Word>(
    game: &Game,
    past: &HistoryUse,
    action: &ir::Action,
    lowered: &mut Action<W>,
    code: &mut Vec<Code<W>>,
) {
    if action.ensure.is_empty() {
        return;
    }
    let mut live = Live { game, past, all: false, vars: Vec::new(), dropped: Cell::new(false) };
    action.ensure.iter().for_each(|(guard, _)| live.reads(guard));
    if lowered.looks {
        live.position();
    }
    loop {
        let before = (live.all, live.vars.len());
        live.block(action.body, 0);
        if before == (live.all, live.vars.len()) {
            break;
        }
    }
    let length = code.len();
    match live.copy(action.body, code, 0) {
        Some(trial) if live.dropped.get() => lowered.trial = trial,
        // The effects serve as they are.
        _ => code.truncate(length),
    }
}

/// The variables that matter to guards.
struct Live<'g> {
    game: &'g Game,
    past: &'g HistoryUse,
    all: bool,
    vars: Vec<VarId>,
    /// Whether something was left out of a copy.
    dropped: Cell<bool>,
}

impl Live<'_> {
    fn var(&mut self, var: VarId) {
        if !self.vars.contains(&var) {
            self.vars.push(var);
        }
    }

    fn reads(&mut self, expr: &Expr) {
        for read in Dependencies::of(self.game, expr).reads {
            match read {
                Read::Var(var) => self.var(var),
                Read::Legal => self.all = true,
                Read::Sites | Read::Tokens | Read::Zone(_) | Read::Playing | Read::Other => {}
            }
        }
    }

    /// The position as a whole is looked at, or a part of it.
    fn position(&mut self) {
        let game = self.game;
        for (var, info) in game.vars.numbered() {
            if !info.record || game.parts.iter().any(|part| part.vars.contains(&var)) {
                self.var(var);
            }
        }
    }

    /// Whether a statement has effects that matter.
    fn matters(&self, stmt: &Stmt, depth: usize) -> bool {
        if let StmtKind::Assign(var, ..) = &stmt.kind {
            return self.all || self.vars.contains(var);
        }
        let structure =
            matches!(stmt.kind, StmtKind::If(..) | StmtKind::For(..) | StmtKind::Repeat(..) | StmtKind::Call(..));
        !structure || depth >= DEPTH || stmt.kind.blocks().any(|block| self.any(block, depth + 1))
    }

    fn any(&self, block: BlockId, depth: usize) -> bool {
        self.game.blocks.get(block).is_none_or(|block| block.stmts.iter().any(|stmt| self.matters(stmt, depth)))
    }

    /// What the statements that matter read matters too.
    fn block(&mut self, block: BlockId, depth: usize) {
        let Some(block) = self.game.blocks.get(block).filter(|_| depth < DEPTH) else {
            self.all = true;
            return;
        };
        for stmt in &block.stmts {
            if self.matters(stmt, depth) {
                let mut looks = false;
                stmt.kind.exprs(&mut |expr| {
                    self.reads(expr);
                    looks |= self.past.looks(expr);
                });
                self.all |= looks;
                stmt.kind.blocks().for_each(|inner| self.block(inner, depth + 1));
            }
        }
    }

    /// A copy of a block with what matters.
    fn copy<W: Word>(&self, block: BlockId, code: &mut Vec<Code<W>>, depth: usize) -> Option<BlockId> {
        let stmts = &self.game.blocks.get(block).filter(|_| depth < DEPTH)?.stmts;
        let Code { ops, ends, asks } = code.get(usize::from(block))?.clone();
        let mut kept = Vec::with_capacity(ops.len());
        for (op, stmt) in ops.into_vec().into_iter().zip(stmts) {
            if self.matters(stmt, depth) {
                kept.push(self.inside(op, code, depth)?);
            } else {
                self.dropped.set(true);
            }
        }
        let copy = BlockId::at(code.len())?;
        code.push(Code { ops: kept.into(), ends, asks });
        Some(copy)
    }

    /// A statement with copies of its blocks.
    fn inside<W: Word>(&self, mut op: Op<W>, code: &mut Vec<Code<W>>, depth: usize) -> Option<Op<W>> {
        let mut copy = |block: &mut BlockId| -> Option<()> {
            *block = self.copy(*block, code, depth + 1)?;
            Some(())
        };
        if let OpKind::Do(body)
        | OpKind::While(_, body)
        | OpKind::Repeat(_, body)
        | OpKind::For(.., body)
        | OpKind::Call(_, body) = &mut op.kind
        {
            copy(body)?;
        } else if let OpKind::If(_, yes, no) = &mut op.kind {
            copy(yes)?;
            if let Some(no) = no {
                copy(no)?;
            }
        }
        Some(op)
    }
}
