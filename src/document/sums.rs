//! Numbers that should agree.

use super::finding::{Check, Finding};
use super::split::{Document, Kind, Unit};
use crate::base::SaturatingFrom;

/// Numbers written as words.
const NUMBERS: &[&str] =
    &["null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"];

/// Words before a total.
const TOTALS: &[&str] = &["summe", "gesamt", "insgesamt", "total", "zusammen"];

/// Checks all sums of a document.
pub(super) fn sums(document: &Document, findings: &mut Vec<Finding>) {
    lists(document, findings);
    tables(document, findings);
    for unit in document.units.iter().filter(|unit| unit.speaks()) {
        equations(unit, findings);
        shares(unit, findings);
    }
    players(document, findings);
}

/// The number of things an item mentions.
#[derive(Clone, Copy, Debug)]
struct Count {
    number: u64,
    /// The number per thing: `jeweils 18`.
    each: Option<u64>,
    /// Whether it is written `8x`, so that the number is certainly a count.
    sure: bool,
}

/// The count in an item: `8x Karten`, `vier Karten`, `4x Sorten mit jeweils 18 Karten`.
fn count(text: &str) -> Option<Count> {
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let bare = first.trim_end_matches(['x', '×']);
    let small = first.to_lowercase();
    let spelt = NUMBERS.iter().position(|word| small == *word).and_then(|number| u64::try_from(number).ok());
    let times = bare.len() < first.len() || words.clone().next().is_some_and(|word| matches!(word, "x" | "×"));
    let number = bare.parse().ok().or(spelt)?;
    let mut each = None;
    while let Some(word) = words.next() {
        if matches!(word, "jeweils" | "je" | "à") {
            each = words.next().and_then(|word| word.parse().ok());
        }
    }
    Some(Count { number, each, sure: times })
}

/// Lists of material: the count of an item against those of its children.
fn lists(document: &Document, findings: &mut Vec<Finding>) {
    let outline = &document.outline;
    let text = |node: usize| {
        let unit = outline.nodes.get(node).and_then(|node| node.units.first());
        unit.and_then(|unit| document.units.get(*unit))
    };
    let counts: Vec<Option<Count>> =
        (0..outline.nodes.len()).map(|node| text(node).and_then(|unit| count(&unit.text))).collect();
    let mut totals: Vec<Option<u64>> = vec![None; outline.nodes.len()];
    // Children follow their parents, so going backwards all descendants are known.
    for (number, node) in outline.nodes.iter().enumerate().rev() {
        let below: Option<Vec<u64>> = node.children.iter().map(|child| totals.get(*child).copied().flatten()).collect();
        let below = below.filter(|below| !below.is_empty());
        let own = counts.get(number).copied().flatten().filter(|_| node.is_item);
        let sum = below.as_ref().map(|below| below.iter().fold(0_u64, |sum, more| sum.saturating_add(*more)));
        if let (Some(own), Some(sum), Some(unit)) = (own, sum, text(number)) {
            let kinds = u64::saturating_from(node.children.len());
            let claim = own.each.unwrap_or(own.number);
            let fits = claim == sum || !own.sure && own.number == kinds;
            if !fits {
                let parts: Vec<String> = below.iter().flatten().map(u64::to_string).collect();
                let message = format!("{claim} is claimed, but {} = {sum}", parts.join(" + "));
                let finding = Finding::new(Check::Sum, unit.line, &unit.heading, claim.to_string());
                findings.push(finding.says(message).cure("correct the number, or the parts"));
            }
        }
        let total = match (own, sum) {
            (Some(own), Some(sum)) => Some(if own.each.is_some() { own.number.saturating_mul(sum) } else { sum }),
            (Some(own), None) => Some(own.each.map_or(own.number, |each| own.number.saturating_mul(each))),
            (None, _) => None,
        };
        if let Some(place) = totals.get_mut(number) {
            *place = total;
        }
    }
}

/// What stands between the thousands of a number.
const THOUSANDS: [char; 5] = ['.', ' ', '\'', '\u{a0}', '\u{202f}'];

/// A whole number, perhaps with its thousands set apart: `1.000`, `1 000`. None for anything else, such as `1,5`.
fn whole(text: &str) -> Option<u64> {
    let mut groups = text.trim().split(THOUSANDS);
    let first = groups.next()?;
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 || first.len() > 3 {
            return None;
        }
        digits.push_str(group);
    }
    if digits.chars().all(|c| c.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The number with which a text begins, if it is a whole one.
fn leading(text: &str) -> Option<u64> {
    whole(beginning(text, &|c| c.is_ascii_digit() || c == ',' || THOUSANDS.contains(&c)))
}

/// The beginning of a text, as long as its characters belong to a number or an expression.
fn beginning<'t>(text: &'t str, belongs: &dyn Fn(char) -> bool) -> &'t str {
    let ends = |(at, c): (usize, char)| {
        let closes = matches!(c, '.' | ',') && text.get(at + 1..).is_some_and(|rest| rest.starts_with(' '));
        (closes || !belongs(c)).then_some(at)
    };
    let end = text.char_indices().find_map(ends).unwrap_or(text.len());
    text.get(..end).unwrap_or("").trim_end_matches(|c: char| !c.is_ascii_digit())
}

/// Total rows against the rows above them.
fn tables(document: &Document, findings: &mut Vec<Finding>) {
    let mut rows: Vec<&Unit> = Vec::new();
    for unit in &document.units {
        if unit.kind != Kind::Row {
            rows.clear();
            continue;
        }
        let total = unit.cells.iter().any(|cell| {
            let cell = cell.to_lowercase();
            TOTALS.iter().any(|word| cell.starts_with(word))
        });
        if !total {
            rows.push(unit);
            continue;
        }
        for (column, cell) in unit.cells.iter().enumerate() {
            let Some(claim) = leading(cell) else { continue };
            let parts: Option<Vec<u64>> =
                rows.iter().map(|row| row.cells.get(column).and_then(|cell| leading(cell))).collect();
            let Some(parts) = parts.filter(|parts| parts.len() > 1) else { continue };
            let sum = parts.iter().fold(0_u64, |sum, more| sum.saturating_add(*more));
            if sum != claim {
                let message = format!("the total in column {} is {claim}, but the rows add up to {sum}", column + 1);
                let finding = Finding::new(Check::Sum, unit.line, &unit.heading, claim.to_string());
                findings.push(finding.says(message).cure("correct the total, or the rows"));
            }
        }
        rows.clear();
    }
}

/// Signs of multiplication and of division.
const TIMES: [char; 4] = ['x', '×', '·', '*'];
const DIVIDED: [char; 3] = ['/', ':', '÷'];

/// Signs of subtraction: a hyphen, a minus sign, a dash.
const MINUS: [char; 3] = ['-', '−', '–'];

/// Whether a character may stand in an equation.
fn calculates(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(c, '+' | ',')
        || [&THOUSANDS[..], &TIMES, &DIVIDED, &MINUS].iter().any(|signs| signs.contains(&c))
}

/// Equations within a sentence: `24 + 24 = 48`. What is not worked out from whole numbers alone is passed over.
fn equations(unit: &Unit, findings: &mut Vec<Finding>) {
    for (at, _) in unit.text.match_indices('=') {
        let (left, right) = (unit.text.get(..at).unwrap_or(""), unit.text.get(at + 1..).unwrap_or(""));
        let from = left.char_indices().rev().take_while(|(_, c)| calculates(*c)).last();
        let from = from.map_or(left.len(), |(from, _)| from);
        let written = left.get(from..).unwrap_or("").trim_start_matches([' ', ':', '.', ',']).trim_end();
        let claim = beginning(right.trim_start(), &calculates);
        let before = left.get(..from).unwrap_or("").trim_end();
        if counts(written)
            || goes_on(before)
            || right.trim_start().get(claim.len()..).is_some_and(|rest| rest.trim_start().starts_with("Rest"))
        {
            continue;
        }
        let (Some((number, parts)), Some((claimed, of))) = (sum(written), sum(claim)) else { continue };
        let both = number.checked_mul(of).zip(claimed.checked_mul(parts));
        if both.is_some_and(|(one, other)| one != other) {
            let message = format!("{written} is {}, not {claim}", fraction(number, parts));
            let finding = Finding::new(Check::Sum, unit.line, &unit.heading, claim.to_owned());
            findings.push(finding.says(message).cure("correct the number that is wrong"));
        }
    }
}

/// Whether something is said to count so much, or a range of numbers: `6 = 3 Punkte`, `4-6 = 2 Punkte`, `1:2 = klein`.
fn counts(written: &str) -> bool {
    let from_to = [&MINUS[..], &[':']]
        .concat()
        .into_iter()
        .any(|sign| written.split(sign).rev().skip(1).any(|before| before.ends_with(|c: char| c.is_ascii_digit())));
    from_to || whole(written).is_some()
}

/// Whether what is worked out begins before the signs and numbers: `3 mal 4 + 2`, `(3 + 4) x 2`.
fn goes_on(before: &str) -> bool {
    let word = before.rsplit(' ').next().unwrap_or("").to_lowercase();
    before.ends_with(['(', ')', '[', ']', '^', '√', '%', '½', '¼', '¾'])
        || ["mal", "plus", "minus", "durch", "hoch", "von", "geteilt", "und", "weniger"].contains(&word.as_str())
}

/// A fraction in lowest terms, as it is read.
fn fraction(number: i128, parts: i128) -> String {
    let (mut one, mut other) = (number.unsigned_abs(), parts.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    let (sign, shared) = (if number < 0 { "-" } else { "" }, one.max(1));
    let (number, parts) = (number.unsigned_abs() / shared, parts.unsigned_abs() / shared);
    if parts == 1 { format!("{sign}{number}") } else { format!("{sign}{number}/{parts}") }
}

/// A sum of products, as a fraction; none if it is none of whole numbers, or too large.
fn sum(text: &str) -> Option<(i128, i128)> {
    let (mut all, mut sign, mut rest): ((i128, i128), i128, &str) = ((0, 1), 1, text);
    loop {
        let end = rest.find(|c| c == '+' || MINUS.contains(&c));
        let (number, parts) = product(rest.get(..end.unwrap_or(rest.len()))?)?;
        let (whole, part) = (all.0.checked_mul(parts)?, sign.checked_mul(number)?.checked_mul(all.1)?);
        all = (whole.checked_add(part)?, all.1.checked_mul(parts)?);
        let Some(end) = end else { return Some(all) };
        let mut behind = rest.get(end..)?.chars();
        sign = if behind.next() == Some('+') { 1 } else { -1 };
        rest = behind.as_str();
    }
}

/// A product of numbers, some of them divided by.
fn product(text: &str) -> Option<(i128, i128)> {
    let (mut all, mut divides, mut rest): ((i128, i128), bool, &str) = ((1, 1), false, text);
    loop {
        let end = rest.find(|c| TIMES.contains(&c) || DIVIDED.contains(&c));
        let factor = i128::from(whole(rest.get(..end.unwrap_or(rest.len()))?)?);
        let place = if divides { &mut all.1 } else { &mut all.0 };
        *place = place.checked_mul(factor).filter(|number| !divides || *number != 0)?;
        let Some(end) = end else { return Some(all) };
        let mut behind = rest.get(end..)?.chars();
        divides = behind.next().is_some_and(|sign| DIVIDED.contains(&sign));
        rest = behind.as_str();
    }
}

/// `bei 2 Spielern zusammen 48, bei 3 Spielern 72, …`: the same share for each player, where three or more numbers
/// are given.
fn shares(unit: &Unit, findings: &mut Vec<Finding>) {
    let small = unit.text.to_lowercase();
    if !TOTALS.iter().any(|word| small.contains(word)) {
        return;
    }
    let mut pairs: Vec<(u64, u64)> = Vec::new();
    for part in small.split("bei ").skip(1) {
        let mut numbers = part.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse::<u64>().ok());
        if let (Some(players @ 1..), Some(total), None) = (numbers.next(), numbers.next(), numbers.next())
            && part.contains("spieler")
        {
            pairs.push((players, total));
        }
    }
    let alike = |pair: &(u64, u64)| {
        pairs.iter().filter(|other| other.0.saturating_mul(pair.1) == pair.0.saturating_mul(other.1)).count()
    };
    let Some(most) = pairs.iter().max_by_key(|pair| alike(pair)).copied() else { return };
    if pairs.len() < 3 || alike(&most) * 2 <= pairs.len() {
        return;
    }
    for (players, total) in pairs.iter().filter(|pair| alike(pair) < alike(&most)) {
        let each = most.1 / most.0;
        let message = format!("{total} for {players} players does not match {each} for each of the others");
        let finding = Finding::new(Check::Sum, unit.line, &unit.heading, total.to_string());
        findings.push(finding.says(message).cure("correct the number that is wrong"));
    }
}

/// `6 und mehr Spieler` where the document says that at most 6 play.
fn players(document: &Document, findings: &mut Vec<Finding>) {
    let mut most: Option<u64> = None;
    for unit in document.units.iter().filter(|unit| unit.speaks()) {
        let words: Vec<&str> = unit.text.split_whitespace().collect();
        for window in words.windows(4) {
            if let [from, "bis", to, who] = window
                && let (Ok(from), Ok(to)) = (from.parse::<u64>(), to.parse::<u64>())
                && who.starts_with("Spieler")
                && from < to
            {
                most = Some(most.map_or(to, |most| most.max(to)));
            }
        }
    }
    let Some(most) = most else { return };
    for unit in document.units.iter().filter(|unit| unit.speaks()) {
        let words: Vec<&str> = unit.text.split_whitespace().collect();
        for window in words.windows(4) {
            if let [number, "und" | "oder", "mehr", who] = window
                && who.starts_with("Spieler")
                && number.parse::<u64>().is_ok_and(|number| number >= most)
            {
                let subject = format!("{number} und mehr");
                let message = format!("{number} players and more are mentioned, but at most {most} can play");
                let finding = Finding::new(Check::Sum, unit.line, &unit.heading, subject);
                findings.push(finding.says(message).cure("make the two numbers agree"));
            }
        }
    }
}
