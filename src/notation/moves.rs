//! Moves as text.
//!
//! The parameters joined by `-`; the name of the action if it has none, and before them (`name a-b`) where another
//! action could be meant. `pass` and `decline` are written as such; a picked or drawn value is written alone.

use smallvec::SmallVec;

use super::NotationError;
use super::args::split_args;
use super::names::{atom_name, find, split_top};
use super::partial::{Unsaid, settled, whole_move};
use super::race::{print_race, race_readings};
use super::unread::no_reading;
use super::value::{parse_in_part, parse_value, print_value};
use crate::ir::{Action, ActionId, ActionRef, Game, Header, Id, Move, Slot, Ty, Value};
use crate::model::{Ask, Position, StmtRef};

/// The maximum length of a move.
pub(super) const MAX_MOVE: usize = 4000;

/// One way to read a text as a move.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The move.
    pub(super) mv: Move,
    /// The sites of a path, first to last, if the text was one.
    pub(super) hops: Vec<usize>,
}

/// A move as text, unambiguous among the moves of its position.
#[must_use]
pub fn print_move(game: &Game, position: &Position, mv: &Move) -> String {
    match (mv.action, asked_slot(game, position), mv.args.first()) {
        (ActionRef::Pick, Some(slot), Some(value)) => print_value(game, &slot_type(game, slot), value),
        (ActionRef::Pick, None, Some(Value::Int(number))) => number.to_string(),
        (ActionRef::Race(_), _, _) => {
            let usual = mv.args.get(1).map(Value::int) == Some(position.now.saturating_add(1));
            print_race(game, mv, !usual)
        }
        (_, _, _) => print_acted(game, mv),
    }
}

/// A move as text, unambiguous among moves that are not picks.
pub(super) fn print_acted(game: &Game, mv: &Move) -> String {
    match mv.action {
        ActionRef::Action(number) => print_action(game, number, &mv.args),
        ActionRef::Race(_) => print_race(game, mv, true),
        ActionRef::Wait => "wait".to_owned(),
        ActionRef::Pass => "pass".to_owned(),
        ActionRef::Decline => "decline".to_owned(),
        ActionRef::Pick => "pick".to_owned(),
    }
}

/// A move that always includes the name of its action; for moves inside values.
pub(super) fn print_named(game: &Game, mv: &Move) -> String {
    match mv.action {
        ActionRef::Action(number) => match game.actions.get(number) {
            Some(action) if mv.args.is_empty() => action.name.clone(),
            Some(action) => format!("{} {}", action.name, print_args(game, action, &mv.args)),
            None => format!("#{number}"),
        },
        ActionRef::Race(_) => print_race(game, mv, true),
        ActionRef::Wait => "wait".to_owned(),
        ActionRef::Pass => "pass".to_owned(),
        ActionRef::Decline => "decline".to_owned(),
        ActionRef::Pick => "pick".to_owned(),
    }
}

/// A move with the name of its action, for a viewer who does not learn all of its arguments: unseen ones read `?`.
#[must_use]
pub fn print_named_with(game: &Game, mv: &Move, sees: &dyn Fn(usize) -> bool) -> String {
    let types = parameter_types(game, mv);
    let text = |(at, (ty, value)): (usize, (&Ty, &Value))| {
        if sees(at) { print_value(game, ty, value) } else { "?".to_owned() }
    };
    let args: Vec<String> = types.iter().zip(&mv.args).enumerate().map(text).collect();
    let name = match mv.action {
        ActionRef::Action(number) | ActionRef::Race(number) => {
            game.actions.get(number).map_or("", |action| &action.name)
        }
        ActionRef::Wait | ActionRef::Pass | ActionRef::Decline => return print_acted(game, mv),
        ActionRef::Pick => return "?".to_owned(),
    };
    match (mv.action, args.as_slice()) {
        (ActionRef::Race(_), [seat, _, rest @ ..]) => format!("{seat} {name} {}", rest.join("-")),
        (_, args) => format!("{name} {}", args.join("-")),
    }
}

pub(super) fn print_action(game: &Game, number: ActionId, args: &[Value]) -> String {
    let Some(action) = game.actions.get(number) else {
        return format!("#{number}");
    };
    if args.is_empty() {
        return action.name.clone();
    }
    let short = print_args(game, action, args);
    // Another action may also match the text: parameters of the same types, or names that happen to be equal.
    let open = action.named || {
        let mut others = game.actions.iter().enumerate().filter(|(other, _)| *other != usize::from(number));
        others.any(|(_, other)| {
            other.name == short || !split_args(game, &params(game, other), &short, Unsaid::Initial).is_empty()
        })
    };
    if open { format!("{} {short}", action.name) } else { short }
}

fn print_args(game: &Game, action: &Action, args: &[Value]) -> String {
    let types = params(game, action);
    let texts: Vec<String> = types.iter().zip(args).map(|(ty, value)| print_value(game, ty, value)).collect();
    texts.join("-")
}

/// The form of an action's moves, such as `from-to`.
#[must_use]
pub fn move_pattern(game: &Game, action: &Action) -> String {
    let names = parameter_names(game, action);
    match (names.is_empty(), action.named) {
        (true, _) => action.name.clone(),
        (false, true) => format!("{} {}", action.name, names.join("-")),
        (false, false) => names.join("-"),
    }
}

/// The names of an action's parameters.
#[must_use]
pub fn parameter_names<'a>(game: &'a Game, action: &Action) -> Vec<&'a str> {
    slots(action).filter_map(|slot| game.slots.get(slot)).map(|slot| slot.name.as_str()).collect()
}

fn slots(action: &Action) -> impl Iterator<Item = Slot> + '_ {
    action.head.iter().filter_map(|line| match line {
        Header::Choose(choice) => Some(choice.slot),
        Header::Let(..) | Header::Late(..) | Header::Require(..) | Header::Prefer(..) => None,
    })
}

/// The types of an action's parameters.
pub(super) fn params(game: &Game, action: &Action) -> Vec<Ty> {
    slots(action).map(|slot| slot_type(game, slot)).collect()
}

/// The types of a move's parameters, if it plays an action.
#[must_use]
pub fn parameter_types(game: &Game, mv: &Move) -> Vec<Ty> {
    match mv.action {
        ActionRef::Action(number) => game.actions.get(number).map_or_else(Vec::new, |a| params(game, a)),
        ActionRef::Race(number) => {
            let action = game.actions.get(number);
            let mut types = vec![Ty::Seat, Ty::Int];
            types.extend(action.map_or_else(Vec::new, |action| params(game, action)));
            types
        }
        ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => Vec::new(),
    }
}

/// The name of a move's action, and the name and type of each parameter. `asked` is the local name that a value is
/// picked for ([`asked_slot`]).
#[must_use]
pub fn move_parts(game: &Game, asked: Option<Slot>, mv: &Move) -> (String, Vec<(String, Ty)>) {
    let word = match mv.action {
        ActionRef::Action(number) | ActionRef::Race(number) => {
            let Some(action) = game.actions.get(number) else { return (format!("#{number}"), Vec::new()) };
            let names = parameter_names(game, action).into_iter().map(str::to_owned).zip(params(game, action));
            let when = [("seat".to_owned(), Ty::Seat), ("time".to_owned(), Ty::Int)];
            let race = matches!(mv.action, ActionRef::Race(_));
            return (action.name.clone(), when.into_iter().filter(|_| race).chain(names).collect());
        }
        ActionRef::Pick => {
            let slot = asked.and_then(|slot| game.slots.get(slot));
            let picked = slot.map_or(("place".to_owned(), Ty::Int), |slot| (slot.name.clone(), slot.ty.clone()));
            return ("pick".to_owned(), vec![picked]);
        }
        ActionRef::Wait => "wait",
        ActionRef::Pass => "pass",
        ActionRef::Decline => "decline",
    };
    (word.to_owned(), Vec::new())
}

pub(super) fn slot_type(game: &Game, slot: Slot) -> Ty {
    game.slots.get(slot).map_or(Ty::Int, |info| info.ty.clone())
}

/// The type of the value that is picked or drawn.
#[must_use]
pub fn picked_type(game: &Game, position: &Position) -> Option<Ty> {
    asked_slot(game, position).map(|slot| slot_type(game, slot))
}

/// The local name that the picked or drawn value is bound to; none when a shuffle draws a piece.
#[must_use]
pub fn asked_slot(game: &Game, position: &Position) -> Option<Slot> {
    match position.ask {
        Ask::Pick { at, .. } | Ask::Chance { at } => picked_slot(game, at),
        Ask::Choose { .. } | Ask::Race { .. } | Ask::Over => None,
    }
}

fn picked_slot(game: &Game, (block, number): StmtRef) -> Option<Slot> {
    let stmt = game.blocks.get(block)?.stmts.get(usize::from(number))?;
    stmt.kind.choice_or_roll().map(|(slot, ..)| slot)
}

/// Parses a move that answers the position's question; it need not be legal.
///
/// Names match in any letter case, blanks may stand for `-`, and a move from site to site may be written as its whole
/// path (`c3-e5-g7`), of which the first and last site count.
///
/// # Errors
/// Says what does not fit, or which moves are possible.
pub fn parse_move(game: &Game, position: &Position, text: &str) -> Result<Move, NotationError> {
    let readings = readings(game, position, text, Unsaid::Initial)?;
    match readings.as_slice() {
        [only] => whole_move(game, text.trim(), &only.mv),
        several => Err(ambiguous(game, text, several)),
    }
}

fn ambiguous(game: &Game, text: &str, several: &[Reading]) -> NotationError {
    let written = |reading: &Reading| print_named(game, &settled(game, &reading.mv));
    super::error::ambiguous(text.trim(), several.iter().map(written))
}

/// Parses an action with its arguments, whatever the question.
pub(super) fn parse_action(game: &Game, text: &str) -> Result<Move, NotationError> {
    match action_readings(game, &|_| true, text, Unsaid::Initial)?.as_slice() {
        [only] => whole_move(game, text.trim(), &only.mv),
        several => Err(ambiguous(game, text, several)),
    }
}

/// All readings of a text, at least one.
pub(super) fn readings(
    game: &Game,
    position: &Position,
    text: &str,
    unsaid: Unsaid,
) -> Result<Vec<Reading>, NotationError> {
    let text = text.trim();
    if let Some(slot) = asked_slot(game, position) {
        let inner = text.strip_prefix("pick ").unwrap_or(text);
        let value = parse_in_part(game, &slot_type(game, slot), inner, unsaid)?;
        return Ok(vec![plain(Move { action: ActionRef::Pick, args: std::iter::once(value).collect() })]);
    }
    match position.ask {
        Ask::Race { .. } => race_readings(game, position, text, unsaid),
        Ask::Chance { .. } => {
            let value = parse_value(game, &Ty::Int, text)?;
            Ok(vec![plain(Move { action: ActionRef::Pick, args: std::iter::once(value).collect() })])
        }
        Ask::Choose { .. } | Ask::Pick { .. } | Ask::Over => {
            action_readings(game, &offers(game, position), text, unsaid)
        }
    }
}

/// Whether an action is among those a position asks for; if it asks for none, every action is.
pub(super) fn offers(game: &Game, position: &Position) -> impl Fn(ActionId) -> bool + use<> {
    let stmt = position.ask.at().and_then(|(block, number)| game.blocks.get(block)?.stmts.get(usize::from(number)));
    let groups = stmt.map_or(&[][..], |stmt| stmt.kind.offered());
    let number = |offered: &ActionRef| match offered {
        ActionRef::Action(number) | ActionRef::Race(number) => Some(*number),
        ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
    };
    let asked: Vec<ActionId> = groups.iter().flatten().filter_map(number).collect();
    move |number| asked.is_empty() || asked.contains(&number)
}

/// All readings of a text as a move of any action. If there are none, the error is about the actions that are asked
/// for.
pub(super) fn action_readings(
    game: &Game,
    asked: &dyn Fn(ActionId) -> bool,
    text: &str,
    unsaid: Unsaid,
) -> Result<Vec<Reading>, NotationError> {
    let text = text.trim();
    if text.len() > MAX_MOVE {
        return Err(NotationError::TooLong { length: text.len(), limit: MAX_MOVE });
    }
    let bare = |action| Move { action, args: SmallVec::new() };
    match text.to_lowercase().as_str() {
        "pass" => return Ok(vec![plain(bare(ActionRef::Pass))]),
        "decline" => return Ok(vec![plain(bare(ActionRef::Decline))]),
        _ => {}
    }
    // With the name of the action.
    let head_end = text.find([' ', '-']).unwrap_or(text.len());
    let (head, tail) = text.split_at(head_end);
    let rest = tail.trim_start_matches([' ', '-']);
    let names = game.actions.iter().map(|action| action.name.as_str());
    if let Some(number) = find("action", head, names).ok().and_then(ActionId::at) {
        // Of `add -7` the dash is a sign, if it can be.
        let signed = tail.strip_prefix('-').unwrap_or(tail).trim_start();
        let named = Some(readings_of(game, number, signed, unsaid)).filter(|readings| !readings.is_empty());
        let named = named.unwrap_or_else(|| readings_of(game, number, rest, unsaid));
        if !named.is_empty() {
            return Ok(named);
        }
    }
    // By parameter types.
    let typed: Vec<Reading> =
        game.actions.ids().flat_map(|number| typed_readings(game, number, text, unsaid)).collect();
    if !typed.is_empty() {
        return Ok(typed);
    }
    let paths: Vec<Reading> = game.actions.ids().filter_map(|number| path_reading(game, number, text)).collect();
    if paths.is_empty() { Err(no_reading(game, asked, text, head, rest)) } else { Ok(paths) }
}

pub(super) fn plain(mv: Move) -> Reading {
    Reading { mv, hops: Vec::new() }
}

fn action_move(number: ActionId, args: SmallVec<[Value; 2]>) -> Move {
    Move { action: ActionRef::Action(number), args }
}

/// The readings of the text after the name of an action.
fn readings_of(game: &Game, number: ActionId, text: &str, unsaid: Unsaid) -> Vec<Reading> {
    let typed = typed_readings(game, number, text, unsaid);
    if typed.is_empty() { path_reading(game, number, text).into_iter().collect() } else { typed }
}

fn typed_readings(game: &Game, number: ActionId, text: &str, unsaid: Unsaid) -> Vec<Reading> {
    let Some(action) = game.actions.get(number) else { return Vec::new() };
    let types = params(game, action);
    if types.is_empty() {
        let fits = text.is_empty() || text.eq_ignore_ascii_case(&action.name);
        return if fits { vec![plain(action_move(number, SmallVec::new()))] } else { Vec::new() };
    }
    split_args(game, &types, text, unsaid).into_iter().map(|args| plain(action_move(number, args))).collect()
}

/// A whole path from site to site, of which the first and last site count.
fn path_reading(game: &Game, number: ActionId, text: &str) -> Option<Reading> {
    let types = params(game, game.actions.get(number)?);
    if !matches!(types.as_slice(), [Ty::Site, Ty::Site | Ty::Way]) {
        return None;
    }
    let parts = split_top(text, |c| c == '-' || c.is_whitespace());
    let sites = parts.iter().map(|part| super::names::known_atom(game, &Ty::Site, part));
    let hops = sites.collect::<Option<Vec<usize>>>()?;
    let [from, _, .., to] = hops.as_slice() else {
        return None;
    };
    let end = atom_name(game, &Ty::Site, *to);
    let last = types.get(1).and_then(|ty| parse_value(game, ty, &end).ok())?;
    let args = [Value::atom_of(*from), last].into_iter().collect();
    Some(Reading { mv: action_move(number, args), hops })
}
