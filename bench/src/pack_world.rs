//! A world of origins in the distribution of real hosts: as many as one likes, each a function of its number.
//!
//! 45 % of the origins have a body of their own: a real file that one host only has, altered so that no other has it.
//! The others share: they have one of the
//! files that several hosts have, each as often as in the list of real hosts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use robotsc::outcome::Time;

use crate::generated::random::SplitMix64;

/// Of a hundred origins those that have a body of their own.
const OWN: u64 = 45;

/// What the origins are made from.
#[derive(Debug)]
pub(crate) struct World {
    hosts: Vec<String>,
    /// Files that one host has.
    single: Vec<Vec<u8>>,
    /// Files that several have, once for each.
    shared: Vec<usize>,
    shared_bodies: Vec<Vec<u8>>,
    paths: Vec<String>,
}

impl World {
    /// Reads `hosts-modern.tsv`, `robots-modern/` and `urls.txt`.
    pub(crate) fn load(corpus: &Path) -> Result<Self, String> {
        let read = |name: &str| {
            let path = corpus.join(name);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let list = read("hosts-modern.tsv")?;
        let mut files = BTreeMap::<&str, (u64, Option<Vec<u8>>)>::new();
        let mut hosts = Vec::new();
        for line in list.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [source, host, hash, _] = *fields else { continue };
            let (count, body) = files.entry(hash).or_default();
            *count += 1;
            if body.is_none() {
                *body = fs::read(corpus.join("robots-modern").join(format!("{source}__{host}.txt"))).ok();
            }
            // A number would make another name of punycode, or none.
            if !host.contains("--")
                && host.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte))
            {
                hosts.push(host.to_owned());
            }
        }
        let (mut single, mut shared, mut shared_bodies) = (Vec::new(), Vec::new(), Vec::new());
        for (count, body) in files.into_values() {
            match (count, body) {
                (_, None) => {}
                (1, Some(body)) => single.push(body),
                (_, Some(body)) => {
                    shared.extend(std::iter::repeat_n(shared_bodies.len(), count as usize));
                    shared_bodies.push(body);
                }
            }
        }
        let urls = read("urls.txt")?;
        let path = |url: &str| url.splitn(4, '/').nth(3).map(|path| format!("/{path}"));
        let paths: Vec<String> = urls.lines().filter_map(path).collect();
        if hosts.is_empty() || single.is_empty() || shared.is_empty() || paths.is_empty() {
            return Err(format!("{}: too little data", corpus.display()));
        }
        Ok(Self { hosts, single, shared, shared_bodies, paths })
    }

    /// The origin of a number, canonical.
    pub(crate) fn origin(&self, number: u64, text: &mut String) {
        let mut random = SplitMix64::new(number ^ 0x0121_6142);
        let host = &self.hosts[random.below(self.hosts.len() as u64) as usize];
        let scheme = if random.below(8) == 0 { "http" } else { "https" };
        text.clear();
        // A real name with the number in its first label is no other's.
        let (first, rest) = host.split_once('.').unwrap_or((host, "example"));
        text.push_str(&format!("{scheme}://{}{number}.{rest}", &first[..first.len().min(40)]));
        if text.ends_with(|last: char| last.is_ascii_digit()) {
            text.push_str(".example");
        }
    }

    /// When the robots.txt of a number's origin was fetched.
    pub(crate) fn fetched_at(number: u64) -> Time {
        Time(1_790_000_000 + (number.wrapping_mul(0x9E37_79B9) % 604_800) as u32)
    }

    /// The body of a number's origin.
    pub(crate) fn body(&self, number: u64, body: &mut Vec<u8>) {
        let mut random = SplitMix64::new(number ^ 0x0B0D_7000);
        body.clear();
        if random.below(100) < OWN {
            body.extend_from_slice(&self.single[random.below(self.single.len() as u64) as usize]);
            vary(body, number);
        } else {
            let shared = self.shared[random.below(self.shared.len() as u64) as usize];
            body.extend_from_slice(&self.shared_bodies[shared]);
        }
    }

    /// A path of a real URL.
    pub(crate) fn path(&self, random: &mut SplitMix64) -> &str {
        &self.paths[random.below(self.paths.len() as u64) as usize]
    }
}

/// Makes a body that no other number has: in its rules the letters after `f` change places among themselves, the same
/// in all of them, so that its form stays; and a
/// comment tells even those without rules apart.
fn vary(body: &mut Vec<u8>, number: u64) {
    let mut random = SplitMix64::new(number);
    let mut letters: Vec<u8> = (b'g'..=b'z').collect();
    for at in (1..letters.len()).rev() {
        letters.swap(at, random.below(at as u64 + 1) as usize);
    }
    for line in body.split_mut(|byte| matches!(byte, b'\n' | b'\r')) {
        if !matches!(line.first(), Some(b'D' | b'd' | b'A' | b'a')) {
            continue;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        for byte in &mut line[colon..] {
            if let Some(letter) = byte.checked_sub(b'g').and_then(|place| letters.get(usize::from(place))) {
                *byte = *letter;
            }
        }
    }
    body.extend_from_slice(format!("\n# {number}\n").as_bytes());
}
