//! `robotsc.toml`: what a site expects of its robots.txt, how it is linted, and the policy that it has.
//!
//! ```toml
//! [lint]
//! ignore = ["prefix-overreach"]
//!
//! [[test.expect]]
//! agents = "Googlebot"
//! urls = ["/", "/blog/"]
//! verdict = "allowed"
//!
//! [[test.property]]
//! agents = "purpose:ai-training"
//! never-allowed = "/members/"
//!
//! [[test.property]]
//! all-agents = true
//! never-allowed = "/members/"
//! for = "train"
//! unknown-use = "allow"
//!
//! [set]
//! deny = ["ai-training", "Amazonbot"]
//! ```
//! A command looks for the file in the current directory and in those above it, unless `--config` names one. A key that
//! is not known is an error: a misspelt expectation must not pass.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use robotsc::Dialect;
use robotsc_answers::set::{Declaration, Options, Refusal, Why, set};
use robotsc_answers::shown;
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use crate::command_line::uses::{UnknownUseArg, UseArg};
use crate::failure::{Failure, io_cause};
use crate::io::source::Source;

/// The name of the file.
pub(crate) const NAME: &str = "robotsc.toml";

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Config {
    /// Its name, for messages.
    pub(crate) name: String,
    /// Its folder: paths in it start there.
    folder: PathBuf,
    text: String,
    pub(crate) tables: Tables,
}

/// What the file holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Tables {
    #[serde(default)]
    pub(crate) lint: LintTable,
    pub(crate) test: Option<TestTable>,
    pub(crate) set: Option<Spanned<SetTable>>,
}

/// `[set]`: the policy that `set` writes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SetTable {
    /// The robots.txt that it is written into.
    pub(crate) file: Option<String>,
    deny: Option<OneOrMany>,
    allow: Option<OneOrMany>,
    disallow: Option<OneOrMany>,
    content_usage: Option<String>,
    content_signal: Option<String>,
}

impl SetTable {
    /// Returns what is declared.
    pub(crate) fn declaration(&self) -> Declaration {
        let list = |items: &Option<OneOrMany>| items.as_ref().map_or_else(Vec::new, |items| items.as_slice().to_vec());
        Declaration {
            deny: list(&self.deny),
            allow: list(&self.allow),
            disallow: list(&self.disallow),
            content_usage: self.content_usage.clone(),
            content_signal: self.content_signal.clone(),
        }
    }

    /// Returns each name and path that is declared, alone, with its key and its text.
    fn single(&self) -> Vec<(&'static str, &str, Declaration)> {
        type Put = fn(Vec<String>) -> Declaration;
        let lists: [(&str, &Option<OneOrMany>, Put); 3] = [
            ("deny", &self.deny, |deny| Declaration { deny, ..Declaration::default() }),
            ("allow", &self.allow, |allow| Declaration { allow, ..Declaration::default() }),
            ("disallow", &self.disallow, |disallow| Declaration { disallow, ..Declaration::default() }),
        ];
        let mut single = Vec::new();
        for (key, items, put) in lists {
            let items = items.as_ref().map_or(&[][..], OneOrMany::as_slice);
            single.extend(items.iter().map(|text| (key, text.as_str(), put(vec![text.clone()]))));
        }
        single
    }
}

/// `[lint]`: the options of `lint` that the command line does not give.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LintTable {
    pub(crate) dialect: Option<Spanned<String>>,
    pub(crate) all: Option<bool>,
    #[serde(default)]
    pub(crate) select: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) ignore: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) warn: Vec<Spanned<String>>,
    pub(crate) fail_on: Option<Spanned<String>>,
    pub(crate) baseline: Option<Spanned<String>>,
}

/// `[test]`: what is expected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TestTable {
    pub(crate) file: Option<Spanned<String>>,
    pub(crate) dialects: Option<Spanned<OneOrMany>>,
    /// Crawlers that neither the file nor the register knows.
    #[serde(default)]
    pub(crate) own_agents: Vec<String>,
    #[serde(default)]
    pub(crate) expect: Vec<Spanned<Expect>>,
    #[serde(default)]
    pub(crate) property: Vec<Spanned<PropertyTable>>,
}

/// `[[test.expect]]`: verdicts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Expect {
    pub(crate) name: Option<String>,
    pub(crate) agents: Spanned<OneOrMany>,
    pub(crate) urls: Spanned<OneOrMany>,
    pub(crate) verdict: ExpectedVerdict,
}

/// A verdict that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ExpectedVerdict {
    Allowed,
    Disallowed,
}

/// `[[test.property]]`: what is true of all paths.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PropertyTable {
    pub(crate) name: Option<String>,
    pub(crate) agents: Option<Spanned<OneOrMany>>,
    /// In place of `agents`: those that the file names, and all others.
    pub(crate) all_agents: Option<Spanned<bool>>,
    pub(crate) never_blocked: Option<Spanned<OneOrMany>>,
    pub(crate) never_allowed: Option<Spanned<OneOrMany>>,
    pub(crate) same_as: Option<Spanned<String>>,
    /// With `same-as`: the paths that count.
    pub(crate) paths: Option<Spanned<OneOrMany>>,
    /// What pages are wanted for: those whose use is refused are not allowed.
    #[serde(rename = "for")]
    pub(crate) wanted: Option<Spanned<UseArg>>,
    /// With `for`: what to do with pages whose use is stated neither way.
    pub(crate) unknown_use: Option<Spanned<UnknownUseArg>>,
}

/// A text, or a list of texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(crate) fn as_slice(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

impl Config {
    /// Reads the file that `--config` names, or the one above the current directory; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or is not valid.
    pub(crate) fn find(named: Option<&OsStr>) -> Result<Option<Self>, Failure> {
        if let Some(name) = named {
            return Self::read(name).map(Some);
        }
        let current = std::env::current_dir().map_err(|error| {
            Failure::new(format_args!(
                "cannot look for {NAME}: the current directory: {}: name a file with --config",
                io_cause(&error)
            ))
        })?;
        let Some(path) = Self::above(&current) else { return Ok(None) };
        // As a person in the current directory would name it.
        let path = path.strip_prefix(&current).unwrap_or(&path);
        Self::read(path.as_os_str()).map(Some)
    }

    /// Reads the file in a folder or above it; `None` if there is none.
    ///
    /// # Errors
    /// As [`Config::find`].
    #[cfg(feature = "lsp")]
    pub(crate) fn of_folder(folder: &Path) -> Result<Option<Self>, Failure> {
        Self::above(folder).map(|path| Self::read(path.as_os_str())).transpose()
    }

    /// Returns where the file is, in a folder or above it.
    fn above(folder: &Path) -> Option<PathBuf> {
        folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.symlink_metadata().is_ok())
    }

    fn read(path: &OsStr) -> Result<Self, Failure> {
        let source = Source::read_file(path)?;
        let folder = Path::new(path).parent().unwrap_or(Path::new("")).to_owned();
        let bad = |line: usize, what: &str| bad(&source.name, line, what);
        let text = String::from_utf8(source.bytes.clone())
            .map_err(|error| bad(line_at(&source.bytes, error.utf8_error().valid_up_to()), "it is no UTF-8"))?;
        let tables = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_at(text.as_bytes(), span.start));
            bad(line, &shown::line(error.message().trim().replace('\n', " ").as_str()))
        })?;
        Ok(Self { name: source.name, folder, text, tables })
    }

    /// Returns the line of a value, from 1.
    pub(crate) fn line_of<T>(&self, value: &Spanned<T>) -> usize {
        line_at(self.text.as_bytes(), value.span().start)
    }

    /// Returns the file and the line of a value, for messages.
    pub(crate) fn place_of<T>(&self, value: &Spanned<T>) -> String {
        format!("{}: line {}", self.name, self.line_of(value))
    }

    /// Returns where the first name or path stands that is wrong by itself, or the table if none is.
    pub(crate) fn place_of_wrong(&self, table: &Spanned<SetTable>) -> String {
        let is_wrong = |declaration: &Declaration| {
            matches!(set(b"", declaration, Options::default()), Err(Refusal { why: Why::Declaration, .. }))
        };
        let wrong = table.get_ref().single().into_iter().find(|(.., declaration)| is_wrong(declaration));
        let start = wrong.and_then(|(key, text, _)| self.start_of_item(key, text)).unwrap_or(table.span().start);
        format!("{}: line {}", self.name, line_at(self.text.as_bytes(), start))
    }

    /// Returns where a text of a list of `[set]` begins.
    fn start_of_item(&self, key: &str, text: &str) -> Option<usize> {
        let tables = DeTable::parse(&self.text).ok()?;
        let value = tables.get_ref().get("set")?.get_ref().get(key)?;
        let items = value.get_ref().as_array().map_or(std::slice::from_ref(value), |items| &items[..]);
        Some(items.iter().find(|item| item.get_ref().as_str() == Some(text))?.span().start)
    }

    /// Returns the error for a value that is wrong.
    pub(crate) fn bad<T>(&self, value: &Spanned<T>, what: &str) -> Failure {
        bad(&self.name, self.line_of(value), what)
    }

    /// Returns a path that the file names.
    pub(crate) fn path(&self, path: &str) -> OsString {
        self.folder.join(path).into_os_string()
    }

    /// Returns the dialect that a value names.
    pub(crate) fn dialect<T>(&self, value: &Spanned<T>, name: &str) -> Result<&'static Dialect, Failure> {
        Dialect::by_name(name).ok_or_else(|| {
            let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
            self.bad(value, &format!("no dialect is called {}: write one of {}", shown::line(name), known.join(", ")))
        })
    }
}

fn bad(name: &str, line: usize, what: &str) -> Failure {
    Failure::new(format_args!("bad config: {name}: line {line}: {what}"))
}

/// Returns the line of a byte, from 1.
fn line_at(text: &[u8], at: usize) -> usize {
    1 + text.iter().take(at).filter(|byte| **byte == b'\n').count()
}
