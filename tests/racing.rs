//! Races and ends at a terminal that several people share: what all of them look at tells nothing of what one has chosen.

use std::path::Path;

use crate::terminal::Terminal;

/// Two seats choose a number in secret, and then race; what a seat may do in the race depends on its number.
const CODES: &str = "game m \"M\"\nplayers a, b\nvar code(p: seat): int \"code\" seen by p\n\
    action hide { choose n in 1..3 seen by me  code(me) := n }\n\
    action act { choose x in {y in 1..3 where y >= code(me)} seen by me  require now < 1  code(me) := x }\n\
    play { together seats play hide  race seats play act  draw }\n";

fn begun(folder: &Path, name: &str, rules: &str) -> Terminal {
    std::fs::write(folder.join(name), rules).expect("written");
    Terminal::begin(folder, &format!("play {name}"))
}

/// Lets the seat at the screen choose in secret.
fn choose(screen: &mut Terminal, seat: &str, number: &str) {
    screen.until("press Enter to show the board. ");
    screen.press("\r");
    screen.until(&format!("{seat}> "));
    screen.press(format!("{number}\r"));
}

/// What a key stands for that is pressed in vain may be what its seat has in secret; and the clock goes on.
#[test]
fn a_key_in_vain_does_not_say_what_it_stands_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = begun(folder.path(), "m.rules", CODES);
    choose(&mut screen, "a", "3");
    choose(&mut screen, "b", "2");
    screen.until("[:]");
    let mut before = 0;
    for key in ["1", "2"] {
        screen.press(key);
        let said = screen.until(" ms.");
        let (said, time) = said.rsplit_once("That is not possible at ").expect("a time");
        assert!(!said.contains("act"), "{said:?}");
        let time: i64 = time.parse().expect("milliseconds");
        assert!(time > before, "{time} {before}");
        before = time;
    }
}

/// The lines before, and what was cut out of them, are those of one seat: not there in a race, nor at the end.
#[test]
fn lines_of_a_seat_are_not_there_for_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = begun(folder.path(), "m.rules", CODES);
    choose(&mut screen, "a", "3");
    choose(&mut screen, "b", "2");
    screen.until("[:]");
    screen.press(":");
    screen.until("race> ");
    // Up, and what was cut out: without either, only this mark is there.
    screen.press("\u{1b}[A\u{19}!\r");
    let shown = screen.until("!");
    assert!(!shown.contains('2'), "{shown:?}");
    let over = CODES.replace("race seats play act  ", "");
    let mut screen = begun(folder.path(), "over.rules", &over);
    choose(&mut screen, "a", "3");
    choose(&mut screen, "b", "2");
    screen.until("over> ");
    screen.press("\u{1b}[A\u{19}!\r");
    let shown = screen.until("!");
    assert!(!shown.contains('2'), "{shown:?}");
}

/// Where nobody presses a key, a race ends at its deadline.
#[test]
fn a_race_ends_at_its_deadline() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "game m \"M\"\nplayers a, b\nvar n: int \"n\"\naction nop { n += 1 }\n\
                 play { race seats play nop until now + 300 else { n := 7 }  a plays nop  draw }\n";
    let mut screen = begun(folder.path(), "m.rules", rules);
    screen.until("[:]");
    screen.until("nobody acts");
    screen.until("n: 7");
    screen.until("a> ");
}
