//! The URLs of sitemap files: XML or one URL on each line, plain, gzip or zstd.
//!
//! Only the texts of `<loc>` are read. A file that defines entities is refused, and none is expanded but those of XML
//! itself, so that a hostile file costs no more than its length, which is limited.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::decode::decoded;
use crate::io::files;

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
        if files::is_stdin(file) {
            return Err(Failure::new("a sitemap from standard input: the command line: give it as a file"));
        }
        let name = shown::bytes(file.as_encoded_bytes());
        let mut bytes = Vec::new();
        let read = files::open(Path::new(file))
            .and_then(decoded)
            .and_then(|reader| reader.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        match read {
            Err(error) => Err(files::cannot_read(&name, &error)),
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
                Err(NotUrls::Damaged(at)) => {
                    return Err(bad(&format!("it is cut short or no XML at byte {at}"), "fetch it again"));
                }
                Err(NotUrls::Other) => return Err(bad("it is XML or HTML without <urlset>", "give a sitemap")),
            }
        } else {
            let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
            let urls: Vec<_> = lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).take(MAX_URLS + 1).collect();
            if urls.len() > MAX_URLS {
                return Err(bad("it has more than a million URLs", "give a list of them to 'robotsc lint --urls'"));
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
    /// It is no XML from this byte on.
    Damaged(u64),
    Other,
}

/// Returns the texts of the elements `<loc>`. Cost: linear.
fn locations(xml: &[u8]) -> Result<Vec<Vec<u8>>, NotUrls> {
    // The protocol asks for UTF-8.
    let xml = str::from_utf8(xml).map_err(|error| NotUrls::Damaged(error.valid_up_to() as u64))?;
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    // Sitemaps with a bare `&` in a URL are common, and mean what they seem to.
    config.allow_dangling_amp = true;
    let mut urls = Vec::new();
    let mut is_set = false;
    let mut is_whole = false;
    // The text of the `<loc>` that is open.
    let mut open: Option<String> = None;
    loop {
        let event = reader.read_event().map_err(|_| NotUrls::Damaged(reader.error_position()))?;
        match event {
            Event::DocType(text) if text.contains('[') || text.contains("ENTITY") => {
                return Err(NotUrls::Entity);
            }
            Event::Empty(tag) if !is_set && tag.name().as_ref() == "urlset" => (is_set, is_whole) = (true, true),
            Event::End(tag) if tag.name().as_ref() == "urlset" => is_whole = true,
            Event::Start(tag) | Event::Empty(tag) if !is_set => match tag.name().as_ref() {
                "urlset" => is_set = true,
                "sitemapindex" => return Err(NotUrls::Index),
                _ => return Err(NotUrls::Other),
            },
            Event::Start(tag) if tag.name().as_ref() == "loc" => open = Some(String::new()),
            Event::End(tag) if tag.name().as_ref() == "loc" => {
                if urls.len() == MAX_URLS {
                    return Err(NotUrls::TooMany);
                }
                urls.extend(
                    open.take().map(|text| text.trim_ascii().as_bytes().to_vec()).filter(|text| !text.is_empty()),
                );
            }
            Event::Text(text) => open.iter_mut().for_each(|open| open.push_str(&text)),
            Event::CData(text) => open.iter_mut().for_each(|open| open.push_str(&text)),
            Event::GeneralRef(name) => {
                if let Some(open) = &mut open {
                    match referenced(&name) {
                        Some(char) => open.push(char),
                        None => open.extend(["&", &name, ";"]),
                    }
                }
            }
            Event::Eof if !is_set => return Err(NotUrls::Other),
            Event::Eof if !is_whole => return Err(NotUrls::Damaged(reader.buffer_position())),
            Event::Eof => return Ok(urls),
            _ => {}
        }
    }
}

/// Returns the character that a reference means: of those of XML itself, and of numbers.
fn referenced(name: &BytesRef<'_>) -> Option<char> {
    match name.resolve_char_ref() {
        Ok(Some(char)) => Some(char),
        _ => resolve_xml_entity(name)?.chars().next(),
    }
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
            ("<html><loc>https://h/a</loc></html>", NotUrls::Other),
            ("<loc>https://h/a</loc>", NotUrls::Other),
            ("<", NotUrls::Damaged(0)),
            ("</", NotUrls::Damaged(0)),
            ("<!", NotUrls::Damaged(0)),
            ("<urlset>", NotUrls::Damaged(8)),
            ("<urlset><url><loc>https://h/a</loc></url>", NotUrls::Damaged(41)),
            ("<urlset><loc>", NotUrls::Damaged(13)),
            ("<urlset><loc>https://h/a</url>", NotUrls::Damaged(24)),
            ("<urlset><![CDATA[", NotUrls::Damaged(8)),
            ("<urlset><!--", NotUrls::Damaged(8)),
        ] {
            assert_eq!(urls(text), Err(wanted), "{text}");
        }
        for text in ["<urlset></urlset>", "<urlset/>", "<urlset><loc></loc><loc/></urlset>"] {
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
