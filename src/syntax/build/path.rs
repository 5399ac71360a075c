//! Paths.
//!
//! **Invariant:** `or` and `then` with a single part leave no trace in the tree.

use super::{Builder, Built, Children, has};
use crate::syntax::ast::expr::{Expr, Path, PathKind, SiteTest};
use crate::syntax::grammar::{PathRule, Rule};
use pest::iterators::Pair;

impl Builder {
    /// A path.
    pub(super) fn path(&mut self, pair: Pair<'_, Rule>) -> Option<Path> {
        let span = self.span(&pair);
        self.deeper(span, |builder| builder.joined(pair, Rule::path_seq, PathKind::Or))
    }

    /// Parts joined by an operator; a single part is returned as it is.
    fn joined(&mut self, pair: Pair<'_, Rule>, part: Rule, join: fn(Vec<Path>) -> PathKind) -> Option<Path> {
        let mut children = self.children(pair);
        let parts = children.all(part).into_iter().map(|pair| {
            if part == Rule::path_seq { self.joined(pair, Rule::path_rep, PathKind::Then) } else { self.repeated(pair) }
        });
        let mut parts: Vec<Path> = parts.collect::<Option<_>>()?;
        if parts.len() > 1 {
            return Some(Path { kind: join(parts), cites: Vec::new(), span: children.span });
        }
        let only = parts.pop();
        self.presume(&children, "a part", only)
    }

    /// A path element with its repetition and clauses.
    fn repeated(&mut self, pair: Pair<'_, Rule>) -> Option<Path> {
        let mut children = self.children(pair);
        let span = children.span;
        let atom = self.need(&mut children, Rule::path_atom)?;
        let mut path = self.atom(atom)?;
        let times = children.opt(Rule::repetition);
        let fully = children.opt(Rule::fully).is_some();
        if times.is_some() || fully {
            let (least, most) = times.map_or(Some((1, Some(1))), |times| self.times(times))?;
            path =
                Path { kind: PathKind::Repeat { body: Box::new(path), least, most, fully }, cites: Vec::new(), span };
        }
        let cites = self.cites(&mut children);
        if !cites.is_empty() {
            path.cites.extend(cites);
            path.span = span;
        }
        Some(path)
    }

    /// `*`, `+`, `?`, `{n}` or `{n..m}` as minimum and maximum.
    fn times(&mut self, pair: Pair<'_, Rule>) -> Option<(u32, Option<u32>)> {
        if has(&pair, Rule::star_op) {
            return Some((0, None));
        }
        if has(&pair, Rule::plus_op) {
            return Some((1, None));
        }
        if has(&pair, Rule::opt_op) {
            return Some((0, Some(1)));
        }
        let mut children = self.children(pair);
        let least = self.counting(&mut children)?.node;
        let most = self.maybe_counting(&mut children)?;
        Some((least, Some(most.map_or(least, |number| number.node))))
    }

    fn atom(&mut self, pair: Pair<'_, Rule>) -> Option<Path> {
        let span = self.span(&pair);
        let inner = self.only(pair)?;
        let mut children = self.children(inner.clone());
        let known = PathRule::of(children.rule);
        let kind = match self.presume(&children, "a known path", known)? {
            PathRule::Path => return self.path(inner),
            PathRule::Step => {
                PathKind::Step { heading: self.heading(&mut children)?, to: self.site_test(&mut children)? }
            }
            PathRule::Slide => {
                let heading = self.heading(&mut children)?;
                let limit = self.maybe(&mut children, Rule::operand)?;
                PathKind::Slide { heading, limit, through: self.site_test(&mut children)? }
            }
            PathRule::Hop => {
                let heading = self.heading(&mut children)?;
                let over = self.site_test(&mut children)?;
                let taking = children.opt(Rule::taking).map(|pair| {
                    let mut children = self.children(pair);
                    self.cites(&mut children)
                });
                PathKind::Hop { heading, over, taking, to: self.site_test(&mut children)? }
            }
            PathRule::Along => {
                let name = self.name(&mut children)?;
                let set = self.needed(&mut children, Rule::along_set)?;
                let body = self.need(&mut children, Rule::path)?;
                PathKind::Along(name, set, Box::new(self.path(body)?))
            }
            PathRule::Take => PathKind::Take,
            PathRule::Test => PathKind::Test(self.needed(&mut children, Rule::expr)?),
            PathRule::PathCall => PathKind::Call(self.name(&mut children)?, self.args(&mut children)?),
        };
        Some(Path { kind, cites: Vec::new(), span })
    }

    fn heading(&mut self, children: &mut Children<'_>) -> Built<Option<Expr>> {
        match children.opt(Rule::heading) {
            Some(pair) => {
                let mut children = self.children(pair);
                self.needed(&mut children, Rule::site_set).map(Some)
            }
            None => Some(None),
        }
    }

    fn site_test(&mut self, children: &mut Children<'_>) -> Option<SiteTest> {
        let pair = self.need(children, Rule::site_test)?;
        let mut children = self.children(pair);
        Some(SiteTest { set: self.needed(&mut children, Rule::site_set)?, cites: self.cites(&mut children) })
    }
}
