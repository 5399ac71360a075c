//! Lowering of filters: conditions on one name become set algebra where possible.

use super::Gap;
use super::class::Class;
use super::lower::Lower;
use super::program::{Number, Set, Test};
use super::set::{combine, set_of};
use super::table::{Arg, combination, shape};
use crate::base::Word;
use crate::ir::Needs;
use crate::ir::{Expr, ExprKind, FnId, SetOp, Slot};

/// The values that fulfil a condition.
enum Mask<W: Word> {
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

    /// The members of a set that fulfil it.
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
    /// The members of a set that fulfil a condition, as set algebra where possible.
    pub(super) fn restrict(&mut self, slot: Slot, set: Set<W>, condition: &Expr) -> Result<Set<W>, Gap> {
        if let ExprKind::And(a, b) = &condition.kind {
            let set = self.restrict(slot, set, a)?;
            return self.restrict(slot, set, b);
        }
        if !Needs::of(self.game, condition).any_of(&[slot]) {
            return Ok(match self.test(condition)? {
                Test::Const(true) => set,
                Test::Const(false) => Set::Const(W::NONE),
                test => Set::If(Box::new((test, set, Set::Const(W::NONE)))),
            });
        }
        if let Some(mask) = self.mask(&[slot], condition)? {
            return Ok(mask.of(set));
        }
        let test = self.test(condition)?;
        Ok(Set::Filter(self.number_home(slot)?, Box::new((set, test))))
    }

    /// The values that fulfil a condition; none if it is not set algebra. The value
    /// goes by the names.
    fn mask(&mut self, names: &[Slot], condition: &Expr) -> Result<Option<Mask<W>>, Gap> {
        if !Needs::of(self.game, condition).any_of(names) {
            return Ok(Some(match self.test(condition)? {
                Test::Const(true) => Mask::All,
                Test::Const(false) => Mask::None,
                test => {
                    let all = Set::Const(W::all(W::ROOM));
                    Mask::In(Set::If(Box::new((test, all, Set::Const(W::NONE)))))
                }
            }));
        }
        if let Some(mask) = self.structured(names, condition)? {
            return Ok(Some(mask));
        }
        match names {
            [name] => Ok(self.kept(*name, condition)?.map(Mask::In)),
            _ => Ok(None),
        }
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
            ExprKind::Member(member, of) if is_member(member) && !Needs::of(game, of).any_of(names) => {
                match Class::of(of) {
                    Class::Set => Some(Mask::In(self.set(of)?)),
                    Class::Number | Class::Truth | Class::List(_) | Class::Other(_) => None,
                }
            }
            ExprKind::Same(a, b) => {
                let other = if is_member(a) { b } else { a };
                let fits = (is_member(a) || is_member(b)) && !Needs::of(game, other).any_of(names);
                if fits && Class::of(other) == Class::Number {
                    Some(Mask::In(Set::One(Box::new(self.number(other)?))))
                } else {
                    None
                }
            }
            ExprKind::Call(function, args) => self.called(names, *function, args)?,
            _ => None,
        })
    }

    /// A definition as a condition: the value may be handed on under another name.
    fn called(&mut self, names: &[Slot], function: FnId, args: &[Expr]) -> Result<Option<Mask<W>>, Gap> {
        let game = self.game;
        let Some(def) = game.functions.get(function) else { return Ok(None) };
        let mut names = names.to_vec();
        let mut rest = Vec::new();
        for (param, arg) in def.params.iter().zip(args) {
            if arg.as_slot().is_some_and(|slot| names.contains(&slot)) {
                names.push(*param);
            } else if Needs::of(game, arg).any_of(&names) || Class::of(arg) != Class::Number {
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

    /// All values that fulfil a condition, if no position changes them: one set
    /// for each combination of the other arguments.
    fn kept(&mut self, slot: Slot, condition: &Expr) -> Result<Option<Set<W>>, Gap> {
        let (Some(args), Some(size)) = (self.args(condition, &[slot]), self.slot_domain(slot)) else {
            return Ok(None);
        };
        let cells: usize = args.iter().map(|(_, size)| *size).product();
        if size > W::ROOM || cells == 0 || !self.affords(cells * size) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(cells);
        for cell in 0..cells {
            let mut bound = combination(&args, cell);
            let mut kept = W::NONE;
            for member in 0..size {
                bound.push((Arg::Slot(slot), member));
                let Some(value) = self.work_out(condition, &bound) else { return Ok(None) };
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
