//! `perft`: counts move sequences.

use serde::Serialize;
use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::game::{GameArgs, dealt, open, threads};
use super::ui::Ui;
use crate::ir::Game;
use crate::notation::print_move;
use crate::play::{Ends, Perft, Progress, perft, perft_with_ends};
use crate::view::seat_title;

/// Counts deeper than this do not finish in a lifetime.
const MAX_DEPTH: i64 = 1000;

/// Counts the move sequences of exactly D plies (perft)
///
/// Outcomes of chance multiply without being plies; a piece drawn from a list counts once for each copy. A secret choice
/// is a ply when it is made, be it carried out or not.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PerftArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The number of plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(0..=MAX_DEPTH))]
    depth: u32,
    /// Count from this position instead of the start
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Show the count for each first move
    #[arg(long)]
    divide: bool,
    /// Say how many games are over after each number of plies, and who has won. Picks, chance and declining after the last
    /// ply multiply that number; to count it, the last ply is played as well
    #[arg(long)]
    ends: bool,
    /// The number of threads, by default one per core. Counts do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// A count, as data.
#[derive(Serialize)]
struct Counted<'c> {
    by_depth: &'c [u64],
    depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Divided>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<Vec<Value>>,
    game: &'c str,
    nodes: u64,
}

/// The sequences that begin with a move.
#[derive(Serialize)]
struct Divided {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

/// Runs the command.
pub(super) fn run(args: &PerftArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    let (engine, game) = (opened.engine(), opened.game());
    let position = dealt(&opened, args.position.as_deref(), args.game.setup.seed())?;
    let bar = ui.bar(0, "counting");
    let told = |progress: Progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(format!("{} sequences", progress.nodes));
    };
    let pool = threads(args.threads)?;
    let count = if args.ends { perft_with_ends } else { perft };
    let found = pool.install(|| count(engine, &position, args.depth, &told));
    bar.finish_and_clear();
    let divided = || found.divide.iter().map(|(mv, count)| (print_move(game, &position, mv), *count));
    if ui.is_json() {
        let seats = || game.seats.iter().map(|seat| seat.name.clone());
        let of = |ends: &Ends| {
            let won: serde_json::Map<String, Value> = seats().zip(ends.won.iter().map(|won| json!(won))).collect();
            json!({"over": ends.over, "won": won, "drawn": ends.drawn})
        };
        ui.json(&Counted {
            by_depth: &found.by_depth,
            depth: args.depth,
            divide: args.divide.then(|| divided().map(|(mv, nodes)| Divided { mv, nodes }).collect()),
            ends: args.ends.then(|| found.ends.iter().map(of).collect()),
            game: &game.name,
            nodes: found.nodes(),
        });
    } else if ui.is_csv() {
        as_csv(ui, game, &found);
    } else {
        for (ply, count) in found.by_depth.iter().enumerate() {
            ui.line(format!(
                "depth {}: {count}{}",
                ply + 1,
                found.ends.get(ply).map_or_else(String::new, |ends| ended(game, ends))
            ));
        }
        if args.depth == 0 {
            ui.line("depth 0: 1");
        }
        if args.divide {
            for (mv, count) in divided() {
                ui.line(format!("{mv}: {count}"));
            }
        }
    }
    if found.limited {
        let message = "the count is incomplete: a limit was reached (the step budget of a decision, \
                       the memory for one sequence, or an endless series of answers that are not plies)";
        return Err(Failure::new(Exit::Limit, message).cure("count to a smaller depth"));
    }
    Ok(Exit::Done)
}

/// How many sequences end the game, and who wins; nothing if none does.
fn ended(game: &Game, ends: &Ends) -> String {
    if ends.over == 0 {
        return String::new();
    }
    let won = ends.won.iter().enumerate().filter(|(_, won)| **won > 0);
    let mut words: Vec<String> = won.map(|(seat, won)| format!("{won} won by {}", seat_title(game, seat))).collect();
    if ends.drawn > 0 {
        words.push(format!("{} drawn", ends.drawn));
    }
    let words = if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) };
    format!(", {} over{words}", ends.over)
}

fn as_csv(ui: Ui, game: &Game, found: &Perft) {
    let mut head = vec!["depth".to_owned(), "sequences".to_owned()];
    if !found.ends.is_empty() {
        head.push("over".to_owned());
        head.extend(game.seats.iter().map(|seat| format!("won_{}", seat.name)));
        head.push("drawn".to_owned());
    }
    ui.row(head);
    for (ply, count) in found.by_depth.iter().enumerate() {
        let mut row = vec![ply as u64 + 1, *count];
        if let Some(ends) = found.ends.get(ply) {
            row.push(ends.over);
            row.extend(&ends.won);
            row.push(ends.drawn);
        }
        ui.row(row.iter().map(u64::to_string));
    }
}
