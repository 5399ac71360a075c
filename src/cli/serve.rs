//! `serve-stdio`: games for other programs, by lines of JSON.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::time::{Duration, Instant};

use super::exit::{Exit, Failure};

use super::game::{Interpreter, SetupArgs, open, rule_file};
use super::play::new_seed;
use super::ui::Ui;
use crate::api::Rules;
use crate::base::SaturatingFrom;
use crate::bundled;
use crate::load::{RuleFile, Setup};
use crate::play::Seed;
use crate::serve::{Code, Fault, Limits, Response, RuleSource, Selection, Server};

/// Runs games for other programs: a request in JSON on each line of the input, a response on each line of the output
///
/// GAME and the flags are the defaults for games whose requests do not say otherwise; without
/// GAME, requests have to name a bundled game. docs/protocol.md lists all methods and fields.
/// Errors in rule files are shown on standard error. The server stops at the end of its input, or on `quit`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Try:\n  echo '{\"id\": 1, \"method\": \"games\"}' | regelwerk serve-stdio")]
pub(super) struct ServeArgs {
    /// A rule file, or the name of a bundled game
    #[arg(value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// The maximum number of bytes in a line
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().line, help_heading = "Limits")]
    max_line: usize,
    /// The maximum number of open games
    #[arg(long, value_name = "N", default_value_t = Limits::default().games, help_heading = "Limits")]
    max_games: usize,
    /// The maximum number of steps kept for all open games together; each takes a few kilobytes
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps, help_heading = "Limits")]
    max_steps: usize,
    /// The maximum number of bytes for the positions of all open games together
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().bytes, help_heading = "Limits")]
    max_bytes: usize,
    /// How long a request may take for the move of a bot or for random games; then it has the best found, or the games so far
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    max_time: u64,
}

/// The bundled games, and the one named on the command line.
struct Games {
    ui: Ui,
    named: Option<String>,
    engine: Option<Option<Interpreter>>,
    /// How long a request may take, and when the last one began.
    time: Duration,
    begun: Cell<Instant>,
}

impl RuleSource for Games {
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.named.iter().cloned().collect();
        names.extend(bundled::all().into_iter().map(str::to_owned).filter(|name| Some(name) != self.named.as_ref()));
        names
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        open(self.ui, name, &SetupArgs::of(setup.clone(), self.engine)).map_err(|failure| {
            let code = match failure.exit {
                Exit::Usage => Code::BadSelection,
                Exit::Missing => Code::UnknownRules,
                Exit::Done | Exit::Faults => Code::BadRules,
                Exit::Limit => Code::Limit,
            };
            Fault::new(
                code,
                failure.message,
                failure.cure.unwrap_or_else(|| "`describe` says what there is".to_owned()),
            )
        })
    }

    fn rule_file(&self, name: &str) -> Option<RuleFile> {
        rule_file(name).ok()
    }

    fn begin(&self) {
        self.begun.set(Instant::now());
    }

    fn is_late(&self) -> bool {
        self.begun.get().elapsed() >= self.time
    }

    fn seed(&self) -> Result<Seed, Fault> {
        let named = "name a `seed`";
        new_seed().map_err(|failure| Fault::new(Code::MissingField, failure.message, named))
    }
}

/// Runs the command.
pub(super) fn run(args: &ServeArgs, ui: Ui) -> Result<Exit, Failure> {
    if let Some(game) = &args.game {
        // An unplayable game is refused at once, not with the first request.
        open(ui, game, &args.setup)?;
    } else if !args.setup.is_plain() {
        let failure = Failure::new(Exit::Usage, "players, variants, readings and options require a game");
        return Err(failure.cure("name the game, or give them in the requests"));
    }
    let (time, begun) = (Duration::from_secs(args.max_time), Cell::new(Instant::now()));
    let games = Games { ui, named: args.game.clone(), engine: args.setup.engine, time, begun };
    let defaults = Selection { rules: args.game.clone(), setup: args.setup.setup(), seed: args.setup.seed };
    let limits = Limits { line: args.max_line, games: args.max_games, steps: args.max_steps, bytes: args.max_bytes };
    let mut server = Server::new(&games, defaults, limits);
    ui.line(server.greeting());
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        let response = match read_line(&mut input, &mut line, limits.line) {
            Line::End => return Ok(Exit::Done),
            Line::TooLong => server.too_long(),
            Line::Whole => match std::str::from_utf8(&line) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => server.answer(text.trim_end_matches(['\r', '\n'])),
                Err(_) => server.no_text(),
            },
        };
        let Response { text, quit } = response;
        ui.line(text);
        if quit {
            return Ok(Exit::Done);
        }
    }
}

/// The result of reading a line.
enum Line {
    Whole,
    /// It was too long; the rest of it has been skipped.
    TooLong,
    End,
}

/// Reads a line of limited length.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> Line {
    line.clear();
    let room = u64::saturating_from(most).saturating_add(2);
    match input.by_ref().take(room).read_until(b'\n', line) {
        Ok(0) | Err(_) => Line::End,
        Ok(_) if line.ends_with(b"\n") || line.len() <= most => Line::Whole,
        Ok(_) => loop {
            line.clear();
            match input.by_ref().take(1 << 16).read_until(b'\n', line) {
                Ok(0) | Err(_) => return Line::TooLong,
                Ok(_) if line.ends_with(b"\n") => return Line::TooLong,
                Ok(_) => {}
            }
        },
    }
}
