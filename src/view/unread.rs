//! Why a text was not understood, for people who typed it.

use crate::notation::NotationError;
use crate::say::{Arg, Lang};

/// Why a text was not understood, and what to do about it. What only positions and records can get wrong is said in
/// English: programs write them.
#[must_use]
pub fn unread(lang: Lang, error: &NotationError) -> (String, Option<String>) {
    match error {
        NotationError::Unknown { what, found, near, known } => {
            let found = ("found", Arg::Text(found));
            let message = match what.as_str() {
                "legal move" => lang.say("unread-not-legal", &[found]),
                what => lang.say("unread-unknown", &[("what", what.into()), found]),
            };
            let cure = match near {
                Some(near) => Some(lang.say("unread-near", &[("near", near.into())])),
                None if known.is_empty() => None,
                None => Some(lang.say("unread-choices", &[("choices", Arg::Text(&quoted(known)))])),
            };
            (message, cure)
        }
        NotationError::NoMove { found, patterns } => {
            let patterns: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
            let args = [("found", found.into()), ("patterns", Arg::Text(&lang.or(&patterns)))];
            (lang.say("unread-no-move", &args), None)
        }
        NotationError::Ambiguous { found, readings } => {
            let cure = lang.say("unread-ambiguous-help", &[("readings", Arg::Text(&quoted(readings)))]);
            (lang.say("unread-ambiguous", &[("found", found.into())]), Some(cure))
        }
        NotationError::Misfit { .. }
        | NotationError::OutOfRange { .. }
        | NotationError::Missing { .. }
        | NotationError::WrongGame { .. }
        | NotationError::WrongPlayers { .. }
        | NotationError::Crowded { .. }
        | NotationError::Concealed { .. }
        | NotationError::Unbound { .. }
        | NotationError::Twice { .. }
        | NotationError::Forged { .. }
        | NotationError::Misplaced { .. }
        | NotationError::TooLong { .. }
        | NotationError::In { .. } => (error.to_string(), error.cure()),
    }
}

fn quoted(names: &[String]) -> String {
    let quote = |name: &String| if name == "…" { name.clone() } else { format!("`{name}`") };
    names.iter().map(quote).collect::<Vec<_>>().join(", ")
}
