//! What the law of secrets is tried on: shipped games, games that gave secrets away, generated ones, and disturbed ones.

use std::path::PathBuf;
use std::sync::Arc;

use regelwerk::base::Sources;
use regelwerk::bots::Evaluation;
use regelwerk::conformance::mutants;
use regelwerk::engine::Fast;
use regelwerk::load::{Loaded, NoFiles, Setup, load};
use regelwerk::play::Stream;
use regelwerk::report::Code;

use crate::campaign::generate;
use crate::support::{Disk, GAMES, classics, fixtures, load_file, read, reports, rules_of, setups};

/// Games that gave away what they hide, by `why` or by what is legal, or that hide what others show.
const LEAKS: [(&str, &str); 8] = [
    (
        "a bet on a covered card",
        "kinds card\n  | kind |\n  | red |\n  | blue |\nzone deck: pile of card, seen by no\n\
         setup { put 3 red on deck put 3 blue on deck shuffle deck }\n\
         action bet { if told(any c in top of deck: c.kind == red) { win me } else { lose me } }\naction stay { }\n\
         play { turns { mover plays bet | stay } }\nend e after move when ply > 7 { draw }\n",
    ),
    (
        "dice under cups",
        "piece die { face: int }\nzone cup(p: seat): set of die, seen by p\n\
         setup { for p in seats { repeat 3 { roll f in 1..6 seen by p put die with face = f on cup(p) } } }\n\
         define there(n: int) = sum 1 for p in seats, d in cup(p) where d.face == n\n\
         action call { choose n in 1..6 if told(there(n)) > 1 { win me } }\naction look { choose n in 1..2 }\n\
         play { turns { mover plays look | call } }\nend e after move when ply > 9 { draw }\n",
    ),
    (
        "a number chosen in secret in the midst of another's move",
        "piece chip\nvar last(p: seat): int seen by p\nvar mark: set of site\nboard square 3 x 1\nsetup { put chip on b1 }\n\
         action hide { choose k in 1..3 seen by me last(me) := k choose f in occupied mark += f }\n\
         action wait { mark -= b1 }\n\
         action twice { choose k in 1..2 me plays hide else { } following(me) plays hide | wait }\n\
         play { turns { mover plays hide | twice } }\nend e after move when ply > 9 { draw }\n",
    ),
    (
        "secret signs",
        "enum sign = rock, paper, scissors\nvar shown(p: seat): sign = rock\nvar round: int\n\
         action show { choose s in sign shown(me) := s }\n\
         play { repeat 6 { together seats play show round += 1 if shown(a) != shown(b) and round > 4 { win a } } draw }\n",
    ),
    (
        "cards drawn unseen, one chosen in mid-move",
        "piece card { rank: int }\nzone deck: pile of card, seen by no\nzone hand(p: seat): set of card, seen by p\n\
         zone laid: row of card, seen by all\nvar bid(p: seat): int seen by p\n\
         setup { for n in 1..12 { put card with rank = n on deck } shuffle deck for p in seats { move top 4 of deck to hand(p) } }\n\
         action draw { roll c in hand(opponent(me)) seen by me move c from hand(opponent(me)) to hand(me) }\n\
         action pass_on { choose c in hand(me) choose n in 1..3 seen by me bid(me) := n choose m in 1..2 by opponent(me)\n\
           bid(opponent(me)) := m move c from hand(me) under deck }\n\
         action lay { choose c in hand(me) move c from hand(me) to laid }\n\
         play { turns { mover plays draw | pass_on | lay else pass } }\nend e after move when ply > 12 { draw }\n",
    ),
    (
        "a back that is pointed at",
        "piece card { rank: int }\nzone deck: pile of card, seen by no\nzone fan(p: seat): row of card, seen by p\n\
         zone lifted: row of card, seen by no\nzone laid: row of card, seen by all\n\
         setup { for n in 1..10 { put card with rank = n on deck } shuffle deck for p in seats { move top 4 of deck to fan(p) } }\n\
         action point { choose n in 1..count(fan(opponent(me))) move top (n - 1) of fan(opponent(me)) to lifted\n\
           move top of fan(opponent(me)) to fan(me) move all of lifted to fan(opponent(me)) }\n\
         action lay { choose c in fan(me) move c from fan(me) to laid }\n\
         play { turns { mover plays point | lay else pass } }\nend e after move when ply > 12 { draw }\n",
    ),
    (
        "an open row in an order that nobody sees, piles that nobody counts",
        "piece card { rank: int }\nzone line: row of card, seen by all, order seen by no\n\
         zone hand(p: seat): set of card, seen by p, number seen by p\n\
         zone heap: pile of card, seen by all, number seen by no\nzone sack: pile of card, seen by no, number seen by no\n\
         setup { for n in 1..12 { put card with rank = n on line } shuffle line for p in seats { move top 2 of line to hand(p) } }\n\
         action draw { require some line move top of line to hand(me) }\n\
         action slip { choose n in 0..2 seen by me move top n of hand(me) to sack }\n\
         action lay { choose c in hand(me) move c from hand(me) to heap }\n\
         play { turns { mover plays draw | slip | lay else pass } }\nend e after move when ply > 12 { draw }\n",
    ),
    (
        "equal cards, some of them turned up while others change hands",
        "kinds card\n  | kind |\n  | ace |\n  | two |\n  | ten |\nzone deck: pile of card, seen by no\n\
         zone hand(p: seat): set of card, seen by p\nzone open: row of card, seen by all\n\
         setup { put 4 ace on deck put 4 two on deck put 4 ten on deck shuffle deck for p in seats { move top 3 of deck to hand(p) } }\n\
         action bury { choose x in hand(me) move x from hand(me) under deck move top of deck to open }\n\
         action swap { choose x in hand(me) | open choose y in hand(me) move y from hand(me) to open move x from open to hand(me) }\n\
         action draw { move top of deck to hand(me) }\n\
         play { turns { mover plays bury | swap | draw else pass } }\nend e after move when ply > 12 { draw }\n",
    ),
];

/// A game that hides something.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) engine: Fast,
    pub(super) sources: Sources,
    pub(super) blind: Arc<Evaluation>,
    /// Whether its rules alone tell nothing, so that what is legal, and what follows, looks alike too.
    pub(super) silent: bool,
}

impl Subject {
    /// None if the rules do not check, or hide nothing.
    fn new(name: String, loaded: Loaded, silent: bool) -> Option<Self> {
        let game = loaded.game.filter(|game| !game.has_perfect_information())?;
        let engine = Fast::new(game);
        let blind = Arc::new(Evaluation::blind(&engine));
        Some(Self { name, engine, sources: loaded.sources, blind, silent })
    }
}

/// Everything shipped that hides something; of the setups of a bundled game each of so many.
pub(super) fn shipped(each: usize) -> Vec<Subject> {
    let bundled = GAMES.iter().map(|game| rules_of(game)).flat_map(|path| {
        let setups = setups(&path);
        setups.into_iter().step_by(each).map(move |setup| (path.clone(), setup))
    });
    let others = classics().into_iter().chain(fixtures()).map(|path| (path, Setup::default()));
    let load_one = |(path, setup): (PathBuf, Setup)| {
        Subject::new(format!("{} {setup:?}", path.display()), load_file(&path, &setup), true)
    };
    let mut found: Vec<Subject> = bundled.chain(others).filter_map(load_one).collect();
    for (name, rules) in LEAKS {
        let loaded = load("g.rules", &format!("game g\nplayers a, b\n{rules}"), &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{name}: {}", reports(&loaded));
        found.extend(Subject::new(name.to_owned(), loaded, true));
    }
    found
}

/// A game that nobody wrote. Where the checker finds that the rules tell something, or they claim to tell it on purpose,
/// only what is seen is compared.
pub(super) fn made(name: &str, path: &str, text: &str) -> Option<Subject> {
    let loaded = load(path, text, &Disk, &Setup::default());
    let tells = loaded.reports.sorted().iter().any(|report| report.code == Code::Tells);
    let silent = !tells && !text.contains("told(");
    Subject::new(format!("{name}\n{text}"), loaded, silent)
}

/// Generated games in which things are hidden at random.
pub(super) fn generated(seed: u64, count: u64) -> Vec<Subject> {
    let one = |number| {
        let mut dice = Stream::new(seed, "hide", number);
        let text = generate::game(seed, number);
        let name = format!("generated game {number} of seed {seed}");
        quietest((0..ATTEMPTS).filter_map(|attempt| made(&name, "g.rules", &hide(&text, &mut dice, 2 + attempt))))
    };
    (0..count).filter_map(one).collect()
}

/// Rule files with one rule disturbed, and at times something more hidden.
pub(super) fn disturbed(seed: u64, count: usize) -> Vec<Subject> {
    let files: Vec<PathBuf> = GAMES.iter().map(|game| rules_of(game)).chain(classics()).chain(fixtures()).collect();
    let mut dice = Stream::new(seed, "disturb", 0);
    let mut found = Vec::new();
    for _ in 0..count {
        let path = &files[dice.below(files.len())];
        let name = path.display().to_string();
        let text = read(path);
        found.extend(quietest((0..ATTEMPTS).filter_map(|attempt| {
            let hidden = hide(&text, &mut dice, 4 + 2 * attempt);
            let all = mutants(&name, &hidden);
            let chosen = all.get(dice.below(all.len()))?;
            made(&format!("{name}: {}", chosen.what), &name, &chosen.text(&hidden))
        })));
    }
    found
}

/// How often it is tried to hide something of a game that nobody wrote so that its rules tell nothing.
const ATTEMPTS: usize = 4;

/// The first subject of which everything can be compared; if there is none, the first.
fn quietest(subjects: impl Iterator<Item = Subject>) -> Option<Subject> {
    let mut first = None;
    for subject in subjects {
        if subject.silent {
            return Some(subject);
        }
        first.get_or_insert(subject);
    }
    first
}

/// Hides every so-many-th thing that all see: variables, pieces on boards, zones, and how many pieces are in zones that are
/// hidden, or in which order.
fn hide(text: &str, dice: &mut Stream, one_in: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let word = line.split(' ').next().unwrap_or("");
        if dice.below(one_in) > 0 || !["var", "record", "piece", "zone"].contains(&word) {
            lines.push(line.to_owned());
        } else if let Some((before, after)) = line.split_once("seen by all") {
            let row = line.contains(": row of") && dice.below(2) == 0;
            let less = if row { "seen by all, order seen by no" } else { "seen by no" };
            lines.push(format!("{before}{less}{after}"));
        } else if let Some((_, who)) = line.rsplit_once(", seen by ").filter(|_| word == "zone") {
            // What follows the sight of the pieces is seen by the same.
            let simple = who.chars().all(char::is_alphanumeric);
            let more = if line.contains(": row of") { "order" } else { "number" };
            lines.push(if simple { format!("{line}, {more} seen by {who}") } else { line.to_owned() });
        } else if line.contains("seen by") || word == "zone" || line.contains("//") {
            lines.push(line.to_owned());
        } else {
            let who = match word {
                "piece" if line.contains(" owned") => "it.owner",
                "var" | "record" if line.contains("(p: seat)") => "p",
                _ => "no",
            };
            // Clauses come last.
            let end = line.find('§').unwrap_or(line.len());
            lines.push(format!("{} seen by {who} {}", line[..end].trim_end(), &line[end..]));
        }
    }
    lines.join("\n") + "\n"
}
