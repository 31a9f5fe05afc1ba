//! No wrong call is ever allowed: what is no URL, no path, no agent name, no program or no policy is an error or
//! disallowed, under a file that disallows everything.
#![cfg(feature = "frontier")]

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use robotsc::agent::HeaderNames;
use robotsc::embed::Set;
use robotsc::frontier::Frontier;
use robotsc::origin::Origin;
use robotsc::outcome::{Access, FetchRecord, Response, Time};
use robotsc::pack::Pack;
use robotsc::program::{DecidingRule, PolicyBuf, ProgramBuf};
use robotsc::{AgentName, Compiler, Crawler, Dialect, PathForm, RobotsTxt, UrlPath};
use robotsc_macros::include_rules;

/// Everything is disallowed, for GPTBot and for all others.
const CLOSED: &[u8] = b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /\n";
/// Only GPTBot is disallowed: a name that is read wrongly would be allowed.
const GPTBOT: &[u8] = b"User-agent: GPTBot\nDisallow: /\n";
static HYGIENE: &Set<'static> = include_rules!("rules", "crawl-hygiene");

fn origin() -> Origin {
    "https://shop.example".parse().expect("an origin")
}

#[test]
fn names_that_are_no_agent_names_are_errors() {
    let robots = RobotsTxt::parse(GPTBOT);
    for agent in [
        "GPTBot/1.2",
        "GPTBot ",
        " GPTBot",
        "GPTBot\t",
        "Googlebot,GPTBot",
        "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
        "GPTBot;",
        "\"GPTBot\"",
        "GPTBot\0",
        "GPTBot\n",
        "GPTBot\u{a0}",
        "\u{feff}GPTBot",
        "GPT\u{200b}Bot",
        "*",
        "",
    ] {
        assert!(AgentName::new(agent).is_err(), "{agent:?}");
        assert!(Crawler::new(agent).is_err(), "{agent:?}");
        assert!(Crawler::pool(["FooBot", agent]).is_err(), "{agent:?}");
        assert!(Crawler::chain(["FooBot", agent]).is_err(), "{agent:?}");
        assert!(robots.is_allowed(agent, "https://shop.example/").is_err(), "{agent:?}");
        assert!(robots.matcher(agent).is_err(), "{agent:?}");
        assert!(robots.explain(agent, "https://shop.example/").is_err(), "{agent:?}");
        assert!(robots.crawl_delay(agent).is_err(), "{agent:?}");
        assert!(Frontier::for_agent(agent).is_err(), "{agent:?}");
    }
}

#[test]
fn a_header_is_searched_for_the_names_of_the_file() {
    let robots = RobotsTxt::parse(GPTBOT);
    let known = HeaderNames::of(&robots).expect("the names can be searched for");
    let header = b"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
    let crawler = known.crawler(header);
    assert_eq!(robots.is_allowed(&crawler, "https://shop.example/"), Ok(false));
}

#[test]
fn what_is_no_normalized_path_is_no_url_path() {
    for path in ["https://shop.example/cart", "//shop.example/cart", "/a/../b", "/caf\u{e9}", "/a b", "/a#b", "x", ""] {
        for form in PathForm::ALL {
            assert!(UrlPath::new(path.as_bytes(), form).is_err(), "{path:?} {form}");
        }
    }
}

#[test]
fn a_path_of_another_form_is_an_error_in_every_engine() {
    let frontier = Frontier::for_agent("GPTBot").expect("a name");
    frontier.record(&origin(), &Response::new(200, CLOSED), Time(1_790_000_000));
    for dialect in Dialect::ALL {
        let robots = RobotsTxt::parse_with(CLOSED, dialect);
        let name = AgentName::new("GPTBot").expect("a name");
        let rules = robots.rule_set(&Crawler::from(name));
        let compiled = Compiler::new().compile(&rules).expect("a small rule set");
        let policy = Compiler::new().compile_policy(&robots).expect("a small file");
        let matcher = robots.matcher("GPTBot").expect("a name");
        for form in PathForm::ALL {
            let path = UrlPath::new(b"/cart", form).expect("a path that is in every form");
            let answers = [
                rules.verdict(path),
                rules.deciding_rule(path).map(DecidingRule::verdict_of),
                compiled.program().verdict(path),
                policy.policy().program(Some(name)).expect("a complete policy").verdict(path),
                policy.policy().program(None).expect("a complete policy").verdict(path),
                matcher.verdict_for_path(path),
            ];
            for answer in answers {
                assert_eq!(answer.is_ok(), form == dialect.path_form(), "{} {form}", dialect.name);
                assert!(!answer.is_ok_and(|verdict| verdict.is_allow()), "{} {form}", dialect.name);
            }
        }
    }
    for form in PathForm::ALL {
        let path = UrlPath::new(b"/cart", form).expect("a path that is in every form");
        let name = AgentName::new("GPTBot").expect("a name");
        assert_eq!(HYGIENE.is_allowed(name, path).is_ok(), form == HYGIENE.path_form(), "{form}");
    }
}

#[test]
fn a_dialect_with_a_name_of_its_own_keeps_its_fetch_rules() {
    let mine = Dialect { name: "mine", ..Dialect::GOOGLE };
    let at = Time(1_790_000_000);
    for status in [429, 500, 503, 599] {
        for dialect in [&mine, &Dialect::GOOGLE] {
            let result = Response::new(status, b"").result(at);
            let record = FetchRecord::after(None, &result, dialect);
            let effective = record.effective(dialect, at);
            assert_eq!(effective.access, Access::DisallowAll, "{} {status}", dialect.name);
        }
    }
}

#[test]
fn the_body_of_an_error_page_never_replaces_rules() {
    let at = Time(1_790_000_000);
    let page = b"<html>Service Unavailable</html>";
    for status in [429, 500, 503] {
        let frontier = Frontier::for_agent("GPTBot").expect("a name");
        frontier.record(&origin(), &Response::new(200, CLOSED), at);
        for hours in 1..100 {
            let now = Time(at.0 + hours * 3600);
            frontier.record(&origin(), &Response::new(status, page), now);
            let check = frontier.check(b"https://shop.example/cart", now).expect("a URL");
            assert!(!check.is_allowed(), "{status} after {hours} hours");
        }
        frontier.expire(Time(at.0 + 400_000), Duration::from_secs(1));
        let check = frontier.check(b"https://shop.example/cart", Time(at.0 + 400_000)).expect("a URL");
        assert!(!check.is_allowed(), "{status} after expiry");
    }
}

/// Bytes as mistakes have them: random, or parts of URLs and headers.
fn mistaken() -> impl Strategy<Value = Vec<u8>> {
    let part = select(vec![
        "https://",
        "http:",
        "shop.example",
        "/",
        "\\",
        "GPTBot",
        "FooBot",
        " ",
        ",",
        ";",
        ":",
        "@",
        "?",
        "#",
        "..",
        "%2e",
        "%",
        "[",
        "]",
        "*",
        "\t",
        "\n",
        "\0",
        "1",
        "Mozilla/5.0 (",
        "caf\u{e9}",
    ]);
    prop_oneof![vec(any::<u8>(), 0..40), vec(part, 0..8).prop_map(|parts| parts.concat().into_bytes())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_allowed_under_disallow_all(
        url in mistaken(), agent in mistaken(), dialect in select(&Dialect::ALL[..]),
    ) {
        let robots = RobotsTxt::parse_with(CLOSED, dialect);
        let shown = || format!("{} {} {}", dialect.name, agent.escape_ascii(), url.escape_ascii());
        // RFC 9309 and the dialects that follow it always allow the file itself.
        let is_robots_txt = dialect.url_path(&url).is_ok_and(|path| path.as_bytes() == b"/robots.txt");
        prop_assume!(!is_robots_txt);
        for crawler in [Crawler::new(&agent), Crawler::chain([&agent]), Crawler::pool([&agent])].into_iter().flatten() {
            prop_assert!(!robots.is_allowed(&crawler, &url).unwrap_or(false), "{}", shown());
            let matcher = robots.matcher(&crawler).expect("a crawler");
            prop_assert!(!matcher.is_allowed(&url).unwrap_or(false), "{}", shown());
        }
        let known = HeaderNames::of(&robots).expect("the names can be searched for");
        let crawler = known.crawler(&agent);
        prop_assert!(!robots.is_allowed(&crawler, &url).unwrap_or(false), "{}", shown());
        if let Ok(path) = UrlPath::new(&url, dialect.path_form()) {
            let verdict = robots.rule_set(&Crawler::others()).verdict(path);
            prop_assert!(!verdict.is_ok_and(|verdict| verdict.is_allow()), "{}", shown());
        }
    }

    #[test]
    fn no_url_is_allowed_that_a_frontier_knows_nothing_of(url in mistaken()) {
        let frontier = Frontier::for_agent("GPTBot").expect("a name");
        let at = Time(1_790_000_000);
        frontier.record(&origin(), &Response::new(200, CLOSED), at);
        let is_robots_txt = robotsc::origin::split(&Dialect::GOOGLE, &url).is_ok_and(|url| url.is_robots_txt());
        let is_allowed = frontier.check(&url, at).is_ok_and(|check| check.is_allowed());
        prop_assert!(!is_allowed || is_robots_txt, "{}", url.escape_ascii());
    }

    #[test]
    fn random_bytes_are_no_program_policy_or_pack(bytes in vec(any::<u8>(), 0..200)) {
        for mark in [&b""[..], b"RP\x02", b"RA\x02"] {
            let bytes = [mark, &bytes].concat();
            prop_assert!(ProgramBuf::from_bytes(&bytes[..]).is_err(), "{}", bytes.escape_ascii());
            prop_assert!(PolicyBuf::from_bytes(&bytes[..]).is_err(), "{}", bytes.escape_ascii());
            prop_assert!(Pack::from_bytes(bytes.clone()).is_err(), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_flipped_bit_is_an_error(at in any::<Index>(), bit in 0..8_u8, dialect in select(&Dialect::ALL[..])) {
        let robots = RobotsTxt::parse_with(CLOSED, dialect);
        let rules = robots.rule_set(&Crawler::new("GPTBot").expect("a name"));
        let mut program = Compiler::new().compile(&rules).expect("a small rule set").into_bytes();
        let number = at.index(program.len());
        program[number] ^= 1 << bit;
        prop_assert!(ProgramBuf::from_bytes(program).is_err(), "{number}");
        let mut policy = Compiler::new().compile_policy(&robots).expect("a small file").as_bytes().to_vec();
        let number = at.index(policy.len());
        policy[number] ^= 1 << bit;
        prop_assert!(PolicyBuf::from_bytes(policy).is_err(), "{number}");
    }

    /// A policy and the file that it was compiled from choose the same rules for every name.
    #[test]
    fn a_policy_selects_what_its_file_selects(
        values in vec(name(), 0..8), names in vec(name(), 1..8), dialect in select(&Dialect::ALL[..]),
    ) {
        let groups = values.iter().enumerate().map(|(number, value)| {
            let rule = if number % 3 == 1 { String::new() } else { format!("Disallow: /{number}\n") };
            format!("User-agent: {value}\n{rule}")
        });
        let body = groups.collect::<String>();
        let robots = RobotsTxt::parse_with(body.as_bytes(), dialect);
        let policy = Compiler::new().compile_policy(&robots).expect("a small file");
        for name in names.iter().chain(&values) {
            let Ok(name) = AgentName::new(name) else { continue };
            let rules = robots.rule_set(&Crawler::from(name));
            let program = Compiler::new().compile(&rules).expect("a small rule set");
            let found = policy.policy().program(Some(name)).expect("a complete policy");
            prop_assert_eq!(found.as_bytes(), program.program().as_bytes(), "{} {} in {}", dialect.name, name, body);
            let some = Compiler::new().compile_policy_for(&robots, [name]).expect("a small file");
            let found = some.policy().program(Some(name)).expect("the policy is for this name");
            prop_assert_eq!(found.as_bytes(), program.program().as_bytes(), "{} {} in {}", dialect.name, name, body);
        }
    }
}

/// A name of a crawler, or a value of a `User-agent` line: mostly of parts that several have in common.
fn name() -> impl Strategy<Value = String> {
    let part = select(vec![
        "MJ", "mj", "bot", "Bot", "foo", "12", "2", ".", "_", "-", "-", "+", "!", "~", "\u{e9}", "/", "/1.0", " ", "*",
        ":", "\t", "#",
    ]);
    vec(part, 0..5).prop_map(|parts| parts.concat())
}
