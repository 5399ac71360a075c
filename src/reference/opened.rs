//! What a move lays open: whether anybody may find out by it what it did not see.
//!
//! Rules tell what is hidden only where they say `told`, where `check` reports them, or by moving and turning pieces; so it is
//! enough to watch for these while the move is carried out. That the answer is yes tells nothing: it depends on what runs and on
//! who sees a place, and not on what lies there.

use super::Walker;
use super::eval::Eval;
use super::machine::Machine;
use crate::base::Bits;
use crate::ir::{ExprKind, Move, Piece, PieceSelection, Value, ZoneForm};
use crate::model::Position;

/// Who sees of pieces at one end of their way which they are, and how many.
struct Seen {
    pieces: Bits,
    number: Bits,
}

impl Eval<'_> {
    /// Who sees the pieces of a zone's list, and who can count them.
    fn list_seen(&mut self, (zone, index): (usize, usize)) -> Seen {
        let pieces = self.zone_witnesses(zone, index);
        let [mut number, _] = self.list_witnesses(zone, index);
        if !self.is_pile(zone) {
            number.unite(&pieces);
        }
        Seen { pieces, number }
    }

    /// The same of a list or, without one, of pieces on a board: who sees any of them, or all of them.
    fn seen_there(&mut self, list: Option<(usize, usize)>, pieces: &[Piece], any: bool) -> Seen {
        if let Some(list) = list {
            return self.list_seen(list);
        }
        let everybody = self.everybody();
        let mut seen = if any { Bits::new() } else { everybody.clone() };
        for piece in pieces {
            let one = self.piece_seen(piece);
            if any { seen.unite(&one) } else { seen.intersect(&one) }
        }
        Seen { pieces: seen, number: everybody }
    }

    fn is_pile(&self, zone: usize) -> bool {
        self.game.zones.nth(zone).is_some_and(|zone| zone.form == ZoneForm::Pile)
    }

    /// Who sees everything about a piece on a board.
    fn piece_seen(&mut self, piece: &Piece) -> Bits {
        let mut seen = self.piece_witnesses(piece);
        seen.intersect(&self.owner_witnesses(piece));
        seen
    }

    /// Who sees each thing of a position, in an order of their own: lists, their numbers and orders, variables, and pieces
    /// such as those that stand on the boards of another position.
    fn sights(&mut self, standing: &[Piece]) -> Vec<Bits> {
        let mut all = Vec::new();
        let pos = self.pos;
        for (zone, lists) in pos.zones.iter().enumerate() {
            for index in 0..lists.len() {
                all.push(self.zone_witnesses(zone, index));
                all.extend(self.list_witnesses(zone, index));
            }
        }
        for (var, values) in pos.vars.iter().enumerate() {
            all.extend((0..values.len()).map(|index| self.var_witnesses(var, index)));
        }
        all.extend(standing.iter().map(|piece| self.piece_seen(piece)));
        all
    }
}

impl Machine<'_> {
    /// Notes that something is laid open, if that is watched for.
    fn lay_open(&mut self, opened: bool) {
        if let Some(found) = &mut self.opened {
            *found |= opened;
        }
    }

    /// Pieces are taken from one place to another.
    pub(super) fn watch_pieces(
        &mut self,
        selection: &PieceSelection,
        (from, pieces): (Option<(usize, usize)>, &[Piece]),
        to: Option<(usize, usize)>,
    ) {
        if self.opened.is_none() {
            return;
        }
        let opened = self.with_eval(|eval| {
            // What lies beneath is seen next.
            if from.is_some_and(|(zone, index)| eval.is_pile(zone) && !eval.zone_witnesses(zone, index).is_empty()) {
                return true;
            }
            let (source, target) = (eval.seen_there(from, pieces, false), eval.seen_there(to, pieces, true));
            let counted = target.number.within(&source.number);
            // That there was nothing to take is known to whoever can count it.
            if pieces.is_empty() && counted {
                return false;
            }
            let mut known = source.pieces;
            let picked = matches!(selection, PieceSelection::These(_));
            if let Some((zone, index)) = from.filter(|_| !picked && !matches!(selection, PieceSelection::All)) {
                // Which one it was is known to those who see the order.
                let [_, order] = eval.list_witnesses(zone, index);
                known.intersect(&order);
            }
            !target.pieces.within(&known) || !counted && !picked && !is_one(selection)
        });
        self.lay_open(opened);
    }

    /// Fields of a piece on a board are set: it may be turned up by it.
    pub(super) fn watch_change(&mut self, before: &Piece, after: &Piece) {
        if self.opened.is_some() {
            let opened = self.with_eval(|eval| !eval.piece_seen(after).within(&eval.piece_seen(before)));
            self.lay_open(opened);
        }
    }
}

/// Whether exactly one piece is taken.
fn is_one(selection: &PieceSelection) -> bool {
    match selection {
        PieceSelection::Top(count) | PieceSelection::Bottom(count) => {
            matches!(count.kind, ExprKind::Const(Value::Int(1)))
        }
        PieceSelection::All | PieceSelection::These(_) => false,
    }
}

impl Walker {
    /// Whether anybody may find something out by a legal move, up to the next question and by what can be answered to it.
    pub(super) fn lays_open(&self, position: &Position, mv: &Move) -> bool {
        // What is told unawares may be told anywhere, and what decides on a claim is told by refusing it.
        if !self.game.knowledge.disclosures.is_empty() || self.claims_tell() {
            return true;
        }
        self.look_ahead(position, |machine| {
            machine.opened = Some(false);
            machine.answered(mv);
            let told = machine.with_eval(|eval| {
                eval.legal_moves();
                eval.tells
            });
            if told || machine.opened != Some(false) || machine.steps == 0 {
                return true;
            }
            // Who sees a place may depend on the position.
            let standing: Vec<Piece> = machine.pos.sites.iter().flatten().cloned().collect();
            let after = machine.with_eval(|eval| eval.sights(&standing));
            let mut eval = Eval::new(self, position, machine.steps);
            let before = eval.sights(&standing);
            let spent = eval.spent();
            spent || !after.iter().zip(&before).all(|(after, before)| after.within(before))
        })
    }

    /// Whether what can be claimed may tell anything.
    fn claims_tell(&self) -> bool {
        !self.game.claims.is_empty() && self.game.functions.iter().any(|def| def.told)
    }
}
