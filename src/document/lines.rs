//! Grouping lines into blocks: headings, items, table rows, paragraphs.

use super::normal::clean;
use crate::base::SaturatingFrom;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A marked heading and its level.
    Heading(u8),
    /// The text of a list item.
    Item,
    /// Other text.
    Text,
    /// A row of a table.
    Row,
    /// A header row of a table.
    Columns,
    /// An entry of a table of contents.
    Contents,
    /// A picture.
    Picture,
}

/// Consecutive lines that belong together.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) shape: Shape,
    /// The indentation of the first line.
    pub(super) indent: usize,
    /// The label as written, such as `2`, `4a`, `§3`; empty for bullets.
    pub(super) label: String,
    /// Whether a bullet precedes the text or label.
    pub(super) bullet: bool,
    pub(super) text: String,
    /// The offset in the text where each line begins, and its number.
    pub(super) marks: Vec<(usize, u32)>,
    /// The line it begins in.
    pub(super) line: u32,
    /// The cells of a row, including empty ones.
    pub(super) cells: Vec<String>,
    /// Whether it is a single line without neighbours directly above and below.
    pub(super) alone: bool,
}

impl Block {
    fn new(shape: Shape, line: &Line) -> Self {
        Self {
            shape,
            indent: line.indent,
            label: String::new(),
            bullet: false,
            text: String::new(),
            marks: Vec::new(),
            line: line.number,
            cells: Vec::new(),
            alone: false,
        }
    }

    /// The line number of an offset in its text.
    pub(super) fn line_at(&self, at: usize) -> u32 {
        self.marks.iter().rev().find(|(from, _)| *from <= at).map_or(self.line, |(_, line)| *line)
    }
}

/// A line.
#[derive(Clone, Debug)]
struct Line {
    number: u32,
    indent: usize,
    text: String,
    /// Its width, including its mark.
    width: usize,
    /// Whether it ends with two spaces, which force a line break.
    breaks: bool,
}

/// Splits a text into blocks.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    for (number, raw) in (1..).zip(text.lines()) {
        reader.line(number, &clean(raw));
    }
    reader.close();
    for (block, (above, below)) in reader.blocks.iter_mut().zip(reader.lone) {
        block.alone = above && below;
    }
    reader.blocks
}

#[derive(Debug, Default)]
struct Reader {
    blocks: Vec<Block>,
    /// For each block, whether it is a single line without one directly above, and without one directly below.
    lone: Vec<(bool, bool)>,
    /// The lines of the open block, and how it began.
    open: Vec<Line>,
    begun: Option<Block>,
    /// Whether a non-blank line is directly above.
    tight: bool,
    /// Whether the open block had a line directly above it.
    below: bool,
    /// Whether inside a comment.
    hidden: bool,
}

impl Reader {
    fn line(&mut self, number: u32, text: &str) {
        if self.hidden || text.trim_start().starts_with("<!--") {
            self.hidden = !text.contains("-->");
            return;
        }
        let text = text.trim_start_matches("> ");
        let indent = text.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum();
        let width = indent + text.trim().chars().count();
        let line = Line { number, indent, text: text.trim().to_owned(), width, breaks: text.ends_with("  ") };
        if line.text.is_empty() || line.text.starts_with("```") {
            self.close();
            self.tight = false;
            return;
        }
        if self.special(&line, text) {
            self.tight = true;
            return;
        }
        if let Some(mark) = marker(&line.text).filter(|mark| self.may_begin(&line, mark)) {
            self.close();
            let mut block = Block::new(Shape::Item, &line);
            mark.label.clone_into(&mut block.label);
            block.bullet = mark.bullet;
            self.begin(block, Line { text: mark.rest.to_owned(), ..line });
        } else if self.goes_on(&line) {
            self.open.push(line);
        } else {
            self.close();
            self.begin(Block::new(Shape::Text, &line), line);
        }
        self.tight = true;
    }

    /// Lines that are blocks of their own: headings, rows, rules and pictures.
    fn special(&mut self, line: &Line, raw: &str) -> bool {
        let text = line.text.as_str();
        if text.len() >= 3 && (text.chars().all(|c| c == '=') || text.chars().all(|c| c == '-')) {
            let level = if text.starts_with('=') { 1 } else { 2 };
            match (self.open.as_slice(), &mut self.begun) {
                ([_], Some(block)) if block.shape == Shape::Text => block.shape = Shape::Heading(level),
                _ => {}
            }
            self.close();
            return true;
        }
        if matches!(text, "***" | "___" | "* * *") {
            self.close();
            return true;
        }
        let hashes = text.chars().take_while(|c| *c == '#').count();
        if (1..=6).contains(&hashes) && text.chars().nth(hashes).is_some_and(char::is_whitespace) {
            let title = text.trim_matches('#').trim().to_owned();
            let level = u8::saturating_from(hashes);
            return self.push(Shape::Heading(level), line, title, Vec::new());
        }
        if text.starts_with("![") || text.starts_with("<img") {
            return self.push(Shape::Picture, line, String::new(), Vec::new());
        }
        if let Some(title) = contents(text) {
            return self.push(Shape::Contents, line, title, Vec::new());
        }
        let Some(cells) = cells(raw) else { return false };
        let ruled = |cell: &String| cell.len() >= 2 && cell.chars().all(|c| matches!(c, '-' | ':' | '='));
        if cells.iter().all(|cell| ruled(cell) || cell.is_empty()) {
            self.close();
            if let Some(last) = self.blocks.last_mut().filter(|last| last.shape == Shape::Row) {
                last.shape = Shape::Columns;
            }
            return true;
        }
        let full: Vec<&str> = cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
        let joined = full.join(" ");
        self.push(Shape::Row, line, joined, cells)
    }

    /// Adds a block of one line.
    fn push(&mut self, shape: Shape, line: &Line, text: String, cells: Vec<String>) -> bool {
        self.close();
        self.blocks.push(Block { text, cells, ..Block::new(shape, line) });
        self.lone.push((false, false));
        true
    }

    fn begin(&mut self, block: Block, line: Line) {
        self.below = self.tight;
        self.begun = Some(block);
        self.open.push(line);
    }

    /// Whether a list mark can occur here, and is not a number in running text.
    fn may_begin(&self, line: &Line, mark: &Marker<'_>) -> bool {
        let (Some(block), Some(last)) = (&self.begun, self.open.last()) else { return true };
        let sibling = block.shape == Shape::Item && line.indent <= block.indent + 1;
        // A dash may also separate two parts of a wrapped sentence.
        let bullet = mark.bullet && !line.text.starts_with('–');
        bullet || sibling || last.text.ends_with(['.', '!', '?', ':', ';'])
    }

    /// Whether a line without a mark continues the open block.
    fn goes_on(&self, line: &Line) -> bool {
        let (Some(block), Some(last)) = (&self.begun, self.open.last()) else { return false };
        let outdented = block.shape == Shape::Item && line.indent <= block.indent;
        !(outdented && last.text.ends_with(['.', '!', '?', ':']))
    }

    /// Closes the open block. A line break where the next word would have fitted was intended; others are mere
    /// wrapping.
    fn close(&mut self) {
        let lines = std::mem::take(&mut self.open);
        let Some(mut block) = self.begun.take() else { return };
        let width = lines.iter().map(|line| line.width).fold(0, usize::max);
        let alone = lines.len() == 1;
        let count = self.blocks.len();
        let mut last: Option<&Line> = None;
        for line in &lines {
            let meant = last.is_some_and(|last| {
                let word = line.text.split_whitespace().next().unwrap_or("").chars().count();
                let small = line.text.starts_with(char::is_lowercase) || last.text.ends_with([',', '-']);
                !small && (last.breaks || last.width + 1 + word <= width)
            });
            if meant {
                let next = Block { shape: Shape::Text, indent: block.indent, ..Block::new(Shape::Text, line) };
                self.blocks.push(std::mem::replace(&mut block, next));
            } else if last.is_some() {
                join(&mut block.text, &line.text);
                block.marks.push((block.text.len(), line.number));
            }
            block.text.push_str(&line.text);
            last = Some(line);
        }
        self.blocks.push(block);
        let above = alone && !self.below;
        for _ in count..self.blocks.len() {
            self.lone.push((above, true));
        }
        if let Some(before) = count.checked_sub(1).and_then(|before| self.lone.get_mut(before)) {
            before.1 = before.1 && !self.below;
        }
    }
}

/// Joins two lines with a space, or without one where a word is hyphenated.
fn join(text: &mut String, next: &str) {
    let broken = text.strip_suffix('-').is_some_and(|front| front.ends_with(char::is_alphabetic));
    let word: String = next.chars().take_while(|c| c.is_alphabetic()).collect();
    let series = matches!(word.as_str(), "und" | "oder" | "bzw" | "sowie" | "bis");
    if !broken || series {
        text.push(' ');
    } else if next.starts_with(char::is_lowercase) {
        text.pop();
    }
}

/// The title of an entry of a table of contents.
fn contents(text: &str) -> Option<String> {
    let page = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let led = page.trim_end();
    if page.len() < text.len() && led.ends_with("...") {
        return Some(led.trim_end_matches(['.', ' ']).to_owned());
    }
    let link = text.trim_start_matches(['-', '*', ' ']).strip_prefix('[')?;
    let (title, target) = link.split_once("](#")?;
    target.ends_with(')').then(|| title.to_owned())
}

/// The cells of a table row, if the line is one.
fn cells(raw: &str) -> Option<Vec<String>> {
    let own = |cells: std::str::Split<'_, char>| cells.map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let full = |cells: &[String]| cells.iter().filter(|cell| !cell.is_empty()).count();
    let text = raw.trim();
    if text.starts_with('|') || text.ends_with('|') && text.matches('|').count() > 1 {
        let inner = text.strip_prefix('|').unwrap_or(text);
        return Some(own(inner.strip_suffix('|').unwrap_or(inner).split('|')));
    }
    if raw.trim_end().contains('\t') {
        let cells = own(raw.trim_end_matches(['\r', '\n']).split('\t'));
        return (full(&cells) >= 3).then_some(cells);
    }
    let cells: Vec<String> =
        text.split("   ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
    (cells.len() >= 3 && marker(text).is_none()).then_some(cells)
}

/// A list mark.
#[derive(Clone, Copy, Debug)]
struct Marker<'a> {
    label: &'a str,
    bullet: bool,
    rest: &'a str,
}

/// The mark at the beginning of a line: a bullet, a label, or both.
fn marker(text: &str) -> Option<Marker<'_>> {
    let bullets = ['-', '•', '*', '+', '–', '·', '‣', '◦', '○', '▪', '●'];
    let behind = text.strip_prefix(bullets).filter(|behind| behind.starts_with(char::is_whitespace));
    let (bullet, text) = behind.map_or((false, text), |behind| (true, behind.trim_start()));
    match labelled(text) {
        Some((label, rest)) => Some(Marker { label, bullet, rest }),
        None => bullet.then_some(Marker { label: "", bullet, rest: text }),
    }
}

/// A label and the text after it: `2.`, `4a.`, `b)`, `(c)`, `iv.`, `2.)`.
pub(super) fn labelled(text: &str) -> Option<(&str, &str)> {
    let (open, inner) = text.strip_prefix('(').map_or((false, text), |inner| (true, inner));
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (label, behind) = inner.split_at(end);
    let rest = behind.trim_start_matches(['.', ')']);
    let marks = behind.len() - rest.len();
    let fits = if open { behind.starts_with(')') && marks == 1 } else { (1..=2).contains(&marks) };
    let digits = label.chars().take_while(char::is_ascii_digit).count();
    let letters = label.get(digits..).unwrap_or("");
    let roman = letters.len() <= 4 && letters.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
    let small = letters.len() == 1 && letters.chars().all(|c| c.is_ascii_lowercase());
    let sound =
        digits <= 3 && (letters.is_empty() && digits > 0 || small || roman && digits == 0 && !letters.is_empty());
    let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
    // `z. B.` and `d. h.` are not labels.
    let short = digits == 0 && rest.chars().nth(1) == Some('.') && rest.starts_with(char::is_alphabetic);
    (fits && sound && !short && !rest.is_empty()).then_some((label, rest))
}
