//! Members of lists: searched, and filtered in place.

use std::collections::HashSet;

/// Up to this many members are searched one after the other.
const FEW: usize = 32;

/// Whether a number is among others.
pub(super) fn among(members: &[i64]) -> impl FnMut(&i64) -> bool {
    let many: HashSet<i64> = if members.len() > FEW { members.iter().copied().collect() } else { HashSet::new() };
    move |member| if many.is_empty() { members.contains(member) } else { many.contains(member) }
}

/// Filters the members from an index on; those before are not looked at.
pub(super) fn keep(list: &mut Vec<i64>, start: usize, mut keeps: impl FnMut(&i64) -> bool) {
    let mut kept = start;
    for at in start..list.len() {
        let member = list[at];
        if keeps(&member) {
            list[kept] = member;
            kept += 1;
        }
    }
    list.truncate(kept);
}
