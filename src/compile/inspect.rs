//! Which cached definitions depend on the pieces of a position only through the sites that their evaluation inspects,
//! and through whole indexes known at load. Their values outlive changes elsewhere on the boards.

use super::compared::{compare, wrap};
use super::index_bits;
use super::outlook::Near;
use super::program::{Bind, Body, Inspects, Local, Loop, Memo, Number, Pools, Route, Set, Source, Test};
use crate::base::Word;
use crate::ir::SetOp;

/// What a set depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Its value is settled by what has been inspected when it has been evaluated.
    Closed,
    /// Whether a site is in it depends on that site, and on what has been inspected.
    Mask,
    /// Anything else.
    Open,
}

use Reach::{Closed, Mask, Open};

/// What may be looked at while a definition is evaluated. Sets whose members have to count as inspected are wrapped
/// on the way; where the analysis fails this costs little and changes nothing.
pub(super) struct Scope<'m, W: Word> {
    memos: &'m [Memo<W>],
    /// The local names of sites that are inspected.
    sites: Vec<Local>,
    /// Those of numbers that what is inspected settles.
    numbers: Vec<Local>,
    /// Those of sets that what is inspected settles.
    sets: Vec<Local>,
    /// Those of masks, with what they are bound to.
    masks: Vec<(Local, Set<W>)>,
    /// The indexes that are read as a whole.
    whole: u64,
}

/// How a definition depends on pieces, if sites and whole indexes tell; `sites` are its parameters that are sites,
/// `others` the rest.
pub(super) fn inspects<W: Word>(
    body: &mut Body<W>,
    sites: Vec<Local>,
    others: Vec<Local>,
    memos: &[Memo<W>],
) -> Option<Inspects> {
    let own = sites.clone().into();
    let mut scope = Scope { memos, sites, numbers: others, sets: Vec::new(), masks: Vec::new(), whole: 0 };
    let settled = match body {
        Body::Number(number) => scope.number(number),
        Body::Test(test) => scope.test(test),
        Body::Set(set) => scope.closed(set),
        Body::Trial => false,
    };
    settled.then_some(Inspects { sites: own, whole: scope.whole })
}

impl<'m, W: Word> Scope<'m, W> {
    /// What may be looked at where one site is inspected.
    pub(super) fn at(site: Local, memos: &'m [Memo<W>]) -> Self {
        let (numbers, sets, masks) = (Vec::new(), Vec::new(), Vec::new());
        Self { memos, sites: vec![site], numbers, sets, masks, whole: 0 }
    }

    /// How all that has been gone through depends on pieces.
    pub(super) fn inspects(&self, sites: Box<[Local]>) -> Inspects {
        Inspects { sites, whole: self.whole }
    }
}

impl<W: Word> Scope<'_, W> {
    fn knows(&self, at: Local) -> bool {
        self.sites.contains(&at) || self.numbers.contains(&at)
    }

    /// A name for a site that is inspected.
    pub(super) fn site(&self, number: &Number<W>) -> bool {
        matches!(number, Number::Local(at) if self.sites.contains(at))
    }

    /// The value is settled, if need be by reading whole indexes.
    pub(super) fn closed(&mut self, set: &mut Set<W>) -> bool {
        match self.set(set) {
            Closed => true,
            Mask => self.whole(set),
            Open => false,
        }
    }

    /// The same, and its members are inspected.
    pub(super) fn members(&mut self, set: &mut Set<W>) -> bool {
        let closed = self.closed(set);
        if closed {
            wrap(set);
        }
        closed
    }

    /// Notes that a mask is read as a whole; false if it is made of more than indexes.
    fn whole(&mut self, set: &Set<W>) -> bool {
        if let Set::Local(at) = set {
            let bound = self.masks.iter().rev().find(|(mask, _)| mask == at).map(|(_, set)| set.clone());
            return bound.is_some_and(|set| self.whole(&set));
        }
        if let Set::Op(_, both) = set {
            return [&both.0, &both.1].into_iter().all(|part| self.settled(part) || self.whole(part));
        }
        if let Set::If(parts) = set {
            return [&parts.1, &parts.2].into_iter().all(|part| self.settled(part) || self.whole(part));
        }
        let Some(indexes) = indexes_of(set) else { return false };
        self.whole |= index_bits(indexes);
        indexes.iter().all(|&index| u32::from(index) < u64::BITS)
    }

    /// The indexes that a mask is made of, if it is made of nothing else that pieces change.
    fn indexes(&self, mask: &Set<W>) -> Option<Set<W>> {
        if let Set::Op(op, both) = mask {
            return Some(Set::Op(*op, Box::new((self.indexes(&both.0)?, self.indexes(&both.1)?))));
        }
        if let Set::Local(at) = mask {
            let (_, bound) = self.masks.iter().rev().find(|(mask, _)| mask == at)?;
            return self.indexes(bound);
        }
        if let Set::Const(_) = mask {
            return Some(Set::Const(W::NONE));
        }
        let indexes = indexes_of(mask)?;
        indexes.iter().all(|&index| u32::from(index) < u64::BITS).then(|| mask.clone())
    }

    /// Whether a part of a mask, which has been gone through before, is closed.
    fn settled(&mut self, set: &Set<W>) -> bool {
        self.set(&mut set.clone()) == Closed
    }

    fn set(&mut self, set: &mut Set<W>) -> Reach {
        let closed = match set {
            Set::Empty | Set::Occupied | Set::Index(_) | Set::IndexByMe(_) => return Mask,
            Set::IndexBy(both) => return if self.number(&mut both.0) { Mask } else { Open },
            Set::Op(op, both) => return self.combined(*op, both),
            Set::If(parts) => {
                if !self.test(&mut parts.0) {
                    return Open;
                }
                return match (self.set(&mut parts.1), self.set(&mut parts.2)) {
                    (Open, _) | (_, Open) => Open,
                    (Closed, Closed) => Closed,
                    (Closed | Mask, Mask) | (Mask, Closed) => Mask,
                };
            }
            Set::Inspected(inner) => return self.set(inner),
            Set::Compared(both) => return self.set(&mut both.0),
            Set::Const(_) | Set::Playing | Set::ByMe(_) => true,
            Set::Local(at) if self.masks.iter().any(|(mask, _)| mask == at) => return Mask,
            Set::Local(at) => self.sets.contains(at),
            Set::Var(cell) => cell.at.iter_mut().all(|(number, _)| self.number(number)),
            Set::TokenSites(pools) => self.pools(pools),
            Set::One(number) => self.number(number),
            Set::Some(numbers) => numbers.iter_mut().all(|number| self.number(number)),
            Set::Filter(at, both) => {
                let members = self.members(&mut both.0);
                self.sites.push(*at);
                members && self.test(&mut both.1)
            }
            Set::Top(at, both) => {
                let members = self.members(&mut both.0);
                self.sites.push(*at);
                members && self.number(&mut both.1)
            }
            Set::Fold(both) => self.over(&mut both.0) && self.closed(&mut both.1),
            Set::ByLocal(at, _) | Set::ByMeAnd(at, ..) => self.knows(*at),
            Set::ByPiece(site, _) => self.site(site),
            Set::Table(table) => table.by.iter_mut().all(|(number, _)| self.number(number)),
            Set::Path(route) => self.route(route),
            Set::Toward(both) | Set::Around(both) | Set::Ray(both) => {
                self.closed(&mut both.0) && self.closed(&mut both.1)
            }
            Set::Between(both) | Set::Rectangle(both) => self.number(&mut both.0) && self.number(&mut both.1),
            Set::Group(sets) => {
                let [from, inside, ways] = sets.as_mut();
                self.members(from) && self.set(inside) != Open && self.closed(ways)
            }
            Set::Rows(both) => self.closed(&mut both.0) && self.number(&mut both.1),
            Set::InRows(both) => self.closed(&mut both.0),
            Set::Memo(memo, args) => self.memo(*memo, args),
            Set::With(both) => {
                if !self.binds(&mut both.0) {
                    return Open;
                }
                return self.set(&mut both.1);
            }
            Set::Reach(_) | Set::Ends(_) | Set::Takes(_) | Set::WayTaken(_) => false,
        };
        if closed { Closed } else { Open }
    }

    fn combined(&mut self, op: SetOp, both: &mut (Set<W>, Set<W>)) -> Reach {
        match (self.set(&mut both.0), self.set(&mut both.1), op) {
            (Open, ..) | (_, Open, _) => Open,
            (Closed, Closed, _) => Closed,
            (Closed, Mask, SetOp::Intersect | SetOp::Minus) => {
                compare(&mut both.0, self.indexes(&both.1));
                Closed
            }
            // An empty first part would leave the second one out.
            (Mask, Closed, SetOp::Intersect) => {
                compare(&mut both.1, self.indexes(&both.0));
                std::mem::swap(&mut both.0, &mut both.1);
                Closed
            }
            (Mask, Mask, _) | (Mask, Closed, SetOp::Union | SetOp::Minus) | (Closed, Mask, SetOp::Union) => Mask,
        }
    }

    fn route(&mut self, route: &mut Route<W>) -> bool {
        if !self.members(&mut route.from) {
            return false;
        }
        let sites = self.sites.iter().copied().chain([route.start]).collect();
        let mut near = Near::among(sites, self.numbers.clone(), self.sets.clone());
        near.binds(&route.binds) && near.walk(&route.walk)
    }

    fn memo(&mut self, memo: u16, args: &mut [Number<W>]) -> bool {
        let inspects = self.memos.get(usize::from(memo)).and_then(|memo| memo.inspects.as_ref());
        let Some(inspects) = inspects else { return false };
        self.whole |= inspects.whole;
        args.iter_mut().all(|arg| self.number(arg))
    }

    fn pools(&mut self, pools: &mut Pools<W>) -> bool {
        match pools {
            Pools::One(_) | Pools::Mine(_) => true,
            Pools::Of(_, seat) => self.number(seat),
            Pools::All(_, seats) => self.closed(seats),
        }
    }

    pub(super) fn binds(&mut self, binds: &mut [Bind<W>]) -> bool {
        binds.iter_mut().all(|bind| match bind {
            Bind::Number(at, number) => {
                let site = self.site(number);
                self.sites.retain(|known| site || known != at);
                let names = if site { &mut self.sites } else { &mut self.numbers };
                names.push(*at);
                self.number(number)
            }
            Bind::Set(at, set) => {
                match self.set(set) {
                    Closed => self.sets.push(*at),
                    Mask => self.masks.push((*at, set.clone())),
                    Open => return false,
                }
                true
            }
            Bind::List(..) => false,
        })
    }

    fn over(&mut self, over: &mut Loop<W>) -> bool {
        over.over.iter_mut().all(|(at, source)| match source {
            Source::Set(set) => {
                let members = self.members(set);
                self.sites.push(*at);
                members
            }
            Source::PiecesAt(set) => {
                let members = self.members(set);
                self.numbers.push(*at);
                members
            }
            Source::PieceAt(site) => {
                self.numbers.push(*at);
                self.site(site)
            }
            Source::List(_) => false,
        }) && over.filter.as_mut().is_none_or(|filter| self.test(filter))
    }

    fn numbers(&mut self, both: &mut (Number<W>, Number<W>)) -> bool {
        self.number(&mut both.0) && self.number(&mut both.1)
    }

    pub(super) fn number(&mut self, number: &mut Number<W>) -> bool {
        match number {
            Number::Const(_) | Number::Me | Number::ByMe(_) => true,
            Number::Local(at) | Number::ByLocal(at, _) | Number::ByMeAnd(at, ..) => self.knows(*at),
            Number::Var(cell) | Number::ZoneSize(cell) => cell.at.iter_mut().all(|(number, _)| self.number(number)),
            Number::Neg(inner) | Number::Abs(inner) | Number::Following(inner) | Number::Preceding(inner) => {
                self.number(inner)
            }
            Number::Calc(_, both) | Number::Greater(both) | Number::Lesser(both) => self.numbers(both),
            Number::If(parts) => self.test(&mut parts.0) && self.number(&mut parts.1) && self.number(&mut parts.2),
            Number::ByPiece(site, _) => self.site(site),
            Number::Table(table) => table.by.iter_mut().all(|(number, _)| self.number(number)),
            Number::Count(set) => self.closed(set),
            Number::Tokens(both) => self.pools(&mut both.0) && self.closed(&mut both.1),
            Number::TokensAt(both) => self.pools(&mut both.0) && self.number(&mut both.1),
            Number::Fold(_, both) => self.over(&mut both.0) && self.number(&mut both.1),
            Number::Distance(parts) => {
                self.number(&mut parts.0) && self.number(&mut parts.1) && self.closed(&mut parts.2)
            }
            Number::Truth(test) => self.test(test),
            Number::Memo(memo, args) => self.memo(*memo, args),
            Number::With(both) => self.binds(&mut both.0) && self.number(&mut both.1),
            Number::Mover
            | Number::Ply
            | Number::Turn
            | Number::Now
            | Number::Occurrences
            | Number::OccurrencesOf(_)
            | Number::Length(_)
            | Number::WayTo(_) => false,
        }
    }

    pub(super) fn test(&mut self, test: &mut Test<W>) -> bool {
        match test {
            Test::Const(_) | Test::ByMe(_) => true,
            Test::Number(number) => self.number(number),
            Test::Is(number, _) => self.number(number),
            Test::Not(inner) => self.test(inner),
            Test::And(both) | Test::Or(both) | Test::Iff(both) => self.test(&mut both.0) && self.test(&mut both.1),
            Test::If(parts) => self.test(&mut parts.0) && self.test(&mut parts.1) && self.test(&mut parts.2),
            Test::Compare(_, both) | Test::Equal(both) => self.numbers(both),
            Test::InRange(parts) => self.number(&mut parts.0) && self.number(&mut parts.1) && self.number(&mut parts.2),
            Test::SameSet(both) => self.closed(&mut both.0) && self.closed(&mut both.1),
            Test::NoneOf(set) => self.closed(set),
            Test::In(both) => self.number(&mut both.0) && self.inside(both),
            Test::Within(both) => self.members(&mut both.0) && self.set(&mut both.1) != Open,
            Test::Meets(both) => self.meets(both),
            Test::ByLocal(at, _) | Test::ByMeAnd(at, ..) => self.knows(*at),
            Test::ByPiece(site, _) => self.site(site),
            Test::Table(table) => table.by.iter_mut().all(|(number, _)| self.number(number)),
            Test::Quantified(_, both) => self.over(&mut both.0) && self.test(&mut both.1),
            Test::Line(both) => self.closed(&mut both.0) && self.number(&mut both.1),
            Test::Row(both) => self.closed(&mut both.0),
            Test::Connected(sets) => {
                let [a, b, set, ways] = sets.as_mut();
                self.members(a) && self.set(b) != Open && self.set(set) != Open && self.closed(ways)
            }
            Test::Memo(memo, args) => self.memo(*memo, args),
            Test::With(both) => self.binds(&mut both.0) && self.test(&mut both.1),
            Test::SameList(_)
            | Test::NoneIn(_)
            | Test::InList(_)
            | Test::WithinList(_)
            | Test::MeetsList(_)
            | Test::InPhase(_)
            | Test::Repeats(_)
            | Test::CanPlay(_) => false,
        }
    }

    /// Membership in a mask inspects the member.
    fn inside(&mut self, both: &mut (Number<W>, Set<W>)) -> bool {
        match self.set(&mut both.1) {
            Closed => true,
            Mask => self.site(&both.0) || self.whole(&both.1),
            Open => false,
        }
    }

    fn meets(&mut self, both: &mut (Set<W>, Set<W>)) -> bool {
        match (self.set(&mut both.0), self.set(&mut both.1)) {
            (Open, _) | (_, Open) => false,
            (Closed, Closed) => true,
            (Closed, Mask) => {
                compare(&mut both.0, self.indexes(&both.1));
                true
            }
            (Mask, Closed) => {
                compare(&mut both.1, self.indexes(&both.0));
                std::mem::swap(&mut both.0, &mut both.1);
                true
            }
            (Mask, Mask) => self.whole(&both.0) && self.whole(&both.1),
        }
    }
}

/// The indexes that a set may be.
fn indexes_of<W: Word>(set: &Set<W>) -> Option<&[u16]> {
    if let Set::Index(index) = set {
        Some(std::slice::from_ref(index))
    } else if let Set::IndexByMe(indexes) = set {
        Some(indexes)
    } else if let Set::IndexBy(both) = set {
        Some(&both.1)
    } else {
        None
    }
}
