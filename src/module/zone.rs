//! Statements about zones.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::{Parts, Stretch};
use super::layout::{HEAD, SORTED};
use super::place::{Around, Place};
use super::scope::Bound;
use super::span::Span;
use crate::base::SaturatingFrom;
use crate::compile::program::{Cell, Fields, Make, Number, PieceLocation, PieceSelection, Set, Source};
use crate::ir::{BlockId, ZoneForm};
use crate::model::StmtRef;

/// Where pieces go.
enum Target {
    Sites(Parts),
    Zone(u32),
}

impl<'a> Emit<'a> {
    /// Puts the piece in a local, 64 bits, on top of the zone whose address is in another.
    fn push(&mut self, zone: u32, piece: u32) {
        self.f.get(zone).get(piece).op(I::I32WrapI64);
        self.help(Help::Push);
    }

    /// Puts copies of a piece on top of a zone.
    pub(super) fn put_in(&mut self, make: &'a Make<Wide>, number: &'a Number<Wide>, zone: &'a Cell<Wide>) -> Out {
        self.number(number)?;
        let left = self.f.keep();
        let piece = self.made(make)?;
        self.zone_changes(zone);
        let zone = self.zone(zone)?;
        self.f.get(piece).long(0).op(I::I64Ne);
        self.f.when();
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(left).long(0).op(I::I64LeS).br_if(done);
        self.f.stop_if_spent();
        self.push(zone, piece);
        self.f.get(left).long(1).op(I::I64Sub).set(left).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.end();
        Ok(())
    }

    /// Moves pieces from or to a zone.
    pub(super) fn move_pieces(
        &mut self,
        parts: &'a (PieceSelection<Wide>, PieceLocation<Wide>, PieceLocation<Wide>),
        under: bool,
    ) -> Out {
        let (selection, from, to) = parts;
        let target = match to {
            PieceLocation::Sites(sites) => Target::Sites(self.set(sites)?),
            PieceLocation::Zone(zone) => {
                self.zone_changes(zone);
                Target::Zone(self.zone(zone)?)
            }
        };
        match from {
            PieceLocation::Sites(sites) => {
                let count = self.lift(sites)?;
                self.lay(&target, count, under)
            }
            PieceLocation::Zone(zone) => {
                self.zone_changes(zone);
                let zone = self.zone(zone)?;
                self.take_from(selection, zone, &target, under)
            }
        }
    }

    /// Takes the pieces from sites; how many there are is in the local that is returned.
    fn lift(&mut self, sites: &'a Set<Wide>) -> Out<u32> {
        let count = self.f.small();
        self.f.int(0).set(count);
        let (sites, taken) = (self.set(sites)?, self.read_set(self.layout.taken));
        let sites = self.and(&sites, &taken);
        let none = self.f.word();
        self.f.long(0).set(none);
        self.members(&sites, &mut |emit, site, _| {
            let piece = emit.piece_on(site);
            emit.carry(count, piece);
            emit.put(site, none);
            Ok(())
        })?;
        Ok(count)
    }

    /// Adds the piece in a local, 64 bits, to those that are carried, whose number is in another.
    fn carry(&mut self, count: u32, piece: u32) {
        let carried = self.layout.carried;
        self.f.get(count).int(1).op(I::I32Shl).get(piece).op(I::I32WrapI64).store_short(carried);
        self.f.get(count).int(1).op(I::I32Add).set(count);
    }

    fn take_from(&mut self, selection: &'a PieceSelection<Wide>, zone: u32, target: &Target, under: bool) -> Out {
        let bottom = matches!(selection, PieceSelection::Bottom(_));
        match selection {
            PieceSelection::This(piece) => {
                self.f.get(zone);
                self.number(piece)?;
                let piece = self.f.keep();
                self.f.get(piece);
                self.help(Help::Pull);
                self.f.when();
                self.lay_one(target, piece, under)?;
                self.f.end();
                Ok(())
            }
            PieceSelection::Top(Number::Const(1)) if matches!(target, Target::Zone(_)) => {
                self.f.get(zone);
                self.help(Help::Pop);
                self.f.op(I::I64ExtendI32U);
                let piece = self.f.keep();
                self.f.get(piece).long(0).op(I::I64Ne);
                self.f.when();
                self.lay_one(target, piece, under)?;
                self.f.end();
                Ok(())
            }
            PieceSelection::Top(number) | PieceSelection::Bottom(number) => {
                self.f.get(zone).int(bottom.into());
                self.number(number)?;
                self.within_room(target);
                self.help(Help::Take);
                let count = self.f.keep_small();
                self.lay(target, count, under)
            }
            PieceSelection::All => {
                self.f.get(zone).int(0).long(i64::MAX);
                self.within_room(target);
                self.help(Help::Take);
                let count = self.f.keep_small();
                self.lay(target, count, under)
            }
            PieceSelection::These(list) => {
                let count = self.f.small();
                self.f.int(0).set(count);
                self.with_lists(|emit| {
                    // The zone changes while it is gone through.
                    let span = emit.built(list)?;
                    emit.f.long(i64::MAX);
                    emit.within_room(target);
                    let left = emit.f.keep();
                    let done = emit.f.block();
                    emit.each_in(span, &mut |emit, piece| {
                        emit.f.get(left).op(I::I64Eqz).br_if(done);
                        emit.f.get(left).long(1).op(I::I64Sub).set(left);
                        emit.f.get(zone).get(piece);
                        emit.help(Help::Pull);
                        emit.f.when();
                        emit.carry(count, piece);
                        emit.f.end();
                        Ok(())
                    })?;
                    emit.f.end();
                    Ok(())
                })?;
                self.lay(target, count, under)
            }
        }
    }

    /// Of the number on the stack, leaves as many as there is room for: one piece to each site.
    fn within_room(&mut self, target: &Target) {
        if let Target::Sites(sites) = target {
            let wanted = self.f.keep();
            self.size(sites);
            let room = self.f.keep();
            self.f.get(wanted).get(room).get(wanted).get(room).op(I::I64LtS).op(I::Select);
        }
    }

    /// Lays down the pieces that are carried, whose number is in a local.
    fn lay(&mut self, target: &Target, count: u32, under: bool) -> Out {
        match target {
            Target::Zone(zone) => {
                self.f.get(*zone).get(count).int(under.into());
                self.help(Help::Lay);
                Ok(())
            }
            // The top one goes to the first site.
            Target::Sites(sites) => {
                let carried = self.layout.carried;
                self.members(sites, &mut |emit, site, done| {
                    emit.f.get(count).op(I::I32Eqz).br_if(done);
                    emit.f.get(count).int(1).op(I::I32Sub).set(count);
                    emit.f.get(count).int(1).op(I::I32Shl).load_short(carried).op(I::I64ExtendI32U);
                    let piece = emit.f.keep();
                    emit.put(site, piece);
                    Ok(())
                })
            }
        }
    }

    /// Lays down the piece in a local, 64 bits.
    fn lay_one(&mut self, target: &Target, piece: u32, under: bool) -> Out {
        if let (Target::Zone(zone), false) = (target, under) {
            self.push(*zone, piece);
            return Ok(());
        }
        let count = self.f.small();
        self.f.int(0).set(count);
        self.carry(count, piece);
        self.lay(target, count, under)
    }

    /// Sets fields of all pieces in a zone.
    pub(super) fn change_zone(&mut self, zone: &'a Cell<Wide>, fields: &'a Fields<Wide>) -> Out {
        let mut values = Vec::new();
        for (field, value) in fields {
            self.number(value)?;
            values.push((*field, self.f.keep()));
        }
        self.zone_changes(zone);
        let zone = self.zone(zone)?;
        // They are taken out and put back one by one, since the order may change.
        let (count, next) = (self.f.small(), self.f.small());
        self.f.get(zone).int(0).long(i64::MAX);
        self.help(Help::Take);
        self.f.set(count).int(0).set(next);
        let carried = self.layout.carried;
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(next).get(count).op(I::I32GeU).br_if(done);
        self.f.get(next).int(1).op(I::I32Shl).load_short(carried).op(I::I64ExtendI32U);
        let piece = self.f.keep();
        for &(field, value) in &values {
            self.changed(piece, field, value)?;
        }
        self.push(zone, piece);
        self.f.get(next).int(1).op(I::I32Add).set(next);
        self.f.stop_if_spent();
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        Ok(())
    }

    /// What a loop runs over as it is before the first round.
    pub(super) fn snapshot(&mut self, source: &'a Source<Wide>) -> Out<Span> {
        let (set, taken) = match source {
            Source::List(list) => return self.built(list),
            Source::PiecesAt(set) => (self.set(set)?, self.read_set(self.layout.taken)),
            Source::PieceAt(site) => {
                self.number(site)?;
                (self.one(), self.read_set(self.layout.taken))
            }
            Source::Set(set) => {
                let at = self.top();
                let set = self.set(set)?;
                self.members(&set, &mut |emit, member, _| {
                    emit.append(member);
                    Ok(())
                })?;
                return Ok(Span { at, end: self.top(), short: false });
            }
        };
        let at = self.top();
        let sites = self.and(&set, &taken);
        self.members(&sites, &mut |emit, site, _| {
            let piece = emit.piece_on(site);
            emit.append(piece);
            Ok(())
        })?;
        Ok(Span { at, end: self.top(), short: false })
    }

    /// Where the first member lies, in a local, that is not less than the number in another; else the beginning.
    pub(super) fn first_from(&mut self, span: Span, from: u32) -> Out<u32> {
        let (first, next) = (self.f.small(), self.f.small());
        self.f.get(span.at).set(first).get(span.at).set(next);
        let found = self.f.block();
        self.each_in(span, &mut |emit, member| {
            emit.f.get(member).get(from).op(I::I64GeS);
            emit.f.when();
            emit.f.get(next).set(first).br(found);
            emit.f.end();
            emit.f.get(next).int(span.size()).op(I::I32Add).set(next);
            Ok(())
        })?;
        self.f.end();
        Ok(first)
    }

    /// A loop that asks, over the members of a list or pieces: those left are kept behind their number, the next one last.
    pub(super) fn asking_listed(
        &mut self,
        at: StmtRef,
        (name, source, from, body): (u16, &'a Source<Wide>, Option<&'a Number<Wide>>, BlockId),
        place: &Place,
    ) -> Out {
        let kept = self.layout.loops.get(&at).copied().ok_or(super::listed::LOOPS)?;
        let (again, behind): (Stretch, Stretch) = (self.f.later(), self.f.later());
        let span = self.snapshot(source)?;
        let first = match from {
            Some(from) => {
                self.number(from)?;
                let from = self.f.keep();
                self.first_from(span, from)?
            }
            None => span.at,
        };
        self.span_length(span);
        self.f.op(I::I32WrapI64);
        let count = self.f.keep_small();
        self.f.get(count).int(kept.room.cast_signed()).op(I::I32GtU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        self.f.int(0).get(count).store_int(kept.first);
        // The last member of the list is the first of those kept, until the one to begin with.
        let next = self.f.small();
        self.f.get(count).int(3).op(I::I32Shl).set(next);
        for part in [Span { at: first, ..span }, Span { end: first, ..span }] {
            self.each_in(part, &mut |emit, member| {
                emit.f.get(next).int(8).op(I::I32Sub).set(next);
                emit.f.get(next).get(member).store(kept.first + HEAD);
                Ok(())
            })?;
        }
        self.forget_lists();
        self.go_on_at(again);
        self.f.read_int(kept.first).op(I::I32Eqz);
        self.f.when();
        self.f.goto(behind);
        self.f.end();
        self.f.read_int(kept.first).int(1).op(I::I32Sub);
        let left = self.f.keep_small();
        self.f.int(0).get(left).store_int(kept.first);
        self.f.get(left).int(3).op(I::I32Shl).load(kept.first + HEAD);
        let member = self.f.keep();
        self.remember(&Bound::Number(name, member))?;
        self.asking_block(body, &place.looped(Around::Loop))?;
        self.f.goto(again);
        self.f.begin(behind);
        Ok(())
    }

    /// Writes down which zones are kept in order, and what lists variables hold before the setup.
    pub(super) fn set_out_lists(&mut self) {
        let (zones, held) = (self.layout.zones, self.layout.var_lists);
        let ends = self.program.zones.iter().skip(1).map(|zone| zone.first);
        let ends = ends.chain([u32::saturating_from(self.program.lists)]);
        for (zone, end) in self.program.zones.iter().zip(ends) {
            for list in (zone.first..end).filter(|_| zone.form == ZoneForm::Set) {
                self.f.int(0).int(1).store_int(zones.first + list * zones.stride + SORTED);
            }
        }
        for (place, list) in self.first.lists.clone() {
            let at = held.first + u32::saturating_from(place) * held.stride;
            self.f.int(0).int(i32::saturating_from(list.len())).store_int(at);
            for (at, number) in (at + HEAD..).step_by(8).zip(list) {
                self.f.int(0).long(number).store(at);
            }
        }
    }

    /// The piece at a place in a list of a zone, from the bottom: both are parameters.
    pub(super) fn lying(&mut self) {
        self.f.get(0).op(I::I64ExtendI32U);
        let list = self.zone_numbered();
        self.f.get(list).get(1).int(1).op(I::I32Shl).op(I::I32Add).int(HEAD.cast_signed()).op(I::I32Add);
        self.f.at(self.layout.nothing).get(1).get(list).load_int(0).op(I::I32LtU).op(I::Select).load_short(0);
    }
}
