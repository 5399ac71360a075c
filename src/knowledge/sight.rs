//! Who sees a thing by what is declared of it.

use std::collections::BTreeSet;

use crate::base::Bits;
use crate::ir::{Attribute, Expr, ExprKind, Function, SeatId, SetOp, Sight, Slot, Ty, Value, Viewers, Who};

use super::Analysis;
use super::scope::{Name, Scope};

impl Analysis<'_> {
    /// Who sees by the declaration of a variable or zone with these indices; none if everybody does. If it names a seat that is
    /// another one after a while, as the mover is, there is nobody whom anything could be kept for.
    pub(super) fn standing_viewers(&self, sight: &Sight, params: &[Slot], indexed: &Scope) -> Option<Viewers> {
        let mut declared = Scope::default();
        for slot in params {
            declared.bind(*slot, Name::public(self.named(*slot)));
        }
        let passing = |who: &Who| matches!(who, Who::Me | Who::NotMe | Who::Mover);
        let passes = match self.viewers(sight, &declared)? {
            Viewers::Nobody | Viewers::Undecided => false,
            Viewers::These(seats) => seats.iter().any(passing),
            Viewers::Others(one) => passing(&one),
        };
        if passes { Some(Viewers::Undecided) } else { self.viewers(sight, indexed) }
    }

    /// Who sees by a choice or a declaration; none if everybody does.
    pub(super) fn viewers(&self, sight: &Sight, scope: &Scope) -> Option<Viewers> {
        match sight {
            Sight::All => None,
            Sight::Nobody => Some(Viewers::Nobody),
            Sight::Seats(seats) => self.seats(seats, scope),
        }
    }

    fn seats(&self, expr: &Expr, scope: &Scope) -> Option<Viewers> {
        // Whoever is out of the game is nobody's opponent.
        if self.eliminates && by_opponents(expr) {
            return Some(Viewers::Undecided);
        }
        if let Some(who) = self.who(expr, scope) {
            return Some(Viewers::These(BTreeSet::from([who])));
        }
        if let ExprKind::Const(value) = &expr.kind {
            let set = value.clone().atoms();
            let all = set.count() == self.game.seats.len();
            return (!all).then(|| Viewers::These(set.iter().map(|seat| Who::Seat(SeatId::new(seat))).collect()));
        }
        if let ExprKind::List(members) = &expr.kind {
            return Some(decided(members.iter().map(|member| self.who(member, scope)).collect()));
        }
        if let ExprKind::Set(SetOp::Minus, from, less) = &expr.kind
            && self.seats(from, scope).is_none()
        {
            return Some(self.who(less, scope).map_or(Viewers::Undecided, Viewers::Others));
        }
        if let ExprKind::Builtin(Function::Opponents, args) = &expr.kind {
            let one = args.first().and_then(|one| self.who(one, scope));
            return Some(one.map_or(Viewers::Undecided, Viewers::Others));
        }
        if let ExprKind::If(condition, yes, no) = &expr.kind
            && let ExprKind::Const(Value::Bool(holds)) = condition.kind
        {
            return self.seats(if holds { yes } else { no }, scope);
        }
        Some(Viewers::Undecided)
    }

    /// Who surely sees a piece on a board whose owner is known or not, whatever its fields are and whoever sees it besides;
    /// none if everybody does. A piece that its owner sees until it is turned up for all is one that its owner sees.
    pub(super) fn sure_viewers(&self, sight: &Sight, owner: Option<Who>) -> Option<Viewers> {
        if let Sight::Seats(seats) = sight
            && let Some(owner) = owner
            && self.includes_owner(seats)
        {
            return Some(Viewers::These(BTreeSet::from([owner])));
        }
        piece_viewers(sight, owner)
    }

    /// Whether the owner of the piece is among these seats in any case.
    fn includes_owner(&self, seats: &Expr) -> bool {
        if let ExprKind::If(_, yes, no) = &seats.kind {
            return self.includes_owner(yes) && self.includes_owner(no);
        }
        if let ExprKind::Set(SetOp::Union, one, other) = &seats.kind {
            return self.includes_owner(one) || self.includes_owner(other);
        }
        if let ExprKind::Const(value) = &seats.kind {
            return value.clone().into_set().count() == self.game.seats.len();
        }
        matches!(seats.kind, ExprKind::Attr(Attribute::PieceOwner, _))
    }
}

/// Whether seats are named as opponents of others.
fn by_opponents(seats: &Expr) -> bool {
    let mut found = matches!(seats.kind, ExprKind::Builtin(Function::Opponents, _));
    seats.children(&mut |part, _| found = found || by_opponents(part));
    found
}

/// Who sees a thing that is seen by either, as far as that is known; none if everybody does.
pub(super) fn either(one: Option<Viewers>, other: Option<Viewers>) -> Option<Viewers> {
    Some(match (one?, other?) {
        (Viewers::These(mut one), Viewers::These(other)) => {
            one.extend(other);
            Viewers::These(one)
        }
        (Viewers::Nobody | Viewers::Undecided, other) => other,
        (one @ (Viewers::These(_) | Viewers::Others(_)), _) => one,
    })
}

/// Who sees a piece on a board whose owner is known or not; none if everybody does.
pub(super) fn piece_viewers(sight: &Sight, owner: Option<Who>) -> Option<Viewers> {
    match sight {
        Sight::All => None,
        Sight::Nobody => Some(Viewers::Nobody),
        Sight::Seats(seats) => {
            if let ExprKind::Const(value) = &seats.sole().unwrap_or(seats).kind {
                let seats = value.clone().atoms();
                return Some(Viewers::These(seats.iter().map(|seat| Who::Seat(SeatId::new(seat))).collect()));
            }
            let owned = matches!(seats.kind, ExprKind::Attr(Attribute::PieceOwner, _));
            let owner = owner.filter(|_| owned);
            Some(owner.map_or(Viewers::Undecided, |who| Viewers::These(BTreeSet::from([who]))))
        }
    }
}

/// Whether a truth value of a piece decides alone who sees it.
pub(super) fn decides(sight: &Sight, it: Slot, field: &str) -> bool {
    let Sight::Seats(seats) = sight else { return false };
    let ExprKind::If(condition, yes, no) = &seats.kind else { return false };
    let fixed = |expr: &Expr| {
        if let ExprKind::Const(value) = &expr.kind {
            return Some(value.clone().into_set());
        }
        matches!(&expr.kind, ExprKind::List(members) if members.is_empty()).then(Bits::new)
    };
    let differ = matches!((fixed(yes), fixed(no)), (Some(yes), Some(no)) if yes != no);
    let ExprKind::Attr(Attribute::PieceField(name, Ty::Bool), piece) = &condition.kind else { return false };
    differ && name == field && piece.as_slot() == Some(it)
}

/// The same viewers with other names; undecided if one of them has none.
pub(super) fn renamed(viewers: &Viewers, seat: impl Fn(Who) -> Option<Who>) -> Viewers {
    match viewers {
        Viewers::Nobody | Viewers::Undecided => viewers.clone(),
        Viewers::These(seats) => decided(seats.iter().map(|who| seat(*who)).collect()),
        Viewers::Others(one) => seat(*one).map_or(Viewers::Undecided, Viewers::Others),
    }
}

/// The seats, if each of them is known.
pub(super) fn decided(seats: Option<BTreeSet<Who>>) -> Viewers {
    seats.map_or(Viewers::Undecided, Viewers::These)
}
