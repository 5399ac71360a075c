//! What lines say to the hall, and how they are refused.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::api::LoadError;
use crate::load::Setup;
use crate::serve::Fault;

use super::store::StoreError;

/// What is chosen before a table is opened.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Choice {
    /// A bundled game, or the game that the hall was started with.
    pub(super) rules: Option<String>,
    /// A rule file of the opener's own, instead.
    pub(super) text: Option<String>,
    players: Option<u32>,
    variants: Vec<String>,
    readings: BTreeMap<String, String>,
    options: BTreeMap<String, String>,
    /// The language of what is said at the table.
    pub(super) language: Option<String>,
}

impl Choice {
    pub(super) fn setup(&self) -> Setup {
        let pairs = |given: &BTreeMap<String, String>| given.iter().map(|(a, b)| (a.clone(), b.clone())).collect();
        Setup {
            players: self.players,
            variants: self.variants.clone(),
            readings: pairs(&self.readings),
            options: pairs(&self.options),
        }
    }
}

/// A message of a line.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Wish {
    /// Which games are there?
    Games,
    /// What can be chosen?
    Describe(Choice),
    /// Open a table.
    Open(Choice),
    /// Look at a table, as a seat if its token is given.
    Enter { table: String, token: Option<String> },
    /// Take a free seat.
    Sit { seat: String },
    /// Let a bot play a seat: a free one, one's own, or one whose player has been gone for long.
    Bot { seat: String, bot: Option<String> },
    /// Play.
    Play {
        #[serde(rename = "move")]
        text: String,
        /// The number of steps that were seen: an answer to that question and no other.
        step: usize,
        /// Names the answer, so that it is played once however often it is sent.
        key: String,
    },
    /// Why is a move legal, or not?
    Why {
        #[serde(rename = "move")]
        text: String,
    },
    /// What was seen before a step?
    Look { step: u64 },
    /// Play the same again.
    Again,
}

/// A message with its number.
pub(super) fn parse(text: &str) -> (Value, Result<Wish, Refusal>) {
    let bad = |message: String| Refusal::new("bad-message", message, "docs/table.md lists the messages");
    let mut object: Map<String, Value> = match serde_json::from_str(text) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return (Value::Null, Err(bad("a message is an object".to_owned()))),
        Err(error) => return (Value::Null, Err(bad(format!("this is not valid JSON: {error}")))),
    };
    let id = object.remove("id").filter(|id| id.is_u64() || id.as_str().is_some_and(|id| id.len() <= 64));
    let Some(id) = id else {
        return (Value::Null, Err(bad("the message has no `id`: a whole number or a short text".to_owned())));
    };
    let wish = serde_json::from_value(Value::Object(object)).map_err(|error| bad(error.to_string()));
    (id, wish)
}

/// Why a wish is not granted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) code: &'static str,
    message: String,
    cure: String,
    /// The rules' verdict on a move.
    why: Option<Value>,
}

impl Refusal {
    pub(super) fn new(code: &'static str, message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { code, message: message.into(), cure: cure.into(), why: None }
    }

    /// A limit of the hall.
    pub(super) fn limit(message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self::new("limit", message, cure)
    }

    pub(super) fn json(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message, "cure": self.cure});
        if let Some(why) = &self.why {
            error["why"] = why.clone();
        }
        error
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self { code: fault.code.text(), message: fault.message, cure: fault.cure, why: fault.why }
    }
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        Fault::from(error).into()
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => {
                Self::new("full", "the disk is full: nothing was kept and nothing changed", "try again later")
            }
            StoreError::Failed(_) | StoreError::Taken | StoreError::Foreign(_) => Self::new(
                "not-kept",
                "the disk does not answer: nothing was kept and nothing changed",
                "try again later",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Wish, parse};

    #[test]
    fn messages_are_read_and_nothing_else() {
        let (id, wish) = parse(r#"{"id": 3, "do": "play", "move": "a1", "step": 5, "key": "k"}"#);
        assert_eq!(id, json!(3));
        assert!(matches!(wish, Ok(Wish::Play { text, step: 5, key }) if text == "a1" && key == "k"));
        assert!(matches!(parse(r#"{"id": 3, "do": "again"}"#).1, Ok(Wish::Again)));
        let open = r#"{"id": 1, "do": "open", "rules": "x", "players": 3, "options": {"a": "b"}}"#;
        assert!(matches!(parse(open).1, Ok(Wish::Open(choice)) if choice.setup().players == Some(3)));
        for wrong in [
            "",
            "[]",
            r#"{"do": "again"}"#,
            r#"{"id": {}, "do": "again"}"#,
            r#"{"id": 1, "do": "undo"}"#,
            r#"{"id": 1, "do": "play", "move": "a1", "step": 5, "key": "k", "who": "referee"}"#,
            r#"{"id": 1, "do": "look", "step": -1}"#,
        ] {
            assert_eq!(parse(wrong).1.expect_err(wrong).code, "bad-message", "{wrong}");
        }
    }
}
