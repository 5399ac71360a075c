//! Characters that are not displayed themselves and change how others are.

/// Whether a character is a control character, or begins or ends a stretch of text that is displayed in the other direction.
#[must_use]
pub fn is_command(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
