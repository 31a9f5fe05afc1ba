//! Writes a robots.txt in one spelling, or as small as it can be, without changing what it means.
//!
//! ```text
//! written              formatted               minified
//! disallow :/cart      Disallow: /cart         Disallow:/cart
//! Disallow: /cart/x    Disallow: /cart/x       removed: line 1 disallows its paths
//! # old                # old                   removed
//! ```
//!
//! The meaning is that for every agent on every URL path, with all other records, in each of the five dialects. A
//! crawler that obeys the groups of several names at once is no such agent: see [`minified`]. The meaning is proved,
//! not assumed:
//! - [`formatted`] changes how lines are spelled. Every dialect then reads the same items in the same order, which is
//!   compared. A line of which one reads something else is put back.
//! - [`minified`] also removes lines. The file before and after is compared as [`lint::fixed`](crate::lint::fixed)
//!   does it, under all five dialects. What cannot be proved is not removed.

mod blocks;
mod edits;
mod layout;
mod minify;
mod proof;
mod reading;
mod redundant;
mod shorter;
mod spelling;

pub use minify::{Minified, minified};

use reading::Source;
use spelling::Style;

/// Why a file was left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyUnchanged {
    /// Some dialect does not read it to its end. Another number of bytes would change what is read.
    TooLong,
    /// Some dialect would not read it to its end afterwards, since it would be longer.
    TooLongAfter,
    /// It is in UTF-16, of which crawlers read nothing.
    Utf16,
    /// It could not be proved that it means the same afterwards.
    NotProved,
}

impl std::fmt::Display for WhyUnchanged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooLong => "it is longer than crawlers read, and another length would change what they read",
            Self::TooLongAfter => "it would be longer than crawlers read",
            Self::Utf16 => "it is text in UTF-16",
            Self::NotProved => "that it means the same afterwards was not proved",
        })
    }
}

/// A file after formatting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The body.
    pub body: Vec<u8>,
    /// Why the file was left as it is, if it was.
    pub left: Option<WhyUnchanged>,
}

/// Returns a file in canonical spelling.
///
/// - Directives are spelled `User-agent`, `Allow`, `Disallow`, `Sitemap`, `Crawl-delay` and so on, with one blank after
///   the colon and none around the line. Values, comments and the order of lines stay.
/// - An empty line is between groups, and before and after their sitemaps. None is within a group, since old readers
///   end it there. Where only some dialects open a group, empty lines stay as they are.
/// - Lines end in LF, or in CRLF if the first line does. CR alone becomes LF, since some readers do not know it. A byte
///   order mark goes, if a comment or a known directive is after it: what else is there could look like no text.
/// - Misspelt directives, lines without a colon and keys that no dialect knows stay as they are, since dialects or
///   other systems read them in several ways.
///
/// A second call changes nothing. All five dialects read the same before and after, which is checked.
///
/// Cost: linear, some passes of each dialect over the body. Never panics, whatever the bytes.
///
/// ```
/// use robotsc::analysis::format::formatted;
///
/// let body = b"user-agent : *\r\n\r\ndisallow:/cart   # old\r\nUSER-AGENT:FooBot\r\nDisalow: /\r\n";
/// assert_eq!(
///     formatted(body).body,
///     b"User-agent: *\r\nDisallow: /cart # old\r\n\r\nUser-agent: FooBot\r\nDisalow: /\r\n"
/// );
/// ```
#[must_use]
pub fn formatted(body: &[u8]) -> Formatted {
    match respelled(body, Style::Readable) {
        Ok(body) => Formatted { body, left: None },
        Err(left) => Formatted { body: body.to_vec(), left: Some(left) },
    }
}

/// Returns a file with its lines in a style, or why it is left as it is.
fn respelled(body: &[u8], style: Style) -> Result<Vec<u8>, WhyUnchanged> {
    let source = Source::new(body);
    if !source.is_whole() {
        return Err(WhyUnchanged::TooLong);
    }
    if source.is_utf16() {
        return Err(WhyUnchanged::Utf16);
    }
    spelling::respelled(&source, style)
}

#[cfg(test)]
mod tests;
