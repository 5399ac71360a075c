//! Lowering of expressions that are truth values.

use super::Gap;
use super::class::{Class, gap};
use super::lower::Lower;
use super::program::{Counter, Number, Table, Test};
use super::table::test_of;
use crate::base::Word;
use crate::ir::{Expr, ExprKind, Function};

impl<W: Word> Lower<'_, W> {
    /// Lowers `and`, else `or`. What the first settles is not lowered: nothing looks at it.
    fn joined(&mut self, all: bool, a: &Expr, b: &Expr) -> Result<Test<W>, Gap> {
        let first = match self.test(a)?.settled() {
            Ok(value) if value == all => return self.test(b),
            Ok(value) => return Ok(Test::Const(value)),
            Err(first) => first,
        };
        Ok(match self.test(b)?.settled() {
            Ok(value) if value == all => first,
            Ok(value) => Test::Const(value),
            Err(second) if all => Test::And(Box::new((first, second))),
            Err(second) => Test::Or(Box::new((first, second))),
        })
    }

    /// Lowers an expression that is a truth value.
    pub(super) fn test(&mut self, expr: &Expr) -> Result<Test<W>, Gap> {
        self.node()?;
        if !matches!(expr.kind, ExprKind::Const(_) | ExprKind::Slot(_))
            && let Some(table) = self.tabled(expr, |_, value| Some(value.truth()))?
        {
            return Ok(test_of(table));
        }
        Ok(match &expr.kind {
            ExprKind::Const(value) => Test::Const(value.truth()),
            ExprKind::InPhase(phase) => Test::InPhase(*phase),
            ExprKind::CanPlay(seat, actions) => {
                Test::CanPlay(Box::new((self.number(seat)?, actions.clone().into_boxed_slice())))
            }
            ExprKind::Not(inner) => match self.test(inner)?.settled() {
                Ok(value) => Test::Const(!value),
                Err(inner) => Test::Not(Box::new(inner)),
            },
            ExprKind::And(a, b) => self.joined(true, a, b)?,
            ExprKind::Or(a, b) => self.joined(false, a, b)?,
            ExprKind::If(condition, a, b) => match self.test(condition)?.settled() {
                Ok(true) => self.test(a)?,
                Ok(false) => self.test(b)?,
                Err(test) => Test::If(Box::new((test, self.test(a)?, self.test(b)?))),
            },
            ExprKind::IsEmpty(inner) => {
                if let Class::List(_) = Class::of(inner) {
                    Test::NoneIn(Box::new(self.list(inner)?))
                } else {
                    Test::NoneOf(Box::new(self.set(inner)?))
                }
            }
            ExprKind::Same(a, b) => self.same(a, b)?,
            ExprKind::Compare(order, a, b) => Test::Compare(*order, Box::new((self.number(a)?, self.number(b)?))),
            ExprKind::Member(member, set) => {
                let number = self.number(member)?;
                match (Class::of(set), &set.kind) {
                    (_, ExprKind::Range(a, b)) => Test::InRange(Box::new((number, self.number(a)?, self.number(b)?))),
                    (Class::List(_), _) => Test::InList(Box::new((number, self.list(set)?))),
                    _ => Test::In(Box::new((number, self.set(set)?))),
                }
            }
            ExprKind::Within(a, b) => {
                if lists(a, b) {
                    Test::WithinList(Box::new((self.list(a)?, self.list(b)?)))
                } else {
                    Test::Within(Box::new((self.set(a)?, self.set(b)?)))
                }
            }
            ExprKind::Meets(a, b) => {
                if lists(a, b) {
                    Test::MeetsList(Box::new((self.list(a)?, self.list(b)?)))
                } else {
                    Test::Meets(Box::new((self.set(a)?, self.set(b)?)))
                }
            }
            ExprKind::Quantified { .. } => self.quantified(expr)?,
            ExprKind::Call(function, args) => {
                if let Some((memo, args)) = self.memo(*function, args)? {
                    return Ok(Test::Memo(memo, args));
                }
                self.call(*function, args, Self::test, |binds, body| Test::With(Box::new((binds, body))))?
            }
            ExprKind::Lookup(table, args) => {
                let (by, values) =
                    self.lookup(*table, args, |lower| &mut lower.tables.tests, |_, value| Some(value.truth()))?;
                Test::Table(Box::new(Table { by, values }))
            }
            ExprKind::Builtin(function, args) => self.test_builtin(*function, args)?,
            // Truth values that are kept as numbers.
            ExprKind::Slot(slot) => Test::Number(self.slot(*slot)?),
            ExprKind::Var(var, indices) => Test::Number(Number::Var(Box::new(self.var(*var, indices)?))),
            ExprKind::Attr(attribute, of) => Test::Number(self.number_attribute(attribute, of)?),
            ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Playing
            | ExprKind::Occurrences
            | ExprKind::OccurrencesOf(_)
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::Pieces(..)
            | ExprKind::Zone(_)
            | ExprKind::TopOf(_)
            | ExprKind::TokensAt(..)
            | ExprKind::TokenSites(..)
            | ExprKind::Neg(_)
            | ExprKind::Calc(..)
            | ExprKind::Set(..)
            | ExprKind::List(_)
            | ExprKind::Range(..)
            | ExprKind::Aggregate { .. }
            | ExprKind::Top(..)
            | ExprKind::Filter(..)
            | ExprKind::After(..)
            | ExprKind::Path(..)
            | ExprKind::MovesOf(_) => return Err(gap(expr, "an expression that is no truth value")),
        })
    }

    fn test_builtin(&mut self, function: Function, args: &[Expr]) -> Result<Test<W>, Gap> {
        let arg = |n: usize| args.get(n).ok_or(Gap("a function without its argument"));
        Ok(match function {
            Function::Line => {
                self.loops += 1;
                let (set, length) = (self.set(arg(0)?)?, self.number(arg(1)?)?);
                match self.row_table(&length) {
                    Some(rows) => Test::Row(Box::new((set, rows))),
                    None => Test::Line(Box::new((set, length))),
                }
            }
            Function::Connected => {
                self.loops += 1;
                let ways = self.directions(args.get(3))?;
                let sets = [self.set(arg(0)?)?, self.set(arg(1)?)?, self.set(arg(2)?)?, ways];
                Test::Connected(Box::new(sets))
            }
            Function::Repeats => {
                self.counts(Counter::History);
                Test::Repeats(self.number(arg(0)?)?)
            }
            Function::Count
            | Function::Abs
            | Function::Greater
            | Function::Lesser
            | Function::Around
            | Function::Toward
            | Function::Ray
            | Function::Between
            | Function::Rectangle
            | Function::Distance
            | Function::Rows
            | Function::Group
            | Function::Following
            | Function::Preceding
            | Function::Opponents
            | Function::Opposite => return Err(Gap("a function that gives no truth value")),
        })
    }

    fn same(&mut self, a: &Expr, b: &Expr) -> Result<Test<W>, Gap> {
        let (class_a, class_b) = (Class::of(a), Class::of(b));
        Ok(match (class_a, class_b) {
            (Class::Other(what), _) | (_, Class::Other(what)) => return Err(Gap(what)),
            (Class::List(_), _) | (_, Class::List(_)) => Test::SameList(Box::new((self.list(a)?, self.list(b)?))),
            (Class::Set, _) | (_, Class::Set) => Test::SameSet(Box::new((self.set(a)?, self.set(b)?))),
            (Class::Truth, Class::Truth) => Test::Iff(Box::new((self.test(a)?, self.test(b)?))),
            (Class::Number | Class::Truth, Class::Number | Class::Truth) => match (self.number(a)?, self.number(b)?) {
                (Number::Const(n), other) | (other, Number::Const(n)) => Test::Is(Box::new(other), n),
                both => Test::Equal(Box::new(both)),
            },
        })
    }
}

fn lists(a: &Expr, b: &Expr) -> bool {
    matches!(Class::of(a), Class::List(_)) || matches!(Class::of(b), Class::List(_))
}
