//! Records: what they are pinned to, how they fail, and how they fare under other rules.

use std::collections::BTreeSet;
use std::process::Command;

use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Why};
use regelwerk::play::{Change, Difference, Impact, Record, ReplayError, impact, replay};
use regelwerk::reference::Walker;
use regelwerk::syntax::format;
use serde_json::{Value, json};

use crate::support::{Disk, GAMES, engine, fixtures, read, root, rules_of, setups};

fn walker(text: &str) -> Walker {
    let loaded = load("game.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", crate::support::reports(&loaded));
    Walker::new(loaded.game.expect("a game"))
}

/// Comments and layout do not change a pin, in any rule file; players, variants and readings do.
#[test]
fn pins_depend_on_the_resolved_rules() {
    let shipped = GAMES.iter().map(|game| rules_of(game));
    for path in shipped.chain(fixtures()) {
        let (name, text) = (path.display().to_string(), read(&path));
        let pin = |text: &str, setup: &Setup| load(&name, text, &Disk, setup).game.map(|game| game.pin());
        let plain = pin(&text, &Setup::default());
        assert!(plain.is_some(), "{name}");
        let commented: String = text.lines().flat_map(|line| [line.trim_start(), "  // said again\n"]).collect();
        for other in [format(&text).expect("it parses"), commented, format!("// before\n\n{text}\n\n")] {
            assert_eq!(pin(&other, &Setup::default()), plain, "{name}");
        }
        let mut seen = BTreeSet::new();
        let told_apart = if path == rules_of("kalaha") { setups(&path) } else { Vec::new() };
        for setup in told_apart {
            assert!(seen.insert(pin(&text, &setup)), "{name} {setup:?} has the pin of another setup");
        }
    }
}

const PIN: &str = "game g\nplayers a, b\nclause §1 \"One.\"\nclause §2 \"Two.\"\nvar left: int = 5\n\
    reading most = two | three \"how many at a time\" §2\n\
    action take §1, §2 { choose n in 1..lesser(if most == two then 2 else 3, left) left -= n }\n\
    play { turns { mover plays take } }\nend last after move when left == 0 { win me }\n\
    variant long { set left = 9 }\n";

/// Clauses and unused variants do not change a pin either; any other word does.
#[test]
fn pins_depend_on_nothing_else() {
    let pin = |text: &str| walker(text).game().pin();
    let plain = pin(PIN);
    assert_eq!(pin(&PIN.replace(" §1, §2 {", " §2 {").replace("three\" §2", "three\" §1")), plain);
    assert_eq!(pin(&PIN.replace("set left = 9", "set left = 8")), plain);
    for (old, new) in
        [("int = 5", "int = 6"), ("two | three", "three | two"), ("else 3", "else 4"), ("win me", "lose me")]
    {
        let other = PIN.replacen(old, new, 1);
        assert_ne!(other, PIN);
        assert_ne!(pin(&other), plain, "{new}");
    }
}

/// A record that fails says at which step and ply, and by which rule.
#[test]
fn replay_says_where_and_why() {
    let engine = engine(&rules_of("kalaha"), &Setup::default());
    let steps = |steps: &[&str]| Record {
        game: "kalaha".to_owned(),
        digest: engine.game().pin(),
        steps: steps.iter().map(|step| (*step).to_owned()).collect(),
        ..Record::default()
    };
    // From a3 the last of four stones lands in the store: A moves again. Then it is B's turn.
    assert!(replay(&engine, &steps(&["a3", "a1", "b1"])).expect("legal").same_rules);
    match replay(&engine, &steps(&["a3", "a1", "a2"])) {
        Err(ReplayError::Illegal { number: 3, ply: 2, text, refusal }) => {
            assert_eq!((text.as_str(), matches!(refusal.why, Why::NotAmong { .. })), ("a2", true));
            let rule = &engine.game().rules[refusal.rules[0]];
            assert_eq!(rule.clauses, ["ablauf/2a"]);
        }
        other => panic!("{other:?}"),
    }
    match replay(&engine, &steps(&["a3", "a9"])) {
        Err(ReplayError::Text { number: 2, ply: 1, .. }) => {}
        other => panic!("{other:?}"),
    }
}

/// Stones are taken from a heap of seven, at most `most` at a time; the end condition is `end`.
fn heap(most: u32, end: &str) -> Walker {
    walker(&format!(
        "game heap\nplayers a, b\nclause §1 \"So many at most.\"\nclause §2 \"The last one counts.\"\n\
         var left: int = 7\naction take {{ choose n in 1..lesser({most}, left) §1 left -= n }}\n\
         play {{ turns {{ mover plays take }} }}\nend last after move when left == 0 §2 {{ {end} }}\n"
    ))
}

fn of(old: &Walker, new: &Walker, steps: &[&str]) -> Impact {
    let steps = steps.iter().map(|step| (*step).to_owned()).collect();
    let record = Record { game: "heap".to_owned(), steps, ..Record::default() };
    impact(old, new, &record).expect("a game by the old rules")
}

/// The place, the kind, and the clauses of the first rule on either side.
fn face(engine: &Walker, difference: Option<&Difference>) -> (usize, u32, &'static str, Vec<String>) {
    let difference = difference.expect("a difference");
    let rule = difference.new_rules.first().or(difference.old_rules.first());
    let clauses = rule.map_or_else(Vec::new, |rule| engine.game().rules[*rule].clauses.clone());
    (difference.step, difference.ply, difference.change.word(), clauses)
}

/// At most three becomes at most two: different moves are legal at once; the second step, a three, is refused.
#[test]
fn a_recorded_move_may_become_illegal() {
    let (old, new) = (heap(3, "win me"), heap(2, "win me"));
    let found = of(&old, &new, &["1", "3", "2", "1"]);
    let clause = vec!["1".to_owned()];
    assert_eq!(face(&new, found.first.as_ref()), (0, 0, "moves", clause.clone()));
    assert_eq!(face(&new, found.breaks.as_ref()), (1, 1, "refused", clause));
    match found.first.map(|first| first.change) {
        Some(Change::Moves { gone, come }) => assert_eq!((gone, come), (vec!["3".to_owned()], Vec::new())),
        other => panic!("{other:?}"),
    }
}

/// At most four instead of three: more is legal, but these four steps are the same game.
#[test]
fn other_legal_moves_alone_do_not_change_a_game() {
    let (old, new) = (heap(3, "win me"), heap(4, "win me"));
    let found = of(&old, &new, &["3", "1", "2", "1"]);
    assert!(found.breaks.is_none());
    assert_eq!(face(&new, found.first.as_ref()), (0, 0, "moves", vec!["1".to_owned()]));
    // Starting with only three left, four cannot be taken anyway.
    let record = Record {
        game: "heap".to_owned(),
        position: Some("heap 2 | left=3".to_owned()),
        steps: vec!["2".to_owned(), "1".to_owned()],
        ..Record::default()
    };
    let same = impact(&old, &new, &record).expect("a game");
    assert!(same.first.is_none() && same.breaks.is_none(), "{same:?}");
}

/// Taking the last stone loses instead of winning: the same game until the last of four steps.
#[test]
fn the_outcome_may_change() {
    let (old, new) = (heap(3, "win me"), heap(3, "lose me"));
    let found = of(&old, &new, &["3", "1", "2", "1"]);
    assert_eq!(face(&new, found.first.as_ref()), (3, 3, "outcome", vec!["2".to_owned()]));
    assert_eq!(face(&new, found.breaks.as_ref()), (3, 3, "outcome", vec!["2".to_owned()]));
}

/// A record that cannot be replayed under the old rules is reported as such.
#[test]
fn a_record_of_other_rules_is_reported() {
    let record = Record { game: "heap".to_owned(), steps: vec!["4".to_owned()], ..Record::default() };
    let (old, new) = (heap(3, "win me"), heap(4, "win me"));
    assert!(matches!(impact(&old, &new, &record), Err(ReplayError::Illegal { number: 1, ply: 0, .. })));
}

/// The command, on boards of two pits with two stones each.
#[test]
fn the_command_reports_what_changes() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let folder = home.path();
    let head =
        "Record(game: \"kalaha\", digest: \"\", players: Some(2), options: [(\"fields\", \"2\"), (\"seeds\", \"2\")], ";
    // The first sowing ends in the store.
    let again = format!("{head}steps: [\"a1\", \"a2\"])");
    // The lone stone of a1 lands on the empty a2 and captures the three of b1.
    let taken = format!("{head}position: Some(\"kalaha 2 | seed: a1 b1*3 b2 kb*3\"), steps: [\"a1\", \"b2\"])");
    std::fs::write(folder.join("again.ron"), again).expect("a record");
    std::fs::write(folder.join("taken.ron"), taken).expect("a record");
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.env("LC_ALL", "C");
        let command = command.args(["impact", "kalaha", "kalaha"]).arg(folder).args(line.split_whitespace());
        let output = command.current_dir(root("")).output().expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), serde_json::from_str::<Value>(&text).expect("JSON"))
    };
    let (code, same) = run("--format json");
    assert_eq!((code, &same["summary"]), (Some(0), &json!({"same": 2, "holds": 0, "diverges": 0, "misfit": 0})));

    // If the capturing stone moves too, the first sowing of the second record puts it into the store.
    let (code, moved) = run("--reading capturing_stone=moves_too --format json");
    assert_eq!((code, &moved["summary"]["diverges"], &moved["summary"]["same"]), (Some(1), &json!(1), &json!(1)));
    let first = &moved["records"][1]["first"];
    assert_eq!((&first["step"], &first["ply"], &first["kind"]), (&json!(0), &json!(0), &json!("position")));
    assert_eq!(first["gone"], json!(["seed: a2 ka*3 b2 kb*3"]));
    assert_eq!(first["come"], json!(["seed: ka*4 b2 kb*3"]));
    assert!(first["clauses"].as_array().expect("clauses").contains(&json!("annahme/1")), "{first}");

    // With the store at the other end of the row, the second stone of a1 lands on b1: no extra turn.
    let (_, left) = run("--variant left_store --format json");
    let first = &left["records"][0]["first"];
    assert_eq!((&first["step"], &first["kind"]), (&json!(0), &json!("asked")));
    assert_eq!((&first["old"], &first["new"]), (&json!("choose a"), &json!("choose b")));
    assert!(first["clauses"].as_array().expect("clauses").contains(&json!("ablauf/3f")), "{first}");
}
