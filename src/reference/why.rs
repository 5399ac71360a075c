//! Why a move is not legal, and which rules a legal move relies on.
//!
//! A refusal names the first line of an action that does not allow the move, what was found there (`because`), and the
//! rules without which the line would: the parts of a path that decide; else the line itself, if it cites a clause that can
//! forbid; else the first definition on the way inward that decides and cites one.

use super::because::Because;
use super::sighting::Trace;
use super::{Eval, Walker};
use crate::ir::{Action, ActionId, ActionRef, Expr, ExprKind, Header, Move, RuleId, SeatId, Slot, Value};
use crate::model::{Answer, Ask, Frame, Position, Refusal, StmtRef, Why};

impl Walker {
    pub(super) fn why_not(&self, position: &Position, mv: &Move) -> Option<Refusal> {
        if position.is_over() {
            return Some(Refusal::plain(Why::Over, position.ended_by()));
        }
        // Any of the cards that are left may come next: there may be thousands.
        if let (Some(Frame::Shuffle(_, left)), Ask::Chance { .. }) = (position.control.last(), &position.ask)
            && let (ActionRef::Pick, [Value::Int(card)]) = (mv.action, mv.args.as_slice())
            && (0..i64::from(*left)).contains(card)
        {
            return None;
        }
        let (legal, spent) = self.look_at(position, |eval| (eval.legal_moves(), eval.spent()));
        if legal.contains(mv) {
            return None;
        }
        if spent {
            return Some(Refusal::plain(Why::Budget, Vec::new()));
        }
        match position.ask {
            Ask::Over => Some(Refusal::plain(Why::Over, Vec::new())),
            Ask::Pick { at, .. } | Ask::Chance { at } => Some(self.why_not_picked(position, mv, at)),
            Ask::Race { at } => self.look_at(position, |eval| self.why_no_act(eval, position, mv, at)),
            Ask::Choose { at, .. } => Some(self.look_at(position, |eval| self.why_not_chosen(eval, mv, at, &legal))),
        }
    }

    /// Why a move is not legal where a seat chooses one.
    fn why_not_chosen(&self, eval: &mut Eval<'_>, mv: &Move, at: StmtRef, legal: &[Move]) -> Refusal {
        let asked = self.stmt(at).map(|stmt| stmt.rule);
        let groups = eval.question(at).map(|asked| asked.groups).unwrap_or_default();
        let offers = |action| groups.iter().flatten().any(|offered| *offered == action);
        let ActionRef::Action(number) = mv.action else {
            let offered = mv.action == ActionRef::Pass && offers(ActionRef::Pass);
            let why = if offered { Why::Precedence } else { Why::NotAsked };
            return Refusal::plain(why, asked.into_iter().collect());
        };
        let Some(action) = self.game().actions.get(number).filter(|_| offers(mv.action)) else {
            let declared = eval.declared(number);
            return Refusal::plain(Why::NotAsked, declared.or(asked).into_iter().collect());
        };
        if let Some(refusal) = eval.refuse_head(action, &mv.args) {
            return refusal;
        }
        if let Some(refusal) = eval.refuse_after(action, mv) {
            return refusal;
        }
        let within = |group: &Vec<ActionRef>| {
            group.contains(&mv.action) && legal.iter().any(|other| group.contains(&other.action))
        };
        overruled(action, asked, groups.iter().any(within))
    }

    /// Why an act of a race is not legal. It may take place at any time from the last act to the deadline.
    fn why_no_act(&self, eval: &mut Eval<'_>, position: &Position, mv: &Move, at: StmtRef) -> Option<Refusal> {
        let refuse = |why, rules: Vec<RuleId>| Some(Refusal::plain(why, rules));
        let asked = self.stmt(at).map(|stmt| stmt.rule);
        let (ActionRef::Race(number), [seat, time, args @ ..]) = (mv.action, mv.args.as_slice()) else {
            return refuse(Why::NotAsked, asked.into_iter().collect());
        };
        let Some(race) = eval.race(at) else { return refuse(Why::NotAsked, asked.into_iter().collect()) };
        let time = time.int();
        if time < position.now || race.until.is_some_and(|until| time > until) {
            return refuse(Why::NotNow, Vec::new());
        }
        let seat = SeatId::new(seat.atom());
        if !position.plays(usize::from(seat)) {
            return refuse(Why::NotAsked, Vec::new());
        }
        let legal = if race.seats.contains(&seat) { eval.acts(&race, seat, time) } else { Vec::new() };
        if legal.contains(mv) {
            return None;
        }
        let offered = race.seats.contains(&seat) && race.group.contains(&ActionRef::Action(number));
        let Some(action) = self.game().actions.get(number).filter(|_| offered) else {
            let declared = eval.declared(number);
            return refuse(Why::NotAsked, declared.or(asked).into_iter().collect());
        };
        (eval.acting, eval.moment) = (Some(seat), Some(time));
        let plain = Move { action: ActionRef::Action(number), args: args.iter().cloned().collect() };
        if let Some(refusal) = eval.refuse_head(action, args) {
            return Some(refusal);
        }
        eval.refuse_after(action, &plain).or_else(|| Some(overruled(action, asked, true)))
    }

    /// Why a value cannot be picked in the middle of an effect, or be an outcome of chance.
    fn why_not_picked(&self, position: &Position, mv: &Move, at: StmtRef) -> Refusal {
        let stmt = self.stmt(at);
        let rule = stmt.map(|stmt| stmt.rule);
        let picked = stmt.and_then(|stmt| stmt.kind.choice_or_roll()).zip(mv.args.first());
        match (picked, rule, mv.action) {
            (Some(((slot, set, _), value)), Some(rule), ActionRef::Pick) => {
                self.look_at(position, |eval| eval.refuse_value(slot, set, value, rule))
            }
            (_, _, ActionRef::Pick) => Refusal::plain(Why::NotOffered, rule.into_iter().collect()),
            (_, _, _) => Refusal::plain(Why::NotAsked, rule.into_iter().collect()),
        }
    }

    pub(super) fn check_answer(&self, position: &Position, answer: &Answer) -> Result<(), Refusal> {
        let refuse = |why, rules: Vec<RuleId>| Err(Refusal::plain(why, rules));
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
                // If the others have left since, it takes one who has agreed to say so again.
                let agreed = position
                    .offers
                    .get(usize::from(*offer))
                    .is_some_and(|agreed| agreed.contains(usize::from(*seat)) && !position.playing().within(agreed));
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
                self.look_at(position, |eval| {
                    eval.acting = Some(*seat);
                    eval.refuse_head(&claim.action, args).map_or(Ok(()), Err)
                })
            }
        }
    }

    /// The rules a legal move relies on: those of its paths, guards and action, and
    /// the end it brings about.
    pub(super) fn grounds_of(&self, position: &Position, mv: &Move) -> Vec<RuleId> {
        let mut rules = self.legality_of(position, mv);
        rules.extend(self.look_ahead(position, |machine| {
            machine.answered(mv);
            machine.pos.ended_by()
        }));
        rules
    }

    /// The rules by which a move is legal.
    pub(super) fn legality_of(&self, position: &Position, mv: &Move) -> Vec<RuleId> {
        self.look_at(position, |eval| {
            eval.trace = Some(Trace::default());
            let (number, args) = match (mv.action, mv.args.as_slice()) {
                (ActionRef::Action(number), args) => (Some(number), args),
                (ActionRef::Race(number), [seat, time, args @ ..]) => {
                    (eval.acting, eval.moment) = (Some(SeatId::new(seat.atom())), Some(time.int()));
                    (Some(number), args)
                }
                (_, args) => (None, args),
            };
            if let Some((number, action)) = number.and_then(|number| Some((number, self.game().actions.get(number)?))) {
                eval.note(action.rule);
                if eval.refuse_head(action, args).is_none() {
                    let mv = Move { action: ActionRef::Action(number), args: args.into() };
                    eval.ensured(action, &mv);
                }
            }
            eval.trace.take().map(Trace::rules).unwrap_or_default()
        })
    }

    /// The rules of an answer's head, or of its offer.
    pub(super) fn answer_grounds(&self, position: &Position, answer: &Answer) -> Vec<RuleId> {
        match answer {
            Answer::Offer { offer, .. } => self.game().offers.get(*offer).map(|offer| offer.rule).into_iter().collect(),
            Answer::Claim { claim, seat, args } => {
                let Some(claim) = self.game().claims.get(*claim) else {
                    return Vec::new();
                };
                self.look_at(position, |eval| {
                    eval.acting = Some(*seat);
                    eval.trace = Some(Trace::default());
                    eval.note(claim.action.rule);
                    eval.refuse_head(&claim.action, args);
                    eval.trace.take().map(Trace::rules).unwrap_or_default()
                })
            }
        }
    }

    fn game(&self) -> &crate::ir::Game {
        &self.game
    }
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
                        return Some(self.refuse_value(choice.slot, &choice.set, &value, choice.rule));
                    }
                    self.note(choice.rule);
                    self.bind(choice.slot, value);
                }
                Header::Let(slot, value, rule) => {
                    let value = self.eval(value);
                    self.note(*rule);
                    self.bind(*slot, value);
                }
                Header::Late(_, _, rule) => self.note(*rule),
                Header::Require(guard, rule) => {
                    if !self.truth(guard) {
                        let because = self.why(guard, false);
                        return Some(self.refuse(Why::Guard, because, *rule));
                    }
                    self.note(*rule);
                }
                Header::Prefer(worth, rule) => {
                    if self.trace.is_some() {
                        self.eval(worth);
                    }
                    self.note(*rule);
                }
            }
        }
        // What the budget has cut short allows nothing.
        self.spent().then(|| Refusal::plain(Why::Budget, Vec::new()))
    }

    /// The rule of an action that is not offered, if it cites a clause that can forbid: when an action may be played is said
    /// where it is declared.
    fn declared(&self, action: ActionId) -> Option<RuleId> {
        let rule = self.game.actions.get(action).map(|action| action.rule);
        rule.filter(|rule| self.cites(*rule))
    }

    /// Membership, recording only the rules of the path that leads to the value.
    fn admits_traced(&mut self, set: &Expr, value: &Value) -> bool {
        let Some(outer) = self.trace.take() else {
            return self.has(set, value);
        };
        let admitted = self.narrowed(set, value);
        self.trace = Some(outer);
        for rule in admitted.iter().flatten() {
            self.note(*rule);
        }
        admitted.is_some()
    }

    /// The rules by which the value is in the set; for a union, those of the operand that contains it.
    fn narrowed(&mut self, set: &Expr, value: &Value) -> Option<Vec<RuleId>> {
        if let ExprKind::Set(crate::ir::SetOp::Union, a, b) = &set.kind {
            return self.narrowed(a, value).or_else(|| self.narrowed(b, value));
        }
        self.trace = Some(Trace::default());
        let holds = self.admits(set, value);
        let trace = self.trace.take().map(Trace::rules).unwrap_or_default();
        holds.then_some(trace)
    }

    /// The refusal of a value that is not in the set of a choice.
    fn refuse_value(&mut self, slot: Slot, set: &Expr, value: &Value, choice: RuleId) -> Refusal {
        let because = self.why_member(set, value, false);
        self.refuse(Why::NotAmong { slot, value: value.clone() }, because, choice)
    }

    /// A refusal by a line. The parts of a path that decide are named; else the line with its own clauses; where it cites
    /// none that can forbid, the definition in it that decides.
    fn refuse(&self, why: Why, because: Because, line: RuleId) -> Refusal {
        let inside = !because.rules.is_empty() && (because.path || !self.cites(line));
        let rules = if inside { because.rules } else { vec![line] };
        if self.spent() && why == Why::Guard {
            return Refusal::plain(Why::Budget, Vec::new());
        }
        Refusal { why, rules, found: because.found.filter(|_| !self.spent()).map(Box::new) }
    }

    /// The refusal by the first guard that would not hold after the move.
    fn refuse_after(&mut self, action: &Action, mv: &Move) -> Option<Refusal> {
        let (broken, because) = self.broken_with(action, mv, &mut |eval, guard| eval.why(guard, false))?;
        Some(self.refuse(Why::GuardAfter, because, broken))
    }
}

/// Why a move that each line of its action allows is not legal: another one of its group is preferred, or another group comes first.
fn overruled(action: &Action, asked: Option<RuleId>, same_group: bool) -> Refusal {
    let preferred = action.head.iter().rev().find_map(|line| match line {
        Header::Prefer(_, rule) => Some(*rule),
        Header::Choose(_) | Header::Let(..) | Header::Late(..) | Header::Require(..) => None,
    });
    match preferred {
        Some(rule) if same_group => Refusal::plain(Why::NotPreferred, vec![rule]),
        _ => Refusal::plain(Why::Precedence, asked.into_iter().collect()),
    }
}
