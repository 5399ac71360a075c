//! Reports of the checker, for people and for programs.

use serde_json::Value;

use super::ui::Ui;
use crate::base::Sources;
use crate::report::{Rendered, Report, Reports, Style, render};

/// The maximum width of a report.
const WIDTH: usize = 100;

/// Prints reports on standard error.
pub(super) fn show_reports(ui: Ui, sources: &Sources, reports: &Reports) {
    for report in reports.sorted() {
        if ui.is_json() {
            ui.note(report_json(sources, report).to_string());
        } else {
            ui.note(report_text(sources, report));
        }
    }
}

/// A report for people, without colours where they cannot be displayed.
pub(super) fn report_text(sources: &Sources, report: &Report) -> String {
    match render(report, sources, Style::Human { colour: true, width: WIDTH }) {
        Rendered::Text(text) => text,
        Rendered::Record(record) => record.message,
    }
}

/// A report for programs.
pub(super) fn report_json(sources: &Sources, report: &Report) -> Value {
    serde_json::to_value(render(report, sources, Style::Json)).unwrap_or_default()
}
