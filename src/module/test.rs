//! Expressions whose value is a truth value: each leaves 0 or 1 on the stack, 32 bits.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Key, Out, Wide};
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{Set, Test};
use crate::ir::{ActionRef, Order, SetOp};

impl<'a> Emit<'a> {
    #[expect(clippy::too_many_lines, reason = "one arm per kind of test")]
    pub(super) fn test(&mut self, test: &'a Test<Wide>) -> Out {
        match test {
            Test::Const(value) => {
                self.f.int((*value).into());
            }
            Test::Number(number) => {
                self.number(number)?;
                self.f.long(0).op(I::I64Ne);
            }
            Test::Not(inner) => {
                self.test(inner)?;
                self.f.op(I::I32Eqz);
            }
            Test::And(both) => self.decided(&both.0, &both.1, false)?,
            Test::Or(both) => self.decided(&both.0, &both.1, true)?,
            Test::Iff(both) => {
                self.test(&both.0)?;
                self.test(&both.1)?;
                self.f.op(I::I32Eq);
            }
            Test::If(parts) => {
                self.test(&parts.0)?;
                self.f.choice(ValType::I32);
                self.test(&parts.1)?;
                self.f.otherwise();
                self.test(&parts.2)?;
                self.f.end();
            }
            Test::Compare(order, both) => {
                self.number(&both.0)?;
                self.number(&both.1)?;
                self.f.op(match order {
                    Order::Lt => I::I64LtS,
                    Order::Le => I::I64LeS,
                    Order::Gt => I::I64GtS,
                    Order::Ge => I::I64GeS,
                });
            }
            Test::Equal(both) => {
                self.number(&both.0)?;
                self.number(&both.1)?;
                self.f.op(I::I64Eq);
            }
            Test::Is(number, n) => {
                self.number(number)?;
                self.f.long(*n).op(I::I64Eq);
            }
            Test::SameSet(both) => {
                let (a, b) = (self.set(&both.0)?, self.set(&both.1)?);
                let differ = self.combined(&a, &b, |a, b| a ^ b, &[I::I64Xor]);
                self.none(&differ);
            }
            Test::NoneOf(set) => {
                self.some(set)?;
                self.f.op(I::I32Eqz);
            }
            Test::In(both) => {
                self.number(&both.0)?;
                let member = self.f.keep();
                self.has(&both.1, member)?;
            }
            Test::InRange(parts) => {
                self.number(&parts.0)?;
                let n = self.f.keep();
                self.number(&parts.1)?;
                self.f.get(n).op(I::I64LeS).get(n);
                self.number(&parts.2)?;
                self.f.op(I::I64LeS).op(I::I32And);
            }
            Test::Within(both) => {
                let (a, b) = (self.set(&both.0)?, self.set(&both.1)?);
                let beyond = self.minus(&a, &b);
                self.none(&beyond);
            }
            Test::Meets(both) => {
                if let (Set::Compared(compared), sites) = both.as_ref()
                    && matches!(compared.0, Set::Path(_))
                {
                    return self.sees(compared, sites);
                }
                if let (Set::Path(route), sites) | (sites, Set::Path(route)) = both.as_ref() {
                    return self.leads_to(route, sites);
                }
                let (a, b) = (self.set(&both.0)?, self.set(&both.1)?);
                let shared = self.and(&a, &b);
                self.any(&shared);
            }
            Test::InPhase(phase) => {
                self.f.read_int(self.layout.phase).int(i32::saturating_from(usize::from(*phase))).op(I::I32Eq);
            }
            Test::ByMe(values) => {
                self.me();
                self.told(values);
            }
            Test::ByLocal(at, values) => {
                self.local(*at);
                self.told(values);
            }
            Test::ByMeAnd(at, size, values) => {
                self.me_and(*at, *size);
                self.told(values);
            }
            Test::ByPiece(site, values) => {
                self.piece_at(site)?;
                self.f.op(I::I64ExtendI32U);
                self.told(values);
            }
            Test::Table(table) => {
                self.table_index(&table.by)?;
                self.told(&table.values);
            }
            Test::Quantified(all, both) => {
                self.once(|emit| {
                    emit.found(&mut |emit, found| {
                        emit.each(&both.0, 0, &mut |emit| {
                            emit.test(&both.1)?;
                            if *all {
                                emit.f.op(I::I32Eqz);
                            }
                            emit.f.br_if(found);
                            Ok(())
                        })
                    })
                })?;
                if *all {
                    self.f.op(I::I32Eqz);
                }
            }
            Test::Row(both) => self.has_row(&both.0, &both.1)?,
            Test::Connected(sets) => {
                let (a, b, set) = (self.set(&sets[0])?, self.set(&sets[1])?, self.set(&sets[2])?);
                let ways = self.set(&sets[3])?;
                let reached = self.flood(&a, &set, &ways)?;
                let shared = self.and(&reached, &b);
                self.any(&shared);
            }
            Test::CanPlay(asked) => {
                self.number(&asked.0)?;
                let seat = self.f.keep();
                let found = self.f.small();
                self.f.int(0).set(found);
                let playing = self.playing();
                self.contains(&playing, seat);
                self.f.when();
                let me = self.layout.me;
                self.f.read_int(me);
                let before = self.f.keep_small();
                self.f.write_int(me, |f| {
                    f.get(seat).op(I::I32WrapI64);
                });
                let actions: Vec<ActionRef> = asked.1.to_vec();
                let top = self.noted_walker();
                self.call(Key::Any(actions.clone()));
                self.f.set(found);
                if let Some(top) = top {
                    self.drop_walkers(top);
                }
                // What was found is about that seat.
                self.forget_reasons(actions.iter());
                self.f.write_int(me, |f| {
                    f.get(before);
                });
                self.f.end();
                self.f.get(found);
            }
            Test::Memo(memo, args) => {
                for value in self.defined(*memo, args)? {
                    self.f.get(value);
                }
            }
            Test::With(both) => {
                self.with_lists(|emit| {
                    let scope = emit.scope();
                    emit.bind_all(&both.0)?;
                    emit.test(&both.1)?;
                    emit.leave_scope(scope);
                    Ok(())
                })?;
            }
            Test::InList(both) => {
                self.number(&both.0)?;
                let member = self.f.keep();
                self.is_listed(&both.1, member)?;
            }
            Test::NoneIn(list) => self.is_empty(list)?,
            Test::SameList(both) => self.same_lists(both)?,
            Test::MeetsList(both) => self.any_among(both, true)?,
            Test::WithinList(both) => {
                self.any_among(both, false)?;
                self.f.op(I::I32Eqz);
            }
            Test::Line(_) => return Err(Gap("rows of a length that changes")),
            Test::Repeats(ply) => self.repeats(ply)?,
        }
        Ok(())
    }

    /// The second test counts only if the first does not decide.
    fn decided(&mut self, first: &'a Test<Wide>, second: &'a Test<Wide>, by: bool) -> Out {
        self.test(first)?;
        self.f.choice(ValType::I32);
        if by {
            self.f.int(1).otherwise();
            self.test(second)?;
        } else {
            self.test(second)?;
            self.f.otherwise().int(0);
        }
        self.f.end();
        Ok(())
    }

    /// Replaces the index on the stack by the entry of a table.
    fn told(&mut self, values: &[bool]) {
        let base = self.table(values.iter().map(|&value| value.into()).collect());
        self.entry(base, values.len(), 0);
        self.f.load_byte(0);
    }

    /// Leaves on the stack whether the number in a local is in a set; sets that need not be made are not.
    fn has(&mut self, set: &'a Set<Wide>, member: u32) -> Out {
        if let Set::Op(op, both) = set {
            self.has(&both.0, member)?;
            self.f.choice(ValType::I32);
            match op {
                SetOp::Union => {
                    self.f.int(1).otherwise();
                    self.has(&both.1, member)?;
                }
                SetOp::Intersect => {
                    self.has(&both.1, member)?;
                    self.f.otherwise().int(0);
                }
                SetOp::Minus => {
                    self.has(&both.1, member)?;
                    self.f.op(I::I32Eqz).otherwise().int(0);
                }
            }
            self.f.end();
            return Ok(());
        }
        if let Set::One(number) = set {
            self.number(number)?;
            self.f.get(member).op(I::I64Eq).get(member).long(0).op(I::I64GeS).op(I::I32And);
            return Ok(());
        }
        let set = self.set(set)?;
        self.contains(&set, member);
        Ok(())
    }
}
