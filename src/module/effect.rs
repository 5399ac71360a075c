//! Statements that ask nothing.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Exit, Help, Key, Out, Wide};
use super::scope::Bound;
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{Bind, Home, Op, OpKind, PieceLocation};
use crate::ir::{BlockId, RuleId, Slot};
use crate::model::Verdict;

/// How a game ended, as the module says it; see `docs/module.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The named seats won, or lost.
    Won = 1,
    Lost,
    Drawn,
    /// Seats are ranked by scores.
    Scored,
    /// Every seat has its rank.
    Placed,
    /// The seat asked has no legal move.
    NoMove,
    /// Play reached its last statement.
    PlayedOut,
}

/// Where a rule would stand.
const NO_RULE: i32 = -1;

/// What a function returns that ran statements.
pub(super) const NEXT: i32 = 0;
pub(super) const STOP: i32 = 1;
pub(super) const OVER: i32 = 2;

impl<'a> Emit<'a> {
    /// Translates a block that asks nothing. Names bound in it go out of scope, unless they are asked for.
    pub(super) fn code(&mut self, block: BlockId) -> Out {
        let scope = self.scope();
        self.with_lists(|emit| emit.code_in_scope(block))?;
        self.leave_scope(scope);
        Ok(())
    }

    pub(super) fn code_in_scope(&mut self, block: BlockId) -> Out {
        let program = self.program;
        let Some(code) = program.code.get(usize::from(block)) else { return Ok(()) };
        for op in &code.ops {
            self.effect(op)?;
        }
        Ok(())
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    pub(super) fn effect(&mut self, op: &'a Op<Wide>) -> Out {
        self.bounded()?;
        self.rule = op.rule;
        match &op.kind {
            OpKind::Nothing => {}
            OpKind::Let(_, bind) => {
                let bound = self.lasting_value_of(bind)?;
                self.enter(bound);
            }
            OpKind::Do(block) => self.code(*block)?,
            OpKind::If(test, yes, no) => {
                self.test(test)?;
                self.f.when();
                self.code(*yes)?;
                if let Some(no) = no {
                    self.f.otherwise();
                    self.code(*no)?;
                }
                self.f.end();
            }
            OpKind::Call(binds, body) => self.procedure(binds, *body)?,
            OpKind::Put(make, on) => {
                let piece = self.made(make)?;
                let sites = self.set(on)?;
                self.f.get(piece).op(I::I64Eqz).op(I::I32Eqz);
                self.f.when();
                self.members(&sites, &mut |emit, site, _| {
                    emit.put(site, piece);
                    Ok(())
                })?;
                self.f.end();
            }
            OpKind::PutTokens(pools, number, on) => {
                self.number(number)?;
                let number = self.token_count();
                let sites = self.set(on)?;
                let pools = self.pools(pools)?;
                self.each_pool(&pools, &mut |emit, pool| {
                    emit.members(&sites, &mut |emit, site, _| {
                        emit.add_tokens(pool, site, number);
                        Ok(())
                    })
                })?;
            }
            OpKind::MoveTokens(pools, number, from, to) => self.move_tokens(pools, number.as_ref(), from, to)?,
            OpKind::Sow(sow) => {
                let last = self.f.word();
                self.sow(sow, &mut |emit, site| {
                    emit.f.get(site).set(last);
                })?;
                self.enter(Bound::Number(sow.last.1, last));
            }
            OpKind::MoveSite(from, to) => {
                self.number(from)?;
                let from = self.f.keep();
                self.number(to)?;
                let to = self.f.keep();
                self.move_piece(from, to);
            }
            OpKind::Move(from, to) => {
                let (from, to) = (self.set(from)?, self.set(to)?);
                self.both_first(&from, &to, &mut |emit, from, to| emit.move_piece(from, to));
            }
            OpKind::Remove(sites) => {
                let sites = self.set(sites)?;
                self.members(&sites, &mut |emit, site, _| {
                    let none = emit.f.word();
                    emit.f.long(0).set(none);
                    emit.put(site, none);
                    Ok(())
                })?;
            }
            OpKind::Swap(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                let sites = i64::saturating_from(self.program.sites);
                self.both_first(&a, &b, &mut |emit, a, b| {
                    emit.f.get(a).long(sites).op(I::I64LtU).get(b).long(sites).op(I::I64LtU).op(I::I32And);
                    emit.f.when();
                    let (there, here) = (emit.piece_on(a), emit.piece_on(b));
                    emit.put(a, here);
                    emit.put(b, there);
                    emit.f.end();
                });
            }
            OpKind::Change(PieceLocation::Sites(sites), fields) => self.change(sites, fields)?,
            OpKind::AssignNumber(cell, value) => {
                self.cell_changes(0, cell);
                self.place(cell)?;
                let place = self.f.keep();
                self.number(value)?;
                let value = self.f.keep();
                self.f.get(place).long(i64::saturating_from(self.program.cells[0])).op(I::I64LtU);
                self.f.when();
                self.f.get(place).op(I::I32WrapI64).int(3).op(I::I32Shl).get(value).store(self.layout.vars);
                self.f.end();
            }
            OpKind::AssignSet(cell, value) => {
                self.cell_changes(1, cell);
                self.place(cell)?;
                let place = self.f.keep();
                let value = self.set(value)?;
                self.f.get(place).long(i64::saturating_from(self.program.cells[1])).op(I::I64LtU);
                self.f.when();
                self.f.get(place).op(I::I32WrapI64).int(self.bytes.cast_signed()).op(I::I32Mul);
                let at = self.f.keep_small();
                self.write_set_at(at, self.layout.var_sets, &value);
                self.f.end();
            }
            OpKind::For(_, at, source, from, body) => self.for_each(*at, source, from.as_ref(), *body)?,
            OpKind::While(test, body) => {
                let done = self.f.block();
                let again = self.f.again();
                self.test(test)?;
                self.f.op(I::I32Eqz).br_if(done);
                self.f.stop_if_spent();
                self.code(*body)?;
                self.f.br(again);
                self.f.end_loop();
                self.f.end();
            }
            OpKind::Repeat(number, body) => {
                self.number(number)?;
                let left = self.token_count();
                let done = self.f.block();
                let again = self.f.again();
                self.f.get(left).op(I::I64Eqz).br_if(done);
                self.f.get(left).long(1).op(I::I64Sub).set(left);
                self.f.stop_if_spent();
                self.code(*body)?;
                self.f.br(again);
                self.f.end_loop();
                self.f.end();
            }
            OpKind::Stop => self.leave_by(STOP),
            OpKind::Give(seat) => {
                self.number(seat)?;
                self.seat_number();
                let seat = self.f.keep_small();
                let at = self.layout.next_mover;
                self.f.write_int(at, |f| {
                    f.get(seat);
                });
            }
            OpKind::Decide(verdict, seats) => {
                let named = self.set(seats)?;
                self.any(&named);
                self.f.when();
                self.write_set(self.layout.named, &named);
                match verdict {
                    Verdict::Win => self.finish_by(Over::Won, op.rule),
                    Verdict::Loss | Verdict::Draw | Verdict::Open => self.finish_by(Over::Lost, op.rule),
                }
                self.f.end();
            }
            OpKind::Draw => self.finish_by(Over::Drawn, op.rule),
            OpKind::Rank(at, seats, by) => {
                let ranked = self.set(seats)?;
                self.write_set(self.layout.named, &ranked);
                for seat in 0..u32::saturating_from(self.game.seats.len()) {
                    let score = self.f.word();
                    let number = self.f.word();
                    self.f.long(0).set(score).long(seat.into()).set(number);
                    self.contains(&ranked, number);
                    self.f.when();
                    let scope = self.scope();
                    self.numbers.push((*at, number));
                    self.number(by)?;
                    self.leave_scope(scope);
                    self.f.set(score);
                    self.f.end();
                    let address = self.layout.scores + 8 * seat;
                    self.f.int(0).get(score).store(address);
                }
                self.finish_by(Over::Scored, op.rule);
            }
            OpKind::Place(from_top, seats) => {
                self.playing_changes();
                let (seats, playing) = (self.set(seats)?, self.playing());
                let named = self.and(&seats, &playing);
                self.any(&named);
                self.f.when();
                for &part in &named {
                    self.f.part(part);
                }
                self.help(if *from_top { Help::PlaceTop } else { Help::PlaceBottom });
                self.f.when();
                self.finish_by(Over::Placed, op.rule);
                self.f.end();
                self.f.end();
            }
            OpKind::PutIn(make, number, zone) => self.put_in(make, number, zone)?,
            OpKind::MovePieces(parts, under) => self.move_pieces(parts, *under)?,
            OpKind::AssignList(cell, list) => {
                self.cell_changes(2, cell);
                let (held, room) = (self.held(cell)?, self.layout.var_lists.room);
                self.with_lists(|emit| {
                    let span = emit.span(list)?;
                    emit.f.get(held);
                    emit.f.when();
                    emit.store_list(held, room, span);
                    emit.f.end();
                    Ok(())
                })?;
            }
            OpKind::Change(PieceLocation::Zone(zone), fields) => self.change_zone(zone, fields)?,
            OpKind::Rotate(sites, by) => self.rotate(sites, by)?,
            OpKind::Pick(..)
            | OpKind::Roll(_)
            | OpKind::Shuffle(_)
            | OpKind::Turns(..)
            | OpKind::Phase(..)
            | OpKind::Plays { .. }
            | OpKind::Together(..)
            | OpKind::Race(_) => return Err(Gap("a question where nothing is asked")),
        }
        Ok(())
    }

    /// Replaces a number by that of a seat, 32 bits: what is too great or negative names no seat.
    pub(super) fn seat_number(&mut self) {
        const NOBODY: i64 = 255;
        let seat = self.f.keep();
        self.f.get(seat).long(NOBODY).get(seat).long(NOBODY).op(I::I64LtU).op(I::Select).op(I::I32WrapI64);
    }

    /// Calls a procedure that asks nothing: a function of its own, since it may be called from many places.
    fn procedure(&mut self, binds: &'a [(Slot, Bind<Wide>)], body: BlockId) -> Out {
        let mut taken = Vec::new();
        self.with_lists(|emit| {
            for (_, bind) in binds {
                match bind {
                    Bind::Number(at, number) => {
                        emit.number(number)?;
                        taken.push(Home::Number(*at));
                    }
                    Bind::Set(at, set) => {
                        let set = emit.set(set)?;
                        for &part in &set {
                            emit.f.part(part);
                        }
                        taken.push(Home::Set(*at));
                    }
                    Bind::List(at, list) => {
                        let span = emit.built(list)?;
                        emit.f.get(span.at).get(span.end);
                        taken.push(Home::List(*at));
                    }
                }
            }
            emit.taken.insert(body, taken);
            emit.call(Key::Procedure(body));
            emit.go_on();
            Ok(())
        })
    }

    /// Goes on if a function that ran statements says so, by the number on the stack; else leaves as it says.
    pub(super) fn go_on(&mut self) {
        let flow = self.f.keep_small();
        match self.exit.clone() {
            Exit::Return => {
                self.f.get(flow);
                self.f.when();
                self.f.get(flow).op(I::Return);
                self.f.end();
            }
            Exit::Leave(label) => {
                self.f.get(flow).br_if(label);
            }
            Exit::Course { stop, over } => {
                self.left = true;
                self.f.get(flow).int(OVER).op(I::I32Eq);
                self.f.when();
                self.f.goto(over);
                self.f.end();
                if let Some(stop) = stop {
                    self.f.get(flow);
                    self.f.when();
                    self.f.goto(stop);
                    self.f.end();
                }
            }
        }
    }

    /// Ends the turns or the game.
    pub(super) fn leave_by(&mut self, flow: i32) {
        match self.exit.clone() {
            Exit::Return => {
                self.f.int(flow).op(I::Return);
            }
            Exit::Leave(label) => {
                self.f.br(label);
            }
            Exit::Course { stop, over } => {
                self.left = true;
                self.f.goto(stop.filter(|_| flow == STOP).unwrap_or(over));
            }
        }
    }

    /// Ends the game by a rule.
    fn finish_by(&mut self, how: Over, rule: RuleId) {
        self.note_end(how, Some(rule));
        self.leave_by(OVER);
    }

    /// Writes down how the game ended.
    pub(super) fn note_end(&mut self, how: Over, rule: Option<RuleId>) {
        let (over, end, by, from) = (self.layout.over, self.layout.over_end, self.layout.over_rule, self.layout.end);
        let rule = rule.map_or(NO_RULE, |rule| i32::saturating_from(usize::from(rule)));
        self.f.write_int(over, |f| {
            f.int(how as i32);
        });
        self.f.write_int(end, |f| {
            f.read_int(from);
        });
        self.f.write_int(by, |f| {
            f.int(rule);
        });
    }
}
