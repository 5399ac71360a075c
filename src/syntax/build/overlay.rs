//! Overlays, and changes of parts of rules.

use super::{Builder, Children, has};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::ItemKind;
use crate::syntax::ast::part::{Condition, EditKind, Part, PartEdit};
use crate::syntax::ast::stmt::{Block, Stmt};
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

impl Builder {
    /// `with mixture == allowed and small { … }`
    pub(super) fn overlay(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let conditions = children.all(Rule::choice).into_iter().map(|choice| self.condition(choice));
        let conditions = conditions.collect::<Option<_>>()?;
        let items = children.all(Rule::item).into_iter().map(|item| self.item(item));
        Some(ItemKind::With(conditions, items.collect::<Option<_>>()?))
    }

    fn condition(&mut self, pair: Pair<'_, Rule>) -> Option<Condition> {
        let mut children = self.children(pair);
        let name = self.name(&mut children)?;
        let value = children.opt(Rule::name).map(|value| self.ident(&value));
        Some(Condition { name, value })
    }

    /// `change action move { … }`
    pub(super) fn parts(&mut self, children: &mut Children<'_>) -> Option<ItemKind> {
        let word = self.need(children, Rule::rule_word)?;
        let word = self.word(&word);
        let name = if let Some(name) = children.opt(Rule::name) {
            let name = self.ident(&name);
            Some(self.of_a_kind(name, children)?)
        } else {
            None
        };
        let edits = children.all(Rule::part_edit).into_iter().map(|edit| self.edit(edit));
        Some(ItemKind::Change(word, name, edits.collect::<Option<_>>()?))
    }

    fn edit(&mut self, pair: Pair<'_, Rule>) -> Option<PartEdit> {
        let inner = self.only(pair)?;
        let span = self.span(&inner);
        let (rule, conditional) = (inner.as_rule(), has(&inner, Rule::kw_when));
        let mut children = self.children(inner);
        let part = children.opt(Rule::rule_part).map(|part| self.part(part));
        let kind = match (rule, part) {
            (Rule::add_before, part) => EditKind::Before(part, self.block(&mut children)?),
            (Rule::add_after, part) => EditKind::After(part, self.block(&mut children)?),
            (Rule::remove_part, Some(part)) => EditKind::Remove(part),
            (_, Some(part)) => EditKind::Replace(part, self.block(&mut children)?),
            (_, None) if conditional => EditKind::When(self.expr(&mut children)?, self.cites(&mut children)),
            (_, None) => {
                let stmt = self.need(&mut children, Rule::statement)?;
                let stmt = self.stmt(stmt)?;
                EditKind::Replace(named_by(&stmt), Block { stmts: vec![stmt] })
            }
        };
        Some(PartEdit { kind, span })
    }

    /// A word that may be a keyword or a name.
    fn word(&mut self, pair: &Pair<'_, Rule>) -> Ident {
        match pair.clone().into_inner().find(|child| child.as_rule() == Rule::name) {
            Some(name) => self.ident(&name),
            None => Ident::new(pair.as_str().to_owned(), self.span(pair)),
        }
    }

    fn part(&mut self, pair: Pair<'_, Rule>) -> Part {
        let span = self.span(&pair);
        let mut children = self.children(pair);
        let word = children.opt(Rule::part_word).map(|word| self.word(&word));
        let name = children.opt(Rule::name).map(|name| self.ident(&name));
        Part { word, name, cites: self.cites(&mut children), span }
    }
}

/// The part that a statement replaces: the one that is called as it is.
fn named_by(stmt: &Stmt) -> Part {
    let called = stmt.kind.called();
    let ident = |text: &str| Ident::new(text.to_owned(), stmt.span);
    Part {
        word: Some(ident(called.word)),
        name: called.name.map(|(name, _)| ident(name)),
        cites: Vec::new(),
        span: stmt.span,
    }
}
