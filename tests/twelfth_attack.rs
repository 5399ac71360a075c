//! What a twelfth attack found, each with the rules that showed it.

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ending, Engine, Viewer, set_up_with};
use regelwerk::play::{Stream, random_move, told};
use regelwerk::reference::Walker;
use regelwerk::report::Code;

use crate::support::reports;

/// Rules in which somebody picks on behalf of another: who sees it is said from the point of view of the seat that acts.
const PICKED: &str = "game g\nplayers blue, red\nvar code(p: seat): int seen by p\nvar n_was: int \"n\"\naction ask { choose n in 1..2\nn_was := n\n\
                      choose c in 3..4 by opponent(me) seen by WHO\ncode(WHO) := c }\nplay { turns { mover plays ask } }\n\
                      end long after move when ply >= 4 { draw }\n";

#[test]
fn who_sees_a_pick_is_judged_for_the_seat_that_acts() {
    for (who, shown) in [("me", [true, true]), ("opponent(me)", [false, true])] {
        let loaded = load("g.rules", &PICKED.replace("WHO", who), &NoFiles, &Setup::default());
        let tells = loaded.reports.sorted().iter().any(|report| report.code == Code::Tells);
        assert!(who != "me" || !tells, "{}", reports(&loaded));
        let engine = Fast::new(loaded.game.expect("a game that checks"));
        let start = engine.opening();
        let position = engine.play_unchecked(&start, &engine.legal(&start)[0]);
        let pick = engine.legal(&position)[0].clone();
        let heard = SeatId::all(2)
            .map(|seat| format!("{:?}", told(&engine, &position, &pick, Viewer::Seat(seat))).contains("\"3\""));
        assert_eq!(heard.collect::<Vec<_>>(), shown, "{who}");
    }
}

/// After the last question of all there is no next one to compare positions by.
#[test]
fn what_is_asked_next_need_not_exist() {
    let count = "game two\nplayers a, b\nvar left: int = 5\naction take { choose n in 1..2 require n <= left left -= n }\n\
                 play { LOOP { if left > 0 { mover plays take } } }\nend rep after move when TEST { draw }\n\
                 end none MOMENT when left == 0 { win mover }\n";
    for (turns, test, moment) in [
        ("turns", "occurrences >= 3", "after turn"),
        ("turns", "occurrences of left >= 3", "after move"),
        ("turns", "repeats(0)", "after turn"),
        ("while true", "occurrences >= 3", "after move"),
        ("turns", "occurrences >= 3", "before turn"),
    ] {
        let text = count.replace("LOOP", turns).replace("TEST", test).replace("MOMENT", moment);
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let game = loaded.game.clone().unwrap_or_else(|| panic!("{}", reports(&loaded)));
        let (fast, walker) = (Fast::new(game.clone()), Walker::new(game));
        for engine in [&fast as &dyn Engine, &walker] {
            let (mut position, mut dice) = (engine.opening(), Stream::new(1, "game", 0));
            while let Some(mv) = random_move(engine, &position, &mut dice) {
                position = engine.play_unchecked(&position, &mv);
            }
            let ending = position.outcome.map(|outcome| outcome.ending);
            let decided = matches!(ending, Some(Ending::Rule(rule)) if engine.game().rules[rule].name == "none");
            assert!(decided, "{turns} {test} {moment} {}: {ending:?}", engine.name());
        }
    }
}

/// `check` says so where the first question cannot be answered for want of steps.
#[test]
fn a_first_question_of_too_many_moves_is_reported() {
    let text = "game g\nplayers a, b\nvar x: int\naction p { choose d in 1..100000 choose e in 1..100000 x += d }\n\
                play { turns { mover plays p } }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(reports(&loaded).contains("moves of the first question take more steps"), "{}", reports(&loaded));
}

/// Phases are known wherever an expression may stand, also where it says who sees a thing.
#[test]
fn who_sees_a_thing_may_depend_on_the_phase() {
    let text = "game g\nplayers a, b\ndefine late = phase(showing)\nvar x: int seen by (if late then seats else {})\n\
                var y: int seen by (if phase(showing) then seats else {})\naction go { choose i in 1..2  x += i  y += i }\n\
                play { phase hiding { mover plays go } phase showing { turns { mover plays go } } }\n\
                end long after move when ply >= 4 { draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(loaded.game.is_some() && !reports(&loaded).contains("no phase"), "{}", reports(&loaded));
}

/// The least of a set is known to be the least to whoever sees which it was: games of `tests/inference` found it.
#[test]
fn the_first_of_a_set_tells_whoever_sees_it() {
    let text = "game g\nplayers a, b\npiece card { rank: int }\nzone deck: pile of card, seen by no\n\
                zone box: set of card, seen by no\nzone hand(p: seat): set of card, seen by p\n\
                setup { for n in 1..6 { put card with rank = n on deck }  shuffle deck  move top 2 of deck to box }\n\
                action act { choose i in 1..2  move WHICH of box to hand(following(mover)) }\n\
                play { turns { mover plays act } }\nend long after move when ply >= 2 { draw }\n";
    for (which, told) in [("bottom", true), ("top", true), ("all", false)] {
        let loaded = load("g.rules", &text.replace("WHICH", which), &NoFiles, &Setup::default());
        let tells = loaded.reports.sorted().iter().any(|report| report.code == Code::Tells);
        assert_eq!(tells, told, "{which}: {}", reports(&loaded));
    }
}

/// The steps that a shuffle takes grow with the cards: what is traced for each of them looked at all.
#[test]
fn a_shuffle_is_traced_at_its_last_card() {
    let text = "game g\nplayers a, b\nkinds card\n  | kind |\n  | one |\n  | two |\nzone z: pile of card, seen by no\nvar x: int \"x\"\n\
                setup { put 3 one on z  put 3 two on z  shuffle z }\naction m { choose n in 1..2  x += n }\n\
                play { turns { mover plays m } }\nend long after move when ply >= 2 { draw }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let walker = Walker::new(loaded.game.expect("a game that checks"));
    let mut traced = 0;
    let start = set_up_with(&walker, walker.start(), |_, _| 0, |_, _| traced += 1);
    assert_eq!(traced, 1);
    assert!(start.asked().is_some());
    let used = walker.explain().first_trace();
    let names: Vec<&str> =
        used.iter().filter_map(|rule| walker.game().rules.get(*rule)).map(|rule| rule.name.as_str()).collect();
    assert!(names.contains(&"setup"), "{names:?}");
}
