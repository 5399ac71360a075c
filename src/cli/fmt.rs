//! `fmt`: formats rule files.

use std::path::Path;

use serde_json::json;

use super::exit::{Exit, Failure};
use super::files::walk;
use super::ui::Ui;
use super::write::rewrite;
use crate::files::read_text;
use crate::syntax::format;

/// Formats rule files; comments are kept, tables are aligned
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FmtArgs {
    /// Rule files, or folders with rule files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Change nothing; fail if a file would change
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub(super) fn run(args: &FmtArgs, ui: Ui) -> Exit {
    let (mut changed, mut faulty, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    let mut total = 0;
    for file in &args.files {
        let paths = walk(Path::new(file), &["rules"]).unwrap_or_else(|failure| {
            failed.push(failure);
            Vec::new()
        });
        for path in paths {
            total += 1;
            let name = path.display().to_string();
            // The other files are formatted nevertheless.
            match one(&path, args.check) {
                Ok(Done::Formatted) => changed.push(name),
                Ok(Done::Faulty) => faulty.push(name),
                Ok(Done::Fine) => {}
                Err(failure) => failed.push(failure),
            }
        }
    }
    let exit = failed.first().map(|failure| failure.exit);
    if ui.is_json() {
        let failed: Vec<&str> = failed.iter().map(|failure| failure.message.as_str()).collect();
        let written = !args.check;
        ui.json(&json!({
            "files": total, "changed": changed, "faulty": faulty, "failed": failed, "written": written
        }));
    } else {
        for failure in &failed {
            ui.failure(failure);
        }
        for name in &faulty {
            ui.note(format!("`{name}` has errors and was not changed: run `regelwerk check {name}`"));
        }
        for name in &changed {
            ui.line(if args.check { format!("`{name}` is not formatted") } else { format!("`{name}` formatted") });
        }
        let files = if total == 1 { "1 file".to_owned() } else { format!("{total} files") };
        ui.line(format!("{files}: {} {}", changed.len(), if args.check { "would change" } else { "changed" }));
    }
    let fine = faulty.is_empty() && (changed.is_empty() || !args.check);
    exit.unwrap_or(if fine { Exit::Done } else { Exit::Faults })
}

/// What became of a file.
enum Done {
    /// It was not formatted, and now is unless only a check was asked for.
    Formatted,
    /// It has errors.
    Faulty,
    /// It was formatted already.
    Fine,
}

fn one(path: &Path, check: bool) -> Result<Done, Failure> {
    let text = read_text(path)?;
    match format(&text) {
        None => Ok(Done::Faulty),
        Some(laid_out) if laid_out == text => Ok(Done::Fine),
        Some(laid_out) => {
            if !check {
                rewrite(path, &text, &laid_out)?;
            }
            Ok(Done::Formatted)
        }
    }
}
