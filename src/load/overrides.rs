//! `replace`, `remove`, `set` and new items: applying one layer of items to another.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Names;
use super::cells::{add_row, remove_row, replace_row, set_cell};
use crate::base::{Span, nearest};
use crate::check::Meaning;
use crate::report::{Code, Fix, Report, Reports};
use crate::syntax::ast::expr::{Expr, ExprKind};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident, of_kind};

/// Unnamed items that occur once per game.
const ONCE: &[&str] = &["players", "first", "board", "play"];

/// The target of an override: an item, or a part of a table.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Its keyword and name.
    item: String,
    /// A row, and possibly a column of it.
    part: Option<(String, Option<String>)>,
}

impl Target {
    fn whole(item: String) -> Self {
        Self { item, part: None }
    }

    /// Whether two overrides exclude each other.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let parts = match (&self.part, &other.part) {
            (None, _) | (_, None) => true,
            (Some((row, column)), Some((other, with))) => {
                row == other && (column.is_none() || with.is_none() || column == with)
            }
        };
        self.item == other.item && parts
    }

    /// The names in it.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let name = self.item.split_once(' ').map_or(self.item.as_str(), |(_, name)| name);
        let row = self.part.as_ref().map(|(row, _)| row.as_str());
        [Some(name), row].into_iter().flatten()
    }

    /// In quotes, as written in rules.
    pub(super) fn shown(&self) -> String {
        if self.part.is_none() { format!("`{}`", self.item) } else { format!("`{}`", self.title()) }
    }

    /// Its name for a rule.
    fn title(&self) -> String {
        let name = self.item.split_once(' ').map_or(self.item.as_str(), |(_, name)| name);
        match &self.part {
            None => name.to_owned(),
            Some((row, None)) => format!("{name}.{row}"),
            Some((row, Some(column))) => format!("{name}.{row}.{column}"),
        }
    }
}

/// An override that was applied.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    /// Its target.
    pub(super) what: Target,
    /// Its place.
    pub(super) place: Span,
    /// The clauses it cites, if no remaining item does: otherwise that item has them.
    pub(super) cites: Vec<Cite>,
}

/// Overrides that cite clauses: the target with its place, and the clauses.
pub(super) fn citing(changed: &[Changed]) -> Vec<(Ident, Vec<Cite>)> {
    let named = |change: &Changed| Ident { node: change.what.title(), span: change.place };
    let citing = changed.iter().filter(|change| !change.cites.is_empty());
    citing.map(|change| (named(change), change.cites.clone())).collect()
}

/// What the names in overrides refer to, for editors.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// For each name, the place of the declaration it refers to.
    used: BTreeMap<Span, Span>,
    /// For each name of a replacement, the name it replaces.
    same: BTreeMap<Span, Span>,
}

impl Links {
    /// Records what a name refers to.
    pub(super) fn used(&mut self, name: Span, declared: Span) {
        self.used.insert(name, declared);
    }

    /// Records that two names refer to the same thing.
    fn same(&mut self, name: Span, first: Span) {
        if name != first {
            self.same.insert(name, first);
        }
    }

    /// Records what the name of a removed item refers to; for the rule of a kind, each of its words.
    fn removed(&mut self, name: &Ident, old: &Ident, items: &[Arc<Item>]) {
        let (Some((family, kind)), Some((of, _))) = (of_kind(name), of_kind(old)) else {
            return self.used(name.span, old.span);
        };
        self.used(family.span, of.span);
        let kinds = items.iter().filter(|item| matches!(item.kind, ItemKind::Piece { .. } | ItemKind::Kinds { .. }));
        let mut names = kinds.flat_map(|item| item.kind.name().cloned().into_iter().chain(item.kind.members()));
        if let Some(declared) = names.find(|name| *name == kind) {
            self.used(kind.span, declared.span);
        }
    }

    /// Adds these links to the names known otherwise.
    pub(super) fn note(&self, names: &mut Names) {
        for (&name, &declared) in &self.used {
            names.uses.entry(name).or_insert(Meaning::Declared(declared));
        }
        for (&name, &first) in &self.same {
            names.same.entry(name).or_insert(first);
        }
    }
}

/// Applies items to others, and returns the changes.
pub(super) fn override_with(
    items: &mut Vec<Arc<Item>>,
    changes: Vec<Item>,
    reports: &mut Reports,
    links: &mut Links,
) -> Vec<Changed> {
    let mut changed: Vec<Changed> = Vec::new();
    for change in changes {
        let place = change.span;
        // The head of an extending file replaces that of the extended one.
        if matches!(change.kind, ItemKind::Game { .. }) {
            items.retain(|old| !matches!(old.kind, ItemKind::Game { .. }));
            items.insert(0, Arc::new(change));
            continue;
        }
        if !change.kind.overrides() {
            let key = change.key();
            add(items, change, &key, reports);
            changed.push(Changed { what: Target::whole(key), place, cites: Vec::new() });
            continue;
        }
        let cites = change.cites.clone();
        let what = target(items, &change.kind);
        let row = matches!(change.kind, ItemKind::Row(..));
        if let Err(mut report) = carry_out(items, change, links) {
            if row && report.code == Code::Duplicate {
                report.fix = Some(replacing(place));
            }
            reports.push(*report);
        }
        let Some(what) = what else { continue };
        if let Some(first) = changed.iter().find(|other| other.what.meets(&what)) {
            let message = format!("{} is changed twice", what.shown());
            reports.push(
                Report::new(Code::Duplicate, place, message)
                    .label("changed again")
                    .also(first.place, "first changed here")
                    .help("keep only one of them"),
            );
        }
        changed.push(Changed { what, place, cites });
    }
    changed
}

/// The keyword that turns an addition into an override.
fn replacing(item: Span) -> Fix {
    let place = Span { end: item.start, ..item };
    Fix { span: place, text: "replace ".to_owned(), message: "write `replace` in front of it".to_owned() }
}

/// Adds a new item.
fn add(items: &mut Vec<Arc<Item>>, new: Item, key: &str, reports: &mut Reports) {
    let unnamed = !key.contains(' ');
    if let Some(old) = items.iter().find(|old| old.key() == key).filter(|_| !unnamed || ONCE.contains(&key)) {
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
        items.iter().map(|item| item.key()).find(|key| keys.contains(key))
    };
    let row = |table: &Ident, row: Option<&Ident>, column: Option<&Ident>| {
        let part = row.map(|row| (row.node.clone(), column.map(|column| column.node.clone())));
        Some(Target { item: key(table, ["kinds", "table"])?, part })
    };
    if let ItemKind::Set(path, _) = change {
        match path.as_slice() {
            [name] => key(name, ["option", "reading"]).map(Target::whole),
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
fn carry_out(items: &mut Vec<Arc<Item>>, change: Item, links: &mut Links) -> Result<(), Box<Report>> {
    let place = change.span;
    match change.kind {
        ItemKind::Set(path, value) => set(items, &path, &value, links),
        ItemKind::Row(table, row) => add_row(items, &table, row, links),
        ItemKind::RemoveRow(table, key) => remove_row(items, &table, &key, links),
        ItemKind::Replace(new) => match *new {
            Item { kind: ItemKind::Row(table, row), .. } => replace_row(items, &table, row, links),
            new => {
                let key = new.key();
                let old = items.iter_mut().find(|old| old.key() == key);
                let Some(old) = old else {
                    if matches!(new.kind, ItemKind::Clause(..)) {
                        // It may be in a registry, which is read later.
                        let kind = ItemKind::Replace(Box::new(new));
                        items.push(Arc::new(Item { kind, span: place, cites: Vec::new() }));
                        return Ok(());
                    }
                    return Err(missing(&key, place, items));
                };
                link_names(&new.kind, &old.kind, links);
                *old = Arc::new(new);
                Ok(())
            }
        },
        ItemKind::Remove(ref kind, ref name) => {
            let key = format!("{} {}", kind.node, name.node);
            let at = items.iter().position(|old| old.key() == key);
            let Some(at) = at else { return Err(missing(&key, place, items)) };
            if let Some(old) = items.remove(at).kind.name() {
                links.removed(name, old, items);
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
        | ItemKind::Variant { .. } => Ok(()),
    }
}

/// Sets the value of an option, the default of a reading, or a cell of a table.
fn set(items: &mut [Arc<Item>], path: &[Ident], value: &Expr, links: &mut Links) -> Result<(), Box<Report>> {
    match path {
        [table, row, column] => set_cell(items, [table, row, column], value, links),
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
        (None, []) => report.help("the rules being extended have none"),
        (None, names) => report.help(format!("the choices are {}", names.join(", "))),
    })
}

fn missing(key: &str, span: Span, items: &[Arc<Item>]) -> Box<Report> {
    let keys: Vec<String> = items.iter().map(|item| item.key()).collect();
    let message = format!("there is no `{key}` to override in the rules being extended");
    let report = Report::new(Code::NothingToOverride, span, message);
    Box::new(match nearest(key, keys.iter().map(String::as_str)) {
        Some(near) => report.help(format!("did you mean `{near}`?")),
        None => report.help("an override must name an item, option, row or cell of the rules being extended"),
    })
}

/// Records that the names in a replacement refer to those of the replaced item.
fn link_names(new: &ItemKind, old: &ItemKind, links: &mut Links) {
    if let (Some(new), Some(old)) = (new.name(), old.name()) {
        match (of_kind(new), of_kind(old)) {
            (Some((new, _)), Some((old, _))) => links.same(new.span, old.span),
            _ => links.same(new.span, old.span),
        }
    }
    let members = old.members();
    for name in new.members() {
        if let Some(old) = members.iter().find(|old| old.node == name.node) {
            links.same(name.span, old.span);
        }
    }
}
