//! What becomes of a game when its terminal is closed or the program is told to end: it is saved.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::content::Content;
use super::ui::{Ui, shell_word};
use super::write::{discard, write_result};
use crate::ir::SeatId;
use crate::say::Arg;

/// How often a game that goes on by itself is noted.
const OFTEN: Duration = Duration::from_millis(500);

/// What would be lost.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The name of the game and the text of its record.
    pub(super) record: Option<(String, String)>,
    /// Whether it has been saved by whoever was told that the program ends.
    pub(super) kept: bool,
}

/// The game that would be lost, as it would be saved.
#[derive(Clone, Debug, Default)]
pub(super) struct Unsaved {
    held: Arc<Mutex<Held>>,
    /// When it was last noted.
    noted: Option<Instant>,
    /// Whether it has been said that it cannot be saved here.
    pub(super) warned: bool,
    /// The files that it may replace, with a digest of what they held when it wrote or read them, or when it said that they
    /// are there, and the seat, if any, for which it did: what somebody else has put there since is not meant.
    pub(super) own: BTreeMap<PathBuf, (u64, Option<SeatId>)>,
}

impl Unsaved {
    /// Nothing would be lost yet; the file that a game was resumed from, with its text, is its own.
    pub(super) fn resumed(from: Option<(&Path, &str)>) -> Self {
        let own = from.map(|(path, text)| (path.to_owned(), (xxh3_64(text.as_bytes()), None)));
        Self { own: own.into_iter().collect(), ..Self::default() }
    }

    /// Notes what would be lost: the name of the game and the text of its record; none if nothing would.
    pub(super) fn set(&mut self, record: Option<(String, String)>) {
        self.hold(|held| held.record = record);
        self.noted = Some(Instant::now());
    }

    /// Does something to what would be lost, while nobody else saves it.
    pub(super) fn hold<T>(&self, act: impl FnOnce(&mut Held) -> T) -> T {
        act(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether it is time to note a game again that goes on by itself.
    pub(super) fn is_due(&self) -> bool {
        self.noted.is_none_or(|noted| noted.elapsed() >= OFTEN)
    }

    /// Saves what would be lost when the terminal hangs up or the process is asked to end, and ends it. Where the system
    /// knows no such signals, nothing happens.
    pub(super) fn watch(&self, ui: Ui) {
        #[cfg(not(unix))]
        let _ = ui;
        #[cfg(unix)]
        {
            use std::io::{IsTerminal, stdout};

            use crossterm::event::DisableBracketedPaste;
            use crossterm::execute;
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            use signal_hook::iterator::Signals;
            use signal_hook::low_level::emulate_default_handler;

            let unsaved = self.clone();
            // Without the handler, the signals do what they always do.
            let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    unsaved.save(ui);
                    if stdout().is_terminal() {
                        // Whoever types next is not to be in the mode of a line that will never be finished.
                        let _ = execute!(stdout(), DisableBracketedPaste);
                    }
                    // As if nobody had listened, so that whoever sent it sees what it expects.
                    let _ = emulate_default_handler(signal);
                }
            });
        }
    }

    /// Saves it; whoever is still there is told, also if it cannot be saved.
    fn save(&self, ui: Ui) {
        self.hold(|held| {
            let Some((game, text)) = held.record.take() else { return };
            let saved = free(&game).map_err(|error| error.to_string()).and_then(|path| {
                let wrote = write_result(&path, Content::Record, &text);
                wrote.inspect_err(|_| discard(&path)).map_err(|failure| failure.message).map(|()| path)
            });
            match saved {
                Ok(path) => {
                    held.kept = true;
                    ui.note(ui.words("play-saved", &[("file", Arg::Text(&shell_word(&path)))]));
                }
                Err(why) => ui.note(ui.words("play-lost", &[("why", (&why).into())])),
            }
        });
    }
}

/// A file for a record of a game that nobody has in this folder, made empty so that nobody else takes it.
///
/// # Errors
/// If none can be made.
pub(super) fn free(game: &str) -> io::Result<PathBuf> {
    let mut taken = io::Error::from(ErrorKind::AlreadyExists);
    for number in 1..=9999 {
        let path = PathBuf::from(format!("{game}-{number}.record"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}
