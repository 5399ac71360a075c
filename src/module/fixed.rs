//! Sets that are known before any game but for the acting seat and one site.

use super::emit::Wide;
use crate::base::Word;
use crate::compile::program::{Local, Number, Set};
use crate::ir::SetOp;

/// A restriction that depends on nothing but the acting seat and a site: for each seat and site the sites it allows.
pub(super) struct Fixed(Vec<Vec<Wide>>);

impl Fixed {
    /// The sites allowed to a seat for a site.
    pub(super) fn at(&self, seat: usize, site: usize) -> Wide {
        self.0[seat][site]
    }

    /// None if the set depends on anything else.
    pub(super) fn of(set: &Set<Wide>, site: Local, (seats, sites): (usize, usize)) -> Option<Self> {
        let each = |of: &dyn Fn(usize, usize) -> Wide| {
            Some(Self((0..seats).map(|seat| (0..sites).map(|site| of(seat, site)).collect()).collect()))
        };
        let entry = |values: &[Wide], at: usize| values.get(at).copied().unwrap_or(Wide::NONE);
        match set {
            Set::Const(set) => each(&|_, _| *set),
            Set::ByMe(values) => each(&|seat, _| entry(values, seat)),
            Set::One(number) if matches!(number.as_ref(), Number::Local(at) if *at == site) => {
                each(&|_, site| Wide::one(site))
            }
            Set::ByLocal(at, values) if *at == site => each(&|_, site| entry(values, site)),
            Set::ByMeAnd(at, size, values) if *at == site && *size >= sites => {
                each(&|seat, site| entry(values, seat * size + site))
            }
            Set::Op(op, both) => {
                let (a, b) = (Self::of(&both.0, site, (seats, sites))?, Self::of(&both.1, site, (seats, sites))?);
                each(&|seat, site| {
                    let (a, b) = (a.at(seat, site), b.at(seat, site));
                    match op {
                        SetOp::Union => a.or(b),
                        SetOp::Intersect => a.and(b),
                        SetOp::Minus => a.minus(b),
                    }
                })
            }
            Set::Local(..)
            | Set::Var(..)
            | Set::Empty
            | Set::Occupied
            | Set::Index(..)
            | Set::IndexByMe(..)
            | Set::IndexBy(..)
            | Set::TokenSites(..)
            | Set::Playing
            | Set::One(..)
            | Set::Some(..)
            | Set::If(..)
            | Set::Filter(..)
            | Set::Top(..)
            | Set::Fold(..)
            | Set::ByLocal(..)
            | Set::ByMeAnd(..)
            | Set::ByPiece(..)
            | Set::Table(..)
            | Set::Path(..)
            | Set::Reach(..)
            | Set::Ends(..)
            | Set::Takes(..)
            | Set::WayTaken(..)
            | Set::Toward(..)
            | Set::Around(..)
            | Set::Ray(..)
            | Set::Between(..)
            | Set::Rectangle(..)
            | Set::Group(..)
            | Set::Rows(..)
            | Set::InRows(..)
            | Set::Memo(..)
            | Set::Inspected(..)
            | Set::Compared(..)
            | Set::With(..) => None,
        }
    }
}
