//! What a compilation may cost at most, as `Limits` states it, for bodies that are made to cost much. Work is counted,
//! so that no clock is needed.

use robotsc::program::{Effort, Limits, Output};
use robotsc::{Compiler, Crawler, Dialect, RobotsTxt};

/// A body of many rules, of about `bytes` bytes.
fn body(bytes: usize, rule: impl Fn(usize) -> String) -> Vec<u8> {
    let mut body = b"User-agent: *\n".to_vec();
    for number in 0.. {
        let line = rule(number);
        if body.len() + line.len() > bytes {
            break;
        }
        body.extend_from_slice(line.as_bytes());
    }
    body
}

/// Compiles a body in every way, and checks that it cost no more than it may.
fn check(name: &str, body: &[u8]) {
    let robots = RobotsTxt::parse_with(body, &Dialect::RFC9309);
    let rules = robots.rule_set(&Crawler::raw(vec!["bot".into()]));
    let bytes = rules.rules().iter().map(|rule| rules.pattern(rule).len() as u64).sum::<u64>();
    for limits in
        [Limits::default(), Limits { max_nodes: 64, work_per_byte: 4, max_work: 1 << 16, ..Limits::default() }]
    {
        // A rule that stands alone may cost 64 units for each byte, whatever the limits.
        let attempt = u64::from(limits.work_per_byte.max(64)) * (64 + bytes.min(16_384) + bytes / 16);
        for effort in [Effort::Fast, Effort::Small] {
            for output in [Output::Verdict, Output::DecidingRule] {
                let compiled = Compiler::new().effort(effort).output(output).limits(limits).compile(&rules);
                let compiled = compiled.expect(name);
                let (stats, size) = (compiled.stats(), compiled.as_bytes().len());
                assert!(stats.work <= limits.max_work + attempt, "{name} {effort:?} {output:?} {limits:?}: {stats:?}");
                let most = 64 * bytes as usize + 64 * rules.rules().len() + 4096;
                assert!(size <= most, "{name} {effort:?} {output:?} {limits:?}: {size} bytes, at most {most}");
            }
        }
    }
}

#[test]
fn many_segments() {
    check("many segments", &body(120_000, |n| format!("Disallow: /*a*b*c{n}*d*e*f*g*h*\n")));
}

#[test]
fn kinds_by_turns() {
    let kind = |n| if n % 2 == 0 { "Allow" } else { "Disallow" };
    check("kinds by turns", &body(120_000, |n| format!("{}: /*a{n}*b*{}c\n", kind(n), n % 7)));
}

#[test]
fn stars_between_letters() {
    check("stars between letters", &body(60_000, |n| format!("Disallow: /{}b{n}\n", "*a".repeat(20))));
}

#[test]
fn ends_with_a_number() {
    check("ends with a number", &body(60_000, |n| format!("Disallow: /*x*{n}$\n")));
}

#[test]
fn a_shared_prefix() {
    check("a shared prefix", &body(120_000, |n| format!("Disallow: /{}{n}/\n", "a".repeat(200))));
}

#[test]
fn one_long_rule() {
    check("one long rule", &body(120_000, |_| format!("Disallow: /{}*c\n", "ab".repeat(50_000))));
}

/// A piece that overlaps with itself: its states hold every place that it could have started at.
#[test]
fn a_piece_that_repeats() {
    check("a piece that repeats", &body(3_000, |_| format!("Disallow: /*{}b\n", "a".repeat(2_000))));
    check("pieces that repeat", &body(480_000, |n| format!("Disallow: /*{}{n}\n", "a".repeat(16_000))));
}
