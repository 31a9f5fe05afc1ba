//! The word for what a server answers to the request of a page.

use robotsc::fetch::FetchedPage;
use robotsc::outcome::FetchEnd;

use super::page_url;
use crate::server::Server;

impl Server {
    /// Returns the word for an answer, beside the one that the own name got, if this is another.
    ///
    /// A challenge is only known by what its makers document, never by its text: Cloudflare's `cf-mitigated:
    /// challenge`, and `x-amzn-waf-action: challenge` or `captcha` of AWS WAF.
    #[must_use]
    pub fn of(page: &FetchedPage, own: Option<&FetchedPage>) -> Self {
        let FetchEnd::Status(status) = page.end else { return Self::Failed };
        if is_challenge(page) {
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

fn field<'p>(page: &'p FetchedPage, name: &str) -> Option<&'p [u8]> {
    Some(page.hops.last()?.headers.get(name)?.as_bytes().trim_ascii())
}

fn is_challenge(page: &FetchedPage) -> bool {
    let has = |name, values: &[&[u8]]| {
        field(page, name).is_some_and(|value| values.iter().any(|known| value.eq_ignore_ascii_case(known)))
    };
    has("cf-mitigated", &[b"challenge"]) || has("x-amzn-waf-action", &[b"challenge", b"captcha"])
}

/// Reports whether redirects led to another place than the own name. A query can be made for each visitor.
fn is_elsewhere(page: &FetchedPage, own: &FetchedPage) -> bool {
    let place = |page: &FetchedPage| {
        let url = page_url(page)?;
        Some(url.split('?').next().unwrap_or(url).to_owned())
    };
    page.redirects > 0 && place(page) != place(own)
}
