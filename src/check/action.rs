//! Actions, claims, offers, procedures, ends, invariants and the course of play.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::Span;
use crate::ir::{
    Action, Asked, Block, BlockId, Choice, Claim, EndRule, Expr, Header, Invariant, Moment, Offer, RuleId, RuleKind,
    Slot, Stmt, Ty,
};
use crate::report::{Code, Report};
use crate::syntax::ast::item::{Item, ItemKind, Moment as MomentTree};
use crate::syntax::ast::stmt::{Block as BlockTree, Stmt as StmtTree, StmtKind as Kind};
use crate::syntax::ast::{Cite, Ident};

use super::flow::asks;
use super::scope::{Checker, Symbol};
use super::stmt::Context;

/// How many lines the head of an action may have.
const HEAD: usize = 64;

/// A checked procedure.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) slots: Vec<Slot>,
    pub(super) types: Vec<Ty>,
    pub(super) body: BlockId,
    pub(super) asks: Option<Asked>,
}

impl Checker<'_> {
    /// Everything that runs.
    pub(super) fn program(&mut self, items: &[Arc<Item>]) {
        self.unique(items);
        self.phases(items);
        for item in items {
            if let ItemKind::Action(name, title, body) = &item.kind {
                let action = self.action(name, title.as_deref(), body, &item.cites, Context::Action);
                // A failed action keeps its number, so that others keep theirs.
                self.game.actions.push(action.unwrap_or_else(|| placeholder(name)));
            }
        }
        self.tell_apart();
        for (number, item) in items.iter().enumerate() {
            match &item.kind {
                ItemKind::Claim { name, title, by_any, body } => {
                    self.in_claim = true;
                    let action = self.action(name, title.as_deref(), body, &item.cites, Context::Silent);
                    self.in_claim = false;
                    let claim = action.map(|action| Claim { action, by_any: *by_any });
                    if let Some(claim) = claim {
                        self.game.claims.push(claim);
                    }
                }
                ItemKind::Offer(name, title, body) => {
                    let rule = self.rule(RuleKind::Action, &name.node, item.span, &item.cites);
                    if let Some(body) = self.block(body, Context::Silent, &name.node) {
                        let title = title.clone().unwrap_or_else(|| name.node.clone());
                        self.game.offers.push(Offer { name: name.node.clone(), title, body, rule });
                    }
                }
                ItemKind::End { name, title, moment, when, body } => {
                    let rule = self.rule(RuleKind::End, &name.node, item.span, &item.cites);
                    let when = self.boolean(when);
                    let body = self.block(body, Context::Silent, &name.node);
                    let moment = match moment {
                        MomentTree::BeforeTurn => Moment::BeforeTurn,
                        MomentTree::AfterMove => Moment::AfterMove,
                        MomentTree::AfterTurn => Moment::AfterTurn,
                    };
                    if let (Some(when), Some(body)) = (when, body) {
                        let title = title.clone().unwrap_or_else(|| name.node.clone());
                        self.game.ends.push(EndRule { name: name.node.clone(), title, moment, when, body, rule });
                    }
                }
                ItemKind::Invariant(name, holds) => {
                    let rule = self.rule(RuleKind::Invariant, &name.node, item.span, &item.cites);
                    if let Some(holds) = self.boolean(holds) {
                        self.game.invariants.push(Invariant { name: name.node.clone(), holds, rule });
                    }
                }
                ItemKind::Cue(name, wait, when) => {
                    self.cue(name, wait.as_ref(), when, item);
                }
                ItemKind::Procedure(..) => {
                    self.procedure(number);
                }
                ItemKind::Game { .. }
                | ItemKind::Document { .. }
                | ItemKind::Clause(..)
                | ItemKind::Players { .. }
                | ItemKind::Seating(..)
                | ItemKind::First(_)
                | ItemKind::Option { .. }
                | ItemKind::Reading(..)
                | ItemKind::Enum(..)
                | ItemKind::Kinds { .. }
                | ItemKind::Piece { .. }
                | ItemKind::Tokens { .. }
                | ItemKind::Table(..)
                | ItemKind::Board { .. }
                | ItemKind::Region(..)
                | ItemKind::Define(..)
                | ItemKind::Path(..)
                | ItemKind::Var { .. }
                | ItemKind::Zone { .. }
                | ItemKind::Setup(_)
                | ItemKind::Action(..)
                | ItemKind::Play(_)
                | ItemKind::Variant { .. }
                | ItemKind::Replace(_)
                | ItemKind::Remove(..)
                | ItemKind::Row(..)
                | ItemKind::RemoveRow(..)
                | ItemKind::Set(..) => {}
            }
        }
        let empty = BlockTree::default();
        let setup = items
            .iter()
            .find_map(|item| if let ItemKind::Setup(body) = &item.kind { Some((body, item)) } else { None });
        if let Some((_, item)) = setup {
            self.rule(RuleKind::Fact, "setup", item.span, &item.cites);
        }
        let setup = setup.map_or(&empty, |(body, _)| body);
        self.game.setup = self.block(setup, Context::Setup, "setup").unwrap_or_default();
        for item in items {
            if let ItemKind::Play(body) = &item.kind {
                self.rule(RuleKind::Fact, "play", item.span, &item.cites);
                self.game.play = self.block(body, Context::Play, "play").unwrap_or_default();
            }
        }
    }

    /// What no expression names, but what overrides, results and explanations do: each by its word and name.
    fn unique(&mut self, items: &[Arc<Item>]) {
        let mut first: BTreeMap<String, Span> = BTreeMap::new();
        for item in items {
            let (ItemKind::End { name, .. }
            | ItemKind::Invariant(name, _)
            | ItemKind::Claim { name, .. }
            | ItemKind::Offer(name, ..)
            | ItemKind::Cue(name, ..)) = &item.kind
            else {
                continue;
            };
            let key = item.key();
            let Some(first) = first.insert(key.clone(), name.span) else { continue };
            let report = Report::new(Code::Duplicate, name.span, format!("`{key}` is declared twice"));
            // A cue is called by its action.
            let cue = matches!(item.kind, ItemKind::Cue(..));
            let help = if cue { "join the conditions with `or`" } else { "rename one of them" };
            self.report(report.also(first, "first declared here").help(help));
        }
    }

    /// The names of phases, wherever they stand.
    fn phases(&mut self, items: &[Arc<Item>]) {
        let mut names: Vec<Ident> = Vec::new();
        for item in items {
            if let ItemKind::Play(body) | ItemKind::Procedure(_, _, body) | ItemKind::Action(_, _, body) = &item.kind {
                phase_names(body, &mut names);
            }
        }
        for name in names {
            if self.symbols.get(&name.node).is_some_and(|e| e.iter().any(|e| matches!(e.symbol, Symbol::Phase(_)))) {
                continue;
            }
            let number = self.game.phases.push(name.node.clone());
            self.declare(&name, Symbol::Phase(number));
        }
    }

    /// The head and body of an action or claim.
    fn action(
        &mut self,
        name: &Ident,
        title: Option<&str>,
        tree: &BlockTree,
        cites: &[Cite],
        context: Context,
    ) -> Option<Action> {
        let rule = self.rule(RuleKind::Action, &name.node, name.span, cites);
        let cut = self.locals.len();
        self.block_slots.push(Vec::new());
        let effects = tree.stmts.iter().position(|stmt| !stmt.kind.may_head()).unwrap_or(tree.stmts.len());
        let (head, rest) = tree.stmts.split_at(effects);
        if head.len() > HEAD {
            let message = format!("the head of `{}` has {} lines; at most {HEAD} are allowed", name.node, head.len());
            self.report(
                Report::new(Code::OutOfRange, name.span, message).help("join guards with `and`, or split the action"),
            );
        }
        let tail = rest.len() - rest.iter().rev().take_while(|stmt| matches!(stmt.kind, Kind::Ensure(_))).count();
        let (effects, ensure) = rest.split_at(tail);
        let head: Vec<Option<Header>> = head
            .iter()
            .map(|line| {
                let header = self.header(line, &name.node);
                if header.is_none() {
                    self.poison(&line.kind);
                }
                header
            })
            .collect();
        let stmts: Vec<Option<Stmt>> = effects.iter().map(|stmt| self.stmt(stmt, context, &name.node)).collect();
        let mut guards = Vec::new();
        for stmt in ensure {
            if let Kind::Ensure(guard) = &stmt.kind {
                if self.in_claim {
                    let message = "a claim is tested before its effects";
                    self.report(Report::new(Code::Misplaced, stmt.span, message).help("guard it with `require`"));
                }
                let rule = self.rule(RuleKind::Guard, &name.node, stmt.span, &stmt.cites);
                guards.push(self.boolean(guard).map(|guard| (guard, rule)));
            }
        }
        let slots = self.block_slots.pop().unwrap_or_default();
        self.locals.truncate(cut);
        let head: Option<Vec<Header>> = head.into_iter().collect();
        let stmts: Option<Vec<Stmt>> = stmts.into_iter().collect();
        let ensure: Option<Vec<(Expr, RuleId)>> = guards.into_iter().collect();
        let (head, stmts, ensure) = (head?, stmts?, ensure?);
        if !ensure.is_empty() && asks(&self.game, &stmts).is_some() {
            let message = format!("`{}` asks in the middle of its effects, so it cannot have `ensure`", name.node);
            self.report(
                Report::new(Code::Misplaced, name.span, message)
                    .help("make all choices before the first effect, or use `require` as the guard"),
            );
            return None;
        }
        let body = self.game.blocks.push(Block { stmts, slots });
        let title = title.map_or_else(|| name.node.clone(), str::to_owned);
        Some(Action { name: name.node.clone(), title, head, body, ensure, named: false, rule })
    }

    fn header(&mut self, tree: &StmtTree, owner: &str) -> Option<Header> {
        if let Kind::Let(name, value) = &tree.kind {
            let value = self.expr(value, None)?;
            return Some(Header::Let(self.bind_here(name, value.ty.clone()), value));
        }
        if let Kind::Choose(name, set, by, sight) = &tree.kind {
            let rule = self.rule(RuleKind::Choose, owner, tree.span, &tree.cites);
            if let Some(by) = by {
                let message = "the seat that plays the action chooses its parameters";
                self.report(
                    Report::new(Code::Misplaced, by.span, message)
                        .help("remove `by …`, or choose after the first effect"),
                );
            }
            let set = self.set(set, None)?;
            if !(self.in_claim && set.ty == Ty::Move.set()) {
                self.pickable(&set.ty, tree.span)?;
            }
            let sight = self.sight(sight.as_ref())?;
            let slot = self.bind_here(name, set.ty.element().clone());
            return Some(Header::Choose(Choice { slot, set, sight, rule }));
        }
        if self.in_claim && matches!(tree.kind, Kind::Prefer(_)) {
            let message = "claims cannot have `prefer`";
            self.report(Report::new(Code::Misplaced, tree.span, message).help("guard it with `require`"));
            return None;
        }
        let rule = self.rule(RuleKind::Guard, owner, tree.span, &tree.cites);
        if let Kind::Require(guard) = &tree.kind {
            return Some(Header::Require(self.boolean(guard)?, rule));
        }
        let Kind::Prefer(worth) = &tree.kind else { return None };
        Some(Header::Prefer(self.typed(worth, &Ty::Int)?, rule))
    }

    /// Marks actions whose moves look alike, so that their text names the action.
    fn tell_apart(&mut self) {
        let types = |action: &Action| -> Vec<Ty> {
            let choices = action.head.iter().filter_map(|line| match line {
                Header::Choose(choice) => Some(self.game.slots[choice.slot].ty.clone()),
                Header::Let(..) | Header::Require(..) | Header::Prefer(..) => None,
            });
            // Ways are written as the site they lead to.
            choices.map(|ty| if ty == Ty::Way { Ty::Site } else { ty }).collect()
        };
        let all: Vec<Vec<Ty>> = self.game.actions.iter().map(types).collect();
        for (number, action) in self.game.actions.iter_mut().enumerate() {
            action.named = all.iter().enumerate().any(|(other, types)| other != number && *types == all[number]);
        }
    }

    /// A procedure by its item's number, checked if it is not yet.
    pub(super) fn procedure(&mut self, item: usize) -> Option<Procedure> {
        let items = self.items;
        let items: &[Arc<Item>] = items;
        let ItemKind::Procedure(name, params, body) = &items.get(item)?.kind else {
            return None;
        };
        if let Some(known) = self.procedures.get(&item).cloned() {
            if known.is_none() && self.running.contains(&item) {
                let message = format!("the procedure `{}` calls itself", name.node);
                self.report(
                    Report::new(Code::Circular, name.span, message).help("repeat with `while`, `repeat` or `for`"),
                );
            }
            return known;
        }
        self.procedures.insert(item, None);
        self.running.insert(item);
        self.rule(RuleKind::Fact, &name.node, items[item].span, &items[item].cites);
        let outer = std::mem::take(&mut self.locals);
        let procedure = self.deeper(8, name.span, |checker| {
            let (slots, types) = checker.params(params)?;
            let body = checker.block(body, Context::Procedure, &name.node)?;
            let block = checker.game.blocks.get_mut(body)?;
            block.slots.extend(&slots);
            let asks = asks(&checker.game, &checker.game.blocks[body].stmts);
            Some(Procedure { slots, types, body, asks })
        });
        self.locals = outer;
        self.running.remove(&item);
        self.procedures.insert(item, procedure.clone());
        procedure
    }
}

/// Keeps the number of an action that did not check.
fn placeholder(name: &Ident) -> Action {
    let (name, title) = (name.node.clone(), name.node.clone());
    Action {
        name,
        title,
        head: Vec::new(),
        body: BlockId::default(),
        ensure: Vec::new(),
        named: false,
        rule: RuleId::GAME,
    }
}

fn phase_names(block: &BlockTree, names: &mut Vec<Ident>) {
    for stmt in &block.stmts {
        if let Kind::Phase(name, ..) = &stmt.kind {
            names.push(name.clone());
        }
        for inner in stmt.kind.blocks() {
            phase_names(inner, names);
        }
    }
}
