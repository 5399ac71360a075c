//! Colour, and a line of characters to draw on.

use crate::base::Bits;
use crate::ir::SeatId;
use crate::say::Lang;

/// How to draw.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Whether to use ANSI colours.
    pub colour: bool,
    /// The sites of the last move.
    pub marked: Bits,
    /// The language of what is said around the board.
    pub lang: Lang,
}

/// What a piece of text is, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// Nothing special.
    Plain,
    /// Labels and empty sites.
    Faint,
    /// Something that belongs to a seat.
    Seat(SeatId),
    /// An empty site of a seat's region.
    Ground(SeatId),
}

/// The colours of seats in order, as ANSI codes.
const SEATS: [u8; 6] = [36, 33, 35, 32, 34, 31];

/// A text in the colour of its ink.
pub(super) fn paint(look: &Look, ink: Ink, text: &str) -> String {
    let seat = |seat: SeatId| SEATS[usize::from(seat) % SEATS.len()];
    if !look.colour || text.is_empty() {
        return text.to_owned();
    }
    match ink {
        Ink::Plain => text.to_owned(),
        Ink::Faint => format!("\u{1b}[2m{text}\u{1b}[0m"),
        Ink::Seat(n) => format!("\u{1b}[1;{}m{text}\u{1b}[0m", seat(n)),
        Ink::Ground(n) => format!("\u{1b}[2;{}m{text}\u{1b}[0m", seat(n)),
    }
}

/// One line, drawn column by column.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    cells: Vec<(char, Ink)>,
}

impl Canvas {
    /// Writes a text starting at a column.
    pub(super) fn put(&mut self, column: usize, text: &str, ink: Ink) {
        for (offset, c) in text.chars().enumerate() {
            let at = column + offset;
            if at >= self.cells.len() {
                self.cells.resize(at + 1, (' ', Ink::Plain));
            }
            self.cells[at] = (c, ink);
        }
    }

    /// Writes brackets around columns; two adjacent ones become a bar.
    pub(super) fn bracket(&mut self, from: usize, to: usize) {
        for (at, c) in [(from.saturating_sub(1), '['), (to, ']')] {
            let there = self.cells.get(at).map_or(' ', |cell| cell.0);
            let c = if there == ' ' { c } else { '|' };
            self.put(at, &c.to_string(), Ink::Plain);
        }
    }

    /// The line, without trailing blanks.
    pub(super) fn line(&self, look: &Look) -> String {
        let end = self.cells.len() - self.cells.iter().rev().take_while(|(c, _)| *c == ' ').count();
        let mut text = String::new();
        let mut run: Option<(Ink, String)> = None;
        for &(c, ink) in self.cells.iter().take(end) {
            match &mut run {
                Some((same, letters)) if *same == ink => letters.push(c),
                _ => {
                    if let Some((ink, letters)) = run.take() {
                        text.push_str(&paint(look, ink, &letters));
                    }
                    run = Some((ink, c.to_string()));
                }
            }
        }
        if let Some((ink, letters)) = run {
            text.push_str(&paint(look, ink, &letters));
        }
        text
    }
}
