//! "Did you mean": the most similar known name, if any.

/// Words of more bytes are like no other.
const LONGEST: usize = 300;

/// The candidate most similar to `word`: one that differs only in case, else the one with the smallest edit distance,
/// if that is at most a third of the word's length. A tie goes to a candidate with the same first letter. A single
/// letter is similar to nothing.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody mistypes so long a word, and comparing takes the product of both lengths.
    if word.len() > LONGEST {
        return None;
    }
    let (letters, lower) = (word.chars().count(), word.to_lowercase());
    let limit = if letters < 2 { 0 } else { (letters / 3).max(1) };
    let mut best: Option<(usize, bool, &str)> = None;
    for candidate in candidates {
        if candidate == word || candidate.len() > LONGEST {
            continue;
        }
        if candidate.to_lowercase() == lower {
            return Some(candidate);
        }
        let distance = strsim::damerau_levenshtein(word, candidate);
        let other = candidate.chars().next() != word.chars().next();
        if distance <= limit && best.is_none_or(|best| (distance, other, candidate) < best) {
            best = Some((distance, other, candidate));
        }
    }
    best.map(|(_, _, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_candidates_are_found() {
        assert_eq!(nearest("hose", ["house", "goal"]), Some("house"));
        assert_eq!(nearest("House", ["house"]), Some("house"));
        assert_eq!(nearest("sww", ["now", "sow"]), Some("sow"));
        assert_eq!(nearest("p", ["a", "P"]), Some("P"));
        assert_eq!(nearest("mill", ["house", "goal"]), None);
    }
}
