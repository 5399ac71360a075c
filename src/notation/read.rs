//! Text to positions.

use std::str::FromStr;

use std::collections::BTreeSet;

use super::NotationError;
use super::control::{parse_ask, parse_control};
use super::local::{names_slot, set_local, settle};
use super::names::{find, find_atom, places_top, split_top, type_name};
use super::position::{MAX_LENGTH, WORDS, begun, parse_history, pools, usual, usual_history};
use super::stack::stacked;
use super::value::{parse_piece, parse_value};
use crate::base::Bits;
use crate::ir::{Game, Id, PhaseId, RuleId, SeatId, Slot, Ty, Value};
use crate::model::{Ask, Ending, Engine, Outcome, Position, Standing, Verdict, most_piled};

/// Parses a position. What is left out is as at the start; see the table in this room's `position` file.
///
/// ```text
/// GAME 2 | mover=white | stone.white: e5 | stone.black: e6
/// ```
///
/// # Errors
/// Says what does not fit; every position returned is safe for an engine.
pub fn parse_position(engine: &dyn Engine, text: &str) -> Result<Position, NotationError> {
    let game = engine.game();
    if text.len() > MAX_LENGTH {
        return Err(NotationError::TooLong { length: text.len(), limit: MAX_LENGTH });
    }
    let mut segments = text.split('|').map(str::trim).filter(|segment| !segment.is_empty());
    head(game, segments.next().unwrap_or(""))?;
    let segments: Vec<Segment<'_>> = segments.map(Segment::cut).collect::<Result<_, _>>()?;
    let mut keys = BTreeSet::new();
    for segment in segments.iter().filter(|segment| segment.once) {
        if !keys.insert(segment.key) {
            return Err(NotationError::Twice { what: format!("`{}=`", segment.key) });
        }
    }
    let word = |key: &str| segments.iter().find(|segment| segment.once && segment.key == key);
    let mover = match word("mover") {
        Some(segment) => segment.wrap(parse_seat(game, segment.value))?,
        None => game.first,
    };
    let result = word("result").map(|segment| segment.wrap(parse_result(game, segment.value))).transpose()?;
    let mut position = usual(engine, mover, result.is_some());
    position.outcome = result;
    let mut room = most_piled(game);
    for segment in &segments {
        segment.wrap(apply(game, &mut position, segment, &mut room))?;
    }
    let says = |segment: &Segment<'_>| {
        segment.once && (matches!(segment.key, "at" | "ask" | "actor") || segment.key.starts_with("local."))
    };
    if position.outcome.is_none() && !segments.iter().any(says) {
        let history = std::mem::take(&mut position.history);
        position = begun(engine, position);
        position.history = history;
    }
    // If only one of the two is given, the seat asked is the acting one.
    match (word("ask"), word("actor"), &mut position.ask) {
        (None, Some(_), Ask::Choose { seat, .. }) => *seat = position.actor.unwrap_or(*seat),
        (Some(_), None, Ask::Choose { seat, .. }) => position.actor = Some(*seat),
        (_, _, _) => {}
    }
    if position.outcome.is_some() != matches!(position.ask, Ask::Over) {
        return Err(NotationError::misfit("fitting: `result=` and `ask=over` belong together", "ask="));
    }
    if segments.iter().any(says) {
        stacked(game, &position)?;
        let given = |slot: Slot| segments.iter().any(|segment| segment.once && names_slot(segment.key, slot));
        settle(game, &mut position, &given)?;
    }
    if word("history").is_none() {
        position.history = usual_history(game, &position);
    }
    if let Some((ply, ..)) = position.history.last().filter(|(ply, ..)| *ply > position.ply) {
        return Err(out_of_range("the plies of a key in `history=`", &ply.to_string(), position.ply.into()));
    }
    Ok(position)
}

/// A segment split into key and value.
struct Segment<'a> {
    whole: &'a str,
    key: &'a str,
    value: &'a str,
    /// Whether it is `key=value` rather than `key: value`.
    once: bool,
}

impl<'a> Segment<'a> {
    fn cut(whole: &'a str) -> Result<Self, NotationError> {
        let Some(&at) = places_top(whole, |c| c == '=' || c == ':').first() else {
            return Err(NotationError::misfit("a segment, such as `mover=SEAT` or `KIND.SEAT: SITE SITE`", whole));
        };
        let (key, value) = (whole[..at].trim(), whole[at + 1..].trim());
        Ok(Self { whole, key, value, once: whole[at..].starts_with('=') })
    }

    fn wrap<T>(&self, result: Result<T, NotationError>) -> Result<T, NotationError> {
        result.map_err(|error| error.within(self.whole))
    }
}

fn head(game: &Game, segment: &str) -> Result<(), NotationError> {
    let (name, count) = segment.rsplit_once(char::is_whitespace).unwrap_or((segment, ""));
    let name = name.trim();
    if count.parse::<usize>().is_err() {
        let wanted = format!("the beginning of a position, which is `{} {}`", game.name, game.seats.len());
        return Err(NotationError::misfit(wanted, segment));
    }
    if name != game.name {
        return Err(NotationError::WrongGame { wanted: game.name.clone(), found: name.to_owned() });
    }
    if count.parse::<usize>() != Ok(game.seats.len()) {
        return Err(NotationError::WrongPlayers { wanted: game.seats.len(), found: count.to_owned() });
    }
    Ok(())
}

/// Applies a segment; `room` says how many more pieces all zones together may hold.
fn apply(game: &Game, position: &mut Position, segment: &Segment<'_>, room: &mut usize) -> Result<(), NotationError> {
    let value = segment.value;
    if !segment.once {
        if super::zone::lay_zone(game, position, segment.key, value, room)? {
            return Ok(());
        }
        return stock(game, position, segment.key, value);
    }
    match segment.key {
        "mover" | "result" => {}
        "ply" => position.ply = parse_number("ply", value)?,
        "turn" => position.turn = parse_number("turn", value)?,
        "now" => position.now = parse_up_to("now", value, i64::MAX.unsigned_abs())?,
        "actor" => position.actor = if value == "-" { None } else { Some(parse_seat(game, value)?) },
        "given" => position.next_mover = if value == "-" { None } else { Some(parse_seat(game, value)?) },
        "phase" if value == "-" => position.phase = None,
        "phase" => {
            let phase = find("phase", value, game.phases.iter().map(String::as_str))?;
            position.phase = PhaseId::at(phase);
        }
        "out" => out(game, position, value)?,
        "offers" => offers(game, position, value)?,
        "at" => position.control = parse_control(game, value)?,
        "ask" => position.ask = parse_ask(game, value)?,
        "history" => position.history = parse_history(game, value)?,
        key => match key.strip_prefix("local.") {
            Some(local) => set_local(game, position, local, value)?,
            None => set_variable(game, position, key.strip_prefix("var.").unwrap_or(key), value)?,
        },
    }
    Ok(())
}

fn parse_seat(game: &Game, text: &str) -> Result<SeatId, NotationError> {
    find_atom(game, &Ty::Seat, text).map(SeatId::new)
}

fn parse_number(what: &str, text: &str) -> Result<u32, NotationError> {
    parse_up_to(what, text, u32::MAX.into())
}

fn parse_up_to<N: FromStr>(what: &str, text: &str, limit: u64) -> Result<N, NotationError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits => Ok(number),
        Err(_) if digits => Err(out_of_range(what, text, limit)),
        Ok(_) | Err(_) => Err(NotationError::misfit("a number from 0", text)),
    }
}

fn out_of_range(what: &str, found: &str, limit: u64) -> NotationError {
    NotationError::OutOfRange {
        what: what.to_owned(),
        found: found.to_owned(),
        limits: format!("it is at most {limit}"),
    }
}

fn out(game: &Game, position: &mut Position, text: &str) -> Result<(), NotationError> {
    for part in text.split(',').map(str::trim) {
        let (seat, rank) = part
            .split_once(':')
            .ok_or_else(|| NotationError::misfit("a seat with its rank, such as `SEAT:1`", part))?;
        let seat = parse_seat(game, seat)?;
        let rank = parse_number("rank", rank)?;
        let rank = u8::try_from(rank).map_err(|_| out_of_range("rank", &rank.to_string(), u8::MAX.into()))?;
        if let Some(place) = position.standing.get_mut(usize::from(seat)) {
            *place = Standing::Ranked(rank);
        }
    }
    Ok(())
}

fn offers(game: &Game, position: &mut Position, text: &str) -> Result<(), NotationError> {
    for part in text.split_whitespace() {
        let (name, seats) = part
            .split_once(':')
            .ok_or_else(|| NotationError::misfit("an offer with seats, such as `OFFER:SEAT`", part))?;
        let number = find("offer", name, game.offers.iter().map(|offer| offer.name.as_str()))?;
        let agreed: Bits = seats.split(',').map(|seat| find_atom(game, &Ty::Seat, seat)).collect::<Result<_, _>>()?;
        if let Some(place) = position.offers.get_mut(number) {
            *place = agreed;
        }
    }
    Ok(())
}

/// Pieces or tokens on sites.
fn stock(game: &Game, position: &mut Position, key: &str, sites: &str) -> Result<(), NotationError> {
    let name = key.split(['.', '{']).next().unwrap_or(key).trim();
    let mut names: Vec<&str> = game.tokens.iter().map(|tokens| tokens.name.as_str()).collect();
    names.extend(game.kinds.iter().map(|kind| kind.name.as_str()));
    names.extend(game.zones.iter().map(|zone| zone.name.as_str()));
    if name == "?" {
        return Err(NotationError::Concealed { found: key.to_owned() });
    }
    let number = find("kind of piece, token or zone", name, names.iter().copied())?;
    if number < game.tokens.len() {
        return lay(game, position, number, key, sites);
    }
    let piece = parse_piece(game, key)?;
    for name in sites.split_whitespace() {
        let site = find_atom(game, &Ty::Site, name)?;
        match position.sites.get_mut(site) {
            Some(place @ None) => *place = Some(piece.clone()),
            Some(Some(_)) | None => {
                return Err(NotationError::Crowded { site: name.to_owned() });
            }
        }
    }
    Ok(())
}

fn lay(game: &Game, position: &mut Position, tokens: usize, key: &str, sites: &str) -> Result<(), NotationError> {
    let by_seat = game.tokens.nth(tokens).is_some_and(|info| info.owned);
    let owner = match (key.split_once('.'), by_seat) {
        (Some((_, seat)), true) => usize::from(parse_seat(game, seat.trim())?),
        (None, false) => 0,
        (None, true) => {
            return Err(NotationError::misfit(format!("tokens with their owner, such as `{key}.SEAT`"), key));
        }
        (Some((name, _)), false) => {
            return Err(NotationError::misfit(format!("tokens: no seat owns them, write `{name}`"), key));
        }
    };
    let Some(pool) = position.tokens.get_mut(pools(game, tokens).start + owner) else {
        return Ok(());
    };
    for part in sites.split_whitespace() {
        let (name, count) = part.split_once('*').unwrap_or((part, "1"));
        let site = find_atom(game, &Ty::Site, name)?;
        let count = parse_number("the number of tokens", count)?;
        match pool.get_mut(site) {
            Some(place) if *place == 0 => *place = count,
            Some(_) | None => {
                return Err(NotationError::Twice { what: format!("the number of tokens on {name}") });
            }
        }
    }
    Ok(())
}

/// A value or `?`.
pub(super) fn parse_maybe(game: &Game, ty: &Ty, text: &str) -> Result<Value, NotationError> {
    if text == "?" { Ok(Value::Unset) } else { parse_value(game, ty, text) }
}

fn set_variable(game: &Game, position: &mut Position, label: &str, text: &str) -> Result<(), NotationError> {
    let (name, indices) = match label.split_once('(') {
        None => (label.trim(), Vec::new()),
        Some((name, rest)) => {
            let inner = rest
                .strip_suffix(')')
                .ok_or_else(|| NotationError::misfit("a variable, such as `score(SEAT)`", label))?;
            (name.trim(), split_top(inner, |c| c == ','))
        }
    };
    let mut names: Vec<&str> = game.vars.iter().map(|var| var.name.as_str()).collect();
    names.extend(WORDS);
    let var = find("variable or segment", name, names.iter().copied())?;
    let Some(info) = game.vars.nth(var) else {
        return Err(NotationError::misfit("a segment of this form; write it in small letters", label));
    };
    if indices.len() != info.indices.len() {
        let types: Vec<String> = info.indices.iter().map(|(ty, _)| type_name(game, ty)).collect();
        let form = if types.is_empty() { name.to_owned() } else { format!("{name}({})", types.join(",")) };
        return Err(NotationError::misfit(format!("a variable, which is written `{form}`"), label));
    }
    let mut place = 0;
    for (text, (ty, size)) in indices.iter().zip(&info.indices) {
        let index = if ty.is_atom() { find_atom(game, ty, text)? } else { text.parse().unwrap_or(*size) };
        if index >= *size {
            return Err(out_of_range("the index", text, (*size as u64).saturating_sub(1)));
        }
        place = place * size + index;
    }
    if text == "?" {
        return Err(NotationError::Concealed { found: format!("{label}=?") });
    }
    let value = parse_value(game, &info.ty, text)?;
    if let Some(slot) = position.vars.get_mut(var).and_then(|values| values.get_mut(place)) {
        *slot = value;
    }
    Ok(())
}

fn parse_result(game: &Game, text: &str) -> Result<Outcome, NotationError> {
    let count = game.seats.len();
    let mut verdicts = vec![Verdict::Open; count];
    let (mut ranks, mut scores, mut ending) = (vec![0; count], Vec::new(), Ending::PlayedOut);
    let mut statement = None;
    for part in text.split_whitespace() {
        let fields: Vec<&str> = part.split(':').collect();
        let misfit = || NotationError::misfit("a result, such as `SEAT:win:1` or `rule.4`", part);
        match fields.as_slice() {
            [end] => (ending, statement) = parse_ending(game, end).ok_or_else(misfit)?,
            [seat, verdict, rank, score @ ..] => {
                let seat = usize::from(parse_seat(game, seat)?);
                let rank = u8::try_from(parse_number("rank", rank)?).map_err(|_| misfit())?;
                let verdict = match *verdict {
                    "win" => Verdict::Win,
                    "draw" => Verdict::Draw,
                    "loss" => Verdict::Loss,
                    "open" => Verdict::Open,
                    _ => return Err(misfit()),
                };
                if let (Some(v), Some(r)) = (verdicts.get_mut(seat), ranks.get_mut(seat)) {
                    (*v, *r) = (verdict, rank);
                }
                if let [score] = score {
                    scores.resize(count, 0);
                    if let Some(place) = scores.get_mut(seat) {
                        *place = score.parse().map_err(|_| misfit())?;
                    }
                }
            }
            _ => return Err(misfit()),
        }
    }
    Ok(Outcome { verdicts, ranks, scores, ending, statement })
}

fn parse_ending(game: &Game, text: &str) -> Option<(Ending, Option<RuleId>)> {
    if text == "played-out" {
        return Some((Ending::PlayedOut, None));
    }
    let known =
        |number: &str| number.parse::<RuleId>().ok().filter(|rule| usize::from(*rule) < game.rules.len().max(1));
    let (kind, rule) = text.split_once('.')?;
    let (rule, statement) = match rule.split_once('+') {
        Some((rule, statement)) => (known(rule)?, Some(known(statement)?)),
        None => (known(rule)?, None),
    };
    match kind {
        "rule" => Some((Ending::Rule(rule), statement)),
        "nomove" if statement.is_none() => Some((Ending::NoMove(rule), None)),
        "budget" if statement.is_none() => Some((Ending::Budget(rule), None)),
        _ => None,
    }
}
