//! Overrides of `kinds` and tables, row by row and cell by cell.

use std::sync::Arc;

use super::links::Links;
use super::overrides::{named, nothing};
use crate::base::Span;
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Expr, ExprKind, UnOp};
use crate::syntax::ast::item::{Item, ItemKind, Row, Rows};
use crate::syntax::ast::{Cite, Ident, head};

/// The rows of a table or of `kinds`.
fn rows_of<'i>(items: &'i mut [Arc<Item>], table: &Ident, links: &mut Links) -> Result<&'i mut Rows, Box<Report>> {
    fn tabled(kind: &ItemKind) -> Option<&Ident> {
        if let ItemKind::Kinds { name, .. } | ItemKind::Table(name, _) = kind { Some(name) } else { None }
    }
    match named(items, &table.node, tabled) {
        Ok(ItemKind::Kinds { name, rows, .. } | ItemKind::Table(name, rows)) => {
            links.used(table.span, name.span);
            Ok(rows)
        }
        found => {
            let message = format!("there is no table `{}`", table.node);
            Err(nothing(table.span, &message, &table.node, &found.err().unwrap_or_default()))
        }
    }
}

/// The index of the row with a key.
fn find(rows: &Rows, table: &Ident, key: &Ident, links: &mut Links) -> Result<usize, Box<Report>> {
    let keys = || rows.body.iter().map(|row| row.cells.first());
    if let Some((at, old)) = (0..).zip(keys()).find(|(_, old)| old.is_some_and(|old| old.node == key.node)) {
        if let Some(old) = old {
            links.used(key.span, old.span);
        }
        return Ok(at);
    }
    let keys: Vec<String> = keys().flatten().map(|old| old.node.clone()).collect();
    let message = format!("`{}` has no row `{}`", table.node, key.node);
    Err(nothing(key.span, &message, &key.node, &keys))
}

/// The key of a row that fits the header.
fn key<'r>(rows: &Rows, table: &Ident, row: &'r Row) -> Result<&'r Ident, Box<Report>> {
    let (wide, high) = (row.cells.len(), rows.header.cells.len());
    let key = row.cells.first().filter(|_| wide == high);
    if let Some(key) = key.filter(|key| !key.node.is_empty()) {
        return Ok(key);
    }
    let place = |row: &Row| row.cells.iter().map(|cell| cell.span).reduce(Span::to).unwrap_or(table.span);
    if key.is_some() {
        let report = Report::new(Code::MissingItem, place(row), "the first cell is empty, so the row is not named");
        return Err(Box::new(report.help(format!("write there which row of `{}` is meant", table.node))));
    }
    let message = format!("this row has {wide} cells, but the header has {high}");
    let report = Report::new(Code::RaggedTable, place(row), message).also(place(&rows.header), "the header");
    Err(Box::new(report.help(if wide < high {
        "for a cell without a value write `-`, or nothing between two bars"
    } else {
        "remove the cells that have no column"
    })))
}

/// Appends a row.
pub(super) fn add_row(items: &mut [Arc<Item>], table: &Ident, row: Row, links: &mut Links) -> Result<(), Box<Report>> {
    let rows = rows_of(items, table, links)?;
    let key = key(rows, table, &row)?;
    if let Some(old) = rows.body.iter().filter_map(|old| old.cells.first()).find(|old| old.node == key.node) {
        let message = format!("`{}` already has a row `{}`", table.node, key.node);
        let report = Report::new(Code::Duplicate, key.span, message).also(old.span, "it is here");
        return Err(Box::new(report.help(format!("to change it, write `replace row {} …`", table.node))));
    }
    rows.body.push(row);
    Ok(())
}

/// Replaces the row with the same key.
pub(super) fn replace_row(
    items: &mut [Arc<Item>],
    table: &Ident,
    row: Row,
    links: &mut Links,
) -> Result<(), Box<Report>> {
    let rows = rows_of(items, table, links)?;
    let key = key(rows, table, &row)?;
    let at = find(rows, table, key, links)?;
    rows.body[at] = row;
    Ok(())
}

/// Removes a row.
pub(super) fn remove_row(
    items: &mut [Arc<Item>],
    table: &Ident,
    key: &Ident,
    links: &mut Links,
) -> Result<(), Box<Report>> {
    let rows = rows_of(items, table, links)?;
    let at = find(rows, table, key, links)?;
    rows.body.remove(at);
    Ok(())
}

/// Changes a cell.
pub(super) fn set_cell(
    items: &mut [Arc<Item>],
    [table, row, column]: [&Ident; 3],
    value: &Expr,
    cites: Vec<Cite>,
    links: &mut Links,
) -> Result<(), Box<Report>> {
    let rows = rows_of(items, table, links)?;
    let heads: Vec<Ident> = rows.header.cells.iter().map(head).collect();
    let Some(at) = heads.iter().position(|head| head.node == column.node) else {
        let message = format!("`{}` has no column `{}`", table.node, column.node);
        let heads: Vec<String> = heads.into_iter().map(|head| head.node).collect();
        return Err(nothing(column.span, &message, &column.node, &heads));
    };
    links.used(column.span, heads[at].span);
    let line = find(rows, table, row, links)?;
    let Some(text) = cell_text(value) else {
        let message = "a cell holds a number, a truth value, a name, or a set of these";
        let report = Report::new(Code::WrongType, value.span, message);
        return Err(Box::new(report.help("write the value itself, such as `6` or `{fox, duck}`")));
    };
    let row = &mut rows.body[line];
    if let Some(cell) = row.cells.get_mut(at) {
        *cell = Ident::new(text, value.span);
    }
    row.cites.extend(cites);
    Ok(())
}

/// A value as text in a table; none if it cannot be written there.
fn cell_text(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Number(n) => Some(n.to_string()),
        ExprKind::Truth(b) => Some(b.to_string()),
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Unary(UnOp::Neg, inner) => cell_text(inner).map(|text| format!("-{text}")),
        ExprKind::Set(members) if members.is_empty() => Some("-".to_owned()),
        ExprKind::Set(members) => members.iter().map(cell_text).collect::<Option<Vec<_>>>().map(|all| all.join(" ")),
        ExprKind::Call(..)
        | ExprKind::Field(..)
        | ExprKind::Pieces(..)
        | ExprKind::Tokens(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Quantified { .. }
        | ExprKind::Aggregate { .. }
        | ExprKind::Top(..)
        | ExprKind::TopOf(_)
        | ExprKind::After(..)
        | ExprKind::CanPlay(..)
        | ExprKind::If(..)
        | ExprKind::Filter(..) => None,
    }
}
