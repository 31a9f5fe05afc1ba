//! Names of origins in manifests and file names, and the URLs of robots.txt that they stand for.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use robotsc_frontier::origin::Origin;
use url::Url;

/// Returns the URLs that an origin stands for as a manifest writes it: `https://example.com:8443`, with or without the
/// path `/` or `/robots.txt`, or a bare host, `example.com` or `example.com:8443`.
///
/// A bare host stands for `http` and `https`; with port 80 or 443 for the one whose port it is.
pub(crate) fn of_origin(origin: &str) -> Option<Vec<String>> {
    if let Some((scheme, rest)) = origin.split_once("://") {
        let host = rest.strip_suffix("/robots.txt").or_else(|| rest.strip_suffix('/')).unwrap_or(rest);
        return (is_scheme(scheme) && is_host(host)).then(|| vec![format!("{scheme}://{host}/robots.txt")]);
    }
    let (host, port) = match origin.rsplit_once(':') {
        // The colons of an IPv6 address stand in brackets.
        Some((host, port)) if is_port(port) => (host, Some(port)),
        _ => (origin, None),
    };
    bare(host, port)
}

/// Returns the URLs that a file stands for by its name: `example.com.txt`, `example.com_8443.txt`,
/// `https_example.com.txt` or `https_example.com_8443.txt`. A file `robots.txt`, as mirrors keep it in a folder for
/// each host, does not say whose it is.
pub(crate) fn of_file_name(name: &str) -> Option<Vec<String>> {
    let name = name.strip_suffix(".txt").filter(|name| *name != "robots")?;
    let (host, port) = match name.rsplit_once('_') {
        Some((host, port)) if is_port(port) => (host, Some(port)),
        _ => (name, None),
    };
    if let Some((scheme, host)) = host.split_once('_')
        && is_scheme(scheme)
    {
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        return is_host(host).then(|| vec![format!("{scheme}://{host}{port}/robots.txt")]);
    }
    bare(host, port)
}

/// Reports whether a file is named after one origin, and not after a host.
pub(crate) fn is_of_one_origin(name: &[u8]) -> bool {
    str::from_utf8(name).ok().and_then(of_file_name).is_some_and(|urls| urls.len() == 1)
}

/// The origins that files are named after, each alone. In their folder they count for it, and the file of the bare host
/// for the rest.
///
/// By hashes with random keys: an archive can have millions of names.
#[derive(Debug, Default)]
pub(crate) struct NamedOrigins {
    hasher: RandomState,
    known: HashSet<u64>,
}

impl NamedOrigins {
    /// Adds the origin of a file of a folder by its name, if it is named after one alone.
    pub(crate) fn add(&mut self, folder: &[u8], name: &[u8]) {
        if let Some(urls) = str::from_utf8(name).ok().and_then(of_file_name)
            && let [url] = &*urls
            && let Some(key) = self.key(folder, url)
        {
            self.known.insert(key);
        }
    }

    /// Returns the URLs that a file of a folder stands for by its name.
    pub(crate) fn of_file_name(&self, folder: &[u8], name: &str) -> Option<Vec<String>> {
        let mut urls = of_file_name(name)?;
        if urls.len() > 1 {
            urls.retain(|url| self.key(folder, url).is_none_or(|key| !self.known.contains(&key)));
        }
        Some(urls)
    }

    fn key(&self, folder: &[u8], url: &str) -> Option<u64> {
        Some(self.hasher.hash_one((folder, Origin::of_url(url.as_bytes()).ok()?)))
    }
}

fn bare(host: &str, port: Option<&str>) -> Option<Vec<String>> {
    // The colons of an IPv6 address stand in brackets; others are no part of a host.
    if !is_host(host) || host.contains(':') && !host.starts_with('[') {
        return None;
    }
    Some(match port {
        None => vec![format!("http://{host}/robots.txt"), format!("https://{host}/robots.txt")],
        Some("80") => vec![format!("http://{host}/robots.txt")],
        Some("443") => vec![format!("https://{host}/robots.txt")],
        Some(port) => vec![format!("http://{host}:{port}/robots.txt"), format!("https://{host}:{port}/robots.txt")],
    })
}

fn is_scheme(scheme: &str) -> bool {
    ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
}

/// Reports whether a text may be a host, or a host and port: what is left to find out is for who reads the URL.
fn is_host(host: &str) -> bool {
    !host.is_empty()
        && host.len() <= 1024
        && !host.contains(|char: char| char.is_control() || char.is_whitespace() || "/\\?#@<>\"".contains(char))
}

/// Reports whether a URL names the robots.txt of its origin: that path and no query (RFC 9309, section 2.3).
pub(crate) fn is_robots_txt(url: &[u8]) -> bool {
    const PATH: &[u8] = b"/robots.txt";
    let url = url.split(|byte| *byte == b'#').next().unwrap_or_default();
    let Some(origin) = url.strip_suffix(PATH) else { return false };
    // Two slashes, after the scheme, come before the host; a third would begin a path.
    has_web_scheme(url)
        && origin.iter().filter(|byte| matches!(byte, b'/' | b'\\')).count() == 2
        && !origin.contains(&b'?')
}

/// Reports whether a URL is one of the schemes that robots.txt is for.
pub(crate) fn has_web_scheme(url: &[u8]) -> bool {
    let head = url.iter().position(|byte| *byte == b':').and_then(|at| url.split_at_checked(at));
    head.is_some_and(|(scheme, rest)| str::from_utf8(scheme).is_ok_and(is_scheme) && rest.starts_with(b"://"))
}

/// What is wrong with a file that is named after a host and holds URLs.
pub(crate) const URL_LIST: &str =
    "it holds URLs, not a robots.txt: sources are captures of robots.txt, and a list of URLs is for 'robotsc filter'";

/// How much of a body is read to find out whether it is a list of URLs, in bytes.
const URL_LIST_HEAD: usize = 4096;

/// Reports whether a body is a list of URLs: each of its first lines is one, but for empty ones.
pub(crate) fn is_url_list(body: &[u8]) -> bool {
    let head = body.get(..URL_LIST_HEAD).unwrap_or(body);
    let mut lines =
        head.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    // Of a long list the last line may be cut, which its start survives, unless that is cut, too.
    lines.next().is_some_and(has_web_scheme) && lines.all(|line| has_web_scheme(line) || head.ends_with(line))
}

/// Returns a URL in the one form in which redirects and captures are compared: normalized, without user or fragment.
pub(crate) fn normal(url: &[u8]) -> Option<Url> {
    let mut url = Url::parse(str::from_utf8(url).ok()?).ok()?;
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    matches!(url.scheme(), "http" | "https" | "ftp").then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn are(got: Option<Vec<String>>, urls: &[&str]) {
        let urls: Vec<String> = urls.iter().map(|origin| format!("{origin}/robots.txt")).collect();
        assert_eq!(got.unwrap_or_default(), urls);
    }

    #[test]
    fn file_names_stand_for_origins() {
        are(of_file_name("a.example.txt"), &["http://a.example", "https://a.example"]);
        are(of_file_name("a.example_443.txt"), &["https://a.example"]);
        are(of_file_name("a.example_80.txt"), &["http://a.example"]);
        are(of_file_name("a.example_8080.txt"), &["http://a.example:8080", "https://a.example:8080"]);
        are(of_file_name("https_a.example.txt"), &["https://a.example"]);
        are(of_file_name("ftp_a.example_2121.txt"), &["ftp://a.example:2121"]);
        are(of_file_name("a_b.example.txt"), &["http://a_b.example", "https://a_b.example"]);
        are(of_file_name("[2001:db8::1].txt"), &["http://[2001:db8::1]", "https://[2001:db8::1]"]);
        for name in ["a.example", ".txt", "robots.txt", "a b.txt", "https_.txt", "a@b.txt", "a\\b.txt"] {
            assert_eq!(of_file_name(name), None, "{name}");
        }
    }

    #[test]
    fn origins_are_urls_or_hosts() {
        are(of_origin("HTTPS://a.example:8443/"), &["HTTPS://a.example:8443"]);
        are(of_origin("http://a.example/robots.txt"), &["http://a.example"]);
        are(of_origin("a.example:443"), &["https://a.example"]);
        are(of_origin("[::1]"), &["http://[::1]", "https://[::1]"]);
        are(of_origin("[::1]:81"), &["http://[::1]:81", "https://[::1]:81"]);
        for origin in ["", "mailto:a", "http://", "http://a/b", "http://a?b", "gopher://a", "a b", "a:b:1", "::1"] {
            assert_eq!(of_origin(origin), None, "{origin}");
        }
    }

    #[test]
    fn lists_of_urls_are_no_robots_txt() {
        let long = "https://a.example/\n".repeat(1000);
        for list in ["https://a.example/", "\r\n\nHTTP://a.example\n\nhttps://b.example/ \n", "ftp://a/\nhtt", &long] {
            assert!(is_url_list(list.as_bytes()), "{list}");
        }
        for body in [
            "",
            "\n\n",
            "User-agent: *\nDisallow: /\n",
            "https://a.example/\nUser-agent: *\nDisallow: /\n",
            "# https://a.example/\nUser-agent: *\n",
            "Sitemap: https://a.example/sitemap.xml\n",
            "mailto:a@b.example\n",
        ] {
            assert!(!is_url_list(body.as_bytes()), "{body}");
        }
    }

    #[test]
    fn only_the_file_of_the_origin_counts() {
        for url in ["http://a/robots.txt", "HTTPS://a:8443/robots.txt", "ftp://a/robots.txt#x"] {
            assert!(is_robots_txt(url.as_bytes()), "{url}");
        }
        for url in [
            "http://a/b/robots.txt",
            "http://a/robots.txt?x",
            "http://a/Robots.txt",
            "dns:a/robots.txt",
            "http://a?/robots.txt",
            "robots.txt",
            "/robots.txt",
            "http:///robots.txt/",
        ] {
            assert!(!is_robots_txt(url.as_bytes()), "{url}");
        }
    }
}
