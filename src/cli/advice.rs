//! Help during play: the legal moves, explanations, and hints.

use super::show::TOO_MANY;
use super::table::Table;
use crate::bots::{Budget, Spec};
use crate::ir::Move;
use crate::model::Ask;
use crate::notation::{is_answer, print_move};
use crate::play::{Step, Stream, grounds, read_step};
use crate::view::{asked, explained};

/// The iterations of the search behind a hint.
const HINT: u32 = 400;

impl Table<'_> {
    /// The legal moves that may be shown; in a race, those of the people at this terminal.
    fn listed(&self) -> Vec<Move> {
        let mut legal = self.opened.engine().legal(self.position());
        legal.dedup();
        let humans = self.humans();
        if matches!(self.position().ask, Ask::Race { .. }) && !humans.is_empty() {
            let ours =
                |mv: &Move| mv.args.first().is_none_or(|seat| humans.iter().any(|h| usize::from(*h) == seat.atom()));
            legal.retain(ours);
        }
        legal
    }

    /// The legal move with an index in the list: `#3`, or `3` unless moves are themselves written as numbers.
    pub(super) fn numbered(&self, text: &str) -> Option<Move> {
        let number: usize = text.trim_start_matches('#').parse().ok()?;
        let legal = self.listed();
        let numeric =
            |mv: &Move| print_move(self.rules(), self.position(), mv).starts_with(|c: char| c.is_ascii_digit());
        if !text.starts_with('#') && legal.iter().any(numeric) {
            return None;
        }
        legal.get(number.checked_sub(1)?).cloned()
    }

    pub(super) fn list(&self, prefix: &str) {
        let legal = self.listed();
        let texts: Vec<String> = legal.iter().map(|mv| print_move(self.rules(), self.position(), mv)).collect();
        let fits = |text: &str| text.to_lowercase().starts_with(&prefix.to_lowercase());
        let shown: Vec<String> =
            (1..).zip(&texts).filter(|(_, text)| fits(text)).map(|(n, text)| format!("{n:>3} {text}")).collect();
        match (texts.is_empty(), shown.is_empty()) {
            (true, _) if !self.position().is_over() => self.ui.line(TOO_MANY),
            (true, _) => self.ui.line(asked(self.rules(), self.position())),
            (false, true) => self.ui.line(format!("None of the {} legal moves begins with `{prefix}`.", texts.len())),
            (false, false) => {
                let widest = shown.iter().map(|text| text.chars().count()).fold(0, usize::max) + 2;
                for row in shown.chunks((78 / widest).max(1)) {
                    let cells: Vec<String> = row.iter().map(|text| format!("{text:<widest$}")).collect();
                    self.ui.line(cells.concat().trim_end());
                }
            }
        }
    }

    pub(super) fn why(&self, text: &str) {
        let engine = self.opened.engine();
        let step = match self.numbered(text).filter(|_| !is_answer(self.rules(), text)) {
            Some(mv) => Ok(Step::Move(mv)),
            None => read_step(engine, self.position(), text),
        };
        match step {
            Err(error) => {
                self.ui.line(format!("{error}."));
                if let Some(cure) = error.cure() {
                    self.ui.line(format!("  help: {cure}"));
                }
            }
            Ok(step) => {
                let what = match &step {
                    Step::Move(mv) => print_move(self.rules(), self.position(), mv),
                    Step::Answer(_) => text.to_owned(),
                };
                self.ui.print(&self.explained(&what, &step));
            }
        }
    }

    /// Why a step is legal or not, as far as the seat that plays it can know.
    pub(super) fn explained(&self, what: &str, step: &Step) -> String {
        let seat = step.seat(self.position());
        let grounds = grounds(self.opened.engine(), self.position(), seat, step);
        explained(self.rules(), self.opened.sources(), what, &grounds)
    }

    pub(super) fn hint(&self) {
        let dice = Stream::new(self.seed, "hint", self.game.steps().len() as u64);
        let spec = Spec::Mcts { budget: Budget::Count(HINT), depth: None };
        match self.position().asked().and_then(|seat| self.best_move(spec, seat, dice)) {
            Some(mv) => {
                let text = print_move(self.rules(), self.position(), &mv);
                self.ui.line(format!("A short search suggests: {text}"));
            }
            None => self.ui.line(asked(self.rules(), self.position())),
        }
    }
}
