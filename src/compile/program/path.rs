//! Lowered paths, and the graphs maintained for them.

use super::{Bind, Local, Number, Set, Test};
use crate::base::Word;

/// A path from one site.
#[derive(Clone, Debug)]
pub(crate) struct Route<W: Word> {
    /// Its arguments.
    pub binds: Box<[Bind<W>]>,
    /// Its starting sites.
    pub from: Set<W>,
    /// Whether they can be followed together, since it does not matter which of them a walker comes from.
    pub together: bool,
    /// The local name of the start.
    pub start: Local,
    /// The path.
    pub walk: SetPath<W>,
    /// Its outlook, if it is cached.
    pub outlook: Option<Outlook>,
}

/// A cache of where a path leads from each site, invalidated when something it inspected changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    /// Its number; the first of one per seat if it depends on a seat.
    pub first: u16,
    /// The seat it depends on.
    pub by: By,
}

/// The seat that an outlook depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// None.
    Nobody,
    /// The seat that acts.
    Me,
    /// The seat of a local name.
    Seat(Local),
}

/// What an outlook watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    /// The pieces on sites.
    Sites,
    /// The edges of a maintained graph.
    Graph(u16),
    /// The same; since hops are reversible, sites joined by hops share what they reach.
    Components(u16),
}

impl Watched {
    /// Its index among the changes tracked.
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
    /// For each site the sites one step away.
    pub steps: Box<[W]>,
    /// The local name of the site in `there`, and the sites that a step may lead to.
    pub there: Option<(Local, Set<W>)>,
    /// The leaps.
    pub leaps: Leaps<W>,
    /// The outlook of the leaps, if it is cached.
    pub outlook: Option<Outlook>,
}

/// A path that is followed one walker at a time: its ways are distinguished by what they take, or a direction leads
/// to more than one site.
#[derive(Clone, Debug)]
pub(crate) struct WayRoute<W: Word> {
    /// Its arguments.
    pub binds: Box<[Bind<W>]>,
    /// Its starting sites, each followed separately.
    pub from: Set<W>,
    /// The local name of the start.
    pub start: Local,
    /// The names its conditions refer to a walker by.
    pub stand: Stand,
    /// The path.
    pub walker_path: WalkerPath<W>,
    /// An outlook, if cached: whether the path leads anywhere, or the union of what it takes.
    pub outlook: Option<Outlook>,
}

/// The local names of a path for a walker's site and what it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    /// The site.
    pub here: Local,
    /// What it took, in a path that takes.
    pub taken: Option<Local>,
}

/// A path followed one walker at a time, exactly as in the reference.
#[derive(Clone, Debug)]
pub(crate) enum WalkerPath<W: Word> {
    /// One step in directions of the first set onto the sites of the second.
    Step(Set<W>, Set<W>),
    /// A slide over the sites of the second set, at most this many steps.
    Slide(Set<W>, Option<Number<W>>, Set<W>),
    /// In directions over a site of the second set onto one of the third, and whether the site hopped over is taken.
    Hop(Box<(Set<W>, Set<W>, Set<W>)>, bool),
    /// Straight on in directions, taking one or more sites of the second set, onto one of the third.
    Flank(Box<(Set<W>, Set<W>, Set<W>)>),
    /// With one direction throughout.
    Along(Local, Set<W>, Box<Self>),
    /// Each walker separately, standing where it is.
    Each(Box<Self>),
    /// Takes the current site.
    Take,
    /// Continues only where the condition holds.
    If(Test<W>),
    /// One after the other.
    Then(Box<[Self]>),
    /// Either.
    Or(Box<[Self]>),
    /// Repetition.
    Repeat {
        /// The path repeated.
        body: Box<Self>,
        /// The minimum number of repetitions.
        least: u32,
        /// The maximum number of repetitions.
        most: Option<u32>,
        /// Whether only ways that cannot be extended count.
        fully: bool,
    },
    /// Another path: its arguments are bound, and it starts at the current site.
    Call(Box<[Bind<W>]>, Stand, Box<Self>),
}

/// The directions of a step or hop.
#[derive(Clone, Debug)]
pub(crate) enum Heading<W: Word> {
    /// Known at load: for each site the sites one step away.
    Known(Box<[W]>),
    /// A set of directions.
    Set(Set<W>),
}

/// A path followed by all walkers together, as a set of sites.
#[derive(Clone, Debug)]
pub(crate) enum SetPath<W: Word> {
    /// One step onto the sites of a set.
    Step(Heading<W>, Set<W>),
    /// A slide over the sites of a set, at most this many steps.
    Slide(Set<W>, Option<Number<W>>, Set<W>),
    /// Over a site of the first set onto one of the second.
    Hop(Box<Hop<W>>),
    /// At least this many hops.
    Hops(Box<Hop<W>>, u32),
    /// At least this many hops, 0 or 1, along a maintained graph.
    Leaps(Box<Leaps<W>>, u32),
    /// A slide in directions over the second set, at most this many steps, and one step more onto the third.
    Rays(Box<(Set<W>, Set<W>, Set<W>)>, Option<Number<W>>),
    /// In each direction several of these one after the other: a slide over the first set, and one step more onto the
    /// second.
    RayChain(Set<W>, Box<[(Set<W>, Set<W>)]>),
    /// With one direction throughout.
    Along(Local, Set<W>, Box<Self>),
    /// Continues only where the condition holds.
    If(Test<W>),
    /// One after the other.
    Then(Box<[Self]>),
    /// Either.
    Or(Box<[Self]>),
    /// Repetition.
    Repeat {
        /// The path repeated.
        body: Box<Self>,
        /// The minimum number of repetitions.
        least: u32,
        /// The maximum number of repetitions.
        most: Option<u32>,
        /// Whether only ways that cannot be extended count.
        fully: bool,
    },
    /// Each walker separately, with its site bound to the name.
    Each(Local, Box<Self>),
    /// Another path: its arguments are bound, and it starts at the current site.
    Call(Box<[Bind<W>]>, Box<Self>),
}

/// A hop over one site.
#[derive(Clone, Debug)]
pub(crate) struct Hop<W: Word> {
    /// The directions, if not known at load.
    pub heading: Option<Set<W>>,
    /// For each site the sites hopped over and landed on; one table per direction if the directions are not known at
    /// load.
    pub ways: Box<[HopTable]>,
    /// The sites that may be hopped over.
    pub over: Set<W>,
    /// The sites that may be landed on.
    pub to: Set<W>,
    /// A further restriction on these that depends on the site hopped from, which is bound to the name.
    pub there: Option<(Local, Set<W>)>,
}

/// Hops along a maintained graph.
#[derive(Clone, Debug)]
pub(crate) struct Leaps<W: Word> {
    /// The graph for each acting seat, or one for all.
    pub graphs: Box<[u16]>,
    /// The local name of the site the piece was lifted from.
    pub start: Local,
    /// A restriction on the sites landed on.
    pub within: Option<Set<W>>,
    /// A further restriction that depends on the site hopped from, which is bound to the name.
    pub there: Option<(Local, Set<W>)>,
}

/// A maintained graph: for each site, the sites one hop away, over sites of one kind onto empty ones.
#[derive(Clone, Debug)]
pub(crate) struct Graph<W: Word> {
    /// Which pieces may be hopped over.
    pub over: Box<[bool]>,
    /// For each site, the pairs of sites that hops over it lead from and to.
    pub by_middle: HopTable,
    /// For each site, the pairs of sites that hops onto it lead from and over.
    pub by_end: HopTable,
    /// For each site, the sites from which hops may lead over it.
    pub beside: Box<[W]>,
    /// For each site, the sites from which hops may lead onto it.
    pub beyond: Box<[W]>,
}

/// Pairs of sites, indexed by a first site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HopTable {
    /// Where the pairs of each site begin, and where the last ones end.
    pub from: Box<[u32]>,
    /// The pairs.
    pub pairs: Box<[(u16, u16)]>,
}

impl HopTable {
    /// The pairs of a site.
    #[inline]
    #[must_use]
    pub(crate) fn of(&self, site: usize) -> &[(u16, u16)] {
        &self.pairs[self.from[site] as usize..self.from[site + 1] as usize]
    }
}
