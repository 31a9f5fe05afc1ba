//! Origins of real URLs: the fast path and the `url` crate find the same, and the path is the one that the dialect takes in.
#![cfg(feature = "frontier")]

mod shared_data;

use std::fs;

use robotsc::Dialect;
use robotsc::origin::{self, Origin};
use robotsc_runtime::url::PlainUrl;
use url::{Host, Url};

/// The origin as the `url` crate has it, of URLs that it takes.
fn of_url_crate(url: &[u8]) -> Option<String> {
    let url = Url::parse(str::from_utf8(url).ok()?).ok()?;
    if !matches!(url.scheme(), "http" | "https" | "ftp") {
        return None;
    }
    let host = match url.host()? {
        Host::Domain(name) => name.strip_suffix('.').unwrap_or(name).to_owned(),
        address => address.to_string(),
    };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}://{host}{port}", url.scheme()))
}

#[test]
fn real_urls() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let mut asked: Vec<Vec<u8>> = Vec::new();
    let column = |name: &str, number: usize, asked: &mut Vec<Vec<u8>>| {
        let text = fs::read(corpus.join(name)).expect("the list is readable");
        let lines = text.split(|octet| *octet == b'\n').filter(|line| !line.is_empty());
        asked.extend(lines.filter_map(|line| line.split(|octet| *octet == b'\t').nth(number)).map(<[u8]>::to_vec));
    };
    column("urls.txt", 0, &mut asked);
    let real = asked.len();
    for name in ["frontier.tsv", "verdicts.tsv", "verdicts-modern.tsv"] {
        column(name, 1, &mut asked);
    }
    // Reading all with the url crate takes long without optimisation.
    let every = if shared_data::full() { 1 } else { 8 };
    let (mut plain, mut plain_real, mut refused) = (0, 0, 0);
    for (number, url) in asked.iter().enumerate() {
        let shown = url.escape_ascii();
        if let Some(split) = PlainUrl::split(url) {
            plain += 1;
            plain_real += usize::from(number < real);
            if number % every != 0 {
                continue;
            }
            assert_eq!(Some(str::from_utf8(split.origin).unwrap()), of_url_crate(url).as_deref(), "{shown}");
        }
        match Origin::of_url(url) {
            Ok(origin) => {
                // The url crate mends more than is taken here; where both take a URL they agree.
                if let Some(other) = of_url_crate(url) {
                    assert_eq!(origin.as_str(), other, "{shown}");
                }
                for dialect in Dialect::ALL {
                    let split = origin::split(dialect, url).expect("it has an origin");
                    assert_eq!(*split.origin, *origin.as_bytes(), "{shown}");
                    let path = dialect.intake(url).expect("it has a path");
                    assert_eq!(*split.path, *path.as_bytes(), "{} {shown}", dialect.name);
                }
            }
            Err(_) => {
                refused += 1;
                for dialect in Dialect::ALL {
                    assert!(origin::split(dialect, url).is_err(), "{shown}");
                }
            }
        }
    }
    let share = |part: usize, all: usize| 100.0 * part as f64 / all as f64;
    println!(
        "{} URLs: plain {:.2} % of the real ones, {:.2} % of all; {refused} refused",
        asked.len(),
        share(plain_real, real),
        share(plain, asked.len())
    );
    assert!(plain_real * 100 > real * 95, "{plain_real} of {real}");
}
