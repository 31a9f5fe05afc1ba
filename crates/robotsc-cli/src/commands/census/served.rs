//! What servers answered to the names of crawlers, as `fetch --as --json` wrote it, beside what robots.txt says.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use robotsc_answers::census::Census;
use robotsc_answers::server::{Server, ServerAnswer};
use robotsc_answers::shown;

use crate::commands::sites::other::OtherSites;
use crate::failure::{Failure, complain};
use crate::io::files;

/// The size up to which a line is read. Those of `fetch` have a few kilobytes: paths and URLs are limited.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// What a server answered to the name of an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) server: Server,
    pub(super) is_at_odds: bool,
}

/// What servers answered, by site and number of the agent. Takes four bytes for each answer, and the names of sites.
#[derive(Debug)]
pub(super) struct Served(OtherSites<Vec<(u16, Answer)>>);

impl Served {
    /// Reads the rows of a file: those under names that are counted. Of two about one origin and name the later counts.
    ///
    /// # Errors
    /// If it cannot be read, a line is no row, or no row is about a name that is counted.
    pub(super) fn read(path: &Path, census: &Census) -> Result<Self, Failure> {
        let name = shown::bytes(path.as_os_str().as_encoded_bytes());
        if name == "-" {
            return Err(Failure::new("--served -: it is read from a file: give its name"));
        }
        let cannot_read = |error| files::cannot_read(&name, &error);
        let mut reader = BufReader::new(File::open(path).map_err(cannot_read)?);
        let (mut sites, mut is_counted, mut others) = (OtherSites::<Vec<(u16, Answer)>>::default(), false, Vec::new());
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(cannot_read)?;
            if line.is_empty() {
                break;
            }
            let bad = |why: &str| Failure::new(format_args!("bad answer: line {number} of {name}: {why}: {HINT}"));
            if line.len() as u64 == MAX_LINE_BYTES {
                return Err(bad("it has over 1 MiB"));
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let row = match ServerAnswer::read(&line) {
                Ok(row) => row,
                // A run that was stopped can have left a part of a line.
                Err(_) if !line.ends_with(b"\n") => {
                    complain(&format!("part of an answer: line {number} of {name}: skipped"));
                    break;
                }
                Err(why) => return Err(bad(&why)),
            };
            // The own name has no column.
            let Some(asked) = row.agent else { continue };
            let agent = census.agents().iter().position(|agent| agent.name.eq_ignore_ascii_case(&asked));
            let Some(Ok(agent)) = agent.map(u16::try_from) else {
                if others.len() < MAX_LISTED_NAMES && !others.contains(&asked) {
                    others.push(asked);
                }
                continue;
            };
            is_counted = true;
            let site = row.origin.as_str();
            if sites.get_mut(site).is_none() {
                sites.insert(site, Vec::new());
            }
            let Some(answers) = sites.get_mut(site) else { continue };
            let answer = Answer { server: row.server, is_at_odds: row.server.is_at_odds(row.is_allowed) };
            match answers.iter_mut().find(|(known, _)| *known == agent) {
                Some((_, known)) => *known = answer,
                None => answers.push((agent, answer)),
            }
        }
        if is_counted {
            return Ok(Self(sites));
        }
        let hint = match others.as_slice() {
            [] => HINT.to_owned(),
            others => format!("give --agent {}", shown::line(&others.join(","))),
        };
        Err(Failure::new(format_args!("no answers: {name}: none is to a name that is counted: {hint}")))
    }

    /// Returns what the server of a site answered to the names that it was asked under, with the numbers of the agents.
    ///
    /// A bare host has the answers of both its origins; of two to one name that of https.
    pub(super) fn of(&self, site: &str) -> Vec<(u16, Answer)> {
        let mut answers: Vec<(u16, Answer)> = Vec::new();
        for (agent, answer) in self.0.find_all(site).into_iter().flatten() {
            if !answers.iter().any(|(known, _)| known == agent) {
                answers.push((*agent, *answer));
            }
        }
        answers
    }

    /// Returns the sites that were asked and are not in the source.
    pub(super) fn not_found(&self) -> Vec<String> {
        self.0.not_found()
    }
}

/// What to do about a file without answers.
const HINT: &str = "robotsc fetch --as NAMES --json writes them";

/// The number of names that an error lists.
const MAX_LISTED_NAMES: usize = 20;
