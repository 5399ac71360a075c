//! Evaluation of lowered expressions: truth values.

use super::eval::SITES_A_STEP;
use super::members::among;
use super::moves::Moves;
use super::rows::has_row;
use super::run::Run;
use crate::base::{Word, get_or_default, to_index};
use crate::compile::program::{List, Number, Set, Test};
use crate::ir::{ActionRef, Order, SeatId};

impl<'a, W: Word> Run<'a, W> {
    /// The value of a test. Leaves are read inline.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`rest_of_tests` names every kind")]
    #[inline]
    pub(super) fn test(&mut self, test: &'a Test<W>) -> bool {
        match test {
            Test::Const(value) => *value,
            Test::Is(number, n) => self.number(number) == *n,
            Test::ByLocal(at, values) => get_or_default(values, to_index(self.local(*at))),
            _ => self.inner_test(test),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "`rest_of_tests` names every kind")]
    fn inner_test(&mut self, test: &'a Test<W>) -> bool {
        self.note_work();
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
            Test::ByMe(values) => get_or_default(values, usize::from(self.state.me)),
            Test::ByMeAnd(at, size, values) => self.by_me_and(*at, *size, values),
            _ => self.rest_of_tests(test),
        }
    }

    /// Whether a seat that still plays would have a legal move of one of the actions if asked now.
    #[inline(never)]
    fn can_play(&mut self, seat: &'a Number<W>, actions: &'a [ActionRef]) -> bool {
        let seat = to_index(self.number(seat));
        if !self.state.playing.contains(seat) {
            return false;
        }
        // The local names of the actions must not survive the test; copying long lists is not free.
        let held: usize = self.state.local_lists.iter().map(Vec::len).sum();
        self.steps = self.steps.saturating_sub(held as u64 / SITES_A_STEP);
        let mut names = self.names.pop().unwrap_or_default();
        self.state.copy_names(&mut names);
        let before = (self.state.me, self.last, self.end);
        let mut moves = self.spare_moves.pop().unwrap_or_else(Moves::new);
        moves.forget();
        moves.any = true;
        std::mem::swap(&mut self.moves, &mut moves);
        self.state.me = SeatId::new(seat);
        self.list_group(actions);
        let found = !self.moves.groups.is_empty();
        std::mem::swap(&mut self.moves, &mut moves);
        self.spare_moves.push(moves);
        (self.state.me, self.last, self.end) = before;
        self.state.restore(&mut names);
        self.names.push(names);
        found
    }

    /// Two lists that are searched for each other's members, which costs a step for each.
    fn both(&mut self, both: &'a (List<W>, List<W>)) -> (Vec<i64>, Vec<i64>) {
        let (a, b) = (self.list(&both.0), self.list(&both.1));
        self.steps = self.steps.saturating_sub((a.len() + b.len()) as u64);
        (a, b)
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
        order.holds(a, b)
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
        match both {
            (Set::Compared(compared), sites) if matches!(compared.0, Set::Path(_)) => self.sees(compared, sites),
            (Set::Path(route), sites) | (sites, Set::Path(route)) => {
                let sites = self.set(sites);
                self.leads_to(route, sites)
            }
            (a, b) => self.set(a).meets(self.set(b)),
        }
    }

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
                let (a, b) = self.both(both);
                let within = a.iter().all(among(&b));
                self.give_back(a);
                self.give_back(b);
                within
            }
            Test::MeetsList(both) => {
                let (a, b) = self.both(both);
                let meets = a.iter().any(among(&b));
                self.give_back(a);
                self.give_back(b);
                meets
            }
            Test::InPhase(phase) => self.state.phase == Some(*phase),
            Test::ByPiece(site, values) => self.by_piece(site, values),
            Test::Table(table) => self.looked_up(table),
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
                !self.rows(set, length, true).is_empty()
            }
            Test::Row(both) => self.rows_known(&both.0, &both.1, has_row),
            Test::Connected(sets) => {
                let (a, b, set) = (self.set(&sets[0]), self.set(&sets[1]), self.set(&sets[2]));
                let ways = self.set(&sets[3]);
                self.flood(a, set, ways).meets(b)
            }
            Test::CanPlay(asked) => self.can_play(&asked.0, &asked.1),
            Test::Repeats(ply) => {
                let ply = self.number(ply);
                self.repeats(ply)
            }
            Test::With(both) => {
                self.bind_all(&both.0);
                self.test(&both.1)
            }
        }
    }
}
