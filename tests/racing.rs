//! Races and ends at a terminal that several people share: what all of them look at tells nothing of what one has chosen.

use std::path::Path;
use std::time::Duration;

use regelwerk::engine::Fast;
use regelwerk::ir::{ActionRef, Move, SeatId, Value};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Viewer};
use regelwerk::play::{Match, Reactions, Stop, Stream, Who, playout};
use regelwerk::reference::Walker;

use crate::terminal::Terminal;

/// Two seats choose a stone in secret, and then race; what a seat may do in the race, at its beginning alone, is to show its stone.
const STONES: &str = "game m \"M\"\nplayers a, b\nenum gem = jade, opal, ruby\nvar mine(p: seat): gem = jade \"mine\" seen by p\n\
    action hide { choose n in gem seen by me  mine(me) := n }\n\
    action act { choose x in {mine(me)} seen by me  require now < 2  mine(me) := x }\n\
    play { together seats play hide  race seats play act  draw }\n";

fn begun(folder: &Path, name: &str, rules: &str) -> Terminal {
    std::fs::write(folder.join(name), rules).expect("written");
    Terminal::begin(folder, &format!("play {name}"))
}

/// Lets the seat at the screen choose in secret.
fn choose(screen: &mut Terminal, seat: &str, stone: &str) {
    screen.until("press Enter to show the board. ");
    screen.press("\r");
    screen.until(&format!("{seat}> "));
    screen.press(format!("{stone}\r"));
}

/// What a key stands for that is pressed in vain may be what its seat has in secret; and the clock goes on.
#[test]
fn a_key_in_vain_does_not_say_what_it_stands_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = begun(folder.path(), "m.rules", STONES);
    choose(&mut screen, "a", "ruby");
    choose(&mut screen, "b", "opal");
    screen.until("[:]");
    let mut before = 0;
    for key in ["1", "2"] {
        // Later than in time, and than the one before.
        std::thread::sleep(Duration::from_millis(50));
        screen.press(key);
        let said = screen.until(" ms.");
        let (said, time) = said.rsplit_once("That is not possible at ").expect("a time");
        assert!(!said.contains("act"), "{said:?}");
        let time: i64 = time.parse().expect("milliseconds");
        assert!(time > before, "{time} {before}");
        before = time;
    }
}

/// The lines before, and what was cut out of them, are those of one seat: not there in a race, nor at the end.
#[test]
fn lines_of_a_seat_are_not_there_for_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut screen = begun(folder.path(), "m.rules", STONES);
    choose(&mut screen, "a", "ruby");
    choose(&mut screen, "b", "opal");
    screen.until("[:]");
    screen.press(":");
    screen.until("race> ");
    // Up, and what was cut out: without either, only this mark is there.
    screen.press("\u{1b}[A\u{19}!\r");
    let shown = screen.until("!");
    assert!(!shown.contains("opal"), "{shown:?}");
    let over = STONES.replace("race seats play act  ", "");
    let mut screen = begun(folder.path(), "over.rules", &over);
    choose(&mut screen, "a", "ruby");
    choose(&mut screen, "b", "opal");
    screen.until("over> ");
    screen.press("\u{1b}[A\u{19}!\r");
    let shown = screen.until("!");
    assert!(!shown.contains("opal"), "{shown:?}");
}

/// Where nobody presses a key, a race ends at its deadline.
#[test]
fn a_race_ends_at_its_deadline() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "game m \"M\"\nplayers a, b\nvar n: int \"n\"\naction nop { n += 1 }\n\
                 play { race seats play nop until now + 300 else { n := 7 }  a plays nop  draw }\n";
    let mut screen = begun(folder.path(), "m.rules", rules);
    screen.until("[:]");
    screen.until("nobody acts");
    screen.until("n 7");
    screen.until("a> ");
}

/// What others hold does not show in how an act of theirs is understood: nobody writes it in short for them.
#[test]
fn acts_of_others_are_written_in_full() {
    let rules = "game x \"X\"\nplayers a, b\nkinds card\n  | kind |\n  | low  |\n  | mid  |\n\
        zone hand(p: seat): set of card, seen by p\nzone table: pile of card, seen by all\n\
        setup { put LEFT on hand(a)  put RIGHT on hand(b) }\n\
        action g { choose c in hand(me)  move c from hand(me) to table }\n\
        action s { choose c in hand(me) seen by me  move c from hand(me) to table }\n\
        play { race seats play g | s  draw }\n";
    let found: Vec<Vec<String>> = [("low", "mid"), ("mid", "low")]
        .iter()
        .map(|(left, right)| {
            let text = rules.replace("LEFT", left).replace("RIGHT", right);
            let loaded = load("x.rules", &text, &NoFiles, &Setup::default());
            let walker = Walker::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
            let game = Match::new(&walker, walker.start());
            let mut said = Vec::new();
            for who in [Who::Viewer(Viewer::Spectator), Who::seat(SeatId::new(1))] {
                for act in ["a low", "a mid", "a g low", "a s mid", "A MID @20"] {
                    said.push(format!("{:?}", game.door(who).read(act)));
                }
            }
            // Its own acts a seat may write in short.
            let own = game.door(Who::seat(SeatId::new(1))).read(&format!("b g {right}"));
            assert!(own.is_ok(), "{own:?}");
            said
        })
        .collect();
    assert_eq!(found[0], found[1]);
    assert!(found[0].iter().any(|said| said.starts_with("Ok")), "{found:?}");
}

/// The first acts in the race that a game begins with, by what seats intend who make no slips, on both interpreters, from a position
/// and in a run.
fn first_acts(rules: &str) -> Vec<Move> {
    let game = || load("g.rules", rules, &NoFiles, &Setup::default()).game.expect("a game that checks");
    let engines: [Box<dyn Engine>; 2] = [Box::new(Fast::new(game())), Box::new(Walker::new(game()))];
    let careful = Reactions { slips: 0, ..Reactions::default() };
    let mut acts = Vec::new();
    for engine in engines {
        let (start, mut run) = (engine.start(), engine.run());
        assert!(run.load(&start));
        for seed in 0..20 {
            let dice = || Stream::new(seed, "race", 0);
            let first = careful.first(&*engine, &start, &mut dice()).expect("somebody acts or waits");
            assert_eq!(careful.first_in(&*engine, run.as_mut(), &mut dice()).0.as_ref(), Some(&first));
            acts.push(first);
        }
    }
    acts
}

/// What only the passing of time makes legal is done by whoever intends it: after the reaction time, which takes 180 to 660
/// milliseconds, or as soon as it can be.
#[test]
fn seats_wait_for_what_time_makes_legal() {
    let rules = |least: i64, until: &str| {
        format!(
            "game g\nplayers a, b\nvar n: int\naction poke {{ require now >= {least}  win me }}\naction idle {{ n += 1 }}\ncue poke: true\n\
             play {{ race playing play poke | idle {until} else {{ draw }} draw }}\n"
        )
    };
    for (least, until) in [(1, "until now + 5000"), (100, "until 5000"), (180, "until 5000")] {
        for act in first_acts(&rules(least, until)) {
            assert!(matches!(act.time(), Some(180..=660)), "{least} {act:?}");
        }
    }
    for least in [661, 700, 3000, 4950, 4999, 5000] {
        for until in ["until 5000", "until now + 5000"] {
            let acts = first_acts(&rules(least, until));
            assert!(acts.iter().all(|act| act.time() == Some(least)), "{until} {acts:?}");
            // Who waits for the same moment is as likely to be first.
            for seat in [0, 1] {
                let first = acts.iter().filter(|act| act.args.first() == Some(&Value::Atom(seat))).count();
                assert!((8..=32).contains(&first), "{first} of {}", acts.len());
            }
        }
    }
    for act in first_acts(&rules(5001, "until now + 5000")) {
        assert_eq!(act.action, ActionRef::Wait);
    }
    for act in first_acts(&rules(9000, "")) {
        assert_eq!(act.time(), Some(9000), "without a deadline");
    }
}

/// Of what a seat intends it does what it can do first, also where only the other is legal at once.
#[test]
fn what_time_makes_legal_comes_before_what_takes_longer() {
    let rules = |least: i64| {
        format!(
            "game g\nplayers a, b\noption wait = {least} from {{ {least}, 1 }}\naction poke {{ require wait == 0 or now >= wait  win me }}\naction lay {{ draw }}\n\
             cue poke: true\ncue lay after 600: true\nplay {{ race playing play lay | poke  draw }}\n"
        )
    };
    // Laying takes 780 milliseconds at least, and 1260 at most.
    for (least, action) in [(300, "poke"), (700, "poke"), (1300, "lay")] {
        let game = load("g.rules", &rules(least), &NoFiles, &Setup::default()).game.expect("a game that checks");
        for act in first_acts(&rules(least)) {
            let ActionRef::Race(number) = act.action else { panic!("{act:?}") };
            assert_eq!(game.actions.get(number).map(|found| found.name.as_str()), Some(action), "{least}");
        }
    }
}

/// What is legal at the next moment and not at the time at which a seat is ready keeps nobody else from acting, nor the seat itself
/// from what else it intends, or from doing it when it is legal again.
#[test]
fn what_time_forbids_is_left_to_others() {
    let rules = |guard: &str| {
        format!(
            "game g\nplayers a, b\naction poke {{ require {guard}  win me }}\naction lay {{ require me == b  draw }}\ncue poke: true\ncue lay: true\n\
             play {{ race playing play poke | lay until now + 5000 else {{ draw }} draw }}\n"
        )
    };
    let b = Value::Atom(1);
    for act in first_acts(&rules("now < 150")) {
        assert_eq!(act.args.first(), Some(&b), "{act:?}");
        assert!(matches!(act.time(), Some(180..=660)), "{act:?}");
    }
    for act in
        first_acts(&rules("me == a and (now < 150 or now >= 1000 and now <= 1001)").replace("me == b", "now < 20"))
    {
        assert_eq!((act.args.first(), act.time()), (Some(&Value::Atom(0)), Some(1000)));
    }
    for act in first_acts(&rules("now < 150").replace("me == b", "now < 20")) {
        assert_eq!(act.action, ActionRef::Wait);
    }
}

/// However a guard says when an act is legal, and for how short a time, whoever intends it does it at the first such moment once it is
/// ready.
#[test]
fn no_moment_is_missed() {
    // After 661 milliseconds both seats are ready.
    let whens: [(&str, i64); 24] = [
        ("now >= 700 and now < 703", 700),
        ("now == 1234", 1234),
        ("now in 4990..5000", 4990),
        ("now - begun > 2000 and now - begun < 2004", 2001),
        ("3000 - now < 0 and not now > 3001", 3001),
        ("waited == 801", 801),
        ("open(now)", 1500),
        ("open(now + 500)", 1000),
        ("any p in seats: now == 900 + 50 * late(p)", 950),
        ("2 * now >= 1801 and 2 * now <= 1802", 901),
        ("now mod 1000 == 700", 700),
        ("now / 100 == 33", 3300),
        ("(if now > 2500 then now - 2500 else 7) == 6", 2506),
        ("free(now) == {a}", 1700),
        ("not (now < 4000 or now > 4000)", 4000),
        ("not now in 0..1799", 1800),
        ("now - 3000 in 7..9", 3007),
        ("(700 - now) / 100 == -3", 1000),
        ("(2000 - now) / 100 == 0", 1901),
        ("(now - 2000) / 100 == 0", 1901),
        ("(5 * now) / 7 == 1500", 2100),
        ("(2000 - 3 * now) mod 1000 == 1 and now > 661", 1333),
        ("now > 661 and (7 * now) mod 1000 in 3..5", 715),
        ("now * now in 1002000..1003000", 1001),
    ];
    for (when, time) in whens {
        for guard in
            [format!("require {when}"), format!("let is = {when}  require is"), format!("n := 1  ensure {when}")]
        {
            let rules = format!(
                "game g\nplayers a, b\nvar n: int\nvar begun: int\nvar late(p: seat): int = 1\n\
                 define waited = now - begun\ndefine open(t: int) = t >= 1500 and t <= 1502\n\
                 define free(t: int) = {{p in {{a, b}} where p == a and t == 1700}}\n\
                 action poke {{ {guard} }}\naction idle {{ n += 1 }}\ncue poke: true\n\
                 play {{ race playing play poke | idle until now + 5000 else {{ draw }} draw }}\n"
            );
            for act in first_acts(&rules) {
                assert_eq!(act.time(), Some(time), "{guard}");
            }
        }
    }
}

/// A game in which nobody acts goes on for so many questions: 64 for each ply that may be made, and 1024.
#[test]
fn the_questions_of_a_game_are_bounded_by_its_cap() {
    let rules = "game g\nplayers a, b\nvar n: int\naction idle { n += 1 }\ncue idle: false\n\
                 play { repeat 9000 { race playing play idle until now + 10 else { n := 0 } } draw }\n";
    let game = load("g.rules", rules, &NoFiles, &Setup::default()).game.expect("a game that checks");
    let engine = Fast::new(game);
    let careful = Reactions { slips: 0, ..Reactions::default() };
    for cap in [1, 20, 50] {
        let mut run = engine.run();
        assert!(run.load(&engine.start()));
        let dice = &mut Stream::new(1, "game", 0);
        let game = playout(&engine, run.as_mut(), cap, Some(&careful), dice, &mut |_, _| true);
        assert_eq!((game.stop == Stop::Budget, game.questions), (true, u64::from(cap) * 64 + 1024));
    }
}

/// A number that may depend on the time, written at random: as text, and worked out here.
fn number(dice: &mut Stream, depth: usize) -> (String, Box<dyn Fn(i64) -> i64>) {
    let constant = |dice: &mut Stream, most: usize| i64::try_from(dice.below(most)).expect("small");
    match dice.below(if depth == 0 { 3 } else { 10 }) {
        0 | 1 => ("now".to_owned(), Box::new(|now| now)),
        2 => {
            let n = constant(dice, 3000);
            (n.to_string(), Box::new(move |_| n))
        }
        3 | 4 => {
            let ((a, one), (b, other)) = (number(dice, depth - 1), number(dice, depth - 1));
            (format!("({a} + {b})"), Box::new(move |now| one(now) + other(now)))
        }
        5 | 6 => {
            let ((a, one), (b, other)) = (number(dice, depth - 1), number(dice, depth - 1));
            (format!("({a} - {b})"), Box::new(move |now| one(now) - other(now)))
        }
        7 => {
            let ((a, one), n) = (number(dice, depth - 1), constant(dice, 7) - 3);
            (format!("({a} * ({n}))"), Box::new(move |now| one(now) * n))
        }
        8 => {
            let ((a, one), n) = (number(dice, depth - 1), constant(dice, 400) + 1);
            (format!("({a} / {n})"), Box::new(move |now| one(now) / n))
        }
        _ => {
            let ((a, one), n) = (number(dice, depth - 1), constant(dice, 400) + 1);
            (format!("({a} mod {n})"), Box::new(move |now| one(now).rem_euclid(n)))
        }
    }
}

/// A condition on the time, in the same way.
fn condition(dice: &mut Stream, depth: usize) -> (String, Box<dyn Fn(i64) -> bool>) {
    if depth > 0 && dice.below(2) == 0 {
        let ((a, one), (b, other)) = (condition(dice, depth - 1), condition(dice, depth - 1));
        return match dice.below(3) {
            0 => (format!("({a} and {b})"), Box::new(move |now| one(now) && other(now))),
            1 => (format!("({a} or {b})"), Box::new(move |now| one(now) || other(now))),
            _ => (format!("(not {a} and {b})"), Box::new(move |now| !one(now) && other(now))),
        };
    }
    let ((a, one), (b, other)) = (number(dice, 2), number(dice, 2));
    match dice.below(6) {
        0 => (format!("{a} < {b}"), Box::new(move |now| one(now) < other(now))),
        1 => (format!("{a} >= {b}"), Box::new(move |now| one(now) >= other(now))),
        2 => (format!("{a} == {b}"), Box::new(move |now| one(now) == other(now))),
        3 => (format!("{a} != {b}"), Box::new(move |now| one(now) != other(now))),
        _ => {
            let n = i64::try_from(dice.below(60)).expect("small");
            let within = move |now: i64| (other(now)..=other(now) + n).contains(&one(now));
            (format!("{a} in {b}..({b} + {n})"), Box::new(within))
        }
    }
}

/// Whatever a guard works out from the time, whoever waits for it acts at the first moment at which it holds.
#[test]
fn the_first_moment_is_the_first() {
    let (mut dice, mut acted) = (Stream::new(9, "guards", 0), 0);
    let sure = Reactions { least: 200, spread: 0, slips: 0, ..Reactions::default() };
    for _ in 0..1500 {
        let (text, holds) = condition(&mut dice, 2);
        let rules = format!(
            "game g\nplayers a\naction poke {{ require {text}  win me }}\ncue poke: true\nplay {{ race playing play poke until 1500 else {{ draw }} draw }}\n"
        );
        let loaded = load("g.rules", &rules, &NoFiles, &Setup::default());
        let walker = Walker::new(loaded.game.unwrap_or_else(|| panic!("{text}: {:?}", loaded.reports)));
        let act = sure.first(&walker, &walker.start(), &mut Stream::new(1, "race", 0)).expect("an act");
        let first = (200..=1500).find(|now| holds(*now));
        assert_eq!(act.time(), first, "{text}");
        acted += usize::from(first.is_some_and(|first| first > 200));
    }
    assert!(acted > 100, "{acted}");
}

/// What cannot be found out within the steps of a decision stops the game, and nothing else is played instead.
#[test]
fn what_takes_too_long_to_find_out_stops_the_game() {
    let rules = "game g\nplayers a, b\naction never { draw }\naction late { require now * now == 24010000 and (sum x for x in 1..1000) > 0  win me }\n\
                 action heavy { require (sum x for x in 1..1000) > 0 and now * now == 24010000  win me }\ncue late: true\ncue heavy: HEAVY\n\
                 play { race playing play never | late | heavy until 6000 else { draw } draw }\n";
    for (heavy, spent) in [("false", false), ("true", true)] {
        let text = rules.replace("HEAVY", heavy);
        let game = || load("g.rules", &text, &NoFiles, &Setup::default()).game.expect("a game that checks");
        let engines: [Box<dyn Engine>; 2] = [Box::new(Fast::new(game())), Box::new(Walker::new(game()))];
        let careful = Reactions { slips: 0, ..Reactions::default() };
        for engine in engines {
            let mut run = engine.run();
            assert!(run.load(&engine.start()));
            let game =
                playout(&*engine, run.as_mut(), 100, Some(&careful), &mut Stream::new(1, "game", 0), &mut |_, _| true);
            assert_eq!((game.stop == Stop::Budget, game.outcome.is_none()), (spent, spent), "{game:?}");
            assert_eq!(run.now(), if spent { 0 } else { 4900 });
        }
    }
}

/// In a position by hand what is past in every game may lie ahead.
#[test]
fn what_is_past_may_lie_ahead_by_hand() {
    let rules = "game g\nplayers a, b\nvar laid: int\nvar n: int\naction lay { n += 1  laid := now }\n\
                 action snap { require now > laid  win me }\ncue snap: true\nplay { repeat 3 { race playing play lay | snap until 9000 } draw }\n";
    let game = || load("g.rules", rules, &NoFiles, &Setup::default()).game.expect("a game that checks");
    let laid = game().vars.iter().position(|var| var.name == "laid").expect("declared");
    let engines: [Box<dyn Engine>; 2] = [Box::new(Fast::new(game())), Box::new(Walker::new(game()))];
    let careful = Reactions { slips: 0, ..Reactions::default() };
    for engine in engines {
        for (at, times) in [(0, 180..=660), (3000, 3001..=3001), (9000, 9000..=9000)] {
            let mut position = engine.start();
            position.vars[laid] = vec![Value::Int(at)];
            let mut run = engine.run();
            assert!(run.load(&position));
            let act = careful.first_in(&*engine, run.as_mut(), &mut Stream::new(1, "race", 0)).0.expect("an act");
            assert_eq!(act.action == ActionRef::Wait, at == 9000, "{act:?}");
            assert!(act.time().is_none_or(|time| times.contains(&time)), "{act:?}");
        }
    }
}

/// What a seat intends and cannot do keeps it from nothing that it can.
#[test]
fn what_comes_too_late_hides_nothing() {
    for guard in ["require now >= 3000", "require now >= 300  require me == b", "require now < 100"] {
        let rules = format!(
            "game g\nplayers a, b\nvar n: int\naction early {{ require now >= 100  win me }}\naction late {{ {guard}  n += 1 }}\n\
             cue late: me == a\ncue early after 50: me == a\nplay {{ race playing play early | late until 2000 else {{ draw }} draw }}\n"
        );
        let game = load("g.rules", &rules, &NoFiles, &Setup::default()).game.expect("a game that checks");
        for act in first_acts(&rules) {
            let ActionRef::Race(number) = act.action else { panic!("{guard}: {act:?}") };
            assert_eq!(game.actions.get(number).map(|found| found.name.as_str()), Some("early"), "{guard}");
            assert!(matches!(act.time(), Some(230..=710)), "{act:?}");
        }
    }
}
