//! Definitions whose values are cached until something they depend on changes.

use super::Gap;
use super::class::Class;
use super::inspect::inspects;
use super::lower::Lower;
use super::path::is_ready;
use super::program::{Body, Home, Memo, Number, Stale, cells};
use crate::base::Word;
use crate::ir::{Dependencies, Read};
use crate::ir::{Expr, FnId, Slot, Ty};

/// The maximum number of cached definitions: one bit each.
pub(super) const MOST: usize = 64;
/// The maximum number of cached values per definition.
pub(super) const CELLS: usize = 1024;
/// A definition with fewer nodes is recomputed if nothing in it is repeated or searched …
const PLAIN: usize = 16;
/// … and if something is.
const LOOP: usize = 4;

/// The number of a cached definition, with its arguments.
type Kept<W> = (u16, Box<[Number<W>]>);

impl<W: Word> Lower<'_, W> {
    /// The number of a cached definition with its arguments, if it is worth caching.
    pub(super) fn memo(&mut self, function: FnId, args: &[Expr]) -> Result<Option<Kept<W>>, Gap> {
        if !self.lifted.is_empty() {
            return Ok(None);
        }
        let known = self.cached_as.get(&function).copied();
        let number = match known {
            Some(number) => number,
            None => self.new_memo(function)?,
        };
        self.cached_as.insert(function, number);
        match number {
            Some(number) => Ok(Some((number, args.iter().map(|arg| self.number(arg)).collect::<Result<_, _>>()?))),
            None => Ok(None),
        }
    }

    fn new_memo(&mut self, function: FnId) -> Result<Option<u16>, Gap> {
        let game = self.game;
        let Some(def) = game.functions.get(function) else { return Ok(None) };
        self.cached(&def.params, &def.body, false)
    }

    /// The number of a guard that is cached by itself: whether it holds depends only on known sites and indexes, and
    /// on no local name.
    pub(super) fn guard(&mut self, guard: &Expr) -> Result<Option<u16>, Gap> {
        if self.lifted.is_empty() { self.cached(&[], guard, true) } else { Ok(None) }
    }

    fn cached(&mut self, params: &[Slot], expr: &Expr, guard: bool) -> Result<Option<u16>, Gap> {
        let game = self.game;
        let needs = Dependencies::of(game, expr);
        let homes: Option<Vec<(u16, usize)>> =
            params.iter().map(|&slot| Some((self.number_home(slot).ok()?, self.slot_domain(slot)?))).collect();
        let Some(homes) = homes else { return Ok(None) };
        let seats = needs.me.then_some(game.seats.len());
        let cells = cells(&homes, seats);
        let fixed = |slot: &Slot| matches!(self.known.get(slot), Some(Number::Const(_)));
        let strange = |slot: &Slot| !(params.contains(slot) || guard && fixed(slot));
        if self.memos.len() >= MOST
            || cells == 0
            || cells > CELLS
            || needs.reads.is_empty()
            || needs.reads.iter().any(|read| matches!(read, Read::Other | Read::Legal))
            || needs.slots.iter().chain(&needs.pieces_at).any(strange)
        {
            return Ok(None);
        }
        let before: Vec<_> = params.iter().map(|slot| (*slot, self.known.remove(slot))).collect();
        let (nodes, loops) = (self.nodes, self.loops);
        let body = match Class::of(expr) {
            Class::Number => self.number(expr).map(|body| Some(Body::Number(body))),
            Class::Truth => self.test(expr).map(|body| Some(Body::Test(body))),
            Class::Set => self.set(expr).map(|body| Some(Body::Set(body))),
            Class::List(_) | Class::Other(_) => Ok(None),
        };
        for (slot, old) in before {
            if let Some(number) = old {
                self.known.insert(slot, number);
            }
        }
        let Some(mut body) = body? else { return Ok(None) };
        // A plain lookup is not worth caching either.
        let ready = matches!(&body, Body::Set(set) if is_ready(set));
        let worth = if self.loops == loops { PLAIN } else { LOOP };
        if !guard && (ready || self.nodes - nodes < worth) || self.memos.len() >= MOST {
            return Ok(None);
        }
        let bit = 1 << self.memos.len();
        let (sites, others): (Vec<Slot>, Vec<Slot>) =
            params.iter().partition(|slot| game.slots.get(**slot).is_some_and(|slot| slot.ty == Ty::Site));
        let locals = |slots: Vec<Slot>| slots.into_iter().map(|slot| self.number_home(slot)).collect::<Result<_, _>>();
        let inspects = inspects(&mut body, locals(sites)?, locals(others)?, &self.memos);
        if guard && inspects.is_none() {
            return Ok(None);
        }
        let reads: Vec<Read> =
            needs.reads.into_iter().filter(|read| inspects.is_none() || *read != Read::Sites).collect();
        self.mark_stale(&reads, bit);
        // A definition that uses this one looks its value up.
        self.loops = loops;
        self.memos.push(Memo { params: homes.into(), seats, body, inspects, guard });
        Ok(u16::try_from(self.memos.len() - 1).ok())
    }

    pub(super) fn mark_stale(&mut self, reads: &[Read], bit: u64) {
        let game = self.game;
        for read in reads {
            match read {
                Read::Sites => self.stale.sites |= bit,
                Read::Tokens => self.stale.tokens |= bit,
                Read::Playing => self.stale.playing |= bit,
                Read::Zone(zone) => {
                    let size = |zone: &crate::ir::Zone| zone.indices.iter().map(|(_, size)| *size).product::<usize>();
                    let first: usize = game.zones.iter().take(usize::from(*zone)).map(size).sum();
                    let Some(count) = game.zones.get(*zone).map(size) else { continue };
                    self.stale.lists[first..first + count].iter_mut().for_each(|stale| *stale |= bit);
                }
                Read::Var(var) => {
                    let Some(info) = game.vars.get(*var) else { continue };
                    let places = info.indices.iter().map(|(_, size)| *size).product::<usize>();
                    let (sort, first) = match self.var_homes.get(usize::from(*var)) {
                        Some(Home::Number(at)) => (0, usize::from(*at)),
                        Some(Home::Set(at)) => (1, usize::from(*at)),
                        Some(Home::List(at)) => (2, usize::from(*at)),
                        Some(Home::Nowhere) | None => continue,
                    };
                    self.stale.cells[sort][first..first + places].iter_mut().for_each(|stale| *stale |= bit);
                }
                Read::Other | Read::Legal => {}
            }
        }
    }
}

impl Stale {
    /// Nothing is cached yet.
    pub(super) fn new(lists: usize, cells: [usize; 3]) -> Self {
        let none = |count: usize| vec![0; count].into_boxed_slice();
        Self { sites: 0, tokens: 0, lists: none(lists), cells: cells.map(none), playing: 0 }
    }
}
