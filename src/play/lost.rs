//! Pieces that left the game unseen, or were changed unseen beside others like them. To a seat that did not see which they were,
//! each of them may still be there as it was.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::matches::Match;
use crate::ir::{Game, Piece, PieceLocation, SeatId, Sight, StmtKind};
use crate::model::{Engine, Frame, Position, StmtRef, Viewer};

/// A piece as the seat saw it last, and what it is.
pub(super) type Lost = (Piece, Piece);

/// What became of the pieces from one position to the next that counts.
#[derive(Debug)]
pub(super) enum Change {
    /// A shuffle goes on: its cards take nothing away.
    Shuffled,
    /// There are no fewer of any sort.
    Kept,
    /// There are fewer of some sort than in the position of that number, or pieces of one sort that differed were changed: for
    /// each seat those that are gone unseen, once it is asked.
    Dwindled(usize, Box<[OnceLock<Missing>]>),
}

/// What is not there any more, and was not seen to be what it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Missing {
    /// Pieces that have left the game.
    left: Vec<Lost>,
    /// Pieces as they were before something of them was changed.
    changed: Vec<Lost>,
}

/// So many pieces are remembered as they were before they were changed, the latest ones.
const CHANGED: usize = 64;

/// The pieces that left a game before one of its steps without being seen by a seat. What is found stays with the game, so that
/// only what is new since the last time is looked at.
pub(super) fn lost(game: &Match<'_>, seat: SeatId, until: usize) -> Vec<Lost> {
    let rules = game.engine().game();
    if !may_lose(rules) {
        return Vec::new();
    }
    let lasting = Lasting::of(rules);
    let changes = game.changes();
    let changes = changes.get(..=until).unwrap_or(changes);
    follow(game, changes, &lasting);
    let mut gone = Vec::new();
    let mut were: Vec<Lost> = Vec::new();
    for (number, change) in changes.iter().enumerate() {
        let Some(Change::Dwindled(since, unseen)) = change.get() else { continue };
        let Some(unseen) = unseen.get(usize::from(seat)) else { continue };
        let missing = unseen.get_or_init(|| {
            let count = |number| Some(Count::of(game.engine(), &*game.before(number)?, seat));
            count(*since).zip(count(number)).map(|(before, now)| before.missing(&now, &lasting)).unwrap_or_default()
        });
        gone.extend_from_slice(&missing.left);
        for lost in &missing.changed {
            were.retain(|other| other != lost);
            were.push(lost.clone());
        }
    }
    gone.extend_from_slice(were.get(were.len().saturating_sub(CHANGED)..).unwrap_or_default());
    gone
}

/// Finds out what became of the pieces, where that is not known yet.
fn follow(game: &Match<'_>, changes: &[Arc<OnceLock<Change>>], lasting: &Lasting) {
    let (known, new) = changes.split_at(changes.partition_point(|change| change.get().is_some()));
    if new.is_empty() {
        return;
    }
    let counts = |change: &Arc<OnceLock<Change>>| !matches!(change.get(), Some(Change::Shuffled));
    let from = known.iter().rposition(counts).unwrap_or_default();
    let positions = game.since(from).map(|(before, _)| before).chain(game.before(game.steps().len()));
    let mut last: Option<(usize, Sorts)> = None;
    let mut shuffle = None;
    for (number, position) in (from..changes.len()).zip(positions) {
        // What was put before a shuffle may be gone at the next question.
        let before = std::mem::replace(&mut shuffle, shuffled(&position));
        let change = if goes_on(before, shuffle) {
            Change::Shuffled
        } else {
            let now = lasting.sorts(&position);
            let fewer = last.take().filter(|(_, before)| dwindles(before, &now));
            last = Some((number, now));
            let seats = || game.engine().game().seats.iter().map(|_| OnceLock::new()).collect();
            fewer.map_or(Change::Kept, |(since, _)| Change::Dwindled(since, seats()))
        };
        if let Some(cell) = changes.get(number).filter(|_| number >= known.len()) {
            cell.get_or_init(|| change);
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

/// The pieces of each sort: of a kind, of an owner, with the fields that stay as they are. How many there are of each that
/// differ in what does not stay.
type Sorts = BTreeMap<Piece, BTreeMap<Piece, usize>>;

/// The fields that `change` may write, by kind: by them a piece cannot be told from one that has come in its place.
struct Lasting {
    written: Vec<Vec<usize>>,
}

impl Lasting {
    fn of(game: &Game) -> Self {
        let stmts = || game.blocks.iter().flat_map(|block| &block.stmts);
        let changes = |name: &str| {
            let writes = |stmt: &StmtKind| {
                matches!(stmt, StmtKind::Change(..)) && stmt.fields().iter().any(|(written, _)| written == name)
            };
            stmts().any(|stmt| writes(&stmt.kind))
        };
        let written = game.kinds.iter().map(|kind| {
            let fields = kind.fields.iter().enumerate();
            fields.filter(|(_, field)| changes(&field.name)).map(|(number, _)| number).collect()
        });
        Self { written: written.collect() }
    }

    /// What stays of a piece as long as it is in the game.
    fn sort(&self, piece: &Piece) -> Piece {
        let mut sort = piece.clone();
        for &field in self.written.get(usize::from(piece.kind)).into_iter().flatten() {
            if let Some(value) = sort.fields.get_mut(field) {
                *value = 0;
            }
        }
        sort
    }

    fn sorts(&self, position: &Position) -> Sorts {
        let mut sorts = Sorts::new();
        for piece in position.sites.iter().flatten().chain(position.zones.iter().flatten().flatten()) {
            *sorts.entry(self.sort(piece)).or_default().entry(piece.clone()).or_default() += 1;
        }
        sorts
    }
}

/// Whether there are fewer of some sort later: only then can one have left the game; or whether of a sort whose pieces differ some
/// are not there any more: they were changed. Few steps do that, while what a seat sees of a position takes long where there
/// are thousands of pieces.
fn dwindles(before: &Sorts, later: &Sorts) -> bool {
    let many = |pieces: &BTreeMap<Piece, usize>| pieces.values().sum::<usize>();
    before.iter().any(|(sort, pieces)| {
        later.get(sort).is_none_or(|now| {
            let gone = |(piece, count): (&Piece, &usize)| now.get(piece).is_none_or(|now| now < count);
            many(now) < many(pieces) || pieces.len() > 1 && pieces.iter().any(gone)
        })
    })
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

    /// How many pieces there are of each sort.
    fn sorts(&self, lasting: &Lasting) -> BTreeMap<Piece, usize> {
        let mut sorts = BTreeMap::new();
        for (piece, count) in &self.all {
            *sorts.entry(lasting.sort(piece)).or_default() += count;
        }
        sorts
    }

    /// What is missing later and was not seen. If some of a sort have left the game while others of it were changed, there
    /// is no telling which: all that are not there any more may be what is left. The same where they were only changed, if
    /// what is seen of several that differed was alike.
    fn missing(&self, later: &Self, lasting: &Lasting) -> Missing {
        let mut gone = Missing::default();
        let of = |counts: &BTreeMap<Piece, usize>, piece: &Piece| counts.get(piece).copied().unwrap_or_default();
        let (sorts, now) = (self.sorts(lasting), later.sorts(lasting));
        let mut differ: BTreeMap<Piece, usize> = BTreeMap::new();
        for piece in self.faces.keys() {
            *differ.entry(lasting.sort(piece)).or_default() += 1;
        }
        for (piece, &count) in &self.all {
            let sort = lasting.sort(piece);
            let left = of(&sorts, &sort) > of(&now, &sort);
            if !left && of(&differ, &sort) < 2 {
                continue;
            }
            let fewer = count.saturating_sub(of(&later.all, piece));
            let seen = of(&self.open, piece).saturating_sub(of(&later.open, piece));
            if let Some(face) = self.faces.get(piece) {
                let unseen = fewer.saturating_sub(seen);
                let gone = if left { &mut gone.left } else { &mut gone.changed };
                gone.extend(std::iter::repeat_n((face.clone(), piece.clone()), unseen));
            }
        }
        gone
    }
}
