//! Breakthrough on a board of eight by eight.

use super::Yardstick;

const SIZE: usize = 8;

/// The board, and who is to move.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// Row by row; 2 for nothing, else the side.
    cells: [u8; SIZE * SIZE],
    left: [u8; 2],
    mover: u8,
    over: bool,
}

impl Default for Board {
    fn default() -> Self {
        let mut cells = [2; SIZE * SIZE];
        cells[..2 * SIZE].fill(0);
        cells[SIZE * (SIZE - 2)..].fill(1);
        Self { cells, left: [16, 16], mover: 0, over: false }
    }
}

impl Yardstick for Board {
    type Move = (u8, u8);

    fn list(&self, moves: &mut Vec<(u8, u8)>) {
        if self.over {
            return;
        }
        for from in (0..64_u8).filter(|&from| self.cells[usize::from(from)] == self.mover) {
            let ahead = if self.mover == 0 { from + 8 } else { from - 8 };
            let column = from % 8;
            if self.cells[usize::from(ahead)] == 2 {
                moves.push((from, ahead));
            }
            if column > 0 && self.cells[usize::from(ahead - 1)] != self.mover {
                moves.push((from, ahead - 1));
            }
            if column < 7 && self.cells[usize::from(ahead + 1)] != self.mover {
                moves.push((from, ahead + 1));
            }
        }
    }

    fn play(&mut self, (from, to): (u8, u8)) {
        let other = 1 - self.mover;
        if std::mem::replace(&mut self.cells[usize::from(to)], self.mover) == other {
            self.left[usize::from(other)] -= 1;
        }
        self.cells[usize::from(from)] = 2;
        let last = if self.mover == 0 { to >= 56 } else { to < 8 };
        self.over = last || self.left[usize::from(other)] == 0;
        self.mover = other;
    }
}
