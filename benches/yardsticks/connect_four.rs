//! Connect four on seven columns of six.

use super::Yardstick;

const COLUMNS: usize = 7;
const ROWS: usize = 6;

/// The board, the discs in each column, and who is to move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    /// Columns one after the other; 0 for nothing, else the side.
    cells: [[u8; ROWS]; COLUMNS],
    heights: [usize; COLUMNS],
    /// 0 or 1.
    mover: u8,
    won: bool,
}

impl Board {
    /// Whether the disc on top of a column is in a row of four.
    fn in_row(&self, column: usize) -> bool {
        let row = self.heights[column] - 1;
        let side = self.cells[column][row];
        let run = |x: isize, y: isize| {
            let mut length = 0;
            let (mut column, mut row) = (column, row);
            loop {
                let next = column.checked_add_signed(x).zip(row.checked_add_signed(y));
                match next {
                    Some((c, r)) if c < COLUMNS && r < ROWS && self.cells[c][r] == side => (column, row) = (c, r),
                    _ => return length,
                }
                length += 1;
            }
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(x, y)| run(x, y) + run(-x, -y) >= 3)
    }
}

impl Yardstick for Board {
    type Move = usize;

    fn list(&self, moves: &mut Vec<usize>) {
        if !self.won {
            moves.extend((0..COLUMNS).filter(|&column| self.heights[column] < ROWS));
        }
    }

    fn play(&mut self, column: usize) {
        self.cells[column][self.heights[column]] = self.mover + 1;
        self.heights[column] += 1;
        self.won = self.in_row(column);
        self.mover = 1 - self.mover;
    }
}
