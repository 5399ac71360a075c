//! Sites from which a path can begin at all, found for all of them together: where a move is a piece and then a way along a
//! path, the other pieces need not be looked at one by one.

use super::emit::{Emit, Out, Wide};
use super::func::Parts;
use crate::base::Word;
use crate::compile::program::{Bind, Head, List, Local, Number, Route, Set, SetPath, Values, WalkerPath, WayRoute};
use crate::ir::SetOp;

/// With more steps than so many, which a direction takes on different parts of the board, nothing is gained.
const STEPS: usize = 3;

/// The steps in a direction: the sites from which they add the same number, and that number.
type Steps = Vec<(Wide, isize)>;

impl<'a> Emit<'a> {
    /// Of some values of a parameter, those with which the next line of the head can have a value.
    pub(super) fn promising(&mut self, set: &Parts, at: Local, next: Option<&'a Head<Wide>>) -> Out<Parts> {
        let found = match next {
            Some(Head::Choose(_, _, Values::List(list, _))) => self.starts_of_list(list, at)?,
            Some(Head::Choose(_, _, Values::Set(set))) => self.starts_of_set(set, at)?,
            Some(Head::Let(..) | Head::Require(_) | Head::Prefer(_)) | None => None,
        };
        Ok(match found {
            Some(found) => self.and(set, &found),
            None => set.clone(),
        })
    }

    fn starts_of_list(&mut self, list: &'a List<Wide>, at: Local) -> Out<Option<Parts>> {
        if let List::If(parts) = list {
            let (yes, no) = (self.starts_of_list(&parts.1, at)?, self.starts_of_list(&parts.2, at)?);
            return Ok(self.either(yes, no));
        }
        if let List::Filter(_, both) = list {
            return self.starts_of_list(&both.0, at);
        }
        let List::Ways(route) = list else { return Ok(None) };
        let WayRoute { from, start, stand, walker_path, .. } = route.as_ref();
        if is_name(from, at) { self.starts(walker_path, &[*start, stand.here]) } else { Ok(None) }
    }

    fn starts_of_set(&mut self, set: &'a Set<Wide>, at: Local) -> Out<Option<Parts>> {
        if let Set::If(parts) = set {
            let (yes, no) = (self.starts_of_set(&parts.1, at)?, self.starts_of_set(&parts.2, at)?);
            return Ok(self.either(yes, no));
        }
        if let Set::Op(SetOp::Intersect | SetOp::Minus, both) = set {
            return self.starts_of_set(&both.0, at);
        }
        let Set::Path(route) = set else { return Ok(None) };
        let Route { from, start, walk, .. } = route.as_ref();
        if !is_name(from, at) {
            return Ok(None);
        }
        if let SetPath::Step(_, to) | SetPath::Slide(_, _, to) = walk {
            return self.before_any(to, &[*start]);
        }
        Ok(None)
    }

    fn either(&mut self, a: Option<Parts>, b: Option<Parts>) -> Option<Parts> {
        let (a, b) = a.zip(b)?;
        Some(self.or(&a, &b))
    }

    /// The sites from which a path can begin, or more; none if that cannot be told.
    fn starts(&mut self, path: &'a WalkerPath<Wide>, names: &[Local]) -> Out<Option<Parts>> {
        match path {
            WalkerPath::Step(_, to) | WalkerPath::Slide(_, _, to) => self.before_any(to, names),
            WalkerPath::Hop(sets, _) => {
                let (Some(over), Some(to)) = (self.at_most(&sets.1, names)?, self.at_most(&sets.2, names)?) else {
                    return Ok(None);
                };
                let Some(ways) = self.all_steps() else { return Ok(None) };
                let mut all = self.known(Wide::NONE);
                for steps in &ways {
                    let middles = self.before(&to, steps);
                    let middles = self.and(&middles, &over);
                    let from = self.before(&middles, steps);
                    all = self.or(&all, &from);
                }
                Ok(Some(all))
            }
            WalkerPath::Along(_, _, body) | WalkerPath::Each(body) | WalkerPath::Repeat { body, least: 1.., .. } => {
                self.starts(body, names)
            }
            WalkerPath::Call(binds, stand, body) => {
                let same = |bind: &Bind<Wide>| match bind {
                    Bind::Number(at, Number::Local(name)) if names.contains(name) => Some(*at),
                    Bind::Number(..) | Bind::Set(..) | Bind::List(..) => None,
                };
                let inner: Vec<Local> = binds.iter().filter_map(same).chain([stand.here]).collect();
                self.starts(body, &inner)
            }
            WalkerPath::Or(parts) => {
                let mut all = Some(self.known(Wide::NONE));
                for part in parts {
                    let more = self.starts(part, names)?;
                    all = self.either(all, more);
                }
                Ok(all)
            }
            WalkerPath::Then(parts) => {
                let mut all = Some(self.known(Wide::NONE));
                for part in parts {
                    // A condition, and what may be left out, come before that which leads on.
                    if matches!(part, WalkerPath::If(_)) {
                        continue;
                    }
                    let (body, on) = if let WalkerPath::Repeat { body, least: 0, .. } = part {
                        (body.as_ref(), true)
                    } else {
                        (part, false)
                    };
                    let more = self.starts(body, names)?;
                    all = self.either(all, more);
                    if !on {
                        return Ok(all);
                    }
                }
                Ok(None)
            }
            WalkerPath::Repeat { .. } | WalkerPath::Flank(_) | WalkerPath::Take | WalkerPath::If(_) => Ok(None),
        }
    }

    /// The sites from which a step in any direction leads onto one of a set.
    fn before_any(&mut self, to: &'a Set<Wide>, names: &[Local]) -> Out<Option<Parts>> {
        let Some(to) = self.at_most(to, names)? else { return Ok(None) };
        let Some(ways) = self.all_steps() else { return Ok(None) };
        let mut all = self.known(Wide::NONE);
        for steps in &ways {
            let from = self.before(&to, steps);
            all = self.or(&all, &from);
        }
        Ok(Some(all))
    }

    fn before(&mut self, to: &Parts, steps: &Steps) -> Parts {
        let mut all = self.known(Wide::NONE);
        for &(from, by) in steps {
            let back = self.shifted(to, -by);
            let from = self.known(from);
            let back = self.and(&back, &from);
            all = self.or(&all, &back);
        }
        all
    }

    /// The steps in all directions, if they are few.
    fn all_steps(&self) -> Option<Vec<Steps>> {
        let mut ways = Vec::new();
        for steps in &self.program.steps {
            let mut found: Steps = Vec::new();
            for (site, next) in steps.iter().enumerate() {
                for next in next.iter() {
                    let by = next.cast_signed() - site.cast_signed();
                    if by == 0 {
                        return None;
                    }
                    match found.iter_mut().find(|(_, other)| *other == by) {
                        Some((from, _)) => from.insert(site),
                        None => found.push((Wide::one(site), by)),
                    }
                }
            }
            if found.len() > STEPS {
                return None;
            }
            if !found.is_empty() && !ways.contains(&found) {
                ways.push(found);
            }
        }
        Some(ways)
    }

    /// A set that has at least the members of one that may depend on the walker, whose site has some names: no walker
    /// steps onto the site where it stands, or hops over it.
    fn at_most(&mut self, set: &'a Set<Wide>, names: &[Local]) -> Out<Option<Parts>> {
        if names.iter().any(|name| is_name(set, *name)) {
            return Ok(Some(self.known(Wide::NONE)));
        }
        if let Set::Inspected(inner) = set {
            return self.at_most(inner, names);
        }
        if let Set::Compared(both) = set {
            return self.at_most(&both.0, names);
        }
        if let Set::Op(op, both) = set {
            let first = self.at_most(&both.0, names)?;
            if *op == SetOp::Minus {
                return Ok(first);
            }
            let second = self.at_most(&both.1, names)?;
            return Ok(match (op, first, second) {
                (SetOp::Intersect, Some(a), Some(b)) => Some(self.and(&a, &b)),
                (SetOp::Intersect, one, other) => one.or(other),
                (SetOp::Union | SetOp::Minus, one, other) => self.either(one, other),
            });
        }
        let plain = matches!(set, Set::Const(_) | Set::Empty | Set::Occupied | Set::Index(_) | Set::IndexByMe(_));
        Ok(if plain { Some(self.set(set)?) } else { None })
    }
}

/// Whether a set is the site that a name stands for.
fn is_name(set: &Set<Wide>, at: Local) -> bool {
    matches!(set, Set::One(number) if matches!(**number, Number::Local(name) if name == at))
}
