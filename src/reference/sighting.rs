//! What is recorded on request while the program runs: who sees which piece, and the rules used.

use super::Eval;
use super::machine::Machine;
use crate::base::Bits;
use crate::ir::{Block, Expr, ExprKind, Move, Piece, PieceSelection, RuleId, SeatId, Sight, Slot, ZoneForm};
use crate::model::{Answer, Ask, Displaced};

/// A piece that was moved, by which seat, and who sees it.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    pub(super) by: SeatId,
    /// The choice that it was moved as.
    pub(super) name: Slot,
    pub(super) piece: Piece,
    pub(super) who: Bits,
    /// Where it has come to, for as long as nothing else happens there.
    lies: Option<Lies>,
}

impl Sighting {
    /// Whether it lies where it has come to when a seat is asked next, and is seen.
    pub(super) fn stays(&self) -> bool {
        self.lies.is_some()
    }
}

/// Where a piece comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lies {
    Site(usize),
    Zone(usize, usize),
}

/// The rules used, each once, in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Trace {
    rules: Vec<RuleId>,
    seen: Bits,
}

impl Trace {
    pub(super) fn note(&mut self, rule: RuleId) {
        if self.seen.insert(rule.into()) {
            self.rules.push(rule);
        }
    }

    pub(super) fn rules(self) -> Vec<RuleId> {
        self.rules
    }
}

/// What a machine that listens has heard.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    sightings: Vec<Sighting>,
    /// Names given to what was chosen under other names.
    aliases: Vec<(Slot, Slot)>,
    /// The piles that something has been taken from, or laid on others.
    disturbed: Vec<(usize, usize)>,
    /// The lists that pieces came to or left, each once for each piece.
    traffic: Vec<(usize, usize)>,
}

impl Heard {
    /// The choice that a name stands for: itself unless it was bound to another.
    fn origin(&self, slot: Slot) -> Slot {
        self.aliases.iter().find(|(name, _)| *name == slot).map_or(slot, |(_, origin)| *origin)
    }

    pub(super) fn forget(&mut self, slot: Slot) {
        self.aliases.retain(|(name, _)| *name != slot);
    }
}

impl Machine<'_> {
    /// The rules that a move relies on up to the next question.
    pub(super) fn trail(&mut self, mv: &Move) -> Vec<RuleId> {
        self.trail = Some(Trace::default());
        self.answered(mv);
        self.trail.take().map(Trace::rules).unwrap_or_default()
    }

    /// The rules used by the setup and play up to the first question.
    pub(super) fn first_trail(&mut self) -> Vec<RuleId> {
        self.trail = Some(Trace::default());
        self.started();
        self.trail.take().map(Trace::rules).unwrap_or_default()
    }

    /// The pieces that leave the boards or are changed while something is carried out.
    pub(super) fn displaced_while(&mut self, run: impl FnOnce(&mut Self)) -> Displaced {
        self.displaced = Some(Displaced::default());
        run(self);
        self.displaced.take().unwrap_or_default()
    }

    /// The rules that a claim or offer relies on.
    pub(super) fn answer_trail(&mut self, answer: &Answer) -> Vec<RuleId> {
        self.trail = Some(Trace::default());
        self.apply_answer(answer);
        self.trail.take().map(Trace::rules).unwrap_or_default()
    }

    pub(super) fn note(&mut self, rule: RuleId) {
        if let Some(trail) = &mut self.trail {
            trail.note(rule);
        }
    }

    /// Records the procedure that begins with this statement of a block.
    pub(super) fn begins(&mut self, block: &Block, next: u16) {
        if let Some(owner) = block.owner.filter(|_| next == 0) {
            self.note(owner);
        }
    }

    /// The pieces that a move moves, each with the viewers that see it. `before` are the lists that pieces have come to or left since a
    /// seat was last asked, if they are known.
    pub(super) fn sightings(&mut self, mv: &Move, before: Option<&[(usize, usize)]>) -> Vec<Sighting> {
        self.heard = Some(Heard::default());
        self.answered(mv);
        let Heard { mut sightings, traffic, .. } = self.heard.take().unwrap_or_default();
        // Nobody looks while chance decides.
        let asked = !matches!(self.pos.ask, Ask::Chance { .. });
        let alone = |place: (usize, usize)| {
            before.is_some_and(|before| !before.contains(&place))
                && traffic.iter().filter(|other| **other == place).count() == 1
        };
        for one in &mut sightings {
            if !asked || !one.lies.is_some_and(|lies| self.is_found(&one.piece, lies, alone)) {
                one.lies = None;
            }
        }
        sightings
    }

    /// The lists that pieces come to or leave by a move.
    pub(super) fn traffic(&mut self, mv: &Move) -> Vec<(usize, usize)> {
        self.heard = Some(Heard::default());
        self.answered(mv);
        self.heard.take().map(|heard| heard.traffic).unwrap_or_default()
    }

    /// Whether it can be told that it is this piece that has come to lie somewhere. Among others in no order it can if nothing else has
    /// come or gone there since a seat was asked, which `alone` says of a list.
    fn is_found(&self, piece: &Piece, lies: Lies, alone: impl Fn((usize, usize)) -> bool) -> bool {
        let place @ (zone, index) = match lies {
            Lies::Site(site) => return self.pos.sites.get(site).and_then(Option::as_ref) == Some(piece),
            Lies::Zone(zone, index) => (zone, index),
        };
        let Some(info) = self.walker.game.zones.nth(zone) else { return false };
        let list = self.pos.zones.get(zone).and_then(|lists| lists.get(index)).map_or(&[][..], Vec::as_slice);
        match info.form {
            ZoneForm::Pile => list.last() == Some(piece),
            ZoneForm::Row if matches!(info.order_sight, Sight::All) => list.contains(piece),
            ZoneForm::Row | ZoneForm::Set => alone(place),
        }
    }

    /// Notes that so many pieces come to a list or leave it.
    pub(super) fn pass(&mut self, place: (usize, usize), pieces: usize) {
        if let Some(heard) = &mut self.heard {
            // More than one is as good as any.
            heard.traffic.extend(std::iter::repeat_n(place, pieces.min(2)));
        }
    }

    /// The same of a claim.
    pub(super) fn sightings_of(&mut self, answer: &Answer) -> Vec<Sighting> {
        self.heard = Some(Heard::default());
        self.apply_answer(answer);
        self.heard.take().map(|heard| heard.sightings).unwrap_or_default()
    }

    /// The piece that is seen before it leaves a pile, if that is asked for: the top, unless others were taken from there before or laid
    /// on it, with no question in between. None of a place that is no pile.
    pub(super) fn top_leaving(&mut self, place: (usize, usize)) -> Option<Option<Piece>> {
        self.stir(Lies::Zone(place.0, place.1));
        let heard = self.heard.as_ref().filter(|_| self.covers(place))?;
        let first = !heard.disturbed.contains(&place);
        let top = self.list(place).and_then(|list| list.last().cloned()).filter(|_| first);
        self.heard.as_mut()?.disturbed.push(place);
        Some(top)
    }

    /// Notes that something else happens where a piece has come to: what lies there from then on may be another one.
    pub(super) fn stir(&mut self, place: Lies) {
        if let Some(heard) = &mut self.heard {
            heard.sightings.iter_mut().filter(|one| one.lies == Some(place)).for_each(|one| one.lies = None);
        }
    }

    /// The same of pieces that are laid on others, if they cover them.
    pub(super) fn cover(&mut self, (zone, index): (usize, usize)) {
        if self.covers((zone, index)) {
            self.stir(Lies::Zone(zone, index));
            if let Some(heard) = &mut self.heard {
                heard.disturbed.push((zone, index));
            }
        }
    }

    /// Records who sees pieces that are moved as a choice, on request. What is moved without a name is not recorded: that
    /// it equals what was chosen says nothing about it. The place is the one that they come to.
    pub(super) fn record(
        &mut self,
        name: Option<Slot>,
        (pieces, lies): (&[Piece], Option<Lies>),
        who: impl FnOnce(&mut Eval<'_>) -> Bits,
    ) {
        let Some(name) = name.filter(|_| self.heard.is_some() && !pieces.is_empty()) else { return };
        let who = self.with_eval(who);
        let by = self.pos.acting();
        if let Some(heard) = &mut self.heard {
            let seen = pieces.iter().map(|piece| Sighting { by, name, piece: piece.clone(), who: who.clone(), lies });
            heard.sightings.extend(seen);
        }
    }

    /// The choice that a statement names what it moves by.
    pub(super) fn name_of(&self, selection: &PieceSelection) -> Option<Slot> {
        match selection {
            PieceSelection::These(pieces) => self.named(pieces.sole().unwrap_or(pieces)),
            PieceSelection::Top(_) | PieceSelection::Bottom(_) | PieceSelection::All => None,
        }
    }

    /// The choice that an expression names; none unless the machine listens.
    fn named(&self, expr: &Expr) -> Option<Slot> {
        let heard = self.heard.as_ref()?;
        if let ExprKind::Slot(slot) = &expr.kind {
            return Some(heard.origin(*slot));
        }
        if let ExprKind::Call(function, args) = &expr.kind {
            let told = self.walker.game.functions.get(*function).filter(|def| def.told);
            return told.and(args.first()).and_then(|arg| self.named(arg));
        }
        None
    }

    /// Binds names to the values of expressions, all worked out before any is bound.
    pub(super) fn bind_to<'e>(&mut self, names: impl IntoIterator<Item = (Slot, &'e Expr)>) {
        let values: Vec<_> = names.into_iter().map(|(slot, expr)| (slot, self.named(expr), self.eval(expr))).collect();
        for (slot, origin, value) in values {
            self.bind(slot, value);
            if let (Some(heard), Some(origin)) = (&mut self.heard, origin) {
                heard.aliases.push((slot, origin));
            }
        }
    }
}
