//! What left the game or was changed where a seat did not see it: that seat's samples tell nothing of what is left.

use std::collections::BTreeSet;

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Position};
use regelwerk::play::{InformationSet, Match, Stream, Who};

use crate::support::{played, reports};

fn engine(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

/// Games with all that chance does to a few pieces.
fn games<'a>(engine: &'a Fast, steps: &[&str]) -> Vec<Match<'a>> {
    (0..12).map(|seed| played(engine, Stream::new(seed, "unseen", 0), steps)).collect()
}

/// What the second seat takes for possible in a game.
fn possible<T: Ord>(game: &Match<'_>, of: impl Fn(&Position) -> T) -> BTreeSet<T> {
    let known = InformationSet::remembering(game, SeatId::new(1));
    let mut dice = Stream::new(1, "samples", 0);
    (0..300).map(|_| of(&known.determinize(&mut dice))).collect()
}

/// Whose the piece on b2 is.
fn owner(position: &Position) -> Option<usize> {
    position.sites.iter().flatten().next().and_then(|piece| piece.owner).map(usize::from)
}

/// Of two pieces whose owners nobody sees one stays and the other leaves the game, in the setup or in one action; or one
/// is put for a seat that somebody chooses in secret.
#[test]
fn an_owner_that_nobody_sees_may_be_any() {
    let bag = "put spy of a on bag put spy of b on bag shuffle bag";
    for (setup, wait) in [
        (format!("{bag} move top of bag to b2 move top of bag to c1 remove c1"), ""),
        (format!("{bag} move top of bag to b2"), ""),
        (bag.to_owned(), "move top of bag to b2 move top of bag to c1 remove c1"),
        (bag.to_owned(), "move top of bag to b2 move top of bag to b2"),
        (format!("{bag} move top of bag to b2 change b2: hurt = true"), ""),
        (format!("{bag} move top of bag to b2"), "change b2: hurt = true"),
        (format!("{bag} move top of bag to b2 move top of bag to c3"), "change b2: hurt = true"),
        ("roll p in seats seen by no put spy of p on b2".to_owned(), ""),
        (String::new(), "choose p in seats seen by me put spy of p on b2"),
    ] {
        let text = format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece spy owned {{ hurt: bool }} owner seen by no\nzone bag: pile of spy, seen by no\n\
             setup {{ {setup} }}\naction wait {{ choose n in 1..2 {wait} }}\n\
             action guess {{ choose p in seats if told(any x at spy: x.owner == {{p}}) {{ win me }} else {{ lose me }} }}\n\
             play {{ a plays wait b plays guess }}\n"
        );
        let engine = engine(&text);
        let mut truths = BTreeSet::new();
        let taken = if wait.contains("choose") { ["1-a", "1-b"] } else { ["1", "2"] };
        for taken in taken {
            for game in games(&engine, &[taken]) {
                truths.insert(owner(game.position()));
                assert_eq!(possible(&game, owner), [Some(0), Some(1)].into(), "{setup} {wait}");
            }
        }
        assert_eq!(truths.len(), 2, "{setup} {wait}");
    }
}

/// The samples of two games that a seat cannot tell apart are the same.
#[test]
fn games_that_look_alike_have_the_same_samples() {
    let spies = "put spy of a on bag put spy of b on bag";
    let men = "put man with h = 1 on bag put man with h = 2 on bag";
    for setup in [
        format!("{spies} put spy of b on bag shuffle bag move top of bag to b2"),
        format!("{spies} shuffle bag move top of bag to b2 move top of bag to c1 remove c1"),
        format!("{spies} shuffle bag move top of bag to b2 move top of bag to b2 put spy of a on bag"),
        format!("{men} shuffle bag move top of bag to c1 move top of bag to c1 put man with h = 1 on bag"),
        format!("{men} shuffle bag move top of bag to c1 move top of bag to c1 put man with h = 1 on a1"),
        format!("{men} put man with h = 3 on bag shuffle bag move top of bag to c1 move top of bag to a1 remove a1"),
        format!("{men} shuffle bag move top of bag to c1 change c1: n = 4"),
        format!("{men} shuffle bag move top of bag to c1 put man with h = 2 on c1"),
    ] {
        let engine = engine(&format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece spy owned owner seen by no\npiece man {{ h: int, n: int }} seen by no\n\
             zone bag: pile of piece, seen by no\nsetup {{ {setup} }}\n\
             action guess {{ choose p in seats if told(any x at sites: x.owner == {{p}} or x.h == p.number) {{ win me }} else {{ lose me }} }}\n\
             play {{ b plays guess }}\n",
        ));
        let samples = |game: &Match<'_>| {
            let known = InformationSet::remembering(game, SeatId::new(1));
            let mut dice = Stream::new(1, "samples", 0);
            (0..20).map(|_| engine_text(game, &known.determinize(&mut dice))).collect::<Vec<_>>()
        };
        let all = games(&engine, &[]);
        let found: BTreeSet<Vec<String>> = all.iter().map(samples).collect();
        let truths: BTreeSet<String> = all.iter().map(|game| engine_text(game, game.position())).collect();
        assert_eq!(found.len(), 1, "{setup}");
        assert!(truths.len() > 1, "{setup}");
    }
}

fn engine_text(game: &Match<'_>, position: &Position) -> String {
    format!("{:?} {:?} {}", position.sites, position.zones, game.engine().name())
}

/// Of pieces that differ in what nobody sees, some are changed: what they were may be what is left.
#[test]
fn a_field_may_be_what_another_was_before_it_was_changed() {
    let card = "zone bag: pile of man, seen by no\nzone hand(p: seat): set of man, seen by p\n";
    let bag = "put man with h = 1 on bag put man with h = 2 on bag put man with h = 3 on bag shuffle bag";
    let hand = |position: &Position| position.zones[1][0].first().map(|piece| piece.fields[0]);
    let board = |position: &Position| position.sites.iter().flatten().next_back().map(|piece| piece.fields[0]);
    for (setup, wait, of) in [
        (format!("{bag} move top of bag to hand(a)"), "change bag: h = 7", &hand as &dyn Fn(&Position) -> Option<i32>),
        (bag.to_owned(), "move top of bag to hand(a) change bag: h = 7", &hand),
        (format!("{bag} move top of bag to a2 move top of bag to c1 change c1: h = 7"), "", &board),
    ] {
        let text = format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece man {{ h: int }} seen by no\n{card}setup {{ {setup} }}\n\
             action wait {{ choose n in 1..2 {wait} }}\n\
             action guess {{ choose p in 1..3 if told(any x at man: x.h == p) or told(any x in hand(a): x.h == p) {{ win me }} else {{ lose me }} }}\n\
             play {{ a plays wait b plays guess }}\n"
        );
        let engine = engine(&text);
        let mut truths = BTreeSet::new();
        for game in games(&engine, &["1"]) {
            truths.insert(of(game.position()));
            let found = possible(&game, of);
            assert!([1, 2, 3].iter().all(|h| found.contains(&Some(*h))), "{setup} {wait}: {found:?}");
        }
        assert_eq!(truths.len(), 3, "{setup} {wait}");
    }
}

/// A refusal says nothing of an owner that the seat does not see.
#[test]
fn a_refusal_names_no_owner_that_is_not_seen() {
    let engine = engine(
        "game g\nplayers a, b\nboard square 3 x 3\npiece spy owned owner seen by no\npiece rock\n\
         zone bag: pile of spy, seen by no\n\
         setup { put spy of a on bag put spy of b on bag shuffle bag move top of bag to b2 move top of bag to c1 remove c1 }\n\
         action lay { choose f in empty put rock on f }\nplay { repeat 4 { a plays lay b plays lay } }\n",
    );
    let all = games(&engine, &["a1"]);
    let grounds = all.iter().map(|game| {
        let door = game.door(Who::seat(SeatId::new(1)));
        let step = door.read("b2").expect("a step");
        format!("{:?}", door.grounds(&step).open())
    });
    assert_eq!(grounds.collect::<BTreeSet<_>>().len(), 1);
    let whose = |game: &Match<'_>| game.position().sites.iter().flatten().find_map(|piece| piece.owner);
    assert_eq!(all.iter().map(whose).collect::<BTreeSet<_>>().len(), 2);
}

/// What depends on earlier positions cannot be sampled: the seat is told the rule alone.
#[test]
fn a_refusal_by_earlier_positions_states_nothing() {
    let engine = engine(
        "game g\nplayers a, b\nvar total(p: seat): int seen by p\nvar x: int\n\
         action w { choose n in 1..4 seen by me total(me) := n }\n\
         action t { require told(occurrences of total > 5) x := 1 }\naction ok { choose n in 1..2 x := n }\n\
         play { a plays w a plays w repeat 3 { b plays ok | t } }\n",
    );
    let game = played(&engine, Stream::new(1, "unseen", 0), &["1", "1"]);
    let door = game.door(Who::seat(SeatId::new(1)));
    let grounds = door.grounds(&door.read("t").expect("a step")).open();
    let refusal = grounds.verdict.expect_err("a refusal");
    assert!(grounds.veiled && refusal.found.is_none(), "{refusal:?}");
}

/// Where a field of a hidden piece is written, the samples of positions that look alike are the same, whichever piece it was and
/// whether it held that already.
#[test]
fn what_is_written_unseen_tells_nothing_of_the_piece() {
    let men = "kinds man { h: suit } seen by no\n  | kind | worth |\n  | mid | 1 |\n  | low | 2 |\nzone bag: pile of man, seen by no\n";
    for (puts, wait, taken) in [
        ("put mid with h = green on bag put low with h = blue on bag", "change b2: h = red", ["1", "2"]),
        ("put mid with h = green on bag put mid with h = red on bag", "change b2: h = red", ["1", "2"]),
        (
            "put mid with h = green on bag put mid with h = red on bag",
            "choose n2 in suit seen by me change b2: h = n2",
            ["1-red", "1-green"],
        ),
    ] {
        let text = format!(
            "game g\nplayers a, b\nboard square 3 x 3\nenum suit = red, green, blue\n{men}\
             setup {{ {puts} shuffle bag move top of bag to b2 }}\naction wait {{ choose n in 1..2 {wait} }}\n\
             action guess {{ choose p in suit if told(any x at b2: x.h == p) {{ win me }} else {{ lose me }} }}\n\
             play {{ a plays wait b plays guess }}\n"
        );
        let engine = engine(&text);
        let samples = |game: &Match<'_>| {
            let known = InformationSet::remembering(game, SeatId::new(1));
            let mut dice = Stream::new(1, "samples", 0);
            (0..20).map(|_| engine_text(game, &known.determinize(&mut dice))).collect::<Vec<_>>()
        };
        let all: Vec<Match<'_>> = taken.iter().flat_map(|taken| games(&engine, &[taken])).collect();
        let found: BTreeSet<Vec<String>> = all.iter().map(samples).collect();
        let truths: BTreeSet<String> = all.iter().map(|game| engine_text(game, game.position())).collect();
        assert_eq!(found.len(), 1, "{puts} {wait}");
        assert!(truths.len() > 1, "{puts} {wait}");
    }
}

/// A card that a seat saw, and that went back among others, is not known to be the one that left.
#[test]
fn a_card_that_went_back_may_have_left() {
    let engine = engine(
        "game g\nplayers a, b\nboard square 3 x 3\npiece man { h: int } seen by no\npiece rock\nzone bag: pile of man, seen by no\n\
         zone hand(p: seat): set of man, seen by p\n\
         setup { put man with h = 1 on bag put man with h = 2 on bag put man with h = 3 on bag shuffle bag move top of bag to hand(b) }\n\
         action back { choose n in 1..2 move all of hand(me) to bag shuffle bag move top of bag to c1 put rock on c1 move top of bag to c2 }\n\
         action guess { choose p in 1..3 if told(any x at c2: x.h == p) { win me } else { lose me } }\n\
         play { b plays back b plays guess }\n",
    );
    let held = |game: &Match<'_>| {
        let first = game.since(0).find(|(position, _)| position.asked().is_some());
        first.map(|(position, _)| position.zones[1][1][0].fields[0])
    };
    let mut by_held = std::collections::BTreeMap::<_, (BTreeSet<Vec<String>>, BTreeSet<String>)>::new();
    for seed in 0..40 {
        let game = played(&engine, Stream::new(seed, "unseen", 0), &["1"]);
        let known = InformationSet::remembering(&game, SeatId::new(1));
        let mut dice = Stream::new(1, "samples", 0);
        let samples = (0..20).map(|_| engine_text(&game, &known.determinize(&mut dice))).collect::<Vec<_>>();
        let (found, truths) = by_held.entry(held(&game)).or_default();
        found.insert(samples);
        truths.insert(engine_text(&game, game.position()));
    }
    assert_eq!(by_held.len(), 3);
    for (found, truths) in by_held.values() {
        assert_eq!(found.len(), 1);
        assert!(truths.len() > 1);
    }
}

/// A shuffle of thousands of cards is gone through once: were each of its positions kept, this would take minutes.
#[test]
fn a_large_shuffle_is_gone_through_once() {
    let engine = engine(
        "game g\nplayers a, b\nboard square 3 x 3\npiece man { h: int } seen by no\nzone bag: pile of man, seen by no\n\
         setup { for h in 1..3 { put 4000 man with h = h on bag } shuffle bag move top of bag to c1 move top of bag to c1 }\n\
         action guess { choose p in 1..3 if told(any x at c1: x.h == p) { win me } else { lose me } }\nplay { b plays guess }\n",
    );
    let game = played(&engine, Stream::new(1, "unseen", 0), &[]);
    let known = InformationSet::remembering(&game, SeatId::new(1));
    let mut dice = Stream::new(1, "samples", 0);
    let on_board =
        |position: Position| position.sites.iter().flatten().map(|piece| piece.fields[0]).collect::<Vec<_>>();
    let found: BTreeSet<Vec<i32>> = (0..30).map(|_| on_board(known.determinize(&mut dice))).collect();
    assert_eq!(found, BTreeSet::from([vec![1], vec![2], vec![3]]));
}

/// Of choices that were made at the same time one is carried out and asks once more: what the others hid is hidden until then.
#[test]
fn a_choice_that_waits_to_be_carried_out_is_still_a_secret() {
    let numbers = "var sp(p: seat): int seen by p\naction w { choose o in 1..2 choose n in 1..2 seen by me sp(me) := n if me == a { bet() } }\n";
    let cards = "piece card { h: int }\nzone hand(p: seat): set of card, seen by p\nzone laid(p: seat): row of card, seen by p\n\
                 setup { for p in seats { put card with h = 1 on hand(p) put card with h = 2 on hand(p) } }\n\
                 action w { choose o in 1..2 choose c in hand(me) seen by me move c from hand(me) to laid(me) if me == a { bet() } }\n";
    for (rules, worth, choices) in [
        (numbers, "sp(b)", ["2-1", "2-2"]),
        (cards, "count({x in laid(b) where x.h == 1})", ["2-card{h=1}", "2-card{h=2}"]),
    ] {
        let engine = engine(&format!(
            "game g\nplayers a, b\nvar bets: int\n{rules}procedure bet() {{ choose k in 1..2 by a bets := k }}\n\
             play {{ together seats play w if told({worth} == bets) {{ win a }} else {{ lose a }} }}\n"
        ));
        let first = choices[0].replacen("2-", "1-", 1);
        let mut found = BTreeSet::new();
        for choice in choices {
            let game = played(&engine, Stream::new(0, "unseen", 0), &[&first, choice]);
            let known = InformationSet::remembering(&game, SeatId::new(0));
            let mut dice = Stream::new(1, "samples", 0);
            let samples: Vec<String> = (0..40).map(|_| format!("{:?}", known.determinize(&mut dice).control)).collect();
            assert!(samples.iter().collect::<BTreeSet<_>>().len() == 2, "both may be what b has chosen: {samples:?}");
            found.insert(samples);
        }
        assert_eq!(found.len(), 1, "{rules}");
    }
}

/// What a seat chose in secret in a race is done anew where hidden values are found by enacting the game again.
#[test]
fn a_secret_of_a_race_is_chosen_anew() {
    let engine = engine(
        "game g\nplayers a, b\nvar code(p: seat): int seen by p\naction w { choose n in 1..2 seen by me code(me) += n }\n\
         action v { choose n in 1..2 if told(code(b)) == n { win me } else { lose me } }\n\
         play { race {b} play w a plays v }\n",
    );
    let samples = |taken: &str| {
        let mut game = Match::new(&engine, engine.start());
        let step = game.door(Who::Referee).read(taken).unwrap_or_else(|error| panic!("{error}"));
        game.play(step).unwrap_or_else(|why| panic!("{why:?}"));
        let known = InformationSet::remembering(&game, SeatId::new(0));
        let mut dice = Stream::new(1, "samples", 0);
        (0..40).map(|_| format!("{:?}", known.determinize(&mut dice).vars)).collect::<Vec<_>>()
    };
    let (one, two) = (samples("b w 1 @5"), samples("b w 2 @5"));
    assert_eq!(one.iter().collect::<BTreeSet<_>>().len(), 2, "both may be what b has chosen: {one:?}");
    assert_eq!(one, two);
}
