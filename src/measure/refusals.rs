//! How much refusals say: the clauses cited for moves that are not legal.

use std::collections::BTreeMap;

use crate::ir::{ActionRef, Move};
use crate::model::{Engine, Position};
use crate::notation::print_move;
use crate::play::{Stream, deal};

/// How many questions of one random game are asked about.
const QUESTIONS: u32 = 200;
/// How many games may be played for each refusal that is wanted.
const GAMES: usize = 4;
/// How many moves of an action are kept to draw arguments from.
const KEPT: usize = 512;

/// A move that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// How many plies were made before.
    pub ply: u32,
    /// The move as text.
    pub text: String,
    /// The reason as a word.
    pub why: &'static str,
    /// The clauses cited.
    pub clauses: Vec<String>,
}

/// Draws random moves that are not legal and collects how each is refused: at the questions of random games, an action
/// that could be played, with arguments of moves seen so far.
#[must_use]
pub fn refusals(engine: &dyn Engine, seed: u64, wanted: usize) -> Vec<Refused> {
    let mut dice = Stream::new(seed, "refusals", 0);
    let mut seen: BTreeMap<ActionRef, Vec<Move>> = BTreeMap::new();
    let mut found = Vec::new();
    for _ in 0..GAMES.saturating_mul(wanted) {
        let mut position = deal(engine, engine.start(), &mut dice);
        for _ in 0..QUESTIONS {
            let mut legal = engine.legal(&position);
            if legal.is_empty() || found.len() >= wanted {
                break;
            }
            for mv in legal.iter().filter(|mv| matches!(mv.action, ActionRef::Action(_) | ActionRef::Race(_))) {
                let kept = seen.entry(mv.action).or_default();
                if kept.len() < KEPT {
                    kept.push(mv.clone());
                } else {
                    kept[dice.below(KEPT)] = mv.clone();
                }
            }
            let drawn = legal.swap_remove(dice.below(legal.len()));
            if let Some(kept) = seen.get(&drawn.action) {
                found.extend(refused(engine, &position, &mixed(&drawn, kept, &mut dice)));
            }
            position = engine.play_unchecked(&position, &drawn);
        }
        if found.len() >= wanted {
            break;
        }
    }
    found
}

/// A move with arguments from several moves of its action. Who acts in a race, and when, stays.
fn mixed(drawn: &Move, kept: &[Move], dice: &mut Stream) -> Move {
    let mut mv = drawn.clone();
    let fixed = if matches!(mv.action, ActionRef::Race(_)) { 2 } else { 0 };
    for (number, arg) in mv.args.iter_mut().enumerate().skip(fixed) {
        if let Some(other) = kept[dice.below(kept.len())].args.get(number) {
            *arg = other.clone();
        }
    }
    mv
}

fn refused(engine: &dyn Engine, position: &Position, mv: &Move) -> Option<Refused> {
    let refusal = engine.explain().refusal(position, mv)?;
    let game = engine.game();
    let clauses = game.forbidding(&refusal.rules).into_iter().map(str::to_owned).collect();
    Some(Refused { ply: position.ply, text: print_move(game, position, mv), why: refusal.why.word(), clauses })
}
