//! Values as sets: algebra, aggregation, and the numbers of fields.

use std::collections::HashSet;

use crate::base::{Bits, to_index};
use crate::ir::{SeatId, SetOp, Ty, Value};

/// The seats whose pieces are meant, evaluated.
pub(super) enum Owners {
    One(SeatId),
    NotOne(SeatId),
    Many(Bits),
    Any,
}

impl Owners {
    pub(super) fn fits(&self, owner: Option<SeatId>) -> bool {
        match (self, owner) {
            (Self::Any, _) => true,
            (Self::One(seat), Some(owner)) => *seat == owner,
            (Self::NotOne(seat), Some(owner)) => *seat != owner,
            (Self::Many(seats), Some(owner)) => seats.contains(usize::from(owner)),
            (Self::One(_) | Self::NotOne(_) | Self::Many(_), None) => false,
        }
    }
}

/// The number stored in a field as a value of its type.
pub(super) fn number_to_value(ty: &Ty, n: i32) -> Value {
    match ty {
        Ty::Int => Value::Int(i64::from(n)),
        Ty::Bool => Value::Bool(n != 0),
        Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => {
            Value::atom_of(to_index(i64::from(n)))
        }
    }
}

pub(super) fn is_empty_set(value: &Value) -> bool {
    value.size() == 0
}

/// Up to this many members are searched one after the other.
const FEW: usize = 16;

/// Whether a value is among others.
pub(super) fn among(members: &[Value]) -> impl FnMut(&Value) -> bool {
    let many: HashSet<&Value> = if members.len() > FEW { members.iter().collect() } else { HashSet::new() };
    move |member| if many.is_empty() { members.contains(member) } else { many.contains(member) }
}

/// How many steps more a value costs whose copy takes time: nothing if it is small.
pub(super) fn weight(value: &Value) -> u64 {
    let size = match value {
        Value::Set(set) => set.width() / 4,
        Value::Ints(numbers) => numbers.len() / 2,
        Value::Pieces(pieces) => pieces.len() / 4,
        Value::Ways(ways) => ways.len() / 2,
        Value::Moves(moves) => moves.len() / 2,
        Value::Unset
        | Value::Int(_)
        | Value::Bool(_)
        | Value::Atom(_)
        | Value::Piece(_)
        | Value::Way(_)
        | Value::Move(_) => 0,
    };
    size as u64
}

/// Set algebra on values.
pub(super) fn combine(op: SetOp, a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Set(mut a), Value::Set(b)) => {
            match op {
                SetOp::Union => a.unite(&b),
                SetOp::Intersect => a.intersect(&b),
                SetOp::Minus => a.subtract(&b),
            }
            Value::Set(a)
        }
        (Value::Pieces(mut a), Value::Pieces(b)) if op == SetOp::Union => {
            a.extend(b);
            Value::Pieces(a)
        }
        (a, b) => {
            let (mut a, b) = (a.members(), b.members());
            if op == SetOp::Union {
                a.extend(b);
            } else {
                let keeps = op == SetOp::Intersect;
                let mut among = among(&b);
                a.retain(|member| among(member) == keeps);
            }
            gather(a)
        }
    }
}

/// A set from its members; its type is that of the first.
pub(super) fn gather(mut members: Vec<Value>) -> Value {
    if !matches!(members.first(), Some(Value::Move(_) | Value::Piece(_))) {
        members.sort();
        members.dedup();
    }
    match members.first() {
        None | Some(Value::Atom(_)) => Value::Set(members.iter().map(Value::atom).collect()),
        Some(Value::Int(_)) => Value::Ints(members.iter().map(Value::int).collect()),
        Some(Value::Piece(_)) => Value::Pieces(
            members.into_iter().filter_map(|m| if let Value::Piece(piece) = m { Some(piece) } else { None }).collect(),
        ),
        Some(Value::Way(_)) => Value::Ways(
            members.into_iter().filter_map(|m| if let Value::Way(way) = m { Some(*way) } else { None }).collect(),
        ),
        Some(Value::Move(_)) => Value::Moves(
            members.into_iter().filter_map(|m| if let Value::Move(mv) = m { Some(*mv) } else { None }).collect(),
        ),
        Some(
            Value::Unset
            | Value::Bool(_)
            | Value::Set(_)
            | Value::Ints(_)
            | Value::Pieces(_)
            | Value::Ways(_)
            | Value::Moves(_),
        ) => Value::Set(Bits::new()),
    }
}

/// A set of the given type from values.
pub(super) fn set_of(ty: &Ty, members: Vec<Value>) -> Value {
    if *ty == Ty::Int && members.is_empty() { Value::Ints(Vec::new()) } else { gather(members) }
}

/// A set of numbers in canonical form, even if empty.
pub(super) fn as_numbers(value: Value) -> Value {
    if is_empty_set(&value) { Value::Ints(Vec::new()) } else { value }
}
