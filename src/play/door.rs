//! The one door through which anything of a game leaves for somebody.
//!
//! **Invariant:** a [`Shown`] is made here alone, from what the asker may know. Surfaces hold a game, but what they say
//! of it comes from a door: so a surface cannot forget to hide something, since it has nothing to hide.

use std::ops::Deref;

use super::grounds::grounds_now;
use super::information::InformationSet;
use super::matches::{Match, Step};
use super::record::{Record, SeatRecord};
use super::seat::{View, is_shuffled, legal_for, released};
use super::undo;
use crate::ir::{Game, Move, SeatId, Value};
use crate::model::{Answer, Ask, Deed, Engine, Grounds, Observation, Outcome, Position, Refusal, Viewer, Why};
use crate::notation::{
    NotationError, is_answer, parse_answer, parse_move, print_answer, print_answer_with, print_move, print_position,
};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A seat or a spectator, limited to what it may know.
    Viewer(Viewer),
    /// The referee, who sees everything and may play for every seat.
    Referee,
}

impl Who {
    /// A seat.
    #[must_use]
    pub fn seat(seat: SeatId) -> Self {
        Self::Viewer(Viewer::Seat(seat))
    }
}

/// Something that one asker may be shown. Only a [`Door`] makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown<T>(T);

impl<T> Deref for Shown<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Shown<T> {
    /// The content, to be said.
    pub fn open(self) -> T {
        self.0
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the step, from 0.
    pub step: usize,
    /// Who did it; none for chance.
    pub seat: Option<SeatId>,
    /// What was done, as far as the asker learns it.
    pub deed: Deed,
    /// Whether it is a card of a shuffle, which says the same wherever the others lie.
    pub shuffle: bool,
}

/// What one asker gets of a game.
#[derive(Clone, Copy, Debug)]
pub struct Door<'g> {
    game: &'g Match<'g>,
    who: Who,
}

impl Match<'_> {
    /// The door for somebody who asks.
    #[must_use]
    pub fn door(&self, who: Who) -> Door<'_> {
        Door { game: self, who }
    }

    /// The legal moves of people who share a keyboard, each once: of the one who is asked, in a race of all of them, with
    /// waiting.
    #[must_use]
    pub fn legal_at(&self, seats: &[SeatId]) -> Shown<Vec<Move>> {
        let mut legal = match (self.ask(), self.asked()) {
            (Ask::Race { .. }, _) => self.engine().legal(self.position()),
            (_, Some(seat)) => self.door(Who::seat(seat)).legal().open(),
            (_, None) => Vec::new(),
        };
        legal.dedup();
        if matches!(self.ask(), Ask::Race { .. }) && !seats.is_empty() {
            legal.retain(|mv| mv.racer().is_none_or(|racer| seats.contains(&racer)));
        }
        Shown(legal)
    }

    /// Whether people at one table may go back to where so many steps had been made: nothing was revealed or rolled
    /// since, and where something is hidden, it is what the seat that is asked did, and nobody else acted.
    #[must_use]
    pub fn may_return(&self, to: usize) -> bool {
        undo::is_silent(self, to)
    }
}

impl<'g> Door<'g> {
    fn engine(&self) -> &'g dyn Engine {
        self.game.engine()
    }

    fn rules(&self) -> &'g Game {
        self.engine().game()
    }

    fn now(&self) -> &'g Position {
        self.game.position()
    }

    /// Who asks.
    #[must_use]
    pub fn who(&self) -> Who {
        self.who
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> Observation {
        self.position_before(self.game.steps().len()).unwrap_or_else(|| self.observed(self.now()))
    }

    /// The position before a step; the current one after the last. None beyond. Seats look at a game when a seat is asked: while
    /// chance decides, a viewer of a game that hides something sees the position as it was then.
    #[must_use]
    pub fn position_before(&self, step: usize) -> Option<Observation> {
        let before = self.game.before(step)?;
        if self.who == Who::Referee || self.rules().has_perfect_information() {
            return Some(self.observed(&before));
        }
        let seen = self.observed(&*self.game.looked(step)?);
        Some(seen.asking(before.ask.clone()))
    }

    fn observed(&self, position: &Position) -> Observation {
        match self.who {
            Who::Viewer(viewer) if !self.rules().has_perfect_information() => {
                self.engine().explain().observation(position, viewer)
            }
            // Without secrets everybody sees what the referee sees.
            Who::Viewer(_) | Who::Referee => Observation::referee(position),
        }
    }

    /// The legal moves of the asker; for the referee, of whoever is to act. One of several copies counts once.
    #[must_use]
    pub fn legal(&self) -> Shown<Vec<Move>> {
        Shown(match self.who {
            Who::Referee => self.engine().legal(self.now()),
            Who::Viewer(viewer) => legal_for(self.engine(), self.now(), viewer),
        })
    }

    /// Whether the asker is to act, alone.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        match self.who {
            Who::Referee => !self.now().is_over(),
            Who::Viewer(viewer) => self.now().asked().map(Viewer::Seat) == Some(viewer),
        }
    }

    /// What a seat chooses from: the view that a bot gets, with samples of what it does not see. None for others.
    #[must_use]
    pub fn seated(&self) -> Option<(View, InformationSet<'g>)> {
        let Who::Viewer(Viewer::Seat(seat)) = self.who else { return None };
        let view = View::new(self.engine(), self.now(), Viewer::Seat(seat));
        Some((view, InformationSet::remembering(self.game, seat)))
    }

    /// A step of the asker as text: it knows what it does.
    #[must_use]
    pub fn written(&self, step: &Step) -> Shown<String> {
        Shown(match step {
            Step::Move(mv) => print_move(self.rules(), self.now(), mv),
            Step::Answer(answer) => print_answer(self.rules(), self.now(), answer),
        })
    }

    /// The step that a text means. Whose move it is not is not told which moves are possible.
    ///
    /// # Errors
    /// Says why the text is not a step.
    pub fn read(&self, text: &str) -> Result<Step, NotationError> {
        let asked = match (&self.now().ask, self.who) {
            (Ask::Over, _) | (Ask::Race { .. }, Who::Referee) => true,
            // An act begins with the seat that acts: of the others' it is not told which are possible, so they are written in full.
            (Ask::Race { .. }, Who::Viewer(viewer)) => {
                let named = text.split_whitespace().next().unwrap_or_default();
                let seat = self.rules().seats.iter().position(|seat| seat.name.eq_ignore_ascii_case(named));
                seat.is_some_and(|seat| viewer == Viewer::Seat(SeatId::new(seat)))
            }
            (Ask::Choose { .. } | Ask::Pick { .. } | Ask::Chance { .. }, _) => self.is_asked(),
        };
        if is_answer(self.rules(), text) {
            parse_answer(self.rules(), self.now(), text).map(Step::Answer)
        } else if asked || self.rules().has_perfect_information() {
            super::record::read_step(self.engine(), self.now(), text)
        } else {
            parse_move(self.rules(), self.now(), text).map(Step::Move)
        }
    }

    /// Which rules make a step legal, or why it is not, as far as the asker can know. Of what others might do it knows
    /// nothing.
    #[must_use]
    pub fn grounds(&self, step: &Step) -> Shown<Grounds> {
        let Who::Viewer(viewer) = self.who else {
            return Shown(grounds_now(self.game, None, step));
        };
        let by = step.seat(self.now());
        if self.rules().has_perfect_information() || by.map(Viewer::Seat) == Some(viewer) {
            return Shown(grounds_now(self.game, by, step));
        }
        // In a race all are asked, and what each can do may be its secret.
        let why = if matches!(self.now().ask, Ask::Race { .. }) { Why::Untold } else { Why::NotAsked };
        Shown(Grounds { verdict: Err(Refusal::plain(why, Vec::new())), veiled: true })
    }

    /// The result, once the game is over: it is announced to all.
    #[must_use]
    pub fn outcome(&self) -> Shown<Option<Outcome>> {
        Shown(self.now().outcome.clone())
    }

    /// What happened in a range of steps.
    #[must_use]
    pub fn events(&self, from: usize, to: usize) -> Shown<Vec<Event>> {
        let steps = (from..to).zip(self.game.since(from));
        let told = steps.flat_map(|(step, (before, taken))| {
            let shuffle = is_shuffled(&before);
            self.told(step, &before, taken).into_iter().map(move |(seat, deed)| Event { step, seat, deed, shuffle })
        });
        Shown(told.collect())
    }

    fn told(&self, number: usize, before: &Position, step: &Step) -> Vec<(Option<SeatId>, Deed)> {
        match (step, self.who) {
            (Step::Move(_), Who::Viewer(_)) if is_shuffled(before) => Vec::new(),
            (Step::Move(_), Who::Viewer(viewer)) => {
                let made = self.game.announcement(number);
                made.map_or_else(Vec::new, |made| made.told(self.rules(), before, viewer))
            }
            (Step::Move(mv), Who::Referee) => {
                let deed = Deed::Done(print_move(self.rules(), before, mv), Some(mv.clone()));
                vec![(before.asked().or(mv.racer()), deed)]
            }
            (Step::Answer(answer), who) => {
                let (Answer::Claim { seat, .. } | Answer::Offer { seat, .. }) = answer;
                let own = who == Who::Referee || who == Who::seat(*seat);
                let learned = if own { Vec::new() } else { self.engine().explain().claim_witnesses(before, answer) };
                let me = match who {
                    Who::Viewer(Viewer::Seat(seat)) => usize::from(seat),
                    Who::Viewer(Viewer::Spectator) | Who::Referee => self.rules().seats.len(),
                };
                let sees = |at: usize| own || learned.get(at).is_none_or(|who| who.contains(me));
                let mut told =
                    vec![(Some(*seat), Deed::Done(print_answer_with(self.rules(), before, answer, &sees), None))];
                if let (Who::Viewer(viewer), Some(after)) = (who, self.game.before(number + 1)) {
                    let earlier = |seat| self.game.chosen_before(number, seat);
                    told.extend(released(self.engine(), (before, answer, &after), viewer, &earlier));
                }
                told
            }
        }
    }

    /// The sites of the last move, if the asker learns all of them.
    #[must_use]
    pub fn last_move(&self) -> Option<Shown<Move>> {
        let (number, before, mv) = self.game.last_move()?;
        let Who::Viewer(viewer) = self.who else { return Some(Shown(mv.clone())) };
        let own = before.asked().map(Viewer::Seat) == Some(viewer);
        let made = self.game.announcement(number)?;
        if !own && made.is_kept() {
            return None;
        }
        let seen = made.seen(self.rules(), viewer);
        seen.iter().all(|seen| *seen).then(|| Shown(mv.clone()))
    }

    /// The record of the game, for the referee only: it gives everything away, seed and shuffles included. `head` is
    /// the record without its steps.
    #[must_use]
    pub fn record(&self, head: &Record) -> Option<Shown<Record>> {
        let secrets = !self.rules().has_perfect_information();
        let whole = || Shown(Record { steps: self.game.texts(), secrets, ..head.clone() });
        (self.who == Who::Referee).then(whole)
    }

    /// The record for a viewer: what it was told, and what it sees. None for the referee.
    #[must_use]
    pub fn seat_record(&self, head: &Record) -> Option<Shown<SeatRecord>> {
        let Who::Viewer(viewer) = self.who else { return None };
        let name = |seat: SeatId| self.rules().seats.get(seat).map(|seat| seat.name.clone());
        let steps = self.events(0, self.game.steps().len()).open();
        Some(Shown(SeatRecord {
            game: head.game.clone(),
            digest: head.digest.clone(),
            players: head.players,
            variants: head.variants.clone(),
            readings: head.readings.clone(),
            options: head.options.clone(),
            seat: if let Viewer::Seat(seat) = viewer { name(seat) } else { None },
            steps: steps.into_iter().map(|event| (event.seat.and_then(name), event.deed.to_string())).collect(),
            position: print_position(self.engine(), &self.position()),
        }))
    }

    /// How many steps stay if the asker takes back what it did last: back to its last decision, if nothing was
    /// revealed, rolled or done by another seat since. None if it cannot take back anything on its own.
    #[must_use]
    pub fn undo(&self) -> Option<usize> {
        match self.who {
            Who::Referee => self.game.last_decided(),
            Who::Viewer(Viewer::Seat(seat)) => undo::own(self.game, seat),
            Who::Viewer(Viewer::Spectator) => None,
        }
    }
}

/// Whether what a value names of pieces lies open in an observation.
pub(super) fn lies_open(seen: &Observation, value: &Value) -> bool {
    let pieces = || seen.sites.iter().flatten().chain(seen.zones.iter().flatten().flatten());
    match value {
        Value::Piece(piece) => pieces().any(|other| other == piece),
        Value::Pieces(list) => list.iter().all(|piece| pieces().any(|other| other == piece)),
        Value::Move(mv) => mv.args.iter().all(|value| lies_open(seen, value)),
        Value::Moves(moves) => moves.iter().flat_map(|mv| &mv.args).all(|value| lies_open(seen, value)),
        Value::Unset
        | Value::Int(_)
        | Value::Bool(_)
        | Value::Atom(_)
        | Value::Way(_)
        | Value::Set(_)
        | Value::Ints(_)
        | Value::Ways(_) => true,
    }
}
