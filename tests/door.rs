//! What leaves a game for one seat: taking back, records, claims of others, and games enacted again.

use regelwerk::engine::Fast;
use regelwerk::ir::{SeatId, Value};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Position, Viewer, Why};
use regelwerk::notation::{parse_position, print_position};
use regelwerk::play::{InformationSet, Match, Record, ReplayError, Stream, Who};

use crate::support::{load_file, reports, root};

const CARDS: &str = "game g\nplayers a, b\npiece card { rank: int }\nzone deck: pile of card, seen by no\n\
    zone hand(p: seat): set of card, seen by p\nzone table: row of card, seen by all\nvar bid(p: seat): int seen by p\n\
    setup { for n in 1..3 { put card with rank = n on deck } shuffle deck }\n\
    action lay { choose c in hand(me) move c from hand(me) to table }\n\
    action keep { choose c in hand(me) move c from hand(me) under deck }\n\
    action draw { move top of deck to hand(me) }\n\
    action throw { roll d in 1..6 seen by me bid(me) := d }\n\
    action think { bid(me) := 1 }\n\
    action weigh { choose n in 1..2 bid(me) := n choose m in 1..2 bid(me) := m }\n\
    claim secretly \"names a card in secret\" by any seat { choose c in hand(me) seen by me bid(me) := c.rank }\n\
    claim boldly \"names a card\" by any seat { choose c in hand(me) bid(me) := c.rank }\n\
    claim number \"names a number\" by any seat { choose n in 1..3 bid(me) := n }\n\
    play { turns { mover plays lay | keep | draw | throw | think | weigh } }\nend e after move when ply > 9 { draw }\n";

const DEAL: &str = "g 2 | mover=a | deck: card{rank=1} card{rank=2} | hand(a): card{rank=5} | hand(b): card{rank=3}";

fn engine(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

fn seat(number: usize) -> Who {
    Who::seat(SeatId::new(number))
}

/// A game in which these steps were taken by the referee.
fn played<'a>(engine: &'a Fast, steps: &[&str]) -> Match<'a> {
    let mut game = Match::new(engine, parse_position(engine, DEAL).expect("a position"));
    for text in steps {
        let step = game.door(Who::Referee).read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(step).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    }
    game
}

/// A seat takes back its own last move as long as nobody found anything out by it; the referee any decision.
#[test]
fn what_was_revealed_or_rolled_is_not_taken_back() {
    let engine = engine(CARDS);
    // What the seats may go back to, and the referee.
    let cases: [(&[&str], [Option<usize>; 3]); 8] = [
        (&[], [None, None, None]),
        (&["think"], [Some(0), None, Some(0)]),
        // The card goes from a hand that only its owner sees to where nobody does.
        (&["keep card{rank=5}"], [Some(0), None, Some(0)]),
        // All see it now.
        (&["lay card{rank=5}"], [None, None, Some(0)]),
        // The seat has seen a card that it could not know.
        (&["draw"], [None, None, Some(0)]),
        (&["throw"], [Some(0), None, Some(0)]),
        (&["throw", "4"], [None, None, Some(0)]),
        // Another seat has acted.
        (&["think", "think"], [None, Some(1), Some(1)]),
    ];
    for (steps, wanted) in cases {
        let game = played(&engine, steps);
        assert_eq!([seat(0), seat(1), Who::Referee].map(|who| game.door(who).undo()), wanted, "{steps:?}");
    }
    // Who share a keyboard take back what the seat did that is still to act, and nothing of another's.
    assert!(played(&engine, &["weigh 1"]).may_return(0));
    assert!(!played(&engine, &["keep card{rank=5}"]).may_return(0));
    assert!(!played(&engine, &["think", "think"]).may_return(0));
}

/// Other seats learn of a claim what is chosen openly, and no piece that they do not see.
#[test]
fn claims_tell_others_what_they_may_know() {
    let engine = engine(CARDS);
    let told = |claim: &str, who: Who| {
        let game = played(&engine, &[claim]);
        game.door(who).events(0, 1).iter().map(|event| event.deed.to_string()).collect::<String>()
    };
    for claim in ["claim secretly card{rank=5}", "claim boldly card{rank=5}"] {
        let name = claim.split(' ').nth(1).expect("a name");
        assert_eq!(told(claim, seat(0)), claim);
        assert_eq!(told(claim, Who::Referee), claim);
        assert_eq!(told(claim, seat(1)), format!("claim {name} ?"));
    }
    assert_eq!(told("claim number 2", seat(1)), "claim number 2");
}

/// A seat is not told why another's move or claim is possible or not, nor which moves another has.
#[test]
fn nobody_is_told_of_what_others_could_do() {
    let engine = engine(CARDS);
    let game = played(&engine, &[]);
    for text in ["lay card{rank=5}", "lay card{rank=3}", "claim boldly card{rank=5}", "claim boldly card{rank=3}"] {
        let door = game.door(seat(1));
        let grounds = door.grounds(&door.read(text).expect("a step"));
        let refusal = grounds.verdict.as_ref().expect_err("not its own");
        assert_eq!((&refusal.why, refusal.rules.len(), grounds.veiled), (&Why::NotAsked, 0, true), "{text}");
    }
    let said = game.door(seat(1)).read("lay nothing").expect_err("no card");
    assert!(!said.to_string().contains("rank=5"), "{said}");
    assert!(game.door(seat(1)).legal().is_empty());
}

/// The referee's record says that it holds secrets; a seat's holds what it was told, no seed, and cannot be replayed.
#[test]
fn records_hold_what_their_reader_may_know() {
    let engine = engine(CARDS);
    let game = played(&engine, &["keep card{rank=5}", "lay card{rank=3}", "claim number 2 by b"]);
    let head = Record { game: "g".to_owned(), seed: 4711.into(), ..Record::default() };
    let whole = game.door(Who::Referee).record(&head).expect("for the referee");
    assert!(whole.secrets && whole.steps[0] == "keep card{rank=5}");
    assert_eq!(Record::parse(&whole.print()).as_ref(), Ok(&*whole));
    assert_eq!(game.door(Who::Referee).seat_record(&head), None);
    for (who, name, kept) in [(0, "a", "keep card{rank=5}"), (1, "b", "keep ?")] {
        assert_eq!(game.door(seat(who)).record(&head), None);
        let record = game.door(seat(who)).seat_record(&head).expect("for a seat");
        let texts: Vec<&str> = record.steps.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, [kept, "lay card{rank=3}", "claim number 2 by b"], "{name}");
        let text = record.print();
        assert!(!text.contains("4711") && !text.contains("rank=1") && record.position.contains("deck: ?"), "{text}");
        assert_eq!(text.contains("rank=5"), who == 0, "{text}");
        assert_eq!(Record::parse(&text), Err(ReplayError::Seat(name.to_owned())));
    }
}

/// How many ships of each seat have a place.
fn placed(engine: &dyn Engine, position: &Position) -> Vec<usize> {
    let berth = engine.game().vars.iter().position(|var| var.name == "berth").expect("the ships' places");
    let ships = engine.game().kinds.len();
    let lies = |value: &&Value| matches!(value, Value::Set(sites) if !sites.is_empty());
    position.vars[berth].chunks(ships).map(|fleet| fleet.iter().filter(lies).count()).collect()
}

/// Hidden sets of sites are filled by enacting the game again: in each sample as many ships have a place as have been
/// placed, everything is as the rules want it, shots that hit do so, and the places vary.
#[test]
fn ships_are_placed_anew() {
    let path = root("rules/classics/battleship/battleship.rules");
    let setup = Setup { options: vec![("size".to_owned(), "6".to_owned())], ..Setup::default() };
    let engine = Fast::new(load_file(&path, &setup).game.expect("a game"));
    let mut game = Match::new(&engine, engine.start());
    let mut dice = Stream::new(3, "ships", 0);
    let mut different = 0;
    for step in 0..14 {
        let me = game.asked().expect("a seat");
        let known = InformationSet::remembering(&game, me);
        let truth = placed(&engine, game.position());
        for _ in 0..8 {
            let drawn = known.determinize(&mut dice);
            assert_eq!(placed(&engine, &drawn), truth, "step {step}");
            assert!(engine.violations(&drawn).is_empty(), "step {step}");
            different += usize::from(drawn != *game.position());
        }
        let moves = game.door(Who::seat(me)).legal().open();
        game.play_unchecked(moves[dice.below(moves.len())].clone());
    }
    assert_eq!(placed(&engine, game.position()), [5, 5]);
    assert!(different > 80, "{different} of 112 samples differ");
}

/// A back that is pointed at: the card at that place changes hands, the others keep their order, and only the two seats
/// learn which it was.
#[test]
fn a_back_can_be_pointed_at() {
    let engine = engine(
        "game g\nplayers a, b\npiece card { rank: int }\nzone fan(p: seat): row of card, seen by p\n\
         zone lifted: row of card, seen by no\n\
         action point { choose n in 1..count(fan(opponent(me))) move top (n - 1) of fan(opponent(me)) to lifted\n\
           move top of fan(opponent(me)) to fan(me) move all of lifted to fan(opponent(me)) }\n\
         action sum_up { require (sum c.rank for c in fan(me)) > 99 }\n\
         play { turns { mover plays point | sum_up else pass } }\nend e after move when ply > 9 { draw }\n",
    );
    let text = "g 2 | mover=a | fan(a): card{rank=9} | fan(b): card{rank=1} card{rank=2} card{rank=3} card{rank=4}";
    let mut game = Match::new(&engine, parse_position(&engine, text).expect("a position"));
    let step = game.door(seat(0)).read("point 2").expect("a step");
    game.play(step).expect("legal");
    let lines = [seat(0), seat(1), Who::Viewer(Viewer::Spectator)]
        .map(|who| print_position(&engine, &game.door(who).position()));
    assert!(lines[0].contains("fan(a): card{rank=9} card{rank=3} | fan(b): ?*3"), "{}", lines[0]);
    assert!(lines[1].contains("fan(a): ?*2 | fan(b): card{rank=1} card{rank=2} card{rank=4}"), "{}", lines[1]);
    assert!(lines[2].contains("fan(a): ?*2 | fan(b): ?*3"), "{}", lines[2]);
    let told = game.door(Who::Viewer(Viewer::Spectator)).events(0, 1).open();
    assert_eq!(told.iter().map(|event| event.deed.to_string()).collect::<Vec<_>>(), ["2"]);
    // What was drawn could not be foreseen, so it is not taken back.
    assert_eq!(game.door(seat(0)).undo(), None);
}

/// A secret choice marks nothing for others until all have chosen, and may be changed until then.
#[test]
fn a_secret_choice_marks_nothing() {
    let engine = engine(
        "game g\nplayers a, b\nboard square 2 x 2\npiece man owned\naction aim { choose f in sites put own man on f }\n\
         play { turns { together seats play aim } }\nend e after move when ply > 3 { draw }\n",
    );
    let mut game = Match::new(&engine, engine.start());
    let step = game.door(seat(0)).read("a1").expect("a step");
    game.play(step).expect("legal");
    let marked = |game: &Match<'_>| [seat(0), seat(1)].map(|who| game.door(who).last_move().is_some());
    assert_eq!(marked(&game), [true, false]);
    assert_eq!([seat(0), seat(1)].map(|who| game.door(who).undo()), [Some(0), None]);
    let step = game.door(seat(1)).read("b2").expect("a step");
    game.play(step).expect("legal");
    assert_eq!(marked(&game), [true, true]);
}
