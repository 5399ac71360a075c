//! Attribution: reports are given the place of their cause.

use std::sync::Arc;

use super::overrides::Changed;
use crate::base::{FileId, Span};
use crate::report::{Report, Reports, Severity};
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

/// Unused items of an extended file are not reported, since that file uses them; but a setting that it still offers
/// should make a difference.
pub(super) fn unused(items: &[Arc<Item>], reports: &mut Reports) {
    let offered = |span: Span| {
        let settled = |item: &&Arc<Item>| matches!(&item.kind, ItemKind::Option { name, .. } | ItemKind::Reading(name, ..) if name.span == span);
        items.iter().find(settled).map(|item| item.key())
    };
    let elsewhere =
        |report: &Report| report.code.severity() == Severity::Warning && report.span.file != FileId::default();
    for report in reports.iter_mut().filter(|report| elsewhere(report)) {
        if let Some(key) = offered(report.span) {
            report.help = Some(format!("it has no use in this version: write `remove {key}`"));
        }
    }
    reports.retain(|report| !elsewhere(report) || offered(report.span).is_some());
}
