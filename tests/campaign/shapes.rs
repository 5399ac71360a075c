//! Large games in small files: boards, decks, numbers of seats and lists of moves near what the language allows, which each
//! question at a terminal, over the protocol or in an editor has to be answered for in a moment.

use std::cell::Cell;
use std::fmt::Write as _;

use regelwerk::play::Stream;
use regelwerk::{Bot, Rules};

use super::clock::{about, timed};
use super::targets::Found;

/// A game's text, from a seed and a number.
pub(super) fn shape(seed: u64, number: u64) -> String {
    let mut dice = Stream::new(seed, "shape", number);
    let mut some = |of: &[&'static str]| of[dice.below(of.len())];
    let seats: usize = some(&["2", "2", "3", "8", "64"]).parse().unwrap_or(2);
    let board =
        some(&["", "", "square 64 x 64", "square 32 x 32", "square 12 x 12", "hex star 12", "ring 4000", "track 900"]);
    let names: Vec<String> = (1..=seats).map(|seat| format!("p{seat}")).collect();
    let mut text = format!("game g{number} \"G\"\nplayers {}\n", names.join(", "));
    let mut setup = String::new();
    let mut actions: Vec<(&str, &str)> = vec![
        ("score", "choose n in 1..10000 seen by me\n  points(me) += n"),
        ("bid", "choose a in 1..300\n  choose b in 1..300\n  require a < b\n  total += b - a"),
        ("throw", "roll d in 1..100000\n  total += d"),
    ];
    let mut ends = vec!["often after move when occurrences >= 3", "same after move when occurrences of total >= 30"];
    let mut items = vec!["var points(p: seat): int seen by p".to_owned(), "var total: int".to_owned()];
    if !board.is_empty() {
        items.push(format!("board {board}\npiece stone owned {}\npiece rock", some(&["", "{ h: int = 1, up: bool }"])));
        items.push(format!(
            "path go = {}",
            some(&[
                "slide directions through empty",
                "(hop directions over occupied to empty)+",
                "(step directions to empty)*",
                "(step directions to empty){1..5}",
            ])
        ));
        items.push(format!(
            "path eat = (hop directions over piece - taken taking to empty){}",
            some(&["+ fully", "{1..3}", "+"])
        ));
        setup.push_str(some(&[
            "for p in seats { put stone of p on {f in sites where f.number == p.number * 2} }",
            "put rock on {f in sites where f.number mod 3 == 1}  put stone of p1 on {f in sites where f.number mod 3 == 2}",
            "for f in sites { put stone of p1 on f }",
        ]));
        if some(&["", "", "tokens"]) == "tokens" {
            items.push("tokens seed".to_owned());
            setup.push_str("  put 3 seed on sites");
            actions.push(("spill", "choose from in seed\n  move all seed from from to around(from)"));
        }
        actions.extend([
            ("lay", "choose f in empty\n  put own stone on f"),
            ("walk", "choose from in own stone\n  choose to in go(from)\n  require to != from\n  move from to to\n  ensure occurrences == 1"),
            ("far", "choose from in own stone\n  choose to in empty\n  prefer distance(from, to)\n  move from to to"),
            ("hops", "choose from in own stone\n  choose w in eat(from)\n  move from to w.to\n  remove w.taken"),
            ("lift", "choose from in own stone\n  remove from\n  choose t in occupied seen by me\n  remove t"),
        ]);
        ends.extend([
            "row after move when line(own stone, 5)",
            "apart after move when any a in own stone, b in own stone: distance(a, b) > 60",
        ]);
    }
    let kinds: usize = some(&["1", "4", "40"]).parse().unwrap_or(1);
    let copies = some(&["50", "500", "30000"]).parse::<usize>().unwrap_or(50).div_ceil(kinds);
    let mut cards = "kinds card { s: int }\n  | kind | rank |\n".to_owned();
    for kind in 1..=kinds {
        writeln!(cards, "  | k{kind} | {kind} |").unwrap_or_default();
    }
    let sights = some(&["p", "p, number seen by p", "no", "all"]);
    let form = some(&["set", "row"]);
    write!(cards, "zone deck: pile of card, seen by no\nzone hand(p: seat): {form} of card, seen by {sights}\nzone trick: row of card, seen by all")
        .unwrap_or_default();
    items.push(cards);
    let dealt = some(&["1", "5", "400"]);
    write!(setup, "  for k in kinds(card) {{ put {copies} k on deck }}  shuffle deck  for p in seats {{ move top {dealt} of deck to hand(p) }}")
        .unwrap_or_default();
    actions.extend([
        ("draw", "require some deck\n  move top of deck to hand(me)"),
        ("discard", "choose c in hand(me)\n  move c from hand(me) to trick"),
        ("hand_on", "choose c in hand(me)\n  choose p in opponents(me)\n  move c from hand(me) to hand(p)"),
        ("reshuffle", "move all of trick to deck\n  shuffle deck"),
        ("steal", "choose p in opponents(me)\n  roll c in hand(p) seen by me\n  move c from hand(p) to hand(me)"),
    ]);
    let mut listed: Vec<&str> = Vec::new();
    for _ in 0..3 {
        let (name, body) = actions.swap_remove(dice.below(actions.len()));
        writeln!(text, "action {name} {{\n  {body}\n}}").unwrap_or_default();
        listed.push(name);
    }
    writeln!(text, "end {} {{ draw }}\nend long after move when ply >= 200 {{ draw }}", ends[dice.below(ends.len())])
        .unwrap_or_default();
    let all = listed.join(" | ");
    let play = match dice.below(5) {
        0 => format!("repeat 50 {{ together seats play {all} }}  draw"),
        1 => format!("while ply < 300 {{ race playing play {all} until now + 5000 else {{ total += 1 }} }}  draw"),
        2 => format!("turns {{ for p in seats {{ p may play {all} }} }}"),
        _ => format!("turns {{ mover plays {all} else pass }}"),
    };
    writeln!(text, "{}\nsetup {{ {setup} }}\nplay {{ {play} }}", items.join("\n")).unwrap_or_default();
    text
}

/// Whatever is asked of a large game once is answered: its legal moves in words, why one is legal, a move, the same move in
/// words, what it looks like, what a bot would play, a step back, its record.
pub(super) fn shapes(seed: u64, from: u64, to: u64) -> Found {
    let mut found = Found::default();
    for number in from..to {
        about(format!("large shape {number}"));
        found.inputs += 1;
        let text = shape(seed, number);
        let Ok(rules) = timed("check", || Rules::from_text("g.rules", &text)) else { continue };
        found.accepted += 1;
        let mut dice = Stream::new(seed, "shapes", number);
        let mut game = timed("start", || rules.session(seed));
        let mut made = 0;
        for _ in 0..4 {
            let texts =
                timed("moves in words", || game.legal_moves().iter().map(ToString::to_string).collect::<Vec<_>>());
            let Some(mv) = texts.get(dice.below(texts.len().max(1))) else { break };
            let why = timed("why", || game.why_text(mv)).map(|why| why.is_legal());
            assert!(matches!(why, Ok(true)), "{mv}: {why:?}\n{text}");
            let before = timed("position in words", || game.position().to_string());
            timed("move", || game.play_text(mv)).unwrap_or_else(|why| panic!("{mv}: {why}\n{text}"));
            timed("look", || game.to_move().map(|seat| game.observe(seat).to_string()));
            assert!(timed("step back", || game.undo()), "{mv}\n{text}");
            assert_eq!(game.position().to_string(), before, "{mv}\n{text}");
            timed("move", || game.play_text(mv)).unwrap_or_else(|why| panic!("{mv}: {why}\n{text}"));
            found.positions += 1;
            made += 1;
        }
        let record = timed("record", || game.record());
        assert!(record.steps.len() >= made, "{text}");
        // What it learns first is worked out whatever the time.
        let looks = Cell::new(0_u32);
        let soon = || {
            looks.set(looks.get() + 1);
            looks.get() > 3
        };
        timed("bot", || game.choose_until(&Bot::strongest(&rules), &soon));
    }
    found
}
