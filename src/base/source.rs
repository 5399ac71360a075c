//! The texts that spans point into.

use std::sync::OnceLock;

use super::{FileId, SaturatingFrom, Span};

/// A named text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name in messages, usually its path.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All texts of a load.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
    /// Where the lines of each text begin, found when they are first asked for.
    lines: Vec<OnceLock<Vec<usize>>>,
}

impl Sources {
    /// Adds a text and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u16::saturating_from(self.files.len()));
        self.files.push(Source { name: name.into(), text: text.into() });
        self.lines.push(OnceLock::new());
        id
    }

    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The text with this id, if there is one.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&Source> {
        self.files.get(usize::from(id.0))
    }

    /// The names of the texts, in the order they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|source| source.name.as_str())
    }

    /// The texts, in the order they were added.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|source| source.text.as_str())
    }

    /// The ids of all texts, in the order they were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len()).filter_map(|number| u16::try_from(number).ok()).map(FileId)
    }

    /// The text of a span; empty if it fits no text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Line and column of a span's start, both counted from 1, columns in characters.
    #[must_use]
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let (Some(source), Some(lines)) = (self.get(span.file), self.lines.get(usize::from(span.file.0))) else {
            return (1, 1);
        };
        let before = source.text.get(..span.start as usize).unwrap_or(&source.text);
        let starts = lines.get_or_init(|| source.text.match_indices('\n').map(|(end, _)| end + 1).collect());
        let line = starts.partition_point(|start| *start <= before.len());
        let start = line.checked_sub(1).and_then(|last| starts.get(last));
        let column = before.get(start.copied().unwrap_or_default()..).unwrap_or("").chars().count();
        (line + 1, column + 1)
    }
}

/// A text without the mark of byte order that some editors write before it.
#[must_use]
pub fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// Where the line of an offset begins.
#[must_use]
pub fn line_start(text: &str, at: usize) -> usize {
    match text.get(..at).and_then(|before| before.rfind('\n')) {
        Some(end) => end + 1,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let mut sources = Sources::default();
        let file = sources.add("x", "ä\nöü§");
        assert_eq!(sources.line_column(Span::new(file, 7, 9)), (2, 3));
        assert_eq!(sources.slice(Span::new(file, 7, 9)), "§");
        assert_eq!(sources.line_column(Span::new(file, 2, 2)), (1, 2));
        assert_eq!(sources.line_column(Span::new(file, 3, 3)), (2, 1));
        assert_eq!(sources.line_column(Span::new(file, 90, 99)), (2, 4));
    }
}
