//! What the files hold that the program writes, so that it does not replace those of others.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// What a page or drawing ends with, so that it is known from those of others.
pub(super) const MARK: &str = "<!-- written by Regelwerk -->\n";

/// How much of a file's beginning is looked at to tell what it is.
const BEGINNING: u64 = 1000;

/// The kind of contents of a file: one with other contents is not overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A record of a game.
    Record,
    /// What a seat was told of a game.
    SeatRecord,
    /// A shard of a simulation.
    Shard,
    /// A page or drawing in HTML, SVG or Markdown.
    Page,
    /// A table of the clauses that are tested.
    Coverage,
    /// A module of WebAssembly.
    Module,
}

impl Content {
    /// Whether a file that begins and ends in this way has such contents.
    fn is_of(self, beginning: &[u8], end: &[u8]) -> bool {
        match self {
            Self::Record => beginning.starts_with(b"Record("),
            Self::SeatRecord => beginning.starts_with(b"SeatRecord("),
            Self::Shard => beginning.starts_with(br#"{"settings":{"#),
            Self::Page => end.ends_with(MARK.as_bytes()),
            Self::Coverage => String::from_utf8_lossy(beginning).lines().nth(1).is_some_and(counts),
            Self::Module => beginning.starts_with(b"\0asm"),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Record => "record of a game",
            Self::SeatRecord => "record of what a seat was told",
            Self::Shard => "part of a simulation",
            Self::Page => "page or drawing by Regelwerk",
            Self::Coverage => "table of tested clauses",
            Self::Module => "module of WebAssembly",
        }
    }
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No file, or an empty one.
    Nothing,
    /// A file that cannot be read, and may hold anything.
    Unread,
    /// A file with the wanted contents.
    Same,
    /// A file with others.
    Other,
}

/// Whether a file is at a path, and has such contents.
pub(super) fn found(path: &Path, content: Content) -> Found {
    let ends = || -> io::Result<(Vec<u8>, Vec<u8>)> {
        let (mut beginning, mut end) = (Vec::new(), Vec::new());
        // Opening a pipe would wait for whoever writes to it.
        if fs::metadata(path)?.is_file() {
            let mut file = fs::File::open(path)?;
            let length = file.metadata()?.len();
            (&file).take(BEGINNING).read_to_end(&mut beginning)?;
            file.seek(SeekFrom::Start(length.saturating_sub(MARK.len() as u64)))?;
            file.take(MARK.len() as u64).read_to_end(&mut end)?;
        }
        Ok((beginning, end))
    };
    match ends() {
        Ok((beginning, end)) if !beginning.is_empty() => {
            if content.is_of(&beginning, &end) {
                Found::Same
            } else {
                Found::Other
            }
        }
        Ok(_) => Found::Nothing,
        // Writing will report what is wrong with the path.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
            ) =>
        {
            Found::Nothing
        }
        Err(_) => Found::Unread,
    }
}

/// Whether a line says how many of all are in a state: `   68 of 76 clauses: tested`.
fn counts(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let number = |word: Option<&str>| word.is_some_and(|word| word.parse::<usize>().is_ok());
    number(words.next()) && words.next() == Some("of") && number(words.next())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_may_hold_anything() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        assert_eq!(found(&at("none"), Content::Record), Found::Nothing);
        assert_eq!(found(&at("none/none"), Content::Record), Found::Nothing);
        assert_eq!(found(&at(&"n".repeat(300)), Content::Record), Found::Nothing);
        // Whoever runs this may read every file, but no link to itself.
        std::os::unix::fs::symlink(at("loop"), at("loop")).expect("a link");
        assert_eq!(found(&at("loop"), Content::Record), Found::Unread);
        fs::write(at("page"), MARK).expect("written");
        assert_eq!(found(&at("page"), Content::Page), Found::Same);
        assert_eq!(found(&at("page"), Content::Record), Found::Other);
        assert_eq!(found(&at("page/none"), Content::Record), Found::Nothing);
        for (text, wanted) in [
            ("Lane\n   68 of 76 clauses: tested\n", Found::Same),
            ("remember the milk\n", Found::Other),
            ("milk\none of two bottles\n", Found::Other),
        ] {
            fs::write(at("coverage.txt"), text).expect("written");
            assert_eq!(found(&at("coverage.txt"), Content::Coverage), wanted, "{text}");
        }
    }
}
