//! Evaluation of lowered expressions: sets and lists.

use super::eval::{SITES_A_STEP, count};
use super::members::{among, keep};
use super::rows::in_rows;
use super::run::Run;
use crate::base::{SaturatingFrom, Word, get_or_default, to_index};
use crate::compile::program::{Cell, List, Number, Set, Sort, Test};
use crate::ir::SetOp;

/// The maximum number of members of a list, as in the reference interpreter.
pub(super) const MEMBERS: usize = 100_000;

impl<'a, W: Word> Run<'a, W> {
    /// The value of a set. Leaves are read inline.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`rest_of_sets` names every kind")]
    #[inline]
    pub(super) fn set(&mut self, set: &'a Set<W>) -> W {
        match set {
            Set::Const(set) => *set,
            Set::Local(at) => self.state.local_sets[usize::from(*at)],
            Set::Index(index) => self.state.indexes[usize::from(*index)],
            Set::One(number) => W::one(self.index(number)),
            _ => self.inner_set(set),
        }
    }

    /// The hot cases are in a function of their own, as for numbers.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`rest_of_sets` names every kind")]
    fn inner_set(&mut self, set: &'a Set<W>) -> W {
        self.note_work();
        match set {
            Set::IndexByMe(map) => {
                let index = map.get(usize::from(self.state.me));
                index.map_or(W::NONE, |&index| self.state.indexes[usize::from(index)])
            }
            Set::ByMe(values) => get_or_default(values, usize::from(self.state.me)),
            Set::Empty => self.all_sites.minus(self.occupied()),
            Set::Occupied => self.occupied(),
            Set::ByLocal(at, values) => get_or_default(values, to_index(self.local(*at))),
            Set::ByMeAnd(at, size, values) => self.by_me_and(*at, *size, values),
            Set::Var(cell) => self.var_set(cell),
            Set::ByPiece(site, values) => self.piece_set(site, values),
            Set::IndexBy(both) => self.index_by(both),
            Set::Op(SetOp::Union, both) => self.union(both),
            Set::Op(SetOp::Intersect, both) => self.intersection(both),
            Set::Op(SetOp::Minus, both) => self.difference(both),
            Set::If(parts) => self.set_if(parts),
            Set::Path(route) => self.route(route),
            Set::Reach(reach) => self.reach(reach),
            Set::Memo(memo, args) => self.kept_set(*memo, args),
            _ => self.rest_of_sets(set),
        }
    }

    #[inline(never)]
    fn var_set(&mut self, cell: &'a Cell<W>) -> W {
        let place = self.place(cell);
        get_or_default(&self.state.var_sets, place)
    }

    #[inline(never)]
    fn piece_set(&mut self, site: &'a Number<W>, values: &'a [W]) -> W {
        self.by_piece(site, values)
    }

    #[inline(never)]
    fn index_by(&mut self, both: &'a (Number<W>, Box<[u16]>)) -> W {
        let at = self.index(&both.0);
        both.1.get(at).map_or(W::NONE, |&index| self.state.indexes[usize::from(index)])
    }

    #[inline(never)]
    fn union(&mut self, both: &'a (Set<W>, Set<W>)) -> W {
        let a = self.set(&both.0);
        a.or(self.set(&both.1))
    }

    #[inline(never)]
    fn intersection(&mut self, both: &'a (Set<W>, Set<W>)) -> W {
        let a = self.set(&both.0);
        if a.is_empty() { a } else { a.and(self.set(&both.1)) }
    }

    #[inline(never)]
    fn difference(&mut self, both: &'a (Set<W>, Set<W>)) -> W {
        let a = self.set(&both.0);
        if a.is_empty() { a } else { a.minus(self.set(&both.1)) }
    }

    #[inline(never)]
    fn set_if(&mut self, parts: &'a (Test<W>, Set<W>, Set<W>)) -> W {
        let chosen = if self.test(&parts.0) { &parts.1 } else { &parts.2 };
        self.set(chosen)
    }

    #[inline(never)]
    #[expect(clippy::too_many_lines, reason = "one arm per kind of set")]
    fn rest_of_sets(&mut self, set: &'a Set<W>) -> W {
        match set {
            Set::Const(_)
            | Set::Local(_)
            | Set::Index(_)
            | Set::One(_)
            | Set::IndexByMe(_)
            | Set::ByMe(_)
            | Set::Empty
            | Set::Occupied
            | Set::ByLocal(..)
            | Set::ByMeAnd(..)
            | Set::Var(_)
            | Set::ByPiece(..)
            | Set::IndexBy(_)
            | Set::Op(..)
            | Set::If(_)
            | Set::Path(_)
            | Set::Reach(_)
            | Set::Memo(..) => self.set(set),
            Set::TokenSites(pools) => {
                let pools = self.pools(pools);
                pools.iter().fold(W::NONE, |all, pool| all.or(get_or_default(&self.state.token_sites, pool)))
            }
            Set::Playing => self.state.playing,
            Set::Some(numbers) => {
                let mut all = W::NONE;
                for number in numbers {
                    all.insert(self.index(number));
                }
                all
            }
            Set::Filter(at, both) => {
                let mut kept = self.set(&both.0);
                for member in kept.iter() {
                    self.set_local(*at, count(member));
                    if !self.tick() || !self.test(&both.1) {
                        kept.remove(member);
                    }
                }
                kept
            }
            Set::Top(at, both) => {
                let (mut best, mut kept) = (None, W::NONE);
                for member in self.set(&both.0).iter() {
                    if !self.tick() {
                        break;
                    }
                    self.set_local(*at, count(member));
                    let worth = self.number(&both.1);
                    if best.is_none_or(|best| worth > best) {
                        best = Some(worth);
                        kept = W::NONE;
                    }
                    if best == Some(worth) {
                        kept.insert(member);
                    }
                }
                kept
            }
            Set::Fold(both) => {
                let mut all = W::NONE;
                self.each(&both.0, 0, &mut |run| {
                    all = all.or(run.set(&both.1));
                    true
                });
                all
            }
            Set::Table(table) => self.looked_up(table),
            Set::Ends(track) => self.ends_of(track),
            Set::Takes(track) => self.captured_sites(track),
            Set::WayTaken(way) => {
                let way = self.number(way);
                self.ways.get_mut().ends(way).1
            }
            Set::Toward(both) => {
                let (sites, ways) = (self.set(&both.0), self.set(&both.1));
                self.toward(sites, ways)
            }
            Set::Around(both) => {
                let (sites, ways) = (self.set(&both.0), self.set(&both.1));
                self.toward(sites, ways).minus(sites)
            }
            Set::Ray(both) => {
                let (sites, ways) = (self.set(&both.0), self.set(&both.1));
                ways.iter().fold(W::NONE, |all, way| all.or(self.ray(sites, way)))
            }
            Set::Between(both) => {
                let (a, b) = (self.index(&both.0), self.index(&both.1));
                self.between(a, b)
            }
            Set::Rectangle(both) => {
                let (a, b) = (self.index(&both.0), self.index(&both.1));
                self.steps = self.steps.saturating_sub(self.program.sites as u64 / SITES_A_STEP);
                self.game.topology.rectangle(a, b).collect()
            }
            Set::Group(sets) => {
                let (from, inside, ways) = (self.set(&sets[0]), self.set(&sets[1]), self.set(&sets[2]));
                self.flood(from, inside, ways)
            }
            Set::Rows(both) => {
                let (set, length) = (self.set(&both.0), self.number(&both.1));
                self.rows(set, length, false)
            }
            Set::InRows(both) => self.rows_known(&both.0, &both.1, in_rows),
            Set::Inspected(inner) => {
                let members = self.set(inner);
                self.looked = self.looked.or(members);
                members
            }
            Set::Compared(both) => {
                let members = self.set(&both.0);
                let bits = self.index_bits(&both.1);
                self.compared = (self.compared.0.or(members), self.compared.1 | bits);
                members
            }
            Set::With(both) => {
                self.bind_all(&both.0);
                self.set(&both.1)
            }
        }
    }

    /// An empty list from the free buffers.
    pub(super) fn borrow(&mut self) -> Vec<i64> {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        list
    }

    /// Returns a list's buffer.
    #[inline]
    pub(super) fn give_back(&mut self, list: Vec<i64>) {
        self.lists.push(list);
    }

    /// Whether a list is empty.
    pub(super) fn is_none(&mut self, list: &'a List<W>) -> bool {
        if let List::Zone(cell) = list {
            let place = self.place(cell);
            self.state.lists.get(place).is_none_or(Vec::is_empty)
        } else if let List::Ways(track) = list {
            self.has_no_way(track)
        } else if let List::Last(inner) = list {
            self.is_none(inner)
        } else if let List::Op(SetOp::Union, both, _) = list {
            self.is_none(&both.0) && self.is_none(&both.1)
        } else {
            let found = self.list(list);
            let none = found.is_empty();
            self.give_back(found);
            none
        }
    }

    /// The value of a list, in a borrowed buffer.
    pub(super) fn list(&mut self, list: &'a List<W>) -> Vec<i64> {
        let mut out = self.borrow();
        self.add_list(list, &mut out);
        if out.len() > MEMBERS {
            self.steps = 0;
            out.clear();
        }
        self.steps = self.steps.saturating_sub(out.len() as u64 / 2);
        out
    }

    /// Appends the members of a list.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of list")]
    fn add_list(&mut self, list: &'a List<W>, out: &mut Vec<i64>) {
        self.note_work();
        match list {
            List::Const(members) => out.extend_from_slice(members),
            List::Local(at) => out.extend_from_slice(&self.state.local_lists[usize::from(*at)]),
            List::Var(cell) => {
                let place = self.place(cell);
                out.extend_from_slice(self.state.var_lists.get(place).map_or(&[], Vec::as_slice));
            }
            List::Zone(cell) => {
                let place = self.place(cell);
                let pieces = self.state.lists.get(place).map_or(&[][..], Vec::as_slice);
                out.extend(pieces.iter().map(|&piece| i64::from(piece)));
            }
            List::Ways(track) => self.add_ways(track, out),
            List::Last(inner) => {
                if let List::Zone(cell) = inner.as_ref() {
                    let place = self.place(cell);
                    out.extend(self.state.lists.get(place).and_then(|list| list.last()).map(|&piece| i64::from(piece)));
                    return;
                }
                let inner = self.list(inner);
                out.extend(inner.last());
                self.give_back(inner);
            }
            List::Range(both) => {
                let (a, b) = (self.number(&both.0), self.number(&both.1));
                let size = usize::saturating_from(b.saturating_sub(a).saturating_add(1));
                if size <= MEMBERS && self.steps > size as u64 {
                    self.steps -= size as u64;
                    out.extend(a..=b);
                } else {
                    self.steps = 0;
                }
            }
            List::Some(members, sort) => {
                let start = out.len();
                for member in members {
                    let member = self.number(member);
                    out.push(member);
                }
                self.tidy(out, start, *sort);
            }
            List::Op(op, both, sort) => {
                let start = out.len();
                self.add_list(&both.0, out);
                let other = self.list(&both.1);
                self.steps = self.steps.saturating_sub((out.len() - start + other.len()) as u64);
                if *op == SetOp::Union {
                    out.extend_from_slice(&other);
                } else {
                    let mut among = among(&other);
                    keep(out, start, |member| among(member) == (*op == SetOp::Intersect));
                }
                self.give_back(other);
                self.tidy(out, start, *sort);
                // A set that grows too large exhausts the budget, as in the reference.
                if *sort == Sort::Numbers {
                    self.steps = self.steps.saturating_sub((out.len() - start) as u64);
                }
            }
            List::If(parts) => {
                let list = if self.test(&parts.0) { &parts.1 } else { &parts.2 };
                self.add_list(list, out);
            }
            List::Filter(at, both) => {
                let all = self.list(&both.0);
                let held = self.hold_still();
                for &member in &all {
                    self.set_local(*at, member);
                    if self.tick() && self.test(&both.1) {
                        out.push(member);
                    }
                }
                self.let_go(held);
                self.give_back(all);
            }
            List::Top(at, both) => {
                let all = self.list(&both.0);
                let (start, mut best) = (out.len(), None);
                for &member in &all {
                    if !self.tick() {
                        break;
                    }
                    self.set_local(*at, member);
                    let worth = self.number(&both.1);
                    if best.is_none_or(|best| worth > best) {
                        best = Some(worth);
                        out.truncate(start);
                    }
                    if best == Some(worth) {
                        out.push(member);
                    }
                }
                self.give_back(all);
            }
            List::Fold(both, sort) => {
                let start = out.len();
                self.each(&both.0, 0, &mut |run| {
                    run.add_list(&both.1, out);
                    out.len() <= MEMBERS
                });
                self.tidy(out, start, *sort);
            }
            List::With(both) => {
                self.bind_all(&both.0);
                self.add_list(&both.1, out);
            }
        }
    }

    /// Normalizes the members from an index on.
    fn tidy(&mut self, list: &mut Vec<i64>, start: usize, sort: Sort) {
        let each = match sort {
            Sort::Numbers => 4,
            Sort::Ways => 16,
            Sort::Pieces => 0,
        };
        self.steps = self.steps.saturating_sub(each * (list.len() - start) as u64);
        match sort {
            Sort::Numbers => list[start..].sort_unstable(),
            Sort::Ways => self.ways.get_mut().sort(&mut list[start..]),
            Sort::Pieces => return,
        }
        let mut last = None;
        keep(list, start, |&member| last.replace(member) != Some(member));
    }
}
