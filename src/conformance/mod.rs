//! Conformance cases: what must be legal, refused and decided, clause by clause, as data.
//!
//! A file of cases names a game; each case names the clauses it is about, a setup and a position, and its steps:
//! moves to play and assertions. Cases can be run on any rule file (`regelwerk test`).
//!
//! **Invariant:** a step that cannot be carried out fails; nothing is skipped.

mod beginnings;
mod case;
mod conditions;
mod coverage;
mod mutate;
mod outcome;
mod runner;
mod stage;
mod trace;
mod transfer;

pub use case::{Case, CaseFile, CaseSetup, Given, Step, load_cases};
pub use coverage::{Coverage, Covered, State};
pub use mutate::{Kind, Mutant, Survivor, load_survivors, mutants};
pub use outcome::{Failure, Outcome};
pub use runner::Interpreters;
pub use stage::{Stage, run_case, run_case_within, stages};
pub use transfer::{Rules, Transferred, settles, stands_for, transfer};
