//! `simulate`: many random games and what they come to.

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::game::{GameArgs, Opened, open, threads};
use super::ui::Ui;
use crate::ir::{Game, RuleId, RuleKind};
use crate::model::Ending;
use crate::play::{Plan, Reactions, Share, Statistics, simulate};
use crate::view::{rule_line, seat_title};

/// Plays games at random and counts how they go
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// On how many threads; all there are if left out. The result is the same
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// At most so many plies a game
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    cap: u32,
    /// Begin at this position instead of the start
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Do not test the invariants in every position
    #[arg(long)]
    no_invariants: bool,
    /// In races, anything legal comes first instead of whoever reacts fastest
    #[arg(long)]
    uniform: bool,
    /// The least reaction time in races, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 180)]
    least: u32,
    /// Four draws from 0 to this many milliseconds come on top of it
    #[arg(long, value_name = "MS", default_value_t = 120)]
    spread: u32,
    /// How fast a seat is, in per cent: at 200 its times are half as long. The seat by its number
    #[arg(long = "skill", value_name = "SEAT=PERCENT", value_parser = skill)]
    skills: Vec<(usize, u32)>,
    /// How often in a thousand questions a seat acts without reason
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=1000))]
    slips: u32,
    /// Count how often each rule is gone by, and list those never used
    #[arg(long)]
    rules: bool,
}

/// Runs the command.
pub(super) fn run(args: &SimulateArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    let start = opened.position(args.position.as_deref())?;
    let seed = args.game.setup.seed.unwrap_or(0);
    let reactions = if args.uniform { None } else { Some(reactions(args, opened.game())?) };
    let invariants = !args.no_invariants;
    let plan = Plan { games: args.games, cap: args.cap, seed, invariants, rules: args.rules, reactions };
    let pool = threads(args.threads)?;
    let bar = ui.bar(plan.games, "playing");
    let found = pool.install(|| simulate(opened.engine.as_ref(), &start, &plan, &|done| bar.set_position(done)));
    bar.finish_and_clear();
    if ui.is_json() {
        ui.json(&as_json(&opened, &plan, &found));
    } else {
        for line in as_text(&opened, &plan, &found) {
            ui.line(line);
        }
    }
    match (found.violations, found.exhausted) {
        (0, 0) => Ok(Exit::Done),
        (0, _) => Ok(Exit::Limit),
        (_, _) => Ok(Exit::Faults),
    }
}

fn skill(text: &str) -> Result<(usize, u32), String> {
    let parsed = text.split_once('=').and_then(|(seat, skill)| Some((seat.parse().ok()?, skill.parse().ok()?)));
    match parsed {
        Some((seat @ 1.., skill @ 1..=10_000)) => Ok((seat, skill)),
        _ => Err("write it as SEAT=PERCENT, such as 2=150; per cent go from 1 to 10000".to_owned()),
    }
}

fn reactions(args: &SimulateArgs, game: &Game) -> Result<Reactions, Failure> {
    let mut skills = vec![100; game.seats.len()];
    for (seat, percent) in &args.skills {
        let Some(place) = skills.get_mut(seat - 1) else {
            let message = format!("there is no seat {seat}");
            return Err(Failure::new(Exit::Usage, message).cure(format!("the seats are 1 to {}", game.seats.len())));
        };
        *place = *percent;
    }
    Ok(Reactions { least: args.least, spread: args.spread, skill: skills, slips: args.slips })
}

/// The word, rule and clauses of an ending.
pub(super) fn ending(game: &Game, ending: Ending) -> (&'static str, Option<RuleId>, Vec<String>) {
    let (word, rule) = (ending.word(), ending.rule());
    let clauses =
        rule.and_then(|rule| game.rules.get(rule as usize)).map_or_else(Vec::new, |rule| rule.clauses.clone());
    (word, rule, clauses)
}

/// The rules that were never gone by; facts and invariants are not gone by at all.
fn unused(game: &Game, found: &Statistics) -> Vec<RuleId> {
    let counted = found.rule_uses.iter().zip(&game.rules).enumerate();
    let never = counted.filter(|(_, (uses, rule))| {
        let kind =
            matches!(rule.kind, RuleKind::Path | RuleKind::Action | RuleKind::Choose | RuleKind::Guard | RuleKind::End);
        **uses == 0 && kind
    });
    never.filter_map(|(number, _)| u32::try_from(number).ok()).collect()
}

pub(super) fn share_json(share: &Share) -> Value {
    json!({"count": share.count, "share": share.share, "low": share.low, "high": share.high})
}

fn as_json(opened: &Opened, plan: &Plan, found: &Statistics) -> Value {
    let game = opened.game();
    let seats: Vec<Value> = game
        .seats
        .iter()
        .zip(&found.seats)
        .map(|(seat, stats)| {
            json!({
                "seat": seat.name, "title": seat.title, "win": share_json(&stats.win), "draw": share_json(&stats.draw),
                "loss": share_json(&stats.loss), "open": share_json(&stats.open),
            })
        })
        .collect();
    let endings: Vec<Value> = found
        .endings
        .iter()
        .map(|&(end, games)| {
            let (word, rule, clauses) = ending(game, end);
            let name = rule.and_then(|rule| game.rules.get(rule as usize)).map(|rule| rule.name.clone());
            json!({"ending": word, "rule": name, "clauses": clauses, "games": games})
        })
        .collect();
    let examples: Vec<Value> = found
        .examples
        .iter()
        .map(|v| {
            let name = game.rules.get(v.rule as usize).map(|rule| rule.name.clone());
            json!({"invariant": name, "game": v.game, "ply": v.ply, "position": v.position})
        })
        .collect();
    let l = &found.lengths;
    let mut result = json!({
        "game": game.name, "players": game.seats.len(), "games": found.games, "seed": plan.seed, "cap": plan.cap,
        "plies": {"mean": l.mean, "min": l.min, "p5": l.low, "median": l.median, "p95": l.high, "max": l.max},
        "seats": seats, "draws": share_json(&found.draws), "branching": found.branching, "endings": endings,
        "races": races(game, plan), "capped": found.capped, "budget": found.exhausted,
        "violations": {"count": found.violations, "examples": examples},
    });
    if plan.rules {
        let never: Vec<String> =
            unused(game, found).iter().map(|rule| rule_line(game, &opened.sources, *rule)).collect();
        result["rules_never_used"] = json!(never);
    }
    result
}

pub(super) fn percent(share: &Share) -> String {
    format!("{:5.1} % [{:.1}–{:.1}]", share.share * 100.0, share.low * 100.0, share.high * 100.0)
}

/// How races were decided; empty if there are none.
fn races(game: &Game, plan: &Plan) -> String {
    match &plan.reactions {
        _ if game.cues.is_empty() => String::new(),
        None => "races: anything legal comes first, each as likely".to_owned(),
        Some(times) => {
            let skills: Vec<String> = times.skill.iter().map(u32::to_string).collect();
            format!(
                "races: reaction times of {} ms and four draws of 0 to {} ms, divided by skill ({} %); {} slips in 1000",
                times.least,
                times.spread,
                skills.join(" "),
                times.slips
            )
        }
    }
}

fn as_text(opened: &Opened, plan: &Plan, found: &Statistics) -> Vec<String> {
    let game = opened.game();
    let l = &found.lengths;
    let mut lines = vec![
        format!("{}: {} random games of {} players, seed {}", game.name, found.games, game.seats.len(), plan.seed),
        format!(
            "plies: {:.1} on average; shortest {}, 5 % {}, median {}, 95 % {}, longest {}",
            l.mean, l.min, l.low, l.median, l.high, l.max
        ),
        races(game, plan),
        format!("answers to choose from: {:.1} on average", found.branching),
    ];
    lines.retain(|line| !line.is_empty());
    for (number, stats) in found.seats.iter().enumerate() {
        let mut line = format!("{}: wins {}", seat_title(game, number), percent(&stats.win));
        for (word, share) in [("draws", &stats.draw), ("losses", &stats.loss), ("undecided", &stats.open)] {
            if share.count > 0 {
                line = format!("{line}, {word} {}", percent(share));
            }
        }
        lines.push(line);
    }
    lines.push(format!("draws: {}", percent(&found.draws)));
    for &(end, games) in &found.endings {
        let (word, rule, clauses) = ending(game, end);
        let name = rule.map_or_else(|| word.to_owned(), |rule| rule_line(game, &opened.sources, rule));
        let cited: Vec<String> = clauses.iter().map(|clause| format!("§{clause}")).collect();
        let prefix = if word == "rule" { String::new() } else { format!("{word}: ") };
        lines.push(format!("ended {games} times by {prefix}{name} {}", cited.join(", ")));
    }
    if found.capped > 0 {
        lines.push(format!("stopped after {} plies: {} games", plan.cap, found.capped));
    }
    if found.exhausted > 0 {
        lines.push(format!("stopped by the step budget: {} games", found.exhausted));
    }
    for v in &found.examples {
        let rule = rule_line(game, &opened.sources, v.rule);
        lines.push(format!("broken in game {} after {} plies: {rule}\n  {}", v.game, v.ply, v.position));
    }
    if plan.invariants && !game.invariants.is_empty() {
        lines.push(format!(
            "invariants broken: {} of {} kept in every position",
            found.violations,
            game.invariants.len()
        ));
    }
    if plan.rules {
        let never = unused(game, found);
        lines.push(format!("rules never used: {}", never.len()));
        lines.extend(never.iter().map(|rule| format!("  {}", rule_line(game, &opened.sources, *rule))));
    }
    lines
}
