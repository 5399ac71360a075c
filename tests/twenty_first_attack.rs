//! What a twenty-first attack found.

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, check_all, load};
use regelwerk::measure::{Plan, Side, matched, play_pairs};
use regelwerk::model::{Engine, Observation};
use regelwerk::notation::{parse_position, print_position};
use regelwerk::play::{InformationSet, Match, Stream, read_step};
use regelwerk::report::Code;
use regelwerk::serve::{Limits, Selection, Server};
use serde_json::{Value as Json, json};

use crate::limits::Bundled;
use crate::support::{on_both as after, reports};

fn loaded(text: &str, setup: &Setup) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, setup);
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

fn tells(text: &str) -> usize {
    let loaded = check_all("g.rules", text, &NoFiles);
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    loaded.reports.sorted().iter().filter(|report| report.code == Code::Tells).count()
}

/// An action in the middle of which a claim ends the game is a ply, and so is the one that asked for it; the move that was asked
/// for is none.
#[test]
fn a_move_in_the_middle_of_which_a_claim_ends_the_game_is_a_ply() {
    let game = "game p\nplayers x, y\nvar c: int\naction inner { choose k in 1..2  c := k }\n\
         action middle { c := 3  opponent(me) plays inner }\naction outer { c := 1  opponent(me) plays middle  c := 2 }\n\
         claim over by any seat { draw }\nplay { turns { mover plays outer | middle | inner } }";
    for (steps, plies) in [
        (&["claim over"][..], 0),
        (&["inner 1", "claim over"], 1),
        (&["middle", "claim over"], 1),
        (&["outer", "claim over"], 1),
        (&["outer", "middle", "claim over"], 2),
    ] {
        let (position, _) = after(game, steps);
        let ply = position.split(" | ").find_map(|part| part.strip_prefix("ply=")).unwrap_or("0");
        assert_eq!(ply, plies.to_string(), "{steps:?}: {position}");
    }
}

/// A seat that a claim takes out of the game is not asked for its choice in a `together` that has begun.
#[test]
fn whoever_has_left_is_not_asked_together() {
    let game = "game p\nplayers x, y, z\nvar n(p: seat): int\naction a { choose k in 1..2  n(me) += k }\n\
         claim leave by any seat { eliminate me }\nplay { turns { together seats play a } }\nend e after move when ply >= 20 { draw }";
    let (position, asked) = after(game, &["claim leave by y", "1"]);
    assert_eq!(asked, Some(2), "{position}");
    let (position, asked) = after(game, &["claim leave by y", "1", "2"]);
    assert!(position.contains("n(x)=1") && !position.contains("n(y)") && position.contains("n(z)=2"), "{position}");
    assert_eq!(asked, Some(0), "{position}");
}

/// Whoever claims without being asked asks about the moves it would have, in the head and in the effects, and about what follows
/// if it makes them.
#[test]
fn moves_in_a_claim_are_those_of_whoever_claims() {
    let game = |claim: &str| {
        format!(
            "game g\nplayers a, b\nvar n(p: seat): int\nvar seen: int\naction x {{ choose k in 1..3  require k > n(me)  n(me) := k }}\n\
             claim c by any seat {{ {claim} }}\nplay {{ turns {{ mover plays x }} }}\nend e after move when ply > 9 {{ draw }}"
        )
    };
    // After `2`, a has one move left and b, which is asked, has three.
    for (claim, by, seen) in [
        ("let k = count(moves(x))  seen := k", "a", 1),
        ("seen := count(moves(x))", "a", 1),
        ("seen := count(moves(x))", "b", 3),
        ("for m in moves(x) { seen += after m: 10 * n(a) + n(b) }", "a", 30),
        ("let k = sum (after m: 10 * n(a) + n(b)) for m in moves(x)  seen := k", "b", 66),
    ] {
        let (position, asked) = after(&game(claim), &["2", &format!("claim c by {by}")]);
        assert!(position.contains(&format!("| seen={seen}")), "{claim} by {by}: {position}");
        assert_eq!(asked, Some(1));
    }
}

/// Equal cards are one move: how many moves there are tells how many different ones a hand holds.
#[test]
fn the_number_of_moves_tells_of_equal_pieces() {
    let game = |claim: &str| {
        format!(
            "game g\nplayers a, b\nkinds card\n | kind |\n | low |\n | ace |\nzone deck: pile of card, seen by no\n\
             zone hand(p: seat): set of card, seen by p\nvar pub: int \"pub\"\n\
             setup {{ put 3 low on deck  put 3 ace on deck  shuffle deck  for p in seats {{ move top 3 of deck to hand(p) }} }}\n\
             action y {{ choose c in hand(me) seen by me  move c from hand(me) to deck }}\n{claim}\n\
             play {{ turns {{ mover plays y else {{ draw }} }} }}"
        )
    };
    assert_eq!(tells(&game("")), 0);
    for claim in ["claim z { pub := count(moves(y)) }", "claim z { for m in moves(y) { pub += 1 } }"] {
        assert!(tells(&game(claim)) > 0, "{claim}");
    }
}

/// An attribute that is a field of some kinds and a column of others is of each piece what its kind has.
#[test]
fn a_field_does_not_hide_a_column() {
    let text = "game g\nplayers a, b\nkinds card\n | kind | rank |\n | low | 1 |\n | ace | 3 |\npiece spy { rank: int }\n\
         zone hand: set of card | spy, seen by all\nvar t: int\n\
         setup { put ace on hand  put low on hand  put spy with rank = 7 on hand  t := sum c.rank for c in hand }\n\
         action x { choose c in {c in hand where c.rank == 3}  t := 0 }\nplay { turns { mover plays x } }\nend e after move when ply == 1 { draw }";
    let (position, _) = after(text, &[]);
    assert!(position.contains("| t=11"), "{position}");
    let (position, _) = after(text, &["ace"]);
    assert!(!position.contains("| t="), "{position}");
    let clash = text.replace("rank: int }", "rank: bool }").replace("rank = 7", "rank = true");
    let found = check_all("g.rules", &clash, &NoFiles).reports;
    assert!(found.sorted().iter().any(|report| report.code == Code::WrongType && report.message.contains("`rank`")));
}

/// What a bot is given of a loop that goes through hidden pieces is drawn anew for each sample, as the pieces are.
#[test]
fn what_is_left_of_a_loop_is_not_known() {
    let text = "game g\nplayers a, b\nkinds card\n | kind |\n | low |\n | mid |\n | ace |\nzone h: row of card, seen by a\n\
         zone deck: pile of card, seen by no\n\
         setup { put low on deck  put mid on deck  put ace on deck  shuffle deck  move top 2 of deck to h }\n\
         action begin { choose n in 1..2 }\naction guess { choose g in 1..3 }\n\
         play { a plays begin  for c in h { b plays guess }  draw }";
    let fast = loaded(text, &Setup::default());
    let mut firsts = std::collections::BTreeSet::new();
    for seed in 0..6 {
        let mut dice = Stream::new(seed, "deal", 0);
        let mut game = Match::new(&fast, fast.start());
        while game.asked().is_none() {
            let outcome = game.fate(&mut dice).expect("an outcome");
            game.play_unchecked(outcome);
        }
        let step = read_step(&fast, game.position(), "1").expect("a move");
        game.play(step).expect("legal");
        let known = InformationSet::new(&fast, game.position(), SeatId::new(1));
        let mut dice = Stream::new(1, "samples", 0);
        let mut drawn = |_| format!("{:?}", known.determinize(&mut dice).control);
        let samples: Vec<String> = (0..30).map(&mut drawn).collect();
        assert!(samples.iter().any(|one| *one != samples[0]), "the same loop each time: {}", samples[0]);
        firsts.insert(samples);
    }
    assert_eq!(firsts.len(), 1, "what is drawn depends on what is hidden");
}

/// A list that names a piece several times is printed with its number, and read back.
#[test]
fn lists_with_copies_are_read_back() {
    let text = "game g\nplayers a, b\nkinds card\n | kind |\n | low |\n | ace |\nzone h: row of card, seen by all\n\
         setup { put 2 ace on h  put low on h }\naction begin { let l = h  choose n in 1..2  choose c in 1..2  if some l { draw } }\n\
         play { turns { mover plays begin } }";
    let text = text
        .replace("choose n in 1..2  choose c in 1..2", "choose n in 1..2")
        .replace("if some l { draw }", "move all of h to h  choose k in 1..2  if count(l) == 3 { draw }");
    let fast = loaded(&text, &Setup::default());
    let mut game = Match::new(&fast, fast.start());
    let step = read_step(&fast, game.position(), "1").expect("a move");
    game.play(step).expect("legal");
    let printed = print_position(&fast, &Observation::referee(game.position()));
    assert!(printed.contains("{ace*2 low}"), "{printed}");
    assert_eq!(parse_position(&fast, &printed).as_ref(), Ok(game.position()), "{printed}");
    let forged = printed.replace("ace*2", "ace*100001");
    assert!(parse_position(&fast, &forged).is_err(), "{forged}");
}

/// Seats are compared by their names, wherever a version has them in its turn order.
#[test]
fn seats_are_compared_by_name() {
    let text = "game g\nplayers white, black\nvar points(p: seat): int\naction score { choose n in 1..2  points(me) += n }\n\
         play { turns { mover plays score } }\nend done after move when ply >= 2 { win white }\n\
         variant turned { replace players black, white }";
    let [plain, turned] = ["", "turned"].map(|variant| {
        let variants = if variant.is_empty() { Vec::new() } else { vec![variant.to_owned()] };
        loaded(text, &Setup { variants, ..Setup::default() })
    });
    assert_eq!(matched(plain.game(), turned.game()), [1, 0]);
    let starts = [plain.start(), turned.start()];
    let sides = [Side::new(&plain, &starts[0]), Side::new(&turned, &starts[1])];
    let plan = Plan { cap: 10, ..Plan::default() };
    let pairs = play_pairs(sides, &plan, true, 0..20, &|_| ());
    // White wins in both, so that no result differs.
    assert_eq!((pairs.pairs, pairs.results), (20, 0));
    assert_eq!(pairs.openers, [20, 20]);
}

/// What a view says of pieces has a limit: 140 000 of them with 50 fields each are not written out.
#[test]
fn a_view_says_no_more_than_so_much() {
    let game = |fields: usize| {
        let fields: Vec<String> = (0..fields).map(|n| format!("f{n}: int")).collect();
        format!(
            "game u\nplayers a, b\npiece card owned {{ {} }}\nzone z(p: seat): row of card, seen by all\n\
             setup {{ for p in seats {{ put 70000 card of p on z(p) }} }}\n\
             action mv {{ choose n in 1..3  move top n of z(me) to z(me) }}\nplay {{ turns {{ mover plays mv }} }}\n",
            fields.join(", ")
        )
    };
    for (fields, shown) in [(1, true), (15, false)] {
        let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
        let mut ask = |method: &str, params: &Json| -> Json {
            let line = json!({"id": 1, "method": method, "params": params}).to_string();
            serde_json::from_str(&server.answer(&line).text).expect("JSON")
        };
        ask("write", &json!({"file": "u.rules", "text": game(fields)}));
        assert_eq!(ask("new", &json!({"rules": "u.rules", "seed": 1}))["error"], Json::Null);
        let view = ask("view", &json!({"who": 1}));
        assert_eq!(view["error"]["code"] == json!("limit"), !shown, "{fields} fields");
    }
}
