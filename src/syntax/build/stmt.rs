//! Statements.
//!
//! **Invariant:** every statement carries the clauses written at its end or,
//! with a block, before it.

use super::expr::over;
use super::{Builder, Built, Children, has};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr, Whose};
use crate::syntax::ast::stmt::{AssignOp, Block, PieceSelection, PieceSpec, Stmt, StmtKind, TokenSpec};
use crate::syntax::grammar::{Rule, StatementRule};
use pest::iterators::Pair;

/// The maximum number of names in a `for`.
const LOOPS: usize = 8;

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

    /// A statement.
    pub(super) fn stmt(&mut self, pair: Pair<'_, Rule>) -> Option<Stmt> {
        let inner = self.only(pair)?;
        self.one(&inner)
    }

    /// A statement with its clauses; blocks come after them.
    fn one(&mut self, pair: &Pair<'_, Rule>) -> Option<Stmt> {
        let span = self.span(pair);
        let mut cites = Vec::new();
        for child in pair.clone().into_inner().filter(|child| child.as_rule() == Rule::cites) {
            cites.extend(self.children(child).all(Rule::clause).iter().map(|clause| self.clause(clause)));
        }
        let title = pair.clone().into_inner().find(|child| child.as_rule() == Rule::string);
        let title = title.map(|text| self.quoted(&text).node);
        Some(Stmt { kind: self.kind(pair)?, title, cites, span })
    }

    fn kind(&mut self, pair: &Pair<'_, Rule>) -> Option<StmtKind> {
        let mut children = self.children(pair.clone());
        let known = StatementRule::of(children.rule);
        let rule = self.presume(&children, "a known statement", known)?;
        let children = &mut children;
        Some(match rule {
            StatementRule::Choose => {
                let (name, set) = (self.name(children)?, self.expr(children)?);
                let by = self.expr_after(children, Rule::kw_by)?;
                StmtKind::Choose(name, set, by, self.sight(children)?)
            }
            StatementRule::Roll => StmtKind::Roll(self.name(children)?, self.expr(children)?, self.sight(children)?),
            StatementRule::Require => StmtKind::Require(self.expr(children)?),
            StatementRule::Ensure => StmtKind::Ensure(self.expr(children)?),
            StatementRule::Prefer => StmtKind::Prefer(self.expr(children)?),
            StatementRule::Let => StmtKind::Let(self.name(children)?, self.expr(children)?),
            StatementRule::Assign => self.assignment(children)?,
            StatementRule::Call => StmtKind::Call(self.name(children)?, self.args(children)?),
            StatementRule::Put => {
                let amount = self.counted(children, Rule::amount)?;
                StmtKind::Put(amount, self.piece(children)?, self.expr(children)?)
            }
            StatementRule::MovePacket => {
                let selection = self.selection(pair, children)?;
                let from = self.expr(children)?;
                let under = children.opt(Rule::under).is_some();
                StmtKind::MovePacket(selection, from, self.expr(children)?, under)
            }
            StatementRule::MoveTokens => {
                let amount = self.maybe(children, Rule::operand)?;
                StmtKind::MoveTokens(amount, self.tokens(children)?, self.expr(children)?, self.expr(children)?)
            }
            StatementRule::Move => {
                let what = self.expr(children)?;
                let from = self.expr_after(children, Rule::kw_from)?;
                let under = children.opt(Rule::under).is_some();
                StmtKind::Move(what, from, self.expr(children)?, under)
            }
            StatementRule::Remove => StmtKind::Remove(self.expr(children)?),
            StatementRule::Swap => StmtKind::Swap(self.expr(children)?, self.expr(children)?),
            StatementRule::Rotate => StmtKind::Rotate(self.expr(children)?, self.expr(children)?),
            StatementRule::Change => StmtKind::Change(self.expr(children)?, self.settings(children)?),
            StatementRule::Sow => {
                let tokens = self.tokens(children)?;
                let (from, along) = (self.expr(children)?, self.expr(children)?);
                let skip = self.expr_after(children, Rule::kw_skip)?;
                StmtKind::Sow { tokens, from, along, skip, last: self.name(children)? }
            }
            StatementRule::Shuffle => StmtKind::Shuffle(self.expr(children)?),
            StatementRule::If => self.branch(children)?,
            StatementRule::For => self.nested(pair, children)?,
            StatementRule::While => StmtKind::While(self.expr(children)?, self.body(children)?),
            StatementRule::Repeat => StmtKind::Repeat(self.expr(children)?, self.body(children)?),
            StatementRule::Turns => StmtKind::Turns(self.expr_after(children, Rule::kw_from)?, self.body(children)?),
            StatementRule::Phase => StmtKind::Phase(self.name(children)?, self.title(children), self.body(children)?),
            StatementRule::Plays => {
                let (seat, may) = (self.needed(children, Rule::operand)?, has(pair, Rule::kw_may));
                StmtKind::Plays { seat, may, groups: self.groups(children), otherwise: self.otherwise(children)? }
            }
            StatementRule::Together => StmtKind::Together(self.expr(children)?, self.groups(children)),
            StatementRule::Race => {
                let (seats, group) = (self.expr(children)?, self.groups(children).pop().unwrap_or_default());
                let until = self.expr_after(children, Rule::kw_until)?;
                StmtKind::Race { seats, group, until, otherwise: self.otherwise(children)? }
            }
            StatementRule::Stop => StmtKind::Stop,
            StatementRule::Again => StmtKind::Again,
            StatementRule::Give => StmtKind::Give(self.expr(children)?),
            StatementRule::Win => StmtKind::Win(self.expr(children)?),
            StatementRule::Lose => StmtKind::Lose(self.expr(children)?),
            StatementRule::Draw => StmtKind::Draw,
            StatementRule::Rank => StmtKind::Rank(self.name(children)?, self.expr(children)?, self.expr(children)?),
            StatementRule::Place => StmtKind::Place(self.expr(children)?),
            StatementRule::Eliminate => StmtKind::Eliminate(self.expr(children)?),
        })
    }

    fn assignment(&mut self, children: &mut Children<'_>) -> Option<StmtKind> {
        let (name, args) = (self.name(children)?, self.args(children)?);
        let op = match self.need(children, Rule::assign_op)?.as_str() {
            "+=" => AssignOp::Add,
            "-=" => AssignOp::Sub,
            _ => AssignOp::Set,
        };
        Some(StmtKind::Assign(name, args, op, self.expr(children)?))
    }

    fn branch(&mut self, children: &mut Children<'_>) -> Option<StmtKind> {
        let test = self.expr(children)?;
        self.skip_cites(children);
        let yes = self.block(children)?;
        let no = match children.any() {
            Some(linked) if linked.as_rule() == Rule::if_stmt => {
                let span = self.span(&linked);
                Some(Block { stmts: vec![self.deeper(span, |builder| builder.one(&linked))?] })
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

    /// A loop over several names, as nested loops; the filter goes into the innermost.
    fn nested(&mut self, pair: &Pair<'_, Rule>, children: &mut Children<'_>) -> Option<StmtKind> {
        let span = self.span(pair);
        let names = children.all(Rule::loop_name);
        if names.len() > LOOPS {
            let report = Report::new(Code::TooDeep, span, format!("a `for` has at most {LOOPS} names"));
            return self.refuse(report.help("write a `for` within a `for`"));
        }
        let filter = self.expr_after(children, Rule::kw_where)?;
        let mut kind = None;
        let mut body = self.body(children)?;
        let within = |kind| Block { stmts: vec![Stmt { kind, title: None, cites: Vec::new(), span }] };
        if let Some(filter) = filter {
            body = within(StmtKind::If(filter, body, None));
        }
        for pair in names.into_iter().rev() {
            let over = over(&pair);
            let mut children = self.children(pair);
            let (name, set) = (self.name(&mut children)?, self.expr(&mut children)?);
            let from = self.expr_after(&mut children, Rule::kw_from)?;
            body = kind.take().map_or(body, &within);
            kind = Some(StmtKind::For(name, over, set, from, std::mem::take(&mut body)));
        }
        kind
    }

    /// The actions offered, in groups by precedence.
    pub(super) fn groups(&mut self, children: &mut Children<'_>) -> Vec<Vec<Ident>> {
        let groups = children.all(Rule::group).into_iter();
        groups
            .map(|group| {
                let mut children = self.children(group);
                self.names(&mut children)
            })
            .collect()
    }

    /// The block after `else`, if it comes next.
    fn otherwise(&mut self, children: &mut Children<'_>) -> Built<Option<Block>> {
        match children.opt(Rule::block) {
            Some(block) => self.block_of(block).map(Some),
            None => Some(None),
        }
    }

    fn selection(&mut self, pair: &Pair<'_, Rule>, children: &mut Children<'_>) -> Option<PieceSelection> {
        let amount = self.counted(children, Rule::count_of)?;
        Some(match (has(pair, Rule::kw_all), has(pair, Rule::kw_bottom)) {
            (true, _) => PieceSelection::All,
            (false, true) => PieceSelection::Bottom(amount),
            (false, false) => PieceSelection::Top(amount),
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
}
