//! What an agent may fetch of a site: all, some or nothing, proved for all paths.

use robotsc::rules::{Rule, RuleOrigin};
use robotsc::{Dialect, RuleSet, Verdict};
use robotsc_analysis::{PathPattern, Paths, Property, RuleAnalysis, SearchBudget};

/// What an agent may fetch of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Openness {
    /// Every path.
    Open,
    /// Some paths, and others not.
    Partly,
    /// No path but that of robots.txt itself.
    Closed,
    /// Nothing is known, or the proof was given up: never an allow.
    Unknown,
}

impl Openness {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Partly, Self::Closed, Self::Unknown];

    /// Returns `open`, `partly`, `closed` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Partly => "partly",
            Self::Closed => "closed",
            Self::Unknown => "unknown",
        }
    }
}

/// What some rules allow, with a path for each side.
#[derive(Clone, Debug)]
pub(super) struct ProvedAccess {
    pub(super) access: Openness,
    pub(super) open_path: Option<Vec<u8>>,
    pub(super) closed_path: Option<Vec<u8>>,
    pub(super) rules: usize,
}

impl ProvedAccess {
    /// Proves what rules allow.
    ///
    /// Cost: nothing for the rules of most files, which allow all or nothing in one line; else a search for each rule
    /// of the other side, within the limits.
    pub(super) fn of(rules: &RuleSet, dialect: &Dialect, everything: &PathPattern) -> Self {
        let own = || rules.rules().iter().filter(|rule| rule.origin != RuleOrigin::RobotsTxtPath);
        let is_line = |rule: &&Rule| matches!(rule.origin, RuleOrigin::Line | RuleOrigin::EmptyInverse);
        let count = own().filter(is_line).count();
        let proved = |access, open_path, closed_path| Self { access, open_path, closed_path, rules: count };
        let root = || Some(b"/".to_vec());
        // Without a rule that disallows nothing is closed.
        if own().all(|rule| rule.verdict.is_allow()) {
            return proved(Openness::Open, root(), None);
        }
        let path = dialect.url_path(b"/").ok();
        let is_root_open = path.and_then(|path| rules.verdict(path.as_path()).ok()).map(|verdict| verdict.is_allow());
        let covers_all = || own().any(|rule| matches!(rules.pattern(rule), b"/" | b"/*" | b"*"));
        if is_root_open == Some(false) && !own().any(|rule| rule.verdict.is_allow()) && covers_all() {
            return proved(Openness::Closed, None, root());
        }
        // Most often the shortest pattern of the other side shows it, without a search.
        if is_root_open == Some(true)
            && let Some(path) = shortest_instance(rules, dialect, Verdict::Disallow)
        {
            return proved(Openness::Partly, root(), Some(path));
        }
        if is_root_open == Some(false)
            && covers_all()
            && let Some(path) = shortest_instance(rules, dialect, Verdict::Allow)
        {
            return proved(Openness::Partly, Some(path), root());
        }
        let budget = SearchBudget::default();
        let Ok(analysis) = RuleAnalysis::new(rules, dialect, Paths::Urls, &budget) else {
            return proved(Openness::Unknown, None, None);
        };
        // The path of one side is the root, which no path is shorter than. The other side is searched for.
        let (property, all) = match is_root_open {
            Some(true) => (Property::NeverBlocked, Openness::Open),
            Some(false) => (Property::NeverAllowed, Openness::Closed),
            None => return proved(Openness::Unknown, None, None),
        };
        match (property.counterexample(&analysis, everything), all) {
            (Ok(Some(found)), Openness::Open) => proved(Openness::Partly, root(), Some(found.path)),
            (Ok(Some(found)), _) => proved(Openness::Partly, Some(found.path), root()),
            (Ok(None), Openness::Open) => proved(Openness::Open, root(), None),
            (Ok(None), _) => proved(Openness::Closed, None, root()),
            (Err(_), _) => proved(Openness::Unknown, None, None),
        }
    }
}

/// Returns a shortest path that has a verdict by a rule, if one of the shortest patterns with that verdict shows it.
///
/// A path that a pattern matches is at least as long as the bytes of the pattern but `*` and the last `$`, and these
/// bytes are such a path. So if they have the verdict of a shortest pattern, no path with it is shorter. `None` says
/// nothing: a longer path of that pattern can have the verdict, or another rule's.
fn shortest_instance(rules: &RuleSet, dialect: &Dialect, verdict: Verdict) -> Option<Vec<u8>> {
    let literals = |pattern: &[u8]| -> Vec<u8> {
        let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
        pattern.iter().copied().filter(|byte| *byte != b'*').collect()
    };
    let is_such = |rule: &&Rule| {
        // An empty pattern matches no path.
        rule.verdict == verdict && rule.origin != RuleOrigin::RobotsTxtPath && !rules.pattern(rule).is_empty()
    };
    let own = rules.rules().iter().filter(is_such);
    let paths = own.map(|rule| (literals(rules.pattern(rule)), rule.line));
    let (path, _) = paths.min_by_key(|(path, line)| (path.len(), *line))?;
    if path == b"/robots.txt" && rules.rules().iter().any(|rule| rule.origin == RuleOrigin::RobotsTxtPath) {
        return None;
    }
    // It must be a path that a URL can have.
    let read = dialect.url_path(&path).ok()?;
    let is_url_path = *read.as_path().as_bytes() == *path;
    (is_url_path && rules.verdict(read.as_path()) == Ok(verdict)).then_some(path)
}

#[cfg(test)]
mod tests {
    use robotsc::{Crawler, RobotsTxt};

    use super::*;

    #[test]
    fn lines_that_can_decide_are_counted() {
        let everything = PathPattern::new(&Dialect::GOOGLE, "/").unwrap();
        for (lines, count) in [
            ("Disallow: /b\nAllow: /b/c\nDisallow: /b", 3),
            // The folder that it stands for is no line.
            ("Allow: /a/index.html\nDisallow: /a/", 2),
            ("Disallow:\nAllow:\nDisallow: /b", 1),
            // It matches no path.
            ("Disallow: b\nDisallow: /b", 1),
        ] {
            let body = format!("User-agent: *\n{lines}\n");
            let rules = RobotsTxt::parse(body.as_bytes()).rule_set(&Crawler::others());
            assert_eq!(ProvedAccess::of(&rules, &Dialect::GOOGLE, &everything).rules, count, "{lines}");
        }
    }

    /// What is found without a search is what a search finds.
    #[test]
    fn short_cuts_find_what_a_search_finds() {
        let everything = PathPattern::new(&Dialect::GOOGLE, "/").unwrap();
        let mut cut = 0;
        for lines in [
            "",
            "Disallow:",
            "Disallow: /",
            "Disallow: /\nAllow: /a",
            "Disallow: /*\nAllow: /*.png$\nAllow: /longer",
            "Disallow: /$",
            "Disallow: /*?",
            "Disallow: /a\nAllow: /a",
            "Disallow: /a\nAllow: /a$\nDisallow: /bcd",
            "Disallow: /a/*../",
            "Disallow: *",
            "Disallow: /\nAllow: /",
            "Disallow: /\nAllow: /$",
            "Disallow: /robots.txt",
            "Disallow: *\nAllow: /$\nDisallow: /abc",
            "Disallow: *x\nDisallow: /abc",
            "Allow: /x",
            "Disallow: /*/\nDisallow: /abc",
            "Disallow: /%61\nDisallow: /\u{e4}",
        ] {
            let body = format!("User-agent: *\n{lines}\n");
            let rules = RobotsTxt::parse(body.as_bytes()).rule_set(&Crawler::others());
            let budget = SearchBudget::default();
            let analysis = RuleAnalysis::new(&rules, &Dialect::GOOGLE, Paths::Urls, &budget).unwrap();
            let proved = ProvedAccess::of(&rules, &Dialect::GOOGLE, &everything);
            let closed = Property::NeverBlocked.counterexample(&analysis, &everything).unwrap().map(|found| found.path);
            let open = Property::NeverAllowed.counterexample(&analysis, &everything).unwrap().map(|found| found.path);
            let length = |path: &Option<Vec<u8>>| path.as_ref().map(Vec::len);
            assert_eq!(length(&proved.closed_path), length(&closed), "{lines}");
            assert_eq!(length(&proved.open_path), length(&open), "{lines}");
            let access = match (open.is_some(), closed.is_some()) {
                (true, true) => Openness::Partly,
                (true, false) => Openness::Open,
                _ => Openness::Closed,
            };
            assert_eq!(proved.access, access, "{lines}");
            cut += u32::from(shortest_instance(&rules, &Dialect::GOOGLE, Verdict::Disallow).is_some());
        }
        assert!(cut > 6, "{cut}");
    }
}
