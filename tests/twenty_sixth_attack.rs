//! What was found before a twenty-sixth attack, by loops of single constructs without end, and in it.

use regelwerk::conformance::{self, load_cases};
use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::model::{Engine, Meter, Observation};
use regelwerk::notation::{parse_position, print_position};
use regelwerk::play::{Stop, Stream, playout};
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server};
use serde_json::{Value as Json, json};

use crate::limits::Bundled;
use crate::support::reports;

/// A random game in which chance alone goes on is stopped: after so many outcomes, fewer of them where each is among very
/// many, and after so many cards of shuffles.
#[test]
fn chance_that_goes_on_for_ever_ends_a_random_game() {
    for (action, least, most) in [
        ("while true { roll x in 1..6 v += x }", 10_000, 10_002),
        ("while true { roll x in 1..100000 v += x }", 50, 200),
        ("while true { shuffle deck }", 400_000, 403_000),
    ] {
        let text = format!(
            "game g\nplayers a, b\npiece card {{ c: int }}\nzone deck: row of card, seen by no\nvar v: int\n\
             setup {{ for k in 1..200 {{ put card with c = k on deck }} }}\naction go {{ {action} }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let game = loaded.game.unwrap_or_else(|| panic!("{text}"));
        let engines: [&dyn Engine; 2] = [&Walker::new(game.clone()), &Fast::new(game)];
        for engine in engines {
            let mut run = engine.run();
            assert!(run.load(&engine.start()));
            let mut dice = Stream::new(1, "game", 0);
            let game = playout(engine, run.as_mut(), 100_000, None, &mut dice, &mut |_, _| true);
            assert_eq!((game.stop, game.plies), (Stop::Budget, 0), "{action}");
            assert!((least..=most).contains(&game.questions), "{}: {} for `{action}`", engine.name(), game.questions);
        }
    }
}

/// A piece that its owner sees until it is turned up for all is one that its owner sees, also beside others; one that only
/// others see until then is not.
#[test]
fn what_is_seen_in_either_case_is_seen() {
    let told = |sight: &str| {
        let text = format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece man owned {{ up: bool }} seen by {sight}\n\
             piece spy owned seen by it.owner\n\
             setup {{ put man of a on a1 put man of b on c3 put spy of a on a2 put spy of b on c2 }}\n\
             action go {{ choose f in own man choose t in around(f) & empty move f to t }}\n\
             play {{ repeat 3 {{ a plays go b plays go }} }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
        reports(&loaded).contains("check/tells")
    };
    for sight in [
        "it.owner",
        "(if it.up then seats else it.owner)",
        "(it.owner | (if it.up then seats else {}))",
        "(if it.up then (it.owner | a) else (if it.up then {} else seats) | it.owner)",
    ] {
        assert!(!told(sight), "{sight}");
    }
    for sight in ["no", "(if it.up then seats else {})", "(if it.up then it.owner else opponents(it.owner))", "a"] {
        assert!(told(sight), "{sight}");
    }
}

/// The cases that `diff` runs take their steps from a meter.
#[test]
fn cases_carried_over_share_a_budget() {
    let rules = "game g\nplayers a, b\nrecord x: int\naction go { x := 1 }\nplay { turns { mover plays go } }\n\
         end e after move when ply > 3 { draw }\nclause §1 \"One.\"\n";
    let cases = "Cases(game: \"g.rules\", cases: [Case(clauses: [\"1\"], name: \"all\", steps: [Holds([\"(sum 1 for n in 1..5000) > ply\"])])])";
    let cases = load_cases(cases).expect("cases");
    let file = RuleFile::read("g.rules", rules, &NoFiles);
    let setup = Setup::default();
    let side = conformance::Rules { file: &file, setup: &setup };
    let holds = |steps: u64| {
        let meter = Meter::new(steps);
        let fate = conformance::transfer(&[&cases.cases[0]], &side, &side, Some(&meter), &|| ()).remove(0);
        (matches!(fate, conformance::Transferred::Holds), meter.is_spent())
    };
    assert_eq!((holds(1_000_000), holds(4000)), ((true, false), (false, true)));
}

/// What is said of many things with long names is bounded: names that a pattern gives sites, pieces in a view, pieces and
/// moves that are listed.
#[test]
fn long_names_are_not_said_without_end() {
    let name = |letter: &str| letter.repeat(98);
    let board = |times: usize| {
        format!(
            "game g\nplayers {}, {}\nboard ring per seat pit x 4 named \"{}{{n}}\"\naction go {{ choose x in sites }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}\n",
            name("a"),
            name("b"),
            "{seat}".repeat(times)
        )
    };
    for (times, fits) in [(1, true), (2, false)] {
        let loaded = load("g.rules", &board(times), &NoFiles, &Setup::default());
        let said = reports(&loaded);
        assert_eq!(said.contains("names of 197 bytes"), !fits, "{said}");
        assert_eq!(loaded.game.is_some(), fits, "{said}");
    }
    let cards = |count: usize, letter: &str| {
        let fields: Vec<String> = (0..9).map(|n| format!("{}{n}: int", letter.repeat(97))).collect();
        let first = format!("{}0", letter.repeat(97));
        format!(
            "game g\nplayers a, b\npiece card {{ {} }}\nzone z: row of card, seen by all\n\
             setup {{ for k in 1..{count} {{ put card with {first} = k on z }} }}\naction go {{ choose c in z }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}\n",
            fields.join(", ")
        )
    };
    for (count, shown) in [(2500, true), (25_000, false)] {
        let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
        let mut ask = |method: &str, params: Json| -> Json {
            let line = json!({"id": 1, "method": method, "params": params}).to_string();
            serde_json::from_str(&server.answer(&line).text).expect("JSON")
        };
        ask("write", json!({"file": "u.rules", "text": cards(count, "f")}));
        assert_eq!(ask("new", json!({"rules": "u.rules", "seed": 1}))["error"], Json::Null);
        let view = ask("view", json!({"who": 1}));
        assert_eq!(view["error"]["code"] == json!("limit"), !shown, "{count} cards");
        if shown {
            let drawn = view["result"]["board"].as_str().expect("a drawing").to_owned();
            assert!(drawn.contains("2000") && !drawn.contains("2001") && drawn.contains("500 more pieces"), "{drawn}");
        }
    }
}

/// A request to a server with one game of these rules.
fn asked(rules: &str, requests: &[(&str, Json)]) -> Json {
    let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
    let mut ask = |method: &str, params: &Json| -> Json {
        let line = json!({"id": 1, "method": method, "params": params}).to_string();
        serde_json::from_str(&server.answer(&line).text).expect("JSON")
    };
    assert!(ask("write", &json!({"file": "u.rules", "text": rules}))["error"].is_null());
    let opened = ask("new", &json!({"rules": "u.rules", "seed": 1}));
    assert!(opened["error"].is_null(), "{opened}");
    requests.iter().map(|(method, params)| ask(method, params)).last().unwrap_or_default()
}

/// A position that is too long to be read is not written, and no answer says more than a million names: not of sets, nor of
/// the sites that zones lie beside.
#[test]
fn no_answer_is_made_of_millions_of_names() {
    let sets = "game g\nplayers a, b\nboard square 64 x 64\nvar u(x: site): set of site\n\
                setup { for x in sites { u(x) := sites } }\naction go { choose n in 1..2 }\n\
                play { turns { mover plays go } }\nend e after move when ply > 3 { draw }\n";
    let loaded = load("g.rules", sets, &NoFiles, &Setup::default());
    let walker = Walker::new(loaded.game.expect("a game"));
    let text = print_position(&walker, &Observation::referee(&walker.start()));
    assert_eq!(text, "g 2 | too long: the position takes more than 1048576 bytes");
    assert!(parse_position(&walker, &text).is_err());
    let view = asked(sets, &[("view", json!({"who": 1}))]);
    assert_eq!(view["error"]["code"], "limit", "{view}");
    let beside = "game g\nplayers a, b\nboard square 64 x 64\nenum e = e1, e2, e3, e4, e5, e6, e7, e8, e9\npiece c\n\
                  zone z(x: e, y: e, w: e): row of c, beside sites\naction go { choose n in 1..2 }\n\
                  play { turns { mover plays go } }\nend e after move when ply > 3 { draw }\n";
    let components = asked(beside, &[("components", json!({}))]);
    assert_eq!(components["error"]["code"], "limit", "{components}");
    let few = beside.replace(", y: e, w: e", "");
    assert!(asked(&few, &[("components", json!({}))])["error"].is_null());
}

/// Of thousands that a text may mean, and of thousands that a comparison is about, the first are named.
#[test]
fn messages_name_the_first_of_thousands() {
    let rules = "game g\nplayers a, b\npiece card { n: int, m: int }\nzone h(p: seat): row of card, seen by all\n\
                 zone z: row of card, seen by all\nsetup { for k in 1..2000 { put card with n = k on h(a) } }\n\
                 action drop { choose c in h(me)  v += 1 }\naction swap_all { require h(me) == z  v += 2 }\nvar v: int\n\
                 play { turns { a plays drop | swap_all } }\nend e after move when ply > 3 { draw }\n";
    let ambiguous = asked(rules, &[("apply", json!({"who": "a", "move": "card"}))]);
    let text = ambiguous["error"].to_string();
    assert!(text.contains("n=20") && !text.contains("n=21") && text.contains('…'), "{text}");
    let why = asked(rules, &[("why", json!({"who": "a", "move": "swap_all"}))]).to_string();
    assert!(why.contains("100)") && !why.contains("101)") && why.contains("and 1900 more"), "{why}");
}
