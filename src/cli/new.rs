//! `new`: creates a game folder that checks, plays and passes its case.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use tempfile::Builder;

use super::exit::{Exit, Failure};
use super::files::make_folder;
use super::ui::{Ui, wrapped};
use super::write::write_text;
use crate::bundled::{PREFIX, find};
use crate::files::{Library, find_rules};
use crate::load::{Offer, Setup, load};
use crate::report::{Code, Severity};
use crate::syntax::ast::item::{Item, ItemKind};

/// Creates a new game, or a variant of one, in a folder of its own
#[derive(Clone, Debug, clap::Args)]
pub(super) struct NewArgs {
    /// The name of the game: lower-case letters, digits and `-`
    #[arg(value_name = "NAME", value_parser = name)]
    name: String,
    /// Start from this game, as a variant: a rule file, or a bundled game
    #[arg(long, value_name = "GAME")]
    from: Option<String>,
}

fn name(text: &str) -> Result<String, String> {
    let letter = text.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if letter && text.chars().all(fits) && !text.ends_with('-') && !text.contains("--") {
        Ok(text.to_owned())
    } else {
        Err("use lower-case letters, digits and single `-`, starting with a letter".to_owned())
    }
}

/// Writes the files of a new game into a new folder, which is there whole or not at all.
fn written(name: &str, rules: &str, case: &str) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::new(Exit::Missing, format!("`{name}` cannot be made: {error}"));
    let beside = Builder::new().prefix(".regelwerk-").tempdir_in(".").map_err(failed)?;
    let folder = beside.path().join(name);
    let fill = || {
        make_folder(&folder.join("cases"))?;
        write_text(&folder.join(format!("{name}.rules")), rules)?;
        write_text(&folder.join("cases").join("first.ron"), &case.replace("NAME", name))
    };
    // Nobody has heard of the folder in which it is made.
    let plain = |failure: Failure| {
        let message = failure.message.replace(&folder.display().to_string(), name);
        Failure { message, ..failure }
    };
    fill().map_err(plain)?;
    fs::rename(&folder, name).map_err(failed)
}

/// Whether the rules can be played where they will be.
fn sound(name: &str, rules: &str) -> Result<(), Failure> {
    let loaded = load(&format!("{name}/{name}.rules"), rules, &Library, &Setup::default());
    let reports = loaded.reports.sorted();
    let error = reports.iter().find(|report| report.code.severity() == Severity::Error);
    error.map_or(Ok(()), |error| {
        let failure = Failure::new(Exit::Usage, format!("the new game would have an error: {}", error.message));
        // The chain of files that it extends is too long under any name.
        let chain = matches!(error.code, Code::OutOfRange | Code::Circular | Code::MissingFile);
        let cure = error.help.clone().filter(|_| chain);
        Err(failure.cure(cure.unwrap_or_else(|| "choose another name".to_owned())))
    })
}

/// Runs the command.
pub(super) fn run(args: &NewArgs, ui: Ui) -> Result<Exit, Failure> {
    if Path::new(&args.name).exists() {
        let message = format!("`{}` already exists", args.name);
        return Err(Failure::new(Exit::Usage, message).cure("choose another name, or remove it"));
    }
    if find(&args.name).is_some() {
        let message = format!("`{}` is a bundled game: commands would use that one instead of the new one", args.name);
        return Err(Failure::new(Exit::Usage, message).cure("choose another name"));
    }
    let (rules, case) = match &args.from {
        Some(from) => variant(&args.name, from)?,
        None => (GAME.replace("NAME", &args.name), GAME_CASE.to_owned()),
    };
    sound(&args.name, &rules)?;
    written(&args.name, &rules, &case)?;
    if ui.is_json() {
        let files = [format!("{0}/{0}.rules", args.name), format!("{}/cases/first.ron", args.name)];
        ui.json(&json!({ "game": args.name, "files": files }));
        return Ok(Exit::Done);
    }
    ui.line(format!("`{0}/{0}.rules` and a conformance case have been created. Next steps:", args.name));
    for command in ["check", "play", "test", "watch"] {
        ui.line(format!("  regelwerk {command} {0}/{0}.rules", args.name));
    }
    if args.from.is_some() {
        ui.line(format!("  regelwerk diff {0}/{0}.rules", args.name));
    }
    Ok(Exit::Done)
}

/// A file that extends another, and a case for it: a bundled game is extended by its name, other files by path.
fn variant(name: &str, from: &str) -> Result<(String, String), Failure> {
    let (found, text) = find_rules(from)?;
    let path = if found.starts_with(PREFIX) || Path::new(&found).is_absolute() {
        from.strip_suffix(".rules").filter(|_| found.starts_with(PREFIX)).unwrap_or(from).to_owned()
    } else {
        format!("../{found}")
    };
    if path.contains(['"', '\n', '\r']) {
        let message = format!("`{from}` cannot be named in a rule file: its path has a quotation mark or a line break");
        return Err(Failure::new(Exit::Usage, message).cure("rename it"));
    }
    let loaded = load(&found, &text, &Library, &Setup::default());
    if loaded.game.is_none() {
        let message = format!("the rules of `{from}` have errors");
        return Err(Failure::new(Exit::Faults, message).cure(format!("run `regelwerk check {from}`")));
    }
    let title = name.replace('-', " ");
    let rules = VARIANT.replace("NAME", name).replace("TITLE", &title).replace("FROM", &path);
    Ok((rules + &changeable(&loaded.offer, &loaded.items), VARIANT_CASE.to_owned()))
}

/// What a single line can change, as comments to be uncommented.
fn changeable(offer: &Offer, items: &[Arc<Item>]) -> String {
    let mut text = String::new();
    for choice in offer.options.iter().chain(&offer.readings) {
        let values = match choice.values.as_slice() {
            [] => String::new(),
            [first, .., last] if choice.values.len() > 6 => format!(" ({first} … {last})"),
            values => format!(" ({})", values.join(" | ")),
        };
        let _ = writeln!(text, "// set {} = {}  // {}{values}", choice.name, choice.default, choice.text);
    }
    let names: Vec<String> = items
        .iter()
        .filter(|item| {
            matches!(
                item.kind,
                ItemKind::Kinds { .. }
                    | ItemKind::Table(..)
                    | ItemKind::Region(..)
                    | ItemKind::Define(..)
                    | ItemKind::Procedure(..)
                    | ItemKind::Setup(_)
                    | ItemKind::Action(..)
                    | ItemKind::Play(_)
                    | ItemKind::End { .. }
            )
        })
        .map(|item| item.key())
        .collect();
    if !names.is_empty() {
        text.push_str("//\n// `replace` and `remove` take the name of an item, among them:\n");
        for line in wrapped(&names.join(", "), 0).lines() {
            let _ = writeln!(text, "//   {line}");
        }
    }
    text
}

/// A first game: complete, and small enough to be taken in at a glance.
const GAME: &str = r#"game NAME "NAME"

players first "First", second "Second"
board square 4 x 4
piece stone "stone" owned

clause §1 "A stone goes onto any empty field."
clause §2 "Three stones in a row win."
clause §3 "A full board without a row is a draw."

action place "place a stone" §1 {
  choose f in empty                                                      §1
  put own stone on f
}

play {
  turns { mover plays place }
}

end row "three in a row" after move when line(own stone, 3)              §2
{ win me }
end full "the board is full" after move when no empty                    §3
{ draw }

invariant few: count(stone) <= 16
"#;

const GAME_CASE: &str = r#"Cases(
    game: "../NAME.rules",
    cases: [
        Case(
            clauses: ["2", "1"],
            name: "three in a row win",
            given: Position("mover=first | stone.first: a1 b1 | stone.second: a4 b4"),
            steps: [
                Illegal("a4", ["1"]),
                Play(["c1"]),
                Won(["first"], ["2"]),
            ],
        ),
    ],
)
"#;

/// A variant: everything is as in the extended game until something is changed.
const VARIANT: &str = r#"game NAME "TITLE" extends "FROM"

// What the other game says holds here as well, until a line changes it. Take away
// the `//` in front of one, and change its value:
//
"#;

const VARIANT_CASE: &str = r#"Cases(
    game: "../NAME.rules",
    cases: [
        Case(
            clauses: [],
            name: "the game begins and is not over",
            steps: [
                GoesOn,
            ],
        ),
    ],
)
"#;
