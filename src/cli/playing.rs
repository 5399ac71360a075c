//! The flags shared by all commands that play many games.

use super::exit::{Exit, Failure};
use super::game::threads;
use super::seats::{seats, spec};
use super::ui::Ui;
use crate::api::Rules;
use crate::bots::{Seated, Spec};
use crate::ir::Game;
use crate::load::Asked;
use crate::measure::Plan;
use crate::play::Reactions;

/// The maximum number of games or pairs.
pub(super) const MOST: u64 = 1_000_000_000;

/// How games are played.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlayingArgs {
    /// The number of threads, by default one per core. Results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Put a bot on a seat: `mcts:100` (iterations) or `alphabeta:2` (plies). Seats are given by name or number, or all
    /// by `all`; the others play at random
    #[arg(long = "seat", value_name = "SEAT=BOT")]
    seats: Vec<String>,
    /// The maximum number of plies per game
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) cap: u32,
    /// In races, pick any legal act first instead of simulating reaction times
    #[arg(long, help_heading = "Races")]
    uniform: bool,
    /// The minimum reaction time in races, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 180, help_heading = "Races")]
    least: u32,
    /// The sum of four random draws from 0 to this many milliseconds is added to it
    #[arg(long, value_name = "MS", default_value_t = 120, help_heading = "Races")]
    spread: u32,
    /// How fast a seat is, in per cent: at 200 its times are halved. Seats are given by number
    #[arg(long = "skill", value_name = "SEAT=PERCENT", value_parser = skill, help_heading = "Races")]
    skills: Vec<(usize, u32)>,
    /// How many times in a thousand questions a seat acts without a cue
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Races",
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    slips: u32,
}

fn skill(text: &str) -> Result<(usize, u32), String> {
    let parsed = text.split_once('=').and_then(|(seat, skill)| Some((seat.parse().ok()?, skill.parse().ok()?)));
    match parsed {
        Some((seat @ 1.., skill @ 1..=10_000)) => Ok((seat, skill)),
        _ => Err("write it as SEAT=PERCENT, such as 2=150, with a percentage from 1 to 10000".to_owned()),
    }
}

impl PlayingArgs {
    /// The plan for games with a seed, without tracing.
    ///
    /// # Errors
    /// If a seat is named that does not exist.
    pub(super) fn plan(&self, game: &Game, seed: u64) -> Result<Plan, Failure> {
        let mut skills = vec![100; game.seats.len()];
        for (seat, percent) in &self.skills {
            let Some(place) = skills.get_mut(seat - 1) else {
                let message = format!("there is no seat {seat}");
                let cure = format!("the seats are 1 to {}", game.seats.len());
                return Err(Failure::new(Exit::Usage, message).cure(cure));
            };
            *place = *percent;
        }
        let reactions = Reactions { least: self.least, spread: self.spread, skill: skills, slips: self.slips };
        let reactions = (!self.uniform).then_some(reactions);
        Ok(Plan { cap: self.cap, seed, invariants: false, traced: 0, reactions })
    }

    /// The bots at the seats; by default none.
    ///
    /// # Errors
    /// If a seat or a bot does not exist, or the bot cannot play the game or needs a clock.
    pub(super) fn seated(&self, rules: &Rules) -> Result<Seated, Failure> {
        Ok(Seated::on(rules.engine(), self.specs(rules.game())?))
    }

    fn specs(&self, game: &Game) -> Result<Vec<Spec>, Failure> {
        let mut specs = vec![Spec::Random; game.seats.len()];
        for arg in &self.seats {
            if let Some(("all", text)) = arg.split_once('=') {
                specs.fill(counted(game, text)?);
                continue;
            }
            for (seat, text) in seats(game, std::slice::from_ref(arg))? {
                specs[seat] = counted(game, text)?;
            }
        }
        Ok(specs)
    }

    /// Who plays, in a few words: nothing if all play at random.
    pub(super) fn players(&self, game: &Game) -> Result<Option<String>, Failure> {
        let specs = self.specs(game)?;
        let words: Vec<String> = specs.iter().map(Spec::to_string).collect();
        Ok(specs.iter().any(|spec| *spec != Spec::Random).then(|| words.join(", ")))
    }

    /// The thread pool to play on.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub(super) fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        threads(self.threads)
    }
}

/// A bot whose budget is a count, so that the same seed gives the same games.
fn counted(game: &Game, text: &str) -> Result<Spec, Failure> {
    let spec = spec(game, text)?;
    match spec.time() {
        None => Ok(spec),
        Some(_) => {
            Err(Failure::new(Exit::Usage, format!("`{text}` needs a clock, and figures must not depend on one"))
                .cure("give it a number of iterations or plies, such as `mcts:1000`"))
        }
    }
}

/// What is asked of games besides the figures that every game has.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct MeasureArgs {
    /// Measure an expression of the language at the end of each game: a number or a condition
    #[arg(long = "measure", value_name = "NAME=EXPRESSION", value_parser = named)]
    ends: Vec<(String, String)>,
    /// The same in each turn, when a seat is first asked something
    #[arg(long = "measure-by-turn", value_name = "NAME=EXPRESSION", value_parser = named)]
    turns: Vec<(String, String)>,
}

impl MeasureArgs {
    /// The measures, those of the end first.
    pub(super) fn asked(&self) -> Vec<Asked> {
        let of = |list: &[(String, String)], by_turn| -> Vec<Asked> {
            list.iter().map(|(name, text)| Asked { name: name.clone(), text: text.clone(), by_turn }).collect()
        };
        [of(&self.ends, false), of(&self.turns, true)].concat()
    }
}

/// A name and an expression, which may itself contain `=`.
fn named(text: &str) -> Result<(String, String), String> {
    let fault = || "write it as NAME=EXPRESSION, such as `left=count(stone)`".to_owned();
    let (name, expression) = text.split_once('=').ok_or_else(fault)?;
    let (name, expression) = (name.trim(), expression.trim());
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    let sound = name.starts_with(char::is_alphabetic) && name.chars().all(letters) && !expression.is_empty();
    if sound { Ok((name.to_owned(), expression.to_owned())) } else { Err(fault()) }
}

/// Tells what the step budget left out of figures, and what the exit code says of it.
pub(super) fn limited(ui: Ui, exhausted: u64, unread: u64) -> Exit {
    if exhausted > 0 {
        ui.note(format!("{exhausted} games were stopped by the step budget; the figures say little"));
    }
    if unread > 0 {
        ui.note(format!(
            "{unread} values of measures are left out: they took more steps than the step budget, or are beyond 10^14"
        ));
    }
    if exhausted + unread > 0 { Exit::Limit } else { Exit::Done }
}

/// How races are decided; empty if there are none.
pub(super) fn races(game: &Game, plan: &Plan) -> String {
    match &plan.reactions {
        _ if game.cues.is_empty() => String::new(),
        None => "races: any legal act is equally likely to come first".to_owned(),
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

/// A share given in per cent from 0 to 100 or as a fraction: `2%`, `0.5 %` or `0.02`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let trimmed = text.trim();
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let share = match trimmed.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(trimmed),
    };
    match share {
        Some(share) if share > 0.0 && share < 1.0 => Ok(share),
        Some(_) | None => Err("write it as a percentage, such as 2%, or as a fraction, such as 0.02".to_owned()),
    }
}
