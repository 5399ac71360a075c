//! From pest's expectations to messages for game authors.
//!
//! **Invariant:** one report per error, which names what was found and, briefly, what was expected. Suggestions are
//! in `cure`.

use super::cure;
use super::grammar::{INFIX, ITEMS, POSTFIX, PREFIX, Rule, STATEMENTS};
use super::words::{Kind, Token, Words, flush};
use crate::base::{FileId, Span};
use crate::report::{Code, Report};
use pest::error::{Error, ErrorVariant, InputLocation};

/// How many alternatives a message lists.
const SHOWN: usize = 4;

/// A stretch of text that could not be parsed as an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<'t> {
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
pub(super) struct Scene<'t> {
    /// The stretch.
    pub stretch: Stretch<'t>,
    /// The tokens of the stretch before the error.
    pub before: Vec<Token<'t>>,
    /// The token at the error; none at the end of the text.
    pub found: Option<Token<'t>>,
    /// The rules that the grammar accepts there.
    pub expected: Vec<Rule>,
}

impl<'t> Scene<'t> {
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
        Span::new(self.stretch.file, token.start, token.end())
    }

    /// The line number of an offset, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.stretch.text.get(..at).unwrap_or("").matches('\n').count() + 1
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
        let text = self.stretch.text;
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
        self.found.is_none_or(|token| token.start >= self.stretch.end)
    }
}

/// The offset in the file at which pest failed.
pub(super) fn place(stretch: Stretch<'_>, error: &Error<Rule>) -> usize {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    stretch.start + at
}

/// The report for a pest error in a stretch.
pub(super) fn lower(stretch: Stretch<'_>, error: &Error<Rule>) -> Report {
    let at = place(stretch, error);
    match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => unexpected(stretch, at, positives),
        ErrorVariant::CustomError { message } => {
            let span = Span::new(stretch.file, at, at);
            Report::new(Code::TooDeep, span, format!("the text cannot be read: {message}"))
        }
    }
}

/// The report for an unexpected token at `at`.
pub(super) fn unexpected(stretch: Stretch<'_>, at: usize, expected: &[Rule]) -> Report {
    let rest = stretch.text.get(at..).unwrap_or("");
    let found = Words::new(rest)
        .find(|token| token.kind != Kind::Comment)
        .map(|token| Token { start: token.start + at, ..token });
    let head = stretch.text.get(stretch.start..at).unwrap_or("");
    let before = Words::new(head)
        .filter(|token| token.kind != Kind::Comment)
        .map(|token| Token { start: token.start + stretch.start, ..token })
        .collect();
    let mut scene = Scene { stretch, before, found, expected: expected.to_vec() };
    scene.step_back();
    cure::apply(&scene, plain(&scene))
}

/// What was expected and found, at the most helpful place.
fn plain(scene: &Scene<'_>) -> Report {
    let (file, end) = (scene.stretch.file, scene.stretch.text.len());
    let here = scene.found.as_ref().map_or(Span::new(file, end, end), |token| scene.span(token));
    let report = |span, message: String| Report::new(Code::Unexpected, span, message);
    let Some(last) = scene.last() else {
        return match phrase(scene) {
            expected if expected.is_empty() => report(here, format!("{} does not belong here", show(scene.found))),
            expected => report(here, format!("expected {expected}, found {}", show(scene.found))),
        };
    };
    if scene.begins_nothing() {
        return report(scene.span(&last), format!("`{}` does not start a statement", last.text))
            .label("unknown statement");
    }
    let expected = phrase(scene);
    match scene.found {
        Some(token) if token.first && scene.expected == [Rule::bar] => {
            report(scene.span(&last), "this table row has no `|` at its end".to_owned()).label("after this")
        }
        Some(token) if scene.at_end() => {
            let line = scene.line(token.start);
            let message = format!("expected {expected}, found {} on line {line}", show(scene.found));
            report(scene.span(&last), message).label("after this")
        }
        None => {
            report(scene.span(&last), format!("expected {expected}, found the end of the file")).label("after this")
        }
        Some(_) => report(here, format!("expected {expected}, found {}", show(scene.found))),
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
fn phrase(scene: &Scene<'_>) -> String {
    let expected = &scene.expected;
    // After a statement's keyword or a complete statement, no assignment or `plays` can follow.
    let started =
        scene.last().is_some_and(|token| STATEMENTS.contains(&token.text)) || expected.contains(&Rule::statement);
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
