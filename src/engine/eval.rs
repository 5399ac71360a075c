//! The value of lowered expressions: numbers and truth values.

use super::run::Run;
use crate::base::Word;
use crate::compile::program::{Bind, Cell, Loop, Number, Pools, Set, Source, Table, Test};
use crate::ir::{Fold, IntOp, Order};

impl<'a, W: Word> Run<'a, W> {
    /// Counts a step; false once the budget is spent.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    #[inline]
    pub(super) fn index(&mut self, number: &'a Number<W>) -> usize {
        usize::try_from(self.number(number)).unwrap_or(0)
    }

    /// The place of a cell.
    #[inline]
    pub(super) fn place(&mut self, cell: &'a Cell<W>) -> usize {
        match cell.at.as_ref() {
            [] => cell.first as usize,
            [(index, _)] => cell.first as usize + self.index(index),
            many => {
                let mut place = 0;
                for (index, size) in many {
                    place = place * size + self.index(index);
                }
                cell.first as usize + place
            }
        }
    }

    pub(super) fn looked_up<T>(&mut self, table: &'a Table<T, W>) -> Option<&'a T> {
        let mut at = 0;
        for (by, size) in &table.by {
            at = at * size + self.index(by);
        }
        table.values.get(at)
    }

    #[inline]
    pub(super) fn by_me_and<T>(&self, at: u16, size: usize, values: &'a [T]) -> Option<&'a T> {
        let at = usize::try_from(self.local(at)).ok()?;
        values.get(usize::from(self.state.me) * size + at)
    }

    #[inline]
    pub(super) fn by_piece<T>(&mut self, site: &'a Number<W>, values: &'a [T]) -> Option<&'a T> {
        let site = self.index(site);
        values.get(usize::from(*self.state.sites.get(site)?))
    }

    #[inline]
    pub(super) fn local(&self, at: u16) -> i64 {
        self.state.locals[usize::from(at)]
    }

    #[inline]
    pub(super) fn set_local(&mut self, at: u16, n: i64) {
        self.state.locals[usize::from(at)] = n;
    }

    pub(super) fn bind_all(&mut self, binds: &'a [Bind<W>]) {
        for bind in binds {
            self.bind(bind);
        }
    }

    pub(super) fn bind(&mut self, bind: &'a Bind<W>) {
        match bind {
            Bind::Number(at, number) => {
                let n = self.number(number);
                self.set_local(*at, n);
            }
            Bind::Set(at, set) => self.state.local_sets[usize::from(*at)] = self.set(set),
            Bind::List(at, list) => {
                let found = self.list(list);
                let place = &mut self.state.local_lists[usize::from(*at)];
                place.clone_from(&found);
                self.give_back(found);
            }
        }
    }

    /// The value of a number. Leaves are read on the spot.
    #[inline]
    pub(super) fn number(&mut self, number: &'a Number<W>) -> i64 {
        match number {
            Number::Const(n) => *n,
            Number::Local(at) => self.local(*at),
            Number::Me => i64::from(self.state.me),
            Number::Mover => i64::from(self.state.mover),
            Number::ByLocal(at, values) => {
                let at = usize::try_from(self.local(*at)).unwrap_or(usize::MAX);
                values.get(at).copied().unwrap_or(0)
            }
            other => self.inner_number(other),
        }
    }

    /// What is asked most has a function of its own, so that nothing is saved on the
    /// stack before it is known what is needed.
    fn inner_number(&mut self, number: &'a Number<W>) -> i64 {
        match number {
            Number::Var(cell) => self.var(cell),
            Number::ByMe(values) => values.get(usize::from(self.state.me)).copied().unwrap_or(0),
            Number::ByMeAnd(at, size, values) => self.by_me_and(*at, *size, values).copied().unwrap_or(0),
            Number::ByPiece(site, values) => self.piece_number(site, values),
            Number::Calc(op, both) => self.calc(*op, both),
            Number::If(parts) => self.number_if(parts),
            Number::ZoneSize(zone) => self.zone_size(zone),
            Number::TokensAt(both) => self.tokens_there(both),
            Number::Memo(memo, args) => self.kept_number(*memo, args),
            other => self.rest_of_numbers(other),
        }
    }

    #[inline(never)]
    fn var(&mut self, cell: &'a Cell<W>) -> i64 {
        let place = self.place(cell);
        self.state.vars.get(place).copied().unwrap_or(0)
    }

    #[inline(never)]
    fn piece_number(&mut self, site: &'a Number<W>, values: &'a [i64]) -> i64 {
        self.by_piece(site, values).copied().unwrap_or(0)
    }

    #[inline(never)]
    fn calc(&mut self, op: IntOp, both: &'a (Number<W>, Number<W>)) -> i64 {
        let (a, b) = (self.number(&both.0), self.number(&both.1));
        match op {
            IntOp::Add => a.saturating_add(b),
            IntOp::Sub => a.saturating_sub(b),
            IntOp::Mul => a.saturating_mul(b),
            IntOp::Div => a.checked_div(b).unwrap_or(0),
            IntOp::Mod => a.checked_rem_euclid(b).unwrap_or(0),
        }
    }

    #[inline(never)]
    fn number_if(&mut self, parts: &'a (Test<W>, Number<W>, Number<W>)) -> i64 {
        let chosen = if self.test(&parts.0) { &parts.1 } else { &parts.2 };
        self.number(chosen)
    }

    #[inline(never)]
    fn zone_size(&mut self, zone: &'a Cell<W>) -> i64 {
        let place = self.place(zone);
        self.state.lists.get(place).map_or(0, |list| count(list.len()))
    }

    #[inline(never)]
    fn tokens_there(&mut self, both: &'a (Pools<W>, Number<W>)) -> i64 {
        let site = self.index(&both.1);
        if let Pools::One(pool) = &both.0 {
            return i64::from(self.state.tokens_at(self.program, usize::from(*pool), site));
        }
        let pools = self.pools(&both.0);
        pools.iter().map(|pool| i64::from(self.state.tokens_at(self.program, pool, site))).sum()
    }

    #[inline(never)]
    fn rest_of_numbers(&mut self, number: &'a Number<W>) -> i64 {
        match number {
            Number::Const(_)
            | Number::Local(_)
            | Number::Me
            | Number::Mover
            | Number::ByLocal(..)
            | Number::Var(_)
            | Number::ByMe(_)
            | Number::ByMeAnd(..)
            | Number::ByPiece(..)
            | Number::Calc(..)
            | Number::If(_)
            | Number::ZoneSize(_)
            | Number::TokensAt(_)
            | Number::Memo(..) => self.number(number),
            Number::Ply => i64::from(self.state.ply),
            Number::Turn => i64::from(self.state.turn),
            Number::Now => self.moment.unwrap_or(self.state.now),
            Number::Occurrences => self.occurrences(),
            Number::Neg(inner) => self.number(inner).saturating_neg(),
            Number::Abs(inner) => self.number(inner).saturating_abs(),
            Number::Greater(both) => self.number(&both.0).max(self.number(&both.1)),
            Number::Lesser(both) => self.number(&both.0).min(self.number(&both.1)),
            Number::Table(table) => self.looked_up(table).copied().unwrap_or(0),
            Number::Count(set) => count(self.set(set).count()),
            Number::Length(list) => {
                let found = self.list(list);
                let length = count(found.len());
                self.give_back(found);
                length
            }
            Number::Tokens(both) => {
                let sites = self.set(&both.1);
                let mut sum = 0;
                let pools = self.pools(&both.0);
                for pool in pools.iter() {
                    for site in sites.iter() {
                        sum += i64::from(self.state.tokens_at(self.program, pool, site));
                    }
                }
                sum
            }
            Number::Fold(fold, both) => {
                let mut total: Option<i64> = None;
                self.each(&both.0, 0, &mut |run| {
                    let n = run.number(&both.1);
                    total = Some(match (fold, total) {
                        (_, None) => n,
                        (Fold::Max, Some(t)) => t.max(n),
                        (Fold::Min, Some(t)) => t.min(n),
                        (Fold::Sum | Fold::Union, Some(t)) => t.saturating_add(n),
                    });
                    true
                });
                total.unwrap_or(0)
            }
            Number::Following(seat) => {
                let seat = self.index(seat);
                count(self.state.following(seat))
            }
            Number::Preceding(seat) => {
                let seat = self.index(seat);
                count(self.state.preceding(seat))
            }
            Number::Distance(parts) => {
                let (a, b, ways) = (self.index(&parts.0), self.index(&parts.1), self.set(&parts.2));
                self.distance(a, b, ways)
            }
            Number::Truth(test) => i64::from(self.test(test)),
            Number::With(both) => {
                self.bind_all(&both.0);
                self.number(&both.1)
            }
        }
    }

    /// The pools meant, as a set of their numbers.
    #[inline]
    pub(super) fn pools(&mut self, pools: &'a Pools<W>) -> W {
        match pools {
            Pools::One(pool) => W::one(usize::from(*pool)),
            Pools::Mine(base) => W::one(usize::from(*base) + usize::from(self.state.me)),
            Pools::Of(base, seat) => {
                let seat = self.index(seat);
                W::one(usize::from(*base) + seat)
            }
            Pools::All(base, seats) => self.set(seats).iter().map(|seat| usize::from(*base) + seat).collect(),
        }
    }

    /// The value of a test. Leaves are read on the spot.
    #[inline]
    pub(super) fn test(&mut self, test: &'a Test<W>) -> bool {
        match test {
            Test::Const(value) => *value,
            Test::Is(number, n) => self.number(number) == *n,
            Test::ByLocal(at, values) => {
                let at = usize::try_from(self.local(*at)).unwrap_or(usize::MAX);
                values.get(at).copied().unwrap_or(false)
            }
            other => self.inner_test(other),
        }
    }

    fn inner_test(&mut self, test: &'a Test<W>) -> bool {
        match test {
            Test::Number(number) => self.test_number(number),
            Test::Not(inner) => self.test_not(inner),
            Test::And(both) => self.test_and(both),
            Test::Or(both) => self.test_or(both),
            Test::Compare(order, both) => self.compared(*order, both),
            Test::Equal(both) => self.equal(both),
            Test::NoneOf(set) => self.none_of(set),
            Test::NoneIn(list) => self.is_none(list),
            Test::In(both) => self.inside(both),
            Test::Meets(both) => self.meet(both),
            Test::ByMe(values) => values.get(usize::from(self.state.me)).copied().unwrap_or(false),
            Test::ByMeAnd(at, size, values) => self.by_me_and(*at, *size, values).copied().unwrap_or(false),
            other => self.rest_of_tests(other),
        }
    }

    #[inline(never)]
    fn test_number(&mut self, number: &'a Number<W>) -> bool {
        self.number(number) != 0
    }

    #[inline(never)]
    fn test_not(&mut self, inner: &'a Test<W>) -> bool {
        !self.test(inner)
    }

    #[inline(never)]
    fn test_and(&mut self, both: &'a (Test<W>, Test<W>)) -> bool {
        self.test(&both.0) && self.test(&both.1)
    }

    #[inline(never)]
    fn test_or(&mut self, both: &'a (Test<W>, Test<W>)) -> bool {
        self.test(&both.0) || self.test(&both.1)
    }

    #[inline(never)]
    fn compared(&mut self, order: Order, both: &'a (Number<W>, Number<W>)) -> bool {
        let (a, b) = (self.number(&both.0), self.number(&both.1));
        match order {
            Order::Lt => a < b,
            Order::Le => a <= b,
            Order::Gt => a > b,
            Order::Ge => a >= b,
        }
    }

    #[inline(never)]
    fn equal(&mut self, both: &'a (Number<W>, Number<W>)) -> bool {
        self.number(&both.0) == self.number(&both.1)
    }

    #[inline(never)]
    fn none_of(&mut self, set: &'a Set<W>) -> bool {
        self.set(set).is_empty()
    }

    #[inline(never)]
    fn inside(&mut self, both: &'a (Number<W>, Set<W>)) -> bool {
        let member = self.number(&both.0);
        usize::try_from(member).is_ok_and(|member| self.has(&both.1, member))
    }

    #[inline(never)]
    fn meet(&mut self, both: &'a (Set<W>, Set<W>)) -> bool {
        self.set(&both.0).meets(self.set(&both.1))
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of test")]
    #[inline(never)]
    fn rest_of_tests(&mut self, test: &'a Test<W>) -> bool {
        match test {
            Test::Const(_)
            | Test::Is(..)
            | Test::ByLocal(..)
            | Test::Number(_)
            | Test::Not(_)
            | Test::And(_)
            | Test::Or(_)
            | Test::Compare(..)
            | Test::Equal(_)
            | Test::NoneOf(_)
            | Test::NoneIn(_)
            | Test::In(_)
            | Test::Meets(_)
            | Test::ByMe(_)
            | Test::ByMeAnd(..) => self.test(test),
            Test::Iff(both) => self.test(&both.0) == self.test(&both.1),
            Test::If(parts) => {
                if self.test(&parts.0) {
                    self.test(&parts.1)
                } else {
                    self.test(&parts.2)
                }
            }
            Test::SameSet(both) => self.set(&both.0) == self.set(&both.1),
            Test::SameList(both) => {
                let (a, b) = (self.list(&both.0), self.list(&both.1));
                let same = a == b;
                self.give_back(a);
                self.give_back(b);
                same
            }
            Test::InList(both) => {
                let member = self.number(&both.0);
                let list = self.list(&both.1);
                let inside = list.contains(&member);
                self.give_back(list);
                inside
            }
            Test::InRange(parts) => {
                let n = self.number(&parts.0);
                self.number(&parts.1) <= n && n <= self.number(&parts.2)
            }
            Test::Within(both) => self.set(&both.0).within(self.set(&both.1)),
            Test::WithinList(both) => {
                let (a, b) = (self.list(&both.0), self.list(&both.1));
                let within = a.iter().all(|member| b.contains(member));
                self.give_back(a);
                self.give_back(b);
                within
            }
            Test::MeetsList(both) => {
                let (a, b) = (self.list(&both.0), self.list(&both.1));
                let meets = a.iter().any(|member| b.contains(member));
                self.give_back(a);
                self.give_back(b);
                meets
            }
            Test::InPhase(phase) => self.state.phase == Some(*phase),
            Test::ByPiece(site, values) => self.by_piece(site, values).copied().unwrap_or(false),
            Test::Table(table) => self.looked_up(table).copied().unwrap_or(false),
            Test::Quantified(all, both) => {
                let mut verdict = *all;
                self.each(&both.0, 0, &mut |run| {
                    let holds = run.test(&both.1);
                    if holds != *all {
                        verdict = holds;
                    }
                    holds == *all
                });
                verdict
            }
            Test::Memo(memo, args) => self.kept_number(*memo, args) != 0,
            Test::Line(both) => {
                let (set, length) = (self.set(&both.0), self.number(&both.1));
                !self.rows(set, length).is_empty()
            }
            Test::Connected(sets) => {
                let (a, b, set) = (self.set(&sets[0]), self.set(&sets[1]), self.set(&sets[2]));
                let ways = self.set(&sets[3]);
                self.flood(a, set, ways).meets(b)
            }
            Test::Repeats(ply) => {
                let ply = usize::try_from(self.number(ply)).ok();
                let earlier = ply.and_then(|ply| self.state.history.get(ply)).copied();
                earlier == Some(self.key_now().0)
            }
            Test::With(both) => {
                self.bind_all(&both.0);
                self.test(&both.1)
            }
        }
    }

    /// Runs `each` for every combination of bound values that passes the filter,
    /// until it says stop; false if it did.
    pub(super) fn each<F: FnMut(&mut Self) -> bool>(&mut self, over: &'a Loop<W>, from: usize, each: &mut F) -> bool {
        let Some((at, source)) = over.over.get(from) else {
            return over.filter.as_ref().is_some_and(|filter| !self.test(filter)) || each(self);
        };
        match source {
            Source::Set(set) => {
                for member in self.set(set).iter() {
                    if !self.tick() {
                        return false;
                    }
                    self.set_local(*at, count(member));
                    if !self.each(over, from + 1, each) {
                        return false;
                    }
                }
                true
            }
            Source::PiecesAt(set) => {
                for site in self.set(set).and(self.state.taken).iter() {
                    if !self.tick() {
                        return false;
                    }
                    self.set_local(*at, i64::from(self.state.sites[site]));
                    if !self.each(over, from + 1, each) {
                        return false;
                    }
                }
                true
            }
            Source::PieceAt(site) => {
                let site = self.index(site);
                match self.state.sites.get(site) {
                    None | Some(0) => true,
                    Some(&piece) => {
                        self.set_local(*at, i64::from(piece));
                        self.each(over, from + 1, each)
                    }
                }
            }
            Source::List(list) => {
                let members = self.list(list);
                let mut go_on = true;
                for &member in &members {
                    if !self.tick() {
                        go_on = false;
                        break;
                    }
                    self.set_local(*at, member);
                    if !self.each(over, from + 1, each) {
                        go_on = false;
                        break;
                    }
                }
                self.give_back(members);
                go_on
            }
        }
    }
}

pub(super) fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
