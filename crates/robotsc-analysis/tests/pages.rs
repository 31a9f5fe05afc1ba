//! The pages of the checks of lint: each has all sections, its example triggers its check, and its mended file does
//! not.
//!
//! A fenced block of a page is a robots.txt if its language is `robots`. Words after it say how to read it:
//!
//! - `dialect=NAME`: as this dialect does; google if not said.
//! - `utf16`: with `decode_utf16`.
//! - `escaped`: `\xNN`, `\r` and `\n` are bytes, and `{N}` after a byte repeats it N times. Line ends that are not
//!   escaped are dropped.
//! - `urls=PATH,PATH`: with these URLs of the site.
//! - `also=CODE,CODE`: other checks that find something in it too.

use std::collections::BTreeSet;

use robotsc_analysis::lint::{Finding, KnownName, Lint, LintCheck};
use robotsc_compiler::{Dialect, RobotsTxt, Severity};

const SECTIONS: [&str; 5] =
    ["## What it does", "## Why it matters", "## Example", "## Use instead", "## When to ignore it"];

/// A robots.txt in a page.
struct Block {
    body: Vec<u8>,
    dialect: Dialect,
    also: BTreeSet<String>,
    urls: Vec<Vec<u8>>,
}

impl Block {
    fn new(info: &str, text: &str) -> Self {
        let mut block =
            Self { body: text.as_bytes().to_vec(), dialect: Dialect::GOOGLE, also: BTreeSet::new(), urls: Vec::new() };
        for word in info.split(' ').skip(1) {
            if let Some(name) = word.strip_prefix("dialect=") {
                block.dialect = Dialect::by_name(name).unwrap_or_else(|| panic!("{name} is no dialect")).clone();
            } else if let Some(codes) = word.strip_prefix("also=") {
                block.also = codes.split(',').map(str::to_owned).collect();
            } else if let Some(urls) = word.strip_prefix("urls=") {
                block.urls = urls.split(',').map(|url| url.as_bytes().to_vec()).collect();
            } else if word == "utf16" {
                block.dialect.decode_utf16 = true;
            } else {
                assert_eq!(word, "escaped", "{info}");
                block.body = unescaped(text);
            }
        }
        block
    }

    fn lint(&self) -> Vec<Finding> {
        let known = [
            ("GPTBot", None),
            ("CCBot", None),
            ("Bytespider", None),
            ("anthropic-ai", Some("ClaudeBot")),
            ("ClaudeBot", None),
            ("PerplexityBot", None),
            ("Diffbot", None),
        ];
        let known = known.map(|(token, successor)| KnownName {
            is_retired: successor.is_some(),
            successors: successor.into_iter().map(str::to_owned).collect(),
            operator: if token == "PerplexityBot" { "Perplexity".to_owned() } else { String::new() },
            siblings: if token == "PerplexityBot" { vec!["Perplexity-User".to_owned()] } else { Vec::new() },
            may_ignore: token == "Diffbot",
            ..KnownName::new(token)
        });
        Lint::new()
            .with_info()
            .known_names(known)
            .urls(self.urls.clone())
            .run(&RobotsTxt::parse_with(&self.body, &self.dialect))
    }
}

/// Returns the bytes that an `escaped` block stands for.
fn unescaped(text: &str) -> Vec<u8> {
    let mut body = Vec::new();
    let mut rest = text.replace('\n', "");
    while !rest.is_empty() {
        let used = if let Some(digits) = rest.strip_prefix("\\x") {
            body.push(u8::from_str_radix(&digits[..2], 16).unwrap());
            4
        } else if let Some(count) = rest.strip_prefix('{') {
            let count = &count[..count.find('}').unwrap()];
            let last = body.pop().unwrap();
            body.extend(std::iter::repeat_n(last, count.parse().unwrap()));
            count.len() + 2
        } else if rest.starts_with("\\r") || rest.starts_with("\\n") {
            body.push(if rest.starts_with("\\r") { b'\r' } else { b'\n' });
            2
        } else {
            body.push(rest.as_bytes()[0]);
            1
        };
        rest.drain(..used);
    }
    body
}

/// Returns the text of a section.
fn section<'p>(page: &'p str, title: &str) -> &'p str {
    let (_, text) = page.split_once(&format!("\n{title}\n")).unwrap_or_else(|| panic!("no section {title}"));
    text.split("\n## ").next().unwrap_or(text)
}

/// Returns the robots.txt of a section, if it has one.
fn block(section: &str) -> Option<Block> {
    let (_, text) = section.split_once("```robots")?;
    let (info, text) = text.split_once('\n')?;
    Some(Block::new(info, text.split_once("```")?.0))
}

fn codes(found: &[Finding]) -> BTreeSet<&str> {
    found.iter().map(|finding| finding.check.code()).collect()
}

/// Runs a test of each page, and fails with all that is wrong.
fn each_page(test: impl Fn(&LintCheck, &str) -> Option<String>) {
    let wrong: Vec<String> = LintCheck::ALL
        .iter()
        .filter_map(|check| Some(format!("{}: {}", check.code(), test(check, check.page())?)))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn sections_in_order() {
    each_page(|check, page| {
        let severity = match check.severity() {
            Severity::Error => "Severity: error",
            Severity::Warning => "Severity: warning",
            _ => "Severity: note",
        };
        if !page.starts_with(&format!("# {}\n\n{severity}", check.code())) {
            return Some("the first lines are not its code and its severity".to_owned());
        }
        let titles: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
        (titles != SECTIONS).then(|| format!("sections {titles:?}"))
    });
}

#[test]
fn examples_trigger_their_check() {
    each_page(|check, page| {
        let Some(example) = block(section(page, SECTIONS[2])) else { return Some("no example".to_owned()) };
        let found = example.lint();
        let mut expected: BTreeSet<&str> = example.also.iter().map(String::as_str).collect();
        expected.insert(check.code());
        (codes(&found) != expected).then(|| format!("found {:?}, expected {expected:?}", codes(&found)))
    });
}

#[test]
fn mended_files_do_not() {
    each_page(|_, page| {
        let text = section(page, SECTIONS[3]);
        let Some(mended) = block(text) else {
            return text.trim().is_empty().then(|| "neither a file nor a reason".to_owned());
        };
        let found = mended.lint();
        let found: BTreeSet<&str> =
            codes(&found).difference(&mended.also.iter().map(String::as_str).collect()).copied().collect();
        (!found.is_empty()).then(|| format!("found {found:?}"))
    });
}

#[test]
fn the_table_of_the_docs_lists_each_check_once() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lint.md");
    // The package of this crate alone does not have the folder.
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let name = |severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let row =
        |check: &LintCheck| format!("| [`{}`] | {} | {} |", check.code(), name(check.severity()), check.summary());
    let link = |check: &LintCheck| format!("[`{0}`]: ../crates/robotsc-analysis/src/lint/pages/{0}.md", check.code());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let text = with_lines(&text, "| [`", row);
        std::fs::write(path, with_lines(&text, "[`", link)).unwrap();
        return;
    }
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| [`")).collect();
    assert_eq!(rows, LintCheck::ALL.iter().map(row).collect::<Vec<_>>());
    let links: Vec<&str> = text.lines().filter(|line| line.starts_with("[`")).collect();
    assert_eq!(links, LintCheck::ALL.iter().map(link).collect::<Vec<_>>());
}

/// Returns a text in which each check has its line among those with a start, after that of the check before it.
fn with_lines(text: &str, start: &str, line_of: impl Fn(&LintCheck) -> String) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut at = 0;
    for check in LintCheck::ALL {
        let own = format!("{start}{}`]", check.code());
        match lines.iter().position(|line| line.starts_with(&own)) {
            Some(found) => at = found,
            None => {
                at += 1;
                lines.insert(at, String::new());
            }
        }
        lines[at] = line_of(check);
    }
    lines.join("\n") + "\n"
}
