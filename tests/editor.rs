//! What editors are told about rule files, as laws over all rule files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regelwerk::editor::{Analysis, Place, Target, complete, rename};
use regelwerk::load::{Files, Setup, load};
use regelwerk::report::Severity;
use regelwerk::syntax::{Class, classes};

use crate::support::{Disk, files_below, read, root};

/// All rule files.
fn everywhere() -> Vec<PathBuf> {
    let mut files = files_below(&root("rules"), "rules");
    files.extend(files_below(&root("tests/fixtures"), "rules"));
    files
}

fn analysis(path: &Path) -> (String, String, Analysis) {
    let (name, text) = (path.display().to_string(), read(path));
    let analysis = Analysis::new(&name, &text, &Disk);
    (name, text, analysis)
}

#[test]
fn every_name_in_a_correct_file_has_a_meaning() {
    let mut lost = Vec::new();
    for path in everywhere() {
        let (name, text, analysis) = analysis(&path);
        let classes = classes(&text);
        assert!(!classes.is_empty(), "{name} is sound");
        for (span, _) in classes.iter().filter(|(_, class)| *class == Class::Name) {
            let (start, end) = (span.start as usize, span.end as usize);
            let found = analysis.target(&name, start).filter(|(_, range)| *range == (start..end));
            if found.is_none() {
                let line = text[..start].matches('\n').count() + 1;
                lost.push(format!("{name}:{line}: `{}`", &text[start..end]));
            }
        }
    }
    assert!(lost.is_empty(), "{} names mean nothing:\n{}", lost.len(), lost.join("\n"));
}

/// The names declared in a file, each with all its places.
fn declared(name: &str, text: &str, analysis: &Analysis) -> BTreeMap<Place, Vec<Place>> {
    let mut found = BTreeMap::new();
    for (span, _) in classes(text).iter().filter(|(_, class)| matches!(class, Class::Name | Class::Cell)) {
        let Some((target, _)) = analysis.target(name, span.start as usize) else { continue };
        let target = analysis.settled(target);
        if let Target::Name(place) = &target
            && place.file == name
            && !found.contains_key(place)
        {
            found.insert(place.clone(), analysis.references(&target, true));
        }
    }
    found
}

/// A text with other names at some places.
fn renamed(text: &str, edits: &BTreeMap<(usize, usize), String>) -> String {
    let (mut out, mut done) = (String::new(), 0);
    for (&(start, end), new) in edits {
        assert!(start >= done, "places do not overlap");
        out.push_str(&text[done..start]);
        out.push_str(new);
        done = end;
    }
    out + &text[done..]
}

/// The errors of a file in its default setup and with each of its variants.
fn errors(name: &str, text: &str) -> Vec<String> {
    let plain = load(name, text, &Disk, &Setup::default());
    let variants = plain.offer.variants.iter().map(|(variant, ..)| variant.clone());
    let setups = variants.map(|variant| Setup { variants: vec![variant], ..Setup::default() });
    let more: Vec<_> = setups.map(|setup| load(name, text, &Disk, &setup)).collect();
    let reports = std::iter::once(&plain).chain(&more).flat_map(|loaded| loaded.reports.sorted());
    let errors = reports.filter(|report| report.code.severity() == Severity::Error);
    errors.map(|report| report.message.clone()).collect()
}

/// Every name is replaced by a fresh one, all at once: a missed use, or one too many, would be an error.
#[test]
fn files_check_with_every_name_replaced() {
    for path in everywhere() {
        let (name, text, analysis) = analysis(&path);
        // There, the names of sites are made from those of seats.
        let seated = text.contains("per seat");
        let seat = |at: usize| text[..at].rsplit('\n').next().is_some_and(|line| line.starts_with("players"));
        let mut edits: BTreeMap<(usize, usize), String> = BTreeMap::new();
        for (number, (place, places)) in declared(&name, &text, &analysis).into_iter().enumerate() {
            let old = &text[place.start..place.end];
            if seated && seat(place.start) || place.end == place.start || old.contains('-') {
                continue;
            }
            for use_ in places {
                assert_eq!(use_.file, name, "an extended file cannot refer to it");
                assert_eq!(&text[use_.start..use_.end], old, "{name}");
                let before = edits.insert((use_.start, use_.end), format!("ñ_{number}"));
                assert_eq!(before, None, "{name}: one place, one name: `{old}`");
            }
        }
        assert!(!edits.is_empty() || text.contains("extends"), "{name} declares names");
        let fresh = renamed(&text, &edits);
        assert_eq!(errors(&name, &fresh), [""; 0], "{name}\n{fresh}");
    }
}

/// Some names are changed as an editor does it, and changed back.
#[test]
fn renaming_back_and_forth_leaves_the_file_unchanged() {
    for path in files_below(&root("tests/fixtures"), "rules") {
        let (name, text, analysis) = analysis(&path);
        for (place, places) in declared(&name, &text, &analysis).into_iter().step_by(13) {
            let old = text[place.start..place.end].to_owned();
            if old.contains('-') {
                continue;
            }
            let target = Target::Name(place);
            let changed = match rename(&[&analysis], &Disk, &target, "frisch", &|_| true) {
                Ok(renaming) => renaming.places,
                Err(message) => panic!("{name}: `{old}`: {message}"),
            };
            assert_eq!(changed, places);
            let edits = changed.iter().map(|place| ((place.start, place.end), "frisch".to_owned())).collect();
            let fresh = renamed(&text, &edits);
            assert_eq!(fresh.matches("frisch").count(), changed.len());
            let after = Analysis::new(&name, &fresh, &Disk);
            let first = changed.first().expect("a place").clone();
            let (target, _) = after.target(&name, first.start).expect("a name");
            let back = rename(&[&after], &Disk, &after.settled(target), &old, &|_| true).expect("the way back");
            let edits = back.places.iter().map(|place| ((place.start, place.end), old.clone())).collect();
            assert_eq!(renamed(&fresh, &edits), text, "{name}: `{old}`");
        }
    }
}

const RULES: &str = "game g\nplayers a, b\nboard square 3 x 3\nkinds beast owned\n| kind |\n| cat |\n| dog |\npiece stone owned\n\
    setup { put cat of a on a1 put dog of b on c3 put stone of a on b2 }\n\
    // Cats go straight.\ndefine goals of cat(f: site) = toward(f, n)\ndefine goals of  beast(f: site) = toward(f, s)\n\
    define goals of piece(f: site) = toward(f, e)\n\
    procedure effect of dog(f: site) { remove f }\nprocedure effect of stone(f: site) { remove f }\n\
    action go { choose from in own piece choose to in goals(from) move from to to effect(to) }\n\
    play { turns { mover plays go else pass } }\n\
    variant up { replace define goals of cat(f: site) = toward(f, ne) }\n\
    variant plain { remove define goals of cat remove procedure effect of dog }\n";

/// The two words of a rule of a kind are two names: the one the rules share, and the kind.
#[test]
fn rules_of_kinds_have_two_names() {
    let text = RULES;
    let analysis = Analysis::new("g.rules", text, &Disk);
    let spot = |part: &str, word: &str| {
        let line = text.find(part).unwrap_or_else(|| panic!("{part}"));
        line + part.find(word).expect("a word")
    };
    let renamed_at = |at: usize, new: &str| {
        let (target, _) = analysis.target("g.rules", at).expect("a name");
        let renaming = rename(&[&analysis], &Disk, &analysis.settled(target), new, &|_| true).expect("a renaming");
        let edits = renaming.places.iter().map(|place| ((place.start, place.end), new.to_owned())).collect();
        renamed(text, &edits)
    };
    // Wherever the name is used, it is renamed in every rule and use, and so is the kind.
    let family = text.replace("goals", "reach");
    for part in
        ["goals of cat", "goals of  beast", "goals of piece", "goals(from)", "goals of cat(f: site) = toward(f, ne)"]
    {
        assert_eq!(renamed_at(spot(part, "goals"), "reach"), family, "{part}");
    }
    for part in ["effect of dog(", "effect of stone", "effect(to)", "effect of dog }"] {
        assert_eq!(renamed_at(spot(part, "effect"), "falls"), text.replace("effect", "falls"), "{part}");
    }
    let kind = text.replace("cat", "lion");
    for part in ["| cat", "put cat", "goals of cat(", "remove define goals of cat"] {
        assert_eq!(renamed_at(spot(part, "cat"), "lion"), kind, "{part}");
    }
    for part in ["kinds beast", "of  beast"] {
        assert_eq!(renamed_at(spot(part, "beast"), "animal"), text.replace("beast", "animal"), "{part}");
    }
    // A use leads to the first rule, the kind's word to the kind, and a replacing rule to the one it replaces.
    let leads = |part: &str, word: &str| analysis.definition("g.rules", spot(part, word)).map(|place| place.start);
    assert_eq!(leads("goals(from)", "goals"), Some(spot("goals of cat", "goals")));
    assert_eq!(leads("goals of  beast", "beast"), Some(spot("kinds beast", "beast")));
    assert_eq!(leads("goals of cat", "cat"), Some(spot("| cat", "cat")));
    assert_eq!(leads("replace define goals of cat", "goals"), Some(spot("goals of cat", "goals")));
    // The hover text of the name lists all its rules.
    let hover = |part: &str, word: &str| analysis.hover("g.rules", spot(part, word)).expect("a hover").text;
    let told = hover("goals(from)", "goals");
    for rule in [
        "goals of cat(f: site) = toward(f, n)",
        "goals of  beast",
        "goals of piece",
        "Cats go straight.",
        "a set of sites",
    ] {
        assert!(told.contains(rule), "{rule}: {told}");
    }
    assert!(hover("goals of cat", "cat").contains("kind of piece"), "{}", hover("goals of cat", "cat"));
    assert!(hover("of piece", "piece").contains("piece"));
}

/// After `of`, kinds are offered.
#[test]
fn rules_of_kinds_are_completed_with_kinds() {
    for of in ["define goals of ", "procedure effect of "] {
        let text = RULES.replacen(&format!("{of}cat"), of, 1);
        let text = text.replacen(&format!("{of}dog"), of, 1);
        let analysis = Analysis::new("g.rules", &text, &Disk);
        let (_, offered) = complete(&analysis, &Disk, text.find(of).expect("a rule") + of.len());
        let first: Vec<&str> = offered.iter().filter(|one| one.rank == 0).map(|one| one.text.as_str()).collect();
        assert!(["cat", "dog", "stone"].iter().all(|kind| first.contains(kind)), "{of}: {offered:?}");
    }
}

/// A file that extends a game of one reading, and how often that was read.
struct Counted<'t>(&'t str, std::cell::Cell<usize>);

impl Files for Counted<'_> {
    fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
        self.1.set(self.1.get() + 1);
        Ok(("base.rules".to_owned(), self.0.to_owned()))
    }
}

/// A renaming is tried out once: the rules are analysed once and checked once with the new name.
#[test]
fn a_renaming_is_tried_out_once() {
    let base = "game g\nplayers a, b\naction go { choose k in 1..3 }\nplay { turns { mover plays go } }\n\
                end e after move when ply > 3 { draw }\nreading r = x | y\n";
    let text = "game h extends \"base.rules\"\noption o = 4\nend f after move when ply > o { draw }\n";
    let files = Counted(base, std::cell::Cell::new(0));
    let analysis = Analysis::new("h.rules", text, &files);
    let one = files.1.take();
    let at = text.find("o = 4").expect("the option");
    let (target, _) = analysis.target("h.rules", at).expect("a name");
    let places = rename(&[&analysis], &files, &target, "last", &|file| file == "h.rules").expect("a renaming").places;
    assert_eq!(places.len(), 2);
    // The check reads it once.
    assert_eq!(files.1.get(), one + 1);
    let refused = |new: &str| rename(&[&analysis], &files, &target, new, &|_| true).expect_err("a clash");
    assert!(refused("ply").contains("clash") || refused("ply").contains("error"), "{}", refused("ply"));
}
