//! A declared rule set, compiled: the bytes that an in-memory engine borrows and that generated code embeds.

use std::collections::BTreeMap;
use std::fmt;

use robotsc_compiler::{CompileError, Output, RuleSet, Verdict};
use robotsc_runtime::Program;
use robotsc_runtime::embed::{
    AgentGroup, Declared, DeclaredPrefilter, DeclaredQuery, DeclaredRegex, Dfa, NamedAgent, OriginPattern, Parts,
    Places, Prefilter, Set,
};
use robotsc_runtime::{AgentMatch, PathForm};

use super::groups::{CompiledGroup, Groups, compiler};
use super::{places, prefilter};
use crate::limits::BuildLimits;
use crate::model::{DeclaredSet, Test};
use crate::normalize;
use crate::regex::table;

/// A compiled rule set that owns its bytes.
///
/// [`Tables`] borrow it, and answer:
///
/// ```
/// use robotsc_build::CompiledSet;
/// use robotsc_build::model::{DeclaredRule, DeclaredSet, Test};
/// use robotsc_compiler::{AgentName, Dialect, Verdict};
///
/// let declared = DeclaredSet {
///     name: "no-carts".to_owned(),
///     description: String::new(),
///     dialect: Dialect::GOOGLE,
///     origins: Vec::new(),
///     agents: Vec::new(),
///     star: None,
///     rules: vec![DeclaredRule {
///         verdict: Verdict::Disallow,
///         test: Test::Path(b"/*/cart".to_vec()),
///         name: None,
///         place: 0,
///     }],
///     places: Vec::new(),
/// };
/// let compiled = CompiledSet::of(&declared)?;
/// let tables = compiled.tables()?;
/// let path = Dialect::GOOGLE.url_path("https://shop.example/shop/cart")?;
/// assert!(!tables.set().is_allowed(AgentName::new("FooBot")?, path.as_path())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompiledSet {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) dialect: &'static str,
    pub(crate) form: PathForm,
    pub(crate) agent_match: AgentMatch,
    pub(crate) origins: Vec<OriginPattern<String>>,
    /// Token and group.
    pub(crate) agents: Vec<(String, u32)>,
    pub(crate) groups: Vec<CompiledGroup>,
    pub(crate) star: Option<u32>,
    /// The path patterns among the declared rules: a program that numbers the rules from the last, which is 1.
    pub(crate) paths: Option<Vec<u8>>,
    /// Rule and table.
    pub(crate) regexes: Vec<(u32, Vec<u8>)>,
    pub(crate) prefilters: Vec<prefilter::Prefiltered>,
    /// Name and rule.
    pub(crate) queries: Vec<(Vec<u8>, u32)>,
    pub(crate) rules: Vec<u8>,
    pub(crate) files: Vec<String>,
    pub(crate) places: Vec<u8>,
}

/// Why a declared rule set could not be compiled.
#[derive(Debug)]
pub struct CompileSetError {
    set: String,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    /// Which part of the set is wrong, and why.
    Wrong(String),
    Rules(CompileError),
    Regex(String, table::TableError),
    Places(usize),
    /// What this process wrote is not read back.
    Table(String),
}

impl fmt::Display for CompileSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule set {}: ", self.set)?;
        match &self.cause {
            Cause::Wrong(message) => f.write_str(message),
            Cause::Rules(error) => error.fmt(f),
            Cause::Regex(pattern, error) => write!(f, "regular expression {pattern:?}: {error}"),
            Cause::Places(bytes) => {
                write!(f, "its rules as written have {bytes} bytes, the limit is 4 GiB: split the rule set")
            }
            Cause::Table(error) => write!(f, "a compiled table is not read back: {error}"),
        }
    }
}

impl std::error::Error for CompileSetError {}

impl CompileSetError {
    /// Reports whether the set is over a limit of the compiler, so that a smaller set would do.
    #[must_use]
    pub const fn is_limit_exceeded(&self) -> bool {
        match &self.cause {
            Cause::Rules(_) | Cause::Places(_) => true,
            Cause::Regex(_, error) => error.is_limit_exceeded(),
            Cause::Table(_) | Cause::Wrong(_) => false,
        }
    }
}

impl CompiledSet {
    /// Compiles a declared rule set, with the rules' names, so that verdicts can be explained. Patterns, names and
    /// origins are normalized: `/café` becomes `/caf%C3%A9`, and the agent `FooBot` is found in any case.
    ///
    /// # Errors
    /// [`CompileSetError`] if a rule could never match (the pattern `cart`, a query name with a `=`, rules in the form
    /// of another dialect), if two agents have one name, or if a limit of the compiler is passed; see
    /// [`Compiler::compile`](robotsc_compiler::Compiler::compile).
    pub fn of(declared: &DeclaredSet) -> Result<Self, CompileSetError> {
        Self::build(declared, true, &BuildLimits::default())
    }

    /// Compiles a declared rule set for verdicts alone: about a quarter as large, and no answer names its rule.
    ///
    /// # Errors
    /// As [`CompiledSet::of`].
    pub fn without_rules(declared: &DeclaredSet) -> Result<Self, CompileSetError> {
        Self::build(declared, false, &BuildLimits::default())
    }

    pub(crate) fn build(
        declared: &DeclaredSet,
        names_rules: bool,
        limits: &BuildLimits,
    ) -> Result<Self, CompileSetError> {
        let failed = |cause| CompileSetError { set: declared.name.clone(), cause };
        let mut groups = Groups::new(names_rules);
        let agents = agents(declared, &mut groups).map_err(failed)?;
        let star = declared.star.as_ref().map(|rules| group(declared, rules, &mut groups)).transpose();
        let star = star.map_err(failed)?;
        let RulesByKind { words, paths, regexes, queries } =
            RulesByKind::of(declared, names_rules, limits).map_err(failed)?;
        let mut prefilters = Vec::new();
        let patterns: Vec<&str> = regexes.iter().map(|(_, pattern, _)| *pattern).collect();
        prefilter::prefilters(&patterns, limits, &mut prefilters);
        let regexes = regexes.into_iter().map(|(number, _, table)| (number, table)).collect();
        let paths = program_of_paths(declared, paths).map_err(failed)?;
        let origins = declared.origins.iter().map(|origin| {
            let normal = normalize::origin(origin);
            normal.map_err(|error| failed(Cause::Wrong(format!("`{origin}` is no origin: {error}"))))
        });
        let origins = origins.collect::<Result<_, _>>()?;
        let (files, places) =
            if names_rules { places::table(declared, &groups.reached) } else { (Vec::new(), Vec::new()) };
        if u32::try_from(places.len()).is_err() || files.len() > usize::from(u16::MAX) {
            return Err(failed(Cause::Places(places.len())));
        }
        Ok(Self {
            name: declared.name.clone(),
            description: declared.description.clone(),
            dialect: declared.dialect.name,
            form: declared.dialect.path_form(),
            agent_match: declared.dialect.agent_match,
            origins,
            agents,
            groups: groups.groups,
            star,
            paths,
            regexes,
            prefilters,
            queries: queries.into_iter().collect(),
            rules: words,
            files,
            places,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tables that a [`Set`] is made of.
    ///
    /// # Errors
    /// [`CompileSetError`] if a table that was compiled is not read back. No rule is left out for that.
    pub fn tables(&self) -> Result<Tables<'_>, CompileSetError> {
        self.read().map_err(|cause| CompileSetError { set: self.name.clone(), cause })
    }

    fn read(&self) -> Result<Tables<'_>, Cause> {
        Ok(Tables {
            compiled: self,
            origins: self.origins.iter().map(OriginPattern::borrowed).collect(),
            agents: self.agents.iter().map(|(token, group)| NamedAgent { token, group: *group }).collect(),
            groups: self.groups.iter().map(CompiledGroup::tables).collect::<Result<_, _>>()?,
            paths: self.paths.as_deref().map(program).transpose()?,
            regexes: self.regexes.iter().map(|(rule, table)| regex(*rule, table)).collect::<Result<_, _>>()?,
            prefilters: self.prefilters.iter().map(prefiltered).collect::<Result<_, _>>()?,
            queries: self.queries.iter().map(|(name, rule)| DeclaredQuery { name, rule: *rule }).collect(),
            files: self.files.iter().map(String::as_str).collect(),
        })
    }
}

/// Returns the keys of agents and the numbers of their groups, sorted.
fn agents(declared: &DeclaredSet, groups: &mut Groups) -> Result<Vec<(String, u32)>, Cause> {
    let mut agents: BTreeMap<String, u32> = BTreeMap::new();
    for (name, rules) in &declared.agents {
        let keys = normalize::agent(&declared.dialect, name);
        let keys = keys.ok_or_else(|| Cause::Wrong(format!("{name:?} is no agent name; `star` is for all others")))?;
        let number = group(declared, rules, groups)?;
        for key in keys {
            if *agents.entry(key).or_insert(number) != number {
                return Err(Cause::Wrong(format!("the agent {name:?} has rules twice")));
            }
        }
    }
    Ok(agents.into_iter().collect())
}

/// Returns the number of the group with some rules.
fn group(declared: &DeclaredSet, rules: &RuleSet, groups: &mut Groups) -> Result<u32, Cause> {
    if rules.path_form() != declared.dialect.path_form() {
        let message = format!("the rules of a group are in another form than the dialect {}", declared.dialect.name);
        return Err(Cause::Wrong(message));
    }
    groups.number(rules).map_err(Cause::Rules)
}

/// The declared rules by kind, each with its number.
struct RulesByKind<'d> {
    /// For each rule, in order: the number of its place and its verdict.
    words: Vec<u8>,
    paths: Vec<(Verdict, Vec<u8>, u32)>,
    /// Number, expression, table.
    regexes: Vec<(u32, &'d str, Vec<u8>)>,
    /// Of each name the first rule.
    queries: BTreeMap<Vec<u8>, u32>,
}

impl<'d> RulesByKind<'d> {
    fn of(declared: &'d DeclaredSet, names_rules: bool, limits: &BuildLimits) -> Result<Self, Cause> {
        let mut rules = Self { words: Vec::new(), paths: Vec::new(), regexes: Vec::new(), queries: BTreeMap::new() };
        for (number, rule) in (0..).zip(&declared.rules) {
            if rule.place as usize > declared.places.len() {
                let (place, count) = (rule.place, declared.places.len());
                return Err(Cause::Wrong(format!("the rule {} is at place {place} of {count}", number + 1)));
            }
            let place = if names_rules { rule.place & (u32::MAX >> 1) } else { 0 };
            rules.words.extend_from_slice(&(place | u32::from(rule.verdict.is_allow()) << 31).to_le_bytes());
            match &rule.test {
                Test::Path(pattern) => {
                    let normal = normalize::path(&declared.dialect, pattern).map_err(|fault| {
                        Cause::Wrong(format!("the path pattern \"{}\" {fault}", pattern.escape_ascii()))
                    })?;
                    rules.paths.push((rule.verdict, normal, number + 1));
                }
                Test::Regex(pattern) => {
                    let table = table::of(pattern, declared.dialect.path_form(), limits)
                        .map_err(|error| Cause::Regex(pattern.clone(), error))?;
                    rules.regexes.push((number, pattern, table));
                }
                Test::Query(name) => {
                    let wrong = |fault: &dyn fmt::Display| {
                        let name = name.escape_ascii();
                        Cause::Wrong(format!("\"{name}\" is no name of a query parameter: {fault}"))
                    };
                    let name = str::from_utf8(name).map_err(|_| wrong(&"it is not UTF-8"))?;
                    let name = normalize::query(&declared.dialect, name).map_err(|fault| wrong(&fault))?;
                    rules.queries.entry(name).or_insert(number);
                }
            }
        }
        Ok(rules)
    }
}

/// Returns the program of the path patterns, which numbers the declared rules from the last.
fn program_of_paths(declared: &DeclaredSet, paths: Vec<(Verdict, Vec<u8>, u32)>) -> Result<Option<Vec<u8>>, Cause> {
    if paths.is_empty() {
        return Ok(None);
    }
    let rules = RuleSet::in_order(declared.dialect.path_form(), paths);
    let rules = rules.map_err(|error| Cause::Wrong(error.to_string()))?;
    let count = declared.rules.len() as u32;
    let numbers: Vec<u32> = rules.rules().iter().map(|rule| count + 1 - rule.line).collect();
    let program = compiler(Output::DecidingRule).compile_numbered(&rules, &numbers).map_err(Cause::Rules)?;
    Ok(Some(program.into_bytes()))
}

impl CompiledGroup {
    fn tables(&self) -> Result<AgentGroup<'_>, Cause> {
        let verdict = self.verdict.as_deref().map(program).transpose()?;
        let deciding_rule = self.deciding_rule.as_deref().map(program).transpose()?;
        Ok(AgentGroup { verdict, deciding_rule, rules_before: self.rules_before })
    }
}

fn program(bytes: &[u8]) -> Result<Program<'_>, Cause> {
    Program::from_trusted(bytes).map_err(|error| Cause::Table(error.to_string()))
}

fn dfa(bytes: &[u8]) -> Result<Dfa<'_>, Cause> {
    Dfa::from_trusted(bytes).map_err(|error| Cause::Table(error.to_string()))
}

fn regex(rule: u32, table: &[u8]) -> Result<DeclaredRegex<'_>, Cause> {
    Ok(DeclaredRegex { rule, dfa: dfa(table)? })
}

fn prefiltered(prefiltered: &prefilter::Prefiltered) -> Result<DeclaredPrefilter<'_>, Cause> {
    let prefilter = prefiltered.prefilter.as_deref().map(Prefilter::from_trusted).transpose();
    let prefilter = prefilter.map_err(|error| Cause::Table(error.to_string()))?;
    let rest = prefiltered.rest.as_deref().map(dfa).transpose()?;
    Ok(DeclaredPrefilter { regexes: prefiltered.regexes, prefilter, rest })
}

/// The tables of a [`CompiledSet`], ready to be asked.
#[derive(Clone, Debug)]
pub struct Tables<'c> {
    compiled: &'c CompiledSet,
    origins: Vec<OriginPattern<&'c str>>,
    agents: Vec<NamedAgent<'c>>,
    groups: Vec<AgentGroup<'c>>,
    paths: Option<Program<'c>>,
    regexes: Vec<DeclaredRegex<'c>>,
    prefilters: Vec<DeclaredPrefilter<'c>>,
    queries: Vec<DeclaredQuery<'c>>,
    files: Vec<&'c str>,
}

impl Tables<'_> {
    /// The set: a few words, made of what is borrowed here.
    #[must_use]
    pub fn set(&self) -> Set<'_> {
        let compiled = self.compiled;
        Set::from_parts(Parts {
            name: &compiled.name,
            description: &compiled.description,
            dialect: compiled.dialect,
            form: compiled.form,
            agent_match: compiled.agent_match,
            origins: &self.origins,
            agents: &self.agents,
            groups: &self.groups,
            star: compiled.star,
            declared: Declared {
                paths: self.paths,
                regexes: &self.regexes,
                prefilters: &self.prefilters,
                queries: &self.queries,
                rules: &compiled.rules,
            },
            places: Places::new(&self.files, &compiled.places),
        })
    }
}
