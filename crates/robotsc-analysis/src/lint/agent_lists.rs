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

use super::agent_names::{is_name, keeps_names};
use super::agent_words::{JOINTS, MAX_NAMES, is_kind_word, names};
use super::check::LintCheck;
use super::context::{Context, quoted};
use super::finding::{Finding, Fix};
use super::known_name::KnownName;

/// The maximum length of a value that is read as a list, in bytes.
const MAX_BYTES: usize = 1024;

/// Reports a line that names several crawlers. Returns whether it was reported, or would be.
pub(super) fn check(context: &mut Context<'_>, agent: &AgentLine, known: &[(&KnownName, Plain)]) -> bool {
    let value = agent.value.of(context.body());
    let Some(text) = std::str::from_utf8(value).ok().filter(|text| text.len() <= MAX_BYTES) else { return false };
    let is_known = |word: &str| word == "*" || known.iter().any(|(known, _)| is_its_name(known, word));
    let members = members(text, &is_known);
    if members.len() < 2 {
        return false;
    }
    // Names of no known crawler count between such signs alone: other words can be anything.
    let is_plain_list = text.split([',', ';', '|']).all(|part| part.trim() == "*" || is_name(part.trim().as_bytes()));
    let named: Vec<Option<&str>> = members.iter().map(|member| meant(member, known)).collect();
    let sure: Vec<&str> = named.iter().copied().flatten().collect();
    if sure.is_empty() && !is_plain_list {
        return false;
    }
    let Some(check) = context.check(LintCheck::AgentList) else { return true };
    let is_clear = |(named, member): (&Option<&str>, &String)| named.is_some() || is_plain_list && is_token(member);
    let all: Vec<&[u8]> =
        named.iter().zip(&members).map(|(named, member)| named.unwrap_or(member).as_bytes()).collect();
    let with = all.join([context.lines.end_of_line(), b"User-agent: "].concat().as_slice());
    let is_sure = named.iter().zip(&members).all(is_clear) && keeps_names(value, &with, known);
    let message = if is_sure {
        let reads = match agent.token.of(context.body()) {
            b"" => "names nobody".to_owned(),
            token => format!("names {} alone", quoted(token)),
        };
        format!("{} {reads}: write a `User-agent` line for each", quoted(value))
    } else {
        let such = match &sure[..sure.len().min(MAX_NAMES)] {
            [] => String::new(),
            sure => format!(", such as {}", names(sure)),
        };
        format!("{} names one crawler at most: write a `User-agent` line for each{such}", quoted(value))
    };
    let finding = Finding::new(check, agent.line, agent.value, message);
    let fix = Fix::replace("write one line for each agent", agent.value, with);
    context.found.push(if is_sure { finding.fix(fix) } else { finding });
    true
}

/// Reports whether a word is the name of a crawler, perhaps with a version.
fn is_its_name(known: &KnownName, word: &str) -> bool {
    known.token.eq_ignore_ascii_case(word.split('/').next().unwrap_or(word))
}

/// Returns the members of a list, without what stands in brackets after them and without signs around them.
///
/// Between signs that separate, words are members if two of them are known names.
fn members(text: &str, is_known: &dyn Fn(&str) -> bool) -> Vec<String> {
    const SIGNS: [char; 9] = [',', ';', '|', '\u{3001}', '\u{FF0C}', '\u{FF1B}', '\u{2013}', '\u{2014}', '\u{B7}'];
    let mut outside = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for char in text.chars() {
        match char {
            // What is in brackets from the start, or after `AI bots`, is the list.
            '(' if !outside.split_whitespace().all(is_kind_word) => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => outside.push(char),
            _ => {}
        }
    }
    // Ends of lines and signs as other files have them.
    for written in ["<br>", "<br/>", "\\n", "&amp;"] {
        outside = outside.replace(written, ",");
    }
    // Names can have such a sign, as `WeSEE:Search` has: known ones do not.
    for sign in ['=', ':'] {
        if outside.contains(sign) && outside.split(sign).all(|name| is_known(name.trim())) {
            outside = outside.replace(sign, ",");
        }
    }
    let is_sign = |char: char| !char.is_alphanumeric() && !"*-_".contains(char);
    let is_listed = |word: &&&str| is_known(word.trim_matches(is_sign));
    let mut members: Vec<String> = Vec::new();
    for part in outside.split(SIGNS) {
        for words in part.split_whitespace().collect::<Vec<_>>().split(|word| is_joint(word)) {
            // `CCBot AI bots` is one name; `GPT Bot` is one, too.
            let has_known = words.iter().any(|word| is_listed(&word));
            let words: Vec<&str> = words.iter().copied().filter(|word| !has_known || !is_kind_word(word)).collect();
            let parts = if words.iter().filter(is_listed).count() > 1 { 1 } else { words.len().max(1) };
            members.extend(words.chunks(parts).map(|words| words.join(" ").trim_matches(is_sign).to_owned()));
        }
    }
    // The page of a crawler is none.
    members.retain(|member| !member.is_empty() && !member.contains("://"));
    members
}

/// Reports whether a word is between names.
fn is_joint(word: &str) -> bool {
    matches!(word, "&" | "+" | "/" | "-") || JOINTS.iter().any(|joint| joint.eq_ignore_ascii_case(word))
}

/// Returns the name that a member of a list was meant to be: that of a known crawler, or `*`.
fn meant<'n>(member: &'n str, known: &[(&'n KnownName, Plain)]) -> Option<&'n str> {
    if member == "*" {
        return Some(member);
    }
    // As it is written, perhaps with a version.
    if is_name(member.as_bytes()) && known.iter().any(|(known, _)| is_its_name(known, member)) {
        return Some(member);
    }
    let plain = Plain::new(member.split('/').next().unwrap_or(member));
    known.iter().find(|(known, its)| !known.is_retired && its.is_same(&plain)).map(|(known, _)| known.token.as_str())
}

/// Reports whether a member can be a name, and is no word after the last one.
fn is_token(member: &str) -> bool {
    const WORDS: [&str; 4] = ["etc", "others", "usw", "more"];
    is_name(member.as_bytes()) && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(member))
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
            ("GPTBot Foobot CCBot/2.0", &["GPTBot", "Foobot", "CCBot/2.0"]),
            ("Brightbot 1.0, CCBot", &["Brightbot 1.0", "CCBot"]),
            ("GPTBot<br>CCBot", &["GPTBot", "CCBot"]),
            ("GPTBot\u{2013}CCBot", &["GPTBot", "CCBot"]),
            ("GPTBot=CCBot", &["GPTBot", "CCBot"]),
            ("GPTBot : CCBot", &["GPTBot", "CCBot"]),
            ("CCBot:Search", &["CCBot:Search"]),
            ("GPTBot *", &["GPTBot", "*"]),
            ("GPTBot/1.0;+http://h.example/bot.html", &["GPTBot/1.0"]),
            ("GPTBot and CCBot AI bots", &["GPTBot", "CCBot"]),
            ("GPTBot and all other AI bots", &["GPTBot", "all other AI bots"]),
            ("AI bots (GPTBot, CCBot)", &["GPTBot", "CCBot"]),
            ("OpenAI GPTBot", &["OpenAI GPTBot"]),
            ("GPTBot, ,", &["GPTBot"]),
            ("and", &[]),
        ] {
            assert_eq!(
                members(text, &|word| matches!(word.split('/').next(), Some("*" | "GPTBot" | "CCBot"))),
                wanted,
                "{text}"
            );
        }
    }
}
