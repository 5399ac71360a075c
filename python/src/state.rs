//! Games in progress, positions as seen, outcomes.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use regelwerk::ir::SeatId;
use regelwerk::model::{Answer, Ask, Viewer};
use regelwerk::notation::{print_answer, print_pieces, print_value, variable_name, zone_name};
use regelwerk::play::{Step, told};
use regelwerk::{Bot, Position, Session};

use super::fault;
use super::moves::Move;
use super::rules::Rules;
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

    /// The legal moves with their numbers.
    fn numbered(&self, py: Python<'_>) -> PyResult<Vec<(usize, regelwerk::ir::Move)>> {
        let (engine, model) = (self.session.rules().engine(), self.session.model());
        if matches!(model.ask, Ask::Chance { .. }) {
            return Ok(Vec::new());
        }
        let legal = engine.legal(model);
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
                    lines.push(format!("{}: {}", who(Some(*seat)), print_answer(game, before, answer)));
                }
                Step::Move(mv) => {
                    let events = told(engine, before, mv, viewer);
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
        if self.session.rules().engine().game().is_open() {
            return Ok(self.session.history().join(" "));
        }
        let explain = self.session.rules().engine().explain();
        let viewer = Viewer::Seat(SeatId::new(number));
        let mut hasher = DefaultHasher::new();
        for (before, _) in self.session.game().since(0) {
            if before.asked().is_some() {
                explain.observation(before, viewer).hash(&mut hasher);
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

    /// The move that a bot chooses, such as `random`, `mcts:1000` (iterations) or `alphabeta:4` (plies),
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

    /// The legal actions of the asked seat by their numbers, in the order of `legal`.
    fn actions(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        Ok(self.numbered(py)?.into_iter().map(|(number, _)| number).collect())
    }

    /// Plays the legal action with this number.
    fn act(&mut self, py: Python<'_>, action: usize) -> PyResult<()> {
        let found = self.numbered(py)?.into_iter().find(|(number, _)| *number == action);
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

/// A position, whole or as somebody sees it. As text it is the board and the question; a hidden piece
/// is `?`, and a hidden variable has no value.
#[pyclass(frozen, module = "regelwerk")]
pub(crate) struct View(Position);

#[pymethods]
impl View {
    /// On one line; if it is the whole position, as `Rules.at` reads it.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// The number of plies played.
    #[getter]
    fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// The sites of the board by name, each with the piece on it as text.
    #[getter]
    fn sites<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (name, piece) in self.0.sites() {
            found.set_item(name, piece)?;
        }
        Ok(found)
    }

    /// The zones by name, such as `hand(white)`, each with its pieces as text.
    #[getter]
    fn zones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (game, found) = (self.0.rules().engine().game(), PyDict::new(py));
        for (zone, lists) in self.0.model().zones.iter().enumerate() {
            for (index, pieces) in lists.iter().enumerate() {
                let texts: Vec<String> =
                    pieces.iter().map(|piece| print_pieces(game, std::slice::from_ref(piece))).collect();
                found.set_item(zone_name(game, zone, index), texts)?;
            }
        }
        Ok(found)
    }

    /// The variables by name, such as `score(white)`, each with its value as text; `?` is hidden.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (game, found) = (self.0.rules().engine().game(), PyDict::new(py));
        for (var, (info, values)) in game.vars.iter().zip(&self.0.model().vars).enumerate() {
            for (index, value) in values.iter().enumerate() {
                found.set_item(variable_name(game, var, index), print_value(game, &info.ty, value))?;
            }
        }
        Ok(found)
    }

    /// The counted tokens by name and seat (`None` where nobody owns them): how many lie on each site
    /// on which some do.
    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (game, found) = (self.0.rules().engine().game(), PyDict::new(py));
        let mut pools = self.0.model().tokens.iter();
        for tokens in &game.tokens {
            let owners: Vec<Option<&str>> = if tokens.owned {
                game.seats.iter().map(|seat| Some(seat.name.as_str())).collect()
            } else {
                vec![None]
            };
            for owner in owners {
                let lying = PyDict::new(py);
                let counts = pools.next().into_iter().flatten();
                for (site, count) in game.topology.sites.iter().zip(counts).filter(|(_, count)| **count > 0) {
                    lying.set_item(&site.name, count)?;
                }
                found.set_item((&tokens.name, owner), lying)?;
            }
        }
        Ok(found)
    }

    /// The board as a picture; empty if there is none.
    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> Option<String> {
        let picture = self.0.svg();
        (!picture.is_empty()).then_some(picture)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<View {}>", self.0.text())
    }
}

/// How a game ended. As text it says who won and by which clause.
#[pyclass(frozen, module = "regelwerk")]
pub(crate) struct Outcome(pub(crate) regelwerk::Outcome);

#[pymethods]
impl Outcome {
    /// The numbers of the seats that won.
    #[getter]
    fn winners(&self) -> Vec<usize> {
        self.0.winners()
    }

    /// What it means for each seat: `win`, `draw`, `loss` or `open`.
    #[getter]
    fn verdicts(&self) -> Vec<&'static str> {
        self.0.model().verdicts.iter().map(|verdict| verdict.word()).collect()
    }

    /// The rank of each seat from 1, if it has one; ties share theirs.
    #[getter]
    fn ranks(&self) -> Vec<Option<u8>> {
        self.0.model().ranks.iter().map(|rank| (*rank > 0).then_some(*rank)).collect()
    }

    /// The score of each seat; empty if the rules do not score.
    #[getter]
    fn scores(&self) -> Vec<i64> {
        self.0.model().scores.clone()
    }

    /// What it is worth to each seat, from -1 to 1: 1 for a win, 0 for a draw or where nothing was
    /// decided, -1 for a loss; where the rules rank more than two, evenly spaced by rank.
    #[getter]
    fn returns(&self) -> Vec<f32> {
        super::batch::returns(self.0.model())
    }

    /// Whether the rules decided the game; otherwise it stopped undecided.
    #[getter]
    fn is_decided(&self) -> bool {
        self.0.is_decided()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.verdicts().join(" "))
    }
}
