//! Where everything lies in the module's memory.

use super::emit::Wide;
use super::func::Address;
use super::lattice::Lattice;
use crate::base::SaturatingFrom;
use crate::compile::program::{Head, Program};
use crate::ir::Game;

/// The number of moves with different parameters but the last that can be listed.
const GROUPS: u32 = 16_384;

/// Where everything lies. What belongs to a position is in one piece, so that a copy of it is one instruction.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// A word, and a set, that are always 0: what is beyond the end of a table.
    pub nothing: Address,
    /// The position: its beginning and its length in bytes.
    pub position: Address,
    pub size: u32,
    /// The length of its first part: everything that statements change which ask nothing.
    pub table: u32,
    /// Small numbers of the position, 32 bits each.
    pub place: Address,
    pub asked: Address,
    pub seat: Address,
    pub mover: Address,
    pub actor: Address,
    pub me: Address,
    pub next_mover: Address,
    pub ply: Address,
    pub turn: Address,
    pub phase: Address,
    /// The end condition whose block is running, or -1.
    pub end: Address,
    /// How the game ended, by which end condition and which statement.
    pub over: Address,
    pub over_end: Address,
    pub over_rule: Address,
    /// The logical clock.
    pub now: Address,
    /// The component of the position's key for pieces and tokens, and how many positions are remembered.
    pub board_key: Address,
    pub remembered: Address,
    /// The seats that a verdict names or that are ranked, and the scores of all seats.
    pub named: Address,
    pub scores: Address,
    /// The seats that still play, and the rank of each seat, 0 while it plays.
    pub playing: Address,
    pub standing: Address,
    pub sites: Address,
    pub taken: Address,
    pub indexes: Address,
    pub tokens: Address,
    pub token_sites: Address,
    pub vars: Address,
    pub var_sets: Address,
    pub locals: Address,
    pub local_sets: Address,
    /// The hops of each maintained graph: a word for each place of a lattice, or a set for each site.
    pub graphs: Vec<Address>,
    /// What the course keeps between two questions: members left of loops, seats that acted before.
    pub frames: Address,
    pub frames_end: Address,
    /// The legal answers: their number, how many groups there are, and the groups.
    pub count: Address,
    pub groups: Address,
    /// How many parameters they have together.
    pub parameters: Address,
    pub first_group: Address,
    pub group_size: u32,
    pub most_groups: u32,
    /// The parameters of the chosen move, and its action.
    pub chosen: Address,
    pub action: Address,
    pub params: u32,
    /// The random numbers: key, block, and how many of its words are used.
    pub key: Address,
    pub block: Address,
    pub used: Address,
    /// Decisions, legal answers and questions of a playout.
    pub decisions: Address,
    /// The positions at questions so far, where repetition counts, and each of their parts that is counted by itself.
    pub history: Vec<Records>,
    /// Where the innermost move that is tried out keeps the pieces that it replaces, 0 for none, and on which sites it did.
    pub journal: Address,
    pub replaced: Address,
    /// The sites that have been looked at; those that were only looked for in some indexes, and these, one bit each.
    pub looked: Address,
    pub compared: Address,
    pub indexes_compared: Address,
    /// From here on buffers and tables are placed.
    pub free: Address,
}

/// The most positions that are remembered.
pub(super) const HISTORY: u32 = 1 << 16;

/// In how many lists they are sorted by their keys.
pub(super) const LISTS: u32 = 1 << 12;

/// Where keys are remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records {
    /// An entry for each position: its key, the plies made before it, and the number of the entry before it in its list,
    /// from 1; 0 for none.
    pub entries: Address,
    /// The number of the last entry of each list.
    pub last: Address,
}

/// Where the parts of an entry lie, and how long it is.
pub(super) const PLY: u32 = 8;
pub(super) const BEFORE: u32 = 12;
pub(super) const ENTRY: u32 = 16;

/// How much room the course has for what it keeps, in words.
const FRAMES: u32 = 512;

impl Layout {
    pub(super) fn of(program: &Program<Wide>, game: &Game, set: u32, lattices: &[Option<Lattice>]) -> Self {
        let seats = u32::saturating_from(game.seats.len());
        let count = |n: usize| u32::saturating_from(n);
        let params = program
            .actions
            .iter()
            .map(|action| action.head.iter().filter(|line| matches!(line, Head::Choose(..))).count());
        let params = count(params.fold(1, usize::max));
        let mut next = 64 + set;
        let mut take = |bytes: u32| {
            let at = next;
            next += bytes.next_multiple_of(8);
            at
        };
        let position = take(0);
        let (place, asked, seat, mover) = (take(4), take(4), take(4), take(4));
        let (actor, me, next_mover, ply) = (take(4), take(4), take(4), take(4));
        let (turn, phase, end, over) = (take(4), take(4), take(4), take(4));
        let (over_end, over_rule, now) = (take(4), take(4), take(8));
        let (board_key, remembered) = (take(8), take(4));
        let (named, scores, playing, standing) = (take(set), take(8 * seats), take(set), take(4 * seats));
        let sites = take(2 * count(program.sites));
        let (taken, indexes) = (take(set), take(set * count(program.indexes)));
        let tokens = take(4 * count(program.sites * program.pools));
        let token_sites = take(set * count(program.pools));
        let (vars, var_sets) = (take(8 * count(program.cells[0])), take(set * count(program.cells[1])));
        let hops = |lattice: &Option<Lattice>| if lattice.is_some() { 8 } else { set };
        let graphs = lattices.iter().map(|lattice| take(hops(lattice) * count(program.sites))).collect();
        let table = take(0) - position;
        let (locals, local_sets) = (take(8 * count(program.locals[0])), take(set * count(program.locals[1])));
        let frames = take(8 * FRAMES);
        let size = take(0) - position;
        let (legal, groups, parameters) = (take(4), take(4), take(4));
        let (chosen, action) = (take(8 * params), take(4));
        let (key, block, used, decisions) = (take(48), take(64), take(4), take(24));
        let group_size = 24 + 8 * params + set;
        let first_group = take(GROUPS * group_size);
        let records = if program.remembers { 1 + game.parts.len() } else { 0 };
        let history = (0..records).map(|_| Records { entries: take(ENTRY * HISTORY), last: take(4 * LISTS) }).collect();
        let (journal, replaced) = (take(4), take(set));
        let (looked, compared, indexes_compared) = (take(set), take(set), take(8));
        let free = take(0);
        Self {
            nothing: 0,
            position,
            size,
            table,
            place,
            asked,
            seat,
            mover,
            actor,
            me,
            next_mover,
            ply,
            turn,
            phase,
            end,
            over,
            over_end,
            over_rule,
            now,
            board_key,
            remembered,
            named,
            scores,
            playing,
            standing,
            sites,
            taken,
            indexes,
            tokens,
            token_sites,
            vars,
            var_sets,
            locals,
            local_sets,
            graphs,
            frames,
            frames_end: frames + 8 * FRAMES,
            count: legal,
            groups,
            parameters,
            first_group,
            group_size,
            most_groups: GROUPS,
            chosen,
            action,
            params,
            key,
            block,
            used,
            decisions,
            history,
            journal,
            replaced,
            looked,
            compared,
            indexes_compared,
            free,
        }
    }
}
