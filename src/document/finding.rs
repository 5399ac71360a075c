//! Findings about a document.

/// What is wrong, or different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
pub enum Check {
    /// A sentence of the registry reads otherwise.
    Changed,
    /// A sentence of the registry stands elsewhere.
    Moved,
    /// A sentence of the registry is gone.
    Missing,
    /// A sentence that no clause claims.
    Unclaimed,
    /// A heading reads otherwise, or is gone.
    Heading,
    /// A reference to what is not there, or to something else.
    Reference,
    /// Labels of a list out of order.
    Label,
    /// A word for something that is nowhere introduced.
    Term,
    /// Numbers that do not go together.
    Sum,
    /// A bracket or quote without its other half.
    Pair,
    /// A picture or column that was lost.
    Lost,
}

impl Check {
    /// Its name.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Missing => "missing",
            Self::Unclaimed => "unclaimed",
            Self::Heading => "heading",
            Self::Reference => "reference",
            Self::Label => "label",
            Self::Term => "term",
            Self::Sum => "sum",
            Self::Pair => "pair",
            Self::Lost => "lost",
        }
    }
}

/// Something found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub check: Check,
    /// The line it is about; 0 if it is about none.
    pub line: u32,
    /// The title it stands under.
    pub heading: String,
    /// What it is about, by which it is known again: a reference as written, a
    /// label, a word.
    pub subject: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub cure: String,
    /// The clauses it touches.
    pub clauses: Vec<String>,
}

impl Finding {
    /// A finding at a place, about no clause.
    pub(super) fn new(check: Check, line: u32, heading: &str, subject: impl Into<String>) -> Self {
        Self {
            check,
            line,
            heading: heading.to_owned(),
            subject: subject.into(),
            message: String::new(),
            cure: String::new(),
            clauses: Vec::new(),
        }
    }

    /// Says what is wrong.
    pub(super) fn says(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Says what to do about it.
    pub(super) fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cure = cure.into();
        self
    }
}
