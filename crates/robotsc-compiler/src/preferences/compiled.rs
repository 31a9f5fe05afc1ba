//! From statements to compiled preferences: see `robotsc_runtime::PreferenceProgram` for their bytes.
//!
//! Statements with one pattern are combined. Patterns of equal length that say different things, and that can match one
//! path, go to different layers: an automaton names one rule of the top rank, and here all of that length hold.

use std::collections::BTreeMap;

use robotsc_runtime::{PathForm, PathPreferences, PreferenceProgram};

use super::agent::{Preferences, Reading, Stated};
use super::ranked::rule_set;
use super::statements::Statements;
use super::vocabulary::Vocabulary;
use crate::parse::record::RecordKind;
use crate::program::budget::FileBudget;
use crate::program::compile::Compiler;
use crate::program::error::CompileError;
use crate::program::options::Output;
use crate::robots_txt::{Group, RobotsTxt};
use crate::rules::rule_set::RuleSet;
use crate::small_sort::SmallSort as _;

/// Compiled preferences, in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledPreferences {
    bytes: Vec<u8>,
    form: PathForm,
}

impl CompiledPreferences {
    /// Returns the bytes, which [`PreferenceProgram::from_bytes`] accepts.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the preferences, to ask about paths.
    #[must_use]
    pub fn program(&self) -> PreferenceProgram<'_> {
        PreferenceProgram::from_trusted(&self.bytes).unwrap_or_else(|_| PreferenceProgram::refusal(self.form))
    }

    /// Returns preferences that refuse every use, for paths in `form`: for a file whose own cannot be compiled.
    #[must_use]
    pub fn refusal(form: PathForm) -> Self {
        let refused = PreferenceProgram::refusal(form).otherwise();
        Self { bytes: head(refused, form, 0), form }
    }

    /// Reports whether nothing is said of any path.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.bytes == head(PathPreferences::UNKNOWN, self.form, 0)
    }
}

impl Preferences<'_> {
    /// Compiles the preferences: then an answer takes a walk, as a verdict does, and they can be stored.
    ///
    /// The compiled form says what is stated of each [`Category`](super::Category) and the level of use, as
    /// [`Preferences::at`] does. Lines are left out, and labels of old revisions that belong to no category.
    ///
    /// Cost: as that of compiling rules with these patterns.
    ///
    /// # Errors
    /// [`CompileError`] as for rules, and if a pattern is not decided exactly or more than 64 automata were needed
    /// (`docs/preferences.md`, "Limits").
    ///
    /// ```
    /// use robotsc::analysis::preferences::{Category, Preference, Preferences};
    /// use robotsc::{Compiler, RobotsTxt};
    ///
    /// let robots = RobotsTxt::parse(b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /press/ train-ai=y\n");
    /// let compiled = Preferences::of(&robots, "FooBot")?.compile(&Compiler::new())?;
    /// let press = compiled.program().at(robots.url_path("/press/1")?.as_path())?;
    /// assert_eq!(press.usage(Category::Training), Preference::Yes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(&self, compiler: &Compiler) -> Result<CompiledPreferences, CompileError> {
        let form = self.rules.path_form();
        self.stated.compile(form, self.reading.vocabulary, compiler, &mut FileBudget::default())
    }
}

/// Compiles what some groups of a file say, without their rules. The budget is that of all preferences of the file.
///
/// # Errors
/// As [`Preferences::compile`]; and if their records exceed what the budget has left of 2^24 bytes.
#[doc(hidden)]
pub fn compile_groups<'r>(
    robots: &RobotsTxt<'r>,
    groups: impl IntoIterator<Item = &'r Group> + Clone,
    reading: Reading,
    compiler: &Compiler,
    budget: &mut FileBudget,
) -> Result<CompiledPreferences, CompileError> {
    let form = robots.dialect().path_form();
    let records = groups.clone().into_iter().flat_map(|group| robots.records_of(group));
    let stated = records.filter(|record| matches!(record.kind, RecordKind::ContentUsage | RecordKind::ContentSignal));
    budget.count(stated.map(|record| record.value.len()).sum())?;
    Stated::read(robots, groups, reading).compile(form, reading.vocabulary, compiler, budget)
}

impl Stated {
    fn compile(
        &self,
        form: PathForm,
        vocabulary: &Vocabulary,
        compiler: &Compiler,
        budget: &mut FileBudget,
    ) -> Result<CompiledPreferences, CompileError> {
        let usage = self
            .usage
            .layers(form, |said| PathPreferences::of_usage(|category| vocabulary.preference_of(category, said)))?;
        let signals = self.signals.layers(form, |said| {
            let of = |category| Vocabulary::SIGNALS.preference_of(category, &said.preferences);
            PathPreferences::of_signals(of, said.use_level)
        })?;
        // A vocabulary that says nothing needs no patterns.
        let of = |layers: &Layers| if layers.is_unknown { 0 } else { layers.rules.len() };
        let count = of(&usage) + of(&signals);
        if count > PreferenceProgram::MAX_LAYERS {
            return Err(CompileError::PREFERENCE_LAYERS);
        }
        let mut bytes = head(usage.otherwise.and(signals.otherwise), form, count as u8);
        let compiler = compiler.clone().output(Output::DecidingRule);
        for (layers, is_signal) in [(&usage, 0), (&signals, 1)] {
            for rules in &layers.rules[..of(layers)] {
                let program = budget.compile(&compiler, rules)?.into_bytes();
                // A program is shorter than 4 GiB by far.
                let length = u32::try_from(program.len() * 2 + is_signal);
                bytes.extend_from_slice(&length.map_err(|_| CompileError::PREFERENCE_LAYERS)?.to_le_bytes());
                bytes.extend_from_slice(&program);
            }
        }
        Ok(CompiledPreferences { bytes, form })
    }
}

fn head(otherwise: PathPreferences, form: PathForm, layers: u8) -> Vec<u8> {
    let [low, high] = otherwise.to_bits().to_le_bytes();
    vec![low, high, form.to_byte(), layers]
}

/// What the statements of one vocabulary say.
struct Layers {
    /// Of paths that no pattern matches.
    otherwise: PathPreferences,
    /// By pattern: the line of a rule is what it says.
    rules: Vec<RuleSet>,
    /// Whether none of them says anything.
    is_unknown: bool,
}

impl<T> Statements<T> {
    fn layers(&self, form: PathForm, say: impl Fn(&T) -> PathPreferences) -> Result<Layers, CompileError> {
        if self.has_possible_matches() {
            return Err(CompileError::PREFERENCE_PATTERN);
        }
        let otherwise = self.without_path().map(&say).fold(PathPreferences::UNKNOWN, PathPreferences::and);
        // By length, the longest last, and by pattern.
        let mut said: BTreeMap<u32, BTreeMap<&[u8], PathPreferences>> = BTreeMap::new();
        for (length, pattern, statement) in self.patterns() {
            let known = said.entry(length).or_default().entry(pattern).or_default();
            *known = known.and(say(statement));
        }
        let is_unknown = otherwise == PathPreferences::UNKNOWN
            && said.values().flat_map(BTreeMap::values).all(|said| *said == PathPreferences::UNKNOWN);
        let mut layers: Vec<Vec<(u32, &[u8], PathPreferences)>> = Vec::new();
        for (length, patterns) in said.iter().rev() {
            let mut meanings: Vec<u16> = patterns.values().map(|said| said.to_bits()).collect();
            meanings.small_sort_unstable();
            meanings.dedup();
            let is_apart = meanings.len() == 1 || are_disjoint(patterns.keys().copied());
            for (pattern, said) in patterns {
                let layer = if is_apart { 0 } else { meanings.binary_search(&said.to_bits()).unwrap_or(0) };
                layers.resize(layers.len().max(layer + 1), Vec::new());
                layers[layer].push((*length, pattern, *said));
            }
        }
        // The line of a rule is what it says.
        let ranked = |rules: &Vec<(u32, &[u8], PathPreferences)>| {
            let rules = rules.iter().map(|(length, pattern, said)| (*length, *pattern, u32::from(said.to_bits())));
            rule_set(form, rules)
        };
        let rules = layers.iter().map(ranked).collect();
        Ok(Layers { otherwise, rules, is_unknown })
    }
}

/// Reports whether no two of several different patterns match one path, as far as that is seen at once.
fn are_disjoint<'p>(mut patterns: impl Iterator<Item = &'p [u8]> + Clone) -> bool {
    let length = patterns.clone().next().map_or(0, <[u8]>::len);
    // Without a `*`, a path starts with the pattern, so that two of one length are equal.
    patterns.all(|pattern| pattern.len() == length && !pattern.contains(&b'*'))
}
