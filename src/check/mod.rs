//! From items to the typed game: names, types, sorts, finite domains, rules.
//!
//! What comes in is one setup: nothing is to be overridden any more, and the clauses are known.
//! Boards are laid out (`board`), and then every name gets its meaning. Constants are folded with
//! the reference interpreter itself, so that there is one meaning. What passes here never faults
//! when played.
//!
//! **Invariant:** a report for everything refused, and no refusal without a place; a game comes
//! out only when there is nothing to report. No text is read or parsed here.

mod action;
mod attribute;
mod board;
mod builtin;
mod call;
mod cases;
mod checker;
mod expr;
mod family;
mod flow;
mod function;
mod idle;
mod item;
mod kind;
mod moves;
mod names;
mod part;
mod path;
mod place;
mod player;
mod scope;
mod set;
mod setup;
mod start;
mod stmt;
mod table;
mod zone;

use std::sync::Arc;

use crate::ir::{ClauseTable, Game};
use crate::report::Reports;
use crate::syntax::ast::item::Item;
use crate::syntax::ast::{Cite, Ident};

use checker::Checker;

pub(crate) use names::names;
pub use names::{Candidate, Declared, Meaning, Names, Wanted};
pub(crate) use player::players;
pub use setup::{Choice, Offer, Setup};

/// What is checked: the rules of one setup.
#[derive(Clone, Debug)]
pub(crate) struct Rules<'a> {
    /// The items, after all overrides.
    pub(crate) items: &'a [Arc<Item>],
    /// The variants played, with the clauses they carry out.
    pub(crate) variants: &'a [(Ident, Vec<Cite>)],
    /// The overrides that carry out clauses.
    pub(crate) overrides: &'a [(Ident, Vec<Cite>)],
    /// The clauses that may be cited.
    pub(crate) clauses: ClauseTable,
}

/// Checks the rules of one setup, and adds to `offer` what can be settled. A game comes out if
/// there are no errors among the reports.
pub(crate) fn check(rules: Rules<'_>, setup: &Setup, offer: &mut Offer, reports: &mut Reports) -> Option<Game> {
    let items = family::families(rules.items);
    let game = Checker::new(Rules { items: &items, ..rules }, reports).run(&items, setup, offer)?;
    (!reports.has_errors()).then_some(game)
}
