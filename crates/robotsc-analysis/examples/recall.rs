//! Puts one known slip into each of some real files, and counts how many lint finds by default.
//!
//! ```console
//! $ cargo run --release -p robotsc-analysis --example recall -- ../shared/corpus/robots-modern
//! ```
//! A slip is found if a finding with one of its codes is there that the file had not before. The table has the share
//! of the files, and the lowest severity. `--files N` takes N files, `--missed` names those that were missed.

use std::collections::BTreeMap;

use robotsc_analysis::lint::{Finding, KnownName, Lint};
use robotsc_compiler::{RobotsTxt, RuleKind, Severity};

/// A slip: what it is called, the codes that tell it, and how a file gets it. `None` if the file cannot have it.
struct Slip {
    name: &'static str,
    codes: &'static [&'static str],
    put: fn(&File) -> Option<Vec<u8>>,
}

/// A file of lines, with what slips need of it.
struct File {
    lines: Vec<Vec<u8>>,
    /// The place of the first line that names `*` and has rules after it, and of its first rule.
    star: usize,
    rule: usize,
    /// The value of that rule.
    value: Vec<u8>,
}

impl File {
    fn new(body: &[u8]) -> Option<Self> {
        let robots = RobotsTxt::parse(body);
        if body.contains(&b'\r') && !body.contains(&b'\n') {
            return None;
        }
        let lines: Vec<Vec<u8>> =
            body.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().to_vec()).collect();
        let group = robots.groups().iter().find(|group| {
            robots.agents_of(group).iter().any(|agent| agent.is_star) && !robots.rules_of(group).is_empty()
        })?;
        let star = robots.agents_of(group).iter().find(|agent| agent.is_star)?.line as usize - 1;
        let is_plain = |value: &[u8]| {
            value.len() > 3
                && value[0] == b'/'
                && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/-_".contains(byte))
        };
        let rule = robots.rules_of(group).iter().find(|rule| {
            rule.kind == RuleKind::Disallow
                && is_plain(rule.value.of(body))
                && !lines[rule.line as usize - 1].contains(&b'#')
        })?;
        let value = rule.value.of(body).to_vec();
        Some(Self { star, rule: rule.line as usize - 1, value, lines })
    }

    fn joined(lines: &[Vec<u8>]) -> Vec<u8> {
        lines.join(&b'\n')
    }

    /// Returns the file with another first rule.
    fn rule(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines[self.rule] = line.to_vec();
        Some(Self::joined(&lines))
    }

    fn value_with(&self, before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
        self.rule(&[b"Disallow: ", before, &self.value, after].concat())
    }

    /// Returns the file with more lines after its first rule.
    fn after_rule(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines.insert(self.rule + 1, text.to_vec());
        Some(Self::joined(&lines))
    }

    fn star_line(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines[self.star] = line.to_vec();
        Some(Self::joined(&lines))
    }

    fn end(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines.push(text.to_vec());
        lines.push(Vec::new());
        Some(Self::joined(&lines))
    }
}

/// `|` of a text is a line end.
fn text(text: &str) -> Vec<u8> {
    text.replace('|', "\n").into_bytes()
}

const PATTERNS: &[&str] = &["dead-pattern", "invisible-character"];

const SLIPS: &[Slip] = &[
    Slip {
        name: "no slash before a path",
        codes: PATTERNS,
        put: |file| file.rule(&[b"Disallow: ", &file.value[1..]].concat()),
    },
    Slip {
        name: "a zero-width space before a path",
        codes: PATTERNS,
        put: |file| file.value_with("\u{200B}".as_bytes(), b""),
    },
    Slip {
        name: "a no-break space before a path",
        codes: PATTERNS,
        put: |file| file.value_with("\u{A0}".as_bytes(), b""),
    },
    Slip {
        name: "a zero-width space after a path",
        codes: PATTERNS,
        put: |file| file.value_with(b"", "\u{200B}".as_bytes()),
    },
    Slip {
        name: "a full-width slash",
        codes: PATTERNS,
        put: |file| file.rule(&["Disallow: \u{FF0F}".as_bytes(), &file.value[1..]].concat()),
    },
    Slip {
        name: "a full-width colon",
        codes: PATTERNS,
        put: |file| file.rule(&["Disallow\u{FF1A} ".as_bytes(), &file.value].concat()),
    },
    Slip { name: "quotes around a path", codes: PATTERNS, put: |file| file.value_with(b"\"", b"\"") },
    Slip {
        name: "curly quotes around a path",
        codes: PATTERNS,
        put: |file| file.value_with("\u{201C}".as_bytes(), "\u{201D}".as_bytes()),
    },
    Slip { name: "a dot before a path", codes: PATTERNS, put: |file| file.value_with(b".", b"") },
    Slip {
        name: "a backslash before a path",
        codes: PATTERNS,
        put: |file| file.rule(&[b"Disallow: \\", &file.value[1..]].concat()),
    },
    Slip { name: "a whole URL", codes: &["url-pattern"], put: |file| file.value_with(b"https://www.example.com", b"") },
    Slip {
        name: "a regular expression at the end",
        codes: &["regex-syntax"],
        put: |file| file.value_with(b"^", b"/.*$").and_then(|_| file.value_with(b"", b"/.*")),
    },
    Slip {
        name: "a regular expression at the start",
        codes: &["regex-syntax", "dead-pattern"],
        put: |file| file.value_with(b"^", b""),
    },
    Slip { name: "a blank in a path", codes: &["space-in-pattern"], put: |file| file.value_with(b"", b" files/") },
    Slip { name: "two paths in a rule", codes: &["space-in-pattern"], put: |file| file.value_with(b"", b" /other/") },
    Slip { name: "a hash in a path", codes: &["hash-cuts-rule"], put: |file| file.rule(b"Disallow: /#/cart") },
    Slip { name: "an escaped ampersand", codes: &["html-entity"], put: |file| file.value_with(b"", b"?a=1&amp;b=2") },
    Slip { name: "a `$` inside", codes: &["dollar-inside"], put: |file| file.value_with(b"", b"$/") },
    Slip { name: "a broken escape", codes: &["escape-form"], put: |file| file.value_with(b"", b"/%zz/") },
    Slip { name: "an escaped letter", codes: &["escape-form"], put: |file| file.value_with(b"", b"/%61/") },
    Slip { name: "a byte that URLs escape", codes: &["unescaped-byte"], put: |file| file.value_with(b"", b"/<id>/") },
    Slip { name: "Latin-1 in a path", codes: &["not-utf8"], put: |file| file.value_with(b"", b"/stra\xDFe/") },
    Slip { name: "a dot segment", codes: &["dot-segment"], put: |file| file.value_with(b"", b"/../x/") },
    Slip {
        name: "a rule twice",
        codes: &["rule-duplicate"],
        put: |file| file.after_rule(&[b"Disallow: ", file.value.as_slice()].concat()),
    },
    Slip {
        name: "an Allow of the same path",
        codes: &["allow-disallow-same"],
        put: |file| file.after_rule(&[b"Allow: ", file.value.as_slice()].concat()),
    },
    Slip {
        name: "an Allow that is too short",
        codes: &["rule-never-decides", "allow-disallow-same", "trailing-star"],
        put: |file| {
            file.after_rule(&[b"Allow: ", file.value.as_slice(), b"/zz\nDisallow: ", &file.value, b"/*z"].concat())
        },
    },
    Slip {
        name: "a parameter in first place only",
        codes: &["param-first-only"],
        put: |file| file.after_rule(b"Disallow: /*?zzsession="),
    },
    Slip {
        name: "`/*` before an Allow of `/`",
        codes: &["trailing-star", "site-closed", "rule-never-decides", "allow-list-hides"],
        put: |file| file.after_rule(b"Allow: /\nDisallow: /*"),
    },
    Slip {
        name: "the site closed",
        codes: &["site-closed", "allow-list-hides"],
        put: |file| {
            let mut lines = file.lines.clone();
            lines.retain(|line| !line.to_ascii_lowercase().trim_ascii_start().starts_with(b"allow"));
            let rule = lines.iter().position(|line| *line == file.lines[file.rule])?;
            lines.insert(rule, b"Disallow: /".to_vec());
            Some(File::joined(&lines))
        },
    },
    Slip {
        name: "the site closed, and an empty rule",
        codes: &["site-closed"],
        put: |_| Some(text("User-agent: *|Disallow: /||User-agent: *|Disallow:|")),
    },
    Slip {
        name: "Googlebot closed",
        codes: &["site-closed"],
        put: |file| file.end(b"\nUser-agent: Googlebot\nDisallow: /"),
    },
    Slip {
        name: "closed but for the start page",
        codes: &["allow-list-hides"],
        put: |_| Some(text("User-agent: *|Disallow: /|Allow: /$|Allow: /en/|")),
    },
    Slip { name: "assets closed", codes: &["render-blocked"], put: |file| file.after_rule(b"Disallow: /_next/") },
    Slip {
        name: "assets open in part",
        codes: &["render-blocked"],
        put: |file| file.after_rule(b"Disallow: /_next/\nAllow: /_next/*.js"),
    },
    Slip {
        name: "a delay between groups",
        codes: &["group-merge"],
        put: |file| {
            let mut lines = file.lines.clone();
            lines.insert(file.star, b"User-agent: SlowBot\nCrawl-delay: 10".to_vec());
            Some(File::joined(&lines))
        },
    },
    Slip {
        name: "a group that forgets most of `*`",
        codes: &["specific-group-drops-star"],
        put: |file| {
            file.end(
                &[b"\nUser-agent: ZZTestBot\nDisallow: ", file.value.as_slice(), b"/zz\nDisallow: /zz-other/"].concat(),
            )
        },
    },
    Slip {
        name: "a group with a delay alone",
        codes: &["group-empty"],
        put: |file| file.end(b"\nUser-agent: ZZTestBot\nCrawl-delay: 5"),
    },
    Slip {
        name: "a rule before any group",
        codes: &["rule-outside-group"],
        put: |file| Some([b"Disallow: /zz-first/\n", File::joined(&file.lines).as_slice()].concat()),
    },
    Slip {
        name: "two agents on a line",
        codes: &["agent-list"],
        put: |file| file.end(b"\nUser-agent: GPTBot, CCBot\nDisallow: /"),
    },
    Slip {
        name: "a whole header as a name",
        codes: &["agent-browser-string"],
        put: |file| file.end(b"\nUser-agent: Mozilla/5.0 (compatible; GPTBot/1.0)\nDisallow: /"),
    },
    Slip {
        name: "a blank in a name",
        codes: &["agent-unknown"],
        put: |file| file.end(b"\nUser-agent: GPT Bot\nDisallow: /"),
    },
    Slip {
        name: "a misspelt name",
        codes: &["agent-unknown"],
        put: |file| file.end(b"\nUser-agent: Gogglebot\nDisallow: /"),
    },
    Slip {
        name: "a zero-width space in a name",
        codes: &["invisible-character"],
        put: |file| file.end("\nUser-agent: GPT\u{200B}Bot\nDisallow: /".as_bytes()),
    },
    Slip {
        name: "a name that is none",
        codes: &["agent-names-nobody"],
        put: |file| file.end(b"\nUser-agent: *bot\nDisallow: /"),
    },
    Slip {
        name: "a misspelt Disallow that google reads",
        codes: &["typo-key"],
        put: |file| file.rule(&[b"Disalow: ", file.value.as_slice()].concat()),
    },
    Slip {
        name: "a misspelt Disallow that nobody reads",
        codes: &["unknown-key"],
        put: |file| file.rule(&[b"Dsallow: ", file.value.as_slice()].concat()),
    },
    Slip {
        name: "a misspelt User-agent",
        codes: &["typo-key", "unknown-key"],
        put: |file| file.star_line(b"User agent: *"),
    },
    Slip {
        name: "no colon",
        codes: &["missing-colon", "no-colon"],
        put: |file| file.rule(&[b"Disallow ", file.value.as_slice()].concat()),
    },
    Slip {
        name: "a comment of another language",
        codes: &["unknown-key"],
        put: |file| file.rule(&[b"// Disallow: ", file.value.as_slice()].concat()),
    },
    Slip {
        name: "an HTML comment",
        codes: &["unknown-key", "not-robots-txt"],
        put: |file| file.rule(&[b"<!-- Disallow: ", file.value.as_slice(), b" -->"].concat()),
    },
    Slip {
        name: "a list sign before a rule",
        codes: &["unknown-key"],
        put: |file| file.rule(&[b"- Disallow: ", file.value.as_slice()].concat()),
    },
    Slip {
        name: "the whole file on one line",
        codes: &["joined-lines", "line-cut", "not-robots-txt"],
        put: |file| {
            Some(
                file.lines
                    .iter()
                    .filter(|line| !line.is_empty() && !line.contains(&b'#'))
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(&b' '),
            )
        },
    },
    Slip {
        name: "the letters of line ends",
        codes: &["joined-lines", "line-cut", "not-robots-txt"],
        put: |file| {
            Some(file.lines.iter().filter(|line| !line.contains(&b'#')).cloned().collect::<Vec<_>>().join(&b"\\n"[..]))
        },
    },
    Slip {
        name: "a line end lost between rules",
        codes: &["joined-lines"],
        put: |file| file.value_with(b"", b"Disallow: /zz-other/"),
    },
    Slip {
        name: "two sitemaps on a line",
        codes: &["invalid-sitemap"],
        put: |file| file.end(b"Sitemap: https://www.example.com/a.xml https://www.example.com/b.xml"),
    },
    Slip { name: "a relative sitemap", codes: &["invalid-sitemap"], put: |file| file.end(b"Sitemap: /zz-sitemap.xml") },
    Slip {
        name: "a sitemap that is closed",
        codes: &["sitemap-blocked"],
        put: |_| {
            Some(text("User-agent: *|Disallow: /sitemap|Disallow: /x/|Sitemap: https://www.example.com/sitemap.xml|"))
        },
    },
    Slip { name: "Noindex", codes: &["noindex-record"], put: |file| file.after_rule(b"Noindex: /zz/") },
    Slip {
        name: "a delay of minutes",
        codes: &["crawl-delay-ignored"],
        put: |file| file.after_rule(b"Crawl-delay: 600"),
    },
    Slip {
        name: "a delay that is no number",
        codes: &["invalid-crawl-delay"],
        put: |file| file.after_rule(b"Crawl-delay: ten"),
    },
    Slip {
        name: "a wrong signal",
        codes: &["content-signal-syntax"],
        put: |file| file.after_rule(b"Content-Signal: ai-training=no"),
    },
    Slip {
        name: "a signal separated by semicolons",
        codes: &["content-signal-syntax"],
        put: |file| file.after_rule(b"Content-Signal: search=yes; ai-train=no"),
    },
    Slip {
        name: "a wrong usage",
        codes: &["content-usage-syntax", "invalid-content-usage"],
        put: |file| file.after_rule(b"Content-Usage: AI=n"),
    },
    Slip { name: "a relative license", codes: &["license-form"], put: |file| file.end(b"License: /license.xml") },
    Slip {
        name: "a page in place of the file",
        codes: &["not-robots-txt"],
        put: |_| Some(b"<!DOCTYPE html><html><body>Not found</body></html>".to_vec()),
    },
    Slip {
        name: "UTF-16",
        codes: &["utf16-bom"],
        put: |file| {
            Some(
                [0xFF, 0xFE]
                    .into_iter()
                    .chain(File::joined(&file.lines).into_iter().flat_map(|byte| [byte, 0]))
                    .collect(),
            )
        },
    },
    Slip { name: "an empty Allow", codes: &["empty-allow"], put: |file| file.after_rule(b"Allow:") },
];

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (mut folder, mut count, mut names_missed) = (None, 300, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--files" => count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(count),
            "--missed" => names_missed = true,
            _ => folder = Some(argument),
        }
    }
    let folder = folder.unwrap_or_else(|| "../shared/corpus/robots-modern".to_owned());
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let step = (paths.len() / (4 * count)).max(1);
    let mut files = Vec::new();
    for path in paths.iter().step_by(step) {
        let body = std::fs::read(path)?;
        if let Some(file) = File::new(&body).filter(|_| body.len() < 20_000 && files.len() < count) {
            files.push((path.clone(), file));
        }
    }
    let names = ["GPTBot", "CCBot", "Googlebot", "bingbot", "ClaudeBot"];
    let lint = Lint::new().known_names(names.map(|token| KnownName {
        token: token.to_owned(),
        is_retired: false,
        successors: Vec::new(),
    }));
    let run = |body: &[u8]| lint.run(&RobotsTxt::parse(body));
    let counts = |found: &[Finding], codes: &[&str]| {
        found.iter().filter(|finding| codes.contains(&finding.check.code())).count()
    };
    let (mut all, mut all_found) = (0, 0);
    println!("| slip | files | found | as |\n|---|---:|---:|---|");
    for slip in SLIPS {
        let (mut tried, mut found_in) = (0, 0);
        let mut severities: BTreeMap<Severity, usize> = BTreeMap::new();
        for (path, file) in &files {
            let Some(body) = (slip.put)(file) else { continue };
            tried += 1;
            let before = run(&File::joined(&file.lines));
            let found = run(&body);
            let is_whole = slip.codes.iter().any(|code| ["not-robots-txt", "utf16-bom"].contains(code));
            let of = found.iter().filter(|finding| slip.codes.contains(&finding.check.code()));
            let worst = of.map(|finding| finding.severity).max();
            if let Some(worst) = worst
                .filter(|_| is_whole || counts(&found, slip.codes) > counts(&before, slip.codes) || body.len() < 200)
            {
                found_in += 1;
                *severities.entry(worst).or_default() += 1;
            } else if names_missed {
                eprintln!("{}: {}", slip.name, path.display());
            }
        }
        all += tried;
        all_found += found_in;
        let severities: Vec<&str> = severities.keys().map(|severity| severity.as_str()).collect();
        println!(
            "| {} | {tried} | {:.1} % | {} |",
            slip.name,
            100.0 * found_in as f64 / tried.max(1) as f64,
            severities.join(", ")
        );
    }
    println!("| **all {} slips** | {all} | {:.1} % | |", SLIPS.len(), 100.0 * all_found as f64 / f64::from(all.max(1)));
    Ok(())
}
