//! What holds in every game, in every position reached at random.

use regelwerk::load::Setup;
use regelwerk::model::Engine;
use regelwerk::notation::{find_move, parse_position, print_move, print_position};
use regelwerk::play::Stream;

use crate::support::{GAMES, engine, fixtures, rules_of, setups, walk};

/// All games with all set-ups.
fn everywhere(mut each: impl FnMut(&dyn Engine, &str)) {
    let shipped = GAMES.iter().map(|game| rules_of(game));
    for path in shipped.chain(fixtures()) {
        for setup in setups(&path) {
            let engine = engine(&path, &setup);
            each(&engine, &format!("{} {setup:?}", path.display()));
        }
    }
}

#[test]
fn checked_games_never_fault_and_keep_their_invariants() {
    everywhere(|engine, what| {
        for seed in 0..2 {
            walk(engine, seed, 60, |position| {
                let broken = engine.violations(position);
                assert!(broken.is_empty(), "{what}: {broken:?} broken in {}", print_position(engine, position));
            });
        }
    });
}

#[test]
fn positions_survive_being_written() {
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
fn moves_survive_being_written_and_are_distinct() {
    everywhere(|engine, what| {
        walk(engine, 11, 15, |position| {
            let moves = engine.legal(position);
            let mut texts: Vec<String> = moves.iter().map(|mv| print_move(engine.game(), position, mv)).collect();
            for (mv, text) in moves.iter().zip(&texts) {
                assert_eq!(find_move(engine, position, text).as_ref(), Ok(mv), "{what}: {text}");
            }
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), moves.len(), "{what}: two moves read the same");
        });
    });
}

#[test]
fn legal_moves_apply_and_leave_the_old_position_alone() {
    everywhere(|engine, what| {
        walk(engine, 13, 10, |position| {
            let before = position.clone();
            for mv in engine.legal(position) {
                assert_eq!(engine.refusal(position, &mv), None, "{what}");
                let after = engine.play(position, &mv).expect("a legal move");
                assert!(after.ply >= position.ply, "{what}");
            }
            assert_eq!(*position, before, "{what}");
        });
    });
}

/// Moves of other positions are refused with a reason, or legal here too.
#[test]
fn refused_moves_have_a_reason() {
    everywhere(|engine, what| {
        let mut strange = Vec::new();
        walk(engine, 17, 12, |position| strange.extend(engine.legal(position).into_iter().take(8)));
        walk(engine, 19, 12, |position| {
            let legal = engine.legal(position);
            for mv in &strange {
                let refusal = engine.refusal(position, mv);
                assert_eq!(refusal.is_none(), legal.contains(mv), "{what}");
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

/// Rubbish in place of a position, a move or an answer is refused, never a panic.
#[test]
fn forged_texts_are_refused() {
    let mut dice = Stream::new(23, "forge", 0);
    for game in GAMES {
        let engine = engine(&rules_of(game), &Setup::default());
        let mut texts = Vec::new();
        walk(&engine, 5, 20, |position| texts.push(print_position(&engine, position)));
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
                if let Ok(position) = parse_position(&engine, &forged) {
                    // It may still be a position; then the game goes on from it.
                    for mv in engine.legal(&position).iter().take(3) {
                        engine.follow(&position, mv);
                    }
                }
            }
        }
    }
}
