//! What overlays and readings are chosen by, as setups that can be joined.

use super::Setup;
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Item, ItemKind};

/// The choices of an overlay and of those in it, on top of others; nothing if it can never be chosen.
pub(super) fn overlaid(item: &Item, outer: &Setup) -> Vec<Setup> {
    let conditions = item.kind.conditions();
    if conditions.is_empty() {
        return Vec::new();
    }
    let mut mine = Setup::default();
    for choice in conditions {
        match &choice.value {
            Some(value) => mine.readings.push((choice.name.node.clone(), value.node.clone())),
            None => mine.variants.push(choice.name.node.clone()),
        }
    }
    let Some(mine) = both(outer, &mine) else { return Vec::new() };
    let mut found = Vec::new();
    within(item.kind.items(), &mine, &mut found);
    found.push(mine);
    found
}

/// The same of the overlays among items.
pub(super) fn within(items: &[Item], outer: &Setup, found: &mut Vec<Setup>) {
    found.extend(items.iter().flat_map(|item| overlaid(item, outer)));
}

/// Every alternative of the readings among items, on top of other choices.
pub(super) fn alternatives<'i>(items: &'i [Item], outer: &'i Setup) -> impl Iterator<Item = Setup> + use<'i> {
    let readings = items.iter().filter_map(|item| {
        if let ItemKind::Reading(name, all, _) = item.kind.replaced() { Some((name, all)) } else { None }
    });
    readings.flat_map(move |(name, all)| {
        let chosen = move |value: &Ident| (name.node.clone(), value.node.clone());
        all.iter().skip(1).map(move |value| Setup { readings: vec![chosen(value)], ..outer.clone() })
    })
}

/// Whether a setup chooses all that another does.
pub(super) fn chooses(all: &Setup, one: &Setup) -> bool {
    one.readings.iter().all(|choice| all.readings.contains(choice))
        && one.variants.iter().all(|name| all.variants.contains(name))
}

/// Two setups together; none if they choose differently.
pub(super) fn both(one: &Setup, two: &Setup) -> Option<Setup> {
    let mut all = one.clone();
    let added = [(&mut all.readings, &two.readings), (&mut all.options, &two.options)];
    for (chosen, more) in added {
        for (name, value) in more {
            match chosen.iter().find(|(other, _)| other == name) {
                Some((_, other)) if other != value => return None,
                Some(_) => {}
                None => chosen.push((name.clone(), value.clone())),
            }
        }
    }
    all.variants.extend(two.variants.iter().filter(|name| !one.variants.contains(name)).cloned());
    Some(all)
}
