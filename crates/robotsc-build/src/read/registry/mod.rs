//! The register of known crawlers: `agents.ron` beside the rule sets.
//!
//! It is a list of facts, not rules: product tokens, who runs each crawler and what for, the groups that it falls
//! back on, and the page that states this.
//!
//! ```
//! use robotsc_build::registry::{RegisteredObedience, RegisteredPurpose, Registry};
//!
//! let text = r#"(
//!     version: 1,
//!     sources: { "example": (url: "https://bots.example/", checked: "2026-11-21") },
//!     agents: [
//!         (token: "ExampleBot", operator: "Example", purposes: [Search], source: "example"),
//!         (
//!             token: "ExampleBot-Image", operator: "Example", purposes: [Search], fallback: ["ExampleBot"],
//!             source: "example",
//!         ),
//!     ],
//! )"#;
//! let registry = Registry::parse("agents.ron", text)?;
//! let image = registry.agents().iter().find(|agent| agent.token == "ExampleBot-Image").unwrap();
//! assert_eq!(image.fallback, ["ExampleBot"]);
//! assert_eq!(image.purposes, [RegisteredPurpose::Search]);
//! assert_eq!(image.robots, RegisteredObedience::Obeyed);
//! # Ok::<(), robotsc_build::registry::RegistryError>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde::Deserialize;

mod generate;

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
    pub purposes: Vec<RegisteredPurpose>,
    /// The tokens whose groups it obeys if no group names it, in order. `*` comes last, unless `robots` is
    /// [`RegisteredObedience::ObeyedByName`].
    pub fallback: Vec<String>,
    /// What its operator says it does with robots.txt.
    pub robots: RegisteredObedience,
    /// Whether the token only controls the use of what another crawler fetched: nothing is fetched under this name.
    pub control: bool,
    /// Whether no crawler has this name any more.
    pub retired: bool,
    /// The tokens of the crawlers that took its place; only if it is retired.
    pub successors: Vec<String>,
    /// The page that states this.
    pub source: String,
    /// The day on which that page, or a report of it, was last read: `2026-11-21`.
    pub checked: Option<String>,
    /// What else is worth knowing.
    pub note: Option<String>,
}

/// What a crawler fetches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename = "Purpose")]
#[non_exhaustive]
pub enum RegisteredPurpose {
    /// The index of a search engine.
    Search,
    /// The training of models.
    AiTraining,
    /// An index or answers of an assistant, with links to the sources.
    AiSearch,
    /// A request of one person.
    UserTriggered,
    /// Link graphs and audits for site owners.
    Seo,
    /// An archive of the web.
    Archive,
    /// The card that is shown for a link.
    Preview,
    /// Advertisements: their quality, their targets.
    Ads,
    /// The owner's own checks.
    Monitoring,
    /// The search for malware.
    Security,
    /// Science.
    Research,
    /// Data that is sold or used internally.
    Data,
}

/// What an operator says that a crawler does with robots.txt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename = "Obedience")]
#[non_exhaustive]
pub enum RegisteredObedience {
    /// It obeys it.
    #[default]
    Obeyed,
    /// It obeys the groups that name it, and no others: not those for `*`.
    ObeyedByName,
    /// The operator says that it can ignore it.
    MayBeIgnored,
    /// It ignores it.
    Ignored,
    /// The operator does not state it, or the statement was not found.
    NotStated,
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
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    sources: BTreeMap<String, Source>,
    agents: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    url: String,
    #[serde(default)]
    checked: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    token: String,
    operator: String,
    purposes: Vec<RegisteredPurpose>,
    #[serde(default)]
    fallback: Vec<String>,
    #[serde(default)]
    robots: RegisteredObedience,
    #[serde(default)]
    control: bool,
    #[serde(default)]
    retired: bool,
    #[serde(default)]
    successors: Vec<String>,
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

    /// Parses a register. Errors call the file `name`.
    ///
    /// Cost: nearly linear in the text. Never panics.
    ///
    /// # Errors
    /// [`RegistryError`] if the text is over 1 MiB or not a register, if a token is invalid or registered twice, if an
    /// agent has no purpose, an unknown source, or a successor that is unknown or retired too, or if a date is invalid.
    pub fn parse(name: &str, text: &str) -> Result<Self, RegistryError> {
        let refuse =
            |line, column, message| Err(RegistryError { file: name.to_owned(), line, column, message, source: None });
        if text.len() > MAX_BYTES {
            return refuse(None, None, format!("the register has {} bytes, the limit is {MAX_BYTES}", text.len()));
        }
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let file: File = match options.from_str(text) {
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
        for entry in &file.agents {
            let message = match fault_of_entry(entry, &file.sources) {
                Some(message) => Some(message),
                None if !seen.insert(entry.token.to_ascii_lowercase()) => Some("registered twice".to_owned()),
                None => None,
            };
            if let Some(message) = message {
                let line = last_line_of_token(text, &entry.token);
                return refuse(line, None, format!("agent `{}`: {message}", entry.token.escape_debug()));
            }
        }
        for entry in &file.agents {
            if let Some(message) = fault_of_successors(entry, &file.agents) {
                let line = last_line_of_token(text, &entry.token);
                return refuse(line, None, format!("agent `{}`: {message}", entry.token.escape_debug()));
            }
        }
        if let Some(message) = fault_of_sources(&file) {
            return refuse(line_of(text, "sources"), None, message);
        }
        let mut agents: Vec<RegisteredAgent> =
            file.agents.into_iter().filter_map(|entry| entry.into_agent(&file.sources)).collect();
        agents.sort_by_cached_key(|agent| agent.token.to_ascii_lowercase());
        Ok(Self { agents })
    }

    /// Returns the crawlers, sorted by token without regard to case.
    pub fn agents(&self) -> &[RegisteredAgent] {
        &self.agents
    }
}

impl Entry {
    fn into_agent(self, sources: &BTreeMap<String, Source>) -> Option<RegisteredAgent> {
        let source = sources.get(&self.source)?;
        Some(RegisteredAgent {
            token: self.token,
            operator: self.operator,
            purposes: self.purposes,
            fallback: self.fallback,
            robots: self.robots,
            control: self.control,
            retired: self.retired,
            successors: self.successors,
            source: source.url.clone(),
            checked: source.checked.clone(),
            note: self.note,
        })
    }
}

fn fault_of_sources(file: &File) -> Option<String> {
    let used: BTreeSet<&str> = file.agents.iter().map(|entry| entry.source.as_str()).collect();
    file.sources.iter().find_map(|(key, source)| {
        if !source.url.starts_with("https://") {
            return Some(format!("source `{key}`: `{}` is not an https URL", source.url.escape_debug()));
        }
        match &source.checked {
            Some(day) if !is_day(day) => {
                Some(format!("source `{key}`: `{}` is not a day, write it as 2026-11-21", day.escape_debug()))
            }
            _ if !used.contains(key.as_str()) => Some(format!("source `{key}`: no agent uses it, remove it")),
            _ => None,
        }
    })
}

fn fault_of_entry(entry: &Entry, sources: &BTreeMap<String, Source>) -> Option<String> {
    if !is_token(&entry.token) {
        return Some(format!("a token has 1 to {MAX_TOKEN_BYTES} letters, digits, `-`, `_` or `.`"));
    }
    if entry.operator.trim().is_empty() {
        return Some("no operator".to_owned());
    }
    let purposes: BTreeSet<RegisteredPurpose> = entry.purposes.iter().copied().collect();
    if purposes.is_empty() {
        return Some("no purpose".to_owned());
    }
    if purposes.len() != entry.purposes.len() {
        return Some("a purpose is listed twice".to_owned());
    }
    let mut seen = BTreeSet::from([entry.token.to_ascii_lowercase()]);
    for token in &entry.fallback {
        if !is_token(token) {
            return Some(format!("falls back on `{}`, which is not a token", token.escape_debug()));
        }
        if !seen.insert(token.to_ascii_lowercase()) {
            return Some(format!("falls back on `{token}` twice, or on itself"));
        }
    }
    if !sources.contains_key(&entry.source) {
        return Some(format!("source `{}` is not among the sources", entry.source.escape_debug()));
    }
    None
}

fn fault_of_successors(entry: &Entry, all: &[Entry]) -> Option<String> {
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
