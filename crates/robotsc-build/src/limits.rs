//! How much a folder of rule sets may hold.

/// Limits on what is read and built. All are on by default, and far above what rule sets need; what is over one is an
/// error that names it.
///
/// ```
/// use robotsc_build::limits::BuildLimits;
///
/// let limits = BuildLimits::default().max_rules(100_000).max_regex_table(1 << 22);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildLimits {
    pub(crate) max_files: usize,
    pub(crate) max_file_bytes: usize,
    pub(crate) max_sets: usize,
    pub(crate) max_rules: usize,
    pub(crate) max_expectations: usize,
    pub(crate) max_expectation_work: u64,
    pub(crate) max_pattern_bytes: usize,
    pub(crate) max_regexes: usize,
    pub(crate) max_regex_table: usize,
    pub(crate) max_regex_tables: usize,
}

impl Default for BuildLimits {
    fn default() -> Self {
        Self {
            max_files: 1_000,
            max_file_bytes: 4 << 20,
            max_sets: 1_000,
            max_rules: 50_000,
            max_expectations: 10_000,
            max_expectation_work: 1 << 35,
            max_pattern_bytes: 4_096,
            max_regexes: 1_000,
            max_regex_table: 1 << 20,
            max_regex_tables: 1 << 25,
        }
    }
}

impl BuildLimits {
    /// Files in a folder, robots.txt files that they name included; 1,000 by default.
    #[must_use]
    pub const fn max_files(mut self, files: usize) -> Self {
        self.max_files = files;
        self
    }

    /// Bytes of a file; 4 MiB by default.
    #[must_use]
    pub const fn max_file_bytes(mut self, bytes: usize) -> Self {
        self.max_file_bytes = bytes;
        self
    }

    /// Rule sets of a folder; 1,000 by default.
    #[must_use]
    pub const fn max_sets(mut self, sets: usize) -> Self {
        self.max_sets = sets;
        self
    }

    /// Rules of a set, those of the sets that it extends included; a rule of a group counts once for each agent of the
    /// group. 50,000 by default; all sets together may have twenty times as many.
    #[must_use]
    pub const fn max_rules(mut self, rules: usize) -> Self {
        self.max_rules = rules;
        self
    }

    /// Expectations of a set; 10,000 by default.
    #[must_use]
    pub const fn max_expectations(mut self, expectations: usize) -> Self {
        self.max_expectations = expectations;
        self
    }

    /// What the expectations of a set may cost: the bytes of its rules, those of regular expressions sixteen times,
    /// times the bytes of the URLs. 2^35 by default: some thousand expectations for 10,000 short rules, and some
    /// minutes at worst.
    #[must_use]
    pub const fn max_expectation_work(mut self, work: u64) -> Self {
        self.max_expectation_work = work;
        self
    }

    /// Bytes of a path pattern, a regular expression, a query name or a URL; 4,096 by default.
    #[must_use]
    pub const fn max_pattern_bytes(mut self, bytes: usize) -> Self {
        self.max_pattern_bytes = bytes;
        self
    }

    /// Different regular expressions of a folder; 1,000 by default.
    #[must_use]
    pub const fn max_regexes(mut self, regexes: usize) -> Self {
        self.max_regexes = regexes;
        self
    }

    /// Bytes of the automaton of one regular expression, before it is made small; 1 MiB by default. What building it
    /// takes is limited to twice as much.
    #[must_use]
    pub const fn max_regex_table(mut self, bytes: usize) -> Self {
        self.max_regex_table = bytes;
        self
    }

    /// Bytes of the automata of all regular expressions of a folder, before they are made small; 32 MiB by default. One
    /// that is over its own limit counts as that. Expressions after those that pass it are not looked at, so that a
    /// thousand that are made to be slow take seconds.
    #[must_use]
    pub const fn max_regex_tables(mut self, bytes: usize) -> Self {
        self.max_regex_tables = bytes;
        self
    }
}
