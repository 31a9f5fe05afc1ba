//! Which crawlers obey which groups of a robots.txt.

use std::collections::{BTreeMap, BTreeSet};

use robotsc::agent::{CrawlerKind, Selection, SelectionReason};
use robotsc::robots_txt::GroupId;
use robotsc::{AgentName, Crawler, RobotsTxt, RuleSet};

use crate::identity::Identity;
use crate::mistake::Mistake;
use crate::shown;

/// Crawlers that obey the same groups.
#[derive(Debug)]
pub struct Obeyed {
    /// Their names; empty for crawlers that no group names.
    pub agents: Vec<String>,
    /// Whether a group names them.
    pub is_named: bool,
    /// The groups, in the order of the file.
    pub groups: Vec<GroupId>,
    /// The rules of the groups, ranked.
    pub rules: RuleSet,
    /// Seconds; the longest of the groups, as the library and packs take it.
    pub crawl_delay: Option<f64>,
}

impl Obeyed {
    /// Returns the crawlers that a file names, in its order, and then those that it does not name; or, if any `agents`
    /// are given, these only.
    ///
    /// # Errors
    /// If one of the agents has no usable name.
    pub fn all(robots: &RobotsTxt<'_>, agents: &[Identity]) -> Result<Vec<Self>, Mistake> {
        let mut found = Found::new(robots);
        for agent in agents {
            let crawler = agent.crawler(robots)?;
            let name = (crawler.kind() != CrawlerKind::Others).then(|| agent.name());
            found.add(robots.select(&crawler), name);
        }
        if !agents.is_empty() {
            return Ok(found.all);
        }
        // To look each name up in all lines would take the square of a long file.
        let (of_key, _) = robots.groups_by_key();
        let named = |key: Option<&Vec<u8>>| {
            let groups = of_key.get(key?)?.clone();
            Some(Selection { groups, reason: SelectionReason::Named(Vec::new()) })
        };
        for line in robots.agents() {
            let (token, written) = (line.token.of(robots.body()), line.written(robots.body()));
            let keys: Vec<Vec<u8>> = robots.agent_keys(line).collect();
            // A name beyond RFC 9309 finds the value as it is written, and not its start.
            if AgentName::of_group(written).is_ok_and(|name| !name.is_product_token())
                && let Some(selection) = named(keys.last())
            {
                found.add(selection, Some(shown::bytes(written)));
            }
            if !token.is_empty() && !line.is_star {
                // What is no name of a crawler has no key.
                let key = keys.first().filter(|_| AgentName::of_group(token).is_ok());
                let selection = named(key).unwrap_or_else(|| robots.select(&Crawler::raw(vec![token.to_vec()])));
                found.add(selection, Some(shown::bytes(token)));
            }
        }
        if robots.agents().iter().any(|line| line.is_star) {
            found.add(robots.select(&Crawler::others()), None);
        }
        Ok(found.all)
    }

    /// Returns who obeys, with at most `limit` names.
    pub fn who(&self, limit: usize) -> String {
        let mut who = match self.agents.as_slice() {
            [] => "crawlers that no group names (`*`)".to_owned(),
            [agent] if !self.is_named => format!("{agent}, which no group names"),
            agents => agents[..agents.len().min(limit)].join(", "),
        };
        if self.agents.len() > limit {
            who.push_str(&format!(" and {} more", self.agents.len() - limit));
        }
        who
    }
}

/// The crawlers that were found so far.
struct Found<'r> {
    robots: &'r RobotsTxt<'r>,
    all: Vec<Obeyed>,
    /// The place in `all` of the crawlers that obey some groups by name.
    places: BTreeMap<Vec<GroupId>, usize>,
    /// The names at each place, in lower case.
    names: BTreeSet<(usize, String)>,
}

impl<'r> Found<'r> {
    const fn new(robots: &'r RobotsTxt<'r>) -> Self {
        Self { robots, all: Vec::new(), places: BTreeMap::new(), names: BTreeSet::new() }
    }

    /// Adds a crawler to those that obey the same groups by name.
    fn add(&mut self, selection: Selection, name: Option<String>) {
        let is_named = matches!(selection.reason, SelectionReason::Named(_));
        let known = self.places.get(&selection.groups).copied().filter(|_| is_named);
        let place = known.unwrap_or(self.all.len());
        if known.is_none() {
            if is_named {
                self.places.insert(selection.groups.clone(), place);
            }
            let crawl_delay = self.robots.crawl_delays(&selection).max().map(|delay| delay.as_secs_f64());
            let rules = self.robots.rule_set_of(&selection);
            self.all.push(Obeyed { agents: Vec::new(), is_named, groups: selection.groups, rules, crawl_delay });
        }
        let Some(name) = name else { return };
        if self.names.insert((place, name.to_ascii_lowercase()))
            && let Some(obeyed) = self.all.get_mut(place)
        {
            obeyed.agents.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use robotsc::Dialect;

    use super::*;

    /// What is found in an index is what each crawler finds.
    #[test]
    fn crawlers_obey_what_they_select() {
        let body = b"User-agent: FooBot/2.1\nDisallow: /0\nUser-agent: *\nDisallow: /1\n\
            User-agent: Foo\nUser-agent: MJ12bot/v1\nUser-agent: 3bot\nDisallow: /2\nUser-agent: foobot\nDisallow: /3\n\
            User-agent: Foo Bot\nUser-agent: *x\nUser-agent:\nUser-agent: mj12BOT\nCrawl-delay: 3\nDisallow: /4\n\
            User-agent: b\xc3\xa4r\nDisallow: /5\n";
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(body, dialect);
            let all = Obeyed::all(&robots, &[]).unwrap();
            let named: Vec<&Obeyed> = all.iter().filter(|obeyed| obeyed.is_named).collect();
            assert!(named.len() > 2, "{}", dialect.name);
            for obeyed in named {
                for name in &obeyed.agents {
                    let crawler = Crawler::from(AgentName::of_group(name.as_bytes()).unwrap());
                    assert_eq!(robots.select(&crawler).groups, obeyed.groups, "{} {name}", dialect.name);
                }
            }
        }
    }

    #[test]
    fn many_groups_take_no_square_of_time() {
        let group = |number: u32| {
            let name: String = number.to_string().bytes().map(|digit| char::from(digit + b'a' - b'0')).collect();
            format!("User-agent: bot{name}\nDisallow: /{number}\n")
        };
        let body: String = (0..30_000).map(group).collect();
        let robots = RobotsTxt::parse(body.as_bytes());
        let started = Instant::now();
        let all = Obeyed::all(&robots, &[]).unwrap();
        let took = started.elapsed();
        assert_eq!(all.len(), robots.groups().len());
        assert!(took < Duration::from_secs(15), "{took:?}");
    }
}
