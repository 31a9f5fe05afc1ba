//! Whose groups a crawler would obey if none named it: those for `*`, or those of another crawler.
//!
//! ```text
//! User-agent: Googlebot
//! Disallow: /search
//!
//! User-agent: Googlebot-Image      replaces the group of Googlebot, and not that for `*`
//! Disallow: /tmp
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use robotsc_compiler::small_sort::SmallCollect as _;

use super::context::{Context, Obeyed};
use super::known_name::KnownName;

/// The groups that others replace.
pub(super) struct Replaced<'o, 'c> {
    pub(super) obeyed: &'o Obeyed<'c>,
    /// The name that they are for, which is `*` for most.
    pub(super) name: String,
    /// The patterns that they disallow.
    pub(super) disallowed: BTreeSet<Vec<u8>>,
}

impl<'o, 'c> Replaced<'o, 'c> {
    fn new(obeyed: &'o Obeyed<'c>, name: &str) -> Self {
        Self { obeyed, name: name.to_owned(), disallowed: disallowed(obeyed) }
    }
}

/// Returns the patterns that a group disallows.
pub(super) fn disallowed(obeyed: &Obeyed<'_>) -> BTreeSet<Vec<u8>> {
    let set = obeyed.rules.rule_set();
    let rules = set.rules().iter().filter(|rule| !rule.verdict.is_allow());
    rules.map(|rule| set.pattern(rule).to_vec()).small_collect()
}

/// The groups that are replaced in a file, and whose they are.
pub(super) struct Fallbacks<'o, 'c> {
    context: &'o Context<'c>,
    /// The names that each crawler falls back to, by its token in lower case, if it has such.
    of_token: HashMap<String, &'o [String]>,
    /// Those for `*` come first.
    replaced: Vec<Replaced<'o, 'c>>,
}

impl<'o, 'c> Fallbacks<'o, 'c> {
    pub(super) fn new(context: &'o Context<'c>, star: &'o Obeyed<'c>, known: &'o [KnownName]) -> Self {
        let with = known.iter().filter(|known| !known.fallback.is_empty());
        let of_token = with.map(|known| (known.token.to_ascii_lowercase(), known.fallback.as_slice())).collect();
        Self { context, of_token, replaced: vec![Replaced::new(star, "*")] }
    }

    pub(super) fn get(&self, at: usize) -> &Replaced<'o, 'c> {
        &self.replaced[at]
    }

    /// Returns the groups that a group replaces, each with the names for which it does.
    pub(super) fn of(&mut self, own: &Obeyed<'_>, names: Vec<String>) -> BTreeMap<usize, Vec<String>> {
        let mut of: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for name in names {
            of.entry(self.of_name(own, &name)).or_default().push(name);
        }
        of
    }

    fn of_name(&mut self, own: &Obeyed<'_>, name: &str) -> usize {
        let token = name.split('/').next().unwrap_or(name).to_ascii_lowercase();
        let names: &[String] = self.of_token.get(&token).copied().unwrap_or_default();
        let context = self.context;
        let named = names.iter().filter_map(|name| Some((name, context.obeyed_by(name)?)));
        // A name that no group has leads to the groups for `*`.
        let is_other = |obeyed: &Obeyed<'_>| !obeyed.audience.has_others && obeyed.audience != own.audience;
        let Some((name, obeyed)) = named.into_iter().find(|(_, obeyed)| is_other(obeyed)) else { return 0 };
        let known = self.replaced.iter().position(|replaced| replaced.name == *name);
        known.unwrap_or_else(|| {
            self.replaced.push(Replaced::new(obeyed, name));
            self.replaced.len() - 1
        })
    }
}
