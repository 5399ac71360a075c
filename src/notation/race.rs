//! Acts of a race as text: seat, move and time.

use smallvec::{SmallVec, smallvec};

use super::NotationError;
use super::moves::{Reading, action_readings, offers, plain, print_action};
use super::names::{atom_name, find_atom};
use super::partial::Unsaid;
use crate::ir::{ActionRef, Game, Move, Ty, Value};
use crate::model::Position;

/// An act of a race: `SEAT MOVE`, and the time if requested.
pub(super) fn print_race(game: &Game, mv: &Move, timed: bool) -> String {
    let (ActionRef::Race(number), [seat, time, args @ ..]) = (mv.action, mv.args.as_slice()) else {
        return String::new();
    };
    let act = print_action(game, number, args);
    let time = if timed { format!(" @{}", time.int()) } else { String::new() };
    format!("{} {act}{time}", atom_name(game, &Ty::Seat, seat.atom()))
}

/// `SEAT MOVE` or `SEAT MOVE @TIME`; without a time, just after the last act.
pub(super) fn race_readings(
    game: &Game,
    position: &Position,
    text: &str,
    unsaid: Unsaid,
) -> Result<Vec<Reading>, NotationError> {
    let bare = |action| Move { action, args: SmallVec::new() };
    if text.eq_ignore_ascii_case("wait") {
        return Ok(vec![plain(bare(ActionRef::Wait))]);
    }
    let misfit = || {
        let seat = game.seats.first().map_or("SEAT", |seat| seat.name.as_str());
        NotationError::misfit(format!("a seat and what it does, such as `{seat} MOVE` or `{seat} MOVE @120`"), text)
    };
    let (act, time) = match text.rsplit_once('@') {
        Some((act, time)) => (act.trim(), time.trim().parse::<i64>().map_err(|_| misfit())?),
        None => (text, position.now.saturating_add(1)),
    };
    let (seat, act) = act.split_once(char::is_whitespace).ok_or_else(misfit)?;
    let seat = find_atom(game, &Ty::Seat, seat)?;
    let readings = action_readings(game, &offers(game, position), act.trim(), unsaid)?;
    let readings = readings.into_iter().filter_map(|mut reading| {
        let ActionRef::Action(number) = reading.mv.action else {
            return None;
        };
        let mut args: SmallVec<[Value; 2]> = smallvec![Value::atom_of(seat), Value::Int(time)];
        args.append(&mut reading.mv.args);
        Some(plain(Move { action: ActionRef::Race(number), args }))
    });
    let readings: Vec<Reading> = readings.collect();
    if readings.is_empty() { Err(misfit()) } else { Ok(readings) }
}
