//! `--limit-time` and `--limit-memory`: what a command may use before it is stopped.
//!
//! What rules do is counted in steps, which are the same everywhere; these two limits are for the process as a whole,
//! whatever it does. A thread watches the clock and the process's own memory, and ends the process with exit code 4.
//! Files are written by renaming, so none is left half written.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::exit::{Exit, Failure};
use super::game::no_threads;
use super::ui::Ui;
use crate::model::Meter;

/// How often time and memory are looked at.
const INTERVAL: Duration = Duration::from_millis(10);

/// Where the system says how much memory the process takes.
const STATUS: &str = "/proc/self/status";

/// The flags that limit a command.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct LimitArgs {
    /// Stop after this many seconds, with exit code 4
    #[arg(long, value_name = "SECONDS", global = true, help_heading = "Limits", value_parser = seconds)]
    limit_time: Option<Duration>,
    /// Stop when the process takes this many MiB of memory, with exit code 4 (Linux only)
    #[arg(long, value_name = "MIB", global = true, help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    limit_memory: Option<u64>,
}

/// The flag of commands that play what a file says.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct StepArgs {
    /// Stop when the decisions of a game have taken so many steps together, with exit code 4
    #[arg(long, value_name = "N", default_value_t = 20_000_000_000, help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) limit_steps: u64,
}

impl StepArgs {
    /// A meter with so many steps.
    pub(super) fn meter(&self) -> Meter {
        Meter::new(self.limit_steps)
    }

    /// What is said when they are spent.
    ///
    /// # Errors
    /// If they are.
    pub(super) fn within(&self, meter: &Meter, what: &str) -> Result<(), Failure> {
        if !meter.is_spent() {
            return Ok(());
        }
        let message = format!("stopped: {what} took {} steps, as many as `--limit-steps` allows", self.limit_steps);
        Err(Failure::new(Exit::Limit, message).cure("allow more with `--limit-steps`"))
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, such as `2.5`".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| "write a number of seconds from 0".to_owned())?;
    if time.is_zero() { Err("no command is done in no time".to_owned()) } else { Ok(time) }
}

/// Starts to watch, if there is a limit.
///
/// # Errors
/// If the system does not say how much memory a process takes.
pub(super) fn watch(args: &LimitArgs, ui: Ui) -> Result<(), Failure> {
    let (time, memory) = (args.limit_time, args.limit_memory);
    if memory.is_some() && resident().is_none() {
        let message = "this system does not say how much memory a process takes";
        return Err(
            Failure::new(Exit::Usage, message).cure("remove `--limit-memory`, or limit the process from outside")
        );
    }
    if time.is_some() || memory.is_some() {
        let start = Instant::now();
        let watching = move || {
            loop {
                if let Some(failure) = reached(time, memory, start.elapsed()) {
                    ui.failure(&failure);
                    std::process::exit(failure.exit.number().into());
                }
                thread::sleep(INTERVAL);
            }
        };
        thread::Builder::new().spawn(watching).map_err(|error| no_threads(&error))?;
    }
    Ok(())
}

/// The limit that is reached.
fn reached(time: Option<Duration>, memory: Option<u64>, elapsed: Duration) -> Option<Failure> {
    let failure = |message: String, cure: &str| Some(Failure::new(Exit::Limit, message).cure(cure));
    if let Some(time) = time.filter(|time| elapsed >= *time) {
        return failure(format!("stopped after {} s, as `--limit-time` says", time.as_secs_f64()), "allow more time");
    }
    let memory = memory.filter(|most| resident().is_some_and(|taken| taken > *most))?;
    failure(format!("stopped at {memory} MiB of memory, as `--limit-memory` says"), "allow more memory")
}

/// The memory that the process takes, in MiB.
fn resident() -> Option<u64> {
    let status = fs::read_to_string(STATUS).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes / 1024)
}
