//! The slips of public reports.

use super::file::File;

/// A slip: what it is called, the codes that tell it, and how a file gets it. `None` if the file cannot have it.
pub(crate) struct Slip {
    pub(crate) name: &'static str,
    pub(crate) codes: &'static [&'static str],
    pub(crate) put: fn(&File) -> Option<Vec<u8>>,
}

/// `|` of a text is a line end.
fn text(text: &str) -> Vec<u8> {
    text.replace('|', "\n").into_bytes()
}

const PATTERNS: &[&str] = &["dead-pattern", "invisible-character"];

pub(crate) const SLIPS: &[Slip] = &[
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
        put: |file| file.value_with(b"", b"/.*"),
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
    Slip { name: "a byte that URLs escape", codes: &["unescaped-byte"], put: |file| file.value_with(b"", b"/\"x\"/") },
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
