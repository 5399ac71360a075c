//! Tournaments between bots.

use super::bot::{Bot, BotError};
use super::rules::Rules;
use crate::bots::{Contest, Schedule, contest};

/// A tournament between bots, played by [`Tournament::run`].
///
/// The bots rotate through the seats from game to game; a seat without a bot is played at random.
#[derive(Clone, Debug)]
#[must_use]
pub struct Tournament<'a> {
    rules: &'a Rules,
    bots: Vec<Bot>,
    plan: Schedule,
}

impl<'a> Tournament<'a> {
    pub(super) fn new(rules: &'a Rules, bots: &[Bot]) -> Self {
        let seats = rules.game().seats.len();
        let all = bots.iter().copied().chain(std::iter::repeat(Bot::random()));
        let bots: Vec<Bot> = all.take(seats).collect();
        let entries = bots.iter().map(|bot| bot.0).collect();
        Self { rules, bots, plan: Schedule { entries, games: 100, cap: 2000, seed: 0, rotate: true } }
    }

    /// Sets the number of games; 100 by default.
    pub fn games(mut self, games: u64) -> Self {
        self.plan.games = games;
        self
    }

    /// Sets the random seed; 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.plan.seed = seed;
        self
    }

    /// Sets the maximum number of plies per game; 2000 by default.
    pub fn cap(mut self, plies: u32) -> Self {
        self.plan.cap = plies;
        self
    }

    /// Plays the games, on all cores.
    ///
    /// # Errors
    /// If a bot cannot play by these rules.
    pub fn run(&self) -> Result<Contest, BotError> {
        self.bots.iter().try_for_each(|bot| bot.fits(self.rules))?;
        let engine = self.rules.engine();
        // Bots with a time budget cannot be named here, so no clock is needed.
        Ok(contest(engine, &engine.start(), &self.plan, &|_| Box::new(|| true), &|_| {}))
    }
}
