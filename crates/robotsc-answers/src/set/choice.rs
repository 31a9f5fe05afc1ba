//! Which crawlers a policy is about.
//!
//! ```text
//! --deny ai-training --allow search              Amazonbot is for both: it is denied, and a note names it
//! --deny ai-training --allow search,Amazonbot    Amazonbot is allowed
//! ```
//!
//! A name decides before an operator, and an operator before a purpose.

use std::collections::BTreeMap;

use robotsc::bundled::{self, KnownAgent, Obedience, Purpose};
use robotsc::{AgentName, Crawler};
use robotsc_analysis::lint::{Whom, whom};
use robotsc_analysis::near_name::is_near;
use robotsc_analysis::words::listed;

use super::declaration::Declaration;
use super::pattern::matches_all;
use crate::chosen_agent::ChosenAgent;
use crate::identity::OTHERS;
use crate::known_agent::{doubt, meant_by};
use crate::lint::KNOWN;
use crate::mistake::Mistake;
use crate::shown;

/// A crawler that a policy is about.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name, as its operator writes it if it is known.
    pub name: String,
    /// Its entry in the register, if it has one.
    pub known: Option<&'static KnownAgent>,
    /// How it finds its groups.
    pub(super) crawler: Crawler,
    /// The purpose or the operator that it is allowed by, as the policy writes it; `None` if by its name.
    pub(super) allowed_by: Option<String>,
}

impl Member {
    /// Reports whether the crawler has a name, whatever the case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns the crawler by its name alone.
    pub(super) fn alone(&self) -> Option<Crawler> {
        AgentName::new(&self.name).ok().map(Crawler::from)
    }
}

/// The crawlers that a policy is about, each list sorted by name.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Those that are denied.
    pub denied: Vec<Member>,
    /// Those that are allowed.
    pub allowed: Vec<Member>,
    /// Those that would be denied by their purpose, and ignore robots.txt: a group for them changes nothing.
    pub deaf: Vec<Member>,
    /// Those of the denied that are for an allowed purpose, too.
    pub of_both: Vec<Member>,
    /// The purposes that are allowed.
    pub(super) purposes: Vec<Purpose>,
    /// Whether a path that is for nobody matches every path.
    pub(super) is_closed: bool,
}

/// How a crawler was named, the most exact first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Name,
    Operator,
    Purpose,
}

/// What a policy says of a crawler: how it is denied and how it is allowed, and the texts that say so.
type Said = [Option<(By, String)>; 2];

impl Choice {
    /// Finds the crawlers of a policy in the register.
    ///
    /// # Errors
    /// If a text names nobody, or a crawler or an operator is denied and allowed.
    pub fn of(declaration: &Declaration) -> Result<Self, Mistake> {
        let purpose = |text: &String| text.strip_prefix("purpose:").unwrap_or(text).parse::<Purpose>().ok();
        for text in &declaration.deny {
            let both =
                purpose(text).filter(|denied| declaration.allow.iter().any(|text| purpose(text) == Some(*denied)));
            if let Some(both) = both {
                return Err(Mistake::new("denied and allowed", format_args!("{}: leave one out", both.name())));
            }
        }
        let mut members: BTreeMap<String, (Member, Said)> = BTreeMap::new();
        for (side, texts) in [&declaration.deny, &declaration.allow].into_iter().enumerate() {
            for text in texts {
                let (by, agents) = agents(text)?;
                for agent in agents {
                    let known = bundled::agent(&agent.name);
                    let member = Member { known, name: agent.name, crawler: agent.crawler, allowed_by: None };
                    let (_, said) = members
                        .entry(member.name.to_ascii_lowercase())
                        .or_insert_with(|| (member, [const { None }; 2]));
                    if said[side].as_ref().is_none_or(|(known, _)| by < *known) {
                        said[side] = Some((by, text.clone()));
                    }
                }
            }
        }
        let purposes = declaration.allow.iter().filter_map(purpose).collect();
        let is_closed = declaration.disallow.iter().any(|path| matches_all(path.as_bytes()));
        let mut choice = Self { purposes, is_closed, ..Self::default() };
        let mut both = Vec::new();
        for (mut member, said) in members.into_values() {
            let is_ignored = member.known.is_some_and(|known| known.robots == Obedience::Ignored);
            match said {
                [Some((By::Purpose, _)), Some((By::Purpose, _))] => {
                    choice.of_both.push(member.clone());
                    choice.denied.push(member);
                }
                [Some((denied, by_deny)), Some((allowed, by_allow))] if denied == allowed => {
                    both.push((member.name, by_deny, by_allow));
                }
                [Some((By::Operator | By::Purpose, _)), None] if is_ignored => choice.deaf.push(member),
                [None, Some((By::Operator | By::Purpose, _))] if is_ignored => {}
                [Some((denied, _)), allowed] if allowed.as_ref().is_none_or(|(allowed, _)| denied < *allowed) => {
                    choice.denied.push(member);
                }
                [_, allowed] => {
                    member.allowed_by = allowed.filter(|(by, _)| *by != By::Name).map(|(_, text)| text);
                    choice.allowed.push(member);
                }
            }
        }
        match both.first() {
            None => Ok(choice),
            Some((_, by_deny, by_allow)) => {
                let names: Vec<&str> = both.iter().map(|(name, ..)| name.as_str()).collect();
                Err(Mistake::new(
                    "denied and allowed",
                    format_args!("{}: {by_deny} is denied, {by_allow} is allowed: leave one out", names.join(", ")),
                ))
            }
        }
    }

    /// Reports whether a name is that of a crawler that is denied.
    pub(super) fn is_denied(&self, name: &str) -> bool {
        self.denied.iter().any(|member| member.is(name))
    }

    /// Reports whether a name is that of a crawler that is allowed.
    pub(super) fn is_allowed(&self, name: &str) -> bool {
        self.allowed.iter().any(|member| member.is(name))
    }
}

/// Returns the crawlers that a text stands for, and how it names them.
fn agents(text: &str) -> Result<(By, Vec<ChosenAgent>), Mistake> {
    if text == OTHERS {
        let cause = "'*': it stands for all crawlers that no group names: write rules for them outside the block";
        return Err(Mistake::new("bad agent", cause));
    }
    let by = if text.starts_with("operator:") { By::Operator } else { By::Purpose };
    if text.starts_with("operator:") || text.starts_with("purpose:") {
        return Ok((by, ChosenAgent::of(text, false)?));
    }
    if text.parse::<Purpose>().is_ok() {
        return Ok((by, ChosenAgent::of(&format!("purpose:{text}"), false)?));
    }
    match meant(text) {
        Some(meant) => Err(Mistake::new(
            "bad agent",
            format_args!("'{}': no known crawler and no purpose has this name: {meant}", shown::line(text)),
        )),
        None => Ok((By::Name, ChosenAgent::of(text, false)?)),
    }
}

/// Returns who was meant by a text that is no purpose, as a clause; `None` if it is known, or like nothing that is.
fn meant(text: &str) -> Option<String> {
    if KNOWN.iter().any(|known| known.token.eq_ignore_ascii_case(text)) {
        return None;
    }
    let is_like = |purpose: &Purpose| {
        let name = purpose.name();
        is_near(name, text)
            || name.eq_ignore_ascii_case(text)
            || name.split('-').any(|word| word.eq_ignore_ascii_case(text))
    };
    if let Some(purpose) = Purpose::ALL.into_iter().find(is_like) {
        return Some(format!("is {} meant?", purpose.name()));
    }
    if ["nobody", "none", "nothing", "no"].iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Some("leave the option out".to_owned());
    }
    if ["scraper", "scrapers"].iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Some("'robotsc agents' lists names and purposes".to_owned());
    }
    if let Some(purpose) = purpose_in(text) {
        return Some(format!("is {} meant?", purpose.name()));
    }
    let operator = bundled::agents().iter().map(|agent| agent.operator).find(|name| name.eq_ignore_ascii_case(text));
    match whom(text, &KNOWN) {
        Some(Whom::All) => return Some("for all crawlers, write rules for `*` outside the block".to_owned()),
        Some(Whom::Kind(names)) => return Some(kind(&names)),
        // The operator may have one more.
        Some(Whom::Crawlers(_)) if operator.is_none() && is_new_name(text) => return None,
        _ => {}
    }
    // `common-crawl` and `Google*` are other spellings of a word for crawlers.
    let plain = text.replace(['-', '_', '*'], "");
    match (doubt(text), operator) {
        (None, None) if plain != text => meant(&plain).filter(|_| !is_new_name(text)),
        (doubt, Some(operator)) => {
            let doubt = doubt.map_or_else(String::new, |doubt| {
                let joint = if doubt.ends_with('?') { " " } else { ", " };
                format!("{doubt}{joint}")
            });
            Some(format!("{doubt}'operator:{operator}' stands for all that it runs"))
        }
        (doubt, None) => doubt,
    }
}

/// Returns the purpose of which a text has the first word before one for crawlers: `searchengines`.
fn purpose_in(text: &str) -> Option<Purpose> {
    const CRAWLERS: [&str; 6] = ["engines", "engine", "bots", "crawlers", "spiders", "scrapers"];
    let lower = text.to_ascii_lowercase();
    let word = CRAWLERS.iter().find_map(|crawlers| lower.strip_suffix(crawlers))?;
    let word = word.trim_end_matches(['-', '_']);
    Purpose::ALL.into_iter().find(|purpose| purpose.name().split('-').next() == Some(word))
}

/// Returns the purpose of a kind of crawlers, as a clause.
fn kind(examples: &[&str]) -> String {
    let is_for = |purpose: &Purpose| {
        examples.iter().all(|name| bundled::agent(name).is_some_and(|known| known.purposes.contains(purpose)))
    };
    match Purpose::ALL.into_iter().find(is_for) {
        Some(purpose) => format!("is {} meant?", purpose.name()),
        None => format!("crawlers of this kind are {}", listed(examples)),
    }
}

/// Reports whether a text can be the name of a crawler that the register does not have, and is no slip in one that it
/// has.
fn is_new_name(text: &str) -> bool {
    text.to_ascii_lowercase().ends_with("bot") && meant_by(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(deny: &[&str], allow: &[&str]) -> Result<Choice, Mistake> {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Choice::of(&Declaration { deny: texts(deny), allow: texts(allow), ..Declaration::default() })
    }

    #[test]
    fn the_more_exact_name_decides() {
        let error = choice(&["GPTBot"], &["gptbot", "search"]).unwrap_err().to_string();
        assert_eq!(error, "denied and allowed: GPTBot: GPTBot is denied, gptbot is allowed: leave one out");
        let error = choice(&["ai-training", "search"], &["purpose:search"]).unwrap_err().to_string();
        assert_eq!(error, "denied and allowed: search: leave one out");
        let choice_of = |deny: &[&str], allow: &[&str]| choice(deny, allow).expect("a choice");
        // Of one that is for both, the stricter counts.
        let decided = choice_of(&["ai-training"], &["search"]);
        assert!(decided.is_denied("Amazonbot") && !decided.is_allowed("Amazonbot"));
        assert_eq!(decided.of_both.iter().map(|member| &*member.name).collect::<Vec<_>>(), ["Amazonbot", "Timpibot"]);
        let decided = choice_of(&["ai-training", "Amazonbot"], &["search", "timpibot"]);
        assert!(decided.is_denied("amazonbot") && decided.is_allowed("Timpibot"));
        assert!(decided.is_denied("GPTBot") && decided.is_allowed("Googlebot"));
        let decided = choice_of(&["ai-training"], &["operator:OpenAI"]);
        assert!(decided.is_allowed("GPTBot") && decided.is_denied("ClaudeBot"));
        assert_eq!(choice_of(&["FooBot"], &[]).denied[0].name, "FooBot");
    }

    #[test]
    fn who_ignores_the_file_is_not_written() {
        let decided = choice(&["user-triggered"], &[]).expect("a choice");
        assert!(decided.deaf.iter().any(|member| member.name == "FeedFetcher-Google"));
        assert!(!decided.is_denied("FeedFetcher-Google") && decided.is_denied("ChatGPT-User"));
        assert!(choice(&["FeedFetcher-Google"], &[]).expect("a choice").is_denied("FeedFetcher-Google"));
    }

    #[test]
    fn misspelt_names_are_no_names() {
        for (text, meant) in
            [("training", "is ai-training meant?"), ("GPTBott", "is GPTBot meant?"), ("*", "all crawlers")]
        {
            let error = choice(&[text], &[]).unwrap_err().to_string();
            assert!(error.contains(meant), "{error}");
        }
        for text in ["ai-trainig", "AI-Training", "ai_training"] {
            let error = choice(&[text], &[]).unwrap_err().to_string();
            assert!(error.ends_with("has this name: is ai-training meant?"), "{error}");
        }
        for (text, meant) in [
            ("SEO", "is seo meant?"),
            ("AI", "is ai-training meant?"),
            ("LLM", "has this name: is ai-training meant?"),
            ("ai-bots", "has this name: is ai-training meant?"),
            ("AI_Bot", "has this name: is ai-training meant?"),
            ("search-engines", "has this name: is search meant?"),
            ("searchengines", "has this name: is search meant?"),
            ("SearchBots", "has this name: is search meant?"),
            ("ai-scrapers", "has this name: is ai-training meant?"),
            ("scrapers", "'robotsc agents' lists names and purposes"),
            ("nobody", "has this name: leave the option out"),
            ("Google*", "'operator:Google' stands for all that it runs"),
            ("Gogglebot", "is Googlebot meant?"),
            ("Claude-bot", "is ClaudeBot meant?"),
            ("Claude", "is ClaudeBot meant?"),
            ("chatgpt", "its crawlers are GPTBot, ChatGPT-User and OAI-SearchBot"),
            ("Anthropic", "'operator:Anthropic' stands for all that it runs"),
            ("openai", "'operator:OpenAI' stands for all that it runs"),
            ("all", "for all crawlers, write rules for `*` outside the block"),
            ("bots", "for all crawlers, write rules for `*` outside the block"),
        ] {
            for error in [choice(&[text], &[]), choice(&[], &[text])].map(Result::unwrap_err) {
                assert!(error.to_string().ends_with(meant), "{error}");
            }
        }
        let error = choice(&["common-crawl"], &[]).unwrap_err().to_string();
        assert_eq!(
            Some(&*error),
            choice(&["commoncrawl"], &[])
                .err()
                .map(|error| error.to_string().replace("'commoncrawl'", "'common-crawl'"))
                .as_deref()
        );
        for (text, wanted) in [
            (
                "operator:Open AI",
                "bad operator: 'Open AI': no known crawler is of that company: is 'operator:OpenAI' meant?",
            ),
            (
                "https://openai.com/gptbot",
                "such as 'FooBot', and 'robotsc agents --header' lists the tokens of a User-Agent header",
            ),
        ] {
            let error = choice(&[text], &[]).unwrap_err().to_string();
            assert!(error.ends_with(wanted), "{error}");
        }
        for name in ["Foo-Bot", "search-bot-x", "FooBot", "Yandex", "Slurp", "CCBot", "Slackbot", "OpenAIBot"] {
            assert!(choice(&[name], &[]).is_ok(), "{name}");
        }
    }
}
