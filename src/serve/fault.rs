//! Errors in requests, as data.

use serde_json::{Value, json};

use crate::notation::NotationError;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal;)*) => {
        /// The kind of an error. A code never changes its meaning; `docs/protocol.md` lists them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable text of the code.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

codes! {
    /// A line that is not a JSON object.
    BadJson = "bad-json";
    /// A line that is too long.
    TooLong = "too-long";
    /// A method that does not exist.
    UnknownMethod = "unknown-method";
    /// A field that the method does not have.
    UnknownField = "unknown-field";
    /// A field that the method requires is missing.
    MissingField = "missing-field";
    /// A value of the wrong type, or out of range.
    BadValue = "bad-value";
    /// Rules that are not available.
    UnknownRules = "unknown-rules";
    /// Players, variants, readings or options that the rules do not support.
    BadSelection = "bad-selection";
    /// Rules that have errors.
    BadRules = "bad-rules";
    /// A game that is not open.
    NoGame = "no-game";
    /// A seat that the game does not have.
    UnknownSeat = "unknown-seat";
    /// Something that only the referee may do or see.
    RefereeOnly = "referee-only";
    /// A seat that is not to act, or an act of another seat.
    NotAsked = "not-asked";
    /// A move or answer that cannot be parsed.
    BadMove = "bad-move";
    /// A move or answer that the rules refuse.
    Illegal = "illegal";
    /// A position that does not fit the rules.
    BadPosition = "bad-position";
    /// A record that does not fit the rules.
    BadRecord = "bad-record";
    /// There is nothing to undo.
    NothingToUndo = "nothing-to-undo";
    /// A limit of the server or of the interpreter.
    Limit = "limit";
}

/// A refused request.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Its code.
    pub code: Code,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub cure: String,
    /// The verdict on a move that the rules refuse, as `why` gives it.
    pub why: Option<Value>,
}

impl Fault {
    /// A fault.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { code, message: message.into(), cure: cure.into(), why: None }
    }

    /// The error for an unparsable text; `otherwise` is the cure if the parse error has none.
    pub(super) fn text(code: Code, error: &NotationError, otherwise: &str) -> Self {
        Self::new(code, error.to_string(), error.cure().unwrap_or_else(|| otherwise.to_owned()))
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let mut error = json!({"code": self.code.text(), "message": self.message, "cure": self.cure});
        if let Some(why) = &self.why {
            error["why"] = why.clone();
        }
        error
    }
}
