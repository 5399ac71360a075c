//! Overrides: every kind does what it says, in a variant and in a file; two that conflict are reported with both
//! places.

use regelwerk::diff::{Fate, Side, compare};
use regelwerk::load::{Files, Loaded, NoFiles, Setup, check_all, load};
use regelwerk::mend::{Subject, mend, offer};
use regelwerk::report::Code;

use crate::support::reports;

const BASE: &str = "game base
players a, b
board square 2 x 2
kinds animal owned
  | kind | points |
  | bear |     10 |
  | fox  |      5 |
table bonus
  | from: int | more |
  | 1         |    0 |
  | 4         |    2 |
option most = 3 from 1..9
reading who = a1_first | b1_first
region home = a1
define worth(k: kind) = k.points + bonus(count(empty)).more
setup { if who == a1_first { put bear of a on home } }
action lay { choose f in empty  put own fox on f }
play { turns { mover plays lay else { draw } } }
end many after move when worth(fox) * count(own fox) >= most * 5 { win me }
end full after move when no empty { draw }
";

/// The base, available to a file that extends it.
struct Beside;

impl Files for Beside {
    fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
        Ok(("base.rules".to_owned(), BASE.to_owned()))
    }
}

fn played(text: &str, variants: &[&str]) -> Loaded {
    let setup = Setup { variants: variants.iter().map(|name| (*name).to_owned()).collect(), ..Setup::default() };
    load("text.rules", text, &Beside, &setup)
}

fn side(loaded: &Loaded) -> Side<'_> {
    let game = loaded.game.as_ref().unwrap_or_else(|| panic!("{}", reports(loaded)));
    Side { items: &loaded.items, game, sources: &loaded.sources }
}

/// The effect of each override on its own: the items, and what happened to them.
const KINDS: &[(&str, &[(&str, Fate)])] = &[
    ("set most = 2", &[("option most", Fate::Changed)]),
    ("set who = b1_first", &[("reading who", Fate::Changed)]),
    ("set animal.fox.points = 7", &[("kinds animal", Fate::Changed)]),
    ("set bonus.4.more = 7", &[("table bonus", Fate::Changed)]),
    ("row animal | wolf | 7 |\n", &[("kinds animal", Fate::Changed)]),
    ("row bonus | 3 | 1 |\n", &[("table bonus", Fate::Changed)]),
    ("replace row animal | fox | 7 |\n", &[("kinds animal", Fate::Changed)]),
    ("remove row bonus.4", &[("table bonus", Fate::Changed)]),
    ("remove row bonus.4  row bonus | 3 | 1 |\n", &[("table bonus", Fate::Changed)]),
    ("replace region home = b2", &[("region home", Fate::Changed)]),
    ("replace setup { }", &[("setup", Fate::Changed)]),
    ("replace define worth(k: kind) = k.points + 1", &[("define worth", Fate::Changed)]),
    ("replace board square 2 x 3", &[("board", Fate::Changed)]),
    ("replace players a, b, c", &[("players", Fate::Changed)]),
    ("replace action lay { choose f in empty - home  put own fox on f }", &[("action lay", Fate::Changed)]),
    ("remove end full", &[("end full", Fate::Removed)]),
    ("define twice(n: int) = n + n", &[("define twice", Fate::Added)]),
    ("set most = 2  remove end full", &[("option most", Fate::Changed), ("end full", Fate::Removed)]),
];

#[test]
fn every_kind_of_override_works_in_variants_and_files() {
    let plain = played(BASE, &[]);
    for (change, wanted) in KINDS {
        let variant = played(&format!("{BASE}variant v {{ {change} }}"), &["v"]);
        let file = played(&format!("game over extends \"base.rules\"\n{change}"), &[]);
        for loaded in [variant, file] {
            let diff = compare(&side(&plain), &side(&loaded));
            let found: Vec<(&str, Fate)> = diff
                .changes
                .iter()
                .filter(|change| !change.item.starts_with("variant") && !change.follows)
                .map(|change| (change.item.as_str(), change.fate))
                .collect();
            assert_eq!(found, *wanted, "{change}");
        }
    }
}

/// Two changes that exclude each other.
const MEET: &[(&str, &str)] = &[
    ("set most = 2", "set most = 4"),
    ("set most = 2", "replace option most = 4"),
    ("set who = b1_first", "set who = b1_first"),
    ("set animal.fox.points = 7", "set animal.fox.points = 8"),
    ("set animal.fox.points = 7", "replace kinds animal owned\n | kind | points |\n | bear | 1 |\n | fox | 2 |\n"),
    ("set animal.fox.points = 7", "replace row animal | fox | 8 |\n"),
    ("remove row bonus.4", "set bonus.4.more = 7"),
    ("row animal | wolf | 7 |\n", "row animal | wolf | 8 |\n"),
    ("replace region home = b2", "replace region home = b1"),
    ("replace setup { }", "replace setup { put bear of b on home }"),
    ("remove end full", "replace end full after move when no empty { lose me }"),
    ("define more = 1", "define more = 2"),
];

#[test]
fn conflicting_overrides_are_reported_with_both_places() {
    for (one, other) in MEET {
        for (one, other) in [(one, other), (other, one)] {
            let text = format!("{BASE}variant one {{ {one} }}\nvariant two {{ {other} }}");
            let loaded = played(&text, &["one", "two"]);
            let list = loaded.reports.sorted();
            let conflict = list.iter().find(|report| report.code == Code::Conflict);
            let conflict = conflict.unwrap_or_else(|| panic!("{one} + {other}: {}", reports(&loaded)));
            let places = [conflict.span, conflict.also[0].0].map(|span| loaded.sources.slice(span).trim().to_owned());
            assert_eq!(places, [other.trim().to_owned(), one.trim().to_owned()]);
            // Each on its own is fine, and `check` knows that they cannot be combined.
            for name in ["one", "two"] {
                assert!(played(&text, &[name]).game.is_some(), "{name}: {}", reports(&played(&text, &[name])));
            }
            let all = check_all("text.rules", &text, &NoFiles);
            assert!(!all.reports.has_errors(), "{one} + {other}: {}", reports(&all));
        }
    }
    // Different cells do not conflict, nor do an option and a rule that uses it.
    for (one, other) in [
        ("set animal.fox.points = 7", "set animal.bear.points = 8"),
        ("row animal | wolf | 7 |\n", "row animal | duck | 7 |\n"),
        ("remove row bonus.4", "row bonus | 3 | 1 |\n"),
        ("set most = 2", "remove end full"),
    ] {
        let text = format!("{BASE}variant one {{ {one} }}\nvariant two {{ {other} }}");
        assert!(played(&text, &["one", "two"]).game.is_some(), "{one} + {other}");
    }
}

#[test]
fn one_place_changes_a_thing_once() {
    for text in [
        format!("{BASE}variant v {{ set most = 2  replace option most = 4 }}"),
        "game over extends \"base.rules\"\nset most = 2\nset most = 4\n".to_owned(),
    ] {
        let loaded = played(&text, &if text.contains("variant v") { vec!["v"] } else { vec![] });
        let found: Vec<(Code, usize)> =
            loaded.reports.sorted().iter().map(|report| (report.code, report.also.len())).collect();
        assert_eq!(found, [(Code::Duplicate, 1)], "{}", reports(&loaded));
    }
}

/// A variant of an extended file knows nothing of what the extending file changes.
#[test]
fn a_file_and_an_inherited_variant_may_conflict() {
    struct Below;
    impl Files for Below {
        fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
            Ok(("base.rules".to_owned(), format!("{BASE}variant short {{ set most = 1 }}")))
        }
    }
    let over = "game over extends \"base.rules\"\nset most = 2\n";
    let chosen = Setup { variants: vec!["short".to_owned()], ..Setup::default() };
    let loaded = load("over.rules", over, &Below, &chosen);
    let list = loaded.reports.sorted();
    assert_eq!((list[0].code, list[0].also.len()), (Code::Conflict, 1), "{}", reports(&loaded));
    assert_eq!(loaded.sources.slice(list[0].span), "set most = 2");
    assert_eq!(loaded.sources.slice(list[0].also[0].0), "set most = 1");
    // The file itself is fine, and may define the variant differently; `check` knows that the two cannot be combined.
    let all = check_all("over.rules", over, &Below);
    assert!(!all.reports.has_errors());
    assert_eq!(all.incompatible.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["short"]);
    assert!(all.incompatible[0].1.contains("`option most`"), "{:?}", all.incompatible);
    let own = format!("{over}replace variant short {{ set most = 1 }}\n");
    assert!(load("over.rules", &own, &Below, &chosen).game.is_some());
}

#[test]
fn missing_targets_are_reported_with_a_suggestion() {
    for (change, help) in [
        ("set mast = 2", "did you mean `most`?"),
        ("set who = c1_first", "did you mean `a1_first`?"),
        ("set animals.fox.points = 2", "did you mean `animal`?"),
        ("set animal.fix.points = 2", "did you mean `fox`?"),
        ("set animal.fox.point = 2", "did you mean `points`?"),
        ("replace row animal | fix | 2 |\n", "did you mean `fox`?"),
        ("row animals | owl | 2 |\n", "did you mean `animal`?"),
        ("remove row animal.wolf", "the choices are bear, fox"),
        ("remove end ful", "did you mean `end full`?"),
        ("replace region hom = a1", "did you mean `region home`?"),
    ] {
        let loaded = played(&format!("{BASE}variant v {{ {change} }}"), &["v"]);
        let list = loaded.reports.sorted();
        assert_eq!(list[0].code, Code::NothingToOverride, "{change}: {}", reports(&loaded));
        assert_eq!(list[0].help.as_deref(), Some(help), "{change}");
        // `check` finds it without naming the variant.
        let all = check_all("text.rules", &format!("{BASE}variant v {{ {change} }}"), &NoFiles);
        assert_eq!(all.reports.sorted()[0].help.as_deref(), Some(help), "{change}");
    }
    for (change, code, marked) in [
        ("set animal.fox.points = 2 + 3", Code::WrongType, "2 + 3"),
        ("row animal | fox | 6 |\n", Code::Duplicate, "fox"),
        ("row animal | owl |\n", Code::RaggedTable, "owl"),
        ("row animal | owl | x |\n", Code::WrongType, "x"),
    ] {
        let loaded = played(&format!("{BASE}variant v {{ {change} }}"), &["v"]);
        let list = loaded.reports.sorted();
        assert_eq!((list[0].code, loaded.sources.slice(list[0].span)), (code, marked), "{}", reports(&loaded));
        assert!(list[0].help.is_some(), "{change}");
    }
}

/// An error that a change causes elsewhere is reported with the change.
#[test]
fn an_error_names_the_change_that_causes_it() {
    for change in ["remove row animal.fox", "remove option most", "set animal.bear.points = 7  remove define worth"] {
        let loaded = played(&format!("game over extends \"base.rules\"\n{change}\n"), &[]);
        let list = loaded.reports.sorted();
        let part = change.rsplit("  ").next().unwrap_or(change);
        let (span, label) = &list[0].also[0];
        let told = (loaded.sources.slice(*span), label.as_str());
        assert_eq!(told, (part, "caused by this change"), "{}", reports(&loaded));
    }
}

/// An addition may be meant as an override, or under another name: it is left, and the help says how to override.
#[test]
fn an_addition_is_not_made_an_override() {
    for addition in ["row animal | fox | 6 |", "end full after move when no empty { lose me }"] {
        let text = format!("game over extends \"base.rules\"\n{addition}\n");
        let subject = Subject { name: "over.rules", text: &text, files: &Beside };
        assert_eq!(mend(subject, &Setup::default()).text, text);
        let mut loaded = played(&text, &[]);
        offer(subject, &Setup::default(), &mut loaded);
        let help: Vec<_> = loaded.reports.sorted().into_iter().filter_map(|report| report.help.clone()).collect();
        assert!(help[0].contains("write `replace "), "{help:?}");
    }
}

/// A clause of a registry can only be restated by `replace`.
#[test]
fn clauses_of_a_registry_are_replaced() {
    struct Registry;
    impl Files for Registry {
        fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
            let text = match file {
                "base.rules" => format!("{BASE}document \"D\" clauses \"clauses.ron\"\n"),
                _ => "Registry(clauses: [Clause(id: \"1/1\", kind: End, text: \"old\")])".to_owned(),
            };
            Ok((file.to_owned(), text))
        }
    }
    let with = |line: &str| {
        load("over.rules", &format!("game over extends \"base.rules\"\n{line}\n"), &Registry, &Setup::default())
    };
    let loaded = with("replace clause §1/1 \"new\"");
    let game = loaded.game.as_ref().unwrap_or_else(|| panic!("{}", reports(&loaded)));
    assert_eq!(game.clauses.clauses["1/1"].text, "new");
    for (line, code, help) in [
        ("clause §1/1 \"new\"", Code::Duplicate, "`replace clause`"),
        ("replace clause §1/2 \"new\"", Code::NothingToOverride, "`§1/1`"),
    ] {
        let loaded = with(line);
        let list = loaded.reports.sorted();
        assert_eq!(list[0].code, code, "{}", reports(&loaded));
        assert!(list[0].help.as_deref().unwrap_or("").contains(help), "{}", reports(&loaded));
    }
}

/// Settings that a version still offers although no rule depends on them any longer.
#[test]
fn settings_without_effect_are_reported() {
    let loaded = played("game over extends \"base.rules\"\nreplace setup { }\n", &[]);
    let told: Vec<_> = loaded.reports.sorted().iter().map(|report| (report.code, report.help.clone())).collect();
    let help = "it has no use in this version: write `remove reading who`".to_owned();
    assert_eq!(told, [(Code::Unused, Some(help))]);
    assert!(played("game over extends \"base.rules\"\nreplace setup { }\nremove reading who\n", &[]).game.is_some());
}
