//! Pieces with many fields of long names, and moves that name several of them.

use std::fmt::Write as _;

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::notation::{find_move, print_move};
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server};
use serde_json::{Value as Json, json};

use crate::limits::Bundled;

/// A game in which a seat chooses two of so many pieces, each with twelve fields: 2.5 kB of text.
fn pieces(count: usize) -> String {
    let long = "x".repeat(97);
    let mut text = format!("game g\nplayers a, b\nenum e = {long}1, {long}2\npiece st {{ n: int");
    for number in 0..12 {
        write!(text, ", f{number}: e").expect("a string");
    }
    write!(
        text,
        " }}\nzone h(p: seat): row of st, seen by all\nvar v: int\n\
         setup {{ for n in 1..{count}, p in seats {{ put st with n = n, f0 = {long}2 on h(p) }} }}\n\
         action go {{ choose c in h(me)  choose d in h(me)  v += 1 }}\n\
         play {{ turns {{ mover plays go }} }}\nend e after move when ply >= 4 {{ draw }}\n"
    )
    .expect("a string");
    text
}

/// Of moves whose texts are more than 16 MiB together not all are written out: a page of `legal` ends before, and a text that
/// is none of the first is read.
#[test]
fn moves_with_long_texts_are_not_all_written() {
    let text = pieces(84);
    let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
    let mut ask = |method: &str, params: Json| -> String {
        let line = json!({"id": 1, "method": method, "params": params}).to_string();
        server.answer(&line).text
    };
    ask("write", json!({"file": "w.rules", "text": text}));
    ask("new", json!({"rules": "w.rules", "seed": 1}));
    for parts in [false, true] {
        let page = ask("legal", json!({"who": "a", "limit": 100_000, "parts": parts}));
        let found: Json = serde_json::from_str(&page).expect("JSON");
        assert_eq!(found["result"]["count"], 84 * 84, "{parts}");
        let next = found["result"]["next"].as_u64().expect("another page");
        // Each piece says itself and 13 fields, the twelve of them as five: 2 · 62 + 1 for a move.
        assert_eq!(next, 100_000 / 125, "{parts}");
        assert!(page.len() < 32 << 20, "{}", page.len());
    }
    let loaded = load("w.rules", &text, &NoFiles, &Setup::default());
    let engine = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    let start = engine.start();
    let legal = engine.legal(&start);
    let whole: usize = legal.iter().map(|mv| print_move(engine.game(), &start, mv).len()).sum();
    assert!(whole > 1 << 24, "{whole}");
    let last = legal.last().expect("moves");
    let found = find_move(&engine, &start, &print_move(engine.game(), &start, last));
    assert_eq!(found.as_ref(), Ok(last));
    // What none of them is has a short answer.
    let wrong = find_move(&engine, &start, "st{n=99}-st{n=98}").expect_err("no such pieces");
    assert!(wrong.to_string().len() < 1 << 16, "{}", wrong.to_string().len());
}

/// What pieces with many fields take counts: fewer of them fit into all zones, and positions are as large as they are.
#[test]
fn fields_of_pieces_count_for_what_positions_hold() {
    let game = |fields: usize, put: usize| {
        let fields: Vec<String> = (0..fields).map(|number| format!("f{number}: int")).collect();
        format!(
            "game g\nplayers a, b\npiece card {{ {} }}\nzone z: row of card, seen by all\nvar v: int\n\
             setup {{ for n in 1..{put} {{ put card with f0 = n on z }} }}\naction go {{ v += 1 }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when ply == 4 {{ draw }}\n",
            fields.join(", ")
        )
    };
    // 300 000 for up to 15 fields, a fourth of that with 48; more than 64 fields are none.
    for (fields, put, fits) in
        [(15, 90_000, true), (48, 75_000, true), (48, 75_001, false), (64, 1, true), (65, 1, false)]
    {
        let loaded = load("w.rules", &game(fields, put), &NoFiles, &Setup::default());
        assert_eq!(!loaded.reports.has_errors(), fits, "{fields} {put}: {:?}", loaded.reports);
    }
    let bytes = |fields: usize| {
        let loaded = load("w.rules", &game(fields, 1000), &NoFiles, &Setup::default());
        Walker::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports))).start().bytes()
    };
    // Each field beyond those that a piece has within it takes four bytes.
    assert!(bytes(64) >= bytes(4) + 1000 * 64 * 4, "{} {}", bytes(64), bytes(4));
}
