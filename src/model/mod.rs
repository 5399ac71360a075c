//! Positions and moves, independent of any interpreter.
//!
//! A game is a program with decision points: it runs until it needs an answer from outside and then asks for it
//! ([`Ask`]). A [`Position`] is the state at such a point: the components, the variables, the control stack, and the
//! question.
//!
//! **Invariant:** nothing here knows how moves are computed, draws a random number, or prints.

mod deed;
mod engine;
mod explain;
mod history;
mod key;
mod meter;
mod outcome;
mod position;
mod reason;
mod run;
mod violations;

pub use deed::Deed;
pub(crate) use engine::set_up_by;
pub use engine::{Answer, Engine, SETUP_QUESTIONS, first_outcomes, set_up, set_up_with};
pub use explain::{Chosen, Displaced, Explain, Glance, Grounds, Last, Observation, Refusal, Viewer, Why};
pub use history::{Entry, History};
pub use key::{
    ControlHash, held_key, is_moving, member_key, mix, number_key, part_seed, piece_digest, piece_key, token_key,
    turn_key, zone_key,
};
pub use meter::{Meter, STEPS};
pub use outcome::{Ending, Finish, Outcome, Verdict, next_rank};
pub(crate) use position::{AHEAD, HELD, LARGE, most_piled};
pub use position::{Ask, EndMoment, Frame, Position, Standing, StmtRef, TurnStage};
pub use reason::{Part, Reason, Told};
pub use run::{Run, Stepwise};
pub use violations::Violations;
