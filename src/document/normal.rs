//! A normal form for texts that differ only typographically, and its fingerprints.
//!
//! Two copies of a document may differ in quotes, dashes, spaces, emphasis and line ends.

use unicode_normalization::UnicodeNormalization;
use xxhash_rust::xxh3::xxh3_64;

use super::words::head;

/// The number of parts of a sketch, four bits each.
const PARTS: usize = 16;

/// A line with plain spaces and without typographic control characters.
pub(super) fn clean(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for c in line.nfc() {
        match c {
            // No-break spaces and spaces of fixed width.
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => text.push(' '),
            // Soft hyphens and zero-width characters.
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\r' => {}
            'ﬀ' => text.push_str("ff"),
            'ﬁ' => text.push_str("fi"),
            'ﬂ' => text.push_str("fl"),
            'ﬃ' => text.push_str("ffi"),
            'ﬄ' => text.push_str("ffl"),
            c => text.push(c),
        }
    }
    text
}

/// Removes emphasis marks and link targets.
pub(super) fn plain(text: &str) -> String {
    let text = links(text);
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        let edge = !before.is_alphanumeric() || !after.is_alphanumeric();
        if !(matches!(c, '*' | '`') || c == '_' && edge) {
            out.push(c);
        }
        before = c;
    }
    out
}

/// `[text](target)` as `text`.
fn links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("](") {
        let target = head(behind, 300).split_once(')').filter(|(target, _)| !target.contains([' ', '(']));
        if let (Some((front, word)), Some((target, _))) = (before.rsplit_once('['), target) {
            out.push_str(front.strip_suffix('!').unwrap_or(front));
            out.push_str(word);
            rest = behind.get(target.len() + 1..).unwrap_or("");
        } else {
            out.push_str(before);
            out.push_str("](");
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}

/// The form in which sentences are compared: one kind of quote, dash and space, no emphasis, no space before closing
/// marks. Case and ß are kept.
#[must_use]
pub fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(&clean(text)).chars() {
        let c = match c {
            '„' | '“' | '”' | '‟' | '«' | '»' | '‚' | '‘' | '’' | '‹' | '›' | '\'' | '`' | '´' => {
                '"'
            }
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
            '×' => 'x',
            '…' => {
                out.truncate(out.trim_end().len());
                out.push_str("...");
                continue;
            }
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with([' ', '(', '[']) {
                    out.push(' ');
                }
                continue;
            }
            c => c,
        };
        if matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']') && out.ends_with(' ') {
            out.pop();
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out
}

/// The fingerprint of a sentence: equal for equal normal forms, on every machine.
pub(super) fn print(text: &str) -> u64 {
    xxh3_64(normal(text).as_bytes())
}

/// A locality-sensitive hash of a sentence: similar sentences have similar sketches. It shows how much two sentences
/// have in common, but not what.
pub(super) fn sketch(text: &str) -> u64 {
    let mut folded: Vec<char> = vec![' ', ' '];
    folded.extend(normal(text).to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == ' '));
    folded.push(' ');
    let mut least = [u64::MAX; PARTS];
    for run in folded.windows(4) {
        let mut bytes = [0; 16];
        for (bytes, c) in bytes.chunks_exact_mut(4).zip(run) {
            bytes.copy_from_slice(&u32::from(*c).to_le_bytes());
        }
        let mut hash = xxh3_64(&bytes);
        for least in &mut least {
            hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
            *least = mix(hash).min(*least);
        }
    }
    least.iter().fold(0, |sketch, least| sketch << 4 | least & 15)
}

/// Spreads a number over all its bits: the finalizer of splitmix64.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// How many of their sixteen parts two sketches share: about one for unrelated sentences, about twelve if one word in
/// eight differs.
#[must_use]
pub fn resemblance(a: u64, b: u64) -> u32 {
    let other = a ^ b;
    let differs = other | other >> 1 | other >> 2 | other >> 3;
    (!differs & 0x1111_1111_1111_1111).count_ones()
}
