//! `--shard I/K`: a part of the games of a command, on one of several machines.
//!
//! A shard is a file with totals in integers and the command that was played, and a checksum. `merge` runs the command
//! again with the totals of all shards instead of playing.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64;

use super::content::Content;
use super::exit::{Exit, Failure};
use super::ui::Ui;
use super::write::write_only;
use crate::api::Rules;
use crate::files::read_text;
use crate::measure::{JoinError, Settings, Shard, Totals, join};

/// The flags that do not belong to what is played, each with whether a value follows.
const ASIDE: [(&str, bool); 10] = [
    ("--shard", true),
    ("--out", true),
    ("--threads", true),
    ("--format", true),
    ("--lang", true),
    ("--limit-time", true),
    ("--limit-memory", true),
    ("--limit-steps", true),
    ("--report", true),
    ("--after", true),
];

/// Which part of the games is played.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct ShardArgs {
    /// Play only shard I of K and write its totals; `merge` joins the shards
    #[arg(long, value_name = "I/K", value_parser = shard)]
    pub(super) shard: Option<(u64, u64)>,
    /// Where to write the shard; by default GAME.I-of-K.json
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub(super) out: Option<PathBuf>,
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parsed = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parsed {
        Some((part, of)) if (1..=of).contains(&part) => Ok((part, of)),
        Some(_) | None => Err("write it as SHARD/SHARDS, such as 1/4, counting from 1".to_owned()),
    }
}

/// The command line without what does not belong to what is played.
fn command() -> Vec<String> {
    let mut kept = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let name = arg.split_once('=').map_or(arg.as_str(), |(name, _)| name);
        match ASIDE.iter().find(|(aside, _)| *aside == name) {
            Some((_, true)) if !arg.contains('=') => drop(args.next()),
            Some(_) => {}
            None => kept.push(arg),
        }
    }
    kept
}

/// Refuses to write over what the same command reads.
///
/// # Errors
/// If the file to write is one of those that are read.
pub(super) fn apart(out: Option<&Path>, read: &[PathBuf]) -> Result<(), Failure> {
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    match out.and_then(|out| Some((out, place(out)?))) {
        Some((out, at)) if read.iter().any(|file| place(file).as_ref() == Some(&at)) => {
            let message = format!("`{}` is read by this command, and would be lost", out.display());
            Err(Failure::new(Exit::Usage, message).cure("choose another name for `--out`"))
        }
        Some(_) | None => Ok(()),
    }
}

/// The digest of rules as resolved.
pub(super) fn digest(rules: &Rules) -> String {
    format!("{:016x}", rules.game().digest)
}

/// The settings of a command that plays this many games by some rules.
pub(super) fn settings(rules: &[&Rules], games: u64) -> Settings {
    Settings { command: command(), rules: rules.iter().map(|rules| digest(rules)).collect(), games }
}

impl ShardArgs {
    /// Writes a shard; `unit` is what its range counts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write<T: Serialize>(&self, ui: Ui, name: &str, shard: &Shard<T>, unit: &str) -> Result<(), Failure> {
        let (part, of) = self.shard.unwrap_or((1, 1));
        let path = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.{part}-of-{of}.json")));
        write_only(&path, Content::Shard, &sealed(shard)?)?;
        let told = format!("{}: {unit} {} to {} of {}", path.display(), shard.from, shard.to, shard.settings.games);
        ui.note(format!("{told}; `regelwerk merge` joins the shards"));
        Ok(())
    }
}

/// A shard as written to a file: its line, and a checksum over it.
///
/// # Errors
/// If it cannot be written as JSON.
pub(super) fn sealed<T: Serialize>(shard: &Shard<T>) -> Result<String, Failure> {
    let text = serde_json::to_string(shard)
        .map_err(|error| Failure::new(Exit::Faults, format!("the shard cannot be written: {error}")))?;
    Ok(format!("{text}\n{:016x}\n", xxh3_64(text.as_bytes())))
}

/// Reads a shard and verifies its checksum.
///
/// # Errors
/// If it is not a shard, or was changed.
pub(super) fn opened<T: DeserializeOwned>(file: &Path) -> Result<Shard<T>, Failure> {
    let fault = |why: String| {
        let message = format!("`{}` is not a shard: {why}", file.display());
        Failure::new(Exit::Faults, message)
            .cure("shards are written by `regelwerk simulate GAME --shard I/K` and others")
    };
    let text = read_text(file)?;
    let (body, sum) = text.trim_end().rsplit_once('\n').ok_or_else(|| fault("it is truncated".to_owned()))?;
    let shard = serde_json::from_str(body).map_err(|error| fault(error.to_string()))?;
    if sum != format!("{:016x}", xxh3_64(body.as_bytes())) {
        return Err(fault("it was changed after it was written".to_owned()));
    }
    Ok(shard)
}

/// The totals of all shards of a command.
///
/// # Errors
/// If they do not make up one run.
pub(super) fn joined<T: Totals + DeserializeOwned>(files: &[PathBuf]) -> Result<Shard<T>, Failure> {
    let mut shards = Vec::new();
    for file in files {
        shards.push(opened(file)?);
    }
    join(&shards).map_err(|error| refused(&error, files))
}

/// Says that the rules are not those the shards were played by, if they are not.
///
/// # Errors
/// If they are others.
pub(super) fn same_rules(settings: &Settings, rules: &[&Rules]) -> Result<(), Failure> {
    let now: Vec<String> = rules.iter().map(|rules| digest(rules)).collect();
    if now == settings.rules {
        return Ok(());
    }
    let cure = format!("they were played by rules of digest {}; it is now {}", settings.rules.join(" "), now.join(" "));
    Err(Failure::new(Exit::Faults, "the rules have changed since the shards were played").cure(cure))
}

/// Says that a file was played by another command than this one, if it was.
///
/// # Errors
/// If it was.
pub(super) fn same_command(played: &[String], file: &Path) -> Result<(), Failure> {
    same_commands(played, &command(), file)
}

/// The same of two that are to be joined; the file is that of the first.
///
/// # Errors
/// If they differ.
pub(super) fn same_commands(played: &[String], other: &[String], file: &Path) -> Result<(), Failure> {
    if played == other {
        return Ok(());
    }
    let message = format!("`{}` was played by another command: {}", file.display(), played.join(" "));
    Err(Failure::new(Exit::Faults, message)
        .cure(format!("play all rounds with the same options; here they are: {}", other.join(" "))))
}

fn refused(error: &JoinError, files: &[PathBuf]) -> Failure {
    let name = |at: &usize| files.get(*at).map_or_else(String::new, |file| format!("`{}`", file.display()));
    let (place, cure) = match error {
        JoinError::Nothing => (String::new(), "name the files"),
        JoinError::Rules(a, b) | JoinError::Commands(a, b, ..) => {
            (format!("{} and {}: ", name(a), name(b)), "only shards of the same command can be merged")
        }
        JoinError::Overlap(a, b, _) => (format!("{} and {}: ", name(a), name(b)), "remove one of them"),
        JoinError::Missing(..) => (String::new(), "name all shards, each once"),
        JoinError::Broken(at, ..) | JoinError::Impossible(at) => {
            (format!("{}: ", name(at)), "the file was changed; play the shard again")
        }
    };
    Failure::new(Exit::Faults, format!("{place}{error}")).cure(cure)
}
