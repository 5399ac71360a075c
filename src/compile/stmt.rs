//! Lowering of statements, actions and end conditions.

use super::Gap;
use super::class::Class;
use super::lower::Lower;
use super::program::{
    Action, Answers, Code, End, Fields, Head, Home, Make, Number, Offered, Op, OpKind, Owned, PieceLocation,
    PieceSelection, Race, Set, Sow, Test, Values,
};
use crate::base::{Word, to_index};
use crate::ir::Dependencies;
use crate::ir::{self, EndRule, Expr, ExprKind, Header, Owner, PieceExpr, Slot, StmtKind};
use crate::model::Verdict;

impl<W: Word> Lower<'_, W> {
    /// Lowers a block; statements that cannot be lowered are reported.
    pub(super) fn block(&mut self, block: &ir::Block, told: &mut dyn FnMut(Gap, ir::RuleId)) -> Code<W> {
        let mut ops = Vec::new();
        for stmt in &block.stmts {
            let kind = self.stmt(&stmt.kind).unwrap_or_else(|gap| {
                told(gap, stmt.rule);
                OpKind::Stop
            });
            let mut looks = false;
            if !matches!(kind, OpKind::Nothing | OpKind::Do(_)) {
                stmt.kind.exprs(&mut |expr| looks = looks || self.past.looks(expr));
            }
            let inside = stmt.kind.blocks().next().is_some();
            ops.push(Op { kind, rule: stmt.rule, asks: looks && inside, looks });
        }
        let ends = block.slots.iter().map(|&slot| (slot, self.home_of(slot))).collect();
        Code { ops: ops.into(), ends, asks: false }
    }

    fn home_of(&self, slot: Slot) -> Home {
        self.homes.get(usize::from(slot)).copied().unwrap_or(Home::Nowhere)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    fn stmt(&mut self, kind: &StmtKind) -> Result<OpKind<W>, Gap> {
        Ok(match kind {
            StmtKind::Let(slot, value) => OpKind::Let(*slot, self.bind(*slot, value)?),
            StmtKind::Pick(slot, set, seat, _) => {
                let seat = seat.as_ref().map(|seat| self.number(seat)).transpose()?;
                OpKind::Pick(Box::new(self.offered(*slot, set)?), seat)
            }
            StmtKind::Roll(slot, set, _) => OpKind::Roll(Box::new(self.offered(*slot, set)?)),
            StmtKind::Put(piece, on) => OpKind::Put(self.make(piece)?, self.set(on)?),
            StmtKind::PutTokens(place, count, on) => {
                let pools = self.pools(place.tokens, &place.owner)?;
                OpKind::PutTokens(pools, self.number(count)?, self.set(on)?)
            }
            StmtKind::MoveTokens(place, count, from, to) => {
                let pools = self.pools(place.tokens, &place.owner)?;
                let count = count.as_ref().map(|count| self.number(count)).transpose()?;
                OpKind::MoveTokens(pools, count, self.set(from)?, self.set(to)?)
            }
            StmtKind::PutIn(piece, count, zone) => {
                OpKind::PutIn(self.make(piece)?, self.number(count)?, self.zone(zone)?)
            }
            StmtKind::Shuffle(zone) => OpKind::Shuffle(self.zone(zone)?),
            StmtKind::MovePieces { selection, from, to, under } => {
                let parts = (self.selection(selection)?, self.location(from)?, self.location(to)?);
                OpKind::MovePieces(Box::new(parts), *under)
            }
            StmtKind::Move(from, to) => match (self.set(from)?, self.set(to)?) {
                (Set::One(from), Set::One(to)) => OpKind::MoveSite(*from, *to),
                (from, to) => OpKind::Move(from, to),
            },
            StmtKind::Remove(sites) => OpKind::Remove(self.set(sites)?),
            StmtKind::Swap(a, b) => OpKind::Swap(self.set(a)?, self.set(b)?),
            StmtKind::Rotate(sites, by) => OpKind::Rotate(self.set(sites)?, self.number(by)?),
            StmtKind::Change(at, fields) => OpKind::Change(self.location(at)?, self.fields(fields)?),
            StmtKind::Sow { place, from, along, skip, last } => OpKind::Sow(Box::new(Sow {
                pools: self.pools(place.tokens, &place.owner)?,
                from: self.set(from)?,
                along: self.set(along)?,
                skip: skip.as_ref().map(|skip| self.set(skip)).transpose()?,
                last: (*last, self.number_home(*last)?),
            })),
            StmtKind::Assign(var, indices, value) => {
                let cell = Box::new(self.var(*var, indices)?);
                match self.var_homes.get(usize::from(*var)) {
                    Some(Home::Number(_)) => OpKind::AssignNumber(cell, self.number(value)?),
                    Some(Home::Set(_)) => OpKind::AssignSet(cell, self.set(value)?),
                    Some(Home::List(_)) => OpKind::AssignList(cell, self.list(value)?),
                    Some(Home::Nowhere) | None => return Err(Gap("a variable for moves")),
                }
            }
            StmtKind::If(condition, yes, no) => match self.test(condition)?.settled() {
                Ok(true) => OpKind::Do(*yes),
                Ok(false) => no.map_or(OpKind::Nothing, OpKind::Do),
                Err(test) => OpKind::If(test, *yes, *no),
            },
            StmtKind::For(slot, over, from, body) => {
                let source = Box::new(self.source(over)?);
                let from = from.as_ref().map(|from| self.number(from)).transpose()?;
                OpKind::For(*slot, self.number_home(*slot)?, source, from, *body)
            }
            StmtKind::While(condition, body) => {
                let test = self.test(condition)?;
                if matches!(test, Test::Const(false)) { OpKind::Nothing } else { OpKind::While(test, *body) }
            }
            StmtKind::Repeat(count, body) => OpKind::Repeat(self.number(count)?, *body),
            StmtKind::Turns(from, body) => OpKind::Turns(from.as_ref().map(|p| self.number(p)).transpose()?, *body),
            StmtKind::Phase(phase, body) => OpKind::Phase(*phase, *body),
            StmtKind::Call(params, body) => {
                let mut binds = Vec::new();
                for (slot, value) in params {
                    binds.push((*slot, self.bind(*slot, value)?));
                }
                OpKind::Call(binds.into(), *body)
            }
            StmtKind::Stop => OpKind::Stop,
            StmtKind::Give(seat) => OpKind::Give(self.number(seat)?),
            StmtKind::Win(seats) => OpKind::Decide(Verdict::Win, self.set(seats)?),
            StmtKind::Lose(seats) => OpKind::Decide(Verdict::Loss, self.set(seats)?),
            StmtKind::Draw => OpKind::Draw,
            StmtKind::Rank(slot, seats, by) => {
                OpKind::Rank(self.number_home(*slot)?, self.set(seats)?, self.number(by)?)
            }
            StmtKind::Place(seats) => OpKind::Place(true, self.set(seats)?),
            StmtKind::Eliminate(seats) => OpKind::Place(false, self.set(seats)?),
            StmtKind::Plays { seat, may, groups, otherwise } => OpKind::Plays {
                seat: self.number(seat)?,
                may: *may,
                groups: groups.iter().map(|group| group.clone().into_boxed_slice()).collect(),
                otherwise: *otherwise,
                answers: Answers::Perhaps,
            },
            StmtKind::Together { seats, groups } => OpKind::Together(
                self.set(seats)?,
                groups.iter().map(|group| group.clone().into_boxed_slice()).collect(),
            ),
            StmtKind::Race { seats, group, until, otherwise } => OpKind::Race(Box::new(Race {
                seats: self.set(seats)?,
                group: group.clone().into_boxed_slice(),
                until: until.as_ref().map(|until| self.number(until)).transpose()?,
                otherwise: *otherwise,
            })),
        })
    }

    fn offered(&mut self, slot: Slot, set: &Expr) -> Result<Offered<W>, Gap> {
        Ok(Offered { slot, home: self.number_home(slot)?, values: self.values(set)? })
    }

    fn make(&mut self, piece: &PieceExpr) -> Result<Make<W>, Gap> {
        let kind = self.number(&piece.kind)?;
        let owner = match &piece.owner {
            Owner::Me => Owned::Me,
            Owner::Seat(seat) if Class::of(seat) == Class::Number => {
                let seat = self.number(seat)?;
                Owned::First(if let Number::Const(n) = seat {
                    Set::Const(W::one(to_index(n)))
                } else {
                    Set::One(Box::new(seat))
                })
            }
            Owner::Seat(seats) => Owned::First(self.set(seats)?),
            Owner::Others | Owner::Anyone => Owned::Nobody,
        };
        let fields = self.fields(&piece.fields)?;
        if let (Number::Const(kind), Owned::Nobody, []) = (&kind, &owner, fields.as_ref()) {
            return Ok(Make::Known(self.pieces.made(to_index(*kind), None)));
        }
        Ok(Make::Of(Box::new(kind), owner, fields))
    }

    fn fields(&mut self, fields: &[(String, Expr)]) -> Result<Fields<W>, Gap> {
        let mut lowered = Vec::new();
        for (name, value) in fields {
            let field = self.pieces.field(name).ok_or(Gap("a field that is not there"))?;
            lowered.push((field, self.number(value)?));
        }
        Ok(lowered.into())
    }

    fn location(&mut self, location: &ir::PieceLocation) -> Result<PieceLocation<W>, Gap> {
        Ok(match location {
            ir::PieceLocation::Sites(sites) => PieceLocation::Sites(self.set(sites)?),
            ir::PieceLocation::Zone(zone) => PieceLocation::Zone(self.zone(zone)?),
        })
    }

    fn selection(&mut self, selection: &ir::PieceSelection) -> Result<PieceSelection<W>, Gap> {
        Ok(match selection {
            ir::PieceSelection::Top(n) => PieceSelection::Top(self.number(n)?),
            ir::PieceSelection::Bottom(n) => PieceSelection::Bottom(self.number(n)?),
            ir::PieceSelection::All => PieceSelection::All,
            ir::PieceSelection::These(which) if Class::of(which) == Class::Number => {
                PieceSelection::This(self.number(which)?)
            }
            ir::PieceSelection::These(which) => PieceSelection::These(self.list(which)?),
        })
    }

    /// Lowers an action. A guard moves up to the last parameter it refers to, and is merged into that parameter's
    /// set.
    pub(super) fn action(&mut self, action: &ir::Action) -> Result<Action<W>, Gap> {
        let mut head: Vec<Head<W>> = Vec::new();
        // The names that each line binds, to determine where a guard belongs.
        let mut bound: Vec<Vec<Slot>> = Vec::new();
        let mut late = Vec::new();
        for line in &action.head {
            match line {
                Header::Choose(choice) => {
                    let values = self.values(&choice.set)?;
                    let local = self.number_home(choice.slot)?;
                    head.push(Head::Choose(choice.slot, local, values));
                    bound.push(vec![choice.slot]);
                }
                Header::Let(slot, value, _) | Header::Late(slot, value, _) => {
                    let named = Head::Let(*slot, self.bind(*slot, value)?);
                    // A name for the effects comes after all that decides; where they are tried out it stays.
                    if matches!(line, Header::Late(..)) && action.ensure.is_empty() {
                        late.push(named);
                    } else {
                        head.push(named);
                        bound.push(vec![*slot]);
                    }
                }
                Header::Require(guard, _) => {
                    let needs = Dependencies::of(self.game, guard);
                    let after = bound.len() - bound.iter().rev().take_while(|names| !needs.any_of(names)).count();
                    let before = after.checked_sub(1).and_then(|at| head.get_mut(at));
                    if let Some(Head::Choose(slot, _, Values::Set(set))) = before {
                        let (slot, set) = (*slot, std::mem::replace(set, Set::Playing));
                        let restricted = self.restrict(slot, set, guard)?;
                        if let Some(Head::Choose(_, _, Values::Set(set))) = head.get_mut(after - 1) {
                            *set = restricted;
                        }
                    } else {
                        let test = self.test(guard)?;
                        if !matches!(test, Test::Const(true)) {
                            head.insert(after, Head::Require(test));
                            bound.insert(after, Vec::new());
                        }
                    }
                }
                Header::Prefer(worth, _) => {
                    head.push(Head::Prefer(self.number(worth)?));
                    bound.push(Vec::new());
                }
            }
        }
        head.extend(late);
        let mut ensure = Vec::new();
        for (guard, _) in &action.ensure {
            self.ensure(guard, &mut ensure)?;
        }
        let names = head.iter().rev().take_while(|line| matches!(line, Head::Let(..))).count();
        let tail = if ensure.is_empty() { head.len() - names } else { head.len() };
        let looks = self.past.legality(action);
        Ok(Action {
            head: head.into(),
            tail,
            body: action.body,
            trial: action.body,
            ensure: ensure.into(),
            reversible: true,
            looks,
            touch: None,
            lasting: None,
        })
    }

    /// Adds a guard on the position after the effects: all parts that have to hold, each by itself, so that a move
    /// tests again only those that it touches.
    fn ensure(&mut self, guard: &Expr, into: &mut Vec<Test<W>>) -> Result<(), Gap> {
        if let ExprKind::And(a, b) = &guard.kind {
            self.ensure(a, into)?;
            return self.ensure(b, into);
        }
        if let Some(few) = self.few(guard).filter(|few| few.all) {
            for member in few.members {
                self.with_known(few.slot, member, |lower| lower.ensure(few.body, into))?;
            }
            return Ok(());
        }
        into.push(match self.guard(guard)? {
            Some(cached) => Test::Memo(cached, Box::default()),
            None => self.test(guard)?,
        });
        Ok(())
    }

    pub(super) fn end(&mut self, number: u16, end: &EndRule) -> Result<End<W>, Gap> {
        let looks = self.past.looks(&end.when);
        Ok(End { number, when: self.test(&end.when)?, looks, body: end.body, rule: end.rule })
    }
}
