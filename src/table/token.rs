//! Names that nobody can guess: 128 bits from the operating system.

use std::fmt;

/// A secret, or the name of a table.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Token(String);

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// One that was written down; none if it does not look like one.
    pub(super) fn read(text: &str) -> Option<Self> {
        let digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
        (text.len() == 32 && text.chars().all(digit)).then(|| Self(text.to_owned()))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether they are the same, in a time that does not depend on where they differ.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.bytes().zip(other.0.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }
}

// A secret does not get into logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn tokens_are_read_as_they_are_written() {
        let (one, other) = (Token::new().expect("random"), Token::new().expect("random"));
        assert_eq!(one.text().len(), 32, "128 bits in hexadecimal");
        assert!(one.is(&Token::read(one.text()).expect("a token")) && !one.is(&other));
        assert_eq!(format!("{one:?}"), "Token");
        for text in ["", "../../etc/passwd", "ABCDEF00ABCDEF00ABCDEF00ABCDEF00", "0123456789abcdef0123456789abcde"] {
            assert!(Token::read(text).is_none(), "{text}");
        }
    }
}
