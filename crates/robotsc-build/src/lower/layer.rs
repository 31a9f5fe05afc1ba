//! From the layers of a set to its rules: normal patterns, pooled groups, numbered places.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::near_name::is_near;
use robotsc_compiler::{Dialect, RuleKind, RuleSet, Verdict};
use robotsc_runtime::embed::OriginPattern;

use super::denial::Denial;
use super::never_decides::{EarlierRules, matches_everything};
use crate::diagnostic::{Code, Diagnostic, SourceSpan, quoted};
use crate::limits::BuildLimits;
use crate::model::{DeclaredRule, DeclaredSet, RulePlace, Test};
use crate::normalize::{self, PathFault, QueryFault};
use crate::read::known_names::KnownNames;
use crate::read::locate::{Node, within};
use crate::read::schema;
use crate::read::written::{NAMES, RobotsFiles, WrittenSet, is_name};
use crate::regex::forms::{self, Forms};
use crate::regex::{self, RegexError};

/// A rule of a group: the directive, what follows its colon, and the number of its place.
type GroupLine = (RuleKind, Vec<u8>, u32);

/// Expressions of the folder that were looked at, and what they can match or what is wrong with them.
#[derive(Debug, Default)]
pub(crate) struct Expressions {
    known: BTreeMap<String, Result<Expression, RegexError>>,
    /// The bytes of their automata; of one over its limit, that limit.
    bytes: usize,
}

/// What an expression can match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expression {
    forms: Forms,
    /// Whether it matches every path.
    is_universal: bool,
}

/// A set while its layers are read.
pub(crate) struct Lowering<'l> {
    pub(super) dialect: &'l Dialect,
    limits: &'l BuildLimits,
    known_names: &'l KnownNames,
    regexes: &'l mut Expressions,
    /// The robots.txt files that were added; one that is named once more adds nothing.
    robots: BTreeSet<(usize, String)>,
    agents: BTreeMap<String, Vec<GroupLine>>,
    star: Option<Vec<GroupLine>>,
    /// How many lines all agents have together.
    lines: usize,
    rules: Vec<DeclaredRule>,
    names: BTreeMap<String, SourceSpan>,
    earlier: EarlierRules,
    /// What the declared rules can disallow.
    denial: Denial,
    places: Vec<RulePlace>,
    /// One for each place.
    spots: Vec<SourceSpan>,
    is_over: bool,
    pub(super) found: Vec<Diagnostic>,
}

impl<'l> Lowering<'l> {
    pub(crate) fn new(
        dialect: &'l Dialect,
        limits: &'l BuildLimits,
        known_names: &'l KnownNames,
        regexes: &'l mut Expressions,
    ) -> Self {
        Self {
            dialect,
            limits,
            known_names,
            regexes,
            robots: BTreeSet::new(),
            agents: BTreeMap::new(),
            star: None,
            lines: 0,
            rules: Vec::new(),
            names: BTreeMap::new(),
            earlier: EarlierRules::default(),
            denial: Denial::default(),
            places: Vec::new(),
            spots: Vec::new(),
            is_over: false,
            found: Vec::new(),
        }
    }

    /// Whether nothing was wrong so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.found.iter().all(|found| found.severity() == crate::diagnostic::Severity::Warning)
    }

    /// The set, where the rules of its places stand, and what it can disallow.
    pub(crate) fn finish(
        self,
        written: &WrittenSet<'_>,
        origins: Vec<OriginPattern<String>>,
        found: &mut Vec<Diagnostic>,
    ) -> (DeclaredSet, Vec<SourceSpan>, Denial) {
        found.extend(self.found);
        let dialect = self.dialect;
        let set = DeclaredSet {
            name: written.set.name.clone(),
            description: written.set.description.clone(),
            dialect: dialect.clone(),
            origins,
            agents: self
                .agents
                .into_iter()
                .map(|(token, lines)| (token, RuleSet::from_rules(dialect, lines)))
                .collect(),
            star: self.star.map(|lines| RuleSet::from_rules(dialect, lines)),
            rules: self.rules,
            places: self.places,
        };
        let mut denial = self.denial;
        for rules in set.agents.iter().map(|(_, rules)| rules).chain(&set.star) {
            denial.add(rules, self.earlier.everything().is_none());
        }
        (set, self.spots, denial)
    }

    /// Adds what a set states by itself. Warnings are for the set that is lowered alone: others have them when it is
    /// their turn.
    pub(crate) fn layer(&mut self, written: &WrittenSet<'_>, is_own: bool, files: &mut dyn RobotsFiles) {
        for (at, path) in written.set.robots.iter().enumerate() {
            if !self.robots.insert((written.file.folder, path.clone())) {
                continue;
            }
            let spot = written.spot(written.node.field("robots").item(at));
            match files.robots(written.file.folder, path) {
                Ok(source) => self.robots(&source, is_own.then_some(written.set)),
                Err(reason) => {
                    let message = format!("the robots.txt {} cannot be used: {reason}", quoted(path));
                    let help = "robots.txt files are named by their path from the folder of this file, inside it";
                    self.found.push(Diagnostic::error(Code::RobotsFile, message).at(spot, "named here").help(help));
                }
            }
        }
        let own_agents = written.node.field("own_agents");
        for (at, agent) in written.set.own_agents.iter().enumerate() {
            if agent.starts_with('/') || normalize::agent(self.dialect, agent).is_none() {
                self.bad_agent(agent, written.spot(own_agents.item(at)));
            }
        }
        let groups = written.node.field("groups");
        for (at, group) in written.set.groups.iter().enumerate() {
            self.group(written, group, is_own, groups.item(at));
        }
        let rules = written.node.field("rules");
        for (at, rule) in written.set.rules.iter().enumerate() {
            self.rule(written, rule, is_own, rules.item(at));
        }
        let schema::RuleSetEntry { groups, robots, .. } = written.set;
        let stated = [("groups", !groups.is_empty()), ("robots", !robots.is_empty())];
        if is_own
            && let Some(rule) = self.earlier.everything()
            && let Some((first, _)) = stated.into_iter().find(|(_, is_stated)| *is_stated)
        {
            let message = "the groups never decide: a declared rule comes before them and matches every path";
            let warning = Diagnostic::warning(Code::NeverDecides, message);
            let warning = warning.at(written.spot(written.node.field(first)), "no effect");
            self.found.push(warning.at(rule.clone(), "this rule matches every path").help("leave one of them out"));
        }
    }

    /// Counts a rule, sound or not; `false` where the set has too many.
    pub(super) fn count(&mut self, spot: &SourceSpan, lines: usize) -> bool {
        self.lines = self.lines.saturating_add(lines);
        let is_over = self.lines > self.limits.max_rules;
        if is_over && !self.is_over {
            self.is_over = true;
            let message = format!("the rule set has more rules than the limit of {}", self.limits.max_rules);
            let error = Diagnostic::error(Code::OverLimit, message).at(spot.clone(), "one rule too many");
            let note = "a rule of a group counts once for each agent of the group, and inherited rules count too";
            self.found.push(error.note(note).help("raise `max_rules`"));
        }
        !is_over
    }

    /// Numbers the place of a rule.
    pub(super) fn place(&mut self, spot: SourceSpan, text: String) -> u32 {
        let place = RulePlace { file: spot.source.name.clone(), line: spot.line(), text };
        self.places.push(place);
        self.spots.push(spot);
        // As many as there may be rules; below 2^31, since a file is.
        u32::try_from(self.places.len()).unwrap_or(0)
    }

    /// Adds a group that stands in the set.
    fn group(&mut self, written: &WrittenSet<'_>, group: &schema::GroupEntry, is_own: bool, node: &Node) {
        if group.agents.is_empty() {
            let error = Diagnostic::error(Code::BadAgent, "a group without agents is for nobody");
            let error = error.at(written.spot(node.field("agents")), "no agent");
            self.found.push(error.help("write `agents: [\"*\"]` for all agents that no group names"));
        }
        let mut agents = GroupAgents { tokens: BTreeSet::new(), has_star: false };
        for (at, agent) in group.agents.iter().enumerate() {
            if agent == "*" {
                agents.has_star = true;
            } else if let Some(keys) = normalize::agent(self.dialect, agent).filter(|_| !agent.starts_with('/')) {
                if is_own {
                    self.check_spelling(agent, written.set, written.spot(node.field("agents").item(at)));
                }
                agents.tokens.extend(keys);
            } else {
                self.bad_agent(agent, written.spot(node.field("agents").item(at)));
            }
        }
        self.open(&agents);
        if group.rules.is_empty() {
            let message = "a group without rules allows its agents everything";
            let error = Diagnostic::error(Code::DeniesNothing, message).at(written.spot(node), "no rule");
            self.found.push(error.help("write `rules: [Allow(\"/\")]` if that is meant"));
        }
        let rules = node.field("rules");
        for (at, rule) in group.rules.iter().enumerate() {
            let node = rules.item(at);
            let (kind, value, text) = match rule {
                schema::GroupRule::Allow(value) => (RuleKind::Allow, value, "Allow"),
                schema::GroupRule::Disallow(value) => (RuleKind::Disallow, value, "Disallow"),
            };
            let spot = written.spot(node);
            if !self.count(&spot, agents.len()) {
                return;
            }
            if value.is_empty() {
                let error = Diagnostic::error(Code::BadPath, format!("`{text}(\"\")` says nothing"));
                let error = error.at(written.spot(node.item(0)), "empty");
                let help = "write `Allow(\"/\")` to allow everything, `Disallow(\"/\")` to disallow it";
                self.found.push(error.help(help));
                continue;
            }
            if self.check_path(value, &written.spot(node.item(0))).is_none() {
                continue;
            }
            let place = self.place(spot, format!("{text}({value:?})"));
            self.push(&agents, kind, value.as_bytes(), place);
        }
    }

    /// Reports an agent that is nearly a known crawler, unless the set says that the name is its own.
    pub(super) fn check_spelling(&mut self, agent: &str, written: &schema::RuleSetEntry, spot: SourceSpan) {
        if written.own_agents.iter().any(|own| own.eq_ignore_ascii_case(agent)) {
            return;
        }
        let is_meant = |own: &&String| !self.known_names.contains(agent) && is_near(own, agent);
        let own = written.own_agents.iter().find(is_meant).map(String::as_str);
        if let Some(meant) = own.or_else(|| self.known_names.meant_by(agent)) {
            let message = match own {
                Some(own) => format!("{} is not among `own_agents`, and {} is", quoted(agent), quoted(own)),
                None => format!("{} is no known crawler, and {} is one", quoted(agent), quoted(meant)),
            };
            let warning = Diagnostic::warning(Code::MisspeltAgent, message);
            let warning = warning.at(spot, format!("did you mean {}?", quoted(meant)));
            self.found.push(warning.help(format!("if the name is your own, add `own_agents: [{agent:?}]` to the set")));
        }
    }

    fn bad_agent(&mut self, agent: &str, spot: SourceSpan) {
        let message = format!("{} is no agent name, and no crawler could be named by it", quoted(agent));
        let error = Diagnostic::error(Code::BadAgent, message).at(spot, "not an agent name");
        self.found.push(match normalize::without_version(agent) {
            Some(name) => error.help(format!("leave the version out: {}", quoted(name))),
            None => error.help("a name is letters, digits, `.`, `_`, `-`, `+`, `!` and `~`, without version; or `*`"),
        });
    }

    /// Makes agents known, whether or not rules follow: a named group overrides those for `*`.
    pub(super) fn open(&mut self, agents: &GroupAgents) {
        for token in &agents.tokens {
            if !self.agents.contains_key(token) {
                self.agents.insert(token.clone(), Vec::new());
            }
        }
        if agents.has_star {
            self.star.get_or_insert_default();
        }
    }

    pub(super) fn push(&mut self, agents: &GroupAgents, kind: RuleKind, value: &[u8], place: u32) {
        for token in &agents.tokens {
            if let Some(lines) = self.agents.get_mut(token) {
                lines.push((kind, value.to_vec(), place));
            }
        }
        if agents.has_star {
            self.star.get_or_insert_default().push((kind, value.to_vec(), place));
        }
    }

    /// Adds a rule beyond robots.txt.
    fn rule(&mut self, written: &WrittenSet<'_>, rule: &schema::RuleEntry, is_own: bool, node: &Node) {
        let (verdict, word, [path, regex, query, name]) = match rule {
            schema::RuleEntry::Deny { path, regex, query, name } => {
                (Verdict::Disallow, "Deny", [path, regex, query, name])
            }
            schema::RuleEntry::Permit { path, regex, query, name } => {
                (Verdict::Allow, "Permit", [path, regex, query, name])
            }
        };
        let spot = written.spot(node);
        if !self.count(&spot, 1) {
            return;
        }
        if let Some(name) = name {
            self.name(name, written.spot(node.field("name")));
        }
        let (test, text) = match (path, regex, query) {
            (Some(path), None, None) => {
                (self.path(path, &written.spot(node.field("path"))), format!("{word}(path: {path:?})"))
            }
            (None, Some(regex), None) => {
                (self.regex(written, regex, node.field("regex")), format!("{word}(regex: {})", as_ron(regex)))
            }
            (None, None, Some(query)) => {
                (self.query(query, &written.spot(node.field("query"))), format!("{word}(query: {query:?})"))
            }
            _ => {
                let none = path.is_none() && regex.is_none() && query.is_none();
                let message = format!("`{word}` wants exactly one of `path`, `regex` and `query`");
                let label = if none { "none of them" } else { "more than one" };
                let error = Diagnostic::error(Code::BadRule, message).at(spot, label);
                self.found.push(if none { error } else { error.help("write one rule for each") });
                return;
            }
        };
        let Some(test) = test else { return };
        let is_universal = match &test {
            Test::Regex(pattern) => self
                .regexes
                .known
                .get(pattern)
                .is_some_and(|known| known.as_ref().is_ok_and(|known| known.is_universal)),
            Test::Path(_) | Test::Query(_) => false,
        };
        let earlier = self.earlier.add(&test, is_universal, &spot);
        self.denial.has_rules = true;
        if verdict.is_allow() {
            self.denial.allows_all |= is_universal || matches!(&test, Test::Path(path) if matches_everything(path));
        } else {
            self.denial.is_stated = true;
            self.denial.is_possible |= earlier.is_none();
        }
        if let Some(earlier) = earlier
            && is_own
        {
            let message = format!("the rule `{text}` can never decide: an earlier rule matches whatever it matches");
            let warning = Diagnostic::warning(Code::NeverDecides, message).at(spot.clone(), "never decides");
            let warning = warning.at(earlier, "this rule decides first");
            self.found
                .push(warning.help("the first rule that matches decides: move the narrower rule up, or remove it"));
        }
        let place = self.place(spot, text);
        self.rules.push(DeclaredRule { verdict, test, name: name.clone(), place });
    }

    fn name(&mut self, name: &str, spot: SourceSpan) {
        if !is_name(name) {
            let error = Diagnostic::error(Code::BadName, format!("{} is no name for a rule", quoted(name)));
            self.found.push(error.at(spot, "not a name").help(NAMES));
        } else if let Some(other) = self.names.get(name) {
            let message = format!("two rules of one set are named {}", quoted(name));
            let error = Diagnostic::error(Code::DuplicateName, message);
            let error = error.at(spot, "the name is taken").at(other.clone(), "by this rule");
            self.found.push(error.note("the rules of the sets that a set extends are its rules too"));
        } else {
            self.names.insert(name.to_owned(), spot);
        }
    }

    fn path(&mut self, path: &str, spot: &SourceSpan) -> Option<Test> {
        self.check_path(path, spot).map(Test::Path)
    }

    /// Returns the normal form of a path pattern that can match a path; if it cannot, that is said.
    fn check_path(&mut self, path: &str, spot: &SourceSpan) -> Option<Vec<u8>> {
        if path.len() > self.limits.max_pattern_bytes {
            let limit = self.limits.max_pattern_bytes;
            let message = format!("the path pattern has {} bytes, and the limit is {limit}", path.len());
            let error = Diagnostic::error(Code::OverLimit, message).at(spot.clone(), "too long");
            self.found.push(error.help("raise `max_pattern_bytes`"));
            return None;
        }
        match normalize::path(self.dialect, path.as_bytes()) {
            Ok(normal) => Some(normal),
            Err(fault) => {
                self.found.push(bad_path(path, fault, spot));
                None
            }
        }
    }

    fn regex(&mut self, written: &WrittenSet<'_>, pattern: &str, node: &Node) -> Option<Test> {
        let BuildLimits { max_regexes, max_regex_table, max_regex_tables, .. } = *self.limits;
        let known = self.regexes.known.get(pattern).cloned();
        if known.is_none() && self.regexes.known.len() == max_regexes {
            let message = format!("more regular expressions than the limit of {max_regexes}");
            let error = Diagnostic::error(Code::OverLimit, message).at(written.spot(node), "one too many");
            self.found.push(error.help("raise `max_regexes`"));
            return None;
        }
        if known.is_none() && self.regexes.bytes > max_regex_tables {
            let message = format!(
                "the automata of the regular expressions before it are over the limit of {max_regex_tables} bytes"
            );
            let error = Diagnostic::error(Code::OverLimit, message).at(written.spot(node), "not looked at");
            self.found.push(error.help("simplify those that are large, or raise `max_regex_tables`"));
            return None;
        }
        let checked = known.unwrap_or_else(|| {
            let automaton = regex::dense(pattern, self.limits);
            let is_over = |error: &RegexError| if error.is_limit_exceeded() { max_regex_table } else { 0 };
            let bytes = automaton.as_ref().map_or_else(is_over, |automaton| automaton.memory_usage());
            self.regexes.bytes = self.regexes.bytes.saturating_add(bytes);
            automaton.map(|automaton| Expression {
                forms: Forms::of(&automaton),
                is_universal: regex::matches_every_path(&automaton),
            })
        });
        self.regexes.known.insert(pattern.to_owned(), checked.clone());
        match checked {
            Ok(expression) if expression.forms.contains(self.dialect.path_form()) => {
                Some(Test::Regex(pattern.to_owned()))
            }
            Ok(_) => {
                let message = format!(
                    "the regular expression can match no path in the form of the dialect {}",
                    quoted(self.dialect.name)
                );
                let error = Diagnostic::error(Code::BadRegex, message).at(written.spot(node), "matches nothing");
                self.found.push(error.help(forms::help(self.dialect.path_form())));
                None
            }
            Err(error) => {
                let code = if error.is_limit_exceeded() { Code::OverLimit } else { Code::BadRegex };
                let span = match error.span() {
                    Some(part) => within(written.text(), &node.span, part),
                    None => node.span.clone(),
                };
                let label = if error.is_limit_exceeded() { "over the limit" } else { "here" };
                let spot = SourceSpan::new(&written.file.source, span);
                let mut diagnostic = Diagnostic::error(code, error.to_string()).at(spot, label);
                if let Some(help) = error.help() {
                    diagnostic = diagnostic.help(help);
                }
                self.found.push(diagnostic);
                None
            }
        }
    }

    fn query(&mut self, name: &str, spot: &SourceSpan) -> Option<Test> {
        if name.len() > self.limits.max_pattern_bytes {
            let limit = self.limits.max_pattern_bytes;
            let message = format!("the query name has {} bytes, and the limit is {limit}", name.len());
            let error = Diagnostic::error(Code::OverLimit, message).at(spot.clone(), "too long");
            self.found.push(error.help("raise `max_pattern_bytes`"));
            return None;
        }
        match normalize::query(self.dialect, name) {
            Ok(normal) => Some(Test::Query(normal)),
            Err(fault) => {
                self.found.push(bad_query(name, fault, spot));
                None
            }
        }
    }
}

/// Returns the error for a path pattern that matches nothing.
pub(super) fn bad_path(path: &str, fault: PathFault, spot: &SourceSpan) -> Diagnostic {
    let error = |message: String, label: &str| Diagnostic::error(Code::BadPath, message).at(spot.clone(), label);
    let shown = quoted(path);
    match fault {
        PathFault::Empty => {
            error("an empty path pattern says nothing".to_owned(), "empty").help("write `/` for every path")
        }
        PathFault::WhiteSpace => error(format!("the path pattern {shown} has white space at its ends"), "white space")
            .help("in robots.txt it would be no part of the pattern; write `%20` for a space in a URL"),
        PathFault::Fragment => {
            error(format!("the path pattern {shown} can match no path: a `#` is in none"), "matches nothing")
                .help("write `%23` for an escaped one")
        }
        PathFault::NoSlash => {
            let message = format!("the path pattern {shown} starts with neither `/` nor `*` and matches nothing");
            let error = error(message, "matches nothing");
            if path.contains("://") {
                error.help("a pattern is compared with the path; which hosts it is for is said by `origins`")
            } else {
                error.help(format!("write {}", quoted(&format!("/{path}"))))
            }
        }
        PathFault::TwoMeanings => {
            let message = format!("the path pattern {shown} means one thing before a `?` and another after it");
            error(message, "an escape of a reserved byte after a `*`").help(
                "write two rules: one without a `*` before the escape, and one for the query, such as `/*?*/print`",
            )
        }
        PathFault::Regex => {
            let message = format!("the path pattern {shown} looks like a regular expression, and is compared as it is");
            error(message, "only `*` and a `$` at the end have a meaning").help("write it as a `regex`")
        }
        PathFault::List => {
            error(format!("the path pattern {shown} holds several paths"), "a list").help("write a rule for each")
        }
        PathFault::NoPath => {
            let message = format!("no URL has a path that the path pattern {shown} matches");
            error(message, "matches nothing").help(
                "URLs are compared as a browser sends them: a space is `%20`, and there are no `.` or `..` segments",
            )
        }
    }
}

/// Returns the error for a text that names no query parameter.
fn bad_query(name: &str, fault: QueryFault, spot: &SourceSpan) -> Diagnostic {
    let error = |message: String, label: &str| Diagnostic::error(Code::BadQuery, message).at(spot.clone(), label);
    let shown = quoted(name);
    match fault {
        QueryFault::Empty => error("an empty query name names no parameter".to_owned(), "empty"),
        QueryFault::NoName => error(format!("{shown} is no name of a query parameter"), "not a name"),
        // An escaped one: its value cannot be meant.
        QueryFault::EndsAt(';') if !name.contains(';') => {
            error(format!("{shown} is no name of a query parameter: {fault}"), "not a name")
        }
        QueryFault::EndsAt(_) | QueryFault::Holds(_) => {
            let help = "for values, or several parameters, write a `regex`: `[^?]*\\?(?:.*&)?name=value`";
            error(format!("{shown} is no name of a query parameter: {fault}"), "not a name").help(help)
        }
    }
}

/// The agents of a group.
pub(super) struct GroupAgents {
    /// Lower case.
    pub(super) tokens: BTreeSet<String>,
    pub(super) has_star: bool,
}

impl GroupAgents {
    /// How many there are; a group for nobody counts as one.
    pub(super) fn len(&self) -> usize {
        (self.tokens.len() + usize::from(self.has_star)).max(1)
    }
}

/// Returns a text as RON: raw if it holds a backslash, as people write regular expressions.
fn as_ron(text: &str) -> String {
    if !text.contains('\\') || text.contains(char::is_control) {
        return format!("{text:?}");
    }
    let marks = (0..).map(|count| "#".repeat(count)).find(|marks| !text.contains(&format!("\"{marks}")));
    let marks = marks.unwrap_or_default();
    format!("r{marks}\"{text}\"{marks}")
}

#[cfg(test)]
mod tests {
    use super::as_ron;

    #[test]
    fn expressions_are_shown_as_people_write_them() {
        for (text, wanted) in [
            ("/a[0-9]", r#""/a[0-9]""#),
            (r"/a\.b\d+$", r#"r"/a\.b\d+$""#),
            (r#"/a\."x""#, r##"r#"/a\."x""#"##),
            ("/a\\d\n", r#""/a\\d\n""#),
        ] {
            assert_eq!(as_ron(text), wanted);
        }
    }
}
