//! The table of what is aimed at: how fast each game is played at random, and how near that is to its aim.

use std::cell::Cell;
use std::time::{Duration, Instant};

use regelwerk::engine::Fast;
use regelwerk::load::Setup;
use regelwerk::model::Engine;
use regelwerk::play::bench;

use super::{CAP, YARDSTICKS, yardstick_plies};

/// How long a game is played in one round, and how many rounds there are; the best one counts.
const ROUND: Duration = Duration::from_millis(400);
const ROUNDS: u64 = 5;

/// A game, its number of players, options that differ, and the answers a second that are aimed at, in millions.
type Aim = (&'static str, u32, &'static [(&'static str, &'static str)], f64);

const AIMS: [Aim; 24] = [
    ("halma", 2, &[], 1.4),
    ("sternhalma", 2, &[], 2.2),
    ("sternhalma", 6, &[], 1.3),
    ("kalaha", 2, &[], 25.0),
    ("halali", 2, &[], 2.5),
    ("hai-noon", 2, &[], 3.0),
    ("halli-galli", 3, &[], 1.5),
    ("breakthrough", 2, &[], 6.0),
    ("connect-four", 2, &[], 15.0),
    ("english-draughts", 2, &[], 3.0),
    ("chess", 2, &[], 0.4),
    ("reversi", 2, &[], 0.6),
    ("go", 2, &[("size", "9")], 0.6),
    ("quoridor", 2, &[], 0.6),
    ("lines-of-action", 2, &[], 0.6),
    ("nine-mens-morris", 2, &[], 2.0),
    ("oware", 2, &[], 5.0),
    ("amazons", 2, &[], 0.6),
    ("backgammon", 2, &[], 0.6),
    ("hearts", 4, &[], 3.0),
    ("crazy-eights", 4, &[], 3.0),
    ("liars-dice", 2, &[], 3.0),
    ("hex", 2, &[], 4.0),
    ("nested", 2, &[], 3.0),
];

fn per_second(mut round: impl FnMut(u64) -> u64) -> f64 {
    let timed = |number| {
        let begun = Instant::now();
        let done = round(number);
        f64::from(u32::try_from(done).unwrap_or(u32::MAX)) / begun.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(timed).fold(0.0, f64::max)
}

/// Prints the table. The handwritten playouts are measured right after the rule files, so that their ratio tells more than
/// either figure.
#[expect(clippy::print_stdout, reason = "the table is what it is run for")]
pub(crate) fn print() {
    println!(
        "\n| game | seats | answers a second | aim | share of the aim | handwritten | ratio | as machine code | share of the aim |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (name, players, options, aim) in AIMS {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let setup = Setup { players: Some(players), options, ..Setup::default() };
        let engine = Fast::new(super::game_of(name, &setup));
        assert!(engine.lowered(), "{name} is played by the reference interpreter");
        let ours = per_second(|number| {
            let (begun, asked) = (Instant::now(), Cell::new(0_u8));
            let running = || {
                // The clock takes as long as a quick question.
                asked.set(asked.get().wrapping_add(1));
                asked.get() != 0 || begun.elapsed() < ROUND
            };
            bench(&engine, CAP, number, &running).decisions
        });
        let million = ours / 1e6;
        let beside = if YARDSTICKS.contains(&name) && players == 2 {
            let by_hand = per_second(|_| yardstick_plies(name, super::GAMES));
            format!("{:.2} million | {:.3}", by_hand / 1e6, ours / by_hand)
        } else {
            " | ".to_owned()
        };
        let machine = native(engine.game(), aim);
        println!(
            "| {name} | {players} | {million:.3} million | {aim} million | {:.2} | {beside} | {machine} |",
            million / aim
        );
    }
}

/// How fast the compiled game is, where it can be compiled: `cargo bench --features native`.
#[cfg(feature = "native")]
fn native(game: &regelwerk::ir::Game, aim: f64) -> String {
    let Ok(native) = regelwerk::native::Native::new(game) else { return "not yet | ".to_owned() };
    let mut run = native.run().expect("memory for a run");
    let found = per_second(|number| {
        let begun = Instant::now();
        run.bench(CAP, number, &|| begun.elapsed() < ROUND).decisions
    });
    format!("{:.3} million | {:.2}", found / 1e6, found / 1e6 / aim)
}

#[cfg(not(feature = "native"))]
fn native(_: &regelwerk::ir::Game, _: f64) -> String {
    " | ".to_owned()
}
