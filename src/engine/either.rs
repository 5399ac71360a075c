//! A run that goes on where the lowered program cannot: a position given by hand may hold what no rule brings about,
//! such as a field with a value that nothing sets, and then the reference interpreter plays it.

use super::run::Run;
use crate::base::{Bits, Word};
use crate::ir::{Move, SeatId};
use crate::model::{Ask, Outcome, Position, Run as InPlace, Stepwise, Violations};
use crate::reference::Walker;

/// A run of the lowered program, or of the reference interpreter while the program cannot hold the position.
pub(super) struct Either<'a, W: Word> {
    fast: Run<'a, W>,
    walker: &'a Walker,
    slow: Option<Stepwise>,
}

impl<'a, W: Word> Either<'a, W> {
    /// A run of the program; the interpreter is that of the same game.
    pub(super) fn new(fast: Run<'a, W>, walker: &'a Walker) -> Self {
        Self { fast, walker, slow: None }
    }
}

/// Does something with whichever of the two plays.
macro_rules! either {
    ($self:ident, $run:ident => $found:expr) => {
        match &$self.slow {
            None => {
                let $run = &$self.fast;
                $found
            }
            Some($run) => $found,
        }
    };
    (mut $self:ident, $run:ident => $found:expr) => {
        match &mut $self.slow {
            None => {
                let $run = &mut $self.fast;
                $found
            }
            Some($run) => $found,
        }
    };
}

impl<W: Word> InPlace for Either<'_, W> {
    fn load(&mut self, position: &Position) -> bool {
        self.slow = None;
        if InPlace::load(&mut self.fast, position) {
            return true;
        }
        let mut slow = Stepwise::new(self.walker);
        let loaded = slow.load(position);
        self.slow = Some(slow);
        loaded
    }

    fn count(&mut self) -> usize {
        either!(mut self, run => InPlace::count(run))
    }

    fn legal(&mut self, n: usize) -> Option<Move> {
        either!(mut self, run => InPlace::legal(run, n))
    }

    fn each_legal(&mut self, act: &mut dyn FnMut(&Move)) {
        either!(mut self, run => InPlace::each_legal(run, act));
    }

    fn play_nth(&mut self, n: usize) {
        either!(mut self, run => InPlace::play_nth(run, n));
    }

    fn play_unchecked(&mut self, mv: &Move) -> bool {
        either!(mut self, run => InPlace::play_unchecked(run, mv))
    }

    fn ply(&self) -> u32 {
        either!(self, run => InPlace::ply(run))
    }

    fn turn(&self) -> u32 {
        either!(self, run => InPlace::turn(run))
    }

    fn mover(&self) -> SeatId {
        either!(self, run => InPlace::mover(run))
    }

    fn bytes(&self) -> usize {
        either!(self, run => InPlace::bytes(run))
    }

    fn steps(&self) -> u64 {
        either!(self, run => InPlace::steps(run))
    }

    fn is_in_turn(&self) -> bool {
        either!(self, run => InPlace::is_in_turn(run))
    }

    fn shuffles_on(&self) -> bool {
        either!(self, run => InPlace::shuffles_on(run))
    }

    fn ask(&self) -> Ask {
        either!(self, run => InPlace::ask(run))
    }

    fn outcome(&self) -> Option<&Outcome> {
        either!(self, run => InPlace::outcome(run))
    }

    fn position(&self) -> Position {
        either!(self, run => InPlace::position(run))
    }

    fn visible(&self) -> Position {
        either!(self, run => InPlace::visible(run))
    }

    fn identity(&self, into: &mut Vec<u8>) {
        either!(self, run => InPlace::identity(run, into));
    }

    fn now(&self) -> i64 {
        either!(self, run => InPlace::now(run))
    }

    fn cued(&mut self, seat: SeatId) -> Option<Bits> {
        either!(mut self, run => InPlace::cued(run, seat))
    }

    fn allows_act(&mut self, mv: &Move) -> Option<bool> {
        either!(mut self, run => InPlace::allows_act(run, mv))
    }

    fn violations(&mut self) -> Violations {
        either!(mut self, run => InPlace::violations(run))
    }

    fn save(&mut self) {
        either!(mut self, run => InPlace::save(run));
    }

    fn restore(&mut self) {
        either!(mut self, run => InPlace::restore(run));
    }

    fn replay_nth(&mut self, n: usize) {
        either!(mut self, run => InPlace::replay_nth(run, n));
    }

    fn forget(&mut self) {
        either!(mut self, run => InPlace::forget(run));
    }
}
