//! `--policy`: a declared rule set, alone or beside a robots.txt.
//!
//! Beside a robots.txt it is an overlay: both must allow, so it can only disallow more.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;

use robotsc::dialect::AgentMatch;
use robotsc::origin::Origin;
use robotsc::user_agent::KnownAgents;
use robotsc::{Dialect, bundled};
use robotsc_build::limits::Limits;
use robotsc_build::load::{self, Loaded};
use robotsc_build::{CompiledSet, Tables};
use robotsc_runtime::embed::{Answer, Rules, Set};

use crate::args::AgentArgs;
use crate::crawlers::Asker;
use crate::failure::{Failure, complain};
use crate::shown;

/// The name that the library's own rule sets go by.
const BUNDLED: &str = "bundled:";

/// A rule set that was named on the command line.
#[derive(Debug)]
pub(crate) enum Policy {
    /// One that ships with the library.
    Bundled(&'static Set<'static>),
    /// One of a file.
    OfFile { compiled: Box<CompiledSet>, dialect: Dialect },
}

impl Policy {
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
        let shown = shown::octets(path.as_encoded_bytes());
        let path = Path::new(path);
        if !path.exists() {
            return Err(Failure::new(format_args!(
                "cannot read: {shown}: no such file or directory: give a file of rule sets, or bundled:NAME"
            )));
        }
        let limits = Limits::default();
        let loaded = if path.is_dir() { load::load_dir(path, &limits) } else { load::load_file(path, &limits) };
        let Loaded { sets, warnings, .. } = loaded.map_err(|found| {
            // Diagnostics are a page of their own, as a compiler's are. Where standard error is closed there is no one
            // to tell.
            let _ = writeln!(anstream::stderr(), "{}", found.render(true));
            Failure::new(format_args!("bad rule sets: {shown}: mend what is told above"))
        })?;
        for warning in &warnings {
            complain(&warning.one_line());
        }
        let names = || sets.iter().map(|set| set.name.as_str());
        let set = match (name, sets.as_slice()) {
            (Some(name), sets) => {
                sets.iter().find(|set| set.name == name).ok_or_else(|| unknown(name, &shown, names()))
            }
            (None, [set]) => Ok(set),
            (None, []) => {
                Err(Failure::new(format_args!("no rule sets: {shown}: declare one, as rules/README.md says")))
            }
            (None, _) => Err(Failure::new(format_args!(
                "several rule sets: {shown}: name one behind a #: {}",
                names().collect::<Vec<_>>().join(", ")
            ))),
        }?;
        let compiled = CompiledSet::of(set).map_err(|error| Failure::new(format_args!("cannot compile: {error}")))?;
        Ok(Self::OfFile { compiled: Box::new(compiled), dialect: set.dialect.clone() })
    }

    /// The tables that a set of a file is asked through.
    pub(crate) fn tables(&self) -> Option<Tables<'_>> {
        match self {
            Self::Bundled(_) => None,
            Self::OfFile { compiled, .. } => Some(compiled.tables()),
        }
    }

    /// The rule set, asked by whom the arguments name. `tables` are its own.
    pub(crate) fn overlay<'p>(&self, tables: Option<&'p Tables<'_>>, args: &AgentArgs) -> Result<Overlay<'p>, Failure> {
        let (set, dialect) = match (self, tables) {
            (Self::OfFile { dialect, .. }, Some(tables)) => (tables.set(), dialect.clone()),
            (Self::Bundled(set), _) => (**set, bundled::dialect_of(set)),
            (Self::OfFile { .. }, None) => return Err(Failure::new("the rule set was not compiled")),
        };
        Ok(Overlay { agents: agents(&set, &dialect, args)?, set, dialect })
    }
}

/// Splits `FILE#NAME`; a file whose own name holds a `#` is taken whole where it is there.
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

/// A rule set and who asks it.
#[derive(Debug)]
pub(crate) struct Overlay<'p> {
    pub(crate) set: Set<'p>,
    /// The dialect in whose form its paths are.
    pub(crate) dialect: Dialect,
    /// Product tokens; all must be allowed.
    agents: Vec<String>,
}

impl Overlay<'_> {
    /// What the set says to a URL, or to a path that starts with `/`; `None` where it does not apply to the URL's
    /// origin.
    pub(crate) fn ask(&self, url: &[u8]) -> Result<Option<Answer<'_>>, String> {
        if !url.starts_with(b"/") || url.starts_with(b"//") {
            let origin = Origin::of_url(url).map_err(|error| error.to_string())?;
            if !self.applies_to(&origin) {
                return Ok(None);
            }
        }
        let path = self.dialect.intake(url).map_err(|error| error.to_string())?;
        Ok(self.answer(path.as_bytes()))
    }

    /// Whether the set applies to an origin.
    pub(crate) fn applies_to(&self, origin: &Origin) -> bool {
        self.set.applies_to(origin.scheme(), origin.host(), Some(origin.port()))
    }

    /// The rules of all who ask: each must allow.
    pub(crate) fn rules(&self) -> Vec<Rules<'_>> {
        self.agents.iter().map(|agent| self.set.rules_for(agent)).collect()
    }

    /// What the set says to a path in the form of its dialect.
    fn answer(&self, path: &[u8]) -> Option<Answer<'_>> {
        let answers = self.agents.iter().map(|agent| self.set.verdict(agent, path));
        // The first that disallows, else the last.
        answers.reduce(|first, next| if first.verdict.is_allow() { next } else { first })
    }
}

/// The tokens that a set is asked for. A set without groups says the same to everybody, so nobody need be named.
fn agents(set: &Set<'_>, dialect: &Dialect, args: &AgentArgs) -> Result<Vec<String>, Failure> {
    let everybody = || vec!["*".to_owned()];
    if let Some(header) = &args.header {
        let known = KnownAgents::new(set.agents())
            .map_err(|error| Failure::new(format_args!("cannot use --header: {error}")))?;
        let mut tokens: Vec<String> =
            known.find(header.as_bytes()).map(|token| String::from_utf8_lossy(token).into_owned()).collect();
        tokens.dedup();
        return Ok(if tokens.is_empty() { everybody() } else { tokens });
    }
    match args.agents.as_slice() {
        [] if set.agents().len() == 0 && !set.has_star() => Ok(everybody()),
        [] => Err(Asker::missing()),
        [_, ..] if args.chain => {
            let first = args.agents.iter().find(|token| names(set, dialect, token));
            Ok(first.map_or_else(everybody, |token| vec![token.clone()]))
        }
        tokens => Ok(tokens.to_vec()),
    }
}

/// Whether a group of the set names a crawler, as the dialect compares them.
fn names(set: &Set<'_>, dialect: &Dialect, token: &str) -> bool {
    set.agents().any(|known| {
        let (Some(start), rest) = (token.get(..known.len()), token.get(known.len()..).unwrap_or_default()) else {
            return false;
        };
        let ends = match dialect.agent_match {
            AgentMatch::Exact => rest.is_empty(),
            AgentMatch::LongestPrefixAtHyphen => rest.is_empty() || rest.starts_with('-'),
            AgentMatch::LongestPrefix => true,
        };
        ends && start.eq_ignore_ascii_case(known)
    })
}
