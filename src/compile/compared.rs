//! What is inspected only for whether it is in a mask: it matters only if a piece in the mask comes or goes.

use super::program::{Number, Route, Set, SetPath};
use crate::base::Word;
use crate::ir::SetOp;

/// Its members count as inspected.
pub(super) fn wrap<W: Word>(set: &mut Set<W>) {
    // The ends of paths are inspected on the way.
    if !matches!(set, Set::Inspected(_) | Set::Path(_)) {
        let inner = std::mem::replace(set, Set::Empty);
        *set = Set::Inspected(Box::new(inner));
    }
}

/// Whether a path leads straight on through empty sites and onto whatever ends the way.
fn sees_straight<W: Word>(route: &Route<W>) -> bool {
    let named = |number: &Number<W>| matches!(number, Number::Local(_) | Number::Const(_));
    let plain = |set: &Set<W>| matches!(set, Set::Local(_)) || matches!(set, Set::One(number) if named(number));
    let from = if let Set::Inspected(inner) = &route.from { inner } else { &route.from };
    let start = |number: &Number<W>| matches!(number, Number::Local(at) if *at == route.start);
    let lifted =
        |both: &(Set<W>, Set<W>)| matches!(both.0, Set::Empty) && matches!(&both.1, Set::One(number) if start(number));
    let through_empty =
        |set: &Set<W>| matches!(set, Set::Empty) || matches!(set, Set::Op(SetOp::Union, both) if lifted(both));
    let SetPath::Rays(sets, None) = &route.walk else { return false };
    route.binds.is_empty()
        && route.outlook.is_none()
        && plain(from)
        && matches!(sets.0, Set::Const(_))
        && through_empty(&sets.1)
        && matches!(sets.2, Set::Const(_))
}

/// Its members count as inspected, as far as it matters whether they are in a mask.
pub(super) fn compare<W: Word>(set: &mut Set<W>, mask: Option<Set<W>>) {
    match mask {
        None => wrap(set),
        // The ends of paths are inspected on the way.
        Some(_) if matches!(set, Set::Inspected(_)) => {}
        Some(_) if matches!(set, Set::Path(route) if !sees_straight(route)) => {}
        Some(mask) => {
            let inner = std::mem::replace(set, Set::Empty);
            *set = Set::Compared(Box::new((inner, mask)));
        }
    }
}
