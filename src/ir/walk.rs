//! What expressions and paths are made of, for whoever goes through all of them.

use smallvec::SmallVec;

use super::Slot;
use super::expr::{Binder, BinderSet, Expr, ExprKind, Owner};
use super::path::Path;

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
    /// The expression that says whose, if one does.
    #[must_use]
    pub fn seat(&self) -> Option<&Expr> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Me | Self::Others | Self::Anyone => None,
        }
    }
}

impl Expr {
    /// Visits the direct parts of this expression in the order of their evaluation, each
    /// with the names that this expression binds around it.
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
    /// The paths it is directly made of.
    #[must_use]
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Along(_, _, body) | Self::Repeat { body, .. } | Self::Cited(_, body) => std::slice::from_ref(body),
            Self::Then(parts) | Self::Or(parts) => parts,
            Self::Step { .. } | Self::Slide { .. } | Self::Hop { .. } | Self::Take | Self::If(..) | Self::Call(..) => {
                &[]
            }
        }
    }

    /// Visits the expressions that stand in it directly.
    pub fn exprs<'e>(&'e self, each: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Step { heading, to } => heading.iter().chain([&to.set]).for_each(each),
            Self::Slide { heading, limit, through } => heading.iter().chain(limit).chain([&through.set]).for_each(each),
            Self::Hop { heading, over, to, .. } => heading.iter().chain([&over.set, &to.set]).for_each(each),
            Self::Along(_, set, _) | Self::If(set, _) => each(set),
            Self::Call(_, args) => args.iter().for_each(each),
            Self::Take | Self::Then(_) | Self::Or(_) | Self::Repeat { .. } | Self::Cited(..) => {}
        }
    }
}
