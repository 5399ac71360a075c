//! Explanation: why a move is refused, which rules it relies on, who sees what.

use std::collections::BTreeSet;
use std::ops::Deref;

use super::engine::Answer;
use super::position::{Ask, Position};
use super::reason::Reason;
use crate::base::Bits;
use crate::ir::{Measure, Move, Piece, RuleId, SeatId, Slot, Value};

/// What is played, with which a move is carried out.
#[derive(Clone, Copy, Debug)]
pub enum Last<'a> {
    /// The move itself, or the last of several simultaneous choices.
    Move(&'a Move),
    /// A claim that takes out who was still to choose.
    Claim(&'a Answer),
}

/// A move that was chosen.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// By whom; none by chance.
    pub seat: Option<SeatId>,
    /// The move.
    pub mv: &'a Move,
    /// The position in which it was chosen, which says whom the choice is shown to.
    pub before: &'a Position,
    /// Of what chance draws, the lists that pieces have come to or left since a seat was last asked, if they are known.
    pub traffic: Option<&'a [(usize, usize)]>,
}

/// Pieces that are not there any more as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Displaced {
    /// Those that left the boards, each with its site: they were removed, or another came to lie there.
    pub left: Vec<(usize, Piece)>,
    /// What pieces were before something of them was set, if only to what it was.
    pub changed: BTreeSet<Piece>,
}

/// Why something is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The game is over.
    Over,
    /// Another seat is to act, or another kind of answer is expected.
    NotAsked,
    /// Its time is before the last act, or after the deadline of the race.
    NotNow,
    /// An argument is not among the values its parameter may take. The rules are those without which it would be, or
    /// else those that define the values.
    NotAmong {
        /// The parameter.
        slot: Slot,
        /// The value that was given.
        value: Value,
    },
    /// A guard does not hold.
    Guard,
    /// A guard on the position after the move does not hold.
    GuardAfter,
    /// Something else takes precedence.
    Precedence,
    /// Another move is preferred.
    NotPreferred,
    /// The value is not one of those that can be picked.
    NotOffered,
    /// It was already offered by this seat.
    AlreadyOffered,
    /// The reason is not the same in all positions of the seat's information set.
    Unseen,
    /// Whether another seat could do it now is not told.
    Untold,
    /// The step budget ran out before this was decided.
    Budget,
}

impl Why {
    /// As a word, for programs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::NotAsked => "not-asked",
            Self::NotNow => "not-now",
            Self::NotAmong { .. } => "not-among",
            Self::Guard => "guard",
            Self::GuardAfter => "guard-after",
            Self::Precedence => "precedence",
            Self::NotPreferred => "not-preferred",
            Self::NotOffered => "not-offered",
            Self::AlreadyOffered => "already-offered",
            Self::Unseen => "unseen",
            Self::Untold => "untold",
            Self::Budget => "budget",
        }
    }
}

/// A refused move or answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub why: Why,
    /// The rules that forbid it, the most relevant first.
    pub rules: Vec<RuleId>,
    /// What the test found that failed, if it can be said.
    pub found: Option<Box<Reason>>,
}

impl Refusal {
    /// A refusal for a reason that needs no more words than its kind has.
    #[must_use]
    pub fn plain(why: Why, rules: Vec<RuleId>) -> Self {
        Self { why, rules, found: None }
    }
}

/// The rules that a step relies on, or why it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grounds {
    /// The rules, or the refusal.
    pub verdict: Result<Vec<RuleId>, Refusal>,
    /// Whether some grounds depend on what the seat does not see and are therefore left out.
    pub veiled: bool,
}

/// Who is looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A seat.
    Seat(SeatId),
    /// A spectator.
    Spectator,
}

/// A position as somebody is shown it. What formats a position for people or programs takes this and nothing else, and it
/// comes into being in two ways: from the sight of a viewer ([`Explain::observation`]), or, named outright, for the
/// referee, who sees everything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation(Position);

impl Observation {
    /// For the referee, who sees everything: the whole position. What is made of it must not be shown to a seat of a game
    /// that hides something.
    #[must_use]
    pub fn referee(position: &Position) -> Self {
        Self(position.clone())
    }

    /// The same while another question is asked.
    #[must_use]
    pub fn asking(mut self, ask: Ask) -> Self {
        self.0.ask = ask;
        self
    }
}

impl Deref for Observation {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.0
    }
}

/// What a viewer sees of each piece in its place, before what is not seen of whole zones is left out. It says how many
/// pieces there are, so it is for drawing other positions that look the same, and is shown to nobody.
#[derive(Clone, Debug)]
pub struct Glance {
    /// The position: hidden pieces show their backs, hidden variables are unset.
    pub faces: Position,
    /// The lists whose pieces are not counted by the viewer, by zone and index: all of them, or all but the one on top,
    /// if that is seen.
    pub uncounted: Vec<(usize, usize)>,
    /// The lists whose order is not seen, or that have none.
    pub unordered: Vec<(usize, usize)>,
    /// Pieces that the viewer does not see in their zones and would see on a board.
    pub open_on_boards: BTreeSet<Piece>,
}

impl Glance {
    /// The position as it is seen.
    #[must_use]
    pub fn outline(self) -> Position {
        let mut seen = self.faces;
        let list = |seen: &mut Position, (zone, index): (usize, usize), edit: &dyn Fn(&mut Vec<Piece>)| {
            if let Some(list) = seen.zones.get_mut(zone).and_then(|lists| lists.get_mut(index)) {
                edit(list);
            }
        };
        for at in self.unordered {
            list(&mut seen, at, &|list| list.sort());
        }
        for at in self.uncounted {
            list(&mut seen, at, &|list| {
                let top = list.pop().filter(|top| !top.is_hidden());
                *list = [Piece::uncounted()].into_iter().chain(top).collect();
            });
        }
        seen
    }
}

/// Questions that arise only when something is shown: why a move is refused, which rules it relies on, who sees what.
pub trait Explain: Send + Sync + std::fmt::Debug {
    /// Why a move is not legal; none if it is.
    fn refusal(&self, position: &Position, mv: &Move) -> Option<Refusal>;

    /// What a viewer sees piece by piece. Hidden pieces show their backs
    /// ([`KindId::HIDDEN`](crate::ir::KindId::HIDDEN)), hidden variables are unset; the control stack and the history
    /// are left out.
    fn glance(&self, position: &Position, viewer: Viewer) -> Glance;

    /// The position as a viewer sees it: also without the number and the order of pieces where these are hidden.
    fn observation(&self, position: &Position, viewer: Viewer) -> Observation {
        Observation(self.glance(position, viewer).outline())
    }

    /// For each argument of a move, who learns it when it is carried out by what is played; the number after the last seat
    /// stands for spectators.
    fn witnesses(&self, position: &Position, last: Last<'_>, chosen: Chosen<'_>) -> Vec<Bits>;

    /// The same of a claim that is accepted; nothing for offers.
    fn claim_witnesses(&self, position: &Position, answer: &Answer) -> Vec<Bits>;

    /// Whether anybody may find out by a legal move what it did not see: something is told or laid open up to the next
    /// question, or told by what can be answered to it.
    fn lays_open(&self, position: &Position, mv: &Move) -> bool;

    /// The actions an attentive seat intends to play in the current race; none if that takes more than a seat's share of the
    /// steps of a decision. And how many steps it took.
    fn cued(&self, position: &Position, seat: SeatId) -> (Option<Bits>, u64);

    /// What a seat may do first in the current race of several groups of actions, each of which it may do from a time on, in
    /// milliseconds: all that it may do at that time of the group of which it may do something first. Nothing if that is never before the
    /// deadline, or not before a time that is given; none if it takes more than a seat's share of the steps of a decision. And how many
    /// steps it took.
    fn first_acts(
        &self,
        position: &Position,
        seat: SeatId,
        wanted: &[(Bits, i64)],
        before: Option<i64>,
    ) -> (Option<Vec<Move>>, u64);

    /// The lists of zones that pieces come to or leave by a legal move up to the next question, each by its zone and index.
    fn traffic(&self, position: &Position, mv: &Move) -> Vec<(usize, usize)>;

    /// The rules by which a legal move is legal, whatever it leads to.
    fn legality(&self, position: &Position, mv: &Move) -> Vec<RuleId>;

    /// The same, and the rules by which the game ends with it.
    fn grounds(&self, position: &Position, mv: &Move) -> Vec<RuleId>;

    /// All rules used by a legal move up to the next question: those of
    /// [`Explain::grounds`], the statements executed, the definitions evaluated.
    fn trace(&self, position: &Position, mv: &Move) -> Vec<RuleId>;

    /// The pieces that leave the boards or are changed by a legal move up to the next question.
    fn displaced(&self, position: &Position, mv: &Move) -> Displaced;

    /// The same of an accepted claim or offer.
    fn displaced_by_answer(&self, position: &Position, answer: &Answer) -> Displaced;

    /// All rules used by the setup and play up to the first question to a seat, where chance takes its first outcomes.
    fn first_trace(&self) -> Vec<RuleId>;

    /// All rules used up to the first question, be it to chance.
    fn start_trace(&self) -> Vec<RuleId>;

    /// All rules that an accepted claim or offer relies on.
    fn answer_trace(&self, position: &Position, answer: &Answer) -> Vec<RuleId>;

    /// The value of a measure in a position; none if the step budget runs out.
    fn measured(&self, position: &Position, measure: &Measure) -> Option<i64>;

    /// The current score of each seat: what the rules would rank by if play stopped now. None unless the rules rank
    /// by a single number.
    fn scores(&self, position: &Position) -> Option<Vec<i64>>;
}
