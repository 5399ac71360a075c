//! Zones: their contents, and moving pieces between places.

use super::Eval;
use super::eval::{MEMBERS, SITES_A_STEP, STEPS_A_PIECE};
use super::machine::Machine;
use super::sighting::Lies;
use crate::base::{Bits, SaturatingFrom, to_index};
use crate::ir::{Expr, Piece, PieceExpr, PieceLocation, PieceSelection, Value, ZoneForm, ZoneRef};
use crate::model::{Ask, Frame, StmtRef, most_piled};

impl Eval<'_> {
    /// The place of a zone's list: the zone and the index within it.
    pub(super) fn zone_place(&mut self, zone: &ZoneRef) -> (usize, usize) {
        let number = usize::from(zone.zone);
        let Some(info) = self.game.zones.nth(number) else {
            return (number, 0);
        };
        let mut index = 0;
        for (expr, (_, size)) in zone.at.iter().zip(&info.indices) {
            index = index * size + self.eval(expr).atom();
        }
        (number, index)
    }

    /// The pieces in a zone.
    pub(super) fn zone(&mut self, zone: &ZoneRef) -> Value {
        let (zone, index) = self.zone_place(zone);
        let pieces = self.pos.zones.get(zone).and_then(|lists| lists.get(index)).cloned().unwrap_or_default();
        if !self.tick(pieces.len() as u64) {
            return Value::Unset;
        }
        Value::Pieces(pieces)
    }
}

/// The evaluated target of moved pieces.
enum Target {
    Sites(Bits),
    Zone(usize, usize),
}

impl Machine<'_> {
    pub(super) fn place_of(&mut self, zone: &ZoneRef) -> (usize, usize) {
        self.with_eval(|eval| eval.zone_place(zone))
    }

    pub(super) fn list(&mut self, (zone, index): (usize, usize)) -> Option<&mut Vec<Piece>> {
        self.pos.zones.get_mut(zone)?.get_mut(index)
    }

    pub(super) fn put_in(&mut self, piece: &PieceExpr, count: &Expr, zone: &ZoneRef) {
        let count = usize::saturating_from(self.eval(count).int());
        let Some(piece) = self.made(piece) else { return };
        let place = self.place_of(zone);
        let mut pieces = self.spend(count, STEPS_A_PIECE);
        let Some(held) = self.list(place).map(|list| list.len()) else { return };
        let most = usize::saturating_from(MEMBERS);
        if held + pieces > most {
            self.steps = 0;
            pieces = most.saturating_sub(held);
        }
        let pieces = self.piled(pieces);
        self.cover(place);
        self.lay(place, vec![piece; pieces], false);
    }

    /// How many of this many pieces all zones together have room for; more exhaust the budget. What the zones hold is counted
    /// only where they may have come to be full.
    fn piled(&mut self, count: usize) -> usize {
        if count > self.room {
            let lists = self.pos.zones.iter().map(Vec::len).sum::<usize>() as u64;
            self.steps = self.steps.saturating_sub(lists / SITES_A_STEP);
            let held = self.pos.zones.iter().flatten().map(Vec::len).sum();
            self.room = most_piled(&self.walker.game).saturating_sub(held);
        }
        if count > self.room {
            self.steps = 0;
        }
        let put = count.min(self.room);
        self.room -= put;
        put
    }

    /// How many of this many pieces the step budget still covers at so many steps each.
    fn spend(&mut self, count: usize, each: u64) -> usize {
        let affordable = usize::saturating_from(self.steps / each).min(count);
        self.steps = self.steps.saturating_sub((count as u64).saturating_mul(each));
        affordable
    }

    /// Counts what it costs to search or sort a zone, or to move up what is in it.
    pub(super) fn handle(&mut self, place: (usize, usize)) {
        if let Some(list) = self.list(place) {
            let cost = list.len() as u64 / SITES_A_STEP;
            self.steps = self.steps.saturating_sub(cost);
        }
    }

    fn is_sorted(&self, (zone, _): (usize, usize)) -> bool {
        self.walker.game.zones.nth(zone).is_some_and(|zone| zone.form == ZoneForm::Set)
    }

    /// Sorts a zone anew, if it is kept in order, which costs a step for each piece.
    pub(super) fn sort(&mut self, place: (usize, usize)) {
        if self.is_sorted(place)
            && let Some(list) = self.list(place)
        {
            list.sort();
            let cost = list.len() as u64;
            self.steps = self.steps.saturating_sub(cost);
        }
    }

    /// Adds pieces on top of a zone or beneath it, in order.
    fn lay(&mut self, place: (usize, usize), pieces: Vec<Piece>, under: bool) {
        let sorted = self.is_sorted(place);
        if sorted || under {
            self.handle(place);
        }
        self.pass(place, pieces.len());
        let Some(list) = self.list(place) else { return };
        if let ([piece], true) = (pieces.as_slice(), sorted) {
            let at = list.partition_point(|other| other <= piece);
            list.insert(at, piece.clone());
            return;
        }
        if under {
            list.splice(0..0, pieces);
        } else {
            list.extend(pieces);
        }
        self.sort(place);
    }

    pub(super) fn move_pieces(
        &mut self,
        selection: &PieceSelection,
        from: &PieceLocation,
        to: &PieceLocation,
        under: bool,
    ) {
        let target = match to {
            PieceLocation::Sites(sites) => Target::Sites(self.eval(sites).into_set()),
            PieceLocation::Zone(zone) => {
                let (zone, index) = self.place_of(zone);
                Target::Zone(zone, index)
            }
        };
        // One piece to each site: any others stay where they are.
        let room = match &target {
            Target::Sites(sites) => sites.count(),
            Target::Zone(..) => usize::MAX,
        };
        let mut top = None;
        let (pieces, source) = match from {
            PieceLocation::Sites(sites) => {
                let sites = self.sites_of(sites);
                for site in sites.iter() {
                    self.stir(Lies::Site(site));
                }
                let taken = sites.iter().filter_map(|site| self.pos.sites.get_mut(site).and_then(Option::take));
                (taken.collect(), None)
            }
            PieceLocation::Zone(zone) => {
                let place = self.place_of(zone);
                top = self.top_leaving(place);
                let pieces = self.take_from(selection, place, room);
                self.pass(place, pieces.len());
                (pieces, Some(place))
            }
        };
        let place = if let Target::Zone(zone, index) = target { Some((zone, index)) } else { None };
        self.watch_pieces(selection, (source, &pieces), place);
        self.watch_places([from, to]);
        let name = self.name_of(selection);
        if source.is_none() && place.is_some() {
            self.piled(pieces.len());
        }
        let moved = self.spend(pieces.len(), 1);
        debug_assert!(moved <= pieces.len(), "no more than there are");
        if let Some(source) = source.filter(|_| self.heard.is_some()) {
            // Of a pile the top alone is seen before it leaves.
            let shown = match top {
                Some(top) => pieces.iter().filter(|piece| top.as_ref() == Some(*piece)).take(1).cloned().collect(),
                None => pieces.clone(),
            };
            self.record(name, (&shown, None), |eval| eval.zone_witnesses(source.0, source.1));
        }
        match target {
            Target::Zone(zone, index) => {
                // Beneath others on a pile nobody sees it.
                let covered = under && self.covers((zone, index));
                if !under {
                    self.cover((zone, index));
                }
                let comes = (&*pieces, Some(Lies::Zone(zone, index)));
                self.record(name, comes, |eval| if covered { Bits::new() } else { eval.zone_witnesses(zone, index) });
                self.lay((zone, index), pieces, under);
            }
            Target::Sites(sites) => {
                // The top one goes to the first site.
                for (site, piece) in sites.iter().zip(pieces.into_iter().rev()) {
                    self.set_site(site, Some(piece.clone()));
                    let heard = std::slice::from_ref(&piece);
                    self.record(name, (heard, Some(Lies::Site(site))), |eval| eval.piece_seen(&piece));
                }
            }
        }
    }

    fn take_from(&mut self, selection: &PieceSelection, place: (usize, usize), room: usize) -> Vec<Piece> {
        let count = |machine: &mut Self, n: &Expr| usize::saturating_from(machine.eval(n).int()).min(room);
        match selection {
            PieceSelection::Top(n) => {
                let n = count(self, n);
                let Some(list) = self.list(place) else { return Vec::new() };
                list.split_off(list.len().saturating_sub(n))
            }
            PieceSelection::Bottom(n) => {
                let n = count(self, n);
                self.handle(place);
                let Some(list) = self.list(place) else { return Vec::new() };
                list.drain(..n.min(list.len())).collect()
            }
            PieceSelection::All => {
                let Some(list) = self.list(place) else { return Vec::new() };
                list.split_off(list.len().saturating_sub(room))
            }
            PieceSelection::These(which) => {
                let which = self.eval(which);
                let one = if let Value::Piece(piece) = &which { vec![piece.clone()] } else { Vec::new() };
                let wanted = if let Value::Pieces(pieces) = which { pieces } else { one };
                let mut taken = Vec::new();
                for piece in wanted.into_iter().take(room) {
                    self.handle(place);
                    if self.steps == 0 {
                        break;
                    }
                    let Some(list) = self.list(place) else { return Vec::new() };
                    if let Some(at) = list.iter().rposition(|there| *there == piece) {
                        taken.push(list.remove(at));
                    }
                }
                taken
            }
        }
    }

    pub(super) fn shuffle(&mut self, zone: &ZoneRef, at: StmtRef) {
        let place = self.place_of(zone);
        let Some(count) = self.list(place).map(|list| list.len()) else { return };
        if count > 1 {
            self.pos.control.push(Frame::Shuffle(at, u32::saturating_from(count)));
            self.ask(Ask::Chance { at });
        }
    }

    /// Asks chance for the next piece from the top, among those without a place yet.
    pub(super) fn go_on_shuffling(&mut self, at: StmtRef, left: u32) {
        if left > 1 {
            self.pos.control.push(Frame::Shuffle(at, left));
            // The first card stands for all: no rule looks at what is between two of them.
            self.ask_on(Ask::Chance { at });
        }
    }

    /// Puts the drawn piece in its place.
    pub(super) fn shuffled(&mut self, zone: &ZoneRef, value: &Value) {
        let Some(Frame::Shuffle(at, left)) = self.pos.control.pop() else {
            return;
        };
        let place = self.place_of(zone);
        let (picked, last) = (to_index(value.int()), (left as usize).saturating_sub(1));
        if let Some(list) = self.list(place)
            && picked.max(last) < list.len()
        {
            list.swap(picked, last);
        }
        self.pos.control.push(Frame::Shuffle(at, left - 1));
    }

    /// Shifts everything on a set's sites by this many places.
    pub(super) fn rotate(&mut self, sites: &Expr, by: &Expr) {
        let sites: Vec<usize> = self.sites_of(sites).iter().collect();
        let by = self.eval(by).int();
        if sites.is_empty() {
            return;
        }
        // Everything is lifted and put down again.
        let lists = 2 + self.pos.tokens.len();
        self.steps = self.steps.saturating_sub((sites.len() * lists) as u64 / SITES_A_STEP);
        let by = to_index(by.rem_euclid(i64::saturating_from(sites.len())));
        for &site in &sites {
            self.stir(Lies::Site(site));
        }
        turn(&mut self.pos.sites, &sites, by);
        for pool in &mut self.pos.tokens {
            turn(pool, &sites, by);
        }
    }
}

/// Shifts the values at some indices cyclically among these indices.
fn turn<T: Clone>(list: &mut [T], sites: &[usize], by: usize) {
    let mut there: Vec<T> = sites.iter().filter_map(|&site| list.get(site).cloned()).collect();
    if there.len() == sites.len() && !there.is_empty() {
        there.rotate_right(by);
        for (&site, value) in sites.iter().zip(there) {
            list[site] = value;
        }
    }
}
