//! The URLs of a list whose verdict flips.

use std::borrow::Cow;

use robotsc::RobotsTxt;
use robotsc::origin::Origin;
use robotsc_analysis::{Diff, Effect, RuleDiff};
use serde_json::{Map, Value};

use super::json;
use crate::decider::Decider;
use crate::shown;
use crate::url_path::UrlReader;

/// The groups of agents whose rules changed; for all others no URL flips.
#[derive(Debug)]
pub struct Flips<'d> {
    readers: [UrlReader<'d>; 2],
    groups: Vec<Group<'d>>,
}

/// The agents of one change.
#[derive(Debug)]
struct Group<'d> {
    rules: &'d RuleDiff,
    sides: [Decider<'d>; 2],
}

/// A URL whose verdict flips for some agents.
#[derive(Clone, Copy, Debug)]
pub struct Flip<'d> {
    /// The agents, and how their rules changed.
    pub rules: &'d RuleDiff,
    /// Which way the verdict flips.
    pub effect: Effect,
    /// The lines that decide; 0 if no rule does.
    pub lines: [u32; 2],
}

impl<'d> Flips<'d> {
    /// Prepares the groups whose rules changed. URLs are of `site`, if the files are those of one.
    #[must_use]
    pub fn new(diff: &'d Diff, robots: [&'d RobotsTxt<'_>; 2], site: Option<&'d Origin>) -> Self {
        let group = |rules: &'d RuleDiff| {
            let sides = rules.rules.as_ref()?.each_ref().map(|rules| Decider::new(Cow::Borrowed(rules.as_ref())));
            Some(Group { rules, sides })
        };
        let readers = robots.map(|robots| UrlReader { site, ..UrlReader::new(robots.dialect()) });
        Self { readers, groups: diff.rules.iter().filter_map(group).collect() }
    }

    /// Returns the groups for which a URL flips.
    ///
    /// # Errors
    /// If it is no URL.
    pub fn of(&self, url: &[u8]) -> Result<Vec<Flip<'d>>, String> {
        let [old, new] = self.readers.map(|reader| reader.path(url));
        let paths = [old?, new?];
        let mut flips = Vec::new();
        for group in &self.groups {
            let mut is_allowed = [true; 2];
            let mut lines = [0; 2];
            for (side, path) in paths.iter().enumerate() {
                let rule = group.sides[side].rule(path.as_path()).map_err(|error| error.to_string())?;
                is_allowed[side] = rule.is_none_or(|rule| rule.verdict.is_allow());
                lines[side] = rule.map_or(0, |rule| rule.line);
            }
            let effect = match is_allowed {
                [true, false] => Effect::Blocked,
                [false, true] => Effect::Opened,
                _ => continue,
            };
            flips.push(Flip { rules: group.rules, effect, lines });
        }
        Ok(flips)
    }
}

impl Flip<'_> {
    /// Returns the flip of a URL as JSON.
    #[must_use]
    pub fn json(&self, url: &[u8]) -> Map<String, Value> {
        let mut object = json::start("url", Some(&self.rules.agents));
        object.insert("change".to_owned(), json::effect(self.effect).into());
        shown::put(&mut object, "url", url);
        for (name, line) in ["old_line", "new_line"].into_iter().zip(self.lines) {
            object.insert(name.to_owned(), (line > 0).then_some(line).into());
        }
        object
    }
}

/// Returns the number of URLs and of those that flip as JSON.
#[must_use]
pub fn totals(urls: u64, flips: u64) -> Map<String, Value> {
    let mut object = json::start("urls", None);
    object.insert("urls".to_owned(), urls.into());
    object.insert("flips".to_owned(), flips.into());
    object
}
