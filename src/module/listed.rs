//! Lists that are gone through one by one. Most are not made: the members of zones, ranges and parts of them come one after
//! the other. Only what has to be put in order is, and what changes while it is gone through.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Out, Wide};
use super::func::Label;
use super::span::Span;
use crate::base::{SaturatingFrom, to_index};
use crate::compile::Gap;
use crate::compile::program::{List, Number, Sort};
use crate::ir::SetOp;

/// What is not gone through.
pub(super) const LOOPS: Gap = Gap("a loop that nothing is known of");

impl<'a> Emit<'a> {
    /// Does something for each member, which is in a local, in their order.
    pub(super) fn each_listed(&mut self, list: &'a List<Wide>, each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        match list {
            List::Const(_) | List::Local(_) | List::Var(_) | List::Zone(_) => {
                let span = self.span(list)?;
                self.each_in(span, each)
            }
            List::Some(members, _) if members.len() <= 1 => {
                for member in members {
                    self.number(member)?;
                    let member = self.f.keep();
                    each(self, member)?;
                }
                Ok(())
            }
            List::Range(both) => self.each_between(both, each),
            List::Last(inner) => {
                let (last, some) = (self.f.word(), self.f.small());
                self.f.int(0).set(some);
                self.last(inner, last, some)?;
                self.f.get(some);
                self.f.when();
                each(self, last)?;
                self.f.end();
                Ok(())
            }
            List::Filter(at, both) => self.once(|emit| {
                emit.each_listed(&both.0, &mut |emit, member| {
                    let scope = emit.scope();
                    emit.numbers.push((*at, member));
                    emit.test(&both.1)?;
                    emit.leave_scope(scope);
                    emit.f.when();
                    each(emit, member)?;
                    emit.f.end();
                    Ok(())
                })
            }),
            List::Op(op @ (SetOp::Intersect | SetOp::Minus), both, _) => {
                let (all, other) = (&both.0, &both.1);
                self.beside(
                    |emit| emit.sought(other),
                    |emit, other| {
                        emit.each_listed(all, &mut |emit, member| {
                            emit.is_found(&other, member)?;
                            if *op == SetOp::Minus {
                                emit.f.op(I::I32Eqz);
                            }
                            emit.f.when();
                            each(emit, member)?;
                            emit.f.end();
                            Ok(())
                        })
                    },
                )
            }
            List::If(parts) => {
                self.test(&parts.0)?;
                self.f.when();
                self.each_listed(&parts.1, each)?;
                self.f.otherwise();
                self.each_listed(&parts.2, each)?;
                self.f.end();
                Ok(())
            }
            List::Fold(both, Sort::Pieces) => self.each(&both.0, 0, &mut |emit| emit.each_listed(&both.1, each)),
            List::With(both) => {
                let scope = self.scope();
                self.beside(|emit| emit.bind_all(&both.0), |emit, ()| emit.each_listed(&both.1, each))?;
                self.leave_scope(scope);
                Ok(())
            }
            List::Some(..) | List::Op(SetOp::Union, ..) | List::Top(..) | List::Fold(..) => {
                self.beside(|emit| emit.built(list), |emit, span| emit.each_in(span, each))
            }
            List::Ways(route) => self.each_way_of(route, true, each),
        }
    }

    fn each_between(
        &mut self,
        both: &'a (Number<Wide>, Number<Wide>),
        each: &mut dyn FnMut(&mut Self, u32) -> Out,
    ) -> Out {
        self.number(&both.0)?;
        let next = self.f.keep();
        self.number(&both.1)?;
        let last = self.f.keep();
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(next).get(last).op(I::I64GtS).br_if(done);
        self.f.stop_if_spent();
        self.f.get(next);
        let member = self.f.keep();
        each(self, member)?;
        // The greatest number has none behind it.
        self.f.get(next).get(last).op(I::I64Eq).br_if(done);
        self.f.get(next).long(1).op(I::I64Add).set(next).br(again);
        self.f.end_loop();
        self.f.end();
        Ok(())
    }

    /// Sets a local to the last member, and another to 1, if there is one.
    fn last(&mut self, list: &'a List<Wide>, last: u32, some: u32) -> Out {
        if let List::Zone(cell) = list {
            let zone = self.zone(cell)?;
            let span = self.members_of(zone, true);
            self.f.get(span.end).get(span.at).op(I::I32GtU);
            self.f.when();
            self.f.get(span.end).int(2).op(I::I32Sub).load_short(0).op(I::I64ExtendI32U).set(last).int(1).set(some);
            self.f.end();
            return Ok(());
        }
        self.each_listed(list, &mut |emit, member| {
            emit.f.get(member).set(last).int(1).set(some);
            Ok(())
        })
    }

    /// Appends the members to the list that is being made.
    pub(super) fn add_listed(&mut self, list: &'a List<Wide>) -> Out {
        match list {
            List::Some(members, sort) => {
                let from = self.top();
                for member in members {
                    self.number(member)?;
                    let member = self.f.keep();
                    self.append(member);
                }
                if members.len() > 1 {
                    self.tidy(from, *sort);
                }
                Ok(())
            }
            List::Op(SetOp::Union, both, sort) => {
                let from = self.top();
                self.add_listed(&both.0)?;
                self.add_listed(&both.1)?;
                self.tidy(from, *sort);
                Ok(())
            }
            List::Fold(both, sort) => {
                let from = self.top();
                self.each(&both.0, 0, &mut |emit| emit.add_listed(&both.1))?;
                self.tidy(from, *sort);
                Ok(())
            }
            List::Top(at, both) => self.beside(
                |emit| emit.span(&both.0),
                |emit, span| {
                    let from = emit.top();
                    emit.f.long(i64::MIN);
                    let best = emit.f.keep();
                    emit.each_in(span, &mut |emit, member| {
                        let scope = emit.scope();
                        emit.numbers.push((*at, member));
                        emit.number(&both.1)?;
                        emit.leave_scope(scope);
                        let worth = emit.f.keep();
                        emit.f.get(worth).get(best).op(I::I64GtS);
                        emit.f.when();
                        emit.f.get(worth).set(best).get(from).op(I::GlobalSet(super::func::TOP));
                        emit.f.end();
                        emit.f.get(worth).get(best).op(I::I64Eq);
                        emit.f.when();
                        emit.append(member);
                        emit.f.end();
                        Ok(())
                    })
                },
            ),
            List::Const(_)
            | List::Local(_)
            | List::Var(_)
            | List::Zone(_)
            | List::Ways(_)
            | List::Last(_)
            | List::Range(_)
            | List::Op(..)
            | List::If(_)
            | List::Filter(..)
            | List::With(_) => self.each_listed(list, &mut |emit, member| {
                emit.append(member);
                Ok(())
            }),
        }
    }

    /// The members of a list: where they lie if they do, else they are made.
    pub(super) fn span(&mut self, list: &'a List<Wide>) -> Out<Span> {
        match list {
            List::Const(members) => Ok(self.span_of_table(members)),
            List::Zone(cell) => {
                let zone = self.zone(cell)?;
                Ok(self.members_of(zone, true))
            }
            List::Var(cell) => {
                let held = self.held(cell)?;
                Ok(self.members_of(held, false))
            }
            List::Local(at) => {
                if let Some(&(_, span)) = self.lists.iter().rev().find(|(name, _)| name == at) {
                    return Ok(span);
                }
                let first = self.local_list(*at).ok_or(Gap("a list that no name holds"))?.first;
                self.f.at(first);
                let list = self.f.keep_small();
                Ok(self.members_of(list, false))
            }
            List::Ways(_)
            | List::Last(_)
            | List::Range(_)
            | List::Some(..)
            | List::Op(..)
            | List::If(_)
            | List::Filter(..)
            | List::Top(..)
            | List::Fold(..)
            | List::With(_) => self.built(list),
        }
    }

    /// A list whose members are looked for one after the other: made, unless it can be searched as it is.
    pub(super) fn sought(&mut self, list: &'a List<Wide>) -> Out<Sought<'a>> {
        let plain = match list {
            List::Const(_) | List::Local(_) | List::Var(_) | List::Zone(_) => true,
            List::Some(members, _) => members.len() <= 1,
            List::Ways(_)
            | List::Last(_)
            | List::Range(_)
            | List::Op(..)
            | List::If(_)
            | List::Filter(..)
            | List::Top(..)
            | List::Fold(..)
            | List::With(_) => false,
        };
        if plain { Ok(Sought::Plain(list)) } else { self.span(list).map(Sought::Made) }
    }

    pub(super) fn is_found(&mut self, sought: &Sought<'a>, number: u32) -> Out {
        match sought {
            Sought::Plain(list) => self.is_listed(list, number),
            Sought::Made(span) => self.is_in_span(*span, number),
        }
    }

    fn is_in_span(&mut self, span: Span, number: u32) -> Out {
        self.found(&mut |emit, found| {
            emit.each_in(span, &mut |emit, member| {
                emit.f.get(member).get(number).op(I::I64Eq).br_if(found);
                Ok(())
            })
        })
    }

    /// Leaves on the stack whether something goes to the label it is given. Lists made on the way are given up.
    pub(super) fn found(&mut self, look: &mut dyn FnMut(&mut Self, Label) -> Out) -> Out {
        let verdict = self.f.small();
        let walkers = self.noted_walker();
        let mark = self.f.mark();
        self.f.int(1).set(verdict);
        let found = self.f.block();
        look(self, found)?;
        self.f.int(0).set(verdict);
        self.f.end();
        self.f.release(mark);
        if let Some(walkers) = walkers {
            self.drop_walkers(walkers);
        }
        self.f.get(verdict);
        Ok(())
    }

    /// Leaves on the stack whether the number in a local is a member.
    pub(super) fn is_listed(&mut self, list: &'a List<Wide>, number: u32) -> Out {
        match list {
            List::Const(members) => {
                let room = i64::saturating_from(64 * self.words);
                if members.iter().all(|member| (0..room).contains(member)) {
                    let set = self.known(members.iter().map(|&member| to_index(member)).collect());
                    self.contains(&set, number);
                    return Ok(());
                }
                let span = self.span(list)?;
                self.is_in_span(span, number)
            }
            List::Local(_) | List::Var(_) | List::Zone(_) => {
                let span = self.span(list)?;
                self.is_in_span(span, number)
            }
            List::Some(members, _) => {
                self.f.int(0);
                for member in members {
                    self.number(member)?;
                    self.f.get(number).op(I::I64Eq).op(I::I32Or);
                }
                Ok(())
            }
            List::Range(both) => {
                self.number(&both.0)?;
                self.f.get(number).op(I::I64LeS).get(number);
                self.number(&both.1)?;
                self.f.op(I::I64LeS).op(I::I32And);
                Ok(())
            }
            List::Op(op, both, _) => {
                self.is_listed(&both.0, number)?;
                self.f.choice(ValType::I32);
                match op {
                    SetOp::Union => {
                        self.f.int(1).otherwise();
                        self.is_listed(&both.1, number)?;
                    }
                    SetOp::Intersect | SetOp::Minus => {
                        self.is_listed(&both.1, number)?;
                        if *op == SetOp::Minus {
                            self.f.op(I::I32Eqz);
                        }
                        self.f.otherwise().int(0);
                    }
                }
                self.f.end();
                Ok(())
            }
            List::If(parts) => {
                self.test(&parts.0)?;
                self.f.choice(ValType::I32);
                self.is_listed(&parts.1, number)?;
                self.f.otherwise();
                self.is_listed(&parts.2, number)?;
                self.f.end();
                Ok(())
            }
            List::Filter(at, both) => {
                self.is_listed(&both.0, number)?;
                self.f.choice(ValType::I32);
                let scope = self.scope();
                self.numbers.push((*at, number));
                self.test(&both.1)?;
                self.leave_scope(scope);
                self.f.otherwise().int(0);
                self.f.end();
                Ok(())
            }
            List::Last(_) | List::Top(..) | List::Fold(..) | List::With(_) | List::Ways(_) => {
                self.found(&mut |emit, found| {
                    emit.each_listed(list, &mut |emit, member| {
                        emit.f.get(member).get(number).op(I::I64Eq).br_if(found);
                        Ok(())
                    })
                })
            }
        }
    }
}

/// A list that is searched.
pub(super) enum Sought<'a> {
    Plain(&'a List<Wide>),
    Made(Span),
}
