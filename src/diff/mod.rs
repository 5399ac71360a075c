//! How two games differ, rule by rule and clause by clause.
//!
//! [`compare`] takes the items of two games as they are after all overrides,
//! and what they were settled to. A [`Change`] says which item was added, removed or
//! changed, with the facts (a value, a table cell, the sites of a region) and the
//! lines that differ; [`Touched`] says what that means for the clauses.
//!
//! **Invariant:** trees are compared, not texts: layout, comments and the order of
//! items make no difference, except for the order in which ends are tested.

mod clauses;
mod facts;
mod items;
mod lines;

use std::ops::Range;
use std::sync::Arc;

use crate::base::{Sources, Span};
use crate::ir::Game;
use crate::syntax::ast::item::Item;

/// One of the two games.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its items after all overrides.
    pub items: &'a [Arc<Item>],
    /// What came of them.
    pub game: &'a Game,
    /// The texts they stand in.
    pub sources: &'a Sources,
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Only the new game has it.
    Added,
    /// Only the old game has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
}

impl Fate {
    /// In a word.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// Which of the two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// The one compared from.
    Old,
    /// The one compared with.
    New,
}

/// Something written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// How it reads.
    pub text: String,
    /// Where it stands; in the texts of its own game.
    pub span: Span,
}

/// A fact that differs: a value, a cell of a table, the sites of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is of the item: `value`, `sites`, `bear.points`, …
    pub what: String,
    /// What it was.
    pub old: Option<Written>,
    /// What it is.
    pub new: Option<Written>,
}

/// A line that differs, comments left out and blanks run together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Whose it is.
    pub which: Which,
    /// The line.
    pub written: Written,
    /// The bytes of it that differ.
    pub marks: Vec<Range<usize>>,
}

/// An item that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its word and name: `region house`.
    pub item: String,
    /// What became of it.
    pub fate: Fate,
    /// Where it stands in the old game.
    pub old: Option<Span>,
    /// Where it stands in the new game.
    pub new: Option<Span>,
    /// The facts that differ.
    pub facts: Vec<Fact>,
    /// The lines that differ, in order.
    pub lines: Vec<Line>,
    /// Whether it does what it did and only cites other clauses.
    pub only_clauses: bool,
    /// Whether it is written as before and means something else, because something
    /// it uses changed.
    pub follows: bool,
}

/// What happened to a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Rules implement it now; none did.
    Gained,
    /// No rule implements it any more.
    Lost,
    /// A rule that implements it changed.
    Changed,
    /// A rule that implements it uses something that changed.
    Reached,
}

impl Effect {
    /// All effects in order.
    pub const ALL: [Self; 4] = [Self::Gained, Self::Lost, Self::Changed, Self::Reached];

    /// In a word.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Gained => "gained",
            Self::Lost => "lost",
            Self::Changed => "changed",
            Self::Reached => "reached",
        }
    }
}

/// A clause that something happened to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Its id.
    pub clause: String,
    /// What it says.
    pub text: String,
    /// What happened.
    pub effect: Effect,
    /// The items that did it.
    pub by: Vec<String>,
}

/// What differs between two games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The items, in the order of the new game; what is gone comes last.
    pub changes: Vec<Change>,
    /// The clauses, by effect.
    pub clauses: Vec<Touched>,
}

/// What differs from the old game to the new one.
#[must_use]
pub fn compare(old: &Side<'_>, new: &Side<'_>) -> Diff {
    let changes = items::changes(old, new);
    let clauses = clauses::touched(old, new, &changes);
    Diff { changes, clauses }
}
