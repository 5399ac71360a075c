//! `coverage`: the state of each clause of a game's documents.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::cases::{game_cases, run_all};
use super::content::Content;
use super::exit::{Exit, Failure};
use super::files::make_folder;
use super::limits::StepArgs;
use super::ui::{Ui, shell_word};
use super::write::write_result;
use crate::base::is_command;
use crate::bundled;
use crate::conformance::{Case, Coverage, Covered, Interpreters, Outcome, State};
use crate::files::{Library, find_rules, read_text};
use crate::ir::Force;
use crate::load::{RuleFile, Setup};
use crate::say::Lang;
use crate::view::{escape, rule_line};

/// Shows the state of each clause of a game's documents: rules, cases, gaps
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CoverageArgs {
    /// A rule file, or the name of a bundled game; by default all bundled games
    #[arg(value_name = "GAME")]
    game: Option<String>,
    /// Where the cases are; by default the game's folder under `tests/conformance`
    #[arg(long, value_name = "PATH", requires = "game")]
    cases: Option<PathBuf>,
    /// Write a page for each game into this folder
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
    /// Write the table to `coverage.txt` beside the rule file
    #[arg(long, conflicts_with = "ci")]
    update: bool,
    /// Compare with `coverage.txt` beside the rule file, and fail on differences or open clauses
    #[arg(long)]
    ci: bool,
    /// List every clause, not only the open ones
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    steps: StepArgs,
}

/// Runs the command.
pub(super) fn run(args: &CoverageArgs, ui: Ui) -> Result<Exit, Failure> {
    let games = match &args.game {
        Some(game) => vec![game.clone()],
        None => bundled::games().into_iter().map(str::to_owned).collect(),
    };
    let (mut fine, mut results) = (true, Vec::new());
    for game in games {
        let (name, title, clauses) = measure(&game, args, ui)?;
        // Names of cases may contain anything.
        let snapshot = table(&title, &clauses, true).replace(|c: char| is_command(c) && c != '\n', "\u{fffd}");
        let path = rule_path(&name).with_file_name("coverage.txt");
        let done = clauses.values().all(|covered| covered.state.is_done());
        fine &= done;
        if ui.is_json() {
            results.push(as_json(&game, &clauses));
        } else {
            ui.print(&table(&title, &clauses, args.all));
        }
        if args.update {
            write_result(&path, Content::Coverage, &snapshot)?;
        } else if args.ci {
            let known = if path.exists() { Some(read_text(&path)?) } else { None };
            if known.as_ref() != Some(&snapshot) {
                fine = false;
                let command = format!("regelwerk coverage {} --update", shell_word(Path::new(&game)));
                let path = path.display();
                ui.note(match known {
                    Some(_) => format!("`{path}` is not what the cases cover: run `{command}`"),
                    None => format!(
                        "there is no `{path}` to compare with: `{command}` writes it, where the folder of the game is"
                    ),
                });
            }
        }
        if let Some(folder) = &args.html {
            make_folder(folder)?;
            let page_name = rule_path(&name).with_extension("html");
            let page_name = page_name.file_name().unwrap_or_default();
            write_result(&folder.join(page_name), Content::Page, &page(&title, &clauses))?;
        }
    }
    if ui.is_json() {
        ui.json(&json!(results));
    }
    Ok(if fine { Exit::Done } else { Exit::Faults })
}

/// The path of a rule file: that of a bundled game is below `rules`.
fn rule_path(name: &str) -> PathBuf {
    name.strip_prefix(bundled::PREFIX).map_or_else(|| PathBuf::from(name), |inner| Path::new("rules").join(inner))
}

/// Runs all cases of a game and collects the rules they use: the name of the rule file, the game's title, its clauses.
fn measure(game: &str, args: &CoverageArgs, ui: Ui) -> Result<(String, String, IndexMap<String, Covered>), Failure> {
    let (name, text) = find_rules(game)?;
    let rules = RuleFile::read(&name, &text, &Library);
    let plain = rules.load(&Setup::default());
    let Some(checked) = &plain.game else {
        let message = format!("the rules of `{game}` have errors");
        return Err(Failure::new(Exit::Faults, message).cure(format!("run `regelwerk check {game}`")));
    };
    let mut coverage = Coverage::new(&checked.clauses);
    let (setups, mut seen) = (rules.setups(), 0);
    for (_, loaded) in rules.loads(&setups) {
        seen += 1;
        if let Some(checked) = &loaded.game {
            coverage.add_rules(checked, &|rule| {
                rule_line(Lang::En, checked, &loaded.sources, rule).replace("shipped:", "")
            });
        }
    }
    if seen < setups.len() {
        let message =
            format!("stopped: `{game}` has {} setups, which take more work to load than a check has", setups.len());
        return Err(
            Failure::new(Exit::Limit, message).cure("declare fewer variants, or readings with fewer alternatives")
        );
    }
    let found = game_cases(game, args.cases.as_deref())?;
    let bar = ui.bar(found.len() as u64, "cases");
    let these: Vec<&Case> = found.iter().collect();
    let meter = args.steps.meter();
    let told = |_: usize, _: &Outcome| bar.inc(1);
    let outcomes = run_all(&these, &rules, Interpreters::Both, Some(&meter), &|| !meter.is_spent(), &told);
    bar.finish_and_clear();
    args.steps.within(&meter, &format!("the cases of `{game}`"))?;
    for (case, outcome) in found.iter().zip(outcomes.iter().flatten()) {
        coverage.add_case(&case.name, case, outcome);
    }
    Ok((name, checked.title.clone(), coverage.clauses()))
}

/// The name of gaps in the table of clauses.
const GAP: &str = "decided gap";

/// The number of clauses in each state.
fn counts<'a>(clauses: impl Iterator<Item = &'a Covered>) -> Vec<(State, usize)> {
    let states: Vec<State> = clauses.map(|covered| covered.state).collect();
    let count = |state: State| states.iter().filter(|other| **other == state).count();
    State::ALL.iter().map(|&state| (state, count(state))).filter(|(_, count)| *count > 0).collect()
}

fn is_gap(covered: &Covered) -> bool {
    covered.clause.kind == GAP
}

/// A table with totals; it lists all clauses, or those that are not done.
fn table(title: &str, clauses: &IndexMap<String, Covered>, all: bool) -> String {
    let mut text = format!("{title}\n");
    for (what, gaps) in [("clauses", false), ("decided gaps", true)] {
        let total = clauses.values().filter(|covered| is_gap(covered) == gaps).count();
        for (state, count) in counts(clauses.values().filter(|covered| is_gap(covered) == gaps)) {
            let _ = writeln!(text, "  {count:>3} of {total} {what}: {}", state.text());
        }
    }
    for (id, covered) in clauses.iter().filter(|(_, covered)| all || !covered.state.is_done()) {
        let (rules, cases) = (covered.rules.len(), covered.cases.len());
        let _ = writeln!(text, "§{id}: {}; {rules} rules, {cases} cases", covered.state.text());
        if !covered.state.is_done() {
            for name in covered.failed.iter().take(3) {
                let _ = writeln!(text, "    names the clause and fails: {name}");
            }
            for name in covered.idle.iter().take(3) {
                let _ = writeln!(text, "    names the clause but does not exercise it: {name}");
            }
        }
    }
    text
}

fn as_json(game: &str, clauses: &IndexMap<String, Covered>) -> Value {
    let list: Vec<Value> = clauses
        .iter()
        .map(|(id, covered)| {
            json!({
                "clause": id, "kind": covered.clause.kind, "state": covered.state.text(), "text": covered.clause.text,
                "rules": covered.rules, "cases": covered.cases, "not_gone_by": covered.idle,
                "failed": covered.failed,
            })
        })
        .collect();
    json!({"game": game, "done": clauses.values().all(|covered| covered.state.is_done()), "clauses": list})
}

/// A page without scripts: the clauses in order, each with its state, rules and cases.
fn page(title: &str, clauses: &IndexMap<String, Covered>) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: coverage</title>\n<style>\n\
         body {{ font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }}\n\
         section {{ border-left: .4em solid #c33; padding-left: 1em; margin: 1em 0; }}\n\
         section.done {{ border-color: #3a3; }} section.noted {{ border-color: #aaa; }}\n\
         small, code {{ color: #555; }} h3 {{ margin: 0; }} ul {{ margin: .2em 0; }}\n</style></head><body>\n<h1>{0}</h1>\n<ul>\n",
        escape(title)
    );
    for (what, gaps) in [("clauses", false), ("decided gaps", true)] {
        let total = clauses.values().filter(|covered| is_gap(covered) == gaps).count();
        for (state, count) in counts(clauses.values().filter(|covered| is_gap(covered) == gaps)) {
            let _ = writeln!(text, "<li>{count} of {total} {what}: {}</li>", state.text());
        }
    }
    text.push_str("</ul>\n");
    let mut heading = None;
    for (id, covered) in clauses {
        if heading != Some(&covered.clause.heading) {
            heading = Some(&covered.clause.heading);
            let name = if covered.clause.heading.is_empty() { "Decided gaps" } else { &covered.clause.heading };
            let _ = writeln!(text, "<h2>{}</h2>", escape(name));
        }
        let class = match (covered.state, covered.state.is_done()) {
            (State::Documented, _) => "noted",
            (_, true) => "done",
            (_, false) => "",
        };
        let _ = writeln!(
            text,
            "<section class=\"{class}\" id=\"{0}\"><h3>§{0} <small>{1}; {2}</small></h3><p>{3}</p>",
            escape(id),
            escape(&covered.clause.kind),
            covered.state.text(),
            escape(&covered.clause.text)
        );
        if let Force::Documented(reason) = &covered.clause.force {
            let _ = writeln!(text, "<p>Recorded only: {}</p>", escape(reason));
        }
        for (what, lines) in [("Rules", &covered.rules), ("Cases", &covered.cases)] {
            if !lines.is_empty() {
                let mut items = String::new();
                for line in lines {
                    let _ = write!(items, "<li><code>{}</code></li>", escape(line));
                }
                let _ = writeln!(text, "<p>{what}</p><ul>{items}</ul>");
            }
        }
        text.push_str("</section>\n");
    }
    text.push_str("</body></html>\n");
    text
}
