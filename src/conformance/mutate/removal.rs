//! Removed guards, blocks and statements.

use super::Kind;
use super::edits::{Edits, range};
use crate::syntax::ast::item::Item;
use crate::syntax::ast::stmt::{Block, Stmt, StmtKind};

/// Notes what can be removed.
pub(super) fn change(items: &[&Item], edits: &mut Edits<'_>) {
    for block in items.iter().flat_map(|item| item.kind.blocks()) {
        let mut stmts = Vec::new();
        removable(block, &mut stmts);
        // A loop over several names is one statement.
        stmts.dedup_by_key(|(stmt, _)| stmt.span);
        for (stmt, what) in stmts {
            edits.push(Kind::Removal, range(stmt.span), "", what);
        }
    }
}

/// What a rule file without the statement lacks; none where the rest would mean nothing without it.
fn removal(kind: &StmtKind) -> Option<&'static str> {
    match kind {
        StmtKind::Choose(..)
        | StmtKind::Roll(..)
        | StmtKind::Let(..)
        | StmtKind::Sow { .. }
        | StmtKind::Turns(..)
        | StmtKind::Phase(..) => None,
        StmtKind::Require(_) | StmtKind::Ensure(_) | StmtKind::Prefer(_) => Some("a guard removed"),
        StmtKind::If(..) | StmtKind::For(..) | StmtKind::While(..) | StmtKind::Repeat(..) => Some("a block removed"),
        StmtKind::Put(..)
        | StmtKind::MovePacket(..)
        | StmtKind::MoveTokens(..)
        | StmtKind::Move(..)
        | StmtKind::Remove(_)
        | StmtKind::Swap(..)
        | StmtKind::Rotate(..)
        | StmtKind::Change(..)
        | StmtKind::Shuffle(_)
        | StmtKind::Together(..)
        | StmtKind::Race { .. }
        | StmtKind::Stop
        | StmtKind::Again
        | StmtKind::Give(_)
        | StmtKind::Win(_)
        | StmtKind::Lose(_)
        | StmtKind::Draw
        | StmtKind::Rank(..)
        | StmtKind::Place(_)
        | StmtKind::Eliminate(_)
        | StmtKind::Assign(..)
        | StmtKind::Plays { .. }
        | StmtKind::Call(..) => Some("a statement removed"),
    }
}

/// The statements that can be removed without making the rest meaningless, with what is lacking then.
fn removable<'a>(block: &'a Block, found: &mut Vec<(&'a Stmt, &'static str)>) {
    for stmt in &block.stmts {
        found.extend(removal(&stmt.kind).map(|what| (stmt, what)));
        // What is done where nothing is legal, or nobody acts, goes with the question.
        if !matches!(stmt.kind, StmtKind::Plays { .. } | StmtKind::Race { .. }) {
            stmt.kind.blocks().for_each(|inner| removable(inner, found));
        }
    }
}
