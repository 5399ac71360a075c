//! Who sees what: observations, and who learns a parameter of a move.
//!
//! A set of witnesses holds seats, and for spectators the number behind the
//! last seat.

use super::machine::Machine;
use super::{Eval, Walker};
use crate::base::Bits;
use crate::ir::{Move, Piece, Sight, Slot, Ty, Value, ZoneForm};
use crate::model::{Position, Viewer};

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

    /// Who sees which piece this is where it stands on a site.
    pub(super) fn piece_witnesses(&mut self, piece: &Piece) -> Bits {
        let game = self.game;
        let Some(kind) = game.kinds.get(usize::from(piece.kind)) else {
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

    /// Who sees what lies in a zone.
    pub(super) fn zone_witnesses(&mut self, zone: usize, index: usize) -> Bits {
        let game = self.game;
        let Some(info) = game.zones.get(zone) else {
            return Bits::new();
        };
        self.bind_indices(&info.params, &info.indices, index);
        self.witnesses(&info.sight)
    }

    fn var_witnesses(&mut self, var: usize, index: usize) -> Bits {
        let game = self.game;
        let Some(info) = game.vars.get(var) else {
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

    /// The position as a viewer sees it: hidden pieces show their backs, hidden
    /// variables no value; where the program stands is left out.
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
            let pile = self.game.zones.get(zone).is_some_and(|info| info.form == ZoneForm::Pile);
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

    /// For each argument of a move who learns it: everybody, but of a piece only
    /// those who see it where it is taken from or where it comes to lie.
    pub(super) fn learned(&self, position: &Position, mv: &Move) -> Vec<Bits> {
        let everybody = Bits::all(self.game.seats.len() + 1);
        if !mv.args.iter().any(|value| matches!(value, Value::Piece(_))) {
            return vec![everybody; mv.args.len()];
        }
        let heard = Machine::new(self, position.clone(), self.budget).listening().heard(mv);
        let actor = position.asked().map(usize::from);
        let witnesses = |value: &Value| match value {
            Value::Piece(piece) => {
                let mut all: Bits = actor.into_iter().collect();
                for (_, seats) in heard.iter().filter(|(other, _)| other == piece) {
                    all.unite(seats);
                }
                all
            }
            _ => everybody.clone(),
        };
        mv.args.iter().map(witnesses).collect()
    }
}
