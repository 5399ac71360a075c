//! What constructs mean, in small games whose figures are worked out by hand, on both interpreters.

use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::{Ask, Engine, Position};
use regelwerk::notation::{NotationError, find_move, parse_move, print_move};
use regelwerk::play::perft;
use regelwerk::report::Code;

fn made(text: &str) -> Game {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports))
}

fn codes(text: &str) -> Vec<Code> {
    load("g.rules", text, &NoFiles, &Setup::default()).reports.sorted().iter().map(|report| report.code).collect()
}

/// The fast engine, which must have lowered everything.
fn lowered(text: &str) -> Fast {
    let fast = Fast::new(made(text));
    assert!(fast.lowered(), "{:?}", fast.lowering());
    fast
}

/// The moves as text, the same on both interpreters.
fn legal(fast: &Fast, position: &Position) -> Vec<String> {
    let listed = |engine: &dyn Engine| -> Vec<String> {
        engine.legal(position).iter().map(|mv| print_move(engine.game(), position, mv)).collect()
    };
    let moves = listed(fast);
    assert_eq!(moves, listed(fast.reference()));
    moves
}

/// `a..b` is the rectangle between two sites, however they are named. Of the men on b2 and c3, the rectangle from a1
/// has 4 sites to the one and 9 to the other.
#[test]
fn a_rectangle_has_any_two_corners() {
    let text = "game rect\nplayers white, black\nboard square 3 x 3\npiece man owned\nvar n: int\n\
        setup { put man of white on {b2, c3} put man of black on a3 }\n\
        region corner(f: site) = a1..f\ndefine box(f: site) = count(a1..f)\ndefine cells(f: site) = a1..f\n\
        action sized { choose from in own man  choose k in 0..9  require k == box(from)  n := k }\n\
        action plain { choose from in own man  choose to in a1..from  n := 1 }\n\
        action defined { choose from in own man  choose to in cells(from)  n := 1 }\n\
        action cornered { choose from in own man  choose to in corner(from)  n := 1 }\n\
        action filtered { choose from in own man  choose to in {t in sites where t in a1..from}  n := 1 }\n\
        action down { choose from in own man  choose to in from..c1  n := 1 }\n\
        action both { choose from in own man  choose to in own man  choose mid in from..to  n := 1 }\n\
        action let_it { choose from in own man  let box = b2..from  choose to in box & occupied  n := 1 }\n\
        play { turns { mover plays sized | plain | defined | cornered | filtered | down | both | let_it } }\n";
    let fast = lowered(text);
    let moves = legal(&fast, &fast.start());
    let of = |name: &str| -> Vec<&str> {
        let of = |text: &'_ str| text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')).is_some();
        moves.iter().map(String::as_str).filter(|text| of(text)).collect()
    };
    assert_eq!(moves[..2], ["b2-4", "c3-9"]);
    for name in ["plain", "defined", "cornered", "filtered"] {
        assert_eq!(of(name).len(), 4 + 9, "{name}");
        assert_eq!(of(name)[..4].join(" ").replace(&format!("{name} "), ""), "b2-a1 b2-b1 b2-a2 b2-b2");
    }
    // b1, c1, b2, c2 and the whole column c.
    assert_eq!(of("down").len(), 4 + 3);
    // One site for each man with itself, four between them, in either direction.
    assert_eq!(moves.iter().filter(|text| text.matches('-').count() == 2).count(), 1 + 4 + 4 + 1);
    // b2 alone; of the four from b2 to c3, those with men.
    assert_eq!(of("let_it"), ["let_it b2-b2", "let_it c3-b2", "let_it c3-c3"]);
}

/// There is no rectangle across boards: an error where it is known, else the empty set.
#[test]
fn a_rectangle_lies_on_one_square_board() {
    let text = |range: &str| {
        format!(
            "game two\nplayers a, b\nboard field square 2 x 2\nboard bench track 3 named \"t{{n}}\"\nvar n: int\n\
             action sit {{ choose s in sites  require no {range}  n := 1 }}\nplay {{ turns {{ mover plays sit }} }}\n"
        )
    };
    let fast = lowered(&text("a1..s"));
    assert_eq!(legal(&fast, &fast.start()), ["t1", "t2", "t3"]);
    let fast = lowered(&text("t1..s"));
    assert_eq!(legal(&fast, &fast.start()).len(), 4 + 3);
    assert_eq!(codes(&text("a1..t1")), [Code::WrongType]);
    assert_eq!(codes(&text("t1..t3")), [Code::WrongType]);
    let track = "game g\nplayers a, b\nboard track 3 named \"t{n}\"\nvar n: int\n\
        action sit { choose s in sites  require some t1..s  n := 1 }\nplay { turns { mover plays sit } }\n";
    assert_eq!(codes(track), [Code::WrongType], "no rectangle can be there");
}

/// Chance draws each copy of a card with equal probability: from three aces and a king, an ace in 75 % of draws. A
/// seat that chooses is offered copies once.
#[test]
fn chance_draws_copies_with_equal_probability() {
    let text = |way: &str| {
        format!(
            "game draw\nplayers one, two\nkinds card\n  | kind |\n  | ace |\n  | king |\n\
             zone hand(p: seat): set of card, seen by p\nsetup {{ put 3 ace on hand(two)  put king on hand(two) }}\n\
             action steal {{ {way} c in hand(two)  move c from hand(two) to hand(one)\n\
             if c.kind == ace {{ win one }} else {{ win two }} }}\nplay {{ one plays steal }}\n"
        )
    };
    let fast = lowered(&text("roll"));
    let start = fast.start();
    let position = fast.play_unchecked(&start, &fast.legal(&start)[0]);
    assert!(matches!(position.ask, Ask::Chance { .. }));
    assert_eq!(legal(&fast, &position), ["ace", "ace", "ace", "king"]);
    for text in ["ace", "ACE", "King"] {
        let found = find_move(&fast, &position, text).expect("one outcome, however many copies");
        assert_eq!(print_move(fast.game(), &position, &found), text.to_lowercase());
    }
    for engine in [&fast as &dyn Engine, fast.reference()] {
        assert_eq!(perft(engine, &start, 1, &|_| ()).by_depth, [4]);
        let divide = perft(engine, &position, 1, &|_| ()).divide;
        assert_eq!(divide.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [3, 1]);
        let plan = Plan { cap: 9, seed: 5, invariants: false, traced: 0, reactions: None };
        let games = 2000;
        let wins = simulate(engine, &start, &plan, 0..games, &|_| ()).seats[0].win;
        // Three in four, within four standard deviations.
        assert!((1423..=1577).contains(&wins), "{wins} of {games}");
    }
    let fast = lowered(&text("choose"));
    let start = fast.start();
    let moves = legal(&fast, &start);
    let position = if moves.len() == 1 { fast.play_unchecked(&start, &fast.legal(&start)[0]) } else { start };
    assert_eq!(legal(&fast, &position).len(), 2);
}

/// Names that no expression uses are unique, too, per keyword.
#[test]
fn each_end_invariant_claim_offer_and_cue_has_its_own_name() {
    let text = |items: &str| {
        format!(
            "game g\nplayers a, b\nboard square 2 x 2\npiece stone owned\naction put {{ choose f in empty  put own stone on f }}\n\
             play {{ turns {{ mover plays put else {{ draw }} }} }}\n{items}"
        )
    };
    let twice = [
        "end row after move when ply > 2 { win me }\nend row after move when ply > 3 { draw }\n",
        "invariant row: ply >= 0\ninvariant row: turn >= 0\n",
        "claim row { require ply > 2  draw }\nclaim row { require ply > 3  draw }\n",
        "offer row { draw }\noffer row { draw }\n",
        "cue put: ply > 1\ncue put: ply > 2\n",
    ];
    for items in twice {
        let (text, word) = (text(items), items.split([' ', ':']).next().expect("a word"));
        let name = items.split([' ', ':']).nth(1).expect("a name");
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let reports = loaded.reports.sorted();
        let report = reports.iter().find(|report| report.code == Code::Duplicate).expect(word);
        assert_eq!(report.message, format!("`{word} {name}` is declared twice"));
        let (first, second) = (report.also[0].0, report.span);
        assert_eq!((&text[first.start as usize..first.end as usize], loaded.sources.slice(second)), (name, name));
        assert!(first.start < second.start && report.help.is_some(), "{word}");
        assert!(loaded.game.is_none());
    }
    let mixed = "end row after move when ply > 2 { win me }\ninvariant row: ply >= 0\nclaim row { require ply > 2  draw }\n\
        offer row { draw }\nend column after move when ply > 2 { win me }\n";
    assert_eq!(codes(&text(mixed)), []);
}

/// A clause cited on an override counts where the override is in effect.
#[test]
fn a_clause_cited_on_an_override_counts() {
    let text = "game g\nplayers a, b\nclause §1 \"three in a row\"\nclause §2 \"four by four: four\"\nclause §3 \"no limit\"\n\
        board square 4 x 4\npiece stone owned\noption goal = 3 from 2..4  §1\n\
        action put { choose f in empty  put own stone on f }\nplay { turns { mover plays put else { draw } } }\n\
        end row after move when line(own stone, goal) { win me }\nend long after move when ply > 9 { draw }\n\
        variant four {\n  set goal = 4  §2\n  remove end long  §3\n}\n";
    let citing = |variants: &[&str], clause: &str| -> Vec<String> {
        let variants = variants.iter().map(|name| (*name).to_owned()).collect();
        let loaded = load("g.rules", text, &NoFiles, &Setup { variants, ..Setup::default() });
        let game = loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports));
        let rules = game.rules.iter().filter(|rule| rule.clauses.iter().any(|id| id == clause));
        rules.map(|rule| format!("{}: {}", rule.name, loaded.sources.slice(rule.span).trim())).collect()
    };
    assert_eq!(citing(&[], "2"), [""; 0]);
    assert_eq!(citing(&["four"], "1"), ["goal: option goal = 3 from 2..4  §1"]);
    assert_eq!(citing(&["four"], "2"), ["goal: set goal = 4  §2"]);
    assert_eq!(citing(&["four"], "3"), ["long: remove end long  §3"]);
    let unknown = text.replace("§2\n", "§4\n");
    let setup = Setup { variants: vec!["four".to_owned()], ..Setup::default() };
    let loaded = load("g.rules", &unknown, &NoFiles, &setup);
    assert!(loaded.reports.sorted().iter().any(|report| report.code == Code::UnknownClause), "{:?}", loaded.reports);
}

/// `ace` does not mean the ace of the first suit: it is the only ace offered, or ambiguous.
#[test]
fn a_card_without_its_suit_is_any_card_of_the_kind() {
    let text = "game g\nplayers a, b\nenum suit = clubs, hearts, spades\nkinds card { suit: suit }\n\
        | kind |\n| ace |\n| king |\nzone hand(p: seat): set of card, seen by p\nzone table: pile of card, seen by all\n\
        setup { put ace with suit = hearts on hand(a)  put ace with suit = spades on hand(a)\n\
        put king with suit = spades on hand(a)  put king on hand(b) }\n\
        action lay { choose c in hand(me)  move c from hand(me) to table }\n\
        play { a plays lay  b plays lay  a plays lay  a plays lay  draw }\n";
    let fast = lowered(text);
    let start = fast.start();
    let read = |position: &Position, text: &str| {
        find_move(&fast, position, text).map(|mv| print_move(fast.game(), position, &mv))
    };
    let several = |found: &str, readings: &[&str]| {
        let readings = readings.iter().map(|text| (*text).to_owned()).collect();
        Err(NotationError::Ambiguous { found: found.to_owned(), readings })
    };
    assert_eq!(read(&start, "ace"), several("ace", &["ace{hearts}", "ace{spades}"]));
    assert_eq!(read(&start, "lay ace"), several("lay ace", &["ace{hearts}", "ace{spades}"]));
    assert_eq!(read(&start, "ace{spades}").as_deref(), Ok("ace{spades}"));
    assert_eq!(read(&start, "king").as_deref(), Ok("king{spades}"), "the only king in the hand");
    // A card written in full that is not legal is refused as written.
    assert_eq!(read(&start, "king{clubs}").as_deref(), Ok("king{clubs}"));
    assert!(fast.legal(&start).iter().all(|mv| print_move(fast.game(), &start, mv) != "king{clubs}"));
    let all = ["ace{clubs}", "ace{hearts}", "ace{spades}"];
    let named = |text: &str| parse_move(fast.game(), &start, text).map(|mv| print_move(fast.game(), &start, &mv));
    assert_eq!(named("ace"), several("ace", &all));
    assert_eq!(named("ace{hearts}").as_deref(), Ok("ace{hearts}"));
}

/// If all seats lose, none draws.
#[test]
fn a_game_lost_by_all_is_not_a_draw() {
    let text = |end: &str| {
        format!(
            "game g\nplayers a, b\nboard square 2 x 2\npiece stone owned\naction put {{ choose f in empty  put own stone on f }}\n\
             play {{ turns {{ mover plays put }} }}\nend over after move when ply == 2 {{ {end} }}\n"
        )
    };
    let plan = Plan { cap: 9, seed: 5, invariants: false, traced: 0, reactions: None };
    for (end, draws, losses) in [("lose seats", 0, 7), ("draw", 7, 0), ("win a", 0, 0)] {
        let fast = lowered(&text(end));
        let tally = simulate(&fast, &fast.start(), &plan, 0..7, &|_| ());
        assert_eq!((tally.draws, tally.seats[0].loss), (draws, losses), "{end}");
    }
}

/// The keyword of a shape cannot name a board.
#[test]
fn a_board_cannot_be_named_like_a_shape() {
    let text = "game g\nplayers a, b\nboard track ring 40\npiece stone owned\n";
    let reports = load("g.rules", text, &NoFiles, &Setup::default()).reports;
    let help = reports.sorted().iter().find_map(|report| report.help.clone()).expect("a help");
    assert!(help.starts_with("`track` is the shape of a board and cannot name it"), "{help}");
}
