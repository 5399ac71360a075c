//! Escaping text for HTML and SVG.

use crate::base::is_command;

/// A text escaped for HTML or SVG, between tags or in quotes. Control characters, which neither allows, are removed.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_command(c) || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn escaped_text_contains_no_markup() {
        assert_eq!(super::escape("a<b> & \"c\" 'd'\u{1b}"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    }
}
