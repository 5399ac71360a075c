//! Reaction times: which seat acts first in a race.
//!
//! A seat intends to do what a `cue` of the rules says. Its reaction time is `least` milliseconds plus four draws,
//! each uniform from 0 to `spread`, all divided by its skill; the wait stated by the cue is added. Only integers are
//! used, so that the same seed gives the same times on every machine.

use std::cell::{OnceCell, RefCell};

use serde::{Deserialize, Serialize};

use super::seed::Stream;
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{ActionId, ActionRef, Game, Move, SeatId, Value};
use crate::model::{Engine, Position, Run};

/// The skill of a seat for which none is given, in per cent.
const AVERAGE: u32 = 100;

/// How much later than it would act a seat tries again that may not act yet, in milliseconds.
const PATIENT: [i64; 9] = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536];

/// How fast and how careful the seats are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reactions {
    /// The minimum reaction time of a seat of skill 100, in milliseconds.
    pub least: u32,
    /// The maximum of each of the four draws, in milliseconds.
    pub spread: u32,
    /// The skill of each seat in per cent; 100 for seats beyond the end of the list. A skill of 200 halves the times.
    pub skill: Vec<u32>,
    /// In how many of a thousand questions a seat acts without a cue.
    pub slips: u32,
}

impl Default for Reactions {
    fn default() -> Self {
        Self { least: 180, spread: 120, skill: Vec::new(), slips: 5 }
    }
}

impl Reactions {
    /// A reaction time of a seat, in milliseconds.
    pub fn time(&self, seat: SeatId, dice: &mut Stream) -> i64 {
        let draws: u64 = (0..4).map(|_| dice.below(self.spread as usize + 1) as u64).sum();
        let skill = self.skill.get(usize::from(seat)).copied().unwrap_or(AVERAGE).max(1);
        let time = (u64::from(self.least) + draws) * 100 / u64::from(skill);
        i64::saturating_from(time).max(1)
    }

    /// What a seat does next in the current race, and when; none if it intends nothing. It uses only its own legal
    /// moves and the cues.
    pub fn act(&self, engine: &dyn Engine, position: &Position, seat: SeatId, dice: &mut Stream) -> Option<Move> {
        let cued = engine.explain().cued(position, seat)?;
        let (legal, me) = (engine.legal(position), Value::Atom(u32::from(seat)));
        let mine: Vec<&Move> = legal.iter().filter(|mv| mv.args.first() == Some(&me)).collect();
        self.among(engine, position.now, &mine, (seat, &cued), &|| position.clone(), dice)
    }

    /// One of a seat's own moves.
    fn among(
        &self,
        engine: &dyn Engine,
        now: i64,
        mine: &[&Move],
        (seat, cued): (SeatId, &Bits),
        position: &dyn Fn() -> Position,
        dice: &mut Stream,
    ) -> Option<Move> {
        let game = engine.game();
        let meant = |mv: &Move| matches!(mv.action, ActionRef::Race(action) if cued.contains(usize::from(action)));
        let slip = dice.below(1000) < self.slips as usize;
        if !slip && cued.is_empty() {
            return None;
        }
        let mut found: Vec<&Move> = mine.iter().copied().filter(|mv| slip || meant(mv)).collect();
        let here = |action: ActionId| found.iter().any(|mv| mv.action == ActionRef::Race(action));
        let awaited =
            |action: ActionId| !slip && cued.contains(usize::from(action)) && !here(action) && game.comes_later(action);
        let later = self.later(engine, position, seat, &awaited, dice);
        if found.is_empty() {
            return later;
        }
        // Of several intended acts, the one with the shortest wait.
        let wait = |mv: &Move| match mv.action {
            ActionRef::Race(action) => wait_of(game, action),
            ActionRef::Action(_) | ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => 0,
        };
        if !slip {
            let least = found.iter().map(|mv| wait(mv)).min();
            found.retain(|mv| Some(wait(mv)) == least);
        }
        let mut chosen = found[dice.below(found.len())].clone();
        let time = now.saturating_add(self.time(seat, dice)).saturating_add(wait(&chosen));
        if let Some(at) = chosen.args.get_mut(1) {
            *at = Value::Int(time);
        }
        // It does what it can do first.
        later.filter(|later| later.time() < Some(time)).or(Some(chosen))
    }

    /// What a seat does that intends what only the passing of time makes legal: it is done after the reaction time, or as soon
    /// as it can be.
    fn later(
        &self,
        engine: &dyn Engine,
        position: &dyn Fn() -> Position,
        seat: SeatId,
        meant: &dyn Fn(ActionId) -> bool,
        dice: &mut Stream,
    ) -> Option<Move> {
        let game = engine.game();
        let wait = game.cues.iter().filter(|cue| meant(cue.action)).map(|cue| wait_of(game, cue.action)).min()?;
        let mut position = position();
        let ready = position.now.saturating_add(self.time(seat, dice)).saturating_add(wait);
        let nobody = engine.legal(&position).into_iter().find(|mv| mv.action == ActionRef::Wait);
        let end = nobody.and_then(|nobody| engine.play(&position, &nobody).ok()).map(|after| after.now);
        let me = Value::Atom(u32::from(seat));
        let mut acts = |time: i64| {
            // The deadline is looked at above: here it might depend on this time.
            position.now = time.saturating_sub(1);
            let mut found = engine.legal(&position);
            found.retain(|mv| {
                matches!(mv.action, ActionRef::Race(action) if meant(action) && wait_of(game, action) == wait)
                    && mv.args.first() == Some(&me)
            });
            found
        };
        let until = |time: i64| end.map_or(time, |end| time.min(end));
        if until(ready) < ready {
            return None;
        }
        let mut found = acts(ready);
        // Whoever may not act yet waits: for how long is looked for in steps that grow, and then between the last two.
        let mut early = ready;
        for step in PATIENT {
            if !found.is_empty() || Some(early) == end {
                break;
            }
            let mut late = until(ready.saturating_add(step));
            found = acts(late);
            while !found.is_empty() && late - early > 1 {
                let between = early + (late - early) / 2;
                let there = acts(between);
                (early, late, found) = if there.is_empty() { (between, late, found) } else { (early, between, there) };
            }
            early = if found.is_empty() { late } else { early };
        }
        if found.is_empty() { None } else { Some(found.swap_remove(dice.below(found.len()))) }
    }

    /// A uniformly random legal act of a seat, after a reaction time.
    pub fn any(&self, engine: &dyn Engine, position: &Position, seat: SeatId, dice: &mut Stream) -> Option<Move> {
        let me = Value::Atom(u32::from(seat));
        let mut mine: Vec<Move> = engine.legal(position);
        mine.retain(|mv| mv.args.first() == Some(&me));
        if mine.is_empty() {
            return None;
        }
        let mut chosen = mine.swap_remove(dice.below(mine.len()));
        let time = position.now.saturating_add(self.time(seat, dice));
        if let Some(at) = chosen.args.get_mut(1) {
            *at = Value::Int(time);
        }
        Some(chosen)
    }

    /// The first act in the current race. A tie goes to the earlier seat; if no seat intends to act, any legal answer
    /// is taken. None if there is none, or if what the seats intend takes too many steps.
    pub fn first(&self, engine: &dyn Engine, position: &Position, dice: &mut Stream) -> Option<Move> {
        let cued = |seat| engine.explain().cued(position, seat);
        let legal = engine.legal(position);
        let first = self.first_meant(engine, position.now, &legal, cued, &|| position.clone(), dice)?;
        // The deadline may come first.
        let first = first.filter(|mv| engine.explain().refusal(position, mv).is_none());
        first.or_else(|| instead(legal, dice))
    }

    /// The same in a run, which answers by itself where it can.
    pub fn first_in(&self, engine: &dyn Engine, run: &mut dyn Run, dice: &mut Stream) -> Option<Move> {
        let mut legal = Vec::new();
        run.each_legal(&mut |mv| legal.push(mv.clone()));
        let now = run.now();
        // Where the run cannot tell, its position is taken once for all seats.
        let position = OnceCell::new();
        let run = RefCell::new(run);
        let whole = || position.get_or_init(|| run.borrow_mut().position());
        let cued = |seat| {
            let told = run.borrow_mut().cued(seat);
            told.or_else(|| engine.explain().cued(whole(), seat))
        };
        let first = self.first_meant(engine, now, &legal, cued, &|| whole().clone(), dice)?;
        let allowed = |run: &mut dyn Run, mv: &Move| {
            run.allows_act(mv).unwrap_or_else(|| engine.explain().refusal(&run.position(), mv).is_none())
        };
        let run = run.into_inner();
        first.filter(|mv| allowed(run, mv)).or_else(|| instead(legal, dice))
    }

    /// The first of the acts that the seats intend, if they intend any; an outer none if that cannot be found out.
    fn first_meant(
        &self,
        engine: &dyn Engine,
        now: i64,
        legal: &[Move],
        mut cued: impl FnMut(SeatId) -> Option<Bits>,
        position: &dyn Fn() -> Position,
        dice: &mut Stream,
    ) -> Option<Option<Move>> {
        let seats = engine.game().seats.len();
        let mut each = vec![Vec::new(); seats];
        for mv in legal {
            if let Some(Value::Atom(seat)) = mv.args.first()
                && let Some(mine) = each.get_mut(*seat as usize)
            {
                mine.push(mv);
            }
        }
        let mut acts = Vec::new();
        for (seat, mine) in SeatId::all(seats).zip(&each) {
            acts.extend(self.among(engine, now, mine, (seat, &cued(seat)?), position, dice));
        }
        Some(acts.into_iter().min_by_key(Move::time))
    }
}

/// How long a seat waits beyond its cue.
fn wait_of(game: &Game, action: ActionId) -> i64 {
    game.cues.iter().filter(|cue| cue.action == action).map(|cue| cue.wait).min().unwrap_or(0)
}

/// What happens if nobody intends to act: nothing before the deadline, or anything.
fn instead(mut legal: Vec<Move>, dice: &mut Stream) -> Option<Move> {
    let wait = legal.iter().position(|mv| mv.action == ActionRef::Wait);
    let at = wait.unwrap_or_else(|| dice.below(legal.len()));
    (at < legal.len()).then(|| legal.swap_remove(at))
}
