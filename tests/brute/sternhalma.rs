//! Sternhalma (Chinese checkers) on the six-pointed star, by the clauses of `sternhalma/`.
//!
//! A move is a stone's start and destination, however many chains connect them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Position, count, shifted};

/// The six neighbours of a field (`ablauf/2a/2`).
const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

/// Axial coordinates q and r; the third, s = -q - r, follows from them.
type Field = (i8, i8);

/// A point of the star, and the player who starts there.
#[derive(Clone, Copy, PartialEq)]
enum Point {
    North,
    NorthWest,
    SouthWest,
    South,
    SouthEast,
    NorthEast,
}

/// A star whose points have `order` rows: 5 gives 181 fields, 4 gives 121.
#[derive(Clone, Copy)]
struct Star {
    order: i8,
}

/// A position; `active` are the players not yet ranked, the one to move first.
#[derive(Clone)]
struct Game {
    star: Star,
    stones: BTreeMap<Field, Point>,
    active: VecDeque<Point>,
}

/// Counts move sequences of 1 to `depth` plies from the setup, every point full of stones.
///
/// # Panics
///
/// If `players` is not between 2 and 6.
pub(crate) fn perft(order: i8, players: u8, depth: u32) -> Vec<u64> {
    count(&Game::new(Star { order }, seats(players)), depth)
}

/// Returns the occupied points (annahme/2) counter-clockwise from the north (annahme/11, annahme/12).
fn seats(players: u8) -> &'static [Point] {
    use Point::{North, NorthEast, NorthWest, South, SouthEast, SouthWest};
    match players {
        2 => &[North, South],
        3 => &[North, SouthWest, SouthEast],
        4 => &[North, SouthWest, South, NorthEast],
        5 => &[North, SouthWest, South, SouthEast, NorthEast],
        6 => &[North, NorthWest, SouthWest, South, SouthEast, NorthEast],
        _ => panic!("two to six players, not {players}"),
    }
}

impl Point {
    /// Returns the opposite point, the target of the player who starts here (`vorbereitung/4`).
    fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::NorthWest => Self::SouthEast,
            Self::SouthWest => Self::NorthEast,
            Self::South => Self::North,
            Self::SouthEast => Self::NorthWest,
            Self::NorthEast => Self::SouthWest,
        }
    }
}

impl Star {
    /// Whether `field` lies on the board: in one of the two big triangles that make the star.
    fn contains(self, (q, r): Field) -> bool {
        let coordinates = [q, r, -q - r];
        coordinates.iter().all(|&c| c >= -self.order) || coordinates.iter().all(|&c| c <= self.order)
    }

    /// Whether `field`, which lies on the board, belongs to `point`.
    fn is_in(self, point: Point, (q, r): Field) -> bool {
        let s = -q - r;
        match point {
            Point::North => r < -self.order,
            Point::NorthWest => s > self.order,
            Point::SouthWest => q < -self.order,
            Point::South => r > self.order,
            Point::SouthEast => s < -self.order,
            Point::NorthEast => q > self.order,
        }
    }

    /// Returns all fields.
    fn fields(self) -> impl Iterator<Item = Field> {
        let reach = -2 * self.order..=2 * self.order;
        reach.clone().flat_map(move |q| reach.clone().map(move |r| (q, r))).filter(move |&field| self.contains(field))
    }
}

impl Game {
    /// Sets up: every player's point is full (`vorbereitung/3b`), the first of `seats` begins.
    fn new(star: Star, seats: &[Point]) -> Self {
        let mut stones = BTreeMap::new();
        for field in star.fields() {
            for &seat in seats {
                if star.is_in(seat, field) {
                    stones.insert(field, seat);
                }
            }
        }
        Self { star, stones, active: seats.iter().copied().collect() }
    }

    /// Whether a stone of `owner` may go from one field to another without leaving its target (`wichtig/1`).
    fn respects_target(&self, owner: Point, from: Field, to: Field) -> bool {
        let target = owner.opposite();
        !self.star.is_in(target, from) || self.star.is_in(target, to)
    }

    /// Where the stone of `owner` on `start` can come to rest (`ablauf/2/2`-`2b/6`).
    ///
    /// The rule about the target applies to every landing of a chain, not only the last (annahme/5). The start counts
    /// as empty, but no chain ends there (annahme/6).
    fn destinations(&self, owner: Point, start: Field) -> BTreeSet<Field> {
        let occupied = |field: Field| field != start && self.stones.contains_key(&field);
        let may_land = |from, to| self.star.contains(to) && !occupied(to) && self.respects_target(owner, from, to);
        let mut landings = BTreeSet::new();
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            for direction in DIRECTIONS {
                let landing = shifted(from, direction, 2);
                if occupied(shifted(from, direction, 1)) && may_land(from, landing) && landings.insert(landing) {
                    open.push(landing);
                }
            }
        }
        let steps = DIRECTIONS.map(|direction| shifted(start, direction, 1));
        landings.extend(steps.into_iter().filter(|&step| may_land(start, step)));
        landings.remove(&start);
        landings
    }

    /// Plays a move of `mover`, or a pass, and passes the turn on, skipping players who have finished (`ende/2`).
    fn after(&self, mover: Point, journey: Option<(Field, Field)>) -> Self {
        let mut next = self.clone();
        if let Some((start, target)) = journey {
            next.stones.remove(&start);
            next.stones.insert(target, mover);
        }
        next.active.pop_front();
        if !next.has_arrived(mover) {
            next.active.push_back(mover);
        }
        next
    }

    /// Whether all stones of `player` are in the opposite point (`ende/1`).
    fn has_arrived(&self, player: Point) -> bool {
        self.stones
            .iter()
            .filter(|&(_, &owner)| owner == player)
            .all(|(&field, _)| self.star.is_in(player.opposite(), field))
    }
}

impl Position for Game {
    fn successors(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let Some(&mover) = self.active.front() else {
            return found;
        };
        if self.active.len() == 1 {
            return found; // the last player has the last place (annahme/9)
        }
        for (&start, &owner) in &self.stones {
            if owner == mover {
                for target in self.destinations(owner, start) {
                    found.push(self.after(mover, Some((start, target))));
                }
            }
        }
        if found.is_empty() {
            found.push(self.after(mover, None)); // annahme/7
        }
        found
    }
}

#[cfg(test)]
mod tests {
    /// Ten steps and eight hops; two sides far apart have them both. Order 4: eight and six.
    #[test]
    fn openings() {
        assert_eq!(super::perft(5, 2, 2), [18, 18 * 18]);
        assert_eq!(super::perft(4, 2, 2), [14, 14 * 14]);
        for players in 3..=6 {
            assert_eq!(super::perft(5, players, 1), [18]);
        }
    }

    /// `wichtig/1`: north's stone on the edge of its target may move inside it, but not out again.
    #[test]
    fn stones_do_not_leave_their_target() {
        use super::Point::{North, South};
        let mut game = super::Game::new(super::Star { order: 5 }, &[North, South]);
        game.stones = [((-2, 6), North), ((-2, 5), South)].into();
        let inside = [(-3, 6), (-1, 6), (-3, 7), (-2, 7)].into();
        assert_eq!(game.destinations(North, (-2, 6)), inside);
    }

    /// The last stone's arrival ends a game of two; the other arrival would be a second place.
    #[test]
    fn one_player_left_ends_the_game() {
        use super::Point::{North, South};
        let mut game = super::Game::new(super::Star { order: 5 }, &[North, South]);
        game.stones = [((-2, 5), North), ((0, 0), South)].into();
        assert_eq!(super::count(&game, 2), [6, 4 * 6]);
    }
}
