//! Names: what they are bound to, loops over what they range over, and definitions.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Help, Out, Wide};
use super::func::Parts;
use super::span::Span;
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Bind, List, Local, Loop, Memo, Number, Source};

/// How many names were in scope at some point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope(usize, usize, usize);

/// A value that a name is bound to.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Number(Local, u32),
    Set(Local, Parts),
    List(Local, Span),
}

impl<'a> Emit<'a> {
    pub(super) fn scope(&self) -> Scope {
        Scope(self.numbers.len(), self.sets.len(), self.lists.len())
    }

    /// Forgets the names that have come into scope since.
    pub(super) fn leave_scope(&mut self, scope: Scope) {
        self.numbers.truncate(scope.0);
        self.sets.truncate(scope.1);
        self.lists.truncate(scope.2);
    }

    /// The names that have come into scope since, which are taken out of it.
    pub(super) fn bound_since(&mut self, scope: Scope) -> Vec<Bound> {
        let numbers = self.numbers.split_off(scope.0.min(self.numbers.len()));
        let sets = self.sets.split_off(scope.1.min(self.sets.len()));
        let lists = self.lists.split_off(scope.2.min(self.lists.len()));
        let numbers = numbers.into_iter().map(|(at, local)| Bound::Number(at, local));
        let sets = sets.into_iter().map(|(at, parts)| Bound::Set(at, parts));
        numbers.chain(sets).chain(lists.into_iter().map(|(at, span)| Bound::List(at, span))).collect()
    }

    /// The value that a binding gives its name.
    pub(super) fn value_of(&mut self, bind: &'a Bind<Wide>) -> Out<Bound> {
        match bind {
            Bind::Number(at, number) => {
                self.number(number)?;
                Ok(Bound::Number(*at, self.f.keep()))
            }
            Bind::Set(at, set) => {
                let set = self.set(set)?;
                Ok(Bound::Set(*at, set))
            }
            Bind::List(at, list) => Ok(Bound::List(*at, self.span(list)?)),
        }
    }

    /// The same, where effects follow: a list in a zone, or that a variable holds, is copied.
    pub(super) fn lasting_value_of(&mut self, bind: &'a Bind<Wide>) -> Out<Bound> {
        let Bind::List(at, list) = bind else { return self.value_of(bind) };
        let held = match list {
            List::Local(name) => self.lists.iter().all(|(other, _)| other != name),
            List::Zone(_) | List::Var(_) => true,
            List::Const(_)
            | List::Ways(_)
            | List::Last(_)
            | List::Range(_)
            | List::Some(..)
            | List::Op(..)
            | List::If(_)
            | List::Filter(..)
            | List::Top(..)
            | List::Fold(..)
            | List::With(_) => false,
        };
        let span = if held { self.built(list)? } else { self.span(list)? };
        Ok(Bound::List(*at, span))
    }

    /// Brings a name into scope.
    pub(super) fn enter(&mut self, bound: Bound) {
        match bound {
            Bound::Number(at, local) => self.numbers.push((at, local)),
            Bound::Set(at, parts) => self.sets.push((at, parts)),
            Bound::List(at, span) => self.lists.push((at, span)),
        }
    }

    /// Writes a name where the course keeps it between questions.
    pub(super) fn remember(&mut self, bound: &Bound) -> Out {
        match bound {
            Bound::Number(at, local) => {
                let address = self.layout.locals + 8 * u32::from(*at);
                self.f.int(0).get(*local).store(address);
            }
            Bound::Set(at, parts) => self.write_set(self.layout.local_sets + self.bytes * u32::from(*at), parts),
            Bound::List(at, span) => {
                let kept = self.local_list(*at).ok_or(Gap("a list that outlasts a question"))?;
                self.f.at(kept.first);
                let list = self.f.keep_small();
                self.store_list(list, kept.room, *span);
            }
        }
        Ok(())
    }

    /// Binds names one after the other.
    pub(super) fn bind_all(&mut self, binds: &'a [Bind<Wide>]) -> Out {
        for bind in binds {
            let bound = self.value_of(bind)?;
            self.enter(bound);
        }
        Ok(())
    }

    /// Does something for every combination of bound values that passes the filter.
    pub(super) fn each(&mut self, over: &'a Loop<Wide>, from: usize, body: &mut dyn FnMut(&mut Self) -> Out) -> Out {
        let Some((at, source)) = over.over.get(from) else {
            let Some(filter) = &over.filter else { return body(self) };
            self.test(filter)?;
            self.f.when();
            body(self)?;
            self.f.end();
            return Ok(());
        };
        match source {
            Source::Set(set) => {
                let set = self.set(set)?;
                self.members(&set, &mut |emit, member, _| {
                    let scope = emit.scope();
                    emit.numbers.push((*at, member));
                    emit.each(over, from + 1, body)?;
                    emit.leave_scope(scope);
                    Ok(())
                })
            }
            Source::PiecesAt(set) => {
                let (set, taken) = (self.set(set)?, self.read_set(self.layout.taken));
                let sites = self.and(&set, &taken);
                self.members(&sites, &mut |emit, site, _| {
                    let piece = emit.piece_on(site);
                    let scope = emit.scope();
                    emit.numbers.push((*at, piece));
                    emit.each(over, from + 1, body)?;
                    emit.leave_scope(scope);
                    Ok(())
                })
            }
            Source::PieceAt(site) => {
                self.piece_at(site)?;
                self.f.op(I::I64ExtendI32U);
                let piece = self.f.keep();
                self.f.get(piece).long(0).op(I::I64Ne);
                self.f.when();
                let scope = self.scope();
                self.numbers.push((*at, piece));
                self.each(over, from + 1, body)?;
                self.leave_scope(scope);
                self.f.end();
                Ok(())
            }
            Source::List(list) => self.each_listed(list, &mut |emit, member| {
                let scope = emit.scope();
                emit.numbers.push((*at, member));
                emit.each(over, from + 1, body)?;
                emit.leave_scope(scope);
                Ok(())
            }),
        }
    }

    /// The number of the piece on the site in a local, which is a site of the board.
    pub(super) fn piece_on(&mut self, site: u32) -> u32 {
        self.f.get(site);
        self.entry(self.layout.sites, self.program.sites, 1);
        self.f.load_short(0).op(I::I64ExtendI32U);
        self.f.keep()
    }

    /// Leaves the arguments of a definition on the stack.
    pub(super) fn arguments(&mut self, memo: u16, args: &'a [Number<Wide>]) -> Out {
        for arg in args.iter().take(self.memo(memo)?.params.len()) {
            self.number(arg)?;
        }
        Ok(())
    }

    /// A definition whose values the other interpreter keeps.
    pub(super) fn memo(&self, memo: u16) -> Out<&'a Memo<Wide>> {
        self.program.memos.get(usize::from(memo)).ok_or(Gap("a definition that is missing"))
    }

    /// Leaves on the stack whether all arguments of a definition are in range: beyond it, it has no value.
    pub(super) fn in_range(&mut self, memo: &'a Memo<Wide>) {
        self.f.int(1);
        for (at, (_, size)) in (0..).zip(&memo.params) {
            self.f.get(at).long(i64::saturating_from(*size)).op(I::I64LtU).op(I::I32And);
        }
    }

    /// The seats that still play.
    pub(super) fn playing(&mut self) -> Parts {
        if self.all_play {
            return self.known(Wide::all(self.game.seats.len()));
        }
        self.read_set(self.layout.playing)
    }

    /// Replaces the number of a seat by that of the next one that still plays.
    pub(super) fn following(&mut self) {
        if !self.all_play {
            return self.help(Help::Following);
        }
        let last = i64::saturating_from(self.game.seats.len().max(1) - 1);
        let seat = self.f.keep();
        // A number that names no seat is as good as the last one.
        self.f.long(0).get(seat).long(1).op(I::I64Add).get(seat).long(last).op(I::I64GeU).op(I::Select);
    }

    /// Makes a seat act, by the 32-bit number on the stack, or nobody by -1.
    pub(super) fn set_actor(&mut self) {
        let actor = self.f.keep_small();
        let layout = (self.layout.actor, self.layout.me, self.layout.mover);
        self.f.write_int(layout.0, |f| {
            f.get(actor);
        });
        self.f.write_int(layout.1, |f| {
            f.read_int(layout.2).get(actor).get(actor).int(0).op(I::I32LtS).op(I::Select);
        });
    }

    /// Makes it the turn of a seat, by the 32-bit number on the stack.
    pub(super) fn set_mover(&mut self) {
        let mover = self.f.keep_small();
        let at = self.layout.mover;
        self.f.write_int(at, |f| {
            f.get(mover);
        });
        self.f.read_int(self.layout.actor);
        self.set_actor();
    }

    /// The types of the sets that functions take and return.
    pub(super) fn set_types(&self) -> Vec<ValType> {
        vec![ValType::I64; self.words]
    }
}
