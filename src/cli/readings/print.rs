//! The results of `readings`, for people, for programs, and as a page.

use serde_json::{Value, json};

use super::super::compare::name;
use super::super::ui::Ui;
use super::{Page, ReadingsArgs};
use crate::book::escaped;
use crate::ir::Game;
use crate::measure::statistics::Estimate;
use crate::measure::{AlternativeReading, Difference, Effect, Weight};
use crate::serve::{difference_json, estimate_json};

/// The readings as the rows of a table.
pub(super) fn as_csv(ui: Ui, pages: &[Page]) {
    ui.row(["game", "reading", "players", "pairs", "weight", "decides", "low", "high"]);
    for page in pages {
        for effect in &page.effects {
            let (alternative, pairs) = (&effect.tried.alternative, effect.tried.pairs.pairs);
            let Estimate { value, low, high } = effect.results;
            let head = [page.opened.game().name.clone(), alternative.name.clone(), alternative.players.to_string()];
            let tail = [pairs.to_string(), word(effect.weight).to_owned()];
            let shares = [value, low, high].map(|share| share.to_string());
            ui.row(head.into_iter().chain(tail).chain(shares));
        }
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

pub(super) fn as_json(page: &Page) -> Value {
    let game = page.opened.game();
    let readings: Vec<Value> = page
        .effects
        .iter()
        .map(|effect| {
            let (alternative, pairs) = (&effect.tried.alternative, &effect.tried.pairs);
            let game = &played(game, effect);
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

/// The game with the seats that a reading was tried with: there may be more of them than take part by default.
fn played(game: &Game, effect: &Effect) -> Game {
    Game { seats: effect.tried.seats.iter().cloned().collect(), ..game.clone() }
}

/// A share in per cent, with enough digits to be informative.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent != 0.0 && percent.abs() < 0.95 { format!("{percent:.2} %") } else { format!("{percent:.1} %") }
}

/// The effect of a reading, as a sentence.
fn verdict(effect: &Effect) -> String {
    match effect.weight {
        Weight::Decides => format!("decides {} of games: ask the author", percent(effect.results.value)),
        Weight::Matters if effect.results.value > 0.0 => format!("decides {} of games", percent(effect.results.value)),
        Weight::Matters if effect.tried.pairs.courses == 0 => {
            "decides no game, but scores or ranks differ at the end".to_owned()
        }
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

pub(super) fn as_text(page: &Page) -> Vec<String> {
    let game = page.opened.game();
    let mut lines = vec![format!("{}: {} readings", game.name, page.effects.len()), page.sample()];
    for effect in &page.effects {
        let alternative = &effect.tried.alternative;
        let players = alternative.players;
        let mut parts = vec![verdict(effect)];
        parts.extend(changes(&played(game, effect), effect));
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

pub(super) fn markdown(args: &ReadingsArgs, pages: &[Page]) -> String {
    let mut lines = vec![
        "# How much the gaps in the documents matter\n".to_owned(),
        "This page is generated by `regelwerk readings --markdown > docs/readings.md`".to_owned(),
        format!("(seed {}, at most {} plies a game); [statistics](statistics.md)", args.seed, args.playing.cap),
        ABOUT.to_owned(),
    ];
    for page in pages {
        let game = page.opened.game();
        lines.push(format!("\n## {}\n\n<!-- digest {:016x} -->", escaped(&game.title), game.digest));
        lines.push(format!("{}.\n", page.sample()));
        lines.push("| gap | alternative reading | players | decides | changes | pairs |".to_owned());
        lines.push("|---|---|--:|---|---|--:|".to_owned());
        lines.extend(rows(page).into_iter().map(|effect| row(&played(game, effect), effect)));
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
    let (changes, players) = (escaped(&changes(game, effect).join("; ")), alternative.players);
    let pairs = effect.tried.pairs.pairs;
    format!(
        "| {} | `{}`: {} | {players} | {decides} | {changes} | {pairs} |",
        gaps(alternative),
        alternative.name,
        escaped(&alternative.text)
    )
}
