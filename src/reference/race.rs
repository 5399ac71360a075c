//! Questions to several seats: secret choices, and races.

use super::machine::Machine;
use super::moves::too_many;
use super::{Eval, Walker};
use crate::base::Bits;
use crate::ir::{ActionRef, Header, Move, RuleId, SeatId, StmtKind, Value};
use crate::model::{Ask, Frame, Position, StmtRef};

/// A `race`, taken apart.
pub(super) struct Race<'a> {
    pub(super) group: &'a [ActionRef],
    /// The seats that may act.
    pub(super) seats: Vec<SeatId>,
    /// The deadline, if any.
    pub(super) until: Option<i64>,
}

/// How many steps it takes to look once at what a seat may do.
const LOOK: u64 = 32;

/// How many moments are looked at for the first at which a seat may act: one for each at which a comparison with the clock comes out
/// otherwise, and each millisecond where the rules calculate with the clock in other ways.
const MOMENTS: usize = 10_000;

impl<'a> Eval<'a> {
    pub(super) fn race(&mut self, at: StmtRef) -> Option<Race<'a>> {
        let StmtKind::Race { seats, group, until, .. } = &self.walker.stmt(at)?.kind else {
            return None;
        };
        let seats = self.eval(seats).into_set();
        let seats = seats.iter().filter(|&seat| self.pos.plays(seat)).map(SeatId::new);
        let seats = seats.collect();
        let until = until.as_ref().map(|until| self.eval(until).int());
        Some(Race { group, seats, until })
    }

    /// What each seat may do in a race at the next moment; waiting for the deadline comes last. Where there is no deadline, a seat that
    /// may do nothing then is listed with what it may do first: whatever the others may do, so that this tells it nothing of them.
    pub(super) fn race_moves(&mut self, at: StmtRef) -> Vec<Move> {
        let Some(race) = self.race(at) else {
            return Vec::new();
        };
        let next = self.pos.now.saturating_add(1);
        let waits = self.game.may_begin_later(race.group, race.until.is_some());
        let (mut moves, mut parameters) = (Vec::new(), 0);
        for &seat in &race.seats {
            let mut acts = self.acts(&race, seat, next);
            if waits && acts.is_empty() {
                let first = self.first_moment(&race, seat);
                acts = first.map_or_else(Vec::new, |time| self.acts(&race, seat, time));
            }
            parameters += acts.iter().map(|mv| mv.args.len()).sum::<usize>();
            moves.extend(acts);
            if too_many(0, parameters) {
                self.steps = 0;
                break;
            }
        }
        if race.until.is_some() {
            moves.push(Move { action: ActionRef::Wait, args: smallvec::SmallVec::new() });
        }
        if self.spent() { Vec::new() } else { moves }
    }

    /// The first moment at which a seat may do something in a race; none if that is never, or not found.
    fn first_moment(&mut self, race: &Race<'_>, seat: SeatId) -> Option<i64> {
        let mut next = Some(self.pos.now.saturating_add(1));
        for _ in 0..MOMENTS {
            let time = next.filter(|_| !self.spent())?;
            // However little is listed.
            self.tick(LOOK);
            let (acts, change) = self.timing(|eval| eval.acts(race, seat, time));
            if !acts.is_empty() {
                return Some(time);
            }
            next = change.filter(|change| *change > time);
        }
        None
    }

    /// Whether somebody may do one of these in a race at the next moment.
    pub(super) fn could_act(&mut self, at: StmtRef, actions: &[ActionRef]) -> bool {
        let time = self.pos.now.saturating_add(1);
        let Some(race) = self.race(at) else { return false };
        let race = Race { group: actions, ..race };
        race.seats.iter().any(|&seat| !self.acts(&race, seat, time).is_empty())
    }

    /// What a seat may do first in the current race of several groups of actions, each of which it may do from a time on: all that it
    /// may do at that time of the group of which it may do something first. Nothing if that is never, or not before a time.
    pub(super) fn first_acts(&mut self, seat: SeatId, wanted: &[(Bits, i64)], before: Option<i64>) -> Vec<Move> {
        let Ask::Race { at } = self.pos.ask else { return Vec::new() };
        let Some(race) = self.race(at).filter(|race| race.seats.contains(&seat)) else { return Vec::new() };
        let (mut first, mut before) = (Vec::new(), before);
        for (actions, from) in wanted {
            let meant = |action: &ActionRef| matches!(action, ActionRef::Action(one) | ActionRef::Race(one) if actions.contains(usize::from(*one)));
            // What is preferred depends on what else may be done.
            let whole = race.group.iter().any(|action| self.prefers(*action));
            let group: Vec<ActionRef> = race.group.iter().filter(|action| whole || meant(action)).copied().collect();
            let race = Race { group: &group, seats: Vec::new(), until: race.until };
            let mut next = Some(*from);
            while let Some(time) = next.filter(|time| before.is_none_or(|before| *time < before) && !self.spent()) {
                // However little is listed.
                self.tick(LOOK);
                let (mut found, change) = self.timing(|eval| eval.acts(&race, seat, time));
                found.retain(|mv| meant(&mv.action));
                next = change.filter(|change| *change > time && found.is_empty());
                if !found.is_empty() {
                    (first, before) = (found, Some(time));
                }
            }
        }
        first
    }

    fn prefers(&self, action: ActionRef) -> bool {
        let ActionRef::Action(number) = action else { return false };
        let action = self.game.actions.get(number);
        action.is_some_and(|action| action.head.iter().any(|line| matches!(line, Header::Prefer(..))))
    }

    /// What a seat may do in a race at a given time: `now` is that time.
    pub(super) fn acts(&mut self, race: &Race<'_>, seat: SeatId, time: i64) -> Vec<Move> {
        if time < self.pos.now || race.until.is_some_and(|until| time > until) {
            return Vec::new();
        }
        let before = (self.acting.replace(seat), self.moment.replace(time));
        let moves = self.group_moves(race.group).iter().filter_map(|mv| raced(mv, seat, time)).collect();
        (self.acting, self.moment) = before;
        moves
    }
}

/// A move as an act of a race.
fn raced(mv: &Move, seat: SeatId, time: i64) -> Option<Move> {
    let ActionRef::Action(number) = mv.action else {
        return None;
    };
    let mut args: smallvec::SmallVec<[Value; 2]> = smallvec::smallvec![Value::Atom(u32::from(seat)), Value::Int(time)];
    args.extend(mv.args.iter().cloned());
    Some(Move { action: ActionRef::Race(number), args })
}

impl Walker {
    /// The first moment at which a seat may act in the race that a position asks; none if that is never, or not found. And how many of
    /// so many steps finding that out took.
    pub(crate) fn first_moment(&self, position: &Position, seat: SeatId, steps: u64) -> (Option<i64>, u64) {
        let Ask::Race { at } = position.ask else { return (None, 0) };
        let mut eval = Eval::new(self, position, steps);
        let found = eval.race(at).and_then(|race| eval.first_moment(&race, seat));
        (found, steps.saturating_sub(eval.steps))
    }
}

impl Machine<'_> {
    pub(super) fn begin_race(&mut self, at: StmtRef, rule: RuleId) {
        self.ask(Ask::Race { at });
        self.watch_race(at);
        if !self.with_eval(|eval| eval.race_moves(at).is_empty()) {
            return;
        }
        self.take_back();
        let walker = self.walker;
        let otherwise = match walker.stmt(at).map(|stmt| &stmt.kind) {
            Some(StmtKind::Race { otherwise, .. }) => *otherwise,
            _ => None,
        };
        self.nobody_can(otherwise, rule);
    }

    /// A seat has acted, or nobody did before the deadline.
    pub(super) fn raced(&mut self, at: StmtRef, mv: &Move) {
        let walker = self.walker;
        if let (ActionRef::Race(number), [seat, time, args @ ..]) = (mv.action, mv.args.as_slice()) {
            self.pos.now = self.pos.now.max(time.int());
            let seat = SeatId::new(seat.atom());
            let before = self.pos.actor.replace(seat);
            self.pos.control.push(Frame::Played(before));
            if let Some(action) = walker.game.actions.get(number) {
                self.enter(action, args);
            }
            return;
        }
        let until = self.with_eval(|eval| eval.race(at).and_then(|race| race.until));
        if let Some(until) = until {
            self.pos.now = self.pos.now.max(until);
        }
        if let Some(StmtKind::Race { otherwise: Some(block), .. }) = walker.stmt(at).map(|stmt| &stmt.kind) {
            self.pos.control.push(Frame::Block(*block, 0));
        }
    }

    /// Asks the next seat that can choose; once all have chosen, carries out the moves.
    pub(super) fn go_on_together(&mut self, at: StmtRef, mut left: Vec<SeatId>, mut chosen: Vec<(SeatId, Move)>) {
        let walker = self.walker;
        let Some(StmtKind::Together { groups, .. }) = walker.stmt(at).map(|stmt| &stmt.kind) else {
            return;
        };
        while let Some(seat) = left.pop() {
            // A claim made since may have taken it out of the game.
            if !self.pos.plays(usize::from(seat)) {
                continue;
            }
            let before = self.pos.actor.replace(seat);
            self.pos.control.push(Frame::Together(at, left, chosen));
            self.pos.control.push(Frame::Actor(before));
            self.ask(Ask::Choose { seat, at });
            self.watch_offer(groups, false);
            if self.with_eval(|eval| eval.can_move(groups)) {
                return;
            }
            self.take_back();
            self.pos.control.pop();
            self.pos.actor = before;
            let Some(Frame::Together(_, others, moves)) = self.pos.control.pop() else { return };
            (left, chosen) = (others, moves);
        }
        if chosen.is_empty() {
            return;
        }
        let (seat, mv) = chosen.remove(0);
        self.pos.control.push(Frame::Together(at, left, chosen));
        let before = self.pos.actor.replace(seat);
        self.pos.control.push(Frame::Played(before));
        if let ActionRef::Action(number) = mv.action
            && let Some(action) = walker.game.actions.get(number)
        {
            self.enter(action, &mv.args);
        }
    }

    /// Whether a question asks for one of several secret choices; if so, its answer is stored.
    pub(super) fn kept(&mut self, at: StmtRef, seat: SeatId, mv: &Move) -> bool {
        if !matches!(self.walker.stmt(at).map(|stmt| &stmt.kind), Some(StmtKind::Together { .. })) {
            return false;
        }
        if let Some(Frame::Actor(before)) = self.pos.control.pop() {
            self.pos.actor = before;
        }
        if let Some(Frame::Together(_, _, chosen)) = self.pos.control.last_mut() {
            chosen.push((seat, mv.clone()));
        }
        true
    }
}
