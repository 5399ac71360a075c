//! Why a text is no move at all.

use super::NotationError;
use super::moves::{move_pattern, params};
use super::names::{find, split_top};
use super::value::parse_value;
use crate::ir::{Action, ActionId, Game};

/// The most relevant reason why a text is not a move.
pub(super) fn no_reading(
    game: &Game,
    asked: &dyn Fn(ActionId) -> bool,
    text: &str,
    head: &str,
    rest: &str,
) -> NotationError {
    let known = game.actions.iter().map(|action| action.name.as_str());
    let named = find("action", head, known).ok().and_then(|number| game.actions.nth(number));
    if let Some(action) = named {
        return wrong_parameter(game, action, rest)
            .unwrap_or_else(|| NotationError::no_move(vec![move_pattern(game, action)], text));
    }
    let asked = || game.actions.numbered().filter(|(number, _)| asked(*number)).map(|(_, action)| action);
    let mut errors: Vec<NotationError> = asked().filter_map(|action| wrong_parameter(game, action, text)).collect();
    errors.dedup();
    let mut patterns: Vec<String> = asked().map(|action| move_pattern(game, action)).collect();
    patterns.dedup();
    match (errors.pop(), errors.is_empty(), patterns.is_empty()) {
        (Some(error), true, _) => error,
        (_, _, true) => NotationError::misfit("a move", text),
        (_, _, false) => NotationError::no_move(patterns, text),
    }
}

/// The error in the first parameter that does not fit, if the number of parts is that of the parameters or the text
/// is a path.
fn wrong_parameter(game: &Game, action: &Action, text: &str) -> Option<NotationError> {
    let types = params(game, action);
    let parts = split_top(text, |c| c == '-' || c.is_whitespace());
    if parts.len() != types.len() && !(types.len() == 2 && parts.len() > 2) {
        return None;
    }
    let last = types.last()?;
    let mut pairs = parts.iter().enumerate().map(|(index, part)| (types.get(index).unwrap_or(last), part));
    pairs.find_map(|(ty, part)| parse_value(game, ty, part).err())
}
