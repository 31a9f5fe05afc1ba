//! Schemes of URLs that stand for no site.

/// The schemes that sites have.
const OF_SITES: [&str; 3] = ["http", "https", "ftp"];

/// Schemes without a host that addresses with an `@` have.
const OF_ADDRESSES: [&str; 5] = ["acct", "mailto", "sip", "sips", "xmpp"];

/// Returns the scheme of a URL that is that of no site; `None` if it can be a site's, or if none is certain: what
/// precedes a colon and an `@` can be the name of a user, and what follows it a password.
///
/// ```
/// use robotsc_answers::scheme::other_than_of_sites;
///
/// assert_eq!(other_than_of_sites("mailto:me@shop.example"), Some("mailto"));
/// assert_eq!(other_than_of_sites("ssh://me@shop.example"), Some("ssh"));
/// assert_eq!(other_than_of_sites("me:secret@shop.example"), None);
/// assert_eq!(other_than_of_sites("https://me:secret@shop.example"), None);
/// ```
#[must_use]
pub fn other_than_of_sites(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once(':')?;
    let is_one_of = |known: &[&str]| known.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let is_other = !is_one_of(&OF_SITES) && (rest.starts_with("//") || is_one_of(&OF_ADDRESSES));
    (is_scheme && is_other).then_some(scheme)
}
