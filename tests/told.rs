//! What the rules tell, who may take what back, and what a name for it gives away.

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::play::{Match, Step, Stream, Who};
use regelwerk::report::Severity;

/// A game in which b hides a ship before a fires.
fn ships(rest: &str) -> Fast {
    let text = format!(
        "game g\nplayers a, b\nclause §1 \"right\"\nclause §2 \"wrong\"\nboard square 3 x 3\npiece mark\n\
         var fleet(p: seat): set of site seen by p\nvar points: int\n\
         action hide {{ choose f in sites seen by me  fleet(me) += f }}\naction nop {{ choose q in 1..2  points += q }}\n{rest}\n"
    );
    let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
    let told = loaded.reports.sorted().iter().any(|report| report.code.text() == "check/tells");
    let wrong = loaded.reports.sorted().iter().any(|report| report.code.severity() == Severity::Error);
    assert!(!told && !wrong, "{text}\n{:?}", loaded.reports);
    Fast::new(loaded.game.unwrap_or_else(|| panic!("{text}")))
}

/// A game after these moves.
fn after<'e>(engine: &'e dyn Engine, moves: &[&str]) -> Match<'e> {
    let mut game = Match::new(engine, engine.start());
    for text in moves {
        let step = game.door(Who::Referee).read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(step).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    }
    game
}

/// Wherever a rule tells something, the move that it tells by stays, and so does one after which what was told decides what is
/// seen: whether the ship was there or not.
#[test]
fn what_was_told_is_not_taken_back() {
    let course = "play { b plays hide  a plays fire  b plays nop  draw }";
    for (rules, moves) in [
        ("action fire { choose f in sites  let hit = told(f in fleet(b))  if hit { points += 1 } }", &["fire a1"][..]),
        ("action fire { choose f in sites  let hit = told(f in fleet(b))  points += 1 }", &["fire a1"]),
        (
            "action fire { choose f in sites  let hit = told(f in fleet(b))  put mark on f  choose n in 1..9  if hit { points += n } }",
            &["fire a1", "9"],
        ),
        (
            "procedure score(hit: bool) { choose n in 1..9  if hit { points += n } }\n\
             action fire { choose f in sites  put mark on f  score(told(f in fleet(b))) }",
            &["fire a1", "9"],
        ),
        (
            "action x { require told(a1 in fleet(b)) }\naction fire { choose f in sites  if b can play x { points := 4 } }",
            &["fire a2"],
        ),
    ] {
        let engine = ships(&format!("{rules}\n{course}"));
        for hidden in ["hide a1", "hide c3"] {
            let game = after(&engine, &[&[hidden], moves].concat());
            assert_eq!(game.door(Who::seat(SeatId::FIRST)).undo(), None, "{rules} {hidden}");
        }
    }
    // A loop that ends, or goes on, by what is told.
    let mut asked = 0;
    for course in [
        "while points < told(count(fleet(b) & {a1})) { a plays fire }",
        "repeat (1 + told(count(fleet(b) & {a1}))) { a plays fire }",
        "for s in told(fleet(b) | {c1}) { a plays fire }",
        "for s in {a1, c1} where s == c1 or told(s in fleet(b)) { a plays fire }",
    ] {
        let engine = ships(&format!(
            "action fire {{ choose f in sites  put mark on f  points += 1 }}\nplay {{ b plays hide  {course}  b plays nop  draw }}"
        ));
        for hidden in ["hide a1", "hide c3"] {
            let game = after(&engine, &[hidden]);
            if game.asked() == Some(SeatId::FIRST) {
                asked += 1;
                let game = after(&engine, &[hidden, "fire b2"]);
                assert_eq!(game.door(Who::seat(SeatId::FIRST)).undo(), None, "{course} {hidden}");
            }
        }
    }
    // Only the first does not begin where the ship is elsewhere.
    assert_eq!(asked, 7);
}

/// After a move that decides who can act in a race, and so whether there is one, nothing is taken back; where everybody knows
/// that there is one, it is.
#[test]
fn whether_a_race_begins_tells_something() {
    for (cry, back) in [
        ("action cry { require some (mark & fleet(me))  points += 1 }", None),
        ("action cry { choose n in 1..2  points += n }", Some(1)),
    ] {
        let engine = ships(&format!(
            "action fire {{ choose f in sites - mark  put mark on f }}\n{cry}\n\
             play {{ b plays hide  a plays fire  race {{b}} play cry  b plays nop  draw }}"
        ));
        for hidden in ["hide a1", "hide c3"] {
            let game = after(&engine, &[hidden, "fire a1"]);
            assert_eq!(game.door(Who::seat(SeatId::FIRST)).undo(), back, "{cry} {hidden}");
        }
    }
}

/// What can be done in a race that comes next may tell something, as what can be chosen next may.
#[test]
fn what_a_race_lists_may_tell_something() {
    for race in ["race {a, b} play cry | nop until now + 50", "race {a, b} play cry | nop", "a plays cry | nop"] {
        let engine = ships(&format!(
            "action fire {{ choose f in sites  put mark on f }}\naction cry {{ choose f in told(fleet(b))  points += 1 }}\n\
             play {{ b plays hide  a plays fire  {race}  draw }}"
        ));
        for hidden in ["hide a1", "hide c3"] {
            let game = after(&engine, &[hidden, "fire a1"]);
            assert_eq!(game.door(Who::seat(SeatId::FIRST)).undo(), None, "{race} {hidden}");
        }
    }
}

/// A name for what is told is not shown: until something shows it, neither an explanation nor a bot knows it.
#[test]
fn a_name_for_what_is_told_counts_as_hidden() {
    for (rest, moves) in [
        (
            "var g: site = a1\naction guess { choose q in {a1, a2}  g := q }\n\
             play { b plays hide  let c = told(a1 in fleet(b))  a plays guess  if c == (g == a1) { win a §1 } else { lose a §2 } }",
            &[][..],
        ),
        (
            "action guess { choose f in sites  let hit = told(f in fleet(b))  put mark on f  choose n in 1..2\n\
             if hit == (n > 1) { win a §1 } else { lose a §2 } }\nplay { b plays hide  a plays guess }",
            &["a1"],
        ),
        // What is written on a piece that nobody sees is no more shown than a name is.
        (
            "kinds card { n: int }\n  | kind |\n  | low |\nzone box: row of card, seen by no\nvar g: int\n\
             setup { put 2 low with n = 0 on box }\naction guess { choose q in 1..2  g := q }\n\
             play { b plays hide  if told(a1 in fleet(b)) { change box: n = 7 }  a plays guess\n\
             if told(any x in box: x.n == 7) == (g == 1) { win a §1 } else { lose a §2 } }",
            &[],
        ),
    ] {
        let engine = ships(rest);
        let found = ["hide a1", "hide c3"].map(|hidden| {
            let game = after(&engine, &[&[hidden], moves].concat());
            let door = game.door(Who::seat(SeatId::FIRST));
            let mut samples = Vec::new();
            let (view, known) = door.seated().unwrap_or_else(|| panic!("{rest}: a is asked"));
            for number in 0..20 {
                let sample = known.determinize(&mut Stream::new(number, "told", 0));
                samples.push((sample.locals, sample.zones));
            }
            let grounds: Vec<_> = view.legal.iter().map(|mv| door.grounds(&Step::Move(mv.clone())).open()).collect();
            // What it relies on differs, so that nothing is said of it.
            assert!(grounds.iter().all(|grounds| grounds.veiled), "{rest}: {grounds:?}");
            (samples, grounds, view)
        });
        assert_eq!(found[0], found[1], "{rest}");
    }
}
