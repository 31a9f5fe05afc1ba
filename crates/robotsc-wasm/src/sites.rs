//! Sites as a cache holds them.

use std::cell::RefCell;
use std::collections::HashMap;

use robotsc::frontier::Frontier;
use robotsc::origin::Origin;
use robotsc::outcome::{FetchEnd, Response, Time};
use robotsc::robots_txt::BodyKind;
use robotsc_frontier::schedule::Schedule;

/// What is known of sites, and when to fetch.
#[derive(Debug)]
pub(crate) struct Sites {
    pub(crate) frontier: Frontier,
    pub(crate) schedule: Schedule,
    pub(crate) notes: RefCell<Notes>,
}

/// What is noted of sites beside their records.
#[derive(Debug)]
pub(crate) struct Notes {
    sites: HashMap<Origin, Note>,
    /// The number of notes from which those of forgotten sites are dropped.
    drop_at: usize,
    most: usize,
}

/// What is noted of a site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Note {
    /// How the fetch ended that was recorded last.
    pub(crate) ended: Option<Ending>,
    /// A fetch that was not recorded.
    pub(crate) wait: Option<Wait>,
}

/// How a fetch ended.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    pub(crate) at: Time,
    pub(crate) end: FetchEnd,
    pub(crate) kind: Option<BodyKind>,
    /// What is wrong, in words; empty if the others say it.
    pub(crate) problem: Box<str>,
}

/// A fetch that was not recorded, and until when no other is made for its sake.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    pub(crate) ended: Ending,
    /// When the first of its kind ended, without another between.
    pub(crate) since: Time,
    pub(crate) until: Time,
    pub(crate) after: After,
}

/// What holds of a fetch that was not recorded, when the copy expires before the wait is over.
#[derive(Clone, Debug)]
pub(crate) enum After {
    /// Nothing: another fetch is due.
    Fetch,
    /// The answer of the server, which said when to come back.
    Refusal(Response<'static>),
    /// The fetch says nothing of the site, so that no age of such failures opens it: nothing is known.
    Unknown,
}

impl Notes {
    /// Makes room for a number of notes.
    pub(crate) fn new(most: usize) -> Self {
        Self { sites: HashMap::new(), drop_at: 0, most: most.max(64) }
    }

    /// Returns what is noted of a site.
    pub(crate) fn get(&self, origin: &Origin) -> Option<&Note> {
        self.sites.get(origin)
    }

    /// Returns what is noted of a site, to be changed. Drops others if there are too many: those of forgotten sites,
    /// then those that keep no site from being asked, then all. A quarter is free afterwards, so that this is rare.
    pub(crate) fn entry(&mut self, origin: &Origin, frontier: &Frontier, now: Time) -> &mut Note {
        if self.sites.len() >= self.drop_at.max(64).min(self.most) {
            let waits = |note: &Note| note.wait.as_ref().is_some_and(|wait| wait.until > now);
            let few = self.most - self.most / 4;
            self.sites.retain(|origin, note| waits(note) || frontier.fetch_record(origin).is_some());
            if self.sites.len() > few {
                self.sites.retain(|_, note| waits(note));
            }
            if self.sites.len() > few {
                self.sites.clear();
            }
            self.drop_at = self.sites.len() * 2;
        }
        self.sites.entry(origin.clone()).or_default()
    }
}
