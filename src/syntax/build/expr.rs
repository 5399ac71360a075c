//! Expressions: flat operands and operators to trees.
//!
//! **Invariant:** no expression is higher than [`HEIGHT`] nodes, so that whoever
//! walks or drops a tree may recurse.

use super::height::height;
use super::{Builder, Built, Children, has};
use crate::base::{Span, Spanned};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{BinOp, Binder, Expr, ExprKind, Fold, Over, UnOp, Whose};
use crate::syntax::grammar::{INFIX, Rule};
use pest::iterators::Pair;
use pest::pratt_parser::{Assoc, Op, PrattParser};
use std::sync::LazyLock;

/// The most operands in a row, and the most nodes below each other.
const HEIGHT: usize = 500;

/// The most `.field` in a row.
const FIELDS: usize = 64;

/// Precedence, loosest first.
static PRATT: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    let compare = left(Rule::eq)
        | left(Rule::ne)
        | left(Rule::lt)
        | left(Rule::le)
        | left(Rule::gt)
        | left(Rule::ge)
        | left(Rule::kw_in)
        | left(Rule::kw_within)
        | left(Rule::kw_meets);
    PrattParser::new()
        .op(left(Rule::kw_or))
        .op(left(Rule::kw_and))
        .op(Op::prefix(Rule::kw_not) | Op::prefix(Rule::kw_no) | Op::prefix(Rule::kw_some))
        .op(compare)
        .op(left(Rule::union_op))
        .op(left(Rule::intersect))
        .op(left(Rule::range))
        .op(left(Rule::plus) | left(Rule::minus))
        .op(left(Rule::times) | left(Rule::divide) | left(Rule::kw_mod))
        .op(Op::prefix(Rule::negate))
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

    /// The expression behind a keyword, if the keyword is there.
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
        self.deeper(span, |builder| match pair.as_rule() {
            Rule::operand => builder.operand(pair),
            Rule::owner => builder.amount(pair),
            _ => builder.operators(pair),
        })
    }

    /// Operands with operators between and before them.
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
            .map_infix(|left, op, right| Some(infixed(left?, &op, right?)))
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
        let span = self.span(&primary);
        let inner = self.only(primary)?;
        let first = match inner.as_rule() {
            Rule::expr => self.built(inner)?,
            Rule::number => Expr { kind: ExprKind::Number(self.number(&inner)?.node), span },
            Rule::truth => Expr { kind: ExprKind::Truth(has(&inner, Rule::kw_true)), span },
            _ => Expr { kind: self.primary(inner)?, span },
        };
        self.suffixes(first, &mut children)
    }

    /// A number, a name or an expression in brackets.
    fn head(&mut self, children: &mut Children<'_>) -> Option<Expr> {
        let next = children.any();
        let pair = self.presume(children, "a beginning", next)?;
        match pair.as_rule() {
            Rule::expr => self.built(pair),
            Rule::number => {
                let number = self.number(&pair)?;
                Some(Expr { kind: ExprKind::Number(number.node), span: number.span })
            }
            _ => {
                let name = self.ident(&pair);
                Some(Expr { kind: ExprKind::Name(name.node), span: name.span })
            }
        }
    }

    /// Arguments and fields behind an expression.
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

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Option<ExprKind> {
        let filtered = has(&pair, Rule::kw_where);
        let all = has(&pair, Rule::kw_all);
        let fold = fold(&pair);
        let rule = pair.as_rule();
        let mut children = self.children(pair);
        let children = &mut children;
        Some(match rule {
            Rule::quantified => {
                let binders = self.binders(children)?;
                let filter = if filtered { Some(Box::new(self.expr(children)?)) } else { None };
                ExprKind::Quantified { all, binders, filter, body: Box::new(self.expr(children)?) }
            }
            Rule::aggregate => {
                let body = Box::new(self.expr(children)?);
                let binders = self.binders(children)?;
                let filter = if filtered { Some(Box::new(self.expr(children)?)) } else { None };
                ExprKind::Aggregate { fold, body, binders, filter }
            }
            Rule::best => {
                let name = self.name(children)?;
                ExprKind::Top(name, Box::new(self.expr(children)?), Box::new(self.expr(children)?))
            }
            Rule::top_of => ExprKind::TopOf(Box::new(self.needed(children, Rule::operand)?)),
            Rule::after_expr => ExprKind::After(self.name(children)?, Box::new(self.expr(children)?)),
            Rule::if_expr => {
                let (test, yes, no) = (self.expr(children)?, self.expr(children)?, self.expr(children)?);
                ExprKind::If(Box::new(test), Box::new(yes), Box::new(no))
            }
            Rule::own_ref => self.reference(Whose::Own, children)?,
            Rule::enemy_ref => self.reference(Whose::Enemy, children)?,
            Rule::name_ref => self.reference(Whose::Anyone, children)?,
            Rule::set_filter => {
                let name = self.name(children)?;
                ExprKind::Filter(name, Box::new(self.expr(children)?), Box::new(self.expr(children)?))
            }
            Rule::set_list => {
                let parts = children.all(Rule::expr);
                ExprKind::Set(parts.into_iter().map(|part| self.built(part)).collect::<Option<_>>()?)
            }
            _ => return self.presume(children, "a known operand", None),
        })
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

    /// A piece of a set or statement that says whose something is.
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

/// Members or pieces, by the keyword between name and set.
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
    let unary = match op.as_rule() {
        Rule::kw_not => UnOp::Not,
        Rule::kw_no => UnOp::No,
        Rule::kw_some => UnOp::Some,
        Rule::negate => UnOp::Neg,
        _ => return None,
    };
    let span = place.to(inner.span);
    Some(Expr { kind: ExprKind::Unary(unary, Box::new(inner)), span })
}

fn infixed(left: Expr, op: &Pair<'_, Rule>, right: Expr) -> Expr {
    const OPS: [BinOp; 19] = [
        BinOp::Or,
        BinOp::And,
        BinOp::In,
        BinOp::Within,
        BinOp::Meets,
        BinOp::Mod,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Le,
        BinOp::Ge,
        BinOp::Lt,
        BinOp::Gt,
        BinOp::Range,
        BinOp::Union,
        BinOp::Intersect,
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
    ];
    let place = INFIX.iter().position(|&rule| rule == op.as_rule());
    let binary = place.and_then(|place| OPS.get(place)).copied().unwrap_or(BinOp::Or);
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(binary, Box::new(left), Box::new(right)), span }
}
