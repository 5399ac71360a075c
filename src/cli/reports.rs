//! Reports of the checker, for people and for programs.

use serde_json::{Value, json};

use super::ui::Ui;
use crate::base::Sources;
use crate::report::{Report, Reports, Severity, Style, render};

/// Shows reports on standard error.
pub(super) fn show_reports(ui: Ui, sources: &Sources, reports: &Reports) {
    for report in reports.sorted() {
        if ui.is_json() {
            ui.note(report_json(sources, report).to_string());
        } else {
            ui.note(report_text(sources, report));
        }
    }
}

/// A report for people.
pub(super) fn report_text(sources: &Sources, report: &Report) -> String {
    render(sources, report, Style::Colour)
}

/// A report for programs.
pub(super) fn report_json(sources: &Sources, report: &Report) -> Value {
    let place = |span| {
        let (line, column) = sources.line_column(span);
        let file = sources.get(span.file).map(|source| source.name.clone());
        json!({"file": file, "line": line, "column": column, "start": span.start, "end": span.end})
    };
    let severity = match report.code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let also: Vec<Value> = report.also.iter().map(|(span, label)| json!({"place": place(*span), "label": label})).collect();
    json!({
        "code": report.code.text(),
        "severity": severity,
        "place": place(report.span),
        "message": report.message,
        "label": report.label,
        "help": report.help,
        "also": also,
        "fix": report.fix.as_ref().map(|fix| json!({"place": place(fix.span), "text": fix.text})),
    })
}
