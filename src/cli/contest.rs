//! `match`: many games between bots, and their results.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::figures::{ending, lengths_line, shares_line};
use super::game::{GameArgs, open, start_at, threads};
use super::playing::limited;
use super::seats::{bot, seats, timer};
use super::shards::{ShardArgs, joined, same_rules, settings};
use super::ui::Ui;
use crate::api::Rules;
use crate::bots::{Contest, ContestSums, Schedule, Spec, Tally, contest_part};
use crate::measure::{Shard, part};
use crate::say::Lang;
use crate::serve::{estimate_json, shares_json};
use crate::view::{rule_line, seat_title};

/// Plays many games between bots and reports the results
#[derive(Clone, Debug, clap::Args)]
pub(super) struct MatchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Which bot starts on a seat: `random`, `mcts:1000` (iterations), `mcts:1s` (time) or `alphabeta:4` (answers deep).
    /// Seats are given by name or number; all others are played at random
    #[arg(long = "seat", value_name = "SEAT=BOT")]
    seats: Vec<String>,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// The number of threads, by default one per core. Unless bots have time budgets, results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The maximum number of plies per game
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    cap: u32,
    /// Start from this position
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Keep every bot on its seat; by default they rotate by one seat after each game
    #[arg(long)]
    fixed: bool,
    #[command(flatten)]
    shard: ShardArgs,
}

/// Runs the command.
pub(super) fn run(args: &MatchArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    let start = start_at(&opened, args.position.as_deref())?;
    let rules = schedule(args, &opened)?;
    let pool = threads(args.threads)?;
    let (number, of) = args.shard.shard.unwrap_or((1, 1));
    let games = part(rules.games, number, of);
    let bar = ui.bar(games.end - games.start, "playing");
    let told = |done| bar.set_position(done);
    let totals = pool.install(|| contest_part(opened.engine(), &start, &rules, games.clone(), &timer, &told));
    bar.finish_and_clear();
    if args.shard.shard.is_some() {
        let (settings, exhausted) = (settings(&[&opened], rules.games), totals.figures().exhausted);
        let shard = Shard { settings, from: games.start, to: games.end, totals };
        args.shard.write(ui, &opened.game().name, &shard, "games")?;
        return Ok(limited(ui, exhausted, 0));
    }
    Ok(show(ui, &opened, &rules, &totals))
}

/// Merges the shards of a match.
///
/// # Errors
/// If they do not make up one.
pub(super) fn merge(args: &MatchArgs, ui: Ui, files: &[PathBuf]) -> Result<Exit, Failure> {
    let whole = joined::<ContestSums>(files)?;
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    same_rules(&whole.settings, &[&opened])?;
    Ok(show(ui, &opened, &schedule(args, &opened)?, &whole.totals))
}

fn schedule(args: &MatchArgs, opened: &Rules) -> Result<Schedule, Failure> {
    let mut entries = vec![Spec::Random; opened.game().seats.len()];
    for (seat, text) in seats(opened.game(), &args.seats)? {
        entries[seat] = bot(opened.engine(), text)?;
    }
    let seed = args.game.setup.seed();
    Ok(Schedule { entries, games: args.games, cap: args.cap, seed, rotate: !args.fixed })
}

fn show(ui: Ui, opened: &Rules, rules: &Schedule, sums: &ContestSums) -> Exit {
    let found = sums.figures();
    if ui.is_json() {
        ui.json(&as_json(opened, rules, &found));
    } else if ui.is_csv() {
        ui.row(["number", "bot", "games", "wins", "low", "high", "draws", "losses", "undecided"]);
        for (number, (spec, tally)) in rules.entries.iter().zip(&found.entries).enumerate() {
            let (all, win) = (&tally.all, tally.all.win.share);
            let counts = [found.games, all.win.count].map(|count| count.to_string());
            let ends = [win.low, win.high].map(|end| end.to_string());
            let others = [all.draw.count, all.loss.count, all.open.count].map(|count| count.to_string());
            let head = [(number + 1).to_string(), spec.to_string()];
            ui.row(head.into_iter().chain(counts).chain(ends).chain(others));
        }
    } else {
        for line in as_text(opened, rules, &found) {
            ui.line(line);
        }
    }
    limited(ui, found.exhausted, 0)
}

fn as_json(opened: &Rules, rules: &Schedule, found: &Contest) -> Value {
    let game = opened.game();
    let tally = |(number, (spec, tally)): (usize, (&Spec, &Tally))| {
        let seats: Vec<Value> = game
            .seats
            .iter()
            .zip(&tally.seats)
            .filter(|(_, (games, _))| *games > 0)
            .map(|(seat, (games, stats))| {
                let mut value = shares_json(stats);
                value["seat"] = json!(seat.name);
                value["games"] = json!(games);
                value
            })
            .collect();
        let mut value = shares_json(&tally.all);
        value["number"] = json!(number + 1);
        value["bot"] = json!(spec.to_string());
        value["rank"] = json!(if tally.rank > 0.0 { Some(tally.rank) } else { None });
        value["score"] = json!(tally.score);
        value["seats"] = json!(seats);
        value
    };
    let bots: Vec<Value> = rules.entries.iter().zip(&found.entries).enumerate().map(tally).collect();
    let endings: Vec<Value> = found
        .endings
        .iter()
        .map(|&(end, games)| {
            let (word, rule, clauses) = ending(game, end);
            let name = rule.and_then(|rule| game.rules.get(rule)).map(|rule| rule.name.clone());
            json!({"ending": word, "rule": name, "clauses": clauses, "games": games})
        })
        .collect();
    let l = &found.lengths;
    let [p5, _, median, _, p95] = l.quantiles.map(|quantile| quantile.value);
    json!({
        "game": game.name, "players": game.seats.len(), "games": found.games, "seed": rules.seed, "cap": rules.cap,
        "rotated": rules.rotate, "bots": bots, "endings": endings, "capped": found.capped, "budget": found.exhausted,
        "plies": {"mean": estimate_json(&l.mean), "min": l.min, "p5": p5, "median": median, "p95": p95, "max": l.max},
    })
}

fn as_text(opened: &Rules, rules: &Schedule, found: &Contest) -> Vec<String> {
    let game = opened.game();
    let turned = if rules.rotate { "rotating seats" } else { "on fixed seats" };
    let mut lines = vec![
        format!(
            "{}: {} games between {} bots, {turned}, seed {}",
            game.name,
            found.games,
            game.seats.len(),
            rules.seed
        ),
        lengths_line("plies", &found.lengths),
    ];
    for (number, (spec, tally)) in rules.entries.iter().zip(&found.entries).enumerate() {
        let mut line = shares_line(&format!("{}. {spec}", number + 1), &tally.all);
        if game.seats.len() > 2 && tally.rank > 0.0 {
            line = format!("{line}, mean rank {:.2}", tally.rank);
        }
        if let Some(score) = tally.score {
            line = format!("{line}, mean score {score:.1}");
        }
        lines.push(line);
        for (seat, (games, stats)) in tally.seats.iter().enumerate().filter(|(_, (games, _))| *games > 0) {
            lines.push(shares_line(&format!("   as {} in {games} games", seat_title(game, seat)), stats));
        }
    }
    for &(end, games) in &found.endings {
        let (word, rule, clauses) = ending(game, end);
        let name = rule.map_or_else(|| word.to_owned(), |rule| rule_line(Lang::En, game, opened.sources(), rule));
        let cited: Vec<String> = clauses.iter().map(|clause| format!("§{clause}")).collect();
        let prefix = if word == "rule" { String::new() } else { format!("{word}: ") };
        lines.push(format!("ended {games} times by {prefix}{name} {}", cited.join(", ")).trim_end().to_owned());
    }
    if found.capped > 0 {
        lines.push(format!("stopped after {} plies: {} games", rules.cap, found.capped));
    }
    lines
}
