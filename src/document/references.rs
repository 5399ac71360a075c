//! References as written: `siehe §4 Absatz 2a`, `siehe SPIELENDE`.

use super::words::{head, quoted};

/// A reference to labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Labelled {
    /// As written.
    pub(super) text: String,
    /// The labels on the path to the target, such as `§4`, `2`.
    pub(super) path: Vec<String>,
    /// The last labels of the path; there may be several: `b und c`.
    pub(super) ends: Vec<String>,
    /// Its offset in the sentence.
    pub(super) at: usize,
}

/// Words between the numbers of a section and a paragraph.
const PARAGRAPH: &[&str] = &["Absatz", "Abs.", "Abs", "Punkt", "Ziffer", "Nr."];

/// Words before the number of a section.
const SECTION: &[&str] = &["Abschnitt", "Kapitel", "Punkt", "Regel", "Ziffer", "Absatz"];

/// A cursor over a text.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip(&mut self, marks: &[char]) {
        self.at = self.text.len() - self.rest().trim_start_matches(marks).len();
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn digits(&mut self) -> Option<&'a str> {
        let end = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let digits = self.rest().get(..end).filter(|digits| (1..=3).contains(&digits.len()))?;
        self.at += end;
        Some(digits)
    }

    /// A single lower-case letter that is not part of a word.
    fn letter(&mut self) -> Option<&'a str> {
        let letter = self.rest().get(..1).filter(|letter| letter.chars().all(|c| c.is_ascii_lowercase()))?;
        let next = self.rest().chars().nth(1);
        if next.is_some_and(char::is_alphanumeric) {
            return None;
        }
        self.at += 1;
        Some(letter)
    }

    /// `(i)`, `(a)`.
    fn bracketed(&mut self) -> Option<&'a str> {
        let (label, _) = head(self.rest(), 8).strip_prefix('(')?.split_once(')')?;
        let sound = (1..=4).contains(&label.len()) && label.chars().all(|c| c.is_ascii_lowercase());
        sound.then(|| self.at += label.len() + 2)?;
        Some(label)
    }
}

/// The references to labels in a sentence.
pub(super) fn labelled(text: &str) -> Vec<Labelled> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('§') {
        let mut cursor = Cursor { text, at: at + '§'.len_utf8() };
        cursor.skip(&['§', ' ']);
        if let Some(number) = cursor.digits() {
            found.push(path(&mut cursor, at, format!("§{number}")));
        }
    }
    for word in ["iehe ", "gemäß ", "laut ", "nach ", "vgl. "] {
        for (start, _) in text.match_indices(word) {
            let mut cursor = Cursor { text, at: start + word.len() };
            for more in ["auch ", "dazu ", "unter "] {
                cursor.word(more);
            }
            let at = cursor.at;
            if SECTION.iter().any(|section| cursor.word(section)) {
                cursor.skip(&[' ']);
                if let Some(number) = cursor.digits() {
                    found.push(path(&mut cursor, at, number.to_owned()));
                }
            }
        }
    }
    found
}

/// The rest of a reference after the number of the section.
fn path(cursor: &mut Cursor<'_>, at: usize, section: String) -> Labelled {
    let mut path = vec![section];
    let mut end = cursor.at;
    // `§4 a`, `2.3`
    while cursor.word(".") {
        let Some(number) = cursor.digits() else { break };
        path.push(number.to_owned());
        end = cursor.at;
    }
    cursor.at = end;
    cursor.skip(&[',', ' ']);
    if PARAGRAPH.iter().any(|word| cursor.word(word)) {
        cursor.skip(&[' ']);
        if let Some(number) = cursor.digits() {
            path.push(number.to_owned());
            end = cursor.at;
        }
    }
    cursor.at = end;
    let mut ends = Vec::new();
    cursor.skip(&[' ']);
    if let Some(letter) = cursor.letter() {
        ends.push(letter.to_owned());
        end = cursor.at;
        if let Some(label) = cursor.bracketed() {
            path.append(&mut ends);
            ends.push(label.to_owned());
            end = cursor.at;
        }
        loop {
            cursor.skip(&[',', ' ']);
            if cursor.word("und ") || cursor.word("oder ") || cursor.word("bis ") {
                cursor.skip(&[' ']);
            }
            let Some(letter) = cursor.letter() else { break };
            ends.push(letter.to_owned());
            end = cursor.at;
        }
    }
    let text = cursor.text.get(at..end).unwrap_or("").to_owned();
    Labelled { text, path, ends, at }
}

/// The titles that a sentence refers to: `siehe SPIELENDE`, `siehe „Ende“`.
pub(super) fn titled(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, word) in text.match_indices("iehe ") {
        let mut rest = head(text.get(start + word.len()..).unwrap_or(""), 200).trim_start();
        for more in ["auch ", "unter ", "dazu ", "hierzu ", "Abschnitt ", "Kapitel ", "im Abschnitt ", "im Kapitel "] {
            rest = rest.strip_prefix(more).unwrap_or(rest);
        }
        let title = if rest.starts_with(['„', '"', '»', '“', '\'']) {
            quoted(rest).first().map(|title| (*title).to_owned())
        } else {
            bare(rest)
        };
        found.extend(title.filter(|title| !title.is_empty()));
    }
    found
}

/// Words that refer to something other than a title; abbreviations without their full stop.
const NO_TITLES: &[&str] = &[
    "Seite",
    "S",
    "Bild",
    "Abbildung",
    "Abb",
    "Tabelle",
    "Tab",
    "Beispiel",
    "Bsp",
    "Regel",
    "Punkt",
    "Ziffer",
    "Ziff",
    "Absatz",
    "Abs",
    "Nr",
];

/// A title without quotes: capitalized words.
fn bare(rest: &str) -> Option<String> {
    let end = rest.find(['.', ',', ';', ':', '!', '?', ')', '(', '§', '„', '"', '–']).unwrap_or(rest.len());
    let words: Vec<&str> = rest
        .get(..end)?
        .split_whitespace()
        .take_while(|word| word.starts_with(char::is_uppercase) || matches!(*word, "und" | "von" | "des" | "der"))
        .collect();
    let first = words.first().filter(|first| !NO_TITLES.contains(first) && first.starts_with(char::is_uppercase))?;
    // One title in capitals, or all words up to the end of the clause.
    let shouting = first.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    Some(if shouting { (*first).to_owned() } else { words.join(" ") })
}
