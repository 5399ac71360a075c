//! Reports for people, drawn by miette.
//!
//! **Invariant:** miette is given the bytes of whole files, so that lines, columns and carets are right; places in
//! other files become related diagnostics.

use crate::base::{Sources, Span, line_start};
use crate::report::{Report, Severity};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use std::fmt::{self, Write as _};

/// Lines longer than this many bytes are not drawn.
const FARTHEST: usize = 4000;

/// A report with the lines around its place; nothing if its place fits no source.
pub(super) fn text(report: &Report, sources: &Sources, colour: bool, width: usize) -> Option<String> {
    if is_far(report.span, sources) || report.also.iter().any(|(span, _)| is_far(*span, sources)) {
        return plain(report, sources);
    }
    let shown = Shown::new(report, sources)?;
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width.max(40))
        .with_links(false)
        .with_footer(format!("regelwerk explain {}", report.code.text()));
    let mut text = String::new();
    handler.render_report(&mut text, &shown).ok()?;
    Some(text)
}

/// Whether a place is too far to the right to be drawn.
fn is_far(span: Span, sources: &Sources) -> bool {
    let text = sources.get(span.file).map_or("", |source| source.text.as_str());
    let (start, end) = (span.start as usize, span.end as usize);
    let begin = line_start(text, start);
    let rest = text.get(start..).and_then(|tail| tail.find('\n')).map_or(text.len(), |at| start + at);
    rest.max(end).saturating_sub(begin) > FARTHEST && text.get(begin..rest).is_some_and(|line| line.len() > FARTHEST)
}

/// A report without surrounding lines.
fn plain(report: &Report, sources: &Sources) -> Option<String> {
    let place = |span: Span| {
        let (line, column) = sources.line_column(span);
        Some(format!("{}:{line}:{column}", sources.get(span.file)?.name))
    };
    let cut = |text: &str| text.chars().take(FARTHEST).collect::<String>();
    let mut text = format!("{}\n\n  × {}\n    {}\n", report.code.text(), cut(&report.message), place(report.span)?);
    for (span, label) in &report.also {
        let _ = writeln!(text, "    {}: {}", place(*span)?, cut(label));
    }
    if let Some(cure) = report.cure() {
        let _ = writeln!(text, "  help: {}", cut(&cure));
    }
    let _ = writeln!(text, "\n  regelwerk explain {}", report.code.text());
    Some(text)
}

/// A report in miette's form.
#[derive(Debug)]
struct Shown<'r> {
    report: &'r Report,
    source: NamedSource<String>,
    labels: Vec<LabeledSpan>,
    elsewhere: Vec<Other>,
}

/// A place in another file.
#[derive(Debug)]
struct Other {
    text: String,
    source: NamedSource<String>,
    label: LabeledSpan,
}

impl<'r> Shown<'r> {
    fn new(report: &'r Report, sources: &Sources) -> Option<Self> {
        let mut labels = vec![LabeledSpan::new_primary_with_span(Some(report.label.clone()), range(report.span))];
        let mut elsewhere = Vec::new();
        for (span, text) in &report.also {
            if span.file == report.span.file {
                labels.push(LabeledSpan::new_with_span(Some(text.clone()), range(*span)));
            } else {
                let label = LabeledSpan::new_primary_with_span(None, range(*span));
                elsewhere.push(Other { text: text.clone(), source: source(*span, sources)?, label });
            }
        }
        Some(Self { report, source: source(report.span, sources)?, labels, elsewhere })
    }
}

fn source(span: Span, sources: &Sources) -> Option<NamedSource<String>> {
    let source = sources.get(span.file)?;
    Some(NamedSource::new(source.name.clone(), source.text.clone()))
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.report.code.text()))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.report.code.severity() {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.report.cure().map(|cure| Box::new(cure) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.elsewhere.iter().map(|other| other as &dyn Diagnostic)))
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Other {}

impl Diagnostic for Other {
    fn severity(&self) -> Option<miette::Severity> {
        Some(miette::Severity::Advice)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(self.label.clone())))
    }
}
