//! Converting byte offsets to lines and columns, and back.

use crate::base::SaturatingFrom;
use lsp_types::{Position, Range};

/// The unit in which columns are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-16 code units, the protocol's default.
    #[default]
    Utf16,
    /// Bytes.
    Utf8,
}

impl Encoding {
    fn width(self, text: &str) -> usize {
        match self {
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Utf8 => text.len(),
        }
    }

    /// The byte offset of a position. A position beyond the end of a line means the end of that line; one within a
    /// character means its beginning.
    pub(super) fn offset(self, text: &str, position: Position) -> usize {
        let mut starts = starts(text).skip(position.line as usize);
        let Some(start) = starts.next() else { return text.len() };
        let end = starts.next().unwrap_or(text.len());
        let line = text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, c) in line.char_indices() {
            column += self.width(c.encode_utf8(&mut [0; 4]));
            if column > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The bytes of a range; none if it ends before it begins.
    pub(super) fn bytes(self, text: &str, range: Range) -> Option<std::ops::Range<usize>> {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        (start <= end).then_some(start..end)
    }
}

/// A text of which many places are told: where its lines begin is found out once.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) text: String,
    encoding: Encoding,
    starts: Vec<usize>,
}

impl Lines {
    pub(super) fn new(text: String, encoding: Encoding) -> Self {
        let starts = starts(&text).collect();
        Self { text, encoding, starts }
    }

    /// The position of a byte offset.
    fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let column = self.encoding.width(self.text.get(start..offset).unwrap_or(""));
        Position::new(u32::saturating_from(line), u32::saturating_from(column))
    }

    /// The range of a range of bytes.
    pub(super) fn range(&self, bytes: std::ops::Range<usize>) -> Range {
        Range::new(self.position(bytes.start), self.position(bytes.end))
    }
}

/// The offsets at which lines begin.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let ends = |at: &usize| match bytes.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_was_agreed() {
        // `ä` has two bytes and one unit, `🙂` four bytes and two units.
        let text = "ä🙂x\r\ny\rz";
        let position = |encoding, at| Lines::new(text.to_owned(), encoding).position(at);
        assert_eq!(position(Encoding::Utf16, 6), Position::new(0, 3));
        assert_eq!(position(Encoding::Utf8, 6), Position::new(0, 6));
        assert_eq!(position(Encoding::Utf16, 9), Position::new(1, 0));
        assert_eq!(position(Encoding::Utf16, 11), Position::new(2, 0));
        assert_eq!(Encoding::Utf16.offset(text, Position::new(0, 3)), 6);
        assert_eq!(Encoding::Utf16.offset(text, Position::new(0, 2)), 2);
        assert_eq!(Encoding::Utf8.offset(text, Position::new(0, 99)), 7);
        assert_eq!(Encoding::Utf8.offset(text, Position::new(9, 0)), 12);
    }
}
