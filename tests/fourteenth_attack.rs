//! What large games from small files showed: work that no rule asks for.

use regelwerk::engine::Fast;
use regelwerk::ir::{ActionRef, Game, Move, SeatId, Ty, Value};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::Engine;
use regelwerk::play::{InformationSet, Match, Reactions, Step, Stop, Stream, playout, random_move};
use regelwerk::reference::Walker;

use crate::support::reports;

fn game(text: &str) -> Game {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    loaded.game.clone().unwrap_or_else(|| panic!("{}", reports(&loaded)))
}

/// Three turns, each of which shuffles twelve cards, so that their order counts for repetition.
const SHUFFLED: &str = "game g\nplayers a, b\nkinds card\n| kind |\n| one |\n| two |\nzone deck: row of card, seen by all\n\
                        action mix { shuffle deck }\naction rest {}\nsetup { put 6 one on deck  put 6 two on deck }\n\
                        play { turns { mover plays mix } }\nend often after move when occurrences of deck >= 9 { draw }\n\
                        end long after move when ply >= 3 { draw }\n";

/// A position of the history for each question of a seat, one for each shuffle, and the last of all.
#[test]
fn a_shuffle_is_one_position() {
    let game = game(SHUFFLED);
    let (fast, walker) = (Fast::new(game.clone()), Walker::new(game));
    assert!(fast.lowering().is_some_and(|(_, gaps)| gaps.is_empty()), "it runs on the fast interpreter");
    let ends = [&fast as &dyn Engine, &walker].map(|engine| {
        let (mut position, mut dice, mut run) = (engine.opening(), Stream::new(1, "game", 0), engine.run());
        while let Some(mv) = random_move(engine, &position, &mut dice) {
            assert!(run.load(&position) && run.play_unchecked(&mv), "{}", engine.name());
            let next = engine.play_unchecked(&position, &mv);
            assert_eq!(run.position(), next, "{}", engine.name());
            position = next;
        }
        position
    });
    assert_eq!(ends[0], ends[1]);
    // Three turns of a move and a shuffle, and the question that would have been next.
    assert_eq!(ends[0].history.len(), 3 * 2 + 1);
}

/// What is counted of a traced game counts a shuffle once, however many cards it has.
#[test]
fn a_shuffle_is_traced_once() {
    let fast = Fast::new(game(SHUFFLED));
    let plan = Plan { cap: 100, seed: 0, invariants: false, traced: 1, reactions: None };
    let tally = simulate(&fast, &fast.start(), &plan, 0..1, &|_| ());
    let at = u32::try_from(SHUFFLED.find("shuffle deck").expect("it is there")).expect("a short text");
    let rules = fast.game().rules.iter().zip(&tally.traced.rules);
    let uses: Vec<u64> = rules.filter(|(rule, _)| rule.span.start == at).map(|(_, uses)| uses.times).collect();
    assert!(!uses.is_empty() && uses.iter().all(|times| (3..=6).contains(times)), "{uses:?}");
}

/// A race in which nobody ever means to do anything is given up.
#[test]
fn nothing_is_waited_for_endlessly() {
    let text = "game g\nplayers a, b\nvar x: int\naction go {}\ncue go: MEANT\n\
                play { while ply < 1 { race seats play go until now + 10 else { x += 1 } }  draw }\n";
    let reactions = Reactions { slips: 0, spread: 0, least: 5, ..Reactions::default() };
    for (meant, stop, plies) in [("x < 0", Stop::Budget, 0), ("x >= 5000", Stop::Over, 1)] {
        let fast = Fast::new(game(&text.replace("MEANT", meant)));
        let mut run = fast.run();
        assert!(run.load(&fast.start()));
        let mut dice = Stream::new(0, "game", 0);
        let played = playout(&fast, run.as_mut(), 2000, Some(&reactions), &mut dice, &mut |_, _| true);
        assert_eq!((played.stop, played.plies), (stop, plies), "{meant}");
        assert!(played.questions <= 10_001, "{}", played.questions);
    }
}

/// Many cards that are shuffled in play: each is one answer, and none of them looks at the others.
#[test]
fn a_large_shuffle_in_play_copies_nothing() {
    let text = SHUFFLED.replace("put 6 one", "put 20000 one").replace("put 6 two", "put 20000 two");
    let walker = Walker::new(game(&text));
    let (mut position, mut dice) = (walker.opening(), Stream::new(1, "game", 0));
    let mut answers = 0_u32;
    let bytes = position.bytes();
    while let Some(mv) = random_move(&walker, &position, &mut dice) {
        position = walker.play_owned(position, &mv);
        answers += 1;
    }
    assert_eq!(answers, 3 * 40_000);
    assert!(position.bytes() < 2 * bytes, "{} {bytes}", position.bytes());
}

/// A name is looked up as it was compared: as it is written, else in any case of its letters if that means one only.
#[test]
fn names_are_found_in_any_case() {
    let text = "game g\nplayers a, b\nenum word = Ja, ja, nein, Straße, ΣΑΣ\nvar x: int\naction go { choose w in word  x += 1 }\n\
                play { turns { mover plays go } }\nend long after move when x > 3 { draw }\n";
    let game = game(text);
    let word = game.enums.ids().map(Ty::Enum).next().expect("an enum");
    let names = game.names(&word);
    for text in ["Ja", "ja", "JA", "jA", "NEIN", "neim", "strasse", "STRAßE", "σας", "σασ", "ΣΑΣ", ""] {
        let exact = names.iter().position(|name| *name == text);
        let lower = text.to_lowercase();
        let same = names.iter().enumerate().filter(|(_, name)| name.to_lowercase() == lower);
        let mut alike = same.map(|(number, _)| number);
        let meant = if exact.is_some() { (exact, None) } else { (alike.next(), alike.next()) };
        assert_eq!(game.named(&word, text), meant, "{text}");
    }
    assert_eq!(game.named(&word, "JA"), (Some(0), Some(1)));
    assert_eq!(game.named(&word, "Nein"), (Some(2), None));
}

/// What runs between a shuffle of the setup and the first question runs once in each game.
#[test]
fn what_follows_the_setup_is_traced_once() {
    for chance in ["shuffle deck", "roll d in 1..2", ""] {
        let text = SHUFFLED
            .replace("put 6 two on deck }", &format!("put 6 two on deck  {chance} }}"))
            .replace("turns { mover plays mix }", "turns { x += 1  mover plays rest }");
        let text =
            text.replace("action mix { shuffle deck }", "var x: int").replace("occurrences of deck >= 9", "x > 9");
        let fast = Fast::new(game(&text));
        let plan = Plan { cap: 100, seed: 0, invariants: false, traced: 5, reactions: None };
        let tally = simulate(&fast, &fast.start(), &plan, 0..5, &|_| ());
        let at = u32::try_from(text.find("x += 1").expect("it is there")).expect("a short text");
        let rules = fast.game().rules.iter().zip(&tally.traced.rules);
        let times: Vec<u64> = rules.filter(|(rule, _)| rule.span.start == at).map(|(_, uses)| uses.times).collect();
        // Three turns of five games.
        assert!(!times.is_empty() && times.iter().all(|times| *times == 15), "{chance}: {times:?}");
    }
}

/// Where pieces may have been put in secret, samples enact the game again; which of them are taken must not depend on a hidden
/// order or number.
#[test]
fn what_is_enacted_again_knows_no_hidden_order() {
    let text = "game g\nplayers a, b\nvar mark: int seen by no\nvar right: int \"right\"\nkinds card { n: int }\n| kind |\n| sun |\n| moon |\n\
                zone pile_up: row of card, seen by no\nzone row_of: row of card, seen by all, order seen by no\n\
                zone purse: row of card, seen by a, number seen by no\nzone shown: row of card, seen by all\n\
                action write { put sun with n = mark on pile_up }\n\
                action name { choose k in kinds(card)  move top of row_of to shown  if (any c in top of shown: c.kind == k) { right += 1 } }\n\
                setup { put sun on row_of  put moon on row_of  shuffle row_of }\n\
                play { a plays name  b plays write  draw }\n";
    let engine = Fast::new(game(text));
    let samples = [0, 1].map(|card| {
        let mut course = Match::new(&engine, engine.start());
        let args = std::iter::once(Value::Int(card)).collect();
        course.play(Step::Move(Move { action: ActionRef::Pick, args })).expect("a card of the shuffle");
        let known = InformationSet::remembering(&course, SeatId::FIRST);
        (0..40).map(|n| known.determinize(&mut Stream::new(n, "sample", 0)).zones).collect::<Vec<_>>()
    });
    assert_eq!(samples[0], samples[1]);
    // Both orders are thought of.
    assert!(samples[0].iter().any(|zones| *zones != samples[0][0]));
}

/// Outcomes of a roll in the setup count, so that a setup of very many ends soon.
#[test]
fn outcomes_in_the_setup_count() {
    let text = "game g\nplayers a, b\nboard square 64 x 64\npiece stone owned\nsetup { repeat TIMES { roll g in sites  put stone of a on g } }\n\
                action lay { choose f in empty  put own stone on f }\nplay { turns { mover plays lay } }\n";
    for (times, fits) in [("500", true), ("20000", false)] {
        let loaded = load("g.rules", &text.replace("TIMES", times), &NoFiles, &Setup::default());
        let said = reports(&loaded);
        assert_eq!(loaded.game.is_some(), fits, "{said}");
        assert!(fits || said.contains("the setup or the first turn takes more steps"), "{said}");
    }
}
