//! What left the game or was changed where a seat did not see it: that seat's samples tell nothing of what is left.

use std::collections::BTreeSet;

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Position;
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
        ("roll p in seats seen by no put spy of p on b2".to_owned(), ""),
        (String::new(), "choose p in seats seen by me put spy of p on b2"),
    ] {
        let text = format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece spy owned owner seen by no\nzone bag: pile of spy, seen by no\n\
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
    let engine = engine(
        "game g\nplayers a, b\nboard square 3 x 3\npiece spy owned owner seen by no\nzone bag: pile of spy, seen by no\n\
         setup { put spy of a on bag put spy of b on bag put spy of b on bag shuffle bag move top of bag to b2 }\n\
         action guess { choose p in seats if told(any x at spy: x.owner == {p}) { win me } else { lose me } }\n\
         play { b plays guess }\n",
    );
    let samples = |game: &Match<'_>| {
        let known = InformationSet::remembering(game, SeatId::new(1));
        let mut dice = Stream::new(1, "samples", 0);
        (0..20).map(|_| engine_text(game, &known.determinize(&mut dice))).collect::<Vec<_>>()
    };
    let all: BTreeSet<Vec<String>> = games(&engine, &[]).iter().map(samples).collect();
    let truths: BTreeSet<_> = games(&engine, &[]).iter().map(|game| owner(game.position())).collect();
    assert_eq!((all.len(), truths.len()), (1, 2));
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
