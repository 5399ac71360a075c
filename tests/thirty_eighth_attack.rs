//! What was found in a thirty-eighth attack.

use regelwerk::editor::{Analysis, rename};
use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::mend::{Subject, mend, offer};
use regelwerk::model::{Engine, Observation, Position};
use regelwerk::notation::{find_move, parse_position, print_move, print_position};
use regelwerk::play::{Match, Who};
use regelwerk::reference::Walker;
use regelwerk::report::Severity;

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
            "game g\nplayers a, b\nboard square 3 x 3\npiece mark owned\nreading gap = open | shut\nreading side = west | north | east\ndefine ahead = e\n\
             action lay {{ choose f in empty require some toward(f, ahead) put own mark on f }}\n\
             play {{ turns {{ mover plays lay else {{ draw }} }} }}\n{declared}\n{covering}\n"
        );
        let loaded = RuleFile::read("g.rules", &text, &NoFiles).check_all();
        let sorted = loaded.reports.sorted();
        let errors = sorted.iter().filter(|report| report.code.severity() == Severity::Error);
        errors.map(|report| report.message.clone()).collect::<Vec<_>>()
    };
    for (declared, covering) in [
        ("variant v { replace define ahead = DIR }", "with gap == open and v { replace define ahead = e }"),
        (
            "variant v { set gap = shut replace define ahead = DIR }",
            "with gap == shut and v { replace define ahead = e }",
        ),
        ("variant v { replace define ahead = DIR with gap == open { replace define ahead = e } }", ""),
        (
            "with side == north { replace define ahead = DIR }",
            "with side == north and gap == open { replace define ahead = e }",
        ),
        (
            "variant v { replace define ahead = DIR }",
            "with gap == open and v { replace define ahead = e } with side == west and v { replace define ahead = w }\n\
             with gap == open and side == west and v { replace define ahead = n }",
        ),
    ] {
        assert_eq!(covered(&declared.replace("DIR", "n"), covering), Vec::<String>::new(), "{declared}");
        let found = covered(&declared.replace("DIR", "nonsens"), covering);
        assert!(found.iter().any(|message| message.contains("nonsens")), "{declared} {covering}: {found:?}");
    }
}

/// Of three readings that an overlay names by the usual alternatives, each two are also checked with others.
#[test]
fn two_of_three_readings_are_changed() {
    let text = "game b
players p, q
define d0 = 0
define d1 = 0
reading r = r0 | r1
reading s = s0 | s1
reading u = u0 | u1
                action take { choose n in 1..2 require d0 + d1 > -99 }
play { turns { mover plays take } }
                end e after move when ply >= 1 { draw }
with r == r0 and s == s0 and u == u0 { replace define d0 = 5 }
                with r == r1 and u == u0 { replace define d1 = g }
with s == s0 { define g = 1 }
";
    let loaded = RuleFile::read("b.rules", text, &NoFiles).check_all();
    let found: Vec<String> = loaded.reports.sorted().iter().map(|report| report.message.clone()).collect();
    assert!(found.iter().any(|message| message == "there is no name `g`"), "{found:?}");
}

/// A name is changed in what an overlay on the usual alternative covers, too.
#[test]
fn what_an_overlay_covers_is_renamed() {
    let text = "game g\nplayers a, b\nboard square 3 x 3\npiece mark owned\nreading gap = open | shut\ndefine n = w\ndefine ahead = e\n\
         action lay { choose f in empty require some toward(f, ahead) put own mark on f }\n\
         play { turns { mover plays lay else { draw } } }\nvariant v { replace define ahead = n }\n\
         with gap == open and v { replace define ahead = e }\n";
    let analysis = Analysis::new("g.rules", text, &NoFiles);
    let at = text.find("n = w").expect("the definition");
    let (target, _) = analysis.target("g.rules", at).expect("a name");
    let renamed = rename(&[&analysis], &NoFiles, &target, "north", &|_| true).expect("a renaming");
    let places: Vec<usize> = renamed.places.iter().map(|place| place.start).collect();
    assert_eq!(places, [at, text.find("n }\nwith").expect("its use")]);
}

/// A type of the language is no name for an enum; and whoever wrote cases of a region by something else is told to name seats.
#[test]
fn names_of_types_and_cases_of_regions_have_cures() {
    for name in ["way", "site", "seat", "kind", "piece", "int"] {
        let found =
            helps(&format!("{HEAD}enum {name} = l, r\naction go {{ choose d in {{l, r}} }}\nplay {{ a plays go }}\n"));
        assert_eq!(found, [format!("use another name, such as `the_{name}`")]);
    }
    let cases =
        "enum hue = red, grn\nregion rgn: red = {a1}, grn = {b2}\naction go { choose s in rgn }\nplay { a plays go }\n";
    let found = helps(&format!("{HEAD}{cases}"));
    assert!(found.contains(&"name each seat".to_owned()), "{found:?}");
}

/// What makes positions differ is not called superfluous where the rules count them.
#[test]
fn what_only_repetition_reads_is_told_so() {
    for (var, end, cure) in [
        ("var", "occurrences >= 3", "or make it a `record`"),
        ("var", "repeats(0)", "or make it a `record`"),
        ("record", "occurrences >= 3", "read it in a rule"),
        ("var", "ply > 3", "read it in a rule"),
    ] {
        let text = format!(
            "game g\nplayers a, b\n{var} count_up: int\naction go {{ count_up += 1 }}\nplay {{ turns {{ mover plays go }} }}\n\
             end e after move when {end} or ply > 8 {{ draw }}\n"
        );
        let found = helps(&text);
        assert!(matches!(found.as_slice(), [help] if help.contains(cure)), "{var} {end}: {found:?}");
    }
}

/// What a refusal says is true: of directions, of tokens of somebody else, of ways of several steps.
#[test]
fn refusals_say_what_is_true() {
    let told = |rules: &str, text: &str| {
        let text_of_rules = format!(
            "game g\nplayers a, b\nboard square 5 x 5\npiece st owned\ntokens cn owned\nvar v: int\n\
             setup {{ put st of a on c3 put st of b on a1 put cn of a on a2 put cn of b on b2 }}\n{rules}\n\
             action rest {{ choose n in 1..2 }}\nplay {{ turns {{ mover plays go | rest }} }}\nend e after move when ply > 8 {{ draw }}\n"
        );
        both(&text_of_rules).map(|engine| {
            let game = Match::new(&*engine, engine.start());
            let step = game.door(Who::Referee).read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let grounds = game.door(Who::Referee).grounds(&step).open();
            format!("{:?}", grounds.verdict.expect_err("a refusal"))
        })
    };
    let go = |path: &str| format!("{path}\naction go {{ choose f in own st choose t in two(f) move f to t }}");
    for (rules, text, wrong, right) in [
        (
            "action go { choose f in own st choose t in around(f, diagonal) move f to t }".to_owned(),
            "c3-c4",
            "Apart",
            "",
        ),
        ("action go { choose f in own st choose t in around(f) move f to t }".to_owned(), "c3-c5", "", "Apart"),
        ("action go { choose t in around({c3, c4}) v += 1 }".to_owned(), "go c4", "Apart", ""),
        ("action go { choose f in own cn v += 1 }".to_owned(), "go b2", "Tokens", ""),
        ("action go { choose f in own cn v += 1 }".to_owned(), "go c3", "", "Tokens"),
        (go("path two = (step orthogonal to empty){2}"), "c3-c4", "Aside", "Unreachable"),
        (go("path two = step n to empty then step e to empty"), "c3-c4", "Aside", "Unreachable"),
        (go("path two = step n to empty"), "c3-d3", "", "Aside"),
    ] {
        for found in told(&rules, text) {
            assert!(wrong.is_empty() || !found.contains(wrong), "{rules} {text}: {found}");
            assert!(found.contains(right), "{rules} {text}: {found}");
        }
    }
}

/// Where one action chooses two ways, each passes the sites that it passes, though both have the same end and take the same.
#[test]
fn each_of_two_ways_passes_its_own_sites() {
    for (head, legal) in [
        ("choose v in cap(a1) choose w in cap(b1) require v.to == a2 and w.to == c2", 4),
        ("choose v in cap(a1) choose w in cap(v.to) require v.to in {a2, b2}", 1),
    ] {
        let text = format!(
            "game ov\nplayers al, bo\nboard square 3 x 3\npiece man owned\nvar n: int\npath cap = (take then step directions to sites - taken){{2}}\n\
             action mv {{ {head} n += count(v.taken) }}\nplay {{ turns {{ mover plays mv }} }}\nend e after move when ply == 4 {{ draw }}\n"
        );
        let [reference, fast] = both(&text).map(|engine| engine.legal(&engine.start()));
        assert!(fast.len() >= legal, "{}", fast.len());
        assert_eq!(fast, reference, "{head}");
    }
}

/// A blank that stands one letter too far left or right makes a misspelt keyword of a right one: `check --fix` takes it for no slip of
/// spelling, unless the file has errors with the blank where it belongs.
#[test]
fn a_blank_that_has_moved_is_no_misspelling() {
    let rules = "game g\nplayers p, q\noption o = 9 from 5..20\nvar n: int\nvar en: int\nvar e: int\n\
                 action take { choose n in 1..3 en += n }\nplay { turns { mover plays take } }\nvariant rain { set o = 12 }\n\
                 end done after move when en > o + n + e { win me }\n";
    assert!(!load("g.rules", rules, &NoFiles, &Setup::default()).reports.has_errors());
    for (right, wrong, sure) in [
        ("choose n in", "choos en in", false),
        ("variant rain", "varian train", false),
        // A blank that came into a word.
        ("option o =", "optio n o =", false),
        ("var e: int", "va r e: int", false),
        ("variant rain", "variantr ain", false),
        ("variant rain", "varinat rain", true),
        ("choose n in", "chose n in", true),
        ("mover plays", "moverp lays", false),
        ("choose n in", "choosn e in", false),
        ("variant rain", "varianr tain", false),
    ] {
        let text = rules.replacen(right, wrong, 1);
        let found = mend(Subject { name: "g.rules", text: &text, files: &NoFiles }, &Setup::default());
        if sure {
            assert_eq!(found.text, rules, "{wrong}");
        } else {
            assert_eq!(found.text, text, "{wrong}");
        }
    }
}
