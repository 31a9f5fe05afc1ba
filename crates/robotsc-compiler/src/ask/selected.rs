//! What a file says to a crawler besides rules: the records of the groups that it obeys.

use std::time::Duration;

use crate::ask::agent::Selection;
use crate::parse::record::RecordValue;
use crate::robots_txt::RobotsTxt;

impl RobotsTxt<'_> {
    /// Returns the values of the records in the selected groups, in file order: crawl delays, rates, times and
    /// preferences for the crawler.
    ///
    /// Records whose value cannot be read are skipped. Where several of one kind are stated, the caller chooses.
    pub fn values_for<'s>(&'s self, selection: &'s Selection) -> impl Iterator<Item = RecordValue<'s>> {
        let groups = selection.groups.iter().filter_map(|id| self.groups.get(id.0 as usize));
        groups.flat_map(|group| self.records_of(group)).filter_map(|record| record.value(&self.body))
    }

    /// Returns the crawl delays stated in the selected groups, in file order. Systems differ on which of several holds:
    /// take `.min()`, `.max()` or `.last()`, and set a cap. Whether crawlers of the dialect obey one is
    /// [`Dialect::crawl_delay_obeyed`](crate::Dialect::crawl_delay_obeyed).
    ///
    /// ```
    /// use robotsc::{Crawler, RobotsTxt};
    /// use std::time::Duration;
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 2.5\nCrawl-delay: soon\n");
    /// let selection = robots.select(&Crawler::new("FooBot")?);
    /// let delay = robots.crawl_delays(&selection).max().map(|delay| delay.min(Duration::from_secs(60)));
    /// assert_eq!(delay, Some(Duration::from_millis(2_500)));
    /// # Ok::<(), robotsc::AgentError>(())
    /// ```
    pub fn crawl_delays<'s>(&'s self, selection: &'s Selection) -> impl Iterator<Item = Duration> {
        self.values_for(selection).filter_map(|value| match value {
            RecordValue::CrawlDelay(delay) => Some(delay),
            _ => None,
        })
    }
}
