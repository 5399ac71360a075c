//! Paths that are followed one walker at a time, exactly as in the reference.

use smallvec::SmallVec;

use super::crowd::{Walker, Walkers};
use super::run::Run;
use super::sets::MEMBERS;
use super::ways::by_ends;
use crate::base::{SaturatingFrom, Word, get_or_default};
use crate::compile::program::{Set, Stand, WalkerPath, WayRoute};
use crate::ir::row::AT_ONCE;

/// The room of no more than so many walkers is kept for others.
const CROWD: usize = 1 << 12;

impl<'a, W: Word> Run<'a, W> {
    /// Appends the ways of a path in order, each once. Starting sites without a way are cached.
    pub(super) fn add_ways(&mut self, track: &'a WayRoute<W>, out: &mut Vec<i64>) {
        let (Set::One(number), Some(outlook)) = (&track.from, track.outlook) else {
            self.find_ways(track, out);
            return;
        };
        let start = self.index(number);
        let mut looked = false;
        let any = self.outlook(outlook, start, |run| {
            looked = true;
            run.find_ways(track, out)
        });
        if !looked && !any.is_empty() {
            self.find_ways(track, out);
        }
    }

    /// Appends the ways of a path; the empty set if there are none.
    fn find_ways(&mut self, track: &'a WayRoute<W>, out: &mut Vec<i64>) -> W {
        let mut crowd = self.followed(track);
        crowd.walkers.sort_unstable_by(|a, b| by_ends(&(a.to, a.taken), &(b.to, b.taken)));
        for walker in &crowd.walkers {
            self.steps = self.steps.saturating_sub(8 + W::ROOM as u64 / 16);
            let number = self.ways.get_mut().number((walker.to, walker.taken));
            if let Some(steps) = &self.trails {
                self.ways.get_mut().trace(number, steps, walker.trail);
            }
            out.push(number);
        }
        let any = if crowd.walkers.is_empty() { W::NONE } else { W::one(0) };
        self.dismiss(crowd);
        any
    }

    /// Whether a path has no way.
    pub(super) fn has_no_way(&mut self, track: &'a WayRoute<W>) -> bool {
        self.track(track, |_, _| W::one(0)).is_empty()
    }

    /// The sites a path leads to.
    pub(super) fn ends_of(&mut self, track: &'a WayRoute<W>) -> W {
        self.track(track, |to, _| W::one(usize::from(to)))
    }

    /// The union of what the ways of a path take.
    pub(super) fn captured_sites(&mut self, track: &'a WayRoute<W>) -> W {
        self.track(track, |_, taken| taken)
    }

    /// The union of `of` over the ways of a path.
    fn track(&mut self, track: &'a WayRoute<W>, of: impl Fn(u16, W) -> W) -> W {
        let find = |run: &mut Self| {
            let crowd = run.followed(track);
            let all = crowd.walkers.iter().fold(W::NONE, |all, walker| all.or(of(walker.to, walker.taken)));
            run.dismiss(crowd);
            all
        };
        match (&track.from, track.outlook) {
            (Set::One(number), Some(outlook)) => {
                let start = self.index(number);
                self.outlook(outlook, start, find)
            }
            _ => find(self),
        }
    }

    fn dismiss(&mut self, mut crowd: Walkers<W>) {
        // A crowd of megabytes is rare, and there may be many of them.
        if crowd.walkers.capacity() > CROWD {
            return;
        }
        crowd.walkers.clear();
        crowd.seen.clear();
        self.crowds.push(crowd);
    }

    fn gather(&mut self) -> Walkers<W> {
        self.crowds.pop().unwrap_or_default()
    }

    /// The walkers that complete a path.
    fn followed(&mut self, track: &'a WayRoute<W>) -> Walkers<W> {
        let mut all = self.gather();
        for start in self.set(&track.from).iter() {
            self.bind_all(&track.binds);
            self.set_local(track.start, super::eval::count(start));
            let walker = Walker { to: u16::saturating_from(start), taken: W::NONE, trail: 0 };
            let found = self.walker_path(&track.walker_path, track.stand, &[walker]);
            self.join(&mut all, found);
        }
        all
    }

    fn join(&mut self, all: &mut Walkers<W>, more: Walkers<W>) {
        // Where no step is left, what was found so far is not asked for.
        if self.charge(more.walkers.len()) {
            for &walker in &more.walkers {
                all.add(walker);
            }
        }
        self.dismiss(more);
    }

    /// Charges for walkers that are kept, and looked for among others: wide boards take longer. False if that was too
    /// much.
    fn charge(&mut self, walkers: usize) -> bool {
        self.steps = self.steps.saturating_sub(walkers as u64 * (4 + W::ROOM as u64 / 64));
        self.steps > 0
    }

    /// Binds the site a walker is on and what it took, for the conditions of a path.
    fn stand(&mut self, stand: Stand, walker: Walker<W>) {
        self.set_local(stand.here, i64::from(walker.to));
        if let Some(taken) = stand.taken {
            self.state.local_sets[usize::from(taken)] = walker.taken;
        }
    }

    /// The walker after a step to a site.
    fn onward(&mut self, walker: Walker<W>, site: u16) -> Walker<W> {
        self.looked.insert(usize::from(site));
        self.charge(1);
        let trail = match &mut self.trails {
            None => 0,
            Some(trails) => {
                trails.push((site, walker.trail));
                u32::saturating_from(trails.len())
            }
        };
        Walker { to: site, taken: walker.taken, trail }
    }

    /// The directions that so many walkers look in. Very many, in most of which there is no step, are charged.
    fn directions(&mut self, ways: &'a Set<W>, walkers: usize) -> W {
        let ways = self.set(ways);
        if self.game.topology.directions.len() as u64 > AT_ONCE {
            self.steps = self.steps.saturating_sub(ways.count() as u64 / AT_ONCE * walkers as u64);
        }
        ways
    }

    /// The walkers that complete a path, starting from these.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of path")]
    fn walker_path(&mut self, walker_path: &'a WalkerPath<W>, stand: Stand, from: &[Walker<W>]) -> Walkers<W> {
        let mut out = self.gather();
        if from.len() > MEMBERS {
            self.steps = 0;
        }
        if from.is_empty() || !self.tick() {
            return out;
        }
        self.steps = self.steps.saturating_sub(from.len() as u64);
        match walker_path {
            WalkerPath::Step(ways, to) => {
                for &walker in from {
                    self.stand(stand, walker);
                    let (ways, to) = (self.directions(ways, 1), self.set(to));
                    for way in ways.iter() {
                        self.one_on(way, to, walker, &mut out);
                    }
                }
            }
            WalkerPath::Slide(ways, limit, through) => {
                let limit = limit.as_ref().map(|limit| self.number(limit));
                for &walker in from {
                    self.stand(stand, walker);
                    let (ways, through) = (self.directions(ways, 1), self.set(through));
                    for way in ways.iter() {
                        self.straight_on(way, limit, through, walker, &mut out);
                    }
                }
            }
            WalkerPath::Hop(sets, taking) => {
                for &walker in from {
                    self.stand(stand, walker);
                    let (ways, over, to) = (self.directions(&sets.0, 1), self.set(&sets.1), self.set(&sets.2));
                    for way in ways.iter() {
                        self.over(way, (over, to), *taking, walker, &mut out);
                    }
                }
            }
            WalkerPath::Flank(sets) => {
                let (ways, over, to) = (self.directions(&sets.0, from.len()), self.set(&sets.1), self.set(&sets.2));
                for &walker in from {
                    for way in ways.iter() {
                        self.flank(way, (over, to), walker, &mut out);
                    }
                }
            }
            WalkerPath::Along(at, ways, body) => {
                for way in self.set(ways).iter() {
                    self.set_local(*at, super::eval::count(way));
                    let found = self.walker_path(body, stand, from);
                    self.join(&mut out, found);
                }
            }
            WalkerPath::Each(body) => {
                for &walker in from {
                    self.stand(stand, walker);
                    let found = self.walker_path(body, stand, &[walker]);
                    self.join(&mut out, found);
                }
            }
            WalkerPath::Take => {
                if self.charge(from.len()) {
                    for &(mut walker) in from {
                        walker.taken.insert(usize::from(walker.to));
                        out.add(walker);
                    }
                }
            }
            WalkerPath::If(test) => {
                for &walker in from {
                    self.stand(stand, walker);
                    if self.test(test) {
                        out.add(walker);
                    }
                }
            }
            WalkerPath::Then(parts) => {
                out.walkers.extend_from_slice(from);
                for part in parts {
                    let found = self.walker_path(part, stand, &out.walkers);
                    self.dismiss(std::mem::replace(&mut out, found));
                }
            }
            WalkerPath::Or(parts) => {
                for part in parts {
                    let found = self.walker_path(part, stand, from);
                    self.join(&mut out, found);
                }
            }
            WalkerPath::Repeat { body, least, most, fully } => {
                self.again(body, (*least, *most), stand, from, &mut out);
                if *fully && self.charge(out.walkers.len()) {
                    let mut kept = self.gather();
                    for &walker in &out.walkers {
                        let on = self.walker_path(body, stand, &[walker]);
                        if on.walkers.is_empty() {
                            kept.walkers.push(walker);
                        }
                        self.dismiss(on);
                    }
                    self.dismiss(std::mem::replace(&mut out, kept));
                }
            }
            WalkerPath::Call(binds, inner, body) => {
                self.bind_all(binds);
                self.dismiss(out);
                out = self.walker_path(body, *inner, from);
            }
        }
        out
    }

    fn one_on(&mut self, way: usize, to: W, walker: Walker<W>, out: &mut Walkers<W>) {
        for &site in self.game.topology.step(way, usize::from(walker.to)) {
            let next = self.onward(walker, site);
            if to.contains(usize::from(site)) {
                out.add(next);
            }
        }
    }

    /// Slides straight on: no step goes back, and none is made twice. Two walkers that meet pass each other.
    fn straight_on(&mut self, way: usize, limit: Option<i64>, through: W, walker: Walker<W>, out: &mut Walkers<W>) {
        let (mut seen, mut passed) = (W::NONE, SmallVec::<[_; 8]>::new());
        let mut edge: SmallVec<[(Walker<W>, u16); 4]> = SmallVec::from_slice(&[(walker, u16::MAX)]);
        let mut length = 0;
        while !edge.is_empty() && limit.is_none_or(|limit| length < limit) && self.tick() {
            let mut next = SmallVec::new();
            for &(walker, before) in &edge {
                for &site in self.game.topology.step(way, usize::from(walker.to)) {
                    let ahead = self.onward(walker, site);
                    let at = usize::from(site);
                    let step = (walker.to, site);
                    if site != before && through.contains(at) && (!seen.contains(at) || !passed.contains(&step)) {
                        seen.insert(at);
                        passed.push(step);
                        out.add(ahead);
                        next.push((ahead, walker.to));
                    }
                }
            }
            edge = next;
            length += 1;
        }
    }

    fn over(&mut self, way: usize, (over, to): (W, W), taking: bool, walker: Walker<W>, out: &mut Walkers<W>) {
        let topology = &self.game.topology;
        for &middle in topology.step(way, usize::from(walker.to)) {
            self.looked.insert(usize::from(middle));
            if !over.contains(usize::from(middle)) {
                continue;
            }
            for &site in topology.step(way, usize::from(middle)) {
                // On a line that can be walked in both directions, straight on never means back.
                if site == walker.to {
                    continue;
                }
                let mut next = self.onward(walker, site);
                if to.contains(usize::from(site)) {
                    if taking {
                        next.taken.insert(usize::from(middle));
                    }
                    out.add(next);
                }
            }
        }
    }

    fn flank(&mut self, way: usize, (over, to): (W, W), mut walker: Walker<W>, out: &mut Walkers<W>) {
        let Some(onward) = self.program.onward.get(way) else { return };
        let mut first = true;
        // On a ring, a third round finds nothing new.
        for _ in 0..=2 * self.program.sites {
            let site = get_or_default(onward, usize::from(walker.to));
            let next = self.onward(walker, site);
            if !first && to.contains(usize::from(site)) {
                out.add(next);
            }
            if !over.contains(usize::from(site)) {
                return;
            }
            walker = next;
            walker.taken.insert(usize::from(site));
            first = false;
        }
    }

    /// Repetition: only walkers not seen in an earlier round go on.
    fn again(
        &mut self,
        body: &'a WalkerPath<W>,
        (least, most): (u32, Option<u32>),
        stand: Stand,
        from: &[Walker<W>],
        out: &mut Walkers<W>,
    ) {
        let mut current = self.gather();
        current.walkers.extend_from_slice(from);
        let mut round = 0;
        loop {
            if round >= least {
                if !self.charge(current.walkers.len()) {
                    break;
                }
                current.walkers.retain(|&walker| out.add(walker));
                if out.walkers.len() > MEMBERS {
                    self.steps = 0;
                }
            }
            if current.walkers.is_empty() || most.is_some_and(|most| round >= most) || self.steps == 0 {
                break;
            }
            let next = self.walker_path(body, stand, &current.walkers);
            self.dismiss(std::mem::replace(&mut current, next));
            round += 1;
        }
        self.dismiss(current);
    }
}
