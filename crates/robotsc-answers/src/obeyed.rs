//! Which crawlers obey which groups of a robots.txt.

use robotsc::agent::{CrawlerKind, SelectionReason};
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
        let mut all = Vec::new();
        if !agents.is_empty() {
            for agent in agents {
                let crawler = agent.crawler(robots)?;
                let names = if crawler.kind() == CrawlerKind::Others { Vec::new() } else { vec![agent.name()] };
                Self::add(&mut all, robots, &crawler, names);
            }
            return Ok(all);
        }
        let mut add = |name: &[u8]| {
            let raw = |_| Crawler::raw(vec![name.to_vec()]);
            let crawler = AgentName::of_group(name).map_or_else(raw, Crawler::from);
            Self::add(&mut all, robots, &crawler, vec![shown::bytes(name)]);
        };
        for line in robots.agents() {
            let (token, written) = (line.token.of(robots.body()), line.written(robots.body()));
            // A name beyond RFC 9309 finds the value as it is written, and not its start.
            if AgentName::of_group(written).is_ok_and(|name| !name.is_product_token()) {
                add(written);
            }
            if !token.is_empty() && !line.is_star {
                add(token);
            }
        }
        if robots.agents().iter().any(|line| line.is_star) {
            Self::add(&mut all, robots, &Crawler::others(), Vec::new());
        }
        Ok(all)
    }

    fn add(all: &mut Vec<Self>, robots: &RobotsTxt<'_>, crawler: &Crawler, agents: Vec<String>) {
        let selection = robots.select(crawler);
        let is_named = matches!(selection.reason, SelectionReason::Named(_));
        let same = |obeyed: &&mut Self| is_named && obeyed.groups == selection.groups;
        if let Some(obeyed) = all.iter_mut().find(same) {
            if !agents.iter().all(|name| obeyed.agents.iter().any(|known| known.eq_ignore_ascii_case(name))) {
                obeyed.agents.extend(agents);
            }
            return;
        }
        let crawl_delay = robots.crawl_delays(&selection).max().map(|delay| delay.as_secs_f64());
        let rules = robots.rule_set_of(&selection);
        all.push(Self { agents, is_named, groups: selection.groups, rules, crawl_delay });
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
