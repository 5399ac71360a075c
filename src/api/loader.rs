//! Loading rules: where their text comes from, and what setup is chosen.

use std::collections::BTreeSet;
#[cfg(feature = "files")]
use std::path::Path;
use std::sync::Arc;

use super::diagnostics::Diagnostics;
use super::error::LoadError;
use super::rules::Rules;
use crate::base::nearest;
use crate::bundled::{self, Bundled};
use crate::engine::Fast;
#[cfg(feature = "files")]
use crate::files::{Library, find_rules};
use crate::ir::Game;
use crate::load::{Asked, Choice, Files, Loaded, Offer, RuleFile, Setup, check_all};
use crate::mend::{Subject, offer};

/// The most variants, readings or options that a setup can choose.
const CHOICES: usize = 1000;

/// A builder: chooses a setup (player count, variants, readings, options), then loads rules.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Loader {
    setup: Setup,
    measures: Vec<Asked>,
}

impl Loader {
    /// A setup that has been chosen elsewhere.
    #[cfg(feature = "serve")]
    pub(crate) fn of(setup: Setup) -> Self {
        Self { setup, measures: Vec::new() }
    }

    /// Sets the number of players; by default the first one the rules list.
    pub fn players(mut self, players: u32) -> Self {
        self.setup.players = Some(players);
        self
    }

    /// Adds a variant; may be called several times.
    pub fn variant(mut self, name: impl Into<String>) -> Self {
        self.setup.variants.push(name.into());
        self
    }

    /// Selects an alternative reading of a gap in the document.
    pub fn reading(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.setup.readings.push((name.into(), value.into()));
        self
    }

    /// Sets an option.
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.setup.options.push((name.into(), value.into()));
        self
    }

    /// Adds a measure: an expression of the language, a number or a condition, that simulations read at the end of each
    /// game. It is no part of the rules.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let rules = regelwerk::Rules::loader()
    ///     .measure("marks", "count(mark)")
    ///     .measure_by_turn("free", "count(empty)")
    ///     .path("tests/fixtures/tictactoe.rules")?;
    /// let found = rules.simulate(200).run();
    /// let marks: Vec<_> = found.measures().collect();
    /// assert_eq!(marks[0].0, "marks");
    /// assert_eq!(marks[0].1.mean.value, found.lengths().mean.value);
    /// assert_eq!((marks[1].1.min, marks[1].1.max), (1, 9));
    /// # Ok(())
    /// # }
    /// ```
    pub fn measure(mut self, name: impl Into<String>, expression: impl Into<String>) -> Self {
        self.measures.push(Asked { name: name.into(), text: expression.into(), by_turn: false });
        self
    }

    /// The same, read at the beginning of each turn in which a seat is asked something; at each decision where the
    /// rules have no turns.
    pub fn measure_by_turn(mut self, name: impl Into<String>, expression: impl Into<String>) -> Self {
        self.measures.push(Asked { name: name.into(), text: expression.into(), by_turn: true });
        self
    }

    /// Loads a bundled game by name; see [`Rules::bundled_names`].
    ///
    /// # Errors
    /// If there is no such game, or it does not support the chosen setup.
    pub fn bundled(&self, name: &str) -> Result<Rules, LoadError> {
        let Some((file, text)) = bundled::find(name) else {
            return Err(LoadError::Unknown { name: name.to_owned(), cure: bundled::suggest(name) });
        };
        self.open(name, &file, text, &Bundled)
    }

    /// Loads a rule file from a path, with the files it refers to; the name of a bundled game is accepted too.
    ///
    /// # Errors
    /// If a file cannot be read, the rules have errors, or do not support the chosen setup.
    #[cfg(feature = "files")]
    pub fn path(&self, path: impl AsRef<Path>) -> Result<Rules, LoadError> {
        let path = path.as_ref().to_string_lossy();
        let (file, text) = find_rules(&path).map_err(LoadError::File)?;
        self.open(&path, &file, &text, &Library)
    }

    /// Loads rules from their text. They may extend a bundled game. `name` is used
    /// in reports.
    ///
    /// # Errors
    /// If the rules have errors, or do not support the chosen setup.
    pub fn text(&self, name: &str, text: &str) -> Result<Rules, LoadError> {
        self.open(name, name, text, &Bundled)
    }

    /// The same, with other files than the bundled ones available to the rules.
    ///
    /// # Errors
    /// As [`Loader::text`].
    pub fn text_with(&self, name: &str, text: &str, files: &dyn Files) -> Result<Rules, LoadError> {
        self.open(name, name, text, files)
    }

    fn open(&self, label: &str, name: &str, text: &str, files: &dyn Files) -> Result<Rules, LoadError> {
        let rules = RuleFile::read(name, text, files).measuring(&self.measures);
        let (loaded, game) = checked(label, &rules, &self.setup)?;
        let found = Diagnostics::new(loaded.sources, loaded.reports);
        Ok(Rules::new(label, self.setup.clone(), loaded.offer, found, Arc::new(Fast::new(game))))
    }
}

impl Rules {
    /// Checks rules under every player count, variant and reading, with fixes for errors.
    #[must_use]
    pub fn check(name: &str, text: &str, files: &dyn Files) -> Diagnostics {
        let loaded = check_with_fixes(name, text, files);
        Diagnostics::new(loaded.sources, loaded.reports)
    }

    /// Checks a rule file under every player count, variant and reading, with fixes for errors.
    ///
    /// # Errors
    /// If it cannot be read.
    #[cfg(feature = "files")]
    pub fn check_path(path: impl AsRef<Path>) -> Result<Diagnostics, LoadError> {
        let (name, text) = find_rules(&path.as_ref().to_string_lossy()).map_err(LoadError::File)?;
        Ok(Self::check(&name, &text, &Library))
    }
}

/// The reports on a file in all its setups, with tested fixes.
pub(crate) fn check_with_fixes(name: &str, text: &str, files: &dyn Files) -> Loaded {
    let mut loaded = check_all(name, text, files);
    offer_fixes(Subject { name, text, files }, &mut loaded);
    loaded
}

/// Attaches tested fixes to the errors of a file that was checked in all its setups.
pub(crate) fn offer_fixes(subject: Subject<'_>, loaded: &mut Loaded) {
    if loaded.reports.has_errors() {
        let setup = loaded.wrong.clone().unwrap_or_default();
        offer(subject, &setup, loaded);
    }
}

/// Loads rules and their game, or says why there is none. `label` is the caller's name for the rules.
pub(crate) fn checked(label: &str, rules: &RuleFile, setup: &Setup) -> Result<(Loaded, Game), LoadError> {
    counted(setup)?;
    let mut loaded = rules.load(setup);
    fits(label, setup, &loaded.offer)?;
    if let Some(game) = loaded.game.take() {
        return Ok((loaded, game));
    }
    if loaded.offer.players.is_empty() && *setup != Setup::default() {
        // An unsupported setup is the caller's error, not the file's.
        fits(label, setup, &rules.load(&Setup::default()).offer)?;
    }
    Err(LoadError::Faults(Diagnostics::new(loaded.sources, loaded.reports)))
}

/// Whether a setup chooses no more than can be meant, and no variant twice, whatever the game.
fn counted(setup: &Setup) -> Result<(), LoadError> {
    let refused = |message: String, cure: &str| Err(LoadError::Setting { message, cure: cure.to_owned() });
    let chosen = setup.variants.len().max(setup.readings.len()).max(setup.options.len());
    if chosen > CHOICES {
        return refused(format!("{chosen} choices are more than the {CHOICES} that a setup can have"), "choose fewer");
    }
    let mut before = BTreeSet::new();
    match setup.variants.iter().find(|name| !before.insert(name.as_str())) {
        Some(twice) => refused(format!("the variant `{twice}` is chosen twice"), "remove one of them"),
        None => Ok(()),
    }
}

/// Whether a game supports a setup.
fn fits(game: &str, setup: &Setup, offer: &Offer) -> Result<(), LoadError> {
    let refused = |message: String, cure: String| Err(LoadError::Setting { message, cure });
    if let Some(players) = setup.players.filter(|players| !offer.players.is_empty() && !offer.players.contains(players))
    {
        let numbers: Vec<String> = offer.players.iter().map(u32::to_string).collect();
        let message = format!("{game} cannot be played by {players}");
        return refused(message, format!("choose {} players", numbers.join(" or ")));
    }
    if offer.players.is_empty() {
        // The file could not be read far enough to list its setups; its errors say more.
        return Ok(());
    }
    for variant in &setup.variants {
        let names: Vec<&str> = offer.variants.iter().map(|(name, _, _)| name.as_str()).collect();
        known(game, "variant", variant, &names)?;
    }
    for (given, choices, what) in
        [(&setup.readings, &offer.readings, "reading"), (&setup.options, &offer.options, "option")]
    {
        for (at, (name, value)) in given.iter().enumerate() {
            if let Some((_, first)) = given[..at].iter().find(|(other, _)| other == name) {
                let message = format!("the {what} `{name}` is set twice: `{first}` and `{value}`");
                return refused(message, "remove one of them".to_owned());
            }
            let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
            known(game, what, name, &names)?;
            let choice: Option<&Choice> = choices.iter().find(|choice| choice.name == *name);
            let values: Vec<&str> = choice.into_iter().flat_map(|choice| &choice.values).map(String::as_str).collect();
            if !values.is_empty() {
                known(game, &format!("value of {name}"), value, &values)?;
            }
        }
    }
    Ok(())
}

fn known(game: &str, what: &str, name: &str, names: &[&str]) -> Result<(), LoadError> {
    if names.contains(&name) {
        return Ok(());
    }
    let numbers: Option<Vec<i64>> = names.iter().map(|name| name.parse().ok()).collect();
    let near = nearest(name, names.iter().copied()).filter(|_| numbers.is_none());
    let cure = match (near, names.is_empty()) {
        _ if let Some([first, .., last]) = numbers.as_deref()
            && usize::try_from(last - first).is_ok_and(|steps| steps + 1 == names.len()) =>
        {
            format!("it ranges from {first} to {last}")
        }
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => {
            format!("it has none; `regelwerk show {game} --options` lists what can be set")
        }
        (None, false) => format!("the choices are {}", names.join(", ")),
    };
    Err(LoadError::Setting { message: format!("{game} has no {what} `{name}`"), cure })
}
