//! Loading a game, and the flags shared by all commands that do.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::exit::{Exit, Failure};

use super::reports::show_reports;
use super::ui::Ui;
use crate::api::{Diagnostics, Rules, checked};
use crate::engine::Fast;
use crate::files::{Library, find_rules};
use crate::ir::Game;
use crate::load::{Asked, Loaded, RuleFile, Setup};
use crate::model::{Ending, Engine, Meter, Position, SETUP_QUESTIONS};
use crate::notation::parse_position;
use crate::play::{Stream, deal};
use crate::reference::Walker;
use crate::report::Code;

/// Which game.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct GameArgs {
    /// A rule file, or the name of a bundled game
    #[arg(value_name = "GAME")]
    pub(super) game: String,
    /// Its setup.
    #[command(flatten)]
    pub(super) setup: SetupArgs,
}

/// What is chosen before a game starts.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct SetupArgs {
    /// Play this variant; may be given several times
    #[arg(long = "variant", value_name = "NAME", help_heading = "Setup")]
    pub(super) variants: Vec<String>,
    /// The number of players
    #[arg(long, value_name = "N", help_heading = "Setup")]
    pub(super) players: Option<u32>,
    /// Choose another reading of a gap in the rules; may be given several times
    #[arg(long = "reading", value_name = "NAME=VALUE", value_parser = pair, help_heading = "Setup")]
    pub(super) readings: Vec<(String, String)>,
    /// Set an option; may be given several times
    #[arg(id = "set", long = "set", value_name = "OPTION=VALUE", value_parser = pair, help_heading = "Setup")]
    pub(super) options: Vec<(String, String)>,
    /// The random seed
    #[arg(long, value_name = "N", help_heading = "Setup")]
    pub(super) seed: Option<u64>,
    /// The interpreter that runs the rules; both give the same games
    #[arg(long, value_name = "ENGINE", value_enum, num_args = 0..=1, help_heading = "Setup")]
    pub(super) engine: Option<Option<Interpreter>>,
    /// What is measured; set by the commands that measure.
    #[arg(skip)]
    pub(super) measures: Vec<Asked>,
}

/// An interpreter of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Interpreter {
    /// Lowered programs
    #[default]
    Fast,
    /// The plain walker that defines what rules mean
    Reference,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        Some(_) | None => Err("write it as NAME=VALUE".to_owned()),
    }
}

impl SetupArgs {
    /// The flags for a setup.
    pub(super) fn of(setup: Setup, engine: Option<Option<Interpreter>>) -> Self {
        let Setup { players, variants, readings, options } = setup;
        Self { variants, players, readings, options, engine, ..Self::default() }
    }

    /// The same with measures.
    pub(super) fn measuring(&self, measures: Vec<Asked>) -> Self {
        Self { measures, ..self.clone() }
    }

    /// The seed of all random choices: always the same unless another is given.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(0)
    }

    /// The setup for the loader.
    pub(super) fn setup(&self) -> Setup {
        Setup {
            players: self.players,
            variants: self.variants.clone(),
            readings: self.readings.clone(),
            options: self.options.clone(),
        }
    }

    /// Whether nothing but the seed is chosen.
    #[must_use]
    pub(super) fn is_plain(&self) -> bool {
        self.setup() == Setup::default()
    }
}

/// The position given by a text, or the start.
///
/// # Errors
/// If the text does not fit the game.
pub(super) fn start_at(rules: &Rules, text: Option<&str>) -> Result<Position, Failure> {
    let Some(text) = text else {
        return Ok(rules.engine().start());
    };
    parse_position(rules.engine(), text).map_err(|error| {
        let failure = Failure::from(error);
        Failure { message: format!("the position does not match the rules: {}", failure.message), ..failure }
    })
}

/// The same after the setup, whose chance outcomes are drawn from the seed.
///
/// # Errors
/// If the text does not fit the game, or the setup does not end.
pub(super) fn dealt(rules: &Rules, text: Option<&str>, seed: u64) -> Result<Position, Failure> {
    let (mut dice, start) = (Stream::new(seed, "deal", 0), start_at(rules, text)?);
    let set_up = start.is_over();
    let position = deal(rules.engine(), start, &mut dice);
    match position.outcome.as_ref().map(|outcome| outcome.ending) {
        Some(Ending::Budget(_)) if !set_up => {
            let message =
                format!("the setup does not end within the step budget or {SETUP_QUESTIONS} outcomes of chance");
            Err(Failure::new(Exit::Limit, message).cure("try another `--seed`, or start after it with `--position`"))
        }
        _ => Ok(position),
    }
}

/// A rule file and its game.
#[derive(Debug)]
pub(super) struct Read {
    /// The rule file itself.
    pub(super) rules: RuleFile,
    /// The items, texts and reports.
    pub(super) loaded: Loaded,
    /// The game.
    pub(super) game: Game,
}

/// Finds, reads and checks a game.
///
/// # Errors
/// If it does not exist, does not support the setup, or has errors, which are printed.
pub(super) fn read(ui: Ui, game: &str, setup: &Setup) -> Result<Read, Failure> {
    check(ui, game, rule_file(game)?, setup)
}

/// Finds and reads a game.
///
/// # Errors
/// If it does not exist.
pub(super) fn rule_file(game: &str) -> Result<RuleFile, Failure> {
    let (name, text) = find_rules(game)?;
    Ok(RuleFile::read(&name, &text, &Library))
}

/// Checks a game that was read.
///
/// # Errors
/// If it does not support the setup, or has errors, which are printed.
pub(super) fn check(ui: Ui, game: &str, rules: RuleFile, setup: &Setup) -> Result<Read, Failure> {
    match checked(game, &rules, setup) {
        Ok((loaded, checked)) => Ok(Read { rules, loaded, game: checked }),
        Err(error) => {
            let Some((sources, reports)) = error.diagnostics().map(Diagnostics::parts) else {
                return Err(error.into());
            };
            show_reports(ui, sources, reports);
            if reports.sorted().iter().any(|report| rules.is_measure(report.span.file)) {
                let cure = "a measure is an expression of the language: `docs/language.md`, section 7";
                return Err(Failure::new(Exit::Usage, "a measure has errors").cure(cure));
            }
            let torn = rules.is_torn(setup);
            let chosen = *setup != Setup::default();
            if !torn && chosen && reports.sorted().iter().any(|report| report.code == Code::Conflict) {
                let message = format!("`{game}` cannot be played with {}", setup.words());
                return Err(Failure::new(Exit::Usage, message).cure("choose fewer of them"));
            }
            if !torn && chosen && rules.load(&Setup::default()).game.is_some() {
                // The rules are sound; they cannot be played as the command line wants.
                let message = format!("`{game}` cannot be played with {}", setup.words());
                let cure = format!("choose other values: `regelwerk show {game} --options` lists what can be set");
                return Err(Failure::new(Exit::Usage, message).cure(cure));
            }
            let message = format!("the rules of `{game}` have errors");
            Err(Failure::new(Exit::Faults, message).cure(format!("run `regelwerk check {game}`")))
        }
    }
}

/// Finds, reads and checks a game, and prepares it for play.
///
/// # Errors
/// If it does not exist, does not support the setup, or has errors, which are printed.
pub(super) fn open(ui: Ui, game: &str, args: &SetupArgs) -> Result<Rules, Failure> {
    open_metered(ui, game, args, None)
}

/// The same with steps from a meter.
///
/// # Errors
/// As above.
pub(super) fn open_metered(ui: Ui, game: &str, args: &SetupArgs, meter: Option<&Meter>) -> Result<Rules, Failure> {
    let rules = rule_file(game)?.measuring(&args.measures);
    let Read { loaded, game: checked, .. } = check(ui, game, rules, &args.setup())?;
    let engine: Arc<dyn Engine> = match args.engine.flatten().unwrap_or_default() {
        Interpreter::Fast => {
            let fast = Fast::new(checked);
            if args.engine == Some(Some(Interpreter::Fast)) && !fast.lowered() {
                let cure = format!("`regelwerk check {game}` says what keeps it from being lowered");
                ui.note(format!("`{game}` runs on the slow reference interpreter: {cure}"));
            }
            Arc::new(match meter {
                Some(meter) => fast.metered(meter),
                None => fast,
            })
        }
        Interpreter::Reference => {
            let walker = Walker::new(checked);
            Arc::new(match meter {
                Some(meter) => walker.metered(meter),
                None => walker,
            })
        }
    };
    let found = Diagnostics::new(loaded.sources, loaded.reports);
    Ok(Rules::new(game, args.setup(), loaded.offer, found, engine))
}

/// More threads than this are no faster anywhere, and take long to start.
const THREADS: u16 = 256;

/// A pool of this many threads, or of one per core.
///
/// # Errors
/// If they cannot be started.
pub(super) fn threads(number: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let builder = rayon::ThreadPoolBuilder::new();
    let pool = match number {
        Some(number) => builder.num_threads(usize::from(number.min(THREADS))).build(),
        None => builder.build(),
    };
    pool.map_err(|error| no_threads(&error))
}

/// Threads for commands that use one for each core, or as many as the system starts; where it starts none, the one that is there does
/// everything.
pub(super) fn common_threads() {
    // Once the common threads could not be started, they never can be: so they are there before it is said how many there are.
    let cores = match thread::available_parallelism() {
        Ok(cores) => cores.get(),
        // Where nobody says how many there are, there is one.
        Err(_) => 1,
    };
    let mut waiting: Vec<Sender<rayon::ThreadBuilder>> = Vec::new();
    for _ in 0..cores {
        let (sender, receiver) = channel::<rayon::ThreadBuilder>();
        let worker = thread::Builder::new().spawn(move || receiver.recv().map(rayon::ThreadBuilder::run));
        if worker.is_err() {
            break;
        }
        waiting.push(sender);
    }
    let builder = rayon::ThreadPoolBuilder::new().num_threads(waiting.len().max(1));
    // Each fails where there are threads already.
    let _ = if waiting.is_empty() {
        builder.use_current_thread().build_global()
    } else {
        let mut next = waiting.into_iter();
        let begin = |thread| {
            let given = next.next().is_some_and(|worker| worker.send(thread).is_ok());
            if given { Ok(()) } else { Err(io::ErrorKind::WouldBlock.into()) }
        };
        builder.spawn_handler(begin).build_global()
    };
}

/// That the system starts no more threads.
pub(super) fn no_threads(error: &dyn std::error::Error) -> Failure {
    Failure::new(Exit::Limit, format!("cannot start threads: {error}")).cure("allow more processes and threads")
}
