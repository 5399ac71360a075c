//! What a fourth attack found, made from the promises alone: each test is a find. What took time or memory that grows with
//! each level is made so large here that it would not end.

use std::cell::Cell;
use std::fmt::Write;

use regelwerk::engine::Fast;
use regelwerk::load::{Files, Loaded, NoFiles, Setup, check_all, load};
use regelwerk::mend::{Subject, offer};
use regelwerk::model::Engine;

use crate::equal::compare;
use crate::support::reports;

const HEAD: &str = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\nvar n: int\n";
const END: &str = "end e after move when ply > 30 { draw }\n";

fn loaded(text: &str) -> Loaded {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    loaded
}

/// A key that is looked up in a table is worked out once, however many rows look at it: look-ups may be nested.
#[test]
fn keys_are_worked_out_once_for_all_rows() {
    let rows: String = (0..40).fold(String::new(), |mut rows, at| {
        let _ = writeln!(rows, "  | {at} | {} |", (at * 7 + 3) % 40);
        rows
    });
    let key = (0..30).fold("n + 1".to_owned(), |key, _| format!("t({key})"));
    let text = format!(
        "{HEAD}table t\n  | k: int | v |\n{rows}action go {{ choose f in empty  put own stone on f  n := {key} }}\n\
         play {{ turns {{ mover plays go }} }}\n{END}"
    );
    let fast = Fast::new(loaded(&text).game.expect("a game"));
    // Each step of the table is known, a number without a row of its own taking the nearest below.
    let step = |n: i64| (n.min(39) * 7 + 3) % 40;
    let next = |n: i64| (0..30).fold(n + 1, |n, _| step(n));
    let start = fast.start();
    for engine in [&fast as &dyn Engine, fast.reference()] {
        let mut position = start.clone();
        let mut n = 0;
        for _ in 0..5 {
            position = engine.play_unchecked(&position, &engine.legal(&position)[0]);
            n = next(n);
            assert_eq!(position.vars[0][0].int(), n, "{}", engine.name());
        }
    }
    assert!(compare(&fast, 1, 9, "nested tables") > 5);
}

/// What decides whether an action can be played is worked out once, however many others ask for it.
#[test]
fn actions_that_ask_for_each_other_are_looked_at_once() {
    let actions: String = (0..40).fold(String::new(), |mut text, at| {
        let next = at + 1;
        let asks = format!("(me can play c{next}) or (opponent(me) can play c{next})");
        let _ = writeln!(text, "action c{at} {{ choose f in sites  require {asks} }}");
        text
    });
    let text = format!(
        "{HEAD}{actions}action c40 {{ choose f in empty }}\nplay {{ turns {{ mover plays c0 else c40 else {{ draw }} }} }}\n{END}"
    );
    let fast = Fast::new(loaded(&text).game.expect("a game"));
    assert_eq!(fast.legal(&fast.start()).len(), 9);
}

/// What a procedure does is looked at once for all that it is called from in the same way, whatever names its callers have.
#[test]
fn procedures_of_kinds_that_call_each_other_are_looked_at_once() {
    let (kinds, levels) = (6, 12);
    let list: String = (0..kinds).fold("kinds card\n  | kind |\n".to_owned(), |mut text, kind| {
        let _ = writeln!(text, "  | k{kind} |");
        text
    });
    let rules: String = (0..levels * kinds).fold(String::new(), |mut text, at| {
        let (level, kind) = (at / kinds, at % kinds);
        let body = if level + 1 < levels { format!("call{}(c)", level + 1) } else { "n += 1".to_owned() };
        let _ = writeln!(text, "procedure call{level} of k{kind}(c: site) {{ {body} }}");
        text
    });
    let text = format!(
        "{HEAD}{list}{rules}setup {{ put k0 on a1  put k1 on b2 }}\n\
         action go {{ choose f in sites - empty  call0(f) }}\nplay {{ turns {{ mover plays go }} }}\n{END}"
    );
    let fast = Fast::new(loaded(&text).game.expect("a game"));
    assert!(compare(&fast, 1, 20, "procedures of kinds") > 10);
}

/// Whatever is called several times on each level is looked at once: by every analysis of the effects.
#[test]
fn procedures_called_often_on_each_level_are_looked_at_once() {
    for (params, args, body) in [
        ("()", "()", "@()"),
        ("()", "()", "for p in seats { @() }"),
        ("()", "()", "if n > 90 { @() } else { @() @() }"),
        ("(p: seat, q: seat)", "(me, me)", "@(q, p) @(p, me) @(following(p), q)"),
        ("(k: int)", "(0)", "@(k + 1) @(k - 1)"),
    ] {
        // Nothing is played, which would take as long as it is deep.
        let levels: String = (1..14).fold(String::new(), |mut text, level| {
            let body = body.replace('@', &format!("h{}", level - 1)).repeat(6);
            let _ = writeln!(text, "procedure h{level}{params} {{ {body} }}");
            text
        });
        let text = format!(
            "{HEAD}procedure h0{params} {{ n += 1 }}\n{levels}action go {{ choose f in empty  put own stone on f }}\n\
             action deep {{ h13{args} }}\nplay {{ turns {{ mover plays go else deep }} }}\n{END}"
        );
        assert!(Fast::new(loaded(&text).game.expect("a game")).lowered(), "{body}");
    }
}

/// The registry of a document, counting how often it is read: once for each time that the file is checked.
struct Counting(Cell<u32>);

impl Files for Counting {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        self.0.set(self.0.get() + 1);
        let registry = "Registry(document: \"D\", clauses: [Clause(id: \"book/1\", heading: \"Play\", ordinal: 1, \
                        kind: TurnOrder, state: Executable, text: \"Anything goes.\")])";
        Ok((file.to_owned(), registry.to_owned()))
    }
}

/// Fixes are tried out as long as that takes no more steps than a check may.
#[test]
fn fixes_are_tried_within_a_budget() {
    let tried = |heavy: &str| {
        // Each may be meant otherwise.
        let letters = ('a'..='z')
            .map(|letter| format!("stone{letter}"))
            .chain(('a'..='n').map(|letter| format!("{letter}stone")));
        let wrong: String = letters.fold(String::new(), |mut text, name| {
            let _ = writeln!(text, "define d{name} = count({name})");
            text
        });
        let head = HEAD.replace("3 x 3", "16 x 16");
        let play = "action go { choose f in empty  put own stone on f }\nplay { turns { mover plays go } }\n";
        let text = format!("{head}document \"D\" clauses \"c.ron\"\n{heavy}{wrong}{play}{END}");
        let files = Counting(Cell::new(0));
        let mut found = check_all("g.rules", &text, &files);
        let once = files.0.replace(0);
        let said = reports(&found);
        assert!(once > 0 && said.contains("stonee"), "{said}");
        offer(Subject { name: "g.rules", text: &text, files: &files }, &Setup::default(), &mut found);
        files.0.get() / once
    };
    let light = tried("");
    assert!((30..=100).contains(&light), "{light}");

    // A few checks of four million steps are all that there is time for.
    let heavy = tried("region r(f: site) = {x in sites where count({y in sites where y != f}) > x.column}\n");
    assert!((1..=12).contains(&heavy), "{heavy}");
}

/// Sets of sets of sets are looked at once on each level, whatever runs over them.
#[test]
fn sets_in_sets_are_looked_at_once() {
    // As deep as brackets may be nested.
    let depth = |around: &str| if around.contains("if") { 19 } else { 28 };
    let nested =
        |around: &str, inner: &str| (0..depth(around)).fold(inner.to_owned(), |set, _| around.replace('@', &set));
    for (around, inner, use_it) in [
        ("{x in @ where x in own stone}", "sites", "n := count(S)"),
        ("1..(sum x for x in @)", "1..n", "n := sum x for x in S"),
        ("1..(max x for x in @ where x < 3)", "1..n", "n := count(S)"),
        ("(union around(x, orthogonal) for x in @)", "own stone", "n := count(S)"),
        ("(top x in @ by x.column)", "sites", "n := count(S)"),
        ("{x in (if n > 1 then @ else sites) where x in own stone}", "sites", "n := count(S)"),
    ] {
        let deep = use_it.replace('S', &nested(around, inner));
        let text = format!(
            "{HEAD}action go {{ choose f in empty  put own stone on f  {deep} }}\nplay {{ turns {{ mover plays go }} }}\n{END}"
        );
        let found = load("g.rules", &text, &NoFiles, &Setup::default());
        assert!(found.game.is_some(), "{around}: {}", reports(&found));
    }
}
