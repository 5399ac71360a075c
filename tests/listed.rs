//! What is listed is legal, whatever it takes to carry it out.

use std::cell::Cell;
use std::sync::Arc;

use regelwerk::bots::{Evaluation, Mcts};
use regelwerk::conformance::{Interpreters, load_cases, run_case};
use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::model::{Ending, Engine};
use regelwerk::notation::print_move;
use regelwerk::play::{Bot, Match, Stream, Who};
use regelwerk::reference::Walker;

/// The game of a rule file on both interpreters.
fn both(text: &str) -> [Box<dyn Engine>; 2] {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let game = loaded.game.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.reports));
    [Box::new(Walker::new(game.clone())), Box::new(Fast::new(game))]
}

/// A game in which b chooses a number in secret before a is asked.
fn secret(action: &str) -> String {
    format!(
        "game g\nplayers a, b\nvar code(p: seat): int seen by p\nvar x: int seen by no\nvar pub: int\n\
         action hide {{ choose n in 1..20 seen by me code(me) := n }}\n{action}\naction rest {{ pub += 1 }}\n\
         claim c by any seat {{ choose q in 1..20 let l = (sum 1 for i in 1..(code(b) * q * 5000)) require pub < 9 x := l }}\n\
         play {{ b plays hide turns {{ a plays w | rest if ply > 9 {{ draw }} }} }}\n"
    )
}

fn play(game: &mut Match<'_>, text: &str) {
    let step = game.door(Who::Referee).read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    game.play(step).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
}

/// A name in the head that only the effects read is worked out with them: neither what is listed nor what is refused depends on
/// what it takes, and where it takes too much the game ends before everybody's eyes.
#[test]
fn what_only_effects_read_decides_nothing() {
    for action in [
        "action w { choose q in 1..20 let l = (sum 1 for i in 1..(code(b) * q * 5000)) x := l }",
        "action w { choose q in 1..20 let k = code(b) let l = (sum 1 for i in 1..(k * q * 5000)) prefer pub x := l }",
        "action w { choose q in 1..20 let l = (sum 1 for i in 1..(code(b) * q * 5000)) require pub < 9 x := l }",
    ] {
        for engine in both(&secret(action)) {
            let seen = ["hide 1", "hide 5", "hide 19"].map(|hidden| {
                let mut game = Match::new(&*engine, engine.start());
                play(&mut game, hidden);
                let a = Who::seat(SeatId::FIRST);
                let door = game.door(a);
                let legal: Vec<String> =
                    door.legal().iter().map(|mv| print_move(engine.game(), game.position(), mv)).collect();
                assert_eq!(legal.len(), 21, "{action} {hidden} {}", engine.name());
                let claims = (1..=20).map(|q| format!("claim c {q}"));
                let grounds: Vec<_> = legal
                    .iter()
                    .cloned()
                    .chain(claims)
                    .map(|text| {
                        let step = door.read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                        let grounds = door.grounds(&step).open();
                        assert!(grounds.verdict.is_ok(), "{action} {hidden}, {text}, {}: {grounds:?}", engine.name());
                        grounds
                    })
                    .collect();
                (legal, grounds)
            });
            assert!(seen.iter().all(|other| *other == seen[0]), "{action} {}", engine.name());
        }
    }
}

/// How a game ended, if it ended by the step budget.
fn spent(game: &Match<'_>) -> bool {
    matches!(game.position().outcome.as_ref().map(|outcome| outcome.ending), Some(Ending::Budget(_)))
}

/// What is listed is carried out; if it takes too many steps, the game ends.
#[test]
fn a_listed_move_that_takes_too_much_ends_the_game() {
    let text = secret("action w { choose q in 1..20 let l = (sum 1 for i in 1..(code(b) * q * 5000)) x := l }");
    for engine in both(&text) {
        for (answer, over) in [("w 1", false), ("w 20", true), ("claim c 1", false), ("claim c 20", true)] {
            let mut game = Match::new(&*engine, engine.start());
            play(&mut game, "hide 19");
            play(&mut game, answer);
            assert_eq!(spent(&game), over, "{answer} {}", engine.name());
        }
    }
}

/// Where moves cannot be listed within the budget, the game ends for all to see: it does not wait for a seat that finds nothing
/// to choose from.
#[test]
fn a_question_that_cannot_be_listed_ends_the_game() {
    let text =
        secret("action w { choose q in 1..20 repeat code(b) * q * 500 { x += 1 } pub := x mod 2 ensure pub < 9 }");
    for engine in both(&text) {
        for (hidden, over) in [("hide 1", false), ("hide 19", true)] {
            let mut game = Match::new(&*engine, engine.start());
            play(&mut game, hidden);
            assert_eq!(spent(&game), over, "{hidden} {}", engine.name());
            assert!(!game.door(Who::seat(SeatId::FIRST)).legal().is_empty() || over, "{hidden} {}", engine.name());
        }
    }
}

/// A case, too, finds the game over where a question cannot be listed.
#[test]
fn cases_end_where_a_question_cannot_be_listed() {
    let rules = "game g\nplayers a, b\nvar x: int\naction j { x += 1 }\n\
                 action k { require x > 1 choose p in 1..400 choose q in 1..400 x := p }\nplay { turns { mover plays j | k } }\n";
    for (steps, passes) in [
        ("[Play([\"j\"]), GoesOn, Asked(\"b\")]", true),
        ("[Play([\"j\", \"j\"]), GoesOn]", false),
        ("[Play([\"j\", \"j\"]), Asked(\"a\")]", false),
        ("[Play([\"j\", \"j\"]), Holds([\"x == 2\"])]", true),
    ] {
        let text = format!("Cases(game: \"g.rules\", cases: [Case(clauses: [], name: \"c\", steps: {steps})])");
        let cases = load_cases(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for on in [Interpreters::Reference, Interpreters::Both] {
            let outcome = run_case(&cases.cases[0], &RuleFile::read("g.rules", rules, &NoFiles), on);
            assert_eq!(outcome.failures.is_empty(), passes, "{steps}: {:?}", outcome.failures);
        }
    }
}

/// What a case says of the end of a game has to come from the rules: a position that states it is none to start from.
#[test]
fn a_case_plays_to_the_end_that_it_tells() {
    let rules = "game g\nplayers a, b\nboard square 3 x 1\npiece m owned\naction lay { choose f in empty  put own m on f }\n\
                 play { turns { mover plays lay } }\nend full after move when no empty { win me }\n";
    let played = "mover=a | m.a: a1 | m.b: b1";
    for (given, steps, passes) in [
        (played.to_owned(), "Play([\"c1\"]), Won([\"a\"], [])", true),
        (format!("{played} c1 | result=a:win:1 b:loss:2 rule.5"), "Won([\"a\"], [])", false),
        (format!("{played} c1 | result=a:win:1 b:loss:2 rule.5"), "Holds([\"no empty\"])", false),
    ] {
        let text = format!(
            "Cases(game: \"g.rules\", cases: [Case(clauses: [], name: \"c\", given: Position(\"{given}\"), steps: [{steps}])])"
        );
        let cases = load_cases(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let outcome = run_case(&cases.cases[0], &RuleFile::read("g.rules", rules, &NoFiles), Interpreters::Both);
        assert_eq!(outcome.failures.is_empty(), passes, "{given}, {steps}: {:?}", outcome.failures);
        if !passes {
            assert!(
                outcome.failures.iter().all(|one| one.message.contains("played to its end")),
                "{:?}",
                outcome.failures
            );
        }
    }
}

/// What a listed move would lead to has not happened: an end is tested by a case that plays to it.
#[test]
fn an_end_is_tested_where_it_is_reached() {
    let rules = "game g\nplayers a, b\nboard square 3 x 1\npiece m owned\nclause §3 \"Three in a row win.\"\n\
                 action lay { choose f in empty  put own m on f }\nplay { turns { mover plays lay else { draw } } }\n\
                 end row after move when line(own m, 3) §3 { win me §3 }\n";
    for (steps, reached) in [
        ("Count(1)", false),
        ("Legal([\"c1\"])", false),
        ("Only([\"c1\"])", false),
        ("Play([\"c1\"]), Won([\"a\"], [\"3\"])", true),
    ] {
        let text = format!(
            "Cases(game: \"g.rules\", cases: [Case(clauses: [\"3\"], name: \"c\", given: Position(\"mover=a | m.a: a1 b1\"), steps: [{steps}])])"
        );
        let cases = load_cases(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let file = RuleFile::read("g.rules", rules, &NoFiles);
        let outcome = run_case(&cases.cases[0], &file, Interpreters::Both);
        assert!(outcome.failures.is_empty(), "{steps}: {:?}", outcome.failures);
        assert_eq!(outcome.touched.contains("3"), reached, "{steps}: {:?}", outcome.touched);
    }
}

/// In a game with secrets, looking up tens of thousands of answers in each iteration counts: the search ends with what it has.
#[test]
fn answers_that_are_looked_up_count_for_a_search() {
    let text = "game g\nplayers a, b\nboard square 16 x 16\nvar sv(p: seat): set of site seen by p\n\
        action w { choose f in sites choose h in sites sv(me) += f }\nplay { turns { mover plays w } }\n\
        end e after move when ply >= 2 { draw }\n";
    let [_, engine] = both(text);
    let game = Match::new(&*engine, engine.start());
    let (view, known) = game.door(Who::seat(SeatId::FIRST)).seated().unwrap_or_else(|| panic!("a is asked"));
    assert_eq!(view.legal.len(), 256 * 256);
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 5000
    };
    let mut bot = Mcts::new(&*engine, Arc::new(Evaluation::new(&*engine)), 1000, None, Stream::new(1, "bot", 0));
    assert!(bot.choose(&view, &known, &stop).is_some());
    // Each iteration asks a few times whether to stop, and looks at 65 536 answers or more, four steps each of ten million.
    assert!(asked.get() < 300, "{}", asked.get());
}
