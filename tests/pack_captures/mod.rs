//! Captures that were made for tests of packs.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use std::path::Path;

use robotsc::Dialect;
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, FetchRecord, Outcome, Time};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions};

/// A capture that owns its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Owned {
    pub(crate) origin: String,
    pub(crate) record: FetchRecord,
    pub(crate) body: Option<Vec<u8>>,
}

impl Owned {
    pub(crate) fn rules(origin: &str, time: u32, body: Vec<u8>) -> Self {
        Self { origin: origin.to_owned(), record: record(Outcome::Rules, time), body: Some(body) }
    }

    pub(crate) fn capture(&self) -> Capture<'_> {
        Capture::restored(self.record, self.body.as_deref()).expect("they belong together")
    }

    pub(crate) fn site(&self) -> Origin {
        self.origin.parse().expect("an origin")
    }

    pub(crate) fn host(&self) -> &str {
        self.origin.trim_start_matches("https://")
    }

    pub(crate) fn body_len(&self) -> usize {
        self.body.as_ref().map_or(0, Vec::len)
    }
}

/// What a first fetch at a time leaves.
pub(crate) fn record(outcome: Outcome, time: u32) -> FetchRecord {
    let is_failure = matches!(outcome, Outcome::ServerError | Outcome::Unreachable);
    FetchRecord {
        outcome,
        fetched_at: Time(time),
        expires_at: Time(time.saturating_add(86_400)),
        good_at: (outcome == Outcome::Rules).then_some(Time(time)),
        failing_since: is_failure.then_some(Time(time)),
    }
}

/// A pack for one agent.
pub(crate) fn single() -> PackOptions {
    PackOptions { agents: PackAgents::only(["FooBot"]), ..PackOptions::new(&Dialect::GOOGLE) }
}

/// Builds a pack and opens it.
pub(crate) fn build(options: &PackOptions, captures: &[Owned], target: &Path) -> Pack {
    let mut builder = PackBuilder::new(options.clone(), target).expect("a builder");
    for capture in captures {
        builder.push(&capture.site(), &capture.capture()).expect("a capture");
    }
    builder.finish().expect("a pack");
    Pack::open(target).expect("it opens")
}

/// Captures, oldest first, of a number of origins, whose files have groups, delays and sitemaps of all kinds; many are
/// equal, and some fetches failed.
pub(crate) fn made(count: usize, origins: usize) -> Vec<Owned> {
    let agents = ["*", "a", "b-c", "b", "other", "Googlebot"];
    let delays = ["", "", "Crawl-delay: 10\n", "Crawl-delay: 0.5\n", "Crawl-delay: 1.2345\n", "Crawl-delay: 999999\n"];
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let capture = |number: usize| {
        let mut body = String::new();
        for _ in 0..random(4) {
            for _ in 0..=random(2) {
                body.push_str(&format!("User-agent: {}\n", agents[random(agents.len())]));
            }
            for _ in 0..random(3) {
                let kind = if random(2) == 0 { "Allow" } else { "Disallow" };
                let path = ["/", "/1", "/12", "/b/*x$", "/c", "", "/b"][random(7)];
                body.push_str(&format!("{kind}: {path}\n"));
            }
            body.push_str(delays[random(delays.len())]);
        }
        if random(3) == 0 {
            body.push_str(&format!("Sitemap: https://{}.example/sitemap.xml\n", random(50)));
        }
        let (origin, time) = (format!("https://{}.example", number % origins), 1_700_000_000 + number as u32);
        match random(12) {
            0 if count > origins => Owned { origin, record: record(Outcome::Unreachable, time), body: None },
            1 if count > origins => Owned { origin, record: record(Outcome::Unavailable, time), body: None },
            _ => Owned::rules(&origin, time, body.into_bytes()),
        }
    };
    (0..count).map(capture).collect()
}

/// Lines that state preferences, of all kinds; some say nothing.
const PREFERENCES: [&str; 9] = [
    "Content-Signal: search=yes,ai-train=no,use=reference",
    "Content-Usage: train-ai=n",
    "Content-Usage: train-ai=y, search=y",
    "Content-Usage: /b train-ai=y",
    "Content-Signal: /1 ai-train=no, search=yes",
    "Content-Usage: /*x ai-use=n",
    "Content-Usage: /b*",
    "Content-Signal: ai-input=maybe",
    "Content-Usage: Search=y",
];

/// Adds lines that state preferences to most bodies: after rules, so that they are in the same group.
pub(crate) fn add_preferences(captures: &mut [Owned]) {
    for (number, capture) in captures.iter_mut().enumerate() {
        let Some(body) = &mut capture.body else { continue };
        let text = String::from_utf8_lossy(body).into_owned();
        let mut stating = String::new();
        for (at, line) in text.lines().enumerate() {
            stating.push_str(line);
            stating.push('\n');
            if !line.to_ascii_lowercase().starts_with("user-agent") && (number + at) % 3 != 0 {
                stating.push_str(PREFERENCES[(number * 5 + at * 7) % PREFERENCES.len()]);
                stating.push('\n');
            }
        }
        *body = stating.into_bytes();
    }
}
