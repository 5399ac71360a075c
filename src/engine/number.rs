//! Evaluation of lowered expressions: numbers.

use super::eval::{SITES_A_STEP, count};
use super::run::Run;
use crate::base::{Word, get_or_default, to_index};
use crate::compile::program::{Cell, Number, Pools, Test};
use crate::ir::{Fold, IntOp};

impl<'a, W: Word> Run<'a, W> {
    /// The value of a number. Leaves are read inline.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`rest_of_numbers` names every kind")]
    #[inline]
    pub(super) fn number(&mut self, number: &'a Number<W>) -> i64 {
        match number {
            Number::Const(n) => *n,
            Number::Local(at) => self.local(*at),
            Number::Me => i64::from(self.state.me),
            Number::Mover => i64::from(self.state.mover),
            Number::ByLocal(at, values) => get_or_default(values, to_index(self.local(*at))),
            _ => self.inner_number(number),
        }
    }

    /// The hot cases are in a function of their own, so that they do not pay for saving the registers that the rare
    /// ones need.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`rest_of_numbers` names every kind")]
    fn inner_number(&mut self, number: &'a Number<W>) -> i64 {
        self.note_work();
        match number {
            Number::Var(cell) => self.var(cell),
            Number::ByMe(values) => get_or_default(values, usize::from(self.state.me)),
            Number::ByMeAnd(at, size, values) => self.by_me_and(*at, *size, values),
            Number::ByPiece(site, values) => self.piece_number(site, values),
            Number::Calc(op, both) => self.calc(*op, both),
            Number::If(parts) => self.number_if(parts),
            Number::ZoneSize(zone) => self.zone_size(zone),
            Number::TokensAt(both) => self.tokens_there(both),
            Number::Memo(memo, args) => self.kept_number(*memo, args),
            _ => self.rest_of_numbers(number),
        }
    }

    #[inline(never)]
    fn var(&mut self, cell: &'a Cell<W>) -> i64 {
        let place = self.place(cell);
        get_or_default(&self.state.vars, place)
    }

    #[inline(never)]
    fn piece_number(&mut self, site: &'a Number<W>, values: &'a [i64]) -> i64 {
        self.by_piece(site, values)
    }

    #[inline(never)]
    fn calc(&mut self, op: IntOp, both: &'a (Number<W>, Number<W>)) -> i64 {
        let (a, b) = (self.number(&both.0), self.number(&both.1));
        op.of(a, b)
    }

    #[inline(never)]
    fn number_if(&mut self, parts: &'a (Test<W>, Number<W>, Number<W>)) -> i64 {
        let chosen = if self.test(&parts.0) { &parts.1 } else { &parts.2 };
        self.number(chosen)
    }

    #[inline(never)]
    fn zone_size(&mut self, zone: &'a Cell<W>) -> i64 {
        let place = self.place(zone);
        count(self.state.list(place).len())
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
            Number::Now => self.now(),
            Number::Occurrences => self.occurrences(),
            Number::OccurrencesOf(part) => self.occurrences_of(*part),
            Number::Neg(inner) => self.number(inner).saturating_neg(),
            Number::Abs(inner) => self.number(inner).saturating_abs(),
            Number::Greater(both) => self.number(&both.0).max(self.number(&both.1)),
            Number::Lesser(both) => self.number(&both.0).min(self.number(&both.1)),
            Number::Table(table) => self.looked_up(table),
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
                self.went_from((sites.count() * pools.count()) as u64 / SITES_A_STEP);
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
                total.unwrap_or(Fold::OF_NOTHING)
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
            Number::WayTo(way) => {
                let way = self.number(way);
                i64::from(self.ways.get_mut().ends(way).0)
            }
            Number::Truth(test) => i64::from(self.test(test)),
            Number::With(both) => {
                self.bind_all(&both.0);
                self.number(&both.1)
            }
        }
    }

    /// The pools of tokens, as a set of their numbers.
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
}
