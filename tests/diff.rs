//! How two games differ in meaning, not in how they are written.

use regelwerk::conformance::{Case, Rules, Transferred, load_cases, settles, stands_for, transfer};
use regelwerk::diff::{Change, Diff, Effect, Fate, Side, Which, compare};
use regelwerk::load::{Loaded, NoFiles, RuleFile, Setup, load};
use regelwerk::syntax::comments;

use crate::support::{Disk, GAMES, read, reports, root, rules_of, setups};

fn loaded(name: &str, text: &str, setup: &Setup) -> Loaded {
    let loaded = load(name, text, &Disk, setup);
    assert!(loaded.game.is_some(), "{name} {setup:?}\n{}", reports(&loaded));
    loaded
}

fn side(loaded: &Loaded) -> Side<'_> {
    Side { items: &loaded.items, game: loaded.game.as_ref().expect("a game"), sources: &loaded.sources }
}

fn between(old: &Loaded, new: &Loaded) -> Diff {
    compare(&side(old), &side(new))
}

/// The difference between two complete texts.
fn texts(old: &str, new: &str) -> Diff {
    between(&loaded("old.rules", old, &Setup::default()), &loaded("new.rules", new, &Setup::default()))
}

fn variant(name: &str) -> Setup {
    Setup { variants: vec![name.to_owned()], ..Setup::default() }
}

/// The difference between a bundled game and the same game in another setup.
fn settled(game: &str, setup: &Setup) -> Diff {
    let path = rules_of(game);
    let (name, text) = (path.display().to_string(), read(&path));
    between(&loaded(&name, &text, &Setup::default()), &loaded(&name, &text, setup))
}

fn items(diff: &Diff) -> Vec<(&str, Fate)> {
    diff.changes.iter().map(|change| (change.item.as_str(), change.fate)).collect()
}

fn facts(change: &Change) -> Vec<(String, String, String)> {
    let text = |written: &Option<regelwerk::diff::Written>| {
        written.as_ref().map_or_else(String::new, |written| written.text.clone())
    };
    change.facts.iter().map(|fact| (fact.what.clone(), text(&fact.old), text(&fact.new))).collect()
}

fn clauses(diff: &Diff, effect: Effect) -> Vec<&str> {
    diff.clauses.iter().filter(|touched| touched.effect == effect).map(|touched| touched.clause.as_str()).collect()
}

/// Without comments and with every line indented differently, nothing differs.
#[test]
fn layout_and_comments_make_no_difference() {
    for game in GAMES {
        let path = rules_of(game);
        let (name, text) = (path.display().to_string(), read(&path));
        let old = loaded(&name, &text, &Setup::default());
        let mut bare = text.clone();
        for comment in comments(regelwerk::base::FileId(0), &text).iter().rev() {
            bare.replace_range(comment.span.start as usize..comment.span.end as usize, "");
        }
        let bare: Vec<String> = bare.lines().map(|line| format!("    {}", line.trim())).collect();
        let new = loaded(&name, &bare.join("\n"), &Setup::default());
        assert_eq!(between(&old, &new), Diff::default(), "{game}");
    }
}

/// Every variant and reading makes a difference, and in the other direction it is the same difference.
#[test]
fn every_setting_makes_a_symmetric_difference() {
    for game in GAMES {
        let path = rules_of(game);
        let (name, text) = (path.display().to_string(), read(&path));
        let all = setups(&path);
        let players = all.first().and_then(|setup| setup.players);
        let plain = Setup { players, ..Setup::default() };
        let old = loaded(&name, &text, &plain);
        // Each variant and reading on its own, for the default number of players.
        for setup in all.into_iter().filter(|setup| setup.players == players && setup.variants.len() < 2) {
            if setup == plain {
                continue;
            }
            let new = loaded(&name, &text, &setup);
            let (forth, back) = (between(&old, &new), between(&new, &old));
            assert!(!forth.changes.is_empty(), "{game} {setup:?} changes nothing");
            let turned = |change: &Change| {
                let fate = match change.fate {
                    Fate::Added => Fate::Removed,
                    Fate::Removed => Fate::Added,
                    Fate::Changed => Fate::Changed,
                };
                (change.item.clone(), fate, change.facts.len())
            };
            let mut one: Vec<_> = forth.changes.iter().map(turned).collect();
            let mut other: Vec<_> =
                back.changes.iter().map(|change| (change.item.clone(), change.fate, change.facts.len())).collect();
            one.sort_by_key(|(item, _, _)| item.clone());
            other.sort_by_key(|(item, _, _)| item.clone());
            assert_eq!(one, other, "{game} {setup:?}");
            assert_eq!(clauses(&forth, Effect::Gained), clauses(&back, Effect::Lost), "{game} {setup:?}");
            assert_eq!(clauses(&forth, Effect::Changed), clauses(&back, Effect::Changed), "{game} {setup:?}");
        }
    }
}

/// The longer game: no shark is hungry at first, and nothing else is changed.
#[test]
fn a_variant_that_replaces_a_region() {
    let diff = settled("hai-noon", &variant("longer"));
    assert_eq!(items(&diff), [("region hungry_first", Fate::Changed)]);
    let wanted = ("sites".to_owned(), "h1 h4 h7 h10".to_owned(), "none".to_owned());
    assert_eq!(facts(&diff.changes[0]), [wanted]);
    assert_eq!(clauses(&diff, Effect::Gained), ["variante-laenger/1", "annahme/18"]);
    assert_eq!(clauses(&diff, Effect::Lost), Vec::<&str>::new());
    // The region implemented the gap in the layout, and now only what is left of it does.
    assert_eq!(clauses(&diff, Effect::Changed), ["annahme/1"]);
    let lines: Vec<Which> = diff.changes[0].lines.iter().map(|line| line.which).collect();
    assert_eq!(lines, [Which::Old, Which::New]);
}

/// Two options are set, and one that takes its value from them follows.
#[test]
fn a_file_that_sets_options() {
    let path = root("rules/hai-noon/variants/vier-karten.rules");
    let new = loaded(&path.display().to_string(), &read(&path), &Setup::default());
    let old = rules_of("hai-noon");
    let old = loaded(&old.display().to_string(), &read(&old), &Setup::default());
    let diff = between(&old, &new);
    let changed = |name: &str| diff.changes.iter().find(|change| change.item == name).expect(name);
    assert_eq!(diff.changes.len(), 3);
    for (name, follows) in [("option hand_size", false), ("option side_size", false), ("option dealt", true)] {
        let wanted = ("value".to_owned(), "3".to_owned(), "4".to_owned());
        assert_eq!((facts(changed(name)), changed(name).follows), (vec![wanted], follows), "{name}");
    }
    // The place of the new value is the line of the variant that sets it.
    let place = changed("option side_size").facts[0].new.as_ref().expect("a value").span;
    assert!(new.sources.get(place.file).is_some_and(|source| source.name.ends_with("vier-karten.rules")));
    assert_eq!(new.sources.slice(place), "4");
    // The number of cards that bring an attack is used by the clause on the attack.
    assert!(clauses(&diff, Effect::Reached).contains(&"haiangriff/1"), "{:?}", diff.clauses);
}

/// A small game with a table, ends and clauses.
const SMALL: &str = "game small
players a, b
board square 2 x 2
clause §1 \"one\"
clause §2 \"two\"
clause §3 \"three\"
kinds animal owned                   §1
  | kind | points | tint: set of animal |
  | bear |     10 | fox                 |
  | fox  |      5 | -                   |
option most = 3 from 1..9
action lay { choose f in empty §2  put own bear on f }
play { turns { mover plays lay } }
end full after move when no empty { draw §3 }
end many after move when count(own bear) >= most { win me }
";

#[test]
fn tables_differ_cell_by_cell() {
    let new = SMALL
        .replace("| bear |     10 | fox                 |", "| bear |     12 | fox                 |")
        .replace("| fox  |      5 | -                   |", "| hare |      5 | -  |\n  | fox  | 5 | bear |");
    let diff = texts(SMALL, &new);
    assert_eq!(items(&diff), [("kinds animal", Fate::Changed)]);
    let fact = |what: &str, old: &str, new: &str| (what.to_owned(), old.to_owned(), new.to_owned());
    let wanted = [fact("bear.points", "10", "12"), fact("fox.tint", "-", "bear"), fact("row", "", "| hare | 5 | - |")];
    assert_eq!(facts(&diff.changes[0]), wanted);
    assert_eq!(diff.changes[0].lines, Vec::new());
    assert_eq!(clauses(&diff, Effect::Changed), ["1"]);
}

#[test]
fn ends_are_tested_in_their_order() {
    let (head, ends) = SMALL.split_at(SMALL.find("end full").expect("an end"));
    let (full, many) = ends.split_at(ends.find("end many").expect("an end"));
    let diff = texts(SMALL, &format!("{head}{many}{full}"));
    assert_eq!(items(&diff), [("ends", Fate::Changed)]);
    assert_eq!(facts(&diff.changes[0])[0].1, "full many");
    // The order of other items makes no difference.
    let (before, option) = SMALL.split_at(SMALL.find("option most").expect("an option"));
    let (option, after) = option.split_at(option.find("action lay").expect("an action"));
    let moved = before.replacen("players a, b\n", &format!("players a, b\n{option}"), 1) + after;
    assert_eq!(texts(SMALL, &moved), Diff::default());
}

/// Sites and kinds are numbered in the order of the file, and of several the first is often meant.
#[test]
fn boards_and_pieces_have_an_order() {
    let text = |items: [&str; 4]| {
        format!(
            "game g\nplayers a, b\n{}\naction go {{ choose f in empty  put own m on f }}\nplay {{ turns {{ mover plays go }} }}\n\
             end full after move when no empty {{ draw }}\n",
            items.join("\n")
        )
    };
    let (near, far) = ("board near ring 3 named \"n{n}\"", "board far ring 3 named \"f{n}\"");
    let (man, rock) = ("piece m owned", "piece rock");
    let written = text([near, far, man, rock]);
    for (other, item, what) in [
        ([far, near, man, rock], "boards", ("near far", "far near")),
        ([near, far, rock, man], "pieces", ("m rock", "rock m")),
    ] {
        let diff = texts(&written, &text(other));
        assert_eq!(items(&diff), [(item, Fate::Changed)]);
        let [(_, old, new)] = facts(&diff.changes[0]).try_into().expect("one fact");
        assert_eq!((old.as_str(), new.as_str()), what);
    }
    assert_eq!(items(&texts(&written, &text([man, near, rock, far]))), [], "boards among themselves, and kinds");
}

#[test]
fn clauses_are_gained_lost_and_changed() {
    let new = SMALL
        .replace("choose f in empty §2", "choose f in empty & a1")
        .replace("put own bear on f", "put own bear on f §3");
    let diff = texts(SMALL, &new);
    assert_eq!(items(&diff), [("action lay", Fate::Changed)]);
    assert_eq!(clauses(&diff, Effect::Lost), ["2"]);
    assert_eq!(clauses(&diff, Effect::Changed), ["3"]);
    let cited = SMALL.replace("choose f in empty §2", "choose f in empty §1");
    let diff = texts(SMALL, &cited);
    assert!(diff.changes[0].only_clauses);
    assert_eq!((clauses(&diff, Effect::Lost), clauses(&diff, Effect::Changed)), (vec!["2"], vec!["1"]));
    let more = texts(SMALL, &format!("{SMALL}invariant few: count(bear) <= 4 // four sites\n"));
    assert_eq!(items(&more), [("invariant few", Fate::Added)]);
}

const CASES: &str = "Cases(game: \"small\", cases: [
    Case(clauses: [\"2\"], name: \"a bear goes anywhere\", steps: [Count(4)]),
    Case(clauses: [\"1\"], name: \"three bears win\",
        given: Position(\"bear.a: a1 a2 | mover=a\"), steps: [Play([\"b1\"]), Won([\"a\"], [])]),
    Case(clauses: [\"3\"], name: \"a full board is a draw\", setup: (options: [(\"most\", \"9\")]),
        given: Position(\"bear.a: a1 a2 b1 | mover=a\"), steps: [Play([\"b2\"]), Drawn([\"3\"])]),
    Case(clauses: [\"1\"], name: \"two bears do when two suffice\", setup: (options: [(\"most\", \"2\")]),
        given: Position(\"bear.a: a1 | mover=a\"), steps: [Play([\"b1\"]), Won([\"a\"], [])]),
])";

/// Whether two bears suffice: worked out by hand for every case.
#[test]
fn cases_are_carried_over() {
    let cases: Vec<Case> = load_cases(CASES).expect("cases").cases;
    let (plain, two) = (Setup::default(), Setup { options: vec![("most".into(), "2".into())], ..Setup::default() });
    let rules = RuleFile::read("small.rules", SMALL, &NoFiles);
    let old = Rules { file: &rules, setup: &plain };
    let new = Rules { setup: &two, ..old };
    let fate = |case: &Case| match transfer(&[case], &old, &new, None, &|| ()).remove(0) {
        Transferred::Holds => "holds".to_owned(),
        Transferred::Fails(failures) => format!("fails in step {}", failures[0].step),
        Transferred::FailedBefore { passes } => format!("failed before, passes: {passes}"),
        Transferred::NotTransferable(why) => why,
    };
    let own: Vec<bool> = cases.iter().map(|case| settles(&case.setup, &plain, &two)).collect();
    assert_eq!(own, [false, false, false, true]);
    assert_eq!(fate(&cases[0]), "holds");
    // With two bears the game is already won, but the position is given; a third wins as well.
    assert_eq!(fate(&cases[1]), "holds");
    assert_eq!(fate(&cases[2]), "it is about most = 9");
    assert!(stands_for(&cases[3], &cases[1]) && !stands_for(&cases[3], &cases[2]));
    let four = Setup { options: vec![("most".into(), "4".into())], ..Setup::default() };
    let new = Rules { setup: &four, ..old };
    let fate = transfer(&[&cases[1]], &old, &new, None, &|| ()).remove(0);
    assert!(matches!(&fate, Transferred::Fails(failures) if failures[0].step == 2), "{fate:?}");
    // With four a third bear does not win: what is so by the new rules alone was never carried over.
    let back = |case| transfer(&[case], &new, &old, None, &|| ()).remove(0);
    assert!(matches!(back(&cases[1]), Transferred::FailedBefore { passes: true }));
    let wrong = Case { steps: cases[0].steps.clone(), ..cases[1].clone() };
    assert!(matches!(back(&wrong), Transferred::FailedBefore { passes: false }));
}

/// Clauses and numbers of players are not named by the words of rules; what decides whether a statement runs belongs to it.
#[test]
fn clauses_are_reached_by_what_their_rules_use() {
    let text = |seven: &str, limit: u32, lines: u32, more: u32| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece s owned\nvar m: int\noption limit = {limit}\n\
             clause §7 \"{seven}\"\nclause §m \"{seven}\"\nclause §2 \"Two.\"\nclause §3 \"Three.\"\nclause §4 \"Four.\"\nclause §5 \"Five.\"\n\
             action place {{ choose f in empty  require f != b2 or m > 7  §2\n put own s on f  if f == a1 §7, §m {{ m += 1 }} }}\n\
             play {{ turns {{ mover plays place else {{ draw }} }} }}\n\
             end row after move when line(own s, 3) or ply > {lines} {{ win me §3 }}\n\
             end long after move when ply > 20 {{ if ply > {more} {{ draw §4 }} else {{ if m > limit {{ win me §5 }} else {{ draw }} }} }}\n"
        )
    };
    let plain = text("Seven.", 9, 90, 30);
    for (new, changed, reached) in [
        (text("Others.", 9, 90, 30), vec![], vec![]),
        (text("Seven.", 9, 91, 30), vec!["3"], vec![]),
        (text("Seven.", 9, 90, 31), vec!["4", "5"], vec![]),
        (text("Seven.", 8, 90, 30), vec![], vec!["5"]),
    ] {
        let diff = texts(&plain, &new);
        assert_eq!(clauses(&diff, Effect::Changed), changed, "{new}");
        assert_eq!(clauses(&diff, Effect::Reached), reached, "{new}");
    }
}

/// Rules name the columns of tables, and the rules of kinds by what these share.
#[test]
fn cells_and_rules_of_kinds_are_used_by_their_names() {
    let text = |cell: u32, worth: u32, more: u32| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\nkinds an owned\n  | kind | v |\n  | fo | {cell} |\n  | do | 5 |\nvar n: int\n\
             clause §2 \"Two.\"\nclause §3 \"Three.\"\nclause §4 \"Four.\"\nclause §5 \"Five.\"\n\
             define worth of fo(s: site) = {worth}\ndefine worth of piece(s: site) = 2\n\
             procedure effect of fo(s: site) {{ n += {more} }}\nprocedure effect of piece(s: site) {{ n += 1 }}\n\
             action place {{ choose f in empty  require n < fo.v + 90  §2\n require worth(f) < 9 §3\n put own fo on f  effect(f) §4\n n += 1 §5 }}\n\
             play {{ turns {{ mover plays place else {{ draw }} }} }}\nend long after move when ply > 20 {{ draw }}\n"
        )
    };
    let plain = text(3, 1, 2);
    for (new, reached) in [(text(4, 1, 2), "2"), (text(3, 3, 2), "3"), (text(3, 1, 3), "4")] {
        let diff = texts(&plain, &new);
        assert_eq!(clauses(&diff, Effect::Reached), [reached], "{new}");
    }
}
