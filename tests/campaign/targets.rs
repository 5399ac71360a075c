//! Damaged inputs of every kind, each with what is promised about it.

use std::ops::Range;

use regelwerk::engine::Fast;
use regelwerk::load::{Files, Setup, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::Engine;
use regelwerk::play::{Match, Record, Step, Stream};
use regelwerk::reference::Walker;
use regelwerk::serve::{Limits, Selection, Server};

use super::clock::{about, timed};
use super::promises::{self, position, rule_file};
use super::{editors, laid, loops, modules, pairs, papers, settings, shapes};
use crate::damage::tokens;
use crate::support::{Disk, GAMES, classics, engine, fixtures, print_position, read, root, rules_of};

/// What a target found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) inputs: u64,
    pub(super) accepted: u64,
    /// Positions compared on both interpreters.
    pub(super) positions: u64,
    /// Decisions that took all steps of the reference interpreter and not those of the other.
    pub(super) spent: u64,
}

impl Found {
    pub(super) fn add(&mut self, more: &Self) {
        self.inputs += more.inputs;
        self.accepted += more.accepted;
        self.positions += more.positions;
        self.spent += more.spent;
    }
}

/// A promise, and how to try it on the inputs with these numbers from a seed.
pub(super) struct Target {
    pub(super) name: &'static str,
    pub(super) run: fn(u64, u64, u64) -> Found,
    /// How many inputs at a time.
    pub(super) batch: u64,
    /// How much of the time of a campaign it gets, in hundredths.
    pub(super) share: u32,
}

pub(super) const TARGETS: &[Target] = &[
    Target { name: "rule files", run: texts, batch: 500, share: 18 },
    Target { name: "positions", run: positions, batch: 2000, share: 6 },
    Target { name: "games at random", run: games, batch: 1200, share: 4 },
    Target { name: "records", run: records, batch: 2000, share: 6 },
    Target { name: "registries", run: registries, batch: 500, share: 5 },
    Target { name: "cases", run: cases, batch: 2000, share: 3 },
    Target { name: "shards", run: shards, batch: 2000, share: 2 },
    Target { name: "documents", run: papers::documents, batch: 500, share: 3 },
    Target { name: "fixes", run: papers::fixes, batch: 300, share: 3 },
    Target { name: "requests", run: requests, batch: 2000, share: 8 },
    Target { name: "messages of editors", run: editors::editors, batch: 1000, share: 6 },
    Target { name: "settings in pairs", run: settings::settings, batch: 200, share: 6 },
    Target { name: "pairs that look alike", run: pairs::pairs, batch: 100, share: 5 },
    Target { name: "compiled modules", run: modules::modules, batch: 100, share: 4 },
    Target { name: "large shapes", run: shapes::shapes, batch: 20, share: 3 },
    Target { name: "loops without end", run: loops::loops, batch: 20, share: 2 },
    Target { name: "overlays that meet", run: laid::laid, batch: 100, share: 2 },
];

/// A text with a few pieces damaged: characters or tokens dropped, doubled, exchanged or replaced.
fn damaged(text: &str, dice: &mut Stream) -> String {
    let mut text = text.to_owned();
    for _ in 0..=(dice.below(4) / 3) {
        let list = tokens(&text);
        if list.is_empty() {
            return text;
        }
        let (from, to) = list[dice.below(list.len())];
        let (other, end) = list[dice.below(list.len())];
        let number = text[from..to].parse::<i64>().ok();
        let new = match dice.below(9) {
            0 => String::new(),
            1 => format!("{} {}", &text[from..to], &text[from..to]),
            2 | 3 => text[other..end].to_owned(),
            4 => ["-1", "18446744073709551616", "0", "\u{202e}", "\"", "{", ")", "null", "1e9", "\\u0000"]
                [dice.below(10)]
            .to_owned(),
            5 => text[from..to].chars().rev().collect(),
            6..=8 if number.is_some() => number.map_or(0, |number| number + 1 - 2 * (number % 2)).to_string(),
            _ => {
                let at = text[from..to].chars().count();
                text[from..to].chars().take(dice.below(at + 1)).collect()
            }
        };
        text.replace_range(from..to, &new);
    }
    text
}

/// Runs a promise on damaged versions of some texts, each made from the seed and its number. `promise` says whether the
/// input was accepted.
pub(super) fn attack(
    what: &str,
    seed: u64,
    numbers: Range<u64>,
    texts: &[String],
    promise: &mut dyn FnMut(usize, &str, u64) -> bool,
) -> Found {
    let mut found = Found::default();
    for number in numbers {
        let mut dice = Stream::new(seed, what, number);
        let at = dice.below(texts.len());
        let input = damaged(&texts[at], &mut dice);
        about(format!("{what} {number}"));
        found.accepted += u64::from(promise(at, &input, number));
        found.inputs += 1;
    }
    found
}

/// Rule files that stand alone, and generated ones.
fn sheets(seed: u64) -> Vec<String> {
    let mut texts: Vec<String> = classics().iter().chain(&fixtures()).map(|path| read(path)).collect();
    texts.retain(|text| !text.contains(" extends "));
    texts.extend((0..60).map(|number| super::generate::game(seed, number)));
    // Fifteen short ones for each of the others, since more of them can be tried in the time.
    let short = 15 * texts.len() as u64;
    texts.extend((0..short).map(|number| super::generate::brief(seed, number)));
    texts
}

/// Damaged rule files are refused with a place, or they are games.
fn texts(seed: u64, from: u64, to: u64) -> Found {
    let mut positions = (0, 0);
    let mut found = attack("texts", seed, from..to, &sheets(seed), &mut |_, input, number| {
        let Some(played) = rule_file(input, seed, number) else { return false };
        positions.0 += played.positions;
        positions.1 += u64::from(played.spent);
        true
    });
    (found.positions, found.spent) = positions;
    found
}

/// A game with positions that arise in it.
fn arisen(game: &str, seed: u64) -> (Walker, Vec<String>) {
    let walker = engine(&rules_of(game), &Setup::default());
    let mut texts = Vec::new();
    crate::support::walk(&walker, seed, 12, |position| texts.push(print_position(&walker, position)));
    (walker, texts)
}

/// A damaged position is refused with a reason, or written back as it is, with the same moves on both interpreters.
fn positions(seed: u64, from: u64, to: u64) -> Found {
    let mut found = Found::default();
    for (at, game) in GAMES.iter().enumerate() {
        let (walker, texts) = arisen(game, seed);
        let fast = Fast::new(walker.game().clone());
        let each = |number: u64| (number + GAMES.len() as u64 - 1 - at as u64) / GAMES.len() as u64;
        let part = attack(game, seed, each(from)..each(to), &texts, &mut |_, input, _| position(&walker, &fast, input));
        found.add(&Found { positions: part.accepted, ..part });
    }
    found
}

/// Games of which the reference plays few plies a second.
const SLOW: [&str; 9] =
    ["battleship", "chess", "go", "halma", "hnefatafl", "lines-of-action", "quoridor", "shogi", "xiangqi"];

/// Random games of the rule files of the repository mean the same on both interpreters, at every question.
fn games(seed: u64, from: u64, to: u64) -> Found {
    let paths: Vec<_> = GAMES.iter().map(|game| rules_of(game)).chain(classics()).chain(fixtures()).collect();
    let mut found = Found::default();
    for (at, path) in paths.iter().enumerate() {
        let mine = |number: &u64| number % paths.len() as u64 == at as u64;
        if !(from..to).any(|number| mine(&number)) {
            continue;
        }
        let setups = crate::support::setups(path);
        // Each batch plays the next of the game's setups.
        let setup = &setups[usize::try_from(from / (to - from).max(1)).unwrap_or_default() % setups.len()];
        let fast = Fast::new(crate::support::game(path, setup));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let length = if SLOW.contains(&name.as_str()) { 20 } else { 600 };
        for number in (from..to).filter(mine) {
            let what = format!("{name} {setup:?}");
            found.inputs += 1;
            found.accepted += u64::from(fast.lowered());
            let seen = crate::equal::compare(&fast, seed.wrapping_add(number), length, &what);
            found.positions += seen as u64;
        }
    }
    found
}

/// A damaged record is refused with a reason, or replayed.
fn records(seed: u64, from: u64, to: u64) -> Found {
    let walker = engine(&rules_of(GAMES[2]), &Setup::default());
    let mut dice = Stream::new(seed, "record", 0);
    let mut game = Match::new(&walker, walker.start());
    while game.steps().len() < 12 && !game.position().is_over() {
        let moves = walker.legal(game.position());
        game.play(Step::Move(moves[dice.below(moves.len())].clone())).expect("a legal move");
    }
    let record =
        Record { game: GAMES[2].to_owned(), steps: game.texts(), digest: walker.game().pin(), ..Record::default() };
    attack("records", seed, from..to, &[record.print()], &mut |_, input, _| promises::record(&walker, input))
}

/// A rule file with another registry.
struct Registry<'t>(&'t str, &'t str);

impl Files for Registry<'_> {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        if file == self.0 { Ok((file.to_owned(), self.1.to_owned())) } else { Disk.read(by, file) }
    }
}

/// A damaged registry or ledger is refused at the line that names it, or the game loads.
fn registries(seed: u64, from: u64, to: u64) -> Found {
    let path = rules_of(GAMES[2]);
    let (name, text) = (path.display().to_string(), read(&path));
    let files = ["clauses.ron", "ledger.ron"];
    let texts: Vec<String> = files.iter().map(|file| read(&path.with_file_name(file))).collect();
    attack("registries", seed, from..to, &texts, &mut |at, input, _| {
        let loaded = timed("check", || load(&name, &text, &Registry(files[at], input), &Setup::default()));
        assert_eq!(loaded.game.is_none(), loaded.reports.has_errors(), "{input}");
        loaded.game.is_some()
    })
}

/// Damaged cases are refused with a place, or they are cases.
fn cases(seed: u64, from: u64, to: u64) -> Found {
    let files = crate::support::files_below(&root("tests/conformance"), "ron");
    let texts: Vec<String> = files.iter().map(|file| read(file)).filter(|text| text.len() < 20_000).collect();
    attack("cases", seed, from..to, &texts, &mut |_, input, _| promises::cases(input))
}

/// A damaged shard is refused, or merged with itself alone.
fn shards(seed: u64, from: u64, to: u64) -> Found {
    let walker = engine(&root("tests/fixtures/tictactoe.rules"), &Setup::default());
    let plan = Plan { cap: 50, seed: 1, invariants: false, traced: 0, reactions: None };
    let tally = simulate(&walker, &walker.start(), &plan, 0..20, &|_| {});
    let text = serde_json::to_string(&tally).expect("plain data");
    attack("shards", seed, from..to, &[text], &mut |_, input, _| promises::shard(input))
}

/// Each line is answered with one object in JSON, which has a result or an error with a cure; the server goes on.
fn requests(seed: u64, from: u64, to: u64) -> Found {
    let shelf = super::super::limits::Bundled;
    let mut server = Server::new(&shelf, Selection::default(), Limits { games: 40, steps: 4000, ..Limits::default() });
    let page = read(&root("docs/protocol.md"));
    let mut lines: Vec<String> = page.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned).collect();
    for method in ["legal", "view", "state", "events", "record", "why", "undo", "components"] {
        lines.push(format!(
            "{{\"id\": 1, \"method\": \"{method}\", \"params\": {{\"game\": 1, \"who\": \"referee\"}}}}"
        ));
    }
    for (game, name) in ["kuhn-poker", "tic-tac-toe", "pig"].iter().enumerate() {
        let new =
            format!("{{\"id\": {game}, \"method\": \"new\", \"params\": {{\"rules\": \"{name}\", \"seed\": 1}}}}");
        assert!(server.answer(&new).text.contains("\"result\""), "{new}");
        lines.push(new);
    }
    lines.retain(|line| !line.contains("quit") && !line.contains("simulate"));
    attack("requests", seed, from..to, &lines, &mut |_, input, _| promises::request(&mut server, input))
}
