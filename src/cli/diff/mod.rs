//! `diff`: how two games differ, by rule, clause and case.

mod print;
mod transferred;

use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::json;

use super::exit::{Exit, Failure};
use super::game::{Read, SetupArgs, check, rule_file};
use super::limits::StepArgs;
use super::ui::Ui;
use crate::base::Spanned;
use crate::diff::{Side, compare};
use crate::files::Library;
use crate::load::{Files, Loaded, RuleFile, Setup};
use crate::syntax::ast::item::{Item, ItemKind};

/// Shows how two games differ: rules, clauses, cases
///
/// With a single game, a variant is compared with what it is a variant of: `diff my.rules` with
/// the game that it extends, `diff GAME --variant NAME` with the unmodified game.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// A rule file, or the name of a bundled game
    #[arg(value_name = "GAME")]
    game: String,
    /// The game to compare it with; by default the same game
    #[arg(value_name = "OTHER")]
    other: Option<String>,
    /// The setup of the other side: a variant, READING=VALUE, OPTION=VALUE or players=N
    #[arg(long, value_name = "WHAT", help_heading = "Setup")]
    against: Vec<String>,
    /// List every case that fails, not only the first few
    #[arg(long)]
    all: bool,
    /// Do not run the cases
    #[arg(long)]
    no_cases: bool,
    /// Fail if a case of the old rules fails and is not replaced
    #[arg(long, conflicts_with = "no_cases")]
    strict: bool,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    steps: StepArgs,
}

/// One side of the comparison.
#[derive(Debug)]
struct One {
    /// Its name, as the user gave it.
    label: String,
    setup: Setup,
    read: Rc<Read>,
}

impl One {
    fn side(&self) -> Side<'_> {
        Side { items: &self.read.loaded.items, game: &self.read.game, sources: &self.read.loaded.sources }
    }
}

/// Runs the command.
pub(super) fn run(args: &DiffArgs, ui: Ui) -> Result<Exit, Failure> {
    let (old, new) = sides(args, ui)?;
    let diff = compare(&old.side(), &new.side());
    let cases = if args.no_cases { None } else { Some(transferred::transferred(&old, &new, &args.steps, ui)?) };
    if ui.is_json() {
        ui.json(&json!({
            "old": print::game(&old), "new": print::game(&new),
            "changes": print::changes(&diff, &old, &new), "clauses": print::clauses(&diff),
            "cases": cases.as_ref().map(transferred::Cases::as_json),
        }));
    } else {
        ui.print(&print::text(&diff, &old, &new));
        if let Some(cases) = &cases {
            ui.print(&cases.text(args.all));
        }
    }
    let broken = cases.is_some_and(|cases| cases.fails() > 0);
    Ok(if args.strict && broken { Exit::Faults } else { Exit::Done })
}

/// The old side and the new one.
fn sides(args: &DiffArgs, ui: Ui) -> Result<(One, One), Failure> {
    let mine = args.setup.setup();
    let players = Setup { players: mine.players, ..Setup::default() };
    match (&args.other, args.against.is_empty()) {
        (None, true) if mine == players => parent(args, ui, mine),
        (None, true) => {
            let rules = rule_file(&args.game)?;
            Ok((checked(ui, &args.game, rules.clone(), players)?, checked(ui, &args.game, rules, mine)?))
        }
        (other, _) => {
            let game = other.as_ref().unwrap_or(&args.game);
            let rules = rule_file(game)?;
            let theirs = settled(game, &args.against, &rules, players)?;
            let old = one(ui, &args.game, mine)?;
            if theirs == old.setup && same_texts(&old.read.rules, &rules) {
                // The same rules need not be checked twice.
                let new = One { label: label(game, &theirs), read: Rc::clone(&old.read), setup: theirs };
                return Ok((old, new));
            }
            Ok((old, checked(ui, game, rules, theirs)?))
        }
    }
}

/// Whether two rule files and those they extend have the same names and texts.
fn same_texts(one: &RuleFile, two: &RuleFile) -> bool {
    let [one, two] = [one, two].map(|rules| rules.sources().ids().filter_map(|id| rules.sources().get(id)));
    one.eq(two)
}

/// The game that another is a version of, in the same setup: itself without variants, or the game it extends. None if
/// it is no version, or if the original does not support the setup.
pub(super) fn origin(read: &Read, setup: &Setup) -> Option<(String, Setup, Loaded)> {
    let plain = Setup { variants: Vec::new(), ..setup.clone() };
    let extended = if setup.variants.is_empty() {
        let (name, text) = Library.read(read.rules.name(), &extended(&read.loaded.items)?.node).ok()?;
        Some(RuleFile::read(&name, &text, &Library))
    } else {
        None
    };
    let rules = extended.as_ref().unwrap_or(&read.rules);
    let loaded = rules.load(&plain);
    loaded.game.is_some().then(|| (rules.name().to_owned(), plain, loaded))
}

/// The rule file that a file extends.
fn extended(items: &[Arc<Item>]) -> Option<Spanned<String>> {
    items.iter().find_map(|item| if let ItemKind::Game { extends, .. } = &item.kind { extends.clone() } else { None })
}

/// The game that a rule file extends, and the file.
fn parent(args: &DiffArgs, ui: Ui, setup: Setup) -> Result<(One, One), Failure> {
    let new = one(ui, &args.game, setup.clone())?;
    let Some(extends) = extended(&new.read.loaded.items) else {
        let variants: Vec<&str> = new.read.loaded.offer.variants.iter().map(|(name, ..)| name.as_str()).collect();
        let cure = match variants.as_slice() {
            [] => "name a second game, or set a reading or an option: `--against NAME=VALUE`".to_owned(),
            [first, ..] => format!("name a second game, or one of its variants: `--against {first}`"),
        };
        return Err(Failure::new(Exit::Usage, format!("`{}` does not extend another game", args.game)).cure(cure));
    };
    let found = Library.read(new.read.rules.name(), &extends.node);
    let found = found.map_err(|why| Failure::new(Exit::Missing, format!("`{}`: {why}", extends.node)))?;
    let label = label(&found.0, &setup);
    let read = check(ui, &extends.node, RuleFile::read(&found.0, &found.1, &Library), &setup)?;
    Ok((One { label, setup, read: Rc::new(read) }, new))
}

fn one(ui: Ui, game: &str, setup: Setup) -> Result<One, Failure> {
    checked(ui, game, rule_file(game)?, setup)
}

fn checked(ui: Ui, game: &str, rules: RuleFile, setup: Setup) -> Result<One, Failure> {
    Ok(One { label: label(game, &setup), read: Rc::new(check(ui, game, rules, &setup)?), setup })
}

/// A game and its settings, as a user would type them.
fn label(game: &str, setup: &Setup) -> String {
    let mut text = game.to_owned();
    for variant in &setup.variants {
        let _ = write!(text, " --variant {variant}");
    }
    for (flag, pairs) in [("--reading", &setup.readings), ("--set", &setup.options)] {
        for (name, value) in pairs {
            let _ = write!(text, " {flag} {name}={value}");
        }
    }
    if let Some(players) = setup.players {
        let _ = write!(text, " --players {players}");
    }
    text
}

/// The setup of the other side. A word is a variant; a pair is a reading, an option, or the number of players.
fn settled(game: &str, against: &[String], rules: &RuleFile, mut setup: Setup) -> Result<Setup, Failure> {
    if against.is_empty() {
        return Ok(setup);
    }
    let offer = rules.load(&Setup::default()).offer;
    for what in against {
        let Some((name, value)) = what.split_once('=').map(|(name, value)| (name.trim(), value.trim())) else {
            setup.variants.push(what.clone());
            continue;
        };
        let pair = (name.to_owned(), value.to_owned());
        if name == "players" {
            let number = value.parse().map_err(|_| {
                Failure::new(Exit::Usage, format!("`{value}` is not a number of players")).cure("write `players=3`")
            })?;
            setup.players = Some(number);
        } else if offer.readings.iter().any(|choice| choice.name == name) {
            setup.readings.push(pair);
        } else if offer.options.iter().any(|choice| choice.name == name) {
            setup.options.push(pair);
        } else {
            let message = format!("{game} has no reading or option `{name}`");
            let cure = format!("`regelwerk show {game} --options` lists what can be set");
            return Err(Failure::new(Exit::Usage, message).cure(cure));
        }
    }
    Ok(setup)
}
