//! The pages that explain the codes.
//!
//! **Invariant:** every code has a page, and no other text explains it.

use super::Code;

/// The page for the text of a code such as `check/unknown-name`.
#[must_use]
pub fn page(code: &str) -> Option<&'static str> {
    Code::parse(code.trim()).map(Code::page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_with_a_wrong_and_a_right_example() {
        for code in Code::ALL {
            let text = page(code.text()).unwrap_or_default();
            assert!(text.starts_with(&format!("# {}\n", code.text())), "{}", code.text());
            assert!(text.contains("\n```rules wrong") && text.contains("\n```rules right"), "{}", code.text());
        }
        assert_eq!(page("check/no-such-code"), None);
    }
}
