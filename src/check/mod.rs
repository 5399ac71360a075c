//! From the tree to the typed game: names, types, sorts, finite domains,
//! clauses.
//!
//! Works on one setup: overrides are applied to the tree (`variant`), boards
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
mod cells;
mod expr;
mod flow;
mod function;
mod idle;
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
mod table;
mod variant;
mod zone;

use crate::base::{FileId, Sources, Span};
use crate::ir::Game;
use crate::load::{Files, Offer, Setup};
use crate::report::{Reports, Severity};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};
use crate::syntax::bare;

use overrides::Changed;
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
    let mut notes = names::Notes::default();
    let (mut items, changed) = variant::read(file, files, sources, reports, &mut notes);
    if reports.has_errors() {
        respell::join(sources, reports);
        return (items, None);
    }
    let (all, rule_files) = (items.clone(), sources.ids().collect::<Vec<_>>());
    let places: Vec<Span> = changed.iter().map(|change| change.place).collect();
    let (variants, brought);
    (items, variants, brought) = variant::apply((items, changed), setup, file, reports, offer, &mut notes);
    let mut game = settle(file, &items, variants, (files, setup), sources, reports, offer);
    if let Some(game) = &mut game {
        // What is overridden is not among the items; what only sets a part stands in none.
        let chosen = all
            .iter()
            .filter(|item| matches!(&item.kind, ItemKind::Variant { name, .. } if game.variants.contains(&name.node)));
        let spans = items.iter().chain(chosen).map(|item| item.span);
        game.digest = digest(sources, spans.chain(places), game);
        idle::uncited(&all, &game.clauses, (sources, &rule_files), reports);
    }
    blame(&brought, reports);
    respell::join(sources, reports);
    items.extend(all.into_iter().filter(|item| matches!(item.kind, ItemKind::Variant { .. })));
    (items, game)
}

/// Errors in what no override touches come of overrides, as they were not there before: each
/// names the override that speaks of the same thing, or the only one there is.
fn blame(brought: &[Changed], reports: &mut Reports) {
    for report in reports.iter_mut().filter(|report| report.code.severity() == Severity::Error) {
        let within = |change: &Changed| {
            let (inner, outer) = (report.span, change.place);
            inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
        };
        if brought.iter().any(within) || report.also.iter().any(|(span, _)| brought.iter().any(|c| c.place == *span)) {
            continue;
        }
        let words: Vec<&str> = report.message.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let speaks = |change: &&Changed| change.what.names().any(|name| words.contains(&name));
        let cause = brought.iter().find(speaks).or(match brought {
            [only] => Some(only),
            _ => None,
        });
        if let Some(cause) = cause {
            report.also.push((cause.place, "caused by this change".to_owned()));
        }
    }
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
    let game = checker.run(items, setup, offer)?;
    (!reports.has_errors()).then_some(game)
}

/// A digest of the rules as resolved and of what was settled. Comments, clauses, layout and variants
/// that are not played do not count, nor do registries.
fn digest(sources: &Sources, rules: impl Iterator<Item = Span>, game: &Game) -> u64 {
    let seats: Vec<&str> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
    let mut text = format!("{seats:?}{:?}{:?}\n", game.settings, game.variants);
    for rule in rules {
        text.push_str(&bare(sources.slice(rule)));
        text.push('\n');
    }
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}
