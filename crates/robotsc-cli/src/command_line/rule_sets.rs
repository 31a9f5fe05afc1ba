//! `--rules`: a declared rule set, alone or beside a robots.txt.
//!
//! Beside a robots.txt it is an overlay: both must allow, so it can only disallow more.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;

use robotsc::AgentName;
use robotsc::agent::HeaderNames;
use robotsc::origin::Origin;
use robotsc::url::url_path;
use robotsc::{Crawler, Dialect, Verdict, bundled};
use robotsc_answers::identity::{Identity, OTHERS, agent_name};
use robotsc_answers::shown;
use robotsc_answers::url_path::{check_text, is_path};
use robotsc_build::diagnostic::SourceSpan;
use robotsc_build::limits::BuildLimits;
use robotsc_build::load::{self, Loaded};
use robotsc_build::model::{DeclaredSet, RulePlace};
use robotsc_build::{CompiledSet, Tables};
use robotsc_runtime::embed::{RuleSource, Rules, Set, SetVerdict};
use serde_json::{Map, Value};

use crate::command_line::crawlers;
use crate::failure::{Failure, complain};

/// The prefix of the names of rule sets that ship with the library.
const BUNDLED: &str = "bundled:";

/// A rule set that was named on the command line.
#[derive(Debug)]
pub(crate) enum NamedRuleSet {
    /// One that ships with the library.
    Bundled(&'static Set<'static>),
    /// One of a file.
    OfFile { compiled: Box<CompiledSet>, declared: Box<DeclaredSet>, spots: Vec<SourceSpan> },
}

impl NamedRuleSet {
    /// Returns the file or folder that a name stands for; `None` for a bundled set.
    pub(crate) fn path(named: &OsStr) -> Option<&Path> {
        let is_bundled = named.to_str().is_some_and(|named| named.starts_with(BUNDLED));
        (!is_bundled).then(|| Path::new(file_and_set(named).0))
    }

    /// Reads `bundled:NAME`, `FILE`, `FILE#NAME` or, for the sets of a folder, `DIR#NAME`.
    pub(crate) fn read(named: &OsStr) -> Result<Self, Failure> {
        if let Some(name) = named.to_str().and_then(|named| named.strip_prefix(BUNDLED)) {
            let names = bundled::rule_sets().iter().map(Set::name);
            return match bundled::rule_set(name) {
                Some(set) => Ok(Self::Bundled(set)),
                None => Err(unknown(name, "the bundled ones", names)),
            };
        }
        let (path, name) = file_and_set(named);
        let shown = shown::bytes(path.as_encoded_bytes());
        let path = Path::new(path);
        if !path.exists() {
            return Err(Failure::new(format_args!(
                "cannot read: {shown}: no such file or directory: give a file of rule sets, or bundled:NAME"
            )));
        }
        let limits = BuildLimits::default();
        let loaded = if path.is_dir() { load::load_dir(path, &limits) } else { load::load_file(path, &limits) };
        let Loaded { sets, mut spots, warnings, .. } = loaded.map_err(|found| {
            // Diagnostics are a page of their own, as a compiler's are. If standard error is closed, nobody reads it.
            let _ = writeln!(anstream::stderr(), "{}", found.render(true));
            Failure::new(format_args!("bad rule sets: {shown}: correct what is reported above"))
        })?;
        for warning in &warnings {
            complain(&warning.one_line());
        }
        let names = || sets.iter().map(|set| set.name.as_str());
        let index = match (name, sets.as_slice()) {
            (Some(name), sets) => {
                sets.iter().position(|set| set.name == name).ok_or_else(|| unknown(name, &shown, names()))
            }
            (None, [_]) => Ok(0),
            (None, []) => Err(Failure::new(format_args!("no rule sets: {shown}: declare one"))),
            (None, _) => Err(Failure::new(format_args!(
                "several rule sets: {shown}: name one after a #: {}",
                names().collect::<Vec<_>>().join(", ")
            ))),
        }?;
        let set = &sets[index];
        let compiled = CompiledSet::of(set).map_err(|error| Failure::new(format_args!("cannot compile: {error}")))?;
        let spots = spots.get_mut(index).map(std::mem::take).unwrap_or_default();
        Ok(Self::OfFile { compiled: Box::new(compiled), declared: Box::new(set.clone()), spots })
    }

    /// Returns where a rule stands that decided for a URL; `None` for a bundled set. Rules of several groups can have
    /// one text and one line, so the reference matcher says which of them it was.
    pub(crate) fn spot(&self, overlay: &Overlay<'_>, url: &[u8], rule: &RuleSource<'_>) -> Option<&SourceSpan> {
        let Self::OfFile { declared, spots, .. } = self else { return None };
        let is_rule = |place: &RulePlace| {
            (place.file.as_str(), place.line, place.text.as_str()) == (rule.file, rule.line, rule.text)
        };
        let mut same = declared.places.iter().enumerate().filter(|(_, place)| is_rule(place)).map(|(index, _)| index);
        let (first, is_alone) = (same.next()?, same.next().is_none());
        let decided = || {
            let url = str::from_utf8(url).ok()?;
            overlay.agents.iter().find_map(|agent| {
                let place = declared.decide(agent.as_deref().unwrap_or("*"), url).ok()?.place;
                let index = place.checked_sub(1)? as usize;
                declared.places.get(index).filter(|place| is_rule(place)).map(|_| index)
            })
        };
        let index = if is_alone { first } else { decided().unwrap_or(first) };
        spots.get(index)
    }

    /// Returns whose each rule is, in the order of the places: `None` for a rule for all agents. If the set is bundled,
    /// returns nothing: its tables do not say.
    pub(crate) fn agents_of_rules(&self) -> Option<Vec<Option<Vec<String>>>> {
        let Self::OfFile { declared, .. } = self else { return None };
        let mut agents = vec![Some(Vec::new()); declared.places.len()];
        let named = declared.agents.iter().map(|(key, rules)| (key.trim_start_matches('/'), rules));
        for (name, rules) in named.chain(declared.star.as_ref().map(|rules| ("*", rules))) {
            for rule in rules.rules() {
                let index = (rule.line as usize).checked_sub(1);
                if let Some(Some(names)) = index.and_then(|index| agents.get_mut(index))
                    && names.iter().all(|known| known != name)
                {
                    names.push(name.to_owned());
                }
            }
        }
        for rule in &declared.rules {
            if let Some(names) = (rule.place as usize).checked_sub(1).and_then(|index| agents.get_mut(index)) {
                *names = None;
            }
        }
        Some(agents)
    }

    /// Returns the tables of a set of a file.
    pub(crate) fn tables(&self) -> Result<Option<Tables<'_>>, Failure> {
        match self {
            Self::Bundled(_) => Ok(None),
            Self::OfFile { compiled, .. } => {
                compiled.tables().map(Some).map_err(|error| Failure::new(format_args!("cannot compile: {error}")))
            }
        }
    }

    /// Returns the rule set and the dialect whose normal form its paths have; `tables` are its own.
    ///
    /// # Errors
    /// If a set of a file is asked for without its tables.
    pub(crate) fn set<'p>(&self, tables: Option<&'p Tables<'_>>) -> Result<(Set<'p>, Dialect), Failure> {
        match (self, tables) {
            (Self::OfFile { declared, .. }, Some(tables)) => Ok((tables.set(), declared.dialect.clone())),
            (Self::Bundled(set), _) => Ok((**set, Dialect::by_name(set.dialect()).unwrap_or(&Dialect::GOOGLE).clone())),
            (Self::OfFile { .. }, None) => Err(Failure::new("the rule set was not compiled")),
        }
    }

    /// Returns the rule set as it applies to each crawler; `tables` are its own. If no crawler is named there is one
    /// overlay for all of them.
    ///
    /// # Errors
    /// If no crawler is named and the set has groups.
    pub(crate) fn overlays<'p>(
        &self,
        tables: Option<&'p Tables<'_>>,
        crawlers: &[Identity],
    ) -> Result<Vec<Overlay<'p>>, Failure> {
        if crawlers.is_empty() {
            return Ok(vec![self.overlay(tables, None)?]);
        }
        crawlers.iter().map(|crawler| self.overlay(tables, Some(crawler))).collect()
    }

    /// Returns the rule set as it applies to a crawler; `tables` are its own.
    ///
    /// # Errors
    /// If no crawler is named and the set has groups.
    pub(crate) fn overlay<'p>(
        &self,
        tables: Option<&'p Tables<'_>>,
        crawler: Option<&Identity>,
    ) -> Result<Overlay<'p>, Failure> {
        let (set, dialect) = self.set(tables)?;
        let has_common = match self {
            Self::Bundled(_) => true,
            Self::OfFile { declared, .. } => !declared.rules.is_empty(),
        };
        let agents = agents(&set, has_common, crawler)?;
        let own_name = crawler.map(|crawler| Some(crawler.name()));
        let is_own = own_name.is_some_and(|name| agents.contains(&name));
        let note = if is_own { None } else { crawler.and_then(Identity::clause) };
        Ok(Overlay { agents, note, set, dialect })
    }
}

/// Splits `FILE#NAME`, unless a file of that whole name exists.
fn file_and_set(named: &OsStr) -> (&OsStr, Option<&str>) {
    if !Path::new(named).exists()
        && let Some(text) = named.to_str()
        && let Some((file, name)) = text.rsplit_once('#')
    {
        return (OsStr::new(file), Some(name));
    }
    (named, None)
}

fn unknown<'n>(name: &str, place: &str, names: impl Iterator<Item = &'n str>) -> Failure {
    let names = names.collect::<Vec<_>>().join(", ");
    Failure::new(format_args!("no such rule set: '{name}': not among {place}: there are {names}"))
}

/// A rule set as it applies to one crawler.
#[derive(Debug)]
pub(crate) struct Overlay<'p> {
    pub(crate) set: Set<'p>,
    /// The dialect whose normal form its paths have.
    pub(crate) dialect: Dialect,
    /// Names, or none for agents that the set does not name; the rules of all must allow. Empty if no rule is for the
    /// crawler.
    agents: Vec<Option<String>>,
    /// What the register adds about the crawler, if no group of the set names it.
    pub(crate) note: Option<String>,
}

impl Overlay<'_> {
    /// Returns the answer for a URL, or for a path; `None` if the set does not apply to the URL's
    /// origin.
    ///
    /// # Errors
    /// Says in words why the URL cannot be read.
    pub(crate) fn answer(&self, url: &[u8]) -> Result<Option<SetVerdict<'_>>, String> {
        check_text(url)?;
        if !is_path(url) {
            let origin = Origin::of_url(url).map_err(|error| error.to_string())?;
            if !self.applies_to(&origin) {
                return Ok(None);
            }
        }
        let path = url_path(url, self.set.path_form()).map_err(|error| error.to_string())?;
        let mut last = SetVerdict { verdict: Verdict::Allow, rule: None };
        for rules in self.rules() {
            last = rules.verdict(path.as_path()).map_err(|error| error.to_string())?;
            if !last.verdict.is_allow() {
                break;
            }
        }
        Ok(Some(last))
    }

    /// Returns whether the set applies to an origin.
    pub(crate) fn applies_to(&self, origin: &Origin) -> bool {
        self.set.applies_to(origin.scheme(), origin.host(), Some(origin.port()))
    }

    /// Returns the rules of each product token: all must allow.
    pub(crate) fn rules(&self) -> Vec<Rules<'_>> {
        let rules = |agent: &Option<String>| match agent.as_deref().map(AgentName::new) {
            Some(Ok(name)) => self.set.rules_for(name),
            // Names were checked when the overlay was made.
            Some(Err(_)) | None => self.set.rules_for_others(),
        };
        self.agents.iter().map(rules).collect()
    }

    /// Returns an answer in JSON.
    pub(crate) fn json(&self, answer: Option<SetVerdict<'_>>) -> Value {
        let mut object = Map::new();
        object.insert("set".to_owned(), self.set.name().into());
        let verdict = answer.map_or_else(|| "outside".to_owned(), |answer| answer.verdict.to_string());
        object.insert("verdict".to_owned(), verdict.into());
        if let Some(rule) = answer.and_then(|answer| answer.rule) {
            if let Some(name) = rule.name {
                object.insert("rule".to_owned(), name.into());
            }
            object.insert("file".to_owned(), rule.file.into());
            object.insert("line".to_owned(), rule.line.into());
            object.insert("text".to_owned(), rule.text.into());
        }
        object.into()
    }
}

/// Returns the product tokens whose rules must all allow. A set without groups has the same rules for everybody, so
/// that no crawler need be named; one with groups can have rules for everybody, too (`has_common`).
fn agents(set: &Set<'_>, has_common: bool, crawler: Option<&Identity>) -> Result<Vec<Option<String>>, Failure> {
    let everybody = || vec![None];
    match crawler {
        None if set.agents().next().is_none() && !set.has_star() => Ok(everybody()),
        None => Err(crawlers::missing()),
        Some(Identity::Token(name) | Identity::Written(name)) if name == OTHERS => Ok(vec![None]),
        Some(Identity::Written(name)) => Ok(vec![Some(agent_name(name)?.to_string())]),
        Some(identity @ Identity::Token(_)) => documented(set, has_common, &identity.named_crawler()?),
        Some(Identity::Pool(names)) => names.iter().map(|name| Ok(Some(agent_name(name)?.to_string()))).collect(),
        Some(Identity::Chain(names)) => {
            let names = names.iter().map(|name| agent_name(name)).collect::<Result<Vec<_>, _>>()?;
            let first = names.into_iter().find(|name| set.names(*name));
            Ok(vec![first.map(|name| name.to_string())])
        }
        Some(Identity::Header(header)) => {
            let known = HeaderNames::new(set.agents())
                .map_err(|error| Failure::new(format_args!("cannot use --header: {error}")))?;
            let found = known.find(header.as_bytes());
            let mut tokens: Vec<_> = found.map(|name| Some(String::from_utf8_lossy(name).into_owned())).collect();
            tokens.dedup();
            match crawler.map(Identity::named_crawler) {
                Some(Ok(crawler)) if tokens.is_empty() => documented(set, has_common, &crawler),
                _ => Ok(if tokens.is_empty() { everybody() } else { tokens }),
            }
        }
    }
}

/// Returns the product token whose rules a crawler obeys as its operator documents it.
fn documented(set: &Set<'_>, has_common: bool, crawler: &Crawler) -> Result<Vec<Option<String>>, Failure> {
    let named = crawler.names().find(|name| set.names(*name));
    match named {
        Some(named) => Ok(vec![Some(named.to_string())]),
        None if !crawler.is_named_only() || !set.has_star() => Ok(vec![None]),
        None if !has_common => Ok(Vec::new()),
        // What is compiled for all that no group names holds both.
        None => Err(Failure::new(format_args!(
            "cannot answer: {}: it has rules for everybody and a group for `*`, which {crawler} does not obey: ask \
             with --as-written",
            set.name()
        ))),
    }
}
