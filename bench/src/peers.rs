//! The peers, each with the calls that its documentation gives for parsing once and asking often.

use std::borrow::Cow;

use futures_util::FutureExt as _;

use crate::engine::{Engine, EngineKind};
use crate::split::{google_path, slice_path};

/// texting_robots: a regular expression for each rule.
pub(crate) enum TextingRobots {}

impl Engine for TextingRobots {
    const NAME: &'static str = "texting_robots";
    const KIND: EngineKind = EngineKind::Peer;
    type Ready = texting_robots::Robot;
    type Walk<'r> = &'r texting_robots::Robot;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        texting_robots::Robot::new(agent, body).ok()
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        walk.allowed(path)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        walk.allowed(url)
    }
}

/// robotxt: rules sorted, scanned until the first that matches.
pub(crate) enum Robotxt {}

impl Engine for Robotxt {
    const NAME: &'static str = "robotxt";
    const KIND: EngineKind = EngineKind::Peer;
    type Ready = robotxt::Robots;
    type Walk<'r> = &'r robotxt::Robots;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        Some(robotxt::Robots::parse(body, agent))
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        walk.is_allowed(path)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        url::Url::parse(url).is_ok_and(|url| walk.is_url_allowed(&url))
    }

    fn store(ready: &Self::Ready) -> Option<Vec<u8>> {
        bincode::serialize(ready).ok()
    }

    fn load(stored: &[u8]) -> bool {
        bincode::deserialize::<Self::Ready>(stored).is_ok()
    }
}

/// robotstxt: a port of google/robotstxt that parses the file for each URL.
pub(crate) enum Robotstxt {}

/// A file as text, and who asks.
#[derive(Debug)]
pub(crate) struct Text {
    body: Cow<'static, str>,
    agent: String,
}

impl Engine for Robotstxt {
    const NAME: &'static str = "robotstxt";
    const KIND: EngineKind = EngineKind::WrongPeer;
    const EVERY: usize = 20;
    const TAKES_PATH: bool = false;
    type Ready = Text;
    type Walk<'r> = &'r Text;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        Some(Text { body: String::from_utf8_lossy(body), agent: agent.to_owned() })
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        Self::url(walk, path)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(&walk.body, &walk.agent, url)
    }
}

/// cylon: one automaton for all rules, walked with sets of states.
pub(crate) enum Cylon {}

impl Engine for Cylon {
    const NAME: &'static str = "cylon";
    const KIND: EngineKind = EngineKind::WrongPeer;
    type Ready = cylon::Cylon;
    type Walk<'r> = &'r cylon::Cylon;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        // Reading from a slice never waits.
        cylon::Compiler::new(agent).compile(body).now_or_never()?.ok()
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        walk.allow(path)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        walk.allow(slice_path(url.as_bytes()))
    }

    fn store(ready: &Self::Ready) -> Option<Vec<u8>> {
        bincode::serialize(ready).ok()
    }

    fn load(stored: &[u8]) -> bool {
        bincode::deserialize::<Self::Ready>(stored).is_ok()
    }
}

/// fast-robots, as it parses: every rule of the groups is tried.
pub(crate) enum FastRobots {}

/// fast-robots, indexed: a trie of literal prefixes for each group.
pub(crate) enum FastRobotsIndexed {}

/// A parsed file and the agent.
#[derive(Debug)]
pub(crate) struct Groups {
    robots: fast_robots::RobotsTxt<'static>,
    agent: String,
}

type FastMatcher<'r> = fast_robots::RobotsMatcher<'r>;

self_cell::self_cell!(
    /// A parsed file, the index that borrows it, and the agent.
    pub(crate) struct Indexed {
        owner: Groups,
        #[covariant]
        dependent: FastMatcher,
    }
);

impl Engine for FastRobots {
    const NAME: &'static str = "fast-robots";
    const KIND: EngineKind = EngineKind::Peer;
    type Ready = Groups;
    type Walk<'r> = &'r Groups;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        let robots = fast_robots::RobotsTxt::parse_bytes(body).ok()?;
        Some(Groups { robots, agent: agent.to_owned() })
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        walk.robots.is_allowed(&walk.agent, path)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        Self::path(walk, &google_path(url))
    }
}

impl Engine for FastRobotsIndexed {
    const NAME: &'static str = "fast-robots-indexed";
    const KIND: EngineKind = EngineKind::Peer;
    type Ready = Indexed;
    type Walk<'r> = (&'r FastMatcher<'r>, &'r str);

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        Some(Indexed::new(FastRobots::prepare(body, agent)?, |groups| groups.robots.matcher()))
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        (ready.borrow_dependent(), &ready.borrow_owner().agent)
    }

    fn path((matcher, agent): &Self::Walk<'_>, path: &str) -> bool {
        matcher.is_allowed(agent, path)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        Self::path(walk, &google_path(url))
    }
}

/// robots_txt: prefixes only, first match; a floor for scanning prefixes, not a rival.
pub(crate) enum RobotsTxtCrate {}

/// A parsed file and who asks.
#[derive(Debug)]
pub(crate) struct Sections {
    robots: robots_txt::Robots<'static>,
    agent: String,
}

impl Engine for RobotsTxtCrate {
    const NAME: &'static str = "robots_txt";
    const KIND: EngineKind = EngineKind::WrongPeer;
    type Ready = Sections;
    type Walk<'r> = robots_txt::matcher::SimpleMatcher<'r>;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        let text: &'static str = match String::from_utf8_lossy(body) {
            Cow::Borrowed(text) => text,
            // The parsed form borrows its text. Few files are not UTF-8, so what is lost here is little.
            Cow::Owned(text) => text.leak(),
        };
        let sections = Sections { robots: robots_txt::Robots::from_str_lossy(text), agent: agent.to_owned() };
        Self::walk(&sections);
        Some(sections)
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        robots_txt::matcher::SimpleMatcher::new(&ready.robots.choose_section(&ready.agent).rules)
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        walk.check_path(path)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        walk.check_path(&google_path(url))
    }
}
