//! Paths.

use super::expr::Expr;
use super::{RuleId, Slot};
use crate::ir::PathId;

/// A set of sites a path element tests, and the rule it implements.
#[derive(Clone, Debug)]
pub struct Test {
    /// The sites allowed.
    pub set: Expr,
    /// The rule, for traces and refusals.
    pub rule: RuleId,
}

/// A path.
#[derive(Clone, Debug)]
pub enum Path {
    /// One step.
    Step {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// Where to.
        to: Test,
    },
    /// Straight on over one or more sites.
    Slide {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// At most this many steps.
        limit: Option<Expr>,
        /// Over which sites.
        through: Test,
    },
    /// Over the adjacent site onto the one behind.
    Hop {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// Over which sites.
        over: Test,
        /// Whether the site jumped is taken.
        taking: Option<RuleId>,
        /// Where to.
        to: Test,
    },
    /// With one direction throughout.
    Along(Slot, Expr, Box<Path>),
    /// The site stood on is taken.
    Take,
    /// Goes on only where the condition holds.
    If(Expr, RuleId),
    /// Another path.
    Call(PathId, Vec<Expr>),
    /// One after the other.
    Then(Vec<Path>),
    /// Either.
    Or(Vec<Path>),
    /// Again and again.
    Repeat {
        /// What.
        body: Box<Path>,
        /// At least so often.
        least: u32,
        /// At most so often.
        most: Option<u32>,
        /// Only where it cannot go on.
        fully: bool,
    },
    /// A path with clauses of its own.
    Cited(RuleId, Box<Path>),
}

/// A declared path.
#[derive(Clone, Debug)]
pub struct PathDef {
    /// Its name.
    pub name: String,
    /// Its parameters, the start excluded.
    pub params: Vec<Slot>,
    /// The local name of the site an element begins at (`here`).
    pub here: Slot,
    /// The local name of the sites taken so far (`taken`).
    pub taken: Slot,
    /// The local name of the start (`start`).
    pub start: Slot,
    /// Whether it takes sites, so that its ways are told apart by what they take.
    pub takes: bool,
    /// The path.
    pub body: Path,
    /// The rule it is.
    pub rule: RuleId,
}
