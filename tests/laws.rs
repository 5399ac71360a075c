//! Laws that hold in every game, in positions reached at random.

use regelwerk::ir::{ActionRef, SeatId, Value};
use regelwerk::load::Setup;
use regelwerk::load::{NoFiles, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::Engine;
use regelwerk::model::{Answer, Ask, Verdict};
use regelwerk::notation::{find_move, parse_position, print_move};
use regelwerk::play::{Match, Record, Step, Stream, random_move, replay};
use regelwerk::reference::Walker;

use crate::support::{GAMES, classics, engine, fixtures, print_position, rules_of, setups, walk};

/// Which part of the setups is tested: of `REGELWERK_SHARD=I/K` the numbers I and K, else all.
fn shard(text: Option<&str>) -> (usize, usize) {
    let Some(text) = text else { return (1, 1) };
    let parsed = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    parsed.filter(|(part, of)| (1..=*of).contains(part)).unwrap_or_else(|| panic!("`{text}` is no shard such as 1/4"))
}

/// All games with all setups, or a shard of them. A law holds if it holds in every shard.
fn everywhere(mut each: impl FnMut(&dyn Engine, &str)) {
    let shipped = GAMES.iter().map(|game| rules_of(game));
    let all =
        shipped.chain(fixtures()).flat_map(|path| setups(&path).into_iter().map(move |setup| (path.clone(), setup)));
    let (part, of) = shard(std::env::var("REGELWERK_SHARD").ok().as_deref());
    for (path, setup) in all.skip(part - 1).step_by(of) {
        let engine = engine(&path, &setup);
        each(&engine, &format!("{} {setup:?}", path.display()));
    }
}

/// Every number is in exactly one of the shards.
#[test]
fn shards_of_the_laws_are_the_whole() {
    let mut found: Vec<usize> = (1..=7)
        .map(|part| shard(Some(&format!("{part}/7"))))
        .flat_map(|(part, of)| (0..100).skip(part - 1).step_by(of))
        .collect();
    found.sort_unstable();
    assert_eq!(found, (0..100).collect::<Vec<_>>());
    assert_eq!(shard(None), (1, 1));
}

#[test]
fn checked_games_never_fail_and_keep_their_invariants() {
    everywhere(|engine, what| {
        for seed in 0..2 {
            walk(engine, seed, 60, |position| {
                let broken = engine.violations(position);
                assert!(broken.is_empty(), "{what}: {broken:?} broken in {}", print_position(engine, position));
            });
        }
    });
}

/// In-place play shows the answers that are listed one by one, and all that anybody may see of a position.
#[test]
fn answers_are_shown_in_place() {
    everywhere(|engine, what| {
        let mut run = engine.run();
        walk(engine, 5, 15, |position| {
            assert!(run.load(position), "{what}");
            let (mut each, count) = (Vec::new(), run.count());
            run.each_legal(&mut |mv| each.push(mv.clone()));
            let listed: Vec<_> = (0..count).filter_map(|n| run.legal(n)).collect();
            assert_eq!(each, listed, "{what}");
            let seen = run.visible();
            assert_eq!((&seen.sites, &seen.tokens), (&position.sites, &position.tokens), "{what}");
            assert_eq!((&seen.zones, &seen.vars), (&position.zones, &position.vars), "{what}");
            assert_eq!((&seen.ask, &seen.standing), (&position.ask, &position.standing), "{what}");
        });
    });
}

#[test]
fn positions_round_trip() {
    everywhere(|engine, what| {
        walk(engine, 7, 25, |position| {
            let text = print_position(engine, position);
            match parse_position(engine, &text) {
                Ok(read) => assert_eq!(read, *position, "{what}: {text}"),
                Err(error) => panic!("{what}: {text}: {error}"),
            }
        });
    });
}

#[test]
fn moves_round_trip_and_are_distinct() {
    everywhere(|engine, what| {
        walk(engine, 11, 15, |position| {
            let mut moves = engine.legal(position);
            // Chance may draw one of several copies.
            if matches!(position.ask, Ask::Chance { .. }) {
                moves.dedup();
            }
            let mut texts: Vec<String> = moves.iter().map(|mv| print_move(engine.game(), position, mv)).collect();
            // To read a text lists all moves: of very many some dozens are read.
            for (mv, text) in moves.iter().zip(&texts).step_by(1 + moves.len() / 40) {
                assert_eq!(find_move(engine, position, text).as_ref(), Ok(mv), "{what}: {text}");
            }
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), moves.len(), "{what}: two moves read the same");
        });
    });
}

#[test]
fn legal_moves_apply_without_changing_the_old_position() {
    everywhere(|engine, what| {
        walk(engine, 13, 10, |position| {
            let before = position.clone();
            let legal = engine.legal(position);
            for (number, mv) in legal.iter().enumerate() {
                // To refuse a move lists all of them.
                if number.is_multiple_of(1 + legal.len() / 40) {
                    assert_eq!(engine.explain().refusal(position, mv), None, "{what}");
                }
                let after = engine.play(position, mv).expect("a legal move");
                assert!(after.ply >= position.ply, "{what}");
            }
            assert_eq!(*position, before, "{what}");
        });
    });
}

/// Moves of other positions are refused with a reason, or are legal here too.
#[test]
fn refused_moves_have_a_reason() {
    everywhere(|engine, what| {
        let mut strange = Vec::new();
        // To refuse a move lists all of them: some dozens for each game are enough here.
        walk(engine, 17, 12, |position| strange.extend(engine.legal(position).into_iter().step_by(3).take(4)));
        walk(engine, 19, 8, |position| {
            let legal = engine.legal(position);
            for mv in &strange {
                // In a race any later moment is possible; the list has the next one.
                let mut mv = mv.clone();
                if let (ActionRef::Race(_), Some(time)) = (mv.action, mv.args.get_mut(1)) {
                    *time = Value::Int(position.now + 1);
                }
                let refusal = engine.explain().refusal(position, &mv);
                assert_eq!(refusal.is_none(), legal.contains(&mv), "{what}");
            }
        });
    });
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for game in GAMES {
        let engine = engine(&rules_of(game), &Setup::default());
        let record = |seed| {
            let mut texts = Vec::new();
            walk(&engine, seed, 80, |position| texts.push(print_position(&engine, position)));
            texts
        };
        assert_eq!(record(3), record(3), "{game}");
        assert_ne!(record(3), record(4), "{game}");
    }
}

/// What is not finished at a question fits together: without any entry of the control stack, or with one twice, no game
/// has it.
#[test]
fn control_stacks_that_no_game_has_are_refused() {
    let mut tried = 0;
    for path in GAMES.iter().map(|game| rules_of(game)).chain(classics()) {
        let engine = engine(&path, &Setup::default());
        let mut positions = Vec::new();
        walk(&engine, 11, 12, |position| positions.push(position.clone()));
        for position in positions.iter().filter(|position| !position.is_over()) {
            for at in 0..position.control.len() {
                let (mut less, mut more) = (position.clone(), position.clone());
                less.control.remove(at);
                more.control.insert(at, position.control[at].clone());
                for forged in [less, more] {
                    let text = print_position(&engine, &forged);
                    let why = parse_position(&engine, &text).expect_err(&text);
                    assert!(why.cure().is_some(), "{text}: {why}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 2000, "only {tried}");
    // A question that is asked from elsewhere.
    let go = engine(&rules_of("halma"), &Setup::default());
    for forged in ["at=b0.0", "at=b0.1 | ask=a pick 0.0", "ask=over"] {
        let text = format!("{} | {forged}", print_position(&go, &go.opening()).split(" | ").next().unwrap_or_default());
        assert!(parse_position(&go, &text).is_err(), "{text}");
    }
}

/// A tampered text is refused with a reason, or it is a position that is written back as it is and whose legal moves
/// can be played.
#[test]
fn forged_texts_are_refused() {
    let mut dice = Stream::new(23, "forge", 0);
    for game in GAMES {
        let engine = engine(&rules_of(game), &Setup::default());
        let mut texts = Vec::new();
        walk(&engine, 5, 20, |position| texts.push(print_position(&engine, position)));
        let mut refused = 0;
        for text in texts {
            let characters: Vec<char> = text.chars().collect();
            for _ in 0..60 {
                let mut forged = characters.clone();
                let at = dice.below(forged.len());
                match dice.below(3) {
                    0 => drop(forged.remove(at)),
                    1 => forged.insert(at, ['9', '|', '=', 'a', ':', '*', ' ', '-'][dice.below(8)]),
                    _ => forged.swap(at, (at + 1) % characters.len()),
                }
                let forged: String = forged.into_iter().collect();
                match parse_position(&engine, &forged) {
                    Ok(position) => {
                        let written = print_position(&engine, &position);
                        let again = parse_position(&engine, &written);
                        let again =
                            again.unwrap_or_else(|error| panic!("{game}: {forged} is written {written}: {error}"));
                        assert_eq!(again, position, "{game}: {forged} is written {written}");
                        for mv in engine.legal(&position).iter().take(3) {
                            let next = engine.play(&position, mv).expect("a legal move");
                            assert_eq!(next, engine.play_unchecked(&position, mv), "{game}: {forged}");
                        }
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().is_empty(), "{game}: {forged}");
                    }
                }
            }
        }
        assert!(refused > 0, "{game}: every forged text was taken for a position");
    }
}

/// Parsing and replaying a record leads to the same position.
#[test]
fn replay_reproduces() {
    everywhere(|engine, what| {
        let mut game = Match::new(engine, engine.start());
        let mut dice = Stream::new(29, "record", 0);
        while let Some(mv) = random_move(engine, game.position(), &mut dice).filter(|_| game.steps().len() < 25) {
            game.play(Step::Move(mv)).expect("a legal move");
        }
        let record = Record { game: what.to_owned(), steps: game.texts(), ..Record::default() };
        let read = Record::parse(&record.print()).expect("a record");
        let again = replay(engine, &read).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(again.game.position(), game.position(), "{what}");
    });
}

/// Statistics do not depend on the number of threads.
#[test]
fn threads_do_not_matter() {
    let engine = engine(&rules_of("kalaha"), &Setup::default());
    let plan = Plan { cap: 500, seed: 31, invariants: true, traced: 20, reactions: None };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| format!("{:?}", simulate(&engine, &engine.start(), &plan, 0..40, &|_| ())))
    };
    assert_eq!(with(1), with(2));
}

/// Claims, offers and resignations are answers other than moves, and no plies.
#[test]
fn answers_are_no_plies() {
    let text = "game g\nplayers a, b\nboard square 3 x 3\npiece stone owned\n\
        action put { choose f in empty put own stone on f }\nplay { turns { mover plays put else { draw } } }\n\
        claim resign by any seat { lose me }\nclaim nothing { require ply > 100 draw }\noffer remis { draw }\n";
    let engine = Walker::new(load("g.rules", text, &NoFiles, &Setup::default()).game.expect("a game"));
    let start = engine.start();
    assert_eq!(engine.legal(&start).len(), 9);
    let claims: Vec<_> = engine.game().claims.ids().collect();
    let remis = engine.game().offers.ids().next().expect("an offer");
    let claim =
        |claim: usize, seat| engine.answer(&start, &Answer::Claim { claim: claims[claim], seat, args: Vec::new() });
    let resigned = claim(0, SeatId::new(1)).expect("either seat may give up");
    assert_eq!(resigned.outcome.expect("an end").verdicts, [Verdict::Win, Verdict::Loss]);
    assert_eq!(resigned.ply, 0);
    assert!(claim(1, SeatId::new(0)).is_err(), "the guard does not hold");
    // An offer stands until a move declines it.
    let offered = engine.answer(&start, &Answer::Offer { offer: remis, seat: SeatId::new(0) }).expect("an offer");
    assert_eq!((offered.ply, offered.ask.clone()), (0, start.ask.clone()));
    let moved = engine.play_unchecked(&offered, &engine.legal(&offered)[0]);
    let agreed = engine.answer(&moved, &Answer::Offer { offer: remis, seat: SeatId::new(1) }).expect("agreed");
    assert_eq!(agreed.outcome.expect("an end").verdicts, [Verdict::Draw, Verdict::Draw]);
    let declined = engine.play_unchecked(&moved, &engine.legal(&moved)[0]);
    let again = engine.answer(&declined, &Answer::Offer { offer: remis, seat: SeatId::new(0) }).expect("a new offer");
    assert!(!again.is_over(), "a declined offer is gone");
}
