//! What a sixth attack found, from the promises alone: each test is a find.

use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{Asked, NoFiles, RuleFile, Setup, check_all, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::Engine;
use regelwerk::notation::print_move;
use regelwerk::play::{Match, Step};
use regelwerk::reference::Walker;
use regelwerk::solve::solve;

/// The messages about a text, in order.
fn messages(text: &str) -> Vec<String> {
    let loaded = check_all("g.rules", text, &NoFiles);
    loaded.reports.sorted().iter().map(|report| report.message.clone()).collect()
}

fn game(text: &str) -> Game {
    load("g.rules", text, &NoFiles, &Setup::default()).game.unwrap_or_else(|| panic!("{text}\n{:?}", messages(text)))
}

/// The first moves on both interpreters, which list the same.
fn first_moves(text: &str) -> Vec<String> {
    let (walker, fast) = (Walker::new(game(text)), Fast::new(game(text)));
    let list = |engine: &dyn Engine| -> Vec<String> {
        let start = engine.start();
        engine.legal(&start).iter().map(|mv| print_move(engine.game(), &start, mv)).collect()
    };
    let moves = list(&walker);
    assert_eq!(moves, list(&fast), "{text}");
    moves
}

/// A name of the file hides that of a site or a direction everywhere, whatever is wanted where it stands.
#[test]
fn names_of_the_file_hide_those_of_the_board() {
    let rules = |set: &str| {
        format!(
            "game g\nplayers a, b\nboard square 4 x 4\npiece n owned\ndefine c3 = d4\n\
             action go {{ choose f in {set}  put own n on f }}\nplay {{ turns {{ mover plays go }} }}\n"
        )
    };
    assert_eq!(first_moves(&rules("c3 | b1")), first_moves(&rules("b1 | c3")));
    assert_eq!(first_moves(&rules("{f in sites where f == c3}")), ["d4"]);
    let found = messages(&rules("toward(b2, n)"));
    assert!(matches!(found.as_slice(), [one] if one.starts_with("expected a set of directions")), "{found:?}");
}

/// What only a combination of choices brings is checked as well: no other setup comes upon it.
#[test]
fn overlays_for_combinations_are_checked() {
    let rules = |items: &str| {
        format!(
            "game g\nplayers a, b\nvar x: int \"x\"\nreading one = r | s \"which\"\nreading two = u | v \"which\"\n\
             action go {{ if x < 9 {{ x += 1 }} }}\nplay {{ repeat 2 {{ mover plays go }} }}\n{items}\n"
        )
    };
    let wrong = "change action go { after all { y += 1 } }";
    for items in [
        format!("with one == s and two == v {{ {wrong} }}"),
        format!("with one == s {{ with two == v {{ {wrong} }} }}"),
        format!("variant w {{ }}\nwith one == s and w {{ {wrong} }}"),
        format!("variant w {{ with one == s {{ {wrong} }} }}"),
        format!("variant w {{ reading three = p | q \"which\"  with three == q {{ {wrong} }} }}"),
    ] {
        let found = messages(&rules(&items));
        assert!(found.iter().any(|message| message.contains("`y`")), "{items}");
        let found = messages(&rules(&items).replace("y += 1", "x += 2"));
        let idle = ["the reading `one` is never used", "the reading `two` is never used"];
        let others: Vec<&String> = found.iter().filter(|message| !idle.contains(&message.as_str())).collect();
        assert!(others.is_empty(), "{items}: {others:?}");
        assert_eq!(found.iter().any(|message| message.contains("`one`")), !items.contains("one =="), "{items}");
    }
}

/// A reading that a variant brings can be chosen with it.
#[test]
fn a_reading_of_a_variant_can_be_chosen() {
    let text = "game g\nplayers a, b\nvar x: int \"x\"\naction go { x += 1 }\nplay { repeat 2 { mover plays go } }\n\
                variant w { reading one = r | s \"which\"  with one == s { change action go { after all { x += 5 } } } }\n";
    let rules = regelwerk::Loader::default().variant("w").reading("one", "s").text("g.rules", text);
    let rules = rules.expect("rules that check");
    let mut session = rules.session(1);
    session.play_text("go").expect("a legal move");
    assert!(session.position().text().contains("x=6"), "{}", session.position().text());
}

/// Neighbours have nothing between them, also where a line leads round a ring; elsewhere the shorter way counts.
#[test]
fn nothing_lies_between_neighbours_on_a_ring() {
    let rules = |of: &str| {
        format!(
            "game g\nplayers a, b\nboard ring 8 named \"r{{n}}\"\npiece n owned\n\
             action go {{ choose f in between({of})  put own n on f }}\naction stay {{ }}\n\
             play {{ turns {{ mover plays go | stay }} }}\n"
        )
    };
    for of in ["r1, r8", "r8, r1", "r3, r4"] {
        assert_eq!(first_moves(&rules(of)), ["stay"], "{of}");
    }
    assert_eq!(first_moves(&rules("r2, r4")), ["r3", "stay"]);
}

/// Where a direction forks, and where a line runs both ways, rays and rows go straight on along every branch.
#[test]
fn rays_and_rows_follow_every_branch() {
    let rules = |board: &str, set: &str| {
        format!(
            "game g\nplayers a, b\nboard graph {{ {board} }}\npiece n owned\n\
             action go {{ choose f in {set}  put own n on f }}\nplay {{ turns {{ mover plays go }} }}\n"
        )
    };
    let moves = |board: &str, set: &str| {
        let mut moves = first_moves(&rules(board, set));
        moves.sort();
        moves
    };
    let fork = "d: p > q; d: q > r; d: q > s";
    assert_eq!(moves(fork, "rows(p | q | s, 3)"), ["p", "q", "s"]);
    assert_eq!(moves(fork, "rows(p | q | r, 3)"), ["p", "q", "r"]);
    assert_eq!(moves(fork, "{f in {r, s} where line(p | q | f, 3)}"), ["r", "s"]);
    assert_eq!(moves(fork, "{f in {r, s} where q in between(p, f)}"), ["r", "s"]);
    assert_eq!(moves(fork, "ray(p, d)"), ["q", "r", "s"]);
    let line = "d: p - q - r";
    assert_eq!(moves(line, "ray(q, d)"), ["p", "r"]);
    assert_eq!(moves(line, "ray(p, d)"), ["q", "r"]);
    assert_eq!(moves("d: p > q > r > p", "ray(p, d)"), ["q", "r"], "a closed line ends before its start");
    let both = "d: a1 - b1; d: a5 - b1 - b2";
    assert_eq!(moves(both, "between(a1, b2) | between(b2, a1)"), ["b1"]);
    assert_eq!(moves(both, "between(a1, b2)"), moves(both, "between(b2, a1)"));
}

/// An invariant that takes too long is not called broken, nor are those after it; and it is not silent.
#[test]
fn invariants_that_take_too_long_are_said_to() {
    let text = "game g\nplayers a, b\nvar x: int = 1 \"x\"\naction go { choose n in 1..2  x := 5000 * n }\n\
                play { repeat 4 { mover plays go } }\n\
                invariant heavy: x == 1 or (sum 1 for u in 1..x, v in 1..x) > 0\ninvariant light: x > 0\n";
    for engine in [&Walker::new(game(text)) as &dyn Engine, &Fast::new(game(text))] {
        let start = engine.start();
        let later = engine.play_unchecked(&start, &engine.legal(&start)[0]);
        let found = engine.violations(&later);
        let heavy: Vec<&str> = found.spent.iter().map(|rule| engine.game().rules[*rule].name.as_str()).collect();
        assert!(found.broken.is_empty() && engine.violations(&start).is_empty(), "{found:?}");
        assert!(matches!(heavy.as_slice(), [name] if name.contains("heavy")), "{heavy:?}");
    }
    let after = text.replace("x: int = 1", "x: int = 9000").replace("x == 1 or", "x == 0 or");
    let found = messages(&after);
    assert!(matches!(found.as_slice(), [one] if one.contains("`heavy` takes more steps")), "{found:?}");
}

/// Values of measures that take too long are counted: figures without them do not look whole.
#[test]
fn measures_that_take_too_long_are_counted() {
    let text = "game g\nplayers a, b\nvar x: int \"x\"\naction go { x += 1 }\nplay { repeat 4 { mover plays go } }\n";
    let measured = |of: &str| {
        let asked = Asked { name: "work".to_owned(), text: of.to_owned(), by_turn: false };
        let rules = RuleFile::read("g.rules", text, &NoFiles).measuring(&[asked]);
        let engine = Fast::new(rules.load(&Setup::default()).game.expect("rules that check"));
        let start = engine.start();
        simulate(&engine, &start, &Plan::default(), 0..3, &|_| {})
    };
    let [heavy, light] = ["sum 1 for u in 1..9000, v in 1..9000", "x"].map(measured);
    assert_eq!((heavy.unread, light.unread), (3, 0));
    assert_eq!(light.measures[0].counts.count(), 3);
}

/// Where nothing counts more than a win, a win that can be forced is the value, whatever infinite play counts.
#[test]
fn a_win_is_a_win_though_play_can_cycle() {
    let text = "game g\nplayers a, b\nvar x: int \"x\"\naction wait { x := (x + 1) mod 2 }\naction finish { win a }\n\
                action stay { x := (x + 1) mod 2 }\n\
                play { turns { if mover == a { mover plays wait | finish } else { mover plays stay } } }\n";
    for (text, verdict) in
        [(text.to_owned(), 1), (text.replace("win a", "win b").replace("mover == a", "mover == b"), -1)]
    {
        let engine = Fast::new(game(&text));
        let solution = solve(&engine, &engine.start(), &regelwerk::solve::Plan::default(), &mut |_| true);
        let solution = solution.expect("a game for two");
        assert_eq!(solution.value().map(|value| value.verdict), Some(verdict));
    }
}

/// What all who are left have agreed to can take effect, though nobody agreed last.
#[test]
fn an_offer_takes_effect_after_the_others_have_left() {
    let text = "game g\nplayers a, b, c\nvar x: int \"x\"\naction go { x += 1 }\nplay { turns { mover plays go } }\n\
                offer remis { draw }\nclaim resign by any seat { eliminate me }\n";
    let rules = regelwerk::Rules::from_text("g.rules", text).expect("rules that check");
    let mut session = rules.session(1);
    for step in ["offer remis", "go", "accept remis"] {
        session.play_text(step).expect("a legal step");
    }
    assert!(session.play_text("accept remis").is_err(), "b has agreed, and c has not");
    session.play_text("claim resign by c").expect("a legal step");
    assert!(!session.is_over());
    session.play_text("accept remis").expect("all who are left agree");
    assert!(session.is_over());
}

/// Seats that share a rank hold as many ranks: whoever leaves later does not come after them.
#[test]
fn shared_ranks_take_their_places() {
    let rules = |lives: [u8; 4], leave: &str| {
        let set: Vec<String> =
            ["a", "b", "c", "d"].iter().zip(lives).map(|(p, n)| format!("lives({p}) := {n}")).collect();
        format!(
            "game g\nplayers a, b, c, d\nvar lives(p: seat): int \"lives\"\nsetup {{ {} }}\n\
             action round {{ for p in seats {{ lives(p) -= 1 }} }}\nplay {{ turns {{ mover plays round }} }}\n\
             end out after move when any p in playing: lives(p) <= 0 {{ {leave} {{p in playing where lives(p) <= 0}} }}\n",
            set.join("  ")
        )
    };
    for (lives, leave, ranks) in [
        ([1, 1, 2, 3], "eliminate", [3, 3, 2, 1]),
        ([1, 1, 2, 2], "eliminate", [3, 3, 1, 1]),
        ([1, 2, 2, 3], "eliminate", [4, 2, 2, 1]),
        ([1, 2, 3, 4], "eliminate", [4, 3, 2, 1]),
        ([1, 1, 2, 2], "place", [1, 1, 3, 3]),
        ([1, 1, 1, 2], "place", [1, 1, 1, 4]),
    ] {
        let text = rules(lives, leave);
        for engine in [&Walker::new(game(&text)) as &dyn Engine, &Fast::new(game(&text))] {
            let mut position = engine.start();
            while let Some(mv) = engine.legal(&position).first() {
                position = engine.play_unchecked(&position, mv);
            }
            assert_eq!(position.outcome.map(|outcome| outcome.ranks), Some(ranks.to_vec()), "{lives:?} {leave}");
        }
    }
}

/// Whoever looks on is told of every list of every zone, so that there are not very many.
#[test]
fn lists_have_a_greatest_number() {
    let rules = |zones: usize| {
        let zone = |n| format!("zone z{n}(f: site, g: site): pile of n, seen by no\n");
        let zones = (0..zones).map(zone).collect::<Vec<_>>().concat();
        format!(
            "game g\nplayers a, b\nboard square 7 x 7\npiece n owned\n{zones}\
             action go {{ choose f in empty  put own n on f }}\nplay {{ turns {{ mover plays go }} }}\n"
        )
    };
    let together =
        |text: &str| messages(text).iter().filter(|message| message.contains("10000 lists together")).count();
    assert_eq!((together(&rules(4)), together(&rules(5))), (0, 1), "49 times 49 lists each");
}

/// A game whose positions take megabytes each.
const LARGE: &str = "game large\nplayers a, b\nboard square 16 x 16\nvar v(f: site, g: site): int\nvar x: int \"x\"\n\
    action go { choose n in 1..3 x := (x * 7 + n) mod 1009 for f in {f in sites where f.number == x mod 256}, g in sites { v(f, g) := x } }\n\
    play { turns { mover plays go } }\n";

/// Whoever keeps one game keeps no more positions than fit; the others are worked out again, and come out the same.
#[test]
fn a_game_keeps_no_more_positions_than_fit() {
    let engine = Fast::new(game(LARGE));
    let mut sparse = Match::new(&engine, engine.start());
    let mut whole = Match::shared(std::sync::Arc::new(engine.clone()), engine.start());
    let alike = |sparse: &Match<'_>, whole: &Match<'_>, from: usize| {
        let both = sparse.since(from).zip(whole.since(from)).enumerate();
        both.map(|(at, (one, two))| assert!(one == two, "step {}", from + at)).count()
    };
    for number in 0..90 {
        let legal = engine.legal(sparse.position());
        for game in [&mut sparse, &mut whole] {
            game.play(Step::Move(legal[number % 3].clone())).expect("it is legal");
        }
    }
    let (few, all) = (sparse.bytes(), whole.bytes());
    assert!(few <= 64 << 20 && all > 128 << 20, "{few} of {all} bytes");
    assert_eq!((alike(&sparse, &whole, 0), alike(&sparse, &whole, 37)), (90, 53));
    assert_eq!(sparse.texts(), whole.texts());
    for left in (0..90).rev() {
        assert!(sparse.undo() && whole.undo());
        assert!(sparse.position() == whole.position() && sparse.bytes() <= 80 << 20, "{left} steps left");
    }
    assert!(!sparse.undo() && sparse.position() == &engine.start());
}

/// The memory that `solve` is given holds its line and what it has still to look at, not its table alone.
#[test]
fn solving_keeps_to_its_memory() {
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("large.rules"), LARGE).expect("written");
    let run = |memory: &str, limit: &str| {
        let arguments = ["solve", "large.rules", "--memory", memory, "--limit-memory", limit];
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"))
            .current_dir(folder.path())
            .args(arguments)
            .output()
            .expect("it runs");
        (command.status.code(), String::from_utf8_lossy(&[command.stdout, command.stderr].concat()).into_owned())
    };
    let (code, said) = run("64", "128");
    assert!(code == Some(4) && said.contains("the limit `--memory` was reached"), "{said}");
}

/// A key of a table is something that can be listed, a seat that does not take part has a row for nothing, and what
/// every piece has anyway cannot be declared.
#[test]
fn keys_and_names_that_could_not_be_read_are_refused() {
    let rules = |players: &str, items: &str| {
        format!(
            "game g\nplayers {players}\n{items}\naction go {{ choose n in 1..3 }}\nplay {{ turns {{ mover plays go }} }}\n"
        )
    };
    let found = messages(&rules("a, b", "table t\n| k: bool | v |\n| yes | 1 |\n| no | 2 |\n"));
    assert!(found.contains(&"the key of a table cannot be a truth value".to_owned()), "{found:?}");
    let seats = "table t\n| k: seat | v |\n| a | 1 |\n| c | 3 |\n| b | 2 |\nvar x: int = t(a) + 10 * t(b) \"x\"";
    let two = load("g.rules", &rules("a, b, c for 2..3", seats), &NoFiles, &Setup::default());
    let engine = Walker::new(two.game.unwrap_or_else(|| panic!("{:?}", two.reports)));
    assert_eq!(engine.start().vars[0][0].int(), 21);
    for (name, said) in [("owner", "whose it is"), ("kind", "its kind")] {
        let kinds = format!("kinds beast\n| k | {name} |\n| cat | 4 |\n");
        let field = format!("board square 2 x 2\npiece cat {{ {name}: int }}\n");
        for items in [kinds, field] {
            let found = messages(&rules("a, b", &items));
            assert!(found.iter().any(|message| message.contains(said)), "{items}: {found:?}");
        }
    }
}
