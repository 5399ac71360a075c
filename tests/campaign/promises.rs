//! What is promised of an input, whoever made it: the campaign from a seed, or a fuzzer.

use std::ops::Range;

use regelwerk::conformance::load_cases;
use regelwerk::document::{Document, Report as Findings, Settled, draft, inspect, normal, read_registry};
use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::measure::Shard;
use regelwerk::mend::{Subject, mend, offer};
use regelwerk::model::{Ending, Engine, Position};
use regelwerk::notation::{parse_move, parse_position, print_move};
use regelwerk::play::{Record, Stream, deal, replay};
use regelwerk::reference::{STEPS, Walker};
use regelwerk::report::{Report, Severity};
use regelwerk::serve::Server;
use regelwerk::syntax::{bare, format};
use serde_json::Value;

use super::clock::timed;
use crate::support::print_position;

/// How a game was played.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) positions: u64,
    pub(crate) lowered: bool,
    /// Whether a decision took all steps of the reference interpreter alone.
    pub(crate) spent: bool,
}

/// Plays a game at random for up to so many moves on both interpreters, which must agree on every position and its moves;
/// each is read as it is written.
pub(crate) fn play_both(game: Game, seed: u64, number: u64, text: &str, length: usize) -> Played {
    let walker = Walker::new(game.clone());
    let fast = timed("lowering", || Fast::new(game));
    let lowered = fast.lowered();
    let what = || format!("seed {seed}, game {number}:\n{text}");
    let mut dice = Stream::new(seed, "played", number);
    let mut position = deal(&fast, timed("start", || fast.start()), &mut dice);
    let mut played = Played { lowered, ..Played::default() };
    for _ in 0..length {
        let (moves, listed) =
            (timed("moves, reference", || walker.legal(&position)), timed("moves", || fast.legal(&position)));
        if listed != moves && patient(&walker).legal(&position) == listed {
            played.spent = true;
            break;
        }
        assert_eq!(listed, moves, "{}\n{}", print_position(&walker, &position), what());
        played.positions += 1;
        round_trip(&walker, &position, &what);
        let Some(mv) = moves.get(dice.below(moves.len().max(1))) else { break };
        let written = print_move(walker.game(), &position, mv);
        let next = timed("move", || fast.play_unchecked(&position, mv));
        let other = timed("move, reference", || walker.play_unchecked(&position, mv));
        if next != other && spent(&other) && patient(&walker).play_unchecked(&position, mv) == next {
            played.spent = true;
            break;
        }
        assert_eq!(other, next, "{written} in {}\n{}", print_position(&walker, &position), what());
        assert_eq!(walker.violations(&next), fast.violations(&next), "{}", what());
        position = next;
        if position.is_over() {
            break;
        }
    }
    played
}

/// The reference interpreter with so many steps that it does what the other one does with fewer.
fn patient(walker: &Walker) -> Walker {
    walker.clone().with_budget(STEPS * 50)
}

/// Whether the game ended because a decision took too many steps.
fn spent(position: &Position) -> bool {
    matches!(position.outcome.as_ref().map(|outcome| outcome.ending), Some(Ending::Budget(_)))
}

fn round_trip(walker: &Walker, position: &Position, what: &dyn Fn() -> String) {
    let text = print_position(walker, position);
    let again = parse_position(walker, &text).unwrap_or_else(|why| panic!("{text}: {why}\n{}", what()));
    assert_eq!(&again, position, "{text}\n{}", what());
}

fn place(report: &Report) -> Range<usize> {
    let at = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    at(report.span.start)..at(report.span.end)
}

/// A text is refused with a report that has a place, or it is a game that formatting does not change, played alike by both
/// interpreters; none if it is refused. Of what is refused, every fourth is laid out, and every eighth checked again.
pub(crate) fn rule_file(input: &str, seed: u64, number: u64) -> Option<Played> {
    let loaded = timed("check", || load("g.rules", input, &NoFiles, &Setup::default()));
    if loaded.game.is_none() && !number.is_multiple_of(4) {
        let reports = loaded.reports.sorted();
        assert!(reports.iter().any(|report| report.code.severity() == Severity::Error), "no error:\n{input}");
        assert!(reports.iter().all(|report| input.get(place(report)).is_some()), "no place:\n{input}");
        return None;
    }
    let Some(laid_out) = timed("format", || format(input)) else {
        assert!(loaded.reports.has_errors(), "it has no layout and no error:\n{input}");
        return None;
    };
    assert_eq!(format(&laid_out).as_deref(), Some(laid_out.as_str()), "formatting is not idempotent:\n{input}");
    assert_eq!(bare(&laid_out), bare(input), "formatting changes the tokens:\n{input}");
    if loaded.game.is_none() && !number.is_multiple_of(8) {
        return None;
    }
    let again = load("g.rules", &laid_out, &NoFiles, &Setup::default());
    assert_eq!(again.game.is_some(), loaded.game.is_some(), "formatting changes what is accepted:\n{input}");
    let game = loaded.game?;
    assert_eq!(again.game.map(|game| game.pin()), Some(game.pin()), "formatting changes the digest:\n{input}");
    Some(play_both(game, seed, number, input, 12))
}

/// A position is refused with a reason, or written back as it is, with the same moves on both interpreters.
pub(crate) fn position(walker: &Walker, fast: &Fast, input: &str) -> bool {
    let Ok(position) = timed("read", || parse_position(walker, input)) else { return false };
    let written = print_position(walker, &position);
    let again = parse_position(fast, &written).unwrap_or_else(|why| panic!("{input} is written {written}: {why}"));
    assert_eq!(again, position, "{input} is written {written}");
    let moves = timed("moves, reference", || walker.legal(&position));
    assert_eq!(timed("moves", || fast.legal(&position)), moves, "{input}");
    for mv in moves.iter().take(3) {
        let next = timed("move", || fast.play_unchecked(&position, mv));
        assert_eq!(next, walker.play_unchecked(&position, mv), "{input}");
        let text = print_move(walker.game(), &position, mv);
        assert_eq!(parse_move(walker.game(), &position, &text).as_ref(), Ok(mv), "{input}: {text}");
    }
    true
}

/// A record is refused with a reason, or replayed to its last step.
pub(crate) fn record(walker: &Walker, input: &str) -> bool {
    let Ok(record) = Record::parse(input) else { return false };
    assert_eq!(Record::parse(&record.print()).as_ref(), Ok(&record), "{input}");
    match timed("replay", || replay(walker, &record).map_err(Box::new)) {
        Ok(played) => {
            assert_eq!(played.game.steps().len(), record.steps.len(), "{input}");
            true
        }
        Err(why) => {
            assert!(!why.to_string().is_empty(), "{input}");
            false
        }
    }
}

/// Cases are refused with a place, or loaded.
pub(crate) fn cases(input: &str) -> bool {
    match timed("read", || load_cases(input)) {
        Ok(_) => true,
        Err(why) => {
            assert!(why.contains(':'), "no place in: {why}");
            false
        }
    }
}

/// A shard is refused, or read.
pub(crate) fn shard(input: &str) -> bool {
    match serde_json::from_str::<Value>(input) {
        Ok(value) => serde_json::from_value::<regelwerk::measure::Tally>(value).is_ok(),
        Err(_) => serde_json::from_str::<Shard<regelwerk::measure::Tally>>(input).is_ok(),
    }
}

/// A line is answered with one object in JSON, which has a result or an error with a cure; returns whether a result.
pub(crate) fn request(server: &mut Server<'_>, input: &str) -> bool {
    let answer = timed("answer", || server.answer(input));
    let value: Value = serde_json::from_str(&answer.text).unwrap_or_else(|why| panic!("{input}: {why}"));
    let (result, error) = (value.get("result"), value.get("error"));
    assert_eq!(result.is_some(), error.is_none(), "{input}: {value}");
    if let Some(error) = error {
        let said = |name: &str| error[name].as_str().is_some_and(|text| !text.is_empty());
        assert!(said("code") && said("message") && said("cure"), "{input}: {value}");
    }
    result.is_some()
}

/// The registry of a document, as it is drafted.
pub(crate) fn settled(document: &Document) -> Settled {
    let drafted = draft(document, "A page");
    Settled {
        registry: read_registry(&drafted).unwrap_or_else(|why| panic!("{why}:\n{drafted}")),
        ..Settled::default()
    }
}

/// A document is split, and its clauses are those of its own draft; compared with what it was, every finding has its line.
/// Returns whether nothing is found.
pub(crate) fn document(input: &str, known: &Settled) -> bool {
    let Ok(document) = timed("read", || Document::read(input)) else { return false };
    let lines = u32::try_from(input.lines().count()).expect("few lines");
    for unit in &document.units {
        assert!((1..=lines).contains(&unit.line), "{} is in no line of:\n{input}", unit.text);
    }
    let own = timed("compare", || Findings::new(&document, &settled(&document)));
    // A sentence that is worded like a heading is still taken for that; see the page on reliability.
    let titles: Vec<String> = document.headings().map(normal).collect();
    let doubled = document.units.iter().any(|unit| unit.speaks() && titles.contains(&normal(&unit.text)));
    assert!(doubled || own.open.len() <= inspect(&document).len(), "it differs from its own draft:\n{input}");
    let found = timed("compare", || Findings::new(&document, known)).open;
    assert!(found.iter().all(|finding| finding.line <= lines), "a finding has no line: {found:?}\n{input}");
    found.is_empty()
}

/// The comments and quoted texts of a rule file, which nothing but a person can put right.
fn prose(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once("//")).map(|(_, comment)| comment.trim()).collect()
}

/// Words and numbers.
fn words(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).count()
}

/// All fixes of a file that are made leave it with fewer errors, and drop nothing: no comment and no word. So does each that is
/// offered, but for one of two equal words side by side. What they complete is laid out. Returns whether one has completed it.
pub(crate) fn fix(input: &str) -> bool {
    let errors = |text: &str| {
        let loaded = load("g.rules", text, &NoFiles, &Setup::default());
        let list = loaded.reports.sorted();
        let all = list.iter().filter(|report| report.code.severity() == Severity::Error);
        let unread = all.clone().filter(|report| report.code.text().starts_with("syntax/")).count();
        (unread, all.count())
    };
    let mended = timed("mend", || mend(Subject { name: "g.rules", text: input, files: &NoFiles }, &Setup::default()));
    let (before, after) = (errors(input), errors(&mended.text));
    assert_eq!(mended.done.is_empty(), mended.text == input, "{input}\nbecame\n{}", mended.text);
    assert!(mended.done.is_empty() || after < before, "{before:?} → {after:?}:\n{input}\nbecame\n{}", mended.text);
    assert_eq!(prose(&mended.text), prose(input), "a comment is lost:\n{input}\nbecame\n{}", mended.text);
    assert!(words(input) <= words(&mended.text), "words are lost:\n{input}\nbecame\n{}", mended.text);
    let mut loaded = load("g.rules", input, &NoFiles, &Setup::default());
    timed("offer", || {
        offer(Subject { name: "g.rules", text: input, files: &NoFiles }, &Setup::default(), &mut loaded);
    });
    let mut complete = after.1 == 0;
    for fix in loaded.reports.sorted().iter().filter_map(|report| report.fix.as_ref()) {
        let text = [&input[..fix.span.start as usize], &fix.text, &input[fix.span.end as usize..]].concat();
        let after = errors(&text);
        assert!(after < before, "{before:?} → {after:?}:\n{input}\nwould become\n{text}");
        assert_eq!(prose(&text), prose(input), "a comment is lost:\n{input}\nwould become\n{text}");
        assert!(words(input).saturating_sub(words(&text)) <= 1, "words are lost:\n{input}\nwould become\n{text}");
        assert!(after.1 > 0 || format(&text).is_some(), "it has no layout:\n{text}");
        complete |= after.1 == 0;
    }
    complete && before.1 > 0
}
