//! What a fifteenth attack found: paths that ask what was taken, directions without steps, files that were not the
//! program's own, and checks of many setups on large boards.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::model::Engine;
use regelwerk::notation::print_move;
use regelwerk::play::perft;
use regelwerk::reference::Walker;
use serde_json::{Value, json};

use crate::support::reports;

fn game(text: &str) -> Game {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    loaded.game.clone().unwrap_or_else(|| panic!("{}", reports(&loaded)))
}

/// The legal moves at the start, on both interpreters.
fn listed(text: &str) -> Vec<String> {
    let (fast, walker) = (Fast::new(game(text)), Walker::new(game(text)));
    let [one, two] = [&fast as &dyn Engine, &walker].map(|engine| {
        let moves = engine.legal(&engine.start());
        moves.iter().map(|mv| print_move(engine.game(), &engine.start(), mv)).collect::<Vec<_>>()
    });
    assert_eq!(one, two);
    one
}

/// A path that takes nothing has taken nothing, whichever way it is asked, and so has one that another begins with.
#[test]
fn a_path_that_takes_nothing_has_taken_nothing() {
    let text = |condition: &str| {
        format!(
            "game g\nplayers a, b\nboard square 6 x 1\npiece man owned\n\
             setup {{ put man of a on a1  put man of b on b1  put man of b on f1 }}\n\
             path first = if {condition}\npath plain = if {condition} then step directions to empty\n\
             path over = first then hop directions over man taking to empty\n\
             action go {{ choose f in own man  choose t in plain(f) | {{c1}}  require t in empty  move f to t }}\n\
             action hop {{ choose f in own man  choose w in over(f)  move f to w.to  remove w.taken }}\n\
             play {{ turns {{ mover plays go | hop }} }}\nend long after move when ply >= 9 {{ draw }}\n"
        )
    };
    for nothing in ["no taken", "count(taken) == 0", "not some taken", "taken == {}", "taken within {a1}"] {
        // From a1 nothing is beside it but what it may hop over; `go` reaches c1 anyway.
        assert_eq!(listed(&text(nothing)).len(), 2, "{nothing}: {:?}", listed(&text(nothing)));
    }
    for something in ["some taken", "count(taken) > 0", "taken meets sites"] {
        assert_eq!(listed(&text(something)).len(), 1, "{something}: {:?}", listed(&text(something)));
    }
}

/// Directions of a form of board are each other's reverse, however narrow the board is.
#[test]
fn directions_without_steps_have_a_reverse() {
    let text = |board: &str, direction: &str| {
        format!(
            "game g\nplayers a, b\nboard {board}\nvar d: direction = {direction}\n\
             action turn_round {{ choose x in opposite(d)  d := x }}\naction tally {{ choose n in {{count(opposite(directions))}} }}\n\
             play {{ turns {{ mover plays turn_round | tally }} }}\nend long after move when ply >= 9 {{ draw }}\n"
        )
    };
    let square = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
    for board in ["square 1 x 6", "square 6 x 1", "square 1 x 1", "square 2 x 6", "square 5 x 5 keep a1..a5"] {
        for (at, direction) in square.iter().enumerate() {
            let moves = listed(&text(board, direction));
            assert_eq!(moves, [square[(at + 4) % 8].to_owned(), "8".to_owned()], "{board} {direction}");
        }
    }
    let hex = ["ne", "e", "se", "sw", "w", "nw"];
    for (at, direction) in hex.iter().enumerate() {
        let moves = listed(&text("hex rhombus 1 x 6", direction));
        assert_eq!(moves, [hex[(at + 3) % 6].to_owned(), "6".to_owned()], "{direction}");
    }
    assert_eq!(listed(&text("track 1", "ahead")), ["back", "2"]);
    // The edges of a graph lead back or they do not.
    assert_eq!(listed(&text("graph { up: x > y > z }", "up")), ["0"]);
}

/// Counts do not depend on how many threads there are, or on which of them counts what.
#[test]
fn counts_are_those_of_any_number_of_threads() {
    let text = "game g\nplayers a, b\nboard square 4 x 4\npiece m owned\n\
                setup { put m of a on {a1, b1, c1, d1}  put m of b on {a4, b4, c4, d4} }\n\
                action go { choose f in own m  choose t in around(f) - own m  remove t  move f to t }\n\
                play { turns { mover plays go } }\nend gone after move when no m of a or no m of b { win mover }\n\
                end long after move when ply >= 9 { draw }\n";
    let fast = Fast::new(game(text));
    let counts = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| [1, 3].map(|depth| perft(&fast, &fast.start(), depth, &|_| ())))
    });
    assert!(counts.iter().all(|count| *count == counts[0]));
    // Corner men have two fields of the second row, the others three; a column of men cannot move within its row.
    assert_eq!(counts[0][0].by_depth, [10]);
}

/// What a board takes to lay out counts in each setup that is checked.
#[test]
fn many_setups_of_a_large_board_have_a_budget() {
    let variants: Vec<String> = (0..40).map(|at| format!("variant v{at} {{ set o{at} = 2 }}\n")).collect();
    let options: Vec<String> = (0..40).map(|at| format!("option o{at} = 1 from 1..9 \"o\"\n")).collect();
    let (variants, options) = (variants.concat(), options.concat());
    for (size, unfinished) in [(8, false), (64, true)] {
        let text = format!(
            "game g\nplayers a, b\nboard square {size} x {size}\npiece m owned\n{options}\
             action go {{ choose t in empty  put own m on t }}\nplay {{ turns {{ mover plays go else pass }} }}\n\
             end long after move when ply >= 9 {{ draw }}\n{variants}"
        );
        let loaded = RuleFile::read("g.rules", &text, &NoFiles).check_all();
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        assert_eq!(loaded.unfinished, unfinished, "{size}");
    }
}

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    command.env("LC_ALL", "C").args(line.split(' ')).current_dir(folder).output().expect("the program runs")
}

/// What a command reads it does not write over, and what is not the program's own it does not replace.
#[test]
fn no_file_of_the_user_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for part in ["1", "2"] {
        let output = run(folder.path(), &format!("simulate kalaha --games 4 --shard {part}/2 --out {part}.json"));
        assert!(output.status.success(), "{output:?}");
    }
    let shard = std::fs::read(at("1.json")).expect("a shard");
    let output = run(folder.path(), "merge 1.json 2.json --out 1.json");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("would be lost"), "{output:?}");
    assert_eq!(std::fs::read(at("1.json")).expect("a shard"), shard);
    // Nor does a part of another run replace it, nor the records of another run those that were kept.
    let output = run(folder.path(), "simulate kalaha --games 4 --seed 9 --shard 1/2 --out 1.json");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(std::fs::read(at("1.json")).expect("a shard"), shard);
    let records = || run(folder.path(), "simulate kalaha --games 4 --records kept");
    assert!(records().status.success());
    assert!(records().status.success(), "the same records are written again");
    let mut kept = std::fs::read_dir(at("kept")).expect("a folder");
    let record = kept.next().expect("a record").expect("a record").path();
    let mine = "Record(game: \"kalaha\", digest: \"\", steps: [\"a1\"])";
    std::fs::write(&record, mine).expect("written");
    assert_eq!(records().status.code(), Some(3));
    assert_eq!(std::fs::read_to_string(&record).expect("a record"), mine);
    for (name, text, line) in [
        ("own.json", "{\"name\": \"mine\"}\n", "simulate kalaha --games 4 --shard 1/2 --out own.json"),
        ("own.svg", "<svg></svg>\n", "simulate kalaha --games 4 --report own.svg"),
        ("kalaha.md", "# Kalaha, as we play it\n", "book kalaha"),
    ] {
        std::fs::write(at(name), text).expect("written");
        let output = run(folder.path(), line);
        assert_eq!(output.status.code(), Some(3), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is there already"), "{output:?}");
        assert_eq!(std::fs::read_to_string(at(name)).expect("a text"), text);
        // What the command has written itself it writes again.
        std::fs::remove_file(at(name)).expect("deleted");
        for _ in 0..2 {
            assert!(run(folder.path(), line).status.success(), "{line}");
        }
    }
}

/// Records that `play` names itself are found in a folder like those with a name that somebody gave.
#[test]
fn records_are_found_in_a_folder_whoever_named_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = "Record(game: \"kalaha\", digest: \"\", steps: [\"a1\", \"b1\"])";
    for name in ["kalaha-1.record", "mine.ron"] {
        std::fs::write(folder.path().join(name), record).expect("a record");
    }
    let output = run(folder.path(), "impact kalaha kalaha .");
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 records"), "{output:?}");
}

/// What would take minutes to tabulate is worked out when it is asked for, and comes out the same.
#[test]
fn what_is_tabulated_has_a_budget() {
    let definitions: Vec<String> =
        (0..12).map(|at| format!("define d{at}(f: site) = sum f.row * g.column + {at} for g in sites\n")).collect();
    let definitions = definitions.concat();
    let sums: Vec<String> = (0..12).map(|at| format!("d{at}(f)")).collect();
    let text = format!(
        "game g\nplayers a, b\nboard square 32 x 32\npiece m owned\nvar v: int \"v\"\n{definitions}\
         action go {{ choose f in {{a1, b2}}  put own m on f  v := {} }}\nplay {{ turns {{ mover plays go }} }}\n\
         end long after move when ply >= 2 {{ draw }}\n",
        sums.join(" + ")
    );
    let (fast, walker) = (Fast::new(game(&text)), Walker::new(game(&text)));
    let values = [&fast as &dyn Engine, &walker].map(|engine| {
        let start = engine.start();
        engine.legal(&start).iter().map(|mv| engine.play_unchecked(&start, mv).vars.clone()).collect::<Vec<_>>()
    });
    assert_eq!(values[0], values[1]);
    // The row of a1 is 1; each column is that of 32 sites.
    let columns = 32 * (1..=32_i64).sum::<i64>();
    let wanted: i64 = (0..12_i64).map(|at| columns + 1024 * at).sum();
    assert_eq!(values[0][0][0][0], regelwerk::ir::Value::Int(wanted));
}

/// What a seat does in a race, and when, is drawn for it alone: another's hidden card changes nothing.
#[test]
fn a_reaction_depends_on_no_other_seat() {
    let text = |ann: &str| {
        format!(
            "game g\nplayers ann, ben\nkinds card\n| kind |\n| red |\n| blue |\nzone fan(p: seat): set of card, seen by p\nvar n: int\n\
             setup {{ put {ann} on fan(ann)  put red on fan(ben) }}\naction a {{ choose k in 1..3  n += k }}\n\
             cue a: any v in fan(me): v.kind == red\nplay {{ repeat 3 {{ race seats play a until now + 2000 else {{ n += 1 }} }} draw }}\n"
        )
    };
    for seed in [1, 5, 99] {
        let acts = ["red", "blue"].map(|ann| {
            let mut server = Command::new(env!("CARGO_BIN_EXE_regelwerk"))
                .arg("serve-stdio")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the program runs");
            let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
            let mut input = server.stdin.take().expect("its input");
            let mut ask = |method: &str, params: Value| {
                writeln!(input, "{}", json!({"id": method, "method": method, "params": params})).expect("it listens");
                let read = |line: std::io::Result<String>| {
                    serde_json::from_str::<Value>(&line.expect("a line")).expect("JSON")
                };
                // News may come before the answer.
                let answer = lines.by_ref().map(read).find(|answer| answer["id"] == method).expect("an answer");
                assert_eq!(answer["error"], Value::Null, "{answer}");
                answer["result"].clone()
            };
            ask("write", json!({"file": "g.rules", "text": text(ann)}));
            let begun = ask("new", json!({"rules": "g.rules", "seed": seed}));
            let chosen = ask("choose", json!({"game": begun["game"], "who": "ben", "bot": "random"}));
            drop(input);
            assert!(server.wait().is_ok_and(|status| status.success()));
            chosen
        });
        assert!(acts[0]["move"].is_string(), "{}", acts[0]);
        assert_eq!(acts[0], acts[1], "{seed}");
    }
}
