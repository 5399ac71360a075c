//! `book`: writes a rulebook.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::json;

use super::content::Content;
use super::exit::{Exit, Failure};
use super::files::make_folder;
use super::game::{GameArgs, Read, read};
use super::ui::Ui;
use super::write::write_result;
use crate::book::{Altered, Block, BookInput, book, html, markdown};
use crate::diff::{Effect, Side, compare};
use crate::load::Setup;
use crate::model::{Engine, Viewer};
use crate::play::{Stream, deal};
use crate::reference::Walker;

/// Writes a rulebook: Markdown, a page of HTML, and a picture of the setup
#[derive(Clone, Debug, clap::Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The folder to write to
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &BookArgs, ui: Ui) -> Result<Exit, Failure> {
    let lang = ui.lang;
    let setup = args.game.setup.setup();
    let opened = read(ui, &args.game.game, &setup)?;
    let altered = altered(&opened, &setup);
    let Read { loaded, game, .. } = opened;
    let engine = Walker::new(game);
    let mut dice = Stream::new(args.game.setup.seed(), "deal", 0);
    let opening = engine.explain().observation(&deal(&engine, engine.start(), &mut dice), Viewer::Spectator);
    let game = engine.game();
    let input =
        BookInput { game, items: &loaded.items, offer: &loaded.offer, opening: &opening, altered: &altered, lang };
    let book = book(&input);
    let mut stem = game.name.clone();
    for variant in &game.variants {
        stem.push('-');
        stem.push_str(variant);
    }
    make_folder(&args.out)?;
    let picture = format!("{stem}.svg");
    let mut files = vec![
        (format!("{stem}.md"), Content::Page, markdown(&book, &picture)),
        (format!("{stem}.html"), Content::Page, html(&book)),
    ];
    if !book.picture.is_empty() {
        files.push((picture, Content::Page, book.picture.clone()));
    }
    let mut paths = Vec::new();
    for (name, content, text) in files {
        let path = args.out.join(name);
        write_result(&path, content, &text)?;
        paths.push(path.display().to_string());
    }
    let count = |wanted: fn(&Block) -> bool| book.blocks.iter().filter(|block| wanted(block)).count();
    let clauses = count(|block| matches!(block, Block::ClauseEntry(_)));
    let gaps = count(|block| matches!(block, Block::Decided(_)));
    if ui.is_json() {
        ui.json(&json!({"game": game.name, "lang": lang.tag(), "files": paths, "clauses": clauses, "gaps": gaps}));
    } else {
        ui.line(format!("{}: {clauses} clauses, {gaps} decided gaps", book.title));
        for path in paths {
            ui.line(format!("  {path}"));
        }
    }
    Ok(Exit::Done)
}

/// How a version affects the clauses of the game it is a version of.
fn altered(read: &Read, setup: &Setup) -> BTreeMap<String, Altered> {
    let Some((_, _, origin)) = super::diff::origin(read, setup) else { return BTreeMap::new() };
    let Some(game) = &origin.game else { return BTreeMap::new() };
    let old = Side { items: &origin.items, game, sources: &origin.sources };
    let new = Side { items: &read.loaded.items, game: &read.game, sources: &read.loaded.sources };
    let touched = compare(&old, &new).clauses.into_iter().filter_map(|touched| match touched.effect {
        Effect::Lost => Some((touched.clause, Altered { gone: true, by: touched.by })),
        Effect::Changed => Some((touched.clause, Altered { gone: false, by: touched.by })),
        Effect::Gained | Effect::Reached => None,
    });
    touched.collect()
}
