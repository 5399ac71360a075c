//! Constructs that spare authors a detour, by small games whose course is worked out by hand, on
//! both interpreters; and what the checker says where they cannot stand.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Position};
use regelwerk::notation::{find_move, print_move, print_position};
use regelwerk::report::Code;

use crate::equal::compare;

/// The engine that plays, with everything lowered; it agrees with the reference in random games.
fn made(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered(), "{:?}", fast.lowering());
    for seed in 0..12 {
        compare(&fast, seed, 40, text);
    }
    fast
}

/// Code, message and cure of what is reported.
fn told(text: &str) -> Vec<(Code, String, String)> {
    let reports = load("g.rules", text, &NoFiles, &Setup::default()).reports;
    let sorted = reports.sorted();
    sorted.iter().map(|r| (r.code, r.message.clone(), r.help.clone().unwrap_or_default())).collect()
}

/// The position after moves.
fn after(fast: &Fast, moves: &[&str]) -> Position {
    moves.iter().fold(fast.start(), |position, text| {
        let mv = find_move(fast, &position, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        fast.play_unchecked(&position, &mv)
    })
}

fn legal(fast: &Fast, position: &Position) -> Vec<String> {
    fast.legal(position).iter().map(|mv| print_move(fast.game(), position, mv)).collect()
}

/// Who has won, by number.
fn winners(fast: &Fast, moves: &[&str]) -> Vec<usize> {
    let position = after(fast, moves);
    let outcome = position.outcome.as_ref().unwrap_or_else(|| panic!("{}", print_position(fast, &position)));
    outcome.winners().collect()
}

const LANE: &str = "game lane\nplayers white, black\nboard square 4 x 1\npiece man owned\npiece rock\n\
    setup { put man of white on a1 put man of black on d1 }\n";

/// On three sites White comes to b1, and Black on c1 cannot step. Whoever it is asked of and wherever it is asked,
/// the answer is the same; the seat asked about is the one whose men step.
#[test]
fn it_can_be_asked_whether_a_seat_can_play() {
    let step = "action step { choose from in own man choose to in around(from) & empty move from to to }\n";
    let asked = [
        ("play { turns { if not mover can play step { lose mover } mover plays step } }\n", "the mover"),
        (
            "play { turns { mover plays step } }\n\
             end stuck before turn when not (mover can play step) { lose mover }\n",
            "before a turn",
        ),
        (
            "play { turns { mover plays step } }\ndefine free(p: seat) = p can play step\n\
             end stuck after move when not free(opponent(me)) { win me }\n",
            "in a definition",
        ),
        (
            "play { turns { mover plays step } }\n\
             end stuck after move when {p in seats where p can play step} == {me} { win me }\n",
            "in a set",
        ),
    ];
    for (rest, what) in asked {
        let fast = made(&format!("{LANE}{step}{rest}").replace("4 x 1", "3 x 1").replace("d1", "c1"));
        assert_eq!(legal(&fast, &fast.start()), ["a1-b1"], "{what}");
        assert_eq!(winners(&fast, &["a1-b1"]), [0], "{what}");
    }
}

/// Asked in the middle of an action about that action: its own names keep their values, and so does `me`.
#[test]
fn names_outlive_the_question() {
    let fast = made(&format!(
        "{LANE}action step {{ choose from in own man choose to in around(from) & empty move from to to \
         if opponent(me) can play step {{ put rock on from }} else {{ win me }} }}\nplay {{ turns {{ mover plays step }} }}\n"
    ));
    let position = after(&fast, &["a1-b1"]);
    assert!(print_position(&fast, &position).contains("rock: a1"), "{}", print_position(&fast, &position));
    // Black comes to c1: White stands between the rock and Black.
    assert_eq!(winners(&fast, &["a1-b1", "d1-c1"]), [1]);
}

/// A guard may ask about another action, also one with guards of its own on the position after it: a
/// rock may be laid only where it leaves the other side a step that does not end on the edge.
#[test]
fn a_guard_may_ask_about_another_action() {
    let fast = made(&format!(
        "{LANE}action step {{ choose from in own man choose to in around(from) & empty move from to to \
         ensure own man within b1..c1 }}\n\
         action block {{ choose at_site in empty put rock on at_site ensure opponent(me) can play step }}\n\
         play {{ turns {{ mover plays step | block else {{ draw }} }} }}\n"
    ));
    // Black steps from d1 to c1 alone, so the rock goes to b1, or White steps there.
    assert_eq!(legal(&fast, &fast.start()), ["a1-b1", "b1"]);
    // Black steps to c1 or lays a rock behind White; before White it would leave no step but that to the edge.
    assert_eq!(legal(&fast, &after(&fast, &["a1-b1"])), ["d1-c1", "a1"]);
}

/// Who has left the game can play nothing.
#[test]
fn a_seat_that_has_left_cannot_play() {
    let fast = made(
        "game g\nplayers a, b, c\nvar n: int\nvar seen: set of seat\naction go { n += 1 }\n\
         play { turns { mover plays go seen := {p in seats where p can play go} } }\n\
         end out after turn when n == 1 { place mover }\nend over after turn when n == 3 { win seats }\n",
    );
    let seen = |moves: &[&str]| print_position(&fast, &after(&fast, moves));
    assert!(seen(&["go"]).contains("seen={a b c}"), "{}", seen(&["go"]));
    assert!(seen(&["go", "go"]).contains("seen={b c}"), "{}", seen(&["go", "go"]));
}

/// Whether a move is legal cannot depend on itself, by whatever detour.
#[test]
fn legality_in_a_circle_is_refused() {
    let head = "game g\nplayers a, b\nboard square 3 x 1\npiece man owned\n";
    let end = "end full after move when no empty { draw }\n";
    let circles = [
        "action put_one { choose f in empty require me can play put_one put own man on f }\nplay { turns { mover plays put_one } }\n",
        "action put_one { choose f in {f in empty where able} put own man on f }\ndefine able = me can play put_one\n\
         play { turns { mover plays put_one } }\n",
        "action put_one { choose f in empty require opponent(me) can play other put own man on f }\n\
         action other { choose f in empty put own man on f mark() ensure some empty }\n\
         procedure mark() { if opponent(me) can play put_one { remove a1 } }\n\
         play { turns { mover plays put_one | other else pass } }\n",
        "action put_one { choose f in toward_it(b1) put own man on f }\n\
         path toward_it = step to empty then if mover can play put_one\nplay { turns { mover plays put_one else pass } }\n",
    ];
    for text in circles {
        let told = told(&format!("{head}{text}{end}"));
        let [(code, message, help)] = told.as_slice() else { panic!("{text}: {told:?}") };
        assert_eq!(*code, Code::Circular, "{text}");
        assert!(message.starts_with("whether `") && message.contains("depends on whether"), "{message}");
        assert!(help.contains("ask in `play`, in an end"), "{help}");
    }
}

#[test]
fn only_actions_can_be_asked_for() {
    let text = |asked: &str| {
        format!(
            "game g\nplayers a, b\nvar n: int \"n\"\naction go {{ n += 1 }}\nplay {{ turns {{ mover plays go }} }}\n\
             end over after move when {asked} {{ draw }}\n"
        )
    };
    let told = |asked: &str| told(&text(asked)).into_iter().map(|(code, ..)| code).collect::<Vec<_>>();
    assert_eq!(told("mover can play go"), []);
    assert_eq!(told("mover can play pass"), [Code::Misplaced]);
    assert_eq!(told("mover can play gone"), [Code::UnknownName]);
    assert_eq!(told("seats can play go"), [Code::WrongType]);
}
