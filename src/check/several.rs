//! Names with several meanings, as members of different enums and readings may have; and names that must have one.

use std::collections::BTreeMap;

use crate::base::Span;
use crate::ir::Ty;
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::expr::{BinOp, Expr as Tree, ExprKind as TreeKind};

use super::checker::Checker;
use super::scope::Symbol;

/// Whether what is wanted leaves open of which enum a name is a member.
pub(super) fn undecided(want: Option<&Ty>) -> bool {
    want.is_none_or(|want| !matches!(want.element(), Ty::Enum(_)))
}

impl Checker<'_> {
    /// Whether all that an expression is made of could be values of several types, so that what stands beside it decides.
    pub(super) fn is_several(&self, tree: &Tree) -> bool {
        let both = |a: &Tree, b: &Tree| self.is_several(a) && self.is_several(b);
        if let TreeKind::Name(name) = &tree.kind {
            self.scope.local(name).is_none() && self.types_of(name).nth(1).is_some()
        } else if let TreeKind::Set(members) = &tree.kind {
            !members.is_empty() && members.iter().all(|member| self.is_several(member))
        } else if let TreeKind::Binary(BinOp::Union | BinOp::Intersect | BinOp::Sub, a, b) | TreeKind::If(_, a, b) =
            &tree.kind
        {
            both(a, b)
        } else {
            false
        }
    }

    /// Which of several values that are of one type says first which type that is; none if there are no values.
    pub(super) fn leading<'t>(
        &self,
        mut trees: impl Iterator<Item = &'t Tree> + Clone,
        want: Option<&Ty>,
    ) -> Option<usize> {
        trees.clone().next()?;
        let decides = |tree: &Tree| !self.is_several(tree);
        if undecided(want) { trees.position(decides).or(Some(0)) } else { Some(0) }
    }

    /// The type that all of these names are values of, where the first could be a value of several.
    pub(super) fn shared_type<'n>(&self, mut names: impl Iterator<Item = &'n str> + Clone) -> Option<Ty> {
        let first = names.next()?;
        self.types_of(first).nth(1)?;
        let mut types = self.types_of(first);
        types.find(|ty| names.clone().all(|name| self.types_of(name).any(|other| other == *ty))).cloned()
    }

    /// The type that all of several names of one type are values of, where what is wanted does not say it.
    pub(super) fn shared_by<'t>(&self, trees: impl Iterator<Item = &'t Tree> + Clone, want: Option<&Ty>) -> Option<Ty> {
        let names = trees.map(|tree| if let TreeKind::Name(name) = &tree.kind { name } else { "" });
        if undecided(want) { self.shared_type(names) } else { None }
    }

    /// Reports names of one list that are not told apart: of the second, nothing could be read.
    pub(super) fn apart(&mut self, names: impl Iterator<Item = Ident>) {
        let mut before: BTreeMap<String, Span> = BTreeMap::new();
        for name in names {
            match before.get(&name.node) {
                Some(first) => {
                    let report = Report::new(Code::Duplicate, name.span, format!("`{}` is declared twice", name.node));
                    self.report(report.also(*first, "first here").help("choose another name, or remove one"));
                }
                None => drop(before.insert(name.node, name.span)),
            }
        }
    }

    /// The enum that a name is a member of, if of one alone.
    pub(super) fn only_enum(&self, name: &str) -> Option<Ty> {
        let mut types = self.types_of(name);
        let ty = types.next().filter(|ty| matches!(ty, Ty::Enum(_)))?;
        types.next().is_none().then(|| ty.clone())
    }

    /// The types that a name of the file is a value of.
    fn types_of(&self, name: &str) -> impl Iterator<Item = &Ty> {
        let own = self.scope.entries(name).iter().filter(|entry| entry.span.is_some());
        own.filter_map(|entry| if let Symbol::Const(ty, _) = &entry.symbol { Some(ty) } else { None })
    }
}
