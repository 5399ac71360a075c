//! Printing the statistics of a simulation, for people and for programs.

use serde_json::{Value, json};

use super::playing::races;
use super::shards::digest;
use super::ui::Ui;
use crate::api::Rules;
use crate::base::SaturatingFrom;
use crate::ir::{Game, Measure, RuleId, Ty};
use crate::measure::statistics::Estimate;
use crate::measure::{Each, Ended, Lengths, Plan, Share, Shares, Summary, Tally, Used, Values};
use crate::model::{Ending, Verdict};
use crate::say::Lang;
use crate::serve::{estimate_json, lengths_json, share_json, shares_json};
use crate::view::{rule_line, seat_title};

/// How many rows the bars of a measure have at most, and how long the longest is.
const ROWS: i64 = 12;
const BAR: u64 = 40;

/// The results of a simulation, with what is needed to print them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    /// The game.
    pub(super) opened: &'a Rules,
    /// How games were played.
    pub(super) plan: &'a Plan,
    /// Who played, if not all at random.
    pub(super) players: Option<&'a str>,
    /// The number of interim looks planned.
    pub(super) looks: usize,
    /// The totals.
    pub(super) tally: &'a Tally,
    /// The statistics.
    pub(super) summary: &'a Summary,
}

/// The word, rule and clauses of an ending.
pub(super) fn ending(game: &Game, ending: Ending) -> (&'static str, Option<RuleId>, Vec<String>) {
    let (word, rule) = (ending.word(), ending.rule());
    let clauses = rule.and_then(|rule| game.rules.get(rule)).map_or_else(Vec::new, |rule| rule.clauses.clone());
    (word, rule, clauses)
}

/// The endings, most frequent first, ties in the order of the games.
fn endings(tally: &Tally) -> Vec<&Ended> {
    let mut endings: Vec<&Ended> = tally.endings.iter().collect();
    endings.sort_by_key(|ended| (std::cmp::Reverse(ended.games), ended.first));
    endings
}

impl Found<'_> {
    fn game(&self) -> &Game {
        self.opened.game()
    }

    fn rule(&self, rule: RuleId) -> String {
        rule_line(Lang::En, self.game(), self.opened.sources(), rule)
    }

    fn clause(&self, number: usize) -> &str {
        self.game().clauses.clauses.get_index(number).map_or("", |(id, _)| id)
    }

    /// For programs: one object, whose fields are explained in `docs/statistics.md`.
    pub(super) fn json(&self) -> Value {
        let (game, plan, s) = (self.game(), self.plan, self.summary);
        let named = |seat: usize, mut value: Value| {
            let info = game.seats.nth(seat);
            value["seat"] = json!(info.map(|seat| &seat.name));
            value["title"] = json!(info.map(|seat| &seat.title));
            value
        };
        let seats: Vec<Value> = s.seats.iter().enumerate().map(|(n, shares)| named(n, shares_json(shares))).collect();
        let places: Vec<Value> = s.places.iter().map(shares_json).collect();
        let openers: Vec<Value> =
            s.openers.iter().enumerate().map(|(n, games)| named(n, json!({"games": games}))).collect();
        let endings: Vec<Value> = endings(self.tally)
            .into_iter()
            .map(|ended| {
                let (word, rule, clauses) = ending(game, ended.ending);
                let name = rule.and_then(|rule| game.rules.get(rule)).map(|rule| rule.name.clone());
                json!({"ending": word, "rule": name, "clauses": clauses, "games": ended.games})
            })
            .collect();
        let examples: Vec<Value> = self
            .tally
            .examples
            .iter()
            .map(|v| {
                let name = game.rules.get(v.rule).map(|rule| rule.name.clone());
                json!({"invariant": name, "game": v.game, "ply": v.ply, "position": v.position})
            })
            .collect();
        let lead = s.lead_changes.map(|(games, changes)| {
            json!({"games": games, "changes": estimate_json(&changes), "kept": s.lead_kept.as_ref().map(share_json)})
        });
        let each = game.measures.iter().zip(&s.measures).zip(&self.tally.measures);
        let measures: Vec<Value> =
            each.map(|((measure, figures), values)| measure_json(measure, figures, values)).collect();
        let mut result = json!({
            "game": game.name, "players": game.seats.len(), "games": s.games, "seed": plan.seed, "cap": plan.cap,
            "players_at_seats": self.players, "digest": digest(self.opened), "level": s.level, "looks": self.looks,
            "plies": lengths_json(&s.plies), "turns": s.turns.as_ref().map(lengths_json),
            "rounds": s.rounds.as_ref().map(lengths_json), "branching": lengths_json(&s.branching),
            "seats": seats, "turn_order": places, "first_turns": openers, "decided": share_json(&s.decided),
            "first_turn_advantage": s.first_advantage.as_ref().map(estimate_json), "draws": share_json(&s.draws),
            "capped": share_json(&s.capped), "budget": self.tally.exhausted, "endings": endings,
            "races": races(game, plan), "lead": lead, "measures": measures,
            "violations": {"count": self.tally.violations, "examples": examples}, "unread": self.tally.unread,
        });
        if s.traced > 0 {
            let used = |times: u64, games: &Share| json!({"times": times, "games": share_json(games)});
            let rules: Vec<Value> = s
                .rules
                .iter()
                .map(|Used { what, times, games }| {
                    let mut value = used(*times, games);
                    value["rule"] = json!(self.rule(*what));
                    value["clauses"] = json!(game.rules.get(*what).map(|rule| &rule.clauses));
                    value
                })
                .collect();
            let clauses: Vec<Value> = s
                .clauses
                .iter()
                .map(|Used { what, times, games }| {
                    let mut value = used(*times, games);
                    value["clause"] = json!(self.clause(*what));
                    value
                })
                .collect();
            result["used"] = json!({"games": s.traced, "rules": rules, "clauses": clauses});
        }
        result
    }

    /// For people.
    pub(super) fn text(&self) -> Vec<String> {
        let (game, plan, s) = (self.game(), self.plan, self.summary);
        let number = game.seats.len();
        let kind = if self.players.is_some() { "games" } else { "random games" };
        let mut lines = vec![format!("{}: {} {kind} with {number} players, seed {}", game.name, s.games, plan.seed)];
        lines.extend(self.players.map(|players| format!("played by {players}")));
        if self.looks > 1 {
            let level = s.level * 100.0;
            lines.push(format!(
                "intervals: {level:.2} % each, so that they hold jointly with 95 % for all {} looks",
                self.looks
            ));
        }
        lines.push(lengths_line("plies", &s.plies));
        lines.extend(s.turns.as_ref().map(|turns| lengths_line("turns", turns)));
        lines.extend(s.rounds.as_ref().map(|rounds| lengths_line("rounds", rounds)));
        lines.push(races(game, plan));
        lines.push(lengths_line("answers to choose from", &s.branching));
        for (seat, shares) in s.seats.iter().enumerate() {
            lines.push(shares_line(seat_title(game, seat), shares));
        }
        // Where the same seat always begins, turn order is seat order.
        if s.openers.iter().filter(|&&count| count > 0).count() > 1 {
            for (place, shares) in s.places.iter().enumerate() {
                lines.push(shares_line(&format!("seat {} in turn order", place + 1), shares));
            }
        } else if let Some(seat) = s.openers.iter().position(|&count| count > 0 && count == s.games) {
            lines.push(format!("{} always has the first turn", seat_title(game, seat)));
        }
        if let Some(Estimate { value, low, high }) = s.first_advantage {
            let [value, low, high] = [value, low, high].map(|share| share * 100.0);
            lines.push(format!("first turn: {value:+.1} points [{low:+.1} to {high:+.1}] over an equal share of wins"));
        }
        lines.push(format!("decided: {}", percent(&s.decided.share)));
        lines.push(format!("draws: {}", percent(&s.draws.share)));
        for ((measure, figures), values) in game.measures.iter().zip(&s.measures).zip(&self.tally.measures) {
            lines.extend(measured(measure, figures, values));
        }
        lines.extend(self.endings_text());
        if plan.traced > 0 {
            lines.extend(self.traced_text());
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    fn endings_text(&self) -> Vec<String> {
        let (game, tally, plan) = (self.game(), self.tally, self.plan);
        let mut lines = Vec::new();
        for ended in endings(tally) {
            let (word, rule, clauses) = ending(game, ended.ending);
            let name = rule.map_or_else(|| word.to_owned(), |rule| self.rule(rule));
            let cited: Vec<String> = clauses.iter().map(|clause| format!("§{clause}")).collect();
            let prefix = if word == "rule" { String::new() } else { format!("{word}: ") };
            lines.push(format!("ended {} times by {prefix}{name} {}", ended.games, cited.join(", ")));
        }
        if tally.capped > 0 {
            let share = percent(&self.summary.capped.share);
            lines.push(format!("stopped after {} plies: {} games, {share}", plan.cap, tally.capped));
        }
        lines.extend(self.faults());
        if plan.invariants && !game.invariants.is_empty() && tally.violations == 0 {
            lines.push(format!("{}: held in every position", self.invariants()));
        }
        lines
    }

    /// What went wrong: games stopped by the step budget, what could not be read, invariants that were broken.
    pub(super) fn faults(&self) -> Vec<String> {
        let tally = self.tally;
        let mut lines = Vec::new();
        if tally.exhausted > 0 {
            lines.push(format!("stopped by the step budget: {} games", tally.exhausted));
        }
        if tally.unread > 0 {
            let what = "values of measures and tests of invariants that took more steps than the step budget, or are beyond 10^14";
            lines.push(format!("left out: {} {what}", tally.unread));
        }
        for v in &tally.examples {
            let rule = self.rule(v.rule);
            lines.push(format!("violated in game {} after {} plies: {rule}\n  {}", v.game, v.ply, v.position));
        }
        if tally.violations > 0 {
            lines.push(format!("{}: broken {} times", self.invariants(), tally.violations));
        }
        lines
    }

    fn invariants(&self) -> String {
        match self.game().invariants.len() {
            1 => "1 invariant".to_owned(),
            count => format!("{count} invariants"),
        }
    }

    fn traced_text(&self) -> Vec<String> {
        let s = self.summary;
        let mut lines = vec![match &s.lead_changes {
            Some((games, changes)) => format!("lead changes: {} per game, in {games} games", interval(changes, 2)),
            None => "lead changes: the rules do not rank by a single score, so there is no leader".to_owned(),
        }];
        if let Some(kept) = &s.lead_kept {
            lines.push(format!("won by the leader at half-time: {}", percent(&kept.share)));
        }
        lines.push(format!("rules used in {} games (share of games, answers that used them):", s.traced));
        let (used, never): (Vec<&Used<RuleId>>, Vec<_>) = s.rules.iter().partition(|used| used.times > 0);
        for used in used {
            lines.push(format!("  {}  {:6}  {}", percent(&used.games.share), used.times, self.rule(used.what)));
        }
        lines.push(format!("rules never used: {}", never.len()));
        lines.extend(never.iter().map(|used| format!("  {}", self.rule(used.what))));
        let never: Vec<String> = s
            .clauses
            .iter()
            .filter(|used| used.times == 0)
            .map(|used| format!("§{}", self.clause(used.what)))
            .collect();
        let none = if never.is_empty() { "none".to_owned() } else { never.join(", ") };
        lines.push(format!("clauses never exercised, of {}: {none}", s.clauses.len()));
        lines
    }
}

/// A measure: its figures, and its values as bars.
fn measured(measure: &Measure, figures: &Lengths, values: &Values) -> Vec<String> {
    let when = if measure.by_turn { ", by turn" } else { "" };
    if measure.value.ty == Ty::Bool {
        return vec![format!("{}{when}: {}", measure.name, percent(&figures.mean))];
    }
    let mut lines = vec![lengths_line(&format!("{}{when}", measure.name), figures)];
    let counts = &values.counts;
    let width = ((figures.max - figures.min) / ROWS + 1).max(1);
    let mut rows: Vec<u64> = Vec::new();
    for (value, count) in &counts.0 {
        let at = usize::saturating_from((value - figures.min) / width);
        rows.resize(rows.len().max(at + 1), 0);
        rows[at] += count;
    }
    let most = rows.iter().copied().fold(1, u64::max);
    for (row, count) in (0_i64..).zip(rows) {
        let from = figures.min + row * width;
        let range = if width == 1 { from.to_string() } else { format!("{from} to {}", from + width - 1) };
        let bar = "█".repeat(usize::saturating_from(count * BAR / most));
        lines.push(format!("  {range:>12}  {count:8}  {bar}").trim_end().to_owned());
    }
    lines
}

/// Games as the rows of a table.
pub(super) fn games_csv(ui: Ui, game: &Game, games: &[Each]) {
    let mut head = ["game", "plies", "turns", "decisions", "answers", "ending"].map(str::to_owned).to_vec();
    head.extend(game.seats.iter().map(|seat| format!("verdict_{}", seat.name)));
    head.extend(game.seats.iter().map(|seat| format!("score_{}", seat.name)));
    head.extend(game.measures.iter().map(|measure| measure.name.clone()));
    ui.row(head);
    for (number, Each { game: played, turns, measured }) in games.iter().enumerate() {
        let outcome = played.outcome.as_ref();
        let (word, rule, _) = outcome.map_or(("stopped", None, Vec::new()), |outcome| ending(game, outcome.ending));
        let name = rule.and_then(|rule| game.rules.get(rule)).map_or(word, |rule| rule.name.as_str());
        let counts = [u64::from(played.plies), u64::from(*turns), played.decisions, played.answers];
        let mut row = vec![number.to_string()];
        row.extend(counts.map(|count| count.to_string()));
        row.push(name.to_owned());
        row.extend((0..game.seats.len()).map(|seat| {
            let verdict = outcome.and_then(|outcome| outcome.verdicts.get(seat)).copied();
            word_of(verdict.unwrap_or(Verdict::Open)).to_owned()
        }));
        row.extend((0..game.seats.len()).map(|seat| {
            outcome.and_then(|outcome| outcome.score(seat)).map_or_else(String::new, |score| score.to_string())
        }));
        row.extend(measured.iter().map(|values| mean(values)));
        ui.row(row);
    }
}

fn word_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Draw => "draw",
        Verdict::Loss => "loss",
        Verdict::Open => "undecided",
    }
}

/// The mean of the values of a measure in one game: the value itself if there is one, and nothing if there is none.
fn mean(values: &[i64]) -> String {
    let sum: i128 = values.iter().copied().map(i128::from).sum();
    match values {
        [] => String::new(),
        [one] => one.to_string(),
        _ => format!("{:.6}", real(sum) / real(values.len() as i128)),
    }
}

/// An integer as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "means need no more than 52 bits")]
fn real(n: i128) -> f64 {
    n as f64
}

pub(super) fn percent(share: &Estimate) -> String {
    format!("{:5.1} % [{:.1}–{:.1}]", share.value * 100.0, share.low * 100.0, share.high * 100.0)
}

/// An estimate with its interval.
pub(super) fn interval(estimate: &Estimate, digits: usize) -> String {
    let Estimate { value, low, high } = estimate;
    // With fewer than two games there is no interval.
    if low.is_finite() && high.is_finite() {
        format!("{value:.digits$} [{low:.digits$}–{high:.digits$}]")
    } else {
        format!("{value:.digits$} [?]")
    }
}

pub(super) fn lengths_line(what: &str, lengths: &Lengths) -> String {
    let [low, _, median, _, high] = lengths.quantiles.map(|quantile| quantile.value);
    format!(
        "{what}: mean {}, sd {:.1}; min {}, 5 % {low}, median {median}, 95 % {high}, max {}",
        interval(&lengths.mean, 1),
        lengths.deviation,
        lengths.min,
        lengths.max
    )
}

pub(super) fn shares_line(who: &str, shares: &Shares) -> String {
    let mut line = format!("{who}: wins {}", percent(&shares.win.share));
    for (word, share) in [("draws", &shares.draw), ("losses", &shares.loss), ("undecided", &shares.open)] {
        if share.count > 0 {
            line = format!("{line}, {word} {}", percent(&share.share));
        }
    }
    line
}

/// A measure for programs, with its histogram.
fn measure_json(measure: &Measure, figures: &Lengths, values: &Values) -> Value {
    let mut value = lengths_json(figures);
    value["name"] = json!(measure.name);
    value["expression"] = json!(measure.text);
    value["read"] = json!(if measure.by_turn { "by-turn" } else { "at-end" });
    value["values"] = json!(values.counts.count());
    value["histogram"] = json!(values.counts.0.iter().collect::<Vec<_>>());
    value
}
