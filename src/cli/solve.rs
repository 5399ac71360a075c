//! `solve`: the result of perfect play.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::game::{GameArgs, dealt, open};
use super::ui::Ui;
use crate::api::Rules;
use crate::model::{Engine, Meter, Position};
use crate::notation::print_move;
use crate::solve::{GameValue, Plan, Progress, Solution, Stop, Unsolvable, solve};
use crate::view::seat_title;

/// Lines of moves are wrapped at this column.
const WIDTH: usize = 78;

/// Solves a small game: computes the result of perfect play
///
/// For small two-player games of perfect information without chance; options can make games
/// small (`--set`). A reported value is proven. Where play can cycle for ever, the value is
/// reported if it does not depend on how that is scored; proven bounds are reported in any case.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Start from this position
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Give the value of each first move
    #[arg(long)]
    each: bool,
    /// Solve a game with claims as if nobody made any
    #[arg(long)]
    without_claims: bool,
    /// The maximum number of moves to try
    #[arg(long, value_name = "N", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The maximum memory for positions, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// The maximum time, in seconds
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    time: Option<u64>,
}

/// How many steps each of the moves allowed by `--nodes` may take on average: some ten times what most games need.
const EACH: u64 = 100_000;

/// How many steps are allowed at least.
const LEAST: u64 = 20_000_000;

/// After how many moves progress is shown.
const SHOWN: u64 = 64;

/// Runs the command.
pub(super) fn run(args: &SolveArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    let start = dealt(&opened, args.position.as_deref(), args.game.setup.seed())?;
    let plan = Plan {
        nodes: args.nodes.unwrap_or(u64::MAX),
        bytes: args.memory << 20,
        each: args.each,
        without_claims: args.without_claims,
    };
    let bar = ui.counter("solving");
    let begin = Instant::now();
    let limit = args.time.map(Duration::from_secs);
    let mut told = |progress: Progress| {
        if progress.nodes.is_multiple_of(SHOWN) {
            bar.set_position(progress.nodes);
            let bounds = bounds(&opened, progress.lower, progress.upper);
            bar.set_message(format!("{} positions; {bounds}", progress.positions));
        }
        limit.is_none_or(|limit| begin.elapsed() < limit)
    };
    let held = args.nodes.map(|nodes| opened.engine().within(&Meter::new(nodes.saturating_mul(EACH).max(LEAST))));
    let found = solve(held.as_deref().unwrap_or(opened.engine()), &start, &plan, &mut told).map_err(|why| {
        let exit = if why == Unsolvable::Budget { Exit::Limit } else { Exit::Usage };
        Failure::new(exit, why.to_string()).cure(why.cure())
    });
    let seconds = begin.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let found = found?;
    if ui.is_json() {
        ui.json(&as_json(&opened, &start, &found, seconds));
    } else {
        as_text(ui, &opened, &start, &found, seconds);
    }
    Ok(if found.stop.is_none() { Exit::Done } else { Exit::Limit })
}

/// The title of the seat with the better result, and its margin.
fn words(opened: &Rules, worth: GameValue) -> String {
    let margin = match worth.margin.unsigned_abs() {
        0 => String::new(),
        margin => format!(" by {margin}"),
    };
    match worth.winner() {
        Some(seat) => format!("{} wins{margin}", seat_title(opened.game(), seat)),
        None => format!("a draw{margin}"),
    }
}

/// The proven bounds.
fn bounds(opened: &Rules, lower: Option<GameValue>, upper: Option<GameValue>) -> String {
    let first = seat_title(opened.game(), 0);
    match (lower, upper) {
        (None, None) => "nothing".to_owned(),
        (Some(lower), None) => format!("for {first} at least: {}", words(opened, lower)),
        (None, Some(upper)) => format!("for {first} at most: {}", words(opened, upper)),
        (Some(lower), Some(upper)) if lower == upper => words(opened, lower),
        (Some(lower), Some(upper)) => {
            format!("for {first} at least: {}; at most: {}", words(opened, lower), words(opened, upper))
        }
    }
}

/// The moves of the line of optimal play as text.
fn line(engine: &dyn Engine, start: &Position, found: &Solution) -> Vec<String> {
    let mut position = start.clone();
    let mut texts = Vec::new();
    for mv in &found.line {
        texts.push(print_move(engine.game(), &position, mv));
        position = engine.play_unchecked(&position, mv);
    }
    texts
}

fn why(stop: Stop) -> &'static str {
    match stop {
        Stop::Nodes => "the limit `--nodes` was reached",
        Stop::Memory => "the limit `--memory` was reached",
        Stop::Time => "the limit `--time` was reached",
        Stop::Depth => "a line of play is too long to follow",
        Stop::Cycles => "play can cycle for ever, and the value depends on how that is scored",
        Stop::Budget => "the step budget ran out while listing moves",
    }
}

fn as_text(ui: Ui, opened: &Rules, start: &Position, found: &Solution, seconds: f64) {
    let game = opened.game();
    match (found.value(), found.stop) {
        (Some(worth), _) => {
            let text = words(opened, worth);
            let text = if worth.winner().is_none() { format!("perfect play gives {text}") } else { text };
            ui.line(format!("{}: {text}.", game.name));
        }
        (None, stop) => {
            ui.line(format!("{}: not solved; {}.", game.name, stop.map_or("", why)));
            ui.line(format!("Proven: {}.", bounds(opened, found.lower, found.upper)));
        }
    }
    if !found.line.is_empty() {
        let mut text = "A line of optimal play:".to_owned();
        let mut moves = line(opened.engine(), start, found);
        if !found.line_ends {
            moves.push("…".to_owned());
        }
        for mv in moves {
            let last = text.lines().last().unwrap_or("").chars().count();
            text.push_str(if last + mv.chars().count() >= WIDTH { "\n  " } else { " " });
            text.push_str(&mv);
        }
        ui.line(text);
    }
    for (mv, worth) in &found.each {
        let worth = worth.map_or_else(|| "open".to_owned(), |worth| words(opened, worth));
        ui.line(format!("{}: {worth}", print_move(game, start, mv)));
    }
    if !game.offers.is_empty() {
        ui.line("Offers are ignored: what both players must agree to changes nothing between perfect players.");
    }
    ui.line(format!("{} moves tried, {} positions stored, {seconds:.1} s.", found.nodes, found.positions));
}

fn as_json(opened: &Rules, start: &Position, found: &Solution, seconds: f64) -> Value {
    let game = opened.game();
    let worth = |worth: Option<GameValue>| match worth {
        None => Value::Null,
        Some(worth) => {
            let winner = worth.winner().and_then(|seat| game.seats.nth(seat)).map(|seat| &seat.name);
            json!({"winner": winner, "margin": worth.margin})
        }
    };
    let each = |(mv, value): &(crate::ir::Move, Option<GameValue>)| json!({"move": print_move(game, start, mv), "value": worth(*value)});
    json!({
        "game": game.name,
        "solved": found.value().is_some(),
        "value": worth(found.value()),
        "least": worth(found.lower),
        "most": worth(found.upper),
        "line": line(opened.engine(), start, found),
        "line_ends": found.line_ends,
        "each": found.each.iter().map(each).collect::<Vec<_>>(),
        "method": found.method.word(),
        "stopped": found.stop.map(Stop::word),
        "nodes": found.nodes,
        "positions": found.positions,
        "seconds": seconds,
    })
}
