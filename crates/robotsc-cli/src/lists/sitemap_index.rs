//! Which files the sitemaps of an index are.
//!
//! ```text
//! https://shop.example/sitemaps/mugs.xml.gz    ->    mugs.xml.gz
//! https://shop.example/mugs.xml?page=2         ->    mugs.xml?page=2, else mugs.xml
//! https://shop.example/big%20mugs.xml          ->    big%20mugs.xml, else big mugs.xml
//! ```

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use robotsc_answers::shown;

/// The maximum number of sitemaps of an index, which is that of the protocol.
const MAX_SITEMAPS: usize = 50_000;

/// Returns the files of an index, in its order: each stands beside it, under the last part of its URL. A sitemap that
/// is listed again is left out.
///
/// # Errors
/// What is wrong with the index, and what to do: it lists too many, or one that is not beside it, or two that would be
/// one file.
pub(super) fn files(index: &Path, urls: &[Vec<u8>]) -> Result<Vec<PathBuf>, (String, &'static str)> {
    if urls.len() > MAX_SITEMAPS {
        return Err((format!("it lists more than {MAX_SITEMAPS} sitemaps, which no index may"), "split it"));
    }
    let mut listed = HashSet::new();
    let urls: Vec<&[u8]> = urls.iter().map(|url| without_fragment(url)).filter(|url| listed.insert(*url)).collect();
    let files: Vec<Option<PathBuf>> = urls.iter().map(|url| beside(index, url)).collect();
    if let Some(at) = files.iter().position(Option::is_none) {
        let count = files.iter().filter(|file| file.is_none()).count();
        return Err((
            format!("it lists sitemaps that are not beside it: {count}, the first {}", shown::bytes(urls[at])),
            "download them into its folder, or give those that matter with --sitemap each",
        ));
    }
    let files: Vec<PathBuf> = files.into_iter().flatten().collect();
    let mut read: HashMap<&Path, &[u8]> = HashMap::new();
    for (file, url) in files.iter().zip(&urls) {
        if let Some(other) = read.insert(file, url) {
            let name = shown::bytes(file.as_os_str().as_encoded_bytes());
            return Err((
                format!("{} and {} would both be {name}", shown::bytes(other), shown::bytes(url)),
                "save the one with `?` under its whole name, or give each with --sitemap",
            ));
        }
    }
    Ok(files)
}

/// Returns a URL without what no server sees.
fn without_fragment(url: &[u8]) -> &[u8] {
    url.split(|byte| *byte == b'#').next().unwrap_or(url)
}

/// Returns the file beside an index that has the last part of a URL as its name. `None` if there is none.
fn beside(index: &Path, url: &[u8]) -> Option<PathBuf> {
    names(url).iter().map(|name| index.with_file_name(name)).find(|file| file.exists())
}

/// Returns the names that the file of a URL may have, the most exact first. None of them leads elsewhere.
fn names(url: &[u8]) -> Vec<String> {
    let Ok(url) = str::from_utf8(url) else { return Vec::new() };
    let (path, query) = url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
    let Some((_, name)) = path.rsplit_once('/') else { return Vec::new() };
    let whole = query.map(|query| format!("{name}?{query}"));
    let written = whole.into_iter().chain([name.to_owned()]);
    let names = written.flat_map(|name| {
        let plain = match percent_decode_str(&name).decode_utf8() {
            Ok(Cow::Owned(plain)) => Some(plain),
            _ => None,
        };
        iter::once(name).chain(plain)
    });
    let is_name = |name: &String| !matches!(name.as_str(), "" | "." | "..") && !name.contains(['/', '\\', ':', '\0']);
    names.filter(is_name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_url() {
        for (url, wanted) in [
            ("https://h/maps/a.xml", &["a.xml"][..]),
            ("https://h/a.xml.gz?v=2", &["a.xml.gz?v=2", "a.xml.gz"]),
            ("https://h/p%206.xml", &["p%206.xml", "p 6.xml"]),
            ("https://h/a?to=/b", &["a"]),
            ("https://h/a?..", &["a?..", "a"]),
            ("https://h/%2E%2E", &["%2E%2E"]),
            ("https://h/..%2Fa", &["..%2Fa"]),
            ("https://h/..%5Ca", &["..%5Ca"]),
            ("https://h/a%00", &["a%00"]),
            ("https://h/a%FF", &["a%FF"]),
            ("https://h/?a", &["?a"]),
            ("https://h/maps/", &[]),
            ("https://h/..", &[]),
            ("https://h/..\\a.xml", &[]),
            ("https://h/c:a.xml", &[]),
            ("a.xml", &[]),
        ] {
            assert_eq!(names(url.as_bytes()), wanted, "{url}");
        }
    }

    #[test]
    fn files_of_an_index() {
        let folder = tempfile::tempdir().expect("a folder");
        let all = [
            "a.xml",
            "p 6.xml",
            #[cfg(unix)]
            "q.xml?page=1",
            "q.xml",
        ];
        all.iter().for_each(|name| std::fs::write(folder.path().join(name), "").expect("written"));
        let index = folder.path().join("index.xml");
        let of = |urls: &[&str]| {
            let urls: Vec<Vec<u8>> = urls.iter().map(|url| url.as_bytes().to_vec()).collect();
            files(&index, &urls).map(|files| {
                files.iter().map(|file| file.file_name().expect("a name").to_string_lossy().into_owned()).collect()
            })
        };
        let found = |urls: &[&str]| -> Vec<String> { of(urls).expect("files") };
        assert_eq!(found(&["https://h/a.xml", "https://h/p%206.xml", "https://h/a.xml"]), ["a.xml", "p 6.xml"]);
        assert_eq!(found(&["https://h/a.xml#b", "https://h/a.xml"]), ["a.xml"]);
        #[cfg(unix)]
        assert_eq!(found(&["https://h/q.xml?page=1", "https://h/q.xml?page=2"]), ["q.xml?page=1", "q.xml"]);
        let wrong = |urls: &[&str]| -> String { of(urls).map(|files: Vec<String>| files.concat()).unwrap_err().0 };
        for (urls, wanted) in [
            (["https://h/en/a.xml", "https://h/de/a.xml"], "https://h/en/a.xml and https://h/de/a.xml would both be"),
            (["https://h/q.xml?page=3", "https://h/q.xml?page=2"], "https://h/q.xml?page=3 and https://h/q.xml?page=2"),
            (["https://h/a.xml", "https://i/a.xml"], "https://h/a.xml and https://i/a.xml would both be"),
            (["https://h/none.xml", "https://h/a.xml"], "not beside it: 1, the first https://h/none.xml"),
        ] {
            assert!(wrong(&urls).contains(wanted), "{}", wrong(&urls));
        }
        let many = vec!["https://h/a.xml"; MAX_SITEMAPS + 1];
        assert!(wrong(&many).contains("more than 50000 sitemaps"));
        assert_eq!(found(&many[1..]), ["a.xml"]);
    }
}
