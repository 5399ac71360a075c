//! Pieces that go on from where they came to since a seat was last asked: nobody saw them there, but what is left is seen.

use crate::ir::{
    Channel, Expr, ExprKind, PieceLocation, PieceSelection, RuleId, SetOp, Sight, Slot, Viewers, ZoneForm,
};

use super::Analysis;
use super::scope::{Naming, Scope};
use super::sight::either;

/// How a named piece lies among those that are equal: a move takes the last of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lies {
    /// It lay there when a seat was last asked.
    #[default]
    Before,
    /// It came since, and nothing has come after it: a move takes this very piece.
    Last,
    /// It came since, and others may lie behind it: another may go in its stead.
    Among,
}

impl Analysis<'_> {
    /// Pieces are moved on: what stays tells what came before, if those that go are not seen where they go.
    pub(super) fn passed(
        &mut self,
        rule: RuleId,
        selection: &PieceSelection,
        (from, to): (&PieceLocation, &PieceLocation),
        scope: &Scope,
    ) {
        let PieceLocation::Zone(zone) = from else { return };
        let pile = self.is_pile(zone.zone);
        match selection {
            PieceSelection::Top(_) | PieceSelection::Bottom(_) => {
                // Where both are counted, so is what came.
                let counting = self.counting(to, scope);
                let same = counting == self.noticing(from, scope) && counting != Some(Viewers::Undecided);
                if counting.is_some() && !same {
                    self.laid(rule, &scope.fresh.came(zone.zone), from, scope);
                }
            }
            PieceSelection::These(pieces) => {
                let Some(info) = self.game.zones.get(zone.zone) else { return };
                let ordered = info.form != ZoneForm::Set && !matches!(info.order_sight, Sight::Nobody);
                if !ordered || !self.differ(zone.zone) {
                    return;
                }
                // Backs that can be told apart show their order as well.
                let backs = self.shows_owners(zone.zone);
                let viewers = self.zone_viewers(zone, scope).filter(|_| !backs);
                // What is announced is named to those who saw it come; beneath a pile nobody does.
                let named = !pile && !backs;
                for name in named_in(pieces).into_iter().filter_map(|slot| scope.get(slot)) {
                    if name.lies == Lies::Among && !(name.naming == Naming::Announced && named) {
                        self.shown(rule, Channel::Places, &name.value, viewers.as_ref(), None, scope);
                    }
                }
            }
            // Nothing is left.
            PieceSelection::All => {}
        }
    }

    /// Who sees how many pieces lie somewhere; none if everybody does.
    pub(super) fn counting(&self, at: &PieceLocation, scope: &Scope) -> Option<Viewers> {
        let PieceLocation::Zone(zone) = at else { return None };
        if self.is_pile(zone.zone) { self.count_viewers(zone, scope) } else { self.noticing(at, scope) }
    }

    /// Who sees whether any pieces lie somewhere; none if everybody does.
    pub(super) fn noticing(&self, at: &PieceLocation, scope: &Scope) -> Option<Viewers> {
        let PieceLocation::Zone(zone) = at else { return None };
        either(self.count_viewers(zone, scope), self.zone_viewers(zone, scope))
    }
}

/// The names of pieces that are listed.
fn named_in(pieces: &Expr) -> Vec<Slot> {
    if let ExprKind::List(members) = &pieces.kind {
        return members.iter().flat_map(named_in).collect();
    }
    if let ExprKind::Set(SetOp::Union, a, b) = &pieces.kind {
        return named_in(a).into_iter().chain(named_in(b)).collect();
    }
    pieces.as_slot().into_iter().collect()
}
