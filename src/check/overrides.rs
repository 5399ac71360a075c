//! `replace`, `remove`, `set` and new items: one layer of items laid over others.

use super::names::Notes;
use crate::base::{Span, nearest};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::expr::{Expr, ExprKind, UnOp};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Ident, head};

/// What is overridden: an item, or a part of a table.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Its word and name.
    item: String,
    /// A row and perhaps a column of it.
    part: Option<(String, Option<String>)>,
}

impl Target {
    fn whole(item: String) -> Self {
        Self { item, part: None }
    }

    /// Whether two overrides cannot both be carried out.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let parts = match (&self.part, &other.part) {
            (None, _) | (_, None) => true,
            (Some((row, column)), Some((other, with))) => {
                row == other && (column.is_none() || with.is_none() || column == with)
            }
        };
        self.item == other.item && parts
    }

    /// In quotes, as it would be written.
    pub(super) fn shown(&self) -> String {
        let table = self.item.split_once(' ').map_or(self.item.as_str(), |(_, name)| name);
        match &self.part {
            None => format!("`{}`", self.item),
            Some((row, None)) => format!("`{table}.{row}`"),
            Some((row, Some(column))) => format!("`{table}.{row}.{column}`"),
        }
    }
}

/// An override that was carried out.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    /// What it changed.
    pub(super) what: Target,
    /// Where it stands.
    pub(super) place: Span,
}

/// Lays items over others and notes what was changed.
pub(super) fn override_with(
    items: &mut Vec<Item>,
    changes: Vec<Item>,
    changed: &mut Vec<Changed>,
    reports: &mut Reports,
    notes: &mut Notes,
) {
    for change in changes {
        let place = change.span;
        let what = match change.kind {
            ItemKind::Replace(new) => {
                let key = new.key();
                match items.iter_mut().find(|old| old.key() == key) {
                    Some(old) => {
                        note_names(&new.kind, &old.kind, notes);
                        *old = *new;
                    }
                    None => missing(&key, place, items, reports),
                }
                Target::whole(key)
            }
            ItemKind::Remove(ref kind, ref name) => {
                let key = format!("{} {}", kind.node, name.node);
                match items.iter().position(|old| old.key() == key) {
                    Some(at) => {
                        let old = items.remove(at);
                        if let Some(old) = old.kind.name() {
                            notes.used(name.span, old.span);
                        }
                    }
                    None => missing(&key, place, items, reports),
                }
                Target::whole(key)
            }
            ItemKind::Set(ref path, ref value) => match set(items, path, value, notes) {
                Ok(target) => target,
                Err(report) => {
                    reports.push(*report);
                    continue;
                }
            },
            // The head of a file that extends another takes the place of the other's.
            ItemKind::Game { .. } => {
                items.retain(|old| !matches!(old.kind, ItemKind::Game { .. }));
                items.insert(0, change);
                continue;
            }
            _ => {
                let key = change.key();
                let unnamed = !key.contains(' ');
                if let Some(old) = items.iter().find(|old| old.key() == key).filter(|_| !unnamed || key == "play") {
                    let message = format!("`{key}` is there already");
                    reports.push(
                        Report::new(Code::Duplicate, place, message)
                            .also(old.span, "declared here")
                            .help(format!("to change it, write `replace {key} …`")),
                    );
                }
                items.push(change);
                changed.push(Changed { what: Target::whole(key), place });
                continue;
            }
        };
        if let Some(first) = changed.iter().find(|other| other.what.meets(&what)) {
            let message = format!("{} is changed twice", what.shown());
            reports.push(
                Report::new(Code::Duplicate, place, message)
                    .label("changed again")
                    .also(first.place, "first changed here")
                    .help("leave one of them"),
            );
        }
        changed.push(Changed { what, place });
    }
}

/// Changes the value of an option, the first alternative of a reading, or a cell of
/// a table, and says what that was.
fn set(items: &mut [Item], path: &[Ident], value: &Expr, notes: &mut Notes) -> Result<Target, Box<Report>> {
    match path {
        [table, row, column] => set_cell(items, [table, row, column], value, notes),
        [name, ..] => set_value(items, name, value, notes),
        [] => Err(nothing(value.span, "nothing is named to be set", "", &[])),
    }
}

fn set_value(items: &mut [Item], wanted: &Ident, value: &Expr, notes: &mut Notes) -> Result<Target, Box<Report>> {
    let mut names: Vec<String> = Vec::new();
    for item in items {
        let key = item.key();
        match &mut item.kind {
            ItemKind::Option { name, value: old, .. } if name.node == wanted.node => {
                notes.used(wanted.span, name.span);
                *old = value.clone();
                return Ok(Target::whole(key));
            }
            ItemKind::Reading(name, alternatives, _) if name.node == wanted.node => {
                let named = match &value.kind {
                    ExprKind::Name(named) => named.as_str(),
                    _ => "",
                };
                let Some(at) = alternatives.iter().position(|other| other.node == named) else {
                    let all: Vec<String> = alternatives.iter().map(|other| other.node.clone()).collect();
                    let message = format!("the reading `{}` has no such alternative", name.node);
                    return Err(nothing(value.span, &message, named, &all));
                };
                notes.used(wanted.span, name.span);
                notes.used(value.span, alternatives.get(at).map_or(value.span, |found| found.span));
                alternatives.swap(0, at);
                if let Some(first) = alternatives.first_mut() {
                    // What is shown of it is where it was chosen.
                    first.span = value.span;
                }
                return Ok(Target::whole(key));
            }
            ItemKind::Option { name, .. } | ItemKind::Reading(name, ..) => names.push(name.node.clone()),
            _ => {}
        }
    }
    let message = format!("there is no option or reading `{}` to set", wanted.node);
    Err(nothing(wanted.span, &message, &wanted.node, &names))
}

fn set_cell(
    items: &mut [Item],
    [table, row, column]: [&Ident; 3],
    value: &Expr,
    notes: &mut Notes,
) -> Result<Target, Box<Report>> {
    let mut names: Vec<String> = Vec::new();
    for item in items {
        let key = item.key();
        let (ItemKind::Kinds { name, rows, .. } | ItemKind::Table(name, rows)) = &mut item.kind else { continue };
        if name.node != table.node {
            names.push(name.node.clone());
            continue;
        }
        let heads: Vec<String> =
            rows.header.cells.iter().map(|cell| cell.split(':').next().unwrap_or("").trim().to_owned()).collect();
        let keys: Vec<String> = rows.body.iter().filter_map(|row| row.cells.first()).map(|c| c.node.clone()).collect();
        let Some(at) = heads.iter().position(|head| *head == column.node) else {
            let message = format!("`{}` has no column `{}`", table.node, column.node);
            return Err(nothing(column.span, &message, &column.node, &heads));
        };
        let found = rows.body.iter_mut().find(|line| line.cells.first().is_some_and(|cell| cell.node == row.node));
        let places = found.as_ref().and_then(|line| line.cells.first()).zip(rows.header.cells.get(at));
        if let Some((first, heading)) = places {
            let declared = [name.span, first.span, head(heading).span];
            for (name, place) in [table, row, column].into_iter().zip(declared) {
                notes.used(name.span, place);
            }
        }
        let Some(cell) = found.and_then(|line| line.cells.get_mut(at)) else {
            let message = format!("`{}` has no row `{}`", table.node, row.node);
            return Err(nothing(row.span, &message, &row.node, &keys));
        };
        let Some(text) = cell_text(value) else {
            let message = "a cell holds a number, a truth value, a name, or a set of such";
            let report = Report::new(Code::WrongType, value.span, message);
            return Err(Box::new(report.help("write the value itself, such as `6` or `{fox, duck}`")));
        };
        *cell = Ident::new(text, value.span);
        return Ok(Target { item: key, part: Some((row.node.clone(), Some(column.node.clone()))) });
    }
    let message = format!("there is no table `{}`", table.node);
    Err(nothing(table.span, &message, &table.node, &names))
}

/// That an override names nothing, and what could be meant.
fn nothing(span: Span, message: &str, word: &str, names: &[String]) -> Box<Report> {
    let report = Report::new(Code::NothingToOverride, span, message);
    let near = nearest(word, names.iter().map(String::as_str));
    Box::new(match (near, names) {
        (Some(_), _) => report.suggest(near),
        (None, []) => report.help("the rules it builds on have none"),
        (None, names) => report.help(format!("there are {}", names.join(", "))),
    })
}

/// A value as it would stand in a table; none if it cannot.
fn cell_text(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Number(n) => Some(n.to_string()),
        ExprKind::Truth(b) => Some(b.to_string()),
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Unary(UnOp::Neg, inner) => cell_text(inner).map(|text| format!("-{text}")),
        ExprKind::Set(members) if members.is_empty() => Some("-".to_owned()),
        ExprKind::Set(members) => members.iter().map(cell_text).collect::<Option<Vec<_>>>().map(|all| all.join(" ")),
        _ => None,
    }
}

fn missing(key: &str, span: Span, items: &[Item], reports: &mut Reports) {
    let keys: Vec<String> = items.iter().map(Item::key).collect();
    let message = format!("there is no `{key}` to override");
    let mut report = Report::new(Code::NothingToOverride, span, message);
    if let Some(near) = nearest(key, keys.iter().map(String::as_str)) {
        report = report.help(format!("did you mean `{near}`?"));
    } else {
        report = report.help("an override must name an item, option or table cell of the rules it builds on");
    }
    reports.push(report);
}

/// Notes that the names of an item that takes the place of another are its names.
fn note_names(new: &ItemKind, old: &ItemKind, notes: &mut Notes) {
    if let (Some(new), Some(old)) = (new.name(), old.name()) {
        notes.same(new.span, old.span);
    }
    let members = old.members();
    for name in new.members() {
        if let Some(old) = members.iter().find(|old| old.node == name.node) {
            notes.same(name.span, old.span);
        }
    }
}
