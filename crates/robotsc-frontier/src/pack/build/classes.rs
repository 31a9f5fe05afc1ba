//! The classes of a pack: what many origins have in common, so that a slot needs only its number.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::super::entry::implied;
use super::super::slot::{Class, Delay, MAX_CLASSES, SlotKind};
use super::capture::Compiled;
use super::content::Link;
use crate::outcome::{FetchRecord, Outcome};

/// Returns the class of a capture: that of extras if no other stores all of it.
pub(crate) fn class_of(capture: &Compiled) -> Class {
    let (kind, delay) = match capture.link {
        Link::Nothing => (SlotKind::Nothing, Delay::NONE),
        Link::Program(_, delay) => (SlotKind::Program, delay),
        Link::Policy(_) => (SlotKind::Policy, Delay::NONE),
        // It gets no slot.
        Link::Refused => (SlotKind::Nothing, Delay::NONE),
    };
    let FetchRecord { outcome, fetched_at, expires_at, good_at, failing_since } = capture.record;
    match expires_at.0.checked_sub(fetched_at.0) {
        Some(lifetime)
            if capture.missing_at.is_none()
                && (good_at, failing_since) == implied(outcome, fetched_at, kind != SlotKind::Nothing) =>
        {
            Class { kind, outcome, lifetime, delay }
        }
        _ => Class::extra(outcome),
    }
}

/// The classes of a pack, in order.
pub(crate) struct Classes {
    classes: Vec<Class>,
}

impl Classes {
    /// Chooses those that most origins have. If `all` is set, all classes were counted.
    pub(crate) fn choose(counts: BTreeMap<Class, u64>, all: bool) -> Self {
        let extras = Outcome::ALL.map(Class::extra);
        if all && counts.len() <= MAX_CLASSES {
            return Self { classes: counts.into_keys().collect() };
        }
        let mut counts: Vec<(Class, u64)> = counts.into_iter().filter(|(class, _)| !extras.contains(class)).collect();
        // Stable: of equally frequent ones the first in order is kept.
        counts.sort_by_key(|(_, count)| Reverse(*count));
        counts.truncate(MAX_CLASSES - extras.len());
        let mut classes: Vec<Class> = counts.into_iter().map(|(class, _)| class).chain(extras).collect();
        classes.sort_unstable();
        Self { classes }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Class> {
        self.classes.iter()
    }

    /// Returns the number of a class, `None` if it is not among those of the pack.
    pub(crate) fn number(&self, class: &Class) -> Option<u64> {
        self.classes.binary_search(class).ok().map(|number| number as u64)
    }
}
