//! Statements that put, move and change pieces, tokens and variables.

use crate::base::Span;
use crate::ir::{
    ActionRef, Expr, ExprKind, IntOp, PieceExpr, PieceLocation, PieceSelection, Place, SetOp, StmtKind, Ty, ZoneForm,
};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr as Tree, Whose};
use crate::syntax::ast::stmt::{AssignOp, PieceSelection as SelectionTree, PieceSpec, TokenSpec};

use super::checker::Checker;
use super::scope::Symbol;

impl Checker<'_> {
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
        Some(Place { tokens, owner: self.sole_owner(&spec.whose)? })
    }

    pub(super) fn assign(&mut self, name: &Ident, indices: &[Tree], op: AssignOp, value: &Tree) -> Option<StmtKind> {
        // To be set is not to be used.
        let symbol = if self.scope.local(&name.node).is_none() {
            self.meaning(&name.node, name.span, None)
        } else {
            self.lookup(&name.node, name.span, None)
        };
        self.uses.written(&name.node);
        let number = match symbol {
            Some(Symbol::Var(number)) if self.scope.local(&name.node).is_none() => number,
            _ => {
                if self.scope.local(&name.node).is_some() || !self.scope.entries(&name.node).is_empty() {
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

    /// `move top N of Z to …`
    pub(super) fn move_packet(
        &mut self,
        selection: &SelectionTree,
        from: &Tree,
        to: &Tree,
        under: bool,
    ) -> Option<StmtKind> {
        let count = |checker: &mut Self, n: &Option<Tree>| match n {
            Some(n) => checker.typed(n, &Ty::Int),
            None => Some(Expr::int(1)),
        };
        let selection = match selection {
            SelectionTree::Top(n) => PieceSelection::Top(count(self, n)?),
            SelectionTree::Bottom(n) => PieceSelection::Bottom(count(self, n)?),
            SelectionTree::All => PieceSelection::All,
        };
        let from = PieceLocation::Zone(self.zone_needed(from)?);
        Some(StmtKind::MovePieces { selection, from, to: self.location(to)?, under })
    }

    /// `move A to B`, `move c from Z to B`
    pub(super) fn move_any(&mut self, what: &Tree, from: Option<&Tree>, to: &Tree, under: bool) -> Option<StmtKind> {
        let sites = Ty::Site.set();
        if let Some(from) = from {
            let pieces = self.expr(what, None)?;
            let pieces = self.fit(pieces, &Ty::Piece.set(), what.span)?;
            let from = PieceLocation::Zone(self.zone_needed(from)?);
            return Some(StmtKind::MovePieces {
                selection: PieceSelection::These(pieces),
                from,
                to: self.location(to)?,
                under,
            });
        }
        if self.zone_named(what)?.is_some() {
            let message = "it is not clear which pieces of the zone move";
            let help = "write `move top of …`, `move top 3 of …`, `move all of …` or `move c from …`";
            self.report(Report::new(Code::WrongType, what.span, message).help(help));
            return None;
        }
        let from = self.expr(what, Some(&sites))?;
        if from.ty.element() == &Ty::Piece {
            let message = format!("`move` takes sites here, and this is {}", self.type_text(&from.ty));
            let help = "say which zone the pieces come from: `move c from ZONE to …`";
            self.report(Report::new(Code::WrongType, what.span, message).help(help));
            return None;
        }
        let from = self.fit(from, &sites, what.span)?;
        match self.location(to)? {
            PieceLocation::Sites(_) if under => {
                let message = "a site holds one piece, so nothing can be put under it";
                self.report(Report::new(Code::WrongType, to.span, message).help("write `to`, or name a zone"));
                None
            }
            PieceLocation::Sites(to) => Some(StmtKind::Move(from, to)),
            to @ PieceLocation::Zone(_) => Some(StmtKind::MovePieces {
                selection: PieceSelection::All,
                from: PieceLocation::Sites(from),
                to,
                under,
            }),
        }
    }

    /// `shuffle Z`
    pub(super) fn shuffle(&mut self, tree: &Tree) -> Option<StmtKind> {
        let zone = self.zone_needed(tree)?;
        if self.game.zones[zone.zone].form == ZoneForm::Set {
            let message = "an unordered zone cannot be shuffled";
            self.report(Report::new(Code::WrongType, tree.span, message).help("declare it as a `pile` or a `row`"));
            return None;
        }
        Some(StmtKind::Shuffle(zone))
    }

    /// `put N own stone on …`
    pub(super) fn put(&mut self, amount: Option<&Tree>, spec: &PieceSpec, on: &Tree) -> Option<StmtKind> {
        let sites = Ty::Site.set();
        if self.scope.local(&spec.name.node).is_none()
            && let Some(Symbol::Tokens(_)) = self.lookup(&spec.name.node, spec.name.span, None)
        {
            let place = self.token_place(&TokenSpec { whose: spec.whose.clone(), name: spec.name.clone() })?;
            let amount = match amount {
                Some(amount) => self.typed(amount, &Ty::Int)?,
                None => Expr::int(1),
            };
            return Some(StmtKind::PutTokens(place, amount, self.typed(on, &sites)?));
        }
        let zone = self.zone_named(on)?;
        if let (Some(amount), None) = (amount, &zone) {
            let message = "a site holds one piece; only tokens and zones take a number";
            self.report(
                Report::new(Code::WrongType, amount.span, message).help("remove the number, or declare `tokens`"),
            );
            return None;
        }
        if let Some(arg) = spec.args.first() {
            let message = format!("`{}` takes no arguments here", spec.name.node);
            self.report(
                Report::new(Code::WrongCount, arg.span, message)
                    .help("name the kind, or a local name that holds one; set fields with `with field = …`"),
            );
            return None;
        }
        let kind = self.kind_value(&spec.name);
        if kind.is_none() && zone.is_none() {
            // The place may be wrong as well.
            self.typed(on, &sites);
        }
        let kind = kind?;
        let owner = self.sole_owner(&spec.whose)?;
        if let ExprKind::Const(value) = &kind.kind
            && let Some(info) = self.game.kinds.nth(value.atom())
        {
            let needs = info.owned;
            let has = !matches!(spec.whose, Whose::Anyone);
            if needs != has {
                let (message, help) = if needs {
                    (format!("it is not clear whose `{}` this is", info.name), "write `own …` or `… of SEAT`")
                } else {
                    (format!("`{}` has no owner", info.name), "remove the owner, or declare the piece `owned`")
                };
                self.report(Report::new(Code::WrongType, spec.name.span, message).help(help));
                return None;
            }
        }
        if matches!(spec.whose, Whose::Enemy) {
            let message = "`enemy` does not say whose piece this is";
            self.report(Report::new(Code::WrongType, spec.name.span, message).help("write `… of SEAT`"));
            return None;
        }
        let fields = self.field_values(&spec.fields, Some(&kind))?;
        let piece = PieceExpr { kind, owner, fields };
        let Some(zone) = zone else {
            return Some(StmtKind::Put(piece, self.typed(on, &sites)?));
        };
        let amount = match amount {
            Some(amount) => self.typed(amount, &Ty::Int)?,
            None => Expr::int(1),
        };
        Some(StmtKind::PutIn(piece, amount, zone))
    }

    /// `together S play a | b`
    pub(super) fn together(&mut self, seats: &Tree, groups: &[Vec<Ident>]) -> Option<StmtKind> {
        let seats = self.typed(seats, &Ty::Seat.set())?;
        let groups: Option<Vec<Vec<ActionRef>>> = groups.iter().map(|group| self.action_group(group)).collect();
        Some(StmtKind::Together { seats, groups: groups? })
    }
}
