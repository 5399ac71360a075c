//! What is known where an expression stands: the local names, what decides that it is reached, and who is who.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    Expr, ExprKind, Function, Game, Knowledge, Owner, SeatId, Secret, SetOp, Slot, Source, Ty, Value, Viewers, Who,
    ZoneId,
};

use super::Analysis;
use super::fresh::Fresh;
use super::naming::Standing;
use super::passing::Lies;
use super::sight::renamed;
use super::whereabouts::Spot;

/// A local name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    /// What its value is worked out from.
    pub(super) value: Knowledge,
    /// What the number of its members is worked out from.
    pub(super) number: Knowledge,
    /// What decides which piece it stands for, but for where that lay.
    pub(super) by: Knowledge,
    /// The seat it stands for.
    pub(super) who: Option<Who>,
    /// Whether it cannot be the acting seat.
    pub(super) not_me: bool,
    /// Where the pieces that it stands for lie, if that is known.
    pub(super) spot: Option<Spot>,
    /// Who is told which piece it is.
    pub(super) naming: Naming,
    /// Whether it is one of several that may come to lie together, or was kept from others: nobody tells it apart there.
    pub(super) blurred: bool,
    /// How the piece lies among those that are equal.
    pub(super) lies: Lies,
    /// What is known of the piece on the site that it stands for, until something may have moved.
    pub(super) stands: Option<Standing>,
}

/// Who is told which piece a name stands for, beside those who see where it lies when a seat is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Naming {
    #[default]
    Silent,
    /// Everybody who sees it on its way: a seat has chosen it since the last question.
    Announced,
    /// Nobody, since chance draws it: in no order it is not told apart from others that come with it.
    Drawn,
}

impl Name {
    /// A name whose value everybody knows.
    pub(super) fn public(who: Option<Who>) -> Self {
        Self { who, ..Self::default() }
    }

    /// Whether everybody knows all about it, and it lies nowhere.
    fn is_open(&self) -> bool {
        self.value.is_public() && self.number.is_public() && self.by.is_public() && self.spot.is_none()
    }

    /// The other names that it is known by.
    fn named(&self) -> impl Iterator<Item = Slot> + '_ {
        let known = [&self.value, &self.number, &self.by].into_iter().flat_map(named_in).chain(slot_of(self.who));
        known.chain(self.spot.iter().flat_map(Spot::named))
    }
}

fn slot_of(who: Option<Who>) -> Option<Slot> {
    if let Some(Who::Name(slot)) = who { Some(slot) } else { None }
}

/// The names by which something is known.
fn named_in(known: &Knowledge) -> impl Iterator<Item = Slot> + '_ {
    known.secrets().flat_map(|secret| {
        let seats: Vec<Who> = match &secret.viewers {
            Viewers::Nobody | Viewers::Undecided => Vec::new(),
            Viewers::These(seats) => seats.iter().copied().collect(),
            Viewers::Others(one) => vec![*one],
        };
        let source = match secret.source {
            Source::Choice(slot) | Source::Value(slot) | Source::Number(slot) => Some(slot),
            Source::Var(_)
            | Source::Zone(_)
            | Source::Count(_)
            | Source::Order(_)
            | Source::Place(_)
            | Source::Kind(_)
            | Source::Elsewhere => None,
        };
        seats.into_iter().filter_map(|who| slot_of(Some(who))).chain(source)
    })
}

/// The names in scope and what decides that a statement runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scope {
    names: BTreeMap<Slot, Name>,
    /// What decides that control gets here.
    pub(super) flow: Knowledge,
    /// Which seat acts, if that is known: the mover, or a seat that is asked by name.
    pub(super) acting: Option<Who>,
    /// What has come to lie somewhere and is not yet seen.
    pub(super) fresh: Fresh,
    /// Whether it is asked what lies somewhere before anybody sees it, be it taken away or not.
    pub(super) ahead: bool,
}

impl Scope {
    /// Outside actions the mover acts.
    pub(super) fn mover() -> Self {
        Self::played_by(Some(Who::Mover))
    }

    /// Where a seat acts that may be known.
    pub(super) fn played_by(acting: Option<Who>) -> Self {
        Self { acting, ..Self::default() }
    }

    /// Pieces may move from here on.
    pub(super) fn unsettle(&mut self) {
        self.names.values_mut().for_each(|name| name.stands = None);
    }

    /// These pieces stand on the site that a name stands for.
    pub(super) fn stand(&mut self, slot: Slot, stands: Standing) {
        if let Some(name) = self.names.get_mut(&slot) {
            name.stands = Some(stands);
        }
    }

    pub(super) fn bind(&mut self, slot: Slot, name: Name) {
        self.names.insert(slot, name);
    }

    /// Everything else may still lie there, or not.
    pub(super) fn lose(&mut self, zones: &BTreeSet<ZoneId>) {
        for name in self.names.values_mut() {
            name.spot.take_if(|spot| zones.contains(&spot.zone));
        }
    }

    /// A named piece lies here now.
    pub(super) fn find(&mut self, slot: Slot, spot: Option<Spot>, lies: Lies) {
        if let Some(name) = self.names.get_mut(&slot) {
            (name.spot, name.lies) = (spot, lies);
        }
    }

    /// Others may lie behind the named pieces of a zone, or of any.
    pub(super) fn cover(&mut self, zone: Option<ZoneId>) {
        let there = |name: &&mut Name| zone.is_none_or(|zone| name.spot.as_ref().is_some_and(|spot| spot.zone == zone));
        let last = self.names.values_mut().filter(there).filter(|name| name.lies == Lies::Last);
        last.for_each(|name| name.lies = Lies::Among);
    }

    /// A seat was asked: everything is seen where it lies, but for what lies covered there.
    pub(super) fn looked_at(&mut self, covered: impl Fn(ZoneId) -> bool) {
        self.answered();
        self.fresh = Fresh::default();
        let open = |name: &&mut Name| !name.spot.as_ref().is_some_and(|spot| covered(spot.zone));
        self.names.values_mut().filter(open).for_each(|name| name.lies = Lies::Before);
    }

    /// The turn passes to another seat: whatever was known by the mover, or by the seat that acts for it, is known by nobody
    /// who could be named.
    pub(super) fn pass_on(&mut self) {
        let lasting = |who: Who| if let Who::Seat(_) | Who::Name(_) = who { Some(who) } else { None };
        let lasts = |known: &Knowledge| -> Knowledge {
            let secret = |secret: &Secret| Secret { source: secret.source, viewers: renamed(&secret.viewers, lasting) };
            known.secrets().map(secret).collect()
        };
        for name in self.names.values_mut() {
            (name.value, name.number, name.by) = (lasts(&name.value), lasts(&name.number), lasts(&name.by));
            name.who = name.who.and_then(lasting);
            name.not_me = false;
            name.spot.take_if(|spot| spot.passes());
        }
        self.flow = lasts(&self.flow);
        self.fresh = self.fresh.left();
    }

    /// A seat or chance was asked: what was chosen before is announced no more.
    pub(super) fn answered(&mut self) {
        let announced = self.names.values_mut().filter(|name| name.naming == Naming::Announced);
        announced.for_each(|name| name.naming = Naming::Silent);
    }

    /// How many names there are, and half as many for what is not yet seen where it lies.
    pub(super) fn size(&self) -> u64 {
        (self.names.len() + self.fresh.size() / 2) as u64
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Name> {
        self.names.get(&slot)
    }

    /// Within a procedure with these parameters: without the names of the caller that mean nothing there, so that it is the
    /// same wherever it is called from. What not everybody knows stays, and so does every name that something else is
    /// known by.
    pub(super) fn within(mut self, params: impl Iterator<Item = Slot>) -> Self {
        let mut kept: BTreeSet<Slot> = params.collect();
        let mut open: Vec<Slot> = kept.iter().copied().collect();
        let secret = self.names.iter().filter(|(_, name)| !name.is_open()).map(|(slot, _)| *slot);
        open.extend(secret);
        open.extend(named_in(&self.flow).chain(named_in(&self.fresh.all())).chain(slot_of(self.acting)));
        while let Some(slot) = open.pop() {
            kept.insert(slot);
            open.extend(
                self.names.get(&slot).iter().flat_map(|name| name.named()).filter(|other| !kept.contains(other)),
            );
        }
        self.names.retain(|slot, _| kept.contains(slot));
        self
    }

    /// The same or another: what is hidden in either is hidden from everybody, and no seat is known by a name.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let hidden = |known: &Knowledge| -> Knowledge {
            known.secrets().map(|secret| Secret { source: secret.source, viewers: Viewers::Nobody }).collect()
        };
        let mut all = self.clone();
        for (slot, name) in &other.names {
            let joined = all.names.entry(*slot).or_default();
            joined.value.add(&hidden(&name.value));
            joined.number.add(&hidden(&name.number));
            joined.by.add(&hidden(&name.by));
        }
        all.flow.add(&hidden(&other.flow));
        all.fresh.join(&other.fresh.told(|_| None));
        all.ahead |= other.ahead;
        all
    }

    /// The names of pieces that not everybody may know.
    pub(super) fn unknown_pieces(&self, game: &Game) -> Vec<Slot> {
        let piece = |slot: Slot| game.slots.get(slot).is_some_and(|info| info.ty == Ty::Piece);
        let unknown = self.names.iter().filter(|(slot, name)| piece(**slot) && !name.value.is_public());
        unknown.map(|(slot, _)| *slot).collect()
    }

    /// The same with another name.
    pub(super) fn with(&self, slot: Slot, name: Name) -> Self {
        let mut scope = self.clone();
        scope.bind(slot, name);
        scope
    }

    /// The same under a condition.
    pub(super) fn under(&self, condition: &Knowledge) -> Self {
        let mut scope = self.clone();
        scope.flow.add(condition);
        scope
    }

    /// The seats alone, and who is who.
    pub(super) fn seats(&self) -> Self {
        let other = self.names.iter().filter(|(_, name)| name.not_me);
        let other = other.map(|(slot, _)| (*slot, Name { not_me: true, ..Name::default() }));
        Self { names: other.collect(), ..Self::played_by(self.acting) }
    }

    /// The acting seat by the name it is known by.
    pub(super) fn plain(&self, who: Who) -> Who {
        self.acting.filter(|_| who == Who::Me).unwrap_or(who)
    }

    pub(super) fn same(&self, a: Who, b: Who) -> bool {
        self.plain(a) == self.plain(b) && a != Who::NotMe
    }

    fn differ(&self, a: Who, b: Who) -> bool {
        let other = |a: Who, b: Who| match self.plain(a) {
            Who::NotMe => self.same(b, Who::Me),
            Who::Name(name) => self.get(name).is_some_and(|name| name.not_me) && self.same(b, Who::Me),
            Who::Seat(one) => matches!(self.plain(b), Who::Seat(two) if one != two),
            Who::Me | Who::Mover => false,
        };
        other(a, b) || other(b, a)
    }

    /// Whether a seat sees something.
    pub(super) fn sees(&self, who: Who, secret: &Secret) -> bool {
        match &secret.viewers {
            Viewers::Nobody | Viewers::Undecided => false,
            Viewers::These(seats) => seats.iter().any(|seat| self.same(*seat, who)),
            Viewers::Others(one) => self.differ(*one, who),
        }
    }

    /// Whether all these viewers see something.
    pub(super) fn all_see(&self, viewers: &Viewers, secret: &Secret, own: Option<Source>) -> bool {
        match viewers {
            Viewers::Nobody => true,
            Viewers::These(seats) => seats.iter().all(|seat| self.sees(*seat, secret)),
            // What is worked out from itself alone tells nothing new.
            Viewers::Others(_) => secret.viewers == *viewers || Some(secret.source) == own,
            Viewers::Undecided => Some(secret.source) == own,
        }
    }
}

impl Analysis<'_> {
    /// The seat that a name stands for, if it is of that type.
    pub(super) fn named(&self, slot: Slot) -> Option<Who> {
        self.game.slots.get(slot).filter(|info| info.ty == Ty::Seat).map(|_| Who::Name(slot))
    }

    /// The seat that an expression stands for, as far as the rules alone tell.
    pub(super) fn who(&self, expr: &Expr, scope: &Scope) -> Option<Who> {
        if let Some(only) = expr.sole() {
            return self.who(only, scope);
        }
        if let ExprKind::Const(value) = &expr.kind {
            let seats = value.clone().atoms();
            let sole = if seats.count() == 1 { seats.first() } else { None };
            return sole.filter(|_| *expr.ty.element() == Ty::Seat).map(|seat| Who::Seat(SeatId::new(seat)));
        }
        if let ExprKind::Me = expr.kind {
            return Some(Who::Me);
        }
        if let ExprKind::Mover = expr.kind {
            return Some(Who::Mover);
        }
        if let ExprKind::Slot(slot) = expr.kind {
            return scope.get(slot).and_then(|name| name.who);
        }
        if let ExprKind::Call(function, args) = &expr.kind {
            return self.who_of(*function, args.iter().map(|arg| self.who(arg, scope)).collect(), scope.acting);
        }
        let two = self.game.seats.len() == 2 && *expr.ty.element() == Ty::Seat;
        let of = if let ExprKind::Lookup(table, args) = &expr.kind {
            let other = [Value::Atom(1), Value::Atom(0)];
            let table = self.game.lookups.get(*table).filter(|table| two && table.values.iter().eq(&other))?;
            args.first().filter(|_| table.sizes.len() == 1)
        } else if let ExprKind::Builtin(Function::Opponents, args) = &expr.kind {
            args.first().filter(|_| two && !self.eliminates)
        } else {
            None
        };
        match self.who(of?, scope)? {
            Who::Me => Some(Who::NotMe),
            who @ Who::Mover => scope.same(who, Who::Me).then_some(Who::NotMe),
            Who::NotMe => Some(Who::Me),
            Who::Seat(seat) => Some(Who::Seat(SeatId::new(1 - usize::from(seat).min(1)))),
            Who::Name(_) => None,
        }
    }

    /// The seat that pieces belong to, if one is named.
    pub(super) fn owner_of(&self, owner: &Owner, scope: &Scope) -> Option<Who> {
        match owner {
            Owner::Me => Some(Who::Me),
            Owner::Seat(seat) => self.who(seat, scope),
            Owner::Others | Owner::Anyone => None,
        }
    }

    /// Whether the acting seat is in no case among these.
    pub(super) fn without_me(&self, seats: &Expr, scope: &Scope) -> bool {
        let me = |expr: &Expr| self.who(expr, scope).is_some_and(|who| scope.same(who, Who::Me));
        if let ExprKind::Filter(_, set, _) | ExprKind::Top(_, set, _) = &seats.kind {
            return self.without_me(set, scope);
        }
        if let ExprKind::Set(SetOp::Minus, from, less) = &seats.kind {
            return me(less) || self.without_me(from, scope);
        }
        if let ExprKind::Builtin(Function::Opponents, args) = &seats.kind {
            return args.first().is_some_and(me);
        }
        self.who(seats, scope).is_some_and(|who| scope.differ(who, Who::Me))
    }

    /// What is known of a use of a definition: the parameters in what is known of it are replaced by the arguments.
    pub(super) fn applied(&self, known: &Knowledge, params: &[Slot], args: &[Expr], scope: &Scope) -> Knowledge {
        let arg = |slot: Slot| params.iter().position(|param| *param == slot).and_then(|at| args.get(at));
        let mut found = Knowledge::public();
        for secret in known.secrets() {
            if let Source::Value(slot) = secret.source
                && let Some(arg) = arg(slot)
            {
                // It may be looked at in its order there.
                found.add(&self.value(arg, scope).placed());
            } else if let Source::Number(slot) = secret.source
                && let Some(arg) = arg(slot)
            {
                found.add(&self.number(arg, scope));
            } else {
                let seat = |who: Who| match who {
                    Who::Name(slot) => arg(slot).map_or(Some(who), |arg| self.who(arg, scope)),
                    Who::Me | Who::Mover | Who::NotMe | Who::Seat(_) => Some(who),
                };
                found.add(&Knowledge::of(secret.source, renamed(&secret.viewers, seat)));
            }
        }
        found
    }
}
