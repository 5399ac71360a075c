//! Renaming, at all places where a name is used.
//!
//! A renaming is tried out before it is offered: in the edited texts every name must mean what it meant before.

use std::collections::BTreeMap;

use super::analysis::{Analysis, Place, Target};
use crate::base::{FileId, Source, Span};
use crate::load::{Files, Loaded, Meaning, Setup, WORK, check_within, load};
use crate::report::{Report, Severity};
use crate::syntax::is_name;

/// The places where a name must be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// In order and not overlapping.
    pub places: Vec<Place>,
}

/// Renames `target` in several rule files and those they extend.
///
/// # Arguments
/// `owned` says whether a file may be changed.
///
/// # Errors
/// Says why the name cannot be changed, or not to this one.
pub fn rename(
    roots: &[&Analysis],
    files: &dyn Files,
    target: &Target,
    new: &str,
    owned: &dyn Fn(&str) -> bool,
) -> Result<Renaming, String> {
    let place = renamable(target)?;
    if !is_name(new) {
        return Err(format!(
            "`{new}` cannot be a name: names consist of letters, digits and `_` and are not reserved words"
        ));
    }
    let mut places: Vec<Place> = roots.iter().flat_map(|root| root.references(target, true)).collect();
    places.sort();
    places.dedup();
    if let Some(foreign) = places.iter().find(|place| !owned(&place.file)) {
        return Err(format!("the name also occurs in `{}`, which cannot be changed", foreign.file));
    }
    let touched = |root: &&&Analysis| root.files().any(|source| places.iter().any(|place| place.file == source.name));
    let roots: Vec<&&Analysis> = roots.iter().filter(touched).collect();
    let texts = changed(&roots, &places, new);
    let edited = Edited { texts: &texts, files };
    for root in roots {
        let Some(source) = root.files().next() else { continue };
        // It is analysed again with the new name, and checked.
        if root.unfinished || root.work > WORK / 2 {
            return Err(too_many(source));
        }
        let text = texts.get(&source.name).unwrap_or(&source.text);
        let after = Analysis::after(&source.name, text, &edited, root.work);
        // All together take no more than a check.
        let most = WORK.saturating_sub(after.work);
        let found = check_within(&source.name, text, &edited, most);
        let shift = Shift::new(root, &places, new.len());
        let differs = differs(root, &after, &shift);
        let error = first_error(&found).filter(|_| found.wrong.is_none());
        if (differs.is_some() || error.is_some())
            && let Some(message) = fault(&source.name, &source.text, files)
        {
            return Err(format!("fix the errors first, so that no use is missed: {message}"));
        }
        if let Some(message) = error {
            return Err(format!("with the name `{new}` the rules would have an error: {message}"));
        }
        if after.unfinished {
            return Err(too_many(source));
        }
        if let Some(line) = differs {
            return Err(format!("`{new}` would clash with another name: {line}"));
        }
        // Variants and readings whose names nothing else uses.
        if let Some(message) = first_error(&found) {
            let before = check_within(&source.name, &source.text, files, most);
            if errors(&found).count() > errors(&before).count() {
                return Err(format!("with the name `{new}` the rules would have an error in some setup: {message}"));
            }
        }
    }
    if places.is_empty() {
        return Err(format!("nothing is declared at byte {} of `{}`", place.start, place.file));
    }
    Ok(Renaming { places })
}

/// The declaration of a target, if it can be renamed.
///
/// # Errors
/// Says why it cannot.
pub(super) fn renamable(target: &Target) -> Result<&Place, String> {
    match target {
        Target::Name(place) => Ok(place),
        Target::Clause(id, _) => Err(format!("`§{id}` is named by its document and cannot be renamed")),
        Target::File(place) => Err(format!("`{}` is a file: rename it on the disk", place.file)),
        Target::BuiltIn { name, .. } => Err(format!("`{name}` is defined by the language or the board")),
    }
}

impl Analysis {
    /// The range of the name at an offset, if it can be renamed.
    ///
    /// # Errors
    /// Says why it cannot.
    pub fn renamable(&self, file: &str, at: usize) -> Result<std::ops::Range<usize>, String> {
        let (target, range) = self.target(file, at).ok_or("there is no name here")?;
        renamable(&target).map(|_| range)
    }
}

/// Why a name is not changed whose uses are not all known.
fn too_many(source: &Source) -> String {
    format!("it takes too much work to look through `{}`, its variants and its overlays for all uses", source.name)
}

/// The first error of a rule file in its default setup.
fn fault(name: &str, text: &str, files: &dyn Files) -> Option<String> {
    first_error(&load(name, text, files, &Setup::default()))
}

/// The message of the first error.
fn first_error(loaded: &Loaded) -> Option<String> {
    errors(loaded).next().map(|report| report.message.clone())
}

fn errors(loaded: &Loaded) -> impl Iterator<Item = &Report> {
    loaded.reports.sorted().into_iter().filter(|report| report.code.severity() == Severity::Error)
}

/// The edited texts.
fn changed(roots: &[&&Analysis], places: &[Place], new: &str) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for source in roots.iter().flat_map(|root| root.files()) {
        let mut text = String::new();
        let mut done = 0;
        for place in places.iter().filter(|place| place.file == source.name) {
            text.push_str(source.text.get(done..place.start).unwrap_or(""));
            text.push_str(new);
            done = place.end;
        }
        text.push_str(source.text.get(done..).unwrap_or(""));
        texts.insert(source.name.clone(), text);
    }
    texts
}

/// Files, some of them with new texts.
struct Edited<'f> {
    texts: &'f BTreeMap<String, String>,
    files: &'f dyn Files,
}

impl Files for Edited<'_> {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let (name, text) = self.files.read(by, file)?;
        let text = self.texts.get(&name).cloned().unwrap_or(text);
        Ok((name, text))
    }
}

/// Maps places to where they are after the edits.
struct Shift {
    /// For each file the ends of its edits, each with the old and the new length of all that is edited up to it.
    edits: Vec<Vec<(usize, usize, usize)>>,
}

impl Shift {
    /// Edits that give names, in order, another length.
    fn new(root: &Analysis, places: &[Place], width: usize) -> Self {
        let of = |source: &Source| {
            let mut lengths = (0, 0);
            let here = places.iter().filter(|place| place.file == source.name).map(|place| {
                lengths = (lengths.0 + place.end - place.start, lengths.1 + width);
                (place.end, lengths.0, lengths.1)
            });
            here.collect()
        };
        Self { edits: root.files().map(of).collect() }
    }

    fn offset(&self, file: FileId, at: usize) -> usize {
        let edits = self.edits.get(usize::from(file.0)).map_or(&[][..], Vec::as_slice);
        let before = edits.partition_point(|(end, ..)| *end <= at).checked_sub(1);
        let (_, old, new) = before.and_then(|last| edits.get(last)).copied().unwrap_or_default();
        at + new - old
    }

    fn span(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        Span::new(span.file, self.offset(span.file, start), self.offset(span.file, end))
    }
}

/// The line of a name whose meaning changed; none if every name means what it did.
fn differs(before: &Analysis, after: &Analysis, shift: &Shift) -> Option<String> {
    let told = |span: Span| {
        let (line, _) = before.sources.line_column(span);
        let file = before.sources.get(span.file).map_or("", |source| source.name.as_str());
        format!("`{}` on line {line} of `{file}`", before.sources.slice(span))
    };
    for (span, meaning) in &before.uses {
        let same = match (meaning, after.uses.get(&shift.span(*span))) {
            (Meaning::Declared(old), Some(Meaning::Declared(new))) => {
                shift.span(before.first(*old)) == after.first(*new)
            }
            (Meaning::BuiltIn(old), Some(Meaning::BuiltIn(new))) => old == new,
            (Meaning::Declared(_) | Meaning::BuiltIn(_), _) => false,
        };
        if !same {
            return Some(told(*span));
        }
    }
    let lost = before.declared.keys().find(|span| !after.declared.contains_key(&shift.span(**span)));
    if let Some(span) = lost {
        return Some(told(*span));
    }
    let more = after.uses.len() > before.uses.len();
    more.then(|| "a name that was not defined before".to_owned())
}
