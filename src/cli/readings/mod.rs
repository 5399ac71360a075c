//! `readings`: how much the gaps of a document matter.

mod print;

use std::path::PathBuf;

use serde_json::{Value, json};

use print::{as_csv, as_json, as_text, markdown, percent};

use super::exit::{Exit, Failure};
use super::game::{SetupArgs, open, open_metered, rule_file};
use super::limits::StepArgs;
use super::playing::{MOST, PlayingArgs, limited};
use super::shards::{ShardArgs, joined, same_rules, settings};
use super::ui::Ui;
use crate::api::Rules;
use crate::base::SaturatingFrom;
use crate::bundled;
use crate::diff;
use crate::ir::{Force, Seat};
use crate::load::{Loaded, Setup};
use crate::measure::statistics::wilson;
use crate::measure::{
    AlternativeReading, Effect, Pairs, Plan, Shard, Side, Tried, alternative_readings, effects, has_turns, is_claimed,
    part, play_pairs, simulate_seated,
};
use crate::model::Meter;

/// Games played to estimate the length of a game before its readings are compared.
const PILOT: u64 = 16;

/// Compares every alternative reading of every gap with the default and ranks them by their effect
///
/// Each is played for every number of players, in pairs of games with common random numbers.
/// A reading decides a game if the results of a pair differ.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ReadingsArgs {
    /// Rule files, or names of bundled games; by default all bundled games
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Only readings and variants with this name
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Only for this number of players
    #[arg(long, value_name = "N")]
    players: Option<u32>,
    /// The number of pairs for each reading and number of players, instead of what the effort allows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST))]
    pairs: Option<u64>,
    /// The approximate number of decisions to play for each reading and number of players, in 25 to 2000 pairs
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    effort: u64,
    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    playing: PlayingArgs,
    #[command(flatten)]
    steps: StepArgs,
    /// Print a Markdown page
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    shard: ShardArgs,
}

/// The results for one game.
struct Page {
    opened: Rules,
    effects: Vec<Effect>,
    /// Gaps without an alternative reading.
    unread: Vec<String>,
}

impl Page {
    /// How many pairs were played for each reading, and how many games stopped undecided.
    fn sample(&self) -> String {
        let pairs = || self.effects.iter().map(|effect| &effect.tried.pairs);
        let most = pairs().map(|one| one.pairs).fold(0, u64::max);
        let least = pairs().map(|one| one.pairs).fold(most, u64::min);
        let open: u64 = pairs().map(|one| 2 * one.open.both + one.open.first + one.open.second).sum();
        let share = wilson(open, 2 * pairs().map(|one| one.pairs).sum::<u64>(), 0.95).value;
        let pairs = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let open = if open == 0 { "none".to_owned() } else { percent(share) };
        format!(
            "{pairs} pairs of random games per reading and number of players; of the games, {open} stopped undecided"
        )
    }
}

/// Runs the command.
pub(super) fn run(args: &ReadingsArgs, ui: Ui) -> Result<Exit, Failure> {
    let mut studies = studies(args, ui)?;
    let mut totals = Vec::new();
    for study in &mut studies {
        totals.extend(measure(study, args, ui)?);
    }
    if let Some((number, of)) = args.shard.shard {
        let settings = settings(&openings(&studies), of);
        // Readings have different numbers of pairs, and each shard its part of all of them.
        let exit = spent(ui, &totals);
        args.shard.write(
            ui,
            "readings",
            &Shard { settings, from: number - 1, to: number, totals },
            "parts of all pairs",
        )?;
        return Ok(exit);
    }
    Ok(show(args, ui, studies, totals))
}

/// Merges the shards of a study.
///
/// # Errors
/// If they do not make up one.
pub(super) fn merge(args: &ReadingsArgs, ui: Ui, files: &[PathBuf]) -> Result<Exit, Failure> {
    let whole = joined::<Vec<Pairs>>(files)?;
    let mut studies = studies(args, ui)?;
    for one in studies.iter_mut().flat_map(|study| &mut study.tries) {
        one.open(ui)?;
    }
    same_rules(&whole.settings, &openings(&studies))?;
    Ok(show(args, ui, studies, whole.totals))
}

fn studies(args: &ReadingsArgs, ui: Ui) -> Result<Vec<Study>, Failure> {
    let games = match args.games.as_slice() {
        [] => bundled::games().into_iter().map(str::to_owned).collect(),
        games => games.to_vec(),
    };
    games.iter().map(|game| Study::open(game, args, ui)).collect()
}

fn openings(studies: &[Study]) -> Vec<&Rules> {
    studies.iter().map(|study| &study.opened).collect()
}

/// Prints what was found; the totals are those of all readings of all games in order.
fn show(args: &ReadingsArgs, ui: Ui, studies: Vec<Study>, totals: Vec<Pairs>) -> Exit {
    let exit = spent(ui, &totals);
    let mut totals = totals.into_iter();
    let mut pages: Vec<Page> = Vec::new();
    for study in studies {
        let count = study.tries.len();
        pages.push(study.page(totals.by_ref().take(count)));
    }
    if ui.is_json() {
        let values: Vec<Value> = pages.iter().map(as_json).collect();
        ui.json(&json!({"seed": args.seed, "cap": args.playing.cap, "games": values}));
    } else if ui.is_csv() {
        as_csv(ui, &pages);
    } else if args.markdown {
        ui.print(&markdown(args, &pages));
    } else {
        for line in pages.iter().flat_map(as_text) {
            ui.line(line);
        }
    }
    exit
}

/// Tells what the step budget left out of the games of all readings.
fn spent(ui: Ui, totals: &[Pairs]) -> Exit {
    limited(ui, totals.iter().map(|pairs| pairs.exhausted).sum(), totals.iter().map(|pairs| pairs.unread).sum())
}

fn flags(setup: &Setup) -> SetupArgs {
    SetupArgs {
        players: setup.players,
        variants: setup.variants.clone(),
        readings: setup.readings.clone(),
        ..SetupArgs::default()
    }
}

/// An alternative that is to be tried.
struct Try {
    game: String,
    alternative: AlternativeReading,
    /// What both sides may take together.
    meter: Meter,
    /// Whether both sides have turns.
    turns: bool,
    /// Whether the gap concerns only claims and offers.
    claimed: bool,
    /// The seats that take part.
    seats: Vec<Seat>,
}

impl Try {
    /// The rules of both sides. There may be hundreds of alternatives, so that none are kept.
    fn open(&mut self, ui: Ui) -> Result<[Rules; 2], Failure> {
        let open = |setup| open_metered(ui, &self.game, &flags(setup), Some(&self.meter));
        let sides = [open(&self.alternative.other)?, open(&self.alternative.setup)?];
        self.turns = sides.iter().all(|side| has_turns(side.game()));
        self.claimed = is_claimed(sides[0].game(), &self.alternative.about) && self.changes_claims_alone()?;
        self.seats = sides[0].game().seats.iter().cloned().collect();
        Ok(sides)
    }

    /// Whether the rules of both sides differ in claims and offers alone, whatever they cite.
    fn changes_claims_alone(&self) -> Result<bool, Failure> {
        let rules = rule_file(&self.game)?;
        let loaded = [&self.alternative.setup, &self.alternative.other].map(|setup| rules.load(setup));
        let sides = loaded
            .each_ref()
            .map(|Loaded { items, game, sources, .. }| game.as_ref().map(|game| diff::Side { items, game, sources }));
        let [Some(old), Some(new)] = sides else { return Ok(false) };
        let claims = |item: &str| ["claim ", "offer ", "reading "].iter().any(|word| item.starts_with(word));
        Ok(diff::compare(&old, &new).changes.iter().all(|change| claims(&change.item)))
    }
}

/// The readings of a game that are to be compared.
struct Study {
    game: String,
    opened: Rules,
    tries: Vec<Try>,
    unread: Vec<String>,
}

impl Study {
    fn open(game: &str, args: &ReadingsArgs, ui: Ui) -> Result<Self, Failure> {
        let opened = open(ui, game, &SetupArgs::default())?;
        let all = alternative_readings(&rule_file(game)?);
        let gaps = opened.game().clauses.clauses.iter().filter(|(_, clause)| clause.force == Force::Gap);
        let unread = gaps.map(|(id, _)| id).filter(|id| all.iter().all(|alternative| !alternative.gaps.contains(id)));
        let unread: Vec<String> = unread.cloned().collect();
        let mut tries = Vec::new();
        for alternative in chosen(game, args, &all)? {
            let (game, alternative, meter) = (game.to_owned(), alternative.clone(), args.steps.meter());
            tries.push(Try { game, alternative, meter, turns: false, claimed: false, seats: Vec::new() });
        }
        Ok(Self { game: game.to_owned(), opened, tries, unread })
    }

    fn page(self, totals: impl Iterator<Item = Pairs>) -> Page {
        let tried = self.tries.into_iter().zip(totals).map(|(one, pairs)| {
            let Try { alternative, turns, claimed, seats, .. } = one;
            Tried { alternative, pairs, turns, claimed, seats }
        });
        let effects = effects(tried.collect());
        Page { opened: self.opened, effects, unread: self.unread }
    }
}

/// The alternatives that the flags name.
fn chosen<'a>(
    game: &str,
    args: &ReadingsArgs,
    all: &'a [AlternativeReading],
) -> Result<Vec<&'a AlternativeReading>, Failure> {
    let named = |alternative: &&AlternativeReading| {
        args.only.as_ref().is_none_or(|only| alternative.name.split([' ', ':']).any(|word| word == only))
            && args.players.is_none_or(|players| alternative.setup.players == Some(players))
    };
    let chosen: Vec<&AlternativeReading> = all.iter().filter(named).collect();
    if let (Some(only), []) = (&args.only, chosen.as_slice()) {
        let mut names: Vec<&str> = all.iter().filter_map(|alternative| alternative.name.split(' ').next()).collect();
        names.dedup();
        let failure = Failure::new(Exit::Usage, format!("{game} has no alternative reading `{only}`"));
        return Err(failure.cure(format!("the choices are {}", names.join(", "))));
    }
    if let (Some(players), [], [_, ..]) = (args.players, chosen.as_slice(), all) {
        let failure = Failure::new(Exit::Usage, format!("{game} has no alternative readings for {players} players"));
        return Err(failure.cure("leave out `--players` to see for which player counts there are some"));
    }
    Ok(chosen)
}

/// Compares all readings of a game, or the part of their pairs that belongs to a shard.
fn measure(study: &mut Study, args: &ReadingsArgs, ui: Ui) -> Result<Vec<Pairs>, Failure> {
    let pool = args.playing.pool()?;
    let bar = ui.bar(study.tries.len() as u64, &study.game);
    let mut totals = Vec::new();
    for one in &mut study.tries {
        bar.set_message(one.alternative.name.clone());
        let sides = one.open(ui)?;
        totals.push(play(args, &sides, &pool)?);
        let what = format!("comparing `{}` in `{}`", one.alternative.name, study.game);
        args.steps.within(&one.meter, &what)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(totals)
}

/// Plays an alternative reading against the default.
fn play(args: &ReadingsArgs, [one, two]: &[Rules; 2], pool: &rayon::ThreadPool) -> Result<Pairs, Failure> {
    let plan = args.playing.plan(two.game(), args.seed)?;
    let seated = [args.playing.seated(one)?, args.playing.seated(two)?];
    let starts = [one.engine().start(), two.engine().start()];
    let sides = [
        Side::new(one.engine(), &starts[0]).seated(&seated[0]),
        Side::new(two.engine(), &starts[1]).seated(&seated[1]),
    ];
    let play = || {
        let pairs = args.pairs.unwrap_or_else(|| {
            // A different seed, so that the number of pairs does not depend on the games that count.
            let pilot = Plan { seed: plan.seed ^ u64::MAX, ..plan.clone() };
            let tally = simulate_seated(sides[1], &pilot, 0..PILOT, &|_| ());
            let decisions = u64::saturating_from(tally.branching.games.sum(1)) / PILOT;
            (args.effort / (2 * decisions.max(1))).clamp(25, 2000)
        });
        let (number, of) = args.shard.shard.unwrap_or((1, 1));
        play_pairs(sides, &plan, true, part(pairs, number, of), &|_| ())
    };
    Ok(pool.install(play))
}
