//! The length of random games, with a plot: `cargo run --release --example statistics -- halma 500`.

#![expect(clippy::print_stdout, reason = "a program at the terminal")]

use std::env;
use std::error::Error;

use regelwerk::{Rules, Statistics};

/// The maximum number of bars.
const BARS: i64 = 20;

/// The width of the longest bar.
const WIDTH: u64 = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let game = args.next().unwrap_or_else(|| "kalaha".to_owned());
    let games = args.next().map_or(Ok(500), |text| text.parse())?;
    let figures = Rules::bundled(&game)?.simulate(games).seed(1).run();
    println!("{figures}\n\n{}", plot(&figures));
    Ok(())
}

/// A bar for each range of lengths.
fn plot(figures: &Statistics) -> String {
    let (least, most) = (figures.lengths().min, figures.lengths().max);
    let step = ((most - least) / BARS + 1).max(1);
    let count = |from: i64| -> u64 {
        figures.histogram().filter(|(plies, _)| (from..from + step).contains(plies)).map(|(_, games)| games).sum()
    };
    let bars: Vec<(i64, u64)> =
        (0..=(most - least) / step).map(|n| least + n * step).map(|from| (from, count(from))).collect();
    let highest = bars.iter().map(|(_, games)| *games).max().unwrap_or(1).max(1);
    let line = |(from, games): &(i64, u64)| {
        let length = usize::try_from(games * WIDTH / highest).unwrap_or(0);
        format!("{from:>6} {} {games}\n", "#".repeat(length))
    };
    bars.iter().map(line).collect()
}

#[test]
fn every_game_is_in_the_plot() -> Result<(), Box<dyn Error>> {
    let figures = Rules::bundled("kalaha")?.simulate(50).run();
    let drawn = plot(&figures);
    let games = drawn.lines().filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    assert_eq!(games.sum::<u64>(), 50, "{drawn}");
    assert!(drawn.lines().any(|line| line.contains(&"#".repeat(60))), "{drawn}");
    Ok(())
}
