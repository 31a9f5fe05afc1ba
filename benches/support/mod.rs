//! robots.txt files of the shape of real ones, and URLs near their rules, the same in every run.
//!
//! The shape is that of 4,231 files fetched from the largest sites: rules a file p50 12, p90 81, p99 472; 46 % of the
//! files hold a `*` in a rule, 14 % a `$`. URLs are made from the rules (extended, missed by a byte) or from nothing,
//! with lengths of p50 about 28 and p90 about 80 bytes.

// Every suite is a crate of its own and uses its own part of this module.
#![allow(dead_code, reason = "each suite uses a part")]

pub(crate) mod random;

use random::SplitMix64;
use robotsc::{Crawler, RobotsTxt, RuleSet};

/// Who asks in all suites.
pub(crate) const AGENT: &str = "FooBot";

/// URLs that each site is asked.
const URLS: usize = 50;

/// One site: its robots.txt and the URLs that are asked of it.
pub(crate) struct Site {
    pub(crate) body: Vec<u8>,
    /// URLs in whole.
    pub(crate) urls: Vec<String>,
    /// The path and query of each.
    pub(crate) paths: Vec<String>,
    /// Rules of the group for everybody.
    pub(crate) rules: usize,
    pub(crate) has_star: bool,
    pub(crate) has_dollar: bool,
}

impl Site {
    /// The rules that [`AGENT`] obeys.
    pub(crate) fn rule_set(&self) -> RuleSet {
        RobotsTxt::parse(&self.body).rule_set(&Crawler::new(AGENT).expect("a name"))
    }
}

/// Sites with the given seed.
pub(crate) fn sites(count: usize, seed: u64) -> Vec<Site> {
    let mut random = SplitMix64::new(seed);
    (0..count)
        .map(|_| {
            let rules = rule_count(&mut random);
            let (star, dollar) = (random.chance(46), random.chance(30));
            site(&mut random, rules, star, star && dollar)
        })
        .collect()
}

/// Sites with so many rules each.
pub(crate) fn sites_with_rules(count: usize, rules: usize, wild: bool, seed: u64) -> Vec<Site> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(|_| site(&mut random, rules, wild, wild)).collect()
}

/// The number of rules at points of the distribution; between them it grows by a constant factor.
const RULES: [(f64, f64); 6] = [(0.0, 1.0), (0.1, 2.0), (0.5, 12.0), (0.9, 81.0), (0.99, 472.0), (1.0, 4000.0)];

fn rule_count(random: &mut SplitMix64) -> usize {
    let at = random.fraction();
    let upper = RULES.iter().position(|(point, _)| *point >= at).unwrap_or(RULES.len() - 1).max(1);
    let ((low, few), (high, many)) = (RULES[upper - 1], RULES[upper]);
    (few * (many / few).powf((at - low) / (high - low))).round() as usize
}

const WORDS: &[&str] = &[
    "account", "admin", "ajax", "api", "archive", "article", "assets", "author", "basket", "blog", "browse", "cart",
    "catalog", "category", "cgi-bin", "checkout", "comment", "content", "customer", "download", "en", "feed", "forum",
    "help", "image", "includes", "index", "item", "js", "list", "login", "media", "member", "news", "order", "page",
    "print", "product", "profile", "review", "search", "shop", "static", "tag", "tmp", "user", "video", "wp-admin",
];

const ENDINGS: &[&str] = &[".php", ".html", ".asp", ".pdf", ".jsp", ".aspx", ".xml", ".js"];

const QUERIES: &[&str] = &["sort=", "page=", "sid=", "utm_source=", "filter=", "q=", "view=", "ref="];

fn word(random: &mut SplitMix64, out: &mut String) {
    out.push_str(random.of(WORDS));
    if random.chance(35) {
        out.push(random.of(&['-', '_', '.']));
        for _ in 0..2 + random.below(4) {
            out.push(char::from(b'a' + random.below(26) as u8));
        }
    }
}

/// A plain pattern of one to four segments.
fn plain(random: &mut SplitMix64) -> String {
    let mut pattern = String::new();
    for _ in 0..1 + random.below(3) {
        pattern.push('/');
        word(random, &mut pattern);
    }
    match random.below(10) {
        0..=4 => pattern.push('/'),
        5..=6 => pattern.push_str(random.of(ENDINGS)),
        7 => {
            pattern.push('?');
            pattern.push_str(random.of(QUERIES));
        }
        _ => {}
    }
    pattern
}

/// A pattern with one or two stars.
fn starred(random: &mut SplitMix64) -> String {
    let mut pattern = String::from("/");
    match random.below(6) {
        0 => {
            pattern.push_str("*?");
            pattern.push_str(random.of(QUERIES));
        }
        1 => {
            pattern.push_str("*/");
            word(random, &mut pattern);
            pattern.push('/');
        }
        2 => {
            pattern.push('*');
            pattern.push_str(random.of(ENDINGS));
        }
        3 => {
            word(random, &mut pattern);
            pattern.push_str("/*/");
            word(random, &mut pattern);
        }
        4 => {
            word(random, &mut pattern);
            pattern.push_str("*&");
            pattern.push_str(random.of(QUERIES));
        }
        _ => {
            word(random, &mut pattern);
            pattern.push_str("/*/*");
            pattern.push_str(random.of(ENDINGS));
        }
    }
    pattern
}

fn site(random: &mut SplitMix64, rules: usize, star: bool, dollar: bool) -> Site {
    let mut patterns = Vec::with_capacity(rules);
    for number in 0..rules {
        let wild = star && (number == 0 || random.chance(35));
        let mut pattern = if wild { starred(random) } else { plain(random) };
        if dollar && (number == 0 || random.chance(10)) {
            pattern.push('$');
        }
        patterns.push(pattern);
    }
    let host = format!("www.{}{}.example", random.of(WORDS), random.below(1000));
    let paths: Vec<String> = (0..URLS).map(|_| path(random, &patterns)).collect();
    Site {
        body: body(random, &host, &patterns),
        urls: paths.iter().map(|path| format!("https://{host}{path}")).collect(),
        paths,
        rules,
        has_star: patterns.iter().any(|pattern| pattern.contains('*')),
        has_dollar: patterns.iter().any(|pattern| pattern.contains('$')),
    }
}

fn body(random: &mut SplitMix64, host: &str, patterns: &[String]) -> Vec<u8> {
    let mut text = String::new();
    if random.chance(40) {
        text.push_str(&format!("# robots.txt of {host}\n\n"));
    }
    if random.chance(30) {
        for bot in ["Mediapartners-Google", "AhrefsBot", "Yandex"].into_iter().take(1 + random.below(3) as usize) {
            text.push_str(&format!(
                "User-agent: {bot}\n{}\n\n",
                random.of(&["Disallow: /", "Disallow:", "Crawl-delay: 10"])
            ));
            text.push_str("Disallow: /private\n\n");
        }
    }
    text.push_str("User-agent: *\n");
    for pattern in patterns {
        let key = if random.chance(15) { "Allow" } else { "Disallow" };
        text.push_str(&format!("{key}: {pattern}"));
        if random.chance(3) {
            text.push_str(" # see the handbook");
        }
        text.push('\n');
        if random.chance(4) {
            text.push_str("\n# next part\n");
        }
    }
    if random.chance(60) {
        text.push_str(&format!("\nSitemap: https://{host}/sitemap.xml\n"));
    }
    if random.chance(20) { text.replace('\n', "\r\n").into_bytes() } else { text.into_bytes() }
}

/// A path that a rule matches, one that it misses by a byte, or one that has nothing to do with the rules.
fn path(random: &mut SplitMix64, patterns: &[String]) -> String {
    let mut path = match (random.below(10), patterns.is_empty()) {
        (0..=2, false) => filled(random, patterns),
        (3..=5, false) => {
            let near = filled(random, patterns);
            let at = 1 + random.below(near.len() as u64) as usize;
            let mut missed = near[..at.min(near.len())].to_owned();
            missed.push('~');
            missed.push_str(near.get(at + 1..).unwrap_or_default());
            missed
        }
        _ => plain(random),
    };
    if random.chance(15) {
        path.push_str(&format!("?{}{}", random.of(QUERIES), random.below(100_000)));
    }
    let longer = match random.below(100) {
        0 => 1500,
        1..=8 => 80,
        _ => 0,
    };
    while path.len() < longer {
        path.push('/');
        word(random, &mut path);
    }
    path
}

/// A path that one of the patterns matches.
fn filled(random: &mut SplitMix64, patterns: &[String]) -> String {
    let pattern = &patterns[random.below(patterns.len() as u64) as usize];
    let mut path = String::new();
    for byte in pattern.trim_end_matches('$').chars() {
        match byte {
            '*' => word(random, &mut path),
            byte => path.push(byte),
        }
    }
    if !pattern.ends_with('$') && random.chance(70) {
        word(random, &mut path);
    }
    path
}
