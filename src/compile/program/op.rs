//! Lowered statements and actions.

use super::{Bind, Cell, Home, List, Local, Number, Pools, Set, Sort, Source, Test};
use crate::base::Word;
use crate::ir::{ActionRef, BlockId, PhaseId, RuleId, Slot};
use crate::model::Verdict;

/// Fields to set, by number.
pub(crate) type Fields<W> = Box<[(u16, Number<W>)]>;

/// The piece a statement makes.
#[derive(Clone, Debug)]
pub(crate) enum Make<W: Word> {
    /// Always this one.
    Known(u16),
    /// From its kind, its owner and the stated fields, by number.
    Of(Box<Number<W>>, Owned<W>, Fields<W>),
}

/// The owner of a piece to be made.
#[derive(Clone, Debug)]
pub(crate) enum Owned<W: Word> {
    /// The acting seat.
    Me,
    /// The first of these seats.
    First(Set<W>),
    /// Nobody.
    Nobody,
}

/// Where pieces come from or go to.
#[derive(Clone, Debug)]
pub(crate) enum PieceLocation<W: Word> {
    /// Sites.
    Sites(Set<W>),
    /// A zone.
    Zone(Cell<W>),
}

/// Which pieces of a zone are moved.
#[derive(Clone, Debug)]
pub(crate) enum PieceSelection<W: Word> {
    /// This many from the top.
    Top(Number<W>),
    /// This many from the bottom.
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
    /// Whether it looks at earlier positions, so that its place on the control stack matters.
    pub looks: bool,
}

/// Whether a seat that is to play can do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answers {
    /// It always can.
    Always,
    /// If it cannot, the game is over.
    OrOver {
        /// Whether nothing on the table changes before that.
        at_once: bool,
    },
    /// If it cannot, play continues differently.
    Perhaps,
}

/// The values that a seat or chance picks from, and the slot for the pick.
#[derive(Clone, Debug)]
pub(crate) struct Offered<W: Word> {
    /// The local name's number in the game.
    pub slot: Slot,
    /// The local name.
    pub home: Local,
    /// The values.
    pub values: Values<W>,
}

/// The values of a parameter or a pick.
#[derive(Clone, Debug)]
pub(crate) enum Values<W: Word> {
    /// A member of a set.
    Set(Set<W>),
    /// A member of a list; copies of a piece count as one choice.
    List(List<W>, Sort),
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub(crate) enum OpKind<W: Word> {
    /// Binds a local name; its number in the game comes first.
    Let(Slot, Bind<W>),
    /// A seat picks: the one named, else the acting seat.
    Pick(Box<Offered<W>>, Option<Number<W>>),
    /// Chance picks.
    Roll(Box<Offered<W>>),
    /// Puts a piece on sites.
    Put(Make<W>, Set<W>),
    /// Puts tokens on sites.
    PutTokens(Pools<W>, Number<W>, Set<W>),
    /// Moves tokens.
    MoveTokens(Pools<W>, Option<Number<W>>, Set<W>, Set<W>),
    /// Puts copies of a piece on top of a zone.
    PutIn(Make<W>, Number<W>, Cell<W>),
    /// Chance permutes a zone.
    Shuffle(Cell<W>),
    /// Moves pieces from or to a zone.
    MovePieces(Box<(PieceSelection<W>, PieceLocation<W>, PieceLocation<W>)>, bool),
    /// Moves a piece from a site to a site.
    MoveSite(Number<W>, Number<W>),
    /// Moves the piece on the first site of a set to the first of another.
    Move(Set<W>, Set<W>),
    /// Removes pieces.
    Remove(Set<W>),
    /// Exchanges the pieces of two sites.
    Swap(Set<W>, Set<W>),
    /// Shifts everything by this many sites.
    Rotate(Set<W>, Number<W>),
    /// Sets fields of pieces, by number.
    Change(PieceLocation<W>, Fields<W>),
    /// Sows tokens.
    Sow(Box<Sow<W>>),
    /// Sets a variable.
    AssignNumber(Box<Cell<W>>, Number<W>),
    /// Sets a variable.
    AssignSet(Box<Cell<W>>, Set<W>),
    /// Sets a variable.
    AssignList(Box<Cell<W>>, List<W>),
    /// Nothing: it was settled at load.
    Nothing,
    /// A block.
    Do(BlockId),
    /// A conditional.
    If(Test<W>, BlockId, Option<BlockId>),
    /// A block for each member: the local name's number in the game, its place, the members, and the one to begin
    /// with.
    For(Slot, Local, Box<Source<W>>, Option<Number<W>>, BlockId),
    /// A block while a condition holds.
    While(Test<W>, BlockId),
    /// A block a number of times.
    Repeat(Number<W>, BlockId),
    /// Turn after turn, the first of them this seat's if one is named.
    Turns(Option<Number<W>>, BlockId),
    /// A named phase.
    Phase(PhaseId, BlockId),
    /// A procedure call: names bound simultaneously, with their numbers in the game.
    Call(Box<[(Slot, Bind<W>)]>, BlockId),
    /// Leaves the innermost turns.
    Stop,
    /// Sets the seat whose turn comes next.
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
        /// The seat.
        seat: Number<W>,
        /// Whether it may decline.
        may: bool,
        /// The groups of actions; the first group with a legal move is offered.
        groups: Box<[Box<[ActionRef]>]>,
        /// The block run when nothing is legal.
        otherwise: Option<BlockId>,
        /// Whether the seat can answer.
        answers: Answers,
    },
    /// Secret choices.
    Together(Set<W>, Box<[Box<[ActionRef]>]>),
    /// Any of several seats may act; the first to do so does.
    Race(Box<Race<W>>),
}

/// A race.
#[derive(Clone, Debug)]
pub(crate) struct Race<W: Word> {
    /// The seats.
    pub seats: Set<W>,
    /// The actions they may play.
    pub group: Box<[ActionRef]>,
    /// The deadline, if any.
    pub until: Option<Number<W>>,
    /// The block run when nobody acts.
    pub otherwise: Option<BlockId>,
}

/// Sowing.
#[derive(Clone, Debug)]
pub(crate) struct Sow<W: Word> {
    /// The tokens.
    pub pools: Pools<W>,
    /// The source site.
    pub from: Set<W>,
    /// The direction.
    pub along: Set<W>,
    /// Sites to skip.
    pub skip: Option<Set<W>>,
    /// The local name of the last site: number in the game and place.
    pub last: (Slot, Local),
}

/// Statements in order.
#[derive(Clone, Debug)]
pub(crate) struct Code<W: Word> {
    /// The statements.
    pub ops: Box<[Op<W>]>,
    /// The local names whose scope is the block: number in the game and place.
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
    /// Parameters and guards in order. A guard that only filters the parameter before it is merged into that
    /// parameter's set.
    pub head: Box<[Head<W>]>,
    /// From this line on there are only names used by the effects.
    pub tail: usize,
    /// The effects.
    pub body: BlockId,
    /// The effects as far as the guards on the position after them can notice.
    pub trial: BlockId,
    /// Guards on the position after the effects.
    pub ensure: Box<[Test<W>]>,
    /// Whether the effects can be unmade change by change.
    pub reversible: bool,
    /// Whether legality depends on earlier positions.
    pub looks: bool,
    /// What the effects touch, if guards that inspect nothing of it need no trial.
    pub touch: Option<Touch<W>>,
    /// The outcomes of trials, if they are kept.
    pub lasting: Option<Lasting>,
}

/// The outcomes of an action's trials, kept until something that a trial inspected changes: one for each value of its
/// only parameter.
#[derive(Clone, Debug)]
pub(crate) struct Lasting {
    /// Their number among the cached definitions.
    pub number: u16,
    /// The number of values of the parameter.
    pub size: usize,
    /// Which guards only count how often the position, or the whole board, has occurred.
    pub counting: Box<[bool]>,
}

/// What the effects of an action touch, as far as its guards can notice. It is known before they are carried out.
#[derive(Clone, Debug)]
pub(crate) struct Touch<W: Word> {
    /// The guards, by their numbers among the cached definitions.
    pub guards: Box<[u16]>,
    /// Sites whatever the last parameter is.
    pub fixed: Box<[Set<W>]>,
    /// Whether the last parameter is such a site itself.
    pub last: bool,
    /// Sites that depend on the last parameter in another way.
    pub varying: Box<[Set<W>]>,
    /// The indexes that a piece newly made may belong to, one bit each.
    pub made: u64,
    /// Whether the piece on such a site may be put somewhere else, other than one on a fixed site.
    pub moves_last: bool,
}

/// An end condition.
#[derive(Clone, Debug)]
pub(crate) struct End<W: Word> {
    /// Its index in the game.
    pub number: u16,
    /// The condition.
    pub when: Test<W>,
    /// Whether it looks at earlier positions.
    pub looks: bool,
    /// The effects.
    pub body: BlockId,
    /// The rule.
    pub rule: RuleId,
}
