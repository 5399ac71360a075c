//! Positions.

use super::history::History;
use super::outcome::{Ending, Outcome};
use crate::base::Bits;
use crate::ir::{BlockId, Game, Move, PhaseId, Piece, RuleId, SeatId, Value};

/// A statement of the program by its block and number.
pub type StmtRef = (BlockId, u16);

/// What is needed from outside before the game goes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// Any of several seats may act, whoever does so first.
    Race {
        /// The statement that asks.
        at: StmtRef,
    },
    /// Chance picks a value uniformly.
    Chance {
        /// The statement that asks.
        at: StmtRef,
    },
    /// Nothing: the game is over.
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

/// Where the program stands: one entry per construct that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// A block; the statement with this number is next.
    Block(BlockId, u16),
    /// A `while`; its condition is tested next.
    While(StmtRef),
    /// A `repeat` with this many rounds left.
    Repeat(StmtRef, u32),
    /// A `for` with these members left, the next one last.
    Each(StmtRef, Vec<Value>),
    /// A `turns`, and what comes next in it.
    Turns(StmtRef, TurnStage),
    /// A phase; the phase before is restored after it.
    Phase(Option<PhaseId>),
    /// A question to a seat, or the action it plays; the seat that acted before
    /// is kept. When the action is done, the ply is counted and ends are tested.
    Played(Option<SeatId>),
    /// The seat that acted before acts again.
    Actor(Option<SeatId>),
    /// End conditions from this number on.
    Ends(EndMoment, u16),
    /// A `shuffle`; this many pieces have no place yet.
    Shuffle(StmtRef, u32),
    /// A `together`: the seats still to choose, the next one last, and the moves
    /// chosen, which are carried out once everybody has.
    Together(StmtRef, Vec<SeatId>, Vec<(SeatId, Move)>),
    /// A claim or offer that did not end the game: the question stands again.
    Ask(Ask),
}

/// What comes next in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnStage {
    /// The turn begins.
    Begin,
    /// Its body runs next.
    Body,
    /// It ends.
    End,
    /// The next seat is settled.
    Pass,
}

/// When end conditions are being tested.
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

/// A position: plain data. Two positions are equal when everything is, the
/// history included; equality for repetition is [`Position::key`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// What stands on each site.
    pub sites: Vec<Option<Piece>>,
    /// How many tokens lie on each site, one list per kind of token and owner.
    pub tokens: Vec<Vec<u32>>,
    /// The pieces in each zone, one list per combination of indices, the last on top.
    pub zones: Vec<Vec<Vec<Piece>>>,
    /// The variables, one list of values each (one per combination of indices).
    pub vars: Vec<Vec<Value>>,
    /// The local names.
    pub locals: Vec<Value>,
    /// Whose turn it is.
    pub mover: SeatId,
    /// Who acts in place of the mover, if somebody does.
    pub actor: Option<SeatId>,
    /// Whose turn comes next, if the rules have said so.
    pub given: Option<SeatId>,
    /// The number of plies made.
    pub ply: u32,
    /// The number of turns completed.
    pub turn: u32,
    /// The logical clock, in milliseconds: when the last act of a race took place.
    pub now: i64,
    /// The phase that runs.
    pub phase: Option<PhaseId>,
    /// Whether each seat still plays.
    pub standing: Vec<Standing>,
    /// Who has agreed to each offer.
    pub offers: Vec<Bits>,
    /// Where the program stands, the innermost construct last.
    pub control: Vec<Frame>,
    /// What is asked.
    pub ask: Ask,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
    /// What was asked before, this question included, if the rules look back.
    pub history: History,
}

impl Position {
    /// Ends the game without a result, at a statement that asks too often.
    pub(super) fn exhaust(&mut self, game: &Game, at: StmtRef) {
        let block = game.blocks.get(at.0);
        let Some(stmt) = block.and_then(|block| block.stmts.get(usize::from(at.1))) else { return };
        self.outcome = Some(Outcome::open(game.seats.len(), Ending::Budget(stmt.rule)));
        self.ask = Ask::Over;
        self.control.clear();
        self.locals.fill(Value::Unset);
        (self.actor, self.given) = (None, None);
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// The seat that is asked, if one is.
    #[must_use]
    pub fn asked(&self) -> Option<SeatId> {
        match self.ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => Some(seat),
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => None,
        }
    }

    /// Whether the setup still runs.
    #[must_use]
    pub fn in_setup(&self, game: &Game) -> bool {
        self.control.iter().any(|frame| matches!(frame, Frame::Block(block, _) if *block == game.setup))
    }

    /// The seat that acts: whoever does so in place of the mover, else the mover.
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

    /// The rules that ended the game, if rules did: the end condition, claim or
    /// offer, and the statement within it.
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
