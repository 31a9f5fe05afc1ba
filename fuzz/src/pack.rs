use std::num::NonZeroUsize;
use std::sync::OnceLock;

use robotsc::outcome::{Capture, FetchRecord, Outcome, Time};
use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions, Vocabulary};
use robotsc::{AgentName, Dialect, UrlPath};
use xxhash_rust::xxh3::xxh3_64;

/// Origins of the packs that are altered.
const ORIGINS: [&str; 5] =
    ["https://a.example", "http://b.example", "https://c.example:8080", "https://d.example", "ftp://e.example"];

/// The first byte says what the rest is: a pack as it is, or changes (place, place, place, value) to one of the packs
/// that are built here, with or without right checksums.
///
/// # Panics
/// Where reading does, or where a pack that was not altered is refused.
pub fn pack(data: &[u8]) {
    let [choice, rest @ ..] = data else { return };
    let packs = packs();
    let mut bytes = match choice % 4 {
        0 => rest.to_vec(),
        number => packs[usize::from(number) - 1].clone(),
    };
    if choice % 4 != 0 {
        for change in rest.chunks_exact(4) {
            let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % bytes.len();
            bytes[place] = change[3];
        }
    }
    if choice & 4 != 0 {
        seal(&mut bytes);
    }
    let is_whole = packs.contains(&bytes);
    let Ok(pack) = Pack::from_trusted_bytes(bytes) else {
        assert!(!is_whole);
        return;
    };
    read(&pack);
    let verified = pack.verify();
    assert!(verified.is_ok() || !is_whole, "{verified:?}");
}

/// As an enemy would: the checksums are right, what they cover need not be.
fn seal(bytes: &mut [u8]) {
    let long = |bytes: &[u8], at: usize| bytes.get(at..at + 8)?.first_chunk().map(|long| u64::from_le_bytes(*long));
    let end = if bytes.get(8) == Some(&3) { 304 } else { 280 };
    for at in (64..end).step_by(24) {
        let (Some(start), Some(length)) = (long(bytes, at), long(bytes, at + 8)) else { return };
        let Some(part) = bytes.get(start as usize..start.saturating_add(length) as usize) else { continue };
        let sum = xxh3_64(part);
        let Some(stored) = bytes.get_mut(at + 16..at + 24) else { return };
        stored.copy_from_slice(&sum.to_le_bytes());
    }
    if bytes.len() >= end + 8 {
        let sum = xxh3_64(&bytes[..end]);
        bytes[end..end + 8].copy_from_slice(&sum.to_le_bytes());
    }
}

fn read(pack: &Pack) {
    for origin in ORIGINS.iter().copied().chain(["https://other.example", ""]) {
        let Some(slot) = pack.find(pack.key(origin.as_bytes())) else { continue };
        let entry = pack.entry(slot);
        let agents = ["a", "b-c", "FooBot"].into_iter().filter_map(|name| pack.agent(AgentName::new(name).ok()?));
        for agent in agents {
            let _ = entry.crawl_delay(&agent);
            if let Some(stated) = entry.preferences(&agent) {
                for path in [&b"/"[..], b"", b"/a/b?c", b"/\xff*$"] {
                    let _ = stated.at(UrlPath::assume(path, stated.path_form()));
                }
            }
            if let Some(program) = entry.program(&agent) {
                for path in [&b"/"[..], b"", b"/a/b?c", b"/\xff*$"] {
                    let path = UrlPath::assume(path, program.path_form());
                    let _ = (program.verdict(path), program.deciding_rule(path));
                }
            }
        }
        let _ = (entry.record(), entry.sitemaps().count(), entry.tokens().count(), pack.origin(slot));
    }
    let _ = (pack.entries().count(), pack.stats());
}

/// Packs of all kinds, built once.
fn packs() -> &'static [Vec<u8>; 3] {
    static PACKS: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    let preferences = Some(Vocabulary::NEWEST);
    PACKS.get_or_init(|| {
        let all = PackOptions { sitemaps: true, deciding_rules: true, ..PackOptions::new(&Dialect::RFC9309) };
        let some = PackOptions { agents: PackAgents::only(["a", "b-c"]), ..PackOptions::new(&Dialect::YANDEX) };
        let some = PackOptions { preferences, ..some };
        let one = PackOptions { agents: PackAgents::only(["FooBot"]), ..PackOptions::new(&Dialect::GOOGLE) };
        [all, some, one].map(|options| build(&PackOptions { threads: NonZeroUsize::MIN, ..options }))
    })
}

fn build(options: &PackOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("pack");
    let mut builder = PackBuilder::new(options.clone(), &target).expect("a builder");
    for (number, origin) in (0..).zip(ORIGINS) {
        let has_rules = number < 4;
        let outcome = if number < 3 { Outcome::Rules } else { Outcome::ServerError };
        let record = FetchRecord {
            outcome,
            fetched_at: Time(1_000 + number),
            expires_at: Time(90_000),
            good_at: has_rules.then_some(Time(number)),
            failing_since: (outcome != Outcome::Rules).then_some(Time(900)),
        };
        let body = format!(
            "User-agent: a\nUser-agent: b\nDisallow: /{number}\nAllow: /a*b$\nCrawl-delay: {number}.37\n\
             Content-Usage: train-ai=n\nContent-Usage: /a* train-ai=y\nContent-Signal: /a ai-train=no, use=full\n\
             User-agent: *\nDisallow: /b\nSitemap: https://s.example/{number}\n"
        );
        let capture = Capture::restored(record, has_rules.then_some(body.as_bytes())).expect("they belong together");
        builder.push(&origin.parse().expect("an origin"), &capture).expect("a capture");
    }
    builder.finish().expect("a pack");
    std::fs::read(target).expect("a file")
}

#[cfg(test)]
mod tests {
    /// Whole packs are taken; altered ones do no harm, whatever their checksums say.
    #[test]
    fn packs() {
        for choice in 1..4 {
            super::pack(&[choice]);
        }
        for number in 0..3_000_u32 {
            let place = number.wrapping_mul(2_654_435_761).to_le_bytes();
            super::pack(&[(number % 8) as u8, place[3], place[2], place[1], place[0]]);
        }
    }

    /// Sealing stops where the bytes end, be it inside the table of parts.
    #[test]
    fn short_packs_are_refused() {
        for length in 0..300 {
            let mut data = vec![0; 1 + length];
            data[0] = 4;
            super::pack(&data);
        }
    }
}
