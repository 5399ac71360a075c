//! What a tenth attack found, from the promises alone, and what earlier ones had left: each test is a find.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use regelwerk::engine::Fast;
use regelwerk::ir::{ActionRef, Move, SeatId, Value};
use regelwerk::load::{NoFiles, Setup, check_all, load};
use regelwerk::model::{Engine, Meter, Viewer};
use regelwerk::play::{InformationSet, Match, Step, Stream, Who, perft};
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server};
use serde_json::{Value as Json, json};

use crate::limits::Bundled;
use crate::support::{self, reports};

fn engine(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

/// A game in which chance decides by a seed, and the seats do what is typed.
fn played<'a>(engine: &'a Fast, seed: u64, steps: &[&str]) -> Match<'a> {
    support::played(engine, Stream::new(seed, "tenth", 0), steps)
}

/// Which of its own pieces another seat has lost is not known by which are left.
#[test]
fn a_piece_that_left_unseen_may_still_be_there() {
    let rules = |deed: &str| {
        format!(
            "game g\nplayers a, b\nboard square 4 x 2\npiece man owned {{ rank: int }} seen by it.owner\npiece rock\n\
             setup {{ put man of b with rank = 1 on a2  put man of b with rank = 2 on b2  put man of b with rank = 3 on c2 }}\n\
             action lose {{ choose f in own man  {deed} }}\naction wait {{ choose n in 1..2 }}\n\
             play {{ b plays lose  turns {{ a plays wait }} }}\n"
        )
    };
    for deed in ["remove f", "move f to d1  put rock on d1", "change f: rank = 7  remove f"] {
        let engine = engine(&rules(deed));
        let sampled = |taken: &str| {
            let game = played(&engine, 1, &[taken]);
            let known = InformationSet::remembering(&game, SeatId::new(0));
            let mut dice = Stream::new(1, "samples", 0);
            let drawn = |_| {
                let position = known.determinize(&mut dice);
                position.sites.iter().flatten().flat_map(|piece| piece.fields.to_vec()).collect::<Vec<i32>>()
            };
            (0..200).flat_map(drawn).collect::<BTreeSet<i32>>()
        };
        // What was written on it just before it left counts as well: a piece that came and went is one that nobody saw.
        let of_three = if deed.contains('7') { BTreeSet::from([1, 2, 3, 7]) } else { BTreeSet::from([1, 2, 3]) };
        for taken in ["a2", "b2", "c2"] {
            assert_eq!(sampled(taken), of_three, "{deed}: {taken}");
        }
    }
}

/// A single owner is needed where a piece is put, and one seat is named.
#[test]
fn pieces_are_put_for_one_seat() {
    let rules = |owner: &str| {
        format!(
            "game g\nplayers a, b, c\nboard square 2 x 1\npiece man owned\ntokens coin owned\n\
             setup {{ put man of {owner} on a1  put 1 coin of {owner} on b1 }}\naction go {{ remove a1 }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when ply > 0 {{ draw }}\n"
        )
    };
    for owner in ["seats", "opponents(a)", "{a, b}", "({} & seats)"] {
        let loaded = check_all("g.rules", &rules(owner), &NoFiles);
        assert_eq!(reports(&loaded).matches("this is a set of seats, and one owner is needed").count(), 2, "{owner}");
    }
    for owner in ["a", "following(a)", "{b}"] {
        let loaded = check_all("g.rules", &rules(owner), &NoFiles);
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    }
}

/// Pieces of several seats are named by a list.
#[test]
fn pieces_of_a_list_of_seats() {
    let engine = engine(
        "game g\nplayers a, b, c\nboard square 3 x 1\npiece man owned\n\
         setup { put man of a on a1  put man of b on b1  put man of c on c1 }\n\
         action take { choose f in man of {a, c}  remove f }\nplay { turns { mover plays take else { draw } } }\n",
    );
    let game = played(&engine, 1, &[]);
    let door = game.door(Who::Referee);
    let legal = door.legal().open().into_iter().map(|mv| door.written(&Step::Move(mv)).open());
    assert_eq!(legal.collect::<Vec<_>>(), ["a1", "c1"]);
}

/// Scores at the end tell games apart as much as moves do.
#[test]
fn readings_that_change_only_scores_come_up() {
    let rules = "game g\nplayers a, b\nboard square 2 x 2\npiece man owned\nvar goods(p: seat): int\n\
        reading worth = one | five \"what a man is worth\"\naction go { choose f in empty  put own man on f }\n\
        play { turns { mover plays go } }\n\
        end full after move when no empty { rank p in seats by (if worth == one then 1 else 5) + (if p == a then 9 else 0) }\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("g.rules"), rules).expect("written");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"))
        .args(["--format", "json", "readings", "g.rules", "--pairs", "20"])
        .current_dir(folder.path())
        .output()
        .expect("the program");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\"matters\""), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// What a flag of `merge` asks for is done, or refused.
#[test]
fn a_flag_that_would_be_ignored_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |line: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        command.args(line.split(' ')).current_dir(folder.path()).output().expect("the program")
    };
    for part in ["1/2", "2/2"] {
        let out = part.replace('/', "of");
        let made = run(&format!(
            "compare halma --reading mixture=allowed --games 4 --cap 20 --seed 1 --shard {part} --out {out}.shard"
        ));
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    for flag in ["--out x.shard", "--report x.svg"] {
        let refused = run(&format!("merge 1of2.shard 2of2.shard {flag}"));
        assert_eq!(refused.status.code(), Some(2), "{flag}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("leave it out"), "{flag}");
    }
    assert!(run("merge 1of2.shard 2of2.shard").status.success());
}

/// A record of what a seat was told is refused with the reason, whichever way it is given.
#[test]
fn a_record_of_a_seat_is_refused_with_its_reason() {
    let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
    let mut ask = |method: &str, params: &Json| -> Json {
        let line = json!({"id": 1, "method": method, "params": params}).to_string();
        serde_json::from_str(&server.answer(&line).text).expect("JSON")
    };
    let begun = ask("new", &json!({"rules": "kuhn-poker"}));
    let told = ask("record", &json!({"game": begun["result"]["game"], "who": "first_player"}));
    for record in [&told["result"]["record"], &told["result"]["text"]] {
        let refused = ask("load", &json!({"record": record}));
        let message = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("was told"), "{refused} {told}");
    }
}

/// What the program prints about a file `g.rules`, and its exit code.
fn said(rules: &str, line: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("g.rules"), rules).expect("written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    let output = command.args(["--lang", "en"]).args(line).current_dir(folder.path()).output().expect("the program");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("text"))
}

fn json_of(rules: &str, line: &[&str]) -> Json {
    let (exit, text) = said(rules, &[&["--format", "json"], line].concat());
    assert_eq!(exit, Some(0), "{line:?}: {text}");
    serde_json::from_str(text.lines().next().unwrap_or_default()).expect("JSON")
}

/// How many places of some rules tell what is hidden.
fn tells(text: &str) -> usize {
    let loaded = check_all("g.rules", text, &NoFiles);
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    loaded.reports.sorted().iter().filter(|report| report.code.text() == "check/tells").count()
}

/// Games that are over after a number of plies are as many whatever the depth: what follows the last ply without another
/// counts. Worked out by hand: after each of three plies a die ends half of the games, and the last always ends.
#[test]
fn games_that_end_are_counted_alike_at_any_depth() {
    let rolled = "game g\nplayers a, b\nvar n: int\naction go { n += 1 }\n\
        play { repeat 3 { a plays go  roll x in 1..2  if x == 1 { win a } }  win b }\n";
    let declined =
        "game g\nplayers a, b\nvar n: int\naction go { n += 1 }\nplay { repeat 3 { a may play go }  win a }\n";
    // Three courses have one ply, at any of the three questions, and three have two.
    for (rules, over) in [(rolled, vec![(1, 0), (1, 0), (1, 1)]), (declined, vec![(3, 0), (3, 0), (1, 0)])] {
        for depth in 1..=3 {
            let found = json_of(rules, &["perft", "g.rules", "--ends", "--depth", &depth.to_string()]);
            for (ply, (a, b)) in over.iter().take(depth).enumerate() {
                let ends = &found["ends"][ply];
                assert_eq!((&ends["won"]["a"], &ends["won"]["b"]), (&json!(a), &json!(b)), "{depth}: {found}");
            }
        }
    }
}

/// A setting that surely misses the target does not count as one that may meet it.
#[test]
fn a_setting_that_misses_is_said_to_miss() {
    let rules = "game g\nplayers a, b\noption goal = 3 from 2..6\nvar n: int\naction go { n += 1 }\n\
        play { turns { mover plays go } }\nend e after move when n >= goal { draw }\n";
    let line = ["tune", "g.rules", "--vary", "goal=3..4", "--target", "plies = 6 within 1%", "--games", "128"];
    let (_, text) = said(rules, &line);
    assert!(text.contains("miss it") && !text.contains("may meet it"), "{text}");
    assert!(text.contains("plies 4.00"), "{text}");
    let (exit, twice) = said(rules, &[&line[..], &["--vary", "goal=5|6"]].concat());
    assert_eq!(exit, Some(2));
    assert!(twice.contains("`goal` is varied twice"), "{twice}");
    let (exit, few) = said(rules, &[&line[..], &["--vary", "players=2|3"]].concat());
    assert_eq!(exit, Some(2));
    assert!(few.contains("with goal=3 players=3: "), "{few}");
}

/// A figure is called by what it measures, not by its beginning.
#[test]
fn a_target_that_compares_is_called_in_full() {
    let rules = "game g\nplayers a, b\nvar n: int\naction go { choose x in 1..2  n += x }\noption goal = 3 from 2..6\n\
        play { turns { mover plays go } }\nend e after move when n >= goal { draw }\n";
    let (_, text) =
        said(rules, &["tune", "g.rules", "--vary", "goal=3..4", "--target", "n mod 2 == 0 >= 36%", "--games", "64"]);
    assert!(text.contains("n mod 2 == 0 ") && !text.contains("(base: n mod 2 5"), "{text}");
}

/// What is asked outside of `turns` is no turn, and whoever is asked there does not have the first; where there are no turns,
/// nobody has.
#[test]
fn only_turns_count_as_turns() {
    let rules = "game g\nplayers a, b, c\naction bid { choose x in 1..2 }\n\
        play { b plays bid  turns from c { mover plays bid  if turn == 1 { stop } }  a plays bid  win a }\n";
    let found = json_of(rules, &["simulate", "g.rules", "--games", "10"]);
    assert_eq!(found["turns"]["mean"]["value"], json!(2.0), "{found}");
    let games = |seat: usize| found["first_turns"][seat]["games"].as_u64();
    assert_eq!([games(0), games(1), games(2)], [Some(0), Some(0), Some(10)], "{found}");
    let rules = "game g\nplayers a, b\naction bid { choose x in 1..2 }\nplay { together seats play bid  win a }\n";
    let found = json_of(rules, &["simulate", "g.rules", "--games", "10"]);
    assert_eq!((&found["turns"], &found["first_turn_advantage"]), (&Json::Null, &Json::Null), "{found}");
}

/// The spread of great numbers is that of small ones, and numbers that are too great for exact sums are not read.
#[test]
fn great_measures_have_their_spread() {
    let rules =
        "game g\nplayers a, b\nvar n: int\naction go { choose x in 1..2  n := x }\nplay { a plays go  win a }\n";
    let spread = |measure: &str| {
        let (exit, text) =
            said(rules, &["--format", "json", "simulate", "g.rules", "--games", "50", "--measure", measure]);
        let found: Json = serde_json::from_str(text.lines().next().unwrap_or_default()).expect("JSON");
        (exit, found["measures"][0]["sd"].as_f64())
    };
    let (_, small) = spread("m=n");
    assert!(small.is_some_and(|sd| (sd - 0.5).abs() < 0.05), "{small:?}");
    assert_eq!(spread("m=n + 90 * 1000000000000"), (Some(0), small));
    assert_eq!(spread("m=n + 1000 * 1000000000000").0, Some(4));
}

/// Once nobody else can choose, what was chosen in secret is told, though others had still to be asked.
#[test]
fn the_last_who_can_choose_makes_choices_known() {
    let rules = |who: &str| {
        format!(
            "game g\nplayers a, b, c\nenum sign = rock, paper, sciss\nvar pub: int \"pub\"\n\
             action show {{ choose s in sign  require me != {who} }}\naction nop {{ pub += 0 }}\n\
             play {{ together seats play show  a plays nop }}\n"
        )
    };
    for (who, moves) in [("c", ["paper", "sciss"]), ("a", ["paper", "sciss"]), ("b", ["rock", "rock"])] {
        let engine = engine(&rules(who));
        let game = played(&engine, 1, &moves);
        for viewer in [Who::seat(SeatId::new(0)), Who::seat(SeatId::new(2)), Who::Viewer(Viewer::Spectator)] {
            let told: Vec<String> =
                game.door(viewer).events(0, 2).open().into_iter().map(|event| event.deed.to_string()).collect();
            assert!(moves.iter().all(|sign| told.iter().any(|deed| deed == sign)), "{who}: {told:?}");
        }
        let before = played(&engine, 1, &moves[..1]);
        let told = before.door(Who::Viewer(Viewer::Spectator)).events(0, 1).open();
        assert!(told.iter().all(|event| !event.deed.to_string().contains(moves[0])), "{who}");
    }
}

/// `check` looks at each value of an option, and at two choices together, for what they tell.
#[test]
fn what_settings_tell_together_is_reported() {
    let rules = |boss: &str| {
        format!(
            "game g\nplayers a, b, c\noption boss: seat = {boss}\nvar code: int seen by {{a, c}}\nvar x: int \"x\" seen by boss\n\
             action hide {{ choose n in 1..2 seen by {{a, c}}  code := n  x := n }}\naction nop {{ x += 0 }}\n\
             play {{ a plays hide  b plays nop  c plays nop }}\n"
        )
    };
    assert_eq!((tells(&rules("a")), tells(&rules("c"))), (1, 1), "with `b`, x is told");
    let head = "game g\nplayers a, b\nkinds card\n  | kind | rank |\n  | low  | 1 |\n  | high | 2 |\n\
        zone deck: pile of card, seen by no\nzone open: row of card, seen by all\nzone bag: set of card, seen by no\nvar pub: int \"pub\"\n\
        setup { put low on deck  put high on deck  shuffle deck }\naction nop { pub += 0 }\n\
        action turn_up { move top of deck to open  tally()  sweep() }\nprocedure tally() { pub += 0 }\nprocedure sweep() { pub += 0 }\n\
        play { a plays turn_up  b plays nop }\nreading count_ = no_count | yes_count \"whether low cards count\"\n\
        with count_ == yes_count { replace procedure tally() { if any c in open: c.kind == low { pub += 1 } } }\n";
    let sweep = "replace procedure sweep() { move all of open to bag }";
    let variant = format!("{head}variant tidy \"tidy\" {{ {sweep} }}\n");
    let reading = format!("{head}reading tidy = no_tidy | yes_tidy \"whether\"\nwith tidy == yes_tidy {{ {sweep} }}\n");
    for rules in [variant, reading] {
        assert!(tells(&rules) > 0, "{rules}");
    }
    assert_eq!(tells(head), 0);
    // The one reading hides, the other tells: the rules by themselves do neither.
    let two = "game g\nplayers a, b\nreading hide = no_hide | yes_hide \"h\"\nreading say = no_say | yes_say \"s\"\nvar code: int seen by all\n\
               var pub: int \"pub\"\ndefine told_ = 0\nsetup { roll n in 1..2 code := n }\naction go { choose x in 1..3  pub := told_ }\n\
               play { turns { mover plays go } }\nend long after move when ply == 4 { draw }\n\
               with hide == yes_hide { replace var code: int seen by no replace setup { roll n in 1..2 seen by no code := n } }\n";
    assert_eq!(tells(two), 0);
    assert!(tells(&format!("{two}with say == yes_say {{ replace define told_ = code }}\n")) > 0);
}

/// Whose a piece is that shows all but that may be found among those of which nothing is seen; and what is not said by the
/// rules is not stated.
#[test]
fn what_only_some_know_is_not_stated() {
    let owners = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\npiece veil owned owner seen by no\n\
        zone dk: set of veil, seen by no\nsetup { for p in seats { put veil of p on dk } }\n\
        action show { roll x in dk seen by no  move x from dk to b1 }\naction place { choose f in empty  put own stone on f }\n\
        play { a plays show  turns from b { mover plays place  if turn == 8 { stop } } }\n";
    let engine = engine(owners);
    let why = |seed: u64| {
        let game = played(&engine, seed, &["show"]);
        let door = game.door(Who::seat(SeatId::new(1)));
        let step = door.read("place b1").expect("a move");
        let grounds = door.grounds(&step).open();
        let whose = game.position().sites.iter().flatten().next().and_then(|piece| piece.owner);
        (format!("{:?}", grounds.verdict), whose)
    };
    let all: Vec<_> = (0..8).map(why).collect();
    assert!(all.iter().any(|(_, whose)| *whose != all[0].1), "both owners come up");
    assert!(all.iter().all(|(said, _)| *said == all[0].0), "{all:?}");

    let unlisted = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\nvar code: int seen by a\n\
        action hide { choose n in 1..4 seen by me  code := n * 7 + 2 }\n\
        action r { choose f in sites  require told(code > 100)  put own stone on f }\nplay { a plays hide  b plays r else { draw } }\n";
    let engine = self::engine(unlisted);
    let game = played(&engine, 1, &["2"]);
    let door = game.door(Who::seat(SeatId::new(1)));
    let named = engine.game().actions.numbered().find(|(_, action)| action.name == "r");
    let (action, _) = named.expect("the action");
    let step = Step::Move(Move { action: ActionRef::Action(action), args: [Value::Atom(0)].into_iter().collect() });
    let grounds = door.grounds(&step).open();
    assert!(!format!("{:?}", grounds.verdict).contains("Int(0)"), "{grounds:?}");
}

/// Numbers of tokens are values that each position holds.
#[test]
fn tokens_count_as_values() {
    let rules = |kinds: usize| {
        let seats: Vec<String> = (0..64).map(|seat| format!("p{seat}")).collect();
        let tokens = (0..kinds).map(|kind| format!("tokens t{kind} owned\n")).collect::<Vec<_>>().concat();
        format!(
            "game g\nplayers {}\nboard square 64 x 64\n{tokens}action go {{ choose n in 1..2 }}\nplay {{ turns {{ p0 plays go }} }}\n",
            seats.join(", ")
        )
    };
    assert!(!check_all("g.rules", &rules(1), &NoFiles).reports.has_errors());
    let loaded = check_all("g.rules", &rules(2), &NoFiles);
    assert!(reports(&loaded).contains("the tokens have more than 300000 numbers together"), "{}", reports(&loaded));
}

/// How often a part has occurred is found without looking whether the next seat can move, where that makes no difference.
#[test]
fn occurrences_of_a_part_are_found_at_once() {
    let rules = "game g\nplayers a, b\nboard square 16 x 16\npiece m owned\n\
        action go { choose f in empty  put own m on f  ensure occurrences of board == 1 }\n\
        play { turns { mover plays go else { draw } } }\n";
    let engine = engine(rules);
    let meter = Meter::new(2_000_000);
    let metered = engine.within(&meter);
    let position = metered.play_unchecked(&engine.start(), &engine.legal(&engine.start())[0]);
    assert_eq!(metered.legal(&position).len(), 255);
    assert!(!meter.is_spent());
}

/// A name is changed in all files that a client has written.
#[test]
fn files_that_extend_another_are_renamed_with_it() {
    let mut server = Server::new(&Bundled, Selection::default(), Limits::default());
    let mut ask = |method: &str, params: &Json| -> Json {
        let line = json!({"id": 1, "method": method, "params": params}).to_string();
        serde_json::from_str(&server.answer(&line).text).expect("JSON")
    };
    let base = "game base\nplayers a, b\ndefine lim = 5\nvar n: int\naction go { n += 1 }\n\
        play { turns { mover plays go } }\nend e after move when n >= lim { draw }\n";
    ask("write", &json!({"file": "base.rules", "text": base}));
    ask("write", &json!({"file": "ext.rules", "text": "game ext\nextends \"base.rules\"\nreplace define lim = 7\n"}));
    let at = base.find("lim").expect("the name");
    let found = ask("rename", &json!({"file": "base.rules", "at": at, "name": "most"}));
    let files: Vec<&Json> =
        found["result"]["places"].as_array().into_iter().flatten().map(|place| &place["file"]).collect();
    assert_eq!(files.len(), 3, "{found}");
    assert!(files.contains(&&json!("ext.rules")), "{found}");
}

/// What loops that go on and local names hold at a question is limited, and so is what is kept of it.
#[test]
fn what_a_position_holds_is_limited() {
    let rules = |body: &str| {
        format!(
            "game g\nplayers a, b\nboard square 2 x 1\npiece m owned\naction go {{ put own m on a1  {body} }}\n\
             play {{ turns {{ mover plays go }} }}\n"
        )
    };
    let nested = |times: usize| {
        let open = (0..times).map(|at| format!("for x{at} in 0..99999 {{ ")).collect::<Vec<_>>().concat();
        format!("{open}choose d in 1..2 {}", "}".repeat(times))
    };
    let names = (0..5).map(|at| format!("let s{at} = {{n in 0..99999 where n >= {at}}} ")).collect::<Vec<_>>().concat();
    let read = (0..5).map(|at| format!("if 3 in s{at} {{ remove a1 }} ")).collect::<Vec<_>>().concat();
    for (body, over) in [(nested(2), false), (nested(4), true), (format!("{names} choose d in 1..2 {read}"), true)] {
        let loaded = load("g.rules", &rules(&body), &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        let walker = Walker::new(loaded.game.expect("a game"));
        let reference = walker.play_unchecked(&walker.start(), &walker.legal(&walker.start())[0]);
        assert_eq!(reference.outcome.is_some(), over, "{body}");
        let fast = Fast::new(walker.into_game());
        let position = fast.play_unchecked(&fast.start(), &fast.legal(&fast.start())[0]);
        assert_eq!(position.outcome.is_some(), over, "{body}");
    }
    let (exit, text) = said(&rules(&nested(1)), &["--limit-memory", "400", "perft", "g.rules", "--depth", "1"]);
    assert_eq!(exit, Some(4));
    assert!(text.contains("the count is incomplete"), "{text}");
    let (exit, text) =
        said(&rules(&nested(2)), &["--limit-memory", "400", "match", "g.rules", "--games", "2", "--cap", "3"]);
    assert!(exit == Some(4) && text.contains("step budget"), "{text}");
}

/// A definition may look at a path that looks at another definition, in whichever order they are come upon.
#[test]
fn paths_and_definitions_look_at_each_other() {
    let rules = "game g\nplayers a, b\nboard square 3 x 3\npiece man owned\ndefine fwd: a = n, b = s\n\
        path hops = hop fwd(me) over man to empty then hop directions over sites taking to sites\n\
        define jumped(f: site) = count((union w.taken for w in hops(f)))\n\
        action go { choose f in {x in (union w.to for w in hops(a1)) where jumped(x) >= 0}  put own man on f }\n\
        setup { put man of a on a2 }\nplay { turns { mover plays go else { draw } } }\n";
    assert_eq!(tells(rules), 0);
}

/// That moves do not tell what is hidden is tried out in time, however many there are.
#[test]
fn many_moves_are_compared_in_time() {
    let rules = "game g\nplayers a, b\nvar h(p: seat): int seen by p\naction go { choose n in 1..64000  h(me) := n }\n\
        play { turns { mover plays go } }\nend e after move when ply == 2 { draw }\n";
    let (exit, text) = said(rules, &["--limit-time", "60", "check", "g.rules", "--play", "1", "--cap", "1"]);
    assert_eq!(exit, Some(0), "{text}");
}

/// Sets lie in an order of their own, owners are seen on backs, and what is named to nobody is known to nobody: `check` says where
/// that tells something.
#[test]
fn what_is_told_by_orders_owners_and_places_is_reported() {
    let cards = |deed: &str| {
        format!(
            "game g\nplayers a, b\npiece card {{ rank: int }}\nboard track 2\nzone deck: pile of card, seen by no\nzone oset: set of card, seen by all\n\
             zone hand(p: seat): set of card, seen by p\nzone disc: pile of card, seen by all\nzone trash: pile of card, seen by no\n\
             zone blind: set of card, seen by no\nvar pub: int \"pub\"\n\
             setup {{ for n in 1..6 {{ put card with rank = n on deck }}  shuffle deck  for p in seats {{ move top 2 of deck to hand(p) }} }}\n\
             action act {{ choose n in 1..2  {deed} }}\nplay {{ turns {{ if turn >= 2 {{ draw }}  mover plays act else {{ draw }} }} }}\n"
        )
    };
    for deed in [
        "move all of hand(me) to s1",
        "move all of hand(me) to disc",
        "for c in hand(me) { move c from hand(me) to disc }",
        "move top of hand(me) to disc",
        "for c in deck { move c from deck to oset  pub := c.rank }",
        "for c in top of deck { move c from deck to oset  pub := c.rank }  move top of deck to oset",
        "choose c in hand(me) seen by me  move c from hand(me) to disc  move c from disc to trash  pub := c.rank",
        "pub := n  choose c in hand(b) by b  move c from hand(b) to disc  move c from disc to trash  pub := c.rank",
        "roll c in hand(me)  move c from hand(me) to disc  move c from disc to trash  pub := c.rank",
    ] {
        assert!(tells(&cards(deed)) > 0, "{deed}");
    }
    for deed in [
        "move all of hand(me) to blind",
        "move all of hand(me) to oset",
        "move all of hand(me) to deck  shuffle deck",
        "for p in seats { move all of hand(p) to deck }  shuffle deck",
        "move all of hand(me) to trash",
        "roll c in hand(me) seen by no  move c from hand(me) to disc",
        "choose c in hand(me)  move c from hand(me) to disc  pub := c.rank",
        "for c in hand(me) { move told(c) from hand(me) to disc }",
    ] {
        assert_eq!(tells(&cards(deed)), 0, "{deed}");
    }
    let owned = |deed: &str| {
        format!(
            "game g\nplayers a, b\npiece x owned\npiece y owned\nzone st: set of x | y, seen by no\nzone out: row of x | y, seen by no\n\
             zone hand: set of x | y, seen by a\nvar lasts: seat = a \"last\"\nvar hits(p: seat): int \"hits\"\n\
             setup {{ for p in seats {{ put x of p on hand  put y of p on hand }}  roll k in hand seen by no  move k from hand to st\n\
             roll l in hand seen by no  move l from hand to st }}\n\
             action act {{ choose n in 1..2  {deed} }}\nplay {{ turns {{ if turn >= 2 {{ draw }}  mover plays act else {{ draw }} }} }}\n"
        )
    };
    for deed in [
        "move all of st to out",
        "move top of st to out",
        "for c in st { for p in c.owner { lasts := p } }",
        "choose c in hand seen by a  for p in c.owner { lasts := p }",
        "roll c in hand seen by no  for p in c.owner { lasts := p }",
    ] {
        assert!(tells(&owned(deed)) > 0, "{deed}");
    }
}

/// A secret choice of a claim makes a game one with secrets, as one of an action does.
#[test]
fn secret_choices_of_claims_are_secrets() {
    let engine = engine(
        "game g\nplayers a, b\nvar x: int \"x\"\nclaim cl by any seat { choose k in 1..3 seen by me  x += 1 }\naction act { choose f in 1..2 }\n\
         play { turns { if turn >= 4 { draw }  mover plays act } }\n",
    );
    assert!(engine.game().has_secrets() && !engine.game().has_perfect_information());
}

/// What bots play for is looked for within a budget, however often definitions and procedures use each other.
#[test]
fn bots_look_for_goals_within_a_budget() {
    let doubled: String = (1..40).fold("define d0 = c < 0\n".to_owned(), |mut text, at| {
        let _ = writeln!(text, "define d{at} = d{} or c < 0 and d{}", at - 1, at - 1);
        text
    });
    let called: String = (1..13).fold("procedure p0() { c += 0 }\n".to_owned(), |mut text, at| {
        let _ = writeln!(text, "procedure p{at}() {{ if c < 0 {{ {} }} }}", format!("p{}() ", at - 1).repeat(8));
        text
    });
    for (definitions, deed, end) in [(&doubled, "c += 1", "c < -5 and d39"), (&called, "c += 1  p12()", "c < -5")] {
        let rules = format!(
            "game g\nplayers a, b\nvar c: int\n{definitions}action go {{ choose n in 1..2  {deed} }}\n\
             play {{ turns {{ mover plays go }} }}\nend w after move when {end} {{ win me }}\nend l after move when ply == 6 {{ draw }}\n"
        );
        let line =
            ["--limit-memory", "1000", "--limit-time", "100", "match", "g.rules", "--seat", "1=mcts:1", "--games", "1"];
        let (exit, text) = said(&rules, &line);
        assert_eq!(exit, Some(0), "{text}");
    }
}

/// Very many errors on one line are reported in time.
#[test]
fn many_errors_on_a_line_are_reported_in_time() {
    let rules = format!(
        "game g\nplayers a, b\naction go {{ choose n in 1..2 }}\nplay {{ turns {{ mover plays go }} }}\nkinds k\n{}\n",
        "|".repeat(9000)
    );
    let (exit, text) = said(&rules, &["--limit-time", "100", "--format", "json", "check", "g.rules"]);
    assert_eq!(exit, Some(1), "{}", &text[..text.len().min(300)]);
}

/// The acts of a race that are the last ply are counted without being played.
#[test]
fn acts_of_a_race_are_counted_without_being_played() {
    let rules = "game g\nplayers a, b\nboard square 10 x 10\npiece m owned\naction hit { choose f in empty  put own m on f }\n\
        play { turns { race playing play hit until now + 1000 else { draw } } }\n";
    let engine = engine(rules);
    let meter = Meter::new(1_000_000);
    let found = perft(&*engine.within(&meter), &engine.start(), 1, &|_| {});
    assert!(found.nodes() >= 200 && !meter.is_spent(), "{}", found.nodes());
}

/// Whether a pile is shuffled after a set is laid on it is looked for in each block once, however often procedures call each
/// other.
#[test]
fn what_is_shuffled_later_is_found_in_time() {
    let called: String = (1..14).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "procedure p{at}() {{ {} }}", format!("p{}() ", at - 1).repeat(8));
        text
    });
    let rules = |end: &str| {
        format!(
            "game g\nplayers a, b\npiece card {{ rank: int }}\nzone deck: pile of card, seen by no\nzone hand(p: seat): set of card, seen by p\n\
             zone disc: pile of card, seen by all\nsetup {{ for n in 1..6 {{ put card with rank = n on deck }}  shuffle deck }}\n\
             procedure p0() {{ move all of hand(a) to deck }}\n{called}action deal {{ choose n in 1..2  move top of deck to disc }}\n\
             action act {{ choose n in 1..2  if n > 2 {{ p13() }}  {end} }}\nplay {{ turns {{ if turn >= 2 {{ draw }}  mover plays act | deal }} }}\n"
        )
    };
    assert_eq!(tells(&rules("shuffle deck")), 0);
    assert!(tells(&rules("")) > 0);
}
