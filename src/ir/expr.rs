//! Typed expressions.

use super::needs::Needs;
use super::op::{IntOp, Order, SetOp};
use super::stmt::ActionRef;
use super::value::{Ty, Value};
use super::zone::ZoneRef;
use super::{ActionId, FnId, PartId, PathId, PhaseId, RuleId, Slot, TableId, TokenId, VarId};

/// The aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Sum of numbers.
    Sum,
    /// Greatest number, 0 if there is none.
    Max,
    /// Least number, 0 if there is none.
    Min,
    /// Union of sets.
    Union,
}

impl Fold {
    /// The sum, greatest or least of no numbers.
    pub const OF_NOTHING: i64 = 0;
}

/// Whose pieces or tokens.
#[derive(Clone, Debug)]
pub enum Owner {
    /// Of the seat that acts.
    Me,
    /// Of any other seat.
    Others,
    /// Of this seat.
    Seat(Box<Expr>),
    /// Of anybody or nobody.
    Anyone,
}

/// What a binder runs over.
#[derive(Clone, Debug)]
pub enum BinderSet {
    /// The members of a set.
    Members(Expr),
    /// The pieces on sites.
    PiecesAt(Expr),
}

/// A local name with what it runs over.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The name.
    pub slot: Slot,
    /// The set.
    pub over: BinderSet,
}

/// What can be asked of a site, piece, kind or way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// A number per site, from a table.
    SiteInt(Vec<i64>),
    /// The seat of a site on a board laid out per seat, as a set of at most one.
    SiteSeat(Vec<Value>),
    /// The kind of a piece.
    PieceKind,
    /// The owner of a piece, as a set of at most one.
    PieceOwner,
    /// A field of a piece by name; the default of the type for a kind without it.
    PieceField(String, Ty),
    /// An attribute of a kind, one value per kind.
    KindValue(Vec<Value>),
    /// Where a way ends.
    WayTo,
    /// What a way takes.
    WayTaken,
}

/// The built-in functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `count(S)`
    Count,
    /// `abs(n)`
    Abs,
    /// `greater(a, b)`
    Greater,
    /// `lesser(a, b)`
    Lesser,
    /// `around(S)`: all neighbours of the sites of S, outside S.
    Around,
    /// `toward(S, D)`: the sites one step from S in a direction of D.
    Toward,
    /// `ray(s, D)`: all sites straight on from s in a direction of D.
    Ray,
    /// `between(a, b)`: the sites strictly between two sites on a line.
    Between,
    /// `a..b`: the rectangle of a square board between two sites.
    Rectangle,
    /// `distance(a, b)`: steps on the empty board; -1 if unreachable.
    Distance,
    /// `line(S, n)`: whether n sites of S stand in a straight row.
    Line,
    /// `rows(S, n)`: the sites of S that belong to a straight row of n.
    Rows,
    /// `group(s, S)`: the connected part of S around s.
    Group,
    /// `connected(A, B, S)`: whether S joins a site of A with a site of B.
    Connected,
    /// `following(p)`: the next seat in turn order that still plays.
    Following,
    /// `preceding(p)`: the seat before.
    Preceding,
    /// `opponents(p)`: the other seats that still play.
    Opponents,
    /// `repeats(n)`: whether the position after ply n was the same as this one.
    Repeats,
    /// `opposite(d)`: the directions that lead back.
    Opposite,
}

/// A table of values over numbered arguments, filled at load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// How many values each argument has.
    pub sizes: Vec<usize>,
    /// The values, last argument fastest.
    pub values: Vec<Value>,
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Ty,
}

impl Expr {
    /// An expression of a type.
    #[must_use]
    pub fn new(kind: ExprKind, ty: Ty) -> Self {
        Self { kind, ty }
    }

    /// A value known at load.
    #[must_use]
    pub fn constant(value: Value, ty: Ty) -> Self {
        Self::new(ExprKind::Const(value), ty)
    }

    /// A number.
    #[must_use]
    pub fn int(n: i64) -> Self {
        Self::constant(Value::Int(n), Ty::Int)
    }

    /// A condition.
    #[must_use]
    pub fn bool(kind: ExprKind) -> Self {
        Self::new(kind, Ty::Bool)
    }

    /// A set of sites.
    #[must_use]
    pub fn sites(kind: ExprKind) -> Self {
        Self::new(kind, Ty::Site.set())
    }

    /// Arithmetic.
    #[must_use]
    pub fn calc(op: IntOp, a: Self, b: Self) -> Self {
        Self::new(ExprKind::Calc(op, Box::new(a), Box::new(b)), Ty::Int)
    }

    /// What happens to two sets of one type.
    #[must_use]
    pub fn algebra(op: SetOp, a: Self, b: Self) -> Self {
        let ty = a.ty.clone();
        Self::new(ExprKind::Set(op, Box::new(a), Box::new(b)), ty)
    }

    /// The opposite of a condition.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::bool(ExprKind::Not(Box::new(self)))
    }

    /// The local name this is, if it is one.
    #[must_use]
    pub fn as_slot(&self) -> Option<Slot> {
        if let ExprKind::Slot(slot) = self.kind { Some(slot) } else { None }
    }

    /// The only member, where a set of one expression is listed.
    #[must_use]
    pub fn sole(&self) -> Option<&Self> {
        let ExprKind::List(members) = &self.kind else { return None };
        if let [only] = members.as_slice() { Some(only) } else { None }
    }

    /// The set of this alone.
    #[must_use]
    pub fn singleton(self) -> Self {
        let ty = self.ty.clone().set();
        Self::new(ExprKind::List(vec![self]), ty)
    }
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A value known at load.
    Const(Value),
    /// A local name.
    Slot(Slot),
    /// A variable, with its indices.
    Var(VarId, Vec<Expr>),
    /// The seat whose turn it is.
    Mover,
    /// The seat that acts: who was asked, else the mover.
    Me,
    /// The number of plies made.
    Ply,
    /// The number of turns completed.
    Turn,
    /// The logical clock: when the last act of a race took place.
    Now,
    /// The seats that still play.
    Playing,
    /// How often this position has stood, now included.
    Occurrences,
    /// After how many plies a part of it has stood: its number in [`Game::parts`](super::Game).
    OccurrencesOf(PartId),
    /// Whether the phase with this number runs.
    InPhase(PhaseId),
    /// The sites without piece and tokens.
    Empty,
    /// The sites with a piece or tokens.
    Occupied,
    /// The sites where a piece of these kinds stands.
    Pieces(Owner, Box<Expr>),
    /// The pieces in a zone, each copy by itself, in their order.
    Zone(ZoneRef),
    /// The last piece of a list, as a list of at most one.
    TopOf(Box<Expr>),
    /// How many tokens lie on sites.
    TokensAt(TokenId, Owner, Box<Expr>),
    /// The sites where such tokens lie.
    TokenSites(TokenId, Owner),
    /// `not`
    Not(Box<Expr>),
    /// The set is empty.
    IsEmpty(Box<Expr>),
    /// `-n`
    Neg(Box<Expr>),
    /// `and`
    And(Box<Expr>, Box<Expr>),
    /// `or`
    Or(Box<Expr>, Box<Expr>),
    /// Equality of values of one type.
    Same(Box<Expr>, Box<Expr>),
    /// Comparison of numbers.
    Compare(Order, Box<Expr>, Box<Expr>),
    /// Arithmetic.
    Calc(IntOp, Box<Expr>, Box<Expr>),
    /// Membership.
    Member(Box<Expr>, Box<Expr>),
    /// Subset.
    Within(Box<Expr>, Box<Expr>),
    /// Shared member.
    Meets(Box<Expr>, Box<Expr>),
    /// Set algebra.
    Set(SetOp, Box<Expr>, Box<Expr>),
    /// A set of the values of expressions.
    List(Vec<Expr>),
    /// The numbers from one to another.
    Range(Box<Expr>, Box<Expr>),
    /// Condition.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `any` or `all`.
    Quantified {
        /// `all` instead of `any`.
        all: bool,
        /// Outermost first.
        binders: Vec<Binder>,
        /// The filter.
        filter: Option<Box<Expr>>,
        /// The condition.
        body: Box<Expr>,
    },
    /// An aggregate.
    Aggregate {
        /// Which.
        fold: Fold,
        /// What is gathered.
        body: Box<Expr>,
        /// Outermost first.
        binders: Vec<Binder>,
        /// The filter.
        filter: Option<Box<Expr>>,
    },
    /// The members with the greatest value.
    Top(Slot, Box<Expr>, Box<Expr>),
    /// The members that fulfil a condition.
    Filter(Slot, Box<Expr>, Box<Expr>),
    /// In the position after a move.
    After(Slot, Box<Expr>),
    /// An attribute.
    Attr(Attribute, Box<Expr>),
    /// A value from a table.
    Lookup(TableId, Vec<Expr>),
    /// A defined function.
    Call(FnId, Vec<Expr>),
    /// A path from a site: the sites it may end on, or its ways if it takes.
    Path(PathId, Box<Expr>, Vec<Expr>),
    /// A built-in function.
    Builtin(Function, Vec<Expr>),
    /// The legal moves of an action for the seat that is asked.
    MovesOf(ActionId),
    /// Whether a seat that still plays has a legal move of one of these actions.
    CanPlay(Box<Expr>, Vec<ActionRef>),
}

/// A defined function.
#[derive(Clone, Debug)]
pub struct FnDef {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Slot>,
    /// Its value.
    pub body: Expr,
    /// What its value depends on, besides its parameters.
    pub(crate) needs: Needs,
    /// The rule it is.
    pub rule: RuleId,
}
