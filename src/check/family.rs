//! Rules of kinds: `define goals of knight(f: site) = …`, `procedure effect of swim { … }`. All of one
//! name are put together to what that name alone means.

use std::sync::Arc;

use crate::base::Span;
use crate::ir::{Attribute, Expr, ExprKind, Owner, RuleId, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{BinOp, Expr as Tree, ExprKind as TreeKind};
use crate::syntax::ast::item::{Given, Item, ItemKind, OF};
use crate::syntax::ast::stmt::{Block, Stmt, StmtKind};
use crate::syntax::ast::{Ident, Param, TypeName, of_kind};

use super::checker::{Checker, Defined, Form};
use super::scope::Symbol;

/// The items, and behind them one for each name whose rules are given kind by kind.
pub(super) fn families(items: &[Arc<Item>]) -> Vec<Arc<Item>> {
    let mut all = items.to_vec();
    let mut found: Vec<Ident> = Vec::new();
    for item in items {
        let (ItemKind::Define(name, _) | ItemKind::Procedure(name, ..)) = &item.kind else { continue };
        let Some((family, _)) = of_kind(name) else { continue };
        if !found.contains(&family) {
            found.push(family.clone());
            all.push(Arc::new(family_of(items, item, family)));
        }
    }
    all
}

/// What the rules of kinds come to that have a common name.
fn family_of(items: &[Arc<Item>], first: &Item, family: Ident) -> Item {
    let kind_of = |name: &Ident| of_kind(name).filter(|(of, _)| *of == family).map(|(_, kind)| kind);
    // Kinds go before their class, and all of them before `piece`.
    let class = |kind: &str| match kind {
        "piece" => 2,
        _ => u8::from(items.iter().any(|item| matches!(&item.kind, ItemKind::Kinds { name, .. } if name.node == kind))),
    };
    let mut members: Vec<(&Item, &Ident, Ident)> = Vec::new();
    for item in items {
        if let ItemKind::Define(name, _) | ItemKind::Procedure(name, ..) = &item.kind
            && let Some(kind) = kind_of(name)
        {
            members.push((item, name, kind));
        }
    }
    members.sort_by_key(|(_, _, kind)| class(&kind.node));
    let kind = if let ItemKind::Procedure(_, params, _) = &first.kind {
        let params = if params.is_empty() { vec![unnamed(family.span)] } else { params.clone() };
        let mut body = None;
        for (member, name, kind) in members.iter().rev() {
            body = Some(branch(member, name, kind, &params, body));
        }
        ItemKind::Procedure(family, params, Block { stmts: body.into_iter().collect() })
    } else {
        ItemKind::Define(family, Given::ByKind(members.iter().map(|(_, name, _)| (*name).clone()).collect()))
    };
    Item { kind, cites: Vec::new(), span: first.span }
}

/// The kind that is asked for where the rules of kinds have no parameters.
fn unnamed(span: Span) -> Param {
    Param { name: Ident::new(String::new(), span), ty: TypeName::Named(Ident::new("kind".to_owned(), span)) }
}

/// The rule of a kind if it is that kind, else the others.
fn branch(member: &Item, name: &Ident, kind: &Ident, params: &[Param], otherwise: Option<Stmt>) -> Stmt {
    let span = name.span;
    let tree = |kind| Tree { kind, span };
    let named = |name: &str| tree(TreeKind::Name(name.to_owned()));
    let asked = params.first().map_or("", |param| param.name.node.as_str());
    let ty = params.first().map(|param| &param.ty);
    let is = |word: &str| matches!(ty, Some(TypeName::Named(ty)) if ty.node == word);
    let its = || Tree { kind: TreeKind::Name(kind.node.clone()), span: kind.span };
    let kinds = || tree(TreeKind::Call(Ident::new("kinds".to_owned(), span), vec![its()]));
    let (what, among) = if is("site") {
        (named(asked), its())
    } else if is("piece") {
        let attribute = Ident::new("kind".to_owned(), span);
        (tree(TreeKind::Field(Box::new(named(asked)), attribute)), kinds())
    } else {
        (named(asked), kinds())
    };
    let test = tree(TreeKind::Binary(BinOp::In, Box::new(what), Box::new(among)));
    let bare = matches!(&member.kind, ItemKind::Procedure(_, own, _) if own.is_empty());
    let given = if bare { Vec::new() } else { params.iter().map(|param| named(&param.name.node)).collect() };
    let stmt = |kind| Stmt { kind, title: None, cites: Vec::new(), span };
    let call = Block { stmts: vec![stmt(StmtKind::Call(name.clone(), given))] };
    let otherwise = otherwise.map(|other| Block { stmts: vec![other] });
    stmt(StmtKind::If(test, call, otherwise))
}

impl Checker<'_> {
    /// A definition whose rules are given kind by kind; its first argument says which.
    pub(super) fn define_by_kind(&mut self, name: &Ident, members: &[Ident], rule: RuleId) -> Option<Defined> {
        let mut rules = Vec::new();
        for member in members {
            let Some(Symbol::Function(item)) = self.lookup(&member.node, member.span, None) else { continue };
            let defined = self.defined(item)?;
            let (_, kind) = of_kind(member)?;
            let kinds = self.kind_set(&kind)?;
            rules.push((member, defined, kinds));
        }
        let (first, defined, _) = rules.first()?;
        let mut types = defined.params.clone();
        if let Some((other, ..)) = rules.iter().find(|(_, other, _)| other.params != types) {
            let message = format!("`{}` has other parameters than `{}`", other.node, first.node);
            let report = Report::new(Code::WrongType, other.span, message);
            self.report(report.help("give the rules of all kinds the same parameters"));
            return None;
        }
        let bare = types.is_empty();
        if bare {
            types.push(Ty::Kind);
        }
        let by = types.first().filter(|ty| matches!(ty, Ty::Site | Ty::Piece | Ty::Kind)).cloned();
        let Some(by) = by else {
            let message = format!("the first parameter of `{}` does not tell which kind is meant", first.node);
            let help = "make it a site, a piece or a kind, or leave the parameters out";
            self.report(Report::new(Code::WrongType, first.span, message).help(help));
            return None;
        };
        // One rule may give a member where another gives a set.
        let single = defined.result.clone();
        let set = rules.iter().map(|(_, other, _)| &other.result).find(|ty| **ty == single.clone().set());
        let result = set.cloned().unwrap_or(single);
        // Names that no expression can use.
        let slots: Vec<_> = types.iter().map(|ty| self.bind("", ty.clone())).collect();
        let given: Vec<Expr> =
            slots.iter().zip(&types).map(|(slot, ty)| Expr::new(ExprKind::Slot(*slot), ty.clone())).collect();
        let mut branches = Vec::new();
        for (member, defined, kinds) in rules {
            let Form::Function(function) = defined.form else { return None };
            let args = if bare { Vec::new() } else { given.clone() };
            let call = Expr::new(ExprKind::Call(function, args), defined.result);
            branches.push((kinds, self.fit(call, &result, member.span)?));
        }
        let asked = given.first()?.clone();
        let mut body = match &result {
            Ty::Int => Expr::int(0),
            Ty::Bool => Expr::constant(Value::Bool(false), Ty::Bool),
            Ty::Set(_) => Expr::new(ExprKind::List(Vec::new()), result.clone()),
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Move => {
                let (kinds, call) = branches.pop()?;
                let all =
                    matches!(&kinds.kind, ExprKind::Const(Value::Set(set)) if set.count() == self.game.kinds.len());
                if by == Ty::Site || !all {
                    let (what, cure) = if by == Ty::Site {
                        let cure = "make the first parameter a kind or a piece, which is always there";
                        (
                            "a site where no piece stands",
                            format!("{cure}, with a rule `define {}{OF}piece …`", name.node),
                        )
                    } else {
                        ("other kinds", format!("add `define {}{OF}piece …`", name.node))
                    };
                    let message = format!("`{}` has no value for {what}", name.node);
                    self.report(Report::new(Code::MissingItem, name.span, message).help(cure));
                    return None;
                }
                call
            }
        };
        for (kinds, call) in branches.into_iter().rev() {
            let (asked, kinds) = if by == Ty::Site {
                (asked.clone(), Expr::sites(ExprKind::Pieces(Owner::Anyone, Box::new(kinds))))
            } else if by == Ty::Piece {
                (Expr::new(ExprKind::Attr(Attribute::PieceKind, Box::new(asked.clone())), Ty::Kind), kinds)
            } else {
                (asked.clone(), kinds)
            };
            let test = Box::new(Expr::bool(ExprKind::Member(Box::new(asked), Box::new(kinds))));
            body = Expr::new(ExprKind::If(test, Box::new(call), Box::new(body)), result.clone());
        }
        Some(self.add_function(name, slots, types, body, rule))
    }
}
