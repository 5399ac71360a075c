//! Random games and their statistics.

use std::fmt;

use super::bot::{Bot, BotError};
use super::rules::Rules;
use super::shown::Outcome;
use crate::bots::Seated;
use crate::measure::{
    Each, Lengths, Plan, Share, Shares, Side, Summary, Tally, simulate_each, simulate_seated, summary,
};
use crate::play::Reactions;

/// The confidence level of the intervals.
const LEVEL: f64 = 0.95;

/// A simulation of random games, played by [`Simulation::run`].
///
/// Every answer is as likely as any other legal one. Game number n draws from stream n of the seed,
/// so figures do not depend on the number of threads.
#[derive(Clone, Debug)]
#[must_use]
pub struct Simulation<'a> {
    rules: &'a Rules,
    first: u64,
    games: u64,
    plan: Plan,
    seats: Vec<Bot>,
}

impl<'a> Simulation<'a> {
    pub(super) fn new(rules: &'a Rules, games: u64) -> Self {
        let reactions = Some(Reactions::default());
        Self { rules, first: 0, games, plan: Plan { cap: 2000, reactions, ..Plan::default() }, seats: Vec::new() }
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

    /// Begins with the game of this number instead of the first, so that a simulation can be divided: the games keep
    /// their numbers.
    pub fn from(mut self, game: u64) -> Self {
        self.first = game;
        self
    }

    /// Puts bots on the seats, in turn order; seats without one play at random.
    ///
    /// # Errors
    /// If a bot cannot play by these rules.
    pub fn seats(mut self, bots: &[Bot]) -> Result<Self, BotError> {
        bots.iter().try_for_each(|bot| bot.fits(self.rules))?;
        self.seats = bots.to_vec();
        Ok(self)
    }

    /// Plays the games on all cores and returns each of them. `keep_going` receives the number of games done, from several
    /// threads, and says whether to go on; if not, the result ends before the first game that was not played.
    #[must_use]
    pub fn each(&self, keep_going: &(dyn Fn(u64) -> bool + Sync)) -> Vec<Played> {
        let engine = self.rules.engine();
        let (start, seated) = (engine.start(), self.seated());
        let side = Side::new(engine, &start).seated(&seated);
        let games = simulate_each(side, &self.plan, self.numbers(), keep_going);
        let played = games.into_iter().map(|Each { game, turns, measured }| Played {
            plies: game.plies,
            turns,
            measured,
            decisions: game.decisions,
            answers: game.answers,
            outcome: game.outcome.map(|inner| Outcome { rules: self.rules.clone(), inner }),
        });
        played.collect()
    }

    /// Plays the games, on all cores.
    #[must_use]
    pub fn run(&self) -> Statistics {
        let engine = self.rules.engine();
        let (start, seated) = (engine.start(), self.seated());
        let side = Side::new(engine, &start).seated(&seated);
        let tally = simulate_seated(side, &self.plan, self.numbers(), &|_| {});
        let summary = summary(engine.game(), &tally, LEVEL);
        Statistics { rules: self.rules.clone(), tally, summary }
    }

    fn numbers(&self) -> std::ops::Range<u64> {
        self.first..self.first.saturating_add(self.games)
    }

    fn seated(&self) -> Seated {
        let specs: Vec<_> = self.seats.iter().map(|bot| bot.0).collect();
        let looks = specs.iter().any(|spec| spec.evaluates());
        Seated::new(specs, self.rules.evaluation(looks))
    }
}

/// A single random game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Played {
    /// The number of plies.
    pub plies: u32,
    /// Turns in which a seat had something to decide.
    pub turns: u32,
    /// The number of decisions made by seats.
    pub decisions: u64,
    /// The total number of legal answers over all decisions.
    pub answers: u64,
    /// For each measure its values: one at the end of the game, or one for each turn.
    pub measured: Vec<Vec<i64>>,
    /// The outcome; none if the game was stopped before its end.
    pub outcome: Option<Outcome>,
}

/// Statistics of many games, each with its 95 % confidence interval.
#[derive(Clone, Debug)]
pub struct Statistics {
    rules: Rules,
    tally: Tally,
    summary: Summary,
}

impl Statistics {
    /// The number of games played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.summary.games
    }

    /// The length of games, in plies.
    #[must_use]
    pub fn lengths(&self) -> &Lengths {
        &self.summary.plies
    }

    /// The number of games of each length, in ascending order.
    pub fn histogram(&self) -> impl Iterator<Item = (i64, u64)> {
        self.tally.plies.0.iter().map(|(plies, games)| (*plies, *games))
    }

    /// The branching factor: the number of legal answers per decision.
    #[must_use]
    pub fn branching(&self) -> &Lengths {
        &self.summary.branching
    }

    /// Wins, draws and losses by seat.
    #[must_use]
    pub fn seats(&self) -> &[Shares] {
        &self.summary.seats
    }

    /// The measures: names and figures.
    pub fn measures(&self) -> impl Iterator<Item = (&str, &Lengths)> {
        let names = self.rules.game().measures.iter().map(|measure| measure.name.as_str());
        names.zip(&self.summary.measures)
    }

    /// Games that the rules ended without a winner.
    #[must_use]
    pub fn draws(&self) -> Share {
        self.summary.draws
    }

    /// Games stopped at the maximum number of plies.
    #[must_use]
    pub fn capped(&self) -> Share {
        self.summary.capped
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.lengths();
        let mean = plies.mean;
        write!(f, "{} games of {}: ", self.games(), self.rules.title())?;
        write!(f, "{:.1} plies ({:.1} to {:.1}), ", mean.value, mean.low, mean.high)?;
        write!(f, "from {} to {}", plies.min, plies.max)?;
        let percent = |share: f64| 100.0 * share;
        for (title, results) in self.rules.seats().zip(self.seats()) {
            let win = results.win.share;
            let (share, low, high) = (percent(win.value), percent(win.low), percent(win.high));
            write!(f, "\n{title} wins {share:.1} % ({low:.1} to {high:.1})")?;
        }
        write!(
            f,
            "\ndrawn {:.1} %, stopped {:.1} %",
            percent(self.draws().share.value),
            percent(self.capped().share.value)
        )
    }
}
