//! `include_rules!`: rule sets compiled where they are used. What they answer is compared with the reference matcher
//! in `robotsc-build`; here, that the macro takes what it documents.

use robotsc::embed::{Set, Sets};
use robotsc::{AgentName, UrlPath};
use robotsc_macros::include_rules;

const AGENT: AgentName<'static> = match AgentName::new("FooBot") {
    Ok(agent) => agent,
    Err(_) => panic!("a name"),
};
static ALL: &Sets<'static> = include_rules!("rules");
static HYGIENE: &Set<'static> = include_rules!("rules", "crawl-hygiene");

#[test]
fn a_folder_and_one_set_of_it() {
    assert!(ALL.len() > 1);
    assert_eq!(HYGIENE.name(), "crawl-hygiene");
    assert_eq!(ALL.by_name("crawl-hygiene").map(|set| set.places().len()), Some(HYGIENE.places().len()));
    let path = UrlPath::new(b"/forum?zenid=1", HYGIENE.path_form()).expect("a plain path");
    let answer = HYGIENE.verdict(AGENT, path).expect("a path of its form");
    assert!(!answer.verdict.is_allow());
    let rule = answer.rule.expect("it names its rules");
    assert_eq!((rule.file, rule.name), ("crawl-hygiene.ron", Some("zen-cart-session")));
}

#[test]
fn a_file() {
    // The scope of what the macro declares is its own: two can stand side by side.
    let one: &Sets<'static> = include_rules!("rules/example-corporation.ron");
    let other: &Set<'static> = include_rules!("rules/example-corporation.ron", "corporate-base",);
    assert!(one.iter().any(|set| set.name() == other.name()));
    let url = b"https://example-corporation.example/?a=1&session=7";
    let answer = other.verdict_url(AGENT, url).expect("a plain URL").expect("it applies");
    assert_eq!(answer.rule.and_then(|rule| rule.name), Some("session-in-query"));
    assert!(other.verdict_url(AGENT, b"https://elsewhere.example/").expect("a plain URL").is_none());
    let closest = one.for_url(b"https://www.example-corporation.example/").expect("a plain URL").next();
    assert!(closest.is_some());
}
