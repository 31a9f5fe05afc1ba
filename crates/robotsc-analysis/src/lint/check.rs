//! The checks: a row each, with a stable code, how much a finding matters, and what it reports.
//!
//! This list is the only one. `docs/lint.md`, `robotsc lint --explain` and the pages follow it: a row without the file
//! `pages/CODE.md` does not compile, and `tests/pages.rs` compares the page and the docs with the row.

use std::collections::BTreeMap;
use std::fmt;

use robotsc_compiler::{DiagnosticCode, Severity};

/// Declares the checks. A row is a name, the code, how much a finding matters, and what it reports, in one line.
/// `parser` in place of a severity is a diagnostic of that name: it matters as much as the parser says.
macro_rules! lint_checks {
    (@severity parser $name:ident) => { DiagnosticCode::$name.severity() };
    (@severity error $name:ident) => { Severity::Error };
    (@severity warning $name:ident) => { Severity::Warning };
    (@severity info $name:ident) => { Severity::Info };
    ($($name:ident = $code:literal, $severity:ident, $summary:literal;)*) => {
        /// A check of `robotsc lint`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LintCheck {
            $(#[doc = $summary] $name,)*
        }

        impl LintCheck {
            /// All checks, by what they are about.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the code: lower case, words joined by `-`, never changed once released.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// Returns how much a finding matters. A finding can be more severe than this if it hurts, and less if it
            /// does not.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$name => lint_checks!(@severity $severity $name),)*
                }
            }

            /// Returns what the check reports, in one line.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$name => $summary,)*
                }
            }

            /// Returns the page of the check, in Markdown: what it does, why it matters, an example, a mended file, and
            /// when to ignore it.
            ///
            /// ```
            /// use robotsc::analysis::lint::LintCheck;
            ///
            /// let check = LintCheck::by_code("dead-pattern").unwrap();
            /// assert!(check.page().starts_with("# dead-pattern\n\nSeverity: error"));
            /// ```
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("pages/", $code, ".md")),)*
                }
            }

            /// Returns the address of the page on the site of the documentation.
            ///
            /// ```
            /// use robotsc::analysis::lint::LintCheck;
            ///
            /// let check = LintCheck::by_code("dead-pattern").unwrap();
            /// assert!(check.page_url().ends_with("/lint/dead-pattern.html"));
            /// ```
            #[must_use]
            pub const fn page_url(self) -> &'static str {
                match self {
                    $(Self::$name => concat!("https://robotsc.github.io/robotsc/lint/", $code, ".html"),)*
                }
            }
        }
    };
}

lint_checks! {
    // Rules that do nothing, or not what they seem.
    RuleNeverDecides = "rule-never-decides", warning,
        "a rule that decides no URL, since longer rules match all that it matches";
    RuleRedundant = "rule-redundant", info, "a rule without which every verdict is the same";
    RuleUnmatched = "rule-unmatched", warning,
        "a rule that matches none of the URLs of the site that are known";
    RuleDuplicate = "rule-duplicate", warning, "a rule that repeats an earlier one";
    AllowDisallowSame = "allow-disallow-same", warning, "an Allow and a Disallow of the same paths";
    TieDecides = "tie-decides", info, "a path whose verdict depends on the rule that a tie goes to Allow";
    TrailingStar = "trailing-star", info, "a `*` at the end, which only makes the rule longer";
    DoubleStar = "double-star", info, "`**`, which means `*` and makes the rule longer";
    AllowWithoutDisallow = "allow-without-disallow", info,
        "a group that only allows, though everything is allowed anyway";
    DollarInside = "dollar-inside", warning, "a `$` that is not at the end, and is compared as it is";
    RegexSyntax = "regex-syntax", warning, "signs of a regular expression, which are compared as they are";
    HashCutsRule = "hash-cuts-rule", warning, "a `#` that makes the rest of a rule a comment";
    SpaceInPattern = "space-in-pattern", warning, "a blank in a pattern, which no URL contains";
    HtmlEntity = "html-entity", warning, "an entity of HTML in a pattern, such as `&amp;`";
    DotSegment = "dot-segment", warning,
        "`/../` or `/./` in a pattern, which clients resolve before they send a request";
    UnescapedByte = "unescaped-byte", warning, "a byte that URLs only contain escaped";
    EscapeForm = "escape-form", warning,
        "an escape that URLs do not contain, or a `%` without two hex digits";
    PathList = "path-list", warning, "several paths in one rule";
    Placeholder = "placeholder", warning, "a placeholder such as `:id`, which is compared as it is";
    StraySign = "stray-sign", warning, "a comma, quote or bracket at the end of a pattern";
    DoubleSlash = "double-slash", warning, "`//` in a pattern, where URLs have one slash";
    EndingAsPath = "ending-as-path", warning, "an ending of files without a `*` before it";
    StarDollar = "star-dollar", warning, "`*$` at the end, which says nothing";
    IndexFile = "index-file", info, "the page of a folder, which leaves the folder's URL open";
    CaseVariants = "case-variants", info, "a path in several spellings of upper and lower case";
    RobotsTxtDisallowed = "robots-txt-disallowed", info, "a rule for robots.txt itself";
    // Rules that catch too much or too little.
    PrefixOverreach = "prefix-overreach", info, "a short prefix that catches other sections too";
    QuerySwallowed = "query-swallowed", info, "a rule for all URLs with a query";
    ParamFirstOnly = "param-first-only", warning, "a query parameter that is only matched in the first place";
    ParamUnanchored = "param-unanchored", info,
        "a query parameter that is also matched at the end of another one's name";
    RenderBlocked = "render-blocked", warning, "scripts or styles that search engines need to see a page are blocked";
    SitemapBlocked = "sitemap-blocked", warning, "a sitemap that search engines may not fetch";
    AllowListHides = "allow-list-hides", warning,
        "a list of what is allowed that hides scripts, or pages with a campaign parameter";
    SiteClosed = "site-closed", warning, "the whole site is closed to search engines or to all crawlers";
    WpAdminAjax = "wp-admin-ajax", info, "WordPress needs `/wp-admin/admin-ajax.php` open";
    // Groups and agents.
    GroupMerge = "group-merge", parser, "two groups that are read as one, since no rule is between them";
    GroupRepeated = "group-repeated", info, "an agent that several groups name";
    SpecificGroupDropsStar = "specific-group-drops-star", warning, "a named group that allows what `*` disallows";
    GroupEqualsStar = "group-equals-star", info, "a named group that means the same as that of `*`";
    GroupEmpty = "group-empty", warning, "a group without rules, which opens everything to its agents";
    RuleOutsideGroup = "rule-outside-group", parser, "a rule before any `User-agent` line";
    AgentList = "agent-list", warning, "several agents in one `User-agent` line";
    AgentBrowserString = "agent-browser-string", warning, "a whole User-Agent header in place of a name";
    AgentUnknown = "agent-unknown", warning, "a name that is nearly that of a known crawler";
    AgentRetired = "agent-retired", info, "a crawler that no longer exists under this name";
    AgentNotToken = "agent-not-token", parser,
        "more than a product token, of which some crawlers compare only the first letters";
    AgentNamesNobody = "agent-names-nobody", parser, "a value that names no crawler";
    AgentSiblings = "agent-siblings", info,
        "a crawler that is closed out, while others of its operator are not named";
    AgentUnenforceable = "agent-unenforceable", info, "a crawler that does not always obey robots.txt";
    ManagedBlock = "managed-block", warning, "a managed block that contradicts the site's own groups";
    // Records besides rules.
    NoindexRecord = "noindex-record", warning, "`Noindex`, which no known crawler obeys";
    CrawlDelayIgnored = "crawl-delay-ignored", warning,
        "a crawl delay that is very long, or for a crawler that ignores it";
    RetiredRecord = "retired-record", info, "a record that no crawler obeys any more";
    ContentSignalSyntax = "content-signal-syntax", warning, "a Content-Signal that is not understood";
    ContentUsageSyntax = "content-usage-syntax", warning, "a Content-Usage that is not understood";
    PreferenceContradiction = "preference-contradiction", warning, "preferences that disagree, or that have no effect";
    PreferenceOutsideGroup = "preference-outside-group", warning, "a preference of no group, or of that for `*` alone";
    SitemapForm = "sitemap-form", info, "a sitemap that is listed twice, or whose scheme is not http or https";
    LicenseForm = "license-form", warning, "a License that is no absolute URL, or one of two in a group";
    InvalidCrawlDelay = "invalid-crawl-delay", parser, "a crawl delay that is no number";
    InvalidRequestRate = "invalid-request-rate", parser, "a Request-rate that is not of the form `1/10`";
    InvalidVisitTime = "invalid-visit-time", parser, "a Visit-time that is not of the form `0600-0845`";
    InvalidHost = "invalid-host", parser, "a Host that is no host name";
    InvalidCleanParam = "invalid-clean-param", parser, "a Clean-param that names no parameter";
    InvalidContentSignal = "invalid-content-signal", parser, "a Content-Signal that states no preference";
    InvalidContentUsage = "invalid-content-usage", parser, "a Content-Usage that states no preference";
    InvalidSitemap = "invalid-sitemap", parser, "a sitemap that is no absolute URL";
    // Lines.
    DeadPattern = "dead-pattern", parser, "a pattern that starts with neither `/` nor `*`";
    AssumedSlash = "assumed-slash", parser, "a pattern that is read with a `/` before it";
    UrlPattern = "url-pattern", parser, "a URL where a path is expected";
    EmptyAllow = "empty-allow", parser, "an Allow without a value";
    NoColon = "no-colon", parser, "a line that is no record";
    MissingColon = "missing-colon", parser, "a blank in place of the colon";
    EmptyKey = "empty-key", parser, "a colon with nothing before it";
    TypoKey = "typo-key", parser, "a misspelt directive that is understood";
    PrefixKey = "prefix-key", parser, "a key that only begins as a directive does";
    RefusedKey = "refused-key", parser, "a key that another dialect takes for a directive";
    UnknownKey = "unknown-key", parser, "a key that is not known";
    UnusedKey = "unused-key", parser, "a key that no crawler obeys";
    LineCut = "line-cut", parser, "a line that is longer than crawlers read";
    Nul = "nul-byte", parser, "a NUL byte";
    JoinedLines = "joined-lines", error, "several records on one line, of which crawlers read the first";
    InvisibleCharacter = "invisible-character", error,
        "a character that cannot be seen, or that only looks like a sign";
    NotUtf8 = "not-utf8", error, "a line that is no UTF-8";
    // The file as a whole.
    NotRobotsTxt = "not-robots-txt", error, "a body that is no robots.txt";
    FileCut = "file-cut", parser, "a file that is longer than crawlers read";
    PartialBom = "partial-bom", parser, "a byte order mark that is cut short";
    Utf16Bom = "utf16-bom", parser, "a file in UTF-16";
    Utf16Invalid = "utf16-invalid", parser, "a UTF-16 file with code units that are no text";
    NoRules = "no-rules", info, "a file without a rule";
    DialectsDisagree = "dialects-disagree", info, "a path on which google and rfc9309 differ";
    UnusedSuppression = "unused-suppression", warning, "a comment that suppresses no finding";
    SuppressionForm = "suppression-form", warning, "a suppression that cannot be read, or gives no reason";
    NotDecided = "not-decided", info, "a question that was too expensive to decide";
}

impl LintCheck {
    /// Returns the check with a code, or `None`.
    #[must_use]
    pub fn by_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|check| check.code() == code)
    }

    /// Returns the check of a parser's diagnostic; `None` if this crate does not know it yet.
    pub(super) fn of_diagnostic(code: DiagnosticCode) -> Option<Self> {
        Self::by_code(code.as_str())
    }

    /// Reports whether the check runs although its findings are notes, since it finds more severe things, too: a star
    /// at the end on which a verdict depends, a short prefix that a URL of the site shows, scripts with a query, an
    /// unknown key that is nearly a directive, a crawler that is gone and whose successor is let in.
    const fn has_severe_findings(self) -> bool {
        matches!(
            self,
            Self::TrailingStar
                | Self::PrefixOverreach
                | Self::QuerySwallowed
                | Self::UnknownKey
                | Self::UnusedKey
                | Self::AgentNotToken
                | Self::AgentRetired
                | Self::SitemapForm
                | Self::NotDecided
        )
    }
}

impl fmt::Display for LintCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Which checks run.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckChoice {
    /// Whether a check was asked for, or is not to run.
    chosen: BTreeMap<LintCheck, bool>,
    /// Whether notes are reported that were not asked for.
    pub(super) with_info: bool,
}

impl CheckChoice {
    /// Chooses whether a check runs.
    pub(super) fn set(&mut self, check: LintCheck, runs: bool) {
        self.chosen.insert(check, runs);
    }

    /// Reports whether a check was asked for by name.
    pub(super) fn is_selected(&self, check: LintCheck) -> bool {
        self.chosen.get(&check) == Some(&true)
    }

    /// Reports whether a check runs.
    pub(super) fn is_enabled(&self, check: LintCheck) -> bool {
        let is_on = self.with_info || check.severity() >= Severity::Warning || check.has_severe_findings();
        self.chosen.get(&check).copied().unwrap_or(is_on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_cover_the_parser() {
        let codes: std::collections::BTreeSet<_> = LintCheck::ALL.iter().map(|check| check.code()).collect();
        assert_eq!(codes.len(), LintCheck::ALL.len());
        for code in DiagnosticCode::ALL {
            let check = LintCheck::of_diagnostic(code).unwrap_or_else(|| panic!("{code} is a check"));
            assert_eq!(check.severity(), code.severity(), "{code}");
        }
        for code in codes {
            assert!(code.bytes().all(|byte| byte.is_ascii_lowercase() || b"-1689".contains(&byte)), "{code}");
        }
    }
}
