//! What constructs mean, in small games whose figures are worked out by hand, on both interpreters.
//!
//! Once wrong, or undocumented, and the tests that cover it:
//!
//! | | found | test |
//! |---|---|---|
//! | A1 | a range between places that are not constant | `meaning::a_rectangle_has_any_two_corners`, `meaning::a_rectangle_lies_on_one_square_board` |
//! | A2 | repetition where the turn does not pass on | `repetition::occurrences_counts_the_position_at_the_next_question`, `repetition::occurrences_means_the_same_everywhere` |
//! | A3 | an announced repetition beside an end on it | `repetition::an_announced_repetition_is_granted_despite_an_end_on_it` |
//! | A4 | repetition of a part of the position | `repetition::parts_are_counted_separately`, `repetition::boards_can_be_kept_from_recurring` |
//! | A5 | chance weighs kinds, not copies | `meaning::chance_draws_copies_with_equal_probability` |
//! | A6 | perft where seats choose together, and where dice are rolled for ever | `perft::secret_choices_count_when_they_are_made`, `perft::endless_chance_is_a_limit` |
//! | A7 | a position written by hand begins in the middle of a turn | `repetition::a_handwritten_position_is_at_the_beginning_of_its_turn` |
//! | A8 | two ends, invariants or claims of one name | `meaning::each_end_invariant_claim_offer_and_cue_has_its_own_name` |
//! | A9 | a clause cited on an override is lost | `meaning::a_clause_cited_on_an_override_counts` |
//! | A10 | mutants and cases that fail anyway, invariants in random games | `bounds::mutants_need_sound_cases`, `bounds::random_games_report_violated_invariants` |
//! | A11 | a fix that changes the meaning | `bounds::fixes_keep_every_word`, `slips::slips_keep_the_words_of_the_author`, `damage::damage_is_reported_where_it_is_in_classics` |
//! | A12 | a card without its suit | `meaning::a_card_without_its_suit_is_any_card_of_the_kind` |
//! | A13 | turning back, `turn` at the end of a turn, symbols of fields | `meaning::a_ring_turns_back`, `meaning::a_turn_counts_once_it_is_over`, `meaning::a_field_is_drawn_by_its_symbol` |
//! | | sets of sets, options that are no numbers | `meaning::what_cannot_be_kept_or_offered_is_said` |
//! | | what is printed of simulations and by `fmt` | `cli::printed_statements_are_true`, `cli::ends_on_one_line_are_told_apart`, `format::tables_and_clauses_are_aligned` |

use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::{Ask, Engine, Observation, Position};
use regelwerk::notation::{NotationError, find_move, parse_move, print_move};
use regelwerk::play::perft;
use regelwerk::report::Code;
use regelwerk::view::{Look, board};

use crate::support::{read, root};

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

/// What `keep` leaves out of a ring or a track leaves a gap, whichever way it is gone.
#[test]
fn what_is_left_out_of_a_line_leaves_a_gap() {
    let moves = |board: &str, from: &str| {
        let text = format!(
            "game g\nplayers a, b\nboard {board}\npiece man owned\npath far_way = slide directions through empty\nsetup {{ put man of a on {from} }}\n\
             action go {{ choose f in own man  choose t in around(f)  move f to t }}\n\
             action far {{ choose f in own man  choose t in far_way(f)  move f to t }}\n\
             play {{ turns {{ mover plays go | far else pass }} }}\nend e after move when ply > 3 {{ draw }}\n"
        );
        let fast = lowered(&text);
        legal(&fast, &fast.start())
    };
    let seats = "per seat pit x 3 named \"{seat}{n}\" keep {f in sites where f != a3 and f != b1}";
    assert_eq!(
        moves("ring 6 keep {f in sites where f != s4}", "s3"),
        ["go s3-s2", "far s3-s1", "far s3-s2", "far s3-s5", "far s3-s6"]
    );
    assert_eq!(moves("track 6 keep {f in sites where f != s4}", "s3"), ["go s3-s2", "far s3-s1", "far s3-s2"]);
    assert_eq!(moves("track 6 keep {f in sites where f != s4}", "s5"), ["go s5-s6", "far s5-s6"]);
    assert_eq!(
        moves("ring 6 keep {f in sites where f != s1}", "s6"),
        ["go s6-s5", "far s6-s2", "far s6-s3", "far s6-s4", "far s6-s5"]
    );
    assert_eq!(moves(&format!("ring {seats}"), "a1"), ["go a1-a2", "go a1-b3", "far a1-a2", "far a1-b2", "far a1-b3"]);
    assert_eq!(moves(&format!("track {seats}"), "b2"), ["go b2-b3", "far b2-b3"]);
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

/// By a negative number everything on a ring goes back: of four sites, from the first to the last.
#[test]
fn a_ring_turns_back() {
    let text = "game g\nplayers a, b\nboard ring 4\npiece stone owned\nsetup { put stone of a on s1 put stone of b on s2 }\n\
        action turn_it { choose by in {-1, -6, 1} rotate sites by by }\nplay { turns { mover plays turn_it } }\n\
        end over after move when ply == 2 { draw }\n";
    let fast = lowered(text);
    let start = fast.start();
    let after = |text: &str| {
        let mv = find_move(&fast, &start, text).expect("a move");
        let played = fast.play_unchecked(&start, &mv);
        assert_eq!(played, fast.reference().play_unchecked(&start, &mv));
        let at = |site: usize| played.sites[site].as_ref().and_then(|piece| piece.owner);
        (0..4).map(at).map(|owner| owner.map_or('-', |seat| if usize::from(seat) == 0 { 'a' } else { 'b' })).collect()
    };
    let places: [String; 3] = ["-1", "-6", "1"].map(after);
    // One back; six back is two on; one on.
    assert_eq!(places, ["b--a", "--ab", "-ab-"]);
}

/// The turn that is over is counted when the next one begins: at the end of the first it is 0.
#[test]
fn a_turn_counts_once_it_is_over() {
    let text = |end: &str| {
        format!(
            "game g\nplayers a, b\naction go {{}}\nplay {{ turns {{ mover plays go }} }}\n\
             end first {end} {{ win a }}\nend later after move when ply == 5 {{ draw }}\n"
        )
    };
    for (end, plies) in
        [("after turn when turn == 0", 1), ("before turn when turn == 2", 2), ("after turn when turn == 2", 3)]
    {
        let fast = lowered(&text(end));
        let mut position = fast.start();
        let mut played = 0;
        while position.outcome.is_none() {
            position = fast.play_unchecked(&position, &fast.legal(&position)[0]);
            played += 1;
        }
        assert_eq!(played, plies, "{end}");
    }
}

/// Behind the symbol of a field stands its value; a field without one is not drawn.
#[test]
fn a_field_is_drawn_by_its_symbol() {
    let text = "game g\nplayers a, b\nboard square 2 x 1\nenum mood = calm \"Calm\", wild \"Wild\"\n\
        piece cat symbol \"c\" { mood: mood symbol \"/\", other: mood, hurt: bool symbol \"!\" }\n\
        setup { put cat with mood = wild, other = wild, hurt = true on a1 }\n\
        action go { require some {x in sites where any c at x: c.mood == c.other or c.hurt} }\n\
        play { turns { mover plays go } }\nend over after move when ply == 2 { draw }\n";
    let fast = lowered(text);
    let start = fast.start();
    let drawn = board(fast.game(), &Observation::referee(&start), &Look::default());
    assert!(drawn.contains("/wild") && drawn.contains('!') && drawn.matches("wild").count() == 1, "{drawn}");
}

/// What a variable cannot keep and an option cannot offer is said with a cure.
#[test]
fn what_cannot_be_kept_or_offered_is_said() {
    let told = |items: &str| -> Vec<(String, String)> {
        let text = format!(
            "game g\nplayers a, b\nboard square 2 x 2\npiece stone owned\n{items}\n\
             action put {{ choose f in empty  put own stone on f }}\nplay {{ turns {{ mover plays put else {{ draw }} }} }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let sorted = loaded.reports.sorted();
        let errors = sorted.iter().filter(|report| report.code == Code::WrongType);
        errors.map(|report| (report.message.clone(), report.help.clone().unwrap_or_default())).collect()
    };
    let one = |items: &str, message: &str, help: &str| {
        let found = told(items);
        assert!(matches!(found.as_slice(), [(m, h)] if m.contains(message) && h.contains(help)), "{items}: {found:?}");
    };
    one("var x: set of set of site", "a variable cannot hold a set of sets", "var name(p: seat): set of site");
    one("option start: site = a1", "an option cannot be a site", "an enum");
    one("option way: direction = n", "an option cannot be a direction", "an enum");
    one("option what: kind = stone", "an option cannot be a kind of piece", "an enum");
    one("option few: set of int = {1, 2}", "an option cannot be a set of numbers: whoever chooses it", "an enum");
    one("option many = {a}", "an option cannot be a set of seats: whoever chooses it", "an enum");
}

/// Each test that the table above names is there.
#[test]
fn every_row_has_its_test() {
    let page = include_str!("meaning.rs");
    let rows = page.lines().take_while(|line| line.starts_with("//!")).filter(|line| line.starts_with("//! | "));
    let names = rows.flat_map(|row| row.split('`')).filter_map(|part| part.split_once("::"));
    let mut count = 0;
    for (file, test) in names {
        let text = read(&root(&format!("tests/{file}.rs")));
        assert!(text.contains(&format!("#[test]\nfn {test}()")), "{file}::{test}");
        count += 1;
    }
    assert!(count > 15, "{count}");
}
