//! Effects: of moves, of moves that are tried out, and of end conditions.

use wasm_encoder::Instruction as I;

use super::effect::NEXT;
use super::emit::{Emit, Exit, Next, Out, Wide};
use super::func::Func;
use super::guard::GUARDS;
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{Action, Head, OpKind, Test, Touch};
use crate::ir::{ActionId, BlockId};

/// The maximum depth of nested blocks.
const DEPTH: usize = 64;

impl<'a> Emit<'a> {
    /// The locals of an action's parameters, which a function takes, and the names that its head binds. Returns how
    /// many parameters there are.
    pub(super) fn enter_head(&mut self, action: &'a Action<Wide>) -> Out {
        let mut param = 0;
        for line in &action.head {
            match line {
                Head::Choose(_, at, _) => {
                    self.numbers.push((*at, param));
                    param += 1;
                }
                Head::Let(_, bind) => {
                    let bound = self.lasting_value_of(bind)?;
                    self.enter(bound);
                }
                Head::Require(_) | Head::Prefer(_) => {}
            }
        }
        Ok(())
    }

    /// How many parameters an action has.
    pub(super) fn arity(action: &Action<Wide>) -> u32 {
        u32::saturating_from(action.head.iter().filter(|line| matches!(line, Head::Choose(..))).count())
    }

    /// Writes the function that carries out an action that asks nothing.
    pub(super) fn effects(&mut self, number: ActionId) -> Out {
        let action = self.program.actions.get(usize::from(number)).ok_or(Gap("an action that is missing"))?;
        self.f = Func::new(Self::arity(action));
        self.exit = Exit::Return;
        self.with_lists(|emit| {
            emit.enter_head(action)?;
            emit.code(action.body)
        })?;
        self.f.int(NEXT);
        Ok(())
    }

    /// Writes the function that tries a move out: makes its effects, looks at the guards, and unmakes them.
    pub(super) fn trial(&mut self, number: ActionId, next: Option<Next>) -> Out {
        let action = self.program.actions.get(usize::from(number)).ok_or(Gap("an action that is missing"))?;
        let few = |touch: &&Touch<Wide>| action.reversible && touch.guards.len() <= GUARDS;
        if let Some(touch) = action.touch.as_ref().filter(few) {
            return self.guarded_trial(number, touch);
        }
        self.f = Func::new(Self::arity(action));
        // Only the effects that the guards can notice, where those can be unmade one by one.
        let body = if action.reversible { action.trial } else { action.body };
        if self.program.code.get(usize::from(body)).is_some_and(|code| code.asks) {
            return Err(Gap("guards on the position after effects that ask"));
        }
        // Once the turns are left, another question comes next.
        self.next = next.filter(|_| !self.stops(body, 0));
        let undo = self.begin_trial(body);
        let mark = self.f.mark();
        self.make_trial(action, body)?;
        let holds = self.guards_hold(action.ensure.iter())?;
        self.f.release(mark);
        self.end_trial(&undo)?;
        self.f.get(holds);
        self.next = None;
        Ok(())
    }

    /// The local that says whether all of some guards hold.
    pub(super) fn guards_hold(&mut self, guards: impl Iterator<Item = &'a Test<Wide>>) -> Out<u32> {
        let holds = self.f.small();
        self.f.int(0).set(holds);
        let failed = self.f.block();
        for guard in guards {
            self.test(guard)?;
            self.f.op(I::I32Eqz).br_if(failed);
        }
        self.f.int(1).set(holds);
        self.f.end();
        Ok(holds)
    }

    /// Whether a block may leave the turns around it.
    fn stops(&self, block: BlockId, depth: usize) -> bool {
        let Some(code) = self.program.code.get(usize::from(block)) else { return false };
        depth >= DEPTH
            || code.ops.iter().any(|op| match &op.kind {
                OpKind::Stop => true,
                OpKind::Do(inner)
                | OpKind::While(_, inner)
                | OpKind::Repeat(_, inner)
                | OpKind::For(.., inner)
                | OpKind::Call(_, inner)
                | OpKind::Turns(_, inner)
                | OpKind::Phase(_, inner) => self.stops(*inner, depth + 1),
                OpKind::If(_, yes, no) => self.stops(*yes, depth + 1) || no.is_some_and(|no| self.stops(no, depth + 1)),
                OpKind::Let(..)
                | OpKind::Pick(..)
                | OpKind::Roll(_)
                | OpKind::Put(..)
                | OpKind::PutTokens(..)
                | OpKind::MoveTokens(..)
                | OpKind::PutIn(..)
                | OpKind::Shuffle(_)
                | OpKind::MovePieces(..)
                | OpKind::MoveSite(..)
                | OpKind::Move(..)
                | OpKind::Remove(_)
                | OpKind::Swap(..)
                | OpKind::Rotate(..)
                | OpKind::Change(..)
                | OpKind::Sow(_)
                | OpKind::AssignNumber(..)
                | OpKind::AssignSet(..)
                | OpKind::AssignList(..)
                | OpKind::Nothing
                | OpKind::Give(_)
                | OpKind::Decide(..)
                | OpKind::Draw
                | OpKind::Rank(..)
                | OpKind::Place(..)
                | OpKind::Plays { .. }
                | OpKind::Together(..)
                | OpKind::Race(_) => false,
            })
    }

    /// Writes the function that tests the end conditions of a moment, none of which asks.
    pub(super) fn ends(&mut self, moment: u8) -> Out {
        self.f = Func::new(0);
        self.exit = Exit::Return;
        self.tested_ends(moment)?;
        self.f.int(NEXT);
        Ok(())
    }

    /// Tests the end conditions of a moment one after the other.
    pub(super) fn tested_ends(&mut self, moment: u8) -> Out {
        let (program, at) = (self.program, self.layout.end);
        self.f.write_int(at, |f| {
            f.int(-1);
        });
        for end in &program.ends[usize::from(moment)] {
            self.test(&end.when)?;
            self.f.when();
            let rule = i32::saturating_from(usize::from(end.rule));
            self.f.write_int(at, |f| {
                f.int(rule);
            });
            self.code(end.body)?;
            self.f.write_int(at, |f| {
                f.int(-1);
            });
            self.f.end();
        }
        Ok(())
    }
}
