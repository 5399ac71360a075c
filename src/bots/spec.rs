//! Bot specifications: from text to a bot.

use core::time::Duration;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{AlphaBeta, Evaluation, Mcts, Survey};
use crate::base::nearest;
use crate::ir::Game;
use crate::model::Engine;
use crate::play::{Bot, RandomBot, Stream};

/// The default number of iterations.
const ITERATIONS: u32 = 1000;

/// The default depth.
const DEPTH: u32 = 4;

/// The names of the bots.
const NAMES: [&str; 3] = ["random", "mcts", "alphabeta"];

/// A bot and its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    /// Any legal move, with equal probability.
    Random,
    /// [`Mcts`].
    Mcts {
        /// The budget.
        budget: Budget,
        /// The number of plies after which playouts are cut off; chosen for the game if absent.
        depth: Option<u32>,
    },
    /// [`AlphaBeta`].
    AlphaBeta(Budget),
}

/// The budget for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many iterations, or plies of depth: the same seed gives the same move.
    Count(u32),
    /// This long, by the caller's clock.
    Time(Duration),
}

impl Budget {
    /// The maximum number of iterations or plies.
    fn count(self) -> u32 {
        match self {
            Self::Count(count) => count,
            Self::Time(_) => u32::MAX,
        }
    }
}

/// Which bot was stronger in games between them, for those games in which the difference is significant.
const MEASURED: &str = include_str!("../../rules/bots.tsv");

/// The bot that was stronger in a game of this name.
fn measured(game: &str) -> Option<&'static str> {
    MEASURED.lines().filter_map(|line| line.split_once('\t')).find(|(name, _)| *name == game).map(|(_, bot)| bot)
}

impl Spec {
    /// The bot that suits a game best, with so much time for each move: the one that was found stronger, where that has been
    /// measured; in other games playouts where random games say much about a position, else a search to a depth, if it can
    /// play the game. `docs/bots.md` has the table.
    #[must_use]
    pub fn strongest(game: &Game, survey: Survey, time: Duration) -> Self {
        let search = Self::AlphaBeta(Budget::Time(time));
        let deep = match measured(&game.name) {
            Some(bot) => bot == "alphabeta",
            None => !survey.is_telling(),
        };
        if deep && search.fits(game).is_ok() { search } else { Self::Mcts { budget: Budget::Time(time), depth: None } }
    }

    /// The time limit, if the budget is one.
    #[must_use]
    pub fn time(self) -> Option<Duration> {
        match self {
            Self::Mcts { budget: Budget::Time(time), .. } | Self::AlphaBeta(Budget::Time(time)) => Some(time),
            Self::Random | Self::Mcts { .. } | Self::AlphaBeta(_) => None,
        }
    }

    /// Whether it uses the heuristic evaluation.
    #[must_use]
    pub fn evaluates(self) -> bool {
        match self {
            Self::Random => false,
            Self::Mcts { .. } | Self::AlphaBeta(_) => true,
        }
    }

    /// Whether it can play a game.
    ///
    /// # Errors
    /// Says why not.
    pub fn fits(self, game: &Game) -> Result<(), String> {
        match self {
            Self::Random | Self::Mcts { .. } => Ok(()),
            Self::AlphaBeta(_) => AlphaBeta::fits(game),
        }
    }

    /// The bot for one move or one game. `evaluation` is that of the game, if [`Spec::evaluates`] says it is used.
    #[must_use]
    pub fn bot<'a>(self, engine: &'a dyn Engine, evaluation: &Arc<Evaluation>, dice: Stream) -> Box<dyn Bot + 'a> {
        let evaluation = Arc::clone(evaluation);
        match self {
            Self::Random => Box::new(RandomBot(dice)),
            Self::Mcts { budget, depth } => Box::new(Mcts::new(engine, evaluation, budget.count(), depth, dice)),
            Self::AlphaBeta(budget) => Box::new(AlphaBeta::new(engine, evaluation, budget.count())),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Time(time) if time.subsec_millis() == 0 => write!(f, "{}s", time.as_secs()),
            Self::Time(time) => write!(f, "{}ms", time.as_millis()),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => write!(f, "random"),
            Self::Mcts { budget, depth: None } => write!(f, "mcts:{budget}"),
            Self::Mcts { budget, depth: Some(depth) } => write!(f, "mcts:{budget}:{depth}"),
            Self::AlphaBeta(budget) => write!(f, "alphabeta:{budget}"),
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.trim().split(':');
        let name = parts.next().unwrap_or("");
        let (first, second, more) = (parts.next(), parts.next(), parts.next());
        match (name, first, second, more) {
            ("random", None, None, None) => Ok(Self::Random),
            ("mcts", first, second, None) => {
                let budget = first.map_or(Ok(Budget::Count(ITERATIONS)), budget)?;
                let depth = second.map(|text| text.parse().map_err(|_| format!("`{text}` is not a number of plies")));
                Ok(Self::Mcts { budget, depth: depth.transpose()? })
            }
            ("alphabeta", first, None, None) => Ok(Self::AlphaBeta(first.map_or(Ok(Budget::Count(DEPTH)), budget)?)),
            (known, ..) if NAMES.contains(&known) => {
                Err(format!("`{text}` has too many parts: write `random`, `mcts:1000`, `mcts:1s` or `alphabeta:4`"))
            }
            ("auto", Some(_), ..) => {
                Err("`auto` takes no budget: it thinks for a second; write `auto`, `mcts:1s` or `alphabeta:1s`"
                    .to_owned())
            }
            (other, ..) => {
                let near = nearest(other, NAMES).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                Err(format!(
                    "there is no bot `{other}`: {near}write `auto`, `random`, `mcts:1000`, `mcts:1s` or `alphabeta:4`"
                ))
            }
        }
    }
}

/// Parses a budget: a number, or a time such as `500ms` or `2s`.
fn budget(text: &str) -> Result<Budget, String> {
    let fault = || format!("`{text}` is not a budget: write a number, or a time such as `500ms` or `2s`");
    let number = |text: &str| text.parse::<u32>().ok().filter(|&n| n > 0).ok_or_else(fault);
    if let Some(millis) = text.strip_suffix("ms") {
        return Ok(Budget::Time(Duration::from_millis(number(millis)?.into())));
    }
    match text.strip_suffix('s') {
        Some(seconds) => Ok(Budget::Time(Duration::from_secs(number(seconds)?.into()))),
        None => Ok(Budget::Count(number(text)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_round_trip() {
        for text in ["random", "mcts:1000", "mcts:1s", "mcts:250ms", "mcts:50:3", "alphabeta:4", "alphabeta:2s"] {
            assert_eq!(text.parse::<Spec>().map(|spec| spec.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("mcts".parse::<Spec>().map(|spec| spec.to_string()).as_deref(), Ok("mcts:1000"));
        for text in ["", "mct", "mcts:", "mcts:0", "mcts:1h", "random:3", "alphabeta:2:2", "mcts:1:2:3"] {
            assert!(text.parse::<Spec>().is_err(), "{text}");
        }
    }
}
