//! From items to the typed game: names, types, sorts, finite domains, rules.
//!
//! What comes in is one setup: nothing is to be overridden any more, and the clauses are known.
//! Boards are laid out (`board`), and then every name gets its meaning. Constants are folded with
//! the reference interpreter itself, so that there is one meaning. What passes here never faults
//! when played.
//!
//! Each part has what it may touch: `scope` the names that can be seen, `notes` what editors want to know, `Checker` these
//! and the game so far, as definitions are checked on first use, wherever an expression names them. `Declarations` and
//! `Program` hold the checker one after the other, the latter with the blocks and procedures that no expression makes;
//! `flow`, `idle` and `start` are given what has come out.
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
mod constant;
mod disclosure;
mod expr;
mod family;
mod flow;
mod function;
mod idle;
mod instead;
mod item;
mod kind;
mod moves;
mod names;
mod notes;
mod option;
mod part;
mod path;
mod place;
mod player;
mod scope;
mod set;
mod setup;
mod several;
mod start;
mod stmt;
mod table;
mod unknown;
mod zone;

use std::sync::Arc;

use crate::base::Span;
use crate::ir::{ClauseTable, Game};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};

use action::Program;
use checker::{CONSTANTS, Checker};
use item::Declarations;

pub(crate) use names::names;
pub use notes::{Candidate, Declared, Meaning, Names, Wanted};
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
    /// How many texts hold the rules. What stands in later ones is asked of them, and numbered after all that is theirs, so
    /// that the texts of positions mean the same whatever is asked.
    pub(crate) own: usize,
}

/// Checks the rules of one setup, and adds to `offer` what can be settled, and to `work` how many steps were run. A
/// game comes out if there are no errors among the reports.
pub(crate) fn check(
    rules: Rules<'_>,
    setup: &Setup,
    offer: &mut Offer,
    work: &mut u64,
    reports: &mut Reports,
) -> Option<Game> {
    let items = family::families(rules.items);
    let mut checker = Checker::new(Rules { items: &items, ..rules }, reports);
    declare(&mut checker, &items, setup, offer);
    *work += CONSTANTS - checker.steps;
    if checker.reports.has_errors() {
        // Names that failed would only be reported again where they are used.
        return None;
    }
    let before = checker.steps;
    define(&mut checker, &items, rules.own);
    let Checker { game, reports, asked_for, uses, steps, .. } = checker;
    *work += before - steps;
    if let Some(what) = game.overfull() {
        let message = format!("a game cannot have so many {what}");
        let place = items.iter().find(|item| item.has_key("game")).map_or_else(Span::default, |item| item.span);
        reports.push(Report::new(Code::OutOfRange, place, message).help("declare fewer of them"));
    }
    if reports.has_errors() {
        return None;
    }
    flow::flow(&game, &asked_for, &items, reports);
    uses.idle(&items, reports);
    if reports.has_errors() {
        return None;
    }
    start::begin(game, &items, work, reports)
}

/// What is named for all of the file.
fn declare(check: &mut Checker<'_>, items: &[Arc<Item>], setup: &Setup, offer: &mut Offer) {
    Declarations { check, setup, offer }.all(items);
}

/// What is done with the names.
fn define(check: &mut Checker<'_>, items: &[Arc<Item>], own: usize) {
    check.phases(items);
    let functions = |asked: bool, check: &mut Checker<'_>| {
        for (number, item) in items.iter().enumerate() {
            let defines = matches!(item.kind, ItemKind::Region(..) | ItemKind::Define(..) | ItemKind::Path(..));
            if defines && (usize::from(item.span.file.0) >= own) == asked {
                check.function(items, number);
            }
        }
    };
    functions(false, check);
    check.regions(items);
    check.sights(items);
    Program::new(check).run(items);
    check.game.own_parts = check.game.parts.len();
    functions(true, check);
}
