//! A game in progress.

use super::bot::Bot;
use super::error::PlayError;
use super::rules::Rules;
use super::shown::{Move, Outcome, Position};
use super::why::Explanation;
use crate::ir::{self, SeatId};
use crate::model::{self, Frame, Viewer};
use crate::notation::{NotationError, asked_slot, find_move, print_move, print_position};
use crate::play::{InformationSet, Luck, Match, Record, Seed, Step, Stream, Who};
use crate::say::Lang;
use crate::view::asked;

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ask {
    /// The seat with this number chooses a move.
    Choose(usize),
    /// The seat with this number picks a value in the middle of a move.
    Pick(usize),
    /// Any seat may act; the first to act answers.
    Race,
    /// Chance; only in a session in which the program chooses its outcomes.
    Chance,
    /// Nobody: the game is over.
    Over,
}

/// A game in progress, on the fast engine. Clones are independent.
///
/// Sessions are started by [`Rules::session`]. Seats are numbered from 0, in the order of [`Rules::seats`].
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let rules = regelwerk::Rules::from_path("tests/fixtures/tictactoe.rules")?;
/// let mut game = rules.session(0);
/// for text in ["b2", "a1", "c3", "b1"] {
///     game.play_text(text)?;
/// }
/// assert_eq!(game.to_move(), Some(0));
/// assert!(game.play_text("a1").is_err()); // there is a mark; the error says so and cites the clause
/// assert_eq!(game.legal_moves().len(), 5);
/// assert!(game.undo());
/// assert_eq!(game.history(), ["b2", "a1", "c3"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) rules: Rules,
    pub(super) game: Match<'static>,
    pub(super) seed: Seed,
    /// The position it started from, if not the initial one.
    pub(super) start: Option<String>,
    /// Whether questions to chance are answered from the seed at once.
    pub(super) draws: bool,
}

impl Session {
    pub(crate) fn begin(rules: &Rules, start: model::Position, text: Option<String>, seed: Seed, draws: bool) -> Self {
        let mut session = Self::at(rules, start, text, seed, draws);
        session.draw();
        session
    }

    /// A session at a position, before any chance outcome is drawn.
    pub(crate) fn at(rules: &Rules, start: model::Position, text: Option<String>, seed: Seed, draws: bool) -> Self {
        let game = Match::shared(rules.shared_engine(), start);
        Self { rules: rules.clone(), game, seed, start: text, draws }
    }

    /// The rules being played.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who is asked.
    #[must_use]
    pub fn ask(&self) -> Ask {
        match self.model().ask {
            model::Ask::Choose { seat, .. } => Ask::Choose(usize::from(seat)),
            model::Ask::Pick { seat, .. } => Ask::Pick(usize::from(seat)),
            model::Ask::Race { .. } => Ask::Race,
            model::Ask::Chance { .. } => Ask::Chance,
            model::Ask::Over => Ask::Over,
        }
    }

    /// The question, as a sentence.
    #[must_use]
    pub fn prompt(&self) -> String {
        asked(Lang::En, self.rules.game(), &self.position().inner)
    }

    /// The seat that is asked. None in a race, at a question to chance and once the game is over: see [`ask`](Self::ask)
    /// and [`is_over`](Self::is_over).
    #[must_use]
    pub fn to_move(&self) -> Option<usize> {
        self.model().asked().map(usize::from)
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.model().is_over()
    }

    /// The outcome, once it is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.model().outcome.as_ref().map(|outcome| Outcome { rules: self.rules.clone(), inner: outcome.clone() })
    }

    /// The complete position, including everything that is hidden from some seat.
    #[must_use]
    pub fn position(&self) -> Position {
        Position { rules: self.rules.clone(), inner: model::Observation::referee(self.model()) }
    }

    /// The position as a seat sees it; if there is no such seat, as a spectator does.
    #[must_use]
    pub fn observe(&self, seat: usize) -> Position {
        let seated = (seat < self.rules.game().seats.len()).then(|| SeatId::new(seat));
        let viewer = seated.map_or(Viewer::Spectator, Viewer::Seat);
        let inner = self.game.door(Who::Viewer(viewer)).position();
        Position { rules: self.rules.clone(), inner }
    }

    /// A game that continues from a determinization of this position: what the seat does not see is sampled from the
    /// seed. In a game of perfect information it is the same position. None while others choose in secret and the
    /// seat is not to act.
    #[must_use]
    pub fn determinize(&self, seat: usize, seed: u64) -> Option<Self> {
        let secret = |frame: &Frame| matches!(frame, Frame::Together(_, _, chosen) if !chosen.is_empty());
        if self.to_move() != Some(seat) && self.model().control.iter().any(secret) {
            return None;
        }
        let known = InformationSet::remembering(&self.game, SeatId::new(seat));
        let drawn = known.determinize(&mut Stream::new(seed, "determinize", 0));
        let text = print_position(self.engine(), &model::Observation::referee(&drawn));
        Some(Self::at(&self.rules, drawn, Some(text), seed.into(), self.draws))
    }

    /// The legal moves of the seat that is asked; in a race those of all seats.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        self.engine().legal(self.model()).into_iter().map(|mv| self.shown(mv)).collect()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Says why it is not legal; the session is unchanged.
    pub fn play(&mut self, mv: &Move) -> Result<(), PlayError> {
        let step = Step::Move(mv.inner.clone());
        self.play_step(step.clone()).map_err(|_| PlayError::Illegal(self.explain(mv.as_str(), &step)))?;
        self.draw();
        Ok(())
    }

    /// Plays a move given as text; also a claim, an offer or its acceptance: `claim NAME`, `offer NAME`,
    /// `accept NAME`.
    ///
    /// # Errors
    /// Says why the text is not a move, or why it is not legal; the session is unchanged.
    pub fn play_text(&mut self, text: &str) -> Result<(), PlayError> {
        let step = self.read(text).map_err(PlayError::Text)?;
        self.play_step(step.clone()).map_err(|_| PlayError::Illegal(self.explain(text, &step)))?;
        self.draw();
        Ok(())
    }

    /// The move that a text means here. It need not be legal.
    ///
    /// # Errors
    /// Says why the text is not a move.
    pub fn parse(&self, text: &str) -> Result<Move, NotationError> {
        find_move(self.engine(), self.model(), text).map(|mv| self.shown(mv))
    }

    /// The move a bot chooses for the seat to act, using only what that seat can see. In a race with cues, reaction
    /// times choose, for all seats; in one without, and at a question to chance, the answer is drawn. None if the game
    /// is over. Whether a bot suits the rules is for [`Bot::fits`] to say; it is not tested here.
    #[must_use]
    pub fn choose(&self, bot: &Bot) -> Option<Move> {
        self.choose_until(bot, &|| false)
    }

    /// The same, with a function that says when the bot must stop thinking.
    #[must_use]
    pub fn choose_until(&self, bot: &Bot, stop: &dyn Fn() -> bool) -> Option<Move> {
        self.answer_of(bot.0, stop).map(|mv| self.shown(mv))
    }

    /// Takes back the last decision of a seat and the outcomes of chance after it. False if there is none.
    pub fn undo(&mut self) -> bool {
        if !self.draws {
            return self.game.undo();
        }
        let Some(last) = self.game.last_decided() else { return false };
        self.game.rewind(last)
    }

    /// Which rules make a move legal, or why it is not: as far as the seat that plays it can know. What depends on
    /// hidden things is left out, and [`Explanation::is_veiled`] says that something was.
    #[must_use]
    pub fn why(&self, mv: &Move) -> Explanation {
        self.explain(mv.as_str(), &Step::Move(mv.inner.clone()))
    }

    /// The same for a move, claim or offer given as text.
    ///
    /// # Errors
    /// Says why the text is not a move.
    pub fn why_text(&self, text: &str) -> Result<Explanation, PlayError> {
        let step = self.read(text).map_err(PlayError::Text)?;
        Ok(self.explain(text, &step))
    }

    /// The steps so far, as text: moves, outcomes of chance, claims and offers.
    #[must_use]
    pub fn history(&self) -> Vec<String> {
        self.game.texts()
    }

    /// A record of the game so far, pinned to its rules, which can be stored as text and replayed by [`Rules::replay`].
    #[must_use]
    pub fn record(&self) -> Record {
        let secrets = !self.rules.game().has_perfect_information();
        Record { steps: self.game.texts(), secrets, ..self.head() }
    }

    /// The record without its steps.
    pub(super) fn head(&self) -> Record {
        let setup = self.rules.setup();
        Record {
            game: self.rules.name().to_owned(),
            digest: self.rules.game().pin(),
            players: setup.players,
            variants: setup.variants.clone(),
            readings: setup.readings.clone(),
            options: setup.options.clone(),
            seed: self.seed,
            position: self.start.clone(),
            ..Record::default()
        }
    }

    fn explain(&self, text: &str, step: &Step) -> Explanation {
        Explanation::new(&self.rules, text, &self.grounds(step, step.seat(self.model())))
    }

    fn shown(&self, inner: ir::Move) -> Move {
        let game = self.rules.game();
        let text = print_move(game, self.model(), &inner);
        Move { rules: self.rules.clone(), asked: asked_slot(game, self.model()), inner, text }
    }

    /// Draws chance outcomes until a seat is to act.
    pub(super) fn draw(&mut self) {
        let mut luck = Luck::default();
        while self.draw_once(&mut luck) {}
    }
}
