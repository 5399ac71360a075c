//! Zones, and moving pieces between places.

use super::eval::{SITES_A_STEP, STEPS_A_PIECE};
use super::run::Run;
use super::sets::MEMBERS;
use super::state::Frame;
use crate::base::{SaturatingFrom, Word, to_index};
use crate::compile::program::{Cell, Number, PieceLocation, PieceSelection, Set};
use crate::ir::ZoneForm;
use crate::model::most_piled;

/// The evaluated target of moved pieces.
enum Target<W: Word> {
    Sites(W),
    List(usize),
}

impl<'a, W: Word> Run<'a, W> {
    /// Whether a list is kept sorted.
    fn is_sorted(&self, list: usize) -> bool {
        self.sorted.get(list).copied().unwrap_or(false)
    }

    /// How many of this many pieces the step budget still covers at so many steps each.
    fn spend(&mut self, count: usize, each: u64) -> usize {
        let affordable = usize::saturating_from(self.steps / each).min(count);
        self.steps = self.steps.saturating_sub((count as u64).saturating_mul(each));
        affordable
    }

    /// How many of this many pieces all zones together have room for; more exhaust the budget. What the zones hold is counted
    /// only where they may have come to be full.
    fn piled(&mut self, count: usize) -> usize {
        if count > self.room {
            self.steps = self.steps.saturating_sub(self.state.lists.len() as u64 / SITES_A_STEP);
            let held = self.state.lists.iter().map(Vec::len).sum();
            self.room = most_piled(self.game).saturating_sub(held);
        }
        if count > self.room {
            self.steps = 0;
        }
        let put = count.min(self.room);
        self.room -= put;
        put
    }

    /// Counts what it costs to search or sort a zone, or to move up what is in it.
    fn handle(&mut self, place: usize) {
        self.steps = self.steps.saturating_sub(self.state.list(place).len() as u64 / 16);
    }

    /// Sorts a zone anew, which costs a step for each piece.
    fn sort(&mut self, place: usize) {
        if let Some(list) = self.state.list_mut(self.program, place) {
            list.sort_unstable();
        }
        self.steps = self.steps.saturating_sub(self.state.list(place).len() as u64);
    }

    pub(super) fn put_in(&mut self, piece: u16, count: usize, zone: &'a Cell<W>) {
        let place = self.place(zone);
        let mut count = self.spend(count, STEPS_A_PIECE);
        let sorted = self.is_sorted(place);
        if sorted {
            self.handle(place);
        }
        let held = self.state.list(place).len();
        if held + count > MEMBERS {
            self.steps = 0;
            count = MEMBERS.saturating_sub(held);
        }
        let count = self.piled(count);
        if let Some(list) = self.state.list_mut(self.program, place) {
            list.extend(std::iter::repeat_n(piece, count));
            if sorted {
                list.sort_unstable();
            }
        }
    }

    pub(super) fn move_pieces(
        &mut self,
        selection: &'a PieceSelection<W>,
        from: &'a PieceLocation<W>,
        to: &'a PieceLocation<W>,
        under: bool,
    ) {
        let target = match to {
            PieceLocation::Sites(sites) => Target::Sites(self.set(sites)),
            PieceLocation::Zone(zone) => Target::List(self.place(zone)),
        };
        // One piece to each site: any others stay where they are.
        let room = match &target {
            Target::Sites(sites) => sites.count(),
            Target::List(_) => usize::MAX,
        };
        // The buffer is kept for next time: it may have to hold a whole deck.
        let mut pieces = std::mem::take(&mut self.carried);
        pieces.clear();
        match from {
            PieceLocation::Sites(sites) => {
                for site in self.changed(sites).and(self.state.taken).iter() {
                    pieces.push(self.state.sites[site]);
                    self.state.put(self.program, site, 0);
                }
            }
            PieceLocation::Zone(zone) => {
                let place = self.place(zone);
                self.take_from(selection, place, room, &mut pieces);
            }
        }
        if let (PieceLocation::Sites(_), Target::List(_)) = (from, &target) {
            self.piled(pieces.len());
        }
        self.spend(pieces.len(), 1);
        match target {
            Target::List(place) => {
                let sorted = self.is_sorted(place);
                if sorted || under {
                    self.handle(place);
                }
                if let Some(list) = self.state.list_mut(self.program, place) {
                    if under {
                        list.splice(0..0, pieces.iter().copied());
                    } else {
                        list.extend_from_slice(&pieces);
                    }
                }
                if sorted {
                    self.sort(place);
                }
            }
            Target::Sites(sites) => {
                // The top one goes to the first site.
                for (site, &piece) in sites.iter().zip(pieces.iter().rev()) {
                    self.state.put(self.program, site, piece);
                }
            }
        }
        self.carried = pieces;
    }

    fn take_from(&mut self, selection: &'a PieceSelection<W>, place: usize, room: usize, out: &mut Vec<u16>) {
        let wanted = match selection {
            PieceSelection::Top(n) | PieceSelection::Bottom(n) => usize::saturating_from(self.number(n)).min(room),
            PieceSelection::All => room,
            PieceSelection::This(piece) => {
                let piece = self.number(piece);
                self.take_piece(piece, place, out);
                return;
            }
            PieceSelection::These(which) => {
                let wanted = self.list(which);
                for &piece in wanted.iter().take(room) {
                    self.take_piece(piece, place, out);
                }
                self.give_back(wanted);
                return;
            }
        };
        if matches!(selection, PieceSelection::Bottom(_)) {
            self.handle(place);
        }
        let Some(list) = self.state.list_mut(self.program, place) else { return };
        let wanted = wanted.min(list.len());
        let range =
            if matches!(selection, PieceSelection::Bottom(_)) { 0..wanted } else { list.len() - wanted..list.len() };
        out.extend(list.drain(range));
    }

    fn take_piece(&mut self, piece: i64, place: usize, out: &mut Vec<u16>) {
        self.handle(place);
        if self.steps == 0 {
            return;
        }
        let Some(list) = self.state.list_mut(self.program, place) else { return };
        if let Some(at) = list.iter().rposition(|&there| i64::from(there) == piece) {
            out.push(list.remove(at));
        }
    }

    /// Places a piece in a shuffle.
    pub(super) fn shuffled(&mut self, zone: &'a Cell<W>, value: i64) {
        let Some(Frame::Shuffle(at, left)) = self.state.control.pop() else { return };
        let place = self.place(zone);
        let (picked, last) = (to_index(value), (left as usize).saturating_sub(1));
        if let Some(list) = self.state.list_mut(self.program, place)
            && picked.max(last) < list.len()
        {
            list.swap(picked, last);
        }
        self.state.control.push(Frame::Shuffle(at, left - 1));
    }

    /// Shifts everything on a set's sites by this many places.
    pub(super) fn rotate(&mut self, sites: &'a Set<W>, by: &'a Number<W>) {
        let sites = self.changed(sites).and(self.all_sites);
        let by = self.number(by);
        if sites.is_empty() {
            return;
        }
        // Everything is lifted and put down again.
        self.went_from((sites.count() * (2 + self.program.pools)) as u64 / 2);
        let by = to_index(by.rem_euclid(super::eval::count(sites.count())));
        let mut pieces = std::mem::take(&mut self.carried);
        pieces.clear();
        pieces.extend(sites.iter().map(|site| self.state.sites[site]));
        pieces.rotate_right(by);
        for (site, &piece) in sites.iter().zip(&pieces) {
            self.state.put(self.program, site, piece);
        }
        self.carried = pieces;
        let mut there = self.borrow();
        for pool in 0..self.program.pools {
            there.clear();
            there.extend(sites.iter().map(|site| i64::from(self.state.tokens_at(self.program, pool, site))));
            there.rotate_right(by);
            for (site, &tokens) in sites.iter().zip(&there) {
                self.state.set_tokens(self.program, pool, site, u32::saturating_from(tokens));
            }
        }
        self.give_back(there);
    }

    /// Changes fields of pieces.
    pub(super) fn change(&mut self, location: &'a PieceLocation<W>, fields: &'a [(u16, Number<W>)]) {
        let mut values = self.borrow();
        for (_, value) in fields {
            let value = self.number(value);
            values.push(value);
        }
        let program = self.program;
        let changed = |piece: u16| {
            let both = fields.iter().zip(&values);
            both.fold(piece, |piece, ((field, _), &value)| program.pieces.changed(piece, *field, value))
        };
        match location {
            PieceLocation::Sites(sites) => {
                for site in self.changed(sites).and(self.state.taken).iter() {
                    let piece = changed(self.state.sites[site]);
                    self.state.put(program, site, piece);
                }
            }
            PieceLocation::Zone(zone) => {
                let place = self.place(zone);
                self.handle(place);
                let sorted = self.is_sorted(place);
                if let Some(list) = self.state.list_mut(self.program, place) {
                    for piece in list.iter_mut() {
                        *piece = changed(*piece);
                    }
                }
                if sorted {
                    self.sort(place);
                } else {
                    self.steps = self.steps.saturating_sub(self.state.list(place).len() as u64 / SITES_A_STEP);
                }
            }
        }
        self.give_back(values);
    }

    /// For each list of a zone, whether it is kept sorted.
    pub(super) fn sorted_lists(program: &crate::compile::program::Program<W>) -> Box<[bool]> {
        let ends = program.zones.iter().skip(1).map(|zone| zone.first as usize).chain([program.lists]);
        let runs = program.zones.iter().zip(ends);
        runs.flat_map(|(zone, end)| {
            std::iter::repeat_n(zone.form == ZoneForm::Set, end.saturating_sub(zone.first as usize))
        })
        .collect()
    }
}
