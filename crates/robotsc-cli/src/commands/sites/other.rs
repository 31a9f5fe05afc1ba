//! What is known of sites from elsewhere, such as an older source, found for the sites of a source.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is kept of each site, by its name.
#[derive(Debug)]
pub(in crate::commands) struct OtherSites<T>(HashMap<Box<str>, OtherSite<T>>);

#[derive(Debug)]
struct OtherSite<T> {
    kept: T,
    /// Whether it is in the source, too.
    is_found: AtomicBool,
}

impl<T> Default for OtherSites<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> OtherSites<T> {
    /// Adds a site.
    pub(in crate::commands) fn insert(&mut self, name: &str, kept: T) {
        self.0.insert(name.into(), OtherSite { kept, is_found: AtomicBool::new(false) });
    }

    /// Returns what is kept of a site that was added.
    pub(in crate::commands) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.0.get_mut(name).map(|site| &mut site.kept)
    }

    /// Finds a site of the source.
    ///
    /// A bare host stands for its origins of http and https. So if these were added, they are what is found: that of
    /// https, if there are both.
    pub(in crate::commands) fn find(&self, name: &str) -> Option<&T> {
        let found = same_site(name).find_map(|name| self.0.get(name.as_str()))?;
        found.is_found.store(true, Ordering::Relaxed);
        if !name.contains("://") {
            for site in same_site(name).filter_map(|name| self.0.get(name.as_str())) {
                site.is_found.store(true, Ordering::Relaxed);
            }
        }
        Some(&found.kept)
    }

    /// Finds all that a site of the source stands for: a bare host for its origins of https and http.
    pub(in crate::commands) fn find_all(&self, name: &str) -> Vec<&T> {
        let found: Vec<_> = same_site(name).filter_map(|name| self.0.get(name.as_str())).collect();
        found.iter().for_each(|site| site.is_found.store(true, Ordering::Relaxed));
        found.into_iter().map(|site| &site.kept).collect()
    }

    /// Returns the sites that were not found, in the order of their names.
    pub(in crate::commands) fn not_found(&self) -> Vec<String> {
        let rest = self.0.iter().filter(|(_, site)| !site.is_found.load(Ordering::Relaxed));
        let mut names: Vec<String> = rest.map(|(name, _)| name.to_string()).collect();
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
