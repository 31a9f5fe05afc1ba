//! Parses, asks and compiles.

use robotsc::bundled;
use robotsc::dialect::MAX_BYTES_PAST_LIMIT;
use robotsc::program::DecidingRule;
use robotsc::record::RecordKind;
use robotsc::{AgentName, Compiler, Crawler, Dialect, RobotsTxt};

use crate::crawler::NamedCrawler;
use crate::mistake::{Kind, Mistake};
use crate::object::{Answer, Object};

/// Returns bytes as text.
///
/// # Errors
/// If they are not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Mistake> {
    str::from_utf8(bytes).map_err(|error| Mistake::call(format_args!("the text is not UTF-8: {error}")))
}

/// Returns the dialect with a name.
pub(crate) fn dialect(name: &[u8]) -> Result<&'static Dialect, Mistake> {
    let name = text(name)?;
    Dialect::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
        Mistake::call(format_args!("no dialect is called {name:?}: use one of {}", known.join(", ")))
    })
}

/// Parses a body. Of one over the dialect's limit only the part that can count is kept. `is_text` means that the caller
/// passed a string, in whose place a path or a URL would allow everything.
pub(crate) fn parse(body: &[u8], name: &[u8], origin: &[u8], is_text: bool) -> Result<Answer, Mistake> {
    let dialect = dialect(name)?;
    let limit = dialect.max_file.map_or(body.len(), |limit| limit as usize + MAX_BYTES_PAST_LIMIT + 1);
    let body = &body[..body.len().min(limit)];
    let robots = match origin {
        [] => RobotsTxt::parse_with(body, dialect),
        origin => RobotsTxt::for_origin_with(origin, body, dialect)?,
    };
    // In this order: most bodies are shown to be none by their first line end.
    let is_one_line = || !body.trim_ascii().iter().any(|byte| b"\r\n".contains(byte));
    if is_text && is_one_line() && !robots.body_kind().is_robots() {
        let given = body[..body.len().min(80)].escape_ascii();
        let message = format_args!("no robots.txt: '{given}' has no directive: pass the text, not its place");
        return Err(Mistake::call(message));
    }
    Ok(Answer::Object(Object::Robots(robots.into_owned())))
}

/// Returns a crawler: 0 with the name that its operator documents, 1 with a name alone, 2 a chain, 3 a pool, 4 all that
/// no group names, 5 a name alone that obeys no groups for `*`.
pub(crate) fn crawler(way: u32, names: &[u8], ends: &[u8]) -> Result<Answer, Mistake> {
    let names = cut(names, ends)?.map(text).collect::<Result<Vec<&str>, _>>()?;
    let mut documented = None;
    let crawler = match (way, names.as_slice()) {
        (0, [name]) => documented.insert(bundled::crawler(name)?).crawler().clone(),
        (1, [name]) => Crawler::new(*name)?,
        (2, [_, ..]) => Crawler::chain(&names)?,
        (3, [_, ..]) => Crawler::pool(&names)?,
        (4, []) => Crawler::others(),
        (5, [name]) => Crawler::from(AgentName::new(name)?).named_only(),
        _ => return Err(Mistake::new(Kind::Agent, "the crawler has another number of names than it takes")),
    };
    Ok(Answer::Object(Object::Crawler(NamedCrawler { crawler, documented })))
}

/// Cuts bytes at `ends`, numbers of four bytes each.
///
/// # Errors
/// If the ends are not in order, or not those of the bytes.
fn cut<'a>(bytes: &'a [u8], ends: &'a [u8]) -> Result<impl Iterator<Item = &'a [u8]>, Mistake> {
    let (ends, rest) = ends.as_chunks::<4>();
    let ends = ends.iter().map(|end| u32::from_le_bytes(*end) as usize);
    if !rest.is_empty() || !ends.clone().is_sorted() || ends.clone().next_back().unwrap_or(0) != bytes.len() {
        return Err(Mistake::call("the offsets are not those of the bytes"));
    }
    let starts = std::iter::once(0).chain(ends.clone());
    Ok(starts.zip(ends).map(|(start, end)| &bytes[start..end]))
}

/// Returns the matcher of a crawler.
pub(crate) fn matcher(robots: &Object, crawler: &Object) -> Result<Answer, Mistake> {
    Ok(Answer::Object(Object::Matcher(robots.robots()?.matcher(&crawler.crawler()?.crawler)?)))
}

/// Reports whether a URL is allowed.
#[inline]
pub(crate) fn allowed(matcher: &Object, url: &[u8]) -> Result<Answer, Mistake> {
    Ok(matcher.matcher()?.is_allowed(url)?.into())
}

/// Writes 1 for each URL that is allowed, and 0 for the others. A URL that has no path on the site is a mistake, or is
/// 0 if `wrong_is_disallowed`.
pub(crate) fn allowed_many(
    matcher: &Object,
    urls: &[u8],
    ends: &[u8],
    answers: &mut [u8],
    wrong_is_disallowed: bool,
) -> Result<Answer, Mistake> {
    let matcher = matcher.matcher()?;
    answers.fill(0);
    if answers.len().checked_mul(4) != Some(ends.len()) {
        return Err(Mistake::call("there is not one answer for each URL"));
    }
    for (index, (url, answer)) in cut(urls, ends)?.zip(answers).enumerate() {
        match matcher.is_allowed(url) {
            Ok(is_allowed) => *answer = is_allowed.into(),
            Err(_) if wrong_is_disallowed => {}
            Err(error) => return Err(Mistake { index: index as u32, ..error.into() }),
        }
    }
    Ok(Answer::Number(0))
}

/// Returns the line of the rule that decides a URL, or 0 if there is none.
pub(crate) fn deciding_line(robots: &Object, matcher: &Object, url: &[u8]) -> Result<Answer, Mistake> {
    let path = robots.robots()?.url_path(url)?;
    let rule: Option<DecidingRule> = matcher.matcher()?.rules().deciding_rule(path.as_path())?;
    Ok(Answer::Number(rule.filter(|rule| !rule.is_empty_line()).map_or(0, |rule| rule.line as i32)))
}

/// Returns the path of a URL in the form of the dialect.
pub(crate) fn url_path(robots: &Object, url: &[u8]) -> Result<Answer, Mistake> {
    Ok(Answer::Bytes(robots.robots()?.url_path(url)?.as_path().as_bytes().to_vec()))
}

/// Compiles the rules of a matcher.
pub(crate) fn compile(matcher: &Object) -> Result<Answer, Mistake> {
    let compiled = Compiler::new().compile(matcher.matcher()?.rules());
    let compiled = compiled.map_err(|error| Mistake::new(Kind::Program, error))?;
    Ok(Answer::Bytes(compiled.into_program().program().as_bytes().to_vec()))
}

/// Returns the sitemaps of a file, one a line: those with a URL, each once, or all `as_written`.
pub(crate) fn sitemaps(robots: &Object, as_written: bool) -> Result<Answer, Mistake> {
    let robots = robots.robots()?;
    let written = || {
        let records = robots.records().iter().filter(|record| record.kind == RecordKind::Sitemap);
        records.map(|record| record.value.of(robots.body()).trim_ascii()).filter(|value| !value.is_empty()).collect()
    };
    let sitemaps: Vec<&[u8]> = if as_written { written() } else { robots.sitemaps() };
    Ok(Answer::Bytes(sitemaps.join(&b'\n')))
}

/// Returns the hosts of a file, one a line.
pub(crate) fn hosts(robots: &Object) -> Result<Answer, Mistake> {
    let hosts = robots.robots()?.hosts().map(|host| match host.scheme {
        Some(scheme) => [scheme, host.name].join(&b"://"[..]),
        None => host.name.to_vec(),
    });
    Ok(Answer::Bytes(hosts.collect::<Vec<_>>().join(&b'\n')))
}

/// Returns the word for what a body is: `robots`, or what came in its place.
pub(crate) fn body_kind(robots: &Object) -> Result<Answer, Mistake> {
    Ok(Answer::Bytes(robots.robots()?.body_kind().name().into()))
}

/// Returns the longest crawl delay for a crawler in seconds, as a decimal number; empty if there is none.
pub(crate) fn crawl_delay(robots: &Object, crawler: &Object) -> Result<Answer, Mistake> {
    let delay = robots.robots()?.crawl_delay(&crawler.crawler()?.crawler)?;
    Ok(Answer::Bytes(delay.map_or_else(Vec::new, |delay| delay.as_secs_f64().to_string().into_bytes())))
}
