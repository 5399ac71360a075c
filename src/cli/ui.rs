//! The terminal: the only place that prints and reads input.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, window_size};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, fill};

use super::exit::{Exit, Failure};
use crate::base::is_command;
use crate::say::{Arg, Lang};

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// For programs.
    Json,
    /// A table with a head, for spreadsheets: of games (`simulate`), figures (`compare`), bots (`match`), readings,
    /// settings (`tune`) or depths (`perft`).
    Csv,
}

/// The output and input of commands.
#[derive(Clone, Copy, Debug)]
pub struct Ui {
    /// How results are written.
    pub format: Format,
    /// The language of what is said to people who play and read.
    pub lang: Lang,
}

/// A text without what would make a terminal do anything but display it in its order: of control characters, line ends, tabs and
/// colours are kept. File names, registries, records and cases may contain any.
fn harmless(text: &str) -> Cow<'_, str> {
    let control = |c: char| is_command(c) && !matches!(c, '\n' | '\t');
    if !text.contains(control) {
        return Cow::Borrowed(text);
    }
    let allowed = |c: char, rest: &str| match c {
        '\r' => rest.starts_with('\n'),
        '\u{1b}' => rest
            .strip_prefix('[')
            .is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')),
        _ => !control(c),
    };
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        kept.push(if allowed(c, rest.as_str()) { c } else { '\u{fffd}' });
    }
    Cow::Owned(kept)
}

/// JSON in which what a terminal would obey is written as escapes, so that it stays what it is.
fn in_escapes(json: &str) -> String {
    let escape = |c: char| if is_command(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    if json.contains(is_command) { json.chars().map(escape).collect() } else { json.to_owned() }
}

impl Ui {
    /// A message in the language of the reader.
    #[must_use]
    pub fn words(self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.lang.say(id, args)
    }

    /// Writes a message to standard output, as a line.
    pub fn say(self, id: &str, args: &[(&str, Arg<'_>)]) {
        self.line(self.words(id, args));
    }

    /// Whether results are for programs.
    #[must_use]
    pub fn is_json(self) -> bool {
        self.format == Format::Json
    }

    /// Whether results are tables.
    #[must_use]
    pub fn is_csv(self) -> bool {
        self.format == Format::Csv
    }

    /// Writes a row of a table; what contains a comma, a quote or a line end is quoted (RFC 4180).
    pub fn row<T: AsRef<str>>(self, cells: impl IntoIterator<Item = T>) {
        let cell = |text: T| {
            let text = text.as_ref();
            let plain = !text.contains([',', '"', '\n', '\r']);
            if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
        };
        self.line(cells.into_iter().map(cell).collect::<Vec<_>>().join(","));
    }

    /// Writes to standard output verbatim, but without colours unless it is a terminal.
    pub fn print(self, text: &str) {
        let mut out = anstream::stdout().lock();
        settle(out.write_all(harmless(text).as_bytes()).and_then(|()| out.flush()));
    }

    /// Writes a line to standard output.
    pub fn line(self, text: impl AsRef<str>) {
        self.print(&format!("{}\n", text.as_ref().trim_end_matches('\n')));
    }

    /// Writes a result for programs: one line of JSON. It may be long, and is written once.
    pub fn json(self, value: &impl Serialize) {
        let mut text = in_escapes(&serde_json::to_string(value).unwrap_or_default());
        text.push('\n');
        self.print(&text);
    }

    /// Writes a remark to standard error.
    pub fn note(self, text: impl AsRef<str>) {
        let mut err = anstream::stderr().lock();
        // If standard error is gone too, there is nobody left to tell.
        let _ = writeln!(err, "{}", harmless(text.as_ref().trim_end_matches('\n')));
    }

    /// Writes why a command failed to standard error; for programs as JSON.
    pub fn failure(self, failure: &Failure) {
        if self.is_json() {
            let error = json!({"message": failure.message, "cure": failure.cure, "exit": failure.exit.number()});
            self.note(in_escapes(&json!({ "error": error }).to_string()));
            return;
        }
        self.note(format!("\u{1b}[1;31merror:\u{1b}[0m {}", failure.message));
        if let Some(cure) = &failure.cure {
            self.note(format!("  \u{1b}[1mhelp:\u{1b}[0m {cure}"));
        }
    }

    /// A progress bar on standard error, shown on a terminal only.
    #[must_use]
    pub fn bar(self, total: u64, what: &str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8));
        let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {msg} {eta}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        bar
    }

    /// A counter on standard error without a known total, shown on a terminal only.
    #[must_use]
    pub fn counter(self, what: &str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
        let style = ProgressStyle::with_template("{prefix} {spinner} {human_pos} in {elapsed}, {per_sec}; {msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        bar
    }

    /// Writes over the line that is being written, at a terminal.
    pub(super) fn rewrite(text: &str) {
        let mut out = io::stdout().lock();
        settle(write!(out, "\r\x1b[2K{}", harmless(text)).and_then(|()| out.flush()));
    }

    /// Clears the screen, if results go to a terminal.
    pub(super) fn clear(self) {
        if io::stdout().is_terminal() && !self.is_json() {
            let mut out = io::stdout().lock();
            settle(out.write_all(b"\x1b[2J\x1b[3J\x1b[H").and_then(|()| out.flush()));
        }
    }

    /// Whether somebody types, wherever the output goes.
    #[must_use]
    pub fn is_typed(self) -> bool {
        io::stdin().is_terminal()
    }

    /// Whether input and output are a terminal.
    #[must_use]
    pub fn is_interactive(self) -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Reads a line. Input that does not come from a terminal is echoed after the prompt, so that the output reads as
    /// if it had been typed. None at the end of the input.
    #[must_use]
    pub fn ask(self, prompt: &str) -> Option<String> {
        let typed = self.is_interactive();
        if typed {
            self.print(prompt);
        }
        let mut line = Vec::new();
        let read = io::BufRead::read_until(&mut io::stdin().lock(), b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            if typed {
                self.print("\n");
            }
            return None;
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if !typed {
            self.line(format!("{prompt}{line}"));
        }
        Some(line)
    }
}

/// A path as a word of a command line that a person copies.
pub(super) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./\\:+@%".contains(c);
    // What begins with `-` would be a flag.
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Reads single keys for as long as it lives.
#[derive(Debug)]
pub(super) struct Keys {
    /// The key held down: keys repeat, but only the first press counts.
    held: Option<KeyCode>,
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A character.
    Char(char),
    /// Enter or Escape.
    Leave,
    /// Control-C, or Control-D.
    Interrupt,
}

impl Keys {
    /// Starts reading single keys; none if the terminal does not support it.
    #[must_use]
    pub(super) fn begin() -> Option<Self> {
        if is_gone() {
            return None;
        }
        enable_raw_mode().ok().map(|()| Self { held: None })
    }

    /// The next key, if one is pressed within this time.
    #[must_use]
    pub(super) fn pressed(&mut self, within: Duration) -> Option<Key> {
        if is_gone() {
            return Some(Key::Interrupt);
        }
        if !matches!(poll(within), Ok(true)) {
            return None;
        }
        let Ok(Event::Key(key)) = read() else { return None };
        if key.kind == KeyEventKind::Release {
            self.held = None;
            return None;
        }
        // Terminals that report releases also report repeats.
        if key.kind == KeyEventKind::Repeat && self.held == Some(key.code) {
            return None;
        }
        self.held = Some(key.code);
        if matches!(key.code, KeyCode::Char('c' | 'd')) && key.modifiers.contains(KeyModifiers::CONTROL) {
            return Some(Key::Interrupt);
        }
        if matches!(key.code, KeyCode::Enter | KeyCode::Esc) {
            return Some(Key::Leave);
        }
        if let KeyCode::Char(c) = key.code { Some(Key::Char(c)) } else { None }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // If it fails, nothing can be done, and the shell resets the terminal as well.
        let _ = disable_raw_mode();
    }
}

/// Whether the terminal has been closed: whoever waited for its next key would wait, and work, for ever.
fn is_gone() -> bool {
    // Elsewhere the size in pixels, which this asks for as well, is not known.
    cfg!(unix) && window_size().is_err()
}

/// The maximum width of a paragraph.
const PARAGRAPH: usize = 100;

/// A paragraph, wrapped and indented.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    let margin = " ".repeat(indent);
    // Only at blanks, whatever features other crates enable: clauses and paths keep their dashes and slashes.
    let options = Options::new(PARAGRAPH)
        .initial_indent(&margin)
        .subsequent_indent(&margin)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(false);
    let words: Vec<&str> = text.split_whitespace().collect();
    fill(&words.join(" "), options) + "\n"
}

/// What is done before the process ends because nothing can be printed any more.
static BEFORE_END: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Does something before the process ends because nothing can be printed any more.
pub(super) fn before_end(act: impl Fn() + Send + Sync + 'static) {
    // Only the first game of a process is played by hand.
    let _ = BEFORE_END.set(Box::new(act));
}

/// Ends the process where what was to be printed cannot be. Where whoever reads it has gone, as in `regelwerk … | head`, it ends
/// silently, though not as if all had been done.
pub(super) fn settle(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) => {
            if error.kind() != io::ErrorKind::BrokenPipe {
                let _ = writeln!(io::stderr(), "error: the output cannot be written: {error}");
            }
            if let Some(act) = BEFORE_END.get() {
                act();
            }
            std::process::exit(i32::from(Exit::Missing.number()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_command_line() {
        let words = ["games/a-1.save", "a b.save", "it's", "-x", "é$(b)"].map(|path| shell_word(Path::new(path)));
        assert_eq!(words, ["games/a-1.save", "'a b.save'", r"'it'\''s'", "./-x", "'é$(b)'"]);
    }

    #[test]
    fn no_text_commands_a_terminal() {
        let red = "\u{1b}[31mred\u{1b}[0m\r\n\t";
        assert_eq!(harmless(red), red);
        let turned = "\u{202e}a\u{2066}b\u{7}\u{9b}\u{1b}[2J\rc";
        assert_eq!(harmless(turned), "\u{fffd}a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}[2J\u{fffd}c");
        let json = in_escapes(&json!({ "text": turned }).to_string());
        assert!(!json.contains(is_command), "{json:?}");
        let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read["text"].as_str(), Some(turned));
    }
}
