//! Expressions and paths.

use super::{Cite, Ident};
use crate::base::Span;

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

/// Binary operators, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `in`: membership.
    In,
    /// `within`: subset.
    Within,
    /// `meets`: the sets share a member.
    Meets,
    /// `|`: union.
    Union,
    /// `&`: intersection.
    Intersect,
    /// `..`: a range of numbers, or a rectangle of sites.
    Range,
    /// `+`
    Add,
    /// `-`: numbers, or set difference.
    Sub,
    /// `*`
    Mul,
    /// `/`: towards zero, by a constant.
    Div,
    /// `mod`: never negative, by a constant.
    Mod,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    /// `not`
    Not,
    /// `no S`: the set is empty.
    No,
    /// `some S`: the set is not empty.
    Some,
    /// `-n`
    Neg,
}

/// The aggregates over binders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// `sum`
    Sum,
    /// `max`: 0 if there is nothing.
    Max,
    /// `min`: 0 if there is nothing.
    Min,
    /// `union`
    Union,
}

/// What a binder ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// `x in S`: the members of a set.
    Members,
    /// `x at S`: the pieces on sites or in a zone.
    Pieces,
}

/// `x in S` or `x at S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The name bound.
    pub name: Ident,
    /// Members or pieces.
    pub over: Over,
    /// The set or place.
    pub set: Expr,
}

/// The owner of pieces or tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// `own x`: the acting seat's.
    Own,
    /// `enemy x`: any other seat's.
    Enemy,
    /// `x of p`.
    Of(Box<Expr>),
    /// `x` alone: anybody's.
    Anyone,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A name: constant, variable, site, set of pieces, …
    Name(String),
    /// A number.
    Number(i64),
    /// `true` or `false`.
    Truth(bool),
    /// `f(a, b)`: a function, path, region, table or indexed variable.
    Call(Ident, Vec<Expr>),
    /// `x.f`: an attribute of a site, piece, way or table row.
    Field(Box<Expr>, Ident),
    /// `own stone`, `stone of p`: the sites with such a piece.
    Pieces(Whose, Ident),
    /// `seed at S`, `own checker at S`: how many such tokens are there.
    Tokens(Whose, Ident, Box<Expr>),
    /// A prefix operator.
    Unary(UnOp, Box<Expr>),
    /// A binary operator.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `any …: C` (`all` when the flag is set), with an optional `where`.
    Quantified {
        /// `all` instead of `any`.
        all: bool,
        /// The binders, outermost first.
        binders: Vec<Binder>,
        /// The filter.
        filter: Option<Box<Expr>>,
        /// The condition.
        body: Box<Expr>,
    },
    /// `sum E for … where C`.
    Aggregate {
        /// The kind of aggregate.
        fold: Fold,
        /// The value aggregated.
        body: Box<Expr>,
        /// The binders, outermost first.
        binders: Vec<Binder>,
        /// The filter.
        filter: Option<Box<Expr>>,
    },
    /// `top x in S by E`: the members with the greatest E.
    Top(Ident, Box<Expr>, Box<Expr>),
    /// `top of Z`: the top piece, as a set of at most one.
    TopOf(Box<Expr>),
    /// `after m: E`: E in the position after the move `m`.
    After(Ident, Box<Expr>),
    /// `p can play a | b`: whether the seat has a legal move of one of the actions.
    CanPlay(Box<Expr>, Vec<Ident>),
    /// `if C then A else B`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `{x in S where C}`.
    Filter(Ident, Box<Expr>, Box<Expr>),
    /// `{a, b, c}`.
    Set(Vec<Expr>),
}

/// A set of sites a path element tests, with the clauses it implements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteTest {
    /// The sites allowed.
    pub set: Expr,
    /// The clauses.
    pub cites: Vec<Cite>,
}

/// A path with its place and clauses.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its kind.
    pub kind: PathKind,
    /// The clauses it implements.
    pub cites: Vec<Cite>,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.cites == other.cites
    }
}

impl Eq for Path {}

/// The kinds of path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// `step D to S`: one step.
    Step {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// The target sites.
        to: SiteTest,
    },
    /// `slide D up to N through S`: one or more steps straight on.
    Slide {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// The maximum length; unlimited if absent.
        limit: Option<Expr>,
        /// The sites it may pass and end on.
        through: SiteTest,
    },
    /// `hop D over A to B`: over the adjacent site onto the next one.
    Hop {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// The sites it may jump over.
        over: SiteTest,
        /// Whether the jumped site is taken, with the clauses.
        taking: Option<Vec<Cite>>,
        /// The sites it may land on.
        to: SiteTest,
    },
    /// `along d in D ( … )`: with one direction throughout.
    Along(Ident, Expr, Box<Path>),
    /// `take`: takes the current site.
    Take,
    /// `if C`: continues only where C holds.
    Test(Expr),
    /// Another path by name.
    Call(Ident, Vec<Expr>),
    /// One after the other.
    Then(Vec<Path>),
    /// Either.
    Or(Vec<Path>),
    /// `P{least..most}`; `fully` keeps only ways that cannot be extended.
    Repeat {
        /// The path repeated.
        body: Box<Path>,
        /// The minimum number of repetitions.
        least: u32,
        /// The maximum number of repetitions.
        most: Option<u32>,
        /// Whether only ways that cannot be extended count.
        fully: bool,
    },
}
