//! Paths.

use crate::ir::{Path, RuleKind, Test, Ty};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Path as Tree, PathKind, SiteTest};

use super::checker::{Checker, Form};
use super::scope::Symbol;

impl Checker<'_> {
    /// A path in the item called `name`; `here`, `start` and `taken` are bound.
    pub(super) fn path(&mut self, tree: &Tree, name: &str) -> Option<Path> {
        let path = match &tree.kind {
            PathKind::Step { heading, to } => {
                Path::Step { heading: self.heading(heading.as_ref())?, to: self.test(to, name)? }
            }
            PathKind::Slide { heading, limit, through } => Path::Slide {
                heading: self.heading(heading.as_ref())?,
                limit: match limit {
                    Some(limit) => Some(self.typed(limit, &Ty::Int)?),
                    None => None,
                },
                through: self.test(through, name)?,
            },
            PathKind::Hop { heading, over, taking, to } => Path::Hop {
                heading: self.heading(heading.as_ref())?,
                over: self.test(over, name)?,
                taking: taking.as_ref().map(|cites| self.rule(RuleKind::Path, name, tree.span, cites)),
                to: self.test(to, name)?,
            },
            PathKind::Along(direction, set, body) => {
                let set = self.typed(set, &Ty::Dir.set())?;
                let cut = self.scope.mark();
                let slot = self.bind_ident(direction, Ty::Dir);
                let body = self.path(body, name);
                self.scope.cut(cut);
                Path::Along(slot, set, Box::new(body?))
            }
            PathKind::Take => Path::Take,
            PathKind::Test(condition) => {
                let condition = self.boolean(condition)?;
                let rule = self.rule(RuleKind::Path, name, tree.span, &tree.cites);
                return Some(Path::If(condition, rule));
            }
            PathKind::Call(callee, args) => {
                let Some(Symbol::Function(item)) = self.lookup(&callee.node, callee.span, None) else {
                    self.unknown(&callee.node, callee.span, "path");
                    return None;
                };
                let defined = self.defined(item)?;
                let Form::Path(number) = defined.form else {
                    let message = format!("`{}` is not a path", callee.node);
                    self.report(Report::new(Code::WrongType, callee.span, message).help("declare it with `path`"));
                    return None;
                };
                Path::Call(number, self.arguments(callee, args, &defined.params)?)
            }
            PathKind::Then(parts) => Path::Then(self.parts(parts, name)?),
            PathKind::Or(parts) => Path::Or(self.parts(parts, name)?),
            PathKind::Repeat { body, least, most, fully } => {
                if most.is_some_and(|most| most < *least) {
                    let message = "the lower bound of this repetition is above its upper bound";
                    self.report(
                        Report::new(Code::OutOfRange, tree.span, message).help("write the smaller number first"),
                    );
                    return None;
                }
                if *fully && most.is_some() {
                    // Whether a walk goes on would depend on how often it may, not on the board alone.
                    let message = "`fully` leaves out walks that could go on, and this repetition has an end";
                    let help = "write `(…)+ fully` or `(…)* fully`, or leave out `fully`";
                    self.report(Report::new(Code::Misplaced, tree.span, message).help(help));
                    return None;
                }
                Path::Repeat { body: Box::new(self.path(body, name)?), least: *least, most: *most, fully: *fully }
            }
        };
        if tree.cites.is_empty() {
            return Some(path);
        }
        let rule = self.rule(RuleKind::Path, name, tree.span, &tree.cites);
        Some(Path::Cited(rule, Box::new(path)))
    }

    fn parts(&mut self, parts: &[Tree], name: &str) -> Option<Vec<Path>> {
        let parts: Vec<Option<Path>> = parts.iter().map(|part| self.path(part, name)).collect();
        parts.into_iter().collect()
    }

    fn heading(&mut self, heading: Option<&crate::syntax::ast::expr::Expr>) -> Option<Option<crate::ir::Expr>> {
        match heading {
            None => Some(None),
            Some(heading) => self.typed(heading, &Ty::Dir.set()).map(Some),
        }
    }

    fn test(&mut self, test: &SiteTest, name: &str) -> Option<Test> {
        let set = self.typed(&test.set, &Ty::Site.set())?;
        let rule = self.rule(RuleKind::Path, name, test.set.span, &test.cites);
        Some(Test { set, rule })
    }
}
