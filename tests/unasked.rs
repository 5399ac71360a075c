//! What lies open between two questions is seen by nobody, whatever comes between: claims, offers, ends, the end of turns. And
//! whoever is out of the game is nobody's opponent.

use regelwerk::load::{NoFiles, check_all};
use regelwerk::report::Code;

use crate::support::tells;

const SCORE: &str = "the value of `v` depends on the pieces of `deck`";

/// What is reported of a game of three seats with a hidden deck, a table that all see, and a bag that nobody does.
fn told(items: &str, play: &str) -> Vec<String> {
    let text = format!(
        "game g\nplayers a, b, c\nkinds card\n  | kind | v |\n  | x | 1 |\n  | y | 2 |\nzone deck: row of card, seen by no\n\
         zone table: row of card, seen by all\nzone bag: row of card, seen by no\nvar v: int\nvar shut: bool\n\
         setup {{ put 2 x on deck put 2 y on deck shuffle deck }}\naction nothing {{ }}\naction rest {{ require not shut }}\n\
         define shown = sum c.v for c in table\nprocedure open() {{ move top of deck to table }}\n\
         procedure away() {{ v := shown move all of table to bag }}\n{items}\nplay {{ {play} a plays nothing draw }}\n"
    );
    tells(&text, 0).into_iter().map(|(_, what)| what).collect()
}

const CLAIM: &str = "claim turn_up by any seat { require not shut open() shut := true }";

/// A claim or an offer leaves whoever was asked no legal move, or takes them out of the game: nobody is asked again.
#[test]
fn what_a_claim_lays_open_may_be_seen_by_nobody() {
    assert_eq!(told(CLAIM, "a plays rest else { away() } b plays nothing"), [SCORE]);
    assert_eq!(told("offer turn_up { open() shut := true }", "a plays rest else { away() } b plays nothing"), [SCORE]);
    assert_eq!(told(CLAIM, "a plays nothing race seats play rest else { away() } b plays nothing"), [SCORE]);
    let out = CLAIM.replace("shut := true", "shut := true eliminate me");
    assert_eq!(told(&out, "a plays nothing away() b plays nothing"), [SCORE]);
    assert_eq!(told(&out, "together seats play nothing away() b plays nothing"), [SCORE]);
    // Else whoever was asked is asked again, and sees it.
    assert_eq!(told(CLAIM, "a plays nothing away() b plays nothing"), [] as [String; 0]);
    assert_eq!(told(CLAIM, "a plays rest else { draw } away() b plays nothing"), [] as [String; 0]);
    assert_eq!(told(CLAIM, "together seats play nothing a plays nothing away() b plays nothing"), [] as [String; 0]);
}

/// Ends that decide nothing are carried out between a move and what follows.
#[test]
fn what_an_end_lays_open_may_be_seen_by_nobody() {
    let opens = "end opens after move when ply == 1 { open() }";
    let reads = "end reads after move when ply == 1 { away() }";
    let turn = |end: &str, moment: &str| end.replace("after move when ply == 1", moment);
    assert_eq!(told(opens, "a plays nothing away() b plays nothing"), [SCORE]);
    assert_eq!(told(&format!("{opens}\n{reads}"), "a plays nothing b plays nothing"), [SCORE]);
    let turns = "turns { if turn == 1 { stop } mover plays nothing }";
    let later = turn(reads, "after turn when turn == 0");
    assert_eq!(told(&format!("{opens}\n{later}"), turns), [SCORE]);
    let earlier = turn(opens, "after turn when turn == 0");
    assert_eq!(told(&format!("{earlier}\n{}", turn(reads, "before turn when turn == 1")), turns), [SCORE]);
    assert_eq!(told(&turn(reads, "before turn when turn == 0"), &format!("open() {turns}")), [SCORE]);
    assert_eq!(told(opens, "a plays nothing b plays rest else { away() }"), [SCORE]);
    assert_eq!(
        told(&format!("{opens}\n{}", turn(reads, "after move when ply == 2")), "together seats play nothing"),
        [SCORE]
    );
    let within = "action twice { me plays nothing away() }";
    assert_eq!(told(&format!("{opens}\n{within}"), "a plays twice b plays nothing"), [SCORE]);
    // What is laid open when the game is over comes before nothing.
    let over = turn(opens, "after move when ply == 1").replace("open() }", "open() draw }");
    assert_eq!(told(&over, "a plays nothing away() b plays nothing"), [] as [String; 0]);
    // To win with nobody in it decides nothing.
    let empty = opens.replace("open() }", "open() win {p in seats where v > 3} }");
    assert_eq!(told(&empty, "a plays nothing away() b plays nothing"), [SCORE]);
}

/// Where turns are left, nobody was asked before.
#[test]
fn what_lies_open_before_a_stop_may_be_seen_by_nobody() {
    assert_eq!(told("", "turns { if turn == 1 { open() stop } mover plays nothing } away()"), [SCORE]);
    let leave = "procedure leave() { open() stop }";
    assert_eq!(told(leave, "turns { if turn == 1 { leave() } mover plays nothing } away()"), [SCORE]);
    assert_eq!(
        told("", "turns { if turn == 1 { open() a plays nothing stop } mover plays nothing } away()"),
        [] as [String; 0]
    );
    assert_eq!(
        told("", "turns { if turn == 1 { open() stop } mover plays nothing } a plays nothing away()"),
        [] as [String; 0]
    );
}

/// Whoever is out of the game does not see what is kept for the opponents of another.
#[test]
fn seats_that_are_out_are_no_opponents() {
    let text = |play: &str| {
        format!(
            "game g\nplayers a, b, c\nkinds card\n  | kind | v |\n  | x | 1 |\n  | y | 2 |\nzone deck: row of card, seen by no\n\
             zone brow(p: seat): row of card, seen by opponents(p)\nvar v: int seen by {{b, c}}\n\
             setup {{ put x on deck put y on deck shuffle deck }}\naction nothing {{ }}\n\
             action hide {{ choose n in 1..2 seen by opponents(a) v := n }}\n\
             play {{ move top of deck to brow(a) b plays nothing {play} b plays nothing draw }}\n"
        )
    };
    let said = |play: &str| tells(&text(play), 0).into_iter().map(|(_, what)| what).collect::<Vec<_>>();
    let cards = "v := sum x.v for x in brow(a)";
    assert_eq!(said(&format!("eliminate c {cards}")), ["the value of `v` depends on the pieces of `brow`"]);
    assert_eq!(said("eliminate c b plays hide"), ["the value of `v` depends on `n`"]);
    // As long as nobody is ever out, they are all others.
    assert_eq!(said(cards), [] as [String; 0]);
    assert_eq!(said("b plays hide"), [] as [String; 0]);
}

/// An option for which any number may be chosen may be 0: then nobody is asked in between.
#[test]
fn any_number_may_be_none() {
    let text = |option: &str| {
        format!(
            "game g\nplayers a, b\noption often = 2{option}\nkinds card\n  | kind | v |\n  | x | 1 |\n  | y | 2 |\nzone deck: row of card, seen by no\n\
             zone table: row of card, seen by all\nzone bag: row of card, seen by no\nvar v: int\n\
             setup {{ put x on deck put y on deck shuffle deck }}\naction nothing {{ }}\n\
             play {{ move top of deck to table repeat often {{ a plays nothing }} v := sum c.v for c in table move all of table to bag\n\
             a plays nothing draw }}\n"
        )
    };
    let found = |option: &str| {
        let loaded = check_all("g.rules", &text(option), &NoFiles);
        loaded.reports.sorted().iter().filter(|report| report.code == Code::Tells).count()
    };
    assert_eq!([found(""), found(" from 0..3"), found(" from 2..3")], [1, 1, 0]);
}

/// What no choice tells by itself, two may: nobody is asked in `for i in 2..1`.
#[test]
fn what_an_option_tells_with_another_choice_is_found() {
    let play = |last: &str| {
        format!(
            "play {{ move top of deck to table for i in first..{last} {{ a plays nothing }} v := sum c.v for c in table\n\
             move all of table to bag a plays nothing draw }}"
        )
    };
    let found = |rest: &str| {
        let text = format!(
            "game g\nplayers a, b\noption first = 1 from 1..2\nkinds card\n  | kind | v |\n  | x | 1 |\n  | y | 2 |\n\
             zone deck: row of card, seen by no\nzone table: row of card, seen by all\nzone bag: row of card, seen by no\nvar v: int\n\
             setup {{ put x on deck put y on deck shuffle deck }}\naction nothing {{ }}\n{rest}\n"
        );
        let loaded = check_all("g.rules", &text, &NoFiles);
        assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports.sorted());
        loaded.reports.sorted().iter().filter(|report| report.code == Code::Tells).count()
    };
    let (long, short) = (play("2"), play("1"));
    assert_eq!([found(&long), found(&short)], [0, 1]);
    assert_eq!(found(&format!("option last = 2 from 1..2\n{}", play("last"))), 1);
    // By itself the variant asks: its loop begins at 1.
    assert_eq!(found(&format!("{long}\nvariant brief {{ replace {short} }}")), 1);
    assert_eq!(found(&format!("{long}\nreading length = full | brief\nwith length == brief {{ replace {short} }}")), 1);
}
