//! What a pack is built for.

use std::num::NonZeroUsize;

use robotsc_compiler::Dialect;
use robotsc_compiler::preferences::Vocabulary;

use super::error::PackErrorKind;
use super::{PackAgents, PackError, agents};

/// The maximum number of agents of a pack that is not for all.
pub(crate) const MAX_AGENTS: usize = 1024;

/// How a pack is built. Two builds from the same captures with the same [settings that matter](Self#what-matters) are
/// the same bytes.
///
/// # What matters
/// `dialect`, `agents`, `deciding_rules`, `sitemaps`, `preferences` and `seed` are part of the pack; `memory` and
/// `threads` only of the building.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// The dialect: one of the named ones as it is, since a pack states it by name. Only what is a failure by caution
    /// can differ ([`FetchRules::cautious`](robotsc_compiler::dialect::FetchRules::cautious)).
    pub dialect: Dialect,
    /// For whom.
    pub agents: PackAgents,
    /// Programs name the rule that decided, for explanations and hit counters: larger, and fewer are equal.
    pub deciding_rules: bool,
    /// Keep the sitemaps.
    pub sitemaps: bool,
    /// Keep the preferences of `Content-Usage` and `Content-Signal`, with the labels of this revision of the IETF's
    /// draft. If a file's preferences cannot be compiled, the pack holds that every use is refused.
    pub preferences: Option<&'static Vocabulary>,
    /// The seed of the keys. If origins may be crafted to collide, use a secret one; else 0 is as good as any.
    pub seed: u64,
    /// Bytes of memory that building can use besides the compiler's own (some tens of MiB for each thread): the rest
    /// goes to files beside the target. At least 1 MiB is used.
    pub memory: usize,
    /// The number of threads that compile.
    pub threads: NonZeroUsize,
}

impl PackOptions {
    /// All agents, verdicts only, no sitemaps, no preferences, 512 MiB, a thread for each core.
    #[must_use]
    pub fn new(dialect: &Dialect) -> Self {
        Self {
            dialect: dialect.clone(),
            agents: PackAgents::All,
            deciding_rules: false,
            sitemaps: false,
            preferences: None,
            seed: 0,
            memory: 512 << 20,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
    }

    /// Returns the number of the vocabulary as the header has it.
    pub(crate) fn vocabulary_number(&self) -> Option<u32> {
        let vocabulary = self.preferences?;
        (0..).zip(&Vocabulary::REVISIONS).find(|(_, known)| *known == vocabulary).map(|(number, _)| number)
    }

    /// Returns the settings with agents in order, or what is wrong with them.
    pub(crate) fn checked(mut self) -> Result<Self, PackError> {
        if !Dialect::by_name(self.dialect.name).is_some_and(|named| named.reads_as(&self.dialect)) {
            return Err(PackErrorKind::OwnDialect(self.dialect.name).into());
        }
        if let PackAgents::Some(tokens) = &self.agents {
            if tokens.is_empty() || tokens.len() > MAX_AGENTS {
                let count = tokens.len();
                return Err(PackErrorKind::Agents(format!(
                    "a pack for {count} agents: name 1 to {MAX_AGENTS}, or build it for all agents"
                ))
                .into());
            }
            for text in tokens {
                agents::parse(text).map_err(|error| {
                    PackErrorKind::Agents(format!("'{}' is no agent name: {error}", text.escape_debug()))
                })?;
            }
            self.agents = PackAgents::only(tokens);
        }
        if self.preferences.is_some() && self.vocabulary_number().is_none() {
            return Err(PackErrorKind::OwnVocabulary.into());
        }
        self.memory = self.memory.max(1 << 20);
        Ok(self)
    }
}
