//! What a setup applies to the items of a rule file before name resolution: variants and overlays, layer by layer.
//!
//! An override must have a target; an addition must not. Two layers of which neither depends on all the choices of the other do
//! not know of each other: where they change the same thing, a layer that depends on all their choices says how they join, or it
//! is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::links::Links;
use super::overlay::{Choice, Layer, layers};
use super::overrides::{Planned, carry_out, plan};
use super::target::{Changed, Target, holds};
use super::variant::{chosen, variants};
use super::{RuleFile, Setup};
use crate::base::Span;
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};

/// A rule file with the variants and readings of a setup applied.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    /// The items after all overrides.
    pub(super) items: Vec<Arc<Item>>,
    /// The variants played with their clauses.
    pub(super) variants: Vec<(Ident, Vec<Cite>)>,
    /// The changes made by the layers and by extending files.
    pub(super) changed: Vec<Changed>,
    /// The overlays that were applied.
    pub(super) active: Vec<Span>,
    /// The readings that overlays depend on.
    pub(super) tested: BTreeSet<String>,
    pub(super) links: Links,
    /// What is in conflict; the reports are among the others, too.
    pub(super) clashes: Vec<Clash>,
    pub(super) reports: Reports,
    /// How many steps it took to compare the changes of the layers with each other.
    pub(super) work: u64,
}

impl Resolved {
    /// Whether something is in conflict however it is chosen.
    pub(super) fn is_torn(&self) -> bool {
        self.clashes.iter().any(|clash| clash.always)
    }
}

/// A conflict of layers, or of the choices of one.
#[derive(Clone, Debug)]
pub(super) struct Clash {
    /// All that has to be chosen for it.
    pub(super) choices: Vec<Choice>,
    /// Whether some layer is never laid without it: no other choice avoids it, so the rules are at fault.
    pub(super) always: bool,
    pub(super) report: Report,
}

/// Applies what a setup chooses to a rule file.
pub(super) fn resolve(file: &RuleFile, setup: &Setup) -> Resolved {
    let mut dropped = BTreeSet::new();
    let mut work = 0;
    loop {
        let (mut resolved, late) = attempt(file, setup, &mut dropped);
        work += resolved.work;
        if !late {
            resolved.work = work;
            return resolved;
        }
    }
}

/// Applies what a setup chooses but for the changes that are dropped, and adds those that a joint layer makes otherwise. Returns
/// whether one of them had been made already: then all is done once more without it.
fn attempt(file: &RuleFile, setup: &Setup, dropped: &mut BTreeSet<Span>) -> (Resolved, bool) {
    let kept = |item: &&Arc<Item>| !matches!(item.kind, ItemKind::Variant { .. } | ItemKind::With(..));
    let mut resolved = Resolved {
        items: file.items.iter().filter(kept).cloned().collect(),
        variants: Vec::new(),
        changed: Vec::new(),
        active: Vec::new(),
        tested: file.items.iter().flat_map(|item| tested(item)).collect(),
        links: Links::default(),
        clashes: Vec::new(),
        reports: file.reports.clone(),
        work: 0,
    };
    let offered = variants(file);
    let chosen = chosen(file, &setup.variants, &mut resolved);
    let overlays: Vec<Arc<Item>> = file.overlays().cloned().collect();
    let layers = layers(&overlays, (&chosen, &offered), setup, &mut resolved);
    let mut before: Vec<(&Layer, Changed)> = Vec::new();
    let mut late = false;
    for alike in layers.chunk_by(|one, two| one.level == two.level) {
        let planned: Vec<Vec<Planned>> = alike
            .iter()
            .map(|layer| plan(&resolved.items, &layer.items, &mut resolved.reports, &mut resolved.links))
            .collect();
        let joined = conflicts(alike, &planned, (&before, &layers), file, &mut resolved);
        late |= before.iter().any(|(_, one)| joined.contains(&one.place) && !dropped.contains(&one.place));
        dropped.extend(joined);
        let whole = alike.iter().map(|layer| layer.items.clone()).zip(planned).collect();
        let made = carry_out(&mut resolved.items, whole, dropped, &mut resolved.reports, &mut resolved.links);
        before.extend(alike.iter().zip(made).flat_map(|(layer, made)| made.into_iter().map(move |one| (layer, one))));
    }
    resolved.changed = before.into_iter().map(|(_, changed)| changed).collect();
    resolved.variants = chosen.iter().map(|variant| (variant.name.clone(), variant.cites.to_vec())).collect();
    resolved.changed.extend(file.changed.iter().cloned());
    (resolved, late)
}

/// The readings that an overlay and those in it, or in a variant, depend on.
fn tested(item: &Item) -> Vec<String> {
    let own = item.kind.conditions().iter().filter(|choice| choice.value.is_some());
    own.map(|choice| choice.name.node.clone()).chain(item.kind.items().iter().flat_map(tested)).collect()
}

/// Two layers that change the same thing, each with what it changes and where.
type Meeting<'a> = [(&'a Layer, &'a Target, Span); 2];

/// Reports what layers change although others do, and returns the changes that a joint layer makes otherwise.
fn conflicts(
    alike: &[Layer],
    planned: &[Vec<Planned>],
    (before, layers): (&[(&Layer, Changed)], &[Layer]),
    file: &RuleFile,
    resolved: &mut Resolved,
) -> BTreeSet<Span> {
    let deepest = layers.iter().map(|layer| layer.level).max().unwrap_or_default();
    let mut joints = Joints { layers, deepest, items: &resolved.items, planned: BTreeMap::new(), work: 0 };
    let mut dropped = BTreeSet::new();
    // By item: changes of different items never meet.
    let mut known: BTreeMap<&str, Vec<(&Layer, &Target, Span)>> = BTreeMap::new();
    for (layer, one) in before {
        known.entry(&one.what.item).or_default().push((*layer, &one.what, one.place));
    }
    let all = alike
        .iter()
        .zip(planned)
        .flat_map(|(layer, planned)| planned.iter().map(move |one| (layer, &one.what, one.place)));
    for mine in all {
        let same = known.entry(&mine.1.item).or_default();
        joints.work += same.len() as u64;
        let others: Vec<(&Layer, &Target, Span)> = same
            .iter()
            .copied()
            .filter(|other| !std::ptr::eq(other.0, mine.0) && !mine.0.knows(other.0))
            .filter(|other| other.1.meets(mine.1) || mine.1.statement().is_some_and(|place| holds(other.2, place)))
            .collect();
        same.push(mine);
        // One report for each place, besides that of what is in conflict always.
        let (mut told, mut torn) = (false, false);
        for other in others {
            let done_otherwise = joints.joins([other, mine]);
            if !done_otherwise.is_empty() {
                dropped.extend(done_otherwise);
                continue;
            }
            let both = if torn { None } else { joints.needing([other.0, mine.0]) };
            if told && both.is_none() {
                if torn && !joints.may_join(mine.0) {
                    break;
                }
                continue;
            }
            (told, torn) = (true, torn || both.is_some());
            let clash = clash([other, mine], both);
            resolved.reports.push(clash.report.clone());
            resolved.clashes.push(clash);
        }
        if let Some(report) = above(mine, &file.changed) {
            resolved.reports.push(report);
        }
    }
    resolved.work += joints.work;
    dropped
}

/// The layers that say how others join.
struct Joints<'a> {
    layers: &'a [Layer],
    /// The level of the topmost.
    deepest: usize,
    items: &'a [Arc<Item>],
    planned: BTreeMap<usize, Vec<Planned>>,
    /// How many layers and changes it looked at.
    work: u64,
}

impl<'a> Joints<'a> {
    /// Whether some layer may be laid over this one.
    fn may_join(&self, layer: &Layer) -> bool {
        self.deepest > layer.level
    }

    /// Those of two changes that a layer makes otherwise which depends on the choices of both: all that such a change does, the layer
    /// changes itself. If it is the change of a part of what the other one changes, that other one stays, and the layer is laid over it.
    fn joins(&mut self, [one, two]: Meeting<'_>) -> Vec<Span> {
        // Many layers may meet, and mostly none depends on more.
        if !self.may_join(one.0) || !self.may_join(two.0) {
            return Vec::new();
        }
        let (items, all) = (self.items, self.layers);
        let deeper = deeper(all, [one.0, two.0]);
        self.work += deeper.len() as u64;
        let first = all.len() - deeper.len();
        let mut made = Vec::new();
        for (at, layer) in (first..).zip(deeper).filter(|(_, layer)| layer.refines(one.0) && layer.refines(two.0)) {
            let planned = self
                .planned
                .entry(at)
                .or_insert_with(|| plan(items, &layer.items, &mut Reports::default(), &mut Links::default()));
            self.work += planned.len() as u64;
            let covers = |what: &Target| planned.iter().any(|joint| joint.what.covers(what));
            made.extend([one, two].iter().filter(|(_, what, _)| covers(what)).map(|(_, _, place)| *place));
        }
        made
    }

    /// A layer that depends on the choices of two others, or of which one is: it is never laid without both of them.
    fn needing(&mut self, [one, two]: [&'a Layer; 2]) -> Option<&'a Layer> {
        let deeper = deeper(self.layers, [one, two]);
        self.work += deeper.len() as u64;
        // What holds nothing but other overlays is played as they are.
        let mut all = [one, two].into_iter().chain(deeper.iter().filter(|layer| !layer.items.is_empty()));
        all.find(|layer| [one, two].iter().flat_map(|of| &of.choices).all(|it| layer.choices.contains(it)))
    }
}

/// The layers above either of two: among them those that need both, unless one of the two does.
fn deeper<'a>(layers: &'a [Layer], [one, two]: [&Layer; 2]) -> &'a [Layer] {
    let most = one.level.max(two.level);
    layers.get(layers.partition_point(|layer| layer.level <= most)..).unwrap_or_default()
}

/// The conflict of two layers; `both` is a layer that needs both, so that it can never be played.
fn clash([one, two]: Meeting<'_>, both: Option<&Layer>) -> Clash {
    let mut choices = one.0.choices.clone();
    choices.extend(two.0.choices.iter().filter(|choice| !one.0.choices.contains(choice)).cloned());
    let shown = two.1.shown();
    let all = choices.join(" and ");
    // Layers that are laid one over the other are in no conflict, so neither depends on more than the other.
    let same = choices.len() == one.0.choices.len() && choices.len() == two.0.choices.len();
    if two.0.refines(one.0) {
        let message = format!("{} changes {shown}, and so does {} in this file", two.0.shown(), one.0.shown());
        return Clash {
            report: Report::new(Code::Conflict, one.2, message)
                .also(two.2, "changed here")
                .help(format!("say how the two join: write `replace with {all} {{ … }}`, with all that it changes")),
            choices,
            always: both.is_some(),
        };
    }
    let message = if same && one.0.variant != two.0.variant {
        format!("the variant `{all}` and an overlay that depends on it both change {shown}")
    } else if same {
        format!("two overlays that depend on `{all}` both change {shown}")
    } else if one.0.variant && two.0.variant {
        format!("two of the selected variants change {shown}")
    } else {
        format!("{} and {} both change {shown}", one.0.shown(), two.0.shown())
    };
    let report = Report::new(Code::Conflict, two.2, message).also(one.2, "here");
    let report = match both {
        Some(_) if same && one.2.file == two.2.file => {
            report.help("neither is made without the other: keep one of the two changes")
        }
        Some(_) if same => {
            let kind = if one.0.variant || two.0.variant { "variant" } else { "with" };
            report.help(format!(
                "neither is made without the other: write `replace {kind} {all} {{ … }}`, with all that it changes"
            ))
        }
        Some(both) => {
            let needs = both.shown();
            report
                .also(both.place, "this overlay needs both")
                .help(format!("say in `with {all} {{ … }}` how they join: without that, {needs} can never be played"))
        }
        None => report.help(format!("choose one of them, or say in `with {all} {{ … }}` how they join")),
    };
    Clash { choices, always: both.is_some(), report }
}

/// What a layer changes must not be changed by files that extend its own, which it cannot know of.
fn above((layer, what, place): (&Layer, &Target, Span), files: &[Changed]) -> Option<Report> {
    // Files are numbered from the outermost extending file inwards.
    let above = |file| file < layer.place.file;
    let whole = files.iter().find(|other| above(other.place.file) && other.what.meets(what)).map(|other| other.place);
    let other = whole.or(what.statement().filter(|statement| above(statement.file)))?;
    let message = format!("{} changes {}, and so does this file", layer.shown(), what.shown());
    let choices = layer.choices.join(" and ");
    let help = if layer.variant {
        format!("play without the variant, or write `replace variant {choices} {{ … }}`")
    } else {
        format!("play without it, or write `replace with {choices} {{ … }}`")
    };
    Some(Report::new(Code::Conflict, other, message).also(place, "changed here").help(help))
}
