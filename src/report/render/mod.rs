//! How reports look: for people, with surrounding source text, and as records for programs.
//!
//! **Invariant:** offsets are bytes, columns are characters counted from 1, and both come from [`Sources`] alone.
//! Nothing is written anywhere.

use super::{Report, Severity};
use crate::base::{Sources, Span};
use serde::Serialize;

#[cfg(feature = "cli")]
mod human;

/// The style of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For people.
    Human {
        /// Whether to use colours.
        colour: bool,
        /// The maximum line width.
        width: usize,
    },
    /// For programs.
    Json,
}

/// A rendered report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Rendered {
    /// Lines of text.
    Text(String),
    /// One object.
    Record(Box<Diagnostic>),
}

/// A place, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line of the first character, from 1.
    pub line: usize,
    /// The column of the first character, from 1.
    pub column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column after the last character.
    pub end_column: usize,
    /// The first byte, from 0.
    pub offset: u32,
    /// The number of bytes.
    pub length: u32,
}

/// A related place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Elsewhere {
    /// Its label.
    pub label: String,
    /// Its place.
    #[serde(flatten)]
    pub place: Place,
}

/// An edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// Whether nothing else can have been meant: `check --fix` makes it.
    pub certain: bool,
    /// What it does, in a few words.
    pub message: String,
    /// The replacement.
    pub text: String,
    /// The range to replace.
    #[serde(flatten)]
    pub place: Place,
}

/// A report, for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The code, such as `check/unknown-name`.
    pub code: &'static str,
    /// What was found and expected.
    pub message: String,
    /// A label for the place.
    pub label: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// Related places.
    pub also: Vec<Elsewhere>,
    /// The fix, as an edit.
    pub fix: Option<Edit>,
}

/// Renders a report in a style.
#[must_use]
pub fn render(report: &Report, sources: &Sources, style: Style) -> Rendered {
    match style {
        Style::Human { colour, width } => Rendered::Text(text(report, sources, colour, width)),
        Style::Json => Rendered::Record(Box::new(diagnostic(report, sources))),
    }
}

#[cfg(feature = "cli")]
fn text(report: &Report, sources: &Sources, colour: bool, width: usize) -> String {
    human::text(report, sources, colour, width).unwrap_or_else(|| short(report, sources))
}

#[cfg(not(feature = "cli"))]
fn text(report: &Report, sources: &Sources, _colour: bool, _width: usize) -> String {
    short(report, sources)
}

/// One line per place, for builds without the graphical renderer and for places that fit no source.
fn short(report: &Report, sources: &Sources) -> String {
    let at = |span: Span| {
        let place = place(span, sources);
        format!("{}:{}:{}", place.file, place.line, place.column)
    };
    let severity = severity(report);
    let first = format!("{}: {severity} [{}]: {}\n", at(report.span), report.code.text(), report.message);
    let also = report.also.iter().map(|(span, label)| format!("  {}: {label}\n", at(*span)));
    let help = report.cure().into_iter().map(|help| format!("  help: {help}\n"));
    let mut text = first;
    text.extend(also);
    text.extend(help);
    text
}

fn severity(report: &Report) -> &'static str {
    match report.code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn place(span: Span, sources: &Sources) -> Place {
    let (line, column) = sources.line_column(span);
    let (end_line, end_column) = sources.line_column(Span { start: span.end, ..span });
    let file = sources.get(span.file).map_or_else(String::new, |source| source.name.clone());
    let length = span.end.saturating_sub(span.start);
    Place { file, line, column, end_line, end_column, offset: span.start, length }
}

/// A report as data.
#[must_use]
pub fn diagnostic(report: &Report, sources: &Sources) -> Diagnostic {
    let elsewhere = |(span, label): &(Span, String)| Elsewhere { label: label.clone(), place: place(*span, sources) };
    Diagnostic {
        severity: severity(report),
        code: report.code.text(),
        message: report.message.clone(),
        label: report.label.clone(),
        help: report.help.clone(),
        place: place(report.span, sources),
        also: report.also.iter().map(elsewhere).collect(),
        fix: report.fix.as_ref().map(|fix| Edit {
            certain: report.certain,
            message: fix.message.clone(),
            text: fix.text.clone(),
            place: place(fix.span, sources),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Code, Fix};

    fn example() -> (Sources, Report) {
        let mut sources = Sources::default();
        let file = sources.add("äh.rules", "piece größe\npath weg = öde\n");
        let other = sources.add("other.rules", "variant x { }\n");
        let mut report = Report::new(Code::UnknownName, Span::new(file, 25, 29), "nothing is called `öde`")
            .help("did you mean `weg`?")
            .also(Span::new(file, 6, 13), "here is a piece")
            .also(Span::new(other, 8, 9), "and here");
        report.fix = Some(Fix::replace(report.span, "weg"));
        (sources, report)
    }

    #[test]
    fn records_count_bytes_and_characters() {
        let (sources, report) = example();
        let Rendered::Record(record) = render(&report, &sources, Style::Json) else { panic!("a record") };
        let place = record.place;
        assert_eq!((place.file.as_str(), place.line, place.column), ("äh.rules", 2, 12));
        assert_eq!((place.end_line, place.end_column, place.offset, place.length), (2, 15, 25, 4));
        assert_eq!(record.also[1].place.file, "other.rules");
        assert_eq!(record.fix.map(|fix| fix.text), Some("weg".to_owned()));
    }

    #[cfg(feature = "cli")]
    #[test]
    fn people_see_all_places_and_where_to_read_on() {
        let (sources, report) = example();
        let Rendered::Text(text) = render(&report, &sources, Style::Human { colour: false, width: 80 }) else {
            panic!("a text")
        };
        assert!(text.contains("[äh.rules:2:12]") && text.contains("other.rules:1:9"), "{text}");
        assert!(text.contains("regelwerk explain check/unknown-name"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn a_place_after_the_end_is_shown() {
        let mut sources = Sources::default();
        let file = sources.add("empty.rules", "");
        let report = Report::new(Code::MissingItem, Span::new(file, 0, 0), "no `game`");
        let Rendered::Text(text) = render(&report, &sources, Style::Human { colour: true, width: 80 }) else {
            panic!("a text")
        };
        assert!(text.contains("no `game`"), "{text}");
    }
}
