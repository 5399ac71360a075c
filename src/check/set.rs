//! Expressions that are sets, and what runs over sets.

use crate::base::Span;
use crate::ir::{Binder, BinderSet, Expr, Fold, SetOp, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Binder as BinderTree, Expr as Tree, Fold as FoldTree, Over};

use super::expr::Typed;
use super::scope::Checker;

impl Checker<'_> {
    pub(super) fn algebra(&mut self, op: SetOp, a: &Tree, b: &Tree, want: Option<&Ty>) -> Typed {
        let (left, left_ty) = self.set(a, want)?;
        if left_ty == Ty::Piece.set() && op != SetOp::Union {
            let message = "lists of pieces can only be joined with `|`";
            let help = "select some of them with a filter: `{c in hand(me) where …}`";
            self.report(Report::new(Code::WrongType, a.span, message).help(help));
            return None;
        }
        let (right, right_ty) = self.set(b, Some(&left_ty))?;
        let right = self.fit(right, &right_ty, &left_ty, b.span)?;
        Some((Expr::Set(op, Box::new(left), Box::new(right)), left_ty))
    }

    /// Numbers from one to another, or the rectangle of sites between two corners.
    pub(super) fn range(&mut self, a: &Tree, b: &Tree, span: Span) -> Typed {
        let (left, ty) = self.expr(a, None)?;
        if ty != Ty::Site {
            let left = self.fit(left, &ty, &Ty::Int, a.span)?;
            let right = self.typed(b, &Ty::Int)?;
            return Some((Expr::Range(Box::new(left), Box::new(right)), Ty::Int.set()));
        }
        let right = self.typed(b, &Ty::Site)?;
        let (left, right) = (self.constant(&left, a.span)?.atom(), self.constant(&right, b.span)?.atom());
        let sites = &self.game.topology.sites;
        let (one, two) = (&sites[left], &sites[right]);
        let square = |board: u16| {
            let form = self.game.topology.boards.get(usize::from(board)).map(|board| board.form);
            form == Some(crate::ir::BoardForm::Square)
        };
        if one.board != two.board || !square(one.board) {
            let message = "a rectangle of sites needs two corners on one square board";
            self.report(
                Report::new(Code::WrongType, span, message).help("list the sites, or use `{s in sites where …}`"),
            );
            return None;
        }
        let between = |n: i32, x: i32, y: i32| x.min(y) <= n && n <= x.max(y);
        let inside = sites.iter().enumerate().filter(|(_, site)| {
            site.board == one.board && between(site.at.0, one.at.0, two.at.0) && between(site.at.1, one.at.1, two.at.1)
        });
        let set = inside.map(|(number, _)| number).collect();
        Some((Expr::Const(Value::Set(set)), Ty::Site.set()))
    }

    pub(super) fn set_literal(&mut self, members: &[Tree], want: Option<&Ty>, span: Span) -> Typed {
        let mut ty = match want {
            Some(Ty::Set(inner)) => Some(inner.as_ref().clone()),
            Some(other) => Some(other.clone()),
            None => None,
        };
        let Some(first) = members.first() else {
            let Some(ty) = ty else {
                self.report(
                    Report::new(Code::WrongType, span, "the element type of this empty set is unknown")
                        .help("use it where the type is known, or test for emptiness with `no …`"),
                );
                return None;
            };
            let empty = if ty == Ty::Int { Value::Ints(Vec::new()) } else { Value::Set(crate::base::Bits::new()) };
            return Some((Expr::Const(empty), ty.set()));
        };
        let (expr, found) = self.expr(first, ty.as_ref())?;
        // `{a1..c3, e5}` is the union of its parts.
        let parts = matches!(found, Ty::Set(_));
        let inner = element(&found);
        if ty.as_ref() != Some(&inner) {
            ty = Some(inner.clone());
        }
        let ty = ty.unwrap_or(inner);
        if !(ty.is_atom() || ty == Ty::Int) {
            let message = format!("a set cannot contain {}", self.type_text(&ty));
            self.report(
                Report::new(Code::WrongType, first.span, message)
                    .help("list sites, seats, directions, kinds, numbers or enum values"),
            );
            return None;
        }
        let mut singles = Vec::new();
        let mut whole: Option<Expr> = None;
        let join = |whole: &mut Option<Expr>, part: Expr| {
            *whole = Some(match whole.take() {
                None => part,
                Some(so_far) => Expr::Set(SetOp::Union, Box::new(so_far), Box::new(part)),
            });
        };
        if parts {
            join(&mut whole, expr);
        } else {
            singles.push(expr);
        }
        for member in &members[1..] {
            let (expr, found) = self.expr(member, Some(&ty))?;
            if found == ty.clone().set() {
                join(&mut whole, expr);
            } else {
                singles.push(self.fit(expr, &found, &ty, member.span)?);
            }
        }
        if !singles.is_empty() {
            join(&mut whole, Expr::List(ty.clone(), singles));
        }
        Some((whole?, ty.set()))
    }

    pub(super) fn aggregate(
        &mut self,
        fold: FoldTree,
        body: &Tree,
        binders: &[BinderTree],
        filter: Option<&Tree>,
        want: Option<&Ty>,
    ) -> Typed {
        let binders = self.binders(binders)?;
        let filter = self.optional_bool(filter)?;
        let (body, ty) = match fold {
            FoldTree::Sum | FoldTree::Max | FoldTree::Min => (self.typed(body, &Ty::Int)?, Ty::Int),
            FoldTree::Union => self.set(body, want)?,
        };
        let fold = match fold {
            FoldTree::Sum => Fold::Sum,
            FoldTree::Max => Fold::Max,
            FoldTree::Min => Fold::Min,
            FoldTree::Union => Fold::Union,
        };
        Some((Expr::Aggregate { fold, body: Box::new(body), binders, filter }, ty))
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
        match over {
            Over::Members => {
                let (set, ty) = self.set(set, None)?;
                Some((BinderSet::Members(set), element(&ty)))
            }
            Over::Pieces => {
                let want = Ty::Site.set();
                let (expr, ty) = self.expr(set, Some(&want))?;
                let expr = self.fit(expr, &ty, &want, set.span)?;
                Some((BinderSet::PiecesAt(expr), Ty::Piece))
            }
        }
    }
}

/// The type of a set's members.
pub(super) fn element(ty: &Ty) -> Ty {
    match ty {
        Ty::Set(inner) => inner.as_ref().clone(),
        other => other.clone(),
    }
}
