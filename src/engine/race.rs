//! Races: what each seat may do, at the next moment or later.

use super::eval::count;
use super::moves::{Last, Moves};
use super::run::Run;
use crate::base::{Bits, SaturatingFrom, Word, to_index};
use crate::compile::program::{OpKind, Race};
use crate::ir::{ActionRef, Move, SeatId};
use crate::model::StmtRef;

impl<'a, W: Word> Run<'a, W> {
    /// The actions that a seat intends to play in the current race, if the position tells every seat the same of them.
    pub(super) fn cues_of(&mut self, seat: SeatId) -> Option<Bits> {
        let cues = self.program.cues.as_ref()?;
        self.refill();
        // All seats share the budget of a decision; what is left to the others is not taken.
        self.steps /= self.game.seats.len().max(1) as u64;
        self.granted = self.steps;
        let me = std::mem::replace(&mut self.state.me, seat);
        let moment = self.moment.replace(self.state.now.saturating_add(1));
        let mut meant = Bits::new();
        for (action, when) in cues {
            if self.test(when) {
                meant.insert(usize::from(*action));
            }
        }
        self.state.me = me;
        self.moment = moment;
        (self.steps > 0).then_some(meant)
    }

    /// Whether a race lists an act at the time that it names; none if it cannot be found out.
    pub(super) fn lists_act(&mut self, mv: &Move) -> Option<bool> {
        let play = self.convert().to_play(mv)?;
        let (ActionRef::Race(_), &[seat, time, ..]) = (play.action, play.args.as_slice()) else { return None };
        let OpKind::Race(race) = &self.program.op(self.state.ask.1)?.kind else { return None };
        self.refill();
        self.moves.forget();
        let until = race.until.as_ref().map(|until| self.number(until));
        if time >= self.state.now && until.is_none_or(|until| time <= until) {
            let seats = self.set(&race.seats).and(self.state.playing).and(W::one(to_index(seat)));
            self.list_acts(race, seats, time, &mut 0);
        }
        let count = self.counted();
        let listed = (0..count).any(|n| self.moves.nth(n).as_ref() == Some(&play));
        let known = self.steps > 0 && !self.moves.spilled;
        self.moves.forget();
        known.then_some(listed)
    }

    /// Lists what each seat may do in a race at the next moment, or where there is no deadline, what it may do first.
    pub(super) fn list_race(&mut self, at: StmtRef) {
        let program = self.program;
        let Some(OpKind::Race(race)) = program.op(at).map(|op| &op.kind) else { return };
        let seats = self.set(&race.seats).and(self.state.playing);
        let until = race.until.as_ref().map(|until| self.number(until));
        if self.game.may_begin_later(&race.group, until.is_some()) {
            self.list_soonest(race, seats);
            return;
        }
        let time = self.state.now.saturating_add(1);
        if until.is_none_or(|until| time <= until) {
            self.list_acts(race, seats, time, &mut 0);
        }
        if until.is_some() {
            self.add(ActionRef::Wait, &[], Last::Done, None);
        }
    }

    /// Lists what each of these seats may do at the next moment, or else what it may do first. The reference interpreter finds out
    /// when that is: this one does not know how long what it has found stays as it is.
    fn list_soonest(&mut self, race: &'a Race<W>, seats: W) {
        let next = self.state.now.saturating_add(1);
        let (mut position, mut parameters) = (None, 0);
        for seat in seats.iter() {
            let before = self.moves.groups.len();
            self.list_acts(race, W::one(seat), next, &mut parameters);
            if self.moves.spilled || self.moves.groups[before..].iter().any(|group| group.count > 0) {
                continue;
            }
            let position = position.get_or_insert_with(|| self.to_position());
            let (first, steps) = self.walker.first_moment(position, SeatId::new(seat), self.steps);
            self.steps = self.steps.saturating_sub(steps);
            if let Some(time) = first {
                self.list_acts(race, W::one(seat), time, &mut parameters);
            }
        }
    }

    /// Lists what these seats may do in a race at a time; their moves have so many parameters together with those listed before.
    fn list_acts(&mut self, race: &'a Race<W>, seats: W, time: i64, parameters: &mut usize) {
        let me = self.state.me;
        let moment = self.moment.replace(time);
        for seat in seats.iter() {
            self.state.me = SeatId::new(seat);
            let first = self.moves.groups.len();
            self.list_group(&race.group);
            self.race_from(first, seat, time);
            let acts = self.moves.groups[first..].iter().filter(|group| matches!(group.action, ActionRef::Race(_)));
            for group in acts {
                *parameters += group.parameters();
            }
            // The moves themselves are limited for each seat.
            self.spill(0, *parameters);
        }
        self.state.me = me;
        self.moment = moment;
        self.moves.groups.retain(|group| matches!(group.action, ActionRef::Race(_)));
    }

    /// Turns the groups from an index on into acts of a race.
    fn race_from(&mut self, first: usize, seat: usize, time: i64) {
        let Moves { groups, values, .. } = &mut self.moves;
        for group in &mut groups[first..] {
            let ActionRef::Action(number) = group.action else { continue };
            let (from, length) = (group.args.0 as usize, group.args.1 as usize);
            group.action = ActionRef::Race(number);
            group.args = (u32::saturating_from(values.len()), group.args.1 + 2);
            values.extend([count(seat), time]);
            values.extend_from_within(from..from + length);
        }
    }

    /// Whether a race has a legal move.
    pub(super) fn race_is_on(&mut self, at: StmtRef) -> bool {
        self.moves.forget();
        self.list_race(at);
        self.counted() > 0 || self.moves.spilled
    }
}
