//! Following paths.
//!
//! A path is a regular expression over steps. The piece that walks is off the board meanwhile. All ways are followed
//! at once, breadth-first: an element maps a set of walkers to the set of walkers that complete it. Two walkers on
//! the same site that took the same sites are one, so repetition terminates.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::Eval;
use super::eval::MEMBERS;
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{Expr, Path, PathDef, PathId, Value, Way};
use crate::model::Part;

/// Walkers after an element, distinct by site and what they took.
#[derive(Default)]
struct Walkers {
    ways: Vec<Way>,
    /// Sites of walkers that took nothing.
    bare: Bits,
    /// Sites of the others, and what they took.
    laden: BTreeSet<(u32, Bits)>,
}

impl Walkers {
    fn add(&mut self, way: Way) -> bool {
        let new = if way.taken.is_empty() {
            self.bare.insert(way.to as usize)
        } else {
            self.laden.insert((way.to, way.taken.clone()))
        };
        if new {
            self.ways.push(way);
        }
        new
    }
}

impl Eval<'_> {
    /// The result of a declared path from any of the sites: the sites it may end on, or its ways if it takes sites.
    pub(super) fn path(&mut self, path: PathId, from: &Bits, args: &[Value]) -> Value {
        let game = self.game;
        let Some(def) = game.paths.get(path) else {
            return Value::Unset;
        };
        let mut crowd = Walkers::default();
        for start in from.iter() {
            for (slot, value) in def.params.iter().zip(args) {
                self.bind(*slot, value.clone());
            }
            self.bind(def.start, Value::atom_of(start));
            let off = self.held.filter(|_| self.lifted.is_empty()).unwrap_or(start);
            self.lifted.push(off);
            let takes = std::mem::replace(&mut self.takes, def.takes);
            let here = Way { to: u32::saturating_from(start), taken: Bits::new(), trail: SmallVec::new() };
            let found = self.walk(def, &def.body, vec![here]);
            self.join(&mut crowd, found);
            self.lifted.pop();
            self.takes = takes;
        }
        if !crowd.ways.is_empty() {
            self.note(def.rule);
        }
        if def.takes {
            crowd.ways.sort();
            Value::Ways(crowd.ways)
        } else {
            Value::Set(crowd.ways.iter().map(|way| way.to as usize).collect())
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of path")]
    fn walk(&mut self, def: &PathDef, path: &Path, from: Vec<Way>) -> Vec<Way> {
        if from.len() as u64 > MEMBERS {
            self.steps = 0;
        }
        // Copying a walker's trail costs steps too.
        if from.is_empty() || !self.tick(from.iter().map(weight).sum()) {
            return Vec::new();
        }
        match path {
            Path::Step { heading, to } => self.advance(def, from, heading.as_ref(), |eval, d, way, out| {
                for &site in eval.game.topology.step(d, way.to as usize) {
                    if eval.passes(&to.set, to.rule, usize::from(site), Part::Reached) {
                        out.add(eval.onward(way, site, None));
                    }
                }
            }),
            Path::Slide { heading, limit, through } => {
                let limit = limit.as_ref().filter(|_| !self.relaxed.limits).map(|limit| self.eval(limit).int());
                self.advance(def, from, heading.as_ref(), |eval, d, way, out| {
                    // Each walker with the site it came from, since straight on never means back. Two that meet pass each
                    // other.
                    let (mut edge, mut passed) = (vec![(way.clone(), None)], BTreeSet::new());
                    let mut length = 0;
                    while limit.is_none_or(|limit| length < limit) && eval.tick(1) {
                        let mut next = Vec::new();
                        for (way, before) in &edge {
                            for &site in eval.game.topology.step(d, way.to as usize) {
                                if *before == Some(u32::from(site)) {
                                    continue;
                                }
                                if !eval.passes(&through.set, through.rule, usize::from(site), Part::Passed) {
                                    continue;
                                }
                                let ahead = eval.onward(way, site, None);
                                out.add(ahead.clone());
                                if passed.insert((way.to, site)) {
                                    next.push((ahead, Some(way.to)));
                                }
                            }
                        }
                        if next.is_empty() {
                            break;
                        }
                        edge = next;
                        length += 1;
                    }
                })
            }
            Path::Hop { heading, over, taking, to } => {
                self.advance(def, from, heading.as_ref(), |eval, d, way, out| {
                    for &middle in eval.game.topology.step(d, way.to as usize) {
                        if !eval.passes(&over.set, over.rule, usize::from(middle), Part::Over) {
                            continue;
                        }
                        for &site in eval.game.topology.step(d, usize::from(middle)) {
                            // On a line that can be walked in both directions, straight on never means back.
                            if u32::from(site) == way.to {
                                continue;
                            }
                            if eval.passes(&to.set, to.rule, usize::from(site), Part::Reached) {
                                if let Some(rule) = taking {
                                    eval.note(*rule);
                                }
                                out.add(eval.onward(way, site, taking.map(|_| middle)));
                            }
                        }
                    }
                })
            }
            Path::Along(slot, set, body) => {
                let mut out = Walkers::default();
                let directions = if self.relaxed.headings { self.every_direction() } else { self.eval(set) };
                for direction in directions.members() {
                    self.bind(*slot, direction);
                    let found = self.walk(def, body, from.clone());
                    self.join(&mut out, found);
                }
                out.ways
            }
            Path::Each(body) => {
                let mut out = Walkers::default();
                for way in from {
                    self.stand(def, &way);
                    let found = self.walk(def, body, vec![way]);
                    self.join(&mut out, found);
                    if out.ways.len() as u64 > MEMBERS {
                        self.steps = 0;
                        return Vec::new();
                    }
                }
                out.ways
            }
            Path::Take => {
                let mut out = Walkers::default();
                if self.charge(&from) {
                    for mut way in from {
                        way.taken.insert(way.to as usize);
                        out.add(way);
                    }
                }
                out.ways
            }
            Path::If(condition, rule) => {
                let mut out = Vec::new();
                for way in from {
                    self.stand(def, &way);
                    let site = way.to as usize;
                    if self.truth(condition) {
                        self.note(*rule);
                        out.push(way);
                    } else if self.excused(*rule, site, &mut |eval| eval.why(condition, false)) {
                        out.push(way);
                    }
                }
                out
            }
            Path::Call(path, args) => {
                let args: Vec<Value> = args.iter().map(|arg| self.eval(arg)).collect();
                let game = self.game;
                let Some(inner) = game.paths.get(*path) else {
                    return Vec::new();
                };
                for (slot, value) in inner.params.iter().zip(args) {
                    self.bind(*slot, value);
                }
                let start = self.frame.get(usize::from(def.start)).cloned().unwrap_or_default();
                self.bind(inner.start, start);
                let out = self.walk(inner, &inner.body, from);
                if !out.is_empty() {
                    self.note(inner.rule);
                }
                out
            }
            Path::Then(parts) => {
                let mut ways = from;
                for part in parts {
                    ways = self.walk(def, part, ways);
                }
                ways
            }
            Path::Or(parts) => {
                let mut out = Walkers::default();
                for part in parts {
                    let found = self.walk(def, part, from.clone());
                    self.join(&mut out, found);
                }
                out.ways
            }
            Path::Repeat { body, least, most, fully } => self.again(def, body, from, (*least, *most, *fully)),
            Path::Cited(rule, body) => {
                let out = self.walk(def, body, from);
                if !out.is_empty() {
                    self.note(*rule);
                }
                out
            }
        }
    }

    /// Follows a straight element in each of its directions.
    fn advance(
        &mut self,
        def: &PathDef,
        from: Vec<Way>,
        heading: Option<&Expr>,
        mut each: impl FnMut(&mut Self, usize, &Way, &mut Walkers),
    ) -> Vec<Way> {
        let mut out = Walkers::default();
        for way in from {
            self.stand(def, &way);
            let directions = match heading {
                Some(heading) if !self.relaxed.headings || heading.sole().and_then(Expr::as_slot).is_some() => {
                    self.eval(heading).into_set()
                }
                Some(_) | None => Bits::all(self.game.topology.directions.len()),
            };
            for direction in directions.iter() {
                if !self.tick(1) {
                    return Vec::new();
                }
                // Each direction has its own crowd: a slide must not stop at sites that another direction's slide has
                // visited.
                let mut ends = Walkers::default();
                each(self, direction, &way, &mut ends);
                self.join(&mut out, ends.ways);
                if out.ways.len() as u64 > MEMBERS {
                    self.steps = 0;
                    return Vec::new();
                }
            }
        }
        out.ways
    }

    fn again(&mut self, def: &PathDef, body: &Path, from: Vec<Way>, bounds: (u32, Option<u32>, bool)) -> Vec<Way> {
        let (least, most, fully) = bounds;
        let mut out = Walkers::default();
        let mut current = from;
        let mut round = 0;
        loop {
            if round >= least {
                // Only walkers not seen in an earlier round go on.
                if !self.charge(&current) {
                    break;
                }
                current.retain(|way| out.add(way.clone()));
                if out.ways.len() as u64 > MEMBERS {
                    self.steps = 0;
                }
            }
            if current.is_empty() || most.is_some_and(|most| round >= most) || self.spent() {
                break;
            }
            current = self.walk(def, body, current);
            round += 1;
        }
        if fully && self.charge(&out.ways) {
            out.ways.retain(|way| self.walk(def, body, vec![way.clone()]).is_empty());
        }
        out.ways
    }

    /// Binds the site a walker is on and what it took, for the conditions of a path.
    fn stand(&mut self, def: &PathDef, way: &Way) {
        self.bind(def.here, Value::Atom(way.to));
        self.bind(def.taken, Value::Set(way.taken.clone()));
    }

    /// Adds walkers to those that have arrived.
    fn join(&mut self, all: &mut Walkers, more: Vec<Way>) {
        // Where no step is left, what was found so far is not asked for.
        if self.charge(&more) {
            for way in more {
                all.add(way);
            }
        }
    }

    /// Charges for walkers that are copied and looked for among others; false if that was too much. Where paths take
    /// nothing, a walker is a site.
    fn charge(&mut self, ways: &[Way]) -> bool {
        if !self.takes {
            return !self.spent();
        }
        let wide = self.wide();
        self.tick(ways.iter().map(|way| 2 * (weight(way) + wide)).sum())
    }

    /// How many steps are charged for what a walker took: more on a wide board.
    fn wide(&self) -> u64 {
        if self.takes { self.game.topology.sites.len() as u64 / 32 } else { 0 }
    }

    fn every_direction(&self) -> Value {
        Value::Set(Bits::all(self.game.topology.directions.len()))
    }

    /// The way after a step to a site. Trails are kept only by paths that take; nobody sees the others.
    fn onward(&mut self, way: &Way, site: u16, taking: Option<u16>) -> Way {
        self.tick(4 * (weight(way) + self.wide()));
        let mut next = way.clone();
        next.to = u32::from(site);
        if self.takes {
            next.trail.push(u32::from(site));
        }
        if let Some(taken) = taking {
            next.taken.insert(usize::from(taken));
        }
        next
    }
}

/// How many steps are charged for copying a way.
fn weight(way: &Way) -> u64 {
    1 + way.trail.len() as u64
}
