//! What may be taken away from where it lies before a seat is asked again: an analysis backwards over all statements.
//!
//! Seats see the table when one of them is asked. A piece that lies open at some point of the rules is seen for certain if on no
//! way from there to the next question anything is taken from where it lies.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    ActionRef, BinderSet, BlockId, Expr, ExprKind, Game, Header, Id, PieceLocation, PieceSelection, Sight, Slot, Stmt,
    StmtKind, Ty, Value, Zone, ZoneForm, ZoneId, ZoneRef,
};

use super::asking::{decides, eliminates, is_over};

/// Places that pieces are taken from: zones, whichever of their lists, and the boards.
pub(super) type Taken = BTreeSet<Option<ZoneId>>;

/// Stands for whatever may be taken after the procedure that a point belongs to.
const RETURNS: Option<ZoneId> = Some(ZoneId::NOTHING);

/// For each block, what may be taken before the next question: from before each statement on, and from its end on.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    points: Vec<Vec<Taken>>,
    /// What each procedure may take, wherever it is called, once that is worked out.
    called: Option<Vec<Taken>>,
    /// Where control may come to when the innermost turns are left.
    stopped: Taken,
    /// Whether anything was added in this round.
    changed: bool,
    /// How many statements were looked at.
    pub(super) steps: u64,
    /// Whether chance draws pieces.
    pub(super) draws: bool,
}

/// No more statements than these are looked at: rules that people write take some thousands.
pub(super) const STEPS: u64 = 160_000;

impl Course {
    /// Where everything is seen, nothing needs to be known. With `mingles`, pieces that come among others in no order count as if they
    /// took those away: it is not known any more which are which.
    pub(super) fn of(game: &Game, mingles: bool) -> Self {
        if game.has_perfect_information() {
            return Self::default();
        }
        let inside = Self::worked_out(game, mingles, None);
        let called = inside.points.into_iter().map(|points| points.into_iter().next().unwrap_or_default()).collect();
        let course = Self::worked_out(game, mingles, Some(called));
        Self { steps: course.steps + inside.steps, draws: draws(game), ..course }
    }

    fn worked_out(game: &Game, mingles: bool, called: Option<Vec<Taken>>) -> Self {
        let points = game.blocks.iter().map(|block| vec![Taken::new(); block.stmts.len() + 1]).collect();
        let mut course = Self { points, called, stopped: Taken::new(), changed: true, steps: 0, draws: false };
        let facts = Facts { mingles, ..Facts::of(game) };
        // Procedures come before or behind those that call them: there and back, since chains of them may be long.
        let back: Vec<BlockId> = game.blocks.ids().rev().collect();
        let there: Vec<BlockId> = game.blocks.ids().collect();
        let mut sweeps = [back, there].into_iter().cycle();
        while course.changed && course.steps < STEPS {
            course.changed = false;
            let play = course.entry(game.play);
            course.leaves(game.setup, &play);
            for block in sweeps.next().unwrap_or_default() {
                let stmts = game.blocks.get(block).map_or(&[][..], |block| &block.stmts);
                course.steps += 1 + stmts.len() as u64;
                let mut after = course.exit(block);
                for (at, stmt) in stmts.iter().enumerate().rev() {
                    after = course.before(&facts, block, stmt, after);
                    course.add(block, at, &after);
                }
            }
        }
        course
    }

    /// A procedure, and what follows where it is called here.
    fn procedure(&mut self, block: BlockId, after: Taken) -> Taken {
        let Some(called) = &self.called else {
            self.leaves(block, &Taken::from([RETURNS]));
            return returned(self.entry(block), after);
        };
        let taken = called.get(usize::from(block)).cloned().unwrap_or_default();
        self.leaves(block, &after);
        returned(taken, after)
    }

    /// What may be taken from a point on.
    pub(super) fn at(&self, block: BlockId, at: usize) -> Option<&Taken> {
        self.points.get(usize::from(block))?.get(at)
    }

    fn entry(&self, block: BlockId) -> Taken {
        self.at(block, 0).cloned().unwrap_or_default()
    }

    fn exit(&self, block: BlockId) -> Taken {
        self.points.get(usize::from(block)).and_then(|points| points.last()).cloned().unwrap_or_default()
    }

    fn add(&mut self, block: BlockId, at: usize, taken: &Taken) {
        if let Some(point) = self.points.get_mut(usize::from(block)).and_then(|points| points.get_mut(at)) {
            let before = point.len();
            point.extend(taken);
            self.changed |= point.len() > before;
        }
    }

    /// After the end of this block, this may be taken.
    fn leaves(&mut self, block: BlockId, after: &Taken) {
        let end = self.points.get(usize::from(block)).map(|points| points.len() - 1);
        if let Some(end) = end {
            self.add(block, end, after);
        }
    }

    /// A block that is run before this: what may be taken from its beginning on.
    fn run(&mut self, block: BlockId, after: &Taken) -> Taken {
        self.leaves(block, after);
        self.entry(block)
    }

    /// The actions offered, then the ends: no question may come between them and what follows.
    fn played(&mut self, game: &Game, groups: &[Vec<ActionRef>], after: &Taken) -> Taken {
        let after = self.ended(game, after);
        let mut taken = Taken::new();
        for action in groups.iter().flatten() {
            if let ActionRef::Action(action) | ActionRef::Race(action) = action
                && let Some(action) = game.actions.get(*action)
            {
                taken.extend(self.run(action.body, &after));
            }
        }
        taken
    }

    /// The ends one after the other: one that does not decide the game is carried out, and the next is tested.
    fn ended(&mut self, game: &Game, after: &Taken) -> Taken {
        let mut taken = after.clone();
        for end in game.ends.iter().rev() {
            let on = if decides(game, end.body) { Taken::new() } else { taken.clone() };
            taken.extend(self.run(end.body, &on));
        }
        taken
    }

    /// A claim, or an offer that is accepted, after which this comes and no seat is asked again.
    fn claimed(&mut self, game: &Game, after: &Taken) {
        let claims = game.claims.iter().map(|claim| claim.action.body);
        let bodies: Vec<BlockId> = claims.chain(game.offers.iter().map(|offer| offer.body)).collect();
        if !bodies.is_empty() {
            let after = self.ended(game, after);
            for body in bodies {
                self.leaves(body, &after);
            }
        }
    }

    fn before(&mut self, facts: &Facts<'_>, block: BlockId, stmt: &Stmt, after: Taken) -> Taken {
        let game = facts.game;
        // Nothing comes after the game.
        if is_over(&stmt.kind) {
            return Taken::new();
        }
        let mut taken = after.clone();
        match &stmt.kind {
            // With nothing to choose from nobody is asked, and the rest of the block is skipped.
            StmtKind::Pick(..) => {
                let skipped = self.exit(block);
                self.claimed(game, &skipped);
                return skipped;
            }
            StmtKind::Roll(..) => taken.extend(self.exit(block)),
            StmtKind::MovePieces { selection, from, to, under: _ } => {
                let known = matches!(selection, PieceSelection::These(pieces)
                    if pieces.sole().unwrap_or(pieces).as_slot().is_some_and(|slot| facts.knows(slot, from)));
                if !known {
                    taken.insert(place(from));
                }
                taken.extend(facts.covered(to));
            }
            StmtKind::PutIn(_, _, zone) => taken.extend(facts.buried(zone)),
            // What lay on top, or where, does so no more.
            StmtKind::Shuffle(zone) => {
                taken.insert(Some(zone.zone));
            }
            StmtKind::Put(..) | StmtKind::Move(..) | StmtKind::Remove(_) => {
                taken.insert(None);
            }
            StmtKind::Change(location, _) => {
                taken.insert(place(location));
            }
            StmtKind::If(condition, yes, no) => {
                taken = Taken::new();
                let fixed = if let ExprKind::Const(Value::Bool(holds)) = condition.kind { Some(holds) } else { None };
                if fixed != Some(false) {
                    taken.extend(self.run(*yes, &after));
                }
                match no {
                    Some(no) if fixed != Some(true) => taken.extend(self.run(*no, &after)),
                    None if fixed != Some(true) => taken.extend(after),
                    Some(_) | None => {}
                }
            }
            StmtKind::For(.., body) | StmtKind::While(_, body) | StmtKind::Repeat(_, body) => {
                let first = self.entry(*body);
                taken.extend(first.iter().copied());
                self.leaves(*body, &taken);
                if facts.runs(&stmt.kind) {
                    return first;
                }
            }
            StmtKind::Turns(_, body) => {
                self.changed |= !after.is_subset(&self.stopped);
                self.stopped.extend(after);
                taken.extend(self.entry(*body));
                taken = self.ended(game, &taken);
                self.leaves(*body, &taken);
            }
            StmtKind::Phase(_, body) => return self.run(*body, &after),
            StmtKind::Call(_, body) => return self.procedure(*body, after),
            // In a procedure, it is not known which turns are left.
            StmtKind::Stop if self.called.is_none() => taken.extend(game.zones.ids().map(Some).chain([None])),
            StmtKind::Stop => taken.extend(self.stopped.clone()),
            // If the seat has no legal move and there is no `else`, the game is over. Who is out of the game is not asked.
            StmtKind::Plays { groups, otherwise, .. } => {
                self.played(game, groups, &after);
                let mut taken = otherwise.map_or_else(Taken::new, |block| self.run(block, &after));
                taken.extend(after.into_iter().filter(|_| facts.eliminates));
                self.claimed(game, &taken);
                return taken;
            }
            StmtKind::Together { groups, .. } => {
                // One after the other, once all have chosen.
                let mut following = self.played(game, groups, &after);
                self.played(game, groups, &following);
                following.extend(after);
                self.claimed(game, &following);
            }
            // With a deadline there is always a question, if only whether anybody acts.
            StmtKind::Race { group, until, otherwise, .. } => {
                self.played(game, std::slice::from_ref(group), &after);
                let other = otherwise.map_or_else(Taken::new, |block| self.run(block, &after));
                if until.is_some() {
                    return Taken::new();
                }
                self.claimed(game, &other);
                return other;
            }
            StmtKind::Let(..)
            | StmtKind::PutTokens(..)
            | StmtKind::MoveTokens(..)
            | StmtKind::Sow { .. }
            | StmtKind::Swap(..)
            | StmtKind::Rotate(..)
            | StmtKind::Assign(..)
            | StmtKind::Give(_)
            | StmtKind::Win(_)
            | StmtKind::Lose(_)
            | StmtKind::Draw
            | StmtKind::Rank(..)
            | StmtKind::Place(_)
            | StmtKind::Eliminate(_) => {}
        }
        taken
    }
}

/// The zone, or the boards.
pub(super) fn place(location: &PieceLocation) -> Option<ZoneId> {
    match location {
        PieceLocation::Sites(_) => None,
        PieceLocation::Zone(zone) => Some(zone.zone),
    }
}

/// Whether chance draws pieces.
fn draws(game: &Game) -> bool {
    let mut stmts = game.blocks.iter().flat_map(|block| &block.stmts);
    stmts.any(|stmt| matches!(&stmt.kind, StmtKind::Roll(_, set, _) if *set.ty.element() == Ty::Piece))
}

/// The end of a procedure is where it was called.
fn returned(mut taken: Taken, after: Taken) -> Taken {
    if taken.remove(&RETURNS) {
        taken.extend(after);
    }
    taken
}

/// How a piece was chosen.
#[derive(Clone, Copy)]
struct Chosen {
    /// The zone that it was chosen from, if it is named.
    from: Option<ZoneId>,
    /// Whether everybody is told which one it is, wherever it passes.
    announced: bool,
}

impl Chosen {
    fn of(set: &Expr, sight: &Sight, own: bool) -> Self {
        let mut among = set;
        while let ExprKind::Filter(_, inner, _) = &among.kind {
            among = inner;
        }
        let from = if let ExprKind::Zone(zone) = &among.kind { Some(zone.zone) } else { None };
        Self { from, announced: own && matches!(sight, Sight::All) }
    }
}

/// What is the same at all points.
struct Facts<'g> {
    game: &'g Game,
    /// The names of pieces that a seat chose. Such a piece was seen where it lay when it was chosen: if it is taken from there,
    /// what came since is still seen.
    chosen: BTreeMap<Slot, Chosen>,
    /// Whether seats may go out of the game.
    eliminates: bool,
    /// Whether it has to be known which pieces are which, where they lie in no order.
    mingles: bool,
}

impl<'g> Facts<'g> {
    /// What pieces that come here hide or replace.
    fn covered(&self, to: &PieceLocation) -> Option<Option<ZoneId>> {
        match to {
            PieceLocation::Sites(_) => Some(None),
            PieceLocation::Zone(zone) => self.buried(zone),
        }
    }

    fn buried(&self, zone: &ZoneRef) -> Option<Option<ZoneId>> {
        let hides = |info: &&Zone| {
            // Where pieces are not counted, others that come hide how many there were.
            info.form == ZoneForm::Pile
                || !matches!(info.number_sight, Sight::All)
                || self.mingles && (info.form == ZoneForm::Set || !matches!(info.order_sight, Sight::All))
        };
        self.game.zones.get(zone.zone).filter(hides).map(|_| Some(zone.zone))
    }

    /// Whether nothing that came to a place since is hidden by taking a named piece from there.
    fn knows(&self, slot: Slot, from: &PieceLocation) -> bool {
        let chosen = self.chosen.get(&slot);
        chosen.is_some_and(|chosen| chosen.announced || chosen.from.is_some() && chosen.from == place(from))
    }

    /// Whether a block that is run again and again is surely run once. Seats that are out of the game are passed over.
    fn runs(&self, kind: &StmtKind) -> bool {
        if let StmtKind::Repeat(count, _) = kind {
            return matches!(count.kind, ExprKind::Const(Value::Int(1..)));
        }
        let StmtKind::For(_, BinderSet::Members(set), ..) = kind else { return false };
        let number =
            |expr: &Expr| if let ExprKind::Const(Value::Int(number)) = expr.kind { Some(number) } else { None };
        if let ExprKind::Range(from, to) = &set.kind {
            return number(from).zip(number(to)).is_some_and(|(from, to)| from <= to);
        }
        if let ExprKind::List(members) = &set.kind {
            return !members.is_empty() && !self.eliminates;
        }
        matches!(&set.kind, ExprKind::Const(members) if members.size() > 0) && !self.eliminates
    }

    fn of(game: &'g Game) -> Self {
        let actions = game.actions.iter().chain(game.claims.iter().map(|claim| &claim.action));
        let heads = actions.flat_map(|action| &action.head);
        let heads = heads.filter_map(|line| {
            let Header::Choose(choice) = line else { return None };
            Some((choice.slot, Chosen::of(&choice.set, &choice.sight, true)))
        });
        let stmts = || game.blocks.iter().flat_map(|block| &block.stmts).map(|stmt| &stmt.kind);
        let picks = stmts().filter_map(|kind| {
            let StmtKind::Pick(slot, set, seat, sight) = kind else { return None };
            // What another seat picks is not announced with the move.
            let own = seat.as_ref().is_none_or(|seat| matches!(seat.kind, ExprKind::Me));
            Some((*slot, Chosen::of(set, sight, own)))
        });
        let piece = |(slot, _): &(Slot, Chosen)| game.slots.get(*slot).is_some_and(|info| info.ty == Ty::Piece);
        Self { game, chosen: heads.chain(picks).filter(piece).collect(), eliminates: eliminates(game), mingles: false }
    }
}
