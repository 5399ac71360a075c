//! The public interface of the library, as programs use it.

use std::collections::BTreeSet;

use regelwerk::{Datum, Move, Rules};

fn rules(name: &str) -> Rules {
    Rules::bundled(name).expect("a bundled game")
}

#[test]
fn clones_are_independent() {
    let mut game = rules("halma").session(3);
    for _ in 0..4 {
        let mv = game.legal_moves().swap_remove(0);
        game.play(&mv).expect("legal");
    }
    let (before, mut other) = (game.position(), game.clone());
    let last = other.legal_moves().pop().expect("a move");
    other.play(&last).expect("legal");
    assert_eq!(game.position(), before);
    assert_eq!((game.history().len(), other.history().len()), (4, 5));
    // It has a history of its own, too.
    assert!(other.undo() && other.position() == before);
    assert!(other.undo() && game.position() == before);
}

#[test]
fn moves_have_an_action_and_named_parameters() {
    let game = rules("halma").session(0);
    for mv in game.legal_moves() {
        let parameters = mv.parameters();
        let [(from, Datum::Name(start)), (to, Datum::Name(end))] = parameters.as_slice() else {
            panic!("{mv}: {parameters:?}")
        };
        assert_eq!((mv.action().as_str(), from.as_str(), to.as_str()), ("move", "from", "to"));
        assert_eq!(mv.to_string(), format!("{start}-{end}"));
        assert_eq!(game.parse(mv.as_str()).expect("a move"), mv);
    }
    // A die is rolled: a number, named by what it is bound to.
    let mut pig = rules("pig").session_with_chance(0);
    pig.play_text("roll").expect("legal");
    let faces: Vec<Datum> = pig.legal_moves().iter().flat_map(Move::parameters).map(|(_, value)| value).collect();
    assert_eq!(faces, (1..=6).map(Datum::Number).collect::<Vec<_>>());
    assert!(pig.legal_moves().iter().all(|mv| mv.action() == "pick"));
}

#[test]
fn pieces_in_moves_have_kind_and_fields() {
    let game = rules("hearts").session(1);
    for mv in game.legal_moves() {
        for (_, value) in mv.parameters() {
            let Datum::Piece { kind, owner: None, fields } = value else { panic!("{mv}: {value:?}") };
            assert!(mv.as_str().contains(&kind), "{mv}: {kind}");
            for (_, value) in fields {
                let Datum::Name(value) = value else { panic!("{mv}: {value:?}") };
                assert!(mv.as_str().contains(&value), "{mv}: {value}");
            }
        }
    }
}

#[test]
fn a_seat_cannot_tell_a_determinization_from_the_game() {
    let game = rules("kuhn-poker").session(2);
    let hidden = |game: &regelwerk::Session| game.observe(1).text();
    let mut others = BTreeSet::new();
    for seed in 0..20 {
        let drawn = game.determinize(0, seed).expect("nobody chooses in secret");
        assert_eq!(drawn.observe(0).text(), game.observe(0).text());
        assert_eq!(drawn.legal_moves(), game.legal_moves());
        others.insert(hidden(&drawn));
        // A record of it can be replayed.
        assert_eq!(game.rules().replay(&drawn.record()).expect("a record").position(), drawn.position());
    }
    // The other player has one of the other two cards.
    assert_eq!(others.len(), 2);
    assert!(others.contains(&hidden(&game)));
}

#[test]
fn seats_not_to_act_cannot_determinize_secret_choices() {
    let mut game = rules("goofspiel").session(2);
    let first = game.to_move().expect("a seat");
    let mv = game.legal_moves().swap_remove(0);
    game.play(&mv).expect("legal");
    let second = game.to_move().expect("the other seat");
    assert_ne!(first, second);
    assert!(game.determinize(first, 0).is_none());
    assert!(game.determinize(second, 0).is_some());
}

#[test]
fn a_simulation_returns_its_single_games() {
    let rules = rules("kalaha");
    let games = rules.simulate(50).seed(4).each(&|_| true);
    let figures = rules.simulate(50).seed(4).run();
    assert_eq!(games.len(), 50);
    let plies = games.iter().map(|game| i64::from(game.plies));
    assert_eq!((plies.clone().min(), plies.max()), (Some(figures.lengths().min), Some(figures.lengths().max)));
    let won = |seat: usize| {
        games.iter().filter_map(|game| game.outcome.as_ref()).filter(move |o| o.winners().contains(&seat))
    };
    for (seat, shares) in figures.seats().iter().enumerate() {
        assert_eq!(won(seat).count() as u64, shares.win.count);
    }
    // The same games come first in a longer simulation, and a stopped one contains the first of them.
    let stopped = rules.simulate(5000).seed(4).each(&|done| done < 40);
    assert!(stopped.len() < 5000);
    for (one, other) in games.iter().zip(&stopped) {
        assert_eq!((one.plies, one.turns, one.answers), (other.plies, other.turns, other.answers));
    }
}

#[test]
fn chance_can_be_left_to_the_program_in_a_replay() {
    let rules = rules("pig");
    let mut game = rules.session_with_chance(0);
    game.play_text("roll").expect("legal");
    let again = rules.replay_with_chance(&game.record()).expect("a record");
    assert_eq!(again.position(), game.position());
    assert_eq!(again.legal_moves().len(), 6);
    // If chance is drawn, the same record continues to the next question to a seat.
    assert!(rules.replay(&game.record()).expect("a record").to_move().is_some());
}

#[test]
fn positions_of_other_rules_differ() {
    let (two, three) =
        (rules("kalaha").session(0), Rules::loader().players(3).bundled("kalaha").expect("rules").session(0));
    assert_ne!(two.position(), three.position());
    assert_ne!(two.rules().digest(), three.rules().digest());
    assert!(two.position().svg().starts_with("<svg"));
}
