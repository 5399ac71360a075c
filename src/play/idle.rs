//! How long a game may go on without a ply: rules may ask or draw for ever.

use super::random::{outcome, random_move};
use super::seed::Stream;
use crate::base::SaturatingFrom;
use crate::ir::Move;
use crate::model::{Engine, Position, STEPS};

/// How many decisions, or outcomes of chance, may follow each other without a ply.
const DECISIONS_WITHOUT_PLY: u32 = 10_000;

/// The same where bots play, who think about each, and remember all.
const THOUGHTS_WITHOUT_PLY: u32 = 1000;

/// How many steps the decisions and outcomes may take without a ply: five that take all that one may, or very many others.
const STEPS_WITHOUT_PLY: u64 = 5 * STEPS;

/// How many cards may be shuffled without a ply: as many as lie in all zones of the largest game, and more.
const CARDS_WITHOUT_PLY: u32 = 400_000;

/// So many bytes of a position count for one more decision: each is copied.
const HEAVY: usize = 1 << 18;

/// What an outcome of chance that is listed counts for.
pub(super) const BYTES_AN_OUTCOME: usize = 256;

/// Counts the decisions of a game since its last ply.
#[derive(Clone, Copy, Debug)]
pub struct Idle {
    ply: u32,
    decisions: u32,
    steps: u64,
    most: u32,
}

impl Idle {
    /// Of a game that is played at random.
    #[must_use]
    pub const fn random() -> Self {
        Self { ply: 0, decisions: 0, steps: 0, most: DECISIONS_WITHOUT_PLY }
    }

    /// Of a game with bots.
    #[must_use]
    pub const fn thoughtful() -> Self {
        Self { ply: 0, decisions: 0, steps: 0, most: THOUGHTS_WITHOUT_PLY }
    }

    /// Whether one more decision after so many plies, in a position of so many bytes that it took so many steps to reach, is
    /// one too many.
    pub fn is_too_long(&mut self, ply: u32, bytes: usize, steps: u64) -> bool {
        if self.ply != ply {
            (self.ply, self.decisions, self.steps) = (ply, 0, 0);
        }
        self.steps = self.steps.saturating_add(steps);
        self.decisions = self.decisions.saturating_add(1 + u32::saturating_from(bytes / HEAVY));
        self.decisions > self.most || self.steps > STEPS_WITHOUT_PLY
    }
}

/// Counts the outcomes of chance since the last ply: rules may draw for ever.
#[derive(Clone, Copy, Debug)]
pub struct Luck {
    outcomes: Idle,
    cards: Idle,
}

impl Default for Luck {
    fn default() -> Self {
        Self { outcomes: Idle::random(), cards: Idle { most: CARDS_WITHOUT_PLY, ..Idle::random() } }
    }
}

impl Luck {
    /// How many outcomes may follow each other without a ply.
    pub const MOST: u32 = DECISIONS_WITHOUT_PLY;

    /// Whether one more outcome after so many plies is one too many. The cards of shuffles count apart; any other counts
    /// for more if it takes many bytes to list or keep, and takes so many steps.
    pub fn is_endless(&mut self, ply: u32, shuffles: bool, bytes: usize, steps: u64) -> bool {
        if shuffles { self.cards.is_too_long(ply, 0, 0) } else { self.outcomes.is_too_long(ply, bytes, steps) }
    }

    /// A random outcome of chance; none if there is none, or if it would be one too many.
    #[must_use]
    pub fn draw(&mut self, engine: &dyn Engine, position: &Position, dice: &mut Stream) -> Option<Move> {
        let shuffles = position.shuffles_on();
        let (mv, count) =
            if shuffles { (random_move(engine, position, dice)?, 0) } else { outcome(engine, position, dice)? };
        let heavy = count.saturating_mul(BYTES_AN_OUTCOME);
        (!self.is_endless(position.ply, shuffles, heavy, 0)).then_some(mv)
    }

    /// Whether there was one too many.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.outcomes.decisions > self.outcomes.most || self.cards.decisions > self.cards.most
    }
}
