//! The effects of statements.

use super::Walker;
use super::eval::SITES_A_STEP;
use super::machine::Machine;
use super::sets::{Owners, as_numbers};
use super::sighting::Lies;
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{
    BinderSet, BlockId, Expr, Fields, Piece, PieceExpr, PieceLocation, Place, SeatId, Slot, Stmt, StmtKind, Ty, Value,
};
use crate::model::{Ask, Finish, Frame, StmtRef, Verdict};

impl Walker {
    /// The block a loop statement runs.
    pub(super) fn body(&self, at: StmtRef) -> Option<BlockId> {
        self.stmt(at)?.kind.repeated()
    }
}

impl Machine<'_> {
    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    pub(super) fn exec(&mut self, stmt: &Stmt, at: StmtRef) {
        match &stmt.kind {
            StmtKind::Let(slot, value) => self.bind_to([(*slot, value)]),
            StmtKind::Pick(_, set, seat, _) => self.pick(set, seat.as_ref(), at),
            StmtKind::Roll(slot, set, _) => match self.eval(set).members().as_slice() {
                [] => self.leave(),
                [only] => self.bind(*slot, only.clone()),
                _ => self.ask(Ask::Chance { at }),
            },
            StmtKind::Put(piece, on) => self.put(piece, on),
            StmtKind::PutIn(piece, count, zone) => self.put_in(piece, count, zone),
            StmtKind::Shuffle(zone) => self.shuffle(zone, at),
            StmtKind::MovePieces { selection, from, to, under } => self.move_pieces(selection, from, to, *under),
            StmtKind::Rotate(sites, by) => self.rotate(sites, by),
            StmtKind::PutTokens(place, count, on) => {
                let count = u32::saturating_from(self.eval(count).int());
                let sites = self.sites_of(on);
                for pool in self.pools(place) {
                    for site in sites.iter() {
                        self.add_tokens(pool, site, count);
                    }
                }
            }
            StmtKind::MoveTokens(place, count, from, to) => {
                let count = count.as_ref().map(|count| u32::saturating_from(self.eval(count).int()));
                let (from, to) = (self.sites_of(from), self.eval(to).into_set());
                let Some(to) = to.first() else { return };
                for pool in self.pools(place) {
                    for site in from.iter() {
                        let taken = self.take_tokens(pool, site, count);
                        self.add_tokens(pool, to, taken);
                    }
                }
            }
            StmtKind::Move(from, to) => {
                let (from, to) = (self.first(from), self.first(to));
                if let (Some(from), Some(to)) = (from, to)
                    && from != to
                    && let Some(piece) = self.pos.sites.get_mut(from).and_then(Option::take)
                {
                    self.stir(Lies::Site(from));
                    self.set_site(to, Some(piece));
                }
            }
            StmtKind::Remove(sites) => {
                for site in self.sites_of(sites).iter() {
                    self.set_site(site, None);
                }
            }
            StmtKind::Swap(a, b) => {
                if let (Some(a), Some(b)) = (self.first(a), self.first(b))
                    && a.max(b) < self.pos.sites.len()
                {
                    self.pos.sites.swap(a, b);
                    self.stir(Lies::Site(a));
                    self.stir(Lies::Site(b));
                }
            }
            StmtKind::Change(at, fields) => self.change(at, fields),
            StmtKind::Sow { place, from, along, skip, last } => self.sow(place, from, along, skip.as_ref(), *last),
            StmtKind::Assign(var, indices, value) => {
                let (index, value) = self.with_eval(|eval| (eval.var_index(*var, indices), eval.eval(value)));
                let numbers = self.walker.game.vars.get(*var).is_some_and(|var| var.ty == Ty::Int.set());
                let value = if numbers { as_numbers(value) } else { value };
                // What the budget has cut short is nobody's value.
                if let Some(place) = self.pos.vars.get_mut(usize::from(*var)).and_then(|var| var.get_mut(index))
                    && self.steps > 0
                {
                    *place = value;
                }
            }
            StmtKind::If(condition, yes, no) => {
                let branch = if self.eval(condition).truth() { Some(*yes) } else { *no };
                if let Some(block) = branch {
                    self.pos.control.push(Frame::Block(block, 0));
                }
            }
            StmtKind::For(_, over, from, _) => self.for_each(over, from.as_ref(), at),
            StmtKind::While(..) => self.pos.control.push(Frame::While(at)),
            StmtKind::Repeat(count, _) => {
                let count = u32::saturating_from(self.eval(count).int());
                self.pos.control.push(Frame::Repeat(at, count));
            }
            StmtKind::Turns(from, _) => self.begin_turns(from.as_ref(), at),
            StmtKind::Phase(phase, body) => {
                self.pos.control.push(Frame::Phase(self.pos.phase));
                self.pos.phase = Some(*phase);
                self.pos.control.push(Frame::Block(*body, 0));
            }
            StmtKind::Call(params, body) => {
                self.bind_to(params.iter().map(|(slot, value)| (*slot, value)));
                self.pos.control.push(Frame::Block(*body, 0));
            }
            StmtKind::Stop => self.stop(),
            StmtKind::Give(seat) => {
                let seat = self.eval(seat).atom();
                self.pos.next_mover = Some(SeatId::new(seat));
            }
            StmtKind::Win(seats) => self.decide(seats, Verdict::Win, stmt.rule),
            StmtKind::Lose(seats) => self.decide(seats, Verdict::Loss, stmt.rule),
            StmtKind::Draw => {
                self.finish_by(stmt.rule, Finish::drawn(self.walker.game.seats.len()));
            }
            StmtKind::Rank(slot, seats, by) => self.rank(*slot, seats, by, stmt.rule),
            StmtKind::Place(seats) => self.place(seats, true, stmt.rule),
            StmtKind::Eliminate(seats) => self.place(seats, false, stmt.rule),
            StmtKind::Together { seats, .. } => {
                let seats = self.eval(seats).into_set();
                let mut seats: Vec<SeatId> =
                    seats.iter().filter(|&seat| self.pos.plays(seat)).map(SeatId::new).collect();
                seats.reverse();
                self.pos.control.push(Frame::Together(at, seats, Vec::new()));
            }
            StmtKind::Race { .. } => self.begin_race(at, stmt.rule),
            StmtKind::Plays { seat, may, groups, otherwise } => {
                let seat = SeatId::new(self.eval(seat).atom());
                if !self.pos.plays(usize::from(seat)) {
                    return;
                }
                let before = self.pos.actor.replace(seat);
                self.pos.control.push(Frame::Played(before));
                self.ask(Ask::Choose { seat, at });
                self.watch_offer(groups, *may);
                if !may && !self.with_eval(|eval| eval.can_move(groups)) {
                    self.take_back();
                    self.pos.control.pop();
                    self.pos.actor = before;
                    self.nobody_can(*otherwise, stmt.rule);
                }
            }
        }
    }

    fn pick(&mut self, set: &Expr, seat: Option<&Expr>, at: StmtRef) {
        // If there is nothing to pick, the rest of the block, which may use the name, is skipped.
        if self.eval(set).members().is_empty() {
            self.leave();
            return;
        }
        let seat = seat.map_or(self.pos.acting(), |seat| SeatId::new(self.eval(seat).atom()));
        if usize::from(seat) >= self.pos.standing.len() {
            self.leave();
            return;
        }
        self.ask(Ask::Pick { seat, at });
    }

    fn pools(&mut self, place: &Place) -> Vec<usize> {
        self.with_eval(|eval| eval.pools(place.tokens, &place.owner))
    }

    /// The sites that a statement changes, which are charged.
    pub(super) fn sites_of(&mut self, sites: &Expr) -> Bits {
        let sites = self.eval(sites).into_set();
        self.steps = self.steps.saturating_sub(2 * sites.count() as u64 / SITES_A_STEP);
        sites
    }

    fn first(&mut self, site: &Expr) -> Option<usize> {
        self.eval(site).into_set().first()
    }

    pub(super) fn set_site(&mut self, site: usize, piece: Option<Piece>) {
        self.stir(Lies::Site(site));
        if let Some(place) = self.pos.sites.get_mut(site)
            && let Some(gone) = std::mem::replace(place, piece)
            && let Some(displaced) = &mut self.displaced
        {
            displaced.left.push((site, gone));
        }
    }

    fn put(&mut self, piece: &PieceExpr, on: &Expr) {
        let Some(piece) = self.made(piece) else { return };
        for site in self.sites_of(on).iter() {
            self.set_site(site, Some(piece.clone()));
        }
    }

    /// The piece that a statement describes.
    pub(super) fn made(&mut self, piece: &PieceExpr) -> Option<Piece> {
        let game = &self.walker.game;
        let (kind, info) = game.kinds.numbered().nth(self.eval(&piece.kind).atom())?;
        let mut fields: Fields = info.fields.iter().map(|field| field.default).collect();
        for (name, value) in &piece.fields {
            let value = self.eval(value).field();
            if let Some(at) = info.fields.iter().position(|field| field.name == *name) {
                fields[at] = value;
            }
        }
        let owner = match self.with_eval(|eval| eval.owners(&piece.owner)) {
            Owners::One(seat) if info.owned => Some(seat),
            Owners::Many(seats) if info.owned => seats.first().map(SeatId::new),
            Owners::One(_) | Owners::NotOne(_) | Owners::Many(_) | Owners::Any => None,
        };
        Some(Piece { kind, owner, fields })
    }

    fn change(&mut self, at: &PieceLocation, fields: &[(String, Expr)]) {
        let values: Vec<(&String, i32)> = fields.iter().map(|(name, value)| (name, self.eval(value).field())).collect();
        let walker = self.walker;
        let change = |piece: &mut Piece| {
            let Some(kind) = walker.game.kinds.get(piece.kind) else {
                return;
            };
            for (name, value) in &values {
                if let Some(at) = kind.fields.iter().position(|field| field.name == **name) {
                    piece.fields[at] = *value;
                }
            }
        };
        match at {
            PieceLocation::Sites(sites) => {
                for site in self.sites_of(sites).iter() {
                    self.stir(Lies::Site(site));
                    if let Some(Some(piece)) = self.pos.sites.get_mut(site) {
                        let before = piece.clone();
                        change(piece);
                        let after = piece.clone();
                        self.watch_change(&before, &after);
                        if let Some(displaced) = &mut self.displaced {
                            displaced.changed.insert(before);
                        }
                    }
                }
            }
            PieceLocation::Zone(zone) => {
                let place = self.place_of(zone);
                self.handle(place);
                self.stir(Lies::Zone(place.0, place.1));
                let mut displaced = self.displaced.take();
                if let Some(list) = self.list(place) {
                    if let Some(displaced) = &mut displaced {
                        displaced.changed.extend(list.iter().cloned());
                    }
                    list.iter_mut().for_each(change);
                }
                self.displaced = displaced;
                self.sort(place);
            }
        }
    }

    fn add_tokens(&mut self, pool: usize, site: usize, count: u32) {
        if let Some(place) = self.pos.tokens.get_mut(pool).and_then(|pool| pool.get_mut(site)) {
            *place = place.saturating_add(count);
        }
    }

    fn take_tokens(&mut self, pool: usize, site: usize, count: Option<u32>) -> u32 {
        let Some(place) = self.pos.tokens.get_mut(pool).and_then(|pool| pool.get_mut(site)) else {
            return 0;
        };
        let taken = count.map_or(*place, |count| count.min(*place));
        *place -= taken;
        taken
    }

    /// Sows the tokens of a site one by one. Where the track ends, the remaining tokens stay on its last site.
    fn sow(&mut self, place: &Place, from: &Expr, along: &Expr, skip: Option<&Expr>, last: Slot) {
        let Some(start) = self.first(from) else {
            return;
        };
        let direction = self.eval(along).into_set().first();
        let skip = skip.map_or_else(Bits::new, |skip| self.eval(skip).into_set());
        let pools = self.pools(place);
        let mut site = start;
        for pool in pools {
            let mut left = self.take_tokens(pool, start, None);
            while left > 0 {
                self.steps = self.steps.saturating_sub(1);
                let (next, skipped) = direction.map_or((None, 0), |direction| self.next_site(direction, site, &skip));
                self.steps = self.steps.saturating_sub(skipped / SITES_A_STEP);
                match next {
                    Some(next) if self.steps > 0 => {
                        site = next;
                        self.add_tokens(pool, site, 1);
                        left -= 1;
                    }
                    _ => {
                        self.add_tokens(pool, site, left);
                        left = 0;
                    }
                }
            }
        }
        self.bind(last, Value::atom_of(site));
    }

    /// The next site in a direction that is not skipped, and how many were.
    fn next_site(&self, direction: usize, from: usize, skip: &Bits) -> (Option<usize>, u64) {
        let topology = &self.walker.game.topology;
        let (mut site, most) = (from, topology.sites.len() as u64);
        for skipped in 0..most {
            let Some(next) = topology.step(direction, site).first() else { return (None, skipped) };
            site = usize::from(*next);
            if !skip.contains(site) {
                return (Some(site), skipped);
            }
        }
        (None, most)
    }

    fn for_each(&mut self, over: &BinderSet, from: Option<&Expr>, at: StmtRef) {
        let mut members = self.with_eval(|eval| eval.bound(over));
        if let Some(from) = from {
            let from = self.eval(from);
            if let Some(turn) = members.iter().position(|member| *member >= from) {
                members.rotate_left(turn);
            }
        }
        members.reverse();
        self.go_through(at, members);
    }

    pub(super) fn next_member(&mut self, at: StmtRef, mut left: Vec<Value>) {
        let walker = self.walker;
        let Some(kind) = walker.stmt(at).map(|stmt| &stmt.kind) else { return };
        let StmtKind::For(slot, _, _, body) = kind else { return };
        self.watch_again(kind);
        match left.pop() {
            Some(member) => {
                self.bind(*slot, member);
                self.pos.control.push(Frame::Each(at, left));
                self.pos.control.push(Frame::Block(*body, 0));
            }
            None => self.bind(*slot, Value::Unset),
        }
    }

    pub(super) fn repeat_while(&mut self, at: StmtRef) {
        let walker = self.walker;
        let Some(kind) = walker.stmt(at).map(|stmt| &stmt.kind) else { return };
        let StmtKind::While(condition, body) = kind else { return };
        self.watch_again(kind);
        if self.eval(condition).truth() {
            self.pos.control.push(Frame::While(at));
            self.pos.control.push(Frame::Block(*body, 0));
        }
    }

    pub(super) fn repeat_count(&mut self, at: StmtRef, left: u32) {
        let walker = self.walker;
        if let Some(stmt) = walker.stmt(at) {
            self.watch_again(&stmt.kind);
        }
        let Some(body) = walker.body(at) else {
            return;
        };
        if left > 0 {
            self.pos.control.push(Frame::Repeat(at, left - 1));
            self.pos.control.push(Frame::Block(body, 0));
        }
    }
}
