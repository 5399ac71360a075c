//! Legal answers as they are listed: in groups, each of a single one or of those that differ only in their last value.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::Parts;
use super::list::{ACTION, ARGS, BELOW, COUNT, KIND, MOST, PARAMETERS, PICK, SINGLE, WHO, WORTH, WORTH_SOME};
use super::race::Races;
use super::span::Span;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{List, Sort, Values};

impl<'a> Emit<'a> {
    /// Adds an answer without parameters.
    pub(super) fn add_single(&mut self, action: i32) {
        let group = self.new_group(action, SINGLE, &[], None);
        self.f.get(group).int(1).store_int(COUNT);
        self.count_in(group, 0);
    }

    /// Begins a group; returns the local with its address.
    pub(super) fn new_group(&mut self, action: i32, kind: i32, args: &[u32], worth: Option<u32>) -> u32 {
        let (held, most) = (self.layout.groups, self.layout.most_groups);
        self.f.read_int(held).int(most.cast_signed()).op(I::I32GeU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        self.next_group();
        let group = self.f.keep_small();
        self.f.write_int(held, |f| {
            f.read_int(held).int(1).op(I::I32Add);
        });
        self.f.get(group).int(action).store_int(ACTION);
        self.f.get(group).int(kind).store_int(KIND);
        self.f.get(group).int(worth.is_some().into()).store_int(WORTH_SOME);
        if self.races != Races::None {
            self.f.get(group).read_int(self.layout.racer).int(1).op(I::I32Add).store_short(WHO);
        }
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
    pub(super) fn count_in(&mut self, group: u32, parameters: usize) {
        let (count, all) = (self.layout.count, self.layout.parameters);
        // An act has two more: who acts, and when.
        let parameters = parameters + if self.races == Races::Listing { 2 } else { 0 };
        let most = self.layout.params + if self.races == Races::None { 0 } else { 2 };
        // Few parameters are never too many if the moves are not.
        if most > PARAMETERS.unsigned_abs() / MOST.unsigned_abs() {
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
    pub(super) fn add_members(&mut self, action: i32, args: &[u32], worth: Option<u32>, set: &Parts) {
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

    /// Adds the numbers below one that is kept at an address, as answers of chance.
    pub(super) fn add_below(&mut self, kept: u32) {
        for at in [self.layout.count, self.layout.groups] {
            self.f.write_int(at, |f| {
                f.int(0);
            });
        }
        let group = self.new_group(PICK, BELOW, &[], None);
        self.f.get(group).read_int(kept).store_int(COUNT);
        self.count_in(group, 1);
    }

    /// Leaves the address of the next group.
    pub(super) fn next_group(&mut self) {
        let (held, first, size) = (self.layout.groups, self.layout.first_group, self.layout.group_size);
        self.f.read_int(held).int(size.cast_signed()).op(I::I32Mul).at(first).op(I::I32Add);
    }

    /// Lists the values of a pick or a roll; a roll has each copy of a piece.
    pub(super) fn list_values(&mut self, values: &'a Values<Wide>, copies: bool) -> Out {
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
            Values::List(list, Sort::Pieces) if !copies && self.numbers_fit() => {
                let set = self.numbers_of(list)?;
                self.add_members(PICK, &[], None, &set);
                Ok(())
            }
            Values::List(list, sort) => self.each_choice(list, *sort, copies, &mut |emit, member| {
                let group = emit.new_group(PICK, SINGLE, &[member], None);
                emit.f.get(group).int(1).store_int(COUNT);
                emit.count_in(group, 1);
                Ok(())
            }),
        }
    }

    /// Whether the numbers of all pieces fit into a set.
    pub(super) fn numbers_fit(&self) -> bool {
        self.program.pieces.len() <= 64 * self.words
    }

    /// The numbers of the pieces of a list, as a set.
    pub(super) fn numbers_of(&mut self, list: &'a List<Wide>) -> Out<Parts> {
        let all = self.variable(&self.known(Wide::NONE));
        self.each_listed(list, &mut |emit, member| {
            emit.insert(&all, member);
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// Does something for each value of a list that is chosen from: pieces in the order of their numbers.
    pub(super) fn each_choice(
        &mut self,
        list: &'a List<Wide>,
        sort: Sort,
        copies: bool,
        each: &mut dyn FnMut(&mut Self, u32) -> Out,
    ) -> Out {
        match sort {
            Sort::Numbers | Sort::Ways => self.each_listed(list, each),
            Sort::Pieces => self.with_lists(|emit| {
                let from = emit.top();
                emit.add_listed(list)?;
                emit.sort(from, !copies);
                let span = Span { at: from, end: emit.top(), short: false };
                emit.each_in(span, each)
            }),
        }
    }
}
