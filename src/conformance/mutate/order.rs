//! What comes in another order: statements, ends, groups of actions, ranks, arguments.

use std::collections::{BTreeMap, BTreeSet};

use super::Kind;
use super::edits::{Edits, Range, range};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{BinOp, Expr, ExprKind};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::stmt::{Block, Stmt, StmtKind};

/// Stands for all that lies on boards.
const BOARD: &str = "board";

/// Functions whose first two arguments may stand in either order.
const EITHER_WAY: &[&str] = &["lesser", "greater", "distance", "between"];

/// What rules of a name deal with: variables, zones, boards.
type Dealings = BTreeMap<String, BTreeSet<String>>;

/// Notes what can be put in another order.
pub(super) fn change(all: &[Item], items: &[&Item], edits: &mut Edits<'_>) {
    ends(all, edits);
    let dealings = dealings(items, edits);
    for item in items {
        item.kind.blocks().for_each(|block| statements(block, &dealings, edits));
        item.each_stmt(&mut |stmt| {
            within(&stmt.kind, edits);
            stmt.kind.blocks().for_each(|block| statements(block, &dealings, edits));
        });
        item.each_expr(&mut |expr| expression(expr, edits));
    }
}

/// Ends are tested in the order of the file.
fn ends(items: &[Item], edits: &mut Edits<'_>) {
    let ends: Vec<(&Item, &str)> = items
        .iter()
        .filter_map(
            |item| if let ItemKind::End { name, .. } = &item.kind { Some((item, name.node.as_str())) } else { None },
        )
        .collect();
    for pair in ends.windows(2) {
        if let [(one, first), (two, second)] = pair {
            exchange((range(one.span), range(two.span)), format!("`end {second}` before `end {first}`"), edits);
        }
    }
}

fn exchange((one, two): (Range, Range), what: String, edits: &mut Edits<'_>) {
    let with = format!("{}{}{}", edits.slice(two), edits.slice((one.1, two.0)), edits.slice(one));
    edits.push(Kind::Order, (one.0, two.1), with, what);
}

/// For each definition, procedure and action, the variables, zones and boards that it deals with, also by others.
fn dealings(items: &[&Item], edits: &Edits<'_>) -> Dealings {
    let mut found = Dealings::new();
    for item in items {
        let Some(name) = item.kind.name() else { continue };
        let state = if let ItemKind::Var { .. } | ItemKind::Zone { .. } = &item.kind {
            Some(name.node.clone())
        } else if let ItemKind::Piece { .. } | ItemKind::Kinds { .. } | ItemKind::Tokens { .. } = &item.kind {
            Some(BOARD.to_owned())
        } else {
            None
        };
        // All rules of kinds that share a name count as one.
        let key = name.node.split(' ').next().unwrap_or(&name.node).to_owned();
        let entry = found.entry(key).or_default();
        match state {
            Some(state) => entry.extend([state]),
            None => entry.extend(names(edits.slice(range(item.span)))),
        }
    }
    for word in ["empty", "occupied", "piece"] {
        found.entry(word.to_owned()).or_default().insert(BOARD.to_owned());
    }
    found
}

fn names(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).map(str::to_owned)
}

/// What a statement deals with.
fn touched(stmt: &Stmt, dealings: &Dealings, edits: &Edits<'_>) -> BTreeSet<String> {
    let mut open: Vec<String> = names(edits.slice(range(stmt.span))).collect();
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        for other in dealings.get(&name).into_iter().flatten() {
            if *other == name || other == BOARD {
                found.insert(other.clone());
            } else {
                open.push(other.clone());
            }
        }
    }
    found
}

/// Whether it sets something that stays as it is until something else does.
fn sets(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Assign(..)
            | StmtKind::Change(..)
            | StmtKind::Remove(_)
            | StmtKind::Move(..)
            | StmtKind::MovePacket(..)
            | StmtKind::MoveTokens(..)
    )
}

/// Whether it decides how play goes on, or asks somebody.
fn decides(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Win(_)
            | StmtKind::Lose(_)
            | StmtKind::Draw
            | StmtKind::Rank(..)
            | StmtKind::Place(_)
            | StmtKind::Eliminate(_)
            | StmtKind::Plays { .. }
            | StmtKind::Together(..)
            | StmtKind::Race { .. }
    ) || kind.blocks().any(|block| block.stmts.iter().any(|stmt| decides(&stmt.kind)))
}

/// Statements that follow each other.
fn statements(block: &Block, dealings: &Dealings, edits: &mut Edits<'_>) {
    let fixed = |stmt: &Stmt| stmt.kind.binds().is_some() || stmt.kind.may_head() || stmt.kind == StmtKind::Stop;
    let all: Vec<BTreeSet<String>> = block.stmts.iter().map(|stmt| touched(stmt, dealings, edits)).collect();
    let meet = |one: usize, two: usize| {
        let deciding = |at: usize| block.stmts.get(at).is_some_and(|stmt| decides(&stmt.kind));
        deciding(one)
            || deciding(two)
            || matches!((all.get(one), all.get(two)), (Some(one), Some(two)) if !one.is_disjoint(two))
    };
    for (at, stmt) in block.stmts.iter().enumerate().filter(|(_, stmt)| !fixed(stmt)) {
        let (Some(next), Some(last)) = (block.stmts.get(at + 1), block.stmts.last()) else { continue };
        let (here, there, end) = (range(stmt.span), range(next.span), range(last.span).1);
        let alike = matches!((&stmt.kind, &next.kind), (StmtKind::Put(..), StmtKind::Put(..)));
        if !fixed(next) && !alike && meet(at, at + 1) {
            let what = format!("`{}` only behind `{}`", edits.shown(here), edits.shown(there));
            let kind = if sets(&stmt.kind) { Kind::Kept } else { Kind::Order };
            let with = format!("{}{}{}", edits.slice(there), edits.slice((here.1, there.0)), edits.slice(here));
            edits.push(kind, (here.0, there.1), with, what);
        }
        if sets(&stmt.kind) && end > there.1 && (at + 1..block.stmts.len()).any(|other| meet(at, other)) {
            let with = format!("{}\n{}", edits.slice((here.1, end)), edits.slice(here));
            let what = format!("`{}` only at the end of its block", edits.shown(here));
            edits.push(Kind::Kept, (here.0, end), with, what);
        }
    }
}

/// What has an order within a statement.
fn within(kind: &StmtKind, edits: &mut Edits<'_>) {
    if let StmtKind::Rank(_, _, by) | StmtKind::Prefer(by) = kind {
        negated(by, edits);
    } else if let StmtKind::For(_, _, _, Some(from), _) = kind {
        let at = edits.whole(from);
        edits.instead(Kind::Order, at, &format!("following({})", edits.slice(at)));
    } else if let StmtKind::Plays { groups, .. } | StmtKind::Together(_, groups) = kind {
        for pair in groups.windows(2) {
            if let [one, two] = pair
                && let (Some(one), Some(two)) = (extent(one), extent(two))
            {
                let what = format!("`{}` before `{}`", edits.shown(two), edits.shown(one));
                exchange((one, two), what, edits);
            }
        }
    }
}

fn extent(group: &[Ident]) -> Option<Range> {
    let (first, last) = (group.first()?, group.last()?);
    Some((range(first.span).0, range(last.span).1))
}

fn expression(expr: &Expr, edits: &mut Edits<'_>) {
    if let ExprKind::Top(_, _, by) = &expr.kind {
        negated(by, edits);
    } else if let ExprKind::Binary(BinOp::Sub, left, right) = &expr.kind {
        let (one, two) = edits.operands(left, right);
        turned((one.0, two.1), (one, two), edits);
    } else if let ExprKind::Call(name, args) = &expr.kind
        && !EITHER_WAY.contains(&name.node.as_str())
    {
        for pair in args.windows(2) {
            if let [one, two] = pair {
                let (one, two) = (edits.whole(one), edits.whole(two));
                turned((one.0, two.1), (one, two), edits);
            }
        }
    }
}

/// Two operands or arguments the other way round.
fn turned(at: Range, (one, two): (Range, Range), edits: &mut Edits<'_>) {
    let with = format!("{}{}{}", edits.slice(two), edits.slice((one.1, two.0)), edits.slice(one));
    edits.instead(Kind::Order, at, &with);
}

/// The least first instead of the greatest.
fn negated(by: &Expr, edits: &mut Edits<'_>) {
    let at = edits.whole(by);
    edits.instead(Kind::Order, at, &format!("-({})", edits.slice(at)));
}
