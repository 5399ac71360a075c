//! Help during play: the legal moves, explanations, and hints.

use std::time::Instant;

use super::seats::MOMENT;
use super::table::Table;
use super::thinking::Thought;
use crate::bots::Spec;
use crate::ir::Move;
use crate::model::{Answer, Ask};
use crate::notation::{NotationError, is_answer};
use crate::play::{Door, Step, Stream, Who};
use crate::view::{Detail, asked, explained, titled_move, unread};

/// The maximum number of legal moves that are listed at once.
const LISTED: usize = 2000;

/// How many bytes of them are printed.
const PRINTED: usize = 1 << 20;

/// How many bytes of moves are written out to look something up among them.
pub(super) const WRITTEN: usize = 1 << 24;

impl Table<'_> {
    /// The legal moves that may be shown; in a race, those of the people at this terminal, and where they see different
    /// things, what they may try, be it legal or not.
    pub(super) fn listed(&self) -> Vec<Move> {
        if self.is_private() && matches!(self.game.ask(), Ask::Race { .. }) {
            return self.tries();
        }
        self.game.legal_at(&self.humans()).open()
    }

    /// Who speaks at the keyboard: the one who is asked.
    pub(super) fn speaker(&self) -> Door<'_> {
        self.game.asked().map_or_else(|| self.door(), |seat| self.game.door(Who::seat(seat)))
    }

    /// Whether a step is taken by somebody at the keyboard, or nothing is hidden from them.
    pub(super) fn is_ours(&self, step: &Step) -> bool {
        let humans = self.humans();
        let by = self.game.by(step);
        // What somebody else can claim is asked by naming a piece.
        if let (Step::Answer(Answer::Claim { args, .. }), Some(seat)) = (step, by)
            && !args.is_empty()
            && !self.speaks_for(seat)
        {
            return false;
        }
        humans.is_empty()
            || self.rules().has_perfect_information()
            || by.is_none_or(|seat| humans.contains(&seat))
            // Moves given on the command line are played for every seat.
            || matches!(step, Step::Move(_)) && self.game.by(step) == self.game.asked()
    }

    pub(super) fn text(&self, mv: &Move) -> String {
        self.speaker().written(&Step::Move(mv.clone())).open()
    }

    /// The legal move with an index in the list: `#3`, or `3` unless moves are themselves written as numbers.
    pub(super) fn numbered(&self, text: &str) -> Option<Move> {
        let number: usize = text.trim_start_matches('#').parse().ok()?;
        let legal = self.listed();
        let mut written = 0;
        // Where not all are looked at, any of the others may be written as a number.
        let numeric = |mv: &Move| {
            let text = self.text(mv);
            written += text.len();
            is_numeric(&text) || written > WRITTEN
        };
        if !text.starts_with('#') && legal.iter().any(numeric) {
            return None;
        }
        legal.get(number.checked_sub(1)?).cloned()
    }

    /// Lists the legal moves that begin with a text, the first of them if they are very many.
    pub(super) fn list(&self, prefix: &str) {
        let legal = self.listed();
        let seen = self.speaker().position();
        let prefix_small = prefix.to_lowercase();
        let (mut numeric, mut fitting, mut written, mut printed) = (false, 0, 0, 0);
        let mut shown: Vec<(usize, String, Option<String>)> = Vec::new();
        for (number, mv) in (1..).zip(&legal) {
            if written > WRITTEN {
                // What is not looked at counts as more of the same.
                (numeric, fitting) = (true, fitting + 1);
                continue;
            }
            let text = self.text(mv);
            written += text.len();
            numeric |= is_numeric(&text);
            if text.to_lowercase().starts_with(&prefix_small) {
                fitting += 1;
                if shown.len() < LISTED && printed < PRINTED {
                    printed += text.len();
                    let title = titled_move(self.rules(), &seen, mv);
                    shown.push((number, text, title));
                }
            }
        }
        match (legal.is_empty(), shown.is_empty()) {
            (true, _) if self.is_private() && matches!(self.game.ask(), Ask::Race { .. }) => {
                self.ui.say("play-race-untold", &[]);
            }
            (true, _) if !self.game.is_over() => self.ui.say("too-many", &[]),
            (true, _) => self.ui.line(asked(self.ui.lang, self.rules(), &self.shown())),
            (false, true) => {
                self.ui.say("play-no-prefix", &[("count", legal.len().into()), ("prefix", prefix.into())]);
            }
            (false, false) => {
                self.show_moves(&shown, numeric);
                if fitting > shown.len() {
                    let more = ("count", (fitting - shown.len()).into());
                    self.ui.say("play-more-moves", &[more, ("all", fitting.into())]);
                }
            }
        }
    }

    /// Prints moves with their numbers and titles, as they are typed.
    fn show_moves(&self, moves: &[(usize, String, Option<String>)], numeric: bool) {
        let width = |text: &str| text.chars().count();
        let widest = moves.iter().map(|(_, text, _)| width(text)).max().unwrap_or_default();
        let mark = if numeric { "#" } else { "" };
        let lines: Vec<String> = moves
            .iter()
            .map(|(number, text, title)| {
                let number = format!("{mark}{number}");
                match title {
                    Some(title) => format!("{number:>3} {text:<widest$}  {title}"),
                    None => format!("{number:>3} {text}"),
                }
            })
            .collect();
        let widest = lines.iter().map(|line| width(line)).fold(0, usize::max) + 2;
        // Titles say more than names do: a line for each move.
        let titled = moves.iter().any(|(_, _, title)| title.is_some());
        let per_row = if titled { 1 } else { (78 / widest).max(1) };
        for row in lines.chunks(per_row) {
            let cells: Vec<String> = row.iter().map(|text| format!("{text:<widest$}")).collect();
            self.ui.line(cells.concat().trim_end());
        }
    }

    /// Explains a move; after `-v`, with the rules.
    pub(super) fn why(&self, text: &str) {
        let (text, detail) = match text.strip_prefix("-v").filter(|rest| rest.starts_with(char::is_whitespace)) {
            Some(rest) => (rest.trim(), Detail::Rules),
            None => (text, self.detail),
        };
        let step = match self.numbered(text).filter(|_| !is_answer(self.rules(), text)) {
            Some(mv) => Ok(Step::Move(mv)),
            None => self.speaker().read(text),
        };
        match step {
            Err(error) => self.misread(&error, false),
            Ok(step) => {
                let what = match &step {
                    Step::Move(mv) => self.text(mv),
                    Step::Answer(_) => text.to_owned(),
                };
                self.ui.print(&self.explained(&what, &step, detail));
            }
        }
    }

    /// Says why a text was not understood, and what to do about it; `moves` adds where the moves are listed.
    pub(super) fn misread(&self, error: &NotationError, moves: bool) {
        let (message, cure) = unread(self.ui.lang, error);
        self.ui.line(format!("{message}."));
        match cure {
            Some(cure) => self.ui.line(format!("  {}", self.ui.words("unread-help", &[("cure", (&cure).into())]))),
            None if moves => self.ui.line(format!("  {}", self.ui.words("unread-help-moves", &[]))),
            None => {}
        }
    }

    /// Why a step is legal or not, as far as the seat that plays it can know.
    pub(super) fn explained(&self, what: &str, step: &Step, detail: Detail) -> String {
        let ours = self.game.by(step).filter(|seat| self.is_ours(step) && self.speaks_for(*seat));
        let door = ours.map_or_else(|| self.door(), |seat| self.game.door(Who::seat(seat)));
        let grounds = door.grounds(step);
        explained(self.ui.lang, self.rules(), self.opened.sources(), what, &grounds, detail)
    }

    pub(super) fn hint(&self) {
        let dice = Stream::of(self.seed, "hint", self.game.steps().len() as u64);
        let begun = Instant::now();
        let survey = self.evaluation().survey();
        // Whoever waits for a hint waits for what is learned before it as well.
        let time = MOMENT.saturating_sub(begun.elapsed()).max(MOMENT / 4);
        let spec = Spec::strongest(self.rules(), survey, time);
        match self.game.asked().map(|seat| self.best_move(spec, seat, dice)) {
            Some(Thought::Found(Some(mv))) => {
                let text = self.text(&mv);
                self.ui.say("play-hint", &[("move", (&text).into())]);
            }
            Some(Thought::Interrupted) => {}
            Some(Thought::Found(None)) | None => self.ui.line(asked(self.ui.lang, self.rules(), &self.shown())),
        }
    }
}

/// Whether the text of a move could be taken for its number in the list.
fn is_numeric(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}
