//! Evaluation of expressions.

use std::borrow::Cow;
use std::cell::RefCell;

use smallvec::SmallVec;

use crate::base::{Bits, SaturatingFrom, get_or_default};
use crate::ir::{
    Attribute, Binder, BinderSet, Expr, ExprKind, Field, Fold, Game, Owner, Piece, RuleId, SeatId, SetOp, Slot,
    TokenId, Value, VarId,
};
use crate::model::{Frame, Position};

use super::Walker;
use super::clock::Clock;
use super::query::Distances;
use super::relaxed::Relaxed;
use super::sets::{Owners, among, combine, gather, is_empty_set, number_to_value, set_of, weight};
use super::sighting::Trace;

/// The maximum size of a set of numbers, and the maximum number of ways or moves listed at once. Exceeding it
/// exhausts the budget.
pub(super) const MEMBERS: u64 = 100_000;

/// The maximum number of parameters of the moves listed at once, all together. Exceeding it exhausts the budget.
pub(super) const PARAMETERS: usize = 500_000;

/// How many sites are looked at, copied or changed in one step.
pub(super) const SITES_A_STEP: u64 = 8;

/// How many steps it takes to add a piece to a zone, where it stays.
pub(super) const STEPS_A_PIECE: u64 = 16;

/// What an evaluation has met with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Met {
    /// Whether an unbound local name was read.
    pub(super) unbound: bool,
    /// Whether something was told.
    pub(super) told: bool,
}

/// Evaluates expressions in one position. Local names live in `frame`; steps are counted.
#[derive(Debug)]
pub(crate) struct Eval<'a> {
    pub(super) walker: &'a Walker,
    pub(super) game: &'a Game,
    pub(super) pos: &'a Position,
    /// The values of local names: borrowed from the position until one is bound.
    pub(super) frame: Cow<'a, [Value]>,
    /// How many steps are left; at 0 the budget is exhausted, and values are meaningless.
    pub(super) steps: u64,
    /// The sites of pieces that are off the board while their paths are followed: a path may ask for another one.
    pub(super) lifted: SmallVec<[usize; 2]>,
    /// Whether the path being followed takes sites.
    pub(super) takes: bool,
    /// The site of the piece that walks, if it is not where its path begins.
    pub(super) held: Option<usize>,
    /// What is left out, to find out what forbids a move.
    pub(super) relaxed: Relaxed,
    /// The acting seat, if evaluation is for another seat than the position's.
    pub(super) acting: Option<SeatId>,
    /// The time on the logical clock, if evaluation is for a later moment.
    pub(super) moment: Option<i64>,
    /// Whether the program is running ahead to the next question; every position then counts as new.
    pub(super) ahead: bool,
    /// The statement that is evaluated: how high the control stack is below its frame, and the frame that begins it.
    pub(super) begun: Option<&'a (usize, Frame)>,
    /// The key of the position at the next question, once known, and whether it has been counted.
    pub(super) stood: Option<(u64, bool)>,
    /// The rules used, if they are recorded.
    pub(super) trace: Option<Trace>,
    /// What was met with on the way.
    pub(super) met: Met,
    /// How long what was evaluated stays as it is.
    pub(super) clock: Clock,
    /// Distances that are kept, where many are asked for.
    pub(super) distances: Option<&'a RefCell<Distances>>,
}

impl<'a> Eval<'a> {
    pub(super) fn new(walker: &'a Walker, pos: &'a Position, steps: u64) -> Self {
        let slots = walker.game.slots.len();
        let frame = if pos.locals.len() == slots {
            Cow::Borrowed(pos.locals.as_slice())
        } else {
            let mut frame = pos.locals.clone();
            frame.resize(slots, Value::Unset);
            Cow::Owned(frame)
        };
        Self::with_frame(walker, pos, frame, steps)
    }

    pub(super) fn with_frame(walker: &'a Walker, pos: &'a Position, frame: Cow<'a, [Value]>, steps: u64) -> Self {
        Self {
            walker,
            game: &walker.game,
            pos,
            frame,
            steps,
            lifted: SmallVec::new(),
            takes: false,
            held: None,
            relaxed: Relaxed::default(),
            acting: None,
            moment: None,
            ahead: false,
            begun: None,
            stood: None,
            trace: None,
            met: Met::default(),
            clock: Clock::default(),
            distances: None,
        }
    }

    /// Whether the budget is exhausted.
    pub(super) fn spent(&self) -> bool {
        self.steps == 0
    }

    /// Counts steps; false once the budget is exhausted.
    pub(super) fn tick(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// Records a rule that was used.
    pub(super) fn note(&mut self, rule: RuleId) {
        if let Some(trace) = &mut self.trace {
            trace.note(rule);
        }
    }

    pub(super) fn bind(&mut self, slot: Slot, value: Value) {
        self.clock.forget(slot);
        if let Some(place) = self.frame.to_mut().get_mut(usize::from(slot)) {
            *place = value;
        }
    }

    /// The acting seat.
    pub(super) fn me(&self) -> SeatId {
        self.acting.unwrap_or_else(|| self.pos.acting())
    }

    /// The time at which expressions are evaluated.
    pub(super) fn now(&self) -> i64 {
        self.moment.unwrap_or(self.pos.now)
    }

    /// The piece on a site; none on the site a path has lifted its piece from.
    pub(super) fn piece(&self, site: usize) -> Option<&'a Piece> {
        if self.lifted.contains(&site) {
            return None;
        }
        self.pos.sites.get(site)?.as_ref()
    }

    /// Whether a site holds neither a piece nor tokens.
    pub(super) fn is_empty(&self, site: usize) -> bool {
        self.piece(site).is_none() && self.pos.tokens.iter().all(|pool| pool.get(site).is_none_or(|&n| n == 0))
    }

    fn sites(&self) -> usize {
        self.game.topology.sites.len()
    }

    /// Counts what a look at every site of the boards costs.
    pub(super) fn scan(&mut self) {
        self.tick(self.sites() as u64 / SITES_A_STEP);
    }

    pub(super) fn eval(&mut self, expr: &Expr) -> Value {
        let value = self.found(expr);
        let size = weight(&value);
        if size > 0 {
            self.tick(size);
        }
        value
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of expression")]
    fn found(&mut self, expr: &Expr) -> Value {
        if !self.tick(1) {
            return Value::Unset;
        }
        match &expr.kind {
            ExprKind::Const(value) => value.clone(),
            ExprKind::Slot(slot) => {
                let value = self.frame.get(usize::from(*slot)).cloned().unwrap_or_default();
                self.met.unbound |= value == Value::Unset;
                if self.clock.rate(*slot) != 0 {
                    self.changes_at_once();
                }
                value
            }
            ExprKind::Var(var, indices) => {
                let index = self.var_index(*var, indices);
                self.pos.vars.get(usize::from(*var)).and_then(|v| v.get(index)).cloned().unwrap_or_default()
            }
            ExprKind::Mover => Value::Atom(u32::from(self.pos.mover)),
            ExprKind::Me => Value::Atom(u32::from(self.me())),
            ExprKind::Ply => Value::Int(i64::from(self.pos.ply)),
            ExprKind::Turn => Value::Int(i64::from(self.pos.turn)),
            ExprKind::Now => {
                self.changes_at_once();
                Value::Int(self.now())
            }
            ExprKind::Playing => Value::Set(self.pos.playing()),
            ExprKind::Occurrences => Value::Int(self.occurrences()),
            ExprKind::OccurrencesOf(part) => Value::Int(self.occurrences_of(*part)),
            ExprKind::InPhase(phase) => Value::Bool(self.pos.phase == Some(*phase)),
            ExprKind::Empty => {
                self.scan();
                Value::Set((0..self.sites()).filter(|&site| self.is_empty(site)).collect())
            }
            ExprKind::Occupied => {
                self.scan();
                Value::Set((0..self.sites()).filter(|&site| !self.is_empty(site)).collect())
            }
            ExprKind::Pieces(owner, kinds) => {
                let (owners, kinds) = (self.owners(owner), self.eval(kinds).into_set());
                self.scan();
                let fits = |piece: &Piece| kinds.contains(usize::from(piece.kind)) && owners.fits(piece.owner);
                Value::Set((0..self.sites()).filter(|&site| self.piece(site).is_some_and(fits)).collect())
            }
            ExprKind::Zone(zone) => self.zone(zone),
            ExprKind::TopOf(list) => {
                let top = if let Value::Pieces(mut pieces) = self.eval(list) { pieces.pop() } else { None };
                Value::Pieces(top.into_iter().collect())
            }
            ExprKind::TokensAt(tokens, owner, at) => {
                let pools = self.pools(*tokens, owner);
                let sites = self.eval(at).into_set();
                self.tick((sites.count() * pools.len()) as u64 / SITES_A_STEP);
                let lie = |pool: &usize| {
                    let pool = &self.pos.tokens[*pool];
                    sites.iter().map(|site| i64::from(get_or_default(pool, site))).sum::<i64>()
                };
                Value::Int(pools.iter().map(lie).sum())
            }
            ExprKind::TokenSites(tokens, owner) => {
                let pools = self.pools(*tokens, owner);
                self.scan();
                let lies = |site: &usize| pools.iter().any(|&p| self.pos.tokens[p].get(*site).is_some_and(|&n| n > 0));
                Value::Set((0..self.sites()).filter(lies).collect())
            }
            ExprKind::Not(inner) => Value::Bool(!self.truth(inner)),
            ExprKind::IsEmpty(set) => {
                let value = self.eval(set);
                Value::Bool(is_empty_set(&value))
            }
            ExprKind::Neg(inner) => Value::Int(self.eval(inner).int().saturating_neg()),
            ExprKind::And(a, b) => Value::Bool(self.truth(a) && self.truth(b)),
            ExprKind::Or(a, b) => Value::Bool(self.truth(a) || self.truth(b)),
            ExprKind::Same(a, b) => {
                let (a, b) = self.both_timed(a, b);
                // The empty set of numbers and that of atoms are equal.
                Value::Bool(a == b || (is_empty_set(&a) && is_empty_set(&b)))
            }
            ExprKind::Compare(order, a, b) => {
                let (a, b) = self.both_timed(a, b);
                Value::Bool(order.holds(a.int(), b.int()))
            }
            ExprKind::Calc(op, a, b) => {
                let (a, b) = (self.eval(a).int(), self.eval(b).int());
                Value::Int(op.of(a, b))
            }
            ExprKind::Member(member, set) => {
                let member = self.looked_up(member, set);
                Value::Bool(self.has(set, &member))
            }
            ExprKind::Within(a, b) => {
                let (a, b) = self.both(a, b);
                Value::Bool(match (a, b) {
                    (Value::Set(a), Value::Set(b)) => a.within(&b),
                    (a, b) => a.members().iter().all(among(&b.members())),
                })
            }
            ExprKind::Meets(a, b) => {
                let (a, b) = self.both(a, b);
                Value::Bool(match (a, b) {
                    (Value::Set(a), Value::Set(b)) => a.meets(&b),
                    (a, b) => a.members().iter().any(among(&b.members())),
                })
            }
            ExprKind::Set(op, a, b) => {
                let (a, b) = self.both(a, b);
                let set = combine(*op, a, b);
                if let Value::Ints(numbers) = &set {
                    // Charged as many steps as members: a set that keeps growing exhausts the budget.
                    let size = numbers.len() as u64;
                    if size > MEMBERS || !self.tick(size) {
                        self.steps = 0;
                    }
                }
                set
            }
            ExprKind::List(members) => {
                let values: Vec<Value> = members.iter().map(|member| self.eval(member)).collect();
                // A set among them is copied once more.
                let sets = values.iter().filter(|value| matches!(value, Value::Set(_))).count();
                self.tick(sets as u64);
                set_of(expr.ty.element(), values)
            }
            ExprKind::Range(a, b) => {
                let (a, b) = (self.eval(a).int(), self.eval(b).int());
                let size = u64::saturating_from(b.saturating_sub(a).saturating_add(1));
                if size <= MEMBERS && self.tick(size) {
                    return Value::Ints((a..=b).collect());
                }
                self.steps = 0;
                Value::Ints(Vec::new())
            }
            ExprKind::If(condition, a, b) => {
                if self.truth(condition) {
                    self.eval(a)
                } else {
                    self.eval(b)
                }
            }
            ExprKind::Quantified { all, binders, filter, body } => {
                let mut verdict = *all;
                self.each(binders, filter.as_deref(), &mut |eval| {
                    let holds = eval.truth(body);
                    if holds != *all {
                        verdict = holds;
                    }
                    holds == *all
                });
                Value::Bool(verdict)
            }
            ExprKind::Aggregate { fold, body, binders, filter } => {
                self.aggregate(*fold, body, binders, filter.as_deref())
            }
            ExprKind::Top(slot, set, by) => {
                let mut best: Option<i64> = None;
                let mut kept = Vec::new();
                for member in self.eval(set).members() {
                    self.bind(*slot, member.clone());
                    let worth = self.eval(by).int();
                    if best.is_none_or(|b| worth > b) {
                        best = Some(worth);
                        kept.clear();
                    }
                    if best == Some(worth) {
                        kept.push(member);
                    }
                }
                gather(kept)
            }
            ExprKind::Filter(slot, set, condition) => {
                let mut kept = Vec::new();
                for member in self.eval(set).members() {
                    self.bind(*slot, member.clone());
                    if self.truth(condition) {
                        kept.push(member);
                    }
                }
                gather(kept)
            }
            ExprKind::After(slot, body) => self.after(*slot, body),
            ExprKind::Attr(attribute, of) => {
                let value = self.eval(of);
                self.attribute(attribute, &value)
            }
            ExprKind::Lookup(table, args) => {
                let Some(lookup) = self.game.lookups.get(*table) else {
                    return Value::Unset;
                };
                let mut index = 0;
                for (arg, size) in args.iter().zip(&lookup.sizes) {
                    index = index * size + self.eval(arg).atom();
                }
                for rule in lookup.rule.iter().chain(lookup.rows.get(index).into_iter().flatten()) {
                    self.note(*rule);
                }
                lookup.values.get(index).cloned().unwrap_or_default()
            }
            ExprKind::Call(function, args) => {
                let Some(def) = self.enter_function(*function, args) else { return Value::Unset };
                self.eval(&def.body)
            }
            ExprKind::Path(path, from, args) => {
                let from = self.eval(from).into_set();
                let args: Vec<Value> = args.iter().map(|arg| self.eval(arg)).collect();
                self.path(*path, &from, &args)
            }
            ExprKind::Builtin(function, args) => self.builtin(*function, args),
            ExprKind::MovesOf(action) => {
                self.changes_at_once();
                Value::Moves(self.moves_of(*action))
            }
            ExprKind::CanPlay(seat, actions) => {
                let seat = self.eval(seat).atom();
                Value::Bool(self.pos.plays(seat) && self.could_play(SeatId::new(seat), actions))
            }
        }
    }

    /// Two values that are searched for each other's members: that costs a step for each, where they are no bits.
    fn both(&mut self, a: &Expr, b: &Expr) -> (Value, Value) {
        let (a, b) = (self.eval(a), self.eval(b));
        if !matches!((&a, &b), (Value::Set(_), Value::Set(_))) {
            self.tick((a.size() + b.size()) as u64);
        }
        (a, b)
    }

    pub(super) fn truth(&mut self, expr: &Expr) -> bool {
        self.eval(expr).truth()
    }

    /// Whether a value is in the set an expression denotes; sets of sites are not built for that.
    pub(super) fn has(&mut self, set: &Expr, member: &Value) -> bool {
        if !self.tick(1) {
            return false;
        }
        let site = member.atom();
        match &set.kind {
            ExprKind::Const(Value::Set(bits)) => bits.contains(site),
            ExprKind::Empty => self.is_empty(site),
            ExprKind::Occupied => !self.is_empty(site),
            ExprKind::Pieces(owner, kinds) => {
                let Some(piece) = self.piece(site) else {
                    return false;
                };
                self.owners(owner).fits(piece.owner) && self.has(kinds, &Value::Atom(u32::from(piece.kind)))
            }
            ExprKind::Set(SetOp::Union, a, b) => self.has(a, member) || self.has(b, member),
            ExprKind::Set(SetOp::Intersect, a, b) => self.has(a, member) && self.has(b, member),
            ExprKind::Set(SetOp::Minus, a, b) => self.has(a, member) && !self.has(b, member),
            ExprKind::If(condition, a, b) => {
                if self.truth(condition) {
                    self.has(a, member)
                } else {
                    self.has(b, member)
                }
            }
            ExprKind::Range(a, b) => {
                let (a, b, n) = (self.eval(a).int(), self.eval(b).int(), member.int());
                a <= n && n <= b
            }
            ExprKind::Const(_)
            | ExprKind::Slot(_)
            | ExprKind::Var(..)
            | ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Playing
            | ExprKind::Occurrences
            | ExprKind::OccurrencesOf(_)
            | ExprKind::InPhase(_)
            | ExprKind::Zone(_)
            | ExprKind::TopOf(_)
            | ExprKind::TokensAt(..)
            | ExprKind::TokenSites(..)
            | ExprKind::Not(_)
            | ExprKind::IsEmpty(_)
            | ExprKind::Neg(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Same(..)
            | ExprKind::Compare(..)
            | ExprKind::Calc(..)
            | ExprKind::Member(..)
            | ExprKind::Within(..)
            | ExprKind::Meets(..)
            | ExprKind::List(_)
            | ExprKind::Quantified { .. }
            | ExprKind::Aggregate { .. }
            | ExprKind::Top(..)
            | ExprKind::Filter(..)
            | ExprKind::After(..)
            | ExprKind::Attr(..)
            | ExprKind::Lookup(..)
            | ExprKind::Call(..)
            | ExprKind::Path(..)
            | ExprKind::Builtin(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..) => {
                let set = self.eval(set);
                if let Value::Set(bits) = set { bits.contains(site) } else { set.members().contains(member) }
            }
        }
    }

    /// The index of an indexed variable's value.
    pub(super) fn var_index(&mut self, var: VarId, indices: &[Expr]) -> usize {
        let Some(info) = self.game.vars.get(var) else {
            return 0;
        };
        let mut index = 0;
        for (expr, (_, size)) in indices.iter().zip(&info.indices) {
            index = index * size + self.eval(expr).atom();
        }
        index
    }

    /// Runs `each` for every combination of bound values that passes the filter, until it returns false.
    pub(super) fn each(
        &mut self,
        binders: &[Binder],
        filter: Option<&Expr>,
        each: &mut dyn FnMut(&mut Self) -> bool,
    ) -> bool {
        let Some((binder, rest)) = binders.split_first() else {
            return filter.is_some_and(|f| !self.truth(f)) || each(self);
        };
        let mut bound = |eval: &mut Self, member: Value| {
            eval.tick(1) && {
                eval.bind(binder.slot, member);
                eval.each(rest, filter, each)
            }
        };
        // One after the other: often the first ones decide.
        match &binder.over {
            BinderSet::Members(set) => {
                let set = self.eval(set);
                if let Value::Set(bits) = set {
                    bits.iter().all(|member| bound(self, Value::atom_of(member)))
                } else {
                    set.members().into_iter().all(|member| bound(self, member))
                }
            }
            BinderSet::PiecesAt(at) => {
                let sites = self.looked_at(at);
                sites.iter().all(|site| {
                    let piece = self.piece(site).cloned();
                    piece.is_none_or(|piece| bound(self, Value::Piece(piece)))
                })
            }
        }
    }

    /// The sites on which pieces are looked for, which costs steps also where there are none.
    fn looked_at(&mut self, at: &Expr) -> Bits {
        let sites = self.eval(at).into_set();
        self.tick(sites.count() as u64 / SITES_A_STEP);
        sites
    }

    /// The values a binder ranges over.
    pub(super) fn bound(&mut self, over: &BinderSet) -> Vec<Value> {
        match over {
            BinderSet::Members(set) => self.eval(set).members(),
            BinderSet::PiecesAt(at) => {
                let sites = self.looked_at(at);
                sites.iter().filter_map(|site| self.piece(site).cloned()).map(Value::Piece).collect()
            }
        }
    }

    fn aggregate(&mut self, fold: Fold, body: &Expr, binders: &[Binder], filter: Option<&Expr>) -> Value {
        match fold {
            Fold::Union => {
                let mut all = Value::Unset;
                self.each(binders, filter, &mut |eval| {
                    let more = eval.eval(body);
                    let so_far = std::mem::take(&mut all);
                    // Numbers and ways are sorted again each time.
                    let sorted = matches!(so_far, Value::Ints(_) | Value::Ways(_));
                    let fits = !sorted || eval.tick(weight(&so_far));
                    all = if so_far == Value::Unset { more } else { combine(SetOp::Union, so_far, more) };
                    fits
                });
                if all == Value::Unset { Value::Set(Bits::new()) } else { all }
            }
            Fold::Sum | Fold::Max | Fold::Min => {
                let mut total: Option<i64> = None;
                self.each(binders, filter, &mut |eval| {
                    let n = eval.eval(body).int();
                    total = Some(match (fold, total) {
                        (_, None) => n,
                        (Fold::Max, Some(t)) => t.max(n),
                        (Fold::Min, Some(t)) => t.min(n),
                        (Fold::Sum | Fold::Union, Some(t)) => t.saturating_add(n),
                    });
                    true
                });
                Value::Int(total.unwrap_or(Fold::OF_NOTHING))
            }
        }
    }

    /// A copy of the position, whose size is charged.
    pub(super) fn copied(&mut self) -> Position {
        self.tick(extent(self.pos) / SITES_A_STEP + self.pos.history.copy_steps());
        self.pos.clone()
    }

    fn attribute(&self, attribute: &Attribute, value: &Value) -> Value {
        match (attribute, value) {
            (Attribute::SiteInt(table), site) => Value::Int(get_or_default(table, site.atom())),
            (Attribute::SiteSeat(table) | Attribute::KindValue(table), atom) => {
                table.get(atom.atom()).cloned().unwrap_or_default()
            }
            (Attribute::PieceKind, Value::Piece(piece)) => Value::Atom(u32::from(piece.kind)),
            (Attribute::PieceOwner, Value::Piece(piece)) => {
                Value::Set(piece.owner.map_or_else(Bits::new, |seat| Bits::one(usize::from(seat))))
            }
            (Attribute::PieceField(name, ty), Value::Piece(piece)) => {
                number_to_value(ty, self.game.field_of(piece, name).unwrap_or(Field::LACKING))
            }
            (Attribute::WayTo, Value::Way(way)) => Value::Atom(way.to),
            (Attribute::WayTaken, Value::Way(way)) => Value::Set(way.taken.clone()),
            (
                Attribute::PieceKind
                | Attribute::PieceOwner
                | Attribute::PieceField(..)
                | Attribute::WayTo
                | Attribute::WayTaken,
                _,
            ) => Value::Unset,
        }
    }

    pub(super) fn owners(&mut self, owner: &Owner) -> Owners {
        match owner {
            Owner::Me => Owners::One(self.me()),
            Owner::Others => Owners::NotOne(self.me()),
            Owner::Seat(seat) => Owners::Many(self.eval(seat).atoms()),
            Owner::Anyone => Owners::Any,
        }
    }

    /// The pools of tokens of an owner.
    pub(super) fn pools(&mut self, tokens: TokenId, owner: &Owner) -> Vec<usize> {
        let tokens = usize::from(tokens);
        let Some(&base) = self.walker.pools.get(tokens) else { return Vec::new() };
        if !self.game.tokens.nth(tokens).is_some_and(|t| t.owned) {
            return vec![base];
        }
        let owners = self.owners(owner);
        (0..self.game.seats.len())
            .filter(|&seat| owners.fits(Some(SeatId::new(seat))))
            .map(|seat| base + seat)
            .collect()
    }
}

/// What is looked at, about, where a whole position is copied or made a key.
pub(super) fn extent(position: &Position) -> u64 {
    let zones: usize = position.zones.iter().flatten().map(Vec::len).sum();
    let vars: usize = position.vars.iter().flatten().map(|value| value.size().max(1)).sum();
    let names: usize = position.locals.iter().map(|value| value.size() * value.breadth() / 2).sum();
    let loops: usize = position.control.iter().map(Frame::extent).sum();
    (position.sites.len() * (1 + position.tokens.len() / 4) + zones + vars + names + loops) as u64
}
