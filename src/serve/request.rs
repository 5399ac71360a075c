//! Requests: methods, their fields, and parsing.

use serde_json::{Map, Value};

use super::fault::{Code, Fault};
use super::unique::Unique;
use crate::base::nearest;
use crate::say::Lang;

/// The fields of the envelope.
const ENVELOPE: [&str; 3] = ["id", "method", "params"];

/// The fields that choose rules and setup, with additional ones.
macro_rules! selection {
    ($($more:literal),*) => { &["rules", "players", "variants", "readings", "options", $($more),*] };
}

/// The fields that choose rules and setup.
pub(super) const SELECTION: &[&str] = selection!();

macro_rules! methods {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $fields:expr;)*) => {
        /// The methods.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Method { $($(#[$doc])* $variant,)* }

        impl Method {
            /// All methods.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in requests.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The names of its fields.
            #[must_use]
            pub fn fields(self) -> &'static [&'static str] {
                match self { $(Self::$variant => $fields,)* }
            }
        }
    };
}

methods! {
    /// Lists the available rules.
    Games = "games", &[];
    /// Lists the settings of rules.
    Describe = "describe", selection!("language");
    /// Begins a game.
    New = "new", selection!("seed", "chance", "language");
    /// Starts a game at a position, or continues a record.
    Load = "load", selection!("seed", "chance", "position", "record", "language");
    /// The public state of a game.
    State = "state", &["game"];
    /// What the sender sees of a game.
    View = "view", &["game", "who", "step"];
    /// The legal moves of the sender.
    Legal = "legal", &["game", "who", "from", "limit", "parts"];
    /// Plays a move, makes a claim or an offer.
    Apply = "apply", &["game", "who", "move", "time"];
    /// Which rules make a move legal, or why it is not.
    Why = "why", &["game", "who", "move", "time"];
    /// The events of a game, as told to the sender.
    Events = "events", &["game", "who", "from", "limit"];
    /// Undoes the last decision.
    Undo = "undo", &["game", "who"];
    /// The record of a game.
    Record = "record", &["game", "who"];
    /// Closes a game.
    Close = "close", &["game"];
    /// The components of a game.
    Components = "components", &["game"];
    /// A drawing of the boards as the sender sees them.
    Picture = "picture", &["game", "who", "step"];
    /// A bot's move for the sender.
    Choose = "choose", &["game", "who", "bot"];
    /// Plays random games, or pairs of them, and summarizes them.
    Simulate = "simulate", selection!("against", "games", "seed", "cap", "simulation");
    /// A rulebook.
    Book = "book", selection!("language");
    /// A copy of the source document, held against the registry of the rules.
    Document = "document", &["file", "text"];
    /// The text of a rule file.
    Text = "text", &["file"];
    /// Stores a text as a rule file, or deletes it.
    Write = "write", &["file", "text"];
    /// The errors of a rule file.
    Check = "check", &["file"];
    /// A rule file as formatted by `fmt`.
    Format = "format", &["file"];
    /// The hover text at an offset in a rule file.
    Hover = "hover", &["file", "at"];
    /// The completions at an offset in a rule file.
    Complete = "complete", &["file", "at"];
    /// The declaration of the name at an offset in a rule file.
    Definition = "definition", &["file", "at"];
    /// The places to change when a name is renamed.
    Rename = "rename", &["file", "at", "name"];
    /// Stops the server.
    Quit = "quit", &[];
}

/// A well-formed request.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) fields: Fields,
}

/// The id of a request, to be echoed, and the request; the id is null if it is absent or unreadable.
pub(super) fn parse(line: &str) -> (Value, Result<Request, Fault>) {
    match serde_json::from_str(line).map(|Unique(value)| value) {
        Ok(Value::Object(object)) => {
            let id = object.get("id").filter(|id| id.is_string() || is_whole(id)).cloned().unwrap_or_default();
            (id, envelope(object))
        }
        Ok(other) => {
            let message = format!("a request is an object, not {}", kind(&other));
            (Value::Null, Err(Fault::new(Code::BadJson, message, EXAMPLE)))
        }
        Err(error) if error.is_data() => {
            (Value::Null, Err(Fault::new(Code::BadJson, error.to_string(), "name each field once")))
        }
        Err(error) => {
            (Value::Null, Err(Fault::new(Code::BadJson, format!("this is not valid JSON: {error}"), EXAMPLE)))
        }
    }
}

/// Whether a value is a number that is echoed as it was sent.
fn is_whole(value: &Value) -> bool {
    value.is_i64() || value.is_u64()
}

/// The form of a request.
const EXAMPLE: &str = r#"write one object on a line, such as {"id": 1, "method": "games"}"#;

fn envelope(mut object: Map<String, Value>) -> Result<Request, Fault> {
    known("a request", &object, &ENVELOPE)?;
    match object.get("id") {
        Some(id) if id.is_string() || is_whole(id) => {}
        // It could not be echoed as it was sent.
        Some(Value::Number(number)) => {
            let message = format!("`id` is {number}, which is no whole number of 64 bits");
            return Err(Fault::new(Code::BadValue, message, "send longer numbers as a string"));
        }
        Some(other) => return Err(wrong("id", "a number or a string", other)),
        None => {
            let cure = "number the requests: the response has the same `id`";
            return Err(Fault::new(Code::MissingField, "the request has no `id`", cure));
        }
    }
    let names = || Method::ALL.iter().map(|method| method.name());
    let method = match object.get("method") {
        Some(Value::String(name)) => {
            Method::ALL.iter().copied().find(|method| method.name() == name).ok_or_else(|| {
                Fault::new(Code::UnknownMethod, format!("there is no method `{name}`"), near(name, names()))
            })?
        }
        Some(other) => return Err(wrong("method", "a text", other)),
        None => {
            let cure = format!("name one of {}", names().collect::<Vec<_>>().join(", "));
            return Err(Fault::new(Code::MissingField, "the request has no `method`", cure));
        }
    };
    let given = match object.remove("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(fields)) => fields,
        Some(other) => return Err(wrong("params", "an object", &other)),
    };
    known(&format!("`{}`", method.name()), &given, method.fields())?;
    Ok(Request { method, fields: Fields { method, given } })
}

/// Refuses unknown fields.
fn known(whose: &str, given: &Map<String, Value>, fields: &[&str]) -> Result<(), Fault> {
    match given.keys().find(|name| !fields.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("{whose} has no field `{name}`");
            Err(Fault::new(Code::UnknownField, message, near(name, fields.iter().copied())))
        }
    }
}

/// The most similar name, or all names.
pub(super) fn near<'a>(name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => match names.collect::<Vec<_>>().as_slice() {
            [] => "remove it: there are none".to_owned(),
            several => format!("the choices are {}", several.join(", ")),
        },
    }
}

/// The type of a JSON value, with its article.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn wrong(name: &str, wanted: &str, found: &Value) -> Fault {
    Fault::new(Code::BadValue, format!("`{name}` is {}", kind(found)), format!("give {wanted}"))
}

/// The fields of a request; null counts as absent.
#[derive(Debug)]
pub(super) struct Fields {
    method: Method,
    given: Map<String, Value>,
}

impl Fields {
    /// The fields of a request that this program makes itself.
    pub(super) fn of(method: Method, given: Map<String, Value>) -> Self {
        Self { method, given }
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.given.insert(name.to_owned(), value);
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.given.get(name).filter(|value| !value.is_null())
    }

    /// The error for a missing field.
    pub(super) fn missing(&self, name: &str, cure: impl Into<String>) -> Fault {
        Fault::new(Code::MissingField, format!("`{}` needs the field `{name}`", self.method.name()), cure)
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(name, "a text", other)),
        }
    }

    /// The language of what people are told; English unless a request says otherwise.
    pub(super) fn lang(&self) -> Result<Lang, Fault> {
        let Some(tag) = self.text("language")? else { return Ok(Lang::default()) };
        Lang::of(tag).ok_or_else(|| {
            let message = format!("there are no words in `{tag}`");
            Fault::new(Code::BadValue, message, near(tag, Lang::ALL.iter().map(|lang| lang.tag())))
        })
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) => Ok(Some(number)),
                None if value.is_number() => {
                    let message = format!("`{name}` is {value}");
                    Err(Fault::new(Code::BadValue, message, format!("give a whole number from 0 to {}", u64::MAX)))
                }
                None => Err(wrong(name, "a whole number", value)),
            },
        }
    }

    /// A truth value; false if absent.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong(name, "true or false", other)),
        }
    }

    /// A nested object with certain fields.
    pub(super) fn inner(&self, name: &str, fields: &[&str]) -> Result<Option<Self>, Fault> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Object(given)) => {
                known(&format!("`{name}`"), given, fields)?;
                Ok(Some(Self { method: self.method, given: given.clone() }))
            }
            Some(other) => Err(wrong(name, "an object", other)),
        }
    }

    pub(super) fn texts(&self, name: &str) -> Result<Option<Vec<String>>, Fault> {
        let wanted = "a list of strings";
        match self.value(name) {
            None => Ok(None),
            Some(Value::Array(list)) => {
                let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| wrong(name, wanted, value));
                list.iter().map(text).collect::<Result<_, _>>().map(Some)
            }
            Some(other) => Err(wrong(name, wanted, other)),
        }
    }

    /// Names with values; numbers and truth values are taken as they are written.
    pub(super) fn pairs(&self, name: &str) -> Result<Vec<(String, String)>, Fault> {
        let wanted = "an object that maps names to strings or numbers";
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(Value::Object(object)) => {
                let pair = |(key, value): (&String, &Value)| match value {
                    Value::String(text) => Ok((key.clone(), text.clone())),
                    Value::Number(_) | Value::Bool(_) => Ok((key.clone(), value.to_string())),
                    Value::Null | Value::Array(_) | Value::Object(_) => {
                        Err(wrong(&format!("{name}.{key}"), "a string, a number or a truth value", value))
                    }
                };
                object.iter().map(pair).collect()
            }
            Some(other) => Err(wrong(name, wanted, other)),
        }
    }
}
