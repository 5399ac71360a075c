//! What becomes of a game when its terminal is closed or the program is told to end: it is saved.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::ui::{Ui, before_end, shell_word};
use super::write::write_first;
use crate::files::read_text;
use crate::ir::SeatId;
use crate::play::Record;
use crate::say::Arg;

/// How long whoever is told that the program ends waits for the game to be noted as it stands.
pub(super) const PATIENCE: Duration = Duration::from_millis(400);

thread_local! {
    /// Whether this thread does something to what would be lost.
    static HOLDING: Cell<bool> = const { Cell::new(false) };
}

/// What would be lost.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The name of the game and its record without its steps; none if nothing would be lost.
    pub(super) head: Option<(String, Record)>,
    /// Its steps. Only those are worked out that are new, so that each can be noted before anybody sees it.
    steps: Vec<String>,
    /// The file that held it when it was noted, and a digest of what that held.
    file: Option<(PathBuf, u64)>,
    /// Whether it has been saved by whoever was told that the program ends.
    pub(super) kept: bool,
}

/// The game that would be lost, as it would be saved.
#[derive(Clone, Debug, Default)]
pub(super) struct Unsaved {
    held: Arc<Mutex<Held>>,
    /// Whether it is noted as it stands.
    fresh: Arc<AtomicBool>,
    /// Whether the program is to end.
    ending: Arc<AtomicBool>,
    /// Whether somebody types. It is found out once: a terminal that has been closed is none.
    pub(super) typed: bool,
    /// Whether it has been said that it cannot be saved here.
    pub(super) warned: bool,
    /// Whether it has been saved because somebody leaves, which says how it goes on.
    pub(super) said: bool,
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

    /// How many steps are noted of a game of so many, of which those beyond may have been taken back.
    pub(super) fn noted(&self, steps: usize) -> usize {
        self.hold(|held| {
            held.steps.truncate(steps);
            held.steps.len()
        })
    }

    /// Notes what would be lost: the name of the game, its record without its steps, none if nothing would be lost, and the
    /// steps behind those that are noted. It is kept while a file holds what a digest says.
    pub(super) fn set(&self, head: Option<(String, Record)>, steps: Vec<String>, file: Option<(PathBuf, u64)>) {
        self.hold(|held| {
            held.steps.extend(steps);
            (held.head, held.file) = (head, file);
        });
        self.fresh.store(true, Ordering::SeqCst);
    }

    /// Says that the game, or the file that holds it, has changed since it was noted.
    pub(super) fn changes(&self) {
        self.fresh.store(false, Ordering::SeqCst);
    }

    /// Whether it is noted as it stands.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh.load(Ordering::SeqCst)
    }

    /// Whether the program is to end, so that nothing more is to be played.
    pub(super) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    /// Does something to what would be lost, while nobody else saves it.
    pub(super) fn hold<T>(&self, act: impl FnOnce(&mut Held) -> T) -> T {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let outer = HOLDING.replace(true);
        let done = act(&mut held);
        HOLDING.set(outer);
        done
    }

    /// Waits until the game is noted as it stands, unless that takes long.
    fn wait(&self) {
        self.ending.store(true, Ordering::SeqCst);
        let begun = Instant::now();
        while !self.is_fresh() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Saves what would be lost when the terminal hangs up or the process is asked to end, and ends it. Where the system
    /// knows no such signals, nothing happens.
    pub(super) fn watch(&mut self, ui: Ui) {
        self.typed = true;
        let unsaved = self.clone();
        before_end(move || {
            // Whoever saves it may end because it cannot say so: then it is saved. Another one is waited for.
            if !HOLDING.get() {
                unsaved.hold(|held| save(held, ui));
            }
        });
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
            // Nor without a thread.
            let _ = std::thread::Builder::new().spawn(move || {
                for signal in signals.forever() {
                    unsaved.wait();
                    unsaved.hold(|held| save(held, ui));
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
}

/// Saves it; whoever is still there is told, also if it cannot be saved.
fn save(held: &mut Held, ui: Ui) {
    let Some((game, head)) = held.head.take() else { return };
    if held.file.take().is_some_and(|(path, digest)| holds(&path, digest)) {
        return;
    }
    let record = Record { steps: std::mem::take(&mut held.steps), ..head };
    let saved = write_first(free(&game), &record.print());
    match saved {
        Ok(path) => {
            held.kept = true;
            ui.note(ui.words("play-saved", &[("file", Arg::Text(&shell_word(&path)))]));
            if record.secrets {
                ui.note(ui.words("play-saved-hidden", &[]));
            }
        }
        Err(failure) => ui.note(ui.words("play-lost", &[("why", (&failure.message).into())])),
    }
}

/// Whether a file holds what a digest says.
pub(super) fn holds(path: &Path, digest: u64) -> bool {
    read_text(path).is_ok_and(|text| xxh3_64(text.as_bytes()) == digest)
}

/// The names under which a game is saved unasked.
pub(super) fn free(game: &str) -> impl Iterator<Item = PathBuf> {
    (1..=9999).map(move |number| PathBuf::from(format!("{game}-{number}.record")))
}
