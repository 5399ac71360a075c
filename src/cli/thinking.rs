//! Bots that think at a terminal: people are told, and can cut it short.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use super::seats::timer;
use super::ui::{Key, Keys, Ui};

/// A search that is shorter is not worth a word.
const SHORT: Duration = Duration::from_millis(200);

/// How often the keyboard is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How a search ended.
pub(super) enum Thought<T> {
    /// With what it found, perhaps because it was hurried.
    Found(T),
    /// By Control-C: somebody wants to leave.
    Interrupted,
}

/// Lets somebody search for a move, for a time if one is given. At a terminal it says so, and Enter or Escape end the
/// search: what was found by then is played.
///
/// `search` is given a function that says whether to stop, and one to be told the best move so far, which `said` writes; what
/// must not be told has no words.
pub(super) fn searched<T>(
    ui: Ui,
    who: &str,
    time: Option<Duration>,
    said: &dyn Fn(usize) -> Option<String>,
    search: impl FnOnce(&dyn Fn() -> bool, &dyn Fn(usize)) -> T,
) -> Thought<T> {
    let over = time.map(timer);
    let up = || over.as_ref().is_some_and(|over| over());
    if !ui.is_interactive() {
        return Thought::Found(search(&up, &|_| {}));
    }
    // What takes no longer than a look is not read from: Control-C ends the program as anywhere else.
    let (keys, begin) = (RefCell::new(None), Instant::now());
    let (looked, told, cut) = (Cell::new(begin), Cell::new(false), Cell::new(None));
    let (best, shown) = (Cell::new(None), Cell::new(None));
    let ends = |key: &Key| matches!(key, Key::Leave | Key::Interrupt);
    let look = |keys: &mut Keys| keys.pressed(Duration::ZERO);
    let stop = || {
        if cut.get().is_some() || up() {
            return true;
        }
        if looked.get().elapsed() < LOOK {
            return false;
        }
        looked.set(Instant::now());
        if begin.elapsed() >= SHORT && !(told.get() && best.get() == shown.get()) {
            told.set(true);
            shown.set(best.get());
            Ui::rewrite(&match best.get().and_then(said) {
                Some(mv) => ui.words("play-considers", &[("who", who.into()), ("move", (&mv).into())]),
                None => ui.words("play-thinks", &[("who", who.into())]),
            });
        }
        cut.set(keys.borrow_mut().get_or_insert_with(Keys::begin).as_mut().and_then(look).filter(ends));
        cut.get().is_some()
    };
    let found = search(&stop, &|found| best.set(Some(found)));
    // It may have been pressed since.
    if cut.get().is_none() {
        cut.set(keys.borrow_mut().as_mut().and_then(Option::as_mut).and_then(look).filter(ends));
    }
    if told.get() {
        Ui::rewrite("");
    }
    if cut.get() == Some(Key::Interrupt) { Thought::Interrupted } else { Thought::Found(found) }
}
