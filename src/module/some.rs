//! Whether a set has members, without making it where one is found early: next to a group that is searched step by step.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Key, Out, Wide};
use super::func::Parts;
use crate::base::SaturatingFrom;
use crate::compile::program::{Body, Number, Set};
use crate::ir::SetOp;

/// A group of sites: a definition with its arguments, if it is one, and what is searched: from which sites, within which, in
/// which directions.
type Searched<'a> = (Option<(u16, &'a [Number<Wide>])>, &'a [Set<Wide>; 3]);

impl<'a> Emit<'a> {
    /// Leaves on the stack whether a set has members.
    pub(super) fn some(&mut self, set: &'a Set<Wide>) -> Out {
        if let Set::Memo(memo, args) = set {
            self.arguments(*memo, args)?;
            self.call(Key::Some(*memo, self.notes));
            return Ok(());
        }
        if let Set::Op(SetOp::Union, both) = set {
            self.some(&both.0)?;
            self.f.choice(ValType::I32);
            self.f.int(1).otherwise();
            self.some(&both.1)?;
            self.f.end();
            return Ok(());
        }
        if let Set::Op(SetOp::Intersect, both) = set
            && let Set::Around(around) = bare(&both.0)
            && let Some(searched) = self.searched(&around.0)
        {
            return self.some_beside(searched, &around.1, &both.1);
        }
        let set = self.set(set)?;
        self.any(&set);
        Ok(())
    }

    /// Writes the function that says whether a definition that is a set has members.
    pub(super) fn some_function(&mut self, number: u16) -> Out {
        let memo = self.memo(number)?;
        self.enter_memo(memo);
        self.in_range(memo);
        self.f.choice(ValType::I32);
        if let Body::Set(set) = &memo.body {
            self.some(set)?;
        } else {
            self.f.int(0);
        }
        self.f.otherwise().int(0);
        self.f.end();
        Ok(())
    }

    fn searched(&self, set: &'a Set<Wide>) -> Option<Searched<'a>> {
        let set = bare(set);
        if let Set::Group(sets) = set {
            return Some((None, sets));
        }
        let Set::Memo(memo, args) = set else { return None };
        let Body::Set(body) = &self.program.memos.get(usize::from(*memo))?.body else { return None };
        if let Set::Group(sets) = bare(body) { Some((Some((*memo, args)), sets)) } else { None }
    }

    /// Leaves on the stack whether one of some sites is next to a group without belonging to it. The search stops where it
    /// finds one that is not within what is searched.
    fn some_beside(&mut self, (of, group): Searched<'a>, ways: &'a Set<Wide>, wanted: &'a Set<Wide>) -> Out {
        let (ways, wanted) = (self.set(ways)?, self.set(wanted)?);
        let found = self.f.small();
        self.f.int(0).set(found);
        let scope = self.scope();
        let done = self.f.block();
        if let Some((number, args)) = of {
            let memo = self.memo(number)?;
            let mut bound = Vec::new();
            for (arg, (name, size)) in args.iter().zip(&memo.params) {
                self.number(arg)?;
                let value = self.f.keep();
                self.f.get(value).long(i64::saturating_from(*size)).op(I::I64GeU).br_if(done);
                bound.push((*name, value));
            }
            for (name, value) in bound {
                if memo.inspects.as_ref().is_some_and(|inspects| inspects.sites.contains(&name)) {
                    self.look_at(value);
                }
                self.numbers.push((name, value));
            }
        }
        let [from, inside, along] = group;
        let (from, inside, along) = (self.set(from)?, self.set(inside)?, self.set(along)?);
        let first = self.and(&from, &inside);
        let (reached, edge) = (self.variable(&first), self.variable(&first));
        let outside = self.minus(&wanted, &inside);
        let again = self.f.again();
        self.f.stop_if_spent();
        let beside = self.toward(&Self::now(&edge), &along)?;
        self.look(&beside);
        let near = if along == ways { beside.clone() } else { self.toward(&Self::now(&edge), &ways)? };
        if along != ways {
            self.look(&near);
        }
        self.meet(&near, &outside, found);
        self.f.get(found).br_if(done);
        let beside = self.and(&beside, &inside);
        let new = self.minus(&beside, &Self::now(&reached));
        self.become_set(&edge, &new);
        self.unite(&reached, &new);
        self.any(&new);
        self.f.br_if(again);
        self.f.end_loop();
        // What is within it, but cannot be reached, may still be next to it in other directions.
        let near = self.toward(&Self::now(&reached), &ways)?;
        self.look(&near);
        let near = self.minus(&near, &Self::now(&reached));
        self.meet(&near, &wanted, found);
        self.f.end();
        self.leave_scope(scope);
        self.f.get(found);
        Ok(())
    }

    fn meet(&mut self, a: &Parts, b: &Parts, found: u32) {
        let shared = self.and(a, b);
        self.any(&shared);
        self.f.set(found);
    }
}

/// A set without notes of what is looked at: all of it is noted by a search.
fn bare(set: &Set<Wide>) -> &Set<Wide> {
    if let Set::Inspected(inner) = set {
        return bare(inner);
    }
    if let Set::Compared(both) = set { bare(&both.0) } else { set }
}
