//! Words after the name of a known crawler, which crawlers do not read.
//!
//! ```text
//! User-agent: Googlebot for images         Googlebot: its images have a crawler called Googlebot-Image
//! User-agent: Googlebot/Bingbot            Googlebot alone
//! User-agent: Googlebot/2.1 (+http://…)    Googlebot, as it is meant
//! ```

use robotsc_compiler::near_name::Plain;
use robotsc_compiler::{AgentLine, Severity};

use super::agent_words::{JOINTS, is_kind_word};
use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::known_name::KnownName;

/// Words that say nothing else than a name does.
const PLAIN_WORDS: [&str; 14] = [
    "for",
    "the",
    "version",
    "compatible",
    "official",
    "robot",
    "search",
    "token",
    "web",
    // A build of the crawler: `Exabot Test`.
    "test",
    "testing",
    "beta",
    "alpha",
    "dev",
];

/// Reports a known name with other words after it. Returns whether it was reported.
pub(super) fn check(context: &mut Context<'_>, agent: &AgentLine, known: &[(&KnownName, Plain)]) -> bool {
    let value = agent.value.of(context.body());
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let Some((name, rest)) = split(text, known) else { return false };
    // The name of who runs a crawler begins those of several: `Sogou web spider`, `Sogou inst spider`.
    if name.token.eq_ignore_ascii_case(&name.operator) {
        return false;
    }
    // Other crawlers read more of it.
    if !name.token.as_bytes().eq_ignore_ascii_case(agent.token.of(context.body())) || is_mark(rest) {
        return false;
    }
    let words: Vec<&str> = words(rest).filter(|word| !is_plain(word, name)).collect();
    let Some(check) = context.check(LintCheck::AgentNotToken).filter(|_| !words.is_empty()) else { return false };
    let others: Vec<&str> = words.iter().filter_map(|word| other(word, name, known)).collect();
    let read = format!("{} is read as `{}`, without what follows", quoted(value), name.token);
    let (message, fix) = match others.as_slice() {
        [meant] if words.len() == 1 => {
            let starts = meant.get(..name.token.len()).is_some_and(|start| start.eq_ignore_ascii_case(&name.token));
            let fix = Fix::replace("write the known name", agent.value, meant.as_bytes());
            (format!("{read}: did you mean `{meant}`?"), starts.then_some(fix))
        }
        [] => (format!("{read}: write the name alone, or that of the crawler that is meant"), None),
        _ => (format!("{read}: write a `User-agent` line for each crawler"), None),
    };
    let mut finding = Finding::new(check, agent.line, agent.value, message).severity(Severity::Warning);
    finding.fix = fix;
    context.found.push(finding);
    true
}

/// Returns the longest known name that a text begins with, and what follows it.
fn split<'k, 't>(text: &'t str, known: &[(&'k KnownName, Plain)]) -> Option<(&'k KnownName, &'t str)> {
    let rest = |known: &KnownName| {
        let start = text.get(..known.token.len()).filter(|start| start.eq_ignore_ascii_case(&known.token))?;
        let rest = &text[start.len()..];
        rest.starts_with([' ', '\t', '/', '(', '[', ':', ';']).then_some(rest)
    };
    let found =
        known.iter().filter(|(known, _)| !known.is_retired).filter_map(|(known, _)| Some((*known, rest(known)?)));
    found.max_by_key(|(known, _)| known.token.len())
}

/// Reports whether what follows a name is of a `User-Agent` header: it has a URL or an address.
fn is_mark(rest: &str) -> bool {
    ["://", "www.", "@", "(at)", "+http", "Mozilla", "compatible;"].iter().any(|sign| rest.contains(sign))
}

/// Returns the words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| !char.is_alphanumeric() && !"-_.~+".contains(char));
    words.map(|word| word.trim_matches(['-', '_', '.', '~', '+'])).filter(|word| word.chars().count() > 1)
}

/// Reports whether a word after a name says nothing else: a version, a word for crawlers, or who runs it.
fn is_plain(word: &str, name: &KnownName) -> bool {
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    let version = word.trim_start_matches(['v', 'V']);
    version.starts_with(|char: char| char.is_ascii_digit())
        || is_kind_word(word)
        || JOINTS.iter().chain(&PLAIN_WORDS).any(|known| is(known))
        || is(&name.token)
        || words(&name.operator).any(is)
}

/// Returns the known crawler that a word names, alone or as what follows a name: `Googlebot-Image` of `images`.
fn other<'k>(word: &str, name: &KnownName, known: &[(&'k KnownName, Plain)]) -> Option<&'k str> {
    let one = word.strip_suffix(['s', 'S']).unwrap_or(word);
    let is_meant = |token: &str| {
        let end = token.get(name.token.len()..).filter(|_| token[..name.token.len()].eq_ignore_ascii_case(&name.token));
        let end = end.and_then(|end| end.strip_prefix('-'));
        token.eq_ignore_ascii_case(word)
            || end.is_some_and(|end| [word, one].iter().any(|word| word.eq_ignore_ascii_case(end)))
    };
    let found = known.iter().find(|(known, _)| !known.is_retired && is_meant(&known.token));
    found.map(|(known, _)| known.token.as_str())
}
