//! The codes of diagnostics.

use std::fmt;

/// What a diagnostic is about: a stable code, shown as `error[bad-regex]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A file or folder cannot be read.
    Unreadable,
    /// The file is no RON, or its values are of other types than the schema's.
    Syntax,
    /// A field that the schema does not have, or a choice that it does not offer.
    UnknownField,
    /// A field that must be there is not.
    MissingField,
    /// The version is another than the one that is understood.
    Version,
    /// Something is over a limit.
    OverLimit,
    /// A name that is not of the form of names.
    BadName,
    /// A name that is taken.
    DuplicateName,
    /// No dialect of this name.
    UnknownDialect,
    /// Not an origin pattern.
    BadOrigin,
    /// An origin that is claimed twice.
    DuplicateOrigin,
    /// `extends` names no set of the folder.
    UnknownSet,
    /// Sets that extend each other.
    ExtendsCycle,
    /// A robots.txt that is not there, cannot be read, or lies outside the folder.
    RobotsFile,
    /// Something in a robots.txt that loses rules.
    RobotsTxt,
    /// Not a product token.
    BadAgent,
    /// An expectation for an agent that nobody knows.
    UnknownAgent,
    /// An agent of a group that is nearly the name of a known crawler.
    MisspeltAgent,
    /// A declared rule with none or several of `path`, `regex` and `query`.
    BadRule,
    /// A path pattern that can match no path, or is not what was meant.
    BadPath,
    /// A rule that can never decide, since an earlier one matches whatever it matches.
    NeverDecides,
    /// A rule set, a group or a file that disallows nothing, and does not say so on purpose.
    DeniesNothing,
    /// Not a regular expression, or one that is not supported or can match no path.
    BadRegex,
    /// Not the name of a query parameter.
    BadQuery,
    /// An expectation's URL that cannot be read, or lies outside the set's origins.
    BadUrl,
    /// An expectation names a rule that the set does not have.
    UnknownRule,
    /// An expectation that does not hold.
    FailedExpectation,
}

impl Code {
    /// All codes, in the order in which they are declared.
    pub const ALL: [Self; 27] = [
        Self::Unreadable,
        Self::Syntax,
        Self::UnknownField,
        Self::MissingField,
        Self::Version,
        Self::OverLimit,
        Self::BadName,
        Self::DuplicateName,
        Self::UnknownDialect,
        Self::BadOrigin,
        Self::DuplicateOrigin,
        Self::UnknownSet,
        Self::ExtendsCycle,
        Self::RobotsFile,
        Self::RobotsTxt,
        Self::BadAgent,
        Self::UnknownAgent,
        Self::MisspeltAgent,
        Self::BadRule,
        Self::BadPath,
        Self::NeverDecides,
        Self::DeniesNothing,
        Self::BadRegex,
        Self::BadQuery,
        Self::BadUrl,
        Self::UnknownRule,
        Self::FailedExpectation,
    ];

    /// The code as it is shown: lower case words joined by `-`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Syntax => "syntax",
            Self::UnknownField => "unknown-field",
            Self::MissingField => "missing-field",
            Self::Version => "version",
            Self::OverLimit => "over-limit",
            Self::BadName => "bad-name",
            Self::DuplicateName => "duplicate-name",
            Self::UnknownDialect => "unknown-dialect",
            Self::BadOrigin => "bad-origin",
            Self::DuplicateOrigin => "duplicate-origin",
            Self::UnknownSet => "unknown-set",
            Self::ExtendsCycle => "extends-cycle",
            Self::RobotsFile => "robots-file",
            Self::RobotsTxt => "robots-txt",
            Self::BadAgent => "bad-agent",
            Self::UnknownAgent => "unknown-agent",
            Self::MisspeltAgent => "misspelt-agent",
            Self::BadRule => "bad-rule",
            Self::BadPath => "bad-path",
            Self::NeverDecides => "never-decides",
            Self::DeniesNothing => "denies-nothing",
            Self::BadRegex => "bad-regex",
            Self::BadQuery => "bad-query",
            Self::BadUrl => "bad-url",
            Self::UnknownRule => "unknown-rule",
            Self::FailedExpectation => "failed-expectation",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
