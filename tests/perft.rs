//! Perft against brute-force counters that know nothing of the language.

use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::play::perft;

use crate::brute;
use crate::support::{game, root, rules_of};
use regelwerk::engine::Fast;

fn counted(path: &std::path::Path, setup: &Setup, depth: u32) -> Vec<u64> {
    let engine = Fast::new(game(path, setup));
    perft(&engine, &engine.start(), depth, &|_| ()).by_depth
}

fn with(players: u32, options: &[(&str, &str)], variants: &[&str]) -> Setup {
    Setup {
        players: Some(players),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        variants: variants.iter().map(|name| (*name).to_owned()).collect(),
        readings: Vec::new(),
    }
}

#[test]
fn halma() {
    let path = rules_of("halma");
    assert_eq!(counted(&path, &Setup::default(), 3), brute::halma::perft(10, 5, 3));
    let small = with(2, &[("size", "6"), ("depth", "3")], &[]);
    assert_eq!(counted(&path, &small, 4), brute::halma::perft(6, 3, 4));
    // So small that games end within the depth.
    let tiny = with(2, &[("size", "4"), ("depth", "2")], &[]);
    assert_eq!(counted(&path, &tiny, 5), brute::halma::perft(4, 2, 5));
    let least = with(2, &[("size", "2"), ("depth", "1")], &[]);
    assert_eq!(counted(&path, &least, 4), brute::halma::perft(2, 1, 4));
}

#[test]
fn sternhalma() {
    let path = rules_of("sternhalma");
    for players in 2..=6 {
        let brute = brute::sternhalma::perft(5, u8::try_from(players).expect("small"), 3);
        assert_eq!(counted(&path, &with(players, &[], &[]), 3), brute, "{players} players");
    }
    assert_eq!(counted(&path, &with(2, &[], &["small"]), 3), brute::sternhalma::perft(4, 2, 3));
    // Points of one cell: games end within the depth, with ranks and skipped seats.
    let tiny = [("order", "1"), ("stones", "1")];
    assert_eq!(counted(&path, &with(2, &tiny, &[]), 7), brute::sternhalma::perft(1, 2, 7));
    assert_eq!(counted(&path, &with(6, &tiny, &[]), 6), brute::sternhalma::perft(1, 6, 6));
    let small = [("order", "2"), ("stones", "3")];
    assert_eq!(counted(&path, &with(3, &small, &[]), 4), brute::sternhalma::perft(2, 3, 4));
}

#[test]
fn kalaha() {
    let path = rules_of("kalaha");
    assert_eq!(counted(&path, &Setup::default(), 7), brute::kalaha::perft(2, 6, 4, 7));
    assert_eq!(counted(&path, &with(3, &[], &[]), 6), brute::kalaha::perft(3, 6, 4, 6));
    assert_eq!(counted(&path, &with(4, &[], &[]), 6), brute::kalaha::perft(4, 6, 4, 6));
    // Small boards, with many games played to the end.
    for (players, fields, seeds) in [(2, 3, 3), (3, 2, 2), (4, 2, 3)] {
        let options = [("fields", fields.to_string()), ("seeds", seeds.to_string())];
        let options: Vec<(&str, &str)> = options.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let brute = brute::kalaha::perft(players, fields, seeds, 12);
        let players = u32::try_from(players).expect("small");
        assert_eq!(counted(&path, &with(players, &options, &[]), 12), brute, "{players} {fields} {seeds}");
    }
}

#[test]
fn tic_tac_toe() {
    let found = counted(&root("tests/fixtures/tictactoe.rules"), &Setup::default(), 6);
    assert_eq!(found, brute::tictactoe::perft(6));
}

#[test]
fn draughts() {
    let found = counted(&root("tests/fixtures/draughts6.rules"), &Setup::default(), 8);
    assert_eq!(found, brute::draughts::perft(8));
}

/// The counts every chess program agrees on.
#[test]
fn chess() {
    let found = counted(&root("tests/fixtures/chess.rules"), &Setup::default(), 3);
    assert_eq!(found, [20, 400, 8902]);
}

fn counted_text(text: &str, depth: u32) -> (Vec<u64>, bool) {
    let loaded = load("counted.rules", text, &NoFiles, &Setup::default());
    let engine = Fast::new(loaded.game.expect("the file checks"));
    let found = perft(&engine, &engine.start(), depth, &|_| ());
    (found.by_depth, found.limited)
}

/// A secret choice is a ply of its own: two choices by two seats in each of three rounds make 2, 4, 8, … sequences,
/// whatever the full length.
#[test]
fn secret_choices_count_when_they_are_made() {
    let pennies = "game pennies \"Matching pennies, thrice\"
        players one, two
        var shown(p: seat): int
        var same: int
        action show { choose n in 0..1  shown(me) := n }
        play {
          repeat 3 { together seats play show  if shown(one) == shown(two) { same += 1 } }
          rank p in seats by same
        }";
    for depth in 1..=6 {
        let powers: Vec<u64> = (1..=depth).map(|ply| 1 << ply).collect();
        assert_eq!(counted_text(pennies, depth), (powers, false), "depth {depth}");
    }
    // Questions asked while the moves are carried out multiply the sequences that follow: 2 · 2 choices, then 3 · 3
    // values, then 2 · 2 choices.
    let asking = "game asking \"Choose, then pick\"
        players one, two
        var total: int
        action show { choose n in 0..1  total += n  choose k in 1..3  total += k }
        play { repeat 2 { together seats play show } draw }";
    assert_eq!(counted_text(asking, 4), (vec![2, 4, 72, 144], false));
}

/// Dice that may be rerolled for ever make infinitely many sequences: counting stops and says so.
#[test]
fn endless_chance_is_a_limit() {
    let again = "game again \"Roll until it is a one\"
        players a, b
        var x: int
        action go { choose n in 1..2 }
        play { turns { while x != 1 { roll d in 1..3  x := d } mover plays go } }
        end over after move when ply == 3 { draw }";
    assert!(counted_text(again, 2).1);
}
