//! An open game: its state, views and events.

use crate::base::SaturatingFrom;
use serde_json::{Map, Value, json};

use super::fault::{Code, Fault};
use super::json::{outcome, seat_name, table};
use super::request::{Fields, near};
use super::select::full;
use super::size::{bounded, said};
use crate::api::Session;
use crate::ir::{Game, SeatId};
use crate::model::{Engine, Observation, Viewer};
use crate::notation::print_position;
use crate::play::{Event, Luck, SeatRecord, Who};
use crate::say::Lang;
use crate::view::{Look, asked, deed, position as draw, seat_title};

/// The default number of entries in a page of a list.
const PAGE: u64 = 500;

/// How much more may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// Steps.
    pub(super) steps: usize,
    /// Bytes of positions.
    pub(super) bytes: usize,
}

impl Left {
    /// The same without a game that has been played so far.
    pub(super) fn without(self, open: &Open) -> Self {
        Self { steps: self.steps.saturating_sub(open.steps()), bytes: self.bytes.saturating_sub(open.bytes()) }
    }
}

/// A game that is open.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) number: u64,
    pub(super) session: Session,
    /// The language of what people are told.
    pub(super) lang: Lang,
}

impl Open {
    pub(super) fn engine(&self) -> &dyn Engine {
        self.session.engine()
    }

    pub(super) fn ir(&self) -> &Game {
        self.engine().game()
    }

    pub(super) fn steps(&self) -> usize {
        self.session.steps()
    }

    /// About how many bytes its positions take.
    pub(super) fn bytes(&self) -> usize {
        self.session.bytes()
    }

    /// What everybody sees.
    pub(super) fn public(&self) -> Observation {
        self.session.door(Who::Viewer(Viewer::Spectator)).position()
    }

    /// Draws chance outcomes while chance is to act, as far as there is room.
    pub(super) fn draw(&mut self, left: Left) -> Result<(), Fault> {
        let (before, kept) = (self.steps(), self.bytes());
        let mut luck = Luck::default();
        while self.session.is_to_draw() {
            let drawn = self.steps() - before;
            // Each outcome keeps a position, and positions may be large.
            if drawn >= left.steps || self.bytes().saturating_sub(kept) > left.bytes {
                return Err(full(left.steps.saturating_sub(drawn)));
            }
            if !self.session.draw_once(&mut luck) {
                let most = Luck::MOST;
                let message = format!("chance has decided {most} times in a row, or among very many outcomes");
                let endless = Fault::new(Code::Limit, message, "correct the rules: they ask no seat meanwhile");
                return Err(if luck.is_spent() { endless } else { budget() });
            }
        }
        Ok(())
    }

    /// Who sends the request.
    pub(super) fn who(&self, fields: &Fields) -> Result<Who, Fault> {
        let seats = || self.ir().seats.iter().map(|seat| seat.name.as_str());
        let all = || seats().chain(["spectator", "referee"]);
        let list = || all().collect::<Vec<_>>().join(", ");
        let Some(value) = fields.value("who") else {
            return Err(fields.missing("who", format!("say who is asking: {}", list())));
        };
        let number = match (value.as_str(), value.as_u64()) {
            (Some("referee"), _) => return Ok(Who::Referee),
            (Some("spectator"), _) => return Ok(Who::Viewer(Viewer::Spectator)),
            (Some(name), _) => {
                let lower = name.to_lowercase();
                let alike = || seats().position(|seat| seat.to_lowercase() == lower);
                let found = seats().position(|seat| seat == name).or_else(alike);
                found.ok_or_else(|| {
                    Fault::new(Code::UnknownSeat, format!("there is no seat `{name}`"), near(name, all()))
                })?
            }
            (None, Some(number)) => {
                let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                place.filter(|place| *place < self.ir().seats.len()).ok_or_else(|| {
                    let cure = format!("the seats are 1 to {}", self.ir().seats.len());
                    Fault::new(Code::UnknownSeat, format!("there is no seat {number}"), cure)
                })?
            }
            (None, None) => {
                let cure = format!("give a name or the number of a seat: {}", list());
                return Err(Fault::new(Code::BadValue, "`who` is not a name", cure));
            }
        };
        Ok(Who::Viewer(Viewer::Seat(SeatId::new(number))))
    }

    /// The public state of the game.
    pub(super) fn state(&self) -> Value {
        let (game, position) = (self.ir(), self.public());
        let result = self.session.door(Who::Viewer(Viewer::Spectator)).outcome();
        let offers = game.offers.iter().zip(&position.offers).filter(|(_, agreed)| !agreed.is_empty());
        let agreed = |seats: &crate::base::Bits| -> Vec<Value> {
            seats.iter().map(|seat| seat_name(game, Some(SeatId::new(seat)))).collect()
        };
        json!({
            "game": self.number,
            "steps": self.steps(),
            "ply": position.ply,
            "turn": position.turn,
            "now": position.now,
            "phase": position.phase.and_then(|phase| game.phases.get(phase)),
            "mover": seat_name(game, Some(position.mover)),
            "ask": position.ask.word(),
            "asked": seat_name(game, position.asked()),
            "offers": offers.map(|(offer, seats)| (offer.name.clone(), json!(agreed(seats)))).collect::<Map<_, _>>(),
            "over": position.is_over(),
            "outcome": result.as_ref().map(|result| outcome(self.lang, game, result)),
        })
    }

    /// What the sender sees.
    pub(super) fn view(&self, fields: &Fields) -> Result<Value, Fault> {
        let seen = self.seen(fields)?;
        let game = self.ir();
        bounded("a view", said(game, &seen))?;
        let mut found = table(game, &seen);
        found["who"] = fields.value("who").cloned().unwrap_or_default();
        found["board"] = json!(draw(game, &seen, &Look { lang: self.lang, ..Look::default() }));
        found["prompt"] = json!(asked(self.lang, game, &seen));
        found["position"] = json!(print_position(self.engine(), &seen));
        found["state"] = self.state();
        Ok(found)
    }

    /// The events from a step on, as told to the sender.
    pub(super) fn events(&self, fields: &Fields) -> Result<Value, Fault> {
        let who = self.who(fields)?;
        let (from, next) = Self::page(fields, self.steps())?;
        let events = self.told(who, from, next);
        Ok(json!({"from": from, "events": events, "steps": self.steps(), "next": next_page(next, self.steps())}))
    }

    /// The events of a range of steps.
    pub(super) fn told(&self, who: Who, from: usize, to: usize) -> Vec<Value> {
        let (game, door) = (self.ir(), self.session.door(who));
        let event = |event: &Event| {
            let doer = match event.seat {
                Some(seat) => seat_title(game, usize::from(seat)).to_owned(),
                None => self.lang.say("play-chance", &[]),
            };
            // In words a card of a shuffle is its number, whatever the position.
            let before = if event.shuffle { None } else { door.position_before(event.step) };
            let done = before.map_or_else(|| event.deed.to_string(), |seen| deed(self.lang, game, &seen, &event.deed));
            let text = format!("{doer}: {done}");
            json!({"step": event.step, "seat": seat_name(game, event.seat), "move": event.deed.to_string(), "text": text})
        };
        door.events(from, to).iter().map(event).collect()
    }

    /// The record so far, as an object and as text: for the referee the whole, for others what they were told.
    pub(super) fn record(&self, fields: &Fields) -> Result<Value, Fault> {
        let who = self.who(fields)?;
        if let Some(record) = self.session.whole_record(who) {
            return Ok(json!({"record": *record, "text": record.print()}));
        }
        let record = self.session.seat_record(who);
        Ok(json!({"record": record.as_deref(), "text": record.as_deref().map(SeatRecord::print)}))
    }

    /// The range of a page in a list of this many entries.
    pub(super) fn page(fields: &Fields, count: usize) -> Result<(usize, usize), Fault> {
        let from = usize::saturating_from(fields.number("from")?.unwrap_or(0)).min(count);
        let limit = usize::saturating_from(fields.number("limit")?.unwrap_or(PAGE));
        if limit == 0 {
            // The next page would begin where this one does.
            let message = "a page has at least one entry, so `limit` cannot be 0";
            return Err(Fault::new(Code::BadValue, message, "give a greater one, or leave it out"));
        }
        Ok((from, from.saturating_add(limit).min(count)))
    }
}

/// The start of the next page; null after the last.
pub(super) fn next_page(next: usize, count: usize) -> Value {
    if next < count { json!(next) } else { Value::Null }
}

/// The error for an exhausted step budget.
pub(super) fn budget() -> Fault {
    let message = "nothing is legal here, or there is more than can be listed within the step budget";
    Fault::new(
        Code::Limit,
        message,
        "start from a position that can arise in play, or let the rules choose from smaller sets",
    )
}
