//! Each kind of change, on a small game.

use super::{Kind, Survivor, mutants};

const GAME: &str = "game g
players a, b, c for 2, 3
board square 3 x 3
enum mood = calm, wild, odd
piece mark owned
var left: int = 9
var struck: set of seat
path far = (hop directions over mark to empty)+ §7
action place §1 {
  choose square in empty & (a1..c2 | {c3})
  require left > 0 and (me in struck or no struck) // two
  put own mark on square
  left -= 1
  struck := {}
  if left == count(mark) { win me }
}
action other { choose m in {calm, wild} }
play { turns { mover plays place else other } }
end full after move when no empty { draw }
end half after turn when ply == 4 + left { lose me }
variant tall { replace end half after move when ply > 9 and left < ply { draw } }
";

/// Whether a change of this kind turns the line with `old` into one with `new`.
fn makes(kind: Kind, old: &str, new: &str) -> bool {
    assert!(GAME.contains(old), "{old}");
    let wanted = GAME.replacen(old, new, 1);
    mutants("g", GAME).iter().any(|mutant| mutant.kind == kind && mutant.text(GAME) == wanted)
}

#[test]
fn what_must_hold_asks_for_less() {
    assert!(makes(Kind::Condition, "left > 0 and (me", "(me"));
    assert!(makes(Kind::Condition, "left > 0 and (me in struck or no struck)", "left > 0"));
    assert!(makes(Kind::Condition, "empty & (a1", "(a1"));
    assert!(makes(Kind::Condition, "left == count", "left >= count"));
    assert!(makes(Kind::Condition, "ply > 9 and left < ply", "left < ply"), "in a variant");
}

#[test]
fn alternatives_are_dropped() {
    assert!(makes(Kind::Alternative, "me in struck or no struck", "no struck"));
    assert!(makes(Kind::Alternative, "(a1..c2 | {c3})", "(a1..c2)"));
    assert!(makes(Kind::Alternative, "{calm, wild}", "{calm}"));
}

#[test]
fn one_seat_or_number_of_players_is_excepted() {
    let test = "left == count(mark)";
    assert!(makes(Kind::Exception, test, "(left == count(mark)) and me.number != 3"));
    assert!(makes(Kind::Exception, test, "(left == count(mark)) and count(seats) != 3"));
    assert!(makes(Kind::Exception, "when no empty", "when (no empty) and me.number != 1"));
    let guard = "left > 0 and (me in struck or no struck)";
    assert!(makes(Kind::Exception, guard, &format!("({guard}) or count(seats) == 3")));
}

#[test]
fn what_is_set_is_set_too_late() {
    let (now, late) = ("left -= 1\n  struck := {}\n", "struck := {}\n  left -= 1\n");
    assert!(!makes(Kind::Kept, now, late), "they have nothing to do with each other");
    let rest = "\n  struck := {}\n  if left == count(mark) { win me }";
    assert!(makes(Kind::Kept, &format!("left -= 1{rest}"), &format!("{rest}\nleft -= 1")));
}

#[test]
fn bounds_are_moved_by_one() {
    assert!(makes(Kind::Bound, "left < ply", "left < (ply - 1)"));
    assert!(makes(Kind::Bound, "left == count(mark)", "left == (count(mark) + 1)"));
    assert!(makes(Kind::Bound, "empty)+", "empty){1..3}"));
    assert!(makes(Kind::Number, "left > 0", "left > 1"));
}

#[test]
fn members_stand_for_others() {
    assert!(makes(Kind::Member, "{calm, wild}", "{odd, wild}"));
    assert!(makes(Kind::Member, "{c3}", "{c4}"));
}

#[test]
fn the_order_is_the_other_way_round() {
    assert!(makes(Kind::Order, "place else other", "other else place"));
    let ends = "end full after move when no empty { draw }\nend half after turn when ply == 4 + left { lose me }";
    let other = "end half after turn when ply == 4 + left { lose me }\nend full after move when no empty { draw }";
    assert!(makes(Kind::Order, ends, other));
}

#[test]
fn a_place_is_told_with_its_clauses() {
    let all = mutants("g", GAME);
    let cites = |line: usize| all.iter().find(|mutant| mutant.line == line).map(|mutant| mutant.clauses.clone());
    assert_eq!(cites(8), Some(vec!["7".to_owned()]), "the line's own");
    assert_eq!(cites(13), Some(vec!["1".to_owned()]), "those of the action");
}

#[test]
fn a_reason_is_about_one_of_several_equal_changes() {
    let all = mutants("g", GAME);
    let nines: Vec<_> = all.iter().filter(|mutant| mutant.line == 3 && mutant.what == "4 instead of 3").collect();
    assert_eq!(nines.iter().map(|mutant| (mutant.nth, mutant.several)).collect::<Vec<_>>(), [(1, true), (2, true)]);
    let known = |nth| Survivor {
        before: "board   square 3 x 3 §5".to_owned(),
        what: "4 instead of 3".to_owned(),
        nth,
        reason: String::new(),
    };
    let fits = |nth| nines.iter().map(|mutant| known(nth).fits(mutant)).collect::<Vec<_>>();
    assert_eq!(fits(None), [true, true]);
    assert_eq!(fits(Some(2)), [false, true]);
}
