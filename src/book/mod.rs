//! Rulebooks: a game's clauses, tables and settings, in chapters.
//!
//! [`book`] gathers blocks from the game and its items; `markdown` and `html` render them. The text of a clause is
//! its restatement in the registry, or in its translation; where the translation lacks one, the book has that of the
//! registry and says so.
//!
//! **Invariant:** every clause of the game appears in the book exactly once, and the same game gives the same book
//! byte for byte.

mod gather;
mod html;
mod markdown;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ir::Game;
use crate::load::Offer;
use crate::model::Observation;
use crate::say::Arg;
use crate::syntax::ast::item::Item;

pub use crate::say::Lang;
pub use gather::book;
pub use html::html;
pub use markdown::{escaped, markdown};

/// The material for a book.
#[derive(Clone, Copy, Debug)]
pub struct BookInput<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its items after all overrides.
    pub items: &'a [Arc<Item>],
    /// The settings available.
    pub offer: &'a Offer,
    /// The opening position, as everybody sees it.
    pub opening: &'a Observation,
    /// The clauses that no longer hold, or hold differently, compared with the game this is a version of.
    pub altered: &'a BTreeMap<String, Altered>,
    /// The language of headings, and of clauses that have both.
    pub lang: Lang,
}

/// How a version of a game affects a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Altered {
    /// Whether no rule implements it any longer.
    pub gone: bool,
    /// The items that were changed or removed.
    pub by: Vec<String>,
}

impl Altered {
    fn text(&self, lang: Lang) -> String {
        let id = if self.gone { "book-gone" } else { "book-altered" };
        lang.say(id, &[("by", Arg::Text(&self.by.join(", ")))])
    }
}

/// A clause in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseEntry {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Its subject, as a word.
    pub kind: String,
    /// The gaps that apply to it.
    pub gaps: Vec<String>,
    /// Why it is only recorded, if it is.
    pub recorded: Option<String>,
    /// How this version affects it, if it does.
    pub altered: Option<String>,
}

/// A reading, with all its alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingChoice {
    /// Its name.
    pub name: String,
    /// Its meaning.
    pub text: String,
    /// The alternative chosen.
    pub chosen: String,
    /// The other alternatives.
    pub others: Vec<String>,
}

/// A decided gap in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its id.
    pub id: String,
    /// What the document leaves open.
    pub question: String,
    /// How it is closed.
    pub decision: String,
    /// The alternatives not chosen.
    pub alternatives: Vec<String>,
    /// The readings that choose among the playable alternatives.
    pub switches: Vec<ReadingChoice>,
}

/// A block of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The heading of a chapter.
    Chapter(String),
    /// A paragraph.
    Text(String),
    /// A clause.
    ClauseEntry(ClauseEntry),
    /// A decided gap.
    Decided(Decided),
    /// A table: its caption, header and rows.
    Table(String, Vec<String>, Vec<Vec<String>>),
    /// The picture of the setup, with its caption.
    Picture(String),
}

/// A rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The title of the game.
    pub title: String,
    /// The lines below the title: documents, players, variants.
    pub head: Vec<String>,
    /// The language of its headings.
    pub lang: Lang,
    /// Its content.
    pub blocks: Vec<Block>,
    /// The setup as SVG; empty if there is no board.
    pub picture: String,
}
