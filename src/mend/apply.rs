//! Applying fixes until none improves the file.

use super::{Standing, Subject, changed, offer};
use crate::load::{Loaded, Setup, load};
use crate::report::Fix;

/// The maximum number of rounds: fixing some errors may reveal others.
const ROUNDS: usize = 8;

/// A text after fixes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    /// The text with all fixes.
    pub text: String,
    /// The fixes made, each with its line at the time.
    pub done: Vec<(usize, Fix)>,
    /// How many fixes were left out because they overlap others.
    pub refused: usize,
}

/// Applies the offered fixes of a file. Each is kept only if it reduces the number of errors.
#[must_use]
pub fn mend(subject: Subject<'_>, setup: &Setup) -> Mended {
    let mut mended = Mended { text: subject.text.to_owned(), ..Mended::default() };
    for _ in 0..ROUNDS {
        let text = mended.text.clone();
        let now = Subject { text: &text, ..subject };
        let mut loaded = load(now.name, now.text, now.files, setup);
        if loaded.game.is_some() {
            break;
        }
        offer(now, setup, &mut loaded);
        if !round(now, setup, &loaded, &mut mended) {
            break;
        }
    }
    mended
}

/// One round: applies the fixes of one load from last to first, so that earlier places stay valid. Returns whether
/// any was kept.
fn round(subject: Subject<'_>, setup: &Setup, loaded: &Loaded, mended: &mut Mended) -> bool {
    let sorted = loaded.reports.sorted();
    let mut fixes: Vec<&Fix> = sorted.iter().filter_map(|report| report.fix.as_ref()).collect();
    fixes.sort_by_key(|fix| fix.span);
    fixes.dedup();
    let mut standing = Standing::of(loaded);
    // Where the last fix kept begins, or the end of the text.
    let (mut free, mut kept) = (u32::MAX, false);
    for fix in fixes.into_iter().rev() {
        if fix.span.end > free {
            mended.refused += 1;
            continue;
        }
        let Some(text) = changed(&mended.text, fix) else { continue };
        let after = load(subject.name, &text, subject.files, setup);
        let now = Standing::of(&after);
        if now < standing {
            let line = loaded.sources.line_column(fix.span).0;
            mended.done.push((line, fix.clone()));
            mended.text = text;
            (free, standing, kept) = (fix.span.start, now, true);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{FileId, Span};
    use crate::load::NoFiles;
    use crate::report::{Code, Report};

    /// Of two overlapping fixes that both help, the later one is kept.
    #[test]
    fn overlapping_fixes_are_refused() {
        let text = "game g\nplayers a, b\nplay { turns { mover palys pass } }\n";
        let subject = Subject { name: "g", text, files: &NoFiles };
        let mut loaded = load("g", text, &NoFiles, &Setup::default());
        loaded.reports.retain(|_| false);
        let at = text.find("palys").expect("it is there");
        for (start, by) in [(at, "plays"), (at + 1, "lays")] {
            let span = Span::new(FileId::default(), start, at + 5);
            let mut report = Report::new(Code::Unexpected, span, "a mistake");
            report.fix = Some(Fix::replace(span, by));
            loaded.reports.push(report);
        }
        let mut mended = Mended { text: text.to_owned(), ..Mended::default() };
        assert!(round(subject, &Setup::default(), &loaded, &mut mended));
        assert_eq!(mended.text, text.replace("palys", "plays"));
        assert_eq!((mended.done.len(), mended.refused), (1, 1));
    }
}
