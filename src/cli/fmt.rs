//! `fmt`: formats rule files.

use std::path::Path;

use serde_json::json;

use super::exit::{Exit, Failure};
use super::files::walk;
use super::ui::Ui;
use super::write::write_text;
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
pub(super) fn run(args: &FmtArgs, ui: Ui) -> Result<Exit, Failure> {
    let (mut changed, mut faulty) = (Vec::new(), Vec::new());
    let mut total = 0;
    for file in &args.files {
        for path in walk(Path::new(file), "rules")? {
            total += 1;
            let text = read_text(&path)?;
            let name = path.display().to_string();
            match format(&text) {
                None => faulty.push(name),
                Some(laid_out) if laid_out == text => {}
                Some(laid_out) => {
                    if !args.check {
                        write_text(&path, &laid_out)?;
                    }
                    changed.push(name);
                }
            }
        }
    }
    if ui.is_json() {
        ui.json(&json!({"files": total, "changed": changed, "faulty": faulty, "written": !args.check}));
    } else {
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
    Ok(if fine { Exit::Done } else { Exit::Faults })
}
