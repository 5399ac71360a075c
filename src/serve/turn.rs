//! Playing: legal moves, moves and answers, explanations, undo.

use serde_json::{Value, json};

use super::fault::{Code, Fault};
use super::game::{Left, Open, budget, next_page};
use super::json::{grounds, seat_name};
use super::request::Fields;
use super::select::full;
use super::size::fitting;
use crate::ir::{ActionRef, Move, SeatId};
use crate::model::{Answer, Ask, Grounds, Viewer};
use crate::notation::{is_answer, picked_type};
use crate::play::{Shown, Step, Who};
use crate::view::{Detail, because, explained};

/// How many names and numbers the moves of a page say at most, whatever its limit.
const PARAMETERS: usize = 100_000;

impl Open {
    /// A page of the sender's legal moves.
    pub(super) fn legal(&self, fields: &Fields) -> Result<Value, Fault> {
        self.legal_within(fields, PARAMETERS)
    }

    /// The same with so many parameters at most.
    pub(super) fn legal_within(&self, fields: &Fields, parameters: usize) -> Result<Value, Fault> {
        let door = self.session.door(self.who(fields)?);
        let moves = door.legal();
        if moves.is_empty() && door.is_asked() {
            return Err(budget());
        }
        let (from, most) = Self::page(fields, moves.len())?;
        let next = from + fitting(self.ir(), moves.get(from..most).unwrap_or_default(), parameters);
        let page = moves.get(from..next).unwrap_or_default();
        let texts: Vec<String> = page.iter().map(|mv| door.written(&Step::Move(mv.clone())).open()).collect();
        let asks = self.public();
        let mut found = json!({
            "ask": asks.ask.word(), "asked": seat_name(self.ir(), asks.asked()),
            "count": moves.len(), "from": from, "moves": texts, "next": next_page(next, moves.len()),
        });
        if fields.flag("parts")? {
            // They are answers to one question.
            let picks = page.iter().any(|mv| mv.action == ActionRef::Pick);
            let picked = if picks { picked_type(self.ir(), &self.public()) } else { None };
            found["parts"] = page.iter().map(|mv| self.parts(mv, picked.as_ref())).collect();
        }
        Ok(found)
    }

    /// Plays a move, or makes a claim or offer.
    pub(super) fn play(&mut self, fields: &Fields, left: Left) -> Result<Value, Fault> {
        let (who, step) = self.step(fields)?;
        if left.steps == 0 {
            return Err(full(0));
        }
        let (before, text) = (self.steps(), self.session.door(who).written(&step).open());
        if self.session.play_step(step.clone()).is_err() {
            return Err(self.illegal(&text, &self.session.door(who).grounds(&step)));
        }
        // Chance questions beyond the limit stay open; the move has been made.
        let stuck = self.draw(Left { steps: left.steps - 1, ..left }).err().map(|fault| fault.json());
        let mut found = json!({"move": text, "events": self.told(who, before, self.steps()), "state": self.state()});
        if let Some(fault) = stuck {
            found["stopped"] = fault;
        }
        Ok(found)
    }

    /// Which rules make a move legal, or why it is not.
    pub(super) fn why(&self, fields: &Fields) -> Result<Value, Fault> {
        let (who, step) = self.step(fields)?;
        let door = self.session.door(who);
        Ok(self.verdict(&door.written(&step), &door.grounds(&step)))
    }

    /// Undoes the last decision of a seat and the chance outcomes after it. A seat takes back its own last move, unless
    /// something was revealed by it.
    pub(super) fn undo(&mut self, fields: &Fields) -> Result<Value, Fault> {
        let who = self.who(fields)?;
        let before = self.session.clone();
        if !self.session.undo_for(who) {
            return Err(match who {
                Who::Referee => {
                    Fault::new(Code::NothingToUndo, "there is no decision to undo yet", "play a move first")
                }
                Who::Viewer(_) => {
                    let message =
                        "since your last decision something was revealed or rolled, or another seat has acted";
                    Fault::new(Code::RefereeOnly, message, "ask the referee to undo it")
                }
            });
        }
        // Only the step that was taken back is told again, not the whole game.
        let told = before.door(who).events(self.steps(), self.steps() + 1).open();
        let taken = told.first().map(|event| event.deed.to_string());
        Ok(json!({"undone": taken, "state": self.state()}))
    }

    /// The step a request plays, after checking that the sender may play it.
    fn step(&self, fields: &Fields) -> Result<(Who, Step), Fault> {
        let who = self.who(fields)?;
        let Some(text) = fields.text("move")? else {
            return Err(fields.missing("move", "give a move as `legal` writes it, or a claim or offer"));
        };
        let mut text = text.trim().to_owned();
        if let Some(time) = fields.number("time")? {
            if !matches!(self.public().ask, Ask::Race { .. }) || text.contains('@') {
                let message = "only an act in a race has a time, and only once";
                return Err(Fault::new(Code::BadValue, message, "remove `time`"));
            }
            text = format!("{text} @{time}");
        }
        let me = match who {
            Who::Referee => return Ok((who, self.read(who, &text)?)),
            Who::Viewer(Viewer::Seat(me)) => me,
            Who::Viewer(Viewer::Spectator) => {
                let cure = format!("play as one of {}", self.seats().join(", "));
                return Err(Fault::new(Code::NotAsked, "a spectator cannot play", cure));
            }
        };
        let step = if is_answer(self.ir(), &text) { self.own_answer(me, &text)? } else { self.own_move(me, &text)? };
        Ok((who, step))
    }

    /// A claim or offer of a seat; its own if the text names no seat.
    fn own_answer(&self, me: SeatId, text: &str) -> Result<Step, Fault> {
        let by = |step: &Step| match step {
            Step::Answer(Answer::Claim { seat, .. } | Answer::Offer { seat, .. }) => *seat == me,
            Step::Move(_) => false,
        };
        let mut step = self.read(Who::seat(me), text)?;
        if !by(&step) && !text.contains(" by ") {
            step = self.read(Who::seat(me), &format!("{text} by {}", self.name(me)))?;
        }
        if by(&step) { Ok(step) } else { Err(self.foreign(me)) }
    }

    /// A move of the seat to act, or its own act in a race. No other seat's moves are considered: they are not this
    /// one's business.
    fn own_move(&self, me: SeatId, text: &str) -> Result<Step, Fault> {
        match self.public().ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } if seat == me => self.read(Who::seat(me), text),
            Ask::Race { .. } => {
                let first = text.split_whitespace().next().unwrap_or("");
                let named = self.seats().iter().position(|seat| seat.eq_ignore_ascii_case(first));
                if named.is_some_and(|seat| seat != usize::from(me)) {
                    return Err(self.foreign(me));
                }
                let step = match named {
                    Some(_) => self.read(Who::seat(me), text)?,
                    None => self.read(Who::seat(me), &format!("{} {text}", self.name(me)))?,
                };
                let mine = |mv: &Move| {
                    matches!(mv.action, ActionRef::Race(_))
                        && mv.args.first().map(crate::ir::Value::atom) == Some(usize::from(me))
                };
                match &step {
                    Step::Move(mv) if mine(mv) => Ok(step),
                    Step::Move(_) | Step::Answer(_) => Err(self.foreign(me)),
                }
            }
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => {
                let message = format!("it is not `{}` that is asked, but `{}`", self.name(me), self.name(seat));
                Err(Fault::new(Code::NotAsked, message, "wait until `asked` names the seat"))
            }
            Ask::Chance { .. } => {
                let cure = "give what chance decides as `referee`";
                Err(Fault::new(
                    Code::NotAsked,
                    format!("it is not `{}` that is asked, but chance", self.name(me)),
                    cure,
                ))
            }
            Ask::Over => Err(Fault::new(Code::NotAsked, "the game is over", "start another with `new`")),
        }
    }

    fn read(&self, who: Who, text: &str) -> Result<Step, Fault> {
        self.session
            .door(who)
            .read(text)
            .map_err(|error| Fault::text(Code::BadMove, &error, "`legal` lists the moves as they are written"))
    }

    fn foreign(&self, me: SeatId) -> Fault {
        let message = format!("`{}` may not do that", self.name(me));
        Fault::new(Code::NotAsked, message, "ask as the seat concerned, or as `referee`")
    }

    fn seats(&self) -> Vec<&str> {
        self.ir().seats.iter().map(|seat| seat.name.as_str()).collect()
    }

    pub(super) fn name(&self, seat: SeatId) -> &str {
        self.ir().seats.get(seat).map_or("", |seat| &seat.name)
    }

    fn illegal(&self, text: &str, why: &Shown<Grounds>) -> Fault {
        let told = explained(self.lang, self.ir(), self.session.rules().sources(), text, why, Detail::Clauses);
        let message = told.lines().next().unwrap_or("").trim_end_matches('.').to_owned();
        let fault = Fault::new(Code::Illegal, message, "`legal` lists what is legal, `why` names the rules");
        Fault { why: Some(self.verdict(text, why)), ..fault }
    }

    /// Whether a step is legal, and by which rules.
    fn verdict(&self, text: &str, why: &Shown<Grounds>) -> Value {
        let sources = self.session.rules().sources();
        let (reason, found, rules) = match &why.verdict {
            Ok(rules) => (None, None, rules),
            Err(no) => (Some(no.why.word()), because(self.lang, self.ir(), sources, no), &no.rules),
        };
        let (rules, clauses) = grounds(self.lang, self.ir(), sources, rules, reason.is_none());
        json!({
            "legal": reason.is_none(), "move": text, "reason": reason, "because": found, "rules": rules, "clauses": clauses,
            "veiled": why.veiled, "text": explained(self.lang, self.ir(), sources, text, why, Detail::Clauses),
        })
    }
}
