//! Keywords of items, and the names that items declare.

use super::Ident;
use super::item::{Item, ItemKind, OF, Shape};
use super::part::Condition;
use super::stmt::Block;
use crate::base::{SaturatingFrom, Span};

impl ItemKind {
    /// The keyword that begins the item.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Game { .. } => "game",
            Self::Document { .. } => "document",
            Self::Clause(..) => "clause",
            Self::Players { .. } => "players",
            Self::Seating(..) => "seating",
            Self::First(_) => "first",
            Self::Option { .. } => "option",
            Self::Reading(..) => "reading",
            Self::Enum(..) => "enum",
            Self::Kinds { .. } => "kinds",
            Self::Piece { .. } => "piece",
            Self::Tokens { .. } => "tokens",
            Self::Table(..) => "table",
            Self::Board { .. } => "board",
            Self::Region(..) => "region",
            Self::Define(..) => "define",
            Self::Path(..) => "path",
            Self::Var { record: true, .. } => "record",
            Self::Var { record: false, .. } => "var",
            Self::Zone { .. } => "zone",
            Self::Setup(_) => "setup",
            Self::Action(..) => "action",
            Self::Cue(..) => "cue",
            Self::Claim { .. } => "claim",
            Self::Offer(..) => "offer",
            Self::Procedure(..) => "procedure",
            Self::Play(_) => "play",
            Self::End { .. } => "end",
            Self::Invariant(..) => "invariant",
            Self::Variant { .. } => "variant",
            Self::With(..) => "with",
            Self::Change(..) => "change",
            Self::Replace(_) => "replace",
            Self::Remove(..) | Self::RemoveRow(..) => "remove",
            Self::Row(..) => "row",
            Self::Set(..) => "set",
        }
    }

    /// Whether the item overrides others.
    #[must_use]
    pub fn overrides(&self) -> bool {
        matches!(
            self,
            Self::Replace(_)
                | Self::Change(..)
                | Self::Remove(..)
                | Self::Row(..)
                | Self::RemoveRow(..)
                | Self::Set(..)
        )
    }

    /// The items within it: those of a variant or an overlay, and the one in a `replace`.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        match self {
            Self::Variant { items, .. } | Self::With(_, items) => items,
            Self::Replace(item) => std::slice::from_ref(item),
            Self::Game { .. }
            | Self::Document { .. }
            | Self::Clause(..)
            | Self::Players { .. }
            | Self::Seating(..)
            | Self::First(_)
            | Self::Option { .. }
            | Self::Reading(..)
            | Self::Enum(..)
            | Self::Kinds { .. }
            | Self::Piece { .. }
            | Self::Tokens { .. }
            | Self::Table(..)
            | Self::Board { .. }
            | Self::Region(..)
            | Self::Define(..)
            | Self::Path(..)
            | Self::Var { .. }
            | Self::Zone { .. }
            | Self::Setup(_)
            | Self::Action(..)
            | Self::Cue(..)
            | Self::Claim { .. }
            | Self::Offer(..)
            | Self::Procedure(..)
            | Self::Play(_)
            | Self::End { .. }
            | Self::Invariant(..)
            | Self::Change(..)
            | Self::Remove(..)
            | Self::Row(..)
            | Self::RemoveRow(..)
            | Self::Set(..) => &[],
        }
    }

    /// What an overlay depends on; nothing for other items.
    #[must_use]
    pub fn conditions(&self) -> &[Condition] {
        if let Self::With(conditions, _) = self { conditions } else { &[] }
    }

    /// The item that stands in a `replace`; any other is that itself.
    #[must_use]
    pub fn replaced(&self) -> &Self {
        if let Self::Replace(item) = self { &item.kind } else { self }
    }

    /// The statements it consists of.
    #[must_use]
    pub fn block(&self) -> Option<&Block> {
        match self {
            Self::Setup(block)
            | Self::Action(_, _, block)
            | Self::Claim { body: block, .. }
            | Self::Offer(_, _, block)
            | Self::Procedure(_, _, block)
            | Self::Play(block)
            | Self::End { body: block, .. } => Some(block),
            Self::Game { .. }
            | Self::Document { .. }
            | Self::Clause(..)
            | Self::Players { .. }
            | Self::Seating(..)
            | Self::First(_)
            | Self::Option { .. }
            | Self::Reading(..)
            | Self::Enum(..)
            | Self::Kinds { .. }
            | Self::Piece { .. }
            | Self::Tokens { .. }
            | Self::Table(..)
            | Self::Board { .. }
            | Self::Region(..)
            | Self::Define(..)
            | Self::Path(..)
            | Self::Var { .. }
            | Self::Zone { .. }
            | Self::Cue(..)
            | Self::Invariant(..)
            | Self::Variant { .. }
            | Self::Replace(_)
            | Self::With(..)
            | Self::Change(..)
            | Self::Remove(..)
            | Self::Row(..)
            | Self::RemoveRow(..)
            | Self::Set(..) => None,
        }
    }

    /// The blocks of statements in it: what it consists of, or what it brings into another rule.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let edits = if let Self::Change(_, _, edits) = self { edits.as_slice() } else { &[] };
        self.block().into_iter().chain(edits.iter().filter_map(|edit| edit.kind.block()))
    }

    /// The statements it consists of, to be changed.
    pub fn block_mut(&mut self) -> Option<&mut Block> {
        if let Self::Setup(block)
        | Self::Action(_, _, block)
        | Self::Claim { body: block, .. }
        | Self::Offer(_, _, block)
        | Self::Procedure(_, _, block)
        | Self::Play(block)
        | Self::End { body: block, .. } = self
        {
            Some(block)
        } else {
            None
        }
    }

    /// The name after the keyword, if there is one. For a `cue` it is the name of an action; for `replace` the name
    /// of the item inside.
    #[must_use]
    pub fn name(&self) -> Option<&Ident> {
        match self {
            Self::Game { name, .. }
            | Self::Option { name, .. }
            | Self::Reading(name, ..)
            | Self::Enum(name, _)
            | Self::Kinds { name, .. }
            | Self::Piece { name, .. }
            | Self::Tokens { name, .. }
            | Self::Table(name, _)
            | Self::Region(name, _)
            | Self::Define(name, ..)
            | Self::Path(name, ..)
            | Self::Var { name, .. }
            | Self::Zone { name, .. }
            | Self::Action(name, ..)
            | Self::Cue(name, ..)
            | Self::Claim { name, .. }
            | Self::Offer(name, ..)
            | Self::Procedure(name, ..)
            | Self::End { name, .. }
            | Self::Invariant(name, _)
            | Self::Variant { name, .. } => Some(name),
            Self::Board { name, .. } => name.as_ref(),
            Self::Replace(item) => item.kind.name(),
            Self::Document { .. }
            | Self::Clause(..)
            | Self::Players { .. }
            | Self::Seating(..)
            | Self::First(_)
            | Self::Setup(_)
            | Self::Play(_)
            | Self::With(..)
            | Self::Change(..)
            | Self::Remove(..)
            | Self::Row(..)
            | Self::RemoveRow(..)
            | Self::Set(..) => None,
        }
    }

    /// What people call it, or what is said of it.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Document { title, .. } | Self::Clause(_, title) => Some(title),
            Self::Game { title, .. }
            | Self::Piece { title, .. }
            | Self::Tokens { title, .. }
            | Self::Var { title, .. }
            | Self::Zone { title, .. }
            | Self::Action(_, title, _)
            | Self::Claim { title, .. }
            | Self::Offer(_, title, _)
            | Self::End { title, .. }
            | Self::Variant { title, .. }
            | Self::Option { text: title, .. }
            | Self::Reading(_, _, title) => title.as_deref(),
            Self::Players { .. }
            | Self::Seating(..)
            | Self::First(_)
            | Self::Enum(..)
            | Self::Kinds { .. }
            | Self::Table(..)
            | Self::Board { .. }
            | Self::Region(..)
            | Self::Define(..)
            | Self::Path(..)
            | Self::Setup(_)
            | Self::Cue(..)
            | Self::Procedure(..)
            | Self::Play(_)
            | Self::Invariant(..)
            | Self::Replace(_)
            | Self::With(..)
            | Self::Change(..)
            | Self::Remove(..)
            | Self::Row(..)
            | Self::RemoveRow(..)
            | Self::Set(..) => None,
        }
    }

    /// The names declared inside the item that are visible outside it: seats, values, kinds, fields, columns, and the
    /// named parts of a board.
    #[must_use]
    pub fn members(&self) -> Vec<Ident> {
        match self {
            Self::Players { players, .. } => players.iter().map(|player| player.name.clone()).collect(),
            Self::Reading(_, alternatives, _) => alternatives.clone(),
            Self::Enum(_, members) => members.iter().map(|(name, _)| name.clone()).collect(),
            Self::Piece { fields, .. } => fields.iter().map(|field| field.name.clone()).collect(),
            Self::Kinds { fields, rows, .. } => {
                let fields = fields.iter().map(|field| field.name.clone());
                let kinds = rows.body.iter().filter_map(|row| row.cells.first().cloned());
                fields.chain(rows.header.cells.iter().skip(1).map(head)).chain(kinds).collect()
            }
            Self::Board { shape: Shape::PerSeat { groups, .. }, .. } => {
                groups.iter().map(|group| group.name.clone()).collect()
            }
            Self::Board { shape: Shape::Graph(lines), .. } => {
                let mut names: Vec<Ident> = Vec::new();
                for name in lines.iter().flat_map(|line| line.direction.iter().chain(&line.sites)) {
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                }
                names
            }
            Self::Table(_, rows) => rows.header.cells.iter().skip(1).map(head).collect(),
            Self::Replace(item) => item.kind.members(),
            Self::Region(..)
            | Self::Game { .. }
            | Self::Document { .. }
            | Self::Clause(..)
            | Self::Seating(..)
            | Self::First(_)
            | Self::Option { .. }
            | Self::Tokens { .. }
            | Self::Board { .. }
            | Self::Define(..)
            | Self::Path(..)
            | Self::Var { .. }
            | Self::Zone { .. }
            | Self::Setup(_)
            | Self::Action(..)
            | Self::Cue(..)
            | Self::Claim { .. }
            | Self::Offer(..)
            | Self::Procedure(..)
            | Self::Play(_)
            | Self::End { .. }
            | Self::Invariant(..)
            | Self::Variant { .. }
            | Self::With(..)
            | Self::Change(..)
            | Self::Remove(..)
            | Self::Row(..)
            | Self::RemoveRow(..)
            | Self::Set(..) => Vec::new(),
        }
    }
}

/// Splits a name such as `goals of knight` into the common name of the rules and the kind; none for any other name.
#[must_use]
pub fn of_kind(name: &Ident) -> Option<(Ident, Ident)> {
    let (family, kind) = name.node.split_once(OF)?;
    let (first, last) = (u32::saturating_from(family.len()), u32::saturating_from(kind.len()));
    let front = Span { end: name.span.start.saturating_add(first), ..name.span };
    let back = Span { start: name.span.end.saturating_sub(last), ..name.span };
    Some((Ident::new(family.to_owned(), front), Ident::new(kind.to_owned(), back)))
}

/// The name in the header of a column, `name` or `name: type`.
#[must_use]
pub fn head(cell: &Ident) -> Ident {
    let name = cell.node.split(':').next().unwrap_or("").trim_end();
    let length = u32::saturating_from(name.len());
    Ident::new(name.to_owned(), Span { end: cell.span.start.saturating_add(length), ..cell.span })
}
