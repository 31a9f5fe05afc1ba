//! What checks of lint report, and what they do not.

use robotsc_analysis::lint::{Finding, Lint};
use robotsc_compiler::{Dialect, RobotsTxt};

fn lint(body: &[u8], dialect: &Dialect) -> Vec<Finding> {
    Lint::new().with_info().run(&RobotsTxt::parse_with(body, dialect))
}

fn codes(body: &[u8], dialect: &Dialect) -> Vec<&'static str> {
    lint(body, dialect).iter().map(|finding| finding.check.code()).collect()
}

fn rules(rules: &str, dialect: &Dialect) -> Vec<&'static str> {
    codes(format!("User-agent: *\n{rules}").as_bytes(), dialect)
}

#[test]
fn utf16_has_one_finding() {
    for body in [&b"\xFF\xFEU\0s\0e\0r\0\n\0"[..], b"\xFE\xFF\0U\0s\0e\0r\0\n"] {
        assert_eq!(codes(body, &Dialect::GOOGLE), ["utf16-bom"]);
    }
    let decoding = Dialect { decode_utf16: true, ..Dialect::GOOGLE };
    assert_eq!(codes(b"\xFF\xFE#\0\n\0", &decoding), ["no-rules"]);
}

#[test]
fn dialects_that_differ_on_what_no_client_sends_agree() {
    // `/car%74/`, and `/robots.txt`.
    assert!(rules("Disallow: /cart/\n", &Dialect::GOOGLE).is_empty());
    assert_eq!(rules("Disallow: /\n", &Dialect::GOOGLE), ["site-closed"]);
    assert_eq!(rules("Disallow: /\n", &Dialect::RFC9309), ["site-closed"]);
    assert_eq!(rules("Disalow: /cart/\nDisallow: /x/\n", &Dialect::GOOGLE), ["dialects-disagree", "typo-key"]);
}

#[test]
fn a_line_without_a_colon_is_a_record_if_its_first_word_is_read_as_a_directive() {
    for (line, wanted) in [("Disallow /x", true), ("Disalow /x", true), ("Please /x", false)] {
        let robots = format!("User-agent: *\n{line}\n");
        let found = lint(robots.as_bytes(), &Dialect::GOOGLE);
        let found = found.iter().find(|finding| finding.check.code() == "missing-colon").unwrap();
        assert_eq!(!found.message.contains("no record"), wanted, "{line}: {}", found.message);
        assert_eq!(RobotsTxt::parse(robots.as_bytes()).rules().len(), usize::from(wanted), "{line}");
    }
}

#[test]
fn a_query_of_the_start_page_is_not_each_query() {
    assert_eq!(rules("Disallow: /?\n", &Dialect::GOOGLE), ["param-first-only"]);
    assert!(rules("Disallow: /*?\n", &Dialect::GOOGLE).contains(&"query-swallowed"));
}

#[test]
fn a_dollar_inside_is_not_rewritten() {
    let found = lint(b"User-agent: *\nDisallow: /a$b\n", &Dialect::GOOGLE);
    let found = found.iter().find(|finding| finding.check.code() == "dollar-inside").unwrap();
    assert_eq!(found.fix, None);
}

#[test]
fn a_line_has_one_finding_for_one_reason() {
    for (record, wanted) in [
        ("Noindex: /x", &["noindex-record"][..]),
        ("Noindex,nofollow: /x", &["noindex-record"]),
        ("Host: shop.example", &["retired-record"]),
        ("License: https://shop.example/license.xml", &[]),
        ("Nofollow: /x", &["unused-key"]),
        ("Content-Signal: search=yes,ai-train=no,use=reference", &[]),
        ("Content-Signal: use=full", &[]),
        ("Content-Signal: search=maybe", &["content-signal-syntax"]),
        ("Content-Signal: ,", &["content-signal-syntax"]),
        ("Content-Signal:", &["invalid-content-signal"]),
        ("Content-Signal: /blog/", &["content-signal-syntax", "invalid-content-signal"]),
        ("Content-Signal: /blog/ ai-train=no", &["content-signal-syntax"]),
        ("Content-Signals: ai-train=no", &["content-signal-syntax"]),
        ("Content-Usage: train-ai=n", &[]),
        ("Content-Usage: /blog/", &["invalid-content-usage"]),
        ("Content-Usage: *.png train-ai=n", &["content-usage-syntax"]),
    ] {
        assert_eq!(rules(&format!("Disallow: /cart/\n{record}\n"), &Dialect::GOOGLE), wanted, "{record}");
    }
}

#[test]
fn a_rule_is_not_redundant_for_its_copy() {
    let found = lint(b"User-agent: *\nDisallow: /cart/\nDisallow: /x/\nDisallow: /cart/\n", &Dialect::GOOGLE);
    let found: Vec<_> = found.iter().map(|finding| (finding.line, finding.check.code())).collect();
    assert_eq!(found, [(4, "rule-duplicate")]);
}

#[test]
fn the_folder_of_an_index_page_is_no_duplicate() {
    let text = "Disallow: /shop/\nAllow: /shop/index.html\nAllow: /shop/$\n";
    assert!(rules(text, &Dialect::GOOGLE).is_empty());
}

#[test]
fn what_wins_is_named_for_patterns_with_escapes_and_ties() {
    let message = |text: &str, dialect| {
        let found = lint(format!("User-agent: *\n{text}").as_bytes(), dialect);
        let found = found.into_iter().find(|finding| finding.check.code().starts_with("rule-"));
        found.map(|finding| finding.message).unwrap_or_default()
    };
    assert_eq!(
        message("Disallow: /a%20b\nDisallow: /a%20b\n", &Dialect::RFC9309),
        "`Disallow: /a%20b` is there twice: line 2 says the same"
    );
    assert_eq!(
        message("Disallow: /a%20b\nAllow: *a%20b/\nAllow: *a%20b\n", &Dialect::RFC9309),
        "`Disallow: /a%20b` never decides: line 4 `Allow: *a%20b` has priority and matches all that it matches"
    );
    assert_eq!(
        message("Disallow: /shop\nAllow: /*shop\n", &Dialect::GOOGLE),
        "`Disallow: /shop` never decides: line 3 `Allow: /*shop` is longer and matches all that it matches"
    );
    assert_eq!(message("Disallow: /x/../y\n", &Dialect::YANDEX), "", "`dot-segment` says why");
}

/// Returns the messages of the findings of a check, each after its line, with those of info.
fn messages(code: &str, body: &str) -> Vec<String> {
    let found = lint(body.replace('|', "\n").as_bytes(), &Dialect::GOOGLE);
    let found = found.iter().filter(|finding| finding.check.code() == code);
    found.map(|finding| format!("{} {}", finding.line, finding.message)).collect()
}

#[test]
fn signals_that_are_not_understood() {
    for (value, wanted) in [
        ("search=yes, use=reference", None),
        ("search=yes, search-ai=yes", Some("`search-ai` is no signal")),
        ("ai-train=conditional", Some("`ai-train` takes `yes` or `no`, not `conditional`")),
        ("use=all", Some("`use` takes `immediate`, `reference` or `full`, not `all`")),
        ("ai-train=no; search=yes", Some("`ai-train=no; search=yes` is separated by `;`: write commas")),
        ("Train-AI=n", Some("`Train-AI` is a label of Content-Usage")),
        ("bots=n", Some("`bots` is a label of Content-Usage")),
        (",", Some("`,` states nothing")),
        ("*.png ai-train=no, search=yes", Some("`*.png ai-train` has a blank where a signal is expected")),
        ("blog/ ai-train=no, search=yes", Some("so the whole line says nothing: a path starts with `/`")),
    ] {
        let found = messages("content-signal-syntax", &format!("User-agent: *|Content-Signal: {value}|Disallow: /x|"));
        match wanted {
            Some(wanted) => assert!(found.len() == 1 && found[0].contains(wanted), "{value}: {found:?}"),
            None => assert!(found.is_empty(), "{value}: {found:?}"),
        }
    }
}

#[test]
fn dictionaries_that_are_not_understood() {
    for (value, wanted) in [
        ("train-ai=n, ai-use=n, search=y", None),
        ("/a train-ai=n;reason=\"x, Y\", search=y", None),
        ("train-ai=n, SEARCH=y", Some("has an upper-case letter")),
        ("train-ai=n search=y", Some("has a blank where a comma is expected")),
        ("train-ai=n, search=y,", Some("a comma at the end")),
        ("train-ai=n,,search=y", Some("is no dictionary of RFC 9651: expected start of key")),
        ("*.png train-ai=n", Some("a path starts with `/`")),
        ("bots=n", Some("`bots` is a label of an earlier draft")),
        ("ai-input=y", Some("here `ai-use` corresponds to it")),
        ("genai-train=n", Some("`genai-train` is no label of the draft")),
        ("train-ai=no", Some("`train-ai` takes `y` or `n`")),
        ("train-ai", Some("`train-ai` takes `y` or `n`")),
        ("train-ai=n, train-ai=y", Some("`train-ai` is repeated: the last value counts")),
    ] {
        let found = messages("content-usage-syntax", &format!("User-agent: *|Content-Usage: {value}|Disallow: /x|"));
        match wanted {
            Some(wanted) => assert!(found.len() == 1 && found[0].contains(wanted), "{value}: {found:?}"),
            None => assert!(found.is_empty(), "{value}: {found:?}"),
        }
    }
}

#[test]
fn preferences_that_disagree_or_have_no_effect() {
    for (file, wanted) in [
        ("Content-Signal: ai-train=no|Content-Usage: train-ai=n", vec![]),
        (
            "Content-Signal: ai-train=no|Content-Usage: train-ai=y",
            vec!["2 `ai-train=no` contradicts line 3, `train-ai=y`"],
        ),
        ("Content-Signal: ai-train=no|Content-Usage: /a/ train-ai=y", vec![]),
        (
            "Content-Usage: /%61/ search=y|Content-Signal: /%61/ search=no",
            vec!["3 `search=no` contradicts line 2, `search=y`"],
        ),
        (
            "Content-Usage: /b train-ai=y|Content-Usage: /b train-ai=n",
            vec!["2 `train-ai=y` contradicts line 3, `train-ai=n`: no holds"],
        ),
        (
            "Content-Usage: /x/y train-ai=n|Content-Usage: /*z train-ai=n",
            vec!["2 `/x/y` is disallowed: a preference for it has no effect"],
        ),
        (
            "Content-Signal: use=immediate|Content-Signal: use=full",
            vec!["3 `use=full` contradicts line 2, `use=immediate`: `immediate` holds"],
        ),
        (
            "Content-Signal: use=full|Content-Signal: use=reference|Content-Signal: use=immediate",
            vec![
                "2 `use=full` contradicts line 4, `use=immediate`: `immediate` holds",
                "3 `use=reference` contradicts line 4, `use=immediate`: `immediate` holds",
            ],
        ),
        ("Content-Signal: use=full|Content-Signal: /a use=immediate|Content-Signal: use=full", vec![]),
        // Paths that no client sends.
        ("Content-Usage: /./a train-ai=n", vec!["2 `/./a` matches no URL: a preference for it has no effect"]),
        ("Content-Usage: /../c train-ai=n", vec!["2 `/../c` matches no URL: a preference for it has no effect"]),
        ("Content-Usage: /\u{1} train-ai=n", vec!["2 `/\\x01` matches no URL: a preference for it has no effect"]),
        ("Content-Usage: /x train-ai=n", vec!["2 `/x` is disallowed: a preference for it has no effect"]),
        ("Allow: /x/open|Content-Usage: /x train-ai=n", vec![]),
    ] {
        let found = messages("preference-contradiction", &format!("User-agent: *|{file}|Disallow: /x|"));
        assert_eq!(found, wanted, "{file}");
    }
}

#[test]
fn preferences_that_do_not_reach_named_agents() {
    let star = "User-agent: *|Content-Signal: ai-train=no|Disallow: /x|";
    let missed = |who: &str, key: &str, line: u32| {
        format!("{line} {who} a group without `{key}`, and that for `*` does not reach it")
    };
    for (others, wanted) in [
        ("", vec![]),
        // What may not be fetched needs no preference.
        ("User-agent: GPTBot|Disallow: /|", vec![]),
        ("User-agent: GPTBot|Content-Signal: search=yes|Disallow: /y|", vec![]),
        // Who reads one of the records need not read the other.
        ("User-agent: GPTBot|Content-Usage: train-ai=n|Disallow: /y|", vec![missed("GPTBot has", "Content-Signal", 2)]),
        ("User-agent: GPTBot|Disallow: /y|", vec![missed("GPTBot has", "Content-Signal", 2)]),
        (
            "User-agent: GPTBot|Disallow: /y|User-agent: CCBot|Allow: /|",
            vec![missed("GPTBot and CCBot have", "Content-Signal", 2)],
        ),
        (
            "User-agent: GPTBot|Disallow: /y|User-agent: CCBot|User-agent: Bytespider|Allow: /|",
            vec![missed("GPTBot and 2 more have", "Content-Signal", 2)],
        ),
        (
            "User-agent: GPTBot|User-agent: CCBot|Disallow: /y|User-agent: Bytespider|Allow: /|",
            vec![missed("GPTBot and 2 more have", "Content-Signal", 2)],
        ),
        (
            "Content-Usage: train-ai=n|User-agent: GPTBot|Content-Signal: ai-train=no|Allow: /|",
            vec![missed("GPTBot has", "Content-Usage", 4)],
        ),
        (
            "Content-Usage: train-ai=n|User-agent: GPTBot|Allow: /|",
            vec![missed("GPTBot has", "Content-Signal", 2), missed("GPTBot has", "Content-Usage", 4)],
        ),
    ] {
        assert_eq!(messages("preference-outside-group", &format!("{star}{others}")), wanted, "{others}");
    }
    let body = format!("{star}User-agent: GPTBot|Disallow: /y|").replace('|', "\n");
    let after = robotsc_analysis::lint::fixed(body.as_bytes(), &Dialect::GOOGLE, &Lint::new(), true);
    // The rule of `*` is copied, too.
    let group = "User-agent: GPTBot|Content-Signal: ai-train=no|Disallow: /y|Disallow: /x|";
    let wanted = format!("{star}{group}").replace('|', "\n");
    assert_eq!(String::from_utf8_lossy(&after.body), wanted);
}

/// A file whose fix would be as large as the product of its lines and its groups has none.
#[test]
fn no_fix_copies_thousands_of_lines_to_thousands_of_groups() {
    let fixes = |lines: usize, groups: usize| {
        let usage = "Content-Usage: train-ai=n|".repeat(lines);
        let agents: String = (0..groups).map(|at| format!("User-agent: {}|Allow: /|", letters(at))).collect();
        let body = format!("User-agent: *|{usage}Allow: /|{agents}").replace('|', "\n");
        let found = Lint::new().run(&RobotsTxt::parse(body.as_bytes()));
        let found: Vec<_> = found.iter().filter(|one| one.check.code() == "preference-outside-group").collect();
        assert_eq!(found.len(), 1, "{lines} {groups}");
        assert_eq!(found[0].related.len(), groups, "{lines} {groups}");
        found[0].fix.as_ref().map(|fix| fix.edits.iter().map(|edit| edit.with.len()).sum::<usize>())
    };
    assert_eq!(fixes(2, 100), Some(2 * 100 * "Content-Usage: train-ai=n\n".len()));
    assert_eq!(fixes(1_000, 1_000), None);
}

/// Returns a number in letters, as a name.
fn letters(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(b'a' + (digit - b'0'))).collect()
}

/// A crowd of agents in one group, each with a group of its own: all records count for each.
#[test]
fn preferences_of_a_crowd_are_compared_within_the_budget() {
    let crowd = |agents: usize, lines: usize| {
        let names: String = (0..agents).map(|at| format!("User-agent: {}|", letters(at))).collect();
        let own: String = names.split_inclusive('|').map(|name| format!("{name}Allow: /|")).collect();
        let usage: String = (0..lines).map(|at| format!("Content-Usage: /{at} train-ai=n|")).collect();
        let contradiction = "Content-Usage: /0 train-ai=y|";
        format!("{names}{usage}{contradiction}Allow: /|{own}")
    };
    let small = crowd(20, 20);
    assert_eq!(messages("not-decided", &small), [""; 0]);
    assert_eq!(
        messages("preference-contradiction", &small),
        ["41 `train-ai=y` contradicts line 21, `train-ai=n`: no holds"]
    );
    // Within the budget each line is compared for some agents, and the rest is reported.
    let large = messages("not-decided", &crowd(1_500, 1_500));
    assert!(large.iter().any(|message| message.contains("for all agents")), "{large:?}");
}
