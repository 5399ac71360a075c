//! The limits of `docs/limits.md`: what is said when each is reached, and that less is allowed.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use regelwerk::conformance::{Interpreters, load_cases, run_case};
use regelwerk::load::{Files, NoFiles, RuleFile, Setup, load};
use regelwerk::notation::{NotationError, parse_move, parse_position};
use regelwerk::play::Seed;
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server, bundled};
use regelwerk::{Rules, serve};
use serde_json::{Value, json};

use crate::support::{print_position, read, reports, root};

const REST: &str = "action go { choose n in 1..3 }\nplay { turns { mover plays go } }\n\
    end e after move when ply > 3 { draw }\n";

fn regelwerk(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    let output = command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("the program runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), said(&output.stdout) + &said(&output.stderr))
}

/// The tests that a page names, each as `module::test`, exist.
#[test]
fn pages_name_tests_that_exist() {
    for page in ["docs/limits.md", "docs/reliability.md"] {
        let text = read(&root(page));
        let named: Vec<(&str, &str)> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter_map(|code| code.split_once("::"))
            .filter(|(module, test)| {
                [*module, *test]
                    .iter()
                    .all(|part| part.chars().all(|c| c.is_lowercase() || c.is_ascii_digit() || c == '_'))
            })
            .collect();
        assert!(named.len() >= 15, "{page} names only {} tests", named.len());
        for (module, test) in named {
            let files = [
                "tests/{}.rs",
                "tests/{}/mod.rs",
                "tests/table/{}.rs",
                "src/cli/{}.rs",
                "src/model/{}.rs",
                "src/table/{}.rs",
                "src/bots/mcts/{}.rs",
            ]
            .map(|at| at.replace("{}", module));
            let found = files
                .iter()
                .any(|file| fs::read_to_string(root(file)).is_ok_and(|text| text.contains(&format!("fn {test}()"))));
            assert!(found, "{page} names `{module}::{test}`, which does not exist");
        }
    }
}

/// What the language limits: the greatest that is allowed checks, one more is refused with a code and a cure.
#[test]
fn the_language_has_limits() {
    let players = "players a, b\n";
    let nested = |levels: usize| format!("define d = {}1{}\n", "(".repeat(levels), ")".repeat(levels));
    let deep = |levels: usize| {
        let each = (1..=levels).map(|at| format!("define d{at} = d{} + 1\n", at - 1)).collect::<Vec<_>>().concat();
        format!("define d0 = 1\n{each}")
    };
    let head = |lines: usize| format!("action wide {{ {} }}\n", "require ply > 0\n".repeat(lines));
    let seats = |count: usize| {
        let names: Vec<String> = (0..count).map(|at| format!("p{at}")).collect();
        format!("players {}\n", names.join(", "))
    };
    let cases: [(&str, String, String, &str); 7] = [
        (
            "sites",
            format!("{players}board square 64 x 64\n"),
            format!("{players}board square 65 x 65\n"),
            "check/out-of-range",
        ),
        ("seats", seats(64), seats(65), "check/out-of-range"),
        (
            "numbers",
            format!("{players}define d = 1000000000000\n"),
            format!("{players}define d = 1000000000001\n"),
            "syntax/bad-number",
        ),
        ("nesting", format!("{players}{}", nested(64)), format!("{players}{}", nested(65)), "syntax/too-deep"),
        // A sum and the definition in it are two levels.
        ("definitions", format!("{players}{}", deep(99)), format!("{players}{}", deep(100)), "syntax/too-deep"),
        ("lines of a head", format!("{players}{}", head(64)), format!("{players}{}", head(65)), "check/out-of-range"),
        (
            "values of a variable",
            format!("{players}board square 17 x 17\nvar v(f: site, g: site): int\n"),
            format!("{players}board square 18 x 18\nvar v(f: site, g: site): int\n"),
            "check/out-of-range",
        ),
    ];
    for (what, most, more, code) in cases {
        let loaded = |items: &str| load("g.rules", &format!("game g\n{items}{REST}"), &NoFiles, &Setup::default());
        let (fits, refused) = (loaded(&most), loaded(&more));
        assert!(!fits.reports.has_errors(), "{what}: {}", reports(&fits));
        let found: Vec<&str> = refused.reports.sorted().iter().map(|report| report.code.text()).collect();
        assert!(found.contains(&code), "{what}: {found:?}");
        assert!(refused.reports.sorted().iter().all(|report| report.cure().is_some()), "{}", reports(&refused));
    }
}

#[test]
fn files_have_a_greatest_length() {
    let long = format!("game g\nplayers a, b\n{REST}// {}\n", "x".repeat(1 << 20));
    let loaded = load("g.rules", &long, &NoFiles, &Setup::default());
    assert!(reports(&loaded).contains("a rule file may have at most 1048576 bytes"), "{}", reports(&loaded));
    let home = tempfile::tempdir().expect("a folder to work in");
    fs::File::create(home.path().join("g.rules")).and_then(|file| file.set_len((1 << 26) + 1)).expect("a long file");
    let (exit, said) = regelwerk(home.path(), &["check", "g.rules"]);
    assert_eq!(exit, Some(3), "{said}");
    assert!(said.contains("it has 67108865 bytes; the limit is 67108864"), "{said}");
}

/// Files that extend each other, `0.rules` the last.
struct Chain;

impl Files for Chain {
    fn read(&self, _: &str, file: &str) -> Result<(String, String), String> {
        let number: usize = file.trim_end_matches(".rules").parse().map_err(|_| "no such file".to_owned())?;
        let text = if number == 0 {
            format!("game g\nplayers a, b\n{REST}")
        } else {
            format!("game g extends \"{}.rules\"\n", number - 1)
        };
        Ok((file.to_owned(), text))
    }
}

#[test]
fn extending_files_have_a_greatest_number() {
    let chain = |last: u32| load("top.rules", &format!("game g extends \"{last}.rules\"\n"), &Chain, &Setup::default());
    assert!(!chain(6).reports.has_errors(), "{}", reports(&chain(6)));
    let refused = reports(&chain(7));
    assert!(refused.contains("the chain of `extends` is longer than 8 rule files"), "{refused}");
    assert!(!refused.contains("check/circular"), "{refused}");
}

/// An extending file has one head, as any file.
#[test]
fn an_extending_file_has_one_head() {
    let loaded = load("top.rules", "game g extends \"0.rules\"\ngame h\n", &Chain, &Setup::default());
    let found = reports(&loaded);
    assert!(loaded.reports.sorted().len() == 1 && found.contains("`game` may appear only once"), "{found}");
}

/// A file that extends itself by way of another is told so, and of nothing that follows from it.
#[test]
fn files_that_extend_each_other_are_circular() {
    struct Round;
    impl Files for Round {
        fn read(&self, _: &str, file: &str) -> Result<(String, String), String> {
            let other = if file == "a.rules" { "b.rules" } else { "a.rules" };
            Ok((file.to_owned(), format!("game g extends \"{other}\"\nremove end full\n")))
        }
    }
    let loaded = load("b.rules", "game g extends \"a.rules\"\nremove end full\n", &Round, &Setup::default());
    let found = reports(&loaded);
    assert_eq!(loaded.reports.sorted().len(), 1, "{found}");
    assert!(found.contains("the chain of `extends` comes back to `b.rules`"), "{found}");
}

/// More errors of syntax than anybody mends at a time.
#[test]
fn errors_of_syntax_have_a_greatest_number() {
    let wrong = |count: usize| format!("game g\nplayers a, b\n{}{REST}", "define = 1\n".repeat(count));
    for (count, told) in [(49, 49), (50, 50), (80, 50)] {
        let loaded = load("g.rules", &wrong(count), &NoFiles, &Setup::default());
        assert_eq!(loaded.reports.sorted().len(), told, "{count}");
    }
}

#[test]
fn texts_of_positions_and_moves_have_a_greatest_length() {
    let game = load("g.rules", &format!("game g\nplayers a, b\n{REST}"), &NoFiles, &Setup::default()).game;
    let walker = Walker::new(game.expect("it checks"));
    let start = regelwerk::model::Engine::start(&walker);
    let text = format!("{} | history={}", print_position(&walker, &start), " ".repeat(1 << 20));
    let why = parse_position(&walker, &text).expect_err("too long");
    assert!(matches!(why, NotationError::TooLong { limit: 1_048_576, .. }) && why.cure().is_some(), "{why}");
    let why = parse_move(regelwerk::model::Engine::game(&walker), &start, &"1".repeat(5000)).expect_err("too long");
    assert!(matches!(why, NotationError::TooLong { limit: 4000, .. }), "{why}");
}

const FOR_EVER: &str = "game g\nplayers a, b\nvar x: int \"x\"\n\
    action go { choose n in 1..3 if ply > 0 { while x >= 0 { x += 1 x -= 1 } } }\n\
    play { turns { mover plays go } }\nend e after move when ply > 9 { draw }\n";

/// A decision that takes too many steps ends the game, and the commands that play say so with exit code 4, on both
/// interpreters.
#[test]
fn an_exhausted_step_budget_is_a_limit() {
    let home = tempfile::tempdir().expect("a folder to work in");
    fs::write(home.path().join("g.rules"), FOR_EVER).expect("a file");
    for engine in ["fast", "reference"] {
        let bots = ["play", "g.rules", "--seat", "a=random", "--seat", "b=random"];
        for command in [&["simulate", "g.rules", "--games", "1"][..], &bots] {
            let mut arguments = command.to_vec();
            arguments.extend(["--engine", engine]);
            let (exit, said) = regelwerk(home.path(), &arguments);
            assert_eq!(exit, Some(4), "{arguments:?}: {said}");
        }
    }
}

/// Games that are cut off are counted as such, and a count that is cut off ends with exit code 4.
#[test]
fn what_is_cut_off_is_said() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let again = "game again\nplayers a, b\nvar x: int\naction go { choose n in 1..2 }\n\
        play { turns { while x != 1 { roll d in 1..3  x := d } mover plays go } }\n\
        end over after move when ply == 8 { draw }\n";
    fs::write(home.path().join("again.rules"), again).expect("a file");
    let (exit, said) = regelwerk(home.path(), &["simulate", "again.rules", "--games", "20", "--cap", "5"]);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("stopped after 5 plies: 20 games"), "{said}");
    let (exit, said) = regelwerk(home.path(), &["perft", "again.rules", "--depth", "2"]);
    assert_eq!(exit, Some(4), "{said}");
    assert!(said.contains("the count is incomplete: a limit was reached"), "{said}");
}

/// Whatever a command does, it stops when its time or its memory is used up.
#[test]
fn time_and_memory_of_any_command_are_limited() {
    let run = |arguments: &[&str]| regelwerk(&root(""), arguments);
    for command in [&["simulate", "chess", "--games", "1000000"][..], &["perft", "chess", "--depth", "9"]] {
        let (exit, said) = run(&[command, &["--limit-time", "0.3"]].concat());
        assert_eq!(exit, Some(4), "{said}");
        assert!(said.contains("stopped after 0.3 s, as `--limit-time` says\n  help: allow more time"), "{said}");
    }
    if cfg!(target_os = "linux") {
        let (exit, said) = run(&["simulate", "chess", "--games", "1000000", "--limit-memory", "1"]);
        assert_eq!(exit, Some(4), "{said}");
        assert!(said.contains("stopped at 1 MiB of memory"), "{said}");
    }
    let (exit, said) = run(&["show", "kalaha", "--limit-time", "60", "--limit-memory", "4000"]);
    assert_eq!(exit, Some(0), "{said}");
    for wrong in ["0", "-1", "x", "nan"] {
        let flag = format!("--limit-time={wrong}");
        assert_eq!(run(&["show", "kalaha", &flag]).0, Some(2), "{wrong}");
    }
}

/// A game that ends since its budget is spent ends `play` with its exit code, whoever played.
#[test]
fn a_spent_budget_ends_play_as_a_limit() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let rules = "game g\nplayers a, b\nvar x: int \"x\"\naction go { while x >= 0 { x += 1 } }\naction fine { x += 1 }\n\
                 play { turns { mover plays go | fine } }\n";
    fs::write(home.path().join("g.rules"), rules).expect("written");
    for engine in ["fast", "reference"] {
        for (moves, code) in [("fine", 0), ("fine,go", 4)] {
            let (exit, said) = regelwerk(home.path(), &["play", "g.rules", "--engine", engine, "--moves", moves]);
            assert_eq!(exit, Some(code), "{said}");
        }
    }
}

/// Where more is legal than can be listed, every command that plays says so, and none gives figures of nothing as if they
/// were complete.
#[test]
fn moves_that_cannot_be_listed_are_a_limit_of_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let many = "game g\nplayers a, b\nvar x: int\naction p { choose d in 1..100000 choose e in 1..100000 x += d }\n\
                action q { x += 1 }\nplay { mover plays q  turns { mover plays p } }\n";
    fs::write(folder.path().join("many.rules"), many).expect("it is written");
    for command in [
        &["perft", "many.rules", "--depth", "2"][..],
        &["bench", "many.rules", "--seconds", "0.5"],
        &["match", "many.rules", "--games", "2", "--seat", "a=mcts:2"],
        &["simulate", "many.rules", "--games", "2"],
    ] {
        let (exit, said) = regelwerk(folder.path(), command);
        assert_eq!(exit, Some(4), "{command:?}: {said}");
        assert!(said.contains("step budget"), "{command:?}: {said}");
    }
    let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
    ask(&mut server, "write", &json!({"file": "many", "text": many}));
    let begun = ask(&mut server, "new", &json!({"rules": "many"}));
    let game = begun["result"]["game"].clone();
    let played = ask(&mut server, "apply", &json!({"game": game, "who": "a", "move": "q"}));
    assert_eq!(played["result"]["state"]["outcome"]["ending"], "budget", "{begun} {played}");
}

/// The bundled games, with a seed.
pub(crate) struct Bundled;

impl serve::RuleSource for Bundled {
    fn names(&self) -> Vec<String> {
        regelwerk::bundled::all().into_iter().map(str::to_owned).collect()
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, serve::Fault> {
        bundled(name, setup)
    }

    fn seed(&self) -> Result<Seed, serve::Fault> {
        Ok(1.into())
    }
}

fn ask(server: &mut Server<'_>, method: &str, params: &Value) -> Value {
    let line = json!({"id": 1, "method": method, "params": params}).to_string();
    serde_json::from_str(&server.answer(&line).text).expect("JSON")
}

/// Each limit of the server is an error of that request alone; the game goes on where there is room again.
#[test]
fn a_server_keeps_no_more_than_it_was_allowed() {
    let server = |limits: Limits| Server::new(&Bundled, Selection::default(), limits);
    let new = json!({"rules": "tic-tac-toe"});
    let mut few = server(Limits { games: 2, ..Limits::default() });
    for _ in 0..2 {
        assert_eq!(ask(&mut few, "new", &new)["error"], Value::Null);
    }
    assert_eq!(ask(&mut few, "new", &new)["error"]["code"], "limit");
    assert!(ask(&mut few, "close", &json!({"game": 1}))["error"].is_null());
    assert!(ask(&mut few, "new", &new)["error"].is_null());
    // The rules count as well, once.
    let least = (0..1 << 20).step_by(1000).map(|bytes| Limits { bytes, ..Limits::default() });
    let least = least.map(|limits| limits.bytes).find(|bytes| {
        let refused = ask(&mut server(Limits { bytes: *bytes, ..Limits::default() }), "new", &new)["error"].clone();
        assert!(refused.is_null() || refused["code"] == "limit", "{refused}");
        refused.is_null()
    });
    let least = least.expect("enough for its rules");
    // So does the position that each game stands at, before anybody has moved.
    let mut one = server(Limits { bytes: least, ..Limits::default() });
    assert!(ask(&mut one, "new", &new)["error"].is_null());
    assert_eq!(ask(&mut one, "new", &new)["error"]["code"], "limit");
    let bytes = least + 4000;
    for limits in [Limits { steps: 2, ..Limits::default() }, Limits { bytes, ..Limits::default() }] {
        let mut server = server(limits);
        assert!(ask(&mut server, "new", &new)["error"].is_null());
        let mut played = 0;
        let refused = loop {
            let legal = ask(&mut server, "legal", &json!({"who": "referee"}))["result"]["moves"][0].clone();
            let answer = ask(&mut server, "apply", &json!({"who": "referee", "move": legal}));
            if !answer["error"].is_null() || played > 8 {
                break answer["error"].clone();
            }
            played += 1;
        };
        assert!((2..8).contains(&played), "{played}");
        assert_eq!(refused["code"], "limit", "{refused}");
        assert!(refused["cure"].as_str().expect("a cure").contains("--max-bytes"), "{refused}");
        assert_eq!(ask(&mut server, "state", &json!({}))["result"]["state"]["ply"], played);
    }
    let mut short = server(Limits { line: 100, ..Limits::default() });
    let answer = ask(&mut short, "new", &json!({"rules": "x".repeat(100)}));
    assert_eq!(answer["error"]["code"], "too-long");
    assert!(ask(&mut short, "new", &new)["error"].is_null());
}

/// A number that cannot be echoed as it was sent is refused.
#[test]
fn ids_have_64_bits() {
    let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
    for id in ["18446744073709551615", "-9223372036854775808", "\"18446744073709551616\""] {
        let answer = server.answer(&format!("{{\"id\": {id}, \"method\": \"games\"}}")).text;
        assert!(answer.contains(&format!("\"id\":{id}")), "{answer}");
    }
    for id in ["18446744073709551616", "1.5", "1e400"] {
        let answer = server.answer(&format!("{{\"id\": {id}, \"method\": \"games\"}}")).text;
        assert!(answer.contains("\"error\"") && answer.contains("\"id\":null"), "{answer}");
    }
}

/// Seeds that nobody names cannot be searched for: all their bits vary.
#[test]
fn unnamed_seeds_have_128_random_bits() {
    let requests: Vec<String> = (1..=48)
        .flat_map(|game| {
            let of = json!({"game": game, "who": "referee"});
            [json!({"id": 1, "method": "new"}), json!({"id": 2, "method": "record", "params": of})]
        })
        .map(|request| format!("{request}\n"))
        .collect();
    let home = tempfile::tempdir().expect("a folder to work in");
    fs::write(home.path().join("requests"), requests.concat()).expect("a file");
    let input = fs::File::open(home.path().join("requests")).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    let output = command.args(["serve-stdio", "pig"]).stdin(input).output().expect("the program runs");
    let said = String::from_utf8(output.stdout).expect("text");
    let answers = said.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    // What does not fit into 64 bits is written as text.
    let number = |seed: &Value| seed.as_str().map_or_else(|| seed.as_u64().map(u128::from), |text| text.parse().ok());
    let seeds: Vec<u128> = answers.filter_map(|answer| number(&answer["result"]["record"]["seed"])).collect();
    assert_eq!(seeds.len(), 48, "{said}");
    // That a random bit is the same in all of them has a probability of one in 2⁴⁷.
    let (every, some) = seeds.iter().fold((u128::MAX, 0), |(every, some), seed| (every & seed, some | seed));
    assert_eq!((every, some), (0, u128::MAX));
}

/// The bundled games with the seeds of a list, one after the other, each game loaded once.
struct Guessed {
    rules: Rules,
    seeds: RefCell<Vec<u64>>,
}

impl serve::RuleSource for Guessed {
    fn names(&self) -> Vec<String> {
        vec![self.rules.name().to_owned()]
    }

    fn open(&self, _: &str, _: &Setup) -> Result<Rules, serve::Fault> {
        Ok(self.rules.clone())
    }

    fn seed(&self) -> Result<Seed, serve::Fault> {
        Ok(self.seeds.borrow_mut().pop().unwrap_or_default().into())
    }
}

/// Whoever has seen one hand tries the small seeds and the times at which a game may have been begun: with a seed of that
/// kind the whole deck is found, with one that nobody named it is not.
#[test]
fn a_seed_that_nobody_named_is_not_found_by_trying() {
    const CARDS: &str = "crazy-eights";
    let time = || SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    let view = |game: u32| json!({"id": 2, "method": "view", "params": {"game": game, "who": "ann"}});
    let begun = time();
    let millisecond = u64::try_from(begun.as_millis()).expect("a time of 64 bits");
    let requests = [
        json!({"id": 1, "method": "new"}),
        view(1),
        json!({"id": 3, "method": "new", "params": {"seed": 123}}),
        view(2),
        json!({"id": 5, "method": "new", "params": {"seed": millisecond}}),
        view(3),
    ];
    let home = tempfile::tempdir().expect("a folder to work in");
    fs::write(home.path().join("requests"), requests.map(|request| format!("{request}\n")).concat()).expect("a file");
    let input = fs::File::open(home.path().join("requests")).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    let output = command.args(["serve-stdio", CARDS]).stdin(input).output().expect("the program runs");
    let ended = time();
    let said = String::from_utf8(output.stdout).expect("text");
    let hand = |answer: &Value| answer["result"]["position"].as_str().map(str::to_owned);
    let seen: Vec<Option<String>> = said
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|answer| answer["id"] == 2)
        .map(|answer| hand(&answer))
        .collect();
    assert!(seen.len() == 3 && seen.iter().all(Option::is_some), "{said}");

    let mut seeds: Vec<u64> = (0..400).collect();
    seeds.extend(begun.as_secs() - 20..=ended.as_secs());
    seeds.extend((millisecond - 100..).take_while(|at| u128::from(*at) <= ended.as_millis()).take(1000));
    let count = seeds.len();
    let rules = bundled(CARDS, &Setup::default()).expect("it is bundled");
    let source = Guessed { rules, seeds: RefCell::new(seeds) };
    let mut server = Server::new(&source, Selection::default(), Limits::default());
    let mut found = [0; 3];
    for _ in 0..count {
        let new = ask(&mut server, "new", &json!({"rules": CARDS}));
        let game = new["result"]["game"].clone();
        assert!(game.is_u64(), "{new}");
        let shown = hand(&ask(&mut server, "view", &json!({"game": game, "who": "ann"})));
        for (found, seen) in found.iter_mut().zip(&seen) {
            *found += u32::from(shown.is_some() && shown == *seen);
        }
        assert!(ask(&mut server, "close", &json!({"game": game}))["error"].is_null());
    }
    assert_eq!(found, [0, 1, 1]);
}

/// Failures tell of large positions no more than the beginning, and nothing of those that nobody would read.
#[test]
fn what_failures_tell_has_a_greatest_length() {
    let failure = |cards: usize| {
        let rules = format!(
            "game g\nplayers a, b\npiece card {{ n: int }}\nzone line: row of card, seen by all\n\
             setup {{ for k in 1..{cards} {{ put card with n = k on line }} }}\n\
             action stay {{ }}\nplay {{ turns {{ mover plays stay }} }}\nend e after move when ply > 9 {{ draw }}\n"
        );
        let cases =
            load_cases("Cases(game: \"g\", cases: [Case(clauses: [], name: \"x\", steps: [Sees(\"a\", [\"z\"])])])");
        let case = cases.expect("cases").cases.remove(0);
        let file = RuleFile::read("g.rules", &rules, &NoFiles);
        let mut failures = run_case(&case, &file, Interpreters::Both).failures;
        assert_eq!(failures.len(), 1);
        failures.remove(0)
    };
    let small = failure(10);
    let whole = |text: &str| text.contains("card") && !text.contains('…');
    assert!(whole(&small.message) && small.position.is_some_and(|position| whole(&position)));
    let large = failure(5000);
    let told = [large.message, large.position.expect("its beginning"), large.board];
    assert!(told.iter().all(|text| text.len() < 17_000), "{:?}", told.map(|text| text.len()));
    assert!(told[0].ends_with(" bytes more)") && told[1].ends_with(" bytes more)"), "{told:?}");
    let largest = failure(30_000);
    assert!(largest.message.len() < 17_000 && largest.position.is_none() && largest.board.is_empty());
}

/// Of thousands of moves that were not expected some are named, and the others counted.
#[test]
fn what_was_not_expected_is_named_as_far_as_it_is_read() {
    let rules = "game g\nplayers a, b\nvar n: int\naction go { choose k in 1..1000 n := k }\n\
                 play { turns { mover plays go } }\nend e after move when ply > 9 { draw }\n";
    let message = |step: &str| {
        let cases =
            load_cases(&format!("Cases(game: \"g\", cases: [Case(clauses: [], name: \"x\", steps: [{step}])])"));
        let case = cases.expect("cases").cases.remove(0);
        let failures = run_case(&case, &RuleFile::read("g.rules", rules, &NoFiles), Interpreters::Both).failures;
        failures.into_iter().map(|failure| failure.message).collect::<Vec<_>>().join("\n")
    };
    let told = message("Only([\"7\", \"0\"])");
    assert!(told.starts_with("the legal moves: missing [\"0\"], not expected [\"1\", \"10\", \"100\""), "{told}");
    assert!(told.ends_with("] and 935 more"), "{told}");
}
