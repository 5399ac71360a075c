//! A match of two bots: `cargo run --release --example match_bots -- kalaha mcts:200 random 20`.

#![expect(clippy::print_stdout, reason = "a program at the terminal")]

use std::env;
use std::error::Error;

use regelwerk::{Bot, BotTally, Contest, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let arg = |at: usize, usual: &str| args.get(at).map_or(usual, String::as_str).to_owned();
    let rules = Rules::bundled(&arg(0, "kalaha"))?;
    let bots = [arg(1, "mcts:200").parse()?, arg(2, "random").parse()?];
    let result = run(&rules, &bots, arg(3, "20").parse()?)?;
    print!("{}", table(&bots, &result));
    Ok(())
}

/// Plays the bots against each other, rotating seats.
fn run(rules: &Rules, bots: &[Bot], games: u64) -> Result<Contest, Box<dyn Error>> {
    Ok(rules.tournament(bots).games(games).seed(1).run()?)
}

/// A line for each bot, with the interval of its wins.
fn table(bots: &[Bot], result: &Contest) -> String {
    let line = |(bot, entry): (&Bot, &BotTally)| {
        let win = entry.all.win;
        let (low, high) = (100.0 * win.share.low, 100.0 * win.share.high);
        let name = bot.to_string();
        format!("{name:<12} {:>3} won ({low:.0} to {high:.0} %), {:>3} drawn\n", win.count, entry.all.draw.count)
    };
    let lines: String = bots.iter().zip(&result.entries).map(line).collect();
    format!("{} games, {:.1} plies on average\n{lines}", result.games, result.lengths.mean.value)
}

#[test]
fn search_beats_random_play() -> Result<(), Box<dyn Error>> {
    let bots = [Bot::mcts(30), Bot::random()];
    let result = run(&Rules::bundled("kalaha")?, &bots, 6)?;
    assert_eq!(result.games, 6);
    assert!(result.entries[0].all.win.count > result.entries[1].all.win.count, "{}", table(&bots, &result));
    Ok(())
}
