//! Where seats are asked, and what comes between: claims and offers, ends, and the end of turns. What they lay open is not seen
//! until a seat is asked again.

use crate::ir::{ActionRef, BlockId, Channel, Expr, Game, Moment, StmtKind, Ty, Who};

use super::Analysis;
use super::between::Between;
use super::fresh::Fresh;
use super::scope::Scope;

/// What has come to lie somewhere, and comes to where no seat is asked before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unasked {
    /// By claims and offers: they may leave whoever was asked no legal move, or take them out of the game.
    pub(super) claimed: Fresh,
    /// By ends that decide nothing.
    ended: Fresh,
    /// Before turns are left.
    pub(super) stopped: Fresh,
}

impl Analysis<'_> {
    /// All that is played, until nothing more comes to lie anywhere.
    pub(super) fn play(&mut self, start: &Scope) {
        loop {
            let before = self.unasked.clone();
            self.block(self.game.play, start);
            self.claims();
            self.ends();
            if self.unasked == before || self.work == 0 {
                return;
            }
            // What was found holds only where no more lies open.
            self.called.clear();
            self.ways.clear();
            self.played.clear();
        }
    }

    /// The ends, one after the other.
    fn ends(&mut self) {
        loop {
            let before = self.unasked.ended.clone();
            for end in &self.game.ends {
                let mut scope = match end.moment {
                    Moment::BeforeTurn | Moment::AfterTurn => Scope::mover(),
                    Moment::AfterMove => Scope::default(),
                };
                scope.fresh = self.ending.left();
                scope.fresh.join(&self.unasked.ended);
                let known = self.value(&end.when, &scope);
                self.everybody(end.rule, Channel::End, &known);
                let left = self.block(end.body, &scope).left();
                if !decides(self.game, end.body) {
                    self.unasked.ended.join(&left);
                }
            }
            if self.unasked.ended == before {
                return;
            }
        }
    }

    fn claims(&mut self) {
        for claim in &self.game.claims {
            let left = self.action(&claim.action, None, &Fresh::default(), &Between::default()).left();
            self.unasked.claimed.join(&left);
        }
        for offer in &self.game.offers {
            let left = self.block(offer.body, &Scope::default()).left();
            self.unasked.claimed.join(&left);
        }
        self.ending.join(&self.unasked.claimed);
    }

    /// The ends are tested after this.
    pub(super) fn tested(&mut self, left: &mut Fresh) {
        self.ending.join(left);
        left.join(&self.unasked.ended);
    }

    pub(super) fn turn_after_turn(&mut self, body: BlockId, scope: &mut Scope) {
        let mut start = scope.fresh.left();
        self.tested(&mut start);
        scope.fresh.join(&start);
        self.repeated(body, scope, |analysis, scope| {
            let mut left = analysis.block(body, scope).left();
            analysis.tested(&mut left);
            left
        });
        scope.fresh.join(&self.unasked.stopped);
    }

    pub(super) fn plays(
        &mut self,
        seat: &Expr,
        groups: &[Vec<ActionRef>],
        otherwise: Option<BlockId>,
        scope: &mut Scope,
    ) {
        let acting = match self.who(seat, scope) {
            Some(Who::Me) => scope.acting,
            who @ Some(Who::Mover | Who::Seat(_)) => who,
            // A name means nothing in an action.
            Some(Who::NotMe | Who::Name(_)) | None => None,
        };
        let left = self.offered(groups, acting, &Fresh::default(), &Between::default());
        // Whoever is asked may have no legal move any more after a claim.
        scope.fresh.join(&self.unasked.claimed);
        let skipped = otherwise.map(|block| self.block(block, scope));
        // Who is out of the game is not asked; else it is seen what lies there.
        if !self.eliminates {
            scope.fresh = Fresh::default();
        }
        if let Some(skipped) = skipped {
            scope.fresh.join(&skipped);
        }
        scope.fresh.join(&left);
    }

    pub(super) fn together(&mut self, groups: &[Vec<ActionRef>], scope: &mut Scope) {
        let between = self.between(groups);
        let start = self.unasked.claimed.clone();
        let mut left = self.offered(groups, None, &start, &between);
        while left.join(&self.offered(groups, None, &left.left(), &between)) {}
        scope.fresh.join(&start);
        scope.fresh.join(&left);
    }

    pub(super) fn race(&mut self, group: &Vec<ActionRef>, until: bool, otherwise: Option<BlockId>, scope: &mut Scope) {
        let left = self.offered(std::slice::from_ref(group), None, &Fresh::default(), &Between::default());
        if until {
            scope.fresh = Fresh::default();
        } else {
            scope.fresh.join(&self.unasked.claimed);
        }
        if let Some(block) = otherwise {
            scope.fresh = self.block(block, scope);
        }
        scope.fresh.join(&left);
    }
}

/// Whether seats may go out of a game before it is over.
pub(super) fn eliminates(game: &Game) -> bool {
    let mut stmts = game.blocks.iter().flat_map(|block| &block.stmts);
    stmts.any(|stmt| matches!(stmt.kind, StmtKind::Place(_) | StmtKind::Eliminate(_)))
}

/// Whether a block decides the game in any case.
pub(super) fn decides(game: &Game, block: BlockId) -> bool {
    let stmts = game.blocks.get(block).map_or(&[][..], |block| &block.stmts);
    stmts.iter().any(|stmt| {
        let kind = &stmt.kind;
        if let StmtKind::If(_, yes, Some(no)) = kind {
            return decides(game, *yes) && decides(game, *no);
        }
        is_over(kind)
    })
}

/// Whether a statement decides the game in any case.
pub(super) fn is_over(kind: &StmtKind) -> bool {
    if let StmtKind::Win(seats) | StmtKind::Lose(seats) = kind {
        // With an empty set they do nothing.
        return seats.ty == Ty::Seat || seats.sole().is_some();
    }
    matches!(kind, StmtKind::Draw | StmtKind::Rank(..))
}
