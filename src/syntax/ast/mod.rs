//! The syntax tree: names as written, nothing resolved.
//!
//! Trees are compared without their spans, so that texts that differ only in layout give equal trees.

pub mod expr;
pub mod item;
mod key;
pub mod part;
mod sight;
pub mod stmt;

mod named;
mod walk;

use crate::base::{Span, Spanned};

pub use named::{head, of_kind};

/// A name as written.
pub type Ident = Spanned<String>;

/// A reference to a clause of a source document, without its `§`.
pub type Cite = Spanned<String>;

/// A rule file: its items in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct File {
    /// The items.
    pub items: Vec<item::Item>,
}

/// A type as written: `int`, `site`, `set of site`, an enum's name.
#[derive(Clone, Debug)]
pub enum TypeName {
    /// A named type.
    Named(Ident),
    /// `set of T`.
    Set(Box<TypeName>, Span),
}

impl PartialEq for TypeName {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(one), Self::Named(two)) => one == two,
            (Self::Set(one, _), Self::Set(two, _)) => one == two,
            (Self::Named(_), Self::Set(..)) | (Self::Set(..), Self::Named(_)) => false,
        }
    }
}

impl Eq for TypeName {}

impl TypeName {
    /// The place of the type.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Named(name) => name.span,
            Self::Set(_, span) => *span,
        }
    }
}

/// A parameter with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeName,
}
