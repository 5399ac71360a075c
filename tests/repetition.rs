//! Repetition. Occurrences are counted a second way: by the text of the position at each question, without counters
//! that only increase. Every figure that a rule sees must agree.

use std::collections::BTreeMap;

use regelwerk::engine::Fast;
use regelwerk::ir::{Liveness, Ty, Value};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Answer, Ask, Ending, Engine, Position};
use regelwerk::notation::{find_move, parse_answer, parse_position, print_move};
use regelwerk::play::Stream;
use regelwerk::report::Code;

use crate::support::print_position;

/// The fast engine, which must have lowered everything.
fn lowered(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.reports)));
    assert!(fast.lowered(), "{:?}", fast.lowering());
    fast
}

/// Courses of play with two men on two rings; `go` is a step and `stride` a step and possibly another.
const COURSES: [(&str, &str); 17] = [
    ("turns", "turns { mover plays go }"),
    ("turns with a way out", "turns { mover plays go else pass }"),
    ("no turns", "while true { for p in seats { p plays go else { lose p } } }"),
    ("one after the other", "while true { a plays go  b plays go }"),
    ("the turn is given", "turns { mover plays go  if men at u1 == 0 { give turn to a } }"),
    ("two moves a turn", "turns { mover plays go  mover plays go }"),
    ("the turn stays", "turns { a plays go  b plays go  again }"),
    ("a limit before the question", "turns { if ply >= 90 { draw }  mover plays go else { lose mover } }"),
    ("phases", "phase one { repeat 6 { a plays go  b plays go } }  phase two { turns { mover plays go } }"),
    ("one may", "turns { mover may play go  mover plays go }"),
    ("a choice within the move", "turns { mover plays stride }"),
    ("a name that matters", "turns { let later = ply mod 3  mover plays go  if later == 2 { mover plays go } }"),
    ("a name that does not", "turns { let idle = ply  if idle > 95 { draw }  mover plays go }"),
    ("together", "while true { together seats play go }"),
    ("a race", "while true { race seats play go }"),
    ("chance", "turns { roll d in 1..2  if d == 2 { mover plays go } else { opponent(mover) plays go } }"),
    ("a procedure", "turns { both(a)  both(b)  again }"),
];

fn rules(play: &str, more: &str, guard: &str) -> String {
    let stride = if play.contains("stride") {
        "action stride { choose f in own man  choose t in around(f)  move f to t  choose u in around(t) | {t}  move t to u }\n"
    } else {
        ""
    };
    let go = if play.contains("go") || play.contains("both") {
        format!("action go {{ choose f in own man  choose t in around(f) & empty  move f to t  {guard} }}\n")
    } else {
        String::new()
    };
    let both = if play.contains("both") { "procedure both(p: seat) { p plays go  p plays go }\n" } else { "" };
    let men = if play.contains("men") { "define men_there = count(man & {u1})\n" } else { "" };
    let play = play.replace("men at u1", "men_there");
    format!(
        "game men\nplayers a, b\nboard graph {{ t1 - t2 - t3 - t1\n u1 - u2 - u3 }}\npiece man owned\n\
         setup {{ put man of a on t1  put man of b on u1 }}\n{go}{stride}{both}{men}{more}\nplay {{ {play} }}\n"
    )
}

/// A position as text: without increasing counters, records, and dead local names.
fn text(engine: &dyn Engine, position: &Position) -> String {
    let mut position = position.clone();
    (position.ply, position.turn, position.now) = (0, 0, 0);
    position.history.clear();
    let game = engine.game();
    for (var, values) in game.vars.iter().zip(&mut position.vars).filter(|(var, _)| var.record) {
        values.fill(var.init.clone());
    }
    for (slot, value) in game.slots.iter().zip(&mut position.locals).filter(|(slot, _)| slot.name == "idle") {
        *value = Value::Unset;
        assert_eq!(slot.ty, Ty::Int);
    }
    format!("{position:?}")
}

/// Plays a random game on both interpreters: at every question `each` gets the position, how often each text has
/// occurred, and the moves.
fn play(fast: &Fast, seed: u64, length: usize, mut each: impl FnMut(&Position, &BTreeMap<String, usize>, bool)) {
    let reference = fast.reference();
    let (mut position, mut dice) = (reference.start(), Stream::new(seed, "repetition", 0));
    let (mut stood, mut moved) = (BTreeMap::new(), false);
    for _ in 0..length {
        if position.is_over() {
            return;
        }
        *stood.entry(text(reference, &position)).or_insert(0) += 1;
        each(&position, &stood, moved);
        let legal = reference.legal(&position);
        assert_eq!(fast.legal(&position), legal);
        if legal.is_empty() {
            return;
        }
        let mv = &legal[dice.below(legal.len())];
        let next = reference.play_unchecked(&position, mv);
        assert_eq!(fast.play_unchecked(&position, mv), next);
        moved = next.ply > position.ply;
        position = next;
    }
}

/// The number in a record.
fn seen(fast: &Fast, position: &Position, name: &str) -> i64 {
    let var = fast.game().vars.iter().position(|var| var.name == name).expect("the record");
    position.vars[var][0].int()
}

/// After every move, `occurrences` is how often the position at the next question has occurred.
#[test]
fn occurrences_counts_the_position_at_the_next_question() {
    for (what, course) in COURSES {
        let more = "record seen: int \"seen\"\nend note after move when true { seen := occurrences }";
        let fast = lowered(&rules(course, more, ""));
        let mut recurred = 0;
        for seed in 0..3 {
            play(&fast, seed, 100, |position, stood, moved| {
                if moved {
                    let text = text(fast.reference(), position);
                    let count = i64::try_from(stood[&text]).expect("few");
                    assert_eq!(seen(&fast, position, "seen"), count, "{what}: {text}");
                    recurred += usize::from(count > 1);
                }
            });
        }
        assert!(recurred > 20, "{what}: only {recurred}");
    }
}

/// It means the same in an end condition, after a move in the course of play, and in the effects of a move; and so
/// does the question itself.
#[test]
fn occurrences_means_the_same_everywhere() {
    let more = "record seen: int \"in an end\"\nrecord asked: int \"asked\"\nrecord moved: int \"in a move\"\n\
        end note after move when true { seen := occurrences }\n\
        action go { choose f in own man  choose t in around(f) & empty  let now_here = occurrences\n\
          move f to t  moved := occurrences  asked := now_here }";
    let rules = rules("turns { mover plays step }", more, "").replace("action go", "action step");
    let fast = lowered(&rules);
    let mut before = 0;
    play(&fast, 7, 80, |position, stood, moved| {
        let count = i64::try_from(stood.values().sum::<usize>()).expect("few");
        if moved {
            assert!(count > 1);
            assert_eq!(seen(&fast, position, "moved"), seen(&fast, position, "seen"));
            assert_eq!(seen(&fast, position, "asked"), before);
        }
        before = seen(&fast, position, "seen").max(1);
    });
}

/// Conditions, repetition counts and loop conditions within a move keep their place on the control stack, too.
#[test]
fn conditions_within_a_move_agree() {
    let effects = [
        "if occurrences >= 2 { moved := 2 } else { moved := 1 }",
        "moved := 1  for x in {t1} { if occurrences >= 2 { moved := 2 } }",
        "moved := 0  repeat (if occurrences >= 2 then 2 else 1) { moved += 1 }",
        "moved := 1  while moved < (if occurrences >= 2 then 2 else 1) { moved += 1 }",
        "moved := 1  if ply >= 0 { moved := (if occurrences >= 2 then 2 else 1) }",
    ];
    for effect in effects {
        let more = format!(
            "record seen: int \"in an end\"\nrecord moved: int \"in a move\"\n\
             end note after move when true {{ seen := (if occurrences >= 2 then 2 else 1) }}\n\
             action step {{ choose f in own man  choose t in around(f) & empty  move f to t  {effect} }}"
        );
        let fast = lowered(&rules("turns { mover plays step }", &more, ""));
        let mut twice = 0;
        play(&fast, 3, 60, |position, _, moved| {
            if moved {
                let (moved, seen) = (seen(&fast, position, "moved"), seen(&fast, position, "seen"));
                assert_eq!(moved, seen, "{effect}");
                twice += usize::from(moved == 2);
            }
        });
        assert!(twice > 0, "{effect}");
    }
}

/// A guard that does not look at earlier positions neither counts positions nor has side effects, however the effects
/// are tried out.
#[test]
fn other_guards_do_not_count() {
    let more = "record seen: int \"seen\"\nend note after move when true { seen := occurrences }";
    for guard in ["ensure count(own man) == 1", "stop  ensure ply < 1000"] {
        let fast = lowered(&rules("while true { turns { mover plays go }  seen := occurrences }", more, guard));
        let mut recurred = 0;
        play(&fast, 5, 60, |position, stood, moved| {
            if moved {
                let count = i64::try_from(stood[&text(fast.reference(), position)]).expect("few");
                assert_eq!(seen(&fast, position, "seen"), count, "{guard}");
                recurred += usize::from(count > 1);
            }
        });
        assert!(recurred > 5, "{guard}");
    }
}

/// `ensure occurrences == 1` forbids exactly the moves after which a position would recur.
#[test]
fn no_position_recurs_where_that_is_ensured() {
    // This does not cover what happens instead when no move is left.
    let told = |course: &str| !course.contains("stride") && !course.contains("else pass");
    for (what, course) in COURSES.into_iter().filter(|(_, course)| told(course)) {
        let fast = lowered(&rules(course, "", "ensure occurrences == 1"));
        let free = lowered(&rules(course, "", ""));
        let mut forbidden = 0;
        for seed in 0..4 {
            play(&fast, seed, 40, |position, stood, _| {
                // Where seats choose in secret, a move is judged as if it were the only one.
                if what == "together" || matches!(position.ask, Ask::Chance { .. }) {
                    return;
                }
                let mut wanted = free.legal(position);
                let all = wanted.len();
                let new = |engine: &Fast, next: &Position| !stood.contains_key(&text(engine.reference(), next));
                wanted.retain(|mv| mv.args.is_empty() || new(&free, &free.play_unchecked(position, mv)));
                forbidden += all - wanted.len();
                let offered = fast.legal(position);
                assert_eq!(offered, wanted, "{what}: {}", text(fast.reference(), position));
            });
        }
        assert!(forbidden > 0 || what == "together", "{what}: {forbidden}");
    }
}

/// A move that is announced is judged by the position after it, even if the rules end the game there.
#[test]
fn an_announced_repetition_is_granted_despite_an_end_on_it() {
    let claims = "claim told { choose m in moves(go)  require after m: occurrences >= 3  draw }\n\
        claim known { choose m in moves(go)  require after m: repeats(0)  draw }\n\
        end third after move when occurrences >= 3 { draw }";
    for (what, course) in
        COURSES.into_iter().filter(|(_, course)| course.starts_with("turns") && !course.contains("stride"))
    {
        let fast = lowered(&rules(course, claims, ""));
        let free = lowered(&rules(
            course,
            &claims.replace("third after move when occurrences >= 3", "third after move when occurrences >= 3000"),
            "",
        ));
        let mut granted = [0, 0];
        for seed in 0..12 {
            let mut first = Vec::new();
            play(&fast, seed, 60, |position, stood, _| {
                let reference = fast.reference();
                if position.ply == 0 {
                    first.push(text(reference, position));
                }
                if matches!(position.ask, Ask::Chance { .. }) {
                    return;
                }
                for mv in reference.legal(position).iter().filter(|mv| !mv.args.is_empty()) {
                    let next = text(free.reference(), &free.play_unchecked(position, mv));
                    let mut claimed = |number: usize, name: &str, due: bool| {
                        let words = format!("claim {name} {}", print_move(fast.game(), position, mv));
                        let answer: Answer = parse_answer(fast.game(), position, &words).expect("a claim");
                        let found = fast.answer(position, &answer);
                        assert_eq!(found.is_ok_and(|after| after.is_over()), due, "{what}: {words} at {next}");
                        granted[number] += usize::from(due);
                    };
                    claimed(0, "told", stood.get(&next).is_some_and(|count| *count >= 2));
                    claimed(1, "known", first.contains(&next));
                }
            });
        }
        assert!(granted[0] > 5, "{what}: {granted:?}");
    }
}

/// Worked out by hand: with two sites each, White's only move and Black's bring the first position back after four
/// plies, for the third time after eight.
#[test]
fn the_third_occurrence_is_after_eight_plies() {
    let head = "game shuttle\nplayers white, black\nboard square 2 x 2\npiece stone owned\n\
        setup { put stone of white on a1  put stone of black on b1 }\n\
        action go { choose from in own stone  choose to in toward(from, {n, s}) & empty  move from to to }\n\
        end third after move when occurrences >= 3 { draw }\n";
    for course in [
        "turns { mover plays go }",
        "turns { white plays go  black plays go  again }",
        "while true { for p in seats { p plays go } }",
        "phase long { turns { mover plays go } }",
    ] {
        let fast = lowered(&format!("{head}play {{ {course} }}\n"));
        let mut position = fast.start();
        while !position.is_over() {
            position = fast.play_unchecked(&position, &fast.legal(&position)[0]);
        }
        assert_eq!(position.ply, 8, "{course}");
    }
    // With a counter that changes on the way, no position recurs.
    let counted = "record plies: int\nvar count: int\nend tick after move when true { count += 1  plies += 1 }\n";
    let fast =
        lowered(&format!("{head}{counted}play {{ turns {{ if plies >= 30 {{ win white }}  mover plays go }} }}\n"));
    let mut position = fast.start();
    while !position.is_over() {
        position = fast.play_unchecked(&position, &fast.legal(&position)[0]);
    }
    assert_eq!(position.ply, 30);
}

/// Positional superko: the board alone, whatever the mover and everything else. White moves back and forth on one
/// side, Black waits on the other: the board recurs, the position does not.
#[test]
fn parts_are_counted_separately() {
    let head = "game parts\nplayers white, black\nboard square 2 x 2\npiece stone owned\npiece chip\n\
        zone cup: set of chip\nvar tally: int\nrecord boards: int \"boards\"\nrecord cups: int \"cups\"\n\
        record turns_of: int \"boards with who is to move\"\nrecord tallies: int \"tallies\"\nrecord left: int \"of the left side\"\n\
        setup { put stone of white on a1 }\n\
        action go { choose from in own stone  choose to in toward(from, {n, s})  move from to to }\n\
        action drop { put 1 chip on cup  tally += 1 }\n\
        end note after move when true { boards := occurrences of board  cups := occurrences of cup\n\
          turns_of := occurrences of (board | mover)  tallies := occurrences of (tally)  left := occurrences of (b1 | b2) }\n";
    let fast =
        lowered(&format!("{head}play {{ turns {{ white plays go  if mover == black {{ white plays drop }} }} }}\n"));
    let mut position = fast.start();
    let mut told = Vec::new();
    for _ in 0..7 {
        let next = fast.play_unchecked(&position, &fast.legal(&position)[0]);
        assert_eq!(fast.reference().play_unchecked(&position, &fast.legal(&position)[0]), next);
        position = next;
        told.push(["boards", "cups", "turns_of", "tallies", "left"].map(|name| seen(&fast, &position, name)));
    }
    // Plies: go (in White's turn), go, drop (in Black's), go, go, drop, go. The stone is on a2, a1, a1, a2, a1, a1,
    // a2; it began on a1. Next it is the turn of Black, Black, White, Black, Black, White, Black.
    assert_eq!(
        told,
        [
            [1, 2, 1, 2, 2],
            [2, 3, 1, 3, 3],
            [3, 1, 2, 1, 4],
            [2, 2, 2, 2, 5],
            [4, 3, 2, 3, 6],
            [5, 1, 3, 1, 7],
            [3, 2, 3, 2, 8]
        ]
    );
}

/// Two passes restore the same board, but no stone may be put that does: positional superko.
#[test]
fn boards_can_be_kept_from_recurring() {
    let rules = |guard: &str| {
        format!(
            "game lamp\nplayers a, b\nboard track 2\npiece lamp\n\
             action light {{ choose f in empty  put lamp on f  ensure {guard} }}\n\
             action snuff {{ choose f in lamp  remove f  ensure {guard} }}\n\
             play {{ turns {{ mover plays light | snuff | rest }} }}\naction rest {{ }}\n"
        )
    };
    // Of four boards three come after the first, and then only resting is left. If the mover is included, each may
    // occur twice: both lamps may be changed after a rest.
    for (guard, after) in
        [("occurrences of board == 1", 1), ("occurrences of (board | mover) == 1", 3), ("occurrences == 1", 3)]
    {
        let fast = lowered(&rules(guard));
        let mut position = fast.start();
        for (mv, left) in [("light s1", 2), ("light s2", 2), ("snuff s1", 1), ("rest", after)] {
            let mv = find_move(&fast, &position, mv).expect("a move");
            position = fast.play(&position, &mv).expect("legal");
            let legal = fast.legal(&position);
            assert_eq!(fast.reference().legal(&position), legal);
            assert_eq!(legal.len(), left, "{guard}");
        }
    }
}

#[test]
fn only_parts_can_be_counted() {
    let text = |part: &str| {
        format!(
            "game g\nplayers a, b\nboard track 2\npiece man\nend e after move when occurrences of {part} > 2 {{ draw }}\nplay {{ turns {{ mover plays go }} }}\naction go {{ choose f in empty  put man on f }}\n"
        )
    };
    let codes = |part: &str| -> Vec<Code> {
        let loaded = load("g.rules", &text(part), &NoFiles, &Setup::default());
        loaded.reports.sorted().iter().map(|report| report.code).collect()
    };
    assert_eq!(codes("board"), []);
    assert_eq!(codes("s1"), []);
    assert_eq!(codes("bord"), [Code::UnknownName]);
    assert_eq!(codes("ply"), [Code::UnknownName]);
    assert_eq!(codes("man"), [Code::NotConstant]);
    assert_eq!(codes("(board | 3)"), [Code::WrongType]);
}

/// The history survives being written, with several questions after a ply and with parts.
#[test]
fn the_history_round_trips() {
    let more = "record seen: int\nend note after move when true { seen := occurrences + occurrences of (board | mover) }\n\
        invariant always: seen >= 0";
    for (what, course) in COURSES {
        let fast = lowered(&rules(course, more, ""));
        play(&fast, 2, 25, |position, _, _| {
            let text = print_position(fast.reference(), position);
            assert_eq!(parse_position(fast.reference(), &text).as_ref(), Ok(position), "{what}: {text}");
        });
    }
}

/// A position written by hand is at the beginning of a turn: what the turn does before it asks is done.
#[test]
fn a_handwritten_position_is_at_the_beginning_of_its_turn() {
    let text = "game drops\nplayers a, b\nboard track 4\npiece man owned\nvar in_hand(p: seat): int = 1\nvar moved: int\n\
        action place { choose f in empty  put own man on f  in_hand(me) -= 1 }\n\
        action step { choose f in own man  choose t in around(f) & empty  move f to t  moved += 1 }\n\
        end bare before turn when ply > 0 and no man of mover and in_hand(mover) == 0 { lose mover }\n\
        play { turns { let late = count(man) > 2\n\
          if in_hand(mover) > 0 { mover plays place } else { mover plays step else pass }\n\
          if late { mover plays step else pass } } }\n";
    let fast = lowered(text);
    let read = |text: &str| parse_position(&fast, &format!("drops 2 | {text}")).expect("a position");
    let moves = |position: &Position| -> Vec<String> {
        fast.legal(position).iter().map(|mv| print_move(fast.game(), position, mv)).collect()
    };
    let hand = read("mover=b | man.a: s1 | man.b: s3 | in_hand(a)=0 | in_hand(b)=0");
    assert_eq!(moves(&hand), ["s3-s2", "s3-s4"]);
    let first = read("mover=b | man.a: s1");
    assert_eq!(moves(&first), ["s2", "s3", "s4"]);
    // With three men, the turn has a second move; the written text says no more than this.
    let three = read("mover=a | man.a: s1 s4 | man.b: s2 | in_hand(a)=0 | in_hand(b)=0");
    assert_eq!(moves(&three), ["s4-s3"]);
    assert!(!print_position(&fast, &three).contains("local."));
    let second = fast.play_unchecked(&three, &fast.legal(&three)[0]);
    assert_eq!((second.mover, second.asked()), (three.mover, Some(three.mover)));
    assert_eq!(parse_position(&fast, &print_position(&fast, &second)), Ok(second));
    // A seat that cannot move passes, and then the other is asked; a seat without men has lost.
    let blocked = read("mover=b | man.a: s1 s3 | man.b: s4 s2 | in_hand(a)=0 | in_hand(b)=0");
    assert!(matches!(blocked.ask, Ask::Choose { .. }));
    let bare = read("mover=b | ply=4 | man.a: s1 | in_hand(a)=0 | in_hand(b)=0");
    assert!(bare.is_over());
    // The control stack may still be given: here at the question for a place.
    let told = read(&format!("mover=b | man.a: s1 | man.b: s3 | in_hand(a)=0 | in_hand(b)=0 | ask={}", "b choose 4.0"));
    assert!(!told.is_over());
}

/// The name that `rank` binds is read by its own expression alone: it is no part of what tells positions apart, and the
/// next question need not be looked for by running ahead.
#[test]
fn the_name_that_rank_binds_does_not_outlast_it() {
    let text = "game g\nplayers a, b\nboard track 3\npiece man owned\nsetup { put man of a on s1 put man of b on s3 }\n\
         action go { choose t in empty move own man to t }\nplay { turns { mover plays go } }\n\
         end again after move when occurrences > 1 { let bonus = ply mod 2 rank p in seats by count(man of p) + bonus }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let game = loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports));
    let (alive, body) = (Liveness::of(&game), game.ends[0].body);
    assert_eq!(alive.from(body, 0), []);
    // What the statement before it binds is still read.
    assert_eq!(alive.from(body, 1).len(), 1);
    assert_eq!(alive.from(body, 2), []);
}

/// A zone or variable with an index is counted as a whole; who names one place of it is told so.
#[test]
fn one_place_of_many_is_no_part() {
    for part in ["purse(a)", "board | left(a)"] {
        let text = format!(
            "game g\nplayers a, b\nboard track 3\npiece man owned\nzone purse(p: seat): set of man, seen by all\n\
             var left(p: seat): int\naction go {{ choose f in empty  put own man on f }}\n\
             play {{ turns {{ mover plays go }} }}\nend back after move when occurrences of ({part}) >= 2 {{ draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let sorted = loaded.reports.sorted();
        let found = sorted.first().expect("it is refused");
        assert_eq!(found.code, Code::Misplaced, "{found:?}");
        assert!(found.message.ends_with("is counted as a whole, not one place of it"), "{}", found.message);
    }
}

/// A move that is under way counts as if it ended where the seat is asked; what stood within moves before does not count.
#[test]
fn moves_under_way_count_as_if_they_ended() {
    let text = "game g\nplayers a, b\nboard track 5\npiece st\nvar z: int\nsetup { put st on s1 }\n\
         action ask { z := 0  choose n in {n in 0..9 where n == occurrences of board}  z := n }\n\
         action free { choose f in empty  move st to f }\naction two { me plays free  me plays ask }\n\
         play { turns { mover plays ask | free | two } }\nend e after move when ply > 40 { draw }\n";
    let engine = lowered(text);
    let play = |moves: &[&str]| {
        let mut position = engine.start();
        for text in moves {
            let mv = find_move(&engine, &position, text).unwrap_or_else(|why| panic!("{text}: {why}"));
            for one in [&engine as &dyn Engine, engine.reference()] {
                assert_eq!(one.refuses(&position, &mv), None, "{text}");
            }
            position = engine.play_unchecked(&position, &mv);
        }
        position
    };
    let asked = |moves: &[&str]| {
        let position = play(moves);
        let legal = engine.legal(&position);
        assert_eq!(legal, engine.reference().legal(&position), "{moves:?}");
        legal.iter().map(|mv| print_move(engine.game(), &position, mv)).collect::<Vec<_>>()
    };
    // The start, and the move in which it is asked.
    assert_eq!(asked(&["ask"]), ["2"]);
    assert_eq!(asked(&["free s2", "ask"]), ["2"]);
    // Twice there, and this move.
    assert_eq!(asked(&["free s2", "free s1", "ask"]), ["3"]);
    // What `free` leaves within `two` is asked about as if that ended there; afterwards nobody counts it.
    let first = ["two", "free s3", "ask"];
    assert_eq!(asked(&first), ["1"]);
    let whole = [&first[..], &["1", "two", "free s1", "ask"]].concat();
    assert_eq!(asked(&whole), ["2"]);
    assert_eq!(asked(&[&whole[..], &["2", "two", "free s3", "ask"]].concat()), ["2"]);
    assert_eq!(asked(&[&whole[..], &["2", "ask"]].concat()), ["3"]);
}

/// The first time that the position stood is found in long games within the budget: what the next question is is worked out once for
/// all plies that are asked about.
#[test]
fn the_first_time_is_found_in_long_games() {
    let fast = lowered(
        "game rp\nplayers a, b\nboard square 3 x 3\npiece stone owned\nrecord back: int = -1\n\
         setup { put stone of a on a1  put stone of b on c3 }\n\
         action go { choose from in own stone  choose to in around(from) & empty  move from to to }\n\
         play { turns { mover plays go else { lose me } } }\n\
         define first_time = min n for n in {n in 0..ply where repeats(n)}\n\
         end z after move when occurrences >= 3 and ply >= 1500 { back := first_time  if back >= 0 { draw } }\n",
    );
    let (mut position, mut dice) = (fast.start(), Stream::new(4, "long", 0));
    let mut stood = Vec::new();
    let (before, mv) = loop {
        stood.push((position.ply, position.sites.clone()));
        let mut legal = fast.legal(&position);
        let mv = legal.swap_remove(dice.below(legal.len()));
        let next = fast.play(&position, &mv).expect("legal");
        if next.is_over() {
            break (position, mv);
        }
        position = next;
    };
    for engine in [&fast as &dyn Engine, fast.reference()] {
        let after = engine.play(&before, &mv).expect("legal");
        let ending = after.outcome.as_ref().map(|outcome| outcome.ending);
        assert!(matches!(ending, Some(Ending::Rule(_))), "{ending:?}");
        // The same seat is to move after every second ply.
        let same = |(ply, sites): &&(u32, Vec<_>)| ply % 2 == after.ply % 2 && *sites == after.sites;
        let (first, _) = stood.iter().find(same).expect("it stood before");
        let text = print_position(fast.reference(), &after);
        let back = text.split(" | ").find(|part| part.starts_with("back="));
        assert_eq!((after.ply >= 1500, back), (true, Some(&*format!("back={first}"))));
    }
}
