//! What programs get to see of a game: positions, moves, outcomes.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::rules::Rules;
use crate::ir::{self, Ty, Value};
use crate::model::{self, Verdict};
use crate::notation::{field_value, move_parts, print_pieces, print_position, print_value};
use crate::say::Lang;
use crate::view::{self, Look};

/// A move, a picked value, or an outcome of chance, as listed by [`Session::legal_moves`].
///
/// [`Session::legal_moves`]: super::Session::legal_moves
#[derive(Clone, Debug)]
pub struct Move {
    pub(super) rules: Rules,
    /// The local name a value is picked for.
    pub(super) asked: Option<ir::Slot>,
    pub(super) inner: ir::Move,
    pub(super) text: String,
}

/// A value in a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Datum {
    /// A number.
    Number(i64),
    /// A truth value.
    Truth(bool),
    /// A seat, site, direction, kind or member of an enum.
    Name(String),
    /// A piece.
    Piece {
        /// Its kind.
        kind: String,
        /// The seat it belongs to, if it has an owner.
        owner: Option<String>,
        /// The fields of its kind, each with its value.
        fields: Vec<(String, Datum)>,
    },
    /// A way or a move, as moves are written.
    Text(String),
    /// A set.
    Set(Vec<Datum>),
}

impl Datum {
    pub(super) fn new(game: &ir::Game, ty: &Ty, value: &Value) -> Self {
        match value {
            Value::Int(number) => Self::Number(*number),
            Value::Bool(truth) => Self::Truth(*truth),
            Value::Atom(_) => Self::Name(print_value(game, ty, value)),
            Value::Piece(piece) => Self::piece(game, piece),
            Value::Unset | Value::Way(_) | Value::Move(_) => Self::Text(print_value(game, ty, value)),
            Value::Set(_) | Value::Ints(_) | Value::Pieces(_) | Value::Ways(_) | Value::Moves(_) => {
                let members = value.clone().members();
                Self::Set(members.iter().map(|member| Self::new(game, ty.element(), member)).collect())
            }
        }
    }

    fn piece(game: &ir::Game, piece: &ir::Piece) -> Self {
        let kind = game.kinds.get(piece.kind);
        let fields = kind.into_iter().flat_map(|kind| kind.fields.iter().zip(&piece.fields));
        Self::Piece {
            kind: kind.map_or_else(String::new, |kind| kind.name.clone()),
            owner: piece.owner.and_then(|seat| game.seats.get(seat)).map(|seat| seat.name.clone()),
            fields: fields
                .map(|(field, value)| (field.name.clone(), Self::new(game, &field.ty, &field_value(&field.ty, *value))))
                .collect(),
        }
    }
}

impl PartialEq for Move {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner && self.text == other.text
    }
}

impl Eq for Move {}

impl Hash for Move {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

impl Move {
    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The name of its action; `pick`, `pass`, `decline` or `wait` where it has none.
    #[must_use]
    pub fn action(&self) -> String {
        move_parts(self.rules.game(), self.asked, &self.inner).0
    }

    /// Its parameters by name, in the order of the rules.
    #[must_use]
    pub fn parameters(&self) -> Vec<(String, Datum)> {
        let game = self.rules.game();
        let (_, names) = move_parts(game, self.asked, &self.inner);
        names
            .into_iter()
            .zip(&self.inner.args)
            .map(|((name, ty), value)| (name, Datum::new(game, &ty, value)))
            .collect()
    }

    #[doc(hidden)]
    #[must_use]
    pub fn inner(&self) -> &ir::Move {
        &self.inner
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A position, complete or as seen by a seat. Displayed, it is the board and the question or, once the game is over,
/// the outcome.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) rules: Rules,
    pub(super) inner: model::Observation,
}

impl Position {
    /// On one line, as [`Rules::session_at`] reads it, if it is a complete position.
    #[must_use]
    pub fn text(&self) -> String {
        print_position(self.rules.engine(), &self.inner)
    }

    /// The number of plies played: completed actions and passes. Decisions within an action, outcomes of chance, claims
    /// and offers are no plies.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.inner.ply
    }

    /// Its boards as a picture without scripts or fonts; empty if the game has no board.
    #[must_use]
    pub fn svg(&self) -> String {
        view::picture(self.rules.game(), &self.inner, self.rules.title())
    }

    /// The rules it belongs to.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    #[doc(hidden)]
    #[must_use]
    pub fn model(&self) -> &model::Position {
        &self.inner
    }

    /// The sites of the board by name, each with the piece on it as text.
    pub fn sites(&self) -> impl Iterator<Item = (&str, Option<String>)> {
        let game = self.rules.game();
        let piece = |on: &Option<ir::Piece>| on.as_ref().map(|piece| print_pieces(game, std::slice::from_ref(piece)));
        game.topology.sites.iter().zip(&self.inner.sites).map(move |(site, on)| (site.name.as_str(), piece(on)))
    }
}

/// Positions of one game are equal if everything is, including the history that the rules depend on.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.rules.game().digest == other.rules.game().digest && self.inner == other.inner
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
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

    /// The score of a seat, if the rules score and rank it.
    #[must_use]
    pub fn score(&self, seat: usize) -> Option<i64> {
        self.inner.score(seat)
    }

    #[doc(hidden)]
    #[must_use]
    pub fn model(&self) -> &model::Outcome {
        &self.inner
    }

    /// Whether the rules decided the game; otherwise it stopped undecided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.inner.decided()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&view::outcome(Lang::En, self.rules.game(), &self.inner))
    }
}
