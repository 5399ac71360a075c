//! Pieces that left the game unseen, and what hidden pieces were before they were changed. To a seat that did not see which they
//! were, each of them may still be there as it was.
//!
//! **Invariant:** what is found for a seat is the same in games that it cannot tell apart: it is what the rules took off the boards,
//! however much of the same was put there meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::matches::{Match, Step};
use crate::ir::{Game, KindId, Piece, PieceLocation, SeatId, Sight, StmtKind};
use crate::model::{Displaced, Engine, Frame, Position, StmtRef, Viewer};

/// What the seat saw of a piece when it was asked last, if it was there then; and what it is.
pub(super) type Lost = (Option<Piece>, Piece);

/// What became of the pieces since a seat was asked before.
#[derive(Debug)]
pub(super) enum Change {
    /// No seat is asked, or nothing left the boards and nothing was changed.
    Kept,
    /// Pieces left the boards or were changed since the position of that number, the last in which a seat was asked, if there is
    /// one: those pieces, and for each seat what is gone unseen, once it is asked.
    Dwindled(Option<usize>, Displaced, Box<[OnceLock<Gone>]>),
}

/// What is not there any more, and was not seen to be what it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Gone {
    /// Pieces that have left the game.
    pub(super) left: Vec<Lost>,
    /// Pieces of which nothing was seen, as they were before something of them was changed.
    pub(super) were: BTreeSet<Piece>,
}

/// What is gone of a game before one of its steps without being seen by a seat. What is found stays with the game, so that
/// only what is new since the last time is looked at.
pub(super) fn lost(game: &Match<'_>, seat: SeatId, until: usize) -> Gone {
    let rules = game.engine().game();
    let mut gone = Gone::default();
    if !may_lose(rules) {
        return gone;
    }
    let changes = game.changes();
    let changes = changes.get(..=until).unwrap_or(changes);
    follow(game, changes);
    let returns = may_return(rules);
    for change in changes {
        let Some(Change::Dwindled(since, displaced, unseen)) = change.get() else { continue };
        let Some(unseen) = unseen.get(usize::from(seat)) else { continue };
        let missing = unseen.get_or_init(|| {
            let count = |number| Some(Count::of(game.engine(), &*game.before(number)?, seat));
            let before = since.map_or_else(|| Some(Count::default()), count);
            before.map(|before| before.missing(displaced, returns)).unwrap_or_default()
        });
        gone.left.extend_from_slice(&missing.left);
        gone.were.extend(missing.were.iter().cloned());
    }
    gone
}

/// Finds out what became of the pieces, where that is not known yet.
fn follow(game: &Match<'_>, changes: &[Arc<OnceLock<Change>>]) {
    let known = changes.partition_point(|change| change.get().is_some());
    if known == changes.len() {
        return;
    }
    // From the last position on in which a seat was asked.
    let asked = |number: usize| game.before(number).is_some_and(|position| position.asked().is_some());
    let mut since = (0..known).rev().find(|&number| asked(number));
    let from = since.unwrap_or_default();
    let explain = game.engine().explain();
    let mut gone = Displaced::default();
    let mut before: Option<(Arc<Position>, &Step)> = None;
    let last = game.before(game.steps().len()).map(|position| (position, None));
    let all = game.since(from).map(|(position, step)| (position, Some(step))).chain(last);
    for (number, (position, step)) in (from..changes.len()).zip(all) {
        // Between the cards of a shuffle nothing leaves the boards.
        if let Some((earlier, step)) = before.take()
            && !goes_on(shuffled(&earlier), shuffled(&position))
        {
            let more = match step {
                Step::Move(mv) => explain.displaced(&earlier, mv),
                Step::Answer(answer) => explain.displaced_by_answer(&earlier, answer),
            };
            gone.left.extend(more.left);
            gone.changed.extend(more.changed);
        }
        // Within a shuffle its position is not kept, so that the next one need not be a copy: there may be thousands of cards.
        let on = shuffled(&position).is_some_and(|(_, left)| left > 2);
        before = step.filter(|_| !on).map(|step| (position.clone(), step));
        let asks = position.asked().is_some();
        if number >= known
            && let Some(cell) = changes.get(number)
        {
            let seats = || game.engine().game().seats.iter().map(|_| OnceLock::new()).collect();
            let change = if asks && gone != Displaced::default() {
                Change::Dwindled(since, gone.clone(), seats())
            } else {
                Change::Kept
            };
            cell.get_or_init(|| change);
        }
        if asks {
            since = Some(number);
            gone = Displaced::default();
        }
    }
}

/// The shuffle that a position is in the midst of, and how many pieces have no place yet.
fn shuffled(position: &Position) -> Option<(StmtRef, u32)> {
    if let Some(Frame::Shuffle(at, left)) = position.control.last() { Some((*at, *left)) } else { None }
}

/// Whether a shuffle only goes on. In a loop the same statement may begin another.
fn goes_on(before: Option<(StmtRef, u32)>, now: Option<(StmtRef, u32)>) -> bool {
    before.zip(now).is_some_and(|((before, more), (now, left))| before == now && left < more)
}

/// The fields that `change` may write, by kind: by them a piece cannot be told from one that has come in its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Lasting {
    written: Vec<Vec<usize>>,
    /// Those of them that may be written where not everybody sees it.
    covered: Vec<Vec<usize>>,
}

impl Lasting {
    pub(super) fn of(game: &Game) -> Self {
        let mut found = Self::default();
        let stmts = || game.blocks.iter().flat_map(|block| &block.stmts);
        for kind in &game.kinds {
            let seen = |place: &PieceLocation| match place {
                PieceLocation::Zone(zone) => {
                    game.zones.get(zone.zone).is_some_and(|zone| matches!(zone.sight, Sight::All))
                }
                PieceLocation::Sites(_) => matches!(kind.sight, Sight::All),
            };
            let (mut written, mut covered) = (Vec::new(), Vec::new());
            for (number, field) in kind.fields.iter().enumerate() {
                let mut places = stmts().filter_map(|stmt| {
                    let StmtKind::Change(place, fields) = &stmt.kind else { return None };
                    fields.iter().any(|(name, _)| *name == field.name).then_some(place)
                });
                let first = places.next();
                written.extend(first.map(|_| number));
                covered.extend(first.into_iter().chain(places).any(|place| !seen(place)).then_some(number));
            }
            found.written.push(written);
            found.covered.push(covered);
        }
        found
    }

    /// The fields of a kind that may be written where not everybody sees it.
    pub(super) fn covered(&self, kind: KindId) -> &[usize] {
        self.covered.get(usize::from(kind)).map_or(&[], Vec::as_slice)
    }

    /// What stays of a piece as long as it is in the game.
    pub(super) fn sort(&self, piece: &Piece) -> Piece {
        let mut sort = piece.clone();
        for &field in self.written.get(usize::from(piece.kind)).into_iter().flatten() {
            if let Some(value) = sort.fields.get_mut(field) {
                *value = 0;
            }
        }
        sort
    }
}

/// Whether pieces that somebody does not see can leave the game: only boards lose pieces, by removal, or when another
/// piece comes to lie there, be it put, moved, or taken from a zone. Or whether they can be changed, in zones as well.
fn may_lose(game: &Game) -> bool {
    let hidden = game.kinds.iter().any(|kind| !matches!((&kind.sight, &kind.owner_sight), (Sight::All, Sight::All)));
    let covered = hidden || game.zones.iter().any(|zone| !matches!(zone.sight, Sight::All));
    let takes = |stmt: &StmtKind| {
        matches!(
            stmt,
            StmtKind::Remove(_)
                | StmtKind::Move(..)
                | StmtKind::Put(..)
                | StmtKind::MovePieces { to: PieceLocation::Sites(_), .. }
        )
    };
    let changes = |stmt: &StmtKind| matches!(stmt, StmtKind::Change(..));
    let stmts = || game.blocks.iter().flat_map(|block| &block.stmts);
    stmts().any(|stmt| hidden && takes(&stmt.kind) || covered && changes(&stmt.kind))
}

/// Whether pieces may come from boards to zones, where they may be covered before they come back.
fn may_return(game: &Game) -> bool {
    let stmts = || game.blocks.iter().flat_map(|block| &block.stmts);
    stmts().any(|stmt| matches!(&stmt.kind, StmtKind::MovePieces { from: PieceLocation::Sites(_), .. }))
}

/// The pieces as a seat saw them.
#[derive(Default)]
struct Count {
    /// Those on the boards that it saw as they are.
    sites: Vec<Option<Piece>>,
    /// Those anywhere that it saw as they are.
    open: BTreeSet<Piece>,
    /// Those that it did not, and what it saw of them.
    hidden: BTreeMap<Piece, Piece>,
}

impl Count {
    fn of(engine: &dyn Engine, position: &Position, seat: SeatId) -> Self {
        let seen = engine.explain().glance(position, Viewer::Seat(seat)).faces;
        let mut count = Self::default();
        for (piece, face) in position.sites.iter().zip(&seen.sites) {
            count.sites.push(piece.clone().filter(|_| piece == face));
        }
        let faces = seen.sites.iter().flatten().chain(seen.zones.iter().flatten().flatten());
        let pieces = position.sites.iter().flatten().chain(position.zones.iter().flatten().flatten());
        for (piece, face) in pieces.zip(faces) {
            if piece == face {
                count.open.insert(piece.clone());
            } else {
                count.hidden.insert(piece.clone(), face.clone());
            }
        }
        count
    }

    /// What is gone since and was not seen. A piece that came and went since is one of which nothing was seen; one that lay open
    /// on a board was seen to go, unless it may have been covered before.
    fn missing(mut self, those: &Displaced, returns: bool) -> Gone {
        let mut gone = Gone::default();
        // Where the kind is seen, so are the fields, and what becomes of them.
        let unseen = |piece: &&Piece| match self.hidden.get(*piece) {
            Some(face) => face.is_hidden(),
            None => !self.open.contains(*piece),
        };
        gone.were.extend(those.changed.iter().filter(unseen).cloned());
        for (site, piece) in &those.left {
            let stood = |at: &Option<Piece>| at.as_ref() == Some(piece);
            let here = self.sites.get(*site).is_some_and(stood).then_some(*site);
            let moved = || self.sites.iter().position(stood).filter(|_| !returns);
            match here.or_else(moved) {
                Some(from) => self.sites[from] = None,
                None => gone.left.push((self.hidden.get(piece).cloned(), piece.clone())),
            }
        }
        gone
    }
}
