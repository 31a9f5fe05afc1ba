//! Several rule sets: by name, by origin.

use core::cmp::Reverse;

use super::origin::Closeness;
use super::set::split;
use super::{NotPlain, Set};
use crate::url::Scheme;

/// Rule sets, in the order of their files, then of their position in the file.
#[derive(Clone, Copy, Debug)]
pub struct Sets<'a> {
    sets: &'a [&'a Set<'a>],
}

impl<'a> Sets<'a> {
    /// Returns a list of these sets.
    #[must_use]
    pub const fn new(sets: &'a [&'a Set<'a>]) -> Self {
        Self { sets }
    }

    /// Returns all sets.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a Set<'a>> + use<'a> {
        self.sets.iter().copied()
    }

    /// Returns the number of sets.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.sets.len()
    }

    /// Reports whether there is no set.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Returns the set with a name. Cost: linear in the number of sets.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&'a Set<'a>> {
        self.iter().find(|set| set.name() == name)
    }

    /// Returns the sets that apply to an origin, the closest first: those that name its host, then those for hosts
    /// below a name, the longest name first, then those for any host. Of two that are as close in that, the one that
    /// names the port comes first, then the one for default ports; then the one that names the scheme; then the first
    /// of the two. The sets outlive the host.
    ///
    /// The host is canonical; a port of `None` is the scheme's own.
    ///
    /// Cost: for each set that is taken, one look at every origin pattern of every set. No allocation.
    pub fn for_origin<'h>(
        &self,
        scheme: Scheme,
        host: &'h str,
        port: Option<u16>,
    ) -> impl Iterator<Item = &'a Set<'a>> + use<'a, 'h> {
        let sets = self.sets;
        let mut before: Option<(Closeness, Reverse<usize>)> = None;
        core::iter::from_fn(move || {
            let fitting = sets
                .iter()
                .enumerate()
                .filter_map(|(number, set)| Some((set.closeness(scheme, host, port)?, Reverse(number))));
            // The closest of those that are further than the previous one.
            let next = fitting.filter(|key| before.is_none_or(|before| *key < before)).max()?;
            before = Some(next);
            sets.get(next.1.0).copied()
        })
    }

    /// Returns the sets that apply to a URL, the closest first: see [`Sets::for_origin`]. The sets outlive the URL.
    ///
    /// # Errors
    /// [`NotPlain`] if the URL's origin is not [plain](crate::url::PlainUrl) and its port is not the default one. A
    /// full URL parser can split it; then call [`Sets::for_origin`].
    pub fn for_url<'u>(&self, url: &'u [u8]) -> Result<impl Iterator<Item = &'a Set<'a>> + use<'a, 'u>, NotPlain> {
        let (host, plain) = split(url)?;
        Ok(self.for_origin(plain.scheme, host, plain.port))
    }
}
