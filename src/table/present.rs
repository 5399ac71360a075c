//! Who looks at a table: the lines of its seats and of spectators.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};
use std::time::Instant;

use super::play::{Play, Table};
use super::seats::Player;
use crate::ir::SeatId;
use crate::model::Viewer;

/// Those who look.
#[derive(Debug, Default)]
pub(super) struct Present {
    pub(super) lines: HashMap<u64, (Viewer, Option<u64>)>,
    last: u64,
    /// Since when nobody has looked from a seat.
    pub(super) gone: HashMap<usize, Instant>,
    /// When somebody came last to a seat that nobody looked from.
    came: Option<Instant>,
}

impl Table {
    pub(super) fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A line begins to look; returns its number here.
    pub(super) fn enter(&self, viewer: Viewer) -> u64 {
        let number = {
            let mut present = self.present();
            let there = present.lines.values().any(|(other, _)| *other == viewer);
            if matches!(viewer, Viewer::Seat(_)) && !there {
                present.came = Some(Instant::now());
            }
            present.last += 1;
            let number = present.last;
            present.lines.insert(number, (viewer, None));
            number
        };
        self.stirred();
        number
    }

    /// A line has ended.
    pub(super) fn leave(&self, number: u64) {
        {
            let mut present = self.present();
            if let Some((Viewer::Seat(seat), _)) = present.lines.remove(&number) {
                present.gone.insert(seat.into(), Instant::now());
            }
        }
        self.stirred();
    }

    /// How long a line's messages take to come back, in milliseconds.
    pub(super) fn delay(&self, number: u64, delay: u64) {
        let changed = match self.present().lines.get_mut(&number) {
            // Small changes are not worth a message to everybody.
            Some((_, known)) if known.is_none_or(|known| known.abs_diff(delay) > 20 + known / 4) => {
                *known = Some(delay);
                true
            }
            Some(_) | None => false,
        };
        if changed {
            self.stirred();
        }
    }

    /// How many look.
    pub(super) fn lines(&self) -> usize {
        self.present().lines.len()
    }

    pub(super) fn lines_of(&self, seat: usize) -> usize {
        self.present().lines.values().filter(|(viewer, _)| *viewer == Viewer::Seat(SeatId::new(seat))).count()
    }

    pub(super) fn stirred(&self) {
        self.stir.send_modify(|stir| stir.people += 1);
    }

    /// Whether everybody who plays is there. In a race, bots wait for that.
    pub(super) fn complete(&self, players: &[Player]) -> bool {
        let there = |(seat, player): (usize, &Player)| match player {
            Player::Free => false,
            Player::Bot(_) => true,
            Player::Person(_) => self.lines_of(seat) > 0,
        };
        players.iter().enumerate().all(there)
    }

    /// When the current question was shown to all who play; none while one of them is away.
    pub(super) fn begun(&self, play: &Play) -> Option<Instant> {
        let came = self.present().came.unwrap_or(play.since);
        self.complete(&play.players).then(|| play.since.max(came))
    }
}
