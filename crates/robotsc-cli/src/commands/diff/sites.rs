//! What changed from one source of many sites to another, by site.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use robotsc::RobotsTxt;
use robotsc::outcome::FetchRecord;
use robotsc_analysis::words::{counted, listed};
use robotsc_analysis::{Diff, Effect, SearchBudget};
use robotsc_answers::diff as compared;
use robotsc_answers::diff::site::{self, Fetched, SiteChange, SiteGroup, SiteMeaning};
use robotsc_answers::shown;
use serde_json::json;

use super::DiffArgs;
use super::args::{Emit, FailOn};
use crate::command_line::crawlers;
use crate::commands::pack::capture;
use crate::commands::sites::other::OtherSites;
use crate::commands::sites::run::SiteRun;
use crate::commands::sites::{self, SourceSite};
use crate::failure::{End, Failure, complain};
use crate::io::markdown::code;
use crate::io::output;

/// The most sites that are listed, and the most groups of agents of each; the rest is counted.
const MAX_LISTED: u64 = 50;
const MAX_GROUPS: usize = 5;
/// How much work all sites can take without `--total-work`.
const TOTAL_WORK: u32 = 1000;
/// The most characters of a path that are shown.
const MAX_SHOWN: usize = 160;

/// What is kept of a site of the older source. Sites with one body share it.
#[derive(Debug)]
struct Kept {
    record: FetchRecord,
    body: Option<Arc<[u8]>>,
}

/// A site of the newer source, and what changed.
struct Compared {
    name: String,
    change: SiteChange,
    work: u64,
}

/// Compares two sources.
pub(super) fn diff(args: &DiffArgs, sources: [&Path; 2]) -> Result<End, Failure> {
    check(args)?;
    let names = sources.map(|source| shown::bytes(source.as_os_str().as_encoded_bytes()));
    for (source, name) in sources.iter().zip(&names) {
        sites::check(source, name)?;
    }
    // Before anything is read: a name that is none is a mistake.
    let empty = RobotsTxt::parse(b"");
    Diff::with(&empty, &empty, &compared::options(&args.agents, true, args.as_written))
        .map_err(|error| Failure::new(format_args!("bad agent: {error}")))?;
    crawlers::warn_of_near(args.agents.iter().map(String::as_str));
    let run = SiteRun::new(args.threads, false)?;
    let (mut end, older) = keep(args, &run, sources[0])?;
    if end == End::Stopped {
        complain(&format!("stopped in {}: nothing was compared", names[0]));
        return Ok(end);
    }
    let older = Arc::new(older);
    let mut report = Report::new(args);
    end = end.max(compare(args, &run, sources[1], &older, &mut report)?);
    if end == End::Clean {
        for name in older.not_found() {
            report.add(&name, &SiteChange::Vanished)?;
        }
    } else {
        // A site that was not reached, or not read, is not gone.
        complain("not everything was read: sites that are gone are not listed");
    }
    report.finish(end == End::Clean)?;
    if report.counts.sites() == 0 {
        let names = names.join(", ");
        complain(&format!("no sites: {names}: they hold no robots.txt: 'robotsc census --help' says what a source is"));
        return Ok(End::Error);
    }
    Ok(end.max(report.end()))
}

/// Checks that no option is without effect.
fn check(args: &DiffArgs) -> Result<(), Failure> {
    for (option, is_given, way_out) in [
        ("--urls", !args.list.files.is_empty(), "compare two files, or two packs"),
        ("--dialects", !args.dialects.is_empty(), "it compares one file with itself"),
    ] {
        if is_given {
            return Err(Failure::new(format_args!("{option} with many sites: the command line: {way_out}")));
        }
    }
    Ok(())
}

/// Reads the older source.
fn keep(args: &DiffArgs, run: &SiteRun, source: &Path) -> Result<(End, OtherSites<Kept>), Failure> {
    let (dialect, now) = (args.read.dialect.of_robots(), run.now);
    let mut older = OtherSites::default();
    let mut bodies: HashSet<Arc<[u8]>> = HashSet::new();
    let answer = move |site: &SourceSite| {
        let fetched = capture::fetched(&site.capture, dialect, now);
        (site.name.clone(), *fetched.record(), fetched.body().map(<[u8]>::to_vec))
    };
    let end = run.each(source, answer, &mut |(name, record, body)| {
        let body = body.map(|body| match bodies.get(body.as_slice()) {
            Some(known) => Arc::clone(known),
            None => {
                let body: Arc<[u8]> = body.into();
                bodies.insert(Arc::clone(&body));
                body
            }
        });
        older.insert(&name, Kept { record, body });
        Ok(())
    })?;
    Ok((end.end, older))
}

/// Compares each site of the newer source with that of the older one.
///
/// Which sites are compared within the work of all does not depend on the threads: a site is if those before it in the
/// source took less.
fn compare(
    args: &DiffArgs,
    run: &SiteRun,
    source: &Path,
    older: &Arc<OtherSites<Kept>>,
    report: &mut Report<'_>,
) -> Result<End, Failure> {
    let (dialect, now, agents) = (args.read.dialect.of_robots(), run.now, args.agents.clone());
    let (work, as_written, force) = (args.work, args.as_written, args.read.force);
    let in_all = SearchBudget::IN_ALL.saturating_mul(args.total_work.unwrap_or(TOTAL_WORK).into());
    let spent = Arc::new(AtomicU64::new(0));
    let (older, seen) = (Arc::clone(older), Arc::clone(&spent));
    let answer = move |site: &SourceSite| {
        let name = shown::bytes(site.name.as_bytes());
        let Some(kept) = older.find(&site.name) else {
            return Compared { name, change: SiteChange::Appeared, work: 0 };
        };
        let fetched = capture::fetched(&site.capture, dialect, now);
        let old = Fetched { record: kept.record, body: kept.body.as_deref() };
        let new = Fetched { record: *fetched.record(), body: fetched.body() };
        let work = if seen.load(Ordering::Relaxed) >= in_all { 0 } else { work };
        let options = compared::with_work(compared::options(&agents, true, as_written), work);
        // The agents were checked.
        let (change, work) = site::compared([&old, &new], dialect, &options, force).unwrap_or((SiteChange::Skipped, 0));
        Compared { name, change, work }
    };
    let end = run.each(source, answer, &mut |Compared { name, mut change, work }| {
        let before = spent.load(Ordering::Relaxed);
        if before >= in_all && matches!(change, SiteChange::Text | SiteChange::Meaning(_)) {
            change = SiteChange::Skipped;
        } else {
            spent.store(before.saturating_add(work), Ordering::Relaxed);
        }
        report.add(&name, &change)
    })?;
    Ok(end.end)
}

/// How many sites have each change.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    appeared: u64,
    vanished: u64,
    meaning: u64,
    fetch: u64,
    no_robots_txt: u64,
    not_decided: u64,
    text: u64,
    equal: u64,
    blocked: u64,
    opened: u64,
}

impl Counts {
    const fn sites(&self) -> u64 {
        self.changed() + self.no_robots_txt + self.not_decided + self.text + self.equal
    }

    const fn changed(&self) -> u64 {
        self.appeared + self.vanished + self.meaning + self.fetch
    }
}

/// What is written.
struct Report<'r> {
    args: &'r DiffArgs,
    out: Box<dyn Write>,
    counts: Counts,
    listed: u64,
    /// The rows of a table, if one is written.
    rows: Vec<[String; 4]>,
}

impl<'r> Report<'r> {
    fn new(args: &'r DiffArgs) -> Self {
        Self { args, out: output::stdout(), counts: Counts::default(), listed: 0, rows: Vec::new() }
    }

    fn add(&mut self, site: &str, change: &SiteChange) -> Result<(), Failure> {
        let counts = &mut self.counts;
        *match change {
            SiteChange::Equal => &mut counts.equal,
            SiteChange::Text => &mut counts.text,
            SiteChange::NoRobots(_) => &mut counts.no_robots_txt,
            SiteChange::Fetch(..) => &mut counts.fetch,
            SiteChange::Meaning(meaning) if meaning.is_decided() => &mut counts.meaning,
            SiteChange::Meaning(_) | SiteChange::Skipped => &mut counts.not_decided,
            SiteChange::Appeared => &mut counts.appeared,
            SiteChange::Vanished => &mut counts.vanished,
        } += 1;
        counts.blocked += u64::from(change.has(Effect::Blocked));
        counts.opened += u64::from(change.has(Effect::Opened));
        if matches!(change, SiteChange::Equal | SiteChange::Text) {
            return Ok(());
        }
        if self.args.form() == Emit::Json {
            return output::json_line(&mut self.out, &change.json(site));
        }
        self.listed += 1;
        if self.listed > MAX_LISTED && !self.args.all {
            return Ok(());
        }
        if self.args.form() == Emit::Markdown {
            self.rows.push(row(site, change));
            return Ok(());
        }
        self.write(site, change)
    }

    /// Writes a site for a person.
    fn write(&mut self, site: &str, change: &SiteChange) -> Result<(), Failure> {
        let out = &mut self.out;
        match change {
            SiteChange::Equal | SiteChange::Text => {}
            SiteChange::Appeared => writeln!(out, "+ {site}")?,
            SiteChange::Vanished => writeln!(out, "- {site}")?,
            SiteChange::Fetch([old, new], _) => {
                writeln!(out, "~ {site}: {}, now {}", old.as_str(), new.as_str())?;
            }
            SiteChange::NoRobots(_) => {
                writeln!(out, "? {site}: not compared: {}", change.reason().unwrap_or_default())?;
            }
            SiteChange::Skipped => writeln!(out, "? {site}: not decided: the work for all sites is spent")?,
            SiteChange::Meaning(meaning) => {
                writeln!(out, "{} {site}", if meaning.is_decided() { '~' } else { '?' })?;
                let most = if self.args.all { usize::MAX } else { MAX_GROUPS };
                for group in meaning.groups.iter().take(most) {
                    writeln!(out, "    {}: {}", meaning.who(&group.agents), sentence(group))?;
                }
                if meaning.groups.len() > most {
                    writeln!(out, "    and {} more groups of agents: --all lists all", meaning.groups.len() - most)?;
                }
                for record in &meaning.file_records {
                    writeln!(out, "    {record}")?;
                }
            }
        }
        Ok(())
    }

    /// Writes how many sites have each change. `is_whole` means that all was read.
    fn finish(&mut self, is_whole: bool) -> Result<(), Failure> {
        let Counts { vanished, blocked, opened, .. } = self.counts;
        let counts = self.counts;
        let vanished = is_whole.then_some(vanished);
        let summary = self.summary(vanished);
        let out = &mut self.out;
        match self.args.form() {
            Emit::Json => output::json_line(
                out,
                &json!({
                    "type": "sites", "appeared": counts.appeared, "vanished": vanished, "meaning": counts.meaning,
                    "fetch": counts.fetch, "no_robots_txt": counts.no_robots_txt, "not_decided": counts.not_decided,
                    "text": counts.text, "equal": counts.equal, "newly_blocked": blocked, "newly_allowed": opened,
                }),
            )?,
            Emit::Text => {
                if self.listed > MAX_LISTED && !self.args.all {
                    writeln!(out, "and {} more sites: --all lists all", self.listed - MAX_LISTED)?;
                }
                writeln!(out, "{summary}")?;
            }
            Emit::Markdown => {
                let of = |count| counted(count, "site");
                writeln!(out, "**Paths are closed at {}, and opened at {}.**\n\n{summary}", of(blocked), of(opened))?;
                if !self.rows.is_empty() {
                    let mut table = String::from("| site | crawlers | closed | opened |\n|-|-|-|-|\n");
                    for row in &self.rows {
                        table.push_str(&format!("| {} |\n", row.join(" | ")));
                    }
                    writeln!(out, "\n<details>\n<summary>Sites</summary>\n\n{table}\n</details>")?;
                }
                if self.listed > MAX_LISTED && !self.args.all {
                    writeln!(out, "\nand {} more sites: `robotsc diff --all` lists all", self.listed - MAX_LISTED)?;
                }
            }
        }
        Ok(self.out.flush()?)
    }

    fn summary(&self, vanished: Option<u64>) -> String {
        let Counts { appeared, meaning, fetch, no_robots_txt, not_decided, text, equal, .. } = self.counts;
        let mut parts = vec![format!("{appeared} appeared")];
        parts.extend(vanished.map(|count| format!("{count} vanished")));
        parts.push(format!("{meaning} with another meaning, {fetch} with another result of the fetch"));
        if no_robots_txt > 0 {
            parts.push(format!("{no_robots_txt} not compared"));
        }
        if not_decided > 0 {
            parts.push(format!("{not_decided} not decided"));
        }
        parts.push(format!("{text} with another text of the same meaning, {equal} equal"));
        parts.join(", ")
    }

    /// Returns how the run ends, as far as the answer decides.
    fn end(&self) -> End {
        let is_different = match self.args.fail_on {
            FailOn::NewlyBlocked => self.counts.blocked > 0,
            FailOn::NewlyAllowed => self.counts.opened > 0,
            FailOn::Any => self.counts.changed() > 0,
        };
        match is_different {
            _ if self.counts.not_decided + self.counts.no_robots_txt > 0 => End::Error,
            true => End::Findings,
            false => End::Clean,
        }
    }
}

/// Returns what changed for some agents.
fn sentence(group: &SiteGroup) -> String {
    let mut parts = Vec::new();
    if let Some(path) = &group.blocked {
        parts.push(format!("can no longer fetch paths such as {}", shown::cut(path, MAX_SHOWN)));
    }
    if let Some(path) = &group.opened {
        parts.push(format!("can now fetch paths such as {}", shown::cut(path, MAX_SHOWN)));
    }
    if !group.is_decided {
        parts.push("not decided: the rules are too complex for the work budget".to_owned());
    }
    parts.extend(group.records.iter().cloned());
    parts.join("; ")
}

/// Returns the row of a site in a table of Markdown; agents with the same change share one.
fn row(site: &str, change: &SiteChange) -> [String; 4] {
    let words = |text: &str| [code(site), text.to_owned(), String::new(), String::new()];
    match change {
        SiteChange::Equal | SiteChange::Text => words(""),
        SiteChange::Appeared => words("the site is new"),
        SiteChange::Vanished => words("the site is gone"),
        SiteChange::NoRobots(_) => words(&format!("not compared: {}", change.reason().unwrap_or_default())),
        SiteChange::Skipped => words("not decided: the work for all sites is spent"),
        SiteChange::Fetch([old, new], _) => {
            words(&format!("the fetch brought {}, and now {}", old.as_str(), new.as_str()))
        }
        SiteChange::Meaning(meaning) => row_of_meaning(site, meaning),
    }
}

fn row_of_meaning(site: &str, meaning: &SiteMeaning) -> [String; 4] {
    let mut cells: [Vec<String>; 3] = Default::default();
    for group in meaning.groups.iter().take(MAX_GROUPS) {
        let path =
            |path: &Option<Vec<u8>>| path.as_ref().map_or_else(String::new, |path| code(&shown::cut(path, MAX_SHOWN)));
        let mut who = code(&meaning.who(&group.agents));
        if !group.is_decided {
            who.push_str(": not decided");
        }
        if !group.records.is_empty() {
            who.push_str(&format!(": {}", code(&listed(&group.records))));
        }
        for (cell, text) in cells.iter_mut().zip([who, path(&group.blocked), path(&group.opened)]) {
            cell.push(text);
        }
    }
    if meaning.groups.len() > MAX_GROUPS {
        cells[0].push(format!("and {} more groups", meaning.groups.len() - MAX_GROUPS));
    }
    if !meaning.file_records.is_empty() {
        cells[0].push(code(&listed(&meaning.file_records)));
    }
    let [who, blocked, opened] = cells.map(|cell| cell.join("<br>"));
    [code(site), who, blocked, opened]
}
