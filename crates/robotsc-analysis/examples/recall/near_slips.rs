//! What people write that is next to the slips of public reports: another sign, another word, another place.

use super::file::File;
use super::slips::Slip;

/// Declares slips: a name, the codes that tell it, and what a file with it is.
macro_rules! slips {
    ($($name:literal, $codes:expr, |$file:ident| $put:expr;)*) => {
        &[$(Slip { name: $name, codes: &$codes, put: |$file| $put }),*]
    };
}

/// A rule line for the value of the file, of which `@` is the place.
fn rule(file: &File, text: &str) -> Option<Vec<u8>> {
    let (before, after) = text.split_once('@')?;
    file.rule(&[before.as_bytes(), &file.value, after.as_bytes()].concat())
}

/// A group at the end of the file, which closes a path.
fn group(file: &File, agent: &str) -> Option<Vec<u8>> {
    file.end(format!("\n{agent}\nDisallow: /zz-private/").as_bytes())
}

const NO_RECORD: [&str; 8] =
    ["unknown-key", "no-colon", "missing-colon", "empty-key", "typo-key", "prefix-key", "refused-key", "url-pattern"];
const PATTERN: [&str; 5] = ["dead-pattern", "invisible-character", "unescaped-byte", "stray-sign", "url-pattern"];
const NAME: [&str; 7] = [
    "agent-unknown",
    "agent-list",
    "agent-names-nobody",
    "agent-browser-string",
    "invisible-character",
    "agent-not-token",
    "stray-sign",
];
const LIST: [&str; 3] = ["path-list", "space-in-pattern", "stray-sign"];
const CLOSED: [&str; 3] = ["site-closed", "allow-list-hides", "trailing-star"];

pub(crate) const NEAR_SLIPS: &[Slip] = slips! {
    "a full-width star", ["invisible-character"], |file| rule(file, "Disallow: \u{FF0A}@");
    "a full-width star at the end", ["invisible-character"], |file| rule(file, "Disallow: @/\u{FF0A}");
    "a directive in full-width letters", ["invisible-character", "unknown-key"],
        |file| rule(file, "\u{FF24}isallow: @");
    "a Cyrillic letter in a directive", ["invisible-character", "unknown-key", "typo-key"],
        |file| rule(file, "Dis\u{430}llow: @");
    "a Cyrillic letter in a name", ["invisible-character", "agent-unknown"],
        |file| group(file, "User-agent: GPTB\u{43E}t");
    "a semicolon for the colon", NO_RECORD, |file| rule(file, "Disallow; @");
    "an equals sign for the colon", NO_RECORD, |file| rule(file, "Disallow=@");
    "an equals sign between blanks", NO_RECORD, |file| rule(file, "Disallow = @");
    "two colons", ["dead-pattern", "stray-sign"], |file| rule(file, "Disallow:: @");
    "a comma for the colon", NO_RECORD, |file| rule(file, "Disallow, @");
    "a full stop for the colon", NO_RECORD, |file| rule(file, "Disallow. @");
    "an arrow for the colon", NO_RECORD, |file| rule(file, "Disallow -> @");
    "a tab for the colon", NO_RECORD, |file| rule(file, "Disallow\t@");
    "nothing for the colon", NO_RECORD, |file| rule(file, "Disallow@");
    "a colon before the directive", NO_RECORD, |file| rule(file, ": Disallow: @");
    "a byte order mark in the middle", ["invisible-character"], |file| rule(file, "\u{FEFF}Disallow: @");
    "a byte order mark of a second file", ["invisible-character"], |file| group(file, "\u{FEFF}User-agent: GPTBot");
    "a soft hyphen in a name", ["invisible-character"], |file| group(file, "User-agent: GPT\u{AD}Bot");
    "curly single quotes", PATTERN, |file| rule(file, "Disallow: \u{2018}@\u{2019}");
    "single quotes", PATTERN, |file| rule(file, "Disallow: '@'");
    "backticks", PATTERN, |file| rule(file, "Disallow: `@`");
    "angle brackets", PATTERN, |file| rule(file, "Disallow: <@>");
    "square brackets", PATTERN, |file| rule(file, "Disallow: [@]");
    "a quote at the end", PATTERN, |file| rule(file, "Disallow: @'");
    "a comma at the end", LIST, |file| rule(file, "Disallow: @,");
    "a semicolon at the end", LIST, |file| rule(file, "Disallow: @;");
    "a closing bracket at the end", ["stray-sign", "space-in-pattern"], |file| rule(file, "Disallow: @)");
    "the entities of quotes", ["html-entity", "dead-pattern"], |file| rule(file, "Disallow: &quot;@&quot;");
    "the entity of `<`", ["html-entity"], |file| rule(file, "Disallow: @/&lt;id&gt;/");
    "the entity of a blank", ["html-entity", "dead-pattern"], |file| rule(file, "Disallow:&nbsp;@");
    "a star as a list sign", NO_RECORD, |file| rule(file, "* Disallow: @");
    "a plus as a list sign", NO_RECORD, |file| rule(file, "+ Disallow: @");
    "a bullet as a list sign", ["unknown-key", "invisible-character"], |file| rule(file, "\u{2022} Disallow: @");
    "a number as a list sign", NO_RECORD, |file| rule(file, "1. Disallow: @");
    "the sign of a quotation", NO_RECORD, |file| rule(file, "> Disallow: @");
    "bold type", NO_RECORD, |file| rule(file, "**Disallow:** @");
    "code of a text", NO_RECORD, |file| rule(file, "`Disallow: @`");
    "a tag around a line", NO_RECORD, |file| rule(file, "<p>Disallow: @</p>");
    "a fence of code", ["no-colon", "unknown-key", "missing-colon"], |file| {
        Some([b"```\n", File::joined(&file.lines).as_slice(), b"\n```\n"].concat())
    };
    "`.*` in the middle", ["regex-syntax"], |file| rule(file, "Disallow: @/.*/edit");
    "`.*` alone", ["regex-syntax", "dead-pattern"], |file| file.rule(b"Disallow: .*");
    "`(.*)`", ["regex-syntax"], |file| rule(file, "Disallow: @/(.*)");
    "anchors of a regular expression", ["regex-syntax", "dead-pattern"], |file| rule(file, "Disallow: ^@$");
    "a class of letters", ["regex-syntax"], |file| rule(file, "Disallow: @/[a-z]+/");
    "a class of digits", ["regex-syntax"], |file| rule(file, "Disallow: @/[0-9]+");
    "`\\d`", ["regex-syntax"], |file| rule(file, "Disallow: @/\\d+/");
    "an escaped dot", ["regex-syntax"], |file| rule(file, "Disallow: @\\.php$");
    "alternatives", ["regex-syntax"], |file| rule(file, "Disallow: @/(a|b)/");
    "alternatives without brackets", ["regex-syntax", "path-list"], |file| rule(file, "Disallow: @|/other/");
    "an optional slash", ["regex-syntax", "dollar-inside"], |file| rule(file, "Disallow: @/?$");
    "a number of letters", ["regex-syntax", "unescaped-byte"], |file| rule(file, "Disallow: @/[a-f]{3}");
    "braces of a shell", ["regex-syntax", "path-list", "unescaped-byte"], |file| rule(file, "Disallow: @/*.{jpg,png}");
    "a variable of a router", ["regex-syntax", "placeholder", "unescaped-byte"], |file| rule(file, "Disallow: @/{id}/");
    "a parameter of a router", ["placeholder", "regex-syntax"], |file| rule(file, "Disallow: @/:id/edit");
    "a variable in square brackets", ["placeholder", "regex-syntax"], |file| rule(file, "Disallow: @/[id]/");
    "an http URL", ["url-pattern"], |file| rule(file, "Disallow: http://shop.example@");
    "a URL without a scheme", ["url-pattern", "dead-pattern"], |file| rule(file, "Disallow: www.shop.example@");
    "a host alone", ["url-pattern", "dead-pattern"], |file| rule(file, "Disallow: shop.example@");
    "two slashes and a host", ["url-pattern", "double-slash"], |file| rule(file, "Disallow: //www.shop.example@");
    "an Allow of a whole URL", ["url-pattern"], |file| file.after_rule(b"Allow: https://cdn.example/static/");
    "two slashes before a path", ["double-slash", "url-pattern"], |file| rule(file, "Disallow: /@");
    "two slashes in a path", ["double-slash"], |file| rule(file, "Disallow: @//x/");
    "Noindex of a rule's value", ["noindex-record", "space-in-pattern"], |file| rule(file, "Disallow: @ noindex");
    "Nofollow", ["noindex-record", "unused-key"], |file| file.after_rule(b"Nofollow: /zz/");
    "a meta tag", ["no-colon", "unknown-key", "missing-colon"],
        |file| file.after_rule(b"<meta name=\"robots\" content=\"noindex\">");
    "a header in the file", ["unknown-key", "noindex-record"], |file| file.after_rule(b"X-Robots-Tag: noindex");
    "paths with a comma and a blank", LIST, |file| rule(file, "Disallow: @, /other/");
    "paths with a comma", LIST, |file| rule(file, "Disallow: @,/other/");
    "paths with a semicolon", LIST, |file| rule(file, "Disallow: @;/other/");
    "paths with `and`", LIST, |file| rule(file, "Disallow: @ and /other/");
    "paths with a bar", LIST, |file| rule(file, "Disallow: @ | /other/");
    "names with a blank", NAME, |file| group(file, "User-agent: GPTBot CCBot");
    "names with a bar", NAME, |file| group(file, "User-agent: GPTBot|CCBot");
    "names with a semicolon", NAME, |file| group(file, "User-agent: GPTBot; CCBot");
    "names with `and`", NAME, |file| group(file, "User-agent: GPTBot and CCBot");
    "names with a plus", NAME, |file| group(file, "User-agent: GPTBot + CCBot");
    "names with a slash", NAME, |file| group(file, "User-agent: GPTBot / CCBot");
    "names in square brackets", NAME, |file| group(file, "User-agent: [GPTBot, CCBot]");
    "Useragent", ["typo-key", "unknown-key"], |file| file.star_line(b"Useragent: *");
    "User_agent", ["typo-key", "unknown-key"], |file| file.star_line(b"User_agent: *");
    "User-agents", ["typo-key", "unknown-key", "prefix-key", "refused-key"], |file| file.star_line(b"User-agents: *");
    "Usar-agent", ["typo-key", "unknown-key"], |file| file.star_line(b"Usar-agent: *");
    "User-agent without a colon", ["missing-colon", "no-colon"], |file| file.star_line(b"User-agent *");
    "Agent", ["typo-key", "unknown-key"], |file| file.star_line(b"Agent: *");
    "all for `*`", NAME, |file| file.star_line(b"User-agent: all");
    "any for `*`", NAME, |file| file.star_line(b"User-agent: any");
    "everyone for `*`", NAME, |file| file.star_line(b"User-agent: everyone");
    "`.*` for `*`", NAME, |file| file.star_line(b"User-agent: .*");
    "`*` in quotes", NAME, |file| file.star_line(b"User-agent: \"*\"");
    "`**` for `*`", NAME, |file| file.star_line(b"User-agent: **");
    "no name", NAME, |file| file.star_line(b"User-agent:");
    "`*bot*`", NAME, |file| group(file, "User-agent: *bot*");
    "a name and a star", NAME, |file| group(file, "User-agent: GPT*");
    "a name in quotes", NAME, |file| group(file, "User-agent: \"GPTBot\"");
    "a name in single quotes", NAME, |file| group(file, "User-agent: 'GPTBot'");
    "a name after an at sign", NAME, |file| group(file, "User-agent: @GPTBot");
    "a name in brackets", NAME, |file| group(file, "User-agent: <GPTBot>");
    "an operator and a name", NAME, |file| group(file, "User-agent: OpenAI GPTBot");
    "the name of an operator", NAME, |file| group(file, "User-agent: OpenAI");
    "the name of a product", NAME, |file| group(file, "User-agent: ChatGPT");
    "the name of a search engine", NAME, |file| group(file, "User-agent: Google");
    "Bing for bingbot", NAME, |file| group(file, "User-agent: Bing");
    "Claude for ClaudeBot", NAME, |file| group(file, "User-agent: Claude");
    "the host of a crawler", NAME, |file| group(file, "User-agent: gptbot.openai.com");
    "Dissalow", NO_RECORD, |file| rule(file, "Dissalow: @");
    "Dissallow", NO_RECORD, |file| rule(file, "Dissallow: @");
    "Disallaw", NO_RECORD, |file| rule(file, "Disallaw: @");
    "Diasllow", NO_RECORD, |file| rule(file, "Diasllow: @");
    "Disallows", NO_RECORD, |file| rule(file, "Disallows: @");
    "Disallowed", NO_RECORD, |file| rule(file, "Disallowed: @");
    "Dis-allow", NO_RECORD, |file| rule(file, "Dis-allow: @");
    "Dis allow", NO_RECORD, |file| rule(file, "Dis allow: @");
    "Not allow", NO_RECORD, |file| rule(file, "Not allow: @");
    "Deny", NO_RECORD, |file| rule(file, "Deny: @");
    "Block", NO_RECORD, |file| rule(file, "Block: @");
    "Exclude", NO_RECORD, |file| rule(file, "Exclude: @");
    "Allowed", NO_RECORD, |file| file.after_rule(b"Allowed: /zz/");
    "Alow", NO_RECORD, |file| file.after_rule(b"Alow: /zz/");
    "Permit", NO_RECORD, |file| file.after_rule(b"Permit: /zz/");
    "a joined comment", ["hash-cuts-rule"], |file| rule(file, "Disallow: @#private");
    "a comment of C", ["space-in-pattern"], |file| rule(file, "Disallow: @ // private");
    "a comment of HTML after a rule", ["space-in-pattern"], |file| rule(file, "Disallow: @ <!-- private -->");
    "a comment in brackets", ["space-in-pattern"], |file| rule(file, "Disallow: @ (private)");
    "a comment after a dash", ["space-in-pattern"], |file| rule(file, "Disallow: @ - private");
    "none for an empty value", ["dead-pattern"], |file| file.after_rule(b"Disallow: none");
    "all for `/`", ["dead-pattern"], |file| file.after_rule(b"Disallow: all");
    "an ending without a star", ["dead-pattern"], |file| file.after_rule(b"Disallow: .pdf");
    "an ending after a slash", ["ending-as-path"], |file| file.after_rule(b"Disallow: /.pdf$");
    "an ending after a slash, without `$`", ["ending-as-path"], |file| file.after_rule(b"Disallow: /.pdf");
    "`*$`", ["star-dollar"], |file| rule(file, "Disallow: @*$");
    "`$` alone", ["star-dollar", "dead-pattern", "dollar-inside"], |file| file.after_rule(b"Disallow: $");
    "two `$`", ["dollar-inside"], |file| rule(file, "Disallow: @$$");
    "`$*`", ["dollar-inside"], |file| rule(file, "Disallow: @$*");
    "a path of Windows", PATTERN, |file| rule(file, "Disallow: c:\\site@");
    "a backslash in a path", PATTERN, |file| rule(file, "Disallow: @\\x\\");
    "a tilde before a path", PATTERN, |file| rule(file, "Disallow: ~@");
    "an ellipsis", ["dead-pattern", "dot-segment", "placeholder"], |file| rule(file, "Disallow: @/...");
    "a `%` at the end of a segment", ["escape-form"], |file| rule(file, "Disallow: @/100%/");
    "an escaped slash", ["escape-form", "dead-pattern"], |file| file.after_rule(b"Disallow: %2Fzz-private%2F");
    "a slash that is escaped in a path", ["escape-form"], |file| rule(file, "Disallow: @%2Fx");
    "an escape twice", ["escape-form"], |file| rule(file, "Disallow: @/a%2520b/");
    "an escaped star", ["escape-form"], |file| rule(file, "Disallow: @/%2A/x");
    "an escape of `\\u`", ["escape-form", "regex-syntax", "unescaped-byte"], |file| rule(file, "Disallow: @/\\u00e4/");
    "an escape of Latin-1", ["escape-form", "not-utf8"], |file| rule(file, "Disallow: @/%E4/");
    "the site open by `/*`", ["rule-never-decides", "allow-disallow-same", "trailing-star"],
        |file| file.rule(&[b"Disallow: ", file.value.as_slice(), b"\nAllow: ", &file.value, b"*"].concat());
    "an Allow that is as long", ["allow-disallow-same", "rule-never-decides"],
        |file| file.rule(&[b"Allow: ", file.value.as_slice(), b"\nDisallow: ", &file.value].concat());
    "closed by a star", CLOSED, |file| Some(closed(file, "Disallow: *"));
    "closed by `/*`", CLOSED, |file| Some(closed(file, "Disallow: /*"));
    "closed by `*/`", CLOSED, |file| Some(closed(file, "Disallow: */"));
    "closed, and robots.txt open", CLOSED, |file| Some(closed(file, "Disallow: /\nAllow: /robots.txt"));
    "closed by another directive's name", CLOSED, |file| Some(closed(file, "Disalow: /"));
    "bingbot closed", CLOSED, |file| file.end(b"\nUser-agent: Bingbot\nDisallow: /");
    "the start page closed", CLOSED, |file| file.after_rule(b"Disallow: /$");
    "the start page closed to Googlebot", CLOSED, |file| file.end(b"\nUser-agent: Googlebot\nDisallow: /$");
    "a Googlebot group that opens all", ["specific-group-drops-star"],
        |file| file.end(b"\nUser-agent: Googlebot\nAllow: /");
    "a group with one more path", ["specific-group-drops-star"],
        |file| file.end(b"\nUser-agent: GPTBot\nDisallow: /zz-more/");
    "a group with a signal alone", ["group-empty", "preference-outside-group"],
        |file| file.end(b"\nUser-agent: ZZTestBot\nContent-Signal: ai-train=no");
    "a name before a name after a blank line", ["group-merge"], |file| {
        let mut lines = file.lines.clone();
        lines.insert(file.star, b"User-agent: SlowBot\nCrawl-delay: 10\n".to_vec());
        Some(File::joined(&lines))
    };
    "a name after its rules", ["rule-outside-group", "group-empty", "specific-group-drops-star"], |file| {
        Some([b"Disallow: /zz-first/\nUser-agent: ZZTestBot\n\n", File::joined(&file.lines).as_slice()].concat())
    };
    "a sitemap without a slash", ["invalid-sitemap"], |file| file.end(b"Sitemap: sitemap.xml");
    "a sitemap without a scheme", ["invalid-sitemap"], |file| file.end(b"Sitemap: www.shop.example/sitemap.xml");
    "a sitemap after two slashes", ["invalid-sitemap"], |file| file.end(b"Sitemap: //shop.example/sitemap.xml");
    "a misspelt scheme", ["sitemap-form"], |file| file.end(b"Sitemap: htps://shop.example/sitemap.xml");
    "a scheme with one slash", ["invalid-sitemap"], |file| file.end(b"Sitemap: https:/shop.example/sitemap.xml");
    "a sitemap in angle brackets", ["invalid-sitemap"], |file| file.end(b"Sitemap: <https://shop.example/s.xml>");
    "a sitemap in quotes", ["invalid-sitemap"], |file| file.end(b"Sitemap: \"https://shop.example/s.xml\"");
    "a link to a sitemap", ["invalid-sitemap"], |file| file.end(b"Sitemap: [Map](https://shop.example/s.xml)");
    "no sitemap", ["invalid-sitemap"], |file| file.end(b"Sitemap:");
    "Sitemaps", ["typo-key", "unknown-key", "prefix-key"], |file| file.end(b"Sitemaps: https://shop.example/s.xml");
    "Site-map", ["typo-key", "unknown-key", "prefix-key"], |file| file.end(b"Site map: https://shop.example/s.xml");
    "Sitemap without a colon", ["missing-colon", "no-colon", "prefix-key", "invalid-sitemap"],
        |file| file.end(b"Sitemap https://shop.example/s.xml");
    "a URL alone on a line", ["unknown-key", "no-colon"], |file| file.end(b"https://shop.example/sitemap.xml");
    "a delay with its unit", ["invalid-crawl-delay"], |file| file.after_rule(b"Crawl-delay: 10s");
    "a delay with a word", ["invalid-crawl-delay"], |file| file.after_rule(b"Crawl-delay: 10 seconds");
    "a delay with a comma", ["invalid-crawl-delay"], |file| file.after_rule(b"Crawl-delay: 1,5");
    "a delay below zero", ["invalid-crawl-delay"], |file| file.after_rule(b"Crawl-delay: -1");
    "no delay", ["invalid-crawl-delay"], |file| file.after_rule(b"Crawl-delay:");
    "Crawl delay", ["unknown-key", "typo-key"], |file| file.after_rule(b"Crawl delay: 10");
    "Craw-delay", ["unknown-key", "typo-key"], |file| file.after_rule(b"Craw-delay: 10");
    "Crawl-delay without a colon", ["missing-colon", "no-colon"], |file| file.after_rule(b"Crawl-delay 10");
    "a title in the first line", ["no-colon", "missing-colon", "unknown-key"],
        |file| Some([b"robots.txt for shop.example\n", File::joined(&file.lines).as_slice()].concat());
    "the tags of a page", ["not-robots-txt", "no-colon", "missing-colon", "unknown-key"], |file| {
        Some([b"<html><body><pre>\n", File::joined(&file.lines).as_slice(), b"\n</pre></body></html>\n"].concat())
    };
    "a NUL byte", ["nul-byte", "invisible-character"], |file| rule(file, "Disallow: @\0");
    "commas for line ends", ["joined-lines", "not-robots-txt", "line-cut"], |file| {
        let lines = file.lines.iter().filter(|line| !line.is_empty() && !line.contains(&b'#'));
        Some(lines.cloned().collect::<Vec<_>>().join(&b", "[..]))
    };
    "`<br>` for line ends", ["joined-lines", "not-robots-txt", "line-cut"], |file| {
        let lines = file.lines.iter().filter(|line| !line.is_empty() && !line.contains(&b'#'));
        Some(lines.cloned().collect::<Vec<_>>().join(&b"<br>"[..]))
    };
    "an agent and its rule on a line", ["joined-lines"], |file| file.end(b"\nUser-agent: GPTBot Disallow: /");
    "an agent and its rule with a comma", ["joined-lines"], |file| file.end(b"\nUser-agent: GPTBot, Disallow: /");
    "two rules with `&`", ["joined-lines", "path-list"], |file| rule(file, "Disallow: @ & Disallow: /other/");
    "a parameter with `&amp;`", ["html-entity"], |file| file.after_rule(b"Disallow: /*&amp;zzsession=");
    "a parameter after `&` alone", ["param-first-only"], |file| file.after_rule(b"Disallow: /*&zzsession=");
    "a name for a key", ["unknown-key"], |file| file.end(b"\nGPTBot: Disallow: /");
    "a name before a key", ["unknown-key"], |file| file.end(b"\nGPTBot Disallow: /");
    "a blank of a page after `/`", ["invisible-character"],
        |file| file.end(b"\nUser-agent: ZzBot\nDisallow: /\xC2\xA0");
};

/// Returns the file with another first rule, and without what it allows.
fn closed(file: &File, rule: &str) -> Vec<u8> {
    let mut lines = file.lines.clone();
    lines[file.rule] = rule.as_bytes().to_vec();
    lines.retain(|line| {
        let line = line.to_ascii_lowercase();
        !line.trim_ascii_start().starts_with(b"allow") || rule.to_ascii_lowercase().as_bytes().ends_with(&line)
    });
    File::joined(&lines)
}
