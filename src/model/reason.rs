//! What a refused move failed at: the material of one sentence, without its words.

use crate::base::{Bits, Span};
use crate::ir::{Order, PathId, Piece, SeatId, TokenId, Ty, Value};

/// A value with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its type.
    pub ty: Ty,
    /// The value.
    pub value: Value,
}

/// What a site is needed for where it is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is jumped over.
    Over,
    /// It is passed on the way.
    Passed,
    /// A step or jump leads to it.
    Reached,
    /// It is chosen, or asked about.
    Chosen,
}

impl Part {
    /// As a word, for messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Passed => "passed",
            Self::Reached => "reached",
            Self::Chosen => "chosen",
        }
    }
}

/// What a test found. A [`Span`] is the place of an expression as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is nothing on a site.
    Bare {
        /// The site.
        site: usize,
        /// What it is needed for.
        part: Part,
    },
    /// There is something on a site.
    Occupied {
        /// The site.
        site: usize,
        /// The piece, if it is one.
        piece: Option<Piece>,
        /// What the site is needed for.
        part: Part,
    },
    /// A piece is not that of the seats wanted.
    NotOwned {
        /// The site it is on.
        site: usize,
        /// The piece.
        piece: Piece,
        /// The seats wanted.
        wanted: Bits,
    },
    /// A piece belongs to a seat that is excluded.
    Owned {
        /// The site it is on.
        site: usize,
        /// The piece.
        piece: Piece,
        /// Its owner.
        owner: SeatId,
    },
    /// The kind of a piece is, or is not, among some.
    Kind {
        /// The site it is on.
        site: usize,
        /// The piece.
        piece: Piece,
        /// The kinds.
        kinds: Bits,
        /// Whether it is among them.
        among: bool,
    },
    /// There are, or are not, tokens of a kind on a site.
    Tokens {
        /// The site.
        site: usize,
        /// The tokens.
        tokens: TokenId,
        /// Whether there are any.
        any: bool,
    },
    /// A site belongs to one seat, and those that fit to another.
    Side {
        /// The site.
        site: usize,
        /// Whose it is.
        owner: SeatId,
        /// Whose those are that fit.
        wanted: SeatId,
    },
    /// A value is, or is not, a member of a set.
    Member {
        /// The value.
        value: Told,
        /// The set.
        set: Span,
        /// Its members.
        members: Told,
        /// Whether it is one of them.
        among: bool,
    },
    /// A piece is, or is not, in a zone.
    InZone {
        /// The piece.
        piece: Piece,
        /// The zone, and the place in it.
        zone: (usize, usize),
        /// Whether it is there.
        there: bool,
    },
    /// A value is found in a zone, which leaves these to choose from.
    Only {
        /// The value.
        value: Told,
        /// The zone, and the place in it.
        zone: (usize, usize),
        /// What can be chosen.
        left: Told,
    },
    /// A flag of a piece is, or is not, set.
    Flag {
        /// The site it is on, if it is on one.
        site: Option<usize>,
        /// The piece.
        piece: Piece,
        /// The name of the flag.
        flag: String,
        /// Whether it is set.
        set: bool,
    },
    /// A value is, or is not, in an attribute of a piece's kind.
    Attribute {
        /// The site it is on, if it is on one.
        site: Option<usize>,
        /// The piece.
        piece: Piece,
        /// The attribute.
        attribute: Span,
        /// The value.
        value: Told,
        /// Whether it is in it.
        among: bool,
    },
    /// A site is not next to others.
    Apart {
        /// The site.
        site: usize,
        /// The others.
        beside: Told,
    },
    /// A set has no members.
    Empty(Span),
    /// A set has members.
    Some {
        /// The set.
        set: Span,
        /// Its members.
        members: Told,
    },
    /// A zone holds so many pieces.
    Holds {
        /// The zone, and the place in it.
        zone: (usize, usize),
        /// How many.
        count: usize,
    },
    /// A number does not, or does, compare with another as it is written.
    Number {
        /// The comparison that would let the move pass.
        wanted: Order,
        /// The numbers.
        numbers: (i64, i64),
        /// Where they are written.
        written: (Span, Span),
    },
    /// Two values are, or are not, equal.
    Equal {
        /// The values.
        values: (Told, Told),
        /// Where they are written.
        written: (Span, Span),
        /// Whether they are equal.
        equal: bool,
    },
    /// A condition holds, or does not.
    Test {
        /// The condition.
        test: Span,
        /// Whether it holds.
        holds: bool,
    },
    /// A site is farther away than a move reaches.
    Far {
        /// Where it begins.
        from: usize,
        /// Where it would have to end.
        to: usize,
        /// How far it reaches.
        limit: i64,
    },
    /// A site is not in a direction of the move.
    Aside {
        /// Where it begins.
        from: usize,
        /// Where it would have to end.
        to: usize,
        /// The directions it may take.
        directions: Told,
    },
    /// No path leads there, whatever stands on the way.
    Unreachable {
        /// Where they begin.
        from: usize,
        /// Where one would have to end.
        to: usize,
        /// The paths.
        paths: Vec<PathId>,
    },
    /// No path leads there as things stand.
    Blocked {
        /// Where they begin.
        from: usize,
        /// Where one would have to end.
        to: usize,
        /// The paths.
        paths: Vec<PathId>,
    },
    /// Only two paths, one after the other, lead there, and a move follows one.
    Joined {
        /// Where they begin.
        from: usize,
        /// Where they end.
        to: usize,
        /// The paths.
        paths: [PathId; 2],
    },
    /// Several of these together.
    All(Vec<Self>),
}

impl Reason {
    /// Says what the site is needed for.
    pub fn needed_for(&mut self, what: Part) {
        match self {
            Self::Bare { part, .. } | Self::Occupied { part, .. } => *part = what,
            Self::All(several) => several.iter_mut().for_each(|reason| reason.needed_for(what)),
            Self::NotOwned { .. }
            | Self::Owned { .. }
            | Self::Kind { .. }
            | Self::Tokens { .. }
            | Self::Side { .. }
            | Self::Member { .. }
            | Self::InZone { .. }
            | Self::Only { .. }
            | Self::Flag { .. }
            | Self::Attribute { .. }
            | Self::Empty(_)
            | Self::Some { .. }
            | Self::Holds { .. }
            | Self::Number { .. }
            | Self::Equal { .. }
            | Self::Test { .. }
            | Self::Far { .. }
            | Self::Aside { .. }
            | Self::Unreachable { .. }
            | Self::Blocked { .. }
            | Self::Apart { .. }
            | Self::Joined { .. } => {}
        }
    }

    /// Says where the piece is that it is about.
    pub fn standing_on(&mut self, there: usize) {
        if let Self::Flag { site, .. } | Self::Attribute { site, .. } = self {
            *site = Some(there);
        }
    }

    /// The same without the piece that stands in the way, which a seat need not see.
    #[must_use]
    pub fn unsighted(&self) -> Self {
        if let Self::Occupied { site, part, .. } = self {
            return Self::Occupied { site: *site, piece: None, part: *part };
        }
        let Self::All(several) = self else { return self.clone() };
        Self::All(several.iter().map(Self::unsighted).collect())
    }
}
