//! `explain`: a diagnostic, or a clause with its rules.

use std::path::Path;

use serde_json::{Value, json};

use super::exit::{Exit, Failure};

use super::game::{SetupArgs, open};
use super::ui::Ui;
use super::verbose::VerboseArgs;
use crate::api::Rules;
use crate::base::nearest;
use crate::files::find_rules;
use crate::ir::RuleId;
use crate::measure::{Refused, refusals};
use crate::report::Code;
use crate::view::{Detail, kind_of_clause, refusal, rules_list, rules_names};

/// Explains a diagnostic (`explain CODE`), a game's clauses (`explain GAME`) or one (`explain GAME §CLAUSE`)
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ExplainArgs {
    /// A code such as `check/unknown-name`, or a game
    #[arg(value_name = "CODE or GAME")]
    what: String,
    /// The id of a clause, with or without `§`
    #[arg(value_name = "§CLAUSE")]
    clause: Option<String>,
    /// Draw N random moves that are not legal, and show why each is refused, in which position, and how many clauses are
    /// cited for each
    #[arg(long, value_name = "N", conflicts_with = "clause")]
    refusals: Option<usize>,
    #[command(flatten)]
    verbose: VerboseArgs,
    #[command(flatten)]
    setup: SetupArgs,
}

/// Runs the command.
pub(super) fn run(args: &ExplainArgs, ui: Ui) -> Result<Exit, Failure> {
    if let Some(wanted) = args.refusals {
        return list_refusals(args, wanted, ui);
    }
    match &args.clause {
        Some(clause) => explain_clause(args, clause.trim_start_matches('§'), ui),
        None if Code::parse(&args.what).is_none() && names_rules(&args.what) => list_clauses(args, ui),
        None => explain_code(&args.what, ui),
    }
}

/// Whether this names rules, be they there or not.
fn names_rules(what: &str) -> bool {
    Path::new(what).extension().is_some_and(|end| end == "rules") || find_rules(what).is_ok()
}

fn explain_code(text: &str, ui: Ui) -> Result<Exit, Failure> {
    let Some(code) = Code::parse(text) else {
        let codes = || Code::ALL.iter().map(|code| code.text());
        // Users type what they remember: the end of a code suffices.
        let ends = codes().filter(|code| code.rsplit('/').next() == Some(text)).collect::<Vec<_>>();
        let near = ends.first().copied().or_else(|| nearest(text, codes()));
        let cure = match near {
            Some(near) => format!("did you mean `{near}`? For a clause, use `regelwerk explain GAME §CLAUSE`"),
            None => format!("the codes are: {}", codes().collect::<Vec<_>>().join(", ")),
        };
        return Err(Failure::new(Exit::Usage, format!("there is no code `{text}`")).cure(cure));
    };
    if ui.is_json() {
        ui.json(&json!({"code": code.text(), "page": code.page()}));
    } else {
        ui.line(code.page());
    }
    Ok(Exit::Done)
}

/// Every clause of a game with the number of rules that cite it.
fn list_clauses(args: &ExplainArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.what, &args.setup)?;
    let game = opened.game();
    let mut list: Vec<Value> = Vec::new();
    for (id, clause) in &game.clauses.clauses {
        let rules = game.rules.iter().filter(|rule| rule.clauses.contains(id)).count();
        if ui.is_json() {
            list.push(json!({"clause": id, "kind": clause.kind, "text": clause.text, "rules": rules}));
        } else {
            let cited = match rules {
                0 => ui.words("clause-uncited", &[]),
                n => ui.words("clause-rules", &[("count", n.into())]),
            };
            ui.line(format!("§{id} ({}, {cited}): {}", kind_of_clause(ui.lang, clause), clause.text_in(ui.lang.tag())));
        }
    }
    if ui.is_json() {
        ui.json(&json!({"game": game.name, "clauses": list}));
    } else if game.clauses.clauses.is_empty() {
        ui.say("clause-none", &[]);
    }
    Ok(Exit::Done)
}

fn explain_clause(args: &ExplainArgs, id: &str, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.what, &args.setup)?;
    let game = opened.game();
    let clauses = &game.clauses.clauses;
    let Some(clause) = clauses.get(id) else {
        let cure = match nearest(id, clauses.keys().map(String::as_str)) {
            Some(near) => format!("did you mean `§{near}`?"),
            None if clauses.is_empty() => "its rules do not name a document".to_owned(),
            None => {
                format!("the choices are {}", clauses.keys().map(|id| format!("§{id}")).collect::<Vec<_>>().join(", "))
            }
        };
        return Err(Failure::new(Exit::Usage, format!("{} has no clause `§{id}`", args.what)).cure(cure));
    };
    let citing: Vec<RuleId> =
        game.rules.numbered().filter(|(_, rule)| rule.clauses.iter().any(|c| c == id)).map(|(n, _)| n).collect();
    if ui.is_json() {
        let rules: Vec<Value> = citing.iter().map(|rule| rule_json(&opened, *rule)).collect();
        ui.json(&json!({"game": game.name, "clause": id, "text": clause.text, "kind": clause.kind, "rules": rules}));
        return Ok(Exit::Done);
    }
    ui.line(format!("§{id} ({}): {}", kind_of_clause(ui.lang, clause), clause.text_in(ui.lang.tag())));
    if citing.is_empty() {
        ui.say("clause-nowhere", &[]);
    }
    if args.verbose.detail() == Detail::Rules {
        ui.print(&rules_list(ui.lang, game, opened.sources(), &citing));
    } else {
        ui.print(&rules_names(ui.lang, game, &citing));
    }
    Ok(Exit::Done)
}

/// How many clauses are cited for random moves that are not legal, and for which.
fn list_refusals(args: &ExplainArgs, wanted: usize, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.what, &args.setup)?;
    let found = refusals(opened.engine(), args.setup.seed(), wanted);
    let cited: usize = found.iter().map(|one| one.clauses.len()).sum();
    let silent = found.iter().filter(|one| one.clauses.is_empty()).count();
    // In tenths, rounded.
    let mean = (cited * 20 + found.len()) / (found.len() * 2).max(1);
    let mean = format!("{}.{}", mean / 10, mean % 10);
    let (game, sources) = (opened.game(), opened.sources());
    let told = |one: &Refused| refusal(ui.lang, game, sources, &one.text, &one.refusal, args.verbose.detail());
    if ui.is_json() {
        let one = |one: &Refused| {
            json!({
                "ply": one.ply, "position": one.position, "move": one.text, "reason": one.refusal.why.word(),
                "text": told(one), "clauses": one.clauses,
            })
        };
        let all: Vec<Value> = found.iter().map(one).collect();
        let mean: Option<f64> = mean.parse().ok();
        ui.json(&json!({"game": game.name, "mean": mean, "without": silent, "refused": all}));
        return Ok(Exit::Done);
    }
    for one in &found {
        ui.print(&told(one));
        ui.line(format!("  {}", ui.words("play-position", &[("position", (&one.position).into())])));
    }
    let (name, moves) = (&game.name, found.len());
    ui.line(format!("{name}: {moves} illegal moves, {mean} clauses cited for each; none for {silent}"));
    Ok(Exit::Done)
}

/// The first line of a rule's text.
fn source_line(opened: &Rules, rule: RuleId) -> &str {
    let span = opened.game().rules.get(rule).map(|rule| rule.span);
    span.map_or("", |span| opened.sources().slice(span)).lines().next().unwrap_or("").trim()
}

fn rule_json(opened: &Rules, rule: RuleId) -> Value {
    let Some(info) = opened.game().rules.get(rule) else {
        return Value::Null;
    };
    let file = opened.sources().get(info.span.file).map(|source| source.name.clone());
    let (line, _) = opened.sources().line_column(info.span);
    json!({"name": info.name, "file": file, "line": line, "text": source_line(opened, rule), "clauses": info.clauses})
}
