//! A declared rule set after reading, composition and checks: the input of the code generator and the in-memory engine.
//!
//! The declared rules (`Deny`, `Permit`) come first, in their order, those of an extended set before the set's own: the
//! first that matches decides, whatever the groups say. If none matches, the agent's groups decide as robots.txt does,
//! by longest match. If no rule matches there either, the URL is allowed.

use robotsc_compiler::{Dialect, RuleSet, Verdict};
use robotsc_runtime::embed::OriginPattern;

/// A declared rule set.
#[derive(Clone, Debug)]
pub struct DeclaredSet {
    /// Its name: lower case words joined by `-`, unique in its folder.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// How its groups, patterns and URLs are read.
    pub dialect: Dialect,
    /// The origins that it applies to; URLs of other origins are out of scope.
    pub origins: Vec<OriginPattern<String>>,
    /// The agents that groups name, sorted by token (lower case), with the pooled rules of their groups. The lines of
    /// the rules are places.
    pub agents: Vec<(String, RuleSet)>,
    /// The rules for all agents that no group names (`*`).
    pub star: Option<RuleSet>,
    /// Declared rules, in order: the first that matches decides.
    pub rules: Vec<DeclaredRule>,
    /// Where rules stand. A rule's line in `agents`, `star` and `rules` is a place's number, from 1; 0 is no place.
    pub places: Vec<RulePlace>,
}

/// A rule beyond robots.txt.
#[derive(Clone, Debug)]
pub struct DeclaredRule {
    /// `Deny` disallows, `Permit` allows.
    pub verdict: Verdict,
    /// What it looks at.
    pub test: Test,
    /// Its name, for reports.
    pub name: Option<String>,
    /// The number of its place.
    pub place: u32,
}

/// What a declared rule looks at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    /// A path pattern as in robots.txt, normalized.
    Path(Vec<u8>),
    /// A regular expression over path and query, in the dialect's form, from the path's first byte on. As with a path
    /// pattern, the rest of the path does not matter unless the expression ends with `$`.
    Regex(String),
    /// A parameter name, normalized. The query starts after the first `?`; a name starts there or after `&` or `;`, and
    /// ends before `=`, `&`, `;` or the end.
    Query(Vec<u8>),
}

/// Where a rule stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulePlace {
    /// The file, relative to the folder of the rule sets.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The rule as written: `Disallow: /cart`, `Deny(query: "sid")`.
    pub text: String,
}
