//! Statements: what they let somebody find out.

use std::collections::BTreeSet;

use crate::ir::{
    BinderSet, BlockId, Channel, Expr, ExprKind, Knowledge, PieceLocation, PieceSelection, Place, RuleId, Sight, Slot,
    Source, Stmt, StmtKind, Ty, Value, Viewers, Who,
};

use super::asking::is_over;
use super::between::Between;
use super::fresh::Fresh;
use super::scope::{Name, Scope};
use super::{Analysis, WAYS};

impl Analysis<'_> {
    /// The statements of a block, with the names bound before it; and what has come to lie somewhere and is not yet seen at its
    /// end.
    pub(super) fn block(&mut self, block: BlockId, scope: &Scope) -> Fresh {
        let game = self.game;
        let Some(stmts) = game.blocks.get(block).map(|block| &block.stmts) else { return scope.fresh.clone() };
        if let Some(known) = self.table.blocks.get_mut(usize::from(block)) {
            known.add(&scope.flow);
        }
        let mut scope = scope.clone();
        scope.unsettle();
        // Where a block lays a piece open, everybody knows it once the block has run.
        for slot in scope.unknown_pieces(game) {
            if self.laid_open(block, 0, slot, &scope) == Some(None)
                && let Some(name) = scope.get(slot).cloned()
            {
                scope.bind(slot, Name { value: Knowledge::public(), ..name });
            }
        }
        let mut skipped = Fresh::default();
        for (at, stmt) in stmts.iter().enumerate() {
            self.work = self.work.saturating_sub(1 + scope.size());
            if self.work == 0 {
                break;
            }
            self.settle((block, at), &mut scope);
            if self.turns(&stmt.kind) {
                scope.pass_on();
            }
            let picks = stmt.kind.choice_or_roll().is_some();
            if picks {
                // With nothing to choose from, the rest is skipped.
                skipped.join(&scope.fresh);
                skipped.join(&self.unasked.claimed);
            }
            self.statement((block, at), stmt, &mut scope);
            scope.unsettle();
            if is_over(&stmt.kind) {
                scope.fresh = Fresh::default();
            }
            if !picks && self.asks(&stmt.kind) {
                scope.answered();
            }
            if stmt.kind.blocks().next().is_some() || !stmt.kind.offered().is_empty() {
                scope.lose(&self.disturbed(&stmt.kind, None));
                scope.cover(None);
            }
        }
        self.settle((block, stmts.len()), &mut scope);
        scope.fresh.join(&skipped);
        scope.fresh
    }

    /// A procedure, once for all that is the same where it is called. Called in many ways, it is looked at as if it were called
    /// in all of them at once, by nobody in particular: else ways would multiply with each procedure that calls another.
    fn procedure(&mut self, body: BlockId, mut scope: Scope) -> Fresh {
        let ways = self.ways.entry(body).or_default();
        if ways.count >= WAYS {
            scope = match &ways.all {
                Some(all) => all.joined(&scope),
                None => Scope::default().joined(&scope),
            };
            ways.all = Some(scope.clone());
        }
        let key = (body, scope);
        if let Some(left) = self.called.get(&key) {
            return left.clone();
        }
        self.ways.entry(body).or_default().count += 1;
        let left = self.block(body, &key.1);
        self.called.insert(key, left.clone());
        left
    }

    /// What stays where it is until a seat is asked is as good as seen.
    fn settle(&self, (block, at): (BlockId, usize), scope: &mut Scope) {
        if let Some(taken) = self.course.at(block, at).filter(|_| !scope.ahead) {
            scope.fresh.keep(taken);
        }
    }

    /// A block that is run again and again: what is not yet seen at its end is not at its beginning either. Whatever it may
    /// take away may be gone by then.
    pub(super) fn repeated(&mut self, body: BlockId, scope: &mut Scope, round: impl Fn(&mut Self, &Scope) -> Fresh) {
        if self.game.blocks.get(body).is_some_and(|block| block.stmts.iter().any(|stmt| self.asks(&stmt.kind))) {
            scope.answered();
        }
        scope.cover(None);
        loop {
            let left = round(self, scope);
            if !scope.fresh.join(&left) {
                return;
            }
        }
    }

    /// What everybody sees happen: whatever it is worked out from, and what decides that it happens.
    fn seen(&mut self, rule: RuleId, channel: Channel, known: &Knowledge, scope: &Scope) {
        self.everybody(rule, channel, &known.clone().and(&scope.flow));
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement")]
    fn statement(&mut self, (block, at): (BlockId, usize), stmt: &Stmt, scope: &mut Scope) {
        let rule = stmt.rule;
        match &stmt.kind {
            StmtKind::Let(slot, value) => {
                let mut name = self.named_be(*slot, value, scope);
                name.value.add(&scope.flow);
                name.number.add(&scope.flow);
                self.record(*slot, name, scope);
            }
            StmtKind::Pick(slot, set, by, sight) => {
                // With nothing to choose from nobody is asked.
                let asked = self.all(by.iter(), scope).and(&self.whether(set, scope));
                self.seen(rule, Channel::Question, &asked, scope);
                let who = by.as_ref().map(|by| self.who(by, scope));
                let known = self.value(set, scope).unordered();
                self.asked(rule, Channel::Choice, &known, who, scope);
                self.announced(rule, sight, scope);
                self.taint.tie(*slot, &known);
                scope.looked_at(|zone| self.is_pile(zone));
                let by = who.unwrap_or(Some(Who::Me));
                let name = self.chosen((*slot, set, sight), Some(by), (block, at + 1), &Between::default(), scope);
                self.record(*slot, name, scope);
            }
            StmtKind::Roll(slot, set, sight) => self.roll(rule, (block, at), (*slot, set, sight), scope),
            StmtKind::Put(piece, on) => {
                let owner = self.all(piece.owner.seat().into_iter(), scope);
                self.seen(rule, Channel::Places, &self.value(on, scope).and(&owner), scope);
                let kind = if let ExprKind::Const(Value::Atom(kind)) = piece.kind.kind { Some(kind) } else { None };
                let viewers = self.kind_viewers(kind, self.owner_of(&piece.owner, scope));
                self.pieces_shown((rule, block, at), piece, viewers.as_ref(), scope);
            }
            StmtKind::PutIn(piece, count, zone) => {
                let owner = self.all(piece.owner.seat().into_iter(), scope);
                let places = self.value(count, scope).and(&self.values(&zone.at, scope)).and(&owner);
                self.seen(rule, Channel::Places, &places, scope);
                let viewers = self.zone_viewers(zone, scope);
                self.pieces_shown((rule, block, at), piece, viewers.as_ref(), scope);
                self.backs(rule, &self.value(&piece.kind, scope), None, &PieceLocation::Zone(zone.clone()), scope);
                scope.cover(Some(zone.zone));
                self.mixed(zone.zone, scope);
            }
            StmtKind::PutTokens(Place { owner, .. }, count, on) => {
                let known = self.all([count, on].into_iter().chain(owner.seat()), scope);
                self.seen(rule, Channel::Places, &known, scope);
            }
            StmtKind::MoveTokens(Place { owner, .. }, count, from, to) => {
                let known = self.all([from, to].into_iter().chain(count).chain(owner.seat()), scope);
                self.seen(rule, Channel::Places, &known, scope);
            }
            StmtKind::Sow { place: Place { owner, .. }, from, along, skip, last } => {
                let known = self.all([from, along].into_iter().chain(skip).chain(owner.seat()), scope);
                self.seen(rule, Channel::Places, &known, scope);
                let name = Name { value: known.clone(), number: known, ..Name::default() };
                self.record(*last, name, scope);
            }
            StmtKind::Shuffle(zone) => {
                let mut known = self.values(&zone.at, scope);
                // Chance is asked for each piece. What all saw laid out they can count.
                if self.playing || self.unaccounted {
                    known.add(&self.counted(zone, scope, false));
                }
                self.seen(rule, Channel::Question, &known, scope);
                self.shuffled(zone.zone, scope);
                scope.cover(Some(zone.zone));
            }
            StmtKind::MovePieces { selection, from, to, under } => {
                let mut known = self.place(from, scope).and(&self.place(to, scope));
                match selection {
                    PieceSelection::Top(count) | PieceSelection::Bottom(count) => known.add(&self.value(count, scope)),
                    // It goes only if it is there.
                    PieceSelection::These(pieces) if !self.is_there(pieces, from, scope) && !self.tells(pieces) => {
                        known.add(&self.value(pieces, scope).and(&self.lying_there(from, scope)));
                    }
                    // One piece is one piece, whichever it is.
                    PieceSelection::These(pieces) if pieces.sole().unwrap_or(pieces).ty == Ty::Piece => {}
                    PieceSelection::These(pieces) => known.add(&self.number(pieces, scope)),
                    PieceSelection::All => {}
                }
                self.laid(rule, &known, from, scope);
                self.laid(rule, &known, to, scope);
                self.hauled(rule, &known, selection, (from, to), scope);
                if let PieceLocation::Zone(source) = from
                    && !matches!(selection, PieceSelection::These(pieces) if self.tells(pieces))
                {
                    self.backs(rule, &self.held(source, scope, false), Some(source.zone), to, scope);
                }
                self.compared((block, at, rule), selection, (from, to), scope);
                self.passed(rule, selection, (from, to), scope);
                self.carried(selection, (from, to), scope);
                self.moved(selection, (from, to, *under), scope);
            }
            StmtKind::Move(a, b) | StmtKind::Swap(a, b) | StmtKind::Rotate(a, b) => {
                self.seen(rule, Channel::Places, &self.all([a, b].into_iter(), scope), scope);
            }
            StmtKind::Remove(sites) => self.seen(rule, Channel::Places, &self.value(sites, scope), scope),
            StmtKind::Change(location, fields) => {
                let known = self.all(fields.iter().map(|(_, value)| value), scope);
                self.veil_fields((block, at), fields, scope);
                match location {
                    PieceLocation::Sites(sites) => {
                        let known = known.and(&self.value(sites, scope)).and(&scope.flow);
                        self.changed_there(rule, (sites, fields), &known, scope);
                    }
                    PieceLocation::Zone(zone) => {
                        let known = known.and(&self.values(&zone.at, scope)).and(&scope.flow);
                        let viewers = self.zone_viewers(zone, scope);
                        self.shown(rule, Channel::Pieces, &known, viewers.as_ref(), None, scope);
                        let info = self.game.zones.get(zone.zone);
                        self.marked(rule, &|kind| info.is_some_and(|info| info.kinds.contains(kind)), fields, scope);
                        scope.lose(&BTreeSet::from([zone.zone]));
                    }
                }
            }
            StmtKind::Assign(var, at, value) => {
                let Some(info) = self.game.vars.get(*var) else { return };
                let viewers = self.standing_viewers(&info.sight, &info.params, &self.indexed(&info.params, at, scope));
                // Whoever sees it knows what it was, but of no other seat's.
                let own = self.reads_alone(value, *var, at, scope).then_some(Source::Var(*var));
                self.shown(rule, Channel::Var(*var), &self.value(value, scope), viewers.as_ref(), own, scope);
                let known = self.values(at, scope).and(&scope.flow);
                self.shown(rule, Channel::Var(*var), &known, viewers.as_ref(), None, scope);
                self.taint.keep(&known.and(&self.value(value, scope)));
            }
            StmtKind::If(condition, yes, no) => {
                let fixed = if let ExprKind::Const(Value::Bool(holds)) = condition.kind { Some(holds) } else { None };
                let inner = scope.under(&self.value(condition, scope));
                let ways = [(Some(yes), fixed != Some(false)), (no.as_ref(), fixed != Some(true))];
                scope.fresh = Fresh::default();
                for (way, _) in ways.into_iter().filter(|(_, possible)| *possible) {
                    let left = way.map(|way| self.block(*way, &inner));
                    scope.fresh.join(left.as_ref().unwrap_or(&inner.fresh));
                }
            }
            StmtKind::For(slot, over, from, body) => {
                let taken = self.disturbed_in(*body, Some(*slot));
                let gone = self.disturbed_in(*body, None);
                self.repeated(*body, scope, |analysis, scope| {
                    let (mut name, number) = match over {
                        // One after the other, in the order that they lie in.
                        BinderSet::Members(set) => {
                            let name = analysis.member(*slot, set, scope);
                            (Name { value: analysis.value(set, scope).placed(), ..name }, analysis.number(set, scope))
                        }
                        BinderSet::PiecesAt(sites) => (analysis.standing(sites, scope), analysis.value(sites, scope)),
                    };
                    name.spot.take_if(|spot| taken.contains(&spot.zone));
                    name.blurred = true;
                    let sorted = analysis.looped(*slot, name.spot.as_ref().map(|spot| spot.zone), *body, scope);
                    let mut inner = scope.under(&number.and(&analysis.all(from.iter(), scope)).and(&sorted));
                    inner.lose(&gone);
                    name.value.add(&inner.flow);
                    analysis.record(*slot, name, &mut inner);
                    analysis.block(*body, &inner)
                });
            }
            StmtKind::While(often, body) | StmtKind::Repeat(often, body) => {
                scope.lose(&self.disturbed_in(*body, None));
                self.repeated(*body, scope, |analysis, scope| {
                    let inner = scope.under(&analysis.value(often, scope));
                    analysis.block(*body, &inner)
                });
            }
            StmtKind::Turns(from, body) => {
                self.seen(rule, Channel::Course, &self.all(from.iter(), scope), scope);
                self.turn_after_turn(*body, scope);
            }
            StmtKind::Phase(_, body) => scope.fresh = self.block(*body, scope),
            StmtKind::Call(names, body) => {
                let mut inner = scope.clone();
                for (slot, value) in names {
                    let mut name = self.named_be(*slot, value, scope);
                    name.value.add(&scope.flow);
                    self.record(*slot, name, &mut inner);
                }
                scope.fresh = self.procedure(*body, inner.within(names.iter().map(|(slot, _)| *slot)));
            }
            StmtKind::Stop => {
                self.seen(rule, Channel::Course, &Knowledge::public(), scope);
                if !scope.ahead {
                    self.unasked.stopped.join(&scope.fresh.left());
                }
            }
            StmtKind::Give(seat) => self.seen(rule, Channel::Course, &self.value(seat, scope), scope),
            StmtKind::Win(seats) | StmtKind::Lose(seats) | StmtKind::Place(seats) | StmtKind::Eliminate(seats) => {
                self.seen(rule, Channel::Result, &self.value(seats, scope), scope);
            }
            StmtKind::Draw => self.seen(rule, Channel::Result, &Knowledge::public(), scope),
            StmtKind::Rank(slot, seats, by) => {
                let name = self.member(*slot, seats, scope);
                let inner = scope.with(*slot, name.clone());
                self.seen(rule, Channel::Result, &self.value(seats, scope).and(&self.value(by, &inner)), scope);
                self.record(*slot, name, &mut inner.clone());
            }
            StmtKind::Plays { seat, groups, otherwise, may: _ } => {
                self.seen(rule, Channel::Question, &self.value(seat, scope), scope);
                self.plays(seat, groups, *otherwise, scope);
            }
            StmtKind::Together { seats, groups } => {
                self.seen(rule, Channel::Question, &self.value(seats, scope), scope);
                self.together(groups, scope);
            }
            StmtKind::Race { seats, group, until, otherwise } => {
                self.seen(rule, Channel::Question, &self.all([seats].into_iter().chain(until), scope), scope);
                self.race(group, until.is_some(), *otherwise, scope);
            }
        }
    }

    pub(super) fn all<'e>(&self, exprs: impl Iterator<Item = &'e Expr>, scope: &Scope) -> Knowledge {
        let mut known = Knowledge::public();
        exprs.for_each(|expr| known.add(&self.value(expr, scope)));
        known
    }

    /// Which pieces lie where others are moved from.
    fn lying_there(&self, location: &PieceLocation, scope: &Scope) -> Knowledge {
        match location {
            PieceLocation::Sites(sites) => self.standing(sites, scope).value,
            PieceLocation::Zone(zone) => self.held(zone, scope, false),
        }
    }

    /// Where pieces come from or go to, which everybody sees.
    fn place(&self, location: &PieceLocation, scope: &Scope) -> Knowledge {
        match location {
            PieceLocation::Sites(sites) => self.value(sites, scope),
            PieceLocation::Zone(zone) => self.values(&zone.at, scope),
        }
    }

    /// Where pieces come from or go to: on boards everybody sees that, in a zone those who see its pieces or their number.
    pub(super) fn laid(&mut self, rule: RuleId, known: &Knowledge, location: &PieceLocation, scope: &Scope) {
        let known = known.clone().and(&scope.flow);
        let counted = match location {
            PieceLocation::Sites(_) => None,
            PieceLocation::Zone(zone) => self.count_viewers(zone, scope).map(|counted| (zone, counted)),
        };
        let Some((zone, counted)) = counted else { return self.everybody(rule, Channel::Places, &known) };
        self.unaccounted |= !known.is_public();
        // That it is this list and no other shows in any of them.
        let at = self.values(&zone.at, scope);
        self.everybody(rule, Channel::Places, &at);
        for viewers in [Some(counted), self.zone_viewers(zone, scope)] {
            self.shown(rule, Channel::Places, &known, viewers.as_ref(), None, scope);
        }
    }

    /// A roll; whoever sees it may learn something of what is rolled from.
    fn roll(&mut self, rule: RuleId, at: (BlockId, usize), roll: (Slot, &Expr, &Sight), scope: &mut Scope) {
        let (slot, set, sight) = roll;
        self.seen(rule, Channel::Question, &self.whether(set, scope), scope);
        self.announced(rule, sight, scope);
        self.taint.tie(slot, &self.value(set, scope).unordered());
        let viewers = self.viewers(sight, scope);
        scope.answered();
        // Of a single piece nothing is asked and nobody is told: it has to stay where it is seen.
        let mut name = self.chosen((slot, set, sight), None, (at.0, at.1 + 1), &Between::default(), scope);
        let to = self.laid_open(at.0, at.1 + 1, slot, &scope.with(slot, name.clone()));
        if *set.ty.element() == Ty::Piece {
            // Drawn unseen: who sees where it goes sees what was drawn, and nobody else is told.
            match to {
                Some(Some(viewers)) => name.value = Knowledge::of(Source::Choice(slot), viewers),
                Some(None) => {}
                // Where nothing is hidden, nothing is kept from anybody.
                None if self.game.has_perfect_information() => {}
                None => name.value.add(&Knowledge::of(Source::Choice(slot), Viewers::Nobody)),
            }
        } else {
            let known = self.value(set, scope);
            self.shown(rule, Channel::Roll, &known, viewers.as_ref(), None, scope);
        }
        self.record(slot, name, scope);
    }
}
