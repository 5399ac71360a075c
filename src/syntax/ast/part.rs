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
        let (word, name) = stmt.kind.called();
        let same = |wanted: &Option<Ident>, found: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| Some(wanted.node.as_str()) == found)
        };
        let cited = |cite: &Cite| stmt.cites.iter().any(|other| other.node == cite.node);
        same(&self.word, Some(word)) && same(&self.name, name) && self.cites.iter().all(cited)
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

impl StmtKind {
    /// What a statement is called: the word that tells its kind, or the name that it assigns or calls; and the first
    /// name that stands after it.
    #[must_use]
    pub fn called(&self) -> (&str, Option<&str>) {
        fn name(name: &Ident) -> Option<&str> {
            Some(&name.node)
        }
        fn plain(expr: &Expr) -> Option<&str> {
            if let ExprKind::Name(name) = &expr.kind { Some(name) } else { None }
        }
        fn first(groups: &[Ident]) -> Option<&str> {
            groups.first().map(|action| action.node.as_str())
        }
        match self {
            Self::Choose(one, ..) => ("choose", name(one)),
            Self::Roll(one, ..) => ("roll", name(one)),
            Self::Require(_) => ("require", None),
            Self::Ensure(_) => ("ensure", None),
            Self::Prefer(_) => ("prefer", None),
            Self::Let(one, _) => ("let", name(one)),
            Self::Put(_, piece, _) => ("put", name(&piece.name)),
            Self::MovePacket(..) => ("move", None),
            Self::MoveTokens(_, tokens, ..) => ("move", name(&tokens.name)),
            Self::Move(what, ..) => ("move", plain(what)),
            Self::Remove(what) => ("remove", plain(what)),
            Self::Swap(what, _) => ("swap", plain(what)),
            Self::Rotate(what, _) => ("rotate", plain(what)),
            Self::Change(what, _) => ("change", plain(what)),
            Self::Sow { tokens, .. } => ("sow", name(&tokens.name)),
            Self::Shuffle(what) => ("shuffle", plain(what)),
            Self::If(..) => ("if", None),
            Self::For(one, ..) => ("for", name(one)),
            Self::While(..) => ("while", None),
            Self::Repeat(..) => ("repeat", None),
            Self::Turns(..) => ("turns", None),
            Self::Phase(one, ..) => ("phase", name(one)),
            Self::Together(_, groups) => ("together", groups.first().and_then(|group| first(group))),
            Self::Race { group, .. } => ("race", first(group)),
            Self::Stop => ("stop", None),
            Self::Again => ("again", None),
            Self::Give(_) => ("give", None),
            Self::Win(who) => ("win", plain(who)),
            Self::Lose(who) => ("lose", plain(who)),
            Self::Draw => ("draw", None),
            Self::Rank(one, ..) => ("rank", name(one)),
            Self::Place(who) => ("place", plain(who)),
            Self::Eliminate(who) => ("eliminate", plain(who)),
            Self::Assign(one, ..) | Self::Call(one, ..) => (&one.node, None),
            Self::Plays { groups, .. } => ("plays", groups.first().and_then(|group| first(group))),
        }
    }
}
