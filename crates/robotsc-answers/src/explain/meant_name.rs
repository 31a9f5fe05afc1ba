//! The name that a `User-agent` value was perhaps meant to have, for one crawler.
//!
//! ```text
//! value                                     asked for     meant
//! GPT Bot                                   GPTBot        GPTBot
//! GPTBot, CCBot                             CCBot         CCBot
//! Mozilla/5.0 (compatible; FooBot/1.0)      FooBot        FooBot
//! OpenAI                                    GPTBot        GPTBot
//! anthropic-ai                              ClaudeBot     ClaudeBot
//! all                                       FooBot        *
//! ```

use robotsc::Crawler;
use robotsc_analysis::lint::{Whom, excepted, whom};
use robotsc_analysis::near_name::is_near;

use crate::lint::KNOWN;

/// Returns one of the names of a crawler, or `*`, if a value that names neither can be meant for it: a name that is
/// nearly its own, its name among others or within signs, or a word for who runs it or for all.
pub(super) fn meant_name(value: &[u8], crawler: &Crawler) -> Option<String> {
    let text = String::from_utf8_lossy(value);
    if excepted(&text).is_some() {
        return None;
    }
    let names: Vec<String> =
        crawler.names().map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned()).collect();
    let find = |is_meant: &dyn Fn(&str) -> bool| names.iter().find(|name| is_meant(name)).cloned();
    if let Some(name) = find(&|name| is_near(name, &text)) {
        return Some(name);
    }
    // A name that nobody has any more is that of its successors.
    let retired = KNOWN.iter().find(|known| known.is_retired && known.token.eq_ignore_ascii_case(&text));
    let took_over =
        |name: &str| retired.is_some_and(|known| known.successors.iter().any(|new| new.eq_ignore_ascii_case(name)));
    if let Some(name) = find(&took_over) {
        return Some(name);
    }
    if text.len() > 1 && text.bytes().all(|byte| byte == b'*') {
        return Some("*".to_owned());
    }
    let is_of_name = |char: char| char.is_ascii_alphanumeric() || "-_.*".contains(char);
    let words = || text.split(|char| !is_of_name(char)).map(|word| word.trim_matches('.'));
    let is_word = |name: &str| words().any(|word| word.eq_ignore_ascii_case(name));
    // `Googlebot-*` was meant for all whose names begin so.
    let starts = |name: &str| {
        let start = text.strip_suffix('*').filter(|start| start.len() > 1);
        let head = start.and_then(|start| Some((start, name.get(..start.len())?)));
        head.is_some_and(|(start, head)| head.eq_ignore_ascii_case(start))
    };
    if let Some(name) = find(&is_word).or_else(|| find(&starts)) {
        return Some(name);
    }
    let inner = text.trim_matches(|char: char| !char.is_alphanumeric());
    let whom = whom(inner, &KNOWN);
    match whom {
        _ if is_word("*") => Some("*".to_owned()),
        Some(Whom::All) => Some("*".to_owned()),
        Some(Whom::Crawlers(known) | Whom::Kind(known)) => {
            find(&|name| known.iter().any(|known| known.eq_ignore_ascii_case(name)))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_were_meant() {
        for (value, agent, wanted) in [
            ("GPT Bot", "GPTBot", Some("GPTBot")),
            ("GPTBot, CCBot", "CCBot", Some("CCBot")),
            ("GPTBot CCBot", "CCBot", Some("CCBot")),
            ("GPTBot/1.0; CCBot/2.0", "CCBot", Some("CCBot")),
            ("all", "FooBot", Some("*")),
            ("all bots", "FooBot", Some("*")),
            ("\"*\"", "FooBot", Some("*")),
            ("*, GPTBot", "FooBot", Some("*")),
            ("\"FooBot\"", "FooBot", Some("FooBot")),
            ("<FooBot>", "FooBot", Some("FooBot")),
            ("\u{201C}FooBot\u{201D}", "FooBot", Some("FooBot")),
            ("\u{200B}FooBot", "FooBot", Some("FooBot")),
            ("FooBot.", "FooBot", Some("FooBot")),
            ("Mozilla/5.0 (compatible; FooBot/1.0)", "FooBot", Some("FooBot")),
            ("OpenAI", "GPTBot", Some("GPTBot")),
            ("ChatGPT", "GPTBot", Some("GPTBot")),
            ("\"OpenAI\"", "GPTBot", Some("GPTBot")),
            ("Common Crawl", "CCBot", Some("CCBot")),
            ("CC*", "CCBot", Some("CCBot")),
            ("anthropic-ai", "ClaudeBot", Some("ClaudeBot")),
            ("Claude-Web", "ClaudeBot", Some("ClaudeBot")),
            ("anthropic-ai", "GPTBot", None),
            ("**", "FooBot", Some("*")),
            // Of others, of another crawler whose name begins so, and what excepts it.
            ("GPTBot, CCBot", "FooBot", None),
            ("OpenAI", "CCBot", None),
            ("Googlebot-Image", "Googlebot", None),
            ("FooBotter", "FooBot", None),
            ("!FooBot", "FooBot", None),
            ("not FooBot", "FooBot", None),
            ("CC*", "FooBot", None),
            ("", "FooBot", None),
        ] {
            let found = meant_name(value.as_bytes(), &Crawler::new(agent).unwrap());
            assert_eq!(found.as_deref(), wanted, "{value} {agent}");
        }
    }
}
