//! Handwritten playouts of a few games: table driven, all legal moves listed, no tricks. The engine is measured against
//! them in the same run.

use regelwerk::play::Stream;

pub(crate) mod breakthrough;
pub(crate) mod chess;
pub(crate) mod connect_four;
pub(crate) mod halali;
pub(crate) mod halma;
pub(crate) mod kalaha;

/// The maximum number of plies in a game.
const CAP: u32 = 2_000;

/// A position that is played on in place.
pub(crate) trait Yardstick: Clone {
    /// A move.
    type Move: Copy + Ord + std::fmt::Debug;

    /// Lists the legal moves; none if the game is over.
    fn list(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);
}

/// Plays a random game; returns its number of plies.
pub(crate) fn playout<Y: Yardstick>(mut game: Y, dice: &mut Stream, moves: &mut Vec<Y::Move>) -> u32 {
    for ply in 0..CAP {
        moves.clear();
        game.list(moves);
        if moves.is_empty() {
            return ply;
        }
        game.play(moves[dice.below(moves.len())]);
    }
    CAP
}
