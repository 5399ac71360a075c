//! The results of a search, for people and for programs.

use serde_json::{Value, json};

use super::super::shards::digest;
use super::super::ui::Ui;
use super::Study;
use crate::measure::statistics::Estimate;
use crate::measure::{Condition, Found, Known, Out, Quantity, Race};
use crate::serve::estimate_json;

/// How many of the settings that dropped out are listed.
const LISTED: usize = 10;

/// What is shown.
pub(super) struct Shown<'a> {
    pub(super) study: &'a Study,
    pub(super) race: &'a Race,
    pub(super) players: Option<&'a str>,
    /// Whether the budget ended the search.
    pub(super) stopped: bool,
    pub(super) seed: u64,
}

/// What is said of a setting in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// It meets everything.
    Meets,
    /// It may meet everything, or be the nearest.
    Open,
    /// It misses something, and is still the nearest that was found.
    Misses,
    /// It dropped out.
    Out,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Meets => "meets",
            Self::Open => "open",
            Self::Misses => "misses",
            Self::Out => "out",
        }
    }
}

/// A setting with what was found.
pub(super) struct Row {
    pub(super) setting: usize,
    pub(super) verdict: Verdict,
    pub(super) found: Vec<Found>,
    pub(super) front: bool,
}

impl Row {
    fn distance(&self) -> f64 {
        self.found.first().map_or(f64::INFINITY, |target| target.distance.value)
    }
}

impl Shown<'_> {
    /// The settings: those that meet everything, those that may, those that miss it, those that dropped out; each nearest first.
    pub(super) fn rows(&self) -> Vec<Row> {
        let front = self.race.front(&self.study.aims);
        let row = |setting: usize| {
            let found = self.race.found(&self.study.aims, setting);
            let all = found.iter().all(|one| one.known == Known::Met);
            let verdict = match self.race.out.get(setting) {
                Some(Some(_)) => Verdict::Out,
                _ if all => Verdict::Meets,
                _ if found.iter().any(|one| one.known == Known::Missed) => Verdict::Misses,
                _ => Verdict::Open,
            };
            Row { setting, verdict, found, front: front.contains(&setting) }
        };
        let mut rows: Vec<Row> = (0..self.study.settings.len()).map(row).collect();
        rows.sort_by(|one, other| one.verdict.cmp(&other.verdict).then(one.distance().total_cmp(&other.distance())));
        rows
    }

    pub(super) fn label(&self, setting: usize) -> String {
        self.study.settings.get(setting).map_or_else(String::new, super::Setting::label)
    }

    fn conditions(&self) -> &[Condition] {
        &self.study.aims.conditions
    }

    /// Why a setting dropped out.
    fn reason(&self, setting: usize) -> Option<String> {
        match self.race.out.get(setting)?.as_ref()? {
            Out::Breaks(number) => Some(format!("breaks `{}`", self.conditions().get(*number)?.text)),
            Out::Farther(other) => Some(format!("farther from the target than {}", self.label(*other))),
        }
    }

    /// The settings whose distances from the target cannot be told apart from that of the first.
    fn alike(rows: &[Row]) -> Vec<usize> {
        let running = |row: &&Row| row.verdict != Verdict::Out;
        let Some(first) = rows.iter().find(running).and_then(|row| row.found.first()) else { return Vec::new() };
        let meets = |row: &&Row| row.found.first().is_some_and(|one| one.distance.low <= first.distance.high);
        rows.iter().filter(running).filter(meets).map(|row| row.setting).collect()
    }

    pub(super) fn json(&self) -> Value {
        let rows = self.rows();
        let of = |row: &Row| {
            let setting = self.study.settings.get(row.setting);
            let chosen: serde_json::Map<String, Value> = setting
                .into_iter()
                .flat_map(|one| &one.chosen)
                .map(|(name, value)| (name.clone(), json!(value)))
                .collect();
            let found: Vec<Value> = row
                .found
                .iter()
                .map(|one| {
                    json!({"figure": estimate_json(&one.figure), "distance": estimate_json(&one.distance), "known": known(one.known)})
                })
                .collect();
            json!({
                "setting": chosen, "verdict": row.verdict.word(), "front": row.front,
                "games": self.race.tallies.get(row.setting).map(|tally| tally.games),
                "conditions": found, "reason": self.reason(row.setting),
            })
        };
        let (game, aims) = (self.study.base.rules.game(), &self.study.aims);
        let texts: Vec<&String> = aims.conditions.iter().map(|one| &one.text).collect();
        let base: Vec<Value> = aims
            .conditions
            .iter()
            .map(|one| estimate_json(&one.quantity.of(&self.race.base, aims.level(self.study.settings.len()))))
            .collect();
        json!({
            "game": game.name, "players": game.seats.len(), "digest": digest(&self.study.base.rules), "seed": self.seed,
            "players_at_seats": self.players, "target": texts.first(), "keep": texts.get(1..), "base": base,
            "rounds": self.race.round, "level": aims.level(self.study.settings.len()), "stopped_by_budget": self.stopped,
            "games": self.race.tallies.iter().map(|tally| tally.games).sum::<u64>() + self.race.base.games,
            "alike": Self::alike(&rows).into_iter().map(|at| self.label(at)).collect::<Vec<_>>(),
            "settings": rows.iter().map(of).collect::<Vec<_>>(),
        })
    }

    pub(super) fn csv(&self, ui: Ui) {
        let names = self.study.settings.first().map(|setting| &setting.chosen);
        let mut head: Vec<String> = names.into_iter().flatten().map(|(name, _)| name.clone()).collect();
        head.extend(["verdict", "front", "games"].map(str::to_owned));
        for one in self.conditions() {
            head.extend(["", " low", " high"].map(|end| format!("{}{end}", one.text)));
        }
        ui.row(head);
        for row in self.rows() {
            let chosen = self.study.settings.get(row.setting).map(|setting| &setting.chosen);
            let mut cells: Vec<String> = chosen.into_iter().flatten().map(|(_, value)| value.clone()).collect();
            let games = self.race.tallies.get(row.setting).map(|tally| tally.games.to_string());
            cells.extend([row.verdict.word().to_owned(), row.front.to_string(), games.unwrap_or_default()]);
            for Found { figure: Estimate { value, low, high }, .. } in &row.found {
                cells.extend([value, low, high].map(f64::to_string));
            }
            ui.row(cells);
        }
    }

    pub(super) fn text(&self) -> Vec<String> {
        let (game, race, aims) = (self.study.base.rules.game(), self.race, &self.study.aims);
        let settings = self.study.settings.len();
        let games = race.tallies.iter().map(|tally| tally.games).sum::<u64>() + race.base.games;
        let mut lines = vec![format!(
            "{}: {settings} settings with {} players, {games} games in {} rounds, seed {}",
            game.name,
            game.seats.len(),
            race.round,
            self.seed
        )];
        lines.extend(self.players.map(|players| format!("played by {players}")));
        for (number, one) in aims.conditions.iter().enumerate() {
            let word = if number == 0 { "target" } else { "keep" };
            let base = figure(one, &one.quantity.of(&race.base, aims.level(settings)));
            lines.push(format!("{word}: {} (base: {base})", one.text));
        }
        lines.push("intervals hold jointly with 95 % for all settings, conditions and rounds".to_owned());
        let rows = self.rows();
        for (verdict, title) in [
            (Verdict::Meets, "meet everything"),
            (Verdict::Open, "may meet it: too few games to say"),
            (Verdict::Misses, "miss it, and nothing nearer was found to keep everything"),
        ] {
            let these: Vec<&Row> = rows.iter().filter(|row| row.verdict == verdict).collect();
            if !these.is_empty() {
                lines.push(String::new());
                lines.push(format!("{title}:"));
                lines.extend(these.into_iter().map(|row| self.line(row)));
            }
        }
        let out: Vec<&Row> = rows.iter().filter(|row| row.verdict == Verdict::Out).collect();
        if out.len() == settings {
            lines.push(String::new());
            lines.push("no setting keeps everything".to_owned());
        }
        if !out.is_empty() {
            lines.push(String::new());
            lines.push(format!("dropped out ({}), nearest first:", out.len()));
            for row in out.iter().take(LISTED) {
                let reason = self.reason(row.setting).unwrap_or_default();
                lines.push(format!("{}: {reason}", self.line(row)));
            }
        }
        let alike: Vec<String> = Self::alike(&rows).into_iter().map(|at| self.label(at)).collect();
        if alike.len() > 1 {
            lines.push(String::new());
            lines.push(format!("cannot be told apart by their distance from the target: {}", alike.join("; ")));
        }
        if self.stopped {
            lines.push("the budget ended the search; more games may tell more settings apart".to_owned());
        }
        lines
    }

    /// A setting with its figures; those on the front are marked.
    fn line(&self, row: &Row) -> String {
        let mark = if row.front { "*" } else { " " };
        let figures = self.conditions().iter().zip(&row.found).map(|(one, found)| figure(one, &found.figure));
        format!("{mark} {}  {}", self.label(row.setting), figures.collect::<Vec<_>>().join(", "))
    }
}

fn known(known: Known) -> &'static str {
    match known {
        Known::Met => "met",
        Known::Missed => "missed",
        Known::Open => "open",
    }
}

/// A figure with its name.
fn figure(condition: &Condition, of: &Estimate) -> String {
    let Estimate { value, low, high } = of;
    let name = if condition.quantity == Quantity::Spread { "wins apart" } else { condition.figure() };
    if condition.quantity.is_share() {
        let [value, low, high] = [value, low, high].map(|share| share * 100.0);
        return format!("{name} {value:.1} % [{low:.1}–{high:.1}]");
    }
    format!("{name} {value:.2} [{low:.2}–{high:.2}]")
}
