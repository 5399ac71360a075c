//! `new`: a fresh game folder that checks, plays and passes its case.

use std::path::Path;

use super::exit::{Exit, Failure};
use super::files::{find_rules, make_folder, write_text};
use super::ui::Ui;

/// Starts a game, or a variant of one, in a folder of its own
#[derive(Clone, Debug, clap::Args)]
pub(super) struct NewArgs {
    /// The name of the game: small letters, digits and `-`
    #[arg(value_name = "NAME", value_parser = name)]
    name: String,
    /// Begin as a variant of this game: a rule file, or a game that comes along
    #[arg(long, value_name = "GAME")]
    from: Option<String>,
}

fn name(text: &str) -> Result<String, String> {
    let letter = text.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if letter && text.chars().all(fits) && !text.ends_with('-') && !text.contains("--") {
        Ok(text.to_owned())
    } else {
        Err("write small letters, digits and single `-`, a letter first".to_owned())
    }
}

/// Runs the command.
pub(super) fn run(args: &NewArgs, ui: Ui) -> Result<Exit, Failure> {
    let folder = Path::new(&args.name);
    if folder.exists() {
        let message = format!("`{}` is there already", args.name);
        return Err(Failure::new(Exit::Usage, message).cure("choose another name, or remove it"));
    }
    let rules = match &args.from {
        Some(from) => variant(&args.name, from)?,
        None => GAME.replace("NAME", &args.name),
    };
    make_folder(&folder.join("cases"))?;
    write_text(&folder.join(format!("{}.rules", args.name)), &rules)?;
    let case = if args.from.is_some() { VARIANT_CASE } else { GAME_CASE };
    write_text(&folder.join("cases").join("first.ron"), &case.replace("NAME", &args.name))?;
    ui.line(format!("`{0}/{0}.rules` and a case are written. Now:", args.name));
    for command in ["check", "play"] {
        ui.line(format!("  regelwerk {command} {0}/{0}.rules", args.name));
    }
    ui.line(format!("  regelwerk test {}/cases", args.name));
    Ok(Exit::Done)
}

/// A file that extends another: one that comes along by its name, others by path.
fn variant(name: &str, from: &str) -> Result<String, Failure> {
    let (found, _) = find_rules(from)?;
    let path = if found.starts_with("shipped:") { from.to_owned() } else { format!("../{found}") };
    Ok(VARIANT.replace("NAME", name).replace("FROM", &path))
}

/// A first game: complete, and small enough to be read at a glance.
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

/// A variant: everything is as in the game it extends until something is changed.
const VARIANT: &str = r#"game NAME "NAME" extends "FROM"

// What the other game says holds here as well. Change it line by line:
//   set OPTION = VALUE
//   replace define NAME = …
//   remove end NAME
"#;

const VARIANT_CASE: &str = r#"Cases(
    game: "../NAME.rules",
    cases: [
        Case(
            clauses: ["1"],
            name: "the game begins",
            steps: [
                GoesOn,
            ],
        ),
    ],
)
"#;
