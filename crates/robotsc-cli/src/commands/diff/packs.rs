//! What changed from one pack to another: origins, and the URLs of a list that flip.
//!
//! An entry is compared as of its own fetch, so that the answer does not depend on the time of the run. A pack holds
//! compiled rules: two origins have the same rules if their programs have one verdict for every path, whatever lines
//! they name.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;

use robotsc::internal::have_same_verdicts;
use robotsc::outcome::Site;
use robotsc::pack::{Pack, PackAccess, PackAgent, PackAgents, PackEntry};
use robotsc::{Program, origin};
use robotsc_analysis::words::counted;
use robotsc_answers::identity::{Identity, OTHERS};
use robotsc_answers::{pack_entry, shown};
use serde_json::json;

use super::DiffArgs;
use super::args::{Emit, FailOn};
use crate::command_line::crawlers;
use crate::commands::pack;
use crate::failure::{End, Failure, complain};
use crate::io::output;
use crate::lists::urls::Urls;

/// The most origins that are listed; the rest is counted.
const MAX_LISTED: u64 = 50;

/// Steps that comparing two programs may take; what takes more counts as other rules. Of 2,795 real files 12 do
/// (`ROBOTSC_FULL=1 cargo test --test same_verdicts real`).
const MAX_STEPS: u64 = 1 << 22;
/// Steps that all comparisons of two packs may take: some minutes.
const MAX_ALL_STEPS: u64 = 1 << 32;

/// What happened to an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Added,
    Removed,
    /// The fetch ended otherwise.
    Outcome([&'static str; 2]),
    /// The verdicts for some agent, its crawl delay, its preferences, or the sitemaps.
    Rules,
}

/// How many origins have each change.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    added: u64,
    removed: u64,
    outcome: u64,
    rules: u64,
    unchanged: u64,
}

impl Counts {
    const fn changed(&self) -> u64 {
        self.added + self.removed + self.outcome + self.rules
    }
}

/// Compares two packs.
pub(super) fn diff(args: &DiffArgs) -> Result<End, Failure> {
    let Some(new_name) = &args.new else {
        return Err(Failure::new("--dialects: the command line: a pack is of one dialect: give two packs"));
    };
    for (option, is_given) in [
        ("--dialect", args.read.dialect.named.is_some()),
        ("--force", args.read.force),
        ("--work", args.work != 1),
        ("--fail-on", args.fail_on != FailOn::Any),
        ("--emit markdown", args.form() == Emit::Markdown),
    ] {
        if is_given {
            return Err(Failure::new(format_args!(
                "{option} with packs: the command line: it is about robots.txt files"
            )));
        }
    }
    let packs = [pack::open(args.old.as_ref())?, pack::open(new_name.as_ref())?];
    let [old, new] = packs.each_ref();
    if old.dialect() != new.dialect() {
        return Err(Failure::new(format_args!(
            "packs of two dialects: {} and {}: compare packs of one",
            old.dialect().name,
            new.dialect().name
        )));
    }
    let agents = Agents::new(args, [old, new])?;
    let mut out = output::stdout();
    let mut known = KnownPrograms { same: HashMap::new(), steps_left: MAX_ALL_STEPS };
    let mut run = Run { is_json: args.form() == Emit::Json, lists_all: args.all, counts: Counts::default(), listed: 0 };
    for (origin, entry) in old.entries() {
        let change = match new.get(&origin) {
            None => Some(Change::Removed),
            Some(other) => agents.change([(old, &entry), (new, &other)], &mut known)?,
        };
        run.record(&mut out, &origin, change)?;
    }
    for (origin, _) in new.entries().filter(|(origin, _)| old.get(origin).is_none()) {
        run.record(&mut out, &origin, Some(Change::Added))?;
    }
    run.finish(&mut out)?;
    if known.steps_left == 0 {
        complain("not all programs were compared: they are too many that differ: the rest counts as other rules");
    }
    let mut end = if run.counts.changed() > 0 { End::Findings } else { End::Clean };
    if !args.list.files.is_empty() {
        let (flips, problems) = flips(args, &mut out, [old, new], &agents)?;
        end = match (problems, flips) {
            (1.., _) => End::Error,
            (0, 1..) => End::Findings,
            (0, 0) => end,
        };
    }
    out.flush()?;
    Ok(end)
}

/// Pairs of programs with other bytes, and whether they have the same verdicts. Packs hold a program once.
struct KnownPrograms<'p> {
    same: HashMap<[&'p [u8]; 2], bool>,
    steps_left: u64,
}

impl<'p> KnownPrograms<'p> {
    fn have_same_verdicts(&mut self, programs: [Option<Program<'p>>; 2]) -> bool {
        let [Some(old), Some(new)] = programs else { return programs.iter().all(Option::is_none) };
        let bytes = [old.as_bytes(), new.as_bytes()];
        let compare = || {
            let limit = MAX_STEPS.min(self.steps_left);
            let mut left = limit;
            let same = have_same_verdicts([&old, &new], &mut left);
            self.steps_left -= limit - left;
            if limit < MAX_STEPS && same.is_none() {
                self.steps_left = 0;
            }
            same == Some(true)
        };
        bytes[0] == bytes[1] || *self.same.entry(bytes).or_insert_with(compare)
    }
}

/// The agents that are compared.
enum Agents {
    /// Those of the command line, or those that both packs were built for.
    Fixed(Vec<(String, [PackAgent; 2])>),
    /// Packs for all agents: those that an origin names, and all others.
    OfOrigin,
}

impl Agents {
    fn new(args: &DiffArgs, packs: [&Pack; 2]) -> Result<Self, Failure> {
        let mut fixed = Vec::new();
        if !args.agents.is_empty() {
            if packs.iter().all(|pack| matches!(pack.agents(), PackAgents::All)) {
                crawlers::warn_of_near(args.agents.iter().map(String::as_str));
            }
            for name in &args.agents {
                let crawler = Identity::token(name, args.as_written);
                let [old, new] = packs.map(|pack| pack_entry::agent(pack, "one of the packs", &crawler));
                fixed.push((name.clone(), [old?, new?]));
            }
            return Ok(Self::Fixed(fixed));
        }
        let listed = match packs.map(Pack::agents) {
            [PackAgents::All, PackAgents::All] => return Ok(Self::OfOrigin),
            [PackAgents::Some(one), PackAgents::Some(other)] => {
                let alone = [(one, other), (other, one)]
                    .into_iter()
                    .find_map(|(one, other)| one.iter().find(|name| !other.contains(name)));
                if let Some(name) = alone {
                    return Err(Failure::new(format_args!(
                        "packs for different agents: {}: one of the packs has no rules for it: name those to compare \
                         with --agent",
                        shown::line(name)
                    )));
                }
                packs[0]
            }
            [PackAgents::Some(_), _] => packs[0],
            [_, PackAgents::Some(_)] => packs[1],
        };
        for crawler in listed.agents().crawlers() {
            let agents = packs.map(|pack| pack.crawler(&crawler));
            // A pack for all agents answers for each crawler that another can be built for.
            if let [Some(old), Some(new)] = agents {
                fixed.push((crawler.to_string(), [old, new]));
            }
        }
        Ok(Self::Fixed(fixed))
    }

    /// Returns what changed for an origin that both packs hold.
    fn change<'p>(
        &self,
        sides: [(&'p Pack, &PackEntry<'p>); 2],
        known: &mut KnownPrograms<'p>,
    ) -> Result<Option<Change>, Failure> {
        let [(_, old), (_, new)] = sides;
        let outcomes = [old, new].map(|entry| entry.record().outcome.as_str());
        if outcomes[0] != outcomes[1] {
            return Ok(Some(Change::Outcome(outcomes)));
        }
        // If one pack holds no preferences, nothing is known of a change of them.
        let holds_preferences = sides.iter().all(|(pack, _)| pack.preferences().is_some());
        let mut is_same = |[one, other]: &[PackAgent; 2]| {
            let stated = |entry: &PackEntry<'p>, agent| {
                entry.preferences(agent).filter(|_| holds_preferences).map(|stated| stated.as_bytes())
            };
            known.have_same_verdicts([old.program(one), new.program(other)])
                && old.crawl_delay(one) == new.crawl_delay(other)
                && stated(old, one) == stated(new, other)
        };
        let has_same_rules = match self {
            Self::Fixed(agents) => agents.iter().all(|(_, agents)| is_same(agents)),
            Self::OfOrigin => {
                let names: BTreeSet<&[u8]> = old.tokens().chain(new.tokens()).chain([OTHERS.as_bytes()]).collect();
                let agents = names.into_iter().map(|name| {
                    let name = String::from_utf8_lossy(name);
                    sides.map(|(pack, _)| pack_entry::agent(pack, "", &Identity::token(&*name, true)).ok())
                });
                // A name that cannot be asked for is compared with all of its file.
                agents.into_iter().all(|agents| match agents {
                    [Some(one), Some(other)] => is_same(&[one, other]),
                    _ => false,
                })
            }
        };
        Ok((!has_same_rules || !old.sitemaps().eq(new.sitemaps())).then_some(Change::Rules))
    }
}

/// A run over the origins.
struct Run {
    is_json: bool,
    lists_all: bool,
    counts: Counts,
    listed: u64,
}

impl Run {
    fn record(&mut self, out: &mut dyn Write, origin: &[u8], change: Option<Change>) -> Result<(), Failure> {
        let Some(change) = change else {
            self.counts.unchanged += 1;
            return Ok(());
        };
        let (count, name) = match change {
            Change::Added => (&mut self.counts.added, "added"),
            Change::Removed => (&mut self.counts.removed, "removed"),
            Change::Outcome(_) => (&mut self.counts.outcome, "outcome"),
            Change::Rules => (&mut self.counts.rules, "rules"),
        };
        *count += 1;
        let origin = shown::bytes(origin);
        if self.is_json {
            let outcomes = if let Change::Outcome(outcomes) = change { Some(outcomes) } else { None };
            let [old, new] = [0, 1].map(|side| outcomes.map(|outcomes| outcomes[side]));
            let line = json!({ "type": "origin", "origin": origin, "change": name, "old": old, "new": new });
            return output::json_line(out, &line);
        }
        self.listed += 1;
        if self.listed > MAX_LISTED && !self.lists_all {
            return Ok(());
        }
        match change {
            Change::Added => writeln!(out, "+ {origin}")?,
            Change::Removed => writeln!(out, "- {origin}")?,
            Change::Outcome([old, new]) => writeln!(out, "~ {origin}: {old}, now {new}")?,
            Change::Rules => writeln!(out, "~ {origin}: other rules, crawl delay, preferences or sitemaps")?,
        }
        Ok(())
    }

    fn finish(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Counts { added, removed, outcome, rules, unchanged } = self.counts;
        if self.is_json {
            return output::json_line(
                out,
                &json!({
                    "type": "summary", "added": added, "removed": removed, "outcome": outcome, "rules": rules,
                    "unchanged": unchanged,
                }),
            );
        }
        if self.listed > MAX_LISTED && !self.lists_all {
            writeln!(out, "and {} more origins: --all lists all", self.listed - MAX_LISTED)?;
        }
        Ok(writeln!(
            out,
            "{added} added, {removed} removed, {outcome} with another result of the fetch, {rules} with other rules, \
             {unchanged} unchanged"
        )?)
    }
}

/// Writes the URLs whose verdict flips, and how many. Returns that number, and the number of lines that are no URL.
fn flips(args: &DiffArgs, out: &mut dyn Write, packs: [&Pack; 2], agents: &Agents) -> Result<(u64, u64), Failure> {
    let Agents::Fixed(agents) = agents else {
        return Err(Failure::new(
            "--urls without an agent: the command line: packs for all agents have many answers for a URL: name one \
             with --agent",
        ));
    };
    let mut urls = Urls::new(Vec::new(), args.list.lists())?;
    let (mut count, mut flips, mut problems) = (0_u64, 0_u64, 0_u64);
    while urls.advance()? {
        count += 1;
        let split =
            urls.url().and_then(|url| origin::split(packs[0].dialect(), url).map_err(|error| error.to_string()));
        let split = match split {
            Ok(split) => split,
            Err(reason) => {
                problems += 1;
                complain(&format!("bad URL: {}", urls.problem(reason)));
                continue;
            }
        };
        let mut is_flipped = false;
        for (name, agents) in agents {
            let verdict = |side: usize| {
                let entry = packs[side].get(split.origin.as_ref());
                let access = entry.map_or(PackAccess::Unknown, |entry| {
                    entry.access_at(&agents[side], Site::default(), entry.record().fetched_at)
                });
                match access.decide(split.path.as_path()) {
                    None => "unknown",
                    Some((verdict, _)) if verdict.is_allow() => "allowed",
                    Some(_) => "disallowed",
                }
            };
            let (old, new) = (verdict(0), verdict(1));
            if old == new {
                continue;
            }
            is_flipped = true;
            if args.form() == Emit::Json {
                let url = shown::bytes(urls.line());
                output::json_line(out, &json!({ "type": "url", "url": url, "agent": name, "old": old, "new": new }))?;
            } else {
                writeln!(out, "  {}: {old}, now {new} for {}", shown::bytes(urls.line()), shown::line(name))?;
            }
        }
        flips += u64::from(is_flipped);
    }
    if count == 0 {
        return Err(Failure::new("no URL: --urls: the lists are empty: give a file with one URL on each line"));
    }
    if args.form() == Emit::Json {
        output::json_line(out, &json!({ "type": "urls", "urls": count, "flips": flips }))?;
    } else {
        writeln!(out, "{flips} of {} flip{}", counted(count, "URL"), if flips == 1 { "s" } else { "" })?;
    }
    Ok((flips, problems))
}
