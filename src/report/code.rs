//! Error codes. A code never changes its meaning; its page is
//! `docs/errors/<stage>/<name>.md`.

use super::Severity;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $label:literal;)*) => {
        /// The kind of a diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $variant,)* }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable text of the code, such as `check/unknown-name`.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The default label at the place.
            #[must_use]
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            /// The page that explains the code: wrong, right, why.
            #[must_use]
            pub fn page(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../../docs/errors/", $text, ".md")),)* }
            }
        }
    };
}

codes! {
    /// Something else was expected here.
    Unexpected = "syntax/unexpected", "here";
    /// Brackets or blocks nest too deeply.
    TooDeep = "syntax/too-deep", "too deep from here";
    /// A number beyond the limits of the language.
    BadNumber = "syntax/bad-number", "too large";
    /// A name that is not in Unicode normal form C.
    NotNormal = "syntax/not-normal", "not in Unicode NFC";
    /// A table row with more or fewer cells than the header.
    RaggedTable = "syntax/ragged-table", "this row";
    /// A file that is too long to be read.
    TooLong = "syntax/too-long", "the file is too long";

    /// A name that is not declared.
    UnknownName = "check/unknown-name", "not declared";
    /// A name declared twice.
    Duplicate = "check/duplicate", "declared again";
    /// A value of the wrong type.
    WrongType = "check/wrong-type", "wrong type";
    /// Too many or too few arguments.
    WrongCount = "check/wrong-count", "wrong number of arguments";
    /// A required item is missing.
    MissingItem = "check/missing-item", "in this file";
    /// An item that may occur only once is repeated.
    Repeated = "check/repeated", "second occurrence";
    /// A definition that depends on itself.
    Circular = "check/circular", "depends on itself";
    /// A value that must be known before play begins.
    NotConstant = "check/not-constant", "changes during play";
    /// A number, size or set outside the permitted range.
    OutOfRange = "check/out-of-range", "out of range";
    /// A clause that is in no registry.
    UnknownClause = "check/unknown-clause", "no such clause";
    /// A statement in the wrong place.
    Misplaced = "check/misplaced", "not allowed here";
    /// A set that must be finite and known is not.
    NotFinite = "check/not-finite", "cannot be listed";
    /// An override without a target.
    NothingToOverride = "check/nothing-to-override", "nothing to override";
    /// Two overrides of the same thing.
    Conflict = "check/conflict", "and here";
    /// A file that is referred to cannot be read.
    MissingFile = "check/missing-file", "named here";
    /// A registry, ledger or translation that cannot be read.
    BadRegistry = "check/bad-registry", "named here";
    /// The setup or the first turn ends without a decision or violates an invariant.
    BadStart = "check/bad-start", "the game does not begin";
    /// Something declared and never used.
    Unused = "check/unused", "never used";
    /// A variable that is assigned but never read.
    NeverRead = "check/never-read", "never read";
    /// A reading that no rule depends on.
    NoEffect = "check/no-effect", "has no effect";
    /// A rule by which a seat finds out what it does not see.
    Tells = "check/tells", "tells what is hidden";
    /// A clause that should be implemented but is cited by no rule.
    Uncited = "check/uncited", "never cited";
    /// A clause or gap that a translation leaves out.
    Untranslated = "check/untranslated", "incomplete";

    /// An action that no seat could play in any game tried.
    IdleAction = "lint/idle-action", "never played";
    /// A phase that no game tried entered.
    IdlePhase = "lint/idle-phase", "never entered";
    /// An end condition that no game tried reached.
    IdleEnd = "lint/idle-end", "never reached";
    /// A rule of another kind that no game tried used.
    IdleRule = "lint/idle-rule", "never used";
    /// A kind of piece that never appeared on a board or in a zone.
    IdleKind = "lint/idle-kind", "never appeared";
    /// No game tried ended.
    Endless = "lint/endless", "does not end";
    /// A construct that keeps the whole game from running on the fast interpreter.
    NotLowered = "lint/not-lowered", "not lowered";
    /// A legal move that reveals to its seat what it does not see.
    TellsHidden = "lint/tells-hidden", "depends on what is hidden";
    /// An invariant that was violated in a game tried.
    BrokenInvariant = "lint/broken-invariant", "did not hold";
}

impl Code {
    /// Whether a file with this report can be used.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::Unused
            | Self::NeverRead
            | Self::NoEffect
            | Self::Uncited
            | Self::Untranslated
            | Self::Tells
            | Self::IdleAction
            | Self::IdlePhase
            | Self::IdleEnd
            | Self::IdleRule
            | Self::IdleKind
            | Self::Endless
            | Self::NotLowered
            | Self::TellsHidden => Severity::Warning,
            Self::Unexpected
            | Self::TooDeep
            | Self::BadNumber
            | Self::NotNormal
            | Self::RaggedTable
            | Self::TooLong
            | Self::UnknownName
            | Self::Duplicate
            | Self::WrongType
            | Self::WrongCount
            | Self::MissingItem
            | Self::Repeated
            | Self::Circular
            | Self::NotConstant
            | Self::OutOfRange
            | Self::UnknownClause
            | Self::Misplaced
            | Self::NotFinite
            | Self::NothingToOverride
            | Self::Conflict
            | Self::MissingFile
            | Self::BadRegistry
            | Self::BadStart
            | Self::BrokenInvariant => Severity::Error,
        }
    }

    /// The code with this text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.text() == text)
    }
}
