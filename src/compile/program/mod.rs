//! Lowered programs: typed trees over machine words.
//!
//! Numbers, seats, sites, directions, kinds, enum members, truth values in variables, and pieces (numbered, see
//! [`Pieces`](super::Pieces)) are all 64-bit numbers; sets of atoms are bitsets ([`Words`]); all other sets (of
//! numbers, of pieces) are lists. `W` is the type of the bitsets.

mod expr;
mod op;
mod path;
mod ray;

pub(crate) use expr::{Args, Bind, Cell, List, Loop, Number, Pools, RowTable, Set, Sort, Source, Table, Test};
pub(crate) use op::{
    Action, Answers, Code, End, Fields, Head, Lasting, Make, Offered, Op, OpKind, Owned, PieceLocation, PieceSelection,
    Race, Sow, Touch, Values,
};
pub(crate) use path::{
    By, Graph, Heading, Hop, HopTable, Leaps, Outlook, Reach, Route, SetPath, Stand, WalkerPath, Watched, WayRoute,
};
pub(crate) use ray::{Fan, Rays};

use super::pieces::Pieces;
use crate::base::Word;
use crate::ir::{ActionId, Game, RuleId, Topology, Ty, ZoneForm};
use crate::model::{EndMoment, StmtRef, piece_key};

/// The index of a local name among those of its sort.
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

/// A definition whose values are cached.
#[derive(Clone, Debug)]
pub(crate) struct Memo<W: Word> {
    /// Its parameters, each with the number of its values.
    pub params: Box<[(Local, usize)]>,
    /// The number of seats, if it depends on the acting seat; this seat is then an extra first parameter.
    pub seats: Option<usize>,
    /// Its value.
    pub body: Body<W>,
    /// How it depends on pieces, if sites and whole indexes tell; else any change of a piece concerns it.
    pub inspects: Option<Inspects>,
    /// Whether it is a guard on the position after a move.
    pub guard: bool,
}

/// How a definition depends on the pieces of a position: through the sites that its evaluation inspects, and ...
#[derive(Clone, Debug)]
pub(crate) struct Inspects {
    /// ... the parameters that are sites, and ...
    pub sites: Box<[Local]>,
    /// ... these indexes as a whole, one bit each.
    pub whole: u64,
}

/// How many values to cache for a definition: one per combination of parameters, for each seat if it depends on the
/// acting one.
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
    /// Whether the guards of an action hold, which is found by trying it out.
    Trial,
}

/// Which cached values a change invalidates: one bit per definition.
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

/// Local names that hold ways, by their index among those of their sort.
#[derive(Clone, Debug, Default)]
pub(crate) struct WayHomes {
    /// Names that hold one way.
    pub numbers: Vec<Local>,
    /// Names that hold a list of ways.
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

/// A step that adds the same number to all sites where it is possible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift<W> {
    /// The sites where it is possible.
    pub from: W,
    /// The number it adds.
    pub by: isize,
}

impl<W: Word> Shift<W> {
    /// The steps in a direction; none if they differ.
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

    /// The sites one step from those of a set.
    #[inline]
    #[must_use]
    pub(crate) fn step(&self, sites: W) -> W {
        let (from, by) = (sites.and(self.from), self.by.unsigned_abs());
        if self.by < 0 { from.down(by) } else { from.up(by) }
    }
}

/// A part of a position that only ever increases.
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

/// What attentive seats intend to do: actions, each with its condition.
pub(crate) type Cues<W> = Box<[(ActionId, Test<W>)]>;

/// A game, lowered.
#[derive(Clone, Debug)]
pub(crate) struct Program<W: Word> {
    /// The pieces there can be.
    pub pieces: Pieces,
    /// For each piece, the maintained indexes its site belongs to.
    pub indexed: Box<[Box<[u16]>]>,
    /// The number of indexes.
    pub indexes: usize,
    /// The definitions whose values are cached.
    pub memos: Box<[Memo<W>]>,
    /// Which of them each change invalidates.
    pub stale: Stale,
    /// For each piece the indexes that contain its site, one bit each, as far as bits go.
    pub index_bits: Box<[u64]>,
    /// Whether changes of pieces are recorded: some cached value depends on sites.
    pub inspects: bool,
    /// The maintained graphs.
    pub graphs: Box<[Graph<W>]>,
    /// What each outlook watches.
    pub outlooks: Box<[Watched]>,
    /// The number of sites.
    pub sites: usize,
    /// The number of pools of tokens.
    pub pools: usize,
    /// For each direction and site, the first site one step away; the greatest number for none.
    pub onward: Box<[Box<[u16]>]>,
    /// For each direction, how a step changes the numbers of sites, if it does so uniformly.
    pub shifts: Box<[Option<Shift<W>>]>,
    /// For each direction its rays, if the game follows any.
    pub rays: Box<[Option<Rays<W>>]>,
    /// The same of several directions together that are known at load.
    pub fans: Box<[Fan<W>]>,
    /// For each direction and site, the sites one step away.
    pub steps: Box<[Box<[W]>]>,
    /// For sets of directions that are known at load: for each site those one step on in any of them.
    pub near: Box<[(W, Box<[W]>)]>,
    /// The local names that hold ways.
    pub ways: WayHomes,
    /// Where each local name of the game is kept.
    pub homes: Box<[Home]>,
    /// How many numbers, sets and lists the local names take.
    pub locals: [usize; 3],
    /// Where each variable of the game is kept: its first place.
    pub vars: Box<[Home]>,
    /// How many numbers, sets and lists the variables take.
    pub cells: [usize; 3],
    /// The lists of each zone.
    pub zones: Box<[ZoneInfo]>,
    /// The number of lists in all zones.
    pub lists: usize,
    /// The blocks, numbered as in the game.
    pub code: Box<[Code<W>]>,
    /// The actions.
    pub actions: Box<[Action<W>]>,
    /// The end conditions before a turn, after a move and after a turn, except those that can never hold.
    pub ends: [Box<[End<W>]>; 3],
    /// The invariants.
    pub invariants: Box<[(Test<W>, RuleId)]>,
    /// The cues, if the position tells every seat the same of them.
    pub cues: Option<Cues<W>>,
    /// Whether keys of positions are maintained.
    pub remembers: bool,
    /// Whether end conditions either decide the game or do nothing that counts for repetition.
    pub quiet: bool,
    /// The counters that are read.
    pub counters: Vec<Counter>,
    /// The digest of each piece, for keys.
    pub digests: Box<[u64]>,
    /// For each value of a variable, whether it counts in keys, and its place.
    pub keyed: Box<[(bool, CellKind)]>,
}

/// How a variable's value is represented, for keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellKind {
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

    /// The component of the key for a piece on a site.
    #[inline]
    #[must_use]
    pub(crate) fn piece_key(&self, site: usize, piece: u16) -> u64 {
        if piece == 0 { 0 } else { piece_key(site, self.digests[usize::from(piece)]) }
    }
}
