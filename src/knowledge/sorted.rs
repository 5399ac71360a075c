//! A set lies in the order of what its pieces are. Whoever sees one of them come before another may find out how they compare,
//! though it sees neither: by which is the first or last, and by the order in which they come to lie elsewhere.

use std::collections::BTreeSet;

use crate::ir::{
    BlockId, Channel, Knowledge, PieceLocation, PieceSelection, RuleId, Sight, Slot, Stmt, StmtKind, Ty, ZoneForm,
    ZoneId, ZoneRef,
};

use super::Analysis;
use super::scope::Scope;

/// A statement: its block, its place there, and its rule.
pub(super) type At = (BlockId, usize, RuleId);

impl Analysis<'_> {
    /// Pieces are taken from a set in its order.
    pub(super) fn compared(
        &mut self,
        at: At,
        selection: &PieceSelection,
        (from, to): (&PieceLocation, &PieceLocation),
        scope: &Scope,
    ) {
        let PieceLocation::Zone(zone) = from else { return };
        if !self.is_mixed(zone.zone) {
            return;
        }
        let told = match selection {
            PieceSelection::Top(_) | PieceSelection::Bottom(_) => {
                // Whoever sees which it was knows how it compares with those that stay.
                let viewers = match to {
                    PieceLocation::Zone(to) if self.is_kept(zone.zone, to.zone) => self.zone_viewers(to, scope),
                    PieceLocation::Zone(_) | PieceLocation::Sites(_) => None,
                };
                let known = self.held(zone, scope, false);
                return self.shown(at.2, Channel::Pieces, &known, viewers.as_ref(), None, scope);
            }
            PieceSelection::These(pieces) if pieces.sole().unwrap_or(pieces).ty == Ty::Piece => false,
            PieceSelection::These(_) | PieceSelection::All => self.lies_sorted(at, zone.zone, to, scope),
        };
        if told {
            self.told_apart(at.2, zone, scope);
        }
    }

    /// A loop goes through a set in its order: what its body does for each, in turn, tells as much as the order does.
    pub(super) fn looped(&mut self, slot: Slot, zone: Option<ZoneId>, body: BlockId, scope: &Scope) -> Knowledge {
        let Some(zone) = zone.filter(|zone| self.is_mixed(*zone)) else { return Knowledge::public() };
        let stmts = self.game.blocks.get(body).map_or(&[][..], |block| &block.stmts);
        for (number, stmt) in stmts.iter().enumerate() {
            if let StmtKind::MovePieces { selection: PieceSelection::These(pieces), from, to, .. } = &stmt.kind
                && pieces.sole().unwrap_or(pieces).as_slot() == Some(slot)
                && let PieceLocation::Zone(source) = from
                && source.zone == zone
                && self.lies_sorted((body, number, stmt.rule), zone, to, scope)
            {
                self.told_apart(stmt.rule, source, scope);
            }
        }
        let whole = ZoneRef { zone, at: Vec::new() };
        if self.shows_owners(zone) { self.held(&whole, scope, false) } else { Knowledge::public() }
    }

    fn told_apart(&mut self, rule: RuleId, zone: &ZoneRef, scope: &Scope) {
        self.shown(rule, Channel::Pieces, &self.held(zone, scope, false), None, None, scope);
    }

    /// Whether a zone is a set whose pieces may differ.
    fn is_mixed(&self, zone: ZoneId) -> bool {
        let game = self.game;
        game.zones.get(zone).is_some_and(|info| info.form == ZoneForm::Set) && self.differ(zone)
    }

    /// Whether the pieces of a zone may differ.
    pub(super) fn differ(&self, zone: ZoneId) -> bool {
        let game = self.game;
        let Some(info) = game.zones.get(zone) else { return false };
        let mut kinds = game.kinds.iter().enumerate().filter(|(number, _)| info.kinds.contains(*number));
        let alike =
            kinds.next().is_none_or(|(_, kind)| !kind.owned && kind.fields.is_empty()) && kinds.next().is_none();
        !alike
    }

    /// Whether everybody sees whose pieces are that lie in a zone, so that backs can be told apart.
    pub(super) fn shows_owners(&self, zone: ZoneId) -> bool {
        let game = self.game;
        let Some(info) = game.zones.get(zone) else { return false };
        let mut kinds = game.kinds.iter().enumerate().filter(|(number, _)| info.kinds.contains(*number));
        kinds.any(|(_, kind)| kind.owned && matches!(kind.owner_sight, Sight::All))
    }

    /// Whether several pieces of a set lie elsewhere in its order, where somebody may see of it.
    fn lies_sorted(&self, (block, at, _): At, from: ZoneId, to: &PieceLocation, scope: &Scope) -> bool {
        let PieceLocation::Zone(zone) = to else { return true };
        let Some(info) = self.game.zones.get(zone.zone) else { return true };
        let open = info.form == ZoneForm::Row && self.zone_viewers(zone, scope).is_none();
        info.form != ZoneForm::Set && !open && !self.is_forgotten(from, to) && !self.is_shuffled((block, at), zone)
    }

    /// Whether what goes to a zone is never seen of there without the others, nor taken from there but all at once into a set.
    fn is_forgotten(&self, from: ZoneId, to: &PieceLocation) -> bool {
        let PieceLocation::Zone(zone) = to else { return false };
        let Some(info) = self.game.zones.get(zone.zone) else { return false };
        // The top of a pile is seen without those beneath.
        let unseen = match info.form {
            ZoneForm::Pile => matches!(info.sight, Sight::Nobody),
            ZoneForm::Row | ZoneForm::Set => true,
        };
        unseen && self.is_kept(from, zone.zone)
    }

    /// Whether what comes from a set to a zone is taken from there all at once into a set, or never.
    fn is_kept(&self, from: ZoneId, into: ZoneId) -> bool {
        let game = self.game;
        let Some(info) = game.zones.get(into) else { return false };
        let is_set = |zone: &ZoneRef| game.zones.get(zone.zone).is_some_and(|info| info.form == ZoneForm::Set);
        let taken = |stmt: &StmtKind| {
            let StmtKind::MovePieces { selection, from: PieceLocation::Zone(source), to, .. } = stmt else {
                return false;
            };
            source.zone == into
                && !matches!((selection, to), (PieceSelection::All, PieceLocation::Zone(to)) if is_set(to))
        };
        (info.form == ZoneForm::Set || !self.shows_owners(from))
            && !game.blocks.iter().flat_map(|block| &block.stmts).any(|stmt| taken(&stmt.kind))
    }

    /// Whether a zone is shuffled after a statement, before anybody is asked anything, wherever its block is run. Each block is
    /// looked at once, however often it is called.
    fn is_shuffled(&self, start: (BlockId, usize), zone: &ZoneRef) -> bool {
        let (mut open, mut left) = (vec![start], BTreeSet::new());
        while let Some((block, at)) = open.pop() {
            match self.shuffles((block, at + 1), zone) {
                Some(true) => continue,
                Some(false) => return false,
                None => {}
            }
            if !left.insert(block) {
                continue;
            }
            let before = open.len();
            for (outer, body) in self.game.blocks.numbered() {
                let holds = |(_, stmt): &(usize, &Stmt)| stmt.kind.blocks().any(|inner| inner == block);
                open.extend(body.stmts.iter().enumerate().filter(holds).map(|(number, _)| (outer, number)));
            }
            // An action ends, and somebody may be asked.
            if open.len() == before {
                return false;
            }
        }
        true
    }

    /// Whether a zone is shuffled in the rest of a block, or somebody is asked first; none if neither.
    fn shuffles(&self, (block, from): (BlockId, usize), zone: &ZoneRef) -> Option<bool> {
        let stmts = self.game.blocks.get(block).map_or(&[][..], |block| &block.stmts);
        stmts.iter().skip(from).find_map(|stmt| {
            let StmtKind::Shuffle(shuffled) = &stmt.kind else { return self.asks(&stmt.kind).then_some(false) };
            // Seats are asked after all that is shuffled.
            let same = shuffled.zone == zone.zone
                && (shuffled.at.is_empty() || format!("{:?}", shuffled.at) == format!("{:?}", zone.at));
            same.then_some(true)
        })
    }
}
