//! The named dialects in words.

use robotsc::Dialect;

/// Returns the named dialects, each with what it is in a few words.
pub fn all() -> impl Iterator<Item = (&'static Dialect, &'static str)> {
    Dialect::ALL.into_iter().zip([
        "google/robotstxt, bug for bug",
        "RFC 9309, the standard",
        "the specification that Google published in 2017-18",
        "the specification that Google published on 1 July 2019",
        "Yandex's page on Allow and Disallow",
    ])
}
