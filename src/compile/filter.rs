//! Lowering of filters: conditions on one name become set algebra where possible.

use super::Gap;
use super::class::Class;
use super::lower::Lower;
use super::path::is_name;
use super::program::{Number, Set};
use super::set::{combine, set_of};
use super::table::{Arg, combination, shape};
use crate::base::{SaturatingFrom, Word};
use crate::ir::Dependencies;
use crate::ir::{Expr, ExprKind, FnId, Function, IntOp, SetOp, Slot, Ty};

/// The values that satisfy a condition.
pub(super) enum Mask<W: Word> {
    All,
    None,
    In(Set<W>),
    NotIn(Set<W>),
}

impl<W: Word> Mask<W> {
    fn not(self) -> Self {
        match self {
            Self::All => Self::None,
            Self::None => Self::All,
            Self::In(set) => Self::NotIn(set),
            Self::NotIn(set) => Self::In(set),
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, _) | (_, Self::None) => Self::None,
            (Self::All, mask) | (mask, Self::All) => mask,
            (Self::In(a), Self::In(b)) => Self::In(combine(SetOp::Intersect, a, b)),
            (Self::In(a), Self::NotIn(b)) | (Self::NotIn(b), Self::In(a)) => Self::In(combine(SetOp::Minus, a, b)),
            (Self::NotIn(a), Self::NotIn(b)) => Self::NotIn(combine(SetOp::Union, a, b)),
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    /// The members of a set that satisfy the condition.
    fn of(self, set: Set<W>) -> Set<W> {
        match self {
            Self::All => set,
            Self::None => Set::Const(W::NONE),
            Self::In(mask) => combine(SetOp::Intersect, set, mask),
            Self::NotIn(mask) => combine(SetOp::Minus, set, mask),
        }
    }
}

impl<W: Word> Lower<'_, W> {
    /// The members of a set that satisfy a condition, as set algebra where possible.
    pub(super) fn restrict(&mut self, slot: Slot, set: Set<W>, condition: &Expr) -> Result<Set<W>, Gap> {
        if let ExprKind::And(a, b) = &condition.kind {
            let set = self.restrict(slot, set, a)?;
            return self.restrict(slot, set, b);
        }
        if !Dependencies::of(self.game, condition).any_of(&[slot]) {
            return Ok(match self.test(condition)?.settled() {
                Ok(true) => set,
                Ok(false) => Set::Const(W::NONE),
                Err(test) => Set::If(Box::new((test, set, Set::Const(W::NONE)))),
            });
        }
        if let Some(mask) = self.mask(&[slot], condition)? {
            return Ok(mask.of(set));
        }
        self.loops += 1;
        let test = self.test(condition)?;
        Ok(Set::Filter(self.number_home(slot)?, Box::new((set, test))))
    }

    /// The values, bound to the names, that satisfy a condition; none if it cannot be expressed as set algebra.
    fn mask(&mut self, names: &[Slot], condition: &Expr) -> Result<Option<Mask<W>>, Gap> {
        if !Dependencies::of(self.game, condition).any_of(names) {
            return Ok(Some(match self.test(condition)?.settled() {
                Ok(true) => Mask::All,
                Ok(false) => Mask::None,
                Err(test) => {
                    let all = Set::Const(W::all(W::ROOM));
                    Mask::In(Set::If(Box::new((test, all, Set::Const(W::NONE)))))
                }
            }));
        }
        if let Some(mask) = self.structured(names, condition)? {
            return Ok(Some(mask));
        }
        if let [name] = names
            && let Some(kept) = self.kept(*name, condition)?
        {
            return Ok(Some(Mask::In(kept)));
        }
        if let Some(mask) = self.related(names, condition)? {
            return Ok(Some(mask));
        }
        self.measured(names, condition)
    }

    /// The values for which a measure compares as required with a number independent of the names: one set for each
    /// possible value of that number.
    fn measured(&mut self, names: &[Slot], condition: &Expr) -> Result<Option<Mask<W>>, Gap> {
        let (a, b, order) = if let ExprKind::Same(a, b) = &condition.kind {
            (a, b, None)
        } else if let ExprKind::Compare(order, a, b) = &condition.kind {
            (a, b, Some(*order))
        } else {
            return Ok(None);
        };
        let turned = Dependencies::of(self.game, b).any_of(names);
        let (measure, with) = if turned { (b, a) } else { (a, b) };
        if Dependencies::of(self.game, with).any_of(names) || measure.ty != Ty::Int {
            return Ok(None);
        }
        let needed: Vec<Slot> =
            names.iter().copied().filter(|name| Dependencies::of(self.game, measure).any_of(&[*name])).collect();
        let [name] = needed.as_slice() else { return Ok(None) };
        let Some(values) = self.measures(*name, measure)? else { return Ok(None) };
        let (by, values) = values;
        let ends = values.iter().flatten().copied().map(|n| (n, n)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let Some((low, high)) = ends.map(|(low, high)| (low.saturating_sub(1), high.saturating_add(1))) else {
            return Ok(None);
        };
        let width = usize::saturating_from(high.saturating_sub(low)).saturating_add(1);
        if !self.affords(width.saturating_mul(values.len())) {
            return Ok(None);
        }
        let holds = |measure: i64, with: i64| {
            let (a, b) = if turned { (with, measure) } else { (measure, with) };
            order.map_or(a == b, |order| order.holds(a, b))
        };
        let row = |values: &Vec<i64>, with: i64| -> W {
            let member = |(member, &measure): (usize, &i64)| holds(measure, with).then_some(member);
            values.iter().enumerate().filter_map(member).collect()
        };
        let sets = values.iter().flat_map(|values| (low..=high).map(move |with| row(values, with))).collect();
        // Numbers beyond the range of the measure compare like its nearest bound.
        let with = Number::Greater(Box::new((self.number(with)?, Number::Const(low))));
        let with = Number::Lesser(Box::new((with, Number::Const(high))));
        let with = Number::Calc(IntOp::Sub, Box::new((with, Number::Const(low))));
        let by = by.into_iter().chain([(with, width)]).collect();
        Ok(Some(Mask::In(set_of(shape(by, sets)))))
    }

    /// A table of a measure over the values of a name, if it does not depend on the position: one row for each
    /// combination of its other arguments.
    #[expect(clippy::type_complexity, reason = "what a table is made of")]
    fn measures(&mut self, name: Slot, of: &Expr) -> Result<Option<(Vec<(Number<W>, usize)>, Vec<Vec<i64>>)>, Gap> {
        let (Some(args), Some(size)) = (self.args(of, &[name]), self.slot_domain(name)) else { return Ok(None) };
        let cells: usize = args.iter().map(|(_, size)| *size).product();
        if size > W::ROOM || cells == 0 || !self.affords(cells * size) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(cells);
        let Some(()) = self.settle(of) else { return Ok(None) };
        for cell in 0..cells {
            let mut bound = combination(&args, cell);
            bound.push((Arg::Slot(name), 0));
            let mut row = Vec::with_capacity(size);
            for member in 0..size {
                if let Some(last) = bound.last_mut() {
                    last.1 = member;
                }
                let Some(value) = self.value_for(of, &bound) else { return Ok(None) };
                row.push(value.int());
            }
            values.push(row);
        }
        Ok(Some((self.by(&args)?, values)))
    }

    fn structured(&mut self, names: &[Slot], condition: &Expr) -> Result<Option<Mask<W>>, Gap> {
        let game = self.game;
        let is_member = |expr: &Expr| expr.as_slot().is_some_and(|slot| names.contains(&slot));
        Ok(match &condition.kind {
            ExprKind::And(a, b) => match (self.mask(names, a)?, self.mask(names, b)?) {
                (Some(a), Some(b)) => Some(a.and(b)),
                _ => None,
            },
            ExprKind::Or(a, b) => match (self.mask(names, a)?, self.mask(names, b)?) {
                (Some(a), Some(b)) => Some(a.or(b)),
                _ => None,
            },
            ExprKind::Not(inner) => self.mask(names, inner)?.map(Mask::not),
            ExprKind::Member(member, of) if is_member(member) && !Dependencies::of(game, of).any_of(names) => {
                match Class::of(of) {
                    Class::Set => Some(Mask::In(self.set(of)?)),
                    Class::Number | Class::Truth | Class::List(_) | Class::Other(_) => None,
                }
            }
            ExprKind::Same(a, b) => {
                let other = if is_member(a) { b } else { a };
                let fits = (is_member(a) || is_member(b)) && !Dependencies::of(game, other).any_of(names);
                if fits && Class::of(other) == Class::Number {
                    Some(Mask::In(Set::One(Box::new(self.number(other)?))))
                } else {
                    None
                }
            }
            ExprKind::Call(function, args) => self.called(names, *function, args)?,
            ExprKind::Meets(a, b) => match self.beside(names, a, b)? {
                None => self.beside(names, b, a)?,
                found => found,
            },
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
            | ExprKind::IsEmpty(_)
            | ExprKind::Neg(_)
            | ExprKind::Compare(..)
            | ExprKind::Calc(..)
            | ExprKind::Within(..)
            | ExprKind::Set(..)
            | ExprKind::List(_)
            | ExprKind::Range(..)
            | ExprKind::If(..)
            | ExprKind::Quantified { .. }
            | ExprKind::Aggregate { .. }
            | ExprKind::Top(..)
            | ExprKind::Filter(..)
            | ExprKind::After(..)
            | ExprKind::Attr(..)
            | ExprKind::Lookup(..)
            | ExprKind::Path(..)
            | ExprKind::Builtin(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..)
            | ExprKind::Member(..) => None,
        })
    }

    /// Sites from which a step leads into a set: the set moved one step back.
    fn beside(&mut self, names: &[Slot], next: &Expr, set: &Expr) -> Result<Option<Mask<W>>, Gap> {
        let ExprKind::Builtin(function @ (Function::Toward | Function::Around), args) = &next.kind else {
            return Ok(None);
        };
        let from_name = args.first().is_some_and(|site| names.iter().any(|name| is_name(site, *name)));
        if !from_name || Dependencies::of(self.game, set).any_of(names) || Class::of(set) != Class::Set {
            return Ok(None);
        }
        let Set::Const(ways) = self.directions(args.get(1))? else { return Ok(None) };
        let Some(back) = ways.iter().map(|way| self.back(way)).collect::<Option<W>>() else { return Ok(None) };
        let itself =
            |site| ways.iter().any(|way| self.game.topology.step(way, site).iter().any(|&s| usize::from(s) == site));
        if *function == Function::Around && (0..self.game.topology.sites.len()).any(itself) {
            return Ok(None);
        }
        Ok(Some(Mask::In(Set::Toward(Box::new((self.set(set)?, Set::Const(back)))))))
    }

    /// The direction that reverses every step of this one, and nothing else.
    fn back(&self, way: usize) -> Option<usize> {
        let topology = &self.game.topology;
        let mut all = 0..topology.directions.len();
        all.find(|&back| topology.leads_back(way, back) && topology.leads_back(back, way))
    }

    /// A call of a definition as a condition; the value may be passed on under another name.
    fn called(&mut self, names: &[Slot], function: FnId, args: &[Expr]) -> Result<Option<Mask<W>>, Gap> {
        let game = self.game;
        let Some(def) = game.functions.get(function) else { return Ok(None) };
        if let Some(arg) = args.first().filter(|_| def.told) {
            return self.mask(names, arg);
        }
        let mut names = names.to_vec();
        let mut rest = Vec::new();
        for (param, arg) in def.params.iter().zip(args) {
            if arg.as_slot().is_some_and(|slot| names.contains(&slot)) {
                names.push(*param);
            } else if Dependencies::of(game, arg).any_of(&names) || Class::of(arg) != Class::Number {
                return Ok(None);
            } else {
                rest.push((*param, self.number(arg)?));
            }
        }
        let plain = |n: &Number<W>| matches!(n, Number::Const(_) | Number::Local(_) | Number::Me);
        if self.depth > 20 || !rest.iter().all(|(_, number)| plain(number)) {
            return Ok(None);
        }
        let before: Vec<_> = rest.into_iter().map(|(slot, number)| (slot, self.known.insert(slot, number))).collect();
        self.depth += 1;
        let found = self.mask(&names, &def.body);
        self.depth -= 1;
        for (slot, old) in before {
            match old {
                Some(number) => self.known.insert(slot, number),
                None => self.known.remove(&slot),
            };
        }
        found
    }

    /// The set of values that satisfy a condition, if it does not depend on the position: one set for each
    /// combination of its other arguments.
    fn kept(&mut self, slot: Slot, condition: &Expr) -> Result<Option<Set<W>>, Gap> {
        let (Some(args), Some(size)) = (self.args(condition, &[slot]), self.slot_domain(slot)) else {
            return Ok(None);
        };
        let cells: usize = args.iter().map(|(_, size)| *size).product();
        if size > W::ROOM || cells == 0 || !self.affords(cells * size) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(cells);
        let Some(()) = self.settle(condition) else { return Ok(None) };
        for cell in 0..cells {
            let mut bound = combination(&args, cell);
            let mut kept = W::NONE;
            for member in 0..size {
                bound.push((Arg::Slot(slot), member));
                let Some(value) = self.value_for(condition, &bound) else { return Ok(None) };
                bound.pop();
                if value.truth() {
                    kept.insert(member);
                }
            }
            values.push(kept);
        }
        Ok(Some(set_of(shape(self.by(&args)?, values))))
    }
}
