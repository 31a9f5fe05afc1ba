//! The sites of an older source, which those of a newer one are compared with.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is kept of each site of an older source, by its name.
#[derive(Debug)]
pub(in crate::commands) struct OlderSites<T>(HashMap<Box<str>, OlderSite<T>>);

#[derive(Debug)]
struct OlderSite<T> {
    kept: T,
    /// Whether it is in the newer source, too.
    is_in_newer: AtomicBool,
}

impl<T> Default for OlderSites<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> OlderSites<T> {
    /// Adds a site of the older source.
    pub(in crate::commands) fn insert(&mut self, name: &str, kept: T) {
        self.0.insert(name.into(), OlderSite { kept, is_in_newer: AtomicBool::new(false) });
    }

    /// Finds a site of the newer source.
    ///
    /// A bare host stands for its origins of http and https. So if the other source names these, it is compared with
    /// them: with that of https, if there are both.
    pub(in crate::commands) fn find(&self, name: &str) -> Option<&T> {
        let found = same_site(name).find_map(|name| self.0.get(name.as_str()))?;
        found.is_in_newer.store(true, Ordering::Relaxed);
        if !name.contains("://") {
            for site in same_site(name).filter_map(|name| self.0.get(name.as_str())) {
                site.is_in_newer.store(true, Ordering::Relaxed);
            }
        }
        Some(&found.kept)
    }

    /// Returns the sites that are not in the newer source, in the order of their names.
    pub(in crate::commands) fn vanished(&self) -> Vec<String> {
        let vanished = self.0.iter().filter(|(_, site)| !site.is_in_newer.load(Ordering::Relaxed));
        let mut names: Vec<String> = vanished.map(|(name, _)| name.to_string()).collect();
        names.sort_unstable();
        names
    }
}

/// Returns the names that a site can have, the most exact first.
fn same_site(name: &str) -> impl Iterator<Item = String> {
    let others = match name.split_once("://") {
        Some((_, host)) => [Some(host.to_owned()), None],
        None => ["https", "http"].map(|scheme| Some(format!("{scheme}://{name}"))),
    };
    std::iter::once(name.to_owned()).chain(others.into_iter().flatten())
}
