//! Hand-written move counters: a second opinion about what a game's moves are.
//!
//! Each module plays one game directly from its clauses with the simplest data that will do: no rule file, no table,
//! nothing of this crate. Where a counter and the interpreter disagree, one of them has misread the rules.
//!
//! **Invariant:** nothing here imports `regelwerk`. A counter that shared its code would share its mistakes.

pub(crate) mod draughts;
pub(crate) mod halma;
pub(crate) mod kalaha;
pub(crate) mod sternhalma;
pub(crate) mod tictactoe;

/// A position that can list its successors.
pub(crate) trait Position: Sized {
    /// Returns one position per distinct legal move, and none once the game is over.
    ///
    /// A pass is a move only where the game's rules force it.
    fn successors(&self) -> Vec<Self>;
}

/// Counts the sequences of exactly 1, 2, … `depth` moves that start at `start`.
pub(crate) fn count<P: Position>(start: &P, depth: u32) -> Vec<u64> {
    let mut counts: Vec<u64> = (0..depth).map(|_| 0).collect();
    visit(start, &mut counts);
    counts
}

/// Adds the number of moves at `position` to the first count and those after them to the others.
fn visit<P: Position>(position: &P, counts: &mut [u64]) {
    if let Some((here, deeper)) = counts.split_first_mut() {
        for next in position.successors() {
            *here += 1;
            visit(&next, deeper);
        }
    }
}

/// Returns the field that lies `distance` steps from `field`, in any pair of coordinates.
fn shifted(field: (i8, i8), direction: (i8, i8), distance: i8) -> (i8, i8) {
    (field.0 + direction.0 * distance, field.1 + direction.1 * distance)
}
