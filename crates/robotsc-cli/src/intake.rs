//! From a URL on the command line to the path that rules are matched against.

use std::borrow::Cow;

use robotsc::{Crawler, Dialect, RobotsTxt};

/// How URLs are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intake {
    /// The dialect whose form the path gets.
    pub(crate) dialect: &'static Dialect,
    /// Take any octets as google/robotstxt does, and escape nothing.
    pub(crate) raw: bool,
}

impl Intake {
    /// The path to match, or why the URL has none.
    pub(crate) fn path(self, url: &[u8]) -> Result<Vec<u8>, String> {
        let start = url.windows(3).position(|w| w == b"://").map_or(0, |at| at + 3);
        let path: Cow<'_, [u8]> = Cow::Borrowed(&url[start..]);
        let at = path.iter().position(|o| *o == b'/').ok_or_else(|| format!("not hierarchical {}", self.raw))?;
        Ok(path[at..].to_vec())
    }
}

/// The crawler of a header.
pub(crate) fn crawler_of_header(_robots: &RobotsTxt<'_>, header: &[u8]) -> Crawler {
    Crawler::token(header)
}
