//! Incrementally maintained indexes: the sites with a piece of some kind.

use super::Gap;
use super::lower::Lower;
use super::program::{Number, Set};
use super::table::{Arg, combination};
use crate::base::{SaturatingFrom, Word};
use crate::ir::{IntOp, SetOp};

impl<W: Word> Lower<'_, W> {
    /// A maintained index for each combination of arguments. `belongs` says which pieces are in it.
    pub(super) fn index(
        &mut self,
        args: &[(Arg, usize)],
        mut belongs: impl FnMut(&mut Self, &[(Arg, usize)], usize) -> Option<bool>,
    ) -> Result<Option<Set<W>>, Gap> {
        let cells: usize = args.iter().map(|(_, size)| *size).product();
        if cells == 0 || !self.affords(cells * self.pieces.len()) {
            return Ok(None);
        }
        let mut map = Vec::with_capacity(cells);
        for cell in 0..cells {
            let bound = combination(args, cell);
            let mut mask = vec![false; self.pieces.len()];
            for (number, place) in mask.iter_mut().enumerate().skip(1) {
                let Some(inside) = belongs(self, &bound, number) else { return Ok(None) };
                *place = inside;
            }
            map.push(self.mask_index(mask)?);
        }
        let by = self.by(args)?;
        let set = match by.as_slice() {
            [] => Set::Index(map[0]),
            [(Number::Me, _)] => Set::IndexByMe(map.into()),
            [(first, _), rest @ ..] => {
                let mut number = first.clone();
                for (next, size) in rest {
                    number = flat(number, next.clone(), *size);
                }
                Set::IndexBy(Box::new((number, map.into())))
            }
        };
        Ok(Some(self.without_lifted(set)))
    }

    /// A set without the sites that paths have lifted their pieces from.
    pub(super) fn without_lifted(&self, set: Set<W>) -> Set<W> {
        self.lifted.iter().fold(set, |set, &start| {
            let lifted = Set::One(Box::new(Number::Local(start)));
            Set::Op(SetOp::Minus, Box::new((set, lifted)))
        })
    }

    /// The index of the sites with a piece from the mask.
    fn mask_index(&mut self, mask: Vec<bool>) -> Result<u16, Gap> {
        let at = self.indexes.iter().position(|other| *other == mask).unwrap_or_else(|| {
            self.indexes.push(mask);
            self.indexes.len() - 1
        });
        u16::try_from(at).map_err(|_| Gap("too many indexes"))
    }

    /// Set algebra on indexes, as an index of its own.
    pub(super) fn index_algebra(&mut self, op: SetOp, a: &Set<W>, b: &Set<W>) -> Result<Option<Set<W>>, Gap> {
        let mut joined = |a: u16, b: u16| {
            let (a, b) = (&self.indexes[usize::from(a)], &self.indexes[usize::from(b)]);
            let join = |(&a, &b): (&bool, &bool)| match op {
                SetOp::Union => a || b,
                SetOp::Intersect => a && b,
                SetOp::Minus => a && !b,
            };
            let mask = a.iter().zip(b).map(join).collect();
            self.mask_index(mask)
        };
        Ok(match (a, b) {
            (Set::Index(a), Set::Index(b)) => Some(Set::Index(joined(*a, *b)?)),
            (Set::IndexByMe(map), Set::Index(b)) => {
                Some(Set::IndexByMe(map.iter().map(|&a| joined(a, *b)).collect::<Result<_, _>>()?))
            }
            (Set::Index(a), Set::IndexByMe(map)) => {
                Some(Set::IndexByMe(map.iter().map(|&b| joined(*a, b)).collect::<Result<_, _>>()?))
            }
            (Set::IndexByMe(a), Set::IndexByMe(b)) => {
                Some(Set::IndexByMe(a.iter().zip(b).map(|(&a, &b)| joined(a, b)).collect::<Result<_, _>>()?))
            }
            (Set::Index(a), Set::IndexBy(both)) => {
                let map = both.1.iter().map(|&b| joined(*a, b)).collect::<Result<_, _>>()?;
                Some(Set::IndexBy(Box::new((both.0.clone(), map))))
            }
            (Set::IndexBy(both), Set::Index(b)) => {
                let map = both.1.iter().map(|&a| joined(a, *b)).collect::<Result<_, _>>()?;
                Some(Set::IndexBy(Box::new((both.0.clone(), map))))
            }
            (Set::IndexBy(a), Set::IndexBy(b)) if same(&a.0, &b.0) && a.1.len() == b.1.len() => {
                let map = a.1.iter().zip(&b.1).map(|(&a, &b)| joined(a, b)).collect::<Result<_, _>>()?;
                Some(Set::IndexBy(Box::new((a.0.clone(), map))))
            }
            _ => None,
        })
    }
}

/// Whether two numbers are plainly the same: a name, or a table looked up by one.
fn same<W: Word>(a: &Number<W>, b: &Number<W>) -> bool {
    match (a, b) {
        (Number::Local(a), Number::Local(b)) => a == b,
        (Number::ByLocal(a, by), Number::ByLocal(b, other)) => a == b && by == other,
        _ => false,
    }
}

fn flat<W: Word>(a: Number<W>, b: Number<W>, size: usize) -> Number<W> {
    let size = Number::Const(i64::saturating_from(size));
    let high = Number::Calc(IntOp::Mul, Box::new((a, size)));
    Number::Calc(IntOp::Add, Box::new((high, b)))
}

/// An index that goes by another seat than the one that acts.
pub(super) fn replace_me<W: Word>(set: Set<W>, seat: &Number<W>) -> Set<W> {
    if let Set::IndexByMe(map) = set {
        return Set::IndexBy(Box::new((seat.clone(), map)));
    }
    if let Set::IndexBy(both) = set {
        let (number, map) = *both;
        // The seat is the last argument: the right half of the sum.
        let number = if let Number::Calc(op, halves) = number {
            Number::Calc(op, Box::new((halves.0, seat.clone())))
        } else {
            seat.clone()
        };
        return Set::IndexBy(Box::new((number, map)));
    }
    if let Set::Op(op, halves) = set {
        let (a, b) = *halves;
        return Set::Op(op, Box::new((replace_me(a, seat), b)));
    }
    set
}
