//! The command `regelwerk`.

use std::process::ExitCode;

fn main() -> ExitCode {
    regelwerk::cli::run()
}
