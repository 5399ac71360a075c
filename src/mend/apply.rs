//! Applying fixes until none improves the file.

use super::{Standing, Subject, TRIALS, Trials, changed, offer_within};
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

/// Applies the offered fixes of a file. Each is kept only if it reduces the number of errors, and all of them only as far as
/// the file has fewer errors in the end: an error of syntax may hide others.
#[must_use]
pub fn mend(subject: Subject<'_>, setup: &Setup) -> Mended {
    let mut loaded = load(subject.name, subject.text, subject.files, setup);
    mend_loaded(subject, setup, &mut loaded, &mut 0)
}

/// The same for a file that was loaded: its errors get the fixes that help, also those that are not made. To `work` is
/// added how many steps that takes.
#[must_use]
pub fn mend_loaded(subject: Subject<'_>, setup: &Setup, loaded: &mut Loaded, work: &mut u64) -> Mended {
    let mut mended = Mended { text: subject.text.to_owned(), ..Mended::default() };
    let mut trials = Trials::after(*work);
    let before = trials.work;
    // An error of syntax hides others: what was made is kept only as far as the file has fewer errors of any kind.
    let (mut kept, mut fewest) = (mended.clone(), Standing::of(loaded).errors);
    let mut next: Option<Loaded> = None;
    for _ in 0..ROUNDS {
        let loaded = next.as_mut().unwrap_or(&mut *loaded);
        if loaded.game.is_some() {
            break;
        }
        let text = mended.text.clone();
        let now = Subject { text: &text, ..subject };
        // All rounds together do as much work as the trials of one check.
        trials.count = TRIALS;
        offer_within(now, setup, loaded, &mut trials);
        if !round(now, setup, loaded, &mut mended, &mut trials) {
            break;
        }
        let after = load(subject.name, &mended.text, subject.files, setup);
        trials.work = trials.work.saturating_sub(after.work);
        let errors = Standing::of(&after).errors;
        if errors < fewest {
            (kept, fewest) = (mended.clone(), errors);
        }
        next = Some(after);
    }
    *work += before - trials.work;
    Mended { refused: mended.refused, ..kept }
}

/// One round: applies the fixes of one load from last to first, so that earlier places stay valid. Returns whether
/// any was kept.
fn round(subject: Subject<'_>, setup: &Setup, loaded: &Loaded, mended: &mut Mended, trials: &mut Trials) -> bool {
    let sorted = loaded.reports.sorted();
    let certain = sorted.iter().filter(|report| report.certain);
    let mut fixes: Vec<&Fix> = certain.filter_map(|report| report.fix.as_ref()).collect();
    fixes.sort_by_key(|fix| fix.span);
    fixes.dedup();
    fixes.reverse();
    let standing = Standing::of(loaded);
    let mut load = |text: &str| {
        let after = load(subject.name, text, subject.files, setup);
        trials.take(&after, text);
        Standing::of(&after)
    };
    let done = |fix: &Fix| (loaded.sources.line_column(fix.span).0, fix.clone());
    // Fixes that mend an error each do so together, too, unless they hinder each other.
    let apart = apart(&fixes);
    if apart.len() > 1
        && let Some(text) = apart.iter().try_fold(mended.text.clone(), |text, fix| changed(&text, fix))
        && load(&text).mends(standing, apart.len())
    {
        mended.refused += fixes.len() - apart.len();
        mended.done.extend(apart.into_iter().map(done));
        mended.text = text;
        return true;
    }
    // Where the last fix kept begins, or the end of the text.
    let (mut standing, mut free, mut kept) = (standing, u32::MAX, false);
    for fix in fixes {
        if fix.span.end > free {
            mended.refused += 1;
            continue;
        }
        let Some(text) = changed(&mended.text, fix) else { continue };
        let now = load(&text);
        if now < standing {
            mended.done.push(done(fix));
            mended.text = text;
            (free, standing, kept) = (fix.span.start, now, true);
        }
    }
    kept
}

/// Those of the fixes, from last to first, that overlap none before them.
fn apart<'f>(fixes: &[&'f Fix]) -> Vec<&'f Fix> {
    let mut free = u32::MAX;
    let mut kept = Vec::new();
    for fix in fixes {
        if fix.span.end <= free {
            kept.push(*fix);
            free = fix.span.start;
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
            report.certain = true;
            loaded.reports.push(report);
        }
        let mut mended = Mended { text: text.to_owned(), ..Mended::default() };
        assert!(round(subject, &Setup::default(), &loaded, &mut mended, &mut Trials::after(0)));
        assert_eq!(mended.text, text.replace("palys", "plays"));
        assert_eq!((mended.done.len(), mended.refused), (1, 1));
    }
}
