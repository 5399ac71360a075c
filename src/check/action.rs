//! Actions, claims, offers, procedures, ends, invariants and the course of play.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::Span;
use crate::ir::{
    Action, Asked, Block, BlockId, Choice, Claim, EndRule, Expr, Game, Header, Invariant, Moment, Offer, RuleId,
    RuleKind, Slot, Stmt, Ty,
};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind, Moment as MomentTree};
use crate::syntax::ast::stmt::{Block as BlockTree, Stmt as StmtTree, StmtKind as Kind};
use crate::syntax::ast::{Cite, Ident, Param};

use super::checker::{Checker, Progress};
use super::flow::asks;
use super::scope::Symbol;

/// How many levels of nesting a call of a procedure counts for.
const PROCEDURE: usize = 8;

/// How many lines the head of an action may have.
const HEAD: usize = 64;

/// Where statements stand: what may be done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// The setup: no seat is asked for a move.
    Setup,
    /// The course of play.
    Play,
    /// The effects of an action.
    Action,
    /// The effects of an end, claim or offer: nobody is asked.
    Silent,
    /// A procedure: what it may do is settled where it is called.
    Procedure,
}

/// A checked procedure.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) slots: Vec<Slot>,
    pub(super) types: Vec<Ty>,
    pub(super) body: BlockId,
    pub(super) asks: Option<Asked>,
}

/// The part of the rules that runs, while it is checked.
pub(super) struct Program<'c, 'r> {
    /// For what statements are made of.
    pub(super) check: &'c mut Checker<'r>,
    /// The slots of the blocks being checked, innermost last.
    pub(super) block_slots: Vec<Vec<Slot>>,
    /// By item.
    procedures: Vec<Progress<Procedure>>,
}

impl<'c, 'r> Program<'c, 'r> {
    pub(super) fn new(check: &'c mut Checker<'r>) -> Self {
        let procedures = vec![Progress::Untouched; check.items.len()];
        Self { check, block_slots: Vec::new(), procedures }
    }

    /// Everything that runs.
    pub(super) fn run(&mut self, items: &[Arc<Item>]) {
        unique(items, self.check.reports);
        for item in items {
            if let ItemKind::Action(name, title, body) = &item.kind {
                let action = self.action(name, title.as_deref(), body, &item.cites, Context::Action);
                // A failed action keeps its number, so that others keep theirs.
                self.check.game.actions.push(action.unwrap_or_else(|| placeholder(name)));
            }
        }
        tell_apart(&mut self.check.game);
        for (number, item) in items.iter().enumerate() {
            match &item.kind {
                ItemKind::Claim { name, title, by_any, body } => {
                    self.check.in_claim = true;
                    let action = self.action(name, title.as_deref(), body, &item.cites, Context::Silent);
                    self.check.in_claim = false;
                    let claim = action.map(|action| Claim { action, by_any: *by_any });
                    if let Some(claim) = claim {
                        self.check.game.claims.push(claim);
                    }
                }
                ItemKind::Offer(name, title, body) => {
                    let rule = self.check.rule(RuleKind::Action, &name.node, item.span, &item.cites);
                    if let Some(body) = self.block(body, Context::Silent, &name.node) {
                        let title = title.clone().unwrap_or_else(|| name.node.clone());
                        self.check.game.offers.push(Offer { name: name.node.clone(), title, body, rule });
                    }
                }
                ItemKind::End { name, title, moment, when, body } => {
                    let rule = self.check.rule(RuleKind::End, &name.node, item.span, &item.cites);
                    let when = self.check.boolean(when);
                    let body = self.block(body, Context::Silent, &name.node);
                    let moment = match moment {
                        MomentTree::BeforeTurn => Moment::BeforeTurn,
                        MomentTree::AfterMove => Moment::AfterMove,
                        MomentTree::AfterTurn => Moment::AfterTurn,
                    };
                    if let (Some(when), Some(body)) = (when, body) {
                        let title = title.clone().unwrap_or_else(|| name.node.clone());
                        self.check.game.ends.push(EndRule { name: name.node.clone(), title, moment, when, body, rule });
                    }
                }
                ItemKind::Invariant(name, holds) => {
                    let rule = self.check.rule(RuleKind::Invariant, &name.node, item.span, &item.cites);
                    if let Some(holds) = self.check.boolean(holds) {
                        self.check.game.invariants.push(Invariant { name: name.node.clone(), holds, rule });
                    }
                }
                ItemKind::Cue(name, wait, when) => {
                    self.check.cue(name, wait.as_ref(), when, item);
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
                | ItemKind::With(..)
                | ItemKind::Replace(_)
                | ItemKind::Change(..)
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
        let owner = setup.map(|(_, item)| self.check.rule(RuleKind::Procedure, "setup", item.span, &item.cites));
        let setup = setup.map_or(&empty, |(body, _)| body);
        self.check.game.setup = self.block(setup, Context::Setup, "setup").unwrap_or_default();
        self.check.own(self.check.game.setup, owner);
        for item in items {
            if let ItemKind::Play(body) = &item.kind {
                self.check.rule(RuleKind::Fact, "play", item.span, &item.cites);
                self.check.game.play = self.block(body, Context::Play, "play").unwrap_or_default();
            }
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
        let rule = self.check.rule(RuleKind::Action, &name.node, name.span, cites);
        let cut = self.check.scope.mark();
        self.block_slots.push(Vec::new());
        let effects = tree.stmts.iter().position(|stmt| !stmt.kind.may_head()).unwrap_or(tree.stmts.len());
        let (head, rest) = tree.stmts.split_at(effects);
        if head.len() > HEAD {
            let message = format!("the head of `{}` has {} lines; at most {HEAD} are allowed", name.node, head.len());
            self.check.report(
                Report::new(Code::OutOfRange, name.span, message).help("join guards with `and`, or split the action"),
            );
        }
        let chosen =
            head.iter().filter_map(|stmt| if let Kind::Choose(name, ..) = &stmt.kind { Some(name) } else { None });
        self.check.apart(chosen.cloned());
        let tail = rest.len() - rest.iter().rev().take_while(|stmt| matches!(stmt.kind, Kind::Ensure(_))).count();
        let (effects, ensure) = rest.split_at(tail);
        let head: Vec<Option<Header>> = head
            .iter()
            .map(|line| {
                let header = self.header(line, &name.node);
                if header.is_none() {
                    self.check.poison(&line.kind);
                }
                header
            })
            .collect();
        let stmts: Vec<Option<Stmt>> = effects.iter().map(|stmt| self.stmt(stmt, context, &name.node)).collect();
        let mut guards = Vec::new();
        for stmt in ensure {
            if let Kind::Ensure(guard) = &stmt.kind {
                if self.check.in_claim {
                    let message = "a claim is tested before its effects";
                    self.check.report(Report::new(Code::Misplaced, stmt.span, message).help("guard it with `require`"));
                }
                let rule = self.check.rule(RuleKind::Guard, &name.node, stmt.span, &stmt.cites);
                guards.push(self.check.boolean(guard).map(|guard| (guard, rule)));
            }
        }
        let slots = self.block_slots.pop().unwrap_or_default();
        self.check.scope.cut(cut);
        let head: Option<Vec<Header>> = head.into_iter().collect();
        let stmts: Option<Vec<Stmt>> = stmts.into_iter().collect();
        let ensure: Option<Vec<(Expr, RuleId)>> = guards.into_iter().collect();
        let (stmts, ensure) = (stmts?, ensure?);
        let head = Header::postponing(head?, &ensure);
        if !ensure.is_empty() && asks(&self.check.game, &stmts).is_some() {
            let message = format!("`{}` asks in the middle of its effects, so it cannot have `ensure`", name.node);
            self.check.report(
                Report::new(Code::Misplaced, name.span, message)
                    .help("make all choices before the first effect, or use `require` as the guard"),
            );
            return None;
        }
        let body = self.check.game.blocks.push(Block { stmts, slots, owner: None });
        let title = title.map_or_else(|| name.node.clone(), str::to_owned);
        Some(Action { name: name.node.clone(), title, head, body, ensure, named: false, rule })
    }

    fn header(&mut self, tree: &StmtTree, owner: &str) -> Option<Header> {
        if let Kind::Let(name, value) = &tree.kind {
            let rule = self.check.rule(RuleKind::Statement, owner, tree.span, &tree.cites);
            let value = self.check.expr(value, None)?;
            return Some(Header::Let(self.bind_here(name, value.ty.clone()), value, rule));
        }
        if let Kind::Choose(name, set, by, sight) = &tree.kind {
            let rule = self.check.rule(RuleKind::Choose, owner, tree.span, &tree.cites);
            if let Some(by) = by {
                let message = "the seat that plays the action chooses its parameters";
                self.check.report(
                    Report::new(Code::Misplaced, by.span, message)
                        .help("remove `by …`, or choose after the first effect"),
                );
            }
            let set = self.check.set(set, None)?;
            if !(self.check.in_claim && set.ty == Ty::Move.set()) {
                self.check.pickable(&set.ty, tree.span)?;
            }
            let sight = self.check.sight(sight.as_ref())?;
            let slot = self.bind_here(name, set.ty.element().clone());
            return Some(Header::Choose(Choice { slot, set, sight, rule }));
        }
        if self.check.in_claim && matches!(tree.kind, Kind::Prefer(_)) {
            let message = "claims cannot have `prefer`";
            self.check.report(Report::new(Code::Misplaced, tree.span, message).help("guard it with `require`"));
            return None;
        }
        let rule = self.check.rule(RuleKind::Guard, owner, tree.span, &tree.cites);
        if let Kind::Require(guard) = &tree.kind {
            return Some(Header::Require(self.check.boolean(guard)?, rule));
        }
        let Kind::Prefer(worth) = &tree.kind else { return None };
        Some(Header::Prefer(self.check.typed(worth, &Ty::Int)?, rule))
    }

    /// A procedure by its item's number, checked if it is not yet.
    pub(super) fn procedure(&mut self, number: usize) -> Option<Procedure> {
        let item = Arc::clone(self.check.items.get(number)?);
        let ItemKind::Procedure(name, params, body) = &item.kind else {
            return None;
        };
        match self.procedures.get(number)? {
            Progress::Done(procedure) => return Some(procedure.clone()),
            Progress::Failed => return None,
            Progress::Running => {
                let message = format!("the procedure `{}` calls itself", name.node);
                let help = "repeat with `while`, `repeat` or `for`";
                self.check.report(Report::new(Code::Circular, name.span, message).help(help));
                return None;
            }
            Progress::Untouched => {}
        }
        self.procedures[number] = Progress::Running;
        let rule = self.check.rule(RuleKind::Procedure, &name.node, item.span, &item.cites);
        let outer = self.check.scope.hide();
        let entered = self.check.deepen(PROCEDURE, name.span).is_some();
        let procedure = if entered { self.checked(name, params, body) } else { None };
        if entered {
            self.check.depth -= PROCEDURE;
        }
        self.check.scope.show(outer);
        if let Some(procedure) = &procedure {
            self.check.own(procedure.body, Some(rule));
        }
        self.procedures[number] = procedure.clone().map_or(Progress::Failed, Progress::Done);
        procedure
    }

    fn checked(&mut self, name: &Ident, params: &[Param], body: &BlockTree) -> Option<Procedure> {
        let (slots, types) = self.check.params(params)?;
        let body = self.block(body, Context::Procedure, &name.node)?;
        let game = &mut self.check.game;
        game.blocks.get_mut(body)?.slots.extend(&slots);
        let asks = asks(game, &game.blocks[body].stmts);
        Some(Procedure { slots, types, body, asks })
    }
}

/// What no expression names, but what overrides, results and explanations do: each by its word and name.
fn unique(items: &[Arc<Item>], reports: &mut Reports) {
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
        reports.push(report.also(first, "first declared here").help(help));
    }
}

/// Marks actions whose moves look alike, so that their text names the action.
fn tell_apart(game: &mut Game) {
    let types = |action: &Action| -> Vec<Ty> {
        let choices = action.head.iter().filter_map(|line| match line {
            Header::Choose(choice) => Some(game.slots[choice.slot].ty.clone()),
            Header::Let(..) | Header::Late(..) | Header::Require(..) | Header::Prefer(..) => None,
        });
        // Ways are written as the site they lead to.
        choices.map(|ty| if ty == Ty::Way { Ty::Site } else { ty }).collect()
    };
    let all: Vec<Vec<Ty>> = game.actions.iter().map(types).collect();
    for (number, action) in game.actions.iter_mut().enumerate() {
        action.named = all.iter().enumerate().any(|(other, types)| other != number && *types == all[number]);
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

impl Checker<'_> {
    /// The names of phases, wherever they stand.
    pub(super) fn phases(&mut self, items: &[Arc<Item>]) {
        let mut names: Vec<Ident> = Vec::new();
        for item in items {
            if let ItemKind::Play(body) | ItemKind::Procedure(_, _, body) | ItemKind::Action(_, _, body) = &item.kind {
                phase_names(body, &mut names);
            }
        }
        for name in names {
            if self.scope.entries(&name.node).iter().any(|entry| matches!(entry.symbol, Symbol::Phase(_))) {
                continue;
            }
            let number = self.game.phases.push(name.node.clone());
            self.declare(&name, Symbol::Phase(number));
        }
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
