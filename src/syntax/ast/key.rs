//! Keys of items.

use super::item::{Item, ItemKind};
use super::part::Condition;

impl Item {
    /// The keyword and name by which an item is overridden.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.kind {
            ItemKind::Game { .. } => "game".to_owned(),
            ItemKind::Document { title, .. } => format!("document {title}"),
            ItemKind::Clause(id, _) => format!("clause {}", id.node),
            ItemKind::Players { .. } => "players".to_owned(),
            ItemKind::Seating(count, _) => format!("seating {}", count.node),
            ItemKind::First(_) => "first".to_owned(),
            ItemKind::Option { name, .. } => format!("option {}", name.node),
            ItemKind::Reading(name, ..) => format!("reading {}", name.node),
            ItemKind::Enum(name, _) => format!("enum {}", name.node),
            ItemKind::Kinds { name, .. } => format!("kinds {}", name.node),
            ItemKind::Piece { name, .. } => format!("piece {}", name.node),
            ItemKind::Tokens { name, .. } => format!("tokens {}", name.node),
            ItemKind::Table(name, _) => format!("table {}", name.node),
            ItemKind::Board { name, .. } => match name {
                Some(name) => format!("board {}", name.node),
                None => "board".to_owned(),
            },
            ItemKind::Region(name, _) => format!("region {}", name.node),
            ItemKind::Define(name, ..) => format!("define {}", name.node),
            ItemKind::Path(name, ..) => format!("path {}", name.node),
            ItemKind::Var { name, record, .. } => {
                format!("{} {}", if *record { "record" } else { "var" }, name.node)
            }
            ItemKind::Zone { name, .. } => format!("zone {}", name.node),
            ItemKind::Setup(_) => "setup".to_owned(),
            ItemKind::Action(name, ..) => format!("action {}", name.node),
            ItemKind::Cue(name, ..) => format!("cue {}", name.node),
            ItemKind::Claim { name, .. } => format!("claim {}", name.node),
            ItemKind::Offer(name, ..) => format!("offer {}", name.node),
            ItemKind::Procedure(name, ..) => format!("procedure {}", name.node),
            ItemKind::Play(_) => "play".to_owned(),
            ItemKind::End { name, .. } => format!("end {}", name.node),
            ItemKind::Invariant(name, _) => format!("invariant {}", name.node),
            ItemKind::Variant { name, .. } => format!("variant {}", name.node),
            ItemKind::With(conditions, _) => {
                let conditions: Vec<String> = conditions.iter().map(Condition::shown).collect();
                format!("with {}", conditions.join(" and "))
            }
            ItemKind::Change(..) => "change".to_owned(),
            ItemKind::Replace(_) => "replace".to_owned(),
            ItemKind::Remove(..) => "remove".to_owned(),
            ItemKind::Row(..) => "row".to_owned(),
            ItemKind::RemoveRow(..) => "remove row".to_owned(),
            ItemKind::Set(..) => "set".to_owned(),
        }
    }
}
