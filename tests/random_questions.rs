//! Random questions, wrong ones above all, from a seed: none is allowed that the naive reference matcher does not.
//!
//! `ROBOTSC_QUESTIONS=50000000 ROBOTSC_BODIES=1000000 cargo test --release --test random_questions` is the long form;
//! `ROBOTSC_SEED` takes another seed.
#![cfg(feature = "frontier")]

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use robotsc::embed::Set;
use robotsc::frontier::Frontier;
use robotsc::internal::reference;
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, Response, Time};
use robotsc::pack::{Pack, PackBuilder, PackOptions};
use robotsc::program::ProgramBuf;
use robotsc::{AgentName, Compiler, Crawler, Dialect, RobotsTxt, RuleSet, UrlPath};
use robotsc_macros::include_rules;

static HYGIENE: &Set<'static> = include_rules!("rules", "crawl-hygiene");
const NOW: Time = Time(1_790_000_000);
const AGENT: &str = "FooBot";
/// Files of each dialect.
const FILES: usize = 12;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn of<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.below(all.len())]
    }

    fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }
}

/// Returns a number of the environment.
fn number(name: &str, short: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(short)
}

/// Runs `work` on all cores with a generator each, `count` times in all.
fn on_all_cores(count: u64, work: impl Fn(&mut Random, u64) + Sync) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let seed = number("ROBOTSC_SEED", 20_261_125);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let work = &work;
            scope.spawn(move || work(&mut Random(seed ^ core << 48), count.div_ceil(cores)));
        }
    });
}

const PATHS: [&str; 16] = [
    "/",
    "/cart",
    "/cart/",
    "/a",
    "/a/b",
    "/a%2Fb",
    "/caf%C3%A9",
    "/x.php",
    "/index.htm",
    "/?q=",
    "/a/../b",
    "/A",
    "/~u",
    "//",
    "/a b",
    "/robots.txt",
];

/// Returns a pattern of a rule.
fn pattern(random: &mut Random) -> String {
    let mut pattern = random.of(&PATHS).to_owned();
    for _ in 0..random.below(3) {
        pattern.push_str(random.of(&["*", "$", "/", "a", "%41", "%c3", "é", "?", "&x=", "."]));
    }
    pattern
}

/// Returns a file. Most of it is disallowed, so that what is taken wrongly shows.
fn body(random: &mut Random) -> Vec<u8> {
    let agent = random.of(&["*", "FooBot", "foobot", "BarBot\nUser-agent: *"]);
    let mut body = format!("User-agent: {agent}\n");
    if !random.one_in(4) {
        body.push_str("Disallow: /\n");
    }
    for _ in 0..random.below(6) {
        let kind = random.of(&["Disallow", "Disallow", "Allow"]);
        body.push_str(&format!("{kind}: {}\n", pattern(random)));
    }
    body.into_bytes()
}

/// Reports whether the naive matcher allows a URL: that of a path that cannot be read is never allowed.
fn allows(rules: &RuleSet, dialect: &Dialect, url: &[u8]) -> bool {
    dialect.url_path(url).is_ok_and(|path| {
        let decides = reference::deciding_rule(rules, path.as_path()).expect("the form of the dialect");
        decides.is_none_or(|rule| rule.verdict.is_allow())
    })
}

/// A file, and all that answers for it alone.
struct Subject {
    origin: Origin,
    robots: RobotsTxt<'static>,
    rules: RuleSet,
    program: ProgramBuf,
}

/// All files of a dialect.
struct World {
    dialect: &'static Dialect,
    subjects: Vec<Subject>,
    /// What was recorded, and what a pack holds.
    frontiers: [Frontier; 2],
}

impl World {
    fn new(dialect: &'static Dialect, random: &mut Random) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("all.pack");
        let mut builder = PackBuilder::new(PackOptions::new(dialect), &target).expect("a pack");
        let crawler = || Crawler::new(AGENT).expect("a name");
        let memory = Frontier::builder(crawler()).dialect(dialect).build().expect("no pack");
        let subjects = (0..FILES).map(|number| {
            let body = body(random);
            let origin: Origin = format!("https://s{number}.example").parse().expect("an origin");
            let response = Response::new(200, &body);
            memory.record(&origin, &response, NOW);
            builder.push(&origin, &Capture::after(None, &response, NOW, dialect)).expect("there is room");
            let robots = RobotsTxt::parse_with(&body, dialect).into_owned();
            let rules = robots.rule_set(&crawler());
            let program = Compiler::new().compile(&rules).expect("a small file").into_program();
            Subject { origin, robots, rules, program }
        });
        let subjects = subjects.collect();
        builder.finish().expect("there is room");
        let pack = Arc::new(Pack::from_bytes(std::fs::read(&target).expect("the pack")).expect("a pack"));
        let packed = Frontier::builder(crawler()).dialect(dialect).pack(pack).build().expect("the pack is for all");
        Self { dialect, subjects, frontiers: [memory, packed] }
    }
}

/// Returns a URL of a subject, mostly a wrong one.
fn url(random: &mut Random, number: usize) -> Vec<u8> {
    let host = match random.below(16) {
        0 => format!("s{}.example", random.below(FILES + 2)),
        1 => format!("www.s{number}.example"),
        2 => format!("s{number}.example."),
        3 => format!("S{number}.EXAMPLE"),
        4 => format!("user:pass@s{number}.example"),
        5 => format!("s{number}.example:443"),
        6 => format!("s{number}.example:8443"),
        7 => format!("s{number}.example@evil.example"),
        8 => format!("evil.example\\@s{number}.example"),
        9 => random.of(&["", "[::1]", "127.1", "a..b", "s0.example%00", "ｓ0.example"]).to_owned(),
        _ => format!("s{number}.example"),
    };
    let scheme = match random.below(12) {
        0 => {
            random.of(&["http://", "ftp://", "HTTPS://", "https:", "https:/", "//", "", "htp://", "file://", "mailto:"])
        }
        1 => random.of(&[" https://", "https:\\\\", "ht\ttps://", "view-source:https://", "https:///"]),
        _ => "https://",
    };
    let path = if random.one_in(3) { pattern(random) } else { random.of(&PATHS).to_owned() };
    let mut url = format!("{scheme}{host}{path}").into_bytes();
    if random.one_in(6) {
        url.extend_from_slice(
            random.of(&["#x", "?", "/..", "/%2e%2e/", "\\..\\", ";a", "\r\n/cart", " /cart"]).as_bytes(),
        );
    }
    for _ in 0..random.below(3) {
        let at = random.below(url.len() + 1);
        let byte = match random.below(4) {
            0 => (random.next() & 0xFF) as u8,
            _ => {
                random.of(&[b"\\", b"@", b":", b"/", b"%", b"\t", b"\n", b"\0", b"*", b"$", b"^", b"|", b" ", b"."])[0]
            }
        };
        match random.below(3) {
            0 => url.insert(at, byte),
            1 if at < url.len() => url[at] = byte,
            _ if at < url.len() => {
                url.remove(at);
            }
            _ => url.push(byte),
        }
    }
    url
}

#[test]
fn no_question_is_allowed_that_the_reference_matcher_refuses() {
    let mut random = Random(number("ROBOTSC_SEED", 20_261_125));
    let worlds = Dialect::ALL.map(|dialect| World::new(dialect, &mut random));
    let crawler = Crawler::new(AGENT).expect("a name");
    let name = AgentName::new(AGENT).expect("a name");
    let (asked, allowed) = (AtomicU64::new(0), AtomicU64::new(0));
    on_all_cores(number("ROBOTSC_QUESTIONS", 60_000), |random, count| {
        let mut own = [0_u64; 2];
        for _ in 0..count {
            let world = &worlds[random.below(worlds.len())];
            let at = random.below(world.subjects.len());
            let (subject, url) = (&world.subjects[at], url(random, at));
            let shown = || format!("{}: s{at}: {}", world.dialect.name, url.escape_ascii());
            own[0] += 1;
            // The library, by the file and by its compiled rules.
            let naive = allows(&subject.rules, world.dialect, &url);
            let said = subject.robots.is_allowed(&crawler, &url);
            assert_eq!(said.unwrap_or(false), naive, "{}", shown());
            own[1] += u64::from(naive);
            if let Ok(path) = world.dialect.url_path(&url) {
                let verdict = subject.program.program().verdict(path.as_path());
                assert_eq!(verdict.is_ok_and(|verdict| verdict.is_allow()), naive, "{}", shown());
                check_other_form(world, &worlds, random, path.as_path(), name);
            }
            // Many origins: the origin is that of another reader of URLs.
            let is_allowed = world
                .frontiers
                .each_ref()
                .map(|frontier| frontier.check(&url, NOW).is_ok_and(|check| check.is_allowed()));
            if is_allowed.contains(&true) {
                let parsed = url::Url::parse(&text_of(&url)).ok();
                // A host is the same with a dot at its end.
                let origin = parsed.map(|url| url.origin().ascii_serialization().trim_end_matches('.').to_owned());
                let holder = world.subjects.iter().find(|subject| Some(subject.origin.as_str()) == origin.as_deref());
                let is_robots_txt = world.dialect.url_path(&url).is_ok_and(|path| path.as_bytes() == b"/robots.txt");
                // Nothing is known before robots.txt itself is fetched.
                let is_right = match holder {
                    _ if is_robots_txt => origin.is_some(),
                    Some(holder) => allows(&holder.rules, world.dialect, &url),
                    None => false,
                };
                assert!(is_right, "{}: {origin:?}", shown());
            }
            assert_eq!(is_allowed[0], is_allowed[1], "{}: memory and pack", shown());
        }
        asked.fetch_add(own[0], Ordering::Relaxed);
        allowed.fetch_add(own[1], Ordering::Relaxed);
    });
    let (asked, allowed) = (asked.into_inner(), allowed.into_inner());
    println!("{asked} questions, {allowed} allowed, 0 that the reference matcher does not allow");
    assert!(allowed > 0);
}

/// Returns a URL as text: bytes that are no UTF-8 are escaped, as they are in a path.
fn text_of(url: &[u8]) -> String {
    let mut text = String::new();
    for chunk in url.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("%{byte:02X}")));
    }
    text
}

/// Rules of another form never take a path.
fn check_other_form(world: &World, worlds: &[World; 5], random: &mut Random, path: UrlPath<'_>, name: AgentName<'_>) {
    let other = &worlds[random.below(worlds.len())];
    let is_same = other.dialect.path_form() == world.dialect.path_form();
    let subject = &other.subjects[random.below(other.subjects.len())];
    assert_eq!(subject.rules.deciding_rule(path).is_ok(), is_same);
    assert_eq!(subject.program.program().verdict(path).is_ok(), is_same);
    assert_eq!(HYGIENE.verdict(name, path).is_ok(), HYGIENE.path_form() == world.dialect.path_form());
}

const STATUSES: [u16; 15] = [200, 200, 200, 200, 201, 202, 204, 206, 301, 304, 403, 404, 429, 500, 503];

/// Returns a body of any kind.
fn any_body(random: &mut Random) -> Vec<u8> {
    match random.below(9) {
        0 => b"<!doctype html><html><body>Just a moment...</body></html>".to_vec(),
        1 => b"{\"error\": \"forbidden\"}".to_vec(),
        2 => (0..random.below(60)).map(|_| (random.next() & 0xFF) as u8).collect(),
        3 => Vec::new(),
        4 => [&b"\xEF\xBB\xBF"[..], &body(random)].concat(),
        5 => String::from_utf8(body(random)).expect("text").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        6 => String::from_utf8(body(random)).expect("text").replace('\n', " ").into_bytes(),
        _ => body(random),
    }
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(plain).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn no_body_is_allowed_that_the_reference_matcher_refuses() {
    let cautious = Dialect::ALL.map(|dialect| Dialect { fetch: dialect.fetch.cautious(), ..dialect.clone() });
    let crawler = || Crawler::new(AGENT).expect("a name");
    let origin: Origin = "https://shop.example".parse().expect("an origin");
    let (asked, allowed) = (AtomicU64::new(0), AtomicU64::new(0));
    on_all_cores(number("ROBOTSC_BODIES", 20_000), |random, count| {
        for _ in 0..count {
            let (is_cautious, at) = (random.one_in(2), random.below(5));
            let dialect = if is_cautious { &cautious[at] } else { Dialect::ALL[at] };
            let plain = any_body(random);
            let mut headers: Vec<(&str, String)> = Vec::new();
            let mut is_coded = false;
            // What is sent, and what its headers say that it is; `None` if they are wrong.
            let (sent, meant) = match random.below(8) {
                0 => {
                    headers.push(("content-encoding", random.of(&["gzip", "x-gzip", "GZIP"]).to_owned()));
                    // Without the feature `coding` it is a failure.
                    is_coded = true;
                    (gzip(&plain), Some(plain.clone()))
                }
                1 => {
                    let coding = random.of(&["gzip", "br", "deflate", "zstd", "gzip, gzip", "nonsense"]);
                    headers.push(("content-encoding", coding.to_owned()));
                    // Text was decoded by the client that took it; what is no text is no file.
                    is_coded = true;
                    (plain.clone(), Some(plain.clone()))
                }
                2 => {
                    headers.push(("content-encoding", "identity".to_owned()));
                    (plain.clone(), Some(plain.clone()))
                }
                3 => (gzip(&plain), Some(gzip(&plain))),
                _ => (plain.clone(), Some(plain.clone())),
            };
            let mut meant = meant;
            if random.one_in(6) {
                let length = if random.one_in(2) { sent.len() } else { sent.len() + 1 + random.below(100) };
                headers.push(("content-length", length.to_string()));
                meant = meant.filter(|_| is_coded || length == sent.len());
            }
            for (name, value) in [
                ("content-type", "text/html"),
                ("retry-after", "x"),
                ("cache-control", "max-age=99999999999999999999, no-store"),
                ("etag", "\"\u{e9}"),
                ("location", "mailto:x"),
                ("cf-mitigated", "challenge"),
            ] {
                if random.one_in(8) {
                    headers.push((name, value.to_owned()));
                }
            }
            let status = STATUSES[random.below(STATUSES.len())];
            let response = Response::new(status, &sent);
            let response = response.with_headers(headers.iter().map(|(name, value)| (*name, value.as_str())));
            let frontier = Frontier::builder(crawler()).dialect(dialect).build().expect("no pack");
            frontier.record(&origin, &response, NOW);
            let url = format!("https://shop.example{}", random.of(&PATHS[..15]));
            let is_allowed = frontier.check(&url, NOW).is_ok_and(|check| check.is_allowed());
            let shown =
                || format!("{} {is_cautious} {status} {headers:?} {}: {url}", dialect.name, sent.escape_ascii());
            let naive = meant.as_ref().is_some_and(|body| {
                let robots = RobotsTxt::parse_with(body, dialect);
                let is_challenge = headers.iter().any(|(name, _)| *name == "cf-mitigated");
                let is_taken = !is_cautious || robots.body_kind().is_robots() && !is_challenge;
                is_taken && allows(&robots.rule_set(&crawler()), dialect, url.as_bytes())
            });
            match status {
                200 if !is_coded => assert_eq!(is_allowed, naive, "{}", shown()),
                200..=299 => assert!(!is_allowed || naive, "{}", shown()),
                // RFC 9309 says that any 4xx can allow everything, and only Google takes this one out.
                429 if dialect.name != "google" => {}
                304 | 429 | 500.. => assert!(!is_allowed, "{}", shown()),
                403 => assert!(!is_allowed || !is_cautious, "{}", shown()),
                _ => {}
            }
            asked.fetch_add(1, Ordering::Relaxed);
            allowed.fetch_add(u64::from(is_allowed), Ordering::Relaxed);
        }
    });
    println!(
        "{} bodies, {} allowed, 0 that the reference matcher does not allow",
        asked.into_inner(),
        allowed.into_inner()
    );
}
