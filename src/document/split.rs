//! Splitting a document into units, with their outline.

use std::fmt;

use super::LENGTH;
use super::lines::{Block, Shape, blocks, labelled};
use super::normal::{plain, print, sketch};
use super::outline::{Node, Outline};
use super::sentences::sentences;

/// The level of an unmarked heading; marked ones have 1 to 6.
const PLAIN: u8 = 7;

/// The level of a numbered title at the margin.
const NUMBERED: u8 = 8;

/// The maximum nesting depth of items.
const DEPTH: usize = 64;

/// Words that begin a sentence but not a title.
const NO_TITLE: &[&str] =
    &["es", "er", "sie", "man", "wer", "wenn", "sobald", "falls", "dann", "danach", "hier", "das"];

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heading or the title of a numbered section.
    Heading,
    /// A sentence, or a fragment in a list item.
    Sentence,
    /// A row of a table.
    Row,
    /// The names of the columns of a table.
    Columns,
    /// An entry of a table of contents.
    Contents,
}

/// The smallest part of a document that has a fingerprint.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its kind.
    pub kind: Kind,
    /// The line it begins in.
    pub line: u32,
    /// Its text on one line, without labels and emphasis.
    pub text: String,
    /// The fingerprint of its normal form.
    pub print: u64,
    /// Its sketch, for finding it after changes; see [`resemblance`](super::resemblance).
    pub near: u64,
    /// The title it is under.
    pub heading: String,
    /// Its number under that title, from 1; 0 for titles.
    pub ordinal: u32,
    /// Its node in the outline.
    pub(super) node: usize,
    /// The cells of a row, including empty ones.
    pub(super) cells: Vec<String>,
}

impl Unit {
    /// Whether it has content, rather than structuring the rest.
    #[must_use]
    pub fn speaks(&self) -> bool {
        matches!(self.kind, Kind::Sentence | Kind::Row)
    }
}

/// A parsed document.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Its units in order.
    pub units: Vec<Unit>,
    /// Its sections and items.
    pub(super) outline: Outline,
    /// The lines that hold a picture.
    pub(super) pictures: Vec<u32>,
    /// The texts of its paragraphs with their lines and nodes, for checking paired marks.
    pub(super) paragraphs: Vec<(u32, usize, String)>,
}

/// A text longer than [`LENGTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong(pub usize);

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a document may have at most {LENGTH} bytes; this one has {}", self.0)
    }
}

impl std::error::Error for TooLong {}

impl Document {
    /// Parses a document: plain text or Markdown.
    ///
    /// # Errors
    /// If it is longer than [`LENGTH`].
    pub fn read(text: &str) -> Result<Self, TooLong> {
        if text.len() > LENGTH {
            return Err(TooLong(text.len()));
        }
        let blocks = blocks(text);
        let mut splitter = Splitter::default();
        for (number, block) in blocks.iter().enumerate() {
            splitter.block(block, blocks.get(number + 1));
        }
        Ok(splitter.document)
    }

    /// The titles in order, as displayed.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.units.iter().filter(|unit| unit.kind == Kind::Heading).map(|unit| unit.text.as_str())
    }
}

#[derive(Debug, Default)]
struct Splitter {
    document: Document,
    /// The open sections and items, outermost first.
    open: Vec<usize>,
    /// The number of units under the open title, for each node.
    counts: Vec<u32>,
}

impl Splitter {
    fn block(&mut self, block: &Block, next: Option<&Block>) {
        match block.shape {
            Shape::Heading(level) => self.heading(block, level),
            Shape::Picture => self.document.pictures.push(block.line),
            Shape::Contents => self.whole(block, Kind::Contents),
            Shape::Row => {
                let first = self.document.units.last().is_none_or(|last| last.kind != Kind::Row);
                let digits = |block: &Block| block.text.chars().any(|c| c.is_ascii_digit());
                // The first row is a header if only the others contain numbers.
                let names =
                    first && !digits(block) && next.is_some_and(|next| next.shape == Shape::Row && digits(next));
                self.whole(block, if names { Kind::Columns } else { Kind::Row });
            }
            Shape::Columns => self.whole(block, Kind::Columns),
            Shape::Item if block.indent == 0 && !block.bullet && is_numbered_title(block, next) => {
                self.heading(block, NUMBERED);
            }
            Shape::Item => {
                self.item(block);
                self.sentences(block);
            }
            Shape::Text if is_title(block, next) => self.heading(block, PLAIN),
            Shape::Text => {
                self.leave(|node| node.is_item && (block.indent == 0 || node.indent > block.indent));
                self.sentences(block);
            }
        }
    }

    /// Closes the innermost nodes while the condition holds.
    fn leave(&mut self, ends: impl Fn(&Node) -> bool) {
        while self.open.last().is_some_and(|last| self.document.outline.nodes.get(*last).is_some_and(&ends)) {
            self.open.pop();
        }
    }

    fn enter(&mut self, node: Node) -> usize {
        let number = self.document.outline.add(node);
        self.open.push(number);
        self.counts.push(0);
        number
    }

    fn heading(&mut self, block: &Block, level: u8) {
        self.leave(|node| node.is_item || node.level >= level);
        let text = plain(&block.text);
        let (label, title) =
            if block.label.is_empty() { numbered(&text) } else { (block.label.clone(), text.as_str()) };
        let title = title.trim().trim_end_matches(':').trim_end().to_owned();
        let parent = self.open.last().copied();
        self.enter(Node { parent, label, title: title.clone(), line: block.line, level, ..Node::default() });
        let node = self.document.outline.nodes.len() - 1;
        let (print, near) = (print(&title), sketch(&title));
        let unit = Unit {
            kind: Kind::Heading,
            line: block.line,
            heading: title.clone(),
            text: title,
            print,
            near,
            ordinal: 0,
            node,
            cells: Vec::new(),
        };
        self.push(unit);
    }

    fn item(&mut self, block: &Block) {
        let margin = block.indent == 0 && !block.bullet;
        self.open.truncate(DEPTH);
        self.leave(|node| if node.is_item { node.indent >= block.indent } else { margin && node.level == NUMBERED });
        let lead = plain(&block.text);
        let lead = lead.split_once(": ").map_or("", |(lead, _)| lead);
        let title = if lead.split_whitespace().count() <= 4 { lead.to_owned() } else { String::new() };
        // A numbered paragraph at the margin with a lead-in is a section.
        if margin && !title.is_empty() && block.label.starts_with(|c: char| c.is_ascii_digit()) {
            self.leave(|node| node.is_item);
            let parent = self.open.last().copied();
            let (label, line) = (block.label.clone(), block.line);
            self.enter(Node { parent, label, title, line, level: NUMBERED, ..Node::default() });
            return;
        }
        let node = Node {
            parent: self.open.last().copied(),
            label: block.label.clone(),
            title,
            line: block.line,
            indent: block.indent,
            is_item: true,
            ..Node::default()
        };
        self.enter(node);
    }

    fn sentences(&mut self, block: &Block) {
        for (from, to) in sentences(&block.text) {
            let text = plain(block.text.get(from..to).unwrap_or("")).trim().to_owned();
            self.unit(Kind::Sentence, block.line_at(from), text, Vec::new());
        }
        let here = self.here();
        self.document.paragraphs.push((block.line, here, plain(&block.text)));
    }

    fn whole(&mut self, block: &Block, kind: Kind) {
        let text = plain(&block.text).trim().to_owned();
        self.leave(|node| node.is_item && block.indent <= node.indent);
        self.unit(kind, block.line, text, block.cells.clone());
    }

    /// The innermost open node; the first one represents the whole document.
    fn here(&mut self) -> usize {
        if let Some(innermost) = self.open.last() {
            return *innermost;
        }
        self.enter(Node::default())
    }

    fn unit(&mut self, kind: Kind, line: u32, text: String, cells: Vec<String>) {
        if !text.chars().any(char::is_alphanumeric) {
            return;
        }
        let node = self.here();
        let title = self.document.outline.section(node);
        let heading = self.document.outline.nodes.get(title).map(|node| node.title.clone()).unwrap_or_default();
        let mut ordinal = 0;
        if let Some(count) = self.counts.get_mut(title).filter(|_| matches!(kind, Kind::Sentence | Kind::Row)) {
            *count += 1;
            ordinal = *count;
        }
        let (print, near) = (print(&text), sketch(&text));
        self.push(Unit { kind, line, text, print, near, heading, ordinal, node, cells });
    }

    fn push(&mut self, unit: Unit) {
        let number = self.document.units.len();
        if let Some(node) = self.document.outline.nodes.get_mut(unit.node) {
            node.units.push(number);
        }
        self.document.units.push(unit);
    }
}

/// The label and title of a heading: `§3 Ziehen`, `2.1 Karten`, `Kapitel 4: Ende`.
fn numbered(text: &str) -> (String, &str) {
    if let Some(rest) = text.strip_prefix('§') {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (number, title) = rest.split_at(end);
        return (format!("§{number}"), title.trim_start_matches(['.', ':', ' ', '-', '–']));
    }
    for word in ["Kapitel ", "Abschnitt ", "Teil "] {
        if let Some(rest) = text.strip_prefix(word) {
            let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
            let (number, title) = rest.split_at(end);
            if !number.is_empty() {
                return (number.trim_end_matches('.').to_owned(), title.trim_start_matches([':', ' ', '-', '–']));
            }
        }
    }
    let end = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let (number, title) = text.split_at(end);
    let digits = number.starts_with(|c: char| c.is_ascii_digit());
    if digits && title.starts_with(' ') && number.contains('.') {
        return (number.trim_end_matches('.').to_owned(), title.trim_start());
    }
    labelled(text).map_or((String::new(), text), |(label, title)| (label.to_owned(), title))
}

/// Whether words look like a title.
fn looks_like_title(text: &str) -> bool {
    let text = text.trim();
    let words = text.split_whitespace().count();
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    let starts = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '§' | '„' | '"'));
    starts
        && words <= 9
        && text.chars().count() <= 70
        && !text.ends_with(['.', '!', '?', ',', ';', '…'])
        && !text.contains(". ")
        && !NO_TITLE.contains(&first.as_str())
}

/// Whether a paragraph is an unmarked heading.
fn is_title(block: &Block, next: Option<&Block>) -> bool {
    let bold = block.text.strip_prefix("**").and_then(|text| text.strip_suffix("**"));
    if bold.is_some_and(|text| !text.contains("**") && looks_like_title(text)) {
        return true;
    }
    let text = plain(&block.text);
    let named = text.split_once(": ").is_none_or(|(_, rest)| !rest.contains(|c: char| c.is_ascii_digit()));
    let list = text.ends_with(':') && next.is_some_and(|next| matches!(next.shape, Shape::Item | Shape::Row));
    let short = !list || text.split_whitespace().count() <= 3;
    block.alone && block.indent < 4 && named && short && looks_like_title(&text)
}

/// Whether an item at the margin is the title of what follows.
fn is_numbered_title(block: &Block, next: Option<&Block>) -> bool {
    let Some(next) = next else { return false };
    let sibling = next.shape == Shape::Item && !next.bullet && next.indent == 0;
    let text = plain(&block.text);
    let number = block.label.chars().all(|c| c.is_ascii_digit());
    block.alone
        && number
        && !sibling
        && !matches!(next.shape, Shape::Heading(_))
        && !text.contains(": ")
        && looks_like_title(&text)
}
