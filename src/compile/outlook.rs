//! Outlooks: caching where a path leads from each site until something it inspected changes.

use super::lower::Lower;
use super::program::{
    Bind, By, Graph, Heading, Home, Hop, Leaps, Local, Loop, Number, Outlook, Route, Set, SetPath, Source, Stand, Test,
    WalkerPath, Watched, WayRoute,
};
use crate::base::Word;
use crate::ir::Ty;

/// With more seats, too much of a graph changes between two moves of a seat for its chains of leaps to be worth
/// caching.
const SEATS: usize = 3;

impl<W: Word> Lower<'_, W> {
    /// The outlook of a path, if its result depends only on the sites it visits.
    pub(super) fn outlook(&mut self, route: &Route<W>) -> Option<Outlook> {
        let Set::One(from) = &route.from else { return None };
        let Number::Local(from) = **from else { return None };
        let mut near = self.near(vec![from, route.start], true);
        if let SetPath::Leaps(leaps, 1) = &route.walk {
            return self.outlook_of_leaps(leaps, near);
        }
        if !self.game.tokens.is_empty() || !near.binds(&route.binds) || !near.walk(&route.walk) {
            return None;
        }
        self.new_outlook(&[Watched::Sites], near.by()?)
    }

    /// The same for a path that is followed one walker at a time.
    pub(super) fn outlook_of_track(&mut self, track: &WayRoute<W>) -> Option<Outlook> {
        let Set::One(from) = &track.from else { return None };
        let Number::Local(from) = **from else { return None };
        let mut near = self.near(vec![from, track.start], true);
        near.stands(track.stand);
        if !self.game.tokens.is_empty() || !near.binds(&track.binds) || !near.walker_path(&track.walker_path) {
            return None;
        }
        self.new_outlook(&[Watched::Sites], near.by()?)
    }

    /// Allows dependence on nothing but these sites.
    pub(super) fn near(&self, sites: Vec<Local>, boards: bool) -> Near {
        let seat = |(slot, home): (&crate::ir::SlotInfo, &Home)| {
            if let Home::Number(at) = home { (slot.ty == Ty::Seat).then_some(*at) } else { None }
        };
        let seats = self.game.slots.iter().zip(&self.homes).filter_map(seat).collect();
        Near { sites, bound: Bound::default(), me: false, seats, seat: None, boards }
    }

    /// Chains of leaps depend on the graph alone.
    fn outlook_of_leaps(&mut self, leaps: &Leaps<W>, mut near: Near) -> Option<Outlook> {
        near.boards = false;
        let back = leaps.graphs.iter().all(|&graph| self.graphs.get(usize::from(graph)).is_some_and(leads_back));
        if leaps.there.is_none() && back {
            let mut everywhere = self.near(Vec::new(), false);
            everywhere.me = leaps.graphs.len() > 1;
            if leaps.within.as_ref().is_none_or(|within| everywhere.set(within)) {
                let graphs: Vec<Watched> = leaps.graphs.iter().map(|&graph| Watched::Components(graph)).collect();
                return self.new_outlook(&graphs, everywhere.by()?);
            }
        }
        if self.game.seats.len() > SEATS || leaps.within.as_ref().is_some_and(|within| !near.set(within)) {
            return None;
        }
        if let Some((here, there)) = &leaps.there {
            near.bound.numbers.push(*here);
            if !near.set(there) {
                return None;
            }
        }
        let graphs: Vec<Watched> = leaps.graphs.iter().map(|&graph| Watched::Graph(graph)).collect();
        near.me |= graphs.len() > 1;
        self.new_outlook(&graphs, near.by()?)
    }

    fn new_outlook(&mut self, watched: &[Watched], by: By) -> Option<Outlook> {
        let first = u16::try_from(self.outlooks.len()).ok()?;
        for seat in 0..if by == By::Nobody { 1 } else { self.game.seats.len() } {
            self.outlooks.push(*watched.get(seat).or(watched.first())?);
        }
        u16::try_from(self.outlooks.len()).ok()?;
        Some(Outlook { first, by })
    }
}

/// Whether every hop is reversible.
fn leads_back<W: Word>(graph: &Graph<W>) -> bool {
    let both = |pairs: &[(u16, u16)]| pairs.iter().all(|&(from, end)| pairs.contains(&(end, from)));
    (0..graph.beside.len()).all(|middle| both(graph.by_middle.of(middle)))
}

/// The local names for numbers and sets that depend only on visited sites; those of sets that matter as a whole.
#[derive(Default)]
struct Bound {
    numbers: Vec<Local>,
    sets: Vec<Local>,
    fixed: Vec<Local>,
    pieces: Vec<Local>,
}

/// What a path may depend on.
pub(super) struct Near {
    /// The local names of visited sites.
    sites: Vec<Local>,
    bound: Bound,
    /// Whether it depends on the acting seat.
    me: bool,
    /// The local names for seats.
    seats: Vec<Local>,
    /// The one it depends on.
    seat: Option<Local>,
    /// Whether sets may depend on the board: only their membership at visited sites matters.
    boards: bool,
}

impl Near {
    /// Nothing but these: sites that are visited, and numbers and sets that are settled by them.
    pub(super) fn among(sites: Vec<Local>, numbers: Vec<Local>, sets: Vec<Local>) -> Self {
        let bound = Bound { numbers, fixed: sets, ..Bound::default() };
        Self { sites, bound, me: false, seats: Vec::new(), seat: None, boards: true }
    }

    /// The seat on which the result depends; none if on more than one.
    fn by(&self) -> Option<By> {
        match (self.me, self.seat) {
            (false, None) => Some(By::Nobody),
            (true, None) => Some(By::Me),
            (false, Some(seat)) => Some(By::Seat(seat)),
            (true, Some(_)) => None,
        }
    }

    fn stands(&mut self, stand: Stand) {
        self.sites.push(stand.here);
        self.bound.sets.extend(stand.taken);
    }

    fn walker_path<W: Word>(&mut self, walker_path: &WalkerPath<W>) -> bool {
        match walker_path {
            WalkerPath::Step(ways, to) => self.fixed(ways) && self.set(to),
            WalkerPath::Slide(ways, limit, through) => {
                self.fixed(ways) && limit.as_ref().is_none_or(|limit| self.number(limit)) && self.set(through)
            }
            WalkerPath::Hop(sets, _) | WalkerPath::Flank(sets) => {
                self.fixed(&sets.0) && self.set(&sets.1) && self.set(&sets.2)
            }
            WalkerPath::Along(at, ways, body) => {
                self.bound.numbers.push(*at);
                self.fixed(ways) && self.walker_path(body)
            }
            WalkerPath::Take => true,
            WalkerPath::If(test) => self.test(test),
            WalkerPath::Then(parts) | WalkerPath::Or(parts) => parts.iter().all(|part| self.walker_path(part)),
            WalkerPath::Each(body) | WalkerPath::Repeat { body, .. } => self.walker_path(body),
            WalkerPath::Call(binds, stand, body) => {
                self.stands(*stand);
                self.binds(binds) && self.walker_path(body)
            }
        }
    }

    pub(super) fn binds<W: Word>(&mut self, binds: &[Bind<W>]) -> bool {
        binds.iter().all(|bind| match bind {
            Bind::Number(at, Number::Local(site)) if self.sites.contains(site) => {
                self.sites.push(*at);
                true
            }
            Bind::Number(at, number) => {
                self.bound.numbers.push(*at);
                self.number(number)
            }
            Bind::Set(at, set) => {
                let fixed = self.fixed(set);
                let names = if fixed { &mut self.bound.fixed } else { &mut self.bound.sets };
                names.push(*at);
                fixed || self.set(set)
            }
            Bind::List(..) => false,
        })
    }

    pub(super) fn walk<W: Word>(&mut self, walk: &SetPath<W>) -> bool {
        match walk {
            SetPath::Step(heading, to) => self.heading(heading) && self.set(to),
            SetPath::Slide(ways, limit, through) => {
                self.fixed(ways) && limit.as_ref().is_none_or(|limit| self.number(limit)) && self.set(through)
            }
            SetPath::Hop(hop) | SetPath::Hops(hop, _) => self.hop(hop),
            SetPath::Leaps(..) => false,
            SetPath::Rays(sets, limit) => {
                limit.as_ref().is_none_or(|limit| self.number(limit))
                    && self.fixed(&sets.0)
                    && self.set(&sets.1)
                    && self.set(&sets.2)
            }
            SetPath::RayChain(ways, links) => self.fixed(ways) && links.iter().all(|(a, b)| self.set(a) && self.set(b)),
            SetPath::Along(at, ways, body) => {
                self.bound.numbers.push(*at);
                self.fixed(ways) && self.walk(body)
            }
            SetPath::If(test) => self.test(test),
            SetPath::Then(parts) | SetPath::Or(parts) => parts.iter().all(|part| self.walk(part)),
            SetPath::Repeat { body, .. } => self.walk(body),
            SetPath::Each(at, body) => {
                self.sites.push(*at);
                self.walk(body)
            }
            SetPath::Call(binds, body) => self.binds(binds) && self.walk(body),
        }
    }

    fn heading<W: Word>(&mut self, heading: &Heading<W>) -> bool {
        match heading {
            Heading::Known(_) => true,
            Heading::Set(ways) => self.fixed(ways),
        }
    }

    fn hop<W: Word>(&mut self, hop: &Hop<W>) -> bool {
        if let Some((here, _)) = &hop.there {
            self.sites.push(*here);
        }
        hop.heading.as_ref().is_none_or(|ways| self.fixed(ways))
            && self.set(&hop.over)
            && self.set(&hop.to)
            && hop.there.as_ref().is_none_or(|(_, there)| self.set(there))
    }

    /// A set that matters as a whole, such as a set of directions.
    fn fixed<W: Word>(&mut self, set: &Set<W>) -> bool {
        let boards = std::mem::replace(&mut self.boards, false);
        let fixed = self.set(set);
        self.boards = boards;
        fixed
    }

    fn set<W: Word>(&mut self, set: &Set<W>) -> bool {
        match set {
            Set::Const(_) => true,
            Set::Local(at) => self.bound.fixed.contains(at) || self.boards && self.bound.sets.contains(at),
            Set::Empty | Set::Occupied | Set::Index(_) => self.boards,
            Set::IndexByMe(_) => {
                self.me = true;
                self.boards
            }
            Set::ByMe(_) => {
                self.me = true;
                true
            }
            Set::IndexBy(both) => self.boards && self.number(&both.0),
            Set::One(number) => self.number(number),
            Set::Some(numbers) => numbers.iter().all(|number| self.number(number)),
            Set::Op(_, both) => self.set(&both.0) && self.set(&both.1),
            Set::If(parts) => self.test(&parts.0) && self.set(&parts.1) && self.set(&parts.2),
            Set::ByLocal(at, _) => self.knows(*at),
            Set::ByMeAnd(at, ..) => {
                self.me = true;
                self.knows(*at)
            }
            Set::ByPiece(site, _) => self.site(site),
            Set::Table(table) => table.by.iter().all(|(number, _)| self.number(number)),
            Set::Fold(both) => self.pieces(&both.0) && self.set(&both.1),
            Set::With(both) => self.binds(&both.0) && self.set(&both.1),
            Set::Var(_)
            | Set::TokenSites(_)
            | Set::Playing
            | Set::Filter(..)
            | Set::Top(..)
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
            | Set::Memo(..) => false,
        }
    }

    /// Binders over the pieces on visited sites.
    fn pieces<W: Word>(&mut self, over: &Loop<W>) -> bool {
        over.over.iter().all(|(at, source)| match source {
            Source::PieceAt(site) => {
                self.bound.pieces.push(*at);
                self.site(site)
            }
            Source::Set(_) | Source::List(_) | Source::PiecesAt(_) => false,
        }) && over.filter.as_ref().is_none_or(|filter| self.test(filter))
    }

    fn knows(&mut self, at: Local) -> bool {
        if self.seats.contains(&at) && self.seat.is_none_or(|seat| seat == at) && !self.bound.numbers.contains(&at) {
            self.seat = Some(at);
            return true;
        }
        self.sites.contains(&at) || self.bound.numbers.contains(&at) || self.bound.pieces.contains(&at)
    }

    /// A visited site.
    fn site<W: Word>(&self, number: &Number<W>) -> bool {
        matches!(number, Number::Local(at) if self.sites.contains(at))
    }

    fn number<W: Word>(&mut self, number: &Number<W>) -> bool {
        match number {
            Number::Const(_) => true,
            Number::Local(at) | Number::ByLocal(at, _) => self.knows(*at),
            Number::Me | Number::ByMe(_) => {
                self.me = true;
                true
            }
            Number::ByMeAnd(at, ..) => {
                self.me = true;
                self.knows(*at)
            }
            Number::ByPiece(site, _) => self.site(site),
            Number::Neg(inner) | Number::Abs(inner) => self.number(inner),
            Number::Calc(_, both) | Number::Greater(both) | Number::Lesser(both) => {
                self.number(&both.0) && self.number(&both.1)
            }
            Number::If(parts) => self.test(&parts.0) && self.number(&parts.1) && self.number(&parts.2),
            Number::Table(table) => table.by.iter().all(|(number, _)| self.number(number)),
            Number::Fold(_, both) => self.pieces(&both.0) && self.number(&both.1),
            Number::Var(_)
            | Number::Mover
            | Number::Ply
            | Number::Turn
            | Number::Now
            | Number::Occurrences
            | Number::OccurrencesOf(_)
            | Number::Count(_)
            | Number::Length(_)
            | Number::ZoneSize(_)
            | Number::Tokens(_)
            | Number::TokensAt(_)
            | Number::Following(_)
            | Number::Preceding(_)
            | Number::Distance(_)
            | Number::WayTo(_)
            | Number::Truth(_)
            | Number::Memo(..)
            | Number::With(_) => false,
        }
    }

    fn test<W: Word>(&mut self, test: &Test<W>) -> bool {
        match test {
            Test::Const(_) => true,
            Test::Not(inner) => self.test(inner),
            Test::And(both) | Test::Or(both) | Test::Iff(both) => self.test(&both.0) && self.test(&both.1),
            Test::Compare(_, both) | Test::Equal(both) => self.number(&both.0) && self.number(&both.1),
            Test::Is(number, _) => self.number(number),
            Test::In(both) => {
                let near = self.site(&both.0) && self.set(&both.1); // Membership of a visited site is covered.
                near || self.number(&both.0) && self.fixed(&both.1)
            }
            Test::ByMe(_) => {
                self.me = true;
                true
            }
            Test::ByLocal(at, _) => self.knows(*at),
            Test::ByMeAnd(at, ..) => {
                self.me = true;
                self.knows(*at)
            }
            Test::ByPiece(site, _) => self.site(site),
            Test::Number(_)
            | Test::If(_)
            | Test::SameSet(_)
            | Test::SameList(_)
            | Test::NoneOf(_)
            | Test::NoneIn(_)
            | Test::InList(_)
            | Test::InRange(_)
            | Test::Within(_)
            | Test::Meets(_)
            | Test::WithinList(_)
            | Test::MeetsList(_)
            | Test::InPhase(_)
            | Test::Table(_)
            | Test::Quantified(..)
            | Test::Line(_)
            | Test::Row(_)
            | Test::Connected(_)
            | Test::Repeats(_)
            | Test::CanPlay(_)
            | Test::Memo(..)
            | Test::With(_) => false,
        }
    }
}
