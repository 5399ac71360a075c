//! Statements.

use super::expr::{BinderSet, Expr, Owner};
use super::zone::{PieceLocation, PieceSelection, Sight, ZoneRef};
use super::{ActionId, BlockId, PhaseId, RuleId, Slot, TokenId, VarId};

/// What a seat may play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActionRef {
    /// The action with this number.
    Action(ActionId),
    /// The action with this number, played in a race. Its first two arguments are the seat that acts and the time on
    /// the logical clock.
    Race(ActionId),
    /// No seat acts before the race is over.
    Wait,
    /// Passing.
    Pass,
    /// Declining an optional move.
    Decline,
    /// Picking a value in the middle of an effect, or a chance outcome.
    Pick,
}

/// Statements in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The local names whose scope is the block.
    pub slots: Vec<Slot>,
    /// The procedure whose statements they are, or the setup.
    pub owner: Option<RuleId>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The rule it implements.
    pub rule: RuleId,
}

/// A piece to be put.
#[derive(Clone, Debug)]
pub struct PieceExpr {
    /// Its kind.
    pub kind: Expr,
    /// Its owner.
    pub owner: Owner,
    /// Fields that differ from their default.
    pub fields: Vec<(String, Expr)>,
}

/// A pool of tokens.
#[derive(Clone, Debug)]
pub struct Place {
    /// The tokens.
    pub tokens: TokenId,
    /// Their owner.
    pub owner: Owner,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Binds a local name.
    Let(Slot, Expr),
    /// A seat picks a value: the one named, else the acting seat.
    Pick(Slot, Expr, Option<Expr>, Sight),
    /// Chance picks a value.
    Roll(Slot, Expr, Sight),
    /// Puts a piece on each site of a set, replacing what is there.
    Put(PieceExpr, Expr),
    /// Puts tokens on each site of a set.
    PutTokens(Place, Expr, Expr),
    /// Moves tokens; all of them if there is no number. Every source site gives; the first target site receives.
    MoveTokens(Place, Option<Expr>, Expr, Expr),
    /// Puts copies of a piece on top of a zone.
    PutIn(PieceExpr, Expr, ZoneRef),
    /// Chance permutes the pieces of a zone uniformly.
    Shuffle(ZoneRef),
    /// Moves pieces from or to a zone. From a zone to sites, each site gets one piece.
    MovePieces {
        /// Which pieces, if they come from a zone.
        selection: PieceSelection,
        /// The source.
        from: PieceLocation,
        /// The target.
        to: PieceLocation,
        /// Whether they go to the bottom instead of the top, in the same order.
        under: bool,
    },
    /// Moves a piece, replacing what is on the target.
    Move(Expr, Expr),
    /// Removes the pieces from the sites of a set.
    Remove(Expr),
    /// Exchanges the pieces of two sites.
    Swap(Expr, Expr),
    /// Shifts the pieces and tokens of a set's sites by this many places in the order of the sites, cyclically.
    Rotate(Expr, Expr),
    /// Changes fields of the pieces on sites or in a zone.
    Change(PieceLocation, Vec<(String, Expr)>),
    /// Sows tokens one by one.
    Sow {
        /// The tokens.
        place: Place,
        /// The source site.
        from: Expr,
        /// The direction.
        along: Expr,
        /// Sites to skip.
        skip: Option<Expr>,
        /// The local name of the site of the last token.
        last: Slot,
    },
    /// Sets a variable.
    Assign(VarId, Vec<Expr>, Expr),
    /// A conditional.
    If(Expr, BlockId, Option<BlockId>),
    /// A block for each member; `from` is the seat to begin with.
    For(Slot, BinderSet, Option<Expr>, BlockId),
    /// A block while a condition holds.
    While(Expr, BlockId),
    /// A block a number of times.
    Repeat(Expr, BlockId),
    /// Turn after turn; the first is this seat's, if one is named.
    Turns(Option<Expr>, BlockId),
    /// A named phase.
    Phase(PhaseId, BlockId),
    /// A procedure call: binds the parameters, runs the body.
    Call(Vec<(Slot, Expr)>, BlockId),
    /// Leaves the innermost turns.
    Stop,
    /// Sets the seat whose turn comes next.
    Give(Expr),
    /// The seats win, the others lose.
    Win(Expr),
    /// The seats lose, the others win.
    Lose(Expr),
    /// Nobody wins.
    Draw,
    /// Ranks seats by a number, the greatest first.
    Rank(Slot, Expr, Expr),
    /// The seats take the next rank from the top.
    Place(Expr),
    /// The seats take the last rank.
    Eliminate(Expr),
    /// Asks a seat.
    Plays {
        /// The seat.
        seat: Expr,
        /// Whether it may decline.
        may: bool,
        /// The groups of actions; the first group with a legal move is offered.
        groups: Vec<Vec<ActionRef>>,
        /// The block run when nothing is legal.
        otherwise: Option<BlockId>,
    },
    /// Several seats each choose a move in secret; the moves are then carried out in seat order.
    Together {
        /// The seats.
        seats: Expr,
        /// The groups of actions; the first group with a legal move is offered.
        groups: Vec<Vec<ActionRef>>,
    },
    /// Any of several seats may act; the first to do so does.
    Race {
        /// The seats.
        seats: Expr,
        /// The actions they may play.
        group: Vec<ActionRef>,
        /// The deadline on the logical clock, if any.
        until: Option<Expr>,
        /// The block run when nobody acts.
        otherwise: Option<BlockId>,
    },
}

/// What a statement binds a local name to.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    /// The value of an expression.
    Value(&'a Expr),
    /// Each member of a set in turn.
    Member(&'a Expr),
    /// A member of a set, picked by a seat or by chance.
    Picked(&'a Expr),
    /// Each piece on a set of sites in turn.
    Piece(&'a Expr),
}

impl<'a> Bound<'a> {
    /// The expression it comes from.
    #[must_use]
    pub fn source(self) -> &'a Expr {
        match self {
            Self::Value(expr) | Self::Member(expr) | Self::Picked(expr) | Self::Piece(expr) => expr,
        }
    }
}

/// Who answers a question that a statement asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A seat.
    Seat,
    /// Chance.
    Chance,
}

impl StmtKind {
    /// Who answers the statement's own question, the actions it offers, and the blocks it may run.
    fn control_flow(&self) -> (Option<Asked>, &[Vec<ActionRef>], [Option<BlockId>; 2]) {
        match self {
            Self::Pick(..) => (Some(Asked::Seat), &[], [None, None]),
            Self::Roll(..) | Self::Shuffle(_) => (Some(Asked::Chance), &[], [None, None]),
            Self::Plays { groups, otherwise, .. } => (Some(Asked::Seat), groups, [*otherwise, None]),
            Self::Together { groups, .. } => (Some(Asked::Seat), groups, [None, None]),
            Self::Race { group, otherwise, .. } => (Some(Asked::Seat), std::slice::from_ref(group), [*otherwise, None]),
            Self::If(_, yes, no) => (None, &[], [Some(*yes), *no]),
            Self::For(_, _, _, body)
            | Self::While(_, body)
            | Self::Repeat(_, body)
            | Self::Turns(_, body)
            | Self::Phase(_, body)
            | Self::Call(_, body) => (None, &[], [Some(*body), None]),
            Self::Let(..)
            | Self::Put(..)
            | Self::PutTokens(..)
            | Self::PutIn(..)
            | Self::MovePieces { .. }
            | Self::Rotate(..)
            | Self::MoveTokens(..)
            | Self::Move(..)
            | Self::Remove(_)
            | Self::Swap(..)
            | Self::Change(..)
            | Self::Sow { .. }
            | Self::Assign(..)
            | Self::Stop
            | Self::Give(_)
            | Self::Win(_)
            | Self::Lose(_)
            | Self::Draw
            | Self::Rank(..)
            | Self::Place(_)
            | Self::Eliminate(_) => (None, &[], [None, None]),
        }
    }

    /// Who answers the statement's own question, if it asks one.
    #[must_use]
    pub fn asks(&self) -> Option<Asked> {
        self.control_flow().0
    }

    /// The actions that it offers a seat, in groups; none unless it asks for a move.
    #[must_use]
    pub fn offered(&self) -> &[Vec<ActionRef>] {
        self.control_flow().1
    }

    /// What a seat or chance picks here: the name it is bound to, the set it comes from, and who sees it.
    #[must_use]
    pub fn choice_or_roll(&self) -> Option<(Slot, &Expr, &Sight)> {
        if let Self::Pick(slot, set, _, sight) | Self::Roll(slot, set, sight) = self {
            return Some((*slot, set, sight));
        }
        None
    }

    /// The block it runs again and again.
    #[must_use]
    pub fn repeated(&self) -> Option<BlockId> {
        if let Self::For(.., body) | Self::While(_, body) | Self::Repeat(_, body) | Self::Turns(_, body) = self {
            return Some(*body);
        }
        None
    }

    /// The expressions that determine the number of iterations, and where they begin.
    pub fn often(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = if let Self::Repeat(count, _) = self {
            (Some(count), None)
        } else if let Self::For(_, BinderSet::Members(set) | BinderSet::PiecesAt(set), from, _) = self {
            (Some(set), from.as_ref())
        } else {
            (None, None)
        };
        first.into_iter().chain(second)
    }

    /// The names it binds to the value of an expression. The site of the last sown token and the seat being ranked
    /// are not among them.
    #[must_use]
    pub fn bindings(&self) -> Vec<(Slot, Bound<'_>)> {
        match self {
            Self::Let(slot, value) => vec![(*slot, Bound::Value(value))],
            Self::Call(names, _) => names.iter().map(|(slot, value)| (*slot, Bound::Value(value))).collect(),
            Self::Pick(slot, set, ..) | Self::Roll(slot, set, _) => vec![(*slot, Bound::Picked(set))],
            Self::For(slot, BinderSet::Members(set), ..) => vec![(*slot, Bound::Member(set))],
            Self::For(slot, BinderSet::PiecesAt(set), ..) => vec![(*slot, Bound::Piece(set))],
            Self::Put(..)
            | Self::PutTokens(..)
            | Self::MoveTokens(..)
            | Self::PutIn(..)
            | Self::Shuffle(_)
            | Self::MovePieces { .. }
            | Self::Move(..)
            | Self::Remove(_)
            | Self::Swap(..)
            | Self::Rotate(..)
            | Self::Change(..)
            | Self::Sow { .. }
            | Self::Assign(..)
            | Self::If(..)
            | Self::While(..)
            | Self::Repeat(..)
            | Self::Turns(..)
            | Self::Phase(..)
            | Self::Stop
            | Self::Give(_)
            | Self::Win(_)
            | Self::Lose(_)
            | Self::Draw
            | Self::Rank(..)
            | Self::Place(_)
            | Self::Eliminate(_)
            | Self::Plays { .. }
            | Self::Together { .. }
            | Self::Race { .. } => Vec::new(),
        }
    }

    /// The fields of pieces that it sets.
    #[must_use]
    pub fn fields(&self) -> &[(String, Expr)] {
        if let Self::Put(piece, _) | Self::PutIn(piece, ..) = self {
            return &piece.fields;
        }
        if let Self::Change(_, fields) = self { fields } else { &[] }
    }

    /// The groups of actions it offers; the first group with a legal move is offered.
    #[must_use]
    pub fn groups(&self) -> &[Vec<ActionRef>] {
        self.control_flow().1
    }

    /// The blocks it may run.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        self.control_flow().2.into_iter().flatten()
    }
}
