//! The limit on nesting, checked on the token sequence before anything recurses.
//!
//! **Invariant:** a text that passes makes the parser and the builder recurse at most [`LEVELS`] constructs deep.
//! Doubtful cases count as nesting.

use super::grammar::{INFIX_WORDS, OPEN_ENDED, PREFIX_WORDS};
use super::words::{Kind, Token, Words};
use crate::base::{FileId, Span};
use crate::report::{Code, Report};

/// The maximum nesting depth of brackets, prefix operators and open-ended constructs.
pub(super) const LEVELS: usize = 64;

/// How many brackets may be unclosed or mismatched before the text is rejected as a whole.
const ASTRAY: usize = 8;

/// The constructs opened since the last open bracket.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Constructs that extend to the end of an expression, commas included.
    long: usize,
    /// Prefix words whose operand ends at `and`, `or` or a comma.
    short: usize,
    /// Minus signs whose operand ends at any operator.
    tight: usize,
    /// Links of a chain of `else if`.
    links: usize,
}

impl Level {
    fn total(self) -> usize {
        self.long + self.short + self.tight + self.links
    }
}

/// The rejection of a text that nests too deeply or has too many mismatched brackets.
pub(super) fn check(file: FileId, text: &str) -> Option<Report> {
    let mut scan = Scan { levels: vec![Level::default()], ..Scan::default() };
    for token in Words::new(text).filter(|token| token.kind != Kind::Comment) {
        scan.take(token);
        if scan.open.len() + scan.sum > LEVELS {
            let place = Span::new(file, token.start, token.end());
            let message = format!("brackets, operators or blocks are nested more than {LEVELS} levels deep");
            let help = "give part of it a name with `define`, `let` or `procedure`";
            return Some(Report::new(Code::TooDeep, place, message).help(help));
        }
    }
    let astray = scan.astray + scan.open.len();
    let &(first, start) = scan.wrong.as_ref().or(scan.open.first())?;
    (astray > ASTRAY).then(|| {
        let place = Span::new(file, start, start + first.len_utf8());
        let message = format!("{astray} brackets are never closed, or closed by a bracket of a different kind");
        Report::new(Code::Unexpected, place, message).label("the first of them").help("close each `(` and `{`")
    })
}

/// The kind of the last token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    /// Something that an operand follows.
    #[default]
    Opens,
    /// The end of an operand.
    Operand,
    /// The word `set`, which may also end an operand.
    Set,
    /// A closing brace, which may also end an operand.
    Brace,
    /// An `else` after a closing brace.
    Linked,
}

#[derive(Debug, Default)]
struct Scan {
    open: Vec<(char, usize)>,
    levels: Vec<Level>,
    /// The sum over all levels.
    sum: usize,
    last: Last,
    /// Brackets skipped by a closing one of another kind.
    astray: usize,
    wrong: Option<(char, usize)>,
}

impl Scan {
    fn edit(&mut self, change: impl FnOnce(&mut Level)) {
        if let Some(level) = self.levels.last_mut() {
            let before = level.total();
            change(level);
            self.sum = self.sum + level.total() - before;
        }
    }

    fn take(&mut self, token: Token<'_>) {
        let last = self.last;
        if last == Last::Brace && token.text != "else" {
            self.edit(|level| level.links = 0);
        }
        match token.kind {
            Kind::Open => self.open(token),
            Kind::Close => self.close(token),
            Kind::Number | Kind::Text | Kind::Clause | Kind::Row => self.operand(Last::Operand),
            Kind::Mark => self.mark(token.text),
            Kind::Word => self.word(token.text, last),
            Kind::Comment => {}
        }
    }

    fn word(&mut self, word: &str, last: Last) {
        match word {
            "else" => self.last = if last == Last::Brace { Last::Linked } else { Last::Opens },
            "if" if last == Last::Linked => {
                self.edit(|level| level.links += 1);
                self.last = Last::Opens;
            }
            "of" => {
                self.edit(|level| level.short += usize::from(last == Last::Set));
                self.last = Last::Opens;
            }
            "at" => {
                self.edit(|level| level.short += 1);
                self.last = Last::Opens;
            }
            // The name that follows belongs to the same operand.
            "own" | "enemy" => self.prefix(|_| {}),
            "and" | "or" => {
                self.edit(|level| (level.short, level.tight) = (0, 0));
                self.last = Last::Opens;
            }
            "then" | "where" | "for" | "by" => self.last = Last::Opens,
            "set" => self.operand(Last::Set),
            _ if INFIX_WORDS.contains(&word) => self.infix(),
            _ if PREFIX_WORDS.contains(&word) => self.prefix(|level| level.short += 1),
            _ if word == "replace" || OPEN_ENDED.contains(&word) => {
                self.prefix(|level| (level.long, level.tight) = (level.long + level.tight + 1, 0));
            }
            _ => self.operand(Last::Operand),
        }
    }

    /// Whether the last token ends an operand.
    fn ended(&self) -> bool {
        match self.last {
            Last::Operand | Last::Set | Last::Brace => true,
            Last::Opens | Last::Linked => false,
        }
    }

    /// Where two operands meet, a new expression or statement begins.
    fn boundary(&mut self) {
        if self.ended() {
            self.edit(|level| (level.long, level.short, level.tight) = (0, 0, 0));
        }
    }

    fn infix(&mut self) {
        self.edit(|level| level.tight = 0);
        self.last = Last::Opens;
    }

    fn operand(&mut self, last: Last) {
        self.boundary();
        self.last = last;
    }

    fn prefix(&mut self, change: impl FnOnce(&mut Level)) {
        self.boundary();
        self.last = Last::Opens;
        self.edit(change);
    }

    fn mark(&mut self, text: &str) {
        match text {
            "-" if !self.ended() => self.edit(|level| level.tight += 1),
            "," => self.edit(|level| {
                if level.long == 0 {
                    (level.short, level.tight) = (0, 0);
                }
            }),
            ";" => self.edit(|level| (level.long, level.short, level.tight) = (0, 0, 0)),
            ":" | "." => {}
            _ => self.infix(),
        }
        self.last = Last::Opens;
    }

    fn open(&mut self, token: Token<'_>) {
        // After an operand, a brace begins a block: the expression has ended.
        if token.text == "{" {
            self.boundary();
        }
        self.open.push((token.text.chars().next().unwrap_or('('), token.start));
        self.levels.push(Level::default());
        self.last = Last::Opens;
    }

    fn close(&mut self, token: Token<'_>) {
        let partner = partner(token.text);
        if let Some(place) = self.open.iter().rposition(|&(open, _)| open == partner) {
            self.astray += self.open.len() - place - 1;
            self.wrong = self.wrong.or(self.open.get(place + 1).copied());
            self.open.truncate(place);
            for level in self.levels.drain(place + 1..) {
                self.sum -= level.total();
            }
        }
        self.last = if token.text == "}" { Last::Brace } else { Last::Operand };
    }
}

/// The opening bracket that matches a closing one.
pub(super) fn partner(close: &str) -> char {
    match close {
        ")" => '(',
        "]" => '[',
        _ => '{',
    }
}

/// The closing brackets that a text lacks.
pub(super) fn closing(text: &str) -> String {
    let mut open: Vec<char> = Vec::new();
    for token in Words::new(text) {
        match token.kind {
            Kind::Open => open.extend(token.text.chars().next()),
            Kind::Close => {
                if let Some(place) = open.iter().rposition(|&bracket| bracket == partner(token.text)) {
                    open.truncate(place);
                }
            }
            Kind::Word | Kind::Number | Kind::Text | Kind::Clause | Kind::Row | Kind::Mark | Kind::Comment => {}
        }
    }
    let close = |bracket: char| match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    };
    open.into_iter().rev().map(close).collect()
}
