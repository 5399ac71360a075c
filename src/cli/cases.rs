//! Which cases belong to a rule file.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::exit::{Exit, Failure};
use super::files::{list, same_file, walk};
use crate::base::resolve_relative;
use crate::bundled::{self, CASES, PREFIX};
use crate::conformance::{Case, CaseFile, Interpreters, Outcome, Stage, load_cases, run_case_within, stages};
use crate::files::{find_rules, read_text};
use crate::load::RuleFile;
use crate::model::Meter;

/// The folder of cases in a repository of games.
pub(super) const FOLDER: &str = "tests/conformance";

/// A file of cases.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Its path; for bundled ones with the same prefix as their rule files.
    pub(super) path: String,
    /// Its contents.
    pub(super) file: CaseFile,
    /// The name of the rule file that the cases are about.
    pub(super) name: String,
    /// Its text.
    pub(super) text: String,
}

/// Reads a file of cases and the rule file they are about: a bundled game, or a path relative to the cases.
///
/// # Errors
/// If one cannot be read, or is not well formed.
pub(super) fn read_cases(path: &Path) -> Result<Found, Failure> {
    let shown = path.display().to_string();
    let file = parse(&shown, &read_text(path)?)?;
    let near = resolve_relative(path, &file.game);
    let (name, text) = if near.is_file() { find_rules(&near.display().to_string()) } else { find_rules(&file.game) }?;
    Ok(Found { path: shown, file, name, text })
}

/// The files of cases about a rule file, which is named as for [`find_rules`]. For a file on disk they are next to
/// it, in a folder `cases` next to it, or under `tests/conformance`.
///
/// # Errors
/// If one cannot be read, or is not a file of cases.
pub(super) fn cases_of(name: &str) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    let (_, rules_text) = find_rules(name)?;
    let mut add = |path: String, file| {
        found.push(Found { path, file, name: name.to_owned(), text: rules_text.clone() });
    };
    if let Some(inside) = name.strip_prefix(PREFIX) {
        for (path, text) in CASES {
            if text.contains(stem(Path::new(inside))) {
                let file = parse(&format!("{PREFIX}{path}"), text)?;
                if shipped_rules(path, &file.game) == inside {
                    add(format!("{PREFIX}{path}"), file);
                }
            }
        }
        return Ok(found);
    }
    let rules = Path::new(name);
    for path in candidates(rules)? {
        let text = read_text(&path)?;
        let own = rules.parent().is_some_and(|folder| path.starts_with(folder.join("cases")));
        // Other data in the same format may be next to rule files.
        if !own && (!text.contains("Cases(") || !text.contains(stem(rules))) {
            continue;
        }
        let shown = path.display().to_string();
        let file = parse(&shown, &text)?;
        if own && !resolve_relative(&path, &file.game).is_file() {
            find_rules(&file.game).map_err(|_| {
                let message = format!("`{shown}` is about `{}`, and there is no such rule file", file.game);
                Failure::new(Exit::Missing, message)
                    .cure("`game:` is a path relative to the file of cases, or a bundled game")
            })?;
        }
        if same_file(&resolve_relative(&path, &file.game), rules) || is_game(rules, &file.game) {
            add(shown, file);
        }
    }
    Ok(found)
}

/// The cases of a game: those under `folder`, or under `tests/conformance/GAME`, or else those that belong to the
/// rule file or are bundled. Cases of variants that are files of their own are about other rules and are left out.
///
/// # Errors
/// If the folder cannot be read or a file in it is not a file of cases.
pub(super) fn game_cases(game: &str, folder: Option<&Path>) -> Result<Vec<Case>, Failure> {
    let standard = Path::new(FOLDER).join(game);
    if folder.is_none() && !standard.is_dir() {
        let found = cases_of(&find_rules(game)?.0)?;
        return Ok(found.into_iter().flat_map(|found| found.file.cases).collect());
    }
    let (rules, mut found) = (find_rules(game)?.0, Vec::new());
    let rules = Path::new(&rules);
    for path in walk(folder.unwrap_or(&standard), &["ron"])? {
        let file = parse(&path.display().to_string(), &read_text(&path)?)?;
        let plain = folder.is_some() && Path::new(&file.game).extension().is_none();
        if file.game == game || plain || same_file(&resolve_relative(&path, &file.game), rules) {
            found.extend(file.cases);
        }
    }
    Ok(found)
}

/// The name of a file without its extension, which occurs in every file of cases about it.
fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("")
}

fn parse(path: &str, text: &str) -> Result<CaseFile, Failure> {
    load_cases(text).map_err(|error| {
        Failure::new(Exit::Faults, format!("`{path}` is not a well-formed file of cases: {error}"))
            .cure("`Cases(game: \"…\", cases: [Case(clauses: […], name: \"…\", steps: […])])`")
    })
}

/// The bundled rule file of bundled cases, by its path under `rules`.
fn shipped_rules(cases: &str, game: &str) -> String {
    if let Some((name, _)) = bundled::find(game).filter(|_| !game.contains('/')) {
        return name.trim_start_matches(PREFIX).to_owned();
    }
    let path = resolve_relative(&Path::new(FOLDER).join(cases), game);
    let path = path.to_string_lossy().replace('\\', "/");
    path.strip_prefix("rules/").unwrap_or(&path).to_owned()
}

/// Whether a rule file is that of a game in a folder of its own name.
fn is_game(rules: &Path, game: &str) -> bool {
    stem(rules) == game && same_file(rules, &resolve_relative(rules, &format!("../{game}/{game}.rules")))
}

/// Where the cases of a rule file may lie: in its own folder, below `cases` in it, and below the usual folder.
pub(super) fn case_folders(rules: &Path) -> [PathBuf; 3] {
    let folder = rules.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    [folder.to_owned(), folder.join("cases"), PathBuf::from(FOLDER)]
}

/// Files that may contain cases of a rule file on disk.
///
/// # Errors
/// If a folder cannot be listed.
pub(super) fn candidates(rules: &Path) -> Result<Vec<PathBuf>, Failure> {
    let [folder, below @ ..] = case_folders(rules);
    let mut found = list(&folder)?;
    found.retain(|path| path.is_file() && path.extension().is_some_and(|end| end == "ron"));
    for below in below {
        if below.is_dir() {
            found.extend(walk(&below, &["ron"])?);
        }
    }
    let bare = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
    Ok(found.into_iter().map(bare).collect())
}

/// Runs cases on a rule file, on several threads; those with the same setup share rules that are loaded once. `keep_going`
/// is asked before each, and all take their steps from the meter, if there is one; `told` receives each result as it comes. None for a case that was not run.
pub(super) fn run_all(
    cases: &[&Case],
    rules: &RuleFile,
    on: Interpreters,
    meter: Option<&Meter>,
    keep_going: &(dyn Fn() -> bool + Sync),
    told: &(dyn Fn(usize, &Outcome) + Sync),
) -> Vec<Option<Outcome>> {
    let run = |group: Vec<usize>| -> Vec<(usize, Option<Outcome>)> {
        let these: Vec<&Case> = group.iter().map(|&number| cases[number]).collect();
        // If one of them does not fit the rules, each is reported separately.
        let stage = if group.len() > 1 && keep_going() { Stage::new(&these, rules, on).ok() } else { None };
        let stage = stage.map(|stage| stage.metered(meter));
        let one = |&number: &usize| {
            let case = cases[number];
            let outcome = keep_going().then(|| match &stage {
                Some(stage) => stage.run(case),
                None => run_case_within(case, rules, on, meter),
            });
            if let Some(outcome) = &outcome {
                told(number, outcome);
            }
            (number, outcome)
        };
        group.par_iter().map(one).collect()
    };
    let mut found: Vec<(usize, Option<Outcome>)> = stages(cases).into_par_iter().flat_map(run).collect();
    found.sort_unstable_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, outcome)| outcome).collect()
}
