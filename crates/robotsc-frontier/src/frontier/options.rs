//! The settings of a frontier.

use robotsc_compiler::Dialect;

/// For whom a frontier answers, and what it may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontierOptions {
    /// The dialect; a pack must have been built under the same.
    pub dialect: Dialect,
    /// The crawler's product token.
    pub agent: String,
    /// Octets that the memory may take, as a frontier reckons them; 256 MiB by default. Part of it is a bit for each slot of the pack, and the times of what was dropped. The rest is for policies: each of 64 tables keeps to its share,
    /// but always keeps what was put in last. Not counted is the pack.
    pub memory: usize,
    /// After how many URLs a policy in memory is compiled. 350 by default: by then compiling has paid for 95 of 100 real files (`docs/performance.md`, break-even).
    pub compile_after: u32,
    /// Compile policies so that they name the rule that decided; they are larger and slower. Off by default. A pack decides for itself.
    pub name_rules: bool,
    /// Ask the rules about the URL of robots.txt itself, too. Off by default: a crawler must fetch that before it knows any rules. On, answers are those of
    /// the dialect's library, for conformance.
    pub robots_txt_by_rules: bool,
}

impl FrontierOptions {
    /// The default settings for a crawler.
    #[must_use]
    pub fn new(dialect: &Dialect, agent: &str) -> Self {
        Self {
            dialect: dialect.clone(),
            agent: agent.to_owned(),
            memory: 256 << 20,
            compile_after: 350,
            name_rules: false,
            robots_txt_by_rules: false,
        }
    }
}
