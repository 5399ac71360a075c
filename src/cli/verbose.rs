//! How much an explanation says.

use crate::view::Detail;

/// `-v`: the rules behind an explanation.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct VerboseArgs {
    /// Show the rules behind an explanation, with their places and lines
    #[arg(short, long)]
    verbose: bool,
}

impl VerboseArgs {
    /// How much an explanation says.
    pub(super) fn detail(self) -> Detail {
        if self.verbose { Detail::Rules } else { Detail::Clauses }
    }
}
