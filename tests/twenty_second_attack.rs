//! What a twenty-second attack found.

use std::sync::Arc;

use regelwerk::bots::{Evaluation, Spec};
use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, check_all, load};
use regelwerk::measure::{Plan, Side, play_pairs};
use regelwerk::model::{Engine, Meter, Position, Viewer};
use regelwerk::notation::{parse_answer, print_answer};
use regelwerk::play::{InformationSet, Match, Stream, View, read_step};
use regelwerk::report::Code;
use regelwerk::view::{Look, board};

use crate::support::{on_both as after, reports};

fn loaded(text: &str, setup: &Setup) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, setup);
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

/// A dash between blanks and a digit is the sign of a number: what is printed of a claim is the same claim when read.
#[test]
fn claims_with_negative_numbers_are_read_back() {
    let game = "game n\nplayers a, b\nvar x: int\naction go { choose h in {1, 2} choose n in {-1, 1}  x := n * h }\n\
         claim c { choose h in {1, 2} choose n in {-1, 1}  x := n * 10 + h }\n\
         claim d { choose m in moves(go) choose n in {-1, 1}  x := n * 10 }\n\
         play { turns { mover plays go } }\nend e after move when ply > 9 { draw }";
    for (step, x) in [
        ("claim c 1 -1", -9),
        ("claim c 1--1", -9),
        ("claim c 1 1", 11),
        ("claim c 1-1", 11),
        ("claim c 1 - 1", 11),
        ("claim d 1-1 -1", -10),
        ("claim d 1--1--1", -10),
        ("claim d 1--1 1", 10),
        ("2 -1", -2),
        ("2--1", -2),
        ("2 1", 2),
    ] {
        let (position, _) = after(game, &[step]);
        assert!(position.contains(&format!("| x={x}")), "{step}: {position}");
    }
    let fast = loaded(game, &Setup::default());
    let start = fast.start();
    for text in ["claim c 2--1", "claim c 2 1 by b", "claim d 2-1--1", "claim d 1--1-1"] {
        let read = parse_answer(fast.game(), &start, text).expect("a claim");
        let printed = print_answer(fast.game(), &start, &read);
        assert_eq!(parse_answer(fast.game(), &start, &printed).as_ref(), Ok(&read), "{text} is printed as {printed}");
    }
}

/// A seat may be called `by`, an action `claim`: what is written names a claim where there is one of that name.
#[test]
fn claims_are_told_from_what_is_called_so() {
    let game = "game n\nplayers by, to\nvar x: int\naction claim { choose n in 1..3  x := n }\n\
         claim point by any seat { choose p in seats choose n in 1..3  \
         x := (if me == to then 100 else 0) + 10 * n + (if p == by then 1 else 2) }\n\
         play { turns { mover plays claim } }\nend e after move when ply > 9 { draw }";
    for (step, expected) in [
        ("claim point by 2", "x=21"),
        ("claim point to 2", "x=22"),
        ("claim point by 2 by to", "x=121"),
        ("claim point to 1 by to", "x=112"),
        ("claim 3", "x=3"),
    ] {
        let (position, _) = after(game, &[step]);
        assert!(position.contains(expected), "{step}: {position}");
    }
}

/// The values of a region count for the memory they take: ten times 98 304 sets of up to 4096 sites would be half a gigabyte.
#[test]
fn wide_values_of_regions_count() {
    let game = |side: usize, regions: usize| {
        let values: Vec<String> = (0..24).map(|n| format!("v{n}")).collect();
        let regions: Vec<String> = (0..regions).map(|n| format!("region r{n}(f: site, x: k) = f\n")).collect();
        format!(
            "game g\nplayers a, b\nboard square {side} x {side}\nenum k = {}\npiece m\n{}\
             action go {{ choose f in r0(a1, v1) & empty  put m on f }}\nplay {{ turns {{ mover may play go }} }}\n\
             end e after move when ply > 3 {{ draw }}",
            values.join(", "),
            regions.concat()
        )
    };
    for (side, regions, refused) in [(16, 10, false), (64, 1, false), (64, 10, true)] {
        let loaded = load("g.rules", &game(side, regions), &NoFiles, &Setup::default());
        let found = loaded.reports.sorted().iter().any(|report| report.code == Code::OutOfRange);
        assert_eq!(found, refused, "{regions} regions on {side} x {side}: {}", reports(&loaded));
    }
}

/// Who may know what is work of a check as well, in each setup.
#[test]
fn what_is_known_counts_in_a_check() {
    let game = |variants: usize| {
        let head = "game g\nplayers a, b\noption o = 0 from 0..100\nvar h(p: seat): int seen by p\nvar i(p: seat): int seen by p\n\
             action act { choose n in 1..2 }\naction secret { choose n in 1..6 seen by me  h(me) := n  q0(me, n) }\n\
             play { turns { mover plays secret | act } }\nend e after move when ply > o + 3 { draw }\n\
             procedure q8(p: seat, n: int) { h(p) += n }\n";
        let procedure = |n: usize| {
            let next = n + 1;
            format!(
                "procedure q{n}(p: seat, n: int) {{ if n > h(p) {{ q{next}(p, h(p) + n) }} else {{ q{next}(following(p), i(p)) }} \
                 for s in seats {{ if i(s) > n {{ q{next}(s, n) }} }} }}\n"
            )
        };
        let procedures: Vec<String> = (0..8).map(procedure).collect();
        let variants: Vec<String> = (0..variants).map(|n| format!("variant v{n} {{ set o = {} }}\n", n + 1)).collect();
        [head.to_owned(), procedures.concat(), variants.concat()].concat()
    };
    for (variants, unfinished) in [(0, false), (60, true)] {
        let loaded = check_all("g.rules", &game(variants), &NoFiles);
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        assert_eq!(loaded.unfinished, unfinished, "{variants} variants");
    }
}

/// However light each evaluation, thousands of them are not what a depth of one asks for.
#[test]
fn a_search_of_one_answer_ends() {
    let engine: Arc<dyn Engine> = Arc::new(loaded(
        "game h\nplayers red, blue\nboard hex hexagon 32\npiece st owned { d: direction, v: int = 3, x: bool symbol \"!\" }\n\
         region near(p: seat) = {f in sites where f.r == (if p == red then -31 else 31)}\n\
         action lay { choose f in empty choose g in around(f) & empty  put own st with d = ne, v = 12, x = true on f | g }\n\
         play { turns { mover plays lay } }\nend w after move when connected(near(red), near(blue), own st) { win me }\n\
         end rows_ after move when some rows(own st, 7) { win me }",
        &Setup::default(),
    ));
    let meter = Meter::new(100_000_000);
    let held = engine.within(&meter);
    let position = held.start();
    let seat = position.asked().expect("a seat is asked");
    let evaluation = Arc::new(Evaluation::blind(held.as_ref()));
    let view = View::new(held.as_ref(), &position, Viewer::Seat(seat));
    let known = InformationSet::new(held.as_ref(), &position, seat);
    let before = meter.grant(u64::MAX);
    let bot: Spec = "alphabeta:1".parse().expect("a bot");
    let chosen = bot.bot(held.as_ref(), &evaluation, Stream::new(1, "bot", 0)).choose(&view, &known, &|| false);
    assert!(view.legal.len() > 15_000 && chosen.is_some_and(|n| n < view.legal.len()));
    let spent = before - meter.grant(u64::MAX);
    assert!((20_000_000..25_000_000).contains(&spent), "{spent} steps");
}

/// A site is drawn in some columns, whatever lies on it.
#[test]
fn long_symbols_are_shortened() {
    let name = "x".repeat(97);
    let fields: Vec<String> = (0..20).map(|n| format!("f{n}: en symbol \"s\"")).collect();
    let fast = loaded(
        &format!(
            "game u\nplayers a, b\nboard square 8 x 8\nenum en = {name}, q\npiece card owned {{ {} }}\n\
             setup {{ put card of a on sites }}\naction go {{ choose f in card  remove f }}\nplay {{ turns {{ mover plays go }} }}\n\
             end e after move when no card {{ draw }}",
            fields.join(", ")
        ),
        &Setup::default(),
    );
    let seen = fast.explain().observation(&fast.start(), Viewer::Spectator);
    let drawn = board(fast.game(), &seen, &Look::default());
    let widest = drawn.lines().map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|widest| widest > 8 * 16 && widest < 8 * 20) && drawn.contains('…'), "{drawn}");
}

/// Where another seat begins, the two games of a pair are asked different things from the first question on.
#[test]
fn another_seat_is_asked_something_else() {
    let text = "game g\nplayers white, black\nvar points(p: seat): int\naction score { choose n in 1..2  points(me) += n }\n\
         play { turns { mover plays score } }\nend done after move when ply >= 2 { win white }\n\
         variant turned { replace players black, white }";
    let turned = Setup { variants: vec!["turned".to_owned()], ..Setup::default() };
    for (other, apart) in [(Setup::default(), 0), (turned, 20)] {
        let (one, two) = (loaded(text, &Setup::default()), loaded(text, &other));
        let starts = [one.start(), two.start()];
        let sides = [Side::new(&one, &starts[0]), Side::new(&two, &starts[1])];
        let pairs = play_pairs(sides, &Plan { cap: 10, ..Plan::default() }, true, 0..20, &|_| ());
        assert_eq!((pairs.pairs, pairs.courses), (20, apart));
    }
}

/// A bot does the same whatever another seat has chosen in secret, also where what is hidden is found by playing the game again:
/// which action it was is as unknown as its parameters.
#[test]
fn a_secret_action_is_not_known_where_games_are_enacted() {
    let fast = loaded(
        "game k\nplayers a, b\nvar code(p: seat): int seen by p\nvar hid: int seen by no\nvar pub(p: seat): int\n\
         action pick { choose s in 1..3 seen by me  code(me) := s }\naction plain { pub(me) += 1 }\naction plainer { pub(me) += 2 }\n\
         setup { for p in seats { roll z in 1..3 seen by no  hid += z } }\n\
         play { repeat 4 { together seats play pick | plain | plainer } rank p in seats by pub(p) }",
        &Setup::default(),
    );
    let start = fast.start();
    let seat = SeatId::new(1);
    let drawn = |chosen: &str| -> Vec<Position> {
        let mut game = Match::new(&fast, start.clone());
        for text in ["1", "2", chosen] {
            let step = read_step(&fast, game.position(), text).expect("a move");
            game.play(step).expect("legal");
        }
        let known = InformationSet::remembering(&game, seat);
        (0..20).map(|n| known.determinize(&mut Stream::new(n, "sample", 0))).collect()
    };
    let first = drawn("pick 1");
    for other in ["pick 3", "plain", "plainer"] {
        assert_eq!(drawn(other), first, "{other}");
    }
}
