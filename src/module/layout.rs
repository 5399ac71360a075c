//! Where everything lies in the module's memory.

use std::collections::BTreeMap;

use super::capacity::Capacity;
use super::emit::Wide;
use super::func::Address;
use super::lattice::Lattice;
use super::pool::bytes_of_tokens;
use super::random::BLOCKS;
use crate::base::SaturatingFrom;
use crate::compile::program::{Head, Local, Program};
use crate::ir::Game;
use crate::model::StmtRef;

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
    /// The logical clock, the moment at which acts of a race are listed, and the race.
    pub now: Address,
    pub moment: Address,
    pub race: Address,
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
    /// How many bytes each number of tokens takes; eight are read at a time.
    pub token_bytes: u32,
    pub token_sites: Address,
    pub vars: Address,
    pub var_sets: Address,
    pub locals: Address,
    pub local_sets: Address,
    /// The lists of zones and variables: how many bytes each takes, and how many members it has room for.
    pub zones: Lists,
    pub var_lists: Lists,
    /// Lists that names hold beyond a question, and those that loops which ask run over.
    pub local_lists: BTreeMap<Local, Lists>,
    pub loops: BTreeMap<StmtRef, Lists>,
    /// Pieces on their way from one place to another.
    pub carried: Address,
    /// Lists that are made while something is worked out: one behind the other.
    pub heap: Address,
    pub heap_end: Address,
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
    /// The seat that acts in the answer, and the one whose acts are being listed; -1 for none.
    pub who: Address,
    pub racer: Address,
    pub params: u32,
    /// The random numbers: key, block, and how many of its words are used.
    pub key: Address,
    pub block: Address,
    pub used: Address,
    /// Decisions and legal answers of a playout.
    pub decisions: Address,
    /// How many questions a playout may still ask, and before which ply it stops: then chance is not asked for nothing.
    pub questions: Address,
    pub last_ply: Address,
    /// The positions at questions so far, where repetition counts, and each of their parts that is counted by itself.
    pub history: Vec<Records>,
    /// Where the innermost move that is tried out keeps the pieces that it replaces, 0 for none, and on which sites it did.
    pub journal: Address,
    pub replaced: Address,
    /// The sites that have been looked at; those that were only looked for in some indexes, and these, one bit each.
    pub looked: Address,
    pub compared: Address,
    pub indexes_compared: Address,
    /// Where the walkers of paths end that are followed one by one.
    pub walkers_top: Address,
    /// From here on buffers and tables are placed.
    pub free: Address,
}

/// Lists in memory, all of the same size: a head with the number of members, the members behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lists {
    pub first: Address,
    pub stride: u32,
    pub room: u32,
}

/// The head of a list: how many members it has, and whether they are kept in order.
pub(super) const HEAD: u32 = 8;
pub(super) const SORTED: u32 = 4;

/// How many bytes the lists have that are made while something is worked out.
const HEAP: u32 = 1 << 20;

/// The most positions that are remembered.
pub(super) const HISTORY: u32 = 1 << 16;

/// The most parts of positions that are counted by themselves.
pub(super) const MOST_PARTS: usize = 16;

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
    #[expect(clippy::too_many_lines, reason = "one line per part of memory")]
    pub(super) fn of(
        program: &Program<Wide>,
        game: &Game,
        set: u32,
        lattices: &[Option<Lattice>],
        capacity: &Capacity,
    ) -> Self {
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
        let (moment, race) = (take(8), take(4));
        let (board_key, remembered) = (take(8), take(4));
        let (named, scores, playing, standing) = (take(set), take(8 * seats), take(set), take(4 * seats));
        let sites = take(2 * count(program.sites));
        let (taken, indexes) = (take(set), take(set * count(program.indexes)));
        let token_bytes = bytes_of_tokens(program, game);
        let tokens = take(token_bytes * count(program.sites * program.pools) + 8);
        let token_sites = take(set * count(program.pools));
        let (vars, var_sets) = (take(8 * count(program.cells[0])), take(set * count(program.cells[1])));
        let hops = |lattice: &Option<Lattice>| if lattice.is_some() { 8 } else { set };
        let graphs = lattices.iter().map(|lattice| take(hops(lattice) * count(program.sites))).collect();
        let mut lists = |number: usize, room: usize, size: u32| {
            let room = count(room);
            let stride = HEAD + room.saturating_mul(size).next_multiple_of(8);
            Lists { first: take(stride.saturating_mul(count(number))), stride, room }
        };
        let zones = lists(program.lists, capacity.zone, 2);
        let var_lists = lists(program.cells[2], capacity.variable, 8);
        let table = take(0) - position;
        let (locals, local_sets) = (take(8 * count(program.locals[0])), take(set * count(program.locals[1])));
        let frames = take(8 * FRAMES);
        let mut lists = |room: usize| {
            let stride = HEAD + 8 * count(room);
            Lists { first: take(stride), stride, room: count(room) }
        };
        let local_lists = capacity.locals.iter().map(|(at, room)| (*at, lists(*room))).collect();
        let loops = capacity.loops.iter().map(|(at, room)| (*at, lists(*room))).collect();
        let size = take(0) - position;
        let (legal, groups, parameters) = (take(4), take(4), take(4));
        let (chosen, action, who, racer) = (take(8 * params), take(4), take(4), take(4));
        let (key, block, used, decisions) = (take(48), take(BLOCKS), take(4), take(16));
        let (questions, last_ply) = (take(8), take(8));
        let group_size = 24 + 8 * params + set;
        let first_group = take(GROUPS * group_size);
        let carried = take(2 * count(program.sites.max(capacity.zone)));
        let heap = take(HEAP);
        let records = if program.remembers { 1 + game.parts.len() } else { 0 };
        let history = (0..records).map(|_| Records { entries: take(ENTRY * HISTORY), last: take(4 * LISTS) }).collect();
        let (journal, replaced) = (take(4), take(set));
        let (looked, compared, indexes_compared) = (take(set), take(set), take(8));
        let walkers_top = take(4);
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
            moment,
            race,
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
            token_bytes,
            token_sites,
            vars,
            var_sets,
            locals,
            local_sets,
            graphs,
            zones,
            var_lists,
            local_lists,
            loops,
            carried,
            heap,
            heap_end: heap + HEAP,
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
            who,
            racer,
            params,
            key,
            block,
            used,
            decisions,
            questions,
            last_ply,
            history,
            journal,
            replaced,
            looked,
            compared,
            indexes_compared,
            walkers_top,
            free: take(0),
        }
    }
}
