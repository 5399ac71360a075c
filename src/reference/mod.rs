//! The reference interpreter, which defines what a game means: a plain walker over the typed tree.
//!
//! Slow and obvious on purpose. `eval` evaluates expressions, `path` and `query` answer questions about boards,
//! `moves` lists what is legal, `machine` runs the program from question to question, `effect` changes the position,
//! `why` explains refusals: `because` says what a condition rests on, `membership` why a value is in a set, `offpath` why no path leads somewhere.
//!
//! **Invariant:** nothing here fails on a checked game. What the checker cannot rule out (a game that never ends) is
//! an outcome: every evaluation and every statement is charged to a step budget.

mod answer;
mod because;
mod clock;
mod effect;
mod eval;
mod explain;
mod machine;
mod membership;
mod moves;
mod offpath;
mod opened;
mod path;
mod query;
mod race;
mod relaxed;
mod repetition;
mod score;
mod sets;
mod sight;
mod sighting;
mod table;
mod verdict;
mod why;
mod witness;
mod zone;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, OnceLock};

use crate::ir::{Expr, Game, Move, RuleId, Slot, Value};
use crate::model::{
    Answer, Engine, Explain, Meter, Position, Refusal, Run, Stepwise, Violations, first_outcomes, set_up_by,
};

pub use crate::model::STEPS;
pub(crate) use eval::Eval;
use machine::Machine;
pub(crate) use query::Distances;
use sighting::Trace;

/// All decisions of a setup together, and all invariants of a position, may take as many steps as this many decisions of play.
const OPENING: u64 = 3;

/// The reference interpreter of one game.
#[derive(Clone, Debug)]
pub struct Walker {
    /// Shared, since each game that is kept has an interpreter with a meter of its own.
    game: Arc<Game>,
    /// For each kind of token, the number of its first pool.
    pools: Vec<usize>,
    budget: u64,
    /// What all decisions may take together, if that is limited.
    meter: Option<Meter>,
    /// The position of [`Engine::opening`], once computed.
    opening: OnceLock<Position>,
}

impl Walker {
    /// An interpreter with the default budget.
    #[must_use]
    pub fn new(game: impl Into<Arc<Game>>) -> Self {
        let game = game.into();
        let mut pools = Vec::with_capacity(game.tokens.len());
        let mut next = 0;
        for tokens in &game.tokens {
            pools.push(next);
            next += if tokens.owned { game.seats.len() } else { 1 };
        }
        Self { game, pools, budget: STEPS, meter: None, opening: OnceLock::new() }
    }

    /// The same with another step budget per decision.
    #[must_use]
    pub fn with_budget(mut self, steps: u64) -> Self {
        self.budget = steps;
        self
    }

    /// The same, whose decisions take their steps from a meter, together with all others that do.
    #[must_use]
    pub fn metered(mut self, meter: &Meter) -> Self {
        self.meter = Some(meter.clone());
        self
    }

    /// The steps that the next decision may take.
    fn granted(&self) -> u64 {
        match &self.meter {
            Some(meter) => meter.grant(self.budget),
            None => self.budget,
        }
    }

    /// The steps that what is asked about a position may take.
    fn granted_aside(&self) -> u64 {
        match &self.meter {
            Some(meter) => meter.grant_aside(self.budget),
            None => self.budget,
        }
    }

    fn spend_aside(&self, granted: u64, left: u64) {
        if let Some(meter) = &self.meter {
            meter.take_aside(granted.saturating_sub(left));
        }
    }

    /// What is said about a position without deciding anything in it.
    fn look_at<'a, T>(&'a self, position: &'a Position, look: impl FnOnce(&mut Eval<'a>) -> T) -> T {
        let granted = self.granted_aside();
        let mut eval = Eval::new(self, position, granted);
        let found = look(&mut eval);
        self.spend_aside(granted, eval.steps);
        found
    }

    /// The same, by playing on from it.
    fn look_ahead<'a, T>(&'a self, position: &Position, look: impl FnOnce(&mut Machine<'a>) -> T) -> T {
        let granted = self.granted_aside();
        let mut machine = Machine::new(self, position.clone(), granted);
        let found = look(&mut machine);
        self.spend_aside(granted, machine.steps);
        found
    }

    fn spend(&self, granted: u64, left: u64) {
        if let Some(meter) = &self.meter {
            meter.take(granted.saturating_sub(left));
        }
    }

    /// What a machine makes of a position.
    fn run_on<'a>(&'a self, position: Position, run: impl FnOnce(&mut Machine<'a>)) -> Position {
        let granted = self.granted();
        let mut machine = Machine::new(self, position, granted);
        run(&mut machine);
        self.spend(granted, machine.steps);
        machine.pos
    }

    /// What an evaluation finds in a position.
    fn ask_of<'a, T>(&'a self, position: &'a Position, ask: impl FnOnce(&mut Eval<'a>) -> T) -> T {
        let granted = self.granted();
        let mut eval = Eval::new(self, position, granted);
        let found = ask(&mut eval);
        self.spend(granted, eval.steps);
        found
    }

    /// Returns the game.
    #[must_use]
    pub fn into_game(self) -> Game {
        Arc::unwrap_or_clone(self.game)
    }

    /// The value of an expression in a position, outside any action; none if the budget runs out. The checker uses it
    /// to fold constants.
    #[must_use]
    pub fn value(&self, position: &Position, expr: &Expr) -> Option<Value> {
        let mut eval = Eval::new(self, position, self.budget);
        let value = eval.eval(expr);
        (!eval.spent()).then_some(value)
    }

    /// The same with this many steps, from which those it took are subtracted, borrowing the position's local names instead
    /// of copying them. Names bound inside the expression keep their last value. Distances that were found are kept for the
    /// next time.
    pub(crate) fn value_within(
        &self,
        position: &mut Position,
        expr: &Expr,
        steps: &mut u64,
        distances: &RefCell<Distances>,
    ) -> Option<Value> {
        let mut frame = std::mem::take(&mut position.locals);
        frame.resize(self.game.slots.len(), Value::Unset);
        let mut eval = Eval::with_frame(self, position, Cow::Owned(frame), *steps);
        eval.distances = Some(distances);
        let value = eval.eval(expr);
        let (spent, left, frame) = (eval.spent(), eval.steps, std::mem::take(&mut eval.frame).into_owned());
        *steps = left;
        position.locals = frame;
        (!spent).then_some(value)
    }

    /// The values of an expression for several values of local names, with one budget for all of them, and how many
    /// steps of it are left; with the rules of the definitions used.
    pub(crate) fn values(
        &self,
        slots: &[Slot],
        combinations: Vec<Vec<Value>>,
        expr: &Expr,
    ) -> Option<(Vec<Value>, u64, Vec<RuleId>)> {
        let position = self.blank();
        let mut values = Vec::with_capacity(combinations.len());
        let mut eval = Eval::new(self, &position, self.budget);
        eval.trace = Some(Trace::default());
        for combination in combinations {
            for (slot, value) in slots.iter().zip(combination) {
                eval.bind(*slot, value);
            }
            let value = eval.eval(expr);
            if eval.spent() {
                return None;
            }
            eval.steps = eval.steps.checked_sub(value.bulk())?;
            values.push(value);
        }
        let rules = eval.trace.take().map(Trace::rules).unwrap_or_default();
        Some((values, eval.steps, rules))
    }

    /// The same with the rules of the definitions used.
    #[must_use]
    pub fn value_traced(&self, position: &Position, expr: &Expr) -> Option<(Value, Vec<RuleId>)> {
        let granted = self.granted();
        let mut eval = Eval::new(self, position, granted);
        eval.trace = Some(Trace::default());
        let value = eval.eval(expr);
        let trace = eval.trace.take().map(Trace::rules).unwrap_or_default();
        self.spend(granted, eval.steps);
        (!eval.spent()).then_some((value, trace))
    }

    /// The position of [`Engine::opening`], and how many steps it took. All decisions of the setup share a budget.
    pub(crate) fn opened(&self) -> (Position, u64) {
        let all = self.budget.saturating_mul(OPENING);
        let left = Cell::new(all);
        let spend = |steps: u64, of: u64| left.set(left.get().saturating_sub(of.saturating_sub(steps)));
        let budget = || left.get().min(self.budget);
        let mut outcome = first_outcomes();
        let mut machine = Machine::new(self, self.blank(), budget());
        machine.started();
        spend(machine.steps, self.budget);
        let outcomes = |position: &Position| {
            let budget = budget();
            let mut eval = Eval::new(self, position, budget);
            let moves = eval.legal_moves();
            spend(eval.steps, budget);
            moves
        };
        let play = |position: Position, mv: &Move| {
            let budget = budget();
            let (next, steps) = Machine::new(self, position, budget).followed(mv);
            spend(steps, budget);
            next
        };
        let opening = set_up_by(&self.game, machine.pos, &mut |_, count| outcome(count), outcomes, play);
        (opening, all - left.get())
    }

    /// The number of pools of tokens.
    fn pool_count(&self) -> usize {
        self.game.tokens.iter().map(|t| if t.owned { self.game.seats.len() } else { 1 }).sum()
    }
}

impl Engine for Walker {
    fn game(&self) -> &Game {
        &self.game
    }

    fn shared_game(&self) -> Arc<Game> {
        Arc::clone(&self.game)
    }

    fn start(&self) -> Position {
        self.run_on(self.blank(), Machine::started)
    }

    fn legal(&self, position: &Position) -> Vec<Move> {
        self.ask_of(position, Eval::legal_moves)
    }

    fn play_unchecked(&self, position: &Position, mv: &Move) -> Position {
        self.run_on(position.clone(), |machine| machine.answered(mv))
    }

    fn play_owned(&self, position: Position, mv: &Move) -> Position {
        self.run_on(position, |machine| machine.answered(mv))
    }

    fn resume(&self, position: &Position) -> Position {
        self.run_on(position.clone(), Machine::run)
    }

    fn answer(&self, position: &Position, answer: &Answer) -> Result<Position, Refusal> {
        self.check_answer(position, answer)?;
        Ok(self.run_on(position.clone(), |machine| machine.apply_answer(answer)))
    }

    fn opening(&self) -> Position {
        self.opening.get_or_init(|| self.opened().0).clone()
    }

    fn violations(&self, position: &Position) -> Violations {
        let mut found = Violations::default();
        if position.in_setup(&self.game) {
            return found;
        }
        // What is left for all of them together.
        let mut left = self.budget.saturating_mul(OPENING);
        for law in &self.game.invariants {
            let tested = self.ask_of(position, |eval| {
                eval.steps = eval.steps.min(left);
                let before = eval.steps;
                let holds = !eval.spent() && eval.truth(&law.holds);
                left -= before - eval.steps;
                (holds, eval.spent())
            });
            found.test(law.rule, tested);
        }
        found.broken.extend(self.zone_violations(position));
        found
    }

    fn explain(&self) -> &dyn Explain {
        self
    }

    fn run(&self) -> Box<dyn Run + '_> {
        Box::new(Stepwise::new(self))
    }

    fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    fn within(&self, meter: &Meter) -> Arc<dyn Engine> {
        Arc::new(self.clone().metered(meter))
    }

    fn name(&self) -> &'static str {
        "reference"
    }
}
