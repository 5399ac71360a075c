//! What a game is lowered to: typed trees over machine words.
//!
//! Numbers, seats, sites, directions, kinds, enum members, truth values in
//! variables, and pieces (numbered, see [`Pieces`](super::Pieces)) are all 64-bit numbers; sets
//! of numbered values are [`Words`]; everything else that is a set (of numbers,
//! of pieces) is a list. `N` is the number of words a set needs.

use super::pieces::Pieces;
use crate::base::Words;
use crate::ir::{ActionRef, BlockId, Fold, IntOp, Order, RuleId, SetOp, ZoneForm};
use crate::model::{EndMoment, StmtRef, Verdict, piece_key};

/// The number of a local name among those of its sort.
pub(crate) type Local = u16;

/// Where a local name is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Among the numbers.
    Number(Local),
    /// Among the sets.
    Set(Local),
    /// Among the lists.
    List(Local),
    /// Nowhere: the program does not use it.
    Nowhere,
}

/// A value from a table that was filled when the game was lowered.
#[derive(Clone, Debug)]
pub(crate) struct Table<T, const N: usize> {
    /// What it is looked up by: each with how many values it has.
    pub by: Box<[(Number<N>, usize)]>,
    /// The values, last argument fastest.
    pub values: Box<[T]>,
}

/// A variable's value: the first place, and the indices that lead on from it.
#[derive(Clone, Debug)]
pub(crate) struct Cell<const N: usize> {
    /// The place with all indices 0.
    pub first: u32,
    /// Each index with how many values it has.
    pub at: Box<[(Number<N>, usize)]>,
}

/// Which pools of tokens.
#[derive(Clone, Debug)]
pub(crate) enum Pools<const N: usize> {
    /// This one.
    One(u16),
    /// The one of the seat that acts, counted from this.
    Mine(u16),
    /// The one of a seat, counted from this.
    Of(u16, Number<N>),
    /// Those of these seats, counted from this.
    All(u16, Set<N>),
}

/// Names bound before an expression is looked at.
#[derive(Clone, Debug)]
pub(crate) enum Bind<const N: usize> {
    /// A number.
    Number(Local, Number<N>),
    /// A set.
    Set(Local, Set<N>),
    /// A list.
    List(Local, List<N>),
}

/// What a binder runs over.
#[derive(Clone, Debug)]
pub(crate) enum Source<const N: usize> {
    /// The members of a set.
    Set(Set<N>),
    /// The members of a list.
    List(List<N>),
    /// The pieces on the sites of a set.
    PiecesAt(Set<N>),
    /// The piece on a site.
    PieceAt(Number<N>),
}

/// Binders, outermost first, and the filter behind them.
#[derive(Clone, Debug)]
pub(crate) struct Loop<const N: usize> {
    /// Each name with what it runs over.
    pub over: Box<[(Local, Source<N>)]>,
    /// The filter.
    pub filter: Option<Test<N>>,
}

/// An expression whose value is a number.
#[derive(Clone, Debug)]
pub(crate) enum Number<const N: usize> {
    /// Known at load.
    Const(i64),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<N>>),
    /// The seat whose turn it is.
    Mover,
    /// The seat that acts.
    Me,
    /// Plies made.
    Ply,
    /// Turns completed.
    Turn,
    /// The logical clock.
    Now,
    /// How often this position has stood.
    Occurrences,
    /// `-n`
    Neg(Box<Self>),
    /// `abs(n)`
    Abs(Box<Self>),
    /// Arithmetic.
    Calc(IntOp, Box<(Self, Self)>),
    /// The greater of two.
    Greater(Box<(Self, Self)>),
    /// The lesser of two.
    Lesser(Box<(Self, Self)>),
    /// Condition.
    If(Box<(Test<N>, Self, Self)>),
    /// A value from a table by the seat that acts.
    ByMe(Box<[i64]>),
    /// A value from a table by a local name.
    ByLocal(Local, Box<[i64]>),
    /// A value from a table.
    Table(Box<Table<i64, N>>),
    /// How many members a set has.
    Count(Box<Set<N>>),
    /// How many members a list has.
    Length(Box<List<N>>),
    /// How many pieces lie in a zone.
    ZoneSize(Box<Cell<N>>),
    /// How many tokens lie on the sites of a set.
    Tokens(Box<(Pools<N>, Set<N>)>),
    /// How many tokens lie on a site.
    TokensAt(Box<(Pools<N>, Self)>),
    /// Sum, greatest or least.
    Fold(Fold, Box<(Loop<N>, Self)>),
    /// The next seat that still plays.
    Following(Box<Self>),
    /// The seat before.
    Preceding(Box<Self>),
    /// Steps on the empty board in the directions of a set.
    Distance(Box<(Self, Self, Set<N>)>),
    /// A truth value.
    Truth(Box<Test<N>>),
    /// With names bound.
    With(Box<(Box<[Bind<N>]>, Self)>),
}

/// An expression whose value is a truth value.
#[derive(Clone, Debug)]
pub(crate) enum Test<const N: usize> {
    /// Known at load.
    Const(bool),
    /// A number other than 0 means true.
    Number(Number<N>),
    /// `not`
    Not(Box<Self>),
    /// `and`
    And(Box<(Self, Self)>),
    /// `or`
    Or(Box<(Self, Self)>),
    /// Both or neither.
    Iff(Box<(Self, Self)>),
    /// Condition.
    If(Box<(Self, Self, Self)>),
    /// Comparison.
    Compare(Order, Box<(Number<N>, Number<N>)>),
    /// Equality.
    Equal(Box<(Number<N>, Number<N>)>),
    /// A number is this one.
    Is(Box<Number<N>>, i64),
    /// Equality of sets.
    SameSet(Box<(Set<N>, Set<N>)>),
    /// Equality of lists.
    SameList(Box<(List<N>, List<N>)>),
    /// The set is empty.
    NoneOf(Box<Set<N>>),
    /// The list is empty.
    NoneIn(Box<List<N>>),
    /// Membership.
    In(Box<(Number<N>, Set<N>)>),
    /// Membership in a list.
    InList(Box<(Number<N>, List<N>)>),
    /// From one number to another.
    InRange(Box<(Number<N>, Number<N>, Number<N>)>),
    /// Subset.
    Within(Box<(Set<N>, Set<N>)>),
    /// Shared member.
    Meets(Box<(Set<N>, Set<N>)>),
    /// Subset of lists.
    WithinList(Box<(List<N>, List<N>)>),
    /// Shared member of lists.
    MeetsList(Box<(List<N>, List<N>)>),
    /// Whether the phase runs.
    InPhase(u16),
    /// A value from a table by the seat that acts.
    ByMe(Box<[bool]>),
    /// A value from a table by a local name.
    ByLocal(Local, Box<[bool]>),
    /// A value from a table.
    Table(Box<Table<bool, N>>),
    /// `any` (false) or `all` (true).
    Quantified(bool, Box<(Loop<N>, Self)>),
    /// Whether so many sites of a set stand in a straight row.
    Line(Box<(Set<N>, Number<N>)>),
    /// Whether the third set joins the first two, in the directions of the fourth.
    Connected(Box<[Set<N>; 4]>),
    /// Whether the position after a ply was the same.
    Repeats(Number<N>),
    /// With names bound.
    With(Box<(Box<[Bind<N>]>, Self)>),
}

/// An expression whose value is a set of numbered values.
#[derive(Clone, Debug)]
pub(crate) enum Set<const N: usize> {
    /// Known at load.
    Const(Words<N>),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<N>>),
    /// Sites without piece and tokens.
    Empty,
    /// Sites with a piece or tokens.
    Occupied,
    /// A maintained index of sites.
    Index(u16),
    /// The index for the seat that acts.
    IndexByMe(Box<[u16]>),
    /// The index for a number.
    IndexBy(Box<(Number<N>, Box<[u16]>)>),
    /// Sites where such tokens lie.
    TokenSites(Box<Pools<N>>),
    /// The seats that still play.
    Playing,
    /// The set of one number.
    One(Box<Number<N>>),
    /// The set of some numbers.
    Some(Box<[Number<N>]>),
    /// Set algebra.
    Op(SetOp, Box<(Self, Self)>),
    /// Condition.
    If(Box<(Test<N>, Self, Self)>),
    /// The members that fulfil a condition.
    Filter(Local, Box<(Self, Test<N>)>),
    /// The members with the greatest value.
    Top(Local, Box<(Self, Number<N>)>),
    /// Union.
    Fold(Box<(Loop<N>, Self)>),
    /// A value from a table by the seat that acts.
    ByMe(Box<[Words<N>]>),
    /// A value from a table by a local name.
    ByLocal(Local, Box<[Words<N>]>),
    /// A value from a table.
    Table(Box<Table<Words<N>, N>>),
    /// Where a path leads.
    Path(Box<Route<N>>),
    /// The sites one step from the first set in a direction of the second.
    Toward(Box<(Self, Self)>),
    /// The same without the sites themselves.
    Around(Box<(Self, Self)>),
    /// All sites straight on.
    Ray(Box<(Self, Self)>),
    /// The sites strictly between two.
    Between(Box<(Number<N>, Number<N>)>),
    /// The part of the second set connected with the first, in directions.
    Group(Box<[Self; 3]>),
    /// The sites of a set in straight rows of a length.
    Rows(Box<(Self, Number<N>)>),
    /// With names bound.
    With(Box<(Box<[Bind<N>]>, Self)>),
}

/// An expression whose value is a list: a set of numbers, ascending, or pieces.
#[derive(Clone, Debug)]
pub(crate) enum List<const N: usize> {
    /// Known at load.
    Const(Box<[i64]>),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<N>>),
    /// The pieces in a zone.
    Zone(Box<Cell<N>>),
    /// The last piece.
    Last(Box<Self>),
    /// The numbers from one to another.
    Range(Box<(Number<N>, Number<N>)>),
    /// Of some values.
    Some(Box<[Number<N>]>, Sort),
    /// Set algebra.
    Op(SetOp, Box<(Self, Self)>, Sort),
    /// Condition.
    If(Box<(Test<N>, Self, Self)>),
    /// The members that fulfil a condition.
    Filter(Local, Box<(Self, Test<N>)>),
    /// The members with the greatest value.
    Top(Local, Box<(Self, Number<N>)>),
    /// Union.
    Fold(Box<(Loop<N>, Self)>, Sort),
    /// With names bound.
    With(Box<(Box<[Bind<N>]>, Self)>),
}

/// What a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Numbers: ascending, each once.
    Numbers,
    /// Pieces: in order, each copy by itself.
    Pieces,
}

/// A path from one site.
#[derive(Clone, Debug)]
pub(crate) struct Route<const N: usize> {
    /// Its arguments.
    pub binds: Box<[Bind<N>]>,
    /// Where it starts: each site by itself.
    pub from: Set<N>,
    /// The local name of the start.
    pub start: Local,
    /// The path.
    pub walk: Walk<N>,
}

/// In which directions.
#[derive(Clone, Debug)]
pub(crate) enum Heading<const N: usize> {
    /// Known at load: for each site the sites one step on.
    Known(Box<[Words<N>]>),
    /// A set of directions.
    Set(Set<N>),
}

/// A path: walkers are a set of sites.
#[derive(Clone, Debug)]
pub(crate) enum Walk<const N: usize> {
    /// One step onto the sites of a set.
    Step(Heading<N>, Set<N>),
    /// Straight on over the sites of a set, so many steps at most.
    Slide(Set<N>, Option<Number<N>>, Set<N>),
    /// Over a site of the first set onto one of the second.
    Hop(Box<Hop<N>>),
    /// Any number of hops, at least so many.
    Hops(Box<Hop<N>>, u32),
    /// With one direction throughout.
    Along(Local, Set<N>, Box<Self>),
    /// Only where the condition holds.
    If(Test<N>),
    /// One after the other.
    Then(Box<[Self]>),
    /// Either.
    Or(Box<[Self]>),
    /// Again and again.
    Repeat {
        /// What.
        body: Box<Self>,
        /// At least so often.
        least: u32,
        /// At most so often.
        most: Option<u32>,
        /// Only where it cannot go on.
        fully: bool,
    },
    /// For each walker by itself: its site is bound to the name.
    Each(Local, Box<Self>),
    /// Another path: its arguments are bound, and its start is the one here.
    Call(Box<[Bind<N>]>, Box<Self>),
}

/// A hop over one site.
#[derive(Clone, Debug)]
pub(crate) struct Hop<const N: usize> {
    /// The directions, if they are not known at load.
    pub heading: Option<Set<N>>,
    /// For each site the sites hopped over and landed on; one table for each
    /// direction if these are not known at load.
    pub ways: Box<[Ways]>,
    /// Over which sites.
    pub over: Set<N>,
    /// Onto which sites.
    pub to: Set<N>,
    /// Onto which of these, by the site hopped from, which is bound to the name.
    pub there: Option<(Local, Set<N>)>,
}

/// Pairs of sites by a first site.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// Where the pairs of each site begin, and where the last ones end.
    pub from: Box<[u32]>,
    /// The pairs.
    pub pairs: Box<[(u16, u16)]>,
}

/// The piece a statement makes.
#[derive(Clone, Debug)]
pub(crate) enum Make<const N: usize> {
    /// Always this one.
    Known(u16),
    /// From its kind, its owner and the fields said, each with its number.
    Of(Box<Number<N>>, Owned<N>, Box<[(u16, Number<N>)]>),
}

/// Whose a piece becomes.
#[derive(Clone, Debug)]
pub(crate) enum Owned<const N: usize> {
    /// Of the seat that acts.
    Me,
    /// Of the first of these seats.
    First(Set<N>),
    /// Of nobody.
    Nobody,
}

/// Where pieces come from or go.
#[derive(Clone, Debug)]
pub(crate) enum Spot<const N: usize> {
    /// Sites.
    Sites(Set<N>),
    /// A zone.
    Zone(Cell<N>),
}

/// Which pieces of a zone.
#[derive(Clone, Debug)]
pub(crate) enum Packet<const N: usize> {
    /// So many from the top.
    Top(Number<N>),
    /// So many from the bottom.
    Bottom(Number<N>),
    /// All.
    All,
    /// This one.
    This(Number<N>),
    /// These.
    These(List<N>),
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Op<const N: usize> {
    /// What it does.
    pub kind: OpKind<N>,
    /// The rule it carries out.
    pub rule: RuleId,
    /// Whether it or something in it asks a seat or chance, or starts turns or a phase.
    pub asks: bool,
}

/// The values a seat or chance picks from, with the slot they are bound to.
#[derive(Clone, Debug)]
pub(crate) struct Offered<const N: usize> {
    /// The number of the local name in the game.
    pub slot: u16,
    /// The local name.
    pub home: Local,
    /// The values.
    pub values: Values<N>,
}

/// What a parameter or a picked value may be.
#[derive(Clone, Debug)]
pub(crate) enum Values<const N: usize> {
    /// A member of a set.
    Set(Set<N>),
    /// A member of a list of numbers.
    Numbers(List<N>),
    /// A piece of a list: copies are one choice.
    Pieces(List<N>),
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub(crate) enum OpKind<const N: usize> {
    /// Binds a local name; its number in the game comes first.
    Let(u16, Bind<N>),
    /// A seat picks; the seat that acts if none is said.
    Pick(Box<Offered<N>>, Option<Number<N>>),
    /// Chance picks.
    Roll(Box<Offered<N>>),
    /// Puts a piece on sites.
    Put(Make<N>, Set<N>),
    /// Puts tokens on sites.
    PutTokens(Pools<N>, Number<N>, Set<N>),
    /// Moves tokens.
    MoveTokens(Pools<N>, Option<Number<N>>, Set<N>, Set<N>),
    /// Puts copies of a piece on a zone.
    PutIn(Make<N>, Number<N>, Cell<N>),
    /// Chance brings a zone into any order.
    Shuffle(Cell<N>),
    /// Moves pieces from or to a zone.
    MovePieces(Box<(Packet<N>, Spot<N>, Spot<N>)>, bool),
    /// Moves a piece from a site to a site.
    MoveSite(Number<N>, Number<N>),
    /// Moves the piece on the first site of a set to the first of another.
    Move(Set<N>, Set<N>),
    /// Takes pieces off.
    Remove(Set<N>),
    /// Two sites change their pieces.
    Swap(Set<N>, Set<N>),
    /// Moves everything on by so many sites.
    Rotate(Set<N>, Number<N>),
    /// Changes fields of pieces, each with its number.
    Change(Spot<N>, Box<[(u16, Number<N>)]>),
    /// Sows.
    Sow(Box<Sow<N>>),
    /// Sets a variable.
    AssignNumber(Box<Cell<N>>, Number<N>),
    /// Sets a variable.
    AssignSet(Box<Cell<N>>, Set<N>),
    /// Sets a variable.
    AssignList(Box<Cell<N>>, List<N>),
    /// Either block.
    If(Test<N>, BlockId, Option<BlockId>),
    /// A block for each member: the local name's number in the game, its place,
    /// and at which member to begin.
    For(u16, Local, Box<Source<N>>, Option<Number<N>>, BlockId),
    /// A block while a condition holds.
    While(Test<N>, BlockId),
    /// A block so many times.
    Repeat(Number<N>, BlockId),
    /// Turn after turn.
    Turns(BlockId),
    /// A named phase.
    Phase(u16, BlockId),
    /// A procedure: names bound at once, with their numbers in the game.
    Call(Box<[(u16, Bind<N>)]>, BlockId),
    /// Leaves the innermost turns.
    Stop,
    /// Whose turn comes next.
    Give(Number<N>),
    /// The seats win or lose.
    Decide(Verdict, Set<N>),
    /// Nobody wins.
    Draw,
    /// Ranks seats by a number.
    Rank(Local, Set<N>, Number<N>),
    /// The seats take the next rank from the top (true) or the last one.
    Place(bool, Set<N>),
    /// Asks a seat.
    Plays {
        /// Whom.
        seat: Number<N>,
        /// Whether it may decline.
        may: bool,
        /// The first group with a legal move counts.
        groups: Box<[Box<[ActionRef]>]>,
        /// What happens when nothing is legal.
        otherwise: Option<BlockId>,
    },
    /// Secret choices.
    Together(Set<N>, Box<[Box<[ActionRef]>]>),
    /// Whoever acts first.
    Race(Box<Race<N>>),
}

/// A race.
#[derive(Clone, Debug)]
pub(crate) struct Race<const N: usize> {
    /// Which seats.
    pub seats: Set<N>,
    /// What they may play.
    pub group: Box<[ActionRef]>,
    /// When it is over at the latest.
    pub until: Option<Number<N>>,
    /// What happens when nobody acts.
    pub otherwise: Option<BlockId>,
}

/// Sowing.
#[derive(Clone, Debug)]
pub(crate) struct Sow<const N: usize> {
    /// Which tokens.
    pub pools: Pools<N>,
    /// From where.
    pub from: Set<N>,
    /// In which direction.
    pub along: Set<N>,
    /// Sites passed over.
    pub skip: Option<Set<N>>,
    /// The local name of the last site: number in the game and place.
    pub last: (u16, Local),
}

/// Statements in order.
#[derive(Clone, Debug)]
pub(crate) struct Code<const N: usize> {
    /// The statements.
    pub ops: Box<[Op<N>]>,
    /// The local names that end with the block: number in the game and place.
    pub ends: Box<[(u16, Home)]>,
    /// Whether something in it asks a seat or chance, or starts turns or a phase.
    pub asks: bool,
}

/// A line in the head of an action.
#[derive(Clone, Debug)]
pub(crate) enum Head<const N: usize> {
    /// A parameter: its number in the game, its place, its values.
    Choose(u16, Local, Values<N>),
    /// A local name, with its number in the game.
    Let(u16, Bind<N>),
    /// A guard.
    Require(Test<N>),
    /// Only moves with the greatest value are legal.
    Prefer(Number<N>),
}

/// An action.
#[derive(Clone, Debug)]
pub(crate) struct Action<const N: usize> {
    /// Parameters and guards in order. A guard that only filters the parameter
    /// before it has become part of that parameter's set.
    pub head: Box<[Head<N>]>,
    /// The effects.
    pub body: BlockId,
    /// Guards on the position after the effects.
    pub ensure: Box<[Test<N>]>,
}

/// An end condition.
#[derive(Clone, Debug)]
pub(crate) struct End<const N: usize> {
    /// When it is tested.
    pub moment: EndMoment,
    /// The condition.
    pub when: Test<N>,
    /// What follows.
    pub body: BlockId,
    /// The rule.
    pub rule: RuleId,
}

/// A zone's lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneInfo {
    /// The first list.
    pub first: u32,
    /// How its pieces lie.
    pub form: ZoneForm,
}

/// A game, lowered.
#[derive(Clone, Debug)]
pub(crate) struct Program<const N: usize> {
    /// The pieces there can be.
    pub pieces: Pieces,
    /// For each piece, the maintained indexes its site belongs to.
    pub indexed: Box<[Box<[u16]>]>,
    /// How many indexes there are.
    pub indexes: usize,
    /// How many sites there are.
    pub sites: usize,
    /// How many pools of tokens there are.
    pub pools: usize,
    /// For each direction and site the first site one step on; the greatest number for none.
    pub onward: Box<[Box<[u16]>]>,
    /// For each direction and site the sites one step on.
    pub steps: Box<[Box<[Words<N>]>]>,
    /// Where each local name of the game is kept.
    pub homes: Box<[Home]>,
    /// How many numbers, sets and lists local names take.
    pub locals: [usize; 3],
    /// Where each variable of the game is kept: its first place.
    pub vars: Box<[Home]>,
    /// How many numbers, sets and lists variables take.
    pub cells: [usize; 3],
    /// Where the lists of each zone are.
    pub zones: Box<[ZoneInfo]>,
    /// How many lists zones have.
    pub lists: usize,
    /// The blocks, numbered as in the game.
    pub code: Box<[Code<N>]>,
    /// The actions.
    pub actions: Box<[Action<N>]>,
    /// The end conditions.
    pub ends: Box<[End<N>]>,
    /// The invariants.
    pub invariants: Box<[(Test<N>, RuleId)]>,
    /// Whether keys of positions are kept up to date.
    pub remembers: bool,
    /// What each piece counts as in keys.
    pub digests: Box<[u64]>,
    /// For each value of a variable: whether it counts in keys, and where it is.
    pub keyed: Box<[(bool, Held)]>,
}

/// What a variable's value is, for keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A number.
    Number(u32),
    /// A piece.
    Piece(u32),
    /// A set.
    Set(u32),
    /// A list of numbers.
    Numbers(u32),
    /// A list of pieces.
    Pieces(u32),
}

impl<const N: usize> Program<N> {
    /// The statement a reference names.
    #[inline]
    #[must_use]
    pub(crate) fn op(&self, (block, number): StmtRef) -> Option<&Op<N>> {
        self.code.get(usize::from(block))?.ops.get(usize::from(number))
    }

    /// The part of a key that a piece on a site makes up.
    #[inline]
    #[must_use]
    pub(crate) fn piece_key(&self, site: usize, piece: u16) -> u64 {
        if piece == 0 { 0 } else { piece_key(site, self.digests[usize::from(piece)]) }
    }
}
