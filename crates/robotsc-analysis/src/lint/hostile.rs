//! Files that are made to cost much.
//!
//! Nothing here asserts a time. A check that compares each of thousands of lines, or of bytes, with each other, and
//! does not charge it to the budget, takes minutes in these tests.

use super::{KnownName, Lint};
use crate::search::SearchBudget;
use robotsc_compiler::{Dialect, RobotsTxt};

/// The bytes of a file of many lines: a third of what crawlers read, and the budgets less than by default, since tests
/// are built without optimization.
const BYTES: usize = 170_000;
const ENOUGH: u64 = SearchBudget::IN_ALL / 16;
const TOO_LITTLE: u64 = SearchBudget::IN_ALL / 384;
/// Returns the bytes of one line: nearly as many as crawlers read, if `ROBOTSC_FULL=1` asks for the long form.
fn line_bytes() -> usize {
    if std::env::var_os("ROBOTSC_FULL").is_some() { 480_000 } else { 120_000 }
}

/// Returns a file: a beginning, and a line for each number as long as it fits.
fn file(beginning: &str, line: fn(usize) -> String) -> String {
    let mut body = beginning.to_owned();
    for at in 0..40_000 {
        let line = line(at);
        if body.len() + line.len() > BYTES {
            break;
        }
        body.push_str(&line);
    }
    body
}

/// Returns a number in letters, as a name.
fn letters(mut number: usize) -> String {
    let mut name = String::new();
    loop {
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return name;
        }
    }
}

/// Returns the letters of a word, of which the bits of a number are upper case.
fn spelling(word: &str, number: usize) -> String {
    let letters = word.char_indices();
    letters.map(|(at, letter)| if number >> at & 1 == 1 { letter.to_ascii_uppercase() } else { letter }).collect()
}

/// Returns the codes that are found in a file, and whether the budget was spent.
fn found(lint: &Lint, body: &str, work: u64) -> (Vec<&'static str>, bool) {
    found_under(&Dialect::GOOGLE, lint, body, work)
}

/// As [`found`], under a dialect: that of Google reads a part of a long line.
fn found_under(dialect: &Dialect, lint: &Lint, body: &str, work: u64) -> (Vec<&'static str>, bool) {
    let budget = SearchBudget::new(work, work);
    let found = lint.run_within(&RobotsTxt::parse_with(body.as_bytes(), dialect), &budget);
    let mut codes: Vec<&str> = found.iter().map(|finding| finding.check.code()).collect();
    let undecided = codes.iter().filter(|code| **code == "not-decided").count();
    assert!(undecided < 20, "{undecided} questions are reported as undecided, one by one");
    codes.sort_unstable();
    codes.dedup();
    (codes, budget.is_spent())
}

const STAR: &str = "User-agent: *\n";

/// What needs no search is found, however many lines there are, and takes a part of the budget.
#[test]
fn many_lines_are_checked_within_the_budget() {
    let known = (0..300).map(|at| KnownName::new(format!("Goggle{at}bot")));
    let lints = [Lint::new().with_info(), Lint::new().with_info().known_names(known)];
    let mut failures = Vec::new();
    for (code, line) in [
        ("agent-names-nobody", (|at| format!("User-agent: {at}\n")) as fn(usize) -> String),
        ("agent-unknown", |at| format!("User-agent: Google{at}bot\n")),
        ("agent-not-token", |at| format!("User-agent: {}/{at} (a long name) {}\n", letters(at), "a".repeat(2000))),
        ("agent-list", |at| format!("User-agent: {}, {}\nDisallow: /\n", letters(at), letters(at + 1))),
        ("group-merge", |at| format!("User-agent: a{}\nCrawl-delay: 1\n", letters(at))),
        ("group-empty", |at| format!("User-agent: a{}\nFoo: 1\n", letters(at))),
        ("group-repeated", |at| format!("User-agent: bot\nDisallow: /{at}\n\n")),
        ("prefix-overreach", |at| format!("User-agent: x{}\nDisallow: /x\n", letters(at))),
        ("crawl-delay-ignored", |at| format!("User-agent: x{}\nCrawl-delay: {at}\n", letters(at))),
        ("noindex-record", |at| format!("Noindex: /{at}\n")),
        ("sitemap-form", |_| "Sitemap: https://h/a\n".to_owned()),
        ("invalid-sitemap", |at| format!("Sitemap: /{at}\n")),
        ("license-form", |at| format!("License: https://h/{at}\n")),
        ("missing-colon", |at| format!("disalow /{at}\n")),
        ("typo-key", |at| format!("disalow: /{at}\n")),
        ("joined-lines", |at| format!("Disallow: /a{at} Disallow: /b{at} Allow: /c\n")),
        ("no-colon", |at| format!("<p>{at}</p>\n")),
        ("case-variants", |at| format!("Disallow: /{}\n", spelling("abcdefghijklmnop", at))),
        ("tie-decides", |at| format!("Allow: /{at:05}\n")),
        ("rule-duplicate", |_| "Disallow: /a\n".to_owned()),
        ("rule-duplicate", |at| format!("Disallow: /wp-admin{}\nAllow: /wp-admin/x.php\n", "/".repeat(at % 5))),
        ("ending-as-path", |at| format!("Disallow: /.e{at}\nDisallow: /.pdf\n")),
        ("render-blocked", |at| format!("Disallow: /b{at}/wp-includes/\n")),
    ] {
        let lint = &lints[usize::from(code == "agent-unknown")];
        let (codes, is_spent) = found(lint, &file("User-agent: *\nDisallow: /00007\n", line), ENOUGH);
        if is_spent || !codes.contains(&code) {
            failures.push((code, codes));
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}

/// Where each line has to be compared with each other, the budget ends it, and the rest is not decided.
#[test]
fn questions_about_pairs_of_lines_end_with_the_budget() {
    let hard: String = (0..300).map(|at| format!("Disallow: /*a*{at}*b*c{at}\n")).collect();
    let hard = format!("{STAR}{hard}\n");
    let mut failures = Vec::new();
    for (name, beginning, line) in [
        ("one head", STAR, (|at| format!("Disallow: /*{at}\n")) as fn(usize) -> String),
        ("many stars", STAR, |at| format!("Disallow: /{}{at}\n", "*a".repeat(20))),
        ("pairs at one place", STAR, |at| format!("{}: /*{:05}\n", ["Allow", "Disallow"][at % 2], at / 2)),
        ("folders", STAR, |at| format!("Disallow: /a{at}/js/\n")),
        ("endings", STAR, |at| format!("Disallow: /*/x{at}.js$\n")),
        ("parameters", STAR, |at| format!("Disallow: /*?p{at}=\nDisallow: /*&p{at}=\n")),
        ("index files", STAR, |at| format!("Disallow: /{at}/index.html\n")),
        ("placeholders", STAR, |at| format!("Disallow: /:id{at}\n")),
        ("letters", STAR, |at| format!("Disallow: /\u{e9}{at}\n")),
        ("allow list", "User-agent: *\nDisallow: /\n", |at| format!("Allow: /*a{at}*b$\n")),
        ("signals", STAR, |at| format!("Content-Signal: /*{at} search=yes\nDisallow: /*{at}\n")),
        ("groups", &hard, |at| format!("User-agent: b{}\nDisallow: /{at}\n", letters(at))),
        ("groups of all", STAR, |at| {
            format!("User-agent: *\nDisallow: /{at}\nUser-agent: b{}\nDisallow: /{at}\n", letters(at))
        }),
    ] {
        let (codes, is_spent) = found(&Lint::new().with_info(), &file(beginning, line), TOO_LITTLE);
        if !is_spent || !codes.contains(&"not-decided") {
            failures.push((name, codes));
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn a_line_as_long_as_the_file_is_checked() {
    for part in [
        ">",
        ")",
        "]",
        "}",
        ",",
        ";",
        "\"",
        "=>",
        " ",
        "(",
        "[",
        "<",
        "/",
        "//",
        "/./",
        "/:a",
        "%",
        "%2",
        "%3F",
        "\\",
        "$",
        "?",
        "&a=",
        "&a;",
        "user-agent: a ",
        "user-agent:",
        "for user-agent: a ",
        "disallow: /a ",
        ";disallow:/",
    ] {
        let value = part.repeat(line_bytes() / part.len());
        for key in [
            "Disallow: /a",
            "Disallow: /a # ",
            "Disallow: ",
            "Allow: a",
            "User-agent: a",
            "Sitemap: https://h/a",
            "Content-Signal: ",
            "# ",
        ] {
            let body = format!("{STAR}{key}{value}\nDisallow: /b\n");
            let (codes, _) = found_under(&Dialect::RFC9309, &Lint::new().with_info(), &body, TOO_LITTLE);
            assert!(codes.len() < 20, "{key}{part}: {codes:?}");
        }
    }
}

/// Each word of a value can be compared with each known name.
#[test]
fn a_line_of_names_is_checked() {
    let known = (0..300).map(|at| KnownName::new(format!("Goggle{at}bot")));
    let lint = Lint::new().known_names(known);
    for part in [", ", "a, ", " (", "(a", "ai (", "but a ", "Goggle7bot ", "Goggle7bot, "] {
        for key in ["User-agent: ", "User-agent: * ", "User-agent: Mozilla/5.0 "] {
            let body = format!("{key}{}\nDisallow: /b\n", part.repeat(line_bytes() / 4 / part.len()));
            let (codes, _) = found_under(&Dialect::RFC9309, &lint, &body, TOO_LITTLE);
            assert!(codes.len() < 20, "{key}{part}: {codes:?}");
        }
    }
}
