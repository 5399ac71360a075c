//! Playing games: by people, at random, in bulk.
//!
//! [`Match`] holds one game with all its steps; [`Record`] is the same as text. [`playout`] plays at random,
//! [`bench()`] does so against a clock its caller holds, and `perft` counts move sequences.
//!
//! Random numbers come from [`Stream`], named by a seed and an index: the same seed gives the same games on every
//! machine and with any number of threads.
//!
//! **Invariant:** no file, no clock and no terminal. A move that the engine does not list as legal is never played.

mod bench;
mod dealt;
mod determinize;
mod door;
mod ends;
mod grounds;
mod idle;
mod impact;
mod information;
mod lost;
mod matches;
mod outstanding;
mod perft;
mod random;
mod reaction;
mod recall;
mod record;
mod redrawn;
mod rewritten;
mod seat;
mod seed;
mod trail;
mod undo;

pub use bench::{Bench, bench, playouts};
pub use determinize::determinize;
pub use door::{Door, Event, Shown, Who};
pub use ends::Ends;
pub use grounds::grounds;
pub use idle::{Idle, Luck};
pub use impact::{Change, Difference, Impact, impact};
pub use information::InformationSet;
pub use matches::{Match, Step};
pub use perft::{Perft, Progress, perft, perft_with_ends};
pub use random::{Bots, Chosen, Playout, Question, RandomBot, RandomGame, Stop, deal, play_out, playout, random_move};
pub use reaction::Reactions;
pub use record::{Record, Replay, ReplayError, SeatRecord, read_step, replay};
pub use seat::{Bot, View, legal_for, told};
pub use seed::{Seed, Stream};
