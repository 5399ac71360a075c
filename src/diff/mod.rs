//! How two games differ, rule by rule and clause by clause.
//!
//! [`compare`] takes the items of two games after all overrides, and the games they resolve to. A [`Change`] says
//! which item was added, removed or changed, with the facts (a value, a table cell, the sites of a region) and lines
//! that differ; [`Touched`] says what that means for the clauses.
//!
//! **Invariant:** trees are compared, not texts: layout, comments and the order of items do not matter, except the
//! order in which end conditions are tested, and that of boards and kinds of piece, by which sites and kinds are numbered.

mod clauses;
mod facts;
mod items;
mod lines;
mod parts;

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
    /// The resolved game.
    pub game: &'a Game,
    /// The texts they come from.
    pub sources: &'a Sources,
}

/// What happened to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is in the new game only.
    Added,
    /// It is in the old game only.
    Removed,
    /// It is in both and differs.
    Changed,
}

impl Fate {
    /// As a word.
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
    /// The old one.
    Old,
    /// The new one.
    New,
}

/// A text and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Its place, in the sources of its own game.
    pub span: Span,
}

/// A fact that differs: a value, a cell of a table, the sites of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Which fact of the item: `value`, `sites`, `bear.points`, …
    pub what: String,
    /// In the old game.
    pub old: Option<Written>,
    /// In the new game.
    pub new: Option<Written>,
}

/// A line that differs, without comments and with runs of blanks collapsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The game it belongs to.
    pub which: Which,
    /// The line.
    pub written: Written,
    /// The ranges of bytes that differ.
    pub marks: Vec<Range<usize>>,
}

/// An item that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its keyword and name: `region house`.
    pub item: String,
    /// What happened to it.
    pub fate: Fate,
    /// Its place in the old game.
    pub old: Option<Span>,
    /// Its place in the new game.
    pub new: Option<Span>,
    /// The facts that differ.
    pub facts: Vec<Fact>,
    /// The lines that differ, in order.
    pub lines: Vec<Line>,
    /// Whether only the clauses it cites have changed.
    pub only_clauses: bool,
    /// Whether its text is unchanged but its meaning differs, because something it uses changed.
    pub follows: bool,
}

/// How a clause is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Rules now implement it; none did before.
    Gained,
    /// No rule implements it any longer.
    Lost,
    /// A rule that implements it changed.
    Changed,
    /// A rule that implements it uses something that changed.
    Reached,
}

impl Effect {
    /// All effects in order.
    pub const ALL: [Self; 4] = [Self::Gained, Self::Lost, Self::Changed, Self::Reached];

    /// As a word.
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

/// An affected clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Its id.
    pub clause: String,
    /// Its text.
    pub text: String,
    /// How it is affected.
    pub effect: Effect,
    /// The items that affect it.
    pub by: Vec<String>,
}

/// The difference between two games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The changed items, in the order of the new game; removed ones come last.
    pub changes: Vec<Change>,
    /// The affected clauses, by effect.
    pub clauses: Vec<Touched>,
}

/// The difference from the old game to the new one.
#[must_use]
pub fn compare(old: &Side<'_>, new: &Side<'_>) -> Diff {
    let changes = items::changes(old, new);
    let clauses = clauses::touched(old, new, &changes);
    Diff { changes, clauses }
}
