//! The handwritten playouts that speed is measured against play the same games.

use regelwerk::engine::Fast;
use regelwerk::ir::{ActionRef, Game, Move, Value};
use regelwerk::load::Setup;
use regelwerk::model::{Engine, Position};
use regelwerk::play::{Stream, deal, playouts};

use crate::support::{game, rules_of};
use yardsticks::{Yardstick, breakthrough, chess, connect_four, halali, halma, kalaha, playout};

#[path = "../benches/yardsticks/mod.rs"]
mod yardsticks;

/// The number of sequences of so many moves.
fn perft<Y: Yardstick>(game: &Y, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    game.list(&mut moves);
    let after = |mv: &Y::Move| {
        let mut next = game.clone();
        next.play(*mv);
        perft(&next, depth - 1)
    };
    moves.iter().map(after).sum()
}

/// The column and row of a site, from 0.
fn place(game: &Game, site: usize) -> (usize, usize) {
    let name = &game.topology.sites[site].name;
    let column = usize::from(name.as_bytes()[0] - b'a');
    (column, name[1..].parse::<usize>().expect("a row") - 1)
}

/// The parameters that are sites, numbered row by row.
fn fields(game: &Game, mv: &Move, width: usize) -> Vec<usize> {
    let sites = mv.args.iter().filter_map(Value::number).map(|n| usize::try_from(n).expect("a site"));
    sites.map(|site| place(game, site)).map(|(column, row)| row * width + column).collect()
}

fn name<'g>(game: &'g Game, mv: &Move) -> &'g str {
    let ActionRef::Action(action) = mv.action else { panic!("an action") };
    &game.actions[action].name
}

fn small(n: usize) -> u8 {
    u8::try_from(n).expect("small")
}

/// Plays random games on both, and compares the legal moves at every ply.
fn compare<Y: Yardstick>(
    rules: &str,
    games: u64,
    begin: impl Fn(&Game, &Position) -> Y,
    meant: impl Fn(&Game, &Position, &Move) -> Y::Move,
) {
    let engine = Fast::new(game(&rules_of(rules), &Setup::default()));
    for number in 0..games {
        let mut dice = Stream::new(11, rules, number);
        let mut position = deal(&engine, engine.start(), &mut dice);
        let mut board = begin(engine.game(), &position);
        for ply in 0..400 {
            let legal = engine.legal(&position);
            let mut ours: Vec<Y::Move> = legal.iter().map(|mv| meant(engine.game(), &position, mv)).collect();
            let mut theirs = Vec::new();
            board.list(&mut theirs);
            let chosen = if ours.is_empty() { 0 } else { dice.below(ours.len()) };
            let played = ours.get(chosen).copied();
            ours.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "{rules}, game {number}, ply {ply}");
            let Some(played) = played else { break };
            position = engine.play_unchecked(&position, &legal[chosen]);
            board.play(played);
        }
    }
}

#[test]
fn chess_has_the_published_counts() {
    let counts: Vec<u64> = (1..=4).map(|depth| perft(&chess::Board::default(), depth)).collect();
    assert_eq!(counts, [20, 400, 8_902, 197_281]);
}

#[test]
fn chess_lists_the_same_moves() {
    compare(
        "chess",
        6,
        |_, _| chess::Board::default(),
        |game, position, mv| {
            if name(game, mv) == "castle" {
                // A king in the e-file goes to the g-file or the c-file.
                let king = 4 + 56 * small(position.mover.into());
                return (king, if mv.args[0].number() == Some(0) { king + 2 } else { king - 2 }, 0);
            }
            let becomes = mv
                .args
                .get(2)
                .and_then(Value::number)
                .map_or(0, |kind| small(usize::try_from(kind).expect("a kind")) + 1);
            let squares = fields(game, &Move { action: mv.action, args: mv.args[..2].into() }, 8);
            (small(squares[0]), small(squares[1]), becomes)
        },
    );
}

#[test]
fn connect_four_lists_the_same_moves() {
    compare("connect-four", 20, |_, _| connect_four::Board::default(), |game, _, mv| fields(game, mv, 7)[0] % 7);
}

#[test]
fn breakthrough_lists_the_same_moves() {
    compare(
        "breakthrough",
        10,
        |_, _| breakthrough::Board::default(),
        |game, _, mv| {
            let fields = fields(game, mv, 8);
            (small(fields[0]), small(fields[1]))
        },
    );
}

#[test]
fn halali_lists_the_same_moves() {
    compare("halali", 6, wood, |game, _, mv| {
        let fields = fields(game, mv, 9);
        match name(game, mv) {
            "flip" => halali::Move::Flip(fields[0]),
            "go" => halali::Move::Go(fields[0], fields[1]),
            "take" => halali::Move::Take(fields[0], fields[1]),
            _ => halali::Move::Leave(fields[0]),
        }
    });
}

/// The wood as it was dealt.
fn wood(game: &Game, position: &Position) -> halali::Board {
    let mut board = halali::Board::bare();
    for (site, piece) in position.sites.iter().enumerate() {
        let Some(piece) = piece else { continue };
        let kind = match game.kinds[piece.kind].name.as_str() {
            "bear" => halali::Kind::Bear,
            "fox" => halali::Kind::Fox,
            "woodcutter" => halali::Kind::Woodcutter,
            "hunter" => halali::Kind::Hunter,
            "pheasant" => halali::Kind::Pheasant,
            "duck" => halali::Kind::Duck,
            _ => halali::Kind::Tree,
        };
        let gun = game.kinds[piece.kind].fields.iter().position(|field| field.name == "gun");
        let aim = gun.map(|gun| &game.topology.directions[usize::try_from(piece.fields[gun]).expect("a direction")]);
        let gun = aim.and_then(|aim| ["e", "n", "w", "s"].iter().position(|way| *way == aim.name)).unwrap_or(0);
        let (column, row) = place(game, site);
        board.put(row * 9 + column, halali::Tile { kind, covered: true, gun });
    }
    board
}

#[test]
fn playouts_take_about_as_long() {
    let tables = halma::Tables::new();
    let plies = |rules: &str, one: &mut dyn FnMut(&mut Stream) -> u32| {
        let engine = Fast::new(game(&rules_of(rules), &Setup::default()));
        let games = 60;
        let ours = playouts(&engine, 2_000, 0, games).decisions;
        let theirs: u64 = (0..games).map(|number| u64::from(one(&mut Stream::new(0, "bench", number)))).sum();
        assert!(ours < 2 * theirs && theirs < 2 * ours, "{rules}: {ours} and {theirs}");
    };
    plies("halma", &mut |dice| halma::playout(&tables, dice, &mut Vec::new()));
    plies("kalaha", &mut |dice| kalaha::playout(dice, &mut Vec::new()));
    plies("connect-four", &mut |dice| playout(connect_four::Board::default(), dice, &mut Vec::new()));
    plies("breakthrough", &mut |dice| playout(breakthrough::Board::default(), dice, &mut Vec::new()));
    plies("halali", &mut |dice| {
        let board = halali::Board::dealt(dice);
        playout(board, dice, &mut Vec::new())
    });
}
