//! The body of a robots.txt, parsed: what files, matchers and fetches share.

use pyo3::prelude::*;
use robotsc::dialect::MAX_BYTES_PAST_LIMIT;

use crate::dialect;
use crate::errors::UrlError;

/// A file and the origin that it is for, as it was named.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) robots: robotsc::RobotsTxt<'static>,
    pub(crate) origin: Option<String>,
}

/// Parses a robots.txt. Of a body over the dialect's limit only the part that can count is kept.
pub(crate) fn parse_body(body: &[u8], dialect: &str, origin: Option<&str>) -> PyResult<Parsed> {
    let dialect = dialect::by_name(dialect)?;
    let limit = dialect.max_file.map_or(body.len(), |limit| limit as usize + MAX_BYTES_PAST_LIMIT + 1);
    let body = &body[..body.len().min(limit)];
    let robots = match origin {
        None => robotsc::RobotsTxt::parse_with(body, dialect),
        Some(origin) => robotsc::RobotsTxt::for_origin_with(origin, body, dialect)
            .map_err(|error| UrlError::new_err(error.to_string()))?,
    };
    Ok(Parsed { robots: robots.into_owned(), origin: origin.map(str::to_owned) })
}
