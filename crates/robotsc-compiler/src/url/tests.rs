use proptest::prelude::*;

use super::host::HostProblem;
use super::*;

fn path_of(dialect: &Dialect, url: &str) -> Result<String, Kind> {
    let path = dialect.url_path(url).map_err(|error| error.0)?;
    Ok(String::from_utf8(path.as_bytes().to_vec()).expect("normalized paths are ASCII"))
}

#[test]
fn urls_have_the_same_path_in_every_dialect() {
    for (url, path) in [
        ("http://example.com", "/"),
        ("https://example.com/", "/"),
        ("HTTP://example.com/a", "/a"),
        ("ftp://u:p@example.com:21/a/../b", "/b"),
        ("https://example.com/a/b?c=d&e=f#g#h", "/a/b?c=d&e=f"),
        ("https://example.com?q", "/?q"),
        ("https://example.com#q/r", "/"),
        ("https://example.com?q#r/s", "/?q"),
        ("https://example.com/%c3%a4/\u{e4}", "/%C3%A4/%C3%A4"),
        ("https://example.com/%zz%a", "/%zz%a"),
        ("https://example.com?\u{e4}", "/?%C3%A4"),
        ("  \thttps://example.com/a\r\n", "/a"),
        ("https://exam\tple.com/a\n/b", "/a/b"),
        ("https://example.com\\a\\b?c\\", "/a/b?c\\"),
        ("https://example.com/x/../private", "/private"),
        ("https://example.com/x/%2E%2e/private", "/private"),
        ("https://example.com/../../a", "/a"),
        ("https://example.com/a/..", "/"),
        ("https://example.com/a/.", "/a/"),
        ("https://example.com/a//../b", "/a/b"),
        ("https://example.com/a/...", "/a/..."),
        ("https://example.com//a", "//a"),
        ("https://example.com/a b\"", "/a%20b%22"),
        ("/a/b", "/a/b"),
        ("/a#b", "/a"),
        ("/..", "/"),
        ("\\a", "/a"),
        ("https://[::1]:8080/a", "/a"),
    ] {
        for dialect in Dialect::ALL {
            let path =
                if dialect.path_form() == PathForm::Escaped { path.to_owned() } else { path.replace('\\', "%5C") };
            assert_eq!(path_of(dialect, url), Ok(path), "{} {url}", dialect.name);
        }
    }
}

#[test]
fn urls_without_a_path_are_errors_everywhere() {
    for (url, kind) in [
        ("", Kind::Empty),
        ("  ", Kind::Empty),
        ("x", Kind::NoScheme),
        ("?a", Kind::NoScheme),
        ("example.com/a", Kind::NoScheme),
        ("localhost:8080/a", Kind::NoScheme),
        ("1http://h/a", Kind::NoScheme),
        ("mailto:me@example.com", Kind::OtherScheme),
        ("javascript://example.com/%0Aalert(1)", Kind::OtherScheme),
        ("data:text/html,a/b", Kind::OtherScheme),
        ("foo:", Kind::OtherScheme),
        ("ws://h/a", Kind::OtherScheme),
        ("file:///a", Kind::OtherScheme),
        ("//example.com/a", Kind::TwoSlashes),
        ("/\\example.com/a", Kind::TwoSlashes),
        ("http:", Kind::NoSlashes),
        ("http:example.com/a", Kind::NoSlashes),
        ("http:/h/a", Kind::NoSlashes),
        ("http:\\\\h/a", Kind::NoSlashes),
        ("http:///a", Kind::NoHost),
        ("http://?a", Kind::NoHost),
        ("http://:80/a", Kind::NoHost),
        ("http://u@/a", Kind::NoHost),
        ("http://h h/a", Kind::InHost(b' ')),
        ("http://h;x", Kind::InHost(b';')),
        ("http://u;p@h/a", Kind::InHost(b';')),
        ("http://a@b@h/a", Kind::TwoAts),
        ("http://h:99999/", Kind::Port),
        ("http://h:8x/", Kind::Port),
        ("http://[::1/", Kind::Address),
        ("http://[::x]/", Kind::Address),
        ("http://a]b/", Kind::InHost(b']')),
        ("http://a..b/", Kind::Host(HostProblem::EmptyLabel)),
        ("https://a../x", Kind::Host(HostProblem::EmptyLabel)),
        ("https://.a/x", Kind::Host(HostProblem::EmptyLabel)),
        ("https://a%2e.b/x", Kind::Host(HostProblem::EmptyLabel)),
        ("http://1.2.3.256/", Kind::Host(HostProblem::NotAnAddress)),
        ("http://a%2Fb/", Kind::Host(HostProblem::Byte(b'/'))),
        ("http://h/ok\rhttps://h/x", Kind::TwoUrls),
        ("http://h/ok\tHTTP://h/x", Kind::TwoUrls),
        ("http://h/ok http://h/x", Kind::TwoUrls),
        ("/ok\nftp://h/x", Kind::TwoUrls),
    ] {
        for dialect in Dialect::ALL {
            assert_eq!(path_of(dialect, url), Err(kind), "{} {url}", dialect.name);
        }
    }
}

#[test]
fn paths_are_in_the_form_of_the_dialect() {
    let url = "https://example.com/%61*$/ \u{e4}?u=http://h/%2f";
    assert_eq!(path_of(&Dialect::GOOGLE, url).unwrap(), "/%61*$/%20%C3%A4?u=http://h/%2F");
    assert_eq!(path_of(&Dialect::GOOGLE_2017, url).unwrap(), "/%61*$/%20%C3%A4?u=http://h/%2F");
}

#[test]
fn plain_urls_are_borrowed() {
    for dialect in Dialect::ALL {
        let path = dialect.url_path("https://example.com/a/b-c.html?d=e&f=1").unwrap();
        assert!(matches!(path.into_cow(), Cow::Borrowed(b"/a/b-c.html?d=e&f=1")));
    }
}

#[test]
fn the_fast_path_returns_what_the_slow_one_does() {
    let alphabet: [&[u8]; 17] = [
        b"/", b"?", b"#", b";", b"a", b":", b"@", b"%61", b"%aa", b"*", b" ", b"\\", b"\xE4", b"'", b"..", b"%2e",
        b"\t",
    ];
    let mut plain = 0;
    for number in 0..alphabet.len().pow(4) {
        let part = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
        let parts: Vec<&[u8]> = (0..4).map(part).collect();
        for start in [&b"http://"[..], b"https://h/", b"https://h/a?b=c"] {
            let url = [start, &parts.concat()].concat();
            for dialect in [&Dialect::GOOGLE, &Dialect::RFC9309, &Dialect::YANDEX] {
                plain += usize::from(plain_origin(&url).is_some());
                let (one, other) = (dialect.url_path(&url), any_url_path(&url, dialect.path_form()));
                assert_eq!(one, other, "{} {}", dialect.name, url.escape_ascii());
                // What is normalized is normalized as written.
                let Ok(path) = one else { continue };
                let again = dialect
                    .url_path(&[b"https://h", path.as_bytes()].concat())
                    .map(|path| path.into_cow().into_owned());
                assert_eq!(again.as_deref(), Ok(path.as_bytes()), "{} {}", dialect.name, url.escape_ascii());
                if dialect.path_form() == PathForm::Escaped && !path.as_bytes().starts_with(b"//") {
                    assert!(
                        UrlPath::new(path.as_bytes(), path.as_path().form()).is_ok(),
                        "{}",
                        path.as_bytes().escape_ascii()
                    );
                }
            }
        }
    }
    assert!(plain > 1_000, "{plain} of the URLs are plain");
}

/// Parts of URLs, chosen so that random strings of them are often accepted and often unusual.
const PARTS: [&str; 46] = [
    "shop-1_x",
    "index.html",
    "/",
    "/",
    "/",
    "\\",
    ".",
    "..",
    "/..",
    "/./",
    "%2e",
    "%2E",
    "?",
    "#",
    "a",
    "B",
    "z",
    "-",
    "_",
    "~",
    "\u{e9}",
    "\u{1f600}",
    " ",
    "%",
    "%zz",
    "%aa",
    "%41",
    "\t",
    "\n",
    ";",
    "@",
    ":",
    "'",
    "\"",
    "<",
    ">",
    "`",
    "{",
    "}",
    "|",
    "[",
    "*",
    "$",
    "&",
    "=",
    "\u{7f}",
];

fn parts(parts: &'static [&'static str], count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(parts), count).prop_map(|parts| parts.concat())
}

fn any_url() -> impl Strategy<Value = String> {
    let scheme = prop::sample::select(&["http", "https", "ftp", "HTTPS", " http"][..]);
    let user = prop::sample::select(&["", "", "", "user@", "user:word@", "%40@"][..]);
    let hosts =
        ["shop.example", "Shop.Example", "a", "h.", "xn--caf-dma.example", "127.0.0.1", "[::1]", "[2001:DB8::1]"];
    let port = prop::sample::select(&["", "", "", ":", ":80", ":443", ":21", ":8443", ":0", ":00080", ":65535"][..]);
    let host = prop::sample::select(hosts.to_vec());
    let path = (prop::sample::select(&["/", "/", "\\", "?", "#"][..]), parts(&PARTS, 0..12));
    (scheme, user, host, port, prop_oneof![1 => Just(("", String::new())), 9 => path])
        .prop_map(|(scheme, user, host, port, (start, path))| format!("{scheme}://{user}{host}{port}{start}{path}"))
}

/// Brings the digits of escapes to upper case.
fn with_upper_case_escapes(path: &str) -> Vec<u8> {
    let mut bytes = path.as_bytes().to_vec();
    for at in 0..bytes.len() {
        if bytes[at] == b'%' && bytes.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit)) {
            bytes[at + 1..at + 3].make_ascii_uppercase();
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn accepted_urls_agree_with_the_url_crate(text in any_url()) {
        for dialect in Dialect::ALL {
            let Ok(parts) = dialect.split_url(&text) else { continue };
            // The crate keeps a drive letter such as `a|` from dot segments; the standard does so for files alone.
            let is_drive = |part: &str| {
                matches!(part.as_bytes(), [letter, b'|' | b':', ..] if letter.is_ascii_alphabetic())
            };
            if text.split(['/', '\\']).skip(3).any(is_drive) {
                continue;
            }
            let url = ::url::Url::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(parts.scheme.name(), url.scheme());
            prop_assert_eq!(parts.port, url.port());
            let host = String::from_utf8_lossy(&parts.host).to_lowercase();
            prop_assert_eq!(Some(&*host), url.host_str());
            let asked = match url.query() {
                Some(query) => format!("{}?{query}", url.path()),
                None => url.path().to_owned(),
            };
            let form = dialect.path_form();
            let wanted = match form {
                PathForm::Escaped => with_upper_case_escapes(&asked),
                _ => normalize_form(asked.as_bytes(), form).into_owned(),
            };
            prop_assert_eq!(parts.path.as_bytes().escape_ascii().to_string(), wanted.escape_ascii().to_string());
            prop_assert_eq!(dialect.url_path(&text), Ok(parts.path));
        }
    }

    #[test]
    fn the_one_pass_agrees_with_the_slow_path(
        text in any_url(),
        start in "https?://[a-zA-Z0-9.-]{0,20}",
        end in parts(&PARTS, 0..60),
        byte in any::<u8>(),
    ) {
        let plain = [start.as_bytes(), b"/", end.as_bytes()].concat();
        let with_byte = [start.as_bytes(), &[byte], end.as_bytes(), &[byte]].concat();
        for url in [text.as_bytes(), &plain, &with_byte] {
            for dialect in Dialect::ALL {
                let slow = any_url_path(url, dialect.path_form());
                prop_assert_eq!(dialect.url_path(url), slow, "{} {}", dialect.name, url.escape_ascii());
            }
        }
    }

    #[test]
    fn a_checked_path_is_one_that_normalization_keeps(rest in parts(&PARTS, 0..24), byte in any::<u8>()) {
        for path in [format!("/{rest}").into_bytes(), [b"/a", &[byte][..], rest.as_bytes()].concat()] {
            // Two slashes start a host.
            prop_assume!(!matches!(path.as_slice(), [_, b'/' | b'\\', ..]));
            for dialect in Dialect::ALL {
                let form = dialect.path_form();
                // Step by step: `url_path` itself asks the same check first.
                let is_kept = *normalize_form(&resolve(&path), form) == *path;
                prop_assert_eq!(UrlPath::new(&path, form).is_ok(), is_kept, "{} {}", form, path.escape_ascii());
            }
        }
    }
}
