//! The fixed wording of a rulebook.

/// The language of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// German.
    De,
    /// English.
    #[default]
    En,
}

impl Lang {
    /// Its language tag.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::De => "de",
            Self::En => "en",
        }
    }

    /// One of two wordings.
    pub(super) fn say(self, german: &'static str, english: &'static str) -> &'static str {
        match self {
            Self::De => german,
            Self::En => english,
        }
    }

    /// The subject of a clause, as a word.
    pub(super) fn kind(self, kind: &str) -> String {
        let german = match kind {
            "setup" => "Aufbau",
            "movement" => "Ziehen",
            "capture" => "Schlagen",
            "turn order" => "Zugfolge",
            "end" => "Ende",
            "scoring" => "Wertung",
            "draw" => "Remis",
            "prohibition" => "Verbot",
            "advice" => "Ratschlag",
            "physical" => "Material",
            "clause" => "Regel",
            other => other,
        };
        match self {
            Self::De => german.to_owned(),
            Self::En => kind.to_owned(),
        }
    }
}
