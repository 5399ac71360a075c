//! What is asked about lists: how long they are, whether they are empty, alike, or share members.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Out, Wide};
use super::func::Label;
use crate::base::SaturatingFrom;
use crate::compile::program::{Cell, List, Sort};
use crate::ir::SetOp;

impl<'a> Emit<'a> {
    /// Leaves how many pieces are in a zone.
    pub(super) fn zone_size(&mut self, cell: &'a Cell<Wide>) -> Out {
        let zone = self.zone(cell)?;
        self.f.get(zone).load_int(0).op(I::I64ExtendI32U);
        Ok(())
    }

    /// Leaves the number of members on the stack.
    pub(super) fn length(&mut self, list: &'a List<Wide>) -> Out {
        match list {
            List::Zone(cell) => self.zone_size(cell),
            List::Const(members) => {
                self.f.long(i64::saturating_from(members.len()));
                Ok(())
            }
            List::Local(_) | List::Var(_) => {
                let span = self.span(list)?;
                self.span_length(span);
                Ok(())
            }
            List::Last(inner) => {
                self.is_empty(inner)?;
                self.f.op(I::I32Eqz).op(I::I64ExtendI32U);
                Ok(())
            }
            List::Op(SetOp::Union, both, Sort::Pieces) => {
                self.length(&both.0)?;
                self.length(&both.1)?;
                self.f.op(I::I64Add);
                Ok(())
            }
            List::If(parts) => {
                self.test(&parts.0)?;
                self.f.choice(ValType::I64);
                self.length(&parts.1)?;
                self.f.otherwise();
                self.length(&parts.2)?;
                self.f.end();
                Ok(())
            }
            List::With(both) => self.with_lists(|emit| {
                let scope = emit.scope();
                emit.bind_all(&both.0)?;
                emit.length(&both.1)?;
                emit.leave_scope(scope);
                Ok(())
            }),
            List::Some(..) | List::Op(SetOp::Union, ..) | List::Top(..) | List::Fold(_, Sort::Numbers) => self
                .with_lists(|emit| {
                    let span = emit.span(list)?;
                    emit.span_length(span);
                    Ok(())
                }),
            List::Range(_) | List::Op(..) | List::Filter(..) | List::Fold(..) | List::Ways(_) => {
                let count = self.f.word();
                self.f.long(0).set(count);
                self.each_listed(list, &mut |emit, _| {
                    emit.f.get(count).long(1).op(I::I64Add).set(count);
                    Ok(())
                })?;
                self.f.get(count);
                Ok(())
            }
        }
    }

    /// Leaves on the stack whether a list has no member.
    pub(super) fn is_empty(&mut self, list: &'a List<Wide>) -> Out {
        match list {
            List::Const(members) => {
                self.f.int(members.is_empty().into());
                Ok(())
            }
            List::Zone(cell) => {
                let zone = self.zone(cell)?;
                self.f.get(zone).load_int(0).op(I::I32Eqz);
                Ok(())
            }
            List::Local(_) | List::Var(_) => {
                let span = self.span(list)?;
                self.f.get(span.at).get(span.end).op(I::I32Eq);
                Ok(())
            }
            List::Last(inner) => self.is_empty(inner),
            List::Top(_, both) => self.is_empty(&both.0),
            List::Some(members, _) => {
                self.f.int(members.is_empty().into());
                Ok(())
            }
            List::Ways(_)
            | List::Range(_)
            | List::Op(..)
            | List::If(_)
            | List::Filter(..)
            | List::Fold(..)
            | List::With(_) => {
                self.found(&mut |emit, found| emit.any_listed(list, found))?;
                self.f.op(I::I32Eqz);
                Ok(())
            }
        }
    }

    /// Goes to a label if a list has a member.
    fn any_listed(&mut self, list: &'a List<Wide>, found: Label) -> Out {
        match list {
            List::Op(SetOp::Union, both, _) => {
                self.any_listed(&both.0, found)?;
                self.any_listed(&both.1, found)
            }
            List::Fold(both, _) => self.each(&both.0, 0, &mut |emit| emit.any_listed(&both.1, found)),
            List::Const(_) | List::Zone(_) | List::Local(_) | List::Var(_) | List::Last(_) | List::Top(..) => {
                self.is_empty(list)?;
                self.f.op(I::I32Eqz).br_if(found);
                Ok(())
            }
            List::Some(..)
            | List::Ways(_)
            | List::Range(_)
            | List::Op(..)
            | List::If(_)
            | List::Filter(..)
            | List::With(_) => self.each_listed(list, &mut |emit, _| {
                emit.f.br(found);
                Ok(())
            }),
        }
    }

    /// Leaves on the stack whether a member of the first list is, or is not, among the second.
    pub(super) fn any_among(&mut self, both: &'a (List<Wide>, List<Wide>), among: bool) -> Out {
        self.found(&mut |emit, found| {
            let other = emit.sought(&both.1)?;
            emit.each_listed(&both.0, &mut |emit, member| {
                emit.is_found(&other, member)?;
                if !among {
                    emit.f.op(I::I32Eqz);
                }
                emit.f.br_if(found);
                Ok(())
            })
        })
    }

    /// Leaves on the stack whether two lists have the same members in the same order.
    pub(super) fn same_lists(&mut self, both: &'a (List<Wide>, List<Wide>)) -> Out {
        self.found(&mut |emit, differ| {
            let (a, b) = (emit.span(&both.0)?, emit.span(&both.1)?);
            emit.span_length(a);
            emit.span_length(b);
            emit.f.op(I::I64Ne).br_if(differ);
            let other = emit.f.small();
            emit.f.get(b.at).set(other);
            emit.each_in(a, &mut |emit, member| {
                let there = emit.member_at(other, b.short);
                emit.f.get(other).int(b.size()).op(I::I32Add).set(other);
                emit.f.get(there).get(member).op(I::I64Ne).br_if(differ);
                Ok(())
            })
        })?;
        self.f.op(I::I32Eqz);
        Ok(())
    }
}
