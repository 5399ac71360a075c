//! Chess: pieces in a mailbox, moves made on a copy to see whether the king is left in check.

use std::sync::LazyLock;

use super::Yardstick;

const PAWN: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const ROOK: u8 = 4;
const QUEEN: u8 = 5;
const KING: u8 = 6;
/// Added to the pieces of the second side.
const BLACK: u8 = 8;
/// No square.
const NOWHERE: u8 = 64;

/// Squares that pieces reach on an empty board.
struct Tables {
    knight: Vec<Vec<u8>>,
    king: Vec<Vec<u8>>,
    /// For each square four straight rays, then four diagonal ones.
    rays: Vec<[Vec<u8>; 8]>,
    /// Which rights to castle a move from or to each square ends.
    ends: [u8; 64],
    /// Random numbers for each piece on each square.
    keys: Vec<[u64; 16]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let at = |file: i32, rank: i32| {
        let inside = (0..8).contains(&file) && (0..8).contains(&rank);
        inside.then(|| u8::try_from(rank * 8 + file).expect("on the board"))
    };
    let ways = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
    let leaps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let squares = || (0..64).map(|square| (square % 8, square / 8));
    let around = |steps: [(i32, i32); 8]| {
        squares().map(|(f, r)| steps.iter().filter_map(|(x, y)| at(f + x, r + y)).collect()).collect()
    };
    let rays = squares().map(|(f, r)| ways.map(|(x, y)| (1..8).map_while(|n| at(f + n * x, r + n * y)).collect()));
    let mut ends = [0; 64];
    for (square, rights) in [(0, 2), (4, 3), (7, 1), (56, 8), (60, 12), (63, 4)] {
        ends[square] = rights;
    }
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed ^ seed >> 29
    };
    let keys = (0..64).map(|_| std::array::from_fn(|_| random())).collect();
    Tables { knight: around(leaps), king: around(ways), rays: rays.collect(), ends, keys }
});

/// A move: from, to, and what a pawn becomes.
type Move = (u8, u8, u8);

/// What is on the board, and what the rules remember.
#[derive(Clone, Copy, Debug)]
struct Position {
    cells: [u8; 64],
    /// Rights to castle: white's on the king's side and on the queen's, then black's.
    castling: u8,
    /// The square that a pawn has just passed.
    passed: u8,
    mover: u8,
    kings: [u8; 2],
}

impl Position {
    fn is_own(&self, piece: u8) -> bool {
        piece != 0 && piece & BLACK == self.mover
    }

    /// Whether a square is attacked by a side.
    fn attacked(&self, square: u8, by: u8) -> bool {
        let (tables, at) = (&*TABLES, usize::from(square));
        let stands = |squares: &[u8], kind: u8| squares.iter().any(|&s| self.cells[usize::from(s)] == kind | by);
        if stands(&tables.knight[at], KNIGHT) || stands(&tables.king[at], KING) {
            return true;
        }
        let behind = if by == 0 { square.checked_sub(8) } else { Some(square + 8).filter(|&s| s < 64) };
        if let Some(behind) = behind {
            let beside = [(behind % 8 > 0).then(|| behind - 1), (behind % 8 < 7).then(|| behind + 1)];
            if beside.into_iter().flatten().any(|s| self.cells[usize::from(s)] == PAWN | by) {
                return true;
            }
        }
        tables.rays[at].iter().enumerate().any(|(way, ray)| {
            let slider = if way < 4 { ROOK } else { BISHOP };
            let first = ray.iter().map(|&s| self.cells[usize::from(s)]).find(|&piece| piece != 0);
            first.is_some_and(|piece| piece == slider | by || piece == QUEEN | by)
        })
    }

    fn in_check(&self, side: u8) -> bool {
        self.attacked(self.kings[usize::from(side / BLACK)], BLACK - side)
    }

    /// Makes a move; whether it is a capture or a pawn's.
    fn make(&mut self, (from, to, becomes): Move) -> bool {
        let (at, goal) = (usize::from(from), usize::from(to));
        let piece = std::mem::take(&mut self.cells[at]);
        let taken = std::mem::replace(&mut self.cells[goal], if becomes == 0 { piece } else { becomes | self.mover });
        let pawn = piece & 7 == PAWN;
        if pawn && to == self.passed {
            self.cells[if self.mover == 0 { goal - 8 } else { goal + 8 }] = 0;
        }
        self.passed = if pawn && from.abs_diff(to) == 16 { from.midpoint(to) } else { NOWHERE };
        if piece & 7 == KING {
            self.kings[usize::from(self.mover / BLACK)] = to;
            if from.abs_diff(to) == 2 {
                let (corner, beside) = if to > from { (goal + 1, goal - 1) } else { (goal - 2, goal + 1) };
                self.cells[beside] = std::mem::take(&mut self.cells[corner]);
            }
        }
        self.castling &= !(TABLES.ends[at] | TABLES.ends[goal]);
        self.mover = BLACK - self.mover;
        pawn || taken != 0
    }

    /// Lists the moves that leave no king in check.
    fn list(&self, moves: &mut Vec<Move>) {
        let first = moves.len();
        for from in (0..64_u8).filter(|&from| self.is_own(self.cells[usize::from(from)])) {
            let at = usize::from(from);
            match self.cells[at] & 7 {
                PAWN => self.pawn(from, moves),
                KNIGHT => self.leaper(from, &TABLES.knight[at], moves),
                BISHOP => self.slider(from, &TABLES.rays[at][4..], moves),
                ROOK => self.slider(from, &TABLES.rays[at][..4], moves),
                QUEEN => self.slider(from, &TABLES.rays[at], moves),
                _ => {
                    self.leaper(from, &TABLES.king[at], moves);
                    self.castle(from, moves);
                }
            }
        }
        let mut kept = first;
        for number in first..moves.len() {
            let mut next = *self;
            next.make(moves[number]);
            if !next.in_check(self.mover) {
                moves[kept] = moves[number];
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    fn leaper(&self, from: u8, squares: &[u8], moves: &mut Vec<Move>) {
        let free = squares.iter().filter(|&&to| !self.is_own(self.cells[usize::from(to)]));
        moves.extend(free.map(|&to| (from, to, 0)));
    }

    fn slider(&self, from: u8, rays: &[Vec<u8>], moves: &mut Vec<Move>) {
        for ray in rays {
            for &to in ray {
                let there = self.cells[usize::from(to)];
                if !self.is_own(there) {
                    moves.push((from, to, 0));
                }
                if there != 0 {
                    break;
                }
            }
        }
    }

    fn pawn(&self, from: u8, moves: &mut Vec<Move>) {
        let mut add = |to: u8| {
            if (8..56).contains(&to) {
                moves.push((from, to, 0));
            } else {
                moves.extend([QUEEN, ROOK, BISHOP, KNIGHT].map(|becomes| (from, to, becomes)));
            }
        };
        let on = |square: u8| if self.mover == 0 { square + 8 } else { square - 8 };
        let ahead = on(from);
        if self.cells[usize::from(ahead)] == 0 {
            add(ahead);
            let home = if self.mover == 0 { from < 16 } else { from >= 48 };
            if home && self.cells[usize::from(on(ahead))] == 0 {
                add(on(ahead));
            }
        }
        let beside = [(!from.is_multiple_of(8)).then(|| ahead - 1), (from % 8 < 7).then(|| ahead + 1)];
        for to in beside.into_iter().flatten() {
            let there = self.cells[usize::from(to)];
            if there != 0 && !self.is_own(there) || to == self.passed {
                add(to);
            }
        }
    }

    fn castle(&self, from: u8, moves: &mut Vec<Move>) {
        let rights = if self.mover == 0 { self.castling & 3 } else { self.castling >> 2 };
        if rights == 0 || self.in_check(self.mover) {
            return;
        }
        let empty = |square: u8| self.cells[usize::from(square)] == 0;
        let safe = |square: u8| !self.attacked(square, BLACK - self.mover);
        if rights & 1 != 0 && empty(from + 1) && empty(from + 2) && safe(from + 1) {
            moves.push((from, from + 2, 0));
        }
        if rights & 2 != 0 && empty(from - 1) && empty(from - 2) && empty(from - 3) && safe(from - 1) {
            moves.push((from, from - 2, 0));
        }
    }

    /// Whether nobody can give mate any more.
    fn is_dead(&self) -> bool {
        let (mut knights, mut dark, mut light) = (0, 0, 0);
        for (square, piece) in self.cells.iter().enumerate() {
            match piece & 7 {
                0 | KING => {}
                KNIGHT => knights += 1,
                BISHOP if (square % 8 + square / 8) % 2 == 0 => dark += 1,
                BISHOP => light += 1,
                _ => return false,
            }
        }
        if knights == 0 { dark == 0 || light == 0 } else { knights == 1 && dark + light == 0 }
    }

    /// A key for repetition. A passed square counts only if a pawn can capture there.
    fn key(&self) -> u64 {
        let pieces = self.cells.iter().zip(&TABLES.keys).fold(0, |key, (&piece, keys)| match piece {
            0 => key,
            piece => key ^ keys[usize::from(piece)],
        });
        let mut passed = NOWHERE;
        if self.passed != NOWHERE {
            let mut moves = Vec::new();
            self.list(&mut moves);
            let takes = |mv: &Move| mv.1 == self.passed && self.cells[usize::from(mv.0)] & 7 == PAWN;
            passed = if moves.iter().any(takes) { self.passed } else { NOWHERE };
        }
        let rest = u64::from(self.castling) << 16 | u64::from(passed) << 8 | u64::from(self.mover);
        pieces ^ (rest + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A game: its position, the plies since a capture or pawn move, and the positions since then.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    position: Position,
    quiet: usize,
    keys: Vec<u64>,
    over: bool,
}

impl Default for Board {
    fn default() -> Self {
        let mut cells = [0; 64];
        for (file, kind) in [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK].into_iter().enumerate() {
            (cells[file], cells[8 + file], cells[48 + file], cells[56 + file]) =
                (kind, PAWN, PAWN | BLACK, kind | BLACK);
        }
        let position = Position { cells, castling: 15, passed: NOWHERE, mover: 0, kings: [4, 60] };
        Self { position, quiet: 0, keys: vec![position.key()], over: false }
    }
}

impl Yardstick for Board {
    type Move = Move;

    fn list(&self, moves: &mut Vec<Move>) {
        if !self.over {
            self.position.list(moves);
        }
    }

    fn play(&mut self, mv: Move) {
        if self.position.make(mv) {
            self.quiet = 0;
            self.keys.clear();
        } else {
            self.quiet += 1;
        }
        let key = self.position.key();
        self.keys.push(key);
        let stood = self.keys.iter().filter(|&&before| before == key).count();
        self.over = self.quiet >= 150 || stood >= 5 || self.position.is_dead();
    }
}
