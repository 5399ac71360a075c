//! From pest's pairs to the tree: helpers shared by all builders.
//!
//! A builder requests the children it needs by rule, in order; keywords, punctuation and comments in between are
//! skipped here and nowhere else.
//!
//! **Invariant:** a builder returns `None` only after it has reported why. A shape that the grammar rules out is a
//! report, never a panic.

mod board;
mod expr;
mod height;
mod item;
mod number;
mod overlay;
mod path;
mod stmt;
mod table;

use super::ast::{Cite, Ident, Param, TypeName};
use super::grammar::Rule;
use crate::base::{FileId, Span, Spanned};
use crate::report::{Code, Report};
use pest::iterators::{Pair, Pairs};
use std::collections::BTreeSet;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The result of a builder; nothing once it has reported why.
type Built<T> = Option<T>;

/// The maximum recursion depth of builders: a second safeguard after `depth`.
const CALLS: usize = 400;

/// Builds trees and collects errors.
#[derive(Debug)]
pub(super) struct Builder {
    file: FileId,
    /// The offset of the parsed text in the file.
    pub shift: usize,
    /// The errors found so far.
    pub reports: Vec<Report>,
    /// Names already reported as not normalized.
    odd: BTreeSet<String>,
    calls: usize,
}

/// The remaining children of a pair, left to right.
struct Children<'i> {
    pairs: Pairs<'i, Rule>,
    rule: Rule,
    span: Span,
}

impl<'i> Children<'i> {
    /// The next child that `wanted` accepts, if only marks precede it. Otherwise no child is consumed.
    fn next_if(&mut self, wanted: impl Fn(Rule) -> bool) -> Option<Pair<'i, Rule>> {
        let mut ahead = self.pairs.clone();
        loop {
            let pair = ahead.next()?;
            if wanted(pair.as_rule()) {
                self.pairs = ahead;
                return Some(pair);
            }
            if !pair.as_rule().is_mark() {
                return None;
            }
        }
    }

    /// The next child, if it is of this rule.
    fn opt(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        self.next_if(|found| found == rule)
    }

    /// The next child if it is a text that no keyword such as `symbol` gives another role.
    fn own_text(&mut self) -> Option<Pair<'i, Rule>> {
        let announces = |rule| {
            matches!(
                rule,
                Rule::kw_extends
                    | Rule::kw_clauses
                    | Rule::kw_ledger
                    | Rule::kw_translation
                    | Rule::kw_symbol
                    | Rule::kw_named
            )
        };
        let next = self.pairs.clone().find(|pair| announces(pair.as_rule()) || !pair.as_rule().is_mark())?;
        if announces(next.as_rule()) { None } else { self.opt(Rule::string) }
    }

    /// The next child that is not a mark.
    fn any(&mut self) -> Option<Pair<'i, Rule>> {
        self.next_if(|found| !found.is_mark())
    }

    /// All following children of this rule.
    fn all(&mut self, rule: Rule) -> Vec<Pair<'i, Rule>> {
        std::iter::from_fn(|| self.opt(rule)).collect()
    }
}

/// Whether a pair has a child of this rule.
fn has(pair: &Pair<'_, Rule>, rule: Rule) -> bool {
    pair.clone().into_inner().any(|child| child.as_rule() == rule)
}

impl Builder {
    /// A builder for a file.
    pub(super) fn new(file: FileId) -> Self {
        Self { file, shift: 0, reports: Vec::new(), odd: BTreeSet::new(), calls: 0 }
    }

    /// Reports an error and abandons what was being built.
    fn refuse<T>(&mut self, report: Report) -> Option<T> {
        self.reports.push(report);
        None
    }

    /// A shape that the grammar rules out is a bug in Regelwerk; it is reported.
    fn presume<T>(&mut self, children: &Children<'_>, wanted: &str, got: Option<T>) -> Option<T> {
        if got.is_none() {
            let message = format!("internal: `{:?}` without {wanted}", children.rule);
            let help = "this is a bug in Regelwerk: please report it with the rule file";
            self.reports.push(Report::new(Code::Unexpected, children.span, message).help(help));
        }
        got
    }

    /// The children of a pair.
    fn children<'i>(&self, pair: Pair<'i, Rule>) -> Children<'i> {
        let (rule, span) = (pair.as_rule(), self.span(&pair));
        Children { pairs: pair.into_inner(), rule, span }
    }

    /// A child that the grammar requires.
    fn need<'i>(&mut self, children: &mut Children<'i>, rule: Rule) -> Option<Pair<'i, Rule>> {
        let got = children.opt(rule);
        self.presume(children, rule.label().unwrap_or("a part"), got)
    }

    /// The only child that is not a mark.
    fn only<'i>(&mut self, pair: Pair<'i, Rule>) -> Option<Pair<'i, Rule>> {
        let mut children = self.children(pair);
        let got = children.any();
        self.presume(&children, "a part", got)
    }

    /// Recurses one level, if the limit allows it.
    fn deeper<T>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.calls >= CALLS {
            return self.refuse(
                Report::new(Code::TooDeep, span, "this is nested too deeply")
                    .help("give part of it a name and use the name"),
            );
        }
        self.calls += 1;
        let done = work(self);
        self.calls -= 1;
        done
    }

    /// The span of a range of the parsed text.
    fn place(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start + self.shift, end + self.shift)
    }

    /// The span of a pair, without white space and comments at its end.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let (text, whole) = (pair.as_str(), pair.as_span());
        let line = text.rsplit('\n').next().unwrap_or("");
        if !text.ends_with(char::is_whitespace) && !line.contains("//") {
            // The common case: nothing to trim.
            return self.place(whole.start(), whole.end());
        }
        let mut last = pair.clone();
        loop {
            let next = last.clone().into_inner().rev().find(|child| child.as_rule() != Rule::COMMENT);
            match next {
                Some(child) => last = child,
                None => break,
            }
        }
        self.place(whole.start(), last.as_span().end())
    }

    /// A name, which must be in normal form C.
    fn ident(&mut self, pair: &Pair<'_, Rule>) -> Ident {
        let (text, span) = (pair.as_str(), self.span(pair));
        if is_nfc(text) {
            return Spanned::new(text.to_owned(), span);
        }
        let normal: String = text.nfc().collect();
        if self.odd.insert(text.to_owned()) {
            let message = format!("the name `{normal}` contains combining characters");
            let report = Report::new(Code::NotNormal, span, message);
            self.reports
                .push(report.suggest(Some(&normal)).help("write its letters as precomposed characters (Unicode NFC)"));
        }
        Spanned::new(normal, span)
    }

    /// The next child as a name.
    fn name(&mut self, children: &mut Children<'_>) -> Option<Ident> {
        let pair = self.need(children, Rule::name)?;
        Some(self.ident(&pair))
    }

    /// All next children as names.
    fn names(&mut self, children: &mut Children<'_>) -> Vec<Ident> {
        children.all(Rule::name).iter().map(|pair| self.ident(pair)).collect()
    }

    /// A text between quotes, as written.
    fn quoted(&self, pair: &Pair<'_, Rule>) -> Spanned<String> {
        let text = pair.as_str();
        let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
        Spanned::new(inner.to_owned(), self.span(pair))
    }

    /// The next child as a text, if it is one.
    fn text(&self, children: &mut Children<'_>) -> Option<Spanned<String>> {
        children.own_text().map(|pair| self.quoted(&pair))
    }

    /// The next child as a text without its place, if it is one.
    fn title(&self, children: &mut Children<'_>) -> Option<String> {
        self.text(children).map(|text| text.node)
    }

    /// The text after a keyword, if the keyword is there.
    fn text_after(&self, children: &mut Children<'_>, keyword: Rule) -> Option<Spanned<String>> {
        children.opt(keyword)?;
        self.text(children)
    }

    /// A clause without its `§`.
    fn clause(&self, pair: &Pair<'_, Rule>) -> Cite {
        Spanned::new(pair.as_str().trim_start_matches('§').to_owned(), self.span(pair))
    }

    /// The clauses that come next, if any.
    fn cites(&self, children: &mut Children<'_>) -> Vec<Cite> {
        let Some(pair) = children.opt(Rule::cites) else {
            return Vec::new();
        };
        self.children(pair).all(Rule::clause).iter().map(|clause| self.clause(clause)).collect()
    }

    /// A type.
    fn type_name(&mut self, pair: Pair<'_, Rule>) -> Option<TypeName> {
        let mut children = self.children(pair);
        let span = children.span;
        match children.opt(Rule::type_name) {
            Some(inner) => {
                let inner = self.deeper(span, |builder| builder.type_name(inner))?;
                Some(TypeName::Set(Box::new(inner), span))
            }
            None => Some(TypeName::Named(self.name(&mut children)?)),
        }
    }

    /// The next child as a type.
    fn needed_type(&mut self, children: &mut Children<'_>) -> Option<TypeName> {
        let pair = self.need(children, Rule::type_name)?;
        self.type_name(pair)
    }

    /// The parameters that come next, if any.
    fn params(&mut self, children: &mut Children<'_>) -> Option<Vec<Param>> {
        let Some(pair) = children.opt(Rule::params) else {
            return Some(Vec::new());
        };
        let params = self.children(pair).all(Rule::param);
        params
            .into_iter()
            .map(|param| {
                let mut children = self.children(param);
                Some(Param { name: self.name(&mut children)?, ty: self.needed_type(&mut children)? })
            })
            .collect()
    }
}
