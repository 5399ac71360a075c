//! Sets of numbers that are gone through one by one, without being made: ranges, constants, and parts of them.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{List, Number, Sort};

/// What sets are not gone through.
const LISTS: Gap = Gap("zones, and sets of numbers or pieces");

impl<'a> Emit<'a> {
    /// Does something for each member, which is in a local, in ascending order.
    pub(super) fn each_listed(&mut self, list: &'a List<Wide>, each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        match list {
            List::Const(members) => self.each_of(members, each),
            List::Some(members, Sort::Numbers) => {
                let known = |number: &Number<Wide>| if let Number::Const(n) = number { Some(*n) } else { None };
                let mut members: Vec<i64> = members.iter().map(known).collect::<Option<_>>().ok_or(LISTS)?;
                members.sort_unstable();
                members.dedup();
                self.each_of(&members, each)
            }
            List::Range(both) => {
                self.number(&both.0)?;
                let next = self.f.keep();
                self.number(&both.1)?;
                let last = self.f.keep();
                let done = self.f.block();
                let again = self.f.again();
                self.f.get(next).get(last).op(I::I64GtS).br_if(done);
                self.charge();
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
            List::Filter(at, both) => self.each_listed(&both.0, &mut |emit, member| {
                let scope = emit.scope();
                emit.numbers.push((*at, member));
                emit.test(&both.1)?;
                emit.leave_scope(scope);
                emit.f.when();
                each(emit, member)?;
                emit.f.end();
                Ok(())
            }),
            List::If(parts) => {
                self.test(&parts.0)?;
                self.f.when();
                self.each_listed(&parts.1, each)?;
                self.f.otherwise();
                self.each_listed(&parts.2, each)?;
                self.f.end();
                Ok(())
            }
            List::With(both) => {
                let scope = self.scope();
                self.bind_all(&both.0)?;
                self.each_listed(&both.1, each)?;
                self.leave_scope(scope);
                Ok(())
            }
            List::Local(_)
            | List::Var(_)
            | List::Zone(_)
            | List::Ways(_)
            | List::Last(_)
            | List::Some(..)
            | List::Op(..)
            | List::Top(..)
            | List::Fold(..) => Err(LISTS),
        }
    }

    fn each_of(&mut self, members: &[i64], each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        let base = self.table_of_numbers(members);
        let end = 8 * u32::saturating_from(members.len());
        self.f.int(0);
        let at = self.f.keep_small();
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(at).at(end).op(I::I32GeU).br_if(done);
        self.charge();
        self.f.get(at).load(base);
        let member = self.f.keep();
        self.f.get(at).int(8).op(I::I32Add).set(at);
        each(self, member)?;
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        Ok(())
    }

    /// Leaves on the stack whether the number in a local is a member.
    pub(super) fn is_listed(&mut self, list: &'a List<Wide>, number: u32) -> Out {
        let found = self.f.small();
        self.f.int(0).set(found);
        self.each_listed(list, &mut |emit, member| {
            emit.f.get(member).get(number).op(I::I64Eq).get(found).op(I::I32Or).set(found);
            Ok(())
        })?;
        self.f.get(found);
        Ok(())
    }

    /// Leaves the number of members on the stack.
    pub(super) fn length(&mut self, list: &'a List<Wide>) -> Out {
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
