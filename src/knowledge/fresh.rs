//! What has come to lie where it is face up since a seat was last asked, and so is not yet seen by those who see that place.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    Expr, ExprKind, Knowledge, PieceLocation, PieceSelection, Secret, Source, Value, Viewers, Who, ZoneForm, ZoneId,
};

use super::Analysis;
use super::course::{Taken, place};
use super::scope::Scope;
use super::sight::renamed;

/// Something for zones and the boards.
type Places = BTreeMap<Option<ZoneId>, Knowledge>;

/// For zones and the boards, what the pieces that came there are worked out from, as far as those do not see it who see the place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fresh {
    lying: Places,
    /// Of that, what decides how many came.
    came: Places,
    /// The zones in no order that anything came to, seen or not, in games in which chance draws pieces.
    mixed: BTreeSet<ZoneId>,
}

impl Fresh {
    /// What is not known yet of what lies there.
    pub(super) fn at(&self, place: Option<ZoneId>) -> Knowledge {
        self.lying.get(&place).cloned().unwrap_or_default()
    }

    /// The same of all places.
    pub(super) fn all(&self) -> Knowledge {
        self.lying.values().flat_map(Knowledge::secrets).cloned().collect()
    }

    /// What is not known yet of how many pieces lie in a zone.
    pub(super) fn counts(&self, zone: ZoneId) -> Knowledge {
        let count = |secret: &&Secret| matches!(secret.source, Source::Count(_));
        let lying = self.lying.get(&Some(zone));
        lying.map_or_else(Knowledge::public, |known| known.secrets().filter(count).cloned().collect())
    }

    /// What is not known yet of how many pieces have come to a zone.
    pub(super) fn came(&self, zone: ZoneId) -> Knowledge {
        self.came.get(&Some(zone)).cloned().unwrap_or_default()
    }

    /// Whether anything has come to a zone in no order.
    pub(super) fn mixes(&self, zone: ZoneId) -> bool {
        self.mixed.contains(&zone)
    }

    /// How many secrets lie anywhere.
    pub(super) fn size(&self) -> usize {
        self.lying.values().chain(self.came.values()).map(|known| known.secrets().count()).sum()
    }

    fn add(&mut self, place: Option<ZoneId>, known: &Knowledge) {
        if !known.is_public() {
            self.lying.entry(place).or_default().add(known);
        }
    }

    /// Pieces come to a place, in a number that is worked out from this.
    fn arrive(&mut self, place: Option<ZoneId>, number: &Knowledge) {
        self.add(place, number);
        if !number.is_public() {
            self.came.entry(place).or_default().add(number);
        }
    }

    /// What may have come on either of two ways; whether it is more than on the first.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        other.lying.iter().for_each(|(place, known)| self.add(*place, known));
        other.came.iter().for_each(|(place, known)| self.arrive(*place, known));
        self.mixed.extend(&other.mixed);
        *self != before
    }

    /// What is not taken away before the next question will be seen.
    pub(super) fn keep(&mut self, taken: &Taken) {
        self.lying.retain(|place, _| taken.contains(place));
        self.came.retain(|place, _| taken.contains(place));
    }

    /// The same for somebody else: seats that are known by another name there, or by none.
    pub(super) fn told(&self, seat: impl Fn(Who) -> Option<Who>) -> Self {
        let told = |known: &Knowledge| {
            let secret = |secret: &Secret| Secret { source: secret.source, viewers: renamed(&secret.viewers, &seat) };
            known.secrets().map(secret).collect()
        };
        let all = |places: &Places| places.iter().map(|(place, known)| (*place, told(known))).collect();
        Self { lying: all(&self.lying), came: all(&self.came), mixed: self.mixed.clone() }
    }

    /// The same where neither the acting seat nor the mover is who it was.
    pub(super) fn left(&self) -> Self {
        self.told(|who| if let Who::Seat(_) = who { Some(who) } else { None })
    }

    /// The same after an action, outside which the mover acts.
    pub(super) fn played(&self, acting: Option<Who>) -> Self {
        self.told(|who| match who {
            Who::Me => acting,
            Who::Mover | Who::Seat(_) => Some(who),
            Who::NotMe | Who::Name(_) => None,
        })
    }
}

impl Analysis<'_> {
    /// Pieces come to another place: they are as hidden as they were, until a seat is asked.
    pub(super) fn carried(
        &self,
        selection: &PieceSelection,
        (from, to): (&PieceLocation, &PieceLocation),
        scope: &mut Scope,
    ) {
        let known = match (selection, from) {
            (PieceSelection::These(pieces), PieceLocation::Zone(_)) => self.value(pieces, scope),
            (
                PieceSelection::Top(_) | PieceSelection::Bottom(_) | PieceSelection::All | PieceSelection::These(_),
                PieceLocation::Sites(sites),
            ) => self.standing(sites, scope).value,
            (PieceSelection::Top(_) | PieceSelection::Bottom(_) | PieceSelection::All, PieceLocation::Zone(zone)) => {
                self.held(zone, scope, matches!(selection, PieceSelection::Top(count) if is_one(count)))
            }
        };
        // Which one it was tells what lay where.
        let some = matches!(selection, PieceSelection::Top(_) | PieceSelection::Bottom(_));
        let known = if some { known.placed() } else { known };
        // A name may stand for another seat by the time that this is read.
        let named = |secret: &Secret| Secret {
            source: secret.source,
            viewers: renamed(&secret.viewers, |who| if let Who::Name(_) = who { None } else { Some(who) }),
        };
        let unseen = |known: &Knowledge, viewers: Option<Viewers>| -> Knowledge {
            let sees = |secret: &Secret| viewers.as_ref().is_some_and(|viewers| scope.all_see(viewers, secret, None));
            known.secrets().filter(|secret| !sees(secret)).map(named).collect()
        };
        let viewers_at = |at: &PieceLocation| match at {
            PieceLocation::Sites(_) => None,
            PieceLocation::Zone(zone) => self.zone_viewers(zone, scope),
        };
        // What stays behind tells which ones went.
        let (there, here) = (unseen(&known, viewers_at(to)), unseen(&known, viewers_at(from)));
        let (mut arrived, mut left) = (Knowledge::public(), Knowledge::public());
        if let PieceLocation::Zone(zone) = from {
            // How many came is counted where they are. One comes if any lie there.
            if !matches!(selection, PieceSelection::These(_)) {
                arrived = unseen(&self.counted(zone, scope, takes_one(selection)), self.noticing(to, scope));
            }
            // Where only the top is seen, whether any are left depends on how many there were.
            left = unseen(&self.counted(zone, scope, false), self.noticing(from, scope));
        }
        scope.fresh.add(place(to), &there);
        scope.fresh.arrive(place(to), &arrived);
        if let PieceLocation::Zone(zone) = to {
            self.mixed(zone.zone, scope);
        }
        if !matches!(selection, PieceSelection::All) {
            scope.fresh.add(place(from), &here.and(&left));
        }
        // What lay beneath is on top now.
        let left = match selection {
            PieceSelection::Top(_) | PieceSelection::These(_) => true,
            PieceSelection::All => matches!(to, PieceLocation::Sites(_)),
            PieceSelection::Bottom(_) => false,
        };
        if let PieceLocation::Zone(zone) = from
            && left
            && self.game.zones.get(zone.zone).is_some_and(|info| info.form == ZoneForm::Pile)
        {
            Self::turned(zone.zone, scope);
        }
    }

    /// Something comes to a zone.
    pub(super) fn mixed(&self, zone: ZoneId, scope: &mut Scope) {
        if self.course.draws && self.is_unordered(zone) {
            scope.fresh.mixed.insert(zone);
        }
    }

    /// Another piece is on top: nobody has seen it yet.
    pub(super) fn turned(zone: ZoneId, scope: &mut Scope) {
        scope.fresh.add(Some(zone), &Knowledge::of(Source::Zone(zone), Viewers::Nobody));
    }

    /// The pieces of a zone lie in another order, which nobody has seen yet.
    pub(super) fn shuffled(&self, zone: ZoneId, scope: &mut Scope) {
        match self.game.zones.get(zone).map(|info| info.form) {
            Some(ZoneForm::Pile) => Self::turned(zone, scope),
            Some(ZoneForm::Row) => scope.fresh.add(Some(zone), &Knowledge::of(Source::Order(zone), Viewers::Nobody)),
            Some(ZoneForm::Set) | None => {}
        }
    }
}

/// Whether no more than one piece goes.
fn takes_one(selection: &PieceSelection) -> bool {
    matches!(selection, PieceSelection::Top(count) | PieceSelection::Bottom(count) if is_one(count))
}

fn is_one(count: &Expr) -> bool {
    matches!(count.kind, ExprKind::Const(Value::Int(1)))
}
