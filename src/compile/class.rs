//! What sort of value an expression has.

use super::lower::Lower;
use super::program::{Home, Local, Sort};
use crate::base::{Bits, Word};
use crate::ir::{Attribute, Expr, ExprKind, Fold, Function, Ty, Value};

/// What sort of value an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Truth,
    Set,
    List(Sort),
    /// The empty set, of whatever.
    Nothing,
    /// Not lowered.
    Other(&'static str),
}

fn class_of(ty: &Ty) -> Class {
    match ty {
        Ty::Int | Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece => Class::Number,
        Ty::Bool => Class::Truth,
        Ty::Way => Class::Other("a way of a path that takes"),
        Ty::Move => Class::Other("a move as a value"),
        Ty::Set(inner) => match **inner {
            Ty::Int => Class::List(Sort::Numbers),
            Ty::Piece => Class::List(Sort::Pieces),
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => Class::Set,
            Ty::Bool | Ty::Way | Ty::Move | Ty::Set(_) => Class::Other("a set of ways, moves or sets"),
        },
    }
}

fn class_of_values(values: &[Value]) -> Class {
    let telling = values.iter().find(|value| !matches!(value, Value::Unset) && **value != Value::Set(Bits::new()));
    match telling {
        Some(Value::Int(_) | Value::Atom(_) | Value::Piece(_)) => Class::Number,
        Some(Value::Bool(_)) => Class::Truth,
        Some(Value::Set(_)) => Class::Set,
        Some(Value::Ints(_)) => Class::List(Sort::Numbers),
        Some(_) => Class::Other("a table of ways or moves"),
        None => Class::Nothing,
    }
}

/// Where a name or variable of a type is kept, with so many places.
pub(super) fn home(ty: &Ty, places: usize, taken: &mut [usize; 3]) -> Home {
    let (sort, make): (usize, fn(Local) -> Home) = match class_of(ty) {
        Class::Number | Class::Truth => (0, Home::Number),
        Class::Set | Class::Nothing => (1, Home::Set),
        Class::List(_) => (2, Home::List),
        Class::Other(_) => return Home::Nowhere,
    };
    let first = taken[sort];
    taken[sort] += places;
    Local::try_from(first).map_or(Home::Nowhere, make)
}

impl<W: Word> Lower<'_, W> {
    pub(super) fn class(&self, expr: &Expr) -> Class {
        match &expr.kind {
            ExprKind::Const(value) => match value {
                Value::Int(_) | Value::Atom(_) | Value::Piece(_) => Class::Number,
                Value::Bool(_) => Class::Truth,
                Value::Set(bits) if bits.is_empty() => Class::Nothing,
                Value::Set(_) => Class::Set,
                Value::Ints(_) => Class::List(Sort::Numbers),
                Value::Pieces(_) => Class::List(Sort::Pieces),
                Value::Unset => Class::Other("a value that is not there"),
                Value::Way(_) | Value::Ways(_) => Class::Other("a way of a path that takes"),
                Value::Move(_) | Value::Moves(_) => Class::Other("a move as a value"),
            },
            ExprKind::Slot(slot) => {
                self.game.slots.get(usize::from(*slot)).map_or(Class::Number, |info| class_of(&info.ty))
            }
            ExprKind::Var(var, _) => {
                self.game.vars.get(usize::from(*var)).map_or(Class::Number, |info| class_of(&info.ty))
            }
            ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Occurrences
            | ExprKind::TokensAt(..)
            | ExprKind::Neg(_)
            | ExprKind::Calc(..) => Class::Number,
            ExprKind::Playing
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::Pieces(..)
            | ExprKind::TokenSites(..) => Class::Set,
            ExprKind::InPhase(_)
            | ExprKind::Not(_)
            | ExprKind::IsEmpty(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Same(..)
            | ExprKind::Compare(..)
            | ExprKind::Member(..)
            | ExprKind::Within(..)
            | ExprKind::Meets(..)
            | ExprKind::Quantified { .. } => Class::Truth,
            ExprKind::Zone(_) | ExprKind::TopOf(_) => Class::List(Sort::Pieces),
            ExprKind::Range(..) => Class::List(Sort::Numbers),
            ExprKind::List(members) if members.is_empty() && expr.ty != Ty::Int.set() => Class::Nothing,
            ExprKind::List(_) => class_of(&expr.ty),
            ExprKind::Set(_, a, b) | ExprKind::If(_, a, b) => match self.class(a) {
                Class::Nothing => self.class(b),
                class => class,
            },
            ExprKind::Aggregate { fold, body, .. } => {
                if *fold == Fold::Union {
                    self.class(body)
                } else {
                    Class::Number
                }
            }
            ExprKind::Top(_, set, _) | ExprKind::Filter(_, set, _) => self.class(set),
            ExprKind::After(..) => Class::Other("the position after a move"),
            ExprKind::Attr(attribute, _) => match attribute {
                Attribute::SiteInt(_) | Attribute::PieceKind => Class::Number,
                Attribute::SiteSeat(_) | Attribute::PieceOwner => Class::Set,
                Attribute::PieceField(_, ty) => class_of(ty),
                Attribute::KindValue(values) => class_of_values(values),
                Attribute::WayTo | Attribute::WayTaken => Class::Other("a way of a path that takes"),
            },
            ExprKind::Lookup(table, _) => {
                self.game.lookups.get(usize::from(*table)).map_or(Class::Number, |table| class_of_values(&table.values))
            }
            ExprKind::Call(function, _) => {
                self.game.functions.get(usize::from(*function)).map_or(Class::Number, |def| self.class(&def.body))
            }
            ExprKind::Path(path, ..) => match self.game.paths.get(usize::from(*path)) {
                Some(def) if def.takes => Class::Other("a path that takes"),
                _ => Class::Set,
            },
            ExprKind::Builtin(function, _) => match function {
                Function::Count
                | Function::Abs
                | Function::Greater
                | Function::Lesser
                | Function::Distance
                | Function::Following
                | Function::Preceding => Class::Number,
                Function::Around
                | Function::Toward
                | Function::Ray
                | Function::Between
                | Function::Rows
                | Function::Group
                | Function::Opponents
                | Function::Opposite => Class::Set,
                Function::Line | Function::Connected | Function::Repeats => Class::Truth,
            },
            ExprKind::MovesOf(_) => Class::Other("the legal moves as values"),
        }
    }
}
