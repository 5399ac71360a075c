//! Setups that lay open what others cover: where an overlay stands on the usual alternative of a reading, what it replaces is in
//! force only with another one, which may not have been chosen together with the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::choices::{overlaid, within};
use super::resolve::resolve;
use super::{RuleFile, Setup};
use crate::syntax::ast::item::{Item, ItemKind};

/// Names of variants, or a reading with an alternative.
type Names = Vec<String>;
type Chosen = (String, String);

/// The readings of which overlays name the usual alternative, and each two that one of them names.
#[derive(Default)]
struct Covered {
    all: BTreeSet<String>,
    pairs: BTreeSet<(String, String)>,
}

impl RuleFile {
    /// For everything that overlays are chosen by, the same with other alternatives of the readings of which they name the usual one:
    /// of all of them at once, of each, and of each two. What it takes is added to `work`.
    pub(super) fn uncovered(&self, work: &mut u64) -> Vec<Setup> {
        let mut overlays: Vec<Setup> = self.overlays().flat_map(|item| overlaid(item, &Setup::default())).collect();
        for item in self.variants() {
            if let ItemKind::Variant { name, .. } = &item.kind {
                let variant = Setup { variants: vec![name.node.clone()], ..Setup::default() };
                within(item.kind.items(), &variant, &mut overlays);
            }
        }
        let mut by_variants: BTreeMap<Names, Vec<Vec<Chosen>>> = BTreeMap::new();
        for overlay in overlays.into_iter().filter(|overlay| !overlay.readings.is_empty()) {
            by_variants.entry(overlay.variants).or_default().push(overlay.readings);
        }
        let mut found = Vec::new();
        for (variants, overlays) in by_variants {
            let variants = Setup { variants, ..Setup::default() };
            let resolved = resolve(self, &variants);
            *work += self.laying() + resolved.work;
            let readings: BTreeMap<&str, Vec<&str>> =
                resolved.items.iter().filter_map(|item| alternatives(item)).collect();
            let is_usual = |(name, value): &Chosen| {
                readings.get(name.as_str()).is_some_and(|all| all.first() == Some(&value.as_str()))
            };
            // What is chosen besides, and the readings of which overlays name the usual alternative.
            let mut covered: BTreeMap<Vec<Chosen>, Covered> = BTreeMap::new();
            for chosen in overlays {
                let (usual, rest): (Vec<Chosen>, Vec<Chosen>) = chosen.into_iter().partition(is_usual);
                let usual: Vec<String> = usual.into_iter().map(|(name, _)| name).collect();
                let covered = covered.entry(rest).or_default();
                for (at, one) in usual.iter().enumerate() {
                    covered.pairs.extend(usual[at + 1..].iter().map(|other| (one.clone(), other.clone())));
                }
                covered.all.extend(usual);
            }
            for (rest, covered) in covered {
                let others = |name: &String| {
                    let (name, all) = readings.get_key_value(name.as_str())?;
                    all.get(1..).filter(|all| !all.is_empty()).map(|all| (*name, all))
                };
                let all: Vec<(&str, &[&str])> = covered.all.iter().filter_map(others).collect();
                let most = all.iter().map(|(_, values)| values.len()).max().unwrap_or_default();
                let at_once =
                    (0..most).map(|at| all.iter().map(|(name, values)| (*name, values[at % values.len()])).collect());
                let alone = all.iter().flat_map(|(name, values)| values.iter().map(|value| vec![(*name, *value)]));
                let pairs = covered.pairs.iter().filter_map(|(one, two)| Some((others(one)?, others(two)?)));
                let pairs = pairs.flat_map(|((one, first), (two, second))| {
                    first.iter().flat_map(move |a| second.iter().map(move |b| vec![(one, *a), (two, *b)]))
                });
                found.extend(at_once.chain(alone).chain(pairs).map(|chosen: Vec<(&str, &str)>| {
                    let chosen = chosen.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
                    Setup { readings: rest.iter().cloned().chain(chosen).collect(), ..variants.clone() }
                }));
            }
        }
        // Single readings are chosen anyhow.
        let mut seen: Vec<Setup> = Vec::new();
        for one in found {
            if one.readings.len() + one.variants.len() > 1 && !seen.contains(&one) {
                seen.push(one);
            }
        }
        seen
    }
}

/// The alternatives of a reading, the usual one first.
fn alternatives(item: &Item) -> Option<(&str, Vec<&str>)> {
    let ItemKind::Reading(name, all, _) = item.kind.replaced() else { return None };
    Some((name.node.as_str(), all.iter().map(|one| one.node.as_str()).collect()))
}
