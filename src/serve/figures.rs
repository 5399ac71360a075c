//! Statistics as JSON: the single format, here and on the command line.

use serde_json::{Value, json};

use crate::ir::Game;
use crate::measure::statistics::Estimate;
use crate::measure::{Difference, Figure, Lengths, Share, Shares};

pub(crate) fn estimate_json(estimate: &Estimate) -> Value {
    json!({"value": estimate.value, "low": estimate.low, "high": estimate.high})
}

pub(crate) fn share_json(share: &Share) -> Value {
    json!({"count": share.count, "share": share.share.value, "low": share.share.low, "high": share.share.high})
}

pub(crate) fn shares_json(shares: &Shares) -> Value {
    json!({
        "win": share_json(&shares.win), "draw": share_json(&shares.draw),
        "loss": share_json(&shares.loss), "open": share_json(&shares.open),
    })
}

pub(crate) fn lengths_json(lengths: &Lengths) -> Value {
    let [p5, p25, median, p75, p95] = lengths.quantiles.map(|quantile| estimate_json(&quantile));
    json!({
        "mean": estimate_json(&lengths.mean), "sd": lengths.deviation, "min": lengths.min, "p5": p5, "p25": p25,
        "median": median, "p75": p75, "p95": p95, "max": lengths.max,
    })
}

/// The name of a figure for programs, and its seat or place.
fn key(figure: Figure) -> (&'static str, Option<usize>) {
    match figure {
        Figure::Plies => ("plies", None),
        Figure::Turns => ("turns", None),
        Figure::Rounds => ("rounds", None),
        Figure::Branching => ("branching", None),
        Figure::Seat(seat) => ("wins_of_seat", Some(seat)),
        Figure::Place(place) => ("wins_by_turn_order", Some(place)),
        Figure::Draws => ("draws", None),
        Figure::Open => ("undecided", None),
        Figure::Measure(number) => ("measure", Some(number)),
    }
}

/// A difference for programs.
pub(crate) fn difference_json(game: &Game, one: &Difference) -> Value {
    let (figure, number) = key(one.figure);
    let seat = if let Figure::Seat(seat) = one.figure { game.seats.nth(seat) } else { None };
    let seat = seat.map(|seat| seat.name.clone());
    let place = if let Figure::Place(place) = one.figure { Some(place + 1) } else { None };
    let measure = number.filter(|_| figure == "measure").and_then(|number| game.measures.get(number));
    json!({
        "figure": figure, "seat": seat, "place": place, "measure": measure.map(|measure| &measure.name),
        "first": one.first, "second": one.second, "difference": estimate_json(&one.difference),
        "relative": one.relative.as_ref().map(estimate_json), "d": one.effect, "d_paired": one.paired_effect,
        "pairing_gain": one.saved, "p": one.p, "p_holm": one.corrected, "differs": one.is_real(),
        "p_margin": one.outside, "equivalent": one.outside.map(|_| one.is_equivalent()),
    })
}
