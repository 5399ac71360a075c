//! Positions.

use super::history::History;
use super::outcome::{Ending, Outcome};
use crate::base::Bits;
use crate::ir::{BlockId, Game, Move, PhaseId, Piece, RuleId, SeatId, Value};

/// A statement of the program: its block and its index there.
pub type StmtRef = (BlockId, u16);

/// The answer the game is waiting for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ask {
    /// A seat chooses a move.
    Choose {
        /// The seat.
        seat: SeatId,
        /// The statement that asks.
        at: StmtRef,
    },
    /// A seat picks a value in the middle of an effect.
    Pick {
        /// The seat.
        seat: SeatId,
        /// The statement that asks.
        at: StmtRef,
    },
    /// Any of several seats may act; the first to act answers.
    Race {
        /// The statement that asks.
        at: StmtRef,
    },
    /// Chance draws a value uniformly.
    Chance {
        /// The statement that asks.
        at: StmtRef,
    },
    /// Nothing: the game is over.
    #[default]
    Over,
}

impl Ask {
    /// The statement that asks; none once the game is over.
    #[must_use]
    pub fn at(&self) -> Option<StmtRef> {
        match self {
            Self::Choose { at, .. } | Self::Pick { at, .. } | Self::Race { at } | Self::Chance { at } => Some(*at),
            Self::Over => None,
        }
    }

    /// The kind of question as a word, for programs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Choose { .. } => "choose",
            Self::Pick { .. } => "pick",
            Self::Race { .. } => "race",
            Self::Chance { .. } => "chance",
            Self::Over => "over",
        }
    }
}

/// One entry of the control stack: a construct that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// A block, and the index of its next statement.
    Block(BlockId, u16),
    /// A `while`; its condition is tested next.
    While(StmtRef),
    /// A `repeat`, and how many iterations are left.
    Repeat(StmtRef, u32),
    /// A `for`, and the members left, the next one last.
    Each(StmtRef, Vec<Value>),
    /// A `turns`, and its next stage.
    Turns(StmtRef, TurnStage),
    /// A phase, and the one to restore after it.
    Phase(Option<PhaseId>),
    /// A question to a seat, or the action it plays, and the previous actor, to restore. When the action is done, the
    /// ply is counted and end conditions are tested.
    Played(Option<SeatId>),
    /// The previous actor, to restore.
    Actor(Option<SeatId>),
    /// End conditions, and the index of the next one to test.
    Ends(EndMoment, u16),
    /// A `shuffle`, and how many pieces have no place yet.
    Shuffle(StmtRef, u32),
    /// A `together`: the seats still to choose, the next one last, and the moves chosen so far, which are carried out
    /// once every seat has chosen.
    Together(StmtRef, Vec<SeatId>, Vec<(SeatId, Move)>),
    /// The question to ask again after a claim or offer that did not end the game.
    Ask(Ask),
}

impl Frame {
    /// What it takes to copy it, about, in numbers.
    #[must_use]
    pub fn extent(&self) -> usize {
        let first = if let Self::Each(_, left) = self { left.first() } else { None };
        let breadth = if let Some(first) = first { first.breadth() } else { 1 };
        self.members() * breadth
    }

    /// How many members, seats or moves it keeps.
    #[must_use]
    pub fn members(&self) -> usize {
        match self {
            Self::Each(_, left) => left.len(),
            Self::Together(_, left, chosen) => left.len() + chosen.len(),
            Self::Block(..)
            | Self::While(_)
            | Self::Repeat(..)
            | Self::Turns(..)
            | Self::Phase(_)
            | Self::Played(_)
            | Self::Actor(_)
            | Self::Ends(..)
            | Self::Shuffle(..)
            | Self::Ask(_) => 0,
        }
    }
}

/// How many members local names and the loops that go on may have together in a position; more exhaust the budget.
pub(crate) const HELD: usize = 300_000;

/// How many pieces all zones may hold together; more exhaust the budget.
const PILED: usize = 300_000;

/// So many fields of a kind count for one more piece.
const FIELDS_A_PIECE: usize = 16;

/// How many pieces all zones of a game may hold together: fewer where they have many fields.
pub(crate) fn most_piled(game: &Game) -> usize {
    let fields = game.kinds.iter().map(|kind| kind.fields.len()).max().unwrap_or_default();
    PILED / (1 + fields / FIELDS_A_PIECE)
}

/// How many turns and rounds of `while` may pass without a question before it is taken that there is none: whoever compares
/// positions runs ahead to the next one as if no end decided the game, and so may run on after the last question of all.
pub(crate) const AHEAD: u32 = 1000;

/// Fewer are not looked at.
pub(crate) const LARGE: usize = 1000;

/// The next stage of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnStage {
    /// The turn begins.
    Begin,
    /// Its body runs next.
    Body,
    /// It ends.
    End,
    /// The next seat is determined.
    Pass,
}

/// When end conditions are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndMoment {
    /// Before a turn.
    BeforeTurn,
    /// After a move.
    AfterMove,
    /// After a turn.
    AfterTurn,
}

/// Whether a seat still plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It plays.
    Playing,
    /// It has its final rank.
    Ranked(u8),
}

/// A position: plain data. Two positions are equal if all their fields are, history included; for repetition, compare
/// [`Position::key`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The piece on each site.
    pub sites: Vec<Option<Piece>>,
    /// The number of tokens on each site, one list per kind of token and owner.
    pub tokens: Vec<Vec<u32>>,
    /// The pieces in each zone, one list per combination of indices, the last on top.
    pub zones: Vec<Vec<Vec<Piece>>>,
    /// The values of each variable, one per combination of indices.
    pub vars: Vec<Vec<Value>>,
    /// The local names.
    pub locals: Vec<Value>,
    /// Whose turn it is.
    pub mover: SeatId,
    /// The seat that acts in place of the mover, if any.
    pub actor: Option<SeatId>,
    /// The seat that was given the next turn, if any.
    pub next_mover: Option<SeatId>,
    /// The number of plies made.
    pub ply: u32,
    /// The number of turns completed.
    pub turn: u32,
    /// The logical clock, in milliseconds: when the last act of a race took place.
    pub now: i64,
    /// The current phase.
    pub phase: Option<PhaseId>,
    /// Whether each seat still plays.
    pub standing: Vec<Standing>,
    /// Who has agreed to each offer.
    pub offers: Vec<Bits>,
    /// The control stack, innermost construct last.
    pub control: Vec<Frame>,
    /// The question.
    pub ask: Ask,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
    /// Earlier positions and this one, if the rules look back.
    pub history: History,
}

impl Position {
    /// Ends the game without a result at a statement that asks too many questions, or what cannot be answered.
    pub(super) fn exhaust(&mut self, game: &Game, at: StmtRef) {
        let block = game.blocks.get(at.0);
        let Some(stmt) = block.and_then(|block| block.stmts.get(usize::from(at.1))) else { return };
        self.outcome = Some(Outcome::open(game.seats.len(), Ending::Budget(stmt.rule)));
        self.ask = Ask::Over;
        self.control.clear();
        self.locals.fill(Value::Unset);
        (self.actor, self.next_mover) = (None, None);
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// The seat to act, if it is a single one.
    #[must_use]
    pub fn asked(&self) -> Option<SeatId> {
        match self.ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => Some(seat),
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => None,
        }
    }

    /// About how many bytes it takes, without what its history shares with others.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let within = self.control.iter().map(Frame::members).sum::<usize>()
            + self.locals.iter().chain(self.vars.iter().flatten()).map(Value::size).sum::<usize>();
        let pieces = self.zones.iter().flatten().map(Vec::len).sum::<usize>() + self.sites.len();
        let lists = self.zones.iter().map(Vec::len).sum::<usize>();
        let tokens: usize = self.tokens.iter().map(Vec::len).sum();
        let values = self.vars.iter().map(Vec::len).sum::<usize>() + self.locals.len();
        let fields = |piece: &Piece| if piece.fields.is_shared() { size_of_val(&*piece.fields) } else { 0 };
        let spread: usize = self.zones.iter().flatten().flatten().chain(self.sites.iter().flatten()).map(fields).sum();
        size_of::<Self>()
            + spread
            + pieces * size_of::<Option<Piece>>()
            + lists * size_of::<Vec<Piece>>()
            + tokens * size_of::<u32>()
            + (values + within) * size_of::<Value>()
            + self.history.unshared() * self.history.entry_bytes()
    }

    /// Whether the setup still runs.
    #[must_use]
    pub fn in_setup(&self, game: &Game) -> bool {
        self.control.iter().any(|frame| matches!(frame, Frame::Block(block, _) if *block == game.setup))
    }

    /// Whether chance puts a card of a shuffle in its place and then the next one: nothing else changes, and no rule is used.
    #[must_use]
    pub fn shuffles_on(&self) -> bool {
        matches!(self.control.last(), Some(Frame::Shuffle(_, left)) if *left > 2)
    }

    /// The seat that acts: the one acting in place of the mover, else the mover.
    #[must_use]
    pub fn acting(&self) -> SeatId {
        self.actor.unwrap_or(self.mover)
    }

    /// Whether a seat still plays.
    #[must_use]
    pub fn plays(&self, seat: usize) -> bool {
        self.standing.get(seat) == Some(&Standing::Playing)
    }

    /// The seats that still play.
    #[must_use]
    pub fn playing(&self) -> Bits {
        (0..self.standing.len()).filter(|&seat| self.plays(seat)).collect()
    }

    /// The rules that ended the game, if any did: the end condition, claim or offer, and the statement within it.
    #[must_use]
    pub fn ended_by(&self) -> Vec<RuleId> {
        let Some(outcome) = &self.outcome else { return Vec::new() };
        match outcome.ending {
            Ending::Rule(rule) => {
                let mut rules = vec![rule];
                rules.extend(outcome.statement.filter(|statement| *statement != rule));
                rules
            }
            Ending::NoMove(_) | Ending::PlayedOut | Ending::Budget(_) => Vec::new(),
        }
    }
}
