//! `occurrences of …`: the parts of a position that are counted by themselves.

use crate::base::Bits;
use crate::ir::{Expr, ExprKind, Part, Ty, Value};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{BinOp, Expr as Tree, ExprKind as TreeKind, Whose};

use super::checker::Checker;
use super::scope::Symbol;

impl Checker<'_> {
    /// How often a part has stood.
    pub(super) fn occurrences_of(&mut self, name: &Ident, whose: &Whose) -> Option<Expr> {
        let Whose::Of(what) = whose else {
            self.unknown(&name.node, name.span, "piece");
            return None;
        };
        self.note_built_in(name.span, "int");
        let mut part = Part::default();
        self.part(what, &mut part)?;
        self.game.remembers = true;
        let known = self.game.parts.numbered().find(|(_, known)| **known == part).map(|(number, _)| number);
        let number = known.unwrap_or_else(|| self.game.parts.push(part));
        Some(Expr::new(ExprKind::OccurrencesOf(number), Ty::Int))
    }

    fn part(&mut self, tree: &Tree, part: &mut Part) -> Option<()> {
        if let TreeKind::Binary(BinOp::Union, one, other) = &tree.kind {
            self.part(one, part)?;
            return self.part(other, part);
        }
        if let TreeKind::Name(name) = &tree.kind
            && self.scope.local(name).is_none()
        {
            match self.lookup(name, tree.span, Some(&Ty::Site.set())) {
                Some(Symbol::Var(number)) => {
                    part.vars.push(number);
                    return Some(());
                }
                Some(Symbol::Zone(number)) => {
                    part.zones.push(number);
                    return Some(());
                }
                None if name == "mover" => {
                    part.mover = true;
                    return Some(());
                }
                None if name == "board" => {
                    self.note_built_in(tree.span, "all boards, as a part of a position");
                    part.sites = Bits::all(self.game.topology.sites.len());
                    return Some(());
                }
                None => {
                    let message = format!("`{name}` is no part of a position that can be counted");
                    let help = "name `board`, a set of sites, a zone, a variable, `mover`, or several: \
                                `occurrences of (board | mover)`";
                    self.report(Report::new(Code::UnknownName, tree.span, message).help(help));
                    return None;
                }
                Some(_) => {}
            }
        }
        if let TreeKind::Call(name, _) = &tree.kind
            && let Some(Symbol::Var(_) | Symbol::Zone(_)) = self.lookup(&name.node, name.span, None)
        {
            let message = format!("`{}` is counted as a whole, not one place of it", name.node);
            let help = format!("write `{}`, or keep what should be counted in a variable of its own", name.node);
            self.report(Report::new(Code::Misplaced, tree.span, message).help(help));
            return None;
        }
        let sites = self.typed(tree, &Ty::Site.set())?;
        if let Value::Set(sites) = self.constant(&sites, tree.span)? {
            part.sites.unite(&sites);
        }
        Some(())
    }
}
