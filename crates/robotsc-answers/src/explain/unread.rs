//! Rules of lines that crawlers do not read as they were meant, and that would give the other verdict.
//!
//! ```text
//! User-agent: *
//! Disallow = /s            no crawler reads it as `Disallow: /s`
//!
//! - User-agent: GPTBot     the rule is of this line's group, if both are read
//! - Disallow: /
//! ```
//!
//! What a line was meant to be is what lint writes in its place. The edited file is asked.

use robotsc::agent::{Selection, SelectionReason};
use robotsc::robots_txt::GroupId;
use robotsc::rules::RuleOrigin;
use robotsc::{Crawler, PathFormError, RobotsTxt, UrlPath, Verdict};
use robotsc_analysis::lint::{MeantLine, meant_lines};
use robotsc_analysis::{Edit, Lines, edited};

use super::not_obeyed::{Cause, NotObeyed, UnreadAgent};

/// The maximum number of edited files that are asked.
const MAX_ASKED: usize = 8;
/// The maximum number of rules that are found.
const MAX_FOUND: usize = 3;
/// The group that a line is read in by itself.
const GROUP: &[u8] = b"User-agent: *\n";

/// Finds the rules: at most one for each line that is not read.
///
/// Cost: linear in the file, a few times.
///
/// # Errors
/// If the path is in another form than the rules.
pub(super) fn rules(
    robots: &RobotsTxt<'_>,
    crawler: &Crawler,
    verdict: Verdict,
    path: UrlPath<'_>,
) -> Result<Vec<NotObeyed>, PathFormError> {
    let lines = meant_lines(robots);
    let question = Question { robots, crawler, verdict, path };
    let (mut found, mut asked): (Vec<NotObeyed>, _) = (Vec::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        let part = question.part_of(line)?;
        if part == Part::None {
            continue;
        }
        if asked >= MAX_ASKED || found.len() >= MAX_FOUND {
            break;
        }
        asked += 1;
        let mut rule = question.with(line, None)?;
        if rule.is_none()
            && part == Part::Rule
            && let Some(agent) = agent_before(robots, &lines[..at])
        {
            rule = question.with(line, Some(agent))?;
        }
        // With the line of an agent, a rule that is read counts: each of them once.
        found.extend(rule.filter(|rule| found.iter().all(|known| known.line != rule.line)));
    }
    Ok(found)
}

/// What a line has to do with the crawler and the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// It holds a rule that matches the path and would give the other verdict.
    Rule,
    /// It names the crawler, or is for all.
    Agent,
    /// Nothing.
    None,
}

struct Question<'q> {
    robots: &'q RobotsTxt<'q>,
    crawler: &'q Crawler,
    verdict: Verdict,
    path: UrlPath<'q>,
}

impl Question<'_> {
    /// Looks at the records of a line alone.
    fn part_of(&self, line: &MeantLine) -> Result<Part, PathFormError> {
        let body = [GROUP, &line.edit.with].concat();
        let robots = RobotsTxt::parse_with(&body, self.robots.dialect());
        let groups = (0..robots.groups().len() as u32).map(GroupId).collect();
        let rules = robots.rule_set_of(&Selection { groups, reason: SelectionReason::Star });
        for rule in rules.rules() {
            if rule.verdict != self.verdict && rule.origin == RuleOrigin::Line && rules.matches(rule, self.path)? {
                return Ok(Part::Rule);
            }
        }
        let alone = RobotsTxt::parse_with(&line.edit.with, self.robots.dialect());
        let is_meant = !alone.select(self.crawler).groups.is_empty();
        Ok(if is_meant { Part::Agent } else { Part::None })
    }

    /// Asks the file in which a line is read as it was meant, and perhaps another before it.
    fn with(&self, line: &MeantLine, agent: Option<&MeantLine>) -> Result<Option<NotObeyed>, PathFormError> {
        let changed: Vec<&MeantLine> = agent.into_iter().chain([line]).collect();
        let edits: Vec<Edit> = changed.iter().map(|line| line.edit.clone()).collect();
        let Some(body) = edited(self.robots.body(), &edits) else { return Ok(None) };
        let new = RobotsTxt::parse_with(&body, self.robots.dialect());
        let rules = new.rule_set(self.crawler);
        let decides = rules.deciding_rule(self.path)?.and_then(|rule| rules.rules().get(rule.rule as usize));
        let decides = decides.filter(|rule| rule.verdict != self.verdict && rule.origin == RuleOrigin::Line);
        let Some(rule) = decides else { return Ok(None) };
        let number = old_line(rule.line, &changed);
        let as_agent = |line: &MeantLine| UnreadAgent { line: line.line, meant: line.edit.with.clone() };
        let cause = if number == line.line {
            let written = self.robots.body()[line.edit.range.clone()].trim_ascii().to_vec();
            Cause::UnreadLine { written, agent: agent.map(as_agent) }
        } else {
            Cause::UnreadAgent(as_agent(line))
        };
        Ok(Some(NotObeyed { line: number, kind: rule.kind, value: rule.source.of(&body).to_vec(), cause }))
    }
}

/// Returns the line that names an agent and is not read, from which on no other does.
fn agent_before<'l>(robots: &RobotsTxt<'_>, before: &'l [MeantLine]) -> Option<&'l MeantLine> {
    let names = |line: &&MeantLine| {
        let alone = RobotsTxt::parse_with(&line.edit.with, robots.dialect());
        !alone.agents().is_empty()
    };
    before.iter().rev().find(names)
}

/// Returns the line of the file that a line of the edited file is of.
fn old_line(new: u32, changed: &[&MeantLine]) -> u32 {
    let mut old = new;
    for line in changed {
        let added = Lines::new(&line.edit.with).count().saturating_sub(1);
        if old > line.line {
            old = old.saturating_sub(added).max(line.line);
        }
    }
    old
}

#[cfg(test)]
mod tests {
    use robotsc::Dialect;

    use super::*;

    #[test]
    fn lines_that_are_not_read() {
        let mut wrong = Vec::new();
        for (body, agent, url, wanted) in [
            ("User-agent: *|Disallow=/s", "FooBot", "/s", &["2 unread-line -"][..]),
            ("User-agent: *|Disallow = /s", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|- Disallow: /s", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|Deny: /s", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|\"Disallow: /s\"", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|\u{200B}Disallow: /s", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|Disallow:|/s", "FooBot", "/s", &["3 unread-line -"]),
            ("User-agent: *|<br>Disallow: /s<br>", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|Disallow: /a Disallow: /s|Disallow: /b", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|Disallow: /a\\nDisallow: /s|Disallow: /b", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: *|Disallow: /a\u{2028}Disallow: /s", "FooBot", "/s", &["2 unread-line -"]),
            ("User-agent: b|Disallow: /a||User-agent: * Disallow: /s", "FooBot", "/s", &["4 unread-line -"]),
            (
                "User-agent: b|Disallow: /a||User-agent: *;Disallow: /s|Disallow: /c",
                "FooBot",
                "/c",
                &["5 unread-line 4"],
            ),
            ("\u{feff}User-agent: * Disallow: /s||User-agent: b|Disallow: /a", "FooBot", "/s", &["1 unread-line -"]),
            ("User-agent = *|Disallow: /s||User-agent: b|Disallow: /a", "FooBot", "/s", &["2 unread-line 1"]),
            ("User-agent: b|Disallow: /a||- User-agent: FooBot|- Disallow: /s", "FooBot", "/s", &["5 unread-line 4"]),
            (
                "User-agent: b|Disallow: /a||User-agent: *;Disallow: /s|Disallow: /c\r",
                "FooBot",
                "/c",
                &["5 unread-line 4"],
            ),
            // An Allow that is not read.
            ("User-agent: *|Disallow: /|Allow = /s", "FooBot", "/s", &["3 unread-line -"]),
            // Of another group, of another path, of the same verdict, and shorter than what decides.
            ("User-agent: b|Disallow=/s||User-agent: *|Disallow: /a", "FooBot", "/s", &[]),
            ("User-agent: *|Disallow=/s", "FooBot", "/t", &[]),
            ("User-agent: *|Disallow: /|Disallow=/s", "FooBot", "/s", &[]),
            ("User-agent: *|Allow: /shop|Disallow=/s", "FooBot", "/shop", &[]),
            ("User-agent: *|// Disallow: /s|# Disallow: /s|X-Disallow: /s", "FooBot", "/s", &[]),
        ] {
            let body = body.replace('|', "\n") + "\n";
            let robots = RobotsTxt::parse(body.as_bytes());
            let crawler = Crawler::new(agent).unwrap();
            let path = Dialect::GOOGLE.url_path(url).unwrap();
            let verdict = robots.rule_set(&crawler).verdict(path.as_path()).unwrap();
            let found = rules(&robots, &crawler, verdict, path.as_path()).unwrap();
            let shown = |rule: &NotObeyed| {
                let agent = rule.cause.agent_line().map_or_else(|| "-".to_owned(), |line| line.to_string());
                format!("{} {} {agent}", rule.line, rule.cause.as_str())
            };
            let found: Vec<String> = found.iter().map(shown).collect();
            if found != wanted {
                wrong.push(format!("{body:?} {url}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn what_is_said_of_a_line() {
        for (body, wanted) in [
            (
                "User-agent: *|Disallow=/s",
                "line 2: `Disallow=/s` is not read as `Disallow: /s`, which would disallow it",
            ),
            (
                "User-agent = *|Disallow: /s||User-agent: b|Disallow: /a",
                "line 2: `Disallow: /s` would disallow it, if line 1 were read as `User-agent: *`",
            ),
            (
                "User-agent: b|Disallow: /a||- User-agent: FooBot|- Disallow: /s",
                "line 5: `- Disallow: /s` is not read as `Disallow: /s`, which would disallow it, if line 4 were read \
                 as `User-agent: FooBot`, too",
            ),
        ] {
            let body = body.replace('|', "\n") + "\n";
            let robots = RobotsTxt::parse(body.as_bytes());
            let path = Dialect::GOOGLE.url_path("/s").unwrap();
            let found = rules(&robots, &Crawler::new("FooBot").unwrap(), Verdict::Allow, path.as_path()).unwrap();
            assert_eq!(found.iter().map(NotObeyed::sentence).collect::<Vec<_>>(), [wanted]);
        }
    }
}
