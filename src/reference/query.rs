//! The built-in functions: numbers, neighbours, rows, groups, seats, history.

use std::collections::HashMap;

use super::Eval;
use crate::base::{Bits, SaturatingFrom};
use crate::ir::row::AT_ONCE;
use crate::ir::{Expr, Function, Game, Value};

/// A search in layers costs one more step for so many sites of the boards at each layer.
const SITES_A_LAYER: u64 = 512;

/// How many directions are looked at for a step.
const DIRECTIONS_A_STEP: usize = 2;

impl Eval<'_> {
    pub(super) fn builtin(&mut self, function: Function, args: &[Expr]) -> Value {
        let mut values = args.iter().map(|arg| self.eval(arg)).collect::<Vec<_>>().into_iter();
        let mut next = || values.next().unwrap_or_default();
        match function {
            Function::Count => {
                let set = next();
                let count = if let Value::Set(bits) = &set { bits.count() } else { set.members().len() };
                Value::Int(i64::saturating_from(count))
            }
            Function::Abs => Value::Int(next().int().saturating_abs()),
            Function::Greater => Value::Int(next().int().max(next().int())),
            Function::Lesser => Value::Int(next().int().min(next().int())),
            Function::Around => {
                let sites = next().into_set();
                let mut around = self.toward(&sites, &self.ways(next()));
                around.subtract(&sites);
                Value::Set(around)
            }
            Function::Toward => {
                let (sites, directions) = (next().into_set(), next().into_set());
                Value::Set(self.toward(&sites, &directions))
            }
            Function::Ray => {
                let (sites, directions) = (next().into_set(), next().into_set());
                let mut all = Bits::new();
                for direction in directions.iter() {
                    all.unite(&self.ray(&sites, direction));
                }
                Value::Set(all)
            }
            Function::Between => {
                let (a, b) = (next().atom(), next().atom());
                Value::Set(self.between(a, b))
            }
            Function::Rectangle => {
                let (a, b) = (next().atom(), next().atom());
                self.scan();
                Value::Set(self.game.topology.rectangle(a, b).collect())
            }
            Function::Distance => {
                let (a, b) = (next().atom(), next().atom());
                Value::Int(self.distance(a, b, &self.ways(next())))
            }
            Function::Line => {
                let (set, length) = (next().into_set(), next().int());
                Value::Bool(!self.rows(&set, length, true).is_empty())
            }
            Function::Rows => {
                let (set, length) = (next().into_set(), next().int());
                Value::Set(self.rows(&set, length, false))
            }
            Function::Group => {
                let (from, set) = (next().into_set(), next().into_set());
                Value::Set(self.flood(&from, &set, &self.ways(next())))
            }
            Function::Connected => {
                let (a, b, set) = (next().into_set(), next().into_set(), next().into_set());
                Value::Bool(self.flood(&a, &set, &self.ways(next())).meets(&b))
            }
            Function::Following => Value::atom_of(self.walker.following(self.pos, next().atom())),
            Function::Preceding => Value::atom_of(self.walker.preceding(self.pos, next().atom())),
            Function::Opponents => {
                let mut seats = self.pos.playing();
                seats.subtract(&next().into_set());
                Value::Set(seats)
            }
            Function::Repeats => {
                let ply = next().int();
                Value::Bool(self.repeats(ply))
            }
            Function::Opposite => {
                let directions = next().into_set();
                Value::Set(self.opposite(&directions))
            }
        }
    }

    fn directions(&self) -> usize {
        self.game.topology.directions.len()
    }

    /// The given directions, or all if there are none.
    fn ways(&self, said: Value) -> Bits {
        if let Value::Set(directions) = said { directions } else { Bits::all(self.directions()) }
    }

    fn toward(&mut self, sites: &Bits, directions: &Bits) -> Bits {
        let topology = &self.game.topology;
        let (mut out, mut links) = (Bits::new(), 0_u64);
        for direction in directions.iter() {
            for site in sites.iter() {
                let near = topology.step(direction, site);
                links += near.len() as u64;
                for &next in near {
                    out.insert(usize::from(next));
                }
            }
        }
        let looked = (sites.count() * directions.count()).div_ceil(DIRECTIONS_A_STEP);
        self.tick(looked as u64 + links / AT_ONCE);
        out
    }

    fn ray(&mut self, sites: &Bits, direction: usize) -> Bits {
        let mut all = Bits::new();
        for site in sites.iter() {
            let (ray, looked) = self.game.topology.ray(direction, site);
            all.unite(&ray);
            if !self.tick(1 + looked) {
                return Bits::new();
            }
        }
        all
    }

    fn between(&mut self, a: usize, b: usize) -> Bits {
        let (between, looked) = self.game.topology.between(a, b);
        self.tick(looked);
        between
    }

    /// The number of steps from one site to another; if it is asked of many pairs, one search from each site.
    fn distance(&mut self, a: usize, b: usize, ways: &Bits) -> i64 {
        if a >= self.game.topology.sites.len() {
            return if a == b { 0 } else { -1 };
        }
        if let Some(known) = self.distances {
            let (far, looked) = known.borrow_mut().between(self.game, a, b, ways);
            self.tick(looked.max(1));
            return far;
        }
        let (mut steps, mut looked) = (-1, 0);
        let each = 1 + ways.count() as u64 / AT_ONCE;
        let links = search(self.game, a, ways, |site, far| {
            looked += each;
            if site == b {
                steps = far;
            }
            site != b && looked < self.steps
        });
        self.tick(looked + links / AT_ONCE);
        steps
    }

    /// The sites of the set that belong to a straight row of at least `length` sites in it; those of one row if `one` is
    /// enough.
    fn rows(&mut self, set: &Bits, length: i64, one: bool) -> Bits {
        self.game.topology.rows(set, length, one, &mut self.steps)
    }

    /// The sites of `set` connected within it to the sites of `from`.
    fn flood(&mut self, from: &Bits, set: &Bits, ways: &Bits) -> Bits {
        let mut reached = from.clone();
        reached.intersect(set);
        let mut edge = reached.clone();
        // Each layer takes a few operations on whole sets.
        let layer = self.game.topology.sites.len() as u64 / SITES_A_LAYER;
        loop {
            edge = self.toward(&edge, ways);
            self.tick(layer);
            edge.intersect(set);
            edge.subtract(&reached);
            if edge.is_empty() || self.spent() {
                return reached;
            }
            reached.unite(&edge);
        }
    }

    /// The directions that reverse every step of these.
    fn opposite(&mut self, directions: &Bits) -> Bits {
        let (mut all, mut looked) = (Bits::new(), directions.count());
        for there in directions.iter() {
            for back in self.game.topology.reverses(there) {
                all.insert(back);
                looked += 1;
            }
        }
        self.tick(looked as u64 / AT_ONCE);
        all
    }
}

/// Searches breadth first from a site of the board, until told to stop: each site that is reached, with the number of
/// steps. Returns how many links were followed.
fn search(game: &Game, start: usize, ways: &Bits, mut visit: impl FnMut(usize, i64) -> bool) -> u64 {
    let topology = &game.topology;
    let mut steps = vec![-1; topology.sites.len()];
    steps[start] = 0;
    let mut reached = vec![start];
    let (mut next, mut links) = (0, 0_u64);
    while let Some(&site) = reached.get(next) {
        if !visit(site, steps[site]) {
            break;
        }
        for onward in ways.iter().flat_map(|way| topology.step(way, site)).map(|&onward| usize::from(onward)) {
            links += 1;
            if steps[onward] < 0 {
                steps[onward] = steps[site] + 1;
                reached.push(onward);
            }
        }
        next += 1;
    }
    links
}

/// Distances that were worked out, for those who ask for many.
#[derive(Debug, Default)]
pub(crate) struct Distances {
    /// From a site in some directions: to each site, or -1.
    from: HashMap<(usize, Bits), Vec<i32>>,
}

impl Distances {
    /// How many are kept: those between all sites of boards that the fast interpreter takes, for some sets of directions.
    const KEPT: usize = 1 << 22;

    /// The distance, and how many sites were looked at for it.
    fn between(&mut self, game: &Game, a: usize, b: usize, ways: &Bits) -> (i64, u64) {
        let (mut looked, each) = (0, 1 + ways.count() as u64 / AT_ONCE);
        if self.from.len() * game.topology.sites.len() > Self::KEPT {
            self.from.clear();
        }
        let row = self.from.entry((a, ways.clone())).or_insert_with(|| {
            let mut row = vec![-1; game.topology.sites.len()];
            let links = search(game, a, ways, |site, far| {
                looked += each;
                row[site] = i32::saturating_from(far);
                true
            });
            looked += links / AT_ONCE;
            row
        });
        // What is on no board is reached from nowhere.
        let Some(&far) = row.get(b) else { return (-1, looked) };
        (far.into(), looked)
    }
}
