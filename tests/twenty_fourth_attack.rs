//! What a twenty-third attack found and was mended after it, and what a twenty-fourth found.

use regelwerk::conformance::{Interpreters, Stage, load_cases, run_case};
use regelwerk::editor::{Analysis, rename};
use regelwerk::engine::Fast;
use regelwerk::ir::{SeatId, Value};
use regelwerk::load::{Asked, NoFiles, RuleFile, Setup, load};
use regelwerk::model::{Ask, Ending, Engine, Meter, Position, Viewer};
use regelwerk::notation::{parse_position, print_move};
use regelwerk::play::{Stream, Who};
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server, bundled};
use regelwerk::{Rules, serve};
use serde_json::{Value as Json, json};

use crate::support::{on_both, played, print_position, reports};

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

/// The exact name goes before one in other letters: what is printed is read back as the same position.
#[test]
fn names_that_differ_in_letters_alone_are_told_apart() {
    let rules = "game c\nplayers a, b\nboard graph { Egg1 - b2 - c3 }\npiece Nest\npiece egg1\ntokens Seed\nzone nest: pile of Nest\n\
         zone seed: pile of egg1\nsetup { put Nest on b2  put Nest on nest  put egg1 on seed  put 2 Seed on c3 }\n\
         action go { choose f in Nest choose t in around(f) & empty  move f to t }\nplay { turns { mover plays go } }\n\
         end e after move when ply > 3 { draw }";
    let loaded = load("c.rules", rules, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let fast = Fast::new(loaded.game.expect("a game"));
    let mut position = fast.start();
    for _ in 0..2 {
        let printed = print_position(&fast, &position);
        assert_eq!(parse_position(&fast, &printed).as_ref(), Ok(&position), "{printed}");
        position = fast.play(&position, &fast.legal(&position)[0]).expect("a legal move");
    }
    // One of the kind `Nest` on the site, not one of the zone `nest`.
    let read = parse_position(&fast, "c 2 | mover=a | Nest: Egg1").expect("a position");
    assert!(print_position(&fast, &read).contains("| Nest: Egg1"), "{}", print_position(&fast, &read));
}

/// What cases and measures ask of the rules is numbered after them: the text of a position means the same.
#[test]
fn what_is_asked_does_not_change_what_positions_mean() {
    let rules = "game t\nplayers x, o\nboard square 3 x 1\npiece m owned\nrecord z: int\nclause §1 \"One.\"\nclause §2 \"Two.\"\n\
         define far = count(own m) >= 2\naction place { choose n in 1..2 choose f in empty  put own m on f  z := n } §1\n\
         play { turns { for d in 1..2 { mover plays place  z := d } } }\nend both after turn when far §2 { win me §2 }\n\
         end third after move when occurrences of mover > 8 { draw }";
    let file = RuleFile::read("t.rules", rules, &NoFiles);
    let passes = |steps: &str, given: Option<&str>| {
        let given = given.map_or(String::new(), |text| format!("given: Position(\"{text}\"), "));
        let first = format!("Case(clauses: [\"1\"], name: \"all\", {given}steps: [{steps}])");
        // Another case of the same setup asks what the rules do not.
        let second =
            "Case(clauses: [\"1\"], name: \"more\", steps: [Fails([\"any d in seats: occurrences of z > 3\"])])";
        let cases = load_cases(&format!("Cases(game: \"t.rules\", cases: [{first}, {second}])")).expect("cases");
        let stage = Stage::new(&[&cases.cases[0], &cases.cases[1]], &file, Interpreters::Both).expect("a stage");
        cases
            .cases
            .iter()
            .flat_map(|case| stage.run(case).failures)
            .map(|failure| format!("{failure:?}"))
            .collect::<Vec<String>>()
    };
    let plain = Fast::new(file.load(&Setup::default()).game.expect("a game"));
    let mut game = played(&plain, Stream::new(1, "t", 0), &["1-a1"]);
    let within = print_position(&plain, game.position());
    assert!(within.contains("local.") && within.contains("history="), "{within}");
    assert_eq!(passes("Play([\"2-b1\"]), Won([\"x\"], [\"2\"])", Some(&within)), Vec::<String>::new());
    let step = game.door(Who::Referee).read("2-b1").expect("a move");
    game.play(step).expect("a legal move");
    let over = print_position(&plain, game.position());
    assert!(over.contains("result="), "{over}");
    // What says its own end is read as well, but shows nothing.
    let refused = passes("Won([\"x\"], [\"2\"])", Some(&over));
    assert!(matches!(refused.as_slice(), [why] if why.contains("played to its end")), "{refused:?}");
    // The same with a measure.
    let asked = Asked {
        name: "m".to_owned(),
        text: "if any d in seats: occurrences of z > 3 then 1 else 0".to_owned(),
        by_turn: false,
    };
    let measured = Fast::new(file.measuring(&[asked]).load(&Setup::default()).game.expect("a game"));
    for text in [&within, &over] {
        let read = parse_position(&measured, text).expect("a position");
        let meant = parse_position(&plain, text).expect("a position");
        assert_eq!((&read.outcome, &read.locals[..meant.locals.len()]), (&meant.outcome, &meant.locals[..]), "{text}");
    }
    let cut = within.replace("history=", "history=1/2/3/4 ");
    assert!(parse_position(&plain, &cut).is_err() && parse_position(&measured, &cut).is_err(), "{cut}");
}

/// What leads back is worked out once for a board, however often it is asked for.
#[test]
fn opposites_are_known() {
    let rules = "game o\nplayers a, b\nboard square 64 x 64\nvar n: int\nsetup { repeat 20000 { if opposite(directions) == directions { n += 1 } } }\n\
         action go { n += 1 }\nplay { turns { mover plays go } }\nend e after move when ply > 3 { draw }";
    let (position, _) = on_both(rules, &[]);
    assert!(position.contains("n=20000"), "{position}");
}

/// Guards on the position after a move see what its head names, whatever its effects look at.
#[test]
fn guards_see_the_head_behind_effects_that_look_back() {
    for effects in [
        "d := occurrences  again",
        "again  d := occurrences",
        "if repeats(0) { d := 1 }  give turn to b",
        "d := occurrences of d  again  let e = 3  d := e",
    ] {
        let rules = format!(
            "game g\nplayers a, b\nboard graph {{ s1 - s2 - s3 - s4 }}\npiece m owned\nrecord d: int\n\
             action lay {{ choose f in empty  {effects}  ensure f == s1 }}\nplay {{ turns {{ mover plays lay else pass }} }}\n\
             end e after move when ply > 5 {{ draw }}"
        );
        let loaded = load("g.rules", &rules, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{rules}\n{}", reports(&loaded));
        let fast = Fast::new(loaded.game.expect("a game"));
        for engine in [&fast as &dyn Engine, fast.reference()] {
            let start = engine.start();
            let legal: Vec<String> =
                engine.legal(&start).iter().map(|mv| print_move(engine.game(), &start, mv)).collect();
            assert_eq!(legal, ["s1"], "{rules}");
        }
    }
}

/// A claim after which the same seat is asked makes a position of its own, which counts, if it changes what counts.
#[test]
fn a_claim_makes_a_position() {
    let rules = "game c\nplayers x, y\nvar q: int\nrecord z: int\nrecord n: int\naction tick { z += 1 }\n\
         claim mark by any seat { q := 1 - q }\nclaim look by any seat { n := occurrences }\nclaim rest by any seat { z := 0 }\n\
         play { turns { mover plays tick } }\nend e after move when ply > 20 { draw }";
    for (steps, count) in [
        ("claim look by x", 1),
        ("tick|tick|claim look by x", 2),
        // The position after the claim, and the same two plies later.
        ("claim mark by x|claim look by x", 1),
        ("claim mark by x|tick|tick|claim look by x", 2),
        ("claim mark by x|tick|tick|tick|tick|claim look by x", 3),
        // Once more as at the start: before the claim, and after the second.
        ("claim mark by x|claim mark by x|claim look by x", 2),
        // A record does not count.
        ("claim rest by x|tick|tick|claim look by x", 2),
        ("claim rest by x|claim rest by x|claim look by x", 1),
    ] {
        let (position, _) = on_both(rules, &steps.split('|').collect::<Vec<_>>());
        assert!(
            position.contains(&format!("| n={count} ")) || position.ends_with(&format!("| n={count}")),
            "{steps}: {position}"
        );
    }
}

/// Whom a choice is shown to is said by the position in which it was made, not by that in which the last is made.
#[test]
fn who_sees_a_choice_is_settled_when_it_is_made() {
    let rules = "game w\nplayers a, b, c\nenum val = one, two\nvar open: bool\nrecord s(p: seat): val = one seen by p\n\
         action hide { choose x in val seen by (if open then seats else {me})  s(me) := x }\n\
         claim lay_open by any seat { open := true }\nclaim out by any seat { eliminate me }\n\
         play { turns { together playing play hide } }\nend e after turn when turn > 3 { draw }";
    let loaded = load("w.rules", rules, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let fast = Fast::new(loaded.game.expect("a game"));
    for last in ["one", "claim out by c"] {
        let steps = ["one", "claim lay_open by b", "two", last];
        let game = played(&fast, Stream::new(1, "w", 0), &steps);
        let events = game.door(Who::Viewer(Viewer::Spectator)).events(3, 4).open();
        let told: Vec<String> = events.iter().map(|event| event.deed.to_string()).collect();
        assert!(told.contains(&"hide ?".to_owned()) && told.contains(&"two".to_owned()), "{last}: {told:?}");
    }
}

/// A condition of a case is one expression, and a report on it says which.
#[test]
fn conditions_are_single_expressions() {
    let rules = "game g\nplayers a, b\nrecord x: int\naction go { x := 1 }\nplay { turns { mover plays go } }\n\
         end e after move when ply > 3 { draw }\nclause §1 \"One.\"\n";
    let failures = |condition: &str| {
        let step = format!("Holds([\"ply == 0\", {condition:?}])");
        let cases =
            format!("Cases(game: \"g.rules\", cases: [Case(clauses: [\"1\"], name: \"all\", steps: [{step}])])");
        let cases = load_cases(&cases).expect("cases");
        let outcome = run_case(&cases.cases[0], &RuleFile::read("g.rules", rules, &NoFiles), Interpreters::Both);
        outcome.failures.iter().map(|failure| format!("{failure:?}")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(failures("x == 0"), "");
    for wrong in ["ply == 0\nend z after move when true { draw }", "x ==", "", "x == y", "x == 0 §1"] {
        let told = failures(wrong);
        assert!(told.contains("in the condition"), "{wrong:?}: {told}");
    }
}

/// What looks in many directions costs more steps than what looks in few, on the reference interpreter.
#[test]
fn directions_are_charged() {
    let spent = |directions: usize, (condition, budget): (&str, u64)| {
        let graph = (0..directions).map(|d| format!("  d{d}: a0 - a1\n")).collect::<Vec<_>>().concat();
        let rules = format!(
            "game d\nplayers a, b\nboard graph {{\n  d0: a0 - a1 - a2 - a3\n{graph}}}\nrecord n: int\n\
             setup {{ repeat 1000 {{ if {condition} {{ n := 1 }} }} }}\naction go {{ n := 2 }}\nplay {{ turns {{ mover plays go }} }}\n\
             end e after move when ply > 3 {{ draw }}"
        );
        let loaded = load("d.rules", &rules, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{rules}\n{}", reports(&loaded));
        let walker = Walker::new(loaded.game.expect("a game")).with_budget(budget);
        matches!(walker.start().outcome.map(|outcome| outcome.ending), Some(Ending::Budget(_)))
    };
    for (many, asked) in [
        (600, ("distance(a0, a3) == 3", 20_000)),
        (1200, ("between(a0, a3) == {a1}", 20_000)),
        (300, ("line(sites, 5)", 200_000)),
    ] {
        assert!(!spent(4, asked), "{asked:?}");
        assert!(spent(many, asked), "{asked:?}");
    }
}

/// A renaming is tried out in every setup: a name that only variants have may clash there alone.
#[test]
fn renames_are_tried_in_all_setups() {
    let rules = "game w\nplayers a, b\nboard square 3 x 3\nkinds animal owned\n  | kind | pts |\n  | bear | 1 |\n\
         setup { put bear of a on a1  put bear of b on c3 }\naction go { choose f in own animal choose t in around(f) & empty  move f to t  note(f) }\n\
         procedure note(f: site) { if f == b2 { draw } }\nplay { phase main { turns { mover plays go else { draw } } } }\n\
         end e after move when ply > 9 or phase(main) and ply > 8 { draw }\nvariant v { row animal | wolf | 2 | }\n";
    let analysis = Analysis::new("w.rules", rules, &NoFiles);
    let at = rules.find("wolf").expect("the row");
    let (target, _) = analysis.target("w.rules", at).expect("a name");
    let renamed = |new: &str| rename(&[&analysis], &NoFiles, &target, new, &|_| true);
    assert!(renamed("lynx").is_ok_and(|renaming| renaming.places.len() == 1));
    for used in ["note", "go", "main", "bear", "animal"] {
        let refused = renamed(used).expect_err("a clash");
        assert!(refused.contains(used), "{used}: {refused}");
    }
}

/// Whether a seat can play is asked with the names around put aside, which costs in proportion to what they hold.
#[test]
fn names_that_are_put_aside_are_charged() {
    let spent = |held: u32| {
        let rules = format!(
            "game g\nplayers a, b\nboard square 4 x 4\npiece st owned\naction inner {{ choose f in empty  put own st on f }}\n\
             action act {{ choose f in empty  let big = 1..{held}  require all q in 1..50: me can play inner  require count(big) > 0\n\
             put own st on f }}\nplay {{ turns {{ mover plays act else {{ draw }} }} }}\nend lim after move when ply >= 6 {{ draw }}"
        );
        let loaded = load("g.rules", &rules, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{rules}\n{}", reports(&loaded));
        let fast = Fast::new(loaded.game.expect("a game"));
        let plain = fast.reference().clone().with_budget(30_000);
        let meter = Meter::new(30_000);
        let metered = fast.within(&meter);
        (plain.start().is_over(), metered.start().is_over())
    };
    assert_eq!(spent(10), (false, false));
    assert_eq!(spent(9000), (true, true));
}

/// The conditions of cases take their steps from the limit for all of them, as moves do.
#[test]
fn conditions_are_counted() {
    let rules = "game g\nplayers a, b\nrecord x: int\naction go { x := 1 }\nplay { turns { mover plays go } }\n\
         end e after move when ply > 3 { draw }\nclause §1 \"One.\"\n";
    let cases = "Cases(game: \"g.rules\", cases: [Case(clauses: [\"1\"], name: \"all\", steps: [Holds([\"(sum 1 for n in 1..5000) > ply\"])])])";
    let cases = load_cases(cases).expect("cases");
    let passes = |steps: u64| {
        let file = RuleFile::read("g.rules", rules, &NoFiles);
        let stage = Stage::new(&[&cases.cases[0]], &file, Interpreters::Reference).expect("a stage");
        stage.metered(Some(&Meter::new(steps))).run(&cases.cases[0]).passed()
    };
    assert!(passes(1_000_000) && !passes(4000));
}
