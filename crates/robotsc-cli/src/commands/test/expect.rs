//! Verdicts that are expected of URLs.

use robotsc::Verdict;
use robotsc::internal::notation::list_sign;
use robotsc::program::DecidingRule;
use robotsc::rules::Rule;
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;
use toml::Spanned;

use super::subject::{Case, MAX_SHOWN, Mismatch, Outcome, Subject, who};
use crate::command_line::config::{Expect, ExpectedVerdict, OneOrMany};
use crate::failure::Failure;

/// Tests the verdicts on all URLs of a table.
pub(super) fn run<'t>(
    subject: &Subject<'t>,
    table: &Spanned<Expect>,
    cases: &mut Vec<Case<'t>>,
) -> Result<(), Failure> {
    let expect = table.get_ref();
    let obeying = subject.obeying(&expect.agents)?;
    let urls = expect.urls.get_ref().as_slice();
    if urls.is_empty() {
        return Err(subject.config.bad(&expect.urls, "it names no URL"));
    }
    let (verdict, word) = match expect.verdict {
        ExpectedVerdict::Allowed => (Verdict::Allow, "allowed"),
        ExpectedVerdict::Disallowed => (Verdict::Disallow, "disallowed"),
    };
    let reader = UrlReader { site: subject.site, ..UrlReader::new(subject.robots.dialect()) };
    for url in urls {
        let bad = |reason: &str| subject.config.bad(&expect.urls, &format!("`{}`: {reason}", shown::line(url)));
        if matches!(expect.urls.get_ref(), OneOrMany::One(_)) && list_sign(url.as_bytes()).is_some() {
            return Err(bad(
                "several paths: write a list, such as [\"/cart\", \"/login\"], or [\"/a;b\"] if it is one",
            ));
        }
        if url.ends_with(['*', '$']) || url.starts_with('*') {
            return Err(bad("a pattern where a URL is expected: for all paths write [[test.property]] with `path`"));
        }
        let path = reader.path(url.as_bytes()).map_err(|error| bad(&error))?;
        let agents = who(expect.agents.get_ref().as_slice());
        let expected = format!("{url} is {word} for {agents}");
        let part = (urls.len() > 1).then_some(url.as_str());
        let mut case = subject.case(expect.name.as_ref(), expected, part, subject.config.line_of(table));
        let mut wrong = Vec::new();
        for group in &obeying {
            let decides = group.rules.deciding_rule(path.as_path()).map_err(|error| bad(&error.to_string()))?;
            let found = DecidingRule::verdict_of(decides);
            if found == verdict {
                continue;
            }
            let rule: Option<Rule> = decides.and_then(|rule| group.rules.rules().get(rule.rule as usize)).copied();
            let may = if found.is_allow() { "may fetch" } else { "may not fetch" };
            let because = subject.because(rule.as_ref());
            let message = format!("{} {may} {}: {because}", who(&group.agents), shown::cut(url.as_bytes(), MAX_SHOWN));
            let example = url.clone();
            wrong.push(Mismatch { agents: group.agents.clone(), message, example, rule, other_rule: None });
        }
        if !wrong.is_empty() {
            case.outcome = Outcome::Failed(wrong);
        }
        cases.push(case);
    }
    Ok(())
}
