//! Finding the move a player means; legal ones come first.

use super::NotationError;
use super::moves::{Reading, print_move, readings};
use super::value::{fits, settled, whole_move};
use crate::ir::{Move, Value};
use crate::model::{Ask, Engine, Position, Why};

/// The move a text denotes in a position: the legal move written exactly so, else the only legal move it can be read
/// as, else any well-formed move, which is then refused.
///
/// A capturing way may be written without its captures (`c3-e5`) or as the sites it passes (`c3-e5-g7`) where that
/// leaves one legal move; likewise a piece without the fields that distinguish it (`ace` for `ace{hearts}`).
///
/// # Errors
/// Says what does not fit, or which moves are possible.
pub fn find_move(engine: &dyn Engine, position: &Position, text: &str) -> Result<Move, NotationError> {
    let (game, text) = (engine.game(), text.trim());
    let mut legal = engine.legal(position);
    // Chance may have one outcome per copy.
    legal.dedup();
    let mut alike = Vec::new();
    for mv in &legal {
        let written = print_move(game, position, mv);
        if written == text {
            return Ok(mv.clone());
        }
        if written.to_lowercase() == text.to_lowercase() {
            alike.push(mv);
        }
    }
    if let [only] = alike.as_slice() {
        return Ok((*only).clone());
    }
    let readings = readings(game, position, text)?;
    // Exact readings first, then readings as a path, then by the end of a way.
    let rounds: [fn(&Reading, &Move) -> bool; 4] = [
        |reading, mv| reading.hops.is_empty() && same_args(reading, mv),
        |reading, mv| same_trail(reading, mv, |hops, trail| hops == trail),
        |reading, mv| same_trail(reading, mv, passes),
        same_end,
    ];
    for fits in rounds {
        let found: Vec<&Move> = legal.iter().filter(|mv| readings.iter().any(|reading| fits(reading, mv))).collect();
        match found.as_slice() {
            [] => {}
            [only] => return Ok((*only).clone()),
            several => {
                return Err(NotationError::Ambiguous {
                    found: text.to_owned(),
                    readings: several.iter().map(|mv| print_move(game, position, mv)).collect(),
                });
            }
        }
    }
    // No reading is legal: the one closest to legal is explained.
    let mut best: Option<(Option<u8>, Move)> = None;
    for reading in &readings {
        // In a race, a later time may be legal without being listed.
        let race = matches!(position.ask, Ask::Race { .. });
        let mv = if race { whole_move(game, text, &reading.mv)? } else { settled(game, &reading.mv) };
        let distance = engine.explain().refusal(position, &mv).map(|refusal| distance(&refusal.why));
        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, mv));
        }
    }
    best.map(|(_, mv)| mv).ok_or_else(|| NotationError::misfit("a move", text))
}

/// How far a refused move is from being legal.
fn distance(why: &Why) -> u8 {
    match why {
        Why::GuardAfter | Why::NotPreferred | Why::Precedence => 0,
        Why::Guard => 1,
        Why::NotAmong { .. } | Why::NotOffered => 2,
        Why::Over | Why::NotAsked | Why::NotNow | Why::AlreadyOffered | Why::Unseen | Why::Budget => 3,
    }
}

/// Whether the arguments are equal; a piece may be written without the fields that distinguish it.
fn same_args(reading: &Reading, mv: &Move) -> bool {
    let (part, whole) = (&reading.mv, mv);
    let mut pairs = part.args.iter().zip(&whole.args);
    part.action == whole.action && part.args.len() == whole.args.len() && pairs.all(|(part, value)| fits(part, value))
}

/// Whether the sites of a path are those of the move's way.
fn same_trail(reading: &Reading, mv: &Move, fits: fn(&[usize], &[usize]) -> bool) -> bool {
    let [from, hops @ ..] = reading.hops.as_slice() else {
        return false;
    };
    let [start, Value::Way(way)] = mv.args.as_slice() else {
        return false;
    };
    let trail: Vec<usize> = way.trail.iter().map(|&site| site as usize).collect();
    mv.action == reading.mv.action && start.atom() == *from && fits(hops, &trail)
}

/// Whether the trail ends where the hops do and visits all of them in order.
fn passes(hops: &[usize], trail: &[usize]) -> bool {
    let mut rest = trail.iter();
    hops.last() == trail.last() && hops.iter().all(|hop| rest.any(|site| site == hop))
}

/// Whether the arguments are equal except for what ways take; a way written with what it takes must take exactly
/// that.
fn same_end(reading: &Reading, mv: &Move) -> bool {
    let (a, b) = (&reading.mv.args, &mv.args);
    let alike = |pair: (&Value, &Value)| match pair {
        (Value::Way(a), Value::Way(b)) => a.to == b.to && (a.taken.is_empty() || a.taken == b.taken),
        (a, b) => a == b,
    };
    reading.mv.action == mv.action && a.len() == b.len() && a.iter().zip(b).all(alike)
}
