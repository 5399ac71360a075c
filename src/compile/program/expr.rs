//! Lowered expressions.

use super::{Local, Reach, Route, Track};
use crate::base::Word;
use crate::ir::{ActionRef, Fold, IntOp, Order, PartId, PhaseId, SetOp};

/// What a table or a cell is indexed by: each with how many values it has.
pub(crate) type Args<W> = Box<[(Number<W>, usize)]>;

/// A value from a table that was filled when the game was lowered.
#[derive(Clone, Debug)]
pub(crate) struct Table<T, W: Word> {
    /// What it is looked up by: each with how many values it has.
    pub by: Args<W>,
    /// The values, last argument fastest.
    pub values: Box<[T]>,
}

/// A variable's value: the first place, and the indices that lead on from it.
#[derive(Clone, Debug)]
pub(crate) struct Cell<W: Word> {
    /// The place with all indices 0.
    pub first: u32,
    /// Each index with how many values it has.
    pub at: Args<W>,
}

/// All straight rows of a length, each at its lowest site.
#[derive(Clone, Debug)]
pub(crate) struct Windows {
    /// Where the rows of each site begin, and where the last ones end.
    pub from: Box<[u32]>,
    /// The other sites of each.
    pub rest: Box<[u16]>,
    /// How many those are.
    pub more: usize,
}

impl Windows {
    /// The rows of a site, without it.
    pub(crate) fn from(&self, site: usize) -> impl Iterator<Item = &[u16]> {
        let range = self.from.get(site).zip(self.from.get(site + 1));
        let rows = range.and_then(|(&first, &end)| self.rest.get(first as usize..end as usize));
        rows.map_or(&[][..], |rows| rows).chunks_exact(self.more)
    }
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
    /// The same of a part of it.
    OccurrencesOf(PartId),
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
    /// A value from a table by the seat that acts and a local name of this many values.
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
    /// Where a way ends.
    WayTo(Box<Self>),
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
    InPhase(PhaseId),
    /// A value from a table by the seat that acts.
    ByMe(Box<[bool]>),
    /// A value from a table by a local name.
    ByLocal(Local, Box<[bool]>),
    /// A value from a table by the seat that acts and a local name of this many values.
    ByMeAnd(Local, usize, Box<[bool]>),
    /// A value from a table by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[bool]>),
    /// A value from a table.
    Table(Box<Table<bool, W>>),
    /// `any` (false) or `all` (true).
    Quantified(bool, Box<(Loop<W>, Self)>),
    /// Whether this many sites of a set stand in a straight row.
    Line(Box<(Set<W>, Number<W>)>),
    /// Whether one of some rows lies in a set.
    Row(Box<(Set<W>, Windows)>),
    /// Whether the third set joins the first two, in the directions of the fourth.
    Connected(Box<[Set<W>; 4]>),
    /// Whether the position after a ply was the same.
    Repeats(Number<W>),
    /// Whether a seat has a legal move of one of these actions.
    CanPlay(Box<(Number<W>, Box<[ActionRef]>)>),
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
    /// A value from a table by the seat that acts and a local name of this many values.
    ByMeAnd(Local, usize, Box<[W]>),
    /// A value from a table by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[W]>),
    /// A value from a table.
    Table(Box<Table<W, W>>),
    /// Where a path leads.
    Path(Box<Route<W>>),
    /// Where one step or any number of leaps lead from a site.
    Reach(Box<Reach<W>>),
    /// Where a path leads that is followed walker by walker.
    Ends(Box<Track<W>>),
    /// What the ways of a path take, all together.
    Takes(Box<Track<W>>),
    /// What a way takes.
    WayTaken(Box<Number<W>>),
    /// The sites one step from the first set in a direction of the second.
    Toward(Box<(Self, Self)>),
    /// The same without the sites themselves.
    Around(Box<(Self, Self)>),
    /// All sites straight on.
    Ray(Box<(Self, Self)>),
    /// The sites strictly between two.
    Between(Box<(Number<W>, Number<W>)>),
    /// The rectangle of a square board between two sites.
    Rectangle(Box<(Number<W>, Number<W>)>),
    /// The part of the second set connected with the first, in directions.
    Group(Box<[Self; 3]>),
    /// The sites of a set in straight rows of a length.
    Rows(Box<(Self, Number<W>)>),
    /// The sites of those of some rows that lie in a set.
    InRows(Box<(Self, Windows)>),
    /// A kept value of a definition.
    Memo(u16, Box<[Number<W>]>),
    /// With names bound.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

/// An expression whose value is a list: a set of numbers, ascending, of pieces or of ways.
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
    /// The ways of a path that takes.
    Ways(Box<Track<W>>),
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
    /// Ways, by where they end and what they take, each once.
    Ways,
}
