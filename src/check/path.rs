//! Paths.

use crate::ir::{Path, RuleKind, Slot, Test, Ty};
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Path as Tree, PathKind, SiteTest};

use super::checker::{Checker, Form};
use super::scope::Symbol;

/// The path that is declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<'n> {
    /// Its name.
    pub name: &'n str,
    /// What differs from walker to walker: `here` and `taken`.
    pub stand: [Slot; 2],
}

impl Checker<'_> {
    /// A path; `here`, `start` and `taken` are bound.
    pub(super) fn path(&mut self, tree: &Tree, walk: Walk<'_>) -> Option<Path> {
        let path = match &tree.kind {
            PathKind::Step { heading, to } => {
                Path::Step { heading: self.heading(heading.as_ref())?, to: self.test(to, walk)? }
            }
            PathKind::Slide { heading, limit, through } => {
                let heading = self.heading(heading.as_ref())?;
                let limit = match limit {
                    Some(limit) => Some(self.typed(limit, &Ty::Int)?),
                    None => None,
                };
                let alone = limit.as_ref().is_some_and(|limit| limit.mentions(&walk.stand));
                by_walker(alone, Path::Slide { heading, limit, through: self.test(through, walk)? })
            }
            PathKind::Hop { heading, over, taking, to } => Path::Hop {
                heading: self.heading(heading.as_ref())?,
                over: self.test(over, walk)?,
                taking: taking.as_ref().map(|cites| self.rule(RuleKind::Path, walk.name, tree.span, cites)),
                to: self.test(to, walk)?,
            },
            PathKind::Along(direction, set, body) => {
                let set = self.typed(set, &Ty::Dir.set())?;
                let cut = self.scope.mark();
                let slot = self.bind_ident(direction, Ty::Dir);
                let body = self.path(body, walk);
                self.scope.cut(cut);
                by_walker(set.mentions(&walk.stand), Path::Along(slot, set, Box::new(body?)))
            }
            PathKind::Take => Path::Take,
            PathKind::Test(condition) => {
                let condition = self.boolean(condition)?;
                let rule = self.rule(RuleKind::Path, walk.name, tree.span, &tree.cites);
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
                let args = self.arguments(callee, args, &defined.params)?;
                by_walker(args.iter().any(|arg| arg.mentions(&walk.stand)), Path::Call(number, args))
            }
            PathKind::Then(parts) => Path::Then(self.parts(parts, walk)?),
            PathKind::Or(parts) => Path::Or(self.parts(parts, walk)?),
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
                Path::Repeat { body: Box::new(self.path(body, walk)?), least: *least, most: *most, fully: *fully }
            }
        };
        if tree.cites.is_empty() {
            return Some(path);
        }
        let rule = self.rule(RuleKind::Path, walk.name, tree.span, &tree.cites);
        Some(Path::Cited(rule, Box::new(path)))
    }

    fn parts(&mut self, parts: &[Tree], walk: Walk<'_>) -> Option<Vec<Path>> {
        let parts: Vec<Option<Path>> = parts.iter().map(|part| self.path(part, walk)).collect();
        parts.into_iter().collect()
    }

    fn heading(&mut self, heading: Option<&crate::syntax::ast::expr::Expr>) -> Option<Option<crate::ir::Expr>> {
        match heading {
            None => Some(None),
            Some(heading) => self.typed(heading, &Ty::Dir.set()).map(Some),
        }
    }

    fn test(&mut self, test: &SiteTest, walk: Walk<'_>) -> Option<Test> {
        let set = self.typed(&test.set, &Ty::Site.set())?;
        let rule = self.rule(RuleKind::Path, walk.name, test.set.span, &test.cites);
        Some(Test { set, rule })
    }
}

/// An element that looks at where each walker stands before anyone walks is followed by each of them alone.
fn by_walker(alone: bool, path: Path) -> Path {
    if alone { Path::Each(Box::new(path)) } else { path }
}
