//! What an origin of a pack allows: the rules first, then the preferences, if pages are wanted for a use.

use robotsc_compiler::preferences::{Preference, PreferenceProgram, UseRefusal, WantedUse};
use robotsc_compiler::{DecidingRule, Program, UrlPath, Verdict};

use crate::origin::ROBOTS_TXT;

/// What is allowed on an origin of a pack at a time, and by what: see
/// [`PackEntry::access_at`](super::PackEntry::access_at).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PackAccess<'p> {
    /// The rules decide.
    Rules(Program<'p>),
    /// Everything is allowed.
    AllowAll,
    /// Nothing is allowed.
    DisallowAll,
    /// Nothing that still counts is known: never an allow.
    Unknown,
    /// The agent wants pages for a use: the rules and the preferences decide.
    ForUse(AccessForUse<'p>),
}

impl PackAccess<'_> {
    /// Returns what is allowed if nothing is known.
    pub(crate) const fn unknown(wanted: Option<WantedUse>) -> Self {
        match wanted {
            None => Self::Unknown,
            Some(wanted) => Self::ForUse(AccessForUse { program: None, preferences: None, wanted }),
        }
    }

    /// Returns the verdict for a path, and the rule that decided if the program [names
    /// rules](Program::names_deciding_rule). `None` if nothing is known.
    ///
    /// `/robots.txt` itself is allowed, whatever is known: nothing else can be known before it is fetched. A path of
    /// another form than the program is disallowed.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    #[inline]
    pub fn decide(&self, path: UrlPath<'_>) -> Option<(Verdict, Option<DecidingRule>)> {
        if *path.as_bytes() == *ROBOTS_TXT && !matches!(self, Self::ForUse(_)) {
            return Some((Verdict::Allow, None));
        }
        self.decide_by_rules(path)
    }

    /// As [`decide`](Self::decide), but `/robots.txt` is a path as any other, as conformance tests need it.
    #[must_use]
    #[inline]
    pub fn decide_by_rules(&self, path: UrlPath<'_>) -> Option<(Verdict, Option<DecidingRule>)> {
        match self {
            Self::Rules(program) => Some(decide_by_program(program, path)),
            Self::AllowAll => Some((Verdict::Allow, None)),
            Self::DisallowAll => Some((Verdict::Disallow, None)),
            Self::Unknown => None,
            Self::ForUse(access) => access.decide(path).map(|(verdict, rule, _)| (verdict, rule)),
        }
    }
}

/// Returns the verdict of a program, and the rule that decided if it names rules: an empty line is none.
#[inline(always)]
pub(crate) fn decide_by_program(program: &Program<'_>, path: UrlPath<'_>) -> (Verdict, Option<DecidingRule>) {
    if !program.names_deciding_rule() {
        return (program.verdict(path).unwrap_or(Verdict::Disallow), None);
    }
    match program.deciding_rule(path) {
        Ok(found) => (DecidingRule::verdict_of(found), found.filter(|rule| !rule.is_empty_line())),
        Err(_) => (Verdict::Disallow, None),
    }
}

/// What an origin allows to an agent that wants pages for a use.
#[derive(Clone, Copy, Debug)]
pub struct AccessForUse<'p> {
    /// What may be fetched; `None` if nothing is known.
    pub(crate) program: Option<Program<'p>>,
    /// What is stated; `None` if nothing is.
    pub(crate) preferences: Option<PreferenceProgram<'p>>,
    pub(crate) wanted: WantedUse,
}

/// A verdict, the rule that decided if it is named, and why the use is refused of a page that may be fetched.
pub(crate) type Decision = (Verdict, Option<DecidingRule>, Option<UseRefusal>);

impl AccessForUse<'_> {
    /// Returns the verdict for a path: the rules first. `None` if nothing is known.
    ///
    /// Not inlined: the walks of what few ask for would stand beside the walk that is asked for most.
    #[inline(never)]
    pub(crate) fn decide(&self, path: UrlPath<'_>) -> Option<Decision> {
        let (verdict, rule) = if *path.as_bytes() == *ROBOTS_TXT {
            (Verdict::Allow, None)
        } else {
            decide_by_program(&self.program?, path)
        };
        if !verdict.is_allow() {
            return Some((verdict, rule, None));
        }
        let preference = match &self.preferences {
            // A path of another form is disallowed by the program already.
            Some(stated) => stated.at(path).map_or(Preference::No, |stated| stated.of(self.wanted.category)),
            None => Preference::Unknown,
        };
        Some(match self.wanted.refusal(preference) {
            // No rule decided this.
            Some(refusal) => (Verdict::Disallow, None, Some(refusal)),
            None => (verdict, rule, None),
        })
    }
}

impl PackAccess<'_> {
    /// As [`decide`](Self::decide), and says why the use is refused of a page that may be fetched, if the agent wants
    /// pages [for a use](super::Pack::for_use).
    ///
    /// # Panics
    /// Never.
    #[must_use]
    #[inline]
    pub fn decide_with_refusal(
        &self,
        path: UrlPath<'_>,
    ) -> Option<(Verdict, Option<DecidingRule>, Option<UseRefusal>)> {
        if let Self::ForUse(access) = self {
            return access.decide(path);
        }
        self.decide(path).map(|(verdict, rule)| (verdict, rule, None))
    }
}
