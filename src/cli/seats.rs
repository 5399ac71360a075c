//! `--seat SEAT=PLAYER`: who plays which seat.

use std::time::{Duration, Instant};

use super::exit::{Exit, Failure};
use crate::base::nearest;
use crate::bots::{Evaluation, Spec};
use crate::ir::{Game, Seat};
use crate::model::Engine;

/// The bot that suits the game best.
const AUTO: &str = "auto";

/// How long it thinks about a move.
pub(super) const MOMENT: Duration = Duration::from_secs(1);

/// The seats named and their players, as text.
///
/// # Errors
/// If a seat does not exist, or no player is named.
pub(super) fn seats<'a>(game: &Game, args: &'a [String]) -> Result<Vec<(usize, &'a str)>, Failure> {
    let mut found = Vec::new();
    for arg in args {
        let Some((seat, player)) = arg.split_once('=') else {
            let cure = "write `--seat SEAT=PLAYER`, such as `--seat 2=mcts:1s`";
            return Err(Failure::new(Exit::Usage, format!("`--seat {arg}` does not name a player")).cure(cure));
        };
        found.push((number(game, seat)?, player.trim()));
    }
    Ok(found)
}

/// The number of a seat from its name, title or number.
fn number(game: &Game, seat: &str) -> Result<usize, Failure> {
    let wanted = seat.trim().to_lowercase();
    let named = |info: &Seat| info.name.to_lowercase() == wanted || info.title.to_lowercase() == wanted;
    let number = match wanted.parse::<usize>() {
        Ok(number) => number.checked_sub(1),
        Err(_) => game.seats.iter().position(named),
    };
    number.filter(|&number| number < game.seats.len()).ok_or_else(|| {
        let names: Vec<&str> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
        let near = nearest(seat, names.iter().copied()).map(|near| format!("did you mean `{near}`? "));
        let cure = format!("{}the seats are {}, or 1 to {}", near.unwrap_or_default(), names.join(", "), names.len());
        Failure::new(Exit::Usage, format!("there is no seat `{seat}`")).cure(cure)
    })
}

/// A bot that can play a game.
///
/// # Errors
/// If there is no such bot, or it cannot play the game.
pub(super) fn bot(engine: &dyn Engine, text: &str) -> Result<Spec, Failure> {
    if text == AUTO {
        return Ok(Spec::strongest(engine.game(), Evaluation::new(engine).survey(), MOMENT));
    }
    spec(engine.game(), text)
}

/// The same without `auto`, which takes its time.
///
/// # Errors
/// If there is no such bot, or it cannot play the game.
pub(super) fn spec(game: &Game, text: &str) -> Result<Spec, Failure> {
    let spec: Spec = text.parse().map_err(|fault: String| {
        let (message, cure) = fault.split_once(": ").unwrap_or((&fault, "write `mcts:1000`"));
        Failure::new(Exit::Usage, message).cure(cure)
    })?;
    spec.fits(game).map_err(|why| Failure::new(Exit::Usage, why).cure("use `mcts`, which plays every game"))?;
    Ok(spec)
}

/// The clock for bots: returns a function that says whether a duration from now has passed.
pub(super) fn timer(time: Duration) -> Box<dyn Fn() -> bool> {
    let begin = Instant::now();
    Box::new(move || begin.elapsed() >= time)
}
