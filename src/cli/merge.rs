//! `merge`: merges the shards of a simulation.

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::exit::{Exit, Failure};

use super::game::{SetupArgs, open};
use super::simulate::show;
use super::ui::Ui;
use crate::files::read_text;
use crate::measure::{JoinError, Looks, Shard, join};

/// Merges the shards of a simulation, played with `simulate --shard`, into the figures of one run
#[derive(Clone, Debug, clap::Args)]
pub(super) struct MergeArgs {
    /// The shards, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Draw the figures to this file
    #[arg(long, value_name = "FILE.svg")]
    report: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &MergeArgs, ui: Ui) -> Result<Exit, Failure> {
    let mut shards: Vec<Shard> = Vec::new();
    for file in &args.files {
        shards.push(opened_part(file)?);
    }
    let whole = join(&shards).map_err(|error| refused(&error, &args.files))?;
    let settings = &whole.settings;
    let setup = SetupArgs {
        players: settings.players,
        variants: settings.variants.clone(),
        readings: settings.readings.clone(),
        options: settings.options.clone(),
        ..SetupArgs::default()
    };
    let opened = open(ui, &settings.game, &setup)?;
    let digest = format!("{:016x}", opened.game().digest);
    if digest != settings.digest {
        let message = format!("the rules of `{}` have changed since the shards were played", settings.game);
        let cure = format!("they were played with the rules of digest {}; the digest is now {digest}", settings.digest);
        return Err(Failure::new(Exit::Faults, message).cure(cure));
    }
    let looks = Looks::new(settings.games, false);
    show(ui, &opened, settings, looks, &whole.tally, args.report.as_deref())
}

/// A shard as written to a file: its lines, and a checksum over them.
///
/// # Errors
/// If it cannot be written as JSON.
pub(super) fn sealed(shard: &Shard) -> Result<String, Failure> {
    let text = serde_json::to_string(shard)
        .map_err(|error| Failure::new(Exit::Faults, format!("the shard cannot be written: {error}")))?;
    Ok(format!("{text}\n{:016x}\n", xxh3_64(text.as_bytes())))
}

/// Reads a shard and verifies its checksum.
fn opened_part(file: &Path) -> Result<Shard, Failure> {
    let fault = |why: String| {
        let message = format!("`{}` is not a shard of a simulation: {why}", file.display());
        Failure::new(Exit::Faults, message).cure("shards are written by `regelwerk simulate GAME --shard I/K`")
    };
    let text = read_text(file)?;
    let (body, sum) = text.trim_end().rsplit_once('\n').ok_or_else(|| fault("it is truncated".to_owned()))?;
    let shard = serde_json::from_str(body).map_err(|error| fault(error.to_string()))?;
    if sum != format!("{:016x}", xxh3_64(body.as_bytes())) {
        return Err(fault("it was changed after it was written".to_owned()));
    }
    Ok(shard)
}

fn refused(error: &JoinError, files: &[PathBuf]) -> Failure {
    let name = |at: &usize| files.get(*at).map_or_else(String::new, |file| format!("`{}`", file.display()));
    let (place, cure) = match error {
        JoinError::Nothing => (String::new(), "name the files"),
        JoinError::Rules(a, b) | JoinError::Settings(a, b, _) => {
            (format!("{} and {}: ", name(a), name(b)), "only shards of the same simulation can be merged")
        }
        JoinError::Overlap(a, b, _) => (format!("{} and {}: ", name(a), name(b)), "remove one of them"),
        JoinError::Missing(..) => (String::new(), "name all shards of the simulation, each once"),
        JoinError::Broken(at, ..) => (format!("{}: ", name(at)), "the file was changed; play the shard again"),
    };
    Failure::new(Exit::Faults, format!("{place}{error}")).cure(cure)
}
