//! What a seventeenth attack found: cases that passed whatever the rules said, changes that were not laid over each other in
//! the order of the file, large decks that took the square of their size to record and replay.

use std::process::Command;

use regelwerk::conformance::{Coverage, Interpreters, State, load_cases, run_case};
use regelwerk::engine::Fast;
use regelwerk::ir::Value;
use regelwerk::load::{NoFiles, RuleFile, Setup};
use regelwerk::measure::{Plan, Side, steps};
use regelwerk::model::Engine;
use regelwerk::play::{Record, impact, replay};
use regelwerk::reference::Walker;

/// Steps that fail where the rules say otherwise, beside ones that cannot be carried out or cannot fail.
#[test]
fn a_case_that_cannot_fail_fails() {
    let text = "game g\nplayers white, black\nkinds card\n| kind |\n| red |\nboard square 2 x 1\npiece stone owned\n\
                zone hand(p: seat): set of card, seen by p\nsetup { put red on hand(white) }\n\
                action lay { choose f in empty  put own stone on f }\nplay { turns { mover plays lay } }\n\
                end full after move when no empty { draw }\n";
    let rules = RuleFile::read("g.rules", text, &NoFiles);
    let seen = "[\"hand(white): ?\"]";
    for (given, steps, wanted) in [
        ("Start", format!("Sees(\"black\", {seen})"), None),
        ("Start", format!("Sees(\"-\", {seen})"), None),
        ("Start", format!("Sees(\"white\", {seen})"), Some("should be seen")),
        ("Start", format!("Sees(\"White\", {seen})"), Some("there is no seat `White`: the seats are white, black")),
        ("Start", format!("Sees(\"\", {seen})"), Some("there is no seat")),
        ("Start", String::new(), Some("no steps")),
        ("Start", "Ranks([])".to_owned(), Some("cannot fail")),
        ("Start", "Scores([])".to_owned(), Some("cannot fail")),
        ("Start", "Sees(\"white\", [])".to_owned(), Some("cannot fail")),
        ("Start", "Holds([])".to_owned(), Some("cannot fail")),
        ("Start", "Only([\"a1\", \"b1\"]), From(\"a1\", [\"\"])".to_owned(), None),
        ("Start", "From(\"a1\", [])".to_owned(), Some("not expected")),
        ("Start", "Play([\"a1\"]), Only([\"b1\"]), From(\"a1\", [])".to_owned(), None),
        ("Start", "From(\"\", [])".to_owned(), Some("cannot fail")),
        ("Start", "From(\"A1\", [])".to_owned(), Some("not expected")),
        ("Start", "From(\"lay\", [\"a1\", \"b1\"])".to_owned(), None),
        ("Start", "From(\"lay a1\", [])".to_owned(), Some("not expected")),
        ("Start", "From(\"white\", [])".to_owned(), Some("no move begins with `white`")),
        ("Start", "From(\"7\", [])".to_owned(), Some("no move begins with `7`")),
        ("Start", "From(\"c7\", [])".to_owned(), Some("no move begins with `c7`")),
        ("Start", "From(\"a1-b1\", [])".to_owned(), Some("no move begins with `a1-b1`")),
        ("Start", "From(\"pass\", [])".to_owned(), None),
        ("Start", "Holds([\"1 + 1 == 2\"])".to_owned(), Some("cannot fail")),
        ("Start", "Holds([\"(sum n for n in 1..2) == 3 and abs(-1) in {1}\"])".to_owned(), Some("cannot fail")),
        ("Start", "Holds([\"(sum n for n in 1..2) == 3 + ply\"])".to_owned(), None),
        ("Start", "Holds([\"ply in 0..3\", \"ply in {0, 3}\"])".to_owned(), None),
        ("Start", "Holds([\"count({n in 1..4 where n > 2}) == 2\"])".to_owned(), Some("cannot fail")),
        ("Start", "Fails([\"ply == 1\", \"not true\"])".to_owned(), Some("cannot fail")),
        ("Start", "Holds([\"ply == 0\"])".to_owned(), None),
        ("Unavailable(\"players\")", String::new(), None),
        ("Unavailable(\"\")", String::new(), Some("names no words")),
        ("Unavailable(\" \")", String::new(), Some("names no words")),
        ("Unavailable(\"players\")", "Count(77)".to_owned(), Some("no step can be carried out")),
    ] {
        let players = if given == "Start" { 2 } else { 5 };
        let file = format!(
            "Cases(game: \"g\", cases: [Case(clauses: [], name: \"n\", setup: (players: {players}), given: {given}, steps: [{steps}])])"
        );
        let cases = load_cases(&file).unwrap_or_else(|why| panic!("{why}\n{file}"));
        let outcome = run_case(&cases.cases[0], &rules, Interpreters::Both);
        let told: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
        match wanted {
            None => assert!(outcome.passed(), "{steps}: {told:?}"),
            Some(words) => assert!(told.concat().contains(words), "{given} {steps}: {told:?}"),
        }
    }
}

/// What a variant and an overlay, or two variants, add at one place stands there as it does in the file, whichever is named
/// first.
#[test]
fn what_is_added_at_one_place_stands_in_the_order_of_the_file() {
    let head = "game g\nplayers a, b\nreading ra = one | two \"x\"\nvar t: int = 0 \"t\"\naction go { t := t * 10 + 9 }\n\
                play { turns { mover plays go } }\nend long after move when ply > 2 { draw }\n";
    let add = |digit: u8| format!("{{ change action go {{ before t {{ t := t * 10 + {digit} }} }} }}");
    let overlay = |digit| format!("with ra == two {}\n", add(digit));
    let variant = |name: &str, digit| format!("variant {name} \"{name}\" {}\n", add(digit));
    for (parts, variants, wanted) in [
        ([overlay(1), variant("v", 2)], vec!["v"], 129),
        ([variant("v", 2), overlay(1)], vec!["v"], 219),
        ([variant("v", 2), variant("w", 3)], vec!["v", "w"], 239),
        ([variant("v", 2), variant("w", 3)], vec!["w", "v"], 239),
        ([format!("{}with w {}\n", overlay(1), add(4)), variant("w", 3)], vec!["w"], 1439),
    ] {
        let text = format!("{head}{}", parts.concat());
        // With two variants alone the reading stays at its default.
        let two = usize::from(text.contains("with"));
        let setup = Setup {
            variants: variants.into_iter().map(str::to_owned).collect(),
            readings: vec![("ra".to_owned(), ["one", "two"][two].to_owned())],
            ..Setup::default()
        };
        let game = RuleFile::read("g.rules", &text, &NoFiles).load(&setup).game.expect("rules");
        let walker = Walker::new(game);
        let start = walker.start();
        let moves = walker.legal(&start);
        let next = walker.play_unchecked(&start, &moves[0]);
        assert_eq!(next.vars[0][0], Value::Int(wanted), "{text}");
    }
}

/// Thousands of cards that are shuffled are written one after the other, and read again.
#[test]
fn large_decks_are_recorded_and_replayed() {
    const CARDS: usize = 8000;
    let text = format!(
        "game g\nplayers a, b\npiece c {{ v: int }}\nzone deck: pile of c, seen by no\nzone out: pile of c, seen by all\n\
         setup {{ for n in 1..100 {{ put {} c with v = n on deck }} shuffle deck }}\n\
         action go {{ move top of deck to out }}\nplay {{ turns {{ mover plays go }} }}\n\
         end over after move when ply > 3 {{ draw }}\n",
        CARDS / 100
    );
    let game = RuleFile::read("g.rules", &text, &NoFiles).load(&Setup::default()).game.expect("rules");
    let engine = Fast::new(game);
    let start = engine.start();
    let plan = Plan { cap: 100, seed: 7, invariants: false, traced: 0, reactions: None };
    let written = steps(Side::new(&engine, &start), &plan, 0);
    // Each card but the last is drawn; then there are four moves.
    assert_eq!(written.len(), CARDS - 1 + 4);
    let record = Record { steps: written, ..Record::default() };
    let replayed = replay(&engine, &record).expect("its own steps");
    assert!(replayed.game.is_over());
    let out: Vec<_> = replayed.game.position().zones[1].iter().flatten().cloned().collect();
    assert_eq!(out.len(), 4);
    // The cards are those on top of the deck that the written numbers lay out.
    let mut deck: Vec<usize> = (0..CARDS).collect();
    for (at, card) in (1..CARDS).rev().zip(&record.steps) {
        deck.swap(at, card.parse().expect("a number"));
    }
    let laid = |place: usize| i32::try_from(deck[place] / (CARDS / 100)).expect("small") + 1;
    for (number, card) in out.iter().enumerate() {
        assert_eq!(*card.fields, [laid(CARDS - 1 - number)]);
    }
    // A number that is no card of those left is refused with what there is.
    let wrong = Record { steps: vec![CARDS.to_string()], ..Record::default() };
    assert!(replay(&engine, &wrong).is_err());
    let difference = impact(&engine, &engine, &record).expect("its own steps");
    assert!(difference.first.is_none(), "{difference:?}");
}

/// An offer can be accepted once somebody has made it.
#[test]
fn nobody_accepts_what_was_not_offered() {
    let text = "game g\nplayers a, b\nvar x: int \"x\"\naction go { x += 1 }\nplay { turns { mover plays go } }\n\
                offer remis { draw }\n";
    let rules = regelwerk::Rules::from_text("g.rules", text).expect("rules that check");
    let mut session = rules.session(1);
    let refused = session.play_text("accept remis").expect_err("nobody has offered it").to_string();
    assert!(refused.contains("nobody has made this offer"), "{refused}");
    session.play_text("offer remis").expect("an offer");
    session.play_text("go").expect("a move");
    session.play_text("accept remis").expect("the other agrees");
    assert!(session.is_over());
}

/// Seats are named by a filter as by a list.
#[test]
fn owners_are_a_set_with_a_condition() {
    let text = |owners: &str| {
        format!(
            "game g\nplayers a, b, c\nboard square 3 x 1\npiece m owned\n\
             setup {{ put m of a on a1  put m of b on b1  put m of c on c1 }}\n\
             action take {{ choose f in m of {owners}  remove f }}\nplay {{ turns {{ mover plays take }} }}\n\
             end over after move when ply == 1 {{ draw }}\n"
        )
    };
    for (owners, moves) in [("{p in seats where p != me}", 2), ("{b}", 1), ("({p in seats where p == me})", 1)] {
        let rules = regelwerk::Rules::from_text("g.rules", &text(owners)).expect("rules that check");
        assert_eq!(rules.session(1).legal_moves().len(), moves, "{owners}");
        assert_eq!(regelwerk::syntax::format(&text(owners)).map(|laid| laid.contains(owners)), Some(true), "{owners}");
    }
}

/// The states of the clauses of rules, with these cases, which pass.
fn states(text: &str, cases: &str) -> Vec<State> {
    let (coverage, failed) = covered(text, cases);
    assert!(failed.is_empty(), "{failed:?}");
    coverage.clauses().values().map(|covered| covered.state).collect()
}

/// The coverage of rules by these cases, and what failed.
fn covered(text: &str, cases: &str) -> (Coverage, Vec<String>) {
    let rules = RuleFile::read("g.rules", text, &NoFiles);
    let game = rules.load(&Setup::default()).game.expect("rules");
    let file = load_cases(&format!("Cases(game: \"g\", cases: [{cases}])")).unwrap_or_else(|why| panic!("{why}"));
    let mut coverage = Coverage::new(&game.clauses);
    coverage.add_rules(&game, &|_| "a line".to_owned());
    let mut failed = Vec::new();
    for case in &file.cases {
        let outcome = run_case(case, &rules, Interpreters::Both);
        failed.extend(outcome.failures.iter().map(|failure| format!("{failure:?}")));
        coverage.add_case(&case.name, case, &outcome);
    }
    (coverage, failed)
}

/// A guard that does nothing but refuse shows what must fail, whatever else succeeds beside it; what passes it shows what
/// must succeed.
#[test]
fn a_guard_that_only_refuses_shows_no_success() {
    let text = "game g\nplayers a, b\nclause §1 \"Who has a stone may rest.\"\nboard square 3 x 3\npiece s owned\n\
                action lay { choose f in empty  put own s on f }\naction rest { require some own s §1 }\n\
                claim peace by any seat { require ply > 1 §1  draw }\n\
                play { turns { mover plays lay | rest } }\nend full after move when no empty { draw }\n";
    let case = |steps: &str| format!("Case(clauses: [\"1\"], name: \"one\", steps: [{steps}])");
    for beside in ["Play([\"a1\"])", "Legal([\"a1\"])", "Asked(\"a\")", "Holds([\"no s\"])"] {
        assert_eq!(
            states(text, &case(&format!("Illegal(\"rest\", [\"1\"]), {beside}"))),
            [State::NoPositive],
            "{beside}"
        );
        let claimed = case(&format!("Refused(\"claim peace\", [\"1\"]), {beside}"));
        assert_eq!(states(text, &claimed), [State::NoPositive], "{beside}");
    }
    let passed = "Illegal(\"rest\", [\"1\"]), Play([\"a1\", \"b1\"]), Legal([\"rest\"])";
    assert_eq!(states(text, &case(passed)), [State::Tested]);
    let granted = "Refused(\"claim peace\", [\"1\"]), Play([\"a1\", \"b1\"]), Granted(\"claim peace\")";
    assert_eq!(states(text, &case(granted)), [State::Tested]);
}

/// Nor does a guard on the position after a move that is only listed, to find out who has a move.
#[test]
fn a_move_that_is_only_listed_shows_no_success() {
    let text = "game g\nplayers a, b\nclause §1 \"No two of one seat on row 3.\"\nboard square 3 x 3\npiece s owned\npiece rock\n\
                action place { choose f in empty  put own s on f  ensure count(own s & a3..c3) <= 1 §1 }\n\
                action wall { choose f in empty  put rock on f }\n\
                play { turns { mover plays place | wall else { draw } } }\nend full after move when no empty { draw }\n";
    let case = |steps: &str| {
        format!(
            "Case(clauses: [\"1\"], name: \"one\", given: Position(\"mover=a | s.a: a3\"), steps: [Illegal(\"place c3\", [\"1\"]){steps}])"
        )
    };
    for beside in ["", ", Play([\"wall a1\", \"wall b1\"])", ", Holds([\"ply == 0\"])", ", Asked(\"a\")"] {
        assert_eq!(states(text, &case(beside)), [State::NoPositive], "{beside}");
    }
    for passed in [", Play([\"place b1\"])", ", Legal([\"place b1\", \"wall b1\"])"] {
        assert_eq!(states(text, &case(passed)), [State::Tested], "{passed}");
    }
}

/// A case that fails is told from one that exercises something else.
#[test]
fn a_case_that_fails_is_not_idle() {
    let text = "game g\nplayers a, b\nclause §1 \"Stones are laid.\"\nboard square 3 x 3\npiece s owned\n\
                action lay { choose f in empty  put own s on f §1 }\naction skip { require ply > 0 }\n\
                play { turns { mover plays lay | skip } }\nend full after move when no empty { draw }\n";
    let case = |name: &str, steps: &str| format!("Case(clauses: [\"1\"], name: \"{name}\", steps: [{steps}])");
    let cases = [
        case("right", "Play([\"a1\"])"),
        case("wrong", "Play([\"a1\"]), Holds([\"no s\"])"),
        case("beside", "Holds([\"ply == 0\"])"),
    ];
    let (coverage, failed) = covered(text, &cases.join(", "));
    assert_eq!(failed.len(), 1, "{failed:?}");
    // Editors that mark the byte order are allowed to.
    assert!(load_cases("\u{FEFF}Cases(game: \"g\", cases: [])").is_ok());
    let clauses = coverage.clauses();
    let clause = clauses.get("1").expect("the clause");
    assert_eq!(clause.state, State::NoNegative);
    assert_eq!(
        (clause.cases.as_slice(), clause.idle.as_slice()),
        (&["right".to_owned()][..], &["beside".to_owned()][..])
    );
    assert_eq!(clause.failed, ["wrong"]);
}

/// What nothing evaluates, calls or enters is not tested, whatever the case shows beside it.
#[test]
fn a_rule_counts_where_it_is_evaluated() {
    use State::{NoPositive, Tested, Untested};
    let cited = [
        ("define far(n: int) = n + 1", "n := far(3)"),
        ("define few = 3", "n := few"),
        ("procedure mark() { n += 1 }", "mark()"),
        ("region edge = a1..c1", "n := count(edge)"),
        ("define first_of = a1", "n := count(row)"),
        ("define worth of hi = 7", "n := worth(hi)"),
        ("procedure effect of hi { n += 1 }", "effect(hi)"),
        ("", "n := price(5)"),
        ("", "if ply >= 0 { n += 1 } §CITED"),
    ];
    for (number, (item, used)) in cited.iter().enumerate() {
        let cites = if item.is_empty() { "" } else { " §1" };
        let row = if used.contains("price") { " §1" } else { "" };
        let text = |condition: &str| {
            let used = used.replace("ply >= 0", condition).replace("CITED", "1");
            let used = if number + 1 < cited.len() { format!("if {condition} {{ {used} }}") } else { used };
            format!(
                "game g\nplayers a, b\nclause §1 \"It is so.\"\nboard square 3 x 3\npiece s owned\nkinds card\n\
                 \x20 | kind |\n  | lo |\n  | hi |\ntable price\n  | level: int | price |\n  | 0 | 1 |\n  | 5 | 3 |{row}\n\
                 var n: int\nregion row = {}\ndefine worth of lo = 8\nprocedure effect of lo {{ n += 2 }}\n{item}{cites}\n\
                 action place {{ choose f in empty  put own s on f  {used} }}\n\
                 play {{ turns {{ mover plays place else {{ draw }} }} }}\n",
                if item.contains("first_of") { "{first_of, b1}" } else { "{b1, c1}" }
            )
        };
        let case = "Case(clauses: [\"1\"], name: \"n\", steps: [Play([\"a1\"]), GoesOn])";
        assert_eq!(states(&text("ply >= 0"), case), [Tested], "{item} {used}");
        // A statement that is asked for in vain shows what must not happen.
        let vain = if number + 1 < cited.len() { Untested } else { NoPositive };
        assert_eq!(states(&text("ply > 50"), case), [vain], "{item} {used}");
    }
}

/// A name in the head of an action counts like one among its effects, and what is set in a row where that row is read.
#[test]
fn what_is_cited_at_a_line_counts_there() {
    use State::{Tested, Untested};
    let text = |head: &str, used: &str, set: &str| {
        format!(
            "game g\nplayers a, b\nclause §1 \"It is so.\"\nboard square 3 x 3\npiece s owned\nreading how = plain | odd\n\
             table price\n  | level: int | price |\n  | 0 | 1 |\n  | 5 | 3 |\nvar n: int = 1\n\
             action place {{ {head}\n choose f in empty  put own s on f  {used} }}\n\
             play {{ turns {{ mover plays place else {{ draw }} }} }}\nwith how == plain {{ set price.5.price = 4 {set} }}\n"
        )
    };
    let case = "Case(clauses: [\"1\"], name: \"n\", steps: [Play([\"a1\"]), GoesOn])";
    for (head, used, set, found) in [
        ("let x = n + 1 §1", "n := x", "", Tested),
        ("", "n := price(n + 5)", "§1", Tested),
        ("", "n := price(n + 3)", "§1", Untested),
        ("", "n += 1", "§1", Untested),
    ] {
        assert_eq!(states(&text(head, used, set), case), [found], "{head} {used}");
    }
}

/// Whether a clause is tested is asked of it alone: a refusal shows what must fail for the clauses that it names, and a setup that
/// is refused nothing about moves.
#[test]
fn a_refusal_counts_for_the_clauses_that_it_names() {
    use State::{NoNegative, NoPositive, Tested, Untested};
    let text = "game g\nplayers a, b §3\nclause §1 \"Take one to three.\"\nclause §2 \"Take no more than are left.\"\n\
                clause §3 \"Two people play.\"\nvar left: int = 5\n\
                action take {\n  choose n in 1..3 §1\n  require n <= left §2\n  left -= n\n}\n\
                play { turns { mover plays take else pass } }\nend over after move when left == 0 { win me }\n";
    let case = |clauses: &str, more: &str| format!("Case(clauses: {clauses}, name: \"n\", {more}),");
    let taken = case("[\"1\", \"2\"]", "steps: [Play([\"3\"]), Holds([\"left == 2\"])]");
    let refused = |clauses: &str| case(clauses, "setup: (players: 7), given: Unavailable(\"7 players\")");
    for (cases, wanted) in [
        (taken.clone(), [NoNegative, NoNegative, Untested]),
        // It names the first clause alone, though both are called by it.
        (case("[\"1\", \"2\"]", "steps: [Play([\"3\"]), Illegal(\"4\", [\"1\"])]"), [Tested, NoNegative, Untested]),
        (case("[\"1\", \"2\"]", "steps: [Play([\"3\"]), Illegal(\"3\", [\"2\"])]"), [NoNegative, Tested, Untested]),
        (format!("{taken}{}", refused("[\"1\", \"2\", \"3\"]")), [NoNegative, NoNegative, NoPositive]),
        (format!("{}{}", refused("[\"3\"]"), case("[\"3\"]", "steps: [Asked(\"a\")]")), [Untested, Untested, Tested]),
    ] {
        assert_eq!(states(text, &cases), wanted, "{cases}");
    }
}

/// There are no means of no games.
#[test]
fn a_budget_below_one_round_is_refused() {
    let line = "tune kalaha --vary seeds=2..3 --target plies=20 --budget 10";
    let output =
        Command::new(env!("CARGO_BIN_EXE_regelwerk")).args(line.split(' ')).output().expect("the program runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(output.stdout.is_empty() && told.contains("more than the 10 games"), "{told}");
    assert!(told.contains("help: allow more games"), "{told}");
}

/// After a move that somebody announces, `me` is still whoever claims.
#[test]
fn whoever_claims_is_meant_after_the_move() {
    let text = |guard: &str| {
        format!(
            "game g\nplayers a, b\nboard square 4 x 1\npiece m owned\n\
             setup {{ put m of a on a1  put m of a on b1  put m of b on d1 }}\n\
             action step {{ choose f in own m  choose t in around(f) & empty  move f to t }}\n\
             claim peace {{ choose n in moves(step)  require after n: {guard}  draw }}\n\
             play {{ turns {{ mover plays step else pass }} }}\n"
        )
    };
    for (guard, granted) in [
        ("count(own m) == 2", true),
        ("count(enemy m) == 1", true),
        ("me == a and mover == b", true),
        ("c1 in own m", true),
        ("count(own m) == 1", false),
    ] {
        let rules = regelwerk::Rules::from_text("g.rules", &text(guard)).expect("rules that check");
        assert_eq!(rules.session(1).play_text("claim peace b1-c1").is_ok(), granted, "{guard}");
    }
}

/// Whoever goes through all setups loads no more of them than a check has steps for.
#[test]
fn setups_are_loaded_within_the_budget_of_a_check() {
    let alternatives: Vec<String> = (0..400).map(|at| format!("r{at}")).collect();
    let text = |rounds: u32| {
        format!(
            "game g\nplayers a, b\nvar n: int \"n\"\nreading how = {} \"how\"\nsetup {{ repeat {rounds} {{ n += 1 }} }}\n\
             action go {{ n += 1 }}\nplay {{ turns {{ mover plays go }} }}\nend over after move when ply > 3 {{ draw }}\n",
            alternatives.join(" | ")
        )
    };
    let count = |rounds| {
        let rules = RuleFile::read("g.rules", &text(rounds), &NoFiles);
        let setups = rules.setups();
        (setups.len(), rules.loads(&setups).filter(|(_, loaded)| loaded.game.is_some()).count())
    };
    assert_eq!(count(1), (400, 400));
    let (all, loaded) = count(100_000);
    assert!(all == 400 && (2..200).contains(&loaded), "{loaded} of {all}");
}

/// A move that would be played is legal to whoever asks why, also where the reference interpreter gives up: it copies 30 000 cards
/// for each move that it tries out.
#[test]
fn what_would_be_played_is_legal_to_whoever_asks() {
    let text = "game g\nplayers a, b\nboard track 900\npiece m owned\npiece c\nvar n: int\npath go = slide directions through empty\n\
                zone deck: pile of c, seen by no\nsetup { put m of a on s2  put m of b on s4  put 30000 c on deck }\n\
                action walk { choose f in own m  choose t in go(f)  require t != f  move f to t  ensure occurrences == 1 }\n\
                action far { choose f in own m  choose t in empty  prefer distance(f, t)  move f to t }\n\
                play { turns { mover plays walk | far } }\nend over after move when ply >= 200 { draw }\n";
    let rules = regelwerk::Rules::from_text("g.rules", text).expect("rules that check");
    let mut session = rules.session(1);
    session.play_text("far s2-s900").expect("a legal move");
    let mv = "walk s4-s573";
    assert!(session.legal_moves().iter().any(|legal| legal.to_string() == mv));
    assert!(session.why_text(mv).expect("a move").is_legal());
    assert!(!session.why_text("walk s900-s899").expect("a move").is_legal(), "it is another's");
    session.play_text(mv).unwrap_or_else(|why| panic!("{why}"));
}

/// What differs before a shuffle belongs to the move that led there, not to the last of its cards.
#[test]
fn a_difference_before_a_shuffle_belongs_to_the_move() {
    let engine = |more: u8| {
        let text = format!(
            "game g\nplayers a, b\npiece c {{ v: int }}\nvar n: int \"n\"\nzone deck: pile of c, seen by no\n\
             setup {{ for n in 1..6 {{ put c with v = n on deck }} }}\naction go {{ n += {more}  shuffle deck }}\n\
             play {{ turns {{ mover plays go }} }}\nend over after move when ply > 1 {{ draw }}\n"
        );
        Fast::new(RuleFile::read("g.rules", &text, &NoFiles).load(&Setup::default()).game.expect("rules"))
    };
    let steps = ["go", "0", "0", "0", "0", "0", "go"].map(str::to_owned).to_vec();
    let found = impact(&engine(1), &engine(2), &Record { steps, ..Record::default() }).expect("its own steps");
    let first = found.first.expect("a difference");
    assert_eq!((first.step, first.change.word()), (0, "position"));
    assert!(!first.new_rules.is_empty());
}
