//! Keys of lines: the directives that they are, or were meant to be.

use robotsc_compiler::near_name::is_near;

use super::context::Context;
use crate::text::lookalike::is_never_seen;

pub(super) const DIRECTIVES: [&str; 5] = ["User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay"];

/// Returns the directive that a key was meant to be: equal but for one letter, or for what stands around it, such as
/// the sign of a list, a quote, or a blank that cannot be seen.
pub(super) fn meant(key: &[u8]) -> Option<&'static str> {
    let key = String::from_utf8_lossy(key);
    // A tag of HTML.
    let key = key.trim_end_matches('>').rsplit('>').next().unwrap_or_default();
    let key = key.trim_matches(|char: char| !char.is_ascii_alphabetic());
    let key = key.replace([' ', '_'], "-").replace(['\'', '\u{2019}'], "");
    // Of `Disallow` and `Allow`, a letter of the first is left: it is no letter too many before the second.
    if key.get(..1).is_some_and(|first| "dsi".contains(&first.to_ascii_lowercase()))
        && key.get(1..).is_some_and(|rest| rest.eq_ignore_ascii_case("allow"))
    {
        return Some("Disallow");
    }
    let single = without_doubles(&key);
    let is_meant = |known: &&str| {
        known.eq_ignore_ascii_case(&key)
            || is_near(known, &key)
            || is_near(&without_doubles(known), &single)
            || known.replace('-', "").eq_ignore_ascii_case(&key)
    };
    let synonym = || SYNONYMS.iter().find(|(word, _)| word.eq_ignore_ascii_case(&key)).map(|(_, meant)| *meant);
    let lower = key.to_ascii_lowercase();
    let is_agent = lower.len() < 16 && lower.starts_with("us") && lower.contains("agent");
    let agent = || is_agent.then_some("User-agent");
    let sitemap = || is_sitemap(&lower).then_some("Sitemap");
    DIRECTIVES.into_iter().find(is_meant).or_else(synonym).or_else(agent).or_else(sitemap)
}

/// Reports whether a key is for a sitemap, with a word before it or after it that says of what: `XML-Sitemap`,
/// `Sitemap-URL`. One for visitors is a page, and `No-Sitemap` is none.
fn is_sitemap(key: &str) -> bool {
    const WORDS: [&str; 8] = ["sitemap", "xml", "google", "image", "news", "video", "index", "url"];
    let mut words = key.split('-');
    words.clone().count() < 4 && words.clone().all(|word| WORDS.contains(&word)) && words.any(|word| word == "sitemap")
}

/// Returns a word in which no letter is doubled: `Dissalow` has two slips, and one letter too few or too many.
fn without_doubles(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().map(|letter| letter.to_ascii_lowercase()).collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// Keys of records that are no directives, and that people misspell.
const RECORD_KEYS: [&str; 6] =
    ["Content-Signal", "Content-Usage", "License", "Clean-param", "Request-rate", "Visit-time"];

/// Returns the key of a record that another was meant to be: equal but for signs or one letter.
pub(super) fn meant_record(key: &[u8]) -> Option<&'static str> {
    let key = std::str::from_utf8(key).ok()?;
    RECORD_KEYS.into_iter().find(|known| is_near(known, key))
}

/// Reports whether a text is a directive, without its signs and in lower case.
pub(super) fn is_directive_name(text: &str) -> bool {
    DIRECTIVES.iter().any(|known| known.replace('-', "").eq_ignore_ascii_case(text))
}

/// What people write for a directive, from other files or by guessing.
pub(super) const SYNONYMS: [(&str, &str); 43] = [
    ("deny", "Disallow"),
    ("block", "Disallow"),
    ("exclude", "Disallow"),
    ("forbid", "Disallow"),
    ("reject", "Disallow"),
    ("prohibit", "Disallow"),
    ("not-allow", "Disallow"),
    ("no-allow", "Disallow"),
    ("dont-allow", "Disallow"),
    ("noallow", "Disallow"),
    ("unallow", "Disallow"),
    ("do-not-allow", "Disallow"),
    ("restrict", "Disallow"),
    ("denied", "Disallow"),
    ("interdire", "Disallow"),
    ("verbieten", "Disallow"),
    ("no-permitir", "Disallow"),
    ("permit", "Allow"),
    ("ignore", "Disallow"),
    ("no-crawl", "Disallow"),
    ("nocrawl", "Disallow"),
    ("allo", "Allow"),
    ("delay", "Crawl-delay"),
    ("alow", "Allow"),
    ("allw", "Allow"),
    ("alllow", "Allow"),
    ("agent", "User-agent"),
    ("agents", "User-agent"),
    ("bot", "User-agent"),
    ("robot", "User-agent"),
    ("robots", "User-agent"),
    ("crawler", "User-agent"),
    ("user", "User-agent"),
    ("ua", "User-agent"),
    ("spider", "User-agent"),
    ("agent-name", "User-agent"),
    ("bot-name", "User-agent"),
    ("crawler-name", "User-agent"),
    ("disallowed", "Disallow"),
    ("disallows", "Disallow"),
    ("disallowing", "Disallow"),
    ("allowed", "Allow"),
    ("allows", "Allow"),
];

/// Reports whether a key is a word for what rules do, in another language or by a guess. Keys such as `Policy` and
/// `LLMs-txt` point to pages.
pub(super) fn is_word_of_rules(key: &str) -> bool {
    const WORDS: [&str; 27] = [
        "authori", "autori", "banne", "bloc", "blok", "consent", "dene", "deni", "desautor", "disabl", "erlaub",
        "hide", "interd", "nega", "noaccess", "permet", "permit", "prohib", "proib", "protect", "refus", "remov",
        "restrict", "sperr", "verb", "vieta", "zulass",
    ];
    // `Acceptable-use` and `Includes` point to pages, too.
    const KEYS: [&str; 6] = ["accept", "except", "exclude", "excluded", "include", "included"];
    let lower = key.to_ascii_lowercase().replace(['-', '_'], " ");
    !key.is_ascii()
        || KEYS.contains(&lower.as_str())
        || WORDS.iter().any(|word| lower.split(' ').any(|part| part.starts_with(word)))
}

/// The words beside a directive that say that it is not to be read.
const OFF_WORDS: [&str; 10] =
    ["off", "old", "disabled", "unused", "inactive", "removed", "deprecated", "obsolete", "bak", "backup"];

/// Reports whether signs, an `X` or a word beside a directive make a key another: somebody switched the line off, or
/// wrote a list. A quote, a bullet or a character that cannot be seen is an accident.
pub(super) fn is_switched_off(key: &[u8]) -> bool {
    let key = String::from_utf8_lossy(key);
    let is_accident =
        |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '`' | '•' | '·') || is_unseen_or_quote(char);
    let key = key.trim_start_matches(is_accident);
    let name = key.trim_matches(|char: char| !char.is_ascii_alphabetic());
    let is_directive = |name: &str| meant(name.as_bytes()).is_some();
    let signs = &key[..key.find(|char: char| char.is_ascii_alphabetic()).unwrap_or(0)];
    // A tag of HTML ends in a `>`.
    if !signs.is_empty() && !signs.starts_with('<') && is_directive(name) {
        return true;
    }
    // A letter before a blank begins a comment of some language: `C Disallow`.
    if name.split_once(' ').is_some_and(|(first, rest)| first.len() < 3 && is_directive(rest.trim())) {
        return true;
    }
    let lower = name.to_ascii_lowercase().replace(['-', '_', ' '], "");
    let off = OFF_WORDS.iter().flat_map(|word| [lower.strip_prefix(word), lower.strip_suffix(word)]);
    let without = [lower.strip_prefix('x'), lower.strip_suffix('x')].into_iter().chain(off).flatten();
    without.into_iter().any(is_directive_name)
}

fn is_unseen_or_quote(char: char) -> bool {
    is_never_seen(char) || matches!(char, '\u{201C}' | '\u{201D}')
}

/// Reports whether a line is read as an agent or a rule.
pub(super) fn is_read(context: &Context<'_>, line: u32) -> bool {
    let agents = context.robots.agents();
    context.rule_of_line(line).is_some() || agents.binary_search_by_key(&line, |agent| agent.line).is_ok()
}

/// Returns a line without its comment and the blanks around it.
pub(super) fn written<'c>(context: &Context<'c>, line: u32) -> &'c [u8] {
    let text = context.lines.text(line);
    let end = text.iter().position(|byte| *byte == b'#').unwrap_or(text.len());
    text[..end].trim_ascii()
}

/// Returns the number of blanks at the start of a line.
pub(super) fn offset(text: &[u8]) -> usize {
    text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0)
}
