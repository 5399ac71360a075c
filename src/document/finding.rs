//! Findings about a document.

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
pub enum Check {
    /// A sentence of the registry has changed.
    Changed,
    /// A sentence of the registry has moved.
    Moved,
    /// A sentence of the registry is gone.
    Missing,
    /// A sentence that no clause claims.
    Unclaimed,
    /// A heading has changed or is gone.
    Heading,
    /// A reference to something missing, or to the wrong place.
    Reference,
    /// List labels out of order.
    Label,
    /// A term that is introduced nowhere.
    Term,
    /// Numbers that do not add up.
    Sum,
    /// An unmatched bracket or quote.
    Pair,
    /// A picture or column that got lost.
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

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub check: Check,
    /// Its line; 0 if it has none.
    pub line: u32,
    /// The title it is under.
    pub heading: String,
    /// Its subject, which identifies it: a reference as written, a label, a word.
    pub subject: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub cure: String,
    /// The clauses affected.
    pub clauses: Vec<String>,
}

impl Finding {
    /// A finding at a line that affects no clause.
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

    /// Sets what is wrong.
    pub(super) fn says(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets what to do about it.
    pub(super) fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cure = cure.into();
        self
    }
}
