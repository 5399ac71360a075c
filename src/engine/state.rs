//! A position as flat data, cheap to copy for every playout.

use smallvec::SmallVec;

use super::journal::Undo;
use super::outlook::Changed;
use super::puts::Puts;
use crate::base::{Bits, Word, get_or_default};
use crate::compile::program::{Home, Program};
use crate::ir::{ActionRef, BlockId, PhaseId, SeatId, Slot};
use crate::model::{Ask, EndMoment, History, Outcome, Standing, StmtRef, TurnStage};

/// A move with its parameters as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Play {
    pub action: ActionRef,
    pub args: SmallVec<[i64; 6]>,
}

/// A frame of the control stack: [`crate::model::Frame`] with variable-length data on stacks of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Block(BlockId, u16),
    While(StmtRef),
    Repeat(StmtRef, u32),
    /// This many members are left on the stack of members.
    Each(StmtRef, u32),
    Turns(StmtRef, TurnStage),
    Phase(Option<PhaseId>),
    Played(Option<SeatId>),
    Actor(Option<SeatId>),
    Ends(EndMoment, u16),
    Shuffle(StmtRef, u32),
    /// The seats still to choose, and how many moves are on the stack of secret moves.
    Together(StmtRef, u64, u32),
    Ask(AskAt),
}

/// The question: [`Ask`] in a form that is `Copy`.
pub(super) type AskAt = (AskKind, StmtRef, SeatId);

/// No question.
pub(super) const NOTHING_ASKED: AskAt = (AskKind::Over, (BlockId::FIRST, 0), SeatId::FIRST);

/// The kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskKind {
    Choose,
    Pick,
    Race,
    Chance,
    Over,
}

pub(super) fn ask_of(ask: &Ask) -> AskAt {
    match ask {
        Ask::Choose { seat, at } => (AskKind::Choose, *at, *seat),
        Ask::Pick { seat, at } => (AskKind::Pick, *at, *seat),
        Ask::Race { at } => (AskKind::Race, *at, SeatId::FIRST),
        Ask::Chance { at } => (AskKind::Chance, *at, SeatId::FIRST),
        Ask::Over => NOTHING_ASKED,
    }
}

pub(super) fn to_ask((kind, at, seat): AskAt) -> Ask {
    match kind {
        AskKind::Choose => Ask::Choose { seat, at },
        AskKind::Pick => Ask::Pick { seat, at },
        AskKind::Race => Ask::Race { at },
        AskKind::Chance => Ask::Chance { at },
        AskKind::Over => Ask::Over,
    }
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct State<W: Word> {
    /// The number of the piece on each site, 0 for none.
    pub sites: Vec<u16>,
    /// The maintained indexes of sites.
    pub indexes: Vec<W>,
    /// The maintained graphs: for each graph and site, the sites one hop away.
    pub(super) graphs: Vec<W>,
    /// The changes since outlooks were brought up to date, one entry for each thing they inspect.
    pub(super) changed: Vec<Changed<W>>,
    /// The latest changes of pieces on sites.
    pub(super) puts: Puts,
    /// Which cached values of definitions are valid, one bit each.
    pub fresh: u64,
    /// The sites with pieces.
    pub taken: W,
    /// The tokens on each site, pool after pool.
    pub tokens: Vec<u32>,
    /// The sites with tokens of each pool.
    pub token_sites: Vec<W>,
    /// The pieces in zones.
    pub lists: Vec<Vec<u16>>,
    pub vars: Vec<i64>,
    pub var_sets: Vec<W>,
    pub var_lists: Vec<Vec<i64>>,
    pub locals: Vec<i64>,
    pub local_sets: Vec<W>,
    pub local_lists: Vec<Vec<i64>>,
    /// Which local names of the game are bound.
    pub bound: Vec<bool>,
    pub mover: SeatId,
    pub actor: Option<SeatId>,
    /// The acting seat.
    pub me: SeatId,
    pub next_mover: Option<SeatId>,
    pub ply: u32,
    pub turn: u32,
    pub now: i64,
    pub phase: Option<PhaseId>,
    pub standing: Vec<Standing>,
    /// The seats that still play.
    pub playing: W,
    pub offers: Vec<Bits>,
    pub control: Vec<Frame>,
    /// The members left of the loops on the control stack, the next one last.
    pub members: Vec<i64>,
    /// The secret moves of the `together`s on the control stack.
    pub secrets: Vec<(SeatId, Play)>,
    pub ask: AskAt,
    pub outcome: Option<Outcome>,
    pub history: History,
    /// The component of the position's key for pieces and tokens on sites.
    pub board_key: u64,
    /// The journal: the old value of each change, while changes are recorded.
    pub(super) journal: Option<Vec<Undo<W>>>,
}

/// A copy of the local names: numbers, sets, lists, and which are bound.
pub(super) type Names<W> = (Vec<i64>, Vec<W>, Vec<Vec<i64>>, Vec<bool>);

impl<W: Word> State<W> {
    /// Copies the local names.
    pub(super) fn copy_names(&self, into: &mut Names<W>) {
        into.0.clone_from(&self.locals);
        into.1.clone_from(&self.local_sets);
        into.2.clone_from(&self.local_lists);
        into.3.clone_from(&self.bound);
    }

    /// Restores the local names; the copy keeps the memory of those that were lost.
    pub(super) fn restore(&mut self, names: &mut Names<W>) {
        std::mem::swap(&mut self.locals, &mut names.0);
        std::mem::swap(&mut self.local_sets, &mut names.1);
        std::mem::swap(&mut self.local_lists, &mut names.2);
        std::mem::swap(&mut self.bound, &mut names.3);
    }

    /// An empty table.
    pub(super) fn new(program: &Program<W>, slots: usize, seats: usize, offers: usize) -> Self {
        Self {
            sites: vec![0; program.sites],
            indexes: vec![W::NONE; program.indexes],
            graphs: vec![W::NONE; program.graphs.len() * program.sites],
            changed: vec![Changed::default(); program.graphs.len() + 1],
            puts: Puts::default(),
            fresh: 0,
            taken: W::NONE,
            tokens: vec![0; program.sites * program.pools],
            token_sites: vec![W::NONE; program.pools],
            lists: vec![Vec::new(); program.lists],
            vars: vec![0; program.cells[0]],
            var_sets: vec![W::NONE; program.cells[1]],
            var_lists: vec![Vec::new(); program.cells[2]],
            locals: vec![0; program.locals[0]],
            local_sets: vec![W::NONE; program.locals[1]],
            local_lists: vec![Vec::new(); program.locals[2]],
            bound: vec![false; slots],
            mover: SeatId::FIRST,
            actor: None,
            me: SeatId::FIRST,
            next_mover: None,
            ply: 0,
            turn: 0,
            now: 0,
            phase: None,
            standing: vec![Standing::Playing; seats],
            playing: W::all(seats),
            offers: vec![Bits::new(); offers],
            control: Vec::new(),
            members: Vec::new(),
            secrets: Vec::new(),
            ask: NOTHING_ASKED,
            outcome: None,
            history: History::default(),
            board_key: 0,
            journal: None,
        }
    }

    /// Becomes a copy of another, reusing its own allocations.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.sites.clone_from(&other.sites);
        self.indexes.clone_from(&other.indexes);
        self.graphs.clone_from(&other.graphs);
        self.invalidate();
        self.taken = other.taken;
        self.tokens.clone_from(&other.tokens);
        self.token_sites.clone_from(&other.token_sites);
        self.lists.clone_from(&other.lists);
        self.vars.clone_from(&other.vars);
        self.var_sets.clone_from(&other.var_sets);
        self.var_lists.clone_from(&other.var_lists);
        self.locals.clone_from(&other.locals);
        self.local_sets.clone_from(&other.local_sets);
        self.local_lists.clone_from(&other.local_lists);
        self.bound.clone_from(&other.bound);
        self.mover = other.mover;
        self.actor = other.actor;
        self.me = other.me;
        self.next_mover = other.next_mover;
        self.ply = other.ply;
        self.turn = other.turn;
        self.now = other.now;
        self.phase = other.phase;
        self.standing.clone_from(&other.standing);
        self.playing = other.playing;
        self.offers.clone_from(&other.offers);
        self.control.clone_from(&other.control);
        self.members.clone_from(&other.members);
        self.secrets.clone_from(&other.secrets);
        self.ask = other.ask;
        self.outcome.clone_from(&other.outcome);
        self.history.clone_from(&other.history);
        self.board_key = other.board_key;
    }

    /// Invalidates everything cached for this position.
    pub(super) fn invalidate(&mut self) {
        self.fresh = 0;
        let all = W::all(self.sites.len());
        self.changed.fill(Changed { seen: W::NONE, from: all });
        self.puts.forget();
    }

    pub(super) fn set_actor(&mut self, actor: Option<SeatId>) {
        self.actor = actor;
        self.me = actor.unwrap_or(self.mover);
    }

    pub(super) fn set_mover(&mut self, mover: SeatId) {
        self.mover = mover;
        self.me = self.actor.unwrap_or(mover);
    }

    /// Whether a seat still plays.
    pub(super) fn plays(&self, seat: SeatId) -> bool {
        self.playing.contains(usize::from(seat))
    }

    /// The next seat after this one that still plays; itself if no other does.
    pub(super) fn following(&self, seat: usize) -> usize {
        let count = self.standing.len().max(1);
        let mut next = seat;
        for _ in 0..count {
            next = if next + 1 >= count { 0 } else { next + 1 };
            if self.playing.contains(next) {
                return next;
            }
        }
        seat
    }

    /// The seat before this one that still plays; itself if no other does.
    pub(super) fn preceding(&self, seat: usize) -> usize {
        let count = self.standing.len().max(1);
        (1..=count).map(|step| (seat + count - step) % count).find(|&at| self.playing.contains(at)).unwrap_or(seat)
    }

    /// Clears a local name.
    pub(super) fn forget(&mut self, slot: Slot, home: Home) {
        if let Some(bound) = self.bound.get_mut(usize::from(slot)) {
            *bound = false;
        }
        match home {
            Home::Number(at) => self.locals[usize::from(at)] = 0,
            Home::Set(at) => self.local_sets[usize::from(at)] = W::NONE,
            Home::List(at) => self.local_lists[usize::from(at)].clear(),
            Home::Nowhere => {}
        }
    }

    /// Puts a piece on a site; 0 removes it. Indexes and key are updated.
    #[inline]
    pub(super) fn put(&mut self, program: &Program<W>, site: usize, piece: u16) {
        let Some(place) = self.sites.get_mut(site) else { return };
        let before = std::mem::replace(place, piece);
        if before == piece {
            return;
        }
        self.write_down(|| Undo::Piece(site, before));
        self.fresh &= !program.stale.sites;
        if program.inspects {
            let bits = |piece: u16| get_or_default(&program.index_bits, usize::from(piece));
            self.puts.note(site, bits(before) ^ bits(piece));
        }
        for &index in &program.indexed[usize::from(before)] {
            self.indexes[usize::from(index)].remove(site);
        }
        for &index in &program.indexed[usize::from(piece)] {
            self.indexes[usize::from(index)].insert(site);
        }
        if piece == 0 {
            self.taken.remove(site);
        } else {
            self.taken.insert(site);
        }
        if !program.graphs.is_empty() {
            self.hops_follow(program, site, before, piece);
        }
        if program.remembers {
            self.board_key ^= program.piece_key(site, before) ^ program.piece_key(site, piece);
        }
    }

    /// Updates the maintained graphs after a site has changed.
    fn hops_follow(&mut self, program: &Program<W>, site: usize, before: u16, piece: u16) {
        let kept = self.graphs.chunks_exact_mut(program.sites).zip(&mut self.changed[1..]);
        for (graph, (lands, changed)) in program.graphs.iter().zip(kept) {
            changed.from.insert(site);
            let (was, is) = (graph.over[usize::from(before)], graph.over[usize::from(piece)]);
            if was != is {
                for &(from, end) in graph.by_middle.of(site) {
                    let (from, end) = (usize::from(from), usize::from(end));
                    if self.taken.contains(end) {
                        // A piece lifted from there may now leap back, or no longer.
                        changed.from.insert(end);
                        lands[from].remove(end);
                        continue;
                    }
                    changed.seen.insert(from);
                    if is {
                        lands[from].insert(end);
                    } else {
                        lands[from].remove(end);
                    }
                }
            }
            if (before == 0) != (piece == 0) {
                for &(from, middle) in graph.by_end.of(site) {
                    let from = usize::from(from);
                    if !graph.over[usize::from(self.sites[usize::from(middle)])] {
                        lands[from].remove(site);
                        continue;
                    }
                    changed.seen.insert(from);
                    if piece == 0 {
                        lands[from].insert(site);
                    } else {
                        lands[from].remove(site);
                    }
                }
            }
        }
    }

    /// A list of a zone.
    #[inline]
    pub(super) fn list(&self, list: usize) -> &[u16] {
        self.lists.get(list).map_or(&[], Vec::as_slice)
    }

    /// A list of a zone, mutable.
    #[inline]
    pub(super) fn list_mut(&mut self, program: &Program<W>, list: usize) -> Option<&mut Vec<u16>> {
        self.fresh &= !get_or_default(&program.stale.lists, list);
        self.lists.get_mut(list)
    }

    /// Sets the number of tokens of a pool on a site. Indexes and key are updated.
    #[inline]
    pub(super) fn set_tokens(&mut self, program: &Program<W>, pool: usize, site: usize, count: u32) {
        let Some(place) = self.tokens.get_mut(pool * program.sites + site) else { return };
        let before = std::mem::replace(place, count);
        self.write_down(|| Undo::Tokens(pool, site, before));
        self.fresh &= !program.stale.tokens;
        let sites = &mut self.token_sites[pool];
        if count == 0 {
            sites.remove(site);
        } else {
            sites.insert(site);
        }
        if program.remembers {
            self.board_key ^= crate::model::token_key(pool, site, before) ^ crate::model::token_key(pool, site, count);
        }
    }

    #[inline]
    pub(super) fn tokens_at(&self, program: &Program<W>, pool: usize, site: usize) -> u32 {
        if site < program.sites { get_or_default(&self.tokens, pool * program.sites + site) } else { 0 }
    }
}
