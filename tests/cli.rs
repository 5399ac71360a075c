//! What the documents promise about the command line.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{files_below, read, root};

#[test]
fn documented_commands_do_what_they_say() {
    let cases = trycmd::TestCases::new();
    // Whoever runs the tests may speak any language.
    cases.env("LC_ALL", "C").case("README.md").case("tests/cli/*.md").case("tests/cli/*.toml");
}

/// A temporary folder, removed after the test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder to work in"))
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.env("LC_ALL", "C");
        command.args(line.split(' ')).current_dir(self.0.path());
        command
    }

    /// The output of a command that succeeds.
    fn run(&self, line: &str) -> String {
        let output = self.command(line).output().expect("the program runs");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// A new game folder, and a variant of a bundled game, check and pass their case; a saved game can be replayed.
#[test]
fn a_new_folder_checks_plays_and_passes_its_case() {
    let folder = Folder::new();
    let run = |line: &str| folder.run(line);
    for (name, from) in [("fresh", ""), ("short", " --from kalaha")] {
        run(&format!("new {name}{from}"));
        run(&format!("check {name}/{name}.rules"));
        assert!(run(&format!("test {name}/cases")).contains("1 passed, 0 failed"));
        run(&format!("fmt --check {name}/{name}.rules"));
        run(&format!("simulate {name}/{name}.rules --games 3"));
    }
    let record = "Record(game: \"fresh/fresh.rules\", digest: \"\", steps: [\"a1\", \"b1\"])";
    std::fs::write(folder.0.path().join("game.ron"), record).expect("a record");
    assert!(run("replay game.ron").contains("2 steps, legal by these rules"));
}

/// The cases of a bundled game are those of the repository, wherever the program runs.
#[test]
fn bundled_games_have_their_cases() {
    let folder = Folder::new();
    for game in regelwerk::bundled::collected() {
        let files = files_below(&root("tests/conformance").join(game), "ron");
        let cases = |path: &PathBuf| read(path).matches(" Case(").count();
        let expected: usize = files.iter().map(cases).sum();
        assert!(expected > 0, "{game}");
        assert!(folder.run(&format!("test {game}")).contains(&format!("{expected} passed, 0 failed")), "{game}");
    }
}

/// Shards of a simulation, merged in any order, give the output of a single run.
#[test]
fn merged_shards_print_what_one_run_does() {
    let folder = Folder::new();
    let plan = "simulate kalaha --players 3 --games 31 --seed 4 --rules=5";
    for part in ["1/3", "2/3", "3/3"] {
        folder.run(&format!("{plan} --shard {part} --out {}.json", &part[..1]));
    }
    for format in ["json", "human"] {
        let whole = folder.run(&format!("--format {format} {plan} --report one.svg"));
        assert_eq!(folder.run(&format!("--format {format} merge 3.json 1.json 2.json --report two.svg")), whole);
        let drawn = |name: &str| std::fs::read_to_string(folder.0.path().join(name)).expect("a drawing");
        assert_eq!(drawn("two.svg"), drawn("one.svg"));
        let end = "</svg>\n<!-- written by Regelwerk -->\n";
        assert!(drawn("one.svg").starts_with("<svg") && drawn("one.svg").ends_with(end));
        for plot in ["length of games", "games won by each seat", "answers to choose from"] {
            assert!(drawn("one.svg").contains(plot), "{plot}: {}", drawn("one.svg"));
        }
    }
    // A shard that was changed is rejected.
    let part = std::fs::read_to_string(folder.0.path().join("2.json")).expect("a part");
    std::fs::write(folder.0.path().join("4.json"), part.replacen("\"win\":", "\"win\":1", 1)).expect("a part");
    let output = folder.command("merge 1.json 4.json 3.json").output().expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`4.json` is not a shard"), "{output:?}");
    // A shard is missing; a shard is there twice.
    for (files, told) in [("1.json 3.json", "games 10 to 19 are missing"), ("1.json 2.json 3.json 2.json", "`2.json`")]
    {
        let output = folder.command(&format!("merge {files}")).output().expect("the program runs");
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
}

/// What is played in shards and merged is what one run prints, for every command that repeats games.
#[test]
fn shards_of_every_command_merge_to_one_run() {
    let folder = Folder::new();
    for plan in [
        "match kalaha --seat 1=mcts:3 --games 7 --seed 2",
        "compare kalaha --set seeds=3 --games 21 --seed 5 --measure lead=ply",
        "readings kalaha --players 2 --pairs 7",
        "readings kalaha --players 2 --pairs 5 --markdown",
        "simulate kalaha --games 9 --measure-by-turn left=turn --seat 2=mcts:2",
    ] {
        for part in 1..=3 {
            folder.run(&format!("{plan} --shard {part}/3 --out {part}.json"));
        }
        for format in ["json", "human"] {
            let whole = folder.run(&format!("--format {format} {plan} --threads 1"));
            assert_eq!(folder.run(&format!("--format {format} merge 3.json 1.json 2.json")), whole, "{plan}");
        }
        for part in 1..=3 {
            std::fs::remove_file(folder.0.path().join(format!("{part}.json"))).expect("a shard");
        }
    }
    // A search goes round by round, each after the one before.
    let plan = "tune kalaha --vary starter=a|b --target decided=90% --games 200 --seed 3";
    let whole = folder.run(&format!("--format json {plan}"));
    let rounds = 3;
    for round in 1..=rounds {
        let (after, before) = match round {
            1 => (String::new(), String::new()),
            _ => (format!(" --after r{}.json", round - 1), format!("r{}.json ", round - 1)),
        };
        for part in 1..=2 {
            folder.run(&format!("{plan}{after} --shard {part}/2 --out {round}-{part}.json"));
        }
        let files = format!("{before}{round}-1.json {round}-2.json");
        if round < rounds {
            folder.run(&format!("merge {files} --out r{round}.json"));
        } else {
            assert_eq!(folder.run(&format!("--format json merge {files}")), whole);
        }
    }
}

/// The words of a command line, some of them in quotes.
fn words(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for (at, part) in line.split('"').enumerate() {
        // Every second part is in quotes.
        let pieces = if at % 2 == 1 { vec![part] } else { part.split(' ').collect() };
        for (number, piece) in pieces.iter().enumerate() {
            if number > 0 {
                found.push(String::new());
            }
            found.last_mut().expect("a word").push_str(piece);
        }
    }
    found.retain(|word| !word.is_empty());
    found
}

/// What `tune` prints for the questions of the statistics page is what the page says, and another seed gives the same
/// answer: the same settings meet everything. The full run: `cargo test --release -- --ignored questions`.
#[test]
#[ignore = "minutes; run by hand in release mode"]
fn questions_to_tune_have_one_answer() {
    let page = read(&root("docs/statistics.md"));
    let mut asked = 0;
    for block in page.split("```console\n$ regelwerk ").skip(1) {
        let (line, rest) = block.split_once('\n').expect("an answer");
        let shown = rest.split("...").next().expect("an answer");
        let run = |more: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
            let output = command.env("LC_ALL", "C").args(words(line)).args(more.split(' ')).output();
            String::from_utf8(output.expect("it runs").stdout).expect("text")
        };
        assert!(run("--seed 0").starts_with(shown), "{line}");
        let meeting = |seed: &str| -> Vec<String> {
            let told: serde_json::Value = serde_json::from_str(&run(&format!("{seed} --format json"))).expect("JSON");
            let settings = told["settings"].as_array().expect("settings");
            let met = settings.iter().filter(|one| one["verdict"] == "meets").map(|one| one["setting"].to_string());
            let mut met: Vec<String> = met.collect();
            met.sort_unstable();
            met
        };
        let answer = meeting("--seed 0");
        assert!(!answer.is_empty(), "{line}");
        assert_eq!(answer, meeting("--seed 1"), "{line}");
        asked += 1;
    }
    assert_eq!(asked, 2, "the page asks two questions");
}

/// The odd games are written as records that can be played again, and tables have a row for each game.
#[test]
fn games_are_written_as_records_and_rows() {
    let folder = Folder::new();
    let told = folder.run("simulate kalaha --games 40 --seed 6 --records odd");
    let mut names: Vec<String> = std::fs::read_dir(folder.0.path().join("odd"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}: no game of Kalaha stops undecided");
    let plies = |word: &str| {
        let name = names.iter().find(|name| name.contains(word)).expect("a record");
        let said = folder.run(&format!("replay odd/{name}"));
        assert!(said.contains("by these very rules"), "{said}");
        said.split(" steps").next().and_then(|head| head.split_whitespace().last()).expect("a number").to_owned()
    };
    for (word, figure) in [("shortest", "min"), ("longest", "max")] {
        assert!(told.contains(&format!("{figure} {}", plies(word))), "{word}: {told}");
    }
    folder.run("simulate kalaha --games 5 --records all --all-records");
    assert_eq!(std::fs::read_dir(folder.0.path().join("all")).expect("a folder").count(), 5);
    let table = folder.run("--format csv simulate kalaha --games 5 --measure lead=ply");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][1], rows[0].last()), (6, "plies", Some(&"lead")));
    assert!(rows[1..].iter().all(|row| row.len() == rows[0].len() && row.last() == Some(&row[1])), "{table}");
    assert_eq!(folder.command("--format csv check kalaha").status().expect("it runs").code(), Some(2));
}

/// Tic-tac-toe's games that end with the fifth, sixth, … mark: 1440, 5328, 47952, 72576, 127872, of which the first
/// player wins 1440, 0, 47952, 0, 81792, the second 5328 and 72576; 46080 are drawn. Known by counting.
#[test]
fn perft_counts_the_games_that_end() {
    let folder = Folder::new();
    let told = folder.run("perft tic-tac-toe --depth 9 --ends");
    for line in [
        "depth 4: 3024",
        "depth 5: 15120, 1440 over: 1440 won by",
        "depth 6: 54720, 5328 over: 5328 won by",
        "depth 7: 148176, 47952 over: 47952 won by",
        "depth 8: 200448, 72576 over: 72576 won by",
        "depth 9: 127872, 127872 over: 81792 won by",
        "46080 drawn",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
}

/// A measure with an error is refused with its place; so are a bot that needs a clock and a condition without a value.
#[test]
fn what_is_asked_is_checked() {
    let folder = Folder::new();
    for (line, words) in [
        ("simulate kalaha --measure lead=sed", &["measure lead", "a measure has errors"][..]),
        ("simulate kalaha --measure 1st=ply", &["NAME=EXPRESSION"]),
        ("simulate kalaha --seat 1=mcts:1s", &["needs a clock", "mcts:1000"]),
        ("tune kalaha --vary seed=1..3 --target turns=3", &["nothing called `seed`", "did you mean `seeds`"]),
        ("tune kalaha --vary seeds=1..3 --target turns", &["compares nothing", "FIGURE = VALUE"]),
        ("tune kalaha --vary seeds=1..3 --target trns=3", &["measure 1", "a measure has errors"]),
    ] {
        let output = folder.command(line).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(words.iter().all(|word| said.contains(word)), "{line}: {said}");
    }
}

/// The seat with the first turn is named where it is always the same; one file counts as one file.
#[test]
fn printed_statements_are_true() {
    let folder = Folder::new();
    let text = |first: &str| {
        format!(
            "game g\n\nplayers a \"Anna\", b \"Ben\"\nboard square 2 x 2\npiece stone owned\n\n\
             action put {{ choose f in empty  put own stone on f }}\n\n\
             play {{\n  {first}\n  turns {{ mover plays put }}\n}}\n\nend over after move when ply == 2 {{ lose seats }}\n"
        )
    };
    let run = |first: &str| {
        std::fs::write(folder.0.path().join("g.rules"), text(first)).expect("a file");
        folder.run("simulate g.rules --games 20")
    };
    let shown = run("");
    assert!(shown.contains("Anna always has the first turn"), "{shown}");
    assert!(shown.contains("Anna: wins   0.0 %") && shown.contains("\ndraws:   0.0 %"), "{shown}");
    // Half of the games are over before any seat has a turn.
    let shown = run("roll d in 1..2  if d == 1 { draw }");
    assert!(!shown.contains("first turn"), "{shown}");
    assert!(folder.run("fmt g.rules").contains("1 file: "));
}

/// Two ends that stand on one line are told apart by their names.
#[test]
fn ends_on_one_line_are_told_apart() {
    let folder = Folder::new();
    let text = "game g\nplayers a, b\nvar n: int\naction go { roll x in 1..2  n := x }\n\
        play { turns { mover plays go } }\n\
        end long after move when n == 1 { draw } end short after move when n == 2 { win a }\n";
    std::fs::write(folder.0.path().join("g.rules"), text).expect("a file");
    let shown = folder.run("simulate g.rules --games 60");
    let ends: Vec<&str> = shown.lines().filter(|line| line.starts_with("ended ")).collect();
    assert_eq!(ends.len(), 2, "{shown}");
    assert!(
        ends.iter().any(|line| line.contains("end `long`")) && ends.iter().any(|line| line.contains("end `short`")),
        "{shown}"
    );
}

/// With `--precision` a simulation stops once enough is known, after the same game on any number of threads, and says
/// how far intervals are widened for it.
#[test]
fn a_simulation_stops_when_enough_is_known() {
    let folder = Folder::new();
    let run = |threads: u32| {
        let line = format!("--format json simulate kalaha --games 5000 --precision 5% --threads {threads}");
        let value: serde_json::Value = serde_json::from_str(&folder.run(&line)).expect("JSON");
        value
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one, two);
    let games = one["games"].as_u64().expect("a count");
    assert!((256..5000).contains(&games), "{games}");
    let plies = &one["plies"]["mean"];
    let figure = |name: &str| plies[name].as_f64().expect("a number");
    assert!((figure("high") - figure("low")) / 2.0 <= 0.05 * figure("value"), "{plies}");
    assert!(one["level"].as_f64().expect("a level") > 0.95, "{one}");
}

/// In a game whose only secret is a simultaneous choice, nobody at the screen is told of it before every seat has
/// chosen.
#[test]
fn play_announces_no_secret_choice() {
    let folder = Folder::new();
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/signs.rules");
    let mut child = folder
        .command("play")
        .arg(rules)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(b"show paper\nposition\nquit\n").expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    let screen = String::from_utf8_lossy(&output.stdout);
    let behind = screen.split("has chosen").last().expect("a choice");
    assert!(screen.contains("has chosen") && !behind.contains("paper"), "{screen}");
}

/// What one seat was told is not replaced with what another was, unless that is asked for twice.
#[test]
fn what_another_seat_was_told_is_not_replaced_unasked() {
    let folder = Folder::new();
    let told = |typed: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_regelwerk"))
            .args(["--lang", "en", "play", "kalaha", "--players", "2", "--seed", "1"])
            .current_dir(folder.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it listens");
        assert!(child.wait_with_output().expect("it ends").status.success(), "{typed}");
        std::fs::read_to_string(folder.0.path().join("s.ron")).expect("a record")
    };
    let first = told("a1\nsave --for a s.ron\nsave --for a s.ron\nsave --for b s.ron\nquit\n");
    assert!(first.contains("seat: Some(\"a\")"), "{first}");
    std::fs::remove_file(folder.0.path().join("s.ron")).expect("removed");
    let second = told("a1\nsave --for a s.ron\nsave --for b s.ron\nsave --for b s.ron\nquit\n");
    assert!(second.contains("seat: Some(\"b\")"), "{second}");
}

/// A version of a game: its book says which clauses hold differently or no longer, and it is compared with what it is
/// a version of.
#[test]
fn a_version_is_compared_with_its_game() {
    let folder = Folder::new();
    std::fs::write(
        folder.0.path().join("short.rules"),
        "game short \"Short\" extends \"hai-noon\"\nset side_size = 2\n",
    )
    .expect("a file");
    // A folder of that name hides no game.
    std::fs::create_dir(folder.0.path().join("hai-noon")).expect("a folder");
    folder.run("book short.rules");
    for end in ["md", "html"] {
        let page = std::fs::read_to_string(folder.0.path().join(format!("short.{end}"))).expect("a page");
        assert!(page.contains("different in this version: option side"), "{page}");
    }
    let told = folder.run("compare short.rules --games 40");
    assert!(told.contains("short.rules against hai-noon") && told.contains("turns shorter"), "{told}");
}

/// Where whoever reads the output goes away, what was asked for has not been done.
#[test]
fn a_reader_that_goes_away_is_no_success() {
    let folder = Folder::new();
    std::fs::write(folder.0.path().join("bad.rules"), "game g\nplayers a, b\nplay { turns { mover plays } }\n")
        .expect("written");
    for line in ["check bad.rules", "check kalaha", "check --format json bad.rules", "show kalaha"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = folder.command(line).stdout(writer).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(3), "{line}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
    }
}

/// A new game has no name that stands for a bundled one.
#[test]
fn a_new_game_is_not_taken_for_a_bundled_one() {
    let folder = Folder::new();
    for line in ["new kalaha --from kalaha", "new chess"] {
        let output = folder.command(line).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("is a bundled game"), "{line}");
    }
    assert_eq!(std::fs::read_dir(folder.0.path()).expect("a folder").count(), 0);
}
