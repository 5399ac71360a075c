//! Attribution: reports are given the place of their cause.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::target::Changed;
use crate::base::{FileId, Sources, Span};
use crate::report::{Code, Report, Reports, Severity};
use crate::syntax::Words;
use crate::syntax::ast::item::{Item, ItemKind};

/// Errors in items that no override touches are caused by overrides, since the file was correct before: each is
/// attributed to the override that mentions the same thing, or to the only one there is.
pub(super) fn overrides(brought: &[Changed], reports: &mut Reports) {
    for report in reports.iter_mut().filter(|report| report.code.severity() == Severity::Error) {
        let within = |change: &Changed| {
            let (inner, outer) = (report.span, change.place);
            inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
        };
        if brought.iter().any(within) || report.also.iter().any(|(span, _)| brought.iter().any(|c| c.place == *span)) {
            continue;
        }
        let words: Vec<&str> = report.message.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let speaks = |change: &&Changed| change.what.names().any(|name| words.contains(&name));
        let cause = brought.iter().find(speaks).or(match brought {
            [only] => Some(only),
            _ => None,
        });
        if let Some(cause) = cause {
            report.also.push((cause.place, "caused by this change".to_owned()));
        }
    }
}

/// What only variants and overlays use is not unused; and a reading that overlays depend on has an effect, though no
/// rule compares it.
pub(super) fn overlaid<'i>(
    items: &[Arc<Item>],
    overlays: impl Iterator<Item = &'i Arc<Item>>,
    tested: &BTreeSet<String>,
    sources: &Sources,
    reports: &mut Reports,
) {
    if !reports.iter_mut().any(|report| idle(report)) {
        return;
    }
    let reading = |item: &Arc<Item>| {
        if let ItemKind::Reading(name, ..) = &item.kind { Some(name.span) } else { None }
    };
    let readings: BTreeSet<Span> = items.iter().filter_map(reading).collect();
    let texts: Vec<&str> = overlays.map(|item| sources.slice(item.span)).collect();
    let words: BTreeSet<&str> = texts.iter().flat_map(|text| Words::new(text)).map(|word| word.text).collect();
    reports.retain(|report| {
        let name = sources.slice(report.span);
        let used = if readings.contains(&report.span) { tested.contains(name) } else { words.contains(name) };
        !(idle(report) && used)
    });
}

fn idle(report: &Report) -> bool {
    matches!(report.code, Code::Unused | Code::NeverRead | Code::NoEffect)
}

/// Unused items of an extended file are not reported, since that file uses them; but a setting that it still offers
/// should make a difference.
pub(super) fn unused(items: &[Arc<Item>], reports: &mut Reports) {
    let offered = |span: Span| {
        let settled = |item: &&Arc<Item>| matches!(&item.kind, ItemKind::Option { name, .. } | ItemKind::Reading(name, ..) if name.span == span);
        items.iter().find(settled).map(|item| item.key())
    };
    // What its rules tell depends on what this version hides.
    let elsewhere = |report: &Report| {
        report.code.severity() == Severity::Warning
            && report.code != Code::Tells
            && report.span.file != FileId::default()
    };
    for report in reports.iter_mut().filter(|report| elsewhere(report)) {
        if let Some(key) = offered(report.span) {
            report.help = Some(format!("it has no use in this version: write `remove {key}`"));
        }
    }
    reports.retain(|report| !elsewhere(report) || offered(report.span).is_some());
}
