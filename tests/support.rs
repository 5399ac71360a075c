//! What tests share: games, reports, random play.

use std::path::{Path, PathBuf};

use regelwerk::base::Sources;
use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::lint::{Budget, lint};
use regelwerk::load::{Loaded, NoFiles, RuleFile, Setup, load};
use regelwerk::mend::{Subject, offer};
use regelwerk::model::{Engine, Observation, Position};
use regelwerk::play::{Match, Stream, Who, deal, read_step};
use regelwerk::reference::Walker;
use regelwerk::report::{Code, Rendered, Report, Style, render};

pub(crate) use crate::disk::{Disk, read, root, rules_of};
pub(crate) use crate::folders::files_below;

/// The bundled games made from documents.
pub(crate) const GAMES: [&str; 6] = ["halma", "sternhalma", "kalaha", "halali", "hai-noon", "halli-galli"];

/// The rule files of the classics, without those that extend them.
pub(crate) fn classics() -> Vec<PathBuf> {
    let mut files = files_below(&root("rules/classics"), "rules");
    files.retain(|path| !path.components().any(|part| part.as_os_str() == "variants"));
    files
}

/// All rule files among the fixtures.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    files_below(&root("tests/fixtures"), "rules")
}

pub(crate) fn load_file(path: &Path, setup: &Setup) -> Loaded {
    load(&path.display().to_string(), &read(path), &Disk, setup)
}

/// The reference interpreter of a rule file, or a panic with its reports.
pub(crate) fn engine(path: &Path, setup: &Setup) -> Walker {
    Walker::new(game(path, setup))
}

/// The game in a rule file, or a panic with its reports.
pub(crate) fn game(path: &Path, setup: &Setup) -> Game {
    let loaded = load_file(path, setup);
    let reports = reports(&loaded);
    match loaded.game {
        Some(game) => game,
        None => panic!("{} with {setup:?} does not check:\n{reports}", path.display()),
    }
}

/// An example of a code: loaded, with fixes tried, and played if only play can show it.
pub(crate) fn example(code: Code, name: &str, text: &str, setup: &Setup) -> Loaded {
    let mut loaded = load(name, text, &NoFiles, setup);
    offer(Subject { name, text, files: &NoFiles }, setup, &mut loaded);
    if code.text().starts_with("lint/") {
        let budget = Budget { games: 30, cap: 60, seed: 0, steps: 20_000_000_000 };
        loaded.reports.append(lint(name, text, &NoFiles, budget, &|_| {}).reports);
    }
    loaded
}

/// The reports of a load as a person sees them, without colour.
pub(crate) fn reports(loaded: &Loaded) -> String {
    loaded.reports.sorted().iter().map(|report| shown(report, &loaded.sources)).collect::<Vec<_>>().join("\n")
}

/// A report as a person sees it, without colour.
pub(crate) fn shown(report: &Report, sources: &Sources) -> String {
    match render(report, sources, Style::Human { colour: false, width: 100 }) {
        Rendered::Text(text) => text,
        Rendered::Record(record) => format!("{record:?}"),
    }
}

/// The fenced blocks of a page: the info string, and the text.
pub(crate) fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info.trim().to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// A whole position as text, as for the referee.
pub(crate) fn print_position(engine: &dyn Engine, position: &Position) -> String {
    regelwerk::notation::print_position(engine, &Observation::referee(position))
}

/// Every setup worth playing.
pub(crate) fn setups(path: &Path) -> Vec<Setup> {
    RuleFile::read(&path.display().to_string(), &read(path), &Disk).setups()
}

/// Plays at random and passes on every position, including the last; of the setup only the first.
pub(crate) fn walk(engine: &dyn Engine, seed: u64, plies: u32, mut each: impl FnMut(&Position)) {
    let mut dice = Stream::new(seed, "walk", 0);
    let mut position = engine.start();
    if position.in_setup(engine.game()) {
        each(&position);
        position = deal(engine, position, &mut dice);
    }
    loop {
        each(&position);
        if position.is_over() || position.ply >= plies {
            return;
        }
        let moves = engine.legal(&position);
        assert!(!moves.is_empty(), "no legal answer: {position:?}");
        position = engine.play_unchecked(&position, &moves[dice.below(moves.len())]);
    }
}

/// A game in which chance decides by the dice, and the seats do what is typed.
pub(crate) fn played<'a>(engine: &'a Fast, dice: Stream, steps: &[&str]) -> Match<'a> {
    let mut dice = dice;
    let mut game = Match::new(engine, engine.start());
    let mut settle = |game: &mut Match<'_>| {
        while game.asked().is_none() && !game.is_over() {
            let outcome = game.fate(&mut dice).expect("an outcome");
            game.play_unchecked(outcome);
        }
    };
    settle(&mut game);
    for text in steps {
        let step = game.door(Who::Referee).read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(step).unwrap_or_else(|why| panic!("{text}: {why:?}"));
        settle(&mut game);
    }
    game
}

/// Plays steps as they are typed, moves and answers, on both interpreters; the position, and the seat that is asked.
pub(crate) fn on_both(text: &str, steps: &[&str]) -> (String, Option<usize>) {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    let fast = Fast::new(loaded.game.expect("a game"));
    let engines: [&dyn Engine; 2] = [&fast, fast.reference()];
    let [one, other] = engines.map(|engine| {
        let mut game = Match::new(engine, engine.start());
        for step in steps {
            let read = read_step(engine, game.position(), step).unwrap_or_else(|error| panic!("{step}: {error}"));
            game.play(read).unwrap_or_else(|refusal| panic!("{step}: {refusal:?}"));
        }
        (print_position(engine, game.position()), game.position().asked().map(usize::from))
    });
    assert_eq!(one, other, "{text}");
    one
}

/// The reports on what rules tell: each with its line behind the first `before`, and what it says depends on what.
pub(crate) fn tells(text: &str, before: usize) -> Vec<(usize, String)> {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{text}\n{}", reports(&loaded));
    let mut found = Vec::new();
    for report in loaded.reports.sorted().into_iter().filter(|report| report.code == Code::Tells) {
        let (line, _) = loaded.sources.line_column(report.span);
        let (what, _) = report.message.split_once(", which").expect("whom it is told");
        found.push((line - before, what.to_owned()));
    }
    found.sort();
    found
}
