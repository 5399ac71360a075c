//! From the tree to the typed game: names, types, sorts, finite domains,
//! clauses.
//!
//! Works on one set-up: overrides are applied to the tree (`variant`), boards
//! are laid out (`board`), and then every name gets its meaning. Constants are
//! folded with the reference interpreter itself, so that there is one meaning.
//! What passes here never faults when played.
//!
//! **Invariant:** a report for everything refused, and no refusal without a
//! place; a game comes out only when there is nothing to report.

mod action;
mod attribute;
mod board;
mod builtin;
mod call;
mod expr;
mod flow;
mod function;
mod item;
mod kind;
mod names;
mod overrides;
mod path;
mod player;
mod registry;
mod respell;
mod scope;
mod set;
mod stmt;
mod variant;
mod zone;

use crate::base::{FileId, Sources};
use crate::ir::Game;
use crate::load::{Files, Offer, Setup};
use crate::report::Reports;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};

use scope::Checker;

pub(crate) use names::names;
pub use names::{Candidate, Declared, Meaning, Names, Wanted};

/// Reads, resolves and checks the rule file that `file` names. The items are those
/// after all overrides, with the variants that can be chosen behind them.
pub(crate) fn resolve(
    file: FileId,
    files: &dyn Files,
    setup: &Setup,
    sources: &mut Sources,
    reports: &mut Reports,
    offer: &mut Offer,
) -> (Vec<Item>, Option<Game>) {
    let found = build(file, files, setup, sources, reports, offer);
    respell::join(sources, reports);
    found
}

fn build(
    file: FileId,
    files: &dyn Files,
    setup: &Setup,
    sources: &mut Sources,
    reports: &mut Reports,
    offer: &mut Offer,
) -> (Vec<Item>, Option<Game>) {
    let mut notes = names::Notes::default();
    let (mut items, changed) = variant::read(file, files, sources, reports, &mut notes);
    if reports.has_errors() {
        return (items, None);
    }
    let mut declared = items.clone();
    declared.retain(|item| matches!(item.kind, ItemKind::Variant { .. }));
    let variants;
    (items, variants) = variant::apply((items, changed), setup, file, reports, offer, &mut notes);
    let game = settle(file, &items, variants, (files, setup), sources, reports, offer);
    items.append(&mut declared);
    (items, game)
}

/// Checks the items that are left when nothing is to be overridden any more.
fn settle(
    file: FileId,
    items: &[Item],
    variants: Vec<(Ident, Vec<Cite>)>,
    (files, setup): (&dyn Files, &Setup),
    sources: &mut Sources,
    reports: &mut Reports,
    offer: &mut Offer,
) -> Option<Game> {
    let clauses = registry::read(items, files, sources, reports);
    if reports.has_errors() {
        return None;
    }
    let mut checker = Checker::new(file, clauses, reports);
    checker.game.variants = variants.iter().map(|(name, _)| name.node.clone()).collect();
    checker.variants = variants;
    let mut game = checker.run(items, setup, offer)?;
    game.digest = digest(sources, &game);
    (!reports.has_errors()).then_some(game)
}

/// A digest of the texts and of what was settled.
fn digest(sources: &Sources, game: &Game) -> u64 {
    let seats: Vec<&str> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
    let mut text = format!("{seats:?}{:?}{:?}", game.settings, game.variants);
    let mut number = 0;
    while let Some(source) = sources.get(FileId(number)) {
        text.push_str(&source.text);
        text.push('\0');
        number += 1;
    }
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}
