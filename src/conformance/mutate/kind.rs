//! Kinds of change.

/// What kind of change a mutant has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A word or sign stands for another one.
    Word,
    /// A number is one greater.
    Number,
    /// A guard, a block or a statement is gone.
    Removal,
    /// One of several conditions that must all hold is gone, or asks for less.
    Condition,
    /// One of several ways to fulfil a condition, or one member of a set, is gone.
    Alternative,
    /// A rule does not hold for one seat, or with one number of players.
    Exception,
    /// What was set or moved is so only after the statements that follow.
    Kept,
    /// A bound that is no number is moved by one, or a number is one less.
    Bound,
    /// A member of a set stands for another one.
    Member,
    /// What has an order is the other way round.
    Order,
}

impl Kind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Word,
        Self::Number,
        Self::Removal,
        Self::Condition,
        Self::Alternative,
        Self::Exception,
        Self::Kept,
        Self::Bound,
        Self::Member,
        Self::Order,
    ];

    /// The word by which it is chosen.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Number => "number",
            Self::Removal => "removal",
            Self::Condition => "condition",
            Self::Alternative => "alternative",
            Self::Exception => "exception",
            Self::Kept => "kept",
            Self::Bound => "bound",
            Self::Member => "member",
            Self::Order => "order",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
