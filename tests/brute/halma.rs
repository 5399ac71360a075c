//! Halma for two on a square board, by the clauses of `halma/`.
//!
//! A move is a stone's start and destination, however many chains connect them. Claims of a draw (`remis/…`) are not
//! moves and are not counted.

use std::collections::{BTreeMap, BTreeSet};

use super::{Position, count, shifted};

/// The ply after which both players have made fifty moves (`50zug/1`, annahme/5).
const BOTH_MOVED_FIFTY: u32 = 100;

/// `ziehen/3`: horizontal, vertical, diagonal.
const DIRECTIONS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Column and row from 1, a1 being (1, 1).
type Field = (i8, i8);

/// A player.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    White,
    Black,
}

/// A square board with a triangular house in two opposite corners.
#[derive(Clone, Copy)]
struct Board {
    size: i8,
    house_rows: i8,
}

/// A position; `plies` counts the moves of both players.
#[derive(Clone)]
struct Game {
    board: Board,
    stones: BTreeMap<Field, Side>,
    to_move: Side,
    plies: u32,
    over: bool,
}

/// Counts move sequences of 1 to `depth` plies from the setup.
///
/// The board has `size` by `size` fields and houses of `house_rows` rows: 10 and 5 are the real
/// game with 15 stones.
pub(crate) fn perft(size: i8, house_rows: i8, depth: u32) -> Vec<u64> {
    count(&Game::new(size, house_rows), depth)
}

impl Side {
    /// Returns the opponent.
    fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Board {
    /// Whether `field` lies on the board.
    fn contains(self, (column, row): Field) -> bool {
        (1..=self.size).contains(&column) && (1..=self.size).contains(&row)
    }

    /// Whether `field` belongs to the house of `side` (`beginn/2`, annahme/1).
    fn is_house(self, side: Side, (column, row): Field) -> bool {
        let towards_white = match side {
            Side::White => column - row,
            Side::Black => row - column,
        };
        towards_white >= self.size - self.house_rows
    }
}

impl Game {
    /// Sets up: each house is full (`beginn/1`), and White begins (annahme/2).
    fn new(size: i8, house_rows: i8) -> Self {
        let board = Board { size, house_rows };
        let mut stones = BTreeMap::new();
        for column in 1..=size {
            for row in 1..=size {
                for side in [Side::White, Side::Black] {
                    if board.is_house(side, (column, row)) {
                        stones.insert((column, row), side);
                    }
                }
            }
        }
        Self { board, stones, to_move: Side::White, plies: 0, over: false }
    }

    /// Whether a stone may be on `field` when the stone of `start` has been lifted (annahme/4).
    fn is_free(&self, field: Field, start: Field) -> bool {
        self.board.contains(field) && (field == start || !self.stones.contains_key(&field))
    }

    /// Whether there is a stone to jump on `field`; the lifted stone does not count (annahme/4).
    fn is_hurdle(&self, field: Field, start: Field) -> bool {
        field != start && self.stones.contains_key(&field)
    }

    /// Where the stone on `start` can come to rest: one step, or any chain of jumps (`ziehen/1`-`12`).
    fn destinations(&self, start: Field) -> BTreeSet<Field> {
        let mut landings = BTreeSet::new();
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            for direction in DIRECTIONS {
                let landing = shifted(from, direction, 2);
                if self.is_hurdle(shifted(from, direction, 1), start)
                    && self.is_free(landing, start)
                    && landings.insert(landing)
                {
                    open.push(landing);
                }
            }
        }
        for direction in DIRECTIONS {
            let target = shifted(start, direction, 1);
            if self.is_free(target, start) {
                landings.insert(target);
            }
        }
        landings.remove(&start);
        landings
    }

    /// Plays a move, or a pass where there is none, and evaluates the result.
    fn after(&self, journey: Option<(Field, Field)>) -> Self {
        let mut next = self.clone();
        if let Some((start, target)) = journey {
            next.stones.remove(&start);
            next.stones.insert(target, self.to_move);
        }
        next.plies += 1;
        next.to_move = self.to_move.other();
        next.over = next.has_arrived(self.to_move) || next.overstays(self.to_move);
        next
    }

    /// Whether all stones of `side` are in the opponent's house (`ende/1`).
    fn has_arrived(&self, side: Side) -> bool {
        self.fields(side).all(|field| self.board.is_house(side.other(), field))
    }

    /// Whether the fifty-move rule ends the game after a move of `mover` (`50zug/1`-`4`).
    ///
    /// Both sides are judged once both have moved fifty times; from then on, a stone at home must have returned.
    fn overstays(&self, mover: Side) -> bool {
        let at_home = |side| self.fields(side).any(|field| self.board.is_house(side, field));
        if self.plies == BOTH_MOVED_FIFTY {
            at_home(Side::White) || at_home(Side::Black)
        } else {
            self.plies > BOTH_MOVED_FIFTY && at_home(mover)
        }
    }

    /// Returns the fields with stones of `side`.
    fn fields(&self, side: Side) -> impl Iterator<Item = Field> {
        self.stones.iter().filter(move |&(_, &owner)| owner == side).map(|(&field, _)| field)
    }
}

impl Position for Game {
    fn successors(&self) -> Vec<Self> {
        if self.over {
            return Vec::new();
        }
        let mut found = Vec::new();
        for start in self.fields(self.to_move) {
            for target in self.destinations(start) {
                found.push(self.after(Some((start, target))));
            }
        }
        if found.is_empty() {
            found.push(self.after(None)); // annahme/12
        }
        found
    }
}

#[cfg(test)]
mod tests {
    /// 19 steps and 13 jumps; one white move reaches no black stone, so both sides have them.
    #[test]
    fn openings() {
        assert_eq!(super::perft(10, 5, 2), [32, 32 * 32]);
    }

    /// Two stones on four fields: Black's second field wins at ply 2, or White's at ply 3.
    #[test]
    fn a_finished_game_has_no_continuation() {
        assert_eq!(super::perft(2, 1, 4), [2, 4, 4, 4]);
    }

    /// `ziehen/8`: c3 over d4, e6 and f8; all eight steps but d4 remain.
    #[test]
    fn chains() {
        let mut game = super::Game::new(10, 5);
        game.stones = [(3, 3), (4, 4), (5, 6), (6, 8)].map(|field| (field, super::Side::White)).into();
        let steps = [(2, 2), (2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3)];
        let jumps = [(5, 5), (5, 7), (7, 9)];
        let by_hand = steps.into_iter().chain(jumps).collect();
        assert_eq!(game.destinations((3, 3)), by_hand);
    }

    /// `50zug/4`: both are still at home when both have moved fifty times.
    #[test]
    fn the_fifty_move_rule() {
        let mut game = super::Game::new(10, 5);
        game.plies = 98;
        assert_eq!(super::count(&game, 3), [32, 32 * 32, 0]);
    }
    /// `50zug/3`: of White's five steps from e1 only the one to f1, back home, ends the game.
    #[test]
    fn coming_home_late() {
        let mut game = super::Game::new(10, 5);
        game.stones = [((5, 1), super::Side::White), ((5, 6), super::Side::Black)].into();
        game.plies = 100;
        assert_eq!(super::count(&game, 2), [5, 4 * 8]);
    }
}
