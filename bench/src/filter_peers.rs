//! The peers that URLs are filtered with.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::arguments::Arguments;
use crate::filter_data;

/// Says whether a line is wanted.
type Wanted = Box<dyn FnMut(&[u8]) -> bool>;

/// What a peer wants: `robotxt` or `texting_robots`.
pub(crate) fn wanted(name: &str, arguments: &Arguments) -> Result<Wanted, String> {
    let agent = arguments.text("agent", "FooBot").to_owned();
    let folder = filter_data::folder(arguments);
    if name == "robotxt" {
        let mut hosts = Hosts::read(&folder, move |body| robotxt::Robots::parse(body, &agent))?;
        return Ok(Box::new(move |line| hosts.ask(line, |robots, url| robots.is_url_allowed(url))));
    }
    let mut hosts = Hosts::read(&folder, move |body| texting_robots::Robot::new(&agent, body))?;
    Ok(Box::new(move |line| {
        hosts.ask(line, |robots, url| robots.as_ref().is_ok_and(|robots| robots.allowed(url.as_str())))
    }))
}

/// Hosts with what a peer makes of their files, each read and parsed when the first URL asks for it.
struct Hosts<R, P> {
    files: HashMap<String, String>,
    parsed: HashMap<String, Option<R>>,
    parse: P,
}

impl<R, P: FnMut(&[u8]) -> R> Hosts<R, P> {
    fn read(folder: &Path, parse: P) -> Result<Self, String> {
        let list = folder.join("origins.tsv");
        let text = fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
        let files = text.lines().filter_map(|line| line.split_once('\t'));
        let files = files.map(|(origin, file)| (origin.to_owned(), file.to_owned())).collect();
        Ok(Self { files, parsed: HashMap::new(), parse })
    }

    /// Whether a URL is allowed; one of an unknown origin is not.
    fn ask(&mut self, line: &[u8], allowed: impl Fn(&R, &url::Url) -> bool) -> bool {
        let Some(url) = str::from_utf8(line).ok().and_then(|line| url::Url::parse(line).ok()) else { return false };
        // The origin is a prefix of a parsed URL without user information.
        let origin = &url[..url::Position::BeforePath];
        if !self.parsed.contains_key(origin) {
            let body = self.files.get(origin).and_then(|file| fs::read(file).ok());
            let robots = body.map(|body| (self.parse)(&body));
            self.parsed.insert(origin.to_owned(), robots);
        }
        self.parsed.get(origin).and_then(Option::as_ref).is_some_and(|robots| allowed(robots, &url))
    }
}
