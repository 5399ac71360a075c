//! Who plays the seats of a table.

use serde_json::{Value, json};

use super::message::Refusal;
use super::token::Token;
use crate::api::{Bot, Rules};

/// The bot that suits the game best.
pub(super) const AUTO: &str = "auto";

/// Who plays a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// Nobody yet.
    Free,
    /// Whoever has the token.
    Person(Token),
    /// A bot, by its name.
    Bot(String),
}

impl Player {
    /// As it is kept: who, and the token.
    pub(super) fn kept(&self) -> (String, Option<String>) {
        match self {
            Self::Free => ("free".to_owned(), None),
            Self::Person(token) => ("person".to_owned(), Some(token.text().to_owned())),
            Self::Bot(name) => (format!("bot:{name}"), None),
        }
    }

    /// What was kept.
    pub(super) fn read(player: &str, token: Option<&str>) -> Self {
        match (player.strip_prefix("bot:"), token.and_then(Token::read)) {
            (Some(name), _) => Self::Bot(name.to_owned()),
            (None, Some(token)) => Self::Person(token),
            (None, None) => Self::Free,
        }
    }

    /// As everybody is told.
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Free => json!("free"),
            Self::Person(_) => json!("person"),
            Self::Bot(name) => json!(format!("bot {name}")),
        }
    }
}

/// A bot by its name.
///
/// # Errors
/// If there is none, or it cannot play the game.
pub(super) fn bot(rules: &Rules, name: &str) -> Result<Bot, Refusal> {
    if name == AUTO {
        return Ok(Bot::strongest(rules));
    }
    let wrong = |error: crate::api::BotError| {
        Refusal::new("bad-value", error.to_string(), "name `auto`, `random`, `mcts:1000` or `alphabeta:4`")
    };
    let bot: Bot = name.parse().map_err(wrong)?;
    bot.fits(rules).map_err(wrong)?;
    Ok(bot)
}
