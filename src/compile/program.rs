//! What a game is lowered to: typed trees over machine words.
//!
//! Numbers, seats, sites, directions, kinds, enum members, truth values in
//! variables, and pieces (numbered, see [`Pieces`](super::Pieces)) are all 64-bit numbers; sets
//! of numbered values are [`Words`]; everything else that is a set (of numbers,
//! of pieces) is a list. `W` is the number of words a set needs.

use super::pieces::Pieces;
use crate::base::Word;
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
pub(crate) struct Table<T, W: Word> {
    /// What it is looked up by: each with how many values it has.
    pub by: Box<[(Number<W>, usize)]>,
    /// The values, last argument fastest.
    pub values: Box<[T]>,
}

/// A variable's value: the first place, and the indices that lead on from it.
#[derive(Clone, Debug)]
pub(crate) struct Cell<W: Word> {
    /// The place with all indices 0.
    pub first: u32,
    /// Each index with how many values it has.
    pub at: Box<[(Number<W>, usize)]>,
}

/// Which pools of tokens.
#[derive(Clone, Debug)]
pub(crate) enum Pools<W: Word> {
    /// This one.
    One(u16),
    /// The one of the seat that acts, counted from this.
    Mine(u16),
    /// The one of a seat, counted from this.
    Of(u16, Number<W>),
    /// Those of these seats, counted from this.
    All(u16, Set<W>),
}

/// Names bound before an expression is looked at.
#[derive(Clone, Debug)]
pub(crate) enum Bind<W: Word> {
    /// A number.
    Number(Local, Number<W>),
    /// A set.
    Set(Local, Set<W>),
    /// A list.
    List(Local, List<W>),
}

/// What a binder runs over.
#[derive(Clone, Debug)]
pub(crate) enum Source<W: Word> {
    /// The members of a set.
    Set(Set<W>),
    /// The members of a list.
    List(List<W>),
    /// The pieces on the sites of a set.
    PiecesAt(Set<W>),
    /// The piece on a site.
    PieceAt(Number<W>),
}

/// Binders, outermost first, and the filter behind them.
#[derive(Clone, Debug)]
pub(crate) struct Loop<W: Word> {
    /// Each name with what it runs over.
    pub over: Box<[(Local, Source<W>)]>,
    /// The filter.
    pub filter: Option<Test<W>>,
}

/// An expression whose value is a number.
#[derive(Clone, Debug)]
pub(crate) enum Number<W: Word> {
    /// Known at load.
    Const(i64),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<W>>),
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
    If(Box<(Test<W>, Self, Self)>),
    /// A value from a table by the seat that acts.
    ByMe(Box<[i64]>),
    /// A value from a table by a local name.
    ByLocal(Local, Box<[i64]>),
    /// A value from a table by the seat that acts and a local name of so many values.
    ByMeAnd(Local, usize, Box<[i64]>),
    /// A value from a table by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[i64]>),
    /// A value from a table.
    Table(Box<Table<i64, W>>),
    /// How many members a set has.
    Count(Box<Set<W>>),
    /// How many members a list has.
    Length(Box<List<W>>),
    /// How many pieces lie in a zone.
    ZoneSize(Box<Cell<W>>),
    /// How many tokens lie on the sites of a set.
    Tokens(Box<(Pools<W>, Set<W>)>),
    /// How many tokens lie on a site.
    TokensAt(Box<(Pools<W>, Self)>),
    /// Sum, greatest or least.
    Fold(Fold, Box<(Loop<W>, Self)>),
    /// The next seat that still plays.
    Following(Box<Self>),
    /// The seat before.
    Preceding(Box<Self>),
    /// Steps on the empty board in the directions of a set.
    Distance(Box<(Self, Self, Set<W>)>),
    /// A truth value.
    Truth(Box<Test<W>>),
    /// A kept value of a definition.
    Memo(u16, Box<[Number<W>]>),
    /// With names bound.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

/// An expression whose value is a truth value.
#[derive(Clone, Debug)]
pub(crate) enum Test<W: Word> {
    /// Known at load.
    Const(bool),
    /// A number other than 0 means true.
    Number(Number<W>),
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
    Compare(Order, Box<(Number<W>, Number<W>)>),
    /// Equality.
    Equal(Box<(Number<W>, Number<W>)>),
    /// A number is this one.
    Is(Box<Number<W>>, i64),
    /// Equality of sets.
    SameSet(Box<(Set<W>, Set<W>)>),
    /// Equality of lists.
    SameList(Box<(List<W>, List<W>)>),
    /// The set is empty.
    NoneOf(Box<Set<W>>),
    /// The list is empty.
    NoneIn(Box<List<W>>),
    /// Membership.
    In(Box<(Number<W>, Set<W>)>),
    /// Membership in a list.
    InList(Box<(Number<W>, List<W>)>),
    /// From one number to another.
    InRange(Box<(Number<W>, Number<W>, Number<W>)>),
    /// Subset.
    Within(Box<(Set<W>, Set<W>)>),
    /// Shared member.
    Meets(Box<(Set<W>, Set<W>)>),
    /// Subset of lists.
    WithinList(Box<(List<W>, List<W>)>),
    /// Shared member of lists.
    MeetsList(Box<(List<W>, List<W>)>),
    /// Whether the phase runs.
    InPhase(u16),
    /// A value from a table by the seat that acts.
    ByMe(Box<[bool]>),
    /// A value from a table by a local name.
    ByLocal(Local, Box<[bool]>),
    /// A value from a table by the seat that acts and a local name of so many values.
    ByMeAnd(Local, usize, Box<[bool]>),
    /// A value from a table by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[bool]>),
    /// A value from a table.
    Table(Box<Table<bool, W>>),
    /// `any` (false) or `all` (true).
    Quantified(bool, Box<(Loop<W>, Self)>),
    /// Whether so many sites of a set stand in a straight row.
    Line(Box<(Set<W>, Number<W>)>),
    /// Whether the third set joins the first two, in the directions of the fourth.
    Connected(Box<[Set<W>; 4]>),
    /// Whether the position after a ply was the same.
    Repeats(Number<W>),
    /// A kept value of a definition.
    Memo(u16, Box<[Number<W>]>),
    /// With names bound.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

/// An expression whose value is a set of numbered values.
#[derive(Clone, Debug)]
pub(crate) enum Set<W: Word> {
    /// Known at load.
    Const(W),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<W>>),
    /// Sites without piece and tokens.
    Empty,
    /// Sites with a piece or tokens.
    Occupied,
    /// A maintained index of sites.
    Index(u16),
    /// The index for the seat that acts.
    IndexByMe(Box<[u16]>),
    /// The index for a number.
    IndexBy(Box<(Number<W>, Box<[u16]>)>),
    /// Sites where such tokens lie.
    TokenSites(Box<Pools<W>>),
    /// The seats that still play.
    Playing,
    /// The set of one number.
    One(Box<Number<W>>),
    /// The set of some numbers.
    Some(Box<[Number<W>]>),
    /// Set algebra.
    Op(SetOp, Box<(Self, Self)>),
    /// Condition.
    If(Box<(Test<W>, Self, Self)>),
    /// The members that fulfil a condition.
    Filter(Local, Box<(Self, Test<W>)>),
    /// The members with the greatest value.
    Top(Local, Box<(Self, Number<W>)>),
    /// Union.
    Fold(Box<(Loop<W>, Self)>),
    /// A value from a table by the seat that acts.
    ByMe(Box<[W]>),
    /// A value from a table by a local name.
    ByLocal(Local, Box<[W]>),
    /// A value from a table by the seat that acts and a local name of so many values.
    ByMeAnd(Local, usize, Box<[W]>),
    /// A value from a table by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[W]>),
    /// A value from a table.
    Table(Box<Table<W, W>>),
    /// Where a path leads.
    Path(Box<Route<W>>),
    /// Where one step or any number of leaps lead from a site.
    Reach(Box<Reach<W>>),
    /// The sites one step from the first set in a direction of the second.
    Toward(Box<(Self, Self)>),
    /// The same without the sites themselves.
    Around(Box<(Self, Self)>),
    /// All sites straight on.
    Ray(Box<(Self, Self)>),
    /// The sites strictly between two.
    Between(Box<(Number<W>, Number<W>)>),
    /// The part of the second set connected with the first, in directions.
    Group(Box<[Self; 3]>),
    /// The sites of a set in straight rows of a length.
    Rows(Box<(Self, Number<W>)>),
    /// A kept value of a definition.
    Memo(u16, Box<[Number<W>]>),
    /// With names bound.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

/// An expression whose value is a list: a set of numbers, ascending, or pieces.
#[derive(Clone, Debug)]
pub(crate) enum List<W: Word> {
    /// Known at load.
    Const(Box<[i64]>),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<W>>),
    /// The pieces in a zone.
    Zone(Box<Cell<W>>),
    /// The last piece.
    Last(Box<Self>),
    /// The numbers from one to another.
    Range(Box<(Number<W>, Number<W>)>),
    /// Of some values.
    Some(Box<[Number<W>]>, Sort),
    /// Set algebra.
    Op(SetOp, Box<(Self, Self)>, Sort),
    /// Condition.
    If(Box<(Test<W>, Self, Self)>),
    /// The members that fulfil a condition.
    Filter(Local, Box<(Self, Test<W>)>),
    /// The members with the greatest value.
    Top(Local, Box<(Self, Number<W>)>),
    /// Union.
    Fold(Box<(Loop<W>, Self)>, Sort),
    /// With names bound.
    With(Box<(Box<[Bind<W>]>, Self)>),
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
pub(crate) struct Route<W: Word> {
    /// Its arguments.
    pub binds: Box<[Bind<W>]>,
    /// Where it starts: each site by itself.
    pub from: Set<W>,
    /// The local name of the start.
    pub start: Local,
    /// The path.
    pub walk: Walk<W>,
}

/// One step or any number of leaps of the piece on a site.
#[derive(Clone, Debug)]
pub(crate) struct Reach<W: Word> {
    /// The site.
    pub from: Number<W>,
    /// For each site the sites one step on.
    pub steps: Box<[W]>,
    /// The local name of the site in `there`, and onto which sites a step leads.
    pub there: Option<(Local, Set<W>)>,
    /// The leaps.
    pub leaps: Leaps<W>,
}

/// In which directions.
#[derive(Clone, Debug)]
pub(crate) enum Heading<W: Word> {
    /// Known at load: for each site the sites one step on.
    Known(Box<[W]>),
    /// A set of directions.
    Set(Set<W>),
}

/// A path: walkers are a set of sites.
#[derive(Clone, Debug)]
pub(crate) enum Walk<W: Word> {
    /// One step onto the sites of a set.
    Step(Heading<W>, Set<W>),
    /// Straight on over the sites of a set, so many steps at most.
    Slide(Set<W>, Option<Number<W>>, Set<W>),
    /// Over a site of the first set onto one of the second.
    Hop(Box<Hop<W>>),
    /// Any number of hops, at least so many.
    Hops(Box<Hop<W>>, u32),
    /// Any number of hops along a maintained graph, at least so many, 0 or 1.
    Leaps(Box<Leaps<W>>, u32),
    /// Straight on in directions over the second set, so many steps at most, and
    /// one step more onto the third.
    Rays(Box<(Set<W>, Set<W>, Set<W>)>, Option<Number<W>>),
    /// With one direction throughout.
    Along(Local, Set<W>, Box<Self>),
    /// Only where the condition holds.
    If(Test<W>),
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
    Call(Box<[Bind<W>]>, Box<Self>),
}

/// A hop over one site.
#[derive(Clone, Debug)]
pub(crate) struct Hop<W: Word> {
    /// The directions, if they are not known at load.
    pub heading: Option<Set<W>>,
    /// For each site the sites hopped over and landed on; one table for each
    /// direction if these are not known at load.
    pub ways: Box<[Ways]>,
    /// Over which sites.
    pub over: Set<W>,
    /// Onto which sites.
    pub to: Set<W>,
    /// Onto which of these, by the site hopped from, which is bound to the name.
    pub there: Option<(Local, Set<W>)>,
}

/// Hops along a maintained graph.
#[derive(Clone, Debug)]
pub(crate) struct Leaps<W: Word> {
    /// The graph, for each seat that acts; one for all if there is only one.
    pub graphs: Box<[u16]>,
    /// The local name of the site the piece was lifted from.
    pub start: Local,
    /// Only onto these sites.
    pub within: Option<Set<W>>,
    /// Onto which of these, by the site hopped from, which is bound to the name.
    pub there: Option<(Local, Set<W>)>,
}

/// A definition whose values are kept.
#[derive(Clone, Debug)]
pub(crate) struct Memo<W: Word> {
    /// Its parameters, each with how many values it has.
    pub params: Box<[(Local, usize)]>,
    /// Whether it depends on the seat that acts: then that is a parameter before the others.
    pub seats: Option<usize>,
    /// Its value.
    pub body: Body<W>,
}

/// The value of a definition.
#[derive(Clone, Debug)]
pub(crate) enum Body<W: Word> {
    /// A number.
    Number(Number<W>),
    /// A truth value.
    Test(Test<W>),
    /// A set.
    Set(Set<W>),
}

/// Which kept values a change makes stale: one bit for each definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// By pieces on sites.
    pub sites: u64,
    /// By tokens.
    pub tokens: u64,
    /// By each list of a zone.
    pub lists: Box<[u64]>,
    /// By each number, set and list that variables hold.
    pub cells: [Box<[u64]>; 3],
    /// By seats that drop out.
    pub playing: u64,
}

/// A maintained graph: from each site the sites that one hop leads to, over
/// sites of one kind onto empty ones.
#[derive(Clone, Debug)]
pub(crate) struct Graph<W: Word> {
    /// Which pieces can be hopped over.
    pub over: Box<[bool]>,
    /// For each site the pairs of sites a hop over it leads from and to.
    pub by_middle: Ways,
    /// For each site the pairs of sites a hop onto it leads from and over.
    pub by_end: Ways,
    /// For each site those from which a hop may lead over it.
    pub beside: Box<[W]>,
    /// For each site those from which a hop may lead onto it.
    pub beyond: Box<[W]>,
}

/// Pairs of sites by a first site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ways {
    /// Where the pairs of each site begin, and where the last ones end.
    pub from: Box<[u32]>,
    /// The pairs.
    pub pairs: Box<[(u16, u16)]>,
}

/// The piece a statement makes.
#[derive(Clone, Debug)]
pub(crate) enum Make<W: Word> {
    /// Always this one.
    Known(u16),
    /// From its kind, its owner and the fields said, each with its number.
    Of(Box<Number<W>>, Owned<W>, Box<[(u16, Number<W>)]>),
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
    /// The rule it carries out.
    pub rule: RuleId,
    /// Whether it or something in it asks a seat or chance, or starts turns or a phase.
    pub asks: bool,
}

/// The values a seat or chance picks from, with the slot they are bound to.
#[derive(Clone, Debug)]
pub(crate) struct Offered<W: Word> {
    /// The number of the local name in the game.
    pub slot: u16,
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
    /// A member of a list of numbers.
    Numbers(List<W>),
    /// A piece of a list: copies are one choice.
    Pieces(List<W>),
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub(crate) enum OpKind<W: Word> {
    /// Binds a local name; its number in the game comes first.
    Let(u16, Bind<W>),
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
    /// Moves everything on by so many sites.
    Rotate(Set<W>, Number<W>),
    /// Changes fields of pieces, each with its number.
    Change(Spot<W>, Box<[(u16, Number<W>)]>),
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
    For(u16, Local, Box<Source<W>>, Option<Number<W>>, BlockId),
    /// A block while a condition holds.
    While(Test<W>, BlockId),
    /// A block so many times.
    Repeat(Number<W>, BlockId),
    /// Turn after turn.
    Turns(BlockId),
    /// A named phase.
    Phase(u16, BlockId),
    /// A procedure: names bound at once, with their numbers in the game.
    Call(Box<[(u16, Bind<W>)]>, BlockId),
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
    pub last: (u16, Local),
}

/// Statements in order.
#[derive(Clone, Debug)]
pub(crate) struct Code<W: Word> {
    /// The statements.
    pub ops: Box<[Op<W>]>,
    /// The local names that end with the block: number in the game and place.
    pub ends: Box<[(u16, Home)]>,
    /// Whether something in it asks a seat or chance, or starts turns or a phase.
    pub asks: bool,
}

/// A line in the head of an action.
#[derive(Clone, Debug)]
pub(crate) enum Head<W: Word> {
    /// A parameter: its number in the game, its place, its values.
    Choose(u16, Local, Values<W>),
    /// A local name, with its number in the game.
    Let(u16, Bind<W>),
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
}

/// An end condition.
#[derive(Clone, Debug)]
pub(crate) struct End<W: Word> {
    /// Its number in the game.
    pub number: u16,
    /// The condition.
    pub when: Test<W>,
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
pub(crate) struct Program<W: Word> {
    /// The pieces there can be.
    pub pieces: Pieces,
    /// For each piece, the maintained indexes its site belongs to.
    pub indexed: Box<[Box<[u16]>]>,
    /// How many indexes there are.
    pub indexes: usize,
    /// The definitions whose values are kept until what they look at changes.
    pub memos: Box<[Memo<W>]>,
    /// Which of them change with what.
    pub stale: Stale,
    /// The maintained graphs.
    pub graphs: Box<[Graph<W>]>,
    /// How many sites there are.
    pub sites: usize,
    /// How many pools of tokens there are.
    pub pools: usize,
    /// For each direction and site the first site one step on; the greatest number for none.
    pub onward: Box<[Box<[u16]>]>,
    /// For each direction and site the sites one step on.
    pub steps: Box<[Box<[W]>]>,
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
    pub code: Box<[Code<W>]>,
    /// The actions.
    pub actions: Box<[Action<W>]>,
    /// The end conditions before a turn, after a move and after a turn; those that
    /// can never hold are left out.
    pub ends: [Box<[End<W>]>; 3],
    /// The invariants.
    pub invariants: Box<[(Test<W>, RuleId)]>,
    /// Whether keys of positions are kept up to date.
    pub remembers: bool,
    /// What each piece counts as in keys.
    pub digests: Box<[u64]>,
    /// For each value of a variable: whether it counts in keys, and where it is.
    pub keyed: Box<[(bool, Held)]>,
}

impl Ways {
    /// The pairs of a site.
    #[inline]
    #[must_use]
    pub(crate) fn of(&self, site: usize) -> &[(u16, u16)] {
        &self.pairs[self.from[site] as usize..self.from[site + 1] as usize]
    }
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

impl<W: Word> Program<W> {
    /// The end conditions of a moment.
    #[must_use]
    pub(crate) fn ends_at(&self, moment: EndMoment) -> &[End<W>] {
        match moment {
            EndMoment::BeforeTurn => &self.ends[0],
            EndMoment::AfterMove => &self.ends[1],
            EndMoment::AfterTurn => &self.ends[2],
        }
    }

    /// The statement a reference names.
    #[inline]
    #[must_use]
    pub(crate) fn op(&self, (block, number): StmtRef) -> Option<&Op<W>> {
        self.code.get(usize::from(block))?.ops.get(usize::from(number))
    }

    /// The part of a key that a piece on a site makes up.
    #[inline]
    #[must_use]
    pub(crate) fn piece_key(&self, site: usize, piece: u16) -> u64 {
        if piece == 0 { 0 } else { piece_key(site, self.digests[usize::from(piece)]) }
    }
}
