//! Operators on numbers and sets.

/// An operator on sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    /// Union.
    Union,
    /// Intersection.
    Intersect,
    /// Difference.
    Minus,
}

/// An operator on numbers. Results saturate at the limits of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient towards zero; the divisor is a constant other than 0.
    Div,
    /// Remainder, never negative; the divisor is a constant above 0.
    Mod,
}

impl IntOp {
    /// The result for two numbers; dividing by 0 gives none.
    #[inline]
    #[must_use]
    pub fn of(self, a: i64, b: i64) -> i64 {
        match (self, b) {
            (Self::Add, _) => a.saturating_add(b),
            (Self::Sub, _) => a.saturating_sub(b),
            (Self::Mul, _) => a.saturating_mul(b),
            (Self::Div | Self::Mod, 0) => 0,
            (Self::Div, _) => a.saturating_div(b),
            (Self::Mod, _) => a.wrapping_rem_euclid(b),
        }
    }
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Order {
    /// Whether the comparison holds between two numbers.
    #[inline]
    #[must_use]
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
        }
    }
}
