//! What the checker makes of a file with one mistake in it.
//!
//! Every bundled game and classic is damaged at one token: dropped, doubled, swapped with its neighbour, replaced by
//! another token of the file, or misspelt. The figures say whether the first report is where the damage is, how many
//! reports one mistake causes, and how good the offered fixes are. All of them: `cargo test --test suite damage --
//! --include-ignored --nocapture`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regelwerk::load::{Loaded, Setup, load};
use regelwerk::mend::{Subject, mend, offer};
use regelwerk::play::Stream;
use regelwerk::report::{Rendered, Severity, Style, render};
use regelwerk::syntax::keywords;

use crate::support::{Disk, GAMES, classics, read, root, rules_of};
use crate::words::kept;

/// The damage to a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    Delete,
    Double,
    Swap,
    Replace,
    Misspell,
}

const DAMAGES: [Damage; 5] = [Damage::Delete, Damage::Double, Damage::Swap, Damage::Replace, Damage::Misspell];

/// The ranges of the tokens of a text: words, numbers, texts in quotes, clauses and marks, but no comments and white
/// space.
pub(crate) fn tokens(text: &str) -> Vec<(usize, usize)> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let long = |part: &str| rest.starts_with(part).then_some(part.len());
        let line = rest.find('\n').unwrap_or(rest.len());
        let len = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += line;
            continue;
        } else if first == '"' {
            rest[1..line].find('"').map_or(line, |end| end + 2)
        } else if first == '§' {
            let inside = |c: char| word(c) || matches!(c, '.' | '/' | '-');
            let end = rest['§'.len_utf8()..].find(|c| !inside(c)).map_or(rest.len(), |end| end + '§'.len_utf8());
            rest[..end].trim_end_matches(['.', '/', '-']).len()
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            let marks = [":=", "+=", "-=", "==", "!=", "<=", ">=", ".."];
            marks.iter().find_map(|mark| long(mark)).unwrap_or(first.len_utf8())
        };
        tokens.push((at, at + len));
        at += len;
    }
    tokens
}

/// A damaged text, and the lines of the damage.
struct Damaged {
    text: String,
    what: String,
    lines: (usize, usize),
}

/// A word with one letter dropped, doubled, swapped or replaced.
fn misspelt(word: &str, dice: &mut Stream) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = dice.below(letters.len());
    match dice.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 if letters.len() > 1 => {
            let at = at.min(letters.len() - 2);
            letters.swap(at, at + 1);
        }
        _ => letters[at] = char::from(b'a' + u8::try_from(dice.below(26)).expect("a letter")),
    }
    letters.into_iter().collect()
}

/// Damages the token `at`; nothing if that would not change the text.
fn damaged(text: &str, tokens: &[(usize, usize)], at: usize, damage: Damage, dice: &mut Stream) -> Option<Damaged> {
    let (start, end) = tokens[at];
    let token = &text[start..end];
    let mut last = end;
    let new = match damage {
        // The blank after it is dropped as well, if there is one before it.
        Damage::Delete => {
            let apart = text[..start].ends_with(char::is_whitespace) && text[end..].starts_with(' ');
            last += usize::from(apart);
            String::new()
        }
        Damage::Double => format!("{token} {token}"),
        Damage::Swap => {
            let &(from, to) = tokens.get(at + 1)?;
            last = to;
            {
                let (other, between) = (&text[from..to], &text[end..from]);
                let apart = if between.is_empty() { " " } else { between };
                format!("{other}{apart}{token}")
            }
        }
        Damage::Replace => {
            let (from, to) = tokens[dice.below(tokens.len())];
            text[from..to].to_owned()
        }
        Damage::Misspell => {
            let named = token.chars().count() > 2 && token.starts_with(|c: char| c.is_alphabetic() || c == '_');
            named.then(|| misspelt(token, dice))?
        }
    };
    if new == text[start..last] {
        return None;
    }
    // What was separate stays separate: one token is damaged, but not its neighbours.
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let glued = |a: &str, b: &str| a.ends_with(word) && b.starts_with(word);
    let (head, tail) = (&text[..start], &text[last..]);
    let before = if glued(head, &new) || new.is_empty() && glued(head, tail) { " " } else { "" };
    let after = if glued(&new, tail) { " " } else { "" };
    let new = format!("{before}{new}{after}");
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    Some(Damaged {
        text: format!("{}{new}{}", &text[..start], &text[last..]),
        what: format!("{damage:?} `{}` -> `{new}`", &text[start..last]),
        lines: (line(start), line(last)),
    })
}

/// The results of all damages.
#[derive(Debug, Default)]
struct Figures {
    damaged: usize,
    broken: usize,
    near: usize,
    /// Incorrect files by their number of errors.
    errors: BTreeMap<usize, usize>,
    /// Fixes offered, and those after which the file checks.
    offered: usize,
    mends: usize,
    /// Incorrect files with a fix for an error, and those that one of them restores exactly.
    cured: usize,
    restored: usize,
    misses: Vec<String>,
    /// Fixes that would lose a word of the author, or turn one round.
    altered: Vec<String>,
}

/// A file as `check` reports it, with fixes tried.
fn check(name: &str, text: &str) -> Loaded {
    let mut loaded = load(name, text, &Disk, &Setup::default());
    offer(Subject { name, text, files: &Disk }, &Setup::default(), &mut loaded);
    loaded
}

/// Whether a text can be played.
fn checks(name: &str, text: &str) -> bool {
    load(name, text, &Disk, &Setup::default()).game.is_some()
}

/// Damages each of some files so often in each way.
fn run(files: &[PathBuf], each: usize, seed: u64) -> Figures {
    let parts: Vec<Figures> = std::thread::scope(|scope| {
        let part = |files: &'_ [PathBuf]| {
            files.iter().map(|path| run_file(path, each, seed)).fold(Figures::default(), Figures::join)
        };
        let threads: Vec<_> =
            files.chunks(files.len().div_ceil(8)).map(|files| scope.spawn(move || part(files))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    parts.into_iter().fold(Figures::default(), Figures::join)
}

fn run_file(path: &Path, each: usize, seed: u64) -> Figures {
    let mut figures = Figures::default();
    let (name, text) = (path.display().to_string(), read(path));
    let game = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let tokens = tokens(&text);
    let mut dice = Stream::new(seed, &game, 0);
    for damage in DAMAGES {
        let mut done = 0;
        while done < each {
            let at = dice.below(tokens.len());
            let Some(damaged) = damaged(&text, &tokens, at, damage, &mut dice) else { continue };
            done += 1;
            figures.count(&name, &text, &game, &damaged);
        }
    }
    figures
}

impl Figures {
    fn join(mut self, other: Self) -> Self {
        self.damaged += other.damaged;
        self.broken += other.broken;
        self.near += other.near;
        for (errors, files) in other.errors {
            *self.errors.entry(errors).or_default() += files;
        }
        self.offered += other.offered;
        self.mends += other.mends;
        self.cured += other.cured;
        self.restored += other.restored;
        self.misses.extend(other.misses);
        self.altered.extend(other.altered);
        self
    }

    fn count(&mut self, name: &str, sound: &str, game: &str, damaged: &Damaged) {
        self.damaged += 1;
        let loaded = check(name, &damaged.text);
        let all = loaded.reports.sorted();
        let errors: Vec<_> = all.iter().filter(|report| report.code.severity() == Severity::Error).collect();
        assert_eq!(errors.is_empty(), loaded.game.is_some(), "{game}: {}", damaged.what);
        let Some(first) = errors.first() else { return };
        self.broken += 1;
        *self.errors.entry(errors.len()).or_default() += 1;
        let (line, _) = loaded.sources.line_column(first.span);
        let (from, to) = damaged.lines;
        let near = first.span.file.0 == 0 && line + 1 >= from && line <= to + 1;
        self.near += usize::from(near);
        let (mut mended, mut restored, mut fixes) = (0, false, Vec::new());
        for report in &errors {
            let Rendered::Record(record) = render(report, &loaded.sources, Style::Json) else { panic!("a record") };
            let Some(fix) = record.fix else { continue };
            let (start, end) = (fix.place.offset as usize, (fix.place.offset + fix.place.length) as usize);
            let new = format!("{}{}{}", &damaged.text[..start], fix.text, &damaged.text[end..]);
            self.offered += 1;
            let sound_now = checks(name, &new);
            mended += usize::from(sound_now);
            let same = spaced(&new) == spaced(sound);
            restored |= same;
            let result = if same {
                "as it was"
            } else if sound_now {
                "otherwise"
            } else {
                "still broken"
            };
            if let Err(lost) = kept(&damaged.text, &new) {
                self.altered.push(format!("{game}:{} {}: {lost} by `{}`", damaged.lines.0, damaged.what, fix.message));
            }
            fixes.push(format!("`{}` -> `{}` {result}", &damaged.text[start..end], fix.text));
        }
        self.mends += mended;
        self.cured += usize::from(!fixes.is_empty());
        self.restored += usize::from(restored);
        let place = if near { "near" } else { "FAR" };
        let many = if errors.len() > 3 { " MANY" } else { "" };
        let fix = if fixes.is_empty() { "NOFIX".to_owned() } else { fixes.join(", ") };
        self.misses.push(format!(
            "{place}{many} {game}:{from} {} | {}:{line} {} {} | {fix}",
            damaged.what,
            errors.len(),
            first.code.text(),
            first.message
        ));
    }

    fn share(part: usize, whole: usize) -> f64 {
        100.0 * f64::from(u32::try_from(part).expect("few")) / f64::from(u32::try_from(whole.max(1)).expect("few"))
    }

    #[expect(clippy::print_stdout, reason = "the figures are what it is for")]
    fn print(&self) {
        let share = Self::share;
        let few: usize = self.errors.range(..=3).map(|(_, files)| files).sum();
        println!("{} files damaged at one token, {} of them broken", self.damaged, self.broken);
        println!("  first report within one line of the damage  {:5.1} %", share(self.near, self.broken));
        println!("  at most three errors                        {:5.1} %", share(few, self.broken));
        println!("  a fix is offered                            {:5.1} %", share(self.cured, self.broken));
        println!("  a fix restores the file token by token      {:5.1} %", share(self.restored, self.broken));
        println!(
            "  offered fixes after which the file checks   {:5.1} % of {}",
            share(self.mends, self.offered),
            self.offered
        );
        println!("  fixes that lose a word or turn one round    {:5}", self.altered.len());
    }

    /// Whether at least this percentage of first reports are within one line of the damage, and the other figures
    /// hold.
    fn hold(&self, near: f64) {
        self.print();
        let few: usize = self.errors.range(..=3).map(|(_, files)| files).sum();
        assert!(Self::share(self.near, self.broken) >= near, "{self:#?}");
        assert!(Self::share(few, self.broken) >= 95.0, "{self:#?}");
        assert!(Self::share(self.mends, self.offered) >= 60.0, "{self:#?}");
        assert!(self.altered.is_empty(), "{:#?}", self.altered);
    }
}

/// A text as tokens separated by single blanks.
pub(crate) fn spaced(text: &str) -> Vec<&str> {
    tokens(text).into_iter().map(|(start, end)| &text[start..end]).collect()
}

fn bundled_games() -> Vec<PathBuf> {
    GAMES.iter().map(|game| rules_of(game)).collect()
}

/// A few files, quickly.
#[test]
fn damage_is_reported_where_it_is() {
    // With so few files, one is nearly two per cent.
    run(&bundled_games(), 2, 1).hold(90.0);
}

/// Every classic once in each way.
#[test]
fn damage_is_reported_where_it_is_in_classics() {
    run(&classics(), 1, 1).hold(95.0);
}

/// More than a thousand, with the result of each.
#[test]
#[ignore = "takes minutes"]
fn damage_is_reported_where_it_is_in_all_files() {
    hold_all(&run(&bundled_games(), 40, 2));
}

/// As many in all classics.
#[test]
#[ignore = "takes minutes"]
fn damage_is_reported_where_it_is_in_all_classics() {
    hold_all(&run(&classics(), 8, 2));
}

/// What the game depends on: the tokens but clauses and `;`, which may be left out, with each name as the place where it comes first.
fn game_of(text: &str) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    let mut found: Vec<String> = Vec::new();
    let mut cited = false;
    for token in spaced(text) {
        if token.starts_with('§') || cited && token == "," {
            cited = true;
            continue;
        }
        cited = false;
        if token == ";" {
            continue;
        }
        if keywords().contains(&token) || !token.starts_with(char::is_alphabetic) {
            found.push(token.to_owned());
            continue;
        }
        let place = names.iter().position(|name| *name == token).unwrap_or(names.len());
        if place == names.len() {
            names.push(token);
        }
        found.push(format!("name {place}"));
    }
    found
}

/// Files that `check --fix` mends, and those of them that are another game than before the damage.
#[derive(Debug, Default)]
struct Mends {
    mended: usize,
    otherwise: Vec<String>,
}

impl Mends {
    /// Damages a file so often in each way, and mends it.
    fn of(path: &Path, each: usize, seed: u64) -> Self {
        let mut mends = Self::default();
        let (name, text) = (path.display().to_string(), read(path));
        let (all, game) = (tokens(&text), game_of(&text));
        let is_keyword = |at: &usize| keywords().contains(&&text[all[*at].0..all[*at].1]);
        let keys: Vec<usize> = (0..all.len()).filter(is_keyword).collect();
        // The same wherever the repository lies.
        let inside = path.strip_prefix(root("")).map_or(name.clone(), |path| path.display().to_string());
        let mut dice = Stream::new(seed, &inside, 1);
        for damage in DAMAGES {
            // Hardly anything but a misspelt keyword is mended.
            let misspelt = damage == Damage::Misspell;
            for _ in 0..if misspelt { 3 * each } else { each } {
                let among = if misspelt { keys.len() } else { all.len() };
                let pick = dice.below(among);
                let at = if misspelt { keys[pick] } else { pick };
                let Some(damaged) = damaged(&text, &all, at, damage, &mut dice) else { continue };
                let subject = Subject { name: &name, text: &damaged.text, files: &Disk };
                let found = mend(subject, &Setup::default());
                if found.done.is_empty() || !checks(&name, &found.text) {
                    continue;
                }
                mends.mended += 1;
                if game_of(&found.text) != game {
                    let done: Vec<_> =
                        found.done.iter().map(|(line, fix)| format!("{line}: {}", fix.message)).collect();
                    let (line, what) = (damaged.lines.0, &damaged.what);
                    mends.otherwise.push(format!("{name}:{line} {what} | {}", done.join("; ")));
                }
            }
        }
        mends
    }

    fn all(files: &[PathBuf], each: usize, seed: u64) -> Self {
        let one = |path: &PathBuf| Self::of(path, each, seed);
        let threads = std::thread::scope(|scope| {
            let halves: Vec<_> = files
                .chunks(files.len().div_ceil(2))
                .map(|files| scope.spawn(move || files.iter().map(one).collect::<Vec<_>>()))
                .collect();
            halves.into_iter().flat_map(|half| half.join().expect("no panic")).collect::<Vec<_>>()
        });
        threads.into_iter().fold(Self::default(), |mut all, one| {
            all.mended += one.mended;
            all.otherwise.extend(one.otherwise);
            all
        })
    }
}

/// What is mended is the game that was damaged: no other meaning is chosen.
#[test]
fn what_is_mended_is_the_same_game() {
    let files: Vec<PathBuf> = bundled_games().into_iter().chain(classics()).collect();
    let mends = Mends::all(&files, 2, 5);
    assert!(mends.mended > 5 && mends.otherwise.is_empty(), "{mends:#?}");
}

/// In very many more files.
#[test]
#[ignore = "takes minutes"]
#[expect(clippy::print_stdout, reason = "the full run prints its figures")]
fn what_is_mended_is_the_same_game_everywhere() {
    let files: Vec<PathBuf> = bundled_games().into_iter().chain(classics()).collect();
    let mends = Mends::all(&files, 60, 6);
    println!("{} mended, {} of them another game: {:#?}", mends.mended, mends.otherwise.len(), mends.otherwise);
    assert!(mends.otherwise.is_empty());
}

#[expect(clippy::print_stdout, reason = "the full run prints the result of each file")]
fn hold_all(figures: &Figures) {
    for miss in &figures.misses {
        println!("{miss}");
    }
    figures.hold(97.0);
}
