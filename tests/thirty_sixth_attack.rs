//! What was found in a thirty-sixth and a thirty-seventh attack.

use regelwerk::conformance::{Interpreters, load_cases, run_case};
use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::mend::{Subject, mend, offer};
use regelwerk::model::{Ending, Engine, Observation, Position};
use regelwerk::notation::{find_move, parse_position, print_position};
use regelwerk::play::{Stream, playout};
use regelwerk::reference::Walker;

use crate::support::reports;

const TURNS: &str =
    "game g\nplayers a, b\nboard ring 24\npiece mark owned\naction lay { choose f in empty put own mark on f }\n";

/// A word at a place where the grammar wants a keyword may be a name whose keyword was lost: `check --fix` leaves it alone, and
/// offers what it may be.
#[test]
fn a_name_whose_keyword_was_lost_is_not_spelt_right() {
    for (right, wrong, fix) in [
        ("phase turnus {", "turnus {", Some("turns")),
        ("action setupp {", "setupp {", None),
        ("board squar ring 3 named", "board squar 3 named", None),
        ("claim Offer {", "Offer claim {", Some("offer")),
        ("let Draw = n let m = 1 +\n", "\n", Some("draw")),
    ] {
        let text = format!(
            "{TURNS}board squar ring 3 named \"x{{n}}\"\naction setupp {{ choose n in 1..2 }}\nclaim Offer {{ draw }}\n\
             action more {{ choose n in 1..2\nlet Draw = n let m = 1 +\nDraw }}\n\
             play {{ phase turnus {{ for p in seats {{ p plays lay p plays setupp p plays more }} }} rank p in seats by count(mark of p) }}\n"
        );
        let whole = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(!whole.reports.has_errors(), "{}", reports(&whole));
        let text = text.replacen("p plays setupp", "", usize::from(right.contains("setupp"))).replacen(right, wrong, 1);
        let subject = Subject { name: "g.rules", text: &text, files: &NoFiles };
        assert_eq!(mend(subject, &Setup::default()).done, [], "{wrong}");
        let mut loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        offer(subject, &Setup::default(), &mut loaded);
        let sorted = loaded.reports.sorted();
        let offered: Vec<&str> =
            sorted.iter().filter_map(|report| report.fix.as_ref()).map(|fix| fix.text.trim()).collect();
        if let Some(fix) = fix {
            assert_eq!(offered, [fix], "{wrong}");
        }
    }
    // What can be nothing else is written.
    let text = format!("{TURNS}play {{ turns {{ mover palys lay }} }}\nend full after move when no empty {{ draw }}\n");
    let found = mend(Subject { name: "g.rules", text: &text, files: &NoFiles }, &Setup::default());
    assert_eq!(found.text, text.replace("palys", "plays"));
}

/// A seat that `rank` leaves out has neither rank nor score, in what is written as in what is read.
#[test]
fn who_is_not_ranked_has_no_score() {
    let text = "game g\nplayers a, b, c\nvar n(p: seat): int\naction go { choose k in 3..4 n(me) := k }\n\
                play { a plays go b plays go place {c} rank p in {a, b} by n(p) }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let engine = Walker::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    let mut position = engine.start();
    for text in ["3", "4"] {
        let mv = find_move(&engine, &position, text).unwrap_or_else(|error| panic!("{error}"));
        position = engine.play_unchecked(&position, &mv);
    }
    let outcome = position.outcome.clone().unwrap_or_else(|| panic!("the game goes on"));
    assert_eq!((0..3).map(|seat| outcome.score(seat)).collect::<Vec<_>>(), [Some(3), Some(4), None]);
    assert_eq!(outcome.ranks, [2, 1, 0]);
    let written = print_position(&engine, &Observation::referee(&position));
    assert!(written.contains("a:loss:2:3 b:win:1:4 c:loss:0 "), "{written}");
    assert_eq!(parse_position(&engine, &written).map(|read| read.outcome), Ok(Some(outcome)));
}

/// A list of exactly these moves names each once.
#[test]
fn a_move_is_named_once_in_a_list() {
    let text = "game g\nplayers a, b\nboard square 2 x 2\npiece man owned\nsetup { put man of a on a1 }\n\
                action go { choose f in own man choose t in around(f) move f to t }\nplay { a plays go draw }\n";
    let rules = RuleFile::read("g.rules", text, &NoFiles);
    for (step, twice) in [
        ("Only([\"a1-a2\", \"a1-b1\", \"a1-b2\"])", None),
        ("Only([\"a1-a2\", \"a1-b1\", \"a1-b2\", \"a1-b1\"])", Some("`a1-b1` is named twice")),
        ("From(\"a1\", [\"b1\", \"a2\", \"b2\"])", None),
        ("From(\"a1\", [\"b1\", \"a2\", \"b2\", \"b2\"])", Some("`b2` is named twice")),
    ] {
        let file =
            format!("Cases(game: \"g\", cases: [Case(clauses: [], name: \"n\", given: Start, steps: [{step}])])");
        let cases = load_cases(&file).unwrap_or_else(|why| panic!("{why}\n{file}"));
        let outcome = run_case(&cases.cases[0], &rules, Interpreters::Both);
        let told: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
        assert_eq!(outcome.passed(), twice.is_none(), "{step}: {told:?}");
        assert!(twice.is_none_or(|words| told.concat().contains(words)), "{step}: {told:?}");
    }
}

/// A column that no rule could read is refused.
#[test]
fn columns_have_names() {
    let told = |head: &str| {
        let text = format!(
            "game g\nplayers a, b\nboard square 2 x 2\nkinds card {{ }}\n  | kind | {head} |\n  | ace | 1 |\n  | two | 2 |\n\
             setup {{ put ace on a1 }}\naction go {{ choose t in empty move a1 to t }}\nplay {{ a plays go draw }}\n"
        );
        let loaded = load("g.rules", &text.replace("card { }", "card"), &NoFiles, &Setup::default());
        (loaded.reports.has_errors(), reports(&loaded))
    };
    assert!(!told("rent").0, "{}", told("rent").1);
    assert!(!told("rent: int").0);
    for head in ["rent >", "a b", "c!", "2nd", "in", "rent >: int"] {
        let (refused, text) = told(head);
        assert!(refused && text.contains("is not a name"), "{head}: {text}");
    }
}

/// What the budget cuts short decides no game: neither which seats win nor how they rank.
#[test]
fn a_spent_budget_decides_no_game() {
    for decision in [
        "rank p in seats by (if p == b and {3} within 1..200000 then 9 else 3)",
        "win {p in seats where not (p == b and {3} within 1..200000)}",
        "win (if {3} within 1..200000 then {a} else {b})",
        "lose {p in seats where {3} within 1..200000}",
        "eliminate {p in seats where not ({3} within 1..200000)} draw",
        "place {p in seats where not ({3} within 1..200000)} place {p in seats where {3} within 1..200000}",
    ] {
        let text = format!(
            "game g\nplayers a, b, c\nvar v: int\naction go {{ choose n in 1..2 v += n }}\nplay {{ a plays go {decision} }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let game = loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports));
        let engines: [&dyn Engine; 2] = [&Walker::new(game.clone()), &Fast::new(game)];
        for engine in engines {
            let mv = find_move(engine, &engine.start(), "1").unwrap_or_else(|error| panic!("{error}"));
            let ending = |position: &Position| position.outcome.as_ref().map(|outcome| outcome.ending);
            let next = engine.play_unchecked(&engine.start(), &mv);
            assert!(matches!(ending(&next), Some(Ending::Budget(_))), "{decision}: {:?}", next.outcome);
            let mut dice = Stream::new(1, "game", 0);
            let mut run = engine.run();
            assert!(run.load(&engine.start()));
            let game = playout(engine, run.as_mut(), 100, None, &mut dice, &mut |_, _| true);
            let ending = game.outcome.map(|outcome| outcome.ending);
            assert!(matches!(ending, Some(Ending::Budget(_))), "{} {decision}: {ending:?}", engine.name());
        }
    }
}

/// Whatever is nested or used by each other, each part is looked at once: with doubling none of these would end.
#[test]
fn nested_expressions_are_looked_at_once() {
    let head = "game g\nplayers p, q\nboard square 3 x 3\npiece st owned { n: int } seen by it.owner\n\
                zone hand(p: seat): row of st, seen by p\nvar v: int\nvar bb: bool\nvar w(p: seat): set of site seen by p\n\
                define si(x: bool) = if x then a1 else a2\n\
                setup { for p in seats { put 2 st of p with n = 1 on hand(p) put st of p on (if p == q then a1 else b1) } }\n";
    let nested = |form: &str, leaf: &str| {
        let levels = if form.contains("if") { 14 } else { 28 };
        (0..levels).fold(leaf.to_owned(), |inner, _| form.replace('@', &inner))
    };
    let doubled = |first: &str, form: &str| {
        let more = (1..30).map(|n| form.replace("NEW", &format!("f{n}")).replace("OLD", &format!("f{}", n - 1)));
        std::iter::once(first.to_owned()).chain(more).fold(String::new(), |all, line| all + "define " + &line + "\n")
    };
    let mut texts = Vec::new();
    for (form, leaf, test) in [
        ("(@ - a1)", "sites", "some @"),
        ("(@ - st)", "sites", "some @"),
        ("around(@ - a1)", "sites", "some @"),
        ("si(@ in sites)", "a1", "@ in sites"),
        ("si(w(if @ == a1 then p else q) == sites)", "a1", "@ == a2"),
        ("si(some hand(if @ == a1 then p else q))", "a1", "@ == a2"),
    ] {
        let test = test.replace('@', &nested(form, leaf));
        texts.push(format!(
            "{head}action a {{ choose x in empty require {test} or v == 0 put own st with n = 1 on x v += 1 }}\n"
        ));
    }
    for (first, form, field, test) in [
        ("f0(p: seat) = following(p)", "NEW(p: seat) = OLD(OLD(p))", "1", "some w(f29(me))"),
        ("f0(x: int) = x + v", "NEW(x: int) = OLD(OLD(x))", "f29(1)", "f29(1) > 0"),
        ("f0(x: int) = x + v", "NEW(x: int) = OLD(x) + OLD(x + 1)", "f29(1)", "f29(1) > 0"),
    ] {
        let defined = doubled(first, form);
        texts.push(format!(
            "{head}{defined}action a {{ choose x in empty put own st with n = {field} on x v += 1 if {test} {{ v += 1 }} }}\n"
        ));
    }
    for text in texts {
        let text = format!("{text}play {{ turns {{ mover plays a }} }}\nend e after move when ply >= 5 {{ draw }}\n");
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let told = reports(&loaded);
        assert!(
            !told.contains("syntax/") && !told.contains("check/wrong") && !told.contains("check/unknown"),
            "{told}"
        );
        if let Some(game) = loaded.game {
            let _ = Fast::new(game);
        }
    }
}

/// A position is whole: no variable of it is unknown.
#[test]
fn a_position_has_no_unknown_variables() {
    let text = "game g\nplayers a, b\nvar v: int\nvar s(p: seat): int seen by p\naction go { choose n in 1..2 v += n }\n\
                play { turns { mover plays go } }\nend e after move when v == 0 or ply > 5 { win me }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let engine = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(parse_position(&engine, "g 2 | mover=a | v=3 | s(b)=2").is_ok());
    for unknown in ["v=?", "s(a)=?"] {
        let read = parse_position(&engine, &format!("g 2 | mover=a | {unknown}"));
        let refused = read.expect_err(unknown).to_string();
        assert!(refused.contains("does not say what is meant"), "{refused}");
    }
}

/// Tokens at a site where tokens are nest like brackets, whosever they are.
#[test]
fn sites_of_sites_nest() {
    for form in ["own s at ", "s at ", "s of me at ", "s of {a, b} at "] {
        let told = |times: usize| {
            let text = format!(
                "game g\nplayers a, b\nboard square 2 x 2\ntokens s owned\naction go {{ choose n in 1..({}a1) }}\nplay {{ a plays go }}\n",
                form.repeat(times)
            );
            reports(&load("g.rules", &text, &NoFiles, &Setup::default()))
        };
        assert!(told(70).contains("syntax/too-deep"), "{form}");
        assert!(!told(40).contains("syntax/too-deep"), "{form}");
    }
}

/// A loop that `stop` leaves holds no name: its position is read as it is written, and both interpreters write the same.
#[test]
fn a_loop_that_is_left_holds_no_name() {
    for body in ["mover plays y if p == 2 { stop }", "if p > v { stop }"] {
        let text = format!(
            "game g\nplayers a, b, c\nrecord v: int \"v\"\naction y {{ v += 1 }}\n\
             play {{ while true {{ turns {{ for p in 1..2 {{ {body} }} mover plays y if v > 3 {{ stop }} }} mover plays y }} }}\n\
             end e after move when ply > 9 {{ draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let game = loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports));
        let engines: [&dyn Engine; 2] = [&Walker::new(game.clone()), &Fast::new(game)];
        let written = engines.map(|engine| {
            let mut position = engine.start();
            let mut all = Vec::new();
            while position.outcome.is_none() {
                let line = print_position(engine, &Observation::referee(&position));
                assert_eq!(parse_position(engine, &line).as_ref(), Ok(&position), "{line}");
                all.push(line);
                let mv = find_move(engine, &position, "y").unwrap_or_else(|error| panic!("{error}"));
                position = engine.play_unchecked(&position, &mv);
            }
            all
        });
        assert_eq!(written[0], written[1]);
    }
}

/// Where a seat may answer with a word, no value is called so: a move may be that value alone. Elsewhere it may.
#[test]
fn no_value_is_called_like_an_answer() {
    for (declared, used) in [
        ("enum answer = accept, NAME", "choose k in answer"),
        ("kinds card\n  | kind | worth |\n  | NAME | 1 |\n  | ace | 2 |", "choose k in kinds(card)"),
    ] {
        let told = |name: &str, play: &str| {
            let declared = declared.replace("NAME", name);
            let text = format!(
                "game g\nplayers a, b\nvar n: int\n{declared}\naction go {{ {used} n += 1 }}\nplay {{ repeat 3 {{ {play} }} }}\n"
            );
            reports(&load("g.rules", &text, &NoFiles, &Setup::default()))
        };
        let may = "a may play go";
        for name in ["decline", "Decline"] {
            let refused = "seats answer here with `decline`, which is a value in these rules";
            assert!(told(name, may).contains(refused), "{declared} {name}: {}", told(name, may));
            assert!(!told(name, "a plays go").contains("answer here"), "{declared} {name}");
        }
        assert!(!told("declined", may).contains("answer here"), "{declared}");
        assert!(!told("pass", may).contains("answer here"), "{declared}");
    }
}

/// Looking for the best members of sets within each other ends with the budget, on both interpreters.
#[test]
fn the_best_of_sets_in_sets_ends() {
    let nested = (0..6).fold("1".to_owned(), |inner, n| format!("count(top x{n} in sites by {inner})"));
    let listed = (0..5).fold("1".to_owned(), |inner, n| format!("count(top x{n} in stack by {inner})"));
    for condition in [nested, listed] {
        let text = format!(
            "game g\nplayers a, b\nboard square 8 x 8\npiece s\nzone stack: row of s, seen by all\nvar v: int\nsetup {{ put 60 s on stack }}\n\
             action go {{ choose f in empty if {condition} > 99 {{ v += 1 }} put s on f }}\nplay {{ turns {{ mover plays go else {{ draw }} }} }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let game = loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports));
        let engines: [&dyn Engine; 2] = [&Walker::new(game.clone()), &Fast::new(game)];
        for engine in engines {
            let mut run = engine.run();
            assert!(run.load(&engine.start()));
            let mut dice = Stream::new(1, "game", 0);
            let game = playout(engine, run.as_mut(), 1, None, &mut dice, &mut |_, _| true);
            let ending = game.outcome.map(|outcome| outcome.ending);
            assert!(matches!(ending, Some(Ending::Budget(_))), "{}: {ending:?}", engine.name());
        }
    }
}
