//! Statements.

use super::expr::{Expr, Over, Whose};
use super::item::Sight;
use super::{Cite, Ident};
use crate::base::Span;

/// Statements in braces.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// The statements in order.
    pub stmts: Vec<Stmt>,
}

/// A statement with its place and clauses.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// Its title: that of the result, if it ends the game.
    pub title: Option<String>,
    /// The clauses it implements.
    pub cites: Vec<Cite>,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.title == other.title && self.cites == other.cites
    }
}

impl Eq for Stmt {}

/// A piece to be put: `own stone`, `tile(k) of p with face = down`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSpec {
    /// Its owner.
    pub whose: Whose,
    /// A kind of piece, a class of kinds, or a variable that holds a kind.
    pub name: Ident,
    /// The kind within a class.
    pub args: Vec<Expr>,
    /// Field values.
    pub fields: Vec<(Ident, Expr)>,
}

/// A pool of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSpec {
    /// Their owner.
    pub whose: Whose,
    /// The token's name.
    pub name: Ident,
}

/// Which pieces of a zone are moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceSelection {
    /// `top N of`; one if there is no number.
    Top(Option<Expr>),
    /// `bottom N of`
    Bottom(Option<Expr>),
    /// `all of`
    All,
}

/// An assignment operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `:=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `choose x in S by p seen by q`: a parameter of the move, or a decision within its effects.
    Choose(Ident, Expr, Option<Expr>, Option<Sight>),
    /// `roll x in S seen by q`: chance picks a member uniformly.
    Roll(Ident, Expr, Option<Sight>),
    /// `require C`: a guard on the position before the move.
    Require(Expr),
    /// `ensure C`: a guard on the position after the move.
    Ensure(Expr),
    /// `prefer E`: only moves with the greatest E are legal.
    Prefer(Expr),
    /// `let x = E`
    Let(Ident, Expr),
    /// `put N piece on S`
    Put(Option<Expr>, PieceSpec, Expr),
    /// `move top N of Z to Z`, `move all of Z under Z`
    MovePacket(PieceSelection, Expr, Expr, bool),
    /// `move N seed from A to B`; all of them if there is no number.
    MoveTokens(Option<Expr>, TokenSpec, Expr, Expr),
    /// `move A to B`; with `from`, a piece leaves a zone; the flag means `under`.
    Move(Expr, Option<Expr>, Expr, bool),
    /// `remove S`
    Remove(Expr),
    /// `swap A, B`
    Swap(Expr, Expr),
    /// `rotate S by N`
    Rotate(Expr, Expr),
    /// `change S: f = E`
    Change(Expr, Vec<(Ident, Expr)>),
    /// `sow seed from A along D skip S as last`
    Sow {
        /// The tokens.
        tokens: TokenSpec,
        /// The source site.
        from: Expr,
        /// The direction.
        along: Expr,
        /// The sites to skip.
        skip: Option<Expr>,
        /// The name for the site of the last token.
        last: Ident,
    },
    /// `shuffle Z`
    Shuffle(Expr),
    /// `if C { } else { }`
    If(Expr, Block, Option<Block>),
    /// `for x in S from p { }`
    For(Ident, Over, Expr, Option<Expr>, Block),
    /// `while C { }`
    While(Expr, Block),
    /// `repeat N { }`
    Repeat(Expr, Block),
    /// `turns from p { }`: turn after turn until `stop`; the first turn is p's.
    Turns(Option<Expr>, Block),
    /// `phase name "title" { }`
    Phase(Ident, Option<String>, Block),
    /// `together S play a | b else c`: secret simultaneous choices.
    Together(Expr, Vec<Vec<Ident>>),
    /// `race S play a | b until E else { }`: the first seat to act does so.
    Race {
        /// The seats that may act.
        seats: Expr,
        /// The actions they may play.
        group: Vec<Ident>,
        /// The deadline.
        until: Option<Expr>,
        /// The block run at the deadline.
        otherwise: Option<Block>,
    },
    /// `stop`: leaves the innermost `turns`.
    Stop,
    /// `again`: the same seat has another turn.
    Again,
    /// `give turn to p`
    Give(Expr),
    /// `win S`
    Win(Expr),
    /// `lose S`
    Lose(Expr),
    /// `draw`
    Draw,
    /// `rank p in S by E`
    Rank(Ident, Expr, Expr),
    /// `place S`: the next free rank from the top; the seats leave the turn order.
    Place(Expr),
    /// `eliminate S`: the last free rank; the seats leave the turn order.
    Eliminate(Expr),
    /// `x(i) := E`
    Assign(Ident, Vec<Expr>, AssignOp, Expr),
    /// `p plays a | b else c`; `may` lets the seat decline.
    Plays {
        /// The seat asked.
        seat: Expr,
        /// Whether it may decline.
        may: bool,
        /// The groups of actions; the first with a legal move is offered.
        groups: Vec<Vec<Ident>>,
        /// The block run when nothing is legal: `else { … }`.
        otherwise: Option<Block>,
    },
    /// `procedure(…)`
    Call(Ident, Vec<Expr>),
}

impl StmtKind {
    /// Whether it may stand in a head, the name it binds for what follows, and the blocks that stand in it.
    fn control_flow(&self) -> (bool, Option<&Ident>, [Option<&Block>; 2]) {
        match self {
            Self::Choose(name, ..) | Self::Let(name, _) => (true, Some(name), [None, None]),
            Self::Require(_) | Self::Prefer(_) => (true, None, [None, None]),
            Self::Roll(name, ..) | Self::Sow { last: name, .. } => (false, Some(name), [None, None]),
            Self::If(_, yes, no) => (false, None, [Some(yes), no.as_ref()]),
            Self::For(.., body)
            | Self::While(_, body)
            | Self::Repeat(_, body)
            | Self::Turns(_, body)
            | Self::Phase(.., body) => (false, None, [Some(body), None]),
            Self::Race { otherwise, .. } | Self::Plays { otherwise, .. } => (false, None, [otherwise.as_ref(), None]),
            Self::Ensure(_)
            | Self::Put(..)
            | Self::MovePacket(..)
            | Self::MoveTokens(..)
            | Self::Move(..)
            | Self::Remove(_)
            | Self::Swap(..)
            | Self::Rotate(..)
            | Self::Change(..)
            | Self::Shuffle(_)
            | Self::Together(..)
            | Self::Stop
            | Self::Again
            | Self::Give(_)
            | Self::Win(_)
            | Self::Lose(_)
            | Self::Draw
            | Self::Rank(..)
            | Self::Place(_)
            | Self::Eliminate(_)
            | Self::Assign(..)
            | Self::Call(..) => (false, None, [None, None]),
        }
    }

    /// Whether it may stand in the head of an action, before its effects.
    #[must_use]
    pub fn may_head(&self) -> bool {
        self.control_flow().0
    }

    /// The name it binds for the statements that follow.
    #[must_use]
    pub fn binds(&self) -> Option<&Ident> {
        self.control_flow().1
    }

    /// The blocks that stand in it, in the order of the text.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.control_flow().2.into_iter().flatten()
    }

    /// The same, to be changed.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let blocks = if let Self::If(_, yes, no) = self {
            [Some(yes), no.as_mut()]
        } else if let Self::For(.., body)
        | Self::While(_, body)
        | Self::Repeat(_, body)
        | Self::Turns(_, body)
        | Self::Phase(.., body) = self
        {
            [Some(body), None]
        } else if let Self::Race { otherwise, .. } | Self::Plays { otherwise, .. } = self {
            [otherwise.as_mut(), None]
        } else {
            [None, None]
        };
        blocks.into_iter().flatten()
    }
}
