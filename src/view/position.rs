//! A position as text for people.

use std::fmt::Write;

use super::explain::{clause_line, outcome};
use super::grid::board;
use super::paint::Look;
use super::titled::{indexed, titled_pieces, titled_value};
use crate::base::Bits;
use crate::ir::{ActionRef, Game, Move, Piece, SeatId, StmtKind, Ty, Value, ZoneForm};
use crate::model::{Ask, Observation, Position, Standing};
use crate::notation::{parameter_types, type_name};
use crate::say::{Arg, Lang};

/// The maximum number of variables listed.
const VARIABLES: usize = 16;

/// The maximum number of pieces listed in all zones together, copies that lie beside each other counting once.
const PIECES: usize = 2000;

/// The title of a seat.
#[must_use]
pub fn seat_title(game: &Game, seat: usize) -> &str {
    game.seats.nth(seat).map_or("nobody", |seat| if seat.title.is_empty() { &seat.name } else { &seat.title })
}

/// The question as a sentence: `White to move.`
#[must_use]
pub fn asked(lang: Lang, game: &Game, position: &Observation) -> String {
    let who = |seat: SeatId| ("who", Arg::Text(seat_title(game, usize::from(seat))));
    match &position.ask {
        Ask::Choose { seat, at } => {
            let stmt = game.blocks.get(at.0).and_then(|block| block.stmts.get(usize::from(at.1)));
            let may = matches!(stmt.map(|stmt| &stmt.kind), Some(StmtKind::Plays { may: true, .. }));
            let (passes, actions) = match stmt.map(|stmt| &stmt.kind) {
                Some(StmtKind::Plays { groups, .. }) => {
                    (groups.iter().all(|group| group.as_slice() == [ActionRef::Pass]), groups.concat())
                }
                _ => (false, Vec::new()),
            };
            match (may, passes) {
                (_, true) => lang.say("ask-pass", &[who(*seat)]),
                (true, false) => {
                    let mut names: Vec<String> = actions.iter().filter_map(|action| named(game, *action)).collect();
                    names.dedup();
                    lang.say("ask-may", &[who(*seat), ("actions", Arg::Text(&lang.or(&names)))])
                }
                (false, false) => lang.say("ask-move", &[who(*seat)]),
            }
        }
        Ask::Pick { seat, at } => {
            let stmt = game.blocks.get(at.0).and_then(|block| block.stmts.get(usize::from(at.1)));
            let rule = stmt.and_then(|stmt| game.rules.get(stmt.rule));
            let clause = rule.and_then(|rule| rule.clauses.first()).map(|id| clause_line(lang, game, id));
            let slot = match stmt.map(|stmt| &stmt.kind) {
                Some(StmtKind::Pick(slot, ..)) => game.slots.get(*slot),
                _ => None,
            };
            let text = match slot {
                Some(slot) => {
                    let what = type_name(game, &slot.ty);
                    lang.say("ask-choose-as", &[who(*seat), ("what", (&what).into())])
                }
                None => lang.say("ask-choose", &[who(*seat)]),
            };
            clause.map_or_else(|| text.clone(), |clause| format!("{text} {clause}"))
        }
        Ask::Race { .. } => lang.say("ask-race", &[]),
        Ask::Chance { .. } => lang.say("ask-chance", &[]),
        Ask::Over => lang.say("ask-over", &[]),
    }
}

/// An action's name, and its title if it has one.
fn named(game: &Game, action: ActionRef) -> Option<String> {
    let ActionRef::Action(number) = action else { return None };
    let action = game.actions.get(number)?;
    let title = if action.title.is_empty() || action.title == action.name {
        String::new()
    } else {
        format!(" ({})", action.title)
    };
    Some(format!("`{}`{title}", action.name))
}

/// The sites a move refers to, to be marked on the board.
#[must_use]
pub fn move_sites(game: &Game, mv: &Move) -> Bits {
    let mut sites = Bits::new();
    for (ty, value) in parameter_types(game, mv).iter().zip(&mv.args) {
        match (ty, value) {
            (Ty::Site, value) => {
                sites.insert(value.atom());
            }
            (Ty::Way, Value::Way(way)) => {
                sites.insert(way.to as usize);
            }
            (_, _) => {}
        }
    }
    sites
}

/// Which seats no longer play, as a sentence; empty if all do.
#[must_use]
pub fn standing_line(lang: Lang, game: &Game, position: &Observation) -> String {
    let out: Vec<String> = position
        .standing
        .iter()
        .enumerate()
        .filter_map(|(seat, standing)| match standing {
            Standing::Playing => None,
            Standing::Ranked(rank) => {
                let who = ("who", Arg::Text(seat_title(game, seat)));
                Some(lang.say("out-rank", &[who, ("rank", (*rank).into())]))
            }
        })
        .collect();
    if out.is_empty() { String::new() } else { lang.say("out", &[("seats", Arg::Text(&out.join(", ")))]) }
}

/// A position for people: the board, the mover, counters, the outcome.
#[must_use]
pub fn position(game: &Game, position: &Observation, look: &Look) -> String {
    let mut text = board(game, position, look);
    let lang = look.lang;
    let mut line = lang.say("moment", &[("plies", position.ply.into())]);
    if position.turn != position.ply {
        line = lang.say("moment-turns", &[("moment", Arg::Text(&line)), ("turns", position.turn.into())]);
    }
    if let Some(phase) = position.phase.and_then(|phase| game.phases.get(phase)) {
        line = lang.say("moment-phase", &[("moment", Arg::Text(&line)), ("phase", phase.into())]);
    }
    let next = match &position.outcome {
        Some(result) => outcome(lang, game, result),
        None => asked(lang, game, position),
    };
    let _ = writeln!(text, "{line}. {next}");
    for extra in [
        zones(lang, game, position),
        standing_line(lang, game, position),
        variables(lang, game, position),
        offers(lang, game, position),
    ] {
        if !extra.is_empty() {
            let _ = writeln!(text, "{extra}");
        }
    }
    text
}

/// The contents of zones; for a pile its top and its size, as far as they are seen.
fn zones(lang: Lang, game: &Game, position: &Position) -> String {
    let (mut lines, mut left) = (Vec::new(), PIECES);
    for (info, lists) in game.zones.iter().zip(&position.zones) {
        for (index, list) in lists.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            let title = if info.title.is_empty() { &info.name } else { &info.title };
            let name = indexed(game, title, &info.indices, index);
            let back = |piece: &&Piece| piece.is_hidden();
            let uncounted = list.first().is_some_and(Piece::is_uncounted);
            let shown = if uncounted {
                let top = list.get(1).map(|top| titled_pieces(game, std::slice::from_ref(top)));
                top.map_or_else(
                    || lang.say("pieces-uncounted", &[]),
                    |top| lang.say("pile-top-uncounted", &[("top", Arg::Text(&top))]),
                )
            } else if info.form == ZoneForm::Pile || list.iter().all(|piece| back(&piece)) {
                let top = list.last().filter(|piece| !back(piece));
                let top = top.map(|top| titled_pieces(game, std::slice::from_ref(top)));
                match top {
                    Some(top) if list.len() == 1 => top,
                    Some(top) => lang.say("pile-top", &[("top", Arg::Text(&top)), ("below", (list.len() - 1).into())]),
                    None => lang.say("pieces", &[("count", list.len().into())]),
                }
            } else {
                listed(lang, game, list, &mut left)
            };
            lines.push(format!("{name}: {shown}"));
        }
    }
    lines.join("\n")
}

/// Pieces in order, as long as some are left that may be listed.
fn listed(lang: Lang, game: &Game, list: &[Piece], left: &mut usize) -> String {
    let runs = list.chunk_by(|one, next| one == next);
    let first: usize = runs
        .take(*left)
        .map(|run| {
            *left -= 1;
            run.len()
        })
        .sum();
    let (first, rest) = list.split_at(first);
    let mut parts = vec![titled_pieces(game, first)];
    if !rest.is_empty() {
        parts.push(lang.say("more-pieces", &[("count", rest.len().into())]));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

fn variables(lang: Lang, game: &Game, position: &Position) -> String {
    let mut parts = Vec::new();
    let mut hidden: u64 = 0;
    for (info, values) in game.vars.iter().zip(&position.vars) {
        for (index, value) in values.iter().enumerate() {
            if info.title.is_empty() || *value == Value::Unset {
                continue;
            }
            if parts.len() == VARIABLES {
                hidden += 1;
            } else {
                let name = indexed(game, &info.title, &info.indices, index);
                parts.push(format!("{name} {}", titled_value(game, &info.ty, value)));
            }
        }
    }
    if hidden > 0 {
        parts.push(lang.say("more-counters", &[("count", Arg::Number(hidden))]));
    }
    parts.join(", ")
}

fn offers(lang: Lang, game: &Game, position: &Position) -> String {
    let mut parts = Vec::new();
    for (offer, agreed) in game.offers.iter().zip(&position.offers) {
        if !agreed.is_empty() {
            let seats: Vec<&str> = agreed.iter().map(|seat| seat_title(game, seat)).collect();
            let title = if offer.title.is_empty() { &offer.name } else { &offer.title };
            let who = seats.join(", ");
            let args = [("what", title.into()), ("who", Arg::Text(&who)), ("name", (&offer.name).into())];
            parts.push(lang.say("offered", &args));
        }
    }
    parts.join(" ")
}
