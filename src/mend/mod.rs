//! Fixes that have been tried: of the candidate edits for a report, the one that improves the file most.
//!
//! The stages that report errors know what might be meant, but not what an edit would lead to. Here each edit is made
//! and the file is checked again; an edit is offered only if it helps and preserves every word of the author. So an
//! offered fix is more than a guess, and `check --fix` needs no human judgement. An edit that helps but drops a word
//! becomes a hint in the help text.
//!
//! **Invariant:** nothing is offered that was not tried, and the number of trials is bounded, and so is their work.

mod apply;
mod keep;

use keep::{Keeps, keeps};

pub use apply::{Mended, mend, mend_loaded};

use crate::base::{FileId, SaturatingFrom, Span, line_start};
use crate::load::{self, Files, Loaded, Setup, check_within, load};
use crate::report::{Code, Fix, Report, Severity, Trust};
use crate::syntax::{Kind, Token, Words, is_only_edit, keywords, other_spellings, repairs, rivals};

/// The maximum number of trials per file, and how many steps all of them may take; with what was checked before them they
/// take no more than a check.
const TRIALS: usize = 96;
const WORK: u64 = 20_000_000;

/// How many bytes may be read to find out where else the marks that are added might stand, and what else words might be.
const READ: usize = 1 << 22;

/// What is left of them.
#[derive(Clone, Copy, Debug)]
struct Trials {
    count: usize,
    work: u64,
    read: usize,
}

impl Trials {
    /// Those that are left after so many steps.
    fn after(work: u64) -> Self {
        Self { count: TRIALS, work: WORK.min(load::WORK.saturating_sub(work)), read: READ }
    }

    fn are_spent(self) -> bool {
        self.count == 0 || self.work == 0
    }

    /// Counts a trial. For each error, similar names are looked for in the whole text.
    fn take(&mut self, loaded: &Loaded, text: &str) {
        let errors = loaded.reports.sorted().len() as u64;
        self.count = self.count.saturating_sub(1);
        self.work = self.work.saturating_sub(loaded.work.saturating_add(errors.saturating_mul(text.len() as u64)));
    }
}

/// The maximum number of typing slips considered per error.
const SLIPS: usize = 12;

/// A rule file to fix.
#[derive(Clone, Copy)]
pub struct Subject<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its text.
    pub text: &'t str,
    /// The source of the files it refers to.
    pub files: &'t dyn Files,
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How far a file is from being correct; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Standing {
    /// Errors that prevent parsing. While there are any, the others are unknown.
    unread: usize,
    errors: usize,
}

impl Standing {
    fn of(loaded: &Loaded) -> Self {
        let list = loaded.reports.sorted();
        let errors = list.iter().filter(|report| report.code.severity() == Severity::Error);
        let unread = errors.clone().filter(|report| report.code.text().starts_with("syntax/")).count();
        Self { unread, errors: errors.count() }
    }

    fn sound(self) -> bool {
        self.errors == 0
    }

    /// Whether there are so many errors fewer than before: of those that prevent parsing, while there are any.
    fn mends(self, before: Self, number: usize) -> bool {
        let (before, now) =
            if before.unread > 0 { (before.unread, self.unread) } else { (before.errors, self.errors + self.unread) };
        now + number <= before
    }
}

/// The text after one edit; nothing if the edit does not fit it, or makes a comment of something or something of a comment.
fn changed(text: &str, fix: &Fix) -> Option<String> {
    let (start, end) = (fix.span.start as usize, fix.span.end as usize);
    let (head, tail) = (text.get(..start)?, text.get(end..)?);
    let from = line_start(text, start);
    let to = tail.find('\n').map_or(text.len(), |at| end + at);
    let line = [text.get(from..start)?, &fix.text, text.get(end..to)?].concat();
    if comments(text.get(from..to)?).ne(comments(&line)) {
        return None;
    }
    Some([head, &fix.text, tail].concat())
}

/// The comments of some lines.
fn comments(lines: &str) -> impl Iterator<Item = &str> {
    Words::new(lines).filter(|token| token.kind == Kind::Comment).map(|token| token.text)
}

/// Tries the candidates for each error of a load, most trusted first, and attaches the best one that helps. `loaded`
/// must be the load of the subject for this setup.
pub fn offer(subject: Subject<'_>, setup: &Setup, loaded: &mut Loaded) {
    offer_within(subject, setup, loaded, &mut Trials::after(loaded.work));
}

fn offer_within(subject: Subject<'_>, setup: &Setup, loaded: &mut Loaded, trials: &mut Trials) {
    let before = Standing::of(loaded);
    if before.unread > 0 {
        let found = repairs(FileId::default(), subject.text);
        for repair in found.sorted() {
            let same = |report: &&mut Report| (report.code, report.span) == (repair.code, repair.span);
            if let Some(report) = loaded.reports.iter_mut().find(same) {
                report.maybe.clone_from(&repair.maybe);
            }
        }
    }
    let mut order: Vec<&mut Report> = loaded.reports.iter_mut().collect();
    order.sort_by_key(|report| report.span);
    for report in order {
        if report.code.severity() == Severity::Warning {
            continue;
        }
        let mut candidates = std::mem::take(&mut report.maybe);
        let own = report.fix.take();
        // Nothing is looked for that will not be tried: there may be thousands of errors.
        if trials.are_spent() {
            continue;
        }
        if let Some(fix) = own.clone() {
            candidates.insert(0, (Trust::Spelling, fix));
        }
        let syntax = report.code.text().starts_with("syntax/");
        if !syntax {
            candidates.extend(slips(subject.text, report));
        }
        candidates.sort_by_key(|(trust, _)| *trust);
        candidates.retain(|(_, fix)| fix.span.file == FileId::default());
        let (keeping, dropping): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|(_, fix)| keeps(subject.text, fix, syntax) > Keeps::Less);
        let mut try_all = |candidates: &[_]| best(subject, setup, before, report.code, candidates, trials);
        let mut kept = try_all(&keeping);
        // An edit that drops a word, or has a rival, may be right, but the author has to decide.
        let mut hint = if kept.is_none() { try_all(&dropping) } else { None };
        if kept.as_ref().is_some_and(|fix| !is_clear(subject, setup, (fix, &dropping), trials)) {
            hint = kept.take();
        }
        report.fix = kept;
        let meant = |fix: &&Fix| keeps(subject.text, fix, syntax) == Keeps::Meaning;
        let spelt = report.fix.as_ref().filter(meant);
        report.certain = spelt.is_some_and(|fix| is_sure(subject, setup, fix, trials));
        let same = |hint: &Fix| own.as_ref().is_some_and(|own| (own.span, &own.text) == (hint.span, &hint.text));
        if report.help.is_some() && hint.as_ref().is_some_and(same) {
            // The help is about this very edit.
            continue;
        }
        // The content of an override without a target is not checked, so the similar name is kept. A name may stand in another
        // normal form everywhere, where one edit does not help.
        let keeps_help = matches!(report.code, Code::NothingToOverride | Code::NotNormal);
        if own.is_some() && report.fix != own && !keeps_help {
            // The help suggested an edit that turned out not to help.
            report.help = report.fix.as_ref().or(hint.as_ref()).map(|fix| fix.message.clone());
        } else if let (None, Some(hint)) = (&report.help, hint) {
            report.help = Some(hint.message);
        }
    }
}

/// Whether a word that is spelt right can be nothing else that is as good, such as a name beside which a keyword is missing.
fn is_sure(subject: Subject<'_>, setup: &Setup, fix: &Fix, trials: &mut Trials) -> bool {
    if !keywords().contains(&fix.text.trim()) {
        return true;
    }
    let Some(others) = other_spellings(subject.text, fix, &mut trials.read) else { return false };
    others.is_empty()
        || standing(subject, setup, fix, trials).is_some_and(|own| {
            others.iter().all(|other| standing(subject, setup, other, trials).is_some_and(|other| own < other))
        })
}

/// How a file stands with an edit; none if no more is tried.
fn standing(subject: Subject<'_>, setup: &Setup, fix: &Fix, trials: &mut Trials) -> Option<Standing> {
    let text = changed(subject.text, fix).filter(|_| !trials.are_spent())?;
    let after = load(subject.name, &text, subject.files, setup);
    trials.take(&after, &text);
    Some(Standing::of(&after))
}

/// Whether an edit that helps has no rival: none of its kind; and for a mark that is added, none that helps as much by leaving out
/// what stands there, nor another that was thought of.
fn is_clear(subject: Subject<'_>, setup: &Setup, (fix, others): (&Fix, &[(Trust, Fix)]), trials: &mut Trials) -> bool {
    if !is_only_edit(subject.text, fix, &mut trials.read) {
        return false;
    }
    if fix.span.start < fix.span.end {
        return true;
    }
    let left_out = rivals(subject.text, fix, &mut trials.read);
    let mut standing = |fix: &Fix| standing(subject, setup, fix, trials);
    // What cannot be tried any more counts as a rival.
    let Some(own) = standing(fix) else { return false };
    // Who forgot a mark wrote no word in its place.
    let mut rivals =
        left_out.iter().chain(others.iter().map(|(_, other)| other)).filter(|it| it.text.trim() != fix.text.trim());
    rivals.all(|rival| standing(rival).is_some_and(|other| own < other))
}

/// Typing slips: on the lines of an error a token is doubled, or two tokens at its place are swapped.
fn slips(text: &str, report: &Report) -> Vec<(Trust, Fix)> {
    let (from, to) = (report.span.start as usize, report.span.end as usize);
    let start = line_start(text, from);
    let end = text.get(to..).and_then(|tail| tail.find('\n')).map_or(text.len(), |at| to + at);
    let line: Vec<Token<'_>> = Words::new(text.get(start..end).unwrap_or(""))
        .filter(|token| token.kind != Kind::Comment)
        .map(|token| Token { start: token.start + start, ..token })
        .collect();
    // A missing target or file is not caused by swapped words on the line.
    let swaps = matches!(report.code, Code::UnknownName | Code::WrongType | Code::WrongCount | Code::Misplaced);
    let mut changes = Vec::new();
    for (a, b) in line.iter().zip(line.iter().skip(1)) {
        let place = |start: usize| Span::new(report.span.file, start, b.end());
        if a.text == b.text {
            let message = format!("remove `{}`", b.text);
            changes.push((Trust::Doubled, Fix { span: place(a.end()), text: String::new(), message }));
        } else if swaps && ![a.text, b.text].contains(&"|") && b.end() >= from && a.start <= to {
            let text = [b.text, text.get(a.end()..b.start).unwrap_or(" "), a.text].concat();
            let message = format!("swap `{}` and `{}`", a.text, b.text);
            changes.push((Trust::Swap, Fix { span: place(a.start), text, message }));
        }
    }
    changes.truncate(SLIPS);
    changes
}

/// The first edit that makes the file correct, else the best one; a guess only if no other is as good.
fn best(
    subject: Subject<'_>,
    setup: &Setup,
    before: Standing,
    code: Code,
    candidates: &[(Trust, Fix)],
    trials: &mut Trials,
) -> Option<Fix> {
    let mut found: Vec<(Standing, Trust, &Fix)> = Vec::new();
    for (trust, fix) in candidates {
        // Guesses compete with each other; of other edits, the first that makes the file correct wins.
        if *trust == Trust::Guess && found.iter().any(|(standing, trust, _)| standing.sound() && *trust < Trust::Guess)
        {
            break;
        }
        if trials.are_spent() {
            break;
        }
        let Some(text) = changed(subject.text, fix) else { continue };
        let after = load(subject.name, &text, subject.files, setup);
        trials.take(&after, &text);
        let standing = Standing::of(&after);
        if !better(before, standing, code, (*trust, fix), &after) {
            continue;
        }
        // What a variant or an overlay holds is looked at only where it is laid over the rules.
        if standing.sound() && !(after.offer.variants.is_empty() && after.offer.readings.is_empty()) {
            let all = check_within(subject.name, &text, subject.files, trials.work);
            trials.take(&all, &text);
            if touches(&all, fix) {
                continue;
            }
        }
        found.push((standing, *trust, fix));
        if standing.sound() && *trust < Trust::Guess {
            break;
        }
    }
    let &(standing, trust, fix) = found.iter().min_by_key(|(standing, trust, _)| (*standing, *trust))?;
    let equal = found.iter().filter(|(other, _, _)| *other == standing).count();
    (trust < Trust::Guess || equal == 1).then(|| fix.clone())
}

/// Whether an edit improves a file. Once the file can be parsed, errors that were hidden may appear: then none of
/// them may be in the edited place.
fn better(before: Standing, after: Standing, code: Code, change: (Trust, &Fix), loaded: &Loaded) -> bool {
    let (trust, fix) = change;
    if after.sound() {
        return true;
    }
    if before.unread == 0 || after.unread > 0 {
        return after < before;
    }
    trust <= Trust::Swap && code.text().starts_with("syntax/") && !touches(loaded, fix)
}

/// Whether an error is on the lines of an edit that was made.
fn touches(loaded: &Loaded, fix: &Fix) -> bool {
    let line = |at: u32| loaded.sources.line_column(Span { start: at, end: at, ..fix.span }).0;
    let lines = line(fix.span.start)..=line(fix.span.start.saturating_add(u32::saturating_from(fix.text.len())));
    loaded
        .reports
        .sorted()
        .iter()
        .any(|report| report.span.file == fix.span.file && lines.contains(&loaded.sources.line_column(report.span).0))
}
