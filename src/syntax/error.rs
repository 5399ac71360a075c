//! From pest's expectations to messages for game authors.
//!
//! **Invariant:** one report per error, which names what was found and, briefly, what was expected. Suggestions are
//! in `cure`.

use super::grammar::{INFIX, ITEMS, POSTFIX, PREFIX, Rule, STATEMENTS};
use super::suggest;
use super::words::{Kind, Token, Words, flush};
use crate::base::{FileId, Span};
use crate::report::{Code, Report};
use pest::error::{Error, ErrorVariant, InputLocation};

/// How many alternatives a message lists.
const SHOWN: usize = 4;

/// A stretch of text that could not be parsed as an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'t> {
    /// The file.
    pub file: FileId,
    /// The full text of the file.
    pub text: &'t str,
    /// Its start.
    pub start: usize,
    /// Its end.
    pub end: usize,
}

/// An error in its context.
#[derive(Debug)]
pub(super) struct ErrorContext<'t> {
    /// The stretch.
    pub segment: Segment<'t>,
    /// The tokens of the stretch before the error.
    pub before: Vec<Token<'t>>,
    /// The token at the error; none at the end of the text.
    pub found: Option<Token<'t>>,
    /// The rules that the grammar accepts there.
    pub expected: Vec<Rule>,
}

impl<'t> ErrorContext<'t> {
    /// The text found, or nothing at the end.
    pub(super) fn word(&self) -> &'t str {
        self.found.map_or("", |token| token.text)
    }

    /// The last token before the error.
    pub(super) fn last(&self) -> Option<Token<'t>> {
        self.before.last().copied()
    }

    /// Whether one of these rules is accepted there.
    pub(super) fn expects(&self, rules: &[Rule]) -> bool {
        self.expected.iter().any(|rule| rules.contains(rule))
    }

    /// Whether a rule with this label is accepted there.
    pub(super) fn expects_label(&self, label: &str) -> bool {
        self.expected.iter().any(|rule| rule.label() == Some(label))
    }

    /// The place of a token.
    pub(super) fn span(&self, token: &Token<'_>) -> Span {
        Span::new(self.segment.file, token.start, token.end())
    }

    /// The line number of an offset, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.segment.text.get(..at).unwrap_or("").matches('\n').count() + 1
    }

    /// The brackets open at the error.
    pub(super) fn open(&self) -> Vec<(usize, Token<'t>)> {
        let mut open = Vec::new();
        for (index, token) in self.before.iter().enumerate() {
            match token.kind {
                Kind::Open => open.push((index, *token)),
                Kind::Close => {
                    open.pop();
                }
                Kind::Word | Kind::Number | Kind::Text | Kind::Clause | Kind::Row | Kind::Mark | Kind::Comment => {}
            }
        }
        open
    }

    /// An item's keyword at the beginning of a line inside braces was parsed as the name that begins a statement: the
    /// error is the keyword itself.
    fn step_back(&mut self) {
        let text = self.segment.text;
        let head = self.last().filter(|token| ITEMS.contains(&token.text) && flush(text, token.start));
        if head.is_some() && self.expects(&[Rule::assign_op]) && !self.open().is_empty() {
            self.found = self.before.pop();
            self.expected = vec![Rule::rbrace, Rule::statement];
        }
    }

    /// Whether the last word was parsed as the beginning of an assignment, a call or a `plays`, but cannot be one.
    pub(super) fn begins_nothing(&self) -> bool {
        let word = self.last().is_some_and(|token| token.kind == Kind::Word && !STATEMENTS.contains(&token.text));
        let next = self.found.is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Number | Kind::Text));
        word && next && self.expects(&[Rule::assign_op]) && !self.at_end()
    }

    /// Whether the error is at the end of the stretch.
    pub(super) fn at_end(&self) -> bool {
        self.found.is_none_or(|token| token.start >= self.segment.end)
    }
}

/// The offset in the file at which pest failed.
pub(super) fn place(segment: Segment<'_>, error: &Error<Rule>) -> usize {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    segment.start + at
}

/// The report for a pest error in a stretch.
pub(super) fn lower(segment: Segment<'_>, error: &Error<Rule>) -> Report {
    let at = place(segment, error);
    match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => unexpected(segment, at, positives),
        ErrorVariant::CustomError { message } => {
            let span = Span::new(segment.file, at, at);
            Report::new(Code::TooDeep, span, format!("the text cannot be read: {message}"))
        }
    }
}

/// The report for an unexpected token at `at`.
pub(super) fn unexpected(segment: Segment<'_>, at: usize, expected: &[Rule]) -> Report {
    let rest = segment.text.get(at..).unwrap_or("");
    let found = Words::new(rest)
        .find(|token| token.kind != Kind::Comment)
        .map(|token| Token { start: token.start + at, ..token });
    let head = segment.text.get(segment.start..at).unwrap_or("");
    let before = Words::new(head)
        .filter(|token| token.kind != Kind::Comment)
        .map(|token| Token { start: token.start + segment.start, ..token })
        .collect();
    let mut context = ErrorContext { segment, before, found, expected: expected.to_vec() };
    context.step_back();
    suggest::apply(&context, plain(&context))
}

/// What was expected and found, at the most helpful place.
fn plain(context: &ErrorContext<'_>) -> Report {
    let (file, end) = (context.segment.file, context.segment.text.len());
    let here = context.found.as_ref().map_or(Span::new(file, end, end), |token| context.span(token));
    let report = |span, message: String| Report::new(Code::Unexpected, span, message);
    let Some(last) = context.last() else {
        return match phrase(context) {
            expected if expected.is_empty() => report(here, format!("{} does not belong here", show(context.found))),
            expected => report(here, format!("expected {expected}, found {}", show(context.found))),
        };
    };
    if context.begins_nothing() {
        return report(context.span(&last), format!("`{}` does not start a statement", last.text))
            .label("unknown statement");
    }
    let expected = phrase(context);
    match context.found {
        Some(token) if token.first && context.expected == [Rule::bar] => {
            report(context.span(&last), "this table row has no `|` at its end".to_owned()).label("after this")
        }
        Some(token) if context.at_end() => {
            let line = context.line(token.start);
            let message = format!("expected {expected}, found {} on line {line}", show(context.found));
            report(context.span(&last), message).label("after this")
        }
        None => {
            report(context.span(&last), format!("expected {expected}, found the end of the file")).label("after this")
        }
        Some(_) => report(here, format!("expected {expected}, found {}", show(context.found))),
    }
}

/// A token as quoted in messages.
fn show(token: Option<Token<'_>>) -> String {
    let Some(token) = token else {
        return "the end of the file".to_owned();
    };
    let mut chars = token.text.chars();
    let short: String = chars.by_ref().take(24).collect();
    let dots = if chars.next().is_some() { "…" } else { "" };
    match token.kind {
        Kind::Text => format!("{short}{dots}"),
        Kind::Row => "a table row".to_owned(),
        Kind::Word | Kind::Number | Kind::Clause | Kind::Open | Kind::Close | Kind::Mark | Kind::Comment => {
            format!("`{short}{dots}`")
        }
    }
}

/// The expected rules, summarized.
fn phrase(context: &ErrorContext<'_>) -> String {
    let expected = &context.expected;
    // After a statement's keyword or a complete statement, no assignment or `plays` can follow.
    let started =
        context.last().is_some_and(|token| STATEMENTS.contains(&token.text)) || expected.contains(&Rule::statement);
    let has = |rules: &[Rule]| expected.iter().filter(|rule| rules.contains(rule)).count();
    let operator = has(INFIX) >= 3;
    let prefix = has(PREFIX) >= 3;
    let mut labels: Vec<&str> = Vec::new();
    let mut weak: Vec<&str> = Vec::new();
    for &rule in expected {
        let hidden = operator && (INFIX.contains(&rule) || POSTFIX.contains(&rule))
            || prefix && PREFIX.contains(&rule)
            || POSTFIX.contains(&rule) && expected.len() > SHOWN
            || started && [Rule::assign_op, Rule::kw_may, Rule::kw_plays, Rule::args].contains(&rule);
        match rule.label() {
            Some(_) if hidden => {}
            Some(label) if optional(rule) => weak.push(label),
            Some(label) => labels.push(label),
            None => {}
        }
    }
    if prefix {
        labels.push("an expression");
    }
    labels.sort_unstable();
    labels.dedup();
    if operator && labels.len() < SHOWN {
        labels.push("an operator");
    }
    if labels.is_empty() {
        labels.append(&mut weak);
        labels.sort_unstable();
        labels.dedup();
    }
    if labels.len() > SHOWN {
        labels.truncate(SHOWN - 1);
        labels.push("something else that is allowed here");
    }
    join(&labels)
}

/// Rules that are accepted in many places and rarely what was meant.
fn optional(rule: Rule) -> bool {
    [Rule::clause, Rule::cites, Rule::semicolon, Rule::string, Rule::kw_symbol].contains(&rule)
}

/// `a, b or c`.
fn join(labels: &[&str]) -> String {
    match labels {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
