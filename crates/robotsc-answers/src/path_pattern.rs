//! Patterns of paths that people give: what is likely a slip is an error, since it matches nothing that was meant.

use robotsc::{Dialect, RobotsTxt};
use robotsc_analysis::PathPattern;
use robotsc_analysis::lint::{Lint, LintCheck};

/// The checks of a rule whose findings are errors here.
const SLIPS: [LintCheck; 8] = [
    LintCheck::PathList,
    LintCheck::RegexSyntax,
    LintCheck::Placeholder,
    LintCheck::StraySign,
    LintCheck::DollarInside,
    LintCheck::HtmlEntity,
    LintCheck::DotSegment,
    LintCheck::EscapeForm,
];

/// Reads a pattern, as in a rule of robots.txt.
///
/// ```
/// use robotsc::Dialect;
/// use robotsc_answers::path_pattern::path_pattern;
///
/// assert!(path_pattern(&Dialect::GOOGLE, "/cart/*?step=").is_ok());
/// assert!(path_pattern(&Dialect::GOOGLE, "/cart,/login").unwrap_err().contains("2 paths"));
/// ```
///
/// # Errors
/// If it is no pattern, or lint finds that it is not what was meant: several paths, a regular expression, a
/// placeholder.
pub fn path_pattern(dialect: &Dialect, text: &str) -> Result<PathPattern, String> {
    let pattern = PathPattern::new(dialect, text).map_err(|error| error.to_string())?;
    let rule = format!("User-agent: *\nDisallow: {text}\n");
    let found = Lint::new().without_suppressions().run(&RobotsTxt::parse_with(rule.as_bytes(), dialect));
    match found.into_iter().find(|finding| SLIPS.contains(&finding.check)) {
        Some(finding) => Err(finding.message),
        None => Ok(pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_errors() {
        for text in [
            "/a,/b",
            "/a|/b",
            "/a;/b",
            "/(a|b)/.*",
            "/assets/(css|js)/.*",
            "/[a-z]+",
            "/:id/x",
            "/x/{id}",
            "/a/../b",
            "/a\"",
        ] {
            let found = path_pattern(&Dialect::GOOGLE, text);
            assert!(found.is_err(), "{text}");
        }
        for text in ["/", "/a", "/*.pdf$", "/cart/*?step=", "/?a=1,2", "/%C3%BC", "/a:b", "/~user/", "/a.b-c_d"] {
            assert!(path_pattern(&Dialect::GOOGLE, text).is_ok(), "{text}: {:?}", path_pattern(&Dialect::GOOGLE, text));
        }
    }
}
