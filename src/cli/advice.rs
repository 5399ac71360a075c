//! Help during play: the legal moves, explanations, and hints.

use super::show::TOO_MANY;
use super::table::Table;
use crate::bots::{Budget, Spec};
use crate::ir::Move;
use crate::model::Ask;
use crate::notation::{find_move, is_answer, parse_answer, print_move};
use crate::play::Stream;
use crate::view::{asked, refusal, rules_text};

/// The iterations of the search behind a hint.
const HINT: u32 = 400;

impl Table<'_> {
    /// The legal moves that may be shown: in a race those of the people here.
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

    /// The legal move with a number in the list: `#3`, or `3` where moves are not
    /// written as numbers themselves.
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
        if is_answer(self.rules(), text) {
            match parse_answer(self.rules(), self.position(), text)
                .map(|answer| engine.answer(self.position(), &answer))
            {
                Err(error) => self.ui.line(format!("{error}.")),
                Ok(Ok(_)) => self.ui.line(format!("`{text}` is admissible now.")),
                Ok(Err(why)) => self.ui.print(&refusal(self.rules(), self.opened.sources(), text, &why)),
            }
            return;
        }
        let mv = match self.numbered(text) {
            Some(mv) => Ok(mv),
            None => find_move(engine, self.position(), text),
        };
        match mv {
            Err(error) => {
                self.ui.line(format!("{error}."));
                if let Some(cure) = error.cure() {
                    self.ui.line(format!("  help: {cure}"));
                }
            }
            Ok(mv) => {
                if let Some(why) = engine.explain().refusal(self.position(), &mv) {
                    self.ui.print(&refusal(self.rules(), self.opened.sources(), text, &why));
                    return;
                }
                self.ui.line(format!(
                    "`{}` is legal. The rules it relies on:",
                    print_move(self.rules(), self.position(), &mv)
                ));
                let rules = engine.explain().grounds(self.position(), &mv);
                self.ui.print(&rules_text(self.rules(), self.opened.sources(), &rules));
            }
        }
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
