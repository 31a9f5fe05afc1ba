//! `User-agent` values that are words for crawlers and not their names: all of them, several, or who runs them.
//!
//! ```text
//! User-agent: all              a crawler called `all`
//! User-agent: GPTBot CCBot     GPTBot alone
//! User-agent: OpenAI           nobody: its crawlers are called GPTBot, OAI-SearchBot, …
//! ```

use robotsc_compiler::{AgentLine, Severity};

use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::known_name::KnownName;
use crate::text::words::listed;

/// Words for all crawlers.
const ALL: [&str; 18] = [
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
];

/// What the tokens of crawlers have after the name of a product or of who runs them.
const SUFFIXES: [&str; 7] = ["bot", "-bot", "spider", "-user", "-web", "crawler", "-searchbot"];

/// Words between names.
const JOINTS: [&str; 5] = ["and", "or", "und", "et", "y"];

/// The maximum number of names that a message has.
const MAX_NAMES: usize = 4;

/// Reports a value that is no name of a crawler but words for some. Returns whether it was reported.
pub(super) fn check(context: &mut Context<'_>, agent: &AgentLine, known: &[KnownName]) -> bool {
    let value = agent.value.of(context.body());
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let find = |name: &str| known.iter().find(|known| known.token.eq_ignore_ascii_case(name) && !known.is_retired);
    if find(text).is_some() {
        return false;
    }
    let Some((check, message, severity, fix)) = all(text)
        .or_else(|| several(context, text, &find))
        .or_else(|| with_star(text, known, &find))
        .or_else(|| whose(text, known, &find))
        .or_else(|| host(context, agent, text, &find))
    else {
        return false;
    };
    let Some(check) = context.check(check) else { return false };
    let mut finding = Finding::new(check, agent.line, agent.value, message).severity(severity);
    finding.fix = fix.map(|(title, with)| Fix::replace(title, agent.value, with));
    context.found.push(finding);
    true
}

/// What is reported: a check, a message, and what to write in place of the value.
type Words = (LintCheck, String, Severity, Option<(&'static str, Vec<u8>)>);

/// Finds a known crawler by its token.
type Find<'f, 'k> = &'f dyn Fn(&str) -> Option<&'k KnownName>;

/// A word for all crawlers, which `*` is for.
fn all(text: &str) -> Option<Words> {
    ALL.iter().find(|word| word.eq_ignore_ascii_case(text))?;
    let message = format!("`{text}` names a crawler that is called so: `*` stands for all");
    Some((LintCheck::AgentUnknown, message, Severity::Warning, Some(("write `*`", b"*".to_vec()))))
}

/// Several known names.
fn several(context: &Context<'_>, text: &str, find: Find<'_, '_>) -> Option<Words> {
    let is_between = |char: char| char.is_ascii_whitespace() || ",;|+&/[](){}\"'".contains(char);
    let words = text.split(is_between).filter(|word| !word.is_empty() && !JOINTS.contains(word));
    let names: Vec<&str> = words.collect();
    if names.len() < 2 || !names.iter().all(|name| find(name).is_some()) {
        return None;
    }
    let message = format!("{} names one crawler at most: write a `User-agent` line for each", quoted(text.as_bytes()));
    let joint = format!("{}User-agent: ", String::from_utf8_lossy(context.lines.end_of_line()));
    let with = names.join(&joint).into_bytes();
    Some((LintCheck::AgentList, message, Severity::Warning, Some(("write one line for each agent", with))))
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

/// A product or who runs it.
fn whose(text: &str, known: &[KnownName], find: Find<'_, '_>) -> Option<Words> {
    if text.len() < 4 || !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    if let Some(meant) = SUFFIXES.iter().find_map(|suffix| find(&format!("{text}{suffix}"))) {
        let message = format!("no crawler is called `{text}`: did you mean `{}`?", meant.token);
        let fix = Some(("write the known name", meant.token.as_bytes().to_vec()));
        return Some((LintCheck::AgentUnknown, message, Severity::Warning, fix));
    }
    let is_own = |known: &&KnownName| known.operator.eq_ignore_ascii_case(text) && !known.is_retired;
    let own: Vec<&str> = known.iter().filter(is_own).map(|known| known.token.as_str()).take(MAX_NAMES).collect();
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

/// Returns names as a message lists them.
fn names(names: &[&str]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}
