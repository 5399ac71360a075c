//! Lowered paths, and the graphs maintained for them.

use super::{Bind, Local, Number, Set, Test};
use crate::base::Word;

/// A path from one site.
#[derive(Clone, Debug)]
pub(crate) struct Route<W: Word> {
    /// Its arguments.
    pub binds: Box<[Bind<W>]>,
    /// Where it starts: each site by itself.
    pub from: Set<W>,
    /// The local name of the start.
    pub start: Local,
    /// The path.
    pub walk: Walk<W>,
    /// What it found before, if that is kept.
    pub outlook: Option<Outlook>,
}

/// Caching where a path leads from each site, until something it inspected changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    /// Its number; the first of one for each seat if it depends on a seat.
    pub first: u16,
    /// On which.
    pub by: By,
}

/// By which seat what is kept differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// It is the same for all.
    Nobody,
    /// The seat that acts.
    Me,
    /// The seat of a local name.
    Seat(Local),
}

/// What an outlook looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    /// The pieces on sites.
    Sites,
    /// The edges of a maintained graph.
    Graph(u16),
    /// The same; as hops lead back as they came, sites that hops join share what they reach.
    Components(u16),
}

impl Watched {
    /// Its place among what has changed.
    #[must_use]
    pub(crate) const fn place(self) -> u16 {
        match self {
            Self::Sites => 0,
            Self::Graph(graph) | Self::Components(graph) => graph + 1,
        }
    }
}

/// One step or any number of leaps of the piece on a site.
#[derive(Clone, Debug)]
pub(crate) struct Reach<W: Word> {
    /// The site.
    pub from: Number<W>,
    /// For each site the sites one step on.
    pub steps: Box<[W]>,
    /// The local name of the site in `there`, and onto which sites a step leads.
    pub there: Option<(Local, Set<W>)>,
    /// The leaps.
    pub leaps: Leaps<W>,
    /// Where the leaps led before, if that is kept.
    pub outlook: Option<Outlook>,
}

/// A path that is followed walker by walker: its ways are told apart by what they take, or a
/// direction leads to more than one site.
#[derive(Clone, Debug)]
pub(crate) struct Track<W: Word> {
    /// Its arguments.
    pub binds: Box<[Bind<W>]>,
    /// Where it starts: each site by itself.
    pub from: Set<W>,
    /// The local name of the start.
    pub start: Local,
    /// What its conditions know of a walker.
    pub stand: Stand,
    /// The path.
    pub trek: Trek<W>,
    /// Whether it leads anywhere, or what it takes in all, if that is kept.
    pub outlook: Option<Outlook>,
}

/// The local names of a path for the site a walker stands on and for what it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    /// The site.
    pub here: Local,
    /// What it took, in a path that takes.
    pub taken: Option<Local>,
}

/// A path: walkers go one by one, exactly as in the reference.
#[derive(Clone, Debug)]
pub(crate) enum Trek<W: Word> {
    /// One step in directions of the first set onto the sites of the second.
    Step(Set<W>, Set<W>),
    /// Straight on over the sites of the second set, this many steps at most.
    Slide(Set<W>, Option<Number<W>>, Set<W>),
    /// In directions over a site of the second set onto one of the third; whether it is taken.
    Hop(Box<(Set<W>, Set<W>, Set<W>)>, bool),
    /// Straight on in directions, taking one or more sites of the second set, onto one of the third.
    Flank(Box<(Set<W>, Set<W>, Set<W>)>),
    /// With one direction throughout.
    Along(Local, Set<W>, Box<Self>),
    /// The site stood on is taken.
    Take,
    /// Only where the condition holds.
    If(Test<W>),
    /// One after the other.
    Then(Box<[Self]>),
    /// Either.
    Or(Box<[Self]>),
    /// Again and again.
    Repeat {
        /// What.
        body: Box<Self>,
        /// At least so often.
        least: u32,
        /// At most so often.
        most: Option<u32>,
        /// Only where it cannot go on.
        fully: bool,
    },
    /// Another path: its arguments are bound, and its start is the one here.
    Call(Box<[Bind<W>]>, Stand, Box<Self>),
}

/// In which directions.
#[derive(Clone, Debug)]
pub(crate) enum Heading<W: Word> {
    /// Known at load: for each site the sites one step on.
    Known(Box<[W]>),
    /// A set of directions.
    Set(Set<W>),
}

/// A path: walkers are a set of sites.
#[derive(Clone, Debug)]
pub(crate) enum Walk<W: Word> {
    /// One step onto the sites of a set.
    Step(Heading<W>, Set<W>),
    /// Straight on over the sites of a set, this many steps at most.
    Slide(Set<W>, Option<Number<W>>, Set<W>),
    /// Over a site of the first set onto one of the second.
    Hop(Box<Hop<W>>),
    /// Any number of hops, at least so many.
    Hops(Box<Hop<W>>, u32),
    /// Any number of hops along a maintained graph, at least so many, 0 or 1.
    Leaps(Box<Leaps<W>>, u32),
    /// Straight on in directions over the second set, this many steps at most, and
    /// one step more onto the third.
    Rays(Box<(Set<W>, Set<W>, Set<W>)>, Option<Number<W>>),
    /// With one direction throughout.
    Along(Local, Set<W>, Box<Self>),
    /// Only where the condition holds.
    If(Test<W>),
    /// One after the other.
    Then(Box<[Self]>),
    /// Either.
    Or(Box<[Self]>),
    /// Again and again.
    Repeat {
        /// What.
        body: Box<Self>,
        /// At least so often.
        least: u32,
        /// At most so often.
        most: Option<u32>,
        /// Only where it cannot go on.
        fully: bool,
    },
    /// For each walker by itself: its site is bound to the name.
    Each(Local, Box<Self>),
    /// Another path: its arguments are bound, and its start is the one here.
    Call(Box<[Bind<W>]>, Box<Self>),
}

/// A hop over one site.
#[derive(Clone, Debug)]
pub(crate) struct Hop<W: Word> {
    /// The directions, if they are not known at load.
    pub heading: Option<Set<W>>,
    /// For each site the sites hopped over and landed on; one table for each
    /// direction if these are not known at load.
    pub ways: Box<[Ways]>,
    /// Over which sites.
    pub over: Set<W>,
    /// Onto which sites.
    pub to: Set<W>,
    /// Onto which of these, by the site hopped from, which is bound to the name.
    pub there: Option<(Local, Set<W>)>,
}

/// Hops along a maintained graph.
#[derive(Clone, Debug)]
pub(crate) struct Leaps<W: Word> {
    /// The graph, for each seat that acts; one for all if there is only one.
    pub graphs: Box<[u16]>,
    /// The local name of the site the piece was lifted from.
    pub start: Local,
    /// Only onto these sites.
    pub within: Option<Set<W>>,
    /// Onto which of these, by the site hopped from, which is bound to the name.
    pub there: Option<(Local, Set<W>)>,
}

/// A maintained graph: from each site the sites that one hop leads to, over
/// sites of one kind onto empty ones.
#[derive(Clone, Debug)]
pub(crate) struct Graph<W: Word> {
    /// Which pieces can be hopped over.
    pub over: Box<[bool]>,
    /// For each site the pairs of sites a hop over it leads from and to.
    pub by_middle: Ways,
    /// For each site the pairs of sites a hop onto it leads from and over.
    pub by_end: Ways,
    /// For each site those from which a hop may lead over it.
    pub beside: Box<[W]>,
    /// For each site those from which a hop may lead onto it.
    pub beyond: Box<[W]>,
}

/// Pairs of sites by a first site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ways {
    /// Where the pairs of each site begin, and where the last ones end.
    pub from: Box<[u32]>,
    /// The pairs.
    pub pairs: Box<[(u16, u16)]>,
}

impl Ways {
    /// The pairs of a site.
    #[inline]
    #[must_use]
    pub(crate) fn of(&self, site: usize) -> &[(u16, u16)] {
        &self.pairs[self.from[site] as usize..self.from[site + 1] as usize]
    }
}
