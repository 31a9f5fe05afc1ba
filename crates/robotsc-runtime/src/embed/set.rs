//! A rule set, compiled.

use core::cmp::Ordering;
use core::fmt;

use super::origin::Closeness;
use super::{Declared, OriginPattern, Places, RuleSource};
use crate::url::{PathForm, PlainUrl, Scheme};
use crate::{Program, Verdict};

/// A compiled rule set. See the [module](crate::embed) for how its rules rank.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    parts: Parts<'a>,
}

/// What a set is made of; written by code generators.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    pub name: &'a str,
    pub description: &'a str,
    pub dialect: &'a str,
    pub form: PathForm,
    pub agent_match: AgentMatch,
    pub origins: &'a [OriginPattern<&'a str>],
    /// Sorted by token.
    pub agents: &'a [Agent<'a>],
    pub groups: &'a [Group<'a>],
    /// The group of all agents that are not in the list.
    pub star: Option<u32>,
    pub declared: Declared<'a>,
    pub places: Places<'a>,
}

/// How a crawler's product token finds its entry, always without regard to case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentMatch {
    /// The tokens are equal.
    Exact,
    /// The longest token of the set that is the crawler's token, or a prefix of it that ends before a `-`.
    LongestPrefixAtHyphen,
    /// The longest token of the set that is a prefix of the crawler's token.
    LongestPrefix,
}

/// An agent that a set names.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Agent<'a> {
    /// Its product token, lower case.
    pub token: &'a str,
    /// The number of its group.
    pub group: u32,
}

/// The rules of some agents.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    pub verdict: Matcher<'a>,
    /// The program that numbers its rules from 1; `None` where the set was compiled without.
    pub winner: Option<Program<'a>>,
    /// How many rules programs reach before those of this group, in the order of the places.
    pub rules_before: u32,
}

/// What a number of no group stands for: generators write none, and nothing is allowed by mistake.
const NO_SUCH_GROUP: Group<'static> =
    Group { verdict: Matcher::Direct(|_| Verdict::Disallow), winner: None, rules_before: 0 };

/// What gives the verdicts of a group.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Matcher<'a> {
    /// A program that is walked.
    Table(Program<'a>),
    /// Code.
    Direct(fn(&[u8]) -> Verdict),
    /// The program that numbers rules: it tells verdicts too, and one of their own would be large.
    Winner,
}

/// The program in bytes that a code generator wrote. Evaluated by the compiler, where bytes that are no program are an error.
///
/// # Panics
/// Where they are not; in a constant that is an error of the build.
#[doc(hidden)]
#[must_use]
pub const fn program(bytes: &[u8]) -> Program<'_> {
    match Program::from_trusted(bytes) {
        Ok(program) => program,
        Err(_) => panic!("not a program of this version of robotsc-runtime: generate the code again"),
    }
}

/// A verdict, and the rule that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetVerdict<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// The rule that decided; `None` where no rule matched, where no line states it (the dialect's own rule for `/robots.txt`), or where the set does not
    /// [name rules](Set::names_rules).
    pub rule: Option<RuleSource<'a>>,
}

/// A URL is not plain: a parser has to normalize it first. See the message for how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPlain;

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the URL is not in plain form: normalize it with a URL parser, for instance with `Dialect::intake` of the \
             crate robotsc, then call `Set::applies_to` with its origin and `Set::verdict` with its path",
        )
    }
}

impl core::error::Error for NotPlain {}

/// Splits a URL that is plain but for a fragment and the scheme's default port. Returns its host as text, too. The path
/// can still hold the fragment.
///
/// Cost: one look at each byte of scheme, host and port, and of the path if there is such a port. Never panics.
pub(super) fn split(url: &[u8]) -> Result<(&str, PlainUrl<'_>), NotPlain> {
    let less_plain = || {
        let url = without_fragment(url);
        PlainUrl::split(url).or_else(|| without_default_port(url))
    };
    let plain = PlainUrl::split(url).or_else(less_plain).ok_or(NotPlain)?;
    Ok((core::str::from_utf8(plain.host).map_err(|_| NotPlain)?, plain))
}

/// Returns what precedes the first `#`.
fn without_fragment(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == b'#').next().unwrap_or_default()
}

/// Splits a plain URL that names its scheme's default port.
fn without_default_port(url: &[u8]) -> Option<PlainUrl<'_>> {
    let start = url.windows(3).position(|three| three == b"://")? + 3;
    let slash = url.iter().skip(start).position(|byte| *byte == b'/');
    let (before, path) = url.split_at_checked(slash.map_or(url.len(), |slash| start + slash))?;
    let colon = before.iter().rposition(|byte| *byte == b':')?;
    let plain = PlainUrl::split(before.get(..colon)?)?;
    let port = match plain.scheme {
        Scheme::Http => &b":80"[..],
        Scheme::Https => b":443",
        Scheme::Ftp => b":21",
    };
    let path = if path.is_empty() { b"/" } else { path };
    (plain.port.is_none() && before.get(colon..) == Some(port)).then_some(PlainUrl { path, ..plain })
}

impl<'a> Set<'a> {
    /// A set of these parts.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_parts(parts: Parts<'a>) -> Self {
        Self { parts }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.parts.name
    }

    /// What it is for.
    #[must_use]
    pub const fn description(&self) -> &'a str {
        self.parts.description
    }

    /// The name of the dialect that its rules are read by.
    #[must_use]
    pub const fn dialect(&self) -> &'a str {
        self.parts.dialect
    }

    /// The form that paths must have: that of the dialect.
    #[must_use]
    pub const fn path_form(&self) -> PathForm {
        self.parts.form
    }

    /// Whether an agent may fetch a path (with parameters and query, in the dialect's form).
    ///
    /// Who asks often for one agent keeps its [`Rules`].
    #[must_use]
    #[inline]
    pub fn is_allowed(&self, agent: &str, path: &[u8]) -> bool {
        self.rules_for(agent).is_allowed(path)
    }

    /// The verdict for a path, and the rule that decides.
    #[must_use]
    pub fn verdict(&self, agent: &str, path: &[u8]) -> SetVerdict<'_> {
        self.rules_for(agent).verdict(path)
    }

    /// Returns the verdict for a URL, or `None` if the set [does not apply](Set::applies_to) to its origin. A fragment
    /// and the default port of the scheme are left out.
    ///
    /// # Errors
    /// [`NotPlain`] if the rest of the URL, as it is written, is not in the form that the dialect compares.
    pub fn verdict_url(&self, agent: &str, url: &[u8]) -> Result<Option<SetVerdict<'_>>, NotPlain> {
        let (host, mut plain) = split(url)?;
        if !plain.path_is_plain(self.parts.form) {
            // Few URLs have a fragment, so the first look is at the URL as it is.
            plain.path = without_fragment(plain.path);
            if !plain.path_is_plain(self.parts.form) {
                return Err(NotPlain);
            }
        }
        let applies = self.applies_to(plain.scheme, host, plain.port);
        Ok(applies.then(|| self.verdict(agent, plain.path)))
    }

    /// The rules that an agent obeys, found as the dialect says: those of its own token, else those for all agents.
    ///
    /// Cost: a binary search; under dialects that look for prefixes one for each prefix. Never panics.
    #[must_use]
    pub fn rules_for(&self, agent: &str) -> Rules<'_> {
        let group = self.group_of(agent.as_bytes()).or(self.parts.star);
        Rules {
            declared: &self.parts.declared,
            group: group.map(|group| self.parts.groups.get(group as usize).unwrap_or(&NO_SUCH_GROUP)),
            places: self.parts.places,
        }
    }

    /// The group of the agent's own token.
    fn group_of(&self, agent: &[u8]) -> Option<u32> {
        let mut length = agent.len();
        while length > 0 {
            let may_end = match self.parts.agent_match {
                AgentMatch::Exact | AgentMatch::LongestPrefix => true,
                AgentMatch::LongestPrefixAtHyphen => agent.get(length).is_none_or(|octet| *octet == b'-'),
            };
            if may_end {
                let token = agent.get(..length)?;
                let found = self.parts.agents.binary_search_by(|agent| compare(agent.token.as_bytes(), token));
                if let Ok(found) = found {
                    return self.parts.agents.get(found).map(|agent| agent.group);
                }
            }
            if self.parts.agent_match == AgentMatch::Exact {
                return None;
            }
            length -= 1;
        }
        None
    }

    /// The product tokens that the set names, lower case, sorted; `*` is not among them.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        self.parts.agents.iter().map(|agent| agent.token)
    }

    /// Whether the set has rules for agents that it does not name.
    #[must_use]
    pub const fn has_star(&self) -> bool {
        self.parts.star.is_some()
    }

    /// Whether the rule that decides is known: not in a set that was compiled for verdicts alone.
    #[must_use]
    pub fn names_rules(&self) -> bool {
        !self.parts.places.is_empty()
    }

    /// The rules as written, with their places; none where the set does not [name rules](Set::names_rules).
    #[must_use]
    pub const fn places(&self) -> Places<'a> {
        self.parts.places
    }

    /// Where the set applies.
    #[must_use]
    pub const fn origins(&self) -> &'a [OriginPattern<&'a str>] {
        self.parts.origins
    }

    /// Whether the set applies to an origin: its scheme, its host in canonical form, its port (`None`: the scheme's own).
    #[must_use]
    pub fn applies_to(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        self.parts.origins.iter().any(|origin| origin.covers(scheme, host, port))
    }

    /// How closely the closest of its origins fits.
    pub(crate) fn closeness(&self, scheme: Scheme, host: &str, port: Option<u16>) -> Option<Closeness> {
        self.parts.origins.iter().filter_map(|origin| origin.closeness(scheme, host, port)).max()
    }
}

/// The rules that one agent obeys in one set. A few words, copied freely.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'s> {
    declared: &'s Declared<'s>,
    group: Option<&'s Group<'s>>,
    places: Places<'s>,
}

impl<'s> Rules<'s> {
    /// Whether a path (with parameters and query, in the dialect's form) may be fetched.
    ///
    /// Cost: linear in the path. No allocation. Never panics.
    #[must_use]
    #[inline]
    pub fn is_allowed(&self, path: &[u8]) -> bool {
        if !self.declared.is_empty()
            && let Some((verdict, _)) = self.declared.decide(path)
        {
            return verdict.is_allow();
        }
        self.group_verdict(path).is_allow()
    }

    /// What the groups say, whatever the declared rules do.
    #[inline]
    fn group_verdict(&self, path: &[u8]) -> Verdict {
        // One call for both programs: the walk is long where it is inlined.
        let program = match self.group {
            Some(Group { verdict: Matcher::Table(program), .. }) => program,
            Some(Group { verdict: Matcher::Direct(verdict), .. }) => return verdict(path),
            Some(Group { verdict: Matcher::Winner, winner: Some(program), .. }) => program,
            Some(Group { verdict: Matcher::Winner, winner: None, .. }) => return Verdict::Disallow,
            None => return Verdict::Allow,
        };
        program.verdict(path)
    }

    /// The verdict for a path, and the rule that decides.
    ///
    /// Cost: linear in the path. No allocation. Never panics.
    #[must_use]
    pub fn verdict(&self, path: &[u8]) -> SetVerdict<'s> {
        if let Some((verdict, place)) = self.declared.decide(path) {
            return SetVerdict { verdict, rule: self.places.get(place) };
        }
        match self.group {
            Some(Group { winner: Some(program), rules_before, .. }) => {
                let (verdict, number) = program.numbered(path);
                let reached = number.checked_sub(1).and_then(|number| number.checked_add(*rules_before));
                SetVerdict { verdict, rule: reached.and_then(|number| self.places.reached(number)) }
            }
            _ => SetVerdict { verdict: self.group_verdict(path), rule: None },
        }
    }
}

/// Compares a lower-case token with one in any case.
fn compare(known: &[u8], token: &[u8]) -> Ordering {
    known.iter().copied().cmp(token.iter().map(u8::to_ascii_lowercase))
}
