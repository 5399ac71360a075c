//! Parts of rules: how overrides name statements, and what they do with them.

use super::expr::{Expr, ExprKind};
use super::stmt::{Block, Stmt, StmtKind};
use super::{Cite, Ident};
use crate::base::Span;

/// What an overlay depends on: `mixture == allowed`, or a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The reading or variant.
    pub name: Ident,
    /// The alternative of the reading; none for a variant.
    pub value: Option<Ident>,
}

impl Condition {
    /// As written in rules.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.value {
            Some(value) => format!("{} == {}", self.name.node, value.node),
            None => self.name.node.clone(),
        }
    }
}

/// A statement, by what tells it apart: `choose to`, `require §4`, `§4`.
#[derive(Clone, Debug)]
pub struct Part {
    /// The word it begins with: a keyword, or the name that is assigned or called.
    pub word: Option<Ident>,
    /// The name after the word.
    pub name: Option<Ident>,
    /// Clauses that it cites.
    pub cites: Vec<Cite>,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word && self.name == other.name && self.cites == other.cites
    }
}

impl Eq for Part {}

impl Part {
    /// As written in rules.
    #[must_use]
    pub fn shown(&self) -> String {
        let words = self.word.iter().chain(&self.name).map(|word| word.node.clone());
        words.chain(self.cites.iter().map(|cite| format!("§{}", cite.node))).collect::<Vec<_>>().join(" ")
    }

    /// Whether it names a statement.
    #[must_use]
    pub fn fits(&self, stmt: &Stmt) -> bool {
        let called = stmt.kind.called();
        let same = |wanted: &Option<Ident>, found: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| Some(wanted.node.as_str()) == found)
        };
        let cited = |cite: &Cite| stmt.cites.iter().any(|other| other.node == cite.node);
        same(&self.word, Some(called.word))
            && same(&self.name, called.name.map(|(name, _)| name))
            && self.cites.iter().all(cited)
    }
}

/// A change of a part of a rule.
#[derive(Clone, Debug)]
pub struct PartEdit {
    /// What is done.
    pub kind: EditKind,
    /// Its place.
    pub span: Span,
}

impl PartialEq for PartEdit {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for PartEdit {}

/// What is done with a part of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditKind {
    /// `replace PART { }`, or `replace` and a statement that begins as the part does.
    Replace(Part, Block),
    /// `replace when C`: the condition of an end, with its clauses.
    When(Expr, Vec<Cite>),
    /// `remove PART`
    Remove(Part),
    /// `before PART { }`; the beginning of the rule if there is no part.
    Before(Option<Part>, Block),
    /// `after PART { }`; the end of the rule if there is no part.
    After(Option<Part>, Block),
}

impl EditKind {
    /// The statements that it brings.
    #[must_use]
    pub fn block(&self) -> Option<&Block> {
        match self {
            Self::Replace(_, block) | Self::Before(_, block) | Self::After(_, block) => Some(block),
            Self::When(..) | Self::Remove(_) => None,
        }
    }
}

/// What a statement is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called<'s> {
    /// The word that tells its kind, or the name that it assigns or calls.
    pub word: &'s str,
    /// The place of that name; none for a word of the language.
    pub word_place: Option<Span>,
    /// The first name that stands after it, with its place.
    pub name: Option<(&'s str, Span)>,
}

impl<'s> Called<'s> {
    fn bare(word: &'s str) -> Self {
        Self { word, word_place: None, name: None }
    }

    fn named(word: &'s str, name: &'s Ident) -> Self {
        Self { word, word_place: None, name: Some((&name.node, name.span)) }
    }

    /// A statement about an expression: a name only if that is nothing else.
    fn about(word: &'s str, expr: &'s Expr) -> Self {
        let name = if let ExprKind::Name(name) = &expr.kind { Some((name.as_str(), expr.span)) } else { None };
        Self { word, word_place: None, name }
    }

    fn first(word: &'s str, group: Option<&'s Vec<Ident>>) -> Self {
        group.and_then(|actions| actions.first()).map_or(Self::bare(word), |action| Self::named(word, action))
    }
}

impl StmtKind {
    /// What a statement is called.
    #[must_use]
    pub fn called(&self) -> Called<'_> {
        match self {
            Self::Choose(name, ..) => Called::named("choose", name),
            Self::Roll(name, ..) => Called::named("roll", name),
            Self::Require(_) => Called::bare("require"),
            Self::Ensure(_) => Called::bare("ensure"),
            Self::Prefer(_) => Called::bare("prefer"),
            Self::Let(name, _) => Called::named("let", name),
            Self::Put(_, piece, _) => Called::named("put", &piece.name),
            Self::MovePacket(..) => Called::bare("move"),
            Self::MoveTokens(_, tokens, ..) => Called::named("move", &tokens.name),
            Self::Move(what, ..) => Called::about("move", what),
            Self::Remove(what) => Called::about("remove", what),
            Self::Swap(what, _) => Called::about("swap", what),
            Self::Rotate(what, _) => Called::about("rotate", what),
            Self::Change(what, _) => Called::about("change", what),
            Self::Sow { tokens, .. } => Called::named("sow", &tokens.name),
            Self::Shuffle(what) => Called::about("shuffle", what),
            Self::If(..) => Called::bare("if"),
            Self::For(name, ..) => Called::named("for", name),
            Self::While(..) => Called::bare("while"),
            Self::Repeat(..) => Called::bare("repeat"),
            Self::Turns(..) => Called::bare("turns"),
            Self::Phase(name, ..) => Called::named("phase", name),
            Self::Together(_, groups) => Called::first("together", groups.first()),
            Self::Race { group, .. } => Called::first("race", Some(group)),
            Self::Stop => Called::bare("stop"),
            Self::Again => Called::bare("again"),
            Self::Give(_) => Called::bare("give"),
            Self::Win(who) => Called::about("win", who),
            Self::Lose(who) => Called::about("lose", who),
            Self::Draw => Called::bare("draw"),
            Self::Rank(name, ..) => Called::named("rank", name),
            Self::Place(who) => Called::about("place", who),
            Self::Eliminate(who) => Called::about("eliminate", who),
            Self::Assign(name, ..) | Self::Call(name, ..) => {
                Called { word: &name.node, word_place: Some(name.span), name: None }
            }
            Self::Plays { groups, .. } => Called::first("plays", groups.first()),
        }
    }
}
