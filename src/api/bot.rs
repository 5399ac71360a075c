//! Bots, as programs name them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::rules::Rules;
use crate::bots::{Budget, Spec};

/// A bot, which plays any seat of any game using only what that seat can see.
///
/// Parsed from `random`, `mcts:1000` (iterations) or `alphabeta:4` (answers deep).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use regelwerk::{Bot, Rules};
///
/// let rules = Rules::from_path("tests/fixtures/tictactoe.rules")?;
/// let players: [Bot; 2] = ["alphabeta:9".parse()?, Bot::random()];
/// players[0].fits(&rules)?;
/// let mut game = rules.session(3);
/// while let Some(seat) = game.to_move() {
///     let Some(mv) = game.choose(&players[seat]) else { break };
///     game.play(&mv)?;
/// }
/// // Perfect play never loses.
/// assert!(game.outcome().is_some_and(|outcome| outcome.verdict(1) != regelwerk::Verdict::Win));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bot(pub(super) Spec);

/// Why a text does not name a bot, or why a bot cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BotError(String);

impl Bot {
    /// Plays uniformly random legal moves.
    #[must_use]
    pub const fn random() -> Self {
        Self(Spec::Random)
    }

    /// Monte-Carlo tree search with this many iterations per move. It plays every game.
    #[must_use]
    pub const fn mcts(iterations: u32) -> Self {
        Self(Spec::Mcts { budget: Budget::Count(iterations), depth: None })
    }

    /// Alpha-beta search to a depth in plies. It plays two-player games of perfect information.
    #[must_use]
    pub const fn alphabeta(depth: u32) -> Self {
        Self(Spec::AlphaBeta(Budget::Count(depth)))
    }

    /// The bot that plays a game best if it is given time, for [`Session::choose_until`](super::Session::choose_until):
    /// by itself it never stops.
    #[must_use]
    pub fn strongest(rules: &Rules) -> Self {
        Self(Spec::strongest(rules.game(), rules.evaluation(true).survey(), core::time::Duration::MAX))
    }

    /// Whether it can play by these rules.
    ///
    /// # Errors
    /// Says why not.
    pub fn fits(self, rules: &Rules) -> Result<(), BotError> {
        self.0.fits(rules.game()).map_err(|why| BotError(format!("{why}; take `mcts`, which plays every game")))
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Bot {
    type Err = BotError;

    fn from_str(text: &str) -> Result<Self, BotError> {
        let spec: Spec = text.parse().map_err(BotError)?;
        match spec.time() {
            None => Ok(Self(spec)),
            Some(_) => Err(BotError(format!(
                "`{text}` needs a clock, and the library has none: give a number, or stop it with `Session::choose_until`"
            ))),
        }
    }
}
