//! The names of a file and the groups that each obeys, in an index.
//!
//! `RobotsTxt::select` looks at every `User-agent` line of a file. A file can have thousands of names, so questions
//! about all of them look the names up here.

use std::collections::BTreeMap;

use robotsc_compiler::small_sort::SmallSort as _;
use robotsc_compiler::{AgentMatch, AgentName, GroupId, RobotsTxt};
use robotsc_runtime::{WRITTEN_KEY, look_up};

/// The names of a file.
#[derive(Debug)]
pub(crate) struct NameIndex {
    /// By the keys that `robotsc_runtime` describes in its module `agent`.
    of_key: BTreeMap<Vec<u8>, Named>,
    /// The groups for `*`.
    pub(crate) of_star: Vec<GroupId>,
    agent_match: AgentMatch,
}

/// A name of a file.
#[derive(Debug)]
pub(crate) struct Named {
    /// When it was first seen.
    order: usize,
    /// The name, as first written in the file.
    pub(crate) name: String,
    /// The groups that name it.
    pub(crate) groups: Vec<GroupId>,
}

impl NameIndex {
    /// Reads the names of a file. Cost: n log n in the `User-agent` lines.
    pub(crate) fn new(robots: &RobotsTxt<'_>) -> Self {
        // A name of the file is the longest of its own prefixes, so that under every dialect it obeys just the groups
        // that name it.
        let mut of_key: BTreeMap<Vec<u8>, Named> = BTreeMap::new();
        let mut of_star: Vec<GroupId> = Vec::new();
        let mut order = 0;
        for (id, group) in (0..).map(GroupId).zip(robots.groups()) {
            for agent in robots.agents_of(group) {
                if agent.is_star && of_star.last() != Some(&id) {
                    of_star.push(id);
                }
                for key in robots.agent_keys(agent) {
                    let shown = || shown(&key, agent.written(robots.body()), agent.token.of(robots.body()));
                    order += 1;
                    let named =
                        of_key.entry(key.clone()).or_insert_with(|| Named { order, name: shown(), groups: vec![] });
                    if named.groups.last() != Some(&id) {
                        named.groups.push(id);
                    }
                }
            }
        }
        Self { of_key, of_star, agent_match: robots.dialect().agent_match }
    }

    /// Returns the names with their keys, in the order of their first lines.
    pub(crate) fn into_names(self) -> Vec<(Vec<u8>, Named)> {
        let mut names: Vec<_> = self.of_key.into_iter().collect();
        names.small_sort_unstable_by_key(|(_, named)| named.order);
        names
    }

    /// Returns the names with their keys, in the order of their first lines.
    pub(crate) fn names(&self) -> Vec<(&[u8], &Named)> {
        let mut names: Vec<_> = self.of_key.iter().map(|(key, named)| (key.as_slice(), named)).collect();
        names.small_sort_unstable_by_key(|(_, named)| named.order);
        names
    }

    /// Returns the groups that name an agent, as `RobotsTxt::select` finds them; `None` if no group does.
    pub(crate) fn groups_naming(&self, name: AgentName<'_>) -> Option<&[GroupId]> {
        look_up(name, self.agent_match, |wanted| {
            let mark = wanted.is_written().then_some(WRITTEN_KEY);
            let key: Vec<u8> = mark.into_iter().chain(wanted.name().iter().map(u8::to_ascii_lowercase)).collect();
            self.of_key.get(&key).map(|named| named.groups.as_slice())
        })
    }
}

/// Returns the spelling of a key in the file: its product token, or the value as written.
fn shown(key: &[u8], written: &[u8], token: &[u8]) -> String {
    let is_of = |text: &[u8]| AgentName::of_group(text).is_ok_and(|_| key.eq_ignore_ascii_case(text));
    let text = if is_of(token) { token } else { written };
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_compiler::{Crawler, Dialect, SelectionReason};

    #[test]
    fn names_are_found_as_select_finds_them() {
        let body =
            b"User-agent: Foo\nDisallow: /0\nUser-agent: FooBot-Image/2\nUser-agent: MJ12bot/1.4\nDisallow: /1\n\
            User-agent: *\nUser-agent: fOO x\nDisallow: /2\nUser-agent: archive.org_bot\nUser-agent: b\xC3\xB6t\n";
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(body, dialect);
            let index = NameIndex::new(&robots);
            for name in [
                "foo",
                "FOOBOT",
                "FooBot-Image",
                "FooBot-Images",
                "FooBot-Image-x",
                "foo-x",
                "MJ",
                "mj12BOT",
                "MJ12bots",
                "archive",
                "archive.org_bot",
                "Archive.org_bot-x",
                "b\u{f6}t",
                "b",
                "foo2",
                "none",
            ] {
                let crawler = Crawler::new(name).expect("a name");
                let selection = robots.select(&crawler);
                let found = index.groups_naming(AgentName::new(name).expect("a name"));
                let is_named = matches!(selection.reason, SelectionReason::Named(_));
                assert_eq!(found, is_named.then_some(&*selection.groups), "{} {name}", dialect.name);
            }
            assert_eq!(index.of_star, robots.select(&Crawler::others()).groups);
        }
    }
}
