//! What may let anybody find something out by being run, whatever lies hidden: rules that tell, and what moves or shows pieces
//! under a condition that not everybody knows.

use std::collections::BTreeMap;

use crate::ir::{
    ActionId, BlockId, Bound, Expr, Game, Header, Path, PieceLocation, Revealing, Sight, Slot, Stmt, StmtKind, ZoneRef,
};

use super::Analysis;

impl Analysis<'_> {
    /// Works it out for a game whose blocks are analysed.
    pub(super) fn revealing(&self) -> Revealing {
        let game = self.game;
        if game.has_perfect_information() {
            return Revealing::default();
        }
        let mut found = self.telling.clone();
        found.guarded = game.actions.ids().map(|action: ActionId| !self.legality_of(action).is_public()).collect();
        let seats = |sight: &Sight| if let Sight::Seats(seats) = sight { found.tells(seats) } else { false };
        let zones = game.zones.iter().any(|zone| zone.sights().any(seats));
        let kinds = game.kinds.iter().any(|kind| seats(&kind.sight) || seats(&kind.owner_sight));
        let vars = game.vars.iter().any(|var| seats(&var.sight));
        found.always = zones || kinds || vars || game.ends.iter().any(|end| found.tells(&end.when));
        found
    }
}

impl Analysis<'_> {
    /// Whether something that is told may be kept to the next question where nobody sees it: as a name, by a loop that goes on, or on
    /// a piece.
    pub(super) fn told_lasts(&self, revealing: &Revealing) -> bool {
        let game = self.game;
        if !game.functions.iter().any(|def| def.told) {
            return false;
        }
        let asks = |stmts: &[Stmt]| stmts.iter().any(|stmt| self.asks(&stmt.kind));
        let asks_in = |block: BlockId| game.blocks.get(block).is_some_and(|block| asks(&block.stmts));
        let head = |line: &Header| match line {
            Header::Let(_, value, _) | Header::Late(_, value, _) => revealing.tells(value),
            Header::Choose(_) | Header::Require(..) | Header::Prefer(..) => false,
        };
        let claims = game.claims.iter().map(|claim| &claim.action);
        let actions = game.actions.iter().chain(claims);
        let mut known = BTreeMap::new();
        let mut kept = |stmts: &[Stmt], at: usize, kind: &StmtKind| {
            let named = matches!(kind, StmtKind::Let(..)) && asks(&stmts[at + 1..]);
            let keeps = matches!(kind, StmtKind::For(..) | StmtKind::Repeat(..) | StmtKind::Call(..));
            revealing.says(kind)
                && (named
                    || self.writes(kind)
                    || kind.blocks().any(|block| keeps && asks_in(block) || self.writes_in(block, &mut known)))
        };
        actions.into_iter().any(|action| asks_in(action.body) && action.head.iter().any(head))
            || game
                .blocks
                .iter()
                .any(|block| block.stmts.iter().enumerate().any(|(at, stmt)| kept(&block.stmts, at, &stmt.kind)))
    }

    /// Whether a statement writes on pieces that somebody may not see.
    fn writes(&self, kind: &StmtKind) -> bool {
        let covered = || !self.hidden.is_empty() || !self.unowned.is_empty();
        let hidden =
            |zone: &ZoneRef| self.game.zones.get(zone.zone).is_none_or(|zone| !matches!(zone.sight, Sight::All));
        let place = |place: &PieceLocation| match place {
            PieceLocation::Sites(_) => covered(),
            PieceLocation::Zone(zone) => hidden(zone),
        };
        if let StmtKind::PutIn(_, _, zone) = kind {
            return hidden(zone);
        }
        matches!(kind, StmtKind::Put(..)) && covered() || matches!(kind, StmtKind::Change(at, _) if place(at))
    }

    /// The same of a block, or of one that it runs; each is looked at once.
    fn writes_in(&self, block: BlockId, known: &mut BTreeMap<BlockId, bool>) -> bool {
        if let Some(writes) = known.get(&block) {
            return *writes;
        }
        let stmts = self.game.blocks.get(block).map_or(&[][..], |block| &block.stmts);
        let mut found = false;
        for stmt in stmts {
            found |= self.writes(&stmt.kind) || stmt.kind.blocks().any(|inner| self.writes_in(inner, known));
        }
        known.insert(block, found);
        found
    }
}

impl Revealing {
    /// Works out where something is told, before anything else is known of a game.
    pub(super) fn of(game: &Game) -> Self {
        let mut found = Self {
            functions: vec![false; game.functions.len()],
            paths: vec![false; game.paths.len()],
            names: vec![false; game.slots.len()],
            blocks: vec![false; game.blocks.len()],
            telling: vec![false; game.blocks.len()],
            heads: vec![false; game.actions.len()],
            guarded: Vec::new(),
            always: false,
        };
        // They call each other.
        while found.grow(game) {}
        found
    }

    /// Adds what uses something that is known to tell; whether that is more.
    fn grow(&mut self, game: &Game) -> bool {
        let functions = game.functions.iter().map(|def| def.told || self.tells(&def.body)).collect();
        let paths = game.paths.iter().map(|def| self.path_tells(&def.body)).collect();
        let heads = game.actions.iter().map(|action| {
            let head = action.head.iter().any(|line| match line {
                Header::Choose(choice) => self.tells(&choice.set),
                Header::Let(_, value, _) | Header::Late(_, value, _) => self.tells(value),
                Header::Require(guard, _) | Header::Prefer(guard, _) => self.tells(guard),
            });
            head || action.ensure.iter().any(|(guard, _)| self.tells(guard))
        });
        let heads = heads.collect();
        let names = self.named(game);
        let blocks = game.blocks.iter().map(|block| block.stmts.iter().any(|stmt| self.stirs(&stmt.kind))).collect();
        let inner = |kind: &StmtKind| kind.blocks().any(|block| self.telling.get(usize::from(block)) == Some(&true));
        let telling =
            game.blocks.iter().map(|block| block.stmts.iter().any(|stmt| self.says(&stmt.kind) || inner(&stmt.kind)));
        let telling = telling.collect();
        let next = Self {
            telling,
            functions,
            paths,
            names,
            blocks,
            heads,
            guarded: self.guarded.clone(),
            always: self.always,
        };
        let more = *self != next;
        *self = next;
        more
    }

    /// The names that are bound to what tells something, or to its members.
    fn named(&self, game: &Game) -> Vec<bool> {
        let mut names = vec![false; game.slots.len()];
        let mut bind = |slot: Slot, value: &Expr| {
            if let Some(told) = names.get_mut(usize::from(slot)) {
                *told |= self.tells(value);
            }
        };
        let claims = game.claims.iter().map(|claim| &claim.action);
        for line in game.actions.iter().chain(claims).flat_map(|action| &action.head) {
            if let Header::Let(slot, value, _) | Header::Late(slot, value, _) = line {
                bind(*slot, value);
            }
        }
        for stmt in game.blocks.iter().flat_map(|block| &block.stmts) {
            for (slot, bound) in stmt.kind.bindings() {
                match bound {
                    Bound::Value(value) | Bound::Member(value) | Bound::Piece(value) => bind(slot, value),
                    // What is picked is shown as the choice is.
                    Bound::Picked(_) => {}
                }
            }
        }
        names
    }

    fn path_tells(&self, path: &Path) -> bool {
        let mut tells = path.parts().iter().any(|part| self.path_tells(part));
        path.exprs(&mut |expr| tells |= self.tells(expr));
        if let Path::Call(called, _) = path {
            tells |= self.paths.get(usize::from(*called)).is_some_and(|tells| *tells);
        }
        tells
    }

    /// Whether a statement does more than reckon.
    fn stirs(&self, kind: &StmtKind) -> bool {
        let still = match kind {
            StmtKind::Let(..)
            | StmtKind::Assign(..)
            | StmtKind::If(..)
            | StmtKind::For(..)
            | StmtKind::While(..)
            | StmtKind::Repeat(..)
            | StmtKind::Call(..)
            | StmtKind::Phase(..) => true,
            StmtKind::Pick(..)
            | StmtKind::Roll(..)
            | StmtKind::Put(..)
            | StmtKind::PutIn(..)
            | StmtKind::PutTokens(..)
            | StmtKind::MoveTokens(..)
            | StmtKind::Sow { .. }
            | StmtKind::Shuffle(_)
            | StmtKind::MovePieces { .. }
            | StmtKind::Move(..)
            | StmtKind::Remove(_)
            | StmtKind::Swap(..)
            | StmtKind::Rotate(..)
            | StmtKind::Change(..)
            | StmtKind::Turns(..)
            | StmtKind::Stop
            | StmtKind::Give(_)
            | StmtKind::Win(_)
            | StmtKind::Lose(_)
            | StmtKind::Draw
            | StmtKind::Rank(..)
            | StmtKind::Place(_)
            | StmtKind::Eliminate(_)
            | StmtKind::Plays { .. }
            | StmtKind::Together { .. }
            | StmtKind::Race { .. } => false,
        };
        !still || self.says(kind) || kind.blocks().any(|block| self.blocks.get(usize::from(block)) == Some(&true))
    }
}
