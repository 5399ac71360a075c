//! Saving a game, whole or as a seat was told it.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::content::{Content, Found, found};
use super::hangup::{free, holds};
use super::table::Table;
use super::ui::shell_word;
use super::write::{write_first, write_result};
use crate::ir::SeatId;
use crate::model::Viewer;
use crate::play::{Record, Who};
use crate::say::Arg;
use crate::view::seat_title;

impl Table<'_> {
    /// What follows `save`: a file, or `--for`, a seat and a file. A name may stand in quotes.
    pub(super) fn save_as(&mut self, rest: &str) {
        let unquoted = |file: &str| file.trim().trim_matches('"').to_owned();
        let (seat, file) = match rest.strip_prefix("--for").filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
            None => (None, unquoted(rest)),
            Some(rest) => {
                let (seat, file) = rest.trim().split_once(' ').unwrap_or_default();
                (Some(seat), unquoted(file))
            }
        };
        match seat {
            _ if file.is_empty() => self.save_what(),
            None => {
                self.save(Path::new(&file));
            }
            Some(seat) => self.save_for(seat, Path::new(&file)),
        }
    }

    /// How to save, with the seats there are.
    fn save_what(&self) {
        let seats: Vec<&str> = self.rules().seats.iter().map(|seat| seat.name.as_str()).collect();
        self.ui.say("play-save-what", &[("seats", seats.join(", ").as_str().into())]);
    }

    /// Saves the game; whether it is saved.
    pub(super) fn save(&mut self, path: &Path) -> bool {
        let Some(record) = self.game.door(Who::Referee).record(&self.blank) else { return false };
        let text = record.print();
        let wrote = self.wrote(path, Content::Record, None, &text);
        if wrote {
            self.is_saved(path, &record, &text);
        }
        wrote
    }

    /// Saves the game under a name that is free; whether it is saved.
    pub(super) fn save_unasked(&mut self) -> bool {
        let Some(record) = self.game.door(Who::Referee).record(&self.blank) else { return false };
        let text = record.print();
        match write_first(free(&self.rules().name), &text) {
            Ok(path) => {
                self.unsaved.own.insert(path.clone(), (xxh3_64(text.as_bytes()), None));
                self.is_saved(&path, &record, &text);
                self.unsaved.said = true;
                true
            }
            Err(failure) => {
                self.ui.say("play-unsaved", &[("why", (&failure.message).into())]);
                false
            }
        }
    }

    /// Says that the game is saved, and where.
    fn is_saved(&mut self, path: &Path, record: &Record, text: &str) {
        self.saved = Some((path.to_owned(), self.game.steps().len(), xxh3_64(text.as_bytes())));
        self.unsaved.changes();
        self.ui.say("play-saved", &[("file", Arg::Text(&shell_word(path)))]);
        if record.secrets && !self.game.is_over() {
            self.ui.say("play-saved-hidden", &[]);
        }
    }

    /// The file that holds the game as it stands, unless somebody has changed or removed it since.
    pub(super) fn kept_in(&self) -> Option<&Path> {
        let (path, _, digest) = self.saved.as_ref().filter(|(_, at, _)| *at == self.game.steps().len())?;
        holds(path, *digest).then_some(path.as_path())
    }

    /// Saves what the seat at the screen was told; where nothing is hidden, what any seat was.
    fn save_for(&mut self, name: &str, path: &Path) {
        let Some(seat) = SeatId::all(self.players.len())
            .find(|seat| self.rules().seats.get(*seat).is_some_and(|seat| seat.name.eq_ignore_ascii_case(name)))
        else {
            return self.save_what();
        };
        if !self.rules().has_perfect_information() && self.viewer() != Viewer::Seat(seat) {
            return self.ui.say("play-save-other", &[("who", seat_title(self.rules(), usize::from(seat)).into())]);
        }
        if let Some(record) = self.game.door(Who::seat(seat)).seat_record(&self.blank)
            && self.wrote(path, Content::SeatRecord, Some(seat), &record.print())
        {
            self.ui.say("play-saved-for", &[("who", seat_title(self.rules(), usize::from(seat)).into())]);
        }
    }

    /// Writes the whole game, or what a seat was told. A file that holds what this game has not written, or what another seat
    /// was told, is replaced only when that is asked for twice.
    fn wrote(&mut self, path: &Path, content: Content, seat: Option<SeatId>, text: &str) -> bool {
        if found(path, content) == Found::Same {
            let there = std::fs::read(path).map(|bytes| (xxh3_64(&bytes), seat)).ok();
            let known = there.and_then(|there| self.unsaved.own.insert(path.to_owned(), there));
            if there.is_some() && known != there {
                self.ui.say("play-save-there", &[("file", Arg::Text(&shell_word(path)))]);
                return false;
            }
        }
        self.unsaved.own.insert(path.to_owned(), (xxh3_64(text.as_bytes()), seat));
        // Whoever is told meanwhile that the program ends waits until the file is there.
        match self.unsaved.hold(|_| write_result(path, content, text)) {
            Ok(()) => true,
            Err(failure) => {
                self.ui.say("play-unsaved", &[("why", (&failure.message).into())]);
                false
            }
        }
    }
}
