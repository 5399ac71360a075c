//! What a twenty-third attack found and was mended after it, and what a twenty-fourth found.

use regelwerk::conformance::{Interpreters, load_cases, run_case};
use regelwerk::engine::Fast;
use regelwerk::ir::{SeatId, Value};
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::model::{Ask, Engine, Position, Viewer};
use regelwerk::play::{Stream, Who};
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server, bundled};
use regelwerk::{Rules, serve};
use serde_json::{Value as Json, json};

use crate::support::{played, reports};

/// The only legal move, played again and again on both interpreters: after each question of a game, who was asked, and the
/// values of a variable.
fn course(text: &str, variable: &str, moves: usize) -> Vec<(usize, i64)> {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    let game = loaded.game.expect("a game");
    let number = game.vars.iter().position(|var| var.name == variable).expect("a variable");
    let engines: [&dyn Engine; 2] = [&Walker::new(game.clone()), &Fast::new(game)];
    let [plain, fast] = engines.map(|engine| {
        let seen = |position: &Position| {
            let Ask::Choose { seat, .. } = position.ask else { panic!("a question to a seat") };
            let Value::Int(value) = position.vars[number][0] else { panic!("a number") };
            (usize::from(seat), value)
        };
        let mut position = engine.start();
        let mut found = vec![seen(&position)];
        for _ in 1..moves {
            let legal = engine.legal(&position);
            assert_eq!(legal.len(), 1, "{text}");
            position = engine.play(&position, &legal[0]).expect("a legal move");
            found.push(seen(&position));
        }
        found
    });
    assert_eq!(plain, fast, "{text}");
    fast
}

/// A statement that looks at earlier positions is on the way to the question that it looks at, as if no position were a
/// repetition: worked out by hand.
#[test]
fn a_statement_that_looks_is_on_the_way() {
    // The branch for what is new asks b. With x = 0, 2, 1 that is new; after six plies x is 0 again.
    let asks = "game g\nplayers a, b\nvar x: int\nrecord z: int\naction go { z += 1 }\n\
        play { turns { x := ply mod 3  if occurrences >= 2 { a plays go } else { b plays go }  x := 0  a plays go  again } }";
    let asked: Vec<usize> = course(asks, "x", 15).into_iter().step_by(2).map(|(seat, _)| seat).collect();
    assert_eq!(asked, [1, 1, 1, 0, 0, 0, 0, 0]);
    // The branch for what is new counts x up to 1, 2, 0; then 1 would come again, and x stays.
    let counts = "game g\nplayers a, b\nvar x: int\nrecord z: int\n\
        play { turns { if occurrences >= 2 { z := 1 } else { x := (x + 1) mod 3  z := 2 }  a plays pass  again } }";
    let found: Vec<i64> = course(counts, "x", 6).into_iter().map(|(_, x)| x).collect();
    assert_eq!(found, [1, 2, 0, 0, 0, 0]);
    // The same in the effects of a move, and of a part of the position.
    let within = "game g\nplayers a, b\nvar x: int\nrecord z: int\n\
        action go { if occurrences of x >= 2 { z := 1 } else { x := (x + 1) mod 3  z := 2 } }\n\
        play { turns { a plays go  again } }";
    // x is 0 when first asked; 1 and 2 are new, and 0 would be the second time.
    let found: Vec<i64> = course(within, "x", 6).into_iter().map(|(_, x)| x).collect();
    assert_eq!(found, [0, 1, 2, 2, 2, 2]);
    // A loop is left once the question behind it is new.
    let loops = "game g\nplayers a, b\nvar x: int\n\
        play { turns { x := 0  while occurrences >= 2 { x += 1 }  a plays pass  again } }";
    let found: Vec<i64> = course(loops, "x", 5).into_iter().map(|(_, x)| x).collect();
    assert_eq!(found, [0, 1, 2, 3, 4]);
    // Who is asked where nothing were a repetition is b, whose position is new once.
    let seats = "game g\nplayers a, b\nrecord z: int\n\
        play { turns { (if occurrences < 2 then b else a) plays pass  again } }";
    let found: Vec<usize> = course(seats, "z", 4).into_iter().map(|(seat, _)| seat).collect();
    assert_eq!(found, [1, 0, 0, 0]);
}

struct Bundled;

impl serve::RuleSource for Bundled {
    fn names(&self) -> Vec<String> {
        vec!["tic-tac-toe".to_owned()]
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, serve::Fault> {
        bundled(name, setup)
    }

    fn seed(&self) -> Result<regelwerk::play::Seed, serve::Fault> {
        Ok(1_u64.into())
    }
}

fn ask(server: &mut Server<'_>, method: &str, params: &Json) -> Json {
    let line = json!({"id": 1, "method": method, "params": params}).to_string();
    serde_json::from_str(&server.answer(&line).text).expect("JSON")
}

/// The rules of open games count in what a server may keep: those of one setup once, what a file offers once for all its
/// setups.
#[test]
fn the_rules_of_open_games_count() {
    let open = |text: &str, bytes: usize| {
        let mut server = Server::new(&Bundled, Selection::default(), Limits { bytes, ..Limits::default() });
        assert!(ask(&mut server, "write", &json!({"file": "g.rules", "text": text}))["error"].is_null());
        let mut new = |setting: u32| {
            ask(&mut server, "new", &json!({"rules": "g.rules", "seed": 1, "options": {"o": setting}}))["error"].clone()
        };
        let same = (0..30).map(|_| new(1)).take_while(Json::is_null).count();
        let others: Vec<Json> = (2..32).map(new).collect();
        let opened = others.iter().filter(|error| error.is_null()).count();
        let refused = others.into_iter().find(|error| !error.is_null());
        let closed =
            (1..=same + opened).all(|game| ask(&mut server, "close", &json!({"game": game}))["error"].is_null());
        assert!(closed);
        let again = ask(&mut server, "new", &json!({"rules": "g.rules", "seed": 1, "options": {"o": 40}}));
        assert!(again["error"].is_null(), "{again}");
        (same, opened, refused)
    };
    let rest = "play { turns { mover plays pass } }\nend e after move when ply > o { draw }";
    let values = format!("game g\nplayers a, b\noption o = 1 from 1..100000\n{rest}");
    let (same, opened, refused) = open(&values, 16 << 20);
    assert_eq!((same, opened), (30, 30), "{refused:?}");
    // A set of 1024 sites for each of 1024 sites: 128 KiB, and as much once it is lowered, beside the board itself.
    let tables = format!(
        "game g\nplayers a, b\nboard square 32 x 32\noption o = 1 from 1..100\nregion r(s: site) = sites - s\n{rest}"
    );
    let (same, opened, refused) = open(&tables, 8 << 20);
    assert_eq!(same, 30);
    assert!((4..20).contains(&opened), "{opened}");
    let refused = refused.expect("no room");
    assert_eq!(refused["code"], "limit", "{refused}");
    assert!(refused["cure"].as_str().is_some_and(|cure| cure.contains("--max-bytes")), "{refused}");
}

/// What was chosen at once is told once it is carried out, though it is a claim by which there is nobody left to choose.
#[test]
fn choices_are_told_after_a_claim() {
    let game = |effect: &str, sight: &str| {
        format!(
            "game t\nplayers x, y, z\nrecord n(p: seat): int\npiece card {{ rank: int }}\nzone hand(p: seat): set of card, seen by p\n\
             zone heap: row of card\nsetup {{ for p in seats {{ put card with rank = 1 on hand(p)  put card with rank = 2 on hand(p) }} }}\n\
             action lay {{ choose c in hand(me){sight} choose v in 1..3  move c from hand(me) to heap  n(me) := v }}\n\
             claim leave by any seat {{ {effect} }}\nplay {{ turns {{ together seats play lay }} }}\n\
             end e after turn when turn > 3 {{ draw }}"
        )
    };
    let told = |rules: &str, steps: &[&str], who: Viewer| {
        let loaded = load("t.rules", rules, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{rules}\n{}", reports(&loaded));
        let fast = Fast::new(loaded.game.expect("a game"));
        let game = played(&fast, Stream::new(1, "t", 0), steps);
        let events = game.door(Who::Viewer(who)).events(steps.len() - 1, steps.len()).open();
        events.iter().map(|event| format!("{:?} {}", event.seat.map(usize::from), event.deed)).collect::<Vec<_>>()
    };
    let steps = ["card{rank=1} 2", "card{rank=2} 3", "claim leave by z"];
    let claim = "Some(2) claim leave";
    // The heap is open: who lays a card there shows it.
    for who in [Viewer::Seat(SeatId::FIRST), Viewer::Spectator] {
        let all = [claim, "Some(0) card{rank=1}-2", "Some(1) card{rank=2}-3"];
        assert_eq!(told(&game("eliminate me", ""), &steps, who), all);
    }
    // A seat that only says something while others have still to choose releases nothing, nor does the end of the game.
    assert_eq!(told(&game("n(me) := 0", ""), &steps, Viewer::Spectator), [claim]);
    assert_eq!(told(&game("draw", ""), &steps, Viewer::Spectator), [claim]);
    // What somebody chose before it left is carried out as well.
    let left = ["card{rank=1} 2", "card{rank=2} 3", "claim leave by y", "card{rank=1} 1"];
    let all = ["Some(0) card{rank=1}-2", "Some(1) card{rank=2}-3", "Some(2) card{rank=1}-1"];
    assert_eq!(told(&game("eliminate me", ""), &left, Viewer::Spectator), all);
    // The first that is carried out ends the game.
    let ends = game("eliminate me", "").replace("n(me) := v }", "n(me) := v  draw }");
    let ended = [claim, "Some(0) card{rank=1}-2"];
    assert_eq!(told(&ends, &steps, Viewer::Spectator), ended);
}

/// A step that is refused with no clause is no claim that is accepted.
#[test]
fn a_claim_that_stands_is_not_illegal() {
    let rules = "game g\nplayers a, b\nrecord x: int\naction go { x := 1 }\nclaim late { require ply > 0  x := 2 }\n\
         offer rest { draw }\nplay { turns { mover plays go } }\nend e after move when ply > 3 { draw }\nclause §1 \"One.\"\n";
    let passes = |steps: &str| {
        let cases =
            format!("Cases(game: \"g.rules\", cases: [Case(clauses: [\"1\"], name: \"all\", steps: [{steps}])])");
        let cases = load_cases(&cases).expect("cases");
        run_case(&cases.cases[0], &RuleFile::read("g.rules", rules, &NoFiles), Interpreters::Both).passed()
    };
    assert!(passes("Illegal(\"claim late\", []), Illegal(\"claim none\", []), Illegal(\"stay\", [])"));
    assert!(!passes("Play([\"go\"]), Illegal(\"claim late\", [])"));
    assert!(!passes("Illegal(\"offer rest\", [])"));
}
