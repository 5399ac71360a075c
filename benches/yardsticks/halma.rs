//! Halma for two on a board of ten by ten, fifteen stones each.

use super::Stream;

const SIZE: usize = 10;
const FIELDS: usize = SIZE * SIZE;
/// The ply after which both have made fifty moves.
const DEADLINE: u32 = 100;
/// No field.
const OFF: u8 = u8::MAX;

/// The board's tables.
pub(crate) struct Tables {
    /// For each field and direction, the neighbour and the field after it.
    around: [[(u8, u8); 8]; FIELDS],
    /// The owner of the house a field belongs to: 0, 1, or none.
    house: [u8; FIELDS],
}

impl Tables {
    pub(crate) fn new() -> Self {
        let ways = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        let field = |column: i32, row: i32| {
            let inside = (0..10).contains(&column) && (0..10).contains(&row);
            if inside { u8::try_from(row * 10 + column).expect("on the board") } else { OFF }
        };
        let (mut around, mut house) = ([[(OFF, OFF); 8]; FIELDS], [OFF; FIELDS]);
        for (number, place) in around.iter_mut().enumerate() {
            let number = i32::try_from(number).expect("small");
            let (column, row) = (number % 10, number / 10);
            for (slot, (x, y)) in place.iter_mut().zip(ways) {
                *slot = (field(column + x, row + y), field(column + 2 * x, row + 2 * y));
            }
            let number = usize::try_from(number).expect("small");
            if column - row >= 5 {
                house[number] = 0;
            } else if row - column >= 5 {
                house[number] = 1;
            }
        }
        Self { around, house }
    }
}

/// Plays a random game; returns its number of plies.
pub(crate) fn playout(tables: &Tables, dice: &mut Stream, moves: &mut Vec<(u8, u8)>) -> u32 {
    let mut board = [2_u8; FIELDS];
    let mut stones = [[0_u8; 15]; 2];
    for side in 0..2_u8 {
        let fields = (0..FIELDS).filter(|&field| tables.house[field] == side);
        for (stone, field) in stones[usize::from(side)].iter_mut().zip(fields) {
            *stone = u8::try_from(field).expect("small");
            board[field] = side;
        }
    }
    for ply in 0..2_000_u32 {
        let me = usize::from(ply % 2 == 1);
        moves.clear();
        for &from in &stones[me] {
            list(tables, &mut board, from, moves);
        }
        if !moves.is_empty() {
            let (from, to) = moves[dice.below(moves.len())];
            let stone = stones[me].iter_mut().find(|stone| **stone == from).expect("a stone");
            *stone = to;
            board[usize::from(from)] = 2;
            board[usize::from(to)] = u8::try_from(me).expect("small");
        }
        let in_house = |side: usize, house: usize| {
            stones[side].iter().filter(|&&field| usize::from(tables.house[usize::from(field)]) == house).count()
        };
        let made = ply + 1;
        let home = |side| in_house(side, side) > 0;
        if in_house(me, 1 - me) == 15 || made == DEADLINE && (home(0) || home(1)) || made > DEADLINE && home(me) {
            return made;
        }
    }
    2_000
}

fn list(tables: &Tables, board: &mut [u8; FIELDS], from: u8, moves: &mut Vec<(u8, u8)>) {
    let empty = |board: &[u8; FIELDS], field: u8| field != OFF && board[usize::from(field)] == 2;
    let mut reached = [false; FIELDS];
    let stone = std::mem::replace(&mut board[usize::from(from)], 2);
    reached[usize::from(from)] = true;
    let (mut open, mut length) = ([0_u8; FIELDS], 1);
    open[0] = from;
    while length > 0 {
        length -= 1;
        let field = open[length];
        for &(over, to) in &tables.around[usize::from(field)] {
            if to != OFF && board[usize::from(over)] != 2 && empty(board, to) && !reached[usize::from(to)] {
                reached[usize::from(to)] = true;
                open[length] = to;
                length += 1;
                moves.push((from, to));
            }
        }
    }
    for &(to, _) in &tables.around[usize::from(from)] {
        if empty(board, to) && !reached[usize::from(to)] {
            moves.push((from, to));
        }
    }
    board[usize::from(from)] = stone;
}
