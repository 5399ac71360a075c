//! Noughts and crosses on three by three fields: three in a line win.

use super::{Position, count};

/// The eight lines, as indices of the fields read row by row.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A mark on a field.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Cross,
    Nought,
}

/// The fields row by row, and the mark to be placed next.
struct Game {
    fields: [Option<Mark>; 9],
    to_move: Mark,
}

/// Counts move sequences of 1 to `depth` plies from the empty board.
pub(crate) fn perft(depth: u32) -> Vec<u64> {
    let empty = Game { fields: [None; 9], to_move: Mark::Cross };
    count(&empty, depth)
}

impl Game {
    /// Whether some line has three equal marks.
    fn is_won(&self) -> bool {
        LINES.iter().any(|line| {
            let [first, second, third] = line.map(|field| self.fields[field]);
            first.is_some() && first == second && second == third
        })
    }
}

impl Position for Game {
    fn successors(&self) -> Vec<Self> {
        let mut found = Vec::new();
        if self.is_won() {
            return found;
        }
        for field in 0..9 {
            if self.fields[field].is_none() {
                let mut fields = self.fields;
                fields[field] = Some(self.to_move);
                let to_move = match self.to_move {
                    Mark::Cross => Mark::Nought,
                    Mark::Nought => Mark::Cross,
                };
                found.push(Self { fields, to_move });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    /// The published counts; up to depth 4 nobody can have won, so they are 9, 9·8, 9·8·7, ….
    #[test]
    fn all_games() {
        assert_eq!(super::perft(10), [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]);
    }
}
