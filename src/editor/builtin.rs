//! Descriptions of built-in names, taken from chapter 17 of the language page.

/// The page of the language.
const PAGE: &str = include_str!("../../docs/language.md");

/// The heading of the chapter, and of its section on attributes.
const CHAPTER: (&str, &str) = ("## 17. ", "### Attributes");

/// The page's description of a built-in name; attributes are listed separately.
pub(super) fn explained(name: &str, attribute: bool) -> Option<String> {
    let chapter = PAGE.split(&format!("\n{}", CHAPTER.0)).nth(1)?;
    let chapter = chapter.split("\n---\n").next()?;
    let (names, attributes) = chapter.split_once(CHAPTER.1)?;
    let attributes = attributes.split("\n### ").next()?;
    let rows = if attribute { attributes } else { names };
    rows.lines().find_map(|line| row(line, name, attribute))
}

/// A table row, if it describes the name.
fn row(line: &str, name: &str, attribute: bool) -> Option<String> {
    // A bar within a cell is written `\|`; these tables have none.
    let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let (called, rest) = match (attribute, cells.as_slice()) {
        (true, [_, called, ty]) => (*called, vec![*ty]),
        (false, [called, ty, meaning]) => (*called, vec![*ty, *meaning]),
        _ => return None,
    };
    let code = |part: &str| {
        let inner = part.strip_prefix('`')?.split('`').next()?;
        Some(inner.split('(').next().unwrap_or(inner) == name)
    };
    if !called.split(", ").any(|part| code(part) == Some(true)) {
        return None;
    }
    let rest: Vec<String> = rest.into_iter().filter(|part| !part.is_empty()).map(unlinked).collect();
    Some(format!("{called}: {}", rest.join("; ")))
}

/// The text without links within the page, which lead nowhere from here.
fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, (label, after))) =
        rest.split_once('[').and_then(|(before, after)| Some((before, after.split_once("](#")?)))
    {
        out.push_str(before);
        out.push_str(label);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_come_from_the_page() {
        assert_eq!(explained("mover", false).as_deref(), Some("`mover`: seat; whose turn it is"));
        assert_eq!(explained("me", false).as_deref(), Some("`me`: seat; the acting seat (chapter 2)"));
        let opposite = "`opposite(directions)`: set of direction; the reverse directions";
        assert_eq!(explained("opposite", false).as_deref(), Some(opposite));
        assert_eq!(explained("taken", true).as_deref(), Some("`taken`: set of site"));
        assert_eq!(explained("nothing", false), None);
    }
}
