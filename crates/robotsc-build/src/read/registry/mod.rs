//! The register of known crawlers: the one that ships with this crate, and `agents.ron` beside rule sets for more.
//!
//! It is a list of facts, not rules: product tokens, who runs each crawler and what for, the groups that it falls
//! back on, and the page that states this.
//!
//! ```
//! use robotsc_build::registry::{Obedience, Purpose, Registry};
//!
//! let text = r#"(
//!     version: 1,
//!     sources: { "example": (url: "https://bots.example/", checked: "2026-11-21") },
//!     agents: [
//!         (token: "ExampleBot", operator: "Example", purposes: ["search"], source: "example"),
//!         (
//!             token: "ExampleBot-Image", operator: "Example", purposes: ["search"], fallback: ["ExampleBot"],
//!             source: "example",
//!         ),
//!     ],
//! )"#;
//! let registry = Registry::parse("agents.ron", text)?;
//! let image = registry.agents().iter().find(|agent| agent.token == "ExampleBot-Image").unwrap();
//! assert_eq!(image.fallback, ["ExampleBot"]);
//! assert_eq!(image.purposes, [Purpose::Search]);
//! assert_eq!(image.robots, Obedience::Obeyed);
//! assert!(Registry::bundled().agent("GPTBot").is_some());
//! # Ok::<(), robotsc_build::registry::RegistryError>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::LazyLock;

pub use robotsc_compiler::register::{Obedience, Purpose};
use serde::Deserialize;

mod generate;

/// The register that ships with this crate.
static BUNDLED: LazyLock<Registry> = LazyLock::new(|| {
    let parsed = Registry::parse("register/agents.ron", include_str!("../../../register/agents.ron"));
    parsed.unwrap_or_else(|error| unreachable!("the tests parse the register that ships: {error}"))
});

/// The name of the file in a folder of rule sets; it holds no rule sets.
pub const FILE_NAME: &str = "agents.ron";

/// The version of the schema that is read.
const VERSION: u32 = 1;

/// The maximum size of a register.
const MAX_BYTES: usize = 1 << 20;

/// The maximum length of a token.
const MAX_TOKEN_BYTES: usize = 128;

/// The crawlers of a register, sorted by token without regard to case.
#[derive(Clone, Debug)]
pub struct Registry {
    agents: Vec<RegisteredAgent>,
}

/// A known crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredAgent {
    /// Its product token, as its operator writes it.
    pub token: String,
    /// Who runs it.
    pub operator: String,
    /// What for, the main purpose first; never empty.
    pub purposes: Vec<Purpose>,
    /// The tokens whose groups it obeys if no group names it, in order. `*` comes last, unless `robots` is
    /// [`Obedience::ObeyedByName`].
    pub fallback: Vec<String>,
    /// What its operator says it does with robots.txt.
    pub robots: Obedience,
    /// Whether the token only controls the use of what another crawler fetched: nothing is fetched under this name.
    pub control: bool,
    /// Whether no crawler has this name any more.
    pub retired: bool,
    /// The tokens of the crawlers that took its place; only if it is retired.
    pub successors: Vec<String>,
    /// The page that states this.
    pub source: String,
    /// The day on which that page, or a report of it, was last read: `2026-11-21`.
    pub checked: String,
    /// A page on which others say that it does not obey robots.txt; only if `robots` is [`Obedience::Disobeyed`].
    pub report: Option<String>,
    /// A `User-Agent` header that it sends; `None` if none is on record. It contains the token.
    pub user_agent: Option<String>,
    /// The page that states `user_agent`, if that is not `source`.
    pub user_agent_source: Option<String>,
    /// What else is worth knowing.
    pub note: Option<String>,
}

/// Reports why a register was refused.
#[derive(Debug)]
pub struct RegistryError {
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    source: Option<std::io::Error>,
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for RegistryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}

/// The file as written.
#[derive(Deserialize)]
#[serde(rename = "Register", deny_unknown_fields)]
struct RegisterFile {
    version: u32,
    sources: BTreeMap<String, RegisterSource>,
    agents: Vec<RegisterEntry>,
}

#[derive(Deserialize)]
#[serde(rename = "Source", deny_unknown_fields)]
struct RegisterSource {
    url: String,
    checked: String,
}

#[derive(Deserialize)]
#[serde(rename = "Agent", deny_unknown_fields)]
struct RegisterEntry {
    token: String,
    operator: String,
    /// The names of [`Purpose`].
    purposes: Vec<String>,
    #[serde(default)]
    fallback: Vec<String>,
    /// The name of an [`Obedience`]; `obeyed` by default.
    #[serde(default)]
    robots: Option<String>,
    #[serde(default)]
    report: Option<String>,
    #[serde(default)]
    control: bool,
    #[serde(default)]
    retired: bool,
    #[serde(default)]
    successors: Vec<String>,
    #[serde(default)]
    user_agent: Option<String>,
    #[serde(default)]
    user_agent_source: Option<String>,
    source: String,
    #[serde(default)]
    note: Option<String>,
}

impl Registry {
    /// Reads the register of a file.
    ///
    /// # Errors
    /// [`RegistryError`] if the file cannot be read, and as [`Registry::parse`].
    pub fn read(path: &Path) -> Result<Self, RegistryError> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&name, &text),
            Err(error) => Err(RegistryError {
                file: name,
                line: None,
                column: None,
                message: "cannot read the register of crawlers".to_owned(),
                source: Some(error),
            }),
        }
    }

    /// Returns the register that ships with this crate. It is parsed once in a process.
    #[must_use]
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Parses a register. Errors call the file `name`.
    ///
    /// Cost: nearly linear in the text. Never panics.
    ///
    /// # Errors
    /// [`RegistryError`] if the text is over 1 MiB or not a register, if a token is invalid or registered twice, if an
    /// agent has no purpose, an unknown source, a successor that is unknown or retired too, or a `User-Agent` without
    /// its token, or if a date is invalid.
    pub fn parse(name: &str, text: &str) -> Result<Self, RegistryError> {
        let refuse =
            |line, column, message| Err(RegistryError { file: name.to_owned(), line, column, message, source: None });
        if text.len() > MAX_BYTES {
            return refuse(None, None, format!("the register has {} bytes, the limit is {MAX_BYTES}", text.len()));
        }
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let file: RegisterFile = match options.from_str(text) {
            Ok(file) => file,
            Err(error) => {
                let start = error.span.start;
                return refuse(Some(start.line), Some(start.col), error.code.to_string());
            }
        };
        if file.version != VERSION {
            let message = format!("version {} of the register, this reads version {VERSION}", file.version);
            return refuse(line_of(text, "version"), None, message);
        }
        let mut seen = BTreeSet::new();
        let mut agents = Vec::with_capacity(file.agents.len());
        for entry in &file.agents {
            let agent = entry.check(&file).and_then(|agent| match seen.insert(entry.token.to_ascii_lowercase()) {
                true => Ok(agent),
                false => Err("registered twice".to_owned()),
            });
            match agent {
                Ok(agent) => agents.push(agent),
                Err(message) => {
                    let line = last_line_of_token(text, &entry.token);
                    return refuse(line, None, format!("agent `{}`: {message}", entry.token.escape_debug()));
                }
            }
        }
        if let Some(message) = fault_of_sources(&file) {
            return refuse(line_of(text, "sources"), None, message);
        }
        agents.sort_by_cached_key(|agent| agent.token.to_ascii_lowercase());
        Ok(Self { agents })
    }

    /// Returns the crawlers, sorted by token without regard to case.
    #[must_use]
    pub fn agents(&self) -> &[RegisteredAgent] {
        &self.agents
    }

    /// Returns the crawler with a token, without regard to case.
    #[must_use]
    pub fn agent(&self, token: &str) -> Option<&RegisteredAgent> {
        let token = token.to_ascii_lowercase();
        let found = self.agents.binary_search_by(|agent| agent.token.to_ascii_lowercase().cmp(&token)).ok()?;
        self.agents.get(found)
    }
}

fn fault_of_sources(file: &RegisterFile) -> Option<String> {
    let used: BTreeSet<&str> = file.agents.iter().flat_map(RegisterEntry::sources).collect();
    file.sources.iter().find_map(|(key, source)| {
        if !source.url.starts_with("https://") {
            return Some(format!("source `{key}`: `{}` is not an https URL", source.url.escape_debug()));
        }
        if !is_day(&source.checked) {
            let day = source.checked.escape_debug();
            return Some(format!("source `{key}`: `{day}` is not a day, write it as 2026-11-21"));
        }
        (!used.contains(key.as_str())).then(|| format!("source `{key}`: no agent uses it, remove it"))
    })
}

impl RegisterEntry {
    /// Returns the keys of the sources that it names.
    fn sources(&self) -> impl Iterator<Item = &str> {
        [Some(&self.source), self.report.as_ref(), self.user_agent_source.as_ref()]
            .into_iter()
            .flatten()
            .map(String::as_str)
    }

    /// Returns the agent, or what is wrong with the entry.
    fn check(&self, file: &RegisterFile) -> Result<RegisteredAgent, String> {
        if !is_token(&self.token) {
            return Err(format!("a token has 1 to {MAX_TOKEN_BYTES} letters, digits, `-`, `_` or `.`"));
        }
        if self.operator.trim().is_empty() {
            return Err("no operator".to_owned());
        }
        let purposes = self.purposes()?;
        let robots = match &self.robots {
            Some(name) => Obedience::from_str(name).map_err(|error| error.to_string())?,
            None => Obedience::default(),
        };
        if self.report.is_some() != (robots == Obedience::Disobeyed) {
            return Err("`robots: \"disobeyed\"` and `report` come together".to_owned());
        }
        self.check_fallback()?;
        let source = |key: &String| {
            let source = file.sources.get(key);
            source.ok_or_else(|| format!("source `{}` is not among the sources", key.escape_debug()))
        };
        let report = self.report.as_ref().map(source).transpose()?;
        self.check_user_agent()?;
        let user_agent_source = self.user_agent_source.as_ref().map(source).transpose()?;
        if let Some(message) = fault_of_successors(self, &file.agents) {
            return Err(message);
        }
        let RegisterSource { url, checked } = source(&self.source)?;
        Ok(RegisteredAgent {
            token: self.token.clone(),
            operator: self.operator.clone(),
            purposes,
            fallback: self.fallback.clone(),
            robots,
            control: self.control,
            retired: self.retired,
            successors: self.successors.clone(),
            source: url.clone(),
            checked: checked.clone(),
            report: report.map(|report| report.url.clone()),
            user_agent: self.user_agent.clone(),
            user_agent_source: user_agent_source.map(|source| source.url.clone()),
            note: self.note.clone(),
        })
    }

    fn purposes(&self) -> Result<Vec<Purpose>, String> {
        let mut purposes = Vec::with_capacity(self.purposes.len());
        for name in &self.purposes {
            let purpose = Purpose::from_str(name).map_err(|error| format!("`{}`: {error}", name.escape_debug()))?;
            if purposes.contains(&purpose) {
                return Err("a purpose is listed twice".to_owned());
            }
            purposes.push(purpose);
        }
        if purposes.is_empty() { Err("no purpose".to_owned()) } else { Ok(purposes) }
    }

    fn check_user_agent(&self) -> Result<(), String> {
        let Some(user_agent) = &self.user_agent else {
            return match self.user_agent_source {
                Some(_) => Err("`user_agent_source` without `user_agent`".to_owned()),
                None => Ok(()),
            };
        };
        if self.control || self.retired {
            return Err("nothing is fetched under this name, and it has a `user_agent`".to_owned());
        }
        if !user_agent.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
            return Err("`user_agent` holds a character that no header can".to_owned());
        }
        if !user_agent.to_ascii_lowercase().contains(&self.token.to_ascii_lowercase()) {
            return Err("`user_agent` does not contain the token".to_owned());
        }
        Ok(())
    }

    fn check_fallback(&self) -> Result<(), String> {
        let mut seen = BTreeSet::from([self.token.to_ascii_lowercase()]);
        for token in &self.fallback {
            if !is_token(token) {
                return Err(format!("falls back on `{}`, which is not a token", token.escape_debug()));
            }
            if !seen.insert(token.to_ascii_lowercase()) {
                return Err(format!("falls back on `{token}` twice, or on itself"));
            }
        }
        Ok(())
    }
}

fn fault_of_successors(entry: &RegisterEntry, all: &[RegisterEntry]) -> Option<String> {
    if !entry.retired && !entry.successors.is_empty() {
        return Some("it has successors, and is not retired".to_owned());
    }
    entry.successors.iter().find_map(|token| {
        let known = all.iter().find(|other| other.token.eq_ignore_ascii_case(token));
        match known {
            Some(known) if known.retired => Some(format!("its successor `{token}` is retired, too")),
            Some(_) => None,
            None => Some(format!("its successor `{}` is not registered", token.escape_debug())),
        }
    })
}

/// Reports whether a text is the name of a crawler. RFC 9309 allows letters, `-` and `_`; tokens in use also hold
/// digits and dots.
fn is_token(token: &str) -> bool {
    (1..=MAX_TOKEN_BYTES).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Reports whether a text is a day: `2026-11-21`.
fn is_day(day: &str) -> bool {
    let mut parts = day.split('-');
    let mut number = |digits: usize| {
        let part = parts.next()?;
        (part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse::<u32>().ok())?
    };
    let (year, month, date) = (number(4), number(2), number(2));
    let in_range = matches!((year, month, date), (Some(1990..), Some(1..=12), Some(1..=31)));
    in_range && parts.next().is_none()
}

/// Returns the first line, counted from 1, that starts with a word.
fn line_of(text: &str, word: &str) -> Option<usize> {
    (1..).zip(text.lines()).find(|(_, line)| line.trim_start().starts_with(word)).map(|(number, _)| number)
}

/// Returns the last line, counted from 1, that registers a token.
fn last_line_of_token(text: &str, token: &str) -> Option<usize> {
    let quoted = format!("\"{token}\"");
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| line.contains("token:") && line.contains(&quoted))
        .map(|(number, _)| number)
        .last()
}

#[cfg(test)]
mod tests;
