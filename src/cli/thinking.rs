//! Bots that think at a terminal: people are told, and can cut it short.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use super::seats::timer;
use super::ui::{Keys, Ui};

/// A search that is shorter is not worth a word.
const SHORT: Duration = Duration::from_millis(200);

/// How often the keyboard is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Lets somebody search for a move, for a time if one is given. At a terminal it says so, and Enter, Escape or Control-C end
/// the search: what was found by then is played, and the game is not lost.
pub(super) fn searched<T>(ui: Ui, who: &str, time: Option<Duration>, search: impl FnOnce(&dyn Fn() -> bool) -> T) -> T {
    let over = time.map(timer);
    let up = || over.as_ref().is_some_and(|over| over());
    let keys = if ui.is_interactive() { Keys::begin() } else { None };
    let Some(keys) = keys else { return search(&up) };
    let (keys, begin) = (RefCell::new(keys), Instant::now());
    let (looked, told, cut) = (Cell::new(begin), Cell::new(false), Cell::new(false));
    let stop = || {
        if cut.get() || up() {
            return true;
        }
        if looked.get().elapsed() < LOOK {
            return false;
        }
        looked.set(Instant::now());
        if !told.get() && begin.elapsed() >= SHORT {
            told.set(true);
            Ui::rewrite(&ui.words("play-thinks", &[("who", who.into())]));
        }
        cut.set(keys.borrow_mut().pressed(Duration::ZERO) == Some(super::ui::Key::Leave));
        cut.get()
    };
    let found = search(&stop);
    if told.get() {
        Ui::rewrite("");
    }
    found
}
