//! What a seat is shown: its view, and the announcements of moves.
//!
//! **Invariant:** both are made from `Explain::observation` and `Explain::witnesses` alone, never from what the seat
//! may not see.

use std::sync::Arc;

use super::information::InformationSet;
use crate::base::Bits;
use crate::ir::{Game, Move, SeatId, StmtKind, Value};
use crate::model::{Answer, Ask, Chosen, Deed, Engine, Frame, Last, Observation, Position, StmtRef, Viewer};
use crate::notation::{print_move, print_named_with};

/// What a viewer sees of a position, and what it may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The viewer.
    pub viewer: Viewer,
    /// The observation, with backs for hidden pieces.
    pub position: Observation,
    /// Its legal moves if it is to act, else none.
    pub legal: Vec<Move>,
}

impl View {
    /// The view of a position.
    #[must_use]
    pub fn new(engine: &dyn Engine, position: &Position, viewer: Viewer) -> Self {
        let legal = legal_for(engine, position, viewer);
        Self { viewer, position: engine.explain().observation(position, viewer), legal }
    }
}

/// The legal moves of a viewer: of the seat to act, or of a seat that may act in a race; else none.
#[must_use]
pub fn legal_for(engine: &dyn Engine, position: &Position, viewer: Viewer) -> Vec<Move> {
    let mut legal = match (&position.ask, viewer) {
        (Ask::Choose { seat, .. } | Ask::Pick { seat, .. }, Viewer::Seat(me)) if *seat == me => engine.legal(position),
        (Ask::Race { .. }, Viewer::Seat(_)) => engine.legal(position),
        (_, _) => Vec::new(),
    };
    if let (Ask::Race { .. }, Viewer::Seat(me)) = (&position.ask, viewer) {
        legal.retain(|mv| mv.args.first() == Some(&Value::Atom(u32::from(me))));
    }
    legal
}

/// A player that knows only what its seat sees.
pub trait Bot {
    /// The index of a move in [`View::legal`]; none if there is none. `known` samples the seat's information set;
    /// `stop` says when time is up.
    fn choose(&mut self, view: &View, known: &InformationSet<'_>, stop: &dyn Fn() -> bool) -> Option<usize>;

    /// The same; `best` is told from time to time which move is the best so far, if the bot has one before it is done.
    fn consider(
        &mut self,
        view: &View,
        known: &InformationSet<'_>,
        stop: &dyn Fn() -> bool,
        _best: &dyn Fn(usize),
    ) -> Option<usize> {
        self.choose(view, known, stop)
    }
}

/// Whether a question asks for a secret choice.
fn secret(game: &Game, (block, number): StmtRef) -> bool {
    let stmt = game.blocks.get(block).and_then(|block| block.stmts.get(usize::from(number)));
    matches!(stmt.map(|stmt| &stmt.kind), Some(StmtKind::Together { .. }))
}

/// Whether the answer to a question is kept from all others for now: a secret choice while others have still to choose,
/// and a card of a shuffle.
fn is_kept(engine: &dyn Engine, before: &Position, mv: &Move) -> bool {
    match before.ask {
        Ask::Choose { at, .. } if secret(engine.game(), at) => {
            let last = choices(before).is_some_and(|(left, _)| left.is_empty());
            // Of those who are left, none may be able to choose anything.
            !last && waits(&engine.play_unchecked(before, mv), at)
        }
        Ask::Chance { .. } => is_shuffled(before),
        Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. } | Ask::Over => false,
    }
}

/// Whether a card of a shuffle is drawn.
pub(super) fn is_shuffled(before: &Position) -> bool {
    matches!(before.control.last(), Some(Frame::Shuffle(..)))
}

/// The seats that have still to choose in secret, and what others have chosen.
type Choices<'p> = (&'p [SeatId], &'p [(SeatId, Move)]);

fn choices(position: &Position) -> Option<Choices<'_>> {
    position.control.iter().rev().find_map(|frame| {
        if let Frame::Together(_, left, chosen) = frame { Some((left.as_slice(), chosen.as_slice())) } else { None }
    })
}

/// How many secret choices have been made, and wait for others to be.
pub(super) fn pending(game: &Game, position: &Position) -> usize {
    match position.ask {
        Ask::Choose { at, .. } if secret(game, at) => {
            choices(position).into_iter().map(|(_, chosen)| chosen.len()).sum()
        }
        Ask::Choose { .. } | Ask::Pick { .. } | Ask::Chance { .. } | Ask::Race { .. } | Ask::Over => 0,
    }
}

/// Whether a secret choice has been made by some, and another seat is asked for its own.
fn waits(after: &Position, at: StmtRef) -> bool {
    matches!(after.ask, Ask::Choose { at: next, .. } if next == at)
        && choices(after).is_some_and(|(_, chosen)| !chosen.is_empty())
}

/// A move that is made known, with those who learn each of its arguments.
#[derive(Clone, Debug)]
struct Announced {
    seat: Option<SeatId>,
    mv: Move,
    witnesses: Vec<Bits>,
}

impl Announced {
    fn new(engine: &dyn Engine, now: &Position, last: Last<'_>, chosen: Chosen<'_>) -> Self {
        let witnesses = engine.explain().witnesses(now, last, chosen);
        Self { seat: chosen.seat, mv: chosen.mv.clone(), witnesses }
    }

    /// One of several simultaneous choices.
    fn of_choice(
        engine: &dyn Engine,
        (now, last): (&Position, Last<'_>),
        (seat, mv): &(SeatId, Move),
        earlier: Earlier<'_>,
    ) -> Self {
        let made = earlier(*seat);
        let before = made.as_deref().unwrap_or(now);
        Self::new(engine, now, last, Chosen { seat: Some(*seat), mv, before, traffic: None })
    }

    fn seen(&self, game: &Game, viewer: Viewer) -> Vec<bool> {
        let me = match viewer {
            Viewer::Seat(seat) => usize::from(seat),
            Viewer::Spectator => game.seats.len(),
        };
        self.witnesses.iter().map(|who| who.contains(me)).collect()
    }

    fn shown(&self, game: &Game, before: &Position, viewer: Viewer) -> Deed {
        let sees = self.seen(game, viewer);
        if sees.iter().all(|seen| *seen) {
            return Deed::Done(print_move(game, before, &self.mv), Some(self.mv.clone()));
        }
        Deed::Done(print_named_with(game, &self.mv, &|at| sees.get(at).copied().unwrap_or(true)), None)
    }
}

/// All that a move makes known, to whomever. Working it out may take as long as the move itself.
#[derive(Clone, Debug)]
pub(super) struct Announcement {
    own: Announced,
    /// The secret choices of others that become known with the last of them.
    revealed: Vec<Announced>,
    /// Whether it is kept from all others for now.
    kept: bool,
}

/// The position in which a seat made its latest choice of several that are made at once, if that is known.
pub(super) type Earlier<'a> = &'a dyn Fn(SeatId) -> Option<Arc<Position>>;

impl Announcement {
    /// What a move in a position makes known. Of what chance draws, `traffic` are the lists that pieces have come to or left since a
    /// seat was last asked.
    pub(super) fn new(
        engine: &dyn Engine,
        before: &Position,
        mv: &Move,
        traffic: Option<&[(usize, usize)]>,
        earlier: Earlier<'_>,
    ) -> Self {
        let last = Last::Move(mv);
        let kept = is_kept(engine, before, mv);
        let revealed = match (&before.ask, choices(before)) {
            (Ask::Choose { at, .. }, Some((_, chosen))) if !kept && secret(engine.game(), *at) => {
                chosen.iter().map(|one| Announced::of_choice(engine, (before, last), one, earlier)).collect()
            }
            (_, _) => Vec::new(),
        };
        let seat = before.asked().or_else(|| mv.racer());
        Self { own: Announced::new(engine, before, last, Chosen { seat, mv, before, traffic }), revealed, kept }
    }

    /// Whether it is kept from all others for now.
    pub(super) fn is_kept(&self) -> bool {
        self.kept
    }

    /// Whether choices of others become known with the move.
    pub(super) fn lifts_secrets(&self) -> bool {
        !self.revealed.is_empty()
    }

    /// For each argument of the move, whether a viewer learns it.
    pub(super) fn seen(&self, game: &Game, viewer: Viewer) -> Vec<bool> {
        self.own.seen(game, viewer)
    }

    /// The same for the move of one of those whose choices become known with it; none for others.
    pub(super) fn seen_of(&self, game: &Game, (seat, mv): (SeatId, &Move), viewer: Viewer) -> Option<Vec<bool>> {
        let mut made = self.revealed.iter().chain([&self.own]).filter(|_| !self.kept);
        made.find(|one| one.seat == Some(seat) && one.mv == *mv).map(|one| one.seen(game, viewer))
    }

    /// What a viewer is told: who did what.
    pub(super) fn told(&self, game: &Game, before: &Position, viewer: Viewer) -> Vec<(Option<SeatId>, Deed)> {
        if self.kept {
            // That a secret choice was made.
            return before.asked().map(|seat| (Some(seat), Deed::Chosen)).into_iter().collect();
        }
        let shown = |one: &Announced| (one.seat, one.shown(game, before, viewer));
        match before.ask {
            Ask::Choose { .. } | Ask::Pick { .. } | Ask::Chance { .. } => {
                self.revealed.iter().chain([&self.own]).map(shown).collect()
            }
            Ask::Race { .. } => {
                let (seat, deed) = shown(&self.own);
                // The line already begins with the seat's title.
                let told = deed.to_string();
                let act = told.split_once(' ').map_or(told.as_str(), |(_, act)| act).to_owned();
                vec![(seat, if seat.is_some() { Deed::Done(act, None) } else { Deed::Waited })]
            }
            Ask::Over => Vec::new(),
        }
    }
}

/// What a viewer is told, beside a claim itself, of the simultaneous choices that are carried out since the claim took out who
/// was still to choose.
pub(super) fn released(
    engine: &dyn Engine,
    (before, answer, after): (&Position, &Answer, &Position),
    viewer: Viewer,
    earlier: Earlier<'_>,
) -> Vec<(Option<SeatId>, Deed)> {
    let (game, last) = (engine.game(), Last::Claim(answer));
    let (&Ask::Choose { at, .. }, Some((_, chosen))) = (&before.ask, choices(before)) else { return Vec::new() };
    if !secret(game, at) || waits(after, at) {
        return Vec::new();
    }
    // Those that are not carried out since the game is over are not told.
    let plies = after.ply.saturating_sub(before.ply) as usize;
    let count = if after.is_over() { plies.min(chosen.len()) } else { chosen.len() };
    let made = chosen[..count].iter().map(|one| Announced::of_choice(engine, (before, last), one, earlier));
    made.map(|one| (one.seat, one.shown(game, before, viewer))).collect()
}

/// What a viewer is told of a move or chance outcome: who did what. Shuffles are not
/// announced; a secret choice is announced as made, and revealed once every seat has chosen.
#[must_use]
pub fn told(engine: &dyn Engine, before: &Position, mv: &Move, viewer: Viewer) -> Vec<(Option<SeatId>, Deed)> {
    // Nothing of a shuffle, whose cards are many.
    if is_shuffled(before) {
        return Vec::new();
    }
    Announcement::new(engine, before, mv, None, &|_| None).told(engine.game(), before, viewer)
}
