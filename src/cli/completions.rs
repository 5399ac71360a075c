//! `completions`: for shells.

use super::exit::Exit;
use super::ui::Ui;

/// Prints completions for a shell
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Runs the command.
pub(super) fn run(args: &CompletionsArgs, ui: Ui, mut command: clap::Command) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "regelwerk", &mut script);
    ui.print(&String::from_utf8_lossy(&script));
    Exit::Done
}
