//! What programs get to see of a game: positions, moves, outcomes.

use std::fmt;

use super::rules::Rules;
use crate::ir;
use crate::model::{self, Verdict};
use crate::notation::{print_pieces, print_position};
use crate::view::{self, Look};

/// A move, a picked value, or an outcome of chance, as listed by [`Session::legal_moves`].
///
/// [`Session::legal_moves`]: super::Session::legal_moves
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub(super) inner: ir::Move,
    pub(super) text: String,
}

impl Move {
    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A position, complete or as seen by a seat. Displayed, it is the board and the question.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) rules: Rules,
    pub(super) inner: model::Position,
}

impl Position {
    /// On one line, as [`Rules::session_at`] reads it, if it is a complete position.
    #[must_use]
    pub fn text(&self) -> String {
        print_position(self.rules.engine(), &self.inner)
    }

    /// The number of plies played.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.inner.ply
    }

    /// The sites of the board by name, each with the piece on it as text.
    pub fn sites(&self) -> impl Iterator<Item = (&str, Option<String>)> {
        let game = self.rules.game();
        let piece = |on: &Option<ir::Piece>| on.as_ref().map(|piece| print_pieces(game, std::slice::from_ref(piece)));
        game.topology.sites.iter().zip(&self.inner.sites).map(move |(site, on)| (site.name.as_str(), piece(on)))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(view::position(self.rules.game(), &self.inner, &Look::default()).trim_end())
    }
}

/// How a game ended. Displayed, it says who won and by which clause.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub(super) rules: Rules,
    pub(super) inner: model::Outcome,
}

impl Outcome {
    /// The numbers of the seats that won.
    #[must_use]
    pub fn winners(&self) -> Vec<usize> {
        self.inner.winners().collect()
    }

    /// The verdict for a seat; open if there is no such seat.
    #[must_use]
    pub fn verdict(&self, seat: usize) -> Verdict {
        self.inner.verdicts.get(seat).copied().unwrap_or(Verdict::Open)
    }

    /// The rank of a seat from 1, if it has one; ties share theirs.
    #[must_use]
    pub fn rank(&self, seat: usize) -> Option<u8> {
        self.inner.ranks.get(seat).copied().filter(|rank| *rank > 0)
    }

    /// The score of a seat, if the rules score.
    #[must_use]
    pub fn score(&self, seat: usize) -> Option<i64> {
        self.inner.scores.get(seat).copied()
    }

    /// Whether the rules decided the game; otherwise it stopped undecided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.inner.decided()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&view::outcome(self.rules.game(), &self.inner))
    }
}
