//! Why no path leads to a site: the fewest tests, directions and lengths without which one would.
//!
//! A part of a path is relaxed, alone or with others, and the path followed again. Where that leads to the site, the tests
//! that were needed are looked at where they failed.

use super::Eval;
use super::because::Because;
use super::relaxed::{Hurdle, Relaxed, relaxed};
use crate::base::Bits;
use crate::ir::{Expr, ExprKind, Path, PathDef, PathId, RuleId, SetOp, Test, Ty, Value};
use crate::model::{Part, Reason, Told};

/// On how many sites a test may fail for the fewest of them to be looked for.
const MANY: usize = 24;

/// A path that an expression follows, and what is in the way.
#[derive(Default)]
struct Walk<'a> {
    hurdles: Vec<Hurdle>,
    /// The rules that define it.
    paths: Vec<RuleId>,
    heading: Option<&'a Expr>,
    limit: Option<&'a Expr>,
    tests: Vec<(RuleId, &'a Expr)>,
}

impl<'a> Walk<'a> {
    /// Adds what a path asks that this one calls: what it was given stands for its parameters.
    fn join(&mut self, called: Walk<'a>, def: &PathDef, args: &'a [Expr]) {
        let heads = self.heading.is_some();
        let limited = self.limit.is_some();
        self.hurdles.extend(called.hurdles.into_iter().filter(|hurdle| match hurdle {
            Hurdle::Test(_) => true,
            Hurdle::Heading => !heads,
            Hurdle::Limit => !limited,
        }));
        self.paths.extend(called.paths);
        let heading = called.heading.map(|heading| argument(heading, def, args));
        self.heading = self.heading.or(heading);
        self.limit = self.limit.or(called.limit.map(|limit| argument(limit, def, args)));
        self.tests.extend(called.tests.into_iter().map(|(rule, set)| (rule, argument(set, def, args))));
    }
}

/// A path with its start and arguments, as it is used.
struct Use<'a> {
    path: PathId,
    from: &'a Expr,
    args: &'a [Expr],
}

impl Eval<'_> {
    /// Why a path does not lead to a value.
    pub(super) fn off_path(&mut self, path: PathId, from: &Expr, args: &[Expr], value: &Value) -> Option<Because> {
        let game = self.game;
        let def = game.paths.get(path)?;
        let used = Use { path, from, args };
        let mut walk = Walk::default();
        self.collect(&def.body, &mut walk);
        walk.paths.push(def.rule);
        let alone: Vec<Hurdle> =
            walk.hurdles.iter().copied().filter(|hurdle| self.leads_without(&[*hurdle], &used, value)).collect();
        let needed = if !alone.is_empty() {
            alone
        } else if walk.hurdles.len() > 1 && self.leads_without(&walk.hurdles.clone(), &used, value) {
            self.fewest(&walk.hurdles, &used, value)
        } else {
            let found = self.ends(&used, value).map(|(from, to)| Reason::Unreachable { from, to, paths: vec![path] });
            let rules = walk.paths.into_iter().filter(|rule| self.cites(*rule)).collect();
            return Some(Because { found, rules, tests: Because::NEVER, path: true });
        };
        let alone = self.leads_without(&needed[..1], &used, value);
        let mut because: Option<Because> = None;
        for hurdle in &needed {
            let mut one = self.at_hurdle(*hurdle, &needed, &walk, def, &used, value);
            if one.found.is_none() {
                let paths = vec![path];
                one.found = self.ends(&used, value).map(|(from, to)| match hurdle {
                    Hurdle::Heading => Reason::Unreachable { from, to, paths },
                    Hurdle::Test(_) | Hurdle::Limit => Reason::Blocked { from, to, paths },
                });
            }
            if one.rules.is_empty() {
                one.rules = walk.paths.iter().copied().filter(|rule| self.cites(*rule)).collect();
            }
            because = Some(match because {
                None => one,
                // Any of them would do: one is told.
                Some(first) if alone => Because { found: first.found.clone(), ..first.and(one) },
                Some(first) => first.and(one),
            });
        }
        let tests = if alone { 1 } else { needed.len() };
        because.map(|because| Because { tests, path: true, ..because })
    }

    /// Why both of two paths do not lead to a site, if one after the other would.
    pub(super) fn joined(&mut self, a: &Expr, b: &Expr, value: &Value) -> Option<Because> {
        let (ExprKind::Path(one, from, with), ExprKind::Path(other, again, args)) = (&a.kind, &b.kind) else {
            return None;
        };
        let (first, second) = (Use { path: *one, from, args: with }, Use { path: *other, from: again, args });
        let (from, to) = self.ends(&first, value)?;
        if self.ends(&second, value)? != (from, to) {
            return None;
        }
        for (before, after) in [(&first, &second), (&second, &first)] {
            let between = self.followed(before, &Bits::one(from)).into_set();
            self.held = Some(from);
            let there = self.followed(after, &between).members().contains(value);
            self.held = None;
            if there {
                let found = Some(Reason::Joined { from, to, paths: [before.path, after.path] });
                return Some(Because { found, tests: 1, ..Because::default() });
            }
        }
        None
    }

    fn followed(&mut self, used: &Use<'_>, from: &Bits) -> Value {
        let args: Vec<Value> = used.args.iter().map(|arg| self.eval(arg)).collect();
        self.path(used.path, from, &args)
    }

    /// The sites where the path begins and would have to end.
    fn ends(&mut self, used: &Use<'_>, value: &Value) -> Option<(usize, usize)> {
        let starts = self.eval(used.from).into_set();
        let from = starts.first().filter(|_| starts.count() == 1)?;
        match value {
            Value::Atom(site) => Some((from, *site as usize)),
            Value::Way(way) => Some((from, way.to as usize)),
            Value::Unset
            | Value::Int(_)
            | Value::Bool(_)
            | Value::Set(_)
            | Value::Ints(_)
            | Value::Piece(_)
            | Value::Pieces(_)
            | Value::Ways(_)
            | Value::Move(_)
            | Value::Moves(_) => None,
        }
    }

    /// Whether the path leads there if these are left out.
    fn leads_without(&mut self, hurdles: &[Hurdle], used: &Use<'_>, value: &Value) -> bool {
        self.leads(relaxed(hurdles), used, value).0
    }

    fn leads(&mut self, relaxed: Relaxed, used: &Use<'_>, value: &Value) -> (bool, Relaxed) {
        let before = std::mem::replace(&mut self.relaxed, relaxed);
        let from = self.eval(used.from).into_set();
        let there = self.followed(used, &from).members().contains(value);
        let after = std::mem::replace(&mut self.relaxed, before);
        (there && !self.spent(), after)
    }

    /// As many of them as must be left out together.
    fn fewest(&mut self, hurdles: &[Hurdle], used: &Use<'_>, value: &Value) -> Vec<Hurdle> {
        let mut needed = hurdles.to_vec();
        for hurdle in hurdles {
            let others: Vec<Hurdle> = needed.iter().copied().filter(|other| other != hurdle).collect();
            if self.leads_without(&others, used, value) {
                needed = others;
            }
        }
        needed
    }

    fn at_hurdle(
        &mut self,
        hurdle: Hurdle,
        all: &[Hurdle],
        walk: &Walk<'_>,
        def: &PathDef,
        used: &Use<'_>,
        value: &Value,
    ) -> Because {
        match hurdle {
            Hurdle::Test(rule) => {
                let set =
                    walk.tests.iter().find(|(other, _)| *other == rule).map(|(_, set)| argument(set, def, used.args));
                let mut because = self.at_test(rule, all, set, used, value);
                if self.cites(rule) {
                    because.rules = vec![rule];
                }
                because
            }
            Hurdle::Heading => {
                let Some((given, (from, to))) = walk.heading.zip(self.ends(used, value)) else {
                    return Because::default();
                };
                let given = argument(given, def, used.args);
                let directions = Told { ty: Ty::Dir.set(), value: self.eval(given) };
                let along = |direction: usize| self.game.topology.ray(direction, from).0.contains(to);
                // The direction may be right, and more be wanted than a way straight there.
                if directions.value.clone().into_set().iter().any(along) {
                    return Because::default();
                }
                Because { rules: self.behind(given), ..Because::found(Reason::Aside { from, to, directions }) }
            }
            Hurdle::Limit => {
                let Some((given, (from, to))) = walk.limit.zip(self.ends(used, value)) else {
                    return Because::default();
                };
                let given = argument(given, def, used.args);
                let limit = self.eval(given).int();
                Because { rules: self.behind(given), ..Because::found(Reason::Far { from, to, limit }) }
            }
        }
    }

    /// Why a test fails on the sites where it would have to hold.
    fn at_test(&mut self, rule: RuleId, all: &[Hurdle], set: Option<&Expr>, used: &Use<'_>, value: &Value) -> Because {
        let alone = self.leads_without(&[Hurdle::Test(rule)], used, value);
        let others: &[Hurdle] = if alone { &[Hurdle::Test(rule)] } else { all };
        let with = |only: Option<Bits>| Relaxed { only, ..relaxed(others) };
        let (_, after) = self.leads(Relaxed { needed: Some(Bits::new()), ..with(None) }, used, value);
        let sites = after.needed.unwrap_or_default();
        let single = sites.iter().find(|site| self.leads(with(Some(Bits::one(*site))), used, value).0);
        let chosen = match single {
            Some(site) => Bits::one(site),
            None if sites.count() <= MANY => {
                let mut chosen = sites.clone();
                for site in sites.iter() {
                    chosen.remove(site);
                    if !self.leads(with(Some(chosen.clone())), used, value).0 {
                        chosen.insert(site);
                    }
                }
                chosen
            }
            None => return Because::default(),
        };
        // A set that was given to the path is looked into where it was given.
        if let Some(set) = set.filter(|set| used.args.iter().any(|arg| std::ptr::eq(arg, *set))) {
            let failed = chosen.iter().map(|site| self.why_member(set, &Value::atom_of(site), false));
            return failed.reduce(Because::and).unwrap_or_default();
        }
        let asked = Relaxed { failed: Some(Vec::new()), ..with(Some(chosen)) };
        let (_, after) = self.leads(asked, used, value);
        let failed = after.failed.unwrap_or_default().into_iter().map(|(_, because)| because);
        failed.reduce(Because::and).unwrap_or_default()
    }

    /// The first rule behind the value of an expression that cites a clause which can forbid.
    fn behind(&mut self, given: &Expr) -> Vec<RuleId> {
        if let ExprKind::If(condition, a, b) = &given.kind {
            let branch = if self.truth(condition) { a } else { b };
            return self.behind(branch);
        }
        let ExprKind::Call(function, args) = &given.kind else { return Vec::new() };
        let Some(def) = self.game.functions.get(*function) else { return Vec::new() };
        if let Some(told) = args.first().filter(|_| def.told) {
            return self.behind(told);
        }
        let values: Vec<Value> = args.iter().map(|arg| self.eval(arg)).collect();
        for (slot, value) in def.params.iter().zip(values) {
            self.bind(*slot, value);
        }
        if self.cites(def.rule) { vec![def.rule] } else { self.behind(&def.body) }
    }

    /// What a path tests, and the rules that define it.
    fn collect<'p>(&self, path: &'p Path, walk: &mut Walk<'p>)
    where
        Self: 'p,
    {
        let heads = |walk: &mut Walk<'p>, heading: Option<&'p Expr>| {
            // Straight on in a direction that was bound before is no choice of its own.
            let heading = heading.filter(|heading| heading.sole().and_then(Expr::as_slot).is_none());
            if heading.is_some() && walk.heading.is_none() {
                walk.heading = heading;
                walk.hurdles.push(Hurdle::Heading);
            }
        };
        let test = |walk: &mut Walk<'p>, test: &'p Test| {
            walk.hurdles.push(Hurdle::Test(test.rule));
            walk.tests.push((test.rule, &test.set));
        };
        match path {
            Path::Step { heading, to } => {
                heads(walk, heading.as_ref());
                test(walk, to);
            }
            Path::Slide { heading, limit, through } => {
                heads(walk, heading.as_ref());
                test(walk, through);
                if limit.is_some() && walk.limit.is_none() {
                    walk.limit = limit.as_ref();
                    walk.hurdles.push(Hurdle::Limit);
                }
            }
            Path::Hop { heading, over, to, .. } => {
                heads(walk, heading.as_ref());
                test(walk, over);
                test(walk, to);
            }
            Path::If(_, rule) => walk.hurdles.push(Hurdle::Test(*rule)),
            Path::Take => {}
            Path::Along(_, set, body) => {
                heads(walk, Some(set));
                self.collect(body, walk);
            }
            Path::Each(body) | Path::Repeat { body, .. } => self.collect(body, walk),
            Path::Cited(rule, body) => {
                walk.paths.push(*rule);
                self.collect(body, walk);
            }
            Path::Call(path, args) => {
                if let Some(def) = self.game.paths.get(*path) {
                    let mut called = Walk::default();
                    self.collect(&def.body, &mut called);
                    walk.paths.push(def.rule);
                    walk.join(called, def, args);
                }
            }
            Path::Then(parts) | Path::Or(parts) => {
                for part in parts {
                    self.collect(part, walk);
                }
            }
        }
    }

    /// Whether a test of a path holds for a site, or is left out.
    pub(super) fn passes(&mut self, set: &Expr, rule: RuleId, site: usize, part: Part) -> bool {
        if self.has(set, &Value::atom_of(site)) {
            self.note(rule);
            return true;
        }
        self.excused(rule, site, &mut |eval| {
            let mut because = eval.why_member(set, &Value::atom_of(site), false);
            if let Some(found) = &mut because.found {
                found.needed_for(part);
            }
            because
        })
    }

    /// Whether a test that fails on a site is left out there.
    pub(super) fn excused(&mut self, rule: RuleId, site: usize, why: &mut dyn FnMut(&mut Self) -> Because) -> bool {
        let relaxed = &mut self.relaxed;
        if !relaxed.tests.contains(&rule) || relaxed.only.as_ref().is_some_and(|only| !only.contains(site)) {
            return false;
        }
        if let Some(needed) = &mut relaxed.needed {
            needed.insert(site);
        }
        if relaxed.failed.as_ref().is_some_and(|failed| failed.iter().all(|(other, _)| *other != site)) {
            let before = std::mem::take(&mut self.relaxed);
            let because = why(self);
            self.relaxed = before;
            if let Some(failed) = &mut self.relaxed.failed {
                failed.push((site, because));
            }
        }
        true
    }
}

/// What was given for a path's parameter, where a part of it is made of one.
fn argument<'a>(part: &'a Expr, def: &PathDef, args: &'a [Expr]) -> &'a Expr {
    let inner = if let ExprKind::Calc(_, a, _) | ExprKind::Set(SetOp::Intersect | SetOp::Minus, a, _) = &part.kind {
        a
    } else {
        part
    };
    let given = inner.as_slot().and_then(|slot| def.params.iter().position(|param| *param == slot));
    given.and_then(|at| args.get(at)).unwrap_or(part)
}
