//! What an eighth attack found in the tools: each test is a find.

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use regelwerk::Rules;
use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{Files, NoFiles, Setup, check_all, load};
use regelwerk::mend::{Subject, mend, offer};
use regelwerk::model::Engine;
use regelwerk::notation::{NotationError, find_move, print_move};
use regelwerk::play::Seed;
use regelwerk::reference::Walker;
use regelwerk::report::Report;
use regelwerk::serve::{Fault, Limits, RuleSource, Selection, Server};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::limits::Bundled;

/// What is reported of a text.
fn reports(text: &str) -> Vec<Report> {
    check_all("g.rules", text, &NoFiles).reports.sorted().into_iter().cloned().collect()
}

fn messages(text: &str) -> Vec<String> {
    reports(text).into_iter().map(|report| report.message).collect()
}

fn game(text: &str) -> Game {
    load("g.rules", text, &NoFiles, &Setup::default()).game.unwrap_or_else(|| panic!("{text}\n{:?}", messages(text)))
}

/// A text after the fixes that are applied without asking.
fn mended(text: &str) -> String {
    mend(Subject { name: "g.rules", text, files: &NoFiles }, &Setup::default()).text
}

fn help(text: &str) -> String {
    let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
    offer(Subject { name: "g.rules", text, files: &NoFiles }, &Setup::default(), &mut loaded);
    let list = loaded.reports.sorted();
    list.first().and_then(|report| report.help.clone()).unwrap_or_else(|| panic!("no help: {list:?}"))
}

/// A folder with a rule file `g.rules`.
fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("g.rules"), text).expect("written");
    folder
}

fn run(folder: &Path, line: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    command.env("LC_ALL", "C").current_dir(folder).args(line).output().expect("the program runs")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const PLAY: &str = "play { turns { mover plays go } }\nend e after move when ply == 9 { draw }\n";

/// `fully` asks whether a walk could go on, which a repetition with an end does not: it stands behind `+` and `*` alone.
#[test]
fn fully_stands_behind_what_has_no_end() {
    let rules = |times: &str| {
        format!(
            "game g\nplayers a, b\nboard square 1 x 8\npiece stone owned\npath q = (step n to empty){times}\n\
             action go {{ choose f in sites  choose t in q(f)  put own stone on t }}\n{PLAY}"
        )
    };
    for times in ["{1..3} fully", "{2} fully", "? fully", " fully"] {
        let found = messages(&rules(times));
        assert_eq!(found, ["`fully` leaves out walks that could go on, and this repetition has an end"], "{times}");
    }
    for times in ["+ fully", "* fully", "{1..3}", "?"] {
        assert_eq!(messages(&rules(times)), [""; 0], "{times}");
    }
}

/// A condition in a path takes `or` with it: what is offered is brackets, and no word that changes the path.
#[test]
fn a_condition_that_takes_or_is_set_apart() {
    let text = format!(
        "game g\nplayers a, b\nboard square 4 x 4\npiece stone owned\nregion mid = b2..c3\n\
         path p = (if here in mid or step directions to empty) then step n to empty\n\
         action go {{ choose f in mid  choose t in p(f)  put own stone on t }}\n{PLAY}"
    );
    assert_eq!(mended(&text), text);
    assert_eq!(help(&text), "the condition takes `or` with it: set it apart, `(if here in mid) or step …`");
    let apart = text.replace("(if here in mid or", "((if here in mid) or");
    assert_eq!(messages(&apart), [""; 0]);
}

/// A number is written alike everywhere.
#[test]
fn cells_take_numbers_in_groups() {
    let text = "game g\nplayers a, b\ntable tab\n  | k: int | v     |\n  | 0      | 1_000 |\n  | 1_000  | -2    |\n\
                kinds coin\n  | kind | worth  |\n  | gold | 10_000 |\n\
                var n: int = tab(0) + tab(1000) \"n\"\nzone bag: set of coin, seen by all\n\
                setup { put gold on bag  n += sum c.worth for c in bag }\naction go { n += 1 }\n\
                play { turns { mover plays go } }\n";
    let walker = Walker::new(game(text));
    assert_eq!(walker.start().vars[0][0].int(), 10_998);
    // Columns of numbers are written to the right.
    let laid_out = regelwerk::syntax::format(text).expect("a text without errors");
    assert!(laid_out.contains("|      0 | 1_000 |\n"), "{laid_out}");
}

/// Alternatives of a reading are told apart by their names.
#[test]
fn a_reading_has_each_alternative_once() {
    let text = |list: &str| {
        format!(
            "game g\nplayers a, b\nvar n: int \"n\"\nreading r = {list} \"what\"\n\
             action go {{ if r == one {{ n += 1 }} }}\n{PLAY}"
        )
    };
    assert_eq!(messages(&text("one | one")), ["`one` occurs twice in `r`"]);
    assert_eq!(messages(&text("one | two")), [""; 0]);
}

/// Of two things of one list with one name, one could never be read.
#[test]
fn names_of_one_list_are_told_apart() {
    let text = |first: &str, fields: &str, columns: &str, table: &str, params: &str, head: &str| {
        format!(
            "game g\nplayers a, b\n{first}kinds k {fields}\n  | kind | {columns} |\n  | x1 | 3 | 4 |\nzone z: row of k, seen by all\n\
             setup {{ put x1 on z }}\ntable t\n  | k: int | {table} |\n  | 0 | 1 | 2 |\nvar n: int \"n\"\n\
             define g({params}) = p + q\n\
             action go {{ {head} n += (sum c.w + c.v for c in z) + t(0) + g(1, 2) + m + l }}\n{PLAY}"
        )
    };
    let plain = ["first b\n", "{ u: int }", "v | w", "r | s", "p: int, q: int", "choose m in 1..2 choose l in 1..2"];
    let with = |at: usize, part: &str| {
        let mut parts = plain;
        parts[at] = part;
        messages(&text(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]).replace("t(0)", "t(0).r"))
    };
    let twice = |name: &str| format!("`{name}` is declared twice");
    assert_eq!(with(0, "first b\nfirst a\n"), ["`first` may appear only once"]);
    assert!(with(1, "{ v: int }").contains(&twice("v")));
    assert!(with(2, "w | w").contains(&twice("w")));
    assert!(with(3, "r | r").contains(&twice("r")));
    assert!(with(4, "p: int, p: int").contains(&twice("p")));
    assert!(with(5, "choose m in 1..2 let l = 1 choose m in 1..2").contains(&twice("m")));
    let clean: Vec<String> = with(0, "first b\n").into_iter().filter(|message| message.contains("twice")).collect();
    assert_eq!(clean, [""; 0]);
}

/// What an option offers is a set, in which nothing is twice; what is varied is listed once.
#[test]
fn what_is_offered_is_offered_once() {
    let text = format!(
        "game g\nplayers a, b\noption o = 3 from 3 | 3 | 4 \"o\"\nvar n: int \"n\"\naction go {{ n += o }}\n{PLAY}"
    );
    let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
    assert_eq!(loaded.offer.options[0].values, ["3", "4"]);
    let folder = folder(&text);
    let vary = |what: &str| run(folder.path(), &["tune", "g.rules", "--vary", what, "--target", "plies = 9"]);
    let output = vary("o=3|3|4");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(told(&output).contains("`o` has `3` twice"), "{output:?}");
    assert_eq!(vary("o=3|4").status.code(), Some(0));
}

/// A fix in a variant is tried with the variant laid over the rules.
#[test]
fn fixes_in_variants_are_tried_there() {
    let text = format!(
        "game g\nplayers a, b\nboard square 4 x 4\npiece n owned\naction go {{ choose f in empty  put own n on f }}\n{PLAY}\
         variant v {{ replace action go }}\n"
    );
    assert_eq!(mended(&text), text);
    // One that holds there is offered.
    let text = text.replace("piece n ", "piece stone ").replace("own n ", "own stone ").replace(
        "variant v { replace action go }",
        "variant v { replace action go { choose f in empty  put own stoen on f } }",
    );
    let loaded = check_all("g.rules", &text, &NoFiles);
    let setup = loaded.wrong.expect("a setup with an error");
    let mut loaded = load("g.rules", &text, &NoFiles, &setup);
    offer(Subject { name: "g.rules", text: &text, files: &NoFiles }, &setup, &mut loaded);
    let fixes: Vec<&str> =
        loaded.reports.sorted().iter().filter_map(|report| report.fix.as_ref()).map(|fix| fix.text.as_str()).collect();
    assert_eq!(fixes, ["stone"]);
}

/// No fix makes two items of one, and the cure is said.
#[test]
fn no_fix_cuts_an_item_in_two() {
    let text = format!(
        "game g\nplayers a, b\ntokens seed owned {{ n: int }}\npiece rock\nboard square 4 x 4\n\
         action go {{ choose f in empty  put rock on f }}\n{PLAY}"
    );
    assert_eq!(mended(&text), text);
    assert_eq!(help(&text), "tokens have no fields; write `piece` instead of `tokens` for what has some");
}

/// One action spends the budget, in some games.
const BURNING: &str = "game g\nplayers a, b\nvar n: int \"n\"\naction go { n += 1 }\n\
                       action burn { require n == 2  while true {} }\nplay { turns { mover plays go | burn } }\n\
                       end e after move when n == 6 { win me }\n";

/// Rows are one form of the same results: the files are written, and the exit code says the same.
#[test]
fn rows_come_with_files_and_exit_codes() {
    let broken = format!("{BURNING}invariant i: n < 4\n");
    for (text, exit, why) in [
        (BURNING.replace("while true {}", ""), 0, ""),
        (BURNING.to_owned(), 4, "stopped by the step budget: "),
        (broken.clone(), 1, "1 invariant: broken "),
    ] {
        let folder = folder(&text);
        for format in ["human", "json", "csv"] {
            let (records, report) = (format!("records-{format}"), format!("{format}.svg"));
            let plan = ["simulate", "g.rules", "--games", "8", "--all-records", "--records", &records];
            let output = run(folder.path(), &[&plan[..], &["--report", &report, "--format", format]].concat());
            assert_eq!(output.status.code(), Some(exit), "{format}: {output:?}");
            assert_eq!(fs::read_dir(folder.path().join(&records)).expect("a folder").count(), 8, "{format}");
            assert!(folder.path().join(&report).is_file(), "{format}");
            if format == "csv" {
                assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 9, "{output:?}");
                assert!(told(&output).contains(why), "{output:?}");
            }
        }
    }
    let folder = folder(&broken.replace("while true {}", ""));
    let output = run(folder.path(), &["simulate", "g.rules", "--games", "8", "--format", "csv", "--no-invariants"]);
    assert_eq!((output.status.code(), told(&output)), (Some(0), String::new()));
}

/// Values of a measure that are left out are said and counted by every command that measures.
#[test]
fn what_is_left_out_is_said_by_every_command() {
    let folder = folder(&BURNING.replace("while true {}", ""));
    let heavy = "work=sum 1 for u in 1..9000, v in 1..9000";
    for (command, more) in [
        ("simulate", &["--format", "csv"][..]),
        ("compare", &["--independent"]),
        ("compare", &["--independent", "--format", "json"]),
        ("tune", &["--vary", "players=2", "--target", "work = 1"]),
    ] {
        let output = run(folder.path(), &[&[command, "g.rules", "--games", "1", "--measure", heavy], more].concat());
        assert_eq!(output.status.code(), Some(4), "{command} {more:?}: {output:?}");
        assert!(told(&output).contains("than the step budget"), "{command} {more:?}: {output:?}");
    }
}

/// A game that spent its budget is a limit for every command that plays many.
#[test]
fn a_spent_budget_is_said_by_every_command() {
    for (command, more) in [
        ("simulate", &[][..]),
        ("match", &[]),
        ("match", &["--format", "csv"]),
        ("match", &["--shard", "1/1"]),
        ("simulate", &["--shard", "1/1"]),
        ("compare", &["--independent"]),
        ("compare", &["--independent", "--shard", "1/1"]),
        ("tune", &["--vary", "players=2", "--target", "plies = 3"]),
        ("tune", &["--vary", "players=2", "--target", "plies = 3", "--shard", "1/1"]),
    ] {
        // A shard of one command does not take the place of another's.
        let folder = folder(BURNING);
        let output = run(folder.path(), &[&[command, "g.rules", "--games", "8"], more].concat());
        assert_eq!(output.status.code(), Some(4), "{command} {more:?}: {output:?}");
        let said = told(&output) + &String::from_utf8_lossy(&output.stdout);
        let shard = command == "simulate" && more.contains(&"--shard");
        assert!(shard || said.contains("the step budget"), "{command} {more:?}: {output:?}");
    }
}

/// What `new` makes checks, or is refused with the reason.
#[test]
fn a_new_game_checks_or_is_not_made() {
    let folder = folder(&format!("game g\nplayers a, b\nvar n: int \"n\"\naction go {{ n += 1 }}\n{PLAY}"));
    fs::copy(folder.path().join("g.rules"), folder.path().join("q'\"u.rules")).expect("a copy");
    let long = "a".repeat(101);
    for (line, why) in
        [(&["new", &long][..], "at most 100 bytes"), (&["new", "v", "--from", "q'\"u.rules"], "a quotation mark")]
    {
        let output = run(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(told(&output).contains(why), "{output:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    let most = "a".repeat(100);
    for line in [&["new", &most][..], &["new", "v", "--from", "g.rules"]] {
        assert_eq!(run(folder.path(), line).status.code(), Some(0), "{line:?}");
        assert_eq!(run(folder.path(), &["check", line[1]]).status.code(), Some(0), "{line:?}");
    }
}

/// Nobody waits for a pipe that is to be written.
#[cfg(unix)]
#[test]
fn pipes_are_not_written() {
    let folder = folder(&format!("game g\nplayers a, b\nvar n: int \"n\"\naction go {{ n += 1 }}\n{PLAY}"));
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let simulate = ["simulate", "g.rules", "--games", "2"];
    for line in [
        [&simulate[..], &["--report", "pipe"]].concat(),
        [&simulate[..], &["--shard", "1/2", "--out", "pipe"]].concat(),
    ] {
        let output = run(folder.path(), &line);
        assert_eq!(output.status.code(), Some(3), "{line:?}: {output:?}");
        assert!(told(&output).contains("it is no regular file"), "{line:?}: {output:?}");
    }
}

/// A source of files that counts how often they are read, which is once for each trial of a fix.
struct Counting(Cell<u64>);

impl Files for Counting {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        self.0.set(self.0.get() + 1);
        let registry = "Registry(document: \"D\", clauses: [Clause(id: \"book/1\", heading: \"Play\", ordinal: 1, \
                        kind: TurnOrder, state: Executable, text: \"Anything goes.\")])";
        Ok((file.to_owned(), registry.to_owned()))
    }
}

/// For each error similar names are looked for, so that many errors leave room for few trials, in all rounds together.
#[test]
fn many_errors_leave_room_for_few_trials() {
    let text = |number: usize| {
        let wrong: String = (0..number).fold(String::new(), |mut text, n| {
            let _ = writeln!(text, "define word{n}=wrod{}", n + 1);
            text
        });
        format!(
            "game g \"g\"\nplayers a, b\ndocument \"D\" clauses \"c.ron\"\nboard square 8 x 8\npiece n owned\n{wrong}\
             action go {{ choose f in empty  put own n on f }}\n{PLAY}"
        )
    };
    let tried = |number: usize, fixing: bool| {
        let (text, files) = (text(number), Counting(Cell::new(0)));
        let subject = Subject { name: "g.rules", text: &text, files: &files };
        let mut loaded = check_all("g.rules", &text, &files);
        assert!(loaded.reports.sorted().len() >= number, "{:?}", loaded.reports.sorted());
        let once = files.0.replace(0);
        assert!(once > 0);
        if fixing {
            assert_eq!(mend(subject, &Setup::default()).text, text);
        } else {
            offer(subject, &Setup::default(), &mut loaded);
        }
        files.0.get() / once
    };
    // Thousands of comparisons with names each: four hundred errors cost as much as some dozens of trials may.
    let (few, many, all) = (tried(20, false), tried(430, false), tried(430, true));
    assert!((15..=96).contains(&few), "{few}");
    assert!((1..=30).contains(&many), "{many}");
    assert!((1..=60).contains(&all), "{all}");
}

/// Along a closed line a slide comes round to where it began, whatever the line is drawn with: the piece is off the board.
#[test]
fn slides_come_round_closed_lines() {
    let text = "game g\nplayers a, b\nboard graph {\n  x: p1 > p2 > p3 > p4 > p1\n  v: q1 - q2 - q3 - q4 - q1\n}\nboard rg ring 4\n\
                piece man owned\nsetup { put man of a on p1 | q1 | s1 }\npath round = slide through empty\n\
                action go { choose f in own man  choose t in round(f)  move f to t }\nplay { turns { a plays go else { draw } } }\n";
    let moves = |text: &str| -> Vec<String> {
        let (walker, fast) = (Walker::new(game(text)), Fast::new(game(text)));
        let list = |engine: &dyn Engine| -> Vec<String> {
            let start = engine.start();
            engine.legal(&start).iter().map(|mv| print_move(engine.game(), &start, mv)).collect()
        };
        assert_eq!(list(&walker), list(&fast));
        list(&walker)
    };
    let found = moves(text);
    for from in ["p", "q", "s"] {
        for to in 1..=4 {
            assert!(found.contains(&format!("{from}1-{from}{to}")), "{from}{to}: {found:?}");
        }
    }
    // What stands on the line stops a slide on either side.
    let found = moves(&text.replace("put man of a on", "put man of b on q3  put man of a on"));
    let from_q1: Vec<&str> = found.iter().filter_map(|mv| mv.strip_prefix("q1-")).collect();
    assert_eq!(from_q1, ["q2", "q4"]);
    // Two that slide the same way go as far as each may.
    let text = "game g\nplayers a, b\nboard graph {\n  v: q1 - q2 - q3 - q4 - q5 - q6\n}\npiece man owned\nsetup { put man of a on q1 }\n\
                path far = (step v to empty)? then slide v up to 2 through empty\n\
                action go { choose f in own man  choose t in far(f)  move f to t }\nplay { turns { a plays go else { draw } } }\n";
    assert_eq!(moves(text), ["q1-q1", "q1-q2", "q1-q3", "q1-q4"]);
}

/// A name of several enums means what stands beside it, or the other members of its set or cases, say; their order does not.
#[test]
fn members_that_enums_share_mean_what_stands_beside_them() {
    let base = "game g\nplayers a, b\nenum e = three, two, one\nenum f = one, three\nvar v: e = one \"v\"\n\
                var se: set of e = one \"se\"\nvar u: f = three \"u\"\nvar log: int \"l\"\n";
    let play = "play { turns { mover plays go } }\nend q after move when ply == 1 { rank p in seats by log }\n";
    for condition in [
        "v in {one, three}",
        "v in one | three",
        "{one, three} meets se",
        "{one} within se",
        "count({one, three} & se) == 1",
        "(if true then one else three) == v",
        "v == (if true then one else three)",
        "v == one",
        "one == v",
        "u in {one, three}",
        "{three} meets {u}",
        "any z in {one, two}: z == v",
        "any z in {one, v, two}: z == v",
        "not (two in {one, three})",
        "(sum 1 for z in {three, v}) == 2",
        "(sum 1 for z in {one, three, two}) == 3",
    ] {
        let text = format!("{base}action go {{ if {condition} {{ log += 1 }}  v := v  u := u  se := se }}\n{play}");
        let walker = Walker::new(game(&text));
        let start = walker.start();
        let mv = walker.legal(&start).swap_remove(0);
        assert_eq!(walker.play(&start, &mv).expect("a legal move").vars[3][0].int(), 1, "{condition}");
    }
    for cases in ["three = one, two = three, one = two", "one = two, two = three, three = one"] {
        let text =
            format!("{base}define next: {cases}\naction go {{ v := next(v)  log += 0  u := u  se := se }}\n{play}");
        let walker = Walker::new(game(&text));
        let start = walker.start();
        let mv = walker.legal(&start).swap_remove(0);
        let after = walker.play(&start, &mv).expect("a legal move");
        assert_eq!(after.vars[0][0].atom(), start.vars[0][0].atom() - 1, "{cases}");
    }
    for cases in ["three = 3, two = 2, one = 1", "two = 2, three = 3, one = 1", "one = 1, two = 2, three = 3"] {
        let text = format!(
            "{base}define pick: {cases}\naction go {{ log += pick(v) + 10 * pick(two)  v := v  u := u  se := se }}\n{play}"
        );
        let walker = Walker::new(game(&text));
        let start = walker.start();
        let mv = walker.legal(&start).swap_remove(0);
        assert_eq!(walker.play(&start, &mv).expect("a legal move").vars[3][0].int(), 21, "{cases}");
    }
}

/// What a text has between the first and the last site of a move stands for something, or it is another move.
#[test]
fn sites_between_are_those_that_a_move_passes() {
    let text = "game g\nplayers a, b\nboard square 1 x 9\npiece man owned\nsetup { put man of a on a1  put man of b on a2 | a4 | a6 }\n\
                path hops = (hop n over piece to empty)+\n\
                action jump { choose f in own man  choose t in hops(f)  move f to t }\nplay { turns { a plays jump else { draw } } }\n";
    let walker = Walker::new(game(text));
    let start = walker.start();
    let read = |typed: &str| find_move(&walker, &start, typed).map(|mv| print_move(walker.game(), &start, &mv));
    for typed in ["a1-a7", "a1-a3-a7", "a1-a3-a5-a7", "a1 a5 a7", "a1-a3-a1-a7"] {
        assert_eq!(read(typed).as_deref(), Ok("a1-a7"), "{typed}");
    }
    for typed in ["a1-a4-a7", "a1-a1-a7", "a1-a9-a3", "a1-a3-a4-a7"] {
        assert!(matches!(read(typed), Err(NotationError::Unknown { .. })), "{typed}: {:?}", read(typed));
    }
}

/// Of a typed piece may be left out what the moves on offer leave no doubt about: numbers and flags like the rest.
#[test]
fn a_typed_piece_may_leave_out_numbers_and_flags() {
    let text = "game g\nplayers a, b\nenum suit = clubs, hearts\nkinds card { suit: suit, n: int, up: bool }\n\
                | kind |\n| low  |\n| high |\n| jack |\nzone hand(p: seat): set of card, seen by p\n\
                setup { put low with suit = hearts, n = 3, up = true on hand(a)\n\
                put high with suit = hearts, n = 3 on hand(a)  put high with suit = clubs, n = 4 on hand(a)\n\
                put jack with suit = clubs on hand(a)  put jack with suit = clubs, n = 2 on hand(a) }\n\
                action lay { choose c in hand(me)  move c from hand(me) to hand(opponent(me)) }\n\
                play { turns { mover plays lay else { draw } } }\n";
    let walker = Walker::new(game(text));
    let start = walker.start();
    let read = |typed: &str| find_move(&walker, &start, typed).map(|mv| print_move(walker.game(), &start, &mv));
    for (typed, meant) in [
        ("low", "low{hearts,n=3,up}"),
        ("low{hearts}", "low{hearts,n=3,up}"),
        ("low{n=3}", "low{hearts,n=3,up}"),
        ("lay low{up,hearts}", "low{hearts,n=3,up}"),
        ("high{clubs}", "high{clubs,n=4}"),
        ("high{n=3}", "high{hearts,n=3}"),
        // What is printed so is meant so.
        ("jack{clubs}", "jack{clubs}"),
        ("jack{n=2}", "jack{clubs,n=2}"),
    ] {
        assert_eq!(read(typed).as_deref(), Ok(meant), "{typed}");
    }
    for typed in ["high", "jack", "lay jack"] {
        let found = read(typed);
        assert!(matches!(&found, Err(NotationError::Ambiguous { readings, .. }) if readings.len() == 2), "{found:?}");
    }
    let refused = read("low{clubs}").expect("a move that is refused");
    assert_eq!(refused, "low{clubs}");
}

/// The deviation of a measure is that of its values, whatever its interval is made from.
#[test]
fn the_deviation_is_that_of_the_values() {
    let text = format!("game g\nplayers a, b\nvar n: int \"n\"\naction go {{ n += 1 }}\n{PLAY}");
    let folder = folder(&text);
    let line = ["simulate", "g.rules", "--games", "5", "--measure-by-turn", "m=n mod 3", "--format", "json"];
    let output = run(folder.path(), &line);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
    let measure = &found["measures"][0];
    // Three times 0, 1 and 2 in each of five games that are all alike.
    assert_eq!(measure["histogram"], serde_json::json!([[0, 15], [1, 15], [2, 15]]));
    let deviation = (30.0_f64 / 44.0).sqrt();
    assert!((measure["sd"].as_f64().expect("a number") - deviation).abs() < 1e-9, "{measure}");
}

/// A source whose requests are late once it was asked so often.
struct Hurried {
    patience: Cell<u32>,
    asked: Cell<u32>,
}

impl RuleSource for Hurried {
    fn names(&self) -> Vec<String> {
        Bundled.names()
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        Bundled.open(name, setup)
    }

    fn seed(&self) -> Result<Seed, Fault> {
        Bundled.seed()
    }

    fn begin(&self) {
        self.asked.set(0);
    }

    fn is_late(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() > self.patience.get()
    }
}

/// What takes long is given up in the middle of a game, or of a record.
#[test]
fn a_record_or_a_game_that_takes_long_is_given_up() {
    let source = Hurried { patience: Cell::new(5), asked: Cell::new(0) };
    let mut server = Server::new(&source, Selection::default(), Limits::default());
    let mut answer = |patience, method: &str, params: Json| -> Json {
        source.patience.set(patience);
        let line = json!({"id": 1, "method": method, "params": params}).to_string();
        serde_json::from_str(&server.answer(&line).text).expect("JSON")
    };
    // Games that are stopped at once take no steps: the time is asked for all the same.
    let stopped =
        answer(5, "simulate", json!({"rules": "kalaha", "games": 1_u64 << 40, "seed": 5, "cap": 0}))["result"].clone();
    assert_eq!(stopped["late"], json!(true), "{stopped}");
    assert!(stopped["games"].as_u64().is_some_and(|games| games < 1 << 20), "{stopped}");
    for more in [json!({}), json!({"against": {"options": {"seeds": 3}}})] {
        let mut asked = json!({"rules": "kalaha", "games": 3, "seed": 5});
        for (name, value) in more.as_object().expect("fields") {
            asked[name] = value.clone();
        }
        let answered = answer(5, "simulate", asked.clone());
        let found = answered["result"].clone();
        assert_eq!([&found["games"], &found["late"]], [&json!(0), &json!(true)], "{answered}");
        assert_eq!([&found["games"], &found["late"]], [&json!(0), &json!(true)]);
        let next = answer(1000, "simulate", json!({"simulation": found["simulation"], "games": 3}))["result"].clone();
        assert_eq!([&next["games"], &next["late"], &next["budget"]], [&json!(3), &Json::Null, &json!(0)]);
        let whole = answer(1000, "simulate", asked)["result"].clone();
        assert_eq!([&whole["plies"], &whole["differences"]], [&next["plies"], &next["differences"]], "the same games");
    }
    let begun = answer(1000, "new", json!({"rules": "kalaha", "seed": 1}))["result"].clone();
    for (who, mv) in [("a", "a1"), ("b", "b1")] {
        let played = answer(1000, "apply", json!({"game": begun["game"], "who": who, "move": mv}));
        assert!(played["error"].is_null(), "{played}");
    }
    let record = answer(1000, "record", json!({"game": begun["game"], "who": "referee"}))["result"]["record"].clone();
    let late = answer(1, "load", json!({"record": record}));
    assert_eq!(late["error"]["code"], json!("limit"), "{late}");
    assert!(answer(1000, "load", json!({"record": record}))["error"].is_null());
}

/// Decisions are no plies, which the cap counts: bots that are asked on and on without a ply stop after a thousand decisions.
#[test]
fn bots_are_not_asked_for_ever() {
    let folder = folder(
        "game g\nplayers a, b\nvar x: int \"x\"\naction go { x += 1 }\n\
         play { turns { while x == 2 { choose n in 1..2 by a }  mover plays go } }\nend e after move when x > 20 { draw }\n",
    );
    for line in [
        &["match", "g.rules", "--games", "1", "--seat", "a=alphabeta:1", "--format", "json"][..],
        &["simulate", "g.rules", "--games", "1", "--seat", "a=alphabeta:1", "--format", "json"],
    ] {
        let output = run(folder.path(), line);
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        let found: Json = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!([&found["budget"], &found["plies"]["max"]], [&json!(1), &json!(2)], "{found}");
    }
    // Some hundreds are fine.
    let many = "game g\nplayers a, b\nvar x: int \"x\"\naction go { x += 1 }\n\
                play { turns { repeat 900 { choose n in 1..2 by a }  mover plays go } }\nend e after move when x == 2 { draw }\n";
    fs::write(folder.path().join("g.rules"), many).expect("written");
    let output = run(folder.path(), &["match", "g.rules", "--games", "1", "--seat", "a=random"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
