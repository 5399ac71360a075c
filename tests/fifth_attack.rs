//! What a fifth attack found, by reading the source: each test is a find. What grows with the square of a text, or faster, is
//! made so large here that it would not end.

use std::fmt::Write;

use regelwerk::Rules;
use regelwerk::load::{NoFiles, Setup, load};

use crate::support::reports;

/// Numbers that are chosen one after the other.
const NUMBERS: &str = "game numbers\nplayers a, b\nvar n: int\n\
                       action add { choose i in 1..2 choose j in 1..2 choose k in 1..2 choose l in 1..2  n += i + j + k + l }\n\
                       play { turns { mover plays add } }\nend e after move when ply > 8 { draw }\n";

/// Of several blanks in a row one is as good as another: they are not tried out against each other.
#[test]
fn blanks_between_parameters_are_one() {
    let rules = Rules::from_text("numbers.rules", NUMBERS).expect("rules that check");
    let mut session = rules.session(1);
    let blanks = " ".repeat(1300);
    session.play_text(&format!("1{blanks}2{blanks}1 {blanks}2")).expect("a legal move");
    assert!(session.play_text(&format!("1{blanks}2{blanks}3{blanks}1")).is_err(), "3 cannot be chosen");
    session.play_text("1-2 - 1  2").expect("a legal move");
}

/// What a position says twice is found by name, not by comparing all with all.
#[test]
fn positions_of_many_segments_are_read_in_time() {
    let rules = Rules::from_text("numbers.rules", NUMBERS).expect("rules that check");
    let mut text = "numbers 2".to_owned();
    for at in 0..150_000 {
        write!(text, " | {at:x}=").expect("a string");
    }
    assert!(rules.session_at(&text, 1).is_err(), "there is nothing of these names");
    let twice = rules.session_at("numbers 2 | n=1 | n=2", 1).expect_err("it is given twice");
    assert!(twice.to_string().contains("n="), "{twice}");
}

/// What is printed of a game repeats its names at every step: they have a greatest length, and so have texts.
#[test]
fn words_and_texts_have_a_greatest_length() {
    let with = |name: &str, title: &str| {
        let text = NUMBERS.replace("numbers", name).replace("players a", &format!("players a \"{title}\""));
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        reports(&loaded)
    };
    let fits = with(&"x".repeat(100), &"Ä".repeat(500));
    assert!(!fits.contains("too-long"), "{fits}");
    let name = with(&"x".repeat(101), "A");
    assert!(name.contains("a word may have at most 100 bytes; this one has 101"), "{name}");
    let title = with("numbers", &"Ä".repeat(501));
    assert!(title.contains("a text between quotes may have at most 1000 bytes; this one has 1002"), "{title}");
}

/// A text that is longer than any that is read is compared with the legal moves as it is, and with no name.
#[test]
fn long_texts_are_refused_before_they_are_compared() {
    let text = NUMBERS.replace("choose i in 1..2 choose j in 1..2", "choose i in 1..20000 choose j in 1..1");
    let rules = Rules::from_text("numbers.rules", &text).expect("rules that check");
    let mut session = rules.session(1);
    let long = "ä".repeat(1 << 20);
    let refused = session.play_text(&long).expect_err("no move is called so").to_string();
    assert!(refused.contains("2097152 bytes"), "{refused}");
    let unknown = Rules::bundled(&long).expect_err("no game is called so").to_string();
    assert!(!unknown.contains("did you mean"), "{}", &unknown[..200]);
}

/// There are no sets of truth values, nor is one a set: in a campaign of damaged texts the interpreters did not agree on what
/// `meets` says of two.
#[test]
fn a_truth_value_is_no_set() {
    for test in ["(n == 1) meets (n == 2)", "(n == 1) within (n == 2)", "n == 1 in {n == 2, n == 3}"] {
        let text = NUMBERS.replace("n += i", &format!("if {test} {{ n += 1 }}  n += i"));
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(reports(&loaded).contains("truth value"), "{test}: {}", reports(&loaded));
    }
}
