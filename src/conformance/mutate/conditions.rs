//! Conditions that ask for less, alternatives that are gone, bounds moved by one.

use super::Kind;
use super::edits::{Edits, Range, range};
use crate::syntax::ast::expr::{BinOp, Expr, ExprKind, PathKind};
use crate::syntax::ast::item::{Item, ItemKind};

/// Notes what can be dropped from conditions and sets, and what bounds can be moved.
pub(super) fn change(items: &[&Item], edits: &mut Edits<'_>) {
    for item in items {
        let offered = if let ItemKind::Option { from, .. } = &item.kind { from.as_ref() } else { None };
        item.each_expr(&mut |expr| {
            // What an option may be is no rule.
            if offered.is_none_or(|from| !(from.span.start <= expr.span.start && expr.span.end <= from.span.end)) {
                expression(expr, edits);
            }
        });
        if let ItemKind::Path(_, _, path) = &item.kind {
            path.each(&mut |part| {
                if let PathKind::Repeat { body, least, most, .. } = &part.kind {
                    repetition((range(body.span), range(part.span)), (*least, *most), edits);
                }
                if let PathKind::Or(all) | PathKind::Then(all) = &part.kind {
                    let parts: Vec<Range> = all.iter().map(|one| range(one.span)).collect();
                    let kind = if matches!(part.kind, PathKind::Or(_)) { Kind::Alternative } else { Kind::Condition };
                    drop_each(kind, &parts, edits);
                }
            });
        }
    }
}

fn expression(expr: &Expr, edits: &mut Edits<'_>) {
    match &expr.kind {
        ExprKind::Binary(op, left, right) => operator(*op, (expr, left, right), edits),
        ExprKind::Filter(_, _, test) => filter(test, edits),
        ExprKind::Quantified { filter: Some(test), .. } | ExprKind::Aggregate { filter: Some(test), .. } => {
            filter(test, edits);
        }
        ExprKind::If(_, yes, no) => {
            for one in [yes, no] {
                let (at, kept) = (edits.whole(expr), edits.whole(one));
                let with = format!("({})", edits.slice(kept));
                edits.push(Kind::Alternative, at, with, format!("always `{}`", edits.shown(kept)));
            }
        }
        ExprKind::Set(members) if members.len() > 1 => {
            let parts: Vec<Range> = members.iter().map(|member| edits.whole(member)).collect();
            drop_each(Kind::Alternative, &parts, edits);
        }
        ExprKind::Number(number) if *number > 0 => {
            let less = (number - 1).to_string();
            edits.push(Kind::Bound, range(expr.span), &less, format!("{less} instead of {number}"));
        }
        ExprKind::Name(_)
        | ExprKind::Number(_)
        | ExprKind::Truth(_)
        | ExprKind::Call(..)
        | ExprKind::Field(..)
        | ExprKind::Pieces(..)
        | ExprKind::Tokens(..)
        | ExprKind::Unary(..)
        | ExprKind::Quantified { .. }
        | ExprKind::Aggregate { .. }
        | ExprKind::Top(..)
        | ExprKind::TopOf(_)
        | ExprKind::After(..)
        | ExprKind::CanPlay(..)
        | ExprKind::Set(_) => {}
    }
}

/// A filter that lets everything through.
fn filter(test: &Expr, edits: &mut Edits<'_>) {
    let at = edits.whole(test);
    let what = format!("`{}` dropped", edits.shown(at));
    edits.push(Kind::Condition, at, "true", what);
}

fn operator(op: BinOp, (expr, left, right): (&Expr, &Expr, &Expr), edits: &mut Edits<'_>) {
    let (one, two) = edits.operands(left, right);
    let sign = (one.1, two.0);
    match op {
        BinOp::And | BinOp::Intersect => drop_each(Kind::Condition, &chain(op, expr, edits), edits),
        BinOp::Or | BinOp::Union => drop_each(Kind::Alternative, &chain(op, expr, edits), edits),
        BinOp::Sub => {
            let what = format!("`{}` dropped", edits.shown((one.1, two.1)));
            edits.push(Kind::Condition, (one.1, two.1), "", what);
        }
        BinOp::Within => edits.instead(Kind::Condition, sign, " meets "),
        BinOp::Meets => edits.instead(Kind::Condition, sign, " within "),
        BinOp::Eq => {
            edits.instead(Kind::Condition, sign, " >= ");
            // Nothing is less than 0 where numbers are never negative.
            if !(right.kind == ExprKind::Number(0) && never_negative(left)) {
                edits.instead(Kind::Condition, sign, " <= ");
            }
            moved(two, right, &[" + 1", " - 1"], edits);
        }
        // The other way is that of the sign: `<=` for `<`.
        BinOp::Lt | BinOp::Ge => moved(two, right, &[" - 1"], edits),
        BinOp::Le | BinOp::Gt => moved(two, right, &[" + 1"], edits),
        BinOp::Range => {
            moved(one, left, &[" + 1", " - 1"], edits);
            moved(two, right, &[" + 1", " - 1"], edits);
        }
        BinOp::Ne | BinOp::In | BinOp::Add | BinOp::Mul | BinOp::Div | BinOp::Mod => {}
    }
}

/// A bound that is no number by itself, moved.
fn moved(at: Range, bound: &Expr, by: &[&str], edits: &mut Edits<'_>) {
    let number = |expr: &Expr| matches!(expr.kind, ExprKind::Number(_));
    // A number by itself, or at the end, is changed as one.
    if number(bound) || matches!(&bound.kind, ExprKind::Binary(BinOp::Add | BinOp::Sub, _, last) if number(last)) {
        return;
    }
    for by in by {
        let with = format!("({}{by})", edits.slice(at));
        edits.instead(Kind::Bound, at, &with);
    }
}

fn never_negative(expr: &Expr) -> bool {
    if let ExprKind::Binary(op, ..) = &expr.kind {
        *op == BinOp::Mod
    } else if let ExprKind::Call(name, _) = &expr.kind {
        name.node == "count"
    } else if let ExprKind::Name(name) = &expr.kind {
        matches!(name.as_str(), "ply" | "turn" | "now")
    } else {
        matches!(expr.kind, ExprKind::Tokens(..))
    }
}

/// The operands of a chain of one operator. A chain within a longer one is no chain of its own.
fn chain(op: BinOp, expr: &Expr, edits: &Edits<'_>) -> Vec<Range> {
    let ExprKind::Binary(found, left, right) = &expr.kind else { return Vec::new() };
    let (one, two) = edits.operands(left, right);
    // In brackets it stands for one operand.
    let continued = matches!(&left.kind, ExprKind::Binary(inner, ..) if *inner == op) && one == edits.whole(left);
    let mut operands = if continued { chain(op, left, edits) } else { vec![one] };
    debug_assert_eq!(*found, op, "a chain is one of its operator");
    operands.push(two);
    operands
}

/// Drops each of several parts, with the sign before it; the first with the one behind it.
fn drop_each(kind: Kind, parts: &[Range], edits: &mut Edits<'_>) {
    for (at, &part) in parts.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| parts.get(at));
        let gone = match (before, parts.get(at + 1)) {
            (Some(before), _) => (before.1, part.1),
            (None, Some(next)) => (part.0, next.0),
            (None, None) => continue,
        };
        let what = format!("`{}` dropped", edits.shown(part));
        edits.push(kind, gone, "", what);
    }
}

/// A path that may be repeated once more, or no more than thrice.
fn repetition((body, all): (Range, Range), (least, most): (u32, Option<u32>), edits: &mut Edits<'_>) {
    // Behind the body stand a bracket, the repetition, perhaps `fully`, and clauses.
    let rest = edits.slice((body.1, all.1));
    let Some(start) = rest.find(['*', '+', '?', '{']) else { return };
    let length = if rest.get(start..).is_some_and(|rest| rest.starts_with('{')) {
        rest.get(start..).and_then(|rest| rest.find('}')).map_or(1, |end| end + 1)
    } else {
        1
    };
    let at = (body.1 + start, body.1 + start + length);
    let longest = most.map_or_else(|| (least + 2).max(3), |most| most + 1);
    edits.instead(Kind::Bound, at, &format!("{{{least}..{longest}}}"));
    if least > 0 {
        let shortest = most.map_or_else(|| "*".to_owned(), |most| format!("{{{}..{most}}}", least - 1));
        edits.instead(Kind::Bound, at, &shortest);
    }
}
