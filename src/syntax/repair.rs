//! Repair: which small edits would make incorrect text parse.
//!
//! The tokens just before an error are dropped, swapped or replaced, or something that the grammar accepts there is
//! inserted before them; if the result parses, the edit is a candidate. Candidates are not promises: `mend` tries
//! whether the file is better with one.
//!
//! **Invariant:** the number of trials is bounded for any text, and every candidate changes one or two adjacent
//! tokens.

use super::class::keywords;
use super::error::Segment;
use super::grammar::{INFIX, INFIX_WORDS, ITEMS, POSTFIX, PREFIX, Rule, RulesParser, STATEMENTS};
use super::place::parses;
use super::words::{Kind, MEANT, Token, Words, flush};
use crate::base::{Span, is_one_edit, nearest};
use crate::report::{Fix, Trust};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

/// How many tokens before the error are edited.
const DOUBTED: usize = 4;

/// The maximum number of candidates kept.
pub(super) const KEPT: usize = 12;

/// The maximum number of bytes parsed by all trials for one error.
const READ: usize = 1 << 19;

/// A character that no rule accepts.
const NOTHING: char = '\u{1}';

/// How far back to look for doubled tokens.
const TWINS: usize = 16;

/// The operators that are no words.
const OPERATORS: [&str; 13] = ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "&", "|", ".."];

/// Words that say where something is or goes, or that hardly say anything: one too many changes no meaning.
const FILLERS: [&str; 21] = [
    "a", "an", "the", "then", "do", "of", "to", "at", "from", "on", "for", "with", "in", "within", "among", "is",
    "are", "now", "just", "also", "please",
];

/// The built-in types.
const TYPES: &[&str] = &["int", "bool", "seat", "site", "direction", "kind", "piece", "way", "move"];

/// Searches for edits of a stretch.
pub(super) struct Repair<'t> {
    pub(super) segment: Segment<'t>,
    /// The start of the preceding item, if it may contain the cause.
    from: usize,
    pub(super) tokens: Vec<Token<'t>>,
    read: usize,
    found: Vec<(Trust, usize, Fix)>,
}

/// The candidates for a stretch that cannot be parsed beyond `at`. `from` is the start of the preceding item.
pub(super) fn candidates(segment: Segment<'_>, from: usize, at: usize) -> Vec<(Trust, Fix)> {
    let slice = segment.text.get(from..segment.end).unwrap_or("");
    let tokens: Vec<Token<'_>> = Words::new(slice)
        .filter(|token| token.kind != Kind::Comment)
        .map(|token| Token { start: token.start + from, ..token })
        .collect();
    let failed = tokens.iter().position(|token| token.end() > at).unwrap_or(tokens.len());
    let mut repair = Repair { segment, from, tokens, read: 0, found: Vec::new() };
    repair.braces(failed);
    repair.rows(failed);
    for index in failed.saturating_sub(TWINS)..failed {
        if repair.is_doubled(index) {
            repair.leave_out(index, failed - index);
        }
    }
    for back in 0..=DOUBTED.min(failed) {
        repair.around(failed - back, back);
    }
    if let Some(next) = failed.checked_add(1).filter(|&next| next < repair.tokens.len()) {
        repair.leave_out(next, DOUBTED + 1);
        repair.respell(next, &[], DOUBTED + 1);
    }
    let mut found = repair.found;
    found.sort_by_key(|(trust, far, _)| (*trust, *far));
    let mut kept: Vec<(Trust, Fix)> = Vec::new();
    for (trust, _, fix) in found {
        if kept.len() < KEPT && kept.iter().all(|(_, old)| (old.span, &old.text) != (fix.span, &fix.text)) {
            kept.push((trust, fix));
        }
    }
    kept
}

impl<'t> Repair<'t> {
    fn text(&self, start: usize, end: usize) -> &'t str {
        self.segment.text.get(start..end).unwrap_or("")
    }

    /// Whether the stretch, with one edit and together with the preceding item, parses.
    fn reads(&mut self, start: usize, end: usize, new: &str) -> bool {
        let text = [self.text(self.from, start), new, self.text(end, self.segment.end)].concat();
        self.read += text.len();
        self.read <= READ && parses(&text)
    }

    /// Keeps an edit if it helps.
    pub(super) fn offer(
        &mut self,
        trust: Trust,
        far: usize,
        (start, end): (usize, usize),
        text: String,
        message: String,
    ) {
        if self.reads(start, end, &text) {
            let span = Span::new(self.segment.file, start, end);
            self.found.push((trust, far, Fix { span, text, message }));
        }
    }

    /// The rules that the grammar accepts at a token.
    fn expected(&mut self, place: usize) -> Vec<Rule> {
        let begin = if self.segment.start <= place { self.segment.start } else { self.from };
        let item = self.tokens.iter().rev().find(|token| {
            (begin..=place).contains(&token.start)
                && ITEMS.contains(&token.text)
                && flush(self.segment.text, token.start)
        });
        let begin = item.map_or(begin, |token| token.start);
        let mut text = self.text(begin, place).to_owned();
        self.read += text.len();
        if self.read > READ {
            return Vec::new();
        }
        let end = text.len();
        text.push(NOTHING);
        let Err(error) = RulesParser::parse(Rule::only_item, &text) else { return Vec::new() };
        let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
        match error.variant {
            ErrorVariant::ParsingError { positives, .. } if text.get(at..end).is_some_and(|t| t.trim().is_empty()) => {
                positives
            }
            ErrorVariant::ParsingError { .. } | ErrorVariant::CustomError { .. } => Vec::new(),
        }
    }

    /// All edits at one token.
    fn around(&mut self, index: usize, far: usize) {
        let place = self.tokens.get(index).map_or(self.segment.end, |token| token.start);
        let expected = self.expected(place);
        self.leave_out(index, far);
        self.enclose(index, expected.contains(&Rule::string), far);
        self.swap(index, far);
        self.respell(index, &expected, far);
        self.add(index, &expected, far);
    }

    /// Whether the token equals the next one or the previous one.
    fn is_doubled(&self, index: usize) -> bool {
        let text = |index: usize| self.tokens.get(index).map(|token| token.text);
        text(index).is_some()
            && (text(index) == text(index + 1) || index.checked_sub(1).is_some_and(|last| text(last) == text(index)))
    }

    /// Missing bars at the ends of table rows.
    fn rows(&mut self, failed: usize) {
        for index in [failed, failed.saturating_sub(1)] {
            let Some(&token) = self.tokens.get(index).filter(|token| token.kind == Kind::Row) else { continue };
            let row = token.text.trim_end();
            let before_clauses = row.find('§').map_or(row, |at| row[..at].trim_end());
            for part in [row, before_clauses] {
                let place = token.start + part.len();
                self.offer(Trust::Mark, 0, (place, place), " |".to_owned(), "add `|`".to_owned());
            }
            for at in row.match_indices(", ,").map(|(at, _)| token.start + at) {
                self.offer(Trust::Doubled, 0, (at, at + 2), String::new(), "remove `,`".to_owned());
            }
        }
    }

    /// Whether the stretch gives something this name.
    fn is_named(&self, word: &str) -> bool {
        let binds = |verb: &Token<'_>| ["choose", "let", "for", "roll"].contains(&verb.text);
        let names = |pair: &[Token<'_>]| matches!(pair, [verb, name] if binds(verb) && name.text == word);
        self.tokens.windows(2).any(names)
    }

    fn leave_out(&mut self, index: usize, far: usize) {
        let Some(&token) = self.tokens.get(index).filter(|token| token.kind != Kind::Row) else { return };
        let before = index.checked_sub(1).and_then(|before| self.tokens.get(before)).copied();
        let next = self.tokens.get(index + 1);
        // Whoever writes `**` means a power, and whoever writes `{2..}` a range; before a bracket an argument has been lost.
        let lost = token.text == "," && next.is_some_and(|next| next.text == ")");
        if matches!(token.text, "*" | ".." | ":") || lost {
            return;
        }
        // A word that joins has lost what it joins.
        let joins = next.is_some_and(|next| matches!(next.kind, Kind::Word | Kind::Number))
            && before.is_none_or(|before| before.kind != Kind::Open);
        let trust = if self.is_doubled(index) { Trust::Doubled } else { Trust::Stray };
        // A word behind a comma is one of several that were meant.
        let several = matches!(token.kind, Kind::Word | Kind::Number | Kind::Text | Kind::Clause);
        if let Some(comma) = before.filter(|before| before.text == "," && !several) {
            let message = format!("remove `, {}`", token.text);
            self.offer(Trust::Stray, far + 1, (comma.start, token.end()), String::new(), message);
        }
        // What is left without a word may be the opposite of what was meant, in whatever language it says something.
        let filler = match token.kind {
            Kind::Word => FILLERS.contains(&token.text) && !self.is_named(token.text) && joins,
            Kind::Number | Kind::Text | Kind::Clause => false,
            Kind::Open | Kind::Close | Kind::Row | Kind::Mark | Kind::Comment => {
                token.text != "=" || before.is_none_or(|before| !matches!(before.text, "<" | ">"))
            }
        };
        if trust == Trust::Stray && (MEANT.contains(&token.text) || !filler) {
            return;
        }
        // Preceding blanks are dropped too, unless the token begins its line.
        let head = self.text(self.from, token.start);
        let blanks = head.len() - head.trim_end_matches([' ', '\t']).len();
        let start = if token.first { token.start } else { token.start - blanks };
        let apart = if token.first { String::new() } else { self.gap(start, token.end()) };
        let message = format!("remove `{}`", token.text);
        self.offer(trust, far, (start, token.end()), apart, message);
    }

    /// Quotes around a token where a text is required; or brackets around it, if the word before may be applied to
    /// it.
    fn enclose(&mut self, index: usize, text: bool, far: usize) {
        let Some(&token) = self.tokens.get(index).filter(|token| token.kind == Kind::Word) else { return };
        let says = [&MEANT[..], &FILLERS[..], &keywords()[..]].iter().any(|words| words.contains(&token.text));
        if text && !says {
            let new = format!("\"{}\"", token.text);
            let message = format!("write `{new}`");
            // A comma before it would make it a name of its own, which is likelier.
            self.offer(Trust::Swap, far, (token.start, token.end()), new, message);
        }
        let before = index.checked_sub(1).and_then(|before| self.tokens.get(before)).copied();
        if let Some(before) = before.filter(|before| before.kind == Kind::Word && before.text != token.text) {
            let new = format!("{}({})", before.text, token.text);
            let message = format!("write `{new}`");
            self.offer(Trust::Mark, far, (before.start, token.end()), new, message);
        }
    }

    /// A blank where two words would otherwise run together.
    fn gap(&self, start: usize, end: usize) -> String {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let (before, after) = (self.text(self.from, start), self.text(end, self.segment.end));
        let glued = before.ends_with(word) && after.starts_with(word);
        if glued { " ".to_owned() } else { String::new() }
    }

    /// Swaps the token and the next one.
    fn swap(&mut self, index: usize, far: usize) {
        let (Some(&a), Some(&b)) = (self.tokens.get(index), self.tokens.get(index + 1)) else { return };
        let between = self.text(a.end(), b.start);
        // What stands at the end of one line and at the beginning of the next is hardly ever swapped.
        let clause = [a, b].iter().any(|token| token.kind == Kind::Clause);
        // Nor is a minus sign moved, but to make `-=`.
        let minus = [(a, b), (b, a)].iter().any(|(one, other)| one.text == "-" && other.text != "=");
        if a.text == b.text || clause || minus || between.contains("//") || between.contains('\n') {
            return;
        }
        let text = format!("{}{between}{}", b.text, a.text);
        let message = format!("swap `{}` and `{}`", a.text, b.text);
        self.offer(Trust::Swap, far, (a.start, b.end()), text, message);
    }

    /// Replaces the token by a keyword spelt similarly, or by any that fits.
    fn respell(&mut self, index: usize, expected: &[Rule], far: usize) {
        let Some(&token) = self.tokens.get(index) else { return };
        let place = (token.start, token.end());
        let words = spellings(expected);
        let is_word = |text: &&str| text.starts_with(|c: char| c.is_alphabetic());
        if token.kind == Kind::Word
            // Whoever writes `set` assigns a value, and means no `let`.
            && token.text != "set"
            && let Some(near) = nearest(token.text, words.iter().map(|(_, text)| *text).filter(is_word))
        {
            self.offer(Trust::Spelling, far, place, near.to_owned(), format!("write `{near}`"));
        }
        // Whoever wrote one item meant no other; nor does whoever adds want to set, or whoever asks for something want nothing. What
        // a word says is not said by whatever fits.
        let says = token.kind == Kind::Word;
        let known = says && keywords().contains(&token.text);
        let other = |text: &str| match text {
            text if is_word(&text) && is_one_edit(token.text, text) => false,
            // What is chosen is not defined.
            "=" => token.text == "in",
            "on" => !["to", "at", "in", "of"].contains(&token.text),
            "in" => !FILLERS.contains(&token.text),
            "," | ";" => token.text != "and",
            "else" => true,
            _ if STATEMENTS.contains(&text) => true,
            _ if INFIX_WORDS.contains(&text) || OPERATORS.contains(&text) => true,
            _ => is_word(&text) && !(known && FILLERS.contains(&token.text)),
        };
        // Of a comparison that has lost a side, the other one is no condition.
        let joins = |text: &str| OPERATORS.contains(&text) || INFIX_WORDS.contains(&text);
        let meant = |text: &str| {
            joins(token.text) && text.starts_with(|c: char| c.is_alphabetic()) && !joins(text)
                || MEANT.contains(&token.text)
                || says && other(text)
                || token.kind == Kind::Number
                || matches!(token.text, "~" | "^") && joins(text)
                || !says && STATEMENTS.contains(&text)
                || token.text == "," && (INFIX_WORDS.contains(&text) || OPERATORS.contains(&text))
                || ITEMS.contains(&token.text) && ITEMS.contains(&text)
                || matches!((token.text, text), ("+=" | "-=", "=" | ":=") | (_, "no" | "not"))
        };
        for (trust, text) in words {
            let trust = if trust == Trust::Guess { Trust::Guess } else { Trust::Other };
            if text != token.text && !meant(text) {
                self.offer(trust, far, place, text.to_owned(), format!("write `{text}` instead of `{}`", token.text));
            }
        }
    }

    /// Inserts something before the token.
    fn add(&mut self, index: usize, expected: &[Rule], far: usize) {
        let next = self.tokens.get(index).copied();
        let last = index.checked_sub(1).and_then(|before| self.tokens.get(before)).copied();
        // An item begins a line, or follows another in the braces of one line: within a line it would cut another in two.
        let within = next.is_some_and(|next| !next.first) && last.is_some_and(|last| !matches!(last.text, "{" | "}"));
        let item = |rule: &Rule| matches!(rule, Rule::item | Rule::only_item | Rule::EOI);
        let split = within && expected.iter().any(item);
        for (trust, text) in spellings(expected) {
            // Nor is what begins with an unknown word cured by a statement before it, of which it would be the name. Of operators any
            // would do, and passing may be one of the actions or what is done without one.
            let names = next.is_some_and(|next| next.kind == Kind::Word && !keywords().contains(&next.text));
            let binds = text == "in" && last.is_some_and(|last| self.is_named(last.text));
            let joins = !binds && (OPERATORS.contains(&text) || INFIX_WORDS.contains(&text));
            let passes = matches!(text, "|" | "else") && next.is_some_and(|next| next.text == "pass");
            let vague = joins && trust == Trust::Guess || passes || self.is_named(text);
            if split && ITEMS.contains(&text) || names && STATEMENTS.contains(&text) || vague {
                continue;
            }
            // Closing brackets and separators attach to what precedes them.
            let clings = matches!(text, ")" | "," | ":" | ";" | "}" | "." | "(");
            let place = match (last, next) {
                (Some(last), _) if clings => last.end(),
                (_, Some(next)) => next.start,
                (Some(last), None) => last.end(),
                (None, None) => self.segment.end,
            };
            let before = self.text(self.from, place).ends_with(|c: char| !c.is_whitespace() && c != '(' && c != '{');
            let after = self.text(place, self.segment.end).starts_with(|c: char| !c.is_whitespace() && c != ')');
            let lead = if before && !(clings && text != "}") { " " } else { "" };
            let tail = if after && !matches!(text, "(" | ".") { " " } else { "" };
            self.offer(trust, far, (place, place), format!("{lead}{text}{tail}"), format!("add `{text}`"));
        }
    }
}

/// The words and symbols that expected rules begin with, and how far each is to be trusted.
fn spellings(expected: &[Rule]) -> Vec<(Trust, &'static str)> {
    let mut texts: Vec<(Trust, &'static str)> = Vec::new();
    let mut begins = false;
    for rule in expected {
        #[expect(clippy::wildcard_enum_match_arm, reason = "any other rule of the grammar is known by its label")]
        match rule {
            Rule::item | Rule::only_item | Rule::EOI => texts.extend(ITEMS.iter().map(|word| (Trust::Guess, *word))),
            Rule::statement => texts.extend(STATEMENTS.iter().map(|word| (Trust::Guess, *word))),
            Rule::block => texts.push((Trust::Mark, "{")),
            Rule::args | Rule::params | Rule::lparen => texts.push((Trust::Mark, "(")),
            Rule::assign_op => texts.push((Trust::Mark, ":=")),
            Rule::type_name => texts.extend(TYPES.iter().map(|word| (Trust::Guess, *word))),
            Rule::moment | Rule::shape => texts.extend(rule.openers().map(|word| (Trust::Guess, word))),
            _ if PREFIX.contains(rule) => begins = true,
            _ => {
                let label = rule.label().and_then(|label| label.strip_prefix('`')?.strip_suffix('`'));
                if let Some(text) = label.filter(|text| !text.contains([' ', '`'])) {
                    let operator = INFIX.contains(rule) || POSTFIX.contains(rule);
                    let word = text.starts_with(|c: char| c.is_alphabetic());
                    let trust = match (operator, word) {
                        (true, _) => Trust::Guess,
                        (false, true) => Trust::Word,
                        (false, false) => Trust::Mark,
                    };
                    texts.push((trust, text));
                }
            }
        }
    }
    if begins || expected.iter().any(|rule| rule.label() == Some("an expression")) {
        // `true` and `false` fit nearly everywhere, and a minus sign is hardly ever forgotten.
        let helps = |text: &&&str| **text != "-" && !Rule::truth.begins().contains(text);
        texts.extend(Rule::expr.begins().iter().filter(helps).map(|text| {
            let bracket = matches!(*text, "(" | "{");
            (if bracket { Trust::Mark } else { Trust::Guess }, *text)
        }));
    }
    texts.sort_unstable();
    texts.dedup();
    // Of several keywords that may be here, none is likelier than the others.
    if texts.iter().filter(|(trust, _)| *trust == Trust::Word).count() > 1 {
        texts.iter_mut().filter(|(trust, _)| *trust == Trust::Word).for_each(|(trust, _)| *trust = Trust::Guess);
    }
    texts
}
