//! `simulate`: many random games and their statistics.

use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use super::figures::Found;
use super::game::{GameArgs, open, start_at};
use super::merge::sealed;
use super::playing::{MOST, PlayingArgs, share};
use super::report::svg;
use super::ui::Ui;
use super::write::{Content, write_result};
use crate::api::Rules;
use crate::measure::{Looks, Plan, Settings, Shard, Tally, simulate, summary};

/// Plays random games and reports statistics, each with its 95 % confidence interval
///
/// All legal answers are equally likely. Game number n uses stream n of the seed,
/// so results depend neither on threads nor on how games are divided into shards.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST))]
    games: u64,
    #[command(flatten)]
    playing: PlayingArgs,
    /// Start from this position
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Do not check the invariants in every position
    #[arg(long)]
    no_invariants: bool,
    /// Trace the first N games: which rules and clauses are used, and who leads
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "100")]
    rules: Option<u64>,
    /// Stop before N games once the mean length is known to this relative precision, and each seat's
    /// wins to this fraction of all games, such as 1%. Intervals are widened accordingly
    #[arg(long, value_name = "SHARE", value_parser = share)]
    precision: Option<f64>,
    /// Draw the figures to this file: lengths, results, branching
    #[arg(long, value_name = "FILE.svg", conflicts_with = "shard")]
    report: Option<PathBuf>,
    /// Play only shard I of K and write its totals; `merge` joins the shards
    #[arg(long, value_name = "I/K", value_parser = shard, conflicts_with_all = ["precision"])]
    shard: Option<(u64, u64)>,
    /// Where to write the shard; by default GAME.I-of-K.json
    #[arg(long, value_name = "FILE", requires = "shard")]
    out: Option<PathBuf>,
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parsed = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parsed {
        Some((part, of)) if (1..=of).contains(&part) => Ok((part, of)),
        Some(_) | None => Err("write it as SHARD/SHARDS, such as 1/4, counting from 1".to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(args: &SimulateArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    let plain = args.playing.plan(opened.game(), args.game.setup.seed())?;
    let plan = Plan { invariants: !args.no_invariants, traced: args.rules.unwrap_or(0), ..plain };
    let mut settings = settings(args, &opened, plan);
    if let Some((part, of)) = args.shard {
        return one_part(args, ui, &opened, settings, part, of);
    }
    let looks = Looks::new(args.games, args.precision.is_some());
    let (start, pool) = (start_at(&opened, args.position.as_deref())?, args.playing.pool()?);
    let bar = ui.bar(args.games, "playing");
    let mut tally = Tally::new(opened.game());
    for part in looks.parts() {
        let told = |done| bar.set_position(part.start + done);
        let more = pool.install(|| simulate(opened.engine(), &start, &settings.plan, part.clone(), &told));
        tally = tally.merge(&more);
        let found = summary(opened.game(), &tally, looks.level());
        if args.precision.is_some_and(|precision| found.is_precise(precision)) {
            break;
        }
    }
    bar.finish_and_clear();
    settings.games = tally.games;
    show(ui, &opened, &settings, looks, &tally, args.report.as_deref())
}

fn settings(args: &SimulateArgs, opened: &Rules, plan: Plan) -> Settings {
    let setup = &args.game.setup;
    Settings {
        game: args.game.game.clone(),
        digest: format!("{:016x}", opened.game().digest),
        players: setup.players,
        variants: setup.variants.clone(),
        readings: setup.readings.clone(),
        options: setup.options.clone(),
        position: args.position.clone(),
        games: args.games,
        plan,
    }
}

/// Prints the results, and draws them.
///
/// # Errors
/// If the drawing cannot be written.
pub(super) fn show(
    ui: Ui,
    opened: &Rules,
    settings: &Settings,
    looks: Looks,
    tally: &Tally,
    report: Option<&Path>,
) -> Result<Exit, Failure> {
    let summary = summary(opened.game(), tally, looks.level());
    let found = Found { opened, settings, looks: looks.parts().count(), tally, summary: &summary };
    if ui.is_json() {
        ui.json(&found.json());
    } else {
        for line in found.text() {
            ui.line(line);
        }
    }
    if let Some(path) = report {
        let game = opened.game();
        let (games, players, seed) = (tally.games, game.seats.len(), settings.plan.seed);
        let title = format!("{}: {games} random games with {players} players, seed {seed}", game.title);
        write_result(path, Content::Markup, &svg(game, &title, tally, &summary))?;
    }
    Ok(match (tally.violations, tally.exhausted) {
        (0, 0) => Exit::Done,
        (0, _) => Exit::Limit,
        (_, _) => Exit::Faults,
    })
}

/// Plays one shard and writes it.
fn one_part(
    args: &SimulateArgs,
    ui: Ui,
    opened: &Rules,
    settings: Settings,
    part: u64,
    of: u64,
) -> Result<Exit, Failure> {
    let (start, pool) = (start_at(opened, args.position.as_deref())?, args.playing.pool()?);
    let games = settings.part(part, of);
    let bar = ui.bar(games.end - games.start, "playing");
    let told = |done| bar.set_position(done);
    let tally = pool.install(|| simulate(opened.engine(), &start, &settings.plan, games.clone(), &told));
    bar.finish_and_clear();
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.{part}-of-{of}.json", opened.game().name)));
    let shard = Shard { settings, from: games.start, to: games.end, tally };
    write_result(&path, Content::Shard, &sealed(&shard)?)?;
    let played = shard.tally.games;
    ui.note(format!(
        "{}: {played} of {} games; `regelwerk merge` joins the shards",
        path.display(),
        shard.settings.games
    ));
    Ok(if shard.tally.violations > 0 { Exit::Faults } else { Exit::Done })
}
