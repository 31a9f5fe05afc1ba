//! Origins of real URLs: the fast path and the `url` crate find the same, and the path is the one that the dialect
//! takes in.
#![cfg(feature = "frontier")]

mod shared_data;

use std::fs;

use proptest::prelude::*;
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
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        asked.extend(lines.filter_map(|line| line.split(|byte| *byte == b'\t').nth(number)).map(<[u8]>::to_vec));
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
                    let path = dialect.url_path(url).expect("it has a path");
                    assert_eq!(split.path, path, "{} {shown}", dialect.name);
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

/// URLs of parts that are right, and of parts that are not.
fn urls() -> impl Strategy<Value = String> {
    let scheme = prop_oneof![
        6 => "https?://",
        1 => "ftp://",
        1 => "(HTTP|Https|ws|mailto):/{0,3}",
        1 => "[ \\t]?http:[/\\\\]{0,3}",
    ];
    let user = prop_oneof![8 => Just(String::new()), 1 => "[a-z;:%#?/\\\\]{0,4}@{1,2}"];
    let label = "[a-z0-9]{1,4}|\
        [a-zA-Z0-9_-]{0,5}|xn--[a-z0-9-]{0,6}|[\u{e4}\u{df}\u{130}\u{3002}\u{ff0f}\u{200d}]{1,2}|\
        %[0-9a-f]{2}|0x[0-9a-f]{1,3}|[0-9]{1,3}";
    let name = prop::collection::vec(label, 1..4).prop_map(|labels| labels.join("."));
    let host = prop_oneof![
        8 => name,
        1 => "[0-9]{1,3}(\\.[0-9]{1,3}){0,4}",
        1 => "\\[[0-9a-f:.]{0,9}\\]?",
        1 => "[a-z;\t\n \\\\|<^]{1,4}",
    ];
    let after = prop_oneof![6 => Just(String::new()), 1 => "\\.{1,2}", 2 => ":[0-9]{0,6}", 1 => ":(80|443|21|0080|x)"];
    let path = prop_oneof![4 => "(/[a-z0-9.-]{0,4}){0,3}", 2 => "[/?#;\\\\][a-z%*$ \u{e4}?#/:;\t]{0,8}"];
    (scheme, user, host, after, path)
        .prop_map(|(scheme, user, host, after, path)| scheme + &user + &host + &after + &path)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: if shared_data::full() { 50_000 } else { 2_000 },
        ..ProptestConfig::default()
    })]

    #[test]
    fn made_urls(url in urls()) {
        let other = of_url_crate(url.as_bytes());
        if let Some(plain) = PlainUrl::split(url.as_bytes()) {
            prop_assert_eq!(Some(plain.origin), other.as_ref().map(String::as_bytes));
        }
        let found = Origin::of_url(url.as_bytes());
        if let Ok(origin) = &found {
            prop_assert_eq!(Some(origin.as_str()), other.as_deref(), "what has an origin here has the same one there");
            prop_assert_eq!(&Origin::parse(origin.as_bytes()), &found);
        }
        for dialect in Dialect::ALL {
            match origin::split(dialect, url.as_bytes()) {
                Ok(split) => {
                    prop_assert_eq!(Ok(&*split.origin), found.as_ref().map(Origin::as_bytes));
                    let path = dialect.url_path(&url).expect("it has a path");
                    prop_assert_eq!(&split.path, &path);
                }
                Err(error) => prop_assert_eq!(Err(&error), found.as_ref()),
            }
        }
    }
}
