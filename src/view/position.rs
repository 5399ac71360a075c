//! A position as text for people.

use std::fmt::Write;

use super::explain::{clause_line, outcome};
use super::grid::board;
use super::paint::Look;
use crate::base::Bits;
use crate::ir::{ActionRef, Game, Move, Piece, SeatId, StmtKind, Ty, Value, ZoneForm};
use crate::model::{Ask, Position, Standing};
use crate::notation::{parameter_types, print_pieces, print_value, variable_name, zone_name};

/// The maximum number of variables listed.
const VARIABLES: usize = 16;

/// The title of a seat.
#[must_use]
pub fn seat_title(game: &Game, seat: usize) -> &str {
    game.seats.nth(seat).map_or("nobody", |seat| if seat.title.is_empty() { &seat.name } else { &seat.title })
}

/// The question as a sentence: `White to move.`
#[must_use]
pub fn asked(game: &Game, position: &Position) -> String {
    let title = |seat: SeatId| seat_title(game, usize::from(seat));
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
                (_, true) => format!("{} must pass.", title(*seat)),
                (true, false) => {
                    let mut names: Vec<String> = actions.iter().filter_map(|action| named(game, *action)).collect();
                    names.dedup();
                    format!("{} may play {}, or decline.", title(*seat), names.join(" or "))
                }
                (false, false) => format!("{} to move.", title(*seat)),
            }
        }
        Ask::Pick { seat, at } => {
            let stmt = game.blocks.get(at.0).and_then(|block| block.stmts.get(usize::from(at.1)));
            let rule = stmt.and_then(|stmt| game.rules.get(stmt.rule));
            let clause = rule.and_then(|rule| rule.clauses.first()).map(|id| clause_line(game, id));
            let slot = match stmt.map(|stmt| &stmt.kind) {
                Some(StmtKind::Pick(slot, ..)) => game.slots.get(*slot),
                _ => None,
            };
            let what = slot.map_or_else(String::new, |slot| format!(" `{}`", slot.name));
            match clause {
                Some(clause) => format!("{} to choose{what}. {clause}", title(*seat)),
                None => format!("{} to choose{what}.", title(*seat)),
            }
        }
        Ask::Race { .. } => "Race: the first to act.".to_owned(),
        Ask::Chance { .. } => "Chance decides.".to_owned(),
        Ask::Over => "The game is over.".to_owned(),
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
pub fn standing_line(game: &Game, position: &Position) -> String {
    let out: Vec<String> = position
        .standing
        .iter()
        .enumerate()
        .filter_map(|(seat, standing)| match standing {
            Standing::Playing => None,
            Standing::Ranked(rank) => Some(format!("{} (rank {rank})", seat_title(game, seat))),
        })
        .collect();
    if out.is_empty() { String::new() } else { format!("Out: {}.", out.join(", ")) }
}

/// A position for people: the board, the mover, counters, the outcome.
#[must_use]
pub fn position(game: &Game, position: &Position, look: &Look) -> String {
    let mut text = board(game, position, look);
    let mut line = format!("After {} {}", position.ply, plural(u64::from(position.ply), "ply", "plies"));
    if position.turn != position.ply {
        let _ = write!(line, ", {} {}", position.turn, plural(u64::from(position.turn), "turn", "turns"));
    }
    if let Some(phase) = position.phase.and_then(|phase| game.phases.get(phase)) {
        let _ = write!(line, ", phase {phase}");
    }
    match &position.outcome {
        Some(result) => {
            let _ = writeln!(text, "{line}. {}", outcome(game, result));
        }
        None => {
            let _ = writeln!(text, "{line}. {}", asked(game, position));
        }
    }
    for extra in
        [zones(game, position), standing_line(game, position), variables(game, position), offers(game, position)]
    {
        if !extra.is_empty() {
            let _ = writeln!(text, "{extra}");
        }
    }
    text
}

/// The singular or plural form for a count.
pub(super) fn plural<'a>(count: u64, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// The contents of zones; for a pile its top and its size.
fn zones(game: &Game, position: &Position) -> String {
    let mut lines = Vec::new();
    for (zone, (info, lists)) in game.zones.iter().zip(&position.zones).enumerate() {
        for (index, list) in lists.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            let name = zone_name(game, zone, index);
            let back = |piece: &&Piece| piece.is_hidden();
            let shown = if info.form == ZoneForm::Pile || list.iter().all(|piece| back(&piece)) {
                let top = list.last().filter(|piece| !back(piece));
                let top = top.map(|top| print_pieces(game, std::slice::from_ref(top)));
                let count = format!("{} {}", list.len(), plural(list.len() as u64, "piece", "pieces"));
                match top {
                    Some(top) if list.len() == 1 => top,
                    Some(top) => format!("{top} on top of {}", list.len() - 1),
                    None => count,
                }
            } else {
                print_pieces(game, list)
            };
            lines.push(format!("{name}: {shown}"));
        }
    }
    lines.join("\n")
}

fn variables(game: &Game, position: &Position) -> String {
    let mut parts = Vec::new();
    let mut hidden = 0;
    for (var, (info, values)) in game.vars.iter().zip(&position.vars).enumerate() {
        for (index, value) in values.iter().enumerate() {
            if info.title.is_empty() || *value == Value::Unset {
                continue;
            }
            if parts.len() == VARIABLES {
                hidden += 1;
            } else {
                let name = variable_name(game, var, index).replacen(&info.name, &info.title, 1);
                parts.push(format!("{name} {}", print_value(game, &info.ty, value)));
            }
        }
    }
    if hidden > 0 {
        parts.push(format!("and {hidden} more"));
    }
    parts.join(", ")
}

fn offers(game: &Game, position: &Position) -> String {
    let mut parts = Vec::new();
    for (offer, agreed) in game.offers.iter().zip(&position.offers) {
        if !agreed.is_empty() {
            let seats: Vec<&str> = agreed.iter().map(|seat| seat_title(game, seat)).collect();
            let title = if offer.title.is_empty() { &offer.name } else { &offer.title };
            parts.push(format!("{} offered by {} (`accept {}`).", title, seats.join(", "), offer.name));
        }
    }
    parts.join(" ")
}
