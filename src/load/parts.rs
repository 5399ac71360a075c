//! Changes of parts of rules: finding the statement that is named, and making the changes.
//!
//! Statements are identified by their places, so that several layers can change one rule: all find their parts in the
//! rule as it was before any of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::links::Links;
use super::overrides::missing;
use super::target::{Piece, Place, Target};
use crate::base::{SaturatingFrom, Span};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::expr::Expr;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::part::{EditKind, Part, PartEdit};
use crate::syntax::ast::stmt::{Block, Stmt, StmtKind};
use crate::syntax::ast::{Cite, Ident};

/// How many of several statements that fit a report shows.
const SHOWN: usize = 3;

/// A change of a part of an item, with the part found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) what: Target,
    pub(super) place: Span,
    act: Act,
}

/// What is done, and where.
#[derive(Clone, Debug)]
enum Act {
    /// The statement there gives way to these.
    Replace(Span, Vec<Stmt>),
    /// These are added before or after the statement there, or before or after all.
    Add(Option<Span>, bool, Vec<Stmt>),
    /// An end has another condition.
    When(Expr, Vec<Cite>),
}

/// Finds the parts that a change of an item names.
pub(super) fn find(
    items: &[Arc<Item>],
    (word, name, edits): (&Ident, Option<&Ident>, &[PartEdit]),
    place: Span,
    reports: &mut Reports,
    links: &mut Links,
) -> Vec<Found> {
    let key = match name {
        Some(name) => format!("{} {}", word.node, name.node),
        None => word.node.clone(),
    };
    let Some(item) = items.iter().find(|item| item.has_key(&key)) else {
        reports.push(*missing(&key, place, items));
        return Vec::new();
    };
    if let (Some(name), Some(old)) = (name, item.kind.name()) {
        links.item(name, old, items);
    }
    let Some(block) = item.kind.block() else {
        let message = format!("`{key}` has no statements to change");
        let help = format!("it is one part: write `replace {key} …`");
        reports.push(Report::new(Code::NothingToOverride, place, message).help(help));
        return Vec::new();
    };
    let rule = Rule { key, item, block };
    let mut found = Vec::new();
    for edit in edits {
        match rule.find(edit, links) {
            Ok(edit) => found.push(edit),
            Err(report) => reports.push(*report),
        }
    }
    found
}

/// The item that is changed.
struct Rule<'i> {
    key: String,
    item: &'i Item,
    block: &'i Block,
}

impl Rule<'_> {
    fn find(&self, edit: &PartEdit, links: &mut Links) -> Result<Found, Box<Report>> {
        let found =
            |part, act| Ok(Found { what: Target { item: self.key.clone(), part: Some(part) }, place: edit.span, act });
        match &edit.kind {
            EditKind::Replace(part, block) => {
                let (old, place) = self.part(part, links)?;
                for new in &block.stmts {
                    if let (Some(new), Some(old)) = (new.kind.binds(), old.kind.binds())
                        && new.node == old.node
                    {
                        links.same(new.span, old.span);
                    }
                }
                let act = Act::Replace(place.at, block.stmts.clone());
                found(Piece::Statement(place, part.shown()), act)
            }
            EditKind::Remove(part) => {
                let (_, place) = self.part(part, links)?;
                let act = Act::Replace(place.at, Vec::new());
                found(Piece::Statement(place, part.shown()), act)
            }
            EditKind::When(when, cites) => {
                if !matches!(self.item.kind, ItemKind::End { .. }) {
                    let message = format!("`{}` has no `when`: only an end has a condition", self.key);
                    let report = Report::new(Code::NothingToOverride, edit.span, message);
                    return Err(Box::new(report.help("name a statement, such as `require` or `§1`")));
                }
                found(Piece::When, Act::When(when.clone(), cites.clone()))
            }
            EditKind::Before(part, block) => self.beside(edit, part.as_ref(), false, block, links),
            EditKind::After(part, block) => self.beside(edit, part.as_ref(), true, block, links),
        }
    }

    fn beside(
        &self,
        edit: &PartEdit,
        part: Option<&Part>,
        after: bool,
        block: &Block,
        links: &mut Links,
    ) -> Result<Found, Box<Report>> {
        let place = match part {
            Some(part) => self.part(part, links)?.1,
            None => Place { at: self.item.span, within: Vec::new() },
        };
        let at = part.map(|_| place.at);
        let shown = part.map_or_else(|| "everything".to_owned(), |part| format!("`{}`", part.shown()));
        let piece = Piece::Beside(place, after, shown);
        let what = Target { item: self.key.clone(), part: Some(piece) };
        Ok(Found { what, place: edit.span, act: Act::Add(at, after, block.stmts.clone()) })
    }

    /// The only statement that a part names.
    fn part(&self, part: &Part, links: &mut Links) -> Result<(&Stmt, Place), Box<Report>> {
        let mut all = Vec::new();
        statements(self.block, None, &mut all);
        let fitting: Vec<&Stmt> = all.iter().copied().filter(|stmt| part.fits(stmt)).collect();
        let [stmt] = fitting.as_slice() else { return Err(Box::new(self.unclear(part, &fitting, &all))) };
        link(part, stmt, links);
        let mut within = Vec::new();
        around(self.block, stmt, &mut within);
        Ok((stmt, Place { at: stmt.span, within }))
    }

    fn unclear(&self, part: &Part, fitting: &[&Stmt], all: &[&Stmt]) -> Report {
        let (key, shown) = (&self.key, part.shown());
        if fitting.is_empty() {
            let message = format!("there is no `{shown}` in `{key}`");
            let mut names: Vec<String> = all.iter().map(|stmt| told(stmt)).collect();
            names.dedup();
            let help = match names.as_slice() {
                [] => format!("`{key}` is empty"),
                names => format!("its parts are {}", names.join(", ")),
            };
            return Report::new(Code::NothingToOverride, part.span, message).help(help);
        }
        let message = format!("`{shown}` names {} parts of `{key}`", fitting.len());
        let mut report = Report::new(Code::NothingToOverride, part.span, message).label("which one?");
        for stmt in fitting.iter().take(SHOWN) {
            report = report.also(stmt.span, "this one");
        }
        let first = fitting[0];
        let differ = |how: &dyn Fn(&Stmt) -> Vec<String>| fitting.iter().any(|stmt| how(stmt) != how(first));
        let named = |stmt: &Stmt| stmt.kind.called().name.map(|(name, _)| name.to_owned()).into_iter().collect();
        let ways = [
            (
                part.word.is_none() && differ(&|stmt| vec![stmt.kind.called().word.to_owned()]),
                "the word it begins with",
            ),
            (part.word.is_some() && part.name.is_none() && differ(&named), "the name that follows the word"),
            (
                differ(&|stmt| stmt.cites.iter().map(|cite| cite.node.clone()).collect()),
                "a clause that only one of them cites",
            ),
        ];
        let ways: Vec<&str> = ways.into_iter().filter_map(|(differs, way)| differs.then_some(way)).collect();
        report.help(match ways.as_slice() {
            [] => format!("nothing tells them apart: write `{key}` anew, or let one of them cite a clause"),
            ways => format!("add {}", ways.join(", or ")),
        })
    }
}

/// Records what the names in a part refer to: what they mean in the statement.
fn link(part: &Part, stmt: &Stmt, links: &mut Links) {
    // The part of a statement that stands for it has no names of its own.
    let written = |name: &&Ident| {
        let length = usize::saturating_from(name.span.end.saturating_sub(name.span.start));
        length == name.node.len()
    };
    let called = stmt.kind.called();
    if let (Some(word), Some(place)) = (part.word.as_ref().filter(written), called.word_place) {
        links.alike(word.span, place);
    }
    let (Some(name), Some((_, place))) = (part.name.as_ref().filter(written), called.name) else { return };
    let binds = matches!(stmt.kind, StmtKind::For(..) | StmtKind::Rank(..) | StmtKind::Phase(..))
        || stmt.kind.binds().is_some_and(|bound| bound.span == place);
    if binds {
        links.used(name.span, place);
    } else {
        links.alike(name.span, place);
    }
}

/// How a statement can be named.
fn told(stmt: &Stmt) -> String {
    let called = stmt.kind.called();
    let word = called.word;
    match (called.name, stmt.cites.first()) {
        (Some((name, _)), _) => format!("`{word} {name}`"),
        (None, Some(cite)) => format!("`{word} §{}`", cite.node),
        (None, None) => format!("`{word}`"),
    }
}

/// All statements of a block, however deep. Those that a loop over several names consists of are one.
fn statements<'b>(block: &'b Block, within: Option<Span>, found: &mut Vec<&'b Stmt>) {
    for stmt in &block.stmts {
        if within != Some(stmt.span) {
            found.push(stmt);
        }
        for inner in stmt.kind.blocks() {
            statements(inner, Some(stmt.span), found);
        }
    }
}

/// The places of the statements around one; whether it is in the block.
fn around(block: &Block, wanted: &Stmt, within: &mut Vec<Span>) -> bool {
    block.stmts.iter().any(|stmt| {
        within.push(stmt.span);
        let found = std::ptr::eq(stmt, wanted);
        if !found && stmt.kind.blocks().any(|inner| around(inner, wanted, within)) {
            return true;
        }
        within.pop();
        found
    })
}

/// Makes changes of parts of items.
pub(super) fn make(items: &mut [Arc<Item>], edits: &[Found]) {
    if edits.is_empty() {
        return;
    }
    let mut by_item: BTreeMap<&str, Vec<&Act>> = BTreeMap::new();
    for edit in edits {
        by_item.entry(edit.what.item.as_str()).or_default().push(&edit.act);
    }
    for item in items {
        let mine = by_item.get(item.key().as_str()).map_or(&[][..], Vec::as_slice);
        if mine.is_empty() {
            continue;
        }
        let item = Arc::make_mut(item);
        for act in mine {
            if let Act::When(new, cites) = act
                && let ItemKind::End { when, .. } = &mut item.kind
            {
                when.clone_from(new);
                item.cites.clone_from(cites);
            }
        }
        if let Some(block) = item.kind.block_mut() {
            rebuild(block, mine, None);
            let added = |wanted: bool| mine.iter().filter_map(move |act| whole(act, wanted)).flatten().cloned();
            block.stmts.splice(0..0, added(false));
            block.stmts.extend(added(true));
        }
    }
}

/// What is added before or after everything.
fn whole(act: &Act, wanted: bool) -> Option<&Vec<Stmt>> {
    if let Act::Add(None, after, stmts) = act { (*after == wanted).then_some(stmts) } else { None }
}

fn rebuild(block: &mut Block, acts: &[&Act], within: Option<Span>) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        let place = stmt.span;
        let acts_here: &[&Act] = if within == Some(place) { &[] } else { acts };
        let beside = |wanted: bool| {
            acts_here.iter().filter_map(move |act| {
                if let Act::Add(Some(at), after, stmts) = act {
                    (*at == place && *after == wanted).then_some(stmts)
                } else {
                    None
                }
            })
        };
        let replaced = acts_here
            .iter()
            .find_map(|act| if let Act::Replace(at, new) = act { (*at == place).then_some(new) } else { None });
        block.stmts.extend(beside(false).flatten().cloned());
        if let Some(new) = replaced {
            block.stmts.extend(new.iter().cloned());
        } else {
            stmt.kind.blocks_mut().for_each(|inner| rebuild(inner, acts, Some(place)));
            block.stmts.push(stmt);
        }
        block.stmts.extend(beside(true).flatten().cloned());
    }
}
