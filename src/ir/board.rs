//! Boards: sites, directions, neighbours.

use std::collections::{BTreeSet, VecDeque};
use std::sync::OnceLock;

use super::SeatId;
use super::row::AT_ONCE;
use crate::base::Bits;
use smallvec::SmallVec;

/// A site of a board.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its name, such as `e4`.
    pub name: String,
    /// The board it belongs to.
    pub board: u16,
    /// Its coordinates: column and row from 1 on square boards; axial q and r on
    /// hex boards; the number within its group from 1 on rings and tracks.
    pub at: (i32, i32),
    /// The seat it belongs to, on a board with a part per seat.
    pub seat: Option<SeatId>,
    /// Its number among the sites of its group (per seat) or of its board, from 1.
    pub number: i32,
}

/// A direction of step.
#[derive(Clone, Debug)]
pub struct Direction {
    /// Its name, such as `ne`.
    pub name: String,
    /// For each site its neighbours in this direction: none, one, or, on free graphs, several.
    pub step: Vec<SmallVec<[u16; 1]>>,
}

/// The shape of a board, for drawing and coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardForm {
    /// Columns by rows.
    Square,
    /// Hexagonal cells in axial coordinates.
    Hex,
    /// A ring or a track.
    Line {
        /// Whether it closes.
        closed: bool,
    },
    /// A free graph.
    Graph,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its name.
    pub name: String,
    /// Its form.
    pub form: BoardForm,
    /// Its first site.
    pub first: u16,
    /// The number of its sites.
    pub count: u16,
}

/// All boards of a game as one space of sites.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// The boards.
    pub boards: Vec<Board>,
    /// The sites, board after board.
    pub sites: Vec<Site>,
    /// The directions, shared by all boards.
    pub directions: Vec<Direction>,
    /// For each direction, those that lead back, worked out when they are first asked for.
    pub(crate) reverses: OnceLock<Vec<Bits>>,
}

/// The directions of boards that are no graphs, each with its reverse.
const REVERSE: [(&str, &str); 5] = [("n", "s"), ("ne", "sw"), ("e", "w"), ("se", "nw"), ("ahead", "back")];

/// In how many directions a line is looked for in one step.
const DIRECTIONS_A_STEP: u64 = 2;

impl Topology {
    /// The site with this name.
    #[must_use]
    pub fn site(&self, name: &str) -> Option<usize> {
        self.sites.iter().position(|site| site.name == name)
    }

    /// The direction with this name.
    #[must_use]
    pub fn direction(&self, name: &str) -> Option<usize> {
        self.directions.iter().position(|direction| direction.name == name)
    }

    /// The rectangle between two sites of one square board; empty for any other two sites.
    pub fn rectangle(&self, one: usize, two: usize) -> impl Iterator<Item = usize> {
        let square =
            |board: u16| self.boards.get(usize::from(board)).is_some_and(|board| board.form == BoardForm::Square);
        let corners = self.sites.get(one).zip(self.sites.get(two));
        let corners = corners.filter(|(one, two)| one.board == two.board && square(one.board));
        let between = |n: i32, a: i32, b: i32| a.min(b) <= n && n <= a.max(b);
        let inside = move |site: &Site| {
            corners.is_some_and(|(one, two)| {
                site.board == one.board
                    && between(site.at.0, one.at.0, two.at.0)
                    && between(site.at.1, one.at.1, two.at.1)
            })
        };
        self.sites.iter().enumerate().filter(move |(_, site)| inside(site)).map(|(number, _)| number)
    }

    /// The steps straight on after a step: never back to where it came from.
    fn onward(&self, direction: usize, before: usize, site: usize) -> impl Iterator<Item = usize> + '_ {
        self.step(direction, site).iter().map(|&next| usize::from(next)).filter(move |&next| next != before)
    }

    /// All sites straight on from a site, whichever way the direction forks, and how many steps were looked at. A line that
    /// closes ends before its start.
    #[must_use]
    pub fn ray(&self, direction: usize, start: usize) -> (Bits, u64) {
        self.plain_ray(direction, start).unwrap_or_else(|| self.forked_ray(direction, start))
    }

    /// The same where the line nowhere forks and comes round to its start, if at all.
    fn plain_ray(&self, direction: usize, start: usize) -> Option<(Bits, u64)> {
        let (mut all, mut looked) = (Bits::new(), 0);
        let (mut before, mut site) = (start, start);
        for _ in 0..=self.sites.len() {
            let mut onward = self.onward(direction, before, site);
            let Some(next) = onward.next() else { return Some((all, looked)) };
            if onward.next().is_some() {
                return None;
            }
            (before, site) = (site, next);
            looked += 1;
            if site == start {
                return Some((all, looked));
            }
            all.insert(site);
        }
        None
    }

    /// The same in any case.
    fn forked_ray(&self, direction: usize, start: usize) -> (Bits, u64) {
        let (mut all, mut gone, mut looked) = (Bits::new(), BTreeSet::new(), 0);
        let mut ahead: Vec<(usize, usize)> = self.onward(direction, start, start).map(|next| (start, next)).collect();
        while let Some((before, site)) = ahead.pop() {
            looked += 1;
            if site != start && gone.insert((before, site)) {
                all.insert(site);
                ahead.extend(self.onward(direction, before, site).map(|next| (site, next)));
            }
        }
        (all, looked)
    }

    /// The sites on the shortest line between two, of several in the first direction; none between neighbours, and
    /// between a site and itself. And how many
    /// steps were looked at.
    #[must_use]
    pub fn between(&self, start: usize, end: usize) -> (Bits, u64) {
        if start == end {
            return (Bits::new(), 0);
        }
        let mut looked = self.directions.len() as u64 / DIRECTIONS_A_STEP;
        let lines = (0..self.directions.len()).filter_map(|direction| {
            let (line, steps) =
                self.plain_line(direction, start, end).unwrap_or_else(|| self.forked_line(direction, start, end));
            looked += steps;
            line
        });
        // On a ring one way round may be longer than the other.
        let shortest = lines.min_by_key(Bits::count);
        (shortest.unwrap_or_default(), looked)
    }

    /// The sites between two along a direction, if there is such a line, and how many steps were looked at; none if the line
    /// forks, or comes round without coming back to where it began.
    fn plain_line(&self, direction: usize, start: usize, end: usize) -> Option<(Option<Bits>, u64)> {
        let (mut between, mut looked) = (Bits::new(), 0);
        let (mut before, mut site) = (start, start);
        for _ in 0..=self.sites.len() {
            let mut onward = self.onward(direction, before, site);
            let Some(next) = onward.next() else { return Some((None, looked)) };
            if onward.next().is_some() {
                return None;
            }
            (before, site) = (site, next);
            if site == end {
                return Some((Some(between), looked));
            }
            looked += 1;
            if site == start {
                return Some((None, looked));
            }
            between.insert(site);
        }
        None
    }

    /// The same where lines fork: all of them are followed together.
    fn forked_line(&self, direction: usize, start: usize, end: usize) -> (Option<Bits>, u64) {
        let mut looked = 0;
        let mut gone: Vec<(usize, usize, usize)> = Vec::new();
        let mut known = BTreeSet::new();
        let begin = |site| self.onward(direction, start, site);
        let mut ahead: VecDeque<_> = begin(start).map(|next| (start, next, usize::MAX)).collect();
        while let Some((before, site, from)) = ahead.pop_front() {
            if site == end {
                // Those that were found and not gone on from count as well: there may be thousands beside the start.
                looked += ahead.len() as u64 / AT_ONCE;
                // Back along the line, step by step.
                let back = std::iter::successors(gone.get(from), |(_, _, from)| gone.get(*from));
                return (Some(back.map(|(_, site, _)| *site).collect()), looked);
            }
            looked += 1;
            if site != start && known.insert((before, site)) {
                ahead.extend(self.onward(direction, before, site).map(|next| (site, next, gone.len())));
                gone.push((before, site, from));
            }
        }
        (None, looked)
    }

    /// The directions that reverse every step of a direction, as [`Self::leads_back`] says; of a board that is complete.
    pub fn reverses(&self, there: usize) -> impl Iterator<Item = usize> {
        let all = 0..self.directions.len();
        let back = |there: usize| all.clone().filter(|&back| self.leads_back(there, back)).collect();
        let known = self.reverses.get_or_init(|| all.clone().map(back).collect());
        known.get(there).into_iter().flat_map(Bits::iter)
    }

    /// Whether every step in a direction is reversed by the other direction. Where there is no step at all, those are each
    /// other's reverse that are so on any board of that form.
    #[must_use]
    pub fn leads_back(&self, there: usize, back: usize) -> bool {
        let mut some = false;
        for site in 0..self.sites.len() {
            for &next in self.step(there, site) {
                some = true;
                if !self.step(back, usize::from(next)).iter().any(|&s| usize::from(s) == site) {
                    return false;
                }
            }
        }
        some || self.is_reverse_by_form(there, back)
    }

    fn is_reverse_by_form(&self, there: usize, back: usize) -> bool {
        let name = |direction: usize| self.directions.get(direction).map(|direction| direction.name.as_str());
        let (Some(there), Some(back)) = (name(there), name(back)) else { return false };
        self.boards.iter().any(|board| board.form != BoardForm::Graph)
            && REVERSE.iter().any(|&(one, other)| (there, back) == (one, other) || (there, back) == (other, one))
    }

    /// The sites one step from `site` in `direction`.
    #[must_use]
    pub fn step(&self, direction: usize, site: usize) -> &[u16] {
        self.directions.get(direction).and_then(|d| d.step.get(site)).map_or(&[], SmallVec::as_slice)
    }
}
