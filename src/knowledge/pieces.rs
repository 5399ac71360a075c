//! Pieces that are put or changed: who may find out by it which they are.

use crate::ir::{
    Attribute, BlockId, Channel, Expr, ExprKind, Knowledge, PieceExpr, RuleId, Sight, Slot, Value, Viewers, Who,
};

use super::Analysis;
use super::scope::Scope;
use super::sight::piece_viewers;

impl Analysis<'_> {
    /// Fields of pieces on boards are set: who sees the pieces that have them sees it.
    pub(super) fn changed_there(
        &mut self,
        rule: RuleId,
        (sites, fields): (&Expr, &[(String, Expr)]),
        known: &Knowledge,
        scope: &Scope,
    ) {
        let game = self.game;
        let (kinds, owner) = self.restricted(sites, scope);
        for (number, kind) in game.kinds.numbered() {
            let named = kinds.as_ref().is_none_or(|kinds| kinds.contains(usize::from(number)));
            if named && kind.fields.iter().any(|field| fields.iter().any(|(name, _)| *name == field.name)) {
                let viewers = self.kind_viewers(Some(u32::from(number)), owner);
                self.shown(rule, Channel::Pieces, known, viewers.as_ref(), None, scope);
            }
        }
        self.marked(rule, &|kind| kinds.as_ref().is_none_or(|kinds| kinds.contains(kind)), fields, scope);
    }

    /// Fields of pieces are set by which it is decided who sees whose they are: that shows whoever sees the pieces themselves.
    pub(super) fn marked(
        &mut self,
        rule: RuleId,
        among: &dyn Fn(usize) -> bool,
        fields: &[(String, Expr)],
        scope: &Scope,
    ) {
        let game = self.game;
        let kinds = game.kinds.numbered().filter(|(number, _)| among(usize::from(*number)));
        let sights: Vec<(&Expr, Slot)> = kinds
            .filter_map(
                |(_, kind)| if let Sight::Seats(seats) = &kind.owner_sight { Some((seats, kind.it)) } else { None },
            )
            .collect();
        for (name, value) in fields {
            if sights.iter().any(|(seats, it)| marks(seats, *it, name)) {
                let known = self.value(value, scope).and(&scope.flow);
                self.shown(rule, Channel::Pieces, &known, Some(&Viewers::Undecided), None, scope);
            }
        }
    }

    /// Who sees a piece of this kind on a board, or of a kind that is not known; none if everybody may.
    pub(super) fn kind_viewers(&self, kind: Option<u32>, owner: Option<Who>) -> Option<Viewers> {
        let hidden = self.hidden.iter().find(|(number, _)| kind == Some(u32::from(*number)))?;
        piece_viewers(&hidden.1.sight, owner)
    }

    /// Notes what is worked out for a piece that not everybody knows.
    pub(super) fn veil(&mut self, (block, at): (BlockId, usize), field: Option<usize>, value: &Expr, scope: &Scope) {
        let known = self.value(value, scope).and(&scope.flow);
        self.taint.keep(&known);
        if !known.is_public() {
            self.table.veiled.insert((block, at, field));
        }
    }

    pub(super) fn veil_fields(&mut self, at: (BlockId, usize), fields: &[(String, Expr)], scope: &Scope) {
        for (number, (_, value)) in fields.iter().enumerate() {
            self.veil(at, Some(number), value, scope);
        }
    }

    /// Which piece is put where these see it.
    pub(super) fn pieces_shown(
        &mut self,
        (rule, block, at): (RuleId, BlockId, usize),
        piece: &PieceExpr,
        viewers: Option<&Viewers>,
        scope: &Scope,
    ) {
        self.veil((block, at), None, &piece.kind, scope);
        self.veil_fields((block, at), &piece.fields, scope);
        let known = self.value(&piece.kind, scope).and(&self.all(piece.fields.iter().map(|(_, value)| value), scope));
        self.shown(rule, Channel::Pieces, &known, viewers, None, scope);
        let fixed = if let ExprKind::Const(Value::Atom(kind)) = piece.kind.kind { Some(kind as usize) } else { None };
        self.marked(rule, &|kind| fixed.is_none_or(|fixed| fixed == kind), &piece.fields, scope);
    }
}

/// Whether seats that see something of a piece are worked out from a field of it, or may be.
fn marks(seats: &Expr, it: Slot, field: &str) -> bool {
    if let ExprKind::Attr(attribute, piece) = &seats.kind
        && piece.as_slot() == Some(it)
    {
        return matches!(attribute, Attribute::PieceField(name, _) if name == field);
    }
    let mut found = seats.as_slot() == Some(it);
    seats.children(&mut |part, _| found = found || marks(part, it, field));
    found
}
