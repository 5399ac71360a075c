//! Selecting rules and their setup, and starting games.

use serde_json::{Value, json};

use super::Server;
use super::fault::{Code, Fault};
use super::game::Open;
use super::json::{offered, opening};
use super::request::{Fields, near};
use crate::api::{LoadError, Loader, Rules, Session};
use crate::load::{RuleFile, Setup};
use crate::notation::parse_position;
use crate::play::{Record, ReplayError, SeatRecord, Seed};
use crate::say::Lang;

/// How many sets of rules stay loaded while no game uses them.
const KEPT: usize = 16;

/// … as long as all of them take no more than this part of the bytes that open games may take.
const FRACTION: usize = 16;

/// How to make room for more in memory.
const ROOM: &str = "`close` games that are over, or start the server with a greater `--max-bytes`";

/// The default rules and setup of requests.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The rules.
    pub rules: Option<String>,
    /// Their setup.
    pub setup: Setup,
    /// The seed of all chance.
    pub seed: Option<u64>,
}

/// A source of rules.
pub trait RuleSource {
    /// The names of the available rules.
    fn names(&self) -> Vec<String>;

    /// Loads rules by name.
    ///
    /// # Errors
    /// If they have errors, or do not support the setup.
    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault>;

    /// The rule file that rules of a name were loaded from, if it is neither bundled nor written by a client.
    fn rule_file(&self, _name: &str) -> Option<RuleFile> {
        None
    }

    /// A seed for a game whose client gives none.
    ///
    /// # Errors
    /// If there is no source of seeds.
    fn seed(&self) -> Result<Seed, Fault>;

    /// A request begins: the time that it may take counts from now.
    fn begin(&self) {}

    /// Whether the last request has taken the time that it may: a bot then plays the best that it has found, random games
    /// are given up, and no more of a record is played. It is asked often. Without a clock, no request is ever late.
    fn is_late(&self) -> bool {
        false
    }
}

impl Server<'_> {
    pub(super) fn describe(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let rules = self.rules(fields)?;
        let game = rules.game();
        let mut found = json!({"rules": rules.name(), "title": game.title, "documents": game.documents});
        for (name, value) in offered(fields.lang()?, game, rules.offer()) {
            found[name] = value;
        }
        Ok(found)
    }

    pub(super) fn begin(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let rules = self.rules(fields)?;
        let seed = self.game_seed(fields)?;
        self.open(Session::at(&rules, rules.engine().start(), None, seed, !drawn_by_client(fields)?), fields.lang()?)
    }

    pub(super) fn load(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let draws = !drawn_by_client(fields)?;
        match (fields.text("position")?, fields.value("record")) {
            (Some(text), None) => {
                let rules = self.rules(fields)?;
                let seed = self.game_seed(fields)?;
                let start = parse_position(rules.engine(), text).map_err(|error| {
                    Fault::text(Code::BadPosition, &error, "take the text from `view` as the referee")
                })?;
                self.open(Session::at(&rules, start, Some(text.to_owned()), seed, draws), fields.lang()?)
            }
            (None, Some(value)) => {
                let settled = ["rules", "players", "variants", "readings", "options", "seed"];
                if let Some(name) = settled.into_iter().find(|name| fields.value(name).is_some()) {
                    let message = format!("a record already determines `{name}`");
                    return Err(Fault::new(Code::BadValue, message, format!("remove `{name}`")));
                }
                let record = read(value)?;
                let left = self.left();
                if record.steps.len() > left.steps {
                    return Err(full(left.steps));
                }
                let rules = self.opened(&record.game, &record.setup())?;
                let begun = record.start(rules.engine()).map_err(|error| misfit(error.to_string()))?;
                let mut session = Session::at(&rules, begun, record.position.clone(), record.seed, draws);
                let source = self.source;
                // What a record takes shows when it is played: of a shuffle not every card is kept.
                let played = session.replay_while(&record, &|bytes| bytes <= left.bytes && !source.is_late());
                let played = played.map_err(|error| misfit(error.to_string()))?;
                if session.bytes() > left.bytes {
                    return Err(heavy());
                }
                if !played {
                    let message = format!("playing {} steps takes longer than a request may take", record.steps.len());
                    return Err(Fault::new(Code::Limit, message, "start the server with a greater `--max-time`"));
                }
                let same = record.fits(rules.game());
                let mut found = self.open(session, fields.lang()?)?;
                found["same_rules"] = json!(same);
                Ok(found)
            }
            (Some(_), Some(_)) => {
                Err(Fault::new(Code::BadValue, "both `position` and `record` are given", "remove one of the two"))
            }
            (None, None) => {
                Err(fields.missing("position", "give a `position` or a `record`; `new` starts from the beginning"))
            }
        }
    }

    /// Ends a game.
    pub(super) fn close(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let number = self.number(fields)?;
        if let Some(open) = self.games.remove(&number) {
            self.shelf = self.shelf.saturating_sub(self.takes(open.session.rules()));
        }
        Ok(json!({"game": number}))
    }

    /// About how many bytes rules take beside those of the open games.
    fn takes(&self, rules: &Rules) -> usize {
        rules.bytes_beside(self.games.values().map(|open| open.session.rules()))
    }

    /// Adds a game, and draws its first chance outcomes.
    fn open(&mut self, session: Session, lang: Lang) -> Result<Value, Fault> {
        if self.games.len() >= self.limits.games {
            let message = format!("{} games are open, which is the limit", self.games.len());
            return Err(Fault::new(Code::Limit, message, "`close` one that is over"));
        }
        let rules = self.takes(session.rules());
        if rules > self.left().bytes {
            let message = "these rules take more memory than is left for open games";
            return Err(Fault::new(Code::Limit, message, ROOM));
        }
        if session.bytes() > self.left().bytes.saturating_sub(rules) {
            let message = "this game takes more memory than is left for open games";
            return Err(Fault::new(Code::Limit, message, ROOM));
        }
        let mut open = Open { number: self.last + 1, session, lang };
        open.draw(self.left().without(&open))?;
        self.last += 1;
        self.shelf += rules;
        let mut found = opening(open.session.rules());
        found["game"] = json!(open.number);
        found["state"] = open.state();
        self.games.insert(self.last, open);
        Ok(found)
    }

    /// The seed of a new game. One given at the start is that of the first game; the others have seeds of their own, which
    /// cannot be worked out from each other.
    fn game_seed(&self, fields: &Fields) -> Result<Seed, Fault> {
        match (fields.number("seed")?, self.defaults.seed) {
            (Some(seed), _) => Ok(seed.into()),
            (None, Some(seed)) => Ok(Seed::from(seed).nth(self.last)),
            (None, None) => self.source.seed(),
        }
    }

    /// The seed of random games for figures, which is told: from one given at the start the open games cannot be worked out.
    pub(super) fn seed(&self, fields: &Fields) -> Result<u64, Fault> {
        match (fields.number("seed")?, self.defaults.seed) {
            (Some(seed), _) => Ok(seed),
            (None, Some(seed)) => Ok(Seed::from(seed).nth(u64::MAX).short()),
            (None, None) => self.source.seed().map(Seed::short),
        }
    }

    /// The rules and setup that a request names.
    pub(super) fn rules(&mut self, fields: &Fields) -> Result<Rules, Fault> {
        self.rules_or(fields, None)
    }

    /// The same, with default rules for a request that names none.
    pub(super) fn rules_or(&mut self, fields: &Fields, other: Option<&str>) -> Result<Rules, Fault> {
        let asked = fields.text("rules")?.or(other);
        let Some(name) = asked.or(self.defaults.rules.as_deref()).map(str::to_owned) else {
            return Err(fields.missing("rules", near("", self.source.names().iter().map(String::as_str))));
        };
        let defaults = Some(&name) == self.defaults.rules.as_ref();
        let mut setup = if defaults { self.defaults.setup.clone() } else { Setup::default() };
        if let Some(players) = fields.number("players")? {
            let Ok(players) = u32::try_from(players) else {
                let message = format!("`{name}` cannot be played by {players}");
                return Err(Fault::new(Code::BadSelection, message, "`describe` lists the numbers of players"));
            };
            setup.players = Some(players);
        }
        if let Some(variants) = fields.texts("variants")? {
            setup.variants = variants;
        }
        for (given, settled) in
            [(fields.pairs("readings")?, &mut setup.readings), (fields.pairs("options")?, &mut setup.options)]
        {
            settled.retain(|(name, _)| given.iter().all(|(other, _)| other != name));
            settled.extend(given);
        }
        self.opened(&name, &setup)
    }

    fn opened(&mut self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        if let Some(at) = self.opened.iter().position(|rules| rules.name() == name && rules.setup() == setup) {
            let rules = self.opened.remove(at);
            self.opened.push(rules.clone());
            return Ok(rules);
        }
        if let Some((file, text)) = self.texts.replaced(name).filter(|_| self.defaults.rules.as_deref() != Some(name)) {
            let rules = Loader::of(setup.clone()).text_with(&file, &text, &self.texts)?;
            return Ok(self.keep(rules));
        }
        let mut names = self.source.names();
        names.extend(self.texts.names().cloned());
        if !names.iter().any(|known| known == name) {
            let cure = near(name, names.iter().map(String::as_str));
            return Err(Fault::new(Code::UnknownRules, format!("there are no rules `{name}` here"), cure));
        }
        let rules = self.source.open(name, setup)?;
        Ok(self.keep(rules))
    }

    fn keep(&mut self, rules: Rules) -> Rules {
        let rules = match self.opened.iter().rfind(|other| other.name() == rules.name()) {
            Some(other) => rules.beside(other),
            None => rules,
        };
        // What no game is played by is no more than a fraction of what games may take.
        let mut left = (self.limits.bytes / FRACTION).saturating_sub(rules.bytes_beside(std::iter::empty()));
        let sizes = self.opened.iter().rev().take(KEPT - 1).map(|rules| rules.bytes_beside(std::iter::empty()));
        let fits = sizes.take_while(|bytes| {
            let fits = *bytes <= left;
            left = left.saturating_sub(*bytes);
            fits
        });
        let kept = fits.count();
        self.opened.drain(..self.opened.len() - kept);
        self.opened.push(rules.clone());
        rules
    }
}

/// A bundled game, for shelves that have no others.
///
/// # Errors
/// If there is none with that name, or it does not support the setup.
pub fn bundled(name: &str, setup: &Setup) -> Result<Rules, Fault> {
    Ok(Loader::of(setup.clone()).bundled(name)?)
}

impl From<LoadError> for Fault {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Unknown { name, cure } => {
                Self::new(Code::UnknownRules, format!("there are no rules `{name}` here"), cure)
            }
            #[cfg(feature = "files")]
            LoadError::File(error) => Self::new(Code::UnknownRules, error.to_string(), "name another file"),
            LoadError::Setting { message, cure } => Self::new(Code::BadSelection, message, cure),
            LoadError::Faults(found) => {
                let first = found.list().into_iter().find(|one| one.severity == "error");
                let first = first.map_or_else(String::new, |one| format!(": line {}: {}", one.place.line, one.message));
                Self::new(Code::BadRules, format!("the rules have errors{first}"), "`check` lists them")
            }
        }
    }
}

/// Whether the client chooses chance outcomes.
fn drawn_by_client(fields: &Fields) -> Result<bool, Fault> {
    match fields.text("chance")? {
        None | Some("server") => Ok(false),
        Some("client") => Ok(true),
        Some(other) => {
            let cure = near(other, ["server", "client"].into_iter());
            Err(Fault::new(Code::BadValue, format!("`{other}` cannot draw for chance"), cure))
        }
    }
}

/// A record given as an object, as `record` returns it, or as the text of a file.
fn read(value: &Value) -> Result<Record, Fault> {
    let cure = "give the result of `record`, or the text of a file written by `save`";
    if let Value::String(text) = value {
        return Record::parse(text).map_err(|error| Fault::new(Code::BadRecord, error.to_string(), cure));
    }
    // One of a seat says why it cannot be played again.
    if let Ok(SeatRecord { seat, .. }) = serde_json::from_value(value.clone()) {
        return Err(Fault::new(Code::BadRecord, ReplayError::of_seat(seat).to_string(), cure));
    }
    serde_json::from_value(value.clone())
        .map_err(|error| Fault::new(Code::BadRecord, format!("this is not a record of a game: {error}"), cure))
}

fn misfit(message: String) -> Fault {
    Fault::new(Code::BadRecord, message, "load it with the rules it was played with, or shorten its steps")
}

/// The error when the positions of a record take more memory than is left.
fn heavy() -> Fault {
    let message = "the positions of this record take more memory than is left for open games";
    Fault::new(Code::Limit, message, ROOM)
}

/// The error when no more steps can be kept.
pub(super) fn full(left: usize) -> Fault {
    let message = format!("the open games are long: only {left} more steps can be stored");
    let cure = "`close` games that are over, or start the server with a greater `--max-steps` or `--max-bytes`";
    Fault::new(Code::Limit, message, cure)
}
