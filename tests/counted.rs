//! The number and the order of pieces, each hidden by itself.

use regelwerk::engine::Fast;
use regelwerk::ir::{Piece, SeatId};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Meter, Observation, Position, Viewer};
use regelwerk::notation::{find_move, parse_position, print_position};
use regelwerk::play::{InformationSet, Match, Stream, Who, determinize};
use regelwerk::view::{Look, position as draw};

use crate::support::{reports, root};

const A: Viewer = Viewer::Seat(SeatId::FIRST);

fn b() -> Viewer {
    Viewer::Seat(SeatId::new(1))
}

/// Two seats; a hand whose cards and number its seat alone sees, a pile of which all see the top and nobody the number, a
/// row of which all see the cards and nobody the order.
const TABLE: &str = "game g\nplayers a, b\npiece card { rank: int }\n\
    zone hand(p: seat): set of card, seen by p, number seen by p\nzone heap: pile of card, seen by all, number seen by no\n\
    zone line: row of card, seen by all, order seen by no\nzone box: pile of card, at most 2, seen by no, number seen by no\n\
    setup { for n in 1..4 { put card with rank = n on line } }\naction stay { }\nplay { turns { mover plays stay } }\n\
    end e after move when ply > 9 { draw }\n";

fn table() -> Fast {
    let loaded = load("g.rules", TABLE, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

/// What a viewer sees of a position, as text and drawn.
fn seen(engine: &dyn Engine, text: &str, viewer: Viewer) -> (String, String) {
    let position = parse_position(engine, text).expect("a position");
    let seen = engine.explain().observation(&position, viewer);
    (print_position(engine, &seen), draw(engine.game(), &seen, &Look::default()))
}

#[test]
fn who_does_not_see_the_number_sees_the_same_of_any() {
    let engine = table();
    let [one, three, none] = [
        "g 2 | mover=a | hand(a): card{rank=1}",
        "g 2 | mover=a | hand(a): card{rank=1} card{rank=2} card{rank=3}",
        "g 2 | mover=a",
    ];
    for viewer in [b(), Viewer::Spectator] {
        let of = |text: &str| seen(&engine, text, viewer);
        assert_eq!(of(one), of(three));
        assert_eq!(of(one), of(none), "an empty hand looks like any other");
        assert!(of(one).0.contains("hand(a): ?*") && of(one).1.contains("not counted"), "{:?}", of(one));
    }
    assert!(seen(&engine, three, A).0.contains("hand(a): card{rank=1} card{rank=2} card{rank=3}"));
}

#[test]
fn of_a_pile_the_top_is_seen_whatever_lies_below() {
    let engine = table();
    let of = |cards: &str| seen(&engine, &format!("g 2 | mover=a | heap: {cards}"), b());
    assert_eq!(of("card{rank=3}"), of("card{rank=1} card{rank=2} card{rank=3}"));
    assert!(of("card{rank=3}").0.contains("heap: ?* card{rank=3}"), "{:?}", of("card{rank=3}"));
    // That there is none is seen.
    assert!(!seen(&engine, "g 2 | mover=a", b()).0.contains("heap"));
}

#[test]
fn who_does_not_see_the_order_sees_the_pieces() {
    let engine = table();
    let of = |cards: &str| seen(&engine, &format!("g 2 | mover=a | line: {cards}"), A);
    assert_eq!(of("card{rank=2} card{rank=1} card{rank=3}"), of("card{rank=3} card{rank=1} card{rank=2}"));
    assert!(of("card{rank=2} card{rank=1}").0.contains("line: card{rank=1} card{rank=2}"));
    assert_ne!(of("card{rank=2} card{rank=1}"), of("card{rank=2}"));
}

/// Samples have other numbers and orders, as many pieces in all, and no more in a zone than it takes.
#[test]
fn samples_differ_in_number_and_order() {
    let engine = table();
    let text = "g 2 | mover=a | line: card{rank=2} card{rank=1} card{rank=3} | hand(a): card{rank=4} card{rank=5} | \
        box: card{rank=6} | heap: card{rank=7} card{rank=8}";
    let position = parse_position(&engine, text).expect("a position");
    let mut dice = Stream::new(1, "counted", 0);
    let (mut hands, mut orders) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for _ in 0..200 {
        let other = determinize(&engine, &position, b(), &mut dice);
        let looks = |position: &Position| engine.explain().observation(position, b());
        assert_eq!(looks(&other), looks(&position));
        let all = |position: &Position| {
            let mut pieces: Vec<Piece> = position.zones.iter().flatten().flatten().cloned().collect();
            pieces.sort();
            pieces
        };
        assert_eq!(all(&other), all(&position));
        assert!(other.zones[3][0].len() <= 2, "the box takes two");
        hands.insert(other.zones[0][0].clone());
        orders.insert(other.zones[2][0].clone());
    }
    // Of the four cards that nobody counts, b holds none for certain, since it sees its own hand.
    let sizes: std::collections::BTreeSet<usize> = hands.iter().map(Vec::len).collect();
    assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(orders.len(), 6, "three cards lie in any of six orders");
    // Whoever sees the hand finds it in each sample.
    let own = determinize(&engine, &position, A, &mut dice);
    assert_eq!(own.zones[0][0], position.zones[0][0]);
}

/// A tile that lies open hidden in a box is dealt to no field, where it would be seen.
#[test]
fn what_would_be_seen_on_a_board_stays_in_its_zone() {
    let text = "game g\nplayers a, b\nboard square 3 x 1\npiece tile { up: bool, n: int } seen by (if it.up then seats else {})\n\
        zone box: pile of tile, seen by no\nsetup { put tile on sites }\naction stay { }\n\
        play { turns { mover plays stay } }\nend e after move when ply > 9 { draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let engine = Fast::new(loaded.game.expect("a game"));
    let text = "g 2 | mover=a | tile: a1 b1 | tile{n=2}: c1 | box: tile{up,n=3} tile{n=4}";
    let position = parse_position(&engine, text).expect("a position");
    let looks = |position: &Position| engine.explain().observation(position, A);
    let mut dice = Stream::new(3, "boxes", 0);
    let mut boxes = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let other = determinize(&engine, &position, A, &mut dice);
        assert_eq!(looks(&other), looks(&position));
        boxes.insert(other.zones[0][0].clone());
    }
    // The open tile is above or below any of the three others.
    assert_eq!(boxes.len(), 6);
}

/// Who remembers the game finds the numbers that can be, and no others: three coins each, of which some are in the fist.
#[test]
fn numbers_are_those_that_can_have_come_about() {
    let path = root("tests/fixtures/fists.rules");
    let engine = Fast::new(crate::support::game(&path, &Setup::default()));
    let mut game = Match::new(&engine, engine.start());
    for text in ["hide 1", "hide 3", "hide 0"] {
        let mv = find_move(&engine, game.position(), text).expect("a move");
        game.play_unchecked(mv);
    }
    // Ann is asked what she says; she saw her own coin alone.
    let ann = SeatId::FIRST;
    let known = InformationSet::remembering(&game, ann);
    let mut dice = Stream::new(2, "fists", 0);
    let mut found = std::collections::BTreeMap::new();
    for _ in 0..1600 {
        let other = known.determinize(&mut dice);
        let [purse, fist] = [0, 1].map(|zone| other.zones[zone].iter().map(Vec::len).collect::<Vec<_>>());
        assert_eq!((purse[0], fist[0]), (2, 1));
        assert!((0..3).all(|seat| purse[seat] + fist[seat] == 3), "{purse:?} {fist:?}");
        *found.entry((fist[1], fist[2])).or_insert(0) += 1;
    }
    // Sixteen cases, equally likely: a hundred of each, give or take five standard deviations of about ten.
    assert_eq!(found.len(), 16, "{found:?}");
    assert!(found.values().all(|count| (50..=150).contains(count)), "{found:?}");
    // The others' view of her fist is one for all that she can have hidden.
    let views: Vec<_> = ["hide 0", "hide 3"]
        .map(|text| {
            let mut game = Match::new(&engine, engine.start());
            game.play_unchecked(find_move(&engine, game.position(), text).expect("a move"));
            let door = game.door(Who::Viewer(b()));
            (door.position(), format!("{:?}", door.events(0, 1)))
        })
        .into();
    assert_eq!(views[0], views[1]);
}

/// What is seen with the pieces, or is not there, cannot be hidden.
#[test]
fn what_cannot_be_hidden_is_reported() {
    let report = |zone: &str| {
        let text = format!(
            "game g\nplayers a, b\npiece card\nzone z: {zone}\nsetup {{ put card on z }}\naction stay {{ }}\n\
             play {{ turns {{ mover plays stay }} }}\nend e after move when ply > 9 or count(z) > 3 {{ draw }}\n"
        );
        reports(&load("g.rules", &text, &NoFiles, &Setup::default()))
    };
    assert!(report("row of card, number seen by no").contains("how many there are"));
    assert!(report("set of card, seen by a, order seen by no").contains("a set has no order"));
    assert!(report("pile of card, order seen by no").contains("of a pile the top alone is seen"));
    assert!(report("row of card, number seen by a, number seen by b").contains("given twice"));
    assert_eq!(report("row of card, order seen by no"), "");
}

/// What was found of the pieces that left a game stays with it, and is what a fresh look finds: after each ply, and after some are
/// taken back.
#[test]
fn what_is_kept_of_lost_pieces_is_what_happened() {
    let rules = "game g\nplayers a, b\nboard square 5 x 5\npiece man owned { rank: int } seen by it.owner\n\
        setup { for f in sites { if f.row != 3 { put man of (if f.row < 3 then a else b) with rank = f.column on f } } }\n\
        action go { choose f in own man choose t in around(f) - own man move f to t }\n\
        action drop { choose t in empty put own man with rank = 1 on t }\n\
        play { turns { mover plays go | drop } }\nend e after move when ply > 60 { draw }\n";
    let loaded = load("g.rules", rules, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let engine = Fast::new(loaded.game.expect("a game"));
    let mut game = Match::new(&engine, engine.start());
    let mut dice = Stream::new(4, "lost", 0);
    let mut taken = 0;
    for ply in 0..50 {
        let legal = engine.legal(game.position());
        let before = game.position().sites.iter().flatten().count();
        game.play_unchecked(legal[dice.below(legal.len())].clone());
        taken += usize::from(game.position().sites.iter().flatten().count() < before);
        let seat = game.position().asked().expect("a seat");
        let fresh = game.within(&Meter::new(u64::MAX));
        let drawn = |game: &Match<'_>| {
            let known = InformationSet::remembering(game, seat);
            let mut dice = Stream::new(ply, "drawn", 0);
            (0..4)
                .map(|_| print_position(&engine, &Observation::referee(&known.determinize(&mut dice))))
                .collect::<Vec<_>>()
        };
        assert_eq!(drawn(&game), drawn(&fresh), "ply {ply}");
        if ply % 7 == 6 {
            assert!(game.rewind(game.steps().len() - 3));
        }
    }
    assert!(taken > 5, "{taken}");
}
