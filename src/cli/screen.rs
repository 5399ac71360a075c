//! What the people at a shared terminal see: the board as the seat at the screen sees it, what happened, and the
//! hand-over between seats.

use super::table::{Player, Table};
use crate::base::{Bits, get_or_default};
use crate::ir::SeatId;
use crate::model::{Observation, Viewer};
use crate::notation::print_position;
use crate::view::{Look, deed, move_sites, position as draw, seat_title};

/// The commands that may be given before the board is shown.
const ASKING: [&str; 6] = ["help", "h", "legend", "moves", "rules", "save"];

impl Table<'_> {
    /// The seats played by people.
    pub(super) fn humans(&self) -> Vec<SeatId> {
        let humans = self.players.iter().enumerate().filter(|(_, player)| **player == Player::Human);
        humans.map(|(seat, _)| SeatId::new(seat)).collect()
    }

    /// Who looks at the screen.
    pub(super) fn viewer(&self) -> Viewer {
        match (self.humans().as_slice(), self.at) {
            ([], _) => Viewer::Spectator,
            ([only], _) => Viewer::Seat(*only),
            (_, Some(seat)) => Viewer::Seat(seat),
            (_, None) => Viewer::Spectator,
        }
    }

    /// The position as the viewer of the screen sees it.
    pub(super) fn shown(&self) -> Observation {
        self.door().position()
    }

    pub(super) fn draw(&self) {
        let last = self.door().last_move();
        let marked = last.map_or_else(Bits::new, |mv| move_sites(self.rules(), &mv));
        self.ui.line("");
        self.ui.print(&draw(self.rules(), &self.shown(), &Look { colour: true, marked, lang: self.ui.lang }));
    }

    /// Announces what happened since a step to the viewer of the screen.
    pub(super) fn tell(&self, from: usize) {
        for event in self.door().events(from, self.game.steps().len()).iter() {
            let title = |seat| seat_title(self.rules(), usize::from(seat)).to_owned();
            let who = event.seat.map_or_else(|| self.ui.words("play-chance", &[]), title);
            if let Some(before) = self.door().position_before(event.step) {
                self.ui.line(format!("{who}: {}", deed(self.ui.lang, self.rules(), &before, &event.deed)));
            }
        }
    }

    /// Whether people sit at the screen who see different things.
    pub(super) fn is_shared(&self) -> bool {
        self.humans().len() > 1 && self.rules().has_secrets()
    }

    /// Whether people sit at the screen who hold something that the others do not see.
    pub(super) fn is_private(&self) -> bool {
        self.humans().len() > 1 && self.rules().has_private_sights()
    }

    /// Whether a seat's own view may be shown: nobody else sits at the screen who must not see it.
    pub(super) fn speaks_for(&self, seat: SeatId) -> bool {
        !self.is_private() || self.viewer() == Viewer::Seat(seat)
    }

    /// Takes the screen from the seat that has it, before all look at it.
    pub(super) fn put_away(&mut self) {
        if !self.is_shared() || self.at.take().is_none() {
            return;
        }
        self.forget();
        let steps = self.game.steps().len();
        if self.ui.is_interactive() {
            self.ui.clear();
            self.tell(steps.saturating_sub(1));
        }
        self.draw();
        self.seen = steps;
    }

    /// Hands the screen over to a seat. Where seats see different things, the screen is cleared first, and what
    /// happened since is announced. A line typed instead of Enter is returned.
    pub(super) fn hand_over(&mut self, seat: SeatId) -> Result<Option<String>, ()> {
        let before = self.at.replace(seat);
        if !self.is_shared() {
            return Ok(None);
        }
        if before == Some(seat) {
            if self.seen != self.game.steps().len() {
                self.draw();
                self.seen = self.game.steps().len();
            }
            return Ok(None);
        }
        self.ui.clear();
        let title = seat_title(self.rules(), usize::from(seat)).to_owned();
        let prompt = self.ui.words("play-hand-over", &[("who", (&title).into())]);
        // What somebody typed may be secret from the next.
        self.forget();
        // Nothing is completed: the moves are those of the next, whoever still sits there.
        let Some(line) = self.typed_among(&format!("{prompt} "), Vec::new()) else {
            self.at = before;
            return Err(());
        };
        if matches!(line.as_str(), "quit" | "exit" | "q") {
            self.at = before;
            return Ok(Some(line));
        }
        self.tell(get_or_default(&self.looked, usize::from(seat)));
        self.draw();
        self.seen = self.game.steps().len();
        // Keys that were pressed too late stand there, too: the next seat plays what it has typed itself.
        let asks =
            !self.ui.is_interactive() || line.split_whitespace().next().is_some_and(|word| ASKING.contains(&word));
        Ok(Some(line).filter(|line| asks && !line.is_empty()))
    }

    /// Records that the seat at the screen has seen everything so far.
    pub(super) fn looked_up(&mut self) {
        let steps = self.game.steps().len();
        if let Some(place) = self.at.and_then(|seat| self.looked.get_mut(usize::from(seat))) {
            *place = steps;
        }
    }

    /// The position as a line of text, as far as the viewer may see it.
    pub(super) fn position_line(&self) -> String {
        print_position(self.opened.engine(), &self.shown())
    }
}
