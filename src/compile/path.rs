//! Lowering of paths without captures: all walkers are followed together, as a set of sites.

use super::Gap;
use super::lower::{Lower, is_plain};
use super::program::{Bind, Heading, Hop, HopTable, Number, Reach, Route, Set, SetPath};
use super::set::combine;
use super::track::BoundPath;
use crate::base::{SaturatingFrom, Word};
use crate::ir::Dependencies;
use crate::ir::{Expr, ExprKind, Path, PathDef, PathId, SetOp, Slot, Test};

/// Paths that take are followed one walker at a time.
const TAKES: Gap = Gap("a path that takes");

impl<W: Word> Lower<'_, W> {
    /// Lowers the ends of a path that takes nothing. Where walkers cannot be followed together, they are followed one
    /// at a time.
    pub(super) fn ends(&mut self, path: PathId, from: &Expr, args: &[Expr]) -> Result<Set<W>, Gap> {
        self.loops += 1;
        let Ok(bound) = self.bound_path(path, from, args, Self::empty_handed) else {
            return Ok(Set::Ends(Box::new(self.track(path, from, args)?)));
        };
        let BoundPath { binds, from, start, path: walk } = bound;
        // A path that looks at nothing but the sites it passes does not ask where it began.
        let together = binds.is_empty() && self.near(Vec::new(), true).walk(&walk);
        let mut route = Route { binds, from, together, start, walk, outlook: None };
        route.outlook = self.outlook(&route);
        Ok(Set::Path(Box::new(route)))
    }

    /// The body of a path that takes nothing, as nothing has been taken before.
    fn empty_handed(&mut self, def: &PathDef) -> Result<SetPath<W>, Gap> {
        self.known_sets.insert(def.taken, Set::Const(W::NONE));
        let walk = self.walk(def, &def.body);
        self.known_sets.remove(&def.taken);
        walk
    }

    fn arguments(&mut self, params: &[Slot], args: &[Expr]) -> Result<Box<[Bind<W>]>, Gap> {
        params.iter().zip(args).map(|(slot, arg)| self.bind(*slot, arg)).collect()
    }

    pub(super) fn walk(&mut self, def: &PathDef, path: &Path) -> Result<SetPath<W>, Gap> {
        self.node()?;
        Ok(match path {
            Path::Step { heading, to } => {
                let here = self.looks_here(def, heading.as_ref()) || self.looks_here(def, Some(&to.set));
                let heading = self.heading(heading.as_ref())?;
                let step = SetPath::Step(heading, self.set(&to.set)?);
                self.each_if(def, here, step)?
            }
            Path::Slide { heading, limit, through } => {
                if !self.straight() {
                    return Err(Gap("a slide where directions fork or lead both ways"));
                }
                let here = self.looks_here(def, heading.as_ref()) || self.looks_here(def, Some(&through.set));
                let ways = self.directions(heading.as_ref())?;
                let limit = limit.as_ref().map(|limit| self.number(limit)).transpose()?;
                self.slides(&ways);
                let slide = SetPath::Slide(ways, limit, self.set(&through.set)?);
                self.each_if(def, here, slide)?
            }
            Path::Hop { heading, over, taking, to } => {
                if taking.is_some() {
                    return Err(TAKES);
                }
                let here = self.looks_here(def, heading.as_ref()) || self.looks_here(def, Some(&over.set));
                let hop = self.hop(def, heading.as_ref(), over, to)?;
                self.each_if(def, here, SetPath::Hop(Box::new(hop)))?
            }
            Path::Along(slot, set, body) => {
                if let Some(rays) = self.rays(def, *slot, set, body)? {
                    return Ok(rays);
                }
                if let Some(chain) = self.ray_chain(def, *slot, set, body)? {
                    return Ok(chain);
                }
                if let Some(hop) = self.stride(def, *slot, set, body)? {
                    return Ok(hop);
                }
                let set = self.set(set)?;
                SetPath::Along(self.number_home(*slot)?, set, Box::new(self.walk(def, body)?))
            }
            Path::Each(body) => SetPath::Each(self.number_home(def.here)?, Box::new(self.walk(def, body)?)),
            Path::Take => return Err(TAKES),
            Path::If(condition, _) => {
                let here = self.looks_here(def, Some(condition));
                let test = self.test(condition)?;
                self.each_if(def, here, SetPath::If(test))?
            }
            Path::Call(path, args) => {
                let game = self.game;
                let inner = game.paths.get(*path).ok_or(Gap("a path that is not there"))?;
                if self.depth > 30 {
                    return Err(Gap("paths that call each other too deeply"));
                }
                let mut binds = self.arguments(&inner.params, args)?.into_vec();
                let start = self.number_home(def.start)?;
                let number = Number::Local(start);
                binds.push(Bind::Number(self.number_home(inner.start)?, number));
                self.depth += 1;
                let walk = self.empty_handed(inner);
                self.depth -= 1;
                SetPath::Call(binds.into(), Box::new(walk?))
            }
            Path::Then(parts) => self.sequence(def, parts)?,
            Path::Or(parts) => self.either(def, parts)?,
            Path::Repeat { body, least, most: None, fully: false }
                if let Some(slide) = self.strides(def, body, *least)? =>
            {
                slide
            }
            Path::Repeat { body, least, most, fully } => match (self.walk(def, body)?, most, fully) {
                (SetPath::Hop(hop), None, false) if hop.heading.is_none() => match self.leaps(&hop)? {
                    Some(leaps) if *least <= 1 => SetPath::Leaps(Box::new(leaps), *least),
                    _ => SetPath::Hops(hop, *least),
                },
                (body, most, fully) => {
                    SetPath::Repeat { body: Box::new(body), least: *least, most: *most, fully: *fully }
                }
            },
            Path::Cited(_, body) => self.walk(def, body)?,
        })
    }

    /// Whether an expression depends on the site of the walker.
    pub(super) fn looks_here(&self, def: &PathDef, expr: Option<&Expr>) -> bool {
        expr.is_some_and(|expr| Dependencies::of(self.game, expr).any_of(&[def.here]))
    }

    fn each_if(&mut self, def: &PathDef, here: bool, walk: SetPath<W>) -> Result<SetPath<W>, Gap> {
        Ok(if here { SetPath::Each(self.number_home(def.here)?, Box::new(walk)) } else { walk })
    }

    pub(super) fn heading(&mut self, heading: Option<&Expr>) -> Result<Heading<W>, Gap> {
        let ways = self.directions(heading)?;
        let Set::Const(ways) = ways else { return Ok(Heading::Set(ways)) };
        self.weigh(self.game.topology.sites.len() * size_of::<W>())?;
        let topology = &self.game.topology;
        let next = |site| ways.iter().flat_map(move |d| topology.step(d, site)).map(|&s| usize::from(s)).collect();
        Ok(Heading::Known((0..topology.sites.len()).map(next).collect()))
    }

    pub(super) fn hop(&mut self, def: &PathDef, heading: Option<&Expr>, over: &Test, to: &Test) -> Result<Hop<W>, Gap> {
        let heading = self.directions(heading)?;
        let (heading, ways) = if let Set::Const(ways) = heading {
            (None, vec![self.ways(ways)])
        } else {
            let all = 0..self.game.topology.directions.len();
            (Some(heading), all.map(|d| self.ways(W::one(d))).collect())
        };
        self.weigh(ways.iter().map(|table| size_of_val(&*table.from) + size_of_val(&*table.pairs)).sum())?;
        let over = self.set(&over.set)?;
        let (to, there) = self.parted(def, &to.set)?;
        Ok(Hop { heading, ways: ways.into(), over, to, there })
    }

    /// Splits a set of sites into a part independent of the walker's site and a part that depends on it.
    #[expect(clippy::type_complexity, reason = "the two halves of a test")]
    fn parted(&mut self, def: &PathDef, set: &Expr) -> Result<(Set<W>, Option<(u16, Set<W>)>), Gap> {
        if !self.looks_here(def, Some(set)) {
            return Ok((self.set(set)?, None));
        }
        if let ExprKind::Set(SetOp::Intersect, a, b) = &set.kind {
            let ((a, here_a), (b, here_b)) = (self.parted(def, a)?, self.parted(def, b)?);
            let here = match (here_a, here_b) {
                (Some((name, a)), Some((_, b))) => Some((name, combine(SetOp::Intersect, a, b))),
                (here, None) | (None, here) => here,
            };
            return Ok((combine(SetOp::Intersect, a, b), here));
        }
        let all = Set::Const(W::all(self.game.topology.sites.len()));
        Ok((all, Some((self.number_home(def.here)?, self.set(set)?))))
    }

    fn ways(&self, directions: W) -> HopTable {
        let topology = &self.game.topology;
        let (mut from, mut pairs) = (vec![0], Vec::new());
        for site in 0..topology.sites.len() {
            for direction in directions.iter() {
                for &over in topology.step(direction, site) {
                    for &to in topology.step(direction, usize::from(over)) {
                        // On a line that can be walked in both directions, straight on never means back.
                        if usize::from(to) != site && !pairs[from[site] as usize..].contains(&(over, to)) {
                            pairs.push((over, to));
                        }
                    }
                }
            }
            from.push(u32::saturating_from(pairs.len()));
        }
        HopTable { from: from.into(), pairs: pairs.into() }
    }

    /// Whether every direction leads to at most one site and never back.
    pub(super) fn straight(&self) -> bool {
        let topology = &self.game.topology;
        (0..topology.directions.len()).all(|direction| {
            (0..topology.sites.len()).all(|site| match topology.step(direction, site) {
                [] => true,
                [next] => topology.step(direction, usize::from(*next)).iter().all(|&back| usize::from(back) != site),
                _ => false,
            })
        })
    }
}

/// Whether a set is a plain lookup, cheap enough to be duplicated instead of bound to a name.
pub(super) fn is_ready<W: Word>(set: &Set<W>) -> bool {
    match set {
        Set::Const(_) | Set::Local(_) | Set::Index(_) | Set::IndexByMe(_) | Set::ByMe(_) | Set::ByLocal(..) => true,
        Set::ByPiece(site, _) => is_plain(site),
        Set::IndexBy(both) => is_plain(&both.0),
        Set::Var(_)
        | Set::Empty
        | Set::Occupied
        | Set::TokenSites(_)
        | Set::Playing
        | Set::One(_)
        | Set::Some(_)
        | Set::Op(..)
        | Set::If(_)
        | Set::Filter(..)
        | Set::Top(..)
        | Set::Fold(_)
        | Set::ByMeAnd(..)
        | Set::Table(_)
        | Set::Path(_)
        | Set::Reach(_)
        | Set::Ends(_)
        | Set::Takes(_)
        | Set::WayTaken(_)
        | Set::Toward(_)
        | Set::Around(_)
        | Set::Ray(_)
        | Set::Between(_)
        | Set::Rectangle(_)
        | Set::Group(_)
        | Set::Rows(_)
        | Set::InRows(_)
        | Set::Inspected(_)
        | Set::Compared(_)
        | Set::Memo(..)
        | Set::With(_) => false,
    }
}

/// A path without enclosing clauses.
pub(super) fn plain(path: &Path) -> &Path {
    if let Path::Cited(_, inner) = path { plain(inner) } else { path }
}

/// Whether an expression is a name, or the singleton of it.
pub(super) fn is_name(expr: &Expr, slot: Slot) -> bool {
    expr.sole().unwrap_or(expr).as_slot() == Some(slot)
}

/// Merges the union of one step and leaps from the same site into one node.
pub(super) fn reach<W: Word>(set: Set<W>) -> Set<W> {
    if let Set::Op(SetOp::Union, both) = &set
        && let Some(reach) = joined(&both.0, &both.1)
    {
        return Set::Reach(Box::new(reach));
    }
    set
}

fn joined<W: Word>(step: &Set<W>, leaps: &Set<W>) -> Option<Reach<W>> {
    let (Set::Path(step), Set::Path(leaps)) = (step, leaps) else { return None };
    let (Set::One(from), Set::One(other)) = (&step.from, &leaps.from) else { return None };
    let (Number::Local(a), Number::Local(b)) = (from.as_ref(), other.as_ref()) else { return None };
    let SetPath::Leaps(leaping, 1) = &leaps.walk else { return None };
    if a != b || !step.binds.is_empty() || !leaps.binds.is_empty() {
        return None;
    }
    let (here, walk) =
        if let SetPath::Each(here, walk) = &step.walk { (*here, walk.as_ref()) } else { (step.start, &step.walk) };
    let SetPath::Step(Heading::Known(steps), to) = walk else { return None };
    // A step never ends where it began, so lifting the piece makes no difference.
    let there = super::graph::onto(to, step.start, steps.len())?.map(|set| (here, set));
    Some(Reach {
        from: Number::Local(*a),
        steps: steps.clone(),
        there,
        leaps: leaping.as_ref().clone(),
        outlook: leaps.outlook,
    })
}
