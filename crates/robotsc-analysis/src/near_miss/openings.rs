//! Edits that open a path which a rule blocks, and what else each of them opens.
//!
//! ```text
//! Disallow: /shop     /shop/a is blocked
//!
//! Allow: /shop/a$     opens nothing else
//! without the rule    opens /shop, too
//! ```

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{Dialect, PathFormError, Rule, RuleKind, RuleOrigin, RuleSet, UrlPath, Verdict, reference};

use super::MAX_PATH_BYTES;
use crate::rules::RuleAnalysis;
use crate::rules::compare::shortest_opened;
use crate::search::{NotDecided, SearchBudget};
use crate::space::Paths;

/// The maximum number of lines that an edit takes out.
const MAX_LINES: usize = 3;
/// The work of finding what else an edit opens.
const WORK: u64 = 1 << 23;

/// An edit that opens a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningEdit {
    /// Add an Allow with this pattern to the group.
    Allow(Vec<u8>),
    /// Take out the rules of these lines.
    Remove(Vec<u32>),
}

/// Returns edits that open a path, the one that opens least first; none if the path is allowed. What else an edit opens
/// is a question about the edited file: [`also_opened`].
///
/// Cost: linear in the rules, times the bytes of the path in the worst case; none for a path of more than 4,096 bytes.
/// Never panics.
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
/// assert_eq!(found, [OpeningEdit::Allow(b"/shop/a$".to_vec()), OpeningEdit::Remove(vec![2])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn openings(rules: &RuleSet, dialect: &Dialect, path: UrlPath<'_>) -> Result<Vec<OpeningEdit>, PathFormError> {
    let bytes = path.in_form(rules.path_form())?;
    let Some(decided) = rules.deciding_rule(path)?.filter(|rule| !rule.verdict.is_allow()) else {
        return Ok(Vec::new());
    };
    if bytes.len() > MAX_PATH_BYTES {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    if let Some(rule) = rules.rules().get(decided.rule as usize)
        && let Some(pattern) = narrowest_allow(dialect, path, bytes, rule.length)?
    {
        found.push(OpeningEdit::Allow(pattern));
    }
    let mut lines = Vec::new();
    for rule in rules.rules() {
        if rule.origin == RuleOrigin::EmptyLine || !rules.matches(rule, path)? {
            continue;
        }
        if rule.verdict.is_allow() || lines.len() > MAX_LINES {
            break;
        }
        if !lines.contains(&rule.line) {
            lines.push(rule.line);
        }
    }
    lines.small_sort_unstable();
    if (1..=MAX_LINES).contains(&lines.len()) {
        found.push(OpeningEdit::Remove(lines));
    }
    Ok(found)
}

/// Returns the pattern of an Allow that decides a path, and matches as little else as it can. A longer Disallow asks
/// for a longer Allow, which stars make it.
fn narrowest_allow(
    dialect: &Dialect,
    path: UrlPath<'_>,
    bytes: &[u8],
    closed_by: u32,
) -> Result<Option<Vec<u8>>, PathFormError> {
    let stars = vec![b'*'; (closed_by as usize).saturating_sub(bytes.len()).min(MAX_PATH_BYTES)];
    for pattern in [[bytes, b"$"].concat(), [bytes, &stars].concat(), [bytes, &stars, b"$"].concat()] {
        let set = RuleSet::from_rules(dialect, [(RuleKind::Allow, &pattern, 1)]);
        let found = reference::deciding_rule(&set, path)?.filter(|found| found.line == 1);
        let rule = found.and_then(|found| set.rules().get(found.rule as usize));
        if rule.is_some_and(|rule| rule.length >= closed_by) {
            return Ok(Some(pattern));
        }
    }
    Ok(None)
}

/// Returns a shortest path that new rules open, other than a path itself; `None` if they open no other.
///
/// Cost: bounded. Never panics.
///
/// # Errors
/// [`NotDecided`] if the work budget was spent, if the rules cannot be compared, or if the path contains a `*`, so that
/// it cannot be told from others, and is itself the shortest.
///
/// ```
/// use robotsc::analysis::near_miss::also_opened;
/// use robotsc::robots_txt::RuleKind::{Allow, Disallow};
/// use robotsc::{Dialect, RuleSet};
///
/// let google = &Dialect::GOOGLE;
/// let closed = RuleSet::from_rules(google, [(Disallow, "/shop", 2)]);
/// let edited = RuleSet::from_rules(google, [(Disallow, "/shop", 2), (Allow, "/shop/index.html$", 3)]);
/// let path = google.url_path("/shop/index.html")?;
/// assert_eq!(also_opened(&closed, &edited, google, path.as_path()), Ok(Some(b"/shop/".to_vec())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn also_opened(
    old: &RuleSet,
    new: &RuleSet,
    dialect: &Dialect,
    path: UrlPath<'_>,
) -> Result<Option<Vec<u8>>, NotDecided> {
    let bytes = path.in_form(old.path_form()).map_err(|_| NotDecided)?;
    // A `*` in a pattern stands for any bytes.
    let own = (!bytes.contains(&b'*')).then(|| [bytes, b"$"].concat());
    let [old, new] = [old, new].map(|rules| with_open_path(rules, own.as_deref()));
    let (old, new) = (old?, new?);
    let budget = SearchBudget::new(WORK, WORK);
    let [old, new] = [&old, &new].map(|set| RuleAnalysis::of(set, dialect, Paths::Urls, &budget));
    match shortest_opened(&old, &new)?.map(|region| region.path) {
        Some(found) if found == bytes => Err(NotDecided),
        found => Ok(found),
    }
}

/// Returns the rules that can match a path, below an Allow of one path.
fn with_open_path(rules: &RuleSet, own: Option<&[u8]>) -> Result<RuleSet, NotDecided> {
    let open = own.map(|pattern| (Verdict::Allow, pattern, 0));
    let is_ordered =
        |rule: &&Rule| rule.origin != RuleOrigin::EmptyLine && matches!(rules.pattern(rule), [b'/' | b'*', ..]);
    let ordered = rules.rules().iter().filter(is_ordered);
    let ordered = ordered.map(|rule| (rule.verdict, rules.pattern(rule), rule.line));
    RuleSet::in_order(rules.path_form(), open.into_iter().chain(ordered)).map_err(|_| NotDecided)
}
