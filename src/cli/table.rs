//! Interactive play: prompts, commands, moves, bots.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

use super::exit::Exit;
use super::hangup::Unsaved;
use super::thinking::{Thought, searched};
use super::typing::Typing;
use super::ui::{Ui, shell_word};
use crate::api::Rules;
use crate::base::SaturatingFrom;
use crate::bots::{Evaluation, Spec};
use crate::ir::{Game, Move, SeatId};
use crate::model::{Ask, Ending};
use crate::notation::{is_answer, print_position};
use crate::play::{Door, Match, Record, Seed, Step, Stream, Who};
use crate::say::Arg;
use crate::view::{Detail, seat_title};

/// How many chance outcomes may follow each other without a move, besides those that shuffle all pieces a few times.
const IDLE: u32 = 1000;
const SHUFFLES: u32 = 4;

/// The player of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// Somebody at the keyboard.
    Human,
    /// A bot.
    Bot(Spec),
}

/// A game in progress, with its players.
pub(super) struct Table<'a> {
    pub(super) ui: Ui,
    pub(super) opened: &'a Rules,
    pub(super) game: Match<'a>,
    pub(super) players: Vec<Player>,
    /// The evaluation of positions, computed when a bot first needs it.
    pub(super) evaluation: OnceCell<Arc<Evaluation>>,
    /// The seed from which the outcomes of each step are drawn: a step undone and played again gives the same ones.
    pub(super) seed: Seed,
    /// The record of the game without its steps.
    pub(super) blank: Record,
    /// Games between bots stop after this many plies.
    pub(super) cap: u32,
    /// How much refusals and `why` say.
    pub(super) detail: Detail,
    /// The seat at the screen, if several people play.
    pub(super) at: Option<SeatId>,
    /// The number of steps of the setup, which cannot be undone.
    pub(super) begun: usize,
    /// The number of steps when the screen was last drawn.
    pub(super) seen: usize,
    /// The number of steps each seat has been told of.
    pub(super) looked: Vec<usize>,
    /// Where and after how many steps the game was last saved, and the digest of what was written.
    pub(super) saved: Option<(PathBuf, usize, u64)>,
    /// What would be lost if the terminal were closed.
    pub(super) unsaved: Unsaved,
    /// The editor of lines, once one has been typed at a terminal.
    pub(super) typing: Option<Typing>,
}

/// What follows a typed line.
pub(super) enum Next {
    /// The game continues.
    Go,
    /// Nothing has changed; another line is read.
    Ask,
    /// The user leaves.
    Leave,
}

/// What came of letting chance or a bot play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alone {
    Played,
    /// Nothing can be played.
    Stuck,
    /// Somebody left.
    Left,
}

impl<'a> Table<'a> {
    pub(super) fn rules(&self) -> &'a Game {
        self.opened.game()
    }

    /// What the viewer of the screen gets of the game.
    pub(super) fn door(&self) -> Door<'_> {
        self.game.door(Who::Viewer(self.viewer()))
    }

    /// Plays until the game is over and the user leaves, or the input ends.
    pub(super) fn run(&mut self) -> Exit {
        let humans = self.players.contains(&Player::Human);
        if self.ui.is_typed() {
            self.unsaved.watch(self.ui);
        }
        if humans {
            self.ui.say("play-begin", &[("game", title(self.rules()).into())]);
        }
        self.set_up();
        if !humans || self.humans().len() == 1 || !self.rules().has_secrets() {
            self.draw();
        }
        let mut told = false;
        let mut idle = (self.game.ply(), 0u32);
        loop {
            // Chance alone may go on for ever.
            idle = if idle.0 == self.game.ply() { (idle.0, idle.1 + 1) } else { (self.game.ply(), 0) };
            let most = IDLE.saturating_add(SHUFFLES.saturating_mul(u32::saturating_from(self.game.in_zones())));
            if idle.1 > most && matches!(self.game.ask(), Ask::Chance { .. }) {
                self.ui.say("play-idle", &[("times", idle.1.into())]);
                self.farewell();
                return Exit::Limit;
            }
            if self.game.is_over() {
                let ending = self.door().outcome().as_ref().map(|outcome| outcome.ending);
                let exit = if matches!(ending, Some(Ending::Budget(_))) { Exit::Limit } else { Exit::Done };
                if !humans {
                    self.farewell();
                    return exit;
                }
                if !told {
                    self.put_away();
                    self.refresh();
                    self.ui.say("play-after-end", &[]);
                    told = true;
                }
                match self.prompt(&self.ui.words("play-over-prompt", &[])) {
                    Next::Leave => return exit,
                    Next::Go => told = false,
                    Next::Ask => {}
                }
                continue;
            }
            if !humans && self.game.steps().len() as u64 >= u64::from(self.cap) {
                self.ui.say("play-cap", &[("steps", self.cap.into())]);
                self.farewell();
                return Exit::Limit;
            }
            let player = self.game.asked().map(|seat| (seat, self.players.get(usize::from(seat)).copied()));
            match player {
                Some((seat, Some(Player::Human) | None)) => {
                    self.refresh();
                    match self.hand_over(seat) {
                        Ok(None) => {}
                        Ok(Some(line)) => {
                            self.looked_up();
                            if matches!(self.command(&line), Next::Leave) {
                                return Exit::Done;
                            }
                            continue;
                        }
                        Err(()) => {
                            self.farewell();
                            return Exit::Done;
                        }
                    }
                    self.looked_up();
                    let title = seat_title(self.rules(), usize::from(seat)).to_owned();
                    if matches!(self.prompt(&title), Next::Leave) {
                        return Exit::Done;
                    }
                }
                None if humans && matches!(self.game.ask(), Ask::Race { .. }) => {
                    self.put_away();
                    self.refresh();
                    if matches!(self.race(), Next::Leave) {
                        return Exit::Done;
                    }
                }
                Some((_, Some(Player::Bot(_)))) | None => match self.play_by_itself() {
                    Alone::Played => {}
                    Alone::Left => return Exit::Done,
                    Alone::Stuck => {
                        self.ui.say("play-budget", &[]);
                        self.farewell();
                        return Exit::Limit;
                    }
                },
            }
        }
    }

    /// Plays a move or answer given on the command line; false if it is refused.
    pub(super) fn play_given(&mut self, text: &str) -> bool {
        // Chance outcomes between given moves are drawn.
        while matches!(self.game.ask(), Ask::Chance { .. }) && self.play_by_itself() == Alone::Played {}
        matches!(self.play_text(text), Next::Go)
    }

    /// Draws the chance outcomes of the setup.
    fn set_up(&mut self) {
        while matches!(self.game.ask(), Ask::Chance { .. })
            && self.game.in_setup()
            && self.play_by_itself() == Alone::Played
        {}
        // A game that was saved, or given moves, has gone on since.
        self.begun = self.game.questions(0).take_while(|ask| matches!(ask, Ask::Chance { .. })).count();
        self.seen = self.game.steps().len();
    }

    /// Draws the board if something has happened since it was last drawn. Where seats see different things, each sees
    /// it at the hand-over.
    fn refresh(&mut self) {
        let steps = self.game.steps().len();
        if steps != self.seen && !self.is_shared() {
            self.draw();
            self.seen = steps;
        }
    }

    /// Plays a chance outcome or a bot's move.
    fn play_by_itself(&mut self) -> Alone {
        self.note_shown();
        let stream = |purpose| Stream::of(self.seed, purpose, self.game.steps().len() as u64);
        let mv = match self.game.asked() {
            Some(seat) => {
                let spec = match self.players.get(usize::from(seat)) {
                    Some(Player::Bot(spec)) => *spec,
                    Some(Player::Human) | None => Spec::Random,
                };
                self.best_move(spec, seat, stream("bot"))
            }
            None => Thought::Found(self.game.fate(&mut stream("play"))),
        };
        match mv {
            Thought::Found(mv) => {
                if mv.is_some_and(|mv| self.play(Step::Move(mv), None)) {
                    Alone::Played
                } else {
                    Alone::Stuck
                }
            }
            Thought::Interrupted => match self.leave_kept() {
                Next::Leave => Alone::Left,
                Next::Go | Next::Ask => Alone::Played,
            },
        }
    }

    /// A bot's move, chosen from what the seat sees.
    pub(super) fn best_move(&self, spec: Spec, seat: SeatId, dice: Stream) -> Thought<Option<Move>> {
        let engine = self.opened.engine();
        let evaluation = if spec.evaluates() { self.evaluation() } else { Arc::new(Evaluation::blind(engine)) };
        let Some((view, known)) = self.game.door(Who::seat(seat)).seated() else { return Thought::Found(None) };
        let mut bot = spec.bot(engine, &evaluation, dice);
        let who = seat_title(self.rules(), usize::from(seat));
        // Where something is hidden, a move may name it.
        let open = self.rules().has_perfect_information();
        let said = |at: usize| view.legal.get(at).filter(|_| open).map(|mv| self.text(mv));
        match searched(self.ui, who, spec.time(), &said, |stop, best| bot.consider(&view, &known, stop, best)) {
            Thought::Found(chosen) => Thought::Found(chosen.and_then(|at| view.legal.get(at).cloned())),
            Thought::Interrupted => Thought::Interrupted,
        }
    }

    /// The evaluation of positions.
    pub(super) fn evaluation(&self) -> Arc<Evaluation> {
        Arc::clone(self.evaluation.get_or_init(|| Arc::new(Evaluation::new(self.opened.engine()))))
    }

    /// Plays a step and announces it; a refusal is explained.
    pub(super) fn play(&mut self, step: Step, typed: Option<&str>) -> bool {
        let raced = matches!(self.game.ask(), Ask::Race { .. }).then(|| self.door().position());
        let (number, quiet, shuffled) = (self.game.steps().len(), self.game.in_setup(), self.game.is_shuffling());
        let text = match (&step, typed) {
            (Step::Move(_), _) => self.door().written(&step).open(),
            (Step::Answer(_), typed) => typed.unwrap_or("answer").to_owned(),
        };
        let wanted = step.clone();
        if self.game.play(step).is_err() {
            self.ui.print(&self.explained(typed.unwrap_or(&text), &wanted, self.detail));
            return false;
        }
        self.has_changed();
        // Of a shuffle nobody is told anything.
        if !quiet && !shuffled {
            self.tell(number);
        }
        if let Some(before) = raced {
            self.came_to(&before);
        }
        self.looked_up();
        if self.humans().is_empty() && !shuffled && !quiet {
            self.draw();
            self.seen = self.game.steps().len();
        }
        true
    }

    pub(super) fn prompt(&mut self, who: &str) -> Next {
        match self.typed(&format!("{who}> ")) {
            Some(line) => self.command(&line),
            None => self.leave(),
        }
    }

    pub(super) fn command(&mut self, line: &str) -> Next {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => {}
            ("?" | "moves", prefix) => self.list(prefix),
            (word, "") if word.starts_with('?') => self.list(word.trim_start_matches('?')),
            ("help" | "h", "") => self.help(),
            ("why", "") => self.ui.say("play-why-what", &[]),
            ("why", text) => self.why(text),
            ("hint", "") => self.hint(),
            ("rules", wanted) => self.clauses(wanted),
            ("legend", "") => self.legend(),
            ("claim" | "offer" | "accept", "") => self.answers(word),
            ("undo", "") => return if self.undo() { Next::Go } else { Next::Ask },
            ("board", "") => self.draw(),
            ("position", "") => self.ui.line(self.position_line()),
            ("save", rest) => self.save_as(rest),
            ("quit" | "exit" | "q", "") => return self.leave(),
            _ => return self.play_text(line),
        }
        Next::Ask
    }

    fn help(&self) {
        for line in self.ui.words("play-help", &[]).lines() {
            self.ui.line(format!("  {line}"));
        }
    }

    /// Parses a text as a move or answer and plays it.
    fn play_text(&mut self, text: &str) -> Next {
        if self.game.is_over() {
            self.ui.say("play-over", &[]);
            return Next::Ask;
        }
        let step = match self.numbered(text).filter(|_| !is_answer(self.rules(), text)) {
            Some(mv) => Ok(Step::Move(mv)),
            None => self.speaker().read(text),
        };
        match step {
            // Nobody acts for a bot, whose hand would show in what is possible.
            Ok(step) if !self.is_ours(&step) => self.ui.print(&self.explained(text, &step, self.detail)),
            Ok(step) => {
                if self.play(step, Some(text)) {
                    return Next::Go;
                }
            }
            Err(error) => self.misread(&error, true),
        }
        Next::Ask
    }

    /// Undoes the last decision made at the keyboard, with what followed. What was revealed or rolled since stays.
    fn undo(&mut self) -> bool {
        let by_hand = |ask: Ask| match ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => {
                self.players.get(usize::from(seat)) == Some(&Player::Human)
            }
            Ask::Race { .. } => true,
            Ask::Chance { .. } | Ask::Over => false,
        };
        let own = self.game.questions(self.begun).map(by_hand);
        let Some(last) = own.collect::<Vec<_>>().iter().rposition(|own| *own) else {
            self.ui.say("play-undo-none", &[]);
            return false;
        };
        if !self.game.may_return(self.begun + last) {
            self.ui.say("play-undo-revealed", &[]);
            return false;
        }
        self.game.rewind(self.begun + last);
        // What follows now is another game than the one that was saved, be it as long.
        let steps = self.game.steps().len();
        self.saved = self.saved.take().filter(|(_, at, _)| *at <= steps);
        self.has_changed();
        self.draw();
        true
    }

    /// Prints how the game stands, so that it is never lost.
    pub(super) fn farewell(&self) {
        if !self.rules().has_perfect_information() && !self.game.is_over() {
            self.ui.say("play-leave-hidden", &[]);
        } else {
            let position = print_position(self.opened.engine(), &self.shown());
            self.ui.say("play-position", &[("position", (&position).into())]);
        }
        if let Some(path) = self.kept_in().filter(|_| !self.unsaved.said) {
            self.ui.say("play-resume", &[("file", Arg::Text(&shell_word(path)))]);
        }
    }
}

fn title(game: &Game) -> &str {
    if game.title.is_empty() { &game.name } else { &game.title }
}
