//! Range analysis: which numbers the fields of pieces can hold, given everything ever put into them.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use crate::ir::{Attribute, Bound, Expr, ExprKind, Field, Fold, Function, Game, Header, IntOp, SetOp, Slot, Ty, Value};

/// An inclusive range of numbers.
pub(super) type Range = (i64, i64);

const ANY: Range = (i64::MIN, i64::MAX);
/// A range that still grows after this many rounds is unbounded.
const ROUNDS: usize = 100;
/// The maximum depth to which definitions are followed.
const DEPTH: usize = 20;
/// The maximum number of parts that are looked at for one value; definitions may use each other more than once.
const PARTS: usize = 1000;

/// The range of each field that is a number.
pub(super) fn of_fields(game: &Game) -> BTreeMap<&str, Range> {
    let mut ranges = Ranges { game, names: HashMap::new(), fields: BTreeMap::new(), grown: true, parts: Cell::new(0) };
    for field in game.kinds.iter().flat_map(|kind| &kind.fields).filter(|field| field.ty == Ty::Int) {
        let default = i64::from(field.default);
        let held = ranges.fields.entry(&field.name).or_insert((default, default));
        *held = joined(*held, (default, default));
    }
    if ranges.fields.is_empty() {
        return ranges.fields;
    }
    // Names first: those bound by anything other than a statement may be any number. A block may use names bound
    // later, so what this round finds for fields is discarded.
    let defaults = ranges.fields.clone();
    ranges.round(&mut |ranges, slot, _, _| {
        ranges.names.insert(slot, None);
    });
    ranges.fields = defaults;
    for _ in 0..ROUNDS {
        if !std::mem::take(&mut ranges.grown) {
            return ranges.fields;
        }
        ranges.round(&mut Ranges::binds);
    }
    ranges.fields.values_mut().for_each(|held| *held = ANY);
    ranges.fields
}

struct Ranges<'g> {
    game: &'g Game,
    /// The range of each local name; none before anything was bound to it.
    names: HashMap<Slot, Option<Range>>,
    fields: BTreeMap<&'g str, Range>,
    /// Whether any range grew in this round.
    grown: bool,
    /// How many parts of a value were looked at.
    parts: Cell<usize>,
}

/// Called for each name bound to an expression, or to the members of one.
type Binds<'g, 'f> = &'f mut dyn FnMut(&mut Ranges<'g>, Slot, &'g Expr, bool);

impl<'g> Ranges<'g> {
    /// Visits all statements once.
    fn round(&mut self, binds: Binds<'g, '_>) {
        let game = self.game;
        for action in game.actions.iter().chain(game.claims.iter().map(|claim| &claim.action)) {
            for line in &action.head {
                match line {
                    Header::Choose(choice) => binds(self, choice.slot, &choice.set, true),
                    Header::Let(slot, value, _) | Header::Late(slot, value, _) => binds(self, *slot, value, false),
                    Header::Require(..) | Header::Prefer(..) => {}
                }
            }
        }
        for stmt in game.blocks.iter().flat_map(|block| &block.stmts) {
            for (slot, bound) in stmt.kind.bindings() {
                match bound {
                    Bound::Value(value) => binds(self, slot, value, false),
                    Bound::Member(set) | Bound::Picked(set) => binds(self, slot, set, true),
                    Bound::Piece(_) => {}
                }
            }
            self.fill(stmt.kind.fields());
        }
    }

    fn binds(&mut self, slot: Slot, value: &Expr, members: bool) {
        self.parts.set(0);
        let more = if members { self.members(value, 0) } else { self.of(value, 0) };
        let before = self.names.get(&slot).copied().flatten();
        let now = either(before, more);
        if now != before {
            self.names.insert(slot, now);
            self.grown = true;
        }
    }

    fn fill(&mut self, fields: &[(String, Expr)]) {
        for (name, value) in fields {
            self.parts.set(0);
            let more = self.of(value, 0);
            if let (Some(held), Some(more)) = (self.fields.get_mut(name.as_str()), more) {
                let now = joined(*held, more);
                self.grown |= now != *held;
                *held = now;
            }
        }
    }

    /// Whether no more is looked at: a further part lies so deep, or there were so many.
    fn is_too_much(&self, depth: usize) -> bool {
        self.parts.update(|parts| parts + 1);
        depth > DEPTH || self.parts.get() > PARTS
    }

    /// The range of an expression; none if nothing it uses has a value yet.
    fn of(&self, expr: &Expr, depth: usize) -> Option<Range> {
        let of = |expr: &Expr| self.of(expr, depth + 1);
        if self.is_too_much(depth) {
            return Some(ANY);
        }
        match &expr.kind {
            ExprKind::Const(Value::Int(n)) => Some((*n, *n)),
            ExprKind::Slot(slot) => self.names.get(slot).copied().unwrap_or(Some(ANY)),
            ExprKind::Neg(inner) => of(inner).map(|(low, high)| (high.saturating_neg(), low.saturating_neg())),
            ExprKind::Calc(op, a, b) => Some(calculated(*op, of(a)?, of(b)?)),
            ExprKind::If(_, a, b) => either(of(a), of(b)),
            ExprKind::Attr(Attribute::PieceField(name, _), _) => {
                let lacking = i64::from(Field::LACKING);
                Some(self.fields.get(name.as_str()).map_or(ANY, |held| joined(*held, (lacking, lacking))))
            }
            ExprKind::Attr(Attribute::KindValue(values), _) => Some(spanned(values)),
            ExprKind::Attr(Attribute::SiteInt(values), _) => {
                let spread = values.iter().map(|&n| (n, n)).reduce(joined);
                Some(spread.unwrap_or(ANY))
            }
            ExprKind::Lookup(table, _) => {
                Some(self.game.lookups.get(*table).map_or(ANY, |table| spanned(table.values.kinds())))
            }
            ExprKind::Call(function, args) => {
                let def = self.game.functions.get(*function)?;
                of(args.first().filter(|_| def.told).unwrap_or(&def.body))
            }
            ExprKind::Builtin(Function::Greater, args) => args.iter().map(of).reduce(|a, b| {
                let ((low, high), (from, to)) = (a?, b?);
                Some((low.max(from), high.max(to)))
            })?,
            ExprKind::Builtin(Function::Lesser, args) => args.iter().map(of).reduce(|a, b| {
                let ((low, high), (from, to)) = (a?, b?);
                Some((low.min(from), high.min(to)))
            })?,
            ExprKind::Aggregate { fold, body, .. } => {
                let (low, high) = joined(of(body)?, (Fold::OF_NOTHING, Fold::OF_NOTHING));
                match fold {
                    Fold::Max | Fold::Min | Fold::Union => Some((low, high)),
                    // A sum of non-negative numbers is not negative.
                    Fold::Sum if low >= 0 => Some((0, i64::MAX)),
                    Fold::Sum => Some(ANY),
                }
            }
            ExprKind::Builtin(Function::Count, _) | ExprKind::TokensAt(..) => Some((0, i64::MAX)),
            ExprKind::Const(_)
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
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::Pieces(..)
            | ExprKind::Zone(_)
            | ExprKind::TopOf(_)
            | ExprKind::TokenSites(..)
            | ExprKind::Not(_)
            | ExprKind::IsEmpty(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Same(..)
            | ExprKind::Compare(..)
            | ExprKind::Member(..)
            | ExprKind::Within(..)
            | ExprKind::Meets(..)
            | ExprKind::Set(..)
            | ExprKind::List(_)
            | ExprKind::Range(..)
            | ExprKind::Quantified { .. }
            | ExprKind::Top(..)
            | ExprKind::Filter(..)
            | ExprKind::After(..)
            | ExprKind::Attr(..)
            | ExprKind::Path(..)
            | ExprKind::Builtin(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..) => Some(ANY),
        }
    }

    /// The range of the members of a set.
    fn members(&self, set: &Expr, depth: usize) -> Option<Range> {
        let members = |set: &Expr| self.members(set, depth + 1);
        if self.is_too_much(depth) {
            return Some(ANY);
        }
        match &set.kind {
            ExprKind::Const(Value::Ints(list)) => list.first().copied().zip(list.last().copied()),
            ExprKind::Range(a, b) => Some((self.of(a, depth)?.0, self.of(b, depth)?.1)),
            ExprKind::List(list) => list.iter().map(|member| self.of(member, depth)).fold(None, either),
            ExprKind::Set(SetOp::Union, a, b) | ExprKind::If(_, a, b) => either(members(a), members(b)),
            ExprKind::Set(SetOp::Intersect | SetOp::Minus, set, _)
            | ExprKind::Filter(_, set, _)
            | ExprKind::Top(_, set, _) => members(set),
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
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::Pieces(..)
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
            | ExprKind::Quantified { .. }
            | ExprKind::Aggregate { .. }
            | ExprKind::After(..)
            | ExprKind::Attr(..)
            | ExprKind::Lookup(..)
            | ExprKind::Call(..)
            | ExprKind::Path(..)
            | ExprKind::Builtin(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..) => Some(ANY),
        }
    }
}

fn joined(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn either(a: Option<Range>, b: Option<Range>) -> Option<Range> {
    match (a, b) {
        (Some(a), Some(b)) => Some(joined(a, b)),
        (one, None) | (None, one) => one,
    }
}

/// The range of a table's values; unbounded if some are not numbers.
fn spanned(values: &[Value]) -> Range {
    let number = |value: &Value| if let Value::Int(n) = value { (*n, *n) } else { ANY };
    values.iter().map(number).reduce(joined).unwrap_or(ANY)
}

fn calculated(op: IntOp, a: Range, b: Range) -> Range {
    match (op, b) {
        (IntOp::Mod, (1.., high)) => (0, high - 1),
        (IntOp::Add | IntOp::Sub | IntOp::Mul, _) | (IntOp::Div, (1.., _)) => {
            let corners = [op.of(a.0, b.0), op.of(a.0, b.1), op.of(a.1, b.0), op.of(a.1, b.1)];
            corners.into_iter().map(|n| (n, n)).fold((corners[0], corners[0]), joined)
        }
        (IntOp::Div | IntOp::Mod, _) => ANY,
    }
}
