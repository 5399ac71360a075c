//! The attack on the program, as tests: for each promise a target that makes inputs from a seed and asserts the promise.
//!
//! A few of each run with the others, from a fixed seed and from a fresh one. The campaign runs as many as it is told to,
//! or for as long, from a seed of its own, and prints what it reached:
//!
//! ```text
//! CAMPAIGN_SECONDS=3600 CAMPAIGN_SEED=7 cargo test --release --test suite campaign::campaign -- --ignored --nocapture
//! ```

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

mod clock;
mod editors;
pub(crate) mod generate;
mod laid;
mod loops;
mod modules;
mod pairs;
mod papers;
mod promises;
mod settings;
mod shapes;
mod targets;
#[cfg(unix)]
mod writers;

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant};

use regelwerk::load::{Files, Setup, load};
use regelwerk::syntax::{constructs, keywords};

use crate::damage::tokens;
use crate::support::{blocks, classics, files_below, fixtures, read, reports, root};
use clock::{about, timed};
use promises::play_both;
use targets::{Found, TARGETS, Target};

/// The seed of the tests that run every time.
const FIXED: u64 = 21;

/// A number from the environment, for the campaign.
fn told(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A seed that is another one each time, short enough to be typed.
fn fresh() -> u64 {
    let seed = RandomState::new().build_hasher().finish() % 1_000_000_000;
    println!("a failure can be repeated with CAMPAIGN_SEED={seed}");
    seed
}

/// Prints a generated game, to look at what was found.
#[test]
#[ignore = "prints one game"]
fn one_game() {
    println!("{}", generate::game(told("CAMPAIGN_SEED", FIXED), told("CAMPAIGN_GAME", 0)));
}

/// What a run of generated games reached.
#[derive(Default)]
struct Reached {
    games: u64,
    valid: u64,
    lowered: u64,
    found: Found,
    words: BTreeSet<String>,
    constructs: BTreeSet<String>,
}

impl Reached {
    fn add(&mut self, more: Self) {
        self.games += more.games;
        self.valid += more.valid;
        self.lowered += more.lowered;
        self.found.add(&more.found);
        self.words.extend(more.words);
        self.constructs.extend(more.constructs);
    }
}

/// What the files of a generated game read: the game that others extend, and the registries of its document.
struct Shelf<'t>(&'t str);

impl Files for Shelf<'_> {
    fn read(&self, _by: &str, file: &str) -> Result<(String, String), String> {
        let text = match file {
            "base.rules" => self.0,
            "clauses.ron" => {
                "Registry(document: \"A book of games\", clauses: [Clause(id: \"book/1\", heading: \"Play\", ordinal: 1, \
                 kind: TurnOrder, state: Executable, text: \"Anything goes.\")])"
            }
            "ledger.ron" => {
                "Ledger(gaps: [Gap(id: \"gap/1\", clauses: [\"book/1\"], question: \"How often?\", decision: \"Once.\", \
                 alternatives: [], reason: \"It is shortest.\")])"
            }
            "de.ron" => "Translation(language: \"de\", clauses: { \"book/1\": \"Alles geht.\" })",
            _ => return Err("there is none".to_owned()),
        };
        Ok((file.to_owned(), text.to_owned()))
    }
}

/// A game whose document has registries, which rules cite.
fn documented(text: &str) -> String {
    let bare = "document \"A book of games\"";
    let full = format!("{bare} clauses \"clauses.ron\" ledger \"ledger.ron\" translation \"de.ron\"");
    let text = if text.contains(bare) { text.replacen(bare, &full, 1) } else { format!("{text}{full}\n") };
    format!("{text}define told = 4 §book/1, §gap/1\n")
}

/// Of so many games of a run, and of every nineteenth after them, it is counted which constructs they use.
const SAMPLE: u64 = 200;

/// What a generated game never does.
const MISTAKES: [&str; 3] = ["syntax/unexpected", "check/unknown-name", "check/duplicate"];

/// Generates the games with these numbers, checks them in the default setup and in one more, and plays them on both
/// interpreters.
fn generated(seed: u64, from: u64, to: u64, length: usize) -> Reached {
    let (mut reached, mut mistaken) = (Reached::default(), Vec::new());
    for number in from..to {
        let text = generate::game(seed, number);
        let text = if number % 5 == 2 { documented(&text) } else { text };
        about(format!("game {number}"));
        let more = if number % 4 == 1 { generate::extension(seed, number) } else { String::new() };
        let (main, files) = (if more.is_empty() { &text } else { &more }, &Shelf(&text));
        let loaded = timed("check", || load("g.rules", main, files, &Setup::default()));
        reached.games += 1;
        let said = reports(&loaded);
        // It may be over at once or take too long; but it is written as the language wants.
        if MISTAKES.iter().any(|code| said.contains(code)) {
            mistaken.push(format!("seed {seed}, game {number}:\n{said}"));
        }
        let setups: Vec<Setup> = loaded.offer.variants.iter().map(|(name, ..)| variant(name)).collect();
        let Some(game) = loaded.game else { continue };
        reached.valid += 1;
        // What is used is read once more for that; later games use hardly anything new.
        if number < SAMPLE || number % 19 == 0 {
            for text in [&text, &more] {
                reached.words.extend(tokens(text).into_iter().map(|(from, to)| text[from..to].to_owned()));
                reached.constructs.extend(constructs(text));
            }
        }
        let mut play = |game, length| {
            let played = play_both(game, seed, number, &format!("{text}\n{more}"), length);
            reached.found.positions += played.positions;
            reached.found.spent += u64::from(played.spent);
            reached.lowered += u64::from(played.lowered);
        };
        play(game, length);
        if let Some(setup) = setups.get(usize::try_from(number).unwrap_or_default() % setups.len().max(1))
            && let Some(game) = timed("check", || load("g.rules", main, files, setup)).game
        {
            play(game, length / 4);
        }
    }
    assert!(mistaken.is_empty(), "{} games are not as the language wants:\n{}", mistaken.len(), mistaken.join("\n"));
    reached
}

fn variant(name: &str) -> Setup {
    Setup { variants: vec![name.to_owned()], ..Setup::default() }
}

/// The constructs that the rule files of the repository and the page of the language use.
fn all_constructs() -> BTreeSet<String> {
    let mut texts: Vec<String> = classics().iter().chain(&fixtures()).map(|path| read(path)).collect();
    texts.extend(files_below(&root("rules"), "rules").iter().map(|path| read(path)));
    texts.extend(blocks(&read(&root("docs/language.md"))).into_iter().map(|(_, text)| text));
    texts.iter().flat_map(|text| constructs(text)).collect()
}

fn print(what: &str, reached: &Reached) {
    let all = keywords();
    let idle: Vec<&str> = all.iter().filter(|word| !reached.words.contains(**word)).copied().collect();
    let constructs = all_constructs();
    let left: Vec<&str> = constructs.difference(&reached.constructs).map(String::as_str).collect();
    println!(
        "{what}: {} games, {} valid, {} plays on the fast engine, {} positions equal on both interpreters, {} decisions \
         that only the reference gave up; {} of {} keywords and {} of {} constructs used",
        reached.games,
        reached.valid,
        reached.lowered,
        reached.found.positions,
        reached.found.spent,
        all.len() - idle.len(),
        all.len(),
        constructs.len() - left.len(),
        constructs.len(),
    );
    println!("not used: {}; {}", idle.join(" "), left.join(" "));
}

/// Generated games mean the same on both interpreters, and their positions and moves are read as they are written. They
/// use nearly all of the language.
#[test]
fn generated_games_are_equal_on_both_interpreters() {
    let reached = generated(FIXED, 0, 120, 8);
    print("generated", &reached);
    assert!(reached.valid * 3 > reached.games * 2, "{} of {} games are valid", reached.valid, reached.games);
    assert!(reached.found.positions > 500, "only {} positions", reached.found.positions);
    let all = all_constructs();
    let left: Vec<&String> = all.difference(&reached.constructs).collect();
    assert!(left.len() * 20 < all.len(), "{} of {} constructs are not used: {left:?}", left.len(), all.len());
}

/// The same from a seed that nobody has chosen.
#[test]
fn fresh_inputs_are_refused_or_mean_something() {
    let seed = fresh();
    generated(seed, 0, 25, 6);
    for target in TARGETS.iter().filter(|target| !is_of_settings(target)) {
        (target.run)(seed, 0, 12);
    }
    settings::sample(seed, 6);
}

fn is_of_settings(target: &Target) -> bool {
    target.name.starts_with("settings")
}

/// Whether a target damages its inputs, so that it refuses some of them.
fn damages(target: &Target) -> bool {
    !is_of_settings(target) && !target.name.starts_with("games")
}

/// No input makes any target fail, and each accepts some inputs and refuses others.
#[test]
fn damaged_inputs_are_refused_or_mean_something() {
    for target in TARGETS.iter().filter(|target| damages(target)) {
        let found = (target.run)(FIXED, 0, 40);
        println!("{}: {} inputs, {} accepted", target.name, found.inputs, found.accepted);
        assert!(found.inputs >= 40, "{}: {found:?}", target.name);
        assert!(found.accepted > 0 && found.accepted < found.inputs, "{}: {found:?}", target.name);
    }
}

/// Settings that are offered can be chosen together, or it is said why not, and they mean the same on both interpreters.
#[test]
fn settings_in_pairs_are_equal_on_both_interpreters() {
    let found = settings::settings(FIXED, 0, 25);
    println!("{} of {} settings, {} accepted", found.inputs, settings::how_many(), found.accepted);
    assert!(found.accepted * 2 > found.inputs, "{found:?}");
}

/// Large games in small files answer whatever is asked of them.
#[test]
fn large_shapes_answer() {
    let found = shapes::shapes(FIXED, 0, 12);
    println!("{} large games, {} valid, {} moves made and taken back", found.inputs, found.accepted, found.positions);
    assert!(found.accepted * 2 > found.inputs, "{found:?}");
}

/// A command that is killed while it writes leaves the old text or the new one.
#[cfg(unix)]
#[test]
fn a_kill_loses_nothing() {
    let tried = writers::kills(FIXED, 0, 30);
    println!("{} commands killed while they wrote, {} of them before all was there", tried.tries, tried.old);
}

/// Whenever a disk is full, each command that writes leaves the old file or the new one, and says that it failed.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let tried = writers::full_disks(1);
    println!("{} commands on full disks, {} left the old files", tried.tries, tried.old);
    assert!(tried.old > 20, "{tried:?}");
}

/// How long a part of the campaign goes on.
struct Share {
    begun: Instant,
    /// How long a processor had worked on this thread before.
    before: Option<Duration>,
    time: Option<Duration>,
    count: u64,
}

impl Share {
    fn new(hundredths: u32) -> Self {
        let seconds = std::env::var("CAMPAIGN_SECONDS").ok().and_then(|text| text.parse().ok());
        let time = seconds.map(|seconds| Duration::from_secs(seconds) * hundredths / 100);
        Self { begun: Instant::now(), before: clock::worked(), time, count: told("CAMPAIGN_COUNT", 1000) }
    }

    /// The next batch after so many inputs; none if that was enough.
    fn next(&self, done: u64, batch: u64) -> Option<u64> {
        match self.time {
            Some(time) => (self.begun.elapsed() < time).then_some(done + batch),
            None => (done < self.count).then_some((done + batch).min(self.count)),
        }
    }

    fn print(&self, name: &str, inputs: u64, accepted: u64, positions: u64) {
        // What waits for other programs, or for a processor, is measured by the clock on the wall.
        let worked = clock::worked().zip(self.before).map(|(now, before)| now.saturating_sub(before));
        let time = worked
            .filter(|_| !matches!(name, "full disks" | "failing calls" | "kills"))
            .unwrap_or_else(|| self.begun.elapsed());
        let seconds = time.as_secs_f64();
        let rate = f64::from(u32::try_from(inputs).unwrap_or(u32::MAX)) / seconds.max(0.001);
        let ((slowest, call), peak) = (clock::slowest(), clock::peak());
        let peak = peak.map_or_else(|| "?".to_owned(), |peak| peak.to_string());
        println!(
            "| {name} | {inputs} | {accepted} | {positions} | {seconds:.0} s | {rate:.1} | {:.2} s ({call}) | {peak} MiB |",
            slowest.as_secs_f64()
        );
    }
}

/// The whole campaign: as many inputs for each target as `CAMPAIGN_COUNT` says, or for as long as `CAMPAIGN_SECONDS`.
#[test]
#[ignore = "as long as it is told to run"]
fn campaign() {
    let seed = std::env::var("CAMPAIGN_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(fresh);
    println!("seed {seed}");
    println!(
        "| target | inputs | accepted | positions | time | a second | slowest call | most memory |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    );
    let begun = Instant::now();
    clock::peak();
    let only = std::env::var("CAMPAIGN_ONLY").unwrap_or_default();
    let wanted = |name: &str| only.is_empty() || name.contains(&only);
    if wanted("generated games") {
        let (share, mut reached) = (Share::new(20), Reached::default());
        while let Some(to) = share.next(reached.games, 100) {
            reached.add(generated(seed, reached.games, to, 20));
        }
        share.print("generated games", reached.games, reached.valid, reached.found.positions);
        print("generated", &reached);
    }
    for target in TARGETS.iter().filter(|target| wanted(target.name)) {
        let (share, mut found, mut done) = (Share::new(target.share), Found::default(), 0);
        while let Some(to) = share.next(done, target.batch) {
            let more = (target.run)(seed, done, to);
            done = to;
            let over = more.inputs == 0;
            found.add(&more);
            if over {
                break;
            }
        }
        share.print(target.name, found.inputs, found.accepted, found.positions);
    }
    #[cfg(unix)]
    on_disks(seed, &wanted);
    println!("{:?} in all", begun.elapsed());
}

#[cfg(unix)]
fn on_disks(seed: u64, wanted: &dyn Fn(&str) -> bool) {
    if wanted("full disks") {
        let (share, mut tries, mut old) = (Share::new(2), 0, 0);
        while share.next(tries, 1).is_some() {
            let tried = writers::full_disks(1);
            tries += tried.tries;
            old += tried.old;
        }
        share.print("full disks", tries, old, 0);
    }
    if wanted("failing calls") {
        let share = Share::new(1);
        match writers::failing_calls() {
            Some(tried) => share.print("failing calls", tried.tries, tried.old, 0),
            None => println!("there is no strace to let calls fail"),
        }
    }
    if wanted("kills") {
        let (share, mut done, mut tries, mut old) = (Share::new(3), 0, 0, 0);
        while let Some(to) = share.next(done, 200) {
            let tried = writers::kills(seed, done, to);
            done = to;
            tries += tried.tries;
            old += tried.old;
        }
        share.print("kills", tries, old, 0);
    }
}
