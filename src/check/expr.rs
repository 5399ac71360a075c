//! Expressions: operators, sets, binders.

use crate::base::Span;
use crate::ir::{Dependencies, Expr, ExprKind, IntOp, Order, SetOp, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{BinOp, Expr as Tree, ExprKind as TreeKind, UnOp};

use super::checker::Checker;
use super::scope::{Entry, Symbol};
use super::several::undecided;

impl Checker<'_> {
    /// Checks an expression. `want` helps names that mean several things; the
    /// caller still has to fit the result.
    pub(super) fn expr(&mut self, tree: &Tree, want: Option<&Ty>) -> Option<Expr> {
        self.deeper(1, tree.span, |checker| {
            let expr = checker.kind_of_expr(tree, want)?;
            Some(Expr { span: tree.span, ..expr })
        })
    }

    fn kind_of_expr(&mut self, tree: &Tree, want: Option<&Ty>) -> Option<Expr> {
        match &tree.kind {
            TreeKind::Name(name) => self.name(name, tree.span, want),
            TreeKind::Number(n) => Some(Expr::int(*n)),
            TreeKind::Truth(b) => Some(Expr::constant(Value::Bool(*b), Ty::Bool)),
            TreeKind::Call(name, args) => self.call(name, args, want),
            TreeKind::Field(of, name) => self.field(of, name),
            TreeKind::Pieces(whose, name) => self.pieces_of(whose, name),
            TreeKind::Tokens(whose, name, at) => self.tokens_at(whose, name, at),
            TreeKind::Unary(op, inner) => self.unary(*op, inner),
            TreeKind::Binary(op, a, b) => self.binary(*op, a, b, want, tree.span),
            TreeKind::Quantified { all, binders, filter, body } => {
                let cut = self.scope.mark();
                let parts = self.binders(binders).and_then(|binders| {
                    let filter = self.optional_bool(filter.as_deref())?;
                    let body = self.boolean(body)?;
                    Some(ExprKind::Quantified { all: *all, binders, filter, body: Box::new(body) })
                });
                self.scope.cut(cut);
                Some(Expr::bool(parts?))
            }
            TreeKind::Aggregate { fold, body, binders, filter } => {
                let cut = self.scope.mark();
                let typed = self.aggregate(*fold, body, binders, filter.as_deref(), want);
                self.scope.cut(cut);
                typed
            }
            TreeKind::Top(name, set, by) => {
                let set = self.set(set, want)?;
                let cut = self.scope.mark();
                let slot = self.bind_ident(name, set.ty.element().clone());
                let by = self.typed(by, &Ty::Int);
                self.scope.cut(cut);
                let ty = set.ty.clone();
                Some(Expr::new(ExprKind::Top(slot, Box::new(set), Box::new(by?)), ty))
            }
            TreeKind::Filter(name, set, condition) => {
                let set = self.set(set, want)?;
                let cut = self.scope.mark();
                let slot = self.bind_ident(name, set.ty.element().clone());
                let condition = self.boolean(condition);
                self.scope.cut(cut);
                let ty = set.ty.clone();
                Some(Expr::new(ExprKind::Filter(slot, Box::new(set), Box::new(condition?)), ty))
            }
            TreeKind::TopOf(list) => {
                let pieces = Ty::Piece.set();
                let list = self.typed(list, &pieces)?;
                Some(Expr::new(ExprKind::TopOf(Box::new(list)), pieces))
            }
            TreeKind::After(name, body) => {
                let Some(local) = self.local_at(&name.node, name.span).filter(|local| local.ty == Ty::Move) else {
                    let message = format!("`{}` is not a move", name.node);
                    self.report(
                        Report::new(Code::WrongType, name.span, message)
                            .help("`after m: …` takes a move chosen earlier: `choose m in moves(ACTION)`"),
                    );
                    return None;
                };
                let body = self.expr(body, want)?;
                let ty = body.ty.clone();
                Some(Expr::new(ExprKind::After(local.slot, Box::new(body)), ty))
            }
            TreeKind::CanPlay(seat, actions) => self.can_play(seat, actions),
            TreeKind::If(condition, a, b) => {
                let condition = self.boolean(condition)?;
                // A side that may mean several things takes its meaning from the other.
                let empty = matches!(&a.kind, TreeKind::Set(members) if members.is_empty());
                let several = self.is_several(a) && !self.is_several(b);
                let (left, right) = if several && undecided(want) || want.is_none() && (empty || self.is_kind(a)) {
                    let right = self.expr(b, None)?;
                    (self.expr(a, Some(&right.ty))?, right)
                } else {
                    let left = self.expr(a, want)?;
                    let right = self.expr(b, want.or(Some(&left.ty)))?;
                    (left, right)
                };
                // One side may be a member where the other is a set.
                let ty = if right.ty == left.ty.clone().set() { right.ty.clone() } else { left.ty.clone() };
                let left = self.fit(left, &ty, a.span)?;
                let right = self.fit(right, &ty, b.span)?;
                Some(Expr::new(ExprKind::If(Box::new(condition), Box::new(left), Box::new(right)), ty))
            }
            TreeKind::Set(members) => self.set_literal(members, want, tree.span),
        }
    }

    /// An expression of a wanted type.
    pub(super) fn typed(&mut self, tree: &Tree, want: &Ty) -> Option<Expr> {
        let expr = self.expr(tree, Some(want))?;
        if let TreeKind::Name(name) = &tree.kind
            && self.scope.local(name).is_none()
            && expr.ty.element() != want.element()
            && let Some(place) = self.scope.hiding(name, want)
        {
            let found = self.type_text(&expr.ty);
            let message = format!("expected {}, found {found}", self.type_text(want));
            let help = format!("`{name}` of the file hides that of the board: give it another name");
            self.report(Report::new(Code::WrongType, tree.span, message).also(place, "declared here").help(help));
            return None;
        }
        self.fit(expr, want, tree.span)
    }

    /// A condition.
    pub(super) fn boolean(&mut self, tree: &Tree) -> Option<Expr> {
        self.typed(tree, &Ty::Bool)
    }

    pub(super) fn optional_bool(&mut self, tree: Option<&Tree>) -> Option<Option<Box<Expr>>> {
        match tree {
            None => Some(None),
            Some(tree) => self.boolean(tree).map(|expr| Some(Box::new(expr))),
        }
    }

    /// An expression that means a set; a single value stands for the set of it.
    pub(super) fn set(&mut self, tree: &Tree, want: Option<&Ty>) -> Option<Expr> {
        let sites = Ty::Site.set();
        let want = want.or_else(|| self.is_kind(tree).then_some(&sites));
        let expr = self.expr(tree, want)?;
        self.as_set(expr, tree.span)
    }

    /// An expression as the set that it means.
    pub(super) fn as_set(&mut self, expr: Expr, span: Span) -> Option<Expr> {
        match &expr.ty {
            Ty::Set(_) => Some(expr),
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Int => {
                Some(expr.singleton())
            }
            ty @ (Ty::Bool | Ty::Move) => {
                let message = format!("expected a set, found {}", self.type_text(ty));
                self.report(
                    Report::new(Code::WrongType, span, message).help("a set is `{a, b}`, a range `1..6`, a region, …"),
                );
                None
            }
        }
    }

    /// Whether this is the bare name of a kind. Where any set will do it stands
    /// for the sites with such pieces, as the name of a class does.
    pub(super) fn is_kind(&self, tree: &Tree) -> bool {
        let TreeKind::Name(name) = &tree.kind else {
            return false;
        };
        let first = self.scope.entries(name).first();
        self.scope.local(name).is_none()
            && first.is_some_and(|entry| matches!(entry.symbol, Symbol::Const(Ty::Kind, _)))
    }

    /// Makes a value of one type fit another: a single value where a set is wanted.
    pub(super) fn fit(&mut self, expr: Expr, want: &Ty, span: Span) -> Option<Expr> {
        let found = &expr.ty;
        if found == want {
            return Some(expr);
        }
        if let Ty::Set(inner) = want
            && inner.as_ref() == found
            && *found != Ty::Bool
        {
            return Some(expr.singleton());
        }
        let message = format!("expected {}, found {}", self.type_text(want), self.type_text(found));
        let mut report = Report::new(Code::WrongType, span, message);
        report = match (want, found) {
            (Ty::Site, Ty::Set(inner)) if **inner == Ty::Site => {
                report.help("a set may have no sites or several; loop over it: `for s in …` or `any s in …: …`")
            }
            (Ty::Seat, Ty::Set(inner)) if **inner == Ty::Seat => {
                report.help("a set may have no seats or several; loop over it: `for p in …` or `any p in …: …`")
            }
            (Ty::Set(_), Ty::Bool) => report.help("a truth value is no set; `==` compares two of them"),
            (Ty::Site | Ty::Set(_), Ty::Way) => report.help("the way ends at `….to` and takes `….taken`"),
            (Ty::Set(a), Ty::Set(b)) if **a == Ty::Way && **b == Ty::Site || **a == Ty::Site && **b == Ty::Way => {
                report.help(
                    "a path that takes yields ways, other paths yield sites; choose from each in an action of its own",
                )
            }
            (Ty::Bool, Ty::Set(_)) => report.help("write `some …` or `no …` to test whether a set has members"),
            (Ty::Bool, Ty::Int) => report.help("compare the number, such as `… > 0`"),
            (Ty::Int, Ty::Set(_)) => report.help("`count(…)` is the number of members of a set"),
            _ => report.help(
                super::instead::instead(&self.game, want, found)
                    .unwrap_or_else(|| format!("write {} here", self.type_text(want))),
            ),
        };
        self.report(report);
        None
    }

    fn unary(&mut self, op: UnOp, inner: &Tree) -> Option<Expr> {
        match op {
            UnOp::Not => Some(self.boolean(inner)?.negated()),
            UnOp::No | UnOp::Some => {
                let set = self.set(inner, Some(&Ty::Site.set()))?;
                let empty = Expr::bool(ExprKind::IsEmpty(Box::new(set)));
                Some(if op == UnOp::No { empty } else { empty.negated() })
            }
            UnOp::Neg => Some(Expr::new(ExprKind::Neg(Box::new(self.typed(inner, &Ty::Int)?)), Ty::Int)),
        }
    }

    fn binary(&mut self, op: BinOp, a: &Tree, b: &Tree, want: Option<&Ty>, span: Span) -> Option<Expr> {
        match op {
            BinOp::Or | BinOp::And => {
                let (left, right) = (self.boolean(a), self.boolean(b));
                let (left, right) = (Box::new(left?), Box::new(right?));
                Some(Expr::bool(if op == BinOp::Or { ExprKind::Or(left, right) } else { ExprKind::And(left, right) }))
            }
            BinOp::Eq | BinOp::Ne => {
                let (left, right) = self.pair(a, b)?;
                let ty = if right.ty == left.ty.clone().set() { right.ty.clone() } else { left.ty.clone() };
                let left = self.fit(left, &ty, a.span)?;
                let right = self.fit(right, &ty, b.span)?;
                let same = Expr::bool(ExprKind::Same(Box::new(left), Box::new(right)));
                Some(if op == BinOp::Eq { same } else { same.negated() })
            }
            BinOp::Lt => self.compare(Order::Lt, a, b),
            BinOp::Le => self.compare(Order::Le, a, b),
            BinOp::Gt => self.compare(Order::Gt, a, b),
            BinOp::Ge => self.compare(Order::Ge, a, b),
            BinOp::In => {
                // The member may tell what the names of the set mean.
                let hint = if let TreeKind::Name(name) = &a.kind {
                    let variable = || match self.scope.entries(name) {
                        [Entry { symbol: Symbol::Var(number), .. }] => self.game.vars.get(*number),
                        _ => None,
                    };
                    let ty = self.scope.local(name).map(|local| local.ty.clone());
                    let ty = ty.or_else(|| variable().map(|variable| variable.ty.clone()));
                    ty.or_else(|| self.only_enum(name)).map(Ty::set)
                } else {
                    None
                };
                // What is called is looked at once, unless it means something else there.
                let called = matches!(a.kind, TreeKind::Field(..) | TreeKind::Call(..));
                let member = called.then(|| self.expr(a, None));
                let hint = hint.or_else(|| member.as_ref()?.as_ref().map(|member| member.ty.clone().set()));
                let set = self.set(b, hint.as_ref())?;
                let member = match member {
                    Some(None) => return None,
                    Some(Some(member)) if member.ty == *set.ty.element() => member,
                    Some(Some(_)) | None => self.typed(a, set.ty.element())?,
                };
                Some(Expr::bool(ExprKind::Member(Box::new(member), Box::new(set))))
            }
            BinOp::Within | BinOp::Meets => {
                let (left, right) = self.pair(a, b)?;
                let ty = left.ty.element().clone().set();
                let left = Box::new(self.fit(left, &ty, a.span)?);
                let right = Box::new(self.fit(right, &ty, b.span)?);
                Some(Expr::bool(if op == BinOp::Within {
                    ExprKind::Within(left, right)
                } else {
                    ExprKind::Meets(left, right)
                }))
            }
            BinOp::Union | BinOp::Intersect => {
                self.algebra(if op == BinOp::Union { SetOp::Union } else { SetOp::Intersect }, a, b, want)
            }
            BinOp::Range => self.range(a, b, span),
            // What these names mean is no number.
            BinOp::Sub if self.is_kind(a) || self.is_several(a) => self.algebra(SetOp::Minus, a, b, want),
            BinOp::Sub => {
                let left = self.expr(a, want)?;
                if left.ty == Ty::Int {
                    let right = self.typed(b, &Ty::Int)?;
                    return Some(Expr::calc(IntOp::Sub, left, right));
                }
                let left = self.as_set(left, a.span)?;
                self.combined(SetOp::Minus, (left, a.span), b)
            }
            BinOp::Add | BinOp::Mul => {
                let op = if op == BinOp::Add { IntOp::Add } else { IntOp::Mul };
                let (left, right) = (self.typed(a, &Ty::Int), self.typed(b, &Ty::Int));
                Some(Expr::calc(op, left?, right?))
            }
            BinOp::Div | BinOp::Mod => {
                let left = self.typed(a, &Ty::Int)?;
                let right = self.typed(b, &Ty::Int)?;
                if !Dependencies::of(&self.game, &right).slots.is_empty() {
                    let message = "the divisor must be known before play begins";
                    let help = "divide by a constant; for a few values use a table of quotients";
                    self.report(Report::new(Code::NotConstant, b.span, message).help(help));
                    return None;
                }
                let divisor = self.constant(&right, b.span)?.int();
                if divisor <= 0 {
                    let message = format!("the divisor is {divisor}; it must be greater than 0");
                    self.report(Report::new(Code::OutOfRange, b.span, message).help("divide by a positive constant"));
                    return None;
                }
                let op = if op == BinOp::Div { IntOp::Div } else { IntOp::Mod };
                Some(Expr::calc(op, left, Expr::int(divisor)))
            }
        }
    }

    fn compare(&mut self, order: Order, a: &Tree, b: &Tree) -> Option<Expr> {
        let (left, right) = (self.typed(a, &Ty::Int), self.typed(b, &Ty::Int));
        Some(Expr::bool(ExprKind::Compare(order, Box::new(left?), Box::new(right?))))
    }

    /// Two sides of one type: a bare name takes its meaning from the other side.
    pub(super) fn pair(&mut self, a: &Tree, b: &Tree) -> Option<(Expr, Expr)> {
        let vague = |tree: &Tree| {
            if let TreeKind::Set(members) = &tree.kind {
                return members.iter().all(|m| matches!(m.kind, TreeKind::Name(_)));
            }
            matches!(&tree.kind, TreeKind::Name(name) if self.scope.local(name).is_none())
        };
        let decided = self.is_several(b) && !self.is_several(a);
        if !decided && vague(a) && (!vague(b) || self.is_kind(a) && !self.is_kind(b)) {
            let right = self.expr(b, None)?;
            // Beside sites the name of a kind stands for where it stands.
            let sites = Ty::Site.set();
            let want = if right.ty == Ty::Site && self.is_kind(a) { &sites } else { &right.ty };
            let left = self.expr(a, Some(want))?;
            return Some((left, right));
        }
        if !decided && vague(a) && vague(b) {
            // Of two names, one may mean several things: try the plainer first.
            if let TreeKind::Name(name) = &a.kind
                && self.scope.entries(name).len() > 1
            {
                let right = self.expr(b, None)?;
                let left = self.expr(a, Some(&right.ty))?;
                return Some((left, right));
            }
        }
        if self.is_several(a) && !self.is_several(b) {
            let right = self.expr(b, None)?;
            let left = self.expr(a, Some(&right.ty))?;
            return Some((left, right));
        }
        let left = self.expr(a, None)?;
        let right = self.expr(b, Some(&left.ty))?;
        Some((left, right))
    }
}
