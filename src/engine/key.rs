//! Keys of positions for repetition.

use smallvec::SmallVec;

use super::run::Run;
use super::state::{AskAt, Frame, to_ask};
use crate::base::{Word, get_or_default, to_index};
use crate::compile::program::CellKind;
use crate::ir::{PartId, SeatId, Ty};
use crate::model::{
    ControlHash, held_key, is_moving, member_key, mix, number_key, part_seed, token_key, turn_key, zone_key,
};

/// How many lists and values of a part are compared in the time of a step.
const VALUES_A_STEP: u64 = 8;

impl<W: Word> Run<'_, W> {
    /// The key of the position and those of its parts.
    pub(super) fn keys(&self) -> (u64, SmallVec<[u64; 1]>) {
        if self.game.parts.is_empty() {
            return (self.key(), SmallVec::new());
        }
        let moving = self.is_moving();
        let part = |part| if moving { 0 } else { self.part_key(part, self.state.mover) };
        (self.key(), self.game.parts.ids().map(part).collect())
    }

    pub(super) fn is_moving(&self) -> bool {
        let control = self.convert().control(&self.state);
        is_moving(control.iter().rev(), &to_ask(self.state.ask))
    }

    /// The key of a part by its number, as if the given seat were the mover.
    pub(super) fn part_key(&self, number: PartId, mover: SeatId) -> u64 {
        let (state, program) = (&self.state, self.program);
        let Some(counted) = self.game.parts.get(number) else { return 0 };
        let mut key = part_seed(number, counted.mover.then_some(mover));
        if counted.sites.count() == program.sites {
            key ^= state.board_key;
        } else {
            for site in counted.sites.iter() {
                key ^= program.piece_key(site, get_or_default(&state.sites, site));
                for pool in 0..program.pools {
                    key ^= token_key(pool, site, state.tokens_at(program, pool, site));
                }
            }
        }
        let count = |indices: &[(Ty, usize)]| indices.iter().map(|(_, size)| *size).product::<usize>();
        let mut first = 0;
        for (zone, info) in self.game.zones.numbered() {
            let next = first + count(&info.indices);
            if counted.zones.contains(&zone) {
                key = (first..next).fold(key, |key, list| key ^ self.list_key(list));
            }
            first = next;
        }
        let mut first = 0;
        for (var, info) in self.game.vars.numbered() {
            let next = first + count(&info.indices);
            if counted.vars.contains(&var) {
                key = (first..next).fold(key, |key, cell| key ^ self.cell_key(cell));
            }
            first = next;
        }
        key
    }

    /// What the key of a part takes, in which each of its lists and values counts.
    pub(super) fn weigh_part(&mut self, part: PartId) {
        let game = self.game;
        let Some(counted) = game.parts.get(part) else { return };
        let count = |indices: &[(Ty, usize)]| indices.iter().map(|(_, size)| *size).product::<usize>();
        let zones = game.zones.numbered().filter(|(zone, _)| counted.zones.contains(zone));
        let vars = game.vars.numbered().filter(|(var, _)| counted.vars.contains(var));
        let lists: usize = zones.map(|(_, info)| count(&info.indices)).sum();
        let cells: usize = vars.map(|(_, info)| count(&info.indices)).sum();
        self.steps = self.steps.saturating_sub((lists + cells) as u64 / VALUES_A_STEP);
        self.look_back();
    }

    /// Counts what it costs to look through the earlier positions.
    pub(super) fn look_back(&mut self) {
        self.steps = self.steps.saturating_sub(self.state.history.steps());
    }

    /// The component of the key for a list of a zone.
    pub(super) fn list_key(&self, list: usize) -> u64 {
        let pieces = self.state.list(list).iter().enumerate();
        pieces.fold(0, |key, (place, &piece)| key ^ zone_key(list, place, self.program.digests[usize::from(piece)]))
    }

    /// The component of the key for a value of a variable.
    pub(super) fn cell_key(&self, cell: usize) -> u64 {
        let (state, program) = (&self.state, self.program);
        let digest = |n: i64| get_or_default(&program.digests, to_index(n));
        match program.keyed.get(cell).map(|(_, held)| held) {
            None => 0,
            Some(CellKind::Number(at)) => number_key(cell, state.vars[*at as usize]),
            Some(CellKind::Piece(at)) => held_key(cell, digest(state.vars[*at as usize])),
            Some(CellKind::Set(at)) => {
                let set = state.var_sets[*at as usize];
                set.iter().fold(0, |key, n| key ^ member_key(cell, super::eval::count(n)))
            }
            Some(CellKind::Numbers(at)) => {
                state.var_lists[*at as usize].iter().fold(0, |key, &n| key ^ member_key(cell, n))
            }
            Some(CellKind::Pieces(at)) => {
                let pieces = &state.var_lists[*at as usize];
                pieces.iter().fold(0, |key, &n| mix(key ^ held_key(cell, digest(n))))
            }
        }
    }

    /// The key of the position for repetition.
    pub(super) fn key(&self) -> u64 {
        let state = &self.state;
        let mut hash = self.control_hash(&state.control, &[], state.ask, state.actor, state.next_mover);
        if self.reads_names(&state.control) || !to_ask(state.ask).reads(&self.game.liveness).is_empty() {
            let control = self.convert().control(state);
            let frames = control.iter().flat_map(|frame| frame.reads(&self.game.liveness));
            for &slot in frames.chain(to_ask(state.ask).reads(&self.game.liveness)) {
                hash.name(slot, &self.convert().local(state, slot));
            }
        }
        self.table_key(state.mover) ^ hash.key()
    }

    /// Whether frames can still read local names.
    pub(super) fn reads_names(&self, control: &[Frame]) -> bool {
        let alive = &self.game.liveness;
        control.iter().any(|frame| match frame {
            Frame::Block(block, next) => !alive.from(*block, *next).is_empty(),
            Frame::While(at) | Frame::Repeat(at, _) | Frame::Each(at, _) | Frame::Turns(at, _) => {
                !alive.again(*at).is_empty()
            }
            Frame::Phase(_)
            | Frame::Played(_)
            | Frame::Actor(_)
            | Frame::Ends(..)
            | Frame::Shuffle(..)
            | Frame::Together(..)
            | Frame::Ask(_) => false,
        })
    }

    pub(super) fn control_hash(
        &self,
        control: &[Frame],
        on_top: &[Frame],
        ask: AskAt,
        actor: Option<SeatId>,
        next_mover: Option<SeatId>,
    ) -> ControlHash {
        let mut hash = ControlHash::new(&to_ask(ask), actor, next_mover);
        let convert = self.convert();
        let (mut members, mut secrets) = (self.state.members.iter(), self.state.secrets.iter());
        for frame in control.iter().chain(on_top) {
            hash.frame(&convert.frame(frame, &mut members, &mut secrets));
        }
        hash
    }

    /// The components of the key for everything on the table, as if the given seat were the mover.
    pub(super) fn table_key(&self, mover: SeatId) -> u64 {
        let (state, program) = (&self.state, self.program);
        let mut key = turn_key(mover, state.phase, &state.standing) ^ state.board_key;
        key = (0..state.lists.len()).fold(key, |key, list| key ^ self.list_key(list));
        for (cell, (counts, _)) in program.keyed.iter().enumerate() {
            if *counts {
                key ^= self.cell_key(cell);
            }
        }
        key
    }
}
