//! What may be taken away between a choice that is made in secret and its being carried out.
//!
//! In `together` the moves of the other seats come between, as do claims, offers and ends.

use std::collections::BTreeSet;

use crate::ir::{ActionRef, BlockId, Expr, ExprKind, PieceLocation, StmtKind, ZoneId};

use super::Analysis;
use super::whereabouts::Spot;

/// The lists that pieces may be taken from in between.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Between {
    /// Zones of which it may be any list.
    zones: BTreeSet<ZoneId>,
    /// Zones of which other seats take from lists that are their own by this index.
    own: BTreeSet<(ZoneId, usize)>,
}

impl Between {
    /// Whether a piece that the acting seat has chosen here may be gone when its move is carried out.
    pub(super) fn takes(&self, spot: &Spot) -> bool {
        let others = |(zone, index): &(ZoneId, usize)| *zone == spot.zone && !spot.is_own_by(*index);
        self.zones.contains(&spot.zone) || self.own.iter().any(others)
    }

    fn add(&mut self, location: &PieceLocation) {
        let PieceLocation::Zone(zone) = location else { return };
        match zone.at.iter().position(|index: &Expr| matches!(index.kind, ExprKind::Me)) {
            Some(index) => self.own.insert((zone.zone, index)),
            None => self.zones.insert(zone.zone),
        };
    }
}

impl Analysis<'_> {
    /// What may be taken between the choices of a `together` and their being carried out.
    pub(super) fn between(&self, groups: &[Vec<ActionRef>]) -> Between {
        let game = self.game;
        let mut between = Between::default();
        // Whoever claims may be the seat that has chosen.
        let claims = game.claims.iter().map(|claim| claim.action.body);
        let offers = game.offers.iter().map(|offer| offer.body);
        let ends = game.ends.iter().map(|end| end.body);
        for body in claims.chain(offers).chain(ends) {
            between.zones.extend(self.disturbed_in(body, None));
        }
        for action in groups.iter().flatten() {
            if let ActionRef::Action(number) | ActionRef::Race(number) = action
                && let Some(action) = game.actions.get(*number)
            {
                self.taken_by_others(action.body, &mut between, &mut BTreeSet::new());
            }
        }
        between
    }

    /// What a block takes if the acting seat is another one.
    fn taken_by_others(&self, block: BlockId, between: &mut Between, seen: &mut BTreeSet<BlockId>) {
        if !seen.insert(block) {
            return;
        }
        for stmt in self.game.blocks.get(block).map_or(&[][..], |block| &block.stmts) {
            let kind = &stmt.kind;
            if let StmtKind::MovePieces { from: location, .. } | StmtKind::Change(location, _) = kind {
                between.add(location);
            } else if kind.offered().is_empty() {
                kind.blocks().for_each(|inner| self.taken_by_others(inner, between, seen));
            } else {
                between.zones.extend(self.disturbed(kind, None));
            }
        }
    }
}
