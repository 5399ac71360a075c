//! Positions to text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::control::{print_ask, print_control};
use super::names::atom_name;
use super::position::{MAX_LENGTH, WORDS, begun, pools, print_history, usual, usual_history};
use super::value::{print_piece, print_value};
use crate::ir::{Game, SeatId, Ty};
use crate::model::{Ending, Engine, History, Observation, Outcome, Position, Standing};

/// The parts of a text, as long as there is room for them.
struct Sheet {
    parts: Vec<String>,
    room: usize,
}

impl Sheet {
    /// Adds parts; none if there is no room for all of them. What is not asked for is not made.
    fn add(&mut self, parts: impl IntoIterator<Item = String>) -> Option<()> {
        for part in parts {
            self.room = self.room.checked_sub(part.len() + BETWEEN.len())?;
            self.parts.push(part);
        }
        Some(())
    }
}

const BETWEEN: &str = " | ";

/// A position as one line that [`parse_position`](super::parse_position) reads back. One that would be longer than what
/// that reads, since there are very many pieces or sets with long names, is not written: the text says so.
#[must_use]
pub fn print_position(engine: &dyn Engine, position: &Observation) -> String {
    let game = engine.game();
    written(engine, position).unwrap_or_else(|| {
        format!("{} {}{BETWEEN}too long: the position takes more than {MAX_LENGTH} bytes", game.name, game.seats.len())
    })
}

fn written(engine: &dyn Engine, position: &Observation) -> Option<String> {
    let game = engine.game();
    let usual = usual(engine, position.mover, position.outcome.is_some());
    let seat = |seat: SeatId| atom_name(game, &Ty::Seat, usize::from(seat));
    let maybe = |s: Option<SeatId>| s.map_or_else(|| "-".to_owned(), seat);
    let mut sheet = Sheet { parts: Vec::new(), room: MAX_LENGTH };
    sheet.add([format!("{} {}", game.name, game.seats.len()), format!("mover={}", seat(position.mover))])?;
    sheet.add((position.ply != 0).then(|| format!("ply={}", position.ply)))?;
    sheet.add((position.turn != 0).then(|| format!("turn={}", position.turn)))?;
    sheet.add((position.now != 0).then(|| format!("now={}", position.now)))?;
    // An observation has no control stack.
    let whole = !position.control.is_empty() || position.is_over();
    let turn = whole && !position.is_over() && **position == as_turn(engine, position, &usual);
    // Alone, either would be read as both.
    let asks = !turn && (position.actor != usual.actor || position.ask != usual.ask);
    sheet.add(asks.then(|| format!("actor={}", maybe(position.actor))))?;
    sheet.add(position.next_mover.map(|next_mover| format!("given={}", seat(next_mover))))?;
    if position.phase != usual.phase {
        let name = position.phase.and_then(|phase| game.phases.get(phase));
        sheet.add([format!("phase={}", name.map_or("-", String::as_str))])?;
    }
    sheet.add(out(game, position))?;
    sheet.add(pieces(game, position))?;
    sheet.add(tokens(game, position))?;
    sheet.add(super::zone::zones(game, position))?;
    sheet.add(variables(game, position))?;
    for (number, (local, usual)) in position.locals.iter().zip(&usual.locals).enumerate() {
        let slot = game.slots.nth(number).filter(|_| whole && !turn && local != usual);
        sheet.add(slot.map(|slot| format!("local.{}.{number}={}", slot.name, print_value(game, &slot.ty, local))))?;
    }
    sheet.add(offers(game, position))?;
    // Without the control stack, the text would be read as the beginning of a turn.
    let control = whole && !turn && (position.control != usual.control || !position.is_over());
    sheet.add(control.then(|| format!("at={}", print_control(game, position))))?;
    sheet.add(asks.then(|| format!("ask={}", print_ask(game, &position.ask))))?;
    sheet.add(position.outcome.as_ref().map(|outcome| format!("result={}", result(game, outcome))))?;
    let history = whole && position.history != usual_history(game, position);
    sheet.add(history.then(|| format!("history={}", print_history(&position.history))))?;
    Some(sheet.parts.join(BETWEEN))
}

/// The position denoted by the text without a control stack.
fn as_turn(engine: &dyn Engine, position: &Position, usual: &Position) -> Position {
    let begun = begun(
        engine,
        Position {
            locals: usual.locals.clone(),
            actor: usual.actor,
            control: usual.control.clone(),
            ask: usual.ask.clone(),
            history: History::default(),
            ..position.clone()
        },
    );
    Position { history: position.history.clone(), ..begun }
}

fn out(game: &Game, position: &Position) -> Option<String> {
    let out: Vec<String> = position
        .standing
        .iter()
        .enumerate()
        .filter_map(|(seat, standing)| match standing {
            Standing::Playing => None,
            Standing::Ranked(rank) => Some(format!("{}:{rank}", atom_name(game, &Ty::Seat, seat))),
        })
        .collect();
    if out.is_empty() { None } else { Some(format!("out={}", out.join(","))) }
}

fn pieces(game: &Game, position: &Position) -> Vec<String> {
    let mut groups: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (site, piece) in position.sites.iter().enumerate() {
        if let Some(piece) = piece {
            groups.entry(piece).or_default().push(atom_name(game, &Ty::Site, site));
        }
    }
    groups.into_iter().map(|(piece, sites)| format!("{}: {}", print_piece(game, piece), sites.join(" "))).collect()
}

fn tokens(game: &Game, position: &Position) -> impl Iterator<Item = String> {
    game.tokens.iter().enumerate().flat_map(move |(number, tokens)| {
        pools(game, number).enumerate().filter_map(move |(owner, pool)| {
            let lying = position.tokens.get(pool).into_iter().flatten().enumerate().filter(|(_, count)| **count > 0);
            let sites: Vec<String> = lying
                .map(|(site, count)| match count {
                    1 => atom_name(game, &Ty::Site, site),
                    _ => format!("{}*{count}", atom_name(game, &Ty::Site, site)),
                })
                .collect();
            let owner = || if tokens.owned { format!(".{}", atom_name(game, &Ty::Seat, owner)) } else { String::new() };
            (!sites.is_empty()).then(|| format!("{}{}: {}", tokens.name, owner(), sites.join(" ")))
        })
    })
}

/// A variable's name with its indices, such as `score(white)`.
#[must_use]
pub fn variable_name(game: &Game, var: usize, index: usize) -> String {
    let Some(info) = game.vars.nth(var) else {
        return String::new();
    };
    let mut rest = index;
    let mut indices: Vec<String> = Vec::new();
    for (ty, size) in info.indices.iter().rev() {
        let size = (*size).max(1);
        let number = rest % size;
        indices.push(if ty.is_atom() { atom_name(game, ty, number) } else { number.to_string() });
        rest /= size;
    }
    indices.reverse();
    if indices.is_empty() { info.name.clone() } else { format!("{}({})", info.name, indices.join(",")) }
}

fn variables(game: &Game, position: &Position) -> impl Iterator<Item = String> {
    game.vars.iter().zip(&position.vars).enumerate().flat_map(move |(var, (info, values))| {
        values.iter().enumerate().filter(|(_, value)| **value != info.init).map(move |(index, value)| {
            let prefix = if WORDS.contains(&info.name.as_str()) { "var." } else { "" };
            let (name, value) = (variable_name(game, var, index), print_value(game, &info.ty, value));
            format!("{prefix}{name}={value}")
        })
    })
}

fn offers(game: &Game, position: &Position) -> Option<String> {
    let open: Vec<String> = game
        .offers
        .iter()
        .zip(&position.offers)
        .filter(|(_, agreed)| !agreed.is_empty())
        .map(|(offer, agreed)| {
            let seats: Vec<String> = agreed.iter().map(|seat| atom_name(game, &Ty::Seat, seat)).collect();
            format!("{}:{}", offer.name, seats.join(","))
        })
        .collect();
    if open.is_empty() { None } else { Some(format!("offers={}", open.join(" "))) }
}

fn result(game: &Game, outcome: &Outcome) -> String {
    let mut text = String::new();
    for (seat, (verdict, rank)) in outcome.verdicts.iter().zip(&outcome.ranks).enumerate() {
        let verdict = verdict.word();
        let _ = write!(text, "{}:{verdict}:{rank}", atom_name(game, &Ty::Seat, seat));
        if let Some(score) = outcome.score(seat) {
            let _ = write!(text, ":{score}");
        }
        text.push(' ');
    }
    match outcome.ending {
        Ending::Rule(rule) => match outcome.statement {
            Some(statement) => format!("{text}rule.{rule}+{statement}"),
            None => format!("{text}rule.{rule}"),
        },
        Ending::NoMove(rule) => format!("{text}nomove.{rule}"),
        Ending::PlayedOut => format!("{text}played-out"),
        Ending::Budget(rule) => format!("{text}budget.{rule}"),
    }
}
