//! The fast interpreter: runs lowered programs (the room `compile`).
//!
//! A position is flat data (`state.rs`), legal moves are stored in groups (`legal.rs`), indexes are maintained
//! incrementally. Questions that arise only when something is shown (why a move is refused, which rules it relies on,
//! who sees what) are answered by the reference interpreter, which is the definition.
//!
//! **Invariant:** legal moves in their order, successors, keys and outcomes are those of the reference interpreter;
//! `tests/equal.rs` compares the two. Steps are counted in other units, so a decision that spends the budget here is made
//! again by the reference interpreter, which alone ends games for it; only a [`Run`](crate::model::Run) decides by itself.

mod ask;
mod board;
mod convert;
mod crowd;
mod effect;
mod either;
mod ensure;
mod eval;
mod identity;
mod invariant;
mod journal;
mod key;
mod legal;
mod machine;
mod members;
mod memo;
mod moves;
mod number;
mod outlook;
mod puts;
mod race;
mod ray;
mod repetition;
mod room;
mod rows;
mod run;
mod sets;
mod standing;
mod state;
mod test;
mod token;
mod turn;
mod verdict;
mod walker;
mod ways;
mod witness;
mod zone;

use std::sync::Arc;

use crate::base::Word;
use crate::compile::program::Program;
use crate::compile::{Lowering, lower, words};
use crate::ir::{Game, Move, RuleId};
use crate::model::{Answer, Engine, Explain, Meter, Position, Refusal, Stepwise, Violations};
use crate::reference::{STEPS, Walker};
use either::Either;
use run::Run;

/// The engine is compiled for each width of bitsets. On the web, where it is fetched before it runs, two do for five, and what
/// is wider runs on the reference interpreter.
#[cfg(not(target_arch = "wasm32"))]
mod width {
    use crate::base::{Word64, Word128, Words};
    pub(super) type One = Word64;
    pub(super) type Two = Word128;
    pub(super) type Four = Words<4>;
    pub(super) type Six = Words<6>;
    pub(super) type Sixteen = Words<16>;
    pub(super) const MOST: usize = 16;
}
#[cfg(target_arch = "wasm32")]
mod width {
    use crate::base::{Word128, Words};
    pub(super) type One = Word128;
    pub(super) type Two = Word128;
    pub(super) type Four = Words<6>;
    pub(super) type Six = Words<6>;
    pub(super) type Sixteen = Words<6>;
    pub(super) const MOST: usize = 6;
}
use width::{Four, MOST, One, Six, Sixteen, Two};

/// A program whose bitsets are as wide as the game needs.
#[derive(Clone, Debug)]
enum Wide {
    One(Program<One>),
    Two(Program<Two>),
    Four(Program<Four>),
    Six(Program<Six>),
    Sixteen(Program<Sixteen>),
}

/// The fast interpreter of one game. A game that cannot be lowered runs on the reference interpreter.
#[derive(Clone, Debug)]
pub struct Fast {
    walker: Walker,
    /// Shared, as the game is.
    program: Option<Arc<Wide>>,
    lowering: Lowering,
}

/// Evaluates an expression on a run of the program, or a fallback if there is no program.
macro_rules! with_run {
    ($fast:expr, $run:ident => $found:expr, else $other:expr) => {
        match $fast.program.as_deref() {
            None => $other,
            Some(Wide::One(program)) => {
                let mut $run = Run::new(program, &$fast.walker, STEPS);
                $found
            }
            Some(Wide::Two(program)) => {
                let mut $run = Run::new(program, &$fast.walker, STEPS);
                $found
            }
            Some(Wide::Four(program)) => {
                let mut $run = Run::new(program, &$fast.walker, STEPS);
                $found
            }
            Some(Wide::Six(program)) => {
                let mut $run = Run::new(program, &$fast.walker, STEPS);
                $found
            }
            Some(Wide::Sixteen(program)) => {
                let mut $run = Run::new(program, &$fast.walker, STEPS);
                $found
            }
        }
    };
}

impl Fast {
    /// Lowers a game.
    #[must_use]
    pub fn new(game: Game) -> Self {
        let walker = Walker::new(game);
        let (program, lowering) = match words(walker.game()) {
            1 => wide(lower(&walker, walker.game()), Wide::One),
            2 => wide(lower(&walker, walker.game()), Wide::Two),
            3 | 4 => wide(lower(&walker, walker.game()), Wide::Four),
            5 | 6 => wide(lower(&walker, walker.game()), Wide::Six),
            words if words <= MOST => wide(lower(&walker, walker.game()), Wide::Sixteen),
            _ => (None, Lowering::too_large()),
        };
        Self { walker, program, lowering }
    }

    /// How many steps it took to work out what does not depend on positions.
    #[must_use]
    pub fn lowered_in(&self) -> u64 {
        self.lowering.steps
    }

    /// The same, whose decisions take their steps from a meter, together with all others that do.
    #[must_use]
    pub fn metered(mut self, meter: &Meter) -> Self {
        self.walker = self.walker.metered(meter);
        self
    }

    /// Whether the game runs on its lowered program.
    #[must_use]
    pub fn lowered(&self) -> bool {
        self.program.is_some()
    }

    /// The reference interpreter of the same game.
    #[must_use]
    pub fn reference(&self) -> &Walker {
        &self.walker
    }
}

fn wide<W: Word>(
    (program, lowering): (Option<Program<W>>, Lowering),
    wrap: impl FnOnce(Program<W>) -> Wide,
) -> (Option<Arc<Wide>>, Lowering) {
    (program.map(|program| Arc::new(wrap(program))), lowering)
}

impl Engine for Fast {
    fn game(&self) -> &Game {
        self.walker.game()
    }

    fn shared_game(&self) -> Arc<Game> {
        self.walker.shared_game()
    }

    fn start(&self) -> Position {
        with_run!(self, run => {
            if run.load_position(&self.walker.blank()) && { run.begin(); !run.is_spent() } {
                run.to_position()
            } else {
                self.walker.start()
            }
        }, else self.walker.start())
    }

    fn legal(&self, position: &Position) -> Vec<Move> {
        with_run!(self, run => {
            let count = if run.load_position(position) { Some(run.listed()) } else { None };
            match count.filter(|_| !run.is_spent()) {
                Some(count) => {
                    let mut traced = ways::Traced::default();
                    let mut moves = Vec::with_capacity(count);
                    moves.extend((0..count).filter_map(|n| run.nth_move(n, &mut traced)));
                    // Writing a move out takes longer than finding it, so it counts where decisions are counted together.
                    run.steps = run.steps.saturating_sub(count as u64);
                    moves
                }
                None => self.walker.legal(position),
            }
        }, else self.walker.legal(position))
    }

    fn can_list(&self, position: &Position) -> bool {
        let listed = with_run!(self, run => {
            run.load_position(position) && { run.listed(); !run.is_spent() }
        }, else false);
        listed || self.walker.can_list(position)
    }

    fn play_unchecked(&self, position: &Position, mv: &Move) -> Position {
        with_run!(self, run => {
            if run.load_position(position) && run.play_unchecked(mv) && !run.is_spent() {
                run.to_position()
            } else {
                self.walker.play_unchecked(position, mv)
            }
        }, else self.walker.play_unchecked(position, mv))
    }

    // Nothing is converted, which would cost more than one move.
    fn play_owned(&self, position: Position, mv: &Move) -> Position {
        self.walker.play_owned(position, mv)
    }

    fn resume(&self, position: &Position) -> Position {
        self.walker.resume(position)
    }

    fn refuses(&self, position: &Position, mv: &Move) -> Option<Refusal> {
        let listed =
            with_run!(self, run => run.load_position(position) && run.lists(mv) && !run.is_spent(), else false);
        if listed { None } else { self.walker.refuses(position, mv) }
    }

    fn play(&self, position: &Position, mv: &Move) -> Result<Position, Refusal> {
        let listed = with_run!(self, run => {
            (run.load_position(position) && run.lists(mv) && !run.is_spent())
                .then(|| (run.play_unchecked(mv) && !run.is_spent()).then(|| run.to_position()))
        }, else None);
        match listed {
            Some(Some(next)) => Ok(next),
            // What is listed is carried out: if that takes too many steps, everybody sees the game end.
            Some(None) => Ok(self.walker.play_unchecked(position, mv)),
            // An unlisted move may still be legal: an act in a race at a later moment.
            None => self.walker.play(position, mv),
        }
    }

    fn opening(&self) -> Position {
        self.walker.opening()
    }

    fn answer(&self, position: &Position, answer: &Answer) -> Result<Position, Refusal> {
        self.walker.answer(position, answer)
    }

    fn violations(&self, position: &Position) -> Violations {
        with_run!(self, run => {
            let found = if run.load_position(position) { Some(run.broken()) } else { None };
            found.filter(|found| found.spent.is_empty()).unwrap_or_else(|| self.walker.violations(position))
        }, else self.walker.violations(position))
    }

    fn explain(&self) -> &dyn Explain {
        &self.walker
    }

    fn run(&self) -> Box<dyn crate::model::Run + '_> {
        with_run!(self, run => Box::new({ run.load_position(&self.walker.blank()); Either::new(run, &self.walker) }), else Box::new(Stepwise::new(&self.walker)))
    }

    fn meter(&self) -> Option<&Meter> {
        self.walker.meter()
    }

    fn within(&self, meter: &Meter) -> Arc<dyn Engine> {
        Arc::new(self.clone().metered(meter))
    }

    fn lowering(&self) -> Option<(usize, Vec<(&'static str, RuleId)>)> {
        let gaps = self.lowering.gaps.iter().map(|gap| (gap.what, gap.rule)).collect();
        Some((self.lowering.constructs, gaps))
    }

    fn name(&self) -> &'static str {
        if self.program.is_some() { "fast" } else { "reference" }
    }
}
