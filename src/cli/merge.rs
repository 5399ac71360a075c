//! `merge`: merges the shards of a command.

use std::path::PathBuf;

use clap::Parser;

use super::exit::{Exit, Failure};
use super::shards::{apart, opened};
use super::ui::Ui;
use super::{Cli, Command, compare, contest, readings, simulate, tune};

/// Merges the shards of a command, played with `--shard`, into the figures of one run
#[derive(Clone, Debug, clap::Args)]
pub(super) struct MergeArgs {
    /// The shards, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Draw the figures of a simulation to this file
    #[arg(long, value_name = "FILE.svg")]
    report: Option<PathBuf>,
    /// Where to write a round of `tune` that is not the last one
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &MergeArgs, ui: Ui) -> Result<Exit, Failure> {
    let files = &args.files;
    apart(args.out.as_deref(), files)?;
    let Some(first) = files.first() else { return Err(Failure::new(Exit::Usage, "there is nothing to merge")) };
    let command = opened::<serde_json::Value>(first)?.settings.command;
    let words = std::iter::once("regelwerk".to_owned()).chain(command);
    let parsed = Cli::try_parse_from(words).ok().and_then(|cli| cli.command);
    // What a flag asks for is done, or it is said that it is not.
    let idle = [
        ("--report", args.report.is_some() && !matches!(parsed, Some(Command::Simulate(_))), "of `simulate`"),
        ("--out", args.out.is_some() && !matches!(parsed, Some(Command::Tune(_))), "of `tune`"),
    ];
    if let Some((flag, _, whose)) = idle.into_iter().find(|(_, idle, _)| *idle) {
        let message = format!("`{flag}` is for shards {whose}, and these are not");
        return Err(Failure::new(Exit::Usage, message).cure("leave it out; the figures are printed"));
    }
    match parsed {
        Some(Command::Simulate(args_of)) => simulate::merge(&args_of, ui, files, args.report.as_deref()),
        Some(Command::Match(args)) => contest::merge(&args, ui, files),
        Some(Command::Compare(args)) => compare::merge(&args, ui, files),
        Some(Command::Readings(args)) => readings::merge(&args, ui, files),
        Some(Command::Tune(args_of)) => tune::merge(&args_of, ui, files, args.out.as_deref()),
        _ => {
            let message = format!("`{}` was played by a command that this version does not know", first.display());
            Err(Failure::new(Exit::Faults, message).cure("merge with the version that played the shards"))
        }
    }
}
