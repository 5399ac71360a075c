//! `replace`, `remove`, `set` and new items: applying one layer of items to another.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cells::{add_row, remove_row, replace_row, set_cell};
use super::links::Links;
use super::parts::{self, Found};
use super::target::{Changed, Piece, Target};
use crate::base::{Span, nearest};
use crate::report::{Code, Fix, Report, Reports};
use crate::syntax::ast::expr::{Expr, ExprKind};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};

/// Unnamed items that occur once per game.
const ONCE: &[&str] = &["players", "first", "board", "play"];

/// One change of a layer, before it is made.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) what: Target,
    pub(super) place: Span,
    /// The number of the item that makes it.
    item: usize,
    /// The change of a part.
    part: Option<Found>,
    /// Whether it overrides something; it adds something otherwise.
    overrides: bool,
}

/// What a layer of items changes in others, as they are before.
pub(super) fn plan(items: &[Arc<Item>], changes: &[Item], reports: &mut Reports, links: &mut Links) -> Vec<Planned> {
    let mut planned = Vec::new();
    for (number, change) in changes.iter().enumerate() {
        let place = change.span;
        let mut one = |what, place, part, overrides| {
            planned.push(Planned { what, place, item: number, part, overrides });
        };
        if let ItemKind::Change(word, name, edits) = &change.kind {
            for found in parts::find(items, (word, name.as_ref(), edits), place, reports, links) {
                one(found.what.clone(), found.place, Some(found), true);
            }
        } else if change.kind.overrides() {
            if let Some(what) = target(items, &change.kind) {
                one(what, place, None, true);
            }
        } else if !matches!(change.kind, ItemKind::Game { .. }) {
            one(Target::whole(change.key()), place, None, false);
        }
    }
    planned
}

/// Makes the planned changes of several layers, and returns them by layer. A change without a plan is reported or has
/// no target; one whose plan was taken out is not made.
pub(super) fn carry_out(
    items: &mut Vec<Arc<Item>>,
    layers: Vec<(Vec<Item>, Vec<Planned>)>,
    dropped: &BTreeSet<Span>,
    reports: &mut Reports,
    links: &mut Links,
) -> Vec<Vec<Changed>> {
    let mut edits: Vec<Found> = Vec::new();
    let mut all = Vec::new();
    for (changes, planned) in layers {
        all.push(one_layer(items, changes, &planned, dropped, (&mut *reports, &mut *links)));
        let kept = planned.into_iter().filter(|one| !dropped.contains(&one.place));
        edits.extend(kept.filter_map(|one| one.part));
    }
    parts::make(items, &edits);
    all
}

fn one_layer(
    items: &mut Vec<Arc<Item>>,
    changes: Vec<Item>,
    planned: &[Planned],
    dropped: &BTreeSet<Span>,
    (reports, links): (&mut Reports, &mut Links),
) -> Vec<Changed> {
    let mut changed: Vec<Changed> = Vec::new();
    let mut head: Option<Span> = None;
    for (number, change) in changes.into_iter().enumerate() {
        let place = change.span;
        // The head of an extending file replaces that of the extended one.
        if matches!(change.kind, ItemKind::Game { .. }) {
            if let Some(first) = head.replace(place) {
                let report = Report::new(Code::Repeated, place, "`game` may appear only once");
                reports.push(report.also(first, "first here").help("merge them into one"));
                continue;
            }
            items.retain(|old| !matches!(old.kind, ItemKind::Game { .. }));
            items.insert(0, Arc::new(change));
            continue;
        }
        // A row keeps what is cited for one of its cells.
        let has_them = !change.kind.overrides() || matches!(&change.kind, ItemKind::Set(path, _) if path.len() > 1);
        let cites = if has_them { Vec::new() } else { change.cites.clone() };
        for one in planned.iter().filter(|one| one.item == number) {
            let first = changed.iter().find(|other| one.overrides && other.what.meets(&one.what));
            if let Some(first) = first {
                let message = format!("{} is changed twice", one.what.shown());
                reports.push(
                    Report::new(Code::Duplicate, one.place, message)
                        .label("changed again")
                        .also(first.place, "first changed here")
                        .help("keep only one of them"),
                );
            }
            changed.push(Changed { what: one.what.clone(), place: one.place, cites: cites.clone() });
        }
        if dropped.contains(&place) {
            continue;
        }
        if !change.kind.overrides() {
            let key = change.key();
            add(items, change, &key, reports);
        } else if !matches!(change.kind, ItemKind::Change(..)) {
            let row = matches!(change.kind, ItemKind::Row(..));
            if let Err(mut report) = override_one(items, change, links) {
                if row && report.code == Code::Duplicate {
                    report.fix = Some(replacing(place));
                }
                reports.push(*report);
            }
        }
    }
    changed
}

/// Applies items to others, and returns the changes.
pub(super) fn override_with(
    items: &mut Vec<Arc<Item>>,
    changes: Vec<Item>,
    reports: &mut Reports,
    links: &mut Links,
) -> Vec<Changed> {
    let planned = plan(items, &changes, reports, links);
    let made = carry_out(items, vec![(changes, planned)], &BTreeSet::new(), reports, links);
    made.into_iter().flatten().collect()
}

/// The keyword that turns an addition into an override.
fn replacing(item: Span) -> Fix {
    let place = Span { end: item.start, ..item };
    Fix { span: place, text: "replace ".to_owned(), message: "write `replace` in front of it".to_owned() }
}

/// Adds a new item.
fn add(items: &mut Vec<Arc<Item>>, new: Item, key: &str, reports: &mut Reports) {
    let unnamed = !key.contains(' ');
    let old = items.iter().find(|old| old.has_key(key)).filter(|_| !unnamed || ONCE.contains(&key));
    // Several overlays may depend on the same choice.
    if let Some(old) = old.filter(|_| !matches!(new.kind, ItemKind::With(..))) {
        let message = format!("`{key}` already exists");
        let report = Report::new(Code::Duplicate, new.span, message).also(old.span, "declared here");
        let mut report = report.help(format!("to change it, write `replace {key} …`"));
        report.fix = Some(replacing(new.span));
        reports.push(report);
    }
    items.push(Arc::new(new));
}

/// The target an override names; none if it does not exist.
fn target(items: &[Arc<Item>], change: &ItemKind) -> Option<Target> {
    let key = |name: &Ident, words: [&str; 2]| {
        let keys = words.map(|word| format!("{word} {}", name.node));
        items.iter().find_map(|item| keys.iter().find(|key| item.has_key(key))).cloned()
    };
    let row = |table: &Ident, row: Option<&Ident>, column: Option<&Ident>| {
        let part = row.map(|row| Piece::Row(row.node.clone(), column.map(|column| column.node.clone())));
        Some(Target { item: key(table, ["kinds", "table"])?, part })
    };
    if let ItemKind::Set(path, _) = change {
        match path.as_slice() {
            [name] => Some(Target { item: key(name, ["option", "reading"])?, part: Some(Piece::Value) }),
            [table, key, column] => row(table, Some(key), Some(column)),
            _ => None,
        }
    } else if let ItemKind::Row(table, new) = change {
        row(table, new.cells.first(), None)
    } else if let ItemKind::RemoveRow(table, key) = change {
        row(table, Some(key), None)
    } else if let ItemKind::Replace(new) = change {
        let row = matches!(new.kind, ItemKind::Row(..));
        if row { target(items, &new.kind) } else { Some(Target::whole(new.key())) }
    } else if let ItemKind::Remove(kind, name) = change {
        Some(Target::whole(format!("{} {}", kind.node, name.node)))
    } else {
        None
    }
}

/// Applies an override.
fn override_one(items: &mut Vec<Arc<Item>>, change: Item, links: &mut Links) -> Result<(), Box<Report>> {
    let place = change.span;
    match change.kind {
        ItemKind::Set(path, value) => set(items, &path, &value, change.cites, links),
        ItemKind::Row(table, row) => add_row(items, &table, row, links),
        ItemKind::RemoveRow(table, key) => remove_row(items, &table, &key, links),
        ItemKind::Replace(new) => match *new {
            Item { kind: ItemKind::Row(table, row), .. } => replace_row(items, &table, row, links),
            new => {
                let key = new.key();
                let old = items.iter_mut().find(|old| old.has_key(&key));
                let Some(old) = old else {
                    if matches!(new.kind, ItemKind::Clause(..)) {
                        // It may be in a registry, which is read later.
                        let kind = ItemKind::Replace(Box::new(new));
                        items.push(Arc::new(Item { kind, span: place, cites: Vec::new() }));
                        return Ok(());
                    }
                    return Err(missing(&key, place, items));
                };
                links.replaced(&new.kind, &old.kind);
                *old = Arc::new(new);
                Ok(())
            }
        },
        ItemKind::Remove(ref kind, ref name) => {
            let key = format!("{} {}", kind.node, name.node);
            let at = items.iter().position(|old| old.has_key(&key));
            let Some(at) = at else { return Err(missing(&key, place, items)) };
            if let Some(old) = items.remove(at).kind.name() {
                links.item(name, old, items);
            }
            if kind.node == "reading" {
                // What depended on it can no longer be chosen.
                items.retain(|item| !item.kind.conditions().iter().any(|choice| choice.name.node == name.node));
            }
            Ok(())
        }
        ItemKind::Game { .. }
        | ItemKind::Document { .. }
        | ItemKind::Clause(..)
        | ItemKind::Players { .. }
        | ItemKind::Seating(..)
        | ItemKind::First(_)
        | ItemKind::Option { .. }
        | ItemKind::Reading(..)
        | ItemKind::Enum(..)
        | ItemKind::Kinds { .. }
        | ItemKind::Piece { .. }
        | ItemKind::Tokens { .. }
        | ItemKind::Table(..)
        | ItemKind::Board { .. }
        | ItemKind::Region(..)
        | ItemKind::Define(..)
        | ItemKind::Path(..)
        | ItemKind::Var { .. }
        | ItemKind::Zone { .. }
        | ItemKind::Setup(_)
        | ItemKind::Action(..)
        | ItemKind::Cue(..)
        | ItemKind::Claim { .. }
        | ItemKind::Offer(..)
        | ItemKind::Procedure(..)
        | ItemKind::Play(_)
        | ItemKind::End { .. }
        | ItemKind::Invariant(..)
        | ItemKind::Variant { .. }
        | ItemKind::With(..)
        | ItemKind::Change(..) => Ok(()),
    }
}

/// Sets the value of an option, the default of a reading, or a cell of a table.
fn set(
    items: &mut [Arc<Item>],
    path: &[Ident],
    value: &Expr,
    cites: Vec<Cite>,
    links: &mut Links,
) -> Result<(), Box<Report>> {
    match path {
        [table, row, column] => set_cell(items, [table, row, column], value, cites, links),
        [name, ..] => set_value(items, name, value, links),
        [] => Err(nothing(value.span, "`set` without a name", "", &[])),
    }
}

/// An item with a name, mutable.
///
/// # Errors
/// Lists the names that exist.
pub(super) fn named<'i>(
    items: &'i mut [Arc<Item>],
    wanted: &str,
    name: fn(&ItemKind) -> Option<&Ident>,
) -> Result<&'i mut ItemKind, Vec<String>> {
    let names = || items.iter().filter_map(|item| name(&item.kind)).map(|name| name.node.clone()).collect();
    let found = items.iter().position(|item| name(&item.kind).is_some_and(|name| name.node == wanted));
    let Some(at) = found else { return Err(names()) };
    Ok(&mut Arc::make_mut(&mut items[at]).kind)
}

fn set_value(items: &mut [Arc<Item>], wanted: &Ident, value: &Expr, links: &mut Links) -> Result<(), Box<Report>> {
    fn settled(kind: &ItemKind) -> Option<&Ident> {
        if let ItemKind::Option { name, .. } | ItemKind::Reading(name, ..) = kind { Some(name) } else { None }
    }
    match named(items, &wanted.node, settled) {
        Ok(ItemKind::Option { name, value: old, .. }) => {
            links.used(wanted.span, name.span);
            *old = value.clone();
            Ok(())
        }
        Ok(ItemKind::Reading(name, alternatives, _)) => {
            let named = if let ExprKind::Name(named) = &value.kind { named.as_str() } else { "" };
            let Some(at) = alternatives.iter().position(|other| other.node == named) else {
                let all: Vec<String> = alternatives.iter().map(|other| other.node.clone()).collect();
                let message = format!("the reading `{}` has no such alternative", name.node);
                return Err(nothing(value.span, &message, named, &all));
            };
            links.used(wanted.span, name.span);
            links.used(value.span, alternatives[at].span);
            alternatives.swap(0, at);
            // Its displayed place is where it was chosen.
            alternatives[0].span = value.span;
            Ok(())
        }
        Ok(_) => Ok(()),
        Err(names) => {
            let message = format!("there is no option or reading `{}` to set", wanted.node);
            Err(nothing(wanted.span, &message, &wanted.node, &names))
        }
    }
}

/// The error for an override without a target, with what may be meant.
pub(super) fn nothing(span: Span, message: &str, word: &str, names: &[String]) -> Box<Report> {
    let report = Report::new(Code::NothingToOverride, span, message);
    let near = nearest(word, names.iter().map(String::as_str));
    Box::new(match (near, names) {
        (Some(_), _) => report.suggest(near),
        (None, []) => report.help("the rules that this changes have none"),
        (None, names) => report.help(format!("the choices are {}", names.join(", "))),
    })
}

pub(super) fn missing(key: &str, span: Span, items: &[Arc<Item>]) -> Box<Report> {
    let keys: Vec<String> = items.iter().map(|item| item.key()).collect();
    let message = format!("there is no `{key}` to override in the rules that this changes");
    let report = Report::new(Code::NothingToOverride, span, message);
    Box::new(match nearest(key, keys.iter().map(String::as_str)) {
        Some(near) => report.help(format!("did you mean `{near}`?")),
        None => report.help("an override must name an item, option, row or cell of the rules that it changes"),
    })
}
