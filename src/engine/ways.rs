//! Interned ways.
//!
//! A way is represented by its index among all ways found so far. Its trail is recorded only where it will be shown.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use smallvec::SmallVec;

use super::run::Run;
use super::state::{Frame, State};
use crate::base::{SaturatingFrom, Word, to_index};
use crate::compile::program::{Head, Home, OpKind, Program, Values, WayHomes};
use crate::ir;

/// How many ways are kept before they are cleared: more than can be listed.
const KEPT: usize = 1 << 17;

/// What identifies a way: the site it ends on, and the sites it takes.
pub(super) type Ends<W> = (u16, W);

/// All ways found so far, each once, with its trail.
#[derive(Clone, Debug)]
pub(super) struct Ways<W>(IndexMap<Ends<W>, SmallVec<[u32; 4]>>);

impl<W: Word> Ways<W> {
    pub(super) fn new() -> Self {
        Self(IndexMap::new())
    }

    /// The number of a way, interning it if it is new.
    pub(super) fn number(&mut self, ends: Ends<W>) -> i64 {
        let place = self.0.entry(ends);
        let number = i64::saturating_from(place.index());
        place.or_default();
        number
    }

    /// The number of a way from a position; none if the game has no such sites.
    pub(super) fn taken_up(&mut self, way: &ir::Way) -> Option<i64> {
        Some(self.number((u16::try_from(way.to).ok()?, W::from_bits(&way.taken)?)))
    }

    /// The way with a number.
    pub(super) fn value(&self, number: i64) -> Option<ir::Way> {
        let (&(to, taken), trail) = self.0.get_index(to_index(number))?;
        Some(ir::Way { to: u32::from(to), taken: taken.to_bits(), trail: trail.clone() })
    }

    /// The trail of a way, as it was recorded last.
    fn trail(&self, number: i64) -> Trail {
        self.0.get_index(to_index(number)).map(|(_, trail)| trail.clone()).unwrap_or_default()
    }

    /// Records the trail of a way, following its steps back from the last.
    pub(super) fn trace(&mut self, number: i64, steps: &[(u16, u32)], mut last: u32) {
        let Some((_, trail)) = self.0.get_index_mut(to_index(number)) else { return };
        trail.clear();
        while let Some(&(site, before)) = last.checked_sub(1).and_then(|at| steps.get(at as usize)) {
            trail.push(u32::from(site));
            last = before;
        }
        trail.reverse();
    }

    /// Whether there are so many that they should be cleared.
    pub(super) fn are_many(&self) -> bool {
        self.0.len() > KEPT
    }

    /// Clears all ways.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// The end of the way with a number, and what it takes.
    pub(super) fn ends(&self, number: i64) -> Ends<W> {
        self.0.get_index(to_index(number)).map_or((u16::MAX, W::NONE), |(ends, _)| *ends)
    }

    /// Sorts ways.
    pub(super) fn sort(&self, ways: &mut [i64]) {
        ways.sort_unstable_by(|&a, &b| by_ends(&self.ends(a), &self.ends(b)));
    }
}

pub(super) fn by_ends<W: Word>(a: &Ends<W>, b: &Ends<W>) -> std::cmp::Ordering {
    a.0.cmp(&b.0).then_with(|| a.1.order(b.1))
}

/// An action, with the seat and time of a race and the parameters before a way.
type Before = (ir::ActionId, Vec<i64>);

/// The sites that a way passes.
type Trail = SmallVec<[u32; 4]>;

/// For which parameters the trails of all ways are recorded; and where an action has several, those of each, since two may have the
/// same end and take the same.
#[derive(Debug, Default)]
pub(super) struct Traced {
    done: HashSet<Before>,
    each: HashMap<Before, HashMap<i64, Trail>>,
}

impl<W: Word> Run<'_, W> {
    /// Records the trails of the ways among a move's parameters, which listing moves does not need: the head of the
    /// action is evaluated again. That records the trails of all ways that are listed at this point, so it is done once
    /// for all moves that begin alike. In a race, `by` is who plays when. Of several ways, returns the numbers of the
    /// parameters with their trails.
    pub(super) fn retrace(
        &mut self,
        action: ir::ActionId,
        args: &[i64],
        by: &[i64],
        traced: &mut Traced,
    ) -> Vec<(usize, Trail)> {
        let (program, number) = (self.program, action);
        let mut several = Vec::new();
        let Some(action) = program.actions.get(usize::from(number)) else { return several };
        let is_way = |line: &Head<W>| matches!(line, Head::Choose(_, at, _) if program.ways.numbers.contains(at));
        let ways = action.head.iter().filter(|line| is_way(line)).count();
        if ways == 0 {
            return several;
        }
        self.refill();
        let (all, mut args) = (args, args.iter());
        for line in &action.head {
            match line {
                Head::Choose(_, at, values) => {
                    let place = all.len() - args.len();
                    let before = is_way(line).then(|| (number, [by, &all[..place]].concat()));
                    if let (Some(before), Values::List(list, _)) = (&before, values)
                        && !traced.done.contains(before)
                    {
                        traced.done.insert(before.clone());
                        self.trails = Some(Vec::new());
                        let found = self.list(list);
                        if ways > 1 {
                            let trails = found.iter().map(|&way| (way, self.ways.get_mut().trail(way))).collect();
                            traced.each.insert(before.clone(), trails);
                        }
                        self.give_back(found);
                        self.trails = None;
                    }
                    let Some(&arg) = args.next() else { return several };
                    let trails = before.and_then(|before| traced.each.get(&before));
                    if let Some(trail) = trails.and_then(|trails| trails.get(&arg)) {
                        several.push((by.len() + place, trail.clone()));
                    }
                    self.set_local(*at, arg);
                }
                Head::Let(_, bind) => self.bind(bind),
                Head::Require(_) | Head::Prefer(_) => {}
            }
        }
        several
    }
}

/// Gives the ways among the parameters of a move their own trails.
pub(super) fn give_trails(mv: &mut ir::Move, trails: Vec<(usize, Trail)>) {
    for (at, trail) in trails {
        if let Some(ir::Value::Way(way)) = mv.args.get_mut(at) {
            way.trail = trail;
        }
    }
}

/// The ways a position refers to, by number.
pub(super) fn spoken_of<W: Word>(program: &Program<W>, state: &State<W>) -> Vec<i64> {
    let WayHomes { numbers, lists } = &program.ways;
    let mut ways = Vec::new();
    if numbers.is_empty() && lists.is_empty() {
        return ways;
    }
    for (bound, home) in state.bound.iter().zip(&program.homes) {
        match home {
            Home::Number(at) if *bound && numbers.contains(at) => {
                ways.push(state.locals[usize::from(*at)]);
            }
            Home::List(at) if *bound && lists.contains(at) => {
                ways.extend_from_slice(&state.local_lists[usize::from(*at)]);
            }
            Home::Number(_) | Home::Set(_) | Home::List(_) | Home::Nowhere => {}
        }
    }
    let mut members = state.members.iter();
    for frame in &state.control {
        if let Frame::Each(at, left) = frame {
            let these = members.by_ref().take(*left as usize);
            let of_ways =
                matches!(program.op(*at).map(|op| &op.kind), Some(OpKind::For(_, at, ..)) if numbers.contains(at));
            ways.extend(these.filter(|_| of_ways));
        }
    }
    for (_, play) in &state.secrets {
        let ir::ActionRef::Action(number) = play.action else { continue };
        let head = program.actions.get(usize::from(number)).map_or(&[][..], |action| &action.head);
        let chosen = head.iter().filter_map(|line| if let Head::Choose(_, at, _) = line { Some(at) } else { None });
        ways.extend(chosen.zip(&play.args).filter(|(at, _)| numbers.contains(at)).map(|(_, way)| *way));
    }
    ways
}
