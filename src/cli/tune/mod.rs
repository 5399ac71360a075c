//! `tune`: which settings of a game come nearest to a target.

mod plot;
mod print;
mod vary;

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::content::Content;
use super::exit::{Exit, Failure};
use super::game::{GameArgs, open};
use super::playing::{MOST, MeasureArgs, PlayingArgs, limited};
use super::shards::{
    ShardArgs, apart, joined, opened, same_command, same_commands, same_rules, sealed, settings as shard_settings,
};
use super::ui::{Ui, shell_word};
use super::write::write_result;
use crate::api::Rules;
use crate::bots::Seated;
use crate::ir::Game;
use crate::load::Asked;
use crate::measure::{
    Aims, Condition, Plan, Quantity, Race, Shard, Side, Tally, condition, expression, matched, part, simulate_seated,
};
use crate::model::Position;
use vary::{Setting, Vary, settings, vary};

/// Searches the settings of a game for a target: which come nearest, and which cannot be told apart
///
/// Every combination of the values to vary plays the same games, in rounds; after each round those that cannot be the
/// answer drop out. All intervals hold jointly with 95 %, for all settings, conditions and rounds.
///
/// A condition is FIGURE = VALUE, FIGURE <= VALUE or FIGURE >= VALUE; `wins even` says that no two seats differ by more
/// than 5 points. A figure is plies, turns, rounds, branching, ended, decided, draws, `wins of SEAT`, the name of a
/// measure, or an expression, read at the end of games. A value is a number, a percentage of games, or a percentage of
/// what the rules give before anything is varied (`80% of base`). `within 3%` after it sets the tolerance.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TuneArgs {
    #[command(flatten)]
    game: GameArgs,
    /// What to vary: an option or a reading, `variant` (`none` for no variant) or `players`. May be given several times
    #[arg(long = "vary", value_name = "NAME=A..B|NAME=A|B", value_parser = vary, required = true)]
    vary: Vec<Vary>,
    /// What to come near to
    #[arg(long, value_name = "CONDITION")]
    target: String,
    /// What else has to hold. May be given several times
    #[arg(long = "keep", value_name = "CONDITION")]
    keeps: Vec<String>,
    /// The most games of each setting
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=MOST))]
    games: u64,
    /// The most games of all settings together; no round begins that would exceed it
    #[arg(long, value_name = "N", default_value_t = MOST)]
    budget: u64,
    #[command(flatten)]
    playing: PlayingArgs,
    #[command(flatten)]
    measures: MeasureArgs,
    /// Draw what is known of each setting's target to this file
    #[arg(long, value_name = "FILE.svg", conflicts_with = "shard")]
    report: Option<PathBuf>,
    #[command(flatten)]
    shard: ShardArgs,
    /// The rounds already merged, where the games are played in shards: the file that `merge --out` wrote
    #[arg(long, value_name = "FILE")]
    after: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  regelwerk tune GAME --vary hand=2..5 --target 'turns = 80% of base' --keep 'wins even'
  regelwerk tune GAME --vary 'variant=none|short' --vary 'tie=shared|drawn' --target 'ended >= 99%' --seat all=mcts:50";

/// How many bytes the rules of all settings may take together, as estimated from their contents.
const MEMORY: usize = 1 << 30;

/// A setting that can be played.
struct Player {
    rules: Rules,
    start: Position,
    seated: Seated,
    plan: Plan,
    /// Which of its seats each seat of the game as it is without these settings is.
    seats: Vec<usize>,
}

impl Player {
    fn open(args: &TuneArgs, ui: Ui, setup: &super::game::SetupArgs) -> Result<Self, Failure> {
        let rules = open(ui, &args.game.game, setup)?;
        let seated = args.playing.seated(&rules)?;
        let plan = args.playing.plan(rules.game(), args.game.setup.seed())?;
        let seats = (0..rules.game().seats.len()).collect();
        Ok(Self { start: rules.engine().start(), seated, plan, seats, rules })
    }

    fn play(&self, games: std::ops::Range<u64>) -> Tally {
        let side = Side::new(self.rules.engine(), &self.start).seated(&self.seated);
        let mut tally = simulate_seated(side, &self.plan, games, &|_| {});
        // Nobody asks for the course of games here, and there may be many settings.
        tally.course.clear();
        tally.reseated(&self.seats)
    }

    /// Whether it has the seats that conditions name, in their places, once they are in the order of the game without settings.
    ///
    /// # Errors
    /// If not.
    fn has_seats(&self, conditions: &[Condition], base: &Rules, label: &str) -> Result<(), Failure> {
        for condition in conditions {
            let Quantity::Wins(seat) = condition.quantity else { continue };
            let name = |rules: &Rules, seat: usize| rules.game().seats.nth(seat).map(|seat| seat.name.clone());
            let (wanted, found) = (name(base, seat), self.seats.get(seat).and_then(|own| name(&self.rules, *own)));
            if let Some(wanted) = wanted.filter(|wanted| Some(wanted) != found.as_ref()) {
                let message = format!("with {label} other seats play, so that `{wanted}` cannot be compared");
                return Err(Failure::new(Exit::Usage, message)
                    .cure("ask for a figure that all settings have, such as `wins even`"));
            }
        }
        Ok(())
    }

    fn none(&self) -> Tally {
        Tally::new(self.rules.game())
    }
}

/// Everything that a search needs.
struct Study {
    base: Player,
    settings: Vec<Setting>,
    players: Vec<Player>,
    aims: Aims,
}

impl Study {
    fn open(args: &TuneArgs, ui: Ui) -> Result<Self, Failure> {
        let texts: Vec<&String> = std::iter::once(&args.target).chain(&args.keeps).collect();
        let mut measures = args.measures.asked();
        for (number, text) in texts.iter().enumerate() {
            let asked = expression(text).filter(|text| measures.iter().all(|one| one.name != *text));
            measures.extend(asked.map(|text| Asked {
                name: format!("{}", number + 1),
                text: text.to_owned(),
                by_turn: false,
            }));
        }
        let setup = args.game.setup.measuring(measures);
        let base = Player::open(args, ui, &setup)?;
        let conditions = texts.iter().map(|text| read(text, base.rules.game())).collect::<Result<Vec<_>, _>>()?;
        let settings = settings(&setup, &args.vary, base.rules.offer())?;
        let aims = Aims { conditions, games: args.games };
        // Nothing is loaded that will not be played.
        let first = aims.looks().first().copied().unwrap_or_default();
        if args.after.is_none() && first.saturating_mul(settings.len() as u64 + 1) > args.budget {
            let message = format!("the first round takes more than the {} games that `--budget` allows", args.budget);
            return Err(Failure::new(Exit::Usage, message).cure("allow more games, or vary fewer values"));
        }
        let bar = ui.bar(settings.len() as u64, "loading");
        let (mut players, mut bytes) = (Vec::new(), 0);
        for setting in &settings {
            let mut player = Player::open(args, ui, &setting.setup).map_err(|mut failure| {
                failure.message = format!("with {}: {}", setting.label(), failure.message);
                failure
            })?;
            player.rules = player.rules.beside(&base.rules);
            bytes += player.rules.bytes_beside(std::iter::once(&base.rules));
            if bytes > MEMORY {
                let message = format!("so many settings of these rules take more than {} MiB", MEMORY >> 20);
                return Err(Failure::new(Exit::Limit, message).cure("vary fewer things at a time, or narrower ranges"));
            }
            player.seats = matched(base.rules.game(), player.rules.game());
            player.has_seats(&aims.conditions, &base.rules, &setting.label())?;
            players.push(player);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(Self { base, settings, players, aims })
    }

    fn rules(&self) -> Vec<&Rules> {
        std::iter::once(&self.base).chain(&self.players).map(|player| &player.rules).collect()
    }

    fn race(&self) -> Race {
        Race::new(self.base.none(), self.players.iter().map(Player::none).collect())
    }

    /// A race that was read, if it is one of these settings.
    fn own(&self, race: Race, file: &Path) -> Result<Race, Failure> {
        if race.fits(self.players.len()) {
            return Ok(race);
        }
        let message = format!("`{}` is not a round of this search: it is about other settings", file.display());
        Err(Failure::new(Exit::Faults, message).cure("name the settings with `--vary` as they were when it was played"))
    }

    /// The games of a round, by number; none if there are no more rounds.
    fn games(&self, race: &Race) -> Option<std::ops::Range<u64>> {
        let looks = self.aims.looks();
        let round = usize::try_from(race.round).ok()?;
        let before = round.checked_sub(1).and_then(|before| looks.get(before));
        looks.get(round).map(|to| before.copied().unwrap_or_default()..*to)
    }

    /// Plays a part of the games of the next round.
    fn play(&self, race: &Race, games: &std::ops::Range<u64>, done: &dyn Fn()) -> Race {
        let mut played = Race::new(self.base.play(games.clone()), self.players.iter().map(Player::none).collect());
        for setting in race.running() {
            played.tallies[setting] = self.players[setting].play(games.clone());
            done();
        }
        played
    }

    /// Whether another round would exceed the budget.
    fn is_too_much(&self, race: &Race, budget: u64) -> bool {
        let played: u64 = race.base.games + race.tallies.iter().map(|tally| tally.games).sum::<u64>();
        let next = self.games(race).map(|games| (games.end - games.start) * (race.running().count() as u64 + 1));
        next.is_some_and(|next| played.saturating_add(next) > budget)
    }

    /// Whether nothing more is played.
    fn is_over(&self, race: &Race, budget: u64) -> bool {
        race.is_settled(&self.aims) || self.games(race).is_none() || self.is_too_much(race, budget)
    }
}

fn read(text: &str, game: &Game) -> Result<Condition, Failure> {
    condition(text, game).map_err(|fault| Failure::new(Exit::Usage, fault.message).cure(fault.cure))
}

/// Runs the command.
pub(super) fn run(args: &TuneArgs, ui: Ui) -> Result<Exit, Failure> {
    apart(args.shard.out.as_deref(), args.after.as_slice())?;
    let study = Study::open(args, ui)?;
    let pool = args.playing.pool()?;
    let mut race = match &args.after {
        Some(file) => {
            let before = opened::<Race>(file)?;
            same_rules(&before.settings, &study.rules())?;
            same_command(&before.settings.command, file)?;
            study.own(before.totals, file)?
        }
        None => study.race(),
    };
    if args.shard.shard.is_some() {
        return one_part(args, ui, &study, &race, &pool);
    }
    while !study.is_over(&race, args.budget) {
        let Some(games) = study.games(&race) else { break };
        let bar = ui.bar(race.running().count() as u64, &format!("round {}", race.round + 1));
        let played = pool.install(|| study.play(&race, &games, &|| bar.inc(1)));
        bar.finish_and_clear();
        race = race.after(&played, &study.aims);
    }
    show(args, ui, &study, &race, args.report.as_deref())
}

/// Plays one shard of the next round and writes it.
fn one_part(args: &TuneArgs, ui: Ui, study: &Study, race: &Race, pool: &rayon::ThreadPool) -> Result<Exit, Failure> {
    let Some(games) = study.games(race).filter(|_| !study.is_over(race, args.budget)) else {
        let failure = Failure::new(Exit::Usage, "there is no round to play");
        return Err(failure.cure("leave out `--shard` to see the results of the rounds played"));
    };
    let (number, of) = args.shard.shard.unwrap_or((1, 1));
    let within = part(games.end - games.start, number, of);
    let bar = ui.bar(race.running().count() as u64, &format!("round {}", race.round + 1));
    let these = games.start + within.start..games.start + within.end;
    let totals = pool.install(|| study.play(race, &these, &|| bar.inc(1)));
    bar.finish_and_clear();
    let mut settings = shard_settings(&study.rules(), games.end - games.start);
    settings.rules.push(mark(race)?);
    let exit = spent(ui, &totals);
    let shard = Shard { settings, from: within.start, to: within.end, totals };
    args.shard.write(ui, &study.base.rules.game().name, &shard, "games")?;
    Ok(exit)
}

/// Identifies the rounds played before a shard.
fn mark(race: &Race) -> Result<String, Failure> {
    let text = serde_json::to_string(race)
        .map_err(|error| Failure::new(Exit::Faults, format!("the rounds cannot be written: {error}")))?;
    Ok(format!("{:016x}", xxh3_64(text.as_bytes())))
}

/// Merges the shards of a round; together with the file of the rounds before, if there were any. Prints the results if
/// it was the last round, else writes the rounds so far.
///
/// # Errors
/// If they do not make up one round.
pub(super) fn merge(args: &TuneArgs, ui: Ui, files: &[PathBuf], out: Option<&Path>) -> Result<Exit, Failure> {
    let study = Study::open(args, ui)?;
    let (mut race, mut parts, mut command) = (study.race(), Vec::new(), Vec::new());
    for file in files {
        let one = opened::<Race>(file)?;
        if !command.is_empty() {
            same_commands(&one.settings.command, &command, file)?;
        }
        command = one.settings.command;
        let totals = study.own(one.totals, file)?;
        if totals.round > 0 {
            race = totals;
        } else {
            parts.push(file.clone());
        }
    }
    if !parts.is_empty() {
        let whole = joined::<Race>(&parts)?;
        let mut before = whole.settings.clone();
        if before.rules.pop() != Some(mark(&race)?) {
            let failure = Failure::new(Exit::Faults, "the shards were played after other rounds than those given here");
            return Err(failure.cure("name the file of the rounds before, which `--after` named when they were played"));
        }
        same_rules(&before, &study.rules())?;
        race = race.after(&whole.totals, &study.aims);
    }
    if study.is_over(&race, args.budget) {
        return show(args, ui, &study, &race, None);
    }
    let Some(path) = out else {
        let failure = Failure::new(Exit::Usage, format!("round {} is not the last one", race.round));
        return Err(failure.cure("write the rounds so far with `--out FILE`, and play the next with `--after FILE`"));
    };
    let games = race.base.games;
    let settings = crate::measure::Settings { command, games, ..shard_settings(&study.rules(), games) };
    let round = race.round;
    write_result(path, Content::Shard, &sealed(&Shard { settings, from: 0, to: games, totals: race })?)?;
    ui.note(format!("{}: {round} rounds; play the next with `--after {}`", path.display(), shell_word(path)));
    Ok(Exit::Done)
}

/// Prints the results, and draws them.
fn show(args: &TuneArgs, ui: Ui, study: &Study, race: &Race, report: Option<&Path>) -> Result<Exit, Failure> {
    let players = args.playing.players(study.base.rules.game())?;
    let stopped = study.games(race).is_some() && !race.is_settled(&study.aims);
    let shown = print::Shown { study, race, players: players.as_deref(), stopped, seed: args.game.setup.seed() };
    if ui.is_json() {
        ui.json(&shown.json());
    } else if ui.is_csv() {
        shown.csv(ui);
    } else {
        for line in shown.text() {
            ui.line(line);
        }
    }
    if let Some(path) = report {
        write_result(path, Content::Page, &plot::svg(&shown))?;
    }
    Ok(spent(ui, race))
}

/// Tells what the step budget left out of the games of all settings.
fn spent(ui: Ui, race: &Race) -> Exit {
    let all = || std::iter::once(&race.base).chain(&race.tallies);
    limited(ui, all().map(|tally| tally.exhausted).sum(), all().map(|tally| tally.unread).sum())
}
