//! The agents of a file, in groups that obey the same lines.
//!
//! A file that names forty crawlers above one list of rules has two *audiences*: these forty, and all others. Questions
//! are asked once for each audience.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::small_sort::SmallCollect as _;
use robotsc_compiler::{GroupId, RobotsTxt, RuleSet, Selection, SelectionReason};

use crate::agents::names::{NameIndex, Named};
use crate::text::words;

/// Agents that obey the same groups of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audience {
    /// The names in the file, as first written there, in the order of their first lines.
    pub names: Vec<String>,
    /// Whether all agents that no group names are among them.
    pub has_others: bool,
    /// The groups that they obey.
    pub groups: Vec<GroupId>,
}

impl Audience {
    /// Returns the rules that these agents obey.
    #[must_use]
    pub fn rule_set(&self, robots: &RobotsTxt<'_>) -> RuleSet {
        // The reason has no part in the rules.
        robots.rule_set_of(&Selection { groups: self.groups.clone(), reason: SelectionReason::Star })
    }

    /// Returns the agents as they are called in a message: two or three names at most, then how many more.
    #[must_use]
    pub fn title(&self) -> String {
        match self.names.len() {
            0 if self.has_others => "all agents that are not named".to_owned(),
            0 => "no agent".to_owned(),
            3 => listed(&self.names, self.has_others, 3),
            _ => listed(&self.names, self.has_others, 2),
        }
    }
}

/// Returns agents as text, with at most `limit` names; the rest is counted.
pub(crate) fn listed(names: &[String], has_others: bool, limit: usize) -> String {
    let mut parts: Vec<String> = names.iter().take(limit).cloned().collect();
    if names.len() > limit {
        parts.push(format!("{} more", names.len() - limit));
    }
    if has_others {
        parts.push("all other agents".to_owned());
    }
    words::listed(&parts)
}

/// Returns the audiences of a file. The last is that of all agents that no group names.
///
/// Cost: n log n in the `User-agent` lines. Never panics.
///
/// ```
/// use robotsc::RobotsTxt;
/// use robotsc::analysis::audiences;
///
/// let body = b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n";
/// let all = audiences(&RobotsTxt::parse(body));
/// assert_eq!(all[0].names, ["GPTBot", "CCBot"]);
/// assert!(all[1].names.is_empty() && all[1].has_others);
/// ```
#[must_use]
pub fn audiences(robots: &RobotsTxt<'_>) -> Vec<Audience> {
    let mut index = NameIndex::new(robots);
    let of_star = std::mem::take(&mut index.of_star);
    let mut at: BTreeMap<Vec<GroupId>, usize> = BTreeMap::new();
    let mut audiences: Vec<Audience> = Vec::new();
    for (_, Named { name, groups, .. }) in index.into_names() {
        let number = *at.entry(groups.clone()).or_insert(audiences.len());
        if number == audiences.len() {
            audiences.push(Audience { names: Vec::new(), has_others: false, groups });
        }
        audiences[number].names.push(name);
    }
    for audience in &mut audiences {
        drop_repeated(&mut audience.names);
    }
    match at.get(&of_star) {
        // Groups that name all the agents of an audience and `*`.
        Some(&index) => {
            let mut audience = audiences.remove(index);
            audience.has_others = true;
            audiences.push(audience);
        }
        None => audiences.push(Audience { names: Vec::new(), has_others: true, groups: of_star }),
    }
    audiences
}

/// Drops names that are there twice, and those that are only the product token of another: `MJ` beside `MJ12bot`.
pub(crate) fn drop_repeated(names: &mut Vec<String>) {
    let token = |name: &String| {
        let end = name.find(|char: char| !(char.is_ascii_alphabetic() || matches!(char, '-' | '_')))?;
        Some(name[..end].to_owned())
    };
    let mut seen: BTreeSet<String> = names.iter().filter_map(token).small_collect();
    names.retain(|name| seen.insert(name.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_compiler::{Crawler, Dialect};

    const FILE: &[u8] = b"User-agent: FooBot\nUser-agent: MJ12bot\nDisallow: /0\n\
        User-agent: *\nUser-agent: Star\nDisallow: /1\n\
        User-agent: foobot/2.1\nUser-agent: BarBot\nDisallow: /2\n";

    #[test]
    fn agents_with_the_same_groups_are_together() {
        let robots = RobotsTxt::parse(FILE);
        let shown = |audience: &Audience| {
            let groups: Vec<u32> = audience.groups.iter().map(|id| id.0).collect();
            (audience.names.join(" "), audience.has_others, groups)
        };
        let wanted = [
            ("FooBot".to_owned(), false, vec![0, 2]),
            ("MJ12bot".to_owned(), false, vec![0]),
            ("BarBot".to_owned(), false, vec![2]),
            ("Star".to_owned(), true, vec![1]),
        ];
        assert_eq!(audiences(&robots).iter().map(shown).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn every_name_selects_the_groups_of_its_audience() {
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(FILE, dialect);
            let all = audiences(&robots);
            for audience in &all {
                for name in &audience.names {
                    let selection = robots.select(&Crawler::new(name).expect("a name"));
                    assert_eq!(selection.groups, audience.groups, "{} {name}", dialect.name);
                }
                if audience.has_others {
                    assert_eq!(robots.select(&Crawler::others()).groups, audience.groups);
                }
            }
        }
    }

    #[test]
    fn a_file_without_groups_has_the_others() {
        let all = audiences(&RobotsTxt::parse(b""));
        assert_eq!(all, [Audience { names: vec![], has_others: true, groups: vec![] }]);
    }
}
