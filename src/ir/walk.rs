//! Traversal of expressions, paths and statements.

use smallvec::SmallVec;

use super::Slot;
use super::expr::{Binder, BinderSet, Expr, ExprKind, Owner};
use super::path::Path;
use super::stmt::{PieceExpr, Place, StmtKind};
use super::zone::{PieceLocation, PieceSelection, Sight, ZoneRef};

impl BinderSet {
    /// The set, or the sites of the pieces.
    #[must_use]
    pub fn set(&self) -> &Expr {
        match self {
            Self::Members(set) | Self::PiecesAt(set) => set,
        }
    }
}

impl Owner {
    /// The expression for the owning seat, if there is one.
    #[must_use]
    pub fn seat(&self) -> Option<&Expr> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Me | Self::Others | Self::Anyone => None,
        }
    }
}

impl Expr {
    /// Whether one of these names occurs in it.
    #[must_use]
    pub fn mentions(&self, names: &[Slot]) -> bool {
        let name = if let ExprKind::After(slot, _) = &self.kind { Some(*slot) } else { self.as_slot() };
        let mut found = name.is_some_and(|name| names.contains(&name));
        self.children(&mut |part, _| found = found || part.mentions(names));
        found
    }

    /// Visits the direct subexpressions in order of evaluation, each with the names that this expression binds around
    /// it.
    pub fn children<'e>(&'e self, each: &mut dyn FnMut(&'e Self, &[Slot])) {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Slot(_)
            | ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Playing
            | ExprKind::Occurrences
            | ExprKind::OccurrencesOf(_)
            | ExprKind::InPhase(_)
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::MovesOf(_) => {}
            ExprKind::TokenSites(_, owner) => owner.seat().into_iter().for_each(|seat| each(seat, &[])),
            ExprKind::Pieces(owner, inner) | ExprKind::TokensAt(_, owner, inner) => {
                owner.seat().into_iter().for_each(|seat| each(seat, &[]));
                each(inner, &[]);
            }
            ExprKind::Not(inner)
            | ExprKind::IsEmpty(inner)
            | ExprKind::Neg(inner)
            | ExprKind::TopOf(inner)
            | ExprKind::After(_, inner)
            | ExprKind::CanPlay(inner, _)
            | ExprKind::Attr(_, inner) => each(inner, &[]),
            ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Same(a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Calc(_, a, b)
            | ExprKind::Member(a, b)
            | ExprKind::Within(a, b)
            | ExprKind::Meets(a, b)
            | ExprKind::Set(_, a, b)
            | ExprKind::Range(a, b) => {
                each(a, &[]);
                each(b, &[]);
            }
            ExprKind::If(condition, a, b) => {
                each(condition, &[]);
                each(a, &[]);
                each(b, &[]);
            }
            ExprKind::Zone(zone) => zone.at.iter().for_each(|index| each(index, &[])),
            ExprKind::Var(_, list)
            | ExprKind::List(list)
            | ExprKind::Lookup(_, list)
            | ExprKind::Call(_, list)
            | ExprKind::Builtin(_, list) => list.iter().for_each(|part| each(part, &[])),
            ExprKind::Path(_, from, args) => {
                each(from, &[]);
                for arg in args {
                    each(arg, &[]);
                }
            }
            ExprKind::Top(slot, set, body) | ExprKind::Filter(slot, set, body) => {
                each(set, &[]);
                each(body, &[*slot]);
            }
            ExprKind::Quantified { binders, filter, body, .. } | ExprKind::Aggregate { binders, filter, body, .. } => {
                let names: SmallVec<[Slot; 4]> = binders.iter().map(|binder| binder.slot).collect();
                for (at, Binder { over, .. }) in binders.iter().enumerate() {
                    each(over.set(), &names[..at]);
                }
                if let Some(filter) = filter {
                    each(filter, &names);
                }
                each(body, &names);
            }
        }
    }
}

impl Path {
    /// Whether one of its expressions, or one of its parts, has one of these names.
    #[must_use]
    pub fn mentions(&self, names: &[Slot]) -> bool {
        let mut found = self.parts().iter().any(|part| part.mentions(names));
        self.exprs(&mut |expr| found |= expr.mentions(names));
        found
    }

    /// The direct subpaths.
    #[must_use]
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Along(_, _, body) | Self::Each(body) | Self::Repeat { body, .. } | Self::Cited(_, body) => {
                std::slice::from_ref(body)
            }
            Self::Then(parts) | Self::Or(parts) => parts,
            Self::Step { .. } | Self::Slide { .. } | Self::Hop { .. } | Self::Take | Self::If(..) | Self::Call(..) => {
                &[]
            }
        }
    }

    /// Visits its direct expressions.
    pub fn exprs<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Step { heading, to } => heading.iter().chain([&to.set]).for_each(each),
            Self::Slide { heading, limit, through } => heading.iter().chain(limit).chain([&through.set]).for_each(each),
            Self::Hop { heading, over, to, .. } => heading.iter().chain([&over.set, &to.set]).for_each(each),
            Self::Along(_, set, _) | Self::If(set, _) => each(set),
            Self::Call(_, args) => args.iter().for_each(each),
            Self::Take | Self::Each(_) | Self::Then(_) | Self::Or(_) | Self::Repeat { .. } | Self::Cited(..) => {}
        }
    }
}

impl StmtKind {
    /// Visits its direct expressions, excluding those in its blocks.
    pub fn exprs<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Let(_, a)
            | Self::Remove(a)
            | Self::If(a, ..)
            | Self::While(a, _)
            | Self::Repeat(a, _)
            | Self::Give(a)
            | Self::Win(a)
            | Self::Lose(a)
            | Self::Place(a)
            | Self::Eliminate(a)
            | Self::Plays { seat: a, .. }
            | Self::Together { seats: a, .. } => each(a),
            Self::Move(a, b) | Self::Swap(a, b) | Self::Rotate(a, b) | Self::Rank(_, a, b) => {
                each(a);
                each(b);
            }
            Self::Pick(_, set, by, sight) => {
                each(set);
                by.iter().for_each(&mut *each);
                seen_by(sight, each);
            }
            Self::Roll(_, set, sight) => {
                each(set);
                seen_by(sight, each);
            }
            Self::Put(piece, on) => {
                piece_of(piece, each);
                each(on);
            }
            Self::PutIn(piece, count, zone) => {
                piece_of(piece, each);
                each(count);
                zone.at.iter().for_each(each);
            }
            Self::PutTokens(place, a, b) => {
                seat_of(place, each);
                each(a);
                each(b);
            }
            Self::MoveTokens(place, count, a, b) => {
                seat_of(place, each);
                count.iter().for_each(&mut *each);
                each(a);
                each(b);
            }
            Self::Shuffle(ZoneRef { at, .. }) => at.iter().for_each(each),
            Self::MovePieces { selection, from, to, .. } => {
                match selection {
                    PieceSelection::Top(count) | PieceSelection::Bottom(count) | PieceSelection::These(count) => {
                        each(count);
                    }
                    PieceSelection::All => {}
                }
                location(from, each);
                location(to, each);
            }
            Self::Change(at, fields) => {
                location(at, each);
                for (_, value) in fields {
                    each(value);
                }
            }
            Self::Sow { place, from, along, skip, .. } => {
                seat_of(place, each);
                [from, along].into_iter().chain(skip).for_each(each);
            }
            Self::Assign(_, at, value) => at.iter().chain([value]).for_each(each),
            Self::For(_, over, from, _) => [over.set()].into_iter().chain(from).for_each(each),
            Self::Call(names, _) => names.iter().map(|(_, value)| value).for_each(each),
            Self::Race { seats, until, .. } => [seats].into_iter().chain(until).for_each(each),
            Self::Turns(from, _) => from.iter().for_each(each),
            Self::Phase(..) | Self::Stop | Self::Draw => {}
        }
    }
}

fn seen_by<'e>(sight: &'e Sight, each: &mut dyn FnMut(&'e Expr)) {
    match sight {
        Sight::Seats(seats) => each(seats),
        Sight::All | Sight::Nobody => {}
    }
}

fn piece_of<'e>(piece: &'e PieceExpr, each: &mut dyn FnMut(&'e Expr)) {
    let fields = piece.fields.iter().map(|(_, value)| value);
    [&piece.kind].into_iter().chain(piece.owner.seat()).chain(fields).for_each(each);
}

fn seat_of<'e>(place: &'e Place, each: &mut dyn FnMut(&'e Expr)) {
    place.owner.seat().into_iter().for_each(each);
}

fn location<'e>(location: &'e PieceLocation, each: &mut dyn FnMut(&'e Expr)) {
    match location {
        PieceLocation::Sites(sites) => each(sites),
        PieceLocation::Zone(ZoneRef { at, .. }) => at.iter().for_each(each),
    }
}
