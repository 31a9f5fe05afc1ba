//! From a file to the programs of all its agents.

use std::collections::BTreeMap;

use robotsc_runtime::{
    AgentMatch, AgentName, FORM_SHIFT, PARTIAL, POLICY_HEADER, POLICY_MARK, Policy, Program, WRITTEN_KEY, format,
};

use crate::ask::agent::{Crawler, CrawlerKind, Selection, SelectionReason};
use crate::program::budget::FileBudget;
use crate::program::buffer::PolicyBuf;
use crate::program::compile::{Compiler, seal};
use crate::program::error::CompileError;
use crate::robots_txt::{AgentLine, GroupId, RobotsTxt};

impl Compiler {
    /// Compiles all agents of a file into one policy: an index of the product tokens that it names, `*`, and one
    /// program for all agents with equal rules.
    ///
    /// # Errors
    /// As [`Compiler::compile`]; and if the patterns of all programs together have more than 2^24 bytes, which takes
    /// a file that names many agents in a long group and each in a group of its own.
    pub fn compile_policy(&self, robots: &RobotsTxt<'_>) -> Result<PolicyBuf, CompileError> {
        // A name of the file is the longest of its own prefixes, so that under every dialect it obeys just the groups
        // that name it.
        let agent_match = robots.dialect().agent_match;
        let (of_key, of_star) = robots.groups_by_key();
        let mut programs = Programs::new(self, robots);
        let mut index = Vec::with_capacity(of_key.len());
        for (key, groups) in of_key {
            let reason = SelectionReason::Named(vec![key.clone()]);
            index.push((key, programs.number(Selection { groups, reason })?));
        }
        let star = Selection { groups: of_star, reason: SelectionReason::Star };
        let star = if star.groups.is_empty() { None } else { Some(programs.number(star)?) };
        programs.policy(agent_match, 0, &index, star)
    }

    /// Compiles the rules of some crawlers only, each given as an [`AgentName`] or a [`Crawler`]. The policy is
    /// partial: it answers for just these crawlers, each under its first name, and knows nothing of others.
    ///
    /// # Errors
    /// As [`Compiler::compile_policy`]; and if a crawler has no name, or two with the same first name obey different
    /// rules.
    pub fn compile_policy_for<C: Into<Crawler>>(
        &self,
        robots: &RobotsTxt<'_>,
        crawlers: impl IntoIterator<Item = C>,
    ) -> Result<PolicyBuf, CompileError> {
        let mut programs = Programs::new(self, robots);
        let mut index = BTreeMap::new();
        for crawler in crawlers {
            let crawler = crawler.into();
            let name = crawler.names().next().ok_or(CompileError::NO_NAME)?;
            let mut key = name.as_bytes().to_ascii_lowercase();
            if !name.is_product_token() {
                key.insert(0, WRITTEN_KEY);
            }
            let number = programs.number(robots.select(&crawler))?;
            if *index.entry(key).or_insert(number) != number {
                return Err(CompileError::TWO_OF_A_NAME);
            }
        }
        let index: Vec<_> = index.into_iter().collect();
        programs.policy(AgentMatch::Exact, PARTIAL, &index, None)
    }

    /// Compiles some selections of groups: the different programs, and the number of that of each selection.
    #[doc(hidden)]
    pub fn compile_selections(
        &self,
        robots: &RobotsTxt<'_>,
        selections: impl IntoIterator<Item = Selection>,
    ) -> Result<(Vec<Vec<u8>>, Vec<u32>), CompileError> {
        let mut programs = Programs::new(self, robots);
        let numbers = selections.into_iter().map(|selection| programs.number(selection));
        let numbers = numbers.collect::<Result<_, _>>()?;
        Ok((programs.bytes, numbers))
    }
}

impl Crawler {
    /// Returns the program that the crawler obeys in the compiled policy of a file.
    ///
    /// `None` if the policy does not hold it: it is [partial](Policy::is_partial) and was not compiled for this
    /// crawler, or the crawler is a pool of several names, which takes the rules themselves. From a partial policy that
    /// was compiled for a chain or a [`named_only`](Crawler::named_only) crawler, take [`Policy::program`] of its first
    /// name.
    ///
    /// Cost: a binary search for each name. Never panics.
    ///
    /// ```
    /// use robotsc::{Compiler, Crawler, RobotsTxt, Verdict};
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /\n");
    /// let policy = Compiler::new().compile_policy(&robots)?;
    /// let path = robots.url_path("https://shop.example/cart")?;
    /// let ads = Crawler::new("AdsBot-Google")?;
    /// let program = ads.program_in(&policy.policy()).expect("the policy holds all agents");
    /// assert_eq!(program.verdict(path.as_path())?, Verdict::Disallow);
    /// let program = ads.named_only().program_in(&policy.policy()).expect("the policy holds all agents");
    /// assert_eq!(program.verdict(path.as_path())?, Verdict::Allow);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn program_in<'p>(&self, policy: &Policy<'p>) -> Option<Program<'p>> {
        let is_single = self.kind() == CrawlerKind::Named && !self.is_named_only();
        let is_pool = self.kind() == CrawlerKind::Pool && self.names().len() > 1;
        if is_pool || (policy.is_partial() && !is_single) {
            return None;
        }
        let name = match self.kind() {
            _ if is_single => self.names().next(),
            _ => self.names().find(|name| policy.has_name(*name)),
        };
        if name.is_none() && self.is_named_only() {
            return Some(Program::allow_all(policy.path_form()));
        }
        policy.program(name)
    }
}

impl RobotsTxt<'_> {
    /// Returns the groups of each key that a `User-agent` line has in an index of names, and those of `*`: in file
    /// order, each once.
    #[doc(hidden)]
    #[must_use]
    pub fn groups_by_key(&self) -> (BTreeMap<Vec<u8>, Vec<GroupId>>, Vec<GroupId>) {
        let mut of_key: BTreeMap<Vec<u8>, Vec<GroupId>> = BTreeMap::new();
        let mut of_star = Vec::new();
        for (id, group) in (0..).map(GroupId).zip(self.groups()) {
            let insert = |groups: &mut Vec<GroupId>| {
                if groups.last() != Some(&id) {
                    groups.push(id);
                }
            };
            for agent in self.agents_of(group) {
                if agent.is_star {
                    insert(&mut of_star);
                }
                for key in self.agent_keys(agent) {
                    insert(of_key.entry(key).or_default());
                }
            }
        }
        (of_key, of_star)
    }

    /// Returns the keys that a `User-agent` line has in an index of names: see the module `agent` of the runtime.
    #[doc(hidden)]
    pub fn agent_keys(&self, agent: &AgentLine) -> impl Iterator<Item = Vec<u8>> + use<> {
        agent_keys(agent.token.of(self.body()), agent.written(self.body()), self.dialect().agent_match)
    }
}

/// Returns the keys of a value: of its product token, unless it is empty, and of the value as written, if a crawler can
/// be looked up by it. Under an exact match, names that are product tokens are looked up as such.
#[doc(hidden)]
pub fn agent_keys(token: &[u8], written: &[u8], agent_match: AgentMatch) -> impl Iterator<Item = Vec<u8>> + use<> {
    let key = |name: AgentName<'_>, is_written: bool| {
        let mark: &[u8] = if is_written { &[WRITTEN_KEY] } else { &[] };
        [mark, &name.as_bytes().to_ascii_lowercase()].concat()
    };
    // The token of some dialects is no product token of RFC 9309: names beyond that look for it as written.
    let token = AgentName::of_group(token).ok().map(|name| key(name, !name.is_product_token()));
    let is_looked_up = |name: &AgentName<'_>| agent_match != AgentMatch::Exact || !name.is_product_token();
    let written = AgentName::of_group(written).ok().filter(is_looked_up).map(|name| key(name, true));
    let written = written.filter(|written| token.as_ref() != Some(written));
    token.into_iter().chain(written)
}

/// The programs of a policy under way.
struct Programs<'a> {
    compiler: &'a Compiler,
    robots: &'a RobotsTxt<'a>,
    bytes: Vec<Vec<u8>>,
    known: BTreeMap<Vec<u8>, u32>,
    /// Agents with the same groups have the same rules; most files have many agents and few groups.
    of_groups: BTreeMap<Vec<GroupId>, u32>,
    budget: FileBudget,
}

impl<'a> Programs<'a> {
    fn new(compiler: &'a Compiler, robots: &'a RobotsTxt<'a>) -> Self {
        Self {
            compiler,
            robots,
            bytes: Vec::new(),
            known: BTreeMap::new(),
            of_groups: BTreeMap::new(),
            budget: FileBudget::default(),
        }
    }

    /// Returns the number of the program for a selection, compiled if it is not known.
    fn number(&mut self, selection: Selection) -> Result<u32, CompileError> {
        if let Some(&number) = self.of_groups.get(&selection.groups) {
            return Ok(number);
        }
        let rules = self.robots.rule_set_of(&selection);
        self.budget.count(rules.rules().iter().map(|rule| rules.pattern(rule).len()).sum())?;
        let compiled = self.budget.compile(self.compiler, &rules)?;
        let bytes = compiled.into_bytes();
        let number = *self.known.entry(bytes).or_insert_with_key(|bytes| {
            self.bytes.push(bytes.clone());
            self.bytes.len() as u32 - 1
        });
        self.of_groups.insert(selection.groups, number);
        Ok(number)
    }

    fn policy(
        &self,
        agent_match: AgentMatch,
        flags: u8,
        index: &[(Vec<u8>, u32)],
        star: Option<u32>,
    ) -> Result<PolicyBuf, CompileError> {
        let mode = match agent_match {
            AgentMatch::Exact => 0,
            AgentMatch::LongestPrefixAtHyphen => 1,
            AgentMatch::LongestPrefix => 2,
        };
        let dialect = self.robots.dialect();
        let mode = mode | flags | dialect.path_form().to_byte() << FORM_SHIFT;
        let bytes = assemble(mode, dialect.name.as_bytes(), index, &self.bytes, star);
        Ok(PolicyBuf::of_compiler(bytes.ok_or(CompileError::POLICY_TOO_LARGE)?)?)
    }
}

/// Assembles a policy, as `robotsc_runtime::policy` describes it. `None` if an offset does not fit 32 bits.
fn assemble(
    mode: u8,
    label: &[u8],
    index: &[(Vec<u8>, u32)],
    programs: &[Vec<u8>],
    star: Option<u32>,
) -> Option<Vec<u8>> {
    let word = |number: usize| u32::try_from(number).ok().map(u32::to_le_bytes);
    let mut bytes = Vec::with_capacity(POLICY_HEADER + 12 * index.len());
    bytes.extend_from_slice(&POLICY_MARK);
    bytes.extend_from_slice(&[format::VERSION, mode, 0, 0, 0, 0]);
    bytes.extend_from_slice(&word(index.len())?);
    bytes.extend_from_slice(&word(programs.len())?);
    bytes.extend_from_slice(&star.map_or(0, |star| star + 1).to_le_bytes());
    bytes.extend_from_slice(&word(label.len())?);
    let mut text = label.to_vec();
    for (token, program) in index {
        bytes.extend_from_slice(&word(text.len())?);
        bytes.extend_from_slice(&word(token.len())?);
        bytes.extend_from_slice(&program.to_le_bytes());
        text.extend_from_slice(token);
    }
    for program in programs {
        bytes.extend_from_slice(&word(text.len())?);
        bytes.extend_from_slice(&word(program.len())?);
        text.extend_from_slice(program);
    }
    bytes.extend_from_slice(&text);
    seal(&mut bytes);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_runtime::{PathForm, UrlPath, Verdict};

    /// Many agents, each with a rule of its own, then one long group for all of them.
    fn hostile(agents: usize, rule: impl Fn(usize) -> String, rules: usize) -> Vec<u8> {
        let own = (0..agents).map(|agent| format!("User-agent: a-{}\nDisallow: /{agent}\n", name(agent)));
        let all = (0..agents).map(|agent| format!("User-agent: a-{}\n", name(agent)));
        let shared = (0..rules).map(|number| format!("Disallow: {}\n", rule(number)));
        own.chain(all).chain(shared).collect::<String>().into_bytes()
    }

    fn name_of(name: &str) -> AgentName<'_> {
        AgentName::new(name).unwrap()
    }

    fn path(path: &[u8]) -> UrlPath<'_> {
        UrlPath::assume(path, PathForm::Escaped)
    }

    /// Returns a product token for a number: it may hold no digits.
    fn name(number: usize) -> String {
        number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
    }

    #[test]
    fn a_policy_has_a_bound() {
        let body = hostile(2_000, |number| format!("/{number}/some/longer/path"), 1_000);
        let robots = RobotsTxt::parse(&body);
        assert!(Compiler::new().compile_policy(&robots).is_err());
        // One of them is small.
        let policy = Compiler::new().compile_policy_for(&robots, [name_of("a-b")]).unwrap();
        assert!(policy.policy().is_partial());
        let verdict = policy.policy().program(Some(name_of("A-B"))).unwrap().verdict(path(b"/7/some/longer/path"));
        assert_eq!(verdict, Ok(Verdict::Disallow));
        assert!(policy.policy().program(Some(name_of("a-c"))).is_none());
        assert!(policy.policy().program(None).is_none());
    }

    #[test]
    fn crawlers_find_their_programs() {
        let body =
            b"User-agent: *\nDisallow: /\nUser-agent: FooBot\nDisallow: /cart\nUser-agent: MJ12bot\nDisallow: /x\n";
        let crawlers = ["FooBot", "BarBot", "MJ12bot", "FooBot-Image"].map(|name| Crawler::new(name).unwrap());
        let chain = Crawler::chain(["BarBot", "FooBot"]).unwrap();
        let mut all: Vec<Crawler> = crawlers.into_iter().chain([chain, Crawler::others()]).collect();
        all.extend(all.clone().into_iter().map(Crawler::named_only));
        for dialect in crate::Dialect::ALL {
            let robots = RobotsTxt::parse_with(body, dialect);
            let policy = Compiler::new().compile_policy(&robots).unwrap();
            for crawler in &all {
                let program = crawler.program_in(&policy.policy()).unwrap();
                let some = Compiler::new().compile_policy_for(&robots, [crawler]);
                let some = some.as_ref().map(|some| some.policy().program(crawler.names().next()).unwrap());
                assert_eq!(some.is_err(), crawler.kind() == CrawlerKind::Others);
                for path in ["/cart", "/x", "/", "/robots.txt"] {
                    let expected = robots.is_allowed(crawler, path);
                    let path = robots.url_path(path).unwrap();
                    for program in [Some(program), some.as_ref().ok().copied()].into_iter().flatten() {
                        let verdict = program.verdict(path.as_path()).unwrap();
                        assert_eq!(Ok(verdict.is_allow()), expected, "{} {crawler:?} {path:?}", dialect.name);
                    }
                }
            }
        }
        let robots = RobotsTxt::parse(body);
        let policy = Compiler::new().compile_policy(&robots).unwrap();
        assert!(Crawler::pool(["FooBot", "BarBot"]).unwrap().program_in(&policy.policy()).is_none());
        let some = Compiler::new().compile_policy_for(&robots, [name_of("BarBot")]).unwrap();
        assert!(Crawler::new("BarBot").unwrap().program_in(&some.policy()).is_some());
        assert!(Crawler::new("FooBot").unwrap().program_in(&some.policy()).is_none());
        assert!(Crawler::new("BarBot").unwrap().named_only().program_in(&some.policy()).is_none());
        let both = [Crawler::new("BarBot").unwrap(), Crawler::new("barbot").unwrap().named_only()];
        assert!(Compiler::new().compile_policy_for(&robots, both).is_err());
    }

    #[test]
    fn expensive_programs_are_matched_linearly() {
        let body = hostile(60, |number| format!("/*x{number}x*y{number}y"), 700);
        let robots = RobotsTxt::parse(&body);
        let policy = Compiler::new().compile_policy(&robots).unwrap();
        for (token, own) in [("a-a", "/0"), ("a-fj", "/59")] {
            let program = policy.policy().program(Some(name_of(token))).unwrap();
            assert!(program.verdict(path(own.as_bytes())) == Ok(Verdict::Disallow), "{token}");
            assert!(program.verdict(path(b"/ax699x-y699y")) == Ok(Verdict::Disallow), "{token}");
            assert!(program.verdict(path(b"/ax699x-y698y")) == Ok(Verdict::Allow), "{token}");
        }
    }
}
