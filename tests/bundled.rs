//! The bundled rule sets on real URLs: they drop few, and a set that extends another drops what that one drops.
#![cfg(feature = "bundled-rules")]

mod shared_data;

use robotsc::bundled;
use robotsc::url::url_path;

/// The sets against traps, each on top of the one before, and how many of a thousand real URLs each may drop. What they
/// drop was looked at; a rule that drops more than it did wants a look, too.
const SETS: [(&str, usize); 3] = [("crawl-traps", 3), ("crawl-hygiene", 8), ("crawl-hygiene-strict", 25)];

#[test]
fn few_real_urls_are_dropped() {
    let Some(corpus) = shared_data::folder("corpus") else { return };
    let urls = std::fs::read(corpus.join("urls.txt")).unwrap();
    let every = if shared_data::full() { 1 } else { 5 };
    let lines = urls.split(|byte| *byte == b'\n').filter(|url| !url.is_empty());
    let urls: Vec<&[u8]> = lines.step_by(every).collect();
    let mut before = vec![true; urls.len()];
    for (name, most) in SETS {
        let set = bundled::rule_set(name).unwrap();
        let rules = set.rules_for_others();
        let mut dropped = 0;
        for (url, before) in urls.iter().zip(&mut before) {
            let Ok(path) = url_path(*url, set.path_form()) else { continue };
            let answer = rules.verdict(path.as_path()).unwrap();
            let allowed = rules.is_allowed(path.as_path()).unwrap();
            assert_eq!(answer.verdict.is_allow(), allowed, "{name}: {}", url.escape_ascii());
            assert!(*before || !allowed, "{name} allows what the set before it drops: {}", url.escape_ascii());
            assert!(allowed || answer.rule.is_some_and(|rule| rule.name.is_some()), "{name}: {}", url.escape_ascii());
            *before = allowed;
            dropped += usize::from(!allowed);
        }
        assert!(dropped > 0, "{name} drops nothing");
        assert!(dropped * 1000 < urls.len() * most, "{name} drops {dropped} of {} URLs", urls.len());
    }
}
