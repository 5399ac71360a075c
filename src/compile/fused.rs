//! Parts of paths that are followed at once: slides with the step that ends them, and two steps as a hop.

use super::Gap;
use super::lower::Lower;
use super::path::{is_name, plain};
use super::program::{Heading, Hop, HopTable, Number, Set, SetPath, Test};
use crate::base::{SaturatingFrom, Word};
use crate::ir::{Dependencies, Expr, Path, PathDef, Slot, Ty};

impl<W: Word> Lower<'_, W> {
    /// A slide and one more step, all in one direction.
    pub(super) fn rays(
        &mut self,
        def: &PathDef,
        way: Slot,
        ways: &Expr,
        body: &Path,
    ) -> Result<Option<SetPath<W>>, Gap> {
        let Path::Then(parts) = plain(body) else { return Ok(None) };
        let [slide, step] = parts.as_slice() else { return Ok(None) };
        let Path::Repeat { body: slide, least: 0, most: Some(1), fully: false } = plain(slide) else { return Ok(None) };
        let (Path::Slide { heading: Some(slid), limit, through }, Path::Step { heading: Some(stepped), to }) =
            (plain(slide), plain(step))
        else {
            return Ok(None);
        };
        let looks = |expr: &Expr| Dependencies::of(self.game, expr).any_of(&[way, def.here]);
        let free = !looks(&through.set) && !looks(&to.set) && !limit.as_ref().is_some_and(looks);
        if !free || !is_name(slid, way) || !is_name(stepped, way) || !self.straight() {
            return Ok(None);
        }
        let limit = limit.as_ref().map(|limit| self.number(limit)).transpose()?;
        let sets = (self.set(ways)?, self.set(&through.set)?, self.set(&to.set)?);
        self.slides(&sets.0);
        Ok(Some(SetPath::Rays(Box::new(sets), limit)))
    }

    /// Paths slide in these directions.
    pub(super) fn slides(&mut self, ways: &Set<W>) {
        self.rays = true;
        if let Set::Const(ways) = ways
            && !self.fans.contains(ways)
        {
            self.fans.push(*ways);
        }
    }

    /// Parts of a path one after the other. A slide and one more step in the same single direction are one part.
    pub(super) fn sequence(&mut self, def: &PathDef, parts: &[Path]) -> Result<SetPath<W>, Gap> {
        let mut lowered = Vec::new();
        let mut rest = parts;
        while let [first, others @ ..] = rest {
            let pair = match others {
                [second, ..] => match self.pair(def, first, second)? {
                    None => self.bend(def, first, second)?,
                    found => found,
                },
                [] => None,
            };
            rest = if pair.is_some() { &others[1..] } else { others };
            lowered.push(match pair {
                Some(rays) => rays,
                None => self.walk(def, first)?,
            });
        }
        Ok(SetPath::Then(lowered.into()))
    }

    /// A slide and one more step in the same single direction.
    fn pair(&mut self, def: &PathDef, slide: &Path, step: &Path) -> Result<Option<SetPath<W>>, Gap> {
        let Path::Repeat { body: slide, least: 0, most: Some(1), fully: false } = plain(slide) else { return Ok(None) };
        let (Path::Slide { heading: Some(slid), limit, through }, Path::Step { heading: Some(stepped), to }) =
            (plain(slide), plain(step))
        else {
            return Ok(None);
        };
        let Some(way) = self.single(def, slid) else { return Ok(None) };
        let here = [Some(&through.set), Some(&to.set), limit.as_ref()].iter().any(|expr| self.looks_here(def, *expr));
        if here || !is_name(stepped, way) || !self.straight() {
            return Ok(None);
        }
        let limit = limit.as_ref().map(|limit| self.number(limit)).transpose()?;
        let sets = (self.set(slid)?, self.set(&through.set)?, self.set(&to.set)?);
        self.slides(&sets.0);
        Ok(Some(SetPath::Rays(Box::new(sets), limit)))
    }

    /// Two steps in directions known at load: a hop over the first site onto the second.
    fn bend(&mut self, def: &PathDef, first: &Path, second: &Path) -> Result<Option<SetPath<W>>, Gap> {
        let (Path::Step { heading: one, to: over }, Path::Step { heading: two, to }) = (plain(first), plain(second))
        else {
            return Ok(None);
        };
        let exprs = [one.as_ref(), two.as_ref(), Some(&over.set), Some(&to.set)];
        if exprs.iter().any(|expr| self.looks_here(def, *expr)) {
            return Ok(None);
        }
        let (Heading::Known(one), Heading::Known(two)) = (self.heading(one.as_ref())?, self.heading(two.as_ref())?)
        else {
            return Ok(None);
        };
        let back = |site: usize| one[site].iter().any(|over| two[over].contains(site));
        if (0..one.len()).any(back) {
            return Ok(None);
        }
        let pairs =
            |site: usize| one[site].iter().flat_map(|over| two[over].iter().map(move |to| (over, to))).collect();
        let ways = hop_table((0..one.len()).map(pairs).collect());
        let (over, to) = (self.set(&over.set)?, self.set(&to.set)?);
        Ok(Some(SetPath::Hop(Box::new(Hop { heading: None, ways: [ways].into(), over, to, there: None }))))
    }

    /// Alternatives. Hops over the same sites onto the same sites are one.
    pub(super) fn either(&mut self, def: &PathDef, parts: &[Path]) -> Result<SetPath<W>, Gap> {
        let mut lowered: Vec<SetPath<W>> = Vec::new();
        for part in parts {
            let next = self.walk(def, part)?;
            let merged = match (lowered.last(), &next) {
                (Some(SetPath::Hop(one)), SetPath::Hop(two)) => merged(one, two),
                _ => None,
            };
            if let Some(hop) = merged {
                lowered.pop();
                lowered.push(SetPath::Hop(Box::new(hop)));
            } else {
                lowered.push(next);
            }
        }
        Ok(SetPath::Or(lowered.into()))
    }

    /// The name of the single direction that a heading is.
    fn single(&self, def: &PathDef, heading: &Expr) -> Option<Slot> {
        let named = heading.sole().unwrap_or(heading).as_slot()?;
        let single = self.game.slots.get(named).is_some_and(|slot| slot.ty == Ty::Dir);
        (single && named != def.here).then_some(named)
    }

    /// Any number of steps in the same single direction: a slide.
    pub(super) fn strides(&mut self, def: &PathDef, body: &Path, least: u32) -> Result<Option<SetPath<W>>, Gap> {
        let Path::Step { heading: Some(heading), to } = plain(body) else { return Ok(None) };
        if least > 1 || self.single(def, heading).is_none() || self.looks_here(def, Some(&to.set)) || !self.straight() {
            return Ok(None);
        }
        let ways = self.set(heading)?;
        self.slides(&ways);
        let slide = SetPath::Slide(ways, None, self.set(&to.set)?);
        let stay = SetPath::If(Test::Const(true));
        Ok(Some(if least == 0 { SetPath::Or([stay, slide].into()) } else { slide }))
    }

    /// Several slides, each with one more step, all in one direction.
    pub(super) fn ray_chain(
        &mut self,
        def: &PathDef,
        way: Slot,
        ways: &Expr,
        body: &Path,
    ) -> Result<Option<SetPath<W>>, Gap> {
        let Path::Then(parts) = plain(body) else { return Ok(None) };
        let (pairs, []) = parts.as_chunks::<2>() else { return Ok(None) };
        let mut links = Vec::new();
        for [slide, step] in pairs {
            let Path::Repeat { body: slide, least: 0, most: Some(1), fully: false } = plain(slide) else {
                return Ok(None);
            };
            let (Path::Slide { heading: Some(slid), limit: None, through }, Path::Step { heading: Some(stepped), to }) =
                (plain(slide), plain(step))
            else {
                return Ok(None);
            };
            let looks = |expr: &Expr| Dependencies::of(self.game, expr).any_of(&[way, def.here]);
            if looks(&through.set) || looks(&to.set) || !is_name(slid, way) || !is_name(stepped, way) {
                return Ok(None);
            }
            links.push((&through.set, &to.set));
        }
        if !self.straight() {
            return Ok(None);
        }
        self.rays = true;
        let mut lowered = Vec::new();
        for (through, to) in links {
            lowered.push((self.set(through)?, self.set(to)?));
        }
        Ok(Some(SetPath::RayChain(self.set(ways)?, lowered.into())))
    }

    /// Two steps in one direction: a hop over the first site onto the second.
    pub(super) fn stride(
        &mut self,
        def: &PathDef,
        way: Slot,
        ways: &Expr,
        body: &Path,
    ) -> Result<Option<SetPath<W>>, Gap> {
        let Path::Then(parts) = plain(body) else { return Ok(None) };
        let [first, second] = parts.as_slice() else { return Ok(None) };
        let (Path::Step { heading: Some(one), to: over }, Path::Step { heading: Some(two), to }) =
            (plain(first), plain(second))
        else {
            return Ok(None);
        };
        let looks = |expr: &Expr| Dependencies::of(self.game, expr).any_of(&[way, def.here]);
        let free = !looks(&over.set) && !looks(&to.set) && !self.looks_here(def, Some(ways));
        if !free || !is_name(one, way) || !is_name(two, way) || !self.straight() {
            return Ok(None);
        }
        Ok(Some(SetPath::Hop(Box::new(self.hop(def, Some(ways), over, to)?))))
    }
}

/// The hops of each site.
fn hop_table(sites: Vec<Vec<(usize, usize)>>) -> HopTable {
    let (mut from, mut pairs) = (vec![0], Vec::new());
    for hops in sites {
        pairs.extend(hops.into_iter().map(|(over, to)| (u16::saturating_from(over), u16::saturating_from(to))));
        from.push(u32::saturating_from(pairs.len()));
    }
    HopTable { from: from.into(), pairs: pairs.into() }
}

/// Two hops in directions known at load as one, if both go over the same sites onto the same sites.
fn merged<W: Word>(one: &Hop<W>, two: &Hop<W>) -> Option<Hop<W>> {
    let known = one.heading.is_none() && two.heading.is_none() && one.there.is_none() && two.there.is_none();
    if !known || !same(&one.over, &two.over) || !same(&one.to, &two.to) {
        return None;
    }
    let (first, second) = (one.ways.first()?, two.ways.first()?);
    let wide = |&(over, to): &(u16, u16)| (usize::from(over), usize::from(to));
    let sites = (0..first.from.len() - 1).map(|site| first.of(site).iter().chain(second.of(site)).map(wide).collect());
    Some(Hop { ways: [hop_table(sites.collect())].into(), ..one.clone() })
}

/// Whether two sets are plainly the same.
fn same<W: Word>(one: &Set<W>, two: &Set<W>) -> bool {
    match (one, two) {
        (Set::Const(one), Set::Const(two)) => one == two,
        (Set::Empty, Set::Empty) | (Set::Occupied, Set::Occupied) => true,
        (Set::Index(one), Set::Index(two)) => one == two,
        (Set::IndexByMe(one), Set::IndexByMe(two)) => one == two,
        (Set::Op(op, one), Set::Op(other, two)) => op == other && same(&one.0, &two.0) && same(&one.1, &two.1),
        (Set::One(one), Set::One(two)) => {
            matches!((one.as_ref(), two.as_ref()), (Number::Local(one), Number::Local(two)) if one == two)
        }
        _ => false,
    }
}
