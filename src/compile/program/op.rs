//! Lowered statements and actions.

use super::{Bind, Cell, Home, List, Local, Number, Pools, Set, Sort, Source, Test};
use crate::base::Word;
use crate::ir::{ActionRef, BlockId, PhaseId, RuleId, Slot};
use crate::model::Verdict;

/// Fields that pieces get, each with its number.
pub(crate) type Fields<W> = Box<[(u16, Number<W>)]>;

/// The piece a statement makes.
#[derive(Clone, Debug)]
pub(crate) enum Make<W: Word> {
    /// Always this one.
    Known(u16),
    /// From its kind, its owner and the fields said, each with its number.
    Of(Box<Number<W>>, Owned<W>, Fields<W>),
}

/// Whose a piece becomes.
#[derive(Clone, Debug)]
pub(crate) enum Owned<W: Word> {
    /// Of the seat that acts.
    Me,
    /// Of the first of these seats.
    First(Set<W>),
    /// Of nobody.
    Nobody,
}

/// Where pieces come from or go.
#[derive(Clone, Debug)]
pub(crate) enum Spot<W: Word> {
    /// Sites.
    Sites(Set<W>),
    /// A zone.
    Zone(Cell<W>),
}

/// Which pieces of a zone.
#[derive(Clone, Debug)]
pub(crate) enum Packet<W: Word> {
    /// So many from the top.
    Top(Number<W>),
    /// So many from the bottom.
    Bottom(Number<W>),
    /// All.
    All,
    /// This one.
    This(Number<W>),
    /// These.
    These(List<W>),
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Op<W: Word> {
    /// What it does.
    pub kind: OpKind<W>,
    /// The rule it implements.
    pub rule: RuleId,
    /// Whether it or something in it asks a seat or chance, or starts turns or a phase.
    pub asks: bool,
    /// Whether it looks at earlier positions, so that its place is kept meanwhile.
    pub looks: bool,
}

/// Whether a seat that is to play can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answers {
    /// It always can.
    Always,
    /// If it cannot, the game is over.
    OrOver,
    /// If it cannot, something else happens.
    Perhaps,
}

/// The values a seat or chance picks from, with the slot they are bound to.
#[derive(Clone, Debug)]
pub(crate) struct Offered<W: Word> {
    /// The number of the local name in the game.
    pub slot: Slot,
    /// The local name.
    pub home: Local,
    /// The values.
    pub values: Values<W>,
}

/// What a parameter or a picked value may be.
#[derive(Clone, Debug)]
pub(crate) enum Values<W: Word> {
    /// A member of a set.
    Set(Set<W>),
    /// A member of a list: copies of a piece are one choice.
    List(List<W>, Sort),
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub(crate) enum OpKind<W: Word> {
    /// Binds a local name; its number in the game comes first.
    Let(Slot, Bind<W>),
    /// A seat picks; the seat that acts if none is said.
    Pick(Box<Offered<W>>, Option<Number<W>>),
    /// Chance picks.
    Roll(Box<Offered<W>>),
    /// Puts a piece on sites.
    Put(Make<W>, Set<W>),
    /// Puts tokens on sites.
    PutTokens(Pools<W>, Number<W>, Set<W>),
    /// Moves tokens.
    MoveTokens(Pools<W>, Option<Number<W>>, Set<W>, Set<W>),
    /// Puts copies of a piece on a zone.
    PutIn(Make<W>, Number<W>, Cell<W>),
    /// Chance brings a zone into any order.
    Shuffle(Cell<W>),
    /// Moves pieces from or to a zone.
    MovePieces(Box<(Packet<W>, Spot<W>, Spot<W>)>, bool),
    /// Moves a piece from a site to a site.
    MoveSite(Number<W>, Number<W>),
    /// Moves the piece on the first site of a set to the first of another.
    Move(Set<W>, Set<W>),
    /// Takes pieces off.
    Remove(Set<W>),
    /// Two sites change their pieces.
    Swap(Set<W>, Set<W>),
    /// Moves everything on by this many sites.
    Rotate(Set<W>, Number<W>),
    /// Changes fields of pieces, each with its number.
    Change(Spot<W>, Fields<W>),
    /// Sows.
    Sow(Box<Sow<W>>),
    /// Sets a variable.
    AssignNumber(Box<Cell<W>>, Number<W>),
    /// Sets a variable.
    AssignSet(Box<Cell<W>>, Set<W>),
    /// Sets a variable.
    AssignList(Box<Cell<W>>, List<W>),
    /// Nothing: what it was for is settled at load.
    Nothing,
    /// A block.
    Do(BlockId),
    /// Either block.
    If(Test<W>, BlockId, Option<BlockId>),
    /// A block for each member: the local name's number in the game, its place,
    /// and at which member to begin.
    For(Slot, Local, Box<Source<W>>, Option<Number<W>>, BlockId),
    /// A block while a condition holds.
    While(Test<W>, BlockId),
    /// A block so many times.
    Repeat(Number<W>, BlockId),
    /// Turn after turn, the first of them this seat's if one is named.
    Turns(Option<Number<W>>, BlockId),
    /// A named phase.
    Phase(PhaseId, BlockId),
    /// A procedure: names bound at once, with their numbers in the game.
    Call(Box<[(Slot, Bind<W>)]>, BlockId),
    /// Leaves the innermost turns.
    Stop,
    /// Whose turn comes next.
    Give(Number<W>),
    /// The seats win or lose.
    Decide(Verdict, Set<W>),
    /// Nobody wins.
    Draw,
    /// Ranks seats by a number.
    Rank(Local, Set<W>, Number<W>),
    /// The seats take the next rank from the top (true) or the last one.
    Place(bool, Set<W>),
    /// Asks a seat.
    Plays {
        /// Whom.
        seat: Number<W>,
        /// Whether it may decline.
        may: bool,
        /// The first group with a legal move counts.
        groups: Box<[Box<[ActionRef]>]>,
        /// What happens when nothing is legal.
        otherwise: Option<BlockId>,
        /// Whether it can.
        answers: Answers,
    },
    /// Secret choices.
    Together(Set<W>, Box<[Box<[ActionRef]>]>),
    /// Whoever acts first.
    Race(Box<Race<W>>),
}

/// A race.
#[derive(Clone, Debug)]
pub(crate) struct Race<W: Word> {
    /// Which seats.
    pub seats: Set<W>,
    /// What they may play.
    pub group: Box<[ActionRef]>,
    /// When it is over at the latest.
    pub until: Option<Number<W>>,
    /// What happens when nobody acts.
    pub otherwise: Option<BlockId>,
}

/// Sowing.
#[derive(Clone, Debug)]
pub(crate) struct Sow<W: Word> {
    /// Which tokens.
    pub pools: Pools<W>,
    /// From where.
    pub from: Set<W>,
    /// In which direction.
    pub along: Set<W>,
    /// Sites passed over.
    pub skip: Option<Set<W>>,
    /// The local name of the last site: number in the game and place.
    pub last: (Slot, Local),
}

/// Statements in order.
#[derive(Clone, Debug)]
pub(crate) struct Code<W: Word> {
    /// The statements.
    pub ops: Box<[Op<W>]>,
    /// The local names that end with the block: number in the game and place.
    pub ends: Box<[(Slot, Home)]>,
    /// Whether something in it asks a seat or chance, or starts turns or a phase.
    pub asks: bool,
}

/// A line in the head of an action.
#[derive(Clone, Debug)]
pub(crate) enum Head<W: Word> {
    /// A parameter: its number in the game, its place, its values.
    Choose(Slot, Local, Values<W>),
    /// A local name, with its number in the game.
    Let(Slot, Bind<W>),
    /// A guard.
    Require(Test<W>),
    /// Only moves with the greatest value are legal.
    Prefer(Number<W>),
}

/// An action.
#[derive(Clone, Debug)]
pub(crate) struct Action<W: Word> {
    /// Parameters and guards in order. A guard that only filters the parameter
    /// before it has become part of that parameter's set.
    pub head: Box<[Head<W>]>,
    /// From this line on there are only names for the effects.
    pub tail: usize,
    /// The effects.
    pub body: BlockId,
    /// Guards on the position after the effects.
    pub ensure: Box<[Test<W>]>,
    /// Whether the effects can be taken back step by step.
    pub reversible: bool,
}

/// An end condition.
#[derive(Clone, Debug)]
pub(crate) struct End<W: Word> {
    /// Its number in the game.
    pub number: u16,
    /// The condition.
    pub when: Test<W>,
    /// Whether it looks at earlier positions.
    pub looks: bool,
    /// What follows.
    pub body: BlockId,
    /// The rule.
    pub rule: RuleId,
}
