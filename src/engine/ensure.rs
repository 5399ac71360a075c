//! Guards on the position after a move.

use super::eval::count;
use super::legal::Draft;
use super::moves::Moves;
use super::puts::Seen;
use super::run::Run;
use super::state::{Frame, NOTHING_ASKED, State};
use crate::base::{Word, get_or_default, to_index};
use crate::compile::program::{Action, Lasting, Touch};
use crate::ir::{ActionRef, SeatId};

/// What the effects of an action touch, whatever its last parameter is: its sites, and the indexes of the pieces put
/// there, one bit each.
struct Touched<'a, W: Word> {
    touch: &'a Touch<W>,
    fixed: W,
    put: u64,
}

impl<'a, W: Word> Run<'a, W> {
    /// Whether the guards on the position after a move hold.
    pub(super) fn ensured(&mut self, action: &'a Action<W>, draft: &Draft) -> bool {
        // What a guard looks at comes after the move, not after the statement that asks whether there is one.
        let begun = self.begun.take();
        let holds = self.ensured_anew(action, draft);
        self.begun = begun;
        holds
    }

    fn ensured_anew(&mut self, action: &'a Action<W>, draft: &Draft) -> bool {
        // Guards that look at earlier positions need the control stack of a move, unless the next question is plain.
        if action.reversible && (!action.looks || self.foresees()) {
            match &action.lasting {
                Some(lasting) if !self.state.puts.tries() => self.ensured_again(action, lasting, draft),
                _ => self.tried(action, draft, |run| action.ensure.iter().all(|guard| run.test(guard))),
            }
        } else {
            self.ensured_on_copy(action, draft)
        }
    }

    /// Of the values of the last parameter, those with which the guards hold, and those that have to be tried out. With
    /// the others some guard fails. A guard has its value from before the move unless the effects touch what it
    /// depends on.
    pub(super) fn spared(&mut self, action: &'a Action<W>, at: u16, set: W) -> (W, W) {
        let Some(touch) = &action.touch else { return (W::NONE, set) };
        let mut fixed = W::NONE;
        for sites in &touch.fixed {
            fixed = fixed.or(self.set(sites));
        }
        // The indexes of the pieces that are put somewhere.
        let mut put = touch.made;
        for site in fixed.iter() {
            put |= get_or_default(&self.program.index_bits, usize::from(get_or_default(&self.state.sites, site)));
        }
        if touch.moves_last {
            put = u64::MAX;
        }
        let touched = Touched { touch, fixed, put };
        let (mut holds, mut fails) = (set, W::NONE);
        for &guard in &touch.guards {
            let Some((value, seen)) = self.guard(guard) else { return (W::NONE, set) };
            let mut untouched = self.untouched(&touched, at, set, &seen);
            if !value {
                (holds, fails) = (W::NONE, fails.or(untouched));
                continue;
            }
            // One reason why it holds is enough.
            let mut known = 0;
            while untouched != set
                && let Some(seen) = self.reason(guard, known)
            {
                untouched = untouched.or(self.untouched(&touched, at, set.minus(untouched), &seen));
                known += 1;
            }
            holds = holds.and(untouched);
        }
        (holds, set.minus(holds).minus(fails))
    }

    /// The values of the last parameter with which the effects touch nothing that was seen.
    fn untouched(&mut self, touched: &Touched<'a, W>, at: u16, set: W, seen: &Seen<W>) -> W {
        let &Touched { touch, fixed, put } = touched;
        if put & seen.whole != 0 {
            return W::NONE;
        }
        let (compared, indexes) = seen.compared;
        let mut watched = seen.sites.or(self.indexed(seen.whole));
        if put & indexes == 0 {
            watched = watched.or(compared.and(self.indexed(indexes)));
        } else {
            watched = watched.or(compared);
        }
        if fixed.meets(watched) {
            return W::NONE;
        }
        let mut spared = if touch.last { set.minus(watched) } else { set };
        if !touch.varying.is_empty() {
            for member in spared.iter() {
                self.set_local(at, count(member));
                if touch.varying.iter().any(|sites| self.set(sites).meets(watched)) {
                    spared.remove(member);
                }
            }
        }
        spared
    }

    /// The sites in any of these indexes, one bit each.
    fn indexed(&self, mut indexes: u64) -> W {
        let mut members = W::NONE;
        while indexes != 0 {
            members = members.or(get_or_default(&self.state.indexes, indexes.trailing_zeros() as usize));
            indexes &= indexes - 1;
        }
        members
    }

    /// The same where outcomes of trials are kept.
    fn ensured_again(&mut self, action: &'a Action<W>, lasting: &'a Lasting, draft: &Draft) -> bool {
        let number = usize::from(lasting.number);
        let Some(&member) = draft.args.last() else { return false };
        let member = to_index(member);
        if member >= lasting.size {
            return false;
        }
        let cell = usize::from(self.state.me) * lasting.size + member;
        let tests = || action.ensure.iter().zip(&lasting.counting);
        if !self.kept_trial(number, cell) {
            let before = self.state.board_key;
            let outer = std::mem::replace(&mut self.looked, W::one(member));
            let compared = std::mem::replace(&mut self.compared, (W::NONE, 0));
            let (holds, after) = self.tried(action, draft, |run| {
                let holds = tests().all(|(guard, counting)| *counting || run.test(guard));
                (holds, run.state.board_key)
            });
            self.keep_trial(number, cell, holds, before ^ after);
            self.looked = outer;
            self.compared = compared;
            if self.steps == 0 {
                return false;
            }
        }
        let (holds, change) = self.outcome_of_trial(number, cell);
        if !holds {
            return false;
        }
        self.change = Some(change);
        let holds = tests().all(|(guard, counting)| !counting || self.test(guard));
        self.change = None;
        holds
    }

    /// Makes the effects, looks at the position, and unmakes the effects.
    fn tried<T>(&mut self, action: &'a Action<W>, draft: &Draft, see: impl FnOnce(&mut Self) -> T) -> T {
        let (actor, me, ask, now) = (self.state.actor, self.state.me, self.state.ask, self.state.now);
        let within = self.within_move();
        let (moment, still) = (self.moment.take(), self.still.take());
        let halted = std::mem::replace(&mut self.halted, false);
        self.state.now = moment.unwrap_or(now);
        self.state.set_actor(Some(me));
        self.state.ask = NOTHING_ASKED;
        // Always within a move, even if the guard is tested to list moves.
        if !within {
            self.state.control.push(Frame::Played(actor));
        }
        // A guard evaluated inside another one gets a journal of its own.
        let outer = self.state.journal.replace(std::mem::take(&mut self.undone));
        let outcome = self.state.outcome.take();
        let trial = self.state.puts.try_out();
        let foresight = std::mem::replace(&mut self.foresight, action.looks);
        self.enter_head(action, &draft.args, false);
        self.code(action.trial);
        let seen = see(self);
        self.foresight = foresight;
        self.undone = self.state.take_back(self.program);
        self.state.puts.take_back(trial);
        self.state.journal = outer;
        if !within {
            self.state.control.pop();
        }
        self.state.outcome = outcome;
        self.state.ask = ask;
        (self.state.actor, self.state.me, self.state.now) = (actor, me, now);
        (self.moment, self.halted, self.still) = (moment, halted, still);
        seen
    }

    /// Carries the effects out on a copy.
    fn ensured_on_copy(&mut self, action: &'a Action<W>, draft: &Draft) -> bool {
        let outer = self.state.journal.take();
        let history = std::mem::take(&mut self.state.history);
        let mut saved = self.spare_state();
        saved.copy_from(&self.state);
        self.state.history = history;
        let moves = std::mem::replace(&mut self.moves, Moves::new());
        let (moment, still) = (self.moment.take(), self.still.take());
        if let Some(now) = moment {
            self.state.now = now;
        }
        let me = self.state.me;
        let foresight = std::mem::replace(&mut self.foresight, false);
        self.effects_only(action, draft.action, &draft.args, me);
        let holds = action.ensure.iter().all(|guard| self.test(guard));
        self.foresight = foresight;
        (self.moment, self.still) = (moment, still);
        self.moves = moves;
        std::mem::swap(&mut self.state, &mut saved);
        std::mem::swap(&mut self.state.history, &mut saved.history);
        self.state.journal = outer;
        self.state.invalidate();
        self.spare.push(saved);
        holds
    }

    /// A state whose contents may be overwritten, for a copy, whose size is charged.
    pub(super) fn spare_state(&mut self) -> State<W> {
        let held: usize = self.state.local_lists.iter().map(Vec::len).sum();
        let lists = self.state.lists.iter().map(Vec::len).sum::<usize>() + held;
        self.steps = self.steps.saturating_sub((self.program.sites / 16 + lists / 64) as u64);
        self.spare.pop().unwrap_or_else(|| self.state.clone())
    }

    /// Carries out the effects of an action alone: no end condition is tested.
    fn effects_only(&mut self, action: &'a Action<W>, number: ActionRef, args: &[i64], actor: SeatId) {
        let ActionRef::Action(_) = number else { return };
        let halted = std::mem::replace(&mut self.halted, false);
        let before = self.state.actor;
        self.state.set_actor(Some(actor));
        self.enter_head(action, args, true);
        self.begin_answer(before);
        self.run_alone(action.body);
        // The acting seat stays the same even if the effects left `turns`.
        self.state.me = actor;
        self.halted = halted;
    }
}
