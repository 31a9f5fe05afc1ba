//! Several names in one `User-agent` line, of which crawlers read one at most.
//!
//! ```text
//! User-agent: GPTBot, CCBot             a line for each
//! User-agent: *, GPTBot                 `*` is one of them
//! User-agent: "GPTBot" and GPT_Bot      signs are left out, and known names are written as they are
//! User-agent: GPTBot, CCBot and so on   several are named, and nobody can say which others
//! ```

use robotsc_compiler::AgentLine;
use robotsc_compiler::near_name::Plain;

use super::agent_words::JOINTS;
use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::known_name::KnownName;
use crate::text::words::listed;

/// The most names that a message has.
const MAX_NAMES: usize = 4;

/// Reports a line that names several crawlers. Returns whether it was reported, or would be.
pub(super) fn check(context: &mut Context<'_>, agent: &AgentLine, known: &[(&KnownName, Plain)]) -> bool {
    let value = agent.value.of(context.body());
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let members = members(text);
    if members.len() < 2 {
        return false;
    }
    // Names of no known crawler count between commas alone: other words can be anything.
    let is_plain_list = text.split([',', ';']).all(|part| part.trim() == "*" || is_name(part.trim().as_bytes()));
    let named: Vec<Option<&str>> = members.iter().map(|member| meant(member, known)).collect();
    let sure: Vec<&str> = named.iter().copied().flatten().collect();
    let is_whole = sure.len() == members.len() || is_plain_list;
    if !is_plain_list && sure.is_empty() || !is_whole && sure.len() < 2 {
        return false;
    }
    let Some(check) = context.check(LintCheck::AgentList) else { return true };
    let finding = if is_whole || named.iter().zip(&members).all(|(named, member)| named.is_some() || is_token(member)) {
        let first = if agent.token.is_empty() { agent.written(context.body()) } else { agent.token.of(context.body()) };
        let message = format!("{} names {} alone: write a `User-agent` line for each", quoted(value), quoted(first));
        let names = named.iter().zip(&members).map(|(named, member)| named.unwrap_or(member).as_bytes());
        let joint = [context.lines.end_of_line(), b"User-agent: "].concat();
        let with = names.collect::<Vec<_>>().join(joint.as_slice());
        Finding::new(check, agent.line, agent.value, message).fix(Fix::replace(
            "write one line for each agent",
            agent.value,
            with,
        ))
    } else {
        let names: Vec<String> = sure.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
        let message =
            format!("{} names one crawler at most: write a `User-agent` line for {}", quoted(value), listed(&names));
        Finding::new(check, agent.line, agent.value, message)
    };
    context.found.push(finding);
    true
}

/// Returns the members of a list, without what stands in brackets after them and without signs around them.
fn members(text: &str) -> Vec<String> {
    let mut outside = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for char in text.chars() {
        match char {
            // What is in brackets from the start is the list.
            '(' if !outside.trim().is_empty() => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => outside.push(char),
            _ => {}
        }
    }
    let mut members = Vec::new();
    for part in outside.split([',', ';', '|']) {
        for words in part.split_whitespace().collect::<Vec<_>>().split(|word| is_joint(word)) {
            let is_sign = |char: char| !char.is_alphanumeric() && !"*-_".contains(char);
            members.push(words.join(" ").trim_matches(is_sign).to_owned());
        }
    }
    members.retain(|member| !member.is_empty());
    members
}

/// Reports whether a word is between names.
fn is_joint(word: &str) -> bool {
    matches!(word, "&" | "+" | "/") || JOINTS.iter().any(|joint| joint.eq_ignore_ascii_case(word))
}

/// Returns the name that a member of a list was meant to be: that of a known crawler, or `*`.
fn meant<'n>(member: &'n str, known: &[(&'n KnownName, Plain)]) -> Option<&'n str> {
    if member == "*" {
        return Some(member);
    }
    // As it is written, perhaps with a version.
    let name = member.split('/').next().unwrap_or(member);
    if is_name(member.as_bytes()) && known.iter().any(|(known, _)| known.token.eq_ignore_ascii_case(name)) {
        return Some(member);
    }
    let plain = Plain::new(name);
    known.iter().find(|(known, its)| !known.is_retired && its.is_same(&plain)).map(|(known, _)| known.token.as_str())
}

/// Reports whether a member can be a name by its letters.
fn is_token(member: &str) -> bool {
    is_name(member.as_bytes()) && member.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Reports whether a text is a name, perhaps with a version.
fn is_name(text: &[u8]) -> bool {
    let name = text.split(|byte| *byte == b'/').next().unwrap_or(text);
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn members_of_lists() {
        for (text, wanted) in [
            ("*, GPTBot", &["*", "GPTBot"][..]),
            ("CCBot, `GPTBot`", &["CCBot", "GPTBot"]),
            ("GPTBot|CCBot (+https://openai.com/gptbot)", &["GPTBot", "CCBot"]),
            ("GPTBot (OpenAI), CCBot (Common Crawl)", &["GPTBot", "CCBot"]),
            ("@GPTBot and CCBot\u{2122}", &["GPTBot", "CCBot"]),
            ("Foo/1.0 (compatible; GPTBot; x)", &["Foo/1.0"]),
            ("(GPTBot, CCBot)", &["GPTBot", "CCBot"]),
            ("GPT Bot + CCBot", &["GPT Bot", "CCBot"]),
            ("GPTBot, ,", &["GPTBot"]),
            ("and", &[]),
        ] {
            assert_eq!(members(text), wanted, "{text}");
        }
    }
}
