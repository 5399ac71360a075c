//! Totals over many games, in integers.

use serde::{Deserialize, Serialize};

use super::notes::{Notes, is_drawn, is_exhausted, verdict};
use super::pair::reordered;
use super::sums::{Histogram, Moments};
use super::values::Values;
use crate::ir::{Game, RuleId};
use crate::model::{Ending, Verdict};
use crate::play::{Playout, Stop};

/// The maximum number of violations stored.
const EXAMPLES: usize = 10;

/// For this many decisions from the start of a game, the number of answers is stored separately.
const COURSE: usize = 1000;

/// A seat's wins, draws, losses and undecided games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// Games won.
    pub win: u64,
    /// Games drawn.
    pub draw: u64,
    /// Games lost.
    pub loss: u64,
    /// Games that stopped undecided.
    pub open: u64,
}

impl Results {
    /// Adds the result of a game.
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Win => self.win += 1,
            Verdict::Draw => self.draw += 1,
            Verdict::Loss => self.loss += 1,
            Verdict::Open => self.open += 1,
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.win + self.draw + self.loss + self.open
    }

    /// Adds other results.
    pub fn merge(&mut self, other: &Self) {
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
        self.open += other.open;
    }
}

/// An ending, and how many games had it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The ending.
    pub ending: Ending,
    /// The number of games.
    pub games: u64,
    /// The first such game.
    pub first: u64,
}

/// A violation of an invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The number of the game, from 0.
    pub game: u64,
    /// The number of plies made.
    pub ply: u32,
    /// The rule of the invariant.
    pub rule: RuleId,
    /// The position.
    pub position: String,
}

/// How often a rule or a clause was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    /// Answers that used it.
    pub times: u64,
    /// Games in which it was used.
    pub games: u64,
}

/// What was used, over the games recorded in detail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traced {
    /// The number of games.
    pub games: u64,
    /// Each rule.
    pub rules: Vec<Uses>,
    /// Each clause, in the order of the documents.
    pub clauses: Vec<Uses>,
}

/// Who led, over the games recorded in detail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leads {
    /// The number of games.
    pub games: u64,
    /// The number of lead changes per game.
    pub changes: Histogram,
    /// Games won by the seat that led at half of the decisions.
    pub kept: u64,
    /// Games with a single leader at half of the decisions and a single winner.
    pub led: u64,
}

/// A game with the number of its plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extreme {
    /// The number of plies.
    pub plies: u32,
    /// The number of the game; of several equally long ones the first.
    pub game: u64,
}

/// The games worth a look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Odd {
    /// The shortest game that ended.
    pub shortest: Option<Extreme>,
    /// The longest game.
    pub longest: Option<Extreme>,
    /// The first games that stopped undecided.
    pub undecided: Vec<u64>,
}

impl Odd {
    fn add(&mut self, game: u64, plies: u32, over: bool) {
        let one = Some(Extreme { plies, game });
        if over {
            self.shorter(one);
        } else {
            self.undecided.push(game);
            self.undecided.truncate(EXAMPLES);
        }
        self.longer(one);
    }

    fn shorter(&mut self, other: Option<Extreme>) {
        let key = |one: &Extreme| (one.plies, one.game);
        self.shortest = self.shortest.into_iter().chain(other).min_by_key(key);
    }

    fn longer(&mut self, other: Option<Extreme>) {
        let key = |one: &Extreme| (one.plies, std::cmp::Reverse(one.game));
        self.longest = self.longest.into_iter().chain(other).max_by_key(key);
    }

    fn merge(&mut self, other: &Self) {
        self.shorter(other.shortest);
        self.longer(other.longest);
        self.undecided.extend(&other.undecided);
        self.undecided.sort_unstable();
        self.undecided.truncate(EXAMPLES);
    }

    /// Their numbers in ascending order, each with what is odd about it.
    #[must_use]
    pub fn games(&self) -> Vec<(u64, &'static str)> {
        let mut found: Vec<(u64, &str)> = self.undecided.iter().map(|game| (*game, "undecided")).collect();
        let extremes = [(self.shortest, "shortest"), (self.longest, "longest")];
        found.extend(extremes.into_iter().filter_map(|(one, word)| Some((one?.game, word))));
        found.sort_unstable();
        found.dedup_by_key(|(game, _)| *game);
        found
    }
}

/// Totals over many games. Tallies of disjoint sets of games are merged by adding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of games.
    pub games: u64,
    /// The number of games by number of plies.
    pub plies: Histogram,
    /// The number of games by number of turns.
    pub turns: Histogram,
    /// The number of games by number of rounds.
    pub rounds: Histogram,
    /// The numbers of legal answers to each decision.
    pub branching: Values,
    /// The number of legal answers to the first, second, … decision.
    pub course: Vec<Moments>,
    /// Results by seat.
    pub seats: Vec<Results>,
    /// Results by place in the turn order, over the games that have turns.
    pub places: Vec<Results>,
    /// How often each seat had the first turn.
    pub openers: Vec<u64>,
    /// Games that some seats won and others did not.
    #[serde(default)]
    pub decided: u64,
    /// Games with a single winner, and those of them that the seat with the first turn won.
    #[serde(default)]
    pub single: [u64; 2],
    /// Games that the rules end as a draw.
    pub draws: u64,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Games stopped by the step budget.
    pub exhausted: u64,
    /// The endings of games, in the order of the variants of [`Ending`].
    pub endings: Vec<Ended>,
    /// The number of positions that violate an invariant.
    pub violations: u64,
    /// The first violations, at most one per game.
    pub examples: Vec<Violation>,
    /// The rules and clauses used.
    pub traced: Traced,
    /// The leaders.
    pub leads: Leads,
    /// The values of each measure.
    #[serde(default)]
    pub measures: Vec<Values>,
    /// Values of measures and tests of invariants that took more steps than the step budget: none of them counts.
    #[serde(default)]
    pub unread: u64,
    /// The longest game and others worth a look.
    #[serde(default)]
    pub odd: Odd,
}

impl Tally {
    /// No games.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let seats = game.seats.len();
        Self {
            seats: vec![Results::default(); seats],
            places: vec![Results::default(); seats],
            openers: vec![0; seats],
            measures: vec![Values::default(); game.measures.len()],
            traced: Traced {
                games: 0,
                rules: vec![Uses::default(); game.rules.len()],
                clauses: vec![Uses::default(); game.clauses.clauses.len()],
            },
            ..Self::default()
        }
    }

    /// The same with its seats in the order of another game's: `seats` says which of them each one of that game is.
    #[must_use]
    pub fn reseated(mut self, seats: &[usize]) -> Self {
        self.seats = reordered(&self.seats, seats);
        self.openers = reordered(&self.openers, seats);
        self
    }

    /// Adds a game by its number.
    pub(super) fn add(&mut self, number: u64, game: &Playout, notes: &Notes<'_>) {
        self.games += 1;
        let [plies, turns, rounds, ..] = notes.numbers(game);
        for (histogram, n) in [(&mut self.plies, plies), (&mut self.turns, turns), (&mut self.rounds, rounds)] {
            histogram.add(n);
        }
        let widths = notes.widths.iter().copied().map(i64::from);
        self.branching.add(widths.clone());
        for (at, width) in widths.take(COURSE).enumerate() {
            if at == self.course.len() {
                self.course.push(Moments::new(1));
            }
            self.course[at].add(&[width]);
        }
        for (values, read) in self.measures.iter_mut().zip(&notes.measured) {
            values.add(read.iter().copied());
        }
        self.unread += notes.unread;
        self.odd.add(number, game.plies, game.outcome.is_some());
        for (seat, results) in self.seats.iter_mut().enumerate() {
            results.add(verdict(game, seat));
        }
        if let Some(order) = notes.order(self.seats.len()) {
            for (&seat, results) in order.iter().zip(&mut self.places) {
                results.add(verdict(game, seat));
            }
            if let Some(count) = order.first().and_then(|&first| self.openers.get_mut(first)) {
                *count += 1;
            }
        }
        self.add_winners(game, notes.order(self.seats.len()).and_then(|order| order.first().copied()));
        self.draws += u64::from(is_drawn(game));
        self.capped += u64::from(game.outcome.is_none() && game.stop == Stop::Cap);
        self.exhausted += u64::from(is_exhausted(game));
        if let Some(outcome) = &game.outcome {
            self.add_ending(&Ended { ending: outcome.ending, games: 1, first: number });
        }
    }

    /// Records who won; `first` is the seat that had the first turn.
    fn add_winners(&mut self, game: &Playout, first: Option<usize>) {
        let mut winners = (0..self.seats.len()).filter(|&seat| verdict(game, seat) == Verdict::Win);
        let (winner, more) = (winners.next(), winners.count());
        self.decided += u64::from(winner.is_some() && more + 1 < self.seats.len());
        if let (Some(winner), 0, Some(first)) = (winner, more, first) {
            self.single[0] += 1;
            self.single[1] += u64::from(winner == first);
        }
    }

    fn add_ending(&mut self, more: &Ended) {
        match self.endings.binary_search_by_key(&more.ending, |ended| ended.ending) {
            Ok(at) => {
                self.endings[at].games += more.games;
                self.endings[at].first = self.endings[at].first.min(more.first);
            }
            Err(at) => self.endings.insert(at, more.clone()),
        }
    }

    /// Adds the totals of other games.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        self.games += other.games;
        self.plies.merge(&other.plies);
        self.turns.merge(&other.turns);
        self.rounds.merge(&other.rounds);
        self.branching.merge(&other.branching);
        self.course.resize(self.course.len().max(other.course.len()), Moments::new(1));
        for (mine, more) in self.course.iter_mut().zip(&other.course) {
            mine.merge(more);
        }
        let seats = self.seats.iter_mut().zip(&other.seats);
        for (mine, more) in seats.chain(self.places.iter_mut().zip(&other.places)) {
            mine.merge(more);
        }
        add_each(&mut self.openers, &other.openers);
        self.decided += other.decided;
        self.single[0] += other.single[0];
        self.single[1] += other.single[1];
        self.draws += other.draws;
        self.capped += other.capped;
        self.exhausted += other.exhausted;
        for ended in &other.endings {
            self.add_ending(ended);
        }
        self.violations += other.violations;
        self.unread += other.unread;
        self.examples.extend(other.examples.iter().cloned());
        self.examples.sort_by_key(|violation| violation.game);
        self.examples.truncate(EXAMPLES);
        self.traced.games += other.traced.games;
        let rules = self.traced.rules.iter_mut().zip(&other.traced.rules);
        for (mine, more) in rules.chain(self.traced.clauses.iter_mut().zip(&other.traced.clauses)) {
            mine.times += more.times;
            mine.games += more.games;
        }
        self.leads.games += other.leads.games;
        self.leads.changes.merge(&other.leads.changes);
        self.leads.kept += other.leads.kept;
        self.leads.led += other.leads.led;
        for (mine, more) in self.measures.iter_mut().zip(&other.measures) {
            mine.merge(more);
        }
        self.odd.merge(&other.odd);
        self
    }
}

fn add_each(mine: &mut [u64], more: &[u64]) {
    for (sum, n) in mine.iter_mut().zip(more) {
        *sum += n;
    }
}
