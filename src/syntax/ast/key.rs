//! Keys of items.

use std::borrow::Cow;

use super::item::{Item, ItemKind};
use super::part::Condition;

impl Item {
    /// The keyword and name by which an item is overridden.
    #[must_use]
    pub fn key(&self) -> String {
        match self.named() {
            (word, None) => word.to_owned(),
            (word, Some(name)) => format!("{word} {name}"),
        }
    }

    /// Whether this is its key. No key is made for it: of many items one is looked for many times.
    #[must_use]
    pub fn has_key(&self, key: &str) -> bool {
        match self.named() {
            (word, None) => key == word,
            (word, Some(name)) => key.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')) == Some(&*name),
        }
    }

    /// The keyword, and the name if there is one.
    fn named(&self) -> (&'static str, Option<Cow<'_, str>>) {
        match &self.kind {
            ItemKind::Game { .. } => ("game", None),
            ItemKind::Document { title, .. } => ("document", Some(Cow::Borrowed(title))),
            ItemKind::Clause(id, _) => ("clause", Some(Cow::Borrowed(&id.node))),
            ItemKind::Players { .. } => ("players", None),
            ItemKind::Seating(count, _) => ("seating", Some(Cow::Owned(count.node.to_string()))),
            ItemKind::First(_) => ("first", None),
            ItemKind::Option { name, .. } => ("option", Some(Cow::Borrowed(&name.node))),
            ItemKind::Reading(name, ..) => ("reading", Some(Cow::Borrowed(&name.node))),
            ItemKind::Enum(name, _) => ("enum", Some(Cow::Borrowed(&name.node))),
            ItemKind::Kinds { name, .. } => ("kinds", Some(Cow::Borrowed(&name.node))),
            ItemKind::Piece { name, .. } => ("piece", Some(Cow::Borrowed(&name.node))),
            ItemKind::Tokens { name, .. } => ("tokens", Some(Cow::Borrowed(&name.node))),
            ItemKind::Table(name, _) => ("table", Some(Cow::Borrowed(&name.node))),
            ItemKind::Board { name, .. } => match name {
                Some(name) => ("board", Some(Cow::Borrowed(&name.node))),
                None => ("board", None),
            },
            ItemKind::Region(name, _) => ("region", Some(Cow::Borrowed(&name.node))),
            ItemKind::Define(name, ..) => ("define", Some(Cow::Borrowed(&name.node))),
            ItemKind::Path(name, ..) => ("path", Some(Cow::Borrowed(&name.node))),
            ItemKind::Var { name, record, .. } => {
                (if *record { "record" } else { "var" }, Some(Cow::Borrowed(&name.node)))
            }
            ItemKind::Zone { name, .. } => ("zone", Some(Cow::Borrowed(&name.node))),
            ItemKind::Setup(_) => ("setup", None),
            ItemKind::Action(name, ..) => ("action", Some(Cow::Borrowed(&name.node))),
            ItemKind::Cue(name, ..) => ("cue", Some(Cow::Borrowed(&name.node))),
            ItemKind::Claim { name, .. } => ("claim", Some(Cow::Borrowed(&name.node))),
            ItemKind::Offer(name, ..) => ("offer", Some(Cow::Borrowed(&name.node))),
            ItemKind::Procedure(name, ..) => ("procedure", Some(Cow::Borrowed(&name.node))),
            ItemKind::Play(_) => ("play", None),
            ItemKind::End { name, .. } => ("end", Some(Cow::Borrowed(&name.node))),
            ItemKind::Invariant(name, _) => ("invariant", Some(Cow::Borrowed(&name.node))),
            ItemKind::Variant { name, .. } => ("variant", Some(Cow::Borrowed(&name.node))),
            ItemKind::With(conditions, _) => {
                let conditions: Vec<String> = conditions.iter().map(Condition::shown).collect();
                ("with", Some(Cow::Owned(conditions.join(" and "))))
            }
            ItemKind::Change(..) => ("change", None),
            ItemKind::Replace(_) => ("replace", None),
            ItemKind::Remove(..) => ("remove", None),
            ItemKind::Row(..) => ("row", None),
            ItemKind::RemoveRow(..) => ("remove row", None),
            ItemKind::Set(..) => ("set", None),
        }
    }
}
