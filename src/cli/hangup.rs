//! What becomes of a game when its terminal is closed or the program is told to end: it is saved.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::write::{Content, write_result};

/// The game that would be lost, as it would be saved.
#[derive(Clone, Debug, Default)]
pub(super) struct Unsaved(Arc<Mutex<Option<(String, String)>>>);

impl Unsaved {
    /// Notes what would be lost: the name of the game and the text of its record; none if nothing would.
    pub(super) fn set(&self, record: Option<(String, String)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = record;
    }

    /// Saves what would be lost when the terminal hangs up or the process is asked to end, and ends it. Where the system
    /// knows no such signals, nothing happens.
    pub(super) fn watch(&self) {
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGTERM};
            use signal_hook::iterator::Signals;
            use signal_hook::low_level::emulate_default_handler;

            let unsaved = self.clone();
            // Without the handler, the signals do what they always do.
            let Ok(mut signals) = Signals::new([SIGHUP, SIGTERM]) else { return };
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    unsaved.save();
                    // As if nobody had listened, so that whoever sent it sees what it expects.
                    let _ = emulate_default_handler(signal);
                }
            });
        }
    }

    /// There is nobody left to tell whether it worked.
    fn save(&self) {
        let mut record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((game, text)) = record.take()
            && let Some(path) = free(&game)
        {
            let _ = write_result(&path, Content::Record, &text);
        }
    }
}

/// A name for a record of a game that is free in this folder.
pub(super) fn free(game: &str) -> Option<PathBuf> {
    (1..=9999).map(|number| PathBuf::from(format!("{game}-{number}.record"))).find(|path| !path.exists())
}
