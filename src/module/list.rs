//! Legal moves: moves that differ only in their last parameter are one group, as in the interpreter.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Key, Next, Out, Wide};
use super::func::{Func, Label, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Action, Head, Set, Sort, Values};
use crate::ir::{ActionId, ActionRef};

/// The number of an answer that is no action.
pub(super) const DECLINE: i32 = -1;
pub(super) const PASS: i32 = -2;
pub(super) const PICK: i32 = -3;

/// What kind of group: a single move; or one for each member of a set, with the number of the parameters before it and 1.
const SINGLE: i32 = 0;

/// Where the parts of a group lie.
pub(super) const ACTION: u32 = 0;
pub(super) const KIND: u32 = 4;
pub(super) const COUNT: u32 = 8;
pub(super) const WORTH_SOME: u32 = 12;
pub(super) const WORTH: u32 = 16;
pub(super) const ARGS: u32 = 24;

/// The most moves that are listed, and the most parameters that they have together, as in the interpreter.
const MOST: i32 = 100_000;
const PARAMETERS: i32 = 500_000;

/// What is done with a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sink {
    /// It is listed.
    List,
    /// That there is one is all that matters.
    Any,
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
        self.look_ahead(groups.iter().flatten())?;
        let done = self.f.block();
        for group in groups {
            let mut worth = false;
            for action in group {
                worth |= self.moves_of(*action, Sink::List, next)?;
            }
            self.too_many();
            if worth {
                self.keep_best();
            }
            self.f.read_int(held).br_if(done);
        }
        self.f.end();
        Ok(())
    }

    /// More moves than may be listed, or with more parameters together, spend what a decision may take.
    fn too_many(&mut self) {
        self.f.read_int(self.layout.count).int(MOST).op(I::I32GtU);
        self.f.read_int(self.layout.parameters).int(PARAMETERS).op(I::I32GtU).op(I::I32Or);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
    }

    /// Writes the function that says whether the acting seat has a move of one of some actions.
    pub(super) fn any_move(&mut self, actions: &[ActionRef]) -> Out {
        self.f = Func::new(0);
        self.look_ahead(actions.iter())?;
        for action in actions {
            self.moves_of(*action, Sink::Any, None)?;
        }
        self.f.int(0);
        Ok(())
    }

    /// Lists the moves of an action; whether they have a worth.
    fn moves_of(&mut self, action: ActionRef, sink: Sink, next: Option<Next>) -> Out<bool> {
        match action {
            ActionRef::Action(number) => {
                let action = self.program.actions.get(usize::from(number)).ok_or(Gap("an action that is missing"))?;
                let mut draft = Draft { number, action, args: Vec::new(), worth: None, sink, next };
                let scope = self.scope();
                self.heads(&mut draft, 0)?;
                self.leave_scope(scope);
                Ok(action.head.iter().any(|line| matches!(line, Head::Prefer(_))))
            }
            ActionRef::Pass | ActionRef::Decline => {
                if sink == Sink::Any {
                    self.f.int(1).op(I::Return);
                } else {
                    self.add_single(if action == ActionRef::Pass { PASS } else { DECLINE });
                }
                Ok(false)
            }
            ActionRef::Pick | ActionRef::Race(_) | ActionRef::Wait => Ok(false),
        }
    }

    /// Adds an answer without parameters.
    pub(super) fn add_single(&mut self, action: i32) {
        let group = self.new_group(action, SINGLE, &[], None);
        self.f.get(group).int(1).store_int(COUNT);
        self.count_in(group, 0);
    }

    /// Begins a group; returns the local with its address.
    fn new_group(&mut self, action: i32, kind: i32, args: &[u32], worth: Option<u32>) -> u32 {
        let (held, first, size) = (self.layout.groups, self.layout.first_group, self.layout.group_size);
        let most = self.layout.most_groups;
        self.f.read_int(held).int(most.cast_signed()).op(I::I32GeU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        self.f.read_int(held).int(size.cast_signed()).op(I::I32Mul).at(first).op(I::I32Add);
        let group = self.f.keep_small();
        self.f.write_int(held, |f| {
            f.read_int(held).int(1).op(I::I32Add);
        });
        self.f.get(group).int(action).store_int(ACTION);
        self.f.get(group).int(kind).store_int(KIND);
        self.f.get(group).int(worth.is_some().into()).store_int(WORTH_SOME);
        if let Some(worth) = worth {
            self.f.get(group).get(worth).store(WORTH);
        }
        // What is not a parameter is 0.
        let mut rest = args.iter();
        for at in (ARGS..).step_by(8).take(self.layout.params as usize) {
            self.f.get(group);
            match rest.next() {
                Some(&arg) => self.f.get(arg),
                None => self.f.long(0),
            };
            self.f.store(at);
        }
        group
    }

    /// Counts the moves of a group, which have so many parameters each.
    fn count_in(&mut self, group: u32, parameters: usize) {
        let (count, all) = (self.layout.count, self.layout.parameters);
        // Few parameters are never too many if the moves are not.
        if self.layout.params > PARAMETERS.unsigned_abs() / MOST.unsigned_abs() {
            self.f.write_int(all, |f| {
                f.read_int(all).get(group).load_int(COUNT).int(i32::saturating_from(parameters)).op(I::I32Mul);
                f.op(I::I32Add);
            });
        }
        self.f.write_int(count, |f| {
            f.read_int(count).get(group).load_int(COUNT).op(I::I32Add);
        });
    }

    /// Adds a group of answers whose last parameter is any member of a set.
    fn add_members(&mut self, action: i32, args: &[u32], worth: Option<u32>, set: &Parts) {
        self.any(set);
        self.f.when();
        let group = self.new_group(action, i32::saturating_from(args.len() + 1), args, worth);
        self.f.get(group);
        self.size(set);
        self.f.op(I::I32WrapI64).store_int(COUNT);
        self.write_set_at(group, ARGS + 8 * self.layout.params, set);
        self.count_in(group, args.len() + 1);
        self.f.end();
    }

    /// Lists the values of a pick or a roll.
    pub(super) fn list_values(&mut self, values: &'a Values<Wide>) -> Out {
        let (count, held) = (self.layout.count, self.layout.groups);
        for at in [count, held] {
            self.f.write_int(at, |f| {
                f.int(0);
            });
        }
        match values {
            Values::Set(set) => {
                let set = self.set(set)?;
                self.add_members(PICK, &[], None, &set);
                Ok(())
            }
            Values::List(list, Sort::Numbers) => self.each_listed(list, &mut |emit, member| {
                let group = emit.new_group(PICK, SINGLE, &[member], None);
                emit.f.get(group).int(1).store_int(COUNT);
                emit.count_in(group, 1);
                Ok(())
            }),
            Values::List(..) => Err(Gap("zones, and sets of numbers or pieces")),
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
                    self.found(draft);
                } else {
                    self.tried(draft);
                    self.f.when();
                    self.found(draft);
                    self.f.end();
                }
                Ok(())
            }
            Some(Head::Choose(_, at, Values::Set(set))) => self.choices(draft, line, *at, set, last),
            Some(Head::Choose(_, at, Values::List(list, Sort::Numbers))) => {
                self.each_listed(list, &mut |emit, member| {
                    let scope = emit.scope();
                    emit.numbers.push((*at, member));
                    draft.args.push(member);
                    emit.heads(draft, line + 1)?;
                    draft.args.pop();
                    emit.leave_scope(scope);
                    Ok(())
                })
            }
            Some(Head::Choose(_, _, Values::List(..))) => Err(Gap("zones, and sets of numbers or pieces")),
            Some(Head::Let(_, bind)) => {
                let bound = self.value_of(bind)?;
                self.enter(bound);
                self.heads(draft, line + 1)
            }
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

    fn choices(&mut self, draft: &mut Draft<'a>, line: usize, at: u16, set: &'a Set<Wide>, last: bool) -> Out {
        let set = self.set(set)?;
        let number = i32::saturating_from(usize::from(draft.number));
        let ensured = !draft.action.ensure.is_empty();
        if last && !ensured {
            if draft.sink == Sink::Any {
                self.any(&set);
                self.f.when();
                self.f.int(1).op(I::Return);
                self.f.end();
            } else {
                self.add_members(number, &draft.args, draft.worth, &set);
            }
            return Ok(());
        }
        if last {
            return self.ensured_choices(draft, at, &set);
        }
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
        let legal = if let (Some(kept), Some(lasting)) = (self.outcomes_of(number), &action.lasting) {
            self.outcomes((number, action), (&kept, lasting), draft.next, set)?
        } else {
            let (holds, open) = match &action.touch {
                Some(touch) => self.spared(touch, at, set)?,
                None => (self.known(Wide::NONE), set.clone()),
            };
            if draft.sink == Sink::Any {
                self.any(&holds);
                self.f.when();
                self.f.int(1).op(I::Return);
                self.f.end();
            }
            let legal = self.variable(&holds);
            self.members(&open, &mut |emit, member, _: Label| {
                let scope = emit.scope();
                emit.numbers.push((at, member));
                draft.args.push(member);
                emit.tried(draft);
                emit.f.when();
                if draft.sink == Sink::Any {
                    emit.f.int(1).op(I::Return);
                } else {
                    emit.insert(&legal, member);
                }
                emit.f.end();
                draft.args.pop();
                emit.leave_scope(scope);
                Ok(())
            })?;
            Self::now(&legal)
        };
        if draft.sink == Sink::Any {
            self.any(&legal);
            self.f.when();
            self.f.int(1).op(I::Return);
            self.f.end();
        } else {
            let number = i32::saturating_from(usize::from(number));
            self.add_members(number, &draft.args, draft.worth, &legal);
        }
        Ok(())
    }

    /// A legal move without further parameters.
    fn found(&mut self, draft: &Draft<'a>) {
        if draft.sink == Sink::Any {
            self.f.int(1).op(I::Return);
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
