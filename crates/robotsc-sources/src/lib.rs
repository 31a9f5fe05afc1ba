//! Reads robots.txt captures: what crawlers kept of their fetches, from folders, manifests, tar and WARC files.
//!
//! [`Captures`] reads any mix of sources as one stream. What is damaged is reported with its place ([`Broken`]) and
//! skipped; memory is bounded ([`SourceLimits`]), and no input makes it panic or loop.
//!
//! # Sources
//! - **A folder** of files named after hosts: `example.com.txt` is for `http` and `https`, `example.com_8443.txt` for
//!   that port, `https_example.com.txt` for one scheme, whose file counts for it beside that of the host. Folders
//!   inside are read too, in the order of the names; files that do not end in `.txt` are not looked at. Each is a
//!   response with status 200 at an unknown time. One such file alone is a source as well.
//! - **A manifest**, `manifest.tsv` in a folder or any `.tsv`, with the columns origin, status, time, file and site, as
//!   `https://example.com`, `200` (or `redirects`, `incomplete`, `unreachable`, `dns`, `connect`, `tls`, `timeout`,
//!   `reset`), seconds since 1970 or RFC 3339, a path inside its folder, and `missing-5xx` if the site is known to
//!   answer missing pages with 5xx. Links are not followed.
//! - **A tar archive** of either, plain, gzip or zstd.
//! - **A WARC file** (1.0, 1.1), plain, gzip or zstd, with a member a record or one for all: responses, resources and
//!   revisits whose URL is the `/robots.txt` of an origin. Redirects are followed among all WARC sources, up to
//!   [`SourceLimits::hops`]. A fetch without a response is a `metadata` record about the URL, whose field
//!   `fetch-result` is a word of the manifest, as `robotsc fetch --warc` writes it. Common Crawl's `robotstxt` files
//!   hold responses only, so that origins without an answer stay unknown. Bodies can be chunked and in gzip, deflate,
//!   brotli or zstd, or decoded under a header that still names these, as some crawlers keep them.
#![forbid(unsafe_code)]

pub use capture::{Broken, BrokenKind, PlaceInFile, SourceAnswer, SourceCapture, SourcePlace, SourceResponse};
pub use captures::Captures;
pub use limits::SourceLimits;
pub use open::is_of_many;
pub use robotsc_frontier::outcome::BodyEnd;

mod archive;
mod capture;
mod captures;
mod chunks;
mod entries;
mod fetch_result;
mod folder;
mod follow;
mod http;
mod index;
mod limits;
mod manifest;
mod open;
mod site;
mod time;
mod warc;
