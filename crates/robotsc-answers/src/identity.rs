//! How a crawler identifies itself: by a product token, by several, or by a whole `User-Agent` header.

use robotsc::agent::HeaderNames;
use robotsc::bundled::{self, DocumentedCrawler};
use robotsc::{AgentName, Crawler, RobotsTxt};

use crate::known_agent::{doubt, is_named};
use crate::mistake::Mistake;
use crate::shown;

/// How a crawler identifies itself, before the file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// By one product token. A known crawler obeys what its operator documents: see [`bundled::crawler`].
    Token(String),
    /// By one product token alone, whatever the operator of that crawler documents.
    Written(String),
    /// By several product tokens in order: the first that a group names decides. The list is the caller's: what
    /// operators document does not add to it.
    Chain(Vec<String>),
    /// By several product tokens at once: it obeys the groups of all of them, and no others.
    Pool(Vec<String>),
    /// By a whole `User-Agent` header, which is searched for the tokens of the file. If none is in it, the first known
    /// crawler in it counts, as its operator documents it.
    Header(String),
}

impl Identity {
    /// Returns the identity of one product token: as its operator documents it, or as written.
    #[must_use]
    pub fn token(name: impl Into<String>, as_written: bool) -> Self {
        if as_written { Self::Written(name.into()) } else { Self::Token(name.into()) }
    }

    /// Returns the name that rows show: that of a known crawler as its operator spells it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Token(name) => bundled::agent(name).map_or(name.as_str(), |known| known.token).to_owned(),
            Self::Written(name) | Self::Header(name) => name.clone(),
            Self::Chain(tokens) | Self::Pool(tokens) => tokens.join(","),
        }
    }

    /// Returns the crawler for a file: the one place that decides whether the register counts. A header stands for all
    /// tokens of the file that it contains, pooled.
    ///
    /// # Errors
    /// If a name is none, or the tokens of the file cannot be searched for.
    pub fn crawler(&self, robots: &RobotsTxt<'_>) -> Result<Crawler, Mistake> {
        let Self::Header(header) = self else { return self.named_crawler() };
        let known = HeaderNames::of(robots).map_err(|error| Mistake::new("cannot use --header", error))?;
        Ok(match (known.find(header.as_bytes()).next(), documented_of_header(header)) {
            (None, Some(documented)) => documented.into(),
            _ => known.crawler(header.as_bytes()),
        })
    }

    /// Returns the crawler whatever the file is. That of a header without the tokens of a file is the first known
    /// crawler in it.
    ///
    /// # Errors
    /// If a name is none, or a header has no known crawler.
    pub fn named_crawler(&self) -> Result<Crawler, Mistake> {
        for name in self.names() {
            agent_name(name)?;
        }
        let crawler = match self {
            Self::Token(name) | Self::Written(name) if name == OTHERS => Ok(Crawler::others()),
            Self::Token(name) => bundled::crawler(name).map(Crawler::from),
            Self::Written(name) => Crawler::new(name),
            Self::Chain(names) => Crawler::chain(names),
            Self::Pool(names) => Crawler::pool(names),
            Self::Header(header) => {
                let documented = documented_of_header(header).map(Crawler::from);
                return documented.ok_or_else(|| Mistake::new("bad agent", "the header has no known crawler"));
            }
        };
        crawler.map_err(|error| Mistake::new("bad agent", error))
    }

    /// Returns the clause of the register that bears on the answers of a file, if one does: see
    /// [`DocumentedCrawler::clause_for`]. Of a name that is nearly that of a known crawler, it is
    /// whom it was meant for.
    #[must_use]
    pub fn note(&self, robots: &RobotsTxt<'_>) -> Option<String> {
        let doubt = || match self {
            Self::Token(name) if !is_named(robots, name) => {
                doubt(name).map(|doubt| format!("no known crawler: {doubt}"))
            }
            _ => None,
        };
        self.documented().and_then(|known| known.clause_for(robots)).or_else(doubt)
    }

    /// Returns the clause of the register about the crawler, whatever the file.
    #[must_use]
    pub fn clause(&self) -> Option<String> {
        self.documented()?.clause()
    }

    /// Returns the crawler as its operator documents it, if that counts.
    fn documented(&self) -> Option<DocumentedCrawler> {
        match self {
            Self::Token(name) => bundled::crawler(name).ok(),
            Self::Header(header) => documented_of_header(header),
            Self::Written(_) | Self::Chain(_) | Self::Pool(_) => None,
        }
    }

    /// Returns the names to check; a header and `*` are none.
    fn names(&self) -> &[String] {
        match self {
            Self::Token(name) | Self::Written(name) if name == OTHERS => &[],
            Self::Token(name) | Self::Written(name) => std::slice::from_ref(name),
            Self::Chain(names) | Self::Pool(names) => names,
            Self::Header(_) => &[],
        }
    }
}

/// Returns the first known crawler in a header.
fn documented_of_header(header: &str) -> Option<DocumentedCrawler> {
    // The tokens of the register are a constant, which is searched without an error.
    let known = HeaderNames::new(bundled::agents().iter().map(|agent| agent.token)).ok()?;
    let token = known.find(header.as_bytes()).next()?;
    bundled::crawler(str::from_utf8(token).ok()?).ok()
}

/// The name that stands for the crawlers that no group names.
pub const OTHERS: &str = "*";

/// Checks the name of an agent.
///
/// # Errors
/// If it is no agent name, says what to write instead.
pub fn agent_name(name: &str) -> Result<AgentName<'_>, Mistake> {
    AgentName::new(name).map_err(|error| {
        let shown = shown::cut(name.as_bytes(), 120);
        Mistake::new("bad agent", format_args!("'{shown}': {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"User-agent: Googlebot\nDisallow: /images/\n\nUser-agent: *\nDisallow: /tmp/\n";

    #[track_caller]
    fn check(identity: &Identity, is_allowed: [bool; 2], note: Option<&str>) {
        let robots = RobotsTxt::parse(FILE);
        let crawler = identity.crawler(&robots).expect("names");
        let answers = ["/images/1", "/tmp/1"].map(|path| robots.is_allowed(&crawler, path).expect("a path"));
        assert_eq!((answers, identity.note(&robots).as_deref()), (is_allowed, note), "{identity:?}");
    }

    #[test]
    fn the_register_decides_for_tokens_and_headers() {
        let token = |name: &str| Identity::Token(name.to_owned());
        let fallback = Some("Googlebot-Image obeys the groups of Googlebot where none names it");
        let named_only = Some("AdsBot-Google obeys only groups that name it");
        check(&token("Googlebot"), [false, true], None);
        check(&token("googlebot-image"), [false, true], fallback);
        check(&token("AdsBot-Google"), [true, true], named_only);
        check(&token("FooBot"), [true, false], None);
        check(&token("*"), [true, false], None);
        let triggered = "robots.txt does not govern ChatGPT-User, whose requests people trigger: its operator says \
                         that it can ignore the file";
        check(&token("ChatGPT-User"), [true, false], Some(triggered));
        check(&Identity::Header("Googlebot-Image/1.0".to_owned()), [false, true], fallback);
        check(
            &Identity::Header("AdsBot-Google (+http://www.google.com/adsbot.html)".to_owned()),
            [true, true],
            named_only,
        );
        check(&Identity::Header("FooBot/2.1".to_owned()), [true, false], None);
    }

    #[test]
    fn what_the_caller_spells_out_is_taken_as_it_is() {
        for name in ["Googlebot-Image", "AdsBot-Google", "ChatGPT-User"] {
            check(&Identity::Written(name.to_owned()), [true, false], None);
            check(&Identity::Pool(vec![name.to_owned()]), [true, false], None);
            check(&Identity::Chain(vec![name.to_owned(), "FooBot".to_owned()]), [true, false], None);
        }
    }
}
