//! Solved games against known results, and against simpler ways to compute them.

use std::fmt::Write;
use std::process::Command;

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Position};
use regelwerk::notation::print_move;
use regelwerk::play::Stream;
use regelwerk::reference::Walker;
use regelwerk::solve::{GameValue, Plan, Solution, Stop, Unsolvable, solve};

use crate::brute;
use crate::support::{game, root, rules_of};

fn plain() -> Plan {
    Plan::default()
}

fn solved(engine: &dyn Engine, start: &Position, plan: Plan) -> Result<Solution, Unsolvable> {
    solve(engine, start, &plan, &mut |_| true)
}

fn of_text(text: &str) -> Fast {
    let loaded = load("game.rules", text, &NoFiles, &Setup::default());
    assert!(loaded.reports.is_empty(), "{text}\n{}", crate::support::reports(&loaded));
    let engine = Fast::new(loaded.game.expect("a game"));
    assert!(engine.lowered());
    engine
}

fn kalaha(fields: usize, seeds: u32) -> Fast {
    let options = vec![("fields".to_owned(), fields.to_string()), ("seeds".to_owned(), seeds.to_string())];
    Fast::new(game(&rules_of("kalaha"), &Setup { options, ..Setup::default() }))
}

fn value(engine: &dyn Engine) -> GameValue {
    solved(engine, &engine.start(), plain()).expect("of the kind").value().expect("proven")
}

/// The line is legal, each of its moves preserves the value, and it ends where it says.
fn follow(engine: &dyn Engine, found: &Solution) {
    let value = found.value().expect("proven");
    assert!(found.line_ends);
    let mut position = engine.start();
    for mv in &found.line {
        position = engine.play(&position, mv).expect("legal");
        if !position.is_over() {
            let here = solved(engine, &position, plain()).expect("of the kind");
            assert_eq!(here.value(), Some(value), "after {}", print_move(engine.game(), &position, mv));
        }
    }
    assert_eq!(GameValue::of(&position.outcome.expect("it ends")), Ok(value));
}

/// Small boards, against an exhaustive search that shares nothing with this crate.
#[test]
fn kalaha_on_small_boards() {
    let boards = (1..=4).flat_map(|fields| (1..=4).map(move |seeds| (fields, seeds)));
    for (fields, seeds) in boards.filter(|(fields, seeds)| fields * (*seeds as usize) <= 9) {
        let engine = kalaha(fields, seeds);
        let found = solved(&engine, &engine.start(), plain()).expect("of the kind");
        let margin = brute::kalaha::value(fields, seeds);
        let verdict = i8::try_from(margin.signum()).expect("a sign");
        assert_eq!(found.value(), Some(GameValue { verdict, margin }), "{fields} fields of {seeds}");
        follow(&engine, &found);
    }
}

/// The reference interpreter gives the same result.
#[test]
fn both_interpreters_agree() {
    for (fields, seeds) in [(2, 2), (2, 3), (3, 1)] {
        let fast = kalaha(fields, seeds);
        let walker = Walker::new(fast.game().clone());
        assert_eq!(value(&walker), value(&fast), "{fields} {seeds}");
    }
}

/// As everybody knows: a draw, whatever the first mark; but not every answer to it draws.
#[test]
fn tic_tac_toe_is_a_draw() {
    let engine = Fast::new(game(&root("tests/fixtures/tictactoe.rules"), &Setup::default()));
    let draw = Some(GameValue { verdict: 0, margin: 0 });
    let found = solved(&engine, &engine.start(), Plan { each: true, ..plain() }).expect("of the kind");
    assert_eq!(found.value(), draw);
    assert_eq!(found.each.len(), 9);
    assert!(found.each.iter().all(|(_, worth)| *worth == draw));
    follow(&engine, &found);
    // After a mark in the corner only the centre draws.
    let corner = engine.legal(&engine.start()).swap_remove(0);
    let after = engine.play_unchecked(&engine.start(), &corner);
    let found = solved(&engine, &after, Plan { each: true, ..plain() }).expect("of the kind");
    let holds = found.each.iter().filter(|(_, worth)| *worth == draw);
    let holds: Vec<String> = holds.map(|(mv, _)| print_move(engine.game(), &after, mv)).collect();
    assert_eq!((print_move(engine.game(), &engine.start(), &corner), holds), ("a1".to_owned(), vec!["b2".to_owned()]));
}

/// One to three stones are taken from a heap; taking the last wins. A multiple of four is lost.
#[test]
fn heaps_of_multiples_of_four_are_lost() {
    for heap in 1..=13 {
        let engine = of_text(&format!(
            "game heap\nplayers a, b\nvar left: int = {heap}\n\
             action take {{ choose n in 1..lesser(3, left) left -= n }}\n\
             play {{ turns {{ mover plays take }} }}\nend last after move when left == 0 {{ win me }}\n"
        ));
        let found = solved(&engine, &engine.start(), plain()).expect("of the kind");
        let verdict = if heap % 4 == 0 { -1 } else { 1 };
        assert_eq!(found.value(), Some(GameValue { verdict, margin: 0 }), "{heap}");
        follow(&engine, &found);
    }
}

/// Positions differ by the number of plies or turns if the rules look at it.
#[test]
fn counters_that_rules_read_distinguish_positions() {
    for (counter, last) in [("ply", 3), ("ply", 4), ("turn + 1", 5)] {
        let engine = of_text(&format!(
            "game last\nplayers a, b\nvar x: seat = a\naction say {{ choose p in seats x := p }}\n\
             play {{ turns {{ mover plays say }} }}\nend over after move when {counter} == {last} {{ win x }}\n"
        ));
        // The seat that plays the last ply wins.
        let verdict = if last % 2 == 1 { 1 } else { -1 };
        assert_eq!(value(&engine), GameValue { verdict, margin: 0 }, "{counter} {last}");
    }
}

/// One piece moving along arrows, the seats in turn; where it can end, and the value of each end.
struct Walk {
    arrows: Vec<Vec<usize>>,
    ends: Vec<i64>,
}

impl Walk {
    fn any(dice: &mut Stream) -> Self {
        let (sites, ends) = (2 + dice.below(7), 1 + dice.below(3));
        let arrow = |dice: &mut Stream| {
            let mut to: Vec<usize> = (0..=dice.below(3)).map(|_| dice.below(sites + ends)).collect();
            to.sort_unstable();
            to.dedup();
            to
        };
        let arrows = (0..sites).map(|_| arrow(dice)).collect();
        Self { arrows, ends: (0..ends).map(|_| i64::try_from(dice.below(5)).expect("small") - 2).collect() }
    }

    fn rules(&self) -> String {
        let mut text = "game walk\nplayers a, b\npiece pawn\nboard graph {\n".to_owned();
        let mut isolated: Vec<usize> = (0..self.arrows.len() + self.ends.len()).collect();
        for (from, to) in self.arrows.iter().enumerate() {
            for (number, to) in to.iter().enumerate() {
                isolated.retain(|site| site != to && *site != from);
                // There are no self-loops: an arrow from a site to itself goes via an extra site.
                let _ = writeln!(text, "  d{number}: s{from} > s{to}");
            }
        }
        for site in isolated {
            let _ = writeln!(text, "  d9: s{site} > s0");
        }
        text.push_str(
            "}\nsetup { put pawn on s0 }\n\
             action go { choose from in pawn choose to in toward(from, directions) move from to to }\n\
             play { turns { mover plays go } }\n",
        );
        for (number, worth) in self.ends.iter().enumerate() {
            let site = self.arrows.len() + number;
            let _ = writeln!(
                text,
                "end e{number} after move when some (pawn & {{s{site}}}) {{ rank p in seats by if p == a then {worth} else 0 }}"
            );
        }
        text
    }

    /// What the first seat can force if infinite play counts `endless`: by iterating over all positions to a
    /// fixpoint.
    fn forced(&self, endless: i64) -> i64 {
        let sites = self.arrows.len();
        let mut worth = vec![[endless; 2]; sites];
        loop {
            let mut next = worth.clone();
            for (site, best) in next.iter_mut().enumerate() {
                for (seat, best) in best.iter_mut().enumerate() {
                    let after = |to: &usize| {
                        if *to < sites { worth[*to][1 - seat] } else { self.ends[*to - sites] }
                    };
                    let outcomes = self.arrows[site].iter().map(after);
                    *best = if seat == 0 { outcomes.max() } else { outcomes.min() }.expect("an arrow");
                }
            }
            if next == worth {
                return worth[0][0];
            }
            worth = next;
        }
    }
}

/// Walks that may go on for ever: bounds and values match a plain iteration from below and from above.
#[test]
fn endless_play_is_proven_or_left_open() {
    const NEVER: i64 = 99;
    let mut dice = Stream::new(3, "walks", 0);
    let (mut proven, mut open, mut round) = (0, 0, 0);
    for _ in 0..150 {
        let mut walk = Walk::any(&mut dice);
        for (site, to) in walk.arrows.iter_mut().enumerate() {
            to.retain(|to| *to != site);
            if to.is_empty() {
                to.push(usize::from(site == 0));
            }
        }
        let text = walk.rules();
        let engine = of_text(&text);
        let found = solved(&engine, &engine.start(), plain()).expect("of the kind");
        let worth = |margin: i64| {
            let verdict = i8::try_from(margin.signum()).expect("a sign");
            (margin.abs() != NEVER).then_some(GameValue { verdict, margin })
        };
        let wanted = (worth(walk.forced(-NEVER)), worth(walk.forced(NEVER)));
        assert_eq!((found.lower, found.upper), wanted, "{text}");
        if found.value().is_some() {
            proven += 1;
            follow(&engine, &found);
        } else {
            open += 1;
            assert_eq!(found.stop, Some(Stop::Cycles), "{text}");
        }
        round += usize::from(found.method == regelwerk::solve::Method::Graph);
    }
    assert!(proven > 30 && open > 30 && round > 50, "{proven} proven, {open} open, {round} by the graph");
}

/// Games that cannot be solved are refused, and every limit is reported.
#[test]
fn what_cannot_be_solved_is_refused() {
    let refused = |engine: &dyn Engine| solved(engine, &engine.start(), plain()).map(|found| found.value());
    let of = |game: &str, setup: &Setup| Fast::new(crate::support::game(&rules_of(game), setup));
    let three = Setup { players: Some(3), ..Setup::default() };
    assert_eq!(refused(&of("kalaha", &three)), Err(Unsolvable::Players(3)));
    assert_eq!(refused(&of("halali", &Setup::default())), Err(Unsolvable::Hidden));
    assert_eq!(refused(&of("halma", &Setup::default())), Err(Unsolvable::Claims("repetition".to_owned())));
    let lot = Setup { readings: vec![("beginner".to_owned(), "by_lot".to_owned())], ..Setup::default() };
    assert_eq!(refused(&of("kalaha", &lot)), Err(Unsolvable::Chance));
    let signs = Fast::new(game(&root("tests/fixtures/signs.rules"), &Setup::default()));
    assert_eq!(refused(&signs), Err(Unsolvable::Together));
    let one = kalaha(1, 1);
    let over = one.play_unchecked(&one.start(), &one.legal(&one.start())[0]);
    assert!(matches!(solved(&one, &over, plain()), Err(Unsolvable::Over)));
    let done = of_text("game g\nplayers a, b\naction go {}\nplay { mover plays go }\n");
    assert!(matches!(refused(&done), Err(Unsolvable::NoResult(_))));
    for (result, value) in [
        ("lose seats", Err(Unsolvable::NotOpposed)),
        ("win seats", Err(Unsolvable::NotOpposed)),
        ("win a", Ok(Some(Some(0)))),
        ("draw", Ok(Some(None))),
    ] {
        let text = format!(
            "game g\nplayers a, b\naction go {{}}\nplay {{ mover plays go }}\nend e after move when true {{ {result} }}\n"
        );
        assert_eq!(refused(&of_text(&text)).map(|value| value.map(GameValue::winner)), value, "{result}");
    }

    let engine = kalaha(4, 4);
    let stop = |plan: Plan| solved(&engine, &engine.start(), plan).expect("of the kind").stop;
    assert_eq!(stop(Plan { nodes: 1000, ..plain() }), Some(Stop::Nodes));
    assert_eq!(stop(Plan { bytes: 100_000, ..plain() }), Some(Stop::Memory));
    let patient =
        solve(&engine, &engine.start(), &plain(), &mut |progress| progress.nodes < 5000).expect("of the kind");
    assert_eq!(patient.stop, Some(Stop::Time));
}

/// The command gives the same result, and has an exit code of its own for a limit.
#[test]
fn the_command_reports_it() {
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.env("LC_ALL", "C");
        let output = command.args(line.split(' ')).current_dir(root("")).output().expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = run("solve kalaha --set fields=2 --set seeds=3 --format json");
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(code, Some(0));
    assert_eq!(found["value"], serde_json::json!({"winner": "b", "margin": brute::kalaha::value(2, 3)}));
    assert_eq!(found["line_ends"], serde_json::json!(true));
    let (code, text) = run("solve kalaha --nodes 100");
    assert_eq!(code, Some(4));
    assert!(text.contains("not solved") && text.contains("Proven: "), "{text}");
    assert_eq!(run("solve halma").0, Some(2));
}
