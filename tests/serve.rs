//! The protocol for other programs, as documented in `docs/protocol.md`.

use regelwerk::ir::SeatId;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use regelwerk::engine::Fast;
use regelwerk::load::Setup;
use regelwerk::model::{Engine, Viewer};
use regelwerk::notation::print_move;
use regelwerk::play::{Record, Seed, Stream, determinize, replay};
use regelwerk::serve::{Code, Fault, Limits, Method, RuleSource, Selection, Server};
use regelwerk::{Diagnostics, Rules};
use serde_json::{Value, json};

use crate::support::{GAMES, blocks, load_file, print_position, read, root, rules_of, walk};

const PROGRAM: &str = env!("CARGO_BIN_EXE_regelwerk");

/// A client that talks to the program over its input and output.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn begin(args: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.arg("serve-stdio").args(args).current_dir(root(""));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let output = BufReader::new(child.stdout.take().expect("an output"));
        let input = child.stdin.take();
        Self { child, input, output }
    }

    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("not yet closed");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("text");
        line
    }

    fn raw(&mut self, line: &[u8]) -> Value {
        self.send(line);
        self.send(b"\n");
        serde_json::from_str(&self.line()).expect("a response in JSON")
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        let response = self.raw(json!({"id": 1, "method": method, "params": params}).to_string().as_bytes());
        assert_eq!(response["error"], Value::Null, "{method} {params}");
        response["result"].clone()
    }

    /// Closes the input and returns the server's exit code.
    fn end(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("it ends").code()
    }
}

/// Plays at random by what seats see, as any client would; returns the last state.
fn play_out(client: &mut Client, begun: &Value, seed: u64) -> Value {
    let mut dice = Stream::new(seed, "client", 0);
    let mut state = begun["state"].clone();
    while state["over"] == json!(false) {
        let seats: Vec<&str> = match state["asked"].as_str() {
            Some(seat) => vec![seat],
            None => begun["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["name"].as_str()).collect(),
        };
        let mut moves: Vec<(String, String)> = Vec::new();
        for seat in seats {
            let legal = client.call("legal", &json!({"who": seat, "limit": 10_000}));
            let texts = legal["moves"].as_array().expect("moves").iter().filter_map(Value::as_str);
            moves.extend(texts.map(|text| (seat.to_owned(), text.to_owned())));
        }
        if moves.is_empty() {
            moves.push(("referee".to_owned(), "wait".to_owned()));
        }
        let (who, text) = &moves[dice.below(moves.len())];
        state = client.call("apply", &json!({"who": who, "move": text}))["state"].clone();
    }
    state
}

/// The numbers of players of a game, with options that make it short enough to be played to its end here: on the
/// large star, random play takes ten thousand moves.
fn tables(game: &str) -> Vec<Vec<String>> {
    let small: &[&str] = if game == "sternhalma" { &["--set", "order=2", "--set", "stones=1"] } else { &[] };
    let counts = load_file(&rules_of(game), &Setup::default()).offer.players;
    let args = |players: u32| {
        [&[game, "--players", &players.to_string()], small].concat().iter().map(|s| (*s).to_owned()).collect()
    };
    counts.into_iter().map(args).collect()
}

/// All six games, for all their numbers of players, are played to the end by what the seats are shown; the record is
/// replayed, and loaded again.
#[test]
fn every_game_is_played_to_its_end() {
    for game in GAMES {
        for args in tables(game) {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut client = Client::begin(&args);
            assert!(client.line().starts_with(r#"{"limits":"#), "{args:?}: a greeting");
            let begun = client.call("new", &json!({"seed": 5}));
            let state = play_out(&mut client, &begun, 3);
            assert!(state["outcome"]["text"].is_string(), "{args:?}");
            let found = client.call("record", &json!({"who": "referee"}));
            let record = Record::parse(found["text"].as_str().expect("a text")).expect("a record");
            let engine = Fast::new(load_file(&rules_of(game), &record.setup()).game.expect("a game"));
            let replayed = replay(&engine, &record).unwrap_or_else(|error| panic!("{args:?}: {error}"));
            assert!(replayed.same_rules && replayed.game.position().is_over(), "{args:?}");
            assert_eq!(json!(replayed.game.steps().len()), state["steps"], "{args:?}");
            client.call("close", &json!({"game": 1}));
            let again = client.call("load", &json!({"record": found["record"]}));
            assert_eq!(again["same_rules"], json!(true), "{args:?}");
            assert_eq!(again["state"]["outcome"], state["outcome"], "{args:?}");
            client.call("quit", &json!({}));
            assert_eq!(client.end(), Some(0), "{args:?}");
        }
    }
}

/// The transcripts in the document are the program's output, byte for byte.
#[test]
fn the_transcripts_are_true() {
    let page = read(&root("docs/protocol.md"));
    let mut found = 0;
    for (_, text) in blocks(&page).iter().filter(|(info, _)| info == "transcript") {
        found += 1;
        let mut lines = text.lines();
        let command = lines.next().and_then(|line| line.strip_prefix("$ regelwerk serve-stdio")).expect("a command");
        let mut client = Client::begin(&command.split_whitespace().collect::<Vec<_>>());
        for line in lines {
            match line.split_at_checked(2) {
                Some(("> ", request)) => client.send(format!("{request}\n").as_bytes()),
                Some(("< ", response)) => assert_eq!(client.line(), format!("{response}\n")),
                _ => panic!("neither a request nor a response: {line}"),
            }
        }
        assert_eq!(client.line(), "", "no further output");
        assert_eq!(client.end(), Some(0));
    }
    assert_eq!(found, 2);
}

/// The document contains every method with its fields, every code and every field of a response, and no method or
/// code that does not exist.
#[test]
fn the_document_is_complete() {
    let page = read(&root("docs/protocol.md"));
    let section = |title: &str| -> String {
        let from = page.find(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no section {title}"));
        page[from + 4..].split("\n## ").next().unwrap_or("").to_owned()
    };
    let heads: Vec<String> = section("Methods")
        .lines()
        .filter_map(|line| line.strip_prefix("### `")?.split_once('`').map(|(name, _)| name.to_owned()))
        .collect();
    assert_eq!(heads, Method::ALL.iter().map(|method| method.name()).collect::<Vec<_>>());
    for method in Method::ALL {
        let part = section("Methods");
        let part = part.split("\n### ").find(|part| part.starts_with(&format!("`{}`", method.name()))).expect("a part");
        let selected = part.contains("[selection](#selection)");
        for field in method.fields() {
            let row = format!("| `{field}` |");
            assert!(part.contains(&row) || selected && section("Selection").contains(&row), "{method:?}: `{field}`");
        }
    }
    let rows = section("Errors");
    let codes: Vec<&str> =
        rows.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(code, _)| code)).collect();
    assert_eq!(codes, Code::ALL.iter().map(|code| code.text()).collect::<Vec<_>>());
}

/// Rules on disk, for the library.
struct Disk;

impl RuleSource for Disk {
    fn names(&self) -> Vec<String> {
        GAMES.iter().chain(["twelve-points", "broken"].iter()).map(|game| (*game).to_owned()).collect()
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        if name == "broken" {
            return Err(Fault::new(Code::BadRules, "it is broken", "mend it"));
        }
        let shipped = GAMES.contains(&name);
        let path = if shipped { rules_of(name) } else { root(&format!("tests/fixtures/{name}.rules")) };
        let loaded = load_file(&path, setup);
        let Some(game) = loaded.game else {
            return Err(Fault::new(Code::BadSelection, "nothing of the kind", "see `describe`"));
        };
        let engine: Arc<dyn Engine> = Arc::new(Fast::new(game));
        let found = Diagnostics::new(loaded.sources, loaded.reports);
        Ok(Rules::new(name, setup.clone(), loaded.offer, found, engine))
    }

    fn seed(&self) -> Result<Seed, Fault> {
        Ok(1.into())
    }
}

fn ask(server: &mut Server<'_>, method: &str, params: &Value) -> Value {
    let line = json!({"id": "x", "method": method, "params": params}).to_string();
    serde_json::from_str(&server.answer(&line).text).expect("JSON")
}

/// A seat or spectator gets byte-identical responses to any request in positions that differ only in what it may not
/// see.
#[test]
fn responses_reveal_nothing_a_viewer_may_not_see() {
    let mut changed = 0;
    let server = || Server::new(&Disk, Selection::default(), Limits::default());
    let mut servers = (server(), server());
    for game in ["halali", "hai-noon", "halli-galli"] {
        let setup = Setup::default();
        let engine = Fast::new(load_file(&rules_of(game), &setup).game.expect("a game"));
        let mut dice = Stream::new(7, "redraw", 0);
        let mut texts: BTreeSet<String> = BTreeSet::new();
        let mut positions = Vec::new();
        walk(&engine, 11, 30, |position| {
            if position.in_setup(engine.game()) || position.is_over() {
                return;
            }
            texts.extend(engine.legal(position).iter().take(4).map(|mv| print_move(engine.game(), position, mv)));
            positions.push(position.clone());
        });
        for position in positions.iter().step_by(6) {
            for viewer in SeatId::all(engine.game().seats.len()).map(Viewer::Seat).chain([Viewer::Spectator]) {
                let who = match viewer {
                    Viewer::Seat(seat) => json!(usize::from(seat) + 1),
                    Viewer::Spectator => json!("spectator"),
                };
                let other = determinize(&engine, position, viewer, &mut dice);
                changed += usize::from(other != *position);
                let told = |server: &mut Server<'_>, position| -> Vec<Value> {
                    let text = print_position(&engine, position);
                    let loaded = ask(server, "load", &json!({"rules": game, "position": text, "seed": 3}));
                    assert_eq!(loaded["error"], Value::Null, "{text}");
                    let mut told = vec![loaded["result"]["state"].clone()];
                    for method in ["view", "legal", "events", "record", "undo", "picture"] {
                        told.push(ask(server, method, &json!({"who": who})));
                    }
                    told.push(ask(server, "legal", &json!({"who": who, "parts": true})));
                    for text in texts.iter().take(30) {
                        let verdict = ask(server, "why", &json!({"who": who, "move": text}));
                        if verdict["result"]["legal"] != json!(true) {
                            // A refused move changes nothing, so all of them may be tried.
                            told.push(ask(server, "apply", &json!({"who": who, "move": text})));
                        }
                        told.push(verdict);
                    }
                    ask(server, "close", &json!({}));
                    told
                };
                let (one, two) = (told(&mut servers.0, position), told(&mut servers.1, &other));
                for (one, two) in one.into_iter().zip(two) {
                    assert_eq!(one, two, "{game} {who}: {}", print_position(&engine, position));
                }
            }
        }
    }
    assert!(changed > 20, "only {changed} redrawn positions differed");
}

/// Secret choices are not revealed before every seat has chosen: neither in views nor in events.
#[test]
fn secret_choices_stay_secret() {
    let mut client = Client::begin(&["tests/fixtures/signs.rules"]);
    client.line();
    client.call("new", &json!({}));
    let state = client.call("state", &json!({}))["state"].clone();
    assert_eq!((&state["ask"], &state["asked"]), (&json!("choose"), &json!("a")));
    client.call("apply", &json!({"who": "a", "move": "rock"}));
    for who in ["b", "spectator"] {
        let seen = [client.call("view", &json!({"who": who})), client.call("events", &json!({"who": who}))];
        for answer in seen {
            assert!(!answer.to_string().contains("rock"), "{who}: {answer}");
        }
    }
    assert!(client.call("view", &json!({"who": "referee"}))["position"].to_string().contains("rock"));
    client.call("apply", &json!({"who": "b", "move": "paper"}));
    let events = client.call("events", &json!({"who": "spectator"}));
    assert_eq!(events["events"].as_array().map(Vec::len), Some(3));
    assert!(events.to_string().contains("rock") && events.to_string().contains("paper"));
}

/// Every line sent gets one response with code, message and suggestion, and the server continues; every code can
/// occur.
#[test]
fn every_error_can_occur_and_nothing_stops_the_server() {
    let mut client = Client::begin(&["kalaha", "--max-line", "2000", "--max-games", "2", "--max-steps", "3"]);
    client.line();
    let rubbish: [&[u8]; 9] = [
        b"rubbish",
        b"[1, 2]",
        b"{\"id\": 1, \"method\": \"games\"",
        b"\xff\xfe",
        b"null",
        b"\"\\ud800\"",
        b"{}",
        b"{\"id\": 1e999, \"method\": \"games\"}",
        b"\0\0\0",
    ];
    let mut met: BTreeSet<String> = BTreeSet::new();
    let mut note = |response: &Value| {
        let error = &response["error"];
        for part in ["code", "message", "cure"] {
            assert!(error[part].as_str().is_some_and(|text| !text.is_empty()), "{response}");
        }
        met.insert(error["code"].as_str().unwrap_or("").to_owned());
    };
    for line in rubbish {
        note(&client.raw(line));
    }
    note(&client.raw("[".repeat(1500).as_bytes()));
    note(&client.raw(format!("{{\"id\": \"{}\"}}", "x".repeat(5000)).as_bytes()));
    note(&client.raw(&vec![b'x'; 300_000]));
    let long = json!({"id": 1, "method": "games", "params": {}}).to_string();
    assert!(client.raw(format!("{long}{}", " ".repeat(2000 - long.len())).as_bytes())["error"].is_null());
    let requests = [
        json!({"method": "games"}),
        json!({"id": 1, "method": "gmaes"}),
        json!({"id": 1, "method": "games", "parms": {}}),
        json!({"id": 1, "method": "new", "params": {"player": 2}}),
        json!({"id": 1, "method": "new", "params": {"players": "two"}}),
        json!({"id": 1, "method": "new", "params": {"players": -1}}),
        json!({"id": 1, "method": "new", "params": {"seed": 1.5}}),
        json!({"id": 1, "method": "new", "params": {"variants": "left_store"}}),
        json!({"id": 1, "method": "new", "params": {"options": {"fields": []}}}),
        json!({"id": 1, "method": "new", "params": {"chance": "nobody"}}),
        json!({"id": 1, "method": "new", "params": {"rules": "/etc/passwd"}}),
        json!({"id": 1, "method": "new", "params": {"players": 9}}),
        json!({"id": 1, "method": "new", "params": {"options": {"fields": 99}}}),
        json!({"id": 1, "method": "state"}),
        json!({"id": 1, "method": "load", "params": {"position": "kalaha 2 | mover=q"}}),
        json!({"id": 1, "method": "load", "params": {"record": "Record("}}),
        json!({"id": 1, "method": "load", "params": {"record": {"game": "kalaha", "digest": "", "steps": ["b1"]}}}),
        json!({"id": 1, "method": "load", "params": {}}),
    ];
    for request in requests {
        note(&client.raw(request.to_string().as_bytes()));
    }
    client.call("new", &json!({}));
    for (method, params) in [
        ("view", json!({})),
        ("view", json!({"who": "c"})),
        ("view", json!({"who": 3})),
        ("view", json!({"who": [], "game": 1})),
        ("view", json!({"who": "a", "game": 2})),
        ("undo", json!({"who": "a"})),
        ("undo", json!({"who": "referee"})),
        ("apply", json!({"who": "a"})),
        ("apply", json!({"who": "b", "move": "b1"})),
        ("apply", json!({"who": "spectator", "move": "a1"})),
        ("apply", json!({"who": "a", "move": "b1"})),
        ("apply", json!({"who": "a", "move": "a1", "time": 5})),
        ("why", json!({"who": "a", "move": "z9"})),
    ] {
        note(&client.raw(json!({"id": 1, "method": method, "params": params}).to_string().as_bytes()));
    }
    client.call("new", &json!({}));
    note(&client.raw(json!({"id": 1, "method": "new"}).to_string().as_bytes()));
    note(&client.raw(json!({"id": 1, "method": "state"}).to_string().as_bytes()));
    client.call("close", &json!({"game": 2}));
    for text in ["a3", "a1", "b1"] {
        client.call("apply", &json!({"who": "referee", "move": text}));
    }
    note(&client.raw(json!({"id": 1, "method": "apply", "params": {"who": "a", "move": "a4"}}).to_string().as_bytes()));
    assert_eq!(client.call("state", &json!({}))["state"]["steps"], json!(3));
    assert_eq!(client.end(), Some(0));
    let mut server = Server::new(&Disk, Selection::default(), Limits::default());
    note(&ask(&mut server, "new", &json!({"rules": "broken"})));
    note(&ask(&mut server, "new", &json!({})));
    let all: BTreeSet<String> = Code::ALL.iter().map(|code| code.text().to_owned()).collect();
    assert_eq!(met, all);
}

/// Misspelt names are answered with similar ones.
#[test]
fn misspelt_names_are_answered_with_similar_ones() {
    let mut server = Server::new(&Disk, Selection::default(), Limits::default());
    let mut cure = |line: &str| {
        let response: Value = serde_json::from_str(&server.answer(line).text).expect("JSON");
        response["error"]["cure"].as_str().unwrap_or("").to_owned()
    };
    assert_eq!(cure(r#"{"id": 1, "method": "appply"}"#), "did you mean `apply`?");
    assert_eq!(cure(r#"{"id": 1, "method": "new", "params": {"sede": 1}}"#), "did you mean `seed`?");
    assert_eq!(cure(r#"{"id": 1, "method": "new", "params": {"rules": "kalahari"}}"#), "did you mean `kalaha`?");
    assert_eq!(cure(r#"{"id": 1, "methd": "new"}"#), "did you mean `method`?");
}

/// Undo restores the position, chance outcomes included; playing the same way again draws the same outcomes.
#[test]
fn undo_includes_chance_outcomes() {
    let mut server = Server::new(&Disk, Selection::default(), Limits::default());
    let begun = ask(&mut server, "new", &json!({"rules": "twelve-points", "seed": 9}));
    let mut state = begun["result"]["state"].clone();
    let mut dice = Stream::new(4, "undo", 0);
    let mut drawn = 0;
    for _ in 0..40 {
        if state["over"] == json!(true) {
            break;
        }
        let before = ask(&mut server, "view", &json!({"who": "referee"}));
        let legal = ask(&mut server, "legal", &json!({"who": "referee"}));
        let moves = legal["result"]["moves"].as_array().expect("moves").clone();
        let request = json!({"who": "referee", "move": moves[dice.below(moves.len())]});
        let applied = ask(&mut server, "apply", &request);
        assert_eq!(applied["error"], Value::Null);
        let steps = |state: &Value| state["steps"].as_u64().unwrap_or(0);
        drawn += u64::from(steps(&applied["result"]["state"]) > steps(&state) + 1);
        let after = ask(&mut server, "view", &json!({"who": "referee"}));
        let undone = ask(&mut server, "undo", &json!({"who": "referee"}));
        assert_eq!(undone["result"]["undone"], applied["result"]["move"]);
        assert_eq!(ask(&mut server, "view", &json!({"who": "referee"})), before);
        state = ask(&mut server, "apply", &request)["result"]["state"].clone();
        assert_eq!(ask(&mut server, "view", &json!({"who": "referee"})), after);
    }
    assert!(drawn > 0, "no chance outcome was drawn");
}

/// The client may choose chance outcomes itself, but only as the referee.
#[test]
fn the_client_can_choose_chance_outcomes() {
    let mut server = Server::new(&Disk, Selection::default(), Limits::default());
    let select = json!({"rules": "kalaha", "readings": {"beginner": "by_lot"}, "chance": "client"});
    let begun = ask(&mut server, "new", &select);
    assert_eq!(begun["result"]["state"]["ask"], json!("chance"));
    assert_eq!(ask(&mut server, "apply", &json!({"who": "a", "move": "b"}))["error"]["code"], json!("not-asked"));
    assert_eq!(ask(&mut server, "legal", &json!({"who": "a"}))["result"]["count"], json!(0));
    assert_eq!(ask(&mut server, "legal", &json!({"who": "referee"}))["result"]["moves"], json!(["a", "b"]));
    let drawn = ask(&mut server, "apply", &json!({"who": "referee", "move": "b"}));
    assert_eq!(drawn["result"]["state"]["asked"], json!("b"));
    assert_eq!(ask(&mut server, "undo", &json!({"who": "referee"}))["result"]["undone"], json!("b"));
}

/// Acts of a race come with times; a seat that is too late is told so.
#[test]
fn races_are_decided_by_times() {
    let mut server = Server::new(&Disk, Selection::default(), Limits::default());
    ask(&mut server, "new", &json!({"rules": "halli-galli", "players": 3, "seed": 1}));
    let act = |server: &mut Server<'_>, who: &str, text: &str, time: u64| {
        ask(server, "apply", &json!({"who": who, "move": text, "time": time}))
    };
    let laid = act(&mut server, "s2", "lay", 400);
    assert_eq!(laid["result"]["state"]["now"], json!(400));
    assert_eq!(laid["result"]["move"], json!("s2 lay @400"));
    assert_eq!(act(&mut server, "s3", "s3 lay", 399)["error"]["why"]["reason"], json!("not-now"));
    assert_eq!(act(&mut server, "s3", "s1 ring", 500)["error"]["code"], json!("not-asked"));
    assert_eq!(act(&mut server, "s3", "s3 lay", 900)["result"]["state"]["now"], json!(900));
}

/// A long list comes in pages.
#[test]
fn lists_come_in_pages() {
    let mut server = Server::new(&Disk, Selection::default(), Limits::default());
    ask(&mut server, "new", &json!({"rules": "halma"}));
    let all = ask(&mut server, "legal", &json!({"who": "white"}))["result"].clone();
    let mut gathered = Vec::new();
    let mut from = json!(0);
    while !from.is_null() {
        let page = ask(&mut server, "legal", &json!({"who": 1, "from": from, "limit": 4}))["result"].clone();
        assert_eq!(page["count"], all["count"]);
        gathered.extend(page["moves"].as_array().expect("moves").clone());
        from = page["next"].clone();
    }
    assert_eq!(json!(gathered), all["moves"]);
    assert_eq!(json!(gathered.len()), all["count"]);
    assert_eq!(ask(&mut server, "legal", &json!({"who": "black"}))["result"]["count"], json!(0));
}

/// Rules loaded by path are named by that path.
#[test]
fn rules_on_disk_are_served() {
    let path = Path::new("tests/fixtures/tictactoe.rules");
    let mut client = Client::begin(&[&path.display().to_string()]);
    let greeting: Value = serde_json::from_str(&client.line()).expect("JSON");
    assert_eq!(greeting["rules"], json!(path.display().to_string()));
    let begun = client.call("new", &json!({}));
    let state = play_out(&mut client, &begun, 1);
    assert_eq!(state["outcome"]["ending"], json!("rule"));
    assert_eq!(client.call("new", &json!({"rules": "kalaha"}))["game"], json!(2));
    for params in [json!({}), json!({"rules": greeting["rules"]})] {
        assert_eq!(client.call("book", &params)["title"], json!("Tic-tac-toe"));
    }
}

/// A server with only bundled and written files, as for a page in a browser.
struct Shipped;

impl RuleSource for Shipped {
    fn names(&self) -> Vec<String> {
        Rules::bundled_names().into_iter().map(str::to_owned).collect()
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        regelwerk::serve::bundled(name, setup)
    }

    fn seed(&self) -> Result<Seed, Fault> {
        Ok(1.into())
    }
}

fn shipped() -> Server<'static> {
    Server::new(&Shipped, Selection::default(), Limits::default())
}

fn result(server: &mut Server<'_>, method: &str, params: &Value) -> Value {
    let response = ask(server, method, params);
    assert_eq!(response["error"], Value::Null, "{method} {params}");
    response["result"].clone()
}

fn code(server: &mut Server<'_>, method: &str, params: &Value) -> String {
    ask(server, method, params)["error"]["code"].as_str().unwrap_or("none").to_owned()
}

/// What is wrong with a request is said of what was sent.
#[test]
fn requests_are_refused_for_what_is_in_them() {
    let mut server = shipped();
    let fault = |server: &mut Server<'_>, params: &str, method: &str| {
        let line = format!("{{\"id\": 1, \"method\": \"{method}\", \"params\": {params}}}");
        let response: Value = serde_json::from_str(&server.answer(&line).text).expect("JSON");
        response["error"]["message"].as_str().unwrap_or("none").to_owned()
    };
    result(&mut server, "new", &json!({"rules": "kalaha"}));
    for (method, params, said) in [
        ("new", r#"{"rules": "kalaha", "players": 4294967298}"#, "cannot be played by 4294967298"),
        ("new", r#"{"rules": "kalaha", "options": {"fields": null}}"#, "`options.fields` is null"),
        ("new", r#"{"rules": "kalaha", "options": {"fields": 6, "fields": 3}}"#, "`fields` is given twice"),
        ("legal", r#"{"game": 1, "game": 1}"#, "`game` is given twice"),
        ("legal", r#"{"game": 1, "who": "referee", "limit": 0}"#, "cannot be 0"),
        ("events", r#"{"game": 1, "who": "referee", "limit": 0}"#, "cannot be 0"),
    ] {
        let found = fault(&mut server, params, method);
        assert!(found.contains(said), "{params}: {found}");
    }
    let simulated = result(&mut server, "simulate", &json!({"rules": "kalaha", "games": 1}));
    assert!(simulated["seats"][0]["title"].is_string(), "{simulated}");
}

/// The README's game, as a client would write it.
const CROSSES: &str = "game crosses \"Crosses\"
players x \"Cross\" symbol \"X\", o \"Nought\" symbol \"O\"
clause §1 \"A mark goes onto a free field.\"
clause §2 \"Three in a row win.\"
board square 3 x 3
piece mark \"Mark\" owned
action place \"place\" §1 {
  choose square in empty §1
  put own mark on square
}
play { turns { mover plays place } }
end line after move when line(own mark, 3) §2
{ win me }
";

#[test]
fn written_files_are_played_extended_and_deleted() {
    let mut server = shipped();
    assert_eq!(code(&mut server, "new", &json!({"rules": "mine.rules"})), "unknown-rules");
    result(&mut server, "write", &json!({"file": "mine.rules", "text": CROSSES}));
    let begun = result(&mut server, "new", &json!({"rules": "mine.rules"}));
    assert_eq!(begun["title"], json!("Crosses"));
    let legal = result(&mut server, "legal", &json!({"who": "x", "limit": 2, "parts": true}));
    let square = |text: &str| json!({"action": "place", "args": [{"name": "square", "type": "site", "text": text}]});
    assert_eq!(legal["parts"], json!([square("a1"), square("b1")]));
    assert_eq!(result(&mut server, "legal", &json!({"who": "x"}))["parts"], Value::Null);
    // Open games keep the rules they began with; new ones use the new text.
    result(&mut server, "write", &json!({"file": "mine.rules", "text": CROSSES.replace("3 x 3", "4 x 4")}));
    assert_eq!(result(&mut server, "legal", &json!({"who": "x", "game": 1}))["count"], json!(9));
    result(&mut server, "new", &json!({"rules": "mine.rules"}));
    assert_eq!(result(&mut server, "legal", &json!({"who": "x", "game": 2}))["count"], json!(16));
    let child = "game wide extends \"mine.rules\"\nreplace board square 5 x 4\n";
    result(&mut server, "write", &json!({"file": "child.rules", "text": child}));
    result(&mut server, "new", &json!({"rules": "child.rules"}));
    assert_eq!(result(&mut server, "legal", &json!({"who": "x", "game": 3}))["count"], json!(20));
    // A bundled file can be replaced, for files that extend it as well; its registry is still found.
    let halma = result(&mut server, "text", &json!({"file": "halma"}));
    assert_eq!((&halma["file"], &halma["written"]), (&json!("shipped:halma/halma.rules"), &json!(false)));
    let smaller = halma["text"].as_str().expect("a text").replace("size = 10", "size = 8");
    result(&mut server, "write", &json!({"file": "shipped:halma/halma.rules", "text": smaller}));
    let begun = result(&mut server, "new", &json!({"rules": "shipped:halma/halma.rules"}));
    assert_eq!(begun["settings"]["size"], json!("8"));
    assert_eq!(result(&mut server, "text", &json!({"file": "halma"}))["written"], json!(true));
    let begun = result(&mut server, "new", &json!({"rules": "halma"}));
    assert_eq!(begun["settings"]["size"], json!("8"));
    let child = "game small extends \"halma\"\n";
    result(&mut server, "write", &json!({"file": "child.rules", "text": child}));
    let begun = result(&mut server, "new", &json!({"rules": "child.rules"}));
    assert_eq!(begun["settings"]["size"], json!("8"));
    result(&mut server, "write", &json!({"file": "mine.rules"}));
    assert_eq!(code(&mut server, "new", &json!({"rules": "mine.rules"})), "unknown-rules");
    let half = "x".repeat(Limits::default().line / 2 - 2000);
    assert_eq!(code(&mut server, "write", &json!({"file": "a", "text": half})), "none");
    assert_eq!(code(&mut server, "write", &json!({"file": "b", "text": half})), "limit", "halma is written, too");
    result(&mut server, "write", &json!({"file": "shipped:halma/halma.rules"}));
    assert_eq!(code(&mut server, "write", &json!({"file": "b", "text": half})), "none");
    assert_eq!(code(&mut server, "write", &json!({"file": "b", "text": half})), "none", "again in its place");
    assert_eq!(code(&mut server, "write", &json!({"file": "c", "text": "x".repeat(5000)})), "limit");
    assert_eq!(code(&mut server, "write", &json!({"file": " ", "text": "a"})), "missing-field");
}

#[test]
fn editors_are_answered_about_written_files() {
    let mut server = shipped();
    let text = CROSSES.replace("own mark, 3", "own mrak, 3");
    result(&mut server, "write", &json!({"file": "mine.rules", "text": text}));
    let found = result(&mut server, "check", &json!({"file": "mine.rules"}));
    assert_eq!((&found["errors"], &found["list"][0]["line"]), (&json!(1), &json!(12)));
    let fix = &found["list"][0]["fix"];
    assert_eq!(fix["text"], json!("mark"));
    assert_eq!(fix["offset"], json!(text.find("mrak")));
    assert_eq!(code(&mut server, "new", &json!({"rules": "mine.rules"})), "bad-rules");
    result(&mut server, "write", &json!({"file": "mine.rules", "text": CROSSES}));
    assert_eq!(result(&mut server, "check", &json!({"file": "mine.rules"}))["list"], json!([]));

    let at = |what: &str| CROSSES.find(what).expect("it stands there") as u64;
    let clause = at("§2\n{ win") + 2;
    let hover = result(&mut server, "hover", &json!({"file": "mine.rules", "at": clause}));
    assert!(hover["text"].as_str().is_some_and(|text| text.contains("Three in a row win.")), "{hover}");
    assert_eq!((&hover["offset"], &hover["length"]), (&json!(clause - 2), &json!("§2".len())));
    let place =
        result(&mut server, "definition", &json!({"file": "mine.rules", "at": at("square\n}")}))["place"].clone();
    let declared = at("square in empty");
    assert_eq!(place, json!({"file": "mine.rules", "offset": declared, "length": 6}));
    let offered = result(&mut server, "complete", &json!({"file": "mine.rules", "at": at("mark, 3")}));
    let names: Vec<&str> =
        offered["list"].as_array().expect("a list").iter().filter_map(|one| one["text"].as_str()).collect();
    assert!(names.contains(&"mark"), "{names:?}");
    assert_eq!((&offered["offset"], &offered["length"]), (&json!(at("mark, 3")), &json!(4)));
    let renamed =
        result(&mut server, "rename", &json!({"file": "mine.rules", "at": at("mark \"Mark\""), "name": "sign"}));
    let places: Vec<u64> = CROSSES
        .match_indices("mark")
        .filter(|(at, _)| !CROSSES[..*at].ends_with("A "))
        .map(|(at, _)| at as u64)
        .collect();
    let told: Vec<u64> =
        renamed["places"].as_array().expect("places").iter().filter_map(|one| one["offset"].as_u64()).collect();
    assert_eq!(told, places);
    assert_eq!(
        code(&mut server, "rename", &json!({"file": "mine.rules", "at": at("mark \"Mark\""), "name": "in"})),
        "bad-value"
    );
    assert_eq!(code(&mut server, "hover", &json!({"file": "mine.rules", "at": clause - 1})), "bad-value", "inside §");
    assert_eq!(code(&mut server, "hover", &json!({"file": "mine.rules", "at": 1_000_000})), "bad-value");
    assert_eq!(code(&mut server, "hover", &json!({"file": "/etc/passwd", "at": 0})), "unknown-rules");
    let laid = result(&mut server, "format", &json!({"file": "mine.rules"}));
    let again = laid["text"].as_str().expect("it can be parsed").to_owned();
    result(&mut server, "write", &json!({"file": "mine.rules", "text": again}));
    assert_eq!(result(&mut server, "format", &json!({"file": "mine.rules"}))["text"], laid["text"]);
}

/// Components have the same names as in views; pictures have a group for every site.
#[test]
fn components_and_pictures_match_views() {
    for game in GAMES {
        let mut server = shipped();
        result(&mut server, "new", &json!({"rules": game, "seed": 3}));
        let parts = result(&mut server, "components", &json!({}));
        let view = result(&mut server, "view", &json!({"who": "referee"}));
        let names = |value: &Value| -> BTreeSet<String> { value.as_object().expect("names").keys().cloned().collect() };
        assert_eq!(names(&parts["zones"]), names(&view["zones"]), "{game}");
        let svg = result(&mut server, "picture", &json!({"who": "referee"}))["svg"].clone();
        let svg = svg.as_str().expect("a text");
        let sites = parts["sites"].as_array().expect("sites");
        assert_eq!(svg.is_empty(), sites.is_empty(), "{game}");
        for site in sites {
            let name = site["name"].as_str().expect("a name");
            assert!(svg.contains(&format!("data-site=\"{name}\"")), "{game} {name}");
        }
        for piece in
            view["zones"].as_object().expect("zones").values().flat_map(|list| list.as_array().expect("a list"))
        {
            let kind = piece.as_str().expect("a text").split(['.', '{']).next().unwrap_or("").to_owned();
            assert!(parts["kinds"].as_array().expect("kinds").iter().any(|one| one["name"] == json!(kind)), "{piece}");
        }
    }
}

/// Earlier positions are shown as they were seen then, and hide as much as the present one.
#[test]
fn earlier_positions_are_shown_as_they_were() {
    let mut server = shipped();
    result(&mut server, "new", &json!({"rules": "hai-noon", "players": 3, "seed": 8}));
    let mut seen = Vec::new();
    for _ in 0..12 {
        let state = result(&mut server, "state", &json!({}))["state"].clone();
        seen.push((state["steps"].clone(), result(&mut server, "view", &json!({"who": "p2"}))));
        let mv = result(&mut server, "choose", &json!({"who": state["asked"], "bot": "random"}))["move"].clone();
        result(&mut server, "apply", &json!({"who": state["asked"], "move": mv}));
    }
    for (step, then) in seen {
        let now = result(&mut server, "view", &json!({"who": "p2", "step": step}));
        for part in ["board", "pieces", "zones", "variables", "position"] {
            assert_eq!(now[part], then[part], "{part} before step {step}");
        }
    }
    let hand = result(&mut server, "view", &json!({"who": "p2", "step": 40}))["zones"]["hand(p1)"].clone();
    assert!(
        hand.as_array().is_some_and(|cards| cards.iter().all(|card| card.as_str().is_some_and(|c| c.starts_with('?'))))
    );
    assert_eq!(code(&mut server, "view", &json!({"who": "p2", "step": 100_000})), "bad-value");
}

/// Bots play every game to its end with `choose`, in races at the times it gives.
#[test]
fn bots_choose_what_is_legal() {
    for game in ["kalaha", "hai-noon", "halli-galli"] {
        let mut server = shipped();
        let begun = result(&mut server, "new", &json!({"rules": game, "seed": 2}));
        let mut state = begun["state"].clone();
        for _ in 0..60 {
            if state["over"] == json!(true) {
                break;
            }
            let (who, mv) = if let Some(seat) = state["asked"].as_str() {
                let found = result(&mut server, "choose", &json!({"who": seat, "bot": "mcts:5"}));
                (json!(seat), found["move"].clone())
            } else {
                let seats = begun["seats"].as_array().expect("seats").iter().map(|seat| seat["name"].clone());
                let acts = seats.map(|seat| {
                    let act = result(&mut server, "choose", &json!({"who": seat, "bot": "random"}));
                    (act["time"].as_u64(), seat, act["move"].clone())
                });
                let first = acts.filter(|(time, ..)| time.is_some()).min_by_key(|(time, ..)| *time);
                let Some((time, seat, mv)) = first else { break };
                assert!(time > state["now"].as_u64());
                (seat, mv)
            };
            state = result(&mut server, "apply", &json!({"who": who, "move": mv}))["state"].clone();
        }
        assert!(state["steps"].as_u64() > begun["state"]["steps"].as_u64().map(|steps| steps + 10), "{game}");
    }
    let mut server = shipped();
    result(&mut server, "new", &json!({"rules": "kalaha"}));
    assert_eq!(code(&mut server, "choose", &json!({"who": "b", "bot": "random"})), "not-asked");
    assert_eq!(code(&mut server, "choose", &json!({"who": "referee", "bot": "random"})), "not-asked");
    assert_eq!(code(&mut server, "choose", &json!({"who": "a", "bot": "mcts:1s"})), "bad-value");
    assert_eq!(code(&mut server, "choose", &json!({"who": "a"})), "missing-field");
}

/// Portions add up to the whole, and to the library's result.
#[test]
fn simulations_continue_where_they_stopped() {
    let mut server = shipped();
    let whole = result(&mut server, "simulate", &json!({"rules": "kalaha", "seed": 4, "games": 60}));
    let begun = result(&mut server, "simulate", &json!({"rules": "kalaha", "seed": 4, "games": 17}));
    assert_eq!((&begun["simulation"], &begun["games"]), (&json!(2), &json!(17)));
    let rest = result(&mut server, "simulate", &json!({"simulation": 2, "games": 43}));
    for figure in ["games", "plies", "turns", "branching", "lengths", "seats", "draws", "capped"] {
        assert_eq!(rest[figure], whole[figure], "{figure}");
    }
    let figures = Rules::bundled("kalaha").expect("it is bundled").simulate(60).seed(4).run();
    assert_eq!(whole["plies"]["mean"]["value"], json!(figures.lengths().mean.value));
    assert_eq!(whole["seats"][0]["win"]["count"], json!(figures.seats()[0].win.count));
    let counted: u64 = whole["lengths"].as_array().expect("pairs").iter().filter_map(|pair| pair[1].as_u64()).sum();
    assert_eq!(counted, 60);
    let against = json!({"rules": "kalaha", "seed": 4, "games": 30, "against": {"options": {"seeds": 3}}});
    let pairs = result(&mut server, "simulate", &against);
    let plies = &pairs["differences"][0];
    assert_eq!((&plies["figure"], &pairs["games"]), (&json!("plies"), &json!(30)));
    let (first, second) = (plies["first"].as_f64().expect("a mean"), plies["second"].as_f64().expect("a mean"));
    assert!((plies["difference"]["value"].as_f64().expect("a number") - (first - second)).abs() < 1e-9);
    assert_eq!(code(&mut server, "simulate", &json!({"simulation": 9})), "bad-value");
    assert_eq!(code(&mut server, "simulate", &json!({"rules": "kalaha", "against": {"players": 3}})), "bad-selection");
    assert_eq!(code(&mut server, "simulate", &json!({"rules": "kalaha", "against": {"player": 3}})), "unknown-field");
}

/// What people are told about a game is in the language it was opened in.
#[test]
fn games_are_told_in_their_language() {
    let mut server = shipped();
    let mut told = |more: Value| -> [String; 3] {
        let mut params = json!({"rules": "kalaha", "seed": 1});
        params.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
        let game = result(&mut server, "new", &params)["game"].clone();
        let view = result(&mut server, "view", &json!({"game": game, "who": "a"}));
        let why = result(&mut server, "why", &json!({"game": game, "who": "a", "move": "a1"}));
        [&view["prompt"], &why["text"], &why["clauses"]["ablauf/2a"]]
            .map(|text| text.as_str().expect("a text").to_owned())
    };
    let [prompt, why, clause] = told(json!({}));
    assert_eq!([prompt.as_str(), clause.as_str()], ["A to move.", "Choose one of one's own non-empty fields."]);
    assert!(why.starts_with("`a1` is legal."), "{why}");
    let [prompt, why, clause] = told(json!({"language": "de"}));
    assert_eq!(prompt, "A ist am Zug.");
    assert_eq!(clause, "Wer am Zug ist, wählt ein eigenes Feld, das nicht leer ist.");
    assert!(why.starts_with("`a1` ist erlaubt.") && why.contains(&clause), "{why}");
    assert_eq!(code(&mut server, "new", &json!({"rules": "kalaha", "language": "fr"})), "bad-value");
}

#[test]
fn rulebooks_are_written_in_both_languages() {
    let mut server = shipped();
    let page = |server: &mut Server<'_>, params: &Value| -> String {
        result(server, "book", params)["html"].as_str().expect("a page").to_owned()
    };
    let english = page(&mut server, &json!({"rules": "halma"}));
    assert!(english.contains("lang=\"en\"") && english.contains("one of his own stones"));
    let german = page(&mut server, &json!({"rules": "halma", "language": "de"}));
    assert!(german.contains("lang=\"de\"") && german != english);
    result(&mut server, "write", &json!({"file": "mine.rules", "text": CROSSES}));
    assert!(page(&mut server, &json!({"rules": "mine.rules"})).contains("Three in a row win."));
    assert_eq!(code(&mut server, "book", &json!({"rules": "halma", "language": "fr"})), "bad-value");
}

/// An outcome among very many counts for more: some hundreds of them are refused, some dozens are not.
#[test]
fn chance_among_very_many_outcomes_is_refused_early() {
    let mut server = shipped();
    let mut applied = |rolls: u32| {
        let text = format!(
            "game g\nplayers a, b\nvar n: int\naction go {{ choose k in 1..2 repeat {rolls} {{ roll d in 1..90000 n := d }} }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}\n"
        );
        result(&mut server, "write", &json!({"file": "mine.rules", "text": text}));
        let game = result(&mut server, "new", &json!({"rules": "mine.rules", "seed": 1}))["game"].clone();
        result(&mut server, "apply", &json!({"game": game, "who": "a", "move": "1"}))["stopped"]["code"].clone()
    };
    assert_eq!([applied(30), applied(300)], [Value::Null, json!("limit")]);
}

/// A position from which chance decides for ever is refused after as many outcomes as a random game waits for, be the room
/// for steps however large.
#[test]
fn chance_that_decides_for_ever_is_refused_early() {
    let mut client = Client::begin(&[]);
    client.line();
    let position = "backgammon 2 | mover=white | ply=1 | dice={6} | times=1";
    let request = json!({"id": 1, "method": "load", "params": {"rules": "backgammon", "position": position}});
    let answer = client.raw(request.to_string().as_bytes());
    assert_eq!(
        answer["error"]["message"],
        json!("chance has decided 10000 times in a row, or among very many outcomes"),
        "{answer}"
    );
    assert_eq!(client.end(), Some(0));
}
