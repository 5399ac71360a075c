//! What may stand at a place, as the grammar has it: for completion.
//!
//! **Invariant:** no list of what may follow what: the parser is asked, at a
//! character that no rule takes.

use super::depth;
use super::grammar::{PREFIX, Rule, RulesParser};
use super::recover;
use super::words::{ITEMS, STATEMENTS};
use crate::base::FileId;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

/// A character that no rule file may hold outside texts.
const STOP: char = '\u{1}';

/// What the grammar would take at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Keywords, each once, in alphabetical order.
    pub words: Vec<&'static str>,
    /// Whether a name may stand there, or something that begins with one.
    pub name: bool,
    /// Whether a clause may.
    pub clause: bool,
    /// The item around the place, as far as it can be told.
    pub item: std::ops::Range<usize>,
    /// What closes the brackets that are open at the place.
    pub closing: String,
}

/// What may stand at `at`, as far as the text before it tells.
#[must_use]
pub fn expected(text: &str, at: usize) -> Expected {
    let before = text.get(..at).unwrap_or(text);
    let start = recover::points(before).pop().unwrap_or(0);
    let head = before.get(start..).unwrap_or("");
    let end = recover::points(text).into_iter().find(|&point| point >= at && point > start);
    let mut expected = Expected { item: start..end.unwrap_or(text.len()), ..Expected::default() };
    expected.closing = depth::closing(head);
    if depth::check(FileId(0), &format!("{head}{}", expected.closing)).is_some() {
        return expected;
    }
    // Behind a whole item another one may begin.
    if head.trim().is_empty() || RulesParser::parse(Rule::only_item, head).is_ok() {
        expected.words.extend(ITEMS);
    }
    if let Err(error) = RulesParser::parse(Rule::only_item, &format!("{head}{STOP}")) {
        let (InputLocation::Pos(place) | InputLocation::Span((place, _))) = error.location;
        if let ErrorVariant::ParsingError { positives, .. } = error.variant
            && place >= head.len()
        {
            for rule in positives {
                expected.take(rule);
            }
        }
    }
    expected.words.sort_unstable();
    expected.words.dedup();
    expected
}

impl Expected {
    fn take(&mut self, rule: Rule) {
        let words = |rules: &[Rule]| rules.iter().filter_map(|rule| rule.word()).collect::<Vec<_>>();
        match rule {
            Rule::item | Rule::only_item => self.words.extend(ITEMS),
            Rule::statement | Rule::assign_stmt | Rule::call_stmt | Rule::plays_stmt => {
                self.words.extend(STATEMENTS);
                self.name = true;
            }
            Rule::expr
            | Rule::operand
            | Rule::primary
            | Rule::site_set
            | Rule::site_test
            | Rule::heading
            | Rule::along_set
            | Rule::along_part
            | Rule::binder => {
                if rule != Rule::binder {
                    self.words.extend(words(PREFIX));
                    self.words.extend(words(OPENERS));
                }
                self.name = true;
            }
            Rule::path | Rule::path_seq | Rule::path_rep | Rule::path_atom => {
                self.words.extend(words(STEPS));
                self.name = true;
            }
            Rule::shape => self.words.extend(words(SHAPES)),
            Rule::hex_shape => self.words.push("hex"),
            Rule::moment => self.words.extend(["before", "after"]),
            Rule::type_name => {
                self.words.push("set");
                self.name = true;
            }
            Rule::name
            | Rule::piece_spec
            | Rule::token_spec
            | Rule::name_ref
            | Rule::owner
            | Rule::group
            | Rule::amount
            | Rule::count_of
            | Rule::field_set
            | Rule::param
            | Rule::seat_group
            | Rule::player => self.name = true,
            Rule::clause | Rule::cites => self.clause = true,
            // Every other rule begins with one keyword, or with none.
            _ => self.words.extend(rule.word().or_else(|| rule.opener())),
        }
    }
}

/// Keywords that begin an expression, besides prefix operators.
const OPENERS: &[Rule] = &[
    Rule::kw_any,
    Rule::kw_all,
    Rule::kw_sum,
    Rule::kw_max,
    Rule::kw_min,
    Rule::kw_union,
    Rule::kw_top,
    Rule::kw_after,
    Rule::kw_if,
    Rule::kw_true,
    Rule::kw_false,
    Rule::kw_own,
    Rule::kw_enemy,
];

/// Keywords that begin a path.
const STEPS: &[Rule] = &[Rule::kw_step, Rule::kw_slide, Rule::kw_hop, Rule::kw_along, Rule::kw_take, Rule::kw_if];

/// Keywords that begin the shape of a board.
const SHAPES: &[Rule] = &[Rule::kw_square, Rule::kw_hex, Rule::kw_ring, Rule::kw_track, Rule::kw_graph];
