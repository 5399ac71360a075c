//! Repetition: how often a position has occurred. Between two questions, the position meant is the one at the next
//! question. Where one turn simply follows another, its key is computed directly; elsewhere the program runs ahead on
//! a copy of the state.

use smallvec::SmallVec;

use super::run::Run;
use super::state::{AskAt, AskKind, Frame, NOTHING_ASKED};
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Answers, Number, OpKind};
use crate::ir::{PartId, SeatId};
use crate::model::{AHEAD, Ending, Standing, StmtRef, TurnStage};

/// How the program runs ahead to the next question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookahead {
    /// It does not: this is the game itself.
    Off,
    /// It works out whether a seat can answer.
    Exact,
    /// It assumes that a seat can answer where otherwise the game would be over.
    Optimistic,
}

/// The next question, where a `turns` begins its next turn with it.
struct NextQuestion {
    /// How many frames of the control stack stay.
    kept: usize,
    /// The frames on top of them.
    on_top: SmallVec<[Frame; 12]>,
    ask: AskAt,
    actor: Option<SeatId>,
    next_mover: Option<SeatId>,
    answers: Answers,
}

/// The next question as it will be after a move that is being tried out, whatever the move is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foreseen<W> {
    /// The part of its key for the control stack.
    pub(super) control: u64,
    /// The part of its key for everything on the table, if the move changed nothing there.
    pub(super) table: u64,
    pub(super) mover: SeatId,
    /// How many moves on the control stack will be counted as plies.
    pub(super) made: u32,
    /// The seats that still play.
    playing: W,
}

impl<W: Word> Run<'_, W> {
    /// Asks a question; its position counts for repetition from now on.
    pub(super) fn ask(&mut self, kind: AskKind, at: StmtRef, seat: SeatId) {
        self.ask_on(kind, at, seat);
        if self.counts() && !(kind == AskKind::Chance && self.setting_up()) {
            self.weigh();
            let (key, parts) = self.keys();
            self.state.history.push(self.state.ply, key, parts);
        }
    }

    /// Asks a question that belongs to the one before it: the next card of a shuffle.
    pub(super) fn ask_on(&mut self, kind: AskKind, at: StmtRef, seat: SeatId) {
        self.state.ask = (kind, at, seat);
        self.halted = true;
    }

    /// Withdraws a question that no seat can answer.
    pub(super) fn take_back(&mut self) {
        self.state.ask = NOTHING_ASKED;
        self.halted = false;
        self.moves.forget();
        if self.counts() {
            self.state.history.pop();
        }
    }

    /// What the key of a position takes, in which each piece of a zone and each value counts.
    pub(super) fn weigh(&mut self) {
        let (state, keyed) = (&self.state, self.program.keyed.len());
        let held = state.lists.iter().map(Vec::len).sum::<usize>() + state.lists.len() + state.members.len() + keyed;
        let sets: usize = state.var_sets.iter().map(|set| set.count()).sum();
        let numbers: usize = state.var_lists.iter().map(Vec::len).sum();
        self.steps = self.steps.saturating_sub((held + sets + numbers) as u64 / 16);
    }

    fn counts(&self) -> bool {
        self.program.remembers && self.ahead == Lookahead::Off
    }

    /// Whether a seat is assumed to be able to answer while running ahead.
    pub(super) fn is_hoped(&mut self, answers: Answers) -> bool {
        let hoped = match answers {
            Answers::Always => self.ahead != Lookahead::Off,
            Answers::OrOver { .. } => self.ahead == Lookahead::Optimistic,
            Answers::Perhaps => false,
        };
        self.certain &= !hoped || answers == Answers::Always;
        hoped
    }

    pub(super) fn setting_up(&self) -> bool {
        self.state.control.iter().any(|frame| matches!(frame, Frame::Block(block, _) if *block == self.game.setup))
    }

    /// The next question, if nothing is left of this turn and the next one begins with a question.
    fn next_question(&self) -> Option<NextQuestion> {
        let state = &self.state;
        if !self.program.quiet || self.begun.is_some() {
            return None;
        }
        let mut kept = state.control.len();
        let mut actor = state.actor;
        let (at, stage) = loop {
            kept = kept.checked_sub(1)?;
            match *state.control.get(kept)? {
                Frame::Played(before) | Frame::Actor(before) => actor = before,
                Frame::Ends(..) => {}
                Frame::Block(block, next)
                    if self.program.code.get(usize::from(block))?.ops.len() <= usize::from(next) => {}
                Frame::Turns(at, stage) => break (at, stage),
                Frame::Block(..)
                | Frame::While(_)
                | Frame::Repeat(..)
                | Frame::Each(..)
                | Frame::Phase(_)
                | Frame::Shuffle(..)
                | Frame::Together(..)
                | Frame::Ask(_) => return None,
            }
        };
        let (mut mover, mut next_mover) = (state.mover, state.next_mover);
        if matches!(stage, TurnStage::End | TurnStage::Pass) {
            mover = next_mover.take().unwrap_or_else(|| self.seat_after(mover));
        }
        if stage != TurnStage::Body && !state.plays(mover) {
            mover = self.seat_after(mover);
        }
        let Some(&OpKind::Turns(_, mut block)) = self.program.op(at).map(|op| &op.kind) else { return None };
        let mut on_top: SmallVec<[Frame; 12]> = smallvec::smallvec![Frame::Turns(at, TurnStage::End)];
        loop {
            on_top.push(Frame::Block(block, 1));
            let kind = self.program.op((block, 0)).map(|op| &op.kind)?;
            if let OpKind::Do(inner) = kind {
                block = *inner;
                continue;
            }
            let OpKind::Plays { seat: Number::Mover, answers, .. } = kind else { return None };
            if !state.plays(mover) || self.reads_names(&state.control[..kept]) || self.reads_names(&on_top) {
                return None;
            }
            on_top.push(Frame::Played(actor));
            let ask = (AskKind::Choose, (block, 0), mover);
            return Some(NextQuestion { kept, on_top, ask, actor: Some(mover), next_mover, answers: *answers });
        }
    }

    /// Whether a seat is asked for its move, and its frame is on the control stack.
    pub(super) fn within_move(&self) -> bool {
        self.state.ask.0 == AskKind::Choose && matches!(self.state.control.last(), Some(Frame::Played(_)))
    }

    /// Foresees the next question, if a seat is asked for its move, and the next turn begins with a question that its
    /// seat can answer.
    pub(super) fn foresees(&mut self) -> bool {
        if self.foreseen.is_none()
            && self.within_move()
            && let Some(next) = self.next_question().filter(|next| next.answers == Answers::Always)
        {
            let control = &self.state.control[..next.kept];
            let hash = self.control_hash(control, &next.on_top, next.ask, next.actor, next.next_mover);
            let (control, made) = (hash.key(), self.moves_on_top(next.kept));
            let table = self.table_key(next.ask.2);
            self.foreseen = Some(Foreseen { control, table, mover: next.ask.2, made, playing: self.state.playing });
        }
        self.foreseen.is_some()
    }

    /// What has been foreseen, while a move is being tried out that changes nothing of it.
    fn foreseen(&self) -> Option<Foreseen<W>> {
        self.foreseen.filter(|next| self.foresight && self.begun.is_none() && next.playing == self.state.playing)
    }

    /// How many moves are on the control stack above this height.
    fn moves_on_top(&self, kept: usize) -> u32 {
        let made = self.state.control[kept..].iter().filter(|frame| matches!(frame, Frame::Played(_))).count();
        u32::saturating_from(made)
    }

    /// The key of the position at the next question, and whether it is certain; if not, the game may be over instead.
    pub(super) fn next_key(&mut self) -> (u64, bool) {
        if let Some(next) = self.foreseen() {
            return (self.table_key(next.mover) ^ next.control, true);
        }
        if let Some(next) = self.next_question()
            && next.answers != Answers::Perhaps
        {
            let control = &self.state.control[..next.kept];
            let hash = self.control_hash(control, &next.on_top, next.ask, next.actor, next.next_mover);
            return (self.table_key(next.ask.2) ^ hash.key(), next.answers == Answers::Always);
        }
        self.run_ahead(Lookahead::Optimistic, false, Self::key)
    }

    /// The key of a part at the next question, and the number of plies there.
    pub(super) fn next_part(&mut self, part: PartId) -> (u64, u32) {
        if let Some(next) = self.foreseen() {
            return (self.part_key(part, next.mover), self.state.ply.saturating_add(next.made));
        }
        if let Some(next) = self.next_question()
            && matches!(next.answers, Answers::Always | Answers::OrOver { at_once: true })
        {
            // Whether the seat can answer or not, the part is as it is there.
            let made = self.moves_on_top(next.kept);
            return (self.part_key(part, next.ask.2), self.state.ply.saturating_add(made));
        }
        self.run_ahead(Lookahead::Exact, false, |run| run.part_now(part)).0
    }

    /// The key of a part now, and the number of plies including one being made.
    pub(super) fn part_now(&self, part: PartId) -> (u64, u32) {
        let ply = self.state.ply.saturating_add(u32::from(self.is_moving()));
        (self.part_key(part, self.state.mover), ply)
    }

    /// Counts a turn or a round while running ahead; whether so many have passed that there is no next question.
    pub(super) fn leads_nowhere(&mut self) -> bool {
        if self.ahead != Lookahead::Off {
            self.rounds += 1;
            self.halted |= self.rounds > AHEAD;
        }
        self.halted
    }

    /// Runs ahead to the next question on a copy, as if no end condition could decide the game before it and no
    /// position could recur; if the game is over, from after the block that ended it. Returns what `see` finds there,
    /// and whether it is certain.
    pub(super) fn run_ahead<T>(&mut self, how: Lookahead, over: bool, see: impl FnOnce(&Self) -> T) -> (T, bool) {
        let history = std::mem::take(&mut self.state.history);
        let (journal, trails) = (self.state.journal.take(), self.trails.take());
        let foresight = std::mem::replace(&mut self.foresight, false);
        let still = self.still.take();
        let mut saved = self.spare_state();
        saved.copy_from(&self.state);
        let (begun, alone) = (self.begun.take().filter(|_| !over), self.alone.take());
        if let Some((height, frame)) = begun {
            // The statement that looks is on the way.
            self.state.control.truncate(height);
            self.state.control.push(frame);
        }
        std::mem::swap(&mut self.moves, &mut self.stashed_moves);
        let before = (self.moment.take(), self.end.take(), self.last, self.halted, self.steps);
        (self.ahead, self.rounds, self.certain, self.halted) = (how, 0, true, false);
        self.state.outcome = None;
        self.state.set_actor(self.state.actor);
        if over {
            self.steps = self.granted;
            self.leave_statements();
        }
        self.go();
        let found = (see(self), self.certain);
        let steps = self.steps;
        (self.moment, self.end, self.last, self.halted, self.steps) = before;
        if !over {
            self.steps = steps;
        }
        self.ahead = Lookahead::Off;
        std::mem::swap(&mut self.moves, &mut self.stashed_moves);
        std::mem::swap(&mut self.state, &mut saved);
        self.state.history = history;
        (self.state.journal, self.trails) = (journal, trails);
        (self.foresight, self.still) = (foresight, still);
        (self.begun, self.alone) = (begun, alone);
        self.state.invalidate();
        self.spare.push(saved);
        found
    }

    /// At the end of the game, the position that would have been asked about next is the last one counted: its key
    /// and the keys of its parts. None if there is no such position.
    pub(super) fn count_last(&mut self) -> Option<(u64, SmallVec<[u64; 1]>)> {
        let spent = self.state.outcome.as_ref().is_some_and(|outcome| matches!(outcome.ending, Ending::Budget(_)));
        // Once nobody plays, nobody is asked.
        if !self.counts() || spent || !self.state.standing.contains(&Standing::Playing) {
            return None;
        }
        self.run_ahead(Lookahead::Exact, true, |run| (run.steps > 0).then(|| run.keys())).0
    }

    /// Whether the statement that would end the game belongs to an end condition; the rest of its block is skipped.
    pub(super) fn leave_end(&mut self) -> bool {
        self.leave_statements();
        matches!(self.state.control.last(), Some(Frame::Ends(..)))
    }

    /// Skips the statements after one that ends the game.
    fn leave_statements(&mut self) {
        while let Some(frame) = self.state.control.pop() {
            match frame {
                Frame::Block(block, _) => self.clear(block),
                Frame::Phase(before) => self.state.phase = before,
                Frame::Each(_, left) => {
                    let kept = self.state.members.len().saturating_sub(left as usize);
                    self.state.members.truncate(kept);
                }
                Frame::While(_) | Frame::Repeat(..) | Frame::Shuffle(..) => {}
                Frame::Turns(..)
                | Frame::Played(_)
                | Frame::Actor(_)
                | Frame::Ends(..)
                | Frame::Together(..)
                | Frame::Ask(_) => {
                    self.state.control.push(frame);
                    return;
                }
            }
        }
    }

    /// Starts carrying out the answer to the current question, as if it were the only one. `before` is the previous
    /// actor.
    pub(super) fn begin_answer(&mut self, before: Option<SeatId>) {
        match std::mem::replace(&mut self.state.ask, NOTHING_ASKED).0 {
            // No move is being chosen: the caller only wants to know whether a seat could move.
            AskKind::Race | AskKind::Pick | AskKind::Chance | AskKind::Over => {
                self.state.control.push(Frame::Played(before));
            }
            AskKind::Choose => {
                let depth = self.state.control.len();
                if let Some(&[Frame::Together(_, _, chosen), Frame::Actor(before)]) =
                    depth.checked_sub(2).map(|from| &self.state.control[from..])
                {
                    let kept = self.state.secrets.len().saturating_sub(chosen as usize);
                    self.state.secrets.truncate(kept);
                    self.state.control.truncate(depth - 2);
                    self.state.control.push(Frame::Played(before));
                }
            }
        }
    }
}
