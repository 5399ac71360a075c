//! `compare`: the effect of a variant, a reading or an option.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::figures::interval;

use super::game::GameArgs;
use super::playing::{MOST, MeasureArgs, PlayingArgs, limited, races, share};
use super::shards::{ShardArgs, joined, same_rules, settings};
use super::ui::Ui;
use super::versions::Versions;
use crate::ir::Game;
use crate::measure::statistics::Estimate;
use crate::measure::{Difference, Figure, Looks, Pairs, Shard, Side, differences, part, play_pairs};
use crate::serve::difference_json;
use crate::view::seat_title;

/// Compares two versions of a game by paired simulation
///
/// The setup flags describe the first version, `--against` the second, in which
/// everything else is the same: a variant replaces the last `--variant`,
/// a reading or option is set; another file is played with the same flags. Without it,
/// the second version is the unmodified game with the same number of players.
///
/// The two games of a pair use the same random numbers for chance and moves as far as possible.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// The second version: a VARIANT (several joined by `+`), NAME=VALUE of a reading or option, or
    /// another rule file. May be given several times
    #[arg(long, value_name = "WHAT")]
    pub(super) against: Vec<String>,
    /// The number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=MOST))]
    games: u64,
    #[command(flatten)]
    pub(super) playing: PlayingArgs,
    /// Test for equivalence within this margin: 2% of the second mean for lengths and
    /// branching, 2 percentage points for results
    #[arg(long, value_name = "SHARE", value_parser = share)]
    margin: Option<f64>,
    /// Stop before N pairs once each difference is known to this precision: as a fraction of the second mean
    /// for lengths and branching, of all games for results
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with = "shard")]
    precision: Option<f64>,
    /// Play the games of a pair independently, to see what pairing gains and how often a game
    /// appears to differ from itself
    #[arg(long)]
    pub(super) independent: bool,
    #[command(flatten)]
    pub(super) measures: MeasureArgs,
    #[command(flatten)]
    shard: ShardArgs,
}

const EXAMPLES: &str = "Examples:
  regelwerk compare GAME --variant short --against long      one variant against another
  regelwerk compare GAME --variant short                     a variant against the plain game
  regelwerk compare mine.rules                               a file against the game it extends
  regelwerk compare GAME --variant long --against hand=5     in the variant: the option against its default
  regelwerk compare GAME --reading tie=shared                a reading against the default
  regelwerk compare GAME --against mine.rules                the game against a file of your own";

/// Runs the command.
pub(super) fn run(args: &CompareArgs, ui: Ui) -> Result<Exit, Failure> {
    let versions = Versions::open(args, ui)?;
    let Versions { rules: [one, two], plan, .. } = &versions;
    let (starts, pool) = ([one.engine().start(), two.engine().start()], args.playing.pool()?);
    let seated = [args.playing.seated(one)?, args.playing.seated(two)?];
    let sides = [
        Side::new(one.engine(), &starts[0]).seated(&seated[0]),
        Side::new(two.engine(), &starts[1]).seated(&seated[1]),
    ];
    let bar = ui.bar(args.games, "pairs");
    let paired = !args.independent;
    if let Some((number, of)) = args.shard.shard {
        let games = part(args.games, number, of);
        let totals = pool.install(|| play_pairs(sides, plan, paired, games.clone(), &|done| bar.set_position(done)));
        bar.finish_and_clear();
        let settings = settings(&[one, two], args.games);
        let exit = limited(ui, totals.exhausted, totals.unread);
        let shard = Shard { settings, from: games.start, to: games.end, totals };
        args.shard.write(ui, &one.game().name, &shard, "games")?;
        return Ok(exit);
    }
    let looks = Looks::new(args.games, args.precision.is_some());
    let mut pairs = Pairs::new(one.game());
    for part in looks.parts() {
        let told = |done| bar.set_position(part.start + done);
        let more = pool.install(|| play_pairs(sides, plan, paired, part.clone(), &told));
        pairs = pairs.merge(&more);
        let found = differences(&pairs, versions.turns(), looks.level(), None);
        if args.precision.is_some_and(|precision| found.iter().all(|one| is_precise(one, precision))) {
            break;
        }
    }
    bar.finish_and_clear();
    show(args, ui, &versions, &pairs)
}

/// Merges the shards of a comparison.
///
/// # Errors
/// If they do not make up one.
pub(super) fn merge(args: &CompareArgs, ui: Ui, files: &[PathBuf]) -> Result<Exit, Failure> {
    let whole = joined::<Pairs>(files)?;
    let versions = Versions::open(args, ui)?;
    same_rules(&whole.settings, &versions.rules.each_ref())?;
    show(args, ui, &versions, &whole.totals)
}

/// Prints the results.
fn show(args: &CompareArgs, ui: Ui, versions: &Versions, pairs: &Pairs) -> Result<Exit, Failure> {
    let Versions { rules: [one, _], labels, plan } = versions;
    let looks = Looks::new(args.games, args.precision.is_some());
    let level = looks.level();
    let found = differences(pairs, versions.turns(), level, args.margin);
    let players = args.playing.players(one.game())?;
    let shown = Shown { game: one.game(), labels, pairs, found: &found, args, level, players };
    if ui.is_json() {
        let mut value = shown.json(looks.parts().count());
        value["seed"] = json!(plan.seed);
        value["cap"] = json!(plan.cap);
        value["races"] = json!(races(one.game(), plan));
        value["budget"] = json!(pairs.exhausted);
        value["unread"] = json!(pairs.unread);
        ui.json(&value);
    } else if ui.is_csv() {
        shown.csv(ui);
    } else {
        for line in shown.text(plan.seed) {
            ui.line(line);
        }
    }
    Ok(limited(ui, pairs.exhausted, pairs.unread))
}

/// Whether a difference is known precisely enough.
fn is_precise(difference: &Difference, precision: f64) -> bool {
    let scale = if difference.figure.is_share() { 1.0 } else { difference.second.abs() };
    difference.difference.reach() <= precision * scale
}

/// The name of a figure for people.
pub(super) fn name(game: &Game, figure: Figure) -> String {
    match figure {
        Figure::Plies => "plies".to_owned(),
        Figure::Turns => "turns".to_owned(),
        Figure::Rounds => "rounds".to_owned(),
        Figure::Branching => "answers to choose from".to_owned(),
        Figure::Seat(seat) => format!("{} wins", seat_title(game, seat)),
        Figure::Place(place) => format!("seat {} in turn order wins", place + 1),
        Figure::Draws => "draws".to_owned(),
        Figure::Open => "undecided".to_owned(),
        Figure::Measure(number) => game.measures.get(number).map_or_else(String::new, |measure| measure.name.clone()),
    }
}

struct Shown<'a> {
    game: &'a Game,
    labels: &'a [String; 2],
    pairs: &'a Pairs,
    found: &'a [Difference],
    args: &'a CompareArgs,
    level: f64,
    /// Who plays, if not all at random.
    players: Option<String>,
}

impl Shown<'_> {
    /// Whether all figures are equivalent; not so where values of a measure could not be read, which has then no figure.
    fn is_equivalent(&self) -> bool {
        let measured = self.found.iter().filter(|one| matches!(one.figure, Figure::Measure(_))).count();
        measured == self.game.measures.len() && self.found.iter().all(Difference::is_equivalent)
    }

    fn json(&self, looks: usize) -> Value {
        let figures: Vec<Value> = self.found.iter().map(|one| difference_json(self.game, one)).collect();
        let same = self.args.margin.map(|_| self.is_equivalent());
        json!({
            "game": self.game.name, "players": self.game.seats.len(), "first": self.labels[0],
            "second": self.labels[1], "pairs": self.pairs.pairs, "paired": !self.args.independent,
            "level": self.level, "looks": looks, "courses_differ": self.pairs.courses,
            "results_differ": self.pairs.results, "players_at_seats": self.players, "margin": self.args.margin, "figures": figures, "equivalent": same,
        })
    }

    fn csv(&self, ui: Ui) {
        let [first, second] = self.labels;
        ui.row(["figure", first, second, "difference", "low", "high", "p", "p_holm", "differs"]);
        for one in self.found {
            let Estimate { value, low, high } = one.difference;
            let numbers = [one.first, one.second, value, low, high, one.p, one.corrected];
            let mut row = vec![name(self.game, one.figure)];
            row.extend(numbers.map(|number| number.to_string()));
            row.push(one.is_real().to_string());
            ui.row(row);
        }
    }

    fn text(&self, seed: u64) -> Vec<String> {
        let [first, second] = self.labels;
        let (pairs, players) = (self.pairs, self.game.seats.len());
        let kind = if self.args.independent { "independent pairs" } else { "pairs" };
        let mut lines = vec![
            format!(
                "{}: {first} against {second}, {} {kind} of games with {players} players, seed {seed}",
                self.game.name, pairs.pairs
            ),
            self.sentence(),
        ];
        lines.extend(self.players.as_ref().map(|players| format!("played by {players}")));
        if !self.args.independent {
            lines.push(format!(
                "pairs that diverged: {}; with different results: {}",
                share_of(pairs.courses, pairs.pairs),
                share_of(pairs.results, pairs.pairs)
            ));
        }
        lines.push(String::new());
        let level = format!("difference [{} %]", (self.level * 1000.0).round() / 10.0);
        let head = ["", first, second, &level, "relative", "effect", "p (Holm)", ""].map(str::to_owned);
        let mut rows: Vec<Vec<String>> = vec![head.to_vec()];
        rows.extend(self.found.iter().map(|one| self.row(one)));
        lines.extend(aligned(&rows));
        if let Some(margin) = self.args.margin {
            let margin = margin * 100.0;
            lines.push(String::new());
            lines.push(if self.is_equivalent() {
                format!("equivalent: no figure differs by more than {margin} %")
            } else {
                format!("not shown to be equivalent within {margin} %")
            });
        }
        lines
    }

    /// The difference in length as a sentence: in turns if the game has them.
    fn sentence(&self) -> String {
        let [first, second] = self.labels;
        let of = |figure| self.found.iter().find(|one| one.figure == figure);
        let Some(one) = of(Figure::Turns).or_else(|| of(Figure::Plies)) else { return String::new() };
        let unit = if one.figure == Figure::Turns { "turns" } else { "plies" };
        let Estimate { value, low, high } = one.difference;
        let word = if value < 0.0 { "shorter" } else { "longer" };
        let (least, most) = if value < 0.0 { (-high, -low) } else { (low, high) };
        if !one.is_real() {
            return format!("No difference in length was found: {value:+.2} {unit}, between {low:+.2} and {high:+.2}.");
        }
        let relative =
            one.relative.map_or_else(String::new, |relative| format!(", {:.1} %", relative.value.abs() * 100.0));
        format!(
            "`{first}` is {:.2} {unit} {word} than `{second}` (between {least:.2} and {most:.2}){relative}.",
            value.abs()
        )
    }

    fn row(&self, one: &Difference) -> Vec<String> {
        let share = one.figure.is_share();
        let shown = |value: f64| if share { format!("{:.1} %", value * 100.0) } else { format!("{value:.2}") };
        let signed = |e: &Estimate, by: f64, digits: usize| {
            format!("{:+.digits$} [{:+.digits$} to {:+.digits$}]", e.value * by, e.low * by, e.high * by)
        };
        let difference = if share { signed(&one.difference, 100.0, 1) } else { signed(&one.difference, 1.0, 2) };
        let relative = one.relative.map_or_else(String::new, |e| format!("{:+.1} %", e.value * 100.0));
        let effect = one.effect.map_or_else(String::new, |d| format!("d {d:+.2}"));
        let verdict = match (one.is_real(), one.outside.map(|_| one.is_equivalent())) {
            (true, Some(true)) => "differs, within the margin",
            (true, Some(false) | None) => "differs",
            (false, Some(true)) => "equivalent",
            (false, Some(false)) => "undecided",
            (false, None) => "",
        };
        let p = if one.corrected < 0.001 { "< 0.001".to_owned() } else { format!("{:.3}", one.corrected) };
        vec![
            name(self.game, one.figure),
            shown(one.first),
            shown(one.second),
            difference,
            relative,
            effect,
            p,
            verdict.to_owned(),
        ]
    }
}

fn share_of(count: u64, of: u64) -> String {
    let share = crate::measure::statistics::wilson(count, of, 0.95);
    let share = Estimate { value: share.value * 100.0, low: share.low * 100.0, high: share.high * 100.0 };
    format!("{} %", interval(&share, 1))
}

/// Rows as aligned lines: the first and the last column to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).fold(0, usize::max);
    let width =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).fold(0, usize::max);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, &width))| {
            if at == 0 || at + 1 == columns { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
