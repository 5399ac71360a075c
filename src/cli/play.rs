//! `play`: a game at the terminal, with people and bots.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::exit::{Exit, Failure};
use super::game::{SetupArgs, open, start_at};
use super::hangup::Unsaved;
use super::seats::{bot, seats};
use super::table::{Player, Table};
use super::ui::Ui;
use super::verbose::VerboseArgs;
use crate::api::Rules;
use crate::files::read_text;
use crate::model::Engine;
use crate::play::{Match, Record, ReplayError, Seed, replay};
use crate::view::{Detail, refusal};

/// Games between bots stop after this many plies.
const CAP: u32 = 10_000;

/// Plays a game at the terminal
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlayArgs {
    /// A rule file, or the name of a bundled game
    #[arg(value_name = "GAME", required_unless_present = "resume")]
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Who plays a seat: `human`, `random`, `mcts:1000` (iterations), `mcts:1s` (time), `alphabeta:4` (answers deep), or
    /// `auto`: what suits the game best, for a second.
    /// Seats are given by name or number; all others are played by people
    #[arg(long = "seat", value_name = "SEAT=PLAYER")]
    seats: Vec<String>,
    /// Start from this position
    #[arg(long, value_name = "TEXT", conflicts_with = "resume")]
    position: Option<String>,
    /// Continue a saved game
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Play these moves first, separated by spaces, or by `,` if moves contain spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The maximum number of plies in a game between bots
    #[arg(long, value_name = "N", default_value_t = CAP, value_parser = clap::value_parser!(u32).range(1..))]
    cap: u32,
    #[command(flatten)]
    verbose: VerboseArgs,
}

/// Runs the command.
pub(super) fn run(args: &PlayArgs, ui: Ui) -> Result<Exit, Failure> {
    let text = args.resume.as_deref().map(read_text).transpose()?;
    let read = args.resume.as_deref().zip(text.as_deref());
    let record = read.map(|(path, text)| parsed(path, text)).transpose()?;
    let (name, setup) = settle(args, record.as_ref())?;
    let opened = open(ui, &name, &setup)?;
    let players = players(opened.engine(), &args.seats)?;
    let start = start_at(&opened, args.position.as_deref())?;
    let game = match &record {
        Some(record) => resume(ui, &opened, record)?,
        None => Match::new(opened.engine(), start),
    };
    let seed = match (setup.seed, &record) {
        (Some(seed), _) => seed.into(),
        (None, Some(record)) => record.seed,
        (None, None) => new_seed()?,
    };
    let resumed = game.steps().len();
    let mut table = Table {
        ui,
        opened: &opened,
        game,
        players,
        evaluation: OnceCell::new(),
        seed,
        blank: Record {
            game: name,
            players: setup.players,
            variants: setup.variants.clone(),
            readings: setup.readings.clone(),
            options: setup.options.clone(),
            digest: opened.game().pin(),
            seed,
            position: record.and_then(|record| record.position).or_else(|| args.position.clone()),
            ..Record::default()
        },
        cap: args.cap,
        detail: args.verbose.detail(),
        at: None,
        begun: 0,
        seen: 0,
        looked: vec![0; opened.game().seats.len()],
        unsaved: Unsaved::resumed(read),
        typing: None,
        saved: read.map(|(path, text)| (path.to_owned(), resumed, xxh3_64(text.as_bytes()))),
    };
    if let Some(moves) = &args.moves {
        for text in given_moves(moves) {
            if !table.play_given(text) {
                table.farewell();
                return Ok(Exit::Faults);
            }
        }
    }
    Ok(table.run())
}

/// The moves in a line: separated by blanks, or by `,` if moves contain blanks.
pub(super) fn given_moves(line: &str) -> impl Iterator<Item = &str> {
    let separators: &[char] = if line.contains([',', ';']) { &[',', ';'] } else { &[' ', '\t', '\n'] };
    line.split(separators).map(str::trim).filter(|text| !text.is_empty())
}

/// The game and setup: those of the record, if one is resumed.
fn settle(args: &PlayArgs, record: Option<&Record>) -> Result<(String, SetupArgs), Failure> {
    let Some(record) = record else {
        let name = args.game.clone();
        let name =
            name.ok_or_else(|| Failure::new(Exit::Usage, "no game was given").cure("name one: `regelwerk play GAME`"))?;
        return Ok((name, args.setup.clone()));
    };
    if !args.setup.is_plain() {
        let message = "a saved game has its own players, variants, readings and options";
        return Err(Failure::new(Exit::Usage, message).cure("remove those flags"));
    }
    let setup = SetupArgs { seed: args.setup.seed, ..SetupArgs::of(record.setup(), args.setup.engine) };
    Ok((args.game.clone().unwrap_or_else(|| record.game.clone()), setup))
}

fn parsed(path: &Path, text: &str) -> Result<Record, Failure> {
    Record::parse(text).map_err(|error| {
        Failure::new(Exit::Faults, format!("`{}`: {error}", path.display())).cure("give a file written by `save`")
    })
}

fn resume<'a>(ui: Ui, opened: &'a Rules, record: &Record) -> Result<Match<'a>, Failure> {
    match replay(opened.engine(), record) {
        Ok(found) => {
            if !found.same_rules {
                ui.note(ui.words("play-changed", &[]));
            }
            Ok(found.game)
        }
        Err(error) => {
            let mut message = format!("the saved game cannot be resumed: {error}");
            if let ReplayError::Illegal { text, refusal: why, .. } = &error {
                message = format!(
                    "{message}\n{}",
                    refusal(ui.lang, opened.game(), opened.sources(), text, why, Detail::Clauses)
                );
            }
            Err(Failure::new(Exit::Faults, message)
                .cure("shorten its list of steps, or resume it with the rules it was played with"))
        }
    }
}

/// The player of each seat.
fn players(engine: &dyn Engine, args: &[String]) -> Result<Vec<Player>, Failure> {
    let game = engine.game();
    let mut players = vec![Player::Human; game.seats.len()];
    for (seat, text) in seats(game, args)? {
        players[seat] = if text == "human" { Player::Human } else { Player::Bot(bot(engine, text)?) };
    }
    Ok(players)
}

/// A random seed of 128 bits from the operating system, so that nobody can reveal hidden cards by trying seeds.
///
/// # Errors
/// If the system provides no random numbers.
pub(super) fn new_seed() -> Result<Seed, Failure> {
    let half = || {
        getrandom::u64().map_err(|error| {
            Failure::new(Exit::Limit, format!("the system gives no random numbers: {error}"))
                .cure("name one with `--seed`")
        })
    };
    Ok(Seed::from([half()?, half()?]))
}
