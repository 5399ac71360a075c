//! Rulebooks: a game's clauses, tables and settings, in chapters.
//!
//! [`book`] gathers it as blocks from the game and its items; `markdown` and
//! `html` write the blocks down. What a clause says is its restatement in the
//! registry; nothing is translated: where a German restatement is missing, the
//! English one stands and the book says so.
//!
//! **Invariant:** every clause of the game stands in the book once, and the same
//! game gives the same book byte by byte.

mod gather;
mod html;
mod markdown;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ir::Game;
use crate::load::Offer;
use crate::model::Position;
use crate::syntax::ast::item::Item;

pub use gather::book;
pub use html::html;
pub use markdown::markdown;
pub use words::Lang;

/// What a book is made from.
#[derive(Clone, Copy, Debug)]
pub struct Matter<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its items after all overrides.
    pub items: &'a [Arc<Item>],
    /// What can be settled.
    pub offer: &'a Offer,
    /// How it begins, as everybody sees it.
    pub opening: &'a Position,
    /// The clauses that hold no more, or otherwise, than in the game it is a version of.
    pub altered: &'a BTreeMap<String, Altered>,
    /// The language of headings, and of clauses where they have both.
    pub lang: Lang,
}

/// What a version of a game does to a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Altered {
    /// Whether no rule implements it any more.
    pub gone: bool,
    /// The items that were changed or left out.
    pub by: Vec<String>,
}

impl Altered {
    fn text(&self, lang: Lang) -> String {
        let what = if self.gone {
            lang.say("gilt in dieser Fassung nicht", "does not apply in this version")
        } else {
            lang.say("in dieser Fassung anders", "different in this version")
        };
        format!("{what}: {}", self.by.join(", "))
    }
}

/// A clause in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: String,
    /// What it is about, in a word.
    pub kind: String,
    /// The gaps it is read with.
    pub gaps: Vec<String>,
    /// Why it is only recorded, if it is.
    pub recorded: Option<String>,
    /// What became of it in this version.
    pub altered: Option<String>,
}

/// A switch between readings, with all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub text: String,
    /// The reading chosen.
    pub chosen: String,
    /// The others.
    pub others: Vec<String>,
}

/// A decided gap in a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its id.
    pub id: String,
    /// What the document leaves open.
    pub question: String,
    /// How it is read.
    pub decision: String,
    /// What else was possible.
    pub alternatives: Vec<String>,
    /// The switches that choose among what can be played.
    pub switches: Vec<Switch>,
}

/// A piece of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A chapter begins.
    Chapter(String),
    /// A paragraph.
    Text(String),
    /// A clause.
    Sentence(Sentence),
    /// A decided gap.
    Decided(Decided),
    /// A table: its caption, its head, its rows.
    Table(String, Vec<String>, Vec<Vec<String>>),
    /// The picture of the setup, and what stands below it.
    Picture(String),
}

/// A rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The title of the game.
    pub title: String,
    /// What stands below it: documents, players, variants.
    pub head: Vec<String>,
    /// The language of its headings.
    pub lang: Lang,
    /// What it says.
    pub blocks: Vec<Block>,
    /// The setup as SVG; empty if there is no board.
    pub picture: String,
}
