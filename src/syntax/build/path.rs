//! Paths.
//!
//! **Invariant:** `or` and `then` with a single part leave no trace in the tree.

use super::{Builder, Built, Kids, has};
use crate::syntax::ast::expr::{Expr, Path, PathKind, SiteTest};
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

impl Builder {
    /// A path.
    pub(super) fn path(&mut self, pair: Pair<'_, Rule>) -> Option<Path> {
        let span = self.span(&pair);
        self.deeper(span, |builder| builder.joined(pair, Rule::path_seq, PathKind::Or))
    }

    /// Parts that stand side by side; a single one stands for itself.
    fn joined(&mut self, pair: Pair<'_, Rule>, part: Rule, join: fn(Vec<Path>) -> PathKind) -> Option<Path> {
        let mut kids = self.kids(pair);
        let parts = kids.all(part).into_iter().map(|pair| match part {
            Rule::path_seq => self.joined(pair, Rule::path_rep, PathKind::Then),
            _ => self.repeated(pair),
        });
        let mut parts: Vec<Path> = parts.collect::<Option<_>>()?;
        if parts.len() > 1 {
            return Some(Path { kind: join(parts), cites: Vec::new(), span: kids.span });
        }
        let only = parts.pop();
        self.presume(&kids, "a part", only)
    }

    /// A part with its repetition and clauses.
    fn repeated(&mut self, pair: Pair<'_, Rule>) -> Option<Path> {
        let mut kids = self.kids(pair);
        let span = kids.span;
        let atom = self.need(&mut kids, Rule::path_atom)?;
        let mut path = self.atom(atom)?;
        let times = kids.opt(Rule::repetition);
        let fully = kids.opt(Rule::fully).is_some();
        if times.is_some() || fully {
            let (least, most) = times.map_or(Some((1, Some(1))), |times| self.times(times))?;
            path =
                Path { kind: PathKind::Repeat { body: Box::new(path), least, most, fully }, cites: Vec::new(), span };
        }
        let cites = self.cites(&mut kids);
        if !cites.is_empty() {
            path.cites.extend(cites);
            path.span = span;
        }
        Some(path)
    }

    /// `*`, `+`, `?`, `{n}` or `{n..m}` as least and most.
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
        let mut kids = self.kids(pair);
        let least = self.counting(&mut kids)?.node;
        let most = self.maybe_counting(&mut kids)?;
        Some((least, Some(most.map_or(least, |number| number.node))))
    }

    fn atom(&mut self, pair: Pair<'_, Rule>) -> Option<Path> {
        let span = self.span(&pair);
        let inner = self.only(pair)?;
        let rule = inner.as_rule();
        if rule == Rule::path {
            return self.path(inner);
        }
        let mut kids = self.kids(inner);
        let kind = match rule {
            Rule::step_path => PathKind::Step { heading: self.heading(&mut kids)?, to: self.site_test(&mut kids)? },
            Rule::slide_path => {
                let heading = self.heading(&mut kids)?;
                let limit = self.maybe(&mut kids, Rule::operand)?;
                PathKind::Slide { heading, limit, through: self.site_test(&mut kids)? }
            }
            Rule::hop_path => {
                let heading = self.heading(&mut kids)?;
                let over = self.site_test(&mut kids)?;
                let taking = kids.opt(Rule::taking).map(|pair| {
                    let mut kids = self.kids(pair);
                    self.cites(&mut kids)
                });
                PathKind::Hop { heading, over, taking, to: self.site_test(&mut kids)? }
            }
            Rule::along_path => {
                let name = self.name(&mut kids)?;
                let set = self.needed(&mut kids, Rule::along_set)?;
                let body = self.need(&mut kids, Rule::path)?;
                PathKind::Along(name, set, Box::new(self.path(body)?))
            }
            Rule::take_path => PathKind::Take,
            Rule::test_path => PathKind::Test(self.needed(&mut kids, Rule::expr)?),
            Rule::path_call => PathKind::Call(self.name(&mut kids)?, self.args(&mut kids)?),
            _ => return self.presume(&kids, "a known path", None),
        };
        Some(Path { kind, cites: Vec::new(), span })
    }

    fn heading(&mut self, kids: &mut Kids<'_>) -> Built<Option<Expr>> {
        match kids.opt(Rule::heading) {
            Some(pair) => {
                let mut kids = self.kids(pair);
                self.needed(&mut kids, Rule::site_set).map(Some)
            }
            None => Some(None),
        }
    }

    fn site_test(&mut self, kids: &mut Kids<'_>) -> Option<SiteTest> {
        let pair = self.need(kids, Rule::site_test)?;
        let mut kids = self.kids(pair);
        Some(SiteTest { set: self.needed(&mut kids, Rule::site_set)?, cites: self.cites(&mut kids) })
    }
}
