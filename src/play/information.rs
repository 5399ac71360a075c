//! What a seat knows of a position: its information set, which can only be sampled.

use super::determinize::{Hidden, deal_hidden};
use super::lost::{Gone, lost};
use super::matches::Match;
use super::outstanding::{Outstanding, outstanding};
use super::recall::Recall;
use super::redrawn::numbers_of;
use super::seed::Stream;
use crate::ir::{Game, SeatId, Slot, StmtKind, Ty, Value, Viewers, Who};
use crate::model::{Ask, Engine, Frame, Meter, Observation, Position, STEPS, StmtRef, Viewer, mix};

/// How often a determinization is retried when the other seats could not have made their secret choices in it.
const TRIES: u32 = 8;

/// How many determinizations are compared where something is said about all of an information set.
pub(super) const SAMPLES: usize = 32;

/// The steps that all of them may take together: as many as one decision, whatever they are asked.
pub(super) fn sampling() -> Meter {
    Meter::new(STEPS).throughout()
}

/// The information set of a seat: everything it knows of a position. It cannot be inspected, only sampled by
/// [`determinize`](Self::determinize).
///
/// A determinization depends on what the seat sees, on the control stack, on which hidden pieces there are, and on
/// the dice; it does not depend on where those pieces are, on the values of hidden variables, or on secret choices of
/// others. In games of perfect information it is the position itself. Of what happened before, only what
/// [`remembering`](Self::remembering) needs to fill hidden variables whose values the rules do not list is used.
#[derive(Debug)]
pub struct InformationSet<'a> {
    engine: &'a dyn Engine,
    seat: SeatId,
    /// The position without what the seat does not know and its hidden pieces do not determine; in games of perfect
    /// information the position itself.
    position: Position,
    hidden: Hidden,
    /// What the seat sees, where the game is enacted again to find what pieces are. Not how they lie in truth: a hidden order or
    /// number would be known by it.
    seen: Option<Observation>,
    /// Seats that have made secret choices.
    secret: Vec<SeatId>,
    /// Choices of others that are announced and wait to be carried out.
    outstanding: Vec<Outstanding>,
    /// The hidden variables, by number and index.
    unknown: Vec<(usize, usize)>,
    /// Local names holding pieces that are private or visible nowhere.
    unsure: Vec<usize>,
    /// The loops over pieces that the seat does not know, by their place on the control stack.
    ahead: Vec<usize>,
    /// The other local names of which the seat does not know what they stand for, whether or not they stand for anything.
    nameless: Vec<Slot>,
    covers: bool,
    /// What the seat saw of the game so far, if a hidden variable may hold what the rules do not list.
    recall: Option<Recall>,
}

impl<'a> InformationSet<'a> {
    /// The information set of a seat that is to act.
    #[must_use]
    pub fn new(engine: &'a dyn Engine, position: &Position, seat: SeatId) -> Self {
        Self::after(engine, position, seat, &Gone::default())
    }

    /// The same after pieces have left the game that the seat did not see.
    pub(super) fn after(engine: &'a dyn Engine, position: &Position, seat: SeatId, lost: &Gone) -> Self {
        let game = engine.game();
        let covers = !game.has_perfect_information();
        let mut known = Self {
            engine,
            seat,
            position: position.clone(),
            hidden: Hidden::default(),
            seen: None,
            secret: Vec::new(),
            outstanding: Vec::new(),
            unknown: Vec::new(),
            unsure: Vec::new(),
            ahead: Vec::new(),
            nameless: Vec::new(),
            covers,
            recall: None,
        };
        if covers {
            known.cover(lost);
        }
        known
    }

    /// The information set of a seat in a game: hidden variables whose possible values the rules do not list, such as
    /// sets of sites, and numbers of pieces are found by enacting the game again, with what others did in secret done anew.
    #[must_use]
    pub fn remembering(game: &'a Match<'_>, seat: SeatId) -> Self {
        let lost = lost(game, seat, game.steps().len());
        let mut known = Self::after(game.engine(), game.position(), seat, &lost);
        for choice in &mut known.outstanding {
            choice.recall(game, seat);
        }
        let rules = known.engine.game();
        if known.hidden.secret.enacted
            || known.hidden.is_uncounted()
            || known.unknown.iter().any(|(var, _)| !is_listed(rules, *var))
        {
            known.recall = Recall::new(game, seat);
        }
        known
    }

    /// The same, sampled by another interpreter of the same game.
    #[must_use]
    pub fn sampled_by(self, engine: &'a dyn Engine) -> Self {
        Self { engine, ..self }
    }

    /// Whether hidden variables have values that nothing says anything about, or a name stands for what the seat does not
    /// know, and what asks reads it, or, if that matters, what follows.
    pub(super) fn is_guess(&self, follows: bool) -> bool {
        let game = self.engine.game();
        let alive = game.alive();
        let Position { control, ask, .. } = &self.position;
        let behind: &[Frame] = if follows { control } else { &[] };
        let now = ask.at().map_or(&[][..], |at| alive.again(at));
        let mut read = behind.iter().flat_map(|frame| frame.reads(&alive)).chain(now);
        read.any(|slot| self.nameless.contains(slot))
            || self.recall.is_none() && self.unknown.iter().any(|(var, _)| !is_listed(game, *var))
    }

    /// Whether the variables and the numbers of pieces that the seat sees are the same at the end of a game enacted again.
    fn ends_alike(&self, end: &Position) -> bool {
        let seen = |place: (usize, usize)| !self.unknown.contains(&place);
        let both = end.vars.iter().zip(&self.position.vars).enumerate();
        end.ask == self.position.ask
            && self.hidden.counts_alike(end)
            && both
                .flat_map(|(var, (one, two))| one.iter().zip(two).enumerate().map(move |pair| (var, pair)))
                .all(|(var, (index, (one, two)))| one == two || !seen((var, index)))
    }

    /// Whether the seat sees the same pieces in another position.
    fn looks_like(&self, other: &Position) -> bool {
        self.seen.as_ref().is_some_and(|seen| {
            let other = self.engine.explain().observation(other, Viewer::Seat(self.seat));
            seen.sites == other.sites && seen.zones == other.zones
        })
    }

    /// Removes what the seat does not know from the position.
    fn cover(&mut self, lost: &Gone) {
        let game = self.engine.game();
        let glance = self.engine.explain().glance(&self.position, Viewer::Seat(self.seat));
        let seen = glance.faces.clone();
        self.hidden = Hidden::of(game, glance, &self.position, lost);
        if self.hidden.secret.enacted {
            self.seen = Some(self.engine.explain().observation(&self.position, Viewer::Seat(self.seat)));
        }
        for (var, values) in seen.vars.iter().enumerate() {
            for (index, value) in values.iter().enumerate() {
                if *value == Value::Unset {
                    self.unknown.push((var, index));
                }
            }
        }
        let known: Vec<bool> = game.slots.ids().map(|slot| self.knows(slot)).collect();
        let knows = |slot: usize| known.get(slot).is_some_and(|knows| *knows);
        for (slot, value) in self.position.locals.iter_mut().enumerate() {
            if knows(slot) {
                continue;
            }
            // The piece itself is sampled anew for each determinization.
            if let Value::Piece(_) = value {
                self.unsure.push(slot);
            } else {
                *value = Value::Unset;
            }
        }
        let nameless = game.slots.numbered().filter(|(slot, name)| !knows(usize::from(*slot)) && name.ty != Ty::Piece);
        self.nameless = nameless.map(|(slot, _)| slot).collect();
        // How many iterations are left is private if that depends on private information.
        let private = |at: &StmtRef| {
            let body = stmt_at(game, *at).and_then(StmtKind::repeated);
            body.is_none_or(|body| !game.knowledge.runs_openly(body))
        };
        // What else a loop goes through is known as far as what it goes through now.
        let named = |at: &StmtRef| match stmt_at(game, *at) {
            Some(StmtKind::For(slot, ..)) => knows(usize::from(*slot)),
            _ => false,
        };
        for (number, frame) in self.position.control.iter_mut().enumerate() {
            match frame {
                Frame::Repeat(at, left) if private(at) => *left = 0,
                Frame::Each(at, left) if private(at) => left.clear(),
                Frame::Each(at, left) if !named(at) => {
                    // Pieces are sampled anew for each determinization.
                    left.retain(|value| matches!(value, Value::Piece(_)));
                    self.ahead.push(number);
                }
                Frame::Repeat(..)
                | Frame::Each(..)
                | Frame::Block(..)
                | Frame::While(_)
                | Frame::Turns(..)
                | Frame::Phase(_)
                | Frame::Played(_)
                | Frame::Actor(_)
                | Frame::Ends(..)
                | Frame::Shuffle(..)
                | Frame::Together(..)
                | Frame::Ask(_) => {}
            }
        }
        let pieces = || seen.sites.iter().flatten().chain(seen.zones.iter().flatten().flatten());
        for (slot, value) in self.position.locals.iter().enumerate() {
            if let Value::Piece(piece) = value
                && !pieces().any(|other| other == piece)
                && !self.unsure.contains(&slot)
                && !knows(slot)
            {
                self.unsure.push(slot);
            }
        }
        if game.hides() {
            // Of earlier positions only their number and plies are known.
            let mut plies: Vec<u32> = self.position.history.iter().map(|(ply, ..)| ply).collect();
            plies.dedup();
            self.position.history.clear();
            for ply in plies {
                self.position.history.push(ply, mix(ply.into()), game.parts.iter().map(|_| mix(ply.into())));
            }
        }
        if matches!(self.position.control.last(), Some(Frame::Actor(_)))
            && let Some(at) = self.position.control.len().checked_sub(2)
            && let Some(Frame::Together(_, left, chosen)) = self.position.control.get_mut(at)
        {
            self.secret = chosen.drain(..).map(|(seat, _)| seat).collect();
            if let Some((first, later)) = self.secret.split_first() {
                // Back to where the first of them was asked.
                left.push(self.seat);
                left.extend(later.iter().rev());
                self.position.actor = Some(*first);
            }
        }
        self.outstanding = outstanding(game, &self.position, self.seat);
    }

    /// Whether the seat may know what a local name stands for.
    fn knows(&self, slot: Slot) -> bool {
        let table = &self.engine.game().knowledge;
        let Some(Some(known)) = table.names.get(usize::from(slot)) else { return false };
        known.secrets().all(|secret| match &secret.viewers {
            Viewers::Nobody | Viewers::Undecided => false,
            Viewers::These(seats) => seats.iter().any(|who| self.seat_of(*who) == Some(self.seat)),
            Viewers::Others(one) => self.seat_of(*one).is_some_and(|one| one != self.seat),
        })
    }

    /// The seat that the rules mean here. Where one seat acts within the move of another, a name may have been bound by
    /// either, so that there is no telling who acted then.
    fn seat_of(&self, who: Who) -> Option<SeatId> {
        let position = &self.position;
        let acting =
            position.control.iter().filter(|frame| matches!(frame, Frame::Played(_) | Frame::Actor(_))).count();
        match who {
            Who::Me if acting <= 1 => Some(position.acting()),
            Who::Me | Who::NotMe => None,
            Who::Mover => Some(position.mover),
            Who::Seat(seat) => Some(seat),
            Who::Name(slot) => {
                let bound = position.locals.get(usize::from(slot))?;
                if let Value::Atom(seat) = bound { Some(SeatId::new(*seat as usize)) } else { None }
            }
        }
    }

    /// Samples a position that the seat cannot distinguish from the true one.
    #[must_use]
    pub fn determinize(&self, dice: &mut Stream) -> Position {
        if !self.covers {
            return self.position.clone();
        }
        let mut drawn = self.draw(dice);
        for _ in 0..TRIES {
            match self.choose_for_others(drawn, dice) {
                Ok(position) => return position,
                Err(()) => drawn = self.draw(dice),
            }
        }
        // They could not have chosen in this sample, so they are treated as not having chosen.
        if let Some(at) = drawn.control.len().checked_sub(2)
            && let Some(Frame::Together(_, left, _)) = drawn.control.get_mut(at)
        {
            left.truncate(left.len().saturating_sub(self.secret.len()));
        }
        drawn.actor = Some(self.seat);
        drawn
    }

    fn draw(&self, dice: &mut Stream) -> Position {
        let game = self.engine.game();
        let recalled = self.recall.as_ref();
        let end = recalled.and_then(|recall| recall.enacted(self.engine, dice, |end| self.ends_alike(end)));
        // A piece that was put in secret is what it is in a game that looked the same throughout.
        let found = end.as_ref().filter(|end| self.hidden.secret.enacted && self.looks_like(end));
        let mut drawn = match found {
            Some(end) => Position { sites: end.sites.clone(), zones: end.zones.clone(), ..self.position.clone() },
            None => deal_hidden(game, &self.position, &self.hidden, end.as_ref(), dice),
        };
        for &(var, index) in &self.unknown {
            let values = match &end {
                Some(end) => end.vars.get(var).and_then(|values| values.get(index)).cloned().into_iter().collect(),
                None => possible(game, var),
            };
            if let Some(place) = drawn.vars.get_mut(var).and_then(|values| values.get_mut(index))
                && let Some(value) = values.get(dice.below(values.len()))
            {
                *place = value.clone();
            }
        }
        for &slot in &self.unsure {
            if let Some(place) = drawn.locals.get_mut(slot) {
                *place = self.hidden.any(game, dice).map_or(Value::Unset, Value::Piece);
            }
        }
        for &frame in &self.ahead {
            if let Some(Frame::Each(_, left)) = drawn.control.get_mut(frame) {
                let any = left.iter().filter_map(|_| self.hidden.any(game, dice).map(Value::Piece));
                *left = any.collect();
            }
        }
        for choice in &self.outstanding {
            choice.redraw(self.engine, &mut drawn, dice);
        }
        drawn
    }

    /// Makes new secret choices for the seats that have already chosen; an error if one of them could not have
    /// chosen.
    fn choose_for_others(&self, mut position: Position, dice: &mut Stream) -> Result<Position, ()> {
        let Ask::Choose { at, .. } = position.ask else { return Ok(position) };
        for &seat in &self.secret {
            position.ask = Ask::Choose { seat, at };
            let legal = self.engine.legal(&position);
            let mv = legal.get(dice.below(legal.len())).ok_or(())?;
            position = self.engine.play_owned(position, mv);
            if !matches!(position.ask, Ask::Choose { at: next, .. } if next == at) {
                return Err(());
            }
        }
        if position.asked() == Some(self.seat) { Ok(position) } else { Err(()) }
    }
}

/// Whether the rules list what a variable may hold: a small type, or what is chosen or rolled into it.
fn is_listed(game: &Game, var: usize) -> bool {
    let plain = |stmt: &StmtKind| {
        let StmtKind::Assign(to, _, value) = stmt else { return true };
        usize::from(*to) != var || value.as_slot().is_some_and(|slot| !numbers_of(game, slot).is_empty())
    };
    match game.vars.nth(var).map(|info| &info.ty) {
        None | Some(Ty::Bool | Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_)) => true,
        Some(Ty::Int) => game.blocks.iter().flat_map(|block| &block.stmts).all(|stmt| plain(&stmt.kind)),
        Some(Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_)) => false,
    }
}

/// The values a hidden variable may have, where the rules state them plainly: its initial value, all values of a
/// small type, what is chosen or rolled into it.
fn possible(game: &Game, var: usize) -> Vec<Value> {
    let Some(info) = game.vars.nth(var) else { return Vec::new() };
    let atoms = |count: usize| (0..count).map(Value::atom_of).collect();
    match &info.ty {
        Ty::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Ty::Seat => atoms(game.seats.len()),
        Ty::Site => atoms(game.topology.sites.len()),
        Ty::Dir => atoms(game.topology.directions.len()),
        Ty::Kind => atoms(game.kinds.len()),
        Ty::Enum(number) => game.enums.get(*number).map_or_else(Vec::new, |info| atoms(info.members.len())),
        Ty::Int => {
            let mut values: Vec<Value> = vec![info.init.clone()];
            for stmt in game.blocks.iter().flat_map(|block| &block.stmts) {
                if let StmtKind::Assign(to, _, value) = &stmt.kind
                    && usize::from(*to) == var
                    && let Some(slot) = value.as_slot()
                {
                    values.extend(numbers_of(game, slot));
                }
            }
            values.sort();
            values.dedup();
            values
        }
        Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => vec![info.init.clone()],
    }
}

fn stmt_at(game: &Game, (block, number): StmtRef) -> Option<&StmtKind> {
    game.blocks.get(block)?.stmts.get(usize::from(number)).map(|stmt| &stmt.kind)
}
