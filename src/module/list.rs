//! Legal moves: moves that differ only in their last parameter are one group, as in the interpreter.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Key, Next, Out, Wide};
use super::func::{Func, Label, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Action, Head, Sort, Values};
use crate::ir::{ActionId, ActionRef};

/// The number of an answer that is no action.
pub(super) const DECLINE: i32 = -1;
pub(super) const PASS: i32 = -2;
pub(super) const PICK: i32 = -3;
pub(super) const WAIT: i32 = -4;

/// What kind of group: a single move; or one for each member of a set, with the number of the parameters before it and 1.
pub(super) const SINGLE: i32 = 0;
/// One for each number from 0 on.
pub(super) const BELOW: i32 = -1;

/// Where the parts of a group lie.
pub(super) const ACTION: u32 = 0;
pub(super) const KIND: u32 = 4;
pub(super) const COUNT: u32 = 8;
pub(super) const WORTH_SOME: u32 = 12;
/// The seat that acts in a race, and 1.
pub(super) const WHO: u32 = 14;
pub(super) const WORTH: u32 = 16;
pub(super) const ARGS: u32 = 24;

/// The most moves that are listed, and the most parameters that they have together, as in the interpreter.
pub(super) const MOST: i32 = 100_000;
pub(super) const PARAMETERS: i32 = 500_000;

/// What is done with a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    /// It is listed.
    List,
    /// That there is one is all that matters: then control goes there.
    Any(Label),
}

/// A move under construction.
struct Draft<'a> {
    number: ActionId,
    action: &'a Action<Wide>,
    /// The locals with its parameters so far, and with what it is worth.
    args: Vec<u32>,
    worth: Option<u32>,
    sink: Sink,
    /// The question that comes after it.
    next: Option<Next>,
}

impl<'a> Emit<'a> {
    /// Writes the function that lists the first of some groups of actions that has a legal move.
    pub(super) fn listing(&mut self, groups: &[Vec<ActionRef>], next: Option<Next>) -> Out {
        self.f = Func::new(0);
        let (count, held) = (self.layout.count, self.layout.groups);
        for at in [count, held, self.layout.parameters] {
            self.f.write_int(at, |f| {
                f.int(0);
            });
        }
        self.forget_reasons(groups.iter().flatten());
        let done = self.f.block();
        for group in groups {
            let mut worth = false;
            for action in group {
                worth |= self.moves_of(*action, Sink::List, next)?;
            }
            self.too_many();
            if worth {
                self.f.at(self.layout.first_group);
                let from = self.f.keep_small();
                self.keep_best(from);
            }
            self.f.read_int(held).br_if(done);
        }
        self.f.end();
        Ok(())
    }

    /// More moves than may be listed, or with more parameters together, spend what a decision may take.
    pub(super) fn too_many(&mut self) {
        self.f.read_int(self.layout.count).int(MOST).op(I::I32GtU);
        self.f.read_int(self.layout.parameters).int(PARAMETERS).op(I::I32GtU).op(I::I32Or);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
    }

    /// Writes the function that says whether the acting seat has a move of one of some actions.
    pub(super) fn any_move(&mut self, actions: &[ActionRef]) -> Out {
        self.f = Func::new(0);
        self.forget_reasons(actions.iter());
        self.found(&mut |emit, found| {
            for action in actions {
                emit.moves_of(*action, Sink::Any(found), None)?;
            }
            Ok(())
        })
    }

    /// Lists the moves of an action; whether they have a worth.
    pub(super) fn moves_of(&mut self, action: ActionRef, sink: Sink, next: Option<Next>) -> Out<bool> {
        match action {
            ActionRef::Action(number) => {
                let action = self.program.actions.get(usize::from(number)).ok_or(Gap("an action that is missing"))?;
                let mut draft = Draft { number, action, args: Vec::new(), worth: None, sink, next };
                let scope = self.scope();
                self.once(|emit| emit.heads(&mut draft, 0))?;
                self.leave_scope(scope);
                Ok(action.head.iter().any(|line| matches!(line, Head::Prefer(_))))
            }
            ActionRef::Pass | ActionRef::Decline => {
                match sink {
                    Sink::Any(found) => {
                        self.f.br(found);
                    }
                    Sink::List => self.add_single(if action == ActionRef::Pass { PASS } else { DECLINE }),
                }
                Ok(false)
            }
            ActionRef::Pick | ActionRef::Race(_) | ActionRef::Wait => Ok(false),
        }
    }

    /// Translates the head of an action from a line on.
    fn heads(&mut self, draft: &mut Draft<'a>, line: usize) -> Out {
        self.bounded()?;
        let action = draft.action;
        let last = line + 1 == action.tail;
        match action.head.get(line).filter(|_| line < action.tail) {
            None => {
                if action.ensure.is_empty() {
                    self.legal(draft);
                } else {
                    self.tried(draft);
                    self.f.when();
                    self.legal(draft);
                    self.f.end();
                }
                Ok(())
            }
            Some(Head::Choose(_, at, Values::Set(set))) => {
                let set = self.set(set)?;
                self.choices(draft, line, *at, &set, last)
            }
            Some(Head::Choose(_, at, Values::List(list, Sort::Pieces))) if self.numbers_fit() => {
                let set = self.numbers_of(list)?;
                self.choices(draft, line, *at, &set, last)
            }
            Some(Head::Choose(_, at, Values::List(list, sort))) => {
                self.each_choice(list, *sort, false, &mut |emit, member| {
                    let scope = emit.scope();
                    emit.numbers.push((*at, member));
                    draft.args.push(member);
                    emit.heads(draft, line + 1)?;
                    draft.args.pop();
                    emit.leave_scope(scope);
                    Ok(())
                })
            }
            Some(Head::Let(_, bind)) => self.with_lists(|emit| {
                let bound = emit.value_of(bind)?;
                emit.enter(bound);
                emit.heads(draft, line + 1)
            }),
            Some(Head::Require(guard)) => {
                self.test(guard)?;
                self.f.when();
                self.heads(draft, line + 1)?;
                self.f.end();
                Ok(())
            }
            Some(Head::Prefer(worth)) => {
                self.number(worth)?;
                draft.worth = Some(self.f.keep());
                self.heads(draft, line + 1)
            }
        }
    }

    fn choices(&mut self, draft: &mut Draft<'a>, line: usize, at: u16, set: &Parts, last: bool) -> Out {
        let number = i32::saturating_from(usize::from(draft.number));
        let ensured = !draft.action.ensure.is_empty();
        if last && !ensured {
            match draft.sink {
                Sink::Any(found) => {
                    self.any(set);
                    self.f.br_if(found);
                }
                Sink::List => self.add_members(number, &draft.args, draft.worth, set),
            }
            return Ok(());
        }
        if last {
            return self.ensured_choices(draft, at, set);
        }
        let set = self.promising(set, at, draft.action.head.get(line + 1))?;
        self.members(&set, &mut |emit, member, _: Label| {
            let scope = emit.scope();
            emit.numbers.push((at, member));
            draft.args.push(member);
            emit.heads(draft, line + 1)?;
            draft.args.pop();
            emit.leave_scope(scope);
            Ok(())
        })
    }

    /// The values of the last parameter with which the guards on the position after the move hold.
    fn ensured_choices(&mut self, draft: &mut Draft<'a>, at: u16, set: &Parts) -> Out {
        let (number, action) = (draft.number, draft.action);
        // Whether there is a move may be asked while another one is tried out.
        let kept = self.outcomes_of(number).filter(|_| draft.sink == Sink::List);
        let legal = if let (Some(kept), Some(lasting)) = (kept, &action.lasting) {
            self.outcomes((number, action), (&kept, lasting), draft.next, set)?
        } else {
            let (holds, open) = match self.spared(action, set)? {
                Some((holds, open)) => (Self::now(&holds), Self::now(&open)),
                None => (self.known(Wide::NONE), set.clone()),
            };
            if let Sink::Any(found) = draft.sink {
                self.any(&holds);
                self.f.br_if(found);
            }
            let legal = self.variable(&holds);
            self.members(&open, &mut |emit, member, _: Label| {
                let scope = emit.scope();
                emit.numbers.push((at, member));
                draft.args.push(member);
                emit.tried(draft);
                emit.f.when();
                match draft.sink {
                    Sink::Any(found) => {
                        emit.f.br(found);
                    }
                    Sink::List => emit.insert(&legal, member),
                }
                emit.f.end();
                draft.args.pop();
                emit.leave_scope(scope);
                Ok(())
            })?;
            Self::now(&legal)
        };
        match draft.sink {
            Sink::Any(found) => {
                self.any(&legal);
                self.f.br_if(found);
            }
            Sink::List => {
                let number = i32::saturating_from(usize::from(number));
                self.add_members(number, &draft.args, draft.worth, &legal);
            }
        }
        Ok(())
    }

    /// A legal move without further parameters.
    fn legal(&mut self, draft: &Draft<'a>) {
        if let Sink::Any(found) = draft.sink {
            self.f.br(found);
            return;
        }
        let number = i32::saturating_from(usize::from(draft.number));
        let group = self.new_group(number, SINGLE, &draft.args, draft.worth);
        self.f.get(group).int(1).store_int(COUNT);
        self.count_in(group, draft.args.len());
    }

    /// Leaves on the stack whether the guards on the position after a move hold.
    fn tried(&mut self, draft: &Draft<'a>) {
        for &arg in &draft.args {
            self.f.get(arg);
        }
        self.call(Key::Trial(draft.number, draft.next.filter(|_| draft.action.looks)));
    }
}
