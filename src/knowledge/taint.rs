//! What decided how many pieces lie somewhere, and which, where nobody saw it happen: it goes on with them, however far, and is
//! told where they come to be counted or seen.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    Channel, Expr, ExprKind, Knowledge, PieceLocation, PieceSelection, RuleId, Secret, Slot, Source, Ty, Value,
    Viewers, Who, ZoneId, ZoneRef,
};

use super::Analysis;
use super::scope::Scope;
use super::sight::{piece_viewers, renamed};

/// What of the pieces in a place was decided: how many there are, and so which; or which alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number,
    Pieces,
}

/// A zone, or the boards, and the seats that its indices stand for where it is named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    zone: Option<ZoneId>,
    at: Vec<Option<Who>>,
}

/// Pieces go from one place to another, and what decided which of them lay there goes with them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Haul {
    rule: RuleId,
    from: End,
    to: End,
    /// Whether how many go depends on how many there are.
    counted: bool,
    /// Who finds out how many came, and who finds out which; none stands for everybody.
    viewers: BTreeMap<Part, Vec<Option<Viewers>>>,
    /// Who is who where it happens.
    seats: Scope,
}

/// Something that decided what lies in a place. Those who see it are named as the place names them: by its own indices.
type Stain = (Option<ZoneId>, Part, Secret);

/// What decided where pieces lie, and how they go on.
#[derive(Debug, Default)]
pub(super) struct Taint {
    stains: BTreeSet<Stain>,
    hauls: BTreeSet<Haul>,
    /// Numbers that were chosen or rolled of pieces that those alone count who know the number, where they went and where they came
    /// from. It is told with the pieces, as it is nothing else, unless it is kept elsewhere as well.
    embodied: BTreeSet<(Slot, Stain)>,
    /// What was chosen, rolled or counted and is kept in a variable, on pieces, or in a place that may be one of several.
    kept: BTreeSet<Source>,
    /// Between which places pieces were moved in a number that was chosen or rolled, with the indices that are constants. With a
    /// second pair it is kept elsewhere.
    pairs: BTreeMap<Source, ([End; 2], Vec<Value>)>,
    /// What decided what could be chosen or rolled in secret: `n` may be read off what is chosen of `n..n`.
    tied: BTreeMap<Slot, Knowledge>,
}

impl Taint {
    /// This is written somewhere.
    pub(super) fn keep(&mut self, known: &Knowledge) {
        let tied = self.tied_to(known);
        self.kept.extend(known.secrets().chain(tied.secrets()).map(|secret| secret.source));
    }

    /// This decides what can be chosen or rolled.
    pub(super) fn tie(&mut self, slot: Slot, known: &Knowledge) {
        self.tied.entry(slot).or_default().add(known);
    }

    /// This decides whether what was chosen may be carried out.
    pub(super) fn guard(&mut self, known: &Knowledge) {
        for slot in known.secrets().filter_map(chosen) {
            self.tie(slot, known);
        }
    }

    /// What decided the choices and rolls among these secrets, and those among that.
    fn tied_to(&self, known: &Knowledge) -> Knowledge {
        let mut all = Knowledge::public();
        let mut left: Vec<Slot> = known.secrets().filter_map(chosen).collect();
        let mut seen: BTreeSet<Slot> = left.iter().copied().collect();
        while let Some(tied) = left.pop().map(|slot| self.tied.get(&slot)) {
            let tied = tied.cloned().unwrap_or_default();
            left.extend(tied.secrets().filter_map(chosen).filter(|slot| seen.insert(*slot)));
            all.add(&tied);
        }
        all
    }
}

impl Analysis<'_> {
    /// Pieces are moved in a number that is worked out from something.
    pub(super) fn hauled(
        &mut self,
        rule: RuleId,
        number: &Knowledge,
        selection: &PieceSelection,
        (from, to): (&PieceLocation, &PieceLocation),
        scope: &Scope,
    ) {
        if scope.ahead || self.game.has_perfect_information() {
            return;
        }
        let named = if let PieceSelection::These(pieces) = selection { Some(pieces) } else { None };
        let ends = [self.end(from, scope), self.end(to, scope)];
        let number = number.clone().and(&scope.flow);
        let tied = self.tied_elsewhere(&number, &ends);
        let number = number.and(&tied);
        let mut which = named.map(|pieces| self.deciding(pieces, scope)).unwrap_or_default();
        if let Some(pieces) = named {
            let tied = self.tied_elsewhere(&self.value(pieces, scope), &ends);
            // What lay among the others is shown with the piece, wherever that goes.
            let told = |secret: &&Secret| matches!(secret.source, Source::Var(_) | Source::Choice(_));
            which.add(&tied.secrets().filter(told).cloned().collect());
        }
        let seen = [from, to].map(|at| self.showing(from, at, scope));
        for viewers in seen.iter().flatten() {
            self.shown(rule, Channel::Pieces, &which, viewers.as_ref(), None, scope);
        }
        let pair = self.fixed([from, to], scope).map(|fixed| (ends.clone(), fixed));
        for source in number.secrets().chain(which.secrets()).map(|secret| secret.source) {
            let own = ends.iter().any(|end| end.zone.map(Source::Count) == Some(source));
            let first = pair.as_ref().map(|pair| &*self.taint.pairs.entry(source).or_insert_with(|| pair.clone()));
            if !own && (first != pair.as_ref() || pair.is_none() || matches!(source, Source::Count(_))) {
                self.taint.kept.insert(source);
            }
        }
        // Where all count them, it was told just now.
        if [from, to].into_iter().all(|at| self.counting(at, scope).is_some()) {
            for secret in number.secrets() {
                self.stain(Part::Number, secret, [(from, &ends[0]), (to, &ends[1])], scope);
            }
        }
        for secret in which.secrets() {
            self.stain(Part::Pieces, secret, [(from, &ends[0]), (to, &ends[1])], scope);
        }
        // What the rules tell goes no further.
        if named.is_some_and(|pieces| self.tells(pieces)) {
            return;
        }
        let [start, end] = ends;
        let one = named.is_some_and(|pieces| is_one(pieces) && self.is_there(pieces, from, scope));
        let [_, seen] = seen;
        let counts = vec![self.counting(to, scope), self.noticing(to, scope)];
        let haul = Haul {
            rule,
            counted: !one,
            viewers: BTreeMap::from([(Part::Number, counts), (Part::Pieces, seen)]),
            seats: scope.seats(),
            from: start,
            to: end,
        };
        self.taint.hauls.insert(haul);
    }

    /// What decided the choices among these secrets, but for what lies where pieces go or come from: that is shown, not told.
    fn tied_elsewhere(&self, known: &Knowledge, ends: &[End; 2]) -> Knowledge {
        let own = |source: Source| match source {
            Source::Zone(zone) | Source::Count(zone) | Source::Order(zone) | Source::Place(zone) => {
                ends.iter().any(|end| end.zone == Some(zone))
            }
            Source::Kind(_) => ends.iter().any(|end| end.zone.is_none()),
            Source::Var(_) | Source::Choice(_) | Source::Elsewhere | Source::Value(_) | Source::Number(_) => false,
        };
        let tied = self.taint.tied_to(known);
        tied.secrets().filter(|secret| !own(secret.source)).cloned().collect()
    }

    /// The constants among the indices of places, if each of them is one place however often it is come by: any other index is a
    /// known seat.
    fn fixed(&self, places: [&PieceLocation; 2], scope: &Scope) -> Option<Vec<Value>> {
        let indices = places.into_iter().filter_map(|at| match at {
            PieceLocation::Sites(_) => None,
            PieceLocation::Zone(zone) => Some(&zone.at),
        });
        let mut fixed = Vec::new();
        for index in indices.flatten() {
            if let ExprKind::Const(value) = &index.kind {
                fixed.push(value.clone());
            } else {
                self.who(index, scope)?;
            }
        }
        Some(fixed)
    }

    /// Something decided which pieces were moved: it did what was left, and what came.
    fn stain(&mut self, part: Part, secret: &Secret, ends: [(&PieceLocation, &End); 2], scope: &Scope) {
        let embodied = chosen(secret).filter(|_| ends.iter().all(|(at, _)| self.embodies(at, secret, scope)));
        for (_, end) in ends {
            let stain = (end.zone, part, self.inward(secret, end, scope));
            match embodied {
                Some(slot) => self.taint.embodied.insert((slot, stain)),
                None => self.taint.stains.insert(stain),
            };
        }
    }

    /// Whether those who know something are those who count the pieces here.
    fn embodies(&self, at: &PieceLocation, secret: &Secret, scope: &Scope) -> bool {
        let Some(viewers) = self.counting(at, scope) else { return false };
        match viewers {
            Viewers::Nobody => secret.viewers == Viewers::Nobody,
            Viewers::Undecided => false,
            Viewers::These(_) | Viewers::Others(_) => scope.all_see(&viewers, secret, None),
        }
    }

    /// Who finds out which pieces come to or go from a place; none stands for everybody.
    fn showing(&self, from: &PieceLocation, at: &PieceLocation, scope: &Scope) -> Vec<Option<Viewers>> {
        match at {
            PieceLocation::Zone(zone) => {
                let backs = self.shows_owners(zone.zone).then(|| self.counting(at, scope));
                [self.zone_viewers(zone, scope)].into_iter().chain(backs).collect()
            }
            PieceLocation::Sites(_) => {
                let may_come = |kind: usize| match from {
                    PieceLocation::Zone(zone) => {
                        self.game.zones.get(zone.zone).is_some_and(|info| info.kinds.contains(kind))
                    }
                    PieceLocation::Sites(_) => true,
                };
                let kinds = self.game.kinds.numbered().filter(|(kind, _)| may_come(usize::from(*kind)));
                kinds.map(|(_, kind)| piece_viewers(&kind.sight, None)).collect::<BTreeSet<_>>().into_iter().collect()
            }
        }
    }

    fn end(&self, at: &PieceLocation, scope: &Scope) -> End {
        match at {
            PieceLocation::Sites(_) => End { zone: None, at: Vec::new() },
            PieceLocation::Zone(ZoneRef { zone, at }) => {
                let seat = |index: &Expr| self.who(index, scope).map(|who| scope.plain(who));
                End { zone: Some(*zone), at: at.iter().map(seat).collect() }
            }
        }
    }

    fn params(&self, end: &End) -> &[Slot] {
        end.zone.and_then(|zone| self.game.zones.get(zone)).map_or(&[], |info| &info.params)
    }

    /// The same secret where those who see it are named by the indices of a place.
    fn inward(&self, secret: &Secret, end: &End, scope: &Scope) -> Secret {
        let index = |who: Who| {
            let mut at = end.at.iter().zip(self.params(end));
            at.find(|(index, _)| index.is_some_and(|index| scope.same(index, who))).map(|(_, param)| Who::Name(*param))
        };
        let lasting = |who: Who| if let Who::Seat(_) = scope.plain(who) { Some(scope.plain(who)) } else { None };
        let viewers = renamed(&secret.viewers, |who| index(who).or_else(|| lasting(who)));
        Secret { source: secret.source, viewers }
    }

    /// The same secret where a place is named.
    fn outward(&self, secret: &Secret, end: &End) -> Secret {
        let seat = |who: Who| match who {
            Who::Name(slot) => {
                let at = self.params(end).iter().position(|param| *param == slot);
                at.and_then(|at| end.at.get(at).copied().flatten())
            }
            Who::Seat(_) => Some(who),
            Who::Me | Who::Mover | Who::NotMe => None,
        };
        Secret { source: secret.source, viewers: renamed(&secret.viewers, seat) }
    }

    /// Follows the pieces from place to place, and reports where they tell what decided which of them lie there.
    pub(super) fn traced(&mut self) {
        let Taint { stains, hauls, embodied, kept, pairs: _, tied: _ } = std::mem::take(&mut self.taint);
        let mut leaving: BTreeMap<Option<ZoneId>, Vec<Haul>> = BTreeMap::new();
        for haul in hauls {
            leaving.entry(haul.from.zone).or_default().push(haul);
        }
        let elsewhere = |slot: Slot, zone: Option<ZoneId>| {
            kept.contains(&Source::Choice(slot)) || zone.is_some_and(|zone| kept.contains(&Source::Count(zone)))
        };
        let kept = embodied.into_iter().filter(|(slot, stain)| elsewhere(*slot, stain.0)).map(|(_, stain)| stain);
        let mut open: Vec<Stain> = stains.into_iter().chain(kept).collect();
        let mut found = BTreeSet::new();
        while let Some(stain) = open.pop() {
            let (place, part, secret) = &stain;
            // A number shows itself with its own pieces.
            if found.contains(&stain) || place.map(Source::Count) == Some(secret.source) {
                continue;
            }
            for haul in leaving.get(place).map_or(&[][..], Vec::as_slice) {
                self.work = self.work.saturating_sub(1);
                if self.work == 0 {
                    return;
                }
                let goes = match part {
                    Part::Number if haul.counted => Part::Number,
                    Part::Number | Part::Pieces => Part::Pieces,
                };
                let secret = self.outward(secret, &haul.from);
                let known: Knowledge = std::iter::once(secret.clone()).collect();
                let channel = match goes {
                    Part::Number => Channel::Places,
                    Part::Pieces => Channel::Pieces,
                };
                for viewers in haul.viewers.get(&goes).map_or(&[][..], Vec::as_slice) {
                    self.shown(haul.rule, channel, &known, viewers.as_ref(), None, &haul.seats);
                }
                open.push((haul.to.zone, goes, self.inward(&secret, &haul.to, &haul.seats)));
            }
            found.insert(stain);
        }
    }
}

/// The choice or roll that something is.
fn chosen(secret: &Secret) -> Option<Slot> {
    if let Source::Choice(slot) = secret.source { Some(slot) } else { None }
}

/// Whether this is a single piece by its type.
fn is_one(pieces: &Expr) -> bool {
    pieces.sole().unwrap_or(pieces).ty == Ty::Piece
}
