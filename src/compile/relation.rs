//! Filters by how what belongs to a member lies to a set, as in `{s in sites where near(s) meets stones}`: the table of
//! what belongs to each member, turned round.

use super::Gap;
use super::class::Class;
use super::filter::Mask;
use super::lower::Lower;
use super::program::{Loop, Number, Set, Source, Test};
use super::table::Arg;
use crate::base::Word;
use crate::ir::{Dependencies, Expr, ExprKind, SetOp, Slot};

/// How the sets of the members have to lie to the other one.
#[derive(Clone, Copy)]
enum Relation {
    Meets,
    Within,
    Equals,
}

impl<W: Word> Lower<'_, W> {
    /// The values of a name for which a set that depends on nothing else lies so to a set that does not depend on it.
    pub(super) fn related(&mut self, names: &[Slot], condition: &Expr) -> Result<Option<Mask<W>>, Gap> {
        let (relation, a, b) = if let ExprKind::Meets(a, b) = &condition.kind {
            (Relation::Meets, a, b)
        } else if let ExprKind::Within(a, b) = &condition.kind {
            (Relation::Within, a, b)
        } else if let ExprKind::Same(a, b) = &condition.kind {
            (Relation::Equals, a, b)
        } else {
            return Ok(None);
        };
        let sides = if matches!(relation, Relation::Within) { vec![(a, b)] } else { vec![(a, b), (b, a)] };
        for (mine, other) in sides {
            let depends = |expr: &Expr, name: Slot| Dependencies::of(self.game, expr).any_of(&[name]);
            let own: Vec<Slot> = names.iter().copied().filter(|name| depends(mine, *name)).collect();
            let [name] = own.as_slice() else { continue };
            if names.iter().any(|name| depends(other, *name))
                || [mine, other].iter().any(|set| Class::of(set) != Class::Set)
            {
                continue;
            }
            let Some(table) = self.sets_of(*name, mine) else { continue };
            let other = self.set(other)?;
            return self.turned(relation, &table, other);
        }
        Ok(None)
    }

    /// The value of a set for each value of a name, if it depends on nothing else.
    fn sets_of(&mut self, name: Slot, set: &Expr) -> Option<Vec<W>> {
        let size = self.slot_domain(name)?;
        if !self.args(set, &[name])?.is_empty() || size > W::ROOM || !self.affords(size) {
            return None;
        }
        self.settle(set)?;
        (0..size).map(|member| Self::as_words(&self.value_for(set, &[(Arg::Slot(name), member)])?)).collect()
    }

    fn turned(&mut self, relation: Relation, table: &[W], other: Set<W>) -> Result<Option<Mask<W>>, Gap> {
        let all = table.iter().fold(W::NONE, |all, set| all.or(*set));
        let mut back = vec![W::NONE; W::ROOM];
        for (member, set) in table.iter().enumerate() {
            set.iter().for_each(|element| back[element].insert(member));
        }
        let back: Box<[W]> = back.into();
        Ok(match relation {
            Relation::Meets => Some(Mask::In(self.of_each(other, back)?)),
            Relation::Within => {
                let rest = Set::Op(SetOp::Minus, Box::new((Set::Const(all), other)));
                Some(Mask::NotIn(self.of_each(rest, back)?))
            }
            Relation::Equals => {
                let plain = matches!(other, Set::Local(_) | Set::Var(_) | Set::ByLocal(..));
                if !plain || table.iter().any(|set| set.count() > 1) {
                    return Ok(None);
                }
                let empty = (0..table.len()).filter(|member| table[*member].is_empty()).collect();
                let none = Test::NoneOf(Box::new(other.clone()));
                let one = Test::Is(Box::new(Number::Count(Box::new(other.clone()))), 1);
                let several = Set::If(Box::new((none, Set::Const(empty), Set::Const(W::NONE))));
                Some(Mask::In(Set::If(Box::new((one, self.of_each(other, back)?, several)))))
            }
        })
    }

    /// The union of what a table has for the members of a set.
    pub(super) fn of_each(&mut self, set: Set<W>, table: Box<[W]>) -> Result<Set<W>, Gap> {
        let at = self.fresh()?;
        self.loops += 1;
        let over = Loop { over: Box::new([(at, Source::Set(set))]), filter: None };
        Ok(Set::Fold(Box::new((over, Set::ByLocal(at, table)))))
    }
}
