//! Classification of expressions by how their values are represented.

use super::Gap;
use super::program::{Home, Local, Sort};
use crate::ir::{Expr, ExprKind, Ty};

/// How the values of an expression are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Truth,
    Set,
    List(Sort),
    /// Not lowered.
    Other(&'static str),
}

impl Class {
    pub(super) fn of(expr: &Expr) -> Self {
        Self::of_type(&expr.ty)
    }

    fn of_type(ty: &Ty) -> Self {
        match ty {
            Ty::Int | Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way => Class::Number,
            Ty::Bool => Class::Truth,
            Ty::Move => Class::Other("a move as a value"),
            Ty::Set(inner) => match **inner {
                Ty::Int => Class::List(Sort::Numbers),
                Ty::Piece => Class::List(Sort::Pieces),
                Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => Class::Set,
                Ty::Way => Class::List(Sort::Ways),
                Ty::Bool | Ty::Move | Ty::Set(_) => Class::Other("a set of moves or sets"),
            },
        }
    }
}

/// Allocates a home for a name or variable of a type, with this many consecutive places.
pub(super) fn home(ty: &Ty, places: usize, taken: &mut [usize; 3]) -> Home {
    let (sort, make): (usize, fn(Local) -> Home) = match Class::of_type(ty) {
        Class::Number | Class::Truth => (0, Home::Number),
        Class::Set => (1, Home::Set),
        Class::List(_) => (2, Home::List),
        Class::Other(_) => return Home::Nowhere,
    };
    let first = taken[sort];
    taken[sort] += places;
    Local::try_from(first).map_or(Home::Nowhere, make)
}

/// The reason why an expression of a type that can be lowered is not.
pub(super) fn gap(expr: &Expr, otherwise: &'static str) -> Gap {
    match (&expr.kind, Class::of(expr)) {
        (ExprKind::After(..), _) => Gap("the position after a move"),
        (ExprKind::MovesOf(_), _) => Gap("the legal moves as values"),
        (_, Class::Other(what)) => Gap(what),
        (_, Class::Number | Class::Truth | Class::Set | Class::List(_)) => Gap(otherwise),
    }
}

/// Whether a list holds numbers or pieces.
pub(super) fn sort(expr: &Expr) -> Result<Sort, Gap> {
    match Class::of(expr) {
        Class::List(sort) => Ok(sort),
        Class::Other(what) => Err(Gap(what)),
        Class::Number | Class::Truth | Class::Set => Err(Gap("an expression that is no list")),
    }
}
