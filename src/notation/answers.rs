//! Claims and offers as text.
//!
//! `claim NAME parameters…`, `offer NAME`, `accept NAME`, each followed by `by SEAT` unless the seat is the expected
//! one.

use super::NotationError;
use super::args::split_args;
use super::error::ambiguous;
use super::moves::{parameter_names, params, print_acted};
use super::names::{atom_name, find, find_atom};
use super::partial::Unsaid;
use super::value::print_value;
use crate::base::Bits;
use crate::ir::{Action, Game, Id, OfferId, SeatId, Ty, Value};
use crate::model::{Answer, Position};

/// Whether a text is a claim or an offer.
#[must_use]
pub fn is_answer(game: &Game, text: &str) -> bool {
    let mut words = text.split_whitespace();
    let head = words.next().unwrap_or("").to_lowercase();
    // What a seat of this name does in a race, unless a claim or an offer is called so.
    let named = |word: &str| {
        game.claims.iter().any(|claim| claim.action.name == word) || game.offers.iter().any(|offer| offer.name == word)
    };
    let second = words.next();
    let acts = || game.seats.iter().any(|seat| seat.name == head) && second.is_some_and(|word| !named(word));
    let plays = || game.actions.iter().any(|action| action.name == head) && !second.is_some_and(named);
    let taken = || {
        acts()
            || plays()
            || text.trim().len() == head.len() && values(game).any(|name| name.eq_ignore_ascii_case(&head))
    };
    matches!(head.as_str(), "claim" | "offer" | "accept") && !taken()
}

/// The names of values that may be moves of their own.
fn values(game: &Game) -> impl Iterator<Item = &str> {
    let members = game.enums.iter().flat_map(|info| info.members.iter().map(|(name, _)| name.as_str()));
    let kinds = game.kinds.iter().map(|kind| kind.name.as_str());
    let sites = game.topology.sites.iter().map(|site| site.name.as_str());
    members.chain(kinds).chain(sites).chain(game.seats.iter().map(|seat| seat.name.as_str()))
}

/// The default seat: the one to act.
fn speaker(position: &Position) -> SeatId {
    position.asked().unwrap_or(position.mover)
}

/// An answer as text.
#[must_use]
pub fn print_answer(game: &Game, position: &Position, answer: &Answer) -> String {
    print_answer_with(game, position, answer, &|_| true)
}

/// An answer for a viewer who does not learn all parameters of a claim: unseen ones read `?`.
#[must_use]
pub fn print_answer_with(game: &Game, position: &Position, answer: &Answer, sees: &dyn Fn(usize) -> bool) -> String {
    let (mut text, seat) = match answer {
        Answer::Claim { claim, seat, args } => {
            let Some(claim) = game.claims.get(*claim) else {
                return format!("claim #{claim}");
            };
            let types = params(game, &claim.action);
            let mut parts = vec!["claim".to_owned(), claim.action.name.clone()];
            parts.extend(types.iter().zip(args).enumerate().map(|(at, (ty, value))| {
                if !sees(at) {
                    return "?".to_owned();
                }
                if let Value::Move(mv) = value { print_acted(game, mv) } else { print_value(game, ty, value) }
            }));
            (parts.join(" "), *seat)
        }
        Answer::Offer { offer, seat } => {
            let number = usize::from(*offer);
            let Some(offer) = game.offers.nth(number) else {
                return format!("offer #{offer}");
            };
            let open = position.offers.get(number).is_some_and(|agreed| !agreed.is_empty());
            let word = if open { "accept" } else { "offer" };
            (format!("{word} {}", offer.name), *seat)
        }
    };
    if seat != speaker(position) {
        text.push_str(" by ");
        text.push_str(&atom_name(game, &Ty::Seat, usize::from(seat)));
    }
    text
}

/// The form of a claim, such as `claim NAME parameter`.
#[must_use]
pub fn claim_pattern(game: &Game, action: &Action) -> String {
    let names = parameter_names(game, action);
    [vec!["claim", action.name.as_str()], names].concat().join(" ")
}

/// Parses a claim or offer; it need not be admissible.
///
/// # Errors
/// Says why the text is not a move.
pub fn parse_answer(game: &Game, position: &Position, text: &str) -> Result<Answer, NotationError> {
    let text = text.trim();
    let (word, whole) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (rest, seat) = match whole.rsplit_once(" by ") {
        Some((rest, seat)) => (rest.trim(), Some(find_atom(game, &Ty::Seat, seat.trim()).map(SeatId::new))),
        None => (whole.trim(), None),
    };
    let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match word.to_lowercase().as_str() {
        word if name.is_empty() => Err(NotationError::misfit(format!("complete: write `{word}` and a name"), text)),
        "claim" => {
            let number = find("claim", name, game.claims.iter().map(|claim| claim.action.name.as_str()))?;
            let Some((number, claim)) = game.claims.numbered().nth(number) else {
                return Err(NotationError::misfit("a claim", text));
            };
            let types = params(game, &claim.action);
            let read = |rest: &str, seat: SeatId| -> Vec<Answer> {
                let read = split_args(game, &types, rest, Unsaid::Initial).into_iter();
                read.map(|args| Answer::Claim { claim: number, seat, args: args.into_vec() }).collect()
            };
            let mut answers = match &seat {
                None => read(rest, speaker(position)),
                Some(Ok(seat)) => read(rest, *seat),
                Some(Err(_)) => Vec::new(),
            };
            // A seat may be called `by`.
            if answers.is_empty()
                && seat.is_some()
                && let Some((_, rest)) = whole.trim().split_once(char::is_whitespace)
            {
                answers = read(rest, speaker(position));
            }
            match answers.as_slice() {
                [] => Err(seat.and_then(Result::err).unwrap_or_else(|| {
                    let pattern = claim_pattern(game, &claim.action);
                    NotationError::misfit(format!("a claim, which is written `{pattern}`"), text)
                })),
                [_] => Ok(answers.swap_remove(0)),
                several => {
                    let readings: Vec<String> =
                        several.iter().map(|answer| print_answer(game, position, answer)).collect();
                    if let Some(exact) = readings.iter().position(|reading| reading == text) {
                        return Ok(answers.swap_remove(exact));
                    }
                    Err(ambiguous(text, readings.into_iter()))
                }
            }
        }
        word @ ("offer" | "accept") => {
            let number = find("offer", name, game.offers.iter().map(|offer| offer.name.as_str()))?;
            if !rest.trim().is_empty() {
                return Err(NotationError::misfit(format!("an offer, which is written `{word} {name}`"), text));
            }
            if word == "accept" && position.offers.get(number).is_none_or(Bits::is_empty) {
                let wanted = format!("an answer: nobody has made this offer, which is done by `offer {name}`");
                return Err(NotationError::misfit(wanted, text));
            }
            let offer = OfferId::at(number).ok_or_else(|| NotationError::misfit("an offer", text))?;
            Ok(Answer::Offer { offer, seat: seat.transpose()?.unwrap_or_else(|| speaker(position)) })
        }
        _ => Err(NotationError::misfit("`claim NAME …`, `offer NAME` or `accept NAME`", text)),
    }
}
