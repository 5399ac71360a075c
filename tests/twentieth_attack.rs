//! What a twentieth attack found, and what earlier ones had left.

use std::fmt::Write as _;

use regelwerk::bots::{Evaluation, Spec};
use regelwerk::conformance::{Interpreters, load_cases, run_case};
use regelwerk::editor::{Analysis, rename};
use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, RuleFile, Setup, check_all, load};
use regelwerk::model::{Ending, Engine, Meter, Viewer};
use regelwerk::notation::parse_position;
use regelwerk::play::{InformationSet, Stream, View, perft};
use regelwerk::report::Code;

use crate::support::{on_both as after, reports};

fn fast(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports);
    Fast::new(loaded.game.expect("a game"))
}

/// Each of 900 moves sows for as long as a decision may take, or for half of that. A search of them all would need more than
/// a thousand million steps; it ends after some twenty million, and goes on to be held to a meter that was there before.
#[test]
fn a_search_of_heavy_decisions_ends() {
    for (seeds, bot) in [(4_000_000_000_u64, "alphabeta:2"), (1_000_000, "alphabeta:2"), (1_000_000, "mcts:1000")] {
        let engine = fast(&format!(
            "game g
            players a, b
            board ring 900 named \"f{{n}}\"
            tokens seed
            setup {{ put {seeds} seed on sites }}
            action s {{ choose f in seed sow seed from f along ahead as last }}
            play {{ turns {{ mover plays s }} }}
            end e after move when ply > 3 {{ draw }}"
        ));
        let meter = Meter::new(40_000_000);
        let held = engine.within(&meter);
        let position = held.start();
        let bot: Spec = bot.parse().expect("a bot");
        let evaluation = std::sync::Arc::new(Evaluation::blind(held.as_ref()));
        let seat = position.asked().expect("a seat is asked");
        let view = View::new(held.as_ref(), &position, Viewer::Seat(seat));
        let known = InformationSet::new(held.as_ref(), &position, seat);
        let chosen = bot.bot(held.as_ref(), &evaluation, Stream::new(1, "bot", 0)).choose(&view, &known, &|| false);
        assert!(chosen.is_some_and(|n| n < view.legal.len()), "{bot}");
        assert!(!meter.is_spent(), "{bot} with {seeds} seeds");
        let before = meter.grant(u64::MAX);
        assert!(before < 40_000_000, "{bot}: its decisions are not counted");
    }
}

/// That a secret choice is legal is all there is to say of it as the last ply: a million of them are not carried out.
#[test]
fn secret_choices_of_the_last_ply_are_counted() {
    let engine = fast(
        "game g
        players a, b
        var x(p: seat): int
        action s { choose n in 1..300  choose m in 1..300  x(me) := n + m }
        play { repeat 2 { together seats play s } draw }",
    );
    let meter = Meter::new(10_000_000);
    let held = engine.within(&meter);
    let found = perft(held.as_ref(), &held.start(), 1, &|_| ());
    assert_eq!((found.by_depth, found.divide.len(), found.limited), (vec![90_000], 90_000, false));
    // After each of them the other seat's 90 000 would be listed.
    assert!(!meter.is_spent());
}

/// A piece that was chosen in secret may be gone when its move is carried out: another seat, a claim, an offer or an end may take
/// it in between. Where pieces lie then tells which one it was. What others take from lists of their own does not matter.
#[test]
fn what_is_chosen_in_secret_may_be_gone() {
    let game = |between: &str, groups: &str| {
        format!(
            "game g\nplayers a, b, c\npiece card {{ rank: int }}\n\
             zone hand(p: seat): row of card, seen by p\nzone kept(p: seat): row of card, seen by p\nzone open: row of card, seen by all\n\
             setup {{ for p in seats {{ put card with rank = 1 on hand(p)  put card with rank = 2 on hand(p) }} }}\n\
             action keep {{ choose n in hand(me) seen by me  move n from hand(me) to kept(me) }}\n\
             action rest {{ choose n in 1..2 }}\n{between}\n\
             play {{ together seats play {groups}  for p in seats {{ p plays rest }} }}\n"
        )
    };
    let tells = |between: &str, groups: &str| {
        let text = game(between, groups);
        let loaded = check_all("g.rules", &text, &NoFiles);
        assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
        loaded.reports.sorted().iter().filter(|report| report.code == Code::Tells).count()
    };
    for between in [
        "claim show by any seat { choose q in hand(me)  move q from hand(me) to open }",
        "offer turn_up { for q in seats { move top of hand(q) to open } }",
        "end toll after move when ply == 1 { move top of hand(b) to open }",
    ] {
        assert!(tells(between, "keep") > 0, "{between}");
    }
    let raid = "action raid { move top of hand(following(me)) to open }";
    assert!(tells(raid, "keep | raid") > 0);
    let called = "procedure taken(p: seat) { move top of hand(p) to open }\naction raid { taken(following(me)) }";
    assert!(tells(called, "keep | raid") > 0);
    // Their own hands are theirs to take from.
    assert_eq!(tells("", "keep"), 0);
    assert_eq!(tells("action burn { move top of hand(me) to open }", "keep | burn"), 0);
    assert_eq!(tells("claim none by any seat { draw }", "keep"), 0);
}

/// What was chosen from a hand is seen where it is moved to only if it is still there.
#[test]
fn what_is_gone_is_not_shown() {
    let text = "game g\nplayers a, b, c\npiece card { rank: int }\n\
         zone hand(p: seat): set of card, seen by p\nzone open: row of card, seen by all\nzone blind: row of card, seen by no\n\
         var x: int \"x\"\n\
         setup { for p in seats { put card with rank = 1 on hand(p)  put card with rank = 2 on hand(p) } }\n\
         action lay { choose n in hand(me)  move n from hand(me) to open  if n.rank == 1 { x += 1 } }\n\
         action rest { choose n in 1..2 }\nCLAIM\n\
         play { together {a, b} play lay  for p in seats { p plays rest } }\n";
    let tells = |claim: &str| {
        let loaded = check_all("g.rules", &text.replace("CLAIM", claim), &NoFiles);
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        let told = loaded.reports.sorted();
        told.iter().filter(|report| report.code == Code::Tells && report.message.contains("`x`")).count()
    };
    assert_eq!(tells(""), 0);
    assert!(tells("claim hide by any seat { choose q in hand(me) seen by me  move q from hand(me) to blind }") > 0);
}

/// In the effects of a claim, too, a move leads to the position after it, from where the effects have led so far, and there are
/// legal moves.
#[test]
fn effects_of_claims_look_ahead() {
    let game = |claim: &str| {
        format!(
            "game g\nplayers a, b\nvar n: int\nvar seen: int \"seen\"\naction inc {{ choose k in 1..3  n += k }}\n\
             claim c {{ {claim} }}\nplay {{ turns {{ mover plays inc }} }}\nend x after move when ply > 20 {{ draw }}"
        )
    };
    // After one move of 1, the announced move of 2 makes 3.
    for (claim, answer, seen) in [
        ("choose m in moves(inc)  let x = after m: n  require x == 3  seen := x", "claim c 2", 3),
        ("choose m in moves(inc)  seen := after m: n", "claim c 2", 3),
        ("choose m in moves(inc)  let x = after m: n  n := 10  seen := 100 * x + (after m: n)", "claim c 2", 312),
        ("choose m in moves(inc)  seen := after m: ply", "claim c 2", 2),
        ("seen := count(moves(inc))", "claim c", 3),
        ("seen := sum (after m: n) for m in moves(inc)", "claim c", 9),
        ("for m in moves(inc) { seen += 1 }", "claim c", 3),
    ] {
        let (position, asked) = after(&game(claim), &["1", answer]);
        assert!(position.contains(&format!("seen={seen}")), "{claim}: {position}");
        assert_eq!(asked, Some(1), "{claim}");
    }
}

/// A claim that leaves the seat which was asked no legal move, or takes it out of the game: play goes on as if it had been asked
/// only then.
#[test]
fn a_question_that_nobody_can_answer_lapses() {
    let game = |claim: &str, play: &str| {
        format!(
            "game g\nplayers a, b, c\nvar n: int \"n\"\nvar e: int \"e\"\naction inc {{ require n < 5  n += 1 }}\n\
             claim c by any seat {{ {claim} }}\nplay {{ {play} }}\nend x after move when ply > 20 {{ draw }}"
        )
    };
    let turns = "turns { mover plays inc else { e += 1  n := 0 } }";
    let (position, asked) = after(&game("n := 9", turns), &["inc", "claim c by b"]);
    assert!(position.contains("| e=1") && position.contains("| ply=1") && !position.contains("| n="), "{position}");
    assert_eq!(asked, Some(2));
    let (position, asked) = after(&game("eliminate me", turns), &["inc", "claim c by b", "inc"]);
    assert!(position.contains("| n=2") && position.contains("| out=b:3") && !position.contains("| e="), "{position}");
    assert_eq!(asked, Some(0));
    // Without `else` nobody can go on, and the game is over.
    let (position, asked) = after(&game("n := 9", "turns { mover plays inc }"), &["inc", "claim c by b"]);
    assert!(position.contains("result="), "{position}");
    assert_eq!(asked, None);
    let race = "turns { race seats play inc else { e += 1  n := 0 } }";
    let (position, _) = after(&game("n := 9", race), &["claim c by b"]);
    assert!(position.contains("| e=1"), "{position}");
    // Whoever has chosen keeps to it; the others have nothing to choose.
    let together = "turns { together seats play inc  e += 1  n := 0 }";
    let (position, _) = after(&game("n := 9", together), &["inc", "claim c by b"]);
    assert!(position.contains("| e=1") && position.contains("| ply=1"), "{position}");
}

/// All zones together hold 300 000 pieces: in a position that is read, and in play, on both interpreters.
#[test]
fn zones_hold_so_many_pieces_together() {
    let game = |put: &str, most: u32| {
        format!(
            "game g\nplayers a, b\nboard square 4 x 2\nkinds card\n | kind |\n | x |\n\
             zone z(f: site): row of card, seen by all\naction add {{ {put} }}\n\
             play {{ turns {{ mover plays add }} }}\nend e after move when ply == {most} {{ draw }}"
        )
    };
    let fast = fast(&game("put 10000 x on z(a1)", 3));
    let read = |counts: [u32; 3]| {
        let zones = ["a1", "a2", "b1"].iter().zip(counts).map(|(site, count)| format!("z({site}): x*{count}"));
        let text = format!("g 2 | {}", zones.collect::<Vec<_>>().join(" | "));
        parse_position(&fast, &text).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(read([100_000; 3]), Ok(()));
    let refused = fast_refused(&fast, "g 2 | z(a1): x*100000 | z(a2): x*100000 | z(b1): x*100000 | z(b2): x");
    assert!(refused.contains("all zones together take at most 300000"), "{refused}");
    for put in
        ["for f in sites { put 10000 x on z(f) }", "for f in {f in sites where f.row == 1} { put 20000 x on z(f) }"]
    {
        let fast = self::fast(&game(put, 9));
        let engines: [&dyn Engine; 2] = [&fast, fast.reference()];
        for engine in engines {
            // 80 000 pieces a move: three moves fit, and the fourth does not.
            let mut position = engine.start();
            for ply in 1..=4 {
                let moves = engine.legal(&position);
                position = engine.play_unchecked(&position, &moves[0]);
                assert_eq!(position.is_over(), ply == 4, "{}: {put}, ply {ply}", engine.name());
            }
            let ending = position.outcome.expect("it is over").ending;
            assert!(matches!(ending, Ending::Budget(_)), "{ending:?}");
        }
    }
}

fn fast_refused(fast: &Fast, text: &str) -> String {
    parse_position(fast, text).expect_err("too many").cure().unwrap_or_default()
}

/// Editors look through as many setups as a check does, and say no more than they know: a name that may be used beyond them is not
/// given another.
#[test]
fn editors_look_through_as_many_setups_as_a_check() {
    let mut text = "game g\nplayers a, b\nboard square 32 x 32\npiece m owned\noption n = 1\n\
         region r(f: site) = {g in sites where g.row mod 5 == (f.column + n) mod 5}\n\
         action p { choose f in empty & r(a1)  put own m on f }\nplay { turns { mover plays p else { draw } } }\n"
        .to_owned();
    for n in 0..120 {
        writeln!(text, "variant v{n} {{ set n = {n} }}").expect("a line");
    }
    let analysis = Analysis::new("g.rules", &text, &NoFiles);
    let at = text.find("action p").expect("the action") + "action ".len();
    assert!(analysis.hover("g.rules", at).is_some());
    let (target, _) = analysis.target("g.rules", at).expect("a name");
    let refused = rename(&[&analysis], &NoFiles, &target, "q", &|_| true).expect_err("there may be more uses");
    assert!(
        refused.contains("it takes too much work to look through `g.rules`, its variants and its overlays"),
        "{refused}"
    );
}

/// What many legal moves rely on is found by some of them, and their number by all.
#[test]
fn very_many_moves_are_counted_in_a_case() {
    let rules = "game g\nplayers a, b\nboard square 64 x 64\npiece m owned\n\
         action place { choose n in 1..24  choose f in empty  put own m on f }\nplay { turns { mover plays place else { draw } } }\n\
         clause §1 \"Of each number.\"\n";
    let cases =
        "(game: \"g.rules\", cases: [Case(clauses: [\"1\"], name: \"all\", steps: [Count(98304), Count(98304)])])";
    let rules = RuleFile::read("g.rules", rules, &NoFiles);
    let cases = load_cases(&cases.replacen('(', "Cases(", 1)).expect("cases");
    let outcome = run_case(&cases.cases[0], &rules, Interpreters::Both);
    assert!(outcome.passed(), "{:?}", outcome.failures);
}
