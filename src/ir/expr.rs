//! Typed expressions.

use super::dependencies::Dependencies;
use super::op::{IntOp, Order, SetOp};
use super::stmt::ActionRef;
use super::value::{Ty, Value};
use super::values::Values;
use super::zone::ZoneRef;
use super::{ActionId, FnId, PartId, PathId, PhaseId, RuleId, Slot, TableId, TokenId, VarId};
use crate::base::Span;

/// The aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Sum of numbers.
    Sum,
    /// Greatest number, 0 if there are none.
    Max,
    /// Least number, 0 if there are none.
    Min,
    /// Union of sets.
    Union,
}

impl Fold {
    /// The sum, greatest or least of no numbers.
    pub const OF_NOTHING: i64 = 0;
}

/// The owner of pieces or tokens.
#[derive(Clone, Debug)]
pub enum Owner {
    /// The seat that acts.
    Me,
    /// Any other seat.
    Others,
    /// This seat.
    Seat(Box<Expr>),
    /// Any seat, or none.
    Anyone,
}

/// What a binder ranges over.
#[derive(Clone, Debug)]
pub enum BinderSet {
    /// The members of a set.
    Members(Expr),
    /// The pieces on sites.
    PiecesAt(Expr),
}

/// A local name and what it ranges over.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The name.
    pub slot: Slot,
    /// What it ranges over.
    pub over: BinderSet,
}

/// An attribute of a site, piece, kind or way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// A number per site, from a table.
    SiteInt(Vec<i64>),
    /// The seat a site belongs to, on a board with a part per seat, as a set of at most one.
    SiteSeat(Vec<Value>),
    /// The kind of a piece.
    PieceKind,
    /// The owner of a piece, as a set of at most one.
    PieceOwner,
    /// A field of a piece by name; the default of the type for a kind without it.
    PieceField(String, Ty),
    /// An attribute of a kind, one value per kind.
    KindValue(Vec<Value>),
    /// The site a way ends on.
    WayTo,
    /// The sites a way takes.
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
    /// `line(S, n)`: whether n sites of S form a straight row.
    Line,
    /// `rows(S, n)`: the sites of S that belong to a straight row of n.
    Rows,
    /// `group(s, S)`: the connected part of S around s.
    Group,
    /// `connected(A, B, S)`: whether S joins a site of A with a site of B.
    Connected,
    /// `following(p)`: the next seat in turn order that still plays.
    Following,
    /// `preceding(p)`: the previous seat that still plays.
    Preceding,
    /// `opponents(p)`: the other seats that still play.
    Opponents,
    /// `repeats(n)`: whether the position after ply n was the same as this one.
    Repeats,
    /// `opposite(d)`: the directions that reverse d.
    Opposite,
}

/// A table of values over numbered arguments, filled when the game is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lookup {
    /// How many values each argument has.
    pub sizes: Vec<usize>,
    /// The values, last argument fastest.
    pub values: Values,
    /// The region that they are.
    pub rule: Option<RuleId>,
    /// The row of each value, if it cites clauses; empty if none does.
    pub rows: Vec<Option<RuleId>>,
}

/// An expression with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it is written, for explanations; empty if it was made up.
    pub span: Span,
}

impl Expr {
    /// An expression of a type.
    #[must_use]
    pub fn new(kind: ExprKind, ty: Ty) -> Self {
        Self { kind, ty, span: Span::default() }
    }

    /// A constant.
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

    /// An operation on two sets of one type.
    #[must_use]
    pub fn algebra(op: SetOp, a: Self, b: Self) -> Self {
        let ty = a.ty.clone();
        Self::new(ExprKind::Set(op, Box::new(a), Box::new(b)), ty)
    }

    /// The negation of a condition.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::bool(ExprKind::Not(Box::new(self)))
    }

    /// The local name, if the expression is one.
    #[must_use]
    pub fn as_slot(&self) -> Option<Slot> {
        if let ExprKind::Slot(slot) = self.kind { Some(slot) } else { None }
    }

    /// The only element of a set listed with one element.
    #[must_use]
    pub fn sole(&self) -> Option<&Self> {
        let ExprKind::List(members) = &self.kind else { return None };
        if let [only] = members.as_slice() { Some(only) } else { None }
    }

    /// The set of this value alone.
    #[must_use]
    pub fn singleton(self) -> Self {
        let (ty, span) = (self.ty.clone().set(), self.span);
        Self { span, ..Self::new(ExprKind::List(vec![self]), ty) }
    }

    /// The one value of a set that was made of it, or else the expression itself.
    #[must_use]
    pub fn lone(mut self) -> Self {
        if let ExprKind::List(items) = &mut self.kind
            && items.len() == 1
            && let Some(item) = items.pop_if(|item| self.ty == item.ty.clone().set())
        {
            return item;
        }
        self
    }
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Const(Value),
    /// A local name.
    Slot(Slot),
    /// A variable, with its indices.
    Var(VarId, Vec<Expr>),
    /// The seat whose turn it is.
    Mover,
    /// The seat that acts: the one asked, else the mover.
    Me,
    /// The number of plies made.
    Ply,
    /// The number of turns completed.
    Turn,
    /// The logical clock: when the last act of a race took place.
    Now,
    /// The seats that still play.
    Playing,
    /// How often this position has occurred, this time included.
    Occurrences,
    /// At how many plies a part of the position has occurred: its number in [`Game::parts`](super::Game).
    OccurrencesOf(PartId),
    /// Whether the phase with this number is current.
    InPhase(PhaseId),
    /// The sites without pieces or tokens.
    Empty,
    /// The sites with a piece or tokens.
    Occupied,
    /// The sites with a piece of these kinds.
    Pieces(Owner, Box<Expr>),
    /// The pieces in a zone in order, every copy listed.
    Zone(ZoneRef),
    /// The last piece of a list, as a list of at most one.
    TopOf(Box<Expr>),
    /// How many tokens lie on sites.
    TokensAt(TokenId, Owner, Box<Expr>),
    /// The sites with such tokens.
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
    /// A conditional value.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `any` or `all`.
    Quantified {
        /// `all` instead of `any`.
        all: bool,
        /// The binders, outermost first.
        binders: Vec<Binder>,
        /// The filter.
        filter: Option<Box<Expr>>,
        /// The condition.
        body: Box<Expr>,
    },
    /// An aggregate.
    Aggregate {
        /// The kind of aggregate.
        fold: Fold,
        /// The value aggregated.
        body: Box<Expr>,
        /// The binders, outermost first.
        binders: Vec<Binder>,
        /// The filter.
        filter: Option<Box<Expr>>,
    },
    /// The members with the greatest value.
    Top(Slot, Box<Expr>, Box<Expr>),
    /// The members that satisfy a condition.
    Filter(Slot, Box<Expr>, Box<Expr>),
    /// A value in the position after a move.
    After(Slot, Box<Expr>),
    /// An attribute.
    Attr(Attribute, Box<Expr>),
    /// A value from a table.
    Lookup(TableId, Vec<Expr>),
    /// A defined function.
    Call(FnId, Vec<Expr>),
    /// A path from a site: the sites it may end on, or its ways if it takes sites.
    Path(PathId, Box<Expr>, Vec<Expr>),
    /// A built-in function.
    Builtin(Function, Vec<Expr>),
    /// The legal moves of an action for the seat to act.
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
    /// What its value depends on besides its parameters.
    pub(crate) needs: Dependencies,
    /// Whether everybody may know its value, as the rules say in so many words (`told`).
    pub told: bool,
    /// Its rule.
    pub rule: RuleId,
}
