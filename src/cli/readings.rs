//! `readings`: how much the gaps of a document matter.

use crate::base::SaturatingFrom;
use serde_json::{Value, json};

use super::compare::name;
use super::exit::{Exit, Failure};
use super::game::{SetupArgs, open, rule_file};
use super::playing::{MOST, PlayingArgs};
use super::ui::Ui;
use crate::api::Rules;
use crate::bundled;
use crate::ir::{Force, Game};
use crate::load::Setup;
use crate::measure::statistics::{Estimate, wilson};
use crate::measure::{
    AlternativeReading, Difference, Effect, Plan, Side, Tried, Weight, alternative_readings, effects, has_turns,
    is_claimed, play_pairs, simulate,
};
use crate::serve::{difference_json, estimate_json};

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
    /// Print a Markdown page
    #[arg(long)]
    markdown: bool,
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
    let games = match args.games.as_slice() {
        [] => bundled::games().into_iter().map(str::to_owned).collect(),
        games => games.to_vec(),
    };
    let (mut values, mut pages) = (Vec::new(), Vec::new());
    for game in &games {
        let page = measure(game, args, ui)?;
        if ui.is_json() {
            values.push(as_json(&page));
        } else if args.markdown {
            pages.push(page);
        } else {
            for line in as_text(&page) {
                ui.line(line);
            }
        }
    }
    if ui.is_json() {
        ui.json(&json!({"seed": args.seed, "cap": args.playing.cap, "games": values}));
    } else if args.markdown {
        ui.print(&markdown(args, &pages));
    }
    Ok(Exit::Done)
}

fn flags(setup: &Setup) -> SetupArgs {
    SetupArgs {
        players: setup.players,
        variants: setup.variants.clone(),
        readings: setup.readings.clone(),
        ..SetupArgs::default()
    }
}

/// Compares all readings of a game.
fn measure(game: &str, args: &ReadingsArgs, ui: Ui) -> Result<Page, Failure> {
    let opened = open(ui, game, &SetupArgs::default())?;
    let all = alternative_readings(&rule_file(game)?);
    let gaps = opened.game().clauses.clauses.iter().filter(|(_, clause)| clause.force == Force::Gap);
    let unread = gaps.map(|(id, _)| id).filter(|id| all.iter().all(|alternative| !alternative.gaps.contains(id)));
    let unread: Vec<String> = unread.cloned().collect();
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
    if let (Some(players), [], [_, ..]) = (args.players, chosen.as_slice(), all.as_slice()) {
        let failure = Failure::new(Exit::Usage, format!("{game} has no alternative readings for {players} players"));
        return Err(failure.cure("leave out `--players` to see for which player counts there are some"));
    }
    let pool = args.playing.pool()?;
    let bar = ui.bar(chosen.len() as u64, game);
    let mut tried = Vec::new();
    for alternative in chosen {
        let (one, two) = (open(ui, game, &flags(&alternative.other))?, open(ui, game, &flags(&alternative.setup))?);
        let plan = args.playing.plan(two.game(), args.seed)?;
        bar.set_message(alternative.name.clone());
        tried.push(pool.install(|| play(args, alternative, &one, &two, &plan)));
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Page { opened, effects: effects(tried), unread })
}

/// Plays an alternative reading against the default.
fn play(args: &ReadingsArgs, alternative: &AlternativeReading, one: &Rules, two: &Rules, plan: &Plan) -> Tried {
    let starts = [one.engine().start(), two.engine().start()];
    let pairs = args.pairs.unwrap_or_else(|| {
        // A different seed, so that the number of pairs does not depend on the games that count.
        let pilot = Plan { seed: plan.seed ^ u64::MAX, ..plan.clone() };
        let tally = simulate(two.engine(), &starts[1], &pilot, 0..PILOT, &|_| ());
        let decisions = u64::saturating_from(tally.branching.sum(1)) / PILOT;
        (args.effort / (2 * decisions.max(1))).clamp(25, 2000)
    });
    let sides = [Side { engine: one.engine(), start: &starts[0] }, Side { engine: two.engine(), start: &starts[1] }];
    Tried {
        alternative: alternative.clone(),
        pairs: play_pairs(sides, plan, true, 0..pairs, &|_| ()),
        turns: has_turns(one.game()) && has_turns(two.game()),
        claimed: is_claimed(one.game(), &alternative.gaps),
    }
}

fn word(weight: Weight) -> &'static str {
    match weight {
        Weight::Decides => "decides",
        Weight::Matters => "matters",
        Weight::Unnoticed => "unnoticed",
        Weight::Idle => "idle",
        Weight::Claimed => "claims-only",
        Weight::Untold => "untold",
    }
}

fn as_json(page: &Page) -> Value {
    let game = page.opened.game();
    let readings: Vec<Value> = page
        .effects
        .iter()
        .map(|effect| {
            let (alternative, pairs) = (&effect.tried.alternative, &effect.tried.pairs);
            let real: Vec<Value> = effect.real.iter().map(|one| difference_json(game, one)).collect();
            json!({
                "reading": alternative.name, "default": alternative.default, "about": alternative.text, "gaps": alternative.gaps,
                "players": alternative.setup.players, "pairs": pairs.pairs, "weight": word(effect.weight),
                "results_differ": {"count": pairs.results, "share": estimate_json(&effect.results)},
                "courses_differ": {"count": pairs.courses, "share": estimate_json(&effect.courses)},
                "length": difference_json(game, &effect.length), "shift": difference_json(game, &effect.shift),
                "differences": real,
            })
        })
        .collect();
    json!({
        "game": game.name, "digest": format!("{:016x}", game.digest), "readings": readings,
        "gaps_without_reading": page.unread,
    })
}

/// A share in per cent, with enough digits to be informative.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent != 0.0 && percent.abs() < 0.95 { format!("{percent:.2} %") } else { format!("{percent:.1} %") }
}

/// The effect of a reading, as a sentence.
fn verdict(effect: &Effect) -> String {
    match effect.weight {
        Weight::Decides => format!("decides {} of games: ask the author", percent(effect.results.value)),
        Weight::Matters if effect.results.value > 0.0 => format!("decides {} of games", percent(effect.results.value)),
        Weight::Matters => "decides no game, but games take a different course".to_owned(),
        Weight::Unnoticed => format!("no measurable effect: decides at most {}", percent(effect.results.high)),
        Weight::Idle => format!("never came up: in at most {} of games", percent(effect.courses.high)),
        Weight::Claimed => "comes up only in claims and offers, which random play does not make".to_owned(),
        Weight::Untold => "unknown: games take a different course, but none reached an end".to_owned(),
    }
}

/// A difference in a few words, if it is significant.
fn told(game: &Game, one: &Difference) -> String {
    let signed = |value: f64| format!("{value:+.1}");
    let Estimate { value, low, high } = one.difference;
    if one.figure.is_share() {
        let points = |share: f64| signed(share * 100.0);
        let who = name(game, one.figure);
        return format!("{who} {} points ({} to {})", points(value), points(low), points(high));
    }
    let relative = one.relative.map_or_else(String::new, |e| format!(", {:+.1} %", e.value * 100.0));
    format!("{} {} ({} to {}{relative})", name(game, one.figure), signed(value), signed(low), signed(high))
}

/// The significant differences: the length and the greatest shift.
fn changes(game: &Game, effect: &Effect) -> Vec<String> {
    let real = |one: &&Difference| effect.real.iter().any(|other| other.figure == one.figure);
    let found: Vec<String> =
        [&effect.length, &effect.shift].into_iter().filter(real).map(|one| told(game, one)).collect();
    match (found.is_empty(), effect.weight) {
        (true, Weight::Decides | Weight::Matters) => vec!["no change in the mean detected".to_owned()],
        (_, _) => found,
    }
}

fn gaps(alternative: &AlternativeReading) -> String {
    alternative.gaps.iter().map(|gap| format!("§{gap}")).collect::<Vec<_>>().join(", ")
}

fn as_text(page: &Page) -> Vec<String> {
    let game = page.opened.game();
    let mut lines = vec![format!("{}: {} readings", game.name, page.effects.len()), page.sample()];
    for effect in &page.effects {
        let alternative = &effect.tried.alternative;
        let players = alternative.players;
        let mut parts = vec![verdict(effect)];
        parts.extend(changes(game, effect));
        lines.push(format!("  {:32} {players} players  {}  {}", alternative.name, parts.join("; "), gaps(alternative)));
    }
    if !page.unread.is_empty() {
        lines.push(format!("gaps without another reading: {}", page.unread.join(", ")));
    }
    lines
}

/// For each reading, the number of players for which it decides most; those come first.
fn rows(page: &Page) -> Vec<&Effect> {
    let mut rows: Vec<&Effect> = Vec::new();
    for effect in &page.effects {
        if rows.iter().all(|row| row.tried.alternative.name != effect.tried.alternative.name) {
            rows.push(effect);
        }
    }
    rows
}

fn markdown(args: &ReadingsArgs, pages: &[Page]) -> String {
    let mut lines = vec![
        "# How much the gaps in the documents matter\n".to_owned(),
        "This page is generated by `regelwerk readings --markdown > docs/readings.md`".to_owned(),
        format!("(seed {}, at most {} plies a game); [statistics](statistics.md)", args.seed, args.playing.cap),
        ABOUT.to_owned(),
    ];
    for page in pages {
        let game = page.opened.game();
        lines.push(format!("\n## {}\n\n<!-- digest {:016x} -->", game.title, game.digest));
        lines.push(format!("{}.\n", page.sample()));
        lines.push("| gap | alternative reading | players | decides | changes | pairs |".to_owned());
        lines.push("|---|---|--:|---|---|--:|".to_owned());
        lines.extend(rows(page).into_iter().map(|effect| row(game, effect)));
        if !page.unread.is_empty() {
            let unread: Vec<String> = page.unread.iter().map(|gap| format!("§{gap}")).collect();
            lines.push(format!("\nWithout an alternative reading to play: {}.", unread.join(", ")));
        }
    }
    lines.join("\n") + "\n"
}

const ABOUT: &str = "\
explains the figures. Every alternative reading was compared with the default, for every number
of players, in pairs of random games with common random numbers.

- *decides*: the share of pairs whose results differ for some seat. The intervals hold jointly for all readings of
  a game.
- *changes*: figures whose means were found to differ, corrected for all figures of all readings of the game:
  the alternative minus the default.
- If there are several player counts, the one for which the reading decides most is shown.

Random players make no claims or offers and do not play well: what decides little here may matter among good
players. Where all games stop at the maximum number of plies, nothing can be decided.";

fn row(game: &Game, effect: &Effect) -> String {
    let (alternative, results) = (&effect.tried.alternative, &effect.results);
    let decides = match effect.weight {
        Weight::Decides | Weight::Matters => {
            let bold = if effect.weight == Weight::Decides { "**" } else { "" };
            let (low, high) = (percent(results.low), percent(results.high));
            format!("{bold}{}{bold} ({low} to {high})", percent(results.value))
        }
        Weight::Unnoticed | Weight::Idle | Weight::Claimed | Weight::Untold => verdict(effect),
    };
    let (changes, players) = (changes(game, effect).join("; "), alternative.players);
    let pairs = effect.tried.pairs.pairs;
    format!(
        "| {} | `{}`: {} | {players} | {decides} | {changes} | {pairs} |",
        gaps(alternative),
        alternative.name,
        alternative.text
    )
}
