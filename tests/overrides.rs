//! Overrides: every kind does what it says, in a variant and in a file; two that
//! meet are refused with both places.

use regelwerk::diff::{Fate, Side, compare};
use regelwerk::load::{Files, Loaded, NoFiles, Setup, check_all, load};
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

/// The base, beside a file that extends it.
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

/// What an override changes, by itself: the items, with what became of them.
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

/// Two changes that cannot both be carried out.
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
fn overrides_that_meet_are_refused_with_both_places() {
    for (one, other) in MEET {
        for (one, other) in [(one, other), (other, one)] {
            let text = format!("{BASE}variant one {{ {one} }}\nvariant two {{ {other} }}");
            let loaded = played(&text, &["one", "two"]);
            let list = loaded.reports.sorted();
            let conflict = list.iter().find(|report| report.code == Code::Conflict);
            let conflict = conflict.unwrap_or_else(|| panic!("{one} + {other}: {}", reports(&loaded)));
            let places = [conflict.span, conflict.also[0].0].map(|span| loaded.sources.slice(span).trim().to_owned());
            assert_eq!(places, [other.trim().to_owned(), one.trim().to_owned()]);
            // Each by itself is fine, and `check` knows that they do not combine.
            for name in ["one", "two"] {
                assert!(played(&text, &[name]).game.is_some(), "{name}: {}", reports(&played(&text, &[name])));
            }
            let all = check_all("text.rules", &text, &NoFiles);
            assert!(!all.reports.has_errors(), "{one} + {other}: {}", reports(&all));
        }
    }
    // Different cells, and an option with a rule that uses it, do not meet.
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

/// A variant of the rules below knows nothing of what the file above changes.
#[test]
fn a_file_and_a_variant_it_inherits_may_meet() {
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
    // The file itself is fine, and may say what the variant is to be here.
    assert!(!check_all("over.rules", over, &Below).reports.has_errors());
    let own = format!("{over}replace variant short {{ set most = 1 }}\n");
    assert!(load("over.rules", &own, &Below, &chosen).game.is_some());
}

#[test]
fn what_is_not_there_is_said_with_a_cure() {
    for (change, help) in [
        ("set mast = 2", "did you mean `most`?"),
        ("set who = c1_first", "did you mean `a1_first`?"),
        ("set animals.fox.points = 2", "did you mean `animal`?"),
        ("set animal.fix.points = 2", "did you mean `fox`?"),
        ("set animal.fox.point = 2", "did you mean `points`?"),
        ("replace row animal | fix | 2 |\n", "did you mean `fox`?"),
        ("row animals | owl | 2 |\n", "did you mean `animal`?"),
        ("remove row animal.wolf", "there are bear, fox"),
        ("remove end ful", "did you mean `end full`?"),
        ("replace region hom = a1", "did you mean `region home`?"),
    ] {
        let loaded = played(&format!("{BASE}variant v {{ {change} }}"), &["v"]);
        let list = loaded.reports.sorted();
        assert_eq!(list[0].code, Code::NothingToOverride, "{change}: {}", reports(&loaded));
        assert_eq!(list[0].help.as_deref(), Some(help), "{change}");
        // `check` finds it without being told of the variant.
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
