//! Members of sets that stand for others.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Kind;
use super::edits::{Edits, range};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr, ExprKind};
use crate::syntax::ast::item::{Item, ItemKind, Row};
use crate::syntax::ast::stmt::StmtKind;

/// Directions, each with the opposite one.
const OPPOSITE: &[(&str, &str)] =
    &[("n", "s"), ("ne", "sw"), ("e", "w"), ("se", "nw"), ("s", "n"), ("sw", "ne"), ("w", "e"), ("nw", "se")];

/// Names that belong together, by each of them.
type Families = BTreeMap<String, Rc<[String]>>;

/// Notes which names can be exchanged.
pub(super) fn change(all: &[Item], items: &[&Item], edits: &mut Edits<'_>) {
    let families = families(all);
    for item in items {
        if let ItemKind::Kinds { rows, .. } | ItemKind::Table(_, rows) = &item.kind {
            rows.body.iter().for_each(|row| cells(row, &families, edits));
        }
        if let ItemKind::Row(_, row) = &item.kind {
            cells(row, &families, edits);
        }
        item.each_expr(&mut |expr| expression(expr, &families, edits));
        item.each_stmt(&mut |stmt| {
            if let StmtKind::Put(_, piece, _) = &stmt.kind {
                name(&piece.name, &families, edits);
            }
        });
    }
}

fn families(all: &[Item]) -> Families {
    let mut found = Families::new();
    let mut add = |names: Vec<&Ident>| {
        let family: Rc<[String]> = names.iter().map(|name| name.node.clone()).collect();
        for name in &names {
            found.insert(name.node.clone(), Rc::clone(&family));
        }
    };
    let mut pieces = Vec::new();
    for item in all {
        if let ItemKind::Enum(_, values) = &item.kind {
            add(values.iter().map(|(name, _)| name).collect());
        } else if let ItemKind::Players { players, .. } = &item.kind {
            add(players.iter().map(|player| &player.name).collect());
        } else if let ItemKind::Kinds { rows, .. } = &item.kind {
            add(rows.body.iter().filter_map(|row| row.cells.first()).collect());
        } else if let ItemKind::Piece { name, .. } = &item.kind {
            pieces.push(name);
        }
    }
    add(pieces);
    found
}

fn expression(expr: &Expr, families: &Families, edits: &mut Edits<'_>) {
    if let ExprKind::Set(members) = &expr.kind {
        // One that is in the set already would only be one less.
        let names: Vec<&str> = members.iter().filter_map(named).collect();
        for member in members {
            let Some(family) = named(member).and_then(|name| families.get(name)) else { continue };
            if let Some(other) = family.iter().find(|other| !names.contains(&other.as_str())) {
                edits.instead(Kind::Member, range(member.span), other);
            }
        }
    } else if let ExprKind::Name(text) = &expr.kind {
        name(&Ident::new(text.clone(), expr.span), families, edits);
    } else if let ExprKind::Pieces(_, kind) | ExprKind::Tokens(_, kind, _) = &expr.kind {
        name(kind, families, edits);
    }
}

fn named(expr: &Expr) -> Option<&str> {
    if let ExprKind::Name(name) = &expr.kind { Some(name) } else { None }
}

/// The next one of its family, the opposite direction, or the next site.
fn name(ident: &Ident, families: &Families, edits: &mut Edits<'_>) {
    let text = ident.node.as_str();
    let next = if let Some(family) = families.get(text) {
        let at = family.iter().position(|name| name == text).map_or(0, |at| at + 1);
        family.get(at).or(family.first()).filter(|next| *next != text).cloned()
    } else if let Some((_, other)) = OPPOSITE.iter().find(|(name, _)| *name == text) {
        Some((*other).to_owned())
    } else {
        let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = text.get(word.len()..).and_then(|digits| digits.parse::<u32>().ok());
        number.filter(|_| !word.is_empty()).map(|number| format!("{word}{}", number + 1))
    };
    if let Some(next) = next {
        edits.instead(Kind::Member, range(ident.span), &next);
    }
}

/// The cells of a row but the first, which names it.
fn cells(row: &Row, families: &Families, edits: &mut Edits<'_>) {
    for cell in row.cells.iter().skip(1).filter(|cell| families.contains_key(&cell.node)) {
        name(cell, families, edits);
    }
}
