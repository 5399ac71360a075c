//! The text as a sequence of words, brackets and marks, used by the checks before parsing and the messages after it.
//!
//! **Invariant:** every byte belongs to white space, a comment or exactly one token, and scanning takes linear time.

use super::grammar::{TABLE_WORDS, TABLES};

/// Words and marks that say something wherever they stand: whoever wrote one meant more than is left without it.
pub(super) const MEANT: [&str; 44] = [
    "not",
    "no",
    "any",
    "all",
    "some",
    "every",
    "each",
    "never",
    "only",
    "except",
    "without",
    "unless",
    "or",
    "and",
    "my",
    "mine",
    "own",
    "their",
    "his",
    "her",
    "its",
    "enemy",
    "opponent",
    "opponents",
    "opposing",
    "other",
    "others",
    "next",
    "previous",
    "opposite",
    "but",
    "nor",
    "neither",
    "hidden",
    "secret",
    "+",
    "-",
    "*",
    "/",
    "!",
    "|",
    "&",
    "<",
    ">",
];

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Word,
    /// A number, possibly with letters attached.
    Number,
    /// A text in quotes, or from an unclosed quote on.
    Text,
    /// `§…`
    Clause,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// The rest of a table line.
    Row,
    /// Any other character.
    Mark,
    /// `// …`
    Comment,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: &'t str,
    /// Its offset.
    pub start: usize,
    /// Whether it is the first on its line.
    pub first: bool,
}

impl Token<'_> {
    /// The offset after it.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Whether table lines may follow. A bar begins a table line only after `table NAME` or `kinds NAME` and what may
/// stand in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    No,
    /// After `table` or `kinds`.
    Word,
    /// After the name, outside brackets of this depth.
    Armed(usize),
    /// Between table lines.
    Rows,
}

/// The tokens of a text, comments included.
#[derive(Clone, Debug)]
pub(crate) struct Words<'t> {
    text: &'t str,
    at: usize,
    first: bool,
    depth: usize,
    table: Table,
}

impl<'t> Words<'t> {
    /// The tokens of `text`.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0, first: true, depth: 0, table: Table::No }
    }

    fn skip_blanks(&mut self) {
        for c in self.text[self.at..].chars() {
            match c {
                '\n' | '\r' => self.first = true,
                ' ' | '\t' | '\u{FEFF}' => {}
                _ => return,
            }
            self.at += c.len_utf8();
        }
    }

    fn row_follows(&self) -> bool {
        match self.table {
            Table::No | Table::Word => false,
            Table::Armed(depth) => depth == self.depth,
            Table::Rows => self.first,
        }
    }

    fn measure(&self, rest: &str) -> (Kind, usize) {
        let upto = |stop: fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
        let line = |c: char| c == '\n' || c == '\r';
        let Some(c) = rest.chars().next() else {
            return (Kind::Mark, 0);
        };
        let width = c.len_utf8();
        if rest.starts_with("//") {
            return (Kind::Comment, upto(line));
        }
        match c {
            '|' if self.row_follows() => {
                let row = &rest[..upto(line)];
                (Kind::Row, row.find("//").unwrap_or(row.len()))
            }
            '"' => {
                let inner = &rest[1..];
                let end = inner.find(|c: char| c == '"' || line(c)).unwrap_or(inner.len());
                (Kind::Text, 1 + end + usize::from(inner[end..].starts_with('"')))
            }
            '§' => (Kind::Clause, clause_len(rest)),
            '(' | '{' | '[' => (Kind::Open, width),
            ')' | '}' | ']' => (Kind::Close, width),
            _ if c.is_ascii_digit() => (Kind::Number, upto(|c| !continues(c))),
            _ if continues(c) => (Kind::Word, upto(|c| !continues(c))),
            _ if [":=", "+=", "-=", "==", "!=", "<=", ">=", ".."].iter().any(|mark| rest.starts_with(mark)) => {
                (Kind::Mark, 2)
            }
            _ => (Kind::Mark, width),
        }
    }

    fn note(&mut self, token: Token<'_>) {
        let heads = TABLES.contains(&token.text);
        self.table = match (self.table, token.kind) {
            (kept, Kind::Comment) => kept,
            (_, Kind::Row) => Table::Rows,
            (Table::Word, Kind::Word) => Table::Armed(self.depth),
            (Table::Armed(depth), Kind::Word) if depth == self.depth && !TABLE_WORDS.contains(&token.text) => {
                if heads {
                    Table::Word
                } else {
                    Table::No
                }
            }
            (Table::Armed(depth), _) if depth < self.depth => self.table,
            (Table::Armed(_), Kind::Word | Kind::Open | Kind::Close | Kind::Clause) => self.table,
            (Table::Armed(_), Kind::Mark) if token.text == "," => self.table,
            (_, Kind::Word) if heads => Table::Word,
            (
                Table::No | Table::Word | Table::Armed(_) | Table::Rows,
                Kind::Word | Kind::Number | Kind::Text | Kind::Clause | Kind::Open | Kind::Close | Kind::Mark,
            ) => Table::No,
        };
        match token.kind {
            Kind::Open => self.depth += 1,
            Kind::Close => {
                self.depth = self.depth.saturating_sub(1);
                if matches!(self.table, Table::Armed(depth) if self.depth < depth) {
                    self.table = Table::No;
                }
            }
            Kind::Word | Kind::Number | Kind::Text | Kind::Clause | Kind::Row | Kind::Mark | Kind::Comment => {}
        }
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        self.skip_blanks();
        let start = self.at;
        let rest = &self.text[start..];
        let (kind, len) = self.measure(rest);
        if len == 0 {
            return None;
        }
        let token = Token { kind, text: &rest[..len], start, first: self.first };
        self.at += len;
        self.note(token);
        self.first = false;
        Some(token)
    }
}

/// The length of a clause: dots, slashes and dashes belong to it only between other characters.
pub(super) fn clause_len(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1).peekable();
    let mut end = '§'.len_utf8();
    while let Some((at, c)) = chars.next() {
        let joins = matches!(c, '.' | '/' | '-') && chars.peek().is_some_and(|&(_, next)| continues(next));
        if !continues(c) && !joins {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// Whether a character may be inside a name. Combining marks may, as in the grammar.
fn continues(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
}

/// Whether an offset is at the beginning of its line.
pub(super) fn flush(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("");
    before.is_empty() || before.ends_with(['\n', '\r']) || before == "\u{FEFF}"
}
