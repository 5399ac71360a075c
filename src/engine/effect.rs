//! The effects of statements.

use super::eval::{SITES_A_STEP, count};
use super::machine::Flow;
use super::run::Run;
use crate::base::{SaturatingFrom, Word, get_or_default};
use crate::compile::program::{Bind, Cell, Make, Number, Op, OpKind, Owned, Set, Source, Test, Values};
use crate::ir::{BlockId, RuleId, SeatId, Slot};
use crate::model::{Ending, Finish};

impl<'a, W: Word> Run<'a, W> {
    /// Runs a block that asks nothing. Its local names are never visible from outside, so they are neither marked as
    /// bound nor cleared.
    pub(super) fn code(&mut self, block: BlockId) -> Flow {
        let program = self.program;
        let Some(code) = program.code.get(usize::from(block)) else { return Flow::Next };
        for op in &code.ops {
            let flow = self.op(op, false);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    /// Runs a statement that asks nothing. `keep` says whether its local names outlast the next question. The hot
    /// statements have functions of their own, as expressions do.
    pub(super) fn op(&mut self, op: &'a Op<W>, keep: bool) -> Flow {
        if !self.tick() {
            return self.spent(op.rule);
        }
        match &op.kind {
            OpKind::Nothing => Flow::Next,
            OpKind::Do(block) => self.code(*block),
            OpKind::If(test, yes, no) => self.branch(test, *yes, *no),
            OpKind::Call(binds, body) => self.procedure(binds, *body),
            OpKind::Let(slot, bind) => self.named(*slot, bind, keep),
            OpKind::AssignNumber(cell, value) => self.assign_number(cell, value),
            OpKind::AssignSet(cell, value) => self.assign_set(cell, value),
            OpKind::MoveSite(from, to) => self.move_between(from, to),
            OpKind::MoveTokens(pools, number, from, to) => self.move_tokens(pools, number.as_ref(), from, to),
            OpKind::Sow(sow) => self.sown(sow, keep),
            OpKind::Pick(..)
            | OpKind::Roll(_)
            | OpKind::Put(..)
            | OpKind::PutTokens(..)
            | OpKind::PutIn(..)
            | OpKind::Shuffle(_)
            | OpKind::MovePieces(..)
            | OpKind::Move(..)
            | OpKind::Remove(_)
            | OpKind::Swap(..)
            | OpKind::Rotate(..)
            | OpKind::Change(..)
            | OpKind::AssignList(..)
            | OpKind::For(..)
            | OpKind::While(..)
            | OpKind::Repeat(..)
            | OpKind::Turns(..)
            | OpKind::Phase(..)
            | OpKind::Stop
            | OpKind::Give(_)
            | OpKind::Decide(..)
            | OpKind::Draw
            | OpKind::Rank(..)
            | OpKind::Place(..)
            | OpKind::Plays { .. }
            | OpKind::Together(..)
            | OpKind::Race(_) => self.rest_of_ops(op),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn spent(&mut self, rule: RuleId) -> Flow {
        self.finish_open(Ending::Budget(rule));
        Flow::Over
    }

    #[inline(never)]
    fn branch(&mut self, test: &'a Test<W>, yes: BlockId, no: Option<BlockId>) -> Flow {
        let branch = if self.test(test) { Some(yes) } else { no };
        branch.map_or(Flow::Next, |block| self.code(block))
    }

    #[inline(never)]
    fn procedure(&mut self, binds: &'a [(Slot, Bind<W>)], body: BlockId) -> Flow {
        self.call(binds, false);
        self.code(body)
    }

    #[inline(never)]
    fn named(&mut self, slot: Slot, bind: &'a Bind<W>, keep: bool) -> Flow {
        self.bind(bind);
        if keep {
            self.mark(slot);
        }
        Flow::Next
    }

    #[inline(never)]
    fn assign_number(&mut self, cell: &'a Cell<W>, value: &'a Number<W>) -> Flow {
        let (place, value) = (self.place(cell), self.number(value));
        self.state.set_var(self.program, place, value);
        Flow::Next
    }

    #[inline(never)]
    fn assign_set(&mut self, cell: &'a Cell<W>, value: &'a Set<W>) -> Flow {
        let (place, value) = (self.place(cell), self.set(value));
        self.state.set_var_set(self.program, place, value);
        Flow::Next
    }

    #[inline(never)]
    fn move_between(&mut self, from: &'a Number<W>, to: &'a Number<W>) -> Flow {
        let (from, to) = (self.index(from), self.index(to));
        self.move_site(from, to);
        Flow::Next
    }

    #[inline(never)]
    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    fn rest_of_ops(&mut self, op: &'a Op<W>) -> Flow {
        match &op.kind {
            OpKind::Put(make, on) => {
                if let Some(piece) = self.made(make) {
                    for site in self.changed(on).iter() {
                        self.state.put(self.program, site, piece);
                    }
                }
            }
            OpKind::PutIn(make, number, zone) => {
                let number = usize::saturating_from(self.number(number));
                if let Some(piece) = self.made(make) {
                    self.put_in(piece, number, zone);
                }
            }
            OpKind::PutTokens(pools, number, on) => {
                let number = u32::saturating_from(self.number(number));
                let sites = self.changed(on);
                let pools = self.pools(pools);
                self.steps = self.steps.saturating_sub((pools.count() * sites.count()) as u64 / SITES_A_STEP);
                for pool in pools.iter() {
                    for site in sites.iter() {
                        self.add_tokens(pool, site, number);
                    }
                }
            }
            OpKind::MovePieces(parts, under) => self.move_pieces(&parts.0, &parts.1, &parts.2, *under),
            OpKind::Move(from, to) => {
                if let (Some(from), Some(to)) = (self.set(from).first(), self.set(to).first()) {
                    self.move_site(from, to);
                }
            }
            OpKind::Remove(sites) => {
                for site in self.changed(sites).iter() {
                    self.state.put(self.program, site, 0);
                }
            }
            OpKind::Swap(a, b) => {
                if let (Some(a), Some(b)) = (self.set(a).first(), self.set(b).first())
                    && a.max(b) < self.state.sites.len()
                {
                    let (there, here) = (self.state.sites[a], self.state.sites[b]);
                    self.state.put(self.program, a, here);
                    self.state.put(self.program, b, there);
                }
            }
            OpKind::Rotate(sites, by) => self.rotate(sites, by),
            OpKind::Change(location, fields) => self.change(location, fields),
            OpKind::AssignList(cell, value) => {
                let (place, value) = (self.place(cell), self.list(value));
                self.state.fresh &= !get_or_default(&self.program.stale.cells[2], place);
                if let Some(cell) = self.state.var_lists.get_mut(place) {
                    cell.clone_from(&value);
                }
                self.give_back(value);
            }
            OpKind::For(_, at, source, from, body) => {
                let members = self.members(source, from.as_ref());
                let flow = self.for_each(*at, &members, *body);
                self.give_back(members);
                return flow;
            }
            OpKind::While(test, body) => {
                while self.test(test) {
                    if !self.tick() {
                        self.finish_open(Ending::Budget(op.rule));
                        return Flow::Over;
                    }
                    let flow = self.code(*body);
                    if flow != Flow::Next {
                        return flow;
                    }
                }
            }
            OpKind::Repeat(number, body) => {
                let number = u32::saturating_from(self.number(number));
                for _ in 0..number {
                    if !self.tick() {
                        self.finish_open(Ending::Budget(op.rule));
                        return Flow::Over;
                    }
                    let flow = self.code(*body);
                    if flow != Flow::Next {
                        return flow;
                    }
                }
            }
            OpKind::Stop => return Flow::Stop,
            OpKind::Give(seat) => self.state.next_mover = Some(SeatId::new(self.index(seat))),
            OpKind::Decide(verdict, seats) => return self.decide(seats, *verdict, op.rule),
            OpKind::Draw => {
                return self.finish_by(op.rule, Finish::drawn(self.game.seats.len()));
            }
            OpKind::Rank(at, seats, by) => {
                return self.rank(*at, seats, by, op.rule);
            }
            OpKind::Place(from_top, seats) => return self.place_seats(seats, *from_top, op.rule),
            // The hot statements are handled above; those that ask never get here.
            OpKind::Nothing
            | OpKind::Do(_)
            | OpKind::If(..)
            | OpKind::Call(..)
            | OpKind::Let(..)
            | OpKind::AssignNumber(..)
            | OpKind::AssignSet(..)
            | OpKind::MoveSite(..)
            | OpKind::MoveTokens(..)
            | OpKind::Sow(_)
            | OpKind::Pick(..)
            | OpKind::Roll(_)
            | OpKind::Shuffle(_)
            | OpKind::Turns(..)
            | OpKind::Phase(..)
            | OpKind::Plays { .. }
            | OpKind::Together(..)
            | OpKind::Race(_) => {}
        }
        Flow::Next
    }

    /// The sites that a statement changes, which are charged.
    pub(super) fn changed(&mut self, sites: &'a Set<W>) -> W {
        let sites = self.set(sites);
        let each = 2 + self.put_cost;
        self.steps = self.steps.saturating_sub(sites.count() as u64 * each / SITES_A_STEP);
        sites
    }

    /// Binds the parameters of a procedure simultaneously.
    pub(super) fn call(&mut self, binds: &'a [(Slot, Bind<W>)], keep: bool) {
        if keep {
            for (slot, _) in binds {
                self.mark(*slot);
            }
        }
        if let [(_, only)] = binds {
            self.bind(only);
            return;
        }
        // No argument may see a parameter already bound, so the numbers are buffered.
        let mut numbers = self.borrow();
        for (_, bind) in binds {
            if let Bind::Number(_, number) = bind {
                let n = self.number(number);
                numbers.push(n);
            }
        }
        for (_, bind) in binds {
            if !matches!(bind, Bind::Number(..)) {
                self.bind(bind);
            }
        }
        let places = binds.iter().filter_map(|(_, bind)| if let Bind::Number(at, _) = bind { Some(*at) } else { None });
        for (at, &n) in places.zip(&numbers) {
            self.set_local(at, n);
        }
        self.give_back(numbers);
    }

    /// The members a loop runs over, first one first, in a borrowed buffer.
    pub(super) fn members(&mut self, source: &'a Source<W>, from: Option<&'a Number<W>>) -> Vec<i64> {
        let mut members = match source {
            Source::List(list) => self.list(list),
            Source::Set(set) => {
                let mut members = self.borrow();
                members.extend(self.set(set).iter().map(count));
                members
            }
            Source::PiecesAt(set) => {
                let mut members = self.borrow();
                let sites = self.set(set).and(self.state.taken);
                members.extend(sites.iter().map(|site| i64::from(self.state.sites[site])));
                members
            }
            Source::PieceAt(site) => {
                let mut members = self.borrow();
                let site = self.index(site);
                let piece = get_or_default(&self.state.sites, site);
                members.extend((piece != 0).then_some(i64::from(piece)));
                members
            }
        };
        if let Some(from) = from {
            let from = self.number(from);
            if let Some(turn) = members.iter().position(|&member| member >= from) {
                members.rotate_left(turn);
            }
        }
        self.steps = self.steps.saturating_sub(members.len() as u64 / SITES_A_STEP);
        members
    }

    fn for_each(&mut self, at: u16, members: &[i64], body: BlockId) -> Flow {
        for &member in members {
            self.set_local(at, member);
            let flow = self.code(body);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    /// Whether there is nothing to pick.
    pub(super) fn offers_nothing(&mut self, values: &'a Values<W>) -> bool {
        self.only_value(values).0 == 0
    }

    /// How many distinct values are offered, copies of a piece counted once, and the first.
    pub(super) fn only_value(&mut self, values: &'a Values<W>) -> (usize, Option<i64>) {
        match values {
            Values::Set(set) => {
                let set = self.set(set);
                (set.count(), set.first().map(count))
            }
            Values::List(list, _) => {
                let members = self.list(list);
                let found = (members.len(), members.first().copied());
                self.give_back(members);
                found
            }
        }
    }

    /// The number of the piece a statement describes.
    pub(super) fn made(&mut self, make: &'a Make<W>) -> Option<u16> {
        match make {
            Make::Known(piece) => Some(*piece),
            Make::Of(kind, owner, fields) => {
                let kind = self.index(kind);
                let owner = match owner {
                    Owned::Me => Some(usize::from(self.state.me)),
                    Owned::First(seats) => self.set(seats).first(),
                    Owned::Nobody => None,
                };
                let mut piece = self.program.pieces.made(kind, owner);
                for (field, value) in fields {
                    let value = self.number(value);
                    piece = self.program.pieces.changed(piece, *field, value);
                }
                (piece != 0).then_some(piece)
            }
        }
    }

    fn move_site(&mut self, from: usize, to: usize) {
        self.steps = self.steps.saturating_sub(self.put_cost / SITES_A_STEP);
        let piece = get_or_default(&self.state.sites, from);
        if from != to && piece != 0 {
            self.state.put(self.program, from, 0);
            self.state.put(self.program, to, piece);
        }
    }
}
