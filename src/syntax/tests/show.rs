//! Trees as text, fully parenthesized.

use super::item;
use crate::syntax::ast::expr::{Expr, ExprKind, Path, PathKind, Whose};
use crate::syntax::ast::item::{Given, ItemKind};

/// An expression, fully parenthesized.
pub(super) fn expr(text: &str) -> String {
    let item = item(&format!("define x = {text}"));
    let ItemKind::Define(_, Given::Formula(_, expr)) = item else { panic!("{item:?}") };
    show(&expr)
}

fn show(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Truth(b) => b.to_string(),
        ExprKind::Call(name, args) => format!("{}({})", name.node, all(args)),
        ExprKind::Field(inner, name) => format!("{}.{}", show(inner), name.node),
        ExprKind::Pieces(whose, name) => owned(whose, &name.node),
        ExprKind::Tokens(whose, name, at) => {
            format!("[{} at {}]", owned(whose, &name.node), show(at))
        }
        ExprKind::Unary(op, inner) => format!("({op:?} {})", show(inner)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
        ExprKind::Quantified { all, binders, filter, body } => {
            let names: Vec<&str> = binders.iter().map(|binder| binder.name.node.as_str()).collect();
            let filter = filter.as_ref().map_or_else(String::new, |filter| format!(" where {}", show(filter)));
            format!("({} {}{filter}: {})", if *all { "all" } else { "any" }, names.join(" "), show(body))
        }
        ExprKind::Aggregate { fold, body, binders, filter } => {
            let filter = filter.as_ref().map_or_else(String::new, |filter| format!(" where {}", show(filter)));
            format!("({fold:?} {} for {}{filter})", show(body), binders.len())
        }
        ExprKind::Top(name, set, by) => {
            format!("(top {} in {} by {})", name.node, show(set), show(by))
        }
        ExprKind::TopOf(inner) => format!("(top of {})", show(inner)),
        ExprKind::After(name, inner) => format!("(after {}: {})", name.node, show(inner)),
        ExprKind::CanPlay(seat, actions) => {
            let names: Vec<&str> = actions.iter().map(|name| name.node.as_str()).collect();
            format!("({} can play {})", show(seat), names.join(" | "))
        }
        ExprKind::If(a, b, c) => format!("(if {} then {} else {})", show(a), show(b), show(c)),
        ExprKind::Filter(name, set, test) => {
            format!("{{{} in {} where {}}}", name.node, show(set), show(test))
        }
        ExprKind::Set(parts) => format!("{{{}}}", all(parts)),
    }
}

fn all(parts: &[Expr]) -> String {
    parts.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn owned(whose: &Whose, name: &str) -> String {
    match whose {
        Whose::Own => format!("own {name}"),
        Whose::Enemy => format!("enemy {name}"),
        Whose::Of(seat) => format!("{name} of {}", show(seat)),
        Whose::Anyone => name.to_owned(),
    }
}

pub(super) fn path(text: &str) -> Path {
    let item = item(&format!("path x = {text}"));
    if let ItemKind::Path(_, _, path) = item { path } else { panic!("{item:?}") }
}

/// The skeleton of a path.
pub(super) fn skeleton(path: &Path) -> String {
    let list = |parts: &[Path], by: &str| format!("({})", parts.iter().map(skeleton).collect::<Vec<_>>().join(by));
    match &path.kind {
        PathKind::Step { .. } => "step".to_owned(),
        PathKind::Slide { .. } => "slide".to_owned(),
        PathKind::Hop { taking, .. } => if taking.is_some() { "take-hop" } else { "hop" }.to_owned(),
        PathKind::Along(name, set, body) => {
            format!("along {} {} {}", name.node, show(set), skeleton(body))
        }
        PathKind::Take => "take".to_owned(),
        PathKind::Test(test) => format!("if {}", show(test)),
        PathKind::Call(name, args) => format!("{}({})", name.node, all(args)),
        PathKind::Then(parts) => list(parts, " > "),
        PathKind::Or(parts) => list(parts, " | "),
        PathKind::Repeat { body, least, most, fully } => {
            let most = most.map_or_else(|| "∞".to_owned(), |most| most.to_string());
            format!("{}{{{least}..{most}{}}}", skeleton(body), if *fully { " fully" } else { "" })
        }
    }
}
