//! Chains of leaps as machine words. Hops that go over one site never leave their part of a board: on a square board every other
//! site of every other row. Where such a part has at most 64 sites, what a chain reaches is one word, whatever the size of the board.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::fixed::Fixed;
use super::func::{Address, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Graph, Leaps, Local, Set};

/// The parts of a board that the hops of a graph do not leave.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    /// The parts, each with its sites in ascending order.
    parts: Vec<Vec<usize>>,
    /// For each site its part, and its number there.
    place: Vec<(usize, usize)>,
    /// Whether what a chain reaches is all that matters of it: no piece hops over the site that it was lifted from, and every
    /// hop has one back.
    plain: bool,
}

impl Lattice {
    /// None if a part has more sites than a word has bits.
    pub(super) fn of(graph: &Graph<Wide>) -> Option<Self> {
        let sites = graph.beside.len();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut place = vec![None; sites];
        let hops = |site: usize| graph.by_end.of(site).iter().map(|&(from, _)| usize::from(from));
        let mut next = vec![Vec::new(); sites];
        for end in 0..sites {
            for from in hops(end) {
                next[from].push(end);
                next[end].push(from);
            }
        }
        for first in 0..sites {
            if place[first].is_some() {
                continue;
            }
            let mut part = vec![first];
            place[first] = Some((parts.len(), 0));
            let mut at = 0;
            while let Some(&site) = part.get(at) {
                for &other in &next[site] {
                    if place[other].is_none() {
                        place[other] = Some((parts.len(), 0));
                        part.push(other);
                    }
                }
                at += 1;
            }
            if part.len() > 64 {
                return None;
            }
            part.sort_unstable();
            for (number, &site) in part.iter().enumerate() {
                place[site] = Some((parts.len(), number));
            }
            parts.push(part);
        }
        let place: Vec<(usize, usize)> = place.into_iter().flatten().collect();
        // A hop back goes over the same site, and a hop in a ring of two, which leads to where it began, has none.
        let back = |end: usize| {
            let returns = |from: u16, over| {
                usize::from(from) != end
                    && graph
                        .by_end
                        .of(from.into())
                        .iter()
                        .any(|&(first, middle)| usize::from(first) == end && middle == over)
            };
            graph.by_end.of(end).iter().all(|&(from, over)| returns(from, over))
        };
        let apart = |site: usize| graph.beside[site].iter().all(|beside| place[beside].0 != place[site].0);
        let plain = (0..sites).all(|site| back(site) && apart(site));
        Some(Self { parts, place, plain })
    }

    /// The members of a set that lie in the part of a site, as a word.
    fn word(&self, set: Wide, site: usize) -> u64 {
        let (part, _) = self.place[site];
        self.parts[part]
            .iter()
            .enumerate()
            .filter(|(_, site)| set.contains(**site))
            .fold(0, |word, (bit, _)| word | 1 << bit)
    }

    /// For each site by part and number, what a function says.
    fn by_place<T>(&self, of: impl Fn(usize) -> T) -> Vec<T> {
        self.parts.iter().flatten().map(|&site| of(site)).collect()
    }

    /// For each site, where its part begins among all, and where it lies among all.
    fn offsets(&self) -> Vec<(usize, usize)> {
        let mut begun = Vec::new();
        let mut next = 0;
        for part in &self.parts {
            begun.push(next);
            next += part.len();
        }
        self.place.iter().map(|&(part, number)| (begun[part], begun[part] + number)).collect()
    }
}

/// Tables of where the sites of a lattice lie.
pub(super) struct Places {
    /// For each site the offsets, in words, of its part and of itself among all.
    begun: Address,
    placed: Address,
    /// The sites by place: as numbers, and as sets of one.
    sites: Address,
    ones: Address,
}

/// What chains of leaps need to know of a board before any game.
pub(super) struct Chains {
    places: Places,
    /// The graph's hops of each seat, in memory.
    hops: Vec<Address>,
    /// Tables by seat and place: the sites that a chain from there may land on; those that a hop from there may land on; those
    /// from which a hop may lead back there. None if these are all.
    within: Option<Address>,
    there: Option<Address>,
    home: Option<Address>,
    /// How many bytes of these tables belong to one seat.
    row: u32,
}

impl<'a> Emit<'a> {
    fn places(&mut self, lattice: &Lattice) -> Places {
        let offsets = lattice.offsets();
        let offset = |at: usize| 8 * u32::saturating_from(at);
        Places {
            begun: self.table_of_ints(offsets.iter().map(|&(begun, _)| offset(begun))),
            placed: self.table_of_ints(offsets.iter().map(|&(_, place)| offset(place))),
            sites: self.table_of_numbers(&lattice.by_place(i64::saturating_from)),
            ones: self.table_of_sets(&lattice.by_place(Wide::one)),
        }
    }

    /// The offsets of the part of the site in a local, and of the site itself.
    fn placed(&mut self, places: &Places, site: u32) -> (u32, u32) {
        self.f.get(site).op(I::I32WrapI64).int(2).op(I::I32Shl);
        let entry = self.f.keep_small();
        self.f.get(entry).load_int(places.begun);
        let part = self.f.keep_small();
        self.f.get(entry).load_int(places.placed);
        (part, self.f.keep_small())
    }

    /// Adds the sites of a part, whose offset is in a local, to a changing set: those in a word, which is then empty. There is one.
    fn spread(&mut self, places: &Places, part: u32, word: u32, all: &[u32]) {
        let again = self.f.again();
        let next = self.take_lowest(word);
        self.f.get(next).get(part).op(I::I32Add);
        if self.words == 1 {
            self.f.load(places.sites);
            let site = self.f.keep();
            self.insert(all, site);
        } else {
            self.f.int(i32::saturating_from(self.words)).op(I::I32Mul);
            let one = self.load_set(places.ones);
            self.unite(all, &one);
        }
        self.f.get(word).op(I::I64Eqz).op(I::I32Eqz).br_if(again);
        self.f.end_loop();
    }

    /// What is known of some leaps, if what restricts them is.
    pub(super) fn chains(&mut self, leaps: &'a Leaps<Wide>) -> Option<Chains> {
        let (seats, sites) = (self.game.seats.len().max(1), self.program.sites);
        let lattices: Option<Vec<&Lattice>> = leaps
            .graphs
            .iter()
            .map(|&graph| self.lattices.get(usize::from(graph))?.as_ref().filter(|lattice| lattice.plain))
            .collect();
        let (lattices, size) = (lattices?, (seats, sites));
        // Graphs over pieces of different kinds share the hops of the board.
        let lattice = (*lattices.first()?).clone();
        if lattices.iter().any(|other| other.parts != lattice.parts) {
            return None;
        }
        let known = |set: Option<&(Local, Set<Wide>)>| match set {
            None => Some(None),
            Some((at, set)) => Fixed::of(set, *at, size).map(Some),
        };
        let within = leaps.within.clone().map(|within| (leaps.start, within));
        let (within, there) = (known(within.as_ref())?, known(leaps.there.as_ref())?);
        let word = |fixed: &Fixed, seat: usize, site: usize| lattice.word(fixed.at(seat, site), site);
        let by_seat = |of: &dyn Fn(usize, usize) -> u64| -> Vec<i64> {
            (0..seats).flat_map(|seat| lattice.by_place(|site| of(seat, site).cast_signed())).collect()
        };
        let home = |seat: usize, site: usize| {
            let may_end = within.as_ref().is_none_or(|within| within.at(seat, site).contains(site));
            let from = |from: usize| there.as_ref().is_none_or(|there| there.at(seat, from).contains(site));
            let all: Wide = if may_end { (0..sites).filter(|&other| from(other)).collect() } else { Wide::NONE };
            lattice.word(all, site)
        };
        let restricted = within.is_some() || there.is_some();
        let tables = [
            within.as_ref().map(|within| by_seat(&|seat, site| word(within, seat, site))),
            there.as_ref().map(|there| by_seat(&|seat, site| word(there, seat, site))),
            restricted.then(|| by_seat(&home)),
        ];
        let [within, there, home] = tables.map(|table| table.map(|table| self.table_of_numbers(&table)));
        Some(Chains {
            places: self.places(&lattice),
            hops: leaps.graphs.iter().map(|&graph| self.layout.graphs[usize::from(graph)]).collect(),
            within,
            there,
            home,
            row: 8 * u32::saturating_from(sites),
        })
    }

    /// Where chains of leaps lead from the site in a local, the piece on which is lifted.
    pub(super) fn chained(&mut self, chains: &Chains, start: u32) -> Parts {
        let all = self.variable(&self.known(Wide::NONE));
        self.f.get(start).long(i64::saturating_from(self.program.sites)).op(I::I64LtU);
        self.f.when();
        let (part, place) = self.placed(&chains.places, start);
        let mut row = None;
        if chains.within.or(chains.there).or(chains.home).is_some() {
            self.me();
            self.f.op(I::I32WrapI64).int(chains.row.cast_signed()).op(I::I32Mul);
            row = Some(self.f.keep_small());
        }
        // The tables from the part on, and what they have for the start.
        let of_part = |emit: &mut Self, table: Option<Address>| {
            let (table, row) = (table?, row?);
            emit.f.get(part).get(row).op(I::I32Add).at(table).op(I::I32Add);
            Some(emit.f.keep_small())
        };
        let there = of_part(self, chains.there);
        let of_start = |emit: &mut Self, table: Option<Address>| {
            let (table, row) = (table?, row?);
            emit.f.get(place).get(row).op(I::I32Add).load(table);
            Some(emit.f.keep())
        };
        let within = of_start(self, chains.within);
        let hops = self.f.small();
        match chains.hops.as_slice() {
            [only] => self.f.at(*only).set(hops),
            all => {
                let addresses = self.table_of_ints(all.iter().copied());
                self.me();
                self.entry(addresses, all.len(), 2);
                self.f.load_int(0).set(hops)
            }
        };
        self.f.get(hops).get(place).op(I::I32Add).load(0);
        let first = self.f.keep();
        self.f.get(hops).get(part).op(I::I32Add).set(hops);
        // Where a hop leads from the place in a local, as an offset in the part.
        self.f.get(first);
        if let Some(within) = within {
            self.f.get(within).op(I::I64And);
        }
        if let Some(there) = there {
            self.f.get(place).get(part).op(I::I32Sub).get(there).op(I::I32Add).load(0).op(I::I64And);
        }
        let (edge, found) = (self.f.keep(), self.f.word());
        self.f.get(edge).set(found);
        self.f.get(edge).op(I::I64Eqz).op(I::I32Eqz);
        self.f.when();
        let again = self.f.again();
        let next = self.take_lowest(edge);
        self.f.get(hops).get(next).op(I::I32Add).load(0);
        if let Some(there) = there {
            self.f.get(there).get(next).op(I::I32Add).load(0).op(I::I64And);
        }
        if let Some(within) = within {
            self.f.get(within).op(I::I64And);
        }
        self.f.get(found).long(-1).op(I::I64Xor).op(I::I64And);
        let new = self.f.keep();
        self.f.get(found).get(new).op(I::I64Or).set(found);
        self.f.get(edge).get(new).op(I::I64Or).set(edge);
        self.f.get(edge).op(I::I64Eqz).op(I::I32Eqz).br_if(again);
        self.f.end_loop();
        // The lifted piece leaves its site free: what hops lead to from there leads back.
        self.f.get(first).get(found).op(I::I64And);
        if let Some(home) = of_start(self, chains.home) {
            self.f.get(home).op(I::I64And);
        }
        self.f.op(I::I64Eqz).op(I::I32Eqz);
        self.f.when();
        self.insert(&all, start);
        self.f.end();
        self.spread(&chains.places, part, found, &all);
        self.f.end();
        self.f.end();
        Self::now(&all)
    }

    /// Where one hop along a maintained graph leads from the site in a local.
    pub(super) fn hops_from(&mut self, graph: u16, site: u32) -> Out<Parts> {
        let number = usize::from(graph);
        let hops = *self.layout.graphs.get(number).ok_or(Gap("a graph that is missing"))?;
        let Some(lattice) = self.lattices[number].clone() else {
            self.f.get(site);
            self.entry_of_sets(hops, self.program.sites);
            return Ok(self.load_set(0));
        };
        let places = self.places(&lattice);
        let all = self.variable(&self.known(Wide::NONE));
        self.f.get(site).long(i64::saturating_from(self.program.sites)).op(I::I64LtU);
        self.f.when();
        let (part, place) = self.placed(&places, site);
        self.f.get(place).load(hops);
        let word = self.f.keep();
        self.f.get(word).op(I::I64Eqz).op(I::I32Eqz);
        self.f.when();
        self.spread(&places, part, word, &all);
        self.f.end();
        self.f.end();
        Ok(Self::now(&all))
    }

    /// Adds an edge of a maintained graph from the site in a local to the one in another, or removes it, by the truth value on
    /// the stack.
    pub(super) fn change_edge(&mut self, graph: usize, from: u32, to: u32) {
        let is = self.f.keep_small();
        let hops = self.layout.graphs[graph];
        let (address, bit) = if let Some(lattice) = self.lattices[graph].clone() {
            let places = self.places(&lattice);
            let (part, place) = self.placed(&places, to);
            // The bit of a site is its number in its part; shifts take it modulo 64.
            self.f.long(1).get(place).get(part).op(I::I32Sub).int(3).op(I::I32ShrU).op(I::I64ExtendI32U).op(I::I64Shl);
            let bit = self.f.keep();
            (self.placed(&places, from).1, bit)
        } else {
            self.f.get(from).op(I::I32WrapI64).int(self.bytes.cast_signed()).op(I::I32Mul);
            self.f.get(to).long(6).op(I::I64ShrU).op(I::I32WrapI64).int(3).op(I::I32Shl).op(I::I32Add);
            let address = self.f.keep_small();
            self.f.long(1).get(to).op(I::I64Shl);
            (address, self.f.keep())
        };
        self.f.get(address).get(address).load(hops).get(bit).long(-1).op(I::I64Xor).op(I::I64And);
        self.f.get(bit).long(0).get(is).op(I::Select).op(I::I64Or).store(hops);
    }

    /// Takes the lowest bit out of the word in a local; eight times its number.
    fn take_lowest(&mut self, word: u32) -> u32 {
        self.f.get(word).op(I::I64Ctz).op(I::I32WrapI64).int(3).op(I::I32Shl);
        let lowest = self.f.keep_small();
        self.f.get(word).get(word).long(1).op(I::I64Sub).op(I::I64And).set(word);
        lowest
    }
}
