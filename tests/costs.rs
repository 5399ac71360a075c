//! What work costs: steps that grow with what is done, budgets that several things share, and what is said when they are
//! spent.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use regelwerk::engine::Fast;
use regelwerk::lint::{Budget, lint};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ending, Engine, Meter, Position};
use regelwerk::play::{Stream, deal};
use regelwerk::reference::Walker;

use crate::support::reports;

const REST: &str = "action go { choose k in 1..3 }\nplay { turns { mover plays go } }\n\
    end e after move when ply > 3 { draw }\n";

fn game(rules: &str) -> String {
    format!("game g\nplayers a, b\n{rules}\n")
}

fn said(rules: &str) -> (Option<regelwerk::ir::Game>, String) {
    let loaded = load("g.rules", &game(rules), &NoFiles, &Setup::default());
    let said = reports(&loaded);
    (loaded.game, said)
}

fn walker(rules: &str) -> Walker {
    let (game, said) = said(rules);
    Walker::new(game.unwrap_or_else(|| panic!("{said}")))
}

fn is_spent(position: &Position) -> bool {
    matches!(position.outcome.as_ref().map(|outcome| outcome.ending), Some(Ending::Budget(_)))
}

fn regelwerk(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    let output = command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().expect("the program runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), said(&output.stdout) + &said(&output.stderr))
}

/// Near the budget, whatever the reference interpreter plays the fast one plays as well, and what both give up ends by
/// the same rule.
#[test]
fn the_fast_interpreter_gives_up_nothing_that_the_reference_plays() {
    let (mut played, mut both) = (0, 0);
    for times in [300_000, 600_000, 720_000, 6_000_000] {
        let walker = walker(&format!(
            "var n: int\naction go {{ repeat {times} {{ n += 1 }} }}\nplay {{ turns {{ mover plays go }} }}\n\
             end e after move when ply > 3 {{ draw }}"
        ));
        let fast = Fast::new(walker.game().clone());
        assert!(fast.lowered());
        let start = walker.start();
        let mv = &walker.legal(&start)[0];
        let (one, other) = (walker.play_unchecked(&start, mv), fast.play_unchecked(&start, mv));
        if is_spent(&one) {
            both += u32::from(one == other);
            assert!(one == other || !is_spent(&other), "{times}");
        } else {
            played += 1;
            assert_eq!(one, other, "{times}");
        }
    }
    assert!(played > 0 && both > 0, "{played} played, {both} given up by both");
}

/// Sets of many sites cost more steps than those of few.
#[test]
fn sets_of_large_boards_cost_steps() {
    let rules = |side: u32| {
        format!(
            "board square {side} x {side}\nvar s: set of site\nsetup {{ repeat 20000 {{ s := (sites & empty) | occupied }} }}\n{REST}"
        )
    };
    assert!(said(&rules(8)).0.is_some());
    let (game, said) = said(&rules(64));
    assert!(game.is_none() && said.contains("takes more steps than the step budget"), "{said}");
}

/// Cards that are sorted in one by one, and copies of a position to look ahead, cost steps as well.
#[test]
fn large_hands_and_copies_cost_steps() {
    let cards = |count: u32| {
        format!(
            "piece card {{ n: int }}\nzone hand: set of card\nsetup {{ for k in 1..{count} {{ put card with n = k on hand }} }}\n{REST}"
        )
    };
    assert!(said(&cards(2000)).0.is_some());
    let (game, said) = said(&cards(60_000));
    assert!(game.is_none() && said.contains("takes more steps than the step budget"), "{said}");
}

/// Members of large sets are not searched one after the other.
#[test]
fn large_sets_are_searched_in_time() {
    let walker = walker(&format!(
        "var n: int = count((1..90000) & (2..90001))\nvar sub: bool = (5..90000) within (1..90000)\n{REST}"
    ));
    let vars = walker.start().vars;
    assert_eq!(vars[0], [regelwerk::ir::Value::Int(89_999)]);
    assert_eq!(vars[1], [regelwerk::ir::Value::Bool(true)]);
}

/// Each constant takes few enough steps, all together do not.
#[test]
fn a_position_holds_no_more_than_fits() {
    let sixteen = "board square 16 x 16\n";
    for (rules, fits) in [
        (format!("{sixteen}var v(n: site): set of int = 1..1000"), true),
        (format!("{sixteen}var v(n: site): set of int = 1..2000"), false),
        (format!("{sixteen}var v(a: site, b: site): int\nvar w(a: site, b: site): int"), true),
        (format!("{sixteen}var v(a: site, b: site): int\nvar w(a: site, b: site): set of site"), false),
        ("board square 64 x 64\nvar v(a: site): set of site".to_owned(), true),
        ("board square 64 x 64\nvar v(a: site): set of site\nvar w(a: site): set of site".to_owned(), false),
    ] {
        let (game, said) = said(&format!("{rules}\n{REST}"));
        assert_eq!(game.is_some(), fits, "{rules}: {said}");
        assert_eq!(said.contains("more than 300000 values together"), !fits, "{rules}: {said}");
    }
    // Pieces stay, so that many of them cost many steps.
    let stock = |each: u32| {
        format!(
            "board square 64 x 64\npiece s\nzone z(f: site): pile of s\n\
             setup {{ for f in sites {{ put {each} s on z(f) }} }}\n{REST}"
        )
    };
    let (game, first) = said(&stock(20));
    assert!(game.is_some() && !first.contains("bad-start"), "{first}");
    assert!(said(&stock(4000)).1.contains("check/bad-start"));
}

#[test]
fn constants_share_a_budget() {
    let region = |name: &str| format!("region {name} = {{x in sites where all y in sites, z in sites: x == x}}\n");
    let one = format!("board square 12 x 12\n{}{REST}", region("r"));
    let (checked, why) = said(&one);
    assert!(checked.is_some(), "{why}");
    let several = format!("board square 12 x 12\n{}{}{}{REST}", region("r"), region("s"), region("t"));
    let (checked, why) = said(&several);
    assert!(checked.is_none() && why.contains("this takes too many steps to evaluate"), "{why}");
}

/// What is offered to players, and what is kept for each pair of sites, has a limit.
#[test]
fn offered_and_kept_values_cost_steps() {
    let options = |count: u32| {
        let one = |at: u32| format!("option o{at} = {at} from 0..99999\n");
        format!("{}{REST}", (0..count).map(one).collect::<String>())
    };
    assert!(said(&options(1)).0.is_some());
    let regions = |count: u32| {
        let one = |at: u32| format!("region r{at}(p: site, q: site) = {{p, q}}\n");
        format!("board square 17 x 17\n{}{REST}", (0..count).map(one).collect::<String>())
    };
    assert!(said(&regions(3)).0.is_some());
    for rules in [options(25), regions(30)] {
        let (game, said) = said(&rules);
        assert!(game.is_none() && said.contains("this takes too many steps to evaluate"), "{said}");
    }
}

/// Each decision of a setup takes few enough steps, all together do not.
#[test]
fn a_setup_shares_a_budget() {
    let setup = |rolls: u32| {
        walker(&format!(
            "var n: int\nsetup {{ repeat {rolls} {{ roll d in 1..2  repeat 5000 {{ n += d }} }} }}\n{REST}"
        ))
        .with_budget(250_000)
    };
    assert!(!setup(5).opening().is_over());
    let long = setup(100);
    assert!(is_spent(&long.opening()), "{:?}", long.opening().outcome);
    // One decision after the other is within its budget.
    assert!(!deal(&long, long.start(), &mut Stream::new(1, "deal", 0)).is_over());
}

/// A check ends, and says that it has not seen all setups.
#[test]
fn setups_share_a_budget() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let variants: Vec<String> = (0..40).map(|at| format!("variant v{at} {{ set goal = {at} }}\n")).collect();
    let long = "// Nothing.\n".repeat(40_000);
    let text = game(&format!(
        "option goal = 50 from 0..50\n{}end g after move when ply > goal {{ draw }}\n{REST}{long}",
        variants.concat()
    ));
    fs::write(home.path().join("g.rules"), text).expect("a file");
    let (exit, said) = regelwerk(home.path(), &["check", "g.rules"]);
    assert!(said.contains("not all of its setups are checked: they take more steps than a check may take"), "{said}");
    assert_eq!(exit, Some(4), "{said}");
}

/// Everything that is played for a report has a budget of steps: random games, cases, readings.
#[test]
fn what_is_played_for_a_report_shares_a_budget() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let rules = "game g\nplayers a, b\nclause §1 \"Anything.\"\nclause §2 \"How much.\"\nvar n: int\n\
        reading how = little | much \"how much\" §2\n\
        action go §1 { choose k in 1..3  n += k }\nplay { turns { mover plays go } }\n\
        with how == much { change action go { after n { n += 1 §2 } } }\n\
        end e after move when n > 40 { win me }\n";
    fs::write(home.path().join("g.rules"), rules).expect("a file");
    fs::create_dir(home.path().join("cases")).expect("a folder");
    let steps = "Play([\"1\", \"2\", \"3\"]), ".repeat(4);
    let cases = format!(
        "Cases(game: \"../g.rules\", cases: [Case(clauses: [\"1\"], name: \"some moves\", steps: [{steps}])])\n"
    );
    fs::write(home.path().join("cases/g.ron"), cases).expect("a file");
    let commands: [(&[&str], &str); 5] = [
        (&["check", "g.rules", "--play", "5"], "g.rules: not all of its games are played: they take more steps than"),
        (&["coverage", "g.rules"], "stopped: the cases of `g.rules` took 60 steps"),
        // A file of cases elsewhere names its rule file by a path.
        (&["coverage", "g.rules", "--cases", "cases"], "stopped: the cases of `g.rules` took 60 steps"),
        (&["test", "cases"], "stopped: the cases in `cases/g.ron` took 60 steps"),
        (&["readings", "g.rules", "--pairs", "25"], "stopped: comparing `how = much` in `g.rules` took 60 steps"),
    ];
    for (arguments, expected) in commands {
        let (exit, said) = regelwerk(home.path(), arguments);
        // Coverage fails on clauses that are not covered; nothing is cut short.
        let open = arguments[0] == "coverage" && exit == Some(1);
        assert!((exit == Some(0) || open) && !said.contains("--limit-steps"), "{arguments:?}: {exit:?} {said}");
        let (exit, said) = regelwerk(home.path(), &[arguments, &["--limit-steps", "60"]].concat());
        assert_eq!(exit, Some(4), "{arguments:?}: {said}");
        assert!(said.contains(expected) && said.contains("--limit-steps"), "{arguments:?}: {said}");
    }
}

/// A meter that is spent ends whatever is played, and says nothing that is not so.
#[test]
fn a_spent_meter_ends_every_game() {
    let rules = "var n: int\naction go { repeat 1000 { n += 1 } }\nplay { turns { mover plays go } }\n\
        end e after move when n > 20000 { draw }\ninvariant whole: n >= 0";
    let (walker, fast) = (walker(rules), Fast::new(walker(rules).into_game()));
    for steps in [100, 10_000, 20_000_000] {
        let (meter, other) = (Meter::new(steps), Meter::new(steps));
        let engines: [(&dyn Engine, &Meter); 2] =
            [(&walker.clone().metered(&meter), &meter), (&fast.clone().metered(&other), &other)];
        for (engine, meter) in engines {
            let mut run = engine.run();
            assert!(run.load(&engine.start()));
            let mut plies = 0;
            while run.count() > 0 && plies < 100 {
                run.play_nth(0);
                plies += 1;
            }
            let whole = steps > 1_000_000;
            assert_eq!(meter.is_spent(), !whole, "{} with {steps}", engine.name());
            assert_eq!(plies == 21, whole, "{} with {steps}: {plies}", engine.name());
        }
    }
    // What is proved by a single game stays, but a decision that was cut short proves nothing.
    let budget = Budget { games: 3, cap: 100, seed: 0, steps: 30_000 };
    let found = lint("g.rules", &game(rules), &NoFiles, budget, &|_| {});
    assert!(found.unfinished && found.reports.sorted().is_empty(), "{:?}", found.reports.sorted());
}

/// Local names called `to` and `from` are no tokens.
#[test]
fn moves_between_sites_are_no_moves_of_tokens() {
    let rules = |action: &str| {
        format!(
            "board square 3 x 3\npiece man owned\nsetup {{ put man of a on a1  put man of b on c3 }}\n\
             action go {{ choose from in own man  choose to in around(from) & empty  {action} }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}"
        )
    };
    // What follows could be read as the rest of a move of tokens called `to`.
    for action in ["move from to to  remove to", "move from to to", "move to to from  remove to"] {
        let walker = walker(&rules(action));
        let start = walker.start();
        let next = walker.play_unchecked(&start, &walker.legal(&start)[0]);
        let stays = action.starts_with("move to");
        assert_eq!(next.sites[0].is_some(), stays, "{action}");
        assert_eq!(
            next.sites.iter().flatten().count(),
            if action.contains("remove") && !stays { 1 } else { 2 },
            "{action}"
        );
    }
    let (game, said) = said("board square 3 x 3\ntokens to\nsetup { put 2 to on a1 }");
    assert!(game.is_none() && said.contains("syntax/unexpected"), "{said}");
}

/// The table of clauses is written beside the rule file, wherever that is.
#[test]
fn coverage_is_written_beside_the_rule_file() {
    let home = tempfile::tempdir().expect("a folder to work in");
    assert_eq!(regelwerk(home.path(), &["new", "mine"]).0, Some(0));
    let (_, said) = regelwerk(home.path(), &["coverage", "mine/mine.rules", "--cases", "mine/cases", "--update"]);
    let written =
        fs::read_to_string(home.path().join("mine/coverage.txt")).unwrap_or_else(|why| panic!("{why}: {said}"));
    assert!(written.contains("clauses"), "{written}");
    assert!(!home.path().join("rules").exists());
    let (exit, said) =
        regelwerk(home.path(), &["coverage", "mine/mine.rules", "--cases", "mine/cases", "--ci", "--html", "pages"]);
    assert!(home.path().join("pages/mine.html").is_file(), "{exit:?} {said}");
    assert!(!said.contains("--update"), "{said}");
}

/// The boards of a game have no more sites together than one may have, and those beyond are not laid out.
#[test]
fn boards_share_their_sites() {
    let boards = |number: usize, keep: &str| -> String {
        let one = |n: usize| format!("board t{n} square 40 x 40 named \"q{n}_{{n}}\"{keep}\n");
        (0..number).map(one).collect::<String>() + REST
    };
    assert!(said(&boards(2, "")).0.is_some(), "{}", said(&boards(2, "")).1);
    assert!(said(&boards(3, "")).1.contains("the game has more than 4096 sites"));
    // Nor is there any end of boards of which nothing is kept.
    let (_, said) = said(&boards(400, " keep { x in sites where x.number < 0 }"));
    assert!(said.contains("the boards take too many steps to lay out"), "{said}");
}

/// A chain of procedures is looked at in proportion to its length, wherever they stand.
#[test]
fn chains_of_procedures_cost_their_length() {
    let work = |number: usize, backwards: bool| {
        let one = |n: usize| format!("procedure p{}() {{ p{n}() p{n}() }}\n", n + 1);
        let mut all: Vec<String> = (0..number).map(one).collect();
        if backwards {
            all.reverse();
        }
        let text = format!(
            "game g\nplayers a, b\nvar v(p: seat): int seen by p\nprocedure p0() {{ v(a) += 1 }}\n{}\n\
             action go {{ }}\nplay {{ turns {{ mover plays go }} }}\nend over after move when ply > 5 {{ draw }}\n",
            all.concat()
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(loaded.game.is_some(), "{}", reports(&loaded));
        loaded.work
    };
    // Backwards they are checked one within the other, which may not go so deep.
    for (length, backwards) in [(40, false), (6, true)] {
        let (short, long) = (work(length, backwards), work(4 * length, backwards));
        assert!(long < 6 * short, "{short} {long}");
    }
}
