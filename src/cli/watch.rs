//! `watch`: on every save checks a rule file, draws its position and runs its cases.
//!
//! Files are polled every few milliseconds instead of using the system's notifications: they are few, polling costs
//! next to nothing, and it works the same on every file system and for every way in which editors save.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::cases::{candidates, case_folders, cases_of, run_all};
use super::exit::{Exit, Failure};
use super::files::{Stamp, stamp};
use super::game::SetupArgs;
use super::play::given_moves;
use super::reports::{report_json, report_text};
use super::ui::Ui;
use crate::base::Sources;
use crate::base::resolve_relative;
use crate::bundled::PREFIX;
use crate::conformance::{Case, Interpreters, Outcome};
use crate::diff::{Diff, Side, compare};
use crate::engine::Fast;
use crate::files::{Library, find_rules};
use crate::ir::Game;
use crate::load::{Files, Loaded, RuleFile};
use crate::model::{Ask, Engine, Observation, Position};
use crate::notation::{find_move, is_answer, parse_answer, print_position};
use crate::play::{Luck, Stream, deal};
use crate::report::Severity;
use crate::say::Lang;
use crate::view::{Detail, Look, position as draw, refusal};

/// The polling interval.
const TICK: Duration = Duration::from_millis(15);

/// The maximum number of changes listed since the last save.
const CHANGES: usize = 6;

/// Watches a rule file: on every save checks it, draws the position and runs the cases
///
/// The files it extends, its registries and its cases are watched as well. While the file has
/// errors, the last valid position stays on display.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct WatchArgs {
    /// A rule file
    #[arg(value_name = "FILE")]
    file: String,
    /// Draw the position after these moves, separated by spaces, or by `,` if moves contain spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Do not run the cases
    #[arg(long)]
    no_cases: bool,
    /// Run once and exit
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    setup: SetupArgs,
}

/// Runs the command.
pub(super) fn run(args: &WatchArgs, ui: Ui) -> Result<Exit, Failure> {
    let (name, _) = find_rules(&args.file)?;
    if name.starts_with(PREFIX) && !args.once {
        let message = format!("`{}` is a bundled game and does not change", args.file);
        let cure = format!("start a variant of it: `regelwerk new NAME --from {}`", args.file);
        return Err(Failure::new(Exit::Usage, message).cure(cure));
    }
    let mut watch = Watch { args, ui, name, good: None, failed: Vec::new() };
    loop {
        let seen = Seen::default();
        let fine = watch.round(&seen);
        if args.once {
            return Ok(if fine { Exit::Done } else { Exit::Faults });
        }
        seen.wait();
    }
}

/// The files read in a round, with their stamps from before they were read.
#[derive(Debug, Default)]
struct Seen(RefCell<BTreeMap<PathBuf, Stamp>>);

impl Seen {
    fn note(&self, path: &Path) {
        self.0.borrow_mut().entry(path.to_owned()).or_insert_with(|| stamp(path));
    }

    /// The current stamps, if one differs.
    fn stamps(&self) -> Vec<(PathBuf, Stamp)> {
        self.0.borrow().iter().map(|(path, stamp)| (path.clone(), *stamp)).collect()
    }

    /// Waits until a file is written, and until writing has ceased.
    fn wait(&self) {
        let known = self.stamps();
        while !differs(&known) {
            std::thread::sleep(TICK);
        }
        let now = || known.iter().map(|(path, _)| stamp(path)).collect::<Vec<_>>();
        let mut last = now();
        loop {
            std::thread::sleep(TICK);
            let next = now();
            if next == last {
                return;
            }
            last = next;
        }
    }
}

/// Whether a file was written since its stamp was taken.
fn differs(known: &[(PathBuf, Stamp)]) -> bool {
    known.iter().any(|(path, was)| stamp(path) != *was)
}

/// Records every file that the loader asks for, whether it exists or not.
impl Files for Seen {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        if !by.starts_with(PREFIX) {
            self.note(&resolve_relative(Path::new(by), file));
        }
        Library.read(by, file)
    }
}

/// The last load without errors.
#[derive(Debug)]
struct Good {
    loaded: Loaded,
    game: Game,
    /// Its drawn position.
    drawn: String,
}

#[derive(Debug)]
struct Watch<'a> {
    args: &'a WatchArgs,
    ui: Ui,
    name: String,
    good: Option<Good>,
    /// The cases that failed last; they are run first.
    failed: Vec<String>,
}

impl Watch<'_> {
    /// Reads, checks, draws, runs the cases; returns whether everything is all right.
    fn round(&mut self, seen: &Seen) -> bool {
        let began = Instant::now();
        seen.note(Path::new(&self.name));
        let text = match find_rules(&self.name) {
            Ok((_, text)) => text,
            Err(error) => {
                self.ui.clear();
                self.ui.failure(&error.into());
                return false;
            }
        };
        let rules = RuleFile::read(&self.name, &text, seen);
        let mut loaded = rules.load(&self.args.setup.setup());
        let mut told = json!({"file": self.name});
        let mut fine = true;
        let game = loaded.game.take();
        self.ui.clear();
        match game {
            None => {
                fine = false;
                self.reports(&loaded, &mut told);
                if let Some(good) = &self.good {
                    self.say(format!("The last valid position:\n{}", good.drawn));
                }
            }
            Some(game) => fine &= self.draw(loaded, game, &mut told),
        }
        let drawn = began.elapsed();
        if fine {
            fine &= self.check_all(&rules, seen, drawn, &mut told);
        }
        if fine && !self.args.no_cases {
            fine &= self.cases(&rules, seen, &mut told);
        }
        if self.ui.is_json() {
            self.ui.json(&told);
        }
        fine
    }

    /// Prints something for people.
    fn say(&self, text: impl AsRef<str>) {
        if !self.ui.is_json() {
            self.ui.line(text);
        }
    }

    fn reports(&self, loaded: &Loaded, told: &mut Value) {
        let reports = loaded.reports.sorted();
        for report in &reports {
            self.say(report_text(&loaded.sources, report));
        }
        let list: Vec<Value> = reports.iter().map(|report| report_json(&loaded.sources, report)).collect();
        merge(told, json!({"ok": !loaded.reports.has_errors(), "reports": list}));
    }

    /// Draws the position, and prints what has changed since it was last drawn.
    fn draw(&mut self, loaded: Loaded, game: Game, told: &mut Value) -> bool {
        let engine = Fast::new(game.clone());
        let seed = self.args.setup.seed();
        let (position, stuck) = after(&engine, &loaded.sources, self.args.moves.as_deref(), seed);
        // Whoever writes the rules sees everything.
        let position = Observation::referee(&position);
        let drawn = draw(&game, &position, &Look { colour: true, ..Look::default() });
        let diff = self.good.as_ref().map(|good| compare(&side(&good.loaded, &good.game), &side(&loaded, &game)));
        if let Some(diff) = diff.filter(|diff| !diff.changes.is_empty()) {
            let lines = change_lines(&diff);
            self.say(format!("Since the last save:\n  {}", lines.join("\n  ")));
            merge(told, json!({"changes": lines}));
        }
        self.say(&drawn);
        let plain = draw(&game, &position, &Look::default());
        merge(told, json!({"board": plain, "position": print_position(&engine, &position), "refused": stuck}));
        if let Some(stuck) = &stuck {
            self.say(stuck);
        }
        self.good = Some(Good { loaded, game, drawn });
        stuck.is_none()
    }

    /// Checks every setup, not only the one drawn.
    fn check_all(&self, rules: &RuleFile, seen: &Seen, drawn: Duration, told: &mut Value) -> bool {
        let began = Instant::now();
        let known = seen.stamps();
        let Some(all) = rules.check_while(&mut || !differs(&known)) else { return false };
        if differs(&known) {
            return false;
        }
        self.reports(&all, told);
        let faults = all.reports.sorted().iter().filter(|report| report.code.severity() == Severity::Error).count();
        let (drawn, checked) = (drawn.as_millis(), began.elapsed().as_millis());
        merge(told, json!({"drawn_ms": drawn, "checked_ms": checked}));
        self.say(format!("{}: drawn in {drawn} ms; all setups checked in {checked} ms, {faults} errors", self.name));
        faults == 0
    }

    /// Runs the cases, starting with those that failed last; stops when a file is written.
    fn cases(&mut self, rules: &RuleFile, seen: &Seen, told: &mut Value) -> bool {
        let began = Instant::now();
        // A folder's own stamp changes with the files that come and go.
        for path in
            case_folders(Path::new(&self.name)).into_iter().chain(candidates(Path::new(&self.name)).unwrap_or_default())
        {
            seen.note(&path);
        }
        let found = match cases_of(&self.name) {
            Ok(found) => found,
            Err(failure) => {
                self.ui.failure(&failure);
                return false;
            }
        };
        let mut cases: Vec<(String, Case)> = Vec::new();
        for found in found {
            let path = found.path;
            cases.extend(found.file.cases.into_iter().map(|case| (format!("{path}: {}", case.name), case)));
        }
        cases.sort_by_key(|(title, _)| !self.failed.contains(title));
        let (ui, known, stale) = (self.ui, seen.stamps(), AtomicBool::new(false));
        let these: Vec<&Case> = cases.iter().map(|(_, case)| case).collect();
        let keep_going = || {
            if !stale.load(Ordering::Relaxed) && differs(&known) {
                stale.store(true, Ordering::Relaxed);
            }
            !stale.load(Ordering::Relaxed)
        };
        let told_one = |number: usize, outcome: &Outcome| {
            if !outcome.passed() && !ui.is_json() {
                let failures: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
                ui.line(format!("{} … FAILED\n{}", cases[number].0, failures.join("\n")));
            }
        };
        let outcomes = run_all(&these, rules, Interpreters::Reference, None, &keep_going, &told_one);
        if stale.into_inner() {
            return false;
        }
        let failed =
            cases.iter().zip(&outcomes).filter(|(_, outcome)| outcome.as_ref().is_some_and(|one| !one.passed()));
        self.failed = failed.map(|((title, _), _)| title.clone()).collect();
        let (passed, ms) = (cases.len() - self.failed.len(), began.elapsed().as_millis());
        merge(told, json!({"cases": {"passed": passed, "failed": self.failed, "ms": ms}}));
        if cases.is_empty() {
            self.say("There are no cases yet.");
        } else {
            self.say(format!("cases: {passed} passed, {} failed, in {ms} ms", self.failed.len()));
        }
        self.failed.is_empty()
    }
}

fn side<'a>(loaded: &'a Loaded, game: &'a Game) -> Side<'a> {
    Side { items: &loaded.items, game, sources: &loaded.sources }
}

/// Adds the fields of one JSON object to another.
fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}

/// The changes, a line for each item.
fn change_lines(diff: &Diff) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for change in diff.changes.iter().take(CHANGES) {
        let facts = change.facts.iter().map(|fact| {
            let text = |written: &Option<crate::diff::Written>| {
                written.as_ref().map_or_else(|| "nothing".to_owned(), |written| written.text.clone())
            };
            format!("{} {} → {}", fact.what, text(&fact.old), text(&fact.new))
        });
        let facts: Vec<String> = facts.collect();
        let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(", ")) };
        lines.push(format!("{} {}{facts}", change.item, change.fate.text()));
    }
    let more = diff.changes.len().saturating_sub(CHANGES);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}

/// The position after moves, as far as they are legal, and why it stops there.
fn after(engine: &dyn Engine, sources: &Sources, moves: Option<&str>, seed: u64) -> (Position, Option<String>) {
    let mut position = deal(engine, engine.start(), &mut Stream::new(seed, "deal", 0));
    let mut number = 0;
    for text in moves.into_iter().flat_map(given_moves) {
        // Chance outcomes between given moves are drawn.
        let mut luck = Luck::default();
        while matches!(position.ask, Ask::Chance { .. }) {
            let Some(mv) = luck.draw(engine, &position, &mut Stream::new(seed, "play", number)) else { break };
            position = engine.play_unchecked(&position, &mv);
            number += 1;
        }
        let game = engine.game();
        let refused = |why: String| Some(format!("The position before `{text}`: {why}"));
        number += 1;
        if is_answer(game, text) {
            match parse_answer(game, &position, text) {
                Err(error) => return (position, refused(error.to_string())),
                Ok(answer) => match engine.answer(&position, &answer) {
                    Ok(next) => position = next,
                    Err(why) => {
                        return (position, refused(refusal(Lang::En, game, sources, text, &why, Detail::Rules)));
                    }
                },
            }
            continue;
        }
        match find_move(engine, &position, text) {
            Err(error) => return (position, refused(error.to_string())),
            Ok(mv) => match engine.explain().refusal(&position, &mv) {
                Some(why) => return (position, refused(refusal(Lang::En, game, sources, text, &why, Detail::Rules))),
                None => position = engine.play_unchecked(&position, &mv),
            },
        }
    }
    (position, None)
}
