//! What was found in a thirty-eighth attack.

use regelwerk::editor::{Analysis, rename};
use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::mend::{Subject, offer};
use regelwerk::model::{Engine, Observation, Position};
use regelwerk::notation::{find_move, parse_position, print_move, print_position};
use regelwerk::reference::Walker;

const HEAD: &str = "game g\nplayers a, b\nboard square 3 x 3\npiece mark owned\ntokens seed\nvar n: int\n";

/// The helps of the errors of a file.
fn helps(text: &str) -> Vec<String> {
    let mut loaded = load("g.rules", text, &NoFiles, &Setup::default());
    offer(Subject { name: "g.rules", text, files: &NoFiles }, &Setup::default(), &mut loaded);
    loaded.reports.sorted().iter().filter_map(|report| report.help.clone()).collect()
}

/// A number and a word that are written as one are told apart.
#[test]
fn a_number_and_a_word_are_written_apart() {
    for (effect, cure) in [
        ("n := 7 mod4", "`mod 4`"),
        ("n := 7mod 4", "`7 mod`"),
        ("n := n mod4", "`mod 4`"),
        ("n := 2ply", "`2 ply`"),
        ("put 2seed on f", "`2 seed`"),
    ] {
        let text = format!(
            "{HEAD}action lay {{ choose f in empty put own mark on f {effect} }}\nplay {{ turns {{ mover plays lay }} }}\n\
             end full after move when no empty {{ draw }}\n"
        );
        let found = helps(&text);
        assert!(
            matches!(found.as_slice(), [help] if help.contains("space between them") && help.contains(cure)),
            "{effect}: {found:?}"
        );
    }
}

/// A name that stands in another normal form wherever it stands has a cure, though no single edit is one.
#[test]
fn a_name_in_another_normal_form_throughout_has_a_cure() {
    let text = format!(
        "{HEAD}define u\u{308}ber = 3\naction lay {{ choose f in empty put own mark on f n := u\u{308}ber }}\n\
         play {{ turns {{ mover plays lay }} }}\nend full after move when no empty {{ draw }}\n"
    );
    assert_eq!(helps(&text), ["write its letters as precomposed characters (Unicode NFC)"]);
}

/// The games of a rule file on both interpreters.
fn both(text: &str) -> [Box<dyn Engine>; 2] {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let game = loaded.game.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.reports));
    [Box::new(Walker::new(game.clone())), Box::new(Fast::new(game))]
}

fn legal(engine: &dyn Engine, position: &Position) -> Vec<String> {
    engine.legal(position).iter().map(|mv| print_move(engine.game(), position, mv)).collect()
}

/// What stands after a statement that ends the game is not carried out on the way to the next question: a guard that looks at
/// earlier positions compares what the effects had done by then.
#[test]
fn nothing_after_the_end_counts_for_repetition() {
    for (won, then) in [
        ("if ply > 0 { win me }", "idle := 1"),
        ("if ply > 0 { if idle == 0 { win me } }", "if x == 0 { idle := 1 }"),
        ("if ply > 0 { finish() }", "repeat 1 { idle := 1 }"),
        ("if ply > 0 { idle := 0 rank p in seats by 1 }", "idle := 1 idle := idle + occurrences"),
    ] {
        let text = format!(
            "game g\nplayers a, b\nvar x: int\nvar idle: int\nprocedure finish() {{ win me }}\naction stay {{ x := 0 }}\n\
             action fin {{ {won} {then} ensure occurrences == 1 }}\nplay {{ turns {{ mover plays stay | fin }} }}\n"
        );
        for engine in both(&text) {
            // After `stay` b is asked as a was at the start; a move that leaves all as it is brings a's question back.
            let start = engine.start();
            assert_eq!(legal(&*engine, &start), ["stay", "fin"], "{won}: {}", engine.name());
            let stay = find_move(&*engine, &start, "stay").unwrap_or_else(|error| panic!("{error}"));
            let next = engine.play_unchecked(&start, &stay);
            assert_eq!(legal(&*engine, &next), ["stay"], "{won}: {}", engine.name());
        }
    }
}

/// A guard knows what the head of its action chose, also once the effects have ended the game.
#[test]
fn guards_know_the_head_after_the_end() {
    for end in ["place seats", "win me", "draw", "rank p in seats by 1", "if ply == 0 { win me }", "finish()"] {
        let text = format!(
            "game g\nplayers a, b\nvar y: int\nvar z: int\nprocedure finish() {{ win me }}\naction stay {{ y := z }}\n\
             action fin {{ choose n in 1..3 let m = n + 1 {end} y := occurrences ensure n > 1 and m < 4 and y < 9 }}\n\
             play {{ turns {{ mover plays fin | stay }} }}\n"
        );
        for engine in both(&text) {
            assert_eq!(legal(&*engine, &engine.start()), ["2", "stay"], "{end}: {}", engine.name());
        }
    }
}

/// The parameters of a procedure are gone with it, also where its arguments look at earlier positions: what is printed is read.
#[test]
fn parameters_of_a_procedure_go_with_it() {
    for call in ["note(occurrences of x, 1)", "note(occurrences, occurrences of x)"] {
        let text = format!(
            "game g\nplayers a, b\nvar x: int\nprocedure note(n: int, m: int) {{ x := (n + m) mod 3 }}\naction q {{ x := (x + 1) mod 3 }}\n\
             play {{ turns {{ {call} mover plays q }} }}\nend e after move when ply > 4 {{ draw }}\n"
        );
        let written = both(&text).map(|engine| {
            let mut position = engine.start();
            let mut lines = Vec::new();
            while !position.is_over() {
                let line = print_position(&*engine, &Observation::referee(&position));
                assert!(parse_position(&*engine, &line).is_ok(), "{}: {line}", engine.name());
                lines.push(line);
                let mv = engine.legal(&position).swap_remove(0);
                position = engine.play_unchecked(&position, &mv);
            }
            lines
        });
        assert_eq!(written[0], written[1], "{call}");
    }
}

/// What an overlay on the usual alternative of a reading covers is in force with another one, and checked there.
#[test]
fn what_an_overlay_covers_is_checked() {
    let covered = |declared: &str, covering: &str| {
        let text = format!(
            "{HEAD}reading gap = open | shut\nreading way = west | north | east\ndefine ahead = e\n\
             action lay {{ choose f in empty require some neighbours(f, ahead) put own mark on f }}\n\
             play {{ turns {{ mover plays lay else {{ draw }} }} }}\n{declared}\n{covering}\n"
        );
        let loaded = RuleFile::read("g.rules", &text, &NoFiles).check_all();
        loaded.reports.sorted().iter().map(|report| report.message.clone()).collect::<Vec<_>>()
    };
    for (declared, covering) in [
        ("variant v { replace define ahead = DIR }", "with gap == open and v { replace define ahead = e }"),
        (
            "variant v { set gap = shut replace define ahead = DIR }",
            "with gap == shut and v { replace define ahead = e }",
        ),
        ("variant v { replace define ahead = DIR with gap == open { replace define ahead = e } }", ""),
        (
            "with way == north { replace define ahead = DIR }",
            "with way == north and gap == open { replace define ahead = e }",
        ),
        (
            "variant v { replace define ahead = DIR }",
            "with gap == open and v { replace define ahead = e } with way == west and v { replace define ahead = w }\n\
             with gap == open and way == west and v { replace define ahead = n }",
        ),
    ] {
        assert_eq!(covered(&declared.replace("DIR", "n"), covering), Vec::<String>::new(), "{declared}");
        let found = covered(&declared.replace("DIR", "nonsens"), covering);
        assert!(found.iter().any(|message| message.contains("nonsens")), "{declared} {covering}: {found:?}");
    }
}

/// A name is changed in what an overlay on the usual alternative covers, too.
#[test]
fn what_an_overlay_covers_is_renamed() {
    let text = format!(
        "{HEAD}reading gap = open | shut\ndefine n = w\ndefine ahead = e\n\
         action lay {{ choose f in empty require some neighbours(f, ahead) put own mark on f }}\n\
         play {{ turns {{ mover plays lay else {{ draw }} }} }}\nvariant v {{ replace define ahead = n }}\n\
         with gap == open and v {{ replace define ahead = e }}\n"
    );
    let analysis = Analysis::new("g.rules", &text, &NoFiles);
    let at = text.find("n = w").expect("the definition");
    let (target, _) = analysis.target("g.rules", at).expect("a name");
    let renamed = rename(&[&analysis], &NoFiles, &target, "north", &|_| true).expect("a renaming");
    let places: Vec<usize> = renamed.places.iter().map(|place| place.start).collect();
    assert_eq!(places, [at, text.find("n }\nwith").expect("its use")]);
}
