//! Pieces that left the game unseen. To a seat that did not see which they were, each of them may still be there.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::matches::Match;
use crate::ir::{Game, KindId, Piece, SeatId, Sight, StmtKind};
use crate::model::{Engine, Frame, Position, Viewer};

/// A piece as the seat saw it last, and what it is.
pub(super) type Lost = (Piece, Piece);

/// The pieces that left a game before one of its steps without being seen by a seat.
pub(super) fn lost(game: &Match<'_>, seat: SeatId, until: usize) -> Vec<Lost> {
    let rules = game.engine().game();
    if !may_lose(rules) {
        return Vec::new();
    }
    let mut gone = Vec::new();
    let mut last: Option<(Arc<Position>, Sorts)> = None;
    let positions = game.since(0).map(|(before, _)| before).chain(game.before(game.steps().len()));
    // A shuffle takes nothing away.
    let shuffled = |position: &Position| matches!(position.control.last(), Some(Frame::Shuffle(..)));
    for position in positions.take(until + 1).filter(|position| !shuffled(position)) {
        let now = sorts(&position);
        if let Some((before, sorts)) = last
            && dwindles(&sorts, &now)
        {
            let count = |position: &Position| Count::of(game.engine(), position, seat);
            count(&before).missing(&count(&position), &mut gone);
        }
        last = Some((position, now));
    }
    gone
}

/// How many pieces there are of each kind and owner.
type Sorts = BTreeMap<(KindId, Option<SeatId>), usize>;

fn sorts(position: &Position) -> Sorts {
    let mut sorts = Sorts::new();
    for piece in position.sites.iter().flatten().chain(position.zones.iter().flatten().flatten()) {
        *sorts.entry((piece.kind, piece.owner)).or_default() += 1;
    }
    sorts
}

/// Whether there are fewer of some sort later: only then can one have left the game, and few steps do that, while what a
/// seat sees of a position takes long where there are thousands of pieces.
fn dwindles(before: &Sorts, later: &Sorts) -> bool {
    before.iter().any(|(sort, count)| later.get(sort).is_none_or(|now| now < count))
}

/// Whether pieces that somebody does not see can leave the game: only boards lose pieces.
fn may_lose(game: &Game) -> bool {
    let hidden = game.kinds.iter().any(|kind| !matches!((&kind.sight, &kind.owner_sight), (Sight::All, Sight::All)));
    let takes = |stmt: &StmtKind| matches!(stmt, StmtKind::Remove(_) | StmtKind::Move(..) | StmtKind::Put(..));
    hidden && game.blocks.iter().flat_map(|block| &block.stmts).any(|stmt| takes(&stmt.kind))
}

/// How many pieces of each sort there are.
#[derive(Default)]
struct Count {
    all: BTreeMap<Piece, usize>,
    /// Those that the seat sees as they are.
    open: BTreeMap<Piece, usize>,
    /// What it sees of the others.
    faces: BTreeMap<Piece, Piece>,
}

impl Count {
    fn of(engine: &dyn Engine, position: &Position, seat: SeatId) -> Self {
        let seen = engine.explain().glance(position, Viewer::Seat(seat)).faces;
        let pieces = |of: &Position| -> Vec<Piece> {
            of.sites.iter().flatten().chain(of.zones.iter().flatten().flatten()).cloned().collect()
        };
        let mut count = Self::default();
        for (piece, face) in pieces(position).into_iter().zip(pieces(&seen)) {
            if face == piece {
                *count.open.entry(piece.clone()).or_default() += 1;
            } else {
                count.faces.insert(piece.clone(), face);
            }
            *count.all.entry(piece).or_default() += 1;
        }
        count
    }

    /// How many pieces of a kind an owner has, whatever their fields, which may change.
    fn alike(&self, piece: &Piece) -> usize {
        let alike = self.all.iter().filter(|(other, _)| (other.kind, other.owner) == (piece.kind, piece.owner));
        alike.map(|(_, count)| count).sum()
    }

    /// Adds what is missing later and was not seen.
    fn missing(&self, later: &Self, gone: &mut Vec<Lost>) {
        let of = |counts: &BTreeMap<Piece, usize>, piece: &Piece| counts.get(piece).copied().unwrap_or_default();
        let mut last: Option<&Piece> = None;
        let mut left = 0;
        for (piece, &count) in &self.all {
            if last.is_none_or(|last| (last.kind, last.owner) != (piece.kind, piece.owner)) {
                left = self.alike(piece).saturating_sub(later.alike(piece));
            }
            last = Some(piece);
            let fewer = count.saturating_sub(of(&later.all, piece)).min(left);
            left -= fewer;
            let seen = of(&self.open, piece).saturating_sub(of(&later.open, piece));
            if let Some(face) = self.faces.get(piece) {
                let unseen = fewer.saturating_sub(seen);
                gone.extend(std::iter::repeat_n((face.clone(), piece.clone()), unseen));
            }
        }
    }
}
