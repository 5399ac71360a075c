//! `impact`: how changed rules affect games already played.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::files::walk;
use super::game::{Interpreter, SetupArgs, open_metered};
use super::limits::StepArgs;
use super::ui::Ui;
use crate::api::Rules;
use crate::files::read_text;
use crate::ir::RuleId;
use crate::load::Setup;
use crate::model::{Meter, Outcome};
use crate::play::{Change, Difference, Impact, Record, impact};
use crate::say::Lang;
use crate::serve::outcome as outcome_json;
use crate::view::{outcome, rule_line};

/// The maximum number of moves or parts of a position listed.
const LISTED: usize = 8;

/// Shows how changed rules affect games already played: which records differ, from
/// which ply on, and because of which clause
///
/// Each record is replayed with OLD as it was, and with NEW as the flags say; what they leave open
/// is taken from the record. So a rule file can be compared with an earlier version of itself, or a game with a
/// variant or reading of it: `regelwerk impact GAME GAME games/ --reading NAME=VALUE`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ImpactArgs {
    /// The rules the games were played with: a rule file, or the name of a bundled game
    #[arg(value_name = "OLD")]
    old: String,
    /// The rules to compare them with
    #[arg(value_name = "NEW")]
    new: String,
    /// Files written by `save`, or folders with such files
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    limit: StepArgs,
}

/// What happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// No difference.
    Same,
    /// Other moves were legal on the way, but the game is the same.
    Holds,
    /// The game takes a different course.
    Diverges,
    /// It cannot be replayed under the old rules.
    Misfit,
}

impl Fate {
    const ALL: [Self; 4] = [Self::Same, Self::Holds, Self::Diverges, Self::Misfit];

    fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Holds => "holds",
            Self::Diverges => "diverges",
            Self::Misfit => "misfit",
        }
    }

    fn tells(self) -> &'static str {
        match self {
            Self::Same => "the same",
            Self::Holds => "the same, though the legal moves differed along the way",
            Self::Diverges => "different games",
            Self::Misfit => "not valid under the old rules",
        }
    }
}

/// How many setups of the rules stay loaded: most records of a folder have the same.
const KEPT: usize = 4;

/// Rules already loaded, by setup, the latest first.
struct Opener<'a> {
    ui: Ui,
    name: &'a str,
    engine: Option<Option<Interpreter>>,
    meter: &'a Meter,
    opened: Vec<(Setup, Rules)>,
}

impl Opener<'_> {
    fn open(&mut self, setup: Setup) -> Result<&Rules, Failure> {
        let known = self.opened.iter().position(|(other, _)| *other == setup);
        let found = if let Some(at) = known {
            self.opened.remove(at)
        } else {
            let args = SetupArgs::of(setup.clone(), self.engine);
            let opened = open_metered(self.ui, self.name, &args, Some(self.meter))?;
            self.opened.truncate(KEPT - 1);
            (setup, opened)
        };
        self.opened.insert(0, found);
        Ok(&self.opened[0].1)
    }
}

/// The setup of the new rules: from the flags, else from the record.
fn settled(record: &Record, flags: &SetupArgs) -> Setup {
    let mut setup = record.setup();
    setup.players = flags.players.or(setup.players);
    if !flags.variants.is_empty() {
        setup.variants.clone_from(&flags.variants);
    }
    for (mine, theirs) in [(&mut setup.readings, &flags.readings), (&mut setup.options, &flags.options)] {
        mine.retain(|(name, _)| theirs.iter().all(|(other, _)| other != name));
        mine.extend(theirs.iter().cloned());
    }
    setup
}

/// How the names of records end in a folder: those that somebody names, and those that `play` makes itself.
const ENDINGS: [&str; 2] = ["ron", "record"];

/// Runs the command.
pub(super) fn run(args: &ImpactArgs, ui: Ui) -> Result<Exit, Failure> {
    let meter = args.limit.meter();
    let opener = |name| Opener { ui, name, engine: args.setup.engine, meter: &meter, opened: Vec::new() };
    let (mut old, mut new) = (opener(&args.old), opener(&args.new));
    let mut files = Vec::new();
    for path in &args.records {
        let found = walk(path, &ENDINGS);
        files.extend(found.map_err(|failure| failure.cure("name records, or a folder that contains some"))?);
    }
    let mut fates: BTreeMap<Fate, usize> = BTreeMap::new();
    let mut clauses: BTreeMap<String, usize> = BTreeMap::new();
    let mut results = Vec::new();
    let bar = ui.bar(files.len() as u64, "records");
    for path in &files {
        let record = record(path)?;
        let before = old.open(record.setup())?;
        let after = new.open(settled(&record, &args.setup))?;
        let (fate, lines, result) = one(path, &record, before, after, &mut clauses);
        args.limit.within(&meter, &format!("the games up to `{}`", path.display()))?;
        *fates.entry(fate).or_default() += 1;
        results.push(result);
        if !ui.is_json() {
            bar.suspend(|| lines.iter().for_each(|line| ui.line(line)));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if files.is_empty() {
        return Err(Failure::new(Exit::Missing, "there are no records").cure(
            "`save FILE.ron` writes one during a game; in a folder, the files ending in `.ron` and `.record` are read",
        ));
    }
    let count = |fate: Fate| fates.get(&fate).copied().unwrap_or(0);
    if ui.is_json() {
        let summary: BTreeMap<&str, usize> = Fate::ALL.into_iter().map(|fate| (fate.word(), count(fate))).collect();
        ui.json(&json!({
            "old": args.old, "new": args.new, "records": results, "summary": summary, "clauses": clauses,
        }));
    } else {
        let told = Fate::ALL.into_iter().filter(|fate| count(*fate) > 0);
        let told: Vec<String> = told.map(|fate| format!("{} {}", count(fate), fate.tells())).collect();
        ui.line(format!("{} records: {}", files.len(), told.join("; ")));
        let cited: Vec<String> = clauses.iter().map(|(clause, times)| format!("§{clause} ({times})")).collect();
        if !cited.is_empty() {
            ui.line(format!("first by: {}", cited.join(", ")));
        }
    }
    let well = count(Fate::Diverges) + count(Fate::Misfit) == 0;
    Ok(if well { Exit::Done } else { Exit::Faults })
}

fn record(path: &Path) -> Result<Record, Failure> {
    Record::parse(&read_text(path)?).map_err(|error| {
        Failure::new(Exit::Faults, format!("`{}`: {error}", path.display())).cure("give a file written by `save`")
    })
}

/// The results for one record: its fate, lines for people, an object for programs.
fn one(
    path: &Path,
    record: &Record,
    before: &Rules,
    after: &Rules,
    clauses: &mut BTreeMap<String, usize>,
) -> (Fate, Vec<String>, Value) {
    let name = path.display().to_string();
    let pinned = record.fits(before.game());
    let found = match impact(before.engine(), after.engine(), record) {
        Ok(found) => found,
        Err(error) => {
            let lines = vec![format!("{name}: not a valid game under the old rules: {error}")];
            let result =
                json!({"record": name, "pinned": pinned, "fate": Fate::Misfit.word(), "error": error.to_string()});
            return (Fate::Misfit, lines, result);
        }
    };
    let fate = match (&found.first, &found.breaks) {
        (None, _) => Fate::Same,
        (Some(_), None) => Fate::Holds,
        (Some(_), Some(_)) => Fate::Diverges,
    };
    let mut lines = vec![heading(&name, &found)];
    if !pinned {
        lines.push("  not pinned to these old rules".to_owned());
    }
    if let Some(first) = &found.first {
        let (by, rules) = told(first, before, after);
        for clause in &by {
            *clauses.entry(clause.clone()).or_default() += 1;
        }
        lines.push(format!("  {}", sentence(first, before, after)));
        lines.extend(rules.iter().map(|rule| format!("    {rule}")));
    }
    let later =
        found.breaks.as_ref().filter(|breaks| found.first.as_ref().is_some_and(|first| first.step != breaks.step));
    if let Some(breaks) = later {
        lines.push(format!("  after {}: {}", so_far(breaks), sentence(breaks, before, after)));
        lines.extend(told(breaks, before, after).1.iter().map(|rule| format!("    {rule}")));
    }
    let object = |difference: &Option<Difference>| difference.as_ref().map(|d| as_json(d, before, after));
    let result = json!({
        "record": name, "pinned": pinned, "fate": fate.word(), "steps": found.steps,
        "first": object(&found.first), "breaks": object(&found.breaks),
    });
    (fate, lines, result)
}

fn heading(name: &str, found: &Impact) -> String {
    match (&found.first, &found.breaks) {
        (None, _) => format!("{name}: the same, {} steps", found.steps),
        (Some(first), None) => {
            format!("{name}: the same game; the legal moves differ after {}", so_far(first))
        }
        (Some(first), Some(_)) => format!("{name}: the same for {}", so_far(first)),
    }
}

/// How far a game had come before a difference.
fn so_far(difference: &Difference) -> String {
    let count = |n: u64, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let (plies, steps) = (u64::from(difference.ply), difference.step as u64);
    format!("{} ({})", count(plies, "ply", "plies"), count(steps, "step", "steps"))
}

fn few(texts: &[String]) -> String {
    let mut few = texts.iter().take(LISTED).map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    if texts.len() > LISTED {
        few.push_str(", …");
    }
    few
}

/// A difference as a sentence.
fn sentence(difference: &Difference, before: &Rules, after: &Rules) -> String {
    let ended = |opened: &Rules, result: &Option<Outcome>| {
        let text = result.as_ref().map(|result| outcome(Lang::En, opened.game(), result));
        let text = text.unwrap_or_else(|| "The game goes on.".to_owned());
        text.lines().map(|line| line.trim().trim_end_matches('.').to_owned()).collect::<Vec<_>>()
    };
    match &difference.change {
        Change::Position { gone, come } => match (gone.as_slice(), come.as_slice()) {
            (gone, []) => format!("the position lacks {}", few(gone)),
            ([], come) => format!("the position also has {}", few(come)),
            (gone, come) => format!("the position has {} instead of {}", few(come), few(gone)),
        },
        Change::Asked { old, new } => format!("the question is `{new}` instead of `{old}`"),
        Change::Moves { gone, come } => match (gone.as_slice(), come.as_slice()) {
            (gone, []) => format!("no longer legal: {}", few(gone)),
            ([], come) => format!("newly legal: {}", few(come)),
            (gone, come) => format!("newly legal: {}; no longer legal: {}", few(come), few(gone)),
        },
        Change::Refused { text, .. } => format!("`{text}` is rejected"),
        Change::Unread { text, error } => format!("`{text}` cannot be read: {error}"),
        Change::Outcome { old, new } => {
            let (old, new) = (ended(before, old), ended(after, new));
            // Those who win may be the same with other scores.
            let lines = if old.first() == new.first() { usize::MAX } else { 1 };
            let head = |text: Vec<String>| text.into_iter().take(lines).collect::<Vec<_>>().join(", ");
            format!("the game ends with: {}; instead of: {}", head(new), head(old))
        }
    }
}

/// The clauses it relies on, and the rules as lines; rules without clauses only if none has any.
fn told(difference: &Difference, before: &Rules, after: &Rules) -> (Vec<String>, Vec<String>) {
    let (mut clauses, mut lines) = (Vec::new(), Vec::new());
    let cited =
        |opened: &Rules, rule: RuleId| opened.game().rules.get(rule).map_or_else(Vec::new, |rule| rule.clauses.clone());
    let any = |opened: &Rules, rules: &[RuleId]| rules.iter().any(|&rule| !cited(opened, rule).is_empty());
    let clear = any(after, &difference.new_rules) || any(before, &difference.old_rules);
    let mut side = |which: &str, opened: &Rules, rules: &[RuleId]| {
        for &rule in rules {
            let cited = cited(opened, rule);
            if clear && cited.is_empty() {
                continue;
            }
            let text: Vec<String> = cited.iter().map(|clause| format!("§{clause}")).collect();
            let line =
                format!("{which}: {} {}", rule_line(Lang::En, opened.game(), opened.sources(), rule), text.join(" "));
            let line = line.trim_end().to_owned();
            if !lines.contains(&line) {
                lines.push(line);
            }
            for clause in cited {
                if !clauses.contains(&clause) {
                    clauses.push(clause);
                }
            }
        }
    };
    side("new", after, &difference.new_rules);
    side("old", before, &difference.old_rules);
    (clauses, lines)
}

fn as_json(difference: &Difference, before: &Rules, after: &Rules) -> Value {
    let (clauses, rules) = told(difference, before, after);
    let mut object = json!({
        "step": difference.step, "ply": difference.ply, "kind": difference.change.word(),
        "text": sentence(difference, before, after), "clauses": clauses, "rules": rules,
    });
    match &difference.change {
        Change::Position { gone, come } | Change::Moves { gone, come } => {
            object["gone"] = json!(gone);
            object["come"] = json!(come);
        }
        Change::Refused { text, refusal } => {
            object["move"] = json!(text);
            object["reason"] = json!(refusal.why.word());
        }
        Change::Unread { text, .. } => object["move"] = json!(text),
        Change::Asked { old, new } => {
            object["old"] = json!(old);
            object["new"] = json!(new);
        }
        Change::Outcome { old, new } => {
            object["old"] = json!(old.as_ref().map(|result| outcome_json(Lang::En, before.game(), result)));
            object["new"] = json!(new.as_ref().map(|result| outcome_json(Lang::En, after.game(), result)));
        }
    }
    object
}
