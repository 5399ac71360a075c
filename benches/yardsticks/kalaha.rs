//! Kalaha for two with six pits of four stones.

use super::Stream;

/// Plays a random game; returns its number of plies.
pub(crate) fn playout(dice: &mut Stream, moves: &mut Vec<usize>) -> u32 {
    let mut pits = [4_u32; 14];
    (pits[6], pits[13]) = (0, 0);
    let (mut me, mut plies) = (0, 0);
    loop {
        moves.clear();
        moves.extend((7 * me..7 * me + 6).filter(|&pit| pits[pit] > 0));
        if moves.is_empty() || plies == 2_000 {
            return plies;
        }
        let from = moves[dice.below(moves.len())];
        let (mut hand, mut pit) = (std::mem::take(&mut pits[from]), from);
        while hand > 0 {
            pit = (pit + 1) % 14;
            if pit != 13 - 7 * me {
                pits[pit] += 1;
                hand -= 1;
            }
        }
        plies += 1;
        if pit == 6 + 7 * me {
            continue;
        }
        if pit / 7 == me && pits[pit] == 1 {
            pits[6 + 7 * me] += std::mem::take(&mut pits[12 - pit]);
        }
        me = 1 - me;
    }
}
