//! Lowering of lists: sets of numbers, pieces and ways.

use super::Gap;
use super::class::{Class, gap, sort};
use super::lower::Lower;
use super::program::{Home, List, Values};
use crate::base::Word;
use crate::ir::{Expr, ExprKind, Fold};

impl<W: Word> Lower<'_, W> {
    /// Lowers an expression that is a list.
    pub(super) fn list(&mut self, expr: &Expr) -> Result<List<W>, Gap> {
        self.node()?;
        Ok(match &expr.kind {
            ExprKind::Const(value) => {
                let numbers: Option<Box<[i64]>> =
                    value.clone().members().iter().map(|member| self.as_number(member)).collect();
                List::Const(numbers.ok_or(Gap("a constant list of other than numbers and pieces"))?)
            }
            ExprKind::Slot(slot) => match self.homes.get(usize::from(*slot)) {
                Some(Home::List(at)) => List::Local(*at),
                _ => return Err(Gap("a local name that is no list")),
            },
            ExprKind::Var(var, indices) => List::Var(Box::new(self.var(*var, indices)?)),
            ExprKind::Zone(zone) => List::Zone(Box::new(self.zone(zone)?)),
            ExprKind::TopOf(inner) => List::Last(Box::new(self.list(inner)?)),
            ExprKind::Range(a, b) => List::Range(Box::new((self.number(a)?, self.number(b)?))),
            ExprKind::List(members) => {
                let sort = sort(expr)?;
                List::Some(members.iter().map(|member| self.number(member)).collect::<Result<_, _>>()?, sort)
            }
            ExprKind::Set(op, a, b) => {
                let sort = sort(expr)?;
                List::Op(*op, Box::new((self.list(a)?, self.list(b)?)), sort)
            }
            ExprKind::If(condition, a, b) => match self.test(condition)?.settled() {
                Ok(true) => self.list(a)?,
                Ok(false) => self.list(b)?,
                Err(test) => List::If(Box::new((test, self.list(a)?, self.list(b)?))),
            },
            ExprKind::Filter(slot, list, condition) => {
                self.loops += 1;
                let list = self.list(list)?;
                List::Filter(self.number_home(*slot)?, Box::new((list, self.test(condition)?)))
            }
            ExprKind::Top(slot, list, by) => {
                self.loops += 1;
                let list = self.list(list)?;
                List::Top(self.number_home(*slot)?, Box::new((list, self.number(by)?)))
            }
            ExprKind::Aggregate { fold: Fold::Union, body, binders, filter } => {
                let sort = sort(body)?;
                let over = self.loops(binders, filter.as_deref())?;
                List::Fold(Box::new((over, self.list(body)?)), sort)
            }
            ExprKind::Path(path, from, args) => {
                self.loops += 1;
                List::Ways(Box::new(self.track(*path, from, args)?))
            }
            ExprKind::Call(function, args) => {
                self.call(*function, args, Self::list, |binds, body| List::With(Box::new((binds, body))))?
            }
            ExprKind::Mover
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
            | ExprKind::After(..)
            | ExprKind::Attr(..)
            | ExprKind::Lookup(..)
            | ExprKind::Builtin(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..)
            | ExprKind::Aggregate { .. } => return Err(gap(expr, "an expression that is no list")),
        })
    }

    /// The values of a parameter or a pick.
    pub(super) fn values(&mut self, set: &Expr) -> Result<Values<W>, Gap> {
        Ok(match Class::of(set) {
            Class::List(sort) => Values::List(self.list(set)?, sort),
            Class::Other(what) => return Err(Gap(what)),
            Class::Set | Class::Number | Class::Truth => Values::Set(self.set(set)?),
        })
    }
}
