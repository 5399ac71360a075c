//! Statements.
//!
//! **Invariant:** every statement carries the clauses written at its end or,
//! with a block, before it.

use super::expr::over;
use super::{Builder, Built, Children, has};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr, Whose};
use crate::syntax::ast::stmt::{AssignOp, Block, Packet, PieceSpec, Stmt, StmtKind, TokenSpec};
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

impl Builder {
    /// The block that comes next.
    pub(super) fn block(&mut self, children: &mut Children<'_>) -> Option<Block> {
        let pair = self.need(children, Rule::block)?;
        self.block_of(pair)
    }

    fn block_of(&mut self, pair: Pair<'_, Rule>) -> Option<Block> {
        let span = self.span(&pair);
        self.deeper(span, |builder| {
            let stmts = builder.children(pair).all(Rule::statement);
            Some(Block { stmts: stmts.into_iter().map(|stmt| builder.stmt(stmt)).collect::<Option<_>>()? })
        })
    }

    fn stmt(&mut self, pair: Pair<'_, Rule>) -> Option<Stmt> {
        let inner = self.only(pair)?;
        self.one(inner)
    }

    /// A statement with its clauses; blocks come after them.
    fn one(&mut self, pair: Pair<'_, Rule>) -> Option<Stmt> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut cites = Vec::new();
        for child in pair.clone().into_inner().filter(|child| child.as_rule() == Rule::cites) {
            cites.extend(self.children(child).all(Rule::clause).iter().map(|clause| self.clause(clause)));
        }
        let kind = match rule {
            Rule::if_stmt => self.branch(pair),
            Rule::for_stmt | Rule::while_stmt | Rule::repeat_stmt | Rule::turns_stmt | Rule::phase_stmt => {
                self.framed(pair)
            }
            Rule::together_stmt | Rule::race_stmt | Rule::plays_stmt => self.asking(pair),
            Rule::put_stmt
            | Rule::move_packet
            | Rule::move_tokens
            | Rule::move_stmt
            | Rule::sow_stmt
            | Rule::change_stmt
            | Rule::swap_stmt
            | Rule::rotate_stmt => self.moving(pair),
            _ => self.plain(pair),
        }?;
        Some(Stmt { kind, cites, span })
    }

    fn branch(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let mut children = self.children(pair);
        let test = self.expr(&mut children)?;
        self.skip_cites(&mut children);
        let yes = self.block(&mut children)?;
        let no = match children.any() {
            Some(linked) if linked.as_rule() == Rule::if_stmt => {
                let span = self.span(&linked);
                Some(Block { stmts: vec![self.deeper(span, |builder| builder.one(linked))?] })
            }
            Some(block) => Some(self.block_of(block)?),
            None => None,
        };
        Some(StmtKind::If(test, yes, no))
    }

    fn skip_cites(&self, children: &mut Children<'_>) {
        let _ = self.cites(children);
    }

    /// The block at the end of a statement.
    fn body(&mut self, children: &mut Children<'_>) -> Option<Block> {
        self.skip_cites(children);
        self.block(children)
    }

    /// Statements with one block at their end.
    fn framed(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let over = over(&pair);
        let rule = pair.as_rule();
        let mut children = self.children(pair);
        let children = &mut children;
        Some(match rule {
            Rule::for_stmt => {
                let (name, set) = (self.name(children)?, self.expr(children)?);
                let from = self.expr_after(children, Rule::kw_from)?;
                StmtKind::For(name, over, set, from, self.body(children)?)
            }
            Rule::while_stmt => StmtKind::While(self.expr(children)?, self.body(children)?),
            Rule::repeat_stmt => StmtKind::Repeat(self.expr(children)?, self.body(children)?),
            Rule::turns_stmt => StmtKind::Turns(self.body(children)?),
            Rule::phase_stmt => StmtKind::Phase(self.name(children)?, self.title(children), self.body(children)?),
            _ => return self.presume(children, "a known statement", None),
        })
    }

    /// Statements that ask seats for moves.
    fn asking(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let may = has(&pair, Rule::kw_may);
        let rule = pair.as_rule();
        let mut children = self.children(pair);
        let children = &mut children;
        let seats = if rule == Rule::plays_stmt { self.needed(children, Rule::operand)? } else { self.expr(children)? };
        let groups = children.all(Rule::group).into_iter();
        let mut groups: Vec<Vec<Ident>> = groups
            .map(|group| {
                let mut children = self.children(group);
                self.names(&mut children)
            })
            .collect();
        let until = self.expr_after(children, Rule::kw_until)?;
        let otherwise = match children.opt(Rule::block) {
            Some(block) => Some(self.block_of(block)?),
            None => None,
        };
        Some(match rule {
            Rule::plays_stmt => StmtKind::Plays { seat: seats, may, groups, otherwise },
            Rule::together_stmt => StmtKind::Together(seats, groups),
            Rule::race_stmt => StmtKind::Race { seats, group: groups.pop().unwrap_or_default(), until, otherwise },
            _ => return self.presume(children, "a known statement", None),
        })
    }

    /// Statements that move, place or change pieces and tokens.
    fn moving(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        let (all, bottom) = (has(&pair, Rule::kw_all), has(&pair, Rule::kw_bottom));
        let mut children = self.children(pair);
        let children = &mut children;
        Some(match rule {
            Rule::put_stmt => {
                let amount = self.counted(children, Rule::amount)?;
                let piece = self.piece(children)?;
                StmtKind::Put(amount, piece, self.expr(children)?)
            }
            Rule::move_packet => {
                let amount = self.counted(children, Rule::count_of)?;
                let packet = match (all, bottom) {
                    (true, _) => Packet::All,
                    (false, true) => Packet::Bottom(amount),
                    (false, false) => Packet::Top(amount),
                };
                let from = self.expr(children)?;
                let under = children.opt(Rule::under).is_some();
                StmtKind::MovePacket(packet, from, self.expr(children)?, under)
            }
            Rule::move_tokens => {
                let amount = self.maybe(children, Rule::operand)?;
                let tokens = self.tokens(children)?;
                StmtKind::MoveTokens(amount, tokens, self.expr(children)?, self.expr(children)?)
            }
            Rule::move_stmt => {
                let what = self.expr(children)?;
                let from = self.expr_after(children, Rule::kw_from)?;
                let under = children.opt(Rule::under).is_some();
                StmtKind::Move(what, from, self.expr(children)?, under)
            }
            Rule::swap_stmt => StmtKind::Swap(self.expr(children)?, self.expr(children)?),
            Rule::rotate_stmt => StmtKind::Rotate(self.expr(children)?, self.expr(children)?),
            Rule::change_stmt => StmtKind::Change(self.expr(children)?, self.settings(children)?),
            Rule::sow_stmt => {
                let tokens = self.tokens(children)?;
                let (from, along) = (self.expr(children)?, self.expr(children)?);
                let skip = self.expr_after(children, Rule::kw_skip)?;
                StmtKind::Sow { tokens, from, along, skip, last: self.name(children)? }
            }
            _ => return self.presume(children, "a known statement", None),
        })
    }

    fn counted(&mut self, children: &mut Children<'_>, rule: Rule) -> Built<Option<Expr>> {
        match children.opt(rule) {
            Some(pair) => self.amount(pair).map(Some),
            None => Some(None),
        }
    }

    fn piece(&mut self, children: &mut Children<'_>) -> Option<PieceSpec> {
        let pair = self.need(children, Rule::piece_spec)?;
        let own = has(&pair, Rule::kw_own);
        let mut children = self.children(pair);
        let (name, args) = (self.name(&mut children)?, self.args(&mut children)?);
        let whose = self.whose(own, &mut children)?;
        Some(PieceSpec { whose, name, args, fields: self.settings(&mut children)? })
    }

    fn tokens(&mut self, children: &mut Children<'_>) -> Option<TokenSpec> {
        let pair = self.need(children, Rule::token_spec)?;
        let own = has(&pair, Rule::kw_own);
        let mut children = self.children(pair);
        let name = self.name(&mut children)?;
        let whose: Whose = self.whose(own, &mut children)?;
        Some(TokenSpec { whose, name })
    }

    /// Statements without blocks and pieces.
    fn plain(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        let mut children = self.children(pair);
        let children = &mut children;
        Some(match rule {
            Rule::choose_stmt => {
                let (name, set) = (self.name(children)?, self.expr(children)?);
                let by = self.expr_after(children, Rule::kw_by)?;
                StmtKind::Choose(name, set, by, self.sight(children)?)
            }
            Rule::roll_stmt => StmtKind::Roll(self.name(children)?, self.expr(children)?, self.sight(children)?),
            Rule::require_stmt => StmtKind::Require(self.expr(children)?),
            Rule::ensure_stmt => StmtKind::Ensure(self.expr(children)?),
            Rule::prefer_stmt => StmtKind::Prefer(self.expr(children)?),
            Rule::let_stmt => StmtKind::Let(self.name(children)?, self.expr(children)?),
            Rule::remove_stmt => StmtKind::Remove(self.expr(children)?),
            Rule::shuffle_stmt => StmtKind::Shuffle(self.expr(children)?),
            Rule::stop_stmt => StmtKind::Stop,
            Rule::again_stmt => StmtKind::Again,
            Rule::draw_stmt => StmtKind::Draw,
            Rule::give_stmt => StmtKind::Give(self.expr(children)?),
            Rule::win_stmt => StmtKind::Win(self.expr(children)?),
            Rule::lose_stmt => StmtKind::Lose(self.expr(children)?),
            Rule::place_stmt => StmtKind::Place(self.expr(children)?),
            Rule::eliminate_stmt => StmtKind::Eliminate(self.expr(children)?),
            Rule::rank_stmt => StmtKind::Rank(self.name(children)?, self.expr(children)?, self.expr(children)?),
            Rule::call_stmt => StmtKind::Call(self.name(children)?, self.args(children)?),
            Rule::assign_stmt => {
                let (name, args) = (self.name(children)?, self.args(children)?);
                let op = match self.need(children, Rule::assign_op)?.as_str() {
                    "+=" => AssignOp::Add,
                    "-=" => AssignOp::Sub,
                    _ => AssignOp::Set,
                };
                StmtKind::Assign(name, args, op, self.expr(children)?)
            }
            _ => return self.presume(children, "a known statement", None),
        })
    }
}
