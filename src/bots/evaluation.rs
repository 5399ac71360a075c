//! Heuristic evaluation of positions, derived from the rules alone.
//!
//! Every statement that decides the game is a goal; the degree to which its conditions hold says how near the goal
//! is, and ranking statements define the score. Measures are normalized by the greatest values seen in a few random
//! games, so that nothing has to be tuned to a game.

use std::cell::RefCell;

use super::DECISION;
use super::board_graph::{BoardGraph, number};
use super::condition::{LOOKS, Reader};
use super::degree::{Valuation, wide};
use super::goal::{Goal, GoalFinder, Named, Payoff, Step};
use crate::base::SaturatingFrom;
use crate::ir::{Game, SeatId, Value};
use crate::model::{Ask, Engine, Meter, Outcome, Position, Standing, Verdict};
use crate::play::{Stop, Stream, playout};
use crate::reference::Walker;

/// How many random games are sampled.
const GAMES: u64 = 12;

/// The maximum length of each, in plies.
const PLIES: u32 = 600;

/// The maximum number of positions sampled from each.
const SAMPLES: u32 = 24;

/// How many steps these games may take together.
const STEPS: u64 = 10_000_000;

/// The steps that the evaluation of positions in these games may take together.
const VALUED: u64 = 10_000_000;

/// How many bytes of a position that is copied for this count as a step.
const BYTES_A_STEP: u64 = 32;

/// The greatest value of a rank other than the first: less than a draw.
const CONSOLATION: f64 = 0.3;

/// The values of positions for each seat, from 0 (lost) to 1 (won).
#[derive(Clone, Debug)]
pub struct Evaluation {
    walker: Walker,
    ground: BoardGraph,
    goals: Vec<Goal>,
    /// The greatest value seen of each measure.
    greatest: Vec<f64>,
    /// An upper bound on a seat's total score.
    most: f64,
    survey: Survey,
}

/// Statistics of random games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survey {
    /// The share of games with a winner or ranks within the maximum number of plies.
    pub decided: f64,
    /// The mean length in plies, undecided games being cut off.
    pub plies: f64,
}

/// The number of plies beyond which random games are long.
const LONG: u32 = 200;

impl Survey {
    /// Whether random games say much about a position: most are decided, and soon.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        self.decided >= 0.5 && self.plies <= f64::from(LONG)
    }
}

impl Evaluation {
    /// Derives the evaluation from the rules and a few random games. The same rules give the same evaluation.
    #[must_use]
    pub fn new(engine: &dyn Engine) -> Self {
        let game = engine.game();
        let walker = Walker::new(engine.shared_game());
        let ground = BoardGraph::new(&game.topology);
        // A goal may be good for one seat and bad for every other.
        let most = |goals: &[Goal]| {
            let scores = goals.iter().filter(|goal| matches!(goal.payoff, Payoff::Score(..))).count();
            number(goals.len() - scores + scores.min(1)).max(1.0)
        };
        let reader = Reader { walker: &walker, game, measures: 0, left: LOOKS };
        let (goals, measures) = GoalFinder::new(reader).all();
        let survey = Survey { decided: 0.0, plies: 0.0 };
        let most = most(&goals);
        let mut evaluation = Self { walker, ground, goals, greatest: vec![0.0; measures], most, survey };
        evaluation.look(engine);
        evaluation
    }

    /// An evaluation that gives all positions the same value, for bots that do not use one.
    #[must_use]
    pub fn blind(engine: &dyn Engine) -> Self {
        let walker = Walker::new(engine.shared_game());
        let ground = BoardGraph::new(&engine.game().topology);
        Self {
            walker,
            ground,
            goals: Vec::new(),
            greatest: Vec::new(),
            most: 1.0,
            survey: Survey { decided: 0.0, plies: 0.0 },
        }
    }

    /// The statistics of the random games.
    #[must_use]
    pub fn survey(&self) -> Survey {
        self.survey
    }

    /// Whether the rules give no information on how near a goal is.
    #[must_use]
    pub fn is_blind(&self) -> bool {
        self.goals.is_empty()
    }

    fn game(&self) -> &Game {
        use crate::model::Engine as _;
        self.walker.game()
    }

    /// Plays a few random games to find the greatest values of measures.
    fn look(&mut self, engine: &dyn Engine) {
        let mut seen = self.greatest.clone();
        let meter = Meter::new(STEPS).each(DECISION);
        let engine = engine.within(&meter);
        let start = engine.start();
        let mut run = engine.run();
        let (mut decided, mut plies, mut games) = (0_u32, 0_u32, 0_u32);
        // Where no goal is known, nothing is looked for.
        let mut left = if self.is_blind() { 0 } else { VALUED };
        for number in 0..GAMES {
            let mut dice = Stream::new(0, "evaluation", number);
            run.load(&start);
            let mut next = 0;
            let played = playout(engine.as_ref(), run.as_mut(), PLIES, None, &mut dice, &mut |run, _| {
                if left > 0 && run.ply() >= next && !matches!(run.ask(), Ask::Chance { .. }) {
                    let position = run.position();
                    let copied = position.bytes() as u64 / BYTES_A_STEP;
                    let mut valuation = self.valuation(position, DECISION);
                    valuation.seen = Some(std::mem::take(&mut seen));
                    self.scores(&mut valuation);
                    seen = valuation.seen.take().unwrap_or_default();
                    let used = copied + DECISION.saturating_sub(valuation.steps);
                    left = left.saturating_sub(used);
                    // Where one takes long, there are fewer, but from all of the game.
                    let apart = u32::saturating_from(u64::from(PLIES) * used / (2 * VALUED / GAMES));
                    next = run.ply() + 1 + apart.max(next * 2 / SAMPLES);
                }
                true
            });
            // What the steps did not suffice for says nothing.
            if meter.is_spent() && games > 0 {
                break;
            }
            games += 1;
            let ranked = |outcome: &Outcome| outcome.verdicts.iter().any(|v| matches!(v, Verdict::Win | Verdict::Loss));
            decided += u32::from(played.stop == Stop::Over && played.outcome.as_ref().is_some_and(ranked));
            plies += played.plies;
        }
        self.greatest = seen;
        let games = f64::from(games);
        self.survey = Survey { decided: f64::from(decided) / games, plies: f64::from(plies) / games };
    }

    fn valuation(&self, mut position: Position, steps: u64) -> Valuation<'_> {
        position.history.clear();
        let distances = RefCell::default();
        Valuation {
            walker: &self.walker,
            ground: &self.ground,
            greatest: &self.greatest,
            seen: None,
            position,
            distances,
            steps,
        }
    }

    /// The value of a position for each seat.
    #[must_use]
    pub fn values(&self, position: Position) -> Vec<f64> {
        self.values_within(position, &Meter::new(u64::MAX))
    }

    /// The same, with steps from a meter.
    pub(super) fn values_within(&self, position: Position, meter: &Meter) -> Vec<f64> {
        if let Some(outcome) = &position.outcome {
            return results(outcome);
        }
        let standing = position.standing.clone();
        let granted = meter.grant(DECISION);
        let mut valuation = self.valuation(position, granted);
        let scores = self.scores(&mut valuation);
        meter.take(granted.saturating_sub(valuation.steps));
        let seats = standing.len();
        let value = |(score, standing): (f64, &Standing)| match standing {
            // Linear between a loss and a win without reaching either: the last step counts as much as the first.
            Standing::Playing => 0.5 + 0.45 * (score / self.most).clamp(-1.0, 1.0),
            Standing::Ranked(1) => 1.0,
            Standing::Ranked(rank) => consolation(usize::from(*rank), seats),
        };
        scores.into_iter().zip(&standing).map(value).collect()
    }

    /// The score of each seat, around 0.
    fn scores(&self, valuation: &mut Valuation<'_>) -> Vec<f64> {
        let seats = self.game().seats.len();
        let (mut sums, mut ranked, mut rankings) = (vec![0.0; seats], vec![0.0; seats], 0_u32);
        let (actor, mover) = (valuation.position.actor, valuation.position.mover);
        for goal in &self.goals {
            let acting = actor.unwrap_or(mover);
            for me in SeatId::all(seats) {
                let counts = if goal.personal { valuation.position.plays(usize::from(me)) } else { me == acting };
                if !counts || !valuation.pay(0) {
                    continue;
                }
                (valuation.position.actor, valuation.position.mover) = (Some(me), me);
                match goal.payoff {
                    Payoff::Score(..) => {
                        rankings += 1;
                        self.follow(valuation, goal, &goal.steps, 1.0, &mut ranked);
                    }
                    Payoff::Good(_) | Payoff::Bad(_) => self.follow(valuation, goal, &goal.steps, 1.0, &mut sums),
                }
            }
        }
        (valuation.position.actor, valuation.position.mover) = (actor, mover);
        // Several statements may rank by the same score; together they count once.
        let share = f64::from(rankings.max(1));
        sums.iter().zip(&ranked).map(|(sum, ranked)| sum + ranked / share).collect()
    }

    /// Follows the steps to a goal and adds its payoff for each seat.
    fn follow(&self, valuation: &mut Valuation<'_>, goal: &Goal, steps: &[Step], weight: f64, sums: &mut [f64]) {
        let Some((step, rest)) = steps.split_first() else {
            self.payoff(valuation, &goal.payoff, weight, sums);
            return;
        };
        match step {
            Step::Bind(names) => {
                valuation.bind_all(names);
                self.follow(valuation, goal, rest, weight, sums);
            }
            Step::Each(slot, set) => {
                for member in valuation.value(set).members() {
                    if !valuation.pay(0) {
                        return;
                    }
                    valuation.bind(*slot, member);
                    self.follow(valuation, goal, rest, weight, sums);
                }
            }
            Step::When(truth) => {
                // A score counts no matter how the game will end.
                let degree = if matches!(goal.payoff, Payoff::Score(..)) { 1.0 } else { valuation.degree(truth) };
                self.follow(valuation, goal, rest, weight * degree, sums);
            }
        }
    }

    fn payoff(&self, valuation: &mut Valuation<'_>, payoff: &Payoff, weight: f64, sums: &mut [f64]) {
        let seats = sums.len();
        valuation.pay(seats);
        let (shares, weight): (Vec<f64>, f64) = match payoff {
            Payoff::Good(named) => (named_seats(valuation, named, seats), weight),
            Payoff::Bad(named) => (named_seats(valuation, named, seats), -weight),
            Payoff::Score(slot, set, by, place) => {
                let ranked = valuation.value(set).into_set();
                let score = |seat: usize| {
                    valuation.bind(*slot, Value::atom_of(seat));
                    wide(valuation.value(by).int())
                };
                let scores: Vec<f64> = (0..seats).map(score).collect();
                let mean =
                    ranked.iter().filter_map(|seat| scores.get(seat)).sum::<f64>() / number(ranked.count().max(1));
                let spread = scores.iter().map(|score| (score - mean).abs()).fold(0.0, f64::max);
                valuation.share(*place, Some(spread));
                let greatest = self.greatest.get(*place).copied().unwrap_or(1.0).max(spread).max(1.0);
                (scores.iter().map(|score| (score - mean) / greatest).collect(), weight)
            }
        };
        let all: f64 = shares.iter().sum();
        for (sum, share) in sums.iter_mut().zip(&shares) {
            let others = (all - share) / number((seats - 1).max(1));
            *sum += weight * (share - others);
        }
    }
}

/// The degree to which each seat is named.
fn named_seats(valuation: &mut Valuation<'_>, named: &Named, seats: usize) -> Vec<f64> {
    match named {
        Named::These(set) => {
            let set = valuation.value(set).atoms();
            (0..seats).map(|seat| f64::from(u8::from(set.contains(seat)))).collect()
        }
        Named::Where(slot, set, truth) => {
            let set = valuation.value(set).atoms();
            let degree = |seat: usize| {
                if !set.contains(seat) {
                    return 0.0;
                }
                valuation.bind(*slot, Value::atom_of(seat));
                valuation.degree(truth)
            };
            (0..seats).map(degree).collect()
        }
    }
}

/// The value of a result for each seat.
#[must_use]
pub fn results(outcome: &Outcome) -> Vec<f64> {
    let seats = outcome.verdicts.len();
    let value = |(verdict, &rank): (&Verdict, &u8)| match verdict {
        Verdict::Win => 1.0,
        Verdict::Draw | Verdict::Open => 0.5,
        Verdict::Loss => consolation(usize::from(rank), seats),
    };
    outcome.verdicts.iter().zip(outcome.ranks.iter().chain(std::iter::repeat(&0))).map(value).collect()
}

/// The value of a rank other than the first: nothing for the last, a little for others.
fn consolation(rank: usize, seats: usize) -> f64 {
    if rank == 0 || seats < 3 { 0.0 } else { CONSOLATION * number(seats.saturating_sub(rank)) / number(seats - 1) }
}
