//! Abbreviations: full stops that do not end a sentence.

/// Abbreviations after which a sentence goes on.
const OPEN: &[&str] = &[
    "abb", "abs", "abschn", "allg", "anm", "art", "aufl", "ausg", "bd", "beisp", "bes", "betr", "bez", "bsp", "bspw",
    "bzgl", "bzw", "ca", "dgl", "dr", "ebd", "eigtl", "einschl", "entspr", "evtl", "exkl", "fig", "gegr", "gem", "ggf",
    "ggfs", "hrsg", "inkl", "insb", "insbes", "insg", "kap", "lt", "max", "min", "mind", "mio", "nr", "nrn", "od",
    "pos", "prof", "rd", "resp", "sog", "st", "tab", "teilw", "tel", "ugs", "urspr", "usf", "vgl", "vorr", "zit", "zw",
    "zzgl", "zzt",
];

/// Abbreviations that may end a sentence: they do so before a capital letter.
const CLOSING: &[&str] = &["etc", "usw", "std", "sek", "pkt", "ff", "uvm", "usgl"];

/// Words after which a number with a full stop is an ordinal: `der 2. Spieler`.
const BEFORE_ORDINALS: &[&str] = &[
    "ab", "als", "am", "an", "auf", "beim", "bis", "das", "dem", "den", "der", "des", "die", "dieser", "diesem",
    "einem", "einen", "einer", "ein", "eine", "im", "in", "ins", "jede", "jedem", "jeden", "jeder", "jedes", "kein",
    "keine", "mein", "nach", "oder", "sein", "seine", "seinem", "seinen", "seiner", "seit", "und", "vom", "von", "vor",
    "zum", "zur", "zweiter",
];

/// Words that make a preceding number with a full stop an ordinal.
const AFTER_ORDINALS: &[&str] = &[
    "januar",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
    "auflage",
    "platz",
    "runde",
    "zug",
    "spieler",
    "spielerin",
    "mal",
    "reihe",
];

/// Whether the full stop after this word ends a sentence that could go on with `next`. `before` is the preceding
/// word; both are in lower case.
pub(super) fn ends(before: &str, word: &str, next: &str) -> bool {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    if word.is_empty() {
        return true;
    }
    // `z.B.`, `d.h.`, `u.a.m.`: single letters between full stops.
    let parts = || word.split('.');
    let single = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    if word.contains('.') && parts().all(single) {
        return false;
    }
    if single(word) && single(next.trim_end_matches('.')) {
        // `ein Feld z. B. rechts`
        return false;
    }
    if single(word) {
        // `Absatz 2 a.` ends; `J. Meier` and `z. B.` go on.
        let number = before.chars().any(|c| c.is_ascii_digit() || c == '§') || matches!(before, "absatz" | "feld");
        return number;
    }
    if word.chars().all(|c| c.is_ascii_digit()) {
        let ordinal = word.len() <= 3
            && (before.is_empty()
                || BEFORE_ORDINALS.contains(&before)
                || AFTER_ORDINALS.contains(&next)
                || before.ends_with(['.', ',']) && before.starts_with(|c: char| c.is_ascii_digit()));
        return !ordinal;
    }
    if CLOSING.contains(&word) {
        return true;
    }
    !OPEN.contains(&word)
}
