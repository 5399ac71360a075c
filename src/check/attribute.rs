//! Attributes of sites, seats, pieces, kinds, ways and table rows.

use crate::base::SaturatingFrom;
use crate::ir::{Attribute, Expr, ExprKind, Order, TableId, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{Expr as Tree, ExprKind as TreeKind};

use super::checker::Checker;
use super::scope::{Symbol, TableInfo};

/// What other languages call the number of members.
const COUNTED: [&str; 4] = ["count", "size", "length", "len"];

impl Checker<'_> {
    /// `x.attribute`.
    pub(super) fn field(&mut self, tree: &Tree, name: &Ident) -> Option<Expr> {
        let of = tree;
        if let TreeKind::Call(table, args) = &of.kind
            && let Some(Symbol::Table(info)) = self.lookup(&table.node, table.span, None)
        {
            self.note_attribute(&table.node, name, |_| {
                info.columns.iter().map(|(column, ..)| column.clone()).collect()
            });
            let key = self.arguments(table, args, std::slice::from_ref(&info.key))?.into_iter().next()?;
            let Some((_, ty, column)) = info.columns.iter().find(|(column, _, _)| *column == name.node).cloned() else {
                let near = crate::base::nearest(&name.node, info.columns.iter().map(|(column, _, _)| column.as_str()));
                let message = format!("the table `{}` has no column `{}`", table.node, name.node);
                self.report(
                    Report::new(Code::UnknownName, name.span, message).help("name one of its columns").suggest(near),
                );
                return None;
            };
            return Some(self.look_up(&table.node, &info, key, column, &ty));
        }
        // The name of a kind is a set of sites elsewhere; before a dot it is the kind.
        let of = self.expr(of, Some(&Ty::Kind))?;
        let ty = of.ty.clone();
        self.note_attribute("", name, |checker| checker.attribute_names(&ty));
        let known = match &ty {
            Ty::Site => self.site_attribute(&name.node),
            Ty::Seat => (name.node == "number").then(|| {
                let numbers = (1..=i64::saturating_from(self.game.seats.len())).collect();
                (Attribute::SiteInt(numbers), Ty::Int)
            }),
            Ty::Piece => self.piece_attribute(&name.node),
            Ty::Kind => self.kind_attribute(&name.node),
            Ty::Way => match name.node.as_str() {
                "to" => Some((Attribute::WayTo, Ty::Site)),
                "taken" => Some((Attribute::WayTaken, Ty::Site.set())),
                _ => None,
            },
            Ty::Int | Ty::Bool | Ty::Dir | Ty::Enum(_) | Ty::Move | Ty::Set(_) => None,
        };
        if let Some((attribute, result)) = known {
            self.uses.attribute(&name.node);
            if let (Attribute::PieceField(..), Some((column, of_kind))) = (&attribute, self.kind_attribute(&name.node))
            {
                return self.field_or_column(of, name, (attribute, result), (column, of_kind));
            }
            // An attribute of a kind asked of a piece goes through its kind.
            let of = match (&attribute, &ty) {
                (Attribute::KindValue(_), Ty::Piece) => {
                    Expr::new(ExprKind::Attr(Attribute::PieceKind, Box::new(of)), Ty::Kind)
                }
                _ => of,
            };
            return Some(Expr::new(ExprKind::Attr(attribute, Box::new(of)), result));
        }
        let names = self.attribute_names(&ty);
        let near = crate::base::nearest(&name.node, names.iter().map(String::as_str));
        let message = format!("{} has no attribute `{}`", self.type_text(&ty), name.node);
        let many = matches!(ty, Ty::Set(_));
        let help = if many && COUNTED.contains(&name.node.as_str()) {
            "`count(…)` is the number of members of a set".to_owned()
        } else if *ty.element() == Ty::Piece && many && self.piece_attribute(&name.node).is_some() {
            format!("bind the pieces of the set: `any x in …: x.{}`, `sum … for x in …`", name.node)
        } else if *ty.element() == Ty::Site && self.piece_attribute(&name.node).is_some() {
            let site = if let TreeKind::Name(site) = &tree.kind { site } else { "…" };
            format!("bind the piece on the site: `any x at {site}: x.{}`, `sum … for x at {site}`", name.node)
        } else if names.is_empty() {
            "sites, seats, pieces, kinds, ways and table rows have attributes".to_owned()
        } else {
            format!("it has {}", names.join(", "))
        };
        self.report(Report::new(Code::UnknownName, name.span, message).help(help).suggest(near));
        None
    }

    /// What is a field of some kinds of piece and a column of others: of each piece what its kind has.
    fn field_or_column(
        &mut self,
        of: Expr,
        name: &Ident,
        (field, ty): (Attribute, Ty),
        (column, of_kind): (Attribute, Ty),
    ) -> Option<Expr> {
        if ty != of_kind {
            let (ty, of_kind) = (self.type_text(&ty), self.type_text(&of_kind));
            let message = format!("`{}` is {ty} as a field of pieces, and {of_kind} as a column of kinds", name.node);
            self.report(Report::new(Code::WrongType, name.span, message).help("give one of them another name"));
            return None;
        }
        let has = self.game.kinds.iter().map(|kind| kind.fields.iter().any(|field| field.name == name.node));
        let has = Attribute::KindValue(has.map(Value::Bool).collect());
        Some(self.applied(&name.node, false, of, move |_, piece| {
            let attr = |attribute, of: Expr, ty: &Ty| Expr::new(ExprKind::Attr(attribute, Box::new(of)), ty.clone());
            let kind = || attr(Attribute::PieceKind, piece.clone(), &Ty::Kind);
            let condition = attr(has, kind(), &Ty::Bool);
            let (yes, no) = (attr(field, piece.clone(), &ty), attr(column, kind(), &ty));
            Expr::new(ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), ty.clone())
        }))
    }

    /// The value of a table's column for a key. A number that has no row of its
    /// own takes the nearest row below, or the first. Each row looks at the key, so that a key that is worked out at
    /// length becomes the parameter of a definition.
    pub(super) fn look_up(&mut self, name: &str, table: &TableInfo, key: Expr, column: TableId, ty: &Ty) -> Expr {
        if table.key != Ty::Int {
            return Expr::new(ExprKind::Lookup(column, vec![key]), ty.clone());
        }
        if is_short(&key) {
            return self.nearest_row(table, &key, column, ty);
        }
        self.applied(name, false, key, |checker, key| checker.nearest_row(table, &key, column, ty))
    }

    fn nearest_row(&self, table: &TableInfo, key: &Expr, column: TableId, ty: &Ty) -> Expr {
        let lookup = &self.game.lookups[column];
        // A row that cites clauses is looked up, so that it is seen which one was read.
        let value = |row: usize| match lookup.rows.get(row) {
            Some(Some(_)) => {
                let row = Expr::constant(Value::atom_of(row), Ty::Int);
                Expr::new(ExprKind::Lookup(column, vec![row]), ty.clone())
            }
            Some(None) | None => Expr::constant(lookup.values.get(row).cloned().unwrap_or_default(), ty.clone()),
        };
        let mut expr = value(0);
        for (row, number) in table.numbers.iter().enumerate().skip(1) {
            let number = Box::new(Expr::int(*number));
            let at_least = Expr::bool(ExprKind::Compare(Order::Ge, Box::new(key.clone()), number));
            let kind = ExprKind::If(Box::new(at_least), Box::new(value(row)), Box::new(expr));
            expr = Expr::new(kind, ty.clone());
        }
        expr
    }

    fn site_attribute(&self, name: &str) -> Option<(Attribute, Ty)> {
        let sites = &self.game.topology.sites;
        let ints = |value: fn(&crate::ir::Site) -> i32| {
            Some((Attribute::SiteInt(sites.iter().map(|s| i64::from(value(s))).collect()), Ty::Int))
        };
        match name {
            "column" | "q" => ints(|site| site.at.0),
            "row" | "r" => ints(|site| site.at.1),
            "s" => ints(|site| -site.at.0 - site.at.1),
            "number" => ints(|site| site.number),
            "seat" => {
                let seat = |site: &crate::ir::Site| Value::Set(site.seat.iter().map(|&s| usize::from(s)).collect());
                Some((Attribute::SiteSeat(sites.iter().map(seat).collect()), Ty::Seat.set()))
            }
            _ => None,
        }
    }

    fn piece_attribute(&self, name: &str) -> Option<(Attribute, Ty)> {
        match name {
            "kind" => return Some((Attribute::PieceKind, Ty::Kind)),
            "owner" => return Some((Attribute::PieceOwner, Ty::Seat.set())),
            _ => {}
        }
        let field = self.game.kinds.iter().flat_map(|kind| &kind.fields).find(|field| field.name == name);
        if let Some(field) = field {
            return Some((Attribute::PieceField(name.to_owned(), field.ty.clone()), field.ty.clone()));
        }
        self.kind_attribute(name)
    }

    fn kind_attribute(&self, name: &str) -> Option<(Attribute, Ty)> {
        let ty = self.scope.column(name)?;
        let missing = match ty {
            Ty::Int => Value::Int(0),
            Ty::Bool => Value::Bool(false),
            Ty::Set(_) => Value::Set(crate::base::Bits::new()),
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Move => Value::Atom(0),
        };
        let of = |kind: &crate::ir::Kind| {
            let found = kind.attributes.iter().find(|(column, _)| column == name);
            found.map_or_else(|| missing.clone(), |(_, value)| value.clone())
        };
        Some((Attribute::KindValue(self.game.kinds.iter().map(of).collect()), ty.clone()))
    }

    fn attribute_names(&self, ty: &Ty) -> Vec<String> {
        let columns = || self.scope.columns().map(str::to_owned);
        let fixed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        match ty {
            Ty::Site => fixed(&["column", "row", "q", "r", "s", "number", "seat"]),
            Ty::Seat => fixed(&["number"]),
            Ty::Piece => {
                let mut names = fixed(&["kind", "owner"]);
                // Several kinds may have a field of the same name.
                for field in self.game.kinds.iter().flat_map(|kind| &kind.fields) {
                    if !names.contains(&field.name) {
                        names.push(field.name.clone());
                    }
                }
                names.extend(columns());
                names
            }
            Ty::Kind => columns().collect(),
            Ty::Way => fixed(&["to", "taken"]),
            Ty::Int | Ty::Bool | Ty::Dir | Ty::Enum(_) | Ty::Move | Ty::Set(_) => Vec::new(),
        }
    }
}

/// Whether an expression has few parts and no inner ones, so that it may be repeated.
fn is_short(expr: &Expr) -> bool {
    let (mut count, mut deep) = (0, false);
    expr.children(&mut |part, _| {
        count += 1;
        part.children(&mut |_, _| deep = true);
    });
    count <= 2 && !deep
}
