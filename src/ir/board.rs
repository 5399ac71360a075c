//! Boards: sites, directions, neighbours.

use super::SeatId;
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
}

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

    /// The lines straight on from a site: one for each way the direction branches, as sites in order. A line never
    /// turns back on itself, and a closed one ends before its start.
    #[must_use]
    pub fn lines(&self, direction: usize, start: usize) -> Vec<Vec<usize>> {
        let mut lines = Vec::new();
        for &first in self.step(direction, start) {
            let (mut line, mut before, mut site) = (Vec::new(), start, usize::from(first));
            while site != start && !line.contains(&site) {
                line.push(site);
                let mut ahead = self.step(direction, site).iter().map(|&next| usize::from(next));
                let Some(next) = ahead.find(|&next| next != before) else { break };
                before = site;
                site = next;
            }
            lines.push(line);
        }
        lines
    }

    /// The sites before another one on the first line from a site that leads there, and how many sites were looked at.
    #[must_use]
    pub fn between(&self, start: usize, end: usize) -> (Bits, u64) {
        let mut looked = 0;
        for direction in 0..self.directions.len() {
            for &first in self.step(direction, start) {
                let (mut line, mut before, mut site) = (Bits::new(), start, usize::from(first));
                while site != start && !line.contains(site) {
                    if site == end {
                        return (line, looked);
                    }
                    looked += 1;
                    line.insert(site);
                    let mut ahead = self.step(direction, site).iter().map(|&next| usize::from(next));
                    let Some(next) = ahead.find(|&next| next != before) else { break };
                    before = site;
                    site = next;
                }
            }
        }
        (Bits::new(), looked)
    }

    /// Whether a direction has steps and every one of them is reversed by the other direction.
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
        some
    }

    /// The sites one step from `site` in `direction`.
    #[must_use]
    pub fn step(&self, direction: usize, site: usize) -> &[u16] {
        self.directions.get(direction).and_then(|d| d.step.get(site)).map_or(&[], SmallVec::as_slice)
    }
}
