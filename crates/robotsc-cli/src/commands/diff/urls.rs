//! The URLs of a list whose verdict flips.

use std::io::Write;

use robotsc::RobotsTxt;
use robotsc::origin::Origin;
use robotsc_analysis::words::counted;
use robotsc_analysis::{Diff, Effect};
use robotsc_answers::diff::flips::{self, Flip, Flips};
use robotsc_answers::diff::words::Words;
use robotsc_answers::shown;

use crate::failure::{Failure, complain};
use crate::io::output;
use crate::lists::urls::Urls;

/// A run over a list of URLs.
pub(super) struct UrlList<'d> {
    flips: Flips<'d>,
    urls: Urls,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    urls: u64,
    flips: u64,
    problems: u64,
}

impl<'d> UrlList<'d> {
    /// Prepares a run.
    pub(super) fn new(diff: &'d Diff, robots: [&'d RobotsTxt<'_>; 2], site: Option<&'d Origin>, urls: Urls) -> Self {
        Self { flips: Flips::new(diff, robots, site), urls, counts: Counts::default() }
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
        writeln!(out, "{flips} of {} flip{}", counted(urls, "URL"), if flips == 1 { "s" } else { "" })?;
        Ok(is_complete)
    }

    /// Writes the URLs that flip as JSON Lines. Returns whether all could be read.
    pub(super) fn write_json(mut self, out: &mut dyn Write) -> Result<bool, Failure> {
        let is_complete = self.run(out, |out, url, flip| output::json_line(out, &flip.json(url)))?;
        output::json_line(out, &flips::totals(self.counts.urls, self.counts.flips))?;
        Ok(is_complete)
    }

    fn run(
        &mut self,
        out: &mut dyn Write,
        mut found: impl FnMut(&mut dyn Write, &[u8], &Flip<'d>) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        while self.urls.advance()? {
            self.counts.urls += 1;
            let flips = match self.urls.url().and_then(|url| self.flips.of(url)) {
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
}
