//! The rules that one crawler obeys, normalized and ranked: what is compiled, and what answers without compiling.
//!
//! ```text
//! Disallow: /cart          1. Allow    /cart/help   length 10
//! Allow: /cart/help    →   2. Disallow /cart        length 5
//! ```
//!
//! Invariants, which every engine relies on:
//! - rules are sorted from the top rank down: the first rule whose pattern matches decides. Rank is the length, then
//!   Allow before Disallow, then the earlier line; rules with an empty value that decides nothing come last, and
//!   `/robots.txt`, if the dialect always allows it, first. (In a set that was made [in order](RuleSet::in_order) it is
//!   the order, and the length says so.)
//! - every pattern is normal (see [`pattern`](crate::rules::pattern)) and starts with `/` or `*`, or is empty (an empty
//!   pattern matches every path); patterns that can match no path are not in the set;
//! - patterns are in the form of the set, and paths must be;
//! - of rules with an empty value, the first of each kind is in the set. Other rules can be repeated: the second of two
//!   equal ones never decides.

use std::fmt;
use std::sync::OnceLock;

use robotsc_runtime::{DecidingRule, PathForm, PathFormError, UrlPath, Verdict};

use crate::dialect::Dialect;
use crate::robots_txt::RuleKind;
use crate::rules::glob;
use crate::rules::sieve::Sieve;
use crate::span::ByteSpan;

/// Where a rule came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleOrigin {
    /// A line of the file, with a value.
    Line,
    /// A line of the file whose value is empty, in a dialect in which it decides nothing. It comes last, with the
    /// verdict Allow, so that its line can be named.
    EmptyLine,
    /// A line of the file whose value is empty, in a dialect in which it means the other directive with the value `/`.
    EmptyInverse,
    /// The `dir/$` that `Allow: dir/index.htm…` stands for.
    IndexHtm,
    /// The dialect's own `Allow: /robots.txt$`, above all others; line 0. Not there where no rule disallows anything.
    RobotsTxtPath,
}

impl RuleOrigin {
    /// Returns the name of the origin in JSON: lower case, words joined by `-`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::EmptyLine => "empty-line",
            Self::EmptyInverse => "empty-inverse",
            Self::IndexHtm => "index-htm",
            Self::RobotsTxtPath => "robots-txt-path",
        }
    }
}

/// A ranked rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The normal pattern: a range of the rule set's text.
    pub(crate) pattern: ByteSpan,
    /// What it answers.
    pub verdict: Verdict,
    /// The directive as written.
    pub kind: RuleKind,
    /// The length that ranks it, in the dialect's count.
    pub length: u32,
    /// The line, from 1; 0 for a rule that no line states.
    pub line: u32,
    /// The value as written, in the body.
    pub source: ByteSpan,
    /// Where it came from.
    pub origin: RuleOrigin,
}

/// The rules that one crawler obeys.
#[derive(Clone, Debug)]
pub struct RuleSet {
    pub(crate) form: PathForm,
    pub(crate) text: Vec<u8>,
    pub(crate) rules: Vec<Rule>,
    /// Made for the first question, since a set that is only compiled has none.
    sieve: OnceLock<Sieve>,
}

impl PartialEq for RuleSet {
    /// Compares the rules: whether a question was asked makes no difference.
    fn eq(&self, other: &Self) -> bool {
        (self.form, &self.text, &self.rules) == (other.form, &other.text, &other.rules)
    }
}

impl Eq for RuleSet {}

/// Reports that a pattern says nothing that a rule could match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePatternError(RulePatternErrorKind);

/// With the pattern as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RulePatternErrorKind {
    NoSlash(String),
    TwoMeanings(String),
}

impl fmt::Display for RulePatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            RulePatternErrorKind::TwoMeanings(pattern) => {
                write!(f, "the pattern \"{pattern}\" means one thing before a `?` and another after it")
            }
            RulePatternErrorKind::NoSlash(pattern) => {
                write!(f, "the pattern \"{pattern}\" starts with neither `/` nor `*` and matches nothing")
            }
        }
    }
}

impl std::error::Error for RulePatternError {}

impl RuleSet {
    /// Returns the set without rules, for paths in `form`: it allows everything.
    #[must_use]
    pub const fn empty(form: PathForm) -> Self {
        Self::of_ranked(form, Vec::new(), Vec::new())
    }

    /// Returns the set of rules that are ranked, with the text of their patterns.
    pub(crate) const fn of_ranked(form: PathForm, text: Vec<u8>, rules: Vec<Rule>) -> Self {
        Self { form, text, rules, sieve: OnceLock::new() }
    }

    /// Returns the form that paths must be in.
    #[must_use]
    pub const fn path_form(&self) -> PathForm {
        self.form
    }

    /// Ranks rules by their order: the first that matches decides, however long it is. Each is a verdict, a pattern and
    /// a line (0 if there is none). Patterns are normalized to `form`, the one of the dialect that paths are read in.
    ///
    /// The length of each rule is the number of those from it on, so that ranking by length finds the same order. Cost:
    /// linear in the bytes of the patterns.
    ///
    /// # Errors
    /// [`RulePatternError`] if a pattern starts with neither `/` nor `*`, so that it can match no path, or if its
    /// normal form alone does not say what it matches (see
    /// [`Dialect::is_whole_pattern`](crate::Dialect::is_whole_pattern)). An empty pattern matches every path.
    ///
    /// ```
    /// use robotsc::{Dialect, RuleSet, Verdict};
    ///
    /// let google = &Dialect::GOOGLE;
    /// let rules = [(Verdict::Allow, "/a", 1), (Verdict::Disallow, "/a/long/path", 2)];
    /// let rules = RuleSet::in_order(google.path_form(), rules)?;
    /// assert_eq!(rules.verdict(google.url_path("/a/long/path")?.as_path())?, Verdict::Allow);
    /// assert!(RuleSet::in_order(google.path_form(), [(Verdict::Disallow, "cart", 1)]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_order<P: AsRef<[u8]>>(
        form: PathForm,
        rules: impl IntoIterator<Item = (Verdict, P, u32)>,
    ) -> Result<Self, RulePatternError> {
        let dialect = match form {
            PathForm::Escaped => Dialect::GOOGLE,
            PathForm::Canonical { query_reserved } => Dialect { query_reserved, ..Dialect::RFC9309 },
        };
        let mut set = Self::empty(form);
        for (verdict, pattern, line) in rules {
            let pattern = pattern.as_ref();
            let start = set.text.len();
            set.text.extend(dialect.normalize_pattern(pattern));
            let normal = &set.text[start..];
            if !matches!(normal, [] | [b'/' | b'*', ..]) {
                return Err(RulePatternError(RulePatternErrorKind::NoSlash(pattern.escape_ascii().to_string())));
            }
            if !dialect.is_whole_pattern(normal) {
                return Err(RulePatternError(RulePatternErrorKind::TwoMeanings(pattern.escape_ascii().to_string())));
            }
            set.rules.push(Rule {
                pattern: ByteSpan::new(start, set.text.len()),
                verdict,
                kind: if verdict.is_allow() { RuleKind::Allow } else { RuleKind::Disallow },
                length: 0,
                line,
                source: ByteSpan::default(),
                origin: RuleOrigin::Line,
            });
        }
        for (length, rule) in (1..).zip(set.rules.iter_mut().rev()) {
            rule.length = length;
        }
        Ok(set)
    }

    /// Returns the rules, from the top rank down.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the normal pattern of a rule of this set.
    #[must_use]
    pub fn pattern(&self, rule: &Rule) -> &[u8] {
        rule.pattern.of(&self.text)
    }

    /// Returns the bytes that the set takes on the heap, for caches. Includes what the first question adds, even before
    /// it, so that a budget is kept.
    #[must_use]
    pub const fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.rules.capacity() * size_of::<Rule>() + Sieve::most_bytes(self.rules.len())
    }

    #[inline]
    fn sieve(&self) -> &Sieve {
        self.sieve.get_or_init(|| Sieve::new(self.rules.iter().map(|rule| self.pattern(rule))))
    }

    /// Reads what a decision reads first, so that it is near when one is asked for. The result means nothing.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn read_early(&self) -> u64 {
        let rule = self.rules.first().map_or(0, |rule| rule.line);
        self.sieve.get().map_or(0, Sieve::read_early)
            ^ u64::from(rule)
            ^ self.text.first().map_or(0, |byte| u64::from(*byte))
    }

    /// Reports whether the pattern of a rule of this set matches a path, whatever the other rules say.
    ///
    /// Cost: linear in pattern and path. Never panics.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the set.
    pub fn matches(&self, rule: &Rule, path: UrlPath<'_>) -> Result<bool, PathFormError> {
        Ok(glob::matches(self.pattern(rule), path.in_form(self.form)?))
    }

    /// Returns the verdict for a path.
    ///
    /// Cost, and errors: as [`RuleSet::deciding_rule`].
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the set.
    pub fn verdict(&self, path: UrlPath<'_>) -> Result<Verdict, PathFormError> {
        // A path that no rule matches is allowed (RFC 9309 section 2.2.2).
        Ok(self.longest_match(path)?.map_or(Verdict::Allow, |(_, rule)| rule.verdict))
    }

    /// Returns the rule that decides, directly from the rules, without compiling; `None` if no rule matches.
    ///
    /// Cost: one comparison of eight bytes for each rule; if they are equal and the path holds what the pattern does,
    /// linear in pattern and path. The first question to a set is linear in its patterns and allocates; no other does.
    /// Never panics.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the set.
    pub fn deciding_rule(&self, path: UrlPath<'_>) -> Result<Option<DecidingRule>, PathFormError> {
        Ok(self.longest_match(path)?.map(|(index, rule)| {
            let Rule { verdict, line, length, kind, .. } = *rule;
            DecidingRule::new(verdict, index, line, length, kind == RuleKind::Allow)
        }))
    }

    /// Returns the longest rule that matches a path, and its index.
    ///
    /// This is where "the longest match decides" happens: rules are [ranked](crate::rules::ranking) by their length
    /// when the set is made, so the first that matches, from the top rank down, is the longest.
    fn longest_match(&self, path: UrlPath<'_>) -> Result<Option<(u32, &Rule)>, PathFormError> {
        let path = path.in_form(self.form)?;
        let first = self.sieve().first(path, |index| glob::matches(self.pattern(&self.rules[index]), path));
        Ok(first.map(|index| (index as u32, &self.rules[index])))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ask::agent::{Crawler, Selection};
    use crate::dialect::Dialect;
    use crate::robots_txt::{GroupId, RobotsTxt};
    use crate::rules::reference;

    /// Returns `D /a` for each rule, one a line: the letter, the value.
    fn set(dialect: &Dialect, rules: &str) -> RuleSet {
        let rule = |(line, text): (u32, &str)| {
            let kind = if text.starts_with('A') { RuleKind::Allow } else { RuleKind::Disallow };
            (kind, text[1..].trim().to_owned(), line)
        };
        RuleSet::from_rules(dialect, (1..).zip(rules.split('|')).map(rule))
    }

    /// Returns what became of the rules: verdict, pattern, length, line.
    fn shown(rules: &RuleSet) -> String {
        let rule = |rule: &Rule| {
            let pattern = rules.pattern(rule).escape_ascii();
            let sign = if rule.verdict.is_allow() { '+' } else { '-' };
            match rule.origin {
                RuleOrigin::RobotsTxtPath => format!("{sign}{pattern}"),
                _ => format!("{sign}{pattern} {}:{}", rule.length, rule.line),
            }
        };
        rules.rules().iter().map(rule).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn rules_are_ranked() {
        let google = &Dialect::GOOGLE;
        for (dialect, rules, ranked) in [
            (google, "D /a|A /bb|D /ccc", "-/ccc 4:3|+/bb 3:2|-/a 2:1"),
            // A tie goes to Allow, then to the earlier line; equal rules stay.
            (google, "D /a|D /b|A /c|A /a|D /a", "+/c 2:3|+/a 2:4|-/a 2:1|-/b 2:2|-/a 2:5"),
            // The length counts what escapes add.
            (google, "D /abcdef|A /\u{e4}b", "+/%C3%A4b 8:2|-/abcdef 7:1"),
            // Patterns that begin with neither slash nor star are dead.
            (google, "D a|A $|D http://h/|D *a|D %2Fa", "-*a 2:4"),
            // Empty values decide nothing, but can be named: the first Allow before the first Disallow.
            (google, "D|D|A|D /|A", "-/ 1:4|+ 0:3|+ 0:1"),
            (google, "D", "+ 0:1"),
            // index.htm
            (google, "A /a/index.html|D /a/", "+/a/index.html 13:1|+/a/$ 4:1|-/a/ 3:2"),
            (google, "A /index.htm", "+/index.htm 10:1|+/$ 2:1"),
            (google, "A *x/index.htmx?y", "+*x/index.htmx?y 15:1|+*x/$ 4:1"),
            (
                google,
                "A /index.html/|A /Index.htm|A /xindex.htm|D /index.htm|A a/index.htm|A *index.htm",
                "+/index.html/ 12:1|+/xindex.htm 11:3|+/Index.htm 10:2|+*index.htm 10:6|-/index.htm 10:4",
            ),
            (&Dialect::GOOGLE_2019, "A /index.htm", "+/index.htm 10:1"),
            // /robots.txt, where something is disallowed.
            (&Dialect::GOOGLE_2019, "D /", "-/ 1:1"),
            // 2019: trailing stars are not counted.
            (&Dialect::GOOGLE_2019, "D /a*|A /a|D /ab", "-/ab 3:3|+/a 2:2|-/a* 2:1"),
            (&Dialect::RFC9309, "D /|A /a", "+/robots.txt$|+/a 2:2|-/ 1:1"),
            (&Dialect::RFC9309, "A /|D", "+/ 1:1|+ 0:2"),
            // 2017: trailing stars are not counted; a value of stars alone has length 0 and yet decides.
            (&Dialect::GOOGLE_2017, "A /|D /*|D fish", "-/fish 5:3|+/ 1:1|-/* 1:2"),
            (&Dialect::GOOGLE_2017, "D|A|D **", "-** 0:3|+ 0:2|+ 0:1"),
            // Yandex: length as written, without stars at the end; an empty value is the other directive with `/`.
            (&Dialect::YANDEX, "D /%61|A /bbb", "+/bbb 4:2|-/a 4:1"),
            (&Dialect::YANDEX, "A|D|D /|A|A /", "+/ 1:2|+/ 1:5|-/ 1:1|-/ 1:3|-/ 1:4"),
            (&Dialect::YANDEX, "A", "-/ 1:1"),
            (&Dialect::YANDEX, "D", "+/ 1:1"),
            (&Dialect::YANDEX, "D *|D", "+/ 1:2|-* 0:1"),
        ] {
            assert_eq!(shown(&set(dialect, rules)), ranked, "{} {rules}", dialect.name);
        }
    }

    #[test]
    fn decisions() {
        for (dialect, rules, path, line, allowed) in [
            (&Dialect::GOOGLE, "D /|A /p", "/page", 2, true),
            (&Dialect::GOOGLE, "A /folder|D /folder", "/folder/page", 1, true),
            (&Dialect::GOOGLE, "A /page|D /*.htm", "/page.htm", 2, false),
            (&Dialect::GOOGLE, "A /page|D /*.ph", "/page.php5", 1, true),
            (&Dialect::GOOGLE, "A /$|D /", "/", 1, true),
            (&Dialect::GOOGLE, "A /$|D /", "/page.htm", 2, false),
            (&Dialect::GOOGLE, "D /|A /a/index.html", "/a/", 2, true),
            (&Dialect::GOOGLE, "D /|A /a/index.html", "/a/index.html", 2, true),
            (&Dialect::GOOGLE, "D /|A /a/index.html", "/a/index.htm", 1, false),
            (&Dialect::GOOGLE, "D /|A", "/a", 1, false),
            (&Dialect::GOOGLE, "D|D /b", "/a", 1, true),
            (&Dialect::GOOGLE, "D /b", "/a", 0, true),
            (&Dialect::GOOGLE, "D /", "/robots.txt", 1, false),
            (&Dialect::RFC9309, "D /", "/robots.txt", 0, true),
            (&Dialect::RFC9309, "D /", "/robots.txt?x", 1, false),
            (&Dialect::RFC9309, "D /robots.txt$", "/robots.txt", 0, true),
            (&Dialect::GOOGLE_2017, "A /|D /*", "/x", 1, true),
            (&Dialect::YANDEX, "A", "/x", 1, false),
            (&Dialect::YANDEX, "A|D", "/x", 2, true),
            (&Dialect::YANDEX, "D /|D", "/x", 2, true),
        ] {
            let rules_of = set(dialect, rules);
            let decision = rules_of.deciding_rule(UrlPath::assume(path.as_bytes(), dialect.path_form())).unwrap();
            assert_eq!(
                (decision.map_or(0, |rule| rule.line), DecidingRule::verdict_of(decision).is_allow()),
                (line, allowed),
                "{} {rules} {path}",
                dialect.name
            );
            assert_eq!(
                reference::deciding_rule(&rules_of, UrlPath::assume(path.as_bytes(), dialect.path_form())).unwrap(),
                decision,
                "{} {rules} {path}",
                dialect.name
            );
        }
    }

    #[test]
    fn rules_of_a_file_keep_their_places() {
        let body = b"User-agent: a\nDisallow: /x\nUser-agent: b\nAllow: /\nUser-agent: a\nAllow: /x/y # z\n";
        let robots = RobotsTxt::parse(body);
        let rules = robots.rule_set(&Crawler::new("a").unwrap());
        assert_eq!(shown(&rules), "+/x/y 4:6|-/x 2:2");
        assert_eq!(rules.rules()[0].source.of(body), b"/x/y");
        let stray = Selection { groups: vec![GroupId(9)], reason: crate::SelectionReason::Star };
        assert_eq!(robots.rule_set_of(&stray), RuleSet::empty(PathForm::Escaped));
    }

    fn rules() -> impl Strategy<Value = Vec<(RuleKind, String, u32)>> {
        let kind = prop_oneof![Just(RuleKind::Allow), Just(RuleKind::Disallow)];
        let value = prop_oneof![
            6 => "/[ab*$%?./]{0,7}",
            2 => r"\*[ab*$%?./]{0,5}",
            1 => "[ab*$%?./]{0,3}",
            1 => "/[ab]{0,2}/?index\\.html?",
        ];
        prop::collection::vec((kind, value, 1..20_u32), 0..12)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn decides_as_the_reference_does(
            rules in rules(),
            paths in prop::collection::vec("/[ab*$%?.6/]{0,12}|/(index.html)?", 1..12),
        ) {
            for dialect in Dialect::ALL {
                let set = RuleSet::from_rules(dialect, rules.clone());
                let filled = rules.iter().map(|(_, value, _)| value.replace('*', "ab").replace('$', ""));
                for path in paths.iter().cloned().chain(filled).filter(|path| path.starts_with('/')) {
                    let path = dialect.raw_path(path.as_bytes());
                    let path = path.as_path();
                    let expected = reference::deciding_rule(&set, path);
                    prop_assert_eq!(set.deciding_rule(path), expected, "{} {:?}", dialect.name, path);
                }
            }
        }

        #[test]
        fn any_bytes_give_a_ranked_set(
            rules in prop::collection::vec((any::<bool>(), any::<Vec<u8>>(), any::<u32>()), 0..9),
        ) {
            let kind = |allow: bool| if allow { RuleKind::Allow } else { RuleKind::Disallow };
            for dialect in Dialect::ALL {
                let rules = rules.iter().map(|(allow, value, line)| (kind(*allow), value, *line));
                let set = RuleSet::from_rules(dialect, rules);
                for pair in set.rules().windows(2) {
                    let rank = |rule: &Rule| {
                        (rule.origin != RuleOrigin::EmptyLine, rule.length, rule.verdict.is_allow())
                    };
                    prop_assert!(rank(&pair[0]) >= rank(&pair[1]));
                }
                for rule in set.rules() {
                    prop_assert!(matches!(set.pattern(rule), [] | [b'/' | b'*', ..]));
                }
            }
        }
    }
}
