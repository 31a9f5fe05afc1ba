//! What is wrong with a body that is no robots.txt, such as a page in its place, and what to do.
//!
//! It would allow everything, so whoever answers by a body that somebody chose refuses it, unless it is forced.

use std::borrow::Cow;

use robotsc::RobotsTxt;
use robotsc::robots_txt::{BodyKind, DiagnosticCode};
use robotsc_analysis::lint::{OneSlip, one_slip};

/// What is wrong with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyFault {
    /// What it is, as a clause that begins with "it" or with its lines.
    pub what: Cow<'static, str>,
    /// What to do.
    pub way_out: &'static str,
}

impl BodyFault {
    /// Returns what is wrong with a body; `None` if it is a robots.txt.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    /// use robotsc_answers::body_fault::BodyFault;
    ///
    /// let fault = |body: &'static str| BodyFault::of(&RobotsTxt::parse(body.as_bytes())).map(|fault| fault.what);
    /// assert_eq!(fault("User-agent: *\nDisallow: /\n"), None);
    /// assert_eq!(fault("Disallow: /\n").unwrap(), "its rules are in no group, so that everything would be allowed");
    /// assert_eq!(
    ///     fault("- User-agent: *\n- Disallow: /a\n").unwrap(),
    ///     "2 lines of it, from line 1, have `- ` before the key, so that everything would be allowed"
    /// );
    /// assert_eq!(fault("<!doctype html>").unwrap(), "it is HTML, so that everything would be allowed");
    /// ```
    #[must_use]
    pub fn of(robots: &RobotsTxt<'_>) -> Option<Self> {
        let fault = |what: &'static str, way_out| Some(Self { what: Cow::Borrowed(what), way_out });
        if let Some(OneSlip { line, lines, what, edits }) = one_slip(robots) {
            let what = format!("{lines} lines of it, from line {line}, {what}, so that everything would be allowed");
            let way_out = if edits.is_some() {
                "write the directives alone, as lint shows"
            } else {
                "write the directives alone"
            };
            return Some(Self { what: Cow::Owned(what), way_out });
        }
        match robots.body_kind() {
            BodyKind::Robots => None,
            BodyKind::OneLine => fault(
                "several directives are on one line of it, so that no rule counts",
                "write each on a line of its own",
            ),
            BodyKind::Text if has_rules_outside(robots) => fault(
                "its rules are in no group, so that everything would be allowed",
                "write a User-agent line before them",
            ),
            BodyKind::Text if !robots.groups().is_empty() => fault(
                "no User-agent line of it names a crawler, so that everything would be allowed",
                "write a name alone after `User-agent:`, or `*`",
            ),
            BodyKind::Text => {
                fault("no line of it is a directive, so that everything would be allowed", "give the robots.txt")
            }
            kind => {
                let way_out = match kind {
                    BodyKind::Gzip | BodyKind::Zstd | BodyKind::Compressed | BodyKind::Zip => "decompress it",
                    BodyKind::Utf16 => "save it as UTF-8",
                    _ => "see what the server sent",
                };
                let what = format!("it is {kind}, so that everything would be allowed");
                Some(Self { what: Cow::Owned(what), way_out })
            }
        }
    }
}

fn has_rules_outside(robots: &RobotsTxt<'_>) -> bool {
    robots.diagnostics().iter().any(|diagnostic| diagnostic.code == DiagnosticCode::RuleOutsideGroup)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is switched off on purpose, and what opens all on purpose, is no fault.
    #[test]
    fn what_is_meant_is_no_fault() {
        const SITEMAP: &str = "Sitemap: https://a.example/s.xml|";
        for (body, has_fault) in [
            ("- User-agent: *|- Disallow: /a|", true),
            ("User-agent = *|Disallow = /a|", true),
            ("User-agent = *|Disallow = /a|// ours|", true),
            ("// User-agent: *|// Disallow: /a|", false),
            ("X User-agent: *|X Disallow: /a|", false),
            ("- User-agent: *|- Disallow:|", false),
            ("User-agent = *|Disallow = |", false),
        ] {
            let body = format!("{body}{SITEMAP}").replace('|', "\n");
            let fault = BodyFault::of(&RobotsTxt::parse(body.as_bytes()));
            assert_eq!(fault.is_some(), has_fault, "{body}: {fault:?}");
        }
        let fault = BodyFault::of(&RobotsTxt::parse(b"- User-agent: *\n- Disallow:\n"));
        assert_eq!(fault, None);
    }
}
