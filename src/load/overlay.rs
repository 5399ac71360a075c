//! Overlays: what changes if variants and alternative readings are chosen, in layers.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::Setup;
use super::links::Links;
use super::overrides::override_with;
use super::resolve::{Clash, Resolved};
use super::variant::Variant;
use crate::base::{Span, nearest};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::part::Condition;

/// A choice that a layer depends on: a variant, or a reading with its alternative; as written.
pub(super) type Choice = String;

/// Changes that are made together.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// All that has to be chosen.
    pub(super) choices: Vec<Choice>,
    /// Whether it is what a variant changes by itself.
    pub(super) variant: bool,
    /// How many layers it is laid over, one over the other: those that depend on some of its choices alone.
    pub(super) level: usize,
    /// The place of its first words.
    pub(super) place: Span,
    pub(super) items: Vec<Item>,
}

impl Layer {
    /// In quotes, as written in rules.
    pub(super) fn shown(&self) -> String {
        let choices = self.choices.join(" and ");
        if self.variant { format!("the variant `{choices}`") } else { format!("`{choices}`") }
    }

    /// Whether it is laid over another layer and may change what that has changed. Of a layer of a file that extends its own it
    /// cannot know.
    pub(super) fn knows(&self, other: &Self) -> bool {
        // Files are numbered from the outermost extending file inwards.
        self.refines(other) && self.place.file <= other.place.file
    }

    /// Whether it depends on another layer's choices, and on more.
    pub(super) fn refines(&self, other: &Self) -> bool {
        self.choices.len() > other.choices.len() && other.choices.iter().all(|choice| self.choices.contains(choice))
    }
}

/// A reading: its name and alternatives, the default first.
type Reading = (Ident, Vec<Ident>);

fn readings(items: &[Arc<Item>]) -> Vec<Reading> {
    let reading = |item: &Arc<Item>| {
        if let ItemKind::Reading(name, alternatives, _) = &item.kind {
            Some((name.clone(), alternatives.clone()))
        } else {
            None
        }
    };
    items.iter().filter_map(reading).collect()
}

/// The items that are no overlays.
fn plain(items: &[Item]) -> Vec<Item> {
    items.iter().filter(|item| !matches!(item.kind, ItemKind::With(..))).cloned().collect()
}

/// The layers that a setup chooses, each behind those that it is laid over, and else in the order of the files, that which is
/// extended before that which extends it; `overlays` are the overlays of the file itself.
pub(super) fn layers(
    overlays: &[Arc<Item>],
    (chosen, offered): (&[Variant<'_>], &[Variant<'_>]),
    setup: &Setup,
    resolved: &mut Resolved,
) -> Vec<Layer> {
    let mut found: Vec<Layer> = Vec::new();
    for variant in chosen {
        let choices = vec![variant.name.node.clone()];
        found.push(Layer { choices, variant: true, level: 0, place: variant.name.span, items: plain(variant.items) });
    }
    let rank = |layer: &Layer| (layer.level, Reverse(layer.place.file), layer.place.start);
    if overlays.is_empty() && chosen.iter().all(|variant| plain(variant.items).len() == variant.items.len()) {
        found.sort_by_key(rank);
        return found;
    }
    let before = readings(&resolved.items);
    let mut scratch = resolved.items.clone();
    for layer in &found {
        override_with(&mut scratch, layer.items.clone(), &mut Reports::default(), &mut Links::default());
    }
    let mut search = Search { chosen, offered, setup, now: readings(&scratch), before, resolved, found };
    for item in overlays {
        search.overlay(item, &[]);
    }
    for variant in chosen {
        for item in variant.items {
            search.overlay(item, &[Condition { name: variant.name.clone(), value: None }]);
        }
    }
    let mut found = search.found;
    found.sort_by_key(|layer| layer.choices.len());
    for at in 0..found.len() {
        let (below, rest) = found.split_at_mut(at);
        let Some(layer) = rest.first_mut() else { break };
        search.resolved.work += below.len() as u64;
        // What holds nothing but other overlays changes nothing.
        let under = below.iter().filter(|other| !other.items.is_empty() && layer.refines(other));
        layer.level = under.map(|other| other.level + 1).max().unwrap_or_default();
    }
    found.sort_by_key(rank);
    found
}

/// Looks for the overlays that hold.
struct Search<'f, 'l> {
    chosen: &'l [Variant<'f>],
    offered: &'l [Variant<'f>],
    setup: &'l Setup,
    /// The readings with the chosen variants.
    now: Vec<Reading>,
    /// Those without.
    before: Vec<Reading>,
    resolved: &'l mut Resolved,
    found: Vec<Layer>,
}

impl Search<'_, '_> {
    fn overlay(&mut self, item: &Item, outer: &[Condition]) {
        let ItemKind::With(conditions, items) = &item.kind else { return };
        let variants = conditions.iter().filter(|choice| choice.value.is_none());
        let mut holds = true;
        for variant in variants {
            holds &= self.variant(&variant.name);
        }
        // A variant may declare readings of its own, so readings are known if it is played.
        let possible = holds;
        for choice in conditions {
            if let Some(value) = choice.value.as_ref().filter(|_| possible) {
                holds &= self.reading(choice, value);
            }
        }
        // What is named twice is one choice.
        let mut all = outer.to_vec();
        for choice in conditions {
            self.impossible(&all, choice);
            if all.iter().all(|other| other.shown() != choice.shown()) {
                all.push(choice.clone());
            }
        }
        for inner in items.iter().filter(|_| holds) {
            self.overlay(inner, &all);
        }
        if holds {
            self.resolved.active.push(item.span);
            let items = plain(items);
            self.unsettling(&items);
            let place = conditions.first().map_or(item.span, |choice| choice.name.span);
            let choices = all.iter().map(Condition::shown).collect();
            self.found.push(Layer { choices, variant: false, level: 0, place, items });
        }
    }

    /// Reports a choice that is never made together with another one that its overlay depends on.
    fn impossible(&mut self, others: &[Condition], choice: &Condition) {
        let named = |choice: &Condition| {
            let unvalued = choice.value.is_none();
            self.offered.iter().find(|variant| unvalued && variant.name.node == choice.name.node)
        };
        for other in others {
            let message = if let (Some(one), Some(two)) = (named(other), named(choice)) {
                // A file that extends the overlay's own may exclude what it cannot know of.
                let known = |variant: &Variant<'_>| variant.name.span.file >= choice.name.span.file;
                if !(one.excludes(two) && known(one) || two.excludes(one) && known(two)) {
                    continue;
                }
                format!("the variants `{}` and `{}` exclude each other", one.name.node, two.name.node)
            } else if other.name.node == choice.name.node && other.value.is_some() && other.value != choice.value {
                format!("`{}` and `{}` are never chosen together", other.shown(), choice.shown())
            } else {
                continue;
            };
            let report = Report::new(Code::Conflict, choice.name.span, message)
                .also(other.name.span, "here")
                .help("an overlay that depends on both can never be played: remove one of them, or the overlay");
            self.resolved.reports.push(report.clone());
            let choices = vec![other.shown(), choice.shown()];
            self.resolved.clashes.push(Clash { choices, always: true, report });
        }
    }

    fn variant(&mut self, name: &Ident) -> bool {
        let Some(found) = self.offered.iter().find(|variant| variant.name.node == name.node) else {
            let report = Report::new(Code::UnknownName, name.span, format!("there is no variant `{}`", name.node));
            let report = match self.now.iter().find(|(reading, _)| reading.node == name.node) {
                Some((reading, all)) => {
                    let other = all.get(1).map_or("…", |other| other.node.as_str());
                    report
                        .help(format!("of a reading say which alternative: `with {} == {other} {{ … }}`", reading.node))
                }
                None => report.suggest(nearest(&name.node, self.offered.iter().map(|known| known.name.node.as_str()))),
            };
            self.resolved.reports.push(report);
            return false;
        };
        self.resolved.links.used(name.span, found.name.span);
        self.chosen.iter().any(|variant| variant.name.node == name.node)
    }

    fn reading(&mut self, choice: &Condition, value: &Ident) -> bool {
        let name = &choice.name;
        let Some((reading, alternatives)) = self.now.iter().find(|(reading, _)| reading.node == name.node) else {
            // A variant may do without a reading of the rules it changes.
            if self.before.iter().all(|(reading, _)| reading.node != name.node) {
                let near = nearest(&name.node, self.now.iter().map(|(reading, _)| reading.node.as_str()));
                let report = Report::new(Code::UnknownName, name.span, format!("there is no reading `{}`", name.node));
                self.resolved.reports.push(report.suggest(near));
            }
            return false;
        };
        self.resolved.links.used(name.span, reading.span);
        let Some(alternative) = alternatives.iter().find(|other| other.node == value.node) else {
            let message = format!("the reading `{}` has no alternative `{}`", name.node, value.node);
            let near = nearest(&value.node, alternatives.iter().map(|other| other.node.as_str()));
            let all: Vec<&str> = alternatives.iter().map(|other| other.node.as_str()).collect();
            let report = Report::new(Code::UnknownName, value.span, message).suggest(near);
            self.resolved.reports.push(report.help(format!("the alternatives are {}", all.join(" or "))));
            return false;
        };
        self.resolved.links.used(value.span, alternative.span);
        let wanted = self.setup.readings.iter().find(|(reading, _)| *reading == name.node).map(|(_, value)| value);
        wanted.or(alternatives.first().map(|first| &first.node)) == Some(&value.node)
    }

    /// Reports changes of readings: which alternative is chosen must be known before any overlay is laid.
    fn unsettling(&mut self, items: &[Item]) {
        let known: BTreeSet<&str> = self.now.iter().map(|(name, _)| name.node.as_str()).collect();
        for item in items {
            let settles = if let ItemKind::Set(path, _) = &item.kind {
                path.len() == 1 && path.iter().all(|name| known.contains(name.node.as_str()))
            } else if let ItemKind::Remove(word, _) = &item.kind {
                word.node == "reading"
            } else {
                matches!(item.kind.replaced(), ItemKind::Reading(..))
            };
            if settles {
                let message = "a reading cannot depend on what else is chosen";
                let report = Report::new(Code::Misplaced, item.span, message);
                self.resolved.reports.push(report.help("declare or set it in the file itself or in a variant"));
            }
        }
    }
}
