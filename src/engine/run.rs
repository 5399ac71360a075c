//! The engine's working state.

use std::cell::RefCell;

use super::convert::Convert;
use super::crowd::Walkers;
use super::journal::Undo;
use super::memo::Kept;
use super::moves::Moves;
use super::outlook::Found;
use super::repetition::{Foreseen, Lookahead};
use super::standing::Still;
use super::state::{Frame, Names, State};
use super::ways::{Traced, Ways, give_trails, spoken_of};
use super::witness::Reached;
use crate::base::{Bits, Word, to_index};
use crate::compile::program::Program;
use crate::ir::{ActionRef, BlockId, Game, Move, RuleId, SeatId};
use crate::model::{Ask, Ending, Engine, Outcome, Position, Violations};
use crate::reference::Walker;

/// A graph of hops that is maintained takes as long as so many indexes.
const GRAPH: usize = 8;

/// How many bytes of a position are copied for a step when a decision begins.
const BYTES_PER_STEP: u64 = 512;

/// A position that is modified in place.
#[derive(Debug)]
pub(super) struct Run<'a, W: Word> {
    pub program: &'a Program<W>,
    pub game: &'a Game,
    /// The reference interpreter of the same game.
    pub(super) walker: &'a Walker,
    pub state: State<W>,
    /// How many steps are left of the budget for one decision.
    pub steps: u64,
    pub budget: u64,
    /// What the present decision began with: the budget, or what its meter had left.
    pub granted: u64,
    /// What the decisions before this one took.
    taken: u64,
    /// The time at which expressions are evaluated, if it is not the present.
    pub moment: Option<i64>,
    /// The statement being carried out, if it looks at earlier positions: how high the control stack is below its frame,
    /// and the frame that begins it.
    pub(super) begun: Option<(usize, Frame)>,
    /// The block of effects that is run to its end and no further: its names stay, for the guards after it.
    pub(super) alone: Option<BlockId>,
    /// Whether and how the program runs ahead to the next question.
    pub(super) ahead: Lookahead,
    /// How many turns and rounds of `while` have passed since.
    pub(super) rounds: u32,
    /// Whether the question found by running ahead is certain.
    pub(super) certain: bool,
    /// What is known of the next question, while an expression is evaluated for many values.
    pub(super) still: Option<Still>,
    /// The end condition whose block is running.
    pub end: Option<RuleId>,
    /// The rule of the last statement run.
    pub last: RuleId,
    /// Set when a question is asked or the game is over.
    pub halted: bool,
    pub moves: Moves<W>,
    /// The listed moves, put aside while running ahead.
    pub(super) stashed_moves: Moves<W>,
    pub all_sites: W,
    /// How much is kept up to date when a piece is put somewhere.
    pub put_cost: u64,
    /// For each list of a zone, whether it is kept sorted.
    pub sorted: Box<[bool]>,
    /// The cached values of definitions.
    pub(super) kept: Vec<Kept<W>>,
    /// How many further reasons why a guard holds have been found.
    pub(super) learnt: u64,
    /// A buffer for the sites that hops have reached.
    pub(super) reached: Vec<Reached>,
    /// The next question, while moves are listed.
    pub(super) foreseen: Option<Foreseen<W>>,
    /// Whether a move is being tried out after which the question foreseen comes next.
    pub(super) foresight: bool,
    /// How the key of the board changes by a move that was tried out before, while its guards are tested.
    pub(super) change: Option<u64>,
    /// The cached outlooks of paths.
    pub(super) found: Vec<Found<W>>,
    /// The sites a path has inspected.
    pub(super) looked: W,
    /// The sites that were inspected only for whether they are in some indexes, and these, one bit each.
    pub(super) compared: (W, u64),
    /// The ways found so far.
    pub(super) ways: RefCell<Ways<W>>,
    /// The steps of walkers, each with the index of the one before, while they are recorded.
    pub(super) trails: Option<Vec<(u16, u32)>>,
    /// Free buffers for walkers.
    pub(super) crowds: Vec<Walkers<W>>,
    /// Free buffers for lists, and one for pieces being moved.
    pub lists: Vec<Vec<i64>>,
    pub carried: Vec<u16>,
    /// A free buffer for the journal.
    pub(super) undone: Vec<Undo<W>>,
    /// Free copies of local names, and free lists of moves.
    pub(super) names: Vec<Names<W>>,
    pub(super) spare_moves: Vec<Moves<W>>,
    /// Free states.
    pub spare: Vec<State<W>>,
    /// How many pieces may be put into zones before what they hold is counted again.
    pub(super) room: usize,
    /// Saved positions, and how many of them are in use.
    saved: Vec<(State<W>, Moves<W>)>,
    in_use: usize,
}

impl<'a, W: Word> Run<'a, W> {
    pub(super) fn new(program: &'a Program<W>, walker: &'a Walker, budget: u64) -> Self {
        let game = walker.game();
        Self {
            program,
            game,
            walker,
            state: State::new(program, game.slots.len(), game.seats.len(), game.offers.len()),
            steps: budget,
            taken: 0,
            budget,
            granted: budget,
            moment: None,
            begun: None,
            alone: None,
            ahead: Lookahead::Off,
            rounds: 0,
            certain: true,
            still: None,
            end: None,
            last: RuleId::GAME,
            halted: false,
            moves: Moves::new(),
            stashed_moves: Moves::new(),
            all_sites: W::all(program.sites),
            put_cost: (program.indexes + GRAPH * program.graphs.len()) as u64,
            sorted: Self::sorted_lists(program),
            kept: Kept::all(program),
            learnt: 0,
            room: 0,
            foreseen: None,
            foresight: false,
            change: None,
            reached: Vec::with_capacity(program.sites),
            found: Found::all(program),
            looked: W::NONE,
            compared: (W::NONE, 0),
            ways: RefCell::new(Ways::new()),
            trails: None,
            crowds: Vec::new(),
            lists: Vec::new(),
            carried: Vec::new(),
            undone: Vec::new(),
            names: Vec::new(),
            spare_moves: Vec::new(),
            spare: Vec::new(),
            saved: Vec::new(),
            in_use: 0,
        }
    }

    pub(super) fn convert(&self) -> Convert<'a, '_, W> {
        Convert { game: self.game, program: self.program, ways: &self.ways }
    }

    /// Whether the last decision took all steps, so that what was found is not what the rules say.
    pub(super) fn is_spent(&self) -> bool {
        let ending = self.state.outcome.as_ref().map(|outcome| outcome.ending);
        self.steps == 0 || matches!(ending, Some(Ending::Budget(_)))
    }

    /// Begins a decision with a budget of its own, after what the last one took is taken from the meter.
    pub(super) fn refill(&mut self) {
        self.taken += self.granted.saturating_sub(self.steps);
        self.granted = match self.walker.meter() {
            Some(meter) => {
                meter.take(self.granted.saturating_sub(self.steps));
                meter.grant(self.budget)
            }
            None => self.budget,
        };
        self.steps = self.granted;
        self.room = 0;
    }

    /// Loads a position; false if the game cannot have it.
    pub(super) fn load_position(&mut self, position: &Position) -> bool {
        self.moves.forget();
        self.refill();
        self.state.invalidate();
        self.steps = self.steps.saturating_sub(position.bytes() as u64 / BYTES_PER_STEP);
        let convert = Convert { game: self.game, program: self.program, ways: &self.ways };
        convert.load(position, &mut self.state).is_some()
    }

    /// The position.
    pub(super) fn to_position(&self) -> Position {
        self.convert().store(&self.state)
    }

    /// Plays a legal move; false if the game cannot have it.
    pub(super) fn play_unchecked(&mut self, mv: &Move) -> bool {
        let play = self.convert().to_play(mv);
        play.map(|play| self.play_lowered(&play)).is_some()
    }

    /// Whether a move is among the listed legal moves.
    pub(super) fn lists(&mut self, mv: &Move) -> bool {
        let Some(play) = self.convert().to_play(mv) else { return false };
        let listed = (0..self.listed()).any(|n| self.moves.nth(n).as_ref() == Some(&play));
        // Values of different types may share a number.
        listed && self.convert().to_move(&play, Some(self.state.ask.1)) == *mv
    }

    /// The legal move with this index.
    pub(super) fn nth_move(&mut self, n: usize, traced: &mut Traced) -> Option<Move> {
        self.listed();
        let play = self.moves.nth(n)?;
        let mut several = Vec::new();
        match (play.action, play.args.as_slice()) {
            (ActionRef::Action(number), args) => several = self.retrace(number, args, &[], traced),
            (ActionRef::Race(number), [seat, time, args @ ..]) => {
                let me = std::mem::replace(&mut self.state.me, SeatId::new(to_index(*seat)));
                let moment = self.moment.replace(*time);
                several = self.retrace(number, args, &[*seat, *time], traced);
                (self.state.me, self.moment) = (me, moment);
            }
            (ActionRef::Race(_) | ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick, _) => {}
        }
        let mut mv = self.convert().to_move(&play, Some(self.state.ask.1));
        give_trails(&mut mv, several);
        Some(mv)
    }

    /// All legal moves in order.
    pub(super) fn each_move(&mut self, act: &mut dyn FnMut(&Move)) {
        let count = self.listed();
        if self.program.ways.numbers.is_empty() {
            let (convert, at) = (self.convert(), Some(self.state.ask.1));
            self.moves.each(&mut |play| act(&convert.to_move(play, at)));
        } else {
            let mut traced = Traced::default();
            (0..count).filter_map(|n| self.nth_move(n, &mut traced)).for_each(|mv| act(&mv));
        }
    }

    /// Plays the legal move with this index.
    pub(super) fn play_nth(&mut self, n: usize) {
        self.listed();
        if let Some(play) = self.moves.nth(n) {
            self.play_lowered(&play);
        }
    }

    /// Clears the ways found so far once there are many and no position refers to any.
    pub(super) fn forget_ways(&mut self) {
        let silent = |state: &State<W>| spoken_of(self.program, state).is_empty();
        let saved = &self.saved[..self.in_use];
        if self.ways.borrow().are_many() && silent(&self.state) && saved.iter().all(|(state, _)| silent(state)) {
            self.ways.get_mut().forget();
            self.moves.forget();
            self.saved[..self.in_use].iter_mut().for_each(|(_, moves)| moves.forget());
        }
    }
}

impl<W: Word> Drop for Run<'_, W> {
    /// What the last decision took is taken from the meter as well.
    fn drop(&mut self) {
        if let Some(meter) = self.walker.meter() {
            meter.take(self.granted.saturating_sub(self.steps));
        }
    }
}

impl<W: Word> crate::model::Run for Run<'_, W> {
    fn load(&mut self, position: &Position) -> bool {
        self.in_use = 0;
        self.load_position(position)
    }

    fn count(&mut self) -> usize {
        self.listed()
    }

    fn legal(&mut self, n: usize) -> Option<Move> {
        self.nth_move(n, &mut Traced::default())
    }

    fn each_legal(&mut self, act: &mut dyn FnMut(&Move)) {
        self.each_move(act);
    }

    fn play_nth(&mut self, n: usize) {
        self.play_nth(n);
    }

    fn play_unchecked(&mut self, mv: &Move) -> bool {
        self.play_unchecked(mv)
    }

    fn ply(&self) -> u32 {
        self.state.ply
    }

    fn turn(&self) -> u32 {
        self.state.turn
    }

    fn mover(&self) -> SeatId {
        self.state.mover
    }

    fn bytes(&self) -> usize {
        self.state.bytes()
    }

    fn steps(&self) -> u64 {
        self.taken + self.granted.saturating_sub(self.steps)
    }

    fn is_in_turn(&self) -> bool {
        self.state.control.iter().any(|frame| matches!(frame, Frame::Turns(..)))
    }

    fn shuffles_on(&self) -> bool {
        matches!(self.state.control.last(), Some(Frame::Shuffle(_, left)) if *left > 2)
    }

    fn ask(&self) -> Ask {
        super::state::to_ask(self.state.ask)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }

    fn position(&self) -> Position {
        self.to_position()
    }

    fn visible(&self) -> Position {
        self.convert().visible(&self.state)
    }

    fn identity(&self, into: &mut Vec<u8>) {
        self.write_identity(into);
    }

    fn now(&self) -> i64 {
        self.state.now
    }

    fn cued(&mut self, seat: SeatId) -> Option<Bits> {
        self.cues_of(seat)
    }

    fn allows_act(&mut self, mv: &Move) -> Option<bool> {
        self.lists_act(mv)
    }

    fn violations(&mut self) -> Violations {
        self.broken()
    }

    fn save(&mut self) {
        if self.in_use == self.saved.len() {
            self.saved.push((self.state.clone(), self.moves.clone()));
        } else {
            let (state, moves) = &mut self.saved[self.in_use];
            state.copy_from(&self.state);
            moves.copy_from(&self.moves);
        }
        self.in_use += 1;
    }

    fn restore(&mut self) {
        if let Some((state, moves)) = self.in_use.checked_sub(1).and_then(|last| self.saved.get(last)) {
            self.state.copy_from(state);
            self.moves.copy_from(moves);
        }
    }

    fn replay_nth(&mut self, n: usize) {
        let Some((state, moves)) = self.in_use.checked_sub(1).and_then(|last| self.saved.get(last)) else { return };
        self.state.copy_from(state);
        let play = moves.count.and_then(|_| moves.nth(n));
        self.moves.forget();
        match play {
            Some(play) => self.play_lowered(&play),
            None => self.play_nth(n),
        }
    }

    fn forget(&mut self) {
        self.in_use = self.in_use.saturating_sub(1);
    }
}
