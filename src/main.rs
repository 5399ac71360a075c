//! The command `regelwerk`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Lists of a hundred thousand moves come and go between what lasts. The allocator of the C library may leave ten times as
/// much room between them as is in use, which is more memory than a command may take.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    regelwerk::cli::run()
}
