//! The word for what a server answers to the request of a page.

use robotsc::fetch::FetchedPage;
use robotsc::outcome::FetchEnd;

use super::page_url;
use crate::server::Server;

impl Server {
    /// Returns the word for an answer, beside the one that the own name got, if this is another.
    ///
    /// A challenge is only known by its [header](fn@robotsc::outcome::challenge).
    #[must_use]
    pub fn of(page: &FetchedPage, own: Option<&FetchedPage>) -> Self {
        let FetchEnd::Status(status) = page.end else { return Self::Failed };
        if page.challenge().is_some() {
            return Self::Challenge;
        }
        if page.is_limited() {
            return Self::Limited;
        }
        match status {
            200..=299 if own.is_some_and(|own| is_elsewhere(page, own)) => Self::Redirected,
            200..=299 => Self::Served,
            402 => Self::Payment,
            404 | 410 => Self::Missing,
            400..=499 => Self::Refused,
            _ => Self::Failed,
        }
    }
}

/// Reports whether redirects led to another place than the own name. A query can be made for each visitor.
fn is_elsewhere(page: &FetchedPage, own: &FetchedPage) -> bool {
    let place = |page: &FetchedPage| {
        let url = page_url(page)?;
        Some(url.split('?').next().unwrap_or(url).to_owned())
    };
    page.redirects > 0 && place(page) != place(own)
}
