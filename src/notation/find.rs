//! Finding the move a player means; legal ones come first.

use smallvec::SmallVec;

use super::NotationError;
use super::moves::{MAX_MOVE, Reading, print_move, readings};
use super::names::shortened;
use super::value::{fits, settled, whole_move};
use crate::ir::{Move, Piece, Value};
use crate::model::{Ask, Engine, Position, Viewer, Why};

/// How far a move is from being legal that a guard refuses.
const GUARDED: u8 = 1;

/// At most this many moves that a text may mean are tried.
const COMPLETIONS: usize = 100;

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
    // A text that is longer than any that is read can only be a legal move word by word.
    let lower = (text.len() <= MAX_MOVE).then(|| text.to_lowercase());
    let mut alike = Vec::new();
    for mv in &legal {
        let written = print_move(game, position, mv);
        if written == text {
            return Ok(mv.clone());
        }
        if lower.as_ref().is_some_and(|lower| written.to_lowercase() == *lower) {
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
    for (mv, whole) in wholes(engine, position, text, &readings)? {
        let distance = engine.explain().refusal(position, &mv).map(|refusal| distance(&refusal.why));
        // A piece that could not be chosen anyway is not the one that was meant.
        if !whole && distance.is_some_and(|distance| distance > GUARDED) {
            continue;
        }
        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, mv));
        }
    }
    best.map(|(_, mv)| mv).ok_or_else(|| NotationError::Unknown {
        what: "legal move".to_owned(),
        found: text.to_owned(),
        near: None,
        known: shortened(legal.iter().map(|mv| print_move(game, position, mv)).collect()),
    })
}

/// The moves that readings may mean, and whether they were written in whole. A piece written without what tells it
/// apart is one that the seat to act sees: no other may be put in its mouth.
fn wholes(
    engine: &dyn Engine,
    position: &Position,
    text: &str,
    readings: &[Reading],
) -> Result<Vec<(Move, bool)>, NotationError> {
    let game = engine.game();
    let mut seen: Option<Vec<Piece>> = None;
    let mut moves = Vec::new();
    for Reading { mv, .. } in readings {
        if let Ok(mv) = whole_move(game, text, mv) {
            moves.push((mv, true));
        } else if matches!(position.ask, Ask::Race { .. }) {
            // In a race, a later time may be legal without being listed.
            whole_move(game, text, mv)?;
        } else {
            let seen = seen.get_or_insert_with(|| pieces_seen(engine, position));
            moves.extend(completed(mv, seen).into_iter().map(|mv| (settled(game, &mv), false)));
        }
    }
    Ok(moves)
}

/// The pieces that the seat to act sees, each once.
fn pieces_seen(engine: &dyn Engine, position: &Position) -> Vec<Piece> {
    let viewer = position.asked().map_or(Viewer::Spectator, Viewer::Seat);
    let seen = engine.explain().observation(position, viewer);
    let mut pieces: Vec<Piece> = seen.zones.iter().flatten().flatten().cloned().collect();
    pieces.extend(seen.sites.iter().flatten().cloned());
    pieces.sort();
    pieces.dedup();
    pieces
}

/// A move with each of its pieces replaced by those that it may be.
fn completed(mv: &Move, seen: &[Piece]) -> Vec<Move> {
    let none = Move { action: mv.action, args: SmallVec::new() };
    mv.args.iter().fold(vec![none], |moves, part| {
        let may_be: Vec<Value> = if let Value::Piece(_) = part {
            seen.iter().cloned().map(Value::Piece).filter(|piece| fits(part, piece)).collect()
        } else {
            vec![part.clone()]
        };
        let with = |mv: &Move, value: &Value| {
            let mut mv = mv.clone();
            mv.args.push(value.clone());
            mv
        };
        let longer = moves.iter().flat_map(|mv| may_be.iter().map(move |value| with(mv, value)));
        longer.take(COMPLETIONS).collect()
    })
}

/// How far a refused move is from being legal.
fn distance(why: &Why) -> u8 {
    match why {
        Why::GuardAfter | Why::NotPreferred | Why::Precedence => 0,
        Why::Guard => GUARDED,
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
