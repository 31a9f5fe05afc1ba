//! The URLs of sitemap files: XML or one URL on each line, plain, gzip or zstd; also of those that an index lists.
//!
//! Only the texts of `<loc>` are read. A file that defines entities is refused, and none is expanded but those of XML
//! itself, so that a hostile file costs no more than its length, which is limited.

use std::ffi::OsStr;
use std::io::{Cursor, Read as _};
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};
use robotsc_answers::shown;

use crate::failure::Failure;
use crate::io::decode::decoded;
use crate::io::files;
use crate::lists::{sitemap_index, text};

/// The longest sitemap that is read, after decompression: the protocol allows 50 MB.
const MAX_BYTES: u64 = 64 << 20;
/// The maximum number of URLs of a sitemap: the protocol allows 50,000.
const MAX_URLS: usize = 1_000_000;

/// The maximum number of URLs of all sitemaps of an index, and of bytes of them.
const MAX_OF_INDEX: (usize, usize) = (MAX_URLS, 512 << 20);

/// Checks that a sitemap is there and is a file, without reading it.
///
/// # Errors
/// If it cannot be opened.
pub(crate) fn check(file: &OsStr) -> Result<(), Failure> {
    refuse_stdin(file)?;
    let path = Path::new(file);
    // The opening of a pipe would wait for a writer.
    if files::check_is_file(path).is_err() {
        return Ok(());
    }
    match files::open(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(files::cannot_read(&shown::bytes(file.as_encoded_bytes()), &error)),
    }
}

fn refuse_stdin(file: &OsStr) -> Result<(), Failure> {
    match files::is_stdin(file) {
        true => Err(Failure::new("a sitemap from standard input: the command line: give it as a file")),
        false => Ok(()),
    }
}

/// Hands over the URLs of a sitemap with its name, or those of each sitemap that an index lists: these are files beside
/// the index, each under the last part of its URL. `check` is asked before a file is opened.
///
/// # Errors
/// If a file cannot be read, is longer than 64 MiB, or has no URL of a page; if an index lists too many, or two that
/// would be one file; and those of `check` and `found`.
pub(crate) fn each(
    file: &OsStr,
    check: impl Fn(&Path) -> Result<(), Failure>,
    mut found: impl FnMut(&str, Vec<Vec<u8>>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let index = Sitemap::read(file, &check)?;
    let (urls, is_index) = index.locations()?;
    if !is_index {
        return found(&index.name, urls);
    }
    let files = sitemap_index::files(Path::new(file), &urls).map_err(|(what, way_out)| index.bad(&what, way_out))?;
    let (mut count, mut bytes) = (0, 0);
    for file in files {
        let sitemap = Sitemap::read(file.as_os_str(), &check)?;
        let (urls, is_index) = sitemap.locations()?;
        if is_index {
            return Err(sitemap.bad("an index lists it, and it is one", "give it with --sitemap"));
        }
        count += urls.len();
        bytes += urls.iter().map(Vec::len).sum::<usize>();
        if count > MAX_OF_INDEX.0 || bytes > MAX_OF_INDEX.1 {
            let what = "its sitemaps have more than a million URLs, or 512 MiB of them";
            return Err(index.bad(what, "give those that matter with --sitemap each"));
        }
        found(&sitemap.name, urls)?;
    }
    Ok(())
}

/// A sitemap that was read.
#[derive(Debug)]
struct Sitemap {
    /// Its name, for messages.
    name: String,
    /// In UTF-8, if it is text.
    bytes: Vec<u8>,
}

impl Sitemap {
    fn read(file: &OsStr, check: impl Fn(&Path) -> Result<(), Failure>) -> Result<Self, Failure> {
        refuse_stdin(file)?;
        check(Path::new(file))?;
        let name = shown::bytes(file.as_encoded_bytes());
        let mut bytes = Vec::new();
        let read = files::open(Path::new(file))
            .and_then(decoded)
            .and_then(|reader| reader.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        match read {
            Err(error) => return Err(files::cannot_read(&name, &error)),
            Ok(length) if length as u64 > MAX_BYTES => {
                return Err(Failure::new(format_args!(
                    "sitemap too large: {name}: over {} MiB: the protocol allows 50 MB: split it",
                    MAX_BYTES >> 20
                )));
            }
            Ok(_) => {}
        }
        if is_xml(&bytes) {
            return Ok(Self { name, bytes });
        }
        // A list of lines, as others: not a sheet, nor what was compressed twice.
        let mut text = Vec::new();
        match text::decoded(Cursor::new(bytes), None).and_then(|mut reader| reader.read_to_end(&mut text)) {
            Ok(_) => Ok(Self { name, bytes: text }),
            Err(error) => Err(files::cannot_read(&name, &error)),
        }
    }

    /// Returns the URLs, in the order of the file, and whether they are of sitemaps.
    fn locations(&self) -> Result<(Vec<Vec<u8>>, bool), Failure> {
        let bad = |what: &str, way_out: &str| self.bad(what, way_out);
        let (urls, is_index) = if is_xml(&self.bytes) {
            match locations(self.bytes.strip_prefix(BOM).unwrap_or(&self.bytes)) {
                Ok(found) => found,
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
            let text = self.bytes.strip_prefix(BOM).unwrap_or(&self.bytes);
            let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
            let urls: Vec<_> = lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec).take(MAX_URLS + 1).collect();
            if urls.len() > MAX_URLS {
                return Err(bad("it has more than a million URLs", "give a list of them to 'robotsc lint --urls'"));
            }
            (urls, false)
        };
        if urls.is_empty() {
            return Err(bad("it has no URL", "give a sitemap with <loc>, or one URL on each line"));
        }
        Ok((urls, is_index))
    }

    fn bad(&self, what: &str, way_out: &str) -> Failure {
        Failure::new(format_args!("no sitemap: {}: {what}: {way_out}", self.name))
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

fn is_xml(bytes: &[u8]) -> bool {
    bytes.strip_prefix(BOM).unwrap_or(bytes).trim_ascii_start().starts_with(b"<")
}

/// Why XML has no URLs of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotUrls {
    Entity,
    TooMany,
    /// It is no XML from this byte on.
    Damaged(u64),
    Other,
}

/// Returns the texts of the elements `<loc>`, and whether they are of an index. Cost: linear.
fn locations(xml: &[u8]) -> Result<(Vec<Vec<u8>>, bool), NotUrls> {
    // The protocol asks for UTF-8.
    let xml = str::from_utf8(xml).map_err(|error| NotUrls::Damaged(error.valid_up_to() as u64))?;
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    // Sitemaps with a bare `&` in a URL are common, and mean what they seem to.
    config.allow_dangling_amp = true;
    let mut urls = Vec::new();
    // The element around all, once it has begun, and whether it has ended.
    let mut root: Option<&str> = None;
    let mut is_whole = false;
    // The text of the `<loc>` that is open.
    let mut open: Option<String> = None;
    loop {
        let event = reader.read_event().map_err(|_| NotUrls::Damaged(reader.error_position()))?;
        match event {
            Event::DocType(text) if text.contains('[') || text.contains("ENTITY") => {
                return Err(NotUrls::Entity);
            }
            Event::End(tag) if root == Some(tag.name().as_ref()) => is_whole = true,
            Event::Start(ref tag) | Event::Empty(ref tag) if root.is_none() => {
                root = ROOTS.into_iter().find(|root| tag.name().as_ref() == *root);
                is_whole = matches!(event, Event::Empty(_));
                if root.is_none() {
                    return Err(NotUrls::Other);
                }
            }
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
            Event::Eof if !is_whole => {
                return Err(root.map_or(NotUrls::Other, |_| NotUrls::Damaged(reader.buffer_position())));
            }
            Event::Eof => return Ok((urls, root == Some(INDEX))),
            _ => {}
        }
    }
}

/// The element around the sitemaps of an index.
const INDEX: &str = "sitemapindex";
const ROOTS: [&str; 2] = ["urlset", INDEX];

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
        let (urls, _) = locations(text.as_bytes())?;
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
            ("<sitemapindex><sitemap><loc>https://h/s.xml</loc></sitemap>", NotUrls::Damaged(59)),
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
    fn an_index_is_told_from_a_sitemap() {
        let index = "<sitemapindex><sitemap><loc>https://h/s.xml</loc></sitemap></sitemapindex>";
        assert_eq!(locations(index.as_bytes()), Ok((vec![b"https://h/s.xml".to_vec()], true)));
    }

    #[test]
    fn an_index_has_no_more_urls_than_a_sitemap() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: String| std::fs::write(folder.path().join(name), text).expect("written");
        let index = |names: &[&str]| {
            let locations = names.iter().map(|name| format!("<sitemap><loc>https://h/{name}</loc></sitemap>"));
            file("index.xml", format!("<sitemapindex>{}</sitemapindex>", locations.collect::<String>()));
            let mut count = 0;
            let add = |_: &str, urls: Vec<Vec<u8>>| {
                count += urls.len();
                Ok(())
            };
            let read = each(folder.path().join("index.xml").as_os_str(), |_| Ok(()), add);
            (count, format!("{read:?}"))
        };
        file("many.txt", "/\n".repeat(MAX_URLS));
        file("one.txt", "/".to_owned());
        assert_eq!(index(&["many.txt", "many.txt"]), (MAX_URLS, "Ok(())".to_owned()));
        let (count, failure) = index(&["many.txt", "one.txt"]);
        assert_eq!(count, MAX_URLS);
        assert!(failure.contains("its sitemaps have more than a million URLs"), "{failure}");
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
