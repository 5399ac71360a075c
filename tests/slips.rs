//! What `check --fix` makes of slips of meaning: files that say something else than was meant, and that check,
//! or nearly.
//!
//! Each rule below makes one kind of slip in the files of the bundled games, always the same ones. A fix that
//! is applied unasked must lose no word of the author and turn none into its opposite, whatever was meant. The
//! figures: `cargo test --test suite slips -- --nocapture`.

use std::path::PathBuf;

use regelwerk::load::{Setup, load};
use regelwerk::mend::{Subject, mend};
use regelwerk::play::Stream;
use regelwerk::syntax::keywords;

use crate::damage::{spaced, tokens};
use crate::support::{Disk, GAMES, classics, read, rules_of};
use crate::words::kept;

/// A rule file that is to be spoilt.
struct Sheet {
    name: String,
    text: String,
    tokens: Vec<(usize, usize)>,
    /// Names that the file declares, seats apart.
    names: Vec<String>,
    seats: Vec<String>,
}

/// Words in front of a name that is declared.
const DECLARING: [&str; 13] = [
    "define",
    "region",
    "path",
    "var",
    "record",
    "action",
    "procedure",
    "zone",
    "piece",
    "tokens",
    "enum",
    "option",
    "table",
];

impl Sheet {
    fn new(path: &std::path::Path) -> Self {
        let (name, text) = (path.display().to_string(), read(path));
        let mut sheet = Self { tokens: tokens(&text), name, text, names: Vec::new(), seats: Vec::new() };
        for at in 1..sheet.tokens.len() {
            let first = sheet.text[..sheet.tokens[at - 1].0].ends_with('\n');
            let name = sheet.token(at).to_owned();
            if first && DECLARING.contains(&sheet.token(at - 1)) {
                sheet.names.push(name);
            }
        }
        let line = sheet.text.lines().find(|line| line.starts_with("players")).unwrap_or("").to_owned();
        let mut listed = line.strip_prefix("players").unwrap_or("").split(" for ").next().unwrap_or("").split(',');
        sheet.seats.extend(listed.by_ref().filter_map(|seat| seat.split_whitespace().next()).map(str::to_owned));
        sheet
    }

    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |&(start, end)| &self.text[start..end])
    }

    /// Whether a token stands among the rules: not in the line of a document, a clause or a title.
    fn ruled(&self, at: usize) -> bool {
        let start = self.tokens[at].0;
        let line = self.text[..start].rsplit('\n').next().unwrap_or("");
        let head = line.split_whitespace().next().unwrap_or_else(|| self.token(at));
        !["game", "document", "clause", "players", "seating", "|"].contains(&head)
    }

    /// The text with the tokens `from..to` written otherwise.
    fn with(&self, from: usize, to: usize, new: &str) -> String {
        let (start, end) = (self.tokens[from].0, self.tokens[to - 1].1);
        let (head, tail) = (&self.text[..start], &self.text[end..]);
        if new.is_empty() {
            format!("{head}{}", tail.strip_prefix(' ').unwrap_or(tail))
        } else {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let apart = if new.ends_with(word) && tail.starts_with(word) { " " } else { "" };
            [head, new, apart, tail].concat()
        }
    }
}

/// Makes a slip at a token, if there is one to be made.
type Slip = fn(&Sheet, usize, &mut Stream) -> Option<String>;

/// The slips, by what was slipped.
const SLIPS: [(&str, Slip); 15] = [
    ("another direction", |sheet, at, dice| {
        let pairs = [
            ("n", "e s"),
            ("e", "n w"),
            ("s", "w n"),
            ("w", "s e"),
            ("ne", "se nw"),
            ("nw", "ne sw"),
            ("se", "ne"),
            ("sw", "nw"),
        ];
        let more =
            [("ahead", "back"), ("back", "ahead"), ("orthogonal", "diagonal"), ("diagonal", "orthogonal directions")];
        exchanged(sheet, at, dice, &[&pairs[..], &more].concat())
    }),
    ("another comparison", |sheet, at, dice| {
        exchanged(
            sheet,
            at,
            dice,
            &[(">", ">= <"), (">=", "> <="), ("<", "<= >"), ("<=", "< >="), ("==", "!= <="), ("!=", "==")],
        )
    }),
    ("another seat", |sheet, at, dice| {
        let others = sheet.seats.iter().filter(|seat| *seat != sheet.token(at)).collect::<Vec<_>>();
        let other = others.get(dice.below(others.len()))?;
        sheet.seats.iter().any(|seat| seat == sheet.token(at)).then(|| sheet.with(at, at + 1, other))
    }),
    ("another quantity", |sheet, at, dice| {
        let words = [
            ("any", "each all every"),
            ("all", "any each"),
            ("some", "any no a"),
            ("no", "some any"),
            ("for", "for each"),
            ("max", "min most"),
            ("min", "max least"),
            ("sum", "count total"),
        ];
        exchanged(sheet, at, dice, &words)
    }),
    ("`not` or `no` forgotten", |sheet, at, _| {
        ["not", "no"].contains(&sheet.token(at)).then(|| sheet.with(at, at + 1, ""))
    }),
    ("a bracket moved", |sheet, at, dice| {
        let (next, last) = (sheet.token(at + 1), sheet.token(at.checked_sub(1)?));
        match (sheet.token(at), dice.below(2)) {
            (")" | "}" | "(", 0) if !next.is_empty() => {
                Some(sheet.with(at, at + 2, &format!("{next} {}", sheet.token(at))))
            }
            (")" | "}" | "(", _) => Some(sheet.with(at - 1, at + 1, &format!("{} {last}", sheet.token(at)))),
            _ => None,
        }
    }),
    ("another name of the file", |sheet, at, dice| {
        let token = sheet.token(at);
        sheet.names.iter().find(|name| *name == token)?;
        let mut others: Vec<&String> = sheet.names.iter().filter(|name| *name != token).collect();
        others.sort_by_key(|name| {
            name.len().abs_diff(token.len()) + usize::from(name.chars().next() != token.chars().next())
        });
        let other = others.get(dice.below(others.len().min(3)))?;
        Some(sheet.with(at, at + 1, other))
    }),
    ("a word left out", |sheet, at, _| {
        let word = keywords().contains(&sheet.token(at)) && sheet.names.iter().all(|name| name != sheet.token(at));
        word.then(|| sheet.with(at, at + 1, ""))
    }),
    ("a keyword that begins like the right one", |sheet, at, dice| {
        let (token, words) = (sheet.token(at), keywords());
        words.contains(&token).then_some(())?;
        let like = |word: &&&str| **word != token && (word.starts_with(token) || token.starts_with(**word));
        let like: Vec<&&str> = words.iter().filter(like).collect();
        Some(sheet.with(at, at + 1, like.get(dice.below(like.len()))?))
    }),
    ("a sign of another language", |sheet, at, dice| {
        let words = [
            ("and", "&& &"),
            ("or", "|| |"),
            ("not", "! ~"),
            ("==", "= ==="),
            (":=", "= =="),
            ("&", "&& and"),
            ("|", "|| or"),
            ("!=", "<> /="),
            ("mod", "%"),
            ("in", "== :"),
            ("..", "... - ."),
        ];
        exchanged(sheet, at, dice, &words)
    }),
    ("a number", |sheet, at, dice| {
        let number: u64 = sheet.token(at).parse().ok()?;
        let forms = [
            format!("{number}.5"),
            format!("{number},5"),
            format!("-{number}"),
            format!("{number} 0"),
            (number + 1).to_string(),
            format!("{number}th"),
        ];
        Some(sheet.with(at, at + 1, forms.get(dice.below(forms.len()))?))
    }),
    ("and, or, plus, minus", |sheet, at, dice| {
        exchanged(
            sheet,
            at,
            dice,
            &[
                ("and", "or"),
                ("or", "and"),
                ("&", "| -"),
                ("|", "& -"),
                ("+", "-"),
                ("-", "+ &"),
                ("+=", "-="),
                ("-=", "+= :="),
            ],
        )
    }),
    ("whose", |sheet, at, dice| {
        let words = [
            ("own", "enemy my"),
            ("enemy", "own their"),
            ("me", "mover opponent"),
            ("mover", "me you"),
            ("opponent", "me"),
            ("win", "lose wins"),
            ("lose", "win loses"),
        ];
        exchanged(sheet, at, dice, &words)
    }),
    ("from and to", |sheet, at, dice| {
        let words = [
            ("from", "to of"),
            ("to", "from onto"),
            ("over", "to"),
            ("through", "over"),
            ("within", "in"),
            ("meets", "within in"),
            ("before", "after"),
            ("after", "before"),
        ];
        exchanged(sheet, at, dice, &words)
    }),
    ("arguments exchanged", |sheet, at, _| {
        let [open, one, comma, other, close] = [0, 1, 2, 3, 4].map(|more| sheet.token(at + more));
        let call = (open, comma, close) == ("(", ",", ")") && one != other;
        call.then(|| sheet.with(at, at + 5, &format!("({other}, {one})")))
    }),
];

/// A token written as one of some others.
fn exchanged(sheet: &Sheet, at: usize, dice: &mut Stream, words: &[(&str, &str)]) -> Option<String> {
    let (_, others) = words.iter().find(|(word, _)| *word == sheet.token(at))?;
    let others: Vec<&str> = if others.starts_with("for ") { vec![others] } else { others.split(' ').collect() };
    Some(sheet.with(at, at + 1, others[dice.below(others.len())]))
}

/// A slip that was made.
struct Slipped {
    what: String,
    name: String,
    sound: String,
    text: String,
}

/// So many slips of each kind, in files drawn by lot; the same ones each time.
fn corpus(each: usize) -> Vec<Slipped> {
    let files: Vec<PathBuf> = GAMES.iter().map(|game| rules_of(game)).chain(classics()).collect();
    let sheets: Vec<Sheet> = files.iter().map(|path| Sheet::new(path)).collect();
    let mut all: Vec<Slipped> = Vec::new();
    for (what, slip) in SLIPS {
        let mut dice = Stream::new(3, what, 0);
        let mut made: Vec<Slipped> = Vec::new();
        while made.len() < each {
            let sheet = &sheets[dice.below(sheets.len())];
            let first = dice.below(sheet.tokens.len());
            let places = (first..sheet.tokens.len()).filter(|at| sheet.ruled(*at));
            let text = places.take(400).find_map(|at| slip(sheet, at, &mut dice));
            let Some(text) = text.filter(|text| made.iter().all(|other| other.text != *text)) else { continue };
            let (name, sound) = (sheet.name.clone(), sheet.text.clone());
            made.push(Slipped { what: what.to_owned(), name, sound, text });
        }
        all.extend(made);
    }
    all
}

/// What became of the slips.
#[derive(Debug, Default)]
struct Figures {
    slips: usize,
    /// Files that check all the same.
    silent: usize,
    /// Files in which fixes were applied, and those that are as they were meant with them.
    mended: usize,
    restored: usize,
    /// What was lost or turned round, and what else was applied.
    faults: Vec<String>,
    changes: Vec<String>,
}

impl Figures {
    fn count(&mut self, slip: &Slipped) {
        self.slips += 1;
        if load(&slip.name, &slip.text, &Disk, &Setup::default()).game.is_some() {
            self.silent += 1;
            return;
        }
        let found = mend(Subject { name: &slip.name, text: &slip.text, files: &Disk }, &Setup::default());
        if found.done.is_empty() {
            return;
        }
        self.mended += 1;
        let restored = spaced(&found.text) == spaced(&slip.sound);
        self.restored += usize::from(restored);
        let done: Vec<String> = found.done.iter().map(|(line, fix)| format!("{line}: {}", fix.message)).collect();
        let file = slip.name.rsplit('/').next().unwrap_or("");
        let line = slip.sound.lines().zip(slip.text.lines()).find(|(sound, slipped)| sound != slipped);
        let (sound, slipped) = line.unwrap_or_default();
        let told = format!("{file}, {}: `{}` for `{}`; {}", slip.what, slipped.trim(), sound.trim(), done.join(", "));
        match kept(&slip.text, &found.text) {
            Ok(()) => self.changes.push(format!("{} {told}", if restored { "as meant" } else { "otherwise" })),
            Err(lost) => self.faults.push(format!("{lost}: {told}")),
        }
    }

    fn join(mut self, other: Self) -> Self {
        self.slips += other.slips;
        self.silent += other.silent;
        self.mended += other.mended;
        self.restored += other.restored;
        self.faults.extend(other.faults);
        self.changes.extend(other.changes);
        self
    }

    #[expect(clippy::print_stdout, reason = "the figures are what it is for")]
    fn hold(&self) {
        for change in self.changes.iter().chain(&self.faults) {
            println!("{change}");
        }
        println!("{} slips of meaning, {} of which nothing can be told: the file checks", self.slips, self.silent);
        println!("  refused                                     {:4}", self.slips - self.silent);
        println!("  with a fix that `check --fix` applies       {:4}", self.mended);
        println!("    and the file then says what was meant     {:4}", self.restored);
        println!("  a word of the author lost or turned round   {:4}", self.faults.len());
        assert!(self.faults.is_empty(), "{:#?}", self.faults);
    }
}

fn run(each: usize) -> Figures {
    let slips = corpus(each);
    let figures: Vec<Figures> = std::thread::scope(|scope| {
        let parts = slips.chunks(slips.len().div_ceil(8)).map(|part| {
            scope.spawn(move || {
                part.iter().fold(Figures::default(), |mut figures, slip| {
                    figures.count(slip);
                    figures
                })
            })
        });
        parts.collect::<Vec<_>>().into_iter().map(|part| part.join().expect("no panic")).collect()
    });
    figures.into_iter().fold(Figures::default(), Figures::join)
}

/// Three hundred, twenty of each kind.
#[test]
fn slips_keep_the_words_of_the_author() {
    let figures = run(20);
    assert_eq!(figures.slips, 300);
    figures.hold();
}

#[test]
fn a_colon_behind_choose_is_reported() {
    for text in ["choose : x in sites", "choose :", "choose x : in sites", ": choose"] {
        let loaded =
            load("g.rules", &format!("game g\nplayers a, b\naction go {{ {text} }}\n"), &Disk, &Setup::default());
        assert!(loaded.game.is_none() && !loaded.reports.sorted().is_empty(), "{text}");
    }
}
