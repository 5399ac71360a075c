//! Who sees what, and zones.

use super::expr::Expr;
use crate::base::Spanned;

/// How the pieces of a zone are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneForm {
    /// Ordered, the last on top.
    Pile,
    /// Ordered side by side.
    Row,
    /// Without order.
    Set,
}

/// Who sees pieces or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Everybody.
    All,
    /// Nobody.
    No,
    /// The seats of a set.
    Seats(Expr),
}

/// Who sees what of a piece; everybody what is not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sights {
    /// Its kind and fields.
    pub piece: Option<Sight>,
    /// Whose it is, with the place where that is said.
    pub owner: Option<Spanned<Sight>>,
}

/// Who sees what of a zone; everybody what is not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZoneSights {
    /// Its pieces.
    pub pieces: Option<Sight>,
    /// How many there are, with the place where that is said.
    pub number: Option<Spanned<Sight>>,
    /// In which order they lie, with the place where that is said.
    pub order: Option<Spanned<Sight>>,
}
