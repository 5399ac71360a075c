//! Halali: tiles on seven by seven fields and four exits.

use regelwerk::play::Stream;

use super::Yardstick;

const WIDTH: usize = 9;
/// No field.
const OFF: Tile = Tile { kind: Kind::Off, covered: false, gun: 0 };
const NOTHING: Tile = Tile { kind: Kind::Nothing, covered: false, gun: 0 };
/// East, north, west, south.
const WAYS: [isize; 4] = [1, 9, -1, -9];

/// What may lie on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Off,
    Exit,
    Nothing,
    Bear,
    Fox,
    Woodcutter,
    Hunter,
    Pheasant,
    Duck,
    Tree,
}

impl Kind {
    /// Whose it is, if anybody's.
    fn side(self) -> Option<usize> {
        match self {
            Self::Bear | Self::Fox => Some(0),
            Self::Woodcutter | Self::Hunter => Some(1),
            Self::Off | Self::Exit | Self::Nothing | Self::Pheasant | Self::Duck | Self::Tree => None,
        }
    }

    fn is_bird(self) -> bool {
        matches!(self, Self::Pheasant | Self::Duck)
    }

    fn reach(self) -> usize {
        match self {
            Self::Bear | Self::Woodcutter => 1,
            Self::Fox | Self::Hunter | Self::Pheasant | Self::Duck => WIDTH,
            Self::Off | Self::Exit | Self::Nothing | Self::Tree => 0,
        }
    }

    fn takes(self, prey: Self) -> bool {
        match self {
            Self::Bear => matches!(prey, Self::Woodcutter | Self::Hunter),
            Self::Fox => prey.is_bird(),
            Self::Woodcutter => prey == Self::Tree,
            Self::Hunter => matches!(prey, Self::Bear | Self::Fox | Self::Pheasant | Self::Duck),
            Self::Off | Self::Exit | Self::Nothing | Self::Pheasant | Self::Duck | Self::Tree => false,
        }
    }
}

/// A tile on a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) kind: Kind,
    pub(crate) covered: bool,
    /// Which of the ways a hunter's gun points.
    pub(crate) gun: usize,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Move {
    Flip(usize),
    Go(usize, usize),
    Take(usize, usize),
    Leave(usize),
}

/// The wood, and what the rules remember.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    cells: [Tile; WIDTH * WIDTH],
    covered: usize,
    mover: usize,
    /// What each side moved last: whence and where to.
    last: [Option<(usize, usize)>; 2],
    touched: Option<usize>,
    left: u32,
    over: bool,
}

impl Board {
    /// A wood dealt at random.
    pub(crate) fn dealt(dice: &mut Stream) -> Self {
        let counts = [
            (Kind::Bear, 2),
            (Kind::Fox, 6),
            (Kind::Woodcutter, 2),
            (Kind::Hunter, 8),
            (Kind::Pheasant, 8),
            (Kind::Duck, 7),
            (Kind::Tree, 15),
        ];
        let mut tiles: Vec<Tile> = Vec::new();
        for (kind, count) in counts {
            for _ in 0..count {
                let gun = if kind == Kind::Hunter { dice.below(4) } else { 0 };
                tiles.push(Tile { kind, covered: true, gun });
            }
        }
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, dice.below(last + 1));
        }
        let mut board = Self::bare();
        let fields = (0..WIDTH * WIDTH).filter(|&field| (1..8).contains(&(field % 9)) && (1..8).contains(&(field / 9)));
        for (field, tile) in fields.filter(|&field| field != 40).zip(tiles) {
            board.put(field, tile);
        }
        board
    }

    /// An empty wood.
    pub(crate) fn bare() -> Self {
        let mut cells = [OFF; WIDTH * WIDTH];
        for row in 1..8 {
            cells[9 * row + 1..9 * row + 8].fill(NOTHING);
        }
        for exit in [4, 36, 44, 76] {
            cells[exit].kind = Kind::Exit;
        }
        Self { cells, covered: 0, mover: 0, last: [None; 2], touched: None, left: 10, over: false }
    }

    /// Lays a tile on a field, numbered row by row from the bottom left of nine by nine.
    pub(crate) fn put(&mut self, field: usize, tile: Tile) {
        self.cells[field] = tile;
        self.covered += usize::from(tile.covered);
    }

    fn next(field: usize, way: usize) -> Option<usize> {
        let column = field % 9;
        let edge = way == 0 && column == 8 || way == 2 && column == 0;
        field.checked_add_signed(WAYS[way]).filter(|&next| next < WIDTH * WIDTH && !edge)
    }

    /// The first field of a way, within reach, on which something lies, or which is no vacant one; calls `over` for
    /// the vacant ones before it.
    fn ahead(&self, from: usize, way: usize, mut over: impl FnMut(usize)) -> Option<usize> {
        let mut field = from;
        for _ in 0..self.cells[from].kind.reach() {
            field = Self::next(field, way)?;
            if self.cells[field] != NOTHING {
                return Some(field);
            }
            over(field);
        }
        None
    }

    fn back(&self, from: usize, to: usize) -> bool {
        self.last[self.mover] == Some((to, from))
    }

    fn list_of(&self, from: usize, found: &mut impl FnMut(Move)) {
        let tile = self.cells[from];
        let own = tile.kind.side() == Some(self.mover);
        if tile.covered || !own && !tile.kind.is_bird() {
            return;
        }
        for way in 0..4 {
            let stop = self.ahead(from, way, |to| {
                if self.touched != Some(from) && !(own && self.back(from, to)) {
                    found(Move::Go(from, to));
                }
            });
            let Some(to) = stop.filter(|_| own) else { continue };
            let there = self.cells[to];
            if there.kind == Kind::Exit {
                if self.covered == 0 {
                    found(Move::Leave(from));
                }
            } else if !there.covered
                && tile.kind.takes(there.kind)
                && (tile.kind != Kind::Hunter || tile.gun == way)
                && !self.back(from, to)
            {
                found(Move::Take(from, to));
            }
        }
    }

    fn list_now(&self, found: &mut impl FnMut(Move)) {
        for (field, tile) in self.cells.iter().enumerate() {
            if tile.covered {
                found(Move::Flip(field));
            } else if tile.kind.reach() > 0 {
                self.list_of(field, found);
            }
        }
    }

    /// Whether no tile could move, whoever's turn it is and whatever was moved before.
    fn enclosed(&self) -> bool {
        let mut any = false;
        for mover in 0..2 {
            let free = Self { mover, last: [None; 2], touched: None, ..self.clone() };
            free.list_now(&mut |_| any = true);
        }
        !any
    }

    fn end_turn(&mut self, last_phase: bool) {
        self.left -= u32::from(last_phase);
        if self.covered == 0 {
            let gone = |side| !self.cells.iter().any(|tile| tile.kind.side() == Some(side));
            self.over = self.left == 0 || gone(0) || gone(1) || self.enclosed();
        }
        self.mover = 1 - self.mover;
    }

    /// A side that can do nothing passes, which is no move.
    fn pass_over(&mut self) {
        // While tiles are covered, one can be turned over.
        while self.covered == 0 && !self.over {
            let mut any = false;
            self.list_now(&mut |_| any = true);
            if any {
                return;
            }
            self.last[self.mover] = None;
            self.touched = None;
            self.end_turn(true);
        }
    }
}

impl Yardstick for Board {
    type Move = Move;

    fn list(&self, moves: &mut Vec<Move>) {
        if !self.over {
            self.list_now(&mut |mv| moves.push(mv));
        }
    }

    fn play(&mut self, mv: Move) {
        let last_phase = self.covered == 0;
        self.touched = None;
        self.last[self.mover] = None;
        match mv {
            Move::Flip(field) => {
                self.cells[field].covered = false;
                self.covered -= 1;
                self.touched = Some(field).filter(|&field| self.cells[field].kind.is_bird());
            }
            Move::Go(from, to) | Move::Take(from, to) => {
                self.last[self.mover] = Some((from, to));
                self.cells[to] = std::mem::replace(&mut self.cells[from], NOTHING);
                self.touched = Some(to).filter(|&to| self.cells[to].kind.is_bird());
            }
            Move::Leave(from) => self.cells[from] = NOTHING,
        }
        self.end_turn(last_phase);
        self.pass_over();
    }
}
