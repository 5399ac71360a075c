//! Rules that can be played.

use std::fmt;
#[cfg(feature = "files")]
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::bot::Bot;
use super::diagnostics::Diagnostics;
use super::error::LoadError;
use super::loader::Loader;
use super::session::Session;
use super::statistics::Simulation;
use super::tournament::Tournament;
use crate::base::Sources;
use crate::bots::Evaluation;
use crate::bundled;
use crate::ir::Game;
use crate::load::{Choice, Offer, Setup};
use crate::model::Engine;
#[cfg(feature = "module")]
use crate::module::{Untranslated, module};
#[cfg(feature = "native")]
use crate::native::{Native, NativeError};
use crate::notation::NotationError;
use crate::play::{Record, ReplayError};

/// The rules of a game in one setup, ready to be played. Clones are cheap and share everything.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use regelwerk::Rules;
///
/// let text = "
///   game row \"In a row\"
///   players cross, nought
///   option size = 3 from 3..9
///   board square size x size
///   piece mark owned
///   action place { choose square in empty  put own mark on square }
///   play { turns { mover plays place } }
///   end row after move when line(own mark, 3) { win me }
///   end full after move when no empty { draw }
/// ";
/// let rules = Rules::from_text("row.rules", text)?;
/// assert_eq!((rules.title(), rules.player_counts()), ("In a row", &[2][..]));
/// let larger = Rules::loader().option("size", "5").text("row.rules", text)?;
/// assert_eq!(larger.session(0).legal_moves().len(), 25);
/// assert_ne!(rules.digest(), larger.digest());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Rules(Arc<Inner>);

/// What the rules of a small game take in bytes, and those of a long file for each byte of it, as measured with the bundled games.
const OF_RULES: usize = 64 << 10;
const BYTES_A_CHARACTER: usize = 24;

struct Inner {
    name: String,
    setup: Setup,
    /// What there is to choose from: shared among the setups of a file, since the values of an option can be a hundred thousand.
    offer: Arc<Offer>,
    found: Diagnostics,
    engine: Arc<dyn Engine>,
    /// The evaluation of positions, computed when a bot first needs it.
    evaluation: OnceLock<Arc<Evaluation>>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("name", &self.0.name).field("setup", &self.0.setup).finish_non_exhaustive()
    }
}

impl Rules {
    /// Loads a bundled game with its default setup; see [`Rules::bundled_names`].
    ///
    /// # Errors
    /// If there is no such game.
    pub fn bundled(name: &str) -> Result<Self, LoadError> {
        Self::loader().bundled(name)
    }

    /// The names of the bundled games.
    #[must_use]
    pub fn bundled_names() -> Vec<&'static str> {
        bundled::all()
    }

    /// Loads a rule file, with the files it refers to.
    ///
    /// # Errors
    /// If a file cannot be read, or the rules have errors.
    #[cfg(feature = "files")]
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::loader().path(path)
    }

    /// Loads rules from their text. They may extend a bundled game. `name` is used in reports.
    ///
    /// # Errors
    /// If the rules have errors.
    pub fn from_text(name: &str, text: &str) -> Result<Self, LoadError> {
        Self::loader().text(name, text)
    }

    /// A builder that chooses players, variants, readings and options first.
    pub fn loader() -> Loader {
        Loader::default()
    }

    /// Rules on a given interpreter.
    #[doc(hidden)]
    #[must_use]
    pub fn new(name: &str, setup: Setup, offer: Offer, found: Diagnostics, engine: Arc<dyn Engine>) -> Self {
        let (name, offer) = (name.to_owned(), Arc::new(offer));
        Self(Arc::new(Inner { name, setup, offer, found, engine, evaluation: OnceLock::new() }))
    }

    /// The same, which shares with another setup of its file what there is to choose from: for programs that keep very many
    /// setups of a game.
    #[must_use]
    pub fn beside(self, other: &Self) -> Self {
        if self.0.offer != other.0.offer || self.is(other) {
            return self;
        }
        let Inner { name, setup, found, engine, .. } = &*self.0;
        let (name, setup, offer) = (name.clone(), setup.clone(), Arc::clone(&other.0.offer));
        let (found, engine) = (found.clone(), Arc::clone(engine));
        Self(Arc::new(Inner { name, setup, offer, found, engine, evaluation: OnceLock::new() }))
    }

    /// Whether these are clones of the same rules.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// About how many bytes they take in memory beside others, with which they may share: none beside clones of themselves. For
    /// programs that keep very many setups of games.
    pub fn bytes_beside<'a>(&self, mut others: impl Iterator<Item = &'a Self> + Clone) -> usize {
        if others.clone().any(|other| self.is(other)) {
            return 0;
        }
        let shared = others.any(|other| Arc::ptr_eq(&self.0.offer, &other.0.offer));
        let texts: usize = self.sources().texts().map(str::len).sum();
        let offer = if shared { 0 } else { self.0.offer.bytes() };
        OF_RULES + texts * BYTES_A_CHARACTER + self.game().bytes() + offer
    }

    /// The name or path they were loaded from.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The title of the game.
    #[must_use]
    pub fn title(&self) -> &str {
        let game = self.game();
        if game.title.is_empty() { &game.name } else { &game.title }
    }

    /// The titles of the seats, in turn order.
    pub fn seats(&self) -> impl Iterator<Item = &str> {
        let game = self.game();
        (0..game.seats.len()).map(|seat| crate::view::seat_title(game, seat))
    }

    /// A digest of the resolved rules, to which records are pinned: the same on every machine, and independent of the
    /// comments and layout of the file.
    #[must_use]
    pub fn digest(&self) -> String {
        self.game().pin()
    }

    /// The supported numbers of players, the default first.
    #[must_use]
    pub fn player_counts(&self) -> &[u32] {
        &self.0.offer.players
    }

    /// The variants, each with its title.
    pub fn variants(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.offer.variants.iter().map(|(name, title, _)| (name.as_str(), title.as_str()))
    }

    /// The readings: what the document leaves open.
    #[must_use]
    pub fn readings(&self) -> &[Choice] {
        &self.0.offer.readings
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &[Choice] {
        &self.0.offer.options
    }

    /// Warnings: what is most likely not intended, though the rules can be played.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        &self.0.found
    }

    /// Starts a game whose chance and bots use a random seed: the same seed gives the same game.
    #[must_use]
    pub fn session(&self, seed: u64) -> Session {
        Session::begin(self, self.engine().start(), None, seed.into(), true)
    }

    /// The same, but questions to chance are left to the program: its outcomes are the legal moves.
    #[must_use]
    pub fn session_with_chance(&self, seed: u64) -> Session {
        Session::begin(self, self.engine().start(), None, seed.into(), false)
    }

    /// Starts a game from a position, as [`Position::text`](super::Position::text) writes it.
    ///
    /// # Errors
    /// If the text does not match the rules.
    pub fn session_at(&self, position: &str, seed: u64) -> Result<Session, NotationError> {
        let start = crate::notation::parse_position(self.engine(), position)?;
        Ok(Session::begin(self, start, Some(position.to_owned()), seed.into(), true))
    }

    /// Replays a recorded game to its last step. Every step must be legal.
    ///
    /// # Errors
    /// Says which step cannot be played.
    pub fn replay(&self, record: &Record) -> Result<Session, ReplayError> {
        Ok(self.replay_with_chance(record)?.drawing())
    }

    /// The same, but questions to chance are left to the program, as in [`Rules::session_with_chance`].
    ///
    /// # Errors
    /// Says which step cannot be played.
    pub fn replay_with_chance(&self, record: &Record) -> Result<Session, ReplayError> {
        let start = record.start(self.engine())?;
        let mut session = Session::begin(self, start, record.position.clone(), record.seed, false);
        session.replay(record)?;
        Ok(session)
    }

    /// Random games, for statistics with confidence intervals.
    pub fn simulate(&self, games: u64) -> Simulation<'_> {
        Simulation::new(self, games)
    }

    /// Games between bots, one bot for each seat.
    pub fn tournament(&self, bots: &[Bot]) -> Tournament<'_> {
        Tournament::new(self, bots)
    }

    /// A module of WebAssembly that plays the game by itself; `docs/module.md` says what it offers.
    ///
    /// # Errors
    /// Says what of the game cannot be compiled yet.
    #[cfg(feature = "module")]
    #[cfg_attr(docsrs, doc(cfg(feature = "module")))]
    pub fn module(&self) -> Result<Vec<u8>, Untranslated> {
        module(self.game())
    }

    /// The game as machine code, for random games in great numbers.
    ///
    /// # Errors
    /// If a rule cannot be compiled yet, or this machine runs no such code.
    #[cfg(feature = "native")]
    #[cfg_attr(docsrs, doc(cfg(feature = "native")))]
    pub fn native(&self) -> Result<Native, NativeError> {
        Native::new(self.game())
    }

    pub(crate) fn game(&self) -> &Game {
        self.0.engine.game()
    }

    #[doc(hidden)]
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        self.0.engine.as_ref()
    }

    #[doc(hidden)]
    #[must_use]
    pub fn shared_engine(&self) -> Arc<dyn Engine> {
        Arc::clone(&self.0.engine)
    }

    pub(crate) fn sources(&self) -> &Sources {
        self.0.found.parts().0
    }

    #[doc(hidden)]
    #[must_use]
    pub fn offer(&self) -> &Offer {
        &self.0.offer
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.0.setup
    }

    /// The evaluation of positions for bots; computed once and shared.
    pub(super) fn evaluation(&self, looks: bool) -> Arc<Evaluation> {
        if looks {
            Arc::clone(self.0.evaluation.get_or_init(|| Arc::new(Evaluation::new(self.engine()))))
        } else {
            Arc::new(Evaluation::blind(self.engine()))
        }
    }
}
