//! The conditions of a case, and its claims and offers.

use super::case::{Case, Step};
use super::runner::Run;
use crate::ir::{Expr, ExprKind, Move, Value};
use crate::model::{Engine, Position};
use crate::notation;
use crate::say::Lang;
use crate::view;

pub(super) fn condition_name(number: usize) -> String {
    format!("condition_of_case_{number}")
}

/// The conditions of all steps in order.
pub(super) fn conditions(case: &Case) -> Vec<String> {
    let of = |step: &Step| if let Step::Holds(list) | Step::Fails(list) = step { list.clone() } else { Vec::new() };
    case.steps.iter().flat_map(of).collect()
}

/// How many bytes of legal moves a case compares: a hundred thousand with long names have more.
const WRITTEN: usize = 1 << 26;

impl Run<'_> {
    /// Moves as text, in order.
    pub(super) fn written(&mut self, legal: &[Move]) -> Vec<String> {
        let (mut written, mut length) = (Vec::with_capacity(legal.len()), 0);
        for mv in legal {
            let text = notation::print_move(self.game, &self.position, mv);
            length += text.len();
            if length > WRITTEN {
                self.fail(format!(
                    "the legal moves are more than {} MiB of text, too much to be compared",
                    WRITTEN >> 20
                ));
                break;
            }
            written.push(text);
        }
        written.sort();
        written
    }

    /// The position, in which the game is over if its question cannot be listed.
    pub(super) fn settled(&self, position: Position) -> Position {
        match self.fast {
            Some(fast) => fast.settled(position),
            None => self.engine.settled(position),
        }
    }

    pub(super) fn test(&mut self, list: &[String], wanted: bool) {
        for condition in list {
            let number = self.conditions.iter().position(|other| other == condition);
            let name = number.map(condition_name);
            let call = self.game.functions.numbered().find(|(_, def)| Some(&def.name) == name.as_ref());
            let call = call.map(|(number, def)| Expr::new(ExprKind::Call(number, Vec::new()), def.body.ty.clone()));
            let value = call.and_then(|call| self.engine.value_traced(&self.position, &call));
            let (value, trace) = value.map_or((None, Vec::new()), |(value, trace)| (Some(value), trace));
            self.touch(&trace);
            match value {
                Some(Value::Bool(found)) if found == wanted => {}
                Some(Value::Bool(_)) if wanted => self.fail(format!("`{condition}` should hold")),
                Some(Value::Bool(_)) => self.fail(format!("`{condition}` should not hold")),
                None => {
                    self.fail(format!("`{condition}` takes more steps than the step budget of one decision allows"));
                }
                Some(_) => self.fail(format!("`{condition}` is not a condition: it is neither true nor false")),
            }
        }
    }

    /// Whether a text is a claim or offer that is accepted.
    pub(super) fn stands(&self, text: &str) -> bool {
        let answer = notation::parse_answer(self.game, &self.position, text);
        answer.is_ok_and(|answer| self.engine.answer(&self.position, &answer).is_ok())
    }

    /// Makes a claim or offer; `refused` gives the clauses by which it must be refused.
    pub(super) fn answer(&mut self, text: &str, refused: Option<&Vec<String>>) {
        let answer = match notation::parse_answer(self.game, &self.position, text) {
            Ok(answer) => answer,
            Err(error) => {
                self.fail(format!("`{text}` is not a claim or offer: {error}"));
                return;
            }
        };
        match (self.engine.answer(&self.position, &answer), refused) {
            (Ok(next), None) => {
                self.touch(&self.engine.explain().answer_trace(&self.position, &answer));
                self.position = self.settled(next);
                self.listed = None;
            }
            (Err(refusal), Some(by)) => self.blamed(text, by, &refusal.rules),
            (Ok(_), Some(_)) => self.fail(format!("`{text}` should be refused, but is accepted")),
            (Err(refusal), None) => {
                let why = view::refusal(Lang::En, self.game, self.sources, text, &refusal, view::Detail::Rules);
                self.fail(format!("`{text}` should be accepted: {why}"));
            }
        }
    }
}
