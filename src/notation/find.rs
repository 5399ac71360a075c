//! Finding the move a player means; legal ones come first.

use smallvec::SmallVec;

use super::NotationError;
use super::error::ambiguous;
use super::moves::{MAX_MOVE, Reading, print_move, readings};
use super::names::shortened;
use super::partial::{Unsaid, fits, is_partial, whole_move};
use crate::ir::{ActionRef, Game, Move, Piece, Value};
use crate::model::{Ask, Engine, Frame, Position, Viewer, Why};

/// Whether a reading means a legal move.
type Fits = fn(&Reading, &Move) -> bool;

/// How far a move is from being legal that a guard refuses.
const GUARDED: u8 = 1;

/// How many bytes of legal moves are written out to be compared with a text.
const WRITTEN: usize = 1 << 24;

/// More moves than this are shortened in a message.
const FEW: usize = 100;

/// At most this many moves that a text may mean are tried.
const COMPLETIONS: usize = 100;

/// The move a text denotes in a position: the legal move written exactly so, else the only legal move it can be read
/// as, else any well-formed move, which is then refused.
///
/// A capturing way may be written without its captures (`c3-e5`) or as the sites it passes (`c3-e5-g7`) where that
/// leaves one legal move; likewise a piece without fields that distinguish it (`ace` for `ace{hearts}`).
///
/// # Errors
/// Says what does not fit, or which moves are possible.
pub fn find_move(engine: &dyn Engine, position: &Position, text: &str) -> Result<Move, NotationError> {
    let (game, text) = (engine.game(), text.trim());
    if let Some(card) = next_card(position, text) {
        return Ok(card);
    }
    let mut legal = engine.legal(position);
    // Chance may have one outcome per copy.
    legal.dedup();
    // A text that is longer than any that is read can only be a legal move word by word.
    let lower = (text.len() <= MAX_MOVE).then(|| text.to_lowercase());
    let (mut alike, mut length) = (Vec::new(), 0);
    for mv in &legal {
        // Among moves that are longer together, those are found that can be read.
        if length > WRITTEN {
            alike.clear();
            break;
        }
        let written = print_move(game, position, mv);
        length += written.len();
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
    let [printed, parts] = [Unsaid::Initial, Unsaid::Open].map(|unsaid| readings(game, position, text, unsaid));
    let (mut printed, parts) = (printed?, parts.unwrap_or_default());
    printed.retain(|reading| passes_stations(reading, &legal));
    // Readings as moves are printed first, then those in part, then readings as a path, then by the end of a way.
    let rounds: [(&[Reading], Fits); 5] = [
        (&printed, |reading, mv| reading.hops.is_empty() && !is_partial(&reading.mv) && same_args(reading, mv)),
        (&parts, |reading, mv| reading.hops.is_empty() && same_args(reading, mv)),
        (&printed, |reading, mv| same_trail(reading, mv, |hops, trail| hops == trail)),
        (&printed, |reading, mv| same_trail(reading, mv, passes)),
        (&printed, same_end),
    ];
    for (readings, fits) in rounds {
        let found: Vec<&Move> = legal.iter().filter(|mv| readings.iter().any(|reading| fits(reading, mv))).collect();
        match found.as_slice() {
            [] => {}
            [only] => return Ok((*only).clone()),
            several => {
                return Err(ambiguous(text, several.iter().map(|mv| print_move(game, position, mv))));
            }
        }
    }
    // No reading is legal: the one closest to legal is explained.
    let mut best: Option<(Option<u8>, Move)> = None;
    for (mv, whole) in wholes(engine, position, text, (&printed, &parts))? {
        let distance = engine.refuses(position, &mv).map(|refusal| distance(&refusal.why));
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
        known: few_of(game, position, &legal),
    })
}

/// Some of the legal moves for a message: of many, the first few and the last.
fn few_of(game: &Game, position: &Position, legal: &[Move]) -> Vec<String> {
    let written = |moves: &[Move]| moves.iter().map(|mv| print_move(game, position, mv)).collect::<Vec<_>>();
    match legal {
        [first @ .., last] if legal.len() > FEW => {
            let first = first.get(..FEW).unwrap_or_default();
            shortened([written(first), written(std::slice::from_ref(last))].concat())
        }
        all => shortened(written(all)),
    }
}

/// The card of a shuffle that a text names by its number. There may be thousands, one question after the other, so they are
/// not listed.
fn next_card(position: &Position, text: &str) -> Option<Move> {
    let (Some(Frame::Shuffle(_, left)), Ask::Chance { .. }) = (position.control.last(), &position.ask) else {
        return None;
    };
    let card = text.parse::<u32>().ok().filter(|card| card < left && card.to_string() == text)?;
    let args = std::iter::once(Value::Int(card.into())).collect();
    Some(Move { action: ActionRef::Pick, args })
}

/// The moves that readings may mean, and whether they were written in whole. A piece written without what tells it
/// apart is one that the seat to act sees: no other may be put in its mouth.
fn wholes(
    engine: &dyn Engine,
    position: &Position,
    text: &str,
    (printed, parts): (&[Reading], &[Reading]),
) -> Result<Vec<(Move, bool)>, NotationError> {
    let game = engine.game();
    let race = matches!(position.ask, Ask::Race { .. });
    let mut moves = Vec::new();
    for Reading { mv, .. } in printed {
        match whole_move(game, text, mv) {
            Ok(whole) => moves.push((whole, true)),
            // In a race, a later time may be legal without being listed.
            Err(error) if race => return Err(error),
            Err(_) => {}
        }
    }
    let mut partial = parts.iter().filter(|reading| !race && is_partial(&reading.mv)).peekable();
    if partial.peek().is_some() {
        let seen = pieces_seen(engine, position);
        moves.extend(partial.flat_map(|reading| completed(&reading.mv, &seen)).map(|mv| (mv, false)));
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
        Why::Over | Why::NotAsked | Why::NotNow | Why::AlreadyOffered | Why::Unseen | Why::Untold | Why::Budget => 3,
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

/// Whether the sites between the first and the last of a path stand for anything: where a move goes from site to site
/// without a trail, it could have ended on each of them, or came by where it began; a step from a site to itself is none.
/// What is not legal anyway is kept, to be explained.
fn passes_stations(reading: &Reading, legal: &[Move]) -> bool {
    let (action, [from, Value::Atom(_)]) = (reading.mv.action, reading.mv.args.as_slice()) else { return true };
    let is_legal = |to: &Value| {
        legal.iter().any(|mv| mv.action == action && matches!(mv.args.as_slice(), [a, b] if (a, b) == (from, to)))
    };
    let [_, stations @ .., _] = reading.hops.as_slice() else { return true };
    let passed = |site: &usize| Value::atom_of(*site) == *from || is_legal(&Value::atom_of(*site));
    let stays = reading.hops.windows(2).any(|step| step[0] == step[1]);
    (!stays && stations.iter().all(passed)) || !reading.mv.args.last().is_some_and(is_legal)
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
    // The sites of a path are those of the way, or it is another one.
    if !reading.hops.is_empty() && matches!(b.last(), Some(Value::Way(_))) {
        return false;
    }
    let alike = |pair: (&Value, &Value)| match pair {
        (Value::Way(a), Value::Way(b)) => a.to == b.to && (a.taken.is_empty() || a.taken == b.taken),
        (a, b) => fits(a, b),
    };
    reading.mv.action == mv.action && a.len() == b.len() && a.iter().zip(b).all(alike)
}
