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

use disk::{Disk, read, root, rules_of};

mod aims;
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
    // A table only where everything is measured: not for a filter, a list or a test.
    if std::env::args().skip(1).all(|argument| argument == "--bench") {
        aims::print();
    }
}

fn game(name: &str, players: u32) -> Game {
    game_of(name, &Setup { players: Some(players), ..Setup::default() })
}

fn game_of(name: &str, setup: &Setup) -> Game {
    let shipped = rules_of(name);
    let path = if shipped.is_file() { shipped } else { root(&format!("tests/fixtures/{name}.rules")) };
    load(&path.display().to_string(), &read(&path), &Disk, setup).game.expect("a shipped game checks")
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

/// The games with a handwritten playout.
const YARDSTICKS: [&str; 6] = ["halma", "kalaha", "connect-four", "breakthrough", "chess", "halali"];

/// The plies of so many handwritten playouts of a game.
fn yardstick_plies(name: &str, games: u64) -> u64 {
    use yardsticks::{breakthrough, chess, connect_four, halali, halma, kalaha, playout};
    let tables = halma::Tables::new();
    let (mut pairs, mut pits, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    let (mut pawns, mut moves, mut tiles) = (Vec::new(), Vec::new(), Vec::new());
    let game = |number: u64| {
        let mut dice = Stream::new(0, "bench", number);
        match name {
            "halma" => halma::playout(&tables, &mut dice, &mut pairs),
            "kalaha" => kalaha::playout(&mut dice, &mut pits),
            "connect-four" => playout(connect_four::Board::default(), &mut dice, &mut columns),
            "breakthrough" => playout(breakthrough::Board::default(), &mut dice, &mut pawns),
            "chess" => playout(chess::Board::default(), &mut dice, &mut moves),
            _ => {
                let board = halali::Board::dealt(&mut dice);
                playout(board, &mut dice, &mut tiles)
            }
        }
    };
    (0..games).map(game).map(u64::from).sum()
}

/// Plies per second of the handwritten playouts.
#[divan::bench(args = YARDSTICKS)]
fn yardstick(bencher: Bencher<'_, '_>, name: &str) {
    let count = yardstick_plies(name, GAMES);
    bencher.counter(ItemsCount::new(count)).bench_local(|| yardstick_plies(name, GAMES));
}

/// Loading, checking and lowering a rule file.
#[divan::bench(args = TABLES.iter().map(label))]
fn loading(bencher: Bencher<'_, '_>, label: &str) {
    let (name, players) = table(label);
    bencher.bench_local(|| Fast::new(game(name, players)));
}
