//! Parse errors, as data.

use thiserror::Error;

use super::position::MAX_LENGTH;

/// Up to so many readings of an ambiguous text are named.
const READINGS: usize = 20;

/// Why a text is not a value, move, answer or position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// An unknown name.
    #[error("there is no {what} `{found}`")]
    Unknown {
        /// The kind of thing it should name.
        what: String,
        /// The name given.
        found: String,
        /// The most similar known name.
        near: Option<String>,
        /// The known names; if there are many, the first few and the last with `…` between them.
        known: Vec<String>,
    },
    /// A text of the wrong form.
    #[error("`{found}` is not {wanted}")]
    Misfit {
        /// The expected form, with its article.
        wanted: String,
        /// The text given.
        found: String,
    },
    /// A text that is no move.
    #[error("`{found}` is not a move; a move is written `{}`", patterns.join("` or `"))]
    NoMove {
        /// The text given.
        found: String,
        /// How moves are written here.
        patterns: Vec<String>,
    },
    /// An ambiguous text.
    #[error("`{found}` is ambiguous")]
    Ambiguous {
        /// The text given.
        found: String,
        /// The possible readings, each written unambiguously.
        readings: Vec<String>,
    },
    /// A number out of range.
    #[error("{what} {found} is out of range")]
    OutOfRange {
        /// What the number is.
        what: String,
        /// The number given.
        found: String,
        /// Its range in words.
        limits: String,
    },
    /// A position of another game.
    #[error("this is a position of `{found}`, not of `{wanted}`")]
    WrongGame {
        /// The current game.
        wanted: String,
        /// The game named.
        found: String,
    },
    /// A position for a different number of players.
    #[error("this is a position for {found} players; the game is set up for {wanted}")]
    WrongPlayers {
        /// The number of players set up.
        wanted: usize,
        /// The number given.
        found: String,
    },
    /// Two pieces on one site.
    #[error("there are two pieces on {site}")]
    Crowded {
        /// The site.
        site: String,
    },
    /// A piece shown from the back, or a variable that is not shown.
    #[error("`{found}` does not say what is meant")]
    Concealed {
        /// The text given.
        found: String,
    },
    /// Something that must be given.
    #[error("the position lacks {what}")]
    Missing {
        /// What.
        what: String,
    },
    /// A local name with a value where it is not bound.
    #[error("`{name}=` gives a value to a name that is not bound at this question")]
    Unbound {
        /// The name, as a position has it.
        name: String,
    },
    /// Something given twice.
    #[error("{what} is given twice")]
    Twice {
        /// What.
        what: String,
    },
    /// A control stack or question that does not fit the rules.
    #[error("`{found}` does not refer to anything of that kind in these rules")]
    Forged {
        /// The entry given.
        found: String,
    },
    /// A control stack or question that no game has.
    #[error("`{found}` cannot come {}", below.as_ref().map_or_else(|| "first".to_owned(), |below| format!("after `{below}`")))]
    Misplaced {
        /// The entry or question.
        found: String,
        /// The entry before it; none at the beginning.
        below: Option<String>,
    },
    /// A text that is too long.
    #[error("the text has {length} bytes; the limit is {limit}")]
    TooLong {
        /// Its length in bytes.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// An error within a segment of a position.
    #[error("in `{segment}`: {source}")]
    In {
        /// The segment, abbreviated.
        segment: String,
        /// The error.
        source: Box<NotationError>,
    },
}

impl NotationError {
    /// The correction to suggest, if there is one.
    #[must_use]
    pub fn cure(&self) -> Option<String> {
        match self {
            Self::Unknown { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            Self::Unknown { near: None, known, .. } if !known.is_empty() => {
                Some(format!("the choices are {}", quoted(known)))
            }
            Self::Unknown { .. } | Self::Misfit { .. } | Self::NoMove { .. } => None,
            Self::Ambiguous { readings, .. } => Some(format!("write one of {}", quoted(readings))),
            Self::OutOfRange { limits, .. } => Some(limits.clone()),
            Self::WrongGame { wanted, found } => {
                Some(format!("start the text with `{wanted}`, or run the command on `{found}`"))
            }
            Self::WrongPlayers { found, .. } => Some(format!("set the game up with `--players {found}`")),
            Self::Crowded { site } => Some(format!("name {site} once")),
            Self::Concealed { .. } => Some(
                "what a seat sees is not a complete position; take the text from `position` in a game without hidden information, or from a record"
                    .to_owned(),
            ),
            Self::Missing { .. } => Some(
                "take the whole text from `position`; or remove `at=`, `ask=`, `actor=` and `local.…=`, which puts the \
                 first question of the turn"
                    .to_owned(),
            ),
            Self::Unbound { name } => Some(format!("remove `{name}=`, or take the whole text from `position`")),
            Self::Twice { .. } => Some("remove one of the two".to_owned()),
            Self::Forged { .. } | Self::Misplaced { .. } => Some(
                "remove `at=` and `ask=`, which puts the first question of the game to `mover`; \
                 or take the text from the same rules, variants and options"
                    .to_owned(),
            ),
            Self::TooLong { limit, .. } if *limit < MAX_LENGTH => Some("no move is written like that".to_owned()),
            Self::TooLong { .. } => Some("remove `history=` if no rule looks back that far".to_owned()),
            Self::In { source, .. } => source.cure(),
        }
    }

    /// The same error, located in a segment.
    pub(super) fn within(self, segment: &str) -> Self {
        let mut short: String = segment.chars().take(48).collect();
        if short.len() < segment.len() {
            short.push('…');
        }
        Self::In { segment: short, source: Box::new(self) }
    }

    pub(super) fn misfit(wanted: impl Into<String>, found: &str) -> Self {
        Self::Misfit { wanted: wanted.into(), found: shown(found) }
    }

    pub(super) fn no_move(patterns: Vec<String>, found: &str) -> Self {
        Self::NoMove { found: shown(found), patterns }
    }
}

/// As much of a text as a message shows.
fn shown(found: &str) -> String {
    let mut short: String = found.chars().take(80).collect();
    if short.len() < found.len() {
        short.push('…');
    }
    short
}

/// An ambiguous text with the first of its readings.
pub(super) fn ambiguous(found: &str, mut readings: impl Iterator<Item = String>) -> NotationError {
    let mut first: Vec<String> = readings.by_ref().take(READINGS).collect();
    first.extend(readings.next().map(|_| "…".to_owned()));
    NotationError::Ambiguous { found: found.to_owned(), readings: first }
}

fn quoted(names: &[String]) -> String {
    let quote = |name: &String| if name == "…" { name.clone() } else { format!("`{name}`") };
    names.iter().map(quote).collect::<Vec<_>>().join(", ")
}
