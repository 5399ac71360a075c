//! Races at the terminal: keys against the clock, or lines with times.

use crate::base::SaturatingFrom;
use std::time::{Duration, Instant};

use super::table::{Next, Player, Table};
use super::ui::{Key, Keys};
use crate::ir::{ActionId, ActionRef, Header, Move, SeatId, StmtKind, Value};
use crate::model::Ask;
use crate::play::{Step, Stream};
use crate::view::seat_title;

/// A column of keys for each person at the keyboard.
const COLUMNS: [&str; 6] = ["1qay", "2wsx", "3edc", "4rfv", "5tgb", "6zhn"];

/// How long to wait for a key before looking at the clock.
const LOOK: Duration = Duration::from_millis(20);

/// What happened at the keyboard.
enum Pressed {
    /// An act, this many milliseconds after the question.
    Act(Move, i64),
    /// The bots were faster.
    Slow,
    /// Nobody acted until the deadline.
    Late(Move),
    /// A line is to be typed.
    Line,
    /// Somebody leaves.
    Interrupt,
}

impl Table<'_> {
    /// Decides who acts first in the current race.
    pub(super) fn race(&mut self) -> Next {
        let planned = self.planned();
        if self.keys().is_empty() {
            return self.act(planned);
        }
        if !self.ui.is_interactive() {
            return self.race_line(planned);
        }
        self.note_down();
        self.show_keys();
        // What is tried in vain does not stop the clock.
        let begin = Instant::now();
        loop {
            match self.race_keys(begin, planned.as_ref()) {
                Pressed::Act(mut mv, after) => {
                    let time = self.game.now().saturating_add(after.max(1));
                    if let Some(at) = mv.args.get_mut(1) {
                        *at = Value::Int(time);
                    }
                    if self.is_private() && !self.game.admits(&mv) {
                        // The key stands for a move that may say what its seat holds, and all look at this screen.
                        self.ui.say("play-race-not-now", &[("time", (&time.to_string()).into())]);
                    } else if matches!(self.act(Some(mv)), Next::Go) {
                        return Next::Go;
                    }
                }
                Pressed::Slow => return self.act(planned),
                Pressed::Late(wait) => return self.act(Some(wait)),
                Pressed::Interrupt => return self.leave_kept(),
                Pressed::Line => return self.prompt(&self.ui.words("play-race-prompt", &[])),
            }
        }
    }

    fn act(&mut self, mv: Option<Move>) -> Next {
        match mv {
            Some(mv) => {
                if self.play(Step::Move(mv), None) {
                    return Next::Go;
                }
            }
            None => self.ui.say("play-nobody-acts", &[]),
        }
        Next::Ask
    }

    /// The bots' first act in the current race.
    fn planned(&self) -> Option<Move> {
        let steps = self.game.steps().len() as u64;
        let mut first: Option<Move> = None;
        for (seat, player) in SeatId::all(self.players.len()).zip(&self.players) {
            if *player == Player::Human {
                continue;
            }
            // Each has a stream of its own: what another one intends, which may be hidden, changes nothing.
            let mut dice = Stream::of(self.seed, &format!("race {}", usize::from(seat)), steps);
            if let Some(Some(act)) = self.game.reaction(seat, &mut dice)
                && first.as_ref().is_none_or(|best| act.time() < best.time())
            {
                first = Some(act);
            }
        }
        first.filter(|mv| self.game.admits(mv))
    }

    /// The keys in the current race, each with its seat and action.
    fn keys(&self) -> Vec<(char, SeatId, ActionId)> {
        let Ask::Race { at: (block, number) } = *self.game.ask() else {
            return Vec::new();
        };
        let stmt = self.rules().blocks.get(block).and_then(|block| block.stmts.get(usize::from(number)));
        let Some(StmtKind::Race { group, .. }) = stmt.map(|stmt| &stmt.kind) else {
            return Vec::new();
        };
        let actions: Vec<ActionId> = group
            .iter()
            .filter_map(|action| if let ActionRef::Action(number) = action { Some(*number) } else { None })
            .collect();
        let humans = self.humans();
        let mut keys: Vec<(char, SeatId, ActionId)> = Vec::new();
        for (&seat, column) in humans.iter().zip(COLUMNS) {
            let mut column = column.chars();
            for &action in &actions {
                let name = self.rules().actions.get(action).map_or("", |action| action.name.as_str());
                let letter = name.chars().find(|c| keys.iter().all(|(key, _, _)| key != c));
                let key = if humans.len() == 1 { letter } else { column.next() };
                keys.extend(key.map(|key| (key, seat, action)));
            }
        }
        keys
    }

    /// What people may try in the current race who must not know what the others can do: the acts without parameters.
    pub(super) fn tries(&self) -> Vec<Move> {
        // As what is listed: at the next moment.
        let now = Value::Int(self.game.now().saturating_add(1));
        let plain = |(_, seat, action): (char, SeatId, ActionId)| {
            let chosen = self.rules().actions.get(action)?.head.iter().any(|line| matches!(line, Header::Choose(_)));
            let args = [Value::Atom(u32::from(seat)), now.clone()].into_iter().collect();
            (!chosen).then_some(Move { action: ActionRef::Race(action), args })
        };
        self.keys().into_iter().filter_map(plain).collect()
    }

    fn show_keys(&self) {
        let several = self.humans().len() > 1;
        let legal = self.listed();
        let text = |(key, seat, action): (char, SeatId, ActionId)| {
            let now = self.is_private()
                || legal.iter().any(|mv| mv.action == ActionRef::Race(action) && mv.racer() == Some(seat));
            let name = self.rules().actions.get(action).map_or("", |action| action.title.as_str());
            let who = if several { format!(" {}", seat_title(self.rules(), usize::from(seat))) } else { String::new() };
            // What is not legal yet may become so, and is tried in vain until then.
            if now { format!("[{key}]{who} {name}") } else { format!("({key}){who} {name}") }
        };
        let keys: Vec<String> = self.keys().into_iter().map(text).collect();
        self.ui.line(format!("{}   {}", keys.join("  "), self.ui.words("play-command-key", &[])));
    }

    /// Waits for a key until the bots act.
    fn race_keys(&self, begin: Instant, planned: Option<&Move>) -> Pressed {
        let left = |time: i64| Duration::from_millis(time.saturating_sub(self.game.now()).max(0).unsigned_abs());
        let planned = planned.and_then(|mv| mv.args.get(1)).map(|time| left(time.int()));
        let end = self.game.deadline().map(|(wait, time)| (wait, left(time)));
        let deadline = planned.into_iter().chain(end.as_ref().map(|(_, time)| *time)).min();
        let Some(mut keys) = Keys::begin() else { return Pressed::Line };
        loop {
            let passed = begin.elapsed();
            if deadline.is_some_and(|deadline| passed >= deadline) {
                return match end {
                    Some((wait, time)) if planned.is_none_or(|planned| time < planned) => Pressed::Late(wait),
                    Some(_) | None => Pressed::Slow,
                };
            }
            let look = deadline.map_or(LOOK, |deadline| LOOK.min(deadline.saturating_sub(passed)));
            let Some(key) = keys.pressed(look) else { continue };
            let after = i64::saturating_from(begin.elapsed().as_millis());
            match key {
                Key::Char(':') | Key::Leave => return Pressed::Line,
                Key::Interrupt => return Pressed::Interrupt,
                Key::Char(c) => {
                    if let Some(mv) = self.pressed(c) {
                        return Pressed::Act(mv, after);
                    }
                }
            }
        }
    }

    /// The act a key stands for, legal or not.
    fn pressed(&self, key: char) -> Option<Move> {
        let (_, seat, action) = self.keys().into_iter().find(|(other, _, _)| *other == key)?;
        let wanted = Value::Atom(u32::from(seat));
        let fits = |mv: &Move| mv.action == ActionRef::Race(action) && mv.args.first() == Some(&wanted);
        let legal = self.game.legal_at(&self.humans()).open();
        let plain =
            || Move { action: ActionRef::Race(action), args: [wanted.clone(), Value::Int(0)].into_iter().collect() };
        Some(legal.into_iter().find(fits).unwrap_or_else(plain))
    }

    /// A typed line: `SEAT MOVE @TIME`, or empty to let the bots act.
    fn race_line(&mut self, planned: Option<Move>) -> Next {
        let prompt = format!("{}> ", self.ui.words("play-race-prompt", &[]));
        let Some(line) = self.typed_among(&prompt, Vec::new()) else {
            self.farewell();
            return Next::Leave;
        };
        if line.is_empty() {
            return self.act(planned);
        }
        let typed = self.door().read(&line).ok();
        if let (Some(Step::Move(typed)), Some(bot)) = (&typed, &planned)
            && matches!(typed.action, ActionRef::Race(_))
            && bot.time() < typed.time()
        {
            let text = self.door().written(&Step::Move(bot.clone())).open();
            self.ui.say("play-too-late", &[("move", (&text).into())]);
            return self.act(Some(bot.clone()));
        }
        self.command(&line)
    }
}
