//! Paths.

use super::Dependencies;
use super::expr::Expr;
use super::{RuleId, Slot};
use crate::ir::PathId;

/// A set of sites that a path element tests, and the rule it implements.
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
        /// The target site.
        to: Test,
    },
    /// Straight on over one or more sites.
    Slide {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// The maximum number of steps.
        limit: Option<Expr>,
        /// The sites passed over.
        through: Test,
    },
    /// Over the adjacent site onto the next one.
    Hop {
        /// The directions; all if absent.
        heading: Option<Expr>,
        /// The site jumped over.
        over: Test,
        /// The rule by which the site jumped is taken, if it is.
        taking: Option<RuleId>,
        /// The target site.
        to: Test,
    },
    /// With one direction throughout.
    Along(Slot, Expr, Box<Path>),
    /// Takes the current site.
    Take,
    /// Continues only where the condition holds.
    If(Expr, RuleId),
    /// Another path.
    Call(PathId, Vec<Expr>),
    /// For each walker by itself: an element that asks where it begins, or what was taken so far, before anyone walks.
    Each(Box<Path>),
    /// One after the other.
    Then(Vec<Path>),
    /// Either.
    Or(Vec<Path>),
    /// Repetition.
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
    /// A path with clauses of its own.
    Cited(RuleId, Box<Path>),
}

/// A declared path.
#[derive(Clone, Debug)]
pub struct PathDef {
    /// Its name.
    pub name: String,
    /// Its parameters besides the start.
    pub params: Vec<Slot>,
    /// The local name of the site where an element begins (`here`).
    pub here: Slot,
    /// The local name of the sites taken so far (`taken`).
    pub taken: Slot,
    /// The local name of the start (`start`).
    pub start: Slot,
    /// Whether it takes sites, so that ways with the same end are distinguished by what they take.
    pub takes: bool,
    /// The path.
    pub body: Path,
    /// What its tests depend on besides its parameters and the sites it visits.
    pub(crate) needs: Dependencies,
    /// Its rule.
    pub rule: RuleId,
}
