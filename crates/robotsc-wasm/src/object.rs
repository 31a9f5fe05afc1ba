//! What the caller holds by its address.

#[cfg(feature = "matching")]
use crate::crawler::NamedCrawler;
use crate::mistake::Mistake;
#[cfg(feature = "cache")]
use crate::sites::Sites;

/// An object of the caller.
#[derive(Debug)]
pub(crate) enum Object {
    #[cfg(feature = "matching")]
    Robots(robotsc::RobotsTxt<'static>),
    #[cfg(feature = "matching")]
    Crawler(NamedCrawler),
    #[cfg(feature = "matching")]
    Matcher(robotsc::Matcher),
    #[cfg(feature = "cache")]
    Sites(Box<Sites>),
    /// The bytes of a program, validated.
    Program(Vec<u8>),
}

impl Object {
    #[cfg(feature = "matching")]
    pub(crate) fn robots(&self) -> Result<&robotsc::RobotsTxt<'static>, Mistake> {
        match self {
            Self::Robots(robots) => Ok(robots),
            _ => Err(Mistake::call("the object is no parsed robots.txt")),
        }
    }

    #[cfg(feature = "matching")]
    pub(crate) fn crawler(&self) -> Result<&NamedCrawler, Mistake> {
        match self {
            Self::Crawler(crawler) => Ok(crawler),
            _ => Err(Mistake::call("the object is no crawler")),
        }
    }

    #[cfg(feature = "matching")]
    pub(crate) fn matcher(&self) -> Result<&robotsc::Matcher, Mistake> {
        match self {
            Self::Matcher(matcher) => Ok(matcher),
            _ => Err(Mistake::call("the object is no matcher")),
        }
    }

    #[cfg(feature = "cache")]
    pub(crate) fn sites(&self) -> Result<&Sites, Mistake> {
        match self {
            Self::Sites(sites) => Ok(sites),
            _ => Err(Mistake::call("the object is no cache")),
        }
    }

    pub(crate) fn program(&self) -> Result<&[u8], Mistake> {
        match self {
            Self::Program(bytes) => Ok(bytes),
            #[cfg(feature = "matching")]
            _ => Err(Mistake::call("the object is no program")),
        }
    }
}

/// What a call answers.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A number, which is not negative.
    Number(i32),
    /// Bytes, which belong to the caller from then on.
    #[cfg(any(feature = "matching", feature = "page"))]
    Bytes(Vec<u8>),
    /// An object, which belongs to the caller from then on.
    Object(Object),
}

impl From<bool> for Answer {
    fn from(is_so: bool) -> Self {
        Self::Number(is_so.into())
    }
}
