//! Statements.

use super::expr::{BinderSet, Expr, Owner};
use super::zone::{Packet, Sight, Spot, ZoneRef};
use super::{ActionId, BlockId, PhaseId, RuleId, Slot, TokenId, VarId};

/// What a seat may play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActionRef {
    /// The action with this number.
    Action(ActionId),
    /// The action with this number, played in a race. Its first two arguments
    /// are who acts, a seat, and when, the time on the logical clock.
    Race(ActionId),
    /// Nobody acts in a race until it is over.
    Wait,
    /// Passing.
    Pass,
    /// Declining what one may play.
    Decline,
    /// Picking a value in the middle of an effect, or a value chance picked.
    Pick,
}

/// Statements in order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The local names that end with the block.
    pub slots: Vec<Slot>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// The rule it implements.
    pub rule: RuleId,
}

/// Which piece is put.
#[derive(Clone, Debug)]
pub struct PieceExpr {
    /// Its kind.
    pub kind: Expr,
    /// Its owner.
    pub owner: Owner,
    /// Fields that differ from their default.
    pub fields: Vec<(String, Expr)>,
}

/// Where tokens go or come from.
#[derive(Clone, Debug)]
pub struct Place {
    /// The tokens.
    pub tokens: TokenId,
    /// Whose.
    pub owner: Owner,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Binds a local name.
    Let(Slot, Expr),
    /// A seat picks a value.
    Pick(Slot, Expr, Option<Expr>, Sight),
    /// Chance picks a value.
    Roll(Slot, Expr, Sight),
    /// Puts a piece on each site of a set; what stood there is gone.
    Put(PieceExpr, Expr),
    /// Puts tokens on each site of a set.
    PutTokens(Place, Expr, Expr),
    /// Moves tokens; all of them when the number is absent. Each source site
    /// gives; the first target site receives.
    MoveTokens(Place, Option<Expr>, Expr, Expr),
    /// Puts copies of a piece on top of a zone.
    PutIn(PieceExpr, Expr, ZoneRef),
    /// Chance brings the pieces of a zone into any order, all equally likely.
    Shuffle(ZoneRef),
    /// Moves pieces from or to a zone. From a zone to sites, one piece goes to each.
    MovePieces {
        /// Which, if they come from a zone.
        packet: Packet,
        /// From.
        from: Spot,
        /// To.
        to: Spot,
        /// Whether they go to the bottom instead of the top, their order kept.
        under: bool,
    },
    /// Moves a piece; what stood on the target is gone.
    Move(Expr, Expr),
    /// Takes the pieces off the sites of a set.
    Remove(Expr),
    /// Two sites change their pieces.
    Swap(Expr, Expr),
    /// The pieces and tokens of a set's sites move on by this many places in the
    /// order of the sites, those at the end to the beginning.
    Rotate(Expr, Expr),
    /// Changes fields of the pieces on sites or in a zone.
    Change(Spot, Vec<(String, Expr)>),
    /// Sows tokens one by one.
    Sow {
        /// Which.
        place: Place,
        /// From.
        from: Expr,
        /// In which direction.
        along: Expr,
        /// Sites passed over.
        skip: Option<Expr>,
        /// The site of the last token.
        last: Slot,
    },
    /// Sets a variable.
    Assign(VarId, Vec<Expr>, Expr),
    /// Either block.
    If(Expr, BlockId, Option<BlockId>),
    /// A block for each member; `from` says at which seat to begin.
    For(Slot, BinderSet, Option<Expr>, BlockId),
    /// A block while a condition holds.
    While(Expr, BlockId),
    /// A block so many times.
    Repeat(Expr, BlockId),
    /// Turn after turn, the first of them this seat's if one is named.
    Turns(Option<Expr>, BlockId),
    /// A named phase.
    Phase(PhaseId, BlockId),
    /// A procedure: its parameters are bound, its body runs.
    Call(Vec<(Slot, Expr)>, BlockId),
    /// Leaves the innermost turns.
    Stop,
    /// Says whose turn comes next.
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
        /// Whom.
        seat: Expr,
        /// Whether it may decline.
        may: bool,
        /// The first group with a legal move counts.
        groups: Vec<Vec<ActionRef>>,
        /// What happens when nothing is legal.
        otherwise: Option<BlockId>,
    },
    /// Several seats choose a move each, hidden from each other; then the moves
    /// are carried out in the order of the seats.
    Together {
        /// Which seats.
        seats: Expr,
        /// The first group with a legal move counts.
        groups: Vec<Vec<ActionRef>>,
    },
    /// Whoever of several seats acts first.
    Race {
        /// Which seats.
        seats: Expr,
        /// What they may play.
        group: Vec<ActionRef>,
        /// When it is over at the latest, on the logical clock.
        until: Option<Expr>,
        /// What happens when nobody acts.
        otherwise: Option<BlockId>,
    },
}

/// What a statement binds a local name to.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    /// The value of an expression.
    Value(&'a Expr),
    /// A member of a set, one after the other.
    Member(&'a Expr),
    /// A member of a set that a seat or chance picks.
    Picked(&'a Expr),
    /// A piece on a set of sites, one after the other.
    Piece(&'a Expr),
}

impl<'a> Bound<'a> {
    /// The expression that it comes from.
    #[must_use]
    pub fn source(self) -> &'a Expr {
        match self {
            Self::Value(expr) | Self::Member(expr) | Self::Picked(expr) | Self::Piece(expr) => expr,
        }
    }
}

/// Who decides how a statement goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A seat.
    Seat,
    /// Chance.
    Chance,
}

impl StmtKind {
    /// Whom the statement itself asks, which actions it offers, and which blocks it may run.
    fn course(&self) -> (Option<Asked>, &[Vec<ActionRef>], [Option<BlockId>; 2]) {
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

    /// Whom the statement itself asks, if it asks.
    #[must_use]
    pub fn asks(&self) -> Option<Asked> {
        self.course().0
    }

    /// What a seat or chance picks by it: the name it is bound to, from what, and who sees it.
    #[must_use]
    pub fn picked(&self) -> Option<(Slot, &Expr, &Sight)> {
        if let Self::Pick(slot, set, _, sight) | Self::Roll(slot, set, sight) = self {
            return Some((*slot, set, sight));
        }
        None
    }

    /// The names that it binds to something that an expression says. What is left are the site of the last token
    /// sown and the seat that is ranked.
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

    /// The groups of actions it offers; the first with a legal move counts.
    #[must_use]
    pub fn groups(&self) -> &[Vec<ActionRef>] {
        self.course().1
    }

    /// The blocks it may run.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        self.course().2.into_iter().flatten()
    }
}
