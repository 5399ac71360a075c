//! The content words of a sentence.

/// Words that reveal nothing about the subject of a sentence.
const FUNCTION_WORDS: &str = "
    aber absatz abschnitt alle allem allen aller alles also andere anderen anderer auch beide beiden beim
    bereits bevor bleiben bleibt bzw dabei dann darf dass davon dazu deine denen denn deren dessen dient dies
    diese diesem diesen dieser dieses doch dort durch dürfen eben eigene eigenen eine einem einen einer eines
    einzige erst etwa folgende ganz gegen gemacht gemäß genau gibt gilt haben heißt hierbei hierzu ihre ihrem
    ihren ihrer immer jede jedem jeden jeder jedes jedoch jetzt kann kapitel kein keine keinem keinen keiner
    kommt können liegen liegt macht mehr mehrere muss müssen nach nicht noch oder ohne regel sein seine seinem
    seinen seiner seit selbst sich siehe sind sobald sofern solange soll sollte sowie spiel spielen spieler
    statt trotz unter vermerk viele vielen vom vorher wann weil weitere welche welcher wenn werden wieder wird
    wurde wurden wäre zuerst zwei zwischen über
";

/// The stems of the content words of a text.
pub(super) fn stems(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4 && word.chars().all(char::is_alphabetic))
        .map(str::to_lowercase)
        .filter(|word| !FUNCTION_WORDS.split_ascii_whitespace().any(|known| known == word))
        .map(|word| stem(&word))
}

/// A word without its ending, with umlauts and ß transliterated.
pub(super) fn stem(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.to_lowercase().chars() {
        match c {
            'ä' => plain.push('a'),
            'ö' => plain.push('o'),
            'ü' => plain.push('u'),
            'ß' => plain.push_str("ss"),
            c => plain.push(c),
        }
    }
    for ending in ["en", "er", "es", "em", "e", "n", "s"] {
        if let Some(root) = plain.strip_suffix(ending).filter(|root| root.chars().count() >= 3) {
            return root.to_owned();
        }
    }
    plain
}

/// The lookup key of a title: its words in lower case.
pub(super) fn key(title: &str) -> String {
    let words: Vec<String> =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

/// The text after the first character.
fn behind(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

/// The texts in quotes.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['„', '»', '"', '“']) {
        let inner = rest.get(start..).unwrap_or("");
        let inner = behind(inner);
        let Some(end) = inner.find(['“', '”', '"', '«']) else { break };
        found.push(inner.get(..end).unwrap_or("").trim());
        rest = inner.get(end..).unwrap_or("");
        rest = behind(rest);
    }
    found
}

/// The first `count` characters of a text.
pub(super) fn head(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}
