//! Games for other programs: a line of JSON in, a line of JSON out.
//!
//! A [`Server`] keeps games and answers requests about them; `docs/protocol.md` lists the requests. A [`RuleSource`]
//! provides the rules.
//!
//! **Invariant:** pure, and no input can stop it: every line gets one response. A client acting as a seat or a
//! spectator is shown what the room `play` shows it and no more; only the referee is shown everything, and must
//! identify itself in every request.

mod book;
mod document;
mod editing;
mod fault;
mod figures;
mod game;
mod host;
mod json;
mod parts;
mod request;
mod select;
mod simulate;
mod size;
mod turn;
mod unique;

use std::collections::BTreeMap;

use serde_json::{Value, json};

#[cfg(feature = "cli")]
pub(crate) use document::{Unfit, finding_json, impacts, report_json, settled};
use editing::Texts;
pub use fault::{Code, Fault};
#[cfg(feature = "cli")]
pub(crate) use figures::{difference_json, estimate_json, lengths_json, share_json, shares_json};
pub use host::{Hosted, Intended};
pub use json::offered;
#[cfg(feature = "cli")]
pub(crate) use json::outcome;
pub use request::Method;
pub use select::{RuleSource, Selection, bundled};

use crate::api::Rules;
use game::{Left, Open};
use request::{Fields, Request};
use simulate::Simulation;

/// The version of the protocol. It changes when a correct client could break; new methods and new fields in responses
/// do not change it.
pub const PROTOCOL: u32 = 1;

/// The limits of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum length of a line in bytes.
    pub line: usize,
    /// The maximum number of open games.
    pub games: usize,
    /// The maximum number of steps of all open games together; each keeps a position of a few kilobytes.
    pub steps: usize,
    /// The maximum size in bytes of the positions and the rules of all open games together, as estimated from their contents.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: 4 << 20, games: 1000, steps: 100_000, bytes: 1 << 30 }
    }
}

/// A line to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// One JSON object, without a line end.
    pub text: String,
    /// Whether the client asked to quit.
    pub quit: bool,
}

/// A server: open games, and requests about them.
pub struct Server<'a> {
    source: &'a dyn RuleSource,
    /// The default rules and setup of requests.
    defaults: Selection,
    limits: Limits,
    /// Rules loaded before, the latest last.
    opened: Vec<Rules>,
    games: BTreeMap<u64, Open>,
    /// About how many bytes their rules take.
    shelf: usize,
    /// The number of the latest game.
    last: u64,
    /// Clients' rule files.
    texts: Texts,
    simulations: BTreeMap<u64, Simulation>,
}

impl std::fmt::Debug for Server<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("games", &self.games.len()).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> Server<'a> {
    /// A server without games.
    #[must_use]
    pub fn new(source: &'a dyn RuleSource, defaults: Selection, limits: Limits) -> Self {
        Self {
            source,
            defaults,
            limits,
            opened: Vec::new(),
            games: BTreeMap::new(),
            shelf: 0,
            last: 0,
            texts: Texts::default(),
            simulations: BTreeMap::new(),
        }
    }

    /// The first line, before any request.
    #[must_use]
    pub fn greeting(&self) -> String {
        let Limits { line, games, steps, bytes } = self.limits;
        let limits = json!({"line": line, "games": games, "steps": steps, "bytes": bytes});
        let server = concat!("regelwerk ", env!("CARGO_PKG_VERSION"));
        json!({"protocol": PROTOCOL, "server": server, "rules": self.defaults.rules, "limits": limits}).to_string()
    }

    /// The response to a line.
    pub fn answer(&mut self, line: &str) -> Response {
        if line.len() > self.limits.line {
            return self.too_long();
        }
        self.source.begin();
        let (id, request) = request::parse(line);
        let quit = matches!(request, Ok(Request { method: Method::Quit, .. }));
        let text = match request.and_then(|request| self.carry_out(&request)) {
            Ok(result) => json!({"id": id, "result": result}),
            Err(fault) => json!({"id": id, "error": fault.json()}),
        };
        Response { text: text.to_string(), quit }
    }

    /// The response to a line that was too long to be read.
    #[must_use]
    pub fn too_long(&self) -> Response {
        let message = format!("the line has more than {} bytes", self.limits.line);
        Self::refused(&Fault::new(Code::TooLong, message, "send less in one request"))
    }

    /// The response to bytes that are not text.
    #[must_use]
    pub fn no_text(&self) -> Response {
        Self::refused(&Fault::new(Code::BadJson, "the line is not valid UTF-8", "send text as UTF-8"))
    }

    fn refused(fault: &Fault) -> Response {
        Response { text: json!({"id": null, "error": fault.json()}).to_string(), quit: false }
    }

    fn carry_out(&mut self, request: &Request) -> Result<Value, Fault> {
        let fields = &request.fields;
        match request.method {
            Method::Games => Ok(json!({"rules": self.source.names(), "usual": self.defaults.rules})),
            Method::Describe => self.describe(fields),
            Method::New => self.begin(fields),
            Method::Load => self.load(fields),
            Method::State => Ok(json!({"state": self.game(fields)?.state()})),
            Method::View => self.game(fields)?.view(fields),
            Method::Legal => self.game(fields)?.legal(fields),
            Method::Apply => {
                let left = self.left();
                self.game_mut(fields)?.play(fields, left)
            }
            Method::Why => self.game(fields)?.why(fields),
            Method::Events => self.game(fields)?.events(fields),
            Method::Undo => self.game_mut(fields)?.undo(fields),
            Method::Record => self.game(fields)?.record(fields),
            Method::Close => self.close(fields),
            Method::Components => self.game(fields)?.components(),
            Method::Picture => self.game(fields)?.picture(fields),
            Method::Choose => {
                let source = self.source;
                self.game(fields)?.choose(fields, &|| source.is_late())
            }
            Method::Simulate => self.simulate(fields),
            Method::Book => self.book(fields),
            Method::Document => self.document(fields),
            Method::Text => self.text(fields),
            Method::Write => self.write(fields),
            Method::Check => self.check(fields),
            Method::Format => self.format(fields),
            Method::Hover => self.hover(fields),
            Method::Complete => self.complete(fields),
            Method::Definition => self.definition(fields),
            Method::Rename => self.rename(fields),
            Method::Quit => Ok(json!({})),
        }
    }

    /// How much more may be kept.
    fn left(&self) -> Left {
        let steps: usize = self.games.values().map(Open::steps).sum();
        let bytes = self.shelf + self.games.values().map(Open::bytes).sum::<usize>();
        let steps = if bytes >= self.limits.bytes { 0 } else { self.limits.steps.saturating_sub(steps) };
        Left { steps, bytes: self.limits.bytes.saturating_sub(bytes) }
    }

    /// The number of a request's game: the only one open, if the request does not say.
    fn number(&self, fields: &Fields) -> Result<u64, Fault> {
        let number = match fields.number("game")? {
            Some(number) => number,
            None => match self.games.keys().collect::<Vec<_>>().as_slice() {
                [only] => **only,
                [] => return Err(Fault::new(Code::NoGame, "no game is open", "start one with `new`")),
                several => {
                    let cure = format!("{} games are open: say which one", several.len());
                    return Err(fields.missing("game", cure));
                }
            },
        };
        if self.games.contains_key(&number) {
            return Ok(number);
        }
        let cure = match self.games.last_key_value() {
            Some((last, _)) => format!("give the number that `new` gave; the last one open is {last}"),
            None => "start one with `new`".to_owned(),
        };
        Err(Fault::new(Code::NoGame, format!("no game {number} is open"), cure))
    }

    fn game(&self, fields: &Fields) -> Result<&Open, Fault> {
        let number = self.number(fields)?;
        self.games.get(&number).ok_or_else(|| closed(number))
    }

    fn game_mut(&mut self, fields: &Fields) -> Result<&mut Open, Fault> {
        let number = self.number(fields)?;
        self.games.get_mut(&number).ok_or_else(|| closed(number))
    }
}

fn closed(number: u64) -> Fault {
    Fault::new(Code::NoGame, format!("no game {number} is open"), "start one with `new`")
}
