//! The ranks of sites: a list such as that of the most visited sites.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use robotsc::origin::Origin;
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::files;
use crate::lists::csv;
use crate::lists::layout::without_end;

/// The size up to which a list is read: ten million sites.
const MAX_BYTES: u64 = 256 << 20;

/// The number of parts that ranks are shown in: up to 100, 1,000, 10,000 and 100,000, and beyond.
pub(super) const BUCKETS: usize = 5;

/// The names of these parts.
pub(super) const BUCKET_NAMES: [&str; BUCKETS] = ["1–100", "101–1,000", "1,001–10,000", "10,001–100,000", "beyond"];

/// Ranks by host.
#[derive(Debug)]
pub(super) struct Ranks(HashMap<Box<str>, u32>);

impl Ranks {
    /// Reads a list: a rank and a host in each line, or a table with columns of these names.
    ///
    /// # Errors
    /// If it cannot be read, or a line holds no rank.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let name = shown::bytes(path.as_os_str().as_encoded_bytes());
        let mut text = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut text));
        read.map_err(|error| files::cannot_read(&name, &error))?;
        if text.len() as u64 > MAX_BYTES {
            return Err(Failure::new(format_args!(
                "file too large: {name}: over {} MiB: give the first lines of the list",
                MAX_BYTES >> 20
            )));
        }
        let separator = if memchr::memchr(b'\t', &text[..text.len().min(4096)]).is_some() { b'\t' } else { b',' };
        let (mut rank, mut site) = (0, 1);
        let mut ranks = HashMap::new();
        for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
            let line = without_end(line);
            let line = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
            if line.is_empty() {
                continue;
            }
            let fields: Vec<_> = csv::fields(line, separator).map_while(Result::ok).collect();
            let named = |wanted: &[&str]| {
                fields.iter().position(|field| wanted.iter().any(|name| field.eq_ignore_ascii_case(name.as_bytes())))
            };
            if number == 1
                && let (Some(of_rank), Some(of_site)) =
                    (named(&["rank"]), named(&["site", "host", "domain", "origin", "url"]))
            {
                (rank, site) = (of_rank, of_site);
                continue;
            }
            let text = |column: usize| fields.get(column).and_then(|field| str::from_utf8(field).ok());
            let (Some(Ok(rank)), Some(site)) = (text(rank).map(|text| text.trim().parse::<u32>()), text(site)) else {
                return Err(Failure::new(format_args!(
                    "no rank: line {number} of {name}: give lines such as 1,example.com, or name the columns rank and \
                     site"
                )));
            };
            ranks.entry(host(site).into()).or_insert(rank);
        }
        Ok(Self(ranks))
    }

    /// Returns the part that a site is in, if it has a rank: that of its host, or of the host without `www.`.
    pub(super) fn bucket(&self, site: &str) -> Option<usize> {
        let host = host(site);
        let rank = self.0.get(host.as_str()).or_else(|| self.0.get(host.strip_prefix("www.")?))?;
        Some(match rank {
            ..=100 => 0,
            ..=1_000 => 1,
            ..=10_000 => 2,
            ..=100_000 => 3,
            _ => 4,
        })
    }
}

/// Returns the host of a site that is written with or without a scheme, as URLs have it. What is no host stays as it
/// is: no site has that name.
fn host(site: &str) -> String {
    let rest = site.split_once("://").map_or(site, |(_, rest)| rest).trim();
    match Origin::of_url(format!("https://{rest}").as_bytes()) {
        Ok(origin) => origin.host().to_owned(),
        Err(_) => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_the_rank_of_its_host() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ranks.csv");
        let list =
            "1,a.example\n200,https://B.example/\n3000,[::1]\n40000,b\u{fc}cher.example:8080\n500000,c.example/x\n";
        std::fs::write(&file, list).unwrap();
        let ranks = Ranks::read(&file).unwrap();
        for (site, bucket) in [
            ("a.example", Some(0)),
            ("https://www.A.example:8443", Some(0)),
            ("http://b.example", Some(1)),
            ("https://[::1]:8080", Some(2)),
            ("https://[::2]", None),
            ("xn--bcher-kva.example", Some(3)),
            ("c.example", Some(4)),
            ("example", None),
        ] {
            assert_eq!(ranks.bucket(site), bucket, "{site}");
        }
    }

    #[test]
    fn a_list_that_is_too_large_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ranks.csv");
        // A file with a hole takes no room.
        File::create(&file).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(format!("{:?}", Ranks::read(&file).unwrap_err()).contains("file too large"));
    }
}
