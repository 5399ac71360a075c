//! What a game *is* once names and types are resolved: data, no behaviour.
//!
//! A [`Game`] is fixed to one number of players and one set of options, readings and variants; boards are laid out,
//! regions and tables are values. An interpreter needs nothing else.
//!
//! **Invariant:** nothing here reads text or computes a move; names are kept only to be shown.

mod arena;
mod board;
mod clause;
mod dependencies;
mod expr;
mod fields;
mod game;
mod head;
mod hidden;
mod history_use;
mod id;
mod knowledge;
mod later;
mod lexicon;
mod liveness;
mod op;
mod path;
mod piece;
pub(crate) mod row;
mod stmt;
mod value;
mod values;
mod walk;
mod zone;

pub use arena::Arena;
pub use board::{Board, BoardForm, Direction, Site, Topology};
pub use clause::{Clause, ClauseTable, Force, Gap, Only, Translation};
pub(crate) use dependencies::{Dependencies, Read};
pub use expr::{Attribute, Binder, BinderSet, Expr, ExprKind, FnDef, Fold, Function, Lookup, Owner};
pub use fields::Fields;
pub use game::{
    Action, Claim, EndRule, EnumInfo, Game, Invariant, Measure, Moment, Offer, Region, Rule, RuleKind, Seat, SlotInfo,
    VarInfo,
};
pub use head::{Choice, Header};
pub(crate) use history_use::HistoryUse;
pub use history_use::Part;
pub use id::{
    ActionId, BlockId, ClaimId, EnumId, FnId, Id, KindId, OfferId, PartId, PathId, PhaseId, RuleId, SeatId, Slot,
    TableId, TokenId, VarId, ZoneId,
};
pub use knowledge::{
    Audience, Channel, Disclosure, Knowledge, KnowledgeTable, Revealing, Secret, Source, Viewers, Who,
};
pub use later::Later;
pub(crate) use later::Passing;
pub use lexicon::Lexicon;
pub use liveness::Liveness;
pub use op::{IntOp, Order, SetOp};
pub use path::{Path, PathDef, Test};
pub use piece::{Field, Kind, Piece, Tokens};
pub use stmt::{ActionRef, Asked, Block, Bound, PieceExpr, Place, Stmt, StmtKind};
pub use value::{Move, Ty, Value, Way};
pub use values::Values;
pub use zone::{Cue, PieceLocation, PieceSelection, Sight, Zone, ZoneForm, ZoneRef};
