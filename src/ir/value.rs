//! Types and values.

use smallvec::SmallVec;

use super::piece::Piece;
use super::stmt::ActionRef;
use super::{EnumId, SeatId};
use crate::base::{Bits, SaturatingFrom};

/// A type of the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A whole number.
    Int,
    /// A truth value.
    Bool,
    /// A player's seat.
    Seat,
    /// A site of a board.
    Site,
    /// A direction.
    Dir,
    /// A kind of piece.
    Kind,
    /// A member of the enum with this number.
    Enum(EnumId),
    /// A piece with owner and fields.
    Piece,
    /// A way along a path that takes sites: where it ends and what it takes.
    Way,
    /// A legal move.
    Move,
    /// A set.
    Set(Box<Ty>),
}

impl Ty {
    /// The type of sets of this.
    #[must_use]
    pub fn set(self) -> Self {
        Self::Set(Box::new(self))
    }

    /// The type of a set's members; any other type itself.
    #[must_use]
    pub fn element(&self) -> &Self {
        match self {
            Self::Set(inner) => inner,
            Self::Int
            | Self::Bool
            | Self::Seat
            | Self::Site
            | Self::Dir
            | Self::Kind
            | Self::Enum(_)
            | Self::Piece
            | Self::Way
            | Self::Move => self,
        }
    }

    /// Whether values are numbered from 0, so that a set of them is [`Bits`].
    #[must_use]
    pub fn is_atom(&self) -> bool {
        match self {
            Self::Seat | Self::Site | Self::Dir | Self::Kind | Self::Enum(_) => true,
            Self::Int | Self::Bool | Self::Piece | Self::Way | Self::Move | Self::Set(_) => false,
        }
    }
}

/// One way along a path. Two ways are equal if they end on the same site and take the same sites; the trail is only
/// for display.
#[derive(Clone, Debug)]
pub struct Way {
    /// The site it ends on.
    pub to: u32,
    /// The sites it takes.
    pub taken: Bits,
    /// The sites it visits, start excluded.
    pub trail: SmallVec<[u32; 4]>,
}

impl PartialEq for Way {
    fn eq(&self, other: &Self) -> bool {
        self.to == other.to && self.taken == other.taken
    }
}

impl Eq for Way {}

impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Way {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.to, &self.taken).cmp(&(other.to, &other.taken))
    }
}

impl std::hash::Hash for Way {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.to, &self.taken).hash(state);
    }
}

/// The parameters of a move.
pub(crate) type Args = SmallVec<[Value; 2]>;

/// A move: an action with its parameters, or a picked value.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The action.
    pub action: ActionRef,
    /// Its parameters in the order of its `choose` lines.
    pub args: Args,
}

impl Clone for Move {
    fn clone(&self) -> Self {
        Self { action: self.action, args: Self::arguments(self.args.iter().cloned()) }
    }
}

impl Move {
    /// Parameters that take no more room than they need, since a hundred thousand moves may be kept.
    pub(crate) fn arguments(values: impl ExactSizeIterator<Item = Value>) -> Args {
        let mut args = Args::with_capacity(values.len());
        args.extend(values);
        args
    }

    /// The seat that acts in a race; none for other moves.
    #[must_use]
    pub fn racer(&self) -> Option<SeatId> {
        match (self.action, self.args.first()) {
            (ActionRef::Race(_), Some(seat)) => Some(SeatId::new(seat.atom())),
            _ => None,
        }
    }

    /// The time of an act in a race; none for other moves.
    #[must_use]
    pub fn time(&self) -> Option<i64> {
        match (self.action, self.args.get(1)) {
            (ActionRef::Race(_), Some(Value::Int(time))) => Some(*time),
            _ => None,
        }
    }
}

/// A value. Atoms are represented by their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// No value: an unbound local name.
    #[default]
    Unset,
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A seat, site, direction, kind or enum member by its number.
    Atom(u32),
    /// A set of atoms.
    Set(Bits),
    /// A set of numbers, ascending.
    Ints(Vec<i64>),
    /// A piece.
    Piece(Piece),
    /// Pieces in order, every copy listed.
    Pieces(Vec<Piece>),
    /// A way.
    Way(Box<Way>),
    /// A set of ways, ascending.
    Ways(Vec<Way>),
    /// A move.
    Move(Box<Move>),
    /// A set of moves in the order of the rules.
    Moves(Vec<Move>),
}

/// So many words of a set take no memory of their own.
const INLINE: usize = 4;

/// An allocation takes as much memory as so many words.
const ALLOCATED: usize = 6;

impl Value {
    /// How many steps it counts for where very many are kept: one for every two bytes beyond those that any value takes.
    #[must_use]
    pub fn bulk(&self) -> u64 {
        let words = match self {
            // What does not fit in place has an allocation of its own.
            Self::Set(bits) if bits.width() > INLINE => ALLOCATED + bits.width() - INLINE,
            Self::Ints(list) => list.len(),
            Self::Set(_)
            | Self::Unset
            | Self::Int(_)
            | Self::Bool(_)
            | Self::Atom(_)
            | Self::Piece(_)
            | Self::Pieces(_)
            | Self::Way(_)
            | Self::Ways(_)
            | Self::Move(_)
            | Self::Moves(_) => 0,
        };
        4 * words as u64
    }

    /// The number of members of a set; 1 for any other value.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Set(bits) => bits.count(),
            Self::Ints(list) => list.len(),
            Self::Pieces(list) => list.len(),
            Self::Ways(list) => list.len(),
            Self::Moves(list) => list.len(),
            Self::Unset
            | Self::Int(_)
            | Self::Bool(_)
            | Self::Atom(_)
            | Self::Piece(_)
            | Self::Way(_)
            | Self::Move(_) => 1,
        }
    }

    /// What it takes to copy a member of it, about, in numbers: a move has a list of parameters of its own.
    #[must_use]
    pub fn breadth(&self) -> usize {
        let first = if let Self::Moves(list) = self { list.first() } else { None };
        let first = if let Self::Move(mv) = self { Some(&**mv) } else { first };
        match first {
            Some(mv) => 4 * (1 + mv.args.len()),
            None => 1,
        }
    }

    /// The number; 0 for anything else, which the checker rules out.
    #[must_use]
    pub fn int(&self) -> i64 {
        if let Self::Int(n) = self { *n } else { 0 }
    }

    /// The truth value; false for anything else, which the checker rules out.
    #[must_use]
    pub fn truth(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// The number of an atom; 0 for anything else, which the checker rules out.
    #[must_use]
    pub fn atom(&self) -> usize {
        if let Self::Atom(n) = self { *n as usize } else { 0 }
    }

    /// The set of numbers; empty for anything else, which the checker rules out.
    #[must_use]
    pub fn into_set(self) -> Bits {
        if let Self::Set(bits) = self { bits } else { Bits::new() }
    }

    /// The set of numbers, or the set of one atom alone; empty for anything else, which the checker rules out.
    #[must_use]
    pub fn atoms(self) -> Bits {
        if let Self::Atom(n) = self { Bits::one(n as usize) } else { self.into_set() }
    }

    /// As one number: of a truth value 1 or 0, of an atom its own, 0 of no value. None for what is more.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            Self::Bool(b) => Some(i64::from(*b)),
            Self::Atom(n) => Some(i64::from(*n)),
            Self::Unset => Some(0),
            Self::Set(_)
            | Self::Ints(_)
            | Self::Piece(_)
            | Self::Pieces(_)
            | Self::Way(_)
            | Self::Ways(_)
            | Self::Move(_)
            | Self::Moves(_) => None,
        }
    }

    /// As the number in a field of a piece; 0 for what no field holds, which the checker rules out.
    #[must_use]
    pub fn field(&self) -> i32 {
        if let Some(n) = self.number() { i32::saturating_from(n) } else { 0 }
    }

    /// The members of a set in ascending order; none for any other value.
    #[must_use]
    pub fn members(self) -> Vec<Self> {
        match self {
            Self::Set(bits) => bits.iter().map(Self::atom_of).collect(),
            Self::Ints(list) => list.into_iter().map(Self::Int).collect(),
            Self::Pieces(list) => list.into_iter().map(Self::Piece).collect(),
            Self::Ways(list) => list.into_iter().map(|way| Self::Way(Box::new(way))).collect(),
            Self::Moves(list) => list.into_iter().map(|mv| Self::Move(Box::new(mv))).collect(),
            Self::Unset
            | Self::Int(_)
            | Self::Bool(_)
            | Self::Atom(_)
            | Self::Piece(_)
            | Self::Way(_)
            | Self::Move(_) => Vec::new(),
        }
    }

    /// The atom with this number.
    #[must_use]
    pub fn atom_of(n: usize) -> Self {
        Self::Atom(u32::saturating_from(n))
    }
}
