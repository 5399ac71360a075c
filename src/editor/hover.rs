//! Hover text for names and clauses.

use std::ops::Range;

use super::analysis::{Analysis, Place, Target};
use super::builtin::explained;
use crate::base::{Span, line_start};
use crate::ir::{Clause, Force};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::of_kind;

/// A hover text, as Markdown, and the range it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes of the name or clause.
    pub range: Range<usize>,
    /// The text.
    pub text: String,
}

impl Analysis {
    /// The hover text for the name or clause at an offset.
    #[must_use]
    pub fn hover(&self, file: &str, at: usize) -> Option<Hover> {
        let (target, range) = self.target(file, at)?;
        let text = match target {
            Target::Name(place) => self.name_text(&place)?,
            Target::Clause(id, _) => self.clause_text(&id),
            Target::File(place) => format!("`{}`", place.file),
            Target::BuiltIn { name, ty, attribute } => match explained(&name, attribute) {
                Some(text) => text,
                None if ty.is_empty() => return None,
                None => format!("`{name}`: {ty}"),
            },
        };
        Some(Hover { range, text })
    }

    /// The line that declares a name, what it is, and the comment before it. If several kinds share the name for
    /// their rules, there is one such line for each.
    fn name_text(&self, place: &Place) -> Option<String> {
        let span = self.span(place)?;
        let source = self.sources.get(span.file)?;
        let start = line_start(&source.text, place.start);
        let lines: Vec<&str> = self.shared(span).into_iter().filter_map(|span| self.line(span)).collect();
        let mut parts = vec![format!("```rules\n{}\n```\n{}", lines.join("\n"), self.described(span))];
        let remark = remark(source.text.get(..start)?);
        if !remark.is_empty() {
            parts.push(remark);
        }
        if span.file.0 > 0 {
            parts.push(format!("*{}*", source.name));
        }
        Some(parts.join("\n\n"))
    }

    fn line(&self, span: Span) -> Option<&str> {
        let text = self.sources.get(span.file)?.text.as_str();
        Some(text.get(line_start(text, span.start as usize)..)?.lines().next()?.trim())
    }

    /// The places that declare a name: several if it is shared by rules of kinds.
    fn shared(&self, span: Span) -> Vec<Span> {
        let name = self.item_at(span).and_then(|item| of_kind(item.kind.name()?));
        if name.is_none_or(|(family, _)| family.span != span) {
            return vec![span];
        }
        self.declared.keys().copied().filter(|other| self.first(*other) == self.first(span)).collect()
    }

    /// What a declared name is, in a few words.
    pub(super) fn described(&self, span: Span) -> String {
        let Some(declared) = self.declared.get(&span) else { return String::new() };
        let item = self.item_at(span).map(|item| item.kind.replaced());
        let own = item.and_then(ItemKind::name).filter(|name| name.span.start == span.start);
        let what = match item {
            _ if declared.local => "local name".to_owned(),
            Some(kind) if own.is_some() => thing(kind).to_owned(),
            Some(ItemKind::Players { .. }) => "seat".to_owned(),
            Some(kind) => format!("in {} `{}`", thing(kind), kind.name().map_or("", |name| name.node.as_str())),
            None => "name".to_owned(),
        };
        // "an action, an action" would be redundant.
        let said = declared.ty.is_empty() || declared.ty.ends_with(&what) || what == "class of kinds";
        if said { what } else { format!("{what}: {}", declared.ty) }
    }

    /// The innermost item around a place, including those of variants and overlays.
    pub(super) fn item_at(&self, span: Span) -> Option<&Item> {
        let holds =
            |item: &&Item| item.span.file == span.file && item.span.start <= span.start && span.end <= item.span.end;
        let mut items = &self.trees.get(usize::from(span.file.0))?.items;
        let mut found = None;
        while let Some(item) = items.iter().find(holds) {
            found = Some(item);
            let (ItemKind::Variant { items: inner, .. } | ItemKind::With(_, inner)) = &item.kind else { break };
            items = inner;
        }
        found
    }

    fn clause_text(&self, id: &str) -> String {
        let Some(clause) = self.clauses.clauses.get(id) else {
            return format!("**§{id}** is not declared");
        };
        let Clause { text, translations, kind, heading, force, gap: _, forbids: _, only: _ } = clause;
        let about = if heading.is_empty() { kind.clone() } else { format!("{kind}, “{heading}”") };
        let mut parts = vec![format!("**§{id}** ({about})"), text.clone()];
        parts.extend(translations.values().map(|other| other.text.clone()));
        match force {
            Force::Executable | Force::Gap => {}
            Force::Assumed(gaps) => parts.extend(gaps.iter().map(|gap| {
                let decided = self.clauses.clauses.get(gap).map_or("", |gap| gap.text.as_str());
                format!("as decided in **§{gap}**: {decided}")
            })),
            Force::Documented(reason) => parts.push(format!("recorded only: {reason}")),
        }
        parts.join("\n\n")
    }
}

/// What an item declares, in a word or two.
pub(super) fn thing(kind: &ItemKind) -> &'static str {
    match kind.replaced().word() {
        "var" => "variable",
        "kinds" => "class of kinds",
        "piece" => "kind of piece",
        "define" => "definition",
        word => word,
    }
}

/// The comment lines at the end of a text, without their `//`.
fn remark(before: &str) -> String {
    let comments = before.lines().rev().map_while(|line| line.trim_start().strip_prefix("//"));
    let mut lines: Vec<&str> = comments.map(str::trim).collect();
    lines.reverse();
    lines.join("\n")
}
