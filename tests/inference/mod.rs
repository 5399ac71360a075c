//! What a seat can infer, worked out a second way: by playing every game that it has been told the same of.
//!
//! `check` says from the rules alone where they tell a seat what it may not know. Here games with a trick are written at
//! random, and where `check` is silent, each viewer keeps every course of the game that was the same to it: the same words
//! of each step, the same views. Whatever it sees next must then be the same in all of them, but for the pieces that come to
//! lie where it sees them.

mod more;
mod pairs;
mod samples;
mod writer;

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ask, Engine, Position, Viewer};
use regelwerk::notation::print_position;
use regelwerk::play::{Match, Stream, Who, told};
use regelwerk::report::Code;

use crate::support::print_position as whole;
use writer::Writer;

/// At most so many courses of a game are followed at once.
const COURSES: usize = 240;

/// At most so many questions of a game are gone through.
const QUESTIONS: usize = 40;

/// How often a game is gone through for each viewer.
const WALKS: usize = 4;

/// How many pairs of games are played for each viewer.
const PAIRS: usize = 8;

/// A game that is watched by a viewer.
struct Watch<'e> {
    engine: &'e Fast,
    viewer: Viewer,
    /// Whether everybody counts the pieces everywhere.
    counted: bool,
}

/// What there is to see in a position.
#[derive(Debug, PartialEq)]
struct Sight {
    /// The pieces, place by place.
    pieces: BTreeMap<String, String>,
    /// How many there are in each place.
    counts: Vec<usize>,
    /// What is asked of whom, the outcome, the variables that are seen, and the rest; what is legal, where the viewer is asked.
    rest: Vec<String>,
}

impl Watch<'_> {
    fn sight(&self, position: &Position) -> Sight {
        let rules = self.engine.game();
        let seen = self.engine.explain().observation(position, self.viewer);
        let text = print_position(self.engine, &seen);
        let (mut pieces, mut rest) = (BTreeMap::new(), Vec::new());
        for segment in text.split(" | ") {
            let (name, value) = segment.split_once(['=', ':']).unwrap_or((segment, ""));
            let of = |declared: &str| name.split(['.', '(']).next() == Some(declared);
            if rules.zones.iter().any(|zone| of(&zone.name)) || rules.kinds.iter().any(|kind| of(&kind.name)) {
                pieces.insert(name.to_owned(), value.to_owned());
            } else {
                rest.push(segment.to_owned());
            }
        }
        rest.push(format!("{:?} {:?}", position.ask, position.outcome));
        let mut counts: Vec<usize> = position.zones.iter().flatten().map(Vec::len).collect();
        counts.extend(position.sites.iter().map(|site| usize::from(site.is_some())));
        if position.asked().map(Viewer::Seat) == Some(self.viewer) {
            let game = Match::new(self.engine, position.clone());
            rest.push(format!("{:?}", game.door(Who::Viewer(self.viewer)).legal()));
        }
        if let Viewer::Seat(_) = self.viewer
            && !rules.claims.is_empty()
            && position.asked().is_some()
        {
            let mut game = Match::new(self.engine, position.clone());
            let claim = game.door(Who::Viewer(self.viewer)).read("claim got");
            rest.push(format!("claim: {:?}", claim.map(|step| game.play(step).is_ok())));
        }
        Sight { pieces, counts, rest }
    }

    /// All courses that follow, by what the viewer is told of the step; what it does itself, it knows.
    fn steps(&self, courses: &[Position]) -> BTreeMap<String, Vec<Position>> {
        let mut found: BTreeMap<String, Vec<Position>> = BTreeMap::new();
        for position in courses {
            let mut legal = self.engine.legal(position);
            legal.dedup();
            let own = position.asked().map(Viewer::Seat) == Some(self.viewer);
            for mv in legal {
                let known = own.then_some(&mv);
                let words = format!("{:?} {known:?}", told(self.engine, position, &mv, self.viewer));
                let next = self.engine.play_unchecked(position, &mv);
                let courses = found.entry(words).or_default();
                if courses.len() < COURSES && !courses.contains(&next) {
                    courses.push(next);
                }
            }
        }
        found
    }

    /// What tells two positions apart that look alike, but for pieces that come to be seen.
    fn difference(&self, one: &Sight, two: &Sight) -> Option<String> {
        if one.pieces == two.pieces {
            return (one.rest != two.rest).then(|| format!("{:?}\n{:?}", one.rest, two.rest));
        }
        let shown = |(place, pieces): (&String, &String)| {
            two.pieces.get(place).is_some_and(|other| other != pieces && other.len() == pieces.len())
        };
        let differ = self.counted && one.counts != two.counts && !one.pieces.iter().any(shown);
        differ.then(|| format!("{:?}\n{:?}", one.pieces, two.pieces))
    }

    /// Plays one game on at random; what tells courses apart that were the same to the viewer.
    fn walk(&self, dice: &mut Stream) -> Result<usize, String> {
        let mut courses = vec![self.engine.start()];
        let mut past: Vec<String> = Vec::new();
        let mut compared = 0;
        for _ in 0..QUESTIONS {
            if courses[0].is_over() {
                break;
            }
            let steps = self.steps(&courses);
            if steps.is_empty() {
                break;
            }
            let at = dice.below(steps.len());
            let Some((words, next)) = steps.into_iter().nth(at) else { break };
            past.push(words);
            let sights: Vec<Sight> = next.iter().map(|position| self.sight(position)).collect();
            let chosen = dice.below(next.len());
            let mut different: Vec<usize> = Vec::new();
            for (at, one) in sights.iter().enumerate() {
                compared += 1;
                if different.iter().any(|other| sights[*other] == *one) {
                    continue;
                }
                for &other in &different {
                    let two = &sights[other];
                    if let Some(difference) = self.difference(one, two) {
                        let whole = [at, other].map(|at| whole(self.engine, &next[at]));
                        return Err(format!("{:?}: {past:#?}\n{difference}\n{}\n{}", self.viewer, whole[0], whole[1]));
                    }
                }
                different.push(at);
            }
            // While chance decides, nobody looks.
            let looks = !matches!(next[chosen].ask, Ask::Chance { .. });
            let same = |at: &usize| {
                if looks { sights[*at] == sights[chosen] } else { next[*at].ask == next[chosen].ask }
            };
            let kept: Vec<usize> = (0..next.len()).filter(same).collect();
            courses = kept.into_iter().map(|at| next[at].clone()).collect();
        }
        Ok(compared)
    }
}

/// What came of some games.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    written: usize,
    valid: usize,
    silent: usize,
    compared: usize,
    /// Of every fourth game that `check` says something of, those in which something is found to be told.
    told: usize,
}

/// How a game is watched by one viewer; how many looks were compared, or what it was told.
type Law = fn(&Watch<'_>, &mut Stream) -> Result<usize, String>;

/// Goes through a game of which `check` says nothing; of the others only through every fourth. `marked`: whether all its
/// cards are different. `at_once`: whether seats may choose at the same time.
fn tried(seed: u64, number: u64, (marked, at_once): (bool, bool), law: Law) -> Result<Count, String> {
    let text = Writer::game(seed, number, marked, at_once);
    let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
    let tells = loaded.reports.sorted().iter().any(|report| report.code == Code::Tells);
    let mut count = Count { written: 1, ..Count::default() };
    let Some(game) = loaded.game.filter(|_| !loaded.reports.has_errors()) else { return Ok(count) };
    (count.valid, count.silent) = (1, usize::from(!tells));
    if tells && !number.is_multiple_of(4) {
        return Ok(count);
    }
    let engine = Fast::new(game);
    let mut dice = Stream::new(seed, "watch", number);
    for viewer in SeatId::all(2).map(Viewer::Seat).chain([Viewer::Spectator]) {
        let watch = Watch { engine: &engine, viewer, counted: !text.contains("number seen by no") };
        match law(&watch, &mut dice) {
            Err(_) if tells => {
                count.told = 1;
                return Ok(count);
            }
            Err(found) => return Err(format!("game {number} of seed {seed}\n{text}\n{found}")),
            Ok(compared) => count.compared += compared,
        }
    }
    Ok(count)
}

/// Follows all courses that are the same to a viewer.
fn courses(watch: &Watch<'_>, dice: &mut Stream) -> Result<usize, String> {
    (0..WALKS).map(|_| watch.walk(dice)).sum()
}

/// Plays pairs of games that are the same to a viewer.
fn pairs(watch: &Watch<'_>, dice: &mut Stream) -> Result<usize, String> {
    (0..PAIRS).map(|_| watch.pair(dice)).sum()
}

/// Compares what bots and refusals know in courses that are the same to a viewer.
fn samples(watch: &Watch<'_>, dice: &mut Stream) -> Result<usize, String> {
    (0..WALKS).map(|_| watch.sampled(dice)).sum()
}

/// Tries so many games; the figures are those of all.
fn law(seed: u64, games: u64, style: (bool, bool), law: Law) -> Count {
    let found = (0..games).into_par_iter().map(|number| tried(seed, number, style, law));
    let mut all = Count::default();
    for count in found.collect::<Result<Vec<Count>, String>>().unwrap_or_else(|what| panic!("{what}")) {
        all.written += count.written;
        all.valid += count.valid;
        all.silent += count.silent;
        all.compared += count.compared;
        all.told += count.told;
    }
    all
}

/// Some games, most of which tell something and say so.
#[test]
fn what_is_told_is_reported() {
    let count = law(7, 60, (false, false), courses);
    assert!(count.silent > 2 && count.compared > 1000 && count.told > 0, "{count:?}");
}

#[test]
fn what_moves_is_reported() {
    let count = law(7, 300, (true, false), pairs);
    assert!(count.silent > 10 && count.compared > 4000 && count.told > 10, "{count:?}");
}

#[test]
fn what_is_known_is_the_same_where_all_looks_the_same() {
    let count = law(7, 60, (false, true), samples);
    assert!(count.silent > 2 && count.compared > 300, "{count:?}");
}

/// The full run: `cargo test --release --test suite everything_that_is_told -- --ignored --nocapture`. `TRICKS` says how many
/// games are written, if not 10,000, and `TRICK_SEED` from which seed. Pairs go through ten times as many.
#[test]
#[ignore = "an hour; run by hand in release mode"]
#[expect(clippy::print_stdout, reason = "the figures of the full run")]
fn everything_that_is_told_is_reported() {
    let asked = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (seed, games) = (asked("TRICK_SEED", 1), asked("TRICKS", 10_000));
    let counts = [
        ("pairs", law(seed, games * 10, (true, false), pairs)),
        ("courses", law(seed, games, (false, false), courses)),
        ("samples", law(seed, games, (false, true), samples)),
    ];
    for (name, count) in counts {
        println!("{name}: {count:?}");
        assert!(count.silent * 40 > count.written && count.told * 40 > count.written, "{name}: {count:?}");
    }
}
