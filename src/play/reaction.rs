//! Reaction times: which seat acts first in a race.
//!
//! A seat intends to do what a `cue` of the rules says. Its reaction time is `least` milliseconds plus four draws,
//! each uniform from 0 to `spread`, all divided by its skill; the wait stated by the cue is added. Only integers are
//! used, so that the same seed gives the same times on every machine.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::seed::Stream;
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{ActionId, ActionRef, Game, Move, Passing, SeatId, Value};
use crate::model::{Engine, Position, Run};

/// The skill of a seat for which none is given, in per cent.
const AVERAGE: u32 = 100;

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

    /// What a seat does next in the current race, and when; none if it intends nothing, and an outer none if that takes too many
    /// steps to find out. It uses only its own legal moves and the cues.
    pub fn act(
        &self,
        engine: &dyn Engine,
        position: &Position,
        seat: SeatId,
        dice: &mut Stream,
    ) -> Option<Option<Move>> {
        let cued = engine.explain().cued(position, seat).0?;
        let (legal, me) = (engine.legal(position), Value::Atom(u32::from(seat)));
        let mine: Vec<&Move> = legal.iter().filter(|mv| mv.args.first() == Some(&me)).collect();
        let scene = Scene { engine, now: position.now, position: &|| position, steps: Cell::default() };
        self.among(&scene, &mine, (seat, &cued), dice)
    }

    /// One of a seat's own moves; an outer none if that cannot be found out.
    fn among(
        &self,
        scene: &Scene<'_>,
        mine: &[&Move],
        (seat, cued): (SeatId, &Bits),
        dice: &mut Stream,
    ) -> Option<Option<Move>> {
        let game = scene.engine.game();
        let listed: Vec<(ActionId, &Move)> = mine.iter().filter_map(|mv| Some((raced(mv)?, *mv))).collect();
        if dice.below(1000) < self.slips as usize {
            if listed.is_empty() {
                return Some(None);
            }
            let (action, mv) = listed[dice.below(listed.len())];
            let ready = scene.now.saturating_add(self.time(seat, dice)).saturating_add(wait_of(game, action));
            return if game.passing(action) == Passing::Changes {
                scene.soonest(seat, &[(std::iter::once(usize::from(action)).collect(), ready)], None, dice)
            } else {
                Some(Some(done_at(mv.clone(), ready)))
            };
        }
        let is_listed = |action: ActionId| listed.iter().any(|(other, _)| *other == action);
        // What is intended, by how long it takes: what is legal, and what time may make so.
        let mut intended: BTreeMap<i64, BTreeSet<ActionId>> = BTreeMap::new();
        for action in game.cues.iter().map(|cue| cue.action).filter(|action| cued.contains(usize::from(*action))) {
            if game.passing(action) != Passing::Leaves || is_listed(action) {
                intended.entry(wait_of(game, action)).or_default().insert(action);
            }
        }
        let mut reacted = None;
        // What is legal at some times only, of each wait, and from when on; and what stays legal, where no rule looks at the clock.
        let (mut timed, mut lasting) = (Vec::new(), None);
        for (wait, actions) in intended {
            let passes = |action: &ActionId| match game.passing(*action) {
                Passing::Leaves => false,
                Passing::Allows => !is_listed(*action),
                Passing::Changes => true,
            };
            let lasts = (!actions.iter().any(passes)).then(|| {
                let legal: Vec<&Move> =
                    listed.iter().filter(|(action, _)| actions.contains(action)).map(|(_, mv)| *mv).collect();
                legal[dice.below(legal.len())]
            });
            let time = reacted.get_or_insert_with(|| scene.now.saturating_add(self.time(seat, dice)));
            let time = time.saturating_add(wait);
            if let Some(mv) = lasts {
                // What takes longer comes later.
                lasting = Some(done_at(mv.clone(), time));
                break;
            }
            timed.push((actions.into_iter().map(usize::from).collect(), time));
        }
        if timed.is_empty() {
            return Some(lasting);
        }
        // It does what it can do first.
        let before = lasting.as_ref().and_then(Move::time);
        Some(scene.soonest(seat, &timed, before.map(|time| time.saturating_add(1)), dice)?.or(lasting))
    }

    /// A uniformly random legal act of a seat, after a reaction time, or as soon afterwards as such an act is legal; as it is listed if
    /// that is never.
    pub fn any(&self, engine: &dyn Engine, position: &Position, seat: SeatId, dice: &mut Stream) -> Option<Move> {
        let me = Value::Atom(u32::from(seat));
        let mut mine: Vec<Move> = engine.legal(position);
        mine.retain(|mv| mv.args.first() == Some(&me));
        if mine.is_empty() {
            return None;
        }
        let chosen = mine.swap_remove(dice.below(mine.len()));
        let ready = position.now.saturating_add(self.time(seat, dice));
        match raced(&chosen).filter(|action| engine.game().passing(*action) == Passing::Changes) {
            None => Some(done_at(chosen, ready)),
            Some(action) => {
                let scene = Scene { engine, now: position.now, position: &|| position, steps: Cell::default() };
                let wanted = [(std::iter::once(usize::from(action)).collect(), ready)];
                scene.soonest(seat, &wanted, None, dice).flatten().or(Some(chosen))
            }
        }
    }

    /// The first act in the current race; of those at the same time, each is equally likely to be the first. If no seat intends to act,
    /// any legal answer is taken. None if there is none, or if what the seats intend takes too many steps.
    pub fn first(&self, engine: &dyn Engine, position: &Position, dice: &mut Stream) -> Option<Move> {
        let legal = engine.legal(position);
        let scene = Scene { engine, now: position.now, position: &|| position, steps: Cell::default() };
        let first = self.first_meant(&scene, &legal, |seat| scene.cued(seat), dice)?;
        // The deadline may come first.
        let first = first.filter(|mv| engine.explain().refusal(position, mv).is_none());
        first.or_else(|| instead(legal, dice))
    }

    /// The same in a run, which answers by itself where it can; and how many steps it took beside those of the run.
    pub fn first_in(&self, engine: &dyn Engine, run: &mut dyn Run, dice: &mut Stream) -> (Option<Move>, u64) {
        let mut legal = Vec::new();
        run.each_legal(&mut |mv| legal.push(mv.clone()));
        let now = run.now();
        // Where the run cannot tell, its position is taken once for all seats.
        let position = OnceCell::new();
        let run = RefCell::new(run);
        let whole = || position.get_or_init(|| run.borrow_mut().position());
        let scene = Scene { engine, now, position: &whole, steps: Cell::default() };
        let cued = |seat| {
            let told = run.borrow_mut().cued(seat);
            told.or_else(|| scene.cued(seat))
        };
        let Some(first) = self.first_meant(&scene, &legal, cued, dice) else { return (None, scene.steps.get()) };
        let allowed = |mv: &Move| {
            let told = run.borrow_mut().allows_act(mv);
            told.unwrap_or_else(|| engine.explain().refusal(whole(), mv).is_none())
        };
        (first.filter(allowed).or_else(|| instead(legal, dice)), scene.steps.get())
    }

    /// The first of the acts that the seats intend, if they intend any; an outer none if that cannot be found out.
    fn first_meant(
        &self,
        scene: &Scene<'_>,
        legal: &[Move],
        cued: impl Fn(SeatId) -> Option<Bits>,
        dice: &mut Stream,
    ) -> Option<Option<Move>> {
        let seats = scene.engine.game().seats.len();
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
            acts.extend(self.among(scene, mine, (seat, &cued(seat)?), dice)?);
        }
        let first = acts.iter().filter_map(Move::time).min();
        acts.retain(|act| act.time() == first);
        let one = if acts.len() > 1 { dice.below(acts.len()) } else { 0 };
        Some(acts.into_iter().nth(one))
    }
}

/// A race in which seats look for what to do.
struct Scene<'a> {
    engine: &'a dyn Engine,
    /// The time of the last act, in milliseconds.
    now: i64,
    /// The position, which is looked at only where the rules look at the clock.
    position: &'a dyn Fn() -> &'a Position,
    /// How many steps looking took.
    steps: Cell<u64>,
}

impl Scene<'_> {
    /// The actions that a seat intends; none if that cannot be found out.
    fn cued(&self, seat: SeatId) -> Option<Bits> {
        let (cued, steps) = self.engine.explain().cued((self.position)(), seat);
        self.steps.set(self.steps.get().saturating_add(steps));
        cued
    }

    /// What a seat does first of several groups of actions, for each of which it is ready at a time in milliseconds; none if that is
    /// never, or not before a time that is given, and an outer none if it cannot be found out.
    fn soonest(
        &self,
        seat: SeatId,
        groups: &[(Bits, i64)],
        before: Option<i64>,
        dice: &mut Stream,
    ) -> Option<Option<Move>> {
        let (acts, steps) = self.engine.explain().first_acts((self.position)(), seat, groups, before);
        self.steps.set(self.steps.get().saturating_add(steps));
        let mut acts = acts?;
        Some(if acts.is_empty() { None } else { Some(acts.swap_remove(dice.below(acts.len()))) })
    }
}

/// The action of a race that a move takes; none for a wait.
fn raced(mv: &Move) -> Option<ActionId> {
    match mv.action {
        ActionRef::Race(action) => Some(action),
        ActionRef::Action(_) | ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
    }
}

/// An act at a time, in milliseconds.
fn done_at(mut act: Move, time: i64) -> Move {
    if let Some(at) = act.args.get_mut(1) {
        *at = Value::Int(time);
    }
    act
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
