//! What seats are shown: nothing they may not see.

use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::{Ask, Engine, Position, Viewer};
use regelwerk::notation::{find_move, parse_position, print_move, print_position};
use regelwerk::play::{Match, Reactions, Step, Stream, View, Who, determinize, grounds, told};
use regelwerk::reference::Walker;
use regelwerk::say::Lang;
use regelwerk::view::{Detail, Look, asked, position as draw, refusal};

use crate::support::{GAMES, engine, load_file, reports, root, rules_of, setups, walk};

fn viewers(engine: &dyn Engine) -> Vec<Viewer> {
    SeatId::all(engine.game().seats.len()).map(Viewer::Seat).chain([Viewer::Spectator]).collect()
}

/// Everything a viewer is shown of a position, as bytes.
fn shown(engine: &dyn Engine, position: &Position, viewer: Viewer) -> String {
    let view = View::new(engine, position, viewer);
    let legal: Vec<String> = view.legal.iter().map(|mv| print_move(engine.game(), &view.position, mv)).collect();
    let board = draw(engine.game(), &view.position, &Look::default());
    let line = print_position(engine, &view.position);
    format!("{board}\n{line}\n{}\n{}", asked(Lang::En, engine.game(), &view.position), legal.join(" "))
}

/// A redrawn position that a viewer cannot tell apart looks identical to it byte for byte: position, legal moves,
/// prompts, announcements of any move, and refusals of its moves.
#[test]
fn views_leak_nothing() {
    let mut changed = 0;
    for game in GAMES {
        let path = rules_of(game);
        for setup in setups(&path) {
            let loaded = load_file(&path, &setup);
            let sources = loaded.sources;
            let engine = Walker::new(loaded.game.expect("a game"));
            if !engine.game().hides() {
                continue;
            }
            let mut strange: Vec<String> = Vec::new();
            walk(&engine, 97, 12, |position| {
                let texts = engine.legal(position).into_iter().take(3);
                strange.extend(texts.map(|mv| print_move(engine.game(), position, &mv)));
            });
            strange.truncate(40);
            let mut dice = Stream::new(41, "redraw", 0);
            let mut step = 0;
            walk(&engine, 43, 40, |position| {
                step += 1;
                if step % 3 != 0 || position.in_setup(engine.game()) {
                    return;
                }
                for viewer in viewers(&engine) {
                    let other = determinize(&engine, position, viewer, &mut dice);
                    changed += usize::from(other != *position);
                    let what = format!("{game} {setup:?} {viewer:?}");
                    assert_eq!(shown(&engine, position, viewer), shown(&engine, &other, viewer), "{what}");
                    let possible = engine.legal(&other);
                    for mv in engine.legal(position).iter().filter(|mv| possible.contains(mv)).take(6) {
                        let (one, two) = (told(&engine, position, mv, viewer), told(&engine, &other, mv, viewer));
                        assert_eq!(one, two, "{what}: told of {mv:?}");
                    }
                    if position.asked().map(Viewer::Seat) != Some(viewer) {
                        continue;
                    }
                    for mv in engine.legal(position).iter().take(usize::from(step % 9 == 0)) {
                        let why =
                            |position: &Position| grounds(&engine, position, position.asked(), &Step::Move(mv.clone()));
                        assert_eq!(why(position), why(&other), "{what}: why {mv:?}");
                    }
                    for text in &strange {
                        let why = |position: &Position| match find_move(&engine, position, text) {
                            Err(error) => error.to_string(),
                            Ok(mv) => engine.explain().refusal(position, &mv).map_or_else(
                                || "legal".to_owned(),
                                |why| refusal(Lang::En, engine.game(), &sources, text, &why, Detail::Rules),
                            ),
                        };
                        assert_eq!(why(position), why(&other), "{what}: {text}");
                    }
                }
            });
        }
    }
    assert!(changed > 1000, "only {changed} redrawn positions differed");
}

/// Bots and simulations with reaction times give the same games on any number of threads, and different games with
/// another seed.
#[test]
fn races_do_not_depend_on_threads() {
    let engine = engine(&rules_of("halli-galli"), &Setup { players: Some(3), ..Setup::default() });
    let play = |threads, seed| {
        let reactions = Some(Reactions::default());
        let plan = Plan { cap: 200, seed, invariants: true, traced: 1, reactions };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| format!("{:?}", simulate(&engine, &engine.start(), &plan, 0..6, &|_| ())))
    };
    assert_eq!(play(1, 5), play(2, 5));
    assert_ne!(play(1, 5), play(1, 6));
}

/// The more skilled seat is first more often; times are within their limits.
#[test]
fn skilled_seats_are_faster() {
    let even = Reactions { least: 100, spread: 50, skill: vec![100, 200], slips: 0 };
    let mut dice = Stream::new(1, "times", 0);
    let mut sums = [0_i64; 2];
    for _ in 0..2000 {
        for (seat, (low, high)) in [(0, (100, 300)), (1, (50, 150))] {
            let time = even.time(SeatId::new(seat), &mut dice);
            assert!((low..=high).contains(&time), "{time}");
            sums[seat] += time;
        }
    }
    // Twice as skilled: half the time, except for rounding down.
    assert!((sums[0] - 2 * sums[1]).abs() < 2 * 2000, "{sums:?}");
}

const HIDDEN: &str = "game g\nplayers a, b\npiece card { rank: int }\n\
    zone deck: pile of card, seen by no\nzone hand(p: seat): set of card, seen by p\nzone table: row of card, seen by all\n\
    var bid(p: seat): int seen by p\n\
    setup { for n in 1..6 { put card with rank = n on deck } shuffle deck for p in seats { move top 2 of deck to hand(p) } }\n\
    action lay { choose c in hand(me) move c from hand(me) to table }\n\
    action keep { choose c in hand(me) move c from hand(me) under deck }\n\
    action call { choose n in 1..3 bid(me) := n }\n\
    play { turns { together playing play call mover plays lay | keep else pass } }\n";

fn hidden() -> Walker {
    let loaded = load("g.rules", HIDDEN, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports);
    Walker::new(loaded.game.expect("a game"))
}

/// Secret choices are announced when every seat has chosen, cards when they are seen.
#[test]
fn moves_are_announced_as_far_as_they_are_seen() {
    let engine = hidden();
    let text = "g 2 | mover=a | deck: card{rank=1} | hand(a): card{rank=5} | hand(b): card{rank=3}";
    let start = parse_position(&engine, text).expect("a position");
    let lines = |position: &Position, text: &str, viewer| {
        let mv = find_move(&engine, position, text).expect("a move");
        let told = told(&engine, position, &mv, viewer);
        told.into_iter()
            .map(|(seat, text)| format!("{}:{text}", seat.map_or(9, usize::from)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let play = |position: &Position, text: &str| {
        let mv = find_move(&engine, position, text).expect("a move");
        engine.play(position, &mv).expect("legal")
    };
    assert_eq!(lines(&start, "2", Viewer::Seat(SeatId::new(1))), "0:has chosen");
    let mut position = play(&start, "2");
    assert_eq!(position.asked(), Some(SeatId::new(1)));
    let instead = play(&start, "1");
    assert_eq!(
        shown(&engine, &position, Viewer::Seat(SeatId::new(1))),
        shown(&engine, &instead, Viewer::Seat(SeatId::new(1)))
    );
    assert_eq!(lines(&position, "3", Viewer::Spectator), "0:2 1:3");
    position = play(&position, "3");
    let seen = print_position(&engine, &engine.explain().observation(&position, Viewer::Seat(SeatId::new(1))));
    assert!(seen.contains("bid(b)=3") && seen.contains("bid(a)=?"), "{seen}");
    assert!(
        seen.contains("deck: ?") && seen.contains("hand(a): ?") && seen.contains("hand(b): card{rank=3}"),
        "{seen}"
    );
    // Played face up, the card is announced to everybody; put away, to nobody else.
    let card = "card{rank=5}";
    assert_eq!(lines(&position, &format!("lay {card}"), Viewer::Seat(SeatId::new(1))), format!("0:lay {card}"));
    assert_eq!(lines(&position, &format!("keep {card}"), Viewer::Seat(SeatId::new(1))), "0:keep ?");
    assert_eq!(lines(&position, &format!("keep {card}"), Viewer::Spectator), "0:keep ?");
    assert_eq!(lines(&position, &format!("keep {card}"), Viewer::Seat(SeatId::new(0))), format!("0:keep {card}"));
}

/// A piece that is chosen and stays where it lies is announced to those who see it there, and to nobody else: neither
/// a covered piece of a pile, nor a copy that lies open where a condition merely looks.
#[test]
fn a_piece_that_stays_is_announced_to_those_who_see_it() {
    let text = "game g\nplayers a, b\nkinds card\n  | kind |\n  | sun |\n  | moon |\n\
        zone row_of_all: row of card, seen by all\nzone hand(p: seat): set of card, seen by p\n\
        zone heap: pile of card, seen by all\nvar last: kind = sun\n\
        setup { put sun on row_of_all for p in seats { put sun on hand(p) } put 2 moon on heap put 3 sun on heap }\n\
        define mine(p: seat) = {c in hand(p) where any d in row_of_all: d == c}\n\
        action lying { choose c in row_of_all last := c.kind }\n\
        action held { let cards = mine(me) choose c in cards last := c.kind }\n\
        action either { choose c in hand(me) | row_of_all last := c.kind }\n\
        action heaped { choose c in heap last := c.kind }\n\
        action topped { choose c in top of heap last := c.kind }\n\
        action second { choose c in heap move top of heap to hand(following(me)) move c from heap to hand(me) }\n\
        action spread { choose c in heap | row_of_all move c from heap to hand(me) }\n\
        action fished { choose c in heap move c from heap to hand(me) }\n\
        action laid { choose c in heap move c from heap to row_of_all }\n\
        action shown { choose c in hand(me) move c from hand(me) to row_of_all move c from row_of_all to hand(me) }\n\
        play { turns { mover plays lying | held | either | heaped | topped | second | spread | fished | laid | shown } }\n\
        end e after move when ply > 9 and last == sun { draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports);
    let engine = Walker::new(loaded.game.expect("a game"));
    let start = engine.start();
    let lines = |text: &str| {
        let mv = find_move(&engine, &start, text).expect("a move");
        let viewers = [Viewer::Seat(SeatId::new(0)), Viewer::Seat(SeatId::new(1)), Viewer::Spectator];
        viewers.map(|viewer| {
            told(&engine, &start, &mv, viewer).into_iter().map(|(_, deed)| deed.to_string()).collect::<String>()
        })
    };
    assert_eq!(lines("lying sun"), ["lying sun", "lying sun", "lying sun"]);
    assert_eq!(lines("held sun"), ["held sun", "held ?", "held ?"]);
    // It may have been the one in the hand.
    assert_eq!(lines("either sun"), ["either sun", "either ?", "either ?"]);
    // It may have been another one beneath, unless there was no other choice.
    assert_eq!(lines("heaped sun"), ["heaped sun", "heaped ?", "heaped ?"]);
    assert_eq!(lines("heaped moon"), ["heaped moon", "heaped ?", "heaped ?"]);
    assert_eq!(lines("topped sun"), ["topped sun", "topped sun", "topped sun"]);
    // The top goes by itself; that an equal one lies open elsewhere says nothing.
    assert_eq!(lines("second sun"), ["second sun", "second ?", "second ?"]);
    assert_eq!(lines("second moon"), ["second moon", "second ?", "second ?"]);
    assert_eq!(lines("spread sun"), ["spread sun", "spread sun", "spread sun"]);
    assert_eq!(lines("spread moon"), ["spread moon", "spread ?", "spread ?"]);
    // Nor is it seen when it leaves, but where it comes to.
    assert_eq!(lines("fished sun"), ["fished sun", "fished sun", "fished sun"]);
    assert_eq!(lines("fished moon"), ["fished moon", "fished ?", "fished ?"]);
    assert_eq!(lines("laid moon"), ["laid moon", "laid moon", "laid moon"]);
    // What lay open on its way is announced, though it has been taken back by the next question.
    assert_eq!(lines("shown sun"), ["shown sun", "shown sun", "shown sun"]);
}

/// What chance draws is named to those who see where it lies when a seat is asked next: what lies open for a moment, while
/// chance decides, nobody has looked at.
#[test]
fn what_chance_draws_is_named_where_it_is_seen() {
    for (act, named) in [
        ("move all of hand(me) to table  roll c in table  move all of table to hand(me)", false),
        ("shuffle heap  roll c in heap  move c from heap to away", false),
        ("roll c in hand(me)  move c from hand(me) to table  move c from table to away", false),
        ("roll c in hand(me)  move c from hand(me) to table  roll n in 1..6  move all of table to away", false),
        ("roll c in hand(me)  move c from hand(me) to table", true),
        ("roll c in hand(me)  move c from hand(me) to heap", true),
        ("roll c in hand(me)  move c from hand(me) to heap  move top of heap to away", false),
        ("roll c in hand(me)  move c from hand(me) to heap  put k2 on heap  put k1 on heap", false),
        ("roll c in hand(me)  move c from hand(me) to below  put k1 on below", false),
        ("roll c in hand(me)  move c from hand(me) to table  change table: up = false", false),
        ("roll c in hand(me)  move c from hand(me) to a1  change a1: up = false", false),
        ("roll c in hand(me)  move c from hand(me) to a1", true),
        ("roll c in hand(me)  move c from hand(me) to a1  remove a1  put k1 on a1", false),
        ("roll c in hand(me)  move c from hand(me) to a1  put k1 on b1  swap a1, b1", false),
        ("roll c in hand(me)  move c from hand(me) to a1  move a1 to table", false),
    ] {
        let text = format!(
            "game g\nplayers a, b\nboard square 2 x 1\nkinds card {{ up: bool }}\n  | kind |\n  | k1 |\n  | k2 |\n  | k3 |\n\
             zone hand(p: seat): set of card, seen by p\nzone table: row of card, seen by all\nzone heap: pile of card, seen by all\n\
             zone away: set of card, seen by no\nzone below: pile of card, seen by all\nsetup {{ put k1 on hand(a) put k2 on hand(a) put k3 on hand(b) put k1 on heap put k2 on heap }}\n\
             action act {{ {act} }}\nplay {{ turns {{ mover plays act }} }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        let engine = Walker::new(loaded.game.expect("a game"));
        let mv = find_move(&engine, &engine.start(), "act").expect("a move");
        let mut position = engine.play(&engine.start(), &mv).expect("legal");
        let mut lines = Vec::new();
        while matches!(position.ask, Ask::Chance { .. }) {
            let drawn = engine.legal(&position).swap_remove(0);
            let viewer = Viewer::Seat(SeatId::new(1));
            lines.extend(told(&engine, &position, &drawn, viewer).into_iter().map(|(_, deed)| deed.to_string()));
            position = engine.play(&position, &drawn).expect("legal");
        }
        assert!(!lines.is_empty(), "{act}");
        assert_eq!(lines.iter().any(|line| line.contains('k')), named, "{act}: {lines:?}");
    }
}

/// Which of several cards that come to lie together chance drew nobody is told: what else came would be known by that. Where nothing
/// else has come since a seat was asked, or an order tells them apart, it is named.
#[test]
fn what_chance_draws_among_others_is_not_named() {
    for (act, named) in [
        ("move top of deck to hand(b)  roll c in bag  move c from bag to hand(b)", false),
        ("roll c in bag  move c from bag to hand(b)  move top of deck to hand(b)", false),
        ("roll c in bag  move top of deck to hand(b)  move c from bag to hand(b)", false),
        ("roll d in bag  move d from bag to hand(b)  roll c in bag  move c from bag to hand(b)", false),
        ("roll c in bag  move c from bag to hand(b)  move all of bag to hand(b)", false),
        ("move top of hand(b) to deck  roll c in bag  move c from bag to hand(b)", false),
        ("move top of deck to open  roll c in bag  move c from bag to open", false),
        ("roll c in open2  move c from open2 to open2", false),
        ("move top of deck to open  move bottom of open to bag  roll c in bag  move c from bag to open", false),
        ("roll c in open2  move c from open2 to open2  move top of deck to open2", false),
        ("roll c in open2  move c from open2 to bag  move c from bag to open2  put x on open2", false),
        ("roll c in bag  move c from bag to hand(b)", true),
        ("roll c in bag  move c from bag to open", true),
        ("move top of deck to table  roll c in bag  move c from bag to table", true),
        ("move top of deck to hand(a)  roll c in bag  move c from bag to hand(b)", true),
    ] {
        let text = format!(
            "game g\nplayers a, b\nkinds card\n  | kind |\n  | x |\n  | y |\n  | z |\nzone deck: pile of card, seen by no\n\
             zone bag: set of card, seen by no\nzone hand(p: seat): set of card, seen by p\nzone open: row of card, seen by all, order seen by no\n\
             zone table: row of card, seen by all\nzone open2: set of card, seen by all\nsetup {{ put x on deck  put x on bag  put y on bag  put z on hand(b)  put x on open2  put y on open2 }}\n\
             action act {{ {act} }}\nplay {{ a plays act  b plays act  draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        let engine = Walker::new(loaded.game.expect("a game"));
        let mut game = Match::new(&engine, engine.start());
        game.play(Step::Move(find_move(&engine, &engine.start(), "act").expect("a move"))).expect("legal");
        while matches!(game.position().ask, Ask::Chance { .. }) {
            let drawn = engine.legal(game.position()).pop().expect("an outcome");
            game.play(Step::Move(drawn)).expect("legal");
        }
        let events = game.door(Who::seat(SeatId::new(1))).events(0, game.steps().len()).open();
        let last = events.last().map(|event| event.deed.to_string()).expect("a draw");
        assert_eq!(last != "?", named, "{act}: {last}");
    }
}

/// What is told of a pile is not which of its cards is chosen, and what chance draws is not known once it has gone where nobody sees
/// it: the rules may not use it as if it were.
#[test]
fn what_is_not_named_counts_as_hidden() {
    for (act, hidden) in [
        ("choose c in told(heap)  move all of heap to hand(me)", true),
        ("choose c in told(heap)  move c from heap to hand(me)", true),
        ("choose c in told(heap)  move c from heap to open", false),
        ("choose c in told(hand(me))", true),
        ("choose c in open", false),
        ("roll c in open  move all of open to hand(me)", true),
        ("roll c in open  move c from open to heap  move all of open to heap", true),
        ("roll c in open  move c from open to heap", false),
        ("roll c in bag  move c from bag to lying", false),
        ("roll c in bag  move c from bag to lying  move all of bag to lying", true),
        ("move top of bag to lying  roll c in bag  move c from bag to lying", true),
        ("move top of bag to lying  roll c in lying  move c from lying to lying", true),
        ("roll c in mixed  move c from mixed to mixed", true),
    ] {
        let text = format!(
            "game g\nplayers a, b\nkinds card\n  | kind |\n  | x |\n  | y |\n  | z |\nzone heap: pile of card, seen by all\n\
             zone bag: row of card, seen by no\nzone lying: set of card, seen by all\nzone mixed: row of card, seen by all, order seen by no\nzone open: row of card, seen by all\n\
             zone hand(p: seat): set of card, seen by p\nvar n: int \"n\"\nsetup {{ for k in kinds(card) {{ put k on heap  put k on open  put k on bag  put k on mixed  put k on hand(a) }} }}\n\
             action act {{ {act}  if c.kind == x {{ n := 1 }} }}\nplay {{ a plays act  b plays act  draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        assert_eq!(reports(&loaded).contains("the value of `n`"), hidden, "{act}: {}", reports(&loaded));
    }
}

/// An equal card that is laid on a pile before the chosen one leaves it is not the one that was chosen.
#[test]
fn a_card_that_is_laid_on_a_pile_names_none_beneath() {
    let text = "game g\nplayers a, b\nkinds card\n  | kind |\n  | w |\n  | x |\nzone table: row of card, seen by all\n\
        zone heap: pile of card, seen by all\nzone hand(p: seat): set of card, seen by p\n\
        setup { put w on heap put x on heap put w on table put 2 w on hand(a) }\n\
        action swap { choose d in told(heap) move top of table to heap move d from heap to hand(me) }\n\
        action lay { choose d in hand(me) move d from hand(me) to heap move d from heap to hand(me) }\n\
        play { turns { a plays swap | lay } }\nend e after move when ply == 3 { draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let engine = Walker::new(loaded.game.expect("a game"));
    let start = engine.start();
    for (text, wanted) in [("swap w", "swap ?"), ("swap x", "swap ?"), ("lay w", "lay w")] {
        let mv = find_move(&engine, &start, text).expect("a move");
        let said = told(&engine, &start, &mv, Viewer::Seat(SeatId::new(1)));
        assert_eq!(said[0].1.to_string(), wanted);
    }
}

/// A card that was chosen unseen stays unseen if an equal one is turned up by the same action, or lies open elsewhere;
/// one that is turned up itself is announced, under whatever name.
#[test]
fn an_equal_piece_gives_nothing_away() {
    let text = "game g\nplayers a, b, c\nkinds card\n  | kind |\n  | ace |\n  | two |\n\
        zone deck: pile of card, seen by no\nzone hand(p: seat): set of card, seen by p\nzone open: pile of card, seen by all\n\
        setup { put 6 ace on deck put 6 two on deck shuffle deck for p in seats { move top 2 of deck to hand(p) } }\n\
        procedure hand_on(d: piece) { let e = d move e from hand(me) to hand(following(me)) }\n\
        procedure turn_up(d: piece) { let e = d move e from hand(me) to open }\n\
        action pass_on { choose x in hand(me) move x from hand(me) to hand(following(me)) move top of deck to open }\n\
        action slip { choose x in hand(me) hand_on(x) move top of deck to open }\n\
        action lay { choose x in hand(me) turn_up(x) move top of deck to open }\n\
        action both { choose x in hand(me) choose y in hand(me) require x != y move x from hand(me) to open move y from hand(me) under deck }\n\
        action late { move top of deck to open choose x in hand(me) move x from hand(me) under deck move top of deck to open }\n\
        play { turns { mover plays pass_on | slip | lay | both | late } }\nend e after turn when turn > 4 { draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let engine = Walker::new(loaded.game.expect("a game"));
    let start = "g 3 | mover=a | deck: ace ace two two | hand(a): ace two | hand(b): ace two | hand(c): ace two";
    let start = parse_position(&engine, start).expect("a position");
    let told_of = |position: &Position, text: &str| {
        let mv = find_move(&engine, position, text).expect("a move");
        let viewers = [0, 1, 2].map(|seat| Viewer::Seat(SeatId::new(seat))).into_iter().chain([Viewer::Spectator]);
        let deeds = viewers.map(|viewer| {
            told(&engine, position, &mv, viewer).into_iter().map(|(_, deed)| deed.to_string()).collect::<String>()
        });
        deeds.collect::<Vec<_>>()
    };
    // The top of the deck is a `two`.
    for card in ["ace", "two"] {
        for action in ["pass_on", "slip"] {
            let [seen, unseen] = [format!("{action} {card}"), format!("{action} ?")];
            assert_eq!(told_of(&start, &seen), [&seen, &seen, &unseen, &unseen].map(String::as_str));
        }
        let seen = format!("lay {card}");
        assert_eq!(told_of(&start, &seen), [&seen; 4].map(String::as_str));
    }
    assert_eq!(told_of(&start, "both ace two"), ["ace-two", "both ace-?", "both ace-?", "both ace-?"]);
    let mv = find_move(&engine, &start, "late").expect("a move");
    let asked = engine.play(&start, &mv).expect("legal");
    assert_eq!(told_of(&asked, "two"), ["two", "?", "?", "?"]);
}

/// A secret pass by `together`, and a private choice and roll.
#[test]
fn secrets_stay_secret_whichever_way_they_are_made() {
    let text = "game g\nplayers a, b\npiece card { rank: int }\nzone hand(p: seat): set of card, seen by p\n\
        var spot(p: seat): int seen by p\n\
        setup { for p in seats { for n in 1..2 { put card with rank = n on hand(p) } } }\n\
        procedure throw(p: seat) { roll d in 1..6 seen by p  spot(p) := d }\n\
        action give { choose c in hand(me) move c from hand(me) to hand(following(me)) }\n\
        action hide { choose n in 1..3 seen by me spot(me) := n }\n\
        play { together playing play give together playing play hide throw(a) mover plays hide draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports);
    let engine = Walker::new(loaded.game.expect("a game"));
    let mut position = engine.start();
    let mut lines = Vec::new();
    for text in ["card{rank=1}", "card{rank=2}", "2", "3", "4", "1"] {
        let find = |text: &str| find_move(&engine, &position, text).expect("a move");
        let mv = if matches!(position.ask, Ask::Choose { .. }) && !text.starts_with("card") {
            find(&format!("hide {text}"))
        } else {
            find(text)
        };
        let told = |viewer| {
            let told = told(&engine, &position, &mv, viewer);
            told.into_iter()
                .map(|(seat, text)| format!("{}:{text}", seat.map_or(9, usize::from)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        lines.push(format!("{} / {}", told(Viewer::Seat(SeatId::new(0))), told(Viewer::Spectator)));
        position = engine.play(&position, &mv).expect("legal");
    }
    // A seat knows what it gives and what comes to its hand; the rest is `?`.
    let wanted = [
        "0:has chosen / 0:has chosen",
        "0:card{rank=1} 1:card{rank=2} / 0:give ? 1:give ?",
        "0:has chosen / 0:has chosen",
        "0:2 1:hide ? / 0:hide ? 1:hide ?",
        "9:4 / 9:?",
        "0:1 / 0:hide ?",
    ];
    assert_eq!(lines, wanted);
}

/// An observation is no position: it is refused with a suggestion.
#[test]
fn an_observation_is_not_a_position() {
    let engine = hidden();
    let seen = print_position(&engine, &engine.explain().observation(&engine.opening(), Viewer::Seat(SeatId::new(0))));
    let error = parse_position(&engine, &seen).expect_err("backs do not say which piece it is");
    assert!(error.cure().is_some_and(|cure| cure.contains("not a complete position")), "{error}");
}

/// Two positions that look the same to the seat to act, and a move after which the rules continue differently.
const FORETOLD: [(&str, &str, [&str; 2], &str); 3] = [
    (
        "a statement that looks at a hidden card",
        "kinds card\n  | kind |\n  | red |\n  | blue |\nzone deck: pile of card, seen by no\n\
        setup { put red on deck put blue on deck shuffle deck }\n\
        action bet {\n  if any c in top of deck: c.kind == red { win me } else { lose me }\n}\n\
        play { turns { mover plays bet } }\nend e after move when ply > 3 { draw }\n",
        ["deck: red blue", "deck: blue red"],
        "bet",
    ),
    (
        "an end that looks at a hidden card",
        "kinds card\n  | kind |\n  | red |\n  | blue |\nzone deck: pile of card, seen by no\n\
        setup { put red on deck put blue on deck shuffle deck }\naction wait { }\n\
        play { turns { mover plays wait } }\n\
        end blue after move when any c in top of deck: c.kind == blue { draw }\nend e after move when ply > 3 { draw }\n",
        ["deck: red blue", "deck: blue red"],
        "wait",
    ),
    (
        "a definition of what another seat holds",
        "piece die { face: int }\nzone cup(p: seat): set of die, seen by p\n\
        setup { for p in seats { roll f in 1..2 seen by p put die with face = f on cup(p) } }\n\
        define ones = sum 1 for d in cup(b) where d.face == 1\n\
        action call { if ones > 0 { win a } else { win b } }\nplay { turns { mover plays call } }\n",
        ["cup(a): die{face=1} | cup(b): die{face=1}", "cup(a): die{face=1} | cup(b): die{face=2}"],
        "call",
    ),
];

/// For a legal move `why` says what holds throughout the information set, and that there is more.
#[test]
fn why_reveals_nothing_hidden() {
    for (what, items, [one, two], text) in FORETOLD {
        let loaded = load("g.rules", &format!("game g\nplayers a, b\n{items}"), &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{what}: {}", reports(&loaded));
        let engine = Walker::new(loaded.game.expect("a game"));
        let at = |zones: &str| parse_position(&engine, &format!("g 2 | mover=a | {zones}")).expect("a position");
        let why = |position: &Position, seat: Option<SeatId>| {
            let mv = find_move(&engine, position, text).expect("a move");
            grounds(&engine, position, seat, &Step::Move(mv))
        };
        let me = Some(SeatId::new(0));
        assert_eq!(why(&at(one), me), why(&at(two), me), "{what}");
        assert!(why(&at(one), me).veiled, "{what}");
        // The referee is told what happens.
        assert_ne!(why(&at(one), None), why(&at(two), None), "{what}");
        assert!(!why(&at(one), None).veiled, "{what}");
    }
}

/// A seat that chooses second in secret is not told what follows from both choices.
#[test]
fn why_reveals_no_secret_choice() {
    let text = "game g\nplayers a, b\nenum sign = rock, paper, scissors\nvar shown(p: seat): sign = rock\nvar moved: int\n\
        action show { choose s in sign shown(me) := s moved += 1 }\n\
        end same after move when moved == 2 and shown(a) == shown(b) { draw }\n\
        end paper after move when moved == 2 and shown(a) == paper { win a }\n\
        play { together seats play show win b }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let engine = Walker::new(loaded.game.expect("a game"));
    let after = |choice: &str| {
        let start = engine.start();
        let mv = find_move(&engine, &start, choice).expect("a move");
        engine.play_unchecked(&start, &mv)
    };
    for answer in ["rock", "paper", "scissors"] {
        let why = |position: &Position| {
            let mv = find_move(&engine, position, answer).expect("a move");
            grounds(&engine, position, position.asked(), &Step::Move(mv))
        };
        assert_eq!(why(&after("rock")), why(&after("paper")), "{answer}");
        assert_eq!(why(&after("rock")), why(&after("scissors")), "{answer}");
        assert!(why(&after("rock")).veiled, "{answer}");
    }
}

/// Who sees whose a piece is stands by itself: covered tiles of both seats look alike, and what lies open shows both.
#[test]
fn whose_a_piece_is_can_be_hidden() {
    let engine = engine(&root("tests/fixtures/faces.rules"), &Setup::default());
    let start = regelwerk::play::deal(&engine, engine.start(), &mut Stream::new(2, "deal", 0));
    let seen = |position: &Position, viewer| engine.explain().observation(position, viewer);
    let red = Viewer::Seat(SeatId::new(0));
    let covered = seen(&start, red);
    assert!(covered.sites.iter().flatten().all(|tile| tile.is_hidden() && tile.owner.is_none()));
    assert!(start.sites.iter().flatten().any(|tile| tile.owner == Some(SeatId::new(1))));
    let turned = engine.play_unchecked(&start, &find_move(&engine, &start, "turn_up a1").expect("a move"));
    for viewer in viewers(&engine) {
        let open = seen(&turned, viewer);
        let shown: Vec<_> = open.sites.iter().flatten().filter(|tile| !tile.is_hidden()).collect();
        assert_eq!(shown, [turned.sites[0].as_ref().expect("a tile")]);
    }
    // Owners change places among the covered tiles, and nothing else does.
    let mut dice = Stream::new(4, "owners", 0);
    let owners = |position: &Position| position.sites.iter().flatten().map(|tile| tile.owner).collect::<Vec<_>>();
    let mut others = 0;
    for _ in 0..20 {
        let other = determinize(&engine, &turned, red, &mut dice);
        assert_eq!(seen(&other, red), seen(&turned, red));
        assert_eq!(other.sites[0], turned.sites[0]);
        others += usize::from(owners(&other) != owners(&turned));
    }
    assert!(others > 10, "{others}");
}

/// A kind that lies open may hide whose it is; the rules that go by it tell, and `owner seen by` needs an owner.
#[test]
fn owners_are_secrets_of_their_own() {
    let game = |rules: &str| {
        let text =
            format!("game g\nplayers a, b\nboard square 3 x 3\n{rules}\nend e after move when ply > 7 {{ draw }}\n");
        load("g.rules", &text, &NoFiles, &Setup::default())
    };
    let spies = "piece spy owned owner seen by no\n\
        setup { put spy of a on a1 put spy of b on b1 put spy of a on c1 }\n";
    let loaded = game(&format!("{spies}action wait {{ }}\nplay {{ turns {{ mover plays wait }} }}"));
    assert_eq!(reports(&loaded), "");
    let engine = Walker::new(loaded.game.expect("a game"));
    let seen = engine.explain().observation(&engine.start(), Viewer::Seat(SeatId::new(1)));
    let owners: Vec<_> = seen.sites.iter().flatten().map(|spy| (spy.is_hidden(), spy.owner)).collect();
    assert_eq!(owners, [(false, None); 3]);
    // Who sees the owner must not go by the owner: who does not see it would know that it is another.
    let own = game(
        "piece spy owned owner seen by it.owner\nsetup { put spy of a on a1 }\naction wait { }\nplay { turns { mover plays wait } }",
    );
    assert!(reports(&own).contains("who sees it depends on where `spy` is"), "{}", reports(&own));
    // What can be chosen goes by owners that nobody sees, or does not.
    let told = |rules: &str| reports(&game(&format!("{spies}{rules}"))).matches("where `spy` is").count();
    assert_eq!(
        told("action go { choose f in spy of opponent(me) remove f }\nplay { turns { mover plays go else pass } }"),
        1
    );
    assert_eq!(told("action go { choose f in spy remove f }\nplay { turns { mover plays go else pass } }"), 0);
    let idle = game(
        "piece spy owner seen by no\nsetup { put spy on a1 }\naction wait { }\nplay { turns { mover plays wait } }",
    );
    assert!(reports(&idle).contains("belong to nobody"), "{}", reports(&idle));
}

/// Where nothing is hidden, what chance draws is told to all wherever it lies, and known.
#[test]
fn nothing_is_kept_where_nothing_is_hidden() {
    let text = "game g\nplayers a, b\nkinds card\n  | kind |\n  | x |\n  | y |\nzone t: set of card, seen by all\nvar n: int \"n\"\n\
        setup { put x on t  put y on t }\naction go { roll c in t  move c from t to t  if c.kind == x { n := 1 } }\n\
        play { a plays go  b plays go  draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!reports(&loaded).contains("check/tells"), "{}", reports(&loaded));
    let engine = Walker::new(loaded.game.expect("a game"));
    let asked =
        engine.play(&engine.start(), &find_move(&engine, &engine.start(), "go").expect("a move")).expect("legal");
    let said = told(&engine, &asked, &engine.legal(&asked)[0], Viewer::Spectator);
    assert_eq!(said[0].1.to_string(), "x");
}
