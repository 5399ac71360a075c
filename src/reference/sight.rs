//! Sight: observations, and who learns a parameter of a move.
//!
//! A set of witnesses contains seats; the number after the last seat stands for spectators.

use super::machine::Machine;
use super::{Eval, Walker};
use crate::base::Bits;
use crate::ir::{ActionRef, Header, Move, Piece, SeatId, Sight, Slot, StmtKind, Ty, Value, ZoneForm};
use crate::model::{Ask, Position, Viewer};

impl Eval<'_> {
    /// Everybody, spectators included.
    fn everybody(&self) -> Bits {
        Bits::all(self.game.seats.len() + 1)
    }

    fn witnesses(&mut self, sight: &Sight) -> Bits {
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
        self.bind_indices(&info.params, &info.indices, index);
        self.witnesses(&info.sight)
    }

    fn var_witnesses(&mut self, var: usize, index: usize) -> Bits {
        let game = self.game;
        let Some(info) = game.vars.nth(var) else {
            return Bits::new();
        };
        self.bind_indices(&info.params, &info.indices, index);
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

    /// The position as a viewer sees it: hidden pieces show their backs, hidden variables are unset, the control
    /// stack is left out.
    pub(super) fn observed(&self, position: &Position, viewer: Viewer) -> Position {
        let me = self.witness(viewer);
        let mut eval = Eval::new(self, position, self.budget);
        let mut seen = position.clone();
        for piece in seen.sites.iter_mut().flatten() {
            if !eval.piece_witnesses(piece).contains(me) {
                *piece = piece.back();
            }
        }
        for (zone, lists) in seen.zones.iter_mut().enumerate() {
            let pile = self.game.zones.nth(zone).is_some_and(|info| info.form == ZoneForm::Pile);
            for (index, list) in lists.iter_mut().enumerate() {
                let open = eval.zone_witnesses(zone, index).contains(me);
                let covered = match (open, pile) {
                    (false, _) => list.len(),
                    (true, true) => list.len().saturating_sub(1),
                    (true, false) => 0,
                };
                for piece in list.iter_mut().take(covered) {
                    *piece = piece.back();
                }
            }
        }
        for (var, values) in seen.vars.iter_mut().enumerate() {
            for (index, value) in values.iter_mut().enumerate() {
                if !eval.var_witnesses(var, index).contains(me) {
                    *value = Value::Unset;
                }
            }
        }
        seen.control.clear();
        seen.locals.fill(Value::Unset);
        seen.history.clear();
        seen
    }

    /// For each argument of a seat's move, who learns it when `last` is played, with which it is carried out:
    /// everybody the choice is shown to; for a piece, only viewers who see it where it leaves or where it arrives.
    pub(super) fn learned(&self, position: &Position, last: &Move, seat: Option<SeatId>, mv: &Move) -> Vec<Bits> {
        let everybody = Bits::all(self.game.seats.len() + 1);
        let mut eval = Eval::new(self, position, self.budget);
        eval.acting = seat;
        let mut sights: Vec<Bits> = Vec::new();
        let action = match mv.action {
            ActionRef::Action(number) => self.game.actions.get(number),
            ActionRef::Race(number) => {
                sights.extend([everybody.clone(), everybody.clone()]);
                self.game.actions.get(number)
            }
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
        };
        let mut args = mv.args.iter().skip(sights.len());
        for line in action.map_or(&[][..], |action| &action.head) {
            match line {
                Header::Choose(choice) => {
                    eval.bind(choice.slot, args.next().cloned().unwrap_or_default());
                    sights.push(eval.witnesses(&choice.sight));
                }
                Header::Let(slot, value) => {
                    let value = eval.eval(value);
                    eval.bind(*slot, value);
                }
                Header::Require(..) | Header::Prefer(..) => {}
            }
        }
        if let (ActionRef::Pick, Ask::Pick { at, .. } | Ask::Chance { at }) = (mv.action, &position.ask)
            && let Some(StmtKind::Pick(_, _, _, sight) | StmtKind::Roll(_, _, sight)) =
                self.stmt(*at).map(|stmt| &stmt.kind)
        {
            sights.push(eval.witnesses(sight));
        }
        let pieces = mv.args.iter().any(|value| matches!(value, Value::Piece(_)));
        let heard =
            if pieces { Machine::new(self, position.clone(), self.budget).listening().heard(last) } else { Vec::new() };
        let mut learned = Vec::new();
        for (at, value) in mv.args.iter().enumerate() {
            let mut who = sights.get(at).unwrap_or(&everybody).clone();
            if let Value::Piece(piece) = value {
                let mut seen = Bits::new();
                for other in
                    heard.iter().filter(|other| other.piece == *piece && seat.is_none_or(|seat| seat == other.by))
                {
                    seen.unite(&other.who);
                }
                who.intersect(&seen);
            }
            if let Some(seat) = seat {
                who.insert(usize::from(seat));
            }
            learned.push(who);
        }
        learned
    }
}
