//! Statements.

use crate::base::Span;
use crate::ir::{Asked, Block, BlockId, Expr, ExprKind, IntOp, Place, RuleKind, SetOp, Slot, Stmt, StmtKind, Ty};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr as Tree, Whose};
use crate::syntax::ast::stmt::{AssignOp, Block as BlockTree, Stmt as StmtTree, StmtKind as Kind, TokenSpec};

use super::scope::{Checker, Symbol};

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

/// How many statements a block may have: a position says with 16 bits which one is next.
const MOST_STATEMENTS: usize = 65_000;

impl Checker<'_> {
    /// A block; its local names end with it.
    pub(super) fn block(&mut self, tree: &BlockTree, place: Context, owner: &str) -> Option<BlockId> {
        if let Some(first) = tree.stmts.get(MOST_STATEMENTS) {
            let message = format!("a block cannot have more than {MOST_STATEMENTS} statements");
            let help = "put some of them into a procedure, or repeat them with `for` or `repeat`";
            self.report(Report::new(Code::OutOfRange, first.span, message).help(help));
            return None;
        }
        let cut = self.locals.len();
        self.block_slots.push(Vec::new());
        let stmts: Vec<Option<Stmt>> = tree.stmts.iter().map(|stmt| self.stmt(stmt, place, owner)).collect();
        let slots = self.block_slots.pop().unwrap_or_default();
        self.locals.truncate(cut);
        let stmts: Option<Vec<Stmt>> = stmts.into_iter().collect();
        Some(self.game.blocks.push(Block { stmts: stmts?, slots }))
    }

    /// A local name that ends with the innermost block.
    pub(super) fn bind_here(&mut self, name: &Ident, ty: Ty) -> Slot {
        let slot = self.bind_ident(name, ty);
        if let Some(slots) = self.block_slots.last_mut() {
            slots.push(slot);
        }
        slot
    }

    pub(super) fn stmt(&mut self, tree: &StmtTree, place: Context, owner: &str) -> Option<Stmt> {
        let Some(kind) = self.stmt_kind(tree, place, owner) else {
            self.poison(&tree.kind);
            return None;
        };
        let rule = self.rule(RuleKind::Statement, owner, tree.span, &tree.cites);
        if let Some(info) = self.game.rules.get_mut(rule) {
            info.title.clone_from(&tree.title);
        }
        Some(Stmt { kind, rule })
    }

    /// Remembers the name that a statement in error would have bound.
    pub(super) fn poison(&mut self, kind: &Kind) {
        self.poisoned.extend(kind.binds().map(|name| name.node.clone()));
    }

    fn misplaced<T>(&mut self, span: Span, what: &str, help: &str) -> Option<T> {
        self.report(Report::new(Code::Misplaced, span, what).help(help));
        None
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    fn stmt_kind(&mut self, tree: &StmtTree, place: Context, owner: &str) -> Option<StmtKind> {
        let sites = Ty::Site.set();
        Some(match &tree.kind {
            Kind::Choose(name, set, by, sight) => {
                if matches!(place, Context::Setup | Context::Silent) {
                    return self.misplaced(tree.span, "nobody can be asked here", "choose in an action, or in `play`");
                }
                let set = self.set(set, None)?;
                self.pickable(&set.ty, tree.span)?;
                let by = match by {
                    Some(by) => Some(self.typed(by, &Ty::Seat)?),
                    None => None,
                };
                let sight = self.sight(sight.as_ref())?;
                StmtKind::Pick(self.bind_here(name, set.ty.element().clone()), set, by, sight)
            }
            Kind::Roll(name, set, sight) => {
                if place == Context::Silent {
                    return self.misplaced(
                        tree.span,
                        "`roll` and `shuffle` are not allowed here",
                        "roll in an action, in `play` or in the setup",
                    );
                }
                let set = self.set(set, None)?;
                self.pickable(&set.ty, tree.span)?;
                let sight = self.sight(sight.as_ref())?;
                StmtKind::Roll(self.bind_here(name, set.ty.element().clone()), set, sight)
            }
            Kind::Require(_) | Kind::Ensure(_) | Kind::Prefer(_) => {
                let what = match (place, &tree.kind) {
                    (Context::Action, Kind::Ensure(_)) => "this guard comes before an effect",
                    (Context::Action | Context::Silent, _) => "this guard comes after an effect",
                    _ => "a guard belongs to an action or a claim",
                };
                return self.misplaced(
                    tree.span,
                    what,
                    "`require` and `prefer` go before the first effect of an action, `ensure` after the last one",
                );
            }
            Kind::Let(name, value) => {
                let value = self.expr(value, None)?;
                StmtKind::Let(self.bind_here(name, value.ty.clone()), value)
            }
            Kind::Put(amount, spec, on) => self.put(amount.as_ref(), spec, on)?,
            Kind::MovePacket(packet, from, to, under) => self.move_packet(packet, from, to, *under)?,
            Kind::Move(what, from, to, under) => self.move_any(what, from.as_ref(), to, *under)?,
            Kind::Shuffle(_) if place == Context::Silent => {
                return self.misplaced(
                    tree.span,
                    "`roll` and `shuffle` are not allowed here",
                    "shuffle in an action, in `play` or in the setup",
                );
            }
            Kind::Shuffle(zone) => self.shuffle(zone)?,
            Kind::Rotate(at, by) => StmtKind::Rotate(self.typed(at, &sites)?, self.typed(by, &Ty::Int)?),
            Kind::Together(..) | Kind::Race { .. } if matches!(place, Context::Setup | Context::Silent) => {
                return self.misplaced(tree.span, "nobody can be asked here", "ask in `play` or in an action");
            }
            Kind::Together(seats, groups) => self.together(seats, groups)?,
            Kind::Race { seats, group, until, otherwise } => {
                self.race(seats, group, until.as_ref(), otherwise.as_ref(), place, owner)?
            }
            Kind::MoveTokens(amount, spec, from, to) => {
                let place = self.token_place(spec)?;
                let amount = match amount {
                    Some(amount) => Some(self.typed(amount, &Ty::Int)?),
                    None => None,
                };
                StmtKind::MoveTokens(place, amount, self.typed(from, &sites)?, self.typed(to, &sites)?)
            }
            Kind::Remove(at) => StmtKind::Remove(self.typed(at, &sites)?),
            Kind::Swap(a, b) => StmtKind::Swap(self.typed(a, &sites)?, self.typed(b, &sites)?),
            Kind::Change(at, fields) => {
                let at = self.spot(at)?;
                StmtKind::Change(at, self.field_values(fields, None)?)
            }
            Kind::Sow { tokens, from, along, skip, last } => {
                let place = self.token_place(tokens)?;
                let from = self.typed(from, &Ty::Site)?;
                let along = self.typed(along, &Ty::Dir)?;
                let skip = match skip {
                    Some(skip) => Some(self.typed(skip, &sites)?),
                    None => None,
                };
                let (from, along) = (from.singleton(), along.singleton());
                StmtKind::Sow { place, from, along, skip, last: self.bind_here(last, Ty::Site) }
            }
            Kind::If(condition, yes, no) => {
                let condition = self.boolean(condition);
                let yes = self.block(yes, place, owner);
                let no = match no {
                    Some(no) => Some(self.block(no, place, owner)?),
                    None => None,
                };
                StmtKind::If(condition?, yes?, no)
            }
            Kind::For(name, over, set, from, body) => {
                let (over, ty) = self.binder_set(*over, set)?;
                let from = match from {
                    Some(from) => Some(self.typed(from, &ty)?),
                    None => None,
                };
                let cut = self.locals.len();
                let slot = self.bind_ident(name, ty);
                let body = self.block(body, place, owner);
                self.locals.truncate(cut);
                StmtKind::For(slot, over, from, body?)
            }
            Kind::While(condition, body) => StmtKind::While(self.boolean(condition)?, self.block(body, place, owner)?),
            Kind::Repeat(count, body) => {
                StmtKind::Repeat(self.typed(count, &Ty::Int)?, self.block(body, place, owner)?)
            }
            Kind::Turns(from, body) => {
                if !matches!(place, Context::Play | Context::Procedure) {
                    return self.misplaced(tree.span, "`turns` is allowed only in `play`", "move it to `play`");
                }
                let from = match from {
                    Some(from) => Some(self.typed(from, &Ty::Seat)?),
                    None => None,
                };
                StmtKind::Turns(from, self.block(body, place, owner)?)
            }
            Kind::Phase(name, _, body) => {
                let Some(Symbol::Phase(number)) = self.lookup(&name.node, name.span, None) else {
                    self.unknown(&name.node, name.span, "phase");
                    return None;
                };
                StmtKind::Phase(number, self.block(body, place, owner)?)
            }
            Kind::Stop => StmtKind::Stop,
            Kind::Again => StmtKind::Give(Expr::new(ExprKind::Mover, Ty::Seat)),
            Kind::Give(seat) => StmtKind::Give(self.typed(seat, &Ty::Seat)?),
            Kind::Win(seats) => StmtKind::Win(self.typed(seats, &Ty::Seat.set())?),
            Kind::Lose(seats) => StmtKind::Lose(self.typed(seats, &Ty::Seat.set())?),
            Kind::Draw => StmtKind::Draw,
            Kind::Rank(name, seats, by) => {
                let seats = self.typed(seats, &Ty::Seat.set())?;
                let cut = self.locals.len();
                let slot = self.bind_ident(name, Ty::Seat);
                let by = self.typed(by, &Ty::Int);
                self.locals.truncate(cut);
                StmtKind::Rank(slot, seats, by?)
            }
            Kind::Place(seats) => StmtKind::Place(self.typed(seats, &Ty::Seat.set())?),
            Kind::Eliminate(seats) => StmtKind::Eliminate(self.typed(seats, &Ty::Seat.set())?),
            Kind::Assign(name, indices, op, value) => self.assign(name, indices, *op, value)?,
            Kind::Plays { seat, may, groups, otherwise } => {
                if matches!(place, Context::Setup | Context::Silent) {
                    return self.misplaced(tree.span, "nobody can be asked here", "ask in `play` or in an action");
                }
                let seat = self.typed(seat, &Ty::Seat)?;
                let groups: Option<Vec<Vec<crate::ir::ActionRef>>> =
                    groups.iter().map(|group| group.iter().map(|name| self.action_ref(name)).collect()).collect();
                let otherwise = match otherwise {
                    Some(block) => Some(self.block(block, place, owner)?),
                    None => None,
                };
                StmtKind::Plays { seat, may: *may, groups: groups?, otherwise }
            }
            Kind::Call(name, args) => {
                let Some(Symbol::Procedure(item)) = self.lookup(&name.node, name.span, None) else {
                    self.unknown(&name.node, name.span, "procedure");
                    return None;
                };
                let procedure = self.procedure(item)?;
                let seat = procedure.asks == Some(Asked::Seat);
                if seat && place == Context::Setup || procedure.asks.is_some() && place == Context::Silent {
                    let message = format!("`{}` asks a seat or chance, which is not allowed here", name.node);
                    return self.misplaced(tree.span, &message, "call it in `play` or in an action");
                }
                let args = self.arguments(name, args, &procedure.types)?;
                StmtKind::Call(procedure.slots.into_iter().zip(args).collect(), procedure.body)
            }
        })
    }

    /// A seat or chance can pick only what can be written down and taken back.
    pub(super) fn pickable(&mut self, set: &Ty, span: Span) -> Option<()> {
        let inner = set.element();
        if inner.is_atom() || matches!(inner, Ty::Int | Ty::Piece | Ty::Way) {
            return Some(());
        }
        let message = format!("`choose` cannot pick {} from {}", self.type_text(inner), self.type_text(set));
        self.report(
            Report::new(Code::WrongType, span, message)
                .help("choose from sites, seats, directions, kinds, numbers, enum values, pieces of a zone or ways"),
        );
        None
    }

    pub(super) fn action_ref(&mut self, name: &Ident) -> Option<crate::ir::ActionRef> {
        let action = self.lookup(&name.node, name.span, None);
        self.note_action(name.span);
        match action {
            Some(Symbol::Action(number)) => Some(crate::ir::ActionRef::Action(number)),
            None if name.node == "pass" => Some(crate::ir::ActionRef::Pass),
            _ => {
                self.unknown(&name.node, name.span, "action");
                None
            }
        }
    }

    /// Whether a seat has a legal move of one of these actions.
    pub(super) fn can_play(&mut self, seat: &Tree, names: &[Ident]) -> Option<Expr> {
        let seat = self.typed(seat, &Ty::Seat);
        let mut actions = Vec::new();
        for name in names {
            let action = self.action_ref(name)?;
            let crate::ir::ActionRef::Action(number) = action else {
                let help = "name the actions that matter; passing is always possible";
                return self.misplaced(name.span, "`can play` does not ask for `pass`", help);
            };
            self.asked_for.push((usize::from(number), name.span));
            actions.push(action);
        }
        Some(Expr::bool(ExprKind::CanPlay(Box::new(seat?), actions)))
    }

    fn assign(&mut self, name: &Ident, indices: &[Tree], op: AssignOp, value: &Tree) -> Option<StmtKind> {
        // To be set is not to be used.
        let symbol = if self.local(&name.node).is_none() {
            self.meaning(&name.node, name.span, None)
        } else {
            self.lookup(&name.node, name.span, None)
        };
        self.uses.written(&name.node);
        let number = match symbol {
            Some(Symbol::Var(number)) if self.local(&name.node).is_none() => number,
            _ => {
                if self.local(&name.node).is_some() || self.symbols.contains_key(&name.node) {
                    let message = format!("`{}` is not a variable and cannot be changed", name.node);
                    self.report(
                        Report::new(Code::WrongType, name.span, message).help("declare a `var` and change that"),
                    );
                } else {
                    self.unknown(&name.node, name.span, "variable");
                }
                return None;
            }
        };
        let info = self.game.vars[number].clone();
        let types: Vec<Ty> = info.indices.iter().map(|(ty, _)| ty.clone()).collect();
        let indices = self.arguments(name, indices, &types)?;
        let value = self.typed(value, &info.ty)?;
        let old = Expr::new(ExprKind::Var(number, indices.clone()), info.ty.clone());
        let value = match (op, &info.ty) {
            (AssignOp::Set, _) => value,
            (AssignOp::Add, Ty::Int) => Expr::calc(IntOp::Add, old, value),
            (AssignOp::Sub, Ty::Int) => Expr::calc(IntOp::Sub, old, value),
            (AssignOp::Add, Ty::Set(_)) => Expr::algebra(SetOp::Union, old, value),
            (AssignOp::Sub, Ty::Set(_)) => Expr::algebra(SetOp::Minus, old, value),
            (AssignOp::Add | AssignOp::Sub, _) => {
                let message =
                    format!("`{}` is {}; `+=` and `-=` do not apply to it", name.node, self.type_text(&info.ty));
                self.report(Report::new(Code::WrongType, name.span, message).help("set it with `:=`"));
                return None;
            }
        };
        Some(StmtKind::Assign(number, indices, value))
    }

    pub(super) fn field_values(
        &mut self,
        fields: &[(Ident, Tree)],
        kind: Option<&Expr>,
    ) -> Option<Vec<(String, Expr)>> {
        let mut values = Vec::new();
        for (name, tree) in fields {
            let of_kind = |number: usize| match kind {
                Some(Expr { kind: ExprKind::Const(value), .. }) => value.atom() == number,
                _ => true,
            };
            let kinds = self.game.kinds.iter().enumerate().filter(|(number, _)| of_kind(*number));
            let known: Vec<(String, Ty)> =
                kinds.flat_map(|(_, k)| &k.fields).map(|f| (f.name.clone(), f.ty.clone())).collect();
            self.note_attribute("", name, |_| known.iter().map(|(field, _)| field.clone()).collect());
            let Some((_, ty)) = known.iter().find(|(field, _)| *field == name.node) else {
                let near = crate::base::nearest(&name.node, known.iter().map(|(field, _)| field.as_str()));
                let message = format!("there is no field `{}`", name.node);
                self.report(
                    Report::new(Code::UnknownName, name.span, message).help("declare it with the piece").suggest(near),
                );
                return None;
            };
            values.push((name.node.clone(), self.typed(tree, ty)?));
        }
        Some(values)
    }

    pub(super) fn token_place(&mut self, spec: &TokenSpec) -> Option<Place> {
        let Some(Symbol::Tokens(tokens)) = self.lookup(&spec.name.node, spec.name.span, None) else {
            self.unknown(&spec.name.node, spec.name.span, "kind of tokens");
            return None;
        };
        let owned = self.game.tokens[tokens].owned;
        if owned == matches!(spec.whose, Whose::Anyone) {
            let (message, help) = if owned {
                (format!("it is not clear whose `{}` are meant", spec.name.node), "write `own …` or `… of SEAT`")
            } else {
                (format!("`{}` have no owner", spec.name.node), "remove the owner, or declare the tokens `owned`")
            };
            self.report(Report::new(Code::WrongType, spec.name.span, message).help(help));
            return None;
        }
        Some(Place { tokens, owner: self.owner(&spec.whose)? })
    }
}
