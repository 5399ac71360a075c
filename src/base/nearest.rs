//! "Did you mean": the most similar known name, if any.

/// Words of more bytes are like no other.
const LONGEST: usize = 300;

/// The most edits that a slip of a long word is taken for.
const FARTHEST: usize = 6;

/// The candidate most similar to `word`: one that differs only in case, else the one with the smallest edit distance,
/// if that is at most a third of the word's length, and at most six. A tie goes to a candidate with the same first letter. A single
/// letter is similar to nothing.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody mistypes so long a word, and comparing takes the product of both lengths.
    if word.len() > LONGEST {
        return None;
    }
    let (letters, lower) = (word.chars().collect::<Vec<char>>(), word.to_lowercase());
    let limit = if letters.len() < 2 { 0 } else { (letters.len() / 3).clamp(1, FARTHEST) };
    let mut best: Option<(usize, bool, &str)> = None;
    let mut search = Distance::default();
    let sorts = sorts(word);
    for candidate in candidates {
        if candidate == word || candidate.len() > LONGEST {
            continue;
        }
        // There may be thousands of names, most of which have little in common with the word.
        if word.is_ascii() && candidate.is_ascii() && lacking(sorts, candidate) > limit {
            continue;
        }
        if candidate.chars().flat_map(char::to_lowercase).eq(lower.chars()) {
            return Some(candidate);
        }
        // Another one that is farther than the best is of no use.
        let limit = best.map_or(limit, |(distance, ..)| distance);
        let Some(distance) = search.within(&letters, candidate, limit) else { continue };
        let other = candidate.chars().next() != letters.first().copied();
        if best.is_none_or(|best| (distance, other, candidate) < best) {
            best = Some((distance, other, candidate));
        }
    }
    best.map(|(_, _, name)| name)
}

/// Whether a word is another one with a slip of the hand: in other case, with two letters next to each other exchanged, one missing
/// or too many, or, in longer words, one hit instead of another. It begins with the same letter, unless two are exchanged, and a letter
/// too many stands within it: at either end it may be a name of its own that ran together with it. In words of up to three letters
/// a letter more or less makes another word.
#[must_use]
pub fn is_slip(word: &str, meant: &str) -> bool {
    let (word, meant) = (lower(word), lower(meant));
    let shorter = word.len().min(meant.len());
    let (head, tail) = ends(&word, &meant);
    match (&word[head..word.len() - tail], &meant[head..meant.len() - tail]) {
        ([], []) => true,
        ([], [_]) => head > 0 && shorter >= 3,
        ([_], []) => head > 0 && tail > 0 && shorter >= 3,
        ([_], [_]) => head > 0 && shorter >= 5,
        ([a, b], [c, d]) => (a, b) == (d, c) && shorter >= 3,
        _ => false,
    }
}

/// Whether two words are alike in other case, or but for one letter or two that are exchanged, wherever and however short they are.
#[must_use]
pub fn is_one_edit(one: &str, two: &str) -> bool {
    let (one, two) = (lower(one), lower(two));
    let (head, tail) = ends(&one, &two);
    match (&one[head..one.len() - tail], &two[head..two.len() - tail]) {
        ([] | [_], [] | [_]) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

fn lower(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// How many letters two words have in common at the beginning, and at the end.
fn ends(one: &[char], two: &[char]) -> (usize, usize) {
    let head = one.iter().zip(two).take_while(|(one, two)| one == two).count();
    let tail = one[head..].iter().rev().zip(two[head..].iter().rev()).take_while(|(one, two)| one == two).count();
    (head, tail)
}

/// The sorts of letters in an ASCII word, whatever their case, as a set of bits.
fn sorts(word: &str) -> u32 {
    word.bytes().fold(0, |sorts, byte| sorts | 1 << (byte & 31))
}

/// How many sorts of letters one ASCII word has and the other lacks, whichever has more of them: each takes an edit of its own.
fn lacking(these: u32, other: &str) -> usize {
    let those = sorts(other);
    (these & !those).count_ones().max((those & !these).count_ones()) as usize
}

/// The memory for distances between words: a row for each of the last letters.
#[derive(Debug, Default)]
struct Distance {
    letters: Vec<char>,
    rows: [Vec<usize>; 3],
}

impl Distance {
    /// How many letters have to be left out, put in, exchanged or swapped with their neighbour to make one word of the
    /// other; none if it is more than the limit.
    fn within(&mut self, word: &[char], other: &str, limit: usize) -> Option<usize> {
        self.letters.clear();
        self.letters.extend(other.chars());
        let letters = self.letters.as_slice();
        if word.len().abs_diff(letters.len()) > limit {
            return None;
        }
        // What both begin or end with costs nothing, and names of one pattern have most of their letters in common.
        let (head, tail) = ends(word, letters);
        let (word, letters) = (&word[head..word.len() - tail], &letters[head..letters.len() - tail]);
        let [before, last, row] = &mut self.rows;
        last.clear();
        last.extend(0..=letters.len());
        for (at, letter) in word.iter().enumerate() {
            row.clear();
            row.push(at + 1);
            let mut least = at + 1;
            for (to, found) in letters.iter().enumerate() {
                let exchanged = last[to] + usize::from(letter != found);
                let mut steps = exchanged.min(last[to + 1] + 1).min(row[to] + 1);
                if at > 0 && to > 0 && word[at - 1] == *found && letters[to - 1] == *letter {
                    steps = steps.min(before[to - 1] + 1);
                }
                least = least.min(steps);
                row.push(steps);
            }
            // A swap goes on from the row before the last.
            if least > limit && last.iter().all(|steps| *steps > limit) {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        last.last().copied().filter(|steps| *steps <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_exact_up_to_the_limit() {
        let distance = |word: &str, other: &str, limit| {
            Distance::default().within(&word.chars().collect::<Vec<char>>(), other, limit)
        };
        for (word, other, steps) in [
            ("", "", 0),
            ("ab", "ba", 1),
            ("abcd", "acbd", 1),
            ("kitten", "sitting", 3),
            ("wrod17", "word18", 2),
            ("abc", "", 3),
            ("xyab", "abxy", 4),
        ] {
            for limit in 0..6 {
                let found = (steps <= limit).then_some(steps);
                assert_eq!(
                    (distance(word, other, limit), distance(other, word, limit)),
                    (found, found),
                    "{word} {other}"
                );
            }
        }
    }

    #[test]
    fn only_similar_candidates_are_found() {
        assert_eq!(nearest("hose", ["house", "goal"]), Some("house"));
        assert_eq!(nearest("House", ["house"]), Some("house"));
        assert_eq!(nearest("sww", ["now", "sow"]), Some("sow"));
        assert_eq!(nearest("p", ["a", "P"]), Some("P"));
        assert_eq!(nearest("mill", ["house", "goal"]), None);
        assert_eq!(nearest("Straße", ["strase", "STRASSE"]), Some("strase"));
        assert_eq!(nearest("WROD_17", ["word_71", "word_18", "wrod_17"]), Some("wrod_17"));
        assert_eq!(nearest("emty", ["a1", "empty", "bl64"]), Some("empty"));
        // Of long names of one pattern as well, but no slip has so many edits.
        let long = |end: &str| "field_".repeat(14) + end;
        let all = [long("7"), long("71"), long("8_west")];
        let all = || all.iter().map(String::as_str);
        assert_eq!(nearest(&long("7l"), all()), Some(long("7").as_str()));
        assert_eq!(nearest(&long("8_wset"), all()), Some(long("8_west").as_str()));
        assert_eq!(nearest(&"feild_".repeat(14), all()), None);
    }
}
