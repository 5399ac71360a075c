//! Draughts on a board of six by six, six men a side.
//!
//! Men step and jump forward, kings one square along all four diagonals. Captures are compulsory and must be
//! completed; which one is free. A side that cannot move loses.

use std::collections::{BTreeMap, BTreeSet};

use super::{Position, count, shifted};

/// Columns and rows of the board.
const SIZE: i8 = 6;

/// Rows of men on either side at the start.
const MEN_ROWS: i8 = 2;

/// Column and row from 1, a1 being (1, 1) and dark.
type Field = (i8, i8);

/// A player.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    White,
    Black,
}

/// A man or a king.
#[derive(Clone, Copy, PartialEq)]
struct Piece {
    side: Side,
    king: bool,
}

/// A position.
#[derive(Clone)]
struct Game {
    pieces: BTreeMap<Field, Piece>,
    to_move: Side,
}

/// What identifies a move: its ends and what it takes, not its route.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    start: Field,
    end: Field,
    taken: BTreeSet<Field>,
}

/// Counts move sequences of 1 to `depth` plies from the setup; a whole capture is one ply.
pub(crate) fn perft(depth: u32) -> Vec<u64> {
    count(&Game::new(), depth)
}

impl Side {
    /// Returns the opponent.
    fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Returns the direction in which men move, as a change of row.
    fn forward(self) -> i8 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }

    /// Returns the row where men become kings.
    fn last_row(self) -> i8 {
        match self {
            Self::White => SIZE,
            Self::Black => 1,
        }
    }
}

impl Piece {
    /// Returns the diagonals the piece may use.
    fn directions(self) -> Vec<(i8, i8)> {
        let ahead = self.side.forward();
        let mut found = vec![(-1, ahead), (1, ahead)];
        if self.king {
            found.extend([(-1, -ahead), (1, -ahead)]);
        }
        found
    }
}

impl Game {
    /// Sets up: men on the dark fields of the first two and last two rows, White to move.
    fn new() -> Self {
        let mut pieces = BTreeMap::new();
        for row in 1..=SIZE {
            let side = if row <= MEN_ROWS {
                Side::White
            } else if row > SIZE - MEN_ROWS {
                Side::Black
            } else {
                continue;
            };
            for column in (1..=SIZE).filter(|column| (column + row) % 2 == 0) {
                pieces.insert((column, row), Piece { side, king: false });
            }
        }
        Self { pieces, to_move: Side::White }
    }

    /// Whether a piece may stand on `field`, the piece of `start` having been lifted.
    fn is_free(&self, field: Field, start: Field) -> bool {
        let (column, row) = field;
        (1..=SIZE).contains(&column)
            && (1..=SIZE).contains(&row)
            && (field == start || !self.pieces.contains_key(&field))
    }

    /// Whether an enemy of `piece` stands on `field`.
    fn is_enemy(&self, piece: Piece, field: Field) -> bool {
        self.pieces.get(&field).is_some_and(|other| other.side != piece.side)
    }

    /// Extends the capture `so_far` of `piece` in every way and adds the completed ones.
    ///
    /// Jumped pieces stay until the move is over: they block, and none is jumped twice.
    fn captures(&self, piece: Piece, so_far: &Move, found: &mut BTreeSet<Move>) {
        let mut ends_here = true;
        for direction in piece.directions() {
            let jumped = shifted(so_far.end, direction, 1);
            let landing = shifted(so_far.end, direction, 2);
            if self.is_enemy(piece, jumped) && !so_far.taken.contains(&jumped) && self.is_free(landing, so_far.start) {
                ends_here = false;
                let mut further = so_far.clone();
                further.end = landing;
                further.taken.insert(jumped);
                self.captures(piece, &further, found);
            }
        }
        if ends_here && !so_far.taken.is_empty() {
            found.insert(so_far.clone());
        }
    }

    /// Returns the legal moves: captures if there are any, else steps.
    fn moves(&self) -> BTreeSet<Move> {
        let mut captures = BTreeSet::new();
        let mut steps = BTreeSet::new();
        for (&start, &piece) in &self.pieces {
            if piece.side != self.to_move {
                continue;
            }
            let lifted = Move { start, end: start, taken: BTreeSet::new() };
            self.captures(piece, &lifted, &mut captures);
            for direction in piece.directions() {
                let end = shifted(start, direction, 1);
                if self.is_free(end, start) {
                    steps.insert(Move { end, ..lifted.clone() });
                }
            }
        }
        if captures.is_empty() { steps } else { captures }
    }

    /// Plays a move: removes what it jumped and crowns a man that ends on the last row.
    fn after(&self, played: &Move) -> Self {
        let mut next = self.clone();
        next.pieces.retain(|field, _| !played.taken.contains(field));
        if let Some(mut piece) = next.pieces.remove(&played.start) {
            piece.king |= played.end.1 == piece.side.last_row();
            next.pieces.insert(played.end, piece);
        }
        next.to_move = self.to_move.other();
        next
    }
}

impl Position for Game {
    fn successors(&self) -> Vec<Self> {
        self.moves().iter().map(|played| self.after(played)).collect()
    }
}

#[cfg(test)]
mod tests {
    /// Three men in front with two steps each, less one at the edge; no capture is possible yet.
    #[test]
    fn openings() {
        assert_eq!(super::perft(2), [5, 25]);
    }

    /// A king circles four men in either direction: one move, back where it began.
    #[test]
    fn routes_do_not_distinguish_moves() {
        use super::Side::{Black, White};
        let man = |side| super::Piece { side, king: false };
        let mut game = super::Game::new();
        game.pieces = [(2, 2), (4, 2), (2, 4), (4, 4)].map(|field| (field, man(Black))).into();
        let king = super::Piece { king: true, ..man(White) };
        game.pieces.insert((3, 1), king);
        assert_eq!(super::count(&game, 2), [1, 0]);
    }

    /// Man a1 takes b2 and must continue over d4, or e3 takes d4; no step is legal meanwhile.
    #[test]
    fn captures_are_compulsory_and_completed() {
        use super::Side::{Black, White};
        let man = |side| super::Piece { side, king: false };
        let mut game = super::Game::new();
        game.pieces = [((1, 1), White), ((5, 3), White), ((2, 2), Black), ((4, 4), Black)]
            .map(|(field, side)| (field, man(side)))
            .into();
        let ends: Vec<_> = game.moves().into_iter().map(|played| played.end).collect();
        assert_eq!(ends, [(5, 5), (3, 5)]);
    }
}
