//! What people type: a line that can be edited, with the lines before it and the words that fit.

use std::io;
use std::thread::sleep;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use super::advice::WRITTEN;
use super::hangup::PATIENCE;
use super::table::{Next, Table};
use crate::ir::Move;
use crate::play::{Record, Step};

/// The commands that take nothing more.
const COMMANDS: [&str; 10] = ["?", "board", "help", "hint", "legend", "position", "quit", "rules", "undo", "accept"];

/// How many lines are remembered.
const REMEMBERED: usize = 200;

/// Reads lines at a terminal.
#[derive(Debug)]
pub(super) struct Typing(Editor<Words, MemHistory>);

/// What may be typed now.
#[derive(Debug, Default)]
struct Words(Vec<String>);

/// What was typed.
enum Typed {
    Line(String),
    /// Control-C.
    Interrupted,
    End,
}

impl Typing {
    /// None if the terminal does not support it.
    pub(super) fn begin() -> Option<Self> {
        let config = Config::builder().max_history_size(REMEMBERED).ok()?.auto_add_history(true).build();
        let mut editor = Editor::with_history(config.clone(), MemHistory::with_config(&config)).ok()?;
        editor.set_helper(Some(Words::default()));
        Some(Self(editor))
    }

    fn line(&mut self, prompt: &str, words: Vec<String>) -> Typed {
        self.0.set_helper(Some(Words(words)));
        match self.0.readline(prompt) {
            Ok(line) => Typed::Line(line.trim().to_owned()),
            // As where lines come from elsewhere: what is no text cannot be understood, and the next line is read.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Typed::Line(char::REPLACEMENT_CHARACTER.to_string())
            }
            Err(ReadlineError::Eof) => Typed::End,
            // Whatever becomes of the terminal, the game is not lost.
            Err(_) => Typed::Interrupted,
        }
    }
}

impl Helper for Words {}
impl Highlighter for Words {}
impl Validator for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line);
        // What is asked about is a move as well.
        let start = ["why ", "? "].into_iter().find(|word| typed.starts_with(word)).map(str::len).unwrap_or_default();
        let begun = typed.get(start..).unwrap_or_default().to_lowercase();
        let fits = |word: &&String| word.to_lowercase().starts_with(&begun);
        Ok((start, self.0.iter().filter(fits).cloned().collect()))
    }
}

impl Table<'_> {
    /// Asks for a line. None if the people leave: at the end of the input, or after Control-C. At a terminal both save
    /// the game.
    pub(super) fn typed(&mut self, prompt: &str) -> Option<String> {
        let words = if self.ui.is_interactive() { self.words() } else { Vec::new() };
        self.typed_among(prompt, words)
    }

    /// The same, with these words to complete it.
    pub(super) fn typed_among(&mut self, prompt: &str, words: Vec<String>) -> Option<String> {
        self.note_down();
        if self.ui.is_interactive() && self.typing.is_none() {
            self.typing = Typing::begin();
        }
        let Some(typing) = self.typing.as_mut().filter(|_| self.ui.is_interactive()) else {
            let line = self.ui.ask(prompt);
            if line.is_none() && self.unsaved.typed {
                self.keep();
            }
            return line;
        };
        let mut line = typing.line(prompt, words.clone());
        // Where the game cannot be saved, it can be saved elsewhere; Control-C once more leaves it.
        if matches!(line, Typed::Interrupted | Typed::End) && !self.keep() {
            self.ui.say("play-leave-unsaved", &[]);
            line = self.typing.as_mut().map_or(Typed::End, |typing| typing.line(prompt, words));
        }
        match line {
            Typed::Line(line) => Some(line),
            Typed::Interrupted | Typed::End => None,
        }
    }

    /// Forgets what was typed, by somebody whose secrets that may be: the lines before, and what was cut out of them.
    pub(super) fn forget(&mut self) {
        self.typing = None;
    }

    /// Whoever has left with a saved game, and whoever has not.
    pub(super) fn leave(&self) -> Next {
        self.farewell();
        Next::Leave
    }

    /// Saves the game and leaves it. Where it cannot be saved, it goes on until somebody wants to leave once more.
    pub(super) fn leave_kept(&mut self) -> Next {
        if self.keep() || self.unsaved.warned {
            return self.leave();
        }
        self.unsaved.warned = true;
        self.ui.say("play-leave-unsaved", &[]);
        Next::Ask
    }

    /// Saves the game under a name that is free, unless nothing has been played since it was last saved. Returns
    /// whether nothing is lost.
    fn keep(&mut self) -> bool {
        // Both the terminal that is closed and the signal that says so lead here; whoever comes second has nothing to do.
        let unsaved = self.unsaved.clone();
        unsaved.hold(|held| {
            let kept = held.kept || self.keep_now();
            if kept {
                held.head = None;
            }
            kept
        })
    }

    fn keep_now(&mut self) -> bool {
        self.is_kept() || self.save_unasked()
    }

    /// Whether nothing is lost without being saved.
    fn is_kept(&self) -> bool {
        self.game.steps().len() == self.begun || self.kept_in().is_some()
    }

    /// The game has changed. Where the program is to end, it goes on no more, and nothing more is shown.
    pub(super) fn has_changed(&mut self) {
        self.unsaved.changes();
        // What was taken back is noted no more, wherever the game stands now.
        self.unsaved.noted(self.game.steps().len());
        self.note_shown();
        if self.unsaved.is_ending() {
            self.note_down();
            sleep(PATIENCE);
        }
    }

    /// Notes what somebody may see of the game as it stands: of a setup and of a shuffle nobody is told anything.
    pub(super) fn note_shown(&mut self) {
        if !self.game.in_setup() && !self.game.is_shuffling() {
            self.note_down();
        }
    }

    /// Notes the game as it stands, in case the terminal is closed.
    pub(super) fn note_down(&mut self) {
        if !self.unsaved.typed || self.unsaved.is_fresh() {
            return;
        }
        let steps = self.game.steps().len();
        let file =
            self.saved.as_ref().filter(|(_, at, _)| *at == steps).map(|(path, _, digest)| (path.clone(), *digest));
        let begun = steps == self.begun && file.is_none();
        let texts = self.game.texts_from(self.unsaved.noted(steps));
        let secrets = !self.rules().has_perfect_information();
        let head = (!begun).then(|| (self.rules().name.clone(), Record { secrets, ..self.blank.clone() }));
        self.unsaved.set(head, texts, file);
    }

    /// What may be typed now: the moves, the answers and the commands.
    fn words(&self) -> Vec<String> {
        let asked = if self.game.is_over() { Vec::new() } else { self.listed() };
        let text = |mv: &Move| self.speaker().written(&Step::Move(mv.clone())).open();
        let rules = self.rules();
        let claims = rules.claims.iter().map(|claim| format!("claim {}", claim.action.name));
        let offers = rules.offers.iter().map(|offer| format!("offer {}", offer.name));
        let seats = rules.seats.iter().map(|seat| format!("save --for {} ", seat.name));
        let commands = COMMANDS.iter().map(|command| (*command).to_owned());
        // With long names, a hundred thousand moves are more than can be held.
        let mut written = 0;
        let moves = asked.iter().map(text).take_while(|text| {
            written += text.len();
            written <= WRITTEN
        });
        moves.chain(claims).chain(offers).chain(seats).chain(commands).collect()
    }
}

#[cfg(test)]
mod tests {
    use rustyline::Context;
    use rustyline::completion::Completer;
    use rustyline::history::MemHistory;

    use super::Words;

    #[test]
    fn moves_are_completed_also_behind_why() {
        let words = Words(["a1-a2", "a1-b2", "b1-b2", "help"].map(str::to_owned).to_vec());
        let history = MemHistory::new();
        let context = Context::new(&history);
        let complete = |line: &str| words.complete(line, line.len(), &context).expect("words");
        assert_eq!(complete("A1-"), (0, vec!["a1-a2".to_owned(), "a1-b2".to_owned()]));
        assert_eq!(complete("why b"), (4, vec!["b1-b2".to_owned()]));
        assert_eq!(complete("x"), (0, vec![]));
    }
}
