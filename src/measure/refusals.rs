//! How much refusals say: the clauses cited for moves that are not legal.

use std::collections::BTreeMap;

use crate::base::SaturatingFrom;
use crate::ir::{ActionRef, Move, SeatId, Value};
use crate::model::{Ask, Engine, Observation, Position, Refusal, StmtRef};
use crate::notation::{print_move, print_position};
use crate::play::{Stream, deal};

/// How many questions of one random game are asked about.
const QUESTIONS: u32 = 200;
/// How many games may be played for each refusal that is wanted.
const GAMES: usize = 4;
/// How many moves of an action are kept to draw arguments from.
const KEPT: usize = 512;

/// How far behind the last act of a race a drawn act may be.
const LATER: usize = 2;

/// A move that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// How many plies were made before.
    pub ply: u32,
    /// The whole position, as text that can be played from.
    pub position: String,
    /// The move as text.
    pub text: String,
    /// Why it is refused.
    pub refusal: Refusal,
    /// The clauses cited.
    pub clauses: Vec<String>,
}

/// What was legal before: the moves of each action, and the values of each choice in the middle of one.
type Seen = BTreeMap<(ActionRef, Option<StmtRef>), Vec<Move>>;

/// Draws random moves that are not legal and collects how each is refused: at the questions of random games, an action
/// that could be played, with arguments of moves seen so far. In a race any act by any seat is drawn.
#[must_use]
pub fn refusals(engine: &dyn Engine, seed: u64, wanted: usize) -> Vec<Refused> {
    let mut dice = Stream::new(seed, "refusals", 0);
    let mut seen = Seen::new();
    let mut found = Vec::new();
    for _ in 0..GAMES.saturating_mul(wanted) {
        let mut position = deal(engine, engine.start(), &mut dice);
        for _ in 0..QUESTIONS {
            let mut legal = engine.legal(&position);
            if legal.is_empty() || found.len() >= wanted {
                break;
            }
            keep(&mut seen, &position, &legal, &mut dice);
            let drawn = legal.swap_remove(dice.below(legal.len()));
            if let Some(mv) = another(&seen, engine, &position, &drawn, &mut dice) {
                found.extend(refused(engine, &position, &mv));
            }
            position = engine.play_unchecked(&position, &drawn);
        }
        if found.len() >= wanted {
            break;
        }
    }
    found
}

/// What kind of answer a move is: in the middle of an action, to which question.
fn kind(position: &Position, mv: &Move) -> Option<(ActionRef, Option<StmtRef>)> {
    match (mv.action, &position.ask) {
        (ActionRef::Action(_) | ActionRef::Race(_), _) => Some((mv.action, None)),
        (ActionRef::Pick, Ask::Pick { at, .. }) => Some((mv.action, Some(*at))),
        (ActionRef::Pick | ActionRef::Wait | ActionRef::Pass | ActionRef::Decline, _) => None,
    }
}

fn keep(seen: &mut Seen, position: &Position, legal: &[Move], dice: &mut Stream) {
    for mv in legal {
        let Some(kind) = kind(position, mv) else { continue };
        let kept = seen.entry(kind).or_default();
        if kept.len() < KEPT {
            kept.push(mv.clone());
        } else {
            kept[dice.below(KEPT)] = mv.clone();
        }
    }
}

/// A move like the one drawn, with arguments from several moves of its kind.
fn another(seen: &Seen, engine: &dyn Engine, position: &Position, drawn: &Move, dice: &mut Stream) -> Option<Move> {
    if !matches!(position.ask, Ask::Race { .. }) {
        let kept = seen.get(&kind(position, drawn)?)?;
        let mut mv = drawn.clone();
        for (number, arg) in mv.args.iter_mut().enumerate() {
            if let Some(other) = kept[dice.below(kept.len())].args.get(number) {
                *arg = other.clone();
            }
        }
        return Some(mv);
    }
    let acts: Vec<&Vec<Move>> =
        seen.iter().filter(|((action, _), _)| matches!(action, ActionRef::Race(_))).map(|(_, kept)| kept).collect();
    let kept = acts.get(dice.below(acts.len().max(1)))?;
    let mut mv = kept[dice.below(kept.len())].clone();
    let (seat, later) = (SeatId::new(dice.below(engine.game().seats.len())), dice.below(LATER));
    if let [who, when, ..] = mv.args.as_mut_slice() {
        *who = Value::Atom(u32::from(seat));
        *when = Value::Int(position.now.saturating_add(i64::saturating_from(later)));
    }
    Some(mv)
}

fn refused(engine: &dyn Engine, position: &Position, mv: &Move) -> Option<Refused> {
    let refusal = engine.explain().refusal(position, mv)?;
    let game = engine.game();
    let clauses = game.forbidding(&refusal.rules).into_iter().map(str::to_owned).collect();
    let (text, whole) = (print_move(game, position, mv), Observation::referee(position));
    Some(Refused { ply: position.ply, position: print_position(engine, &whole), text, refusal, clauses })
}
