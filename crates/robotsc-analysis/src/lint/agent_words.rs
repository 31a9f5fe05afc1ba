//! `User-agent` values that are words for crawlers and not their names: all of them, several, or who runs them.
//!
//! ```text
//! User-agent: all              a crawler called `all`
//! User-agent: GPTBot CCBot     GPTBot alone
//! User-agent: OpenAI           nobody: its crawlers are called GPTBot, OAI-SearchBot, …
//! User-agent: Gemini           nobody: Google-Extended is the name of its switch
//! User-agent: "GPTBot"         a crawler with quotes in its name
//! ```

use robotsc_compiler::near_name::Plain;
use robotsc_compiler::{AgentLine, Severity};

use super::agent_names::keeps_names;
use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::known_name::KnownName;
use crate::text::words::listed;

/// Words for all crawlers.
const ALL: [&str; 22] = [
    "all",
    "any",
    "every",
    "everyone",
    "everybody",
    "anyone",
    "each",
    "bots",
    "robots",
    "crawlers",
    "spiders",
    "all bots",
    "all robots",
    "all crawlers",
    "allbots",
    "all-bots",
    "default",
    "everything",
    "others",
    "all others",
    "other bots",
    "all other bots",
];

/// Words for a kind of crawlers, of which each has a name of its own. One of the first makes a text such a kind.
const KINDS: [&str; 7] = ["ai", "genai", "llm", "llms", "engine", "engines", "seo"];
const KIND_WORDS: [&str; 18] = [
    "all", "any", "every", "other", "bot", "bots", "robots", "crawler", "crawlers", "scraper", "scrapers", "spider",
    "spiders", "agent", "agents", "search", "training", "models",
];

/// Crawlers that messages name as examples.
const EXAMPLES: [&str; 3] = ["GPTBot", "ClaudeBot", "CCBot"];
const SEARCH_EXAMPLES: [&str; 2] = ["Googlebot", "bingbot"];

/// What the tokens of crawlers have after the name of a product or of who runs them.
const SUFFIXES: [&str; 8] = ["bot", "sbot", "-bot", "spider", "-user", "-web", "crawler", "-searchbot"];

/// Words between names.
pub(super) const JOINTS: [&str; 5] = ["and", "or", "und", "et", "y"];

/// The maximum number of names that a message has.
pub(super) const MAX_NAMES: usize = 4;

/// Reports a value that is no name of a crawler but words for some. Returns whether it was reported.
pub(super) fn check(
    context: &mut Context<'_>,
    agent: &AgentLine,
    known: &[KnownName],
    plain: &[(&KnownName, Plain)],
) -> bool {
    let value = agent.value.of(context.body());
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let find = |name: &str| known.iter().find(|known| known.token.eq_ignore_ascii_case(name) && !known.is_retired);
    if known.iter().any(|known| known.token.eq_ignore_ascii_case(text)) || is_other_name(text) {
        return false;
    }
    let Some((check, message, severity, fix)) = of_program(text)
        .or_else(|| all(text))
        .or_else(|| kind(text, &find))
        .or_else(|| address(text))
        .or_else(|| url(text, &find))
        .or_else(|| negated(text, &find))
        .or_else(|| in_signs(text, &find))
        .or_else(|| product(text, &find))
        .or_else(|| with_star(text, known, &find))
        .or_else(|| whose(text, known, &find))
        .or_else(|| stem(text, known, plain))
        .or_else(|| host(context, agent, text, &find))
        .or_else(|| host_of_operator(text, known))
    else {
        return false;
    };
    let Some(check) = context.check(check) else { return false };
    let mut finding = Finding::new(check, agent.line, agent.value, message).severity(severity);
    let fix = fix.filter(|(_, with)| keeps_names(value, with, plain));
    finding.fix = fix.map(|(title, with)| Fix::replace(title, agent.value, with));
    context.found.push(finding);
    true
}

/// What is reported: a check, a message, and what to write in place of the value.
type Words = (LintCheck, String, Severity, Option<(&'static str, Vec<u8>)>);

/// Finds a known crawler by its token.
type Find<'f, 'k> = &'f dyn Fn(&str) -> Option<&'k KnownName>;

/// Whom a text stands for that is no name of a crawler.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom<'k> {
    /// All crawlers.
    All,
    /// These, by what they are for or by who runs them; never none.
    Crawlers(Vec<&'k str>),
    /// A kind of crawlers, of which these are examples; never none.
    Kind(Vec<&'k str>),
}

/// Returns whom a text stands for, if it is a word for crawlers and the name of none: `all`, `ChatGPT`, `OpenAI`.
#[doc(hidden)]
#[must_use]
pub fn whom<'k>(text: &str, known: &'k [KnownName]) -> Option<Whom<'k>> {
    if known.iter().any(|known| known.token.eq_ignore_ascii_case(text)) {
        return None;
    }
    let find = |name: &str| known.iter().find(|known| known.token.eq_ignore_ascii_case(name) && !known.is_retired);
    if is_all(text) {
        return Some(Whom::All);
    }
    let of_product = of_product(text, &find).map(|(_, names)| names);
    let of_start = || with_suffix(text, &find).map(|known| vec![known.token.as_str()]);
    let crawlers = of_product.or_else(of_start).or_else(|| of_operator(text, known)).or_else(|| of_stem(text, known));
    crawlers.map(Whom::Crawlers).or_else(|| of_kind(text, &find).filter(|names| !names.is_empty()).map(Whom::Kind))
}

/// What a program writes for a name that is missing, or for the place that it has it from: `undefined`, `bot.name`.
fn of_program(text: &str) -> Option<Words> {
    const MISSING: [&str; 12] = [
        "undefined",
        "null",
        "nil",
        "none",
        "nan",
        "array",
        "object",
        "[object object]",
        "[object]",
        "string",
        "true",
        "false",
    ];
    // `NerdByNature.Bot` and `K.s.bot` are names.
    const HOLDERS: [&str; 16] = [
        "agent", "agents", "bot", "bots", "config", "crawl", "crawler", "crawlers", "data", "entry", "item", "robot",
        "robots", "site", "this", "user",
    ];
    const FIELDS: [&str; 6] = ["name", "agent", "useragent", "user_agent", "token", "value"];
    let is = |words: &[&str], text: &str| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    let is_field = text.rsplit_once('.').is_some_and(|(holder, field)| {
        is(&FIELDS, field) && holder.split('.').next().is_some_and(|first| is(&HOLDERS, first))
    });
    (is(&MISSING, text) || is_field).then(|| {
        let message = format!("`{text}` is what a program or a template left in place of a name, and names no crawler");
        (LintCheck::AgentUnknown, message, Severity::Warning, None)
    })
}

/// Reports whether a text is a word for all crawlers.
fn is_all(text: &str) -> bool {
    ALL.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// A word for all crawlers, which `*` is for.
fn all(text: &str) -> Option<Words> {
    is_all(text).then_some(())?;
    let message = format!("`{text}` names a crawler that is called so: `*` stands for all");
    Some((LintCheck::AgentUnknown, message, Severity::Warning, Some(("write `*`", b"*".to_vec()))))
}

/// Reports whether a word is of a kind of crawlers, and of none in particular.
pub(super) fn is_kind_word(word: &str) -> bool {
    [KINDS.as_slice(), &KIND_WORDS].iter().any(|words| words.iter().any(|known| known.eq_ignore_ascii_case(word)))
}

/// Returns the known examples of a kind of crawlers, such as `AI bots`; `None` if a text is no such word.
fn of_kind<'k>(text: &str, find: Find<'_, 'k>) -> Option<Vec<&'k str>> {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split([' ', '\t', '-', '_']).filter(|word| !word.is_empty()).collect();
    let is_kind = |word: &&str| KINDS.contains(word) || matches!(*word, "aibots" | "aicrawlers");
    let is_of_some = words.iter().any(is_kind) || words.len() > 1;
    if !is_of_some || !words.iter().all(|word| is_kind(word) || KIND_WORDS.contains(word)) {
        return None;
    }
    let is_search = words.iter().any(|word| word.starts_with("engine"));
    let examples: &[&str] = if is_search { &SEARCH_EXAMPLES } else { &EXAMPLES };
    Some(examples.iter().filter_map(|name| find(name)).map(|known| known.token.as_str()).collect())
}

/// A word for a kind of crawlers.
fn kind(text: &str, find: Find<'_, '_>) -> Option<Words> {
    let known = of_kind(text, find)?;
    let such = if known.is_empty() { String::new() } else { format!(", such as {}", names(&known)) };
    let message = format!("no crawler is called `{text}`: write a `User-agent` line for each that is meant{such}");
    Some((LintCheck::AgentUnknown, message, Severity::Warning, None))
}

/// An address of a network, or several.
fn address(text: &str) -> Option<Words> {
    let is_digit = |char: char| char.is_ascii_digit();
    let is_old = text.starts_with(is_digit)
        && text.matches('.').count() > 1
        && text.chars().all(|char| is_digit(char) || "./*-: ".contains(char));
    let is_new = text.matches(':').count() > 1
        && text.contains(is_digit)
        && text.chars().all(|char| char.is_ascii_hexdigit() || ":/".contains(char));
    if !is_old && !is_new {
        return None;
    }
    let message =
        format!("`{text}` is an address, and names no crawler: robots.txt names crawlers, firewalls addresses");
    Some((LintCheck::AgentNamesNobody, message, Severity::Warning, None))
}

/// A URL: that of a page about a crawler mostly has its name.
fn url(text: &str, find: Find<'_, '_>) -> Option<Words> {
    let rest = text.trim_start_matches(['+', '(']);
    let starts = |start: &&str| rest.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if !["http://", "https://", "www.", "//"].iter().any(starts) {
        return None;
    }
    let is_between = |char: char| !char.is_ascii_alphanumeric() && !"-_".contains(char);
    let mut named: Vec<&str> = text.split(is_between).filter_map(find).map(|known| known.token.as_str()).collect();
    named.dedup();
    let (meant, fix) = match named.as_slice() {
        [name] => (format!("did you mean `{name}`?"), Some(("write the name alone", name.as_bytes().to_vec()))),
        _ => ("write the name that the crawler has".to_owned(), None),
    };
    let message = format!("{} is a URL, and names no crawler: {meant}", quoted(text.as_bytes()));
    Some((LintCheck::AgentUnknown, message, Severity::Warning, fix))
}

/// Returns what follows a sign or a word at the start of a text that excepts it in other languages.
#[doc(hidden)]
#[must_use]
pub fn excepted(text: &str) -> Option<&str> {
    const SIGNS: [&str; 6] = ["!", "-", "^", "~", "not ", "except "];
    let is_start = |sign: &&str| text.get(..sign.len()).is_some_and(|start| start.eq_ignore_ascii_case(sign));
    Some(text[SIGNS.iter().find(|sign| is_start(sign))?.len()..].trim())
}

/// A known name, or `*`, after a sign or a word that excepts it in other languages.
fn negated(text: &str, find: Find<'_, '_>) -> Option<Words> {
    let name = excepted(text)?;
    if name != "*" && find(name).is_none() {
        return None;
    }
    let message = format!(
        "`{text}` excepts nobody: no sign of robots.txt does. Give `{name}` a group of its own, beside that for `*`"
    );
    Some((LintCheck::AgentUnknown, message, Severity::Warning, None))
}

/// A name or `*` between quotes or brackets.
fn in_signs(text: &str, find: Find<'_, '_>) -> Option<Words> {
    let is_sign = |char: char| "\"'`<>()[]{}.:,;".contains(char);
    let name = text.trim_matches(is_sign).trim();
    let is_name = name == "*" || find(name).is_some() || {
        // Of others the quotes alone are sure to be no part.
        let is_quoted = text.len() > name.len() + 1 && text.starts_with(|char| "\"'`<".contains(char));
        is_quoted && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    if name.len() == text.len() || name.is_empty() || !is_name {
        return None;
    }
    let shown = quoted(text.as_bytes());
    let message = match text.starts_with(is_sign) {
        true => format!("{shown} names nobody with its signs: did you mean `{name}`?"),
        false => format!("{shown} is more than the name `{name}`, which some crawlers alone find in it"),
    };
    let fix = Some(("write the name without the signs", name.as_bytes().to_vec()));
    Some((LintCheck::AgentUnknown, message, Severity::Warning, fix))
}

/// What products are called, with the names that the crawlers for them have.
const PRODUCTS: [(&str, &[&str]); 36] = [
    ("googlebard", &["Google-Extended"]),
    ("googleextend", &["Google-Extended"]),
    ("mediapartners", &["Mediapartners-Google"]),
    ("adsbotgooglebot", &["AdsBot-Google"]),
    ("oaisearch", &["OAI-SearchBot"]),
    ("facebookexternalagent", &["meta-externalagent"]),
    ("microsoftcopilot", &["bingbot"]),
    ("bingimages", &["bingbot"]),
    ("googleai", &["Google-Extended"]),
    ("googlegemini", &["Google-Extended"]),
    ("googlebotextended", &["Google-Extended"]),
    ("googlenews", &["Googlebot-News"]),
    ("googleimage", &["Googlebot-Image"]),
    ("googleimages", &["Googlebot-Image"]),
    ("googlevideo", &["Googlebot-Video"]),
    ("googlevideos", &["Googlebot-Video"]),
    ("googleads", &["AdsBot-Google", "Mediapartners-Google"]),
    ("googleadsense", &["Mediapartners-Google"]),
    ("adsense", &["Mediapartners-Google"]),
    ("appleextended", &["Applebot-Extended"]),
    ("appleai", &["Applebot-Extended"]),
    ("searchgpt", &["OAI-SearchBot"]),
    ("facebook", &["facebookexternalhit", "FacebookBot"]),
    ("metaai", &["meta-externalagent", "meta-externalfetcher"]),
    ("gemini", &["Google-Extended"]),
    ("bard", &["Google-Extended"]),
    ("vertex", &["Google-CloudVertexBot"]),
    ("gpt", &["GPTBot", "ChatGPT-User", "OAI-SearchBot"]),
    ("chatgpt", &["GPTBot", "ChatGPT-User", "OAI-SearchBot"]),
    ("copilot", &["bingbot"]),
    ("lechat", &["MistralAI-User"]),
    ("llama", &["meta-externalagent", "FacebookBot"]),
    ("siri", &["Applebot", "Applebot-Extended"]),
    ("appleintelligence", &["Applebot-Extended"]),
    ("alexa", &["Amazonbot"]),
    ("tiktok", &["Bytespider", "TikTokSpider"]),
];

/// Names that crawlers have beside those of the register: `Pinterest/0.2` is one.
const OTHER_NAMES: [&str; 1] = ["Pinterest"];

/// Reports whether a text is such a name, perhaps with a version.
fn is_other_name(text: &str) -> bool {
    let name = text.split_once('/').map_or(text, |(name, _)| name);
    OTHER_NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Words after the name of who runs a crawler.
const COMPANY_WORDS: [&str; 6] = ["ai", "inc", "llc", "bots", "crawlers", "company"];

/// Returns a text without blanks and signs, in lower case, and without a word such as `AI` at its end.
fn plain_words(text: &str) -> String {
    let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    if words.len() > 1 && words.last().is_some_and(|last| COMPANY_WORDS.contains(&last.as_str())) {
        words.pop();
    }
    words.concat()
}

/// Returns a product, in lower case, and the names of its crawlers, of which there is one at least.
fn of_product<'k>(text: &str, find: Find<'_, 'k>) -> Option<(String, Vec<&'k str>)> {
    if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -_.\t".contains(&byte)) {
        return None;
    }
    let plain = plain_words(text);
    let (_, tokens) = PRODUCTS.iter().find(|(word, _)| *word == plain)?;
    let own: Vec<&str> = tokens.iter().filter_map(|token| find(token)).map(|known| known.token.as_str()).collect();
    (!own.is_empty()).then_some((plain, own))
}

/// A product whose crawlers have other names.
fn product(text: &str, find: Find<'_, '_>) -> Option<Words> {
    let (plain, own) = of_product(text, find)?;
    let (first, more) = own.split_first()?;
    let is_one = more.is_empty();
    let verb = if is_one { format!("did you mean `{first}`?") } else { format!("its crawlers are {}", names(&own)) };
    // Who wants to keep one product out need not want to keep out all that its crawler is for.
    let is_sure = is_one && !matches!(plain.as_str(), "copilot" | "microsoftcopilot" | "alexa" | "facebook");
    let fix = is_sure.then(|| ("write the known name", first.as_bytes().to_vec()));
    Some((LintCheck::AgentUnknown, format!("no crawler is called `{text}`: {verb}"), Severity::Warning, fix))
}

/// The start of some names, and a `*`.
fn with_star(text: &str, known: &[KnownName], find: Find<'_, '_>) -> Option<Words> {
    let start = text.strip_suffix('*').filter(|start| start.len() > 1 && !start.contains('*'))?;
    if find(start).is_some() {
        return None;
    }
    let is_meant = |known: &&KnownName| {
        !known.is_retired && known.token.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    let meant: Vec<&str> = known.iter().filter(is_meant).map(|known| known.token.as_str()).take(MAX_NAMES).collect();
    if meant.is_empty() {
        return None;
    }
    let message =
        format!("a `*` stands for nothing within a name: `{text}` names no crawler; {} begin so", names(&meant));
    let fix = (meant.len() == 1).then(|| ("write the known name", meant[0].as_bytes().to_vec()));
    Some((LintCheck::AgentUnknown, message, Severity::Warning, fix))
}

/// Reports whether a text can be the name of a product or of who runs it.
fn is_of_letters(text: &str) -> bool {
    text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ')
}

/// Returns the crawler whose name is a text and a word such as `bot`.
fn with_suffix<'k>(text: &str, find: Find<'_, 'k>) -> Option<&'k KnownName> {
    if !is_of_letters(text) {
        return None;
    }
    // `coccocbot` is a name of its own.
    let is_name = ["bot", "spider", "crawler"].iter().any(|end| text.to_ascii_lowercase().ends_with(end));
    if is_name { None } else { SUFFIXES.iter().find_map(|suffix| find(&format!("{text}{suffix}"))) }
}

/// Returns the crawlers that are meant by a name of a product or of an operator, and a word such as `Bot` or `AI`:
/// `ChatGPTBot`, `ClaudeAI`.
fn of_stem<'k>(text: &str, known: &'k [KnownName]) -> Option<Vec<&'k str>> {
    const ENDS: [&str; 5] = ["bot", "ai", "crawler", "spider", "agent"];
    // Others than these have crawlers that are called so, be they in the register or not.
    const AI_ALONE: [&str; 10] = [
        "openai",
        "anthropic",
        "claude",
        "perplexity",
        "deepseek",
        "mistral",
        "cohere",
        "commoncrawl",
        "bytedance",
        "duckduckgo",
    ];
    let find = |name: &str| known.iter().find(|known| known.token.eq_ignore_ascii_case(name) && !known.is_retired);
    let lower = text.to_ascii_lowercase();
    let (end, stem) = ENDS.iter().find_map(|end| Some((*end, lower.strip_suffix(end)?)))?;
    let stem = stem.trim_end_matches(['-', '_', ' ']);
    let of_product = of_product(stem, &find).map(|(_, names)| names);
    // There was a crawler of this name.
    let is_gone = stem == "alexa";
    if is_gone || of_product.is_none() && end != "ai" && !AI_ALONE.contains(&stem) {
        return None;
    }
    let of_start = || with_suffix(stem, &find).map(|known| vec![known.token.as_str()]);
    of_product.or_else(of_start).or_else(|| of_operator(stem, known))
}

/// A name of a product or of who runs it, with a word that makes it seem the name of a crawler.
fn stem(text: &str, known: &[KnownName], plain: &[(&KnownName, Plain)]) -> Option<Words> {
    let own = of_stem(text, known)?;
    // Such a name has a finding of its own.
    let whole = Plain::new(text);
    if plain.iter().any(|(known, its)| !known.is_retired && its.is_same(&whole)) {
        return None;
    }
    let verb = match own.as_slice() {
        [name] => format!("did you mean `{name}`?"),
        own => format!("its crawlers are {}", names(own)),
    };
    Some((LintCheck::AgentUnknown, format!("no crawler is called `{text}`: {verb}"), Severity::Warning, None))
}

/// Returns the first crawlers of an operator, of which there is one at least.
fn of_operator<'k>(text: &str, known: &'k [KnownName]) -> Option<Vec<&'k str>> {
    if !is_of_letters(text) {
        return None;
    }
    let plain = plain_words(text);
    // `open ai` has a word that `OpenAI` has not.
    let joined: String = text.chars().filter(|char| char.is_alphanumeric()).collect();
    // A file can have thousands of names, and most operators begin otherwise.
    let first = |text: &str| text.chars().find(|char| char.is_alphanumeric()).map(|char| char.to_ascii_lowercase());
    let is_its = |operator: &str| {
        if first(operator) != first(text) {
            return false;
        }
        let own = plain_words(operator);
        own == plain || own.eq_ignore_ascii_case(&joined)
    };
    let is_own = |known: &&KnownName| !known.is_retired && !known.operator.is_empty() && is_its(&known.operator);
    let own: Vec<&str> = known.iter().filter(is_own).map(|known| known.token.as_str()).take(MAX_NAMES).collect();
    (!own.is_empty()).then_some(own)
}

/// A product or who runs it.
fn whose(text: &str, known: &[KnownName], find: Find<'_, '_>) -> Option<Words> {
    if text.eq_ignore_ascii_case("mozilla") {
        let message =
            "`Mozilla` begins the User-Agent headers of browsers and of many crawlers, and is the name of none";
        return Some((LintCheck::AgentUnknown, message.to_owned(), Severity::Warning, None));
    }
    if let Some(meant) = with_suffix(text, find) {
        let message = format!("no crawler is called `{text}`: did you mean `{}`?", meant.token);
        let fix = Some(("write the known name", meant.token.as_bytes().to_vec()));
        return Some((LintCheck::AgentUnknown, message, Severity::Warning, fix));
    }
    let own = of_operator(text, known)?;
    let (first, more) = own.split_first()?;
    let verb =
        if more.is_empty() { format!("its crawler is `{first}`") } else { format!("its crawlers are {}", names(&own)) };
    let fix = more.is_empty().then(|| ("write the known name", first.as_bytes().to_vec()));
    Some((LintCheck::AgentUnknown, format!("no crawler is called `{text}`: {verb}"), Severity::Warning, fix))
}

/// A host whose first label is a name.
fn host(context: &Context<'_>, agent: &AgentLine, text: &str, find: Find<'_, '_>) -> Option<Words> {
    let is_host = text.contains('.') && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let meant = std::str::from_utf8(agent.token.of(context.body())).ok().filter(|_| is_host).and_then(find)?;
    let message = format!("`{text}` is more than the name `{}`, and few crawlers find theirs in it", meant.token);
    let fix = Some(("write the name alone", meant.token.as_bytes().to_vec()));
    Some((LintCheck::AgentNotToken, message, Severity::Warning, fix))
}

/// The host of who runs a crawler.
fn host_of_operator(text: &str, known: &[KnownName]) -> Option<Words> {
    // `Microsoft.URL.Control` is a name.
    let (labels, end) = text.rsplit_once('.')?;
    let is_host = ["com", "org", "net", "ai", "io", "co", "tech"].contains(&end)
        && labels.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte));
    let own = labels.split('.').filter(|_| is_host).find_map(|label| of_operator(label, known))?;
    let message = format!("`{text}` is a host, and names no crawler: write a name such as {}", names(&own));
    Some((LintCheck::AgentUnknown, message, Severity::Warning, None))
}

/// Returns names as a message lists them.
pub(super) fn names(names: &[&str]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}
