//! Actions: what their choices and guards tell the seat that is asked; and where chosen pieces are laid open.

use std::collections::BTreeSet;

use crate::ir::{
    Action, ActionId, ActionRef, Audience, BlockId, Channel, Choice, Disclosure, Expr, Header, Knowledge, RuleId,
    Sight, Slot, Source, StmtKind, Ty, Viewers, Who,
};

use super::Analysis;
use super::between::Between;
use super::fresh::Fresh;
use super::scope::{Name, Naming, Scope};
use super::sight::renamed;

impl Analysis<'_> {
    /// Tells everybody.
    pub(super) fn everybody(&mut self, rule: RuleId, channel: Channel, known: &Knowledge) {
        for secret in known.secrets() {
            self.disclose(rule, channel, Audience::Everybody, secret.source);
        }
    }

    /// Tells a seat that is asked: the acting seat, or the one named; nobody known, if there is no telling who.
    pub(super) fn asked(
        &mut self,
        rule: RuleId,
        channel: Channel,
        known: &Knowledge,
        by: Option<Option<Who>>,
        scope: &Scope,
    ) {
        let who = by.unwrap_or(Some(Who::Me));
        for secret in known.secrets() {
            if !who.is_some_and(|who| scope.sees(who, secret)) {
                self.disclose(rule, channel, Audience::Asked, secret.source);
            }
        }
    }

    /// Tells those who see a thing; everybody, if there is no restriction.
    pub(super) fn shown(
        &mut self,
        rule: RuleId,
        channel: Channel,
        known: &Knowledge,
        viewers: Option<&Viewers>,
        own: Option<Source>,
        scope: &Scope,
    ) {
        let Some(viewers) = viewers else { return self.everybody(rule, channel, known) };
        for secret in known.secrets() {
            if !scope.all_see(viewers, secret, own) {
                self.disclose(rule, channel, Audience::Viewers, secret.source);
            }
        }
    }

    fn disclose(&mut self, rule: RuleId, channel: Channel, audience: Audience, source: Source) {
        self.table.disclosures.push(Disclosure { rule, channel, audience, source });
    }

    /// Records what the value of a name is worked out from, and binds it.
    pub(super) fn record(&mut self, slot: Slot, name: Name, scope: &mut Scope) {
        if let Some(place) = self.table.names.get_mut(usize::from(slot)) {
            place.get_or_insert_default().add(&name.value);
        }
        scope.bind(slot, name);
    }

    /// Actions as they are offered, each once for every seat that may be known to play it. What has come to lie somewhere is not
    /// seen yet when several are carried out one after the other, and what was chosen may be gone.
    pub(super) fn offered(
        &mut self,
        groups: &[Vec<ActionRef>],
        acting: Option<Who>,
        fresh: &Fresh,
        between: &Between,
    ) -> Fresh {
        let mut left = Fresh::default();
        for action in groups.iter().flatten() {
            match action {
                ActionRef::Action(number) | ActionRef::Race(number) => {
                    left.join(&self.played(*number, acting, fresh, between));
                }
                ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => {}
            }
        }
        left
    }

    fn played(&mut self, number: ActionId, acting: Option<Who>, fresh: &Fresh, between: &Between) -> Fresh {
        let game = self.game;
        let Some(action) = game.actions.get(number) else { return Fresh::default() };
        let key = (number, acting, fresh.clone(), between.clone());
        if let Some(left) = self.played.get(&key) {
            return left.clone();
        }
        let mut left = self.action(action, acting, fresh, between);
        self.tested(&mut left);
        let left = left.played(acting);
        self.played.insert(key, left.clone());
        left
    }

    /// The head and the effects of an action or claim. That it is legal is known to everybody once it is played.
    pub(super) fn action(&mut self, action: &Action, acting: Option<Who>, fresh: &Fresh, between: &Between) -> Fresh {
        let mut scope = Scope::played_by(acting);
        for line in &action.head {
            match line {
                Header::Choose(Choice { slot, set, sight, rule }) => {
                    // What can be chosen is listed in an order of its own.
                    let known = self.value(set, &scope).unordered();
                    self.asked(*rule, Channel::Choice, &known, None, &scope);
                    self.announced(*rule, sight, &scope);
                    self.taint.tie(*slot, &known);
                    let name = self.chosen((*slot, set, sight), Some(Some(Who::Me)), (action.body, 0), between, &scope);
                    self.record(*slot, name, &mut scope);
                }
                Header::Let(slot, value, _) | Header::Late(slot, value, _) => {
                    let name = self.named_be(*slot, value, &scope);
                    self.record(*slot, name, &mut scope);
                }
                Header::Require(guard, rule) | Header::Prefer(guard, rule) => {
                    let known = self.value(guard, &scope);
                    self.asked(*rule, Channel::Guard, &known, None, &scope);
                    self.taint.guard(&known);
                }
            }
        }
        if !action.ensure.is_empty() {
            // What it looks at is what would lie there, before anybody has seen it.
            let table = self.table.clone();
            let mut after = scope.clone();
            after.ahead = true;
            after.unsettle();
            after.fresh = self.block(action.body, &after);
            self.table = table;
            for (guard, rule) in &action.ensure {
                let known = self.value(guard, &after);
                self.asked(*rule, Channel::Guard, &known, None, &after);
                // What would lie there may depend on all that was chosen.
                for line in &action.head {
                    if let Header::Choose(choice) = line {
                        self.taint.tie(choice.slot, &known);
                    }
                }
            }
        }
        scope.fresh = fresh.clone();
        self.block(action.body, &scope)
    }

    /// What is known of a choice by a seat, or of a roll, before these statements. A piece is known to those who see it where it comes
    /// from, or to all if it is laid open; anything else to those whom the choice is shown to. What is told of a set of pieces is not
    /// which of them is chosen.
    pub(super) fn chosen(
        &self,
        (slot, set, sight): (Slot, &Expr, &Sight),
        by: Option<Option<Who>>,
        (block, from): (BlockId, usize),
        between: &Between,
        scope: &Scope,
    ) -> Name {
        let shown = self.viewers(sight, scope);
        // What another seat chose is not announced with what this one moves.
        let own = by.is_some_and(|by| by.is_some_and(|who| scope.same(who, Who::Me)));
        // What is kept from others is named to nobody else on its way.
        let naming = match by {
            None => Naming::Drawn,
            Some(_) if own && shown.is_none() => Naming::Announced,
            Some(_) => Naming::Silent,
        };
        let mut name = Name { naming, blurred: shown.is_some(), ..self.member(slot, set, scope) };
        name.spot.take_if(|spot| between.takes(spot));
        let opened = || self.laid_open(block, from, slot, &scope.with(slot, name.clone())) == Some(None);
        if set.ty.element() != &Ty::Piece || opened() {
            name.value = Knowledge::public();
        } else if let Some(by) = by.filter(|_| self.telling.tells(set)) {
            let viewers = by.map_or(Viewers::Nobody, |who| Viewers::These(BTreeSet::from([who])));
            name.value.add(&Knowledge::of(Source::Choice(slot), viewers));
        }
        if let Some(viewers) = shown {
            name.value.add(&Knowledge::of(Source::Choice(slot), viewers));
        }
        name
    }

    /// A choice or roll that some are told: whoever is told, or is not, finds out who is.
    pub(super) fn announced(&mut self, rule: RuleId, sight: &Sight, scope: &Scope) {
        match sight {
            Sight::All | Sight::Nobody => {}
            Sight::Seats(seats) => {
                let known = self.value(seats, scope);
                self.everybody(rule, Channel::Sight, &known);
            }
        }
    }

    /// What decides whether a seat can play one of these actions.
    pub(super) fn legality(&self, actions: &[ActionRef], seat: Option<Who>) -> Knowledge {
        let mut known = Knowledge::public();
        for action in actions {
            let (ActionRef::Action(action) | ActionRef::Race(action)) = action else { continue };
            known.add(&self.legality_of(*action));
        }
        Self::for_seat(&known, seat)
    }

    /// What decides which moves of an action the acting seat has: equal pieces are one move, so that their number tells of them.
    pub(super) fn moves_of(&self, number: ActionId) -> Knowledge {
        let mut known = self.legality_of(number);
        let mut scope = Scope::default();
        for line in self.game.actions.get(number).map_or(&[][..], |action| &action.head) {
            match line {
                Header::Choose(choice) => {
                    known.add(&self.value(&choice.set, &scope).unordered());
                    let name = self.member(choice.slot, &choice.set, &scope);
                    scope.bind(choice.slot, name);
                }
                Header::Let(slot, value, _) | Header::Late(slot, value, _) => {
                    let name = self.let_be(value, &scope);
                    scope.bind(*slot, name);
                }
                Header::Require(..) | Header::Prefer(..) => {}
            }
        }
        Self::for_seat(&known, Some(Who::Me))
    }

    /// What is known of the acting seat's, if that is this seat.
    fn for_seat(known: &Knowledge, seat: Option<Who>) -> Knowledge {
        let acting = |who: Who| match who {
            Who::Me => seat,
            Who::NotMe => seat.filter(|seat| *seat == Who::Me).map(|_| Who::NotMe),
            Who::Mover | Who::Seat(_) | Who::Name(_) => Some(who),
        };
        let seen_by = |secret: &crate::ir::Secret| crate::ir::Secret {
            source: secret.source,
            viewers: renamed(&secret.viewers, acting),
        };
        known.secrets().map(seen_by).collect()
    }

    /// What decides whether an action can be played, worked out once: others may ask for it, and each other.
    pub(super) fn legality_of(&self, number: ActionId) -> Knowledge {
        let now = (number, self.playing, self.unaccounted);
        if let Some(known) = self.legal.borrow().get(&now) {
            return known.clone();
        }
        let mut known = Knowledge::public();
        let Some(action) = self.game.actions.get(number) else { return known };
        let mut scope = Scope::default();
        for line in &action.head {
            match line {
                Header::Choose(choice) => {
                    known.add(&self.number(&choice.set, &scope));
                    let name = self.member(choice.slot, &choice.set, &scope);
                    scope.bind(choice.slot, name);
                }
                Header::Let(slot, value, _) | Header::Late(slot, value, _) => {
                    let name = self.let_be(value, &scope);
                    scope.bind(*slot, name);
                }
                Header::Require(guard, _) | Header::Prefer(guard, _) => known.add(&self.value(guard, &scope)),
            }
        }
        if !action.ensure.is_empty() {
            known.add(&self.elsewhere());
        }
        action.ensure.iter().for_each(|(guard, _)| known.add(&self.value(guard, &scope)));
        self.legal.borrow_mut().insert(now, known.clone());
        known
    }

    /// Whether a statement asks anything, or may.
    pub(super) fn asks(&self, kind: &StmtKind) -> bool {
        let stmts = |block: BlockId| self.game.blocks.get(block).map_or(&[][..], |block| &block.stmts);
        let asks = |block: BlockId| stmts(block).iter().any(|stmt| self.asks(&stmt.kind));
        let known = |block: BlockId| match self.asking.get(usize::from(block)) {
            Some(cell) => *cell.get_or_init(|| asks(block)),
            None => asks(block),
        };
        kind.asks().is_some() || kind.blocks().any(known)
    }

    /// Whether the turn may pass within a statement.
    pub(super) fn turns(&self, kind: &StmtKind) -> bool {
        let stmts = |block: BlockId| self.game.blocks.get(block).map_or(&[][..], |block| &block.stmts);
        let turns = |block: BlockId| stmts(block).iter().any(|stmt| self.turns(&stmt.kind));
        let known = |block: BlockId| match self.turning.get(usize::from(block)) {
            Some(cell) => *cell.get_or_init(|| turns(block)),
            None => turns(block),
        };
        matches!(kind, StmtKind::Turns(..)) || kind.blocks().any(known)
    }
}
