use std::collections::BTreeSet;

use robotsc::analysis::lint::{Finding, KnownName, Lint, LintCheck, fixed};
use robotsc::analysis::near_miss::{MAX_FOUND, OpeningEdit, also_opened, near_misses, openings};
use robotsc::analysis::{Agents, Diff, DiffRule, Effect, Lines, RuleDiff, VerdictChange, edited, fitted};
use robotsc::robots_txt::RuleKind;
use robotsc::url::UrlPathBuf;
use robotsc::{Crawler, Dialect, RobotsTxt, RuleSet};

use crate::meaning::{self, deciding_line, verdict};

/// The maximum number of bytes of an input: all fixes of such a file are tried within their limits.
const MAX_BYTES: usize = 700;

/// Lints a file, applies the fixes, compares the file with what they make and with another one, and explains verdicts.
///
/// The first byte chooses the dialects and the options of lint; then the file, a line of three hyphens, the other file,
/// such a line, and a URL.
///
/// # Panics
/// If a finding is not of the file, fixes do not settle, a safe fix changes what the file means, a change is not what
/// the reference matcher says or is not found, or an explanation has another verdict.
pub fn analysis(data: &[u8]) {
    let [choice, rest @ ..] = data else { return };
    if rest.len() > MAX_BYTES {
        return;
    }
    let choice = usize::from(*choice);
    let dialect = Dialect::ALL[choice % 5];
    let other_dialect = if choice / 40 % 2 == 0 { dialect } else { Dialect::ALL[choice / 40 % 5] };
    let (old, rest) = crate::split(rest);
    let (new, url) = crate::split(rest);
    let repaired = check_lint(old, dialect, &lint(choice / 5, url));
    let robots = RobotsTxt::parse_with(old, dialect);
    let path = dialect.url_path(url).ok().and_then(|path| meaning::client_path(path.as_bytes()));
    for (body, other) in [(repaired.as_slice(), dialect), (new, other_dialect)] {
        check_diff(&robots, &RobotsTxt::parse_with(body, other), path.as_deref());
    }
    let same = Diff::new(&robots, &robots);
    assert!(same.is_same() && same.is_decided(), "{same:?}");
    let paths = path.into_iter().chain(meaning::paths(&[&robots]).into_iter().take(4));
    for path in paths {
        let path = meaning::in_form(dialect, &path);
        for crawler in meaning::named_crawlers(&[&robots]) {
            check_explanation(&robots, &crawler, &path);
        }
    }
}

fn lint(choice: usize, url: &[u8]) -> Lint {
    let mut lint = Lint::new();
    if choice & 1 != 0 {
        lint = lint.with_info();
    }
    if choice & 2 != 0 {
        let retired =
            KnownName { is_retired: true, successors: vec!["ClaudeBot".to_owned()], ..KnownName::new("anthropic-ai") };
        lint = lint.known_names(["GPTBot", "ClaudeBot", "FooBot"].map(KnownName::new)).known_names([retired]);
    }
    if choice & 4 != 0 {
        lint = lint.urls([url.to_vec()]).sitemap_urls([url.to_vec()]);
    }
    lint
}

/// Checks all findings and fixes of a file. Returns the file after all fixes.
fn check_lint(body: &[u8], dialect: &Dialect, lint: &Lint) -> Vec<u8> {
    let robots = RobotsTxt::parse_with(body, dialect);
    assert_eq!(robots.body(), body);
    for finding in lint.run(&robots) {
        check_finding(body, &finding);
        let Some(fix) = &finding.fix else { continue };
        let after = edited(body, &fitted(body, &fix.edits)).expect("the edits of a fix are apart");
        assert_ne!(after, body, "{finding:?}");
        assert!(std::str::from_utf8(body).is_err() || std::str::from_utf8(&after).is_ok(), "{finding:?}");
        if fix.keeps_meaning(body, &after, dialect) {
            let all = [dialect, &Dialect::GOOGLE, &Dialect::RFC9309];
            for dialect in if fix.is_of_dialect { &all[..1] } else { &all[..] } {
                check_meaning(body, &after, dialect);
            }
        }
    }
    // It is most of the work of a round, and has no fix.
    let lint = lint.clone().ignore(LintCheck::DialectsDisagree);
    let [_, repaired] = [false, true].map(|with_unsafe| {
        let after = fixed(body, dialect, &lint, with_unsafe).body;
        let again = fixed(&after, dialect, &lint, with_unsafe).body;
        assert_eq!(again.escape_ascii().to_string(), after.escape_ascii().to_string(), "unsafe fixes: {with_unsafe}");
        if !with_unsafe {
            check_meaning(body, &after, dialect);
        }
        // Rules of groups that name nobody make a file none, and without rules it is one: before a fix of their keys.
        let is_robots = robots.body_kind().is_robots() && names_somebody(&robots);
        let kind = RobotsTxt::parse_with(&after, dialect).body_kind();
        assert!(kind.is_robots() || !is_robots, "{kind:?}: {}", after.escape_ascii());
        after
    });
    repaired
}

/// Reports whether some crawler obeys a group of the file.
fn names_somebody(robots: &RobotsTxt<'_>) -> bool {
    robots.agents().iter().any(|agent| agent.is_star || robots.agent_keys(agent).next().is_some())
}

/// Checks that a finding is of the file, and that what it names can be shown: on one line, and whole characters.
fn check_finding(body: &[u8], finding: &Finding) {
    let lines = Lines::new(body);
    let (start, end) = (finding.span.start as usize, finding.span.end as usize);
    assert!(start <= end && end <= body.len(), "{finding:?}");
    assert!(finding.related.iter().all(|line| *line <= lines.count()), "{finding:?}");
    if finding.line > 0 {
        assert!(finding.line <= lines.count().max(1), "{finding:?}");
        let whole = lines.whole(finding.line);
        assert!(whole.start <= start && end <= whole.start + lines.text(finding.line).len(), "{finding:?}");
    }
    assert!(!finding.message.is_empty() && !finding.message.contains(char::is_control), "{finding:?}");
    let Ok(text) = std::str::from_utf8(body) else { return };
    assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{finding:?}");
    for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
        assert!(text.is_char_boundary(edit.range.start) && text.is_char_boundary(edit.range.end), "{finding:?}");
    }
}

/// Checks that two files mean the same, as far as paths of their rules show it.
fn check_meaning(old: &[u8], new: &[u8], dialect: &Dialect) {
    if old == new {
        return;
    }
    let [old, new] = [old, new].map(|body| RobotsTxt::parse_with(body, dialect));
    let paths = meaning::paths(&[&old, &new]);
    for crawler in meaning::named_crawlers(&[&old, &new]) {
        for path in &paths {
            let path = meaning::in_form(dialect, path);
            let [wanted, found] = [&old, &new].map(|robots| meaning::facts(robots, &crawler, path.as_path()));
            assert_eq!(found, wanted, "{} {crawler:?} {path:?}: {}", dialect.name, new.body().escape_ascii());
        }
    }
}

/// Compares two files, and the changes with the reference matcher: for each agent of the comparison, each path of a
/// change, and paths that are drawn from the rules.
fn check_diff(old: &RobotsTxt<'_>, new: &RobotsTxt<'_>, path: Option<&[u8]>) {
    let diff = Diff::new(old, new);
    let mut paths = meaning::paths(&[old, new]);
    paths.extend(path.map(<[u8]>::to_vec));
    for rules in &diff.rules {
        let Ok(changes) = &rules.outcome else { continue };
        assert!(!changes.is_empty(), "{rules:?}");
        let shown: Vec<&[u8]> = changes.iter().map(|change| change.path.as_slice()).collect();
        for crawler in crawlers_of(&rules.agents) {
            let sets = [old, new].map(|robots| robots.rule_set(&crawler));
            for change in changes {
                let found = change_at([old, new], &sets, &change.path);
                assert!(found.is_some_and(|found| is_of(change, found)), "{crawler:?} {change:?}: {found:?}");
            }
            for path in paths.iter().map(Vec::as_slice).chain(shown.iter().copied()) {
                let Some(found) = change_at([old, new], &sets, path) else { continue };
                let change = changes.iter().find(|change| is_of(change, found));
                let is_shortest = change.is_some_and(|change| change.path.len() <= path.len());
                assert!(is_shortest, "{crawler:?} {}: {found:?} {changes:?}", path.escape_ascii());
            }
        }
    }
    for crawler in crawlers_of(&diff.unchanged) {
        let sets = [old, new].map(|robots| robots.rule_set(&crawler));
        for path in &paths {
            assert_eq!(change_at([old, new], &sets, path), None, "{crawler:?} {}", path.escape_ascii());
        }
    }
    let agents = diff.rules.iter().map(|rules| &rules.agents).chain([&diff.unchanged]);
    assert_eq!(agents.filter(|agents| agents.has_others).count(), 1);
    let back = Diff::new(new, old);
    if diff.is_decided() && back.is_decided() {
        let lines = |rule: &Option<DiffRule>| rule.as_ref().map(|rule| rule.lines.clone());
        let changes = |diff: &Diff| diff.rules.iter().flat_map(RuleDiff::changes).cloned().collect::<Vec<_>>();
        let there: BTreeSet<_> =
            changes(&diff).iter().map(|change| (change.effect, lines(&change.old), lines(&change.new))).collect();
        let turned = |effect| if effect == Effect::Blocked { Effect::Opened } else { Effect::Blocked };
        let back: BTreeSet<_> = changes(&back)
            .iter()
            .map(|change| (turned(change.effect), lines(&change.new), lines(&change.old)))
            .collect();
        assert_eq!(back, there, "the other way around");
    }
}

/// Returns the crawlers that a comparison names.
fn crawlers_of(agents: &Agents) -> Vec<Crawler> {
    let named = agents.names.iter().filter_map(|name| Crawler::new(name).ok());
    named.chain(agents.has_others.then(Crawler::others)).collect()
}

/// What the reference matcher says of a path whose verdict changed: the effect, and the lines that decide.
type FoundChange = (Effect, [Option<u32>; 2]);

fn change_at(files: [&RobotsTxt<'_>; 2], sets: &[RuleSet; 2], path: &[u8]) -> Option<FoundChange> {
    let paths = files.map(|robots| meaning::in_form(robots.dialect(), path));
    let of =
        |side: usize| (verdict(&sets[side], paths[side].as_path()), deciding_line(&sets[side], paths[side].as_path()));
    let ((old, old_line), (new, new_line)) = (of(0), of(1));
    let effect = if old.is_allow() { Effect::Blocked } else { Effect::Opened };
    (old != new).then_some((effect, [old_line, new_line]))
}

/// Reports whether a change is that of a path.
fn is_of(change: &VerdictChange, (effect, lines): FoundChange) -> bool {
    let is_rule = |rule: &Option<DiffRule>, line: Option<u32>| match (rule, line) {
        (Some(rule), Some(line)) => rule.lines.contains(&line),
        (rule, line) => rule.is_none() && line.is_none(),
    };
    change.effect == effect && is_rule(&change.old, lines[0]) && is_rule(&change.new, lines[1])
}

/// Checks what is said of a verdict: the rule, rules that nearly match, and edits that open the path.
fn check_explanation(robots: &RobotsTxt<'_>, crawler: &Crawler, path: &UrlPathBuf<'_>) {
    let dialect = robots.dialect();
    let groups = robots.select(crawler);
    let rules = robots.rule_set_of(&groups);
    let explained = robots.explain_path(crawler.clone(), path).expect("its form");
    assert_eq!(explained.verdict, verdict(&rules, path.as_path()), "{explained}");
    let line = deciding_line(&rules, path.as_path());
    assert_eq!(explained.deciding_rule().map(|rule| rule.line), line, "{explained}");
    let near = near_misses(robots, &groups, &rules, path.as_path()).expect("its form").found;
    assert!(near.len() <= MAX_FOUND);
    for near in near {
        let alone = RuleSet::from_rules(dialect, [(near.kind, &near.pattern, 1)]);
        assert_eq!(deciding_line(&alone, path.as_path()), Some(1), "{near:?}");
    }
    let groups = groups.groups.iter().filter_map(|id| robots.groups().get(id.0 as usize));
    let lines: Vec<_> = groups.flat_map(|group| robots.rules_of(group)).collect();
    for edit in openings(&rules, dialect, path.as_path()).expect("its form") {
        let (added, removed) = match &edit {
            OpeningEdit::Allow(pattern) => (Some((RuleKind::Allow, pattern.as_slice(), u32::MAX)), &[][..]),
            OpeningEdit::Remove(lines) => (None, lines.as_slice()),
        };
        let left = lines.iter().filter(|line| !removed.contains(&line.line));
        let left = left.map(|line| (line.kind, line.value.of(robots.body()), line.line));
        let edited = RuleSet::from_rules(dialect, left.chain(added));
        assert!(!explained.verdict.is_allow() && verdict(&edited, path.as_path()).is_allow(), "{edit:?} {explained}");
        if let Ok(Some(opened)) = also_opened(&rules, &edited, dialect, path.as_path()) {
            let opened = meaning::in_form(dialect, &opened);
            let verdicts = [&rules, &edited].map(|rules| verdict(rules, opened.as_path()).is_allow());
            assert_eq!(verdicts, [false, true], "{edit:?} {opened:?} {explained}");
        }
    }
}
