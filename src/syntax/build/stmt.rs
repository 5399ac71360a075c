//! Statements.
//!
//! **Invariant:** every statement carries the clauses written at its end or,
//! with a block, before it.

use super::expr::over;
use super::{Builder, Built, Kids, has};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr, Whose};
use crate::syntax::ast::stmt::{AssignOp, Block, Packet, PieceSpec, Stmt, StmtKind, TokenSpec};
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

impl Builder {
    /// The block that comes next.
    pub(super) fn block(&mut self, kids: &mut Kids<'_>) -> Option<Block> {
        let pair = self.need(kids, Rule::block)?;
        self.block_of(pair)
    }

    fn block_of(&mut self, pair: Pair<'_, Rule>) -> Option<Block> {
        let span = self.span(&pair);
        self.deeper(span, |builder| {
            let stmts = builder.kids(pair).all(Rule::statement);
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
            cites.extend(self.kids(child).all(Rule::clause).iter().map(|clause| self.clause(clause)));
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
        let mut kids = self.kids(pair);
        let test = self.expr(&mut kids)?;
        self.skip_cites(&mut kids);
        let yes = self.block(&mut kids)?;
        let no = match kids.any() {
            Some(linked) if linked.as_rule() == Rule::if_stmt => {
                let span = self.span(&linked);
                Some(Block { stmts: vec![self.deeper(span, |builder| builder.one(linked))?] })
            }
            Some(block) => Some(self.block_of(block)?),
            None => None,
        };
        Some(StmtKind::If(test, yes, no))
    }

    fn skip_cites(&self, kids: &mut Kids<'_>) {
        let _ = self.cites(kids);
    }

    /// The block at the end of a statement.
    fn body(&mut self, kids: &mut Kids<'_>) -> Option<Block> {
        self.skip_cites(kids);
        self.block(kids)
    }

    /// Statements with one block at their end.
    fn framed(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let over = over(&pair);
        let rule = pair.as_rule();
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        Some(match rule {
            Rule::for_stmt => {
                let (name, set) = (self.name(kids)?, self.expr(kids)?);
                let from = self.expr_after(kids, Rule::kw_from)?;
                StmtKind::For(name, over, set, from, self.body(kids)?)
            }
            Rule::while_stmt => StmtKind::While(self.expr(kids)?, self.body(kids)?),
            Rule::repeat_stmt => StmtKind::Repeat(self.expr(kids)?, self.body(kids)?),
            Rule::turns_stmt => StmtKind::Turns(self.body(kids)?),
            Rule::phase_stmt => StmtKind::Phase(self.name(kids)?, self.title(kids), self.body(kids)?),
            _ => return self.presume(kids, "a known statement", None),
        })
    }

    /// Statements that ask seats for moves.
    fn asking(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let may = has(&pair, Rule::kw_may);
        let rule = pair.as_rule();
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        let seats = if rule == Rule::plays_stmt { self.needed(kids, Rule::operand)? } else { self.expr(kids)? };
        let groups = kids.all(Rule::group).into_iter();
        let mut groups: Vec<Vec<Ident>> = groups
            .map(|group| {
                let mut kids = self.kids(group);
                self.names(&mut kids)
            })
            .collect();
        let until = self.expr_after(kids, Rule::kw_until)?;
        let otherwise = match kids.opt(Rule::block) {
            Some(block) => Some(self.block_of(block)?),
            None => None,
        };
        Some(match rule {
            Rule::plays_stmt => StmtKind::Plays { seat: seats, may, groups, otherwise },
            Rule::together_stmt => StmtKind::Together(seats, groups),
            Rule::race_stmt => StmtKind::Race { seats, group: groups.pop().unwrap_or_default(), until, otherwise },
            _ => return self.presume(kids, "a known statement", None),
        })
    }

    /// Statements that move, place or change pieces and tokens.
    fn moving(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        let (all, bottom) = (has(&pair, Rule::kw_all), has(&pair, Rule::kw_bottom));
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        Some(match rule {
            Rule::put_stmt => {
                let amount = self.counted(kids, Rule::amount)?;
                let piece = self.piece(kids)?;
                StmtKind::Put(amount, piece, self.expr(kids)?)
            }
            Rule::move_packet => {
                let amount = self.counted(kids, Rule::count_of)?;
                let packet = match (all, bottom) {
                    (true, _) => Packet::All,
                    (false, true) => Packet::Bottom(amount),
                    (false, false) => Packet::Top(amount),
                };
                let from = self.expr(kids)?;
                let under = kids.opt(Rule::under).is_some();
                StmtKind::MovePacket(packet, from, self.expr(kids)?, under)
            }
            Rule::move_tokens => {
                let amount = self.maybe(kids, Rule::operand)?;
                let tokens = self.tokens(kids)?;
                StmtKind::MoveTokens(amount, tokens, self.expr(kids)?, self.expr(kids)?)
            }
            Rule::move_stmt => {
                let what = self.expr(kids)?;
                let from = self.expr_after(kids, Rule::kw_from)?;
                let under = kids.opt(Rule::under).is_some();
                StmtKind::Move(what, from, self.expr(kids)?, under)
            }
            Rule::swap_stmt => StmtKind::Swap(self.expr(kids)?, self.expr(kids)?),
            Rule::rotate_stmt => StmtKind::Rotate(self.expr(kids)?, self.expr(kids)?),
            Rule::change_stmt => StmtKind::Change(self.expr(kids)?, self.settings(kids)?),
            Rule::sow_stmt => {
                let tokens = self.tokens(kids)?;
                let (from, along) = (self.expr(kids)?, self.expr(kids)?);
                let skip = self.expr_after(kids, Rule::kw_skip)?;
                StmtKind::Sow { tokens, from, along, skip, last: self.name(kids)? }
            }
            _ => return self.presume(kids, "a known statement", None),
        })
    }

    fn counted(&mut self, kids: &mut Kids<'_>, rule: Rule) -> Built<Option<Expr>> {
        match kids.opt(rule) {
            Some(pair) => self.amount(pair).map(Some),
            None => Some(None),
        }
    }

    fn piece(&mut self, kids: &mut Kids<'_>) -> Option<PieceSpec> {
        let pair = self.need(kids, Rule::piece_spec)?;
        let own = has(&pair, Rule::kw_own);
        let mut kids = self.kids(pair);
        let (name, args) = (self.name(&mut kids)?, self.args(&mut kids)?);
        let whose = self.whose(own, &mut kids)?;
        Some(PieceSpec { whose, name, args, fields: self.settings(&mut kids)? })
    }

    fn tokens(&mut self, kids: &mut Kids<'_>) -> Option<TokenSpec> {
        let pair = self.need(kids, Rule::token_spec)?;
        let own = has(&pair, Rule::kw_own);
        let mut kids = self.kids(pair);
        let name = self.name(&mut kids)?;
        let whose: Whose = self.whose(own, &mut kids)?;
        Some(TokenSpec { whose, name })
    }

    /// Statements without blocks and pieces.
    fn plain(&mut self, pair: Pair<'_, Rule>) -> Option<StmtKind> {
        let rule = pair.as_rule();
        let mut kids = self.kids(pair);
        let kids = &mut kids;
        Some(match rule {
            Rule::choose_stmt => {
                let (name, set) = (self.name(kids)?, self.expr(kids)?);
                let by = self.expr_after(kids, Rule::kw_by)?;
                StmtKind::Choose(name, set, by, self.sight(kids)?)
            }
            Rule::roll_stmt => StmtKind::Roll(self.name(kids)?, self.expr(kids)?, self.sight(kids)?),
            Rule::require_stmt => StmtKind::Require(self.expr(kids)?),
            Rule::ensure_stmt => StmtKind::Ensure(self.expr(kids)?),
            Rule::prefer_stmt => StmtKind::Prefer(self.expr(kids)?),
            Rule::let_stmt => StmtKind::Let(self.name(kids)?, self.expr(kids)?),
            Rule::remove_stmt => StmtKind::Remove(self.expr(kids)?),
            Rule::shuffle_stmt => StmtKind::Shuffle(self.expr(kids)?),
            Rule::stop_stmt => StmtKind::Stop,
            Rule::again_stmt => StmtKind::Again,
            Rule::draw_stmt => StmtKind::Draw,
            Rule::give_stmt => StmtKind::Give(self.expr(kids)?),
            Rule::win_stmt => StmtKind::Win(self.expr(kids)?),
            Rule::lose_stmt => StmtKind::Lose(self.expr(kids)?),
            Rule::place_stmt => StmtKind::Place(self.expr(kids)?),
            Rule::eliminate_stmt => StmtKind::Eliminate(self.expr(kids)?),
            Rule::rank_stmt => StmtKind::Rank(self.name(kids)?, self.expr(kids)?, self.expr(kids)?),
            Rule::call_stmt => StmtKind::Call(self.name(kids)?, self.args(kids)?),
            Rule::assign_stmt => {
                let (name, args) = (self.name(kids)?, self.args(kids)?);
                let op = match self.need(kids, Rule::assign_op)?.as_str() {
                    "+=" => AssignOp::Add,
                    "-=" => AssignOp::Sub,
                    _ => AssignOp::Set,
                };
                StmtKind::Assign(name, args, op, self.expr(kids)?)
            }
            _ => return self.presume(kids, "a known statement", None),
        })
    }
}
