//! What an override changes: an item, or a part of one.

use crate::base::Span;
use crate::syntax::ast::{Cite, Ident};

/// A part of an item.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A row of a table, and possibly a column of it.
    Row(String, Option<String>),
    /// A statement, with everything in it.
    Statement(Place, String),
    /// Where statements are added: next to this one, or to everything in the item; after it or before.
    Beside(Place, bool, String),
    /// The condition of an end.
    When,
    /// The value of an option, or the default of a reading.
    Value,
}

/// The place of a statement, and those of the statements around it: some of them an override may have brought.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) at: Span,
    pub(super) within: Vec<Span>,
}

impl Place {
    /// Whether a statement is another, or stands around it.
    fn holds(&self, other: &Self) -> bool {
        self.at == other.at || other.within.contains(&self.at)
    }
}

impl Piece {
    /// Whether two changes of one item exclude each other. What several add at one place stands there in their order.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Row(row, column), Self::Row(other, with)) => {
                row == other && (column.is_none() || with.is_none() || column == with)
            }
            (Self::Statement(one, _), Self::Statement(two, _)) => one.holds(two) || two.holds(one),
            (Self::Statement(one, _), Self::Beside(of, ..)) | (Self::Beside(of, ..), Self::Statement(one, _)) => {
                one.at != of.at && one.holds(of)
            }
            (Self::When, Self::When) | (Self::Value, Self::Value) => true,
            (Self::Row(..) | Self::Statement(..) | Self::Beside(..) | Self::When | Self::Value, _) => false,
        }
    }

    /// Whether whatever another change of the item does is undone by this one.
    fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Row(row, column), Self::Row(other, with)) => row == other && (column.is_none() || column == with),
            (Self::Statement(one, _), Self::Statement(two, _) | Self::Beside(two, ..)) => one.holds(two),
            (Self::Beside(one, after, _), Self::Beside(two, behind, _)) => one.at == two.at && after == behind,
            (Self::When, Self::When) | (Self::Value, Self::Value) => true,
            (Self::Row(..) | Self::Statement(..) | Self::Beside(..) | Self::When | Self::Value, _) => false,
        }
    }
}

/// Whether a place contains another.
pub(super) fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// The target of an override: an item, or a part of it.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Its keyword and name.
    pub(super) item: String,
    pub(super) part: Option<Piece>,
}

impl Target {
    pub(super) fn whole(item: String) -> Self {
        Self { item, part: None }
    }

    /// Whether two overrides exclude each other.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.item == other.item
            && match (&self.part, &other.part) {
                (None, _) | (_, None) => true,
                (Some(one), Some(two)) => one.meets(two),
            }
    }

    /// Whether whatever another override does is undone by this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.item == other.item
            && match (&self.part, &other.part) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(one), Some(two)) => one.covers(two),
            }
    }

    /// The place of the statement it changes or adds to.
    pub(super) fn statement(&self) -> Option<Span> {
        match self.part.as_ref()? {
            Piece::Statement(place, _) | Piece::Beside(place, ..) => Some(place.at),
            Piece::Row(..) | Piece::When | Piece::Value => None,
        }
    }

    /// The names in it.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let row = if let Some(Piece::Row(row, _)) = &self.part { Some(row.as_str()) } else { None };
        [Some(self.name()), row].into_iter().flatten()
    }

    fn name(&self) -> &str {
        self.item.split_once(' ').map_or(self.item.as_str(), |(_, name)| name)
    }

    /// In quotes, as written in rules.
    pub(super) fn shown(&self) -> String {
        match &self.part {
            None | Some(Piece::Value) => format!("`{}`", self.item),
            Some(Piece::Row(..)) => format!("`{}`", self.title()),
            Some(Piece::Statement(_, part)) => format!("`{part}` in `{}`", self.item),
            Some(Piece::Beside(.., part)) => format!("what stands next to {part} in `{}`", self.item),
            Some(Piece::When) => format!("the condition of `{}`", self.item),
        }
    }

    /// Its name for a rule.
    pub(super) fn title(&self) -> String {
        let name = self.name();
        match &self.part {
            Some(Piece::Row(row, None)) => format!("{name}.{row}"),
            Some(Piece::Row(row, Some(column))) => format!("{name}.{row}.{column}"),
            None | Some(Piece::Statement(..) | Piece::Beside(..) | Piece::When | Piece::Value) => name.to_owned(),
        }
    }
}

/// An override that was applied.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    /// Its target.
    pub(super) what: Target,
    /// Its place.
    pub(super) place: Span,
    /// The clauses it cites, if no remaining item does: otherwise that item has them.
    pub(super) cites: Vec<Cite>,
}

/// Overrides that cite clauses: the target with its place, and the clauses.
pub(super) fn citing(changed: &[Changed]) -> Vec<(Ident, Vec<Cite>)> {
    let named = |change: &Changed| Ident { node: change.what.title(), span: change.place };
    let citing = changed.iter().filter(|change| !change.cites.is_empty());
    citing.map(|change| (named(change), change.cites.clone())).collect()
}
