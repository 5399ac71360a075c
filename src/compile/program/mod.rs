//! What a game is lowered to: typed trees over machine words.
//!
//! Numbers, seats, sites, directions, kinds, enum members, truth values in
//! variables, and pieces (numbered, see [`Pieces`](super::Pieces)) are all 64-bit numbers; sets
//! of numbered values are [`Words`]; everything else that is a set (of numbers,
//! of pieces) is a list. `W` is the number of words a set needs.

mod expr;
mod op;
mod path;

pub(crate) use expr::{Args, Bind, Cell, List, Loop, Number, Pools, Set, Sort, Source, Table, Test, Windows};
pub(crate) use op::{
    Action, Answers, Code, End, Fields, Head, Make, Offered, Op, OpKind, Owned, Packet, Race, Sow, Spot, Values,
};
pub(crate) use path::{By, Graph, Heading, Hop, Leaps, Outlook, Reach, Route, Stand, Track, Trek, Walk, Watched, Ways};

use super::pieces::Pieces;
use crate::base::Word;
use crate::ir::{Game, RuleId, Topology, Ty, ZoneForm};
use crate::model::{EndMoment, StmtRef, piece_key};

/// The number of a local name among those of its sort.
pub(crate) type Local = u16;

/// Where a local name is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Among the numbers.
    Number(Local),
    /// Among the sets.
    Set(Local),
    /// Among the lists.
    List(Local),
    /// Nowhere: the program does not use it.
    Nowhere,
}

/// A definition whose values are kept.
#[derive(Clone, Debug)]
pub(crate) struct Memo<W: Word> {
    /// Its parameters, each with how many values it has.
    pub params: Box<[(Local, usize)]>,
    /// Whether it depends on the seat that acts: then that is a parameter before the others.
    pub seats: Option<usize>,
    /// Its value.
    pub body: Body<W>,
}

/// How many values a definition has whose parameters have so many, for each seat if it depends on who acts.
pub(crate) fn cells(params: &[(Local, usize)], seats: Option<usize>) -> usize {
    params.iter().map(|(_, size)| *size).chain(seats).product()
}

/// The value of a definition.
#[derive(Clone, Debug)]
pub(crate) enum Body<W: Word> {
    /// A number.
    Number(Number<W>),
    /// A truth value.
    Test(Test<W>),
    /// A set.
    Set(Set<W>),
}

/// Which kept values a change makes stale: one bit for each definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// By pieces on sites.
    pub sites: u64,
    /// By tokens.
    pub tokens: u64,
    /// By each list of a zone.
    pub lists: Box<[u64]>,
    /// By each number, set and list that variables hold.
    pub cells: [Box<[u64]>; 3],
    /// By seats that drop out.
    pub playing: u64,
}

/// Local names for ways, each by its place among those of its sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct WayHomes {
    /// Those for one way.
    pub numbers: Vec<Local>,
    /// Those for a list of ways.
    pub lists: Vec<Local>,
}

impl WayHomes {
    /// Those of a game.
    #[must_use]
    pub(crate) fn of(game: &Game, homes: &[Home]) -> Self {
        let mut ways = Self::default();
        for (slot, home) in game.slots.iter().zip(homes) {
            match home {
                Home::Number(at) if slot.ty == Ty::Way => ways.numbers.push(*at),
                Home::List(at) if slot.ty == Ty::Way.set() => ways.lists.push(*at),
                Home::Number(_) | Home::List(_) | Home::Set(_) | Home::Nowhere => {}
            }
        }
        ways
    }
}

/// A step that changes the numbers of all sites it is possible from alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift<W> {
    /// The sites it is possible from.
    from: W,
    /// By how much their numbers grow.
    by: isize,
}

impl<W: Word> Shift<W> {
    /// The steps in a direction; none if they are not all alike.
    #[must_use]
    pub(crate) fn of(topology: &Topology, direction: usize) -> Option<Self> {
        let mut shift: Option<Self> = None;
        for site in 0..topology.sites.len() {
            let next = match topology.step(direction, site) {
                [] => continue,
                [next] => usize::from(*next),
                _ => return None,
            };
            let by = next.cast_signed() - site.cast_signed();
            let shift = shift.get_or_insert(Self { from: W::NONE, by });
            if shift.by != by {
                return None;
            }
            shift.from.insert(site);
        }
        shift
    }

    /// The sites one step on from those of a set.
    #[inline]
    #[must_use]
    pub(crate) fn step(&self, sites: W) -> W {
        let (from, by) = (sites.and(self.from), self.by.unsigned_abs());
        if self.by < 0 { from.down(by) } else { from.up(by) }
    }
}

/// What of a position only ever counts up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    /// The number of plies made.
    Ply,
    /// The number of turns completed.
    Turn,
    /// The logical clock.
    Now,
    /// Earlier positions.
    History,
}

/// A zone's lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneInfo {
    /// The first list.
    pub first: u32,
    /// How its pieces lie.
    pub form: ZoneForm,
}

/// A game, lowered.
#[derive(Clone, Debug)]
pub(crate) struct Program<W: Word> {
    /// The pieces there can be.
    pub pieces: Pieces,
    /// For each piece, the maintained indexes its site belongs to.
    pub indexed: Box<[Box<[u16]>]>,
    /// How many indexes there are.
    pub indexes: usize,
    /// The definitions whose values are kept until what they look at changes.
    pub memos: Box<[Memo<W>]>,
    /// Which of them change with what.
    pub stale: Stale,
    /// The maintained graphs.
    pub graphs: Box<[Graph<W>]>,
    /// What each outlook looks at.
    pub outlooks: Box<[Watched]>,
    /// How many sites there are.
    pub sites: usize,
    /// How many pools of tokens there are.
    pub pools: usize,
    /// For each direction and site the first site one step on; the greatest number for none.
    pub onward: Box<[Box<[u16]>]>,
    /// For each direction how one step changes the numbers of sites, where it is the same for all.
    pub shifts: Box<[Option<Shift<W>>]>,
    /// For each direction and site the sites one step on.
    pub steps: Box<[Box<[W]>]>,
    /// The local names for ways.
    pub ways: WayHomes,
    /// Where each local name of the game is kept.
    pub homes: Box<[Home]>,
    /// How many numbers, sets and lists local names take.
    pub locals: [usize; 3],
    /// Where each variable of the game is kept: its first place.
    pub vars: Box<[Home]>,
    /// How many numbers, sets and lists variables take.
    pub cells: [usize; 3],
    /// Where the lists of each zone are.
    pub zones: Box<[ZoneInfo]>,
    /// How many lists zones have.
    pub lists: usize,
    /// The blocks, numbered as in the game.
    pub code: Box<[Code<W>]>,
    /// The actions.
    pub actions: Box<[Action<W>]>,
    /// The end conditions before a turn, after a move and after a turn; those that
    /// can never hold are left out.
    pub ends: [Box<[End<W>]>; 3],
    /// The invariants.
    pub invariants: Box<[(Test<W>, RuleId)]>,
    /// Whether keys of positions are kept up to date.
    pub remembers: bool,
    /// Whether ends decide the game or do nothing that counts for repetition.
    pub quiet: bool,
    /// The counters that are looked at.
    pub counters: Vec<Counter>,
    /// What each piece counts as in keys.
    pub digests: Box<[u64]>,
    /// For each value of a variable: whether it counts in keys, and where it is.
    pub keyed: Box<[(bool, Held)]>,
}

/// What a variable's value is, for keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A number.
    Number(u32),
    /// A piece.
    Piece(u32),
    /// A set.
    Set(u32),
    /// A list of numbers.
    Numbers(u32),
    /// A list of pieces.
    Pieces(u32),
}

impl<W: Word> Program<W> {
    /// The end conditions of a moment.
    #[must_use]
    pub(crate) fn ends_at(&self, moment: EndMoment) -> &[End<W>] {
        match moment {
            EndMoment::BeforeTurn => &self.ends[0],
            EndMoment::AfterMove => &self.ends[1],
            EndMoment::AfterTurn => &self.ends[2],
        }
    }

    /// The statement a reference names.
    #[inline]
    #[must_use]
    pub(crate) fn op(&self, (block, number): StmtRef) -> Option<&Op<W>> {
        self.code.get(usize::from(block))?.ops.get(usize::from(number))
    }

    /// The part of a key that a piece on a site makes up.
    #[inline]
    #[must_use]
    pub(crate) fn piece_key(&self, site: usize, piece: u16) -> u64 {
        if piece == 0 { 0 } else { piece_key(site, self.digests[usize::from(piece)]) }
    }
}
