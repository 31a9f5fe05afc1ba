//! The values that several requests contain: a robots.txt, a dialect, agents, URLs.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use robotsc::Dialect;
use robotsc::origin::Origin;
use serde::Deserialize;

use super::file::File;
use super::limits::Limits;
use super::problem::Problem;
use super::question::Desk;
use crate::body_fault::BodyFault;
use crate::chosen_agent::ChosenAgent;

/// A robots.txt: exactly one of `text`, `base64` and `pack_origin` is there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RobotsForm {
    text: Option<String>,
    base64: Option<String>,
    pack_origin: Option<String>,
    /// The site that the file is of, or a URL of it: those of other sites are mistakes.
    site: Option<String>,
    /// Whether a body counts in which no line is a directive.
    #[serde(default)]
    force: bool,
}

/// What a request asks about.
#[derive(Debug)]
pub enum Robots<'f> {
    /// The bytes of a robots.txt.
    Body(Cow<'f, [u8]>),
    /// An origin of the pack.
    PackOrigin(&'f str),
}

impl RobotsForm {
    /// Returns what the form holds. `pointer` is its place in the request.
    pub fn robots(&self, pointer: &str) -> Result<Robots<'_>, Problem> {
        match (&self.text, &self.base64, &self.pack_origin) {
            (Some(text), None, None) => Ok(Robots::Body(Cow::Borrowed(text.as_bytes()))),
            (None, Some(encoded), None) => {
                let decoded = base64::engine::general_purpose::STANDARD.decode(encoded);
                let decoded = decoded
                    .map_err(|error| Problem::bad("bad base64", error.to_string(), format!("{pointer}/base64")))?;
                Ok(Robots::Body(Cow::Owned(decoded)))
            }
            (None, None, Some(origin)) if self.site.is_none() => Ok(Robots::PackOrigin(origin)),
            (None, None, Some(_)) => Err(Problem::bad(
                "bad robots",
                "`pack_origin` is the site: leave `site` out",
                format!("{pointer}/site"),
            )),
            _ => Err(Problem::bad("bad robots", "give one of `text`, `base64` and `pack_origin`", pointer)),
        }
    }

    /// Returns the site that the file is of, if the request says so. `pointer` is the place of the form in the request.
    pub fn site(&self, pointer: &str) -> Result<Option<Origin>, Problem> {
        let site = self.site.as_deref().map(|site| Origin::of_url(site.as_bytes())).transpose();
        site.map_err(|error| {
            let detail = format_args!("{error}: give a site such as https://shop.example, or a URL of it");
            Problem::bad("bad site", detail, format!("{pointer}/site"))
        })
    }

    /// Returns the robots.txt, parsed, for answers about what it allows. `pointer` is the place of the form in the
    /// request.
    ///
    /// # Errors
    /// If no line of it is a directive, as in an error page, and it is not forced: it would allow everything.
    pub fn parsed(&self, desk: &dyn Desk, dialect: &'static Dialect, pointer: &str) -> Result<Arc<File>, Problem> {
        let file = desk.file(&self.body(pointer)?, dialect);
        match &file.fault {
            Some(BodyFault { what, way_out }) if !self.force => {
                let detail = format_args!("{what}: {way_out}, or say `force`");
                Err(Problem::bad("not a robots.txt", detail, pointer))
            }
            _ => Ok(file),
        }
    }

    /// Returns the bytes of a robots.txt. `pointer` is the place of the form in the request.
    pub fn body(&self, pointer: &str) -> Result<Cow<'_, [u8]>, Problem> {
        match self.robots(pointer)? {
            Robots::Body(body) => Ok(body),
            Robots::PackOrigin(_) => Err(Problem::bad(
                "no lines",
                "a pack holds compiled rules, and this needs the lines of the file: give `text` or `base64`",
                format!("{pointer}/pack_origin"),
            )),
        }
    }
}

/// Returns the dialect of a name, or the default.
pub fn dialect(name: Option<&str>, pointer: &str) -> Result<&'static Dialect, Problem> {
    let Some(name) = name else { return Ok(&Dialect::GOOGLE) };
    Dialect::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
        Problem::bad("bad dialect", format!("there is none of this name: give one of {}", names.join(", ")), pointer)
    })
}

/// Returns the agents of a list of names and purposes: as their operators document them, or as written.
pub fn agents(given: &[String], as_written: bool, limits: &Limits) -> Result<Vec<ChosenAgent>, Problem> {
    let limit = limits.agents;
    if given.is_empty() {
        return Err(Problem::bad("no agent", "name one, such as FooBot, `*` or purpose:search", "/agents"));
    }
    let too_many = || Problem::too_large(format_args!("there are over {limit} agents: ask in parts")).at("/agents");
    if given.len() > limit {
        return Err(too_many());
    }
    let agents = ChosenAgent::all(given, as_written)
        .map_err(|(number, mistake)| Problem::of(&mistake, format!("/agents/{number}")))?;
    if agents.len() > limit { Err(too_many()) } else { Ok(agents) }
}

/// Returns the one agent of a name.
pub fn agent(name: &str, as_written: bool, pointer: &str) -> Result<ChosenAgent, Problem> {
    if name.starts_with("purpose:") || name.starts_with("operator:") {
        return Err(Problem::bad("bad agent", "name one agent, not a purpose or an operator", pointer));
    }
    let one = ChosenAgent::of(name, as_written).map_err(|mistake| Problem::of(&mistake, pointer))?;
    one.into_iter().next().ok_or_else(|| Problem::bad("bad agent", "name one agent", pointer))
}

/// Checks the length of a URL.
pub fn check_url(url: &str, limits: &Limits, pointer: impl Into<String>) -> Result<(), Problem> {
    let limit = limits.url_bytes;
    if url.len() <= limit {
        Ok(())
    } else {
        Err(Problem::too_large(format_args!("the URL is over {limit} bytes")).at(pointer))
    }
}

/// Checks the number and the length of URLs, and how many answers there would be. `way_out` is what to do with more.
pub fn check_urls(urls: &[String], agents: usize, limits: &Limits, way_out: &str) -> Result<(), Problem> {
    if urls.is_empty() {
        return Err(Problem::bad("no url", "give a URL, or a path that starts with `/`", "/urls"));
    }
    if urls.len() > limits.urls {
        return Err(Problem::too_large(format_args!("there are over {} URLs: {way_out}", limits.urls)).at("/urls"));
    }
    if urls.len().saturating_mul(agents) > limits.answers {
        let detail = format_args!("URLs times agents are over {}: {way_out}", limits.answers);
        return Err(Problem::too_large(detail).at("/urls"));
    }
    urls.iter().enumerate().try_for_each(|(number, url)| check_url(url, limits, format!("/urls/{number}")))
}
