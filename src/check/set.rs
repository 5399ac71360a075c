//! Set expressions, and binders over sets.

use crate::base::Span;
use crate::ir::{Binder, BinderSet, Board, BoardForm, Expr, ExprKind, Fold, Function, SetOp, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{
    BinOp, Binder as BinderTree, Expr as Tree, ExprKind as TreeKind, Fold as FoldTree, Over,
};

use super::checker::Checker;
use super::several::undecided;

impl Checker<'_> {
    pub(super) fn algebra(&mut self, op: SetOp, a: &Tree, b: &Tree, want: Option<&Ty>) -> Option<Expr> {
        if undecided(want) && self.is_several(a) && !self.is_several(b) {
            let right = self.set(b, None)?;
            let left = self.set(a, Some(&right.ty))?;
            let left = self.fit(left, &right.ty, a.span)?;
            return Some(Expr::algebra(op, left, right));
        }
        let left = self.set(a, want)?;
        self.combined(op, (left, a.span), b)
    }

    /// A set, checked already, with another one.
    pub(super) fn combined(&mut self, op: SetOp, (left, span): (Expr, Span), b: &Tree) -> Option<Expr> {
        if left.ty == Ty::Piece.set() && op != SetOp::Union {
            let message = "lists of pieces can only be joined with `|`";
            let help = "select some of them with a filter: `{c in hand(me) where …}`";
            self.report(Report::new(Code::WrongType, span, message).help(help));
            return None;
        }
        let right = self.set(b, Some(&left.ty))?;
        let right = self.fit(right, &left.ty, b.span)?;
        Some(Expr::algebra(op, left, right))
    }

    /// Numbers from one to another, or the rectangle of sites between two corners.
    pub(super) fn range(&mut self, a: &Tree, b: &Tree, span: Span) -> Option<Expr> {
        let left = self.expr(a, None)?;
        if left.ty != Ty::Site {
            let left = self.fit(left, &Ty::Int, a.span)?;
            let right = self.typed(b, &Ty::Int)?;
            return Some(Expr::new(ExprKind::Range(Box::new(left), Box::new(right)), Ty::Int.set()));
        }
        let right = self.typed(b, &Ty::Site)?;
        let rectangle = Expr::sites(ExprKind::Builtin(Function::Rectangle, vec![left, right]));
        let known = self.is_known(&rectangle);
        // Of one square board both corners belong to their rectangle; else there is none.
        let set = if known {
            let sites = self.fold(&rectangle, span)?.into_set();
            (!sites.is_empty()).then(|| Expr::sites(ExprKind::Const(Value::Set(sites))))
        } else {
            let square = |board: &Board| board.form == BoardForm::Square;
            self.game.topology.boards.iter().any(square).then_some(rectangle)
        };
        if set.is_none() {
            let message = "a rectangle of sites needs two corners on one square board";
            self.report(
                Report::new(Code::WrongType, span, message).help("list the sites, or use `{s in sites where …}`"),
            );
        }
        set
    }

    pub(super) fn set_literal(&mut self, members: &[Tree], want: Option<&Ty>, span: Span) -> Option<Expr> {
        let want = want.map(Ty::element);
        let Some(lead) = self.leading(members.iter(), want) else {
            let Some(ty) = want else {
                self.report(
                    Report::new(Code::WrongType, span, "the element type of this empty set is unknown")
                        .help("use it where the type is known, or test for emptiness with `no …`"),
                );
                return None;
            };
            let empty = if *ty == Ty::Int { Value::Ints(Vec::new()) } else { Value::Set(crate::base::Bits::new()) };
            return Some(Expr::constant(empty, ty.clone().set()));
        };
        let shared = self.shared_by(members.iter(), want);
        let decisive = &members[lead];
        let expr = self.expr(decisive, shared.as_ref().or(want).map(|want| want.clone().set()).as_ref())?;
        let ty = expr.ty.element().clone();
        if !(ty.is_atom() || ty == Ty::Int) {
            let message = format!("a set cannot contain {}", self.type_text(&ty));
            self.report(Report::new(Code::WrongType, decisive.span, message).help(if ty == Ty::Bool {
                "a choice between two is one between the values of an enum: `enum answer = yes, no`"
            } else {
                "list sites, seats, directions, kinds, numbers or enum values"
            }));
            return None;
        }
        // `{a1..c3, e5}` is the union of its parts.
        let of = ty.clone().set();
        let (mut whole, mut singles) = (Vec::new(), Vec::new());
        let mut add = |member: Expr| if member.ty == of { whole.push(member) } else { singles.push(member) };
        add(expr);
        for (_, member) in members.iter().enumerate().filter(|(number, _)| *number != lead) {
            let expr = self.expr(member, Some(&of))?;
            add(if expr.ty == of { expr } else { self.fit(expr, &ty, member.span)? });
        }
        if !singles.is_empty() {
            whole.push(Expr::new(ExprKind::List(singles), of));
        }
        whole.into_iter().reduce(|so_far, part| Expr::algebra(SetOp::Union, so_far, part))
    }

    pub(super) fn aggregate(
        &mut self,
        fold: FoldTree,
        body: &Tree,
        binders: &[BinderTree],
        filter: Option<&Tree>,
        want: Option<&Ty>,
    ) -> Option<Expr> {
        let binders = self.binders(binders)?;
        let filter = self.optional_bool(filter)?;
        let body = match fold {
            FoldTree::Sum | FoldTree::Max | FoldTree::Min => self.typed(body, &Ty::Int)?,
            FoldTree::Union => self.set(body, want)?,
        };
        let fold = match fold {
            FoldTree::Sum => Fold::Sum,
            FoldTree::Max => Fold::Max,
            FoldTree::Min => Fold::Min,
            FoldTree::Union => Fold::Union,
        };
        let ty = body.ty.clone();
        Some(Expr::new(ExprKind::Aggregate { fold, body: Box::new(body), binders, filter }, ty))
    }

    pub(super) fn binders(&mut self, trees: &[BinderTree]) -> Option<Vec<Binder>> {
        let mut binders = Vec::new();
        for tree in trees {
            let (over, ty) = self.binder_set(tree.over, &tree.set)?;
            let slot = self.bind_ident(&tree.name, ty);
            binders.push(Binder { slot, over });
        }
        Some(binders)
    }

    /// What a binder or loop runs over, and the type of its name.
    pub(super) fn binder_set(&mut self, over: Over, set: &Tree) -> Option<(BinderSet, Ty)> {
        if let TreeKind::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne, first, _) =
            &set.kind
        {
            // An aggregate extends as far as it can.
            let help = "what follows belongs to the set: put what is compared in parentheses, as in \
                        `(max f(n) for n in S) >= k` or `(sum …) == k`";
            return self.misplaced(first.span.to(set.span), "a name cannot run over a comparison", help);
        }
        match over {
            Over::Members => {
                let set = self.set(set, None)?;
                let ty = set.ty.element().clone();
                Some((BinderSet::Members(set), ty))
            }
            Over::Pieces => Some((BinderSet::PiecesAt(self.typed(set, &Ty::Site.set())?), Ty::Piece)),
        }
    }
}
