//! A rule set, compiled.

use core::fmt;

use super::origin::Closeness;
use super::{Declared, OriginPattern, Places, RuleSource};
use crate::agent::{look_up, name_of_key};
use crate::url::{PlainUrl, Scheme};
use crate::{AgentMatch, AgentName, PathForm, PathFormError, Program, UrlPath, Verdict};

/// A compiled rule set. See the [module](crate::embed) for how its rules rank.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    parts: Parts<'a>,
}

/// The parts of a set; written by code generators.
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
    pub agents: &'a [NamedAgent<'a>],
    pub groups: &'a [AgentGroup<'a>],
    /// The group of all agents that are not in the list.
    pub star: Option<u32>,
    pub declared: Declared<'a>,
    pub places: Places<'a>,
}

/// An agent that a set names.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct NamedAgent<'a> {
    /// Its key, as an index of names has it: a product token in lower case, or a name after a `/`.
    pub token: &'a str,
    /// The number of its group.
    pub group: u32,
}

/// The rules of some agents.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AgentGroup<'a> {
    /// The program of verdicts, or `None` if the other one decides them too: one of its own would be large.
    pub verdict: Option<Program<'a>>,
    /// The program that numbers its rules from 1, or `None` if the set was compiled without it.
    pub deciding_rule: Option<Program<'a>>,
    /// The number of rules that the programs of earlier groups reach, in the order of the places.
    pub rules_before: u32,
}

/// The group of a number that has none. Generators write no such number; it disallows everything.
const NO_SUCH_GROUP: AgentGroup<'static> = AgentGroup { verdict: None, deciding_rule: None, rules_before: 0 };

/// Returns the program in bytes that a code generator wrote.
///
/// # Panics
/// If the bytes are not a program. In a constant, that is a build error.
#[doc(hidden)]
#[must_use]
pub const fn program(bytes: &[u8]) -> Program<'_> {
    match Program::from_trusted(bytes) {
        Ok(program) => program,
        Err(_) => panic!("not a program of this version of robotsc-runtime: generate the code again"),
    }
}

/// A verdict, and the rule that decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetVerdict<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// The rule that decided. `None` if no rule matched, if no line states it (the dialect's own rule for
    /// `/robots.txt`), or if the set does not [name rules](Set::names_rules).
    pub rule: Option<RuleSource<'a>>,
}

/// Reports that a URL is not plain: a URL parser has to normalize it first. The message says how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPlain;

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the URL is not in plain form: normalize its path with `robotsc::url::url_path(url, set.path_form())`, \
             check its origin with `Set::applies_to`, and call `Set::verdict` with the path",
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
    /// Returns a set of these parts.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_parts(parts: Parts<'a>) -> Self {
        Self { parts }
    }

    /// Returns the name of the set.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.parts.name
    }

    /// Returns the description of the set.
    #[must_use]
    pub const fn description(&self) -> &'a str {
        self.parts.description
    }

    /// Returns the name of the dialect of its rules.
    #[must_use]
    pub const fn dialect(&self) -> &'a str {
        self.parts.dialect
    }

    /// Returns the form that paths must have: that of the dialect.
    #[must_use]
    pub const fn path_form(&self) -> PathForm {
        self.parts.form
    }

    /// Reports whether an agent may fetch a path. To ask often for one agent, keep its [`Rules`].
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than [`path_form`](Self::path_form).
    #[inline]
    pub fn is_allowed(&self, agent: AgentName<'_>, path: UrlPath<'_>) -> Result<bool, PathFormError> {
        self.rules_for(agent).is_allowed(path)
    }

    /// Returns the verdict for a path, and the rule that decides.
    ///
    /// # Errors
    /// As [`Set::is_allowed`].
    pub fn verdict(&self, agent: AgentName<'_>, path: UrlPath<'_>) -> Result<SetVerdict<'_>, PathFormError> {
        self.rules_for(agent).verdict(path)
    }

    /// Returns the verdict for a URL, or `None` if the set [does not apply](Set::applies_to) to its origin. A fragment
    /// and the default port of the scheme are left out.
    ///
    /// # Errors
    /// [`NotPlain`] if the rest of the URL, as it is written, is not in the form that the dialect compares.
    pub fn verdict_url(&self, agent: AgentName<'_>, url: &[u8]) -> Result<Option<SetVerdict<'_>>, NotPlain> {
        let (host, mut plain) = split(url)?;
        let path = match plain.normalized_path(self.parts.form) {
            Some(path) => path,
            None => {
                // Few URLs have a fragment, so the URL is tried as it stands first.
                plain.path = without_fragment(plain.path);
                plain.normalized_path(self.parts.form).ok_or(NotPlain)?
            }
        };
        if !self.applies_to(plain.scheme, host, plain.port) {
            return Ok(None);
        }
        self.verdict(agent, path).map(Some).map_err(|_| NotPlain)
    }

    /// Returns the rules that an agent obeys, found as the dialect says: those of its own name, else those for all
    /// agents.
    ///
    /// Cost: a binary search; under dialects that look for prefixes one for each prefix. Never panics.
    #[must_use]
    pub fn rules_for(&self, agent: AgentName<'_>) -> Rules<'_> {
        let group = self.group_of(agent);
        self.rules_of_group(group.or(self.parts.star))
    }

    /// Reports whether the set has rules for an agent by its name.
    #[must_use]
    pub fn names(&self, agent: AgentName<'_>) -> bool {
        self.group_of(agent).is_some()
    }

    fn group_of(&self, agent: AgentName<'_>) -> Option<u32> {
        look_up(agent, self.parts.agent_match, |key| {
            let found = self.parts.agents.binary_search_by(|agent| key.compare_with(agent.token.as_bytes()));
            self.parts.agents.get(found.ok()?).map(|agent| agent.group)
        })
    }

    /// Returns the rules for agents that the set does not name.
    #[must_use]
    pub fn rules_for_others(&self) -> Rules<'_> {
        self.rules_of_group(self.parts.star)
    }

    fn rules_of_group(&self, group: Option<u32>) -> Rules<'_> {
        Rules {
            declared: &self.parts.declared,
            form: self.parts.form,
            group: group.map(|group| self.parts.groups.get(group as usize).unwrap_or(&NO_SUCH_GROUP)),
            places: self.parts.places,
        }
    }

    /// Returns the names of agents that the set has rules for, lower case; `*` is not among them.
    pub fn agents(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let keys = self.parts.agents.iter().map(|agent| agent.token);
        keys.filter_map(|key| core::str::from_utf8(name_of_key(key.as_bytes())?).ok())
    }

    /// Reports whether the set has rules for agents that it does not name.
    #[must_use]
    pub const fn has_star(&self) -> bool {
        self.parts.star.is_some()
    }

    /// Reports whether verdicts name the rule that decided: not if the set was compiled for verdicts alone.
    #[must_use]
    pub fn names_rules(&self) -> bool {
        !self.parts.places.is_empty()
    }

    /// Returns the rules as written, with their places: none if the set does not [name rules](Set::names_rules).
    #[must_use]
    pub const fn places(&self) -> Places<'a> {
        self.parts.places
    }

    /// Returns the origins that the set applies to.
    #[must_use]
    pub const fn origins(&self) -> &'a [OriginPattern<&'a str>] {
        self.parts.origins
    }

    /// Reports whether the set applies to an origin: its scheme, its host in canonical form, its port (`None`: the
    /// scheme's own).
    #[must_use]
    pub fn applies_to(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        self.parts.origins.iter().any(|origin| origin.covers(scheme, host, port))
    }

    /// Returns how closely the closest of its origins fits.
    pub(crate) fn closeness(&self, scheme: Scheme, host: &str, port: Option<u16>) -> Option<Closeness> {
        self.parts.origins.iter().filter_map(|origin| origin.closeness(scheme, host, port)).max()
    }
}

/// The rules that one agent obeys in one set. A few words, copied freely.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'s> {
    declared: &'s Declared<'s>,
    form: PathForm,
    group: Option<&'s AgentGroup<'s>>,
    places: Places<'s>,
}

impl<'s> Rules<'s> {
    /// Reports whether a path may be fetched.
    ///
    /// Cost: linear in the path. No allocation. Never panics.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the set's.
    #[inline]
    pub fn is_allowed(&self, path: UrlPath<'_>) -> Result<bool, PathFormError> {
        path.in_form(self.form)?;
        if !self.declared.is_empty()
            && let Some((verdict, _)) = self.declared.decide(path)?
        {
            return Ok(verdict.is_allow());
        }
        Ok(self.group_verdict(path)?.is_allow())
    }

    /// Returns the verdict of the groups, without the declared rules.
    #[inline]
    fn group_verdict(&self, path: UrlPath<'_>) -> Result<Verdict, PathFormError> {
        // One call for both programs, since inlining the walk twice would be long.
        let Some(group) = self.group else { return Ok(Verdict::Allow) };
        match group.verdict.or(group.deciding_rule) {
            Some(program) => program.verdict(path),
            None => Ok(Verdict::Disallow),
        }
    }

    /// Returns the verdict for a path, and the rule that decides.
    ///
    /// Cost: linear in the path. No allocation. Never panics.
    ///
    /// # Errors
    /// As [`Rules::is_allowed`].
    pub fn verdict(&self, path: UrlPath<'_>) -> Result<SetVerdict<'s>, PathFormError> {
        path.in_form(self.form)?;
        if let Some((verdict, place)) = self.declared.decide(path)? {
            return Ok(SetVerdict { verdict, rule: self.places.get(place) });
        }
        Ok(match self.group {
            Some(AgentGroup { deciding_rule: Some(program), rules_before, .. }) => {
                let rank = program.rank(path)?;
                let reached = rank.number().checked_sub(1).and_then(|number| number.checked_add(*rules_before));
                let rule = reached.and_then(|number| self.places.reached(number));
                SetVerdict { verdict: rank.verdict(), rule }
            }
            _ => SetVerdict { verdict: self.group_verdict(path)?, rule: None },
        })
    }
}
