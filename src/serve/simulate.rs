//! Random games in portions: a client requests more for as long as it likes.

use serde_json::{Value, json};

use super::Server;
use super::fault::{Code, Fault};
use super::figures::{difference_json, lengths_json, share_json, shares_json};
use super::json::seat_name;
use super::request::{Fields, SELECTION};
use crate::api::Rules;
use crate::base::SaturatingFrom;
use crate::ir::SeatId;
use crate::measure::{
    Pairs, Plan, Side, Tally, Totals, differences, has_turns, play_one_pair, play_pairs, simulate, simulate_one,
    summary,
};
use crate::model::Meter;
use crate::play::Reactions;

/// The confidence level of the intervals.
const LEVEL: f64 = 0.95;

/// The default number of games in a request, and of plies after which a game is stopped.
const GAMES: u64 = 100;
const CAP: u64 = 2000;

/// How many steps a game may take in all; one that takes them counts as stopped by the budget.
const STEPS: u64 = 1_000_000_000;

/// How many steps several games may take that are played without asking for the time.
const FEW: u64 = 50_000_000;

/// How many games at most: those that are stopped before their first ply take no steps.
const MOST: u64 = 1 << 16;

/// The maximum number of simulations kept; the oldest is discarded for a new one.
const KEPT: usize = 16;

/// A simulation in progress.
#[derive(Debug)]
pub(super) struct Simulation {
    rules: Rules,
    plan: Plan,
    sums: Sums,
}

#[derive(Debug)]
enum Sums {
    Alone(Box<Tally>),
    Against(Rules, Box<Pairs>),
}

impl Server<'_> {
    pub(super) fn simulate(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let number = match fields.number("simulation")? {
            Some(number) => number,
            None => self.prepare(fields)?,
        };
        let games = fields.number("games")?.unwrap_or(GAMES);
        let Some(found) = self.simulations.get_mut(&number) else {
            let cure = "leave `simulation` out: that begins one, and the response has its number";
            return Err(Fault::new(Code::BadValue, format!("there is no simulation {number}"), cure));
        };
        let source = self.source;
        let done = found.extend(games, &|| source.is_late());
        let mut told = found.told();
        if done < games {
            told["late"] = json!(true);
        }
        told["simulation"] = json!(number);
        Ok(told)
    }

    /// Starts a simulation.
    fn prepare(&mut self, fields: &Fields) -> Result<u64, Fault> {
        let rules = self.rules(fields)?;
        let seed = self.seed(fields)?;
        let cap = u32::saturating_from(fields.number("cap")?.unwrap_or(CAP));
        let plan = Plan { cap, seed, reactions: Some(Reactions::default()), ..Plan::default() };
        let sums = match fields.inner("against", SELECTION)? {
            None => Sums::Alone(Box::new(Tally::new(rules.game()))),
            Some(against) => {
                let other = self.rules_or(&against, Some(rules.name()))?;
                let (seats, others) = (rules.game().seats.len(), other.game().seats.len());
                if seats != others {
                    let message = format!("the first has {seats} seats, the second {others}");
                    return Err(Fault::new(Code::BadSelection, message, "choose `players` that both support"));
                }
                Sums::Against(other, Box::new(Pairs::new(rules.game())))
            }
        };
        let number = match self.simulations.last_key_value() {
            Some((last, _)) => last + 1,
            None => 1,
        };
        if self.simulations.len() >= KEPT {
            self.simulations.pop_first();
        }
        self.simulations.insert(number, Simulation { rules, plan, sums });
        Ok(number)
    }
}

impl Simulation {
    /// Plays so many more games, a few at a time, until it is late; returns how many were played.
    fn extend(&mut self, games: u64, late: &dyn Fn() -> bool) -> u64 {
        let (mut done, mut some) = (0, 1);
        while done < games && !(done > 0 && late()) {
            some = some.min(games - done);
            let steps = if some == 1 { STEPS } else { FEW };
            let meter = Meter::new(steps);
            let played = if some == 1 { self.one(&meter, late) } else { self.some(some, &meter) };
            match (played, some) {
                (true, _) => done += some,
                (false, 1) => break,
                // They take longer than those before: one at a time, then.
                (false, _) => {
                    some = 1;
                    continue;
                }
            }
            // While they take little, twice as many will do.
            if some < MOST && steps - meter.grant(steps) <= FEW / 8 {
                some = some.saturating_mul(2);
            }
        }
        done
    }

    /// Plays one game or pair; false if it was given up because it is late.
    fn one(&mut self, meter: &Meter, late: &dyn Fn() -> bool) -> bool {
        let (engine, plan) = (self.rules.engine().within(meter), &self.plan);
        let (start, going) = (engine.start(), || !late());
        match &mut self.sums {
            Sums::Alone(tally) => {
                let more = simulate_one(Side::new(&*engine, &start), plan, tally.games, &going);
                more.as_ref().is_some_and(|more| add(&mut **tally, more))
            }
            Sums::Against(other, pairs) => {
                let other = other.engine().within(meter);
                let other_start = other.start();
                let sides = [Side::new(&*engine, &start), Side::new(&*other, &other_start)];
                let more = play_one_pair(sides, plan, true, pairs.pairs, &going);
                more.as_ref().is_some_and(|more| add(&mut **pairs, more))
            }
        }
    }

    /// Plays several at once; false if they take too much, and then none of them counts.
    fn some(&mut self, games: u64, meter: &Meter) -> bool {
        let (engine, plan) = (self.rules.engine().within(meter), &self.plan);
        let engine = &*engine;
        match &mut self.sums {
            Sums::Alone(tally) => {
                let numbers = tally.games..tally.games.saturating_add(games);
                let more = simulate(engine, &engine.start(), plan, numbers, &|_| {});
                !meter.is_spent() && add(&mut **tally, &more)
            }
            Sums::Against(other, pairs) => {
                let other = other.engine().within(meter);
                let starts = [engine.start(), other.start()];
                let sides = [Side::new(engine, &starts[0]), Side::new(&*other, &starts[1])];
                let numbers = pairs.pairs..pairs.pairs.saturating_add(games);
                let more = play_pairs(sides, plan, true, numbers, &|_| {});
                !meter.is_spent() && add(&mut **pairs, &more)
            }
        }
    }

    fn told(&self) -> Value {
        let game = self.rules.game();
        match &self.sums {
            Sums::Alone(tally) => {
                let found = summary(game, tally, LEVEL);
                let seat = |(number, shares): (usize, _)| {
                    let mut told = shares_json(shares);
                    told["seat"] = seat_name(game, Some(SeatId::new(number)));
                    told["title"] = json!(game.seats.nth(number).map(|seat| &seat.title));
                    told
                };
                json!({
                    "games": tally.games, "seed": self.plan.seed, "cap": self.plan.cap, "level": LEVEL,
                    "plies": lengths_json(&found.plies), "turns": found.turns.as_ref().map(lengths_json),
                    "branching": lengths_json(&found.branching),
                    "lengths": tally.plies.0.iter().collect::<Vec<_>>(),
                    "seats": found.seats.iter().enumerate().map(seat).collect::<Vec<_>>(),
                    "draws": share_json(&found.draws), "capped": share_json(&found.capped), "budget": tally.exhausted,
                })
            }
            Sums::Against(other, pairs) => {
                let turns = has_turns(game) && has_turns(other.game());
                let found = differences(pairs, turns, LEVEL, None);
                json!({
                    "games": pairs.pairs, "seed": self.plan.seed, "cap": self.plan.cap, "level": LEVEL,
                    "differences": found.iter().map(|one| difference_json(game, one)).collect::<Vec<_>>(),
                    "budget": pairs.exhausted,
                })
            }
        }
    }
}

/// Adds totals to others; always true.
fn add<T: Totals + Default>(sums: &mut T, more: &T) -> bool {
    *sums = std::mem::take(sums).merge(more);
    true
}
