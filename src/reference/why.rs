//! Why a move is not legal, and which rules a legal move relies on.
//!
//! A refusal names the rules that, relaxed one at a time, would let the move pass: "what would have to be different"; if
//! no single one would, the fewest along one path that would together. Where there are none, it names the rules that
//! define what is possible.

use super::machine::Machine;
use super::{Eval, Walker};
use crate::ir::{Action, ActionRef, Expr, ExprKind, Header, Move, Path, RuleId, SeatId, Value};
use crate::model::{Answer, Ask, Position, Refusal, StmtRef, Why};

impl Walker {
    pub(super) fn why_not(&self, position: &Position, mv: &Move) -> Option<Refusal> {
        if position.is_over() {
            return Some(Refusal { why: Why::Over, rules: position.ended_by() });
        }
        let mut eval = Eval::new(self, position, self.budget);
        let legal = eval.legal_moves();
        if legal.contains(mv) {
            return None;
        }
        if eval.spent() {
            return Some(Refusal { why: Why::Budget, rules: Vec::new() });
        }
        match position.ask {
            Ask::Over => Some(Refusal { why: Why::Over, rules: Vec::new() }),
            Ask::Pick { at, .. } | Ask::Chance { at } => {
                let rules = self.stmt(at).map(|stmt| stmt.rule).into_iter().collect();
                Some(Refusal { why: Why::NotOffered, rules })
            }
            Ask::Race { at } => self.why_no_act(position, mv, at),
            Ask::Choose { at, .. } => {
                let asked = self.stmt(at).map(|stmt| stmt.rule);
                let ActionRef::Action(number) = mv.action else {
                    let passes = eval
                        .question(at)
                        .is_some_and(|asked| asked.groups.iter().flatten().any(|action| *action == ActionRef::Pass));
                    let offered = mv.action == ActionRef::Pass && passes;
                    let why = if offered { Why::Precedence } else { Why::NotAsked };
                    return Some(Refusal { why, rules: asked.into_iter().collect() });
                };
                let offered = eval.question(at).is_some_and(|q| q.groups.iter().flatten().any(|a| *a == mv.action));
                let Some(action) = self.game().actions.get(number).filter(|_| offered) else {
                    return Some(Refusal { why: Why::NotAsked, rules: asked.into_iter().collect() });
                };
                let mut eval = Eval::new(self, position, self.budget);
                if let Some(refusal) = eval.refuse_head(action, &mv.args) {
                    return Some(refusal);
                }
                if let Some(rule) = eval.broken_after(action, mv) {
                    return Some(Refusal { why: Why::GuardAfter, rules: vec![rule] });
                }
                let preferred = action.head.iter().rev().find_map(|line| match line {
                    Header::Prefer(_, rule) => Some(*rule),
                    Header::Choose(_) | Header::Let(..) | Header::Require(..) => None,
                });
                let same_action = legal.iter().any(|other| other.action == mv.action);
                Some(match preferred {
                    Some(rule) if same_action => Refusal { why: Why::NotPreferred, rules: vec![rule] },
                    _ => Refusal { why: Why::Precedence, rules: asked.into_iter().collect() },
                })
            }
        }
    }

    /// Why an act of a race is not legal. It may take place at any time from the last act to the deadline.
    fn why_no_act(&self, position: &Position, mv: &Move, at: StmtRef) -> Option<Refusal> {
        let refuse = |why, rules: Vec<RuleId>| Some(Refusal { why, rules });
        let asked: Vec<RuleId> = self.stmt(at).map(|stmt| stmt.rule).into_iter().collect();
        let (ActionRef::Race(number), [seat, time, args @ ..]) = (mv.action, mv.args.as_slice()) else {
            return refuse(Why::NotAsked, asked);
        };
        let mut eval = Eval::new(self, position, self.budget);
        let Some(race) = eval.race(at) else { return refuse(Why::NotAsked, asked) };
        let time = time.int();
        if time < position.now || race.until.is_some_and(|until| time > until) {
            return refuse(Why::NotNow, asked);
        }
        let seat = SeatId::new(seat.atom());
        if race.seats.contains(&seat) && eval.acts(&race, seat, time).contains(mv) {
            return None;
        }
        let offered = race.seats.contains(&seat) && race.group.contains(&ActionRef::Action(number));
        let Some(action) = self.game().actions.get(number).filter(|_| offered) else {
            return refuse(Why::NotAsked, asked);
        };
        (eval.acting, eval.moment) = (Some(seat), Some(time));
        let plain = Move { action: ActionRef::Action(number), args: args.iter().cloned().collect() };
        if let Some(refusal) = eval.refuse_head(action, args) {
            return Some(refusal);
        }
        match eval.broken_after(action, &plain) {
            Some(rule) => refuse(Why::GuardAfter, vec![rule]),
            None => refuse(Why::NotPreferred, asked),
        }
    }

    pub(super) fn check_answer(&self, position: &Position, answer: &Answer) -> Result<(), Refusal> {
        let refuse = |why, rules: Vec<RuleId>| Err(Refusal { why, rules });
        if position.is_over() {
            return refuse(Why::Over, position.ended_by());
        }
        if !matches!(position.ask, Ask::Choose { .. } | Ask::Race { .. }) {
            return refuse(Why::NotAsked, Vec::new());
        }
        match answer {
            Answer::Offer { offer, seat } => {
                let Some(rule) = self.game().offers.get(*offer).map(|offer| offer.rule) else {
                    return refuse(Why::NotAsked, Vec::new());
                };
                let agreed = position.offers.get(usize::from(*offer)).is_some_and(|a| a.contains(usize::from(*seat)));
                match () {
                    () if position.asked() != Some(*seat) => refuse(Why::NotAsked, vec![rule]),
                    () if agreed => refuse(Why::AlreadyOffered, vec![rule]),
                    () => Ok(()),
                }
            }
            Answer::Claim { claim, seat, args } => {
                let Some(claim) = self.game().claims.get(*claim) else {
                    return refuse(Why::NotAsked, Vec::new());
                };
                let may = position.asked() == Some(*seat) || (claim.by_any && position.plays(usize::from(*seat)));
                if !may {
                    return refuse(Why::NotAsked, vec![claim.action.rule]);
                }
                let mut eval = Eval::new(self, position, self.budget);
                eval.acting = Some(*seat);
                eval.refuse_head(&claim.action, args).map_or(Ok(()), Err)
            }
        }
    }

    /// The rules a legal move relies on: those of its paths, guards and action, and
    /// the end it brings about.
    pub(super) fn grounds_of(&self, position: &Position, mv: &Move) -> Vec<RuleId> {
        let mut eval = Eval::new(self, position, self.budget);
        eval.trace = Some(Vec::new());
        let (number, args) = match (mv.action, mv.args.as_slice()) {
            (ActionRef::Action(number), args) => (Some(number), args),
            (ActionRef::Race(number), [seat, time, args @ ..]) => {
                (eval.acting, eval.moment) = (Some(SeatId::new(seat.atom())), Some(time.int()));
                (Some(number), args)
            }
            (_, args) => (None, args),
        };
        if let Some(action) = number.and_then(|number| self.game().actions.get(number)) {
            eval.note(action.rule);
            eval.refuse_head(action, args);
        }
        let mut rules = eval.trace.take().unwrap_or_default();
        let after = Machine::new(self, position.clone(), self.budget).play_unchecked(mv);
        rules.extend(after.ended_by());
        rules
    }

    /// The rules of an answer's head, or of its offer.
    pub(super) fn answer_grounds(&self, position: &Position, answer: &Answer) -> Vec<RuleId> {
        match answer {
            Answer::Offer { offer, .. } => self.game().offers.get(*offer).map(|offer| offer.rule).into_iter().collect(),
            Answer::Claim { claim, seat, args } => {
                let Some(claim) = self.game().claims.get(*claim) else {
                    return Vec::new();
                };
                let mut eval = Eval::new(self, position, self.budget);
                eval.acting = Some(*seat);
                eval.trace = Some(Vec::new());
                eval.note(claim.action.rule);
                eval.refuse_head(&claim.action, args);
                eval.trace.take().unwrap_or_default()
            }
        }
    }

    fn game(&self) -> &crate::ir::Game {
        &self.game
    }
}

/// A path that an expression follows: the rules of its tests, and those that define it.
struct Walk {
    tests: Vec<RuleId>,
    paths: Vec<RuleId>,
}

impl Eval<'_> {
    /// Binds the head of an action to given arguments; returns the refusal by the first line that does not allow
    /// them.
    fn refuse_head(&mut self, action: &Action, args: &[Value]) -> Option<Refusal> {
        let mut args = args.iter();
        for line in &action.head {
            match line {
                Header::Choose(choice) => {
                    let value = args.next().cloned().unwrap_or_default();
                    if !self.admits_traced(&choice.set, &value) {
                        let rules = self.culprits(&choice.set, &value, choice.rule);
                        return Some(Refusal { why: Why::NotAmong { slot: choice.slot, value }, rules });
                    }
                    self.note(choice.rule);
                    self.bind(choice.slot, value);
                }
                Header::Let(slot, value) => {
                    let value = self.eval(value);
                    self.bind(*slot, value);
                }
                Header::Require(guard, rule) => {
                    if !self.truth(guard) {
                        return Some(Refusal { why: Why::Guard, rules: vec![*rule] });
                    }
                    self.note(*rule);
                }
                Header::Prefer(_, rule) => self.note(*rule),
            }
        }
        None
    }

    /// Membership, recording only the rules of the path that leads to the value.
    fn admits_traced(&mut self, set: &Expr, value: &Value) -> bool {
        let Some(outer) = self.trace.take() else {
            return self.has(set, value);
        };
        let admitted = self.narrowed(set, value);
        let mut trace = outer;
        for rule in admitted.iter().flatten() {
            if !trace.contains(rule) {
                trace.push(*rule);
            }
        }
        self.trace = Some(trace);
        admitted.is_some()
    }

    /// The rules by which the value is in the set; for a union, those of the operand that contains it.
    fn narrowed(&mut self, set: &Expr, value: &Value) -> Option<Vec<RuleId>> {
        if let ExprKind::Set(crate::ir::SetOp::Union, a, b) = &set.kind {
            return self.narrowed(a, value).or_else(|| self.narrowed(b, value));
        }
        self.trace = Some(Vec::new());
        let holds = self.admits(set, value);
        let trace = self.trace.take().unwrap_or_default();
        holds.then_some(trace)
    }

    /// The tests without which the value would be in the set: each alone, or else the fewest of one path together. If no
    /// path leads there whatever it tests, the paths that define the set, and the choice.
    fn culprits(&mut self, set: &Expr, value: &Value, choice: RuleId) -> Vec<RuleId> {
        let mut walks = Vec::new();
        self.walks(set, &mut walks);
        let mut alone = Vec::new();
        for &test in walks.iter().flat_map(|walk| &walk.tests) {
            if !alone.contains(&test) && self.admits_without(vec![test], set, value) {
                alone.push(test);
            }
        }
        let mut found = if alone.is_empty() { self.together(&walks, set, value) } else { alone };
        if self.spent() {
            return vec![choice];
        }
        if found.is_empty() {
            found = walks.into_iter().flat_map(|walk| walk.paths).collect();
            found.push(choice);
            found.dedup();
        } else {
            self.add_citing(&mut found, &walks, choice);
        }
        found
    }

    /// If no clause is cited at tests themselves, the paths they belong to are added; if none is cited there, the choice.
    fn add_citing(&self, found: &mut Vec<RuleId>, walks: &[Walk], choice: RuleId) {
        if self.game.forbidding(found).is_empty() {
            let walked = walks.iter().filter(|walk| walk.tests.iter().any(|test| found.contains(test)));
            let paths: Vec<RuleId> = walked.flat_map(|walk| &walk.paths).copied().collect();
            found.extend(paths);
        }
        if self.game.forbidding(found).is_empty() {
            found.push(choice);
        }
    }

    /// The fewest tests of one path without which, together, the value would be in the set.
    fn together(&mut self, walks: &[Walk], set: &Expr, value: &Value) -> Vec<RuleId> {
        let mut fewest: Option<Vec<RuleId>> = None;
        for walk in walks.iter().filter(|walk| walk.tests.len() > 1) {
            if !self.admits_without(walk.tests.clone(), set, value) {
                continue;
            }
            let mut needed = walk.tests.clone();
            for &test in &walk.tests {
                let others: Vec<RuleId> = needed.iter().copied().filter(|other| *other != test).collect();
                if self.admits_without(others.clone(), set, value) {
                    needed = others;
                }
            }
            if fewest.as_ref().is_none_or(|fewest| needed.len() < fewest.len()) {
                fewest = Some(needed);
            }
        }
        fewest.unwrap_or_default()
    }

    fn admits_without(&mut self, tests: Vec<RuleId>, set: &Expr, value: &Value) -> bool {
        self.relaxed = tests;
        let admitted = self.admits(set, value);
        self.relaxed.clear();
        admitted && !self.spent()
    }

    /// The paths of an expression, each with its tests.
    fn walks(&self, expr: &Expr, walks: &mut Vec<Walk>) {
        if let ExprKind::Path(path, ..) = &expr.kind {
            if let Some(def) = self.game.paths.get(*path) {
                let mut walk = Walk { tests: Vec::new(), paths: vec![def.rule] };
                self.tests_of(&def.body, &mut walk.tests, &mut walk.paths);
                walks.push(walk);
            }
        } else if let ExprKind::Set(_, a, b) | ExprKind::If(_, a, b) = &expr.kind {
            self.walks(a, walks);
            self.walks(b, walks);
        } else if let ExprKind::Filter(_, set, _) | ExprKind::Top(_, set, _) = &expr.kind {
            self.walks(set, walks);
        } else if let ExprKind::Call(function, args) = &expr.kind
            && let Some(def) = self.game.functions.get(*function)
        {
            let told = args.first().filter(|_| def.told);
            self.walks(told.unwrap_or(&def.body), walks);
        }
    }

    fn tests_of(&self, path: &Path, tests: &mut Vec<RuleId>, paths: &mut Vec<RuleId>) {
        match path {
            Path::Step { to, .. } => tests.push(to.rule),
            Path::Slide { through, .. } => tests.push(through.rule),
            Path::Hop { over, to, .. } => tests.extend([over.rule, to.rule]),
            Path::If(_, rule) => tests.push(*rule),
            Path::Take => {}
            Path::Along(_, _, body) | Path::Repeat { body, .. } => self.tests_of(body, tests, paths),
            Path::Cited(rule, body) => {
                paths.push(*rule);
                self.tests_of(body, tests, paths);
            }
            Path::Call(path, _) => {
                if let Some(def) = self.game.paths.get(*path) {
                    paths.push(def.rule);
                    self.tests_of(&def.body, tests, paths);
                }
            }
            Path::Then(parts) | Path::Or(parts) => {
                for part in parts {
                    self.tests_of(part, tests, paths);
                }
            }
        }
    }
}
