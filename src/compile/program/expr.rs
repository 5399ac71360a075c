//! Lowered expressions.

use std::sync::Arc;

use super::{Local, Reach, Route, WayRoute};
use crate::base::Word;
use crate::ir::{ActionRef, Fold, IntOp, Order, PartId, PhaseId, SetOp};

/// The indices of a table or cell, each with the number of its values.
pub(crate) type Args<W> = Box<[(Number<W>, usize)]>;

/// A lookup in a table filled at lowering.
#[derive(Clone, Debug)]
pub(crate) struct Table<T, W: Word> {
    /// Its indices, each with the number of its values.
    pub by: Args<W>,
    /// The values, last argument fastest; wherever a table is read, they are the same.
    pub values: Arc<[T]>,
}

/// The place of a variable's value: the first place, and the indices to add.
#[derive(Clone, Debug)]
pub(crate) struct Cell<W: Word> {
    /// The place for indices that are all 0.
    pub first: u32,
    /// The indices, each with the number of its values.
    pub at: Args<W>,
}

/// All straight rows of a length, each listed at its lowest site.
#[derive(Clone, Debug)]
pub(crate) struct RowTable {
    /// Where the rows of each site begin, and where the last ones end.
    pub from: Box<[u32]>,
    /// The other sites of each row.
    pub rest: Box<[u16]>,
    /// How many other sites a row has.
    pub more: usize,
}

impl RowTable {
    /// The rows listed at a site, without that site.
    pub(crate) fn from(&self, site: usize) -> impl Iterator<Item = &[u16]> {
        let range = self.from.get(site).zip(self.from.get(site + 1));
        let rows = range.and_then(|(&first, &end)| self.rest.get(first as usize..end as usize));
        rows.map_or(&[][..], |rows| rows).chunks_exact(self.more)
    }

    /// How many they are.
    pub(crate) fn count_from(&self, site: usize) -> usize {
        let range = self.from.get(site).zip(self.from.get(site + 1));
        range.map_or_else(Default::default, |(&first, &end)| (end - first) as usize / self.more)
    }
}

/// The pools of tokens concerned.
#[derive(Clone, Debug)]
pub(crate) enum Pools<W: Word> {
    /// This pool.
    One(u16),
    /// The acting seat's pool, counted from this one.
    Mine(u16),
    /// A seat's pool, counted from this one.
    Of(u16, Number<W>),
    /// The pools of these seats, counted from this one.
    All(u16, Set<W>),
}

/// A name bound before an expression is evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Bind<W: Word> {
    /// A number.
    Number(Local, Number<W>),
    /// A set.
    Set(Local, Set<W>),
    /// A list.
    List(Local, List<W>),
}

/// What a binder ranges over.
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

/// Binders, outermost first, and their filter.
#[derive(Clone, Debug)]
pub(crate) struct Loop<W: Word> {
    /// Each name with what it ranges over.
    pub over: Box<[(Local, Source<W>)]>,
    /// The filter.
    pub filter: Option<Test<W>>,
}

/// An expression whose value is a number.
#[derive(Clone, Debug)]
pub(crate) enum Number<W: Word> {
    /// A constant.
    Const(i64),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<W>>),
    /// The seat whose turn it is.
    Mover,
    /// The acting seat.
    Me,
    /// Plies made.
    Ply,
    /// Turns completed.
    Turn,
    /// The logical clock.
    Now,
    /// How often this position has occurred.
    Occurrences,
    /// At how many plies a part of it has occurred.
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
    /// A conditional.
    If(Box<(Test<W>, Self, Self)>),
    /// A lookup by the acting seat.
    ByMe(Box<[i64]>),
    /// A lookup by a local name.
    ByLocal(Local, Box<[i64]>),
    /// A lookup by the acting seat and a local name with this many values.
    ByMeAnd(Local, usize, Box<[i64]>),
    /// A lookup by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[i64]>),
    /// A lookup in a table.
    Table(Box<Table<i64, W>>),
    /// The size of a set.
    Count(Box<Set<W>>),
    /// The length of a list.
    Length(Box<List<W>>),
    /// The number of pieces in a zone.
    ZoneSize(Box<Cell<W>>),
    /// The number of tokens on the sites of a set.
    Tokens(Box<(Pools<W>, Set<W>)>),
    /// The number of tokens on a site.
    TokensAt(Box<(Pools<W>, Self)>),
    /// Sum, greatest or least.
    Fold(Fold, Box<(Loop<W>, Self)>),
    /// The next seat that still plays.
    Following(Box<Self>),
    /// The previous seat that still plays.
    Preceding(Box<Self>),
    /// Steps on the empty board, in the directions of a set.
    Distance(Box<(Self, Self, Set<W>)>),
    /// The end of a way.
    WayTo(Box<Self>),
    /// A truth value as a number.
    Truth(Box<Test<W>>),
    /// A cached value of a definition.
    Memo(u16, Box<[Number<W>]>),
    /// An expression under bound names.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

/// An expression whose value is a truth value.
#[derive(Clone, Debug)]
pub(crate) enum Test<W: Word> {
    /// A constant.
    Const(bool),
    /// A number as a truth value: not 0.
    Number(Number<W>),
    /// `not`
    Not(Box<Self>),
    /// `and`
    And(Box<(Self, Self)>),
    /// `or`
    Or(Box<(Self, Self)>),
    /// Both or neither.
    Iff(Box<(Self, Self)>),
    /// A conditional.
    If(Box<(Self, Self, Self)>),
    /// Comparison.
    Compare(Order, Box<(Number<W>, Number<W>)>),
    /// Equality.
    Equal(Box<(Number<W>, Number<W>)>),
    /// Equality with a constant.
    Is(Box<Number<W>>, i64),
    /// Equality of sets.
    SameSet(Box<(Set<W>, Set<W>)>),
    /// Equality of lists.
    SameList(Box<(List<W>, List<W>)>),
    /// Whether a set is empty.
    NoneOf(Box<Set<W>>),
    /// Whether a list is empty.
    NoneIn(Box<List<W>>),
    /// Membership.
    In(Box<(Number<W>, Set<W>)>),
    /// Membership in a list.
    InList(Box<(Number<W>, List<W>)>),
    /// Whether a number is within a range.
    InRange(Box<(Number<W>, Number<W>, Number<W>)>),
    /// Subset.
    Within(Box<(Set<W>, Set<W>)>),
    /// Whether two sets intersect.
    Meets(Box<(Set<W>, Set<W>)>),
    /// Subset of lists.
    WithinList(Box<(List<W>, List<W>)>),
    /// Whether two lists share a member.
    MeetsList(Box<(List<W>, List<W>)>),
    /// Whether the phase is current.
    InPhase(PhaseId),
    /// A lookup by the acting seat.
    ByMe(Box<[bool]>),
    /// A lookup by a local name.
    ByLocal(Local, Box<[bool]>),
    /// A lookup by the acting seat and a local name with this many values.
    ByMeAnd(Local, usize, Box<[bool]>),
    /// A lookup by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[bool]>),
    /// A lookup in a table.
    Table(Box<Table<bool, W>>),
    /// `any` (false) or `all` (true).
    Quantified(bool, Box<(Loop<W>, Self)>),
    /// Whether this many sites of a set form a straight row.
    Line(Box<(Set<W>, Number<W>)>),
    /// Whether a set contains one of some rows.
    Row(Box<(Set<W>, RowTable)>),
    /// Whether the third set joins the first two, in the directions of the fourth.
    Connected(Box<[Set<W>; 4]>),
    /// Whether the position after a ply was equal.
    Repeats(Number<W>),
    /// Whether a seat has a legal move of one of these actions.
    CanPlay(Box<(Number<W>, Box<[ActionRef]>)>),
    /// A cached value of a definition.
    Memo(u16, Box<[Number<W>]>),
    /// An expression under bound names.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

impl<W: Word> Test<W> {
    /// Its value if that is known at load, else the test itself.
    pub(crate) fn settled(self) -> Result<bool, Self> {
        if let Self::Const(value) = self { Ok(value) } else { Err(self) }
    }
}

/// An expression whose value is a set of atoms.
#[derive(Clone, Debug)]
pub(crate) enum Set<W: Word> {
    /// A constant.
    Const(W),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<W>>),
    /// Sites without pieces or tokens.
    Empty,
    /// Sites with a piece or tokens.
    Occupied,
    /// A maintained index of sites.
    Index(u16),
    /// The index for the acting seat.
    IndexByMe(Box<[u16]>),
    /// The index selected by a number.
    IndexBy(Box<(Number<W>, Box<[u16]>)>),
    /// Sites with such tokens.
    TokenSites(Box<Pools<W>>),
    /// The seats that still play.
    Playing,
    /// A singleton.
    One(Box<Number<W>>),
    /// A set listed element by element.
    Some(Box<[Number<W>]>),
    /// Set algebra.
    Op(SetOp, Box<(Self, Self)>),
    /// A conditional.
    If(Box<(Test<W>, Self, Self)>),
    /// The members that satisfy a condition.
    Filter(Local, Box<(Self, Test<W>)>),
    /// The members with the greatest value.
    Top(Local, Box<(Self, Number<W>)>),
    /// Union.
    Fold(Box<(Loop<W>, Self)>),
    /// A lookup by the acting seat.
    ByMe(Box<[W]>),
    /// A lookup by a local name.
    ByLocal(Local, Box<[W]>),
    /// A lookup by the acting seat and a local name with this many values.
    ByMeAnd(Local, usize, Box<[W]>),
    /// A lookup by the piece on a site.
    ByPiece(Box<Number<W>>, Box<[W]>),
    /// A lookup in a table.
    Table(Box<Table<W, W>>),
    /// The sites a path leads to.
    Path(Box<Route<W>>),
    /// The sites that one step or any number of leaps lead to from a site.
    Reach(Box<Reach<W>>),
    /// The ends of a path that is followed one walker at a time.
    Ends(Box<WayRoute<W>>),
    /// The union of what the ways of a path take.
    Takes(Box<WayRoute<W>>),
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
    /// The sites of the second set connected within it to the first, in the directions of the third.
    Group(Box<[Self; 3]>),
    /// The sites of a set that belong to straight rows of a length in it.
    Rows(Box<(Self, Number<W>)>),
    /// The union of the rows contained in a set.
    InRows(Box<(Self, RowTable)>),
    /// A cached value of a definition.
    Memo(u16, Box<[Number<W>]>),
    /// A set whose members count as inspected.
    Inspected(Box<Self>),
    /// The same, but only for whether they are in the indexes that the second set is made of.
    Compared(Box<(Self, Self)>),
    /// An expression under bound names.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

/// An expression whose value is a list: a set of numbers, ascending, of pieces or of ways.
#[derive(Clone, Debug)]
pub(crate) enum List<W: Word> {
    /// A constant.
    Const(Box<[i64]>),
    /// A local name.
    Local(Local),
    /// A variable.
    Var(Box<Cell<W>>),
    /// The pieces in a zone.
    Zone(Box<Cell<W>>),
    /// The ways of a path that takes sites.
    Ways(Box<WayRoute<W>>),
    /// The last piece.
    Last(Box<Self>),
    /// The numbers from one to another.
    Range(Box<(Number<W>, Number<W>)>),
    /// A list given element by element.
    Some(Box<[Number<W>]>, Sort),
    /// Set algebra.
    Op(SetOp, Box<(Self, Self)>, Sort),
    /// A conditional.
    If(Box<(Test<W>, Self, Self)>),
    /// The members that satisfy a condition.
    Filter(Local, Box<(Self, Test<W>)>),
    /// The members with the greatest value.
    Top(Local, Box<(Self, Number<W>)>),
    /// Union.
    Fold(Box<(Loop<W>, Self)>, Sort),
    /// An expression under bound names.
    With(Box<(Box<[Bind<W>]>, Self)>),
}

/// What a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Numbers: ascending, each once.
    Numbers,
    /// Pieces: in order, every copy listed.
    Pieces,
    /// Ways, by their end and what they take, each once.
    Ways,
}
