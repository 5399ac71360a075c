//! `simulate`: many random games, or games between bots, and their statistics.

use std::path::{Path, PathBuf};

use super::content::Content;
use super::exit::{Exit, Failure};
use super::figures::{Found, games_csv};
use super::game::{GameArgs, open, start_at};
use super::playing::{MOST, MeasureArgs, PlayingArgs, share};
use super::report::svg;
use super::shards::{ShardArgs, joined, same_rules, settings};
use super::ui::Ui;
use super::write::{make_folder, write_only, write_result};
use crate::api::Rules;
use crate::measure::{Each, Looks, Plan, Shard, Side, Tally, part, simulate_listed, simulate_seated, steps, summary};
use crate::play::Record;

/// Plays random games and reports statistics, each with its 95 % confidence interval
///
/// All legal answers are equally likely, except on seats with a bot. With `--format csv` each game is a row. Game number n uses stream n of the seed,
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
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with = "shard")]
    precision: Option<f64>,
    /// Draw the figures to this file: lengths, results, branching
    #[arg(long, value_name = "FILE.svg", conflicts_with = "shard")]
    report: Option<PathBuf>,
    #[command(flatten)]
    measures: MeasureArgs,
    #[command(flatten)]
    shard: ShardArgs,
    /// Write the odd games to this folder, as records: the longest, the shortest, those that stopped undecided
    #[arg(long, value_name = "FOLDER", conflicts_with = "shard")]
    records: Option<PathBuf>,
    /// Write all games to the folder instead of the odd ones
    #[arg(long, requires = "records")]
    all_records: bool,
}

/// Runs the command.
pub(super) fn run(args: &SimulateArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = opened(args, ui)?;
    let (plan, seated) = (plan(args, &opened)?, args.playing.seated(&opened)?);
    let start = start_at(&opened, args.position.as_deref())?;
    let (side, pool) = (Side::new(opened.engine(), &start).seated(&seated), args.playing.pool()?);
    let bar = ui.bar(args.games, "playing");
    if let Some((number, of)) = args.shard.shard {
        let settings = settings(&[&opened], args.games);
        let games = part(args.games, number, of);
        let told = |done| bar.set_position(done);
        let totals = pool.install(|| simulate_seated(side, &plan, games.clone(), &told));
        bar.finish_and_clear();
        let exit = exit(&totals);
        let shard = Shard { settings, from: games.start, to: games.end, totals };
        args.shard.write(ui, &opened.game().name, &shard, "games")?;
        return Ok(exit);
    }
    let looks = Looks::new(args.games, args.precision.is_some());
    let (mut tally, mut games) = (Tally::new(opened.game()), Vec::new());
    for part in looks.parts() {
        let told = |done| bar.set_position(part.start + done);
        let more = if ui.is_csv() {
            let (more, each) = pool.install(|| simulate_listed(side, &plan, part.clone(), &told));
            games.extend(each);
            more
        } else {
            pool.install(|| simulate_seated(side, &plan, part.clone(), &told))
        };
        tally = tally.merge(&more);
        let found = summary(opened.game(), &tally, looks.level());
        if args.precision.is_some_and(|precision| found.is_precise(precision)) {
            break;
        }
    }
    bar.finish_and_clear();
    if let Some(folder) = &args.records {
        records(args, ui, &opened, (side, &plan), &tally, folder)?;
    }
    show(args, ui, &opened, (&tally, &games), args.report.as_deref())
}

fn opened(args: &SimulateArgs, ui: Ui) -> Result<Rules, Failure> {
    open(ui, &args.game.game, &args.game.setup.measuring(args.measures.asked()))
}

fn plan(args: &SimulateArgs, opened: &Rules) -> Result<Plan, Failure> {
    let plain = args.playing.plan(opened.game(), args.game.setup.seed())?;
    Ok(Plan { invariants: !args.no_invariants, traced: args.rules.unwrap_or(0), ..plain })
}

/// Merges the shards of a simulation.
///
/// # Errors
/// If they do not make up one.
pub(super) fn merge(args: &SimulateArgs, ui: Ui, files: &[PathBuf], report: Option<&Path>) -> Result<Exit, Failure> {
    if ui.is_csv() {
        let failure = Failure::new(Exit::Usage, "shards hold totals, and no single games to list");
        return Err(failure.cure("merge with `--format json`, or list games with `simulate --format csv`"));
    }
    let whole = joined::<Tally>(files)?;
    let opened = opened(args, ui)?;
    same_rules(&whole.settings, &[&opened])?;
    show(args, ui, &opened, (&whole.totals, &[]), report)
}

/// Prints the results, or each of the games as a row, and draws the results.
fn show(
    args: &SimulateArgs,
    ui: Ui,
    opened: &Rules,
    (tally, games): (&Tally, &[Each]),
    report: Option<&Path>,
) -> Result<Exit, Failure> {
    let (plan, players) = (plan(args, opened)?, args.playing.players(opened.game())?);
    let looks = Looks::new(args.games, args.precision.is_some());
    let summary = summary(opened.game(), tally, looks.level());
    let looks = looks.parts().count();
    let found = Found { opened, plan: &plan, players: players.as_deref(), looks, tally, summary: &summary };
    if ui.is_json() {
        ui.json(&found.json());
    } else if ui.is_csv() {
        games_csv(ui, opened.game(), games);
        found.faults().into_iter().for_each(|line| ui.note(line));
    } else {
        for line in found.text() {
            ui.line(line);
        }
    }
    if let Some(path) = report {
        let game = opened.game();
        let (games, seats, seed) = (tally.games, game.seats.len(), plan.seed);
        let kind = if players.is_some() { "games" } else { "random games" };
        let title = format!("{}: {games} {kind} with {seats} players, seed {seed}", game.title);
        write_result(path, Content::Page, &svg(game, &title, tally, &summary))?;
    }
    Ok(exit(tally))
}

/// What the exit code says of games: whether an invariant was broken, or a limit reached.
fn exit(tally: &Tally) -> Exit {
    match (tally.violations, tally.exhausted + tally.unread) {
        (0, 0) => Exit::Done,
        (0, _) => Exit::Limit,
        (_, _) => Exit::Faults,
    }
}

/// Writes the odd games, or all of them, as records.
fn records(
    args: &SimulateArgs,
    ui: Ui,
    opened: &Rules,
    (side, plan): (Side<'_>, &Plan),
    tally: &Tally,
    folder: &Path,
) -> Result<(), Failure> {
    make_folder(folder)?;
    let games: Vec<(u64, &str)> =
        if args.all_records { (0..tally.games).map(|game| (game, "game")).collect() } else { tally.odd.games() };
    let setup = &args.game.setup;
    for (number, word) in &games {
        let record = Record {
            game: args.game.game.clone(),
            digest: opened.digest(),
            players: setup.players,
            variants: setup.variants.clone(),
            readings: setup.readings.clone(),
            options: setup.options.clone(),
            seed: plan.seed.into(),
            position: args.position.clone(),
            steps: steps(side, plan, *number),
            secrets: !opened.game().has_perfect_information(),
        };
        let path = folder.join(format!("{}-{number}-{word}.ron", opened.game().name));
        write_only(&path, Content::Record, &record.print())?;
    }
    ui.note(format!("{} records in {}; `regelwerk replay` plays one again", games.len(), folder.display()));
    Ok(())
}
