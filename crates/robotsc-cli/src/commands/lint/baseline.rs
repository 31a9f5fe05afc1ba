//! A list of known findings, so that an old file can be linted for new ones alone.
//!
//! A finding is known by its check, its severity, the agents of its group and the text of its line, not by its number:
//! lines that move within their group stay known, and a rule that comes to block other agents is new. One line of the
//! list is a count, a code, a severity, the file as it is found from the folder of the list, the agents and the text of
//! the line, with tabs between.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use robotsc_analysis::Lines;
use robotsc_analysis::lint::Finding;
use robotsc_answers::lint::severity;
use robotsc_answers::shown;

use super::Linted;
use crate::failure::Failure;
use crate::io::output;
use crate::io::source::Source;

/// The first line of the list.
const HEADER: &str = "# robotsc lint baseline 2";

/// What a finding is known by: its code, its severity, the file, the agents of its group, and the text of its line.
type Known = [String; 5];

/// Known findings, and how often each is known.
#[derive(Debug)]
pub(super) struct Baseline {
    path: PathBuf,
    /// The folder of the list, without links: files are named from there.
    folder: PathBuf,
    counts: BTreeMap<Known, usize>,
}

/// Returns the agents of the group that a line is in, in lower case; empty before the first group.
fn agents(file: &Linted<'_>, line: u32) -> String {
    let robots = &file.robots;
    let starts_before =
        |group: &robotsc::robots_txt::Group| robots.agents_of(group).first().is_none_or(|agent| agent.line <= line);
    let groups = &robots.groups()[..robots.groups().partition_point(starts_before)];
    let agents = groups.last().map_or(&[][..], |group| robots.agents_of(group));
    let name =
        |agent: &robotsc::robots_txt::AgentLine| shown::bytes(&agent.value.of(robots.body()).to_ascii_lowercase());
    agents.iter().map(name).collect::<Vec<_>>().join(",")
}

impl Baseline {
    /// Returns the findings of some files, for a list at `path`.
    ///
    /// # Errors
    /// If there is a file at `path` that is no such list.
    pub(super) fn of(path: &OsStr, files: &[Linted<'_>]) -> Result<Self, Failure> {
        let is_there = Path::new(path).exists();
        if is_there && !Source::read_file(path)?.bytes.starts_with(HEADER.as_bytes()) {
            let name = shown::bytes(path.as_encoded_bytes());
            return Err(Failure::new(format_args!(
                "no baseline: {name}: it holds something else, which would be lost: name another file"
            )));
        }
        let mut list = Self::new(path);
        for file in files {
            let lines = file.lines();
            for finding in &file.found {
                *list.counts.entry(list.known(file, &lines, finding)).or_default() += 1;
            }
        }
        Ok(list)
    }

    fn new(path: &OsStr) -> Self {
        let path = PathBuf::from(path);
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Self { folder, path, counts: BTreeMap::new() }
    }

    /// Reads a list.
    ///
    /// # Errors
    /// If it cannot be read, or is no such list.
    pub(super) fn read(path: &OsStr) -> Result<Self, Failure> {
        let source = Source::read_file(path)?;
        let bad = |line: usize, what: &str| {
            Failure::new(format_args!(
                "bad baseline: {}: line {line}: {what}: write it anew with 'robotsc lint --write-baseline'",
                source.name
            ))
        };
        let text = std::str::from_utf8(&source.bytes).map_err(|_| bad(1, "it is no UTF-8"))?;
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(bad(1, "it does not begin as a baseline does"));
        }
        let mut list = Self::new(path);
        for (at, line) in lines {
            let fields: Vec<&str> = line.splitn(6, '\t').collect();
            let count = fields[0].parse::<usize>().ok();
            let (Some(count), [_, known @ ..]) = (count, fields.as_slice()) else {
                return Err(bad(at + 1, "it does not begin with a count"));
            };
            let Ok(known) = Known::try_from(known.iter().map(|field| (*field).to_owned()).collect::<Vec<_>>()) else {
                return Err(bad(at + 1, "it has not six columns"));
            };
            let sum: &mut usize = list.counts.entry(known).or_default();
            *sum = sum.saturating_add(count);
        }
        Ok(list)
    }

    /// Writes the list to its file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self) -> Result<(), Failure> {
        let mut list = format!("{HEADER}\n");
        for (known, count) in &self.counts {
            list.push_str(&format!("{count}\t{}\n", known.join("\t")));
        }
        output::write_whole(&self.path, list.as_bytes())
    }

    /// Drops the findings of a file that are known.
    pub(super) fn drop_known(&mut self, file: &mut Linted<'_>) {
        let found = std::mem::take(&mut file.found);
        let lines = file.lines();
        let mut new = Vec::new();
        for finding in found {
            let known = self.known(file, &lines, &finding);
            match self.counts.get_mut(&known) {
                Some(count) if *count > 0 => *count -= 1,
                _ => new.push(finding),
            }
        }
        drop(lines);
        file.found = new;
    }

    fn known(&self, file: &Linted<'_>, lines: &Lines<'_>, finding: &Finding) -> Known {
        [
            finding.check.code().to_owned(),
            severity(finding.severity).to_owned(),
            self.name(file),
            agents(file, finding.line),
            shown::bytes(lines.text(finding.line).trim_ascii()),
        ]
    }

    /// Returns the name of a file as the list has it: from the folder of the list on, however it was typed.
    fn name(&self, file: &Linted<'_>) -> String {
        let whole = Path::new(file.name).canonicalize();
        let path = whole.as_deref().unwrap_or(Path::new(file.name));
        shown::bytes(path.strip_prefix(&self.folder).unwrap_or(path).as_os_str().as_encoded_bytes())
    }
}
