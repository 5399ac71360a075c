//! Sight: observations.
//!
//! A set of witnesses contains seats; the number after the last seat stands for spectators.

use std::collections::BTreeSet;

use super::{Eval, Walker};
use crate::base::Bits;
use crate::ir::{Expr, ExprKind, Piece, SetOp, Sight, Slot, Ty, Value, ZoneForm};
use crate::model::{Glance, Position, Viewer};

impl Eval<'_> {
    /// Everybody, spectators included.
    pub(super) fn everybody(&self) -> Bits {
        Bits::all(self.game.seats.len() + 1)
    }

    pub(super) fn witnesses(&mut self, sight: &Sight) -> Bits {
        let seats = self.game.seats.len();
        match sight {
            Sight::All => self.everybody(),
            Sight::Nobody => Bits::new(),
            Sight::Seats(expr) => {
                let mut set = self.eval(expr).into_set();
                if Bits::all(seats).within(&set) {
                    set.insert(seats);
                }
                set
            }
        }
    }

    /// Who sees which piece this is on a site.
    pub(super) fn piece_witnesses(&mut self, piece: &Piece) -> Bits {
        let game = self.game;
        let Some(kind) = game.kinds.get(piece.kind) else {
            return Bits::new();
        };
        if matches!(kind.sight, Sight::Seats(_)) {
            self.bind(kind.it, Value::Piece(piece.clone()));
        }
        self.witnesses(&kind.sight)
    }

    /// Who sees whose a piece is.
    pub(super) fn owner_witnesses(&mut self, piece: &Piece) -> Bits {
        let game = self.game;
        let Some(kind) = game.kinds.get(piece.kind) else {
            return Bits::new();
        };
        if matches!(kind.owner_sight, Sight::Seats(_)) {
            self.bind(kind.it, Value::Piece(piece.clone()));
        }
        self.witnesses(&kind.owner_sight)
    }

    /// What a viewer sees of a piece: all of it, or its back, and of a back its owner if that is not hidden as well.
    fn seen(&mut self, piece: &Piece, open: bool, me: usize) -> Piece {
        let shown = if open { piece.clone() } else { piece.back() };
        if self.owner_witnesses(piece).contains(me) { shown } else { shown.disowned() }
    }

    fn bind_indices(&mut self, params: &[Slot], indices: &[(Ty, usize)], mut index: usize) {
        for (slot, (_, size)) in params.iter().zip(indices).rev() {
            self.bind(*slot, Value::atom_of(index % size));
            index /= size;
        }
    }

    /// Who sees the contents of a zone.
    pub(super) fn zone_witnesses(&mut self, zone: usize, index: usize) -> Bits {
        let game = self.game;
        let Some(info) = game.zones.nth(zone) else {
            return Bits::new();
        };
        if matches!(info.sight, Sight::Seats(_)) {
            self.bind_indices(&info.params, &info.indices, index);
        }
        self.witnesses(&info.sight)
    }

    /// Who sees how many pieces a zone holds, and who sees their order.
    pub(super) fn list_witnesses(&mut self, zone: usize, index: usize) -> [Bits; 2] {
        let game = self.game;
        let Some(info) = game.zones.nth(zone) else {
            return [Bits::new(), Bits::new()];
        };
        let sights = [&info.number_sight, &info.order_sight];
        if sights.iter().any(|sight| matches!(sight, Sight::Seats(_))) {
            self.bind_indices(&info.params, &info.indices, index);
        }
        sights.map(|sight| self.witnesses(sight))
    }

    /// Who sees a chosen value where it is chosen from, if it is a piece.
    ///
    /// With several zones to choose from, only those who see all of them count: to whoever sees one alone, an equal
    /// piece may have been chosen from another, and being told that it was not would tell what lies there. So it is with what
    /// lies beneath the top of a pile, unless the top was the only choice.
    pub(super) fn sources(&mut self, set: &Expr, lets: &[(Slot, &Expr)], value: &Value) -> Bits {
        let Value::Piece(piece) = value else { return Bits::new() };
        let mut zones = Vec::new();
        self.source_zones(set, lets, &mut zones);
        let (mut seen, mut overseers) = (Bits::new(), self.everybody());
        for (place @ (zone, index), top) in zones {
            if self.is_pile(zone) && !top {
                return Bits::new();
            }
            seen.unite(&self.held_witnesses(place, piece));
            overseers.intersect(&self.zone_witnesses(zone, index));
        }
        seen.intersect(&overseers);
        seen
    }

    /// The zones that a set of pieces is taken from, and whether from the top of each. Zones that a condition merely looks at do
    /// not count: a copy that lies open there says nothing of the piece chosen here.
    fn source_zones(&mut self, set: &Expr, lets: &[(Slot, &Expr)], zones: &mut Vec<((usize, usize), bool)>) {
        let game = self.game;
        match &set.kind {
            ExprKind::Zone(zone) => zones.push((self.zone_place(zone), false)),
            ExprKind::TopOf(list) => {
                let from = zones.len();
                self.source_zones(list, lets, zones);
                let whole = matches!(list.kind, ExprKind::Zone(_));
                zones[from..].iter_mut().for_each(|(_, top)| *top |= whole);
            }
            ExprKind::Filter(_, set, _) | ExprKind::Top(_, set, _) => self.source_zones(set, lets, zones),
            ExprKind::Set(SetOp::Union, a, b) => {
                self.source_zones(a, lets, zones);
                self.source_zones(b, lets, zones);
            }
            ExprKind::Set(SetOp::Intersect | SetOp::Minus, a, _) => self.source_zones(a, lets, zones),
            ExprKind::If(condition, a, b) => {
                let branch = if self.truth(condition) { a } else { b };
                self.source_zones(branch, lets, zones);
            }
            ExprKind::Slot(slot) => {
                if let Some(at) = lets.iter().position(|(name, _)| name == slot) {
                    self.source_zones(lets[at].1, &lets[..at], zones);
                }
            }
            ExprKind::Call(function, args) => {
                let Some(def) = game.functions.get(*function) else { return };
                if let Some(arg) = args.first().filter(|_| def.told) {
                    return self.source_zones(arg, lets, zones);
                }
                let values: Vec<Value> = args.iter().map(|arg| self.eval(arg)).collect();
                for (slot, value) in def.params.iter().zip(values) {
                    self.bind(*slot, value);
                }
                self.source_zones(&def.body, lets, zones);
            }
            ExprKind::Const(_)
            | ExprKind::Var(..)
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
            | ExprKind::Pieces(..)
            | ExprKind::TokensAt(..)
            | ExprKind::TokenSites(..)
            | ExprKind::Not(_)
            | ExprKind::IsEmpty(_)
            | ExprKind::Neg(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Same(..)
            | ExprKind::Compare(..)
            | ExprKind::Calc(..)
            | ExprKind::Member(..)
            | ExprKind::Within(..)
            | ExprKind::Meets(..)
            | ExprKind::List(_)
            | ExprKind::Range(..)
            | ExprKind::Quantified { .. }
            | ExprKind::Aggregate { .. }
            | ExprKind::After(..)
            | ExprKind::Attr(..)
            | ExprKind::Lookup(..)
            | ExprKind::Path(..)
            | ExprKind::Builtin(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..) => {}
        }
    }

    /// Who sees this piece in a zone; nobody if it does not lie there, or lies covered in a pile.
    fn held_witnesses(&mut self, (zone, index): (usize, usize), piece: &Piece) -> Bits {
        let list = self.pos.zones.get(zone).and_then(|lists| lists.get(index)).map_or(&[][..], Vec::as_slice);
        let pile = self.game.zones.nth(zone).is_some_and(|info| info.form == ZoneForm::Pile);
        let open = if pile { list.last() == Some(piece) } else { list.contains(piece) };
        if open { self.zone_witnesses(zone, index) } else { Bits::new() }
    }

    pub(super) fn var_witnesses(&mut self, var: usize, index: usize) -> Bits {
        let game = self.game;
        let Some(info) = game.vars.nth(var) else {
            return Bits::new();
        };
        if matches!(info.sight, Sight::Seats(_)) {
            self.bind_indices(&info.params, &info.indices, index);
        }
        self.witnesses(&info.sight)
    }
}

impl Walker {
    /// The number of a viewer in a set of witnesses.
    fn witness(&self, viewer: Viewer) -> usize {
        match viewer {
            Viewer::Seat(seat) => usize::from(seat),
            Viewer::Spectator => self.game.seats.len(),
        }
    }

    /// What a viewer sees piece by piece: hidden pieces show their backs, hidden variables are unset, the control
    /// stack is left out.
    pub(super) fn glanced(&self, position: &Position, viewer: Viewer) -> Glance {
        let me = self.witness(viewer);
        let granted = self.granted_aside();
        let mut eval = Eval::new(self, position, granted);
        let mut seen = position.clone();
        let (mut uncounted, mut unordered, mut open_on_boards) = (Vec::new(), Vec::new(), BTreeSet::new());
        for piece in seen.sites.iter_mut().flatten() {
            let open = eval.piece_witnesses(piece).contains(me);
            if !open || !eval.owner_witnesses(piece).contains(me) {
                *piece = eval.seen(piece, open, me);
            }
        }
        let covers = seen.sites.iter().flatten().any(Piece::is_hidden);
        for (zone, lists) in seen.zones.iter_mut().enumerate() {
            let form = self.game.zones.nth(zone).map(|info| info.form);
            let pile = form == Some(ZoneForm::Pile);
            for (index, list) in lists.iter_mut().enumerate() {
                let open = eval.zone_witnesses(zone, index).contains(me);
                let [counted, ordered] = eval.list_witnesses(zone, index).map(|who| who.contains(me));
                // Whoever sees all the pieces can count them, and whoever sees a top sees whether there is one.
                if !counted && (!open || pile && !list.is_empty()) {
                    uncounted.push((zone, index));
                }
                if !ordered || form == Some(ZoneForm::Set) {
                    unordered.push((zone, index));
                }
                let covered = match (open, pile) {
                    (false, _) => list.len(),
                    (true, true) => list.len().saturating_sub(1),
                    (true, false) => 0,
                };
                // What lies open in a zone is seen whole.
                for piece in list.iter_mut().take(covered) {
                    if covers && eval.piece_witnesses(piece).contains(me) {
                        open_on_boards.insert(piece.clone());
                    }
                    *piece = eval.seen(piece, false, me);
                }
            }
        }
        for (var, values) in seen.vars.iter_mut().enumerate() {
            if self.game.vars.nth(var).is_some_and(|info| matches!(info.sight, Sight::All)) {
                continue;
            }
            for (index, value) in values.iter_mut().enumerate() {
                if !eval.var_witnesses(var, index).contains(me) {
                    *value = Value::Unset;
                }
            }
        }
        self.spend_aside(granted, eval.steps);
        seen.control.clear();
        seen.locals.fill(Value::Unset);
        seen.history.clear();
        Glance { faces: seen, uncounted, unordered, open_on_boards }
    }
}
