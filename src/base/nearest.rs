//! "Did you mean": the nearest known name, or none.

/// The candidate nearest to `word`: one that differs only in case, else the one
/// with the smallest edit distance, if that is at most a third of the word.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == word {
            continue;
        }
        if candidate.to_lowercase() == word.to_lowercase() {
            return Some(candidate);
        }
        let distance = strsim::damerau_levenshtein(word, candidate);
        let closer = best.is_none_or(|(least, name)| (distance, candidate) < (least, name));
        if distance <= limit && closer {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_near_and_only_the_near() {
        assert_eq!(nearest("hose", ["house", "goal"]), Some("house"));
        assert_eq!(nearest("House", ["house"]), Some("house"));
        assert_eq!(nearest("mill", ["house", "goal"]), None);
    }
}
