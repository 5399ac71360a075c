//! Tables: values looked up by a key.

use std::sync::Arc;

use super::item::Declarations;
use super::scope::{Symbol, TableInfo};
use crate::base::{SaturatingFrom, Span};
use crate::ir::{Lookup, RuleId, RuleKind, Ty, Value, Values};
use crate::report::{Code, Report};
use crate::syntax::ast::item::{Item, ItemKind, Row, Rows};
use crate::syntax::ast::{Ident, head};

impl Declarations<'_, '_> {
    pub(super) fn tables(&mut self, items: &[Arc<Item>]) {
        for item in items {
            let ItemKind::Table(name, rows) = &item.kind else {
                continue;
            };
            self.check.rule(RuleKind::Fact, &name.node, item.span, &item.cites);
            let Some(key_cell) = rows.header.cells.first() else {
                continue;
            };
            let Some((_, Some(key))) = self.column(key_cell) else {
                continue;
            };
            let Some((numbers, order)) = self.keys(&key, rows, name.span) else {
                continue;
            };
            let cited: Vec<Option<RuleId>> = order.iter().map(|row| self.cited(name, row)).collect();
            let cited = if cited.iter().any(Option::is_some) { cited } else { Vec::new() };
            self.check.apart(rows.header.cells.iter().skip(1).map(head));
            let mut columns = Vec::new();
            for (at, cell) in rows.header.cells.iter().enumerate().skip(1) {
                let Some((column, Some(ty))) = self.read_column(cell) else {
                    continue;
                };
                if self.untyped(cell, rows, at) {
                    continue;
                }
                self.check.note_column(&name.node, &column, head(cell).span, &ty);
                let values: Values = order
                    .iter()
                    .map(|row: &&Row| row.cells.get(at).and_then(|cell| self.cell(cell, &ty)).unwrap_or_default())
                    .collect();
                let number = self.check.game.lookups.push(Lookup {
                    sizes: vec![values.len()],
                    values,
                    rule: None,
                    rows: cited.clone(),
                });
                columns.push((column, ty, number));
            }
            self.check.declare(name, Symbol::Table(TableInfo { key, numbers, columns }));
        }
    }

    /// The rule that a row is, if it cites clauses.
    fn cited(&mut self, table: &Ident, row: &Row) -> Option<RuleId> {
        let place = row.cells.first()?.span;
        let cites = !row.cites.is_empty();
        cites.then(|| self.check.rule(RuleKind::Definition, &table.node, place, &row.cites))
    }

    /// The rows in the order of their keys; every value of a numbered key has one. Seats that do not take part have rows
    /// that do not count.
    fn keys<'t>(&mut self, key: &Ty, rows: &'t Rows, span: Span) -> Option<(Vec<i64>, Vec<&'t Row>)> {
        if !(*key == Ty::Int || key.is_atom()) {
            let place = rows.header.cells.first().map_or(span, |cell| cell.span);
            let message = format!("the key of a table cannot be {}", self.check.type_text(key));
            let help = if *key == Ty::Bool {
                "write a definition with `if … then … else …` instead"
            } else {
                "a key is a number, a seat, site, direction, kind or a value of an enum"
            };
            self.check.report(Report::new(Code::WrongType, place, message).help(help));
            return None;
        }
        let mut keyed: Vec<(i64, &Row)> = Vec::new();
        for row in &rows.body {
            let cell = row.cells.first()?;
            if *key == Ty::Seat
                && self.check.scope.find(&cell.node, None).is_some_and(|found| matches!(found.symbol, Symbol::Absent))
            {
                continue;
            }
            let value = self.cell(cell, key)?;
            let number = if *key == Ty::Int { value.int() } else { i64::saturating_from(value.atom()) };
            if keyed.iter().any(|(other, _)| *other == number) {
                let message = format!("the row `{}` occurs twice", cell.node);
                self.check.report(Report::new(Code::Duplicate, cell.span, message).help("give each key one row"));
                return None;
            }
            keyed.push((number, row));
        }
        keyed.sort_by_key(|(number, _)| *number);
        let needed = if *key == Ty::Int { Some(1) } else { self.check.size_of(key) };
        let complete = needed.is_some_and(|size| if *key == Ty::Int { !keyed.is_empty() } else { keyed.len() == size });
        if !complete {
            let named = |n: usize| keyed.iter().any(|(key, _)| usize::try_from(*key) == Ok(n));
            let absent = needed.and_then(|size| (0..size).find(|n| !named(*n)));
            let message = match absent.filter(|_| *key != Ty::Int) {
                Some(n) => format!("the table has no row for `{}`", self.check.value_text(key, &Value::atom_of(n))),
                None => "the table has no rows".to_owned(),
            };
            let help = "the first column must list each value of its type once";
            self.check.report(Report::new(Code::MissingItem, span, message).help(help));
            return None;
        }
        let numbers = if *key == Ty::Int { keyed.iter().map(|(n, _)| *n).collect() } else { Vec::new() };
        Some((numbers, keyed.into_iter().map(|(_, row)| row).collect()))
    }
}
