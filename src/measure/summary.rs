//! From a tally to statistics with intervals.

use super::notes::has_turns;
use super::statistics::{Estimate, real, wilson};
use super::sums::Histogram;
use super::tally::{Results, Tally, Uses};
use super::values::Values;
use crate::ir::{Game, RuleId, RuleKind};

/// Statistics of the lengths of games, or of the number of legal answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lengths {
    /// The mean.
    pub mean: Estimate,
    /// The standard deviation.
    pub deviation: f64,
    /// The minimum.
    pub min: i64,
    /// The quantiles at 5, 25, 50, 75 and 95 per cent.
    pub quantiles: [Estimate; 5],
    /// The maximum.
    pub max: i64,
}

/// The shares of [`Lengths::quantiles`].
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

impl Lengths {
    /// From a histogram.
    #[must_use]
    pub fn counted(histogram: &Histogram, level: f64) -> Self {
        Self {
            mean: histogram.moments().sample(0).interval(level),
            deviation: histogram.moments().sample(0).deviation(),
            min: histogram.at(1),
            quantiles: QUANTILES.map(|share| histogram.quantile(share, level)),
            max: histogram.at(u64::MAX),
        }
    }

    /// From values of which a game may have several, which are not independent.
    #[must_use]
    pub fn several(values: &Values, level: f64) -> Self {
        let quantile = |share| values.counts.quantile_of(share, level, values.independent(share));
        Self {
            mean: values.games.ratio(0, 1).interval(level),
            quantiles: QUANTILES.map(quantile),
            ..Self::counted(&values.counts, level)
        }
    }
}

/// A count of games as a share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// The count.
    pub count: u64,
    /// The share, with its Wilson interval.
    pub share: Estimate,
}

/// The shares of a seat's results, or of a place in the turn order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Games won.
    pub win: Share,
    /// Games drawn.
    pub draw: Share,
    /// Games lost.
    pub loss: Share,
    /// Games that stopped undecided.
    pub open: Share,
}

impl Shares {
    /// Results as shares of this many games.
    #[must_use]
    pub fn of(results: &Results, games: u64, level: f64) -> Self {
        let share = |count: u64| Share { count, share: wilson(count, games, level) };
        Self {
            win: share(results.win),
            draw: share(results.draw),
            loss: share(results.loss),
            open: share(results.open),
        }
    }
}

/// How often an element of the rules was used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Used<T> {
    /// The element.
    pub what: T,
    /// Answers that used it.
    pub times: u64,
    /// The games that used it.
    pub games: Share,
}

/// The figures of many games.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The confidence level of the intervals.
    pub level: f64,
    /// The number of games.
    pub games: u64,
    /// Their lengths in plies.
    pub plies: Lengths,
    /// Their lengths in turns; none if the rules have none.
    pub turns: Option<Lengths>,
    /// Their lengths in rounds; none if the rules have no turns.
    pub rounds: Option<Lengths>,
    /// The branching factor: the number of legal answers per decision.
    pub branching: Lengths,
    /// Results by seat.
    pub seats: Vec<Shares>,
    /// Results by place in the turn order; empty if the rules have no turns.
    pub places: Vec<Shares>,
    /// How often each seat had the first turn; empty if the rules have no turns.
    pub openers: Vec<u64>,
    /// Games that some seats won and others did not.
    pub decided: Share,
    /// Of the games with a single winner, the share won by the seat with the first turn, less what would be its share if
    /// all seats won equally often; none if there are no such games, or no turns.
    pub first_advantage: Option<Estimate>,
    /// Games that the rules end as a draw.
    pub draws: Share,
    /// Games stopped at the cap.
    pub capped: Share,
    /// The number of lead changes per game, with the number of games recorded; none where the rules do not define a
    /// leader.
    pub lead_changes: Option<(u64, Estimate)>,
    /// Of the games with a single leader at half-time and a single winner, the share won by that leader.
    pub lead_kept: Option<Share>,
    /// The measures.
    pub measures: Vec<Lengths>,
    /// How many games were recorded in detail.
    pub traced: u64,
    /// The rules that can be used.
    pub rules: Vec<Used<RuleId>>,
    /// The clauses that these rules implement, by number.
    pub clauses: Vec<Used<usize>>,
}

impl Summary {
    /// Whether the mean length is known to within this share of itself, and each seat's share of wins to within this
    /// share.
    #[must_use]
    pub fn is_precise(&self, precision: f64) -> bool {
        let length = self.plies.mean;
        length.reach() <= precision * length.value.abs()
            && self.seats.iter().all(|seat| seat.win.share.reach() <= precision)
    }
}

/// The statistics of a tally, with intervals of this level.
#[must_use]
pub fn summary(game: &Game, tally: &Tally, level: f64) -> Summary {
    let share = |count: u64| Share { count, share: wilson(count, tally.games, level) };
    let placed: u64 = tally.openers.iter().sum();
    let shares = |results: &[Results], of: u64| -> Vec<Shares> {
        results.iter().map(|results| Shares::of(results, of, level)).collect()
    };
    let lengths = |histogram: &Histogram| Lengths::counted(histogram, level);
    let turns = has_turns(game);
    let traced = &tally.traced;
    let used = |uses: &Uses| Share { count: uses.games, share: wilson(uses.games, traced.games, level) };
    let rules = game.rules.ids().zip(&traced.rules).filter(|(rule, _)| is_used(game, *rule));
    let clauses = traced.clauses.iter().enumerate().filter(|(number, _)| {
        let id = game.clauses.clauses.get_index(*number).map(|(id, _)| id);
        id.is_some_and(|id| game.rules.numbered().any(|(rule, info)| is_used(game, rule) && info.clauses.contains(id)))
    });
    let leads = &tally.leads;
    let changes = (leads.games > 0).then(|| (leads.games, leads.changes.moments().sample(0).interval(level)));
    Summary {
        level,
        games: tally.games,
        plies: lengths(&tally.plies),
        turns: turns.then(|| lengths(&tally.turns)),
        rounds: turns.then(|| lengths(&tally.rounds)),
        branching: Lengths::several(&tally.branching, level),
        seats: shares(&tally.seats, tally.games),
        places: if placed == 0 { Vec::new() } else { shares(&tally.places, placed) },
        openers: if placed == 0 { Vec::new() } else { tally.openers.clone() },
        decided: share(tally.decided),
        first_advantage: first_advantage(tally, level),
        draws: share(tally.draws),
        capped: share(tally.capped),
        lead_changes: changes,
        lead_kept: (leads.led > 0).then(|| Share { count: leads.kept, share: wilson(leads.kept, leads.led, level) }),
        measures: tally.measures.iter().map(|values| Lengths::several(values, level)).collect(),
        traced: traced.games,
        rules: rules.map(|(rule, uses)| Used { what: rule, times: uses.times, games: used(uses) }).collect(),
        clauses: clauses.map(|(number, uses)| Used { what: number, times: uses.times, games: used(uses) }).collect(),
    }
}

/// How much more often the seat with the first turn wins than its share.
fn first_advantage(tally: &Tally, level: f64) -> Option<Estimate> {
    let [games, won] = tally.single;
    let fair = 1.0 / real(tally.seats.len() as u64);
    let Estimate { value, low, high } = wilson(won, games, level);
    (games > 0 && tally.seats.len() > 1).then_some(Estimate { value: value - fair, low: low - fair, high: high - fair })
}

/// Whether a rule can be used during play: a rule that states a fact cannot, nor can an invariant.
fn is_used(game: &Game, rule: RuleId) -> bool {
    let kind = game.rules.get(rule).map(|info| info.kind);
    match kind {
        Some(
            RuleKind::Path
            | RuleKind::Action
            | RuleKind::Choose
            | RuleKind::Guard
            | RuleKind::End
            | RuleKind::Statement,
        ) => rule != RuleId::GAME,
        Some(RuleKind::Fact | RuleKind::Definition | RuleKind::Procedure | RuleKind::Invariant) | None => false,
    }
}
