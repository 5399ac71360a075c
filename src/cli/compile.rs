//! `compile`: writes a game as a module of WebAssembly.

use std::path::PathBuf;

use serde_json::json;

use super::content::Content;
use super::exit::{Exit, Failure};
use super::game::{GameArgs, Read, read};
use super::ui::Ui;
use super::write::write_result;
use crate::module::module;
use crate::say::Lang;
use crate::view::rule_line;

/// Writes a game as a module of WebAssembly, which plays it by itself
///
/// The module runs in a browser, or wherever WebAssembly does, without Regelwerk; `docs/module.md` says what it offers.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CompileArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &CompileArgs, ui: Ui) -> Result<Exit, Failure> {
    let Read { loaded, game, .. } = read(ui, &args.game.game, &args.game.setup.setup())?;
    let bytes = module(&game).map_err(|gap| {
        let place = rule_line(Lang::En, &game, &loaded.sources, gap.rule);
        Failure::new(Exit::Faults, format!("`{}` cannot be compiled yet: {}, {place}", game.name, gap.what))
            .cure("`simulate`, `perft`, `play` and the library run it without being compiled")
    })?;
    write_result(&args.out, Content::Module, &bytes)?;
    let path = args.out.display().to_string();
    if ui.is_json() {
        ui.json(&json!({"game": game.name, "file": path, "bytes": bytes.len()}));
    } else {
        ui.line(format!("{path}: {} bytes", bytes.len()));
    }
    Ok(Exit::Done)
}
