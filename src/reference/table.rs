//! The position before the setup, and small queries about positions.

use super::{Eval, Walker};
use crate::base::Bits;
use crate::ir::{Piece, RuleId, SeatId, Stmt, Value, VarInfo};
use crate::model::{Ask, Frame, History, Position, Standing, StmtRef, Viewer};

impl Walker {
    /// The statement a reference names.
    pub(super) fn stmt(&self, (block, number): StmtRef) -> Option<&Stmt> {
        self.game.blocks.get(block)?.stmts.get(usize::from(number))
    }

    /// The rules of zones that hold too many pieces or pieces of the wrong kind.
    pub(super) fn zone_violations<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = RuleId> + 'a {
        // Within a shuffle the same lies where it lay.
        let shuffled = matches!(position.control.last(), Some(Frame::Shuffle(..)));
        let zones = self.game.zones.iter().zip(&position.zones).filter(move |_| !shuffled);
        zones.filter_map(|(zone, lists)| {
            let misfit = |list: &Vec<Piece>| {
                zone.limit.is_some_and(|limit| list.len() > limit)
                    || list.iter().any(|piece| !zone.kinds.contains(usize::from(piece.kind)))
            };
            lists.iter().any(misfit).then_some(zone.rule)
        })
    }

    /// The actions an attentive seat intends to play in a race now; none if its share of the budget does not suffice. And how many steps
    /// it took.
    pub(super) fn cues_of(&self, position: &Position, seat: SeatId) -> (Option<Bits>, u64) {
        // Judged by what the seat sees.
        let seen = self.glanced(position, Viewer::Seat(seat)).outline();
        self.look_at_in_share(&seen, |eval| {
            (eval.acting, eval.moment) = (Some(seat), Some(position.now.saturating_add(1)));
            let meant = self.game.cues.iter().filter(|cue| !eval.spent() && eval.truth(&cue.when));
            meant.map(|cue| usize::from(cue.action)).collect()
        })
    }

    /// What is said about a position with a seat's share of the budget; none if that does not suffice. And how many steps it took.
    pub(super) fn look_at_in_share<'a, T>(
        &'a self,
        position: &'a Position,
        look: impl FnOnce(&mut Eval<'a>) -> T,
    ) -> (Option<T>, u64) {
        self.look_at(position, |eval| {
            // All seats share the budget of a decision; what is left to the others is not taken.
            let share = eval.steps / self.game.seats.len().max(1) as u64;
            let others = eval.steps.saturating_sub(share);
            eval.steps = share;
            let found = look(eval);
            let found = (!eval.spent()).then_some(found);
            let steps = share.saturating_sub(eval.steps);
            eval.steps = eval.steps.saturating_add(others);
            (found, steps)
        })
    }

    /// The next seat after this one that still plays; itself if no other does.
    pub(super) fn following(&self, position: &Position, seat: usize) -> usize {
        let count = self.game.seats.len().max(1);
        (1..=count).map(|step| (seat + step) % count).find(|&next| position.plays(next)).unwrap_or(seat)
    }

    /// The seat before this one that still plays; itself if no other does.
    pub(super) fn preceding(&self, position: &Position, seat: usize) -> usize {
        let count = self.game.seats.len().max(1);
        (1..=count).map(|step| (seat + count - step) % count).find(|&next| position.plays(next)).unwrap_or(seat)
    }

    /// The position before the setup: empty boards, variables at their initial values.
    #[must_use]
    pub fn blank(&self) -> Position {
        let game = &self.game;
        let sites = game.topology.sites.len();
        let values = |var: &VarInfo| {
            let count = var.indices.iter().map(|(_, size)| *size).product();
            vec![var.init.clone(); count]
        };
        Position {
            sites: vec![None; sites],
            tokens: vec![vec![0; sites]; self.pool_count()],
            zones: game
                .zones
                .iter()
                .map(|zone| vec![Vec::new(); zone.indices.iter().map(|(_, size)| *size).product()])
                .collect(),
            vars: game.vars.iter().map(values).collect(),
            locals: vec![Value::Unset; game.slots.len()],
            mover: game.first,
            actor: None,
            next_mover: None,
            ply: 0,
            turn: 0,
            now: 0,
            phase: None,
            standing: vec![Standing::Playing; game.seats.len()],
            offers: vec![Bits::new(); game.offers.len()],
            control: Vec::new(),
            ask: Ask::Over,
            outcome: None,
            history: History::default(),
        }
    }
}
