//! What an eighth attack found about secrets, from the promises alone: each test is a find.

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{Files, NoFiles, Setup, check_all, load};
use regelwerk::model::Viewer;
use regelwerk::notation::print_position;
use regelwerk::play::{Match, Stream, Who};

use crate::support::{self, reports};

/// Two seats with cards, a place that all see and one that nobody sees; the rules follow.
const CARDS: &str = "game g\nplayers a, b\nkinds card\n  | kind | rank |\n  | one  | 1    |\n  | two  | 2    |\n\
    zone pile: pile of card, seen by all\nzone open: row of card, seen by all\nzone box: set of card, seen by no\n\
    zone hand(p: seat): set of card, seen by p\nvar code(p: seat): int seen by p\nvar pub: int \"what all see\"\n\
    setup { for k in kinds(card) { put 3 k on pile  put k on open  put k on hand(a)  put k on hand(b) }  shuffle pile\n\
    for p in seats { roll x in 1..6 seen by p  code(p) := x } }\naction idle { choose n in 1..2 }\n\
    end long after move when ply >= 12 { draw }\n";

/// One file, which others extend.
struct Beside<'a>(&'a str);

impl Files for Beside<'_> {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        Ok((file.to_owned(), self.0.to_owned()))
    }
}

/// How many places of some rules tell what is hidden.
fn tells(text: &str) -> usize {
    let loaded = check_all("g.rules", text, &NoFiles);
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    loaded.reports.sorted().iter().filter(|report| report.code.text() == "check/tells").count()
}

fn engine(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

fn seat(number: usize) -> Who {
    Who::seat(SeatId::new(number))
}

/// A game in which chance decides by a seed, and the seats do what is typed.
fn played<'a>(engine: &'a Fast, seed: u64, steps: &[&str]) -> Match<'a> {
    support::played(engine, Stream::new(seed, "eighth", 0), steps)
}

/// A guess is not taken back, however unlikely the other answer was, and whether it shows in a variable, in what is legal, or
/// in what can be claimed.
#[test]
fn what_a_guess_tells_is_not_taken_back() {
    let secret = "game g\nplayers a, b\nvar code: int seen by b\nvar last: int\nvar hits: int \"hits\"\n\
        setup { roll x in 1..1000 seen by b  code := x }\n";
    let shown = "action guess { choose n in 1..1000  if told(code == n) { hits += 1 } }\n\
        play { turns { a plays guess } }\nend found after move when hits > 0 { win a }\n";
    let legal = "action guess { choose n in 1..1000  last := n }\naction strike { require told(code == last)  win me }\n\
        action wait {}\nplay { turns { a plays guess  a plays strike | wait } }\n";
    let claimed = "action guess { choose n in 1..1000  last := n }\nclaim got { require told(code == last)  win me }\n\
        play { turns { a plays guess } }\n";
    for rules in [shown, legal, claimed] {
        let text = format!("{secret}{rules}");
        assert_eq!(tells(&text), 0, "{text}");
        let engine = engine(&text);
        let game = played(&engine, 1, &["guess 3"]);
        let steps = game.steps().len();
        assert_eq!([seat(0), Who::Referee].map(|who| game.door(who).undo()), [None, Some(steps - 1)], "{text}");
        assert!(!game.may_return(steps - 1));
    }
    // What tells nothing is taken back.
    let engine = engine(&format!(
        "{secret}action guess {{ choose n in 1..9  last := n }}\nplay {{ turns {{ a plays guess }} }}\n"
    ));
    let game = played(&engine, 1, &["guess 3"]);
    assert_eq!(game.door(seat(0)).undo(), Some(game.steps().len() - 1));
}

/// A card that another seat has come to see since, or a piece that was turned up, stays.
#[test]
fn what_others_came_to_see_is_not_taken_back() {
    let next = "game g\nplayers a, b\nkinds card\n  | kind | copies |\n  | one  | 99     |\n  | two  | 1      |\n\
        zone deck: pile of card, seen by no\nzone purse(p: seat): set of card, seen by p\n\
        setup { for k in kinds(card) { put (k.copies) k on deck }  shuffle deck }\naction wait { choose n in 1..2 }\n\
        play { turns { move top of deck to purse(mover)  mover plays wait } }\n";
    let turned = "game g\nplayers a, b\nboard square 2 x 1\npiece tile { up: bool } seen by if it.up then seats else {}\n\
        var note(p: seat): int seen by p\nsetup { put tile on a1 }\naction turn { change a1: up = true }\n\
        action bid { choose n in 1..2  note(me) := n }\nplay { turns { mover plays turn | bid } }\n";
    for (text, step) in [(next, "1"), (turned, "turn")] {
        let engine = engine(text);
        let game = played(&engine, 2, &[step]);
        assert_eq!(game.door(seat(0)).undo(), None, "{text}");
    }
    let engine = engine(turned);
    assert_eq!(played(&engine, 2, &["bid 1"]).door(seat(0)).undo(), Some(0));
}

/// While chance is asked, nobody looks: what a shuffle does to an open row, and what lies open for a moment, is seen by nobody.
#[test]
fn nobody_sees_what_lies_open_while_chance_decides() {
    let rules = "play { turns { mover plays idle  shuffle open  move all of open to box  move top of pile to open\n\
        roll d in 1..6  move all of open to box  move all of box to open } }\n";
    let engine = engine(&format!("{CARDS}{rules}"));
    let game = played(&engine, 5, &["idle 1"]);
    let first =
        game.questions(0).position(|ask| matches!(ask, regelwerk::model::Ask::Choose { .. })).expect("a question");
    let text = |position: &regelwerk::model::Observation, part: &str| {
        let text = print_position(&engine, position);
        text.split(" | ").find(|segment| segment.starts_with(part)).unwrap_or_default().to_owned()
    };
    let last = game.steps().len();
    assert!(last > first + 2, "chance was asked {last} {first}");
    for viewer in [seat(0), seat(1), Who::Viewer(Viewer::Spectator)] {
        let door = game.door(viewer);
        let before = door.position_before(first).expect("a step");
        for step in first + 1..last {
            let seen = door.position_before(step).expect("a step");
            assert_eq!(text(&seen, "open"), text(&before, "open"), "step {step}");
            assert_eq!(text(&seen, "pile"), text(&before, "pile"), "step {step}");
        }
        assert_ne!(text(&door.position(), "open"), text(&before, "open"));
    }
    let referee = game.door(Who::Referee);
    let open = |step: usize| text(&referee.position_before(step).expect("a step"), "open");
    assert!((first..last).any(|step| open(step) != open(first)), "the referee sees it");
}

/// What lies on top, in which order, or how many there are, is not known before a seat has seen it.
#[test]
fn what_changed_since_the_last_question_is_reported() {
    let told = [
        // The card beneath the top of an open pile.
        "play { turns { mover plays idle  move top of pile to box  pub := sum c.rank for c in top of pile  move top of pile to box } }\n",
        "play { turns { mover plays idle  move top of pile under pile  pub := sum c.rank for c in top of pile  move all of pile to box } }\n",
        "action take { move top of pile to hand(me)  ensure any c in top of pile: c.rank == 1 }\nplay { turns { mover plays take | idle } }\n",
        "play { turns { mover plays idle  for n in 1..2 { pub := sum c.rank for c in top of pile  move top of pile to box } } }\n",
        // The order of an open row after a shuffle.
        "play { turns { mover plays idle  shuffle open  pub := sum c.rank for c in top of open  move all of open to box } }\n",
        "play { turns { mover plays idle  shuffle open  for c in open { pub := c.rank }  move all of open to box } }\n",
        // What is left tells what was taken.
        "play { turns { mover plays idle  roll k in open seen by no  move k from open to box  pub := sum c.rank for c in open  move all of open to box } }\n",
        // Where nobody is asked, since there is nothing to choose from.
        "play { turns { mover plays idle  choose n in {z in 1..3 where z < code(mover)} by mover seen by mover  pub += 1 } }\n",
        // The next mover is another seat.
        "var best: int seen by mover\nplay { turns { mover plays idle  best := code(mover) } }\n",
        "var cc(p: seat): int seen by p\nplay { let v = code(mover)  turns { mover plays idle  cc(mover) := v } }\n",
        "var cc(p: seat): int seen by p\nplay { let q = mover  turns { mover plays idle  cc(q) := code(mover) } }\n",
        "var cc(p: seat): int seen by p\nprocedure go(q: seat) { turns { mover plays idle  cc(q) := code(mover) } }\nplay { go(mover) }\n",
    ];
    for rules in told {
        assert!(tells(&format!("{CARDS}{rules}")) > 0, "{rules}");
    }
    let silent = [
        "play { turns { mover plays idle  move top of pile to box  mover plays idle  pub := sum c.rank for c in top of pile } }\n",
        "play { turns { mover plays idle  pub := sum c.rank for c in top of pile  move top of pile to box } }\n",
        "play { turns { mover plays idle  shuffle open  mover plays idle  pub := sum c.rank for c in top of open } }\n",
        "play { turns { mover plays idle  shuffle open  pub := sum c.rank for c in open } }\n",
        "var cc(p: seat): int seen by p\nplay { turns { mover plays idle  let v = code(mover)  cc(mover) := v } }\n",
        "play { turns { mover plays idle  choose c in hand(mover) by mover seen by mover  move c from hand(mover) to box } }\n",
    ];
    for rules in silent {
        assert_eq!(tells(&format!("{CARDS}{rules}")), 0, "{rules}");
    }
}

/// A number that nobody sees is not known by counting the pieces somewhere else for a moment; what lies in an order that nobody
/// sees not by looking at the first of them.
#[test]
fn numbers_and_orders_that_are_hidden_are_not_told_in_between() {
    let rules = |zones: &str, play: &str| {
        format!(
            "game g\nplayers a, b\nkinds card\n  | kind | rank |\n  | one  | 1    |\n  | two  | 2    |\n{zones}\
             var pub: int \"what all see\"\naction look {{ choose n in 1..2 {play} }}\nplay {{ turns {{ mover plays look }} }}\n\
             end long after move when ply >= 4 {{ draw }}\n"
        )
    };
    let counted = "zone hp: pile of card, seen by no, number seen by no\nzone hb: pile of card, seen by no, number seen by no\n\
        zone table: set of card, seen by no\nsetup { put 4 one on hb  roll z in 1..3 seen by no  move top (z) of hb to hp }\n";
    for play in [
        "move all of hp to table  pub := count(table)  move all of table to hp",
        "move top of hb to table  pub := count(table)  move top of table to hb",
    ] {
        assert!(tells(&rules(counted, play)) > 0, "{play}");
    }
    assert_eq!(tells(&rules(counted, "move all of hp to table")), 0);
    let prizes = "zone prizes: row of card, seen by all, order seen by no\nzone shown: row of card, seen by all\n\
        setup { for k in kinds(card) { put k on prizes }  shuffle prizes }\n";
    assert!(
        tells(&rules(
            prizes,
            "move top of prizes to shown  pub := sum c.rank for c in shown  move all of shown to prizes"
        )) > 0
    );
    assert_eq!(tells(&rules(prizes, "move top of prizes to shown")), 0);
}

/// What a variant, a reading or a file that hides more lets out is reported, too.
#[test]
fn what_variants_readings_and_extended_files_tell_is_reported() {
    let base = "game g\nplayers a, b\nvar code(p: seat): int seen by p\nvar pub: int \"what all see\"\n\
        setup { for p in seats { roll x in 1..6 seen by p  code(p) := x } }\naction idle { choose n in 1..2 }\n\
        play { turns { mover plays idle } }\nend long after move when ply >= 4 { draw }\n";
    let end = "end tell after move when true { pub := code(a) }";
    assert_eq!(tells(base), 0);
    assert_eq!(tells(&format!("{base}variant v {{ {end} }}\n")), 1);
    assert_eq!(tells(&format!("{base}reading open = narrow | wide\nwith open == wide {{ {end} }}\n")), 1);

    let open = format!("{}{end}\n", base.replace(" seen by p", ""));
    let closed = "game closed extends \"open.rules\"\nreplace var code(p: seat): int seen by p\n\
        replace setup { for p in seats { roll x in 1..6 seen by p  code(p) := x } }\n";
    let loaded = check_all("closed.rules", closed, &Beside(&open));
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    assert!(loaded.reports.sorted().iter().any(|report| report.code.text() == "check/tells"));
    assert_eq!(tells(&open), 0);
}

/// A card that is chosen in a claim is told to those who see it come or go, and not to who holds an equal one; nor is what a
/// move that is chosen as a value names.
#[test]
fn claims_tell_no_more_of_cards_than_moves_do() {
    let rules = "action put_off { choose k in hand(me)  move k from hand(me) to box }\n\
        action hide { choose n in 1..6 seen by me  code(me) := n }\n\
        claim put_away by any seat { choose k in hand(me)  move k from hand(me) to box }\n\
        claim show by any seat { choose k in hand(me)  move k from hand(me) to open }\n\
        claim announce { choose m in moves(hide)  pub += 1 }\nclaim announce_card { choose m in moves(put_off)  pub += 1 }\n\
        play { turns { mover plays idle | put_off | hide } }\n";
    let engine = engine(&format!("{CARDS}{rules}"));
    let told = |claim: &str, who: Who| {
        let game = played(&engine, 3, &[claim]);
        let last = game.steps().len() - 1;
        game.door(who).events(last, last + 1).iter().map(|event| event.deed.to_string()).collect::<String>()
    };
    let spectator = Who::Viewer(Viewer::Spectator);
    // The other seat holds an equal card.
    assert_eq!(
        [seat(0), seat(1), spectator].map(|who| told("claim put_away one", who)),
        ["claim put_away one", "claim put_away ?", "claim put_away ?"]
    );
    assert_eq!([seat(1), spectator].map(|who| told("claim show one", who)), ["claim show one"; 2]);
    for claim in ["claim announce hide 3", "claim announce_card one"] {
        let hidden = claim.replace(" hide 3", " ?").replace("card one", "card ?");
        assert_eq!([seat(0), seat(1), spectator].map(|who| told(claim, who)), [claim, &hidden, &hidden], "{claim}");
    }
}
