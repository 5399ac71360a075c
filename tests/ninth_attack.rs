//! What a ninth attack found, from the promises alone: each test is a find.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, check_all, load};
use regelwerk::model::{Engine, Observation, Viewer};
use regelwerk::notation::print_position;
use regelwerk::play::{InformationSet, Match, Reactions, Stop, Stream, Who, determinize, playout};
use regelwerk::reference::Walker;

use regelwerk::serve::{Limits, Selection, Server};
use serde_json::{Value as Json, json};

use crate::limits::Bundled;
use crate::support::{self, reports};

/// How many places of some rules tell what is hidden.
fn tells(text: &str) -> usize {
    let loaded = check_all("g.rules", text, &NoFiles);
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    loaded.reports.sorted().iter().filter(|report| report.code.text() == "check/tells").count()
}

fn walker(text: &str) -> Walker {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    Walker::new(loaded.game.expect("a game"))
}

fn engine(text: &str) -> Fast {
    Fast::new(walker(text).into_game())
}

fn seat(number: usize) -> Who {
    Who::seat(SeatId::new(number))
}

/// A game in which chance decides by a seed, and the seats do what is typed.
fn played<'a>(engine: &'a Fast, seed: u64, steps: &[&str]) -> Match<'a> {
    support::played(engine, Stream::new(seed, "ninth", 0), steps)
}

/// What lies beneath others on an open pile is seen by nobody, so it is not told when it is put there.
#[test]
fn a_card_under_a_pile_is_not_announced() {
    let rules = |body: &str| {
        format!(
            "game g\nplayers a, b\npiece card {{ rank: int }}\nzone deck: pile of card, seen by no\n\
             zone hand(p: seat): set of card, seen by p\nzone heap: pile of card, seen by all\nvar pub: int \"pub\"\n\
             setup {{ for n in 1..8 {{ put card with rank = n on deck }}  shuffle deck\n\
             for p in seats {{ move top 3 of deck to hand(p) }}  move top of deck to heap }}\n\
             action tuck {{ choose c in hand(me)  move c from hand(me) under heap  {body} }}\n\
             play {{ turns {{ mover plays tuck else {{ draw }} }} }}\n"
        )
    };
    let engine = engine(&rules(""));
    let mut game = played(&engine, 1, &[]);
    let first = game.door(seat(0)).legal().open().swap_remove(0);
    game.play_unchecked(first);
    let last = game.steps().len() - 1;
    let told =
        |who: Who| game.door(who).events(last, last + 1).iter().map(|event| event.deed.to_string()).collect::<String>();
    assert!(told(seat(0)).contains("rank="), "{}", told(seat(0)));
    for other in [seat(1), Who::Viewer(Viewer::Spectator)] {
        assert!(!told(other).contains("rank="), "{}", told(other));
    }
    assert_eq!(tells(&rules("")), 0);
    assert!(tells(&rules("pub := c.rank")) > 0);
}

/// A move stays if by it anybody may find something out: by whether the next seat can play, by who sees a place, by what the
/// others chose in secret.
#[test]
fn nothing_is_guessed_by_taking_back() {
    let code = "game g\nplayers a, b\nvar code(p: seat): int seen by p\nvar asked(p: seat): int \"asked\"\nvar pub: int \"pub\"\n\
        setup { roll x in 1..1000 seen by b  code(b) := x }\n";
    let passed_over = "action guess { choose n in 1..1000  asked(me) := n }\n\
        action answer { require code(me) != asked(opponent(me)) }\n\
        play { turns { a plays guess  b plays answer else { pub += 1 } } }\n";
    let seen = |sight: &str| {
        format!(
            "board square 2 x 2\npiece card owned\nzone z: set of card, {sight}\n\
             setup {{ roll x in 1..1000 seen by b  code(b) := x  put card of a on z }}\n\
             action guess {{ choose n in 1..1000  pub := n }}\nplay {{ turns {{ a plays guess }} }}\n"
        )
    };
    let unset = code.replace("setup { roll x in 1..1000 seen by b  code(b) := x }\n", "");
    let told = "(if told(code(b) == pub) then seats else {b})";
    let mut games = vec![format!("{code}{passed_over}")];
    for sight in [format!("seen by {told}"), format!("seen by no, number seen by {told}")] {
        games.push(format!("{unset}{}", seen(&sight)));
    }
    for text in &games {
        assert_eq!(tells(text), 0, "{text}");
        let engine = engine(text);
        let game = played(&engine, 1, &["guess 3"]);
        assert_eq!(game.door(seat(0)).undo(), None, "{text}");
    }
    let sealed = "game g\nplayers one, two\nvar bid(p: seat): int seen by p\naction price { choose n in 1..9  bid(me) := n }\n\
        action close {}\nplay { together seats play price  two plays close  rank p in seats by told(bid(p)) }\n";
    let engine = engine(sealed);
    let game = played(&engine, 1, &["7", "1"]);
    assert_eq!(game.door(seat(1)).undo(), None);
    // Where everybody knows that the next seat can play, the guess tells nothing and is taken back.
    let open = format!(
        "{code}action guess {{ choose n in 1..1000  asked(me) := n }}\naction answer {{ choose i in 1..2  code(me) := i }}\n\
        play {{ turns {{ a plays guess  b plays answer else {{ pub += 1 }} }} }}\n"
    );
    let engine = self::engine(&open);
    let game = played(&engine, 1, &["guess 3"]);
    assert_eq!(game.door(seat(0)).undo(), Some(game.steps().len() - 1));
}

/// Whether a move can be taken back depends on nothing that its seat does not see.
#[test]
fn whether_a_move_stays_tells_nothing() {
    let rules = |body: &str| {
        format!(
            "game g\nplayers a, b\npiece card {{ rank: int }}\nzone left: pile of card, seen by b, number seen by b\n\
             zone right: pile of card, seen by b, number seen by b\nvar code: int seen by b\nvar named: int \"named\"\n\
             setup {{ put 3 card with rank = 1 on left  roll x in 1..1000 seen by b  code := x }}\n\
             action guess {{ choose n in 1..1000  named := n  {body} }}\nplay {{ turns {{ a plays guess }} }}\n\
             end long after move when ply == 9 {{ draw }}\n"
        )
    };
    for body in [
        "if n == code { move top of left to right }",
        "if n == code { code := told(code) }",
        "code := (if code == n then told(code) else code)",
        "for i in 1..2 { if code == n { move top of left to right } }",
    ] {
        let text = rules(body);
        assert_eq!(tells(&text), 0, "{text}");
        let engine = engine(&text);
        let start = played(&engine, 1, &[]);
        let code = start.position().vars[0][0].int();
        let undone = |guess: i64| played(&engine, 1, &[&format!("guess {guess}")]).door(seat(0)).undo();
        assert_eq!(undone(code), undone(code % 1000 + 1), "{text}");
    }
}

/// A piece that somebody put in secret is drawn anew for whoever does not see which one it is.
#[test]
fn what_was_put_in_secret_is_drawn_again() {
    let head = "game g\nplayers a, b\nkinds role\n  | kind  | v |\n  | wolf  | 1 |\n  | sheep | 2 |\n  | seer  | 3 |\n  | witch | 4 |\n\
        piece card { rank: int }\nzone held(p: seat): set of role, seen by p\nzone h(p: seat): set of card, seen by p\n\
        var code(p: seat): int seen by p\naction accuse { choose n in 1..2 }\n";
    let games = [
        "action take { choose k in kinds(role) seen by me  put k on held(me) }\n",
        "action take { choose n in 1..6 seen by me  put card with rank = n + 1 on h(me) }\n",
        "action take { choose n in 1..6 seen by me  let r = n  put card with rank = r on h(me) }\n",
        "action take { choose n in 1..6 seen by me  code(me) := n  put card with rank = code(me) on h(me) }\n",
        "action take { choose n in 1..6 seen by me  if n == 1 { put wolf on held(me) } else { put sheep on held(me) } }\n",
        "procedure lay(n: int) { put card with rank = n on h(b) }\naction take { choose n in 1..6 seen by me  lay(n) }\n",
        "setup { put card on h(b) }\naction take { choose n in 1..6 seen by me  change h(me): rank = n * 2 }\n",
    ];
    for rules in games {
        let engine = engine(&format!("{head}{rules}play {{ b plays take  turns {{ a plays accuse }} }}\n"));
        let mut game = played(&engine, 1, &[]);
        let first = game.door(seat(1)).legal().open().swap_remove(0);
        game.play_unchecked(first);
        let mut dice = Stream::new(1, "samples", 0);
        let drawn = |position: &regelwerk::model::Position| {
            let text = print_position(&engine, &Observation::referee(position));
            text.split(" | ").filter(|part| part.starts_with('h')).collect::<Vec<_>>().join(" | ")
        };
        let known = InformationSet::remembering(&game, SeatId::new(0));
        let remembered: BTreeSet<String> = (0..60).map(|_| drawn(&known.determinize(&mut dice))).collect();
        let plain = InformationSet::new(&engine, game.position(), SeatId::new(0));
        let sampled: BTreeSet<String> = (0..60).map(|_| drawn(&plain.determinize(&mut dice))).collect();
        let viewer = Viewer::Spectator;
        let watched: BTreeSet<String> =
            (0..60).map(|_| drawn(&determinize(&engine, game.position(), viewer, &mut dice))).collect();
        for found in [remembered, sampled, watched] {
            assert!(found.len() > 1, "{rules}\n{found:?}");
        }
    }
}

/// A set has no order in which cards came: which one is taken first tells how it compares with those that stay.
#[test]
fn the_top_of_a_set_is_compared_with_the_rest() {
    let rules = |card: &str, pay: &str| {
        format!(
            "game g\nplayers a, b\n{card}\nzone hand(p: seat): set of card, seen by p\nzone heap: pile of card, seen by all\n\
             zone box: set of card, seen by no\nsetup {{ for p in seats {{ put 5 card on hand(p) }} }}\n\
             action pay {{ {pay} }}\nplay {{ turns {{ mover plays pay }} }}\nend done after move when ply == 8 {{ draw }}\n"
        )
    };
    for pay in ["move top of hand(me) to heap", "move bottom 2 of hand(opponent(me)) to hand(me)"] {
        assert_eq!(tells(&rules("piece card { rank: int }", pay)), 1, "{pay}");
        assert_eq!(tells(&rules("piece card", pay)), 0, "{pay}");
    }
    for pay in [
        "move top of hand(me) to box",
        "move all of hand(me) to box",
        "roll c in hand(me) seen by no  move c from hand(me) to heap",
    ] {
        assert_eq!(tells(&rules("piece card { rank: int }", pay)), 0, "{pay}");
    }
}

/// All invariants of a position share the budget of a decision, and all cues of a question.
#[test]
fn invariants_and_cues_share_a_budget() {
    let mut text = "game g\nplayers a, b\ndefine heavy = sum x * y for x in 1..100, y in 1..100\n".to_owned();
    for number in 0..10 {
        writeln!(text, "invariant i{number}: heavy > {number}").expect("a string");
    }
    text += "action go { choose n in 1..3 }\nplay { turns { mover plays go } }\n";
    let walker = walker(&text).with_budget(100_000);
    let found = walker.violations(&walker.start());
    assert!(found.broken.is_empty(), "{found:?}");
    assert!((3..10).contains(&found.spent.len()), "{found:?}");

    let raced = "game g\nplayers a, b, c, d\ndefine heavy = sum x * y for x in 1..100, y in 1..100\naction go { choose n in 1..3 }\n\
        cue go after 400: heavy > 4\nplay { repeat 3 { race seats play go until now + 500 else {} }  draw }\n";
    let game = self::walker(raced).into_game();
    for (budget, stop) in [(20_000_000, Stop::Over), (60_000, Stop::Budget)] {
        let walker = Walker::new(game.clone()).with_budget(budget);
        let mut run = walker.run();
        run.load(&walker.start());
        let mut dice = Stream::new(1, "race", 0);
        let played = playout(&walker, &mut *run, 9, Some(&Reactions::default()), &mut dice, &mut |_, _| true);
        assert_eq!(played.stop, stop, "{budget}");
    }
}

/// Procedures that call each other in many ways are looked at for all of them at once.
#[test]
fn ways_of_calling_do_not_multiply() {
    let mut text = "game g\nplayers p, q\nvar h(p: seat): int seen by p\nvar o: int \"o\"\n".to_owned();
    for level in 0..16 {
        let next = level + 1;
        writeln!(
            text,
            "procedure f{level}(a: seat) {{ if h(p) > {level} {{ f{next}(following(a)) }} else {{ f{next}(a) }} }}"
        )
        .expect("a string");
    }
    text += "procedure f16(a: seat) { o += 1 }\naction go { choose n in 1..3  h(me) += n  f0(me) }\n\
             play { turns { mover plays go } }\nend e after move when ply > 3 { draw }\n";
    assert!(tells(&text) > 0);
}

/// A deck of thousands is shuffled card by card without a copy of it for each.
#[test]
fn a_large_deck_is_not_kept_for_each_card() {
    let engine = engine(
        "game g\nplayers p, q\npiece c { n: int }\nzone d: pile of c, seen by no\nsetup { for i in 1..4000 { put c with n = i on d }  shuffle d }\n\
         action go { choose n in 1..2 }\nplay { turns { mover plays go } }\nend e after move when ply > 3 { draw }\n",
    );
    let game = played(&engine, 1, &["1"]);
    assert_eq!(game.steps().len(), 4000);
    assert!(game.bytes() < 4 << 20, "{}", game.bytes());
    // Whoever looks back sees the cards come one by one.
    let tops: BTreeSet<String> = game
        .since(0)
        .skip(100)
        .step_by(1000)
        .map(|(position, _)| format!("{:?}", position.zones[0][0].last()))
        .collect();
    assert_eq!(tops.len(), 1, "the top is drawn first: {tops:?}");
    assert_eq!(game.texts().len(), 4000);
}

/// What another person at the keyboard holds is not found out by asking what that seat could claim.
#[test]
fn nobody_asks_what_another_could_claim() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "game g\nplayers a, b\npiece card { rank: int }\nzone hand(p: seat): set of card, seen by p\n\
        zone heap: pile of card, seen by all\nsetup { for n in 1..3 { put card with rank = n on hand(a)\n\
        put card with rank = n + 5 on hand(b) } }\naction lay { choose c in hand(me)  move c from hand(me) to heap }\n\
        claim show by any seat { choose c in hand(me)  move c from hand(me) to heap }\n\
        play { turns { mover plays lay else pass } }\nend long after move when ply == 8 { draw }\n";
    fs::write(folder.path().join("g.rules"), rules).expect("written");
    let said = |typed: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_regelwerk"))
            .args(["--lang", "en", "play", "g.rules", "--seed", "2"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        child.stdin.take().expect("input").write_all(typed.as_bytes()).expect("written");
        let output = child.wait_with_output().expect("its end");
        assert!(output.status.success(), "{typed}");
        String::from_utf8(output.stdout).expect("text")
    };
    let answers = |card: usize| {
        let claim = format!("claim show card{{rank={card}}} by b");
        said(&format!("\nwhy {claim}\n{claim}\nquit\n")).replace(&format!("rank={card}"), "rank=?")
    };
    assert_eq!(answers(7), answers(2));
    // What a seat was told does not replace the record of the whole game.
    let file = "kept.record";
    said(&format!("\nsave {file}\nsave --for a {file}\nquit\n"));
    let kept = fs::read_to_string(folder.path().join(file)).expect("the record");
    assert!(kept.starts_with("Record("), "{kept}");
}

/// Turns in turns that move pieces are gone through again for each level: the analysis has a budget, and says so.
#[test]
fn turns_in_turns_have_a_budget() {
    let turns = (0..60).fold(String::new(), |text, level| {
        format!(
            "{text}turns {{ mover plays go  roll x{level} in h(mover) seen by mover\n\
             if x{level}.n > 3 {{ move x{level} from h(mover) to h(following(mover)) }}\n"
        )
    });
    let text = format!(
        "game g\nplayers p, q\nvar v(p: seat): int seen by p\npiece c {{ n: int }}\nzone h(p: seat): set of c, seen by p\n\
         setup {{ for p in seats {{ put 3 c on h(p) }} }}\nplay {{ {turns}{} }}\naction go {{ choose n in 1..3  v(me) += n }}\n\
         end e after move when ply > 3 {{ draw }}\n",
        "}".repeat(60)
    );
    let spent = |text: &str| {
        let loaded = check_all("g.rules", text, &NoFiles);
        loaded.reports.sorted().iter().any(|report| report.message.starts_with("it takes too much work"))
    };
    // Where every question is surely asked, what lay open before it does not multiply with the levels.
    assert!(!spent(&text));
    assert!(spent(&text.replace("v(me) += n }", "v(me) += n if n > 5 { eliminate me } }")));
}

/// What is not yet seen of pieces that came to lie somewhere counts where the analysis looks at a statement: in loops within loops
/// there may be as much of it for each zone as there are zones.
#[test]
fn what_lies_unseen_counts_in_the_analysis() {
    let nested = |levels: usize| {
        let zones = (0..=levels).fold(String::new(), |text, level| {
            format!("{text}zone z{level}(p: seat): pile of card, seen by p, number seen by p\n")
        });
        let loops = (1..=levels).fold(String::new(), |text, level| {
            format!("{text}repeat 2 {{ move top n of z{level}(me) to z{}(me) ", level - 1)
        });
        let text = format!(
            "game g\nplayers p, q\nkinds card\n | kind |\n | k1 |\n{zones}setup {{ for p in seats {{ put 9 k1 on z0(p) }} }}\n\
             action a {{ choose n in 1..3 seen by me  move top of z0(me) to z1(me)  {loops}{} }}\n\
             play {{ turns {{ mover plays a }} }}\nend e after move when ply >= 9 {{ draw }}\n",
            "}".repeat(levels)
        );
        let loaded = check_all("g.rules", &text, &NoFiles);
        loaded.reports.sorted().iter().any(|report| report.message.starts_with("it takes too much work"))
    };
    assert!(!nested(8));
    assert!(nested(40));
}

/// What paths look at where directions fork, ways on wide boards and unions of many numbers take their steps.
#[test]
fn what_paths_and_unions_take_counts() {
    let fork = "board graph { d: a - b - c - d - e - f - a  d: a - c - e - a  d: b - d - f - b  d: a - d  d: b - e }\n\
        path far = slide d through sites\n";
    let work = [
        (fork, "sum count(far(x | y)) for x in empty, y in empty, z in 1..9"),
        (fork, "sum count(ray(x | y, d)) for x in empty, y in empty, z in 1..9"),
        ("board square 20 x 20\npath far = (hop over sites taking to sites){2}\n", "count(far(a1 | b2))"),
        ("", "count(union {x, x + 1} for x in 1..20000)"),
    ];
    for (board, value) in work {
        let text = format!(
            "game g\nplayers p, q\nvar v: int\n{board}action go {{ choose n in 1..2  v += {value} }}\n\
             play {{ turns {{ mover plays go else {{ draw }} }} }}\nend e after move when ply > 0 {{ draw }}\n"
        );
        let game = walker(&text).into_game();
        let free = Walker::new(game.clone());
        let (start, fast) = (free.start(), Fast::new(game));
        let mv = free.legal(&start).swap_remove(0);
        let spent = |engine: &dyn Engine| {
            let meter = regelwerk::model::Meter::new(u64::MAX);
            let _ = engine.within(&meter).play_unchecked(&start, &mv);
            u64::MAX - meter.grant(u64::MAX)
        };
        for engine in [&free as &dyn Engine, &fast] {
            // Straight lines without pieces are worked out once for all there.
            if engine.name() != "reference" && value.contains("ray") {
                continue;
            }
            // About a step for each thing that is looked at or kept, as worked out on paper: some thousands.
            assert!(spent(engine) > 2_000, "{value} {}: {}", engine.name(), spent(engine));
        }
    }
}

/// Names of files that a server keeps have a greatest length, and count with the texts.
#[test]
fn names_of_written_files_count() {
    let limits = Limits { line: 10_000, ..Limits::default() };
    let mut server = Server::new(&Bundled, Selection::default(), limits);
    let mut write = |name: String| -> Json {
        let line = json!({"id": 1, "method": "write", "params": {"file": name, "text": ""}}).to_string();
        serde_json::from_str(&server.answer(&line).text).expect("JSON")
    };
    assert_eq!(write("n".repeat(1001))["error"]["code"], "limit");
    let kept = (0..20).take_while(|number| write(format!("{number:0>1000}"))["error"].is_null()).count();
    assert_eq!(kept, 10);
}

/// Pieces with many fields of one type are written by that type.
#[test]
fn pieces_with_many_fields_are_written_at_once() {
    let fields: Vec<String> = (0..62).map(|number| format!("f{number}: e")).collect();
    let engine = engine(&format!(
        "game g\nplayers a, b\nenum e = x, y\nenum s = only\npiece c {{ {}, alone: s, up: bool }}\nzone z: row of c, seen by all\n\
         setup {{ put 200 c with up = true on z }}\naction w {{ choose n in 1..2 }}\nplay {{ turns {{ mover plays w }} }}\n",
        fields.join(", ")
    ));
    let text = print_position(&engine, &Observation::referee(&engine.start()));
    assert!(text.contains("f0=x,f1=x") && text.contains("f61=x,only,up}"), "{}", &text[..200]);
}

/// What a seat chooses for a piece that it alone sees tells nobody anything.
#[test]
fn what_a_seat_puts_where_it_alone_sees_it_is_silent() {
    let rules = |sight: &str| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece tile {{ n: int }} {sight}\nsetup {{ put tile on a1 }}\n\
             action hide {{ choose k in 1..6 seen by me  change a1: n = k }}\naction act {{ choose f in sites }}\n\
             play {{ b plays hide  turns from a {{ a plays act }} }}\nend long after move when ply == 5 {{ draw }}\n"
        )
    };
    assert_eq!(tells(&rules("seen by b")), 0);
    assert_eq!(tells(&rules("")), 1);
    assert_eq!(tells(&rules("seen by a")), 1);
}

/// A site that does not exist is not mended into another.
#[test]
fn sites_are_no_spellings_of_each_other() {
    let text = "game x\nplayers white, black\nboard square 8 x 8\npiece stone owned\nsetup { put stone of white on a1..i1 }\n\
        action go { choose f in own stone  choose t in around(f) & empty  move f to t }\n\
        play { turns { mover plays go else { draw } } }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let found = loaded.reports.sorted();
    let [report] = found.as_slice() else { panic!("{}", reports(&loaded)) };
    assert_eq!((report.fix.is_none(), report.help.as_deref()), (true, Some("the sites are `a1` to `h8`")));
}
