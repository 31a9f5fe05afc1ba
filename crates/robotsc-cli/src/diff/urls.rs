//! The URLs of a list whose verdict flips.

use std::borrow::Cow;
use std::io::Write;

use robotsc::RobotsTxt;
use robotsc_analysis::{Diff, Effect, RuleDiff};

use super::json;
use super::words::Words;
use crate::decider::Decider;
use crate::failure::{Failure, complain};
use crate::output;
use crate::shown;
use crate::url_path::UrlReader;
use crate::urls::Urls;

/// A run over a list of URLs.
pub(super) struct Flips<'d> {
    readers: [UrlReader<'d>; 2],
    groups: Vec<Group<'d>>,
    urls: Urls,
    counts: Counts,
}

/// The agents of one change.
struct Group<'d> {
    rules: &'d RuleDiff,
    sides: [Decider<'d>; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    urls: u64,
    flips: u64,
    problems: u64,
}

/// A URL whose verdict flips for some agents.
struct Flip<'d> {
    rules: &'d RuleDiff,
    effect: Effect,
    /// The lines that decide; 0 if no rule does.
    lines: [u32; 2],
}

impl<'d> Flips<'d> {
    /// Prepares the groups whose rules changed; for all others no URL flips.
    pub(super) fn new(diff: &'d Diff, robots: [&'d RobotsTxt<'_>; 2], urls: Urls) -> Self {
        let group = |rules: &'d RuleDiff| {
            let sides = rules.rules.as_ref()?.each_ref().map(|rules| Decider::new(Cow::Borrowed(rules)));
            Some(Group { rules, sides })
        };
        let readers = robots.map(|robots| UrlReader { dialect: robots.dialect(), raw: false });
        Self { readers, groups: diff.rules.iter().filter_map(group).collect(), urls, counts: Counts::default() }
    }

    /// Writes the URLs that flip. Returns whether all could be read.
    pub(super) fn write(mut self, out: &mut dyn Write, words: &Words) -> Result<bool, Failure> {
        let mut is_first = true;
        let is_complete = self.run(out, |out, url, flip| {
            if is_first {
                writeln!(out, "URLs that flip")?;
                is_first = false;
            }
            let sign = if flip.effect == Effect::Blocked { '-' } else { '+' };
            let line = |line| if line == 0 { "no line".to_owned() } else { format!("line {line}") };
            let [old, new] = flip.lines.map(line);
            let who = words.who(&flip.rules.agents);
            Ok(writeln!(out, "  {sign} {}: {who} ({old}, then {new})", shown::bytes(url))?)
        })?;
        let Counts { urls, flips, .. } = self.counts;
        writeln!(out, "{flips} of {urls} URL{} flip{}", plural(urls), if flips == 1 { "s" } else { "" })?;
        Ok(is_complete)
    }

    /// Writes the URLs that flip as JSON Lines. Returns whether all could be read.
    pub(super) fn write_json(mut self, out: &mut dyn Write) -> Result<bool, Failure> {
        let is_complete = self.run(out, |out, url, flip| {
            let mut object = json::start("url", Some(&flip.rules.agents));
            object.insert("change".to_owned(), json::effect(flip.effect).into());
            shown::put(&mut object, "url", url);
            for (name, line) in ["old_line", "new_line"].into_iter().zip(flip.lines) {
                object.insert(name.to_owned(), (line > 0).then_some(line).into());
            }
            output::json_line(out, &object)
        })?;
        let mut object = json::start("urls", None);
        for (name, count) in [("urls", self.counts.urls), ("flips", self.counts.flips)] {
            object.insert(name.to_owned(), count.into());
        }
        output::json_line(out, &object)?;
        Ok(is_complete)
    }

    fn run(
        &mut self,
        out: &mut dyn Write,
        mut found: impl FnMut(&mut dyn Write, &[u8], &Flip<'d>) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        while self.urls.advance()? {
            self.counts.urls += 1;
            let flips = match self.flips() {
                Ok(flips) => flips,
                Err(reason) => {
                    self.counts.problems += 1;
                    let problem = self.urls.problem(reason);
                    complain(&format!("bad URL: {problem}"));
                    continue;
                }
            };
            self.counts.flips += u64::from(!flips.is_empty());
            for flip in &flips {
                found(out, self.urls.line(), flip)?;
            }
        }
        if self.counts.urls == 0 {
            return Err(Failure::new("no URL: --urls: the lists are empty: give a file with one URL on each line"));
        }
        Ok(self.counts.problems == 0)
    }

    /// Returns the groups for which the URL flips.
    fn flips(&self) -> Result<Vec<Flip<'d>>, String> {
        let url = self.urls.url()?;
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

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
