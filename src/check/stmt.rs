//! Statements.

use crate::ir::{ActionRef, Asked, Block, BlockId, Expr, ExprKind, RuleKind, Slot, Stmt, StmtKind, Ty};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::Expr as Tree;
use crate::syntax::ast::stmt::{Block as BlockTree, Stmt as StmtTree, StmtKind as Kind};

use super::action::{Context, Program};
use super::scope::Symbol;

/// How many statements a block may have: a position says with 16 bits which one is next.
const MOST_STATEMENTS: usize = 65_000;

impl Program<'_, '_> {
    /// A block; its local names end with it.
    pub(super) fn block(&mut self, tree: &BlockTree, place: Context, owner: &str) -> Option<BlockId> {
        if let Some(first) = tree.stmts.get(MOST_STATEMENTS) {
            let message = format!("a block cannot have more than {MOST_STATEMENTS} statements");
            let help = "put some of them into a procedure, or repeat them with `for` or `repeat`";
            self.check.report(Report::new(Code::OutOfRange, first.span, message).help(help));
            return None;
        }
        let cut = self.check.scope.mark();
        self.block_slots.push(Vec::new());
        let stmts: Vec<Option<Stmt>> = tree.stmts.iter().map(|stmt| self.stmt(stmt, place, owner)).collect();
        let slots = self.block_slots.pop().unwrap_or_default();
        self.check.scope.cut(cut);
        let stmts: Option<Vec<Stmt>> = stmts.into_iter().collect();
        Some(self.check.game.blocks.push(Block { stmts: stmts?, slots, owner: None }))
    }

    /// A local name that ends with the innermost block.
    pub(super) fn bind_here(&mut self, name: &Ident, ty: Ty) -> Slot {
        let slot = self.check.bind_ident(name, ty);
        if let Some(slots) = self.block_slots.last_mut() {
            slots.push(slot);
        }
        slot
    }

    pub(super) fn stmt(&mut self, tree: &StmtTree, place: Context, owner: &str) -> Option<Stmt> {
        let Some(kind) = self.stmt_kind(tree, place, owner) else {
            self.check.poison(&tree.kind);
            return None;
        };
        let rule = self.check.rule(RuleKind::Statement, owner, tree.span, &tree.cites);
        if let Some(info) = self.check.game.rules.get_mut(rule) {
            info.title.clone_from(&tree.title);
        }
        Some(Stmt { kind, rule })
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    fn stmt_kind(&mut self, tree: &StmtTree, place: Context, owner: &str) -> Option<StmtKind> {
        let sites = Ty::Site.set();
        Some(match &tree.kind {
            Kind::Choose(name, set, by, sight) => {
                if matches!(place, Context::Setup | Context::Silent) {
                    return self.check.misplaced(
                        tree.span,
                        "nobody can be asked here",
                        "choose in an action, or in `play`",
                    );
                }
                let set = self.check.set(set, None)?;
                self.check.pickable(&set.ty, tree.span)?;
                let by = match by {
                    Some(by) => Some(self.check.typed(by, &Ty::Seat)?),
                    None => None,
                };
                let sight = self.check.sight(sight.as_ref())?;
                StmtKind::Pick(self.bind_here(name, set.ty.element().clone()), set, by, sight)
            }
            Kind::Roll(name, set, sight) => {
                if place == Context::Silent {
                    return self.check.misplaced(
                        tree.span,
                        "`roll` and `shuffle` are not allowed here",
                        "roll in an action, in `play` or in the setup",
                    );
                }
                let set = self.check.set(set, None)?;
                self.check.pickable(&set.ty, tree.span)?;
                let sight = self.check.sight(sight.as_ref())?;
                StmtKind::Roll(self.bind_here(name, set.ty.element().clone()), set, sight)
            }
            Kind::Require(_) | Kind::Ensure(_) | Kind::Prefer(_) => {
                let what = match (place, &tree.kind) {
                    (Context::Action, Kind::Ensure(_)) => "this guard comes before an effect",
                    (Context::Action | Context::Silent, _) => "this guard comes after an effect",
                    _ => "a guard belongs to an action or a claim",
                };
                return self.check.misplaced(
                    tree.span,
                    what,
                    "`require` and `prefer` go before the first effect of an action, `ensure` after the last one",
                );
            }
            Kind::Let(name, value) => {
                let value = self.check.expr(value, None)?;
                StmtKind::Let(self.bind_here(name, value.ty.clone()), value)
            }
            Kind::Put(amount, spec, on) => self.check.put(amount.as_ref(), spec, on)?,
            Kind::MovePacket(selection, from, to, under) => self.check.move_packet(selection, from, to, *under)?,
            Kind::Move(what, from, to, under) => self.check.move_any(what, from.as_ref(), to, *under)?,
            Kind::Shuffle(_) if place == Context::Silent => {
                return self.check.misplaced(
                    tree.span,
                    "`roll` and `shuffle` are not allowed here",
                    "shuffle in an action, in `play` or in the setup",
                );
            }
            Kind::Shuffle(zone) => self.check.shuffle(zone)?,
            Kind::Rotate(at, by) => StmtKind::Rotate(self.check.typed(at, &sites)?, self.check.typed(by, &Ty::Int)?),
            Kind::Together(..) | Kind::Race { .. } if matches!(place, Context::Setup | Context::Silent) => {
                return self.check.misplaced(tree.span, "nobody can be asked here", "ask in `play` or in an action");
            }
            Kind::Together(seats, groups) => self.check.together(seats, groups)?,
            Kind::Race { seats, group, until, otherwise } => {
                self.race(seats, group, until.as_ref(), otherwise.as_ref(), place, owner)?
            }
            Kind::MoveTokens(amount, spec, from, to) => {
                let place = self.check.token_place(spec)?;
                let amount = match amount {
                    Some(amount) => Some(self.check.typed(amount, &Ty::Int)?),
                    None => None,
                };
                StmtKind::MoveTokens(place, amount, self.check.typed(from, &sites)?, self.check.typed(to, &sites)?)
            }
            Kind::Remove(at) => StmtKind::Remove(self.check.typed(at, &sites)?),
            Kind::Swap(a, b) => StmtKind::Swap(self.check.typed(a, &sites)?, self.check.typed(b, &sites)?),
            Kind::Change(at, fields) => {
                let at = self.check.location(at)?;
                StmtKind::Change(at, self.check.field_values(fields, None)?)
            }
            Kind::Sow { tokens, from, along, skip, last } => {
                let place = self.check.token_place(tokens)?;
                let from = self.check.typed(from, &Ty::Site)?;
                let along = self.check.typed(along, &Ty::Dir)?;
                let skip = match skip {
                    Some(skip) => Some(self.check.typed(skip, &sites)?),
                    None => None,
                };
                let (from, along) = (from.singleton(), along.singleton());
                StmtKind::Sow { place, from, along, skip, last: self.bind_here(last, Ty::Site) }
            }
            Kind::If(condition, yes, no) => {
                let condition = self.check.boolean(condition);
                let yes = self.block(yes, place, owner);
                let no = match no {
                    Some(no) => Some(self.block(no, place, owner)?),
                    None => None,
                };
                StmtKind::If(condition?, yes?, no)
            }
            Kind::For(name, over, set, from, body) => {
                let (over, ty) = self.check.binder_set(*over, set)?;
                let from = match from {
                    Some(from) => Some(self.check.typed(from, &ty)?),
                    None => None,
                };
                let cut = self.check.scope.mark();
                let slot = self.check.bind_ident(name, ty);
                let body = self.block(body, place, owner);
                self.check.scope.cut(cut);
                StmtKind::For(slot, over, from, body?)
            }
            Kind::While(condition, body) => {
                StmtKind::While(self.check.boolean(condition)?, self.block(body, place, owner)?)
            }
            Kind::Repeat(count, body) => {
                StmtKind::Repeat(self.check.typed(count, &Ty::Int)?, self.block(body, place, owner)?)
            }
            Kind::Turns(from, body) => {
                if !matches!(place, Context::Play | Context::Procedure) {
                    return self.check.misplaced(tree.span, "`turns` is allowed only in `play`", "move it to `play`");
                }
                let from = match from {
                    Some(from) => Some(self.check.typed(from, &Ty::Seat)?),
                    None => None,
                };
                StmtKind::Turns(from, self.block(body, place, owner)?)
            }
            Kind::Phase(name, _, body) => {
                let Some(Symbol::Phase(number)) = self.check.lookup(&name.node, name.span, None) else {
                    self.check.unknown(&name.node, name.span, "phase");
                    return None;
                };
                StmtKind::Phase(number, self.block(body, place, owner)?)
            }
            Kind::Stop => StmtKind::Stop,
            Kind::Again => StmtKind::Give(Expr::new(ExprKind::Mover, Ty::Seat)),
            Kind::Give(seat) => StmtKind::Give(self.check.typed(seat, &Ty::Seat)?),
            Kind::Win(seats) => StmtKind::Win(self.check.typed(seats, &Ty::Seat.set())?),
            Kind::Lose(seats) => StmtKind::Lose(self.check.typed(seats, &Ty::Seat.set())?),
            Kind::Draw => StmtKind::Draw,
            Kind::Rank(name, seats, by) => {
                let seats = self.check.typed(seats, &Ty::Seat.set())?;
                let cut = self.check.scope.mark();
                let slot = self.check.bind_ident(name, Ty::Seat);
                let by = self.check.typed(by, &Ty::Int);
                self.check.scope.cut(cut);
                StmtKind::Rank(slot, seats, by?)
            }
            Kind::Place(seats) => StmtKind::Place(self.check.typed(seats, &Ty::Seat.set())?),
            Kind::Eliminate(seats) => StmtKind::Eliminate(self.check.typed(seats, &Ty::Seat.set())?),
            Kind::Assign(name, indices, op, value) => self.check.assign(name, indices, *op, value)?,
            Kind::Plays { seat, may, groups, otherwise } => {
                if matches!(place, Context::Setup | Context::Silent) {
                    return self.check.misplaced(
                        tree.span,
                        "nobody can be asked here",
                        "ask in `play` or in an action",
                    );
                }
                if *may {
                    self.check.answers_with("decline", tree.span);
                }
                let seat = self.check.typed(seat, &Ty::Seat)?;
                let groups: Option<Vec<Vec<ActionRef>>> =
                    groups.iter().map(|group| self.check.action_group(group)).collect();
                if let (true, Some(never)) = (*may, otherwise.as_ref().and_then(|block| block.stmts.first())) {
                    let report = Report::new(Code::NoEffect, never.span, "a seat that may decline is always asked");
                    self.check.report(report.label("never runs").help("leave out `may`, or this block"));
                }
                let otherwise = match otherwise {
                    Some(block) => Some(self.block(block, place, owner)?),
                    None => None,
                };
                StmtKind::Plays { seat, may: *may, groups: groups?, otherwise }
            }
            Kind::Call(name, args) => {
                let Some(Symbol::Procedure(item)) = self.check.lookup(&name.node, name.span, None) else {
                    self.check.unknown(&name.node, name.span, "procedure");
                    return None;
                };
                let procedure = self.procedure(item)?;
                let seat = procedure.asks == Some(Asked::Seat);
                if seat && place == Context::Setup || procedure.asks.is_some() && place == Context::Silent {
                    let message = format!("`{}` asks a seat or chance, which is not allowed here", name.node);
                    return self.check.misplaced(tree.span, &message, "call it in `play` or in an action");
                }
                let args = self.check.arguments(name, args, &procedure.types)?;
                StmtKind::Call(procedure.slots.into_iter().zip(args).collect(), procedure.body)
            }
        })
    }

    /// `race S play a | b until E else { }`
    pub(super) fn race(
        &mut self,
        seats: &Tree,
        group: &[Ident],
        until: Option<&Tree>,
        otherwise: Option<&BlockTree>,
        place: Context,
        owner: &str,
    ) -> Option<StmtKind> {
        let seats = self.check.typed(seats, &Ty::Seat.set())?;
        let actions = self.check.action_group(group)?;
        if let Some((_, name)) = actions.iter().zip(group).find(|(action, _)| **action == ActionRef::Pass) {
            let message = "`pass` is not allowed in a race";
            self.check.report(
                Report::new(Code::Misplaced, name.span, message).help("a seat passes by not acting; list actions only"),
            );
            return None;
        }
        let until = match until {
            Some(until) => Some(self.check.typed(until, &Ty::Int)?),
            None => None,
        };
        let otherwise = match otherwise {
            Some(block) => Some(self.block(block, place, owner)?),
            None => None,
        };
        Some(StmtKind::Race { seats, group: actions, until, otherwise })
    }
}
