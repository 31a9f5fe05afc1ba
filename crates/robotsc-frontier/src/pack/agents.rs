//! The agents that a pack answers for, and how its settings write them.
//!
//! ```text
//! foobot                              a name
//! googlebot-image, else googlebot     names in order
//! adsbot-google, by name only         groups for `*` do not count
//! ```

use std::borrow::Borrow;

use robotsc_compiler::{AgentName, Crawler, CrawlerKind};

use super::PackError;
use super::error::PackErrorKind;

/// Stands between the names of a chain.
const ELSE: &str = ", else ";
/// Ends a crawler that obeys only groups that name it.
const BY_NAME_ONLY: &str = ", by name only";
/// The maximum length of a crawler, in bytes: a byte holds it.
const MAX_BYTES: usize = 255;

/// The agents that a pack answers for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackAgents {
    /// Every agent: those that a file names, and `*` for all others. The largest.
    All,
    /// Some crawlers, in lower case, sorted, each once: `foobot`, `googlebot-image, else googlebot`,
    /// `adsbot-google, by name only`.
    Some(Vec<String>),
}

impl PackAgents {
    /// Returns a list of product tokens, which can be in any case and order. Each stands for the name alone, whatever
    /// its operator documents; for known crawlers see [`of`](Self::of), whose texts are accepted, too.
    ///
    /// The tokens are not checked here: if one is no name, [`PackBuilder::new`](super::PackBuilder::new) returns an
    /// error.
    pub fn only<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>) -> Self {
        let mut tokens: Vec<String> = tokens.into_iter().map(|token| token.as_ref().to_ascii_lowercase()).collect();
        tokens.sort_unstable();
        tokens.dedup();
        Self::Some(tokens)
    }

    /// Returns a list of crawlers: names, chains of names, and crawlers that obey [only groups that name
    /// them](Crawler::named_only). [`Pack::crawler`](super::Pack::crawler) finds each as it was given.
    ///
    /// # Errors
    /// [`PackError`] if a crawler pools groups or has no name, or if its names have more than 255 bytes together.
    ///
    /// ```
    /// use robotsc::Crawler;
    /// use robotsc::pack::PackAgents;
    ///
    /// let image = Crawler::chain(["FooBot-Image", "FooBot"])?;
    /// let ads = Crawler::new("FooBot-Ads")?.named_only();
    /// let agents = PackAgents::of([&image, &ads])?;
    /// let texts = ["foobot-ads, by name only", "foobot-image, else foobot"];
    /// assert_eq!(agents, PackAgents::Some(texts.map(str::to_owned).to_vec()));
    /// assert_eq!(agents.crawlers().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<C: Borrow<Crawler>>(crawlers: impl IntoIterator<Item = C>) -> Result<Self, PackError> {
        let texts = crawlers.into_iter().map(|crawler| {
            let crawler = crawler.borrow();
            to_text(crawler).ok_or_else(|| {
                let what = match crawler.kind() {
                    CrawlerKind::Others => "a pack for some agents answers for names: build it for all",
                    _ => "a pack for some agents answers for names and chains of at most 255 bytes: build it for all",
                };
                PackError::from(PackErrorKind::Agents(format!("{crawler}: {what}")))
            })
        });
        texts.collect::<Result<Vec<_>, _>>().map(Self::only)
    }

    /// Returns the crawlers of a pack for some agents, in the order of their texts; none for all agents.
    #[must_use]
    pub fn crawlers(&self) -> Vec<Crawler> {
        match self {
            Self::All => Vec::new(),
            Self::Some(texts) => texts.iter().filter_map(|text| parse(text).ok()).collect(),
        }
    }
}

/// Returns a crawler as the settings write it; `None` if a pack for some agents cannot answer for it.
pub(crate) fn to_text(crawler: &Crawler) -> Option<String> {
    let is_pool = crawler.kind() == CrawlerKind::Pool && crawler.names().len() > 1;
    if is_pool || crawler.kind() == CrawlerKind::Others {
        return None;
    }
    let names = crawler.names().map(|name| str::from_utf8(name.as_bytes()).ok().map(str::to_ascii_lowercase));
    let mut text = names.collect::<Option<Vec<String>>>()?.join(ELSE);
    if crawler.is_named_only() {
        text.push_str(BY_NAME_ONLY);
    }
    (text.len() <= MAX_BYTES).then_some(text)
}

/// Returns the crawler that the settings write so.
///
/// # Errors
/// Says what is wrong.
pub(crate) fn parse(text: &str) -> Result<Crawler, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    let (names, is_named_only) = match text.strip_suffix(BY_NAME_ONLY) {
        Some(names) => (names, true),
        None => (text, false),
    };
    let names = names.split(ELSE).map(AgentName::new).collect::<Result<Vec<_>, _>>();
    let names = names.map_err(|error| error.to_string())?;
    let crawler = match names.as_slice() {
        [name] => Crawler::from(*name),
        names => Crawler::chain_of(names.iter().copied()),
    };
    Ok(if is_named_only { crawler.named_only() } else { crawler })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawlers_come_back() {
        for text in
            ["foobot", "foobot-image, else foobot", "foobot-ads, by name only", "a, else b, else c, by name only"]
        {
            let crawler = parse(text).expect("a crawler");
            assert_eq!(to_text(&crawler).as_deref(), Some(text));
            assert_eq!(PackAgents::of([&crawler]).expect("a list").crawlers(), [crawler]);
        }
        for text in ["", "foo bot", "foobot, else", "foobot, else ", ", by name only", "a, by name only, else b", "*"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_list_cannot_answer_for_is_refused() {
        let pool = Crawler::pool(["FooBot", "BarBot"]).expect("names");
        let long = Crawler::new("a".repeat(256)).expect("a name");
        for crawler in [pool, long, Crawler::others()] {
            assert!(PackAgents::of([&crawler]).is_err(), "{crawler}");
        }
    }
}
