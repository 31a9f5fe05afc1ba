//! Verdicts of a pack for several agents: each URL is split once, and its origin is looked up once.

use std::sync::Arc;

use robotsc::UrlPath;
use robotsc::origin::{BATCH_URLS, Batch};
use robotsc::outcome::{Access, Site, Time, UnknownReason};
use robotsc::pack::{Pack as RustPack, PackAccess, PackAgent, PackCrawlers, PackEntry, PackLookup};
use robotsc::program::DecidingRule;

use crate::answers::{Form, NULL};
use crate::happened::outcome_reason;
use crate::judge::Judge;
use crate::several_columns::{ALLOWED, Columns, One, UNKNOWN, Wanted, reason_code};

/// Answers of a pack.
pub(crate) struct ByPack {
    pub(crate) pack: Arc<RustPack>,
    pub(crate) crawlers: PackCrawlers,
    pub(crate) now: Time,
    pub(crate) wanted: Wanted,
}

impl ByPack {
    fn columns(&self) -> usize {
        if self.wanted.require.is_some() { 1 } else { self.crawlers.agents().len() }
    }

    fn answer(&self, access: &PackAccess<'_>, path: UrlPath<'_>, entry: Option<PackEntry<'_>>) -> One {
        let decided = access.decide_with_refusal(path);
        let verdict = match decided {
            Some((verdict, ..)) => u8::from(!verdict.is_allow()),
            None => UNKNOWN,
        };
        if !self.wanted.reasons && !self.wanted.lines {
            return One { verdict, reason: NULL, line: 0 };
        }
        let rule = decided.and_then(|(_, rule, _)| rule);
        let reason = match decided {
            Some((_, _, Some(refusal))) => refusal.name(),
            _ => self.reason(access, path, entry, rule),
        };
        One { verdict, reason: reason_code(reason), line: rule.map_or(0, |rule| rule.line) }
    }

    fn reason(
        &self,
        access: &PackAccess<'_>,
        path: UrlPath<'_>,
        entry: Option<PackEntry<'_>>,
        rule: Option<DecidingRule>,
    ) -> &'static str {
        if path.as_bytes() == b"/robots.txt" {
            return "robots-txt";
        }
        let Some(entry) = entry else { return UnknownReason::NotHeld.name() };
        if !matches!(access, PackAccess::Rules(_)) {
            match entry.record().effective(self.pack.dialect(), self.now).access {
                Access::Rules => {}
                Access::Unknown => {
                    return entry.unknown_reason(Site::NotKnownUp, self.now).unwrap_or(UnknownReason::NotHeld).name();
                }
                _ => return outcome_reason(entry.record().outcome),
            }
        }
        match rule {
            _ if !self.pack.names_deciding_rules() => "rules",
            Some(_) => "rule",
            None => "no-rule",
        }
    }
}

impl Judge for ByPack {
    type Out = Columns;

    fn judge(&self, _: usize, urls: &[&[u8]], out: &mut Columns) -> Option<(usize, String)> {
        let lookup = PackLookup::new(&self.pack, &self.crawlers, Site::NotKnownUp, self.now);
        let mut batch = Batch::new(&lookup);
        let mut row = out.grow(self.columns(), urls.len(), self.wanted);
        let (mut first_wrong, mut index) = (None, 0);
        let mut distinct = Vec::with_capacity(self.crawlers.agents().len());
        for some in urls.chunks(BATCH_URLS) {
            batch.clear();
            for url in some {
                batch.push(url);
            }
            batch.look_up();
            for url in batch.urls() {
                match url.split {
                    Ok((origin, path)) => {
                        if let Some(accesses) = &origin.policy {
                            let entry = origin.place.map(|slot| self.pack.entry(slot));
                            distinct.clear();
                            distinct.extend(accesses.distinct().iter().map(|access| self.answer(access, path, entry)));
                            out.put_row(row, accesses.crawlers(), &distinct, |at| accesses.index(at), self.wanted);
                        }
                    }
                    Err(error) => {
                        first_wrong.get_or_insert_with(|| (index, error.to_string()));
                    }
                }
                row += 1;
                index += 1;
            }
        }
        first_wrong
    }
}

/// Answers of a pack for one agent, as the form of the call has them.
pub(crate) struct ForUse {
    by: ByPack,
    form: Form,
}

impl ForUse {
    pub(crate) fn new(pack: Arc<RustPack>, agent: PackAgent, now: Time, form: Form) -> Self {
        let crawlers = PackCrawlers::from_iter([agent]);
        Self { by: ByPack { pack, crawlers, now, wanted: Wanted::VERDICTS }, form }
    }
}

impl Judge for ForUse {
    type Out = Vec<u8>;

    fn judge(&self, first: usize, urls: &[&[u8]], codes: &mut Vec<u8>) -> Option<(usize, String)> {
        let mut columns = Columns::default();
        let first_wrong = self.by.judge(first, urls, &mut columns);
        codes.extend(columns.verdicts.into_iter().flatten().map(|verdict| match self.form {
            Form::Mask if verdict != NULL => u8::from(verdict == ALLOWED),
            _ => verdict,
        }));
        first_wrong
    }
}
