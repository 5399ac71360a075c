//! How often a position has stood: the one in which somebody is asked. Between two questions that
//! is the one that would be asked about next. Where turn follows turn it can be told at once;
//! elsewhere the program is run ahead on a copy of the state.

use smallvec::SmallVec;

use super::run::Run;
use super::state::{AskAt, AskKind, Frame, NOTHING_ASKED};
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Answers, Number, OpKind};
use crate::ir::{PartId, SeatId};
use crate::model::{Ending, StmtRef, TurnStage};

/// How the next question is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    /// It is not: the game goes on.
    No,
    /// Whether a seat can answer is found out.
    Exactly,
    /// A seat that is asked or the game is over is taken to be able to answer.
    Hopefully,
}

/// A question to come: where a `turns` begins its next turn.
struct Coming {
    /// How many constructs of the control stack stay.
    kept: usize,
    /// Those on top of them.
    on_top: SmallVec<[Frame; 12]>,
    ask: AskAt,
    actor: Option<SeatId>,
    given: Option<SeatId>,
    answers: Answers,
}

impl<W: Word> Run<'_, W> {
    /// Puts a question: a position that counts from now on.
    pub(super) fn ask(&mut self, kind: AskKind, at: StmtRef, seat: SeatId) {
        self.state.ask = (kind, at, seat);
        self.halted = true;
        if self.counts() && !(kind == AskKind::Chance && self.setting_up()) {
            let (key, parts) = self.keys();
            self.state.history.push(self.state.ply, key, parts);
        }
    }

    /// Takes back a question to seats that none of them can answer.
    pub(super) fn take_back(&mut self) {
        self.state.ask = NOTHING_ASKED;
        self.halted = false;
        self.moves.forget();
        if self.counts() {
            self.state.history.pop();
        }
    }

    fn counts(&self) -> bool {
        self.program.remembers && self.ahead == Ahead::No
    }

    /// Whether a seat is taken to be able to answer while the next question is looked for.
    pub(super) fn is_hoped(&mut self, answers: Answers) -> bool {
        let hoped = match answers {
            Answers::Always => self.ahead != Ahead::No,
            Answers::OrOver => self.ahead == Ahead::Hopefully,
            Answers::Perhaps => false,
        };
        self.certain &= !hoped || answers == Answers::Always;
        hoped
    }

    pub(super) fn setting_up(&self) -> bool {
        self.state.control.iter().any(|frame| matches!(frame, Frame::Block(block, _) if *block == self.game.setup))
    }

    /// The next question, if nothing is left of this turn and the next one begins with it.
    fn coming(&self) -> Option<Coming> {
        let state = &self.state;
        if !self.program.quiet {
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
                _ => return None,
            }
        };
        let (mut mover, mut given) = (state.mover, state.given);
        if matches!(stage, TurnStage::End | TurnStage::Pass) {
            mover = given.take().unwrap_or_else(|| self.seat_after(mover));
        }
        if stage != TurnStage::Body && !state.plays(mover) {
            mover = self.seat_after(mover);
        }
        let Some(&OpKind::Turns(_, mut block)) = self.program.op(at).map(|op| &op.kind) else { return None };
        let mut on_top: SmallVec<[Frame; 12]> = smallvec::smallvec![Frame::Turns(at, TurnStage::End)];
        loop {
            on_top.push(Frame::Block(block, 1));
            match self.program.op((block, 0)).map(|op| &op.kind)? {
                OpKind::Do(inner) => block = *inner,
                OpKind::Plays { seat: Number::Mover, answers, .. } if state.plays(mover) => {
                    if self.reads_names(&state.control[..kept]) || self.reads_names(&on_top) {
                        return None;
                    }
                    on_top.push(Frame::Played(actor));
                    let ask = (AskKind::Choose, (block, 0), mover);
                    return Some(Coming { kept, on_top, ask, actor: Some(mover), given, answers: *answers });
                }
                _ => return None,
            }
        }
    }

    /// The key of the position that is asked about next, and whether it is certain: if not, the
    /// game may be over instead.
    fn next_key(&mut self) -> (u64, bool) {
        if let Some(coming) = self.coming()
            && coming.answers != Answers::Perhaps
        {
            let control = &self.state.control[..coming.kept];
            let course = self.course(control, &coming.on_top, coming.ask, coming.actor, coming.given);
            return (self.table_key(coming.ask.2) ^ course.key(), coming.answers == Answers::Always);
        }
        self.run_ahead(Ahead::Hopefully, false, Self::key)
    }

    /// The key of a part in that position, and the number of plies there.
    fn next_part(&mut self, part: PartId) -> (u64, u32) {
        if let Some(coming) = self.coming()
            && coming.answers == Answers::Always
        {
            let made =
                self.state.control[coming.kept..].iter().filter(|frame| matches!(frame, Frame::Played(_))).count();
            return (self.part_key(part, coming.ask.2), self.state.ply.saturating_add(u32::saturating_from(made)));
        }
        self.run_ahead(Ahead::Exactly, false, |run| run.part_now(part)).0
    }

    /// The key of a part, and the number of plies with the move that is being made.
    fn part_now(&self, part: PartId) -> (u64, u32) {
        let ply = self.state.ply.saturating_add(u32::from(self.is_moving()));
        (self.part_key(part, self.state.mover), ply)
    }

    /// Goes on to the next question on a copy, as if no end could decide the game before it, and
    /// no position recur; if the game is over, behind what is left of the block that ended it. What
    /// is seen there, and whether it is certain.
    fn run_ahead<T>(&mut self, how: Ahead, over: bool, see: impl FnOnce(&Self) -> T) -> (T, bool) {
        let history = std::mem::take(&mut self.state.history);
        let (journal, trails) = (self.state.journal.take(), self.trails.take());
        let mut saved = self.spare_state();
        saved.copy_from(&self.state);
        std::mem::swap(&mut self.moves, &mut self.aside);
        let before = (self.moment.take(), self.end.take(), self.last, self.halted, self.steps);
        (self.ahead, self.certain, self.halted) = (how, true, false);
        self.state.outcome = None;
        self.state.set_actor(self.state.actor);
        if over {
            self.steps = self.budget;
            self.leave_statements();
        }
        self.go();
        let found = (see(self), self.certain);
        let steps = self.steps;
        (self.moment, self.end, self.last, self.halted, self.steps) = before;
        if !over {
            self.steps = steps;
        }
        self.ahead = Ahead::No;
        std::mem::swap(&mut self.moves, &mut self.aside);
        std::mem::swap(&mut self.state, &mut saved);
        self.state.history = history;
        (self.state.journal, self.trails) = (journal, trails);
        self.state.invalidate();
        self.spare.push(saved);
        found
    }

    /// The game is over: what would have been asked next is the last position that counts. Its key
    /// and those of its parts.
    pub(super) fn count_last(&mut self) -> Option<(u64, SmallVec<[u64; 1]>)> {
        let spent = self.state.outcome.as_ref().is_some_and(|outcome| matches!(outcome.ending, Ending::Budget(_)));
        (self.counts() && !spent).then(|| self.run_ahead(Ahead::Exactly, true, Self::keys).0)
    }

    /// Whether an end would decide the game, which then goes on instead.
    pub(super) fn leave_end(&mut self) -> bool {
        self.leave_statements();
        matches!(self.state.control.last(), Some(Frame::Ends(..)))
    }

    /// Leaves what is behind a statement that ends the game.
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

    /// The answer to what is asked begins to be carried out, as if it were the only one. `before`
    /// acted until then.
    pub(super) fn begin_answer(&mut self, before: Option<SeatId>) {
        match std::mem::replace(&mut self.state.ask, NOTHING_ASKED).0 {
            // Where nobody is asked, it is only asked whether somebody could move.
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

    /// The position that is asked about, now or next, if it is among those that stood as `stood`
    /// finds out from its key, and whether it has been counted; none if it is not among them.
    fn standing<T: Default + PartialEq>(&mut self, stood: impl Fn(&Self, u64) -> T) -> T {
        let over = self.state.outcome.is_some() && self.state.control.is_empty();
        if over || self.state.ask.0 != AskKind::Over {
            let last = self.state.history.iter().last().filter(|_| over).map(|(_, key, _)| key);
            return stood(self, last.unwrap_or_else(|| self.key()));
        }
        let (key, certain) = self.next_key();
        let found = stood(self, key);
        // A position that never stood is new, and so is the end of the game.
        if certain || found == T::default() {
            return found;
        }
        let (key, _) = self.run_ahead(Ahead::Exactly, false, Self::key);
        stood(self, key)
    }

    pub(super) fn occurrences(&mut self) -> i64 {
        if self.ahead != Ahead::No {
            return 1;
        }
        let over = self.state.outcome.is_some() && self.state.control.is_empty();
        let counted = over || self.state.ask.0 != AskKind::Over;
        let before = self.standing(|run, key| run.state.history.count(key));
        super::eval::count(if counted { before.max(1) } else { before + 1 })
    }

    /// After how many plies a part has stood as it stands in that position.
    pub(super) fn occurrences_of(&mut self, part: PartId) -> i64 {
        if self.ahead != Ahead::No {
            return 1;
        }
        let over = self.state.outcome.is_some() && self.state.control.is_empty();
        let last = self.state.history.iter().last().filter(|_| over);
        let (key, now) = match last.and_then(|(ply, _, parts)| Some((*parts.get(usize::from(part))?, ply))) {
            Some(found) => found,
            None if over || self.state.ask.0 != AskKind::Over => self.part_now(part),
            None => self.next_part(part),
        };
        super::eval::count(self.state.history.count_part(part.into(), key, now))
    }

    pub(super) fn repeats(&mut self, ply: i64) -> bool {
        let Ok(ply) = u32::try_from(ply) else { return false };
        self.ahead == Ahead::No && self.standing(|run, key| run.state.history.stood(ply, key))
    }
}
