//! Questions about one robots.txt: may this agent fetch this URL, and what else does the file say to it?
//!
//! Each question takes an agent and a URL as a caller has them. What is no agent name and what is no URL is an error,
//! never an answer.

use std::time::Duration;

use robotsc_runtime::AgentError;

use crate::ask::agent::IntoCrawler;
use crate::ask::matcher::Matcher;
use crate::ask::query_error::QueryError;
use crate::dialect::Dialect;
use crate::robots_txt::RobotsTxt;
use crate::url::UrlError;
use crate::url::site_origin::{SiteOrigin, path_of};
use crate::url::url_path::UrlPathBuf;

impl<'a> RobotsTxt<'a> {
    /// Parses the robots.txt of an origin, such as `https://shop.example`. URLs of other origins are errors then.
    ///
    /// # Errors
    /// [`UrlError`] if `origin` is no URL with a host, or its host is not in its ASCII form.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// let robots = RobotsTxt::for_origin("https://shop.example", b"User-agent: *\nDisallow: /cart\n")?;
    /// assert!(!robots.is_allowed("FooBot", "https://Shop.example:443/cart")?);
    /// assert!(robots.is_allowed("FooBot", "http://shop.example/help").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_origin(origin: impl AsRef<[u8]>, body: &'a [u8]) -> Result<Self, UrlError> {
        Self::for_origin_with(origin, body, &Dialect::GOOGLE)
    }

    /// Parses the robots.txt of an origin as a dialect does. See [`RobotsTxt::for_origin`].
    ///
    /// # Errors
    /// As [`RobotsTxt::for_origin`].
    pub fn for_origin_with(origin: impl AsRef<[u8]>, body: &'a [u8], dialect: &Dialect) -> Result<Self, UrlError> {
        let (origin, _) = SiteOrigin::split(dialect, origin.as_ref())?;
        Ok(Self { origin: Some(origin), ..Self::parse_with(body, dialect) })
    }

    /// Reports whether an agent may fetch a URL. To ask often, make a [`matcher`](RobotsTxt::matcher).
    ///
    /// Takes a URL, or a path that starts with one `/`. The agent is a name, or a [`Crawler`](crate::Crawler).
    ///
    /// Cost: ranks the rules of the agent's groups. Never panics.
    ///
    /// # Errors
    /// [`QueryError`] if the agent is no agent name, or the URL has no path on this site.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n");
    /// assert!(robots.is_allowed("FooBot", "https://shop.example/cart/help")?);
    /// assert!(!robots.is_allowed("FooBot", "https://shop.example/cart")?);
    ///
    /// let error = robots.is_allowed("FooBot/1.2", "https://shop.example/").unwrap_err();
    /// assert!(error.to_string().starts_with("an agent name cannot contain '/'"));
    /// assert!(robots.is_allowed("FooBot", "mailto:me@shop.example").is_err());
    /// # Ok::<(), robotsc::QueryError>(())
    /// ```
    pub fn is_allowed(&self, agent: impl IntoCrawler, url: impl AsRef<[u8]>) -> Result<bool, QueryError> {
        let rules = self.rule_set(&agent.into_crawler()?);
        let path = path_of(&self.dialect, self.origin.as_ref(), url.as_ref())?;
        Ok(rules.verdict(path.as_path())?.is_allow())
    }

    /// Returns the path of a URL of this site, as its rules are matched against it: for engines that take a path.
    ///
    /// Takes a URL, or a path that starts with one `/`. Cost: linear in the URL. Never panics.
    ///
    /// # Errors
    /// [`UrlError`] if the URL has no path on this site.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// let robots = RobotsTxt::for_origin("https://shop.example", b"")?;
    /// assert_eq!(robots.url_path("https://shop.example/caf\u{e9}#top")?.as_bytes(), b"/caf%C3%A9");
    /// assert!(robots.url_path("https://other.example/").is_err());
    /// # Ok::<(), robotsc::UrlError>(())
    /// ```
    pub fn url_path<'u>(&self, url: &'u (impl AsRef<[u8]> + ?Sized)) -> Result<UrlPathBuf<'u>, UrlError> {
        path_of(&self.dialect, self.origin.as_ref(), url.as_ref())
    }

    /// Returns a matcher for an agent: it owns what it needs, and answers for any number of URLs.
    ///
    /// Cost: ranks the rules of the agent's groups. Never panics.
    ///
    /// # Errors
    /// [`AgentError`] if the agent is no agent name.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
    /// let matcher = robots.matcher("FooBot")?;
    /// for url in ["https://shop.example/", "https://shop.example/help"] {
    ///     assert!(matcher.is_allowed(url)?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matcher(&self, agent: impl IntoCrawler) -> Result<Matcher, AgentError> {
        let rules = self.rule_set(&agent.into_crawler()?);
        Ok(Matcher::new(self.dialect.clone(), self.origin.clone(), rules))
    }

    /// Returns the longest crawl delay that the file states for an agent; `None` if it states none. Whether crawlers of
    /// the dialect obey it is [`Dialect::crawl_delay_obeyed`].
    ///
    /// # Errors
    /// [`AgentError`] if the agent is no agent name.
    ///
    /// ```
    /// use robotsc::RobotsTxt;
    /// use std::time::Duration;
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 2.5\n");
    /// assert_eq!(robots.crawl_delay("FooBot")?, Some(Duration::from_millis(2_500)));
    /// # Ok::<(), robotsc::AgentError>(())
    /// ```
    pub fn crawl_delay(&self, agent: impl IntoCrawler) -> Result<Option<Duration>, AgentError> {
        Ok(self.crawl_delays(&self.select(&agent.into_crawler()?)).max())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_main_returns_says_what_to_write() {
        let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n");
        for (agent, url, expected) in [
            ("FooBot/2.1", "https://h.example/", "Agent(AgentError(an agent name cannot contain '/'"),
            ("FooBot", "h.example/cart", "Url(UrlError(neither a URL nor a path: write 'https://'"),
        ] {
            let error = robots.is_allowed(agent, url).unwrap_err();
            assert!(format!("{error:?}").starts_with(expected), "{error:?}");
        }
    }
}
