//! The URLs of sitemap files: XML or one URL on each line, plain, gzip or zstd.
//!
//! Only the texts of `<loc>` are read. No entity is defined by a file, and none is expanded but those of XML itself, so
//! that a hostile file costs no more than its length, which is limited.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;

use memchr::memmem;

use crate::decode::decoded;
use crate::failure::Failure;
use crate::shown;
use crate::source;

/// The longest sitemap that is read, after decompression: the protocol allows 50 MB.
const MAX_BYTES: u64 = 64 << 20;
/// The most URLs of a sitemap: the protocol allows 50,000.
const MAX_URLS: usize = 1_000_000;

/// A sitemap that was read.
#[derive(Debug)]
pub(crate) struct Sitemap {
    /// Its name, for messages.
    pub(crate) name: String,
    bytes: Vec<u8>,
}

impl Sitemap {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is longer than 64 MiB.
    pub(crate) fn read(file: &OsStr) -> Result<Self, Failure> {
        let name = shown::bytes(file.as_encoded_bytes());
        let mut bytes = Vec::new();
        let read = source::open(Path::new(file))
            .and_then(decoded)
            .and_then(|reader| reader.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        match read {
            Err(error) => Err(source::cannot_read(&name, &error)),
            Ok(length) if length as u64 > MAX_BYTES => Err(Failure::new(format_args!(
                "sitemap too large: {name}: over {} MiB: the protocol allows 50 MB: split it",
                MAX_BYTES >> 20
            ))),
            Ok(_) => Ok(Self { name, bytes }),
        }
    }

    /// Returns the URLs, in the order of the file.
    ///
    /// # Errors
    /// If it is an index of sitemaps, XML of another kind, or has no URL.
    pub(crate) fn urls(&self) -> Result<Vec<Vec<u8>>, Failure> {
        let bad =
            |what: &str, way_out: &str| Failure::new(format_args!("no sitemap: {}: {what}: {way_out}", self.name));
        let text = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.bytes);
        let urls = if text.trim_ascii_start().starts_with(b"<") {
            match locations(text) {
                Ok(urls) => urls,
                Err(NotUrls::Index) => {
                    return Err(bad("it lists sitemaps, not pages", "give one of those that it lists"));
                }
                Err(NotUrls::Entity) => {
                    return Err(bad("it defines entities, which no sitemap does", "write the URLs themselves"));
                }
                Err(NotUrls::TooMany) => return Err(bad("it has more than a million URLs", "split it")),
                Err(NotUrls::Other) => return Err(bad("it is XML or HTML without <urlset>", "give a sitemap")),
            }
        } else {
            let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
            let urls: Vec<_> = lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).take(MAX_URLS + 1).collect();
            if urls.len() > MAX_URLS {
                return Err(bad("it has more than a million URLs", "give them with --urls, which reads one at a time"));
            }
            urls
        };
        if urls.is_empty() {
            return Err(bad("it has no URL", "give a sitemap with <loc>, or one URL on each line"));
        }
        Ok(urls)
    }
}

/// Why XML has no URLs of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotUrls {
    Index,
    Entity,
    TooMany,
    Other,
}

/// Returns the texts of the elements `<loc>`. Cost: linear.
fn locations(xml: &[u8]) -> Result<Vec<Vec<u8>>, NotUrls> {
    let mut urls = Vec::new();
    let mut is_set = false;
    // The text of the `<loc>` that is open.
    let mut open: Option<Vec<u8>> = None;
    let mut rest = xml;
    while let Some(start) = memchr::memchr(b'<', rest) {
        if let Some(text) = &mut open {
            text.extend_from_slice(&unescaped(&rest[..start]));
        }
        rest = &rest[start..];
        let skip = |end: &[u8]| memmem::find(rest, end).map_or(rest.len(), |at| at + end.len());
        let length = if rest.starts_with(b"<!--") {
            skip(b"-->")
        } else if rest.starts_with(b"<![CDATA[") {
            let length = skip(b"]]>");
            if let Some(text) = &mut open {
                let inside = &rest[b"<![CDATA[".len()..length];
                text.extend_from_slice(inside.strip_suffix(b"]]>").unwrap_or(inside));
            }
            length
        } else if rest.starts_with(b"<!") {
            let length = skip(b">");
            if memmem::find(&rest[..length], b"[").is_some() || memmem::find(&rest[..length], b"ENTITY").is_some() {
                return Err(NotUrls::Entity);
            }
            length
        } else {
            let length = skip(b">");
            let tag = &rest[1..length.max(1)];
            let end = tag.iter().position(|byte| matches!(byte, b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r'));
            let is_end = tag.starts_with(b"/");
            match if is_end {
                tag[1..].split(|byte| !byte.is_ascii_alphanumeric()).next()
            } else {
                end.map(|at| &tag[..at])
            } {
                Some(b"urlset") => is_set = true,
                Some(b"sitemapindex") => return Err(NotUrls::Index),
                Some(b"loc") if is_end => {
                    if urls.len() == MAX_URLS {
                        return Err(NotUrls::TooMany);
                    }
                    urls.extend(open.take().map(|text| text.trim_ascii().to_vec()).filter(|text| !text.is_empty()));
                }
                Some(b"loc") => open = Some(Vec::new()),
                _ => {}
            }
            length
        };
        rest = &rest[length..];
    }
    if is_set { Ok(urls) } else { Err(NotUrls::Other) }
}

/// Replaces the entities of XML, and references to characters.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = memchr::memchr(b'&', rest) {
        out.extend_from_slice(&rest[..start]);
        rest = &rest[start..];
        let end = rest.iter().take(12).position(|byte| *byte == b';');
        let entity = end.and_then(|end| str::from_utf8(&rest[1..end]).ok());
        let char = entity.and_then(|entity| match entity {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => {
                let number = entity.strip_prefix('#')?;
                let code = match number.strip_prefix('x') {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => number.parse(),
                };
                code.ok().and_then(char::from_u32)
            }
        });
        match (char, end) {
            (Some(char), Some(end)) => {
                out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &rest[end + 1..];
            }
            _ => {
                out.push(b'&');
                rest = &rest[1..];
            }
        }
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(text: &str) -> Result<Vec<String>, NotUrls> {
        let urls = locations(text.as_bytes())?;
        Ok(urls.into_iter().map(|url| String::from_utf8(url).expect("text")).collect())
    }

    #[test]
    fn locations_are_read() {
        let xml = "<?xml version=\"1.0\"?>\n<!-- <loc>no</loc> -->\n<urlset xmlns=\"x\">\n\
            <url><loc>\n https://h/a?b=1&amp;c=2 </loc><image:image>\n\
            <image:loc>https://h/i.png</image:loc></image:image></url>\n\
            <url><loc><![CDATA[https://h/<b>&]]></loc></url>\n\
            <url><loc a='b'>https://h/&#x41;&#66;&none;</loc><loc/></url>\n\
            </urlset>";
        let wanted = ["https://h/a?b=1&c=2", "https://h/<b>&", "https://h/AB&none;"];
        assert_eq!(urls(xml), Ok(wanted.map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_has_no_pages() {
        for (text, wanted) in [
            ("<sitemapindex><sitemap><loc>https://h/s.xml</loc></sitemap></sitemapindex>", NotUrls::Index),
            ("<!DOCTYPE html><p>Not found", NotUrls::Other),
            ("<!DOCTYPE x [<!ENTITY a \"b\">]><urlset><url><loc>&a;</loc></url></urlset>", NotUrls::Entity),
            ("<", NotUrls::Other),
            ("</", NotUrls::Other),
            ("<!", NotUrls::Other),
            ("<loc>https://h/a</loc>", NotUrls::Other),
        ] {
            assert_eq!(urls(text), Err(wanted), "{text}");
        }
        for text in ["<urlset>", "<urlset><loc>", "<urlset><loc></loc>", "<urlset><![CDATA[", "<urlset><!--"] {
            assert_eq!(urls(text), Ok(vec![]), "{text}");
        }
    }

    #[test]
    fn any_cut_of_a_sitemap_is_read() {
        let xml = b"<urlset><!--x--><url><loc>https://h/&#x41;<![CDATA[<b>]]></loc></url></urlset>";
        for end in 0..xml.len() {
            let _ = locations(&xml[..end]);
            let _ = locations(&xml[end..]);
        }
    }
}
