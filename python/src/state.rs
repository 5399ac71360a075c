//! Games in progress.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use regelwerk::ir::SeatId;
use regelwerk::model::{Answer, Ask, Viewer};
use regelwerk::notation::print_answer;
use regelwerk::play::{Step, told};
use regelwerk::{Bot, Position, Session};

use super::fault;
use super::moves::Move;
use super::rules::Rules;
use super::shown::{Outcome, View};
use super::why::Why;

/// A move, or its text.
#[derive(FromPyObject)]
enum Played<'py> {
    Move(PyRef<'py, Move>),
    Text(String),
}

/// A seat by its number or name.
#[derive(FromPyObject)]
pub(crate) enum Seat {
    Number(usize),
    Name(String),
}

impl Seat {
    /// Its number.
    pub(crate) fn number(&self, rules: &regelwerk::Rules) -> PyResult<usize> {
        let seats = &rules.engine().game().seats;
        let names = || seats.iter().map(|seat| seat.name.as_str()).collect::<Vec<_>>().join(", ");
        match self {
            Self::Number(number) if *number < seats.len() => Ok(*number),
            Self::Number(number) => {
                Err(PyIndexError::new_err(format!("there is no seat {number}: the seats are 0 to {}", seats.len() - 1)))
            }
            Self::Name(name) => seats
                .iter()
                .position(|seat| seat.name == *name)
                .ok_or_else(|| PyValueError::new_err(format!("there is no seat `{name}`: the seats are {}", names()))),
        }
    }
}

/// A game in progress. `Rules.new` starts one.
///
/// Two states are equal if their rules and positions are; `hash(state)` goes by the position, so a
/// state must not be played on while it is a key: keep a `clone()`.
#[pyclass(module = "regelwerk")]
pub(crate) struct State {
    pub(crate) session: Session,
    rules: Py<Rules>,
    chance: bool,
}

impl State {
    pub(crate) fn new(rules: &Bound<'_, Rules>, session: Session, chance: bool) -> Self {
        Self { session, rules: rules.clone().unbind(), chance }
    }

    /// The legal moves with their numbers; in a race those of a seat.
    fn numbered(&self, py: Python<'_>, seat: Option<&Seat>) -> PyResult<Vec<(usize, regelwerk::ir::Move)>> {
        let (engine, model) = (self.session.rules().engine(), self.session.model());
        let mut legal = engine.legal(model);
        match (&model.ask, self.viewer(seat)?.map(SeatId::new)) {
            (Ask::Chance { .. }, _) => legal.clear(),
            (Ask::Race { .. }, Some(seat)) => legal.retain(|mv| mv.racer() == Some(seat)),
            (Ask::Race { .. }, None) => {
                return Err(fault::unfit(py, "in a race every seat has actions of its own", "give the seat as well"));
            }
            (_, Some(seat)) if model.asked() != Some(seat) => legal.clear(),
            (Ask::Choose { .. } | Ask::Pick { .. } | Ask::Over, _) => {}
        }
        let numbers = self.rules.get().tables().numbering.numbers(&model.ask, legal.iter());
        Ok(numbers.map_err(|error| error.raise(py))?.into_iter().zip(legal).collect())
    }

    fn viewer(&self, seat: Option<&Seat>) -> PyResult<Option<usize>> {
        seat.map(|seat| seat.number(self.session.rules())).transpose()
    }

    fn seen(&self, seat: Option<&Seat>) -> PyResult<Position> {
        // A number that no seat has is a spectator.
        Ok(self.session.observe(self.viewer(seat)?.unwrap_or(usize::MAX)))
    }
}

#[pymethods]
impl State {
    /// The rules being played.
    #[getter]
    fn rules(&self, py: Python<'_>) -> Py<Rules> {
        self.rules.clone_ref(py)
    }

    /// What is asked: `choose` a move, `pick` a value in the middle of one, `race` (any seat may act),
    /// `chance`, or `over`.
    #[getter]
    fn ask(&self) -> &'static str {
        self.session.model().ask.word()
    }

    /// The number of the seat that is asked, if it is a single seat.
    #[getter]
    fn to_move(&self) -> Option<usize> {
        self.session.to_move()
    }

    /// The question as a sentence.
    #[getter]
    fn prompt(&self) -> String {
        self.session.prompt()
    }

    /// The number of plies played.
    #[getter]
    fn ply(&self) -> u32 {
        self.session.model().ply
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// How it ended; `None` while it goes on.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.session.outcome().map(Outcome)
    }

    /// The steps so far, as text: moves, outcomes of chance, claims and offers.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.session.history()
    }

    /// The whole position, with everything that is hidden from some seat.
    #[getter]
    fn position(&self) -> View {
        View(self.session.position())
    }

    /// The legal moves of the seat that is asked; in a race those of all seats; the outcomes of chance
    /// where the program decides for it.
    fn legal(&self) -> Vec<Move> {
        self.session.legal_moves().into_iter().map(Move).collect()
    }

    /// Plays a move, or a text: a move, `claim NAME`, `offer NAME`, `accept NAME`.
    ///
    /// Raises `IllegalMove` with the reason, or `NotationError` if the text is no move; the state is
    /// then as it was.
    fn play(&mut self, py: Python<'_>, r#move: Played<'_>) -> PyResult<()> {
        let played = match r#move {
            Played::Move(mv) => self.session.play(&mv.0),
            Played::Text(text) => self.session.play_text(&text),
        };
        played.map_err(|error| fault::play(py, error))
    }

    /// The move that a text means here; it need not be legal.
    fn r#move(&self, py: Python<'_>, text: &str) -> PyResult<Move> {
        self.session.parse(text).map(Move).map_err(|error| fault::notation(py, &error))
    }

    /// Takes back the last decision of a seat and the outcomes of chance after it. False if there is none.
    fn undo(&mut self) -> bool {
        self.session.undo()
    }

    /// A copy that goes on by itself.
    fn clone(&self, py: Python<'_>) -> Self {
        Self { session: self.session.clone(), rules: self.rules.clone_ref(py), chance: self.chance }
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.clone(py)
    }

    #[pyo3(signature = (_memo = None))]
    fn __deepcopy__(&self, py: Python<'_>, _memo: Option<Py<PyAny>>) -> Self {
        self.clone(py)
    }

    /// The position as a seat sees it, by number or name; as a spectator sees it without one.
    #[pyo3(signature = (seat = None))]
    fn observe(&self, seat: Option<Seat>) -> PyResult<View> {
        Ok(View(self.seen(seat.as_ref())?))
    }

    /// What a seat, or a spectator, is told of the steps from number `start` on: one line for each.
    #[pyo3(signature = (seat = None, start = 0))]
    fn told(&self, seat: Option<Seat>, start: usize) -> PyResult<Vec<String>> {
        let viewer = self.viewer(seat.as_ref())?.map_or(Viewer::Spectator, |seat| Viewer::Seat(SeatId::new(seat)));
        let engine = self.session.rules().engine();
        let game = engine.game();
        let who = |seat: Option<SeatId>| {
            seat.and_then(|seat| game.seats.get(seat)).map_or("chance", |seat| seat.name.as_str())
        };
        let mut lines = Vec::new();
        for (before, step) in self.session.game().since(start) {
            match step {
                Step::Answer(answer) => {
                    let (Answer::Claim { seat, .. } | Answer::Offer { seat, .. }) = answer;
                    lines.push(format!("{}: {}", who(Some(*seat)), print_answer(game, &before, answer)));
                }
                Step::Move(mv) => {
                    let events = told(engine, &before, mv, viewer);
                    lines.extend(events.into_iter().map(|(seat, text)| format!("{}: {text}", who(seat))));
                }
            }
        }
        Ok(lines)
    }

    /// All that a seat knows, as text: what it was told, what it sees, and a digest of what it saw
    /// before each decision. Two states with the same text cannot be told apart by a seat that forgets
    /// nothing.
    fn information(&self, seat: Seat) -> PyResult<String> {
        let number = seat.number(self.session.rules())?;
        if self.session.rules().engine().game().has_perfect_information() {
            return Ok(self.session.history().join(" "));
        }
        let explain = self.session.rules().engine().explain();
        let viewer = Viewer::Seat(SeatId::new(number));
        let mut hasher = DefaultHasher::new();
        for (before, _) in self.session.game().since(0) {
            if before.asked().is_some() {
                explain.observation(&before, viewer).hash(&mut hasher);
            }
        }
        let told = self.told(Some(seat), 0)?.join("\n");
        let (seen, before) = (self.session.observe(number).text(), hasher.finish());
        Ok(format!("{told}\n{seen}\n{before:016x}"))
    }

    /// Which rules make a move legal, or why it is not.
    fn why(&self, py: Python<'_>, r#move: Played<'_>) -> PyResult<Why> {
        match r#move {
            Played::Move(mv) => Ok(Why(self.session.why(&mv.0))),
            Played::Text(text) => self.session.why_text(&text).map(Why).map_err(|error| fault::play(py, error)),
        }
    }

    /// A state that the seat cannot distinguish from this one: what it does not see is drawn from the
    /// seed. Its history begins there.
    #[pyo3(signature = (seat, seed = 0))]
    fn determinize(&self, py: Python<'_>, seat: Seat, seed: u64) -> PyResult<Self> {
        let seat = seat.number(self.session.rules())?;
        let drawn = self.session.determinize(seat, seed).ok_or_else(|| {
            let message = "others are choosing in secret, and the seat is not asked";
            fault::unfit(py, message, "determinize for the seat that is asked, or when all have chosen")
        })?;
        Ok(Self { session: drawn, rules: self.rules.clone_ref(py), chance: self.chance })
    }

    /// The board as a picture, as a seat or a spectator sees it.
    #[pyo3(signature = (seat = None))]
    fn svg(&self, seat: Option<Seat>) -> PyResult<String> {
        Ok(self.seen(seat.as_ref())?.svg())
    }

    /// The move that a bot chooses, such as `random`, `mcts:1000` (iterations) or `alphabeta:4` (answers deep),
    /// from what the asked seat sees. `None` if the game is over.
    fn choose(&self, py: Python<'_>, bot: &str) -> PyResult<Option<Move>> {
        let bot: Bot = bot.parse().map_err(|error: regelwerk::BotError| PyValueError::new_err(error.to_string()))?;
        bot.fits(self.session.rules()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(py.detach(|| self.session.choose(&bot)).map(Move))
    }

    /// The outcomes of chance, each with its probability; empty if chance is not asked. Equal pieces
    /// are one outcome.
    fn chances(&self) -> Vec<(Move, f64)> {
        if !matches!(self.session.model().ask, Ask::Chance { .. }) {
            return Vec::new();
        }
        let legal = self.session.legal_moves();
        let all = f64::from(u32::try_from(legal.len()).unwrap_or(u32::MAX));
        let same = legal.chunk_by(|one, other| one == other);
        same.filter_map(|same| {
            let count = f64::from(u32::try_from(same.len()).unwrap_or(u32::MAX));
            same.first().map(|first| (Move(first.clone()), count / all))
        })
        .collect()
    }

    /// The legal actions of the asked seat by their numbers, in the order of `legal`; none of a seat that is not
    /// asked. In a race, where several seats may act, the seat has to be given.
    #[pyo3(signature = (seat = None))]
    fn actions(&self, py: Python<'_>, seat: Option<Seat>) -> PyResult<Vec<usize>> {
        Ok(self.numbered(py, seat.as_ref())?.into_iter().map(|(number, _)| number).collect())
    }

    /// Plays the legal action with this number; in a race for the seat given, at the next possible time.
    #[pyo3(signature = (action, seat = None))]
    fn act(&mut self, py: Python<'_>, action: usize, seat: Option<Seat>) -> PyResult<()> {
        let found = self.numbered(py, seat.as_ref())?.into_iter().find(|(number, _)| *number == action);
        let (_, mv) = found.ok_or_else(|| PyValueError::new_err(format!("action {action} is not legal here")))?;
        self.session.play_legal(mv);
        Ok(())
    }

    /// What a seat sees as numbers; see `Rules.observation_parts`.
    fn features<'py>(&self, py: Python<'py>, seat: Seat) -> PyResult<Bound<'py, numpy::PyArray1<f32>>> {
        let number = seat.number(self.session.rules())?;
        let features = &self.rules.get().tables().features;
        let mut found = vec![0.0; features.size()];
        features.write(self.session.observe(number).model(), number, &mut found);
        Ok(numpy::PyArray1::from_vec(py, found))
    }

    /// The game so far as text, which `Rules.replay` plays again.
    fn record(&self) -> String {
        self.session.record().print()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<Rules>, String, bool))> {
        let restore = py.import("regelwerk.restore")?.getattr("state")?;
        Ok((restore, (self.rules.clone_ref(py), self.record(), self.chance)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            other.try_borrow().is_ok_and(|other| other.session.position() == self.session.position())
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.session.model().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.session.position().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<State of {}, ply {}, {}>", self.session.rules().name(), self.ply(), self.ask())
    }

    fn _repr_svg_(&self) -> Option<String> {
        let picture = self.session.position().svg();
        (!picture.is_empty()).then_some(picture)
    }
}
