//! Diagnostics as people see them: one snapshot per code, and hostile files.

use regelwerk::engine::Fast;
use regelwerk::lint::{Budget, lint};
use regelwerk::load::{Files, NoFiles, Setup, load};
use regelwerk::model::{Ending, Engine};
use regelwerk::reference::Walker;
use regelwerk::report::Code;

use crate::docs::ELSEWHERE;
use crate::support::{GAMES, blocks, example, fixtures, load_file, read, reports, rules_of};

#[test]
fn every_code_has_its_snapshot() {
    for code in Code::ALL {
        let wrong = blocks(code.page())
            .into_iter()
            .filter(|(info, _)| info.starts_with("rules wrong") && !info.ends_with("untested"));
        let mut shown = ELSEWHERE.contains(code);
        for (number, (info, text)) in wrong.enumerate() {
            shown = true;
            let variants: Vec<String> = info.split("--variant ").skip(1).map(|name| name.trim().to_owned()).collect();
            let loaded = example(*code, "example.rules", &text, &Setup { variants, ..Setup::default() });
            let name = format!("{}-{number}", code.text().replace('/', "-"));
            insta::assert_snapshot!(name, reports(&loaded));
        }
        assert!(shown, "{}: no snapshot", code.text());
    }
}

/// This many lines.
fn many(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().concat()
}

fn codes(text: &str) -> Vec<Code> {
    load("hostile.rules", text, &NoFiles, &Setup::default()).reports.sorted().iter().map(|report| report.code).collect()
}

const HEAD: &str = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\n\
    action put { choose f in empty put own stone on f }\nplay { turns { mover plays put else pass } }\n\
    end full after move when no empty { draw }\n";

#[test]
fn the_head_of_the_hostile_files_is_correct() {
    assert_eq!(codes(HEAD), []);
}

#[test]
fn excessive_nesting_is_rejected() {
    let deep = 100_000;
    for (open, close) in
        [("(", ")"), ("{", "}"), ("not ", ""), ("if true then ", " else 1"), ("-", ""), ("count(", ")")]
    {
        let text = format!("{HEAD}define f = {}1{}", open.repeat(deep), close.repeat(deep));
        let found = codes(&text);
        assert!(found.iter().any(|code| matches!(code, Code::TooDeep | Code::TooLong)), "{open}: {found:?}");
    }
    let long = format!("{HEAD}define f = 1{}", " + 1".repeat(50_000));
    assert!(codes(&long).contains(&Code::TooDeep), "{:?}", codes(&long));
}

#[test]
fn an_overlong_file_is_rejected() {
    let text = format!("{HEAD}// {}", "x".repeat(2_000_000));
    assert_eq!(codes(&text), [Code::TooLong]);
}

#[test]
fn combining_marks_are_rejected() {
    let text = HEAD.replace("put own stone on f }", "put own stone on f }\ndefine u\u{308}ber = 1");
    assert!(codes(&text).contains(&Code::NotNormal), "{:?}", codes(&text));
}

/// Overlong definitions, procedures, operator sequences and heads are rejected before the small stack of a test
/// thread overflows; and whatever is just within the limits plays on it.
#[test]
fn long_sequences_and_deep_definitions_are_rejected() {
    let defined = many(2000, |n| format!("define d{n}(y: int) = d{}(y) + y\n", n + 1));
    let called = many(2000, |n| format!("procedure p{n}() {{ p{}() }}\n", n + 1));
    let long = format!("define row = 0{}", " + 1".repeat(400));
    for text in [format!("{defined}define d2000(y: int) = y"), format!("{called}procedure p2000() {{ again }}"), long] {
        assert!(codes(&format!("{HEAD}{text}\n")).contains(&Code::TooDeep), "{}", &text[..60]);
    }
    let head = HEAD.replace("choose f in empty", &format!("choose f in empty {}", "require true ".repeat(5000)));
    assert!(codes(&head).contains(&Code::OutOfRange));
    let sum = format!("1{}", " + 1".repeat(150));
    let text = HEAD.replace("choose f in empty", &format!("choose f in empty require {sum} > d0"));
    let deep = many(30, |n| format!("define d{n} = d{} + 0\n", n + 1));
    let loaded = load("deep.rules", &format!("{text}{deep}define d30 = 1\n"), &NoFiles, &Setup::default());
    let engine = Walker::new(loaded.game.unwrap_or_else(|| panic!("allowed")));
    assert_eq!(engine.legal(&engine.start()).len(), 9);
}

/// Sets that keep growing exhaust the budget, not the memory.
#[test]
fn growing_sets_exhaust_the_budget() {
    let text = HEAD.replace("put own stone on f }", "s += k..(k * 2) k := k * 2 }");
    let text = format!("{text}var s: set of int = 1\nvar k: int = 1\n");
    let loaded = load("grow.rules", &text, &NoFiles, &Setup::default());
    let engine = Walker::new(loaded.game.expect("a game"));
    let mut position = engine.start();
    for _ in 0..40 {
        let moves = engine.legal(&position);
        let Some(mv) = moves.first() else { break };
        position = engine.play_unchecked(&position, mv);
    }
    assert!(matches!(position.outcome.expect("an end").ending, Ending::Budget(_)));
}

/// Definitions that each use the previous one twice, forty deep: their dependencies are computed without visiting
/// them again for every call.
#[test]
fn doubling_definitions_check_and_exhaust_the_budget() {
    for first in ["1", "count(empty)"] {
        let text = HEAD.replace("no empty", "f40 < 0");
        let doubled = many(40, |n| format!("define f{} = f{n} + f{n}\n", n + 1));
        let loaded =
            load("hostile.rules", &format!("{text}define f0 = {first}\n{doubled}"), &NoFiles, &Setup::default());
        let game = loaded.game.expect("it checks");
        let engine = Walker::new(game.clone()).with_budget(100_000);
        let start = engine.start();
        let next = engine.play_unchecked(&start, &engine.legal(&start)[0]);
        assert!(matches!(next.outcome.expect("an end").ending, Ending::Budget(_)), "{first}");
        // What varies is cached by the fast engine; what is constant grows too large when inlined.
        assert_eq!(Fast::new(game).lowered(), first != "1", "{first}");
    }
}

/// The same for procedures: whether one asks is determined once.
#[test]
fn doubling_procedures_check() {
    let doubled = many(40, |n| format!("procedure p{}() {{ p{n}() p{n}() }}\n", n + 1));
    let text =
        format!("{HEAD}var x: int \"x\"\nprocedure p0() {{ choose n in 1..3 x := n }}\n{doubled}setup {{ p40() }}\n");
    assert_eq!(codes(&text), [Code::Misplaced]);
}

/// A turn that never asks a seat.
#[test]
fn an_endless_turn_is_reported() {
    let text = HEAD.replace("mover plays put else pass", "let x = 1");
    assert_eq!(codes(&text), [Code::Unused, Code::BadStart]);
}

/// Files that refer to each other.
struct Shelf(&'static [(&'static str, &'static str)]);

impl Files for Shelf {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        let found = self.0.iter().find(|(name, _)| *name == file);
        found.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).ok_or_else(|| "not there".to_owned())
    }
}

fn shelf(text: &str, files: &'static [(&'static str, &'static str)], setup: &Setup) -> Vec<Code> {
    load("top.rules", text, &Shelf(files), setup).reports.sorted().iter().map(|report| report.code).collect()
}

/// The codes whose examples need another file or more than a mebibyte.
#[test]
fn codes_no_page_can_show() {
    let files = Shelf(&[("bad.ron", "Registry(clauses: [")]);
    let text = format!("{HEAD}document \"The rules\" clauses \"bad.ron\"\n");
    insta::assert_snapshot!("check-bad-registry-0", reports(&load("example.rules", &text, &files, &Setup::default())));
    let text = "// filler\n".repeat(120_000);
    insta::assert_snapshot!("syntax-too-long-0", reports(&load("example.rules", &text, &NoFiles, &Setup::default())));
}

/// A registry of two clauses and a gap, and translations of them: whole, with a gap in it, and wrong.
const SPOKEN: &[(&str, &str)] = &[
    ("clauses.ron", "Registry(clauses: [Clause(id: \"a\", kind: Advice, state: Documented, text: \"One.\")])"),
    ("ledger.ron", "Ledger(gaps: [Gap(id: \"g\", question: \"Q?\", decision: \"D.\", alternatives: [\"x\", \"y\"])])"),
    (
        "whole.ron",
        "Translation(language: \"de\", clauses: { \"a\": \"Eins.\", \"b\": \"Zwei.\", \"v\": \"Drei.\" },
            gaps: { \"g\": (question: \"F?\", decision: \"E.\", alternatives: [\"u\", \"v\"]) })",
    ),
    ("part.ron", "Translation(language: \"de\", clauses: { \"a\": \"Eins.\" })"),
    (
        "wrong.ron",
        "Translation(language: \"de\", clauses: { \"a\": \"Eins.\", \"b\": \"Zwei.\", \"v\": \"Drei.\", \"c\": \"Vier.\" },
            gaps: { \"g\": (question: \"F?\", decision: \"E.\", alternatives: [\"u\"]) })",
    ),
    ("broken.ron", "Translation(clauses: {"),
];

/// What a translation says is shown, and what it lacks, adds or counts otherwise is reported at its name.
#[test]
fn translations_cover_what_their_file_has() {
    let text = |file: &str| {
        format!(
            "{HEAD}document \"D\" clauses \"clauses.ron\" ledger \"ledger.ron\" translation \"{file}\"
clause §b \"Two.\"\ninvariant i: true §b, §g
variant more {{ clause §v \"Three.\" replace clause §b \"Other.\" invariant j: true §v }}\n"
        )
    };
    let spoken = |file: &str, setup: &Setup| load("top.rules", &text(file), &Shelf(SPOKEN), setup);
    let plain = spoken("whole.ron", &Setup::default());
    assert!(plain.reports.sorted().is_empty(), "{}", reports(&plain));
    let game = plain.game.expect("a game");
    let said = |id: &str| (game.clauses.clauses[id].text_in("de"), game.clauses.clauses[id].text_in("fr"));
    assert_eq!([said("a"), said("b"), said("g")], [("Eins.", "One."), ("Zwei.", "Two."), ("F? E.", "Q? Decided: D.")]);
    assert_eq!(game.clauses.clauses["g"].gap_in("de").expect("a gap").alternatives, ["u", "v"]);
    let more = spoken("whole.ron", &Setup { variants: vec!["more".to_owned()], ..Setup::default() });
    let game = more.game.expect("a game");
    assert_eq!(game.clauses.clauses["b"].text_in("de"), "Other.");
    assert_eq!(game.clauses.clauses["v"].text_in("de"), "Drei.");
    let found = |file: &str| {
        let mut codes: Vec<Code> =
            spoken(file, &Setup::default()).reports.sorted().iter().map(|report| report.code).collect();
        codes.sort();
        codes
    };
    assert_eq!(found("part.ron"), [Code::Untranslated]);
    assert_eq!(found("wrong.ron"), [Code::UnknownClause, Code::BadRegistry]);
    assert_eq!(found("broken.ron"), [Code::BadRegistry]);
    assert_eq!(found("none.ron"), [Code::MissingFile]);
}

#[test]
fn files_that_extend() {
    let base: &[(&str, &str)] = &[
        (
            "base.rules",
            "game base\nplayers a, b\noption size = 3 from 2..5\nboard square size x size\npiece stone owned\naction put { choose f in empty put own stone on f }\nplay { turns { mover plays put } }\nend full after move when no empty { draw }\n",
        ),
        ("round.rules", "game round extends \"round.rules\"\n"),
        ("bad.ron", "Registry(clauses: ["),
        (
            "good.ron",
            "Registry(document: \"d\", clauses: [Clause(id: \"a/1\", heading: \"A\", ordinal: 1, kind: Setup, state: Executable, text: \"One.\")])",
        ),
    ];
    let plain = Setup::default();
    let on_base = |more: &str| shelf(&format!("game top extends \"base.rules\"\n{more}"), base, &plain);
    assert_eq!(on_base("set size = 4\n"), []);
    assert_eq!(on_base("set sise = 4\n"), [Code::NothingToOverride]);
    assert_eq!(on_base("replace end full after move when no empty { win me }\n"), []);
    assert_eq!(on_base("end full after move when no empty { win me }\n"), [Code::Duplicate]);
    assert_eq!(on_base("remove end ful\n"), [Code::NothingToOverride]);
    assert_eq!(shelf("game x extends \"none.rules\"\n", base, &plain), [Code::MissingFile]);
    assert!(shelf("game x extends \"round.rules\"\n", base, &plain).contains(&Code::Circular));
    let registered = |file: &str, cite: &str| {
        shelf(&format!("{HEAD}document \"D\" clauses \"{file}\"\ninvariant i: true §{cite}\n"), base, &plain)
    };
    assert_eq!(registered("good.ron", "a/1"), []);
    assert_eq!(registered("good.ron", "a/2"), [Code::UnknownClause]);
    assert_eq!(registered("bad.ron", "a/1"), [Code::BadRegistry]);
    assert_eq!(registered("none.ron", "a/1"), [Code::MissingFile]);
}

#[test]
fn variants_that_do_not_combine() {
    let text = format!(
        "{HEAD}option goal = 3 from 1..9\ninvariant g: goal > 0\n\
         variant low excludes high {{ set goal = 2 }}\nvariant high {{ set goal = 5 }}\nvariant other {{ set goal = 4 }}\n"
    );
    let with = |names: &[&str]| {
        let setup = Setup { variants: names.iter().map(|n| (*n).to_owned()).collect(), ..Setup::default() };
        shelf(&text, &[], &setup)
    };
    assert_eq!(with(&["low"]), []);
    assert!(with(&["low", "high"]).contains(&Code::Conflict));
    assert_eq!(with(&["high", "other"]), [Code::Conflict]);
    assert_eq!(with(&["hihg"]), [Code::UnknownName]);
}

/// Bundled games and test fixtures give no warnings.
#[test]
fn sound_files_give_no_warnings() {
    for path in GAMES.map(rules_of).into_iter().chain(fixtures()) {
        let loaded = load_file(&path, &Setup::default());
        assert!(loaded.reports.is_empty(), "{}", reports(&loaded));
    }
}

/// Every word of the bundled games dropped, doubled, or swapped with the next: no panic, and every error has a place.
#[test]
fn damaged_files_are_reported_with_a_place() {
    let (mut files, mut broken) = (0, 0);
    for game in GAMES {
        let text = read(&rules_of(game));
        let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
        for at in (0..words.len()).step_by(17) {
            for damage in 0..3 {
                let mut damaged: Vec<&str> = words.clone();
                match damage {
                    0 => drop(damaged.remove(at)),
                    1 => damaged.insert(at, words[at]),
                    _ => damaged.swap(at, (at + 1) % words.len()),
                }
                let loaded = load(
                    &rules_of(game).display().to_string(),
                    &damaged.concat(),
                    &crate::support::Disk,
                    &Setup::default(),
                );
                files += 1;
                if loaded.game.is_none() {
                    broken += 1;
                    assert!(loaded.reports.has_errors(), "{game}: no report for damage {damage} at word {at}");
                }
            }
        }
    }
    assert!(broken > files / 5, "only {broken} of {files} damaged files are refused");
}

/// For every unknown name the most similar known one is offered, and the file checks with it.
#[test]
fn near_names_are_offered_for_all_sorts_of_names() {
    let sound = "game g\nplayers anna, berta\noption width: int = 3 from 2..5\nreading corner = open | closed\n\
        enum hue = red, green\nboard square width x width\nregion middle = b2\n\
        kinds token owned { side: hue } | kind | worth |\n| coin | 2 |\n| gem | 3 |\n\
        tokens grain\nzone stock: pile of token, seen by all\nvar scores(p: seat): int \"points\"\n\
        table factor\n| n: int | times |\n| 1 | 2 |\n\
        clause §near/1 \"Coins go onto free fields.\"\n\
        define value(s: site) = if some green_at(s) then 0 else sum x.worth for x at s\n\
        define green_at(s: site) = union s for x at s where x.side == green\npath walk = step orthogonal to empty\n\
        setup { put grain on middle put gem of anna with side = red on stock }\n\
        procedure settle(p: seat) { scores(p) += value(b2) * factor(ply).times }\n\
        action drop §near/1 { choose spot in empty - middle require corner == open or spot in walk(b2)\n\
          require grain at spot == 0 and some stock put coin of mover with side = green on spot settle(mover) }\n\
        play { phase early { turns { mover plays drop else pass } } }\n\
        end full after move when no empty - middle or phase(early) and ply > 9 { draw }\n";
    assert_eq!(codes(sound), [], "{}", reports(&load("near.rules", sound, &NoFiles, &Setup::default())));
    let cases = [
        ("gem of anna", "gem of ana"),
        ("square width x", "square widht x"),
        ("corner == open", "cornr == open"),
        ("== open or", "== opn or"),
        ("side: hue", "side: heu"),
        ("int = 3", "itn = 3"),
        ("empty - middle r", "empty - midle r"),
        ("pile of token", "pile of tokn"),
        ("x.worth", "x.wort"),
        ("put grain", "put gran"),
        ("gem of anna with side", "gem of anna with sied"),
        ("on stock", "on stok"),
        ("{ scores(p)", "{ score(p)"),
        ("factor(ply)", "factr(ply)"),
        (").times", ").tims"),
        ("drop §near/1", "drop §naer/1"),
        ("value(b2)", "valeu(b2)"),
        ("in walk(", "in wlak("),
        ("orthogonal", "orthogonl"),
        ("settle(mover)", "setle(mover)"),
        ("plays drop", "plays drpo"),
        ("phase(early)", "phase(erly)"),
        ("settle(mover) }", "settle(movr) }"),
        ("sum x.worth", "sum x.worht"),
        ("choose spot in empty", "choose spot in emty"),
    ];
    for (right, wrong) in cases {
        let text = sound.replacen(right, wrong, 1);
        assert!(text.len() + 2 > sound.len() && sound.contains(right), "{right}");
        let setup = Setup::default();
        let loaded = example(Code::UnknownName, "near.rules", &text, &setup);
        let first = loaded.reports.sorted().into_iter().next().unwrap_or_else(|| panic!("{wrong}: accepted"));
        let fix = first.fix.as_ref().unwrap_or_else(|| panic!("{wrong}: no fix\n{}", reports(&loaded)));
        let mended = [&text[..fix.span.start as usize], &fix.text, &text[fix.span.end as usize..]].concat();
        assert_eq!(codes(&mended), [], "{wrong}: {}", fix.message);
    }
}

/// Places too far to the right to be drawn are reported nevertheless.
#[test]
fn long_lines_are_reported_without_a_drawing() {
    let text = format!("game x\nplayers a, b\n{}foo\n", " ".repeat(70_000));
    let shown = reports(&load("l.rules", &text, &NoFiles, &Setup::default()));
    assert!(shown.contains("l.rules:3:70001") && shown.contains("foo"), "{shown}");
}

/// What a race lets a seat do only later is played; where looking for that takes too many steps, this is said.
#[test]
fn races_are_played_in_time() {
    let rules = |guard: &str| {
        format!(
            "game late\nplayers a, b\naction late {{ {guard} win me }}\ncue late: true\n\
             play {{ race seats play late until now + 6000 else {{ draw }} }}\n"
        )
    };
    let messages = |rules: &str, games: u64| {
        let budget = Budget { games, cap: 10, seed: 0, steps: 20_000_000_000 };
        let found = lint("late.rules", rules, &NoFiles, budget, &|_| {});
        found.reports.sorted().iter().map(|report| report.message.clone()).collect::<Vec<_>>()
    };
    let played = |guard: &str| messages(&rules(guard), 8);
    assert!(played("require now >= 3000").is_empty());
    assert!(played("require (now mod 10000) * (now mod 10000) >= 9000000").is_empty());
    assert_eq!(played("require now > 7000"), ["`late` was never legal in 8 random games"]);
    // An act that no cue names, where another one has a cue.
    let uncued = |guard: &str| {
        let other = format!("\naction other {{ {guard} win me }}\nplay {{");
        messages(&rules("").replace("\nplay {", &other).replace("play late", "play late | other"), 40)
    };
    assert!(uncued("require now >= 3000").is_empty());
    assert_eq!(uncued("require now > 7000"), ["`other` was never legal in 40 random games"]);
    let costly = "require {(sum x * x for x in 1..100) + now mod 10000} meets {(sum x * x for x in 1..100) + 4900}";
    let told = played(costly);
    assert!(
        told.iter().any(|one| one.starts_with("the step budget stopped") && one.contains("of 8 random games")),
        "{told:?}"
    );
}
