//! The speed of rule files: `cargo bench`. Compare only figures of the same run; the yardsticks show how fast the
//! machine is.

use divan::Bencher;
use divan::counter::ItemsCount;
use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{Setup, load};
use regelwerk::model::Engine;
use regelwerk::play::{Stream, playouts};
use regelwerk::reference::Walker;

use disk::{Disk, read, rules_of};

#[path = "../tests/disk.rs"]
mod disk;
mod yardsticks;

/// The maximum number of plies per game.
const CAP: u32 = 2_000;
/// The number of playouts in one sample.
const GAMES: u64 = 20;

/// The games with their numbers of players.
const TABLES: [(&str, u32); 10] = [
    ("halma", 2),
    ("sternhalma", 2),
    ("sternhalma", 6),
    ("kalaha", 2),
    ("kalaha", 4),
    ("halali", 2),
    ("hai-noon", 2),
    ("hai-noon", 4),
    ("halli-galli", 3),
    ("halli-galli", 6),
];

fn main() {
    divan::main();
}

fn game(name: &str, players: u32) -> Game {
    let path = rules_of(name);
    let setup = Setup { players: Some(players), ..Setup::default() };
    load(&path.display().to_string(), &read(&path), &Disk, &setup).game.expect("a shipped game checks")
}

/// A label of a game and its players.
fn label((name, players): &(&str, u32)) -> String {
    format!("{name} {players}")
}

fn table(label: &str) -> (&'static str, u32) {
    TABLES.into_iter().find(|table| self::label(table) == label).expect("a table")
}

/// Decisions per second, in random playouts on one thread.
#[divan::bench(args = TABLES.iter().map(label))]
fn decisions(bencher: Bencher<'_, '_>, label: &str) {
    let (name, players) = table(label);
    run(bencher, &Fast::new(game(name, players)));
}

/// The same on the reference interpreter.
#[divan::bench(args = TABLES.iter().map(label), sample_count = 3)]
fn reference(bencher: Bencher<'_, '_>, label: &str) {
    let (name, players) = table(label);
    run(bencher, &Walker::new(game(name, players)));
}

fn run(bencher: Bencher<'_, '_>, engine: &dyn Engine) {
    let count = playouts(engine, CAP, 0, GAMES).decisions;
    bencher.counter(ItemsCount::new(count)).bench_local(|| playouts(engine, CAP, 0, GAMES));
}

/// Plies per second of the handwritten playouts.
#[divan::bench(args = ["halma 2", "kalaha 2"])]
fn yardstick(bencher: Bencher<'_, '_>, label: &str) {
    let tables = yardsticks::halma::Tables::new();
    let play = |games: u64| {
        let (mut pairs, mut pits) = (Vec::new(), Vec::new());
        let games = 0..games;
        games
            .map(|number| {
                let mut dice = Stream::new(0, "bench", number);
                match label {
                    "halma 2" => yardsticks::halma::playout(&tables, &mut dice, &mut pairs),
                    _ => yardsticks::kalaha::playout(&mut dice, &mut pits),
                }
            })
            .map(u64::from)
            .sum::<u64>()
    };
    bencher.counter(ItemsCount::new(play(GAMES))).bench_local(|| play(GAMES));
}

/// Loading, checking and lowering a rule file.
#[divan::bench(args = TABLES.iter().map(label))]
fn loading(bencher: Bencher<'_, '_>, label: &str) {
    let (name, players) = table(label);
    bencher.bench_local(|| Fast::new(game(name, players)));
}
