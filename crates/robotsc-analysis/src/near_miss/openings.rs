//! Edits that open a path which a rule blocks, and what else each of them opens.
//!
//! ```text
//! Disallow: /shop     /shop/a is blocked
//!
//! Allow: /shop/a$     opens nothing else
//! without the rule    opens /shop, too
//! ```

use robotsc_compiler::{Dialect, PathFormError, RuleKind, RuleOrigin, RuleSet, UrlPath, Verdict, reference};

use crate::rules::RuleAnalysis;
use crate::rules::compare::shortest_difference;
use crate::search::{NotDecided, SearchLimits};
use crate::space::Paths;

/// The maximum number of lines that an edit takes out.
const MAX_LINES: usize = 3;
/// The maximum number of bytes of a path for which an Allow is made.
const MAX_PATH_BYTES: usize = 4096;
/// The work of finding what else an edit opens.
const WORK: u64 = 1 << 23;

/// An edit that opens a path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opening {
    /// The edit.
    pub edit: OpeningEdit,
    /// Another path that it opens, a shortest one; `None` if it opens no other.
    ///
    /// # Errors
    /// [`NotDecided`] if the work budget was spent, or if the rules cannot be compared.
    pub opens: Result<Option<Vec<u8>>, NotDecided>,
}

/// What to change so that a path is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningEdit {
    /// Add an Allow with this pattern to the group.
    Allow(Vec<u8>),
    /// Take out the rules of these lines.
    Remove(Vec<u32>),
}

/// A rule as [`RuleSet::in_order`] takes it.
type InOrder<'r> = (Verdict, &'r [u8], u32);

/// Returns edits that open a path, the one that opens least first; none if the path is allowed.
///
/// Cost: near linear in the rules, and bounded. Never panics.
///
/// # Errors
/// [`PathFormError`] if the path is in another form than the rules.
///
/// ```
/// use robotsc::analysis::near_miss::{OpeningEdit, openings};
/// use robotsc::robots_txt::RuleKind;
/// use robotsc::{Dialect, RuleSet};
///
/// let google = &Dialect::GOOGLE;
/// let rules = RuleSet::from_rules(google, [(RuleKind::Disallow, "/shop", 2)]);
/// let found = openings(&rules, google, google.url_path("/shop/a")?.as_path())?;
/// assert_eq!(found[0].edit, OpeningEdit::Allow(b"/shop/a$".to_vec()));
/// assert_eq!(found[0].opens, Ok(None));
/// assert_eq!(found[1].edit, OpeningEdit::Remove(vec![2]));
/// assert_eq!(found[1].opens, Ok(Some(b"/shop".to_vec())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn openings(rules: &RuleSet, dialect: &Dialect, path: UrlPath<'_>) -> Result<Vec<Opening>, PathFormError> {
    let bytes = path.in_form(rules.path_form())?;
    let Some(decided) = rules.deciding_rule(path)?.filter(|rule| !rule.verdict.is_allow()) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    let closed = Closed { rules, dialect, bytes };
    if bytes.len() <= MAX_PATH_BYTES
        && let Some((pattern, length)) = closed.narrowest_allow(path, decided.rule)?
    {
        let is_one_path = pattern.strip_suffix(b"$") == Some(bytes) && !bytes.contains(&b'*');
        let opens = if is_one_path { Ok(None) } else { closed.opened_by_allow(&pattern, length) };
        found.push(Opening { edit: OpeningEdit::Allow(pattern), opens });
    }
    let mut lines = Vec::new();
    for rule in rules.rules() {
        if rule.origin == RuleOrigin::EmptyLine || !rules.matches(rule, path)? {
            continue;
        }
        if rule.verdict.is_allow() {
            break;
        }
        lines.push(rule.line);
    }
    lines.sort_unstable();
    lines.dedup();
    if (1..=MAX_LINES).contains(&lines.len()) {
        let opens = closed.opened_without(&lines);
        found.push(Opening { edit: OpeningEdit::Remove(lines), opens });
    }
    Ok(found)
}

/// A path that a rule blocks.
struct Closed<'c> {
    rules: &'c RuleSet,
    dialect: &'c Dialect,
    bytes: &'c [u8],
}

impl Closed<'_> {
    /// Returns the pattern of an Allow that decides the path and matches as little else as it can, and its length. A
    /// longer Disallow asks for a longer Allow, which stars make it.
    fn narrowest_allow(&self, path: UrlPath<'_>, decided: u32) -> Result<Option<(Vec<u8>, u32)>, PathFormError> {
        let Some(rule) = self.rules.rules().get(decided as usize) else { return Ok(None) };
        let stars = (rule.length as usize).saturating_sub(self.bytes.len()).min(MAX_PATH_BYTES);
        let stars = vec![b'*'; stars];
        let forms = [
            [self.bytes, b"$"].concat(),
            [self.bytes, &stars].concat(),
            [self.bytes, &stars, b"$"].concat(),
            self.rules.pattern(rule).to_vec(),
        ];
        for pattern in forms {
            let set = RuleSet::from_rules(self.dialect, [(RuleKind::Allow, &pattern, 1)]);
            let found = reference::deciding_rule(&set, path)?.filter(|found| found.line == 1);
            let Some(length) = found.and_then(|found| set.rules().get(found.rule as usize)).map(|rule| rule.length)
            else {
                continue;
            };
            if length >= rule.length {
                return Ok(Some((pattern, length)));
            }
        }
        Ok(None)
    }

    fn opened_by_allow(&self, pattern: &[u8], length: u32) -> Result<Option<Vec<u8>>, NotDecided> {
        let normal = self.dialect.normalize_pattern(pattern);
        let mut new = self.in_order(|_| true);
        let place = self.rules.rules().iter().filter(|rule| self.is_ordered(rule));
        let place = place.take_while(|rule| (rule.length, rule.verdict.is_allow()) >= (length, true)).count();
        new.insert(place, (Verdict::Allow, &normal, 0));
        self.opened(new)
    }

    fn opened_without(&self, lines: &[u32]) -> Result<Option<Vec<u8>>, NotDecided> {
        self.opened(self.in_order(|line| !lines.contains(&line)))
    }

    /// Returns a shortest path that these rules open, but for the path itself.
    fn opened(&self, new: Vec<InOrder<'_>>) -> Result<Option<Vec<u8>>, NotDecided> {
        let own = [self.bytes, b"$"].concat();
        let set = |rules: Vec<InOrder<'_>>| {
            let rules = [(Verdict::Allow, own.as_slice(), 0)].into_iter().chain(rules);
            RuleSet::in_order(self.rules.path_form(), rules).map_err(|_| NotDecided)
        };
        let (old, new) = (set(self.in_order(|_| true))?, set(new)?);
        let budget = SearchLimits::new(WORK, WORK);
        let [old, new] = [&old, &new].map(|set| RuleAnalysis::of(set, self.dialect, Paths::Urls, &budget));
        Ok(shortest_difference(&old, &new, None)?.map(|region| region.path))
    }

    /// Returns the rules that can match a path, but for those of some lines.
    fn in_order(&self, keeps: impl Fn(u32) -> bool) -> Vec<InOrder<'_>> {
        let rules = self.rules.rules().iter().filter(|rule| self.is_ordered(rule) && keeps(rule.line));
        rules.map(|rule| (rule.verdict, self.rules.pattern(rule), rule.line)).collect()
    }

    fn is_ordered(&self, rule: &robotsc_compiler::Rule) -> bool {
        rule.origin != RuleOrigin::EmptyLine && matches!(self.rules.pattern(rule), [b'/' | b'*', ..])
    }
}
