//! Statements about pieces, and loops.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::Parts;
use super::span::Span;
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{Fields, List, Make, Number, Owned, Set, Source};
use crate::ir::BlockId;

impl<'a> Emit<'a> {
    pub(super) fn both_first(&mut self, a: &Parts, b: &Parts, then: &mut dyn FnMut(&mut Self, u32, u32)) {
        self.any(a);
        self.any(b);
        self.f.op(I::I32And);
        self.f.when();
        self.least(a);
        let first = self.f.keep();
        self.least(b);
        let second = self.f.keep();
        then(self, first, second);
        self.f.end();
    }

    /// Puts the piece in a local on the site in another.
    pub(super) fn put(&mut self, site: u32, piece: u32) {
        self.f.get(site).get(piece).op(I::I32WrapI64);
        self.help(Help::Put);
    }

    pub(super) fn move_piece(&mut self, from: u32, to: u32) {
        let piece = self.piece_on(from);
        self.f.get(from).get(to).op(I::I64Ne).get(piece).long(0).op(I::I64Ne).op(I::I32And);
        self.f.when();
        let none = self.f.word();
        self.f.long(0).set(none);
        self.put(from, none);
        self.put(to, piece);
        self.f.end();
    }

    /// The number of the piece a statement describes, in a local; 0 for none.
    pub(super) fn made(&mut self, make: &'a Make<Wide>) -> Out<u32> {
        let Make::Of(kind, owner, fields) = make else {
            let Make::Known(piece) = make else { return Err(Gap("a piece of no kind")) };
            self.f.long((*piece).into());
            return Ok(self.f.keep());
        };
        let (seats, kinds) = (self.game.seats.len(), self.game.kinds.len());
        self.number(kind)?;
        let kind = self.f.keep();
        match owner {
            Owned::Me => {
                self.me();
                self.f.long(1).op(I::I64Add);
            }
            Owned::First(seats) => {
                let seats = self.set(seats)?;
                self.f.long(0);
                self.least(&seats);
                self.f.long(1).op(I::I64Add);
                self.none(&seats);
                self.f.op(I::Select);
            }
            Owned::Nobody => {
                self.f.long(0);
            }
        }
        let owner = self.f.keep();
        // All kinds with all owners, one after the other; none first.
        let owners = seats + 1;
        let made = (0..kinds * owners).map(|at| self.program.pieces.made(at / owners, (at % owners).checked_sub(1)));
        let base = self.table_of_shorts(made.collect::<Vec<_>>());
        let (count, owners) = (kinds * owners, i64::saturating_from(owners));
        self.f.get(kind).long(owners).op(I::I64Mul).get(owner).op(I::I64Add).long(-1);
        self.f.get(kind).long(i64::saturating_from(kinds)).op(I::I64LtU);
        self.f.get(owner).long(owners).op(I::I64LtU).op(I::I32And).op(I::Select);
        self.entry(base, count, 1);
        self.f.load_short(0).op(I::I64ExtendI32U);
        let piece = self.f.keep();
        for (field, value) in fields {
            self.number(value)?;
            let value = self.f.keep();
            self.changed(piece, *field, value)?;
        }
        Ok(piece)
    }

    /// Sets a field of the piece in a local to the value in another.
    pub(super) fn changed(&mut self, piece: u32, field: u16, value: u32) -> Out {
        let pieces = &self.program.pieces;
        let Some((low, size)) = pieces.range_of(field) else { return Ok(()) };
        let count = pieces.len();
        if count * size > 1 << 20 {
            return Err(Gap("fields with very many values"));
        }
        let numbers = (0..count).flat_map(|piece| {
            (0..size).map(move |value| {
                let value = low.saturating_add(i64::saturating_from(value));
                pieces.changed(u16::saturating_from(piece), field, value)
            })
        });
        let base = self.table_of_shorts(numbers.collect::<Vec<_>>());
        // A value that the field cannot have changes nothing.
        self.f.get(value).long(low).op(I::I64Sub);
        let at = self.f.keep();
        self.f.get(at).long(i64::saturating_from(size)).op(I::I64LtU);
        self.f.when();
        self.f.get(piece).long(i64::saturating_from(size)).op(I::I64Mul).get(at).op(I::I64Add);
        self.entry(base, count * size, 1);
        self.f.load_short(0).op(I::I64ExtendI32U).set(piece);
        self.f.end();
        Ok(())
    }

    pub(super) fn change(&mut self, sites: &'a Set<Wide>, fields: &'a Fields<Wide>) -> Out {
        let mut values = Vec::new();
        for (field, value) in fields {
            self.number(value)?;
            values.push((*field, self.f.keep()));
        }
        let (sites, taken) = (self.set(sites)?, self.read_set(self.layout.taken));
        let sites = self.and(&sites, &taken);
        self.members(&sites, &mut |emit, site, _| {
            let piece = emit.piece_on(site);
            for &(field, value) in &values {
                emit.changed(piece, field, value)?;
            }
            emit.put(site, piece);
            Ok(())
        })
    }

    pub(super) fn for_each(
        &mut self,
        at: u16,
        source: &'a Source<Wide>,
        from: Option<&'a Number<Wide>>,
        body: BlockId,
    ) -> Out {
        let run = |emit: &mut Self, member: u32| {
            let scope = emit.scope();
            emit.numbers.push((at, member));
            emit.code(body)?;
            emit.leave_scope(scope);
            Ok(())
        };
        match source {
            Source::Set(set) => {
                let set = self.set(set)?;
                for part in self.turned(&set, from)? {
                    self.members(&part, &mut |emit, member, _| run(emit, member))?;
                }
                Ok(())
            }
            Source::PieceAt(site) if from.is_none() => {
                self.piece_at(site)?;
                self.f.op(I::I64ExtendI32U);
                let piece = self.f.keep();
                self.f.get(piece).long(0).op(I::I64Ne);
                self.f.when();
                run(self, piece)?;
                self.f.end();
                Ok(())
            }
            // What a constant or a range holds does not depend on what is done.
            Source::List(list @ (List::Const(_) | List::Range(_))) if from.is_none() => {
                self.each_listed(list, &mut |emit, member| run(emit, member))
            }
            Source::List(_) | Source::PieceAt(_) | Source::PiecesAt(_) => self.with_lists(|emit| {
                let span = emit.snapshot(source)?;
                match from {
                    Some(from) => {
                        emit.number(from)?;
                        let from = emit.f.keep();
                        let first = emit.first_from(span, from)?;
                        emit.each_in(Span { at: first, ..span }, &mut |emit, member| run(emit, member))?;
                        emit.each_in(Span { end: first, ..span }, &mut |emit, member| run(emit, member))
                    }
                    None => emit.each_in(span, &mut |emit, member| run(emit, member)),
                }
            }),
        }
    }

    /// The members of a set in the order of a loop: those from a number on come first. If no member is as great, the
    /// order stays.
    pub(super) fn turned(&mut self, set: &Parts, from: Option<&'a Number<Wide>>) -> Out<Vec<Parts>> {
        let Some(from) = from else { return Ok(vec![set.clone()]) };
        self.number(from)?;
        let from = self.f.keep();
        let early = self.below(from);
        let (before, after) = (self.and(set, &early), self.minus(set, &early));
        Ok(vec![after, before])
    }

    /// The numbers below the one in a local.
    pub(super) fn below(&mut self, n: u32) -> Parts {
        (0..self.words)
            .map(|word| {
                let base = i64::saturating_from(64 * word);
                // Nothing if the number is not above the first of this word, all if it is beyond the last.
                self.f.long(0).long(-1).long(1).get(n).op(I::I64Shl).long(1).op(I::I64Sub);
                self.f.get(n).long(base + 64).op(I::I64GeS).op(I::Select);
                self.f.get(n).long(base).op(I::I64LeS).op(I::Select);
                super::func::Part::Local(self.f.keep())
            })
            .collect()
    }
}
