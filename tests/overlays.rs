//! Overlays: what changes if readings and variants are chosen, and changes of parts of rules.

use regelwerk::base::FileId;
use regelwerk::engine::Fast;
use regelwerk::load::{Files, Loaded, NoFiles, RuleFile, Setup, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::{Engine, Observation};
use regelwerk::notation::print_position;
use regelwerk::play::{Match, Who};
use regelwerk::report::{Code, Reports};
use regelwerk::syntax::ast::item::{Item, ItemKind};
use regelwerk::syntax::parse;

use crate::support::{Disk, GAMES, read, reports, rules_of};

const BASE: &str = "game base
players a, b
board square 3 x 3
piece stone owned
clause §1 \"one\"
clause §2 \"two\"
clause §3 \"three\"
var left: int = 3 \"left\"
setup { for p in seats { put stone of p on a1 } left := 2 }
action lay {
  choose f in empty §1
  require f != b2 §2
  require left >= 0 §3
  if left > 1 { left -= 1 } else { left := 9 §2 }
  put own stone on f
}
play { turns { mover plays lay else { count_up() } } }
procedure count_up() { draw }
end many after move when count(own stone) > 3 { win me }
";

fn chosen(readings: &[(&str, &str)], variants: &[&str]) -> Setup {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Setup {
        readings: readings.iter().map(pair).collect(),
        variants: variants.iter().map(|name| (*name).to_owned()).collect(),
        ..Setup::default()
    }
}

fn loaded(text: &str, setup: &Setup) -> Loaded {
    load("text.rules", text, &NoFiles, setup)
}

/// The item with a key, as it is after all overrides.
fn item(items: impl IntoIterator<Item = Item>, key: &str) -> ItemKind {
    let found = items.into_iter().find(|item| item.key() == key);
    found.unwrap_or_else(|| panic!("no {key}")).kind
}

/// Changes of one rule, and the rule that they make of it.
const PARTS: &[(&str, &str)] = &[
    ("change setup { remove for }", "setup { left := 2 }"),
    (
        "change setup { before put { left := 1 } }",
        "setup { for p in seats { left := 1 put stone of p on a1 } left := 2 }",
    ),
    (
        "change setup { after for p { left := 7 } remove left }",
        "setup { for p in seats { put stone of p on a1 } left := 7 }",
    ),
    (
        "change setup { before all { left := 1 } after all { left := 7 } }",
        "setup { left := 1 for p in seats { put stone of p on a1 } left := 2 left := 7 }",
    ),
    ("change setup { replace for { } }", "setup { left := 2 }"),
    ("change procedure count_up { replace draw { win a } }", "procedure count_up() { win a }"),
    ("change procedure count_up { replace draw \"over\" }", "procedure count_up() { draw \"over\" }"),
    ("change play { replace count_up { lose mover } }", "play { turns { mover plays lay else { lose mover } } }"),
    ("change play { replace mover plays lay else pass }", "play { turns { mover plays lay else pass } }"),
    (
        "change play { before turns { roll p in seats turns from p { stop } } }",
        "play { roll p in seats turns from p { stop } turns { mover plays lay else { count_up() } } }",
    ),
    (
        "change play { before plays lay { if left > 8 { stop } } after all { draw } }",
        "play { turns { if left > 8 { stop } mover plays lay else { count_up() } } draw }",
    ),
    (
        "change end many { replace when count(own stone) > 4 §3 replace win { lose me } }",
        "end many after move when count(own stone) > 4 §3 { lose me }",
    ),
    (
        "change action lay { replace choose f in empty - b1 remove §3 }",
        "action lay { choose f in empty - b1 require f != b2 §2 if left > 1 { left -= 1 } else { left := 9 §2 }
         put own stone on f }",
    ),
    (
        "change action lay { remove require §2 after choose f { require f != c3 } replace if { left -= 1 } }",
        "action lay { choose f in empty §1 require f != c3 require left >= 0 §3 left -= 1 put own stone on f }",
    ),
    (
        "change action lay { replace left §2 { left := 8 } before put stone { left += 1 } }",
        "action lay { choose f in empty §1 require f != b2 §2 require left >= 0 §3
         if left > 1 { left -= 1 } else { left := 8 } left += 1 put own stone on f }",
    ),
];

/// A part of a rule is changed alike in a variant, under a reading, and in a file that extends another; what comes out
/// is the rule as it would be written by hand.
#[test]
fn parts_of_rules_are_changed_everywhere_alike() {
    struct Beside;
    impl Files for Beside {
        fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
            Ok(("base.rules".to_owned(), BASE.to_owned()))
        }
    }
    for (change, wanted) in PARTS {
        let wanted = parse(FileId(0), wanted, &mut Reports::default()).items;
        let key = wanted[0].key();
        let wanted = item(wanted, &key);
        let variant = loaded(&format!("{BASE}variant v {{ {change} }}"), &chosen(&[], &["v"]));
        let text = format!("{BASE}reading r = one | two\nwith r == two {{ {change} }}");
        let reading = loaded(&text, &chosen(&[("r", "two")], &[]));
        let plain = loaded(&text, &Setup::default());
        let file =
            load("over.rules", &format!("game over extends \"base.rules\"\n{change}"), &Beside, &Setup::default());
        for found in [variant, reading, file] {
            assert!(found.game.is_some(), "{change}: {}", reports(&found));
            assert_eq!(item(found.items.iter().map(|item| (**item).clone()), &key), wanted, "{change}");
        }
        assert_ne!(item(plain.items.iter().map(|item| (**item).clone()), &key), wanted, "{change}");
        assert!(plain.reports.is_empty(), "{change}: {}", reports(&plain));
    }
}

/// Parts that are none, or several.
#[test]
fn a_part_is_one_statement() {
    for (change, words) in [
        ("change action lay { remove require }", "names 2 parts"),
        ("change action lay { remove require }", "add a clause that only one of them cites"),
        ("change action lay { remove §2 }", "names 2 parts"),
        ("change action lay { remove §2 }", "add the word it begins with"),
        ("change action lay { remove choose g }", "there is no `choose g`"),
        ("change action lai { remove §3 }", "there is no `action lai`"),
        ("change action lay { replace when left > 1 }", "has no `when`"),
        ("change end many { remove draw }", "its parts are `win me`"),
        ("change action lay { remove §3 before §3 { left := 1 } remove require §3 }", "changed twice"),
    ] {
        let loaded = loaded(&format!("{BASE}variant v {{ {change} }}"), &chosen(&[], &["v"]));
        assert!(reports(&loaded).contains(words), "{change}: {}", reports(&loaded));
    }
    // Two calls that are the same in all that could tell them apart.
    let twice = format!(
        "{BASE}action two {{ count_up() count_up() }}\nvariant v {{ change action two {{ remove count_up }} }}"
    );
    assert!(
        reports(&loaded(&twice, &chosen(&[], &["v"]))).contains("nothing tells them apart: write `action two` anew")
    );
    let define = format!("{BASE}define twice = 2 * left\nvariant v {{ change define twice {{ remove §1 }} }}");
    assert!(reports(&loaded(&define, &chosen(&[], &["v"]))).contains("it is one part"));
}

/// Two readings, each with an overlay.
fn two(first: &str, second: &str, more: &str) -> String {
    let readings = "reading r = one | two\nreading q = one | two\n";
    format!("{BASE}{readings}with r == two {{ {first} }}\nwith q == two {{ {second} }}\n{more}")
}

/// Overlays that meet are reported with both places, unless a joint one says how they join; others go together.
#[test]
fn overlays_meet_or_join() {
    let both = chosen(&[("r", "two"), ("q", "two")], &[]);
    let meet = [
        ("replace choose f in empty - b1", "replace choose f { choose f in empty - b3 }"),
        ("remove if", "replace left §2 { left := 1 }"),
        ("remove if", "before left §2 { left := 1 }"),
    ];
    for (one, other) in meet {
        for (one, other) in [(one, other), (other, one)] {
            let text = two(&format!("change action lay {{ {one} }}"), &format!("change action lay {{ {other} }}"), "");
            let torn = loaded(&text, &both);
            let list = torn.reports.sorted();
            let conflict = list.iter().find(|report| report.code == Code::Conflict);
            let conflict = conflict.unwrap_or_else(|| panic!("{one} + {other}: {}", reports(&torn)));
            let places = [conflict.also[0].0, conflict.span].map(|span| torn.sources.slice(span).trim().to_owned());
            assert_eq!(places, [one, other]);
            for alone in [chosen(&[("r", "two")], &[]), chosen(&[("q", "two")], &[])] {
                assert!(loaded(&text, &alone).game.is_some(), "{one}: {}", reports(&loaded(&text, &alone)));
            }
        }
    }
    let text = two(
        "change action lay { replace choose f in empty - b1 }",
        "change action lay { replace choose f in empty - b3 }",
        "with r == two and q == two { change action lay { replace choose f in empty - b1 - b3 } }",
    );
    let joined = loaded(&text, &both);
    assert!(joined.game.is_some(), "{}", reports(&joined));
    let action = format!("{:?}", item(joined.items.iter().map(|item| (**item).clone()), "action lay"));
    assert!(action.contains("b1") && action.contains("b3"), "{action}");
    // What several add at one place stands there in the order of the file.
    let text = two(
        "change procedure count_up { before draw { left := 1 } }",
        "change procedure count_up { before draw { left := 2 } }",
        "",
    );
    let added = loaded(&text, &both);
    let wanted = loaded(
        &format!("{BASE}variant v {{ change procedure count_up {{ before draw {{ left := 1 left := 2 }} }} }}"),
        &chosen(&[], &["v"]),
    );
    let of = |loaded: &Loaded| item(loaded.items.iter().map(|item| (**item).clone()), "procedure count_up");
    assert_eq!(of(&added), of(&wanted));
}

/// A variant and a reading meet like two readings, and join like them.
#[test]
fn variants_and_readings_join() {
    let base = format!(
        "{BASE}reading r = one | two\nvariant v {{ replace board square 4 x 4 }}\nwith r == two {{ replace board square 5 x 5 }}\n"
    );
    let setup = chosen(&[("r", "two")], &["v"]);
    let torn = loaded(&base, &setup);
    assert!(reports(&torn).contains("the variant `v` and `r == two` both change `board`"), "{}", reports(&torn));
    let joined = loaded(&format!("{base}with v and r == two {{ replace board square 6 x 6 }}"), &setup);
    assert_eq!(joined.game.unwrap_or_else(|| panic!("no game")).topology.sites.len(), 36);
    // Within the variant, it is the same.
    let inner = base.replace("square 4 x 4 }", "square 4 x 4 with r == two { replace board square 7 x 7 } }");
    assert_eq!(loaded(&inner, &setup).game.unwrap_or_else(|| panic!("no game")).topology.sites.len(), 49);
}

/// A reading may change seats and numbers of players; a variant that sets a reading brings its overlay.
#[test]
fn an_overlay_follows_the_reading_however_it_is_chosen() {
    let text = format!(
        "{BASE}reading r = one | two\nwith r == two {{ replace players a, b, c for 2..3 }}\nvariant v {{ set r = two }}\n"
    );
    let file = RuleFile::read("text.rules", &text, &NoFiles);
    let offered = |setup: &Setup| file.load(setup).offer.players;
    assert_eq!(offered(&Setup::default()), [2]);
    assert_eq!(offered(&chosen(&[("r", "two")], &[])), [2, 3]);
    assert_eq!(offered(&chosen(&[], &["v"])), [2, 3]);
    assert_eq!(offered(&chosen(&[("r", "one")], &["v"])), [2]);
    let counts = file.setups().iter().filter(|setup| setup.players == Some(3)).count();
    assert_eq!(counts, 2, "the reading and the variant are checked with three players");
}

#[test]
fn conditions_must_be_known() {
    for (overlay, words) in [
        ("with s == two { }", "there is no reading `s`"),
        ("with r == three { }", "has no alternative `three`"),
        ("with w { }", "there is no variant `w`"),
        ("with r { }", "with r == two"),
        ("with r == two { set r = two }", "cannot depend on what else is chosen"),
    ] {
        let text = format!("{BASE}reading r = one | two\n{overlay}");
        let loaded = loaded(&text, &chosen(&[("r", "two")], &[]));
        assert!(reports(&loaded).contains(words), "{overlay}: {}", reports(&loaded));
    }
}

/// What is chosen counts for the digest, what is not does not.
#[test]
fn the_digest_depends_on_the_overlays_chosen() {
    let with = |value: &str| {
        format!(
            "{BASE}reading r = one | two\nwith r == two {{ change procedure count_up {{ replace draw {{ {value} }} }} }}"
        )
    };
    let pin = |text: &str, setup: &Setup| loaded(text, setup).game.unwrap_or_else(|| panic!("no game")).pin();
    let two = chosen(&[("r", "two")], &[]);
    let (win, lose) = (with("win a"), with("lose a"));
    assert_eq!(pin(&win, &Setup::default()), pin(&lose, &Setup::default()));
    assert_ne!(pin(&win, &two), pin(&lose, &two));
}

/// Every two readings of a bundled game that can be chosen together.
fn pairs(game: &str) -> Vec<Setup> {
    let path = rules_of(game);
    let file = RuleFile::read(&path.display().to_string(), &read(&path), &Disk);
    let readings = file.load(&Setup::default()).offer.readings;
    let all: Vec<(String, String)> = readings
        .iter()
        .flat_map(|choice| choice.values.iter().skip(1).map(|value| (choice.name.clone(), value.clone())))
        .collect();
    let mut found = Vec::new();
    for (at, one) in all.iter().enumerate() {
        for two in all[at + 1..].iter().filter(|two| two.0 != one.0) {
            found.push(Setup { readings: vec![one.clone(), two.clone()], ..Setup::default() });
        }
    }
    found
}

/// Loads every pair of readings, and plays random games that keep their invariants. A pair may be refused, with both
/// places. Returns how many were played, and which were refused.
fn every_pair(game: &str, games: u64) -> (usize, Vec<String>) {
    let path = rules_of(game);
    let file = RuleFile::read(&path.display().to_string(), &read(&path), &Disk);
    let (mut played, mut refused) = (0, Vec::new());
    for setup in pairs(game) {
        let what = format!("{game} {:?}", setup.readings);
        let loaded = file.load(&setup);
        let list = loaded.reports.sorted();
        if let Some(conflict) = list.iter().find(|report| report.code == Code::Conflict) {
            assert!(!conflict.also.is_empty(), "{what}: the other place is missing");
            refused.push(what);
            continue;
        }
        let text = reports(&loaded);
        let engine = Fast::new(loaded.game.unwrap_or_else(|| panic!("{what}: {text}")));
        let plan = Plan { cap: 600, seed: 17, invariants: true, traced: 0, reactions: None };
        let tally = simulate(&engine, &engine.start(), &plan, 0..games, &|_| ());
        assert_eq!(tally.violations, 0, "{what}");
        played += 1;
    }
    (played, refused)
}

#[test]
#[expect(clippy::print_stdout, reason = "it tells its figures")]
fn every_pair_of_readings_plays() {
    for game in GAMES {
        let (played, refused) = every_pair(game, 1);
        println!("{game}: {played} pairs of readings played, {} refused", refused.len());
        assert!(refused.is_empty(), "{refused:?}");
    }
}

#[test]
#[ignore = "the full mode"]
#[expect(clippy::print_stdout, reason = "it tells its figures")]
fn every_pair_of_readings_plays_a_hundred_games() {
    for game in GAMES {
        let (played, refused) = every_pair(game, 100);
        println!("{game}: {played} pairs of readings played, {} refused", refused.len());
    }
}

/// The lines of code that state a game as it is played by default: without comments, lines of clauses alone, readings,
/// overlays and variants.
fn main_line(text: &str) -> usize {
    let tree = parse(FileId(0), text, &mut Reports::default());
    let aside =
        |item: &&Item| matches!(item.kind, ItemKind::Reading(..) | ItemKind::With(..) | ItemKind::Variant { .. });
    let spans: Vec<_> = tree.items.iter().filter(aside).map(|item| item.span).collect();
    let mut at = 0;
    let mut count = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or("").trim();
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let other = spans.iter().any(|span| (span.start as usize..span.end as usize).contains(&start));
        let cites = code.starts_with('§') && !code.contains('{');
        count += usize::from(!code.is_empty() && !cites && !other);
    }
    count
}

/// A stranger reads the main line: it must be short, and know nothing of readings.
#[test]
#[expect(clippy::print_stdout, reason = "it tells its figures")]
fn main_lines_are_short() {
    for (game, most) in
        [("halma", 65), ("kalaha", 70), ("sternhalma", 90), ("halali", 120), ("hai-noon", 210), ("halli-galli", 230)]
    {
        let text = read(&rules_of(game));
        let lines = main_line(&text);
        println!("{game}: {lines} lines of code in the main line, at most {most}");
        assert!(lines <= most, "{game}: {lines} lines");
        let file = RuleFile::read(game, &text, &NoFiles);
        let readings = file.load(&Setup::default()).offer.readings;
        let tree = parse(FileId(0), &text, &mut Reports::default());
        for item in tree.items.iter().filter(|item| !matches!(item.kind, ItemKind::Reading(..) | ItemKind::With(..))) {
            let code = regelwerk::syntax::words(&text[item.span.start as usize..item.span.end as usize]);
            let named = readings.iter().find(|choice| code.iter().any(|(_, word)| *word == choice.name));
            assert!(named.is_none(), "{game}: `{}` names a reading", item.key());
        }
    }
}

/// Overlays of which neither depends on all the choices of the other do not know of each other, on however many they depend.
#[test]
fn unequal_numbers_of_choices_decide_nothing() {
    let text = |first: &str, second: &str, third: &str| {
        format!(
            "game l\nplayers x, y\nvariant va {{ }}\nvariant b {{ }}\nvariant c {{ }}\nvar n: int\nvar m: int\n\
             action go {{ n := n + 1 }}\nplay {{ turns {{ mover plays go }} }}\n\
             end over after move when ply == 2 {{ draw }}\n{first}\n{second}\n{third}\n"
        )
    };
    let all = chosen(&[], &["va", "b", "c"]);
    let faults = |text: &str| {
        let list = loaded(text, &all).reports;
        let messages: Vec<String> =
            list.sorted().iter().filter(|it| it.code == Code::Conflict).map(|it| it.message.clone()).collect();
        (messages.len(), list.has_errors())
    };
    let one = |change: &str| format!("with va {{ change action go {{ {change} }} }}");
    let two = |change: &str| format!("with b and c {{ change action go {{ {change} }} }}");
    let joint = "with va and b and c { change action go { replace n := 9 } }";
    // Both change the same statement, or one within it: refused, unless an overlay for the combination joins them.
    for (first, second) in [
        ("replace n := 5", "replace n := 7"),
        ("remove n", "replace n := 7"),
        ("remove n after all { n += 90 }", "replace n := 7"),
        ("replace n { if m > 3 { n := 4 } }", "remove n"),
    ] {
        assert_eq!(faults(&text(&one(first), &two(second), "")), (1, true), "{first} | {second}");
        assert_eq!(faults(&text(&two(second), &one(first), "")), (1, true), "{second} | {first}");
    }
    let n = |text: &str| {
        let loaded = loaded(text, &all);
        let engine = Fast::new(loaded.game.unwrap_or_else(|| panic!("{text}")));
        let mut game = Match::new(&engine, engine.start());
        let step = game.door(Who::Referee).read("go").expect("a move");
        game.play(step).expect("it is legal");
        let said = print_position(&engine, &Observation::referee(game.position()));
        said.split(" | ").find_map(|part| part.strip_prefix("n=").map(str::to_owned)).expect("n")
    };
    assert_eq!(n(&text(&one("replace n := 5"), &two("replace n := 7"), joint)), "9");
    assert_eq!(n(&text(&one("remove n"), &two("replace n := 7"), joint)), "9");
    // What both add stands in the order of the file, and neither sees what the other adds.
    let (adds, too) = (one("after all { n := n * 10 + 3 }"), two("after all { n := n * 10 + 2 }"));
    assert_eq!(n(&text(&too, &adds, "")), "123");
    assert_eq!(n(&text(&adds, &too, "")), "132");
    let (beside, near) = (one("after n { n := n * 10 + 3 }"), two("after n { n := n * 10 + 2 }"));
    assert_eq!(n(&text(&near, &beside, "")), "123");
    // Where one stands above a third, it still changes nothing that the other has brought.
    let third = "with b { change action go { after all { m := 4 } } }";
    assert_eq!(faults(&text(&one("replace n := 5"), &two("replace n := 7"), third)), (1, true));
}

/// An overlay for a combination joins two only as far as it changes all that both change. A row or rule that one of them replaces
/// stays, if what the other changes of it is changed by the joint one.
#[test]
fn what_both_change_is_changed_by_the_joint_overlay() {
    let base = "game j\nplayers p, q\nvar v: int\nvar w: int\nvar u: int\nreading r = r0 | r1\nreading s = s0 | s1\n\
        table tab\n  | k: int | x | y |\n  | 1 | 1 | 2 |\n  | 2 | 3 | 4 |\n\
        procedure add() { v := tab(1).x * 10 + tab(1).y if v > 0 { w := 5 u := 5 v += 100 } }\nsetup { add() }\n\
        action go { choose n in 1..2 }\nplay { turns { mover plays go } }\nend e after move when ply > 9 { draw }\n";
    let both = chosen(&[("r", "r1"), ("s", "s1")], &[]);
    let v = |one: &str, two: &str, joint: &str| {
        let text = format!(
            "{base}with r == r1 {{ {one} }}\nwith s == s1 {{ {two} }}\nwith r == r1 and s == s1 {{ {joint} }}\n"
        );
        let loaded = loaded(&text, &both);
        let conflicts = loaded.reports.sorted().iter().filter(|report| report.code == Code::Conflict).count();
        assert_eq!(loaded.game.is_none(), conflicts > 0, "{one} | {two} | {joint}: {}", reports(&loaded));
        let engine = loaded.game.map(Fast::new);
        let shown = |engine: &Fast| print_position(engine, &Observation::referee(&engine.start()));
        let value = |text: &str| text.split(" | ").find_map(|part| part.strip_prefix("v=").map(str::to_owned));
        engine.as_ref().map(shown).and_then(|text| value(&text)).unwrap_or_default()
    };
    let row = "replace row tab | 1 | 5 | 6 |\n";
    let whole = "replace procedure add() { v := 7 if v > 9 { v += 1 } }";
    for (one, two, joint, wanted) in [
        // A row, and a cell of it: the row stays where the joint one sets the cell, or gives way to another.
        (row, "set tab.1.x = 7", "set tab.1.y = 9", ""),
        (row, "set tab.1.x = 7", "set tab.1.x = 8", "186"),
        (row, "set tab.1.x = 7", "replace row tab | 1 | 2 | 3 |\n", "123"),
        // A rule, and a part of it.
        (
            whole,
            "change procedure add { replace if { v := 50 } }",
            "change procedure add { before all { v := 4 } }",
            "",
        ),
        (
            whole,
            "change procedure add { replace if { v := 50 } }",
            "change procedure add { replace if { v += 80 } }",
            "87",
        ),
        (whole, "change procedure add { replace if { v := 50 } }", "replace procedure add() { v := 3 }", "3"),
        // A statement, and one within it.
        (
            "change procedure add { replace if { if v > 1 { v += 300 } } }",
            "change procedure add { remove w }",
            "change procedure add { remove u }",
            "",
        ),
        (
            "change procedure add { replace if { v += 300 } }",
            "change procedure add { remove w }",
            "change procedure add { replace if { v += 500 } }",
            "512",
        ),
    ] {
        assert_eq!(v(one, two, joint), wanted, "{one} | {two} | {joint}");
        assert_eq!(v(two, one, joint), wanted, "{two} | {one} | {joint}");
    }
}

/// A file that extends another finds this one.
struct Below<'t>(&'t str);

impl Files for Below<'_> {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        Ok((file.to_owned(), self.0.to_owned()))
    }
}

/// What a smaller overlay has brought stands within the statement where it was put, and what a file that extends another changes in an
/// overlay of its own, no overlay of the other knows of.
#[test]
fn what_overlays_brought_is_part_of_the_rules_they_stand_in() {
    let base = "game sw\nplayers p, q\nvar log: int\nreading r = r0 | r1\nreading s = s0 | s1\n\
        procedure add(n: int) { log := log * 10 + n }\nprocedure one() { add(1) }\nprocedure two() { add(2) }\n\
        setup { if ply == 0 { one() } }\naction go { choose n in 1..2 }\nplay { turns { mover plays go } }\n\
        end e after move when ply == 3 { draw }\nvariant v { change setup { before one { two() } } }\n";

    let conflicts = |text: &str, readings: &[(&str, &str)]| {
        let loaded = loaded(text, &chosen(readings, &["v"]));
        let of = |code| loaded.reports.sorted().iter().filter(|report| report.code == code).count();
        assert_eq!(loaded.game.is_none(), loaded.reports.has_errors());
        (of(Code::Conflict), of(Code::Duplicate))
    };
    let whole = "replace if { add(4) }";
    for inner in ["replace two { add(5) }", "remove two", "before two { add(5) }", "after two { add(5) }"] {
        let with = |reading: &str, change: &str| format!("with {reading} and v {{ change setup {{ {change} }} }}\n");
        let both = [("r", "r1"), ("s", "s1")];
        for (one, two) in [(whole, inner), (inner, whole)] {
            let text = format!("{base}{}{}", with("r == r1", one), with("s == s1", two));
            assert_eq!(conflicts(&text, &both), (1, 0), "{text}");
            assert_eq!(conflicts(&text, &both[..1]), (0, 0), "{text}");
            let joint = with("r == r1 and s == s1", "replace if { add(6) }");
            assert_eq!(conflicts(&(text + &joint), &both), (0, 0));
            let twice = format!("{base}{}", with("r == r1", &format!("{one} {two}")));
            assert_eq!(conflicts(&twice, &both), (0, 1), "{twice}");
        }
    }
    let base = "game base\nplayers p, q\ndefine d = 1\nvar z: int\nsetup { z := d }\naction go { choose n in 1..2 }\n\
        play { turns { mover plays go } }\nend e after move when ply == 3 { draw }\nvariant u { }\nvariant v { }\n\
        with u and v { replace define d = 48 }\n";
    let extended = |with: &str, names: &[&str]| {
        let text = format!("game more extends \"base.rules\"\n{with}\n");
        let loaded = load("more.rules", &text, &Below(base), &chosen(&[], names));
        let conflicts = loaded.reports.sorted().iter().filter(|report| report.code == Code::Conflict).count();
        assert_eq!(loaded.game.is_none(), conflicts > 0, "{with}: {}", reports(&loaded));
        conflicts
    };
    assert_eq!(extended("with v { replace define d = 33 }", &["u", "v"]), 1);
    assert_eq!(extended("with v { replace define d = 33 }", &["v"]), 0);
    assert_eq!(
        extended("with v { replace define d = 33 } replace with u and v { replace define d = 50 }", &["u", "v"]),
        0
    );
}
