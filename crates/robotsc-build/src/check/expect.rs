//! Whether the expectations of a set hold.

use robotsc_compiler::{AgentName, RuleSet, Verdict};
use robotsc_runtime::name_of_key;

use crate::check::reference_matcher::{ReferenceMatcher, SetDecision, named_agent};
use crate::diagnostic::{Code, Diagnostic, MAX_MEANT, SourceSpan, listed, meant, quoted};
use crate::limits::BuildLimits;
use crate::lower::origin::UrlOrigin;
use crate::model::{DeclaredSet, Test};
use crate::normalize;
use crate::read::known_names::KnownNames;
use crate::read::locate::Node;
use crate::read::schema::Expectation;
use crate::read::written::WrittenSet;

/// Asks the reference matcher all expectations of a set; `spots` are where the rules of its places stand.
pub(crate) fn check(
    written: &WrittenSet<'_>,
    set: &DeclaredSet,
    spots: &[SourceSpan],
    known_names: &KnownNames,
    limits: &BuildLimits,
    found: &mut Vec<Diagnostic>,
) {
    let node = written.node.field("expect");
    if let Some(over) = written.set.expect.get(limits.max_expectations).map(|_| node.item(limits.max_expectations)) {
        let message =
            format!("{} expectations, and the limit is {}", written.set.expect.len(), limits.max_expectations);
        let error = Diagnostic::error(Code::OverLimit, message).at(written.spot(over), "one too many");
        found.push(error.help("raise `max_expectations`"));
        return;
    }
    let reference_matcher = match ReferenceMatcher::new(set) {
        Ok(reference_matcher) => reference_matcher,
        Err(error) => {
            let spot = written.spot(node);
            found.push(Diagnostic::error(Code::BadRegex, error.to_string()).at(spot, "for these expectations"));
            return;
        }
    };
    let check = ExpectationCheck { written, set, spots, known_names, limits, reference_matcher };
    let (bytes, mut work) = (bytes(set), 0_u64);
    for (at, expectation) in written.set.expect.iter().enumerate() {
        work = work.saturating_add(bytes.saturating_mul(expectation.url.len() as u64));
        if work > limits.max_expectation_work {
            let message = format!(
                "the expectations cost more than the limit of {}, rules' bytes times URLs' bytes",
                limits.max_expectation_work
            );
            let spot = written.spot(node.item(at));
            let error = Diagnostic::error(Code::OverLimit, message).at(spot, "from here on they are not asked");
            found.push(error.help("raise `max_expectation_work`"));
            return;
        }
        if let Err(error) = check.expectation(expectation, node.item(at), found.len() < MAX_MEANT) {
            found.push(*error);
        }
    }
}

/// The bytes of the rules that one question can look at.
fn bytes(set: &DeclaredSet) -> u64 {
    let of_rules = |rules: &RuleSet| rules.rules().iter().map(|rule| rules.pattern(rule).len() as u64 + 1).sum::<u64>();
    let of_agents = set.agents.iter().map(|(_, rules)| rules).chain(&set.star).map(of_rules).max().unwrap_or(0);
    let of_test = |test: &Test| match test {
        Test::Path(bytes) | Test::Query(bytes) => bytes.len() as u64 + 1,
        // A byte of an expression is more expensive, by measurement, than one of a path pattern.
        Test::Regex(pattern) => 16 * (pattern.len() as u64 + 1),
    };
    set.rules.iter().map(|rule| of_test(&rule.test)).sum::<u64>() + of_agents
}

/// A set whose expectations are check.
struct ExpectationCheck<'s> {
    written: &'s WrittenSet<'s>,
    set: &'s DeclaredSet,
    spots: &'s [SourceSpan],
    known_names: &'s KnownNames,
    limits: &'s BuildLimits,
    reference_matcher: ReferenceMatcher<'s>,
}

impl ExpectationCheck<'_> {
    /// Asks one; `guesses` is whether an error may say what was likely meant.
    fn expectation(&self, wanted: &Expectation, node: &Node, guesses: bool) -> Result<(), Box<Diagnostic>> {
        self.agent(&wanted.agent, node.field("agent"), guesses)?;
        let decision = self.ask(wanted, node.field("url"))?;
        if let Some(rule) = &wanted.rule {
            self.rule(rule, node.field("rule"), guesses)?;
        }
        let verdict = Verdict::from(wanted.verdict);
        let url = quoted(&wanted.url);
        let agent = match wanted.agent.as_str() {
            "*" => "an agent that no group names".to_owned(),
            agent => quoted(agent),
        };
        let (message, spot, label) = if decision.verdict != verdict {
            let [is, should] =
                [decision.verdict, verdict].map(|verdict| if verdict.is_allow() { "allowed" } else { "disallowed" });
            let message = format!("{url} should be {should} for {agent}, and is {is}");
            (message, node.field("verdict"), "expected here".to_owned())
        } else if let Some(rule) = wanted.rule.as_ref().filter(|rule| !self.is_rule(rule, &decision)) {
            let message = format!("{url} should be decided for {agent} by {}, and is not", quoted(rule));
            (message, node.field("rule"), "expected here".to_owned())
        } else {
            return Ok(());
        };
        let error = Diagnostic::error(Code::FailedExpectation, message).at(self.written.spot(spot), label);
        Err(Box::new(self.with_decider(error, &decision)))
    }

    /// Says which rule decided.
    fn with_decider(&self, error: Diagnostic, decision: &SetDecision<'_>) -> Diagnostic {
        let place = decision.place.checked_sub(1).map(|index| index as usize);
        let place = place.and_then(|index| Some((self.set.places.get(index)?, self.spots.get(index)?)));
        let verdict = if decision.verdict.is_allow() { "allows" } else { "disallows" };
        match place {
            Some((place, spot)) => {
                let name = decision.name.map_or(String::new(), |name| format!(", named {}", quoted(name)));
                let error = error.at(spot.clone(), format!("this rule decided, and {verdict} it"));
                error.note(format!("{}:{} {}{name}", place.file, place.line, quoted(&place.text)))
            }
            None if decision.verdict.is_allow() => error.note("no rule matches it, so that it is allowed"),
            None => error,
        }
    }

    fn agent(&self, agent: &str, node: &Node, guesses: bool) -> Result<(), Box<Diagnostic>> {
        let names = || {
            let keys = self.set.agents.iter().map(|(key, _)| name_of_key(key.as_bytes()));
            keys.filter_map(|name| str::from_utf8(name?).ok())
        };
        let is_known = agent == "*"
            || AgentName::new(agent).is_ok_and(|agent| named_agent(self.set, agent).is_some())
            || self.known_names.contains(agent)
            || self.written.set.own_agents.iter().any(|own| own.eq_ignore_ascii_case(agent))
            || (self.set.agents.is_empty() && AgentName::new(agent).is_ok());
        if is_known {
            return Ok(());
        }
        let known = names().chain(self.known_names.iter()).filter(|_| guesses);
        let label = meant(agent, known, "not known");
        let spot = self.written.spot(node);
        if AgentName::new(agent).is_err() {
            let error = Diagnostic::error(Code::UnknownAgent, format!("{} is no agent name", quoted(agent)));
            let error = error.at(spot, "not an agent name");
            return Err(Box::new(match normalize::without_version(agent) {
                Some(name) => error.help(format!("leave the version out: {}", quoted(name))),
                None => error.help("write a name, without version, or `*` for an agent that no group names"),
            }));
        }
        let message = format!("no group names the agent {}, and it is no known crawler", quoted(agent));
        let error = Diagnostic::error(Code::UnknownAgent, message).at(spot, label);
        let error = error.note(format!("the groups name {}", listed(names())));
        let help = format!("write `*` for an agent that no group names, or add {agent:?} to the set's `own_agents`");
        Err(Box::new(error.help(help)))
    }

    fn ask(&self, wanted: &Expectation, node: &Node) -> Result<SetDecision<'_>, Box<Diagnostic>> {
        let url = &wanted.url;
        let error = |code, message: String, label: &str| {
            Box::new(Diagnostic::error(code, message).at(self.written.spot(node), label))
        };
        if url.len() > self.limits.max_pattern_bytes {
            let limit = self.limits.max_pattern_bytes;
            let message = format!("the URL has {} bytes, and the limit is {limit}", url.len());
            return Err(Box::new(error(Code::OverLimit, message, "too long").help("raise `max_pattern_bytes`")));
        }
        if !url.starts_with('/') || url.starts_with("//") {
            let origin = UrlOrigin::of(url).map_err(|reason| {
                let message = format!("the URL {} cannot be read: {reason}", quoted(url));
                let error = error(Code::BadUrl, message, "neither a URL nor a path");
                Box::new(error.help("a URL starts with its scheme, such as `https://`, and a path with one `/`"))
            })?;
            if !origin.is_in(&self.set.origins) {
                let message = format!("the rule set does not apply to {}", quoted(url));
                let origins: Vec<_> = self.set.origins.iter().map(ToString::to_string).collect();
                let note = format!("its origins are {}", listed(origins.iter().map(String::as_str)));
                return Err(Box::new(error(Code::BadUrl, message, "outside the origins").note(note)));
            }
        }
        self.reference_matcher.decide(AgentName::new(&wanted.agent).ok(), url).map_err(|reason| {
            error(Code::BadUrl, format!("the URL {} cannot be read: {reason}", quoted(url)), "not a URL")
        })
    }

    /// Whether the set has a rule of this name or at this place.
    fn rule(&self, rule: &str, node: &Node, guesses: bool) -> Result<(), Box<Diagnostic>> {
        let names = || self.set.rules.iter().filter_map(|rule| rule.name.as_deref());
        let at_place = |(file, line): (&str, &str)| {
            let number = line.parse().ok().filter(|number: &u32| number.to_string() == line);
            self.set.places.iter().any(|place| Some(place.line) == number && place.file == file)
        };
        if names().any(|name| name == rule) || rule.rsplit_once(':').is_some_and(at_place) {
            return Ok(());
        }
        let (message, otherwise) = match rule.rsplit_once(':') {
            Some(_) => (format!("no rule of the set starts at {}", quoted(rule)), "no rule there"),
            None => (format!("no rule of the set is named {}", quoted(rule)), "not a rule"),
        };
        let error = Diagnostic::error(Code::UnknownRule, message);
        let error = error.at(self.written.spot(node), meant(rule, names().filter(|_| guesses), otherwise));
        let help = "a rule is named by its `name`, or by its place, `file:line`";
        Err(Box::new(error.help(help)))
    }

    fn is_rule(&self, rule: &str, decision: &SetDecision<'_>) -> bool {
        let place = decision.place.checked_sub(1).and_then(|index| self.set.places.get(index as usize));
        decision.name == Some(rule) || place.is_some_and(|place| format!("{}:{}", place.file, place.line) == rule)
    }
}
