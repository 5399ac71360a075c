//! Expressions: from flat sequences of operands and operators to trees.
//!
//! **Invariant:** no expression is deeper than [`HEIGHT`] nodes, so that trees can be traversed and dropped
//! recursively.

use super::height::height;
use super::{Builder, Built, Children, has};
use crate::base::{Span, Spanned};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{BinOp, Binder, Expr, ExprKind, Fold, Over, UnOp, Whose};
use crate::syntax::grammar::{InfixRule, PrefixRule, PrimaryRule, Rule};
use pest::iterators::Pair;
use pest::pratt_parser::{Assoc, Op, PrattParser};
use std::sync::LazyLock;

/// The maximum number of operands in a sequence, and the maximum depth of a tree.
const HEIGHT: usize = 500;

/// The maximum number of consecutive `.field`s.
const FIELDS: usize = 64;

/// The number of precedence levels.
const STEPS: usize = 10;

/// The precedence and meaning of an infix operator.
fn binary(rule: InfixRule) -> (usize, BinOp) {
    match rule {
        InfixRule::Or => (0, BinOp::Or),
        InfixRule::And => (1, BinOp::And),
        InfixRule::Eq => (3, BinOp::Eq),
        InfixRule::Ne => (3, BinOp::Ne),
        InfixRule::Lt => (3, BinOp::Lt),
        InfixRule::Le => (3, BinOp::Le),
        InfixRule::Gt => (3, BinOp::Gt),
        InfixRule::Ge => (3, BinOp::Ge),
        InfixRule::In => (3, BinOp::In),
        InfixRule::Within => (3, BinOp::Within),
        InfixRule::Meets => (3, BinOp::Meets),
        InfixRule::Union => (4, BinOp::Union),
        InfixRule::Intersect => (5, BinOp::Intersect),
        InfixRule::Range => (6, BinOp::Range),
        InfixRule::Plus => (7, BinOp::Add),
        InfixRule::Minus => (7, BinOp::Sub),
        InfixRule::Times => (8, BinOp::Mul),
        InfixRule::Divide => (8, BinOp::Div),
        InfixRule::Mod => (8, BinOp::Mod),
    }
}

/// The precedence and meaning of a prefix operator.
fn unary(rule: PrefixRule) -> (usize, UnOp) {
    match rule {
        PrefixRule::Not => (2, UnOp::Not),
        PrefixRule::No => (2, UnOp::No),
        PrefixRule::Some => (2, UnOp::Some),
        PrefixRule::Negate => (STEPS - 1, UnOp::Neg),
    }
}

/// The operators by precedence, loosest first.
static PRATT: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let step = |step| {
        let infix = InfixRule::ALL.iter().filter(move |(_, one)| binary(*one).0 == step);
        let prefix = PrefixRule::ALL.iter().filter(move |(_, one)| unary(*one).0 == step);
        let infix = infix.map(|(rule, _)| Op::infix(*rule, Assoc::Left));
        infix.chain(prefix.map(|(rule, _)| Op::prefix(*rule))).reduce(|one, other| one | other)
    };
    (0..STEPS).filter_map(step).fold(PrattParser::new(), PrattParser::op)
});

impl Builder {
    /// The next child as an expression of this rule.
    pub(super) fn needed(&mut self, children: &mut Children<'_>, rule: Rule) -> Option<Expr> {
        let pair = self.need(children, rule)?;
        self.built(pair)
    }

    /// The next child as an expression, if it is of this rule.
    pub(super) fn maybe(&mut self, children: &mut Children<'_>, rule: Rule) -> Built<Option<Expr>> {
        match children.opt(rule) {
            Some(pair) => self.built(pair).map(Some),
            None => Some(None),
        }
    }

    /// The next child, which is an `expr`.
    pub(super) fn expr(&mut self, children: &mut Children<'_>) -> Option<Expr> {
        self.needed(children, Rule::expr)
    }

    /// The expression after a keyword, if the keyword is there.
    pub(super) fn expr_after(&mut self, children: &mut Children<'_>, keyword: Rule) -> Built<Option<Expr>> {
        match children.opt(keyword) {
            Some(_) => self.expr(children).map(Some),
            None => Some(None),
        }
    }

    /// The arguments that come next, if any.
    pub(super) fn args(&mut self, children: &mut Children<'_>) -> Option<Vec<Expr>> {
        match children.opt(Rule::args) {
            Some(pair) => self.listed(pair),
            None => Some(Vec::new()),
        }
    }

    /// All expressions among the children.
    fn listed(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Expr>> {
        let parts = self.children(pair).all(Rule::expr);
        parts.into_iter().map(|part| self.built(part)).collect()
    }

    /// A number, a name with arguments, or an expression in brackets.
    pub(super) fn amount(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let mut children = self.children(pair);
        let first = self.head(&mut children)?;
        self.suffixes(first, &mut children)
    }

    fn built(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        self.deeper(span, |builder| {
            if rule == Rule::operand {
                builder.operand(pair)
            } else if rule == Rule::owner {
                builder.amount(pair)
            } else {
                builder.operators(pair)
            }
        })
    }

    /// Operands with infix and prefix operators.
    fn operators(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let (span, children) = (self.span(&pair), self.children(pair.clone()));
        let parts: Vec<_> = pair.into_inner().filter(|part| part.as_rule() != Rule::COMMENT).collect();
        let operands = parts.iter().filter(|part| matches!(part.as_rule(), Rule::operand | Rule::along_part)).count();
        self.presume(&children, "an operand", parts.first())?;
        if operands > HEIGHT {
            return self.refuse_height(span);
        }
        let (file, shift) = (self.file, self.shift);
        let place = |op: &Pair<'_, Rule>| Span::new(file, op.as_span().start() + shift, op.as_span().end() + shift);
        let expr = PRATT
            .map_primary(|part| self.operand(part))
            .map_prefix(|op, inner| prefixed(&op, place(&op), inner?))
            .map_infix(|left, op, right| infixed(left?, &op, right?))
            .parse(parts.into_iter())?;
        if height(&expr) > HEIGHT { self.refuse_height(span) } else { Some(expr) }
    }

    fn refuse_height<T>(&mut self, span: Span) -> Option<T> {
        let message = format!("this expression is more than {HEIGHT} operations deep");
        let help = "name a part of it with `define` or `let`, or use a set or table";
        self.refuse(Report::new(Code::TooDeep, span, message).help(help))
    }

    fn operand(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let mut children = self.children(pair);
        let primary = self.need(&mut children, Rule::primary)?;
        let first = self.primary(primary)?;
        self.suffixes(first, &mut children)
    }

    /// A number, a name, a set of seats or an expression in brackets.
    fn head(&mut self, children: &mut Children<'_>) -> Option<Expr> {
        let next = children.any();
        let pair = self.presume(children, "a beginning", next)?;
        if pair.as_rule() == Rule::expr {
            return self.built(pair);
        }
        if pair.as_rule() == Rule::set_list {
            let span = self.span(&pair);
            return Some(Expr { kind: ExprKind::Set(self.listed(pair)?), span });
        }
        if pair.as_rule() == Rule::set_filter {
            let (span, mut inner) = (self.span(&pair), self.children(pair));
            return Some(Expr { kind: self.filter(&mut inner)?, span });
        }
        if pair.as_rule() == Rule::number {
            let number = self.number(&pair)?;
            return Some(Expr { kind: ExprKind::Number(number.node), span: number.span });
        }
        let name = self.ident(&pair);
        Some(Expr { kind: ExprKind::Name(name.node), span: name.span })
    }

    /// Arguments and fields after an expression.
    fn suffixes(&mut self, mut expr: Expr, children: &mut Children<'_>) -> Option<Expr> {
        let mut count = 0;
        while let Some(pair) = children.any() {
            let span = expr.span.to(self.span(&pair));
            count += 1;
            if count > FIELDS {
                return self.refuse_height(span);
            }
            let kind = match (pair.as_rule(), expr.kind) {
                (Rule::field, kind) => {
                    let mut inner = self.children(pair);
                    ExprKind::Field(Box::new(Expr { kind, span: expr.span }), self.name(&mut inner)?)
                }
                (Rule::can_play, kind) => {
                    let actions = self.groups(&mut self.children(pair)).concat();
                    ExprKind::CanPlay(Box::new(Expr { kind, span: expr.span }), actions)
                }
                (_, ExprKind::Name(name)) => ExprKind::Call(Spanned::new(name, expr.span), self.listed(pair)?),
                (_, _) => {
                    let place = self.span(&pair);
                    let report = Report::new(Code::Unexpected, place, "only a name can take arguments");
                    return self.refuse(report.help("write a comma or an operator before the parenthesis"));
                }
            };
            expr = Expr { kind, span };
        }
        Some(expr)
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let span = self.span(&pair);
        let pair = self.only(pair)?;
        let filtered = has(&pair, Rule::kw_where);
        let all = has(&pair, Rule::kw_all);
        let mut children = self.children(pair.clone());
        let known = PrimaryRule::of(children.rule);
        let rule = self.presume(&children, "a known operand", known)?;
        let children = &mut children;
        let kind = match rule {
            PrimaryRule::Expr => return self.built(pair),
            PrimaryRule::Number => ExprKind::Number(self.number(&pair)?.node),
            PrimaryRule::Truth => ExprKind::Truth(has(&pair, Rule::kw_true)),
            PrimaryRule::Quantified => {
                let binders = self.binders(children)?;
                let filter = if filtered { Some(Box::new(self.expr(children)?)) } else { None };
                ExprKind::Quantified { all, binders, filter, body: Box::new(self.expr(children)?) }
            }
            PrimaryRule::Aggregate => {
                let body = Box::new(self.expr(children)?);
                let binders = self.binders(children)?;
                let filter = if filtered { Some(Box::new(self.expr(children)?)) } else { None };
                ExprKind::Aggregate { fold: fold(&pair), body, binders, filter }
            }
            PrimaryRule::Best => {
                let name = self.name(children)?;
                ExprKind::Top(name, Box::new(self.expr(children)?), Box::new(self.expr(children)?))
            }
            PrimaryRule::TopOf => ExprKind::TopOf(Box::new(self.needed(children, Rule::operand)?)),
            PrimaryRule::After => ExprKind::After(self.name(children)?, Box::new(self.expr(children)?)),
            PrimaryRule::If => {
                let (test, yes, no) = (self.expr(children)?, self.expr(children)?, self.expr(children)?);
                ExprKind::If(Box::new(test), Box::new(yes), Box::new(no))
            }
            PrimaryRule::OwnRef => self.reference(Whose::Own, children)?,
            PrimaryRule::EnemyRef => self.reference(Whose::Enemy, children)?,
            PrimaryRule::NameRef => self.reference(Whose::Anyone, children)?,
            PrimaryRule::SetFilter => self.filter(children)?,
            PrimaryRule::SetList => ExprKind::Set(self.listed(pair)?),
        };
        Some(Expr { kind, span })
    }

    /// `{x in S where …}`.
    fn filter(&mut self, children: &mut Children<'_>) -> Option<ExprKind> {
        let name = self.name(children)?;
        Some(ExprKind::Filter(name, Box::new(self.expr(children)?), Box::new(self.expr(children)?)))
    }

    /// `x`, `x of p`, `x at S`, `x of p at S`, `own x` and `own x at S`.
    fn reference(&mut self, whose: Whose, children: &mut Children<'_>) -> Option<ExprKind> {
        let name = self.name(children)?;
        let owner = self.maybe(children, Rule::owner)?;
        let whose = owner.map_or(whose, |seat| Whose::Of(Box::new(seat)));
        let place = self.maybe(children, Rule::operand)?;
        Some(match (whose, place) {
            (Whose::Anyone, None) => ExprKind::Name(name.node),
            (whose, None) => ExprKind::Pieces(whose, name),
            (whose, Some(place)) => ExprKind::Tokens(whose, name, Box::new(place)),
        })
    }

    fn binders(&mut self, children: &mut Children<'_>) -> Option<Vec<Binder>> {
        let pairs = children.all(Rule::binder);
        pairs
            .into_iter()
            .map(|pair| {
                let over = over(&pair);
                let mut children = self.children(pair);
                Some(Binder { name: self.name(&mut children)?, over, set: self.expr(&mut children)? })
            })
            .collect()
    }

    /// The owner in a piece or token expression.
    pub(super) fn whose(&mut self, own: bool, children: &mut Children<'_>) -> Option<Whose> {
        let owner = self.maybe(children, Rule::owner)?;
        Some(match owner {
            Some(seat) => Whose::Of(Box::new(seat)),
            None if own => Whose::Own,
            None => Whose::Anyone,
        })
    }

    /// `f = E` pairs.
    pub(super) fn settings(&mut self, children: &mut Children<'_>) -> Option<Vec<(Ident, Expr)>> {
        let pairs = children.all(Rule::field_set);
        pairs
            .into_iter()
            .map(|pair| {
                let mut children = self.children(pair);
                Some((self.name(&mut children)?, self.expr(&mut children)?))
            })
            .collect()
    }
}

/// What a binder ranges over, from the keyword after its name.
pub(super) fn over(pair: &Pair<'_, Rule>) -> Over {
    if has(pair, Rule::kw_at) { Over::Pieces } else { Over::Members }
}

fn fold(pair: &Pair<'_, Rule>) -> Fold {
    match pair.clone().into_inner().next().map(|first| first.as_rule()) {
        Some(Rule::kw_max) => Fold::Max,
        Some(Rule::kw_min) => Fold::Min,
        Some(Rule::kw_union) => Fold::Union,
        _ => Fold::Sum,
    }
}

fn prefixed(op: &Pair<'_, Rule>, place: Span, inner: Expr) -> Option<Expr> {
    let (_, op) = unary(PrefixRule::of(op.as_rule())?);
    let span = place.to(inner.span);
    Some(Expr { kind: ExprKind::Unary(op, Box::new(inner)), span })
}

fn infixed(left: Expr, op: &Pair<'_, Rule>, right: Expr) -> Option<Expr> {
    let (_, op) = binary(InfixRule::of(op.as_rule())?);
    let span = left.span.to(right.span);
    Some(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span })
}
