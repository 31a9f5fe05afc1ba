//! The checks: a stable code each, how much a finding matters, and whether it is reported unless asked for.

use std::collections::BTreeMap;

use robotsc_compiler::{DiagnosticCode, Severity};

use super::pages::PAGES;

/// A check of `robotsc lint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The code: lower case, words joined by `-`, never changed once released.
    pub code: &'static str,
    /// How much a finding matters. A finding can be more severe than this if it hurts, and less if it does not.
    pub severity: Severity,
    /// What it reports, in one line.
    pub summary: &'static str,
}

impl Check {
    const fn error(code: &'static str, summary: &'static str) -> Self {
        Self { code, severity: Severity::Error, summary }
    }

    const fn warning(code: &'static str, summary: &'static str) -> Self {
        Self { code, severity: Severity::Warning, summary }
    }

    const fn info(code: &'static str, summary: &'static str) -> Self {
        Self { code, severity: Severity::Info, summary }
    }

    /// Returns the check with a code, or `None`.
    #[must_use]
    pub fn by_code(code: &str) -> Option<&'static Self> {
        ALL.iter().find(|check| check.code == code)
    }

    /// Returns the page of the check, in Markdown: what it does, why it matters, an example, a mended file, and when to
    /// ignore it.
    ///
    /// ```
    /// use robotsc_analysis::lint::Check;
    ///
    /// let check = Check::by_code("dead-pattern").unwrap();
    /// assert!(check.page().starts_with("# dead-pattern\n\nSeverity: error"));
    /// ```
    #[must_use]
    pub fn page(&self) -> &'static str {
        PAGES.iter().find(|(code, _)| *code == self.code).map_or("", |(_, page)| page)
    }

    /// Returns the check of a parser's diagnostic.
    pub(super) fn of_diagnostic(code: DiagnosticCode) -> &'static Self {
        Self::by_code(code.as_str()).unwrap_or(&OTHER_NOTICE)
    }
}

/// Which checks run.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// By code: whether a check was asked for, or is not to run.
    chosen: BTreeMap<&'static str, bool>,
    /// Whether notes are reported that were not asked for.
    pub(super) with_info: bool,
}

impl Choice {
    /// Chooses whether a check runs, if it is one of [`ALL`].
    pub(super) fn set(&mut self, check: &Check, runs: bool) {
        self.chosen.extend(Check::by_code(check.code).map(|check| (check.code, runs)));
    }

    /// Reports whether a check was asked for by name.
    pub(super) fn is_selected(&self, check: &Check) -> bool {
        self.chosen.get(check.code) == Some(&true)
    }

    /// Reports whether a check runs.
    pub(super) fn is_enabled(&self, check: &Check) -> bool {
        // A star at the end is a warning if a verdict depends on it, a short prefix if a URL of the site shows it, an
        // unknown key if it is nearly a directive.
        let is_on = self.with_info
            || check.severity >= Severity::Warning
            || matches!(check.code, "trailing-star" | "prefix-overreach" | "unknown-key" | "not-decided");
        self.chosen.get(check.code).copied().unwrap_or(is_on)
    }
}

/// A diagnostic that this crate does not know yet.
static OTHER_NOTICE: Check = Check::warning("other-notice", "something that the parser reported");

/// All checks, by what they are about.
pub static ALL: &[Check] = &[
    // Rules that do nothing, or not what they seem.
    Check::warning("rule-never-decides", "a rule that decides no URL, since longer rules match all that it matches"),
    Check::info("rule-redundant", "a rule without which every verdict is the same"),
    Check::warning("rule-duplicate", "a rule that repeats an earlier one"),
    Check::warning("allow-disallow-same", "an Allow and a Disallow of the same paths"),
    Check::info("tie-decides", "a path whose verdict depends on the rule that a tie goes to Allow"),
    Check::info("trailing-star", "a `*` at the end, which only makes the rule longer"),
    Check::info("double-star", "`**`, which means `*` and makes the rule longer"),
    Check::info("allow-without-disallow", "a group that only allows, though everything is allowed anyway"),
    Check::warning("dollar-inside", "a `$` that is not at the end, and is compared as it is"),
    Check::warning("regex-syntax", "signs of a regular expression, which are compared as they are"),
    Check::warning("hash-cuts-rule", "a `#` that makes the rest of a rule a comment"),
    Check::warning("space-in-pattern", "a blank in a pattern, which no URL contains"),
    Check::warning("html-entity", "`&amp;` in a pattern"),
    Check::warning("dot-segment", "`/../` or `/./` in a pattern, which clients resolve before they send a request"),
    Check::warning("unescaped-byte", "a byte that URLs only contain escaped"),
    Check::warning(
        "escape-form",
        "an escape of a letter, which URLs contain as it is, or a `%` without two hex digits",
    ),
    // Rules that catch too much or too little.
    Check::info("prefix-overreach", "a short prefix that catches other sections too"),
    Check::info("query-swallowed", "a rule for all URLs with a query"),
    Check::warning("param-first-only", "a query parameter that is only matched in the first place"),
    Check::info("param-unanchored", "a query parameter that is also matched at the end of another one's name"),
    Check::warning("render-blocked", "scripts or styles that search engines need to see a page are blocked"),
    Check::warning("sitemap-blocked", "a sitemap that search engines may not fetch"),
    Check::warning("site-closed", "the whole site is closed to search engines or to all crawlers"),
    Check::info("wp-admin-ajax", "WordPress needs `/wp-admin/admin-ajax.php` open"),
    // Groups and agents.
    Check::warning("group-merge", "two groups that are read as one, since no rule is between them"),
    Check::info("group-repeated", "an agent that several groups name"),
    Check::warning("specific-group-drops-star", "a named group shares none of the rules of `*`, and replaces them"),
    Check::info("group-equals-star", "a named group that means the same as that of `*`"),
    Check::warning("group-empty", "a group without rules, which opens everything to its agents"),
    Check::error("rule-outside-group", "a rule before any `User-agent` line"),
    Check::warning("agent-list", "several agents in one `User-agent` line"),
    Check::warning("agent-browser-string", "a whole User-Agent header in place of a name"),
    Check::warning("agent-unknown", "a name that is nearly that of a known crawler"),
    Check::info("agent-retired", "a crawler that no longer exists under this name"),
    Check::info("agent-not-token", "more than a product token, of which some crawlers compare only the first letters"),
    Check::warning("agent-names-nobody", "a value that names no crawler"),
    Check::warning("managed-block", "a managed block that contradicts the site's own groups"),
    // Records besides rules.
    Check::warning("noindex-record", "`Noindex`, which no known crawler obeys"),
    Check::warning("crawl-delay-ignored", "a crawl delay that is very long, or for a crawler that ignores it"),
    Check::info("retired-record", "a record that no crawler obeys any more"),
    Check::warning("content-signal-syntax", "a Content-Signal that is not understood"),
    Check::warning("content-usage-syntax", "a Content-Usage that is not understood"),
    Check::warning("preference-contradiction", "preferences that disagree, or that have no effect"),
    Check::warning("preference-outside-group", "a preference of no group, or of that for `*` alone"),
    Check::warning("license-form", "a License that is no absolute URL, or one of two in a group"),
    Check::warning("invalid-crawl-delay", "a crawl delay that is no number"),
    Check::warning("invalid-request-rate", "a Request-rate that is not of the form `1/10`"),
    Check::warning("invalid-visit-time", "a Visit-time that is not of the form `0600-0845`"),
    Check::warning("invalid-host", "a Host that is no host name"),
    Check::warning("invalid-clean-param", "a Clean-param that names no parameter"),
    Check::warning("invalid-content-signal", "a Content-Signal that states no preference"),
    Check::warning("invalid-content-usage", "a Content-Usage that states no preference"),
    Check::warning("invalid-sitemap", "a sitemap that is no absolute URL"),
    // Lines.
    Check::error("dead-pattern", "a pattern that starts with neither `/` nor `*`"),
    Check::info("assumed-slash", "a pattern that is read with a `/` before it"),
    Check::error("url-pattern", "a URL where a path is expected"),
    Check::warning("empty-allow", "an Allow without a value"),
    Check::warning("no-colon", "a line that is no record"),
    Check::warning("missing-colon", "a blank in place of the colon"),
    Check::warning("empty-key", "a colon with nothing before it"),
    Check::warning("typo-key", "a misspelt directive that is understood"),
    Check::warning("prefix-key", "a key that only begins as a directive does"),
    Check::error("refused-key", "a key that another dialect takes for a directive"),
    Check::info("unknown-key", "a key that is not known"),
    Check::info("unused-key", "a key that no crawler obeys"),
    Check::error("line-cut", "a line that is longer than crawlers read"),
    Check::warning("nul", "a NUL byte"),
    // The file as a whole.
    Check::error("not-robots-txt", "a body that is no robots.txt"),
    Check::error("file-cut", "a file that is longer than crawlers read"),
    Check::info("partial-bom", "a byte order mark that is cut short"),
    Check::error("utf16-bom", "a file in UTF-16"),
    Check::warning("utf16-invalid", "a UTF-16 file with code units that are no text"),
    Check::info("no-rules", "a file without a rule"),
    Check::info("dialects-disagree", "a path on which google and rfc9309 differ"),
    Check::warning("unused-suppression", "a comment that suppresses no finding"),
    Check::warning("suppression-form", "a suppression that cannot be read, or gives no reason"),
    Check::info("not-decided", "a question that was too expensive to decide"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_cover_the_parser() {
        let codes: std::collections::BTreeSet<_> = ALL.iter().map(|check| check.code).collect();
        assert_eq!(codes.len(), ALL.len());
        for code in DiagnosticCode::ALL {
            assert!(codes.contains(code.as_str()), "{code}");
        }
        assert!(PAGES.iter().map(|(code, _)| *code).eq(ALL.iter().map(|check| check.code)));
        for code in codes {
            assert!(code.bytes().all(|byte| byte.is_ascii_lowercase() || b"-16".contains(&byte)), "{code}");
        }
    }
}
