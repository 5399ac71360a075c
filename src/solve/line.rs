//! Results derived from a value: a line of optimal play, the value of each first move.

use super::search::{Abort, Search};
use super::{GameValue, Method, Plan, Solution, Unsolvable};
use crate::ir::Move;
use crate::model::Position;

/// The solution, once the value of the start is known.
pub(super) fn found(search: &mut Search<'_>, start: &Position, plan: &Plan) -> Result<Solution, Unsolvable> {
    let value = search.bounds.0;
    let (nodes, positions) = (search.nodes, search.progress().positions);
    let (line, line_ends) = best(search, start, value)?;
    let each = if plan.each { each(search, start)? } else { Vec::new() };
    let (lower, upper) = (Some(value), Some(value));
    Ok(Solution { lower, upper, method: Method::Search, nodes, positions, line, line_ends, each, stop: None })
}

/// A proven value; none where a limit or a cycle left it open.
fn settled(found: Result<GameValue, Abort>) -> Result<Option<GameValue>, Unsolvable> {
    match found {
        Ok(worth) => Ok(Some(worth)),
        Err(Abort::Stop(_) | Abort::Cycle) => Ok(None),
        Err(Abort::Unsolvable(why)) => Err(why),
    }
}

/// Moves that each preserve the value, and whether they lead to the end of the game.
fn best(search: &mut Search<'_>, start: &Position, value: GameValue) -> Result<(Vec<Move>, bool), Unsolvable> {
    let mut line = Vec::new();
    search.run.load(start);
    while search.run.outcome().is_none() {
        let first = search.chooser()?;
        let count = search.run.count();
        search.run.save();
        let mut kept = None;
        for answer in search.ordered(count) {
            search.run.restore();
            let mv = search.run.legal(answer);
            search.run.play_nth(answer);
            // The seat to move cannot do better, so a move that does no worse preserves the value.
            let bar = if first { value } else { value.above() };
            let worth = settled(search.reach(bar))?;
            if worth.is_some_and(|worth| (worth >= bar) == first) {
                kept = mv;
                break;
            }
        }
        if kept.is_none() {
            search.run.restore();
        }
        search.run.forget();
        match kept {
            Some(mv) => line.push(mv),
            None => return Ok((line, false)),
        }
    }
    Ok((line, true))
}

/// The value of each first move.
fn each(search: &mut Search<'_>, start: &Position) -> Result<Vec<(Move, Option<GameValue>)>, Unsolvable> {
    let mut found = Vec::new();
    search.run.load(start);
    let count = search.run.count();
    search.run.save();
    for answer in 0..count {
        search.run.restore();
        let mv = search.run.legal(answer);
        search.run.play_nth(answer);
        let worth = settled(search.exact())?;
        found.extend(mv.map(|mv| (mv, worth)));
    }
    search.run.forget();
    Ok(found)
}
