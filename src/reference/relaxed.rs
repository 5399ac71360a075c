//! What of a path is left out, to find out what keeps it from leading somewhere.

use super::because::Because;
use crate::base::Bits;
use crate::ir::RuleId;

/// A part of a path that can keep it from leading somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hurdle {
    /// The test with this rule.
    Test(RuleId),
    /// Its directions.
    Heading,
    /// Its length.
    Limit,
}

/// The parts of a path that are left out, to find out what forbids a move.
#[derive(Debug, Default)]
pub(super) struct Relaxed {
    /// Tests that are assumed to hold.
    pub(super) tests: Vec<RuleId>,
    /// Where they are; everywhere if no sites are named.
    pub(super) only: Option<Bits>,
    /// Where they were needed, if that is recorded.
    pub(super) needed: Option<Bits>,
    /// Whether every direction may be taken.
    pub(super) headings: bool,
    /// Whether any distance may be covered.
    pub(super) limits: bool,
    /// Why tests failed, if that is asked: by site.
    pub(super) failed: Option<Vec<(usize, Because)>>,
}

/// Without some parts.
pub(super) fn relaxed(hurdles: &[Hurdle]) -> Relaxed {
    let tests = hurdles.iter().filter_map(|hurdle| if let Hurdle::Test(rule) = hurdle { Some(*rule) } else { None });
    Relaxed {
        tests: tests.collect(),
        headings: hurdles.contains(&Hurdle::Heading),
        limits: hurdles.contains(&Hurdle::Limit),
        ..Relaxed::default()
    }
}
